"""Numbers q + sqrt(L): order, rounding and text, against mpmath and against squares."""

from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from fstheory.numbers.logsum import LogSum, log
from fstheory.numbers.roots import ShiftedRoot
from tests.numbers.definition import check_copies, check_order, log_value, mpmath, root_value

RATIONALS = st.fractions(-4, 4, max_denominator=30)
RADICANDS = st.builds(lambda c, r: LogSum([(c, r)]), st.fractions(0, 3, max_denominator=9), st.integers(1, 9))


@given(RATIONALS, RADICANDS, RATIONALS)
def test_order_with_rationals(shift: Fraction, radicand: LogSum, other: Fraction) -> None:
    number = ShiftedRoot(shift, radicand)
    with mpmath.workdps(60):
        gap = mpmath.sqrt(log_value(radicand.terms)) + root_value([(shift - other, Fraction(1))])
        sign = 0 if abs(gap) < mpmath.mpf(10) ** -40 else 1 if gap > 0 else -1
    check_order(number, other, sign)
    check_order(other, number, -sign)
    assert (number - other).sign() == (other + number - 2 * other).sign() == sign


@given(RATIONALS, RADICANDS)
def test_it_is_a_value_and_rounds_as_enclosed(shift: Fraction, radicand: LogSum) -> None:
    number = ShiftedRoot(shift, radicand)
    lower, upper = number.enclosure(20)
    assert lower <= number <= upper
    assert float(lower) <= float(number) <= float(upper)
    check_copies(number)
    assert number.is_rational() or (number.shift, number.radicands) == (shift, (radicand,))


def test_close_ones_are_decided() -> None:
    """The root of log 2 and its first 200 digits; and a radicand that the first enclosure does not part from 0."""
    near = ShiftedRoot(0, log(Fraction(10**60 + 1, 10**60)))
    assert near.decimal(10) == "1.000000000E-30"
    assert 0 < float(near) < 1e-29
    number = ShiftedRoot(0, log(2))
    lower, upper = number.enclosure(200)
    assert lower < number < upper
    assert number != lower
    assert upper - lower < Fraction(1, 10**199)


def test_rational_ones_equal_rationals() -> None:
    number = ShiftedRoot("1/2", "9/4")
    assert number == 2
    assert hash(number) == hash(Fraction(2))
    assert str(number) == "2"
    assert ShiftedRoot(1, log(1)) == 1
    assert ShiftedRoot(0, log(4, base=2)) < Fraction(3, 2)
    assert float(ShiftedRoot(0, 0)) == 0.0


def test_two_of_them() -> None:
    assert ShiftedRoot(1, log(2)) < ShiftedRoot(1, log(3))
    assert ShiftedRoot(1, log(2)) > ShiftedRoot(1, 0)
    assert ShiftedRoot(1, 0) < ShiftedRoot(1, log(2))
    assert ShiftedRoot(1, log(4)) == ShiftedRoot(1, 2 * log(2))
    assert ShiftedRoot(1, log(2)) != ShiftedRoot(0, log(2))
    assert ShiftedRoot(1, log(2)) > ShiftedRoot(0, log(3))
    assert ShiftedRoot(1, log(2)) + ShiftedRoot(2, log(8)) == ShiftedRoot(3, log(2), log(8))


def test_several_roots() -> None:
    """Roots of which one is a multiple of another are one; rational ones are in the shift; the rest is enclosed."""
    two = log(2)
    assert ShiftedRoot(1, two, 4 * two) == ShiftedRoot(1, 9 * two)
    assert ShiftedRoot(0, "1/4", "9/4") == 2
    number = ShiftedRoot("1/2", two, log(3))
    assert number - Fraction(1, 2) == ShiftedRoot(0, log(3), two)
    assert number > ShiftedRoot("1/2", two, log(3) - Fraction(1, 10**30))
    lower, upper = number.enclosure(80)
    assert lower < number < upper
    assert number != lower
    check_copies(number)
    with mpmath.workdps(40):
        exact = mpmath.mpf(1) / 2 + mpmath.sqrt(mpmath.log(2)) + mpmath.sqrt(mpmath.log(3))
        assert number.decimal(30) == mpmath.nstr(exact, 30)


def test_roots_of_logarithms_to_two_bases_are_not_put_together() -> None:
    """The quotient of the logarithms in one unit would be 1/4."""
    number = ShiftedRoot(0, log(3, base=2), 4 * log(3))
    with mpmath.workdps(30):
        exact = mpmath.sqrt(mpmath.log(3, 2)) + 2 * mpmath.sqrt(mpmath.log(3))
        assert number.decimal(20) == mpmath.nstr(exact, 20)


def test_in_text() -> None:
    number = ShiftedRoot("1/4", log(2) / 2)
    assert str(number) == "1/4 + sqrt(1/2*log(2)) ≈ 0.838705"
    assert number._repr_latex_() == rf"${number.to_latex()} \approx 0.838705$"
    assert f"{number:.3f}" == "0.839"
    many = ShiftedRoot(0, LogSum((1, n) for n in range(10**20, 10**20 + 40)))
    assert str(many).startswith("≈")
    assert many.to_latex().startswith(r"\approx")
    assert "!=" not in repr(number)
    assert (number == "x") is False
