"""The criterion of a loss that is written down: one number for each class and prediction."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar, TypeAlias

from fstheory._exact import Exact, as_fraction
from fstheory.criteria.losses import ExpectedLoss, Losses
from fstheory.distribution import JointDistribution, Label
from fstheory.errors import InvalidTypeError, InvalidValueError, explain, unknown

__all__ = ["loss_matrix"]

Rows: TypeAlias = "Sequence[Sequence[Exact]] | Mapping[Any, Mapping[Any, Exact]]"


@dataclass(frozen=True)
class _LossMatrix(ExpectedLoss):
    rows: tuple[tuple[Fraction, ...], ...]
    classes: tuple[Label, ...] | None
    predictions: tuple[Label, ...] | None
    title: str
    symbol: ClassVar[str] = "L"

    @property
    def name(self) -> str:
        return self.title

    def check(self, d: JointDistribution) -> None:
        self.losses(d)

    def losses(self, d: JointDistribution) -> Losses:
        if self.classes is None:
            rows = self._rows(d)
            return Losses(self._predictions(d), rows)
        for label in self.classes:
            if label not in d.classes:
                raise unknown(f"class of {d.target} in the loss matrix", label, d.classes)
        given = dict(zip(self.classes, self.rows, strict=True))
        for label in d.classes:
            if label not in given:
                raise InvalidValueError(
                    explain("matrix", f"given for every class of {d.target}", list(given), f"add a row for {label!r}")
                )
        return Losses(self._predictions(d), [given[label] for label in d.classes])

    def _rows(self, d: JointDistribution) -> tuple[tuple[Fraction, ...], ...]:
        if len(self.rows) != len(d.classes):
            raise InvalidValueError(
                explain(
                    "matrix", f"made of {len(d.classes)} rows, one per class", len(self.rows), f"follow {d.classes}"
                )
            )
        return self.rows

    def _predictions(self, d: JointDistribution) -> tuple[Label, ...]:
        if self.predictions is not None:
            return self.predictions
        if len(self.rows[0]) != len(d.classes):
            raise InvalidValueError(
                f"matrix has {len(self.rows[0])} columns and {d.target} has {len(d.classes)} classes; "
                "name what may be predicted with predictions=[..], one label per column"
            )
        return d.classes


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
    InvalidTypeError, InvalidFormatError
        A loss is not exact, or the matrix neither nested lists nor a mapping of mappings.
    InvalidValueError
        The rows differ in length or in their predictions, there is none, or a prediction is repeated. When used: the
        shape does not suit the classes.
    UnknownNameError
        When used: the mapping names a class that does not exist.

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
    if isinstance(matrix, Mapping):
        if predictions is not None:
            raise InvalidValueError(
                explain("predictions", "left out where the matrix names them", predictions, "drop the argument")
            )
        return _named(matrix, name)
    if isinstance(matrix, str) or not isinstance(matrix, Iterable):
        raise _no_matrix(matrix)
    rows: list[list[Fraction]] = []
    for row in matrix:
        if isinstance(row, str | Mapping) or not isinstance(row, Iterable):
            raise _no_matrix(row)
        rows.append([as_fraction(loss, f"matrix[{len(rows)}][{j}]") for j, loss in enumerate(row)])
    if not rows or not rows[0]:
        raise InvalidValueError(explain("matrix", "at least one row and one column", matrix, "name the losses"))
    for y, losses in enumerate(rows):
        if len(losses) != len(rows[0]):
            raise InvalidValueError(
                explain(
                    f"matrix[{y}]",
                    f"{len(rows[0])} losses, as many as matrix[0]",
                    len(losses),
                    "name one per prediction",
                )
            )
    labels = None if predictions is None else _labels(predictions, len(rows[0]))
    return _LossMatrix(tuple(map(tuple, rows)), None, labels, name)


def _named(matrix: Mapping[Any, Any], name: str) -> _LossMatrix:
    """Read {class: {prediction: loss}}; the predictions are in the order of the first class."""
    if not matrix:
        raise InvalidValueError(explain("matrix", "at least one row and one column", matrix, "name the losses"))
    for row in matrix.values():
        if not isinstance(row, Mapping):
            raise _no_matrix(row)
    first_class, first = next(iter(matrix.items()))
    if not first:
        raise InvalidValueError(explain("matrix", "at least one row and one column", matrix, "name the losses"))
    for label, row in matrix.items():
        if row.keys() != first.keys():
            raise InvalidValueError(
                explain(
                    f"matrix[{label!r}]",
                    f"given for the predictions of {first_class!r}, {tuple(first)}",
                    tuple(row),
                    "name each once",
                )
            )
    rows = tuple(tuple(as_fraction(row[p], f"matrix[{y!r}][{p!r}]") for p in first) for y, row in matrix.items())
    return _LossMatrix(rows, tuple(matrix), tuple(first), name)


def _labels(predictions: Iterable[Label], width: int) -> tuple[Label, ...]:
    if isinstance(predictions, str | set | frozenset) or not isinstance(predictions, Iterable):
        raise InvalidTypeError(explain("predictions", "a list of labels", predictions, "write ['no', 'yes', '?']"))
    labels = tuple(predictions)
    repeated = [label for i, label in enumerate(labels) if label in labels[:i]]
    if repeated:
        raise InvalidValueError(explain("predictions", "distinct labels", repeated[0], "name each prediction once"))
    if len(labels) != width:
        raise InvalidValueError(explain("predictions", f"{width} labels, one per column", labels, "add or drop some"))
    return labels


def _no_matrix(value: object) -> InvalidTypeError:
    return InvalidTypeError(
        explain("matrix", "nested lists, or a mapping {class: {prediction: loss}}", value, "write [[0, 1], [1, 0]]")
    )
