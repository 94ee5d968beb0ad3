"""The integer masses: against the definition of the greedy choice, and against an integer program."""

import json
import random
from itertools import pairwise
from math import prod
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fstheory.selection.adversary import cell_counts, descend, least_masses
from tests.selection.literal_adversary import random_order

ROWS: list[dict[str, Any]] = json.loads(Path(__file__).with_name("least_sums.json").read_text(encoding="utf-8"))["rows"]


def order_of(n: int, seed: int) -> list[int]:
    order = random_order(tuple(map(str, range(n))), random.Random(seed))
    return [sum(1 << int(name) for name in subset) for subset in order]


def risks_of(order: list[int], masses: list[int]) -> list[int]:
    return [sum(masses[other] for other in order if other | mask == other) for mask in order]


@given(st.integers(0, 6), st.integers(0, 2**32), st.data())
def test_each_mass_is_the_least_given_those_before(n: int, seed: int, data: st.DataObject) -> None:
    """And the descent keeps the order and the floors, and never costs."""
    order = order_of(n, seed)
    floors = data.draw(st.lists(st.integers(1, 9), min_size=2**n, max_size=2**n))
    masses = least_masses(order, floors)
    risks = risks_of(order, masses)
    assert masses[-1] == 0
    for before, after, mask in zip(risks, risks[1:], order[1:], strict=False):
        assert after > before
        assert masses[mask] >= floors[mask]
        assert masses[mask] == floors[mask] or after == before + 1
    if n < 6:
        cheaper = descend(order, floors)
        assert all(before < after for before, after in pairwise(risks_of(order, cheaper)))
        assert all(cheaper[mask] >= floors[mask] for mask in order[1:])
        assert sum(cheaper) <= sum(masses)


@pytest.mark.parametrize("n", [7, 9])
def test_large_orders(n: int) -> None:
    """Beyond 64 bits nothing overflows, whatever the split into low and high features."""
    order = order_of(n, 1)
    masses = least_masses(order, [10**30] * 2**n)
    risks = risks_of(order, masses)
    assert all(before < after for before, after in pairwise(risks))
    assert min(masses[:-1]) >= 10**30


def test_against_the_integer_program() -> None:
    """Never below the least sum, equal to it nearly always, and then by descent and not by greed alone."""
    equal, greedy = 0, 0
    for row in ROWS:
        order, least = row["order"], sum(row["masses"])
        best = dict(zip(order, row["masses"], strict=True))
        risks = risks_of(order, [best[mask] for mask in range(len(order))])
        assert all(before < after for before, after in pairwise(risks))
        floors = cell_counts(row["cardinalities"])
        found = sum(descend(order, floors))
        assert least <= found <= least * 108 // 100
        equal += found == least
        greedy += sum(least_masses(order, floors)) == least
    assert equal >= 86
    assert greedy < equal
    assert len(ROWS) == 90


@pytest.mark.parametrize("cardinalities", [(), (2,), (3, 2), (2, 5, 3)])
def test_cell_counts(cardinalities: tuple[int, ...]) -> None:
    for mask, count in enumerate(cell_counts(cardinalities)):
        assert count == prod(size - 1 for i, size in enumerate(cardinalities) if not mask >> i & 1)
    assert mask == 2 ** len(cardinalities) - 1
