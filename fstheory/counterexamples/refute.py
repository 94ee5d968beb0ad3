"""`refute`: the smallest distribution at which a claim is false; `needed_assumptions`: which assumptions it needs."""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import TypeAlias

from fstheory._display import Shown
from fstheory._exact import as_index
from fstheory.counterexamples.journal import Journal, fingerprint, fingerprint_of_code
from fstheory.counterexamples.minimize import smaller_shape, smaller_weights
from fstheory.counterexamples.order import Limits, Twins, shapes_within, size_of_shape
from fstheory.counterexamples.pool import Crew
from fstheory.counterexamples.shape_search import Found, Options, Survey, Surveyor, described, minimality
from fstheory.counterexamples.target import Ground, Opaque, Target
from fstheory.errors import MissingDependencyError, NotLinearError, TooLargeError
from fstheory.ledger import Entry
from fstheory.logic import Claim, NotRefuted, Proved, Refuted, Shape, Undecided
from fstheory.proofs.prover import find_claim, prove
from fstheory.proofs.solvers import Clock, OutOfTime

__all__ = ["needed_assumptions", "refute"]


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
    progress: Callable[[str], object] | None = None,
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
    progress : callable, optional
        Called about once a second with a line of text; ``print``, say.
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
    ClaimError
        The function of the claim fails.
    UnknownNameError
        The ledger has no such id, or the claim no such assumption.
    InvalidTypeError, InvalidValueError
        Another argument is not what it should be, or `resume` is the file of another search.
    InvalidFormatError
        `resume` is no file of a search, was changed since it was written, or is contradicted by what is found.
    OutputError
        `resume` cannot be written.

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
    asked = find_claim(claim, without)
    sizes = None if cardinalities is None else Shape(cardinalities).cardinalities  # type: ignore[arg-type]
    limits = Limits(sizes, classes, max_features, max_cardinality, max_classes, max_total)
    as_index(seed, "seed")
    as_index(workers, "workers", at_least=1)
    clock = Clock(time_limit, progress)
    identity = {"claim": asked.title, "seed": seed, **limits.as_json()}
    with Journal(resume, identity) as journal, Crew(workers) as crew:
        return _Search(asked, limits, seed, journal, clock, resume is not None, crew).run()


@dataclass(slots=True)
class _Search:
    """The search of a range of shapes."""

    claim: Claim
    limits: Limits
    seed: int
    journal: Journal
    clock: Clock
    kept: bool
    crew: Crew
    surveys: list[Survey] = field(default_factory=list)
    stopped: bool = False

    def run(self) -> Refuted | NotRefuted:
        shapes = list(shapes_within(self.limits))
        self._check_journal(shapes)
        options = Options(self.limits.max_total, self.seed, len(shapes) == 1)
        twins = Twins()
        for shape in shapes:
            try:
                target = self._target(shape)
            except TooLargeError:
                if options.alone:
                    raise
                self.surveys.append(Survey(shape, note="the claim has too many instances"))
                continue
            twin = twins.find(target.statement) if isinstance(target, Ground) else None
            if twin is not None:  # the same search, which was not successful
                self.surveys.append(replace(next(known for known in self.surveys if known.shape == twin), shape=shape))
                continue
            found = self._survey(target, options)
            if found is not None:
                return self._refuted(shape, found)
            if self.stopped:
                break
        return NotRefuted(self.claim.title, described(self.surveys, stopped=self.stopped))

    def _check_journal(self, shapes: list[Shape]) -> None:
        told = self.journal.shapes()
        for shape in shapes:
            if str(shape) in told and self.journal.get(f"{shape}, claim") is not None:
                self.journal.check(self._target(shape))
                told.remove(str(shape))
        if told:
            raise self.journal.refusal(f"it tells of {min(told)[:40]!r} without the claim")

    def _survey(self, target: Target, options: Options) -> Found | None:
        surveyor = Surveyor(target, self.crew, self.journal, self.clock, options)
        self.surveys.append(surveyor.survey)
        try:
            surveyor.run()
        except OutOfTime:
            self.stopped = True
        return surveyor.survey.found

    def _target(self, shape: Shape) -> Target:
        try:
            statement = self.claim.statement(shape)
        except NotLinearError:  # it asks for the distribution itself
            if self.kept:
                self.journal.identify(f"{shape}, claim", fingerprint_of_code(self.claim))
            return Opaque(self.claim, shape)
        if self.kept:
            self.journal.identify(f"{shape}, claim", fingerprint(statement))
        return Ground(statement)

    def _refuted(self, shape: Shape, found: Found) -> Refuted:
        if not found.least:
            shape, found = self._descended(shape, found)
        d = self._target(shape).distribution(found.weights)
        checked = self.claim.check(d)
        if not isinstance(checked, Refuted):
            raise AssertionError(f"the search and the evaluation disagree at {d!r}")
        total = sum(found.weights) // math.gcd(*found.weights)
        survey = next(survey for survey in self.surveys if survey.shape == shape)
        if survey.earlier and (survey.excluded or total <= survey.totals):
            raise self.journal.refusal(f"it knows no counterexample of {shape} and total {total}, and there is one")
        said = minimality(self.surveys, found, self.limits.max_total, stopped=self.stopped)
        return replace(checked, minimality=said)

    def _descended(self, shape: Shape, found: Found) -> tuple[Shape, Found]:
        """Go to smaller shapes, as far as single steps lead to counterexamples."""

        def within(smaller: Shape) -> Target | None:
            return self._target(smaller) if smaller in allowed else None

        allowed = {known for known in shapes_within(self.limits) if size_of_shape(known) < size_of_shape(shape)}
        while (step := smaller_shape(shape, found.weights, within)) is not None:
            shape, weights = step
            found = Found(smaller_weights(self._target(shape), weights, lambda: None), least=False)
        return shape, found


class NeededAssumptions(Shown, dict[str, "Answer"]):
    """The verdict for each assumption, by its name; see `needed_assumptions`."""

    def __str__(self) -> str:
        return "\n".join(f"{name}: {_FOLLOWS[answer.status]}; {answer}" for name, answer in self.items()) or "none"


Answer: TypeAlias = "Refuted | Proved | Undecided | NotRefuted"

_FEATURES = 3
_FOLLOWS = {"refuted": "needed", "proved": "not needed", "undecided": "undecided", "not refuted": "undecided"}


def needed_assumptions(
    claim: Claim | Entry | str,
    *,
    cardinalities: Iterable[int] | None = None,
    classes: int = 2,
    max_total: int | None = None,
    seed: int = 0,
    progress: Callable[[str], object] | None = None,
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
    ClaimError
        The function of the claim fails.
    UnknownNameError
        The ledger has no such id.

    Examples
    --------
    >>> for name, verdict in needed_assumptions("PN-4").items():
    ...     print(name, verdict.status, verdict.distribution.weights.tolist())
    positive refuted [[[0, 0], [0, 1]], [[1, 0], [0, 0]]]
    unique_maximum refuted [[[0, 1], [1, 1]], [[1, 1], [1, 0]]]
    """
    asked = find_claim(claim)
    shape = None if cardinalities is None else Shape(cardinalities).cardinalities  # type: ignore[arg-type]
    answers = NeededAssumptions()
    for assumption in asked.assumptions:
        without = asked.without(assumption)
        searched = refute(
            without,
            cardinalities=shape,
            classes=classes,
            max_features=_FEATURES,
            max_cardinality=2,
            max_total=max_total,
            seed=seed,
            progress=progress,
            workers=workers,
            time_limit=time_limit,
        )
        answers[assumption.name] = searched
        if isinstance(searched, NotRefuted):
            with suppress(NotLinearError, MissingDependencyError):  # then what was searched is all that can be said
                answers[assumption.name] = prove(
                    without,
                    cardinalities=shape or (2,) * _FEATURES,
                    classes=classes,
                    time_limit=time_limit,
                    progress=progress,
                )
    return answers
