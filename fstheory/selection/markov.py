"""Conditional independence of sets of variables, Markov blankets and the Markov boundary of the class."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from fstheory._memory import enough_memory, require_cells
from fstheory.distribution import JointDistribution, require_distribution
from fstheory.errors import InvalidValueError, explain
from fstheory.selection.kohavi_john import IMPOSSIBLE, posterior_labels, strongly_relevant, varying_fibers
from fstheory.subsets import Subset, format_subset, indices_of, mask_of, minimal_masks, names_of, size_order
from fstheory.sweep import subset_sums

__all__ = ["conditionally_independent", "markov_blankets", "markov_boundary"]


def conditionally_independent(d: JointDistribution, a: Subset, b: Subset, given: Subset = ()) -> bool:
    """Say whether two sets of variables are independent given a third.

    Parameters
    ----------
    d : JointDistribution
    a, b, given : iterables of names
        Disjoint sets of variables: features and, in any one of them, the target, by its name.

    Returns
    -------
    bool
        Whether p(a, b | c) = p(a | c) p(b | c) for all states a, b and all states c with p(c) > 0. If a or
        b is empty, it is true.

    Raises
    ------
    InvalidValueError
        A variable stands in two of them, or twice in one.

    Notes
    -----
    Given c, the sets are independent if and only if p(a | b, c) is the same for all b with p(b, c) > 0. Each
    is a row of integers; divided by their greatest common divisors, the rows are equal or not.

    Complexity: a pass over the table and a sort of the cells of b and c. Source: Pearl, Probabilistic Reasoning in
    Intelligent Systems (1988), Section 3.1.

    Examples
    --------
    >>> from fstheory import gallery
    >>> d = gallery.xor()  # Y = X1 xor X2
    >>> conditionally_independent(d, {"X1"}, {"Y"}), conditionally_independent(d, {"X1"}, {"Y"}, given={"X2"})
    (True, False)
    """
    require_distribution(d)
    names = (*d.features, d.target)
    masks = [mask_of(subset, names, argument) for argument, subset in (("a", a), ("b", b), ("given", given))]
    for i, argument in ((1, "a"), (2, "a and b")):
        shared = masks[i] & (masks[0] if i == 1 else masks[0] | masks[1])
        if shared:
            name = names[indices_of(shared)[0]]
            raise InvalidValueError(
                explain(("a", "b", "given")[i], f"disjoint from {argument}", name, "name each variable once")
            )
    axes = [indices_of(mask) for mask in masks]
    unused = tuple(i for i in range(len(names)) if not sum(masks) >> i & 1)
    table = d.weights.sum(axis=unused, keepdims=True).transpose(*axes[2], *axes[1], *axes[0], *unused)
    cells = [math.prod(d.weights.shape[i] for i in group) for group in axes]
    labels = posterior_labels(table.reshape(cells[2], cells[1], cells[0]))
    return not varying_fibers(labels, 1).any()


_NAMED = 6


def markov_blankets(d: JointDistribution) -> tuple[frozenset[str], ...]:
    """Return all minimal Markov blankets of the class: subsets M with p(Y|M) = p(Y|X), none contained in another.

    Returns
    -------
    tuple of frozenset of str
        By size and lexicographically; at least one. Every superset of a blanket is a blanket, so these
        determine all of them.

    Raises
    ------
    TooLargeError
        The 2**n subsets do not fit in memory.

    Notes
    -----
    The equality is meant for the states with p(x) > 0. Each of them gets a label that stands for its posterior; M
    is a blanket if and only if no state of M joins states with different labels, which one sweep decides for every M.

    Complexity: prod(c_i + 1) steps for cardinalities c_i; a block of states with one posterior is not opened. Source:
    Pearl, Probabilistic Reasoning in Intelligent Systems (1988), Section 3.3; Peña and Nilsson (2010), after Example 1.

    Examples
    --------
    >>> from fstheory import gallery
    >>> [sorted(blanket) for blanket in markov_blankets(gallery.recoded())]
    [['X3'], ['X1', 'X2']]
    """
    require_distribution(d)
    n = len(d.features)
    what, repair = "the table of all subsets", "take the marginal of fewer features"
    require_cells((2,) * n, what, repair, 16, besides=40 * d.weights.size)  # 37 a weight, by tracemalloc
    with enough_memory(what, repair):
        rule: dict[str, Any] = {"additive": _agree, "combine": np.bitwise_or, "collect": np.bitwise_or}
        blankets = np.flatnonzero(subset_sums(_bits(d), _join, dtype=np.int8, **rule)[0] == 0)
    minimal = minimal_masks(blankets)
    return tuple(names_of(int(mask), d.features) for mask in minimal[size_order(minimal, n)])


def markov_boundary(d: JointDistribution) -> frozenset[str]:
    """Return the Markov boundary of the class: the only minimal subset M with p(Y|M) = p(Y|X).

    Returns
    -------
    frozenset of str
        The strongly relevant features.

    Raises
    ------
    InvalidValueError
        Several blankets are minimal, so that there is no such thing as *the* boundary; the message names some.

    Notes
    -----
    For every distribution the strongly relevant features are the intersection of all blankets: Xi is strongly
    relevant if and only if all other features together are no blanket. So the boundary is unique if and only if
    they are a blanket themselves. If p(x) > 0 for all x, they are.

    Complexity: n + 1 passes over the table. To name the blankets in the error, that of `markov_blankets`. Source: Peña
    and Nilsson (2010), after Example 1; Nilsson, Peña, Björkegren and Tegnér (2007), Theorem 10.

    Examples
    --------
    >>> from fstheory import gallery
    >>> sorted(markov_boundary(gallery.pena_nilsson_example_1()))
    ['X']
    """
    require_distribution(d)
    strong = strongly_relevant(d)
    dropped = tuple(i + 1 for i, name in enumerate(d.features) if name not in strong)
    ones, zeros = np.bitwise_or.reduce(_bits(d), axis=dropped)
    if not (ones & zeros).any():
        return strong
    blankets = [format_subset(mask_of(blanket, d.features), d.features) for blanket in markov_blankets(d)]
    shown = ", ".join(blankets[:_NAMED]) + (f", ... ({len(blankets)} in all)" if len(blankets) > _NAMED else "")
    raise InvalidValueError(
        explain("d", "a distribution with a single minimal Markov blanket", d, f"it has {shown}: use markov_blankets")
    )


def _bits(d: JointDistribution) -> np.ndarray[Any, Any]:
    """Return, for every state, the ones of its posterior's label and the zeros of it, as bits of two integers.

    Joined by "or", they share no bit if and only if all labels are the same. A state of probability 0 has neither.
    """
    labels = posterior_labels(d.weights)
    return np.where(labels == IMPOSSIBLE, 0, np.stack([labels, ~labels]))


def _join(cells: np.ndarray[Any, Any], out: np.ndarray[Any, Any]) -> None:
    """Write 1 where a cell joins states with different labels, else 0."""
    out[0] = (cells[0] & cells[1]) != 0


def _agree(cells: np.ndarray[Any, Any]) -> bool:
    ones, zeros = (np.bitwise_or.reduce(bits, axis=None) for bits in cells)
    return not ones & zeros
