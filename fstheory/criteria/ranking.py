"""The criterion of the area under the ROC curve: the best that any scoring function reaches."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

import numpy as np

from fstheory.criteria.cells import every_marginal, flat, is_small
from fstheory.criteria.checking import class_weights, positive_class, require_classes
from fstheory.criteria.criterion import Criterion
from fstheory.criteria.predictor import Predictor
from fstheory.distribution import JointDistribution, Label
from fstheory.limbs import IntegerArray
from fstheory.subsets import Subset
from fstheory.sweep.cells import Array
from fstheory.table import RationalColumn

__all__ = ["auc"]

_NAME = "the AUC"
_BITS = 26  # of a total at most this long, posteriors may be sorted as floats


@dataclass(frozen=True)
class _AUC(Criterion[Fraction]):
    positive: Label | None
    name: ClassVar[str] = "AUC"
    symbol: ClassVar[str] = "A"

    @property
    def larger_is_better(self) -> bool:
        return True

    def check(self, d: JointDistribution) -> None:
        positive_class(d, self.positive, _NAME)
        require_classes(d, _NAME, range(2))

    def of_cells(self, d: JointDistribution, cells: Array) -> Fraction:
        positives = cells[:, positive_class(d, self.positive, _NAME)]
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
        positive = positive_class(d, self.positive, _NAME)
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
    UnknownNameError
        When used: there is no such class.

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
