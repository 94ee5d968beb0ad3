"""Order, sign and rounding: against mpmath with 400 digits, and near ties."""

import math
from fractions import Fraction
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from fstheory.numbers.logsum import LogSum, log
from tests.numbers.definition import Terms, check_order, check_rounding, log_value, prime_coefficients, sign_of
from tests.numbers.numbers import BASES, Pairs, coefficients, terms

bases = st.sampled_from(BASES)


@given(terms, terms, coefficients, coefficients, bases)
def test_order_is_that_of_the_values(
    first: Pairs, second: Pairs, one: Fraction, other: Fraction, base: Fraction | None
) -> None:
    left, right = LogSum(first, one, base=base), LogSum(second, other, base=base)
    unit = [] if base is None else [(one - other, base)]
    gap = first + [(-q, r) for q, r in second]
    same = not prime_coefficients(gap + unit) and (base is not None or one == other)
    order = 0 if same else sign_of(log_value(gap, one - other, base))
    check_order(left, right, order)
    assert (left - right).sign() == order
    assert abs(left - right) == (left - right) * order
    assert bool(left - right) is bool(order)


@given(terms, st.fractions(max_denominator=10**6), bases)
def test_order_beside_rationals(first: Terms, value: Fraction, base: Fraction | None) -> None:
    assume(prime_coefficients(first))
    number = LogSum(first, base=base)
    if not number.is_rational():
        order = sign_of(log_value(first, -value, base))
        check_order(number, value, order)
        check_order(value, number, -order)


@given(terms, coefficients, bases, st.integers(1, 60))
def test_enclosure_float_and_decimal(first: Terms, constant: Fraction, base: Fraction | None, digits: int) -> None:
    check_rounding(LogSum(first, constant, base=base), log_value(first, constant, base), digits)


@pytest.mark.parametrize("digits", [40, 400, 4000])
def test_near_ties_are_decided(digits: int) -> None:
    tiny = Fraction(1, 10**digits)
    near = log(1 + tiny)
    assert 0 < near < tiny
    assert near > tiny - tiny**2
    assert log(3) < log(3 + tiny)
    assert log(2) + log(3) < log(6 + tiny)
    assert log(6 - tiny) < log(2) + log(3)
    assert log(6) < log(6) + tiny
    lower, upper = log(2).enclosure(digits)
    assert lower < log(2) < upper
    assert log(2, base=3) < log(2 + tiny, base=3)
    assert LogSum([(1, 9)], -tiny, base=3) < 2 < LogSum([(1, 9)], tiny, base=3)
    assert near.sign() == 1
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


def test_entropies_of_a_large_table_are_told_apart() -> None:
    """A total of thousands of bits, and one unit of it moved."""
    total = 3**3000
    cells = [total // 7, total // 5, total // 3]
    cells.append(total - sum(cells))

    def entropy(parts: list[int]) -> LogSum:
        return LogSum([(Fraction(-part, total), Fraction(part, total)) for part in parts])

    moved = [cells[0] + 1, cells[1] - 1, *cells[2:]]
    assert entropy(cells) < entropy(moved) < entropy(cells) + Fraction(1, 3**2990)
    assert entropy(cells) == entropy(cells[::-1])
    assert entropy([2 * part for part in cells]) != entropy(cells)


def test_sorting() -> None:
    numbers: list[Any] = [log(7), log(2), log(5), log(3), Fraction(1), 2]
    assert sorted(numbers) == [log(2), 1, log(3), log(5), log(7), 2]
    assert all(one < other for one, other in pairwise(sorted(numbers)))
    assert min([log(3), log(2)]) == log(2)
