"""Scores of features: mRMR, the Fisher score, and the s-variate approximation of a criterion."""

from __future__ import annotations

import functools
import itertools
import operator
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction

from fstheory._support.exact import as_index, to_text
from fstheory._support.result import Result
from fstheory.distributions.rows import Data, Sample, require_data
from fstheory.errors import require
from fstheory.lattice.subsets import indices_of
from fstheory.measures.information import mutual_information
from fstheory.measures.regression import numeric_states
from fstheory.numbers.logsum import LogSum
from fstheory.selection.greedy import (
    CriterionLike,
    Selection,
    SetFunction,
    Step,
    Value,
    checked_size,
    chosen_step,
    feature_order,
    set_function,
)


def mrmr(d: Data, k: int, *, order: Iterable[str] | None = None) -> Selection:
    """Choose k features by minimal redundancy and maximal relevance; ties fall to the first in the order.

    Each step adds the feature Xj with the largest I(Xj; Y) - (1/m) sum I(Xj; Xi) over the m features Xi chosen so far;
    the first feature has no redundancy. The `value` is that of the feature chosen last, in nats. Complexity: n + nk
    mutual informations of pairs, each a pass over the cells of `d` or its distinct rows. Source: Peng, Long and Ding
    (2005).

    Examples
    --------
    >>> from fstheory import gallery
    >>> mrmr(gallery.with_copy(gallery.titanic(), "sex"), 2).features
    ('sex', 'age')
    """
    require_data(d)
    size = checked_size(k, len(d.features))
    left = [d.features[i] for i in feature_order(order, d.features)]
    relevance = {name: mutual_information(d, {name}) for name in left}
    redundancy = dict.fromkeys(left, LogSum.of(0))
    chosen: list[str] = []
    trace: list[Step] = []
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


@dataclass(frozen=True)
class _Average:
    """The mean value of the subsets of size s of the subset with a mask."""

    function: SetFunction
    size: int

    def __call__(self, mask: int) -> Value:
        members = indices_of(mask)
        chosen = itertools.combinations(members, min(self.size, len(members)))
        values = [self.function.at(sum(1 << i for i in subset)) for subset in chosen]
        return functools.reduce(operator.add, values) * Fraction(1, len(values))


def s_variate(d: Data, criterion: CriterionLike, s: int = 2) -> SetFunction:
    """Return the s-variate approximation of a criterion: its average over all subsets of s features.

    A subset with fewer than s features has its own value, so that the first s steps of forward selection are those of
    the criterion itself. It need not be monotone: with s = 1 a weak feature lowers the average. Source: Ahmed,
    Narasimhan and Agarwal (2015), Section 3.2; Meyer, Schretter and Bontempi (2008).

    Examples
    --------
    >>> from fstheory import gallery
    >>> from fstheory.selection import select
    >>> d = gallery.titanic()
    >>> pairs = s_variate(d, "zero_one", 2)
    >>> pairs.value(d.features), select(d, 2, pairs).features
    (Fraction(1576, 6603), ('sex', 'class'))
    """
    function = set_function(d, criterion)
    size = as_index(s, "s", at_least=1)
    name = f"{function.name}, {size}-variate"
    return SetFunction(d.features, _Average(function, size), function.larger_is_better, name)


@functools.total_ordering
@dataclass(frozen=True, eq=False, repr=False)
class FisherScore(Result):
    """The Fisher score of one feature; it may be infinite, and compares with the others all the same.

    It is `between`, sum over y of p(y) (E[X | y] - E[X])**2, divided by `within`, sum over y of p(y) Var[X | y].
    """

    between: Fraction
    within: Fraction

    @property
    def is_infinite(self) -> bool:
        """Whether the class means differ and the classes have no spread."""
        return self.between > 0 and self.within == 0

    @property
    def value(self) -> Fraction:
        """The score between / within, refused where it is infinite; 0 for a constant feature."""
        repair = "ask is_infinite first, or take the share"
        require(not self.is_infinite, "the Fisher score", "finite", "infinite", repair)
        return self.between / self.within if self.within else Fraction(0)

    @property
    def share(self) -> Fraction:
        """The share of the variance that lies between the classes, F / (1 + F): it orders as the score does."""
        variance = self.between + self.within
        return self.between / variance if variance else Fraction(0)

    def __eq__(self, other: object) -> bool:
        return self.share == other.share if isinstance(other, FisherScore) else NotImplemented

    def __lt__(self, other: object) -> bool:
        return self.share < other.share if isinstance(other, FisherScore) else NotImplemented

    def __hash__(self) -> int:
        return hash(self.share)

    def __str__(self) -> str:
        return "infinite" if self.is_infinite else to_text(self.value, 0)


def fisher_scores(d: Data) -> dict[str, FisherScore]:
    """Return the Fisher score of every feature, exactly; the best first, ties in feature order.

    The states of its features are numbers: integers, Fractions, decimals, or strings that write one. With any number of
    classes, and means and variances of the distribution itself,

        F(X) = sum p(y) (E[X | y] - E[X])**2  /  sum p(y) Var[X | y].

    It is infinite if the classes have different means and no spread, and 0 for a constant feature. Source: Duda, Hart
    and Stork (2000); Gu, Li and Han (2011).

    Examples
    --------
    >>> from fstheory import JointDistribution
    >>> scores = fisher_scores(JointDistribution([[[2, 0], [1, 0]], [[1, 2], [0, 2]]]))
    >>> {name: str(score) for name, score in scores.items()}
    {'X1': '3/2', 'X2': '1/14'}
    """
    require_data(d)
    scores = {name: _score(d, name) for name in d.features}
    return {name: scores[name] for name in sorted(scores, key=scores.__getitem__, reverse=True)}


def _score(d: Data, name: str) -> FisherScore:
    states = numeric_states(d, name, "the Fisher score")
    mean = second = between = Fraction(0)
    marginal = d.empirical({name}) if isinstance(d, Sample) else d.marginal({name})
    for column in marginal.weights.T.tolist():
        if not (weight := Fraction(sum(column), marginal.total)):
            continue
        class_mean = sum((n * x for n, x in zip(column, states, strict=True)), Fraction(0)) / sum(column)
        square = sum((n * x * x for n, x in zip(column, states, strict=True)), Fraction(0)) / sum(column)
        mean += weight * class_mean
        second += weight * square
        between += weight * class_mean**2
    return FisherScore(between - mean**2, second - between)
