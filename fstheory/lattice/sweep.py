"""The sweep: for every feature subset, the sum over its states of the largest class weight.

The Bayes risk of a subset is the rest of the total weight, divided by the total.
"""

from __future__ import annotations

import contextlib
import itertools
import math
import queue
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from fstheory.numbers.limbs import Int64, IntegerArray, resplit, split, total_of

# -- How a sweep cuts the cells of all marginals into blocks.


Array: TypeAlias = "npt.NDArray[Any]"
Index: TypeAlias = "tuple[int | slice, ...]"

_ALL, _STATES, _FOLDED = slice(None), slice(1, None), slice(0, 2)


@dataclass(frozen=True)
class Budget:
    """The sizes of the blocks into which a sweep cuts a table. No answer depends on them."""

    run: int = 2187  # cells in a row before leaves are opened: NumPy is fast on long rows
    leaf: int = 3 * 2**22  # bytes of a leaf: threads wait for each other between calls, so calls should be long
    panel: int = 2**22  # bytes opened for many leaves together
    # The whole table is opened up to `table` bytes, or up to `growth` times its size if that is more. So the memory
    # stays a small multiple of the table.
    table: int = 2**21
    growth: float = 3 / 2
    blocks: int = 20  # a table is first cut into at least this many blocks, and each job has some of them


BUDGET = Budget()


class Stage(NamedTuple):
    """A stage of the sweep. Its blocks have the axes from `lead` to the end, and the axes from `run` on are opened."""

    lead: int
    run: int


@dataclass(frozen=True)
class Layout:
    """The axes of a sweep, in the order in which they are stored, and its stages.

    Opening an axis of c states costs c - 1 additions for each cell that it adds. So the axes with the fewest states are
    opened last, when there are most cells. They are in the leaf, where axes are opened from the last to the first. The
    axes with the most states are opened first.
    """

    order: tuple[int, ...]  # the features with at least two states: a feature with one state has no effect
    cards: tuple[int, ...]  # their cardinalities
    stages: tuple[Stage, ...]  # the whole table, sometimes one between, the leaves
    jobs: int  # the number of leading axes that separate independent jobs

    @classmethod
    def of(cls, cardinalities: Sequence[int], cell: int, budget: Budget = BUDGET) -> Layout:
        """Return the layout for features with these cardinalities, given the bytes of one cell."""
        order = sorted((i for i, c in enumerate(cardinalities) if c > 1), key=lambda i: cardinalities[i])
        sizes = [cardinalities[i] for i in order]
        n = len(order)

        def opened(cards: Sequence[int]) -> int:
            return math.prod(c + 1 for c in cards) * cell

        run = _least(n, lambda at: opened(sizes[at:]) <= budget.run * cell)
        leaf = _least(run, lambda at: opened(sizes[: run - at]) * opened(sizes[run:]) <= budget.leaf * cell)
        # The axes of the leaf, which are the smallest now, move behind the axes of the recursion.
        order = order[run - leaf : run] + order[: run - leaf] + order[run:]
        cards = tuple(cardinalities[i] for i in order)

        def block(lead: int, run: int) -> int:
            return math.prod(cards[lead:run]) * opened(cards[run:])

        whole = max(budget.table, budget.growth * block(0, n))
        first = max(run, _least(n, lambda at: block(0, at) <= whole))
        stages = [Stage(0, first), Stage(leaf, leaf)]
        jobs = next((at for at in range(leaf) if math.prod(c + 1 for c in cards[:at]) >= budget.blocks), leaf)
        if first > run:
            stages.insert(1, Stage(max(jobs, _least(leaf, lambda at: block(at, run) <= budget.panel)), run))
        return cls(tuple(order), cards, tuple(stages), jobs)


def _least(start: int, fits: Callable[[int], bool]) -> int:
    """Return the smallest position at or below `start` that can be reached in steps that all fit."""
    at = start
    while at and fits(at - 1):
        at -= 1
    return at


# -- The 3^n transform: one value for every feature subset, in one pass over the cells of all marginals.


Kept: TypeAlias = "tuple[int, ...]"

_PROBE = 32  # the number of cells that are tested before a whole block is tested


def subset_sums(
    planes: Array,
    phi: Callable[[Array, Array], object],
    *,
    outputs: int = 1,
    dtype: npt.DTypeLike | None = None,
    additive: Callable[[Array], bool] | None = None,
    combine: np.ufunc = np.add,
    collect: np.ufunc = np.add,
    batch: bool = False,
    threads: int = 1,
    budget: Budget = BUDGET,
) -> Array:
    """Return, for every subset S, the sum of ``phi(cell)`` over the cells of the marginal of S.

    `planes` has a leading axis for the values of a cell, and an axis for each feature. `phi` writes `outputs` values of
    each cell. `additive` says whether phi is additive on a block, so that all its subsets have the same value.
    `combine` merges cells, and `collect` merges values. With `batch`, the last axis of `planes` and of the result are
    tables, which are swept together.
    """
    planes = planes if batch else planes[..., np.newaxis]
    kind = np.dtype(planes.dtype if dtype is None else dtype)
    cards, tables = planes.shape[1:-1], planes.shape[-1]
    rule = _Rule(phi, len(planes), planes.dtype, outputs, kind, additive, combine, collect, tables)
    shape = Layout.of(cards, tables * max(len(planes) * planes.itemsize, outputs * kind.itemsize), budget)
    table = _Opened(shape, 0, rule)
    single = [i for i, c in enumerate(cards) if c == 1]
    moved = planes.transpose(0, *(i + 1 for i in single), *(i + 1 for i in shape.order), -1)
    table.open(moved[index_of([0] * len(single))])  # in stored order
    jobs: queue.SimpleQueue[Kept] = queue.SimpleQueue()
    for kept in sorted(itertools.product((0, 1), repeat=shape.jobs), key=sum, reverse=True):  # the longest jobs first
        jobs.put(kept)

    def work() -> None:
        sweeper = _Sweeper(shape, rule)
        with contextlib.suppress(queue.Empty):
            while True:
                kept = jobs.get_nowait()
                sweeper.run(kept, table.block, table.values[index_of(kept)])

    if threads == 1 or shape.jobs == 0:
        work()
    else:
        with ThreadPoolExecutor(threads - 1) as pool:
            others = []
            with contextlib.suppress(RuntimeError):  # no further thread can start: the others do its jobs
                for _ in range(threads - 1):
                    others.append(pool.submit(work))  # noqa: PERF401 (the threads that did start must be in the list)
            work()
            for future in others:
                future.result()
    sums = _by_mask(table.fold(), shape, len(cards))
    return sums if batch else sums[..., 0]


def _by_mask(result: Array, shape: Layout, n: int) -> Array:
    """Return the values by mask, with feature 0 in the lowest bit. A feature with a single state changes no value."""
    outputs, tables = len(result), result.shape[-1]
    axes = [*(i for i in range(n) if i not in shape.order), *shape.order]
    wide = result[(slice(None), *[np.newaxis] * (n - len(shape.order)))]
    moved = wide.transpose(0, *(1 + axes.index(i) for i in reversed(range(n))), -1)
    return np.broadcast_to(moved, (outputs, *[2] * n, tables)).reshape(outputs, 2**n, tables)


@dataclass(frozen=True)
class _Rule:
    """The operations on cells: the parameters of `subset_sums`."""

    phi: Callable[[Array, Array], object]
    planes: int
    dtype: np.dtype[Any]
    outputs: int
    kind: np.dtype[Any]
    additive: Callable[[Array], bool] | None
    combine: np.ufunc
    collect: np.ufunc
    tables: int


class _Opened:
    """The memory of one stage: a block with some trailing axes opened, and the values of its subsets.

    On an opened axis of the block, slot 0 means "summed out", and slot s + 1 is state s. On an axis of the values, slot
    0 means "not in the subset". After folding, slot 1 is the sum over the states.

    The block has shape (planes, *cards of the axes not opened, cells of the opened axes). The values are filled later
    and have shape (outputs, *[2] * axes not opened, cells of the opened axes).
    """

    def __init__(self, shape: Layout, index: int, rule: _Rule) -> None:
        stage = shape.stages[index]
        end = shape.stages[index - 1].run if index else len(shape.cards)
        closed, opened = shape.cards[stage.lead : stage.run], shape.cards[stage.run : end]
        tail = math.prod(c + 1 for c in shape.cards[end:]) * rule.tables
        cells: Array = np.empty((rule.planes, *closed, *(c + 1 for c in opened), tail), dtype=rule.dtype)
        before: Index = (_ALL,) * (1 + len(closed))
        self.rule, self._states = rule, cells[(*before, *[_STATES] * len(opened))]
        # Trailing axes first: the later additions are longer, and run over all slots of those axes.
        self._sums = [
            step
            for axis in reversed(range(len(opened)))
            for step in _merge(cells, (*before, *[_STATES] * axis), 0, range(1, opened[axis] + 1))
        ]
        if not closed and rule.kind == rule.dtype and rule.outputs <= rule.planes:
            values = cells[: rule.outputs]  # in a leaf, values can take the place of their cells
        else:
            values = np.empty((rule.outputs, *[2] * len(closed), *cells.shape[1 + len(closed) :]), dtype=rule.kind)
        # Leading axes first: the trailing axes stay long while there is most to do.
        self._folds = [
            step
            for axis, c in enumerate(opened)
            for step in _merge(values, (*before, *[_FOLDED] * axis), 1, range(1, c + 1))
        ]
        self._folded = values[(*before, *[_FOLDED] * len(opened))]
        self.block = cells.reshape(rule.planes, *closed, -1)
        self.values = values.reshape(rule.outputs, *[2] * len(closed), -1)

    def open(self, block: Array) -> None:
        """Fill the cells from a block."""
        np.copyto(self._states, block)
        for left, right, out in self._sums:
            self.rule.combine(left, right, out=out)

    def fold(self) -> Array:
        """Fold the current values and return them. The result is valid until the values are written again."""
        for left, right, out in self._folds:
            self.rule.collect(left, right, out=out)
        return self._folded


def index_of(states: Iterable[int]) -> Index:
    """Return the index of these states on the leading axes, in all planes."""
    return (_ALL, *states)


def _merge(array: Array, head: Index, into: int, slots: range) -> list[tuple[Array, Array, Array]]:
    """Return the operations (left, right, out) that merge the slots of the axis after `head`."""
    out = array[(*head, into)]
    first, second, *others = (array[(*head, slot)] for slot in slots)
    return [(first, second, out), *((out, other, out) for other in others)]


class _Sweeper:
    """The memory of one worker, and the recursion that fills it.

    A block has shape (planes, *cards, tail), and its values have shape (outputs, *[2] * len(cards), tail). The tail
    holds the cells of the axes that are already opened.
    """

    def __init__(self, shape: Layout, rule: _Rule) -> None:
        self.shape, self.rule = shape, rule
        self.stages = [_Opened(shape, i, rule) for i in range(1, len(shape.stages))]
        self.sums: dict[tuple[int, ...], Array] = {}

    def run(self, kept: Kept, block: Array, out: Array) -> None:
        """Fill the values of the table for one choice of which leading axes are kept."""
        for axis in reversed([axis for axis, k in enumerate(kept) if not k]):
            block = self.merged(np.moveaxis(block, axis + 1, 1))
        levels = self.shape.stages[1].lead - self.shape.jobs
        for i, state in enumerate(itertools.product(*map(range, block.shape[1 : 1 + sum(kept)]))):
            self.descend(block[index_of(state)], out, 0, levels, fresh=i == 0, mixed=False)

    def descend(self, block: Array, out: Array, index: int, levels: int, *, fresh: bool, mixed: bool) -> None:
        """Add the values of a block to `out`, or write them if `out` is `fresh`.

        The recursion runs over `levels` leading axes. After them comes the stage `index`. If the block is `mixed`, phi
        is known not to be additive on it.
        """
        if not mixed and self.rule.additive is not None:
            mixed = not self.rule.additive(_corner(block))  # a few cells show it in most cases
            if not mixed and self.rule.additive(block):
                self.put(self.settled(block, out.ndim), out, fresh)
                return
        if levels == 0:
            self.sweep(index, block, out, fresh)
            return
        self.descend(self.summed(block), out[:, 0], index, levels - 1, fresh=fresh, mixed=False)
        for state in range(block.shape[1]):
            first = state == 0  # this block has the corner that was tested
            self.descend(block[:, state], out[:, 1], index, levels - 1, fresh=fresh and first, mixed=mixed and first)

    def summed(self, block: Array) -> Array:
        """Return the block with its leading axis summed out.

        Each level of the recursion has one shape, and needs one block of this shape at a time.
        """
        shape = (len(block), *block.shape[2:])
        if shape not in self.sums:
            self.sums[shape] = np.empty(shape, dtype=block.dtype)
        return self.merged(block, self.sums[shape])

    def merged(self, block: Array, out: Array | None = None) -> Array:
        """Return the states of the leading axis combined. A NumPy reduction would copy the first state."""
        total: Array = self.rule.combine(block[:, 0], block[:, 1], out=out)
        for state in range(2, block.shape[1]):
            self.rule.combine(total, block[:, state], out=total)
        return total

    def sweep(self, index: int, block: Array, out: Array, fresh: bool) -> None:
        """Do one stage of a block, and all later stages within it."""
        stage = self.stages[index]
        stage.open(block)
        if index == len(self.stages) - 1:
            self.rule.phi(stage.block, stage.values)
        else:
            levels = self.shape.stages[index + 2].lead - self.shape.stages[index + 1].lead
            self.descend(stage.block, stage.values, index + 1, levels, fresh=True, mixed=True)
        self.put(stage.fold(), out, fresh)

    def put(self, values: Array, out: Array, fresh: bool) -> None:
        """Write values to `out`, or add them to the values in `out`."""
        if fresh:
            np.copyto(out, values)
        else:
            self.rule.collect(out, values, out=out)

    def settled(self, block: Array, dimensions: int) -> Array:
        """Return the values of a block on which phi is additive. They are the same for all subsets of its axes."""
        total = self.rule.combine.reduce(block, axis=tuple(range(1, block.ndim - 1)), dtype=block.dtype)
        values = np.empty((self.rule.outputs, block.shape[-1]), dtype=self.rule.kind)
        self.rule.phi(total, values)
        return values.reshape(self.rule.outputs, *[1] * (dimensions - 2), -1)


def _corner(block: Array) -> Array:
    """Return a few dozen cells of a block: all of some trailing axes, in the first state of the other axes."""
    axis, size = block.ndim - 1, block.shape[-1]
    while axis > 1 and size < _PROBE:
        axis -= 1
        size *= block.shape[axis]
    return block[index_of([0] * (axis - 1))]


# -- For every feature subset, the sum over its states of the largest class weight.


_ROOM = 62  # the sum of one limb over all cells must fit in this many bits


def wide_maximum_sums(weights: Array, *, threads: int = 1, budget: Budget = BUDGET) -> IntegerArray:
    """Return the sums that `maximum_sums` returns, for weights of any size.

    Complexity: that of the sweep times the number of limbs, about (bits of the largest weight) / (62 - log2 N).
    """
    cardinalities, classes = weights.shape[:-1], weights.shape[-1]
    cells = math.prod(cardinalities)
    flat = weights.reshape(cells, classes)
    width = max(1, int(flat.max()).bit_length())
    limbs = -(-width // (_ROOM - (cells - 1).bit_length()))
    bits = -(-width // limbs)  # limbs of equal width: the top limb then decides most cells
    reference = _cut(flat[:, -1], limbs, bits)
    base = reference.sum(axis=1, keepdims=True)
    if classes == 1:
        gains = np.zeros((limbs, 2 ** len(cardinalities)), dtype=np.int64)
    else:
        planes = np.empty((classes - 1, limbs, cells), dtype=np.int64)
        for y, plane in enumerate(planes):
            np.subtract(_cut(flat[:, y], limbs, bits), reference, out=plane)
        del reference
        choice, planes = _Choice(limbs, bits, cells), planes.reshape(-1, *cardinalities)
        sums = partial(subset_sums, planes, choice.gain, outputs=limbs, additive=choice.dominated)
        gains = sums(threads=threads, budget=budget)
    return IntegerArray.from_digits(gains + base, bits)


def _cut(values: Array, limbs: int, bits: int) -> Int64:
    """Return non-negative integers as exactly `limbs` digits."""
    digits = split(values, bits) if values.dtype == object else resplit(values.astype(np.int64)[None], 62, bits)
    exact = np.zeros((limbs, len(values)), dtype=np.int64)
    exact[: len(digits)] = digits[:limbs]
    return exact


class _Choice:
    """The choice of the largest class in each cell.

    A cell holds, for each class, the limbs of its difference to a reference class.
    """

    def __init__(self, limbs: int, bits: int, cells: int) -> None:
        self.limbs, self.bits, self.cells = limbs, bits, cells

    def gain(self, cells: Array, out: Array) -> None:
        """Write the limbs of the largest difference in each cell, or 0 if the reference class is largest."""
        differences = cells.reshape(-1, self.limbs, cells.shape[-1])
        undecided = np.flatnonzero(self.gap(differences[:, -1]) < self.cells)
        exact = self.largest(differences[..., undecided]) if len(undecided) else None
        first, *others = differences
        top = first[-1].copy()
        np.bitwise_and(first, ~(top >> 63), out=out)  # the shift gives -1 for negative differences, else 0
        np.maximum(top, 0, out=top)
        for difference in others:
            wins = ~((difference[-1] - top) >> 63)
            np.maximum(top, difference[-1], out=top)
            difference ^= out
            difference &= wins
            out ^= difference
        if exact is not None:
            out[:, undecided] = exact

    @staticmethod
    def gap(tops: Array) -> Array:
        """Return the gap between the largest and the second largest top limb. The reference class counts as 0."""
        if len(tops) == 1:
            lone: Array = np.abs(tops[0])
            return lone
        best: Array = np.maximum(tops[0], 0)
        second: Array = np.minimum(tops[0], 0)
        for top in tops[1:]:
            np.maximum(second, np.minimum(best, top), out=second)
            np.maximum(best, top, out=best)
        best -= second
        return best

    def largest(self, differences: Array) -> Array:
        """Return the limbs of the largest difference or 0, by exact comparison."""
        best: Array = np.zeros_like(differences[0])
        for difference in differences:
            best = np.where(self.is_negative(best - difference), difference, best)
        return best

    def is_negative(self, limbs: Array) -> Array:
        """Return, for each number, whether it is negative. The carry out of the top limb decides this."""
        above = limbs[0] >> self.bits
        for limb in limbs[1:]:
            above += limb
            above >>= self.bits
        negative: Array = above < 0
        return negative

    def dominated(self, cells: Array) -> bool:
        """Return whether one class is largest in every cell.

        Only the class with the largest total can be. A block with summed-out cells could have totals that overflow, so
        the totals are computed without the lowest bits of the limbs. They only propose a class: the cells decide.
        """
        differences = cells.reshape(-1, self.limbs, *cells.shape[1:])
        spare = cells[0].size.bit_length() + 1
        totals = (differences >> spare).sum(axis=tuple(range(2, differences.ndim)))
        best, winner = np.zeros_like(totals[0]), None
        for difference, total in zip(differences, totals, strict=True):
            if self.is_negative(best - total):
                best, winner = total, difference
        if winner is None:
            return not any(self.is_negative(-difference).any() for difference in differences)
        if self.is_negative(winner).any():
            return False
        return not any(self.is_negative(winner - difference).any() for difference in differences)


_WIDTHS = (np.int16, np.int32, np.int64)


def maximum_sums(weights: Array, *, threads: int = 1, budget: Budget = BUDGET) -> IntegerArray:
    """Return, for every mask S, the value V(S): the sum over the states s of S of the largest weight(s, y).

    The maximum is over the classes y. With the total T of the table, the Bayes risk of S is ``1 - V(S) / T``.
    """
    if weights.dtype.kind == "u":  # differences of unsigned integers would wrap
        weights = weights.astype(object)
    total = total_of(weights)
    if total >= 2**63:
        return wide_maximum_sums(weights, threads=threads, budget=budget)
    width = next(width for width in _WIDTHS if total <= np.iinfo(width).max)
    reference = int(weights[..., -1].sum())
    if weights.shape[-1] == 1:
        return IntegerArray.from_array(np.full(2 ** (weights.ndim - 1), reference))
    planes = np.empty((weights.shape[-1] - 1, *weights.shape[:-1]), dtype=width)
    for y in range(len(planes)):
        np.subtract(weights[..., y], weights[..., -1], out=planes[y, ...], casting="unsafe")
    if len(planes) == 1:
        # The larger weight of a cell is half of the sum of its weight and of the distance between the two classes.
        distances = subset_sums(
            planes,
            np.abs,
            additive=lambda cells: bool(cells.min() >= 0 or cells.max() <= 0),
            threads=threads,
            budget=budget,
        )
        sums = distances[0].astype(np.int64)
        return IntegerArray.from_array((total >> 1) + (sums >> 1) + (total & sums & 1))
    gains = subset_sums(planes, _gain, additive=_dominated, threads=threads, budget=budget)
    return IntegerArray.from_array(gains[0].astype(np.int64) + reference)


def _gain(cells: Array, out: Array) -> None:
    """Write the largest difference to the reference class, or 0 if the reference class is largest."""
    best = out[0]
    np.maximum(cells[0], 0, out=best)
    for plane in cells[1:]:
        np.maximum(best, plane, out=best)


def _dominated(cells: Array) -> bool:
    """Return whether one class is largest in every cell. Only the class with the largest total can be."""
    totals = cells.sum(axis=tuple(range(1, cells.ndim)), dtype=cells.dtype)
    y = int(totals.argmax())
    if totals[y] <= 0:
        return bool(cells.max() <= 0)
    best = cells[y]
    return bool(best.min() >= 0) and all(bool((best >= plane).all()) for j, plane in enumerate(cells) if j != y)
