"""`refute`: the smallest distribution at which a claim is false; `needed_assumptions`: which assumptions it needs."""

from __future__ import annotations

import os
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import asdict, dataclass, field, replace
from typing import TypeAlias

from fstheory._clock import Clock, Listener, OutOfTime, Progress
from fstheory._display import Shown
from fstheory._exact import as_index
from fstheory.counterexamples import minimize
from fstheory.counterexamples.journal import SearchJournal, fingerprint, fingerprint_of_code
from fstheory.counterexamples.minimize import ShapeRange, size_of_shape
from fstheory.counterexamples.pool import Pool
from fstheory.counterexamples.shape_search import Conditions, ShapeResult, ShapeSearch, described, minimality
from fstheory.counterexamples.target import BUDGET, Budget, Ground, Opaque, Target, Weights, lowest
from fstheory.errors import InvalidValueError, MissingDependencyError, NotLinearError, TooLargeError, explain
from fstheory.ledger import Entry
from fstheory.logic import Claim, NotRefuted, Proved, Refuted, Shape, Undecided
from fstheory.proofs.prover import find_claim, prove

__all__ = ["needed_assumptions", "refute", "search"]


def refute(
    claim: Claim | Entry | str,
    *,
    cardinalities: Iterable[int] | None = None,
    classes: int | None = None,
    without: str | Claim | Iterable[str | Claim] = (),
    max_features: int = 3,
    max_cardinality: int = 3,
    max_classes: int = 3,
    max_total: int | None = None,
    seed: int = 0,
    resume: str | os.PathLike[str] | None = None,
    progress: Progress = None,
    workers: int = 1,
    time_limit: float | None = None,
) -> Refuted | NotRefuted:
    """Search for the smallest distribution at which a claim is false.

    Smaller means: fewer features; then fewer states of all features together, then lexicographically smaller
    cardinalities; then fewer classes; then a smaller total N of the integer weights; then fewer cells above 0; then
    lexicographically smaller weights. Exactly one distribution is the smallest.

    Parameters
    ----------
    claim : Claim, Entry or str
    cardinalities : iterable of int, optional
        The number of states of each feature. If not given, all shapes from one binary feature on are searched.
    classes : int, optional
        The number of classes; if not given, from 2 on.
    without : str, Claim or iterable of them
        Assumptions that are dropped first.
    max_features, max_cardinality, max_classes : int
        How far the shapes go that are searched if they are not given.
    max_total : int, optional
        The largest total N, all smaller ones being searched. If not given, as many as are practical.
    seed : int
        Of the random distributions; the same seed gives the same answer.
    resume : path-like, optional
        A file that is written while the search goes on, and read if it exists: a search that was interrupted, even
        killed, goes on where it stopped.
    progress : bool or callable, optional
        True shows how far it is, on a terminal or in a notebook; a function is called with each line of that.
    workers : int
        How many processes to use. The answer does not depend on it.
    time_limit : number, optional
        Seconds after which the search stops.

    Returns
    -------
    Refuted
        With the distribution and its certificate. ``minimality`` begins with "proved" if there is no smaller
        counterexample in the range that was asked for: each smaller distribution was looked at, or a solver
        excluded them all. Otherwise it begins with "reached", and says what was searched. What an earlier run
        searched, as the file `resume` says, is named as such: a file can be edited.
    NotRefuted
        With the range that was searched. It says nothing about what is beyond, and is no proof.

    Raises
    ------
    ClaimError, UnknownNameError
        The function of the claim fails; the ledger has no such id, or the claim no such assumption.

    Notes
    -----
    Where the claim is linear in the probabilities, Z3 decides whether a shape has a counterexample at all, and the
    smallest one is found by looking at all distributions of total 1, 2, .., up to renaming, millions a second, or by
    the solver where there are too many. Otherwise all distributions of small totals are looked at, then random ones,
    then those that lie uphill on the slack of the claim, and what is met is made smaller step by step. Every
    comparison that counts is exact.

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
    shapes = ShapeRange(cardinalities, classes, max_features, max_cardinality, max_classes)  # type: ignore[arg-type]
    with Clock(time_limit, progress) as clock:
        return search(find_claim(claim, without), shapes, clock, max_total, seed, resume=resume, workers=workers)


def search(
    claim: Claim,
    shapes: ShapeRange,
    clock: Clock | None = None,
    max_total: int | None = None,
    seed: int = 0,
    *,
    resume: str | os.PathLike[str] | None = None,
    workers: int = 1,
    budget: Budget = BUDGET,
) -> Refuted | NotRefuted:
    """Do what `refute` does, within a budget."""
    if max_total is not None and as_index(max_total, "max_total", at_least=1) > 1000:
        repair = "leave it out to search as far as is practical"
        raise InvalidValueError(explain("max_total", "at most 1000", max_total, repair))
    as_index(seed, "seed")
    as_index(workers, "workers", at_least=1)
    identity = {"claim": claim.title, "seed": seed, **asdict(shapes), "max_total": max_total}
    clock = clock or Clock(None, None)
    with SearchJournal(resume, identity, budget.saved) as journal, Pool(workers, budget.worth) as pool:
        return _Search(claim, shapes, Conditions(pool, journal, clock, max_total, seed, budget)).run()


@dataclass(slots=True)
class _Search:
    """The search of a range of shapes."""

    claim: Claim
    range: ShapeRange
    conditions: Conditions
    results: dict[Shape, ShapeResult] = field(default_factory=dict)
    stopped: bool = False

    def run(self) -> Refuted | NotRefuted:
        shapes = list(self.range.shapes())
        self._check_journal(shapes)
        searched: minimize.Searched = {}
        for shape in shapes:
            try:
                target = self._target(shape)
            except TooLargeError:
                if len(shapes) == 1:
                    raise
                self.results[shape] = ShapeResult(shape, note="the claim has too many instances")
                continue
            renamed = minimize.searched_before(target.statement, searched) if isinstance(target, Ground) else None
            if renamed is not None:  # the same search, which was not successful
                self.results[shape] = replace(self.results[renamed], shape=shape)
                continue
            here = ShapeSearch(target, self.conditions, alone=len(shapes) == 1)
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

    def _check_journal(self, shapes: list[Shape]) -> None:
        journal = self.conditions.journal
        names = journal.shapes()
        for shape in shapes:
            if str(shape) in names and journal.get(f"{shape}, claim") is not None:
                journal.check(self._target(shape))
                names.remove(str(shape))
        if names:
            raise journal.refusal(f"it tells of {min(names)[:40]!r} without the claim")

    def _target(self, shape: Shape) -> Target:
        journal, step = self.conditions.journal, f"{shape}, claim"
        try:
            statement = self.claim.statement(shape)
        except NotLinearError:  # it asks for the distribution itself
            journal.identify(step, lambda: fingerprint_of_code(self.claim))
            return Opaque(self.claim, shape)
        journal.identify(step, lambda: fingerprint(statement))
        return Ground(statement, batch=self.conditions.budget.batch)

    def _refuted(self, shape: Shape, weights: Weights, *, least: bool) -> Refuted:
        if not least:
            shape, weights = self._descended(shape, weights)
        d = self._target(shape).distribution(weights)
        checked = self.claim.check(d)
        if not isinstance(checked, Refuted):
            raise AssertionError(f"the search and the evaluation disagree at {d!r}")
        total, result = sum(lowest(weights)), self.results[shape]
        if result.earlier and (result.excluded or total <= result.totals):
            reason = f"it knows no counterexample of {shape} and total {total}, and there is one"
            raise self.conditions.journal.refusal(reason)
        results, most = list(self.results.values()), self.conditions.max_total
        return replace(checked, minimality=minimality(results, most, least=least, stopped=self.stopped))

    def _descended(self, shape: Shape, weights: Weights) -> tuple[Shape, Weights]:
        """Go to smaller shapes, as far as single steps lead to counterexamples."""
        allowed = {known for known in self.range.shapes() if size_of_shape(known) < size_of_shape(shape)}
        while step := minimize.smaller_shape(shape, weights, lambda s: self._target(s) if s in allowed else None):
            shape, weights = step
            weights = minimize.smaller_weights(self._target(shape), weights, lambda: None)
        return shape, weights


class NeededAssumptions(Shown, dict[str, "Verdict"]):
    """The verdict for each assumption, by its name; see `needed_assumptions`."""

    def __str__(self) -> str:
        return "\n".join(f"{name}: {_FOLLOWS[verdict.status]}; {verdict}" for name, verdict in self.items()) or "none"


Verdict: TypeAlias = "Refuted | Proved | Undecided | NotRefuted"

_FEATURES = 3
_FOLLOWS = {"refuted": "needed", "proved": "not needed", "undecided": "undecided", "not refuted": "undecided"}


def needed_assumptions(
    claim: Claim | Entry | str,
    *,
    cardinalities: Iterable[int] | None = None,
    classes: int = 2,
    max_total: int | None = None,
    seed: int = 0,
    progress: Progress = None,
    workers: int = 1,
    time_limit: float | None = None,
) -> NeededAssumptions:
    """Drop the assumptions of a claim one at a time: for each, a counterexample or a proof without it.

    Parameters
    ----------
    claim : Claim, Entry or str
    cardinalities : iterable of int, optional
        The number of states of each feature. If not given, counterexamples are looked for among one to three binary
        features, and proofs are about three.
    classes : int
    max_total, seed, progress, workers
        As for `refute`.
    time_limit : number, optional
        Seconds for each search and each proof.

    Returns
    -------
    dict from the name of each assumption to a verdict; its text has a line for each
        `Refuted`, by the smallest distribution without it: the assumption is needed. `Proved`: it is not needed, for
        the shape that the verdict names. `Undecided`: neither in time. `NotRefuted`: no counterexample was
        found, and the claim is beyond what can be proved.

    Raises
    ------
    ClaimError, UnknownNameError
        The function of the claim fails, or the ledger has no such id.

    Examples
    --------
    >>> for name, verdict in needed_assumptions("PN-4").items():
    ...     print(name, verdict.status, verdict.distribution.weights.tolist())
    positive refuted [[[0, 0], [0, 1]], [[1, 0], [0, 0]]]
    unique_maximum refuted [[[0, 1], [1, 1]], [[1, 1], [1, 0]]]
    """
    claim = find_claim(claim)
    shapes = ShapeRange(cardinalities, classes, _FEATURES, 2)  # type: ignore[arg-type]
    sizes = shapes.cardinalities or (2,) * _FEATURES
    verdicts = NeededAssumptions()
    with Listener(progress) as tell:
        for assumption in claim.assumptions:
            without = claim.without(assumption)
            with Clock(time_limit, tell) as clock:
                verdict = search(without, shapes, clock, max_total, seed, workers=workers)
            verdicts[assumption.name] = verdict
            if isinstance(verdict, NotRefuted):
                with suppress(NotLinearError, MissingDependencyError):  # then what was searched is all that can be said
                    verdicts[assumption.name] = prove(
                        without, cardinalities=sizes, classes=classes, time_limit=time_limit, progress=tell
                    )
    return verdicts
