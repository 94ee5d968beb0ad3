"""The least prover that writes certificates: split cases until Z3 finds multipliers that show a contradiction.

It knows the format and nothing of the checker. Terms are linear forms over named unknowns: ``("p", cell)``, and
``("M", text)`` with the JSON text of a max node.
"""

import functools
import itertools
import json
from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import Any, TypeAlias

import z3

from tests.logic.building import Content, Json, Node, P, minus, normal, q, signed, statement

Form: TypeAlias = dict[Any, Fraction]
Fact: TypeAlias = tuple[str, Form]


class NotProvedError(Exception):
    """The statement is false: all cases are split and one of them has a point."""


def prove(
    cardinalities: Sequence[int], classes: int, assume: Sequence[Content], show: Sequence[Content], images: Json = None
) -> Content:
    """Return a certificate that the statement holds; `images` gives some proofs beforehand."""
    prover = _Prover(cardinalities, classes)
    proofs = [
        (images or {}).get(i) or {"tree": prover.tree([*(a["formula"] for a in assume), ["not", s["formula"]]])}
        for i, s in enumerate(show)
    ]
    return signed(statement("proved", cardinalities, classes, assume, show), maxima=prover.maxima, proofs=proofs)


class _Prover:
    def __init__(self, cardinalities: Sequence[int], classes: int) -> None:
        self.cardinalities, self.classes = cardinalities, classes
        self.table = list(itertools.product(*map(range, (*cardinalities, classes))))
        self.maxima: list[Node] = []

    # Terms

    def linear(self, term: Node) -> Form:
        kind, *parts = term
        if kind == "q":
            return {1: Fraction(parts[0])}
        if kind == "P":
            wanted = (*parts[0], parts[1])
            fits = [all(w in (None, i) for w, i in zip(wanted, cell, strict=True)) for cell in self.table]
            return {("p", i): Fraction(1) for i, fit in enumerate(fits) if fit}
        if kind == "R":
            axes = [range(c) if i in parts[0] else [None] for i, c in enumerate(self.cardinalities)]
            tops = [["max", *(P(s, y) for y in range(self.classes))] for s in itertools.product(*axes)]
            return self.linear(functools.reduce(minus, tops, q(1)))
        if kind == "+":
            return _add(*((Fraction(1), self.linear(part)) for part in parts))
        if kind in {"*", "/"}:
            a, b = map(self.linear, parts)
            if kind == "*" and set(a) <= {1}:
                a, b = b, a
            return _add((b.get(1, Fraction(0)) if kind == "*" else 1 / b[1], a))
        if kind == "min":
            top = ["max", *(["*", q(-1), part] for part in parts)]
            return _add((Fraction(-1), self.linear(top)))
        assert kind == "max"
        arguments = [self.linear(part) for part in parts]
        if all(set(argument) <= {1} for argument in arguments):
            return _add((max(argument.get(1, Fraction(0)) for argument in arguments), {1: Fraction(1)}))
        if term not in self.maxima:
            self.maxima.append(term)
        return {("M", json.dumps(term)): Fraction(1)}

    # Formulas

    def asserted(self, formula: Node) -> tuple[list[Fact], list[list[Node]]]:
        """Return the facts and open disjunctions that asserting a formula adds."""
        kind, *parts = normal(formula)
        if kind in {"<", "<=", "="}:
            difference = _add((Fraction(1), self.linear(parts[1])), (Fraction(-1), self.linear(parts[0])))
            return [({"<": ">", "<=": ">=", "=": "="}[kind], difference)], []
        if kind == "and":
            found = [self.asserted(part) for part in parts]
            return [fact for facts, _ in found for fact in facts], [o for _, opened in found for o in opened]
        return [], [parts]

    # Trees

    def tree(self, formulas: Iterable[Node]) -> Json:
        facts, disjunctions = self.asserted(["and", *formulas])
        return self._split(facts, disjunctions, frozenset())

    def _split(self, facts: list[Fact], disjunctions: list[list[Node]], split: frozenset[int]) -> Json:
        point = self._point(facts)
        if point is None:
            return {"farkas": self.multipliers(facts)}
        for k, top in enumerate(self.maxima):
            at = [_value(self.linear(term), point) for term in (top, *top[1:])]
            if at[0] not in at[1:]:  # the point is no distribution
                unknown = self.linear(top)
                equal = [("=", _add((Fraction(1), unknown), (Fraction(-1), self.linear(a)))) for a in top[1:]]
                return {"split": ["max", k], "cases": [self._split([*facts, e], disjunctions, split) for e in equal]}
        for j, parts in enumerate(disjunctions):
            if j not in split:
                cases = []
                for part in parts:
                    more, opened = self.asserted(part)
                    cases.append(self._split(facts + more, disjunctions + opened, split | {j}))
                return {"split": ["or", j], "cases": cases}
        raise NotProvedError

    def _known(self, facts: list[Fact]) -> list[tuple[Json, Fact]]:
        """Return the facts with references to them, those of every distribution included."""
        known: list[tuple[Json, Fact]] = list(enumerate(facts))
        known += [(["p", i], (">=", {("p", i): Fraction(1)})) for i in range(len(self.table))]
        known.append(("total", ("=", {("p", i): Fraction(1) for i in range(len(self.table))} | {1: Fraction(-1)})))
        for k, top in enumerate(self.maxima):
            for j, argument in enumerate(top[1:]):
                above = _add((Fraction(1), self.linear(top)), (Fraction(-1), self.linear(argument)))
                known.append((["M", k, j], (">=", above)))
        return known

    def _point(self, facts: list[Fact]) -> dict[Any, Fraction] | None:
        solver = z3.Solver()
        names: dict[Any, Any] = {1: z3.RealVal(1)}
        for _, (relation, form) in self._known(facts):
            left = [_rational(c) * names.setdefault(u, z3.Real(str(u))) for u, c in form.items()]
            total = z3.Sum([z3.RealVal(0), *left])
            solver.add(total == 0 if relation == "=" else total > 0 if relation == ">" else total >= 0)
        if solver.check() != z3.sat:
            return None
        model = solver.model()
        return {unknown: _exact(model.eval(name, model_completion=True)) for unknown, name in names.items()}

    def multipliers(self, facts: list[Fact]) -> Json:
        """Return multipliers under which the facts contradict each other; only few are not 0."""
        known = self._known(facts)
        solver = z3.Solver()
        names = [z3.Real(f"l{i}") for i in range(len(known))]
        columns: dict[Any, list[Any]] = {1: []}
        for name, (_, (relation, form)) in zip(names, known, strict=True):
            if relation != "=":
                solver.add(name >= 0)
            for unknown, coefficient in form.items():
                columns.setdefault(unknown, []).append(_rational(coefficient) * name)
        constant = z3.Sum([z3.RealVal(0), *columns.pop(1)])
        solver.add(*(z3.Sum(column) == 0 for column in columns.values()))
        strict = [name for name, (_, (relation, _)) in zip(names, known, strict=True) if relation == ">"]
        solver.add(z3.Or(constant == -1, z3.And(constant == 0, z3.Sum([z3.RealVal(0), *strict]) == 1)))
        assert solver.check() == z3.sat
        values = [_exact(solver.model().eval(name, model_completion=True)) for name in names]
        return [[reference, str(value)] for (reference, _), value in zip(known, values, strict=True) if value]


def _rational(value: Fraction) -> Any:
    return z3.Q(value.numerator, value.denominator)


def _exact(value: Any) -> Fraction:
    return Fraction(value.numerator_as_long(), value.denominator_as_long())


def _value(form: Form, point: dict[Any, Fraction]) -> Fraction:
    return sum((c * point.get(unknown, Fraction(0)) for unknown, c in form.items()), Fraction(0))


def _add(*multiplied: tuple[Fraction, Form]) -> Form:
    total: Form = {}
    for factor, form in multiplied:
        for unknown, coefficient in form.items():
            total[unknown] = total.get(unknown, Fraction(0)) + factor * coefficient
    return {unknown: coefficient for unknown, coefficient in total.items() if coefficient}
