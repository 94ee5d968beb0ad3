"""Random terms and formulas, written once and read twice: with the operators of the language, and in Fractions."""

from __future__ import annotations

import operator
from collections.abc import Callable
from fractions import Fraction
from typing import Any

from hypothesis import strategies as st

from fstheory.logic import Formula, Model, Term
from tests.logic.literal import World

Tree = tuple[Any, ...]

COMPARE: dict[str, Callable[[Any, Any], Any]] = {
    "<": operator.lt, "<=": operator.le, "==": operator.eq, "!=": operator.ne, ">": operator.gt, ">=": operator.ge,
}  # fmt: skip
COMPUTE: dict[str, Callable[[Any, Any], Any]] = {"+": operator.add, "-": operator.sub, "*": operator.mul}


def leaves(features: tuple[str, ...], states: tuple[int, ...], classes: int) -> st.SearchStrategy[Tree]:
    constants = st.tuples(st.just("q"), st.sampled_from([0, 1, -1, 2, Fraction(1, 2), Fraction(-2, 3)]))
    subsets = st.tuples(*(st.booleans() for _ in features)).map(
        lambda kept: frozenset(name for name, keep in zip(features, kept, strict=True) if keep)
    )
    cells = st.tuples(*(st.none() | st.integers(0, size - 1) for size in states)).map(
        lambda cell: {name: v for name, v in zip(features, cell, strict=True) if v is not None}
    )
    probabilities = st.tuples(st.just("P"), cells, st.none() | st.integers(0, classes - 1))
    return constants | probabilities | st.tuples(st.just("R"), subsets)


def terms(leaf: st.SearchStrategy[Tree]) -> st.SearchStrategy[Tree]:
    def larger(inner: st.SearchStrategy[Tree]) -> st.SearchStrategy[Tree]:
        return (
            st.tuples(st.sampled_from(list(COMPUTE)), inner, inner)
            | st.tuples(st.sampled_from(["max", "min", "sum"]), st.lists(inner, min_size=1, max_size=3))
            | st.tuples(st.just("/"), inner, inner)
            | st.tuples(st.sampled_from(["neg", "abs"]), inner)
            | st.tuples(st.just("**"), inner, st.integers(0, 3))
        )

    return st.recursive(leaf, larger, max_leaves=6)


def formulas(leaf: st.SearchStrategy[Tree]) -> st.SearchStrategy[Tree]:
    term = terms(leaf)

    def larger(inner: st.SearchStrategy[Tree]) -> st.SearchStrategy[Tree]:
        return (
            st.tuples(st.sampled_from(["all", "any"]), st.lists(inner, max_size=3))
            | st.tuples(st.sampled_from(["&", "|", "implies", "iff", "xor"]), inner, inner)
            | st.tuples(st.just("~"), inner)
        )

    comparisons = st.tuples(st.sampled_from(list(COMPARE)), term, term)
    return st.recursive(comparisons | st.tuples(st.just("bool"), st.booleans()), larger, max_leaves=6)


def as_term(tree: Tree, m: Model) -> Any:
    """Write a term with the operators of the language; a constant stays the number it is."""
    kind, *parts = tree
    if kind == "q":
        return parts[0]
    if kind == "P":
        return m.probability(*parts)
    if kind == "R":
        return m.risk(parts[0])
    if kind in {"max", "min", "sum"}:
        word = {"max": m.maximum, "min": m.minimum, "sum": m.sum}[kind]
        return word(as_term(part, m) for part in parts[0])
    a = as_term(parts[0], m)
    if kind == "**":
        return _term(a) ** parts[1]
    if kind in {"neg", "abs"}:
        return -_term(a) if kind == "neg" else abs(_term(a))
    b = as_term(parts[1], m)
    if not isinstance(b, Term):
        a = _term(a)  # with a number on each side, Python would do the arithmetic
    return a / b if kind == "/" else COMPUTE[kind](a, b)


def as_formula(tree: Tree, m: Model) -> Any:
    """Write a formula with the operators of the language."""
    kind, *parts = tree
    if kind == "bool":
        return parts[0]
    if kind in COMPARE:
        a, b = (as_term(part, m) for part in parts)
        return COMPARE[kind](a if isinstance(b, Term) else _term(a), b)
    if kind in {"all", "any"}:
        word = m.all if kind == "all" else m.any
        return word(as_formula(part, m) for part in parts[0])
    first = as_formula(parts[0], m)
    if kind == "~":
        return ~_formula(first)
    second = as_formula(parts[1], m)
    if kind in {"implies", "iff"}:
        return (m.implies if kind == "implies" else m.iff)(first, second)
    if not isinstance(second, Formula):
        first = _formula(first)
    return first & second if kind == "&" else first | second if kind == "|" else first != second


def _term(value: Any) -> Term:
    return value if isinstance(value, Term) else Term(("q", Fraction(value)))


def _formula(value: Any) -> Formula:
    return value if isinstance(value, Formula) else Formula(("and",) if value else ("or",))


def number(tree: Tree, w: World) -> Fraction:
    """Compute a term; ZeroDivisionError where it divides something by 0."""
    kind, *parts = tree
    if kind == "q":
        return Fraction(parts[0])
    if kind == "P":
        return w.p(parts[0], None if parts[1] is None else ("is", parts[1]))
    if kind == "R":
        return w.risk(parts[0])
    if kind in {"max", "min", "sum"}:
        values = [number(part, w) for part in parts[0]]
        return max(values) if kind == "max" else min(values) if kind == "min" else sum(values, Fraction(0))
    a = number(parts[0], w)
    if kind == "**":
        power = Fraction(1)
        for _ in range(parts[1]):
            power *= a
        return power
    if kind in {"neg", "abs"}:
        return -a if kind == "neg" else abs(a)
    b = number(parts[1], w)
    if kind == "/":
        return Fraction(0) if a == b == 0 else a / b
    return Fraction(COMPUTE[kind](a, b))


def holds(tree: Tree, w: World) -> bool:
    """Decide a formula, all of its parts."""
    kind, *parts = tree
    if kind == "bool":
        return bool(parts[0])
    if kind in COMPARE:
        return bool(COMPARE[kind](number(parts[0], w), number(parts[1], w)))
    if kind in {"all", "any"}:
        truths = [holds(part, w) for part in parts[0]]
        return all(truths) if kind == "all" else any(truths)
    first = holds(parts[0], w)
    if kind == "~":
        return not first
    second = holds(parts[1], w)
    if kind == "implies":
        return second or not first
    if kind == "iff":
        return first == second
    return (first and second) if kind == "&" else (first or second) if kind == "|" else first != second
