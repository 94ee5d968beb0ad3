"""All distributions of a shape with a given total, in lexicographic order, up to the symmetries of a statement."""

from __future__ import annotations

import bisect
import functools
import itertools
import math
from collections.abc import Iterable
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from fstheory.logic.statement import Shape, Statement
from fstheory.logic.symmetry import Renaming, generators, invariant_under, rename

__all__ = ["LARGEST", "Compositions", "Move", "Vectors", "cell_moves", "closure", "count", "of_total"]

Move = tuple[int, ...]
"""Cell i of the renamed weights is cell ``move[i]`` of the weights."""

_MOST = 400  # elements of the group that are looked at; any part of it will do


def cell_moves(statement: Statement) -> tuple[Move, ...]:
    """Return permutations of the cells that turn counterexamples into counterexamples; the identity is left out."""
    shape = statement.shape
    families = ([named.formula for named in part] for part in (statement.assume, statement.show))
    kept = invariant_under(generators(shape.cardinalities, shape.classes), *families)
    return closure([_move(renaming, shape) for renaming in kept])


def closure(moves: Iterable[Move], most: int = _MOST) -> tuple[Move, ...]:
    """Return the permutations that some permutations generate, or as many of them as `most`; without the identity."""
    steps = list(dict.fromkeys(moves))
    found = dict.fromkeys(steps)
    waiting = list(found)
    for here in waiting:  # grows while it is walked
        for step in steps:
            there = tuple(here[i] for i in step)
            if there not in found and len(found) < most:
                found[there] = None
                waiting.append(there)
    return tuple(move for move in found if move != tuple(range(len(move))))


def _move(renaming: Renaming, shape: Shape) -> Move:
    """Return where each cell of the renamed weights comes from."""
    sources = np.empty((*shape.cardinalities, shape.classes), dtype=np.int64)
    for number, (*states, y) in enumerate(np.ndindex(*sources.shape)):
        _, there, z = rename(("P", tuple(states), y), renaming)
        sources[*there, z] = number
    return tuple(sources.ravel().tolist())


Vectors: TypeAlias = "npt.NDArray[np.int16]"
"""One column a vector of weights, one row a cell: what is computed of a cell runs over contiguous memory."""

Ranks: TypeAlias = "npt.NDArray[np.int64]"

LARGEST = 2**15 - 1  # the largest total: weights are 16 bits wide here
_TAILS = 1 << 16  # tails in a table: it stays near a core
_KEPT = 1 << 25  # numbers in tables that may be of use again
_MOVES = 32  # permutations that heads are compared with


def count(cells: int, total: int) -> int:
    """Return how many vectors of so many non-negative integers have this sum."""
    if cells == 0:
        return int(total == 0)
    return math.comb(total + cells - 1, cells - 1)


class Compositions:
    """The vectors of some length and sum, by rank."""

    def __init__(self, cells: int, total: int, moves: tuple[Move, ...] = (), tails: int = _TAILS) -> None:
        self.cells, self.total = cells, total
        self.size = count(cells, total)
        least = min(cells, 2)  # so that heads with a last part are shorter than the vectors
        fitting = (tail for tail in range(least, cells + 1) if tail == least or count(tail + 1, total) <= tails)
        self._most, self._tail = tails, max(fitting)  # of the greatest length at which all fit a small table
        self._split = cells - self._tail
        self._moves = _within(moves, self._split)
        self._blocks = np.array([count(self._tail, left) for left in range(total + 1)], dtype=np.int64)
        self._offsets = np.cumsum(self._blocks) - self._blocks  # where the tails of each sum begin in the table
        self._tails = _tails(self._tail, total)

    def listed(self, start: int, stop: int) -> tuple[Vectors, Ranks]:
        """Return the vectors of a range of ranks, as columns, and their ranks."""
        if self._split == 0:
            return self._tails[:, self._offsets[-1] + start : self._offsets[-1] + stop], np.arange(start, stop)
        first, begin = self._head_at(start)
        last, _ = self._head_at(stop - 1)
        heads, _ = of_total(self._split + 1, self.total, (), self._most).listed(first, last + 1)
        sizes = self._blocks[heads[-1]]
        begins = begin + np.cumsum(sizes) - sizes
        if self._moves:
            kept = _least(heads, self._moves)
            heads, sizes, begins = heads[:, kept], sizes[kept], begins[kept]
        from_, to = np.maximum(begins, start), np.minimum(begins + sizes, stop)
        lengths = to - from_
        ranks = np.arange(lengths.sum()) + np.repeat(from_ - np.cumsum(lengths) + lengths, lengths)
        places = ranks + np.repeat(self._offsets[heads[-1]] - begins, lengths)
        vectors = np.empty((self.cells, len(ranks)), dtype=np.int16)
        for row in range(self._split):
            vectors[row] = np.repeat(heads[row], lengths)
        for row in range(self._tail):
            np.take(self._tails[row], places, out=vectors[self._split + row])
        return vectors, ranks

    def _head_at(self, rank: int) -> tuple[int, int]:
        """Return the rank of the head of a vector, and the rank of the first vector with this head."""
        left, begin, head = self.total, 0, 0
        for place in range(self._split):
            # Vectors of `length` parts whose first part is less than v: all of them less those of what v leaves.
            length = self.cells - place
            weight = _last_not_above(rank - begin, length, left)
            begin += count(length, left) - count(length, left - weight)
            head += count(length - self._tail + 1, left) - count(length - self._tail + 1, left - weight)
            left -= weight
        return head, begin


def _last_not_above(rank: int, length: int, left: int) -> int:
    """Return the first part of the vector with this rank among those of some length and sum."""
    whole = count(length, left)
    return bisect.bisect_right(range(left + 1), rank, key=lambda part: whole - count(length, left - part)) - 1


@functools.lru_cache(maxsize=64)
def of_total(cells: int, total: int, moves: tuple[Move, ...] = (), tails: int = _TAILS) -> Compositions:
    """Return the vectors of some length and sum, with their tables kept for the next piece of work."""
    return Compositions(cells, total, moves, tails)


def _within(moves: tuple[Move, ...], split: int) -> tuple[Move, ...]:
    """Return what permutations do to a head, up to the first part that comes from the tail."""
    parts = {tuple(itertools.takewhile(lambda source: source < split, move)) for move in moves}
    changing = (part for part in parts if part != tuple(range(len(part))))
    return tuple(sorted(changing, key=lambda part: (-len(part), part)))[:_MOVES]


def _least(heads: Vectors, moves: tuple[Move, ...]) -> npt.NDArray[np.bool_]:
    """Return which heads no permutation shows to begin a vector that is not the least of its orbit."""
    kept = np.ones(heads.shape[1], dtype=bool)
    for sources in moves:
        level = kept.copy()  # where no difference was met yet
        for place, source in enumerate(sources):
            if source != place:
                kept &= ~(level & (heads[source] < heads[place]))
                level &= heads[source] == heads[place]
    return kept


def _tails(parts: int, total: int) -> Vectors:
    """Return all compositions of 0, of 1, .., of the total into some parts, one after the other, as columns."""
    if sum(table.size for table in _made.values()) > _KEPT:
        _made.clear()
    return np.concatenate([_table(parts, left) for left in range(total + 1)], axis=1)


_made: dict[tuple[int, int], Vectors] = {}
"""Tables by number of parts and sum: those for the next total are made of them."""


def _table(parts: int, total: int) -> Vectors:
    """Return the compositions of a sum: those that begin with 0, then with 1, and so on."""
    known = _made.get((parts, total))
    if known is None and parts == 1:
        known = _made[parts, total] = np.array([[total]], dtype=np.int16)
    elif known is None:
        rests = [_table(parts - 1, total - first) for first in range(total + 1)]
        firsts = np.repeat(np.arange(total + 1, dtype=np.int16), [rest.shape[1] for rest in rests])
        known = _made[parts, total] = np.concatenate([firsts[None], np.concatenate(rests, axis=1)], axis=0)
    return known
