"""Terms and formulas at a distribution with integer weights, evaluated from the definitions."""

from __future__ import annotations

import itertools
import math
from collections import Counter
from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import Any

from fstheory.checker.numbers import (
    Number,
    Quotient,
    add,
    compare,
    enclosure,
    inverse,
    logarithms,
    multiply,
    square_root,
)
from fstheory.checker.reading import (
    MAX_BITS,
    MAX_CELLS,
    WIDTH,
    SampleSpace,
    bounded,
    list_of,
    rational,
    read_node,
    require,
    whole,
    wrong,
)
from fstheory.checker.statement import ASSUMPTIONS, COMPARISONS, CRITERIA, LEAVES, Node, compared
from fstheory.errors import InvalidTypeError, show

_MOST_FACTORS = 8  # of logarithms in a product


class Distribution:
    """A distribution: the integer weights above 0 of some cells, over their total. It evaluates terms and formulas."""

    def __init__(self, shape: SampleSpace, cells: dict[Node, int]) -> None:
        self.shape, self.cells, self.total = shape, cells, sum(cells.values())
        self._known: dict[Node, Number] = {}
        self._marginals: dict[Node, dict[Node, int]] = {}
        self.parameters: dict[str, Any] = {}  # their values, as rationals are written

    def marginal(self, axes: Iterable[int]) -> dict[Node, int]:
        """Return the weights above 0 of the states of some variables. The class is the last variable."""
        kept = tuple(axes)
        if kept in self._marginals:
            return self._marginals[kept]
        self.shape.spend(len(self.cells) * (10 + len(kept)))
        found: dict[Node, int] = {}
        for cell, weight in self.cells.items():
            state = tuple(cell[i] for i in kept)
            found[state] = found.get(state, 0) + weight
        if len(self.cells) <= MAX_CELLS:  # otherwise thousands of large marginals would be kept
            self._marginals[kept] = found
        return found

    def largest(self, axes: Iterable[int]) -> dict[Node, int]:
        """Return the weight of a most likely class, for each state above 0 of some features."""
        found: dict[Node, int] = {}
        for (*state, _), weight in self.marginal((*axes, self.shape.n)).items():
            found[tuple(state)] = max(weight, found.get(tuple(state), 0))
        return found

    def satisfies(self, assumption: str) -> bool:
        """Decide an assumption of Peña and Nilsson by its name."""
        largest = self.largest(range(self.shape.n))
        if assumption == "positive":
            return len(largest) == math.prod(self.shape.cardinalities)
        return sum(weight == largest[cell[:-1]] for cell, weight in self.cells.items()) == len(largest)

    def truth(self, formula: Node) -> bool:
        """Decide a formula. The parts of "and", "or" and "implies" are decided from the left, as far as needed."""
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
            number: Fraction = first
            return number
        if kind == "t":
            return rational(self.parameters.get(first), f"the value of {show(first)}")
        if kind == "P":
            at = {axis: index for axis, index in enumerate((*first, second)) if index is not None}
            return Fraction(self.marginal(at).get(tuple(at.values()), 0), self.total)
        if kind == "R":
            return 1 - Fraction(sum(self.largest(first).values()), self.total)
        if kind == "C":
            return bounded(self._cost(first, Fraction(second)))
        if kind in CRITERIA:
            return bounded(self._criterion(kind, first))
        alike = Counter(self.marginal((*first, *[self.shape.n] * second)).values())
        self.shape.spend(len(alike) * (1000 + len(alike)))  # before so many logarithms are added up
        shares = ((Fraction(weight, self.total), times) for weight, times in alike.items())
        return self._limited(logarithms((-times * share, share) for share, times in shares))

    def _cost(self, features: Node, cost: Fraction) -> Fraction:
        """Return the least expected cost of predicting the last class or not, where a false positive costs `cost`."""
        last, sides = len(self.shape.classes) - 1, dict[Node, list[int]]()
        for (*state, y), weight in self.marginal((*features, self.shape.n)).items():
            sides.setdefault(tuple(state), [0, 0])[y == last] += weight
        self.shape.spend(100 * len(sides))
        return sum((min((1 - cost) * yes, cost * no) for no, yes in sides.values()), Fraction(0)) / self.total

    def _criterion(self, kind: str, features: Node) -> Fraction:
        """Return another criterion from its definition, where 0 / 0 counts as 0 and the classes are 0, 1, .. ."""
        axis, laws = self.shape.n, dict[Node, dict[int, int]]()
        for (*state, y), weight in self.marginal((*features, axis)).items():
            laws.setdefault(tuple(state), {})[y] = weight
        of_class, last = {y: weight for (y,), weight in self.marginal((axis,)).items()}, len(self.shape.classes) - 1
        self.shape.spend(100 * len(laws) * (len(laws) if kind == "A" else 1))
        if kind == "G":
            pure = sum(Fraction(w * w, sum(law.values())) for law in laws.values() for w in law.values())
            return 1 - Fraction(pure, self.total)
        if kind == "B":
            shares = (max(Fraction(w, of_class[y]) for y, w in law.items()) for law in laws.values())
            return last + 1 - sum(shares, Fraction(0))
        if kind == "V":
            sums = [(sum(y * w for y, w in law.items()), sum(law.values())) for law in laws.values()]
            mean = Fraction(sum(s for s, _ in sums), self.total)
            told = Fraction(sum(Fraction(s * s, w) for s, w in sums), self.total) - mean**2
            spread = Fraction(sum(y * y * w for y, w in of_class.items()), self.total) - mean**2
            return told / spread if spread else Fraction(0)
        sides = [(law.get(last, 0), sum(law.values()) - law.get(last, 0)) for law in laws.values()]
        confused = sum(min(a * d, c * b) for a, b in sides for c, d in sides)
        pairs = 2 * of_class.get(last, 0) * (self.total - of_class.get(last, 0))
        return 1 - (Fraction(confused, pairs) if pairs else Fraction(0))

    def _combined(self, kind: str, values: list[Number]) -> Number:
        last: Number = Fraction(0)
        if kind == "+":
            for value in values:
                if isinstance(last, Quotient) or isinstance(value, Quotient):
                    self.shape.spend(300 * _length(last) * _length(value))
                last = self._limited(add(last, value))
            return last
        last = values[-1]
        if kind in {"max", "min"}:
            for value in values:
                last = value if self._compare("<", *((last, value) if kind == "max" else (value, last))) else last
            return last
        if kind == "*":
            self.shape.spend(100 * _length(values[0]) * _length(last))
            return self._limited(multiply(values[0], last))
        if kind == "/":
            self.shape.spend(100 * _length(values[0]) * _length(last))
            nothing = self._compare("=", last, Fraction(0))
            fits = not nothing or self._compare("=", values[0], last)
            require(fits, "a divisor", "other than 0, unless 0 is divided", 0)
            # 0/0 = 0: null events do not count
            return Fraction(0) if nothing else self._limited(multiply(values[0], inverse(last)))
        if not isinstance(last, Fraction):
            raise wrong(f"the last part of {kind!r}", "rational, to be decided", _decimal(last))
        require(last > 0 or (last == 0 and kind == "sqrt"), f"the argument of {kind!r}", "in its domain", last)
        return self._limited(logarithms([(Fraction(1), last)]) if kind == "log" else square_root(last))

    def _compare(self, kind: str, left: Number, right: Number) -> bool:
        self.shape.spend(
            10 + 5000 * (_length(left) + _length(right)) + 100 * _length(left) * _length(right)
        )  # to decide about logarithms takes long
        try:
            return bool(COMPARISONS[kind](compare(left, right), 0))
        except InvalidTypeError as error:
            raise wrong(f"a comparison by {kind!r}", f"decidable ({error})", _decimal(left)) from error

    def _limited(self, number: Number) -> Number:
        """Return the number. Raise an error if it is too long."""
        self.shape.spend(10 + 1000 * _length(number))
        if isinstance(number, Fraction):
            return bounded(number)
        if isinstance(number, Quotient):
            for product, coefficient in (*number.above.items(), *number.below.items()):
                require(
                    len(product) <= _MOST_FACTORS,
                    "a product in a claim",
                    f"of at most {_MOST_FACTORS} logarithms",
                    len(product),
                )
                bounded(coefficient), *map(bounded, product)
            return number
        for argument, coefficient in number.terms.items():
            bounded(coefficient), bounded(argument)
        bounded(number.constant)
        return number


def distribution(shape: SampleSpace, weights: Any, total: Any) -> Distribution:
    """Return the distribution with the nested weights of a certificate."""
    return _in_lowest_terms(at_weights(shape, _flat(weights, shape.axes)), weights, total)


def at_weights(shape: SampleSpace, weights: Iterable[int]) -> Distribution:
    """Return the distribution with these weights of all cells, in C order."""
    places = itertools.product(*map(range, shape.axes))
    return Distribution(shape, {place: weight for place, weight in zip(places, weights, strict=True) if weight})


def sparse_distribution(shape: SampleSpace, cells: Any, total: Any) -> Distribution:
    """Return the distribution whose cells above 0 a certificate lists in order, each as x1, .., xn, y, weight."""
    found: dict[Node, int] = {}
    last: Node = ()
    for entry in list_of(None, cells, "cells"):
        *indices, weight = list_of(shape.n + 2, entry, "a part of cells")
        shape.spend(10 + len(entry))
        axes = zip(shape.axes, indices, strict=True)
        place = tuple(whole(0, size, index, "an index in cells") for size, index in axes)
        require(last < place, "cells", "in ascending order", entry)
        found[place] = whole(1, 2**MAX_BITS, weight, "a weight")
        last = place
    return _in_lowest_terms(Distribution(shape, found), cells, total)


def _in_lowest_terms(at: Distribution, written: Any, total: Any) -> Distribution:
    fits = type(total) is int and total == at.total > 0
    require(fits, "total", f"the sum of the weights, {show(at.total)}, and above 0", total)
    require(math.gcd(*at.cells.values()) == 1, "the weights", "in lowest terms", written)
    return at


def assumptions(value: Any) -> tuple[str, ...]:
    """Return the assumptions that a certificate names and does not spell out."""
    named = list_of(None, value, "assumptions")
    known = all(named.count(name) == 1 and name in ASSUMPTIONS for name in named)
    require(known, "assumptions", f"some of {ASSUMPTIONS}", named)
    return named


def _flat(weights: Any, axes: Sequence[int]) -> list[int]:
    if not axes:
        return [whole(0, 2**MAX_BITS, weights, "a weight")]
    return [w for part in list_of(axes[0], weights, "a part of weights") for w in _flat(part, axes[1:])]


def _decimal(number: Number) -> str:
    """Return a number as text, to twelve digits."""
    return f"about {float(enclosure(number, 128)[0]):.12g}"


def _length(number: Number) -> int:
    if isinstance(number, Quotient):
        return sum(len(product) for part in (number.above, number.below) for product in part) + 1
    return 0 if isinstance(number, Fraction) else len(number.terms)


def require_values(values: Any, formula: Node, at: Distribution) -> None:
    """Require that the certificate has the exact value of each side of each comparison, in order of appearance."""
    terms = compared(formula)
    for i, (term, entry) in enumerate(zip(terms, list_of(len(terms), values, "values"), strict=True)):
        written, claimed = list_of(2, entry, f"values[{i}]")
        node = read_node(written, "term", at.shape, f"values[{i}]")  # True is no index, though for Python it equals 1
        require(node == term, f"values[{i}]", f"about {show(term)}", written)
        number = at.value(term)
        if isinstance(number, Fraction):
            require(claimed == str(number), f"values[{i}]", f"'{number}', the value of {show(term)}", claimed)
        elif type(claimed) is str:
            same = compare(rational(claimed, f"values[{i}]"), number) == 0
            require(same, f"values[{i}]", f"the value of {show(term)}, {_decimal(number)}", claimed)
        else:
            low, high = (rational(end, f"values[{i}]") for end in list_of(2, claimed, f"values[{i}]"))
            around = compare(low, number) < 0 < compare(high, number)
            require(around, f"values[{i}]", f"an interval around the value, {_decimal(number)}", claimed)
            require(high - low <= WIDTH, f"values[{i}]", f"an interval of width at most {WIDTH}", claimed)
