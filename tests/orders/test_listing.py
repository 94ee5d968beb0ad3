"""All linear extensions, against permutations filtered by the definition."""

from __future__ import annotations

import itertools

import pytest

from fstheory.errors import InvalidTypeError, InvalidValueError, TooLargeError
from fstheory.orders import check_linear_extension, linear_extensions
from fstheory.orders.extensions import extension_masks

Order = tuple[frozenset[str], ...]


def rank(subset: frozenset[str], names: tuple[str, ...]) -> tuple[int, list[int]]:
    """Return the key of the stated order of subsets: more features first, then earlier features."""
    return -len(subset), sorted(map(names.index, subset))


def respects_inclusion(order: Order) -> bool:
    return not any(earlier < later for earlier, later in itertools.combinations(order, 2))


def complete(order: Order, rest: frozenset[frozenset[str]]) -> list[Order]:
    """Return every way to complete an order, by trying each subset that no other superset precedes."""
    if not rest:
        return [order]
    able = [subset for subset in rest if not any(subset < other for other in rest)]
    return [whole for subset in able for whole in complete((*order, subset), rest - {subset})]


def powerset(names: tuple[str, ...]) -> list[frozenset[str]]:
    return [frozenset(c) for k in range(len(names) + 1) for c in itertools.combinations(names, k)]


@pytest.mark.parametrize("names", [(), ("A",), ("b", "a")])
def test_up_to_two_features_against_all_permutations(names: tuple[str, ...]) -> None:
    expected = {order for order in itertools.permutations(powerset(names)) if respects_inclusion(order)}
    listed = list(linear_extensions(names))
    assert set(listed) == expected
    assert len(listed) == len(expected)


def test_three_features_against_a_literal_recursion() -> None:
    names = ("X1", "X2", "X3")
    listed = list(linear_extensions(3))
    assert len(listed) == 48
    assert set(listed) == set(complete((), frozenset(powerset(names))))
    assert all(respects_inclusion(order) for order in listed)


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


def test_masks_are_the_same_orders() -> None:
    names = ("X1", "X2", "X3")
    bits = {name: 1 << i for i, name in enumerate(names)}
    by_name = [[sum(bits[name] for name in subset) for subset in order] for order in linear_extensions(names)]
    assert by_name == list(extension_masks(3))


def test_bad_features_are_refused_at_the_call() -> None:
    with pytest.raises(InvalidTypeError, match=r"features must be an iterable of names, not 'AB'; write \['AB'\]"):
        linear_extensions("AB")
    with pytest.raises(InvalidTypeError, match=r"features must be an integer, not 2\.0; .*"):
        linear_extensions(2.0)  # type: ignore[arg-type]
    with pytest.raises(InvalidValueError, match=r"features must be at least 0, not -1; .*"):
        linear_extensions(-1)
    with pytest.raises(InvalidValueError, match=r"features must be distinct names, not 'A'; .*"):
        linear_extensions(["A", "B", "A"])
    with pytest.raises(InvalidTypeError, match=r"features must be named by strings, not 3; .*"):
        linear_extensions(["A", 3])  # type: ignore[list-item]
    with pytest.raises(TooLargeError, match=r"one order of the subsets of 60 features must fit .* use fewer features"):
        linear_extensions(60)
