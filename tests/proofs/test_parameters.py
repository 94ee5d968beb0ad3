"""Claims for all values of parameters: what a refutation names, and what is compared at one distribution."""

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
from tests.proofs.test_decided import said


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


def test_a_parameter_beside_an_information_at_a_distribution() -> None:
    fair = Shape((2, 2), 2).distribution([1, 0, 0, 1, 1, 0, 0, 1])
    more = said('implies(info("I(Y;X1,X2)") <= T(1), info("I(Y;X1)") <= T(1))')
    assert more.check(fair).status == "holds"  # log(2) is no wall of a false value
    with pytest.raises(ClaimError, match="rational"):  # false at log(2) alone
        said('info("H(Y)") != T(1)').check(fair)
    with pytest.raises(ClaimError, match="two parameters"):
        said('info("H(Y)") <= T(1) + T(2)').check(fair)
