"""Linear extensions: checked, listed, counted, drawn and built from wishes, against definitions and known numbers."""

import random
from collections import Counter
from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import combinations, islice, pairwise
from math import prod
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, strategies as st

from fstheory.errors import InvalidValueError, NotMonotoneError
from fstheory.lattice import extensions
from fstheory.lattice.subsets import format_subset, mask_of
from tests.literal import subsets
from tests.refusals import check_message

Order = tuple[frozenset[str], ...]

NAMES = ("X1", "X2", "X3")
ORDERS = list(extensions.linear_extensions(3))
PUBLISHED = [1, 1, 2, 48, 1680384, 14807804035657359360, 141377911697227887117195970316200795630205476957716480]
CLASSES = [2, 3, 5, 10, 30, 210, 16353]  # OEIS A003182: monotone Boolean functions up to renaming; above, A046873

# Which sequences of subsets are linear extensions, and what is said of those that are not.


def checked(order: Any, features: Any = None) -> Order:
    """Return the order as sets of names, if it is a linear extension."""
    masks, names = extensions.order_masks(order, features)
    return extensions.named(masks.tolist(), names)


@given(st.sampled_from(ORDERS), st.permutations(range(8)))
def test_an_offending_pair_is_one(order: Order, places: list[int]) -> None:
    shuffled = [order[place] for place in places]
    if not any(earlier < later for earlier, later in combinations(shuffled, 2)):
        assert checked(shuffled) == tuple(shuffled)
        return
    with pytest.raises(NotMonotoneError) as caught:
        checked(shuffled)
    pair = caught.value.subset, caught.value.superset
    assert pair[0] < pair[1]
    first, second = (f"{format_subset(mask_of(s, NAMES), NAMES)} (S_{shuffled.index(s) + 1})" for s in pair)
    check_message(caught.value, "order", f"superset before its subsets, not {first} before {second}")


def test_any_iterables_do() -> None:
    assert checked(iter([{"X1": None}, iter(())])) == (frozenset({"X1"}), frozenset())
    assert checked([["b", "a"], {"a"}, ("b",), []], features=("a", "b"))[1] == {"a"}


# All of them, in lexicographic order, and their numbers.


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
def test_they_are_those_of_a_literal_recursion_in_lexicographic_order(names: tuple[str, ...]) -> None:
    expected = complete((), frozenset(subsets(names)))
    assert list(extensions.linear_extensions(names)) == sorted(
        expected, key=lambda order: [rank(s, names) for s in order]
    )


def test_memory_and_time_for_one_order_only() -> None:
    first, second = islice(extensions.linear_extensions(12), 2)
    assert len(first) == 4096
    assert first[4093:] == (frozenset({"X11"}), frozenset({"X12"}), frozenset())
    assert second == (*first[:4093], frozenset({"X12"}), frozenset({"X11"}), frozenset())


@pytest.mark.parametrize("n", range(7))
def test_counts_are_the_published_ones(n: int) -> None:
    assert extensions.count_linear_extensions([f"f{i}" for i in range(n)]) == PUBLISHED[n]
    assert len(extensions._completions(n)) == CLASSES[n]


@pytest.mark.parametrize(("n", "step"), [(0, 1), (1, 1), (2, 1), (3, 1), (4, 997)])
def test_numbers_are_places_in_the_list(n: int, step: int) -> None:
    names = tuple(map(str, range(n)))
    for i, order in enumerate(islice(extensions.linear_extensions(names), 0, 10_000, step)):
        assert extensions.extension_number(i * step, n) == [mask_of(subset, names) for subset in order]


# Drawn at random: the distribution is computed exactly, from all draws that a generator could make.


class Scripted(random.Random):
    """A generator that draws what it is told, then zeros, and notes the bounds."""

    def __init__(self, script: list[int]) -> None:
        super().__init__(0)
        self.script, self.bounds = script, list[int]()

    def randrange(self, start: int, stop: int | None = None, step: int = 1) -> int:
        self.bounds.append(start)
        return self.script[len(self.bounds) - 1] if len(self.bounds) <= len(self.script) else 0


def all_outcomes(draw: Callable[[Scripted], Order]) -> Iterator[tuple[Order, Fraction]]:
    """Yield what each possible sequence of draws gives, with its probability."""
    script: list[int] = []
    while True:
        rng = Scripted(script)
        yield draw(rng), Fraction(1, prod(rng.bounds))
        script = (script + [0] * len(rng.bounds))[: len(rng.bounds)]
        while script and script[-1] == rng.bounds[len(script) - 1] - 1:
            script.pop()
        if not script:
            return
        script[-1] += 1


@pytest.mark.parametrize("n", range(4))
@pytest.mark.parametrize("method", ["uniform", "sequential"])
def test_orders_have_the_chances_that_are_stated(n: int, method: Any) -> None:
    """All the same, or each the product of 1 / (number available) along the order."""
    found: dict[Order, Fraction] = {}
    for order, chance in all_outcomes(lambda rng: extensions.random_linear_extension(n, rng=rng, method=method)):
        found[order] = found.get(order, Fraction(0)) + chance
    assert found.keys() == set(extensions.linear_extensions(n))
    for order, chance in found.items():
        rests = [order[i:] for i in range(len(order))]
        able = [sum(not any(subset < other for other in rest) for subset in rest) for rest in rests]
        assert chance == Fraction(1, prod(able) if method == "sequential" else len(found))


def test_numpy_bits_give_every_integer_the_same_chance() -> None:
    """Of the 256 bytes, those that are accepted fall on each of 48 numbers equally often."""

    accepted: Counter[int] = Counter()
    for byte in range(256):
        queue = [byte, 0]
        source: Any = SimpleNamespace(bytes=lambda length, queue=queue: bytes(queue.pop(0) for _ in range(length)))
        accepted[extensions.draw_bits_below(source, 48)] += len(queue)
    assert accepted == dict.fromkeys(range(48), 4)


@pytest.mark.parametrize("method", ["uniform", "sequential"])
@pytest.mark.parametrize("make", [int, random.Random, np.random.default_rng])
def test_a_seed_is_reproducible_and_a_generator_moves_on(method: Any, make: Callable[[int], Any]) -> None:
    first, again, other = (extensions.random_linear_extension(4, rng=make(seed), method=method) for seed in (3, 3, 4))
    assert first == again != other
    assert checked(first) == first
    generator = random.Random(1)
    assert len({extensions.random_linear_extension(list("abcde"), rng=generator, method=method) for _ in range(10)}) > 5


# Built from wishes, against a search through all 48 orders of 3 features.

CHAINS = st.lists(st.lists(st.sampled_from(subsets(NAMES)), min_size=2, max_size=3), max_size=4)


def grants(order: Order, wishes: list[list[frozenset[str]]]) -> bool:
    place = {subset: i for i, subset in enumerate(order)}
    return all(place[a] < place[b] for wish in wishes for a, b in pairwise(wish))


@given(CHAINS)
def test_the_first_order_that_grants_the_wishes_or_a_cycle_of_them(wishes: list[list[frozenset[str]]]) -> None:
    """Every step of the cycle is a wish or an inclusion, each starts where the one before ends, the last closes it."""
    granting = [order for order in ORDERS if grants(order, wishes)]
    if granting:
        assert extensions.linear_extension_with(wishes, 3) == granting[0]
        return
    with pytest.raises(InvalidValueError) as refusal:
        extensions.linear_extension_with(wishes, 3)
    wished, ends = {pair for wish in wishes for pair in pairwise(wish)}, []
    for step in str(refusal.value).removeprefix("wishes must be consistent, not ").split(";")[0].split(", "):
        sides, _, reason = step.rpartition(" (")
        first, second = (frozenset(n for n in NAMES if n in side) for side in sides.split(" before "))
        assert (first, second) in wished if reason == "wish)" else first > second
        ends.append((first, second))
    assert all(end == start for (_, end), (start, _) in zip(ends, [*ends[1:], ends[0]], strict=True))


def test_ways_to_write_a_wish() -> None:
    order = extensions.linear_extension_with([[["X1", "X3"], ["X2", "X4"]]], 4)
    for wish in ("X1X3 before X2X4", "X1X3<X2X4", "{X1, X3}  before  X4,X2"):
        assert extensions.linear_extension_with(wish, 4) == extensions.linear_extension_with([wish], 4) == order
    order = extensions.linear_extension_with("sex before age, class before age", names := ["age", "sex", "class"])
    places = [order.index(frozenset(s)) for s in ({"sex"}, {"age", "class"}, {"age"})]
    assert checked(order, names) == order
    assert places == sorted(places)


def test_the_shortest_cycle_is_named() -> None:
    for wishes, cycle in [
        ("X1 before X1X2", "not X1 before X1X2 (wish), X1X2 before X1 (superset)"),
        (["X1 < X2 < X3", "X3 < X1", "X2X3 < X1X2", "X1X2 < X2X3"], "X2X3 before X1X2 (wish), X1X2 before X2X3 (wish)"),
    ]:
        with pytest.raises(InvalidValueError) as caught:
            extensions.linear_extension_with(wishes, 3)
        check_message(caught.value, "wishes", cycle)
        if isinstance(caught.value, NotMonotoneError):
            assert [caught.value.subset, caught.value.superset] == [{"X1"}, {"X1", "X2"}]
