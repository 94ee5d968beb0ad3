"""All linear extensions, against a recursion that follows the definition."""

import itertools

import pytest

from fstheory.lattice.extensions import check_linear_extension, linear_extensions
from tests.literal import subsets

Order = tuple[frozenset[str], ...]


def rank(subset: frozenset[str], names: tuple[str, ...]) -> tuple[int, list[int]]:
    """Return the key of the stated order of subsets: more features first, then earlier features."""
    return -len(subset), sorted(map(names.index, subset))


def complete(order: Order, rest: frozenset[frozenset[str]]) -> list[Order]:
    """Return every way to complete an order, by trying each subset that no other superset precedes."""
    if not rest:
        return [order]
    able = [subset for subset in rest if not any(subset < other for other in rest)]
    return [whole for subset in able for whole in complete((*order, subset), rest - {subset})]


@pytest.mark.parametrize("names", [(), ("A",), ("b", "a"), ("X1", "X2", "X3")])
def test_against_a_literal_recursion(names: tuple[str, ...]) -> None:
    listed, expected = list(linear_extensions(names)), complete((), frozenset(subsets(names)))
    assert set(listed) == set(expected)
    assert len(listed) == len(expected)


@pytest.mark.parametrize("names", [("X1",), ("X1", "X2"), ("c", "a", "b")])
def test_they_come_in_lexicographic_order(names: tuple[str, ...]) -> None:
    keys = [[rank(subset, names) for subset in order] for order in linear_extensions(names)]
    assert keys == sorted(keys)
    assert keys[0] == sorted(keys[0])


def test_four_features_start_right() -> None:
    """Each of the first is a linear extension, larger than the one before."""
    names = ("X1", "X2", "X3", "X4")
    last: list[tuple[int, list[int]]] = []
    for order in itertools.islice(linear_extensions(4), 300):
        assert check_linear_extension(order) == order
        key = [rank(subset, names) for subset in order]
        assert key > last
        last = key


def test_memory_and_time_for_one_order_only() -> None:
    first, second = itertools.islice(linear_extensions(12), 2)
    assert len(first) == 4096
    assert first[4093:] == (frozenset({"X11"}), frozenset({"X12"}), frozenset())
    assert second == (*first[:4093], frozenset({"X12"}), frozenset({"X11"}), frozenset())
