"""The stated laws of n.. RCG against SciPy, and true sizes against the law."""

import math
from fractions import Fraction
from typing import get_args

import mpmath  # type: ignore[import-untyped]
import pytest
from scipy import stats

from fstheory._support.exact import interval_text
from fstheory.points.permutations import LabelPermutations
from fstheory.points.significance import (
    Test as Tests,
    printed_p_value,
    printed_z,
    rejects,
    true_size,
)

NULL = LabelPermutations(30, [(i // 2, i) for i in range(1, 30)], (14, 16))


def test_thresholds_against_scipy() -> None:
    three = LabelPermutations(12, [(0, i) for i in range(1, 9)], (4, 4, 4))  # n.. is 28
    for alpha in (Fraction(1, 20), Fraction(1, 1000), Fraction(7, 10)):
        share, level = stats.norm.isf(float(alpha)), str(alpha)
        chi = stats.chi2.isf(float(alpha), 22)
        moments = float(three.mean) + share * math.sqrt(three.variance)
        mean, variance = float(three.mean), float(three.variance)
        matched = stats.gamma.isf(float(alpha), mean**2 / variance, scale=variance / mean)
        expected = [22 + share * math.sqrt(44), chi, chi * 28 / (27 * 2), moments, matched]
        for test, number in zip(get_args(Tests), expected, strict=True):
            assert true_size(three, test, level).threshold == pytest.approx(number, rel=1e-12)
            below, above = (Fraction(number) * (1 + Fraction(sign, 10**9)) for sign in (-1, 1))
            assert (rejects(three, below, test, level), rejects(three, above, test, level)) == (False, True)


def test_a_comparison_looks_as_close_as_it_must() -> None:
    with mpmath.workdps(60):  # the digits of a normal and of a chi-square quantile, with 29 degrees of freedom
        normal = 29 + mpmath.sqrt(2 * 58) * mpmath.erfinv(1 - mpmath.mpf(1) / 10)
        chi = 2 * mpmath.findroot(lambda x: mpmath.gammainc(14.5, x, regularized=True) - mpmath.mpf(1) / 20, 21)
        for test, quantile in (("printed", normal), ("printed chi-square", chi)):
            digits = Fraction(mpmath.nstr(quantile, 50))
            for sign in (-1, 1):
                assert rejects(NULL, digits + sign * Fraction(1, 10**40), test) is (sign == 1)  # type: ignore[arg-type]


def test_thresholds_that_are_rational() -> None:
    assert true_size(NULL, alpha="1/2").threshold == 29
    assert not rejects(NULL, 29, alpha="1/2")
    assert rejects(NULL, "29.000001", alpha="1/2")
    complete = LabelPermutations(4, [(i, j) for j in range(4) for i in range(j)], (2, 2))
    assert true_size(complete, "moments").threshold == complete.mean
    assert true_size(complete, "moments").size == true_size(complete, "moments chi-square").size == 0


def test_printed_z_and_p_values() -> None:
    z = printed_z("33.5", 20, 3)
    assert float(z) == pytest.approx((33.5 - 38) / math.sqrt(76))
    assert z**2 == Fraction(9, 2) ** 2 / 76
    assert printed_p_value("33.5", 20, 3) == pytest.approx(stats.norm.sf(float(z)))
    assert printed_p_value("33.5", 20, 3, law="chi-square") == pytest.approx(stats.chi2.sf(33.5, 38))
    assert printed_p_value(1000, 20, 2) == printed_p_value(2000, 20, 2) == 0  # where floats end
    assert printed_z(1000, 20, 2) < printed_z(2000, 20, 2)
    z = (true_size(NULL, alpha="1e-80").threshold - 29) / 58**0.5
    assert abs(stats.norm.isf(1e-80) - z) < 1e-9
    for law in ("normal", "chi-square"):
        assert [printed_p_value(v, 20, 2, law=law) for v in (10**400, -(10**400))] == [0, 1]


@pytest.mark.parametrize("test", get_args(Tests))
def test_true_sizes_sum_the_law_beyond_the_threshold(test: Tests) -> None:
    exact = true_size(NULL, test)
    threshold = exact.threshold
    assert exact.size == sum(p for value, p in NULL.law.items() if float(value) > threshold)  # none is that near
    assert min(abs(float(value) - threshold) for value in NULL.law) > 1e-9
    drawn = true_size(NULL.sample(3000, rng=0), test, "1/20")
    assert drawn.interval is not None
    assert drawn.interval[0] < exact.size < drawn.interval[1]
    assert (drawn.threshold, drawn.alpha) == (exact.threshold, Fraction(1, 20))
    assert exact.interval is None
    low, high = drawn.interval
    assert str(drawn).endswith(f"its true size is estimated {drawn.size:.4f} (95%: {interval_text(low, high)})")
    assert "its true size is " in str(exact)
    assert "95%" not in str(exact)
