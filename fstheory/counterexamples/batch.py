"""A ground statement, normalized and compiled to NumPy: at which of many distributions it is violated."""

from __future__ import annotations

import functools
import itertools
import math
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from fstheory.counterexamples import values as numbers
from fstheory.counterexamples.values import Array, Exact, Number, Truth, compare
from fstheory.logic import nodes
from fstheory.logic.nodes import COMPARISONS, FALSE, ONE, TRUE, Node, conjunction, walk
from fstheory.logic.statement import Shape, Statement

__all__ = ["Batch", "Meter", "normalized"]

_PARTIAL = {"/", "log", "sqrt"}  # without a value at some distributions


def normalized(comparison: Node) -> Node:
    """Return a comparison that is true at the same distributions, or a constant truth value.

    Both sides become sums with positive integer factors and without a common term. Terms that may have no value are
    kept even where they cancel.
    """
    kind, left, right = comparison
    factors: dict[Node, Fraction] = {}
    _collect(right, Fraction(1), factors)
    _collect(left, Fraction(-1), factors)
    kept = {term: factor for term, factor in factors.items() if factor or _is_partial(term)}
    if kept.keys() <= {ONE}:
        value = kept.get(ONE, Fraction(0))
        return TRUE if (value == 0 if kind == "=" else value > 0 if kind == "<" else value >= 0) else FALSE
    scale = Fraction(
        math.lcm(*(factor.denominator for factor in kept.values())),
        math.gcd(*(factor.numerator for factor in kept.values())) or 1,
    )
    below = [_times(-factor * scale, term) for term, factor in kept.items() if factor < 0]
    above = [_times(factor * scale, term) for term, factor in kept.items() if factor >= 0]
    return (kind, nodes.total(*below), nodes.total(*above))


def _collect(term: Node, factor: Fraction, factors: dict[Node, Fraction]) -> None:
    """Add up the factors of the terms that a sum is made of."""
    kind = term[0]
    if kind == "+":
        for part in term[1:]:
            _collect(part, factor, factors)
    elif kind == "*" and term[1][0] == "q" and not _is_partial(term[2]):
        _collect(term[2], factor * term[1][1], factors)
    elif kind == "q":
        factors[ONE] = factors.get(ONE, Fraction(0)) + factor * term[1]
    else:
        factors[term] = factors.get(term, Fraction(0)) + factor


def _is_partial(term: Node) -> bool:
    return any(node[0] in _PARTIAL for node in walk(term))


def _times(factor: Fraction, term: Node) -> Node:
    if term == ONE:
        return ("q", factor)
    return term if factor == 1 else ("*", ("q", factor), term)


Value: TypeAlias = "Number | Truth"
Places: TypeAlias = "npt.NDArray[np.intp]"
_IRRATIONAL = {"H", "log", "sqrt"}


class Batch:
    """A statement, ready to be decided at many distributions of its shape at once."""

    def __init__(self, statement: Statement) -> None:
        self._assume = _Program(statement.shape, conjunction(*(named.formula for named in statement.assume)))
        self._show = _Program(statement.shape, conjunction(*(named.formula for named in statement.show)))
        formulas = (named.formula for named in (*statement.assume, *statement.show))
        self.rational = all(node[0] not in _IRRATIONAL for formula in formulas for node in walk(formula))

    def find(self, vectors: Array, total: int) -> tuple[Places, Places]:
        """Return the columns at which the statement is violated, and those at which that is still open."""
        violated, open_ = self._find(vectors, total, exact=False)
        if self.rational or not len(open_):
            return violated, open_
        more, still = self._find(vectors[:, open_], total, exact=True)
        return np.sort(np.concatenate([violated, open_[more]])), open_[still]

    def _find(self, vectors: Array, total: int, *, exact: bool) -> tuple[Places, Places]:
        places = np.arange(vectors.shape[1])
        assumed: Truth = self._assume.run(vectors, total, exact=exact)
        certain = np.broadcast_to(assumed.yes, places.shape)
        if not certain.all():
            places = np.flatnonzero(~np.broadcast_to(assumed.no, places.shape))
            vectors, certain = vectors[:, places], certain[places]
        if not len(places):
            return places, places
        shown: Truth = self._show.run(vectors, total, exact=exact)
        violated = certain & shown.no
        still = ~shown.yes & ~violated
        return places[violated], places[np.broadcast_to(still, places.shape)]


class Meter:
    """A term, ready to be read at many distributions at once: exactly while it is rational."""

    def __init__(self, shape: Shape, term: Node) -> None:
        self._program = _Program(shape, term)

    def read(self, vectors: Array, total: int) -> Array:
        """Return numbers in the order of the values, as integers if these have one denominator, else as floats."""
        number: Number = self._program.run(vectors, total, exact=False)
        if isinstance(number, Exact) and number.is_rational and isinstance(number.below, int):
            values = number.parts[1]
        else:
            values = number.approximate().center
        if number.unknown is not None:
            values = np.where(number.unknown, -np.inf, values.astype(np.float64))
        return np.broadcast_to(values, (vectors.shape[1],))


Operation: TypeAlias = "Callable[[Sequence[Any], bool], Value]"
"""Makes a value of others; the flag says that logarithms are to be taken exactly."""


class _Program:
    """A formula or term as a list of steps; step i makes value i from the values before it, or reads a cell."""

    def __init__(self, shape: Shape, node: Node) -> None:
        self._sizes = (*shape.cardinalities, shape.classes)
        self._steps: list[tuple[Operation | int, tuple[int, ...]]] = []
        self._known: dict[Node, int] = {}
        self._result = self._number(node)
        last = {argument: place for place, (_, arguments) in enumerate(self._steps) for argument in arguments}
        self._done: list[list[int]] = [[] for _ in self._steps]
        for argument, place in last.items():
            self._done[place].append(argument)

    def run(self, vectors: Array, total: int, *, exact: bool) -> Any:
        """Return the truth or the number at every column; `exact` says that logarithms are to be taken exactly."""
        values: list[Any] = [None] * len(self._steps)
        for place, (step, arguments) in enumerate(self._steps):
            if isinstance(step, int):
                values[place] = Exact({1: vectors[step]}, total, total, total)
            else:
                values[place] = step([values[argument] for argument in arguments], exact)
            for argument in self._done[place]:
                values[argument] = None  # its memory is the next step's
        return values[self._result]

    def _number(self, node: Node) -> int:
        """Return the number of the value of a node, with the steps that make it added."""
        found = self._known.get(node)
        if found is None and node[0] in COMPARISONS and (simpler := normalized(node)) != node:
            found = self._known[node] = self._number(simpler)
        if found is None:
            step, parts = self._compiled(node)
            arguments = tuple(map(self._number, parts))
            found = self._known[node] = len(self._steps)
            self._steps.append((step, arguments))
        return found

    def _compiled(self, node: Node) -> tuple[Operation | int, Sequence[Node]]:
        """Return what makes the value of a node, and of the values of which nodes."""
        kind = node[0]
        if kind == "q":
            number = Exact.constant(node[1])
            return (lambda *_: number), ()
        if kind == "P":
            return self._probability((*node[1], node[2]))
        if kind == "R":
            return (lambda cells, _: numbers.risk(cells, self._sizes[-1])), self._cells(node[1], with_class=True)
        return _OPERATIONS[kind], self._cells(node[1], with_class=node[2]) if kind == "H" else node[1:]

    def _cells(self, features: Sequence[int], *, with_class: bool) -> list[Node]:
        ranges = [range(size) if i in features else (None,) for i, size in enumerate(self._sizes[:-1])]
        classes = range(self._sizes[-1]) if with_class else (None,)
        return [("P", tuple(states), y) for *states, y in itertools.product(*ranges, classes)]

    def _probability(self, index: tuple[int | None, ...]) -> tuple[Operation | int, Sequence[Node]]:
        """Read a cell, or split what is summed by the states of one variable, the parts known if possible."""
        ways: list[list[Node]] = []
        for axis, state in enumerate(index):
            if state is None:
                cells = ((*index[:axis], state, *index[axis + 1 :]) for state in range(self._sizes[axis]))
                ways.append([("P", cell[:-1], cell[-1]) for cell in cells])
        if not ways:
            return int(np.ravel_multi_index(index, self._sizes)), ()  # type: ignore[arg-type]
        known = (way for way in ways if all(part in self._known for part in way))
        return (lambda parts, _: numbers.probability(parts)), next(known, ways[0])


_OPERATIONS: dict[str, Operation] = {
    "H": lambda cells, exact: numbers.entropy(cells, exact=exact),
    "+": lambda parts, _: numbers.total(parts),
    "*": lambda parts, _: numbers.product(*parts),
    "/": lambda parts, _: numbers.quotient(*parts),
    "max": lambda parts, _: numbers.extreme("max", parts),
    "min": lambda parts, _: numbers.extreme("min", parts),
    "log": lambda parts, exact: numbers.log(*parts, exact=exact),
    "sqrt": lambda parts, _: numbers.sqrt(*parts),
    "<": lambda parts, _: compare("<", *parts),
    "<=": lambda parts, _: compare("<=", *parts),
    "=": lambda parts, _: compare("=", *parts),
    "and": lambda parts, _: functools.reduce(Truth.__and__, parts, Truth(np.ones(1, dtype=bool))),
    "or": lambda parts, _: functools.reduce(Truth.__or__, parts, Truth(np.zeros(1, dtype=bool))),
    "not": lambda parts, _: ~parts[0],
    "implies": lambda parts, _: ~parts[0] | parts[1],
    "iff": lambda parts, _: parts[0].same_as(parts[1]),
}
