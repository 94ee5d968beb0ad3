"""Which sequences of subsets are linear extensions, and what is said of those that are not."""

from itertools import combinations, permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fstheory.errors import NotMonotoneError
from fstheory.lattice.extensions import check_linear_extension, linear_extensions
from tests.literal import subsets
from tests.refusals import check_message

ORDERS = list(linear_extensions(3))


def test_all_permutations_of_the_subsets_of_two_features() -> None:
    for order in permutations(subsets(("a", "b"))):
        if any(earlier < later for earlier, later in combinations(order, 2)):
            with pytest.raises(NotMonotoneError):
                check_linear_extension(order, ["a", "b"])
        else:
            assert check_linear_extension(order, ["a", "b"]) == order


@given(st.sampled_from(ORDERS), st.permutations(range(8)))
def test_an_offending_pair_is_one(order: tuple[frozenset[str], ...], places: list[int]) -> None:
    shuffled = [order[place] for place in places]
    if not any(earlier < later for earlier, later in combinations(shuffled, 2)):
        assert check_linear_extension(shuffled) == tuple(shuffled)
        return
    with pytest.raises(NotMonotoneError) as caught:
        check_linear_extension(shuffled)
    assert caught.value.subset < caught.value.superset
    assert shuffled.index(caught.value.subset) < shuffled.index(caught.value.superset)


def test_any_iterables_do() -> None:
    assert check_linear_extension(iter([iter(())])) == (frozenset(),)
    assert check_linear_extension(iter([{"X1": None}, ()])) == (frozenset({"X1"}), frozenset())
    assert check_linear_extension([["b", "a"], {"a"}, ("b",), []], features=("a", "b"))[1] == {"a"}


def test_the_first_offender_is_named() -> None:
    order = [{"X1", "X2", "X3"}, {"X1", "X2"}, {"X2"}, {"X1", "X3"}, {"X2", "X3"}, {"X1"}, {"X3"}, set()]
    with pytest.raises(NotMonotoneError) as caught:
        check_linear_extension(order)
    check_message(caught.value, "order", "superset before its subsets, not X2 (S_3) before X2X3 (S_5)")
    assert [caught.value.subset, caught.value.superset] == [{"X2"}, {"X2", "X3"}]
