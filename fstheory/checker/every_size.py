"""The facts that a proof for every number of states may use, about the criteria and entropies of all distributions.

All but two are proved in a few lines. Theorem 4 of Peña and Nilsson says that the optimal subsets are closed under
intersection if both of their assumptions hold. Theorem 3 of Zhang and Yeung (1998) is an inequality for four variables
that does not follow from Shannon's inequalities. If a proof uses one of these two, the summary says so.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from fractions import Fraction
from typing import Any

from fstheory.checker.numbers import ceiling, compare, enclosure, logarithms
from fstheory.checker.reading import list_of, object_with, rational, require, whole, wrong
from fstheory.checker.statement import (
    ASSUMPTIONS,
    CRITERIA,
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
PRIMES = tuple(p for p in range(2, 100) if all(p % d for d in range(2, p)))  # whose logarithms stand in a proof

_THEOREM_4 = "Theorem 4 of Peña and Nilsson, that the optimal subsets are closed under intersection"
_ZHANG_YEUNG = "Theorem 3 of Zhang and Yeung"
_LOSSES = ("G", "B")  # the criteria that fall with the subset; the others grow


class EverySizeSpace(Space):
    """All distributions of n features with any numbers of states, by their R(S), H(S), G(S), B(S), A(S) and V(S).

    R is the Bayes risk, H the entropy, for which the class is one more variable. The others are `CRITERIA`.

    A set is written as a mask, in which the class is bit n.
    """

    axes = ()  # so that no formula speaks of a cell

    def __init__(self, value: Any, named: Any, max_steps: int = MAX_STEPS) -> None:
        shape = object_with(["features", "classes"], value, "shape")
        self.n = whole(1, MAX_FEATURES + 1, shape["features"], "shape.features")
        self.classes = None if shape["classes"] is None else whole(1, MAX_CELLS, shape["classes"], "shape.classes")
        self.assumptions, self.trusted = assumptions(named), dict[str, None]()
        self._coins = 3 + len(CRITERIA) << self.n  # -R log R of all subsets, then -(1 - R) log(1 - R)
        self._logs, self._each = self._coins + (2 << self.n), 1 + (1 << self.n)  # log p, then log(p) R of all subsets
        self.size = self._logs + len(PRIMES) * self._each
        self.left, self.max_steps = max_steps, max_steps

    def __str__(self) -> str:
        features = f"{self.n} feature{'s' * (self.n != 1)} of any numbers of states"
        return f"{features} and {'any number of' if self.classes is None else self.classes} classes"

    def leaf(self, term: Node) -> Form:
        """Return a risk, an entropy or another criterion as a linear form of the unknowns."""
        kind, features, *target = term
        require(kind != "P", "a term of a proof for every size", "about criteria and entropies", term)
        mask = sum(1 << i for i in features)
        if kind in CRITERIA:
            return {self.unknown(kind, mask): 1}
        return {mask: 1} if kind == "R" else self._entropies((1, mask | any(target) << self.n))

    def logarithm(self, number: Fraction) -> Form:
        """Return the logarithm of a number as a sum of those of primes."""
        require(number > 0, "the argument of a logarithm", "above 0", number)
        self.spend(len(PRIMES) * (number.numerator.bit_length() + number.denominator.bit_length()))
        form: Form = {}
        for sign, rest in ((1, number.numerator), (-1, number.denominator)):
            for p in PRIMES:
                while rest % p == 0:
                    rest //= p
                    form[self.log(p)] = form.get(self.log(p), 0) + sign
            require(rest == 1, "the argument of a logarithm", f"made of primes up to {PRIMES[-1]}", number)
        return form

    def log(self, p: int, mask: int = -1) -> int:
        """Return the number of the unknown log p, or log(p) R(S)."""
        return self._logs + PRIMES.index(p) * self._each + 1 + mask

    def named(self, unknown: int) -> tuple[str, int]:
        """Return an unknown that is no entropy as a text with {} for a subset, and the mask of the subset."""
        kind, mask = unknown >> self.n, unknown % (1 << self.n)
        if unknown < self._coins:
            return ("R", *CRITERIA)[max(kind - 2, 0)] + "{}", mask
        if unknown < self._logs:
            p = "R{}" if unknown - self._coins < 1 << self.n else "(1 - R{})"
            return f"{p} log(1/{p})", mask
        prime, place = divmod(unknown - self._logs, self._each)
        return f"log({PRIMES[prime]})" + " R{}" * (place > 0), max(place - 1, 0)

    def product(self, first: Form, second: Form) -> Form | None:
        """Return a sum of logarithms times a form of risks, None for all other factors."""
        for logs, risks in ((first, second), (second, first)):
            alone = all(u == ONE or (u >= self._logs and (u - self._logs) % self._each == 0) for u in logs)
            if alone and max(logs, default=ONE) < self.size and all(ONE <= u < 1 << self.n for u in risks):
                pairs = ((p, a, r, b) for p, a in logs.items() for r, b in risks.items())
                return _sum((r if p == ONE else p if r == ONE else p + 1 + r, a * b) for p, a, r, b in pairs)
        return None

    def coin(self, form: Form) -> Form | None:
        """Return p log p for a risk p, or the chance p of no error. Return None for another form."""
        risks = [u for u in form if u != ONE]
        if len(risks) != 1 or not 0 <= risks[0] < 1 << self.n or form not in ({risks[0]: 1}, {ONE: 1, risks[0]: -1}):
            return None
        return {self._coins + risks[0] + (ONE in form) * (1 << self.n): -1}

    def times(self, bound: Any, fact: Fact, place: str) -> Fact:
        """Return a fact about risks, multiplied by a positive difference between log p and a number."""
        p, digits, above = list_of(3, bound, place)
        require(type(p) is int and p in PRIMES, place, f"about a prime up to {PRIMES[-1]}", p)
        require(type(above) is bool, place, "true or false", above)
        unit = 10 ** whole(1, 31, digits, place)
        self.spend(500)
        low, high = enclosure(logarithms([(Fraction(1), Fraction(p))]), 128)
        end = Fraction(math.ceil(high * unit) if above else -math.floor(low * unit), unit)
        product = self.product({self.log(p): -1 if above else 1, ONE: end}, fact[1])
        if product is None:
            raise wrong(place, "about risks alone", fact)
        return fact[0], product

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
            case ("TD" | "fano" | "pinsker" | "told" | "left" | "coin" as word, *rest):
                return self._of_curve(word, rest, place)
            case ("times" | "log k" | "TD log" | "fano log" as word, *rest):
                return self._with_logarithms(word, rest, place)
            case (str(kind), "G", *rest):
                return self._of_gini(kind, rest, place)
            case (str(name), str(kind), *rest) if kind in CRITERIA:
                return self._of_criterion(name, kind, rest, place)
        known = "['less', S, i], ['floor'], ['ceiling'], ['maxima'], ['I', a, b, c], ['ZY', a, b, c, d], ['TD', S, j]"
        known += ", ['fano', S, r] or ['pinsker', S, T, a], or one on curves, logarithms or other criteria"
        raise wrong(place, f"about numbered facts, ['M', k, j], or a fact for this shape: {known}", reference)

    def _of_curve(self, word: str, rest: list[Any], place: str) -> Fact:
        """Return a line that bounds an entropy, its coefficients rounded to the safe side."""
        top = None if self.classes is None else 1 - Fraction(1, self.classes)
        match word, *rest:
            case ("TD", subset, number):
                # Tebbe and Dwyer: H(Y | S) is not below the line through two points, its values for j and for j + 1
                # equally likely classes.
                mask, j = self._set(subset, place), whole(1, MOST_PARTS, number, place)
                low, step = -self._above_log(Fraction(1, j)), Fraction(j + 1, j)  # log j from below
                line = [(ONE, low - (j * j - 1) * self._above_log(step))]
                line += [(mask, -j * (j + 1) * self._above_log(1 / step))]
                return ">=", _sum([*_times(1, self._left(mask)), *_times(-1, dict(line))])
            case ("fano", subset, share) if top:  # so for two classes or more
                # Give the best guess the probability 1 - r, and share r among the other classes.
                # The logarithmic loss of this prediction is at least H(Y | S).
                mask, r = self._set(subset, place), _share(share, place)
                right, mistaken = self._above_log(1 / (1 - r)), self._above_log((top / (1 - top)) / r)  # k - 1 others
                return ">=", _sum([(ONE, right), (mask, mistaken - right), *_times(-1, self._left(mask))])
            case ("pinsker", first, second, share):
                # R(S) - R(T) is at most the root of I(Y; T | S) / 2, and so 4a times it at most I(Y; T | S) + 2a**2
                s, t, a = *self._nested(first, second, place), _share(share, place)
                told = self._information(1 << self.n, t, s)
                return ">=", _sum([(ONE, 2 * a * a), (s, -4 * a), (t, 4 * a), *_times(1, told)])
            case ("coin", subset, bool(right), share):  # -p log p is at most p log(1 / a) - p + a
                s, a = self._set(subset, place), _share(share, place)
                rate = self._above_log(1 / a) - 1
                line = [(s, -rate), (ONE, rate)] if right else [(s, rate)]
                return ">=", _sum([*line, (ONE, a), (self._coins + right * (1 << self.n) + s, -1)])
            case ("told", first, second, strength, number):
                # I(Y; T | S) + log(E) R(T) is above the lines through the points (1 - 1/j, log(jE / (E + j - 1)))
                s, t = self._nested(first, second, place)
                e, j = rational(strength, place), whole(1, MOST_PARTS, number, place)
                require(1 <= e <= MOST_PARTS and e.denominator <= MOST_PARTS, place, "with E from 1 to 1000", strength)
                ratio, start = (j + 1) * (e + j - 1) / (j * (e + j)), (e + j - 1) / (j * e)
                end = (j * j - 1) * self._above_log(ratio) + self._above_log(start)
                slope = j * (j + 1) * self._above_log(1 / ratio)
                line = [(ONE, end), (s, slope), (t, self._above_log(e))]
                return ">=", _sum([*line, *_times(1, self._information(1 << self.n, t, s))])
            case ("left", first, second, low, high, weight) if self.classes == 2:
                # The tangent of the largest H(Y | T) with R(S), H(Y | S), R(T), at states whose risks are q, c and 1/2
                s, t = self._nested(first, second, place)
                q, c, u = _share(low, place), _share(high, place), _part(weight, place)
                require(q <= c < Fraction(1, 2), place, "with q <= c < 1/2", [low, high])
                self.spend(1500)
                gaps = logarithms([(u, 4 * q * (1 - q)), (Fraction(-1), 4 * c * (1 - c))])
                require(compare(gaps, Fraction(0)) <= 0, place, "with a weight for which the line is true", weight)
                fall = ceiling(logarithms([(u, (1 - q) / q), (Fraction(-1), (1 - c) / c)]), 10**6)
                line = [(ONE, u * self._above_log(1 / (1 - q))), (s, fall), (t, self._above_log((1 - c) / c))]
                return ">=", _sum([*line, *_times(1 - u, self._left(s)), *_times(-1, self._left(t))])
        raise wrong(
            place, "a line of a curve: [TD, S, j], [fano, S, r], [told, S, T, E, j] or [left, S, T, q, c, u]", rest
        )

    def _with_logarithms(self, word: str, rest: list[Any], place: str) -> Fact:
        """Return a fact in which logarithms stand as they are."""
        match word, *rest:
            case ("times", bound, other):  # of nothing: the difference alone
                return self.times(bound, (">", {ONE: 1}) if other is None else self.fact(other, place), place)
            case ("log k",) if self.classes:
                return ">=", _sum([*_times(1, self.logarithm(Fraction(self.classes))), *_times(-1, self._left(0))])
            case ("TD log", subset, number):
                s, j = self._set(subset, place), whole(1, PRIMES[-1], number, place)
                rise = {u: c * j * (j + 1) for u, c in self.logarithm(Fraction(j + 1, j)).items()}
                curve = self.product(rise, {s: 1, ONE: Fraction(1 - j, j)}) or {}
                parts = [(1, self._left(s)), (-1, curve), (-1, self.logarithm(Fraction(j)))]
                return ">=", _sum(pair for sign, form in parts for pair in _times(sign, form))
            case ("fano log", subset) if self.classes and self.classes > 1:
                s = self._set(subset, place)
                others = self.product(self.logarithm(Fraction(self.classes - 1)), {s: 1}) or {}
                coin = [(self._coins + s, 1), (self._coins + (1 << self.n) + s, 1)]
                return ">=", _sum([*coin, *_times(1, others), *_times(-1, self._left(s))])
        raise wrong(
            place, "a fact with logarithms: [times, [p, digits, above], fact], [TD log, S, j] or [fano log, S]", rest
        )

    def _of_criterion(self, word: str, kind: str, rest: list[Any], place: str) -> Fact:
        """Return a fact about one other criterion: more features do not make it worse, or one of its extreme values."""
        loss, full = kind in _LOSSES, (1 << self.n) - 1
        match word, *rest:
            case ("less", subset, feature):
                s, i = self._set(subset, place), whole(0, self.n, feature, place)
                require(not s >> i & 1, place, "about a feature that is not in the subset", rest)
                few, more = self.unknown(kind, s), self.unknown(kind, s | 1 << i)
                return ">=", {few: 1, more: -1} if loss else {more: 1, few: -1}
            case ("best",):
                all_ = self.unknown(kind, full)
                return ">=", {all_: 1} if loss else {ONE: 1, all_: -1}
            case ("blind",) if kind != "B" or self.classes is not None:
                none = self.unknown(kind, 0)
                if kind == "G":
                    relation, form = self.fact(("ceiling",), place)
                    return relation, {none if unknown == 0 else unknown: c for unknown, c in form.items()}
                if kind == "A":
                    return ">=", {none: 1, ONE: Fraction(-1, 2)}
                return "=", _sum([(none, 1), (ONE, 1 - (self.classes or 1) if kind == "B" else 0)])
        raise wrong(place, f"['less', {kind}, S, i], ['best', {kind}] or ['blind', {kind}]", [word, kind, *rest])

    def _of_gini(self, word: str, rest: list[Any], place: str) -> Fact:
        """Return a fact about the Gini impurity, alone or together with the risk."""
        match word, *rest:
            case ("above", subset):  # 1 - sum of q**2 is at least 1 - max q
                s = self._set(subset, place)
                return ">=", {self.unknown("G", s): 1, s: -1}
            case ("below", subset, share) if self.classes != 1:
                # With f = k / (k - 1), or 1 for any k, G is at most 2R - fR**2, and R**2 is at least 2aR - a**2.
                s, a = self._set(subset, place), _part(share, place)
                f = Fraction(1) if self.classes is None else Fraction(self.classes, self.classes - 1)
                return ">=", _sum([(ONE, f * a * a), (s, 2 - 2 * f * a), (self.unknown("G", s), -1)])
            case ("gain", first, second, share):
                # (R(S) - R(T))**2 is at most R(S) (G(S) - G(T)), and (x - cr)**2 / r is at least 0
                s, t, c = *self._nested(first, second, place), _part(share, place)
                told = (self.unknown("G", s), 1), (self.unknown("G", t), -1)
                return ">=", _sum([*told, (s, c * c - 2 * c), (t, 2 * c)])
            case ("pair", first, second, low, high) if self.classes == 2:
                # The tangent of the largest G(T) with R(S), G(S) and R(T), at states whose risks are q, c and 1/2
                s, t = self._nested(first, second, place)
                q, c = _part(low, place), _part(high, place)
                require(q <= c < Fraction(1, 2), place, "with q <= c < 1/2", [low, high])
                u = ((1 - 2 * c) / (1 - 2 * q)) ** 2
                line = [(ONE, 2 * u * q * q), (s, u * (2 - 4 * q) - (2 - 4 * c)), (self.unknown("G", s), 1 - u)]
                return ">=", _sum([*line, (t, 2 - 4 * c), (self.unknown("G", t), -1)])
        return self._of_criterion(word, "G", rest, place)

    def cases(self, split: Any, place: str) -> tuple[Node, ...]:
        """Return formulas. At least one of them is true of every distribution that the certificate is about."""
        zero = ("q", Fraction(0))
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
            case ("prior", low, high, parts) if self.classes == 2:
                # The entropy of a coin is concave, so H(Y) is above a chord if R({}) is between its ends.
                d = whole(1, MOST_PARTS + 1, parts, place)
                ends = [Fraction(whole(0, d // 2 + 1, end, place), d) for end in (low, high)]
                require(low <= high, place, "about an interval", split)
                chord = _chord(*((end, self._below_coin(end)) for end in ends))
                outside = ("<", _risk(0), ("q", ends[0])), ("<", ("q", ends[1]), _risk(0))
                return *outside, ("<=", chord, self._given(0, self.n))
            case ("chance",):  # without a class of one of the two sides all areas are 1
                return ("=", _at("A", 0), ("q", Fraction(1, 2))), ("=", _at("A", 0), ("q", Fraction(1)))
            case ("G-ties", subset, feature) | ("strict", subset, feature):  # G and H are strictly concave
                s, i = self._set(subset, place), whole(0, self.n, feature, place)
                few, more = _at("G", s), _at("G", s | 1 << i)
                open_ = [self._given(mask, self.n) for mask in (s, s | 1 << i)]
                same = ("=", *open_) if split[0] == "strict" else ("=", _risk(s), _risk(s | 1 << i))
                falls = [("<", *reversed(open_))] if split[0] == "strict" else []
                return ("and", ("<", more, few), *falls), ("and", ("=", few, more), same)
            case ("G-closed" | "V-closed" as word, first, second) if "positive" in self.assumptions:
                # What the posteriors, or means, of S and of T have in common is a function of what S and T share.
                s, t = self._set(first, place), self._set(second, place)
                every, first, second, shared = (_at(word[0], mask) for mask in (s | t, s, t, s & t))
                worse = (("<", every, one) if word[0] == "G" else ("<", one, every) for one in (first, second))
                return *worse, ("=", shared, every)
        known = (
            "['optimal', S, T], ['zero', S, T], ['intersection', i, S, T], ['bridge', S, i], ['sure', S], ['chance']"
        )
        known += ", ['G-ties', S, i], ['strict', S, i], ['G-closed', S, T], ['V-closed', S, T], ['prior', a, b, d]"
        raise wrong(place, f"['or', number], ['max', number] or what is assumed allows: {known}", split)

    def unknown(self, kind: str, mask: int) -> int:
        """Return the number of the unknown of another criterion."""
        return (3 + CRITERIA.index(kind) << self.n) + mask

    def _nested(self, first: Any, second: Any, place: str) -> tuple[int, int]:
        s, t = self._set(first, place), self._set(second, place)
        require(s & t == s, place, "about a set and one that it is part of", [first, second])
        return s, t

    def _set(self, mask: Any, place: str, more: int = 0) -> int:
        return whole(0, 1 << self.n + more, mask, place)

    def _closed(self, first: Any, second: Any, least: Node, place: str) -> tuple[Node, ...]:
        """Return the fact that two subsets have the least risk only if their intersection has it."""
        s, t = self._set(first, place), self._set(second, place)
        return ("<", least, _risk(s)), ("<", least, _risk(t)), ("=", _risk(s & t), least)

    def _given(self, mask: int, variable: int) -> Node:
        """Return H(variable | S)."""
        known, told = _risk(mask)[1], _risk(mask | (1 << variable) % (1 << self.n))[1]
        return "+", ("H", told, variable == self.n), ("*", ("q", Fraction(-1)), ("H", known, False))

    def _above_log(self, number: Fraction) -> Fraction:
        """Return the least multiple of 1/1,000,000 that is not below the logarithm of a number."""
        self.spend(500)
        return ceiling(logarithms([(Fraction(1), number)]), 10**6)

    def _below_coin(self, p: Fraction) -> Fraction:
        """Return the largest multiple of 1/1,000,000 that is not above the entropy of a coin."""
        self.spend(500)
        return -ceiling(logarithms((q, q) for q in (p, 1 - p)), 10**6) if p else p

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


def _chord(first: tuple[Fraction, Fraction], second: tuple[Fraction, Fraction]) -> Node:
    """Return the height at R({}) of the line through two points, or that of the point if they are one."""
    (a, low), (b, high) = first, second
    slope = (high - low) / (b - a) if a < b else Fraction(0)
    return "+", ("*", ("q", slope), _risk(0)), ("q", low - slope * a)


def _at(kind: str, mask: int) -> Node:
    return kind, tuple(i for i in range(mask.bit_length()) if mask >> i & 1)


def _risk(mask: int) -> Node:
    return _at("R", mask)


def _share(value: Any, place: str) -> Fraction:
    share = rational(value, place)
    require(0 < share < 1 and share.denominator <= MOST_PARTS, place, f"a share in parts of 1/{MOST_PARTS}", value)
    return share


def _part(value: Any, place: str) -> Fraction:
    """Return a share that may also be 0 or 1."""
    return Fraction(value) if value in ("0", "1") else _share(value, place)


def _times(factor: Coefficient, form: Form) -> Iterable[tuple[int, Coefficient]]:
    return ((unknown, factor * coefficient) for unknown, coefficient in form.items())


def _sum(pairs: Iterable[tuple[int, Coefficient]]) -> Form:
    """Return the sum of linear forms. No coefficient in it is 0."""
    total: Form = {}
    for unknown, coefficient in pairs:
        total[unknown] = total.get(unknown, 0) + coefficient
    return {unknown: coefficient for unknown, coefficient in total.items() if coefficient}
