import re
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

from fstheory._support.progress import Clock
from fstheory.errors import NotLinearError
from fstheory.logic.checker import check_certificate
from fstheory.logic.claims import claim, positive
from fstheory.logic.expressions import Node, to_json
from fstheory.logic.language import Model
from fstheory.logic.statement import Instance, Shape, Statement
from fstheory.logic.verdict import Proved, Refuted
from fstheory.papers.ledger import claims
from fstheory.proofs.prover import Prover, prove
from tests.proofs.claims import named, total_below_five

LEDGER = ["PN-M", "PN-2", "PN-2c", "PN-3", "PN-3a", "PN-4", "PN-5", "PN-5a", "PN-6", "PN-6b", "PN-6c", "PN-7"]


def prove_statement(shape: Shape, show: Mapping[str, Node], *assumed: Node) -> tuple[Any, Statement]:
    """Return the verdict on named formulas, and their statement."""
    named = tuple(Instance(name, (("i", name),), formula) for name, formula in show.items())
    statement = Statement("any", shape, tuple(Instance("assumed", (), formula) for formula in assumed), named)
    return Prover(statement, Clock(None, None)).verdict(), statement


def proved(verdict: object) -> Proved:
    """Require a proof by cases that the checker accepts."""
    assert isinstance(verdict, Proved)
    assert verdict.evidence.startswith("case split")
    assert check_certificate(verdict.certificate)
    return verdict


def refuted(verdict: object, statement: Statement) -> Refuted:
    """Require a counterexample that is one, and a certificate that the checker accepts."""
    assert isinstance(verdict, Refuted)
    (violated,) = (instance for instance in statement.show if instance.where == verdict.where)
    assert replace(statement, show=(violated,)).violated_at(verdict.distribution)
    assert check_certificate(verdict.certificate)
    return verdict


@pytest.mark.parametrize("cardinalities", [pytest.param((2,), marks=pytest.mark.thorough), (2, 2)])
@pytest.mark.parametrize("name", LEDGER)
def test_the_theorems_of_the_ledger_are_proved(name: str, cardinalities: tuple[int, ...]) -> None:
    certificate = proved(prove(name, cardinalities=cardinalities)).certificate
    statement = claims[name].stated().statement(Shape(cardinalities))
    assert [part["formula"] for part in certificate["show"]] == [to_json(named.formula) for named in statement.show]
    assert [part["formula"] for part in certificate["assume"]] == [to_json(named.formula) for named in statement.assume]


@pytest.mark.thorough
@pytest.mark.parametrize(("cardinalities", "classes"), [((2, 2), 3), ((3, 2), 2), ((2, 2, 2), 2)])
@pytest.mark.parametrize("name", ["PN-3", "PN-4", "PN-5", "PN-6"])
def test_larger_shapes(name: str, cardinalities: tuple[int, ...], classes: int) -> None:
    verdict = proved(prove(name, cardinalities=cardinalities, classes=classes))
    assert str(verdict).startswith(f"{name}: proved for every distribution with {Shape(cardinalities, classes)}")


@pytest.mark.parametrize("without", [["positive"], ["positive", "unique_maximum"]], ids=str)
@pytest.mark.parametrize("name", ["PN-2", "PN-4", "PN-6b"])
def test_without_an_assumption_theorems_are_refuted(name: str, without: list[str]) -> None:
    verdict = prove(name, cardinalities=(2, 2), without=without)
    statement = claims[name].claim.without(*without).statement(Shape((2, 2)))  # type: ignore[union-attr]
    assert refuted(verdict, statement).claim == " without ".join([name, *without])
    assert "not minimized" in str(verdict)


def test_the_first_instance_that_fails_is_named() -> None:
    m = Model(Shape((2, 2)))
    show = {"first": (m.risk() <= m.risk("X1")).node, "second": (m.risk() == m.risk("X2")).node}
    assert refuted(*prove_statement(m.shape, show)).where == (("i", "second"),)


def test_instances_are_not_exchanged_where_an_assumption_tells_them_apart() -> None:
    m = Model(Shape((2, 2)))
    better = {i: (m.risk(i) <= m.risk(j)).node for i, j in (("X1", "X2"), ("X2", "X1"))}
    assumed = (m.risk("X1") < m.risk("X2")).node
    proved(prove_statement(m.shape, {"X1": better["X1"]}, assumed)[0])
    assert refuted(*prove_statement(m.shape, better, assumed)).where == (("i", "X2"),)


def test_entries_and_own_claims_can_be_proved() -> None:
    half = claim(name="half", assume=[positive])(lambda m, i: m.risk(i) <= Fraction(1, 2))
    proved(prove(half, cardinalities=(3, 2)))
    proved(prove(claims["PN-M"], cardinalities=(2, 2)))
    assert isinstance(prove(half, cardinalities=(3, 2), classes=3), Refuted)


def test_a_statement_without_instances_and_one_that_is_never_true() -> None:
    never: dict[str, Node] = {"never": ("or",)}
    nothing, _ = prove_statement(Shape((2,)), {})
    assert nothing.evidence == "no formula is left to prove"
    refuted(*prove_statement(Shape((2,)), never))
    impossible = proved(prove_statement(Shape((2,)), never, *never.values())[0])
    assert impossible.evidence == "case split; what it assumes is a contradiction"


@pytest.mark.parametrize(("cardinalities", "classes"), [((), 2), ((1,), 2), ((2,), 1), ((1, 2), 3)])
def test_degenerate_shapes(cardinalities: tuple[int, ...], classes: int) -> None:
    for name in ("PN-M", "PN-3", "PN-4"):
        verdict = prove(name, cardinalities=cardinalities, classes=classes)
        assert verdict
        accepted = check_certificate(verdict.certificate).status
        assert accepted == ("accepted" if verdict.certificate["show"] else "vacuous")


def test_a_second_opinion_leaves_a_trace() -> None:
    verdict = proved(prove("PN-4", cardinalities=(2, 2), second_opinion=True))
    assert re.fullmatch(r".*\(case split; z3 [\d.]+ and cvc5 [\d.]+ agree\)", str(verdict))


@pytest.mark.parametrize("second", [False, True])
def test_a_number_of_many_digits(second: bool) -> None:
    far, near = (named("bound", lambda m, *, most=most: m.risk() <= most) for most in (10**5000, Fraction(1, 10**5000)))
    assert prove(far, cardinalities=(2,), second_opinion=second).status == "proved"
    assert prove(near, cardinalities=(2,), second_opinion=second).status in {"refuted", "undecided"}


@pytest.mark.parametrize("second", [False, True])
def test_the_word_of_the_solvers_is_called_so(second: bool) -> None:
    verdict = prove("PN-4", cardinalities=(2, 2), certificate=False, second_opinion=second)
    assert isinstance(verdict, Proved)
    assert re.fullmatch(r"solvers; z3 [\d.]+ and cvc5 [\d.]+ agree" if second else "solvers", verdict.evidence)
    assert [solver.split()[0] for solver in verdict.certificate["solvers"]] == ["z3", "cvc5"][: 1 + second]
    assert check_certificate(verdict.certificate).status == "unverifiable"
    assert str(verdict).endswith(f"({verdict.evidence})")


@pytest.mark.parametrize("name", ["PN-R1", "PN-R2"])
def test_what_is_not_linear_is_refused_with_the_reason(name: str) -> None:
    reason = rf"^{name}( at .*)? is beyond linear arithmetic: P\(.* is a product of two"
    with pytest.raises(NotLinearError, match=reason):
        prove(name, cardinalities=(2, 2))


def test_a_claim_that_computes_with_the_distribution_is_refused() -> None:
    with pytest.raises(NotLinearError, match=r"m\.distribution exists only where"):
        prove(total_below_five, cardinalities=(2,))


def test_the_same_question_has_the_same_certificate_in_another_process() -> None:
    asked = "from fstheory.proofs import prove\nverdict = prove('PN-7', cardinalities=(2, 2))"
    code = f"{asked}\nprint(verdict.certificate['digest'])"
    there = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert there.stdout.strip() == proved(prove("PN-7", cardinalities=(2, 2))).certificate["digest"]
