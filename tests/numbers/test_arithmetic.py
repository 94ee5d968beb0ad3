"""Arithmetic: what is computed with sums is computed with their values."""

import operator
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fstheory.errors import InvalidTypeError, ZeroDivisorError
from fstheory.numbers.logsum import LogSum, log
from tests.numbers.numbers import BASES, Pairs, coefficients, terms

bases = st.sampled_from(BASES)


@given(terms, terms, coefficients, coefficients, bases)
def test_sums_and_multiples(first: Pairs, second: Pairs, one: Fraction, by: Fraction, base: Fraction | None) -> None:
    left, right = LogSum(first, one, base=base), LogSum(second, base=base)
    assert left + right == right + left == LogSum(first + second, one, base=base)
    assert left - right == LogSum(first + [(-q, r) for q, r in second], one, base=base)
    assert left * by == by * left == LogSum([(q * by, r) for q, r in first], one * by, base=base)
    assert -left == left * -1 == 0 - left
    assert +left == left
    if by:
        assert left / by == left * (1 / by)
    addends: list[Any] = [left, right, by]
    assert sum(addends) == left + right + by
    assert by - left == -(left - by)


def test_operands_of_many_kinds() -> None:
    for one in (1, Fraction(1), np.int64(1), Decimal(1), LogSum.of(1), log(2, base=2)):
        for number in (one + log(2), log(2) + one):
            assert isinstance(number, LogSum)
            assert number == LogSum([(1, 2)], 1)
        for number in (one - log(2), -(log(2) - one)):
            assert number == LogSum([(-1, 2)], 1)
        for number in (one * log(2), log(2) * one, log(2) / one):
            assert number == log(2)
    assert 6 / LogSum.of(4) == Fraction(3, 2)
    assert 3 / log(8, base=2) == 1
    assert log(3) * log(8, base=2) == log(27)


@pytest.mark.parametrize("wrong", [0.5, np.float64(0.25), True, "1/2", None, 1j, [1]])
def test_what_cannot_be_combined(wrong: Any) -> None:
    for combine in (
        operator.add,
        operator.sub,
        operator.mul,
        operator.truediv,
        *([] if wrong is True else [operator.lt]),
    ):
        for pair in ((log(2), wrong), (wrong, log(2))):
            with pytest.raises(TypeError):
                combine(*pair)


def test_products_and_quotients_of_logarithms_are_refused() -> None:
    for combine in (lambda: log(2) * log(3), lambda: log(2) / log(3), lambda: 1 / log(3)):
        with pytest.raises(InvalidTypeError, match="must be rational, not LogSum"):
            combine()
    for by_zero in (lambda: log(2) / 0, lambda: log(2) / LogSum(), lambda: 1 / LogSum()):
        with pytest.raises(ZeroDivisorError, match="the divisor must be other than 0, not 0") as error:
            by_zero()
        assert isinstance(error.value, ZeroDivisionError)


@given(st.dictionaries(st.integers(1, 30), st.integers(-5, 5)), coefficients, st.integers(1, 12), bases)
def test_integer_terms(mapping: dict[int, int], constant: Fraction, below: int, base: Fraction | None) -> None:
    fast = LogSum.from_integer_terms(mapping, constant=constant, denominator=below, base=base)
    plain = LogSum([(Fraction(q, below), r) for r, q in mapping.items()], constant, base=base)
    assert fast == plain
    assert (fast.terms, fast.constant) == (plain.terms, plain.constant)
    halves = LogSum.from_integer_terms({r: Fraction(q, 2) for r, q in mapping.items()}, base=base)
    assert 2 * halves == (plain - constant) * below
    wide: Any = {np.int64(r): np.int64(q) for r, q in mapping.items()}
    assert LogSum.from_integer_terms(wide, constant=constant, denominator=below, base=base) == fast


def test_the_mapping_is_not_kept() -> None:
    mapping = {1: 4, 2: 1}
    number = LogSum.from_integer_terms(mapping)
    mapping[2] = 7
    assert (number, mapping) == (log(2), {1: 4, 2: 7})
