"""Criteria that are the expectation of a finite loss l[y, yhat]: 0-1, cost-sensitive, balanced, or a matrix."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, ClassVar, TypeAlias

import numpy as np

from fstheory._support.exact import Exact, as_fraction, exact_text, integers_over
from fstheory.distributions.build import Label
from fstheory.distributions.joint import JointDistribution
from fstheory.errors import InvalidValueError, explain, require, require_listed, require_type, show, unknown
from fstheory.lattice.columns import RationalColumn
from fstheory.lattice.subsets import Subset
from fstheory.lattice.sweep import Array, maximum_sums
from fstheory.measures import criterion
from fstheory.measures.risk import ZeroOneLoss

Rows: TypeAlias = "Sequence[Sequence[Exact]] | Mapping[Any, Mapping[Any, Exact]]"
Losses: TypeAlias = tuple[tuple[Label, ...], Sequence[Sequence[Fraction]]]
"""The possible predictions, and a row for each class with the loss of each prediction."""


@dataclass(frozen=True)
class ExpectedLoss(criterion.Criterion[Fraction]):
    """The criterion of the least expected loss, for finitely many predictions."""

    # A prediction yhat saves g[y, yhat] = max l[y, .] - l[y, yhat] >= 0 against the worst prediction. The least loss of
    # S is E max l[Y, .] minus the sum over the states s of max over yhat of sum_y g[y, yhat] p(s, y). This is a sum of
    # maxima, as in the Bayes risk.

    _of: Callable[..., Losses] = field(repr=False)
    name: str = ""
    symbol: str = ""
    _settings: tuple[Any, ...] = ()
    additive: ClassVar[bool] = True

    def losses(self, d: JointDistribution) -> Losses:
        """Return the possible predictions, and the loss of each prediction in each class of `d`."""
        return self._of(d, *self._settings)

    def check(self, d: JointDistribution) -> None:
        """Refuse a distribution for which the losses are not defined."""
        self.losses(d)

    def of_cells(self, d: JointDistribution, cells: Array) -> Fraction:
        """Return the value of all features of a marginal, given its weights."""
        saved, worst, denominator = _saved(self.losses(d), cells)
        return Fraction(worst - sum(saved.max(axis=-1).tolist()), denominator * d.total)

    def _bytes(self, d: JointDistribution) -> tuple[int, int]:
        """Return bounds of the memory of a table: the bytes for each subset and the bytes for each weight."""
        # Peaks by tracemalloc: 24 to 69 bytes a weight, for 1 to 2.5 predictions a class; 133 to 349 if the weights are
        # objects. Integers of more than 63 bits take 125 bytes a subset and 40 a weight for each 63 bits.
        losses = self.losses(d)
        gains, predictions = _gains(losses)[0], -(-len(losses[0]) // len(d.classes))
        if _fits(d.weights, gains):
            return 32, 24 + 24 * predictions
        words = -(-(d.total.bit_length() + max(map(max, gains)).bit_length()) // 63)
        return 128 * words, max(96 + 256 * predictions, 40 * words * predictions)

    def _column(self, d: JointDistribution, threads: int) -> RationalColumn:
        saved, worst, denominator = _saved(self.losses(d), d.weights)
        best = maximum_sums(saved, threads=threads)
        return RationalColumn(best.affine(-1, worst), denominator * d.total)

    def predictor(self, d: JointDistribution, subset: Subset) -> criterion.Predictor[Label]:
        """Return the optimal predictor that sees these features, with all predictions of least expected loss."""
        seen, (predictions, rows) = self.seen(d, subset), self.losses(d)

        def choose(cell: list[int]) -> tuple[Label, ...]:
            columns = zip(*rows, strict=True)
            expected = [sum(map(operator.mul, cell, column), Fraction(0)) for column in columns]
            least = min(expected)
            return tuple(p for p, loss in zip(predictions, expected, strict=True) if loss == least)

        return criterion.Predictor.of(seen, choose)


def _gains(losses: Losses) -> tuple[list[list[int]], list[int], int]:
    """Return the savings, the largest loss of each class, and the common denominator of both.

    The savings are a row for each class with the largest loss of the class minus the loss of each prediction.
    """
    width = len(losses[0])
    integers, denominator = integers_over([loss for row in losses[1] for loss in row])
    rows = [integers[start : start + width] for start in range(0, len(integers), width)]
    worst = [max(row) for row in rows]
    return [[top - loss for loss in row] for row, top in zip(rows, worst, strict=True)], worst, denominator


def _fits(weights: Array, gains: list[list[int]]) -> bool:
    """Return whether the products of weights and savings, and the sums of these products, fit in machine integers."""
    return criterion.is_small(weights, 62 - (max(map(max, gains)) * len(gains[0])).bit_length())


def _saved(losses: Losses, weights: Array) -> tuple[Array, int, int]:
    """Return the savings sum_y g[y, yhat] w(s, y), the expected largest loss, and the denominator of both."""
    gains, worst, denominator = _gains(losses)
    rows = criterion.flat(weights)
    kind = np.int64 if _fits(weights, gains) else object  # then the gains are small too
    saved = rows.astype(kind) @ np.array(gains, dtype=kind)
    total = sum(map(operator.mul, rows.sum(axis=0).tolist(), worst))
    return saved.reshape(*weights.shape[:-1], -1), total, denominator


def _missed(d: JointDistribution, costs: Sequence[Fraction]) -> Losses:
    """Return the loss that is ``costs[y]`` if the class y is predicted wrongly, and 0 if it is predicted rightly."""
    classes = range(len(costs))
    return d.classes, [[costs[y] if j != y else Fraction(0) for j in classes] for y in classes]


def finite_losses(measure: criterion.Criterion[Any], d: JointDistribution) -> Losses | None:
    """Return the losses of a criterion with finitely many predictions. Return None for any other criterion."""
    if isinstance(measure, ZeroOneLoss):
        return _missed(d, [Fraction(1)] * len(d.classes))
    return measure.losses(d) if isinstance(measure, ExpectedLoss) else None


@criterion.named
def zero_one() -> ZeroOneLoss:
    """Return the criterion of the 0-1 loss: the Bayes risk, for any number of classes.

    The value of S is that of `bayes_risk`. Source: Ahmed, Narasimhan and Agarwal (2015), Example 2.

    Examples
    --------
    >>> from fstheory import criteria, gallery
    >>> criteria.zero_one().value(gallery.titanic(), {"sex"})
    Fraction(493, 2201)
    """
    return ZeroOneLoss()


def _cost_sensitive(d: JointDistribution, cost: Fraction, label: Label | None) -> Losses:
    positive = criterion.positive_class(d, label, "the cost-sensitive loss")
    return _missed(d, [1 - cost if y == positive else cost for y in range(2)])


@criterion.named
def cost_sensitive(cost: Exact, *, positive: Label | None = None) -> ExpectedLoss:
    """Return the criterion of the cost-sensitive loss of two classes.

    A false positive costs c, and a false negative costs 1 - c, where c is `cost`, strictly between 0 and 1. The value
    of S is E min((1 - c) eta, c (1 - eta)) with eta = p(positive | X_S). If no positive class is named, it is the last
    of ``d.classes``. Source: Ahmed, Narasimhan and Agarwal (2015), Example 3.

    Examples
    --------
    >>> from fstheory import criteria, gallery
    >>> criteria.cost_sensitive("1/4").value(gallery.titanic(), {"sex"})
    Fraction(1227, 8804)
    """
    number = as_fraction(cost, "cost", above=0, below=1, repair="a false positive costs c, a false negative 1 - c")
    name = f"cost-sensitive loss (c = {exact_text(number)})"
    return ExpectedLoss(_cost_sensitive, name, "R_c", (number, positive))


def _balanced(d: JointDistribution) -> Losses:
    criterion.require_classes(d, "the balanced loss", range(len(d.classes)))
    return _missed(d, [Fraction(d.total, weight) for weight in criterion.class_weights(d)])


@criterion.named
def balanced() -> ExpectedLoss:
    """Return the criterion of the balanced loss: predicting a class y wrongly costs 1 / p(y).

    Every class must have positive probability. The value of S is the number of classes minus the sum over the states s
    of S of max_y p(s | y). For two classes it is the sum, not the mean, of the two error rates. Source: Ahmed,
    Narasimhan and Agarwal (2015), Example 4.

    Examples
    --------
    >>> from fstheory import criteria, gallery
    >>> criteria.balanced().value(gallery.titanic(), {"sex"})
    Fraction(318208, 529695)
    """
    return ExpectedLoss(_balanced, "balanced loss", "R_b")


def _of_matrix(
    d: JointDistribution,
    rows: Sequence[Sequence[Fraction]],
    classes: tuple[Label, ...] | None,
    predictions: tuple[Label, ...] | None,
) -> Losses:
    """Return the losses of a matrix, with the rows in the order of the classes of `d`."""
    if classes is None:
        wanted = f"made of {len(d.classes)} rows, one per class"
        require(len(rows) == len(d.classes), "matrix", wanted, len(rows), f"follow {show(d.classes)}")
        if predictions is None and len(rows[0]) != len(d.classes):
            raise InvalidValueError(
                f"matrix has {len(rows[0])} columns and {d.target} has {len(d.classes)} classes; "
                "name what may be predicted with predictions=[..], one label per column"
            )
        return predictions or d.classes, rows
    given = dict(zip(classes, rows, strict=True))
    for label in given:
        if label not in d.classes:
            raise unknown(f"class of {d.target} in the loss matrix", label, d.classes)
    missing = [repr(label) for label in d.classes if label not in given]
    wanted = f"given for every class of {d.target}"
    require(not missing, "matrix", wanted, list(given), f"add a row for {', '.join(missing)}")
    return predictions or (), [given[label] for label in d.classes]


@criterion.named
def loss_matrix(
    matrix: Rows, *, predictions: Iterable[Label] | None = None, name: str = "expected loss"
) -> ExpectedLoss:
    """Return the criterion of any finite loss l[y, yhat].

    The value of S is the sum over the states s of S of min over yhat of sum_y l[y, yhat] p(s, y). Source: Ahmed,
    Narasimhan and Agarwal (2015), Section 3.

    Parameters
    ----------
    matrix : nested lists, or mapping {class: {prediction: loss}}
        The losses, as exact numbers. Nested lists have a row for each class, in the order of ``d.classes``, and a
        column for each prediction.
    predictions : iterable of labels, optional
        The possible predictions, one label for each column. The default is the classes themselves. If `matrix` is a
        mapping, it names the predictions, and this argument must be left out.
    name : str
        The name of the criterion in results.

    Examples
    --------
    A classifier that may abstain at the price of 1/5:

    >>> from fstheory import JointDistribution, criteria
    >>> abstaining = criteria.loss_matrix([[0, 1, "1/5"], [1, 0, "1/5"]], predictions=[0, 1, "?"])
    >>> d = JointDistribution([[5, 5], [1, 9]])
    >>> abstaining.value(d, {"X1"}), abstaining.predictor(d, {"X1"})[0,]
    (Fraction(3, 20), '?')
    """
    require(isinstance(name, str) and name.strip(), "name", "a non-empty string", name, "name the loss")
    mapped = isinstance(matrix, Mapping)
    given = mapped and predictions is not None
    require(not given, "predictions", "left out where the matrix names them", predictions, "drop the argument")
    rows = _rows(matrix)
    first = next(iter(rows), None)
    if first is None or not rows[first]:
        raise InvalidValueError(explain("matrix", "at least one row and one column", matrix, "name the losses"))
    for y, row in rows.items():
        wanted = f"given for the columns of matrix[{show(first)}], {show(tuple(rows[first]))}"
        require(row.keys() == rows[first].keys(), f"matrix[{show(y)}]", wanted, tuple(row), "name a loss for each")
    losses = tuple(
        tuple(as_fraction(row[p], f"matrix[{show(y)}][{show(p)}]") for p in rows[first]) for y, row in rows.items()
    )
    labels = None if predictions is None else _labels(predictions, len(losses[0]))
    settings = (losses, tuple(rows), tuple(rows[first])) if mapped else (losses, None, labels)
    return ExpectedLoss(_of_matrix, name, "L", settings)


_MATRIX = ("matrix", "nested lists, or a mapping {class: {prediction: loss}}", "write [[0, 1], [1, 0]]")


def _rows(matrix: Rows) -> dict[Any, Mapping[Any, Any]]:
    """Return a matrix as {class: {prediction: loss}}. In nested lists, positions stand for classes and predictions."""
    if isinstance(matrix, Mapping):
        return {y: require_type(row, Mapping, *_MATRIX) for y, row in matrix.items()}
    rows = enumerate(require_listed(matrix, *_MATRIX))
    return {y: dict(enumerate(require_listed(row, *_MATRIX, Mapping))) for y, row in rows}


def _labels(predictions: Iterable[Label], width: int) -> tuple[Label, ...]:
    repair = "write ['no', 'yes', '?']"
    labels = tuple(require_listed(predictions, "predictions", "a list of labels", repair, set, frozenset))
    repeated = [label for i, label in enumerate(labels) if label in labels[:i]]
    require(not repeated, "predictions", "distinct labels", repeated[:1], "name each prediction once")
    require(len(labels) == width, "predictions", f"{width} labels, one per column", labels, "add or drop some")
    return labels
