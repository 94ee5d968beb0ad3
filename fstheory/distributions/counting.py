"""Rows of states, column by column in the smallest integers that hold them, and how often they occur together."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

Counts = npt.NDArray[np.int64]
Codes = npt.NDArray[np.unsignedinteger[Any]]

WORD = 2**62


class Grouping(NamedTuple):
    """The joint state of some columns in every row, and how many there are; most may not occur."""

    keys: Counts
    states: int


class Rows:
    """The places of states in rows, the class in the last column; how often each row was seen, None for once.

    Nothing of it is altered; whether no two rows are equal, so that they also stand in lexicographic order, is known.
    """

    __slots__ = ("columns", "distinct", "shape", "times")

    def __init__(
        self, columns: Iterable[npt.NDArray[Any]], times: Counts | None, shape: Sequence[int], distinct: bool = False
    ) -> None:
        self.columns: tuple[Codes, ...] = tuple(map(smallest, columns, shape))
        self.times = None if times is None or (times == 1).all() else times
        self.shape, self.distinct = tuple(shape), distinct
        for array in (*self.columns, *([] if self.times is None else [self.times])):
            array.flags.writeable = False

    def __len__(self) -> int:
        return len(self.columns[-1])

    @property
    def total(self) -> int:
        """How many rows were seen, equal ones included."""
        return len(self) if self.times is None else int(self.times.sum())

    @property
    def counts(self) -> Counts:
        """How often each row was seen."""
        return np.ones(len(self), dtype=np.int64) if self.times is None else self.times

    @property
    def arrays(self) -> tuple[npt.NDArray[Any], ...]:
        """The columns and the counts, which tell distinct rows from others."""
        return (*self.columns, self.counts)

    def grouped(self) -> Rows:
        """Return the distinct rows, in lexicographic order. Complexity: one sort, of as few words as hold a row."""
        if self.distinct:
            return self
        words = list(self._words())
        (keys, states), *others = words
        if not others and states <= 4 * len(self):
            table = _counted(keys, states, self.times)
            occur, first = np.flatnonzero(table), np.empty(states, dtype=np.int64)
            first[keys] = np.arange(len(self))
            first, times = first[occur], table[occur]
        else:
            order = np.lexsort([word.keys for word in reversed(words)])
            new = np.zeros(len(self), dtype=bool)
            new[0] = True
            for word in words:
                sorted_keys = word.keys[order]
                new[1:] |= sorted_keys[1:] != sorted_keys[:-1]
            starts = np.flatnonzero(new)
            first, times = order[starts], np.add.reduceat(self.counts[order], starts)
        return Rows((column[first] for column in self.columns), times, self.shape, distinct=True)

    def _words(self) -> Iterator[Grouping]:
        """Yield the columns as digits of integers, as many as a machine word holds."""
        word = self.ungrouped()
        for column, states in zip(self.columns, self.shape, strict=True):
            if word.states * states > WORD:
                yield word
                word = self.ungrouped()
            word = Grouping(word.keys * states + column, word.states * states)
        yield word

    def ungrouped(self) -> Grouping:
        """Return the state of no columns."""
        return Grouping(np.zeros(len(self), dtype=np.int64), 1)

    def refined(self, grouping: Grouping, axis: int) -> Grouping:
        """Return the joint states with one column more; only those that occur once most do not."""
        # so no key reaches 4 * rows * cardinality, which memory keeps far below a word
        keys, states = self._few(grouping)
        return Grouping(keys * self.shape[axis] + self.columns[axis], states * self.shape[axis])

    def states_of(self, axes: Iterable[int]) -> Grouping:
        """Return the joint states of some columns."""
        grouping = self.ungrouped()
        for axis in axes:
            grouping = self.refined(grouping, axis)
        return grouping

    def by_class(self, grouping: Grouping, *times: Counts) -> list[Counts]:
        """Return how often each class was seen in each state, or so for other numbers of times."""
        keys, states = self._few(grouping)
        classes = self.shape[-1]
        cells = keys * classes + self.columns[-1]
        return [_counted(cells, states * classes, own).reshape(states, classes) for own in times or (self.times,)]

    def _few(self, grouping: Grouping) -> Grouping:
        """Return the states that occur alone, where most do not."""
        if grouping.states <= 4 * len(self):
            return grouping
        distinct, places = np.unique(grouping.keys, return_inverse=True)
        return Grouping(places, len(distinct))


def smallest(codes: npt.NDArray[Any], states: int) -> Codes:
    """Return places among so many states as the smallest integers that hold them all."""
    return codes.astype(np.min_scalar_type(max(states - 1, 0)), copy=False)


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


def fits_word(shape: Sequence[int]) -> bool:
    """Say whether one machine word holds a row."""
    return math.prod(shape) <= WORD
