"""Sums of logarithms: equality against factors, order against 400 digits, arithmetic; and how numbers are written."""

import math
import operator
from decimal import Decimal
from fractions import Fraction
from itertools import combinations
from typing import Any

import mpmath  # type: ignore[import-untyped]
import numpy as np
import pytest
from hypothesis import assume, example, given, strategies as st

from fstheory.errors import InvalidTypeError, InvalidValueError, ZeroDivisorError
from fstheory.numbers.logsum import CoprimeBase, LogSum, LogSums, log, quotient
from fstheory.numbers.roots import RootSum, ShiftedRoot, sqrt
from tests.measures.literal import logs, primes, real
from tests.numbers import definition
from tests.numbers.definition import P, Pairs, Q, R, Terms, bases, check_order, coefficients, log_value, terms

# -- the coprime base ------------------------------------------------------------------------------

PRIME, OTHER = 2**61 - 1, 2**89 - 1
BIG = [PRIME, OTHER, 2**107 - 1, 2**127 - 1, 65537, 257, 2**32 + 15]
products = st.lists(st.sampled_from([1, 2, 3, 5, 251, 257, 4099, *BIG]), min_size=1, max_size=5).map(math.prod)


@given(st.lists(products, min_size=1, max_size=12))
@example([PRIME**k * OTHER ** (60 - k) for k in range(61)])
@example([PRIME * OTHER, PRIME**2 * OTHER])
@example([PRIME**3 * OTHER, PRIME * OTHER])
@example([PRIME * OTHER * 65537, PRIME**4 * OTHER**2 * 65537])
@example([PRIME**3 * OTHER, (PRIME * OTHER) ** 2, PRIME * OTHER * OTHER])
def test_every_number_is_a_product_of_coprime_elements(numbers: list[int]) -> None:
    written = list(CoprimeBase(numbers).exponents(numbers))
    assert [math.prod(element**exponent for element, exponent in factors) for factors in written] == numbers
    elements = {element for factors in written for element, _ in factors}
    assert all(math.gcd(one, other) == 1 for one, other in combinations(elements, 2))
    assert min(elements, default=2) > 1
    assert all(exponent > 0 for factors in written for _, exponent in factors)


@given(st.lists(st.integers(1, 5000), min_size=1, max_size=8))
def test_small_numbers_are_factored(numbers: list[int]) -> None:
    assert [dict(factors) for factors in CoprimeBase(numbers).exponents(numbers)] == list(map(primes, numbers))


# -- equality --------------------------------------------------------------------------------------


@given(definition.spellings(), coefficients, bases)
def test_two_spellings_of_a_number_are_equal(pair: tuple[Terms, Terms], constant: Fraction, base: Any) -> None:
    first, second = (LogSum(spelling, constant, base=base) for spelling in pair)
    check_order(first, second, 0)
    assert hash(first) == hash(second)
    assert (first - second).sign() == 0
    if all(argument < 2**32 for _, argument in first.terms + second.terms):
        assert first.simplify().terms == second.simplify().terms or first.is_rational()
        assert str(first) == str(second) or "logarithm" in str(first) + str(second)


@given(terms, coefficients, bases)
def test_a_number_that_is_rational_is_the_fraction(first: Terms, constant: Fraction, base: Fraction | None) -> None:
    number, mine = LogSum(first, constant, base=base), logs(first)
    unit = {} if base is None else logs([(Fraction(1), base)])
    ratios = {mine.get(prime, Fraction(0)) / coefficient for prime, coefficient in unit.items()}
    rational = not mine or (len(ratios) == 1 and mine.keys() == unit.keys())
    assert number.is_rational() is rational
    if rational:
        value = constant + (ratios.pop() if mine else 0)
        assert value == number == value == number.as_fraction()
        assert hash(number) == hash(value)
        assert number.enclosure(3) == (value, value)
        assert float(number) == float(value)
    else:
        assert number != constant
        assert number != number + Fraction(1, 10**100)


def test_arguments_of_thousands_of_bits_are_not_factored() -> None:
    one, other = log(P * Q) + log(Q * R) + log(P * P * R), 3 * log(P) + 2 * log(Q) + 2 * log(R)
    assert one == other
    assert hash(one) == hash(other)
    assert one != other + log(Fraction(P, P - 1))
    assert log((P * Q) ** 6, base=(P * Q) ** 4) == Fraction(3, 2)
    assert not log(P * Q * Q, base=P * Q).is_rational()


def test_numbers_equal_in_two_bases_only_if_rational() -> None:
    assert log(8, base=2) == log(27, base=3) != log(27, base=9)
    assert log(8, base=2) + log(5) == 3 + log(5) == log(5) + log(8, base=2)
    assert log(8, base=2) < log(99) > log(8, base=2)
    for refused in (operator.eq, operator.lt, operator.add, operator.sub):
        for other in (log(3), log(3, base=3) + log(2, base=3)):
            with pytest.raises(InvalidTypeError, match=r"bases .* and .* cannot be mixed; .*in_base"):
                refused(log(3, base=2), other)


def test_equality_with_other_things() -> None:
    assert log(2) != "log(2)"
    assert log(2) != None  # noqa: E711
    assert LogSum.of(1) == True  # noqa: E712
    assert LogSum.of(3) == np.int64(3) == LogSum.of(3)
    for a_float in (0.5, np.float64(0.5), float("nan")):
        for number in (LogSum.of("1/2"), sqrt(2)):
            with pytest.raises(InvalidTypeError, match="cannot be combined or compared with the float"):
                _ = number == a_float


@given(terms, coefficients, bases)
def test_copies_are_equal(first: Terms, constant: Fraction, base: Fraction | None) -> None:
    definition.check_copies(LogSum(first, constant, base=base))


def test_repr_of_numbers_too_long_for_python_to_write() -> None:
    definition.check_copies(LogSum([(Fraction(1, 10**6000), 10**5000)], 10**7000))


def test_lowest_terms_and_units() -> None:
    number = LogSum([(Fraction(2, 4), 9), (1, Fraction(5, 9)), ("3/6", 9), (5, 1)])
    assert number.terms == ((Fraction(1), 5),)
    assert repr(number) == "LogSum([(1, 5)])"
    assert log(Fraction(12, 5)).simplify().terms == ((Fraction(2), 2), (Fraction(1), 3), (Fraction(-1), 5))
    assert log(4).in_base(2).in_base(None) == log(4)
    assert LogSum.of(1).base is None
    assert LogSum((), 3, base=2).in_base(None) == log(8)
    assert LogSum([(1, 6), (-1, 2), (-1, 3)], Fraction(-1, 3)).as_fraction() == Fraction(-1, 3)


# -- order -----------------------------------------------------------------------------------------


@pytest.mark.quick
@given(terms, terms, coefficients, coefficients, bases)
def test_order_is_that_of_the_values(first: Pairs, second: Pairs, one: Fraction, other: Fraction, base: Any) -> None:
    left, right = LogSum(first, one, base=base), LogSum(second, other, base=base)
    unit = [] if base is None else [(one - other, base)]
    gap = first + [(-q, r) for q, r in second]
    same = not logs(gap + unit) and (base is not None or one == other)
    order = 0 if same else definition.sign_of(log_value(gap, one - other, base))
    check_order(left, right, order)
    assert order or hash(left) == hash(right)
    assert (left - right).sign() == order
    assert abs(left - right) == (left - right) * order
    assert bool(left - right) is bool(order) is not (left - right).is_zero()


@given(terms, st.fractions(max_denominator=10**6), bases)
def test_order_beside_rationals(first: Terms, value: Fraction, base: Fraction | None) -> None:
    number = LogSum(first, base=base)
    assume(not number.is_rational())
    order = definition.sign_of(log_value(first, -value, base))
    check_order(number, value, order)
    check_order(value, number, -order)


@given(terms, coefficients, bases, st.integers(1, 60))
def test_enclosure_float_and_decimal(first: Terms, constant: Fraction, base: Fraction | None, digits: int) -> None:
    definition.check_rounding(LogSum(first, constant, base=base), log_value(first, constant, base), digits)


@pytest.mark.parametrize("digits", [40, 400, 4000])
def test_near_ties_are_decided(digits: int) -> None:
    tiny = Fraction(1, 10**digits)
    assert tiny - tiny**2 < log(1 + tiny) < tiny
    assert log(2) + log(3) < log(6 + tiny)
    assert log(6 - tiny) < log(2) + log(3)
    lower, upper = log(2).enclosure(digits)
    assert lower < log(2) < upper
    assert log(2, base=3) < log(2 + tiny, base=3)
    assert LogSum([(1, 9)], -tiny, base=3) < 2 < LogSum([(1, 9)], tiny, base=3)
    assert log(1 + tiny).sign() == 1
    assert len({hash(log(2)), hash(log(2) + tiny * 10**30)}) == (2 if digits == 40 else 1)  # equal hash, other number
    assert log(2) != log(2) + tiny


def test_a_float_that_rounds_by_a_hair() -> None:
    """Just above and below the midpoint of two floats, and above the largest float."""
    middle = Fraction(1) + Fraction(1, 2**53)
    tiny = Fraction(1, 10**200)
    assert float(log(1 + tiny) + middle) == 1 + 2**-52
    assert float(log(1 - tiny) + middle) == 1.0
    assert float(log(2, base=2) * middle) == float(middle) == 1.0
    assert float(log(2) * Fraction(1, 2**1080)) == 0.0
    assert math.ulp(0.0) == float(log(2) * Fraction(1, 2**1074))
    with pytest.raises(OverflowError):
        float(log(2) * 2**2000)


# -- arithmetic ------------------------------------------------------------------------------------


@given(terms, terms, coefficients, coefficients, bases)
def test_sums_and_multiples(first: Pairs, second: Pairs, one: Fraction, by: Fraction, base: Fraction | None) -> None:
    left, right = LogSum(first, one, base=base), LogSum(second, base=base)
    assert left + right == right + left == LogSum(first + second, one, base=base)
    assert left - right == LogSum(first + [(-q, r) for q, r in second], one, base=base)
    assert left * by == by * left == LogSum([(q * by, r) for q, r in first], one * by, base=base)
    assert -left == left * -1 == 0 - left
    assert +left == left
    assert not by or left / by == left * (1 / by)
    addends: list[Any] = [left, right, by]
    assert sum(addends) == left + right + by
    assert by - left == -(left - by)


@given(st.lists(st.tuples(terms, coefficients, st.integers(-9, 9)), min_size=1, max_size=5), st.data())
def test_weighted_sums_in_one_pass(parts: list[tuple[Pairs, Fraction, int]], data: st.DataObject) -> None:
    """With small and huge coefficients and weights, so that sums fit a machine word, or only just, or do not."""
    base, scale = data.draw(bases), data.draw(st.sampled_from([1, 2**40, 2**58, 2**61, 2**62, 2**63, 10**40]))
    large, below = data.draw(st.sampled_from([1, scale])), data.draw(st.integers(1, 10**6))
    values = [LogSum(pairs, one, base=base) * large for pairs, one, _ in parts]
    weights = [weight * scale for _, _, weight in parts]
    products: list[Any] = [value * Fraction(weight, below) for value, weight in zip(values, weights, strict=True)]
    found, wanted = LogSums(values).weighted(weights, below), sum(products[1:], products[0])
    assert repr(found) == repr(wanted)
    assert found == wanted


def test_weighted_sums_of_nothing_and_by_nothing() -> None:
    """A huge number that counts as nothing, and nothing that counts much, do not fit a machine word."""
    assert LogSums([log(2) * 10**40, log(3)]).weighted([0, 2], 4) == log(3) / 2
    assert LogSums([log(2) * 10**40]).weighted([0], 1) == 0
    assert LogSums([log(1)]).weighted([10**40], 1) == 0


@pytest.mark.parametrize("number", [log(2), sqrt(2)])
def test_operands_of_many_kinds(number: Any) -> None:
    kind = type(number)
    for one in (1, Fraction(1), np.int64(1), Decimal(1), kind.of(1), log(2, base=2), sqrt(1)):
        assert all(isinstance(found, kind) for found in (one + number, number + one))
        assert one + number == number + one == kind([(1, 2)], 1)
        assert one - number == -(number - one) == kind([(-1, 2)], 1)
        assert one * number == number * one == number / one == number
        assert (one < number) is not (number < one)


@pytest.mark.parametrize("number", [log(2), sqrt(2)])
@pytest.mark.parametrize("wrong", [0.5, np.float64(0.25), True, "1/2", None, 1j, [1]])
def test_what_cannot_be_combined(wrong: Any, number: Any) -> None:
    ways = (operator.add, operator.sub, operator.mul, operator.truediv, *([] if wrong is True else [operator.lt]))
    for combine in ways:
        for pair in ((number, wrong), (wrong, number)):
            with pytest.raises(TypeError):
                combine(*pair)


@pytest.mark.parametrize("number", [log(2), sqrt(2)])
def test_nothing_is_divided_by_zero(number: Any) -> None:
    zero = type(number)()
    for by_zero in (lambda: number / 0, lambda: number / zero, lambda: 1 / zero):
        with pytest.raises(ZeroDivisorError, match="the divisor must be other than 0, not 0"):
            by_zero()


def test_sums_of_logarithms_are_multiplied_and_divided_if_one_is_rational() -> None:
    assert 6 / LogSum.of(4) == Fraction(3, 2)
    assert 3 / log(8, base=2) == 1
    assert log(3) * log(8, base=2) == log(27)
    for combine in (lambda: log(2) * log(3), lambda: log(2) / log(3), lambda: 1 / log(3)):
        with pytest.raises(InvalidTypeError, match="must be rational, not LogSum"):
            combine()


# -- quotients -------------------------------------------------------------------------------------


@given(terms, terms, coefficients)
def test_a_quotient_is_that_of_the_values(above: Pairs, below: Pairs, number: Fraction) -> None:
    assume(LogSum(below) != 0)
    ratio = quotient(LogSum(above), LogSum(below))
    with mpmath.workdps(400):
        value = log_value(above) / log_value(below)
        if isinstance(ratio, Fraction):
            assert abs(real(ratio) - value) < mpmath.mpf(10) ** -370
            return
        assert ratio.denominator > 0
        for found, expected in (
            (ratio, value),
            (ratio + number, value + real(number)),
            (number - ratio, real(number) - value),
        ):
            definition.check_rounding(found, expected, 20)
    assert ratio == quotient(LogSum(above) * -3, LogSum(below) * -3) != ratio + 1


def test_quotients_whose_products_are_equal_though_no_factor_is() -> None:
    third = quotient(log(3), log(2))
    assert third == quotient(log(3, base=2), log(2, base=2)) > quotient(log(5), log(3))
    assert quotient(log(4), log(9)) == quotient(log(8), log(27))  # log 4 log 27 = log 8 log 9
    assert [quotient(log(8), log(4)), quotient(log(8) + 3, log(2) + 1)] == [Fraction(3, 2), 3]
    assert (float(third), str(third + 1)) == (1.584962500721156, "log(6) / log(2) ≈ 2.58496")
    with pytest.raises(InvalidTypeError):
        _ = third < 1.5
    with pytest.raises(InvalidValueError, match="the denominator must be other than 0"):
        quotient(log(3), log(4) - 2 * log(2))


# What a number looks like, of whatever kind.

HALF = Fraction(1, 2)
THREE = r"\log 5 + \frac{1}{3}\,\log 7 - \frac{1}{2}\,\log 3"
SHIFTED = r"\frac{1}{4} + \sqrt{\frac{1}{2}\,\log 2}"


@pytest.mark.parametrize(
    ("number", "plain", "latex"),
    [
        (LogSum(), "0", "0"),
        (LogSum.of("-3/4"), "-3/4", r"-\frac{3}{4}"),
        (log(6), "log(6) ≈ 1.79176", r"\log 6"),
        (log(2) + log(3), "log(6) ≈ 1.79176", r"\log 6"),
        (log("2/3"), "-log(3/2) ≈ -0.405465", r"-\log \frac{3}{2}"),
        (log(2) * HALF - log(5), "1/2*log(2) - log(5) ≈ -1.26286", r"\frac{1}{2}\,\log 2 - \log 5"),
        (log(5) - log(3) / 2 + log(7) / 3, "log(5) + 1/3*log(7) - 1/2*log(3) ≈ 1.70877", THREE),
        (1 - log(2), "1 - log(2) ≈ 0.306853", r"1 - \log 2"),
        (log(3, base=2), "log_2(3) ≈ 1.58496", r"\log_{2} 3"),
        (log(3, base="3/2"), "log_(3/2)(3) ≈ 2.70951", r"\log_{3/2} 3"),
        (log(8, base=2), "3", "3"),
        (log(10**99), "≈227.956 (1 logarithm)", r"\approx 227.956"),
        (log(2) * Fraction(1, 7**99), "≈1.50010E-84 (1 logarithm)", r"\approx 1.50010 \cdot 10^{-84}"),
        (RootSum(), "0", "0"),
        (sqrt("9/16"), "3/4", r"\frac{3}{4}"),
        (sqrt(8), "2*sqrt(2) ≈ 2.82843", r"2\,\sqrt{2}"),
        (1 - sqrt("1/2"), "1 - 1/2*sqrt(2) ≈ 0.292893", r"1 - \frac{1}{2}\,\sqrt{2}"),
        (ShiftedRoot("1/4", log(2) / 2), "1/4 + sqrt(1/2*log(2)) ≈ 0.838705", SHIFTED),
        (sqrt(2**521 - 1), "≈2.62008E+78 (1 square root)", r"\approx 2.62008 \cdot 10^{78}"),
    ],
)
def test_text(number: LogSum | RootSum | ShiftedRoot, plain: str, latex: str) -> None:
    assert str(number) == f"{number}" == plain
    assert number.to_latex() == latex


def test_a_notebook_shows_the_decimal_beside_the_formula() -> None:
    assert log(6)._repr_latex_() == r"$\log 6 \approx 1.79176$"
    assert LogSum.of("-3/4")._repr_latex_() == r"$-\frac{3}{4} = -0.75$"
    assert LogSum.of(3)._repr_latex_() == "$3$"
    assert sqrt(8)._repr_latex_() == r"$2\,\sqrt{2} \approx 2.82843$"
    assert ShiftedRoot("1/4", log(2) / 2)._repr_latex_() == rf"${SHIFTED} \approx 0.838705$"
    assert log(10**99)._repr_latex_() == r"$\approx 227.956$"
    merged = LogSum([(Fraction(1, 1000 + n), 210 * n) for n in range(2, 12)])  # ten terms, of more primes
    assert merged._repr_latex_() == rf"$\approx {merged.decimal()}$"


def test_many_terms_are_counted_not_shown() -> None:
    assert "≈" in str(LogSum.of(Fraction(1, 7**99)))
    large = ShiftedRoot(0, LogSum((1, n) for n in range(10**20, 10**20 + 40)))
    assert str(large).startswith("≈")
    assert large.to_latex().startswith(r"\approx")
    many = LogSum([(Fraction(1, n), n) for n in range(2, 40)])
    assert str(many) == f"≈{many.decimal()} (38 logarithms)"
    assert many.to_latex() == rf"\approx {many.decimal()}"


def test_a_number_is_formatted_like_a_float() -> None:
    assert f"{log(2):.3f} {log(2):>8.2f} {ShiftedRoot(0, log(2)):.3f}" == "0.693     0.69 0.833"


def test_a_logarithm_near_the_middle_of_two_decimals() -> None:
    """Of a fraction that is hardly above or below the exponential of 0.1234565."""
    x = Fraction("0.1234565")
    exponential = sum((x**k / math.factorial(k) for k in range(40)), Fraction(0))
    for shift, expected in ((1, "0.123457"), (-1, "0.123456")):
        argument = (exponential + Fraction(shift, 10**25)).limit_denominator(10**30)
        assert log(argument).decimal(6) == expected
