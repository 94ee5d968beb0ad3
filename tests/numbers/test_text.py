"""What a number looks like."""

import math
from fractions import Fraction

import pytest

from fstheory.numbers.logsum import LogSum, log
from fstheory.numbers.roots import RootSum, ShiftedRoot, sqrt

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
