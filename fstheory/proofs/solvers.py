"""Z3 and cvc5: they find weights at which assumptions are true and a formula is false, or prove that there are none."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from fractions import Fraction
from typing import Any, TypeAlias

from fstheory._support.exact import exact_text, integers_over
from fstheory._support.progress import Clock, OutOfTime, spend
from fstheory.checker.cases import undivided
from fstheory.checker.forms import combined, is_constant
from fstheory.checker.reading import SampleSpace
from fstheory.checker.statement import ONE, Form
from fstheory.distributions.joint import JointDistribution
from fstheory.errors import MissingDependencyError, NotLinearError, import_optional
from fstheory.logic.expressions import Node, conjunction
from fstheory.logic.statement import Shape, Statement
from fstheory.proofs.linear import Constraint, Point, Relation, Unknowns


class NoAnswer(Exception):
    """A solver gave no answer. The text says why."""


def load_z3() -> Any:
    """Import Z3."""
    return import_optional("z3", "solve", "proving a claim")


def _load_cvc5(part: str = "") -> Any:
    return import_optional(f"cvc5{part}", "solve", "a second opinion on a claim")


_MOMENT = 20  # milliseconds by which Z3 may miss a time limit


def z3_answer(solver: Any, clock: Clock, *, limited: bool = False) -> bool:
    """Return whether the assertions of a Z3 solver are satisfiable.

    `limited` says that something besides the clock may stop the solver. After a push, Z3 does not say why it stopped.
    If the time was not up, the reason was an interrupt from the keyboard.
    """
    import z3  # the solver has it

    left = clock.milliseconds()
    try:
        if left is not None:
            solver.set("timeout", left)
        answer = solver.check()
        if answer != z3.unknown:
            return bool(answer == z3.sat)
        reason = solver.reason_unknown()
    except z3.Z3Exception as error:
        if _is_interrupt(str(error), clock, limited):
            raise KeyboardInterrupt from None
        raise NoAnswer(f"z3 failed ({error})") from error
    if _is_interrupt(reason, clock, limited):
        raise KeyboardInterrupt
    raise NoAnswer("the time limit was reached" if reason in {"timeout", "canceled"} else f"z3 said {reason!r}")


def _is_interrupt(reason: str, clock: Clock, limited: bool) -> bool:
    left = clock.milliseconds()
    return "keyboard" in reason or ("canceled" in reason and not limited and (left is None or left > _MOMENT))


def number_in_model(value: Any) -> Fraction:
    """Return a number of a model as a Fraction. Raise `NoAnswer` if it has more digits than Python reads."""
    try:
        if value.is_int():
            return Fraction(value.as_long())
        return Fraction(value.numerator_as_long(), value.denominator_as_long())
    except ValueError as error:
        raise NoAnswer("the solver answered with numbers of too many digits") from error


def _cvc5_answer(solver: Any, clock: Clock) -> bool:
    """Return whether the assertions of a cvc5 solver are satisfiable."""
    cvc5 = _load_cvc5()
    left = clock.milliseconds()
    if left is not None:
        solver.set("tlimit-per", str(left))
    answer = solver.check().r
    if not (answer.isSat() or answer.isUnsat()):
        timeout = answer.getUnknownExplanation() == cvc5.UnknownExplanation.TIMEOUT
        raise NoAnswer("the time limit was reached" if timeout else f"cvc5 said {answer}")
    return bool(answer.isSat())


class Encoder:
    """Formulas about one shape as terms of z3, or of cvc5's pythonic interface, which takes the same calls.

    The unknowns are the cells, whose sum is `total`, and the maxima in the encoded formulas. A maximum is multiplied by
    a number that makes it an integer if the cells are integers. Coefficients are integers.
    """

    def __init__(self, module: Any, unknowns: Unknowns, *, integer: bool = False) -> None:
        self.module = module
        self.context = module.Context()
        self.total: Any = 1
        self._unknowns = unknowns
        self._make, self._number_of = (module.Int, module.IntVal) if integer else (module.Real, module.RealVal)
        self.cells = [self._make(f"u{cell}", self.context) for cell in unknowns.numbers]
        self._known: dict[int, Any] = dict(zip(unknowns.numbers, self.cells, strict=True))
        self._units: dict[int, int] = {}
        self._numbers: dict[int, Any] = {}
        self.definitions: list[Any] = []  # of the maxima that were encoded

    def distribution(self) -> list[Any]:
        """Return the constraints of a distribution: no cell is below 0, and the cells add up to the total."""
        return [*(cell >= 0 for cell in self.cells), self.module.Sum(self.cells) == self.total]

    def unknown(self, number: int) -> Any:
        """Return a cell or a maximum, which is defined when it first occurs."""
        if number not in self._known:
            top = self._known[number] = self._make(f"u{number}", self.context)
            if number < self._unknowns.cells:  # a parameter, or a product
                return top
            unit = self.unit(number)
            terms = [self._scaled(form, unit) for form in self._unknowns.arguments(number - self._unknowns.cells)]
            self.definitions += [top >= term for term in terms]
            self.definitions.append(self._joined("or", [top == term for term in terms]))
        return self._known[number]

    def comparison(self, form: Form, relation: Relation) -> Any:
        """Return the solver's term for "a linear form is above 0, at least 0, or equal to 0"."""
        left = self._scaled(form)
        return left > 0 if relation == ">" else left >= 0 if relation == ">=" else left == 0

    def formula(self, node: Node) -> Any:
        """Return a formula as a term of the solver."""
        spend()
        kind = node[0]
        if kind in {"<", "<=", "="}:
            if multiplied := undivided(node):
                return self.formula(multiplied)
            constraint = self._unknowns.constraint(node)
            return self.comparison(constraint.linear, constraint.relation)
        parts = [self.formula(part) for part in node[1:]]
        if kind in {"and", "or"}:
            return self._joined(kind, parts)
        if kind == "not":
            return self.module.Not(parts[0])
        return self.module.Implies(*parts) if kind == "implies" else parts[0] == parts[1]

    def number(self, value: int) -> Any:
        """Return an integer, of any number of digits."""
        if value not in self._numbers:
            self._numbers[value] = self._number_of(exact_text(value), self.context)
        return self._numbers[value]

    def _joined(self, kind: str, parts: list[Any]) -> Any:
        if len(parts) < 2:  # cvc5 refuses to join fewer
            return parts[0] if parts else self.module.BoolVal(kind == "and", self.context)
        return (self.module.And if kind == "and" else self.module.Or)(parts)

    def _scaled(self, form: Form, factor: int | None = None) -> Any:
        """Return a linear form times the total and a factor that clears its denominators."""
        spend()
        factor = factor or self._denominator(form)
        parts = [(Fraction(c) / self.unit(u), self.unknown(u)) for u, c in form.items() if u != ONE]
        terms = [unknown if c * factor == 1 else self.number(int(c * factor)) * unknown for c, unknown in parts]
        return self.module.Sum([*terms, self.number(int(form.get(ONE, 0) * factor)) * self.total])

    def unit(self, number: int) -> int:
        """Return the factor by which an unknown is multiplied, so that it is an integer if the cells are integers."""
        if number < self._unknowns.cells:
            return 1
        if number not in self._units:
            arguments = self._unknowns.arguments(number - self._unknowns.cells)
            self._units[number] = math.lcm(*(self._denominator(argument) for argument in arguments))
        return self._units[number]

    def _denominator(self, form: Form) -> int:
        """Return what clears the denominators of a form, of unknowns that are multiplied by their units."""
        return math.lcm(*((Fraction(c) / (1 if u == ONE else self.unit(u))).denominator for u, c in form.items()))


Probabilities = tuple[Fraction, ...]
"""The probabilities of all cells, in the order of the weights."""


class Solver:
    """Z3 or cvc5, asked about one shape."""

    def __init__(self, unknowns: Unknowns, library: str = "z3") -> None:
        self.unknowns, self.library = unknowns, library
        self._module = load_z3() if library == "z3" else _load_cvc5(".pythonic")
        version = self._module.get_version_string() if library == "z3" else _load_cvc5().__version__
        self.name = f"{library} {version}"

    def counterexample(
        self, assume: Sequence[Node], formula: Node, clock: Clock, effort: int | None = None
    ) -> Probabilities | None:
        """Return a distribution at which the assumptions are true and the formula is false, or None if there is none.

        Z3 gives up after so much effort, in a unit of its own that does not depend on the machine.
        """
        with_z3 = self.library == "z3"
        failures = () if with_z3 else (RuntimeError, ValueError)  # ValueError: more digits than Python reads
        encoder = Encoder(self._module, self.unknowns)
        solver = self._module.SolverFor("QF_LRA", ctx=encoder.context)
        try:
            solver.add(*(encoder.formula(node) for node in (*assume, ("not", formula))))
            solver.add(*encoder.distribution(), *encoder.definitions)
            if effort is not None and with_z3:
                solver.set("rlimit", effort)
            if not (z3_answer(solver, clock, limited=effort is not None) if with_z3 else _cvc5_answer(solver, clock)):
                return None
            model = solver.model()
            return tuple(number_in_model(model.eval(cell, model_completion=True)) for cell in encoder.cells)
        except failures as error:
            raise NoAnswer(f"cvc5 failed ({error})") from error


# -- The linear relaxation of a branch of a case split, with cuts; Farkas multipliers where it is empty.


Combination: TypeAlias = "tuple[tuple[Constraint, int], ...]"
_States: TypeAlias = "tuple[int | None, ...]"  # of the features, None for any


def contradicts(combination: Sequence[tuple[Constraint, int]]) -> bool:
    """Return whether multiplied premises add up to a contradiction; multipliers of inequalities must be above 0."""
    if any(factor == 0 or (factor < 0 and premise.relation != "=") for premise, factor in combination):
        return False
    total = combined((factor, premise.linear) for premise, factor in combination)
    strict = any(premise.relation == ">" for premise, _ in combination)
    return is_constant(total) and (total.get(ONE, 0) < 0 or (not total and strict))


def multipliers(core: Sequence[Constraint], clock: Clock) -> Combination:
    """Return coprime multipliers for premises that contradict each other, of which perhaps not all are needed."""
    for found in (_unique(core), None):
        whole, _ = integers_over(found if found is not None else _any(core, clock))
        divisor = math.gcd(*whole) or 1
        for sign in (divisor, -divisor):
            combination = tuple((p, factor // sign) for p, factor in zip(core, whole, strict=True) if factor)
            if contradicts(combination):
                return combination
    raise ArithmeticError(f"{len(core)} premises do not contradict each other, although the solver says so")


def _rows(core: Sequence[Constraint]) -> list[Form]:
    """Return the equations on the multipliers, one for each unknown, that make it cancel."""
    rows: dict[int, Form] = {}
    for j, premise in enumerate(core):
        for unknown, coefficient in premise.linear.items():
            rows.setdefault(unknown, {})[j] = coefficient
    return [row for unknown, row in rows.items() if unknown != ONE]


def _unique(core: Sequence[Constraint]) -> list[Fraction] | None:
    """Return the only solution of the equations, up to a factor, or None if there are several."""
    from flint import fmpz_mat

    rows = _rows(core)
    matrix = fmpz_mat(max(len(rows), 1), len(core))
    for i, row in enumerate(rows):
        for j, number in zip(row, integers_over(row.values())[0], strict=True):
            matrix[i, j] = number
    basis, dimension = matrix.nullspace()
    return [Fraction(int(basis[j, 0])) for j in range(len(core))] if dimension == 1 else None


def _any(core: Sequence[Constraint], clock: Clock) -> list[Fraction]:
    """Return a solution by the solver: equations, signs, and a contradiction."""
    z3 = load_z3()
    encoder = Encoder(z3, Unknowns(Shape((), max(len(core), 1))))  # one unknown for each multiplier
    compared = encoder.comparison
    solver = z3.SolverFor("QF_LRA", ctx=encoder.context)
    solver.add(*(compared({j: 1}, ">=") for j, premise in enumerate(core) if premise.relation != "="))
    solver.add(*(compared(row, "=") for row in _rows(core)))
    constant: Form = {j: -premise.linear.get(ONE, 0) for j, premise in enumerate(core)}
    strict: Form = {j: 1 for j, premise in enumerate(core) if premise.relation == ">"}
    solver.add(z3.Or(compared(constant, ">"), z3.And(compared(constant, "="), compared(strict, ">"))))
    if not z3_answer(solver, clock):
        raise ArithmeticError(f"{len(core)} premises do not contradict each other, although the solver says so")
    model = solver.model()
    return [number_in_model(model.eval(factor, model_completion=True)) for factor in encoder.cells[: len(core)]]


def cuts(unknowns: Unknowns, maxima: Iterable[int]) -> tuple[Constraint, ...]:
    """Return upper bounds of maxima over the classes.

    The reference of each premise is ("sum", maximum, parts) if the maximum is at most the sum of other maxima, whose
    arguments add up to its own, and ("whole", maximum) if it is at most the probability of its cell.
    """
    groups: dict[tuple[int, ...], dict[_States, int]] = {}
    for number in sorted(set(maxima)):
        states = _cell(unknowns, number)
        if states is not None:
            features = tuple(i for i, v in enumerate(states) if v is not None)
            groups.setdefault(features, {})[states] = number
    found = []
    for k in (k for cells in groups.values() for k in cells.values()):
        whole = combined([(-1, unknowns.maximum(k)), *((1, argument) for argument in unknowns.arguments(k))])
        found.append(Constraint(whole, ">=", ("whole", k)))
    for small, large in itertools.permutations(groups, 2):
        if set(small) < set(large):
            for states, k in groups[small].items():
                parts = _parts(unknowns, states, large, groups[large])
                if parts is not None:
                    less = combined([(1, unknowns.maximum(*parts)), (-1, unknowns.maximum(k))])
                    found.append(Constraint(less, ">=", ("sum", k, parts)))
    return tuple(found)


def _cell(unknowns: Unknowns, number: int) -> _States | None:
    """Return the state s if a maximum is the maximum of P(s, y) over all classes y in order. Otherwise return None."""
    arguments = unknowns.top(number)[1:]
    if {argument[0] for argument in arguments} != {"P"} or len(arguments) != unknowns.shape.classes:
        return None
    states: _States = arguments[0][1]
    return states if arguments == tuple(("P", states, y) for y in range(len(arguments))) else None


def _parts(
    unknowns: Unknowns, states: _States, features: tuple[int, ...], cells: Mapping[_States, int]
) -> tuple[int, ...] | None:
    """Return the numbers of all maxima of a larger subset within a state, or None if one is missing."""
    space = unknowns.terms.shape
    assert isinstance(space, SampleSpace)
    within = list(space.states(features, states))
    return tuple(cells[part] for part in within) if cells.keys() >= set(within) else None


class Relaxation:
    """An exact linear program: the constraints of the branch at which the search is."""

    _engine = "SimpleSolver"  # of Z3

    def __init__(self, unknowns: Unknowns, maxima: Iterable[int], clock: Clock) -> None:
        z3 = load_z3()
        kept, self._all_unknowns = tuple(maxima), unknowns
        self._encoder = Encoder(z3, unknowns)
        self._solver = getattr(z3, self._engine)(ctx=self._encoder.context)
        self._clock = clock
        self._formulas: dict[Constraint, Any] = {}
        self._labels: list[Any] = []
        self._premises: list[Constraint] = []
        self._levels: list[int] = []  # the number of premises before each case
        self._add((*always(unknowns, kept), *cuts(unknowns, kept)))
        numbers = [*unknowns.numbers, *(unknowns.cells + k for k in kept), *unknowns.terms.parameters.values()]
        self._unknowns = {number: self._encoder.unknown(number) for number in numbers}

    def push(self, constraints: Iterable[Constraint]) -> None:
        """Add the constraints of one more case."""
        self._solver.push()
        self._levels.append(len(self._premises))
        self._add(constraints)

    def pop(self) -> None:
        """Remove the constraints of the last case."""
        self._solver.pop()
        del self._premises[self._levels.pop() :]

    def contradiction(self) -> Combination | None:
        """Return premises that contradict each other, with their multipliers. Return None if there is a `point`."""
        if z3_answer(self._solver, self._clock):
            return None
        names = (label.decl().name() for label in self._solver.unsat_core())  # str(label) is not safe with threads
        return multipliers([self._premises[int(name[1:])] for name in names], self._clock)

    def point(self) -> Point:
        """Return the point that the last call of `contradiction` found, by the numbers of the unknowns."""
        model = self._solver.model()
        values = {}
        for number, unknown in self._unknowns.items():
            value = number_in_model(model.eval(unknown, model_completion=True))
            values[number] = value / self._encoder.unit(number)
        numerators, denominator = integers_over(values.values())
        return dict(zip((*values, ONE), (*numerators, denominator), strict=True))

    def _add(self, premises: Iterable[Constraint]) -> None:
        new = [*premises]
        products = self._all_unknowns.products(new, self._premises) if self._all_unknowns.terms.parameters else ()
        for number, premise in enumerate([*new, *products], len(self._premises)):
            if premise not in self._formulas:
                self._formulas[premise] = self._encoder.comparison(premise.linear, premise.relation)
            if number == len(self._labels):
                self._labels.append(self._encoder.module.Bool(f"f{number}", self._encoder.context))
            self._solver.assert_and_track(self._formulas[premise], self._labels[number])
            self._premises.append(premise)


def always(unknowns: Unknowns, maxima: Iterable[int]) -> list[Constraint]:
    """Return constraints that every distribution satisfies, and that maxima are upper bounds of their arguments."""
    premises = [*unknowns.facts()]
    for k in maxima:
        premises += [Constraint(bound, ">=", ("M", k, j)) for j, bound in enumerate(unknowns.bounds(k))]
    return premises


# -- The counterexamples of a linear statement by weights: the least one of a total, or smaller ones.


def solver_version() -> str | None:
    """Return the name and version of the solver, or None if it is not installed."""
    try:
        return f"Z3 {load_z3().get_version_string()}"
    except MissingDependencyError:
        return None


def is_linear(statement: Statement) -> bool:
    """Return whether a statement is within linear arithmetic."""
    unknowns = Unknowns(statement.shape)
    try:
        for instance in (*statement.assume, *statement.show):
            unknowns.require_linear(instance, statement.claim)
    except NotLinearError:
        return False
    return True


class WeightSolver:
    """Z3, asked for counterexamples of a linear statement: integer weights of a given total, or of any total (0)."""

    def __init__(
        self, statement: Statement, total: int = 0, clock: Clock | None = None, effort: int | None = None
    ) -> None:
        self._z3 = z3 = load_z3()
        self._clock = clock or Clock(None, None)
        encoder = Encoder(z3, Unknowns(statement.shape), integer=True)
        self.solver = z3.SolverFor("QF_LIA", ctx=encoder.context)
        self._limited = effort is not None
        if effort is not None:
            self.solver.set("rlimit", effort)
        self._model: Any = None
        self.cells = encoder.cells
        self.total = encoder.total = total or z3.Sum(self.cells)
        denied = ("not", conjunction(*statement.shown))
        formulas = [encoder.formula(node) for node in (*statement.assumed, denied)]
        self.solver.add(z3.Sum(self.cells) >= 1, *encoder.distribution(), *encoder.definitions, *formulas)

    def check(self, constraint: Any = None) -> bool:
        """Return whether there is a counterexample that also satisfies a further constraint."""
        if constraint is not None:
            self.solver.push()
            self.solver.add(constraint)
        found = z3_answer(self.solver, self._clock, limited=self._limited)
        self._model = self.solver.model() if found else None
        if constraint is not None:
            self.solver.pop()
        return found

    def found_up_to(self, most: int) -> list[int]:
        """Return a counterexample whose total is at most a bound, or [] if there is none."""
        return self.weights() if self.check(self.total <= most) else []

    def least(self) -> list[int]:
        """Return the counterexample with the fewest cells above 0, then the lexicographically least. One must exist."""
        z3 = self._z3
        positive = z3.Sum([z3.If(cell > 0, 1, 0) for cell in self.cells])
        for most in range(1, len(self.cells) + 1):
            if self.check(positive <= most):
                break
        else:
            raise AssertionError("least() is asked where there is a counterexample")
        known = self.weights()
        self.solver.add(positive <= most)
        for place, cell in enumerate(self.cells):
            for weight in range(known[place]):
                if self.check(cell == weight):
                    known = self.weights()
                    break
            self.solver.add(cell == known[place])
        return known

    def weights(self) -> list[int]:
        """Return the integer weights that were found last."""
        return [self._model.eval(cell, model_completion=True).as_long() for cell in self.cells]


_CELLS = 64
_EFFORT = 10_000_000  # the solver's effort for each step: some tenths of a second
_FACTOR = (3, 4)


def with_smaller_weights(denial: Statement, d: JointDistribution, clock: Clock) -> JointDistribution:
    """Return a distribution with smaller weights at which a statement is also false. Return `d` if none is found."""
    if denial.shape.cells > _CELLS or d.total <= denial.shape.states or not is_linear(denial):
        return d
    with suppress(MissingDependencyError, NoAnswer, OutOfTime):
        while True:
            solver = WeightSolver(denial, total=0, clock=clock, effort=_EFFORT)
            solver.solver.add(solver.total <= d.total * _FACTOR[0] // _FACTOR[1])
            if not solver.check():
                return d
            d = denial.shape.distribution(solver.weights(), d.features)
    return d
