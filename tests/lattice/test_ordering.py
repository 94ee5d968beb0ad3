"""The weak ordering of a table, and how two tables compare."""

import pickle
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fstheory import SubsetTable
from fstheory.errors import InvalidTypeError, InvalidValueError
from fstheory.lattice.subsets import parse_subset
from fstheory.lattice.table import compare
from fstheory.testing import subset_tables
from tests import literal


@given(subset_tables())
def test_levels(table: SubsetTable[Fraction]) -> None:
    ordering, values = table.ordering(), dict(table)
    assert [set(level.subsets) for level in ordering] == literal.levels(values)
    assert [level.value for level in ordering] == sorted(set(values.values()))
    place = literal.subsets(table.features).index
    assert all(list(level.subsets) == sorted(level.subsets, key=place) for level in ordering)
    assert len(ordering) == len(set(values.values()))
    assert ordering.is_strict is (len(ordering) == len(values))


@given(subset_tables())
def test_it_is_a_sequence(table: SubsetTable[Fraction]) -> None:
    ordering = table.ordering()
    levels = list(ordering)
    assert [ordering[i] for i in range(-len(levels), len(levels))] == [*levels, *levels]
    assert list(reversed(ordering)) == levels[::-1]
    assert list(ordering[1:]) == levels[1:]
    assert list(ordering[::-2]) == levels[::-2]
    assert ordering.index(levels[-1]) == len(levels) - 1
    with pytest.raises(IndexError):
        ordering[len(levels)]


@given(subset_tables())
def test_its_text_is_read_back(table: SubsetTable[Fraction]) -> None:
    text = str(table.ordering())
    read = [[parse_subset(name, table.features) for name in level.split(" = ")] for level in text.split(" < ")]
    assert read == table.ordering().masks()


@given(subset_tables(), st.integers(1, 10**20), st.fractions())
def test_equality_is_that_of_the_order_alone(table: SubsetTable[Fraction], scale: int, shift: Fraction) -> None:
    moved = SubsetTable.from_mapping({s: scale * v + shift for s, v in table.items()}, features=table.features)
    assert moved.ordering() == table.ordering()
    assert hash(moved.ordering()) == hash(table.ordering())
    assert pickle.loads(pickle.dumps(table.ordering())) == table.ordering()
    assert table.ordering() != list(table.ordering())


@given(st.data())
def test_comparison(data: st.DataObject) -> None:
    first = data.draw(subset_tables(max_value=3))
    values = {s: data.draw(st.just(v) | st.fractions(-3, 3, max_denominator=3)) for s, v in first.items()}
    second = SubsetTable.from_mapping(values, features=first.features)
    found = compare(first, second)
    held = list(first)
    for group, sign in ((found.lower, -1), (found.equal, 0), (found.higher, 1)):
        expected = [s for s in held if (first[s] > second[s]) - (first[s] < second[s]) == sign]
        assert sorted(map(sorted, group)) == sorted(map(sorted, expected))
    alike = literal.levels(dict(first)) == literal.levels(values)
    assert found.same_ordering is alike is (first.ordering() == second.ordering())
    assert (found.discordant_pairs == ()) is alike
    assert len({frozenset(pair) for pair in found.discordant_pairs}) == len(found.discordant_pairs)
    for a, b in found.discordant_pairs:
        signs = [(t[a] > t[b]) - (t[a] < t[b]) for t in (first, second)]
        assert signs[0] != signs[1]
        assert signs[0] <= 0


@given(subset_tables(max_value=2))
def test_a_tie_in_one_table_alone_is_discordant(table: SubsetTable[Fraction]) -> None:
    constant = SubsetTable.from_mapping(dict.fromkeys(table, Fraction(1)), features=table.features)
    for pair in (compare(table, constant), compare(constant, table)):
        assert pair.same_ordering is (len(set(table.values())) == 1)


def test_a_comparison_prints_what_is_discordant() -> None:
    first = SubsetTable.from_mapping({(): 2, ("a",): 1, ("b",): 2}, features=["a", "b"])
    second = SubsetTable.from_mapping({(): 2, ("a",): 3, ("b",): 2}, features=["a", "b"])
    assert str(compare(first, second)).splitlines() == [
        "3 subsets: 1 with a lower value in the first table, 2 with the same, 0 with a higher one",
        "ordered differently, among neighbors in one of the orderings:",
        "  {a} < {}, in the second table >",
        "  {a} < {b}, in the second table >",
    ]
    assert str(compare(first, first)).endswith("both order the subsets alike")


def test_values_wider_than_a_word_are_compared_exactly() -> None:
    base = Fraction(1, 3**90)
    values = (base, base + Fraction(1, 5**99))
    found = compare(*(SubsetTable.from_mapping({(): v, ("a",): 2 * base}, features=["a"]) for v in values))
    assert (found.lower, found.equal, found.higher) == ((frozenset(),), (frozenset({"a"}),), ())
    assert found.same_ordering


OTHERS = [SubsetTable.from_mapping({(): 1}, features=list(names)) for names in ("a", "b", "ab")]


@pytest.mark.parametrize("other", [3, {}, OTHERS[0].column, *OTHERS])
def test_tables_that_cannot_be_compared(other: Any) -> None:
    table = SubsetTable.from_mapping({(): 1, ("a",): 1}, features=["a"])
    for pair in ((table, other), (other, table)):
        with pytest.raises(InvalidValueError if isinstance(other, SubsetTable) else InvalidTypeError):
            compare(*pair)
