from __future__ import annotations

import re
import subprocess
import sys
from fractions import Fraction
from typing import Any

import pytest

from fstheory.checker import check_certificate
from fstheory.errors import InvalidTypeError, InvalidValueError, NotLinearError, UnknownNameError
from fstheory.ledger import claims
from fstheory.logic import (
    Evaluation,
    Formula,
    Model,
    Named,
    Proved,
    Refuted,
    Shape,
    Statement,
    Undecided,
    claim,
    positive,
)
from fstheory.logic.nodes import to_json
from fstheory.proofs.prover import Prover, prove
from fstheory.proofs.solvers import Clock
from tests.counterexamples.ground import THEOREMS

LEDGER = ["PN-M", "PN-2", "PN-2c", "PN-3", "PN-3a", "PN-4", "PN-5", "PN-5a", "PN-6", "PN-6b", "PN-6c", "PN-7"]


def prove_statement(statement: Statement) -> Proved | Refuted | Undecided:
    return Prover(statement, Clock(None, None)).verdict()


def proved(verdict: object) -> Proved:
    """Require a proof by cases that the checker accepts."""
    assert isinstance(verdict, Proved)
    assert verdict.evidence.startswith("case split")
    assert check_certificate(verdict.certificate)
    return verdict


def refuted(verdict: object, statement: Statement) -> Refuted:
    """Require a counterexample that is one, and a certificate that the checker accepts."""
    assert isinstance(verdict, Refuted)
    at = Evaluation(verdict.distribution)
    assert all(at.truth(named.formula) for named in statement.assume)
    (violated,) = (named for named in statement.show if named.where == verdict.where)
    assert not at.truth(violated.formula)
    assert check_certificate(verdict.certificate)
    return verdict


@pytest.mark.parametrize("cardinalities", [(2,), (2, 2)])
@pytest.mark.parametrize("name", LEDGER)
def test_the_theorems_of_the_ledger_are_proved(name: str, cardinalities: tuple[int, ...]) -> None:
    proved(prove(name, cardinalities=cardinalities))


@pytest.mark.thorough
@pytest.mark.parametrize(("cardinalities", "classes"), [((2, 2), 3), ((3, 2), 2), ((2, 2, 2), 2)])
@pytest.mark.parametrize("name", ["PN-3", "PN-4", "PN-5", "PN-6"])
def test_larger_shapes(name: str, cardinalities: tuple[int, ...], classes: int) -> None:
    verdict = proved(prove(name, cardinalities=cardinalities, classes=classes))
    assert str(verdict).startswith(f"{name}: proved for every distribution with {Shape(cardinalities, classes)}")


@pytest.mark.parametrize("name", THEOREMS)
def test_the_theorems_written_out_by_hand_are_proved(name: str) -> None:
    statement = THEOREMS[name](Shape((2, 2), 2))
    certificate = proved(prove_statement(statement)).certificate
    assert [part["formula"] for part in certificate["show"]] == [to_json(named.formula) for named in statement.show]
    assert [part["formula"] for part in certificate["assume"]] == [to_json(named.formula) for named in statement.assume]


@pytest.mark.parametrize("without", ["positive", "unique_maximum"])
@pytest.mark.parametrize("name", ["PN-2", "PN-4", "PN-6b"])
def test_without_an_assumption_theorems_are_refuted(name: str, without: str) -> None:
    verdict = prove(name, cardinalities=(2, 2), without=without)
    statement = claims[name].claim.without(without).statement(Shape((2, 2)))  # type: ignore[union-attr]
    assert refuted(verdict, statement).claim == f"{name} without {without}"
    assert "not minimized" in str(verdict)


def test_several_assumptions_can_be_dropped() -> None:
    verdict = prove("PN-4", cardinalities=(2, 2), without=["positive", "unique_maximum"])
    assert verdict.claim == "PN-4 without positive without unique_maximum"
    assert isinstance(verdict, Refuted)


def test_the_first_instance_that_fails_is_named() -> None:
    m = Model(Shape((2, 2)))
    show = (
        Named("first", (("i", "X1"),), (m.risk() <= m.risk("X1")).node),
        Named("second", (("i", "X2"),), (m.risk() == m.risk("X2")).node),
    )
    statement = Statement("second", m.shape, (), show)
    assert refuted(prove_statement(statement), statement).where == (("i", "X2"),)


def test_instances_are_not_exchanged_where_an_assumption_tells_them_apart() -> None:
    m = Model(Shape((2, 2)))
    assumed = Named("first is better", (), (m.risk("X1") < m.risk("X2")).node)
    show = tuple(Named("better", (("i", i),), (m.risk(i) <= m.risk(j)).node) for i, j in (("X1", "X2"), ("X2", "X1")))
    proved(prove_statement(Statement("better", m.shape, (assumed,), show[:1])))
    statement = Statement("better", m.shape, (assumed,), show)
    assert refuted(prove_statement(statement), statement).where == (("i", "X2"),)


def test_entries_and_own_claims_can_be_proved() -> None:
    @claim(assume=[positive])
    def half(m: Model, i: str) -> Formula:
        return m.risk(i) <= Fraction(1, 2)

    proved(prove(half, cardinalities=(3, 2)))
    proved(prove(claims["PN-M"], cardinalities=(2, 2)))
    assert isinstance(prove(half, cardinalities=(3, 2), classes=3), Refuted)


def test_a_statement_without_instances_and_one_that_is_never_true() -> None:
    shape = Shape((2,))
    nothing = prove_statement(Statement("nothing", shape, (), ()))
    assert isinstance(nothing, Proved)
    assert nothing.evidence == "no formula is left to prove"
    never = Statement("never", shape, (), (Named("never", (), ("or",)),))
    refuted(prove_statement(never), never)
    impossible = Statement("any", shape, (Named("never", (), ("or",)),), (Named("any", (), ("or",)),))
    proved(prove_statement(impossible))


@pytest.mark.parametrize(("cardinalities", "classes"), [((), 2), ((1,), 2), ((2,), 1), ((1, 2), 3)])
def test_degenerate_shapes(cardinalities: tuple[int, ...], classes: int) -> None:
    for name in ("PN-M", "PN-3", "PN-4"):
        verdict = prove(name, cardinalities=cardinalities, classes=classes)
        assert verdict
        accepted = check_certificate(verdict.certificate).status
        assert accepted == ("accepted" if verdict.certificate["show"] else "vacuous")


def test_a_second_opinion_leaves_a_trace() -> None:
    assert re.fullmatch(
        r".*\(case split; z3 [\d.]+ and cvc5 [\d.]+ agree\)",
        str(prove("PN-4", cardinalities=(2, 2), second_opinion=True)),
    )


def test_a_number_of_many_digits() -> None:
    @claim
    def far(m: Model) -> Formula:
        return m.risk() <= 10**5000

    @claim
    def near(m: Model) -> Formula:
        return m.risk() <= Fraction(1, 10**5000)

    for second in (False, True):
        proved = prove(far, cardinalities=(2,), second_opinion=second)
        assert isinstance(proved, Proved)
        assert prove(near, cardinalities=(2,), second_opinion=second).status in {"refuted", "undecided"}


@pytest.mark.parametrize("wrong", [5, None, "2,2", 2.0, [2.0]])
def test_cardinalities_that_are_none(wrong: Any) -> None:
    with pytest.raises(InvalidTypeError, match="cardinalities must be "):
        prove("PN-M", cardinalities=wrong)


def test_the_word_of_the_solvers_is_called_so() -> None:
    one = prove("PN-4", cardinalities=(2, 2), certificate=False)
    two = prove("PN-4", cardinalities=(2, 2), certificate=False, second_opinion=True)
    for verdict, solvers in ((one, ["z3"]), (two, ["z3", "cvc5"])):
        assert isinstance(verdict, Proved)
        assert verdict.evidence.startswith("solvers")
        assert (" and cvc5 " in verdict.evidence) == (len(solvers) == 2)
        assert [solver.split()[0] for solver in verdict.certificate["solvers"]] == solvers
        assert check_certificate(verdict.certificate).status == "unverifiable"
        assert str(verdict).endswith(f"({verdict.evidence})")


def test_a_second_opinion_and_a_proof_by_cases() -> None:
    proved(prove("PN-3", cardinalities=(2, 2), second_opinion=True))


@pytest.mark.parametrize("name", ["PN-R1", "PN-R2"])
def test_what_is_not_linear_is_refused_with_the_reason(name: str) -> None:
    with pytest.raises(
        NotLinearError, match=rf"^{name}( at .*)? is beyond linear arithmetic: P\(.* is a product of two"
    ):
        prove(name, cardinalities=(2, 2))


def test_a_claim_that_computes_with_the_distribution_is_refused() -> None:
    @claim
    def small(m: Model) -> bool:
        return m.distribution.total < 10

    with pytest.raises(NotLinearError, match=r"m\.distribution exists only where"):
        prove(small, cardinalities=(2,))


def test_what_cannot_be_asked() -> None:
    with pytest.raises(UnknownNameError, match="'PN-99' does not exist"):
        prove("PN-99", cardinalities=(2,))
    with pytest.raises(UnknownNameError, match="assumption of PN-M 'positive' does not exist"):
        prove("PN-M", cardinalities=(2,), without="positive")
    with pytest.raises(InvalidTypeError, match="claim must be a claim, or its id in the ledger, not 3"):
        prove(3, cardinalities=(2,))  # type: ignore[arg-type]
    with pytest.raises(InvalidValueError, match="classes must be at least 1"):
        prove("PN-M", cardinalities=(2,), classes=0)
    for limit in (0, -1, float("nan")):
        with pytest.raises(InvalidValueError, match="time_limit must be above 0"):
            prove("PN-M", cardinalities=(2,), time_limit=limit)
    with pytest.raises(InvalidTypeError, match="progress must be a function"):
        prove("PN-M", cardinalities=(2,), progress="yes")  # type: ignore[arg-type]
    without_claim = next(key for key, entry in claims.items() if entry.claim is None)
    with pytest.raises(InvalidValueError, match="claim must be an entry about one distribution"):
        prove(without_claim, cardinalities=(2,))


def test_the_same_question_has_the_same_certificate_in_another_process() -> None:
    code = (
        "from fstheory.proofs.prover import prove\n"
        "print(prove('PN-7', cardinalities=(2, 2)).certificate['digest'])\n"
        "print(prove('PN-7', cardinalities=(2, 2), without='positive').certificate['digest'])\n"
    )
    here = [
        prove("PN-7", cardinalities=(2, 2)).certificate["digest"],  # type: ignore[union-attr]
        prove("PN-7", cardinalities=(2, 2), without="positive").certificate["digest"],  # type: ignore[union-attr]
    ]
    there = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert there.stdout.split() == here
