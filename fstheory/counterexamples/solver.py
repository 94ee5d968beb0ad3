"""Linear statements in a solver: whether a shape has a counterexample at all, and the least one of a given total.

The unknowns are the weights of the cells. Probabilities are asked for as real weights of total 1; counterexamples of
total N as integer weights of total N, which is the same statement with its constants multiplied by N.
"""

from __future__ import annotations

from typing import Any

from fstheory._clock import Clock
from fstheory._exact import integers_over
from fstheory.counterexamples.target import Weights, lowest
from fstheory.errors import MissingDependencyError, NotLinearError
from fstheory.logic.nodes import conjunction
from fstheory.logic.statement import Statement
from fstheory.proofs.linear import Unknowns
from fstheory.proofs.solvers import Encoder, load_z3, number_in_model, z3_answer

__all__ = ["WeightSolver", "is_linear", "solver_version"]


def solver_version() -> str | None:
    """Return the name and version of the solver; None if it is not installed."""
    try:
        return f"Z3 {load_z3().get_version_string()}"
    except MissingDependencyError:
        return None


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
        self, statement: Statement, total: int | None = None, clock: Clock | None = None, resources: int | None = None
    ) -> None:
        self._z3 = z3 = load_z3()
        self._clock = clock or Clock(None, None)
        encoder = Encoder(z3, Unknowns(statement.shape), integer=total is not None)
        self._solver = z3.SolverFor("QF_LRA" if total is None else "QF_LIA", ctx=encoder.context)
        self._limited = resources is not None
        if resources is not None:
            self._solver.set("rlimit", resources)
        self._model: Any = None
        self.cells = encoder.cells
        self.total = encoder.total = 1 if total is None else total or z3.Sum(self.cells)
        denied = ("not", conjunction(*(named.formula for named in statement.show)))
        formulas = [encoder.formula(node) for node in (*(named.formula for named in statement.assume), denied)]
        self.add(z3.Sum(self.cells) >= 1, *encoder.distribution(), *encoder.definitions(), *formulas)

    def add(self, *constraints: Any) -> None:
        """Add constraints."""
        self._solver.add(*constraints)

    def check(self, constraint: Any = None) -> bool:
        """Say whether there is a counterexample, if something more is asked of it."""
        if constraint is None:
            found = z3_answer(self._solver, self._clock, limited=self._limited)
        else:
            self._solver.push()
            self._solver.add(constraint)
            found = z3_answer(self._solver, self._clock)
        self._model = self._solver.model() if found else None
        if constraint is not None:
            self._solver.pop()
        return found

    def found(self) -> list[int]:
        """Return the counterexample that was found last as integer weights in lowest terms."""
        values = [number_in_model(self._model.eval(cell, model_completion=True)) for cell in self.cells]
        return list(lowest(integers_over(values)[0]))

    def found_up_to(self, most: int) -> list[int]:
        """Return a counterexample whose total is not above a bound; [] if there is none."""
        return self.found() if self.check(self.total <= most) else []

    def least(self) -> Weights:
        """Return the counterexample with the fewest cells above 0, then the lexicographically least; there is one."""
        z3 = self._z3
        positive = z3.Sum([z3.If(cell > 0, 1, 0) for cell in self.cells])
        for most in range(1, len(self.cells) + 1):
            if self.check(positive <= most):
                break
        else:
            raise AssertionError("least() is asked where there is a counterexample")
        known = self.weights()
        self.add(positive <= most)
        for place, cell in enumerate(self.cells):
            for weight in range(known[place]):
                if self.check(cell == weight):
                    known = self.weights()
                    break
            self.add(cell == known[place])
        return tuple(known)

    def weights(self) -> list[int]:
        """Return the integer weights that were found last."""
        return [self._model.eval(cell, model_completion=True).as_long() for cell in self.cells]
