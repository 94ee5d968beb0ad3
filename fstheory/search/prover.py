"""The steps of a proof: symmetry, the solvers' answers, the proof by cases, the checker's word on it."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from fstheory._rational import integers_over
from fstheory.checker import check_certificate_text
from fstheory.distribution import JointDistribution
from fstheory.errors import CertificateError, MissingDependencyError
from fstheory.logic import Evaluation, Named, Proved, Refuted, Statement, Undecided
from fstheory.logic.certificate import Certificate, certificate_at, certificate_of_proof
from fstheory.logic.nodes import to_json
from fstheory.logic.symmetry import Image, generators, image_instances, invariant_under
from fstheory.search.answers import NoAnswer
from fstheory.search.clock import Clock, OutOfTime
from fstheory.search.linear import Unknowns
from fstheory.search.smt import Z3, Cvc5, Judge, Point
from fstheory.search.splitting import CaseSplit, TooManyCases
from fstheory.search.trees import TreeWriter, leaves_without_sums, without_sums

__all__ = ["Limits", "Prover"]

_MOST = 40_000  # cases in one certificate: what the checker takes
_SHARE = 0.8  # of the time left goes to the proof by cases, the rest to a second solver should it fail


@dataclass(frozen=True)
class Limits:
    """A time limit that starts now, and a listener.

    Examples
    --------
    >>> Limits(60, None).clock().milliseconds() <= 60_000
    True
    """

    seconds: float | None
    progress: Callable[[str], object] | None
    start: float = field(default_factory=time.monotonic)

    def __post_init__(self) -> None:
        Clock(self.seconds, self.progress)  # refuses what is no limit

    @property
    def elapsed(self) -> float:
        """The seconds since the start."""
        return time.monotonic() - self.start

    def clock(self, share: float = 1.0) -> Clock:
        """Return a clock for what is left, or for a share of it."""
        left = None if self.seconds is None else max(share * (self.seconds - self.elapsed), 0.001)
        return Clock(left, self.progress)


class Prover:
    """A statement about one shape on its way to a verdict.

    Parameters
    ----------
    statement : Statement
    limits : Limits

    Raises
    ------
    NotLinearError
        The statement is beyond linear arithmetic.

    Examples
    --------
    >>> from fstheory.ledger import claims
    >>> from fstheory.logic import Shape
    >>> prover = Prover(claims["PN-M"].claim.statement(Shape((2, 2))), Limits(None, None))
    >>> prover.verdict(second_opinion=False, certificate=False).evidence
    'solvers'
    """

    def __init__(self, statement: Statement, limits: Limits) -> None:
        self.statement = statement
        self.limits = limits
        self.unknowns = Unknowns(statement.shape)
        for named in (*statement.assume, *statement.show):
            self.unknowns.require_linear(named, statement.claim)
        self.assume = [named.formula for named in statement.assume]

    def verdict(self, *, second_opinion: bool, certificate: bool) -> Proved | Refuted | Undecided:
        """Return the verdict; see `fstheory.search.prove`."""
        judges: list[Judge] = [Z3(self.unknowns), *([Cvc5(self.unknowns)] if second_opinion else [])]
        images = self._images()
        for judge in judges:
            answer = self._ask(judge, images)
            if answer is not None:
                return answer
        if certificate:
            try:
                return self._proved("case split", self._proof(images))
            except (NoAnswer, OutOfTime, TooManyCases, CertificateError):  # then the word of the solvers has to do
                if not second_opinion:
                    return self._with_another(judges[0], images)
        return self._by_solvers(judges)

    def _images(self) -> tuple[Image, ...]:
        """Return of which instance each one is a renaming that leaves the assumptions as they are."""
        shape = self.statement.shape
        kept = invariant_under(generators(shape.cardinalities, shape.classes), self.assume)
        shown = [named.formula for named in self.statement.show]
        return image_instances(shown, kept, shape.cardinalities, shape.classes)

    def _ask(self, judge: Judge, images: tuple[Image, ...]) -> Refuted | Undecided | None:
        """Return the answer of a solver, None if it knows no counterexample to any instance."""
        clock = self.limits.clock()
        instances = [i for i, image in enumerate(images) if image.source == i]
        for done, i in enumerate(instances):
            instance = self.statement.show[i]
            heard = f"{judge.name} decided {done} of {len(instances)} instances"
            try:
                clock.tick(lambda heard=heard: self._line(heard))  # type: ignore[misc]
                point = judge.counterexample(self.assume, instance.formula, clock)
            except (NoAnswer, OutOfTime) as error:
                return self._undecided(f"{str(error) or 'the time limit was reached'}: {heard}")
            if point is not None:
                return self._refuted(judge, instance, point)
        return None

    def _refuted(self, judge: Judge, instance: Named, point: Point) -> Refuted | Undecided:
        shape = self.statement.shape
        weights, _ = integers_over(point)
        d = JointDistribution(np.array(weights, dtype=object).reshape(*shape.cardinalities, shape.classes))
        at = Evaluation(d)
        if not all(map(at.truth, self.assume)) or at.truth(instance.formula):
            return self._undecided(f"{judge.name} gave a distribution at which {instance} is not violated")
        certificate = certificate_at("refuted", self.statement, instance, d)
        minimality = f"found by {judge.name}, not minimized"
        return Refuted(self.statement.claim, d, instance.where, certificate, minimality)

    def _proof(self, images: tuple[Image, ...]) -> Certificate:
        """Return the certificate with a proof by cases that the checker accepts."""
        clock = self.limits.clock(_SHARE)
        writer = TreeWriter(self.unknowns)
        proofs: list[dict[str, Any]] = []
        cases = 0
        for i, image in enumerate(images):
            if image.source != i:
                proofs.append(_image(image))
                continue
            before = f"proof by cases, instance {i + 1} of {len(images)}"
            split = CaseSplit(
                self.unknowns,
                self.assume,
                self.statement.show[i].formula,
                clock,
                words=lambda more, before=before, cases=cases: self._line(f"{before}, {cases + more:,} cases"),  # type: ignore[misc]
            )
            tree = split.tree()
            cases += leaves_without_sums(tree, self.unknowns)
            if cases > _MOST:
                raise TooManyCases(f"a proof with {cases:,} cases")
            proofs.append({"tree": writer.write(split.root, without_sums(tree, self.unknowns))})
        evidence = {"maxima": [to_json(node) for node in writer.maxima], "proofs": proofs}
        certificate = certificate_of_proof(self.statement, evidence)
        check_certificate_text(certificate.to_json())
        return certificate

    def _with_another(self, judge: Judge, images: tuple[Image, ...]) -> Proved | Refuted | Undecided:
        """Return the verdict with the word of cvc5 too, if it is there and answers in time."""
        try:
            other = Cvc5(self.unknowns)
        except MissingDependencyError:
            return self._by_solvers([judge])
        answer = self._ask(other, images)
        if isinstance(answer, Refuted):
            return answer
        return self._by_solvers([judge, other] if answer is None else [judge])

    def _by_solvers(self, judges: list[Judge]) -> Proved:
        evidence = {"evidence": "solvers", "solvers": [judge.name for judge in judges]}
        return self._proved("solvers", certificate_of_proof(self.statement, evidence))

    def _proved(self, evidence: str, certificate: Certificate) -> Proved:
        return Proved(self.statement.claim, self.statement.shape, evidence, certificate)

    def _undecided(self, reason: str) -> Undecided:
        return Undecided(self.statement.claim, self.statement.shape, reason)

    def _line(self, text: str) -> str:
        return f"{self.statement.claim} for {self.statement.shape}: {text}, {self.limits.elapsed:.0f} s"


def _image(image: Image) -> dict[str, Any]:
    renaming = image.renaming
    return {
        "image_of": image.source,
        "features": list(renaming.features),
        "states": [list(states) for states in renaming.states],
        "classes": list(renaming.classes),
    }
