"""Backward search, Table 1: remove any feature whose loss costs nothing, until there is none."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

from fstheory.distribution import JointDistribution, require_distribution
from fstheory.selection.order import feature_order
from fstheory.selection.result import MinimalOptimal
from fstheory.selection.shrink import class_first, right_weight, without
from fstheory.selection.steps import RiskTest
from fstheory.subsets import indices_of, names_of

__all__ = ["backward_search"]


def backward_search(d: JointDistribution, *, order: Iterable[str] | None = None) -> MinimalOptimal:
    """Solve the minimal-optimal problem by backward search, exactly as in Table 1.

    Parameters
    ----------
    d : JointDistribution
    order : iterable of str, optional
        All features, in the order in which the index i of the table runs through them; that of
        ``d.features`` if not given.

    Returns
    -------
    MinimalOptimal
        Its `trace` holds every execution of line 5, its `iterations` counts those of line 3.

    Raises
    ------
    InvalidTypeError, InvalidValueError, UnknownNameError
        `order` does not name every feature once.

    Notes
    -----
    For every distribution the set returned is a solution: it has minimal risk by how the search works, and
    by monotonicity it contains no smaller set that has. Only that there is no other solution needs the two
    assumptions (Theorem 4). Where there are others, which one is found depends on the order.

    The return to i = 1 after a removal is never needed: a feature that could not be spared in a larger set
    cannot be spared in a smaller one. With it, line 3 is executed n times and once more for each feature
    that is removed and each that stands before it in the order, at most n(n + 3)/2 times.

    Complexity: at most n(n + 1)/2 tests, each a pass over the table of the features that are left.

    References
    ----------
    Peña and Nilsson (2010), Table 1 and Theorem 5.

    Examples
    --------
    >>> from fstheory import gallery
    >>> d = gallery.recoded()  # X3 = X1 xor X2
    >>> [sorted(backward_search(d, order=order).features) for order in (["X1", "X2", "X3"], ["X3", "X1", "X2"])]
    [['X3'], ['X1', 'X2']]
    """
    require_distribution(d)
    sequence = feature_order(order, d.features)
    n, mask = len(sequence), 2 ** len(sequence) - 1  # 1: S = X
    table = class_first(d)
    best = right_weight(table)
    trace, iterations, i = [], 0, 0  # 2: i = 1
    while i < n:  # 3
        iterations += 1
        feature = sequence[i]
        if mask >> feature & 1:  # 4
            shrunk = without(table, indices_of(mask).index(feature))
            right = right_weight(shrunk)
            risks = (1 - Fraction(best, d.total), 1 - Fraction(right, d.total))
            trace.append(RiskTest(names_of(mask, d.features), d.features[feature], *risks))
            if right == best:  # 5
                mask, table = mask & ~(1 << feature), shrunk  # 6
                i = 0  # 7
                continue
        i += 1  # 9, 11
    return MinimalOptimal(d, "backward", names_of(mask, d.features), tuple(trace), iterations)  # 12
