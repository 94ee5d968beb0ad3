"""A table of values, monotone or not, against sets and fractions."""

import copy
import pickle
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fstheory import SubsetTable, bayes_risks
from fstheory.distributions import gallery
from fstheory.errors import FSTheoryError, InvalidTypeError, InvalidValueError, TooLargeError, UnknownNameError
from fstheory.lattice.columns import RationalColumn
from fstheory.numbers.limbs import IntegerArray
from fstheory.testing import feature_subsets, names, subset_tables
from tests import literal

tables = subset_tables()


@given(st.lists(names(), max_size=3, unique=True), st.data())
def test_it_is_the_mapping_it_was_made_of(features: list[str], data: st.DataObject) -> None:
    subsets = data.draw(st.lists(st.sampled_from(literal.subsets(features)), min_size=1, unique=True))
    values = {subset: data.draw(st.fractions()) for subset in subsets}
    table = SubsetTable.from_mapping(values, features=features)
    assert dict(table) == dict(table.items()) == values
    assert len(table) == len(table.masks) == len(values)
    assert list(table) == list(table.keys()) == [s for s in literal.subsets(features) if s in values]
    assert list(table.values()) == [values[s] for s in table]
    for subset in literal.subsets(features):
        assert (subset in table) is (subset in values)
        forms: list[Any] = [subset, list(subset), tuple(subset), dict.fromkeys(subset)]
        for form in forms:
            assert (form in table) is (subset in values)
            assert table.get(form, "none") == values.get(subset, "none")


@given(tables)
def test_numbers_inside(table: SubsetTable[Fraction]) -> None:
    """One integer array over the smallest denominator, ranks that compare like the values."""
    values = [table.value_at(mask) for mask in table.masks.tolist()]
    assert isinstance(table.column, RationalColumn)
    assert [Fraction(v, table.column.denominator) for v in table.column.numerators] == values
    assert table.column.denominator == np.lcm.reduce([1, *(v.denominator for v in values)], dtype=object)
    order = sorted(set(values))
    assert table.ranks.tolist() == [order.index(v) for v in values]
    for array in (table.masks, table.ranks):
        assert not array.flags.writeable


@given(tables)
def test_best_subsets(table: SubsetTable[Fraction]) -> None:
    values = dict(table)
    best = {s for s, v in values.items() if v == min(values.values())}
    assert table.minimum == min(values.values())
    assert table.maximum == max(values.values())
    assert set(table.argmin()) == best
    assert set(table.minimal_sets()) == literal.minimal(best)
    place = literal.subsets(table.features).index
    for found in (table.argmin(), table.minimal_sets()):
        assert list(found) == sorted(found, key=place)
        assert len(set(found)) == len(found)


@given(tables)
def test_best_of_each_size(table: SubsetTable[Fraction]) -> None:
    values = dict(table)
    for k in range(len(table.features) + 2):
        sized = {s: v for s, v in values.items() if len(s) == k}
        if not sized:
            with pytest.raises(InvalidValueError, match=rf"of sizes \[{k}\]"):
                table.best_of_size(k)
            continue
        level = table.best_of_size(k)
        assert level.value == min(sized.values())
        assert list(level.subsets) == [s for s in literal.subsets(table.features) if sized.get(s) == level.value]
    parts = list(table.by_size())
    assert [k for k, _ in parts] == sorted({len(s) for s in values})
    assert all({len(s) for s in part} == {k} for k, part in parts)
    assert {s: v for _, part in parts for s, v in part.items()} == values


@given(st.data())
def test_restrict(data: st.DataObject) -> None:
    table = data.draw(tables)
    low, high = data.draw(feature_subsets(table)), data.draw(feature_subsets(table))
    wanted = data.draw(st.none() | st.lists(st.integers(0, 5)))
    expected = {s: v for s, v in table.items() if low <= s <= high and (wanted is None or len(s) in wanted)}
    if not expected:
        with pytest.raises(InvalidValueError, match="must be met by some subset"):
            table.restrict(containing=low, within=high, sizes=wanted)
        return
    part = table.restrict(containing=low, within=high, sizes=wanted)
    assert dict(part) == expected
    assert part == SubsetTable.from_mapping(expected, features=table.features)
    assert (part.name, part.symbol) == (table.name, table.symbol)
    assert table.restrict() == table


@given(tables, tables, st.randoms(use_true_random=False))
def test_equality_is_that_of_features_and_values(
    table: SubsetTable[Fraction], other: SubsetTable[Fraction], rng: Any
) -> None:
    assert (table == other) is ((table.features, dict(table)) == (other.features, dict(other)))
    assert table != other or hash(table) == hash(other)
    assert table != dict(table)
    entries = list(table.items())
    rng.shuffle(entries)
    shuffled = SubsetTable.from_mapping(dict(entries), features=table.features, name="other")
    for twin in (shuffled, pickle.loads(pickle.dumps(table)), copy.copy(table), copy.deepcopy(table)):
        assert twin == table
        assert hash(twin) == hash(table)
        assert twin.ordering() == table.ordering()


def test_values_in_other_units_are_equal() -> None:
    doubled = SubsetTable(("a",), RationalColumn(IntegerArray.from_ints([2 * 3**50, 4 * 3**50]), 6 * 3**50))
    assert doubled == SubsetTable.from_mapping({(): "1/3", ("a",): "2/3"}, features=["a"])
    assert isinstance(doubled.column, RationalColumn)
    assert doubled.column.denominator == 3
    assert RationalColumn(IntegerArray.from_ints([0, 0]), 7).denominator == 1


def test_a_table_cannot_be_changed() -> None:
    table = bayes_risks(gallery.titanic())
    for name in ("masks", "features", "denominator", "ranks", "new"):
        with pytest.raises(AttributeError):
            setattr(table, name, None)
    for array in (table.masks, table.ranks):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 1
    masks = np.array([0, 1])
    kept = SubsetTable(("a",), RationalColumn(IntegerArray.from_ints([1, 2]), 3), masks=masks)
    masks[0] = 5
    assert kept.masks.tolist() == [0, 1]


def test_no_features() -> None:
    table = SubsetTable.from_mapping({(): "1/2"}, features=[])
    assert (table[[]], table.argmin(), table.minimal_sets()) == (Fraction(1, 2), (frozenset(),), (frozenset(),))
    assert str(table.ordering()) == "{}"
    assert repr(table) == "<SubsetTable: value of 1 subsets of no features>"


def test_as_many_features_as_a_word_has_bits() -> None:
    features = [f"f{i}" for i in range(63)]
    table = SubsetTable.from_mapping({("f62",): 1, ("f0", "f62"): 1, ("f0",): 2}, features=features)
    assert table.minimal_sets() == (frozenset({"f62"}),)
    assert list(table) == [{"f0"}, {"f62"}, {"f0", "f62"}]
    assert table["f0"] == 2  # a bare name is a subset
    with pytest.raises(TooLargeError, match="features must be at most 63, not 64"):
        SubsetTable.from_mapping({("f63",): 1}, features=[*features, "f63"])


TABLE = SubsetTable.from_mapping({(): 3, ("a",): 2}, features=["a", "b"])


def table_of(values: Any, features: Any) -> SubsetTable[Fraction]:
    return SubsetTable.from_mapping(values, features=features)


def of_arrays(numbers: list[int], denominator: int, masks: Any = (0, 1)) -> SubsetTable[Fraction]:
    column = RationalColumn(IntegerArray.from_ints(numbers), denominator)
    return SubsetTable(("a",), column, masks=np.array(masks, dtype=np.int64))


REFUSED: dict[type[FSTheoryError], list[str]] = {
    InvalidTypeError: [
        *("TABLE[3]", "TABLE.best_of_size(1.0)", "TABLE.restrict(sizes=1)", "TABLE.restrict(sizes='1')"),
        *("table_of(3, ['a'])", "table_of([((), 1)], ['a'])", "table_of({(): 1}, 'a')", "table_of({(): 1}, {'a'})"),
        *("table_of({(): 1}, [1])", "table_of({(): 0.5}, ['a'])", "table_of({(): True}, ['a'])"),
    ],
    UnknownNameError: [
        *("TABLE[['c']]", "TABLE[['b']]", "TABLE.value_at(3)", "TABLE.value_at(4)", "TABLE.value_at(-1)"),
        *("TABLE.restrict(within=['c'])", "table_of({('b',): 1}, ['a'])"),
    ],
    InvalidValueError: [
        *("TABLE[['a', 'a']]", "TABLE.best_of_size(2)", "TABLE.best_of_size(-1)", "TABLE.restrict(sizes=[])"),
        *("TABLE.restrict(sizes=[10**30])", "table_of({}, ['a'])", "table_of({(): 1}, ['a', 'a'])"),
        *("table_of({('a', 'b'): 1, ('b', 'a'): 1}, ['a', 'b'])", "table_of({('a', 'a'): 1}, ['a'])"),
        *("SubsetTable(('a',), TABLE.column.take([0]))", "of_arrays([1, 2], 0)", "of_arrays([1, 2], -1)"),
        *("of_arrays([], 1, [])", "of_arrays([1, 2], 1, [1, 0])", "of_arrays([1, 2], 1, [0, 0])"),
        *("of_arrays([1, 2], 1, [0, 2])", "of_arrays([1, 2], 1, [-1, 0])"),
    ],
}


@pytest.mark.parametrize(("call", "error"), [(call, error) for error, calls in REFUSED.items() for call in calls])
def test_what_is_refused(call: str, error: type[FSTheoryError]) -> None:
    with pytest.raises(error) as caught:
        eval(call)
    assert type(caught.value) is error
