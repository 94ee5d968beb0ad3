"""One shape searched: all distributions by increasing total, the solver, random ones; what was found, how surely."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from fstheory._clock import Clock, OutOfTime
from fstheory.counterexamples import random_search
from fstheory.counterexamples.enumerate import count
from fstheory.counterexamples.journal import SearchJournal
from fstheory.counterexamples.minimize import smaller_weights
from fstheory.counterexamples.pool import Pool
from fstheory.counterexamples.solver import WeightSolver, is_linear, solver_version
from fstheory.counterexamples.target import Budget, Ground, Piece, Target, Weights, lowest
from fstheory.logic import Shape, Statement
from fstheory.proofs.solvers import NoAnswer

__all__ = ["Conditions", "ShapeResult", "ShapeSearch", "described", "minimality"]

_ONE = 1000  # so many distributions decided together cost as much as one decided on its own
_LARGEST = 1000  # totals that are enumerated


@dataclass(slots=True)
class ShapeResult:
    """What is known about one shape."""

    shape: Shape
    excluded: str = ""  # why there is no counterexample of any total, if that is known
    totals: int = 0  # all distributions up to this total were looked at
    sampled: int = 0  # how many others were
    weights: Weights | None = None  # a counterexample
    least: bool = False  # whether it is known to be the least of the shape
    note: str = ""  # what else a reader should know
    earlier: list[str] = field(default_factory=list)  # steps that the journal says an earlier run did


@dataclass(frozen=True, slots=True)
class Conditions:
    """What the searches of all shapes have in common."""

    pool: Pool
    journal: SearchJournal
    clock: Clock
    max_total: int | None
    seed: int
    budget: Budget


class ShapeSearch:
    """The search of one shape, with the state that it is in."""

    def __init__(self, target: Target, conditions: Conditions, *, alone: bool) -> None:
        self.target = target
        self.pool, self.journal, self.clock = conditions.pool, conditions.journal, conditions.clock
        self.max_total, self.seed, self.budget = conditions.max_total, conditions.seed, conditions.budget
        self.resources = None if alone else self.budget.resources  # the solver need not leave time for other shapes
        self.result = ShapeResult(target.shape)
        self._work = 0
        self._last = (1, 1)  # what the last total cost, and how many distributions have it

    def run(self) -> None:
        """Search until something is found, or there is nothing more to do."""
        statement = self.target.statement if isinstance(self.target, Ground) else None
        linear = statement if statement is not None and is_linear(statement) else None
        if statement is not None and not statement.show:
            self.result.excluded = "the claim has no instances"
        elif linear is not None and solver_version():
            self._linear(linear)
        else:
            self.result.note = "Z3 is not installed" * (linear is not None)
            self._without_solver()

    def _linear(self, statement: Statement) -> None:
        self._totals(self.budget.quick)
        if self.result.weights:
            return
        some = self._step("solver", lambda: self._some(statement))
        if some is None:
            self.result.note = "Z3 gave no answer"
            self._without_solver()
        elif not some:
            self.result.excluded = f"all totals, by {solver_version()}"
        else:
            self._totals(self.budget.enumerated)
            if not self.result.weights:
                self._least_of_all(statement, sum(lowest(some)))

    def _without_solver(self) -> None:
        self._totals(None if self.max_total else self.budget.usual)
        if not self.result.weights and not self.max_total:
            self._random()

    # The solver

    def _some(self, statement: Statement) -> list[int] | None:
        """Ask for a counterexample: return [] if there is none of any total, None without an answer."""
        solver = WeightSolver(statement, None, self.clock, self.resources)
        try:
            return solver.found() if solver.check() else []
        except NoAnswer:
            self._tick("solver")()  # is it the time limit?
            return None

    def _least_of_all(self, statement: Statement, high: int) -> None:
        """Let the solver find the least counterexample; there is one of the total `high`."""
        low = self.result.totals
        while low + 1 < high and (self.max_total is None or low < self.max_total):
            self._tick(f"totals {low + 1} to {high}, solver")()
            middle = min(max(2 * low, 1), (low + high) // 2)
            up_to = partial(WeightSolver.found_up_to, most=middle)
            some = self._step(f"totals up to {middle}", partial(self._answer, up_to, statement, 0))
            if some:
                high = sum(lowest(some))
            else:
                self.result.totals = low = middle
        if self.max_total is not None and high > self.max_total:
            self.result.totals = self.max_total
            return
        weights = self._step(f"least of total {high}", lambda: self._answer(WeightSolver.least, statement, high))
        self.result.weights, self.result.least = tuple(weights), True

    def _answer(self, ask: Callable[[WeightSolver], Sequence[int]], statement: Statement, total: int) -> Sequence[int]:
        try:
            return ask(WeightSolver(statement, total, self.clock))
        except NoAnswer as error:
            raise OutOfTime from error

    # All distributions, total by total

    def _totals(self, most: int | None, last: int | None = None) -> None:
        """Look at all distributions of one total after the other; at about `most` together, up to the total `last`."""
        ends = [end for end in (last, self.max_total, _LARGEST) if end is not None]
        for total in range(self.result.totals + 1, min(ends) + 1):
            if most is not None and self._work + self._expected(total) > most:
                return
            least = self._least(total)
            if least is not None:
                self.result.weights, self.result.least = least, True
                return
            self.result.totals = total

    def _expected(self, total: int) -> int:
        """Return what a total will cost, if its distributions cost as much as those of the last one."""
        work, vectors = self._last
        return count(self.target.shape.cells, total) * work // vectors

    def _least(self, total: int) -> Weights | None:
        """Return the least counterexample of a total; go on where the journal says that the search stopped."""
        name = f"{self.target.shape}, total {total}"
        size = count(self.target.shape.cells, total)
        done: dict[str, Any] = self.journal.get(name) or {"next": 0, "best": None, "decided": 0}
        length = shortest = min(self.target.batch, self.budget.piece)  # of a piece of work; nothing else depends on it

        def pieces() -> Iterator[Piece]:
            start = done["next"]
            while start < size:
                stop = min(start + length, size)
                yield Piece(total, start, stop, done["best"] and done["best"][0])
                start = stop

        def progress() -> str:
            return f"{name}: {done['next']:,} of {size:,}" + ", counterexample found" * bool(done["best"])

        for piece, outcome in self.pool.run(self.target, pieces()):
            if outcome.seconds < self.budget.seconds / 2:
                length = min(max(length, 2 * (piece.stop - piece.start)), self.target.batch * 64)
            elif outcome.seconds > self.budget.seconds * 2:
                length = max(min(length, (piece.stop - piece.start) // 2), shortest)
            best = min((tuple(b) for b in (done["best"], outcome.best) if b is not None), default=None)
            done = {"next": piece.stop, "best": best, "decided": done["decided"] + outcome.decided}
            self.journal.put(name, done)
            self.clock.tick(progress)
        if self.journal.is_earlier(name):
            self.result.earlier.append(f"total {total}")
        self._last = (size + _ONE * done["decided"], size)
        self._work += self._last[0]
        return None if done["best"] is None else self.target.at(total, done["best"][1])

    # Others

    def _random(self) -> None:
        met, self.result.sampled = self._step("random", self._met)
        if met is None:
            return
        weights = tuple(self._step("descent", lambda: smaller_weights(self.target, tuple(met), self._tick("descent"))))
        totals = range(self.result.totals + 1, sum(weights) + 1)
        if self._work + sum(map(self._expected, totals)) <= self.budget.further:
            self._totals(None, last=sum(weights))
        if self.result.weights is None:
            self.result.weights = weights

    def _met(self) -> tuple[Weights | None, int]:
        tick = self._tick("random distributions")
        met, seen = random_search.sample(self.target, self.seed, tick)
        if met is None and isinstance(self.target, Ground):
            met, more = random_search.climb_hills(self.target, self.seed, tick)
            seen += more
        return met, seen

    def _tick(self, what: str) -> Callable[..., None]:
        return lambda *_: self.clock.tick(lambda: f"{self.target.shape}: {what}")

    def _step(self, name: str, compute: Callable[[], Any]) -> Any:
        """Return what came out of a step, now or before the search was interrupted."""
        step = f"{self.target.shape}, {name}"
        known = self.journal.get(step)
        if known is None:
            known = [compute()]
            self.journal.put(step, known)
        elif self.journal.is_earlier(step) and name != "descent":  # what it leads to was decided again
            self.result.earlier.append(name)
        return known[0]


def described(results: Sequence[ShapeResult], *, stopped: bool = False) -> str:
    """Return what was searched without success."""
    together: dict[str, list[ShapeResult]] = {}
    for result in results:
        together.setdefault(_finding(result), []).append(result)
    parts = [f"{_shapes(listed)} ({finding})" for finding, listed in together.items()]
    return "; ".join(parts + ["stopped at the time limit"] * stopped) or "nothing"


def minimality(results: Sequence[ShapeResult], max_total: int | None, *, least: bool, stopped: bool = False) -> str:
    """Return whether a counterexample, of the shape that was searched last, is the smallest, and how that is known."""
    *before, last = results
    proved = least and all(result.excluded or result.totals == max_total for result in before)
    if proved:
        own = [f"all smaller ones of {last.shape}" + f" ({_journal(last)})" * bool(last.earlier)]
        trusted = ", if the journal is right" * any(result.earlier for result in results)
        return f"proved{trusted}: " + "; ".join([f"nothing smaller in {described(before)}"] * bool(before) + own)
    return f"reached: searched {described(results, stopped=stopped)}"


def _finding(result: ShapeResult) -> str:
    if not result.excluded and not result.totals and not result.sampled:
        return f"not searched: {result.note}" if result.note else "not searched"
    if result.excluded:
        searched = [result.excluded]
    else:
        sampled = [f"{result.sampled:,} others at random"] * (result.sampled > 0)
        searched = [f"totals up to {result.totals}", *sampled, *[result.note] * bool(result.note)]
    return ", ".join(searched) + f"; {_journal(result)}" * bool(result.earlier)


def _journal(result: ShapeResult) -> str:
    """Name what was not searched again."""
    totals = [step for step in result.earlier if step.startswith("total ")]
    others = [step for step in result.earlier if step not in totals]
    upto = [totals[-1].replace("total ", "totals up to ")] if totals else []
    return f"of an earlier run, as the journal says: {', '.join(dict.fromkeys(upto + others))}"


def _shapes(results: Iterable[ShapeResult]) -> str:
    """Name shapes, those with the same numbers of classes together."""
    classes: dict[tuple[int, ...], list[int]] = {}
    for result in results:
        classes.setdefault(result.shape.cardinalities, []).append(result.shape.classes)
    together: dict[tuple[int, ...], list[str]] = {}
    for cardinalities, numbers in classes.items():
        together.setdefault(tuple(numbers), []).append(" x ".join(map(str, cardinalities)) or "1")
    return ", ".join(
        f"{_listed(sizes, 'and')} states with {_listed(map(str, numbers), 'or')} classes"
        for numbers, sizes in together.items()
    )


def _listed(items: Iterable[str], link: str) -> str:
    *first, last = items
    return f"{', '.join(first)} {link} {last}" if first else last
