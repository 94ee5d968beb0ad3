"""A feature as the only target of a claim for every number of states: it changes places with the class."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, strategies as st

from fstheory.distributions.joint import JointDistribution
from fstheory.errors import CertificateError, NotLinearError
from fstheory.logic.claims import Claim, claim
from fstheory.logic.ledger import verify_certificate
from fstheory.logic.verdict import Proved, Refuted
from fstheory.proofs.prover import prove
from fstheory.testing import joint_distributions
from tests.logic.building import signed

TRUE: dict[str, Callable[[Any], Any]] = {
    "monotone": lambda m: m.risk({"X1", "Y"}, target="X2") <= m.risk("X1", target="X2"),
    "below the prior": lambda m: (m.risk(target="X2") <= m.risk((), target="X2")) & (m.risk((), target="X2") < 1),
    "Hellman and Raviv": lambda m: m.risk("X1", target="X2") <= m.info("H(X2 | X1)", base=2) / 2,
    "a function": lambda m: m.iff(m.function("X2", of={"X1", "Y"}), m.risk({"X1", "Y"}, target="X2") == 0),
    "the bridge": lambda m: m.implies(
        m.info("I(X2; Y | X1)") == 0, m.risk({"X1", "Y"}, target="X2") == m.risk("X1", target="X2")
    ),
    "Gini": lambda m: m.gini("Y", target="X2") <= 2 * m.risk("Y", target="X2"),
}
FALSE: dict[str, Callable[[Any], Any]] = {
    "one feature": lambda m: m.risk("X1", target="X2") <= m.risk("Y", target="X2"),
    "no information": lambda m: m.implies(m.info("I(X1; Y)") == 0, m.risk("Y", target="X2") == m.risk((), target="X2")),
}


@pytest.mark.parametrize("name", TRUE)
def test_a_claim_with_a_feature_as_target_is_proved(name: str) -> None:
    said = claim(TRUE[name], name=name)
    verdict = prove(said, features=2)
    assert isinstance(verdict, Proved)
    assert verdict.claim == name
    assert "; with X2 and Y exchanged" in verdict.evidence
    assert verdict.certificate["claim"] == f"{name} with X2 and Y exchanged"
    assert verify_certificate(verdict.certificate, said).status == "accepted"


@given(joint_distributions(min_features=2, max_features=2), st.sampled_from([*TRUE]))
def test_what_is_proved_is_true_at_each_distribution(d: JointDistribution, name: str) -> None:
    plain = JointDistribution(d.weights)
    assert claim(TRUE[name], name=name).check(plain).status == "holds"


@pytest.mark.parametrize("name", FALSE)
def test_a_false_claim_with_a_feature_as_target_is_refuted(name: str) -> None:
    said = claim(FALSE[name], name=name)
    verdict = prove(said, features=2)
    assert isinstance(verdict, Refuted)
    assert said.check(verdict.distribution).status == "refuted"
    assert verify_certificate(verdict.certificate, said).status == "accepted"


KNOWN = claim(lambda m: m.risk("X1", target="X2") == 0, name="known")


@pytest.mark.parametrize(
    ("said", "options"),
    [
        (claim(lambda m: m.risk("X1", target="X2") <= m.risk(()), name="two targets"), {}),
        (claim(lambda m: m.risk("X1", target="X2") <= m.risk((), target="X1"), name="two features"), {}),
        (claim(TRUE["monotone"], name="classes"), {"classes": 2}),
        (claim(TRUE["monotone"], name="assumed", assume=["positive"]), {}),
        (claim(lambda m, S: m.implies((m.features == S), m.risk(S) == 0), name="read once", assume=[KNOWN]), {}),
        (claim(lambda m: m.auc() >= m.auc("X1"), name="an area", assume=[KNOWN]), {}),
        (claim(lambda m: m.explained() >= m.explained("X1"), name="a share", assume=[KNOWN]), {}),
        (claim(lambda m: m.minimal_optimal("X1"), name="optimal", assume=[KNOWN]), {}),
    ],
    ids=lambda value: value.name if isinstance(value, Claim) else "",
)
def test_claims_with_more_than_one_target_are_refused(said: Claim, options: dict[str, int]) -> None:
    with pytest.raises(NotLinearError, match="it asks about X2 as a target beside other targets"):
        prove(said, features=2, **options)  # type: ignore[arg-type]


def test_a_certificate_is_about_the_feature_that_it_names() -> None:
    said = claim(TRUE["monotone"], name="monotone")
    verdict = prove(said, features=2)
    assert isinstance(verdict, Proved)
    for title in ("monotone", "monotone with X1 and Y exchanged", "monotone with X9 and Y exchanged"):
        content = signed(json.loads(verdict.certificate.to_json()) | {"claim": title})
        assert verify_certificate(content, said).status == "as it stands"  # the claim has no such statement
    other = claim(lambda m: m.risk("Y", target="X2") <= m.risk("X1", target="X2"), name="monotone")
    with pytest.raises(CertificateError, match="its statement is another one"):
        verify_certificate(verdict.certificate, other)
