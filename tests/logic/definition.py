"""What a certificate states, by the definitions, without code or method of the checker.

At one distribution, values are sums over ``{(x1, .., xn, y): Fraction}``. Whether a statement is true of all
distributions of its shape, Z3 says.
"""

import functools
import importlib
import itertools
import json
import math
from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction
from typing import Any

import z3

from tests import literal
from tests.logic.building import Content, Node, P, positive, unique_maximum
from tests.measures.literal import probabilities

mpmath: Any = importlib.import_module("mpmath")
mpmath.mp.dps = 60

COMPARISONS = {"<", "<=", "="}


def is_true(content: Content) -> bool:
    """Say whether what a certificate states is true, and its values are right."""
    return is_valid(content) if content["kind"] == "proved" else _is_true_at_weights(content)


def fits(cell: tuple[int, ...], probability: Node) -> bool:
    """Say whether the event of a "P" node has a cell."""
    _, states, y = probability
    return all(wanted in (None, i) for wanted, i in zip([*states, y], cell, strict=True))


def value(term: Node, pmf: literal.Pmf) -> Any:
    """Return a Fraction, or 60 digits of an irrational number."""
    kind, *parts = term
    if kind == "q":
        return Fraction(parts[0])
    if kind == "P":
        return literal.probability(pmf, lambda cell: fits(cell, term))  # type: ignore[arg-type]
    if kind == "R":
        return literal.bayes_risk(pmf, parts[0])
    if kind == "H":
        kept = [*parts[0], *([-1] if parts[1] else [])]
        masses = probabilities(pmf, kept).values()
        return sum((-_real(p) * mpmath.log(_real(p)) for p in masses if 0 < p < 1), Fraction(0))
    values = [value(part, pmf) for part in parts]
    if kind == "+":
        return sum(values, Fraction(0)) if _rational(values) else mpmath.fsum(map(_real, values))
    if kind == "*":
        return values[0] * values[1] if _rational(values) else _real(values[0]) * _real(values[1])
    if kind in {"max", "min"}:
        return (max if kind == "max" else min)(values, key=_real)
    if kind == "/":
        assert _rational(values[1:])
        if values[1] == 0:
            assert values[0] == 0
            return Fraction(0)
        return values[0] / values[1] if _rational(values) else values[0] / _real(values[1])
    if kind == "sqrt" and not _rational(values):  # a product of roots that may be rational
        assert values[0] > mpmath.mpf(10) ** -40
        return mpmath.sqrt(values[0])
    assert _rational(values)
    assert values[0] >= 0
    if kind == "sqrt":
        root = Fraction(math.isqrt(values[0].numerator), math.isqrt(values[0].denominator))
        return root if root * root == values[0] else mpmath.sqrt(_real(values[0]))
    assert values[0] > 0
    return Fraction(0) if values[0] == 1 else mpmath.log(_real(values[0]))


def truth(formula: Node, pmf: literal.Pmf) -> bool:
    """Decide a formula, from the left."""
    kind, *parts = formula
    if kind in COMPARISONS:
        a, b = (value(part, pmf) for part in parts)
        difference = _real(a) - _real(b)
        equal = a == b if _rational([a, b]) else abs(difference) < mpmath.mpf(10) ** -40
        return bool(equal) if kind == "=" else bool((kind == "<=" and equal) or (not equal and difference < 0))
    if kind in {"and", "or"}:
        return (all if kind == "and" else any)(truth(part, pmf) for part in parts)
    first = truth(parts[0], pmf)
    if kind == "not":
        return not first
    return first == truth(parts[1], pmf) if kind == "iff" else not first or truth(parts[1], pmf)


def _rational(values: Iterable[Any]) -> bool:
    return all(isinstance(v, Fraction) for v in values)


def _real(number: Any) -> Any:
    return mpmath.mpf(number.numerator) / number.denominator if isinstance(number, Fraction) else number


def _settled(number: Any) -> Any:
    """Return the Fraction that an irrational operation led to, sqrt(2) * sqrt(2) say, if it is a simple one."""
    if isinstance(number, Fraction):
        return number
    near = Fraction(int(mpmath.nint(number * 5040)), 5040)
    return near if abs(_real(near) - number) < mpmath.mpf(10) ** -40 else number


def _is_true_at_weights(content: Content) -> bool:
    assume, (shown,) = ([named["formula"] for named in content[part]] for part in ("assume", "show"))
    cells = list(itertools.product(*map(range, [*content["shape"]["cardinalities"], content["shape"]["classes"]])))
    if "cells" in content:
        assert [*map(tuple, content["cells"])] == sorted(
            {tuple(part[:-1]): (*part,) for part in content["cells"]}.values()
        )
        listed = {tuple(place): weight for *place, weight in content["cells"]}
        assert listed.keys() <= set(cells)
        assert 0 not in listed.values()
        weights = [listed.get(cell, 0) for cell in cells]
    else:
        weights = [functools.reduce(lambda part, i: part[i], cell, content["weights"]) for cell in cells]
    assert all(type(weight) is int and weight >= 0 for weight in weights)
    assert (sum(weights), math.gcd(*weights)) == (content["total"], 1)
    pmf: literal.Pmf = {cell: Fraction(w, content["total"]) for cell, w in zip(cells, weights, strict=True)}
    assert all(truth(formula, pmf) for formula in assume)
    sizes, classes = content["shape"]["cardinalities"], content["shape"]["classes"]
    spelled = {"positive": positive(sizes), "unique_maximum": unique_maximum(sizes, classes)}
    assert all(truth(one["formula"], pmf) for name in content.get("assumptions", []) for one in spelled[name])
    assert truth(shown, pmf) is (content["kind"] == "realized")
    terms = dict.fromkeys(map(json.dumps, _sides(shown)))
    assert [json.dumps(term) for term, _ in content["values"]] == list(terms)
    for term, written in content["values"]:
        exact = _settled(value(term, pmf))
        if isinstance(exact, Fraction):
            assert written == str(exact)
        else:
            low, high = map(Fraction, written)
            assert _real(low) < exact < _real(high)
            assert high - low <= Fraction(1, 10**12)
    return True


def _sides(formula: Node) -> Iterator[Node]:
    for part in formula[1:]:
        yield from [part] if formula[0] in COMPARISONS else _sides(part)


# At all distributions


def is_valid(content: Content) -> bool:
    """Ask Z3 whether the assumptions imply every formula to show, from the definitions."""
    sizes, classes = content["shape"]["cardinalities"], content["shape"]["classes"]
    masses = {cell: z3.Real(f"p{cell}") for cell in itertools.product(*map(range, (*sizes, classes)))}
    solver = z3.Solver()
    solver.add(*(mass >= 0 for mass in masses.values()), z3.Sum(list(masses.values())) == 1)

    def read(node: Node) -> Any:
        kind, *parts = node
        if kind == "q":
            return z3.Q(*map(int, (parts[0] + "/1").split("/")[:2]))
        if kind == "P":
            return z3.Sum([z3.RealVal(0), *(mass for cell, mass in masses.items() if fits(cell, node))])
        if kind == "R":
            states = itertools.product(*(range(c) if i in parts[0] else [None] for i, c in enumerate(sizes)))
            return 1 - z3.Sum([read(["max", *(P(state, y) for y in range(classes))]) for state in states])
        return Z3_OPERATIONS[kind](*map(read, parts))

    solver.add(*(read(named["formula"]) for named in content["assume"]))
    solver.add(z3.Not(z3.And([read(named["formula"]) for named in content["show"]])))
    answer = str(solver.check())
    assert answer in {"sat", "unsat"}
    return answer == "unsat"


Z3_OPERATIONS: dict[str, Callable[..., Any]] = {
    "+": lambda *terms: z3.Sum([z3.RealVal(0), *terms]), "*": lambda a, b: a * b, "/": lambda a, b: a / b,
    "max": lambda *terms: functools.reduce(lambda a, b: z3.If(b > a, b, a), terms),
    "min": lambda *terms: functools.reduce(lambda a, b: z3.If(b < a, b, a), terms),
    "<": lambda a, b: a < b, "<=": lambda a, b: a <= b, "=": lambda a, b: a == b, "iff": lambda a, b: a == b,
    "and": lambda *parts: z3.And(parts), "or": lambda *parts: z3.Or(parts), "not": z3.Not, "implies": z3.Implies,
}  # fmt: skip
