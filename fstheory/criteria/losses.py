"""Criteria that are the expectation of a finite loss l[y, yhat]: 0-1, cost-sensitive, balanced, or written down."""

from __future__ import annotations

import abc
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar, TypeAlias

import numpy as np

from fstheory._display import Shown
from fstheory._exact import Exact, as_fraction, format_fraction, integers_over
from fstheory.criteria.cells import class_weights, is_small, positive_class, require_classes
from fstheory.criteria.criterion import Criterion, Predictor, named
from fstheory.distribution import JointDistribution, Label
from fstheory.errors import InvalidTypeError, InvalidValueError, explain, unknown
from fstheory.subsets import Subset
from fstheory.sweep import maximum_sums
from fstheory.sweep.cells import Array
from fstheory.table import RationalColumn

__all__ = ["balanced", "cost_sensitive", "loss_matrix", "zero_one"]

Rows: TypeAlias = "Sequence[Sequence[Exact]] | Mapping[Any, Mapping[Any, Exact]]"


@dataclass(frozen=True, repr=False)
class Losses(Shown):
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
        return f"cost-sensitive loss (c = {format_fraction(self.cost)})"

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
