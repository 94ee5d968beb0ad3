"""The format of certificates, word for word: an oracle that shares no code and no method with the checker.

Values are sums over ``{(x1, .., xn, y): Fraction}``. Facts are not added as linear forms: they are *evaluated* at
points, where each unknown has some value, and a combination of them is constant if it has the same value at 0 and at
every unit point. Anything unexpected (a missing key, an index out of range) is an exception, and counts as a rejection.
"""

import functools
import importlib
import itertools
import json
import math
from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction
from typing import Any, TypeAlias

from tests import literal
from tests.logic.building import Content, Json, Node, P, digest, normal

mpmath: Any = importlib.import_module("mpmath")

Point: TypeAlias = dict[Any, Fraction]
Fact: TypeAlias = tuple[str, Callable[[Point], Fraction]]
Branch: TypeAlias = tuple[list[Fact], list[list[Node]]]  # and the disjunctions that are open

HEAD = {"format", "version", "kind", "claim", "shape", "assume", "show", "digest"}
ARITY = {"*": 2, "/": 2, "log": 1, "sqrt": 1, "<": 2, "<=": 2, "=": 2, "not": 1, "implies": 2, "iff": 2}
TERMS = {"+", "*", "/", "max", "min", "log", "sqrt"}


def accepts(content: Content) -> bool:
    """Say whether a certificate is in the format and true."""
    try:
        return _accepts(content)
    except (ArithmeticError, AssertionError, AttributeError, LookupError, TypeError, ValueError):
        return False


def _has_decimal(value: Json) -> bool:
    parts = value.values() if isinstance(value, dict) else value if isinstance(value, list) else []
    return isinstance(value, float) or any(map(_has_decimal, parts))


def _accepts(content: Content) -> bool:
    assert not _has_decimal(content)
    head = content["format"], type(content["version"]), content["version"], content["digest"]
    assert head in {("fstheory certificate", int, version, digest(content)) for version in (1, 2)}
    assert is_name(content["claim"])
    sizes, classes = content["shape"]["cardinalities"], content["shape"]["classes"]
    assert set(content["shape"]) == {"cardinalities", "classes"}
    assert all(type(size) is int and size > 0 for size in (*sizes, classes))
    assert type(sizes) is list
    for part in ("assume", "show"):
        assert type(content[part]) is list
        for named in content[part]:
            assert set(named) == {"name", "where", "formula"}
            assert type(named["where"]) is dict
            assert is_name(named["name"])
            assert is_formula(named["formula"], sizes, classes)
    assume = [named["formula"] for named in content["assume"]]
    show = [named["formula"] for named in content["show"]]
    if content["kind"] in {"refuted", "realized"}:
        assert set(content) == HEAD | {"weights", "total", "values"}
        return _is_true_at_weights(content, assume, *show)
    assert content["kind"] == "proved"
    assert set(content) == HEAD | {"maxima", "proofs"}
    return Proofs(content, assume, show).are_complete()


# Nodes


def is_name(value: Json) -> bool:
    return isinstance(value, str) and value.isprintable() and value != ""


def is_index(value: Json) -> bool:
    return type(value) is int and value >= 0


def is_rational(value: Json) -> bool:
    return type(value) is str and not set(value) - set("-0123456789/") and str(Fraction(value)) == value


def is_term(node: Json, sizes: list[int], classes: int) -> bool:
    assert type(node) is list
    kind, *parts = node
    if kind == "q":
        return len(parts) == 1 and is_rational(parts[0])
    if kind == "P":
        states, y = parts
        pairs = zip([*states, y], [*sizes, classes], strict=True)
        return type(states) is list and all(i is None or (type(i) is int and 0 <= i < c) for i, c in pairs)
    if kind in {"R", "H"}:
        assert list(map(type, parts)) == ([list] if kind == "R" else [list, bool])
        assert all(type(i) is int and 0 <= i < len(sizes) for i in parts[0])
        return bool(sorted(set(parts[0])) == parts[0])
    assert len(parts) == ARITY.get(kind, len(parts) or int(kind != "+"))
    return kind in TERMS and all(is_term(part, sizes, classes) for part in parts)


def is_formula(node: Json, sizes: list[int], classes: int) -> bool:
    assert type(node) is list
    kind, *parts = node
    assert len(parts) == ARITY.get(kind, len(parts))
    if kind in {"<", "<=", "="}:
        return all(is_term(part, sizes, classes) for part in parts)
    return kind in {"and", "or", "not", "implies", "iff"} and all(is_formula(part, sizes, classes) for part in parts)


def sides(formula: Node) -> Iterator[Node]:
    """Yield both sides of every comparison."""
    for part in formula[1:]:
        yield from [part] if formula[0] in {"<", "<=", "="} else sides(part)


# At one distribution


def pmf_of(weights: Json, total: int) -> literal.Pmf:
    """Return the probabilities of the cells of nested weights."""

    def cells(part: Json, cell: tuple[int, ...]) -> Iterator[tuple[tuple[int, ...], int]]:
        if isinstance(part, list):
            for i, inner in enumerate(part):
                yield from cells(inner, (*cell, i))
        else:
            yield cell, part

    return {cell: Fraction(weight, total) for cell, weight in cells(weights, ())}


def value(term: Node, pmf: literal.Pmf) -> Any:
    """Return a Fraction, or 60 digits of an irrational number."""
    kind, *parts = term
    if kind == "q":
        return Fraction(parts[0])
    if kind == "P":
        wanted = [*parts[0], parts[1]]
        return literal.probability(pmf, lambda c: all(w in (None, i) for w, i in zip(wanted, c, strict=True)))
    if kind == "R":
        return literal.bayes_risk(pmf, parts[0])
    if kind == "H":
        kept = [*parts[0], *([-1] if parts[1] else [])]
        masses: dict[Any, Fraction] = {}
        for cell, p in pmf.items():
            masses[literal.project(cell, kept)] = masses.get(literal.project(cell, kept), Fraction(0)) + p
        return sum((-_real(p) * mpmath.log(_real(p)) for p in masses.values() if 0 < p < 1), Fraction(0))
    values = [value(part, pmf) for part in parts]
    if kind == "+":
        return sum(values, Fraction(0)) if _rational(values) else mpmath.fsum(map(_real, values))
    if kind == "*":
        return values[0] * values[1] if _rational(values) else _real(values[0]) * _real(values[1])
    if kind in {"max", "min"}:
        return (max if kind == "max" else min)(values, key=_real)
    if kind == "/":
        assert _rational(values[1:])
        if values[1] == 0:
            assert values[0] == 0
            return Fraction(0)
        return values[0] / values[1] if _rational(values) else values[0] / _real(values[1])
    assert _rational(values)
    assert values[0] >= 0
    if kind == "sqrt":
        root = Fraction(math.isqrt(values[0].numerator), math.isqrt(values[0].denominator))
        return root if root * root == values[0] else mpmath.sqrt(_real(values[0]))
    assert values[0] > 0
    return Fraction(0) if values[0] == 1 else mpmath.log(_real(values[0]))


def truth(formula: Node, pmf: literal.Pmf) -> bool:
    """Decide a formula, from the left."""
    kind, *parts = formula
    if kind in {"<", "<=", "="}:
        a, b = (value(part, pmf) for part in parts)
        difference = _real(a) - _real(b)
        equal = a == b if _rational([a, b]) else abs(difference) < mpmath.mpf(10) ** -40
        return bool(equal) if kind == "=" else bool((kind == "<=" and equal) or (not equal and difference < 0))
    if kind in {"and", "or"}:
        return (all if kind == "and" else any)(truth(part, pmf) for part in parts)
    first = truth(parts[0], pmf)
    if kind == "not":
        return not first
    return first == truth(parts[1], pmf) if kind == "iff" else not first or truth(parts[1], pmf)


def _rational(values: Iterable[Any]) -> bool:
    return all(isinstance(v, Fraction) for v in values)


def _real(number: Any) -> Any:
    mpmath.mp.dps = 60
    return mpmath.mpf(number.numerator) / number.denominator if isinstance(number, Fraction) else number


def _settled(number: Any) -> Any:
    """Return the Fraction that an irrational operation led to, sqrt(2) * sqrt(2) say, if it is a simple one."""
    if isinstance(number, Fraction):
        return number
    near = Fraction(int(mpmath.nint(number * 5040)), 5040)
    return near if abs(_real(near) - number) < mpmath.mpf(10) ** -40 else number


def _is_true_at_weights(content: Content, assume: list[Node], shown: Node) -> bool:
    pmf = pmf_of(content["weights"], content["total"])
    axes = [*content["shape"]["cardinalities"], content["shape"]["classes"]]
    assert _axes(content["weights"]) == axes
    weights = [p * content["total"] for p in pmf.values()]
    assert set(pmf) == set(itertools.product(*map(range, axes)))
    assert not set('".etfn') & set(json.dumps([content["weights"], content["total"]]))
    assert min(weights) >= 0
    assert (sum(weights), math.gcd(*map(int, weights))) == (content["total"], 1)
    assert all(truth(formula, pmf) for formula in assume)
    assert truth(shown, pmf) is (content["kind"] == "realized")
    terms = dict.fromkeys(map(json.dumps, sides(shown)))
    assert [json.dumps(term) for term, _ in content["values"]] == list(terms)
    for term, written in content["values"]:
        exact = _settled(value(term, pmf))
        if isinstance(exact, Fraction):
            assert written == str(exact)
        else:
            assert all(map(is_rational, written))
            low, high = map(Fraction, written)
            assert _real(low) < exact < _real(high)
            assert high - low <= Fraction(1, 10**12)
    return True


def _axes(weights: Json) -> list[int]:
    return [len(weights), *_axes(weights[0])] if isinstance(weights, list) else []


# For all distributions


class Proofs:
    """The proofs of one certificate."""

    def __init__(self, content: Content, assume: list[Node], show: list[Node]) -> None:
        self.sizes, self.classes = content["shape"]["cardinalities"], content["shape"]["classes"]
        self.table = list(itertools.product(*map(range, (*self.sizes, self.classes))))
        self.assume, self.show = assume, show
        self.maxima, self.proofs = content["maxima"], content["proofs"]
        self.unknowns: set[Any] = {("p", cell) for cell in self.table}
        assert type(self.maxima) is list
        for node in self.maxima:
            assert node[0] == "max"
            assert is_term(node, self.sizes, self.classes)
            self.at(node, {})

    def are_complete(self) -> bool:
        assert type(self.proofs) is list
        assert len(self.proofs) == len(self.show)
        for i, proof in enumerate(self.proofs):
            if set(proof) == {"tree"}:
                branch = self.asserted(["and", *self.assume, ["not", self.show[i]]], ([], []))
                assert self.is_closed(proof["tree"], branch)
            else:
                assert self.is_image(i, proof)
        return True

    # Terms, at a point

    def at(self, term: Node, point: Point) -> Fraction:
        """Evaluate a term where unknowns have these values, the others 0; note which unknowns there are."""
        kind, *parts = term
        if kind == "q":
            return Fraction(parts[0])
        if kind == "P":
            wanted = [*parts[0], parts[1]]
            cells = (cell for kind, cell in point if kind == "p")
            within = (cell for cell in cells if all(w in (None, i) for w, i in zip(wanted, cell, strict=True)))
            return sum((point["p", cell] for cell in within), Fraction(0))
        if kind == "R":
            tops = [["max", *(P(s, y) for y in range(self.classes))] for s in self.states(parts[0])]
            return 1 - sum((self.at(top, point) for top in tops), Fraction(0))
        if kind == "+":
            return sum((self.at(part, point) for part in parts), Fraction(0))
        if kind == "*":
            assert any(not set(json.dumps(part)) & set("PRHm") for part in parts), "no factor is a constant"
            return self.at(parts[0], point) * self.at(parts[1], point)
        if kind == "/":
            assert not set(json.dumps(parts[1])) & set("PRHm")
            return self.at(parts[0], point) / self.at(parts[1], point)
        if kind == "min":
            return -self.at(["max", *(["*", ["q", "-1"], part] for part in parts)], point)
        assert kind == "max"
        values = [self.at(part, point) for part in parts]
        if all(part[0] == "q" for part in parts):
            return max(values)
        unknown = ("M", self.named(term))
        self.unknowns.add(unknown)
        return point.get(unknown, Fraction(0))

    @functools.cache  # noqa: B019 (lives as long as one check)
    def _named(self, text: str) -> str:
        points: list[Point] = [{}, *({("p", cell): Fraction(1)} for cell in self.table)]
        return "; ".join(",".join(str(self.at(part, point)) for point in points) for part in json.loads(text)[1:])

    def named(self, top: Node) -> str:
        """Name a maximum after its arguments, not after the way in which these are written."""
        text = json.dumps(top)
        return text if "m" in text[5:] or "R" in text else self._named(text)

    def states(self, features: list[int]) -> Iterator[tuple[int | None, ...]]:
        return itertools.product(*(range(c) if i in features else [None] for i, c in enumerate(self.sizes)))

    # Branches

    def asserted(self, formula: Node, branch: Branch) -> Branch:
        """Return a branch with what a formula says."""
        facts, opened = branch
        kind, *parts = normal(formula)
        if kind in {"<", "<=", "="}:
            left, right = parts
            relation = {"<": ">", "<=": ">=", "=": "="}[kind]
            self.at(left, {}), self.at(right, {})
            return [*facts, (relation, lambda point: self.at(right, point) - self.at(left, point))], opened
        if kind == "and":
            return functools.reduce(lambda found, part: self.asserted(part, found), parts, branch)
        return facts, [*opened, parts]

    def is_closed(self, tree: Json, branch: Branch) -> bool:
        facts, opened = branch
        if set(tree) == {"farkas"}:
            return self.is_contradiction(tree["farkas"], facts)
        assert set(tree) == {"split", "cases"}
        kind, number = tree["split"]
        assert type(tree["cases"]) is list
        assert is_index(number)
        if kind == "or":
            branches = [self.asserted(part, branch) for part in opened[number]]
        else:
            assert kind == "max"
            top = self.maxima[number]
            branches = [([*facts, ("=", self.above(top, part))], opened) for part in top[1:]]
        assert len(tree["cases"]) == len(branches)
        return all(self.is_closed(*pair) for pair in zip(tree["cases"], branches, strict=True))

    def above(self, top: Node, part: Node) -> Callable[[Point], Fraction]:
        return lambda point: self.at(top, point) - self.at(part, point)

    def is_contradiction(self, pairs: Json, facts: list[Fact]) -> bool:
        assert type(pairs) is list
        assert len({json.dumps(reference) for reference, _ in pairs}) == len(pairs)
        used = [(self.fact(reference, facts), Fraction(text)) for reference, text in pairs]
        assert all(is_rational(text) for _, text in pairs)
        assert all(factor > 0 or (relation == "=" and factor != 0) for (relation, _), factor in used)

        def total(point: Point) -> Fraction:
            return sum((factor * form(point) for (_, form), factor in used), Fraction(0))

        constant = total({})
        assert all(total({unknown: Fraction(1)}) == constant for unknown in self.unknowns)
        return constant < 0 or (constant == 0 and any(relation == ">" for (relation, _), _ in used))

    def fact(self, reference: Json, facts: list[Fact]) -> Fact:
        if reference == "total":
            return "=", lambda point: sum((point.get(("p", cell), Fraction(0)) for cell in self.table), Fraction(-1))
        if type(reference) is list and reference[0] in {"sum", "whole"}:
            return self.bound(*reference)
        assert all(map(is_index, [reference] if type(reference) is int else reference[1:]))
        if type(reference) is int:
            return facts[reference]
        if reference[0] == "p":
            (cell,) = (self.table[number] for number in reference[1:])
            return ">=", lambda point: point.get(("p", cell), Fraction(0))
        kind, k, j = reference
        assert kind == "M"
        return ">=", self.above(self.maxima[k], self.maxima[k][1:][j])

    def bound(self, kind: str, k: Json, *rest: Json) -> Fact:
        """Return that a maximum is at most the sum of its arguments, or of maxima whose arguments add up to its own."""
        assert is_index(k)
        top, own = self.maxima[k], self.maxima[k][1:]
        if kind == "whole":
            assert not rest
            for part in own:
                assert self.at(part, {}) == 0
                values = {unknown: self.at(part, {unknown: Fraction(1)}) for unknown in sorted(self.unknowns)}
                assert all(value >= 0 if unknown[0] == "p" else value == 0 for unknown, value in values.items())
            return ">=", lambda point: sum((self.at(part, point) for part in own), Fraction(0)) - self.at(top, point)
        (parts,) = rest
        assert type(parts) is list
        assert all(map(is_index, parts))
        others = [self.maxima[number] for number in parts]
        assert [len(own)] * len(others) == [len(other) - 1 for other in others] != []

        def excess(j: int, point: Point) -> Fraction:
            return sum((self.at(other[1 + j], point) for other in others), -self.at(own[j], point))

        assert all(excess(j, {}) == 0 for j in range(len(own)))  # notes all unknowns
        points = [{unknown: Fraction(1)} for unknown in self.unknowns]
        assert all(excess(j, point) == 0 for j, point in itertools.product(range(len(own)), points))
        return ">=", lambda point: sum((self.at(other, point) for other in others), -self.at(top, point))

    # Renamed proofs

    def is_image(self, i: int, proof: Json) -> bool:
        assert set(proof) == {"image_of", "features", "states", "classes"}
        source, features = proof["image_of"], proof["features"]
        permutations = [(features, len(self.sizes)), (proof["classes"], self.classes)]
        permutations += zip(proof["states"], self.sizes, strict=True)
        for images, size in permutations:
            assert sorted(images) == list(range(size))
            assert all(map(is_index, images))
        assert [self.sizes[feature] for feature in features] == self.sizes
        assert is_index(source)
        assert "tree" in self.proofs[:i][source]

        def renamed(node: Node) -> Node:
            kind, *parts = node
            if kind == "q":
                return node
            if kind in {"R", "H"}:
                return [kind, sorted(features[f] for f in parts[0]), *parts[1:]]
            if kind == "P":
                states: list[int | None] = [None] * len(self.sizes)
                for f, state in enumerate(parts[0]):
                    states[features[f]] = None if state is None else proof["states"][f][state]
                return P(states, None if parts[1] is None else proof["classes"][parts[1]])
            return [kind, *map(renamed, parts)]

        same = ordered(renamed(self.show[source])) == ordered(self.show[i])
        images = {ordered(renamed(formula)) for formula in self.assume}
        return same and images == set(map(ordered, self.assume))


def ordered(node: Node) -> str:
    """Return the JSON text of a node with the arguments in order where their order means nothing."""
    kind, *parts = node
    if kind in {"q", "P", "R", "H"}:
        return json.dumps(node)
    texts = [ordered(part) for part in parts]
    if kind in {"and", "or", "=", "iff", "+", "*", "max", "min"}:
        texts.sort()
    return json.dumps([kind, *texts])
