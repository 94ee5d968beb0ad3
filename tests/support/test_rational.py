"""Exact numbers at the boundary: what may be written is read exactly, and what is written is read back."""

import math
from decimal import MAX_EMAX, MIN_EMIN, ROUND_CEILING, ROUND_FLOOR, Context, Decimal, localcontext
from fractions import Fraction

import numpy as np
import pytest
import sympy
from hypothesis import given, strategies as st
from scipy import stats

from fstheory._support import exact
from fstheory.errors import InvalidFormatError, InvalidTypeError, InvalidValueError
from tests.refusals import cases

small = st.fractions()
wide = st.builds(lambda a, b, k: Fraction(a * 7**k + b, 3**k + 1), st.integers(), st.integers(), st.integers(0, 9000))


@given(small | wide)
def test_text_round_trip(value: Fraction) -> None:
    """Also beyond the 4300 digits where Python's own conversions stop."""
    assert exact.parse_fraction(exact.exact_text(value)) == value


@pytest.mark.parametrize("digits", [3999, 4000, 4001, 4300, 4301, 8000, 8001, 50_000])
def test_round_trip_around_the_chunk_size(digits: int) -> None:
    for value in (10**digits, 10**digits - 1, -(10**digits) + 1, 10**digits + 10 ** (digits // 2)):
        text = exact.exact_text(value)
        assert exact.parse_fraction(text) == value
        assert text.lstrip("-")[0] != "0"


@given(st.integers(), st.integers(0, 10**9), st.integers(-400, 400))
def test_decimals_are_decimals(whole: int, part: int, exponent: int) -> None:
    """The same text means the same number to Decimal, which is exact here."""
    text = f"{whole}.{part}e{exponent}"
    assert exact.as_fraction(text) == Fraction(Decimal(text)) == exact.as_fraction(Decimal(text))


WRITTEN = {"3/8": Fraction(3, 8), " 0.05 ": Fraction(1, 20), "+2": 2, "-1.5e-3": Fraction(-3, 2000), "5.": 5}
WRITTEN |= {"1.5/2": Fraction(3, 4), "-0": 0, "6 / 4": Fraction(3, 2), "1e5": 100000, ".2": Fraction(1, 5)}
WRITTEN |= {"-.25e1": Fraction(-5, 2), "+.5/2": Fraction(1, 4)}


@pytest.mark.parametrize(("text", "value"), WRITTEN.items())
def test_ways_to_write(text: str, value: Fraction) -> None:
    assert exact.as_fraction(text) == value


REFUSED: dict[type[Exception], list[object]] = {
    InvalidFormatError: ["", ".", "1/2/3", "1/-2", "1_000", "٣", "½", "1e", "0x10", "nan", "1/2\n3", "1,5", "1/0"],
    InvalidTypeError: [0.5, np.float32(0.5), True, np.True_, None, 1j, b"1", [1], math.nan, sympy.pi],
    InvalidValueError: [Decimal("Infinity"), Decimal("NaN"), Decimal("sNaN")],
}


@pytest.mark.parametrize(("value", "error"), cases(REFUSED))
def test_what_is_no_exact_number(value: object, error: type[Exception]) -> None:
    with pytest.raises(error):
        exact.as_fraction(value)


def test_number_towers() -> None:
    for value in (np.int8(3), np.uint64(3), sympy.Integer(3), Fraction(3), Decimal(3), 3):
        assert exact.as_fraction(value) == 3
        assert type(exact.as_fraction(value).numerator) is int
    assert exact.as_fraction(sympy.Rational(3, 8)) == Fraction(3, 8)
    assert type(exact.as_index(np.int16(3), "k")) is int
    assert exact.as_fraction(1, at_least=1, at_most=1) == 1


@given(st.lists(small))
def test_common_denominator(values: list[Fraction]) -> None:
    integers, denominator = exact.integers_over(values)
    assert [Fraction(i, denominator) for i in integers] == values
    assert denominator > 0
    assert math.gcd(denominator, *integers) == 1


@given(small, st.integers(1, 30))
def test_approximation_is_the_rounded_number(value: Fraction, digits: int) -> None:
    error = abs(Fraction(exact.decimal_text(value, digits)) - value)
    assert error <= abs(value) * Fraction(1, 2 * 10 ** (digits - 1))


@given(small, st.integers(1, 30))
def test_a_bound_that_is_rounded_stays_a_bound(value: Fraction, digits: int) -> None:
    low, high = (Fraction(exact.decimal_text(value, digits, way)) for way in (ROUND_FLOOR, ROUND_CEILING))
    assert low <= value <= high
    assert high - low <= abs(value) * Fraction(1, 10 ** (digits - 1))


@given(st.floats(0, 1), st.floats(0, 1))
def test_the_ends_of_an_interval_are_rounded_outwards(one: float, other: float) -> None:
    low, high = sorted(map(Fraction, (one, other)))
    below, above = map(Fraction, exact.interval_text(float(low), float(high)).split(" to "))
    assert low - Fraction(2, 10**4) < below <= low
    assert high <= above < high + Fraction(2, 10**4)


LONG = {
    "negative": -Fraction(3**30001, 7**20000),
    "tie": (10**6 + Fraction(1, 2)) * 10**40000,  # which goes to the even digit
    "above": (10**6 + Fraction(1, 2)) * 10**40000 + Fraction(1, 7),
    "below": Fraction(10**40000 - 1, 10**40000),
    "tiny": Fraction(3, 10**40000),
}


@pytest.mark.parametrize("digits", [1, 7, 20])
@pytest.mark.parametrize("name", LONG)
def test_long_numbers_are_rounded_like_short_ones(name: str, digits: int) -> None:
    value = LONG[name]
    with localcontext(Context(prec=digits, Emax=MAX_EMAX, Emin=MIN_EMIN)):
        expected = Decimal(value.numerator) / Decimal(value.denominator)
        assert Decimal(exact.decimal_text(value, digits)) == expected
    assert Fraction(exact.decimal_text(value, digits, ROUND_FLOOR)) <= value
    assert Fraction(exact.decimal_text(value, digits, ROUND_CEILING)) >= value


def test_a_sum_that_is_not_1_is_seen_not_to_be() -> None:
    assert exact.describe_total(Fraction(2)) == "2"
    assert exact.describe_total(1 - Fraction(1, 3**99)) == "≈1.00000, which is ≈5.82098E-48 too little"


@given(small | wide, st.integers(1, 60))
def test_readable_is_exact_or_says_so(value: Fraction, longest: int) -> None:
    text = exact.to_text(value, 0, longest)
    if text.startswith("≈"):
        assert len(exact.exact_text(value)) > longest
    else:
        assert exact.parse_fraction(text) == value
        assert len(text) <= longest


@pytest.mark.parametrize(
    ("times", "trials"), [(0, 1), (1, 1), (0, 10), (10, 10), (3, 10), (100, 412), (3, 2000), (999_999, 10**6)]
)
def test_binomial_interval(times: int, trials: int) -> None:
    """The interval is that of SciPy."""
    expected = stats.binomtest(times, trials).proportion_ci(0.95, method="exact")
    assert exact.binomial_interval(times, trials) == pytest.approx((expected.low, expected.high), rel=1e-9, abs=1e-12)
