"""A ground statement, normalized and compiled to NumPy: at which of many distributions it is violated."""

from __future__ import annotations

import functools
import itertools
import math
from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from fstheory.counterexamples import arithmetic
from fstheory.counterexamples.values import Array, Exact, Number, Truth, compare
from fstheory.logic.nodes import COMPARISONS, FALSE, TRUE, Node, conjunction, walk
from fstheory.logic.statement import Named, Shape, Statement

__all__ = ["Batch", "Meter", "normalized"]

_ONE: Node = ("q", Fraction(1))
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
    if kept.keys() <= {_ONE}:
        value = kept.get(_ONE, Fraction(0))
        return TRUE if (value == 0 if kind == "=" else value > 0 if kind == "<" else value >= 0) else FALSE
    scale = Fraction(
        math.lcm(*(factor.denominator for factor in kept.values())),
        math.gcd(*(factor.numerator for factor in kept.values())) or 1,
    )
    below = [_times(-factor * scale, term) for term, factor in kept.items() if factor < 0]
    above = [_times(factor * scale, term) for term, factor in kept.items() if factor >= 0]
    return (kind, _sum(below), _sum(above))


def _collect(term: Node, factor: Fraction, factors: dict[Node, Fraction]) -> None:
    """Add up the factors of the terms that a sum is made of."""
    kind = term[0]
    if kind == "+":
        for part in term[1:]:
            _collect(part, factor, factors)
    elif kind == "*" and term[1][0] == "q" and not _is_partial(term[2]):
        _collect(term[2], factor * term[1][1], factors)
    elif kind == "q":
        factors[_ONE] = factors.get(_ONE, Fraction(0)) + factor * term[1]
    else:
        factors[term] = factors.get(term, Fraction(0)) + factor


def _is_partial(term: Node) -> bool:
    return any(node[0] in _PARTIAL for node in walk(term))


def _times(factor: Fraction, term: Node) -> Node:
    if term == _ONE:
        return ("q", factor)
    return term if factor == 1 else ("*", ("q", factor), term)


def _sum(terms: list[Node]) -> Node:
    if not terms:
        return ("q", Fraction(0))
    return terms[0] if len(terms) == 1 else ("+", *terms)


Value: TypeAlias = "Number | Truth"
Places: TypeAlias = "npt.NDArray[np.intp]"
_IRRATIONAL = {"H", "log", "sqrt"}


class Batch:
    """A statement, ready to be decided at many distributions of its shape at once."""

    def __init__(self, statement: Statement) -> None:
        self._assume = _Program(statement.shape, conjunction(*(named.formula for named in statement.assume)))
        self._show = _Program(statement.shape, conjunction(*(named.formula for named in statement.show)))
        self.rational = not (_irrational(statement.assume) or _irrational(statement.show))

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


Step: TypeAlias = "Callable[[list[Any], Array, int, bool], Value]"


class _Program:
    """A formula or term as a list of steps; step i makes value i from the values before it."""

    def __init__(self, shape: Shape, node: Node) -> None:
        self._shape = shape
        self._steps: list[tuple[Step, tuple[int, ...]]] = []
        self._known: dict[Node, int] = {}
        self._result = self._number(node)
        last = {argument: place for place, (_, arguments) in enumerate(self._steps) for argument in arguments}
        self._done: list[list[int]] = [[] for _ in self._steps]
        for argument, place in last.items():
            self._done[place].append(argument)

    def run(self, vectors: Array, total: int, *, exact: bool) -> Any:
        """Return the truth or the number at every column; `exact` says that logarithms are to be taken exactly."""
        values: list[Any] = [None] * len(self._steps)
        for place, (step, _) in enumerate(self._steps):
            values[place] = step(values, vectors, total, exact)
            for argument in self._done[place]:
                values[argument] = None  # its memory is the next step's
        return values[self._result]

    def _number(self, node: Node) -> int:
        """Return the number of the value of a node, with the steps that make it added."""
        found = self._known.get(node)
        if found is None and node[0] in COMPARISONS and (simpler := normalized(node)) != node:
            found = self._known[node] = self._number(simpler)
        if found is None:
            arguments, step = self._compile(node)
            found = self._known[node] = len(self._steps)
            self._steps.append((step, arguments))
        return found

    def _compile(self, node: Node) -> tuple[tuple[int, ...], Step]:
        kind = node[0]
        if kind == "q":
            number = Exact.constant(node[1])
            return (), lambda *_: number
        if kind == "P":
            return self._probability(node)
        if kind == "R":
            cells = tuple(self._number(cell) for cell in self._cells(node[1], with_class=True))
            added = functools.partial(arithmetic.risk, classes=self._shape.classes)
            return cells, functools.partial(_take, added, cells)
        if kind == "H":
            cells = tuple(self._number(cell) for cell in self._cells(node[1], with_class=node[2]))
            return cells, functools.partial(_entropy, cells)
        parts = tuple(map(self._number, node[1:]))
        if kind == "log":
            return parts, functools.partial(_logarithm, parts[0])
        return parts, functools.partial(_take, _OPERATIONS[kind], parts)

    def _cells(self, features: Sequence[int], *, with_class: bool) -> list[Node]:
        sizes = self._shape.cardinalities
        ranges = [range(size) if i in features else (None,) for i, size in enumerate(sizes)]
        classes = range(self._shape.classes) if with_class else (None,)
        return [("P", tuple(states), y) for *states, y in itertools.product(*ranges, classes)]

    def _probability(self, node: Node) -> tuple[tuple[int, ...], Step]:
        _, states, y = node
        sizes = self._shape.cardinalities
        index = (*states, y)
        summed = [axis for axis, state in enumerate(index) if state is None]
        if not summed:
            cell = int(np.ravel_multi_index(index, (*sizes, self._shape.classes)))
            return (), functools.partial(_cell, cell)
        ways = [self._split(index, axis) for axis in summed]
        best = next((way for way in ways if all(part in self._known for part in way)), ways[0])
        parts = tuple(map(self._number, best))
        return parts, functools.partial(_take, arithmetic.probability, parts)

    def _split(self, index: tuple[int | None, ...], axis: int) -> list[Node]:
        size = (*self._shape.cardinalities, self._shape.classes)[axis]
        every = ((*index[:axis], state, *index[axis + 1 :]) for state in range(size))
        return [("P", cell[:-1], cell[-1]) for cell in every]


def _irrational(named: Iterable[Named]) -> bool:
    return any(node[0] in _IRRATIONAL for one in named for node in walk(one.formula))


def _cell(cell: int, _: list[Any], vectors: Array, total: int, __: bool) -> Exact:
    return Exact({1: vectors[cell]}, total, total, total)


def _take(function: Callable[[Sequence[Any]], Value], parts: tuple[int, ...], values: list[Any], *_: object) -> Value:
    return function([values[part] for part in parts])


def _entropy(cells: tuple[int, ...], values: list[Any], _: Array, __: int, exact: bool) -> Number:
    return arithmetic.entropy([values[cell] for cell in cells], exact=exact)


def _logarithm(part: int, values: list[Any], _: Array, __: int, exact: bool) -> Number:
    return arithmetic.log(values[part], exact=exact)


def _all(truths: Sequence[Truth]) -> Truth:
    return functools.reduce(Truth.__and__, truths, Truth(np.ones(1, dtype=bool)))


def _any(truths: Sequence[Truth]) -> Truth:
    return functools.reduce(Truth.__or__, truths, Truth(np.zeros(1, dtype=bool)))


_OPERATIONS: dict[str, Callable[[Sequence[Any]], Value]] = {
    "+": arithmetic.total,
    "*": lambda parts: arithmetic.product(*parts),
    "/": lambda parts: arithmetic.quotient(*parts),
    "max": functools.partial(arithmetic.extreme, "max"),
    "min": functools.partial(arithmetic.extreme, "min"),
    "sqrt": lambda parts: arithmetic.sqrt(*parts),
    "<": lambda parts: compare("<", *parts),
    "<=": lambda parts: compare("<=", *parts),
    "=": lambda parts: compare("=", *parts),
    "and": _all,
    "or": _any,
    "not": lambda parts: ~parts[0],
    "implies": lambda parts: ~parts[0] | parts[1],
    "iff": lambda parts: parts[0].same_as(parts[1]),
}
