"""The tables of realizable orderings: regenerated, and checked from the definitions, by a solver and by exhaustion."""

import itertools

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
