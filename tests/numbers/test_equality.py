"""Equality, hash, and what is rational: against the factorization into primes."""

import operator
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fstheory.errors import InvalidTypeError
from fstheory.numbers.logsum import LogSum, log
from tests.numbers.definition import Terms, check_copies, check_order, prime_coefficients
from tests.numbers.numbers import BASES, coefficients, spellings, terms

bases = st.sampled_from(BASES)
P, Q, R = 2**521 - 1, 2**607 - 1, 2**1279 - 1  # primes of Mersenne


def is_rational(sum_of: Terms, base: Fraction | None) -> Fraction | None:
    """Return the value of a sum of logarithms if it is a multiple of the logarithm of the base."""
    mine = prime_coefficients(sum_of)
    if not mine:
        return Fraction(0)
    if base is None:
        return None
    unit = prime_coefficients([(Fraction(1), base)])
    ratios = {mine.get(prime, Fraction(0)) / coefficient for prime, coefficient in unit.items()}
    return ratios.pop() if len(ratios) == 1 and mine.keys() == unit.keys() else None


@given(spellings(), coefficients, bases)
def test_two_spellings_of_a_number_are_equal(
    pair: tuple[Terms, Terms], constant: Fraction, base: Fraction | None
) -> None:
    first, second = (LogSum(spelling, constant, base=base) for spelling in pair)
    check_order(first, second, 0)
    assert hash(first) == hash(second)
    assert (first - second).sign() == 0
    if all(argument < 2**32 for _, argument in first.terms + second.terms):
        assert first.simplify().terms == second.simplify().terms or first.is_rational()
        assert str(first) == str(second) or "logarithm" in str(first) + str(second)


@given(terms, terms, coefficients, coefficients)
def test_equality_is_equality_of_the_prime_coefficients(
    first: Terms, second: Terms, one: Fraction, other: Fraction
) -> None:
    equal = prime_coefficients(first) == prime_coefficients(second) and one == other
    assert (LogSum(first, one) == LogSum(second, other)) is equal
    assert not equal or hash(LogSum(first, one)) == hash(LogSum(second, other))


@given(terms, coefficients, bases)
def test_a_number_that_is_rational_is_the_fraction(first: Terms, constant: Fraction, base: Fraction | None) -> None:
    number, value = LogSum(first, constant, base=base), is_rational(first, base)
    assert number.is_rational() is (value is not None)
    if value is not None:
        assert number == value + constant == number.as_fraction()
        assert value + constant == number
        assert hash(number) == hash(value + constant)
        assert number.enclosure(3) == (value + constant, value + constant)
        assert float(number) == float(value + constant)
    else:
        assert number != constant
        assert number != number + Fraction(1, 10**100)


@given(st.fractions(), bases)
def test_multiples_of_the_logarithm_of_the_base(value: Fraction, base: Fraction | None) -> None:
    for number in (LogSum.of(value), *([] if base is None else [LogSum([(value, base)], base=base)])):
        assert number == value
        assert hash(number) == hash(value)


def test_the_equalities_of_the_specification() -> None:
    for left, right in ((log(6), log(2) + log(3)), (2 * log(2), log(4)), (log(2, base=2), 1)):
        assert left == right
        assert hash(left) == hash(right)
    assert {log(6): "x"}[log(12) - log(2)] == "x"
    assert log(4, base=2) != log(5, base=2)


def test_hashes_of_different_numbers_differ() -> None:
    assert len({hash(log(n)) for n in range(1, 101)}) == len({hash(log(n, base=2)) for n in range(1, 101)}) == 100


def test_zero_in_many_forms() -> None:
    zeros = [LogSum(), log(1), log(6) - log(2) - log(3), 0 * log(5), log(2, base=2) - 1, log(P * Q) - log(P) - log(Q)]
    assert all(zero == 0 and zero.is_zero() and not zero and hash(zero) == 0 and zero.sign() == 0 for zero in zeros)
    assert len(set(zeros)) == len(set(map(float, zeros))) == 1


def test_arguments_of_thousands_of_bits_are_not_factored() -> None:
    one, other = log(P * Q) + log(Q * R) + log(P * P * R), 3 * log(P) + 2 * log(Q) + 2 * log(R)
    assert one == other
    assert hash(one) == hash(other)
    assert one != other + log(Fraction(P, P - 1))
    assert log(P * Q, base=P * Q) == 1
    assert log((P * Q) ** 6, base=(P * Q) ** 4) == Fraction(3, 2)
    assert not log(P * Q * Q, base=P * Q).is_rational()


def test_numbers_equal_in_two_bases_only_if_rational() -> None:
    assert log(8, base=2) == log(27, base=3)
    assert log(8, base=2) != log(27, base=9)
    assert log(8, base=2) + log(5) == 3 + log(5)
    assert log(5) + log(8, base=2) == 3 + log(5)
    assert log(8, base=2) < log(99)
    assert log(99) > log(8, base=2)
    for refused in (operator.eq, operator.lt, operator.add, operator.sub):
        with pytest.raises(InvalidTypeError, match=r"bases .* and .* cannot be mixed; .*in_base"):
            refused(log(3, base=2), log(3))
        with pytest.raises(InvalidTypeError, match=r"bases .* and .* cannot be mixed; .*in_base"):
            refused(log(3, base=2), log(3, base=3) + log(2, base=3))


def test_equality_with_other_things() -> None:
    assert log(2) != "log(2)"
    assert log(2) != None  # noqa: E711
    assert LogSum.of(1) == True  # noqa: E712
    assert LogSum.of(3) == np.int64(3)
    assert np.int64(3) == LogSum.of(3)
    for a_float in (0.5, np.float64(0.5), float("nan")):
        with pytest.raises(InvalidTypeError, match="cannot be combined or compared with the float"):
            _ = LogSum.of("1/2") == a_float


@given(terms, coefficients, bases)
def test_copies_are_equal(first: Terms, constant: Fraction, base: Fraction | None) -> None:
    check_copies(LogSum(first, constant, base=base))


def test_repr_of_numbers_too_long_for_python_to_write() -> None:
    check_copies(LogSum([(Fraction(1, 10**6000), 10**5000)], 10**7000))


def test_lowest_terms_and_order_of_the_terms() -> None:
    number = LogSum([(Fraction(2, 4), 9), (1, Fraction(5, 9)), ("3/6", 9), (5, 1)])
    assert number.terms == ((Fraction(1), 5),)
    assert repr(number) == "LogSum([(1, 5)])"
    assert log(Fraction(12, 5)).simplify().terms == ((Fraction(2), 2), (Fraction(1), 3), (Fraction(-1), 5))
    assert log(4).in_base(2).in_base(None) == log(4)
    assert LogSum.of(1).base is None
    assert LogSum((), 3, base=2).in_base(None) == log(8)


def test_logarithms_that_add_up_to_nothing_leave_the_constant() -> None:
    for constant in (5, Fraction(-1, 3), 0):
        assert LogSum([(1, 6), (-1, 2), (-1, 3)], constant).as_fraction() == constant
