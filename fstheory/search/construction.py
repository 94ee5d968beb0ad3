"""Build a distribution for a weak order by formula; see docs/textbook/realizable-orderings.md for the proof."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from fstheory.bayes import bayes_risks
from fstheory.distribution import JointDistribution
from fstheory.logic.statement import Shape
from fstheory.search.blocks import Group, Plan, plan
from fstheory.search.weak_orders import WeakOrder
from fstheory.subsets import indices_of

__all__ = ["adapted", "construct"]

Weights: TypeAlias = "npt.NDArray[Any]"  # of integers of any size


def construct(
    order: WeakOrder, shape: Shape, *, positive: bool = False, unique_maximum: bool = False
) -> JointDistribution | None:
    """Return a distribution with a given ordering of its Bayes risks, or None if the construction has none.

    Parameters
    ----------
    order : WeakOrder
    shape : Shape
        Of at least two classes, and two states of each feature.
    positive, unique_maximum : bool
        Whether p(x) > 0 for all x, and whether p(Y|x) has a single maximum where p(x) > 0.

    Notes
    -----
    Never None for up to three features, unless both assumptions are made and no optimal subset is contained in all
    others; then there is no such distribution. Nor, with that exception, if the number of levels is at most
    1 + (k - 1)(c - 1), for k classes and c states of each feature, and k = 2 if only `unique_maximum` is asked for.

    Examples
    --------
    >>> from fstheory.search.weak_orders import weak_order
    >>> order = weak_order("X1X2X3 = X1X2 < X1X3 = X2X3 < X1 < X2 = X3 < {}")
    >>> d = construct(order, Shape((2, 2, 2)))
    >>> print(bayes_risks(d).ordering())
    X1X2 = X1X2X3 < X1X3 = X2X3 < X1 < X2 = X3 < {}
    """
    if len(set(order.ranks)) == 1:
        return _all_alike(shape, order, positive=positive)
    if unique_maximum and not positive:
        chosen, used = plan(order, Shape(shape.cardinalities)), Shape(shape.cardinalities)
        if chosen is None:
            chosen, used = plan(order, shape, peel=1), shape
    else:
        chosen, used = plan(order, shape, peel=int(unique_maximum)), shape
    if chosen is None:
        return None
    weights = _groups(chosen, used)
    tops = [max(order.heights) - i for i in range(len(chosen.peeled))]
    for least, top in reversed(list(zip(chosen.peeled, tops, strict=True))):
        decisive = unique_maximum and top == max(order.heights)
        weights = _peeled(weights, least, order.heights, top, decisive=decisive)
    return _finished(_padded(weights, shape), order, positive=positive)


def adapted(
    weights: Weights, order: WeakOrder, shape: Shape, *, positive: bool = False, unique_maximum: bool = False
) -> JointDistribution:
    """Return a distribution that satisfies assumptions, from one of a shape that is not larger.

    Parameters
    ----------
    weights : array of int
        Their risks are ordered as `order` says. If only `unique_maximum` is asked for and there are more than two
        classes, p(Y|x) has single maxima.
    order : WeakOrder
        One optimal subset is contained in all others, if both assumptions are made.
    shape : Shape
    positive, unique_maximum : bool

    Examples
    --------
    >>> from fstheory.search.weak_orders import weak_order
    >>> d = adapted(np.array([[1, 0], [0, 1]]), weak_order("X1 < {}"), Shape((3,)), positive=True, unique_maximum=True)
    >>> d.weights.tolist()
    [[3, 0], [1, 0], [0, 4]]
    """
    weights = _padded(weights, shape)
    if positive and unique_maximum:
        if order.least_optimal is None:
            raise AssertionError("Theorem 4 of Peña and Nilsson")
        weights = _peeled(weights, order.least_optimal, order.heights, max(order.heights), decisive=True)
    return _finished(weights, order, positive=positive)


def _padded(weights: Weights, shape: Shape) -> Weights:
    sizes = (*shape.cardinalities, shape.classes)
    return np.pad(weights.astype(object), [(0, size - held) for size, held in zip(sizes, weights.shape, strict=True)])


def _all_alike(shape: Shape, order: WeakOrder, *, positive: bool) -> JointDistribution:
    weights = np.zeros((*shape.cardinalities, shape.classes), dtype=np.int64)
    weights[(..., 0) if positive else (-1,) * len(shape.cardinalities) + (0,)] = 1
    return JointDistribution(weights, features=order.features)


# Blocks


def _groups(chosen: Plan, shape: Shape) -> Weights:
    """Return the weights of all groups; each has states of its own, but for the state 0 that they share."""
    weights = np.zeros((*shape.cardinalities, shape.classes), dtype=object)
    symbols = [0] * len(shape.cardinalities)
    for group in chosen.groups:
        for i in indices_of(group.relevant):
            symbols[i] += 1
        _add_group(weights, chosen.heights, group, symbols)
    return weights


def _add_group(weights: Weights, heights: Sequence[int], group: Group, symbols: Sequence[int]) -> None:
    """Give each block a class and a mass where all relevant features show the symbol, and penalties where only some do.

    At the cell of S where all its relevant features show the symbol, the class of a block is then ahead of class 0 by
    its mass less the penalties that S sees.
    """

    def state(mask: int) -> tuple[int, ...]:
        return tuple(symbol if mask >> i & 1 else 0 for i, symbol in enumerate(symbols))

    mass = 0
    for y, (low, high) in enumerate(group.blocks, start=1):
        mass, penalties = _block(heights, low, high, group.relevant, mass)
        weights[(*state(group.relevant), y)] += mass
        for mask, penalty in penalties.items():
            weights[state(mask)] += penalty
            weights[(*state(mask), y)] -= penalty


def _block(heights: Sequence[int], low: int, high: int, relevant: int, floor: int) -> tuple[int, dict[int, int]]:
    """Return the mass of a block, and the penalties by mask.

    The mass less the penalties at the supersets of S is the mass if S is at `high` or above, falls with the level of S
    down to `floor` + 1, and is at most 0 if S is at `low` or below.
    """
    inside = [mask for mask in range(relevant + 1) if mask & ~relevant == 0]
    clipped = {mask: min(max(heights[mask], low), high) for mask in inside}
    penalties: dict[int, int] = {}

    def seen(mask: int) -> int:
        return sum(penalty for other, penalty in penalties.items() if other & mask == mask)

    def is_largest(mask: int) -> bool:
        more = (mask | 1 << i for i in indices_of(relevant & ~mask))
        return all(clipped[superset] != clipped[mask] for superset in more)

    total = 0
    for height in range(high - 1, low, -1):
        largest = [mask for mask in inside if clipped[mask] == height and is_largest(mask)]
        before = {mask: seen(mask) for mask in largest}
        total = max([total + 1, *before.values()])
        penalties.update((mask, total - before[mask]) for mask in largest)
    mass = floor + total + 1
    lowest = [mask for mask in inside if clipped[mask] == low and is_largest(mask)]
    before = {mask: seen(mask) for mask in lowest}
    penalties.update((mask, max(mass - before[mask], 0)) for mask in lowest)
    return mass, penalties


# Peeled levels


def _peeled(weights: Weights, least: int, heights: Sequence[int], top: int, *, decisive: bool) -> Weights:
    """Add a product of functions of the features in `least` that sum to 0, so large that it decides who wins.

    A subset that lacks one of these features sees none of it. For those that have them all, the winners depend on
    these features only, so their risks are the same. What is above level `top` is not in order yet.
    """
    sizes = weights.shape[:-1]
    signs: Weights = np.ones(sizes, dtype=object)
    for i in indices_of(least):
        along_axis = [-1 if i == j else 1 for j in range(len(sizes))]
        signs = signs * np.array(_zero_sum(sizes[i]), dtype=object).reshape(along_axis)
    if weights.shape[-1] == 2:
        classes = [np.maximum(signs, 0), np.maximum(-signs, 0)]
    else:  # the others have to be as far ahead, where a subset sees nothing of it
        classes = [abs(signs) + signs, abs(signs) - signs] + [abs(signs)] * (weights.shape[-1] - 2)
    added: Weights = np.stack(classes, axis=-1)
    for factor in _growing():
        larger: Weights = weights + factor * added
        if _is_ordered(larger, heights, top) and (not decisive or _single_maxima(larger)):
            return larger
    raise AssertionError("a large factor decides")


def _zero_sum(size: int) -> list[int]:
    """Return small numbers, none of them 0, whose sum is 0."""
    return [1, -1] * (size // 2) if size % 2 == 0 else [1, 1, -2] + [1, -1] * ((size - 3) // 2)


def _growing() -> itertools.chain[int]:
    """Yield 1, 2, 3, 4, 6, 8, 12, 16, 24, ..."""
    return itertools.chain([1], (base << shift for shift in itertools.count() for base in (2, 3)))


def _is_ordered(weights: Weights, heights: Sequence[int], top: int) -> bool:
    """Say whether the risks of the subsets up to a level are ordered as the levels are."""
    ranks = bayes_risks(JointDistribution(weights)).ranks.tolist()
    pairs = sorted((height, -rank) for height, rank in zip(heights, ranks, strict=True) if height <= top)
    return all((low < high) == (rank < other) for (low, rank), (high, other) in itertools.pairwise(pairs))


def _single_maxima(weights: Weights) -> bool:
    ordered = np.sort(weights, axis=-1)
    return bool(np.all(ordered[..., -1] > ordered[..., -2]))


# The end


def _finished(weights: Weights, order: WeakOrder, *, positive: bool) -> JointDistribution:
    """Take away what all classes of a state have in common, which changes all risks alike, or add it."""
    weights = weights - weights.min(axis=-1, keepdims=True)
    if positive:
        weights = weights + (weights.sum(axis=-1, keepdims=True) == 0)
    return JointDistribution(weights // math.gcd(*weights.ravel().tolist()), features=order.features)
