"""The construction of a distribution for a weak order, against the definitions, and what it is certain to reach."""

import functools
import itertools
import operator
from collections.abc import Sequence
from random import Random
from typing import Any

import pytest
from hypothesis import given

from fstheory import JointDistribution, SubsetTable, bayes_risks
from fstheory.errors import FSTheoryError
from fstheory.lattice.extensions import random_linear_extension
from fstheory.lattice.subsets import covers, default_features
from fstheory.logic.statement import Shape
from fstheory.proofs.construction import WeakOrder, blocks, construct, peelable, plan, weak_order
from fstheory.testing import joint_distributions
from tests.proofs.claims import world_of
from tests.proofs.weak_order_lists import completions, random_weak_order, renamings, weak_order_classes, weak_orders

FLAGS = [{"positive": positive, "unique_maximum": unique} for unique in (False, True) for positive in (False, True)]


def built(order: WeakOrder, shape: Shape, flags: dict[str, bool]) -> bool:
    """Construct a distribution, check its shape, order and assumptions, and return whether there is one."""
    d = construct(order, shape, **flags)
    if d is not None:
        world = world_of(d)
        assert (d.cardinalities, len(d.classes)) == (shape.cardinalities, shape.classes)
        assert world.ranks() == order.ranks
        assert world.satisfies([name for name, wished in flags.items() if wished])
    return d is not None


def possible(order: WeakOrder, flags: dict[str, bool]) -> bool:
    """Return whether Theorem 4 of Peña and Nilsson allows the order."""
    return order.least_optimal is not None or not all(flags.values())


@pytest.mark.rotated(3)
@pytest.mark.parametrize(
    ("sizes", "classes"),
    [
        *[((2,), 2), ((3,), 3), ((2, 2), 2), ((2, 3), 2), ((4, 2), 3)],
        *(pytest.param(*row, marks=pytest.mark.thorough) for row in (((2, 2, 2), 3), ((2, 2, 2), 2), ((3, 2, 4), 2))),
    ],
)
def test_up_to_three_features_only_theorem_4_forbids(sizes: tuple[int, ...], classes: int) -> None:
    """Every weak order, up to renaming, in every shape: the theorem of the textbook for n <= 3."""
    orders = [order for order, _ in weak_order_classes(len(sizes))]
    for order in orders if classes == 2 else orders[::3]:
        for flags in FLAGS:
            assert built(order, Shape(sizes, classes), flags) == possible(order, flags)


def chain(rng: Random, n: int, levels: int) -> WeakOrder:
    """Return a weak order with a number of levels, from random up-sets."""
    while True:
        heights = [0] * 2**n
        for height in range(1, levels):
            seeds = rng.sample(range(1, 2**n), rng.randint(1, 3))
            for mask in range(2**n):
                if heights[mask] == height - 1 and any(mask & seed == seed for seed in seeds):
                    heights[mask] = height
        if len(set(heights)) == levels:
            return WeakOrder(default_features(n), tuple(levels - 1 - height for height in heights))


@pytest.mark.one_in(3)
@pytest.mark.parametrize(
    ("n", "size", "classes"), [(4, 3, 2), (4, 4, 2), (4, 2, 3), (4, 2, 4), (4, 3, 3), (5, 2, 3), (6, 2, 2)]
)
def test_few_levels_are_always_reached(n: int, size: int, classes: int) -> None:
    """At most 1 + (k - 1)(c - 1) levels."""
    rng, shape = Random(n * size * classes), Shape((size,) * n, classes)
    for _ in range(6):
        order = chain(rng, n, 1 + (classes - 1) * (size - 1))
        for flags in FLAGS:
            if not flags["unique_maximum"] or classes == 2 or flags["positive"]:
                assert built(order, shape, flags) == possible(order, flags)


@pytest.mark.parametrize("shape", [Shape((2,) * 4, 2), Shape((3,) * 4, 2), Shape((2, 2, 2, 3), 3)], ids=str)
@pytest.mark.one_in(3)
def test_random_orders_of_four_features(shape: Shape) -> None:
    """Each construction is right. Most orders have one, and each strict order has one (Theorem 1)."""
    rng = Random(7)
    drawn = [random_weak_order(4, rng=rng) for _ in range(25)]
    assert sum(built(order, shape, flags) for order in drawn for flags in FLAGS) > 30
    for seed in range(3):
        order = weak_order([[subset] for subset in random_linear_extension(4, rng=seed, method="sequential")])
        assert all(built(order, shape, flags) for flags in FLAGS)


# Plans


def satisfies_the_definition(heights: Sequence[int], low: int, high: int) -> bool:
    """Decide word for word whether levels are a block."""
    n = len(heights).bit_length() - 1
    counted = [min(max(height, low), high) for height in heights]
    return all(
        counted[t] == counted[t | 1 << i]
        for s, t in itertools.product(range(2**n), repeat=2)
        for i in range(n)
        if s & t == s and low < counted[s] < high and counted[s] == counted[s | 1 << i]
    )


def fewest(heights: Sequence[int]) -> int:
    """Return the smallest number of blocks that cover the levels, by dynamic programming."""
    needed = {0: 0}
    for high in range(1, max(heights) + 1):
        needed[high] = 1 + min(needed[low] for low in range(high) if satisfies_the_definition(heights, low, high))
    return needed[max(heights)]


def test_blocks_are_blocks_and_as_few_as_can_be() -> None:
    for order in [*list(weak_orders(3))[::29], *(random_weak_order(4, rng=seed) for seed in range(12))]:
        found = blocks(order.heights)
        assert [low for low, _ in found] == [0, *(high for _, high in found)][: len(found)]
        assert all(satisfies_the_definition(order.heights, low, high) for low, high in found)
        assert len(found) == fewest(order.heights)


def hardest(n: int) -> WeakOrder:
    """Return the order of the textbook that needs most blocks: a level for each S with two sets S + i, S + j."""
    full = 2**n - 1
    levels = [{full, full ^ 1, full ^ 2}]
    for center in centers(n):
        new = {mask for mask in range(2**n) if mask & center == center}.difference(*levels)
        tied = {center, *sorted(new.intersection(covers(center, n)))[:2]}
        levels += filter(None, [new - tied, tied])
    levels.append(set(range(2**n)).difference(*levels))
    ranks = {mask: rank for rank, level in enumerate(levels) for mask in level}
    return WeakOrder(default_features(n), tuple(ranks[mask] for mask in range(2**n)))


def centers(n: int) -> list[int]:
    if n < 4:
        return []
    pair = 0b11 << n - 2
    above = [mask | pair for mask in centers(n - 2)] + [pair] * (n > 4)
    return above + sorted(range(1, 2 ** (n - 2)), key=int.bit_count, reverse=True)


@pytest.mark.parametrize("n", range(3, 7))
def test_the_hardest_order(n: int) -> None:
    """It needs as many blocks as the textbook says that any order can, and the shapes that have them suffice."""
    order, most = hardest(n), 2**n // 3 - 1
    assert (weak_order(str(order)), peelable(order), len(blocks(order.heights))) == (order, (), most)
    assert plan(order, Shape((2,) * n, most)) is None
    for shape in (Shape((2,) * 4, 5), Shape((5,) * 4, 2), Shape((3,) * 4, 3)) if n == 4 else ():
        assert all(built(order, shape, flags) for flags in FLAGS[:2])
    assert plan(order, Shape((2,) * n, most + 1)) is not None


@pytest.mark.parametrize("n", [2, 3, pytest.param(4, marks=pytest.mark.thorough)])
def test_no_order_needs_more_blocks(n: int) -> None:
    """Over all chains of up-sets: one block, and one more for each of the levels apart that none may have inside."""
    edges = [(s, t) for s in range(2**n) for t in covers(s, n)]
    upsets = list(completions(n))
    above = {high: [low for low in upsets if low & high == high != low] for high in upsets}

    def breaks(done: int, high: int, low: int) -> bool:
        """Whether S ~ S + i on the level low - high, and T and T + i may differ, T a superset of S outside of done."""
        level = low & ~high
        ties = [(s, s ^ t) for s, t in edges if level >> s & level >> t & 1]
        return any(
            s & t == s and ((high & ~done) >> t & 1 or (level >> t & 1 and high >> (t | i) & 1))
            for s, i in ties
            for t in range(s, 2**n)
            if not t & i
        )

    @functools.cache
    def most(done: int) -> int:
        pairs = ((high, low) for high in (done, *above[done]) for low in above[high] if not low & 1)
        return max((1 + most(low) for high, low in pairs if breaks(done, high, low)), default=0)

    peeled, tops = {0}, set[int]()
    for high in sorted(upsets, key=int.bit_count):
        for low in above[high] if high in peeled else ():
            level = [mask for mask in range(2**n) if (low & ~high) >> mask & 1]
            (peeled if functools.reduce(operator.and_, level) in level else tops).add(low)
    assert 1 + max(map(most, tops)) == max(1, 2**n // 3 - 1)


def test_plans() -> None:
    order = weak_order("X1X2 = X1X3 = X2X3 = X1X2X3 < X1 = X2 < {} = X3")
    assert plan(order, Shape((2, 2, 2))) is not None
    assert plan(order, Shape((2, 2, 2)), peel=1) is plan(order, Shape((2, 2, 1))) is None
    assert plan(order, Shape((2, 2, 2), 1)) is None
    assert plan(weak_order("X1X2 < X1 < X2 < {}"), Shape((2, 1))) is None  # what is peeled needs two states


# Weak orders: read, written, listed, counted

ISSUE = "X1X2X3 = X1X2 < X1X3 = X2X3 < X1 < X2 = X3 < {}"


def test_the_levels_of_a_text() -> None:
    order = weak_order(ISSUE)
    assert weak_order(order) is order
    assert order.features == ("X1", "X2", "X3")
    assert order.levels == ((0b011, 0b111), (0b101, 0b110), (0b001,), (0b010, 0b100), (0b000,))
    assert order.ranks == (4, 2, 3, 0, 3, 1, 1, 0)
    assert str(order) == "X1X2 = X1X2X3 < X1X3 = X2X3 < X1 < X2 = X3 < {}"
    assert str(order.renamed([1, 2, 0])) == "X1X3 = X1X2X3 < X1X2 = X2X3 < X3 < X1 = X2 < {}"
    assert len({image.first_renaming() for image in renamings(order)}) == 1
    texts = ("X1X2 = X1 < X2 < {}", "X1X2 = X1 = X2 < {}", "X1X2 = X1 = X2 = {}")
    assert [weak_order(text).least_optimal for text in texts] == [1, None, 0]


@pytest.mark.parametrize(
    "same",
    [
        " X1X2X3=X1X2<X1X3 = X2X3 <X1< X2=X3 <∅",
        "{X1, X2, X3} = {X2, X1} < {X1,X3} = X2X3 < {X1} < X3 = X2 < {}",
        [[["X1", "X2", "X3"], {"X2", "X1"}], [["X1", "X3"], ["X2", "X3"]], [["X1"]], [["X2"], ["X3"]], [frozenset()]],
    ],
)
def test_one_order_in_many_notations(same: Any) -> None:
    assert weak_order(same) == weak_order(ISSUE)


@given(joint_distributions(max_features=3))
def test_the_ordering_of_risks_and_its_text(d: JointDistribution) -> None:
    """Whatever the features are called, also with commas, braces, quotes and signs."""
    ordering = bayes_risks(d).ordering()
    order = weak_order(ordering)
    assert order.features == d.features
    assert str(order) == str(ordering)
    assert order.levels == tuple(map(tuple, ordering.masks()))
    assert weak_order(str(ordering), d.features) == order


def test_a_restricted_table_has_no_order_of_all_subsets() -> None:
    table = SubsetTable.from_mapping({("X1",): "1/3", ("X1", "X2"): "1/4"}, features=["X1", "X2"])
    with pytest.raises(FSTheoryError, match=r"all subsets|leave out"):
        weak_order(table.ordering())


@pytest.mark.parametrize(("n", "count"), [(0, 1), (1, 2), (2, 12), (3, 1784)])
def test_all_weak_orders(n: int, count: int) -> None:
    """Up to two features against the definition: tuples of numbers without a gap, no superset above a subset."""
    listed = {order.ranks for order in weak_orders(n)}
    assert len(listed) == len(list(weak_orders(n))) == completions(n)[0] == count
    assert all(weak_order(str(order)) == order for order in weak_orders(n) if n)
    classes = list(weak_order_classes(n))
    assert sum(images for _, images in classes) == count
    assert {image.ranks for order, _ in classes for image in renamings(order)} == listed
    if n < 3:
        pairs = [(a, b) for a in range(2**n) for b in range(2**n) if a & b == b]
        tuples = (ranks for ranks in itertools.product(range(2**n), repeat=2**n) if len(set(ranks)) == max(ranks) + 1)
        assert listed == {ranks for ranks in tuples if all(ranks[a] <= ranks[b] for a, b in pairs)}
