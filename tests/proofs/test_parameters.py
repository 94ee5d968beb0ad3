"""Claims for all values of parameters: what a refutation names, and what is left open at irrational values."""

from collections.abc import Iterator
from fractions import Fraction

import pytest

from fstheory.errors import ClaimError
from fstheory.logic.claims import claim
from fstheory.logic.expressions import Formula, Term
from fstheory.logic.language import Model
from fstheory.logic.ledger import verify_certificate
from fstheory.logic.statement import Shape
from fstheory.logic.verdict import Proved, Refuted
from fstheory.proofs.prover import prove
from fstheory.proofs.refutation import refute


def taus(m: Model) -> Iterator[Term]:
    return (m.parameter(name, above=0, below=1) for name in ("tau1", "tau2"))


@claim
def larger_keeps_more(m: Model, i: str) -> Formula:
    cost, (s, t) = m.risk(m.features - {i}) - m.risk(), taus(m)
    return m.implies((s < t) & (cost > s), cost > t)


@pytest.mark.parametrize(("cardinalities", "features"), [((2,), None), (None, 1)])
def test_a_refutation_has_the_values(cardinalities: tuple[int, ...] | None, features: int | None) -> None:
    for search in (prove, refute):
        refuted = search(larger_keeps_more, cardinalities=cardinalities, features=features)
        assert isinstance(refuted, Refuted)
        assert verify_certificate(refuted.certificate, larger_keeps_more)
        assert 0 < Fraction(refuted.values["tau1"]) < Fraction(refuted.values["tau2"]) < 1
    with pytest.raises(ClaimError, match="what is assumed must be without parameters, not \\['larger_keeps_more at "):
        prove(claim(lambda m: True, assume=[larger_keeps_more]), cardinalities=cardinalities, features=features)


def test_a_single_point_is_found_and_a_proof_written() -> None:
    def thin(m: Model) -> Formula:
        s, t = taus(m)
        return ~((s + t == 1) & (m.maximum([s, t]) == Fraction(3, 5)) & (s < t))

    refuted, proved = claim(thin).check(Shape((), 2).distribution([1, 1])), prove("PN-8s", features=2)
    assert isinstance(refuted, Refuted)
    assert refuted.where == (("tau1", "2/5"), ("tau2", "3/5"))
    assert isinstance(proved, Proved)
    assert r"= \text{tau2} - \text{tau1}\text{, by (1)}" in proved.proof.to_latex()


def test_a_parameter_may_stand_beside_informations() -> None:
    def more(m: Model) -> Formula:
        told = m.mutual_information({"X1", "X2"})
        return m.implies(told <= next(taus(m)), m.mutual_information("X1") <= next(taus(m)))

    def fewer(m: Model) -> Formula:
        told = m.mutual_information({"X1", "X2"})
        return m.implies(m.mutual_information("X1") <= next(taus(m)), told <= next(taus(m)))

    def no_information(m: Model) -> Formula:
        return m.entropy(m.target) != next(taus(m))

    assert prove(claim(more), features=2).status == "proved"
    refuted = prove(claim(fewer), features=2)
    assert isinstance(refuted, Refuted)
    assert verify_certificate(refuted.certificate, claim(fewer))
    fair = Shape((2, 2), 2).distribution([1, 0, 0, 1, 1, 0, 0, 1])
    assert claim(more).check(fair).status == "holds"  # log(2) is no wall of a false value
    with pytest.raises(ClaimError, match="rational"):  # false at log(2) alone
        claim(no_information).check(fair)
    with pytest.raises(ClaimError, match="two parameters"):
        claim(lambda m: m.entropy(m.target) <= m.sum(taus(m))).check(fair)


@pytest.mark.parametrize("features", [1, 2])
def test_a_claim_that_is_false_only_at_an_irrational_value_is_undecided(features: int) -> None:
    """The class of any distribution with fractions that refutes these has an entropy of logarithms."""

    def no_information(m: Model) -> Formula:
        return m.mutual_information(m.features) != next(taus(m))

    def at_most_half(m: Model) -> Formula:
        return m.implies(m.mutual_information(m.features) == next(taus(m)), next(taus(m)) <= Fraction(1, 2))

    def half(m: Model) -> Formula:  # also false at a fraction: where the entropy is 0
        return m.implies(m.entropy(m.target) < next(taus(m)), m.entropy(m.target) == next(taus(m)))

    for said in (no_information, at_most_half):
        reason = str(prove(claim(said), features=features))
        assert "undecided for" in reason
        assert "it is false only at an irrational value of a parameter, as at tau1 = " in reason
    assert prove(claim(half), features=features).status == "refuted"


def test_two_parameters_beside_an_information_leave_a_claim_undecided() -> None:
    sums = claim(lambda m: m.entropy(m.target) <= m.sum(taus(m)), name="sums")
    assert "a comparison with two parameters in a claim must be rational" in str(prove(sums, features=1))
