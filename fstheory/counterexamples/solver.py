"""Linear statements in a solver: whether a shape has a counterexample at all, and the least one of a given total.

The unknowns are the weights of the cells. Probabilities are asked for as real weights of total 1; counterexamples of
total N as integer weights of total N, which is the same statement with its constants multiplied by N.
"""

from __future__ import annotations

import math
from typing import Any

from fstheory._exact import format_fraction, integers_over
from fstheory._optional import require
from fstheory.counterexamples.target import Weights
from fstheory.errors import MissingDependencyError, NotLinearError
from fstheory.logic.nodes import Node
from fstheory.logic.statement import Statement
from fstheory.proofs.linear import Fact, Linear, Unknowns
from fstheory.proofs.solvers import Clock, NoAnswer, z3_answer, z3_number

__all__ = ["WeightSolver", "is_linear", "solver_version"]

_MOMENT = 20  # milliseconds by which Z3 may miss a time limit


def solver_version() -> str | None:
    """Return the name and version of the solver; None if it is not installed."""
    try:
        z3 = require("z3", "solve", "deciding a linear claim")
    except MissingDependencyError:
        return None
    return f"Z3 {z3.get_version_string()}"


def is_linear(statement: Statement) -> bool:
    """Say whether a statement is within linear arithmetic."""
    unknowns = Unknowns(statement.shape)
    try:
        for named in (*statement.assume, *statement.show):
            unknowns.require_linear(named, statement.claim)
    except NotLinearError:
        return False
    return True


class WeightSolver:
    """The counterexamples of a linear statement as weights, in Z3."""

    def __init__(
        self,
        statement: Statement,
        total: int | None = None,
        clock: Clock | None = None,
        resources: int | None = None,
    ) -> None:
        self._z3 = z3 = require("z3", "solve", "deciding a linear claim")
        self._clock = clock or Clock(None, None)
        self._context = z3.Context()
        self._solver = z3.SolverFor("QF_LRA" if total is None else "QF_LIA", ctx=self._context)
        if resources is not None:
            self._solver.set("rlimit", resources)
        self._unknowns = Unknowns(statement.shape)
        make = z3.Real if total is None else z3.Int
        self._make = make
        self.cells = [make(f"w{i}", self._context) for i in range(statement.shape.cells)]
        self._model: Any = None
        self._maxima: dict[int, Any] = {}
        self._units: dict[int, int] = {}
        self.total = 1 if total is None else total or z3.Sum(self.cells)
        self._solver.add(*(cell >= 0 for cell in self.cells), z3.Sum(self.cells) >= 1, self.total == z3.Sum(self.cells))
        for named in statement.assume:
            self.add(self._formula(named.formula))
        self.add(z3.Or([z3.Not(self._formula(named.formula)) for named in statement.show] or [self._truth(False)]))

    def add(self, constraint: Any) -> None:
        """Add a constraint."""
        self._solver.add(constraint)

    def check(self, constraint: Any = None) -> bool:
        """Say whether there is a counterexample, if something more is asked of it."""
        if constraint is None:
            found = z3_answer(self._solver, self._clock)
        else:
            self._solver.push()
            self._solver.add(constraint)
            found = self._incremental_answer()
        self._model = self._solver.model() if found else None
        if constraint is not None:
            self._solver.pop()
        return found

    def _incremental_answer(self) -> bool:
        """Ask; Z3, once it was pushed, does not say why it was stopped, so what was not the time was the keyboard."""
        try:
            return z3_answer(self._solver, self._clock)
        except NoAnswer:
            left = self._clock.milliseconds()
            if left is None or left > _MOMENT:
                raise KeyboardInterrupt from None
            raise

    def found(self) -> list[int]:
        """Return the counterexample that was found last as integer weights in lowest terms."""
        values = [z3_number(self._model.eval(cell, model_completion=True)) for cell in self.cells]
        weights, _ = integers_over(values)
        common = math.gcd(*weights)
        return [weight // common for weight in weights]

    def least(self) -> Weights:
        """Return the counterexample with the fewest cells above 0 and, of those, the lexicographically least.

        There must be one.
        """
        z3 = self._z3
        positive = z3.Sum([z3.If(cell > 0, 1, 0) for cell in self.cells])
        for most in range(1, len(self.cells) + 1):
            if self.check(positive <= most):
                known = self._weights()
                self.add(positive <= most)
                return self._smallest(known)
        raise AssertionError("least() is asked where there is a counterexample")

    def _smallest(self, known: list[int]) -> Weights:
        """Make one weight after the other as small as can be, beginning with a counterexample."""
        for place, cell in enumerate(self.cells):
            for weight in range(known[place]):
                if self.check(cell == weight):
                    known = self._weights()
                    break
            self.add(cell == known[place])
        return tuple(known)

    def _weights(self) -> list[int]:
        return [self._model.eval(cell, model_completion=True).as_long() for cell in self.cells]

    # Translation

    def _formula(self, node: Node) -> Any:
        kind, *parts = node
        z3 = self._z3
        if kind in {"<", "<=", "="}:
            return self._comparison(self._unknowns.fact(node))
        if kind in {"and", "or"}:
            if not parts:
                return self._truth(kind == "and")
            return (z3.And if kind == "and" else z3.Or)([self._formula(part) for part in parts])
        if kind == "not":
            return z3.Not(self._formula(parts[0]))
        first, second = map(self._formula, parts)
        return z3.Implies(first, second) if kind == "implies" else first == second

    def _comparison(self, fact: Fact) -> Any:
        left, _ = self._scaled(fact.linear)
        return left > 0 if fact.relation == ">" else left >= 0 if fact.relation == ">=" else left == 0

    def _scaled(self, form: Linear, factor: int | None = None) -> tuple[Any, int]:
        """Return a linear form times the total and times a factor that clears its denominators, and the factor."""
        parts = [(c / self._unit(u), self._unknown(u)) for u, c in form.coefficients.items()]
        factor = factor or math.lcm(form.constant.denominator, *(c.denominator for c, _ in parts))
        constant = self._number(int(form.constant * factor)) * self.total
        return self._z3.Sum([*(int(c * factor) * unknown for c, unknown in parts), constant]), factor

    def _unit(self, number: int) -> int:
        """Return what an unknown is multiplied by, so that it is an integer."""
        if number < self._unknowns.cells:
            return 1
        if number not in self._units:
            arguments = self._unknowns.arguments(number - self._unknowns.cells)
            self._units[number] = math.lcm(*(self._scaled(argument)[1] for argument in arguments))
        return self._units[number]

    def _unknown(self, number: int) -> Any:
        """Return the unknown of a cell or of a maximum; when it first occurs, a maximum is defined."""
        if number < self._unknowns.cells:
            return self.cells[number]
        if number not in self._maxima:
            largest = self._maxima[number] = self._make(f"M{number}", self._context)
            unit = self._unit(number)
            arguments = self._unknowns.arguments(number - self._unknowns.cells)
            scaled = [self._scaled(argument, unit)[0] for argument in arguments]
            self.add(self._z3.And([largest >= argument for argument in scaled]))
            self.add(self._z3.Or([largest == argument for argument in scaled]))
        return self._maxima[number]

    def _number(self, value: int) -> Any:
        of = self._z3.IntVal if self._make is self._z3.Int else self._z3.RealVal
        return of(format_fraction(value), self._context)  # of any number of digits

    def _truth(self, value: bool) -> Any:
        return self._z3.BoolVal(value, self._context)
