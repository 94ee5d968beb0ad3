"""Criteria that score probabilities: logarithmic loss, squared error of numeric classes, Gini impurity."""

from __future__ import annotations

import abc
import math
import operator
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import Any, ClassVar, TypeAlias

import numpy as np
import numpy.typing as npt

from fstheory._exact import Exact, integers_over
from fstheory.criteria.cells import class_weights, every_marginal, flat, is_small, numeric_classes
from fstheory.criteria.criterion import Criterion, Predictor, named
from fstheory.distribution import JointDistribution, Label
from fstheory.errors import TooLargeError
from fstheory.information import conditional_entropy_table
from fstheory.information.quantities import histogram
from fstheory.reals import LogSum, log
from fstheory.subsets import Subset
from fstheory.sweep import subset_sums
from fstheory.sweep.cells import Array
from fstheory.table.columns import Column, EnclosedColumn, RationalColumn

__all__ = ["gini", "logarithmic", "squared_error"]

_LONGEST = 2**15  # bits of a base; its factors are sought, which takes quadratic time

Posterior: TypeAlias = dict[Label, Fraction]


def _posteriors(criterion: Criterion[Any], d: JointDistribution, subset: Subset) -> Predictor[Posterior]:
    """Return the predictor that says the posterior."""

    def posterior(cell: list[int]) -> tuple[Posterior]:
        return ({label: Fraction(weight, sum(cell)) for label, weight in zip(d.classes, cell, strict=True)},)

    return Predictor.of(criterion.seen(d, subset), posterior)


@dataclass(frozen=True)
class _Logarithmic(Criterion[LogSum]):
    base: Fraction | None
    name: ClassVar[str] = "logarithmic loss"
    symbol: ClassVar[str] = "H"

    def check(self, d: JointDistribution) -> None:
        """Every distribution will do."""

    def of_cells(self, d: JointDistribution, cells: Array) -> LogSum:
        terms: Counter[int] = Counter()
        for total, times in histogram(np.asarray(cells.sum(axis=1), dtype=cells.dtype)):
            terms[total] += total * times
        for weight, times in histogram(cells.ravel()):
            terms[weight] -= weight * times
        return LogSum.from_integer_terms(terms, denominator=d.total, base=self.base)

    def _bytes(self, d: JointDistribution) -> tuple[int, int]:  # noqa: ARG002
        return 0, 0  # conditional_entropy_table asks itself

    def _column(self, d: JointDistribution, workers: int) -> Column[LogSum]:
        return conditional_entropy_table(d, base=self.base, workers=workers).column

    predictor = _posteriors


@named
def logarithmic(base: Exact | None = None) -> Criterion[LogSum]:
    """Return the criterion of the logarithmic loss: the conditional entropy H(Y | X_S).

    A prediction is a distribution q of the class, its loss -log q(y); the posterior is optimal. Since
    H(Y | X_S) = H(Y) - I(X_S; Y), it orders the subsets as mutual information does.

    Parameters
    ----------
    base : exact number above 1, optional
        The base of the logarithms; None, the default, for natural logarithms.

    Raises
    ------
    InvalidValueError, TooLargeError
        The base is not above 1, or a fraction of very many digits.

    References
    ----------
    Ahmed, Narasimhan and Agarwal (2015), Example 5.

    Examples
    --------
    >>> from fstheory import criteria, gallery
    >>> table = criteria.logarithmic(base=2).table(gallery.xor())
    >>> table[{"X1"}] == 1, table[{"X1", "X2"}] == 0
    (True, True)
    """
    number = log(1, base).base
    if number is not None and number.numerator.bit_length() + number.denominator.bit_length() > _LONGEST:
        raise TooLargeError(f"base must be a fraction of at most {_LONGEST} bits, not more; take a shorter number")
    return _Logarithmic(number)


_TOTAL = 61  # bits of the total that is swept
_UNIT = 2.0**-53
_CHUNK = 1 << 14  # states
_MODERATE = 2.0**500  # of a squared range; beyond it floats would not do

Floats: TypeAlias = "npt.NDArray[np.float64]"
Points: TypeAlias = Sequence[Sequence[Fraction]]


class _Spread(Criterion[Fraction]):
    """The least expected squared distance between the point of the class and a point that is predicted."""

    @abc.abstractmethod
    def points(self, d: JointDistribution) -> Points:
        """Return the point of every class, all of the same dimension."""

    def check(self, d: JointDistribution) -> None:
        self.points(d)

    def of_cells(self, d: JointDistribution, cells: Array) -> Fraction:
        points = self.points(d)
        integers, denominator = integers_over([v for point in points for v in point])
        axes, furthest = len(points[0]), max(abs(v) for v in integers)
        small = is_small(cells, 31 - (furthest * axes).bit_length())  # so both are below 2**30
        matrix = np.array(integers, dtype=np.int64 if small else object).reshape(-1, axes)
        exact = cells.astype(matrix.dtype)
        squares = ((exact @ matrix) ** 2).sum(axis=1)  # below (furthest * total)**2 * axes
        # added up by the weight of the state, since only equal denominators are cheap to add
        weights, state = np.unique(exact.sum(axis=1), return_inverse=True)
        above = np.zeros(len(weights), dtype=matrix.dtype)
        np.add.at(above, state, squares)
        value = Fraction(int((exact @ (matrix**2)).sum()))
        for weight, part in zip(weights.tolist(), above.tolist(), strict=True):
            value -= Fraction(part, weight or 1)
        return value / (denominator**2 * d.total)

    def _bytes(self, d: JointDistribution) -> tuple[int, int]:
        """Peaks by tracemalloc: 85 bytes a subset of binary features, 166 with 4 classes; objects 49 a weight."""
        return 40, 34 if d.weights.dtype != object else 64

    def _column(self, d: JointDistribution, workers: int) -> Column[Fraction]:
        points = self.points(d)
        lowest = [min(axis) for axis in zip(*points, strict=True)]
        span = max(max(axis) - low for axis, low in zip(zip(*points, strict=True), lowest, strict=True)) or Fraction(1)
        if not 1 / _MODERATE < span * span < _MODERATE:
            every = {mask: self.of_cells(d, flat(marginal)) for mask, marginal in every_marginal(d.weights)}
            return RationalColumn.of([every[mask] for mask in range(len(every))])
        unit = [[(v - low) / span for v, low in zip(point, lowest, strict=True)] for point in points]
        explained, error = _explained(d.weights, d.total, unit, workers)
        axes = len(lowest)
        square = sum(w * sum(v * v for v in point) for w, point in zip(class_weights(d), unit, strict=True))
        scale = float(span * span)
        centers = (float(Fraction(square) / d.total) - explained) * scale
        radius = float(error + 6 * axes * _UNIT) * scale * (1 + 2.0**-40)
        masks = np.arange(len(centers), dtype=np.int64)
        return EnclosedColumn(centers, np.full(len(centers), radius), partial(self._at, d), masks)


def _explained(weights: Array, total: int, unit: Points, workers: int) -> tuple[Floats, float]:
    """Return sum_s ||sum_y v_y p(s, y)||**2 / p(s) for every subset, and how far off it may be (steps 1 to 3)."""
    classes, axes = len(unit), len(unit[0])
    shift = max(0, total.bit_length() - _TOTAL)
    cut = (weights >> shift).astype(np.int64) if shift else weights.astype(np.int64)
    held = int(cut.sum()) << shift
    bits = 61 - axes.bit_length()
    scale = 2.0**bits / (float(Fraction(total, 2**shift)))
    points = np.array([[float(v) for v in point] for point in unit])
    planes = np.ascontiguousarray(np.moveaxis(cut, -1, 0))
    sums = subset_sums(planes, partial(_terms, points, scale), workers=workers)[0]
    states = math.prod(weights.shape[:-1])
    lost = float(axes * Fraction(total - held, total))
    error = lost + axes * (2 * classes + axes + 16) * _UNIT + states * 2.0 ** (-bits - 1)
    return sums * 2.0**-bits, error


def _terms(points: Floats, scale: float, cells: Array, out: Array) -> None:
    """Write ||sum_y v_y w||**2 / w, scaled and rounded; 0 for a state of probability 0."""
    for start in range(0, cells.shape[-1], _CHUNK):  # so that what is made in between stays near to the core
        some = cells[:, start : start + _CHUNK]
        weight = some.sum(axis=0).astype(np.float64)
        np.maximum(weight, 1.0, out=weight)  # integers: only a 0 changes, and it stands below a 0
        square = np.zeros_like(weight)
        for axis in points.T:
            mean = np.zeros_like(weight)
            for plane, v in zip(some, axis.tolist(), strict=True):
                if v:
                    mean += plane * v
            mean *= mean
            square += mean
        square /= weight
        square *= scale
        np.rint(square, out=square)
        out[0, start : start + _CHUNK] = square


@dataclass(frozen=True)
class _Gini(_Spread):
    name: ClassVar[str] = "Gini impurity"
    symbol: ClassVar[str] = "G"

    def points(self, d: JointDistribution) -> Points:
        classes = range(len(d.classes))
        return [[Fraction(int(i == y)) for i in classes] for y in classes]

    predictor = _posteriors


@dataclass(frozen=True)
class _SquaredError(_Spread):
    name: ClassVar[str] = "squared error"
    symbol: ClassVar[str] = "V"

    def points(self, d: JointDistribution) -> Points:
        return [[number] for number in numeric_classes(d)]

    def predictor(self, d: JointDistribution, subset: Subset) -> Predictor[Fraction]:
        seen, numbers = self.seen(d, subset), numeric_classes(d)
        return Predictor.of(seen, lambda cell: (Fraction(sum(map(operator.mul, cell, numbers))) / sum(cell),))


@named
def squared_error() -> Criterion[Fraction]:
    """Return the criterion of squared error, for numeric classes: E Var(Y | X_S).

    A prediction is a number; the mean of Y in the state is optimal. A class is numeric if it is an int, a Fraction or a
    Decimal, or a string that writes one exactly, such as "3/8".

    References
    ----------
    Ahmed, Narasimhan and Agarwal (2015), Example 6.

    Examples
    --------
    >>> from fstheory import JointDistribution, criteria
    >>> d = JointDistribution([[1, 1, 0], [0, 1, 1]], states={"Y": [0, 2, 6]})
    >>> table = criteria.squared_error().table(d)
    >>> table[{}], table[{"X1"}]
    (Fraction(19, 4), Fraction(5, 2))
    """
    return _SquaredError()


@named
def gini() -> Criterion[Fraction]:
    """Return the criterion of the Gini impurity: E[1 - sum_y p(y | X_S)**2].

    It is the least expected Brier score: a prediction is a distribution q of the class, its loss the sum over the
    classes i of (1(Y = i) - q(i))**2, and the posterior is optimal. It is also the error rate of a classifier
    that draws a class from the posterior. For two classes it is E[2 eta (1 - eta)], the variant that Yang and Hu (2012)
    optimize in place of the Bayes risk.

    References
    ----------
    Ahmed, Narasimhan and Agarwal (2015), Example 2.

    Examples
    --------
    It can choose another feature than the Bayes risk does:

    >>> from fstheory import criteria, gallery
    >>> d = gallery.ahmed_example_1()
    >>> for name in ("zero_one", "gini"):
    ...     print(criteria.criterion_values(d, name).best_of_size(1).subsets)
    (frozenset({'X1'}),)
    (frozenset({'X2'}),)
    """
    return _Gini()
