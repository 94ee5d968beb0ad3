"""Enclosures, floats and decimals of exact real numbers, to any number of digits."""

from __future__ import annotations

import abc
from fractions import Fraction
from typing import TYPE_CHECKING

from fstheory._rational import approximate, as_index
from fstheory.errors import TooLargeError, explain
from fstheory.logsum.balls import FIRST_PRECISION, ends, growing

if TYPE_CHECKING:
    from flint import arb

__all__ = ["Enclosed"]


_MOST_DIGITS = 10**7


def _checked(digits: int) -> int:
    number = as_index(digits, "digits", at_least=1)
    if number > _MOST_DIGITS:
        raise TooLargeError(explain("digits", f"at most {_MOST_DIGITS}", digits, "ask for fewer"))
    return number


class Enclosed(abc.ABC):
    """A real number that can be enclosed at any precision, and knows whether it is rational."""

    __slots__ = ("_first_ball",)

    _first_ball: arb | None

    @abc.abstractmethod
    def _ball(self, precision: int) -> arb:
        """Enclose the value, computing with so many bits."""

    @abc.abstractmethod
    def _rational_value(self) -> Fraction | None:
        """Return the value if it is rational."""

    def _enclose(self, precision: int) -> arb:
        if precision != FIRST_PRECISION:
            return self._ball(precision)
        if self._first_ball is None:
            self._first_ball = self._ball(precision)
        return self._first_ball

    def _floor(self, bits: int) -> int:
        """Return ``floor(value * 2**bits)`` of an irrational value, which no enclosure straddles for ever."""
        for precision in growing():
            lower, upper = (end * 2**bits // 1 for end in ends(self._enclose(precision)))
            if lower == upper:
                return int(lower)
        raise AssertionError("the precisions never end")

    def enclosure(self, digits: int = 15) -> tuple[Fraction, Fraction]:
        """Return a proven lower and upper bound that agree to so many significant digits.

        They differ by at most ``10**-digits`` times the absolute value, and are equal only if the value is rational.

        Examples
        --------
        >>> from fstheory.logsum import log
        >>> lower, upper = log(2).enclosure(30)
        >>> lower < log(2) < upper, upper - lower < Fraction(1, 10**30)
        (True, True)
        """
        digits = _checked(digits)
        value = self._rational_value()
        if value is not None:
            return value, value
        first = FIRST_PRECISION
        while 3 * first < 10 * digits + 24:  # fewer bits cannot be enough
            first *= 2
        for precision in growing(first):
            lower, upper = ends(self._enclose(precision))
            if (upper - lower) * 10**digits <= min(abs(lower), abs(upper)) and (lower > 0) == (upper > 0):
                return lower, upper
        raise AssertionError("the precisions never end")

    def __float__(self) -> float:
        """Return the nearest float."""
        for precision in growing():
            lower, upper = ends(self._enclose(precision))
            if (nearest := float(lower)) == float(upper):
                return nearest
            if precision == FIRST_PRECISION and (value := self._rational_value()) is not None:
                return float(value)
        raise AssertionError("the precisions never end")

    def decimal(self, digits: int = 6) -> str:
        """Return the value rounded to so many significant digits, as text.

        Examples
        --------
        >>> from fstheory.logsum import log
        >>> log(2).decimal(20)
        '0.69314718055994530942'
        """
        digits = _checked(digits)
        value = self._rational_value()
        if value is not None:
            return approximate(value, digits)
        finer = digits + 2
        while True:
            lower, upper = (approximate(end, digits) for end in self.enclosure(finer))
            if lower == upper:
                return lower
            finer *= 2

    def __format__(self, specification: str) -> str:
        return format(float(self), specification) if specification else str(self)
