"""Exact sums by other means: trial division for equality, 400 digits for order; sums that are often equal."""

import copy
import importlib
import pickle
from collections.abc import Iterable
from decimal import Decimal
from fractions import Fraction
from typing import Any

from fstheory.numbers.logsum import LogSum
from fstheory.numbers.roots import RootSum, ShiftedRoot

mpmath: Any = importlib.import_module("mpmath")
NAMES = {"LogSum": LogSum, "RootSum": RootSum, "ShiftedRoot": ShiftedRoot}

Terms = Iterable[tuple[Fraction, Fraction | int]]


def primes_of(number: int) -> dict[int, int]:
    """Factor by trial division."""
    found: dict[int, int] = {}
    divisor = 2
    while divisor * divisor <= number:
        while number % divisor == 0:
            found[divisor] = found.get(divisor, 0) + 1
            number //= divisor
        divisor += 1
    if number > 1:
        found[number] = found.get(number, 0) + 1
    return found


def prime_coefficients(terms: Terms) -> dict[int, Fraction]:
    """Return the coefficient of the logarithm of each prime: unique, by the uniqueness of factorization."""
    found: dict[int, Fraction] = {}
    for coefficient, argument in terms:
        for number, sign in ((argument.numerator, 1), (argument.denominator, -1)):
            for prime, exponent in primes_of(number).items():
                found[prime] = found.get(prime, Fraction(0)) + sign * exponent * coefficient
    return {prime: coefficient for prime, coefficient in found.items() if coefficient}


def log_value(terms: Terms, constant: Fraction = Fraction(0), base: Fraction | None = None, digits: int = 400) -> Any:
    """Evaluate with mpmath."""
    with mpmath.workdps(digits):
        total = mpmath.fsum(_real(q) * mpmath.log(_real(r)) for q, r in terms)
        return _real(constant) + (total if base is None else total / mpmath.log(_real(base)))


def root_value(terms: Terms, constant: Fraction = Fraction(0), digits: int = 400) -> Any:
    """Evaluate with mpmath."""
    with mpmath.workdps(digits):
        return _real(constant) + mpmath.fsum(_real(q) * mpmath.sqrt(_real(r)) for q, r in terms)


def square_free(number: int) -> tuple[int, int]:
    """Return (s, m), m free of squares, with number == s * s * m."""
    outside = inside = 1
    for prime, exponent in primes_of(number).items():
        outside *= prime ** (exponent // 2)
        inside *= prime ** (exponent % 2)
    return outside, inside


def root_coefficients(terms: Terms) -> dict[int, Fraction]:
    """Return the coefficient of the root of each square-free integer: unique, those roots being independent."""
    found: dict[int, Fraction] = {}
    for coefficient, radicand in terms:
        if radicand:
            outside, inside = square_free(radicand.numerator * radicand.denominator)
            found[inside] = found.get(inside, Fraction(0)) + coefficient * outside / radicand.denominator
    return {inside: coefficient for inside, coefficient in found.items() if coefficient}


def sign_of(value: Any, digits: int = 400) -> int:
    """Return the sign of what mpmath found, asserting that it is no rounding error."""
    with mpmath.workdps(digits):
        assert abs(value) > mpmath.mpf(10) ** (30 - digits), "the oracle cannot tell"
        return 1 if value > 0 else -1


def _real(value: Fraction | int) -> Any:
    return mpmath.mpf(value.numerator) / value.denominator


def check_order(left: Any, right: Any, order: int) -> None:
    """Require of all operators that they know the sign of ``left - right``."""
    found = [left < right, left <= right, left == right, left != right, left >= right, left > right]
    assert found == [order < 0, order <= 0, order == 0, order != 0, order >= 0, order > 0]


def check_rounding(number: Any, value: Any, digits: int) -> None:
    """Require that enclosure, float and decimal are those of a value that mpmath found."""
    lower, upper = number.enclosure(digits)
    assert lower <= number <= upper
    assert upper - lower <= Fraction(1, 10**digits) * min(abs(lower), abs(upper))
    if number.is_rational():
        assert lower == upper
        return
    assert lower < number < upper
    with mpmath.workdps(400):
        assert _real(lower) < value < _real(upper)
        assert float(number) == float(value)
        assert Decimal(number.decimal(digits)) == Decimal(mpmath.nstr(value, digits, strip_zeros=False))


def check_copies(number: Any) -> None:
    """Require that pickles, copies and the repr are the number again."""
    hash(number)  # what a number remembers of itself does not travel
    again = pickle.loads(pickle.dumps(number))
    for other in (again, copy.copy(number), copy.deepcopy(number), eval(repr(number), NAMES)):
        assert other == number
        assert hash(other) == hash(number)
        assert repr(other) == repr(number)
    assert pickle.dumps(number) == pickle.dumps(again)
