"""Claims for every number of states: their unknowns are risks and entropies, their facts those of all distributions.

Where a claim speaks of Bayes risks alone the facts are all there are: what does not follow from them is false, and a
point at which they are true and the claim is not has a distribution.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cached_property, partial
from typing import Any, TypeAlias

from fstheory._support.progress import Clock
from fstheory._support.work import Crew
from fstheory.errors import NotLinearError
from fstheory.logic.certificate import Certificate, certificate_of_proof
from fstheory.logic.checker import check_certificate_text
from fstheory.logic.every_size import asks_about_states
from fstheory.logic.expressions import FALSE, Node, to_json, walk
from fstheory.logic.statement import Instance, Shape, Statement, generators, image_instances, invariant_under
from fstheory.proofs.cases import CaseSplit, Combination, Counterexample, Premise, Tree, TreeWriter
from fstheory.proofs.linear import Disjunction, Fact, Linear, Unknowns

Values: TypeAlias = "dict[tuple[str, int], Fraction]"
"""Of risks ("R", S) and entropies ("H", S): a set is a mask, in which the class is bit n."""


class EverySizeUnknowns(Unknowns):
    """The unknowns of a statement for every size: the risks of all subsets, and entropies if it speaks of them."""

    def __init__(self, statement: Statement, *, beyond: bool = False) -> None:
        super().__init__(Shape(()))
        self.beyond = beyond  # what Shannon's inequalities say of entropies
        self.shape, self.n = statement.shape, len(statement.shape.features)
        self.assumed = frozenset(statement.by_name)
        kinds = {node[0] for formula in (*statement.assumed, *statement.shown) for node in walk(formula)}
        risks, sets = "R" in kinds or "H" not in kinds, range(1, 2 << self.n)
        self.atoms = [("R", mask) for mask in range(1 << self.n)] if risks else []
        self.atoms += [("H", mask) for mask in sets] if "H" in kinds else []
        self.cells = len(self.atoms)
        self._places = {atom: place for place, atom in enumerate(self.atoms)}

    def atom(self, kind: str, mask: int) -> Linear:
        """Return a risk or an entropy; that of nothing is 0."""
        return Linear(Fraction(0), {self._places[kind, mask]: Fraction(1)} if mask or kind == "R" else {})

    def has(self, kind: str) -> bool:
        """Say whether there are risks, or entropies, among the unknowns."""
        return (kind, 1) in self._places or (kind, 0) in self._places

    def information(self, a: int, b: int, c: int) -> Linear:
        """Return I(a; b | c), for masks in which the class is bit n."""
        signed = (1, a | c), (1, b | c), (-1, a | b | c), (-1, c)
        return _sum((sign, self.atom("H", mask)) for sign, mask in signed)

    def facts(self) -> Iterator[Fact]:
        """Yield what is true of all distributions: monotonicity, the ends, Shannon's inequalities."""
        if self.has("R"):
            yield from self._facts_of_risks()
        if self.has("H"):
            yield from self._facts_of_entropies()

    @cached_property
    def splits(self) -> tuple[Disjunction, ...]:
        """The disjunctions that are true of all distributions with what is assumed by name."""
        kind = {1: "zero", 2: "optimal"}.get(len(self.assumed), "") if "positive" in self.assumed else ""
        pairs = itertools.combinations(range(1 << self.n), 2) if kind and self.has("R") else ()
        apart = [(s, t) for s, t in pairs if s & t not in (s, t)]
        found = [Disjunction(self._closed(kind, s, t), self, f"{kind} {s} {t}") for s, t in apart]
        if self.has("R") and self.has("H"):
            sets = range(1 << self.n)
            steps = [(s, i) for s, i in itertools.product(sets, range(self.n)) if not s >> i & 1]
            found += [Disjunction(_bridged(s, i), self, f"bridge {s} {i}") for s, i in steps]
            found += [Disjunction(_sure(s), self, f"sure {s}") for s in sets]
        return tuple(found)

    def values(self, point: Sequence[Fraction]) -> Values:
        """Return what the unknowns are at a point."""
        return dict(zip(self.atoms, point, strict=True))

    def _facts_of_risks(self) -> Iterator[Fact]:
        full, minus, classes = (1 << self.n) - 1, Fraction(-1), self.shape.classes
        top = Linear(Fraction(1) if classes is None else 1 - Fraction(1, classes))
        for mask, i in itertools.product(range(1 << self.n), range(self.n)):
            if not mask >> i & 1:
                yield ("less", mask, i), self.atom("R", mask).plus(self.atom("R", mask | 1 << i), minus), ">="
        yield ("floor",), self.atom("R", full), ">="
        yield ("ceiling",), top.plus(self.atom("R", 0), minus), ">" if classes is None else ">="
        if "unique_maximum" in self.assumed and classes is not None and classes > 1:
            yield ("maxima",), top.plus(self.atom("R", full), minus), ">"

    def _facts_of_entropies(self) -> Iterator[Fact]:
        variables = range(self.n + 1)
        every = (2 << self.n) - 1
        for i in variables:
            yield ("I", 1 << i, 1 << i, every ^ 1 << i), self.information(1 << i, 1 << i, every ^ 1 << i), ">="
        for i, j in itertools.combinations(variables, 2):
            for given in range(2 << self.n):
                if not given >> i & 1 and not given >> j & 1:
                    yield ("I", 1 << i, 1 << j, given), self.information(1 << i, 1 << j, given), ">="
        for four in itertools.permutations((1 << i for i in variables), 4) if self.beyond else ():
            if four[2] < four[3]:
                yield ("ZY", *four), self._zhang_yeung(*four), ">="

    def _zhang_yeung(self, a: int, b: int, c: int, d: int) -> Linear:
        """Return what is at least 0 of any four variables, although it does not follow from Shannon's inequalities."""
        parts = (1, (a, b, 0)), (1, (a, c | d, 0)), (3, (c, d, a)), (1, (c, d, b)), (-2, (c, d, 0))
        return _sum((times, self.information(*sets)) for times, sets in parts)

    def _closed(self, kind: str, s: int, t: int) -> tuple[Node, ...]:
        """Return that one of two subsets is not optimal, or not without risk, or both share one that is."""
        least = ("q", Fraction(0)) if kind == "zero" else _risk((1 << self.n) - 1)
        return ("<", least, _risk(s)), ("<", least, _risk(t)), ("=", _risk(s & t), least)

    def _translate(self, term: Node) -> Linear:
        kind, *parts = term
        if kind in {"R", "H"}:
            mask = sum(1 << i for i in parts[0])
            return self.atom(kind, mask | (kind == "H" and parts[1]) << self.n)
        if kind == "P":
            raise NotLinearError(str(asks_about_states("a probability")))
        return super()._translate(term)


def _given(mask: int) -> Node:
    """Return H(Y | S); the entropy of no features is 0."""
    features = _risk(mask)[1]
    return "+", ("H", features, True), ("*", ("q", Fraction(-1)), ("H", features, False))


def _bridged(s: int, i: int) -> tuple[Node, ...]:
    """Return that a feature tells something of the class, or changes no risk."""
    return ("<", _given(s | 1 << i), _given(s)), ("=", _risk(s), _risk(s | 1 << i))


def _sure(s: int) -> tuple[Node, ...]:
    """Return that the class is uncertain given a subset, in both senses, or certain in both."""
    zero = ("q", Fraction(0))
    return (
        ("and", ("<", zero, _risk(s)), ("<", zero, _given(s))),
        ("and", ("=", _risk(s), zero), ("=", _given(s), zero)),
    )


def _risk(mask: int) -> Node:
    return "R", tuple(i for i in range(mask.bit_length()) if mask >> i & 1)


def _sum(signed: Iterator[tuple[int, Linear]]) -> Linear:
    total = Linear(Fraction(0))
    for sign, form in signed:
        total = total.plus(form, Fraction(sign))
    return total


# -- Proofs for readers: informations that the chain rule makes one.


Sets: TypeAlias = "tuple[int, int, int]"
"""Masks of I(a; b | c), the smaller of a and b first; if they are one, it is H(a | c)."""

_ORDERS = 8  # in which informations are joined, of which the shortest proof is taken


class _Writer(TreeWriter):
    def _farkas(self, combination: Combination, constraints: Mapping[str, int]) -> list[list[Any]]:
        """Write a contradiction with few informations instead of many of single variables; it is verified as it is."""
        assert isinstance(self.unknowns, EverySizeUnknowns)
        elemental = {premise.reference[1:]: times for premise, times in combination if premise.reference[0] == "I"}
        rest = (pair for pair in combination if pair[0].reference[0] != "I")
        facts = joined(elemental).items()  # type: ignore[arg-type]
        own = ((Premise(("I", *sets), self.unknowns.information(*sets), ">="), times) for sets, times in facts)
        return super()._farkas((*rest, *own), constraints)


def joined(informations: Mapping[Sets, int]) -> dict[Sets, int]:
    """Return informations, times numbers above 0, that add up to the same as others, and are as few as is easy."""
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
    """Return the information that is the sum of two by the chain rule, the first of which the second goes on with.

    They are I(a; b | c) and I(a; e | b, c), or H(b | c) and H(e | b, c), or I(a; b | c) and H(a | b, c).
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
    """Return the certificate of a proof, which the checker accepts; or values at which an instance does not follow."""
    unknowns, shown = EverySizeUnknowns(statement), statement.show
    for instance in (*statement.assume, *shown):
        unknowns.require_linear(instance, statement.claim)
    stand_in = Shape((1,) * unknowns.n, 1)  # whose renamings are those of the features
    kept = invariant_under(generators(stand_in), statement.assumed)
    images = image_instances(statement.shown, kept, stand_in)
    own = [i for i, (source, _) in enumerate(images) if source == i]
    work, writer = partial(_tree, unknowns, statement.assumed), _Writer(unknowns, clock)
    found = crew.map(work, ((shown[i].formula, clock.milliseconds()) for i in own))
    proofs: list[dict[str, Any]] = []
    for i, (source, renaming) in enumerate(images):
        clock.count(i, len(images), "instances", f"{statement.claim} for {statement.shape}: proof by cases of ")
        if source != i:
            proofs.append({"image_of": source, "features": list(renaming.features)})
        elif isinstance(tree := next(found), dict):
            return shown[i], tree
        else:
            root = unknowns.case([*statement.assumed, ("not", shown[i].formula)])
            proofs.append({"tree": writer.write(root, tree)})
    evidence = {"maxima": [to_json(node) for node in writer.maxima], "proofs": proofs}
    certificate = certificate_of_proof(statement, evidence)
    check_certificate_text(certificate.to_json())
    return certificate


def contradictory(statement: Statement, clock: Clock) -> bool:
    """Say whether what is assumed contradicts itself."""
    tree = _tree(EverySizeUnknowns(statement), statement.assumed, (FALSE, clock.milliseconds()))
    return bool(statement.assume) and not isinstance(tree, dict)


def _tree(unknowns: EverySizeUnknowns, assume: Sequence[Node], chunk: Any) -> Tree | Values:
    """Return the proof of a formula in so many milliseconds, or where it does not follow."""
    formula, left = chunk
    try:
        return CaseSplit(unknowns, assume, formula, Clock(left and left / 1000, None)).tree()
    except Counterexample as error:
        return unknowns.values(error.point)
