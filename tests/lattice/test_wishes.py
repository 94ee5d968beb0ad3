"""Orders from wishes, against a search through all 48 orders of 3 features."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fstheory.errors import InvalidValueError, NotMonotoneError
from fstheory.lattice.extensions import check_linear_extension, linear_extension_with, linear_extensions
from tests.literal import subsets
from tests.refusals import check_message

NAMES = ("X1", "X2", "X3")
ORDERS = list(linear_extensions(3))
CHAINS = st.lists(st.lists(st.sampled_from(subsets(NAMES)), min_size=2, max_size=3), max_size=4)


def grants(order: tuple[frozenset[str], ...], wishes: list[list[frozenset[str]]]) -> bool:
    place = {subset: i for i, subset in enumerate(order)}
    return all(place[a] < place[b] for wish in wishes for a, b in pairwise(wish))


@given(CHAINS)
def test_first_order_that_grants_the_wishes_or_a_refusal_if_none_does(wishes: list[list[frozenset[str]]]) -> None:
    granting = [order for order in ORDERS if grants(order, wishes)]
    if granting:
        assert linear_extension_with(wishes, 3) == granting[0]
    else:
        with pytest.raises(InvalidValueError, match="wishes must be consistent"):
            linear_extension_with(wishes, 3)


@given(CHAINS)
def test_the_cycle_that_is_named_is_one(wishes: list[list[frozenset[str]]]) -> None:
    """Every step is a wish or an inclusion, each starts where the one before ends, and the last closes it."""
    try:
        linear_extension_with(wishes, 3)
    except InvalidValueError as refusal:
        steps = str(refusal).removeprefix("wishes must be consistent, not ").split(";")[0].split(", ")
        wished = {pair for wish in wishes for pair in pairwise(wish)}
        ends = []
        for step in steps:
            sides, _, reason = step.rpartition(" (")
            first, second = (frozenset(n for n in NAMES if n in side) for side in sides.split(" before "))
            assert (first, second) in wished if reason == "wish)" else first > second
            ends.append((first, second))
        for (_, end), (start, _) in zip(ends, [*ends[1:], ends[0]], strict=True):
            assert end == start


@pytest.mark.parametrize("wish", ["X1X3 before X2X4", "X1X3 < X2X4", "X1X3<X2X4", "{X1, X3}  before  X4,X2"])
def test_ways_to_write_a_wish(wish: str) -> None:
    order = linear_extension_with(wish, 4)
    assert order == linear_extension_with([wish], 4) == linear_extension_with([[["X1", "X3"], ["X2", "X4"]]], 4)
    assert order.index(frozenset({"X1", "X3"})) < order.index(frozenset({"X2", "X4"}))
    assert check_linear_extension(order) == order


def test_a_chain_and_names_of_ones_own() -> None:
    names = ["age", "sex", "class"]
    order = linear_extension_with("sex before age, class before age", names)
    places = [order.index(frozenset(s)) for s in ({"sex"}, {"age", "class"}, {"age"})]
    assert places == sorted(places)
    assert check_linear_extension(order, names) == order


def test_without_wishes_by_falling_size() -> None:
    assert linear_extension_with([], 3) == ORDERS[0]


def test_a_wish_against_inclusion_names_the_pair() -> None:
    with pytest.raises(NotMonotoneError) as caught:
        linear_extension_with("X1 before X1X2", 2)
    check_message(caught.value, "wishes", "not X1 before X1X2 (wish), X1X2 before X1 (superset)")
    assert [caught.value.subset, caught.value.superset] == [{"X1"}, {"X1", "X2"}]


def test_the_shortest_cycle_is_named() -> None:
    with pytest.raises(InvalidValueError) as caught:
        linear_extension_with(["X1 < X2 < X3", "X3 < X1", "X2X3 < X1X2", "X1X2 < X2X3"], 3)
    check_message(caught.value, "wishes", "consistent, not X2X3 before X1X2 (wish), X1X2 before X2X3 (wish)")
