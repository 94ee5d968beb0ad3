"""What ends a proof early, or goes wrong on the way: limits, interrupts, solvers that fail, err or disagree."""

import os
import re
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from fractions import Fraction
from typing import Any

import pytest

from fstheory._support.progress import Clock, OutOfTime
from fstheory.errors import CertificateError, MissingDependencyError
from fstheory.logic.statement import Shape
from fstheory.logic.verdict import Proved, Refuted, Undecided
from fstheory.proofs import cases, prover
from fstheory.proofs.cases import CaseSplit, ProofLimits
from fstheory.proofs.linear import Unknowns
from fstheory.proofs.prover import Prover, TreeWriter, find_claim, prove
from fstheory.proofs.solvers import NoAnswer, Point, Solver, z3_answer

HARD: dict[str, Any] = {"cardinalities": (2, 2, 2, 2), "classes": 3}  # PN-6b: minutes


Answering = Callable[[str, Callable[[], Point | None]], None]


@pytest.fixture
def answering(monkeypatch: pytest.MonkeyPatch) -> Answering:
    """Let a solver answer what a function returns."""
    original = Solver.counterexample

    def replace(library: str, answer: Callable[[], Point | None]) -> None:
        def counterexample(self: Solver, *asked: Any) -> Point | None:
            return answer() if self.library == library else original(self, *asked)

        monkeypatch.setattr(Solver, "counterexample", counterexample)

    return replace


def raising(error: BaseException) -> Callable[..., Any]:
    def fail(*_: object) -> None:
        raise error

    return fail


def by_solvers(verdict: object) -> Proved:
    """Require that a claim is proved, by solvers alone."""
    assert isinstance(verdict, Proved)
    assert verdict.evidence == "solvers"
    return verdict


def undecided(*, second_opinion: bool = False, **of: Any) -> str:
    """Require that PN-4, or another claim, stays undecided, and return the reason."""
    verdict = prove(of.pop("claim", "PN-4"), second_opinion=second_opinion, **{"cardinalities": (2, 2), **of})
    assert isinstance(verdict, Undecided)
    return verdict.reason


@pytest.mark.parametrize("options", [{}, {"certificate": False}, {"certificate": False, "second_opinion": True}])
def test_the_time_limit_is_kept_inside_a_question_to_the_solver(options: dict[str, Any]) -> None:
    assert "the time limit was reached" in undecided(claim="PN-6b", **HARD, time_limit=0.3, **options)


def verdict_within(limits: ProofLimits) -> Proved:
    """Return that PN-4 is proved, by solvers alone, where a proof by cases becomes too large."""
    statement = find_claim("PN-4").statement(Shape((2, 2)))
    return by_solvers(Prover(statement, Clock(None, None), limits).verdict())


@pytest.mark.parametrize("limits", [ProofLimits(cases=3), ProofLimits(depth=3), ProofLimits(references=3)], ids=str)
def test_a_proof_by_cases_that_becomes_too_large_leaves_the_word_of_the_solvers(limits: ProofLimits) -> None:
    assert [solver.split()[0] for solver in verdict_within(limits).certificate["solvers"]] == ["z3", "cvc5"]


@pytest.mark.parametrize(
    ("of", "name", "error"),
    [(cases.CaseSplit, "tree", OutOfTime()), (prover, "check_certificate_text", CertificateError("too large"))],
    ids=["too long", "rejected"],
)
def test_so_does_one_that_takes_too_long_or_the_checker_rejects(
    monkeypatch: pytest.MonkeyPatch, of: object, name: str, error: Exception
) -> None:
    monkeypatch.setattr(of, name, raising(error))
    by_solvers(prove("PN-4", cardinalities=(2, 2), time_limit=60))


def test_little_time_is_not_spent_on_writing_a_large_proof() -> None:
    unknowns = Unknowns(Shape((2,)))
    split = CaseSplit(unknowns, [], ("<=", ("q", Fraction(0)), ("R", (0,))), Clock(None, None))
    tree = split.tree()
    with pytest.raises(OutOfTime):
        TreeWriter(unknowns, Clock(1, None), references=400_000).write(split.root, tree)
    assert TreeWriter(unknowns, Clock(None, None), references=400_000).write(split.root, tree)


def test_progress_is_told() -> None:
    lines: list[str] = []
    Prover(find_claim("PN-3").statement(Shape((2, 2))), Clock(None, lines.append, every=0)).verdict()
    about = "PN-3 for 2 x 2 states, 2 classes: "
    cases = r"proof by cases, instance \d of 8, \d+ cases"
    for step in ("symmetry, instance 1 of 8", r"z3 [\d.]+ decided 0 of 5 instances", cases):
        assert any(re.fullmatch(rf"{about}{step}, \d+ s", line) for line in lines)


POSIX = pytest.mark.skipif(sys.platform == "win32", reason="a process cannot send itself what the keyboard sends")


@contextmanager
def interrupted(seconds: float) -> Iterator[None]:
    """Require that the keyboard interrupts what is going on."""
    timer = threading.Timer(seconds, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        yield
    timer.cancel()


@pytest.mark.thorough
@pytest.mark.usefixtures("interruptible")
@POSIX
def test_an_interrupt_in_the_middle_of_a_question_leaves_nothing_broken() -> None:
    with interrupted(1):
        prove("PN-6b", **HARD, time_limit=60)
    with pytest.raises(KeyboardInterrupt):
        prove("PN-6b", **HARD, time_limit=60, progress=raising(KeyboardInterrupt()))
    assert isinstance(prove("PN-4", cardinalities=(2, 2)), Proved)


@pytest.mark.usefixtures("interruptible")
@POSIX
@pytest.mark.parametrize("pushed", [True, pytest.param(False, marks=pytest.mark.thorough)])
def test_what_stopped_z3_is_told_apart(*, pushed: bool) -> None:
    """Once it was pushed it says the same of the keyboard and of a limit."""
    import z3

    numbers = [pow(3, 50 + i, 10**8 + 7) * 2 for i in range(40)]  # a sum of some of them that is odd
    chosen = [z3.Real(f"x{i}") for i in range(40)]

    def solver() -> Any:
        made = z3.SolverFor("QF_LRA")
        made.add(*(z3.Or(x == 0, x == 1) for x in chosen))
        made.add(z3.Sum([c * x for c, x in zip(numbers, chosen, strict=True)]) == sum(numbers) // 4 * 2 + 1)
        if pushed:
            made.push()
        return made

    with pytest.raises(NoAnswer, match="the time limit was reached"):
        z3_answer(solver(), Clock(0.1, None))
    asked = solver()
    with interrupted(0.1):
        z3_answer(asked, Clock(60, None))
    limited = solver()
    limited.set("rlimit", 100_000)
    with pytest.raises(NoAnswer):
        z3_answer(limited, Clock(60, None), limited=True)


def test_a_solver_that_fails_decides_nothing(answering: Answering) -> None:
    answering("z3", raising(NoAnswer("z3 failed (out of memory)")))
    assert re.fullmatch(r"z3 failed \(out of memory\): z3 .* decided 0 of 4 instances", undecided(certificate=False))


@pytest.mark.parametrize("solver", ["z3", "cvc5"])
def test_a_counterexample_that_is_none_refutes_nothing(answering: Answering, solver: str) -> None:
    uniform = (Fraction(1, 8),) * 8
    answering(solver, lambda: uniform)
    reason = undecided(claim="PN-M", second_opinion=True)
    assert "gave a distribution at which PN-M at S = {}, i = X1 is not violated" in reason


@pytest.mark.parametrize(("certificate", "finder"), [(True, "the proof by cases"), (False, "cvc5")])
def test_a_counterexample_is_worth_more_than_none(answering: Answering, certificate: bool, finder: str) -> None:
    answering("z3", lambda: None)
    verdict = prove("PN-4", cardinalities=(2, 2), without="positive", second_opinion=True, certificate=certificate)
    assert isinstance(verdict, Refuted)
    assert verdict.minimality.startswith(f"found by {finder}")


def test_a_second_opinion_that_does_not_come_leaves_the_question_open(answering: Answering) -> None:
    answering("cvc5", raising(NoAnswer("the time limit was reached")))
    assert re.fullmatch(".*cvc5.* all", undecided(second_opinion=True))


@pytest.mark.parametrize(("library", "second"), [("z3", False), ("cvc5", True)])
def test_a_solver_that_is_missing_is_named(monkeypatch: pytest.MonkeyPatch, library: str, second: bool) -> None:
    monkeypatch.setitem(sys.modules, library, None)
    with pytest.raises(MissingDependencyError, match=rf"needs {library}; install it with: pip install '\.\[solve\]'"):
        prove("PN-M", cardinalities=(2, 2), second_opinion=second)


def test_without_cvc5_the_word_of_z3_is_given_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "cvc5", None)
    verdict = verdict_within(ProofLimits(references=3))
    assert [solver.split()[0] for solver in verdict.certificate["solvers"]] == ["z3"]


def test_a_limit_that_ends_before_the_solver_is_asked() -> None:
    reason = undecided(claim="PN-2", cardinalities=(2, 2, 2), time_limit=0.001)
    assert reason == "the time limit was reached before the solver was asked"
