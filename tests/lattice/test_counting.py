"""Counts and numbering, against a direct count over up-sets and published numbers."""

from functools import cache
from itertools import islice

import pytest

from fstheory.lattice.extensions import _completions, count_linear_extensions, extension_number, linear_extensions
from fstheory.lattice.subsets import mask_of

PUBLISHED = [1, 1, 2, 48, 1680384, 14807804035657359360, 141377911697227887117195970316200795630205476957716480]
"""OEIS A046873."""

CLASSES = [2, 3, 5, 10, 30, 210, 16353]
"""OEIS A003182: monotone Boolean functions up to renaming of the variables."""


def count_directly(n: int) -> int:
    """Count by removing subsets from the end, without any renaming."""

    @cache
    def ways(placed: int) -> int:
        there = [s for s in range(2**n) if placed >> s & 1]
        last = [s for s in there if not any(t != s == t | s for t in there)]
        return sum(ways(placed ^ 1 << s) for s in last) if placed else 1

    return ways(2**2**n - 1)


@pytest.mark.parametrize("n", range(5))
def test_against_a_direct_count(n: int) -> None:
    assert count_linear_extensions(n) == count_directly(n)


@pytest.mark.parametrize("n", [*range(6), pytest.param(6, marks=pytest.mark.thorough)])
def test_against_published_numbers(n: int) -> None:
    assert count_linear_extensions([f"f{i}" for i in range(n)]) == PUBLISHED[n]
    assert len(_completions(n)) == CLASSES[n]


@pytest.mark.parametrize(("n", "step"), [(0, 1), (1, 1), (2, 1), (3, 1), (4, 997)])
def test_numbers_are_places_in_the_list(n: int, step: int) -> None:
    names = tuple(map(str, range(n)))
    for i, order in enumerate(islice(linear_extensions(names), 0, 10_000, step)):
        assert extension_number(i * step, n) == [mask_of(subset, names) for subset in order]


@pytest.mark.parametrize("n", [4, 5, pytest.param(6, marks=pytest.mark.thorough)])
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
