"""Sums of roots of rationals, against square-free parts found by trial division, and of logarithms; to 400 digits."""

import math
from decimal import Decimal
from fractions import Fraction
from typing import Any

import mpmath  # type: ignore[import-untyped]
import numpy as np
import pytest
from hypothesis import given, strategies as st

from fstheory.errors import InvalidTypeError, InvalidValueError
from fstheory.numbers.logsum import LogSum, log
from fstheory.numbers.roots import RootSum, ShiftedRoot, sqrt
from tests.measures.literal import real
from tests.numbers import definition

HALF: Any = Fraction(1, 2)

inside = st.sampled_from([0, 1, 2, 3, 4, 5, 6, 8, 12, 18, 30, 257**2, 3 * 257**2, 2**33, 2 * 65537**2, 65537**3 * 5])
terms = st.lists(st.tuples(definition.coefficients, st.builds(Fraction, inside, inside.filter(bool))), max_size=5)


@given(terms, terms, definition.coefficients)
def test_equality_order_and_hash(first: definition.Pairs, second: definition.Pairs, constant: Fraction) -> None:
    left, right = RootSum(first, constant), RootSum(second)
    gap = first + [(-q, r) for q, r in second] + [(constant, Fraction(1))]
    order = definition.sign_of(definition.root_value(gap)) if definition.root_coefficients(gap) else 0
    definition.check_order(left, right, order)
    assert order or hash(left) == hash(right)
    assert (left - right).sign() == order
    assert abs(left - right) == order * (left - right)


@given(terms, definition.coefficients)
def test_the_rational_numbers_among_them(first: definition.Pairs, constant: Fraction) -> None:
    number, found = RootSum(first, constant), definition.root_coefficients([*first, (constant, Fraction(1))])
    assert number.is_rational() is (found.keys() <= {1})
    assert number.constant == found.get(1, 0)
    if number.is_rational():
        assert number == number.constant == number.as_fraction()
        assert (hash(number), str(number)) == (hash(number.constant), str(number.constant))
    else:
        assert number != number.constant
        with pytest.raises(InvalidValueError, match="must be rational"):
            number.as_fraction()


@given(terms, terms, definition.coefficients)
def test_arithmetic(first: definition.Pairs, second: definition.Pairs, by: Fraction) -> None:
    left, right = RootSum(first, by), RootSum(second)
    assert left + right == RootSum(first + second, by)
    assert left - right == RootSum(first + [(-q, r) for q, r in second], by)
    assert left * by == by * left == RootSum([(q * by, r) for q, r in first], by * by)
    everything = [*first, (by, Fraction(1))]
    assert left * right == right * left == RootSum([(q * p, r * s) for q, r in everything for p, s in second])
    assert left**2 == left * left >= 0
    assert left**0 == 1
    for coefficient, radicand in second:
        if coefficient and radicand:
            assert (left / RootSum([(coefficient, radicand)])) * RootSum([(coefficient, radicand)]) == left
            assert 1 / RootSum([(coefficient, radicand)]) == RootSum([(1 / coefficient, 1 / radicand)])


@given(terms, definition.coefficients, st.integers(1, 40))
def test_rounding_and_copies(first: definition.Pairs, constant: Fraction, digits: int) -> None:
    definition.check_rounding(RootSum(first, constant), definition.root_value(first, constant), digits)
    definition.check_copies(RootSum(first, constant))


def test_the_square_roots_of_squares_and_near_squares() -> None:
    assert sqrt(definition.P**2 * definition.Q**4) == definition.P * definition.Q**2
    assert sqrt(definition.P * definition.Q) * sqrt(definition.Q) == definition.Q * sqrt(definition.P)
    assert sqrt(definition.P * definition.Q**2) + sqrt(definition.P * 4) == (definition.Q + 2) * sqrt(definition.P)
    assert sqrt(definition.P * definition.Q**2 * 7) - definition.Q * sqrt(7 * definition.P) == 0
    assert sqrt(definition.P) + sqrt(definition.Q) != sqrt(definition.P + definition.Q)
    assert sqrt(2 * 257**2 * 2**40) == 257 * 2**20 * sqrt(2)
    for digits in (40, 400, 4000):
        tiny, root = Fraction(1, 10**digits), math.isqrt(6 * 10 ** (2 * digits))
        assert 1 < sqrt(1 + tiny) < 1 + tiny / 2
        assert sqrt(5 + 2 * root * tiny) < sqrt(2) + sqrt(3) < sqrt(5 + 2 * (root + 1) * tiny)


def test_beside_logarithms() -> None:
    """An irrational sum of logarithms is transcendental: never equal to a sum of roots, always comparable."""
    definition.check_order(sqrt(2), log(4), 1)
    definition.check_order(log(4), sqrt(2), -1)
    assert sqrt(4) == log(4, base=2)
    assert hash(sqrt(4)) == hash(log(4, base=2)) == hash(2)
    assert sqrt(2) + log(4, base=2) == log(4, base=2) + sqrt(2) == 2 + sqrt(2)
    assert log(4, base=2) * sqrt(2) == sqrt(8) == sqrt(2) * log(4, base=2)
    assert log(3) + sqrt(4) == log(3) + 2 == sqrt(4) + log(3)
    lower, upper = (Fraction(math.isqrt(2 * 100**60) + up, 10**60) for up in (0, 1))
    assert LogSum([(1, 3)], lower) - log(3) < sqrt(2) < LogSum([(1, 3)], upper) - log(3)
    mixtures = lambda: sqrt(2) + log(3), lambda: log(3) - sqrt(2), lambda: sqrt(2) * log(3), lambda: log(3) / sqrt(2)
    for mixed in mixtures:
        with pytest.raises(InvalidTypeError, match=r"must be .*rational, not .*; "):
            mixed()


def test_what_a_root_is_divided_by_and_raised_to() -> None:
    for one in (1, Fraction(1), np.int64(1), Decimal(1), RootSum.of(1)):
        assert one / sqrt(2) == sqrt(2) / 2 == sqrt("1/2")
    for undefined in (lambda: 1 / (1 + sqrt(2)), lambda: sqrt(2) ** -1, lambda: sqrt(2) ** HALF):
        with pytest.raises(TypeError):
            undefined()


# -- numbers q + sqrt(L) ---------------------------------------------------------------------------

RATIONALS = st.fractions(-4, 4, max_denominator=30)
RADICANDS = st.builds(lambda c, r: LogSum([(c, r)]), st.fractions(0, 3, max_denominator=9), st.integers(1, 9))


@given(RATIONALS, RADICANDS, RATIONALS)
def test_order_of_a_shifted_root_with_rationals(shift: Fraction, radicand: LogSum, other: Fraction) -> None:
    number = ShiftedRoot(shift, radicand)
    with mpmath.workdps(60):
        gap = mpmath.sqrt(definition.log_value(radicand.terms)) + real(shift - other)
        sign = 0 if abs(gap) < mpmath.mpf(10) ** -40 else 1 if gap > 0 else -1
    definition.check_order(number, other, sign)
    definition.check_order(other, number, -sign)
    assert (number - other).sign() == (other + number - 2 * other).sign() == sign
    lower, upper = number.enclosure(20)
    assert lower <= number <= upper
    assert float(lower) <= float(number) <= float(upper)
    definition.check_copies(number)
    assert number.is_rational() or (number.shift, number.radicands) == (shift, (radicand,))


def test_close_shifted_roots_are_decided() -> None:
    """The root of log 2 and its first 200 digits; and a radicand that the first enclosure does not part from 0."""
    near = ShiftedRoot(0, log(Fraction(10**60 + 1, 10**60)))
    assert near.decimal(10) == "1.000000000E-30"
    assert 0 < float(near) < 1e-29
    number = ShiftedRoot(0, log(2))
    lower, upper = number.enclosure(200)
    assert lower < number < upper < lower + Fraction(1, 10**199)
    assert number != lower


def test_rational_shifted_roots_equal_rationals() -> None:
    number = ShiftedRoot("1/2", "9/4")
    assert number == 2 == ShiftedRoot(0, "1/4", "9/4")
    assert (hash(number), str(number)) == (hash(Fraction(2)), "2")
    assert ShiftedRoot(1, log(1)) == 1
    assert ShiftedRoot(0, log(4, base=2)) < Fraction(3, 2)
    assert float(ShiftedRoot(0, 0)) == 0.0


def test_shifted_roots_beside_each_other() -> None:
    two = log(2)
    definition.check_order(ShiftedRoot(1, two), ShiftedRoot(1, log(3)), -1)
    definition.check_order(ShiftedRoot(1, two), ShiftedRoot(1, 0), 1)
    definition.check_order(ShiftedRoot(1, log(4)), ShiftedRoot(1, 2 * two), 0)
    definition.check_order(ShiftedRoot(1, two), ShiftedRoot(0, log(3)), 1)
    assert ShiftedRoot(1, two) + ShiftedRoot(2, log(8)) == ShiftedRoot(3, two, log(8))
    assert ShiftedRoot(1, two, 4 * two) == ShiftedRoot(1, 9 * two)
    number = ShiftedRoot("1/2", two, log(3))
    assert number - Fraction(1, 2) == ShiftedRoot(0, log(3), two)
    assert number > ShiftedRoot("1/2", two, log(3) - Fraction(1, 10**30))
    lower, upper = number.enclosure(80)
    assert lower < number < upper
    assert (number == "x") is False
    definition.check_copies(number)


def test_roots_of_logarithms_to_two_bases_are_not_put_together() -> None:
    """The quotient of the logarithms in one unit would be 1/4."""
    number = ShiftedRoot(0, log(3, base=2), 4 * log(3))
    with mpmath.workdps(30):
        exact = mpmath.sqrt(mpmath.log(3, 2)) + 2 * mpmath.sqrt(mpmath.log(3))
        assert number.decimal(20) == mpmath.nstr(exact, 20)
