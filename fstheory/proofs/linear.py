"""Formulas in negation normal form as linear constraints on the probabilities of the cells."""

from __future__ import annotations

import itertools
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any, Literal, TypeAlias

from fstheory._support.progress import spend
from fstheory.checker.cases import of_one_condition, undivided, unfolded
from fstheory.checker.every_size import PRIMES, EverySizeSpace
from fstheory.checker.forms import MOST_FACTORS, Forms, combined
from fstheory.checker.reading import SampleSpace
from fstheory.checker.statement import COMPARISONS, ONE, Coefficient, Form, walk
from fstheory.errors import CertificateError, NotLinearError
from fstheory.logic.every_size import asks_about_states
from fstheory.logic.expressions import Node
from fstheory.logic.statement import Instance, Shape, generators, text_of

_REFUSED = {"log": "a logarithm", "sqrt": "a square root", "H": "an entropy, which is a sum of logarithms"}
_REFUSED["*"] = "a product of two numbers that are no constants"
_CONDITION = "in a comparison divide all by one probability that they are parts of"
_REPAIR = "check it on distributions or search for a counterexample instead"
_EVERY_SIZE = "divide risks or informations for every number of states (features=..)"
_LONGEST = 160  # characters of a term in a message

Relation = Literal[">", ">=", "="]
Point: TypeAlias = "Mapping[int, int | Fraction]"
"""Values of the unknowns times a common denominator above 0, which is the value of ONE; integers are faster."""

VALUE: Node = ("t", "")
"""The unknown that is made as large as possible. No parameter of a claim has this name."""


def value_at(form: Form, point: Point) -> Coefficient:
    """Return the value of a linear form at a point, times the common denominator."""
    return sum(coefficient * point[unknown] for unknown, coefficient in form.items())


@dataclass(frozen=True, eq=False, slots=True)
class Constraint:
    """A linear form that is above, at least or equal to 0, and how proofs refer to it, the same in every process.

    A constraint of a branch has a text as its name. A constraint that every distribution satisfies has a reference:
    that of a fact of the unknowns, ("M", maximum, argument), ("sum", maximum, parts) or ("whole", maximum). For the
    last two see `solvers.cuts`. The product of constraints is ("product", names).
    """

    linear: Form
    relation: Relation
    name: str | tuple[Any, ...]

    def holds(self, point: Point) -> bool:
        """Return whether the constraint is true at a point."""
        value = value_at(self.linear, point)
        return value > 0 if self.relation == ">" else value >= 0 if self.relation == ">=" else value == 0


@dataclass(frozen=True, eq=False)
class Disjunction:
    """A disjunction: at least one of the cases is true."""

    options: tuple[Node, ...]
    unknowns: Unknowns
    name: str

    @cached_property
    def cases(self) -> tuple[Case, ...]:
        """The constraints and disjunctions of each disjunct, which are made when they are first needed."""
        return tuple(self.unknowns.case([option], f"{self.name}.{j}.") for j, option in enumerate(self.options))

    def holds(self, point: Point) -> bool:
        """Return whether a disjunct is true at a point."""
        return any(case.holds(point) for case in self.cases)


@dataclass(frozen=True, eq=False, slots=True)
class Case:
    """The constraints and the open disjunctions that asserting some formulas adds, in order of appearance."""

    constraints: tuple[Constraint, ...]
    disjunctions: tuple[Disjunction, ...] = ()
    said: tuple[Node, ...] = ()  # the formulas

    @property
    def names(self) -> tuple[list[str], list[str]]:
        """The names of the constraints, and of the disjunctions."""
        own = [str(part.name) for part in self.constraints if "*" not in str(part.name)]  # no products with logarithms
        return own, [part.name for part in self.disjunctions]

    def forms(self) -> Iterator[Form]:
        """Yield the linear forms of all constraints, also of those in open disjunctions."""
        yield from (constraint.linear for constraint in self.constraints)
        for disjunction in self.disjunctions:
            for case in disjunction.cases:
                yield from case.forms()

    def holds(self, point: Point) -> bool:
        """Return whether all constraints and disjunctions are true at a point."""
        spend()
        parts: tuple[Constraint | Disjunction, ...] = (*self.constraints, *self.disjunctions)
        return all(part.holds(point) for part in parts)


def is_along_inclusion(formula: Node) -> bool:
    """Return whether all that a formula compares are Bayes risks of a subset and of a part of it."""
    pairs = [node[1:] for node in walk(formula) if node[0] in COMPARISONS]
    risks = ((set(a[1]), set(b[1])) for a, b in pairs if a[0] == b[0] == "R")
    return [a <= b or b <= a for a, b in risks] == [True] * len(pairs)


class _Cells(SampleSpace):
    """The cells of a shape of any size. A step only looks at the time."""

    def __init__(self, shape: Shape) -> None:
        self.cardinalities, self.classes = shape.cardinalities, range(shape.classes)
        self.axes, self.n, self.size = (*shape.cardinalities, shape.classes), len(shape.cardinalities), shape.cells

    def spend(self, _steps: int) -> None:
        """Obey the time limit."""
        spend()


class _Terms(Forms):
    """The linear forms of the checker, with numbers of any length. Other terms are refused in words for people."""

    def __init__(self, space: SampleSpace | EverySizeSpace, names: Shape) -> None:
        super().__init__(space)
        self._names = names
        self._found: dict[Node, Form] = {}

    def form(self, term: Node) -> Form:
        """Return a term of the linear fragment as a linear form."""
        if term not in self._found:
            spend()
            # Of a logarithm of terms that are not linear, the logarithm is named.
            refused = (CertificateError, NotLinearError) if term[0] == "log" else CertificateError
            try:
                self._found[term] = super().form(term)
            except refused:
                raise self._refusal(term) from None
        return self._found[term]

    sum = staticmethod(combined)

    def _refusal(self, term: Node) -> NotLinearError:
        """Return the error for a term whose parts are linear."""
        text, (kind, *parts) = text_of(term, self._names), term
        what = f"is {_REFUSED.get(kind, 'beyond it')}; {_REPAIR}"
        if kind == "P":
            return NotLinearError(str(asks_about_states("a probability")))
        if kind == "log" and isinstance(self.shape, EverySizeSpace) and parts[0][0] == "q" and parts[0][1] > 0:
            what = f"is the logarithm of a number with a prime factor above {PRIMES[-1]}; write a rational bound"
        elif kind == "*" and isinstance(self.shape, EverySizeSpace):
            what = f"is a product of more than {MOST_FACTORS} numbers that are no constants; {_REPAIR}"
        elif kind == "/" and self.form(parts[1]):
            what = f"divides by a number that is no constant; {_CONDITION}, {_EVERY_SIZE}, or {_REPAIR}"
        elif kind == "sqrt":
            what = f"is a square root; square the comparison, or {_REPAIR}"
        elif kind == "/":
            what = "divides by 0; correct it"
        return NotLinearError(f"{text if len(text) <= _LONGEST else f'{text[: _LONGEST - 4]} ...'} {what}")


class Unknowns:
    """The unknowns of a shape: cells 0, .., m - 1 in the order of the weights, then one for each maximum met so far."""

    def __init__(self, shape: Shape, space: EverySizeSpace | None = None) -> None:
        self.shape = shape
        self.terms = _Terms(space or _Cells(shape), shape)
        self.cells = self.terms.shape.size
        self.numbers: Sequence[int] = range(self.cells)  # of the unknowns that are no maxima
        self.renamings = () if space else generators(shape)
        self.primes: Sequence[int] = ()  # whose logarithms are among the unknowns
        self._attained: dict[int, Disjunction] = {}

    @property
    def splits(self) -> tuple[Disjunction, ...]:
        """The disjunctions that are true of every distribution. For one shape none was of use."""
        return ()

    def products(self, _new: Sequence[Constraint], _known: Sequence[Constraint]) -> Sequence[Constraint]:
        """Return products of new and known constraints that a proof may use. For one shape there are none."""
        return ()

    def facts(self) -> Iterator[Constraint]:
        """Yield the facts about every distribution. For one shape: probabilities are at least 0, and their sum is 1."""
        yield Constraint({ONE: -1, **dict.fromkeys(self.numbers, 1)}, "=", ("total",))
        for cell in self.numbers:
            yield Constraint({cell: 1}, ">=", ("p", cell))

    def arguments(self, maximum: int) -> tuple[Form, ...]:
        """Return the arguments of the maximum with this number, as linear forms."""
        return self.terms.maxima_met[maximum][1]

    def top(self, maximum: int) -> Node:
        """Return the term that is the maximum with this number."""
        return self.terms.maxima_met[maximum][0]

    def maximum(self, *numbers: int) -> Form:
        """Return the sum of the maxima with these numbers."""
        return {self.cells + number: 1 for number in numbers}

    def constraint(self, comparison: Node, name: str = "") -> Constraint:
        """Return a comparison as a constraint: the right side less the left one, compared with 0."""
        kind, left, right = comparison
        relations: dict[str, Relation] = {"<": ">", "<=": ">=", "=": "="}
        return Constraint(combined([(1, self.terms.form(right)), (-1, self.terms.form(left))]), relations[kind], name)

    def case(self, formulas: Iterable[Node], before: str = "") -> Case:
        """Return the case of formulas that are asserted one after the other. Its names begin with the text `before`.

        Its constraints are also multiplied by the bounds of logarithms.
        """
        constraints: list[Constraint] = []
        disjunctions: list[Disjunction] = []
        for formula in unfolded(said := tuple(formulas))[0]:
            if formula[0] == "or":
                disjunctions.append(Disjunction(formula[1:], self, f"{before}or{len(disjunctions)}"))
            else:
                constraints.append(self.constraint(formula, f"{before}{len(constraints)}"))
        for one, p, above in itertools.product(constraints, self.primes, (False, True)):
            assert isinstance(self.terms.shape, EverySizeSpace)
            with suppress(CertificateError):
                _, product = self.terms.shape.times((p, 6, above), (one.relation, one.linear), "a product")
                constraints.append(Constraint(product, one.relation, f"{one.name}*{p}{'-+'[above]}"))
        return Case(tuple(constraints), tuple(disjunctions), said)

    def bounds(self, number: int) -> tuple[Form, ...]:
        """Return the forms "a maximum minus one of its arguments", each of which is at least 0."""
        top = self.maximum(number)
        return tuple(combined([(1, top), (-1, argument)]) for argument in self.arguments(number))

    def attained(self, number: int) -> Disjunction:
        """Return the disjunction that a maximum equals its first argument, or its second, and so on.

        Each call returns the same object.
        """
        if number not in self._attained:
            node = self.top(number)
            options = tuple(("=", argument, node) for argument in node[1:])
            self._attained[number] = Disjunction(options, self, f"max {number}")
        return self._attained[number]

    def maxima_in(self, forms: Iterable[Form]) -> tuple[int, ...]:
        """Return the numbers of the maxima that linear forms speak about, and those inside of them, ascending."""
        found: set[int] = set()
        waiting = list(forms)
        while waiting:
            parts = ((u,) if u >= ONE else self.terms.factors(u) for u in waiting.pop())  # of a product its factors
            new = {u - self.cells for part in parts for u in part if u >= self.cells} - found
            found |= new
            waiting.extend(argument for number in new for argument in self.arguments(number))
        return tuple(sorted(found))

    def complete(self, point: Point, maxima: Iterable[int]) -> Point:
        """Return the cells of a point, with the real values of the maxima there. The maxima must be ascending."""
        own = (ONE, *self.numbers, *(u for u in self.terms.parameters.values() if u in point))
        values = {unknown: point[unknown] for unknown in own}
        for number in maxima:
            values[self.cells + number] = max(value_at(argument, values) for argument in self.arguments(number))
        return values

    def require_linear(self, instance: Instance, claim: str) -> None:
        """Raise an error if a formula is outside the linear fragment. It names the claim, the instance and the term."""
        try:
            self._visit(instance.formula)
        except NotLinearError as error:
            what = f"{claim}, by {instance}," if instance.name != claim else str(instance)
            raise NotLinearError(f"{what} is beyond linear arithmetic: {error}") from None

    def _visit(self, node: Node) -> None:
        multiply = undivided if isinstance(self.terms.shape, EverySizeSpace) else of_one_condition
        multiplied = multiply(node) if node[0] in COMPARISONS else node
        if multiplied is None:
            self.constraint(node)
        else:
            for part in multiplied[1:]:
                self._visit(part)


def branching_maxima(
    unknowns: Unknowns, constraints: Iterable[Constraint], point: Point, real: Point, split: Container[Disjunction]
) -> Iterator[Disjunction]:
    """Yield the splits of maxima that explain why constraints are true at a point of the relaxation.

    At the `real` point, where the maxima have their real values, the constraints are false.
    """
    waiting = [constraint.linear for constraint in constraints]
    seen: set[int] = set()
    for form in waiting:  # grows while it is walked
        side = _change(form, point, real)
        for unknown, coefficient in form.items():
            number = unknown - unknowns.cells
            change = point[unknown] - real[unknown]
            if number < 0 or unknown in seen or change * coefficient * side <= 0:
                continue
            seen.add(unknown)
            if change > 0 and unknowns.attained(number) not in split:
                yield unknowns.attained(number)
            else:
                waiting.extend(
                    argument for argument in unknowns.arguments(number) if _change(argument, point, real) * change > 0
                )


def _change(form: Form, point: Point, real: Point) -> Coefficient:
    """Return the value of a form at a point minus its value at the real point."""
    return value_at(form, point) - value_at(form, real)
