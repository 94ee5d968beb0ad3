"""Counts and numbering, against a direct count over up-sets and published numbers."""

from __future__ import annotations

from functools import cache

import pytest

from fstheory.errors import TooLargeError
from fstheory.orders import count_linear_extensions
from fstheory.orders.extensions import _completions, extension_masks, extension_number

PUBLISHED = [1, 1, 2, 48, 1680384, 14807804035657359360, 141377911697227887117195970316200795630205476957716480]
"""OEIS A046873."""

CLASSES = [2, 3, 5, 10, 30, 210, 16353]
"""OEIS A003182: monotone Boolean functions up to renaming of the variables."""


def count_directly(n: int) -> int:
    """Count by removing subsets from the end, without any renaming."""

    @cache
    def ways(placed: int) -> int:
        last = [
            s
            for s in range(2**n)
            if placed >> s & 1 and not any(placed >> t & 1 for t in range(2**n) if t != s == t | s)
        ]
        return sum(ways(placed ^ 1 << s) for s in last) if placed else 1

    return ways(2**2**n - 1)


@pytest.mark.parametrize("n", range(5))
def test_against_a_direct_count(n: int) -> None:
    assert count_linear_extensions(n) == count_directly(n)


@pytest.mark.parametrize("n", [*range(6), pytest.param(6, marks=pytest.mark.thorough)])
def test_against_published_numbers(n: int) -> None:
    assert count_linear_extensions([f"f{i}" for i in range(n)]) == PUBLISHED[n]
    assert len(_completions(n)) == CLASSES[n]


@pytest.mark.parametrize("n", range(4))
def test_numbers_are_places_in_the_list(n: int) -> None:
    assert [extension_number(i, n) for i in range(PUBLISHED[n])] == list(extension_masks(n))


def test_numbers_of_four_features_are_places_in_the_list() -> None:
    for i, order in enumerate(extension_masks(4)):
        if i % 997 == 0:
            assert extension_number(i, 4) == order
        if i > 10_000:
            break


@pytest.mark.parametrize("n", [4, 5, 6])
def test_the_last_number_is_the_mirrored_first(n: int) -> None:
    """The last order places, among those available, always the last: within a size from the last features."""
    last = extension_number(PUBLISHED[n] - 1, n)
    assert sorted(last) == list(range(2**n))
    assert last[0] == 2**n - 1
    placed: set[int] = set()
    for mask in last:
        assert all(mask | 1 << i in placed for i in range(n) if not mask >> i & 1)
        placed.add(mask)
    assert last[1] == 2**n - 2  # without the first feature, which comes last in lexicographic order


def test_seven_features_are_refused_with_advice() -> None:
    with pytest.raises(
        TooLargeError, match=r"features must be at most 6 for exact counts of linear extensions, not 7; iterate with .*"
    ):
        count_linear_extensions(7)
