"""The linear relaxation of a branch of a case split, cut by upper bounds of maxima, and what to branch on."""

from __future__ import annotations

import itertools
from collections.abc import Container, Iterable, Iterator
from fractions import Fraction
from typing import Any

from fstheory._exact import format_fraction, integers_over
from fstheory._optional import require
from fstheory.proofs.farkas import Combination, Premise, multipliers
from fstheory.proofs.linear import ONE, Fact, Linear, Point, Unknowns
from fstheory.proofs.solvers import Clock, z3_answer

__all__ = ["Relaxation", "always", "culprits", "upper_bounds"]


def upper_bounds(unknowns: Unknowns, maxima: Iterable[int]) -> tuple[Premise, ...]:
    """Return upper bounds of maxima over the classes.

    The reference of each premise is ("sum", maximum, parts) if the maximum is at most the sum of other maxima, whose
    arguments add up to its own, and ("whole", maximum) if it is at most the probability of its cell.
    """
    groups: dict[tuple[int, ...], dict[tuple[int | None, ...], int]] = {}
    for number in sorted(set(maxima)):
        states = _cell(unknowns, number)
        if states is not None:
            features = tuple(i for i, v in enumerate(states) if v is not None)
            groups.setdefault(features, {})[states] = number
    found = [_at_most_whole(unknowns, number) for cells in groups.values() for number in cells.values()]
    for small, large in itertools.permutations(groups, 2):
        if set(small) < set(large):
            for states, number in groups[small].items():
                parts = _parts(unknowns, states, large, groups[large])
                if parts is not None:
                    found.append(_at_most_sum(unknowns, number, parts))
    return tuple(found)


def _cell(unknowns: Unknowns, number: int) -> tuple[int | None, ...] | None:
    """Return s if the maximum is that of P(s, y) over all classes y in order."""
    arguments = unknowns.maxima[number][1:]
    if [argument[0] for argument in arguments] != ["P"] * unknowns.shape.classes:
        return None
    states: tuple[int | None, ...] = arguments[0][1]
    return states if arguments == tuple(("P", states, y) for y in range(len(arguments))) else None


def _parts(
    unknowns: Unknowns,
    states: tuple[int | None, ...],
    features: tuple[int, ...],
    cells: dict[tuple[int | None, ...], int],
) -> tuple[int, ...] | None:
    """Return the numbers of all cells of a larger subset within a cell, None if one is missing."""
    choices = [
        range(size) if i in features and states[i] is None else (states[i],)
        for i, size in enumerate(unknowns.shape.cardinalities)
    ]
    parts = tuple(cells.get(part) for part in itertools.product(*choices))
    return tuple(part for part in parts if part is not None) if None not in parts else None


def _at_most_whole(unknowns: Unknowns, number: int) -> Premise:
    whole = Linear(Fraction(0), {unknowns.cells + number: Fraction(-1)})
    for argument in unknowns.arguments(number):
        whole = whole.plus(argument)
    return Premise(("whole", number), whole, ">=")


def _at_most_sum(unknowns: Unknowns, number: int, parts: tuple[int, ...]) -> Premise:
    coefficients = {unknowns.cells + part: Fraction(1) for part in parts}
    coefficients[unknowns.cells + number] = Fraction(-1)
    return Premise(("sum", number, parts), Linear(Fraction(0), coefficients), ">=")


class Relaxation:
    """An exact linear program that grows and shrinks with a branch."""

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
        """Return premises with multipliers that contradict each other; None if there is a `point`."""
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


def culprits(
    unknowns: Unknowns, facts: Iterable[Fact], point: Point, real: Point, split: Container[int]
) -> Iterator[int]:
    """Yield the numbers of maxima that help facts to be true at a point and false at the real one."""
    waiting = [fact.linear for fact in facts]
    seen: set[int] = set()
    for form in waiting:  # grows while it is walked
        side = _change(form, point, real)
        for unknown, coefficient in form.coefficients.items():
            number = unknown - unknowns.cells
            change = point[unknown] - real[unknown]
            if number < 0 or unknown in seen or change * coefficient * side <= 0:
                continue
            seen.add(unknown)
            if change > 0 and number not in split:
                yield number
            else:
                waiting.extend(
                    argument for argument in unknowns.arguments(number) if _change(argument, point, real) * change > 0
                )


def _change(form: Linear, point: Point, real: Point) -> int | Fraction:
    """Return by how much a form is larger at a point than it really is."""
    return form.at(point) - form.at(real)
