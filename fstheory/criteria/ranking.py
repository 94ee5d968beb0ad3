"""Criteria of ranking and retrieval: the area under the ROC curve and the F-measure."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

import numpy as np

from fstheory._exact import Exact, as_fraction, format_fraction
from fstheory.criteria.cells import class_weights, every_marginal, flat, is_small, positive_class, require_classes
from fstheory.criteria.criterion import Criterion, Predictor, named
from fstheory.distribution import JointDistribution, Label
from fstheory.errors import InvalidValueError, explain
from fstheory.limbs import IntegerArray
from fstheory.subsets import Subset
from fstheory.sweep.cells import Array
from fstheory.table import RationalColumn

__all__ = ["auc", "f_measure", "f_measure_as_printed"]

_AUC_NAME, _F_NAME = "the AUC", "the F-measure"
_BITS = 26  # of a total at most this long, posteriors may be sorted as floats


@dataclass(frozen=True)
class _FMeasure(Criterion[Fraction]):
    """F = (1 + b) TP / (b P + M), with b = beta**2, positives P, predicted positives M, true positives TP.

    A value F is reached by some classifier if and only if sum over its positive states of (1 + b) w1 - F w
    is at least b P F, and each state's part in that sum may be chosen alone. So the best classifier for the threshold F
    reaches a larger value unless F is the largest (Dinkelbach), and a state is positive in some best classifier
    if and only if (1 + b) eta >= F, in all of them if (1 + b) eta > F.
    """

    weight: Fraction  # beta squared, of recall
    positive: Label | None
    name: str = ""
    symbol: ClassVar[str] = "F"
    larger_is_better: ClassVar[bool] = True

    def check(self, d: JointDistribution) -> None:
        require_classes(d, _F_NAME, [positive_class(d, self.positive, _F_NAME)])

    def of_cells(self, d: JointDistribution, cells: Array) -> Fraction:
        positives, weights = cells[:, positive_class(d, self.positive, _F_NAME)].copy(), cells.sum(axis=1)
        p, q = self.weight.numerator, self.weight.denominator
        if not is_small(cells, 31 - (p + q).bit_length()):
            positives, weights = positives.astype(object), weights.astype(object)
        everything = p * int(positives.sum())
        above, below = 0, 1
        while True:
            best = (p + q) * below * positives > q * above * weights
            hits, predicted = int(positives[best].sum()), int(weights[best].sum())
            reached = Fraction((p + q) * hits, everything + q * predicted)
            if reached <= Fraction(above, below):
                return reached
            above, below = (p + q) * hits, everything + q * predicted

    def predictor(self, d: JointDistribution, subset: Subset) -> Predictor[Label]:
        positive = positive_class(d, self.positive, _F_NAME)
        best, seen = self.value(d, subset), self.seen(d, subset)
        yes, no = d.classes[positive], d.classes[1 - positive]

        def choose(cell: list[int]) -> tuple[Label, ...]:
            margin = (1 + self.weight) * cell[positive] - best * sum(cell)
            return (yes,) if margin > 0 else (no,) if margin < 0 else (no, yes)

        return Predictor.of(seen, choose)


@named
def f_measure(beta: Exact = 1, *, positive: Label | None = None) -> Criterion[Fraction]:
    """Return the criterion of the F-measure of two classes: the largest that a classifier reaches.

    F_beta = (1 + beta**2) / (1 / precision + beta**2 / recall), the usual definition, in which a larger beta
    gives recall more weight. It is 0 where there is no true positive.

    Parameters
    ----------
    beta : exact number above 0
    positive : label, optional
        The positive class, the last of ``d.classes`` if none is named.

    Raises
    ------
    ZeroProbabilityError
        When used: the positive class has probability 0.

    Notes
    -----
    A best classifier says positive where eta = p(positive | X_S) is above F / (1 + beta**2), F the value
    reached; where eta equals that threshold both answers are optimal, in each state alone.

    References
    ----------
    van Rijsbergen (1979), Information Retrieval, chapter 7; Dinkelbach (1967), On nonlinear fractional programming.

    Examples
    --------
    >>> from fstheory import criteria, gallery
    >>> criteria.f_measure().value(gallery.titanic(), {"sex"})
    Fraction(688, 1181)
    """
    number = _above_0(beta)
    return _FMeasure(number**2, positive, f"F-measure (beta = {format_fraction(number)})")


def f_measure_as_printed(beta: Exact = 1, *, positive: Label | None = None) -> Criterion[Fraction]:
    """Return the criterion of the F-measure as Ahmed et al. print it, in which a larger beta favors precision.

    Example 7 prints (1 + beta**2) / (beta**2 / precision + 1 / recall): beta stands with the precision, where it
    usually stands with the recall. So it is the usual F-measure of 1 / beta.

    Its parameters, and what it refuses, are those of `f_measure`.

    References
    ----------
    Ahmed, Narasimhan and Agarwal (2015), Example 7.

    Examples
    --------
    >>> from fstheory import criteria, gallery
    >>> d = gallery.titanic()
    >>> printed, usual = criteria.f_measure_as_printed(2), criteria.f_measure("1/2")
    >>> printed.value(d, {"sex"}) == usual.value(d, {"sex"})
    True
    """
    number = _above_0(beta)
    return _FMeasure(1 / number**2, positive, f"F-measure as printed (beta = {format_fraction(number)})")


def _above_0(beta: Exact) -> Fraction:
    number = as_fraction(beta, "beta")
    if number <= 0:
        raise InvalidValueError(explain("beta", "above 0", beta, "pass 1 to weigh both sides equally"))
    return number


@dataclass(frozen=True)
class _AUC(Criterion[Fraction]):
    positive: Label | None
    name: ClassVar[str] = "AUC"
    symbol: ClassVar[str] = "A"
    larger_is_better: ClassVar[bool] = True

    def check(self, d: JointDistribution) -> None:
        positive_class(d, self.positive, _AUC_NAME)
        require_classes(d, _AUC_NAME, range(2))

    def of_cells(self, d: JointDistribution, cells: Array) -> Fraction:
        positives = cells[:, positive_class(d, self.positive, _AUC_NAME)]
        weights = cells.sum(axis=1)
        present = weights > 0
        positives, weights = positives[present], weights[present]
        order = _by_posterior(positives, weights, is_small(cells, _BITS))
        ordered = positives[order]
        negatives = weights[order] - ordered
        if not is_small(cells, 31):
            ordered, negatives = ordered.astype(object), negatives.astype(object)
        # a positive loses against the negatives that rank higher, and half against those of its own state
        later = negatives.sum() - np.cumsum(negatives)
        lost = int((ordered * (2 * later + negatives)).sum())
        return 1 - Fraction(lost, 2 * int(ordered.sum()) * int(negatives.sum()))

    def _column(self, d: JointDistribution, workers: int) -> RationalColumn:
        del workers  # as in Criterion
        denominator = 2 * math.prod(class_weights(d))  # of all values
        values = np.empty(2 ** len(d.features), dtype=np.int64 if denominator < 2**63 else object)
        for mask, weights in every_marginal(d.weights):
            values[mask] = int(self.of_cells(d, flat(weights)) * denominator)
        return RationalColumn(IntegerArray.from_array(values), denominator)

    def predictor(self, d: JointDistribution, subset: Subset) -> Predictor[Fraction]:
        positive = positive_class(d, self.positive, _AUC_NAME)
        return Predictor.of(self.seen(d, subset), lambda cell: (Fraction(cell[positive], sum(cell)),))


def _by_posterior(positives: Array, weights: Array, small: bool) -> Array:
    """Return the states by rising posterior.

    Two different fractions of denominators up to T <= 2**26 are at least 2**-52 apart, and a quotient below 1 is
    rounded by at most 2**-54; so its float orders it exactly.
    """
    if small:
        return np.argsort(positives.astype(np.int64) / weights.astype(np.int64), kind="stable")
    posteriors = [Fraction(p, w) for p, w in zip(positives.tolist(), weights.tolist(), strict=True)]
    return np.array(sorted(range(len(posteriors)), key=posteriors.__getitem__), dtype=np.int64)


@named
def auc(*, positive: Label | None = None) -> Criterion[Fraction]:
    """Return the criterion of the area under the ROC curve: the largest that a scoring function reaches.

    The AUC of a score f is the probability that a positive draw scores higher than a negative one, plus half the
    probability that they score alike. Scoring by the posterior eta = p(positive | X_S) is optimal.

    Parameters
    ----------
    positive : label, optional
        The positive class, the last of ``d.classes`` if none is named; the value is the same for either.

    Raises
    ------
    InvalidValueError
        When used: there are not two classes.
    ZeroProbabilityError
        When used: a class has probability 0, and there is no pair to rank.

    Notes
    -----
    The value is 1 - E min(alpha(X, X'), alpha(X', X)) / (2 p (1 - p)), alpha(x, x') = eta(x) (1 - eta(x')), with X, X'
    independent draws of X_S. Of m states it takes a sort, O(m log m), and not the m**2 pairs.

    References
    ----------
    Ahmed, Narasimhan and Agarwal (2015), Example 8; Clémençon, Lugosi and Vayatis (2008).

    Examples
    --------
    >>> from fstheory import JointDistribution, criteria
    >>> d = JointDistribution([[3, 1], [1, 3]])
    >>> criteria.auc().value(d, {"X1"}), dict(criteria.auc().predictor(d, {"X1"}))
    (Fraction(3, 4), {(0,): Fraction(1, 4), (1,): Fraction(3, 4)})
    """
    return _AUC(positive)
