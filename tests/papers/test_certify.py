"""The certificates about distributions: made again, and the smallest; that they are accepted the audit tests."""

import itertools
from collections.abc import Iterator

import numpy as np
import pytest

from fstheory.distributions.joint import JointDistribution
from fstheory.logic.checker import check_certificate
from fstheory.logic.evaluate import Evaluation
from fstheory.logic.statement import Shape, Statement
from fstheory.papers.entry import Entry, Evidence
from fstheory.proofs.descent import size_of_weights
from tests.papers.certify import SHOWN, made, shape_of, wanted
from tests.papers.check_true import ENTRIES, distributions
from tests.papers.evidence import Part

Wanted = tuple[Entry, Evidence, str | None]

EVERY = wanted()
NAMES = [evidence.certificate or "" for _, evidence, _ in EVERY]
LOOKED_AT = 1_200  # smaller distributions, at most, to be looked at here one by one; the search looks at all


@pytest.mark.thorough
@pytest.mark.parametrize(("entry", "evidence", "without"), EVERY, ids=NAMES)
def test_certificate_is_made_again_and_accepted(entry: Entry, evidence: Evidence, without: str | None) -> None:
    """The same distribution, the answer of the search, which says that nothing is smaller; the checker agrees.

    A proof may be another one of the same statement, if the prover takes other cases.
    """
    certificate, again = evidence.load(), made(entry, evidence, without)
    if evidence.kind == "P":
        assert check_certificate(again)
        assert (again["assume"], again["show"]) == (certificate["assume"], certificate["show"])
    else:
        assert certificate == again
    assert check_certificate(certificate).kind == {"R": "refuted", "C": "realized", "P": "proved"}[evidence.kind]


def violated(statement: Statement, d: JointDistribution) -> bool:
    at = Evaluation(d)
    assumed = all(at.truth(named.formula) for named in statement.assume)
    return assumed and not all(at.truth(named.formula) for named in statement.show)


def smaller(shape: Shape, d: JointDistribution) -> Iterator[JointDistribution]:
    """Yield the distributions of a shape that are smaller: fewer people, fewer cells, or weights that come before."""
    every = distributions((shape.cardinalities, shape.classes, d.total))
    sizes = ((other, size_of_weights(tuple(other.weights.ravel().tolist()))) for other in every)
    return (other for other, size in sizes if size < size_of_weights(tuple(d.weights.ravel().tolist())))


REFUTED = [some for some in EVERY if some[1].kind == "R" and some[0].id in ENTRIES.keys() - SHOWN]


@pytest.mark.thorough
@pytest.mark.parametrize(("entry", "evidence", "without"), REFUTED, ids=lambda value: getattr(value, "certificate", ""))
def test_no_smaller_distribution_is_a_counterexample(entry: Entry, evidence: Evidence, without: str | None) -> None:
    """Each is decided by itself, with nothing of the search."""
    claim = entry.stated().without(without) if without else entry.stated()
    shape = shape_of(evidence)
    d = JointDistribution(np.array(evidence.load()["weights"]).tolist())
    statement = claim.statement(shape)
    assert violated(statement, d)
    others = itertools.islice(smaller(shape, d), LOOKED_AT)
    assert not any(violated(statement, other) for other in others)


FEWER: dict[int, tuple[Part, ...]] = {1: (), 2: (((2,), 2, 6), ((2,), 3, 4), ((3,), 2, 5)), 3: (((2, 2), 2, 4),)}
"""Shapes with a feature less."""


@pytest.mark.thorough
@pytest.mark.parametrize("entry", [entry for entry in ENTRIES.values() if entry.status == "false"], ids=lambda e: e.id)
def test_fewer_features_give_no_counterexample(entry: Entry) -> None:
    if entry.id in SHOWN or entry.claim is None:
        return
    fewest = min(len(shape_of(evidence).cardinalities) for evidence in entry.evidence if evidence.kind == "R")
    for part in FEWER[fewest]:
        statement = entry.stated().statement(Shape(part[0], part[1]))
        assert not any(violated(statement, d) for d in distributions(part)), part
