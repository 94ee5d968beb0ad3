"""What "smaller" means for a counterexample, and from a counterexample to a smaller one.

Shapes come first: fewer features, states, classes; then the weights: a smaller total, fewer cells above 0.
"""

from __future__ import annotations

import abc
import bisect
import contextlib
import functools
import itertools
import math
import pickle
import signal
import subprocess
import sys
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, BinaryIO, Self, TypeAlias

import numpy as np
import numpy.typing as npt

from fstheory._support.exact import as_index, integers_over
from fstheory._support.progress import Clock, OutOfTime
from fstheory.distributions.joint import JointDistribution
from fstheory.errors import MissingDependencyError, NotLinearError
from fstheory.lattice.extensions import random_linear_extension
from fstheory.logic.claims import Claim
from fstheory.logic.expressions import Node, conjunction, constant, difference, product
from fstheory.logic.statement import Renaming, Shape, Statement, canonical_text, generators, invariant_under, rename
from fstheory.proofs.batch import Array, CompiledStatement, CompiledTerm
from fstheory.proofs.linear import Unknowns
from fstheory.proofs.solvers import Encoder, NoAnswer, load_z3, number_in_model, z3_answer
from fstheory.selection.adversary import adversarial

# -- All distributions of a shape with a given total, in lexicographic order, up to the symmetries of a statement.


Move = tuple[int, ...]
"""Cell i of the renamed weights is cell ``move[i]`` of the weights."""

_MOST = 400  # elements of the group that are looked at; any part of it will do


def cell_moves(statement: Statement) -> tuple[Move, ...]:
    """Return permutations of the cells that turn counterexamples into counterexamples; the identity is left out."""
    shape = statement.shape
    kept = invariant_under(generators(shape), statement.assumed, statement.shown)
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


# -- What a search looks for: the weights of one shape at which a claim is violated.


@dataclass(frozen=True, slots=True)
class Budget:
    """How much a search looks at of its own accord, in distributions, and in what portions."""

    quick: int = 300_000  # what is start_after looking at before the solver is asked
    usual: int = 3_000_000  # what is looked at where the solver cannot help and no largest total is given
    further: int = (
        30_000_000  # what is start_after looking at to be sure that a counterexample that was met is the least
    )
    enumerated: int = 20_000_000  # what is looked at before the solver is asked for the least counterexample
    resources: int = 60_000_000  # of the solver, for one shape among several: some seconds, the same on every machine
    batch: int = 1 << 15  # decided at once: the numbers of a step stay near a core
    piece: int = 1 << 12  # in a piece of work, at least; it should take
    seconds: float = 0.2
    start_after: float = (
        1.0  # seconds of work after which processes are started: they take about as long to import fstheory
    )
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


class FormulaTarget(Target):
    """A claim spelled out for the shape."""

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
        return self.statement.violated_at(self.distribution(weights))

    def find(self, vectors: Array, total: int) -> tuple[Array, Array]:
        """Return the columns that are counterexamples, and those that are to be decided one at a time."""
        return self._compiled.find(vectors, total)


class FunctionTarget(Target):
    """A claim that computes with the distribution itself, so that it can only be asked about one at a time."""

    batch = 256

    def __init__(self, claim: Claim, shape: Shape) -> None:
        self._claim, self.shape = claim, shape

    def violated(self, weights: Weights) -> bool:
        """Decide exactly whether one distribution is a counterexample."""
        d = self.distribution(weights)
        return self._claim.statement(d).violated_at(d)


# -- Linear statements in a solver: whether a shape has a counterexample at all, and the least one of a given total.


def solver_version() -> str | None:
    """Return the name and version of the solver; None if it is not installed."""
    try:
        return f"Z3 {load_z3().get_version_string()}"
    except MissingDependencyError:
        return None


def is_linear(statement: Statement) -> bool:
    """Say whether a statement is within linear arithmetic."""
    unknowns = Unknowns(statement.shape)
    try:
        for instance in (*statement.assume, *statement.show):
            unknowns.require_linear(instance, statement.claim)
    except NotLinearError:
        return False
    return True


class WeightSolver:
    """The counterexamples of a linear statement as weights, in Z3."""

    def __init__(
        self, statement: Statement, total: int | None = None, clock: Clock | None = None, resources: int | None = None
    ) -> None:
        self._z3 = z3 = load_z3()
        self._clock = clock or Clock(None, None)
        encoder = Encoder(z3, Unknowns(statement.shape), integer=total is not None)
        self._solver = z3.SolverFor("QF_LRA" if total is None else "QF_LIA", ctx=encoder.context)
        self._limited = resources is not None
        if resources is not None:
            self._solver.set("rlimit", resources)
        self._model: Any = None
        self.cells = encoder.cells
        self.total = encoder.total = 1 if total is None else total or z3.Sum(self.cells)
        denied = ("not", conjunction(*statement.shown))
        formulas = [encoder.formula(node) for node in (*statement.assumed, denied)]
        self.add(z3.Sum(self.cells) >= 1, *encoder.distribution(), *encoder.definitions(), *formulas)

    def add(self, *constraints: Any) -> None:
        """Add constraints."""
        self._solver.add(*constraints)

    def check(self, constraint: Any = None) -> bool:
        """Say whether there is a counterexample, if something more is asked of it."""
        if constraint is None:
            found = z3_answer(self._solver, self._clock, limited=self._limited)
        else:
            self._solver.push()
            self._solver.add(constraint)
            found = z3_answer(self._solver, self._clock)
        self._model = self._solver.model() if found else None
        if constraint is not None:
            self._solver.pop()
        return found

    def found(self) -> list[int]:
        """Return the counterexample that was found last as integer weights in lowest terms."""
        values = [number_in_model(self._model.eval(cell, model_completion=True)) for cell in self.cells]
        return list(lowest(integers_over(values)[0]))

    def found_up_to(self, most: int) -> list[int]:
        """Return a counterexample whose total is not above a bound; [] if there is none."""
        return self.found() if self.check(self.total <= most) else []

    def least(self) -> Weights:
        """Return the counterexample with the fewest cells above 0, then the lexicographically least; there is one."""
        z3 = self._z3
        positive = z3.Sum([z3.If(cell > 0, 1, 0) for cell in self.cells])
        for most in range(1, len(self.cells) + 1):
            if self.check(positive <= most):
                break
        else:
            raise AssertionError("least() is asked where there is a counterexample")
        known = self.weights()
        self.add(positive <= most)
        for place, cell in enumerate(self.cells):
            for weight in range(known[place]):
                if self.check(cell == weight):
                    known = self.weights()
                    break
            self.add(cell == known[place])
        return tuple(known)

    def weights(self) -> list[int]:
        """Return the integer weights that were found last."""
        return [self._model.eval(cell, model_completion=True).as_long() for cell in self.cells]


# -- Work done one piece after the other, or by several processes at once; the answers come in order.


_AHEAD = 3  # pieces that wait for each process, so that none is idle; their answers fit a pipe
# Not `multiprocessing` or `concurrent.futures`: "spawn" and "forkserver" import the program that asks, which ends badly
# without a `__main__` guard, and "fork" copies a process in the middle of what the threads of NumPy and Z3 are doing.
_PROGRAM = """
import sys
if sys.argv[1] not in sys.path:
    sys.path.insert(0, sys.argv[1])
from fstheory.proofs.search import main
main()
"""


def main() -> None:
    """Serve standard input until it ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # an interrupt is for the process that started this one
    serve(sys.stdin.buffer, sys.stdout.buffer)


def serve(source: BinaryIO, out: BinaryIO) -> None:
    """Answer every piece of work in a stream; statements, with their symmetries, stand before their pieces."""
    target: FormulaTarget | None = None
    with contextlib.suppress(EOFError):
        while True:
            message = pickle.load(source)
            if isinstance(message, FormulaTarget):
                target = message
            else:
                assert target is not None
                pickle.dump(target.search(message), out)
                out.flush()


class Pool:
    """The processes that search for counterexamples; they start after `start_after` seconds of work."""

    def __init__(self, workers: int = 1, start_after: float = BUDGET.start_after) -> None:
        self._workers = workers if sys.executable else 1
        self._left = start_after
        self._processes: list[subprocess.Popen[bytes]] = []
        self._told: Target | None = None  # what they were told last

    def run(self, target: Target, pieces: Iterable[Piece]) -> Iterator[tuple[Piece, Outcome]]:
        """Yield each piece with what was found in it, in order."""
        source = iter(pieces)
        together = self._workers > 1 and isinstance(target, FormulaTarget)
        while not (together and self._left <= 0):
            piece = next(source, None)
            if piece is None:
                return
            outcome = target.search(piece)
            self._left -= outcome.seconds
            yield piece, outcome
        yield from self._together(target, source)

    def _together(self, target: Target, source: Iterator[Piece]) -> Iterator[tuple[Piece, Outcome]]:
        """Deal the pieces out in turn, and collect the outcomes in turn; if a process is gone, do its pieces here."""
        while len(self._processes) < self._workers:
            command = [sys.executable, "-P", "-c", _PROGRAM, str(Path(__file__).resolve().parents[2])]
            pipe = subprocess.PIPE
            self._processes.append(subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=subprocess.DEVNULL))
        if target is not self._told:
            for process in self._processes:
                _send(process, target)
            self._told = target
        waiting: deque[tuple[Piece, subprocess.Popen[bytes]]] = deque()
        for piece, process in zip(source, itertools.cycle(self._processes), strict=False):
            _send(process, piece)
            waiting.append((piece, process))
            if len(waiting) > _AHEAD * self._workers:
                piece, process = waiting.popleft()
                yield piece, _received(process) or target.search(piece)
        for piece, process in waiting:
            yield piece, _received(process) or target.search(piece)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        for process in self._processes:
            process.kill()
        for process in self._processes:
            with contextlib.suppress(OSError), process:  # what was still to be written no longer matters
                pass


def _send(process: subprocess.Popen[bytes], message: Target | Piece) -> None:
    assert process.stdin is not None
    with contextlib.suppress(OSError):
        pickle.dump(message, process.stdin)
        process.stdin.flush()


def _received(process: subprocess.Popen[bytes]) -> Outcome | None:
    assert process.stdout is not None
    with contextlib.suppress(OSError, EOFError, pickle.UnpicklingError):
        outcome: Outcome = pickle.load(process.stdout)
        return outcome
    return None


# -- Random distributions, and hill climbing by slack, where there are too many distributions to look at each.


_ROUNDS = 60
_BATCH = 1 << 12
COUNT = _ROUNDS * _BATCH
"""How many distributions are drawn for a shape, where they can be decided at once."""

_ONE_BY_ONE = 700  # distributions, where each has to be decided on its own
_ORDERINGS = 20
_FEATURES = 4  # up to which an ordering is drawn and realized in no time
_TOTALS = (7, 12, 20, 40, 100, 300, 1000)


def sample(target: Target, seed: int, tick: Callable[[int], None]) -> tuple[Weights | None, int]:
    """Draw distributions until one is a counterexample."""
    seen = 0
    left = _ONE_BY_ONE  # decisions that take a while
    for vectors, total in draw(target.shape, seed, 1 << 5 if target.batch < _BATCH else _BATCH):
        tick(seen)
        violated, undecided = target.find(vectors, total)
        if len(violated):
            return tuple(vectors[:, violated[0]].tolist()), seen + int(violated[0]) + 1
        for place in undecided.tolist()[:left]:
            if target.violated(tuple(vectors[:, place].tolist())):
                return tuple(vectors[:, place].tolist()), seen + place + 1
        left -= min(left, len(undecided))
        seen += vectors.shape[1]
        if left == 0 and len(undecided):
            break
    for weights in orderings(target.shape, seed):
        tick(seen)
        seen += 1
        if target.violated(weights):
            return weights, seen
    return None, seen


def draw(shape: Shape, seed: int, size: int) -> Iterator[tuple[Array, int]]:
    """Yield vectors of one total each, as columns."""
    rng = np.random.default_rng([seed, *shape.cardinalities, shape.classes])
    for number in range(_ROUNDS):
        vectors = _vectors(number % 4, rng, shape.cells, _TOTALS[number % len(_TOTALS)], size)
        yield vectors, int(vectors[:, 0].sum())


def _vectors(kind: int, rng: np.random.Generator, cells: int, total: int, size: int) -> Array:
    """Spread weight over all cells, or a few; or take powers of 2, or three weights, one cell making up the total."""
    if kind == 0:
        return rng.multinomial(total, rng.dirichlet(np.full(cells, rng.choice([0.3, 1.0, 5.0])), size)).T.copy()
    if kind == 1:
        chances = rng.random((size, cells)) * (rng.random((size, cells)) < 0.5)
        chances[np.arange(size), rng.integers(cells, size=size)] += 0.1  # at least one
        return rng.multinomial(total, chances / chances.sum(axis=1, keepdims=True)).T.copy()
    vectors: Array
    if kind == 2:
        vectors = 1 << rng.integers(0, max(total.bit_length(), 2), size=(cells, size))
    else:
        weights = rng.integers(0, max(total // cells, 2) + 1, size=(3, size))
        vectors = np.take_along_axis(weights, rng.integers(0, 3, size=(cells, size)), axis=0)
    sums = vectors.sum(axis=0)
    vectors[rng.integers(cells, size=size), np.arange(size)] += sums.max() + 1 - sums
    return vectors


def orderings(shape: Shape, seed: int) -> Iterator[Weights]:
    """Yield distributions whose Bayes risks have a random strict order."""
    n = len(shape.cardinalities)
    if n > _FEATURES or min(shape.cardinalities, default=1) < 2 or shape.classes < 2:
        return
    rng = np.random.default_rng([seed, n])
    for order in dict.fromkeys(random_linear_extension(n, rng=rng) for _ in range(_ORDERINGS)):
        d = adversarial(order, cardinalities=shape.cardinalities, classes=shape.classes)
        yield tuple(d.weights.ravel().tolist())


_STARTS = 12
_STEPS = 40
_MOST_random_search = 60_000  # distributions that are looked at
_MINUS = constant(-1)


def slack(formula: Node) -> Node:
    """Return a term that is at least 0 where a formula is true, and at most 0 where it is false."""
    kind, *parts = formula
    if kind in {"<", "<="}:
        return difference(parts[1], parts[0])
    if kind == "=":
        return ("min", difference(*parts), difference(*reversed(parts)))
    if kind == "not":
        return product(_MINUS, slack(parts[0]))
    if kind == "implies":
        return ("max", product(_MINUS, slack(parts[0])), slack(parts[1]))
    if kind == "iff":
        return slack(("and", ("implies", *parts), ("implies", *reversed(parts))))
    if not parts:  # true or false: no change of the distribution matters
        return constant(1 if kind == "and" else -1)
    return ("min" if kind == "and" else "max", *map(slack, parts))


def violation(statement: Statement) -> Node:
    """Return a term that is at least 0 where the assumptions of a statement are true and what it shows is false."""
    return ("min", *map(slack, statement.assumed), product(_MINUS, slack(("and", *statement.shown))))


def climb_hills(target: FormulaTarget, seed: int, tick: Callable[[int], None]) -> tuple[Weights | None, int]:
    """Climb from random distributions, moving weight from cell to cell, until one is a counterexample."""
    meter = CompiledTerm(target.shape, violation(target.statement))
    cells = target.shape.cells
    rng = np.random.default_rng([seed, cells])
    seen = 0
    for start in range(_STARTS):
        total = (4 * cells, 16 * cells, 64 * cells)[start % 3]
        here = rng.multinomial(total, rng.dirichlet(np.ones(cells))).astype(np.int64)
        highest = None
        for _ in range(_STEPS):
            around = _neighbors(here)
            seen += around.shape[1]
            tick(seen)
            if seen > _MOST_random_search:
                return None, seen
            violated = target.find(around, total)[0]
            if len(violated):
                return tuple(around[:, violated[0]].tolist()), seen
            heights = meter.read(around, total)
            best = int(np.argmax(heights))
            if highest is not None and heights[best] <= highest:
                break
            highest, here = heights[best], around[:, best]
    return None, seen


def _neighbors(weights: Array) -> Array:
    """Return all vectors that differ by a weight moved from one cell to another, as columns."""
    moved = list(_moved(weights))
    return np.array(moved).T if moved else weights[:, None]


def _moved(weights: Array) -> Iterator[Array]:
    for source, weight in enumerate(weights.tolist()):
        for amount in sorted({1, max(1, weight // 4), weight}) if weight else []:
            for place in range(len(weights)):
                if place != source:
                    changed = weights.copy()
                    changed[source] -= amount
                    changed[place] += amount
                    yield changed


# -- What "smaller" means for a counterexample, and from a counterexample to a smaller one.


@dataclass(frozen=True, slots=True)
class ShapeRange:
    """The shapes of a search: from 1 feature, 2 states of each and 2 classes on, where one choice is not asked for."""

    cardinalities: tuple[int, ...] | None = None
    classes: int | None = None
    max_features: int = 3
    max_cardinality: int = 3
    max_classes: int = 3

    def __post_init__(self) -> None:
        if self.cardinalities is not None:
            object.__setattr__(self, "cardinalities", Shape(self.cardinalities).cardinalities)
        if self.classes is not None:
            Shape((), self.classes)
        as_index(self.max_features, "max_features", at_least=1)
        as_index(self.max_cardinality, "max_cardinality", at_least=2)
        as_index(self.max_classes, "max_classes", at_least=2)

    def shapes(self) -> Iterator[Shape]:
        """Yield the shapes, from the smallest on."""
        classes = range(2, self.max_classes + 1) if self.classes is None else (self.classes,)
        if self.cardinalities is not None:
            yield from (Shape(self.cardinalities, number) for number in classes)
            return
        for features in range(1, self.max_features + 1):
            choices = itertools.product(range(2, self.max_cardinality + 1), repeat=features)
            for cardinalities in sorted(choices, key=lambda sizes: (math.prod(sizes), sizes)):
                yield from (Shape(cardinalities, number) for number in classes)


def size_of_shape(shape: Shape) -> tuple[int, int, tuple[int, ...], int]:
    """Return what shapes are ordered by."""
    return len(shape.cardinalities), shape.states, shape.cardinalities, shape.classes


def size_of_weights(weights: Weights) -> tuple[int, int, Weights]:
    """Return what weights of one shape, in lowest terms, are ordered by."""
    return sum(weights), sum(weight > 0 for weight in weights), weights


Searched: TypeAlias = dict[tuple[tuple[int, ...], int], list[tuple[Shape, list[set[str]]]]]
"""The shapes that were searched, with the texts of their statements, by sorted cardinalities and classes."""


def searched_before(statement: Statement, searched: Searched) -> Shape | None:
    """Return the shape of a statement that says the same with features in another order; else note this one."""
    shape = statement.shape
    if len(set(shape.cardinalities)) == 1:
        return None  # there is no other order
    families = (statement.assumed, statement.shown)

    def texts(renaming: Renaming) -> list[set[str]]:
        return [{canonical_text(rename(formula, renaming)) for formula in family} for family in families]

    same = Renaming.identity(shape)
    earlier = searched.setdefault((tuple(sorted(shape.cardinalities)), shape.classes), [])
    for other, known in earlier:
        for order in itertools.permutations(range(len(shape.cardinalities))):
            fits = all(other.cardinalities[i] == size for i, size in zip(order, shape.cardinalities, strict=True))
            if fits and texts(replace(same, features=order)) == known:
                return other
    earlier.append((shape, texts(same)))
    return None


def smaller_weights(target: Target, weights: Weights, tick: Callable[[], None]) -> Weights:
    """Return a counterexample of the same shape, starting from one, that no step makes smaller."""
    here = lowest(weights)
    while True:
        tick()
        candidates = {lowest(candidate) for candidate in _steps(here) if any(candidate)}
        candidates.update(tuple(here[source] for source in move) for move in target.moves)
        better = sorted((c for c in candidates if size_of_weights(c) < size_of_weights(here)), key=size_of_weights)
        found = target.first(better)
        if found is None:
            return here
        here = found


def smaller_shape(
    shape: Shape, weights: Weights, target_of: Callable[[Shape], Target | None]
) -> tuple[Shape, Weights] | None:
    """Return a counterexample with a feature, a state or a class less, the smallest that one step leads to."""
    candidates = sorted(_coarser(shape, weights), key=lambda pair: (size_of_shape(pair[0]), size_of_weights(pair[1])))
    for smaller, candidate in dict.fromkeys(candidates):
        target = target_of(smaller)
        if target is not None and target.violated(candidate):
            return smaller, candidate
    return None


def _steps(weights: Weights) -> Iterator[Weights]:
    """Yield what one step makes of weights."""
    divisors = {2, 3, 5, *(1 << bits for bits in range(2, max(weights).bit_length()))}
    for divisor in sorted(divisors):
        yield tuple(weight // divisor for weight in weights)
        yield tuple(-(-weight // divisor) for weight in weights)
        yield tuple((2 * weight + divisor) // (2 * divisor) for weight in weights)
    for i, weight in enumerate(weights):
        changes: list[dict[int, int]] = [{i: less} for less in {0, weight // 2, weight - 1} if 0 <= less < weight]
        for j, other in enumerate(weights):
            if i != j and weight:
                changes += [{i: weight - 1, j: other + 1}, {i: 0, j: other + weight}]
                if j > i and other:
                    changes += [{i: weight - 1, j: other - 1}, {i: other, j: weight}]
        for change in changes:
            yield tuple(change.get(place, old) for place, old in enumerate(weights))


def _coarser(shape: Shape, weights: Weights) -> Iterator[tuple[Shape, Weights]]:
    """Yield the distribution without a feature; with two states, or classes, made one, or one of them left out."""
    table = np.array(weights, dtype=object).reshape(*shape.cardinalities, shape.classes)
    for smaller in _coarser_tables(table):
        if smaller.ndim and smaller.any():
            yield Shape(smaller.shape[:-1], smaller.shape[-1]), lowest(smaller.ravel().tolist())


def _coarser_tables(table: Array) -> Iterator[Array]:
    for axis, size in enumerate(table.shape):
        if axis < table.ndim - 1:
            yield table.sum(axis=axis)
        for state in range(size if size > 1 else 0):
            rest = np.delete(table, state, axis=axis)
            yield rest
            for into in range(size - 1):
                merged = rest.copy()
                np.moveaxis(merged, axis, 0)[into] += table.take(state, axis=axis)
                yield merged


_CELLS = 64
_RESOURCES = 10_000_000  # of the solver for each step: some tenths of a second
_FACTOR = (3, 4)


def with_smaller_weights(denial: Statement, d: JointDistribution, clock: Clock) -> JointDistribution:
    """Return a distribution with smaller weights at which a statement is false as well; `d` if none is found."""
    if denial.shape.cells > _CELLS or d.total <= denial.shape.states or not is_linear(denial):
        return d
    with suppress(MissingDependencyError, NoAnswer, OutOfTime):
        while True:
            solver = WeightSolver(denial, total=0, clock=clock, resources=_RESOURCES)
            solver.add(solver.total <= d.total * _FACTOR[0] // _FACTOR[1])
            if not solver.check():
                return d
            weights = np.array(solver.weights(), dtype=object).reshape(d.weights.shape)
            smaller = JointDistribution(weights, features=d.features)
            if not denial.violated_at(smaller):
                return d
            d = smaller
    return d
