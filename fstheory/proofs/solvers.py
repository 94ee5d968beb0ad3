"""Two solvers on the question whether a formula can be false where assumptions are true, and the time they may take."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any, Protocol

from fstheory._exact import format_fraction
from fstheory._optional import require
from fstheory.errors import InvalidTypeError, InvalidValueError, explain
from fstheory.logic.nodes import Node
from fstheory.proofs.linear import Linear, Unknowns

__all__ = ["Z3", "Clock", "Cvc5", "Judge", "NoAnswer", "OutOfTime", "Point", "z3_answer", "z3_number"]

_SECONDS = 1.0  # between two messages


class OutOfTime(Exception):
    """The time limit was reached."""


class Clock:
    """A time limit and a listener."""

    def __init__(self, time_limit: float | None, progress: Callable[[str], object] | None) -> None:
        if time_limit is not None and (isinstance(time_limit, bool) or not isinstance(time_limit, int | float)):
            raise InvalidTypeError(explain("time_limit", "a number of seconds", time_limit, "write 60, say"))
        if time_limit is not None and not time_limit > 0:
            raise InvalidValueError(explain("time_limit", "above 0 seconds", time_limit, "leave it out for no limit"))
        if progress is not None and not callable(progress):
            raise InvalidTypeError(explain("progress", "a function of a text", progress, "pass print, say"))
        self._end = math.inf if time_limit is None else time.monotonic() + time_limit
        self._progress = progress
        self._told = time.monotonic()

    def tick(self, text: Callable[[], str]) -> None:
        """Tell what is going on, if it is time to."""
        now = time.monotonic()
        if self._progress is not None and now - self._told >= _SECONDS:
            self._told = now
            self._progress(text())
        if now >= self._end:
            raise OutOfTime

    def milliseconds(self) -> int | None:
        """Return what is left, at least 1; None if there is no limit."""
        return None if self._end == math.inf else max(1, int((self._end - time.monotonic()) * 1000))


class NoAnswer(Exception):
    """A solver does not know; the text says why."""


def z3_answer(solver: Any, clock: Clock) -> bool:
    """Return whether what a Z3 solver was told can be true."""
    z3 = require("z3", "solve", "proving a claim")
    left = clock.milliseconds()
    try:
        if left is not None:
            solver.set("timeout", left)
        answer = solver.check()
        reason = solver.reason_unknown() if answer == z3.unknown else ""
    except z3.Z3Exception as error:
        raise NoAnswer(f"z3 failed ({error})") from error
    if "keyboard" in reason:
        raise KeyboardInterrupt
    if answer == z3.unknown:
        raise NoAnswer("the time limit was reached" if reason in {"timeout", "canceled"} else f"z3 said {reason!r}")
    return bool(answer == z3.sat)


def z3_number(value: Any) -> Fraction:
    """Return a number of a Z3 model; `NoAnswer` if it has more digits than Python reads."""
    try:
        if value.is_int():
            return Fraction(value.as_long())
        return Fraction(value.numerator_as_long(), value.denominator_as_long())
    except ValueError as error:
        raise NoAnswer("z3 answered with numbers of too many digits") from error


Point = tuple[Fraction, ...]
"""The probabilities of all cells, in the order of the weights."""


class Judge(Protocol):
    """A solver that answers questions about one shape."""

    @property
    def name(self) -> str:
        """The name and the version."""

    def counterexample(self, assume: Sequence[Node], formula: Node, clock: Clock) -> Point | None:
        """Return a distribution at which the assumptions are true and the formula is false; None if there is none."""


class Z3:
    """The solver Z3."""

    def __init__(self, unknowns: Unknowns) -> None:
        self._z3 = require("z3", "solve", "proving a claim")
        self._unknowns = unknowns

    @property
    def name(self) -> str:
        """The name and the version."""
        return f"z3 {self._z3.get_version_string()}"

    def counterexample(self, assume: Sequence[Node], formula: Node, clock: Clock) -> Point | None:
        """Return a distribution at which the assumptions are true and the formula is false; None if there is none."""
        question = _Z3Question(self._z3, self._unknowns)
        solver = self._z3.SolverFor("QF_LRA", ctx=question.context)
        solver.add(*(question.formula(node) for node in (*assume, ("not", formula))))
        solver.add(*question.definitions())
        if not z3_answer(solver, clock):
            return None
        model = solver.model()
        values = [model.eval(question.real(cell), model_completion=True) for cell in range(self._unknowns.cells)]
        return tuple(map(z3_number, values))


class _Z3Question:
    """The translation of one question to Z3, in a context of its own."""

    def __init__(self, z3: Any, unknowns: Unknowns) -> None:
        self._z3 = z3
        self._unknowns = unknowns
        self.context = z3.Context()
        self._reals: dict[int, Any] = {}

    def real(self, unknown: int) -> Any:
        if unknown not in self._reals:
            self._reals[unknown] = self._z3.Real(f"u{unknown}", self.context)
        return self._reals[unknown]

    def definitions(self) -> list[Any]:
        """Return what the unknowns are: call it last."""
        cells = range(self._unknowns.cells)
        found = [self.real(cell) >= 0 for cell in cells]
        found.append(self._z3.Sum([self.real(cell) for cell in cells]) == 1)
        forms = (Linear(Fraction(0), {u: Fraction(1)}) for u in list(self._reals))
        for number in self._unknowns.maxima_in(forms):
            top = self.real(self._unknowns.cells + number)
            arguments = [self.linear(argument) for argument in self._unknowns.arguments(number)]
            found += [top >= argument for argument in arguments]
            found.append(self._z3.Or([top == argument for argument in arguments]))
        return found

    def linear(self, form: Linear) -> Any:
        parts = [
            self.real(u) if coefficient == 1 else self._number(coefficient) * self.real(u)
            for u, coefficient in form.coefficients.items()
        ]
        return self._z3.Sum([*parts, self._number(form.constant)])

    def formula(self, node: Node) -> Any:
        kind = node[0]
        if kind in {"<", "<=", "="}:
            left = self.linear(self._unknowns.fact(node).linear)
            return left == 0 if kind == "=" else left > 0 if kind == "<" else left >= 0
        parts = [self.formula(part) for part in node[1:]]
        if kind in {"and", "or"}:
            return (self._z3.And if kind == "and" else self._z3.Or)(*parts, self.context)
        if kind == "not":
            return self._z3.Not(parts[0])
        return self._z3.Implies(*parts) if kind == "implies" else parts[0] == parts[1]

    def _number(self, value: Fraction) -> Any:
        return self._z3.RealVal(format_fraction(value), self.context)  # of any number of digits


class Cvc5:
    """The solver cvc5."""

    def __init__(self, unknowns: Unknowns) -> None:
        self._cvc5 = require("cvc5", "solve", "a second opinion on a claim")
        self._unknowns = unknowns

    @property
    def name(self) -> str:
        """The name and the version."""
        return f"cvc5 {self._cvc5.__version__}"

    def counterexample(self, assume: Sequence[Node], formula: Node, clock: Clock) -> Point | None:
        """Return a distribution at which the assumptions are true and the formula is false; None if there is none."""
        question = _Cvc5Question(self._cvc5, self._unknowns)
        solver = self._cvc5.Solver(question.terms)
        try:
            solver.setLogic("QF_LRA")
            solver.setOption("produce-models", "true")
            left = clock.milliseconds()
            if left is not None:
                solver.setOption("tlimit-per", str(left))
            told = [question.formula(node) for node in (*assume, ("not", formula))]
            for fact in (*told, *question.definitions()):
                solver.assertFormula(fact)
            answer = solver.checkSat()
            if answer.isSat():
                return tuple(Fraction(solver.getValue(real).getRealValue()) for real in question.cells)
        except (RuntimeError, ValueError) as error:  # ValueError: more digits than Python reads
            raise NoAnswer(f"cvc5 failed ({error})") from error
        if answer.isUnsat():
            return None
        timeout = answer.getUnknownExplanation() == self._cvc5.UnknownExplanation.TIMEOUT
        raise NoAnswer("the time limit was reached" if timeout else f"cvc5 said {answer}")


class _Cvc5Question:
    """The translation of one question to cvc5."""

    def __init__(self, cvc5: Any, unknowns: Unknowns) -> None:
        self._unknowns = unknowns
        self._kinds = cvc5.Kind
        self.terms = cvc5.TermManager()
        real = self.terms.getRealSort()
        self.cells = [self.terms.mkConst(real, f"p{cell}") for cell in range(unknowns.cells)]
        self._known: dict[int, Any] = dict(enumerate(self.cells))
        self._definitions: list[Any] = []

    def definitions(self) -> list[Any]:
        """Return what the unknowns are: call it last."""
        zero, one = self._number(Fraction(0)), self._number(Fraction(1))
        found = [self.terms.mkTerm(self._kinds.GEQ, cell, zero) for cell in self.cells]
        found.append(self.terms.mkTerm(self._kinds.EQUAL, self._sum(self.cells), one))
        return [*found, *self._definitions]

    def linear(self, form: Linear) -> Any:
        parts = [
            self.terms.mkTerm(self._kinds.MULT, self._number(coefficient), self._unknown(u))
            for u, coefficient in form.coefficients.items()
        ]
        return self._sum([*parts, self._number(form.constant)])

    def formula(self, node: Node) -> Any:
        kind, *parts = node
        if kind in {"<", "<=", "="}:
            left, right = (self.linear(self._unknowns.linear(part)) for part in parts)
            comparison = {"<": self._kinds.LT, "<=": self._kinds.LEQ, "=": self._kinds.EQUAL}[kind]
            return self.terms.mkTerm(comparison, left, right)
        terms = [self.formula(part) for part in parts]
        if kind in {"and", "or"} and len(terms) < 2:
            return terms[0] if terms else self.terms.mkBoolean(kind == "and")
        kinds = {"and": "AND", "or": "OR", "not": "NOT", "implies": "IMPLIES", "iff": "EQUAL"}
        return self.terms.mkTerm(getattr(self._kinds, kinds[kind]), *terms)

    def _unknown(self, number: int) -> Any:
        if number not in self._known:
            top = self._known[number] = self.terms.mkConst(self.terms.getRealSort(), f"M{number}")
            arguments = [self.linear(form) for form in self._unknowns.arguments(number - self._unknowns.cells)]
            self._definitions += [self.terms.mkTerm(self._kinds.GEQ, top, argument) for argument in arguments]
            equal = [self.terms.mkTerm(self._kinds.EQUAL, top, argument) for argument in arguments]
            self._definitions.append(self.terms.mkTerm(self._kinds.OR, *equal) if len(equal) > 1 else equal[0])
        return self._known[number]

    def _sum(self, terms: Sequence[Any]) -> Any:
        return self.terms.mkTerm(self._kinds.ADD, *terms) if len(terms) > 1 else terms[0]

    def _number(self, value: Fraction) -> Any:
        return self.terms.mkReal(format_fraction(value))
