"""Exact sums by other means: factorization for equality, 400 digits for order; and sums that are often equal."""

import copy
import pickle
from collections.abc import Iterable
from decimal import Decimal
from fractions import Fraction
from typing import Any

import mpmath  # type: ignore[import-untyped]
from hypothesis import strategies as st

from fstheory.numbers.logsum import LogSum
from fstheory.numbers.roots import RootSum, ShiftedRoot
from tests.measures.literal import primes, real

NAMES = {"LogSum": LogSum, "RootSum": RootSum, "ShiftedRoot": ShiftedRoot}

Terms = Iterable[tuple[Fraction, Fraction | int]]
Pairs = list[tuple[Fraction, Fraction]]
P, Q, R = 2**521 - 1, 2**607 - 1, 2**1279 - 1  # primes of Mersenne

bases = st.sampled_from([None, Fraction(2), Fraction(10), Fraction(3, 2), Fraction(36)])
coefficients = st.builds(Fraction, st.integers(-4, 4), st.integers(1, 4))
smooth = st.sampled_from([1, 2, 3, 4, 6, 8, 9, 12, 5, 7, 30, 210, 2**31 * 3, 2**33, 6**20, 65537**3])
arguments = st.builds(Fraction, smooth, smooth)
terms = st.lists(st.tuples(coefficients, arguments), max_size=6)


@st.composite
def spellings(draw: st.DrawFn) -> tuple[Pairs, Pairs]:
    """Draw two lists of terms with the same sum of logarithms: arguments split, powers taken in and out, inverses."""
    first = draw(terms)
    second: Pairs = list(first)
    for _ in range(draw(st.integers(0, 3))):
        rewritten: Pairs = []
        for q, r in second:
            by = draw(arguments)
            ways = [(q, r * by), (-q, by)], [(q / 3, r**3)], [(-q, 1 / r)], [(q / 2, r), (q / 2, r)]
            rewritten += draw(st.sampled_from(ways))
        second = draw(st.permutations(rewritten))
    return first, list(second)


def log_value(terms: Terms, constant: Fraction = Fraction(0), base: Fraction | None = None) -> Any:
    """Evaluate a sum of logarithms to 400 digits."""
    with mpmath.workdps(400):
        total = mpmath.fsum(real(q) * mpmath.log(real(r)) for q, r in terms)
        return real(constant) + (total if base is None else total / mpmath.log(real(base)))


def root_value(terms: Terms, constant: Fraction = Fraction(0)) -> Any:
    """Evaluate a sum of roots to 400 digits."""
    with mpmath.workdps(400):
        return real(constant) + mpmath.fsum(real(q) * mpmath.sqrt(real(r)) for q, r in terms)


def root_coefficients(terms: Terms) -> dict[int, Fraction]:
    """Return the coefficient of the root of each square-free integer: unique, those roots being independent."""
    found: dict[int, Fraction] = {}
    for coefficient, radicand in terms:
        if radicand:
            outside = inside = 1
            for prime, exponent in primes(radicand.numerator * radicand.denominator).items():
                outside *= prime ** (exponent // 2)
                inside *= prime ** (exponent % 2)
            found[inside] = found.get(inside, Fraction(0)) + coefficient * outside / radicand.denominator
    return {inside: coefficient for inside, coefficient in found.items() if coefficient}


def sign_of(value: Any) -> int:
    """Return the sign of what mpmath found, asserting that it is no rounding error."""
    with mpmath.workdps(400):
        assert abs(value) > mpmath.mpf(10) ** -370, "the oracle cannot tell"
        return 1 if value > 0 else -1


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
        assert real(lower) < value < real(upper)
        assert float(number) == float(value)
        assert Decimal(number.decimal(digits)) == Decimal(mpmath.nstr(value, digits, strip_zeros=False))


def check_copies(number: Any) -> None:
    """Require that pickles, copies and the repr, where it fits a line, are the number again."""
    hash(number)  # what a number remembers of itself does not travel
    again = pickle.loads(pickle.dumps(number))
    written = number if repr(number).startswith("<") else eval(repr(number), NAMES)
    for other in (again, copy.copy(number), copy.deepcopy(number), written):
        assert other == number
        assert hash(other) == hash(number)
        assert repr(other) == repr(number)
    assert pickle.dumps(number) == pickle.dumps(again)
