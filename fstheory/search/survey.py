"""One shape searched: all distributions by increasing total, the solver, random ones; what was found, how surely."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, TypeVar

from fstheory.logic import Shape, Statement
from fstheory.search import climb, sample
from fstheory.search.answers import NoAnswer
from fstheory.search.clock import Clock, OutOfTime
from fstheory.search.crew import Crew
from fstheory.search.enumerate import count
from fstheory.search.journal import Journal
from fstheory.search.least import WeightSolver, is_linear, solver_version
from fstheory.search.levels import search_level
from fstheory.search.minimize import smaller_weights
from fstheory.search.target import Ground, Target, Weights

__all__ = ["Found", "Options", "Survey", "Surveyor"]

_QUICK = 300_000  # what is worth looking at before the solver is asked
_USUAL = 3_000_000  # what is looked at where the solver cannot help and no largest total is given
_FURTHER = 30_000_000  # what is worth looking at to be sure that a counterexample that was met is the least
_ONE = 1000  # so many distributions decided together cost as much as one decided on its own
_ENUMERATED = 20_000_000  # what is looked at before the solver is asked for the least counterexample
_LARGEST = 1000  # totals that are enumerated
_RESOURCES = 60_000_000  # of the solver, for one shape among several: some seconds, the same on every machine

Answer = TypeVar("Answer")


@dataclass(frozen=True, slots=True)
class Found:
    """A counterexample.

    Attributes
    ----------
    weights : tuple of int
    least : bool
        Whether it is known to be the least of its shape.
    """

    weights: Weights
    least: bool


@dataclass(slots=True)
class Survey:
    """What is known about one shape.

    Attributes
    ----------
    shape : Shape
    excluded : str
        Why there is no counterexample of any total, if that is known.
    totals : int
        All distributions up to this total were looked at.
    sampled : int
        How many others were.
    found : Found or None
    note : str
        What else a reader should know.
    earlier : list of str
        The steps that were not done again, since the journal says that an earlier run did them.
    """

    shape: Shape
    excluded: str = ""
    totals: int = 0
    sampled: int = 0
    found: Found | None = None
    note: str = ""
    earlier: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Options:
    """What a survey is given.

    Attributes
    ----------
    max_total : int or None
        The largest total that is of interest.
    seed : int
    alone : bool
        Whether this is the only shape, so that the solver need not leave time for others.
    """

    max_total: int | None
    seed: int
    alone: bool


@dataclass(slots=True)
class Surveyor:
    """The search of one shape, with the state that it is in."""

    target: Target
    crew: Crew
    journal: Journal
    clock: Clock
    options: Options
    survey: Survey = field(init=False)
    _work: int = 0
    _last: tuple[int, int] = (1, 1)  # what the last total cost, and how many distributions have it

    def __post_init__(self) -> None:
        self.survey = Survey(self.target.shape)

    def run(self) -> Survey:
        """Search until something is found, or there is nothing more to do."""
        statement = self.target.statement if isinstance(self.target, Ground) else None
        if statement is not None and not statement.show:
            self.survey.excluded = "the claim has no instances"
        elif statement is None or not is_linear(statement):
            self._without_solver()
        elif solver_version():
            self._linear(statement)
        else:
            self.survey.note = "Z3 is not installed"
            self._without_solver()
        return self.survey

    def _linear(self, statement: Statement) -> None:
        self._totals(_QUICK)
        if self.survey.found:
            return
        some = self._step("solver", lambda: self._some(statement))
        if some is None:
            self.survey.note = "Z3 gave no answer"
            self._without_solver()
        elif not some:
            self.survey.excluded = f"all totals, by {solver_version()}"
        else:
            self._totals(_ENUMERATED)
            if not self.survey.found:
                self._least_of_all(statement, _total(some))

    def _without_solver(self) -> None:
        self._totals(None if self.options.max_total else _USUAL)
        if not self.survey.found and not self.options.max_total:
            self._random()

    # The solver

    def _some(self, statement: Statement) -> list[int] | None:
        """Ask for a counterexample: return [] if there is none of any total, None without an answer."""
        solver = WeightSolver(statement, None, self.clock, None if self.options.alone else _RESOURCES)
        try:
            return solver.found() if solver.check() else []
        except NoAnswer:
            self._tick("solver")()  # is it the time limit?
            return None

    def _least_of_all(self, statement: Statement, high: int) -> None:
        """Let the solver find the least counterexample; there is one of the total `high`."""
        low = self.survey.totals
        while low + 1 < high and (self.options.max_total is None or low < self.options.max_total):
            self._tick(f"totals {low + 1} to {high}, solver")()
            middle = min(max(2 * low, 1), (low + high) // 2)
            some = self._step(f"totals up to {middle}", partial(self._some_up_to, statement, middle))
            if some:
                high = _total(some)
            else:
                self.survey.totals = low = middle
        if self.options.max_total is not None and high > self.options.max_total:
            self.survey.totals = self.options.max_total
            return
        weights = self._step(f"least of total {high}", lambda: self._answer(WeightSolver.least, statement, high))
        self.survey.found = Found(tuple(weights), True)

    def _some_up_to(self, statement: Statement, most: int) -> list[int]:
        """Return some counterexample whose total is not above a bound; [] if there is none."""
        return self._answer(lambda s: s.found() if s.check(s.total <= most) else [], statement, 0)

    def _answer(self, ask: Callable[[WeightSolver], Answer], statement: Statement, total: int) -> Answer:
        try:
            return ask(WeightSolver(statement, total, self.clock))
        except NoAnswer as error:
            raise OutOfTime from error

    # All distributions, total by total

    def _totals(self, most: int | None, last: int | None = None) -> None:
        """Look at all distributions of one total after the other; at about `most` together, up to the total `last`."""
        ends = [end for end in (last, self.options.max_total, _LARGEST) if end is not None]
        for total in range(self.survey.totals + 1, min(ends) + 1):
            if most is not None and self._work + self._expected(total) > most:
                return
            least = self._least(total)
            if least is not None:
                self.survey.found = Found(least, True)
                return
            self.survey.totals = total

    def _expected(self, total: int) -> int:
        """Return what a total will cost, if its distributions cost as much as those of the last one."""
        work, vectors = self._last
        return count(self.target.shape.cells, total) * work // vectors

    def _least(self, total: int) -> Weights | None:
        vectors = count(self.target.shape.cells, total)
        level = search_level(self.target, total, self.crew, self.journal, self.clock)
        self._last = (vectors + _ONE * level.decided, vectors)
        self._work += self._last[0]
        if level.earlier:
            self.survey.earlier.append(f"total {total}")
        return level.least

    # Others

    def _random(self) -> None:
        met, self.survey.sampled = self._step("random", self._met)
        if met is None:
            return
        weights = tuple(self._step("descent", lambda: smaller_weights(self.target, tuple(met), self._tick("descent"))))
        totals = range(self.survey.totals + 1, sum(weights) + 1)
        if self._work + sum(map(self._expected, totals)) <= _FURTHER:
            self._totals(None, last=sum(weights))
        if self.survey.found is None:
            self.survey.found = Found(weights, least=False)

    def _met(self) -> tuple[Weights | None, int]:
        seed, tick = self.options.seed, self._tick("random distributions")
        met, seen = sample.sampled(self.target, seed, tick)
        if met is None and isinstance(self.target, Ground):
            met, more = climb.climbed(self.target, seed, tick)
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
            self.survey.earlier.append(name)
        return known[0]


def _total(weights: Sequence[int]) -> int:
    return sum(weights) // math.gcd(*weights)
