"""The facts that a proof for every number of states may use, about the risks and entropies of all distributions.

All but two are proved in a few lines. Theorem 4 of Peña and Nilsson says that the optimal subsets are closed under
intersection if both of their assumptions hold. Theorem 3 of Zhang and Yeung (1998) is an inequality for four variables
that does not follow from Shannon's inequalities. If a proof uses one of these two, the summary says so.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import Any

from fstheory.checker.numbers import ceiling, logarithms
from fstheory.checker.reading import list_of, object_with, rational, require, whole, wrong
from fstheory.checker.statement import (
    ASSUMPTIONS,
    MAX_CELLS,
    MAX_FEATURES,
    MAX_STEPS,
    ONE,
    Coefficient,
    Fact,
    Form,
    Node,
    Space,
)
from fstheory.checker.weights import assumptions

MOST_PARTS = 1000  # the largest denominator of a share in a fact

_THEOREM_4 = "Theorem 4 of Peña and Nilsson, that the optimal subsets are closed under intersection"
_ZHANG_YEUNG = "Theorem 3 of Zhang and Yeung"


class EverySizeSpace(Space):
    """All distributions of n features with any numbers of states, by their R(S) and H(S).

    The class is one more variable.

    A set is written as a mask, in which the class is bit n.
    """

    axes = ()  # so that no formula speaks of a cell

    def __init__(self, value: Any, named: Any, max_steps: int = MAX_STEPS) -> None:
        shape = object_with(["features", "classes"], value, "shape")
        self.n = whole(1, MAX_FEATURES + 1, shape["features"], "shape.features")
        self.classes = None if shape["classes"] is None else whole(1, MAX_CELLS, shape["classes"], "shape.classes")
        self.assumptions, self.trusted = assumptions(named), dict[str, None]()
        self.size = 3 << self.n
        self.left, self.max_steps = max_steps, max_steps

    def __str__(self) -> str:
        features = f"{self.n} feature{'s' * (self.n != 1)} of any numbers of states"
        return f"{features} and {'any number of' if self.classes is None else self.classes} classes"

    def leaf(self, term: Node) -> Form:
        """Return a risk or an entropy as a linear form of the unknowns."""
        kind, features, *target = term
        require(kind in {"R", "H"}, "a term of a proof for every size", "about risks and entropies", term)
        mask = sum(1 << i for i in features)
        return {mask: 1} if kind == "R" else self._entropies((1, mask | any(target) << self.n))

    def fact(self, reference: Any, place: str) -> Fact:
        """Return a fact that is true of every distribution that the certificate is about."""
        full, top = (1 << self.n) - 1, None if self.classes is None else 1 - Fraction(1, self.classes)
        match reference:
            case ("less", subset, feature):
                mask, i = self._set(subset, place), whole(0, self.n, feature, place)
                require(not mask >> i & 1, place, "about a feature that is not in the subset", reference)
                return ">=", {mask: 1, mask | 1 << i: -1}
            case ("floor",):
                return ">=", {full: 1}
            case ("ceiling",):
                return (">", {ONE: 1, 0: -1}) if top is None else (">=", _sum([(ONE, top), (0, -1)]))
            case ("maxima",) if top and "unique_maximum" in self.assumptions:  # so for two classes or more
                return ">", {ONE: top, full: -1}
            case ("I", a, b, c):
                return ">=", self._information(*(self._set(part, place, 1) for part in (a, b, c)))
            case ("ZY", *four):
                a, b, c, d = (self._set(part, place, 1) for part in list_of(4, tuple(four), place))
                self.trusted[_ZHANG_YEUNG] = None
                terms = (1, a, b, 0), (1, a, c | d, 0), (3, c, d, a), (1, c, d, b), (-2, c, d, 0)
                forms = ((factor, self._information(*sets).items()) for factor, *sets in terms)
                return ">=", _sum((unknown, factor * times) for factor, form in forms for unknown, times in form)
            case ("TD", subset, number):
                # Tebbe and Dwyer: what j and j + 1 equally likely classes have is on a line that H(Y | S) is not below
                mask, j = self._set(subset, place), whole(1, MOST_PARTS, number, place)
                low, step = -self._above_log(Fraction(1, j)), Fraction(j + 1, j)  # log j from below
                line = (
                    (ONE, low - (j * j - 1) * self._above_log(step)),
                    (mask, -j * (j + 1) * self._above_log(1 / step)),
                )
                return ">=", _sum([*_times(1, self._left(mask)), *_times(-1, dict(line))])
            case ("fano", subset, share) if top:  # so for two classes or more
                # Give the best guess the probability 1 - r, and share r among the other classes.
                # The log loss of this prediction is at least H(Y | S).
                mask, r = self._set(subset, place), _share(share, place)
                right, mistaken = self._above_log(1 / (1 - r)), self._above_log((top / (1 - top)) / r)  # k - 1 others
                return ">=", _sum([(ONE, right), (mask, mistaken - right), *_times(-1, self._left(mask))])
            case ("pinsker", first, second, share):
                # R(S) - R(T) is at most the root of I(Y; T | S) / 2, and so 4a times it at most I(Y; T | S) + 2a**2
                s, t, a = self._set(first, place), self._set(second, place), _share(share, place)
                require(s & t == s, place, "about a set and one that it is part of", reference)
                told = self._information(1 << self.n, t, s)
                return ">=", _sum([(ONE, 2 * a * a), (s, -4 * a), (t, 4 * a), *_times(1, told)])
        known = "['less', S, i], ['floor'], ['ceiling'], ['maxima'], ['I', a, b, c], ['ZY', a, b, c, d], ['TD', S, j]"
        known += ", ['fano', S, r] or ['pinsker', S, T, a]"
        raise wrong(place, f"about numbered facts, ['M', k, j], or a fact for this shape: {known}", reference)

    def cases(self, split: Any, place: str) -> tuple[Node, ...]:
        """Return formulas. At least one of them is true of every distribution that the certificate is about."""
        zero = ("q", "0")
        match split:
            case ("zero", first, second) if "positive" in self.assumptions:
                return self._closed(first, second, zero, place)
            case ("optimal", first, second) if len(self.assumptions) == len(ASSUMPTIONS):
                self.trusted[_THEOREM_4] = None
                return self._closed(first, second, _risk((1 << self.n) - 1), place)
            case ("intersection", variable, first, second) if "positive" in self.assumptions:
                a, s, t = whole(0, self.n + 1, variable, place), self._set(first, place), self._set(second, place)
                require(not (s | t) >> a & 1, place, "about a variable that is in neither set", split)
                both, shared, *each = (self._given(given, a) for given in (s | t, s & t, s, t))
                return *(("<", both, one) for one in each), ("=", shared, both)
            case ("bridge", subset, feature):
                s, i = self._set(subset, place), whole(0, self.n, feature, place)
                gains = ("<", self._given(s | 1 << i, self.n), self._given(s, self.n))
                return gains, ("=", _risk(s), _risk(s | 1 << i))
            case ("sure", subset):
                s = self._set(subset, place)
                risk, left = _risk(s), self._given(s, self.n)
                return ("and", ("<", zero, risk), ("<", zero, left)), ("and", ("=", risk, zero), ("=", left, zero))
        known = "['optimal', S, T], ['zero', S, T], ['intersection', i, S, T], ['bridge', S, i], ['sure', S]"
        raise wrong(place, f"['or', number], ['max', number] or what is assumed allows: {known}", split)

    def _set(self, mask: Any, place: str, more: int = 0) -> int:
        return whole(0, 1 << self.n + more, mask, place)

    def _closed(self, first: Any, second: Any, least: Node, place: str) -> tuple[Node, ...]:
        """Return the fact that two subsets have the least risk only if their intersection has it."""
        s, t = self._set(first, place), self._set(second, place)
        return ("<", least, _risk(s)), ("<", least, _risk(t)), ("=", _risk(s & t), least)

    def _given(self, mask: int, variable: int) -> Node:
        """Return H(variable | S)."""
        known, told = _risk(mask)[1], _risk(mask | (1 << variable) % (1 << self.n))[1]
        return "+", ("H", told, variable == self.n), ("*", ("q", "-1"), ("H", known, False))

    def _above_log(self, number: Fraction) -> Fraction:
        """Return the least multiple of 1/1,000,000 that is not below the logarithm of a number."""
        self.spend(500)
        return ceiling(logarithms([(Fraction(1), number)]), 10**6)

    def _left(self, mask: int) -> Form:
        """Return H(Y | S)."""
        return self._entropies((1, mask | 1 << self.n), (-1, mask))

    def _information(self, a: int, b: int, c: int) -> Form:
        """Return I(a; b | c)."""
        return self._entropies((1, a | c), (1, b | c), (-1, a | b | c), (-1, c))

    def _entropies(self, *signed: tuple[int, int]) -> Form:
        """Return a sum of entropies.

        The entropy of no variable is 0, and so is that of a class that is the only one.
        """
        told = (1 << self.n + (self.classes != 1)) - 1
        return _sum(((1 << self.n) + (mask & told), factor) for factor, mask in signed if mask & told)


def _risk(mask: int) -> Node:
    return "R", tuple(i for i in range(mask.bit_length()) if mask >> i & 1)


def _share(value: Any, place: str) -> Fraction:
    share = rational(value, place)
    require(0 < share < 1 and share.denominator <= MOST_PARTS, place, f"a share in parts of 1/{MOST_PARTS}", value)
    return share


def _times(factor: Coefficient, form: Form) -> Iterable[tuple[int, Coefficient]]:
    return ((unknown, factor * coefficient) for unknown, coefficient in form.items())


def _sum(pairs: Iterable[tuple[int, Coefficient]]) -> Form:
    """Return the sum of linear forms. No coefficient in it is 0."""
    total: Form = {}
    for unknown, coefficient in pairs:
        total[unknown] = total.get(unknown, 0) + coefficient
    return {unknown: coefficient for unknown, coefficient in total.items() if coefficient}
