"""One shape searched: all distributions by increasing total, the solver, random ones; what was found, how surely."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, TypeVar

from fstheory.counterexamples import random_search
from fstheory.counterexamples.enumerate import count
from fstheory.counterexamples.journal import Journal
from fstheory.counterexamples.minimize import smaller_weights
from fstheory.counterexamples.pool import Crew
from fstheory.counterexamples.solver import WeightSolver, is_linear, solver_version
from fstheory.counterexamples.target import Ground, Outcome, Piece, Target, Weights
from fstheory.logic import Shape, Statement
from fstheory.proofs.solvers import Clock, NoAnswer, OutOfTime

__all__ = ["Found", "Level", "Options", "Survey", "Surveyor", "described", "minimality", "search_level"]

_LEAST = 1 << 12  # distributions in a piece of work
_SECONDS = 0.2  # that one should take


@dataclass(frozen=True, slots=True)
class Level:
    """The result of a level.

    Attributes
    ----------
    least : tuple of int or None
        The weights of the least counterexample.
    decided : int
        How many distributions were decided one at a time; the same in every run that finds nothing.
    earlier : bool
        Whether an earlier run looked at some of them, as the journal says.
    """

    least: Weights | None
    decided: int
    earlier: bool


class _Pace:
    """How large a piece of work should be, so that it takes a fraction of a second. Nothing else depends on it."""

    def __init__(self, batch: int) -> None:
        self.size = self._least = min(batch, _LEAST)
        self._most = batch * 64

    def learn(self, piece: Piece, outcome: Outcome) -> None:
        """Take the time of a piece into account."""
        size = piece.stop - piece.start
        if outcome.seconds < _SECONDS / 2:
            self.size = min(max(self.size, 2 * size), self._most)
        elif outcome.seconds > _SECONDS * 2:
            self.size = max(min(self.size, size // 2), self._least)


def search_level(target: Target, total: int, crew: Crew, journal: Journal, clock: Clock) -> Level:
    """Search all distributions of a total, up to renaming; go on where the journal says that the search stopped."""
    name = f"{target.shape}, total {total}"
    state: dict[str, Any] = journal.get(name) or {"next": 0, "best": None, "decided": 0}
    size = count(target.shape.cells, total)

    def pieces() -> Iterator[Piece]:
        start = state["next"]
        while start < size:
            best = state["best"]
            stop = min(start + pace.size, size)
            yield Piece(total, start, stop, None if best is None else best[0])
            start = stop

    def told() -> str:
        found = ", counterexample found" if state["best"] else ""
        return f"{name}: {state['next']:,} of {size:,}{found}"

    if state["next"] < size:
        pace = _Pace(target.batch)
        for piece, outcome in crew.run(target, pieces()):
            pace.learn(piece, outcome)
            best = min((tuple(b) for b in (state["best"], outcome.best) if b is not None), default=None)
            state = {"next": piece.stop, "best": best, "decided": state["decided"] + outcome.decided}
            journal.put(name, state)
            clock.tick(told)
    best = state["best"]
    return Level(None if best is None else target.at(total, best[1]), state["decided"], journal.is_earlier(name))


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
        met, seen = random_search.sampled(self.target, seed, tick)
        if met is None and isinstance(self.target, Ground):
            met, more = random_search.climbed(self.target, seed, tick)
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


def described(surveys: Sequence[Survey], *, stopped: bool = False) -> str:
    """Return what was searched without success."""
    together: dict[str, list[Survey]] = {}
    for survey in surveys:
        together.setdefault(_finding(survey), []).append(survey)
    parts = [f"{_shapes(listed)} ({finding})" for finding, listed in together.items()]
    return "; ".join(parts + ["stopped at the time limit"] * stopped) or "nothing"


def minimality(surveys: Sequence[Survey], found: Found, max_total: int | None, *, stopped: bool = False) -> str:
    """Return whether a counterexample, of the shape that was searched last, is the smallest, and how that is known."""
    *before, last = surveys
    proved = found.least and all(survey.excluded or survey.totals == max_total for survey in before)
    if proved:
        own = [f"all smaller ones of {last.shape}" + f" ({_journal(last)})" * bool(last.earlier)]
        said = described(before)
        trusted = ", if the journal is right" * any(survey.earlier for survey in surveys)
        return f"proved{trusted}: " + "; ".join([f"nothing smaller in {said}"] * bool(before) + own)
    return f"reached: searched {described(surveys, stopped=stopped)}"


def _finding(survey: Survey) -> str:
    if not survey.excluded and not survey.totals and not survey.sampled:
        return f"not searched: {survey.note}" if survey.note else "not searched"
    if survey.excluded:
        said = [survey.excluded]
    else:
        sampled = [f"{survey.sampled:,} others at random"] * (survey.sampled > 0)
        said = [f"totals up to {survey.totals}", *sampled, *[survey.note] * bool(survey.note)]
    return ", ".join(said) + f"; {_journal(survey)}" * bool(survey.earlier)


def _journal(survey: Survey) -> str:
    """Name what was not searched again."""
    levels = [step for step in survey.earlier if step.startswith("total ")]
    others = [step for step in survey.earlier if step not in levels]
    upto = [levels[-1].replace("total ", "totals up to ")] if levels else []
    return f"of an earlier run, as the journal says: {', '.join(dict.fromkeys(upto + others))}"


def _shapes(surveys: Iterable[Survey]) -> str:
    """Name shapes, those with the same numbers of classes together."""
    classes: dict[tuple[int, ...], list[int]] = {}
    for survey in surveys:
        classes.setdefault(survey.shape.cardinalities, []).append(survey.shape.classes)
    together: dict[tuple[int, ...], list[str]] = {}
    for cardinalities, numbers in classes.items():
        together.setdefault(tuple(numbers), []).append(" x ".join(map(str, cardinalities)) or "1")
    return ", ".join(
        f"{_listed(sizes, 'and')} states with {_listed(map(str, numbers), 'or')} classes"
        for numbers, sizes in together.items()
    )


def _listed(words: Iterable[str], link: str) -> str:
    *first, last = words
    return f"{', '.join(first)} {link} {last}" if first else last
