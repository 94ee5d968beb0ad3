"""Proofs for every number of states. The unknowns are risks and entropies, and the facts hold for all distributions.

If a claim is about Bayes risks alone, the facts are complete: a claim that does not follow from them is false, because
each point that satisfies the facts is realized by a distribution.
"""

from __future__ import annotations

import itertools
import math
import random
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from fractions import Fraction
from functools import cached_property, partial
from typing import Any, TypeAlias

import numpy as np

from fstheory._support.progress import Clock, OutOfTime, spend
from fstheory._support.work import Crew
from fstheory.checker.every_size import MOST_PARTS, PRIMES, EverySizeSpace
from fstheory.checker.statement import COMPARISONS, CRITERIA, ONE, Form, of_itself
from fstheory.distributions.joint import JointDistribution
from fstheory.errors import CertificateError, NotLinearError, TooLargeError
from fstheory.logic.certificate import Certificate
from fstheory.logic.claims import Claim
from fstheory.logic.every_size import MOST_CLASSES, MOST_FEATURES, EverySize, asks_about_states
from fstheory.logic.expressions import FALSE, TRUE, Node, negation, walk
from fstheory.logic.language import Model, spelled_out
from fstheory.logic.statement import (
    Instance,
    Shape,
    Statement,
    generators,
    image_instances,
    invariant_under,
    premise_of,
)
from fstheory.logic.verdict import VACUOUS
from fstheory.logic.written_proof import Sets
from fstheory.proofs.cases import CaseSplit, Combination, Counterexample, TooManyCases, Tree, TreeWriter
from fstheory.proofs.descent import positive_versions
from fstheory.proofs.enumeration import on_equal_points
from fstheory.proofs.linear import Case, Constraint, Disjunction, Unknowns, combined, is_constant, value_at
from fstheory.proofs.solvers import NoAnswer
from fstheory.selection.prescribed import (
    distribution_with_areas,
    distribution_with_gains,
    distribution_with_risks,
    distribution_with_shares,
)

GAVE_UP = (NoAnswer, OutOfTime, TooManyCases, TooLargeError, CertificateError, RecursionError)
"""The errors with which a search for a proof ends if it reaches a limit."""

Values: TypeAlias = "dict[tuple[str, int], Fraction]"
"""The values of risks ("R", S), entropies ("H", S) and other criteria. S is a mask, in which the class is bit n."""


class EverySizeUnknowns(Unknowns):
    """The unknowns of a statement for every size: the values of its criteria, and its entropies, for all subsets."""

    def __init__(self, statement: Statement, *, beyond: bool = False) -> None:
        super().__init__(Shape(()))
        self.renamings = ()
        self.beyond = beyond  # whether facts beyond Shannon's inequalities are used
        self.tangents: list[tuple[Any, ...]] = []  # the tangents of curves that were needed so far
        self._facts: dict[tuple[Any, ...], Constraint] = {}
        self.shape, self.n = statement.shape, len(statement.shape.features)
        self.known = EverySizeSpace({"features": self.n, "classes": self.shape.classes}, statement.by_name)
        nodes = [node for formula in (*statement.assumed, *statement.shown) for node in walk(formula)]
        kinds = {node[0] for node in nodes}
        logarithms = [node[1] for node in nodes if node[0] == "log"]
        self.primes = [p for p in PRIMES if any(_has_factor(argument, p) for argument in logarithms)]
        self.others = [kind for kind in CRITERIA if kind in kinds]
        rest = {"H", *CRITERIA}
        atoms = [("R", mask) for mask in range(1 << self.n) if kinds & {"R", "log"} or not kinds & rest]
        atoms += [("H", mask) for mask in range(1, 2 << self.n) if "H" in kinds]
        atoms += [(kind, mask) for kind in self.others for mask in range(1 << self.n)]
        starts = {"R": 0, "H": 1 << self.n, **{kind: self.known.unknown(kind, 0) for kind in CRITERIA}}
        starts |= {f"log {p}": self.known.log(p, 0) for p in self.primes}
        atoms += [(f"log {p}", mask) for p in self.primes for mask in range(-1, 1 << self.n)]
        if any(map(of_itself, nodes)):  # -p log p of the risks, and of the chances of no error
            starts |= {"coins": self.known.unknown(CRITERIA[-1], 1 << self.n)}
            atoms += [("coins", mask) for mask in range(2 << self.n)]
        self.priors = _priors_in(nodes) if self.shape.classes == 2 else []
        self.atoms = {mask + starts[kind]: (kind, mask) for kind, mask in atoms}  # by their numbers in the checker
        self.cells, self.numbers, self.kinds = self.known.size, list(self.atoms), {kind for kind, _ in atoms}

    def has(self, kind: str) -> bool:
        """Return whether there are risks, entropies, or values of another criterion among the unknowns."""
        return kind in self.kinds

    def fact(self, *reference: Any) -> Constraint:
        """Return a fact about all distributions, by its reference. The checker knows the same facts."""
        if reference not in self._facts:
            spend()
            relation: Any
            relation, form = self.known.fact(reference, "a fact")
            self._facts[reference] = Constraint(form, relation, reference)
        return self._facts[reference]

    def facts(self) -> Iterator[Constraint]:
        """Yield the facts that hold for all distributions: monotonicity, bounds, Shannon's inequalities."""
        references = self._of_risks() if self.has("R") else []
        references += self._of_entropies() if self.has("H") else []
        references += [("TD", s, 1) for s in range(1 << self.n) if self.has("R") and self.has("H")]
        references += self._with_logarithms(6)
        for kind in self.others:
            references += [("less", kind, *step) for step in self._steps()] + [("best", kind), ("blind", kind)]
        if self.has("R") and self.has("G"):
            ends = ["0", *([str(1 - Fraction(1, k))] if (k := self.known.classes) else [])]
            references += [("above", "G", s) for s in range(1 << self.n)]
            references += [("below", "G", s, a) for s, a in itertools.product(range(1 << self.n), ends) if k != 1]
        yield from itertools.starmap(self.fact, [*references, *self.tangents])

    def tangents_at(self, point: Sequence[Fraction]) -> list[tuple[Any, ...]]:
        """Return the lines of the bounds of Tebbe and Dwyer, Fano, and Pinsker that a point violates."""
        sets, k, found = range(1 << self.n), self.known.classes or 1, list[tuple[Any, ...]]()
        top, values = 1 - Fraction(1, k), self.values(point)
        if self.has("R") and self.has("H"):
            risk = [values["R", s] for s in sets]
            found += [("TD", s, min(int(1 / (1 - risk[s])), MOST_PARTS - 1)) for s in sets if risk[s] < 1]
            found += [("fano", s, str(min(_near(risk[s]), top))) for s in sets if k > 1]
            pairs = [(s, t) for s, t in itertools.permutations(sets, 2) if s & t == s]
            found += [("told", s, t, *_told(risk[s], risk[t])) for s, t in pairs]
            found += [("pinsker", s, t, str(_near(risk[s] - risk[t]))) for s, t in pairs]
            if k == 2:
                left = [values["H", s | 1 << self.n] - values.get(("H", s), 0) for s in sets]
                lines = ((s, t, _left(*map(float, (risk[s], left[s], risk[t])))) for s, t in pairs)
                found += [("left", s, t, *line) for s, t, line in lines if line]
        elif self.has("H") and 1 < k <= MOST_PARTS:
            found = [("fano", 0, str(top))]
        if self.has("R") and self.has("G"):
            found += self._of_gini_at(values)
        if self.primes:
            found += self._with_logarithms(12)
        if self.has("coins"):
            points = ((s, right, abs(right - values["R", s])) for s in sets for right in (False, True))
            found += [("coin", s, right, str(_near(p))) for s, right, p in points]
        at = {ONE: Fraction(1), **dict(zip(self.atoms, point, strict=True))}
        return [reference for reference in found if value_at(self.fact(*reference).linear, at) < 0]

    def _with_logarithms(self, digits: int) -> list[tuple[Any, ...]]:
        """Return the references of the facts about logarithms: bounds, and curves in which they are not rounded."""
        bounds = [(p, digits, above) for p in self.primes for above in (False, True)]
        found: list[tuple[Any, ...]] = [
            ("times", bound, other) for bound in bounds for other in (None, *self._of_risks())
        ]
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

    @cached_property
    def splits(self) -> tuple[Disjunction, ...]:
        """The disjunctions that hold for all distributions with the named assumptions."""
        found, sets = list[tuple[Any, ...]](), range(1 << self.n)
        if "positive" in self.known.assumptions and self.has("R"):
            kind = "optimal" if len(self.known.assumptions) > 1 else "zero"
            found += [(kind, s, t) for s, t in itertools.combinations(sets, 2) if s & t not in (s, t)]
        if self.has("R") and self.has("H"):
            found += [("bridge", s, i) for s, i in self._steps()] + [("sure", s) for s in sets]
            found += [("prior", *ends) for ends in self.priors]
        if "positive" in self.known.assumptions and self.has("H"):
            some = itertools.product(reversed(range(self.n + 1)), itertools.combinations(sets, 2))
            found += [("intersection", a, s, t) for a, (s, t) in some if s & t not in (s, t) and not (s | t) >> a & 1]
        if "positive" in self.known.assumptions:
            pairs = [(s, t) for s, t in itertools.combinations(sets, 2) if s & t not in (s, t)]
            found += [(f"{kind}-closed", *pair) for kind in self.others if kind in "GV" for pair in pairs]
        found += [("chance",)] * self.has("A")
        if self.has("G"):
            found += [("G-ties", *step) for step in self._steps() if self.has("R")]
            found += [("strict", *step) for step in self._steps() if self.has("H")]
        cases = ((split, self.known.cases(split, "a split")) for split in found)
        return tuple(Disjunction(options, self, " ".join(map(str, split))) for split, options in cases)

    def values(self, point: Sequence[Fraction]) -> Values:
        """Return the values of the criteria and entropies at a point."""
        return {atom: value for atom, value in zip(self.atoms.values(), point, strict=True) if len(atom[0]) == 1}

    def _steps(self) -> list[tuple[int, int]]:
        return [(s, i) for s, i in itertools.product(range(1 << self.n), range(self.n)) if not s >> i & 1]

    def _of_risks(self) -> list[tuple[Any, ...]]:
        below = "unique_maximum" in self.known.assumptions and (self.known.classes or 1) > 1
        return [*(("less", *step) for step in self._steps()), ("floor",), ("ceiling",), *[("maxima",)] * below]

    def _of_entropies(self) -> list[tuple[Any, ...]]:
        variables = [1 << i for i in range(self.n + 1)]
        found = [("I", a, a, sum(variables) - a) for a in variables]
        for a, b in itertools.combinations(variables, 2):
            found += [("I", a, b, given) for given in range(2 << self.n) if not given & (a | b)]
        fours = itertools.permutations(variables, 4) if self.beyond else ()
        return [*found, *(("ZY", *four) for four in fours if four[2] < four[3])]

    def case(self, formulas: Iterable[Node], before: str = "") -> Case:
        """Return what asserting formulas adds, and the products of that with what is around logarithms."""
        found, more = super().case(formulas, before), list[Constraint]()
        for one, p, above in itertools.product(found.constraints, self.primes, (False, True)):
            with suppress(CertificateError):
                relation, product = self.known.times((p, 6, above), (one.relation, one.linear), "a product")
                more.append(Constraint(product, relation, f"{one.name}*{p}{'-+'[above]}"))  # type: ignore[arg-type]
        return replace(found, constraints=(*found.constraints, *more))

    def _translate(self, term: Node) -> Form:
        if term[0] == "log" and term[1][0] == "q" and term[1][1] > 0:
            try:
                return self.known.logarithm(term[1][1])
            except CertificateError:
                what = f"is the logarithm of a number with a prime factor above {PRIMES[-1]}; write a rational bound"
                raise self._refusal(term, what) from None
        if found := of_itself(term):
            same = combined([(1, self.linear(found[1])), (-1, self.linear(found[0]))]) == {ONE: 1}
            coin = self.known.coin(self.linear(found[0])) if same else None
            return super()._translate(term) if coin is None else coin
        if term[0] == "*" and not any(is_constant(self.linear(part)) for part in term[1:]):
            product = self.known.product(*map(self.linear, term[1:]))
            if product is None and any(node[0] == "log" for part in term[1:] for node in walk(part)):
                what = "is a logarithm times something else than a risk; write a rational bound of the logarithm"
                raise self._refusal(term, what)
            return super()._translate(term) if product is None else product
        if term[0] in {"R", "H", *CRITERIA}:
            return self.known.leaf(term)
        if term[0] == "P":
            raise NotLinearError(str(asks_about_states("a probability")))
        return super()._translate(term)


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


def _has_factor(term: Node, p: int) -> bool:
    """Return whether a prime stands in the numerator or the denominator of a number."""
    return term[0] == "q" and any(part % p == 0 for part in term[1].as_integer_ratio())


def _told(risk: Fraction, left: Fraction) -> tuple[str, int]:
    """Return E and j of the line for I(Y; T | S) that is highest near two risks."""
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


# -- Proofs for readers: informations that the chain rule joins.


_ORDERS = 8  # in which informations are joined, of which the shortest proof is taken


class _Writer(TreeWriter):
    def _farkas(self, combination: Combination, constraints: Mapping[str, int]) -> list[list[Any]]:
        """Write a contradiction with few informations of sets, instead of many of single variables."""
        assert isinstance(self.unknowns, EverySizeUnknowns)
        self.clock.tick(lambda: f"a proof by {self.cases:,} cases is written")
        elemental = {premise.name[1:]: times for premise, times in combination if premise.name[0] == "I"}
        rest = (pair for pair in combination if pair[0].name[0] != "I")
        facts = joined(elemental).items()  # type: ignore[arg-type]
        own = ((self.unknowns.fact("I", *sets), times) for sets, times in facts)
        return super()._farkas((*rest, *own), constraints)


def joined(informations: Mapping[Sets, int]) -> dict[Sets, int]:
    """Join informations, times numbers above 0, to fewer ones with the same sum. They need not be the fewest."""
    best = dict(informations)
    for seed in range(_ORDERS):
        now, order = dict(informations), random.Random(seed)
        while pairs := [pair for pair in itertools.permutations(now, 2) if _chained(*pair)]:
            first, second = order.choice(pairs)
            times, whole = min(now[first], now[second]), _chained(first, second)
            for part in (first, second):
                now[part] -= times
            now = {sets: left for sets, left in now.items() if left}
            now[whole] = now.get(whole, 0) + times  # type: ignore[index, arg-type]
        best = min(best, now, key=len)
    return best


def _chained(first: Sets, second: Sets) -> Sets | None:
    """Return the information that is the sum of two informations by the chain rule, or None if the rule does not apply.

    It applies to I(a; b | c) and I(a; e | b, c), or H(b | c) and H(e | b, c), or I(a; b | c) and H(a | b, c).
    """
    c, (d, e, given) = first[2], second
    for a, b in (first[:2], first[1::-1]):
        if given == b | c and (a == b) <= (d == e):
            if a == b:
                return a | d, a | d, c
            if d == e == a:
                return a, a, c
            if d != e and a in (d, e):
                others = b | (d ^ e ^ a)
                return min(a, others), max(a, others), c
    return None


def decided(statement: Statement, clock: Clock, crew: Crew) -> Certificate | tuple[Instance, Values]:
    """Return the certificate of a proof, which the checker accepts.

    If there is none, return an instance and the values at which it does not follow.
    """
    unknowns, shown = EverySizeUnknowns(statement), statement.show
    for instance in (*statement.assume, *shown):
        unknowns.require_linear(instance, statement.claim)
    stand_in = Shape((1,) * unknowns.n, 1)  # whose renamings are those of the features
    kept = invariant_under(generators(stand_in), statement.assumed)
    images = image_instances(statement.shown, kept, stand_in)
    own = [i for i, (source, _) in enumerate(images) if source == i]
    work, writer = partial(_tree, unknowns, statement.assumed), _Writer(unknowns, clock)
    found = crew.map(work, ((shown[i].formula, clock.milliseconds()) for i in own))
    proofs, before = list[dict[str, Any]](), f"{statement.claim} for {statement.shape}: proof by cases of "
    for i, (source, renaming) in enumerate(images):
        clock.count(i, len(images), "instances", before)
        if source != i:
            proofs.append({"image_of": source, "features": list(renaming.features)})
        elif isinstance(tree := next(found), dict):
            one = len(unknowns.kinds) == 1 and not unknowns.has("H")
            few = _of_few_states(statement, shown[i].formula, clock) if one else None
            return shown[i], few or tree
        else:
            root = unknowns.case([*statement.assumed, ("not", shown[i].formula)])
            proofs.append({"tree": writer.write(root, tree)})
    return writer.certificate(statement, proofs)


def _of_few_states(statement: Statement, formula: Node, clock: Clock) -> Values | None:
    """Return values at which a formula does not follow, searched where there are few classes or useless features."""
    n, k = len(statement.shape.features), statement.shape.classes
    nothing = "=", ("R", ()), ("R", tuple(range(n)))
    tried: list[tuple[int | None, Sequence[Node]]] = [(few, statement.assumed) for few in _FEW if k is None]
    if (k is None or k > max(_FEW)) and EverySizeUnknowns(statement).has("R"):
        tried.append((k, (*statement.assumed, nothing)))
    for classes, assumed in tried:
        unknowns = EverySizeUnknowns(replace(statement, shape=EverySize(n, classes)))
        found = _tree(unknowns, assumed, (formula, clock.milliseconds()))
        if isinstance(found, dict):
            return found
    return None


_MOST_BUILT = 10_000  # classes of a distribution for given risks
_FEW, _MANY = (2, 3, 4), (6, 10, 20, 50, 100, 200, 500, MOST_CLASSES)  # classes


def constructions(statement: Statement, values: Values, clock: Clock) -> Iterator[JointDistribution]:
    """Yield distributions that may refute a statement, constructed from values that refute it.

    If the values are Bayes risks alone, the first distribution must refute it. If p(x) > 0 is assumed, each
    distribution that refutes the other parts is followed by versions of it with noise.
    """
    left = _NOISY * ("positive" in statement.by_name)
    for d in _constructions(statement, values, clock):
        yield d
        if left and statement.violated_at(d):
            left -= 1
            yield from positive_versions(d)


def _constructions(statement: Statement, values: Values, clock: Clock) -> Iterator[JointDistribution]:
    """Yield distributions that may refute a statement, without noise.

    If the values are entropies, the first distributions have their conditional entropies of the class: one with the
    orders of the risks and of the informations, and one with shares of a uniform class. If the values are of another
    criterion, the first distributions have these values; for the Gini impurity, one has the orders of impurities and
    risks. Then come distributions whose features say nothing, with classes of which all but one are equally likely,
    and distributions on a few equally likely points.
    """
    n, classes = len(statement.shape.features), statement.shape.classes
    sets = range(1 << n)
    risks = [values["R", mask] for mask in sets] if ("R", 0) in values else []
    entropies = {mask: value for (kind, mask), value in values.items() if kind == "H"} | {0: Fraction(0)}
    for kind in (kind for kind in CRITERIA if (kind, 0) in values):
        with suppress(TooLargeError):
            yield from _with_criterion(kind, [values[kind, mask] for mask in sets], classes, clock)
        if kind == "G" and risks:
            falls, gains = ([of[0] - value for value in of] for of in (risks, [values["G", mask] for mask in sets]))
            with suppress(TooLargeError):
                yield _padded(distribution_with_gains(falls, gains, clock, impurity=True), classes)
    if classes == 1:
        yield Shape((1,) * n, 1).distribution([1])
    elif len(entropies) == 1 and len(values) == len(risks):
        above = risks[-1] if "unique_maximum" in statement.by_name else Fraction(-1)
        enough = (k for k in range(2, _MOST_BUILT + 1) if risks[0] <= 1 - Fraction(1, k) > above)
        if not (k := classes or next(enough, 0)):
            raise TooLargeError(f"risks that refute it were found, which need more than {_MOST_BUILT:,} classes")
        yield distribution_with_risks(risks, k, frozenset(statement.by_name), clock)
    elif len(entropies) > 1:
        open_ = [entropies[mask | 1 << n] - entropies[mask] for mask in sets]  # H(Y | S)
        gains = [open_[0] - left for left in open_]
        with suppress(TooLargeError):
            yield _padded(distribution_with_gains([risks[0] - risk for risk in risks] or gains, gains, clock), classes)
            if open_[0]:
                yield distribution_with_shares([left / open_[0] for left in open_], classes or 2, clock)
        for k in (classes,) if classes else (*_FEW, *_MANY):
            for risk in (Fraction(1), *risks):
                if r := min(risk.limit_denominator(100), 1 - Fraction(1, k)):
                    best = (r.denominator - r.numerator) * (k - 1)
                    yield Shape((1,) * n, k).distribution([best, *[r.numerator] * (k - 1)])
    free = any(instance.parameters for instance in statement.show)
    if not free and not any(kind in CRITERIA for kind, _ in values):
        yield from on_equal_points(statement.assumed, statement.shown, n, classes)


def with_classes_exchanged(some: Iterable[JointDistribution]) -> Iterator[JointDistribution]:
    """Yield each distribution of two classes, and then the one in which the classes are exchanged."""
    for d in some:
        yield d
        yield JointDistribution(d.weights[..., ::-1])


def _padded(d: JointDistribution, classes: int | None) -> JointDistribution:
    """Return a distribution of two classes with further classes of probability 0."""
    return JointDistribution(np.pad(d.weights, [*([(0, 0)] * len(d.features)), (0, (classes or 2) - 2)]))


_AREA_CELLS = 300  # the most cells for an area, because an area is a sum over pairs of states
_PARTS = 10**6  # the denominator of the roots by which classes differ


def _with_criterion(
    kind: str, values: Sequence[Fraction], classes: int | None, clock: Clock
) -> Iterator[JointDistribution]:
    """Yield distributions with these values of one criterion. If none has rational probabilities, they come near."""
    n, k = (len(values) - 1).bit_length(), classes or 2
    if kind == "B" and k > 1:
        yield distribution_with_shares([value / (k - 1) for value in values], k, clock)
    elif kind == "V":
        yield _padded(distribution_with_shares([1 - value for value in values], 2, clock), classes)
    elif kind == "A":
        yield Shape((1,) * n, k).distribution([1, *[0] * (k - 1)])  # where all areas are 1
        d = distribution_with_areas(values, clock)
        if d.weights.size <= _AREA_CELLS:
            yield JointDistribution(np.insert(d.weights, [1] * (k - 2), 0, axis=-1))  # the last class is the second
    elif kind == "G" and 0 < values[0] < 1:
        k = classes or max(2, math.ceil(1 / (1 - values[0])))
        if k > _MOST_BUILT:
            raise TooLargeError(f"impurities that refute it were found, which need more than {_MOST_BUILT:,} classes")
        square = 1 - values[0] * k / (k - 1)
        root = Fraction(math.isqrt(square.numerator * square.denominator * _PARTS**2), _PARTS * square.denominator)
        rare = (1 - root) / k  # the probability of each class but one
        found = 1 - (1 - (k - 1) * rare) ** 2 - (k - 1) * rare**2
        for whole in dict.fromkeys((values[0], found)):
            shares = [min(value / whole, Fraction(1)) for value in values]
            yield distribution_with_shares(shares, k, clock, prior=[1 - (k - 1) * rare, *[rare] * (k - 1)])


_NOISY = 12  # distributions that are given noise


def asks_for_irrational(statement: Statement, instance: Instance) -> bool:
    """Return whether every counterexample to an instance has a risk, or a number, that is equal to an information.

    If probabilities are fractions, both are then 0: an information is the logarithm of an algebraic number, which by
    Lindemann's theorem is 0 or transcendental, and a risk is a fraction.
    """
    unknowns = EverySizeUnknowns(statement)

    def mixed(node: Node, wanted: bool) -> bool:
        kind, *parts = node
        if kind == "not":
            return mixed(parts[0], not wanted)
        if kind in {"and", "or"} and (wanted == (kind == "and") or len(parts) == 1):
            return any(mixed(part, wanted) for part in parts)
        if kind != "=" or not wanted:
            return False
        form = unknowns.constraint(node).linear
        kinds = {unknowns.atoms[unknown][0] for unknown in form if unknown in unknowns.atoms}
        return "H" in kinds and not unknowns.primes and ("R" in kinds or ONE in form)

    return mixed(("not", instance.formula), wanted=True) or any(mixed(node, wanted=True) for node in statement.assumed)


_NAMED = {
    "fano": "by Fano's inequality",
    "TD": "by the bounds of Tebbe and Dwyer",
    "pinsker": "by Pinsker's inequality",
    "told": "by the lines of what is told and gained",
    "left": "by the lines of what is left of two classes",
    "intersection": "by the intersection property",
    "optimal": "trusting Theorem 4 of Peña and Nilsson",
    "ZY": "trusting Theorem 3 of Zhang and Yeung",
}
"""The phrases for facts that have a name, by their words in certificates. The last two facts are not proved here."""


def evidence_of(claim: Claim, statement: Statement, certificate: Certificate, clock: Clock) -> str:
    """Return a sentence on the facts that the proof of a claim uses, and on the sizes for which it holds."""
    found = ["case split" if statement.show else "no formula is left to prove"]
    with suppress(*GAVE_UP):
        never = negation(premise_of(("and", *statement.shown)))
        if statement.assume or never != FALSE:
            anything = _tree(EverySizeUnknowns(statement), statement.assumed, (never, clock.milliseconds()))
            found += [VACUOUS] * (not isinstance(anything, dict))
    enough, proofs = None, certificate.to_json()
    with suppress(*GAVE_UP):
        enough = features_that_suffice(claim, statement.shape)
    every = None if enough is None else _for_every_number(claim, statement.shape, enough, clock)
    proofs += "".join(proof.to_json() for proof in every or ())
    found += [words for kind, words in _NAMED.items() if f'["{kind}"' in proofs]
    if enough is not None and (every is not None or enough > len(statement.shape.features)):
        found.append(_of_every_number(statement.shape, enough, proved=every is not None))
    return "; ".join(found)


def _of_every_number(size: Shape, enough: int, *, proved: bool) -> str:
    """Return the words on every number of features, which a proof for up to `enough` features decides."""
    other = f", since it is proved for features={enough}," * (enough > len(size.features))
    if proved:
        return f"and so{other} for every number of features from 1 on"
    tried = "was tried without success" if enough <= _TRIED else "was not tried"
    return f"a proof for features={enough}, which {tried}, would cover every number of features"


_TRIED = 4  # features: a proof for more of them is not tried unless it is asked for


def _for_every_number(claim: Claim, size: Shape, enough: int, clock: Clock) -> list[Certificate] | None:
    """Return the proofs for other numbers of features, up to `enough`, that with one for `size` prove it for all.

    Return None if there are no such proofs, or if they would be for many features.
    """
    known = len(size.features)
    if enough > max(known, _TRIED):
        return None
    others = (EverySize(number, size.classes) for number in range(1, enough + 1) if number != known)
    with suppress(*GAVE_UP):
        found = [decided(claim.statement(other), clock, Crew()) for other in others]
        proofs = [proof for proof in found if isinstance(proof, Certificate)]
        return proofs if len(proofs) == len(found) else None
    return None


# -- Claims whose proof for n features holds for all numbers: those that were read once, as a formula for all sets.
# Features that are in the same sets can be merged into one, without a change of risks, informations and the known
# assumptions.


def features_that_suffice(claim: Claim, size: Shape) -> int | None:
    """Return the number of features up to which a proof is enough for all numbers of features, or None if not known.

    A part has the features that are in the same sets. A counterexample to the claim becomes one with a feature for
    each part. So these numbers of parts are enough, where the formula is not true anyway.
    """
    if claim.reading is None or len(claim.by_name(size)) < len(claim.assumptions):
        return None
    kinds = [domain.kind for domain in claim.domains]
    smaller = _minimal_shown(claim.reading[0], shown=True)  # each may need one more set to be false
    apart = sum(1 << place for place, kind in enumerate(kinds) if kind == "subset" and claim.disjoint)
    parts = [part for part in range(1 << len(kinds) + len(smaller)) if (part & apart).bit_count() <= 1]
    if len(parts) > MOST_FEATURES:
        return None
    most = 0
    for count in range(1, len(parts) + 1):
        model = Model(EverySize(count, size.classes))
        for some in itertools.combinations(parts, count):  # the other parts are empty
            bits = ([part >> place & 1 for part in some] for place in range(len(kinds)))
            sets = [frozenset(itertools.compress(model.order, chosen)) for chosen in bits]
            single = all(len(of) == 1 for kind, of in zip(kinds, sets, strict=True) if kind == "feature")
            if single and spelled_out(claim.reading, model, *sets).node != TRUE:
                most = count
                break
    return most


def _minimal_shown(node: Node, *, shown: bool) -> set[Node]:
    """Return the parts of a formula that state that no subset of a set is optimal, if they are shown, not assumed."""
    kind, *parts = node
    if kind == "minimal":
        return {node} if shown else set()
    if kind not in {"and", "or", "not", "iff"}:
        return set()
    signs = {"not": [not shown], "iff": [shown, not shown]}.get(kind, [shown])
    return set().union(*(_minimal_shown(part, shown=sign) for part in parts for sign in signs))


_ROUNDS = 12  # the most rounds of tangents


def _near(number: Fraction) -> Fraction:
    """Return a number between 0 and 1 with few digits near a given number. It is the point of a tangent."""
    return min(max(number.limit_denominator(100), Fraction(1, 100)), Fraction(99, 100))


def _tree(unknowns: EverySizeUnknowns, assume: Sequence[Node], chunk: Any) -> Tree | Values:
    """Return the proof of a formula within a limit of milliseconds, or the values at which it does not follow."""
    formula, left = chunk
    unknowns.beyond, unknowns.tangents, rounds = False, [], _ROUNDS
    with Clock(left and left / 1000, None) as clock:
        while True:
            try:
                return CaseSplit(unknowns, assume, formula, clock).tree()
            except Counterexample as error:
                tangents = unknowns.tangents_at(error.point) if rounds else []
                if tangents:
                    unknowns.tangents, rounds = [*unknowns.tangents, *tangents], rounds - 1
                    continue
                if unknowns.beyond or unknowns.n < 3 or not unknowns.has("H"):
                    return unknowns.values(error.point)
                unknowns.beyond = True  # of four variables, more is known
