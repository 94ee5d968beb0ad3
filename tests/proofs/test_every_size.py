"""Claims for every number of states: against the theorem, single shapes and literal checks; certificates changed."""

import pytest

from fstheory._support.progress import Clock
from fstheory._support.work import Crew
from fstheory.errors import NotLinearError
from fstheory.logic.certificate import Certificate
from fstheory.logic.every_size import EverySize
from fstheory.papers.ledger import find_claim, verify_certificate
from fstheory.proofs.every_size import decided

NO_LIMIT = Clock(None, None)


@pytest.mark.parametrize(
    ("claim", "cases", "trust"),
    [("PN-M", 2, ""), ("PN-3", 28, "it trusts Theorem 4"), ("PN-5", 17, ""), ("PN-6c", 7, ""), ("B-5tc", 2, "")],
)
def test_claims_of_the_ledger_are_proved_for_two_features_of_any_numbers_of_states(
    claim: str, cases: int, trust: str
) -> None:
    found = decided(find_claim(claim).statement(EverySize(2)), NO_LIMIT, Crew())
    assert isinstance(found, Certificate)
    checked = verify_certificate(found)
    assert checked
    assert f" {cases} cases" in checked.summary
    assert trust in checked.summary if trust else "trusts" not in checked.summary


@pytest.mark.parametrize(("claim", "asked"), [("PN-2", "its shape"), ("PN-B2", "classes"), ("PN-7", "states")])
def test_what_asks_about_states_is_refused_with_the_reason(claim: str, asked: str) -> None:
    with pytest.raises(NotLinearError, match=f"claim {claim} .*: it asks about {asked}; a claim for every number of"):
        find_claim(claim).statement(EverySize(2))
