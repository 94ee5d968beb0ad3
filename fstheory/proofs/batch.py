"""A statement compiled to NumPy: at which of many distributions it is violated, each decided exactly."""

from __future__ import annotations

import functools
import itertools
import math
import operator
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, NamedTuple, TypeAlias, TypeGuard

import numpy as np
import numpy.typing as npt

from fstheory._support.progress import spend
from fstheory.checker.statement import COMPARISONS, walk
from fstheory.logic.expressions import Node, conjunction
from fstheory.logic.statement import Shape, Statement

# -- Numbers of many distributions at once: exact integers in NumPy arrays, and centers with a proven radius.


Array: TypeAlias = "npt.NDArray[Any]"
Mask: TypeAlias = "npt.NDArray[np.bool_]"
Number: TypeAlias = "Exact | Approximate"

_UNIT = 2.0**-53
_WIDTHS = [(2 ** (bits - 1) - 1, np.dtype(f"int{bits}")) for bits in (16, 32, 64)]
_LARGEST = 2**400  # the largest integer that is converted to floats: a product of two is far from overflow
_SLACK = 1.01  # for everything of second order in the unit roundoff


def _width(top: int) -> np.dtype[Any]:
    return next((dtype for largest, dtype in _WIDTHS if top <= largest), np.dtype(object))


def fitting(array: Array, top: int) -> Array:
    """Return an array of integers. If magnitudes up to `top` do not fit in machine integers, it has Python integers."""
    width = _width(top)
    fits = array.dtype.kind == "O" or (width.kind != "O" and array.dtype.itemsize >= width.itemsize)
    return array if fits else array.astype(width)


@dataclass(frozen=True, slots=True)
class Exact:
    """The numbers ``(parts[1] + sum of parts[p] * log(p)) / below``, p prime."""

    parts: dict[int, Array]  # of integers
    top: int  # none of them is larger in magnitude
    below: int | Array  # positive
    below_top: int  # none of them is larger
    unknown: Mask | None = None  # where the number is not what the arrays say

    @classmethod
    def constant(cls, value: Fraction) -> Exact:
        """Return the same rational at all distributions."""
        top = abs(value.numerator)
        return cls({1: np.array([value.numerator], dtype=_width(top))}, top, value.denominator, value.denominator)

    @property
    def is_rational(self) -> bool:
        """Return whether the numbers have no logarithms."""
        return self.parts.keys() <= {1}

    def over(self, factor: int | Array, factor_top: int, below: int | Array, below_top: int) -> Exact:
        """Return the numbers over another denominator, with the numerators multiplied by a factor."""
        if isinstance(factor, int) and factor == 1:
            return Exact(self.parts, self.top, below, below_top, self.unknown)
        top = self.top * factor_top
        parts = {key: _multiplied(part, factor, max(top, factor_top)) for key, part in self.parts.items()}
        return Exact(parts, top, below, below_top, self.unknown)

    def beside(self, other: Exact) -> tuple[Exact, Exact]:
        """Return both numbers over a common denominator."""
        if isinstance(self.below, int) and isinstance(other.below, int):
            if self.below == other.below:
                return self, other
            common = math.lcm(self.below, other.below)
            first, second = common // self.below, common // other.below
            return self.over(first, first, common, common), other.over(second, second, common, common)
        if self.below is other.below:
            return self, other
        top = self.below_top * other.below_top
        below = _multiplied(self.below, other.below, top)
        return self.over(other.below, other.below_top, below, top), other.over(self.below, self.below_top, below, top)

    def approximate(self) -> Approximate:
        """Return centers and a radius.

        A conversion errs by u, and so do a logarithm (taken as 4 u), a product and each addition, relative to the sum
        of the magnitudes; the division adds one u more.
        """
        if max(self.top, self.below_top) > _LARGEST:
            return Approximate(np.zeros(1), 0.0, 0.0, _TRUE)
        total: Array = np.zeros(1)
        size = 0.0
        for key, part in self.parts.items():
            scale = 1.0 if key == 1 else math.log(key)
            total = total + part.astype(np.float64) * scale  # NumPy and Python both round integers correctly
            size += float(self.top) * (1 + 2 * _UNIT) * scale
        steps = len(self.parts) + 8
        if isinstance(self.below, int):
            total, size = total / float(self.below), size / (float(self.below) * (1 - 2 * _UNIT))
        else:
            total = total / self.below.astype(np.float64)
        return Approximate(total, size * steps * _UNIT * _SLACK, size * _SLACK, self.unknown)


@dataclass(frozen=True, slots=True)
class Approximate:
    """Floats with a bound `radius` on their errors and a bound `size` on their magnitudes."""

    center: Array
    radius: float
    size: float
    unknown: Mask | None = None

    def approximate(self) -> Approximate:
        """Return the numbers as they are."""
        return self


class Truth(NamedTuple):
    """At which of many distributions a formula is known to be true, and at which it is known to be false."""

    yes: Mask
    no: Mask

    def __invert__(self) -> Truth:
        return Truth(self.no, self.yes)

    def __and__(self, other: Truth) -> Truth:
        return Truth(self.yes & other.yes, self.no | other.no)

    def __or__(self, other: Truth) -> Truth:
        return Truth(self.yes | other.yes, self.no & other.no)


def compare(kind: str, a: Number, b: Number) -> Truth:
    """Decide ``a < b``, ``a <= b`` or ``a = b`` wherever it can be decided."""
    if isinstance(a, Exact) and isinstance(b, Exact):
        a, b = a.beside(b)
    if isinstance(a, Exact) and isinstance(b, Exact) and a.is_rational and b.is_rational:
        yes: Mask = COMPARISONS[kind](a.parts[1], b.parts[1])
        no = ~yes
    else:
        below, zero, above = _signs(a, b)
        yes, no = {"<": (below, zero | above), "<=": (below | zero, above), "=": (zero, below | above)}[kind]
    hidden = either(a.unknown, b.unknown)
    return Truth(yes, no) if hidden is None else Truth(yes & ~hidden, no & ~hidden)


def _signs(a: Number, b: Number) -> tuple[Mask, Mask, Mask]:
    """Return where a < b, a = b, a > b is proved.

    A combination of logarithms of primes with integer coefficients is 0 if all coefficients are 0, and otherwise it is
    irrational. So it is 0 exactly where every part is 0. No float is proved to be 0.
    """
    if isinstance(a, Exact) and isinstance(b, Exact):
        number = exact_sum(b, replace(a, parts={key: -part for key, part in a.parts.items()}))
        zero = functools.reduce(np.logical_and, (part == 0 for part in number.parts.values()))
        near = Exact(number.parts, number.top, 1, 1).approximate()
        return near.center > near.radius, zero, near.center < -near.radius
    a, b = a.approximate(), b.approximate()
    radius = (a.radius + b.radius + (a.size + b.size) * 2 * _UNIT) * _SLACK
    gap = b.center - a.center
    return gap > radius, np.zeros(1, dtype=bool), gap < -radius


def exact_sum(a: Exact, b: Exact) -> Exact:
    """Return the sum of numbers over one denominator."""
    top = a.top + b.top
    parts = {key: fitting(part, top) for key, part in a.parts.items()}
    for key, part in b.parts.items():
        wide = fitting(part, top)
        parts[key] = parts[key] + wide if key in parts else wide
    return Exact(parts, top, a.below, a.below_top, either(a.unknown, b.unknown))


def _multiplied(a: int | Array, b: int | Array, top: int) -> Any:
    """Return the product of integers or arrays of them; neither it nor they are larger than `top`."""
    a, b = (factor if isinstance(factor, int) else fitting(factor, top) for factor in (a, b))
    return a * b


def either(*masks: Mask | None) -> Mask | None:
    """Return the union of some masks. None stands for an empty mask."""
    found = [mask for mask in masks if mask is not None]
    return functools.reduce(np.logical_or, found) if found else None


_DISTINCT = 1000  # integers that are factored in one step
_FACTORED = 10**6  # the largest of them
_NONE = np.zeros(1, dtype=np.int16)
_TRUE = np.ones(1, dtype=bool)


def unknown() -> Exact:
    """Return numbers that are unknown at every distribution."""
    return Exact({1: _NONE}, 0, 1, 1, _TRUE)


def probability(parts: Sequence[Exact]) -> Exact:
    """Return the sum of probabilities of disjoint events, which is at most 1."""
    weights: Array = functools.reduce(np.add, (part.parts[1] for part in parts))
    return Exact({1: weights}, parts[0].top, parts[0].below, parts[0].below_top)


def risk(cells: Sequence[Exact], classes: int) -> Exact:
    """Return 1 minus the sum over the states of the largest probability. The classes of one state stand together."""
    weights = [cell.parts[1] for cell in cells]
    states = (weights[start : start + classes] for start in range(0, len(cells), classes))
    right = functools.reduce(np.add, (functools.reduce(np.maximum, state) for state in states))
    whole = cells[0].below_top
    return Exact({1: whole - right}, whole, whole, whole)


def entropy(cells: Sequence[Exact], *, exact: bool) -> Number:
    """Return the sum of ``-p log p`` over cells.

    With weights w of total N, this is log N minus the sum of ``w log w`` divided by N. The exact number is a
    combination of logarithms of primes. The floats come from a table of ``w log w``. An entry of the table errs by 5 u.
    Each addition errs by u, relative to the sum ``N log N``, and so do the division and log N.
    """
    whole = cells[0].below_top
    if exact:
        parts: dict[int, Array] = {}
        for prime, table in _exponents(whole).items():
            parts[prime] = table[whole] - sum(table[cell.parts[1]] for cell in cells)
        return Exact(parts or {1: _NONE}, whole * whole.bit_length(), whole, whole)
    table = _products(whole)
    added = functools.reduce(np.add, (table[cell.parts[1]] for cell in cells))
    size = math.log(whole) * _SLACK
    return Approximate((table[whole] - added) / whole, size * (2 * len(cells) + 20) * _UNIT * _SLACK, size)


def plus(a: Number, b: Number) -> Number:
    """Return a sum."""
    if isinstance(a, Exact) and isinstance(b, Exact):
        return exact_sum(*a.beside(b))
    a, b = a.approximate(), b.approximate()
    size = (a.size + b.size) * _SLACK
    radius = (a.radius + b.radius + size * _UNIT) * _SLACK
    return Approximate(a.center + b.center, radius, size, either(a.unknown, b.unknown))


def product(a: Number, b: Number) -> Number:
    """Return a product. The product of two logarithms has no exact form and is unknown."""
    if isinstance(a, Exact) and isinstance(b, Exact):
        if not b.is_rational:
            a, b = b, a
        if not b.is_rational:
            return unknown()
        below_top = a.below_top * b.below_top
        found = a.over(b.parts[1], b.top, _multiplied(a.below, b.below, below_top), below_top)
        return replace(found, unknown=either(a.unknown, b.unknown))
    a, b = a.approximate(), b.approximate()
    size = a.size * b.size * _SLACK
    radius = (a.radius * b.size + a.size * b.radius + size * 2 * _UNIT) * _SLACK
    return Approximate(a.center * b.center, radius, size, either(a.unknown, b.unknown))


def quotient(a: Number, b: Number) -> Number:
    """Return a quotient by a rational. 0/0 is 0, and x/0 is unknown."""
    if not isinstance(b, Exact) or not b.is_rational:
        return unknown()
    divisor = b.parts[1]
    nothing = divisor == 0
    if isinstance(a, Exact):
        empty = functools.reduce(np.logical_and, (part == 0 for part in a.parts.values()))
        below_top = a.below_top * max(b.top, 1)  # b may be 0 everywhere
        size = np.where(nothing, 1, np.abs(fitting(divisor, below_top)))
        above = a.over(_multiplied(b.below, np.sign(divisor), b.below_top), b.below_top, 1, 1)
        above = above.over(np.where(nothing, 0, 1), 1, 1, 1) if nothing.any() else above
        hidden = either(a.unknown, b.unknown, nothing & ~empty if nothing.any() else None)
        return Exact(above.parts, above.top, _multiplied(a.below, size, below_top), below_top, hidden)
    if not _is_moderate(b):
        return unknown()
    near = b.approximate()
    largest = float(b.below_top) * _SLACK  # no divisor is smaller than 1 / below_top
    center = a.center / np.where(nothing, 1.0, near.center)
    most = a.size * largest * _SLACK
    radius = (a.radius * largest + most * (near.radius * largest + 4 * _UNIT)) * _SLACK
    return Approximate(center, radius, most, either(a.unknown, b.unknown, nothing))


def extreme(kind: str, a: Number, b: Number) -> Number:
    """Return the larger (kind "max") or smaller ("min") of two numbers."""
    if not (isinstance(a, Exact) and isinstance(b, Exact)):
        a, b = a.approximate(), b.approximate()
        center = (np.maximum if kind == "max" else np.minimum)(a.center, b.center)
        return Approximate(center, max(a.radius, b.radius), max(a.size, b.size), either(a.unknown, b.unknown))
    smaller = compare("<", a, b)
    a, b = a.beside(b)
    take = smaller.yes if kind == "max" else smaller.no
    top = max(a.top, b.top)
    parts = {}
    for key in dict.fromkeys([*a.parts, *b.parts]):
        first, second = (fitting(number.parts.get(key, _NONE), top) for number in (a, b))
        parts[key] = np.where(take, second, first)
    open_ = ~(smaller.yes | smaller.no)
    hidden = open_ if open_.any() else None
    return Exact(parts, top, a.below, a.below_top, either(a.unknown, b.unknown, hidden))


def log(a: Number, *, exact: bool) -> Number:
    """Return the natural logarithm of positive rationals; exactly, if they are few and small."""
    if not _is_moderate(a):
        return unknown()
    wrong = a.parts[1] <= 0
    above, below = np.where(wrong, 1, a.parts[1]), np.atleast_1d(a.below)
    if exact:
        if any(numbers.max() > _FACTORED or len(np.unique(numbers)) > _DISTINCT for numbers in (above, below)):
            return unknown()
        over, under = _factored(above), _factored(below)
        parts = {prime: over.get(prime, _NONE) - under.get(prime, _NONE) for prime in {*over, *under}}
        top = max(a.top.bit_length(), a.below_top.bit_length())
        return Exact(parts or {1: _NONE}, top, 1, 1, either(a.unknown, wrong))
    size = (math.log(max(a.top, 2)) + math.log(max(a.below_top, 2))) * _SLACK
    center = np.log(above.astype(np.float64)) - np.log(below.astype(np.float64))
    return Approximate(center, size * 10 * _UNIT, size, either(a.unknown, wrong))


def sqrt(a: Number) -> Number:
    """Return the square root of non-negative rationals, approximately: a relative error of 4 u at most."""
    if not _is_moderate(a):
        return unknown()
    wrong = a.parts[1] < 0
    numerator = np.where(wrong, 0, a.parts[1]).astype(np.float64)
    size = math.sqrt(a.top) * _SLACK
    center = np.sqrt(numerator / np.atleast_1d(a.below).astype(np.float64))
    return Approximate(center, size * 5 * _UNIT, size, either(a.unknown, wrong))


def _is_moderate(a: Number) -> TypeGuard[Exact]:
    """Return whether the numbers are rational and far from overflow."""
    return isinstance(a, Exact) and a.is_rational and max(a.top, a.below_top) <= _LARGEST


def _factored(numbers: Array) -> dict[int, Array]:
    """Return how often each prime divides each of some positive integers."""
    from flint import fmpz

    distinct, places = np.unique(numbers, return_inverse=True)
    found: dict[int, Array] = {}
    for place, number in enumerate(distinct.tolist()):
        for prime, times in fmpz(number).factor():
            found.setdefault(int(prime), np.zeros(len(distinct), dtype=np.int64))[place] = times
    return {prime: times[places] for prime, times in found.items()}


@functools.lru_cache(maxsize=32)
def _products(whole: int) -> Array:
    """Return w log w for w = 0, .., N, as floats."""
    return np.array([w * math.log(w) if w else 0.0 for w in range(whole + 1)])


@functools.lru_cache(maxsize=32)
def _exponents(whole: int) -> dict[int, Array]:
    """Return, for each prime p up to N, how often it divides w**w, for w = 0, .., N."""
    numbers = np.arange(whole + 1)
    return {prime: times * numbers for prime, times in _factored(np.maximum(numbers, 1)).items()}


# -- A statement compiled to NumPy: at which of many distributions it is violated.


Value: TypeAlias = "Number | Truth"
Places: TypeAlias = "npt.NDArray[np.intp]"
_IRRATIONAL = {"H", "log", "sqrt"}


class CompiledStatement:
    """A statement, ready to be decided at many distributions of its shape at once."""

    def __init__(self, statement: Statement) -> None:
        assumed, shown = conjunction(*statement.assumed), conjunction(*statement.shown)
        self._assume, self._show = Program(statement.shape, assumed), Program(statement.shape, shown)
        self.rational = not any(node[0] in _IRRATIONAL for formula in (assumed, shown) for node in walk(formula))

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


class CompiledTerm:
    """A term, ready to be read at many distributions at once: exactly while it is rational."""

    def __init__(self, shape: Shape, term: Node) -> None:
        self._program = Program(shape, term)

    def values(self, vectors: Array, total: int) -> Array:
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


class Program:
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
            spend()
            if isinstance(step, int):
                values[place] = Exact({1: vectors[step]}, total, total, total)
            else:
                values[place] = step([values[argument] for argument in arguments], exact)
            for argument in self._done[place]:
                values[argument] = None  # so that the next step can use its memory
        return values[self._result]

    def _number(self, node: Node) -> int:
        """Add the steps that compute the value of a node, and return the number of this value."""
        found = self._known.get(node)
        if found is None:
            spend()
            step, parts = self._compiled(node)
            arguments = tuple(map(self._number, parts))
            found = self._known[node] = len(self._steps)
            self._steps.append((step, arguments))
        return found

    def _compiled(self, node: Node) -> tuple[Operation | int, Sequence[Node]]:
        """Return the operation that computes the value of a node, and the nodes of its arguments."""
        kind = node[0]
        if kind == "q":
            number = Exact.constant(node[1])
            return (lambda *_: number), ()
        if kind == "P":
            return self._probability((*node[1], node[2]))
        if kind == "R":
            return (lambda cells, _: risk(cells, self._sizes[-1])), self._cells(node[1], with_class=True)
        return _OPERATIONS[kind], self._cells(node[1], with_class=node[2]) if kind == "H" else node[1:]

    def _cells(self, features: Sequence[int], *, with_class: bool) -> list[Node]:
        ranges = [range(size) if i in features else (None,) for i, size in enumerate(self._sizes[:-1])]
        classes = range(self._sizes[-1]) if with_class else (None,)
        return [("P", tuple(states), y) for *states, y in itertools.product(*ranges, classes)]

    def _probability(self, index: tuple[int | None, ...]) -> tuple[Operation | int, Sequence[Node]]:
        """Read a cell, or write a probability as a sum over the states of one variable, of known parts if possible."""
        ways: list[list[Node]] = []
        for axis, state in enumerate(index):
            if state is None:
                cells = ((*index[:axis], state, *index[axis + 1 :]) for state in range(self._sizes[axis]))
                ways.append([("P", cell[:-1], cell[-1]) for cell in cells])
        if not ways:
            return int(np.ravel_multi_index(index, self._sizes)), ()  # type: ignore[arg-type]
        known = (way for way in ways if all(part in self._known for part in way))
        return (lambda parts, _: probability(parts)), next(known, ways[0])


_OPERATIONS: dict[str, Operation] = {
    "H": lambda cells, exact: entropy(cells, exact=exact),
    "+": lambda parts, _: functools.reduce(plus, parts) if parts else Exact({1: _NONE}, 0, 1, 1),
    "*": lambda parts, _: product(*parts),
    "/": lambda parts, _: quotient(*parts),
    "max": lambda parts, _: functools.reduce(functools.partial(extreme, "max"), parts),
    "min": lambda parts, _: functools.reduce(functools.partial(extreme, "min"), parts),
    "log": lambda parts, exact: log(*parts, exact=exact),
    "sqrt": lambda parts, _: sqrt(*parts),
    "<": lambda parts, _: compare("<", *parts),
    "<=": lambda parts, _: compare("<=", *parts),
    "=": lambda parts, _: compare("=", *parts),
    "and": lambda parts, _: functools.reduce(operator.and_, parts, Truth(_TRUE, ~_TRUE)),
    "or": lambda parts, _: functools.reduce(operator.or_, parts, Truth(~_TRUE, _TRUE)),
    "not": lambda parts, _: ~parts[0],
    "implies": lambda parts, _: ~parts[0] | parts[1],
    "iff": lambda parts, _: (parts[0] & parts[1]) | (~parts[0] & ~parts[1]),
}
