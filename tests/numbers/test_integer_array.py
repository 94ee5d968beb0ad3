"""`IntegerArray` against lists of Python integers."""

import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fstheory.numbers.limbs import IntegerArray, total_of

WIDTHS = (0, 31, 32, 61, 62, 63, 64, 124, 126, 186)
EDGES = sorted({sign * (2**bits + off) for bits in WIDTHS for off in (-1, 0, 1) for sign in (1, -1)})
numbers = st.one_of(st.sampled_from(EDGES), st.integers(-10, 10), st.integers(-(2**400), 2**400))
lists = st.lists(numbers, max_size=12)


@given(lists)
def test_what_goes_in_comes_out(values: list[int]) -> None:
    array = IntegerArray.from_ints(values)
    assert len(array) == len(values)
    assert array.tolist() == list(array) == [array[i] for i in range(len(values))] == values
    assert all(type(value) is int for value in array.tolist())


@pytest.mark.parametrize("value", EDGES)
def test_every_edge_of_a_limb_alone_and_in_company(value: int) -> None:
    assert IntegerArray.from_ints([value]).tolist() == [value]
    assert IntegerArray.from_ints([value, 2**200, -value]).tolist() == [value, 2**200, -value]


@given(lists)
def test_ranks_are_dense_and_ties_share_one(values: list[int]) -> None:
    distinct = sorted(set(values))
    assert IntegerArray.from_ints(values).ranks().tolist() == [distinct.index(value) for value in values]


@given(lists, st.sampled_from([1, -1]) | numbers, numbers)
def test_affine(values: list[int], scale: int, shift: int) -> None:
    found = IntegerArray.from_ints(values).affine(scale, shift)
    assert found == IntegerArray.from_ints([scale * value + shift for value in values])


def test_affine_where_only_the_product_leaves_64_bits() -> None:
    assert IntegerArray.from_ints([2**62]).affine(3, -(2**62)).tolist() == [2**63]
    assert IntegerArray.from_ints([2**62]).affine(3, -(2**63)).tolist() == [2**62]


def test_affine_where_only_the_shift_leaves_64_bits() -> None:
    assert IntegerArray.from_ints([2**62]).affine(-1, 2**63).tolist() == [2**62]
    assert IntegerArray.from_ints([0]).affine(2**63, 5).tolist() == [5]


@pytest.mark.parametrize("divisor", [2**63 - 1, 2**63, 2**64, 2**70])
def test_floors_over_a_divisor_about_as_large_as_a_machine_word(divisor: int) -> None:
    values = [0, 5, -5, 2**63 - 1, -(2**63)]
    assert IntegerArray.from_ints(values).floor_divide(divisor).tolist() == [value // divisor for value in values]


@pytest.mark.parametrize("values", [[2**62] * 2, [2**61] * 3 + [1], [2**63 - 1] * 5, [2**62, 2**62 - 1], [1, 2, 3]])
@pytest.mark.parametrize("kind", [np.int64, np.uint64, object])
def test_a_total_is_that_of_python_integers(values: list[int], kind: type) -> None:
    assert total_of(np.array(values, dtype=kind)) == sum(values)


@given(lists, st.data())
def test_take_and_slices(values: list[int], data: st.DataObject) -> None:
    array = IntegerArray.from_ints(values)
    chosen = data.draw(st.lists(st.integers(0, len(values) - 1), max_size=6)) if values else []
    assert array.take(chosen) == IntegerArray.from_ints([values[i] for i in chosen])
    assert array[1:4] == IntegerArray.from_ints(values[1:4])


@given(lists, lists)
def test_equality_and_hash_follow_the_numbers(left: list[int], right: list[int]) -> None:
    one, other = IntegerArray.from_ints(left), IntegerArray.from_ints(right)
    assert (one == other) == (left == right)
    assert one == IntegerArray.from_ints(left)
    assert hash(one) == hash(IntegerArray.from_ints(left))
    assert one != left


@given(lists)
def test_a_pickle_comes_back_equal_and_unwritable(values: list[int]) -> None:
    array = IntegerArray.from_ints(values)
    again = pickle.loads(pickle.dumps(array))
    assert again == array
    assert hash(again) == hash(array)
    with pytest.raises(ValueError, match="read-only"):
        again._limbs[...] = 0


@given(st.lists(numbers, max_size=8))
def test_a_short_repr_evaluates_and_a_long_one_is_short(values: list[int]) -> None:
    array = IntegerArray.from_ints(values)
    assert eval(repr(array), {"IntegerArray": IntegerArray}) == array
    assert repr(IntegerArray.from_array(np.arange(1000))) == "<IntegerArray of 1000 integers: 0, 1, 2, ..., 999>"


def test_from_array_copies_what_it_is_given() -> None:
    source = np.array([1, 2, 3], dtype=np.int32)
    array = IntegerArray.from_array(source)
    source[0] = 7
    assert array.tolist() == [1, 2, 3]
    with pytest.raises(TypeError, match="safe"):
        IntegerArray.from_array(np.array([2**63], dtype=np.uint64))


def test_nothing_is_left_writable() -> None:
    for make in (lambda: IntegerArray.from_ints([1, 2**90]), lambda: IntegerArray.from_array(np.arange(3))):
        limbs = make()._limbs
        with pytest.raises(ValueError, match="read-only"):
            limbs[0, 0] = 1


@pytest.mark.parametrize("index", [3, -4, 10**9])
def test_an_index_beyond_the_end_is_an_index_error(index: int) -> None:
    with pytest.raises(IndexError):
        IntegerArray.from_ints([1, 2**70, 3])[index]


def test_the_plain_constructor_points_to_the_others() -> None:
    with pytest.raises(TypeError, match="from_ints"):
        IntegerArray()
