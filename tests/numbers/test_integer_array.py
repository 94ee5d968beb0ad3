"""`IntegerArray` against lists of Python integers, and digits against the sum that they stand for."""

import pickle

import numpy as np
import pytest
from hypothesis import given, strategies as st

from fstheory.numbers.limbs import IntegerArray, carry, resplit, split, total_of

WIDTHS = (0, 31, 32, 61, 62, 63, 64, 124, 126, 186)
EDGES = sorted({sign * (2**bits + off) for bits in WIDTHS for off in (-1, 0, 1) for sign in (1, -1)})
numbers = st.one_of(st.sampled_from(EDGES), st.integers(-10, 10), st.integers(-(2**400), 2**400))
lists = st.lists(numbers, max_size=12)
of = IntegerArray.from_ints


@given(lists, st.data())
def test_what_goes_in_comes_out(values: list[int], data: st.DataObject) -> None:
    array = of(values)
    assert len(array) == len(values)
    assert array.tolist() == list(array) == [array[i] for i in range(len(values))] == values
    assert all(type(value) is int for value in array.tolist())
    chosen = data.draw(st.lists(st.integers(0, len(values) - 1), max_size=6)) if values else []
    assert array.take(chosen) == of([values[i] for i in chosen])
    distinct = sorted(set(values))
    assert array.ranks().tolist() == [distinct.index(value) for value in values]


@pytest.mark.parametrize("value", EDGES)
def test_every_edge_of_a_limb_alone_and_in_company(value: int) -> None:
    assert of([value]).tolist() == [value]
    assert of([value, 2**200, -value]).tolist() == [value, 2**200, -value]


@given(lists, st.sampled_from([1, -1]) | numbers, numbers)
def test_affine(values: list[int], scale: int, shift: int) -> None:
    assert of(values).affine(scale, shift) == of([scale * value + shift for value in values])


@pytest.mark.parametrize(
    ("value", "scale", "shift"),
    [(2**62, 3, -(2**62)), (2**62, 3, -(2**63)), (2**62, -1, 2**63), (0, 2**63, 5)],
    ids=["the sum leaves", "the product alone", "the shift alone", "the scale"],
)
def test_affine_at_the_end_of_64_bits(value: int, scale: int, shift: int) -> None:
    assert of([value]).affine(scale, shift).tolist() == [scale * value + shift]


@pytest.mark.parametrize("divisor", [1, 7, 2**63 - 1, 2**63, 2**64, 2**70])
def test_floors_over_a_divisor_about_as_large_as_a_machine_word(divisor: int) -> None:
    values = [0, 5, -5, 2**63 - 1, -(2**63)]
    assert of(values).floor_divide(divisor).tolist() == [value // divisor for value in values]


@pytest.mark.parametrize("values", [[2**62] * 2, [2**61] * 3 + [1], [2**63 - 1] * 5, [2**62, 2**62 - 1], [1, 2, 3]])
@pytest.mark.parametrize("kind", [np.int64, np.uint64, object])
def test_a_total_is_that_of_python_integers(values: list[int], kind: type) -> None:
    assert total_of(np.array(values, dtype=kind)) == sum(values)


@given(lists, lists)
def test_it_is_a_value(left: list[int], right: list[int]) -> None:
    one, other = of(left), of(right)
    assert (one == other) == (left == right)
    assert one != left
    for same in (of(left), pickle.loads(pickle.dumps(one))):
        assert same == one
        assert hash(same) == hash(one)
        with pytest.raises(ValueError, match="read-only"):
            same._limbs[...] = 0
    assert len(left) > 8 or eval(repr(one), {"IntegerArray": IntegerArray}) == one


def test_from_array_copies_what_it_is_given() -> None:
    source = np.array([1, 2, 3], dtype=np.int32)
    array = IntegerArray.from_array(source)
    source[0] = 7
    assert array.tolist() == [1, 2, 3]
    with pytest.raises(TypeError, match="safe"):
        IntegerArray.from_array(np.array([2**63], dtype=np.uint64))
    for index in (3, -4):
        with pytest.raises(IndexError):
            array[index]
    assert repr(IntegerArray.from_array(np.arange(1000))) == "IntegerArray.from_ints([0, 1, 2, 3, 4, 5, 6, 7, ...])"


# -- digits ----------------------------------------------------------------------------------------

words = st.one_of(st.sampled_from([-(2**63), 2**63 - 1, -1, 0, 1, 2**62]), st.integers(-(2**63), 2**63 - 1))
radices = st.integers(1, 62)


@st.composite
def redundant(draw: st.DrawFn) -> np.ndarray:
    rows, columns = draw(st.integers(1, 5)), draw(st.integers(0, 4))
    return np.array([[draw(words) for _ in range(columns)] for _ in range(rows)], dtype=np.int64).reshape(rows, columns)


def meant(digits: np.ndarray, bits: int) -> list[int]:
    return [sum(digit * 2 ** (bits * i) for i, digit in enumerate(column)) for column in digits.T.tolist()]


@given(redundant(), radices, radices)
def test_carried_and_in_another_radix_the_numbers_are_the_same(digits: np.ndarray, bits: int, into: int) -> None:
    before, values = digits.copy(), meant(digits, bits)
    carried, cut = carry(digits, bits), resplit(digits, bits, into)
    assert meant(carried, bits) == meant(cut, into) == values
    assert ((carried[:-1] >= 0) & (carried[:-1] < 2**bits)).all()
    assert np.isin(carried[-1], (0, -1)).all()
    assert ((cut[:-1] >= 0) & (cut[:-1] < 2**into)).all()
    assert (digits == before).all()
    assert IntegerArray.from_digits(digits, bits) == of(values)
    assert IntegerArray.from_digits(digits, bits).tolist() == values


@given(st.lists(st.integers(-(2**300), 2**300), max_size=6), radices)
def test_splitting_python_integers(values: list[int], bits: int) -> None:
    assert meant(split(values, bits), bits) == values
