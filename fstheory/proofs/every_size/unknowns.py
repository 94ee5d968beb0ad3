"""The unknowns of a proof for every number of states: risks, entropies, other criteria, with the facts about them."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from functools import cached_property
from typing import Any, TypeAlias

import numpy as np

from fstheory._support.progress import spend
from fstheory.checker.cases import undivided
from fstheory.checker.curves import MOST_COSTS
from fstheory.checker.every_size import PRIMES, EverySizeSpace
from fstheory.checker.forms import combined
from fstheory.checker.kinds import FACTS, MOST_PARTS, built
from fstheory.checker.statement import COMPARISONS, CRITERIA, LEAVES, ONE, RELATIONS, Form, of_itself, walk
from fstheory.distributions.joint import JointDistribution
from fstheory.errors import TooLargeError, require
from fstheory.logic.expressions import Node
from fstheory.logic.statement import Statement
from fstheory.proofs.every_size import alike
from fstheory.proofs.every_size.envelopes import above, counterexamples, of_costs
from fstheory.proofs.linear import Constraint, Disjunction, Point, Unknowns, value_at

Values: TypeAlias = "dict[tuple[str, int], Fraction]"
"""The values of risks ("R", S), entropies ("H", S) and other criteria. S is a mask, in which the class is bit n."""

FEW_CLASSES = (2, 3, 4)
"""The numbers of classes that are tried first, if a claim is about any number of them."""


class EverySizeUnknowns(Unknowns):
    """The unknowns of a statement for every size: the values of its criteria, and its entropies, for all subsets."""

    multiplying = True  # whether constraints are multiplied by each other

    def __init__(self, statement: Statement, *, beyond: bool = False) -> None:
        self.n, classes = len(statement.shape.features), statement.shape.classes
        self.known = EverySizeSpace({"features": self.n, "classes": classes}, statement.by_name)
        super().__init__(statement.shape, self.known)
        self.beyond = beyond  # whether facts beyond Shannon's inequalities are used
        self.tangents: list[tuple[Any, ...]] = []  # the tangents of curves that were needed so far
        self._facts: dict[tuple[Any, ...], Constraint] = {}
        self._degrees: dict[Constraint, int] = {}  # of the constraints that products are made of, and of these
        self._multiplied: dict[tuple[Constraint, Constraint], Constraint] = {}
        self._shown, formulas = statement.shown, (*statement.assumed, *statement.shown)
        self._nodes = nodes = list(dict.fromkeys(node for formula in formulas for node in walk(formula)))
        kinds = {node[0] for node in nodes}
        logarithms = [node[1] for node in nodes if node[0] == "log"]
        self.primes = [p for p in PRIMES if any(_has_factor(argument, p) for argument in logarithms)]
        self.others = [kind for kind in CRITERIA if kind in kinds]
        self.costs = {f"C {node[2]}": str(node[2]) for node in nodes if node[0] == "C"}
        few = len(self.costs) <= MOST_COSTS
        require(few, "the costs of a claim", f"at most {MOST_COSTS}", len(self.costs), "leave some out", TooLargeError)
        of_risks = kinds & {"R", "log", "C"} or not kinds & {"H", *CRITERIA} or {"G", "H"} <= kinds
        sets = range(1 << self.n)
        found = [("R", 0, sets)] * bool(of_risks)  # the kinds, with their first numbers in the checker
        found += [("H", 1 << self.n, range(1, 2 << self.n))] * ("H" in kinds)
        criteria = [(kind, self.known.unknown(kind, 0), sets) for kind in self.others]
        criteria += [(kind, self.known.cost(t, 0), sets) for kind, t in self.costs.items()]
        found += [*criteria, *((f"log {p}", self.known.log(p, 0), range(-1, 1 << self.n)) for p in self.primes)]
        pairs = itertools.product(self.primes, criteria)
        found += [(f"log {p} {kind}", self.known.log(p, first), sets) for p, (kind, first, _) in pairs]
        found += [("R^2", self.known.squares, sets)] * any(_is_square(node, "R") for node in nodes)
        # -p log p of the risks, and of the chances of no error
        found += [("coins", self.known.coins, range(2 << self.n))] * any(map(of_itself, nodes))
        self.priors = _priors_in(nodes) if classes == 2 else []
        self.atoms = {first + mask: (kind, mask) for kind, first, masks in found for mask in masks}
        self.numbers, self.kinds = list(self.atoms), {kind for kind, *_ in found}

    def has(self, kind: str) -> bool:
        """Return whether there are risks, entropies, or values of another criterion among the unknowns."""
        return kind in self.kinds

    def fact(self, *reference: Any) -> Constraint:
        """Return a fact about all distributions, by its reference. The checker knows the same facts."""
        if reference not in self._facts:
            spend()
            relation: Any
            relation, form = built(FACTS, [self.known, self.terms], reference, "a fact")
            self._facts[reference] = Constraint(form, relation, reference)
        return self._facts[reference]

    def facts(self) -> Iterator[Constraint]:
        """Yield the facts that hold for all distributions: monotonicity, bounds, Shannon's inequalities."""
        references = self._of_risks() if self.has("R") else []
        references += self._of_entropies() if self.has("H") else []
        references += [("TD", s, 1) for s in range(1 << self.n) if self.has("R") and self.has("H")]
        references += self._with_logarithms(6)
        references += self._of_others()
        references += of_costs(self.n, self.costs.values()) if self.costs else []
        if self.has("R") and self.has("G"):
            ends = ["0", *([str(1 - Fraction(1, k))] if (k := self.known.classes) else [])]
            references += [("above", "G", s) for s in range(1 << self.n)]
            references += [("below", "G", s, a) for s, a in itertools.product(range(1 << self.n), ends) if k != 1]
        squares = {kind for kind in "RBH" if any(_is_square(node, kind) for node in self._nodes)}
        risk, two, area = "R" in squares, self.known.classes == 2, self.has("A") and self.known.classes == 2
        kinds: list[tuple[str, ...]] = [("chord",)] * risk
        kinds += [("spread",)] * (risk and self.has("G") and self.known.classes != 1)
        kinds += [("cut", "square")] * (risk and area) + [("corner", "square")] * ("B" in squares and area)
        references += [(*kind, s) for kind in kinds for s in range(1 << self.n)]
        references += [("less", "square", *step) for step in self._steps() if risk]
        if "H" in squares and 2 in self.primes and two:
            references += [("bits", s, kind == "G") for kind in "RG" for s in range(1 << self.n) if self.has(kind)]
        yield from itertools.starmap(self.fact, [*references, *self.tangents])

    @property
    def claimed_products(self) -> list[tuple[int, ...]]:
        """The products of unknowns in the claim, and in what was derived from it so far."""
        return [key for key in self.terms.parameters if isinstance(key, tuple)]

    def products(self, new: Sequence[Constraint], known: Sequence[Constraint]) -> Sequence[Constraint]:
        """Return products of constraints that have as many factors as those in the claim, of the same kinds."""
        claimed = self.claimed_products if self.multiplying else []
        most, kinds = max(map(len, claimed), default=0), {self._kind(u) for key in claimed for u in key}
        used = [one for one in known if one in self._degrees]
        start = len(used)
        for one in new if claimed else ():
            degree = max((len(self.terms.factors(u)) for u in one.linear), default=0)
            about = {self._kind(u) for u in one.linear if u != ONE}
            if 0 < degree < most and (isinstance(one.name, str) or about <= kinds):
                self._degrees[one] = degree
                used.append(one)
                for other in used:  # grows while it is walked, so that a constraint is multiplied by itself, too
                    if self._degrees[other] + degree <= most and len(used) < _MOST_PRODUCTS:
                        used.append(self._product(one, other))
        return [one for one in used[start:] if one.name[0] == "product"]

    def _product(self, one: Constraint, other: Constraint) -> Constraint:
        """Return the product of two constraints. Each call returns the same object."""
        if (one, other) not in self._multiplied:
            spend()
            names = [
                part for each in (other, one) for part in (each.name[1] if each.name[0] == "product" else [each.name])
            ]
            relation = min(one.relation, other.relation, key=RELATIONS.index)
            found = Constraint(self.terms.product(one.linear, other.linear), relation, ("product", (*names,)))
            self._multiplied[one, other], self._degrees[found] = found, self._degrees[one] + self._degrees[other]
        return self._multiplied[one, other]

    def _kind(self, unknown: int) -> str:
        """Return the kind of an unknown, such as R. A parameter is of the kind t."""
        return "t" if unknown < ONE else self.atoms.get(unknown, ("max", 0))[0]

    def tangents_at(self, point: Sequence[Fraction]) -> list[tuple[Any, ...]]:
        """Return the lines of the bounds of Tebbe and Dwyer, Fano, and Pinsker that a point violates."""
        sets, k, found = range(1 << self.n), self.known.classes or 1, list[tuple[Any, ...]]()
        top, values = 1 - Fraction(1, k), self.values(point)
        left = [values["H", s | 1 << self.n] - values.get(("H", s), 0) for s in sets if self.has("H")]
        if self.has("R") and self.has("H"):
            risk = [values["R", s] for s in sets]
            found += [("TD", s, min(int(1 / (1 - risk[s])), MOST_PARTS - 1)) for s in sets if risk[s] < 1]
            found += [("fano", s, str(min(_near(risk[s]), top))) for s in sets if k > 1]
            pairs = [(s, t) for s, t in itertools.permutations(sets, 2) if s & t == s]
            found += [("told", s, t, *_told(risk[s], risk[t])) for s, t in pairs]
            found += [("pinsker", s, t, str(_near(risk[s] - risk[t]))) for s, t in pairs]
            if k == 2:
                lines = ((s, t, _left(*map(float, (risk[s], left[s], risk[t])))) for s, t in pairs)
                found += [("left", s, t, *line) for s, t, line in lines if line]
        elif self.has("H") and 1 < k <= MOST_PARTS:
            found = [("fano", 0, str(top))]
        if self.has("R") and self.has("G"):
            found += self._of_gini_at(values)
        if k == 2 and len(self.kinds & {"R", "A", "B"}) > 1:
            found += self._of_areas_at(values)
        both = itertools.permutations(sets, 2) if self.has("G") and self.has("H") else ()
        found += [("fall", "G", s, t) for s, t in both if s & t == s]
        found += [("square", s, _part(values["R", s])) for s in sets if self.has("R^2")]
        if self.primes:
            found += self._with_logarithms(12)
        if self.has("coins"):
            points = ((s, right, abs(right - values["R", s])) for s in sets for right in (False, True))
            found += [("coin", s, right, str(_near(p))) for s, right, p in points]
        at = {ONE: Fraction(1), **dict(zip(self.atoms, point, strict=True))}
        if tight := [one for one in self.envelopes if value_at(self.fact(*one).linear, at) < 0]:
            return tight
        if {"G", "H"} <= self.kinds and self.known.classes != 1:
            places = ((s, list(map(float, (values["R", s], values["G", s], left[s])))) for s in sets)
            found += filter(None, (alike.cut(self.known, s, place) for s, place in places))
        return [reference for reference in found if value_at(self.fact(*reference).linear, at) < 0]

    def squares_at(self, point: Point) -> list[tuple[Any, ...]]:
        """Return squares of sums of terms of the claim that are below 0 at a point, where products have own values.

        The sums are eigenvectors of the products of two terms, rounded to numbers with few digits.
        """
        if not self.claimed_products:
            return []  # the claim has no products, and the search would get new unknowns
        leaves = {node: self.terms.form(node) for node in self._nodes if node[0] in LEAVES and node[0] != "q"}
        own = {ONE: ("q", "1")} | {next(iter(form)): node for node, form in leaves.items() if len(form) == 1}
        products = [next(iter(self.terms.product({u: 1}, {v: 1}))) for u in own for v in own]
        if len(own) == 1 or not point.keys() >= {*products}:
            return []
        values = np.reshape([float(Fraction(point[u], point[ONE])) for u in products], (len(own), len(own)))
        lengths, vectors = np.linalg.eigh(values)
        found = list[tuple[Any, ...]]()
        for vector in vectors[:, lengths < 0].T:
            for finest in _FINEST:
                times = [Fraction(c).limit_denominator(finest) for c in (vector / np.abs(vector).max()).tolist()]
                form: Form = {u: c for u, c in zip(own, times, strict=True) if c}
                square = self.terms.product(form, form)
                if value_at(square, point) < 0:
                    found.append(("squared", ("+", *(("*", ("q", str(c)), own[u]) for u, c in form.items()))))
                    self._facts[found[-1]] = Constraint(square, ">=", found[-1])
                    break
        return found

    @cached_property
    def compared(self) -> list[Form]:
        """The differences of what the statement compares, if it compares several criteria that are means of curves."""
        if self.known.classes == 1 or len(self.kinds & {"R", "G", "H", *self.costs}) < 2:
            return []
        compared = [node for node in self._nodes if node[0] in COMPARISONS and not undivided(node)]
        forms = [self.constraint(("<=", *node[1:])).linear for node in compared]
        one_way = all(node[0] in {"<", "<="} for node in self._shown)
        return [combined([(sign, form)]) for form in forms for sign in ((1,) if one_way else (1, -1))]

    def of_envelopes(self) -> Iterator[JointDistribution]:
        """Yield distributions at which one of these differences is below 0."""
        of_two = counterexamples(self.known, self.compared)
        return of_two if self.known.classes == 2 else alike.counterexamples(self.known, self.compared, of_two)

    @cached_property
    def envelopes(self) -> list[tuple[Any, ...]]:
        """The facts that say of these differences, or of parts of them, that they are at least 0 or a constant."""
        if self.known.classes != 2:
            return [fact for form in self.compared for fact in alike.facts(self.known, form)]
        return list(filter(None, (above(self.known, form) for form in self.compared)))

    def _with_logarithms(self, digits: int) -> list[tuple[Any, ...]]:
        """Return the references of the facts about logarithms: bounds, and curves in which they are not rounded."""
        bounds = [(p, digits, above) for p in self.primes for above in (False, True)]
        others = None, *self._of_risks(), *self._of_others()
        found: list[tuple[Any, ...]] = [("times", bound, other) for bound in bounds for other in others]
        if self.has("H") and self.known.classes != 1:
            k, sets = self.known.classes, range(1 << self.n)
            made = [j for j in range(1, PRIMES[-1]) if self._of_primes(j) and self._of_primes(j + 1)]
            found += [("TD log", s, j) for s in sets for j in made if self.primes]
            found += [("log k",)] * bool(k and self._of_primes(k))
            found += [("fano log", s) for s in sets if k and self.has("coins") and self._of_primes(k - 1)]
        return found

    def _of_primes(self, number: int) -> bool:
        """Return whether the logarithm of a number is a sum of those that stand in the claim."""
        return not any(_has_factor(("q", Fraction(number)), p) for p in PRIMES if p not in self.primes) and number < 100

    def _of_gini_at(self, values: Values) -> Iterator[tuple[Any, ...]]:
        """Yield the lines of the Gini impurity that touch its curves near the risks and impurities of a point."""
        k, top = self.known.classes, 1 - Fraction(1, self.known.classes or 1000)
        for s in range(1 << self.n if k != 1 else 0):
            yield "below", "G", s, str(min(_near(values["R", s]), top))
        for s, t in itertools.permutations(range(1 << self.n), 2):
            risk, open_, fewer = (1 - 2 * values[of] for of in (("R", s), ("G", s), ("R", t)))  # of two classes
            if s & t != s or risk == 1:
                continue
            yield "gain", "G", s, t, str(_near(1 - values["R", t] / values["R", s]))
            if k == 2 and 0 < risk * risk < open_ <= risk and fewer * risk < open_:
                q, c = (1 - open_ / risk) / 2, (1 - (fewer - risk) * open_ / (open_ - risk * risk)) / 2
                q, c = (min(max(x.limit_denominator(100), Fraction(0)), Fraction(49, 100)) for x in (q, c))
                yield "pair", "G", s, t, str(min(q, c)), str(c)

    def _of_areas_at(self, values: Values) -> Iterator[tuple[Any, ...]]:
        """Yield the lines of areas, balanced losses and risks of two classes that touch their curves near a point."""
        for s in range(1 << self.n):
            at = {kind: _part(values[kind, s]) for kind in ("R", "A", "B") if self.has(kind)}
            if {"A", "R"} <= at.keys():
                yield "cut", s, at["R"]
            if {"A", "B"} <= at.keys():
                yield from (("rates", s), ("corner", s, at["B"]))
            if {"B", "R"} <= at.keys():
                yield from (("odds", s, a) for a in ("0", at["R"]))

    @cached_property
    def splits(self) -> tuple[Disjunction, ...]:
        """The disjunctions that hold for all distributions with the named assumptions."""
        found, sets = list[tuple[Any, ...]](), range(1 << self.n)
        pairs = [(s, t) for s, t in itertools.combinations(sets, 2) if s & t not in (s, t)]
        positive = "positive" in self.known.assumptions
        kind = "optimal" if len(self.known.assumptions) > 1 else "zero"
        found += [(kind, *pair) for pair in pairs if positive and self.has("R")]
        if self.has("R") and self.has("H"):
            found += [("bridge", s, i) for s, i in self._steps()] + [("sure", s) for s in sets]
            found += [("prior", *ends) for ends in self.priors]
        if positive and self.has("H"):
            some = itertools.product(reversed(range(self.n + 1)), pairs)
            found += [("intersection", a, s, t) for a, (s, t) in some if not (s | t) >> a & 1]
        found += [(f"{kind}-closed", *pair) for kind in self.others if positive and kind in "GV" for pair in pairs]
        found += [("chance",)] * self.has("A")
        for kind in [one for one in "AB" if self.has(one) and self.known.classes == 2]:
            found += [("informed", kind, s) for s in sets[1:] if self.has("H")]
            if self.has("R"):
                found += [("certain", kind, s) for s in sets]
                found += [("both-classes",)] if kind == "A" else [("equal-priors", s) for s in sets]
        found += [("prior-costs", s, t) for s in sets for t in self.costs.values() if self.has("B")]
        found += [("G-ties", *step) for step in self._steps() if self.has("G") and self.has("R")]
        found += [("strict", *step) for step in self._steps() if self.has("G") and self.has("H")]
        told = [kind for kind in self.others if self.has("H") and kind in "GV"]
        found += [(f"{kind}-independent", *pair) for kind in told for pair in pairs]
        cases = ((split, self.known.cases(split, "a split")) for split in found)
        return tuple(Disjunction(options, self, " ".join(map(str, split))) for split, options in cases)

    def values(self, point: Sequence[Fraction]) -> Values:
        """Return the values of the criteria and entropies at a point."""
        pairs = zip(self.atoms.values(), point, strict=True)
        return {atom: value for atom, value in pairs if len(atom[0]) == 1 or atom[0] in self.costs}

    def _steps(self) -> list[tuple[int, int]]:
        return [(s, i) for s, i in itertools.product(range(1 << self.n), range(self.n)) if not s >> i & 1]

    def _of_risks(self) -> list[tuple[Any, ...]]:
        below = "unique_maximum" in self.known.assumptions and (self.known.classes or 1) > 1
        return [*(("less", *step) for step in self._steps()), ("floor",), ("ceiling",), *[("maxima",)] * below]

    def _of_others(self) -> list[tuple[Any, ...]]:
        every = ((("less", kind, *step) for step in self._steps()) for kind in self.others)
        return [*itertools.chain(*every), *((word, kind) for kind in self.others for word in ("best", "blind"))]

    def _of_entropies(self) -> list[tuple[Any, ...]]:
        variables = [1 << i for i in range(self.n + 1)]
        found = [("I", a, a, sum(variables) - a) for a in variables]
        for a, b in itertools.combinations(variables, 2):
            found += [("I", a, b, given) for given in range(2 << self.n) if not given & (a | b)]
        fours = itertools.permutations(variables, 4) if self.beyond else ()
        return [*found, *(("ZY", *four) for four in fours if four[2] < four[3])]


_FINEST = (1, 2, 3, 6, 12, 50, 1000)  # the largest denominators in a square, of which the first one is taken
_MOST_PRODUCTS = 3000  # in one branch, because each is a line of the linear program


def _near(number: Fraction) -> Fraction:
    """Return a number between 0 and 1 with few digits near a given number. It is the point of a tangent."""
    return min(max(number.limit_denominator(100), Fraction(1, 100)), Fraction(99, 100))


def _part(number: Fraction) -> str:
    """Return a number from 0 to 1 with few digits near a given number, as a fact has it."""
    return str(min(max(number.limit_denominator(100), Fraction(0)), Fraction(1)))


def _priors_in(nodes: Iterable[Node]) -> list[tuple[int, int, int]]:
    """Return the risks without features that formulas name, and the intervals between them, in parts of a whole."""
    sides = (node for node in nodes if node[0] in COMPARISONS and ("R", ()) in walk(node))
    numbers = {part[1] for side in sides for part in walk(side) if part[0] == "q"}
    named = {risk for number in numbers for risk in (number, 1 - number) if 0 < risk < Fraction(1, 2)}
    whole = math.lcm(2, *(risk.denominator for risk in named))
    ends = [0, *sorted(int(risk * whole) for risk in named), whole // 2]
    if not named or whole > MOST_PARTS:
        return []
    return [(end, end, whole) for end in ends[1:-1]] + [(*pair, whole) for pair in itertools.pairwise(ends)]


def _is_square(term: Node, kind: str) -> bool:
    """Return whether a term is a product of two terms with values of a kind. Those with risks have no logarithms."""
    sides = [{node[0] for node in walk(part)} for part in term[1:]] if term[0] == "*" else [set[str]()]
    return all(kind in kinds and not (kind == "R" and "log" in kinds) for kinds in sides)


def _has_factor(term: Node, p: int) -> bool:
    """Return whether a prime stands in the numerator or the denominator of a number."""
    return term[0] == "q" and any(part % p == 0 for part in term[1].as_integer_ratio())


def _told(risk: Fraction, left: Fraction) -> tuple[str, int]:
    """Return e and j of the line for I(Y; T | S) that is highest near two risks."""
    j = min(int(1 / (1 - risk)), MOST_PARTS - 1) if risk < 1 else MOST_PARTS - 1
    share = float(risk * j * (j + 1) - (j * j - 1))  # of j + 1 classes that are alike, beside j

    def slope(e: float) -> float:
        return (1 - share) * (j - 1) / (e + j - 1) + share * j / (e + j) - left

    low, high = 1.0, float(MOST_PARTS)
    for _ in range(30):
        middle = math.sqrt(low * high)
        low, high = (middle, high) if slope(middle) > 0 else (low, middle)
    return str(Fraction(low).limit_denominator(20 if low < 50 else 1)), j


def _left(risk: float, open_: float, left: float) -> tuple[str, str, str] | None:
    """Return q, c and the weight of the line for the largest H(Y | T) of two classes near R(S), H(Y | S) and R(T)."""

    def h(p: float) -> float:
        return -p * math.log(p) - (1 - p) * math.log(1 - p) if 0 < p < 1 else 0.0

    low, high = 0.0, risk
    for _ in range(40 if risk < 0.499 else 0):
        q = (low + high) / 2
        height = h(q) + (math.log(2) - h(q)) * (risk - q) / (0.5 - q)
        low, high = (q, high) if height < open_ else (low, q)
    if risk >= 0.499 or left <= low:
        return None
    part = (risk - low) / (0.5 - low) or 1.0
    ends = [min(_near(Fraction(x)), Fraction(49, 100)) for x in (low, (left - (1 - part) * low) / part)]
    first, second = min(ends), max(ends)
    weight = math.log(4 * second * (1 - second)) / math.log(4 * first * (1 - first))
    return str(first), str(second), str(min(Fraction(math.ceil(weight * 999 + 0.01), 999), Fraction(1)))
