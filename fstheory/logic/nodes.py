"""Ground statements about one shape of distributions, as plain nested tuples.

A node is a tuple that begins with its kind. Features, their states and the classes are 0-based indices in it;
names exist only outside. Nodes are hashable and comparable, travel to JSON and back (`to_json`, `from_json`), and
are what the evaluation, the solver and the certificates share.

====================================  ==========================================================================
term                                  meaning
====================================  ==========================================================================
``("q", Fraction)``                   a rational constant
``("P", states, y)``                  probability of a partial state: ``states`` holds an index or None (summed out)
                                      for each feature, ``y`` a class or None
``("R", features)``                   Bayes risk of a subset: 1 - the sum over its states s of max_y P(s, y)
``("H", features, with_class)``       joint entropy in nats of features, and of the class if ``with_class``
``("+", t, ..)``, ``("*", t, u)``     sum, product
``("/", t, u)``                       quotient; 0/0 counts as 0, as in an expectation that skips null events
``("max", t, ..)``, ``("min", ..)``   largest, smallest
``("log", t)``, ``("sqrt", t)``       natural logarithm, square root
====================================  ==========================================================================

Formulas are ``("<", t, u)``, ``("<=", t, u)``, ``("=", t, u)``, ``("and", f, ..)``, ``("or", f, ..)``, ``("not", f)``,
``("implies", f, g)`` and ``("iff", f, g)``; ``("and",)`` is true and ``("or",)`` false.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any, TypeAlias

from fstheory._exact import format_fraction, parse_fraction
from fstheory.errors import InvalidFormatError, explain

__all__ = [
    "COMPARISONS", "FALSE", "ONE", "TRUE", "ZERO", "Node", "children", "comparison", "comparison_terms",
    "conjunction", "constant", "difference", "disjunction", "from_json", "negation", "product", "quotient", "sides",
    "to_json", "total", "walk",
]  # fmt: skip

Node: TypeAlias = "tuple[Any, ...]"

TRUE: Node = ("and",)
FALSE: Node = ("or",)
ZERO: Node = ("q", Fraction(0))
ONE: Node = ("q", Fraction(1))
COMPARISONS = ("<", "<=", "=")

_ATOMS = ("q", "P", "R", "H")
_TERMS = {"+": (0, None), "max": (1, None), "min": (1, None), "*": (2, 2), "/": (2, 2), "log": (1, 1), "sqrt": (1, 1)}
_FORMULAS = {"and": (0, None), "or": (0, None), "not": (1, 1), "implies": (2, 2), "iff": (2, 2)}
_FORMULAS |= dict.fromkeys(COMPARISONS, (2, 2))


def constant(value: Fraction | int) -> Node:
    """Return a constant."""
    return ("q", Fraction(value))


def total(*terms: Node) -> Node:
    """Return a sum, flat and with one constant at most, its order kept."""
    parts: list[Node] = []
    number = Fraction(0)
    for term in terms:
        for part in term[1:] if term[0] == "+" else (term,):
            if part[0] == "q":
                number += part[1]
            else:
                parts.append(part)
    if number or not parts:
        parts.append(constant(number))
    return parts[0] if len(parts) == 1 else ("+", *parts)


def product(a: Node, b: Node) -> Node:
    """Return a product; constant factors are multiplied out and stand first."""
    if a[0] == "q" and b[0] == "q":
        return constant(a[1] * b[1])
    if b[0] == "q":
        a, b = b, a
    if a[0] != "q":
        return ("*", a, b)
    if b[0] == "*" and b[1][0] == "q":
        return product(constant(a[1] * b[1][1]), b[2])
    return ZERO if a[1] == 0 else b if a[1] == 1 else ("*", a, b)


def difference(a: Node, b: Node) -> Node:
    """Return a - b."""
    return total(a, product(constant(-1), b))


def quotient(a: Node, b: Node) -> Node:
    """Return a / b; a division by a constant becomes a product."""
    return product(constant(1 / b[1]), a) if b[0] == "q" and b[1] else ("/", a, b)


def comparison(kind: str, a: Node, b: Node) -> Node:
    """Return ``a < b``, ``a <= b`` or ``a = b``; decided where both sides are constants or the same."""
    if a == b:
        return FALSE if kind == "<" else TRUE
    if a[0] == b[0] == "q":
        return TRUE if (a[1] < b[1] if kind == "<" else kind == "<=" and a[1] <= b[1]) else FALSE
    return (kind, a, b)


def conjunction(*formulas: Node) -> Node:
    """Return the conjunction, flat; true parts are dropped and a false one decides."""
    return _junction("and", TRUE, FALSE, formulas)


def disjunction(*formulas: Node) -> Node:
    """Return the disjunction, flat; false parts are dropped and a true one decides."""
    return _junction("or", FALSE, TRUE, formulas)


def negation(formula: Node) -> Node:
    """Return the negation; constants and double negations are resolved."""
    if formula in (TRUE, FALSE):
        return FALSE if formula == TRUE else TRUE
    return formula[1] if formula[0] == "not" else ("not", formula)


def _junction(kind: str, neutral: Node, decisive: Node, formulas: tuple[Node, ...]) -> Node:
    parts: dict[Node, None] = {}
    for formula in formulas:
        for part in formula[1:] if formula[0] == kind else (formula,):
            if part == decisive:
                return decisive
            parts[part] = None
    if not parts:
        return neutral
    return next(iter(parts)) if len(parts) == 1 else (kind, *parts)


def children(node: Node) -> tuple[Node, ...]:
    """Return the nodes a node is made of."""
    return () if node[0] in _ATOMS else node[1:]


def walk(node: Node) -> Iterator[Node]:
    """Yield a node and all nodes in it, each before those it is made of."""
    stack = [node]
    while stack:
        node = stack.pop()
        yield node
        stack.extend(reversed(children(node)))


def comparison_terms(formula: Node) -> tuple[Node, ...]:
    """Return both sides of every comparison in a formula, in order and without repetition."""
    return tuple(dict.fromkeys(side for node in walk(formula) if node[0] in COMPARISONS for side in node[1:]))


def sides(node: Node) -> tuple[Node, Node]:
    """Return the two sides of a comparison."""
    _, left, right = node
    return left, right


def to_json(node: Node) -> list[Any]:
    """Return a node as nested lists for JSON; rationals become "p/q"."""
    kind = node[0]
    if kind == "q":
        return ["q", format_fraction(node[1])]
    if kind in _ATOMS:
        return [kind, list(node[1]), *node[2:]]
    return [kind, *map(to_json, node[1:])]


def from_json(data: object) -> Node:
    """Return the node that `to_json` wrote."""
    kind = data[0] if isinstance(data, list) and data else None
    is_term = isinstance(kind, str) and (kind in _ATOMS or kind in _TERMS)
    try:
        return _read(data, _TERMS if is_term else _FORMULAS)
    except RecursionError:
        raise InvalidFormatError("node must not be nested so deeply; see fstheory.logic.nodes") from None


def _read(data: object, kinds: Mapping[str, tuple[int, int | None]]) -> Node:
    if isinstance(data, list) and data and isinstance(data[0], str):
        kind, *parts = data
        if kinds is _TERMS and (atom := _atom(data)) is not None:
            return atom
        least, most = kinds.get(kind, (0, -1))
        if least <= len(parts) and (most is None or len(parts) <= most):
            inner = _TERMS if kinds is _TERMS or kind in COMPARISONS else _FORMULAS
            return (kind, *(_read(part, inner) for part in parts))
    raise InvalidFormatError(explain("node", "a list such as ['R', [0, 1]]", data, "see fstheory.logic.nodes"))


def _atom(data: list[Any]) -> Node | None:
    match data:
        case ["q", str(text)]:
            return ("q", parse_fraction(text, "a constant"))
        case ["P", list(states), y] if _indices([*states, y]):
            return ("P", tuple(states), y)
        case ["R", list(features)] | ["H", list(features), bool()] if _ascending(features):
            return (data[0], tuple(features), *data[2:])
    return None


def _indices(parts: list[Any]) -> bool:
    return all(part is None or (type(part) is int and part >= 0) for part in parts)


def _ascending(parts: list[Any]) -> bool:
    return None not in parts and _indices(parts) and parts == sorted(set(parts))
