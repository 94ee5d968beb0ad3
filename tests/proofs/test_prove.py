import os
import re
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from fractions import Fraction
from functools import partial
from typing import Any

import pytest
import z3

from fstheory._support.progress import Clock, OutOfTime
from fstheory._support.work import Crew
from fstheory.checker.certificates import check_certificate
from fstheory.errors import CertificateError, MissingDependencyError, NotLinearError
from fstheory.logic.expressions import Node, to_json
from fstheory.logic.language import Model
from fstheory.logic.ledger import claims, find_claim
from fstheory.logic.statement import Instance, Shape, Statement
from fstheory.logic.verdict import Proved, Refuted, Undecided
from fstheory.proofs import cases
from fstheory.proofs.cases import CaseSplit, ProofLimits, TreeWriter
from fstheory.proofs.linear import Unknowns
from fstheory.proofs.prover import Prover, prove
from fstheory.proofs.solvers import NoAnswer, Probabilities, Solver, z3_answer
from tests.proofs.claims import named, total_below_five

DAILY = ["PN-M", "PN-3", "PN-4", "PN-5", "PN-6c"]
LATER = ["PN-2", "PN-2c", "PN-3a", "PN-5a", "PN-6", "PN-6b", "PN-7"]


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


def thorough(*rows: Any) -> list[Any]:
    return [pytest.param(*row, marks=pytest.mark.thorough) for row in rows]


LARGER = [((2, 2), 3), ((3, 2), 2), ((2, 2, 2), 2)]


@pytest.mark.one_in(3)
@pytest.mark.parametrize(
    ("name", "cardinalities", "classes"),
    [
        *((name, (2, 2), 2) for name in DAILY),
        *thorough(*((name, (2, 2), 2) for name in LATER), *((name, (2,), 2) for name in DAILY + LATER)),
        *thorough(*((name, *shape) for name in ("PN-3", "PN-4", "PN-5", "PN-6") for shape in LARGER)),
    ],
)
def test_the_theorems_of_the_ledger_are_proved(name: str, cardinalities: tuple[int, ...], classes: int) -> None:
    verdict, shape = proved(prove(name, cardinalities=cardinalities, classes=classes)), Shape(cardinalities, classes)
    assert str(verdict).startswith(f"{name}: proved for every distribution with {shape}")
    statement = claims[name].stated().statement(shape)
    for part in ("assume", "show"):
        said = [instance["formula"] for instance in verdict.certificate[part]]
        assert said == [to_json(named.formula) for named in getattr(statement, part)]


@pytest.mark.quick
@pytest.mark.parametrize("without", [["positive"], ["positive", "unique_maximum"]], ids=str)
@pytest.mark.parametrize("name", ["PN-2", "PN-4", "PN-6b"])
def test_without_an_assumption_theorems_are_refuted(name: str, without: list[str]) -> None:
    verdict = prove(name, cardinalities=(2, 2), without=without)
    statement = claims[name].claim.without(*without).statement(Shape((2, 2)))  # type: ignore[union-attr]
    assert refuted(verdict, statement).claim == " without ".join([name, *without])
    assert "not minimized" in str(verdict)


def test_instances_are_not_exchanged_where_an_assumption_tells_them_apart() -> None:
    m = Model(Shape((2, 2)))
    better = {i: (m.risk(i) <= m.risk(j)).node for i, j in (("X1", "X2"), ("X2", "X1"))}
    assumed = (m.risk("X1") < m.risk("X2")).node
    proved(prove_statement(m.shape, {"X1": better["X1"]}, assumed)[0])
    assert refuted(*prove_statement(m.shape, better, assumed)).where == (("i", "X2"),)


def test_a_statement_without_instances_and_one_that_is_never_true() -> None:
    never: dict[str, Node] = {"never": ("or",)}
    nothing, _ = prove_statement(Shape((2,)), {})
    assert nothing.evidence == "no formula is left to prove"
    refuted(*prove_statement(Shape((2,)), never))
    impossible = proved(prove_statement(Shape((2,)), never, *never.values())[0])
    assert impossible.evidence == "case split; vacuous: the premise never holds"


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


def test_what_is_not_linear_is_refused_with_the_reason() -> None:
    product = r"^PN-R\d( at .*)? is beyond linear arithmetic: P\(.* is a product of two"
    computed = r"m\.distribution exists only where"
    for what, reason in (("PN-R1", product), ("PN-R2", product), (total_below_five, computed)):
        with pytest.raises(NotLinearError, match=reason):
            prove(what, cardinalities=(2, 2))


@pytest.mark.thorough(2)
def test_the_same_question_has_the_same_certificate_in_another_process() -> None:
    """Also if sets have another order, and if workers share the branches, three cases at a time."""
    asked = "from fstheory.proofs import prove\nverdict = prove('PN-7', cardinalities=(2, 2))"
    code = f"{asked}\nprint(verdict.certificate['digest'])"
    env = {**os.environ, "PYTHONHASHSEED": "1" if os.environ.get("PYTHONHASHSEED") != "1" else "2"}
    there = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, env=env)
    assert there.stdout.strip() == proved(prove("PN-7", cardinalities=(2, 2))).certificate["digest"]
    ask = partial(Prover, find_claim("PN-7").statement(Shape((2, 2))), Clock(None, None), ProofLimits(together=3))
    crews = [Crew(executor, start_after=0) for executor in (None, 2, partial(ThreadPoolExecutor, 3))]
    assert len({proved(ask(crew).verdict()).certificate.to_json() for crew in crews}) == 1


def test_nothing_of_the_solver_is_printed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Z3 prints the terms of all threads with one object, so one thread would write into the text of another."""
    monkeypatch.setattr(z3.AstRef, "__str__", lambda _: pytest.fail("a term was printed"))
    assert prove("PN-3", cardinalities=(2, 2)).status == "proved"


# What ends a proof early, or goes wrong on the way

Answering = Callable[[str, Callable[[], Probabilities | None]], None]


@pytest.fixture
def answering(monkeypatch: pytest.MonkeyPatch) -> Answering:
    """Let a solver answer what a function returns."""
    original = Solver.counterexample

    def replace(library: str, answer: Callable[[], Probabilities | None]) -> None:
        def counterexample(self: Solver, *asked: Any) -> Probabilities | None:
            return answer() if self.library == library else original(self, *asked)

        monkeypatch.setattr(Solver, "counterexample", counterexample)

    return replace


def raising(error: BaseException) -> Callable[..., Any]:
    def fail(*_: object, **__: object) -> None:
        raise error

    return fail


def undecided(*, second_opinion: bool = False, **of: Any) -> str:
    """Require that PN-4, or another claim, stays undecided, and return the reason."""
    verdict = prove(of.pop("claim", "PN-4"), second_opinion=second_opinion, **{"cardinalities": (2, 2), **of})
    assert isinstance(verdict, Undecided)
    return verdict.reason


@pytest.mark.one_in(3)
@pytest.mark.parametrize("options", [{}, {"certificate": False}, {"certificate": False, "second_opinion": True}])
def test_the_time_limit_is_kept_inside_a_question_to_the_solver(options: dict[str, Any]) -> None:
    hard: dict[str, Any] = {"claim": "PN-6b", "cardinalities": (2, 2, 2, 2), "classes": 3}  # minutes
    assert "the time limit was reached" in undecided(**hard, time_limit=0.3, **options)


@pytest.mark.one_in(3)
@pytest.mark.parametrize("limits", [ProofLimits(cases=3), ProofLimits(depth=3), ProofLimits(references=3)], ids=str)
def test_a_proof_by_cases_that_becomes_too_large_leaves_the_word_of_the_solvers(limits: ProofLimits) -> None:
    verdict = Prover(find_claim("PN-4").statement(Shape((2, 2))), Clock(None, None), limits).verdict()
    assert isinstance(verdict, Proved)
    assert verdict.evidence == "solvers"
    assert [solver.split()[0] for solver in verdict.certificate["solvers"]] == ["z3", "cvc5"]


TOO_LONG = (cases.CaseSplit, "tree", OutOfTime())
REJECTED = (cases, "check_certificate_text", CertificateError("too large"))


@pytest.mark.parametrize(("of", "name", "error"), [TOO_LONG, REJECTED], ids=["too long", "rejected"])
def test_a_proof_that_takes_too_long_or_is_rejected_leaves_the_word_of_the_solvers(
    monkeypatch: pytest.MonkeyPatch, of: object, name: str, error: Exception
) -> None:
    monkeypatch.setattr(of, name, raising(error))
    assert prove("PN-4", cardinalities=(2, 2), time_limit=60).evidence == "solvers"  # type: ignore[union-attr]


def test_little_time_is_not_spent_on_writing_a_large_proof() -> None:
    unknowns = Unknowns(Shape((2,)))
    split = CaseSplit(unknowns, [], ("<=", ("q", Fraction(0)), ("R", (0,))), Clock(None, None))
    tree = split.tree()
    with pytest.raises(OutOfTime):
        TreeWriter(unknowns, Clock(1, None), references=400_000).write(split.root, tree)
    assert TreeWriter(unknowns, Clock(None, None), references=400_000).write(split.root, tree)


def interrupted(work: Callable[[], object]) -> None:
    """Do some work, and interrupt this process after a tenth of a second, as the keyboard does."""
    threading.Timer(0.1, os.kill, (os.getpid(), signal.SIGINT)).start()
    work()


@pytest.mark.usefixtures("interruptible")
@pytest.mark.skipif(sys.platform == "win32", reason="a process cannot send itself what the keyboard sends")
def test_an_interrupt_of_z3_is_told_from_a_time_limit() -> None:
    """After `push`, Z3 names the same reason for an interrupt from the keyboard and for a time limit."""
    import z3

    numbers = [pow(3, 50 + i, 10**8 + 7) * 2 for i in range(40)]  # a sum of some of them that is odd
    chosen, solver = [z3.Real(f"x{i}") for i in range(40)], z3.SolverFor("QF_LRA")
    solver.add(*(z3.Or(x == 0, x == 1) for x in chosen))
    solver.add(z3.Sum([c * x for c, x in zip(numbers, chosen, strict=True)]) == sum(numbers) // 4 * 2 + 1)
    solver.push()
    with pytest.raises(NoAnswer, match="the time limit was reached"):
        z3_answer(solver, Clock(0.1, None))
    with pytest.raises(KeyboardInterrupt):  # on a busy machine it may come before z3 works
        interrupted(lambda: z3_answer(solver, Clock(60, None)))


def test_a_solver_that_fails_or_a_second_opinion_that_does_not_come_decides_nothing(answering: Answering) -> None:
    answering("cvc5", raising(NoAnswer("the time limit was reached")))
    assert re.fullmatch(".*cvc5.* all", undecided(second_opinion=True))
    answering("z3", raising(NoAnswer("z3 failed (out of memory)")))
    assert re.fullmatch(r"z3 failed \(out of memory\): z3 .* decided 0 of 4 instances", undecided(certificate=False))


@pytest.mark.parametrize("solver", ["z3", "cvc5"])
def test_a_counterexample_that_is_none_refutes_nothing(answering: Answering, solver: str) -> None:
    answering(solver, lambda: (Fraction(1, 8),) * 8)
    reason = undecided(claim="PN-M", second_opinion=True)
    assert "gave a distribution at which PN-M at S = {}, i = X1 is not violated" in reason


@pytest.mark.parametrize(("certificate", "finder"), [(True, "the proof by cases"), (False, "cvc5")])
def test_a_counterexample_is_worth_more_than_none(answering: Answering, certificate: bool, finder: str) -> None:
    answering("z3", lambda: None)
    options: dict[str, Any] = {"certificate": certificate, "executor": partial(ThreadPoolExecutor, 2)}
    verdict = prove("PN-4", cardinalities=(2, 2), without="positive", second_opinion=True, **options)
    assert isinstance(verdict, Refuted)
    assert verdict.minimality.startswith(f"found by {finder}")


@pytest.mark.parametrize(("library", "second"), [("z3", False), ("cvc5", True)])
def test_a_solver_that_is_missing_is_named(monkeypatch: pytest.MonkeyPatch, library: str, second: bool) -> None:
    monkeypatch.setitem(sys.modules, library, None)
    with pytest.raises(MissingDependencyError, match=rf"needs {library}; install it with: pip install '\.\[solve\]'"):
        prove("PN-M", cardinalities=(2, 2), second_opinion=second)
