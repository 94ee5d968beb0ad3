"""Set functions: one exact value for each feature subset."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, TypeAlias

import numpy as np

from fstheory._display import Shown, few
from fstheory._exact import as_fraction, as_index
from fstheory.criteria import Criterion, as_criterion
from fstheory.distribution import Data, Sample, require_data
from fstheory.errors import InvalidTypeError, InvalidValueError, explain, unknown
from fstheory.reals import ExactReal
from fstheory.subsets import Subset, mask_of, names_of
from fstheory.table import EnclosedColumn, SubsetTable

__all__ = ["CriterionLike", "SetFunction", "SetFunctionLike", "Value", "set_function"]

Value: TypeAlias = Fraction | ExactReal
"""An exact number: every comparison of two of them is decided."""


@dataclass(frozen=True, repr=False)
class SetFunction(Shown):
    """An exact function of the subsets of some features, computed subset by subset and remembered.

    Attributes
    ----------
    features : tuple of str
        Bit i of a mask stands for feature i.
    function : callable
        From a mask to an int, a Fraction or a LogSum; called at most once for a mask. Two set functions are equal
        only if these are.
    larger_is_better : bool
        Whether the values are scores; otherwise they are losses.
    name : str

    Examples
    --------
    >>> coverage = SetFunction(("a", "b"), lambda mask: Fraction(mask.bit_count(), 2), name="share")
    >>> coverage.value({"a"}), coverage.gain(0b10, onto=0b01)
    (Fraction(1, 2), Fraction(1, 2))
    """

    features: tuple[str, ...]
    function: Callable[[int], Value]
    larger_is_better: bool = True
    name: str = "value"
    _known: dict[int, Value] = field(default_factory=dict, init=False, repr=False, compare=False)

    def at(self, mask: int) -> Value:
        """Return the value of the subset with this mask."""
        if not isinstance(mask, int):
            mask = as_index(mask, "mask")
        if mask not in self._known:
            if mask >> len(self.features):  # of a negative mask, too
                raise unknown("the subset with mask", mask, [f"0 to {2 ** len(self.features) - 1}"])
            self._known[mask] = _exact(self.function(mask))
        return self._known[mask]

    @property
    def sample(self) -> Sample | None:
        """The sample that the values are of, if they are of one and not of a distribution."""
        measured = self.function.d if isinstance(self.function, _Measured) else None
        return measured if isinstance(measured, Sample) else None

    def __str__(self) -> str:
        good = "more is better" if self.larger_is_better else "less is better"
        return f"{self.name} of the subsets of {few(str, self.features) or 'no features'}, {good}"

    def table(self) -> SubsetTable[Any]:
        """Return the values of all subsets.

        Examples
        --------
        >>> SetFunction(("a", "b"), lambda mask: Fraction(mask.bit_count(), 2)).table().minimum
        Fraction(0, 1)
        """
        if isinstance(self.function, _Measured | _Tabulated):
            return self.function.table()
        masks = np.arange(2 ** len(self.features))
        known = np.zeros(len(masks)), np.full(len(masks), np.inf)  # of the values nothing: all are compared exactly
        column = EnclosedColumn(*known, self.at, masks)
        return SubsetTable(self.features, column, name=self.name, larger_is_better=self.larger_is_better)

    def value(self, subset: Subset) -> Value:
        """Return the value of a subset given by names."""
        return self.at(mask_of(subset, self.features))

    def benefit(self, mask: int) -> Value:
        """Return the value of a score, the negated value of a loss: the larger the better."""
        return self.at(mask) if self.larger_is_better else -self.at(mask)

    def gain(self, added: int, *, onto: int) -> Value:
        """Return by how much the benefit rises when the features of one mask join those of another."""
        return difference(self.benefit(onto | added), self.benefit(onto))


@dataclass(frozen=True)
class _Measured:
    """What a criterion makes of the subset with a mask; unlike a lambda it can be compared and pickled."""

    d: Data
    criterion: Criterion[Any]

    def __call__(self, mask: int) -> Value:
        value: Value = self.criterion.value(self.d, names_of(mask, self.d.features))
        return value

    def table(self) -> SubsetTable[Any]:
        return self.criterion.table(self.d)


@dataclass(frozen=True)
class _Tabulated:
    """What a table holds for the subset with a mask; a bound method would be equal only to that of the same table."""

    values: SubsetTable[Any]

    def __call__(self, mask: int) -> Value:
        value: Value = self.values.value_at(mask)
        return value

    def table(self) -> SubsetTable[Any]:
        return self.values


def _exact(value: Value) -> Value:
    if isinstance(value, ExactReal):
        return value
    return as_fraction(value, "every value of the set function")


SetFunctionLike: TypeAlias = "SetFunction | SubsetTable[Any]"
"""What the questions about set functions take."""

CriterionLike: TypeAlias = "Criterion[Any] | str | SetFunctionLike"
"""What the searches take: a criterion or its name, or a set function over the features of the distribution."""


def difference(first: Value, second: Value) -> Value:
    """Return first minus second; the types allow for a mixture that no criterion has."""
    result: Value = first - second
    return result


def total(values: Sequence[Value]) -> Value:
    """Return the sum of at least one number; as `difference`, of numbers of one kind."""
    return functools.reduce(lambda first, second: difference(first, -second), values)


def as_set_function(f: SetFunctionLike, argument: str = "f") -> SetFunction:
    """Return a table of all subsets as a set function; a set function as it is."""
    if isinstance(f, SetFunction):
        return f
    if not isinstance(f, SubsetTable):
        raise InvalidTypeError(
            explain(argument, "a SubsetTable or a SetFunction", f, "pass criterion.table(d), or set_function(d, ..)")
        )
    if len(f) != 2 ** len(f.features):
        raise InvalidValueError(explain(argument, "a table of all subsets", f, "pass it before it is restricted"))
    return SetFunction(f.features, _Tabulated(f), f.larger_is_better, f.name)


def set_function(d: Data, criterion: CriterionLike) -> SetFunction:
    """Return what a criterion makes of the feature subsets of a distribution.

    Parameters
    ----------
    d : JointDistribution or Sample
    criterion : Criterion, str, SubsetTable or SetFunction
        A table or a set function must be over the features of `d`.

    Examples
    --------
    >>> from fstheory import gallery
    >>> set_function(gallery.titanic(), "zero_one").value({"sex"})
    Fraction(493, 2201)
    """
    require_data(d)
    if isinstance(criterion, SetFunction | SubsetTable):
        made = as_set_function(criterion, "criterion")
        if made.features != d.features:
            raise InvalidValueError(
                explain("criterion", f"over the features {d.features}", made.features, "make it of this distribution")
            )
        return made
    chosen = as_criterion(criterion)
    chosen.check(d.marginal(()) if isinstance(d, Sample) else d)
    return SetFunction(d.features, _Measured(d, chosen), chosen.larger_is_better, chosen.name)
