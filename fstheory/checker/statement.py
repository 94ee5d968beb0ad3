"""What a certificate speaks about: a shape, and well-formed terms and formulas about it."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable
from typing import Any, TypeAlias

from fstheory.checker.untrusted import list_of, name, object_with, rational, require, whole, wrong
from fstheory.errors import show

__all__ = [
    "COMPARISONS",
    "LEAVES",
    "MAX_CELLS",
    "MAX_FEATURES",
    "MAX_STEPS",
    "Node",
    "Shape",
    "formulas",
    "require_term",
]

MAX_FEATURES = 10
MAX_CELLS = 1024
MAX_STEPS = 10**8  # each well below a microsecond

Node: TypeAlias = "tuple[Any, ...]"

LEAVES = {"q": 1, "P": 2, "R": 1, "H": 2}  # with the number of their parts; the others with the least and the largest
COMPARISONS = ("<", "<=", "=")
_TERMS = {"+": (0, math.inf), "*": (2, 2), "/": (2, 2), "log": (1, 1), "sqrt": (1, 1)}
_TERMS |= {"max": (1, math.inf), "min": (1, math.inf)}
_FORMULAS = {"and": (0, math.inf), "or": (0, math.inf), "not": (1, 1), "implies": (2, 2), "iff": (2, 2)}
_FORMULAS |= dict.fromkeys(COMPARISONS, (2, 2))


class Shape:
    """The cells of a table: the features are its first axes, in order, and the class is the last."""

    def __init__(self, value: Any) -> None:
        shape = object_with(["cardinalities", "classes"], value, "shape")
        sizes = list_of(None, shape["cardinalities"], "shape.cardinalities")
        require(len(sizes) <= MAX_FEATURES, "shape.cardinalities", f"at most {MAX_FEATURES} numbers", sizes)
        self.axes = tuple(whole(1, MAX_CELLS + 1, size, "a size in shape") for size in (*sizes, shape["classes"]))
        self.cardinalities, self.classes = self.axes[:-1], range(self.axes[-1])
        self.size = math.prod(self.axes)
        require(self.size <= MAX_CELLS, "shape", f"of at most {MAX_CELLS} cells", self.axes)
        self.steps = 0

    def __str__(self) -> str:
        return f"{' x '.join(map(str, self.cardinalities)) or 1} states and {len(self.classes)} classes"

    def spend(self, steps: int) -> None:
        """Count steps, so that no certificate keeps the checker busy for long."""
        self.steps += steps
        if self.steps > MAX_STEPS:
            raise wrong("the check", f"of at most {MAX_STEPS} steps", "longer")

    def cells(self, states: Node, y: int | None) -> list[int]:
        """Return the numbers, in C order, of the cells of a partial state, in which None stands for any."""
        found = [0]
        for index, size in zip((*states, y), self.axes, strict=True):
            found = [cell * size + i for cell in found for i in (range(size) if index is None else (index,))]
        self.spend(2 * len(found))
        return found

    def states(self, features: Node) -> Iterable[Node]:
        """Return the states of a subset in lexicographic order, None at the other features."""
        return itertools.product(*(range(c) if i in features else (None,) for i, c in enumerate(self.cardinalities)))

    def risk(self, features: Node) -> Node:
        """Return the definition of a Bayes risk: 1 - sum over s of max over y of P(s, y)."""
        tops = (("max", *(("P", s, y) for y in self.classes)) for s in self.states(features))
        return ("+", ("q", "1"), *(("*", ("q", "-1"), top) for top in tops))


def formulas(value: Any, shape: Shape, place: str) -> dict[str, Node]:
    """Return the formulas of a list of instances, by where they stand."""
    found = {}
    for i, entry in enumerate(list_of(None, value, place)):
        instance = object_with(["name", "where", "formula"], entry, f"{place}[{i}]")
        require(type(instance["where"]) is dict, f"{place}[{i}].where", "an object", instance["where"])
        _check_node(instance["formula"], "formula", shape, f"{place}[{i}].formula")
        found[f"{place}[{i}], {show(name(instance['name'], f'{place}[{i}].name'))},"] = instance["formula"]
    return found


def require_term(node: Any, shape: Shape, place: str) -> None:
    """Require a well-formed term."""
    _check_node(node, "term", shape, place)


def _check_node(node: Any, what: str, shape: Shape, place: str) -> None:
    """Require a well-formed "term" or "formula"."""
    require(type(node) is tuple and len(node) > 0 and type(node[0]) is str, place, f"a {what}", node)
    kind, *parts = node
    if what == "term" and kind in LEAVES:
        require(len(parts) == LEAVES[kind], place, f"a {what}", node)
        _check_leaf(kind, parts, shape, place)
        return
    fewest, most = (_TERMS if what == "term" else _FORMULAS).get(kind, (1, 0))
    require(fewest <= len(parts) <= most, place, f"a {what}", node)
    for part in parts:
        _check_node(part, "term" if kind in COMPARISONS else what, shape, place)


def _check_leaf(kind: str, parts: list[Any], shape: Shape, place: str) -> None:
    n = len(shape.cardinalities)
    if kind == "q":
        rational(parts[0], f"a constant in {place}")
    elif kind == "P":
        states = list_of(n, parts[0], f"the states of P in {place}")
        for index, size in zip((*states, parts[1]), shape.axes, strict=True):
            whole(0, size, 0 if index is None else index, f"an index of P in {place}")
    else:
        features = [whole(0, n, i, f"a feature in {place}") for i in list_of(None, parts[0], f"features in {place}")]
        require(features == sorted(set(features)), f"the features in {place}", "ascending", parts[0])
        require(kind == "R" or type(parts[1]) is bool, f"the last part of H in {place}", "true or false", parts[-1])
