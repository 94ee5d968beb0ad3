"""The linear relaxation of a branch of a case split: a point of it, or multipliers that show there is none.

In it, the unknown of a maximum is at least each argument, but need not be one of them; and disjunctions are left out.
What has no point in it has no distribution.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import Any

from fstheory._optional import require
from fstheory._rational import format_fraction, integers_over
from fstheory.search.answers import z3_answer
from fstheory.search.clock import Clock
from fstheory.search.linear import ONE, Fact, Linear, Point, Unknowns
from fstheory.search.multipliers import Combination, Premise, multipliers
from fstheory.search.upper_bounds import upper_bounds

__all__ = ["Relaxation", "always"]


class Relaxation:
    """An exact linear program that grows and shrinks with a branch.

    Parameters
    ----------
    unknowns : Unknowns
    maxima : iterable of int
        The numbers of the maxima that the facts to come speak about.
    clock : Clock

    Examples
    --------
    >>> from fstheory.logic import Shape
    >>> unknowns = Unknowns(Shape((2,)))
    >>> more = unknowns.fact(("<", ("R", ()), ("R", (0,))))
    >>> relaxation = Relaxation(unknowns, unknowns.maxima_in([more.linear]), Clock(None, None))
    >>> relaxation.push([more])
    >>> {premise.reference for premise, _ in relaxation.contradiction()} == {more, ("sum", 2, (0, 1))}
    True
    """

    def __init__(self, unknowns: Unknowns, maxima: Iterable[int], clock: Clock) -> None:
        self._z3 = z3 = require("z3", "solve", "proving a claim")
        self._context = z3.Context()
        self._solver = z3.SimpleSolver(ctx=self._context)
        self._clock = clock
        kept = tuple(maxima)
        numbers = [*range(unknowns.cells), *(unknowns.cells + k for k in kept)]
        self._reals = {u: z3.Real(f"u{u}", self._context) for u in numbers}
        self._declared = {u: real.decl().ast for u, real in self._reals.items()}
        self._formulas: dict[Fact, Any] = {}
        self._labels: list[Any] = []
        self._premises: list[Premise] = []
        self._levels: list[int] = []
        for premise in (*always(unknowns, kept), *upper_bounds(unknowns, kept)):
            self._add(premise, self._formula(premise))

    def push(self, facts: Iterable[Fact]) -> None:
        """Add the facts of one more case."""
        self._solver.push()
        self._levels.append(len(self._premises))
        for fact in facts:
            premise = Premise(fact, fact.linear, fact.relation)
            if fact not in self._formulas:
                self._formulas[fact] = self._formula(premise)
            self._add(premise, self._formulas[fact])

    def pop(self) -> None:
        """Take back the last case."""
        self._solver.pop()
        del self._premises[self._levels.pop() :]

    def contradiction(self) -> Combination | None:
        """Return premises with multipliers that contradict each other; None if there is a `point`.

        Raises
        ------
        NoAnswer
            The time limit is reached.
        """
        if z3_answer(self._solver, self._clock):
            return None
        names = (str(name) for name in self._solver.unsat_core())
        return multipliers([self._premises[int(name[1:])] for name in names])

    def point(self) -> Point:
        """Return the point that the last call of `contradiction` found, by the numbers of the unknowns."""
        z3, context, model = self._z3, self._context.ref(), self._solver.model()
        values = {}
        for unknown, declared in self._declared.items():  # by the C interface: the objects of the other one cost more
            value = z3.Z3_model_get_const_interp(context, model.model, declared)
            values[unknown] = Fraction(z3.Z3_get_numeral_string(context, value)) if value else Fraction(0)
        numerators, denominator = integers_over(values.values())
        return dict(zip((*values, ONE), (*numerators, denominator), strict=True))

    def _add(self, premise: Premise, formula: Any) -> None:
        number = len(self._premises)
        if number == len(self._labels):
            self._labels.append(self._z3.Bool(f"f{number}", self._context))
        self._solver.assert_and_track(formula, self._labels[number])
        self._premises.append(premise)

    def _formula(self, premise: Premise) -> Any:
        form = premise.linear
        parts = [
            self._reals[u] if coefficient == 1 else self._number(coefficient) * self._reals[u]
            for u, coefficient in form.coefficients.items()
        ]
        left = self._z3.Sum([*parts, self._number(form.constant)])
        if premise.relation == "=":
            return left == 0
        return left > 0 if premise.relation == ">" else left >= 0

    def _number(self, value: Fraction) -> Any:
        return self._z3.RealVal(format_fraction(value), self._context)


def always(unknowns: Unknowns, maxima: Iterable[int]) -> list[Premise]:
    """Return what is true of every distribution: probabilities, and maxima as upper bounds of their arguments."""
    one = Fraction(1)
    premises = [Premise(("total",), Linear(-one, dict.fromkeys(range(unknowns.cells), one)), "=")]
    premises += [Premise(("p", cell), Linear(Fraction(0), {cell: one}), ">=") for cell in range(unknowns.cells)]
    for k in maxima:
        premises += [Premise(("M", k, j), bound, ">=") for j, bound in enumerate(unknowns.bounds(k))]
    return premises
