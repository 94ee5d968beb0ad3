"""Criteria of ranking and retrieval: the area under the ROC curve and the F-measure."""

from __future__ import annotations

import abc
import math
import operator
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import Any, ClassVar, TypeAlias

import numpy as np
import numpy.typing as npt

from fstheory._support.exact import Exact, as_fraction, exact_text, integers_over
from fstheory._support.result import Result
from fstheory.distributions.build import Label
from fstheory.distributions.joint import JointDistribution
from fstheory.errors import InvalidTypeError, InvalidValueError, TooLargeError, explain, unknown
from fstheory.lattice.columns import Column, EnclosedColumn, RationalColumn
from fstheory.lattice.subsets import Subset
from fstheory.lattice.sweep import Array, maximum_sums, subset_sums
from fstheory.measures.criterion import (
    Criterion,
    Predictor,
    as_criterion,
    class_weights,
    criterion_value,
    criterion_values,
    every_marginal,
    flat,
    is_small,
    named,
    numeric_classes,
    positive_class,
    require_classes,
)
from fstheory.measures.information import conditional_entropy_table, histogram
from fstheory.numbers.limbs import IntegerArray
from fstheory.numbers.logsum import LogSum, log

__all__ = [
    "Criterion",
    "as_criterion",
    "auc",
    "balanced",
    "cost_sensitive",
    "criterion_value",
    "criterion_values",
    "f_measure",
    "f_measure_as_printed",
    "gini",
    "logarithmic",
    "loss_matrix",
    "squared_error",
    "zero_one",
]


# -- Criteria that are the expectation of a finite loss l[y, yhat]: 0-1, cost-sensitive, balanced, or written down.


Rows: TypeAlias = "Sequence[Sequence[Exact]] | Mapping[Any, Mapping[Any, Exact]]"


@dataclass(frozen=True, repr=False)
class Losses(Result):
    """A finite loss: one row per class, one column per prediction."""

    predictions: tuple[Label, ...]
    rows: Sequence[Sequence[Fraction]]

    def gains(self) -> tuple[list[list[int]], list[int], int]:
        """Return what each prediction saves against the worst one for the class, the worst losses, and a denominator.

        The savings and the worst losses are integers over the denominator, and no saving is negative.
        """
        width = len(self.predictions)
        integers, denominator = integers_over([loss for row in self.rows for loss in row])
        rows = [integers[start : start + width] for start in range(0, len(integers), width)]
        worst = [max(row) for row in rows]
        return [[top - loss for loss in row] for row, top in zip(rows, worst, strict=True)], worst, denominator


class ExpectedLoss(Criterion[Fraction]):
    """The least expected loss, for finitely many predictions: in each state the best of them is taken.

    With g[y, yhat] = max l[y, .] - l[y, yhat] >= 0, what a prediction saves, the least loss of S is
    E max l[Y, .] - sum over the states s of max over yhat of sum_y g[y, yhat] p(s, y): the sum of maxima of
    the Bayes risk, over predictions instead of classes. So it is exact for totals of any size by the same sweep.
    """

    @abc.abstractmethod
    def losses(self, d: JointDistribution) -> Losses:
        """Return the loss of every prediction in every class of `d`."""

    def check(self, d: JointDistribution) -> None:
        """Refuse a distribution for which the losses are not defined."""
        self.losses(d)

    def of_cells(self, d: JointDistribution, cells: Array) -> Fraction:
        """Return the value of a marginal of `d`, given its weights."""
        saved, worst, denominator = _saved(self.losses(d), cells)
        return Fraction(worst - sum(saved.max(axis=-1).tolist()), denominator * d.total)

    def _bytes(self, d: JointDistribution) -> tuple[int, int]:
        """Peaks by tracemalloc: 24 to 69 bytes a weight, for 1 to 2.5 predictions a class; of objects 133 to 349."""
        losses = self.losses(d)
        predictions = -(-len(losses.predictions) // len(d.classes))
        return (32, 24 + 24 * predictions) if _fits(d.weights, losses.gains()[0]) else (96, 96 + 256 * predictions)

    def _column(self, d: JointDistribution, workers: int) -> RationalColumn:
        saved, worst, denominator = _saved(self.losses(d), d.weights)
        best = maximum_sums(saved, workers=workers)
        return RationalColumn(best.affine(-1, worst), denominator * d.total)

    def predictor(self, d: JointDistribution, subset: Subset) -> Predictor[Label]:
        """Return the optimal predictor that sees these features, with every optimal choice in each state."""
        seen, losses = self.seen(d, subset), self.losses(d)

        def choose(cell: list[int]) -> tuple[Label, ...]:
            columns = zip(*losses.rows, strict=True)
            expected = [
                sum((w * loss for w, loss in zip(cell, column, strict=True)), Fraction(0)) for column in columns
            ]
            least = min(expected)
            return tuple(p for p, loss in zip(losses.predictions, expected, strict=True) if loss == least)

        return Predictor.of(seen, choose)


def _fits(weights: Array, gains: list[list[int]]) -> bool:
    """Say whether weights times what is saved are machine integers, and so are their sums."""
    return is_small(weights, 62 - (max(map(max, gains)) * len(gains[0])).bit_length())


def _saved(losses: Losses, weights: Array) -> tuple[Array, int, int]:
    """Return sum_y g[y, yhat] w(s, y), the sum over all states of the worst losses, and the denominator of both."""
    gains, worst, denominator = losses.gains()
    flat = weights.reshape(-1, weights.shape[-1])
    kind = np.int64 if _fits(weights, gains) else object  # then the gains are small too
    saved = flat.astype(kind) @ np.array(gains, dtype=kind)
    by_class = flat.sum(axis=0).tolist()
    total = sum(weight * loss for weight, loss in zip(by_class, worst, strict=True))
    return saved.reshape(*weights.shape[:-1], -1), total, denominator


def _wrong(d: JointDistribution, costs: Sequence[Fraction]) -> Losses:
    """Return the loss that costs so much where the class is missed, and nothing where it is hit."""
    n = len(costs)
    return Losses(d.classes, [[costs[y] if j != y else Fraction(0) for j in range(n)] for y in range(n)])


@dataclass(frozen=True)
class _ZeroOne(ExpectedLoss):
    name: ClassVar[str] = "0-1 loss"
    symbol: ClassVar[str] = "R"

    def losses(self, d: JointDistribution) -> Losses:
        return _wrong(d, [Fraction(1)] * len(d.classes))


@dataclass(frozen=True)
class _CostSensitive(ExpectedLoss):
    cost: Fraction
    positive: Label | None
    symbol: ClassVar[str] = "R_c"

    @property
    def name(self) -> str:
        return f"cost-sensitive loss (c = {exact_text(self.cost)})"

    def losses(self, d: JointDistribution) -> Losses:
        positive = positive_class(d, self.positive, "the cost-sensitive loss")
        return _wrong(d, [1 - self.cost if y == positive else self.cost for y in range(2)])


@dataclass(frozen=True)
class _Balanced(ExpectedLoss):
    name: ClassVar[str] = "balanced 0-1 loss"
    symbol: ClassVar[str] = "R_b"

    def losses(self, d: JointDistribution) -> Losses:
        require_classes(d, "the balanced loss", range(len(d.classes)))
        return _wrong(d, [Fraction(d.total, weight) for weight in class_weights(d)])


@named
def zero_one() -> ExpectedLoss:
    """Return the criterion of the 0-1 loss: the Bayes risk, for any number of classes.

    The value of S is 1 - sum over the states s of S of max_y p(s, y), that of `bayes_risk`.

    References
    ----------
    Ahmed, Narasimhan and Agarwal (2015), Example 2.

    Examples
    --------
    >>> from fstheory import criteria, gallery
    >>> criteria.zero_one().value(gallery.titanic(), {"sex"})
    Fraction(493, 2201)
    """
    return _ZeroOne()


def cost_sensitive(cost: Exact, *, positive: Label | None = None) -> ExpectedLoss:
    """Return the criterion of the cost-sensitive loss of two classes.

    Parameters
    ----------
    cost : exact number between 0 and 1, both excluded
        What a false positive costs; a false negative costs 1 - cost.
    positive : label, optional
        The positive class, the last of ``d.classes`` if none is named.

    Notes
    -----
    The value of S is E min((1 - c) eta, c (1 - eta)), eta = p(positive | X_S). With c = 1/2 it is half the Bayes risk.

    References
    ----------
    Ahmed, Narasimhan and Agarwal (2015), Example 3.

    Examples
    --------
    >>> from fstheory import criteria, gallery
    >>> criteria.cost_sensitive("1/4").value(gallery.titanic(), {"sex"})
    Fraction(1227, 8804)
    """
    number = as_fraction(cost, "cost")
    if not 0 < number < 1:
        repair = "a false positive costs c, a false negative 1 - c"
        raise InvalidValueError(explain("cost", "between 0 and 1, both excluded", cost, repair))
    return _CostSensitive(number, positive)


@named
def balanced() -> ExpectedLoss:
    """Return the criterion of the balanced 0-1 loss: missing a class y costs 1 / p(y).

    The value of S is the number of classes minus the sum over the states s of S of max_y p(s | y). For two
    classes it is E min(eta / p, (1 - eta) / (1 - p)), as printed in the paper: the sum, not the mean, of the two
    error rates, so 1 without features.

    Raises
    ------
    ZeroProbabilityError
        When used: a class has probability 0.

    References
    ----------
    Ahmed, Narasimhan and Agarwal (2015), Example 4.

    Examples
    --------
    >>> from fstheory import criteria, gallery
    >>> table = criteria.balanced().table(gallery.titanic())
    >>> table[{}], table[{"sex"}]
    (Fraction(1, 1), Fraction(318208, 529695))
    """
    return _Balanced()


@dataclass(frozen=True)
class _LossMatrix(ExpectedLoss):
    rows: tuple[tuple[Fraction, ...], ...]
    classes: tuple[Label, ...] | None
    predictions: tuple[Label, ...] | None
    name: str = ""
    symbol: ClassVar[str] = "L"

    def losses(self, d: JointDistribution) -> Losses:
        if self.classes is None:
            if len(self.rows) != len(d.classes):
                wanted = f"made of {len(d.classes)} rows, one per class"
                raise InvalidValueError(explain("matrix", wanted, len(self.rows), f"follow {d.classes}"))
            if self.predictions is None and len(self.rows[0]) != len(d.classes):
                raise InvalidValueError(
                    f"matrix has {len(self.rows[0])} columns and {d.target} has {len(d.classes)} classes; "
                    "name what may be predicted with predictions=[..], one label per column"
                )
            return Losses(self.predictions or d.classes, self.rows)
        given = dict(zip(self.classes, self.rows, strict=True))
        for label in given:
            if label not in d.classes:
                raise unknown(f"class of {d.target} in the loss matrix", label, d.classes)
        if missing := [label for label in d.classes if label not in given]:
            wanted = f"given for every class of {d.target}"
            raise InvalidValueError(explain("matrix", wanted, list(given), f"add a row for {missing[0]!r}"))
        return Losses(self.predictions or (), [given[label] for label in d.classes])


def loss_matrix(
    matrix: Rows, *, predictions: Iterable[Label] | None = None, name: str = "expected loss"
) -> ExpectedLoss:
    """Return the criterion of any finite loss l[y, yhat].

    Parameters
    ----------
    matrix : nested lists, or mapping {class: {prediction: loss}}
        Exact numbers. Of lists, a row for each class in the order of ``d.classes``, a column for each prediction.
        A loss below 0 is a gain, and allowed.
    predictions : iterable of labels, optional
        What may be predicted, one label per column; the classes themselves if it is left out. A mapping names them.
    name : str
        What the loss is, for people.

    Raises
    ------
    InvalidValueError
        The rows differ in length or in their predictions, there is none, or a prediction is repeated. When used: the
        shape does not suit the classes.

    Notes
    -----
    The value of S is the sum over the states s of S of min over yhat of sum_y l[y, yhat] p(s, y).

    References
    ----------
    Ahmed, Narasimhan and Agarwal (2015), Section 3.

    Examples
    --------
    A classifier that may abstain at the price of 1/5:

    >>> from fstheory import JointDistribution, criteria
    >>> abstaining = criteria.loss_matrix([[0, 1, "1/5"], [1, 0, "1/5"]], predictions=[0, 1, "?"])
    >>> d = JointDistribution([[5, 5], [1, 9]])
    >>> abstaining.value(d, {"X1"}), abstaining.predictor(d, {"X1"})[0,]
    (Fraction(3, 20), '?')
    """
    if not isinstance(name, str) or not name.strip():
        raise InvalidValueError(explain("name", "a non-empty string", name, "name the loss"))
    mapped = isinstance(matrix, Mapping)
    if mapped and predictions is not None:
        wanted = "left out where the matrix names them"
        raise InvalidValueError(explain("predictions", wanted, predictions, "drop the argument"))
    rows = _rows(matrix)
    first = next(iter(rows), None)
    if first is None or not rows[first]:
        raise InvalidValueError(explain("matrix", "at least one row and one column", matrix, "name the losses"))
    for y, row in rows.items():
        if row.keys() != rows[first].keys():
            wanted = f"given for the columns of matrix[{first!r}], {tuple(rows[first])}"
            raise InvalidValueError(explain(f"matrix[{y!r}]", wanted, tuple(row), "name a loss for each"))
    losses = tuple(tuple(as_fraction(row[p], f"matrix[{y!r}][{p!r}]") for p in rows[first]) for y, row in rows.items())
    if mapped:
        return _LossMatrix(losses, tuple(rows), tuple(rows[first]), name)
    labels = None if predictions is None else _labels(predictions, len(losses[0]))
    return _LossMatrix(losses, None, labels, name)


def _rows(matrix: Rows) -> dict[Any, Mapping[Any, Any]]:
    """Read {class: {prediction: loss}}, or nested lists as such a mapping of their positions."""
    if isinstance(matrix, Mapping):
        if wrong := [row for row in matrix.values() if not isinstance(row, Mapping)]:
            raise _no_matrix(wrong[0])
        return dict(matrix)
    if isinstance(matrix, str) or not isinstance(matrix, Iterable):
        raise _no_matrix(matrix)
    rows: dict[Any, Mapping[Any, Any]] = {}
    for y, row in enumerate(matrix):
        if isinstance(row, str | Mapping) or not isinstance(row, Iterable):
            raise _no_matrix(row)
        rows[y] = dict(enumerate(row))
    return rows


def _labels(predictions: Iterable[Label], width: int) -> tuple[Label, ...]:
    if isinstance(predictions, str | set | frozenset) or not isinstance(predictions, Iterable):
        raise InvalidTypeError(explain("predictions", "a list of labels", predictions, "write ['no', 'yes', '?']"))
    labels = tuple(predictions)
    if repeated := [label for i, label in enumerate(labels) if label in labels[:i]]:
        raise InvalidValueError(explain("predictions", "distinct labels", repeated[0], "name each prediction once"))
    if len(labels) != width:
        raise InvalidValueError(explain("predictions", f"{width} labels, one per column", labels, "add or drop some"))
    return labels


def _no_matrix(value: object) -> InvalidTypeError:
    wanted = "nested lists, or a mapping {class: {prediction: loss}}"
    return InvalidTypeError(explain("matrix", wanted, value, "write [[0, 1], [1, 0]]"))


# -- Criteria that score probabilities: logarithmic loss, squared error of numeric classes, Gini impurity.


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


# -- Criteria of ranking and retrieval: the area under the ROC curve and the F-measure.


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
    return _FMeasure(number**2, positive, f"F-measure (beta = {exact_text(number)})")


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
    return _FMeasure(1 / number**2, positive, f"F-measure as printed (beta = {exact_text(number)})")


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
