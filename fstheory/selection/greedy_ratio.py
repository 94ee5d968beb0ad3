"""Greedy against exhaustive: which share of the best gain a greedy search reaches, exactly."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction

from fstheory._display import Shown, words
from fstheory.distribution import JointDistribution
from fstheory.errors import InvalidValueError, explain
from fstheory.reals.ratio import ExactRatio, quotient
from fstheory.selection.greedy import Selection, SelectionMethod, select
from fstheory.selection.set_functions import CriterionLike, set_function
from fstheory.subsets import mask_of

__all__ = ["GreedyComparison", "compare_greedy"]


@dataclass(frozen=True, repr=False)
class GreedyComparison(Shown):
    """A greedy choice of k features beside the best one.

    Attributes
    ----------
    greedy, best : Selection
    ratio : Fraction or ExactRatio
        What the greedy choice gains over no features, as a share of what the best gains; 1 if nothing can be gained.

    Examples
    --------
    >>> from fstheory import gallery
    >>> compare_greedy(gallery.xor(), 1, "logarithmic").is_optimal
    True
    """

    greedy: Selection
    best: Selection
    ratio: Fraction | ExactRatio

    @property
    def is_optimal(self) -> bool:
        """Whether the greedy choice is a best one."""
        return self.greedy.value == self.best.value

    def __str__(self) -> str:
        return f"{self.greedy}\n{self.best}\nshare of the best gain: {words(self.ratio)}"


def compare_greedy(
    d: JointDistribution,
    k: int,
    criterion: CriterionLike = "zero_one",
    method: SelectionMethod = "greedy-forward",
    *,
    order: Iterable[str] | None = None,
) -> GreedyComparison:
    """Choose k features greedily and by looking at all subsets of k, and compare what they gain.

    Parameters
    ----------
    d : JointDistribution
    k : int
        Between 0 and the number of features.
    criterion : Criterion, str, SubsetTable or SetFunction
        As of `select`.
    method : {'greedy-forward', 'greedy-backward', 'score'}
    order : iterable of str, optional
        All features, to resolve ties.

    Returns
    -------
    GreedyComparison
        Its `ratio` is (f(greedy) - f({})) / (f(best) - f({})).

    Notes
    -----
    For a monotone criterion greedy forward selection reaches at least the share 1 - exp(-r), with r its
    `submodularity_ratio`; 1 - 1/e if it is submodular. Complexity: n choose k values of the criterion. Source:
    Nemhauser, Wolsey and Fisher (1978); Das and Kempe (2011).

    Examples
    --------
    >>> from fstheory import JointDistribution
    >>> d = JointDistribution([[[[2, 0], [0, 1]], [[0, 1], [2, 0]]], [[[0, 1], [0, 2]], [[1, 0], [0, 2]]]])
    >>> compare_greedy(d, 2).ratio
    Fraction(1, 1)
    """
    function = set_function(d, criterion)
    greedy = select(d, k, function, method, order=order)
    best = select(d, k, function, "exhaustive", order=order)
    masks = [mask_of(found.features, d.features) for found in (greedy, best)]
    reached, possible = (function.gain(mask, onto=0) for mask in masks)
    if possible < 0:
        requirement = "no worse for the best k features than for none"
        raise InvalidValueError(explain("criterion", requirement, function.name, "choose another one"))
    return GreedyComparison(greedy, best, Fraction(1) if possible == 0 else quotient(reached, possible))
