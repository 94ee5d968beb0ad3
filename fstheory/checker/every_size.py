"""The facts and splits that a proof for every number of states may use, about the criteria of all distributions.

All but two are proved in a few lines. Theorem 4 of Peña and Nilsson says that the optimal subsets are closed under
intersection if both of their assumptions hold. Theorem 3 of Zhang and Yeung (1998) is an inequality for four variables
that does not follow from Shannon's inequalities. If a proof uses one of these two, the summary says so.

The meaning of a kind is written as on the page on certificates: `R(S, i)` is the risk of the union, `S & T` are the
features that S and T share, and `up(x)` and `down(x)` are the next multiples of 1/1,000,000.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from fractions import Fraction
from typing import Any

from fstheory.checker.curves import MOST_COSTS, Amount, Tree
from fstheory.checker.kinds import FACTS, SPLITS, built, entry
from fstheory.checker.numbers import ceiling, enclosure, logarithms
from fstheory.checker.reading import (
    MAX_CELLS,
    MAX_FEATURES,
    MAX_STEPS,
    Space,
    list_of,
    object_with,
    require,
    whole,
    wrong,
)
from fstheory.checker.statement import CRITERIA, ONE, Coefficient, Fact, Form, Node
from fstheory.checker.weights import assumptions

PRIMES = tuple(p for p in range(2, 100) if all(p % d for d in range(2, p)))  # whose logarithms stand in a proof


class EverySizeSpace(Space):
    """All distributions of n features with any numbers of states, by their R(S), H(S), G(S), B(S), A(S) and V(S).

    R is the Bayes risk, H the entropy, for which the class is one more variable. The others are `CRITERIA`, and the
    cost-sensitive risks of two classes for a few costs.

    A set is written as a mask, in which the class is bit n.
    """

    axes = ()  # so that no formula speaks of a cell

    def __init__(self, value: Any, named: Any, max_steps: int = MAX_STEPS) -> None:
        shape = object_with(["features", "classes"], value, "shape")
        self.n = whole(1, MAX_FEATURES + 1, shape["features"], "shape.features")
        self.classes = None if shape["classes"] is None else whole(1, MAX_CELLS, shape["classes"], "shape.classes")
        self.assumptions, self.trusted = assumptions(named), dict[str, None]()
        self.costs: dict[str, int] = {}  # the number of each cost that was met
        self.coins = 3 + len(CRITERIA) + MOST_COSTS << self.n  # -R log R of all subsets, then -(1 - R) log(1 - R)
        self._logs, self._each = self.coins + (2 << self.n), 1 + self.coins  # log p, then log(p) times those before
        self.squares = self._logs + len(PRIMES) * self._each  # of all risks
        self.size = self.squares + (1 << self.n)
        self.left, self.max_steps = max_steps, max_steps

    def __str__(self) -> str:
        features = f"{self.n} feature{'s' * (self.n != 1)} of any numbers of states"
        return f"{features} and {'any number of' if self.classes is None else self.classes} classes"

    def leaf(self, term: Node) -> Form:
        """Return a risk, an entropy or another criterion as a linear form of the unknowns."""
        kind, features, *more = term
        require(kind != "P", "a term of a proof for every size", "about criteria and entropies", term)
        mask = sum(1 << i for i in features)
        if kind in CRITERIA:
            return {self.unknown(kind, mask): 1}
        if kind == "C":
            return {self.cost(more[0], mask): 1}
        return {mask: 1} if kind == "R" else self._entropies((1, mask | any(more) << self.n))

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

    def log(self, p: int, unknown: int = ONE) -> int:
        """Return the number of the unknown log p, or of log(p) times an unknown, such as R(S)."""
        return self._logs + PRIMES.index(p) * self._each + 1 + unknown

    def named(self, unknown: int) -> tuple[str, int]:
        """Return an unknown that is no entropy as a text with {} for a subset, and the mask of the subset."""
        kind, mask = unknown >> self.n, unknown % (1 << self.n)
        if unknown < self.coins:
            return ("R", *CRITERIA, *(f"C[{c}]" for c in self.costs))[max(kind - 2, 0)] + "{}", mask
        if unknown < self._logs:
            p = "R{}" if unknown - self.coins < 1 << self.n else "(1 - R{})"
            return f"{p} log(1/{p})", mask
        if unknown >= self.squares:
            return "R{}^2", unknown - self.squares
        prime, place = divmod(unknown - self._logs, self._each)
        other, mask = self.named(place - 1) if place else ("", 0)
        return f"log({PRIMES[prime]}) {other}".strip(), mask

    def product(self, first: Form, second: Form) -> Form | None:
        """Return a sum of logarithms times a form without entropies, or a product of forms of one risk, or None."""
        risk = max(first.keys() | second.keys(), default=ONE)
        if 0 <= risk < 1 << self.n and first.keys() | second.keys() <= {ONE, risk}:
            (a, b), (c, d) = ((form.get(ONE, 0), form.get(risk, 0)) for form in (first, second))
            return summed([(ONE, a * c), (risk, a * d + b * c), (self.squares + risk, b * d)])
        for logs, risks in ((first, second), (second, first)):
            alone = all(u == ONE or (u >= self._logs and (u - self._logs) % self._each == 0) for u in logs)
            fits = all(ONE <= u < 1 << self.n or 3 << self.n <= u < self.coins for u in risks)
            if alone and fits and max(logs, default=ONE) < self.squares:
                pairs = ((p, a, r, b) for p, a in logs.items() for r, b in risks.items())
                return summed((r if p == ONE else p if r == ONE else p + 1 + r, a * b) for p, a, r, b in pairs)
        return None

    def factors(self, unknown: int) -> tuple[int, ...]:
        """Return the unknowns whose product is an unknown: a squared risk, or a logarithm times another unknown."""
        place = (unknown - self._logs) % self._each
        if self.squares <= unknown < self.size:
            return unknown - self.squares, unknown - self.squares
        return (place - 1, unknown - place) if self._logs <= unknown < self.squares and place else (unknown,)

    def joined(self, factors: tuple[int, ...]) -> int | None:
        """Return the unknown that is a product of ascending unknowns. Return None for another product."""
        first, last = factors[0], factors[-1]
        others = range(1 << self.n), range(3 << self.n, self.coins)  # whose products with logarithms have numbers
        known = [self.squares + first] if first == last and first in others[0] else []
        if any(first in some for some in others) and self._logs <= last < self.squares:
            known += [last + 1 + first]
        return known[0] if known and len(factors) == 2 else None

    def coin(self, form: Form) -> Form | None:
        """Return p log p if a form p is a risk, or 1 minus a risk. Return None for another form."""
        risks = [u for u in form if u != ONE]
        if len(risks) != 1 or not 0 <= risks[0] < 1 << self.n or form not in ({risks[0]: 1}, {ONE: 1, risks[0]: -1}):
            return None
        return {self.coins + risks[0] + (ONE in form) * (1 << self.n): -1}

    def bound(self, value: Any, place: str) -> Form:
        """Return the difference of log p and a decimal number below or above it, which is positive."""
        p, digits, above = list_of(3, value, place)
        require(type(p) is int and p in PRIMES, place, f"about a prime up to {PRIMES[-1]}", p)
        require(type(above) is bool, place, "true or false", above)
        unit = 10 ** whole(1, 31, digits, place)
        self.spend(500)
        low, high = enclosure(logarithms([(Fraction(1), Fraction(p))]), 128)
        end = Fraction(math.ceil(high * unit) if above else -math.floor(low * unit), unit)
        return {self.log(p): -1 if above else 1, ONE: end}

    def times(self, bound: Any, fact: Fact, place: str) -> Fact:
        """Return a fact without entropies, multiplied by a positive difference of log p and a number."""
        product = self.product(self.bound(bound, place), fact[1])
        if product is None:
            raise wrong(place, "without entropies", fact)
        return fact[0], product

    def unknown(self, kind: str, mask: int) -> int:
        """Return the number of the unknown of another criterion than the risk."""
        return (3 + CRITERIA.index(kind) << self.n) + mask

    def cost(self, cost: str, mask: int) -> int:
        """Return the number of the unknown of a cost-sensitive risk."""
        require(self.classes == 2, "a cost-sensitive risk in a proof", "of two classes", cost)
        few = cost in self.costs or len(self.costs) < MOST_COSTS
        require(few, "the costs in a proof", f"at most {MOST_COSTS}", cost)
        return (3 + len(CRITERIA) + self.costs.setdefault(cost, len(self.costs)) << self.n) + mask

    def class_entropy(self, mask: int) -> Form:
        """Return H(Y | S)."""
        return self._entropies((1, mask | 1 << self.n), (-1, mask))

    def information(self, a: int, b: int, c: int) -> Form:
        """Return I(a; b | c)."""
        return self._entropies((1, a | c), (1, b | c), (-1, a | b | c), (-1, c))

    def _entropies(self, *signed: tuple[int, int]) -> Form:
        """Return a sum of entropies.

        The entropy of no variable is 0, and so is that of a class that is the only one.
        """
        told = (1 << self.n + (self.classes != 1)) - 1
        return summed(((1 << self.n) + (mask & told), factor) for factor, mask in signed if mask & told)

    def above_log(self, number: Fraction) -> Fraction:
        """Return the least multiple of 1/1,000,000 that is not below the logarithm of a number."""
        self.spend(500)
        return ceiling(logarithms([(Fraction(1), number)]), 10**6)

    def below_coin(self, p: Fraction) -> Fraction:
        """Return the largest multiple of 1/1,000,000 that is not above the entropy of a coin."""
        self.spend(500)
        return -ceiling(logarithms((q, q) for q in (p, 1 - p)), 10**6) if p else p

    def entropy_term(self, mask: int, variable: int) -> Node:
        """Return the term H(variable | S)."""
        known, told = risk_of(mask)[1], risk_of(mask | (1 << variable) % (1 << self.n))[1]
        return "+", ("H", told, variable == self.n), ("*", ("q", Fraction(-1)), ("H", known, False))

    def fact(self, reference: Any, place: str) -> Fact:
        """Return a fact that is true of every distribution that the certificate is about."""
        found: Fact = built(FACTS, [self], reference, place)
        return found

    def cases(self, split: Any, place: str) -> tuple[Node, ...]:
        """Return formulas. At least one of them is true of every distribution that the certificate is about."""
        found: tuple[Node, ...] = built(SPLITS, [self], split, place)
        return found


def criterion_of(kind: str, mask: int) -> Node:
    """Return a criterion of a subset as a term."""
    return kind, tuple(i for i in range(mask.bit_length()) if mask >> i & 1)


def risk_of(mask: int) -> Node:
    """Return the risk of a subset as a term."""
    return criterion_of("R", mask)


def _multiple(factor: Coefficient, form: Form) -> Iterable[tuple[int, Coefficient]]:
    """Yield the terms of a multiple of a linear form."""
    return ((unknown, factor * coefficient) for unknown, coefficient in form.items())


def summed(pairs: Iterable[tuple[int, Coefficient]]) -> Form:
    """Return the sum of terms as a linear form. No coefficient in it is 0."""
    found: Form = {}
    for unknown, coefficient in pairs:
        found[unknown] = found.get(unknown, 0) + coefficient
    return {unknown: coefficient for unknown, coefficient in found.items() if coefficient}


fact, split = entry(FACTS, EverySizeSpace), entry(SPLITS, EverySizeSpace)

_LOSSES = ("G", "B")  # the criteria that fall with the subset; the others grow
ZERO: Node = ("q", Fraction(0))


# Facts about risks


@fact("F1", '["less", subset S, feature i]', "R(S) >= R(S, i)", "i not in S")
def _less(_: EverySizeSpace, s: int, i: int) -> Fact:
    return ">=", {s: 1, s | 1 << i: -1}


@fact("F2", '["floor"]', "R(X) >= 0")
def _floor(space: EverySizeSpace) -> Fact:
    return ">=", {(1 << space.n) - 1: 1}


@fact("F3", '["ceiling"]', "R({}) < 1 if k is null else R({}) <= 1 - 1/k", reason="as a guess may be right")
def _ceiling(space: EverySizeSpace, none: int = 0) -> Fact:
    if space.classes is None:
        return ">", {ONE: 1, none: -1}
    return ">=", summed([(ONE, 1 - Fraction(1, space.classes)), (none, -1)])


@fact("F4", '["maxima"]', "R(X) < 1 - 1/k", "'unique_maximum' assumed", "k from 2 on", reason="as maxima are single")
def _maxima(space: EverySizeSpace) -> Fact:
    return ">", {ONE: 1 - Fraction(1, space.classes or 1), (1 << space.n) - 1: -1}


# Facts about entropies


@fact("F5", '["I", set A, set B, set C]', "I(A; B | C) >= 0")
def _information(space: EverySizeSpace, a: int, b: int, c: int) -> Fact:
    return ">=", space.information(a, b, c)


@fact(
    "F6",
    '["ZY", set A, set B, set C, set D]',
    "I(A; B) + I(A; C, D) + 3*I(C; D | A) + I(C; D | B) >= 2*I(C; D)",
    reason="by Zhang and Yeung",
    cited="trusting Theorem 3 of Zhang and Yeung",
    trusts="Theorem 3 of Zhang and Yeung",
)
def _zhang_yeung(space: EverySizeSpace, a: int, b: int, c: int, d: int) -> Fact:
    terms = (1, a, b, 0), (1, a, c | d, 0), (3, c, d, a), (1, c, d, b), (-2, c, d, 0)
    return ">=", summed(pair for factor, *sets in terms for pair in _multiple(factor, space.information(*sets)))


# Lines that bound an entropy. Their coefficients are rounded to the safe side.


@fact(
    "F7",
    '["TD", subset S, count j]',
    "H(Y | S) >= down(log(j)) - (j*j - 1) * up(log((j + 1)/j)) + j*(j + 1) * down(log((j + 1)/j)) * R(S)",
    reason="by Tebbe and Dwyer",
    cited="by the bounds of Tebbe and Dwyer",
)
def _tebbe_dwyer(space: EverySizeSpace, s: int, j: int) -> Fact:
    """Return a line that H(Y | S) is not below: it joins its values for j and for j + 1 equally likely classes."""
    low, step = -space.above_log(Fraction(1, j)), Fraction(j + 1, j)  # log j from below
    line = [(ONE, low - (j * j - 1) * space.above_log(step)), (s, -j * (j + 1) * space.above_log(1 / step))]
    return ">=", summed([*space.class_entropy(s).items(), *_multiple(-1, dict(line))])


@fact(
    "F8",
    '["fano", subset S, share r]',
    "H(Y | S) <= up(log(1/(1 - r))) * (1 - R(S)) + up(log((k - 1)/r)) * R(S)",
    "k from 2 on",
    reason="by Fano",
    cited="by Fano's inequality",
)
def _fano(space: EverySizeSpace, s: int, r: Fraction) -> Fact:
    """Return the logarithmic loss of a prediction, which is at least H(Y | S).

    It gives the best guess the probability 1 - r, and shares r among the other classes.
    """
    right, mistaken = space.above_log(1 / (1 - r)), space.above_log(((space.classes or 1) - 1) / r)
    return ">=", summed([(ONE, right), (s, mistaken - right), *_multiple(-1, space.class_entropy(s))])


@fact(
    "F9",
    '["pinsker", subset S, subset T, share a]',
    "4*a*(R(S) - R(T)) <= I(Y; T | S) + 2*a*a",
    "S in T",
    reason="by Pinsker",
    cited="by Pinsker's inequality",
)
def _pinsker(space: EverySizeSpace, s: int, t: int, a: Fraction) -> Fact:
    """Return a tangent: R(S) - R(T) is at most the root of I(Y; T | S) / 2."""
    return ">=", summed([(ONE, 2 * a * a), (s, -4 * a), (t, 4 * a), *space.information(1 << space.n, t, s).items()])


@fact(
    "F10",
    '["coin", subset S, flag f, share a]',
    "L(p) <= (up(log(1/a)) - 1) * p + a, p = 1 - R(S) if f else R(S)",
    reason="by",
)
def _coin(space: EverySizeSpace, s: int, right: bool, a: Fraction) -> Fact:
    rate = space.above_log(1 / a) - 1
    line = [(s, -rate), (ONE, rate)] if right else [(s, rate)]
    return ">=", summed([*line, (ONE, a), (space.coins + right * (1 << space.n) + s, -1)])


@fact(
    "F11",
    '["told", subset S, subset T, strength e, count j]',
    "I(Y; T | S) + up(log(e)) * R(T) + (j*j - 1) * up(log(q)) + up(log((e + j - 1)/(j*e)))"
    " + j*(j + 1) * up(log(1/q)) * R(S) >= 0, q = (j + 1)*(e + j - 1)/(j*(e + j))",
    "S in T",
    reason="by",
    cited="by the lines of what is told and gained",
)
def _told(space: EverySizeSpace, s: int, t: int, e: Fraction, j: int) -> Fact:
    """Return a line that I(Y; T | S) + log(e) R(T) is not below.

    It joins the points (1 - 1/i, log(i e / (e + i - 1))) with i = j and i = j + 1.
    """
    ratio, start = (j + 1) * (e + j - 1) / (j * (e + j)), (e + j - 1) / (j * e)
    end = (j * j - 1) * space.above_log(ratio) + space.above_log(start)
    line = [(ONE, end), (s, j * (j + 1) * space.above_log(1 / ratio)), (t, space.above_log(e))]
    return ">=", summed([*line, *space.information(1 << space.n, t, s).items()])


@fact(
    "F12",
    '["left", subset S, subset T, share q, share c, part u]',
    "H(Y | T) <= u * up(log(1/(1 - q))) + up(u*log((1 - q)/q) - log((1 - c)/c)) * R(S)"
    " + up(log((1 - c)/c)) * R(T) + (1 - u) * H(Y | S)",
    "k = 2",
    "S in T",
    "q <= c < 1/2",
    "u log(4q(1 - q)) <= log(4c(1 - c)), so that the line is true",
    reason="by",
    cited="by the lines of what is left of two classes",
)
def _left(space: EverySizeSpace, s: int, t: int, q: Fraction, c: Fraction, u: Fraction) -> Fact:
    """Return a tangent of the largest H(Y | T) for R(S), H(Y | S) and R(T), at states of the risks q, c and 1/2."""
    fall = ceiling(logarithms([(u, (1 - q) / q), (Fraction(-1), (1 - c) / c)]), 10**6)
    line = [(ONE, u * space.above_log(1 / (1 - q))), (s, fall), (t, space.above_log((1 - c) / c))]
    return ">=", summed([*line, *_multiple(1 - u, space.class_entropy(s)), *_multiple(-1, space.class_entropy(t))])


# Facts in which logarithms stand as they are


@fact("F13", '["times", bound b, fact f]', "b*f >= 0, or b*f > 0 or b*f = 0 as f is", "a fact f without entropies")
def _times(space: EverySizeSpace, bound: Form, other: Fact) -> Fact:
    return other[0], space.product(bound, other[1]) or {}


@fact("F14", '["log k"]', "H(Y | {}) <= log(k)", "k a number", reason="as the class has so many values")
def _log_k(space: EverySizeSpace) -> Fact:
    return ">=", summed(
        [*space.logarithm(Fraction(space.classes or 1)).items(), *_multiple(-1, space.class_entropy(0))]
    )


@fact(
    "F15",
    '["TD log", subset S, count j]',
    "H(Y | S) >= log(j) + j*(j + 1) * log((j + 1)/j) * (R(S) - (j - 1)/j)",
    "j below 97",
    reason="by Tebbe and Dwyer",
)
def _tebbe_dwyer_log(space: EverySizeSpace, s: int, j: int) -> Fact:
    rise = dict(_multiple(j * (j + 1), space.logarithm(Fraction(j + 1, j))))
    curve = space.product(rise, {s: 1, ONE: Fraction(1 - j, j)}) or {}
    return ">=", summed(
        [*space.class_entropy(s).items(), *_multiple(-1, curve), *_multiple(-1, space.logarithm(Fraction(j)))]
    )


@fact(
    "F16",
    '["fano log", subset S]',
    "H(Y | S) <= L(R(S)) + L(1 - R(S)) + log(k - 1) * R(S)",
    "k from 2 on",
    reason="by Fano",
)
def _fano_log(space: EverySizeSpace, s: int) -> Fact:
    others = space.product(space.logarithm(Fraction((space.classes or 1) - 1)), {s: 1}) or {}
    coin = [(space.coins + s, 1), (space.coins + (1 << space.n) + s, 1)]
    return ">=", summed([*coin, *others.items(), *_multiple(-1, space.class_entropy(s))])


# Facts about one other criterion Q


@fact(
    "F17",
    '["less", criterion Q, subset S, feature i]',
    "Q(S) >= Q(S, i) if Q in (G, B) else Q(S, i) >= Q(S)",
    "i not in S",
)
def _less_of(space: EverySizeSpace, kind: str, s: int, i: int) -> Fact:
    few, more = space.unknown(kind, s), space.unknown(kind, s | 1 << i)
    return ">=", {few: 1, more: -1} if kind in _LOSSES else {more: 1, few: -1}


@fact("F18", '["best", criterion Q]', "Q(X) >= 0 if Q in (G, B) else Q(X) <= 1", reason="as nothing is better")
def _best(space: EverySizeSpace, kind: str) -> Fact:
    full = space.unknown(kind, (1 << space.n) - 1)
    return ">=", {full: 1} if kind in _LOSSES else {ONE: 1, full: -1}


@fact(
    "F19",
    '["blind", "G"]',
    "G({}) < 1 if k is null else G({}) <= 1 - 1/k",
    reason="as nothing is known without features",
)
def _blind_g(space: EverySizeSpace) -> Fact:
    return _ceiling(space, space.unknown("G", 0))


@fact("F20", '["blind", "B"]', "B({}) = k - 1", "k a number", reason="as nothing is known without features")
def _blind_b(space: EverySizeSpace) -> Fact:
    return "=", summed([(space.unknown("B", 0), 1), (ONE, 1 - (space.classes or 1))])


@fact("F21", '["blind", "A"]', "A({}) >= 1/2", reason="as nothing is known without features")
def _blind_a(space: EverySizeSpace) -> Fact:
    return ">=", {space.unknown("A", 0): 1, ONE: Fraction(-1, 2)}


@fact("F22", '["blind", "V"]', "V({}) = 0", reason="as nothing is known without features")
def _blind_v(space: EverySizeSpace) -> Fact:
    return "=", {space.unknown("V", 0): 1}


# Facts about the Gini impurity together with the risk


@fact("F23", '["above", "G", subset S]', "G(S) >= R(S)", reason="as a sum of squares is at most the largest part")
def _above(space: EverySizeSpace, s: int) -> Fact:
    return ">=", {space.unknown("G", s): 1, s: -1}


@fact(
    "F24",
    '["below", "G", subset S, part a]',
    "G(S) <= (2 - 2*f*a) * R(S) + f*a*a, f = 1 if k is null else k/(k - 1)",
    "k other than 1",
    reason="as the other classes are at most alike",
)
def _below(space: EverySizeSpace, s: int, a: Fraction) -> Fact:
    """Return a tangent: G is at most 2R - f R**2, and R**2 is at least 2aR - a**2."""
    f = Fraction(1) if space.classes is None else Fraction(space.classes, space.classes - 1)
    return ">=", summed([(ONE, f * a * a), (s, 2 - 2 * f * a), (space.unknown("G", s), -1)])


@fact(
    "F25",
    '["gain", "G", subset S, subset T, part c]',
    "G(S) - G(T) >= 2*c*(R(S) - R(T)) - c*c*R(S)",
    "S in T",
    reason="by Cauchy and Schwarz",
)
def _gain(space: EverySizeSpace, s: int, t: int, c: Fraction) -> Fact:
    """Return a tangent: (R(S) - R(T))**2 is at most R(S) (G(S) - G(T)), and (x - cr)**2 / r is at least 0."""
    told = (space.unknown("G", s), 1), (space.unknown("G", t), -1)
    return ">=", summed([*told, (s, c * c - 2 * c), (t, 2 * c)])


@fact(
    "F26",
    '["pair", "G", subset S, subset T, part q, part c]',
    "G(T) <= 2*u*q*q + (u*(2 - 4*q) - (2 - 4*c)) * R(S) + (1 - u) * G(S) + (2 - 4*c) * R(T)"
    ", u = ((1 - 2*c)/(1 - 2*q))**2",
    "k = 2",
    "S in T",
    "q <= c < 1/2",
    reason="by",
)
def _pair(space: EverySizeSpace, s: int, t: int, q: Fraction, c: Fraction) -> Fact:
    """Return a tangent of the largest G(T) for R(S), G(S) and R(T), at states of the risks q, c and 1/2."""
    u = ((1 - 2 * c) / (1 - 2 * q)) ** 2
    line = [(ONE, 2 * u * q * q), (s, u * (2 - 4 * q) - (2 - 4 * c)), (space.unknown("G", s), 1 - u)]
    return ">=", summed([*line, (t, 2 - 4 * c), (space.unknown("G", t), -1)])


# Facts about several criteria of a tree of subsets


@fact(
    "F32",
    '["tree", tree t, line l, cover c]',
    "the sum of the criteria in t, each times its amount, is at least c + s*R({}) for the line l = [c, s]",
    "k = 2",
    "a cover c that shows it",
    reason="by tangents",
    cited="by tangents of the criteria of two classes",
)
def _tree(space: EverySizeSpace, tree: Tree, line: tuple[Amount, Amount], _: Any) -> Fact:
    pairs = [*_amount(space, line[0], ONE, -1), *_amount(space, line[1], 0, -1)]
    for node in tree.nodes():
        r, g, h = node.amounts
        pairs += [*_amount(space, r, node.subset), *_amount(space, g, space.unknown("G", node.subset))]
        pairs += [pair for t, a in node.costs for pair in _amount(space, a, space.cost(str(t), node.subset))]
        pairs += [pair for c, _ in h for pair in _multiple(c, space.class_entropy(node.subset))]
    return ">=", summed(pairs)


def _amount(space: EverySizeSpace, amount: Amount, unknown: int, sign: int = 1) -> list[tuple[int, Coefficient]]:
    """Return the terms of an unknown times an amount and a sign."""
    return [(space.log(q, unknown) if q > 1 else unknown, sign * c) for c, q in amount]


@fact(
    "F44",
    '["fall", "G", subset S, subset T]',
    "I(Y; T | S) >= G(S) - G(T)",
    "S in T",
    reason="as the entropy minus the impurity is concave",
    cited="by the concave difference of entropy and impurity",
)
def _fall(space: EverySizeSpace, s: int, t: int) -> Fact:
    fall = (space.unknown("G", s), -1), (space.unknown("G", t), 1)
    return ">=", summed([*fall, *space.information(1 << space.n, t, s).items()])


@fact(
    "F45",
    '["together", subset S, amount r, amount g, number h, amount c, ends e]',
    "r*R(S) + g*G(S) + h*H(Y | S) >= c",
    "ends e that show it",
    reason="as it is so where all classes but one that occur are equally likely",
    cited="by classes that are equally likely but for one",
)
def _together(space: EverySizeSpace, s: int, r: Amount, g: Amount, h: Fraction, c: Amount, _: Any) -> Fact:
    told = [*_amount(space, r, s), *_amount(space, g, space.unknown("G", s)), *_amount(space, c, ONE, -1)]
    return ">=", summed([*told, *_multiple(h, space.class_entropy(s))])


# Splits


@split(
    "D1",
    '["zero", subset S, subset T]',
    "0 < R(S) or 0 < R(T) or R(S & T) = 0",
    "'positive' assumed",
    reason="as all states are possible",
)
def _zero(_: EverySizeSpace, s: int, t: int, least: Node = ZERO) -> Node:
    return ("<", least, risk_of(s)), ("<", least, risk_of(t)), ("=", risk_of(s & t), least)


@split(
    "D2",
    '["optimal", subset S, subset T]',
    "R(X) < R(S) or R(X) < R(T) or R(S & T) = R(X)",
    "'positive' assumed",
    "'unique_maximum' assumed",
    reason="by Theorem 4 of Peña and Nilsson",
    cited="trusting Theorem 4 of Peña and Nilsson",
    trusts="Theorem 4 of Peña and Nilsson, that the optimal subsets are closed under intersection",
)
def _optimal(space: EverySizeSpace, s: int, t: int) -> Node:
    return _zero(space, s, t, risk_of((1 << space.n) - 1))


@split(
    "D3",
    '["intersection", variable v, subset S, subset T]',
    "H(v | S, T) < H(v | S) or H(v | S, T) < H(v | T) or H(v | S & T) = H(v | S, T)",
    "'positive' assumed",
    "v in neither set",
    reason="as all states are possible",
    cited="by the intersection property",
)
def _intersection(space: EverySizeSpace, v: int, s: int, t: int) -> Node:
    both, shared, *each = (space.entropy_term(given, v) for given in (s | t, s & t, s, t))
    return *(("<", both, one) for one in each), ("=", shared, both)


@split(
    "D4",
    '["bridge", subset S, feature i]',
    "H(Y | S, i) < H(Y | S) or R(S) = R(S, i)",
    reason="as features without information about the class do not lower the risk",
)
def _bridge(space: EverySizeSpace, s: int, i: int) -> Node:
    gains = ("<", space.entropy_term(s | 1 << i, space.n), space.entropy_term(s, space.n))
    return gains, ("=", risk_of(s), risk_of(s | 1 << i))


@split(
    "D5",
    '["sure", subset S]',
    "0 < R(S) and 0 < H(Y | S) or R(S) = 0 and H(Y | S) = 0",
    reason="as the risk is 0 where the class is certain",
)
def _sure(space: EverySizeSpace, s: int) -> Node:
    known, left = risk_of(s), space.entropy_term(s, space.n)
    return ("and", ("<", ZERO, known), ("<", ZERO, left)), ("and", ("=", known, ZERO), ("=", left, ZERO))


@split(
    "D6",
    '["prior", end a, end b, parts d]',
    "R({}) < a/d or b/d < R({}) or m + s*(R({}) - a/d) <= H(Y | {})"
    ", m = down(L(a/d) + L(1 - a/d)), s = (down(L(b/d) + L(1 - b/d)) - m)*d/(b - a) if a < b else 0",
    "k = 2",
    "a <= b <= d/2",
    reason="as the entropy of two classes is concave",
)
def _prior(space: EverySizeSpace, a: int, b: int, d: int) -> Node:
    """Return that H(Y) is above a chord of the entropy of a coin if R({}) is between its ends, as it is concave."""
    ends = Fraction(a, d), Fraction(b, d)
    low, high = map(space.below_coin, ends)
    slope = (high - low) / (ends[1] - ends[0]) if a < b else Fraction(0)
    chord = "+", ("*", ("q", slope), risk_of(0)), ("q", low - slope * ends[0])
    outside = ("<", risk_of(0), ("q", ends[0])), ("<", ("q", ends[1]), risk_of(0))
    return *outside, ("<=", chord, space.entropy_term(0, space.n))


@split(
    "D7",
    '["chance"]',
    "A({}) = 1/2 or A({}) = 1",
    reason="as an area without features is 1/2, or 1 if there is only one class",
)
def chance(_: EverySizeSpace) -> Node:
    """Return that the area without features is 1/2, or 1."""
    return ("=", criterion_of("A", 0), ("q", Fraction(1, 2))), ("=", criterion_of("A", 0), ("q", Fraction(1)))


@split(
    "D8",
    '["G-ties", subset S, feature i]',
    "G(S, i) < G(S) or G(S) = G(S, i) and R(S) = R(S, i)",
    reason="as features that do not lower the impurity do not lower the risk",
)
def _g_ties(_: EverySizeSpace, s: int, i: int) -> Node:
    few, more = criterion_of("G", s), criterion_of("G", s | 1 << i)
    return ("and", ("<", more, few)), ("and", ("=", few, more), ("=", risk_of(s), risk_of(s | 1 << i)))


@split(
    "D9",
    '["strict", subset S, feature i]',
    "G(S, i) < G(S) and H(Y | S, i) < H(Y | S) or G(S) = G(S, i) and H(Y | S) = H(Y | S, i)",
    reason="as the impurity and the information are strictly concave",
)
def _strict(space: EverySizeSpace, s: int, i: int) -> Node:
    few, more = criterion_of("G", s), criterion_of("G", s | 1 << i)
    before, after = (space.entropy_term(mask, space.n) for mask in (s, s | 1 << i))
    return ("and", ("<", more, few), ("<", after, before)), ("and", ("=", few, more), ("=", before, after))


@split(
    "D10",
    '["G-closed", subset S, subset T]',
    "G(S, T) < G(S) or G(S, T) < G(T) or G(S & T) = G(S, T)",
    "'positive' assumed",
    reason="as all states are possible",
)
def _g_closed(_: EverySizeSpace, s: int, t: int) -> Node:
    """If G(S) = G(S, T) = G(T), the posteriors given S and given T are equal, so they depend on S & T alone."""
    every, first, second, shared = (criterion_of("G", mask) for mask in (s | t, s, t, s & t))
    return ("<", every, first), ("<", every, second), ("=", shared, every)


@split(
    "D11",
    '["V-closed", subset S, subset T]',
    "V(S) < V(S, T) or V(T) < V(S, T) or V(S & T) = V(S, T)",
    "'positive' assumed",
    reason="as all states are possible",
)
def _v_closed(_: EverySizeSpace, s: int, t: int) -> Node:
    """If V(S) = V(S, T) = V(T), the means of the class given S and given T are equal: they depend on S & T alone."""
    every, first, second, shared = (criterion_of("V", mask) for mask in (s | t, s, t, s & t))
    return ("<", first, every), ("<", second, every), ("=", shared, every)


@split(
    "D20",
    '["G-independent", subset S, subset T]',
    "0 < I(S; T | S & T) or G(S, T) + G(S & T) <= G(S) + G(T)",
    reason="as the gains of independent features are orthogonal",
)
def _g_independent(_: EverySizeSpace, s: int, t: int, kind: str = "G") -> Node:
    """Given S & T, the means of a class given S and given T are uncorrelated, so their variances add up."""
    every, shared, *each = (criterion_of(kind, mask) for mask in (s | t, s & t, s, t))
    sides: list[Node] = [("+", every, shared), ("+", *each)]
    entropies: list[Node] = [(*criterion_of("H", mask), False) for mask in (s | t, s & t, s, t)]
    dependent = "<", ("+", *entropies[:2]), ("+", *entropies[2:])
    return dependent, ("<=", *(sides if kind == "G" else reversed(sides)))


@split(
    "D21",
    '["V-independent", subset S, subset T]',
    "0 < I(S; T | S & T) or V(S) + V(T) <= V(S, T) + V(S & T)",
    reason="as the gains of independent features are orthogonal",
)
def _v_independent(space: EverySizeSpace, s: int, t: int) -> Node:
    return _g_independent(space, s, t, "V")
