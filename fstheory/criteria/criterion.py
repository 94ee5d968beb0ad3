"""`Criterion`: the best value of a performance measure that a predictor can reach on a marginal."""

from __future__ import annotations

import abc
from fractions import Fraction
from typing import Any, Generic

import numpy as np

from fstheory._display import Shown
from fstheory._memory import enough_memory, require_cells
from fstheory._rational import as_index
from fstheory.criteria.cells import every_marginal, flat, is_small, marginal
from fstheory.criteria.predictor import Predictor
from fstheory.distribution import JointDistribution, require_distribution
from fstheory.subsets import Subset, mask_of
from fstheory.sweep.cells import Array
from fstheory.table import SubsetTable
from fstheory.table.columns import Column, EnclosedColumn
from fstheory.table.protocol import V

__all__ = ["Criterion"]

_WORD = 2**63
_SHORT = 26  # bits of a total for which the AUC sorts floats

# Bytes a subset and a weight. Peaks of the AUC and the F-measure by tracemalloc: 117 bytes a subset of binary features
# and 28 a weight where subsets are few, for short totals; 279 and 117 for a machine word; 592 and 145 for longer ones.
_SHORT_BYTES, _BYTES, _LARGE_BYTES = (64, 32), (64, 128), (320, 160)


class _Values:
    """Exact values by mask: a Fraction is kept as two machine integers where it can be, at 16 bytes instead of 250."""

    def __init__(self, count: int) -> None:
        self._fractions = np.zeros((count, 2), dtype=np.int64)
        self._others: dict[int, Any] = {}

    def __setitem__(self, mask: int, value: Any) -> None:
        if type(value) is Fraction and -_WORD <= value.numerator < _WORD and value.denominator < _WORD:
            self._fractions[mask] = value.numerator, value.denominator
        else:
            self._others[mask] = value

    def __getitem__(self, mask: int) -> Any:
        return self._others[mask] if mask in self._others else Fraction(*self._fractions[mask].tolist())


class Criterion(Shown, abc.ABC, Generic[V]):
    """What a feature subset is worth to a predictor that is judged by one performance measure.

    The value of a subset S is the least loss, or the largest score, that a predictor which sees only X_S
    reaches on the distribution: an exact number. Make one with a function of `fstheory.criteria`.

    A new criterion is a frozen dataclass with `name`, `symbol`, `check`, `of_cells` and `predictor`; `value` and
    `table` follow. One that is the expectation of finitely many losses is a call of `loss_matrix`.

    Examples
    --------
    The largest posterior that a state can have, as a criterion of one's own:

    >>> from dataclasses import dataclass
    >>> from fractions import Fraction
    >>> from fstheory import gallery
    >>> from fstheory.criteria import Criterion, Predictor
    >>> @dataclass(frozen=True)
    ... class Certainty(Criterion[Fraction]):
    ...     name = "greatest certainty"
    ...     symbol = "c"
    ...     larger_is_better = True
    ...
    ...     def check(self, d):
    ...         pass
    ...
    ...     def of_cells(self, d, cells):
    ...         return max(Fraction(int(max(cell)), int(sum(cell))) for cell in cells if sum(cell))
    ...
    ...     def predictor(self, d, subset):
    ...         return Predictor.of(d.marginal(subset), lambda cell: (max(cell),))
    >>> Certainty().table(gallery.xor(noise="1/10")).maximum
    Fraction(9, 10)
    """

    @property
    def larger_is_better(self) -> bool:
        """Whether it is a score; otherwise it is a loss."""
        return False

    @property
    @abc.abstractmethod
    def name(self) -> str:
        """What it is, in words."""

    @property
    @abc.abstractmethod
    def symbol(self) -> str:
        """What it is, in one letter or so."""

    @abc.abstractmethod
    def check(self, d: JointDistribution) -> None:
        """Refuse a distribution for which the measure is not defined."""

    @abc.abstractmethod
    def of_cells(self, d: JointDistribution, cells: Array) -> V:
        """Return the value of a marginal, given its weights, shape (states, classes), of the total of `d`."""

    @abc.abstractmethod
    def predictor(self, d: JointDistribution, subset: Subset) -> Predictor[Any]:
        """Return the optimal predictor that sees these features, with every optimal choice."""

    def value(self, d: JointDistribution, subset: Subset) -> V:
        """Return the best value that a predictor reaches if it sees only these features, exactly.

        Raises
        ------
        InvalidTypeError, InvalidValueError, UnknownNameError
            `subset` is not a subset of the features, by name; or the measure is not defined for `d`.
        """
        require_distribution(d)
        self.check(d)
        return self._at(d, mask_of(subset, d.features))

    def table(self, d: JointDistribution, *, workers: int = 1) -> SubsetTable[V]:
        """Return the exact values of all 2**n feature subsets.

        Raises
        ------
        TooLargeError
            They do not fit in memory.
        InvalidTypeError, InvalidValueError
            The measure is not defined for `d`, or `workers` is no integer of at least 1.
        """
        require_distribution(d)
        self.check(d)
        threads = as_index(workers, "workers", at_least=1)
        what, repair = "the table of all subsets", "take the marginal of fewer features"
        per_subset, per_weight = self._bytes(d)
        require_cells((2,) * len(d.features), what, repair, per_subset, besides=per_weight * d.weights.size)
        with enough_memory(what, repair):
            return SubsetTable(
                d.features,
                self._column(d, threads),
                name=self.name,
                symbol=self.symbol,
                larger_is_better=self.larger_is_better,
            )

    def seen(self, d: JointDistribution, subset: Subset) -> JointDistribution:
        """Return the marginal that a predictor sees; the distribution is checked."""
        require_distribution(d)
        self.check(d)
        return d.marginal(subset)

    def _column(self, d: JointDistribution, workers: int) -> Column[V]:
        """Return the values by mask: each from its marginal, and rounded, so that few need to be compared exactly."""
        del workers  # one marginal is made from another
        masks = np.arange(2 ** len(d.features), dtype=np.int64)
        centers, found = np.empty(len(masks)), _Values(len(masks))
        for mask, weights in every_marginal(d.weights):
            value = found[mask] = self.of_cells(d, flat(weights))
            centers[mask] = float(value)
        radii = np.maximum(np.spacing(np.abs(centers)), np.finfo(float).tiny)
        return EnclosedColumn(centers, radii, found.__getitem__, masks)

    def _bytes(self, d: JointDistribution) -> tuple[int, int]:
        """Return how much memory a table takes at most, a subset and a weight."""
        return _SHORT_BYTES if is_small(d.weights, _SHORT) else _BYTES if d.total < _WORD else _LARGE_BYTES

    def _at(self, d: JointDistribution, mask: int) -> V:
        return self.of_cells(d, flat(marginal(d.weights, mask)))

    def __str__(self) -> str:
        return self.name
