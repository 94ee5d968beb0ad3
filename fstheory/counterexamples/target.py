"""What a search looks for: the weights of one shape at which a claim is violated."""

from __future__ import annotations

import abc
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np

from fstheory.counterexamples.batch import Batch
from fstheory.counterexamples.enumerate import LARGEST, Move, cell_moves, of_total
from fstheory.counterexamples.values import Array
from fstheory.distribution import JointDistribution
from fstheory.logic import Claim, Shape, Statement

__all__ = ["BATCH", "Ground", "Opaque", "Outcome", "Piece", "Target", "Weights"]

BATCH = 1 << 15
"""How many distributions are decided at once: the numbers of a step stay near a core."""

Weights = tuple[int, ...]
"""The weights of all cells of a shape, in order."""


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

    @abc.abstractmethod
    def find(self, vectors: Array, total: int) -> tuple[Array, Array]:
        """Return the columns that are counterexamples, and those that are to be decided one at a time."""

    def first(self, candidates: Sequence[Weights]) -> Weights | None:
        """Return the first counterexample of a list."""
        return next((weights for weights in candidates if self.violated(weights)), None)

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
        best, bound, decided = None, piece.bound, 0
        for start in range(piece.start, piece.stop, self.batch):
            part = Piece(piece.total, start, min(start + self.batch, piece.stop), bound)
            found = self._search(part)
            decided += found.decided
            if found.best is not None:
                best, bound = found.best, found.best[0]  # what comes later is better only with fewer cells
        return Outcome(best, decided, time.monotonic() - began)

    def _search(self, piece: Piece) -> Outcome:
        vectors, ranks = of_total(self.shape.cells, piece.total, self.moves).listed(piece.start, piece.stop)
        support = np.count_nonzero(vectors, axis=0)
        if piece.bound is not None:
            kept = np.flatnonzero(support < piece.bound)
            vectors, support, ranks = vectors[:, kept], support[kept], ranks[kept]
        violated, undecided = self.find(vectors, piece.total)
        best = min(zip(support[violated].tolist(), ranks[violated].tolist(), strict=True), default=None)
        decided = 0
        for place in sorted(undecided.tolist(), key=lambda place: (support[place], place)):
            candidate = (int(support[place]), int(ranks[place]))
            if best is not None and best < candidate:
                break
            decided += 1
            if self.violated(tuple(vectors[:, place].tolist())):
                best = candidate
                break
        return Outcome(best, decided)


class Ground(Target):
    """A claim spelled out for the shape."""

    def __init__(self, statement: Statement, moves: tuple[Move, ...] | None = None) -> None:
        self.statement = statement
        self.shape = statement.shape
        self.moves = cell_moves(statement) if moves is None else moves
        fewer = min(1 + len(self.moves) // 8, 16)  # about so many are left out for each that is looked at
        self.batch = BATCH * fewer
        self._compiled = Batch(statement)

    def violated(self, weights: Weights) -> bool:
        """Decide exactly whether one distribution is a counterexample."""
        return self.statement.violated_at(self.distribution(weights))

    def first(self, candidates: Sequence[Weights]) -> Weights | None:
        """Return the first counterexample of a list; those of one total are decided together."""
        together: dict[int, list[Weights]] = {}
        for weights in candidates:
            together.setdefault(sum(weights), []).append(weights)
        known: dict[Weights, bool] = {}
        for total, listed in together.items():
            if total <= LARGEST:
                violated, undecided = self.find(np.array(listed).T, total)
                known.update((weights, False) for weights in listed)
                known.update((listed[place], True) for place in violated.tolist())
                for place in undecided.tolist():
                    del known[listed[place]]
        return next((w for w in candidates if (known[w] if w in known else self.violated(w))), None)

    def find(self, vectors: Array, total: int) -> tuple[Array, Array]:
        """Return the columns that are counterexamples, and those that are to be decided one at a time."""
        return self._compiled.find(vectors, total)


class Opaque(Target):
    """A claim that computes with the distribution itself, so that it can only be asked about one at a time."""

    batch = 256

    def __init__(self, claim: Claim, shape: Shape) -> None:
        self._claim = claim
        self.shape = shape

    def violated(self, weights: Weights) -> bool:
        """Decide exactly whether one distribution is a counterexample."""
        d = self.distribution(weights)
        return self._claim.statement(d).violated_at(d)

    def find(self, vectors: Array, total: int) -> tuple[Array, Array]:  # noqa: ARG002
        """Return no column as a counterexample, and all as undecided."""
        return np.arange(0), np.arange(vectors.shape[1])
