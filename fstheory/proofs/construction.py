"""Weak orders of the subsets, and a distribution for one by formula (docs/textbook/realizable-orderings.md)."""

from __future__ import annotations

import functools
import itertools
import math
import operator
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from fstheory.distributions.joint import JointDistribution
from fstheory.errors import InvalidFormatError, explain, require, require_listed, require_type
from fstheory.lattice.extensions import names_in, require_decreasing, require_each_once, resolve_features
from fstheory.lattice.subsets import (
    Subset,
    covers,
    default_features,
    format_subset,
    indices_of,
    listed_names,
    mask_of,
    parse_subset,
    size_order,
)
from fstheory.lattice.table import Ordering
from fstheory.logic.statement import Shape
from fstheory.measures.risk import bayes_risks

AnyOrdering: TypeAlias = "WeakOrder | Ordering[Any] | str | Iterable[Iterable[Subset]]"
"""The forms in which a weak order may be given: ``"X1X2 < X1 = X2 < {}"``, an `Ordering`, or levels of subsets."""

_PIECE = re.compile(r'((?:\{(?:"(?:[^"\\]|\\.)*"|[^{}"])*\}|[^<={}])*)(<|=|\Z)', re.DOTALL)
_NUMBERED = re.compile(r"X([0-9]+)")


@dataclass(frozen=True, slots=True)
class WeakOrder:
    """All subsets of some features in levels, from the smallest Bayes risk to the largest.

    `weak_order` makes it and checks it: each subset stands in one level, and no superset stands after its subsets.
    """

    features: tuple[str, ...]
    ranks: tuple[int, ...]  # the number of the level of each subset, by mask; 0 is the level of the smallest risk

    @property
    def levels(self) -> tuple[tuple[int, ...], ...]:
        """The masks of each level, by size and lexicographically within a size."""
        ranks = np.array(self.ranks, dtype=np.int64)
        masks = size_order(np.arange(len(ranks), dtype=np.int64), len(self.features), ranks).tolist()
        return tuple(tuple(level) for _, level in itertools.groupby(masks, self.ranks.__getitem__))

    @property
    def heights(self) -> tuple[int, ...]:
        """The number of the level of each subset, by mask, counted from the largest risk, which has 0."""
        return tuple(self.ranks[0] - rank for rank in self.ranks)

    @property
    def least_optimal(self) -> int | None:
        """The mask of the optimal subset that all optimal subsets contain, or None if no optimal subset is in all."""
        common = functools.reduce(operator.and_, self.levels[0])
        return common if self.ranks[common] == 0 else None

    def renamed(self, images: Sequence[int]) -> WeakOrder:
        """Return the order in which feature i plays the role that feature ``images[i]`` has in this one."""
        masks = range(len(self.ranks))
        renamed = (sum(1 << j for i, j in enumerate(images) if mask >> i & 1) for mask in masks)
        return WeakOrder(self.features, tuple(self.ranks[mask] for mask in renamed))

    def first_renaming(self) -> WeakOrder:
        """Rename the features so that the ranks are lexicographically least, and return the renamed order."""
        images = itertools.permutations(range(len(self.features)))
        return min((self.renamed(image) for image in images), key=lambda renamed: renamed.ranks)

    def __str__(self) -> str:
        return " < ".join(" = ".join(format_subset(mask, self.features) for mask in level) for level in self.levels)


def weak_order(
    ordering: AnyOrdering, features: int | Iterable[str] | None = None, *, worse: str = "a larger Bayes risk"
) -> WeakOrder:
    """Read a weak order of all subsets, and check that no superset stands after its subset.

    `worse` is the phrase for a later level in the message of the error.
    """
    if isinstance(ordering, WeakOrder):
        return ordering
    if isinstance(ordering, Ordering):
        names, levels = _of_table(ordering)
    elif isinstance(ordering, str):
        names, levels = _of_text(ordering, features)
    else:
        names, levels = _of_levels(ordering, features)
    require_each_once([mask for level in levels for mask in level], names, "ordering")
    of_mask = {mask: rank for rank, level in enumerate(levels) for mask in level}
    ranks = tuple(of_mask[mask] for mask in range(len(of_mask)))
    repair = "a superset knows at least as much: move {outer} to the level of {inner} or before it"
    require_decreasing(ranks, names, f"ordering must not give {{outer}} {worse} than its subset {{inner}}; {repair}")
    return WeakOrder(names, ranks)


Levels: TypeAlias = "list[list[int]]"


def _of_table(ordering: Ordering[Any]) -> tuple[tuple[str, ...], Levels]:
    levels = ordering.masks()
    named = [level.subsets for level in ordering]
    pairs = [pair for masks, subsets in zip(levels, named, strict=True) for pair in zip(masks, subsets, strict=True)]
    single = {mask: name for mask, subset in pairs if len(subset) == 1 for name in subset}
    count = max(mask for mask, _ in pairs).bit_length()
    repair = "take the ordering of a table that was not restricted"
    require(len(single) == count, "ordering", "of all subsets", ordering, repair)
    return tuple(single[1 << i] for i in range(count)), levels


def _of_text(text: str, features: int | Iterable[str] | None) -> tuple[tuple[str, ...], Levels]:
    pieces, position = [], 0
    while position <= len(text):
        match = _PIECE.match(text, position)
        if match is None or not match[1].strip():
            repair = "write X1X2 < X1 = X2 < {}, say"
            raise InvalidFormatError(explain("ordering", "subsets separated by < and =", text, repair))
        pieces.append((match[1].strip(), match[2]))
        position = match.end() if match[2] else len(text) + 1
    names = _numbered(text) if features is None else resolve_features(features)
    levels: Levels = [[]]
    for piece, separator in pieces:
        levels[-1].append(parse_subset(piece, names, "each subset of ordering"))
        if separator == "<":
            levels.append([])
    return names, levels


def _numbered(text: str) -> tuple[str, ...]:
    count = max(map(int, _NUMBERED.findall(text)), default=0)
    named = count or text.strip() in {"{}", "∅"}
    require(named, "features", "given when the names are not X1, .., Xn", None, "pass features=[...] in order")
    resolve_features(min(count, 10**6))  # refuses what would not fit in memory
    return default_features(count)


def _of_levels(levels: object, features: int | Iterable[str] | None) -> tuple[tuple[str, ...], Levels]:
    given = require_type(levels, Iterable, "ordering", "a text, an Ordering or levels", "write 'X1 < {}', say")
    held = []
    for i, level in enumerate(given):
        repair = "write [[['X1']], [[]]] for X1 < {}"
        subsets = require_listed(level, f"ordering[{i}]", "a level: an iterable of subsets", repair)
        held.append([listed_names(subset, f"ordering[{i}][{j}]") for j, subset in enumerate(subsets)])
        require(held[-1], f"ordering[{i}]", "a level with a subset", [], "leave it out")
    listed = itertools.chain.from_iterable(held)
    names = names_in(listed, "ordering") if features is None else resolve_features(features)
    return names, [
        [mask_of(subset, names, f"ordering[{i}][{j}]") for j, subset in enumerate(level)]
        for i, level in enumerate(held)
    ]


Heights = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Group:
    """Blocks that share one state of each feature, and have a class each."""

    blocks: tuple[tuple[int, int], ...]  # low and high, from the lowest on
    relevant: int  # the mask of the features that make a difference to some block


@dataclass(frozen=True, slots=True)
class Plan:
    """The plan of a construction: the levels that are peeled, and the groups of blocks for the other levels."""

    peeled: tuple[int, ...]  # the masks of the least subsets of the levels that are peeled, from the top
    heights: Heights  # by mask, the level of each subset; those that are peeled are counted to the level below
    groups: tuple[Group, ...]


def plan(order: WeakOrder, shape: Shape, *, peel: int = 0) -> Plan | None:
    """Return a plan that fits a shape and peels at least `peel` levels, or None if there is none."""
    if shape.classes < 2:
        return None
    least = peelable(order)
    for count in range(peel, len(least) + 1):
        heights = tuple(min(height, max(order.heights) - count) for height in order.heights)
        found, size = blocks(heights), shape.classes - 1
        parts = (found[start : start + size] for start in range(0, len(found), size))
        groups = tuple(Group(part, _relevant(heights, part[0][0], part[-1][1])) for part in parts)
        needed = (
            max(1 + sum(group.relevant >> i & 1 for group in groups), 1 + any(mask >> i & 1 for mask in least[:count]))
            for i in range(len(shape.cardinalities))
        )  # states of each feature
        if all(map(operator.ge, shape.cardinalities, needed)):
            return Plan(least[:count], heights, groups)
    return None


def peelable(order: WeakOrder) -> tuple[int, ...]:
    """Return the least subsets of all levels that can be peeled, from the top."""
    common = (functools.reduce(operator.and_, level) for level in order.levels)
    own = zip(common, order.levels[:-1], strict=False)
    return tuple(mask for mask, _ in itertools.takewhile(lambda pair: pair[0] in pair[1], own))


def blocks(heights: Sequence[int]) -> tuple[tuple[int, int], ...]:
    """Return as few blocks as possible that cover all levels, from the lowest on.

    Parts of blocks are blocks, so it is best to make each as long as possible.
    """
    ends, top = [0], max(heights)
    while ends[-1] < top:
        longer = itertools.takewhile(lambda high: _is_block(heights, ends[-1], high), range(ends[-1] + 2, top + 1))
        ends.append(max(longer, default=ends[-1] + 1))
    return tuple(itertools.pairwise(ends))


def _is_block(heights: Sequence[int], low: int, high: int) -> bool:
    n, clipped = _clipped(heights, low, high)
    return not any(
        clipped[more] == height and any(clipped[t] != clipped[t | more] for t in covers(mask, n))
        for mask, height in enumerate(clipped)
        if low < height < high
        for more in covers(mask, n)
    )


def _clipped(heights: Sequence[int], low: int, high: int) -> tuple[int, list[int]]:
    """Return the number of features, and heights as a block sees them: none below `low` or above `high`."""
    return len(heights).bit_length() - 1, [min(max(height, low), high) for height in heights]


def _relevant(heights: Heights, low: int, high: int) -> int:
    n, clipped = _clipped(heights, low, high)
    return sum(1 << i for i in range(n) if any(clipped[mask] != clipped[mask | 1 << i] for mask in range(len(heights))))


Weights: TypeAlias = "npt.NDArray[Any]"  # of integers of any size


def construct(
    order: WeakOrder, shape: Shape, *, positive: bool = False, unique_maximum: bool = False
) -> JointDistribution | None:
    """Return a distribution with a given ordering of its Bayes risks, or None if the shape is too small.

    The shape may be too small for the construction, and yet have a distribution with the ordering.
    """
    if len(set(order.ranks)) == 1:
        alike = np.zeros((*shape.cardinalities, shape.classes), dtype=np.int64)
        alike[(..., 0) if positive else (-1,) * len(shape.cardinalities) + (0,)] = 1
        return JointDistribution(alike, features=order.features)
    used, found = Shape(shape.cardinalities), None
    if unique_maximum and not positive:  # `_finished` subtracts the common part of two classes, so no tie is left
        found = plan(order, used)
    if found is None:
        used, found = shape, plan(order, shape, peel=int(unique_maximum))
    if found is None:
        return None
    weights = _group_weights(found, used)
    for i, least in reversed(list(enumerate(found.peeled))):
        weights = _peeled(weights, least, order.heights, max(order.heights) - i, decisive=unique_maximum and i == 0)
    return _finished(_padded(weights, shape), order, positive=positive)


def adapted(
    weights: Weights, order: WeakOrder, shape: Shape, *, positive: bool = False, unique_maximum: bool = False
) -> JointDistribution:
    """Return a distribution of a shape that satisfies the assumptions, made of the weights of a smaller one.

    The Bayes risks keep their order.
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


# Blocks


def _group_weights(planned: Plan, shape: Shape) -> Weights:
    """Return the weights of all groups. Each group has states of its own. All groups share the state 0."""
    weights = np.zeros((*shape.cardinalities, shape.classes), dtype=object)
    symbols = [0] * len(shape.cardinalities)
    for group in planned.groups:
        for i in indices_of(group.relevant):
            symbols[i] += 1
        _add_group(weights, planned.heights, group, symbols)
    return weights


def _add_group(weights: Weights, heights: Sequence[int], group: Group, symbols: Sequence[int]) -> None:
    """Add the weights of a group: each block gets a class, a mass and penalties.

    The mass is in the state where all relevant features show their symbol, and the penalties are in states where only
    some do. At the cell of S where all its relevant features show the symbol, the class of a block is then ahead of
    class 0 by its mass minus the penalties that S sees.
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

    Subtract from the mass the penalties at the supersets of S. If S is at `high` or above, the result is the mass. It
    falls with the level of S down to `floor` + 1. If S is at `low` or below, it is at most 0.
    """
    inside = [mask for mask in range(relevant + 1) if mask & ~relevant == 0]
    _, clipped = _clipped(heights, low, high)
    penalties: dict[int, int] = {}

    def seen(mask: int) -> int:
        return sum(penalty for other, penalty in penalties.items() if other & mask == mask)

    def is_largest(mask: int) -> bool:
        more = (mask | 1 << i for i in indices_of(relevant & ~mask))
        return all(clipped[superset] != clipped[mask] for superset in more)

    total = 0
    for height in range(high - 1, low - 1, -1):
        before = {mask: seen(mask) for mask in inside if clipped[mask] == height and is_largest(mask)}
        total = max([total + 1, *before.values()]) if height > low else floor + total + 1
        penalties.update((mask, max(total - penalty, 0)) for mask, penalty in before.items())
    return total, penalties


# Peeled levels


def _peeled(weights: Weights, least: int, heights: Sequence[int], top: int, *, decisive: bool) -> Weights:
    """Add a product of functions of the features in `least`, each of which sums to 0. It is so large that it decides.

    A subset that lacks one of these features does not see the product. For subsets that have all of them, the winning
    classes depend on these features only, so their risks are equal. The levels above `top` are not in order yet.
    """
    sizes = weights.shape[:-1]
    signs: Weights = np.ones(sizes, dtype=object)
    for i in indices_of(least):
        zero_sum = [1, 1, -2][: 3 * (sizes[i] % 2)] + [1, -1] * ((sizes[i] - 3 * (sizes[i] % 2)) // 2)  # none of them 0
        signs = signs * np.array(zero_sum, dtype=object).reshape([-1 if i == j else 1 for j in range(len(sizes))])
    if weights.shape[-1] == 2:
        classes = [np.maximum(signs, 0), np.maximum(-signs, 0)]
    else:  # the other classes get the same amount, so that a subset that does not see the product has the same winners
        classes = [abs(signs) + signs, abs(signs) - signs] + [abs(signs)] * (weights.shape[-1] - 2)
    added: Weights = np.stack(classes, axis=-1)
    for factor in itertools.chain([1], (base << shift for shift in itertools.count() for base in (2, 3))):
        larger: Weights = weights + factor * added
        *_, second, first = np.moveaxis(np.sort(larger, axis=-1), -1, 0)
        if _is_ordered(larger, heights, top) and (not decisive or np.all(first > second)):
            return larger
    raise AssertionError("a large factor decides")


def _is_ordered(weights: Weights, heights: Sequence[int], top: int) -> bool:
    """Return whether the risks of the subsets up to a level have the order of the levels."""
    ranks = bayes_risks(JointDistribution(weights)).ranks.tolist()
    pairs = sorted((height, -rank) for height, rank in zip(heights, ranks, strict=True) if height <= top)
    return all((low < high) == (rank < other) for (low, rank), (high, other) in itertools.pairwise(pairs))


# The end


def _finished(weights: Weights, order: WeakOrder, *, positive: bool) -> JointDistribution:
    """Return the distribution of the weights, after subtracting what all classes of a state have in common.

    This changes all risks by the same amount. If `positive`, states without weight then get the weight 1 in each class.
    """
    weights = weights - weights.min(axis=-1, keepdims=True)
    if positive:
        weights = weights + (weights.sum(axis=-1, keepdims=True) == 0)
    return JointDistribution(weights // math.gcd(*weights.ravel().tolist()), features=order.features)
