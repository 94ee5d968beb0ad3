"""Which sequences of subsets are linear extensions, and what is said of those that are not."""

from __future__ import annotations

from itertools import combinations, permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fstheory.errors import InvalidTypeError, InvalidValueError, NotMonotoneError, UnknownNameError
from fstheory.orders import check_linear_extension, linear_extensions

ORDERS = list(linear_extensions(3))


def test_all_permutations_of_the_subsets_of_two_features() -> None:
    subsets = [frozenset(c) for k in range(3) for c in combinations(("a", "b"), k)]
    for order in permutations(subsets):
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


FULL = [["X1", "X2"], ["X1"], ["X2"], []]


@pytest.mark.parametrize(
    ("order", "message"),
    [
        (FULL[:3], r"order must list each of the 4 subsets of \{X1, X2\} once, not \{\} nowhere; .*"),
        ([*FULL[:2], ["X1"], []], r"order must list each .* once, not X1 as S_2 and S_3 and X2 nowhere; .*"),
        ([*FULL, []], r"order must list each .* once, not \{\} as S_4 and S_5; .*"),
        ([], r"order must list each of the 1 subsets of \{\} once, not \{\} nowhere; .*"),
        ([["A"], []], r"features must be given when the names in order are not X1, \.\., Xn, not left out for A; .*"),
        ([["X1", "X1"], []], r"order\[0\] must be made of distinct names, not 'X1'; .*"),
    ],
)
def test_what_is_no_permutation(order: list[list[str]], message: str) -> None:
    with pytest.raises(InvalidValueError, match=message):
        check_linear_extension(order)


def test_the_first_offender_is_named() -> None:
    with pytest.raises(
        NotMonotoneError,
        match=r"order must put every superset before its subsets, not X2 \(S_3\) before X2X3 \(S_5\); "
        r"a superset cannot have the larger Bayes risk: move X2X3 up",
    ) as caught:
        check_linear_extension(
            [{"X1", "X2", "X3"}, {"X1", "X2"}, {"X2"}, {"X1", "X3"}, {"X2", "X3"}, {"X1"}, {"X3"}, set()]
        )
    assert caught.value.subset == {"X2"}
    assert caught.value.superset == {"X2", "X3"}


def test_wrong_types_and_names() -> None:
    with pytest.raises(InvalidTypeError, match=r"order\[0\] must be a feature name or an iterable.*, not 7; .*"):
        check_linear_extension([7])  # type: ignore[list-item]
    with pytest.raises(InvalidTypeError, match=r"order must be an iterable of feature subsets, not 'X1'; .*"):
        check_linear_extension("X1")
    with pytest.raises(UnknownNameError, match=r"feature 'Z' does not exist; use one of: 'A'"):
        check_linear_extension([{"Z"}, set()], ["A"])
