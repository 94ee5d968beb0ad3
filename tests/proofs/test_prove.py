import re
import subprocess
import sys
from dataclasses import replace
from fractions import Fraction

import pytest

from fstheory._support.progress import Clock
from fstheory.errors import NotLinearError
from fstheory.logic.checker import check_certificate
from fstheory.logic.claims import claim, positive
from fstheory.logic.expressions import Formula, to_json
from fstheory.logic.language import Model
from fstheory.logic.statement import Instance, Shape, Statement
from fstheory.logic.verdict import Proved, Refuted, Undecided
from fstheory.papers.ledger import claims
from fstheory.proofs.prover import Prover, prove

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
    (violated,) = (named for named in statement.show if named.where == verdict.where)
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


@pytest.mark.parametrize("without", [["positive"], ["unique_maximum"], ["positive", "unique_maximum"]], ids=str)
@pytest.mark.parametrize("name", ["PN-2", "PN-4", "PN-6b"])
def test_without_an_assumption_theorems_are_refuted(name: str, without: list[str]) -> None:
    verdict = prove(name, cardinalities=(2, 2), without=without if len(without) > 1 else without[0])
    statement = claims[name].claim.without(*without).statement(Shape((2, 2)))  # type: ignore[union-attr]
    assert refuted(verdict, statement).claim == " without ".join([name, *without])
    assert "not minimized" in str(verdict)


def test_the_first_instance_that_fails_is_named() -> None:
    m = Model(Shape((2, 2)))
    show = (
        Instance("first", (("i", "X1"),), (m.risk() <= m.risk("X1")).node),
        Instance("second", (("i", "X2"),), (m.risk() == m.risk("X2")).node),
    )
    statement = Statement("second", m.shape, (), show)
    assert refuted(prove_statement(statement), statement).where == (("i", "X2"),)


def test_instances_are_not_exchanged_where_an_assumption_tells_them_apart() -> None:
    m = Model(Shape((2, 2)))
    assumed = Instance("first is better", (), (m.risk("X1") < m.risk("X2")).node)
    better = {i: (m.risk(i) <= m.risk(j)).node for i, j in (("X1", "X2"), ("X2", "X1"))}
    show = tuple(Instance("better", (("i", i),), formula) for i, formula in better.items())
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
    never = Statement("never", shape, (), (Instance("never", (), ("or",)),))
    refuted(prove_statement(never), never)
    impossible = Statement("any", shape, (Instance("never", (), ("or",)),), (Instance("any", (), ("or",)),))
    proved(prove_statement(impossible))


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


@pytest.mark.parametrize("name", ["PN-R1", "PN-R2"])
def test_what_is_not_linear_is_refused_with_the_reason(name: str) -> None:
    reason = rf"^{name}( at .*)? is beyond linear arithmetic: P\(.* is a product of two"
    with pytest.raises(NotLinearError, match=reason):
        prove(name, cardinalities=(2, 2))


def test_a_claim_that_computes_with_the_distribution_is_refused() -> None:
    @claim
    def small(m: Model) -> bool:
        return m.distribution.total < 10

    with pytest.raises(NotLinearError, match=r"m\.distribution exists only where"):
        prove(small, cardinalities=(2,))


def test_the_same_question_has_the_same_certificate_in_another_process() -> None:
    code = "print([prove('PN-7', cardinalities=(2, 2), without=w).certificate['digest'] for w in ((), 'positive')])"
    imported = "from fstheory.proofs import prove\n"
    there = subprocess.run([sys.executable, "-c", imported + code], capture_output=True, text=True, check=True)
    verdicts = [prove("PN-7", cardinalities=(2, 2), without=without) for without in ((), "positive")]
    assert there.stdout.strip() == str([verdict.certificate["digest"] for verdict in verdicts])  # type: ignore[union-attr]
