"""Where informations cross: exact signs on both sides, and nothing missed on a fine grid."""

import random
from fractions import Fraction
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
import sympy

import fstheory as fs
from fstheory.measures.information import mutual_information
from fstheory.numbers.enclosure import rational_ball
from fstheory.selection.family import Family
from fstheory.selection.phase_diagram import _times_log, information_crossings

T = sympy.Symbol("t")


def difference(family: Family, t: Fraction, first: object, second: object) -> int:
    """Return the sign of the difference of the informations, exactly."""
    d = family.at(t)
    gap = mutual_information(d, d.target, first) - mutual_information(d, d.target, second)  # type: ignore[arg-type]
    return (gap > 0) - (gap < 0)


@pytest.mark.parametrize("seed", range(8))
def test_signs_differ_on_both_sides_of_a_crossing_and_nowhere_else(seed: int) -> None:
    source = random.Random(seed)
    shape = source.choice([(2, 2, 2), (3, 2, 2), (2, 2, 3)])
    one, other = (
        fs.JointDistribution(np.array([source.randrange(1, 9) for _ in range(int(np.prod(shape)))]).reshape(shape))
        for _ in range(2)
    )
    family = fs.linear_family(one, other)
    found = information_crossings(family, "X1", "X2", width="1/1000000")
    for low, high in found.crossings:
        assert 0 <= high - low <= Fraction(1, 10**6)
        if low < high:
            assert difference(family, low, "X1", "X2") * difference(family, high, "X1", "X2") == -1
    grid = [Fraction(i, 61) for i in range(62)]
    for left, right in pairwise(grid):
        inside = sum(left <= low and high <= right for low, high in found.crossings)
        signs = difference(family, left, "X1", "X2"), difference(family, right, "X1", "X2")
        open_ = any(low < right and left < high for low, high in found.undecided)
        if 0 not in signs and not open_:
            assert (signs[0] != signs[1]) == (inside % 2 == 1)


def test_two_noises_cross_where_they_are_equal() -> None:
    """The class seen through noise t and through noise 1/3."""
    t = sympy.Symbol("t")
    weights = np.zeros((2, 2, 2), dtype=object)
    for x1, x2, y in np.ndindex(2, 2, 2):
        weights[x1, x2, y] = (1 - t if x1 == y else t) * (2 if x2 == y else 1)
    family = fs.polynomial_family(weights.tolist(), t, start="1/100", end="49/100")
    ((low, high),) = information_crossings(family, "X1", "X2").crossings
    assert low <= Fraction(1, 3) <= high
    assert "t ≈ 0.333333" in str(information_crossings(family, "X1", "X2"))


def test_what_is_equal_everywhere_has_no_crossing() -> None:
    family = fs.linear_family(fs.gallery.xor(), fs.gallery.xor(noise="1/4"))
    found = information_crossings(family, "X1", "X2")
    assert (found.crossings, found.undecided) == ((), ())


def test_a_touch_without_a_change_of_sign_stays_undecided() -> None:
    t = sympy.Symbol("t")
    noise = (2 * t - 1) ** 2 / 4  # 0 at t = 1/2 only: there both tell everything
    weights = np.zeros((2, 2, 2), dtype=object)
    for x1, x2, y in np.ndindex(2, 2, 2):
        weights[x1, x2, y] = (1 - noise if x1 == y else noise) * (1 if x2 == y else 0)
    family = fs.polynomial_family(weights.tolist(), t, start="1/4", end="3/4")
    found = information_crossings(family, "X1", "X2", width="1/4096")
    assert found.crossings == ()
    ((low, high),) = found.undecided
    assert low <= Fraction(1, 2) <= high
    assert "undecided" in str(found)


def two_sensors(noise: Any, odds: int, start: str = "0", end: str = "1") -> Family:
    """The class seen through a noise that depends on t, and through one with some odds."""
    weights = np.zeros((2, 2, 2), dtype=object)
    for x1, x2, y in np.ndindex(2, 2, 2):
        weights[x1, x2, y] = (1 - noise if x1 == y else noise) * (odds if x2 == y else 1)
    return fs.polynomial_family(weights.tolist(), T, start=start, end=end)


def test_what_is_equal_for_another_reason_than_equal_weights_has_no_crossing() -> None:
    """A third feature that says nothing splits every weight in two parts: 1/3 and 2/3."""
    weights = np.zeros((2, 2, 2), dtype=object)
    for x1, x2, y in np.ndindex(2, 2, 2):
        weights[x1, x2, y] = (1 - T if x1 == y else T) * (1 + x2)
    found = information_crossings(fs.polynomial_family(weights.tolist(), T), "X1", ["X1", "X2"])
    assert found.always
    assert (found.crossings, found.undecided) == ((), ())
    assert str(found) == "I(Y; X1) = I(Y; X1, X2) at every t"


def test_weights_that_vanish_at_the_ends_do_not_hide_a_crossing() -> None:
    family = two_sensors(T, 2)
    found = information_crossings(family, "X1", "X2")
    assert [round(float(low), 9) for low, _ in found.crossings] == [0.333333333, 0.666666667]
    assert found.undecided == ()


def test_weights_that_vanish_leave_nothing_open_where_informations_differ() -> None:
    """The least value of w log w is -1/e, not the least where w is small; and at the other end they are equal."""
    first = fs.JointDistribution([[[2, 1], [2, 1]], [[1, 0], [0, 0]]])
    second = fs.JointDistribution([[[1, 2], [1, 1]], [[1, 1], [0, 0]]])
    found = information_crossings(fs.linear_family(first, second), "X1", "X2")
    assert found.undecided == ()
    assert [round(float(low), 4) for low, _ in found.crossings] == [0.8185, 1]
    assert found.crossings[1] == (Fraction(1), Fraction(1))


@pytest.mark.parametrize(("start", "end"), [("1/8", "3/8"), ("1/4", "3/8"), ("1/8", "1/4"), ("15/64", "17/64")])
def test_a_crossing_at_a_middle_or_an_end_is_that_number(start: str, end: str) -> None:
    quarter = Fraction(1, 4)
    assert information_crossings(two_sensors(T, 3, start, end), "X1", "X2").crossings == ((quarter, quarter),)


def test_informations_that_differ_by_a_constant_never_cross() -> None:
    d = fs.JointDistribution([[[3, 0], [2, 1]], [[1, 2], [0, 3]]])
    found = information_crossings(fs.linear_family(d, d), "X1", "X2")
    assert (found.crossings, found.undecided, found.always) == ((), (), False)


def test_a_touch_at_an_irrational_number_is_not_said_to_be_at_a_rational_near_it() -> None:
    noise = Fraction(1, 4) + (2 * T**2 - 1) ** 2 / 16
    found = information_crossings(two_sensors(noise, 3), "X1", "X2", width="1/50")
    assert [float(low) < 0.5**0.5 < float(high) for low, high in found.undecided] == [True]
    assert found.touches == ()


def test_w_log_w_is_enclosed_where_w_may_vanish() -> None:
    """Between 0 and 1 it is 0 at both ends, and -1/e in between."""
    for top in (Fraction(1, 100), Fraction(1, 3), Fraction(2, 5), Fraction(1), Fraction(3)):
        ball = _times_log(rational_ball(Fraction(0), 64).union(rational_ball(top, 64)))
        for i in range(1, 50):
            weight = rational_ball(top * i / 50, 64)
            assert ball.contains(weight * weight.log())
        assert ball.contains(0)


def test_powers_beyond_the_length_of_power_series_count() -> None:
    """Around 0, the middle, nothing but the twelfth power changes: noise 1/3 is where (2t)^12 = 2/3."""
    family = two_sensors(Fraction(1, 5) + (2 * T) ** 12 / 5, 2, "-1/2", "1/2")
    found = information_crossings(family, "X1", "X2", width="1/1000000")
    assert [round(float(low), 4) for low, _ in found.crossings] == [-0.4834, 0.4834]


@pytest.mark.parametrize("order", [2, 3])
def test_a_zero_of_higher_order_is_confined_to_a_short_interval(order: int) -> None:
    noise = Fraction(1, 4) + (3 * T - 1) ** order / 64
    for width in (Fraction(1, 2**40), Fraction(1, 10**25)):
        found = information_crossings(two_sensors(noise, 3), "X1", "X2", width=width)
        ((low, high),) = found.undecided
        assert low < Fraction(1, 3) < high < low + 16 * width
        assert found.touches == (Fraction(1, 3),)
        assert str(found) == "I(Y; X1) = I(Y; X2) at no t; undecided around 1/3, where they are equal"
