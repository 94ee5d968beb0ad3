"""`prove` proves or refutes a claim for all distributions. `needed_assumptions` finds the assumptions it needs."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import asdict, replace
from functools import partial
from typing import Any, Literal, TypeAlias

from fstheory._support.exact import as_index, integers_over
from fstheory._support.journal import Journal, Resume
from fstheory._support.progress import Clock, Listener, OutOfTime, Progress
from fstheory._support.result import Result
from fstheory._support.work import Crew, Workers
from fstheory.checker.cases import by_class
from fstheory.checker.reading import SampleSpace
from fstheory.errors import (
    CertificateError,
    ClaimError,
    MissingDependencyError,
    NotLinearError,
    UnknownNameError,
    require,
)
from fstheory.logic.certificate import Certificate, certificate_at, certificate_of_proof
from fstheory.logic.claims import Claim
from fstheory.logic.entry import Entry
from fstheory.logic.evaluate import Evaluation
from fstheory.logic.every_size import EverySize, SeveralNumbers
from fstheory.logic.expressions import FALSE, Node, negation
from fstheory.logic.ledger import find_claim
from fstheory.logic.statement import Image, Instance, Shape, Statement, image_instances, invariant_under, premise_of
from fstheory.logic.verdict import VACUOUS, NotRefuted, Proved, Refuted, Undecided, Verdict
from fstheory.proofs import cases
from fstheory.proofs.cases import Path
from fstheory.proofs.descent import ShapeRange
from fstheory.proofs.every_size.evidence import NO_FORMULA, features_that_suffice
from fstheory.proofs.every_size.search import GAVE_UP
from fstheory.proofs.every_size.sums import holds_from_three_on
from fstheory.proofs.linear import Unknowns, is_along_inclusion
from fstheory.proofs.refutation import decide, fingerprint, search
from fstheory.proofs.solvers import NoAnswer, Probabilities, Solver

_ONE = "both or neither", "write cardinalities=(2, 2) for one shape, features=2 for every number of states"
_EFFORT = 10**7  # the work of Z3 on an instance before cases are split, in Z3's own unit: about half a second
_LITTLE = 10**6  # the work of Z3 on a formula before its comparisons are read by class
_SHARE = 0.8  # the share of the time left for the proof by cases; the rest is for a second solver if it fails


def proof_journal(resume: Resume, statement: Statement) -> Journal:
    """Return the journal of the proof of a statement."""
    about = {"claim": statement.claim, "shape": str(statement.shape)}
    return Journal(resume, "proof", about | {"statement": "" if resume is None else fingerprint(statement)})


class Prover:
    """The search for a verdict on a statement about one shape."""

    def __init__(
        self,
        statement: Statement,
        clock: Clock,
        limits: cases.ProofLimits = cases.PROOF_LIMITS,
        crew: Crew | None = None,
        journal: Journal | None = None,
    ) -> None:
        self.statement, self.clock, self.limits, self.crew = statement, clock, limits, crew or Crew()
        self.journal = journal or Journal(None, "proof", {})
        self.unknowns = Unknowns(statement.shape)
        self.assume, self.shown, self.kind = statement.assumed, statement.shown, "tree"

    def verdict(self, *, second_opinion: bool = False, certificate: bool = True) -> Proved | Refuted | Undecided:
        """Return the verdict of `prove` on the statement."""
        solvers = [Solver(self.unknowns), *([Solver(self.unknowns, "cvc5")] if second_opinion else [])]
        try:
            images = self._images()
            self._read_by_class(solvers[0], images)
        except OutOfTime:
            return self._undecided("the time limit was reached before the solver was asked")
        proof = self._by_cases(solvers[0], images) if certificate else None
        if proof is not None and not (second_opinion and isinstance(proof, Proved)):
            return proof
        for i, solver in enumerate(solvers):
            answer = self._ask(solver, images, after=solvers[:i])
            if answer is not None:
                return answer
        if second_opinion:
            proved, agree = proof or self._by_solvers(solvers), " and ".join(solver.name for solver in solvers)
            return replace(proved, evidence=f"{proved.evidence}; {agree} agree")
        return self._with_another(solvers[0], images) if certificate else self._by_solvers(solvers)

    def _by_cases(self, solver: Solver, images: tuple[Image, ...]) -> Proved | Refuted | Undecided | None:
        """Return the verdict with a proof by cases, or with a counterexample that the solver finds quickly.

        Return None if no proof is found in time, or if it would be too large.
        """
        answer = self._ask(solver, images, after=(), effort=_EFFORT)
        if answer is not None:
            return answer
        try:
            return self._proof(images)
        except (NoAnswer, OutOfTime, cases.TooManyCases, CertificateError):  # then the solvers are the only evidence
            return None

    def _images(self) -> tuple[Image, ...]:
        """For each instance, return the instance of which it is a renaming, and the renaming.

        Only renamings that leave the assumptions as they are count. Raise an error if an instance is not linear.
        """
        shape = self.statement.shape

        def tick(i: int) -> None:
            self.clock.count(i, len(self.statement.show), "instances", self._line("symmetries of "))
            self.unknowns.require_linear(self.statement.show[i], self.statement.claim)

        for instance in self.statement.assume:
            self.unknowns.require_linear(instance, self.statement.claim)
        kept = invariant_under(self.unknowns.renamings, self.assume)
        return image_instances(self.statement.shown, kept, shape, tick)

    def _read_by_class(self, solver: Solver, images: tuple[Image, ...]) -> None:
        """Rewrite the statement in terms of best classes, if that helps.

        It helps if all risks are compared along inclusion and Z3 does not decide the statement at once.
        """
        if not all(map(is_along_inclusion, (*self.assume, *self.shown))):
            return
        try:
            for i in sorted({source for source, _ in images}):
                self.clock.count(i, len(images), "instances", self._line("a first look at "))
                if solver.counterexample(self.assume, self.shown[i], Clock(None, None), _LITTLE) is not None:
                    return
        except NoAnswer:
            shape = self.statement.shape
            written = {"cardinalities": shape.cardinalities, "classes": shape.classes}
            with suppress(CertificateError):  # of more features than the checker reads, the statement stays as it is
                read = partial(by_class, shape=SampleSpace(written, max_cells=shape.cells))
                self.assume, self.shown = tuple(map(read, self.assume)), tuple(map(read, self.shown))
                self.kind = "by_class"

    def _ask(
        self, solver: Solver, images: tuple[Image, ...], *, after: Sequence[Solver], effort: int | None = None
    ) -> Refuted | Undecided | None:
        """Return the refutation that a solver finds, or None if it finds no counterexample to any instance.

        If the solver gives no answer, return `Undecided`, or None if an `effort` limits its work.
        """
        own = [i for i, (source, _) in enumerate(images) if source == i]
        instances = [self.statement.show[i] for i in own]
        chunks = ((self.shown[i], self.clock.milliseconds()) for i in own)
        points = self.crew.map(partial(_counterexample, solver, self.assume, effort), chunks)
        for done, instance in enumerate(instances):
            heard = f"{solver.name} decided {done} of {len(instances)} instances"
            try:
                self.clock.count(done, len(instances), "instances", self._line(f"{solver.name} decided "))
                point = next(points)
            except (NoAnswer, OutOfTime) as error:
                if effort is not None:
                    return None
                others = "".join(f", {other.name} all" for other in after)
                return self._undecided(f"{str(error) or 'the time limit was reached'}: {heard}{others}")
            if point is not None:
                return self._refuted(solver.name, instance, point)
        return None

    def _refuted(self, finder: str, instance: Instance, point: Probabilities) -> Refuted | Undecided:
        """Return the refutation by a distribution, if an exact evaluation confirms it."""
        d = self.statement.shape.distribution(integers_over(point)[0])
        with Clock(None, None):  # also after the time limit
            false = instance.false_at(Evaluation(d))
            if false is None or not replace(self.statement, show=(instance,)).violated_at(d):
                return self._undecided(f"{finder} gave a distribution at which {instance} is not violated")
        certificate = certificate_at("refuted", self.statement, false, d)
        found = f"found by {finder}, not minimized"
        return Refuted(self.statement.claim, d, false.where, certificate, found, false.terms)

    def _proof(self, images: tuple[Image, ...]) -> Proved | Refuted | Undecided:
        """Return the verdict with a proof by cases that the checker has accepted."""
        clock = self.clock.at_most(_SHARE * self.clock.left)
        writer = cases.TreeWriter(self.unknowns, clock, self.limits)
        own = [i for i, (source, _) in enumerate(images) if source == i]
        waiting: list[tuple[int, Path]] = [(i, ()) for i in own]
        found: dict[int, dict[Path, cases.Tree]] = {i: {} for i in own}
        work, leaves = partial(_branch, self.unknowns, self.assume, self.limits), 0
        while waiting:
            kept = self._kept(waiting)
            new = (at for at in waiting if at not in kept)
            chunks = ((i, path, self.shown[i], clock.milliseconds()) for i, path in new)
            parts, opened = self.crew.map(work, chunks, self._keep), list[tuple[int, Path]]()
            for done, (i, path) in enumerate(waiting):
                line = self._line(f"proof by cases of {len(own):,} instances, {leaves:,} cases, ")
                clock.count(done, len(waiting), "branches", line)
                try:
                    found[i][path], more, left = kept[i, path] if (i, path) in kept else next(parts)
                except cases.Counterexample as error:  # the solver found none, but an exact evaluation decides
                    return self._refuted("the proof by cases", self.statement.show[i], error.point)
                leaves += more
                opened += [(i, path) for path in left]
                if leaves > self.limits.cases:
                    raise cases.TooManyCases(f"a case split of more than {leaves:,} cases")
            waiting = opened
        proofs: list[dict[str, Any]] = []
        for i, (source, renaming) in enumerate(images):
            if source != i:
                proofs.append({"image_of": source, **asdict(renaming)})
                continue
            root = self.unknowns.case([*self.assume, ("not", self.shown[i])])
            proofs.append({self.kind: writer.write(root, cases.closed(found[i][()], found[i]))})
        return self._proved("case split", writer.certificate(self.statement, proofs))

    def _keep(self, chunk: Any, done: _Done) -> None:
        if self.journal.is_kept:
            self.journal.put(json.dumps(chunk[:2]), {"cases": done[1], "proof": cases.tree_to_json(done[0])})

    def _kept(self, waiting: Sequence[tuple[int, Path]]) -> dict[tuple[int, Path], _Done]:
        """Return the proofs of branches that the journal holds. Each has been verified."""
        found, readers = dict[tuple[int, Path], _Done](), dict[int, cases.TreeReader]()
        for i, path in waiting:
            if (noted := self.journal.get(step := json.dumps([i, path]))) is None:
                continue
            if i not in readers:
                readers[i] = cases.TreeReader(self.unknowns, self.assume, self.shown[i])
            try:
                tree, opened = readers[i].read(noted["proof"], path)
                found[i, path] = tree, as_index(noted["cases"], "cases"), opened
            except (ValueError, TypeError, LookupError) as error:
                raise self.journal.refusal(f"what it says of {step!r} is no proof of it") from error
        return found

    def _with_another(self, solver: Solver, images: tuple[Image, ...]) -> Proved | Refuted | Undecided:
        """Return the verdict, confirmed by cvc5 if it is installed and answers in time."""
        try:
            other = Solver(self.unknowns, "cvc5")
        except MissingDependencyError:
            return self._by_solvers([solver])
        answer = self._ask(other, images, after=[solver])
        if isinstance(answer, Refuted):
            return answer
        return self._by_solvers([solver, other] if answer is None else [solver])

    def _by_solvers(self, solvers: list[Solver]) -> Proved:
        evidence = {"evidence": "solvers", "solvers": [solver.name for solver in solvers]}
        return self._proved("solvers", certificate_of_proof(self.statement, evidence))

    def _proved(self, evidence: str, certificate: Certificate) -> Proved:
        if not self.statement.show:
            evidence = NO_FORMULA
        elif self._is_vacuous():
            evidence += f"; {VACUOUS}"
        return Proved(self.statement.claim, self.statement.shape, evidence, certificate)

    def _is_vacuous(self) -> bool:
        """Return whether the solver proves, in the time left, that no distribution satisfies what is supposed."""
        never = negation(premise_of(("and", *self.shown)))
        if not self.assume and never == FALSE:
            return False
        with suppress(NoAnswer, OutOfTime):
            return Solver(self.unknowns).counterexample(self.assume, never, self.clock) is None
        return False

    def _undecided(self, reason: str) -> Undecided:
        return Undecided(self.statement.claim, self.statement.shape, reason)

    def _line(self, text: str) -> str:
        return f"{self.statement.claim} for {self.statement.shape}: {text}"


def _counterexample(solver: Solver, assume: Sequence[Node], effort: int | None, chunk: Any) -> Probabilities | None:
    """Return the counterexample to a formula that a solver finds within its milliseconds, or None.

    If an `effort` is given, running out of effort or time gives None, too. Otherwise it raises an error.
    """
    formula, left = chunk
    with suppress(*(() if effort is None else (NoAnswer, OutOfTime))), Clock(left and left / 1000, None) as clock:
        return solver.counterexample(assume, formula, clock, effort)
    return None


_Done: TypeAlias = "tuple[cases.Tree, int, list[Path]]"
"""The proof of a branch, the number of its cases, and the paths of the branches that are still open."""


def _branch(unknowns: Unknowns, assume: Sequence[Node], limits: cases.ProofLimits, chunk: Any) -> _Done:
    """Prove a branch of the negation of a formula, within a time limit in milliseconds."""
    _, path, formula, left = chunk
    with Clock(left and left / 1000, None) as clock:
        split = cases.CaseSplit(unknowns, assume, formula, clock, limits)
        return split.tree(path, limits.together), split.leaves, split.open


def asked_size(cardinalities: Iterable[int] | None, features: object, classes: int | None) -> Shape:
    """Return the shape, or all shapes with so many features, that a call asks about."""
    require((cardinalities is None) is not (features is None), "one of cardinalities and features", "given", *_ONE)
    if cardinalities is None:
        return EverySize(features, classes)  # type: ignore[arg-type]
    return Shape(cardinalities, 2 if classes is None else classes)  # type: ignore[arg-type]


def prove(
    claim: Claim | Entry | str,
    *,
    cardinalities: Iterable[int] | None = None,
    features: int | Iterable[int] | Literal["every"] | None = None,
    classes: int | None = None,
    without: str | Iterable[str] = (),
    time_limit: float | None = None,
    second_opinion: bool = False,
    certificate: bool = True,
    executor: Workers = None,
    resume: Resume = None,
    progress: Progress = None,
) -> Proved | Refuted | Undecided:
    """Prove a claim for every distribution of a shape, or for every number of states, or refute the claim.

    Parameters
    ----------
    claim : Claim, Entry or str
        The claim, an entry of a ledger, or the id of an entry. With `cardinalities`, the claim must stay within linear
        arithmetic: probabilities, Bayes risks, maxima, comparisons, and, or, not. It must have no logarithms, no roots
        and no products of these numbers. A comparison may divide all its terms by the probability of an event that
        contains theirs, as in p(x | y). With `features`, the claim may speak of risks and informations, not of states.
        With two classes it may also speak of the probability of a class.
    cardinalities : iterable of int, optional
        The number of states of each feature. Give either this or `features`.
    features : int, iterable of int, or "every", optional
        The number of features, each with any number of states, one included. With several numbers, such as
        ``range(2, 6)``, the claim is proved for each of them. With ``"every"``, the verdict is `Proved` only if the
        claim is proved for every number of features. The notes say for which claims this is possible.
    classes : int, optional
        The number of classes. The default is 2 with `cardinalities`, and any number with `features`.
    without : str or iterable of str
        Assumptions to drop.
    time_limit : number, optional
        The number of seconds after which the verdict is `Undecided`.
    second_opinion : bool
        Whether cvc5 must agree with Z3.
    certificate : bool
        Whether to search for a proof that the checker verifies. If False, the answer of Z3 is the only evidence.
    executor, resume, progress
        As in `refute`. The journal has the branches of the proof by cases, and each is verified when it is read.
        Without a time limit, the certificate is the same byte for byte, for every executor and after any number of
        interruptions.

    Returns
    -------
    Proved
        If the evidence is "case split", the certificate holds a proof, and the checker has accepted it. If the evidence
        is "solvers", the certificate only names the solvers that found no counterexample: a proof was not asked for,
        was not found in time, or is too large. With `features`, ``proof`` is a text with one step a line, and has
        `to_latex`. With several numbers of features, ``parts`` has the proof for each number.
    Refuted
        The verdict with a distribution at which an exact evaluation finds the claim false. The distribution need not be
        the smallest; `refute` searches for that one.
    Undecided
        The time limit was reached, the solvers disagree, or the methods of the notes found neither a proof nor a
        counterexample.

    Raises
    ------
    NotLinearError
        The claim is beyond linear arithmetic. The message names the term.

    Notes
    -----
    For one shape, a proof splits cases: which class wins a cell, and which disjunct is true. In each case, multiples of
    the constraints add up to a contradiction (Farkas' lemma). Claims that compare risks only along inclusion, as in
    R(S) = R(S + i), may be read by class: the two risks are equal if and only if in each state of the smaller set one
    class is best throughout. The worst case is doubly exponential in the number of features.

    For every number of states, each claim about risks alone is proved or refuted, because all risks that fall with the
    subset are the risks of some distribution. The distribution is built with up to 10,000 classes and 10,000,000 cells.
    If it needs more, the claim stays undecided. Two more kinds of claims without assumptions are always decided: those
    that compare risks with risks by coefficients that add up to 0, and those that compare conditional informations of
    features on the class with one another. With two classes, a comparison of sums of risks, Gini impurities and
    conditional entropies of a chain of subsets is proved by tangents, or refuted by the atoms of convex envelopes,
    unless it comes too near to equality. With more classes, many of these comparisons are decided. Other claims about
    informations may stay undecided. They are tried with the inequalities of Shannon, of Zhang and Yeung, of Fano, of
    Tebbe and Dwyer, and of Pinsker, and under `positive` with the intersection property of graphoids. If a claim is
    still open, up to 256 equally likely classes are tried, with features that say nothing, tell the class, or tell it
    together.

    For every number of features, a claim that only compares and combines its sets follows from proofs for a few
    features, because features that are in the same sets count as one. A claim such as Han's inequality compares sums of
    entropies or of risks over all features, ``m.sum(m.entropy(i) for i in m.order)``. It follows from polynomials in
    the number of features. Other claims name features or count them. They are tried for 1 to 5 features, and the
    verdict is `Undecided` if there is no counterexample.

    Examples
    --------
    >>> verdict = prove("PN-M", cardinalities=(2, 2))
    >>> print(verdict)
    PN-M: proved for every distribution with 2 x 2 states, 2 classes (case split)
    >>> prove("PN-4", cardinalities=(2, 2), without="positive").status
    'refuted'
    >>> print(prove("PN-5", features=3))
    PN-5: proved for every distribution with 3 features of any numbers of states, any number of classes (case split)
    >>> verdict = prove("PN-3", features="every")
    >>> str(verdict.shape), [len(part.shape.features) for part in verdict.parts]
    ('any number of features of any numbers of states, any number of classes', [1, 2, 3])
    """
    several = isinstance(features, Iterable)
    size = asked_size(cardinalities, 1 if several else features, classes)
    if isinstance(size, EverySize):
        alone, repair = resume is None and certificate and not second_opinion, "leave out what is for one shape"
        require(alone, "features", "given without resume, second_opinion, certificate=False", features, repair)
        with Clock(time_limit, progress) as clock:
            if isinstance(features, Iterable):
                return _for_numbers(find_claim(claim, without), features, classes, clock, executor)
            return decide(find_claim(claim, without), size, clock, ShapeRange(None, classes), executor)
    with Clock(time_limit, progress) as clock, Crew(executor) as crew:
        found = find_claim(claim, without)
        try:
            statement = found.statement(size)
        except OutOfTime:
            return Undecided(found.title, size, "the time limit was reached before all instances were spelled out")
        with proof_journal(resume, statement) as journal:
            prover = Prover(statement, clock, crew=crew, journal=journal)
            return prover.verdict(second_opinion=second_opinion, certificate=certificate)


# -- Several numbers of features, or every number.


_MOST = 5  # the most features that are tried for every number of features
_SAYS_LITTLE = {NO_FORMULA, VACUOUS}  # of a proof for few features


def _for_numbers(
    claim: Claim, features: Iterable[int] | str, classes: int | None, clock: Clock, executor: Workers
) -> Proved | Refuted | Undecided:
    """Prove a claim for several numbers of features, or for every number. Return the first verdict without a proof."""
    every, enough = isinstance(features, str), None
    if every:
        require(features == "every", "features", "a number, several numbers or 'every'", features, "pass 'every'")
        with suppress(*GAVE_UP):
            enough = features_that_suffice(claim, EverySize(1, classes))
        features = range(1, _MOST + 1 if enough is None else min(enough or 1, _MOST) + 1)
    sizes = [EverySize(number, classes) for number in features]  # type: ignore[arg-type]
    require(sizes, "features", "at least one number", sizes, "pass range(2, 6), say")
    found = list[Proved]()
    for size in sizes:
        try:
            verdict = decide(claim, size, clock, ShapeRange(None, classes), executor, alone=True)
        except ClaimError as error:  # it names features that are not there
            if every and not found and size != sizes[-1] and isinstance(error.__cause__, UnknownNameError):
                continue
            raise
        also = f"; the claim is proved for features={_numbers_of(found)}" * bool(found)
        if isinstance(verdict, Refuted):
            return replace(verdict, minimality=verdict.minimality + also, parts=tuple(found))
        if isinstance(verdict, Undecided):
            return replace(verdict, reason=verdict.reason + also, parts=tuple(found))
        found.append(verdict)
    last, proved = found[-1], _numbers_of(found)
    said = dict.fromkeys(part for verdict in reversed(found) for part in verdict.evidence.split("; "))
    said = {part: None for part in said if part not in _SAYS_LITTLE or part in last.evidence}
    if not every:
        shape = SeveralNumbers(proved, size.number, classes)
        return replace(last, shape=shape, evidence="; ".join(said), parts=tuple(found))
    shape = SeveralNumbers("any number of", size.number, classes)
    summed = enough is None and len(found) == _MOST and holds_from_three_on(claim, classes)
    if not summed and (enough is None or enough > size.number):
        why = "the claim names or counts features" if enough is None else f"they need a proof for features={enough}"
        reason = f"it is proved for features={proved}; larger numbers are undecided, because {why}"
        return Undecided(claim.title, shape, reason, tuple(found))
    why = f"and so for every number of features from 1 on, {_SUMMED if summed else _MERGED}"
    evidence = "; ".join([*said, f"proved for features={proved}, {why}"])
    return replace(last, shape=shape, evidence=evidence, parts=tuple(found))


_MERGED = "as features in the same sets count as one"
_SUMMED = "as it compares means over all subsets of equal size"


def _numbers_of(proofs: Iterable[Proved]) -> str:
    return ", ".join(str(len(proof.shape.features)) for proof in proofs)


# -- `needed_assumptions`: which assumptions a claim needs.


class NeededAssumptions(Result, dict[str, Verdict]):
    """A dictionary from the name of each assumption to a verdict, as `needed_assumptions` returns it."""

    def __str__(self) -> str:
        return "\n".join(f"{name}: {_FOLLOWS[verdict.status]}; {verdict}" for name, verdict in self.items()) or "none"


_FEATURES = 3
_FOLLOWS = {"refuted": "needed", "proved": "not needed", "undecided": "undecided", "not refuted": "undecided"}


def needed_assumptions(
    claim: Claim | Entry | str,
    *,
    cardinalities: Iterable[int] | None = None,
    classes: int = 2,
    max_total: int | None = None,
    seed: int = 0,
    executor: Workers = None,
    resume: Resume = None,
    progress: Progress = None,
    time_limit: float | None = None,
) -> NeededAssumptions:
    """Find which assumptions a claim needs: drop each in turn, and search for a counterexample or a proof without it.

    Parameters
    ----------
    claim : Claim, Entry or str
        The claim, an entry of a ledger, or the id of an entry.
    cardinalities : iterable of int, optional
        The number of states of each feature. If not given, the counterexamples have one to three binary features, and
        the proofs are about three binary features.
    classes : int
        The number of classes.
    max_total, seed, executor, resume, progress
        As in `refute`. The journal has the searches, and the branches of the proofs.
    time_limit : number, optional
        The number of seconds for each search and for each proof.

    Returns
    -------
    NeededAssumptions
        A dictionary from the name of each assumption to a verdict on the claim without this assumption. As a text, it
        has one line for each assumption.

        * `Refuted`: the assumption is needed. The verdict has the smallest counterexample.
        * `Proved`: the assumption is not needed, for the shape that the verdict names.
        * `Undecided`: neither a counterexample nor a proof was found in time.
        * `NotRefuted`: no counterexample was found, and the claim is beyond what can be proved.

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
    claim = find_claim(claim)
    shapes = ShapeRange(cardinalities, classes, _FEATURES, 2)  # type: ignore[arg-type]
    sizes = shapes.cardinalities or (2,) * _FEATURES
    about = {"claim": claim.title, "seed": seed, **asdict(shapes), "max_total": max_total}
    verdicts = NeededAssumptions()
    with Listener(progress) as tell, Journal(resume, "search for needed assumptions", about) as journal:
        for assumption in claim.assumptions:
            without, journal.part = claim.without(assumption), f"without {assumption.name}, "
            with Clock(time_limit, tell) as clock:
                verdict = search(without, shapes, clock, max_total, seed, resume=journal, executor=executor)
            verdicts[assumption.name] = verdict
            if isinstance(verdict, NotRefuted):
                with (
                    suppress(NotLinearError, MissingDependencyError, OutOfTime),  # then the verdict of the search stays
                    Clock(time_limit, tell) as clock,
                    Crew(executor) as crew,
                ):
                    statement = without.statement(Shape(sizes, classes))
                    verdicts[assumption.name] = Prover(statement, clock, crew=crew, journal=journal).verdict()
    return verdicts
