"""What is true at one distribution: the certificates that refute or realize something."""

from __future__ import annotations

import itertools
import math
import operator
from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from typing import Any, TypeAlias

from fstheory.checker.statement import (
    COMPARISONS,
    LEAVES,
    MAX_BITS,
    Node,
    SampleSpace,
    bounded,
    check_node,
    list_of,
    rational,
    require,
    whole,
    wrong,
)
from fstheory.errors import InvalidTypeError, show
from fstheory.reals import LogSum
from fstheory.reals.roots import RootSum

__all__ = ["Distribution", "require_values"]

WIDTH = Fraction(1, 10**12)  # of the interval around an irrational value, at most

Number: TypeAlias = "Fraction | LogSum | RootSum"

_COMPARE: dict[str, Callable[[Any, Any], bool]] = {"<": operator.lt, "<=": operator.le, "=": operator.eq}


class Distribution:
    """Terms and formulas at a distribution: integer weights over their total."""

    def __init__(self, shape: SampleSpace, weights: Any, total: Any) -> None:
        self.shape = shape
        self.weights = self._flat(weights, shape.axes)
        self.total = sum(self.weights)
        fits = type(total) is int and total == self.total > 0
        require(fits, "total", f"the sum of the weights, {show(self.total)}, and above 0", total)
        require(math.gcd(*self.weights) == 1, "the weights", "in lowest terms", weights)
        self._known: dict[Node, Number] = {}

    def _flat(self, weights: Any, axes: Sequence[int]) -> list[int]:
        if not axes:
            return [whole(0, 2**MAX_BITS, weights, "a weight")]
        return [w for part in list_of(axes[0], weights, "a part of weights") for w in self._flat(part, axes[1:])]

    def truth(self, formula: Node) -> bool:
        """Decide a formula. Of "and", "or" and "implies" no more parts than needed, from the left."""
        kind, *parts = formula
        if kind in COMPARISONS:
            left, right = map(self.value, parts)
            return self._compare(kind, left, right)
        if kind in {"and", "or"}:
            return all(map(self.truth, parts)) if kind == "and" else any(map(self.truth, parts))
        first = self.truth(parts[0])
        if kind == "not":
            return not first
        return first is self.truth(parts[1]) if kind == "iff" else not first or self.truth(parts[1])

    def value(self, term: Node) -> Number:
        """Return the value of a term: a Fraction wherever it is rational."""
        kind, *parts = term
        if kind in LEAVES:
            if term not in self._known:
                self._known[term] = self._leaf(kind, *parts)
            return self._known[term]
        values = [self.value(part) for part in parts]
        try:
            return self._combined(kind, values)
        except InvalidTypeError as error:  # a logarithm plus or times a root, say
            raise wrong(f"a term of {kind!r}", f"decidable ({error})", term) from error

    def _leaf(self, kind: str, first: Any, second: Any = None) -> Number:
        if kind == "q":
            return rational(first, "q")
        if kind == "P":
            return Fraction(sum(self.weights[cell] for cell in self.shape.cells(first, second)), self.total)
        if kind == "R":
            return self.value(self.shape.risk(first))
        cells = itertools.product(self.shape.states(first), self.shape.classes if second else [None])
        masses = [self.value(("P", states, y)) for states, y in cells]
        return self._simplest(LogSum((-p, p) for p in masses if isinstance(p, Fraction) and p > 0))

    def _combined(self, kind: str, values: list[Number]) -> Number:
        last: Number = Fraction(0)
        if kind == "+":
            for value in values:
                last = self._simplest(last + value)
            return last
        last = values[-1]
        if kind in {"max", "min"}:
            for value in values:
                last = value if self._compare("<", *((last, value) if kind == "max" else (value, last))) else last
            return last
        if kind == "*":
            self.shape.spend(100 * _length(values[0]) * _length(last))
            return self._simplest(values[0] * last)
        if not isinstance(last, Fraction):
            raise wrong(f"the last part of {kind!r}", "rational, to be decided", str(last))
        if kind == "/":
            require(last != 0 or values[0] == 0, "a divisor", "other than 0, unless 0 is divided", 0)
            return self._simplest(values[0] / last) if last else last  # 0/0 = 0: expectations skip null events
        require(last > 0 or (last == 0 and kind == "sqrt"), f"the argument of {kind!r}", "in its domain", last)
        return self._simplest(LogSum([(1, last)]) if kind == "log" else RootSum([(1, last)]))

    def _compare(self, kind: str, left: Number, right: Number) -> bool:
        self.shape.spend(10 + 5000 * (_length(left) + _length(right)))  # to decide about logarithms takes long
        return _COMPARE[kind](left, right)

    def _simplest(self, number: Number) -> Number:
        """Return a Fraction if the number is rational; refuse a number that is long."""
        self.shape.spend(10 + 1000 * _length(number))
        if isinstance(number, Fraction):
            return bounded(number)
        for coefficient, argument in number.terms:
            bounded(coefficient), bounded(Fraction(argument))
        return bounded(number.as_fraction()) if number.is_rational() else number


def _length(number: Number) -> int:
    return 0 if isinstance(number, Fraction) else len(number.terms)


def require_values(values: Any, formula: Node, at: Distribution) -> None:
    """Require the exact value of each side of each comparison, in order of first appearance."""
    terms = tuple(dict.fromkeys(_sides(formula)))
    for i, (term, entry) in enumerate(zip(terms, list_of(len(terms), values, "values"), strict=True)):
        written, claimed = list_of(2, entry, f"values[{i}]")
        check_node(
            written, "term", at.shape, f"values[{i}]"
        )  # True is no index, though Python says that it is equal to 1
        require(written == term, f"values[{i}]", f"about {show(term)}", written)
        number = at.value(term)
        if isinstance(number, Fraction):
            require(claimed == str(number), f"values[{i}]", f"'{number}', the value of {show(term)}", claimed)
        else:
            low, high = (rational(end, f"values[{i}]") for end in list_of(2, claimed, f"values[{i}]"))
            require(low < number < high, f"values[{i}]", f"an interval around {number.decimal(15)}", claimed)
            require(high - low <= WIDTH, f"values[{i}]", f"an interval of width at most {WIDTH}", claimed)


def _sides(formula: Node) -> Iterable[Node]:
    if formula[0] in COMPARISONS:
        return formula[1:]
    return itertools.chain.from_iterable(map(_sides, formula[1:]))
