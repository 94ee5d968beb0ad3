"""The criterion of the F-measure: the best that any classifier reaches."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

import numpy as np

from fstheory._rational import Exact, format_fraction
from fstheory.criteria.cells import is_small
from fstheory.criteria.checking import positive_class, positive_number, require_classes
from fstheory.criteria.criterion import Criterion
from fstheory.criteria.predictor import Predictor
from fstheory.distribution import JointDistribution, Label
from fstheory.subsets import Subset
from fstheory.sweep.cells import Array

__all__ = ["f_measure", "f_measure_as_printed"]

_NAME = "the F-measure"


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
    title: str
    symbol: ClassVar[str] = "F"

    @property
    def name(self) -> str:
        return self.title

    @property
    def larger_is_better(self) -> bool:
        return True

    def check(self, d: JointDistribution) -> None:
        require_classes(d, _NAME, [positive_class(d, self.positive, _NAME)])

    def of_cells(self, d: JointDistribution, cells: Array) -> Fraction:
        positives, weights = _split(cells, positive_class(d, self.positive, _NAME))
        p, q = self.weight.numerator, self.weight.denominator
        if not is_small(cells, 31 - (p + q).bit_length()):
            positives, weights = positives.astype(object), weights.astype(object)
        everything = p * int(positives.sum())
        above, below = 0, 1
        while True:
            chosen = (p + q) * below * positives > q * above * weights
            hits, predicted = int(positives[chosen].sum()), int(weights[chosen].sum())
            reached = Fraction((p + q) * hits, everything + q * predicted)
            if reached <= Fraction(above, below):
                return reached
            above, below = (p + q) * hits, everything + q * predicted

    def predictor(self, d: JointDistribution, subset: Subset) -> Predictor[Label]:
        positive = positive_class(d, self.positive, _NAME)
        best, seen = self.value(d, subset), self.seen(d, subset)
        yes, no = d.classes[positive], d.classes[1 - positive]

        def choose(cell: list[int]) -> tuple[Label, ...]:
            margin = (1 + self.weight) * cell[positive] - best * sum(cell)
            return (yes,) if margin > 0 else (no,) if margin < 0 else (no, yes)

        return Predictor.of(seen, choose)


def _split(cells: Array, positive: int) -> tuple[Array, Array]:
    """Return the positive weight and the whole weight of every state."""
    return np.ascontiguousarray(cells[:, positive]), cells.sum(axis=1)


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
    InvalidTypeError, InvalidValueError
        `beta` is not exact, or not above 0. When used: there are not two classes.
    ZeroProbabilityError
        When used: the positive class has probability 0.
    UnknownNameError
        When used: there is no such class.

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
    number = positive_number(beta, "beta")
    return _FMeasure(number**2, positive, f"F-measure (beta = {format_fraction(number)})")


def f_measure_as_printed(beta: Exact = 1, *, positive: Label | None = None) -> Criterion[Fraction]:
    """Return the criterion of the F-measure as Ahmed et al. print it, in which a larger beta favors precision.

    Example 7 prints (1 + beta**2) / (beta**2 / precision + 1 / recall): beta stands with the precision, where it
    usually stands with the recall. So it is the usual F-measure of 1 / beta.

    Parameters
    ----------
    beta : exact number above 0
    positive : label, optional
        The positive class, the last of ``d.classes`` if none is named.

    Raises
    ------
    InvalidTypeError, InvalidValueError, ZeroProbabilityError, UnknownNameError
        As for `f_measure`.

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
    number = positive_number(beta, "beta")
    return _FMeasure(1 / number**2, positive, f"F-measure as printed (beta = {format_fraction(number)})")
