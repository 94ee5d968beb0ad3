"""For every feature subset, the sum over its states of the largest class weight; what is left is the Bayes risk."""

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

# -- The cells of all marginals: how a sweep is cut.


Array: TypeAlias = "npt.NDArray[Any]"
Index: TypeAlias = "tuple[int | slice, ...]"

_ALL, _STATES, _FOLDED = slice(None), slice(1, None), slice(0, 2)


@dataclass(frozen=True)
class Budget:
    """How large the blocks are into which a sweep cuts a table; no answer depends on it."""

    run: int = 2187  # cells that should lie in a row before leaves are opened, so that NumPy's loops are long
    leaf: int = 3 * 2**22  # bytes of a leaf: threads wait for each other between calls, so these should be long
    panel: int = 2**22  # bytes of what is opened for many leaves
    table: int = 2**21  # bytes of what is opened for the whole table at once, or
    growth: float = 3 / 2  # times the table, if that is more: memory must stay a small multiple of the table's
    blocks: int = 20  # that a table is first cut into, at least: each job has some of them


BUDGET = Budget()


class Stage(NamedTuple):
    """A block with axes `lead` to the end has its axes from `run` on opened."""

    lead: int
    run: int


@dataclass(frozen=True)
class Layout:
    """The axes of a sweep, in the order in which they are stored, and its stages.

    Opening an axis costs one addition less than it has states, for each cell it adds. So those with the fewest states
    are opened last, over the most cells: in the leaf, from the last to the first. Those with the most states are first.
    """

    order: tuple[int, ...]  # the features with at least two states; one with a single state tells nothing
    cards: tuple[int, ...]  # their cardinalities
    stages: tuple[Stage, ...]  # the whole table's first, the leaves' last; sometimes one between them
    jobs: int  # so many leading axes separate independent jobs

    @classmethod
    def of(cls, cardinalities: Sequence[int], cell: int, budget: Budget = BUDGET) -> Layout:
        """Cut the axes of features with these cardinalities, given the bytes of one cell."""
        order = sorted((i for i, c in enumerate(cardinalities) if c > 1), key=lambda i: cardinalities[i])
        sizes = [cardinalities[i] for i in order]
        n = len(order)

        def opened(cards: Sequence[int]) -> int:
            return math.prod(c + 1 for c in cards) * cell

        run = _least(n, lambda at: opened(sizes[at:]) <= budget.run * cell)
        leaf = _least(run, lambda at: opened(sizes[: run - at]) * opened(sizes[run:]) <= budget.leaf * cell)
        # the leaf's axes, now the smallest, move behind those that are recursed on
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
    """Return how far `start` can go down while the position below still fits."""
    at = start
    while at and fits(at - 1):
        at -= 1
    return at


# -- The 3^n transform: one value for every feature subset, in one pass over the cells of all marginals.


Kept: TypeAlias = "tuple[int, ...]"

_PROBE = 32  # cells that are looked at before a whole block is


def subset_sums(
    planes: Array,
    phi: Callable[[Array, Array], object],
    *,
    outputs: int = 1,
    dtype: npt.DTypeLike | None = None,
    additive: Callable[[Array], bool] | None = None,
    combine: np.ufunc = np.add,
    collect: np.ufunc = np.add,
    threads: int = 1,
    budget: Budget = BUDGET,
) -> Array:
    """Return, for every subset S, the sum of ``phi(cell)`` over the cells of the marginal of S."""
    kind = np.dtype(planes.dtype if dtype is None else dtype)
    rule = _Rule(phi, len(planes), planes.dtype, outputs, kind, additive, combine, collect)
    shape = Layout.of(planes.shape[1:], max(len(planes) * planes.itemsize, outputs * kind.itemsize), budget)
    table = _Opened(shape, 0, rule)
    single = [i for i, c in enumerate(planes.shape[1:]) if c == 1]
    moved = planes.transpose(0, *(i + 1 for i in shape.order), *(i + 1 for i in single))
    table.open(moved[(..., *[0] * len(single), np.newaxis)])  # in stored order, and an axis of one cell last
    jobs: queue.SimpleQueue[Kept] = queue.SimpleQueue()
    for kept in sorted(itertools.product((0, 1), repeat=shape.jobs), key=sum, reverse=True):  # the long ones first
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
            with contextlib.suppress(RuntimeError):  # no room for another thread: the rest do its jobs
                for _ in range(threads - 1):
                    others.append(pool.submit(work))  # noqa: PERF401 (those that did start must be asked)
            work()
            for future in others:
                future.result()
    return _by_mask(table.fold(), shape, planes.ndim - 1)


def _by_mask(result: Array, shape: Layout, n: int) -> Array:
    """Put features back into their own order, feature 0 in the lowest bit; one with a single state changes nothing."""
    outputs = len(result)
    axes = [*shape.order, *(i for i in range(n) if i not in shape.order)]
    wide = result[(..., 0, *[np.newaxis] * (n - len(shape.order)))]
    moved = wide.transpose(0, *(1 + axes.index(i) for i in reversed(range(n))))
    return np.broadcast_to(moved, (outputs, *[2] * n)).reshape(outputs, 2**n)


@dataclass(frozen=True)
class _Rule:
    """What is done to cells; the parameters of `subset_sums`."""

    phi: Callable[[Array, Array], object]
    planes: int
    dtype: np.dtype[Any]
    outputs: int
    kind: np.dtype[Any]
    additive: Callable[[Array], bool] | None
    combine: np.ufunc
    collect: np.ufunc


class _Opened:
    """The memory of one stage: a block with some trailing axes opened, and the values of its subsets.

    Slot 0 of an opened axis is "summed out", and of the values "not in the subset"; slot s + 1 is state s, and slot 1
    of what is folded the sum over the states. The block has shape (planes, *cards of the axes not opened, cells of the
    opened axes), the values, to be filled, (outputs, *[2] * axes not opened, cells of the opened axes).
    """

    def __init__(self, shape: Layout, index: int, rule: _Rule) -> None:
        stage = shape.stages[index]
        end = shape.stages[index - 1].run if index else len(shape.cards)
        closed, opened = shape.cards[stage.lead : stage.run], shape.cards[stage.run : end]
        tail = math.prod(c + 1 for c in shape.cards[end:])
        cells: Array = np.empty((rule.planes, *closed, *(c + 1 for c in opened), tail), dtype=rule.dtype)
        before: Index = (_ALL,) * (1 + len(closed))
        self.rule, self._states = rule, cells[(*before, *[_STATES] * len(opened))]
        # trailing axes first: the additions that follow are longer and run over all slots of those axes
        self._sums = [
            step
            for axis in reversed(range(len(opened)))
            for step in _merge(cells, (*before, *[_STATES] * axis), 0, range(1, opened[axis] + 1))
        ]
        if not closed and rule.kind == rule.dtype and rule.outputs <= rule.planes:
            values = cells[: rule.outputs]  # in a leaf each value may stand where its cell stood
        else:
            values = np.empty((rule.outputs, *[2] * len(closed), *cells.shape[1 + len(closed) :]), dtype=rule.kind)
        # leading axes first, so that the trailing ones stay long while there is most to do
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
        """Fold the values that are there now; the result is valid until they are written to again."""
        for left, right, out in self._folds:
            self.rule.collect(left, right, out=out)
        return self._folded


def index_of(states: Iterable[int]) -> Index:
    """Return the index of these states of the leading axes, in all planes."""
    return (_ALL, *states)


def _merge(array: Array, head: Index, into: int, slots: range) -> list[tuple[Array, Array, Array]]:
    """Return the operations (left, right, out) that merge the slots of the axis after `head`."""
    out = array[(*head, into)]
    first, second, *others = (array[(*head, slot)] for slot in slots)
    return [(first, second, out), *((out, other, out) for other in others)]


class _Sweeper:
    """The memory of one worker, and the recursion over it.

    A block has shape (planes, *cards, tail) and its values (outputs, *[2] * len(cards), tail). The tail is made of the
    cells of axes that are open already.
    """

    def __init__(self, shape: Layout, rule: _Rule) -> None:
        self.shape, self.rule = shape, rule
        self.stages = [_Opened(shape, i, rule) for i in range(1, len(shape.stages))]
        self.sums: dict[tuple[int, ...], Array] = {}

    def run(self, kept: Kept, block: Array, out: Array) -> None:
        """Fill the part of the table's values that belongs to one choice of kept axes among the first."""
        for axis in reversed([axis for axis, k in enumerate(kept) if not k]):
            block = self.merged(np.moveaxis(block, axis + 1, 1))
        levels = self.shape.stages[1].lead - self.shape.jobs
        for i, state in enumerate(itertools.product(*map(range, block.shape[1 : 1 + sum(kept)]))):
            self.descend(block[index_of(state)], out, 0, levels, fresh=i == 0, mixed=False)

    def descend(self, block: Array, out: Array, index: int, levels: int, *, fresh: bool, mixed: bool) -> None:
        """Add the values of a block to `out`, or write them if it is fresh.

        Recurse on so many leading axes, then do the stage of this index. If the block is `mixed`, phi is known not to
        be additive on it.
        """
        if not mixed and self.rule.additive is not None:
            mixed = not self.rule.additive(_corner(block))  # mostly a few cells show it
            if not mixed and self.rule.additive(block):
                self.put(self.settled(block, out.ndim), out, fresh)
                return
        if levels == 0:
            self.sweep(index, block, out, fresh)
            return
        self.descend(self.summed(block), out[:, 0], index, levels - 1, fresh=fresh, mixed=False)
        for state in range(block.shape[1]):
            first = state == 0  # it has the corner that was looked at
            self.descend(block[:, state], out[:, 1], index, levels - 1, fresh=fresh and first, mixed=mixed and first)

    def summed(self, block: Array) -> Array:
        """Sum out the leading axis. Each level of the recursion has its shape, and needs one such block at a time."""
        shape = (len(block), *block.shape[2:])
        if shape not in self.sums:
            self.sums[shape] = np.empty(shape, dtype=block.dtype)
        return self.merged(block, self.sums[shape])

    def merged(self, block: Array, out: Array | None = None) -> Array:
        """Combine the states of the leading axis; cheaper than a reduction, which copies the first of them."""
        total: Array = self.rule.combine(block[:, 0], block[:, 1], out=out)
        for state in range(2, block.shape[1]):
            self.rule.combine(total, block[:, state], out=total)
        return total

    def sweep(self, index: int, block: Array, out: Array, fresh: bool) -> None:
        """Do one stage of a block and all that is below it."""
        stage = self.stages[index]
        stage.open(block)
        if index == len(self.stages) - 1:
            self.rule.phi(stage.block, stage.values)
        else:
            levels = self.shape.stages[index + 2].lead - self.shape.stages[index + 1].lead
            self.descend(stage.block, stage.values, index + 1, levels, fresh=True, mixed=True)
        self.put(stage.fold(), out, fresh)

    def put(self, values: Array, out: Array, fresh: bool) -> None:
        """Write values, or add them to those that are there."""
        if fresh:
            np.copyto(out, values)
        else:
            self.rule.collect(out, values, out=out)

    def settled(self, block: Array, dimensions: int) -> Array:
        """Return the values of a block on which phi is additive: the same for all subsets of its axes."""
        total = self.rule.combine.reduce(block, axis=tuple(range(1, block.ndim - 1)), dtype=block.dtype)
        values = np.empty((self.rule.outputs, block.shape[-1]), dtype=self.rule.kind)
        self.rule.phi(total, values)
        return values.reshape(self.rule.outputs, *[1] * (dimensions - 2), -1)


def _corner(block: Array) -> Array:
    """Return some cells of a block: the trailing axes that make up a few dozen, in the first state of the others."""
    axis, size = block.ndim - 1, block.shape[-1]
    while axis > 1 and size < _PROBE:
        axis -= 1
        size *= block.shape[axis]
    return block[index_of([0] * (axis - 1))]


# -- For every feature subset, the sum over its states of the largest class weight; what is left is the Bayes risk.


_ROOM = 62  # bits that a sum of one limb over all cells may take


def wide_maximum_sums(weights: Array, *, threads: int = 1, budget: Budget = BUDGET) -> IntegerArray:
    """Return what `fstheory.lattice.maximum_sums` returns; the weights may have any size.

    Complexity: that of the sweep times the number of limbs, about (bits of the largest weight) / (62 - log2 N).
    """
    cardinalities, classes = weights.shape[:-1], weights.shape[-1]
    cells = math.prod(cardinalities)
    flat = weights.reshape(cells, classes)
    width = max(1, int(flat.max()).bit_length())
    limbs = -(-width // (_ROOM - (cells - 1).bit_length()))
    bits = -(-width // limbs)  # evenly: a full top limb decides most cells
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
    """Return non-negative integers as exactly so many digits."""
    digits = split(values, bits) if values.dtype == object else resplit(values.astype(np.int64)[None], 62, bits)
    exact = np.zeros((limbs, len(values)), dtype=np.int64)
    exact[: len(digits)] = digits[:limbs]
    return exact


class _Choice:
    """The largest class of a cell, given the limbs of each class's difference to a reference class."""

    def __init__(self, limbs: int, bits: int, cells: int) -> None:
        self.limbs, self.bits, self.cells = limbs, bits, cells

    def gain(self, cells: Array, out: Array) -> None:
        """Write the limbs of the largest difference, or 0 if the reference is largest."""
        differences = cells.reshape(-1, self.limbs, cells.shape[-1])
        undecided = np.flatnonzero(self.gap(differences[:, -1]) < self.cells)
        exact = self.largest(differences[..., undecided]) if len(undecided) else None
        first, *others = differences
        top = first[-1].copy()
        np.bitwise_and(first, ~(top >> 63), out=out)  # the shift gives -1 where the difference is negative, else 0
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
        """Return by how much the largest of the top limbs, the reference's 0 among them, exceeds the second."""
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
        """Return the limbs of the largest difference, or 0, comparing exactly."""
        best: Array = np.zeros_like(differences[0])
        for difference in differences:
            best = np.where(self.is_negative(best - difference), difference, best)
        return best

    def is_negative(self, limbs: Array) -> Array:
        """Say of each number whether it is below 0: what is carried out of the top is its floor."""
        above = limbs[0] >> self.bits
        for limb in limbs[1:]:
            above += limb
            above >>= self.bits
        negative: Array = above < 0
        return negative

    def dominated(self, cells: Array) -> bool:
        """Say whether one class is largest in every cell; only one that is largest in total can be.

        The block may hold summed-out cells too, whose total would not fit: the limbs are added without their
        lowest bits. So the total proposes a class, and the cells decide.
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
    """Return, for every mask S, the sum over the states s of S of the largest weight(s, y) over the classes y.

    With the table's total T, the Bayes risk of S is ``1 - V(S) / T``.
    """
    if weights.dtype.kind == "u":  # their differences would wrap
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
        # by how much the larger class exceeds the other: the two together are the cell's weight
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
    """Write the largest difference to the reference class, or 0 if that class itself is largest."""
    best = out[0]
    np.maximum(cells[0], 0, out=best)
    for plane in cells[1:]:
        np.maximum(best, plane, out=best)


def _dominated(cells: Array) -> bool:
    """Say whether one class is largest in every cell; it can only be the one that is largest in total."""
    totals = cells.sum(axis=tuple(range(1, cells.ndim)), dtype=cells.dtype)
    y = int(totals.argmax())
    if totals[y] <= 0:
        return bool(cells.max() <= 0)
    best = cells[y]
    return bool(best.min() >= 0) and all(bool((best >= plane).all()) for j, plane in enumerate(cells) if j != y)
