"""Which weak orders the construction realizes: levels that are peeled off the top, and blocks of levels below.

Count the levels of a weak order from the largest risk: level 0 holds the empty subset.

- A level can be *peeled* if all above it are, and it has a least subset, which all its subsets contain.
- Levels low, .., high are a *block* if, after all subsets above high are counted to high and all below low to low, this
  is true for every S strictly between: if S ties with S + i, then so does every superset T of S with T + i.

Two neighboring levels are always a block. See docs/textbook/realizable-orderings.md for why this suffices.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from fstheory.logic.statement import Shape
from fstheory.search.weak_orders import WeakOrder
from fstheory.subsets import covers

__all__ = ["Group", "Plan", "blocks", "peelable", "plan"]

Heights = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Group:
    """Blocks that share one state of each feature, and have a class each.

    Attributes
    ----------
    blocks : tuple of pairs (low, high)
        From the lowest on.
    relevant : int
        The mask of the features that make a difference to some block.
    """

    blocks: tuple[tuple[int, int], ...]
    relevant: int


@dataclass(frozen=True, slots=True)
class Plan:
    """What the construction builds.

    Attributes
    ----------
    peeled : tuple of int
        The masks of the least subsets of the levels that are peeled, from the top.
    heights : tuple of int
        By mask, the level of each subset; those that are peeled are counted to the level below.
    groups : tuple of Group
    """

    peeled: tuple[int, ...]
    heights: Heights
    groups: tuple[Group, ...]


def plan(order: WeakOrder, shape: Shape, *, peel: int = 0) -> Plan | None:
    """Return a plan for a shape that peels at least some levels; None if there is none.

    Parameters
    ----------
    order : WeakOrder
    shape : Shape
    peel : int
        How many levels have to be peeled.

    Notes
    -----
    A feature needs one state that all groups share, and one for each group it is relevant to. A group has as many
    blocks as there are classes besides the first. As few levels are peeled as possible: each multiplies the weights.

    Examples
    --------
    >>> from fstheory.search.weak_orders import weak_order
    >>> order = weak_order("X1X2 < X1 = X2 = {}")
    >>> plan(order, Shape((2, 2)))
    Plan(peeled=(), heights=(0, 0, 0, 1), groups=(Group(blocks=((0, 1),), relevant=3),))
    >>> plan(order, Shape((2, 2)), peel=1)
    Plan(peeled=(3,), heights=(0, 0, 0, 0), groups=())
    """
    if shape.classes < 2:
        return None
    least = peelable(order)
    for count in range(peel, len(least) + 1):
        heights = tuple(min(height, max(order.heights) - count) for height in order.heights)
        groups = _groups(heights, shape.classes - 1)
        if all(
            size >= states for size, states in zip(shape.cardinalities, _needed(least[:count], groups), strict=False)
        ):
            return Plan(least[:count], heights, groups)
    return None


def _needed(peeled: Sequence[int], groups: Sequence[Group]) -> Iterator[int]:
    """Yield how many states each feature needs."""
    for i in itertools.count():
        yield max(1 + sum(group.relevant >> i & 1 for group in groups), 1 + any(mask >> i & 1 for mask in peeled))


def peelable(order: WeakOrder) -> tuple[int, ...]:
    """Return the least subsets of all levels that can be peeled, from the top.

    Examples
    --------
    >>> from fstheory.search.weak_orders import weak_order
    >>> peelable(weak_order("X1X2 < X2 < {} = X1")), peelable(weak_order("X1X2 < X1 = X2 < {}"))
    ((3, 2), (3,))
    """
    found = []
    for level in order.levels[:-1]:
        common = level[0]
        for mask in level:
            common &= mask
        if common not in level:
            break
        found.append(common)
    return tuple(found)


def blocks(heights: Sequence[int]) -> tuple[tuple[int, int], ...]:
    """Return as few blocks as possible that cover all levels, from the lowest on.

    Parts of blocks are blocks, so it is best to make each as long as possible.

    Examples
    --------
    >>> blocks([0, 1, 1, 2]), blocks([0, 0, 0, 0, 1, 1, 1, 2])
    (((0, 2),), ((0, 1), (1, 2)))
    """
    found = []
    low, top = 0, max(heights)
    while low < top:
        high = low + 1
        while high < top and _is_block(heights, low, high + 1):
            high += 1
        found.append((low, high))
        low = high
    return tuple(found)


def _is_block(heights: Sequence[int], low: int, high: int) -> bool:
    n = len(heights).bit_length() - 1
    clipped = [min(max(height, low), high) for height in heights]
    for mask, height in enumerate(clipped):
        if low < height < high:
            for more in covers(mask, n):
                if clipped[more] == height and any(clipped[t] != clipped[t | more] for t in covers(mask, n)):
                    return False
    return True


def _groups(heights: Heights, size: int) -> tuple[Group, ...]:
    found = blocks(heights)
    parts = [found[start : start + size] for start in range(0, len(found), size)]
    return tuple(Group(part, _relevant(heights, part[0][0], part[-1][1])) for part in parts)


def _relevant(heights: Heights, low: int, high: int) -> int:
    clipped = [min(max(height, low), high) for height in heights]
    n = len(heights).bit_length() - 1
    return sum(1 << i for i in range(n) if any(clipped[mask] != clipped[mask | 1 << i] for mask in range(len(heights))))
