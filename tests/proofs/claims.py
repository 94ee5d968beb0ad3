"""Claims that several tests are about, and one search in small steps."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from fstheory import JointDistribution
from fstheory._support.progress import Clock
from fstheory._support.work import Crew, Workers
from fstheory.checker.certificates import check_certificate
from fstheory.logic.claims import Claim, claim
from fstheory.logic.expressions import Formula
from fstheory.logic.language import Model
from fstheory.logic.ledger import claims, find_claim
from fstheory.logic.statement import Shape
from fstheory.logic.verdict import NotRefuted, Proved, Refuted
from fstheory.proofs.cases import ProofLimits
from fstheory.proofs.descent import ShapeRange
from fstheory.proofs.enumeration import BUDGET, Budget
from fstheory.proofs.prover import Prover, proof_journal
from fstheory.proofs.refutation import search
from tests.proofs.exhaustion import Weights, World

monotone, solution_is_unique = (claims[key].stated() for key in ("PN-M", "PN-4"))


@claim
def never_nearly_half(m: Model, i: str) -> Formula:
    """2/5 < R and R**2 < 1/5: few distributions, the smallest of total 7 (a risk of 3/7)."""
    return (m.risk(i) <= "2/5") | (m.risk(i) * m.risk(i) >= "1/5")


@claim
def no_three_tenths(m: Model, i: str) -> Formula:
    """False from total 10 on, beyond linear arithmetic, so that all totals are looked at."""
    return m.risk(i) * m.risk(i) != "9/100"


@claim
def information_orders_as_risk(m: Model, i: str, j: str) -> Formula:
    """Mutual information and Bayes risk order the features alike (Ahmed et al. 2015, Example 1, says not)."""
    return m.implies(m.mutual_information(i) < m.mutual_information(j), m.risk(j) <= m.risk(i))


@claim
def useless_alone_is_useless(m: Model, i: str, S: frozenset[str]) -> Formula:
    """A feature that is useless by itself is useless with others (Guyon and Elisseeff 2003 say not)."""
    return m.implies(m.risk(i) == m.risk(()), m.risk(S | {i}) == m.risk(S))


@claim
def total_below_five(m: Model) -> bool:
    return m.distribution.total < 5


def named(name: str, body: Callable[..., Any]) -> Claim:
    """Return a function, such as a lambda, as a claim."""
    return claim(name=name)(body)


def search_three_tenths(budget: Budget = BUDGET, **options: Any) -> Refuted | NotRefuted:
    """Look at all distributions of two binary features and two classes up to the total 10."""
    return search(no_three_tenths, ShapeRange((2, 2), 2), max_total=10, budget=budget, **options)


def prove_in_branches(resume: Path | None = None, executor: Workers = None) -> str:
    """Return the certificate of a proof in which a case is closed before a branch is given to others."""
    statement = find_claim("PN-4").statement(Shape((2, 2)))
    with proof_journal(resume, statement) as journal, Crew(executor) as crew:
        verdict = Prover(statement, Clock(None, None), ProofLimits(together=1), crew, journal).verdict()
    assert isinstance(verdict, Proved)
    assert verdict.evidence == "case split"
    return verdict.certificate.to_json()


def world_of(d: JointDistribution) -> World:
    return World(d.cardinalities, len(d.classes), tuple(d.weights.ravel().tolist()))


def weights_of(verdict: object) -> Weights:
    """Return the weights of a counterexample whose certificate is accepted."""
    assert isinstance(verdict, Refuted)
    assert check_certificate(verdict.certificate).kind == "refuted"
    return tuple(verdict.distribution.weights.ravel().tolist())
