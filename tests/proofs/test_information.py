"""Statements about informations for every number of states: their proofs, counterexamples, and what stays open."""

import pytest

from fstheory._support.progress import Clock
from fstheory._support.work import Crew
from fstheory.logic import Claim, Formula, Model, Shape, claim
from fstheory.logic.certificate import Certificate
from fstheory.logic.checker import check_certificate
from fstheory.logic.every_size import EverySize
from fstheory.logic.verdict import Refuted
from fstheory.proofs.enumeration import on_equal_points
from fstheory.proofs.every_size import decided, joined
from tests.proofs.information import (
    NOT_SHANNON,
    PROVED,
    REFUTED,
    STATEMENTS,
    claim_of,
    features_in,
    follows,
    information,
    leaves,
    plus,
)

SHANNON = [text for text, verdict in STATEMENTS.items() if verdict == PROVED and text not in NOT_SHANNON]


def asked(claim: Claim, features: int) -> object:
    return decided(claim.statement(EverySize(features)), Clock(None, None), Crew())


def test_a_linear_program_agrees() -> None:
    """By floats, and elemental inequalities written down anew; psitip 1.1.7 was asked too, and agrees on all."""
    pytest.importorskip("scipy")
    for text, verdict in STATEMENTS.items():
        assert follows(text) == (verdict == PROVED and text not in NOT_SHANNON), text


@pytest.mark.parametrize("text", [text for text, verdict in STATEMENTS.items() if verdict == REFUTED])
def test_a_counterexample_on_equal_points(text: str) -> None:
    claim, features = claim_of(text), features_in(text)
    shown = claim.statement(Shape((2,) * features)).shown
    for classes in (None, 2):
        d = next(on_equal_points([], shown, features, classes))
        assert isinstance(claim.check(d), Refuted), d
        assert len(d.classes) == (classes or len(d.classes))


@pytest.mark.parametrize("text", SHANNON)
def test_a_proof_is_a_sum_of_informations(text: str) -> None:
    """What the multiplied facts add up to, read from the words alone, is 0; what is denied is among them."""
    certificate = asked(claim_of(text), features_in(text))
    assert isinstance(certificate, Certificate)
    assert check_certificate(certificate)
    for total, denied in leaves(text, certificate):
        assert not total
        assert denied > 0


def test_informations_are_joined_by_the_chain_rule() -> None:
    elemental = {(1, 2, 0): 1, (1, 4, 2): 1, (1, 8, 6): 2, (1, 1, 14): 1, (2, 4, 1): 3, (2, 2, 13): 3}
    found = joined(elemental)
    assert len(found) == 4
    sums = (plus((times, information(*sets)) for sets, times in parts.items()) for parts in (elemental, found))
    assert next(sums) == next(sums)
    assert joined({(1, 2, 0): 2, (1, 4, 2): 2, (1, 1, 6): 2}) == {(1, 1, 0): 2}


@claim
def irrelevant_in_naive_bayes(m: Model, i: str, j: str) -> Formula | bool:
    alone = m.independent(i, j, given=m.target) & m.independent(i, m.target)
    return i == j or m.implies(alone, m.risk({i, j}) == m.risk(j))


@claim
def blanket(m: Model, i: str, S: frozenset[str], T: frozenset[str]) -> Formula | bool:
    """Koller and Sahami: what a Markov blanket that stays makes superfluous is no loss, of either kind."""
    kept, every = S | T, S | T | {i}
    same = (m.risk(every) == m.risk(kept)) & (m.mutual_information(every) == m.mutual_information(kept))
    return i in kept or bool(S & T) or m.implies(m.independent(i, T | {m.target}, given=S), same)


@claim
def sure(m: Model, S: frozenset[str]) -> Formula:
    return m.iff(m.risk(S) == 0, m.conditional_entropy(S) == 0)


@claim
def equal_risks_equal_information(m: Model, i: str, j: str) -> Formula | bool:
    return i == j or m.implies(m.risk({i, j}) == m.risk(j), m.independent(i, m.target, given=j))


def test_risk_and_information_meet_where_a_feature_tells_nothing_and_where_the_class_is_certain() -> None:
    for one, features in ((irrelevant_in_naive_bayes, 3), (blanket, 3), (sure, 2)):
        assert isinstance(found := asked(one, features), Certificate)
        assert check_certificate(found), one
    assert not isinstance(asked(equal_risks_equal_information, 2), Certificate)
