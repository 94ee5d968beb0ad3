"""The 3^n transform: one value for every feature subset, in one pass over the cells of all marginals.

For every subset S the wanted value is the sum, over the states s of S, of phi(p(s, .)). The transform

1. gives each feature axis one more slot, "summed out", and fills it, axis by axis, with the sum of the others;
2. applies phi to all cells at once;
3. folds each axis back into two slots: "in the subset", the sum over the feature's states, and "summed out".

It costs prod(c_i + 1) cells in all, 3^n for binary features. Leading axes are recursed on (the part
summed out, then each state), so that the work happens in cache and memory stays that of the table.
"""

from __future__ import annotations

import contextlib
import itertools
import math
import queue
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from fstheory.sweep.cells import BUDGET, Array, Budget, Expansion, Fold, Layout, index_of

__all__ = ["Array", "subset_sums"]

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
    workers: int = 1,
    budget: Budget = BUDGET,
) -> Array:
    """Return, for every subset S, the sum of ``phi(cell)`` over the cells of the marginal of S."""
    kind = np.dtype(planes.dtype if dtype is None else dtype)
    rule = _Rule(phi, len(planes), planes.dtype, outputs, kind, additive, combine, collect)
    shape = Layout.of(planes.shape[1:], max(len(planes) * planes.itemsize, outputs * kind.itemsize), budget)
    table = _Opened(shape, 0, rule)
    table.open(_stored(planes, shape))
    jobs: queue.SimpleQueue[Kept] = queue.SimpleQueue()
    for kept in sorted(itertools.product((0, 1), repeat=shape.jobs), key=sum, reverse=True):  # the long ones first
        jobs.put(kept)

    def work() -> None:
        sweeper = _Sweeper(shape, rule)
        with contextlib.suppress(queue.Empty):
            while True:
                kept = jobs.get_nowait()
                sweeper.run(kept, table.block, table.values[index_of(kept)])

    if workers == 1 or shape.jobs == 0:
        work()
    else:
        with ThreadPoolExecutor(workers - 1) as pool:
            others = []
            with contextlib.suppress(RuntimeError):  # no room for another thread: the rest do its jobs
                for _ in range(workers - 1):
                    others.append(pool.submit(work))  # noqa: PERF401 (those that did start must be asked)
            work()
            for future in others:
                future.result()
    return _by_mask(table.fold(), shape, planes.ndim - 1)


def _stored(planes: Array, shape: Layout) -> Array:
    """View the planes with their axes in stored order, and an axis of one cell last."""
    single = [i for i, c in enumerate(planes.shape[1:]) if c == 1]
    moved = planes.transpose(0, *(i + 1 for i in shape.order), *(i + 1 for i in single))
    return moved[(..., *[0] * len(single), np.newaxis)]


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

    The block has shape (planes, *cards of the axes not opened, cells of the opened axes); the values, to be filled,
    have (outputs, *[2] * axes not opened, cells of the opened axes), and `fold` folds the last axis.
    """

    def __init__(self, shape: Layout, index: int, rule: _Rule) -> None:
        stage = shape.stages[index]
        end = shape.stages[index - 1].run if index else len(shape.cards)
        closed, opened = shape.cards[stage.lead : stage.run], shape.cards[stage.run : end]
        tail = math.prod(c + 1 for c in shape.cards[end:])
        cells: Array = np.empty((rule.planes, *closed, *(c + 1 for c in opened), tail), dtype=rule.dtype)
        self.open = Expansion(cells, len(closed), opened, rule.combine)
        if not closed and rule.kind == rule.dtype and rule.outputs <= rule.planes:
            values = cells[: rule.outputs]  # in a leaf each value may stand where its cell stood
        else:
            values = np.empty((rule.outputs, *[2] * len(closed), *cells.shape[1 + len(closed) :]), dtype=rule.kind)
        self.fold = Fold(values, len(closed), opened, rule.collect)
        self.block = cells.reshape(rule.planes, *closed, -1)
        self.values = values.reshape(rule.outputs, *[2] * len(closed), -1)


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
