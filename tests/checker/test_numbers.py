"""The checker's own exact numbers: compared with those of the library, which share no code with them."""

import math
from fractions import Fraction as F
from typing import Any

import pytest
from flint import arb
from hypothesis import given, strategies as st

from fstheory.checker import numbers
from fstheory.checker.numbers import Irrational, add, ceiling, compare, enclosure, logarithms, multiply, square_root
from fstheory.errors import InvalidTypeError
from fstheory.numbers.logsum import LogSum
from fstheory.numbers.roots import RootSum

fractions = st.fractions(min_value=-4, max_value=4, max_denominator=12)
positive = st.one_of(
    st.fractions(min_value=F(1, 40), max_value=40, max_denominator=40),
    st.builds(lambda a, b: F(2**a, 3**b), st.integers(0, 60), st.integers(0, 40)),
    st.integers(2**200, 2**201).map(F),
)
pairs = st.lists(st.tuples(fractions, positive), max_size=5)


def roots(terms: list[tuple[F, F]], constant: F = F(0)) -> numbers.Number:
    total: numbers.Number = constant
    for coefficient, radicand in terms:
        total = add(total, multiply(coefficient, square_root(radicand)))
    return total


def theirs(number: numbers.Number) -> Any:
    """Return a number of the checker as one of the library."""
    if isinstance(number, F):
        return number
    assert isinstance(number, numbers.Irrational)
    kind = {"log": LogSum, "sqrt": RootSum}[number.kind]
    return kind([(coefficient, argument) for argument, coefficient in number.terms.items()], number.constant)


@pytest.mark.quick
@given(pairs, pairs, fractions)
def test_logarithms_are_compared_as_the_library_does(first: Any, second: Any, constant: F) -> None:
    left, right = add(logarithms(first), constant), logarithms(second)
    mine, other = LogSum(first, constant), LogSum(second)
    assert theirs(left) == mine
    assert compare(left, right) == (mine > other) - (mine < other)
    assert isinstance(left, F) == mine.is_rational()
    assert theirs(add(left, right)) == mine + other


@given(pairs, pairs, fractions)
def test_roots_are_compared_as_the_library_does(first: Any, second: Any, constant: F) -> None:
    left, right = roots(first, constant), roots(second)
    mine, other = RootSum(first, constant), RootSum(second)
    assert theirs(left) == mine
    assert compare(left, right) == (mine > other) - (mine < other)
    assert isinstance(left, F) == mine.is_rational()
    assert theirs(multiply(left, right)) == mine * other
    assert compare(left, logarithms(first)) == (mine > LogSum(first)) - (mine < LogSum(first))


@pytest.mark.parametrize(
    ("number", "value"),
    [
        (logarithms([(F(1), F(8)), (F(-3), F(2))]), F(0)),
        (logarithms([(F(1), F(6)), (F(-1), F(2)), (F(-1), F(3))]), F(0)),
        (logarithms([(F(1), F(35**40)), (F(-40), F(5)), (F(-40), F(7))]), F(0)),
        (roots([(F(1), F(2)), (F(1), F(8)), (F(-1), F(18))]), F(0)),
        (multiply(roots([(F(1), F(2)), (F(1), F(3))]), roots([(F(-1), F(2)), (F(1), F(3))])), F(1)),
        (square_root(F(9, 4)), F(3, 2)),
        (square_root(F(0)), F(0)),
        (multiply(F(0), logarithms([(F(1), F(2))])), F(0)),
    ],
)
def test_a_rational_number_is_a_fraction(number: numbers.Number, value: F) -> None:
    assert isinstance(number, F)
    assert number == value


def test_numbers_that_nearly_agree_are_separated() -> None:
    """They differ in the 900th digit and beyond, or not at all."""
    near = F(10**900 + 1, 10**900)
    assert compare(logarithms([(F(1), near)]), F(0)) == 1
    assert compare(logarithms([(F(1), near)]), F(1, 10**900)) == -1  # log(1 + x) < x
    assert compare(square_root(1 + F(2, 10**900)), near) == -1  # (1 + x)**2 > 1 + 2 x
    assert compare(logarithms([(F(1), F(2)), (F(-1), 2 * near), (F(1), near)]), F(0)) == 0


@given(st.integers(1, 2**300), st.sampled_from([1, 64, 200, 1000]))
def test_an_enclosure_holds_the_logarithm_and_is_narrow(argument: int, bits: int) -> None:
    low, high = numbers._logarithm(argument, bits)
    from flint import ctx

    with ctx.workprec(bits + 400):
        value = arb(argument).log() * arb(2) ** bits
        assert arb(low) <= value <= arb(high)
    assert high - low <= 8 * bits + 40
    assert numbers._root(argument, bits)[0] == math.isqrt(argument << 2 * bits)


@given(fractions.filter(bool), positive.filter(lambda r: r != 1), st.integers(1, 10**7))
def test_the_ceiling_is_the_least_multiple(coefficient: F, argument: F, denominator: int) -> None:
    number = logarithms([(coefficient, argument)])
    found = ceiling(number, denominator)
    assert compare(number, found) < 0 < compare(number, found - F(1, denominator))
    low, high = enclosure(number, 64)
    assert compare(low, number) < 0 < compare(high, number)


def test_what_has_no_form_is_refused() -> None:
    log, root = logarithms([(F(1), F(2))]), square_root(F(2))
    assert isinstance(log, Irrational)
    for combined in (add, multiply):
        with pytest.raises(InvalidTypeError, match="a sum of logarithms cannot be"):
            combined(log, root)
    with pytest.raises(InvalidTypeError, match="cannot be combined with a square root"):
        multiply(multiply(log, log), root)
