"""Enumerations of distributions: of one shape by total, up to symmetry, and on a few equally likely points."""

from __future__ import annotations

import abc
import bisect
import functools
import itertools
import math
import operator
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from fstheory._support.progress import spend
from fstheory.distributions.joint import JointDistribution
from fstheory.logic.claims import Claim
from fstheory.logic.expressions import Node, conjunction, negation
from fstheory.logic.statement import Renaming, Shape, Statement, generators, invariant_under, rename
from fstheory.logic.verdict import Refuted
from fstheory.proofs.batch import Array, CompiledStatement, Exact, Program, entropy

# -- All distributions of a shape with a given total, in lexicographic order, up to the symmetries of a statement.


Move = tuple[int, ...]
"""Cell i of the renamed weights is cell ``move[i]`` of the weights."""

_MOST = 400  # the most elements of the group that are used; any part of the group is valid


def cell_moves(statement: Statement) -> tuple[Move, ...]:
    """Return permutations of the cells that turn counterexamples into counterexamples, without the identity."""
    kept = invariant_under(generators(statement.shape), statement.assumed, statement.shown)
    return closure([_move(renaming, statement.shape) for renaming in kept])


def closure(moves: Iterable[Move], most: int = _MOST) -> tuple[Move, ...]:
    """Return the permutations that the given ones generate, without the identity. At most `most` are generated."""
    steps = list(dict.fromkeys(moves))
    found = dict.fromkeys(steps)
    waiting = list(found)
    for here in waiting:  # grows while it is walked
        for step in steps:
            spend()
            there = tuple(here[i] for i in step)
            if there not in found and len(found) < most:
                found[there] = None
                waiting.append(there)
    return tuple(move for move in found if move != tuple(range(len(move))))


def _move(renaming: Renaming, shape: Shape) -> Move:
    """Return, for each cell of the renamed weights, the cell from which its weight comes."""
    sources = np.empty((*shape.cardinalities, shape.classes), dtype=np.int64)
    for number, (*states, y) in enumerate(np.ndindex(*sources.shape)):
        spend()
        _, there, z = rename(("P", tuple(states), y), renaming)
        sources[*there, z] = number
    return tuple(sources.ravel().tolist())


Vectors: TypeAlias = "npt.NDArray[np.int16]"
"""Each column is a vector of weights, and each row is a cell, so that operations on a cell use contiguous memory."""

Ranks: TypeAlias = "npt.NDArray[np.int64]"

LARGEST = 2**15 - 1  # the largest total: weights are 16 bits wide here
_TAILS = 1 << 16  # the most tails in a table, so that it stays in a core's cache
_KEPT = 1 << 25  # the most numbers in the tables that are kept
_MOVES = 32  # the most permutations with which heads are compared


def count(cells: int, total: int) -> int:
    """Return the number of vectors of `cells` non-negative integers whose sum is `total`."""
    if cells == 0:
        return int(total == 0)
    return math.comb(total + cells - 1, cells - 1)


class Compositions:
    """The vectors of non-negative integers of one length and one sum, by rank in lexicographic order.

    A vector consists of a head and a tail. The tails of all sums are in one table.
    """

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
        """Return the vectors of a range of ranks, as columns, and their ranks.

        Vectors that are not the least of their orbit under the permutations may be left out.
        """
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
            # The number of vectors of `length` parts whose first part is below v, for each v: all vectors minus those
            # whose first part is at least v.
            length = self.cells - place
            before = [count(length, left) - count(length, left - part) for part in range(left + 1)]
            weight = bisect.bisect_right(before, rank - begin) - 1
            begin += before[weight]
            head += count(length - self._tail + 1, left) - count(length - self._tail + 1, left - weight)
            left -= weight
        return head, begin


@functools.lru_cache(maxsize=64)
def of_total(cells: int, total: int, moves: tuple[Move, ...] = (), tails: int = _TAILS) -> Compositions:
    """Return the vectors of one length and sum. Their tables are kept for the next piece of work."""
    return Compositions(cells, total, moves, tails)


def _within(moves: tuple[Move, ...], split: int) -> tuple[Move, ...]:
    """Return the parts of the permutations that act within a head, up to the first cell that comes from the tail."""
    parts = {tuple(itertools.takewhile(lambda source: source < split, move)) for move in moves}
    changing = (part for part in parts if part != tuple(range(len(part))))
    return tuple(sorted(changing, key=lambda part: (-len(part), part)))[:_MOVES]


def _least(heads: Vectors, moves: tuple[Move, ...]) -> npt.NDArray[np.bool_]:
    """Return a mask of heads: False if a permutation proves that no vector with the head is least in its orbit."""
    kept = np.ones(heads.shape[1], dtype=bool)
    for sources in moves:
        level = kept.copy()  # the heads that equal their image so far
        for place, source in enumerate(sources):
            if source != place:
                kept &= ~(level & (heads[source] < heads[place]))
                level &= heads[source] == heads[place]
    return kept


def _tails(parts: int, total: int) -> Vectors:
    """Return all compositions of 0, of 1, .., of the total into `parts` parts, as columns, in this order."""
    if sum(table.size for table in _made.values()) > _KEPT:
        _made.clear()
    return np.concatenate([_table(parts, left) for left in range(total + 1)], axis=1)


_made: dict[tuple[int, int], Vectors] = {}
"""The tables that were made, by the number of parts and the sum. Tables for the next total are made from them."""


def _table(parts: int, total: int) -> Vectors:
    """Return the compositions of a sum, as columns in lexicographic order."""
    known = _made.get((parts, total))
    if known is None and parts == 1:
        known = _made[parts, total] = np.array([[total]], dtype=np.int16)
    elif known is None:
        rests = [_table(parts - 1, total - first) for first in range(total + 1)]
        firsts = np.repeat(np.arange(total + 1, dtype=np.int16), [rest.shape[1] for rest in rests])
        known = _made[parts, total] = np.concatenate([firsts[None], np.concatenate(rests, axis=1)], axis=0)
    return known


# -- What a search looks for: the weights of one shape at which a claim is violated.


@dataclass(frozen=True, slots=True)
class Budget:
    """The number of distributions that a search looks at by default, and the size of its portions."""

    quick: int = 300_000  # what is worth looking at before the solver is asked
    usual: int = 3_000_000  # what is looked at where the solver cannot help and no largest total is given
    further: int = 30_000_000  # what is worth looking at to be sure that a counterexample that was met is the least
    enumerated: int = 20_000_000  # what is looked at before the solver is asked for the least counterexample
    effort: int = 60_000_000  # of the solver, for one shape among several: some seconds, the same on every machine
    batch: int = 1 << 15  # decided at once: the numbers of a step stay near a core
    piece: int = 1 << 12  # the fewest distributions in a piece of work
    seconds: float = 0.2  # that a piece of work should take
    start_after: float = 1.0  # seconds of work until processes are started
    least: bool = True  # whether the solver is asked for the least counterexample, however long that takes


BUDGET = Budget()

Weights = tuple[int, ...]
"""The weights of all cells of a shape, in order."""


def lowest(weights: Iterable[int]) -> Weights:
    """Return weights in lowest terms."""
    listed = tuple(weights)
    divisor = math.gcd(*listed)
    return tuple(weight // divisor for weight in listed)


@dataclass(frozen=True, slots=True)
class Piece:
    """A range of ranks of the vectors of one total, to be searched."""

    total: int
    start: int
    stop: int
    bound: int | None = None  # only vectors with fewer cells above 0 are of interest


@dataclass(frozen=True, slots=True)
class Outcome:
    """The outcome of the search of a piece."""

    piece: Piece
    best: tuple[int, int] | None  # the number of cells above 0, and the rank, of the least counterexample
    decided: int  # how many distributions were decided one at a time
    seconds: float = field(default=0.0, compare=False)


class Target(abc.ABC):
    """A claim about the distributions of one shape, in the form that a search needs."""

    shape: Shape
    moves: tuple[Move, ...] = ()  # permutations of the cells that turn counterexamples into counterexamples
    batch: int  # how many distributions are decided at once

    @abc.abstractmethod
    def violated(self, weights: Weights) -> bool:
        """Decide exactly whether one distribution is a counterexample."""

    def find(self, vectors: Array, total: int) -> tuple[Array, Array]:  # noqa: ARG002
        """Return the columns that are counterexamples, and those that are to be decided one at a time: here all."""
        return np.arange(0), np.arange(vectors.shape[1])

    def first(self, candidates: Sequence[Weights], tick: Callable[[], object] = int) -> Weights | None:
        """Return the first counterexample of a list.

        Candidates of one total that follow each other are decided together, after a call of `tick`. It is also called
        before each candidate that is decided on its own.
        """
        for total, group in itertools.groupby(candidates, key=sum):
            listed, violated = list(group), set[int]()
            undecided = set(range(len(listed)))
            if total <= LARGEST:
                tick()
                violated, undecided = (set(places.tolist()) for places in self.find(np.array(listed).T, total))
            for place in sorted(violated | undecided):
                if place in undecided:
                    tick()
                if place in violated or self.violated(listed[place]):
                    return listed[place]
        return None

    def at(self, total: int, rank: int) -> Weights:
        """Return the weights of one rank."""
        vectors, _ = of_total(self.shape.cells, total).listed(rank, rank + 1)
        return tuple(vectors[:, 0].tolist())

    def search(self, piece: Piece) -> Outcome:
        """Return the least counterexample of a piece: the fewest cells above 0, then the smallest rank."""
        began = time.monotonic()
        best, decided = None, 0
        for start in range(piece.start, piece.stop, self.batch):
            stop = min(start + self.batch, piece.stop)
            vectors, ranks = of_total(self.shape.cells, piece.total, self.moves).listed(start, stop)
            support = np.count_nonzero(vectors, axis=0)
            bound = best[0] if best else piece.bound  # what comes later is better only with fewer cells
            if bound is not None:
                kept = np.flatnonzero(support < bound)
                vectors, support, ranks = vectors[:, kept], support[kept], ranks[kept]
            violated, undecided = self.find(vectors, piece.total)
            found = min(zip(support[violated].tolist(), ranks[violated].tolist(), strict=True), default=None)
            for place in sorted(undecided.tolist(), key=lambda place: (support[place], place)):
                candidate = (int(support[place]), int(ranks[place]))
                if found is not None and found < candidate:
                    break
                decided += 1
                if self.violated(tuple(vectors[:, place].tolist())):
                    found = candidate
                    break
            best = found or best
        return Outcome(piece, best, decided, time.monotonic() - began)


class FormulaTarget(Target):
    """A claim as a formula for one shape."""

    def __init__(self, statement: Statement, moves: tuple[Move, ...] | None = None, batch: int = BUDGET.batch) -> None:
        self.statement, self.shape = statement, statement.shape
        self.moves = cell_moves(statement) if moves is None else moves
        self.batch = batch * min(1 + len(self.moves) // 8, 16)  # about so many are left out for each looked at
        self._arguments = (statement, self.moves, batch)
        self._compiled = CompiledStatement(statement)

    def __reduce__(self) -> tuple[type[FormulaTarget], tuple[Statement, tuple[Move, ...], int]]:
        return FormulaTarget, self._arguments  # what is compiled cannot be sent

    def violated(self, weights: Weights) -> bool:
        """Decide exactly whether one distribution is a counterexample."""
        return self.statement.violated_at(self.shape.distribution(weights))

    def find(self, vectors: Array, total: int) -> tuple[Array, Array]:
        """Return the columns that are counterexamples, and those that are to be decided one at a time."""
        return self._compiled.find(vectors, total)


class FunctionTarget(Target):
    """A claim that computes with the distribution itself, and is therefore decided for one distribution at a time."""

    batch = 256

    def __init__(self, claim: Claim, shape: Shape) -> None:
        self._claim, self.shape = claim, shape

    def violated(self, weights: Weights) -> bool:
        """Decide exactly whether one distribution is a counterexample."""
        return isinstance(self._claim.check(self.shape.distribution(weights)), Refuted)


# -- Any shape: every variable tells to which part of a partition one of a few equally likely points belongs.


Partition: TypeAlias = "tuple[int, ...]"  # by point; the parts are numbered as they come

_CHOICES = 1 << 18  # of a partition for every variable; where there are more, so many are drawn
_TRIED = 20  # counterexamples


def _partition(labels: Iterable[object]) -> Partition:
    known: dict[object, int] = {}
    return tuple(known.setdefault(label, len(known)) for label in labels)


def _families() -> Iterator[list[Partition]]:
    """Yield partitions that are closed under joining two: all of four points, then by linear forms, as in XOR."""
    yield sorted({_partition(labels) for labels in itertools.product(range(4), repeat=4)})
    for prime, dimension in ((2, 3), (3, 2)):
        points = list(itertools.product(range(prime), repeat=dimension))
        forms = [tuple(sum(map(operator.mul, form, x)) % prime for x in points) for form in points]
        some = itertools.combinations_with_replacement(forms, dimension)
        yield sorted({_partition(zip(*chosen, strict=True)) for chosen in some})


def on_equal_points(
    assume: Sequence[Node], show: Sequence[Node], features: int, classes: int | None
) -> Iterator[JointDistribution]:
    """Yield distributions that are counterexamples to formulas about risks and entropies, small ones first.

    Every variable is a partition of four equally likely points, or a tuple of linear forms of three bits or of two
    numbers modulo 3. So sums as in XOR and in secret sharing are among the variables.
    """
    violated = conjunction(*assume, negation(conjunction(*show)))
    for partitions in _families():
        choices = _Choices(partitions, features, classes, violated)
        found = np.flatnonzero(choices.run(choices.chosen, 0, exact=True).yes & (choices.chosen[0] >= 0))
        sizes = [np.array([max(p) + 1 for p in partitions])[axis[found]] for axis in choices.chosen]
        for place in found[np.argsort(np.prod(sizes, axis=0), kind="stable")[:_TRIED]]:
            parts = [partitions[axis[place]] for axis in choices.chosen]
            cells = Counter(zip(*parts, strict=True))
            weights = np.zeros([*(max(p) + 1 for p in parts[:-1]), classes or max(2, max(parts[-1]) + 1)], dtype=int)
            weights[tuple(zip(*cells, strict=True))] = list(cells.values())
            yield JointDistribution(weights)


class _Choices(Program):
    """A formula at many choices of a partition for each feature and for the class: at all choices if they are few."""

    def __init__(self, partitions: Sequence[Partition], features: int, classes: int | None, formula: Node) -> None:
        pairs = [[_partition(zip(p, q, strict=True)) for q in partitions] for p in partitions]
        self._joined = np.array([[partitions.index(joint) for joint in row] for row in pairs])
        self._points = len(partitions[0])
        inside = np.array(partitions)[:, None] == np.arange(self._points)[:, None]  # by partition, part and point
        self._hits = np.einsum("pax,qbx->pqab", inside, inside, dtype=int).max(axis=3).sum(axis=2)
        sizes = inside.sum(axis=2)
        self._entropies: Any = entropy([self._counted(size) for size in sizes.T], exact=True)
        few = np.flatnonzero((sizes > 0).sum(axis=1) <= (classes or self._points))
        axes = [np.arange(len(partitions))] * features + [few]
        lengths = [len(axis) for axis in axes]
        places: Any = np.unravel_index(np.arange(min(math.prod(lengths), _CHOICES)), lengths)
        if math.prod(lengths) > _CHOICES:
            places = np.random.default_rng(0).integers(0, np.array(lengths)[:, None], (features + 1, _CHOICES))
        self.chosen = np.array([axis[place] for axis, place in zip(axes, places, strict=True)])
        super().__init__(Shape((1,) * features, 1), formula)

    def _compiled(self, node: Node) -> Any:
        return ((lambda *_: self._read(*node)), ()) if node[0] in {"R", "H"} else super()._compiled(node)

    def _read(self, kind: str, features: Sequence[int], target: bool = False) -> Any:
        """Return a risk or an entropy at all choices."""
        seen = self.chosen[[*features, -1] if target else [*features]]
        known = functools.reduce(lambda a, b: self._joined[a, b], seen, np.zeros(1, dtype=int))  # nothing comes first
        if kind == "R":
            return self._counted(self._points - self._hits[known, self.chosen[-1]])
        return replace(self._entropies, parts={prime: part[known] for prime, part in self._entropies.parts.items()})

    def _counted(self, points: Array) -> Exact:
        return Exact({1: points}, self._points, self._points, self._points)
