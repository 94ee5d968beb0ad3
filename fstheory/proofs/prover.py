"""`prove` proves or refutes a claim for all distributions. `needed_assumptions` finds the assumptions it needs."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import asdict, replace
from functools import partial
from typing import Any, TypeAlias

from fstheory._support.exact import as_index, integers_over
from fstheory._support.journal import Journal, Resume
from fstheory._support.progress import Clock, Listener, OutOfTime, Progress
from fstheory._support.result import Result
from fstheory._support.work import Crew, Workers
from fstheory.checker.certificates import check_certificate_text
from fstheory.errors import CertificateError, MissingDependencyError, NotLinearError, require
from fstheory.logic.certificate import Certificate, certificate_at, certificate_of_proof
from fstheory.logic.claims import Claim
from fstheory.logic.entry import Entry
from fstheory.logic.evaluate import Evaluation
from fstheory.logic.every_size import EverySize
from fstheory.logic.expressions import FALSE, Node, to_json
from fstheory.logic.ledger import find_claim
from fstheory.logic.statement import Image, Instance, Shape, Statement, image_instances, invariant_under
from fstheory.logic.verdict import NotRefuted, Proved, Refuted, Undecided, Verdict
from fstheory.proofs import cases
from fstheory.proofs.cases import Path
from fstheory.proofs.descent import ShapeRange
from fstheory.proofs.linear import Unknowns, by_class, is_along_inclusion
from fstheory.proofs.refutation import decide, fingerprint, search
from fstheory.proofs.solvers import NoAnswer, Point, Solver

_ONE = "both or neither", "write cardinalities=(2, 2) for one shape, features=2 for every number of states"
_EFFORT = 10**7  # of Z3, in its own unit, on an instance before cases are split: half a second
_LITTLE = 10**6  # of it, on a formula whose comparisons could be read by class
_SHARE = 0.8  # of the time left goes to the proof by cases, the rest to a second solver should it fail


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
        """Return the verdict; see `prove`."""
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
        """Return the verdict by a proof by cases, None without one; a counterexample that is near is found before."""
        answer = self._ask(solver, images, after=(), effort=_EFFORT)
        if answer is not None:
            return answer
        try:
            return self._proof(images)
        except (NoAnswer, OutOfTime, cases.TooManyCases, CertificateError):  # then the word of the solvers has to do
            return None

    def _images(self) -> tuple[Image, ...]:
        """Return of which instance each one is a renaming that leaves the assumptions as they are; all are linear."""
        shape = self.statement.shape

        def tick(i: int) -> None:
            self.clock.count(i, len(self.statement.show), "instances", self._line("symmetries of "))
            self.unknowns.require_linear(self.statement.show[i], self.statement.claim)

        for instance in self.statement.assume:
            self.unknowns.require_linear(instance, self.statement.claim)
        kept = invariant_under(self.unknowns.renamings, self.assume)
        return image_instances(self.statement.shown, kept, shape, tick)

    def _read_by_class(self, solver: Solver, images: tuple[Image, ...]) -> None:
        """If all risks are compared along inclusion, and Z3 does not decide that at once, speak of best classes."""
        if not all(map(is_along_inclusion, (*self.assume, *self.shown))):
            return
        try:
            for i in sorted({source for source, _ in images}):
                self.clock.count(i, len(images), "instances", self._line("a first look at "))
                if solver.counterexample(self.assume, self.shown[i], Clock(None, None), _LITTLE) is not None:
                    return
        except NoAnswer:
            shape = self.statement.shape
            self.assume = tuple(by_class(formula, shape) for formula in self.assume)
            self.shown, self.kind = tuple(by_class(formula, shape) for formula in self.shown), "by_class"

    def _ask(
        self, solver: Solver, images: tuple[Image, ...], *, after: Sequence[Solver], effort: int | None = None
    ) -> Refuted | Undecided | None:
        """Return the answer of a solver, None if it knows no counterexample to any instance, with so much effort."""
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

    def _refuted(self, finder: str, instance: Instance, point: Point) -> Refuted | Undecided:
        """Return the refutation by a distribution, if an exact evaluation confirms it."""
        d = self.statement.shape.distribution(integers_over(point)[0])
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
                except cases.Counterexample as error:  # although the solver knows none: what counts is what it is
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
        evidence = {"maxima": [to_json(node) for node in writer.maxima], "proofs": proofs}
        certificate = certificate_of_proof(self.statement, evidence)
        check_certificate_text(certificate.to_json())
        return self._proved("case split", certificate)

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
            evidence = "no formula is left to prove"
        elif self._assumes_a_contradiction():
            evidence += "; what it assumes is a contradiction"
        return Proved(self.statement.claim, self.statement.shape, evidence, certificate)

    def _assumes_a_contradiction(self) -> bool:
        """Return whether the solver proves, in the time left, that no distribution satisfies the assumptions."""
        try:
            return bool(self.assume) and Solver(self.unknowns).counterexample(self.assume, FALSE, self.clock) is None
        except (NoAnswer, OutOfTime):
            return False

    def _undecided(self, reason: str) -> Undecided:
        return Undecided(self.statement.claim, self.statement.shape, reason)

    def _line(self, text: str) -> str:
        return f"{self.statement.claim} for {self.statement.shape}: {text}"


def _counterexample(solver: Solver, assume: Sequence[Node], effort: int | None, chunk: Any) -> Point | None:
    """Return what a solver says of a formula in so many milliseconds; nothing if an effort is not enough."""
    formula, left = chunk
    with suppress(*(() if effort is None else (NoAnswer, OutOfTime))):
        return solver.counterexample(assume, formula, Clock(left and left / 1000, None), effort)
    return None


_Done: TypeAlias = "tuple[cases.Tree, int, list[Path]]"
"""The proof of a branch, how many cases it has, and what is open."""


def _branch(unknowns: Unknowns, assume: Sequence[Node], limits: cases.ProofLimits, chunk: Any) -> _Done:
    """Prove a branch of the negation of a formula, within a time limit in milliseconds."""
    _, path, formula, left = chunk
    split = cases.CaseSplit(unknowns, assume, formula, Clock(left and left / 1000, None), limits)
    return split.tree(path, limits.together), split.leaves, split.open


def asked_size(cardinalities: Iterable[int] | None, features: int | None, classes: int | None) -> Shape:
    """Return the shape, or all shapes with so many features, that a call asks about."""
    require((cardinalities is None) is not (features is None), "one of cardinalities and features", "given", *_ONE)
    if cardinalities is None:
        return EverySize(features, classes)  # type: ignore[arg-type]
    return Shape(cardinalities, 2 if classes is None else classes)  # type: ignore[arg-type]


def prove(
    claim: Claim | Entry | str,
    *,
    cardinalities: Iterable[int] | None = None,
    features: int | None = None,
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
        Within linear arithmetic: probabilities, Bayes risks, maxima, comparisons, and, or, not; no logarithms or roots,
        and no products of two of these numbers; a comparison may divide all by one probability that they are parts of,
        as in p(x | y). For every number of states: of risks and informations, not of states.
    cardinalities : iterable of int, optional
        The number of states of each feature.
    features : int, optional
        Instead: so many features, each with any number of states, one included.
    classes : int, optional
        The number of classes: if it is not given, 2 for one shape, and any number for every number of states.
    without : str or iterable of str
        Assumptions to drop.
    time_limit : number, optional
        Seconds.
    second_opinion : bool
        Whether cvc5 must agree with Z3.
    certificate : bool
        Whether to look for a proof that `fstheory.logic` verifies. Without it, Z3's answer is the only evidence.
    executor, resume, progress
        As in `refute`; the file has the branches of the proof by cases, each verified when it is read. Without a time
        limit, the certificate is the same byte for byte, for every executor and after any number of interrupts.

    Returns
    -------
    Proved
        Its evidence is "case split" if the certificate holds a proof, which the checker has accepted, and "solvers" if
        it only names the solvers that say so, because a proof was not asked for, was not found in time or is too large.
        For every number of states its ``proof`` is to be read, a step a line, and has `to_latex`.
    Refuted
        By a distribution, at which the claim was found false by exact evaluation; it is not the smallest, see `refute`.
        For every number of states, what is said of risks alone is proved or refuted: whatever risks fall with the
        subset, there is a distribution that has them. It is built with up to 10,000 classes and 10,000,000 cells; if it
        needs more, the claim stays undecided. If nothing is assumed, so is what compares risks with risks, by
        coefficients that add up to 0, and conditional informations of features on the class with one another.
    Undecided
        The time limit was reached, or the solvers disagree; or, of other informations for every number of states,
        neither the inequalities of Shannon, of Zhang and Yeung, of Fano, of Tebbe and Dwyer, and of Pinsker, nor
        under `positive` the intersection property of graphoids prove it, nor was a counterexample met.

    Raises
    ------
    NotLinearError
        The claim is beyond linear arithmetic; the message says which term is.

    Notes
    -----
    Proofs split cases: which class wins a cell, which disjunct is true; in each, multiplied constraints add up to a
    contradiction (Farkas' lemma). If all risks are compared along inclusion, as in R(S) = R(S + i), and that is not
    decided at once, they are equal if in each state of the smaller set one class stays a best one. All this is doubly
    exponential in the number of features at worst.

    Examples
    --------
    >>> verdict = prove("PN-M", cardinalities=(2, 2))
    >>> print(verdict)
    PN-M: proved for every distribution with 2 x 2 states, 2 classes (case split)
    >>> prove("PN-4", cardinalities=(2, 2), without="positive").status
    'refuted'
    >>> print(prove("PN-5", features=3))
    PN-5: proved for every distribution with 3 features of any numbers of states, any number of classes (case split)
    """
    size = asked_size(cardinalities, features, classes)
    if isinstance(size, EverySize):
        alone, repair = resume is None and certificate and not second_opinion, "leave out what is for one shape"
        require(alone, "features", "given without resume, second_opinion, certificate=False", features, repair)
        with Clock(time_limit, progress) as clock:
            return decide(find_claim(claim, without), size, clock, ShapeRange(None, classes), executor)
    with Clock(time_limit, progress) as clock, Crew(executor) as crew:
        statement = find_claim(claim, without).statement(size)
        with proof_journal(resume, statement) as journal:
            prover = Prover(statement, clock, crew=crew, journal=journal)
            return prover.verdict(second_opinion=second_opinion, certificate=certificate)


# -- `needed_assumptions`: which assumptions a claim needs.


class NeededAssumptions(Result, dict[str, Verdict]):
    """The verdict for each assumption, by its name; see `needed_assumptions`."""

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
    """Drop the assumptions of a claim one at a time. For each, find a proof without it or a counterexample.

    Parameters
    ----------
    claim : Claim, Entry or str
    cardinalities : iterable of int, optional
        The number of states of each feature. If not given, counterexamples are looked for among one to three binary
        features, and proofs are about three.
    classes : int
    max_total, seed, executor, resume, progress
        As for `refute`; the file has the searches, and as of `prove` the branches of the proofs.
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
                    suppress(NotLinearError, MissingDependencyError),  # then what was searched is all that can be said
                    Clock(time_limit, tell) as clock,
                    Crew(executor) as crew,
                ):
                    statement = without.statement(Shape(sizes, classes))
                    verdicts[assumption.name] = Prover(statement, clock, crew=crew, journal=journal).verdict()
    return verdicts
