"""What a search looks for: the weights of one shape at which a claim is violated."""

from __future__ import annotations

import abc
import math
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np

from fstheory.counterexamples.batch import Batch
from fstheory.counterexamples.enumerate import LARGEST, Move, cell_moves, of_total
from fstheory.counterexamples.values import Array
from fstheory.distribution import JointDistribution
from fstheory.logic import Claim, Shape, Statement

__all__ = ["BUDGET", "Budget", "Ground", "Opaque", "Outcome", "Piece", "Target", "Weights", "lowest"]


@dataclass(frozen=True, slots=True)
class Budget:
    """How much a search looks at of its own accord, in distributions, and in what portions."""

    quick: int = 300_000  # what is worth looking at before the solver is asked
    usual: int = 3_000_000  # what is looked at where the solver cannot help and no largest total is given
    further: int = 30_000_000  # what is worth looking at to be sure that a counterexample that was met is the least
    enumerated: int = 20_000_000  # what is looked at before the solver is asked for the least counterexample
    resources: int = 60_000_000  # of the solver, for one shape among several: some seconds, the same on every machine
    batch: int = 1 << 15  # decided at once: the numbers of a step stay near a core
    piece: int = 1 << 12  # in a piece of work, at least; it should take
    seconds: float = 0.2
    worth: float = 1.0  # seconds of work after which processes are started: they take about as long to import fstheory
    saved: float = 1.0  # seconds between two versions of a journal


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
    """What was found in a piece."""

    best: tuple[int, int] | None  # the number of cells above 0, and the rank, of the least counterexample
    decided: int  # how many distributions were decided one at a time
    seconds: float = field(default=0.0, compare=False)


class Target(abc.ABC):
    """A claim about the distributions of one shape, as a search sees it."""

    shape: Shape
    moves: tuple[Move, ...] = ()  # permutations of the cells that turn counterexamples into counterexamples
    batch: int  # how many distributions are decided at once

    @abc.abstractmethod
    def violated(self, weights: Weights) -> bool:
        """Decide exactly whether one distribution is a counterexample."""

    def find(self, vectors: Array, total: int) -> tuple[Array, Array]:  # noqa: ARG002
        """Return the columns that are counterexamples, and those that are to be decided one at a time: here all."""
        return np.arange(0), np.arange(vectors.shape[1])

    def first(self, candidates: Sequence[Weights]) -> Weights | None:
        """Return the first counterexample of a list; those of one total are decided together."""
        together: dict[int, list[Weights]] = {}
        for weights in candidates:
            together.setdefault(sum(weights), []).append(weights)
        known: dict[Weights, bool] = {}
        for total, listed in together.items():
            if total <= LARGEST:
                violated, undecided = (set(places.tolist()) for places in self.find(np.array(listed).T, total))
                known.update((w, place in violated) for place, w in enumerate(listed) if place not in undecided)
        return next((w for w in candidates if (known[w] if w in known else self.violated(w))), None)

    def distribution(self, weights: Iterable[int]) -> JointDistribution:
        """Return weights as a distribution."""
        array = np.array(list(weights), dtype=object)
        return JointDistribution(array.reshape(*self.shape.cardinalities, self.shape.classes))

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
        return Outcome(best, decided, time.monotonic() - began)


class Ground(Target):
    """A claim spelled out for the shape."""

    def __init__(self, statement: Statement, moves: tuple[Move, ...] | None = None, batch: int = BUDGET.batch) -> None:
        self.statement, self.shape = statement, statement.shape
        self.moves = cell_moves(statement) if moves is None else moves
        self.batch = batch * min(1 + len(self.moves) // 8, 16)  # about so many are left out for each looked at
        self._arguments = (statement, self.moves, batch)
        self._compiled = Batch(statement)

    def __reduce__(self) -> tuple[type[Ground], tuple[Statement, tuple[Move, ...], int]]:
        return Ground, self._arguments  # what is compiled cannot be sent

    def violated(self, weights: Weights) -> bool:
        """Decide exactly whether one distribution is a counterexample."""
        return self.statement.violated_at(self.distribution(weights))

    def find(self, vectors: Array, total: int) -> tuple[Array, Array]:
        """Return the columns that are counterexamples, and those that are to be decided one at a time."""
        return self._compiled.find(vectors, total)


class Opaque(Target):
    """A claim that computes with the distribution itself, so that it can only be asked about one at a time."""

    batch = 256

    def __init__(self, claim: Claim, shape: Shape) -> None:
        self._claim, self.shape = claim, shape

    def violated(self, weights: Weights) -> bool:
        """Decide exactly whether one distribution is a counterexample."""
        d = self.distribution(weights)
        return self._claim.statement(d).violated_at(d)
