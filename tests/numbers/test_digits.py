"""Carrying and cutting digits, against the sum that the digits stand for."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from fstheory.numbers.limbs import IntegerArray, carry, resplit, split

words = st.one_of(st.sampled_from([-(2**63), 2**63 - 1, -1, 0, 1, 2**62]), st.integers(-(2**63), 2**63 - 1))
radices = st.integers(1, 62)


@st.composite
def redundant(draw: st.DrawFn) -> np.ndarray:
    rows, columns = draw(st.integers(1, 5)), draw(st.integers(0, 4))
    return np.array([[draw(words) for _ in range(columns)] for _ in range(rows)], dtype=np.int64).reshape(rows, columns)


def numbers(digits: np.ndarray, bits: int) -> list[int]:
    return [sum(digit * 2 ** (bits * i) for i, digit in enumerate(column)) for column in digits.T.tolist()]


@given(redundant(), radices)
def test_carrying_keeps_the_numbers_and_bounds_the_digits(digits: np.ndarray, bits: int) -> None:
    before = digits.copy()
    carried = carry(digits, bits)
    assert numbers(carried, bits) == numbers(digits, bits)
    assert ((carried[:-1] >= 0) & (carried[:-1] < 2**bits)).all()
    assert np.isin(carried[-1], (0, -1)).all()
    assert (digits == before).all()


@given(redundant(), radices, radices)
def test_another_radix_keeps_the_numbers(digits: np.ndarray, bits: int, into: int) -> None:
    cut = resplit(digits, bits, into)
    assert numbers(cut, into) == numbers(digits, bits)
    assert ((cut[:-1] >= 0) & (cut[:-1] < 2**into)).all()


@given(redundant(), radices)
def test_an_array_of_redundant_digits(digits: np.ndarray, bits: int) -> None:
    values = numbers(digits, bits)
    assert IntegerArray.from_digits(digits, bits) == IntegerArray.from_ints(values)
    assert IntegerArray.from_digits(digits, bits).tolist() == values


@given(st.lists(st.integers(-(2**300), 2**300), max_size=6), radices)
def test_splitting_python_integers(values: list[int], bits: int) -> None:
    assert numbers(split(values, bits), bits) == values
