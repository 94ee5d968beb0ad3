"""Rows of states, column by column in the smallest integers that hold them, and how often they occur together."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

Counts = npt.NDArray[np.int64]
Codes = npt.NDArray[np.unsignedinteger[Any]]
WORD = 2**62
_MANY = 64  # masks of rows, that a column of bits meets while one bincount is made; and columns that meet them


Grouping = tuple[Counts, int]  # the joint state of some columns in every row, and how many there are


class Rows:
    """The places of states in rows, the class last, how often each was seen, None for once; distinct ones in order."""

    __slots__ = ("_bits", "columns", "distinct", "shape", "times")

    def __init__(
        self, columns: Iterable[npt.NDArray[Any]], times: Counts | None, shape: Sequence[int], distinct: bool = False
    ) -> None:
        self.columns: tuple[Codes, ...] = tuple(map(smallest, columns, shape))
        self.times = None if times is None or (times == 1).all() else times
        self.shape, self.distinct = tuple(shape), distinct
        self._bits = np.empty((0, 0), dtype=np.uint64)  # of the columns of two states, when they are asked for
        for array in (*self.columns, *([] if self.times is None else [self.times])):
            array.flags.writeable = False

    def __len__(self) -> int:
        return len(self.columns[-1])

    @property
    def counts(self) -> Counts:
        """How often each row was seen."""
        return np.broadcast_to(np.int64(1), len(self)) if self.times is None else self.times

    def grouped(self) -> Rows:
        """Return the distinct rows, in lexicographic order."""
        keys, states = self.few(self.states_of(range(len(self.shape))))
        times, last = _counted(keys, states, self.times), np.empty(states, dtype=np.int64)
        last[keys] = np.arange(len(self))
        seen = times > 0
        return Rows((column[last[seen]] for column in self.columns), times[seen], self.shape, distinct=True)

    def states_of(self, axes: Iterable[int], given: Grouping | None = None) -> Grouping:
        """Return the joint states of some columns, and of others given. Complexity: a sort for each word of digits."""
        keys, states = given or (np.zeros(len(self), dtype=np.int64), 1)
        for axis in axes:
            if states * self.shape[axis] > WORD:
                keys, states = self.few((keys, states))
            keys, states = keys * self.shape[axis] + self.columns[axis], states * self.shape[axis]
        return keys, states

    def by_class(self, grouping: Grouping, *times: Counts) -> list[Counts]:
        """Return how often each class was seen in each state, or so for other numbers of times."""
        keys, states = self.few(grouping)
        classes = self.shape[-1]
        cells = keys * classes + self.columns[-1]
        return [_counted(cells, states * classes, own).reshape(states, classes) for own in times or (self.times,)]

    def pairs(self, axes: Sequence[int], grouping: Grouping) -> Iterator[Counts]:
        """Yield for each of some columns how often its states meet others, of shape (its states, others)."""
        keys, others = grouping
        digits = int(self.counts.max()).bit_length()
        binary = [axis for axis in axes if self.shape[axis] == 2] if others * digits <= _MANY else []
        each = itertools.product(range(others), range(digits)) if binary else ()
        ones = self._ones(binary, [_packed((keys == state) & (self.counts >> digit)) for state, digit in each])
        total = _counted(keys, others, self.times)
        for axis in axes:
            states = self.shape[axis]
            if binary and states == 2:
                one = next(ones).reshape(others, digits) @ (1 << np.arange(digits))
                yield np.stack([total - one, one])
            else:
                cells = self.columns[axis] * np.int64(others) + keys
                yield _counted(cells, states * others, self.times).reshape(states, others)

    def _ones(self, axes: Sequence[int], masks: Sequence[npt.NDArray[np.uint64]]) -> Iterator[Counts]:
        """Yield for each of some columns of bits how often it is 1 in masks of rows."""
        own = np.array(self.shape) == 2
        if axes and not len(self._bits):
            self._bits = np.array([_packed(self.columns[axis]) for axis in np.flatnonzero(own)])
        for start in range(0, len(axes), _MANY):
            block = self._bits[own.cumsum()[list(axes[start : start + _MANY])] - 1]
            yield from np.stack([np.bitwise_count(block & mask).sum(axis=1, dtype=np.int64) for mask in masks], axis=1)

    def few(self, grouping: Grouping) -> Grouping:
        """Return the states that occur alone, where most do not."""
        if grouping[1] <= 4 * len(self):
            return grouping
        distinct, places = np.unique(grouping[0], return_inverse=True)
        return places, len(distinct)


def smallest(codes: npt.NDArray[Any], states: int) -> Codes:
    """Return places among so many states as the smallest integers that hold them all."""
    return codes.astype(np.min_scalar_type(max(states - 1, 0)), copy=False)


def _packed(bits: npt.NDArray[Any]) -> npt.NDArray[np.uint64]:
    """Return 0 and 1 as the bits of words, the last filled up with 0."""
    octets = np.packbits(bits.astype(bool))
    return np.pad(octets, (0, -len(octets) % 8)).view(np.uint64)


def as_times(counts: Sequence[int]) -> npt.NDArray[Any]:
    """Return counts as machine integers where their sum is one, else as they are."""
    return np.array(counts, dtype=np.int64 if sum(counts) < WORD else object)


def _counted(keys: Counts, states: int, times: Counts | None) -> Counts:
    """Return how often each state was seen."""
    if times is None:
        return np.bincount(keys, minlength=states).astype(np.int64, copy=False)
    table = np.zeros(states, dtype=np.int64)
    np.add.at(table, keys, times)
    return table
