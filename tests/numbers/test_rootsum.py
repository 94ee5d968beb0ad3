"""Sums of square roots: against square-free parts found by trial division, and mpmath with 400 digits."""

import math
from decimal import Decimal
from fractions import Fraction
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
import sympy
from hypothesis import given, settings
from hypothesis import strategies as st

from fstheory.errors import InvalidTypeError, InvalidValueError, ZeroDivisorError
from fstheory.numbers.logsum import LogSum, log
from fstheory.numbers.roots import RootSum, sqrt
from tests.numbers.definition import check_copies, check_order, check_rounding, root_coefficients, root_value, sign_of
from tests.numbers.numbers import Pairs

HALF: Any = Fraction(1, 2)
P, Q = 2**521 - 1, 2**607 - 1  # primes of Mersenne

coefficients = st.builds(Fraction, st.integers(-4, 4), st.integers(1, 4))
inside = st.sampled_from([0, 1, 2, 3, 4, 5, 6, 8, 12, 18, 30, 257**2, 3 * 257**2, 2**33, 2 * 65537**2, 65537**3 * 5])
radicands = st.builds(Fraction, inside, inside.filter(bool))
terms = st.lists(st.tuples(coefficients, radicands), max_size=5)


@given(terms, terms, coefficients)
def test_equality_order_and_hash(first: Pairs, second: Pairs, constant: Fraction) -> None:
    left, right = RootSum(first, constant), RootSum(second)
    gap = first + [(-q, r) for q, r in second] + [(constant, Fraction(1))]
    order = sign_of(root_value(gap)) if root_coefficients(gap) else 0
    check_order(left, right, order)
    assert order or hash(left) == hash(right)
    assert (left - right).sign() == order
    assert abs(left - right) == order * (left - right)


@given(terms, coefficients)
def test_the_rational_numbers_among_them(first: Pairs, constant: Fraction) -> None:
    number, found = RootSum(first, constant), root_coefficients([*first, (constant, Fraction(1))])
    assert number.is_rational() is (found.keys() <= {1})
    assert number.constant == found.get(1, 0)
    if number.is_rational():
        assert number == number.constant == number.as_fraction()
        assert (hash(number), str(number)) == (hash(number.constant), str(number.constant))
    else:
        assert number != number.constant
        with pytest.raises(InvalidValueError, match="must be rational"):
            number.as_fraction()


@given(terms, terms, coefficients)
def test_arithmetic(first: Pairs, second: Pairs, by: Fraction) -> None:
    left, right = RootSum(first, by), RootSum(second)
    assert left + right == RootSum(first + second, by)
    assert left - right == RootSum(first + [(-q, r) for q, r in second], by)
    assert left * by == by * left == RootSum([(q * by, r) for q, r in first], by * by)
    everything = [*first, (by, Fraction(1))]
    assert left * right == right * left == RootSum([(q * p, r * s) for q, r in everything for p, s in second])
    assert left**2 == left * left >= 0
    assert left**0 == 1
    assert (left + right) * (left - right) == left**2 - right**2
    for coefficient, radicand in second:
        if coefficient and radicand:
            assert (left / RootSum([(coefficient, radicand)])) * RootSum([(coefficient, radicand)]) == left
            assert 1 / RootSum([(coefficient, radicand)]) == RootSum([(1 / coefficient, 1 / radicand)])


@given(terms, coefficients, st.integers(1, 40))
def test_rounding_and_copies(first: Pairs, constant: Fraction, digits: int) -> None:
    check_rounding(RootSum(first, constant), root_value(first, constant), digits)
    check_copies(RootSum(first, constant))


def test_the_square_roots_of_squares_and_near_squares() -> None:
    assert sqrt(P**2 * Q**4) == P * Q**2
    assert sqrt(P**2 * 3) == P * sqrt(3)
    assert sqrt(P * Q) * sqrt(Q) == Q * sqrt(P)
    assert sqrt(P * Q**2) + sqrt(P * 4) == (Q + 2) * sqrt(P)
    assert sqrt(P * Q**2 * 7) - Q * sqrt(7 * P) == 0
    assert sqrt(P) + sqrt(Q) != sqrt(P + Q)
    assert sqrt(2 * 257**2 * 2**40) == 257 * 2**20 * sqrt(2)
    assert sqrt(0) == 0
    assert len({hash(sqrt(n)) for n in range(100)}) == 100
    for digits in (40, 400, 4000):
        tiny = Fraction(1, 10**digits)
        assert 1 < sqrt(1 + tiny) < 1 + tiny / 2
        assert sqrt(2) + sqrt(3) < sqrt(5 + 2 * Fraction(math.isqrt(6 * 10 ** (2 * digits)) + 1, 10**digits))
        assert sqrt(2) + sqrt(3) > sqrt(5 + 2 * Fraction(math.isqrt(6 * 10 ** (2 * digits)), 10**digits))


def test_a_famous_near_tie() -> None:
    """Sums of three roots of integers below 100 that agree in many digits, yet differ."""
    numbers = [RootSum([(1, a), (1, b), (1, c)]) for a in range(1, 15) for b in range(a, 15) for c in range(b, 15)]
    ordered = sorted(numbers)
    for one, other in pairwise(ordered):
        gap = [(q, Fraction(r)) for q, r in (*one.terms, *((-q, r) for q, r in other.terms))]
        gap.append((one.constant - other.constant, Fraction(1)))
        if root_coefficients(gap):
            assert sign_of(root_value(gap)) == -1
            assert one < other
        else:
            assert one == other


def test_beside_logarithms() -> None:
    """An irrational sum of logarithms is transcendental: never equal to a sum of roots, always comparable."""
    assert sqrt(2) != log(4)
    assert log(4) < sqrt(2)
    assert sqrt(2) > log(4)
    assert sqrt(4) == log(4, base=2)
    assert hash(sqrt(4)) == hash(log(4, base=2)) == hash(2)
    assert sqrt(2) + log(4, base=2) == log(4, base=2) + sqrt(2) == 2 + sqrt(2)
    assert log(4, base=2) * sqrt(2) == sqrt(8) == sqrt(2) * log(4, base=2)
    assert log(3) + sqrt(4) == log(3) + 2 == sqrt(4) + log(3)
    lower, upper = (Fraction(math.isqrt(2 * 100**60) + up, 10**60) for up in (0, 1))
    assert LogSum([(1, 3)], lower) - log(3) < sqrt(2) < LogSum([(1, 3)], upper) - log(3)
    assert log(3) * lower < sqrt(2) * 2
    mixtures = lambda: sqrt(2) + log(3), lambda: log(3) - sqrt(2), lambda: sqrt(2) * log(3), lambda: log(3) / sqrt(2)
    for mixed in mixtures:
        with pytest.raises(InvalidTypeError, match=r"must be .*rational, not .*; "):
            mixed()


def test_operands() -> None:
    for one in (1, Fraction(1), np.int64(1), Decimal(1), RootSum.of(1)):
        assert one + sqrt(2) == sqrt(2) + one == RootSum([(1, 2)], 1)
        assert one - sqrt(2) == -(sqrt(2) - one)
        assert one / sqrt(2) == sqrt(2) / 2 == sqrt("1/2")
        assert one < sqrt(2) > one
    total: Any = sum([sqrt(2), sqrt(8), 1])
    assert total == 1 + 3 * sqrt(2)
    for wrong in (lambda: sqrt(2) + 0.5, lambda: sqrt(2) < 0.5, lambda: sqrt(2) == 0.5, lambda: sqrt(2) * True):
        with pytest.raises(InvalidTypeError):
            wrong()
    for undefined in (lambda: 1 / (1 + sqrt(2)), lambda: sqrt(2) ** -1, lambda: sqrt(2) ** HALF):
        with pytest.raises(TypeError):
            undefined()
    for by_zero in (lambda: sqrt(2) / 0, lambda: sqrt(2) / RootSum(), lambda: 1 / RootSum()):
        with pytest.raises(ZeroDivisorError):
            by_zero()


@settings(max_examples=15)
@given(terms, terms)
def test_sympy_agrees(first: Pairs, second: Pairs) -> None:
    left, right = RootSum(first), RootSum(second)
    assert (sympy.expand(left.to_sympy() - right.to_sympy()) == 0) is (left == right)
    product: Any = sympy.expand(left.to_sympy() * right.to_sympy())
    assert sympy.expand(product - (left * right).to_sympy()) == 0
