"""Criteria that are the expectation of a finite loss l[y, yhat]: 0-1, cost-sensitive, balanced."""

from __future__ import annotations

import abc
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

import numpy as np

from fstheory._display import Shown
from fstheory._exact import Exact, as_fraction, format_fraction, integers_over
from fstheory.criteria.cells import class_weights, is_small, positive_class, require_classes
from fstheory.criteria.criterion import Criterion, Predictor
from fstheory.distribution import JointDistribution, Label
from fstheory.errors import InvalidValueError, explain
from fstheory.subsets import Subset
from fstheory.sweep import maximum_sums
from fstheory.sweep.cells import Array
from fstheory.table import RationalColumn

__all__ = ["ExpectedLoss", "Losses", "balanced", "cost_sensitive", "zero_one"]


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

    def of_cells(self, d: JointDistribution, cells: Array) -> Fraction:
        """Return the value of a marginal of `d`, given its weights."""
        saved, worst, denominator = _saved(self.losses(d), cells)
        return Fraction(worst - sum(saved.max(axis=-1).tolist()), denominator * d.total)

    def _bytes(self, d: JointDistribution) -> tuple[int, int]:
        """Peaks by tracemalloc: 24 to 69 bytes a weight, for 1 to 2.5 predictions a class; of objects 133 to 349."""
        losses = self.losses(d)
        largest = max((gain for row in losses.gains()[0] for gain in row), default=0)
        predictions = -(-len(losses.predictions) // len(d.classes))
        fits = _fits(d.weights, largest * len(losses.predictions))
        return (32, 24 + 24 * predictions) if fits else (96, 96 + 256 * predictions)

    def _column(self, d: JointDistribution, workers: int) -> RationalColumn:
        saved, worst, denominator = _saved(self.losses(d), d.weights)
        best = maximum_sums(saved, workers=workers)
        return RationalColumn(best.affine(-1, worst), denominator * d.total)

    def predictor(self, d: JointDistribution, subset: Subset) -> Predictor[Label]:
        """Return the optimal predictor that sees these features, with every optimal choice in each state."""
        seen = self.seen(d, subset)
        losses = self.losses(d)

        def choose(cell: list[int]) -> tuple[Label, ...]:
            expected = [
                sum((weight * row[j] for weight, row in zip(cell, losses.rows, strict=True)), Fraction(0))
                for j in range(len(losses.predictions))
            ]
            least = min(expected)
            return tuple(p for p, loss in zip(losses.predictions, expected, strict=True) if loss == least)

        return Predictor.of(seen, choose)


def _fits(weights: Array, largest: int) -> bool:
    """Say whether weights times what is saved are machine integers, and so are their sums."""
    return is_small(weights, 62 - largest.bit_length())


def _saved(losses: Losses, weights: Array) -> tuple[Array, int, int]:
    """Return sum_y g[y, yhat] w(s, y), the sum over all states of the worst losses, and the denominator of both."""
    gains, worst, denominator = losses.gains()
    flat = weights.reshape(-1, weights.shape[-1])
    matrix = np.array(gains, dtype=object)
    largest = max((gain for row in gains for gain in row), default=0)
    if _fits(weights, largest * len(losses.predictions)):  # then the gains are small too
        saved = flat.astype(np.int64) @ matrix.astype(np.int64)
    else:
        saved = flat.astype(object) @ matrix
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

    def check(self, d: JointDistribution) -> None:
        """Every distribution will do."""

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

    def check(self, d: JointDistribution) -> None:
        positive_class(d, self.positive, "the cost-sensitive loss")

    def losses(self, d: JointDistribution) -> Losses:
        positive = positive_class(d, self.positive, "the cost-sensitive loss")
        return _wrong(d, [1 - self.cost if y == positive else self.cost for y in range(2)])


@dataclass(frozen=True)
class _Balanced(ExpectedLoss):
    name: ClassVar[str] = "balanced 0-1 loss"
    symbol: ClassVar[str] = "R_b"

    def check(self, d: JointDistribution) -> None:
        require_classes(d, "the balanced loss", range(len(d.classes)))

    def losses(self, d: JointDistribution) -> Losses:
        return _wrong(d, [Fraction(d.total, weight) for weight in class_weights(d)])


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

    Raises
    ------
    InvalidTypeError, InvalidValueError
        `cost` is not exact, or not inside (0, 1). When used: there are not two classes.
    UnknownNameError
        When used: there is no such class.

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
        raise InvalidValueError(
            explain("cost", "between 0 and 1, both excluded", cost, "a false positive costs c, a false negative 1 - c")
        )
    return _CostSensitive(number, positive)


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
