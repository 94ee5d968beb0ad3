"""Markov blankets and the Markov boundary of the class."""

from __future__ import annotations

from typing import Any

import numpy as np

from fstheory._memory import enough_memory, require_cells
from fstheory.distribution import JointDistribution, require_distribution
from fstheory.errors import InvalidValueError, explain
from fstheory.selection.kohavi_john import strongly_relevant
from fstheory.selection.labels import IMPOSSIBLE, posterior_labels
from fstheory.subsets import format_subset, mask_of, minimal_masks, names_of, size_order
from fstheory.sweep import subset_sums

__all__ = ["markov_blankets", "markov_boundary"]

_NAMED = 6


def markov_blankets(d: JointDistribution) -> tuple[frozenset[str], ...]:
    """Return all minimal Markov blankets of the class: subsets M with p(Y|M) = p(Y|X), none contained in another.

    Parameters
    ----------
    d : JointDistribution

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

    Complexity: prod(c_i + 1) steps for cardinalities c_i; a block of states with one posterior is not opened.

    References
    ----------
    Pearl, Probabilistic Reasoning in Intelligent Systems (1988), Section 3.3; Peña and Nilsson (2010), after
    Example 1.

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

    Parameters
    ----------
    d : JointDistribution

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

    Complexity: n + 1 passes over the table. To name the blankets in the error, that of `markov_blankets`.

    References
    ----------
    Peña and Nilsson (2010), after Example 1; Nilsson, Peña, Björkegren and Tegnér (2007), Theorem 10.

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
