"""Criteria of squared distance: squared error of numeric classes, and the Gini impurity.

Both place each class y at a point v_y and predict a point q, at the loss ||v_Y - q||**2: squared error at its number,
Gini (the Brier score) at a corner of the simplex. The best q in a state s is the mean there, so the value of S is

    E ||v_Y||**2 - sum over the states s of S of ||sum_y v_y p(s, y)||**2 / p(s).

The denominators p(s) have no useful common multiple, so a table holds enclosures. Their radius is proven as follows.
The points are moved and scaled, coordinate by coordinate, into [0, 1], J coordinates in all.

1. Weights of a total T of more than 61 bits are cut to w' = w >> k. The sum is, over all q in the unit cube, the
   largest expectation of 2 q.v - ||q||**2, a number between -J and J; so it changes by at most
   J * sum(w - 2**k w') / T, which is computed.
2. A term t(s) = ||sum_y v_y w'||**2 / w' is made by float64 operations on numbers that are not negative, so it has a
   relative error: with u = 2**-53 and K classes, three roundings per product v_y w' and K - 1 in their sum; twice that
   and one more for a square; J - 1 for the sum of squares; two for the division, three for the scaling. That is
   (2K + J + 9) u to first order, and we take (2K + J + 16) u; the rest is ample for what underflows.
3. Scaled by 2**B 2**k / T, terms are rounded to integers and summed exactly, with J 2**B <= 2**61. Each of the N cells
   of the table adds at most 1/2.
4. The center is a difference of two floats of size at most J, times a scale: at most 6 J u more.
"""

from __future__ import annotations

import abc
import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import ClassVar, TypeAlias

import numpy as np
import numpy.typing as npt

from fstheory._rational import integers_over
from fstheory.criteria.cells import every_marginal, flat, is_small
from fstheory.criteria.checking import class_weights, numeric_classes
from fstheory.criteria.criterion import Criterion
from fstheory.criteria.predictor import Predictor, posterior
from fstheory.distribution import JointDistribution, Label
from fstheory.subsets import Subset
from fstheory.sweep import subset_sums
from fstheory.sweep.cells import Array
from fstheory.table.columns import Column, EnclosedColumn, RationalColumn

__all__ = ["gini", "squared_error"]

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
        small = is_small(cells, 31 - (furthest * axes).bit_length()) and furthest < 2**30
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

    def predictor(self, d: JointDistribution, subset: Subset) -> Predictor[dict[Label, Fraction]]:
        seen = self.seen(d, subset)
        return Predictor.of(seen, lambda cell: (posterior(d.classes, cell),))


@dataclass(frozen=True)
class _SquaredError(_Spread):
    name: ClassVar[str] = "squared error"
    symbol: ClassVar[str] = "V"

    def points(self, d: JointDistribution) -> Points:
        return [[number] for number in numeric_classes(d)]

    def predictor(self, d: JointDistribution, subset: Subset) -> Predictor[Fraction]:
        seen, numbers = self.seen(d, subset), numeric_classes(d)
        return Predictor.of(
            seen, lambda cell: (sum((w * y for w, y in zip(cell, numbers, strict=True)), Fraction(0)) / sum(cell),)
        )


def squared_error() -> Criterion[Fraction]:
    """Return the criterion of squared error, for numeric classes: E Var(Y | X_S).

    A prediction is a number; the mean of Y in the state is optimal. A class is numeric if it is an int, a Fraction or a
    Decimal, or a string that writes one exactly, such as "3/8".

    Raises
    ------
    InvalidTypeError
        When used: a class is no exact number.

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
