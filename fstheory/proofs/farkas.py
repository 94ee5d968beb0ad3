"""Farkas' lemma: multipliers under which linear facts that contradict each other add up to 0 > 0."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, TypeAlias, TypeGuard

from fstheory._exact import format_fraction, integers_over
from fstheory._optional import require
from fstheory.proofs.linear import ONE, Fact, Linear, Relation
from fstheory.proofs.solvers import z3_number

__all__ = ["Combination", "Premise", "Reference", "contradicts", "is_upper_bound", "multipliers"]

Reference: TypeAlias = "Fact | tuple[Any, ...]"
"""A fact of the branch, or one that is true of every distribution: ("total",), ("p", cell), ("M", maximum, argument),
("sum", maximum, parts) or ("whole", maximum); for the last two see `fstheory.proofs.relaxation`."""


@dataclass(frozen=True, eq=False, slots=True)
class Premise:
    """A linear form that is above, at least or equal to 0, and where that comes from."""

    reference: Reference
    linear: Linear
    relation: Relation


def is_upper_bound(reference: Reference) -> TypeGuard[tuple[Any, ...]]:
    """Return whether a reference is to an upper bound of a maximum."""
    return isinstance(reference, tuple) and reference[0] in {"sum", "whole"}


Combination: TypeAlias = "tuple[tuple[Premise, int], ...]"


def contradicts(combination: Sequence[tuple[Premise, int]]) -> bool:
    """Return whether multiplied premises add up to a contradiction; multipliers of inequalities must be above 0."""
    total: dict[int, int | Fraction] = {ONE: 0}
    strict = False
    for premise, factor in combination:
        if factor == 0 or (factor < 0 and premise.relation != "="):
            return False
        strict = strict or premise.relation == ">"
        for unknown, coefficient in premise.linear.terms():
            total[unknown] = total.get(unknown, 0) + factor * coefficient
    constant = total.pop(ONE)
    return not any(total.values()) and (constant < 0 or (constant == 0 and strict))


def multipliers(core: Sequence[Premise]) -> Combination:
    """Return coprime multipliers for premises that contradict each other, of which perhaps not all are needed."""
    for found in (_unique(core), None):
        whole, _ = integers_over(found if found is not None else _any(core))
        divisor = math.gcd(*whole) or 1
        for sign in (divisor, -divisor):
            combination = tuple((p, factor // sign) for p, factor in zip(core, whole, strict=True) if factor)
            if contradicts(combination):
                return combination
    raise ArithmeticError(f"{len(core)} premises do not contradict each other, although the solver says so")


def _rows(core: Sequence[Premise]) -> list[Mapping[int, Fraction]]:
    """Return the equations on the multipliers, one for each unknown, that make it cancel."""
    rows: dict[int, dict[int, Fraction]] = {}
    for j, premise in enumerate(core):
        for unknown, coefficient in premise.linear.coefficients.items():
            rows.setdefault(unknown, {})[j] = coefficient
    return list(rows.values())


def _unique(core: Sequence[Premise]) -> list[Fraction] | None:
    """Return the one solution of the equations, up to a factor; None if there are more."""
    from flint import fmpq, fmpq_mat

    width = len(core)
    rows = _rows(core)
    entries = [fmpq(0)] * (width * max(len(rows), 1))
    for i, row in enumerate(rows):
        for j, coefficient in row.items():
            entries[i * width + j] = fmpq(coefficient.numerator, coefficient.denominator)
    reduced, rank = fmpq_mat(max(len(rows), 1), width, entries).rref()
    if width - rank != 1:
        return None
    pivots = [next(j for j in range(i, width) if reduced[i, j] != 0) for i in range(rank)]
    free = next(j for j in range(width) if j not in pivots)
    solution = [Fraction(0)] * width
    solution[free] = Fraction(1)
    for i, j in enumerate(pivots):
        value = -reduced[i, free]
        solution[j] = Fraction(int(value.p), int(value.q))
    return solution


def _any(core: Sequence[Premise]) -> list[Fraction]:
    """Return a solution by the solver: equations, signs, and a contradiction."""
    z3 = require("z3", "solve", "proving a claim")
    context = z3.Context()

    def number(value: Fraction) -> Any:
        return z3.RealVal(format_fraction(value), context)

    factors = [z3.Real(f"f{j}", context) for j in range(len(core))]
    solver = z3.SolverFor("QF_LRA", ctx=context)
    solver.add(*(factor >= 0 for factor, p in zip(factors, core, strict=True) if p.relation != "="))
    for row in _rows(core):
        solver.add(z3.Sum([factors[j] * number(coefficient) for j, coefficient in row.items()]) == 0)
    constant = z3.Sum([factor * number(p.linear.constant) for factor, p in zip(factors, core, strict=True)])
    strict = [factor for factor, p in zip(factors, core, strict=True) if p.relation == ">"]
    solver.add(z3.Or(constant < 0, z3.And(constant == 0, z3.Sum([number(Fraction(0)), *strict]) > 0)))
    if solver.check() != z3.sat:
        raise ArithmeticError(f"{len(core)} premises do not contradict each other, although the solver says so")
    values = [solver.model().eval(factor, model_completion=True) for factor in factors]
    return [z3_number(value) for value in values]
