"""The evidence of the ledger, found again: certificates, smallest counterexamples, and what was exhausted."""

import functools
import itertools
from collections.abc import Iterator

import numpy as np
import pytest

from fstheory.distributions.joint import JointDistribution
from fstheory.logic.checker import check_certificate
from fstheory.logic.claims import Claim
from fstheory.logic.evaluate import Evaluation
from fstheory.logic.statement import Shape, Statement
from fstheory.logic.verdict import Holds, Vacuous
from fstheory.papers.entry import Entry, Evidence
from fstheory.papers.ledger import claims
from fstheory.proofs.descent import size_of_weights
from tests.papers.certify import SHOWN, made, shape_of, wanted
from tests.papers.check_true import ENTRIES, distributions, exhausted, held, size_of
from tests.papers.drawn import SHAPES, SMALL, drawn
from tests.papers.evidence import Part, family

EVERY = wanted()
LOOKED_AT = 1_200  # smaller distributions, at most, to be looked at here one by one; the search looks at all
FEW: tuple[Part, ...] = (((2,), 2, 4), ((2,), 3, 3), ((3,), 2, 3), ((2, 2), 2, 2), ((2, 2, 2), 2, 1))
"""Shapes with a feature less."""


def name_of(value: object) -> str:
    return getattr(value, "certificate", None) or ""


@pytest.mark.thorough
@pytest.mark.parametrize(("entry", "evidence", "without"), EVERY, ids=name_of)
def test_certificate_is_made_again_and_accepted(entry: Entry, evidence: Evidence, without: str | None) -> None:
    """A counterexample is the same; a proof may be another one of the same statement."""
    certificate, again = evidence.load(), made(entry, evidence, without)
    if evidence.kind == "P":
        assert check_certificate(again)
        assert (again["assume"], again["show"]) == (certificate["assume"], certificate["show"])
    else:
        assert certificate == again
    assert check_certificate(certificate).kind == {"R": "refuted", "C": "realized", "P": "proved"}[evidence.kind]


def violated(statement: Statement, d: JointDistribution) -> bool:
    at = Evaluation(d)
    assumptions = all(at.truth(named.formula) for named in statement.assume)
    return assumptions and not all(at.truth(named.formula) for named in statement.show)


def smaller(shape: Shape, d: JointDistribution) -> Iterator[JointDistribution]:
    """Yield the distributions of a shape that are smaller: fewer people, fewer cells, or weights that come before."""
    every = distributions((shape.cardinalities, shape.classes, d.total))
    least = size_of_weights(tuple(d.weights.ravel().tolist()))
    return (other for other in every if size_of_weights(tuple(other.weights.ravel().tolist())) < least)


REFUTED = [some for some in EVERY if some[1].kind == "R" and some[0].id in ENTRIES.keys() - SHOWN]


@pytest.mark.thorough
@pytest.mark.parametrize(("entry", "evidence", "without"), REFUTED, ids=name_of)
def test_no_smaller_distribution_is_a_counterexample(entry: Entry, evidence: Evidence, without: str | None) -> None:
    """Each is decided by itself, with nothing of the search."""
    claim = entry.stated().without(without) if without else entry.stated()
    d = JointDistribution(np.array(evidence.load()["weights"]).tolist())
    statement = claim.statement(shape_of(evidence))
    assert violated(statement, d)
    assert not any(violated(statement, other) for other in itertools.islice(smaller(shape_of(evidence), d), LOOKED_AT))


@pytest.mark.parametrize("part", family("B-3")[:4])
def test_number_of_distributions(part: Part) -> None:
    assert size_of(part) == sum(1 for _ in distributions(part))


@functools.cache
def satisfying(assumptions: tuple[Claim, ...], part: Part) -> int:
    """Return how many distributions of a part satisfy some assumptions."""
    formulas = [named.formula for claim in assumptions for named in claim.statement(Shape(*part[:2])).show]
    return sum(all(map(Evaluation(d).truth, formulas)) for d in distributions(part)) if formulas else size_of(part)


@pytest.mark.thorough
@pytest.mark.parametrize("key", exhausted())
def test_count_of_an_exhausted_family(key: str) -> None:
    """As many distributions as satisfy the assumptions, and on the first of them the statement is true."""
    assume = claims[key].stated().assumptions
    assert exhausted()[key] == sum(satisfying(assume, part) for part in family(key))
    few = tuple(part for part in FEW if part[:2] in [other[:2] for other in family(key)])
    assert held(key, few) == sum(satisfying(assume, part) for part in few)


TRUE = [key for key, entry in claims.items() if entry.claim and entry.status != "false"]
OF_PREDICTORS = {"PN-B", "PN-2", "PN-2c", *(key for key in TRUE if key.startswith("A-"))}
"""Statements about all predictors: checked where these are few."""


@pytest.mark.parametrize("many", [8, pytest.param(40, marks=pytest.mark.thorough)])
@pytest.mark.parametrize("key", TRUE)
def test_true_statements_hold_on_random_distributions(key: str, many: int) -> None:
    for seed in range(many if key not in ("B-0", "B-3e") else many // 2):
        d = drawn(seed, SMALL if key in OF_PREDICTORS else SHAPES)
        if "positive" in claims[key].assumptions and seed % 2:
            d = JointDistribution((2 * d.weights + 1).tolist())
        assert isinstance(claims[key].check(d), Holds | Vacuous), d
