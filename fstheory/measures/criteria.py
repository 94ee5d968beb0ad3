"""The criteria that are not finite losses: scores of probabilities, the F-measure and the AUC."""

from __future__ import annotations

import math
import operator
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import partial
from inspect import signature
from typing import Any, ClassVar, TypeAlias

import numpy as np

from fstheory._support.exact import Exact, as_fraction, exact_text, integers_over
from fstheory.distributions.build import Label
from fstheory.distributions.joint import JointDistribution
from fstheory.distributions.rows import DataLike
from fstheory.errors import TooLargeError, require, require_type, unknown
from fstheory.lattice.columns import Column, EnclosedColumn, Floats, RationalColumn
from fstheory.lattice.subsets import Subset
from fstheory.lattice.sweep import Array, subset_sums
from fstheory.lattice.table import SubsetTable
from fstheory.measures.criterion import (
    CRITERIA,
    Criterion,
    Predictor,
    class_weights,
    every_marginal,
    flat,
    is_small,
    named,
    positive_class,
    require_classes,
)
from fstheory.measures.information import conditional_entropy_table, histogram
from fstheory.measures.losses import balanced, cost_sensitive, loss_matrix, zero_one
from fstheory.measures.regression import numeric_states
from fstheory.numbers.logsum import LogSum, log

__all__ = [
    "Criterion", "auc", "balanced", "cost_sensitive", "criterion_value", "criterion_values",
    "f_measure", "gini", "logarithmic", "loss_matrix", "squared_error", "zero_one",
]  # fmt: skip


def __dir__() -> list[str]:
    return __all__


# -- Criteria that score probabilities: logarithmic loss, squared error of numeric classes, Gini impurity.


_LONGEST = 2**15  # bits of a base: the base is factored, which takes quadratic time

Say: TypeAlias = Callable[[list[int]], Any]
"""A function from the class weights of a state to the best prediction in this state."""


def _posterior(d: JointDistribution) -> Say:
    return lambda cell: {label: Fraction(weight, sum(cell)) for label, weight in zip(d.classes, cell, strict=True)}


@dataclass(frozen=True)
class _Logarithmic(Criterion[LogSum]):
    base: Fraction | None
    name: ClassVar[str] = "logarithmic loss"
    symbol: ClassVar[str] = "H"
    additive: ClassVar[bool] = True

    def of_cells(self, d: JointDistribution, cells: Array) -> LogSum:
        terms: Counter[int] = Counter()
        for total, times in histogram(np.asarray(cells.sum(axis=1), dtype=cells.dtype)):
            terms[total] += total * times
        for weight, times in histogram(cells.ravel()):
            terms[weight] -= weight * times
        return LogSum.of_counts(terms, d.total, self.base)

    def _bytes(self, d: JointDistribution) -> tuple[int, int]:  # noqa: ARG002
        return 0, 0  # conditional_entropy_table itself checks whether its table fits in memory

    def _column(self, d: JointDistribution, threads: int) -> Column[LogSum]:
        return conditional_entropy_table(d, base=self.base, threads=threads).column

    def predictor(self, d: JointDistribution, subset: Subset) -> Predictor[dict[Label, Fraction]]:
        seen, say = self.seen(d, subset), _posterior(d)
        return Predictor.of(seen, lambda cell: (say(cell),))


@named
def logarithmic(base: Exact | None = None) -> Criterion[LogSum]:
    """Return the criterion of the logarithmic loss. The value of S is the conditional entropy H(Y | X_S).

    A prediction is a distribution q of the class, and its loss is -log q(y). The optimal prediction is the posterior.
    The values are in nats, or to the `base`: 2 for bits. Source: Ahmed, Narasimhan and Agarwal (2015), Example 5.

    Examples
    --------
    >>> from fstheory import criteria, gallery
    >>> criteria.logarithmic(base=2).value(gallery.xor(), {"X1"}) == 1
    True
    """
    number = log(1, base).base
    if number is not None and number.numerator.bit_length() + number.denominator.bit_length() > _LONGEST:
        raise TooLargeError(f"base must be a fraction of at most {_LONGEST} bits, not more; take a shorter number")
    return _Logarithmic(number)


_TOTAL = 61  # bits of the total that is swept
_UNIT = 2.0**-53
_CHUNK = 1 << 14  # states
_MODERATE = 2.0**500  # the largest squared range of the points for which floats do not overflow


Points: TypeAlias = Sequence[Sequence[Fraction]]


@dataclass(frozen=True)
class _SquaredDistance(Criterion[Fraction]):
    """The least expected squared distance between the point of the class and the predicted point."""

    _points: Callable[[JointDistribution], Points] = field(repr=False)  # of every class, all of the same dimension
    _best: Callable[[JointDistribution], Say] = field(repr=False)
    name: str = ""
    symbol: str = ""
    additive: ClassVar[bool] = True

    def check(self, d: JointDistribution) -> None:
        self._points(d)

    def predictor(self, d: JointDistribution, subset: Subset) -> Predictor[Any]:
        seen, say = self.seen(d, subset), self._best(d)
        return Predictor.of(seen, lambda cell: (say(cell),))

    def of_cells(self, d: JointDistribution, cells: Array) -> Fraction:
        points = self._points(d)
        integers, denominator = integers_over([v for point in points for v in point])
        axes, furthest = len(points[0]), max(abs(v) for v in integers)
        small = is_small(cells, 31 - (furthest * axes).bit_length())  # so both are below 2**30
        matrix = np.array(integers, dtype=np.int64 if small else object).reshape(-1, axes)
        exact = cells.astype(matrix.dtype)
        squares = ((exact @ matrix) ** 2).sum(axis=1)  # below (furthest * total)**2 * axes
        # The terms are first added up for each weight of a state, because fractions are cheap to add only if their
        # denominators are equal.
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

    def _column(self, d: JointDistribution, threads: int) -> Column[Fraction]:
        points = self._points(d)
        lowest = [min(axis) for axis in zip(*points, strict=True)]
        span = max(max(axis) - low for axis, low in zip(zip(*points, strict=True), lowest, strict=True)) or Fraction(1)
        if not 1 / _MODERATE < span * span < _MODERATE:
            every = {mask: self.of_cells(d, flat(marginal)) for mask, marginal in every_marginal(d.weights)}
            return RationalColumn.of([every[mask] for mask in range(len(every))])
        unit = [[(v - low) / span for v, low in zip(point, lowest, strict=True)] for point in points]
        explained, error = _explained(d.weights, d.total, unit, threads)
        axes = len(lowest)
        square = sum(w * sum(v * v for v in point) for w, point in zip(class_weights(d), unit, strict=True))
        scale = float(span * span)
        centers = (float(Fraction(square) / d.total) - explained) * scale
        radius = float(error + 6 * axes * _UNIT) * scale * (1 + 2.0**-40)
        masks = np.arange(len(centers), dtype=np.int64)
        return EnclosedColumn(centers, np.full(len(centers), radius), partial(self._at, d), masks)


def _explained(weights: Array, total: int, unit: Points, threads: int) -> tuple[Floats, float]:
    """Return sum_s ||sum_y v_y p(s, y)||**2 / p(s) for every subset, and a bound of the rounding error."""
    classes, axes = len(unit), len(unit[0])
    shift = max(0, total.bit_length() - _TOTAL)
    cut = (weights >> shift).astype(np.int64) if shift else weights.astype(np.int64)
    held = int(cut.sum()) << shift
    bits = 61 - axes.bit_length()
    scale = 2.0**bits / (float(Fraction(total, 2**shift)))
    points = np.array([[float(v) for v in point] for point in unit])
    planes = np.ascontiguousarray(np.moveaxis(cut, -1, 0))
    sums = subset_sums(planes, partial(_terms, points, scale), threads=threads)[0]
    states = math.prod(weights.shape[:-1])
    lost = float(axes * Fraction(total - held, total))
    error = lost + axes * (2 * classes + axes + 16) * _UNIT + states * 2.0 ** (-bits - 1)
    return sums * 2.0**-bits, error


def _terms(points: Floats, scale: float, cells: Array, out: Array) -> None:
    """Write ||sum_y v_y w||**2 / w, scaled and rounded; 0 for a state of probability 0."""
    for start in range(0, cells.shape[-1], _CHUNK):  # in chunks, so that intermediate results stay in a core's cache
        some = cells[:, start : start + _CHUNK]
        weight = some.sum(axis=0).astype(np.float64)
        np.maximum(weight, 1.0, out=weight)  # weights are integers: only a 0 changes, and its numerator is 0
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


def _on_a_line(d: JointDistribution) -> Points:
    return [[number] for number in numeric_states(d, d.target, "squared error")]


def _mean(d: JointDistribution) -> Say:
    numbers = [number for [number] in _on_a_line(d)]
    return lambda cell: Fraction(sum(map(operator.mul, cell, numbers))) / sum(cell)


@named
def squared_error() -> Criterion[Fraction]:
    """Return the criterion of squared error, for numeric classes. The value of S is E Var(Y | X_S).

    The optimal prediction is the mean of Y in the state. A class is numeric if it is an int, a Fraction or a Decimal,
    or a string that writes one exactly, such as "3/8". Source: Ahmed, Narasimhan and Agarwal (2015), Example 6.

    Examples
    --------
    >>> from fstheory import JointDistribution, criteria
    >>> d = JointDistribution([[1, 1, 0], [0, 1, 1]], states={"Y": [0, 2, 6]})
    >>> table = criteria.squared_error().table(d)
    >>> table[{}], table[{"X1"}]
    (Fraction(19, 4), Fraction(5, 2))
    """
    return _SquaredDistance(_on_a_line, _mean, "squared error", "V")


def mean_squared_error(d: DataLike, subset: Subset) -> Fraction:
    """Return the least mean squared error of any real-valued predictor of the target that sees only a subset.

    The error is E Var(Y | S), the value of `squared_error` (Beraha et al. 2019, proof of Theorem 1). For a sample it is
    the error of the empirical distribution. The labels of the classes must be exact numbers. The states of the features
    may be any labels.

    Examples
    --------
    >>> from fstheory import gallery
    >>> mean_squared_error(gallery.xor(), {"X1"})
    Fraction(1, 4)
    """
    return squared_error().value(d, subset)


def _corners(d: JointDistribution) -> Points:
    classes = range(len(d.classes))
    return [[Fraction(int(i == y)) for i in classes] for y in classes]


@named
def gini() -> Criterion[Fraction]:
    """Return the criterion of the Gini impurity. The value of S is E[1 - sum_y p(y | X_S)**2].

    It is the least expected Brier score: a prediction is a distribution of the class, and the posterior is optimal. For
    two classes with eta = p(positive | X_S) it is E[2 eta (1 - eta)], the form of Yang and Hu (2012). Source: Ahmed,
    Narasimhan and Agarwal (2015), Example 2.

    Examples
    --------
    >>> from fstheory import criteria, gallery
    >>> criteria.gini().table(gallery.ahmed_example_1()).best_of_size(1).subsets
    (frozenset({'X2'}),)
    """
    return _SquaredDistance(_corners, _posterior, "Gini impurity", "G")


# -- Criteria of ranking and retrieval: the area under the ROC curve and the F-measure.


_AUC_NAME, _F_NAME = "the AUC", "the F-measure"
_BITS = 26  # posteriors are sorted as floats if the total has at most this many bits


@dataclass(frozen=True)
class FMeasure(Criterion[Fraction]):
    """F = (1 + b) TP / (b P + M), with b = beta**2, positives P, predicted positives M, true positives TP."""

    # A value F is reached by some classifier if and only if the sum of (1 + b) w1 - F w over its positive states is at
    # least b P F; each state's part may be chosen alone. So the best classifier for the threshold F reaches a larger
    # value unless F is the largest (Dinkelbach), and a state may be positive if and only if (1 + b) eta >= F.

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
    """Return the criterion of the F-measure of two classes: the largest F-measure that a classifier reaches.

    F_beta = (1 + beta**2) / (1 / precision + beta**2 / recall). If there is no true positive, F_beta is 0. If no
    positive class is named, it is the last of ``d.classes``. The positive class must have positive probability.

    Let F be the best value. An optimal classifier predicts the positive class where p(positive | X_S) is above
    F / (1 + beta**2). Where it equals this threshold, both predictions are optimal. Ahmed et al. (2015), Example 7,
    print (1 + beta**2) / (beta**2 / precision + 1 / recall), which is ``f_measure(1 / beta)``. Source: van Rijsbergen
    (1979), Information Retrieval, chapter 7; Dinkelbach (1967).

    Examples
    --------
    >>> from fstheory import criteria, gallery
    >>> criteria.f_measure().value(gallery.titanic(), {"sex"})
    Fraction(688, 1181)
    """
    number = as_fraction(beta, "beta", above=0, repair="pass 1 to weigh both sides equally")
    return FMeasure(number**2, positive, f"F-measure (beta = {exact_text(number)})")


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

    def predictor(self, d: JointDistribution, subset: Subset) -> Predictor[Fraction]:
        positive = positive_class(d, self.positive, _AUC_NAME)
        return Predictor.of(self.seen(d, subset), lambda cell: (Fraction(cell[positive], sum(cell)),))


def _by_posterior(positives: Array, weights: Array, small: bool) -> Array:
    if small:  # fractions of denominators up to 2**26 are 2**-52 apart; a quotient below 1 is rounded by 2**-54
        return np.argsort(positives.astype(np.int64) / weights.astype(np.int64), kind="stable")
    posteriors = [Fraction(p, w) for p, w in zip(positives.tolist(), weights.tolist(), strict=True)]
    return np.array(sorted(range(len(posteriors)), key=posteriors.__getitem__), dtype=np.int64)


@named
def auc(*, positive: Label | None = None) -> Criterion[Fraction]:
    """Return the criterion of the area under the ROC curve: the largest area that a scoring function reaches.

    The area of a scoring function is the probability that a positive draw gets a higher score than a negative draw,
    plus half the probability that their scores are equal. The optimal score is the posterior. There must be two
    classes, both with positive probability. Either of them may be `positive`: the value is the same. Complexity: for
    each subset a sort of its m states, O(m log m). Source: Ahmed, Narasimhan and Agarwal (2015), Example 8; Clémençon,
    Lugosi and Vayatis (2008).

    Examples
    --------
    >>> from fstheory import JointDistribution, criteria
    >>> d = JointDistribution([[3, 1], [1, 3]])
    >>> criteria.auc().value(d, {"X1"}), dict(criteria.auc().predictor(d, {"X1"}))
    (Fraction(3, 4), {(0,): Fraction(1, 4), (1,): Fraction(3, 4)})
    """
    return _AUC(positive)


# -- A criterion by its name, and its values.


def as_criterion(criterion: Criterion[Any] | str) -> Criterion[Any]:
    """Return the criterion with this name. A criterion is returned as it is.

    Examples
    --------
    >>> print(as_criterion("zero_one"))
    0-1 loss
    """
    if isinstance(criterion, Criterion):
        return criterion
    repair = "pass 'zero_one' or criteria.zero_one()"
    if require_type(criterion, str, "criterion", "a criterion or the name of one", repair) not in CRITERIA:
        raise unknown("criterion", criterion, CRITERIA)
    needed = [key for key, one in signature(CRITERIA[criterion]).parameters.items() if one.default is one.empty]
    repair = f"pass criteria.{criterion}({', '.join(f'{key}=...' for key in needed)})"
    require(not needed, "criterion", f"given with its {' and '.join(needed)}", criterion, repair)
    return CRITERIA[criterion]()


def criterion_value(d: DataLike, criterion: Criterion[Any] | str, subset: Subset) -> Any:
    """Return the best value of a performance measure that a predictor can reach if it sees only a feature subset.

    The value is exact: the least loss or the largest score. Give the criterion by object, such as
    ``criteria.cost_sensitive("1/4")``, or by name, such as ``"zero_one"`` or ``"auc"``.

    Examples
    --------
    >>> from fstheory import criteria, gallery
    >>> criteria.criterion_value(gallery.titanic(), "zero_one", {"sex"})
    Fraction(493, 2201)
    """
    return as_criterion(criterion).value(d, subset)


def criterion_values(
    d: DataLike, criterion: Criterion[Any] | str, *, max_size: int | None = None, threads: int = 1
) -> SubsetTable[Any]:
    """Return a table of the exact best values of a performance measure, for all 2**n feature subsets.

    Give the criterion by object or by name, as in `criterion_value`. `max_size` and `threads` are those of
    `fstheory.bayes_risks`.

    Examples
    --------
    >>> from fstheory import criteria, gallery
    >>> criteria.criterion_values(gallery.ahmed_example_1(), "logarithmic").best_of_size(1).subsets
    (frozenset({'X2'}),)
    """
    return as_criterion(criterion).table(d, max_size=max_size, threads=threads)
