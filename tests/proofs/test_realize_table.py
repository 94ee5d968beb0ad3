"""The tables of realizable orderings: regenerated, and checked from the definitions, by a solver and by exhaustion."""

import itertools
from typing import Any

import numpy as np
import pytest

from fstheory import JointDistribution
from fstheory.proofs.construction import WeakOrder, weak_order
from fstheory.proofs.realization import TABLE, least_realization, table_rows
from tests.literal import compositions
from tests.proofs.claims import world_of
from tests.proofs.exhaustion import Weights, World
from tests.proofs.least_realizations import table_text
from tests.proofs.weak_order_lists import renamings, weak_order_classes, weak_orders

KINDS: dict[str, tuple[str, ...]] = {"none": (), "positive": ("positive",), "unique_maximum": ("unique_maximum",)}
KINDS["both"] = ("positive", "unique_maximum")
LISTED = ("none", "positive", "both")
RARE = [pytest.param(kind, marks=pytest.mark.thorough) for kind in ("positive", "unique_maximum")]


def least(order: WeakOrder, kind: str) -> JointDistribution | None:
    return least_realization(order, **dict.fromkeys(KINDS[kind], True))


def size_of(weights: list[int]) -> tuple[int, int]:
    return sum(weights), sum(weight > 0 for weight in weights)


@pytest.mark.thorough
def test_the_file_is_what_the_generator_writes() -> None:
    assert TABLE.read_text(encoding="utf-8") == table_text()


@pytest.mark.parametrize("n", [1, 2, 3])
def test_every_order_is_listed_once_up_to_renaming(n: int) -> None:
    """And its renamings need weights of the same size."""
    rows = table_rows(n).values()
    assert [(weak_order(row["ordering"]), row["images"]) for row in rows] == list(weak_order_classes(n))
    for row, kind in itertools.product(list(rows)[::7], LISTED):
        for image in renamings(weak_order(row["ordering"])):
            d = least(image, kind)
            assert (d and (d.total, np.count_nonzero(d.weights))) == (row[kind] and size_of(row[kind]))


@pytest.mark.parametrize("kind", ["none", "both", *RARE])
def test_every_order_has_a_realization_or_the_theorem_forbids_it(kind: str) -> None:
    """All 1,784 orders, so also the renamings of those in the table."""
    realized = 0
    for order in itertools.chain.from_iterable(map(weak_orders, (1, 2, 3))):
        d = least(order, kind)
        if d is None:
            assert kind == "both"
            assert order.least_optimal is None
        else:
            assert world_of(d).ranks() == order.ranks
            assert world_of(d).satisfies(KINDS[kind])
            realized += len(order.features) == 3
    assert realized == (1541 if kind == "both" else 1784)


def differences(n: int) -> tuple[Any, list[Any], list[Any]]:
    """Return a solver of its own, the differences d(x), and the sums of |d(s)| by subset."""
    from z3 import Or, Real, Solver, Sum

    solver, gains = Solver(), []
    d = [Real(f"d{x}") for x in range(2**n)]
    for mask in range(2**n):
        parts: dict[int, list[Any]] = {}
        for x, value in enumerate(d):
            parts.setdefault(x & mask, []).append(value)
        sizes = [Real(f"a{mask}_{s}") for s in parts]
        for size, values in zip(sizes, parts.values(), strict=True):
            total = Sum(values)
            solver.add(size >= total, size >= -total, Or(size == total, size == -total))
        gains.append(Sum(sizes))
    return solver, d, gains


@pytest.mark.parametrize("n", [2, pytest.param(3, marks=pytest.mark.thorough)])
def test_the_solver_agrees_with_the_table(n: int) -> None:
    """Two classes: without both assumptions any d will do, with them all those without a 0."""
    from z3 import sat, unsat

    solver, d, gains = differences(n)
    for ranks, row in table_rows(n).items():
        solver.push()
        for a, b in itertools.combinations(range(2**n), 2):
            above = ranks[a] - ranks[b]
            solver.add(gains[a] == gains[b] if not above else gains[a] < gains[b] if above > 0 else gains[a] > gains[b])
        assert solver.check() == sat
        solver.add(*(value != 0 for value in d))
        assert solver.check() == (unsat if row["both"] is None else sat)
        solver.pop()


def least_by_exhaustion(n: int, most: int, kind: str) -> dict[tuple[int, ...], tuple[int, int, Weights]]:
    """Return the smallest weights for each order, looking at all weights up to a total."""
    found: dict[tuple[int, ...], tuple[int, int, Weights]] = {}
    for total in range(1, most + 1):
        for weights in compositions(total, 2 ** (n + 1)):
            world = World((2,) * n, 2, weights)
            if world.satisfies(KINDS[kind]):
                key = (total, sum(weight > 0 for weight in weights), weights)
                ranks = world.ranks()
                found[ranks] = min(found.get(ranks, key), key)
    return found


@pytest.mark.parametrize("kind", KINDS)
def test_the_least_weights_of_two_features_by_exhaustion(kind: str) -> None:
    found = least_by_exhaustion(2, 7, kind)
    rows = {ranks: (row["images"], row[kind if kind in LISTED else "none"]) for ranks, row in table_rows(2).items()}
    assert len(found) == sum(images for images, weights in rows.values() if weights)
    for ranks, (_, weights) in rows.items():
        if weights:
            assert found[ranks] == (*size_of(weights), tuple(weights))


def test_small_totals_of_three_features_by_exhaustion() -> None:
    """All weights up to a total of 4: no order is met that needs more by the table, and those that need no more are."""
    found = least_by_exhaustion(3, 4, "none")
    for ranks, row in table_rows(3).items():
        if sum(row["none"]) <= 4:
            assert found[ranks][2] == tuple(row["none"])
        else:
            assert ranks not in found
