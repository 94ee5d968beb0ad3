"""The cells of all marginals: how a sweep is cut, opened axis by axis, and folded again."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

__all__ = ["Array", "Expansion", "Fold", "Layout", "Stage", "index_of"]

Array: TypeAlias = "npt.NDArray[Any]"
Index: TypeAlias = "tuple[int | slice, ...]"

_ALL, _STATES, _FOLDED = slice(None), slice(1, None), slice(0, 2)


class Expansion:
    """Cells of shape (planes, *fixed, c1 + 1, .., ck + 1, tail), from a block (planes, *fixed, c1, .., ck, tail).

    Slot 0 of an axis is "summed out"; slot s + 1 is state s. Whoever called may do with `cells` as he likes until the
    next call.
    """

    def __init__(self, cells: Array, fixed: int, cards: Sequence[int], combine: np.ufunc) -> None:
        self.cells = cells
        before: Index = (_ALL,) * (1 + fixed)
        self._states = self.cells[(*before, *[_STATES] * len(cards))]
        # trailing axes first: the additions that follow are longer and run over all slots of those axes
        steps = [
            step
            for axis in reversed(range(len(cards)))
            for step in _merge(self.cells, (*before, *[_STATES] * axis), 0, range(1, cards[axis] + 1))
        ]
        self._steps, self._combine = steps, combine

    def __call__(self, block: Array) -> None:
        """Fill the cells from a block."""
        np.copyto(self._states, block)
        for left, right, out in self._steps:
            self._combine(left, right, out=out)


class Fold:
    """Fold values of shape (outputs, *fixed, c1 + 1, .., ck + 1, tail), in place, to (outputs, *fixed, 2, .., 2, tail).

    Slot 0 of an axis stays, "not in the subset"; slot 1 becomes the sum over the states.
    """

    def __init__(self, values: Array, fixed: int, cards: Sequence[int], collect: np.ufunc) -> None:
        before: Index = (_ALL,) * (1 + fixed)
        # leading axes first, so that the trailing ones stay long while there is most to do
        self._steps = [
            step
            for axis, c in enumerate(cards)
            for step in _merge(values, (*before, *[_FOLDED] * axis), 1, range(1, c + 1))
        ]
        self._folded = values[(*before, *[_FOLDED] * len(cards))]
        self._collect = collect

    def __call__(self) -> Array:
        """Fold the values that are there now; the result is valid until they are written to again."""
        for left, right, out in self._steps:
            self._collect(left, right, out=out)
        return self._folded


def index_of(states: Iterable[int]) -> Index:
    """Return the index of these states of the leading axes, in all planes."""
    return (_ALL, *states)


def _merge(array: Array, head: Index, into: int, slots: range) -> list[tuple[Array, Array, Array]]:
    """Return the operations (left, right, out) that merge the slots of the axis after `head`."""
    out = array[(*head, into)]
    first, second, *others = (array[(*head, slot)] for slot in slots)
    return [(first, second, out), *((out, other, out) for other in others)]


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
