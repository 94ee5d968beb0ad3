"""Quotients of exact numbers, compared exactly."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from fstheory._display import Shown
from fstheory._exact import approximate, as_fraction, as_index
from fstheory.errors import InvalidTypeError, InvalidValueError, explain
from fstheory.reals.coprime import CoprimeBase, combine
from fstheory.reals.logarithms import LogSum
from fstheory.reals.real import ExactReal

__all__ = ["ExactRatio", "quotient"]

_CONSTANT = 1  # stands for the number 1 among the elements of a coprime base, which are above 1


def quotient(numerator: Fraction | ExactReal, denominator: Fraction | ExactReal) -> Fraction | ExactRatio:
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
    >>> from fstheory.reals.ratio import quotient
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


def _natural(value: Fraction | ExactReal) -> LogSum:
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
