"""Minimal redundancy, maximal relevance: mutual information with the class less that with the features chosen."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

from fstheory.distribution import JointDistribution, require_distribution
from fstheory.information import mutual_information
from fstheory.logsum import LogSum
from fstheory.selection.chosen import Selection, SelectionStep
from fstheory.selection.greedy import checked_size, chosen_step
from fstheory.selection.order import feature_order
from fstheory.selection.set_function import set_function

__all__ = ["mrmr"]


def mrmr(d: JointDistribution, k: int, *, order: Iterable[str] | None = None) -> Selection:
    """Choose k features by minimal redundancy and maximal relevance.

    Parameters
    ----------
    d : JointDistribution
    k : int
        Between 0 and the number of features.
    order : iterable of str, optional
        All features: of candidates with equal scores the first in this order is taken.

    Returns
    -------
    Selection
        Its `value` is the score of the feature chosen last; scores are differences of mutual informations in nats.

    Raises
    ------
    InvalidTypeError, InvalidValueError, UnknownNameError
        `k` is not in its range, or `order` does not name every feature once.

    Notes
    -----
    Each step adds the feature Xj with the largest I(Xj; Y) - (1/m) sum I(Xj; Xi) over the m features Xi chosen so
    far; the first feature has no redundancy. This is the difference form of the incremental search; scores are compared
    exactly. Complexity: n + nk mutual informations of pairs, each a pass over the cells of `d`.

    References
    ----------
    Peng, Long and Ding (2005).

    Examples
    --------
    >>> from fstheory import gallery
    >>> from fstheory.selection import mrmr
    >>> mrmr(gallery.with_copy(gallery.titanic(), "sex"), 2).features
    ('sex', 'age')
    """
    require_distribution(d)
    size = checked_size(k, len(d.features))
    left = [d.features[i] for i in feature_order(order, d.features)]
    relevance = {name: mutual_information(d, {name}, {d.target}) for name in left}
    redundancy = dict.fromkeys(left, LogSum.of(0))
    chosen: list[str] = []
    trace: list[SelectionStep] = []
    for _ in range(size):
        share = Fraction(1, max(len(chosen), 1))
        scored = [(name, relevance[name] - redundancy[name] * share) for name in left]
        trace.append(chosen_step(frozenset(chosen), scored, True))
        latest = trace[-1].chosen
        chosen.append(latest)
        left.remove(latest)
        for name in left:
            redundancy[name] += mutual_information(d, {name}, {latest})
    value = trace[-1].value if trace else None
    return Selection("mrmr", "score", tuple(chosen), value, tuple(trace), function=set_function(d, "zero_one"))
