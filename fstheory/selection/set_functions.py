"""Set functions: one exact value for each feature subset, and quotients of such values, compared exactly."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, TypeAlias

import numpy as np

from fstheory._display import Shown, few
from fstheory._exact import approximate, as_fraction, as_index
from fstheory.criteria import Criterion, as_criterion
from fstheory.distribution import JointDistribution, require_distribution
from fstheory.errors import InvalidTypeError, InvalidValueError, explain, unknown
from fstheory.reals import ExactReal, LogSum
from fstheory.reals.coprime import CoprimeBase, combine
from fstheory.subsets import Subset, mask_of, names_of
from fstheory.table import EnclosedColumn, SubsetTable

__all__ = [
    "CriterionLike",
    "ExactRatio",
    "SetFunction",
    "SetFunctionLike",
    "Value",
    "as_set_function",
    "difference",
    "quotient",
    "set_function",
]

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
    >>> from fstheory.selection import SetFunction
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
        """Return the value of the subset with this mask.

        Raises
        ------
        InvalidTypeError
            `mask` is no integer, or the function returned something that is no exact number.
        UnknownNameError
            `mask` has bits beyond the features.
        """
        if not isinstance(mask, int):
            mask = as_index(mask, "mask")
        if mask not in self._known:
            if mask >> len(self.features):  # of a negative mask, too
                raise unknown("the subset with mask", mask, [f"0 to {2 ** len(self.features) - 1}"])
            self._known[mask] = _exact(self.function(mask))
        return self._known[mask]

    def __str__(self) -> str:
        good = "more is better" if self.larger_is_better else "less is better"
        return f"{self.name} of the subsets of {few(str, self.features) or 'no features'}, {good}"

    def table(self) -> SubsetTable[Any]:
        """Return the values of all subsets.

        Examples
        --------
        >>> from fstheory.selection import SetFunction
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

    d: JointDistribution
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


def set_function(d: JointDistribution, criterion: CriterionLike) -> SetFunction:
    """Return what a criterion makes of the feature subsets of a distribution.

    Parameters
    ----------
    d : JointDistribution
    criterion : Criterion, str, SubsetTable or SetFunction
        A table or a set function must be over the features of `d`.

    Raises
    ------
    InvalidTypeError, InvalidValueError, UnknownNameError
        `criterion` is none of these, is not defined for `d`, or is over other features.

    Examples
    --------
    >>> from fstheory import gallery
    >>> from fstheory.selection import set_function
    >>> set_function(gallery.titanic(), "zero_one").value({"sex"})
    Fraction(493, 2201)
    """
    require_distribution(d)
    if isinstance(criterion, SetFunction | SubsetTable):
        made = as_set_function(criterion, "criterion")
        if made.features != d.features:
            raise InvalidValueError(
                explain("criterion", f"over the features {d.features}", made.features, "make it of this distribution")
            )
        return made
    chosen = as_criterion(criterion)
    chosen.check(d)
    return SetFunction(d.features, _Measured(d, chosen), chosen.larger_is_better, chosen.name)


_CONSTANT = 1  # stands for the number 1 among the elements of a coprime base, which are above 1


def quotient(numerator: Value, denominator: Value) -> Fraction | ExactRatio:
    """Return the quotient of two sums of logarithms or rationals: a Fraction if it is rational."""
    above, below = _natural(numerator), _natural(denominator)
    if not below:
        raise InvalidValueError(explain("the denominator", "other than 0", denominator, "leave this case out"))
    first, second = _over_common_base(above, below)
    element, coefficient = next(iter(second.items()))
    ratio = first.get(element, Fraction(0)) / coefficient
    if first == {e: ratio * c for e, c in second.items() if ratio}:
        return ratio
    return ExactRatio(above, below)


class ExactRatio(Shown):
    """An irrational quotient of two sums of logarithms.

    It compares with rationals and with other quotients. Against a rational the answer is always decided, by
    multiplying out. Two quotients are equal if multiplying out gives the same polynomial in
    logarithms of coprime integers; if it does not, enclosures of growing precision part them. Every answer
    is proven; that one always comes in the second case would follow from Schanuel's conjecture.

    Examples
    --------
    >>> from fstheory.reals import log
    >>> from fstheory.selection.set_functions import quotient
    >>> ratio = quotient(log(3), log(2))
    >>> ratio == quotient(log(9), log(4)), ratio < quotient(log(5), log(3)), print(ratio)
    log(3) / log(2) ≈ 1.58496
    (True, False, None)
    """

    __slots__ = ("denominator", "numerator")

    def __init__(self, numerator: LogSum, denominator: LogSum) -> None:
        if denominator < 0:
            numerator, denominator = -numerator, -denominator
        self.numerator = numerator
        self.denominator = denominator

    def enclosure(self, digits: int = 15) -> tuple[Fraction, Fraction]:
        """Return a proven lower and upper bound that agree to so many significant digits."""
        as_index(digits, "digits", at_least=1)
        (low, high), (below_low, below_high) = (
            part.enclosure(digits + 2) for part in (self.numerator, self.denominator)
        )
        return low / (below_high if low > 0 else below_low), high / (below_low if high > 0 else below_high)

    def _order(self, other: ExactRatio | Fraction) -> int:
        if isinstance(other, Fraction):
            return (self.numerator - self.denominator * other).sign()
        if _is_same(self, other):
            return 0
        digits = 15
        while True:
            (low, high), (other_low, other_high) = self.enclosure(digits), other.enclosure(digits)
            if low > other_high:
                return 1
            if high < other_low:
                return -1
            digits *= 2

    def __eq__(self, other: object) -> bool:
        number = _operand(other)
        return NotImplemented if number is None else self._order(number) == 0

    def __lt__(self, other: object) -> bool:
        number = _operand(other)
        return NotImplemented if number is None else self._order(number) < 0

    def __le__(self, other: object) -> bool:
        number = _operand(other)
        return NotImplemented if number is None else self._order(number) <= 0

    def __gt__(self, other: object) -> bool:
        number = _operand(other)
        return NotImplemented if number is None else self._order(number) > 0

    def __ge__(self, other: object) -> bool:
        number = _operand(other)
        return NotImplemented if number is None else self._order(number) >= 0

    def __hash__(self) -> int:
        return hash(float(self))

    def __neg__(self) -> ExactRatio:
        return ExactRatio(-self.numerator, self.denominator)

    def __add__(self, other: object) -> ExactRatio:
        number = _operand(other)
        if not isinstance(number, Fraction):
            return NotImplemented
        return ExactRatio(self.numerator + self.denominator * number, self.denominator)

    __radd__ = __add__

    def __rsub__(self, other: object) -> ExactRatio:
        return (-self).__add__(other)

    def __float__(self) -> float:
        """Return the nearest float."""
        digits = 18
        while True:  # it ends: the value is irrational, so no half-way point between two floats
            low, high = (float(end) for end in self.enclosure(digits))
            if low == high:
                return low
            digits *= 2

    def __repr__(self) -> str:
        return f"ExactRatio({self.numerator!r}, {self.denominator!r})"

    def __str__(self) -> str:
        exact = [str(part).partition(" ≈")[0] for part in (self.numerator, self.denominator)]
        above, below = (f"({part})" if " " in part else part for part in exact)
        return f"{above} / {below} ≈ {approximate(self.enclosure(9)[0])}"


def _operand(value: object) -> ExactRatio | Fraction | None:
    if isinstance(value, ExactRatio):
        return value
    if isinstance(value, int | Fraction | float):
        return as_fraction(value, "the other number")  # which refuses floats
    return None


def _natural(value: Value) -> LogSum:
    """Return a number in nats; of a quotient whose parts have one unit that changes nothing."""
    if isinstance(value, LogSum):
        return value if value.base is None else value.in_base(None)
    if isinstance(value, int | Fraction):
        return LogSum.of(value)
    raise InvalidTypeError(explain("the number", "rational or a LogSum", value, "take its enclosure"))


def _over_common_base(*values: LogSum) -> Iterator[dict[int, Fraction]]:
    """Yield the coefficients of each number over one coprime base; they are independent over the rationals."""
    base = CoprimeBase({n for value in values for _, n in value.terms})
    for value in values:
        written: dict[int, Fraction] = {}
        for coefficient, n in value.terms:
            for element, exponent in combine([(n, 1)], base).items():
                written[element] = written.get(element, Fraction(0)) + coefficient * exponent
        written[_CONSTANT] = value.constant
        yield {element: c for element, c in written.items() if c}


def _is_same(first: ExactRatio, second: ExactRatio) -> bool:
    """Say whether multiplying out gives the same polynomial in logarithms of coprime integers.

    Numerators and denominators are linear forms in these, and polynomials factor in one way only. Since
    neither ratio is rational, the products agree only if one ratio is the other, extended by a rational factor.
    """
    factor = quotient(first.numerator, second.numerator)
    return isinstance(factor, Fraction) and first.denominator == second.denominator * factor
