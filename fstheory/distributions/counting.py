"""Rows of states, stored by column in the smallest possible integers, and counts of joint states.

A table of all cells answers the same questions as rows.
"""

from __future__ import annotations

import functools
import itertools
import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from fstheory._support.memory import available_bytes
from fstheory.errors import Message, Named, TooLargeError

Counts = npt.NDArray[np.int64]
Codes = npt.NDArray[np.unsignedinteger[Any]]
WORD = 2**62
_AT_ONCE = 2**20  # rows that are drawn together
_WORDS = 2**16  # words of bits that are counted together
ONE_BY_ONE = 20_000
"""With more rows, permutations are not drawn row by row."""
_ROW_BYTES = 64  # a distinct row of a few columns takes at most this many bytes
_COUNTED = 32  # counts of a table that are counted by the bits of 64 rows at once, if they are at most so many
_HELD = 2**27  # columns and rows that are made ready for all permutations: some 100 MB
_MANY = 64  # binary columns are counted by bits for at most this many masks of rows, and in blocks of this many


Grouping = tuple[Counts, int]  # the joint state of some columns in every row, and the number of joint states


class Rows:
    """Rows as positions of states, the class last, and how often each row was seen, or the weight of each row.

    `times` is None if each row was seen once. If the rows are `distinct`, they are in lexicographic order.
    """

    __slots__ = ("_bits", "columns", "distinct", "shape", "times", "total")

    def __init__(
        self, columns: Iterable[npt.NDArray[Any]], times: Counts | None, shape: Sequence[int], distinct: bool = False
    ) -> None:
        self.columns: tuple[Codes, ...] = tuple(map(smallest, columns, shape))
        self.times = None if times is None or (times == 1).all() else times
        self.shape, self.distinct = tuple(shape), distinct
        # The rows seen, equal ones included.
        self.total = len(self.columns[-1]) if self.times is None else int(self.times.sum())
        self._bits = np.empty((0, 0), dtype=np.uint64)  # the bits of binary columns, made when they are needed
        for array in (*self.columns, *([] if self.times is None else [self.times])):
            array.flags.writeable = False

    def __len__(self) -> int:
        return len(self.columns[-1])

    @property
    def counts(self) -> Counts:
        """The number of times that each row was seen."""
        return np.broadcast_to(np.int64(1), len(self)) if self.times is None else self.times

    @property
    def described(self) -> str:
        """The number of rows, as text."""
        return f"{len(self):,} distinct rows"

    def of(self, axes: Iterable[int]) -> Rows:
        """Return the rows restricted to some features and the class."""
        chosen = [*axes, -1]
        return Rows([self.columns[i] for i in chosen], self.times, [self.shape[i] for i in chosen])

    def expect(self, subsets: Iterable[Iterable[int]]) -> None:
        """Announce the subsets that will be grouped, in order. Only `RowsInBatches` makes use of it."""

    def grouped(self) -> Rows:
        """Return the distinct rows in lexicographic order."""
        keys, states = self.few(self.states_of(range(len(self.shape))))
        times, last = _counted(keys, states, self.times), np.empty(states, dtype=np.int64)
        last[keys] = np.arange(len(self))
        seen = times > 0
        return Rows((column[last[seen]] for column in self.columns), times[seen], self.shape, distinct=True)

    def states_of(self, axes: Iterable[int], given: Grouping | None = None) -> Grouping:
        """Return the joint states of some columns, together with an earlier grouping if one is given.

        Complexity: a sort whenever the number of joint states exceeds a word.
        """
        keys, states = given or (np.zeros(len(self.columns[-1]), dtype=np.int64), 1)
        for axis in axes:
            if states * self.shape[axis] > WORD:
                keys, states = self.few((keys, states))
            keys, states = keys * self.shape[axis] + self.columns[axis], states * self.shape[axis]
        return keys, states

    def extended(self, given: Grouping, axes: Iterable[int]) -> Grouping:
        """Return the joint states of some columns together with an earlier grouping, numbered if they occur."""
        return _numbered(self.states_of(axes, given))

    def leave_one_out(
        self, axes: Sequence[int], each: Sequence[int], *, later: bool = False
    ) -> Iterator[Grouping | None]:
        """For each column in `each`, yield the joint states of all other columns, or only of the `later` ones.

        Yield None if leaving the columns out merges no states.
        """
        all_states = np.count_nonzero(np.bincount(self.few(self.states_of(axes))[0]))

        def visit(left_out: Sequence[int], others: Grouping) -> Iterator[Grouping | None]:
            others = self.few(others)
            half = len(left_out) // 2
            # Leaving all of them out merges no states, so leaving one of them out merges none.
            if np.count_nonzero(np.bincount(others[0])) == all_states:
                yield from [None] * len(left_out)
            elif not half:
                yield others
            else:
                yield from visit(left_out[:half], self.states_of(left_out[half:], others))
                yield from visit(left_out[half:], others if later else self.states_of(left_out[:half], others))

        yield from visit(each, self.states_of(sorted({*axes} - {*each})))

    def by_class(self, grouping: Grouping, *times: Counts) -> list[Counts]:
        """Count how often each class occurs in each state.

        `times` replaces the number of times that each row occurs.
        """
        keys, states = self.few(grouping)
        classes = self.shape[-1]
        cells = keys * classes + self.columns[-1]
        return [_counted(cells, states * classes, own).reshape(states, classes) for own in times or (self.times,)]

    def by_state(self, axes: Sequence[int]) -> tuple[Counts, Callable[[Any], Iterator[Any]]]:
        """Return the class counts in each joint state of some columns that occurs, in lexicographic order.

        The second result is a function from the place of such a state, or from an array of places, to the states of the
        columns.
        """
        keys, states = _numbered(self.few(self.states_of(axes)))
        (cells,), some = self.by_class((keys, states)), np.empty(states, dtype=np.int64)
        some[keys] = np.arange(len(self))
        return cells, lambda place: (self.columns[axis][some[place]] for axis in axes)

    def mixes(self, grouping: Grouping) -> npt.NDArray[np.bool_]:
        """Return, for each row, whether its class differs from the class of one fixed row of the same state."""
        keys, states = self.few(grouping)
        classes, some = self.columns[-1], np.empty(states, dtype=self.columns[-1].dtype)
        some[keys] = classes
        return np.asarray(some[keys] != classes)

    def mass(self, index: Sequence[int | None]) -> int:
        """Return how many rows have the given state in each column. None stands for every state."""
        seen = np.ones(len(self), dtype=np.bool_)
        for axis, state in enumerate(index):
            if state is not None:
                seen &= self.columns[axis] == range(self.shape[axis])[state]  # out of range, it is an IndexError
        return int(self.counts[seen].sum())

    def cells(self, grouping: Grouping) -> Counts:
        """Count how often each class occurs in each state that occurs."""
        (cells,) = self.by_class(grouping)
        return occupied(cells)

    def sums(self, grouping: Grouping, weights: npt.NDArray[np.float64]) -> Counts:
        """Return the sums of the weights of the classes, whole numbers, in each state. The first weights are 1."""
        keys, states = self.few(grouping)
        sums = (np.bincount(keys, own[self.columns[-1]] * self.counts, states) for own in weights)
        found = np.stack([*sums], axis=1).astype(np.int64)
        return found[found[:, 0] > 0]

    def apart(self, grouping: Grouping) -> tuple[Counts, Rows, Grouping]:
        """Set apart the distinct rows that are alone in their states: no further column splits these states.

        Return the class counts of these states, the other rows and their states. Nothing is set apart if most rows
        share their states.
        """
        keys, states = grouping
        shared = np.bincount(keys, minlength=states)[keys] > 1
        if 2 * np.count_nonzero(shared) > len(self):
            return np.empty((0, self.shape[-1]), dtype=np.int64), self, grouping
        columns, times = [column[shared] for column in self.columns], self.counts
        alone = np.where(self.columns[-1][~shared, None] == np.arange(self.shape[-1]), times[~shared, None], 0)
        others = Rows(columns, times[shared], self.shape)
        return alone, others, others.few((keys[shared], states))

    def table(self) -> Counts:
        """Count how often each combination of states occurs, with one axis for each column."""
        keys, states = self.states_of(range(len(self.shape)))
        return _counted(keys, states, self.times).reshape(self.shape)

    def pairs(self, axes: Sequence[int], grouping: Grouping) -> Iterator[Counts]:
        """For each column, yield how often each of its states occurs with each state of a grouping.

        Each array has shape (states of the column, states of the grouping).
        """
        keys, others = grouping
        digits = int(self.counts.max(initial=1)).bit_length() if self.counts.dtype != object else _MANY + 1
        binary = [axis for axis in axes if self.shape[axis] == 2] if 0 < others * digits <= _MANY else []
        each = itertools.product(range(others), range(digits)) if binary else ()
        ones = self._ones(binary, [packed((keys == state) & (self.counts >> digit)) for state, digit in each])
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
        """For each binary column, yield how often it is 1 in each mask of rows."""
        own = np.array(self.shape) == 2
        if axes and not len(self._bits):
            self._bits = np.array([packed(self.columns[axis]) for axis in np.flatnonzero(own)])
        for start in range(0, len(axes), _MANY):
            block = self._bits[own.cumsum()[list(axes[start : start + _MANY])] - 1]
            yield from np.stack([np.bitwise_count(block & mask).sum(axis=1, dtype=np.int64) for mask in masks], axis=1)

    def few(self, grouping: Grouping) -> Grouping:
        """Return the grouping with only the states that occur, if most states do not occur."""
        return grouping if grouping[1] <= 4 * len(grouping[0]) else _numbered(grouping)


class _Unlisted(Rows):
    """Rows that are not listed one by one. A grouping is the list of its columns, and all counts are marginals."""

    __slots__ = ()

    def states_of(self, axes: Iterable[int], given: Grouping | None = None) -> Grouping:
        """Return a grouping in the form used here: the list of its columns."""
        return np.array([*(given[0] if given else ()), *axes], dtype=np.int64), 1

    def few(self, grouping: Grouping) -> Grouping:
        """Return the grouping unchanged."""
        return grouping

    def apart(self, grouping: Grouping) -> tuple[Counts, Rows, Grouping]:
        """Set no rows apart."""
        return np.empty((0, self.shape[-1]), dtype=np.int64), self, grouping


class Table(_Unlisted):
    """The weight of every cell, in an array with an axis for each column, the class last."""

    __slots__ = ("_marginal", "_weights")

    def __init__(self, weights: npt.NDArray[Any]) -> None:
        self.shape, self._weights = weights.shape, weights
        self._marginal = frozenset(range(weights.ndim - 1)), weights  # of the columns that were announced

    def expect(self, subsets: Iterable[Iterable[int]]) -> None:
        """Announce the subsets that will be grouped. They are computed from the marginal of all their columns."""
        axes = frozenset(itertools.chain.from_iterable(subsets))
        table = self.cells(self.states_of(axes)).reshape([self.shape[axis] for axis in (*sorted(axes), -1)])
        self._marginal = axes, table

    def cells(self, grouping: Grouping) -> Counts:
        """Return the weight of each class in each state, whether it occurs or not."""
        axes, (held, table) = {*grouping[0].tolist()}, self._marginal
        if not axes <= held:
            held, table = frozenset(range(len(self.shape) - 1)), self._weights
        gone = tuple(place for place, axis in enumerate(sorted(held)) if axis not in axes)
        return np.asarray(table.sum(axis=gone) if gone else table, dtype=table.dtype).reshape(-1, self.shape[-1])

    def by_state(self, axes: Sequence[int]) -> tuple[Counts, Callable[[Any], Iterator[Any]]]:
        """Return the class weights in each joint state of some columns, whether it occurs or not."""
        shape = [self.shape[axis] for axis in axes]
        return self.cells(self.states_of(axes)), lambda place: (
            place // math.prod(shape[axis + 1 :]) % size for axis, size in enumerate(shape)
        )

    def mass(self, index: Sequence[int | None]) -> int:
        """Return the weight of the cells that have the given state in each column."""
        return int(np.sum(self._weights[tuple(slice(None) if state is None else state for state in index)]))


class RowsInBatches(_Unlisted):
    """Rows that are read in batches and not kept in memory.

    Only the counts of a few columns are kept at a time. Other counts are made again when they are needed.
    """

    __slots__ = ("_ahead", "_count", "_known")

    def __init__(
        self, count: Callable[[list[tuple[int, ...]]], list[Rows]], shape: Sequence[int], classes: Rows
    ) -> None:
        self._count, self.shape, self.total = count, tuple(shape), classes.total
        self.distinct = True  # so that they are never grouped
        self._known: dict[tuple[int, ...], Rows] = {(): classes}
        self._ahead: Iterator[tuple[int, ...]] = iter(())

    def _missing(self) -> Any:
        needed = "s must hold its rows for this (as for == and pickles), not count them in batches; use "
        few, rows = Named("s.keep(features)"), Named("keep", "rows")
        raise TooLargeError(Message(needed, few, " with a few features, or read them with ", rows))

    columns = times = property(_missing)
    described = "counted in batches"

    def expect(self, subsets: Iterable[Iterable[int]]) -> None:
        """Announce the subsets that will be needed. They are counted in one pass when the first of them is needed."""
        self._ahead = map(tuple, subsets)

    def by_class(self, grouping: Grouping, *times: Counts) -> list[Counts]:
        """Count how often each class occurs in each state."""
        rows = self.of(grouping[0].tolist())
        return rows.by_class(rows.states_of(range(len(grouping[0]))), *times)

    def pairs(self, axes: Sequence[int], grouping: Grouping) -> Iterator[Counts]:
        """For each feature, yield how often each of its states occurs with each state of a grouping.

        All are counted in one pass.
        """
        features = [axis for axis in grouping[0].tolist() if axis not in (-1, len(self.shape) - 1)]
        subsets = [tuple(sorted({*features, axis})) for axis in axes]
        self.expect(subsets)
        for axis, subset in zip(axes, subsets, strict=True):
            rows = self.of(subset)
            others = rows.states_of(map(subset.index, features))
            if len(features) < len(grouping[0]):
                others = rows.states_of([-1], rows.few(others))
            yield from rows.pairs([subset.index(axis)], others)

    def of(self, axes: Iterable[int]) -> Rows:
        """Return the distinct rows of some features and the class. If necessary, make a pass over the batches."""
        asked = tuple(axes)
        key = tuple(sorted(asked))
        if key not in self._known:
            room, wanted = available_bytes() // 8, {key: None}
            for subset in self._ahead:
                if subset not in self._known and subset not in wanted:
                    wanted[subset] = None
                    states = math.prod(self.shape[axis] for axis in subset) * self.shape[-1]
                    room -= _ROW_BYTES * min(states, self.total)
                if room < 0:
                    break
            counted = self._count([(*subset, len(self.shape) - 1) for subset in wanted])
            self._known.update(zip(wanted, counted, strict=True))
            while len(self._known) > len(wanted) and _ROW_BYTES * sum(map(len, self._known.values())) > room:
                del self._known[next(iter(self._known))]
        return self._known[key] if asked == key else self._known[key].of(map(key.index, asked))


class Shuffles:
    """Permutations of the classes inside blocks of the rows, and the tables of additions under each of them.

    An addition is a list of columns. The blocks are parts of given states. The rows are put in the order of the blocks.
    Each state begins with a new word of 64 rows if this takes little room, so that bits are counted by whole words.
    If each class has `weights`, tables have the sums of these in each state, in place of the counts of the classes.
    """

    def __init__(
        self,
        rows: Rows,
        states: Grouping,
        inside: Grouping,
        additions: Sequence[Sequence[int]],
        weights: npt.NDArray[np.float64] | None = None,
    ) -> None:
        self.weights = weights
        self.rows, self.states, self.additions, self.classes = rows, states, additions, rows.shape[-1]
        times = 1 if rows.times is None else rows.times
        self.labels, self.inside = (np.repeat(part, times) for part in (rows.columns[-1], smallest(*inside)))
        self.order = np.repeat(np.arange(len(rows)), times)[np.argsort(self.inside, kind="stable")]
        (self.blocks,), self.sizes = rows.by_class(inside), np.bincount(states[0][self.order])
        self.unit = 64 if 16 * len(self.sizes) <= rows.total + 16 else 1
        words = -(-self.sizes // self.unit)
        self.length, self.starts = self.unit * int(words.sum()), words.cumsum() - words
        self.ready = [*map(self.made, additions)] if rows.total * len(additions) <= _HELD else None

    def made(self, axes: Sequence[int]) -> tuple[npt.NDArray[Any], int, Counts | None]:
        """Return the states of an addition, their number and, if the states are given as bits, their rows."""
        keys, number = self.rows.states_of(axes)
        by_bits = self.weights is None and self.unit > 1 and number * max(1, self.classes - 1) <= _COUNTED
        by_bits = by_bits and 4 * number * len(self.starts) <= self.rows.total
        keys, number = (keys, number) if by_bits else self.rows.extended(self.states, axes)
        placed = self.placed(smallest(keys, (number + 1) * self.classes)[None, self.order], number)[0]
        if not by_bits:
            return placed * placed.dtype.type(self.classes if self.weights is None else 1), number, None
        bits = np.array([packed(placed == state) for state in range(number)])
        return bits, number, self.sums(bits)

    def sums(self, bits: npt.NDArray[np.uint64]) -> Counts:
        """Count the bits in each state."""
        found: Counts = np.add.reduceat(np.bitwise_count(bits), self.starts, axis=-1, dtype=np.int64)
        return found.swapaxes(-1, -2)

    def tables(self, rngs: Sequence[np.random.Generator]) -> Iterator[Counts]:
        """For each addition, yield its tables of class counts under the permutations of the generators."""
        labels = self.placed(self.drawn(rngs), 0)
        classes = range(1, self.classes if self.weights is None and self.classes <= _COUNTED + 1 else 1)
        bits = [np.stack([packed(row == y) for row in labels]) for y in classes]
        for states, number, sizes in self.ready or map(self.made, self.additions):
            if self.weights is not None:
                sums = [[np.bincount(states, own[row], number)[:number] for own in self.weights] for row in labels]
                yield np.array(sums).swapaxes(1, 2)
                continue
            if sizes is None:
                least, cells = (number + 1) * self.classes, number * self.classes
                counted = [np.bincount(states + row, minlength=least)[:cells] for row in labels]
                yield np.stack(counted).reshape(len(rngs), number, self.classes)
                continue
            tables = np.empty((len(rngs), *sizes.shape, self.classes), dtype=np.int64)
            step = max(1, _WORDS // states.size)  # permutations
            for y, own in enumerate(bits, 1):
                for start in range(0, len(rngs), step):
                    tables[start : start + step, ..., y] = self.sums(states & own[start : start + step, None])
            tables[..., 0] = sizes - tables[..., 1:].sum(axis=-1)
            yield tables[:, sizes > 0]

    def placed(self, values: Codes, between: int) -> Codes:
        """Return values of the rows in their order, each state at its own words. Another value fills the last words."""
        found = np.full((len(values), self.length), between, dtype=values.dtype)
        ends = self.sizes.cumsum().tolist()
        for start, end, size in zip((self.unit * self.starts).tolist(), ends, self.sizes.tolist(), strict=True):
            found[:, start : start + size] = values[:, end - size : end]
        return found

    def drawn(self, rngs: Sequence[np.random.Generator]) -> Codes:
        """Return permuted labels in the order of the rows, as many permutations as generators."""
        m = self.rows.total
        if m <= ONE_BY_ONE or self.weights is not None:
            orders = (rng.permutation(m) for rng in rngs)
            return np.stack([self.labels[order[np.argsort(self.inside[order], kind="stable")]] for order in orders])
        step = max(1, _AT_ONCE // m)
        parts = [rngs[start : start + step] for start in range(0, len(rngs), step)]
        return np.concatenate([shuffled(self.blocks, len(part), part[0]) for part in parts])


def shuffled(counts: Counts, number: int, rng: np.random.Generator) -> Codes:
    """Return so many lists of labels with these counts in each block, in random order. The blocks follow each other."""
    labels = np.zeros((number, int(counts.sum())), dtype=np.min_scalar_type(counts.shape[1] - 1))
    all_labels, counts = labels.reshape(-1), np.tile(counts, (number, 1))
    free: Any = slice(None)
    for y in range(counts.shape[1] - 1, 0, -1):
        all_labels[free] = drawn_in_blocks(counts[:, : y + 1].sum(axis=1), counts[:, y], rng) * labels.dtype.type(y)
        free = np.flatnonzero(all_labels == 0) if y > 1 else free
    return labels


def drawn_in_blocks(sizes: Counts, wanted: Counts, rng: np.random.Generator) -> npt.NDArray[np.bool_]:
    """Draw so many rows of each block without replacement. The blocks follow each other.

    Each row is drawn by itself, with a probability that most often leaves a little to do. Then random rows are added or
    left out until the numbers are right. All rows of a block are treated alike, so all sets are equally likely.
    """
    sizes, wanted = sizes[sizes > 0], wanted[sizes > 0]
    starts, fewer = sizes.cumsum() - sizes, np.minimum(wanted, sizes - wanted)
    spared = np.where(8 * fewer < sizes, 3, 0.5) * np.sqrt(fewer)  # it takes long to leave out rows that are rare
    share = (np.maximum(fewer - spared, 0) / sizes * 2**16).astype(np.uint16)
    share = np.where(2 * wanted <= sizes, share, np.uint16(2**16 - 1) - share)
    drawn = rng.integers(0, 2**16, int(sizes.sum()), dtype=np.uint16) < np.repeat(share, sizes)
    left = wanted - np.add.reduceat(drawn, starts, dtype=np.int64)
    while left.any():
        blocks = np.repeat(np.arange(len(sizes)), abs(left))
        at = starts[blocks] + rng.integers(sizes[blocks])
        turned = np.unique(at[drawn[at] == (left[blocks] < 0)])
        drawn[turned] ^= True
        left -= np.sign(left) * np.diff(np.searchsorted(turned, [*starts, len(drawn)]))
    return drawn


def smallest(codes: npt.NDArray[Any], states: int) -> Codes:
    """Return positions among `states` states as the smallest unsigned integers that can hold them."""
    return codes.astype(np.min_scalar_type(max(states - 1, 0)), copy=False)


def packed(bits: npt.NDArray[Any]) -> npt.NDArray[np.uint64]:
    """Return an array of 0 and 1 as the bits of words. The last word is filled up with 0."""
    words = np.zeros(-(-len(bits) // 64), dtype=np.uint64)
    words.view(np.uint8)[: -(-len(bits) // 8)] = np.packbits(bits.astype(bool, copy=False))
    return words


def as_times(counts: Sequence[int]) -> npt.NDArray[Any]:
    """Return counts as an array of machine integers if their sum fits, else as an array of Python integers."""
    return np.array(counts, dtype=np.int64 if sum(counts) < WORD else object)


def _numbered(grouping: Grouping) -> Grouping:
    """Return the grouping with the states that occur numbered in order. Keys are sorted only if states are many."""
    keys, states = grouping
    if states > 16 * len(keys):
        distinct, places = np.unique(keys, return_inverse=True)
        return places, len(distinct)
    numbers = (np.bincount(keys, minlength=states) > 0).cumsum()
    return numbers[keys] - 1, int(numbers.max(initial=0))


def occupied(cells: Counts) -> Counts:
    """Return the class counts of the states that occur. NumPy reduces rows of few classes slowly."""
    few = cells.shape[1] <= 16
    seen: Counts = cells[(functools.reduce(np.bitwise_or, cells.T) if few else cells.max(axis=1)) > 0]
    return seen


def _counted(keys: Counts, states: int, times: Counts | None) -> Counts:
    if times is None:
        return np.bincount(keys, minlength=states).astype(np.int64, copy=False)
    if times.dtype == object:  # weights beyond a machine word
        table = np.zeros(states, dtype=object)
        np.add.at(table, keys, times)
        return table
    table = np.zeros(states, dtype=np.int64)
    np.add.at(table, keys, times.view(np.int64))  # an unpickled array has another type object and is 30 times slower
    return table
