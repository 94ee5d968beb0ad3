"""The ledger of Peña and Nilsson: its certificates are made again, its counts counted again, its claims compared."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fstheory.adversary import adversarial
from fstheory.bayes import bayes_risks
from fstheory.counterexamples import needed_assumptions
from fstheory.distribution import JointDistribution
from fstheory.ledger import claims, verify_certificate
from fstheory.ledger.entry import Entry
from fstheory.ledger.pena_nilsson_2010 import TAUS, backward_runs
from fstheory.logic import Evaluation, Holds, Model, Proved, Refuted, Vacuous
from fstheory.orders import linear_extensions
from fstheory.proofs import prove
from fstheory.selection import minimal_optimal, relevance
from fstheory.testing import joint_distributions
from tests.ledger.check_pena_nilsson import COUNTS
from tests.ledger.iterations_literal import backward

ENTRIES = [entry for key, entry in claims.items() if key.startswith("PN")]
SMALL = joint_distributions(min_features=1, cardinalities=(2, 2), classes=(2, 3), max_weight=3, huge=False)
TINY = joint_distributions(
    min_features=1, max_features=2, cardinalities=(2, 2), classes=(2, 3), max_weight=3, huge=False
)
PROVED = [entry.id for entry in ENTRIES if any(evidence.kind == "P" for evidence in entry.evidence)]


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: entry.id)
def test_status_is_what_the_evidence_says(entry: Entry) -> None:
    for name, evidence in entry.needs.items():
        assert name in entry.assumptions
        assert evidence.kind in "RPM"
    assert (entry.status == "open") is (entry.id == "PN-8")
    assert (entry.status == "false") is (entry.id in {"PN-3b", "PN-8a", "PN-8r"})


@pytest.mark.thorough
@pytest.mark.parametrize("key", COUNTS)
def test_count(key: str) -> None:
    counts = {evidence.count for evidence in claims[key].evidence if evidence.count}
    assert counts == {COUNTS[key]()}


@pytest.mark.parametrize("key", PROVED)
@given(st.data())
def test_what_is_proved_is_never_refuted(key: str, data: st.DataObject) -> None:
    d = data.draw(TINY if key in {"PN-2", "PN-2c"} else SMALL)  # there are many classifiers
    shapes = [evidence.what for evidence in claims[key].evidence if evidence.kind == "P"]
    verdict = claims[key].check(d)
    assert isinstance(verdict, Holds | Vacuous), shapes


@given(SMALL)
def test_backward_runs_are_those_of_the_library(d: JointDistribution) -> None:
    """Table 1 as the ledger states it, and as `minimal_optimal` runs it."""
    at = Evaluation(d)
    (happened,) = (run for run in backward_runs(Model(d)) if at.truth(run.happens.node))
    found = minimal_optimal(d)
    assert (happened.returned, happened.iterations) == (found.features, found.iterations)


@given(SMALL)
def test_relevance_is_that_of_the_library(d: JointDistribution) -> None:
    strong = relevance(d).strong
    solutions = minimal_optimal(d, method="exhaustive").solutions
    assert bool(claims["PN-R1"].stated().without("positive", "unique_maximum").check(d)) is all(
        solution <= strong for solution in solutions
    )


@pytest.mark.parametrize("key", ["PN-3", "PN-4", "PN-5", "PN-5a", "PN-6", "PN-6b", "PN-7"])
def test_needed_assumptions_are_those_of_the_entry(key: str) -> None:
    entry = claims[key]
    found = needed_assumptions(entry, cardinalities=None if key not in {"PN-5", "PN-5a"} else (2, 2))
    for name, verdict in found.items():
        expected = entry.needs[name]
        assert isinstance(verdict, Refuted if expected.kind == "R" else Proved)
        if isinstance(verdict, Refuted):
            assert verdict.minimality.startswith("proved")


@pytest.mark.thorough
@pytest.mark.parametrize("key", ["PN-M", "PN-3", "PN-4", "PN-5", "PN-6", "PN-7", "PN-2"])
@pytest.mark.parametrize("shape", [((2, 2), 3), ((2, 2, 2), 2)], ids=str)
def test_proof_for_other_shapes(key: str, shape: tuple[tuple[int, ...], int]) -> None:
    cardinalities, classes = shape
    proved = prove(key, cardinalities=cardinalities, classes=classes)
    assert isinstance(proved, Proved)
    assert proved.evidence == "case split"
    assert verify_certificate(proved.certificate).status == "accepted"


def test_the_adversary_satisfies_the_assumptions_of_every_theorem() -> None:
    """So no theorem is vacuous there, and all hold: PN-1a."""
    for order in itertools.islice(linear_extensions(3), 0, None, 7):
        d = adversarial(order)
        for key in ("PN-2", "PN-3", "PN-4", "PN-5", "PN-6", "PN-7"):
            assert isinstance(claims[key].check(d), Holds)


def test_statements_on_the_example_are_checkable_at_a_distribution() -> None:
    """PN-E1 and PN-R3 hold at every distribution of Example 1, and say nothing of others."""
    for key in ("PN-E1", "PN-R3"):
        for share in (1, 2, 5):
            thirds = JointDistribution([[0, 3], [share, 2 * share]])
            assert isinstance(claims[key].check(thirds), Holds)
        assert isinstance(claims[key].check(JointDistribution([[1, 2], [1, 2]])), Vacuous)


@given(SMALL)
def test_iterations_are_those_of_the_library(d: JointDistribution) -> None:
    few = minimal_optimal(d).iterations < len(d.features) ** 2
    assert isinstance(claims["PN-8a"].check(d), Holds) is few
    assert isinstance(claims["PN-8b"].check(d), Holds)


def test_recall_of_fbs_with_the_risks() -> None:
    """PN-8r at its counterexample, by Table 1 line by line: one feature of three with tau = 1/10, two with 1/4."""
    d = JointDistribution(claims["PN-8r"].evidence[0].load()["weights"])
    risks = bayes_risks(d)

    def named(S: frozenset[int]) -> frozenset[str]:
        return frozenset(f"X{i}" for i in S)

    found = [
        backward(3, lambda S, i, tau=tau: risks[named(S - {i})] <= risks[named(S)] + tau).removed  # type: ignore[misc]
        for tau in TAUS
    ]
    assert found == [(2, 3), (1,)]
    assert minimal_optimal(d).features == {"X1", "X2", "X3"}


@given(SMALL)
def test_runs_with_tau_are_those_of_the_table(d: JointDistribution) -> None:
    at, risks, names = Evaluation(d), bayes_risks(d), dict(enumerate(d.features, 1))
    for tau in TAUS:
        (happened,) = (run for run in backward_runs(Model(d), tau) if at.truth(run.happens.node))
        literal = backward(
            len(names),
            lambda S, i, tau=tau: risks[{names[j] for j in S - {i}}] <= risks[{names[j] for j in S}] + tau,  # type: ignore[misc]
        )
        assert happened.iterations == literal.iterations
        assert happened.returned == {names[i] for i in names if i not in literal.removed}
