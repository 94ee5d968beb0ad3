"""The format of certificates, word for word: an oracle that shares no code and no method with the checker.

Values are sums over ``{(x1, .., xn, y): Fraction}``. Facts are not added as linear forms: they are *evaluated* at
points, where each unknown has some value, and a combination of them is constant if it has the same value at 0 and at
every unit point. Anything unexpected (a missing key, an index out of range) is an exception, and counts as a rejection.
Whether a statement is true of all distributions of its shape, Z3 says.
"""

import functools
import importlib
import itertools
import json
import math
from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction
from typing import Any, TypeAlias

import z3

from tests import literal
from tests.logic.building import Content, Json, Node, P, digest

mpmath: Any = importlib.import_module("mpmath")
mpmath.mp.dps = 60

Point: TypeAlias = dict[Any, Fraction]
Fact: TypeAlias = tuple[str, Callable[[Point], Fraction]]
Branch: TypeAlias = tuple[list[Fact], list[list[Node]]]  # and the disjunctions that are open

HEAD = {"format", "version", "kind", "claim", "shape", "assume", "show", "digest"}
ARITY = {"*": 2, "/": 2, "log": 1, "sqrt": 1, "<": 2, "<=": 2, "=": 2, "not": 1, "implies": 2, "iff": 2}
TERMS = {"+", "*", "/", "max", "min", "log", "sqrt"}
COMPARISONS = {"<", "<=", "="}


def accepts(content: Content) -> bool:
    """Say whether a certificate is in the format and true."""
    try:
        return _accepts(content)
    except (ArithmeticError, AssertionError, AttributeError, LookupError, TypeError, ValueError):
        return False


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
    assume, show = ([named["formula"] for named in content[part]] for part in ("assume", "show"))
    if content["kind"] in {"refuted", "realized"}:
        assert set(content) == HEAD | {"weights", "total", "values"}
        return _is_true_at_weights(content, assume, *show)
    assert content["kind"] == "proved"
    assert set(content) == HEAD | {"maxima", "proofs"}
    return Proofs(content, assume, show).are_complete()


def _has_decimal(value: Json) -> bool:
    parts = value.values() if isinstance(value, dict) else value if isinstance(value, list) else []
    return isinstance(value, float) or any(map(_has_decimal, parts))


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
    if kind in COMPARISONS:
        return all(is_term(part, sizes, classes) for part in parts)
    return kind in {"and", "or", "not", "implies", "iff"} and all(is_formula(part, sizes, classes) for part in parts)


def fits(cell: tuple[int, ...], probability: Node) -> bool:
    """Say whether the event of a "P" node has a cell."""
    _, states, y = probability
    return all(wanted in (None, i) for wanted, i in zip([*states, y], cell, strict=True))


def tops(features: list[int], sizes: list[int], classes: int) -> list[Node]:
    """Return the maxima whose sum is 1 less a Bayes risk."""
    states = itertools.product(*(range(size) if i in features else [None] for i, size in enumerate(sizes)))
    return [["max", *(P(s, y) for y in range(classes))] for s in states]


# At one distribution


def value(term: Node, pmf: literal.Pmf) -> Any:
    """Return a Fraction, or 60 digits of an irrational number."""
    kind, *parts = term
    if kind == "q":
        return Fraction(parts[0])
    if kind == "P":
        return literal.probability(pmf, lambda cell: fits(cell, term))  # type: ignore[arg-type]
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
    if kind in COMPARISONS:
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
    return mpmath.mpf(number.numerator) / number.denominator if isinstance(number, Fraction) else number


def _settled(number: Any) -> Any:
    """Return the Fraction that an irrational operation led to, sqrt(2) * sqrt(2) say, if it is a simple one."""
    if isinstance(number, Fraction):
        return number
    near = Fraction(int(mpmath.nint(number * 5040)), 5040)
    return near if abs(_real(near) - number) < mpmath.mpf(10) ** -40 else number


def _is_true_at_weights(content: Content, assume: list[Node], shown: Node) -> bool:
    cells = list(itertools.product(*map(range, [*content["shape"]["cardinalities"], content["shape"]["classes"]])))
    weights = [functools.reduce(lambda part, i: part[i], cell, content["weights"]) for cell in cells]
    assert all(map(is_index, weights))
    assert _leaves(content["weights"]) == weights
    assert (type(content["total"]), sum(weights), math.gcd(*weights)) == (int, content["total"], 1)
    pmf: literal.Pmf = {cell: Fraction(w, content["total"]) for cell, w in zip(cells, weights, strict=True)}
    assert all(truth(formula, pmf) for formula in assume)
    assert truth(shown, pmf) is (content["kind"] == "realized")
    terms = dict.fromkeys(map(json.dumps, _sides(shown)))
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


def _leaves(weights: Json) -> list[Json]:
    return [leaf for part in weights for leaf in _leaves(part)] if isinstance(weights, list) else [weights]


def _sides(formula: Node) -> Iterator[Node]:
    for part in formula[1:]:
        yield from [part] if formula[0] in COMPARISONS else _sides(part)


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
            within = (mass for (what, cell), mass in point.items() if what == "p" and fits(cell, term))
            return sum(within, Fraction(0))
        if kind == "R":
            return 1 - sum((self.at(top, point) for top in tops(parts[0], self.sizes, self.classes)), Fraction(0))
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
        text = json.dumps(term)  # a maximum is named after its arguments, not after the way in which they are written
        unknown = ("M", text if "m" in text[5:] or "R" in text else self._named(text))
        self.unknowns.add(unknown)
        return point.get(unknown, Fraction(0))

    @functools.cache  # noqa: B019 (lives as long as one check)
    def _named(self, text: str) -> str:
        points: list[Point] = [{}, *({("p", cell): Fraction(1)} for cell in self.table)]
        return "; ".join(",".join(str(self.at(part, point)) for point in points) for part in json.loads(text)[1:])

    # Branches

    def asserted(self, formula: Node, branch: Branch) -> Branch:
        """Return a branch with what a formula says."""
        facts, opened = branch
        kind, *parts = normal(formula)
        if kind in COMPARISONS:
            left, right = parts
            self.at(left, {}), self.at(right, {})
            return [*facts, (kind.replace("<", ">"), self.above(right, left))], opened
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
            return ">=", self.above(["+", *own], top)
        (parts,) = rest
        assert type(parts) is list
        assert all(map(is_index, parts))
        others = [self.maxima[number] for number in parts]
        assert [len(own)] * len(others) == [len(other) - 1 for other in others] != []
        excess = [self.above(["+", *(other[1 + j] for other in others)], part) for j, part in enumerate(own)]
        assert all(form({}) == 0 for form in excess)  # notes all unknowns
        assert all(form({unknown: Fraction(1)}) == 0 for form in excess for unknown in self.unknowns)
        return ">=", self.above(["+", *others], top)

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


def normal(formula: Node) -> Node:
    """Return a comparison, an "and" or an "or" of at least two parts (or none) that says the same."""
    kind, *parts = formula
    if kind == "not":
        return normal(denied(*parts[0]))
    if kind == "implies":
        return ["or", ["not", parts[0]], parts[1]]
    if kind == "iff":
        a, b = parts
        return ["or", ["and", a, b], ["and", ["not", a], ["not", b]]]
    return ["and", *parts] if kind == "or" and len(parts) == 1 else formula


def denied(kind: str, *parts: Node) -> Node:
    """Return what says that a formula is false."""
    if kind == "not":
        return list(parts[0])
    if kind in {"and", "or"}:
        return ["or" if kind == "and" else "and", *(["not", part] for part in parts)]
    a, b = parts
    if kind in {"<", "<="}:
        return ["<=" if kind == "<" else "<", b, a]
    if kind == "=":
        return ["or", ["<", a, b], ["<", b, a]]
    either = ["and", a, ["not", b]]
    return either if kind == "implies" else ["or", either, ["and", ["not", a], b]]


def is_valid(content: Content) -> bool:
    """Ask Z3 whether the assumptions imply every formula to show, from the definitions."""
    sizes, classes = content["shape"]["cardinalities"], content["shape"]["classes"]
    masses = {cell: z3.Real(f"p{cell}") for cell in itertools.product(*map(range, (*sizes, classes)))}
    solver = z3.Solver()
    solver.add(*(mass >= 0 for mass in masses.values()), z3.Sum(list(masses.values())) == 1)

    def read(node: Node) -> Any:
        kind, *parts = node
        if kind == "q":
            return z3.Q(*map(int, (parts[0] + "/1").split("/")[:2]))
        if kind == "P":
            return z3.Sum([z3.RealVal(0), *(mass for cell, mass in masses.items() if fits(cell, node))])
        if kind == "R":
            return 1 - z3.Sum(list(map(read, tops(parts[0], sizes, classes))))
        return _Z3[kind](*map(read, parts))

    solver.add(*(read(named["formula"]) for named in content["assume"]))
    solver.add(z3.Not(z3.And([read(named["formula"]) for named in content["show"]])))
    answer = str(solver.check())
    assert answer in {"sat", "unsat"}
    return answer == "unsat"


_Z3: dict[str, Callable[..., Any]] = {
    "+": lambda *terms: z3.Sum([z3.RealVal(0), *terms]), "*": lambda a, b: a * b, "/": lambda a, b: a / b,
    "max": lambda *terms: functools.reduce(lambda a, b: z3.If(b > a, b, a), terms),
    "min": lambda *terms: functools.reduce(lambda a, b: z3.If(b < a, b, a), terms),
    "<": lambda a, b: a < b, "<=": lambda a, b: a <= b, "=": lambda a, b: a == b, "iff": lambda a, b: a == b,
    "and": lambda *parts: z3.And(parts), "or": lambda *parts: z3.Or(parts), "not": z3.Not, "implies": z3.Implies,
}  # fmt: skip
