"""Conditional independence of sets of variables, decided exactly."""

from __future__ import annotations

import math

from fstheory.distribution import JointDistribution, require_distribution
from fstheory.errors import InvalidValueError, explain
from fstheory.selection.labels import posterior_labels, varying_fibers
from fstheory.subsets import Subset, indices_of, mask_of

__all__ = ["conditionally_independent"]


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
    InvalidTypeError, UnknownNameError
        One of them is a bare string, or names no variable.
    InvalidValueError
        A variable stands in two of them, or twice in one.

    Notes
    -----
    Given c, the sets are independent if and only if p(a | b, c) is the same for all b with p(b, c) > 0. Each
    is a row of integers; divided by their greatest common divisors, the rows are equal or not.

    Complexity: a pass over the table and a sort of the cells of b and c.

    References
    ----------
    Pearl, Probabilistic Reasoning in Intelligent Systems (1988), Section 3.1.

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
