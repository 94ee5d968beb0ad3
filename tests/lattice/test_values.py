"""Texts of values: exact where short, else rounded and marked."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fstheory.lattice.draw import axis_ticks, format_value, round_ticks, shorten_names, value_texts

TIMES, MINUS = "\N{MULTIPLICATION SIGN}", "\N{MINUS SIGN}"


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (Fraction(0), "0"),
        (Fraction(3), "3"),
        (Fraction(-1, 3), "-1/3"),
        (Fraction(711, 2201), "711/2201"),
        (Fraction(123457, 1000000), "≈0.1235"),
        (Fraction(123450001, 10**9), "≈0.1235"),
        (Fraction(12345, 10**8), "≈0.0001234"),  # half to even
        (Fraction(1, 10**12), f"1{TIMES}10⁻¹²"),
        (Fraction(10**30 + 1), f"≈1.000{TIMES}10³⁰"),
        (-Fraction(1, 3**40), f"≈{MINUS}8.225{TIMES}10⁻²⁰"),
        (Fraction(1, 10**6000 + 1), f"≈1.000{TIMES}10⁻⁶⁰⁰⁰"),
    ],
)
def test_text_of_a_value(value: Fraction, text: str) -> None:
    assert format_value(value) == text


@given(st.fractions())
def test_unmarked_text_is_exact(value: Fraction) -> None:
    text = format_value(value)
    if "≈" not in text and TIMES not in text:
        assert Fraction(text.replace(MINUS, "-")) == value


@given(st.lists(st.fractions(min_value=0, max_value=1, max_denominator=10**4), unique=True, max_size=20))
def test_different_values_read_differently(values: list[Fraction]) -> None:
    assert len(set(value_texts(values)[0])) == len(values)


@given(st.fractions(), st.fractions())
def test_ticks_are_few_round_and_inside(a: Fraction, b: Fraction) -> None:
    low, high = min(a, b), max(a, b)
    ticks = round_ticks(low, high)
    assert 1 <= len(ticks) <= 9
    assert all(low <= value <= high for value, _ in ticks)
    assert len({text for _, text in ticks}) == len(ticks) or low == high


def test_ticks_have_equally_many_places() -> None:
    texts = [text for _, text in round_ticks(Fraction(0), Fraction(1, 4))]
    assert texts == ["0", "0.05", "0.10", "0.15", "0.20", "0.25"]
    powers = [text for _, text in axis_ticks([Fraction(1, 10**5000 + 1), Fraction(1)], 1.0, True)]
    assert (powers[0], powers[-1]) == ("10⁻⁵⁰⁰⁰", "10⁻⁵⁵²")


def test_long_names_lose_their_middle_unless_they_would_meet() -> None:
    assert shorten_names(("a" * 40, "b"), 10) == ("aaaaa…aaaa", "b")
    twins = ("x" * 10 + "1" + "x" * 10, "x" * 10 + "2" + "x" * 10)
    assert shorten_names(twins, 10) == twins
