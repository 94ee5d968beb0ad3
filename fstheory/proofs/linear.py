"""Formulas in negation normal form as linear constraints on the probabilities of the cells."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Literal, TypeAlias

import numpy as np

from fstheory.errors import NotLinearError
from fstheory.logic.nodes import Node
from fstheory.logic.statement import Named, Shape, text_of

__all__ = [
    "ONE",
    "REFUSED",
    "REPAIR",
    "Case",
    "Constraint",
    "Disjunction",
    "Linear",
    "Point",
    "Unknowns",
    "closed_value",
    "in_words",
    "is_closed",
    "negation_normal_form",
]

REFUSED = {"log": "a logarithm", "sqrt": "a square root", "H": "an entropy, which is a sum of logarithms"}
REPAIR = "check it on distributions or search for a counterexample instead"


def is_closed(term: Node) -> bool:
    """Return whether a term is the same at every distribution because it does not mention it."""
    return term[0] not in {"P", "R", "H"} and (term[0] == "q" or all(map(is_closed, term[1:])))


def closed_value(term: Node) -> Fraction:
    """Return the value of a closed term."""
    kind, *parts = term
    if kind == "q":
        return Fraction(parts[0])
    if kind in REFUSED:
        raise NotLinearError(f"a factor holds {REFUSED[kind]}; {REPAIR}")
    values = [closed_value(part) for part in parts]
    if kind == "+":
        return sum(values, Fraction(0))
    if kind in {"max", "min"}:
        return max(values) if kind == "max" else min(values)
    if kind == "*":
        return values[0] * values[1]
    if values[1] == 0:
        if values[0]:
            raise NotLinearError("a factor divides by 0; correct it")
        return Fraction(0)
    return values[0] / values[1]


_LONGEST = 160


def in_words(term: Node, shape: Shape) -> str:
    """Return a term as text, cut if it is long."""
    text = text_of(term, shape)
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 4]} ..."


def negation_normal_form(node: Node) -> Node:
    """Return a comparison, an "and" or an "or" that says the same."""
    kind = node[0]
    if kind == "not":
        return _denied(node[1])
    if kind == "implies":
        return "or", ("not", node[1]), node[2]
    if kind == "iff":
        _, a, b = node
        return "or", ("and", a, b), ("and", ("not", a), ("not", b))
    return ("and", *node[1:]) if kind == "or" and len(node) == 2 else node


def _denied(node: Node) -> Node:
    kind, *parts = node
    if kind == "not":
        return "and", parts[0]
    if kind in {"and", "or"}:
        return negation_normal_form(("or" if kind == "and" else "and", *(("not", part) for part in parts)))
    a, b = parts
    if kind == "<":
        return "<=", b, a
    if kind == "<=":
        return "<", b, a
    if kind == "=":
        return "or", ("<", a, b), ("<", b, a)
    if kind == "implies":
        return "and", a, ("not", b)
    return "or", ("and", a, ("not", b)), ("and", ("not", a), b)


Relation = Literal[">", ">=", "="]
Point: TypeAlias = "Mapping[int, int | Fraction]"
"""Values of the unknowns times a common denominator above 0, which is the value of ONE; integers are faster."""

ONE = -1


@dataclass(frozen=True, slots=True)
class Linear:
    """A constant plus a linear combination of unknowns, by their numbers."""

    constant: Fraction
    coefficients: Mapping[int, Fraction] = field(default_factory=dict)
    _terms: list[tuple[int, int | Fraction]] = field(default_factory=list, init=False, repr=False, compare=False)

    def plus(self, other: Linear, factor: Fraction = Fraction(1)) -> Linear:
        """Return this plus `factor` times another."""
        merged = dict(self.coefficients)
        for unknown, coefficient in other.coefficients.items():
            changed = merged.get(unknown, 0) + factor * coefficient
            if changed:
                merged[unknown] = changed
            else:
                merged.pop(unknown, None)
        return Linear(self.constant + factor * other.constant, merged)

    def times(self, factor: Fraction) -> Linear:
        """Return this multiplied by a number."""
        return Linear(factor * self.constant, {u: factor * c for u, c in self.coefficients.items() if factor})

    def terms(self) -> Sequence[tuple[int, int | Fraction]]:
        """Return the constant, as the coefficient of ONE, and the coefficients; as ints where they are integers."""
        if not self._terms:
            self._terms.extend((u, _simple(c)) for u, c in ((ONE, self.constant), *self.coefficients.items()))
        return self._terms

    def at(self, point: Point) -> int | Fraction:
        """Return the value at a point, times the common denominator."""
        return sum([c * point[u] for u, c in self.terms()])


@dataclass(frozen=True, eq=False, slots=True)
class Constraint:
    """A comparison of a linear form with zero. Facts are the same only if they are one object."""

    linear: Linear
    relation: Relation

    def holds(self, point: Point) -> bool:
        """Return whether the constraint is true at a point."""
        value = self.linear.at(point)
        return value > 0 if self.relation == ">" else value >= 0 if self.relation == ">=" else value == 0


@dataclass(frozen=True, eq=False, slots=True)
class Disjunction:
    """A disjunction: at least one of the cases is true."""

    options: tuple[Node, ...]
    _unknowns: Unknowns
    _cases: list[Case] = field(default_factory=list)

    @property
    def cases(self) -> tuple[Case, ...]:
        """What each disjunct says, spelled out when it is first asked for."""
        if len(self._cases) < len(self.options):
            self._cases.extend(self._unknowns.case([option]) for option in self.options)
        return tuple(self._cases)

    def holds(self, point: Point) -> bool:
        """Return whether a disjunct is true at a point."""
        return any(case.holds(point) for case in self.cases)


@dataclass(frozen=True, eq=False, slots=True)
class Case:
    """What asserting some formulas adds: constraints, and disjunctions that are left open, in order of appearance."""

    constraints: tuple[Constraint, ...]
    disjunctions: tuple[Disjunction, ...] = ()

    def forms(self) -> Iterator[Linear]:
        """Yield the linear forms of all constraints, also of those in open disjunctions."""
        yield from (constraint.linear for constraint in self.constraints)
        for disjunction in self.disjunctions:
            for case in disjunction.cases:
                yield from case.forms()

    def holds(self, point: Point) -> bool:
        """Return whether everything it says is true at a point."""
        return all(constraint.holds(point) for constraint in self.constraints) and all(
            disjunction.holds(point) for disjunction in self.disjunctions
        )


class Unknowns:
    """The unknowns of a shape: cells 0, .., m - 1 in the order of the weights, then one for each maximum met so far."""

    def __init__(self, shape: Shape) -> None:
        self.shape = shape
        self.cells = shape.cells
        self.maxima: list[Node] = []
        self._numbers: dict[tuple[tuple[Fraction, frozenset[tuple[int, Fraction]]], ...], int] = {}
        self._arguments: list[tuple[Linear, ...]] = []
        self._bounds: dict[int, tuple[Linear, ...]] = {}
        self._cases: dict[int, tuple[Case, ...]] = {}
        self._terms: dict[Node, Linear] = {}
        self._grid = np.arange(self.cells).reshape(*shape.cardinalities, shape.classes)

    def arguments(self, maximum: int) -> tuple[Linear, ...]:
        """Return what the maximum with this number is the largest of."""
        return self._arguments[maximum]

    def linear(self, term: Node) -> Linear:
        """Return a term of the linear fragment as a linear form."""
        if term not in self._terms:
            self._terms[term] = self._translate(term)
        return self._terms[term]

    def constraint(self, comparison: Node) -> Constraint:
        """Return a comparison as a constraint: the right side less the left one, compared with 0."""
        kind, left, right = comparison
        relations: dict[str, Relation] = {"<": ">", "<=": ">=", "=": "="}
        return Constraint(self.linear(right).plus(self.linear(left), Fraction(-1)), relations[kind])

    def case(self, formulas: Iterable[Node]) -> Case:
        """Return what asserting formulas, one after the other, adds."""
        constraints: list[Constraint] = []
        disjunctions: list[Disjunction] = []
        pending = list(formulas)[::-1]
        while pending:
            parts = negation_normal_form(pending.pop())
            if parts[0] == "and":
                pending.extend(reversed(parts[1:]))
            elif parts[0] == "or":
                disjunctions.append(Disjunction(parts[1:], self))
            else:
                constraints.append(self.constraint(parts))
        return Case(tuple(constraints), tuple(disjunctions))

    def bounds(self, number: int) -> tuple[Linear, ...]:
        """Return, for a maximum, what is at least 0: itself less each of its arguments."""
        if number not in self._bounds:
            top = Linear(Fraction(0), {self.cells + number: Fraction(1)})
            self._bounds[number] = tuple(top.plus(argument, Fraction(-1)) for argument in self._arguments[number])
        return self._bounds[number]

    def cases_of_maximum(self, number: int) -> tuple[Case, ...]:
        """Return the cases that a maximum is its first argument, its second, and so on; always the same objects."""
        if number not in self._cases:
            self._cases[number] = tuple(Case((Constraint(bound, "="),)) for bound in self.bounds(number))
        return self._cases[number]

    def maxima_in(self, forms: Iterable[Linear]) -> tuple[int, ...]:
        """Return the numbers of the maxima that linear forms speak about, and those inside of them, ascending."""
        found: set[int] = set()
        waiting = list(forms)
        while waiting:
            new = {u - self.cells for u in waiting.pop().coefficients if u >= self.cells} - found
            found |= new
            waiting.extend(argument for number in new for argument in self._arguments[number])
        return tuple(sorted(found))

    def complete(self, point: Point, maxima: Iterable[int]) -> Point:
        """Return the cells of a point with the values that maxima, ascending, really have there."""
        values = {cell: point[cell] for cell in (ONE, *range(self.cells))}
        for number in maxima:
            values[self.cells + number] = max(argument.at(values) for argument in self._arguments[number])
        return values

    def require_linear(self, named: Named, claim: str) -> None:
        """Refuse a formula outside the linear fragment, naming the claim, the instance and the term."""
        try:
            self._visit(named.formula)
        except NotLinearError as error:
            what = f"{claim}, by {named}," if named.name != claim else str(named)
            raise NotLinearError(f"{what} is beyond linear arithmetic: {error}") from None

    def _visit(self, node: Node) -> None:
        if node[0] in {"<", "<=", "="}:
            self.constraint(node)
        else:
            for part in node[1:]:
                self._visit(part)

    def _translate(self, term: Node) -> Linear:
        kind, *parts = term
        if kind == "q":
            return Linear(parts[0])
        if kind == "P":
            return self._probability(*parts)
        if kind == "R":
            return self._risk(parts[0])
        if kind == "+":
            return self._sum(map(self.linear, parts))
        if kind == "max":
            return self._maximum(term)
        if kind == "min":
            negated = ("max", *(("*", ("q", Fraction(-1)), part) for part in parts))
            return self.linear(negated).times(Fraction(-1))
        if kind in {"*", "/"}:
            return self._scaled(term)
        raise NotLinearError(f"{in_words(term, self.shape)} is {REFUSED[kind]}; {REPAIR}")

    def _maximum(self, node: Node) -> Linear:
        """Return the unknown of a maximum, the same one for all that have the same arguments in order."""
        arguments = tuple(map(self.linear, node[1:]))  # first, so that maxima inside have smaller numbers
        if not any(argument.coefficients for argument in arguments):
            return Linear(max(argument.constant for argument in arguments))
        key = tuple((argument.constant, frozenset(argument.coefficients.items())) for argument in arguments)
        number = self._numbers.setdefault(key, len(self.maxima))
        if number == len(self.maxima):
            self.maxima.append(node)
            self._arguments.append(arguments)
        return Linear(Fraction(0), {self.cells + number: Fraction(1)})

    def _sum(self, parts: Iterable[Linear]) -> Linear:
        total = Linear(Fraction(0))
        for part in parts:
            total = total.plus(part)
        return total

    def _probability(self, states: Sequence[int | None], y: int | None) -> Linear:
        index = tuple(slice(None) if i is None else i for i in (*states, y))
        return Linear(Fraction(0), dict.fromkeys(self._grid[index].ravel().tolist(), Fraction(1)))

    def _risk(self, features: Sequence[int]) -> Linear:
        sizes = self.shape.cardinalities
        total = Linear(Fraction(1))
        for values in np.ndindex(*(sizes[i] for i in features)):
            state_of = dict(zip(features, values, strict=True))
            states = tuple(state_of.get(i) for i in range(len(sizes)))
            cells = (("P", states, y) for y in range(self.shape.classes))
            total = total.plus(self.linear(("max", *cells)), Fraction(-1))
        return total

    def _scaled(self, term: Node) -> Linear:
        kind, first, second = term
        text = in_words(term, self.shape)
        if kind == "/":
            if not is_closed(second):
                raise NotLinearError(f"{text} divides by a number that depends on the distribution; {REPAIR}")
            divisor = closed_value(second)
            if divisor == 0:
                raise NotLinearError(f"{text} divides by 0; correct it")
            return self.linear(first).times(1 / divisor)
        if is_closed(first):
            return self.linear(second).times(closed_value(first))
        if is_closed(second):
            return self.linear(first).times(closed_value(second))
        raise NotLinearError(f"{text} is a product of two numbers that both depend on the distribution; {REPAIR}")


def _simple(number: Fraction) -> int | Fraction:
    return number.numerator if number.denominator == 1 else number
