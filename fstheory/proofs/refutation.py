"""`refute`: the smallest distribution at which a claim is false."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import nullcontext, suppress
from dataclasses import asdict, dataclass, field, replace
from fractions import Fraction
from functools import partial
from typing import Any

from fstheory._support.code import code_text
from fstheory._support.exact import as_index, integers_over, to_text
from fstheory._support.journal import Journal, Resume, digest
from fstheory._support.progress import Clock, OutOfTime, Progress
from fstheory._support.work import Crew, Workers
from fstheory.checker.certificates import check_certificate
from fstheory.checker.reading import MAX_STEPS
from fstheory.checker.statement import CRITERIA, walk
from fstheory.distributions.joint import JointDistribution
from fstheory.errors import (
    CertificateError,
    ClaimError,
    InvalidTypeError,
    NotLinearError,
    TooLargeError,
    UnknownNameError,
    require,
)
from fstheory.logic.certificate import Certificate
from fstheory.logic.claims import Claim, code_of
from fstheory.logic.entry import Entry
from fstheory.logic.every_size import EverySize
from fstheory.logic.expressions import FALSE, Node, conjunction, negation
from fstheory.logic.ledger import find_claim
from fstheory.logic.statement import Instance, Shape, Statement, canonical_text, premise_of
from fstheory.logic.verdict import VACUOUS, NotRefuted, Proved, Refuted, Undecided
from fstheory.proofs import descent, enumeration
from fstheory.proofs.descent import (
    Searched,
    ShapeRange,
    lighter_weights,
    positive_versions,
    searched_before,
    size_of_shape,
    smaller_shape,
    smaller_weights,
)
from fstheory.proofs.enumeration import Budget, FormulaTarget, Weights, lowest
from fstheory.proofs.every_size.constructions import (
    FEW_EQUAL,
    asks_for_irrational,
    constructions,
    of_equal_classes,
    with_classes_exchanged,
)
from fstheory.proofs.every_size.envelopes import nearly_equal
from fstheory.proofs.every_size.evidence import evidence_of
from fstheory.proofs.every_size.search import GAVE_UP, decided
from fstheory.proofs.every_size.unknowns import EverySizeUnknowns, Values
from fstheory.proofs.linear import Unknowns
from fstheory.proofs.solvers import NoAnswer, Solver, WeightSolver, is_linear, solver_version

# -- The journal of a search.


def identify(journal: Journal, step: str, fingerprint: Callable[[], str]) -> None:
    """Write the fingerprint of a step into the journal, or compare it with the one there.

    If the two differ, the journal belongs to another claim, and an error is raised.
    """
    if journal.is_kept:
        here = fingerprint()
        if journal.get(step) is None:
            journal.put(step, here)
        elif journal.get(step) != here:
            raise journal.another("the claim was changed")


def fingerprint(statement: Statement) -> str:
    """Return the fingerprint of a ground statement."""
    parts = (sorted(map(canonical_text, part)) for part in (statement.assumed, statement.shown))
    return digest("\n\n".join(map("\n".join, parts)))


def fingerprint_of_code(claim: Claim) -> str:
    """Return the fingerprint of the functions of a claim and of its assumptions, computed from their bytecode."""
    bodies = (code_of(part.body) for part in (claim, *claim.assumptions))
    return digest("|".join("" if code is None else code_text(code) for code in bodies))


# -- The search of one shape: all distributions by increasing total, then the solver, then random distributions.


_ONE = 1000  # deciding this many distributions together costs as much as deciding one on its own
_LARGEST = 1000  # the largest total whose distributions are enumerated


@dataclass(slots=True)
class ShapeResult:
    """The result of the search of one shape."""

    shape: Shape
    excluded: str = ""  # why there is no counterexample of any total, if that is known
    totals: int = 0  # all distributions up to this total were examined
    sampled: int = 0  # the number of random distributions that were examined
    weights: Weights | None = None  # a counterexample
    least: bool = False  # whether it is known to be the least of the shape
    note: str = ""  # what else a reader should know


class ShapeSearch:
    """The search of one shape, with its present state."""

    def __init__(self, target: enumeration.Target, search: _Search, *, alone: bool) -> None:
        self.target = target
        self.crew, self.journal, self.clock = search.crew, search.journal, search.clock
        self.max_total, self.seed, self.budget = search.max_total, search.seed, search.budget
        self.effort = None if alone else self.budget.effort  # the solver need not leave time for other shapes
        self.result = ShapeResult(target.shape)
        self._work = 0
        self._last = (1, 1)  # what the last total cost, and how many distributions have it

    def run(self) -> None:
        """Search until a counterexample is found or no work is left."""
        statement = self.target.statement if isinstance(self.target, FormulaTarget) else None
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
        some = self._step("solver", lambda: self._some(statement, conjunction(*statement.shown)))
        if some is None:
            self.result.note = "Z3 gave no answer"
            self._without_solver()
        elif not some:
            self.result.excluded = f"all totals, by {solver_version()}"
            never = negation(premise_of(("and", *statement.shown)))
            supposed = statement.assume or never != FALSE
            if supposed and self._step("premise", lambda: self._some(statement, never)) == []:
                self.result.excluded += f"; {VACUOUS}"
        else:
            self._totals(self.budget.enumerated)
            if not self.result.weights and self.budget.least:
                self._least_of_all(statement, sum(lowest(some)))
            elif not self.result.weights:
                self.result.weights = lowest(some)  # if there is no time to make it smaller
                self.result.weights = smaller_weights(self.target, lowest(some), self._tick("descent"))

    def _without_solver(self) -> None:
        self._totals(None if self.max_total else self.budget.usual)
        if not self.result.weights and not self.max_total:
            self._random()

    # The solver

    def _some(self, statement: Statement, shown: Node) -> list[int] | None:
        """Ask the solver for a distribution that satisfies what a statement assumes, and violates a formula.

        Return [] if there is none of any total, and None if it has no answer.
        """
        solver = Solver(Unknowns(statement.shape))
        try:
            point = solver.counterexample(statement.assumed, shown, self.clock, self.effort)
        except NoAnswer:
            self._tick("solver")()  # raises OutOfTime if the time limit is the reason
            return None
        return [] if point is None else list(lowest(integers_over(point)[0]))

    def _least_of_all(self, statement: Statement, high: int) -> None:
        """Find the least counterexample with the solver. A counterexample of the total `high` is known."""
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
        """Examine all distributions, one total after another, up to the total `last`.

        Stop before a total that would bring the cost of all totals above `most`.
        """
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
        """Return the expected cost of a total, if its distributions cost as much as those of the last total."""
        return enumeration.count(self.target.shape.cells, total) * self._last[0] // self._last[1]

    def _least(self, total: int) -> Weights | None:
        """Return the least counterexample of a total, or None. Resume an interrupted search from the journal."""
        name = f"{self.target.shape}, total {total}"
        size = enumeration.count(self.target.shape.cells, total)
        done: dict[str, Any] = self.journal.get(name) or {"next": 0, "best": None, "decided": 0}
        length = shortest = min(self.target.batch, self.budget.piece)  # the size of a piece of work, not of the answer

        def pieces() -> Iterator[enumeration.Piece]:
            start = done["next"]
            while start < size:
                stop = min(start + length, size)
                yield enumeration.Piece(total, start, stop, done["best"] and done["best"][0])
                start = stop

        for outcome in self.crew.map(self.target.search, pieces()):
            piece = outcome.piece
            if outcome.seconds < self.budget.seconds / 2:
                length = min(max(length, 2 * (piece.stop - piece.start)), self.target.batch * 64)
            elif outcome.seconds > self.budget.seconds * 2:
                length = max(min(length, (piece.stop - piece.start) // 2), shortest)
            best = min((tuple(b) for b in (done["best"], outcome.best) if b is not None), default=None)
            done = {"next": piece.stop, "best": best, "decided": done["decided"] + outcome.decided}
            self.journal.put(name, done)
            what = "distributions" + ", counterexample found" * bool(done["best"])
            self.clock.count(done["next"], size, what, f"{name}: ")
        self._last = (size + _ONE * done["decided"], size)
        self._work += self._last[0]
        return None if done["best"] is None else self.target.at(total, done["best"][1])

    # Others

    def _random(self) -> None:
        met, self.result.sampled = self._step("random", self._met)
        if met is None:
            return
        self.result.weights = tuple(met)  # if there is no time to make it smaller
        weights = tuple(self._step("descent", lambda: smaller_weights(self.target, tuple(met), self._tick("descent"))))
        self.result.weights = weights
        totals = range(self.result.totals + 1, sum(weights) + 1)
        if self._work + sum(map(self._expected, totals)) <= self.budget.further:
            self._totals(None, last=sum(weights))

    def _met(self) -> tuple[Weights | None, int]:
        if known := self.target.first(descent.from_gallery(self.target.shape)):
            return known, 0
        tick = self._tick("random distributions")
        met, seen = descent.sample(self.target, self.seed, tick)
        if met is None and isinstance(self.target, FormulaTarget):
            met, more = descent.climb_hills(self.target, self.seed, tick)
            seen += more
        return met, seen

    def _tick(self, what: str) -> Callable[..., None]:
        return lambda *_: self.clock.tick(lambda: f"{self.target.shape}: {what}")

    def _step(self, name: str, compute: Callable[[], Any]) -> Any:
        """Return the outcome of a step: computed now, or read from the journal of an interrupted search."""
        step = f"{self.target.shape}, {name}"
        known = self.journal.get(step)
        if known is None:
            known = [compute()]
            self.journal.put(step, known)
        return known[0]


def described(results: Sequence[ShapeResult], *, stopped: bool = False) -> str:
    """Return a description of the shapes that were searched without success."""
    together: dict[str, list[ShapeResult]] = {}
    for result in results:
        together.setdefault(_finding(result), []).append(result)
    parts = [f"{_shapes(listed)} ({finding})" for finding, listed in together.items()]
    return "; ".join(parts + ["stopped at the time limit"] * stopped) or "nothing"


def minimality(results: Sequence[ShapeResult], max_total: int | None, *, least: bool, stopped: bool = False) -> str:
    """Return the text that says whether a counterexample of the last shape is the smallest, and how that is known."""
    *before, last = results
    if least and all(result.excluded or result.totals == max_total for result in before):
        nothing = [f"nothing smaller in {described(before)}"] * bool(before)
        return "proved: " + "; ".join([*nothing, f"all smaller ones of {last.shape}"])
    return f"reached: searched {described(results, stopped=stopped)}"


def _finding(result: ShapeResult) -> str:
    if not result.excluded and not result.totals and not result.sampled:
        return f"not searched: {result.note}" if result.note else "not searched"
    if result.excluded:
        searched = [result.excluded]
    else:
        sampled = [f"{result.sampled:,} others at random"] * (result.sampled > 0)
        searched = [f"totals up to {result.totals}", *sampled, *[result.note] * bool(result.note)]
    return ", ".join(searched)


def _shapes(results: Iterable[ShapeResult]) -> str:
    """Return the names of shapes. Shapes with the same numbers of classes are named together."""

    def listed(items: Iterable[str], link: str) -> str:
        *first, last = items
        return f"{', '.join(first)} {link} {last}" if first else last

    classes: dict[tuple[int, ...], list[int]] = {}
    for result in results:
        classes.setdefault(result.shape.cardinalities, []).append(result.shape.classes)
    together: dict[tuple[int, ...], list[str]] = {}
    for cardinalities, numbers in classes.items():
        together.setdefault(tuple(numbers), []).append(" x ".join(map(str, cardinalities)) or "1")
    return ", ".join(
        f"{listed(sizes, 'and')} states with {listed(map(str, numbers), 'or')} classes"
        for numbers, sizes in together.items()
    )


# -- `refute`: the smallest distribution at which a claim is false.


def refute(
    claim: Claim | Entry | str,
    *,
    cardinalities: Iterable[int] | None = None,
    features: int | None = None,
    classes: int | None = None,
    without: str | Claim | Iterable[str | Claim] = (),
    max_features: int = 3,
    max_cardinality: int = 3,
    max_classes: int = 3,
    max_total: int | None = None,
    seed: int = 0,
    resume: Resume = None,
    progress: Progress = None,
    executor: Workers = None,
    time_limit: float | None = None,
) -> Refuted | NotRefuted:
    """Search for the smallest distribution at which a claim is false.

    Use it to disprove a claim, or to see what a counterexample looks like. To prove a claim, use `prove`.

    A distribution is smaller if it has fewer features. Among equals, fewer states of all features together decide, then
    lexicographically smaller cardinalities, fewer classes, a smaller total N of the integer weights, fewer cells above
    0, and lexicographically smaller weights, in this order. So exactly one counterexample is the smallest.

    Parameters
    ----------
    claim : Claim, Entry or str
        The claim, an entry of a ledger, or the id of an entry.
    cardinalities : iterable of int, optional
        The number of states of each feature. If not given, all shapes from one binary feature on are searched.
    features : int, optional
        The number of features, each with any number of states. The claim is then decided as by `prove`, and a short
        search makes the counterexample smaller. `cardinalities` and `resume` must be left out.
    classes : int, optional
        The number of classes. If not given, shapes with 2 classes or more are searched.
    without : str, Claim or iterable of them
        Assumptions that are dropped before the search.
    max_features, max_cardinality, max_classes : int
        The largest shapes that are searched. They matter only for numbers that are not given.
    max_total : int, optional
        The largest total N. All distributions up to it are searched. If not given, the search goes as far as is
        practical.
    seed : int
        The seed of the random distributions. The same seed gives the same answer.
    resume : path-like, optional
        The journal: a file that is written during the search, and read if it exists. A search that was interrupted,
        even killed, continues from it.
    progress : bool or callable, optional
        True shows the progress on a terminal or in a notebook. A function is called with each line of progress.
    executor : int or concurrent.futures.Executor, optional
        The workers: an executor, or a number of processes. The answer does not depend on them.
    time_limit : number, optional
        The number of seconds after which the search stops.

    Returns
    -------
    Refuted
        The verdict with the distribution and its certificate. ``minimality`` begins with "proved" if the range has no
        smaller counterexample: each smaller distribution was examined, or a solver excluded them all. If it begins with
        "reached", a smaller one may exist, and it says what was searched. "constructed" means that the counterexample
        was built for `features`.
    NotRefuted
        The verdict with the range that was searched. It is no proof, and says nothing about larger distributions.

    Raises
    ------
    ClaimError
        The function of the claim fails.
    UnknownNameError
        The ledger has no such id, or the claim has no such assumption.

    Notes
    -----
    If the claim is linear in the probabilities, a solver decides whether a shape has a counterexample at all. All
    distributions of small totals are examined, up to renaming. Then the search tries small distributions of the
    gallery and random ones. Some of the random ones factor along acyclic graphs, so that they have independences, and
    some climb uphill on the slack of the claim. A counterexample that is found in this way is made smaller step by
    step. Every comparison that decides is exact. A claim that names X1 and X2 needs two features, so its search begins
    with the shapes that have both.

    Examples
    --------
    >>> from fstheory import claim, refute
    >>> @claim
    ... def useless_alone_is_useless(m, i, S):
    ...     return m.implies(m.risk(i) == m.risk(()), m.risk(S | {i}) == m.risk(S))
    >>> verdict = refute(useless_alone_is_useless)
    >>> verdict.distribution.weights.tolist()  # exclusive or, with a state that never occurs
    [[[0, 0], [0, 1]], [[0, 1], [1, 0]]]
    >>> print(verdict.minimality.partition(":")[0])
    proved
    """
    found, options = find_claim(claim, without), (max_total, seed)
    shapes = ShapeRange(cardinalities, classes, max_features, max_cardinality, max_classes)  # type: ignore[arg-type]
    with Clock(time_limit, progress) as clock:
        if features is None:
            return search(found, shapes, clock, *options, resume=resume, executor=executor)
        alone = cardinalities is None and resume is None
        require(alone, "features", "given without cardinalities and resume", features, "leave the others out")
        verdict = decide(found, size := EverySize(features, classes), clock, shapes, executor, *options)
        if isinstance(verdict, Refuted):
            return verdict
        searched = verdict.reason if isinstance(verdict, Undecided) else "and there is none: it is proved"
        return NotRefuted(found.title, f"{size}, {searched}")


def search(
    claim: Claim,
    shapes: ShapeRange,
    clock: Clock | None = None,
    max_total: int | None = None,
    seed: int = 0,
    *,
    resume: Resume | Journal = None,
    executor: Workers = None,
    budget: Budget = enumeration.BUDGET,
) -> Refuted | NotRefuted:
    """Search as `refute` does, within a budget. The journal is its own or that of another computation."""
    if max_total is not None:
        repair = "leave it out to search as far as is practical"
        max_total = as_index(max_total, "max_total", at_least=1, at_most=_LARGEST, repair=repair)
    seed = as_index(seed, "seed")
    identity = {"claim": claim.title, "seed": seed, **asdict(shapes), "max_total": max_total}
    kept = nullcontext(resume) if isinstance(resume, Journal) else Journal(resume, "search", identity)
    clock = clock or Clock(None, None)
    with kept as journal, Crew(executor, budget.start_after) as crew:
        return _Search(claim, shapes, crew, journal, clock, max_total, seed, budget).run()


@dataclass(slots=True)
class _Search:
    """The search of a range of shapes."""

    claim: Claim
    range: ShapeRange
    crew: Crew
    journal: Journal
    clock: Clock
    max_total: int | None
    seed: int
    budget: Budget
    results: dict[Shape, ShapeResult] = field(default_factory=dict)
    stopped: bool = False

    def run(self) -> Refuted | NotRefuted:
        shapes = list(self.range.shapes())
        searched: Searched = {}
        most = max((len(shape.features) for shape in shapes), default=0)
        for shape in shapes:
            try:
                target = self._target(shape)
                renamed = searched_before(target.statement, searched) if isinstance(target, FormulaTarget) else None
            except OutOfTime:
                self.stopped = True
                break
            except ClaimError as error:
                if not isinstance(error.__cause__, UnknownNameError) or len(shape.features) == most:
                    raise
                continue  # the claim names a feature that larger shapes have
            except TooLargeError:
                if len(shapes) == 1:
                    raise
                self.results[shape] = ShapeResult(shape, note="the claim has too many instances")
                continue
            if renamed is not None:  # the same search, which was not successful
                self.results[shape] = replace(self.results[renamed], shape=shape)
                continue
            here = ShapeSearch(target, self, alone=len(shapes) == 1)
            self.results[shape] = here.result
            try:
                here.run()
            except OutOfTime:
                self.stopped = True
            if here.result.weights is not None:
                return self._refuted(shape, here.result.weights, least=here.result.least)
            if self.stopped:
                break
        return NotRefuted(self.claim.title, described(list(self.results.values()), stopped=self.stopped))

    def _target(self, shape: Shape) -> enumeration.Target:
        step = f"{shape}, claim"
        try:
            statement = self.claim.statement(shape)
        except NotLinearError:  # the claim uses the distribution itself
            identify(self.journal, step, lambda: fingerprint_of_code(self.claim))
            return enumeration.FunctionTarget(self.claim, shape)
        identify(self.journal, step, lambda: fingerprint(statement))
        if any(instance.parameters for instance in statement.show):
            return enumeration.FunctionTarget(self.claim, shape)
        return FormulaTarget(statement, batch=self.budget.batch)

    def _refuted(self, shape: Shape, weights: Weights, *, least: bool) -> Refuted:
        found_by = (
            f"{shape}, {step}" for step in (f"total {sum(weights)}", f"least of total {sum(weights)}", "descent")
        )
        earlier = next(filter(self.journal.is_earlier, found_by), None)
        if not least:
            shape, weights = self._descended(shape, weights)
        d = shape.distribution(weights)
        with Clock(None, None):  # also after the time limit
            checked = self.claim.check(d)
        if not isinstance(checked, Refuted):
            if earlier is not None:
                raise self.journal.refusal(f"what it says of {earlier!r} is no counterexample")
            raise AssertionError(f"the search and the evaluation disagree at {d!r}")
        results = list(self.results.values())
        how = minimality(results, self.max_total, least=least, stopped=self.stopped)
        return replace(checked, minimality=how + self.claim.coincidence(checked.where))

    def _descended(self, shape: Shape, weights: Weights) -> tuple[Shape, Weights]:
        """Make a counterexample smaller by steps to smaller shapes, as long as each step gives a counterexample."""
        allowed = {known for known in self.results if size_of_shape(known) < size_of_shape(shape)}

        def tick() -> None:
            self.clock.tick(lambda: f"{shape}: descent to smaller shapes")

        def target(smaller: Shape) -> enumeration.Target | None:
            tick()
            return self._target(smaller) if smaller in allowed else None

        with suppress(OutOfTime):
            while step := smaller_shape(shape, weights, target):
                shape, weights = step
                weights = smaller_weights(self._target(shape), weights, tick)
        return shape, weights


# -- For every number of states: a proof, or a distribution that is constructed from risks, or a smaller one.


NEARBY = Budget(quick=20_000, usual=50_000, further=50_000, enumerated=100_000, effort=5_000_000, least=False)


class _SoManyFeatures(ShapeRange):
    """The shapes of a range that have the largest number of features in it, and at most 64 cells."""

    def shapes(self) -> Iterator[Shape]:
        every = super().shapes()
        return (shape for shape in every if len(shape.cardinalities) == self.max_features and shape.cells <= 64)


def decide(
    claim: Claim,
    size: EverySize,
    clock: Clock,
    shapes: ShapeRange,
    executor: Workers,
    *options: Any,
    alone: bool = False,
) -> Proved | Refuted | Undecided:
    """Prove a claim for every number of states, or refute it by the smallest distribution that a short search finds.

    If neither succeeds, the verdict is `Undecided` and says what was tried. If `alone`, the evidence of a proof is not
    about other numbers of features.
    """
    try:
        statement = claim.statement(size, exchange=True)
    except OutOfTime:
        return Undecided(claim.title, size, _TIMED_OUT)
    try:
        with Crew(executor) as crew:
            found = decided(statement, clock, crew)
        if isinstance(found, Certificate):
            return Proved(claim.title, size, evidence_of(claim, statement, found, clock, alone=alone), found)
    except GAVE_UP as error:
        return Undecided(claim.title, size, str(error) or _TIMED_OUT)
    refuted, reason = _constructed(claim, statement, found[1], clock)
    classes, others = size.classes, {kind for kind, _ in found[1]} & {*CRITERIA}
    if refuted is not None and others:  # for these criteria, the formulas for one shape are long
        return _made_smaller(claim, statement, refuted, clock)
    if refuted is not None and ("H", 1) not in found[1]:  # with fewer classes the claim is a theorem
        classes = len(refuted.distribution.classes)
    nearby = _SoManyFeatures(None, classes, size.number, shapes.max_cardinality, shapes.max_classes)

    def look(said: Claim) -> Refuted | NotRefuted:
        return search(said, nearby, clock, *options, executor=executor, budget=NEARBY)

    try:
        refuted, other = _nearby(claim, statement, look, refuted, clock)
    except ClaimError as error:
        other, reason = None, reason or _inexact(error)
    if isinstance(other, Refuted) and (refuted is None or _size(other.distribution) <= _size(refuted.distribution)):
        return other
    if refuted is None and not _need_many_classes(found[1], size.classes):  # or else they have been tried
        refuted = _of_equal_classes(claim, statement.shape, clock)
    if refuted is not None:
        return _made_smaller(claim, statement, refuted, clock)
    if isinstance(other, NotRefuted) and not reason:
        with Clock(None, None):  # also after the time limit
            reason = _why_undecided(statement, found, other)
    return Undecided(claim.title, size, reason)


def _constructed(claim: Claim, statement: Statement, values: Values, clock: Clock) -> tuple[Refuted | None, str]:
    """Return a refutation by a constructed distribution and an empty text, or None and the reason."""
    if _need_many_classes(values, statement.shape.classes):  # what is constructed from them takes long
        refuted = _of_equal_classes(claim, statement.shape, clock)
        if refuted is not None:
            return refuted, ""
    some = constructions(statement, values, clock)
    if statement.shape.classes == 2:  # the claim may speak of the probability of one class
        some = with_classes_exchanged(some)
    refuted, reason = first_refuted(claim, some, clock)
    if refuted is not None and refuted.distribution.weights.size > _SMALL:
        refuted = _of_equal_classes(claim, statement.shape, clock, refuted)
    return refuted, reason


def _need_many_classes(values: Values, classes: int | None) -> bool:
    """Return whether the number of classes is open, and a risk or an impurity is above its maximum for 16 classes."""
    largest = max((value for (kind, _), value in values.items() if kind in {"R", "G"}), default=Fraction(0))
    return classes is None and largest > 1 - Fraction(1, 16)


def _of_equal_classes(claim: Claim, size: Shape, clock: Clock, known: Refuted | None = None) -> Refuted | None:
    """Return the smaller of a known refutation and one by few equally likely classes, or None if there is neither.

    The numbers 2 to 8 are tried in turn, then 16, 32, .., 256. If one of these larger numbers refutes the claim, a
    bisection looks for a smaller one, which need not be the smallest. If the time ends, what was found so far counts.
    """

    def refuted(k: int) -> Refuted | None:
        some = sorted(of_equal_classes(len(size.features), k, size.classes), key=_size)
        return first_refuted(claim, some, clock)[0]

    fewer, found = 1, None  # `fewer` classes are not enough
    with suppress(OutOfTime):
        for k in dict.fromkeys(min(k, size.classes or k) for k in (*range(2, FEW_EQUAL + 1), *_MANY_EQUAL)):
            if (found := refuted(k)) is not None:
                enough = bisect_left(range(k), True, lo=min(fewer + 1, k), key=lambda some: refuted(some) is not None)
                found = refuted(enough)
                break
            fewer = k
    both = [one for one in (known, found) if one is not None]
    return min(both, key=lambda one: _size(one.distribution), default=None)


def _nearby(
    claim: Claim,
    statement: Statement,
    look: Callable[[Claim], Refuted | NotRefuted],
    refuted: Refuted | None,
    clock: Clock,
) -> tuple[Refuted | None, Refuted | NotRefuted]:
    """Return a refutation that is known, and the result of a search for a small counterexample.

    The known refutation is the given one. If there is none and the claim assumes p(x) > 0, the search first drops this
    assumption, and versions of its counterexample with noise are tried.
    """
    if refuted is None and "positive" in statement.by_name:
        other = look(claim.without("positive"))
        if isinstance(other, NotRefuted):  # then the search would not refute the claim either
            return None, other
        refuted, _ = first_refuted(claim, positive_versions(other.distribution), clock)
    return refuted, look(claim)


def _why_undecided(statement: Statement, found: tuple[Instance, Values], searched: NotRefuted) -> str:
    """Return the reason why a claim is undecided: the inequalities and the distributions that were tried in vain."""
    kinds = {kind for kind, _ in found[1]}
    tried = "it does not follow from Shannon's inequalities" + " and that of Zhang and Yeung" * (("H", 15) in found[1])
    tried += ", nor from the bounds of Fano, of Tebbe and Dwyer, and of Pinsker" * ({"R", "H"} <= kinds)
    tried += (
        ", nor from the lines of what is told, gained and left, which are complete for one pair and two classes"
        * ({"R", "H"} <= kinds)
    )
    if kinds & {*CRITERIA} and "H" not in kinds:
        tried = "it does not follow from the facts on these criteria"
        tried += ", which are complete for each alone, and of risk and Gini impurity for one pair and two classes"
    unknowns = EverySizeUnknowns(statement)
    two = unknowns.known.classes == 2
    if two and (p := nearly_equal(unknowns.known, unknowns.compared)) is not None:
        tried += (
            f", nor from tangents, as both sides nearly agree where the rarer class has the probability {to_text(p)}"
        )
    tried += ", no constructed distribution refutes it"
    if len(kinds) == 1 and kinds <= {*CRITERIA} and not statement.by_name:
        tried = "a distribution with real probabilities refutes it, none that was constructed with fractions does"
    irrational = (
        "; what refutes it has a risk or a number equal to an information, and where probabilities are fractions, "
        "as here, both are 0: the one is a fraction, the other 0 or irrational"
    ) * asks_for_irrational(statement, found[0])
    return f"{tried}, and it was not refuted in {searched.searched}{irrational}"


_MANY_EQUAL = 16, 32, 64, 128, 256  # classes that are tried after the few ones
_HEAVY = 10_000  # the largest total of a counterexample with entropies that is made lighter
_SMALL, _LOOKS = 36, 200  # cells of a counterexample that is made smaller, and how many times others are looked at


def _made_smaller(claim: Claim, statement: Statement, refuted: Refuted, clock: Clock) -> Refuted:
    """Return a smaller counterexample, found by a few single steps. If there is none, return the one given.

    The number of features stays, and so does the number of classes if the statement fixes it. The counterexample is
    kept if the claim has parameters, because the search has no values for them. It is also kept if it is so large that
    no step makes it small: a step at most halves the number of cells.
    """
    d, looks, how = refuted.distribution, iter(range(_LOOKS)), "constructed, not minimized"
    if d.weights.size > 2 * _SMALL or any(instance.parameters for instance in statement.show):
        return replace(refuted, minimality=how + claim.coincidence(refuted.where))
    classes = statement.shape.classes or 2
    shape, weights = Shape(d.cardinalities, len(d.classes)), tuple(d.weights.ravel().tolist())

    def target(smaller: Shape) -> enumeration.Target | None:  # whose formulas are not compiled, as they may be long
        tick()
        fits = smaller.cells <= _SMALL and len(smaller.features) == len(d.features) and smaller.classes >= classes
        return enumeration.FunctionTarget(claim, smaller) if fits else None

    def tick() -> None:
        clock.tick(lambda: f"{claim.title}: a smaller counterexample")
        if next(looks, None) is None:
            raise OutOfTime

    with suppress(OutOfTime, TooLargeError, ClaimError):
        while step := smaller_shape(shape, weights, target):
            shape, weights = step
        irrational = any(node[0] == "H" for formula in statement.shown for node in walk(formula))
        light = target(shape) is not None and not (irrational and sum(weights) > _HEAVY)
        last = FormulaTarget(claim.statement(shape)) if light else None
        while last is not None and (lighter := lighter_weights(last, weights, tick)):
            weights = lighter
    with Clock(None, None):  # also after the time limit
        smaller = claim.check(shape.distribution(weights))
    if isinstance(smaller, Refuted) and _size(smaller.distribution) < _size(d):
        refuted, how = smaller, "constructed, then made smaller step by step"
    return replace(refuted, minimality=how + claim.coincidence(refuted.where))


_TIMED_OUT = "the time limit was reached"


def first_refuted(claim: Claim, some: Iterable[JointDistribution], clock: Clock) -> tuple[Refuted | None, str]:
    """Return the first refutation by one of these distributions whose certificate the checker accepts.

    If there is none, return None and the reason. The reason is empty if no distribution refutes the claim.
    """
    reason = ""
    try:
        for d in some:
            clock.tick(lambda: f"{claim.title}: constructed distributions")
            try:
                verdict = claim.check(d)
            except ClaimError as error:
                reason = reason or f"at {d!r}, {_inexact(error)}"
                continue
            if isinstance(verdict, Refuted):
                try:
                    check_certificate(verdict.certificate, max_steps=clock.steps_left(MAX_STEPS))
                except CertificateError as error:
                    reason = f"a counterexample was constructed, whose certificate is beyond the checker: {error}"
                else:
                    return verdict, ""
    except (OutOfTime, TooLargeError, RecursionError) as error:
        return None, str(error) or _TIMED_OUT
    return None, reason


def _inexact(error: ClaimError) -> str:
    """Return why a claim cannot be decided exactly at a distribution. Raise the error if it has another cause."""
    if not isinstance(error.__cause__, InvalidTypeError):
        raise error
    return str(error.__cause__)


def _size(d: JointDistribution) -> tuple[Any, ...]:
    return size_of_shape(Shape(d.cardinalities, len(d.classes))), d.total
