"""Proofs for all distributions: trees of cases. Each case ends in a contradiction."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from fractions import Fraction
from functools import partial
from typing import Any, TypeAlias

from fstheory.checker.every_size import EverySizeSpace, criterion_of, risk_of
from fstheory.checker.forms import Forms, is_constant
from fstheory.checker.kinds import FACTS, SPLITS, built, entry
from fstheory.checker.reading import SampleSpace, bounded, list_of, object_with, rational, read_node, require, whole
from fstheory.checker.statement import COMPARISONS, LEAVES, ONE, RELATIONS, Fact, Form, Node

# The facts of a branch, and the disjunctions in it that may still be split.
Branch: TypeAlias = "tuple[tuple[Fact, ...], tuple[Node, ...]]"

EXCHANGEABLE = {"and", "or", "=", "iff", "+", "*", "max", "min"}

# The formula that means the same as a formula or as its negation, where "not" stands one step further inwards.
_UNFOLDED: dict[str, Callable[..., Node]] = {
    "implies": lambda a, b: ("or", ("not", a), b),
    "iff": lambda a, b: ("or", ("and", a, b), ("and", ("not", a), ("not", b))),
    "not <": lambda a, b: ("<=", b, a),
    "not <=": lambda a, b: ("<", b, a),
    "not =": lambda a, b: ("or", ("<", a, b), ("<", b, a)),
    "not not": lambda a: a,
    "not and": lambda *parts: ("or", *(("not", part) for part in parts)),
    "not or": lambda *parts: ("and", *(("not", part) for part in parts)),
    "not implies": lambda a, b: ("and", a, ("not", b)),
    "not iff": lambda a, b: ("or", ("and", a, ("not", b)), ("and", ("not", a), b)),
}


def unfolded(formulas: Iterable[Node]) -> tuple[list[Node], int]:
    """Return, in order, the comparisons and the disjunctions (of no part or of several) that formulas mean together.

    A comparison of conditional probabilities becomes a disjunction; see `undivided`. The second answer is the number of
    steps that this took.
    """
    waiting, found, steps = list(formulas)[::-1], list[Node](), 0
    while waiting:
        kind, *parts = node = waiting.pop()
        steps += 1 + len(parts)
        if kind == "and" or (kind == "or" and len(parts) == 1):
            waiting += reversed(parts)
        elif kind == "or":
            found.append(node)
        elif kind in COMPARISONS:
            found.append(undivided(node) or node)
        else:
            waiting.append(unfolded_once(node))
    return found, steps


def unfolded_once(node: Node) -> Node:
    """Return what a negation, an implication or an equivalence means, with "not" one step further inwards."""
    kind, *parts = node
    return _UNFOLDED[f"not {parts[0][0]}"](*parts[0][1:]) if kind == "not" else _UNFOLDED[kind](*parts)


def undivided(comparison: Node) -> Node | None:
    """Return a comparison with quotients as a disjunction in which a divisor b is multiplied out, or else None.

    The cases are b > 0, b < 0 and b = 0. In the last one each quotient by b is 0, because 0 / 0 counts as 0, or a
    numerator is not 0. There the comparison has no meaning, and a proof must show that this does not occur.
    """
    kind, *sides = comparison
    if found := of_one_condition(comparison):
        return found
    b = next((b for side in sides for b in _divisors(side)), None)
    if b is None:
        return None
    zero: Node = ("+",)
    minus: Node = ("*", ("q", Fraction(-1)), b)
    above, below = ((kind, *(_cleared(side, b, times) for side in sides)) for times in (b, minus))
    meaningless = [("not", ("=", x, zero)) for side in sides for x in _numerators(side, b)]
    nothing: Node = ("or", (kind, *(_without(side, b) for side in sides)), *meaningless)
    return "or", ("and", ("<", zero, b), above), ("and", ("<", b, zero), below), ("and", ("=", b, zero), nothing)


def _parts(term: Node) -> Node:
    """Return the parts of a term. A logarithm or root is not taken apart."""
    return () if term[0] in {*LEAVES, "log", "sqrt"} else term[1:]


def _divisors(term: Node) -> Iterator[Node]:
    """Yield the divisors of a term that are not numbers. A divisor in a divisor comes first."""
    for part in _parts(term):
        yield from _divisors(part)
    if term[0] == "/" and not _is_number(term[2]):
        yield term[2]


def _numerators(term: Node, b: Node) -> Iterator[Node]:
    """Yield the terms that are divided by b."""
    for part in _parts(term):
        yield from _numerators(part, b)
    if term[0] == "/" and term[2] == b:
        yield term[1]


def _without(term: Node, b: Node) -> Node:
    """Return a term in which the quotients by b are 0."""
    if term[0] == "/" and term[2] == b:
        return ("+",)
    return (term[0], *(_without(part, b) for part in term[1:])) if _parts(term) else term


def _cleared(term: Node, b: Node, times: Node) -> Node:
    """Return a term multiplied by a number above 0, which is b or -b."""
    kind, *parts = term
    if not any(True for _ in _numerators(term, b)):
        return ("*", term, times)
    if kind == "/" and parts[1] == b:
        return parts[0] if times == b else ("*", ("q", Fraction(-1)), parts[0])
    if kind in {"+", "max", "min"}:
        return (kind, *(_cleared(part, b, times) for part in parts))
    if any(True for _ in _numerators(parts[0], b)):
        return (kind, _cleared(parts[0], b, times), parts[1])
    if kind == "/":  # b stands in a divisor: (x / y) b is (x b b) / (y b)
        return (kind, ("*", ("*", parts[0], times), times), _cleared(parts[1], b, times))
    return (kind, parts[0], _cleared(parts[1], b, times))


def of_one_condition(comparison: Node) -> Node | None:
    """Return a comparison of probabilities given one condition b, multiplied by b. Return None for other comparisons.

    If b has probability 0, the conditional probabilities are 0.
    """
    kind, *sides = comparison
    conditions = {condition for side in sides for condition in _conditions(side)}
    if len(conditions) != 1 or (b := conditions.pop())[0] != "P" or None in (found := [_times(x, b) for x in sides]):
        return None
    (left, least), (right, most) = (pair for pair in found if pair)
    zero: Node = ("+",)
    return "or", ("and", ("<", zero, b), (kind, left, right)), ("and", ("=", b, zero), (kind, least, most))


def _is_number(term: Node) -> bool:
    return term[0] == "q" or (term[0] not in LEAVES and all(map(_is_number, term[1:])))


def _conditions(term: Node) -> Iterator[Node]:
    """Yield the divisors of a term that are not numbers."""
    if term[0] not in LEAVES:
        yield from (condition for part in term[1:] for condition in _conditions(part))
        if term[0] == "/" and not _is_number(term[2]):
            yield term[2]


def _times(term: Node, b: Node) -> tuple[Node, Node] | None:
    """Return a term multiplied by b, and its value if b is 0.

    Return None unless b cancels in every part but numbers.
    """
    kind, *parts = term
    if _is_number(term):
        return ("*", term, b), term
    if kind == "/" and parts[1] == b:
        return (parts[0], ("+",)) if _is_within(parts[0], b) else None
    if kind in {"*", "/"} and sum(map(_is_number, parts)) == 1:
        found = [(part, part) if _is_number(part) else _times(part, b) for part in parts]
    elif kind in {"+", "max", "min"}:
        found = [_times(part, b) for part in parts]
    else:
        return None
    pairs = [pair for pair in found if pair]
    return ((kind, *(left for left, _ in pairs)), (kind, *(right for _, right in pairs))) if None not in found else None


def _is_within(term: Node, b: Node) -> bool:
    """Return whether a term is a sum of probabilities of parts of b. Then it is 0 if b has probability 0."""
    if term[0] == "+":
        return all(_is_within(part, b) for part in term[1:])
    pairs = zip((*term[1], term[2]), (*b[1], b[2]), strict=True) if term[0] == "P" else [(None, 0)]
    return all(fixed in (None, own) for own, fixed in pairs)


class Cases(Forms):
    """A checker of trees of cases. Each case ends in a contradiction."""

    def __init__(
        self,
        shape: SampleSpace | EverySizeSpace,
        maxima: Node,
        observe: Callable[[Fact, Form, Form], None] = lambda _fact, _left, _right: None,
    ) -> None:
        super().__init__(shape)
        self._observe = observe
        self.disjunctions: Sequence[Node] = ()  # of the branch that is split
        self.facts: tuple[Fact, ...] = ()  # of the branch that is closed
        self._bounds: dict[tuple[int, tuple[int, ...] | None], Fact | None] = {}
        self.tops = [read_node(node, "term", shape, f"maxima[{k}]") for k, node in enumerate(maxima)]
        for k, node in enumerate(self.tops):
            require(node[0] == "max", f"maxima[{k}]", "a 'max' node", node)
        self.maxima = [(self.form(node), tuple(self.form(part) for part in node[1:])) for node in self.tops]
        self._known |= zip(self.tops, (top for top, _ in self.maxima), strict=True)

    def extend(self, formulas: Iterable[Node], branch: Branch) -> Branch:
        """Add formulas to a branch, in order. Comparisons become facts; disjunctions wait to be split."""
        facts, disjunctions = list(branch[0]), list(branch[1])
        nodes, steps = unfolded(formulas)
        for node in nodes:
            if node[0] == "or":
                disjunctions.append(node[1:])
            else:
                facts.append(self._compared(*node))
        self.shape.spend(steps + 1 + (len(facts) + len(disjunctions)) // 10)
        return tuple(facts), tuple(disjunctions)

    def _compared(self, kind: str, left: Node, right: Node) -> Fact:
        sides = self.form(left), self.form(right)
        fact = kind.replace("<", ">"), self.sum([(1, sides[1]), (-1, sides[0])])
        self._observe(fact, *sides)
        return fact

    def close(self, tree: Any, branch: Branch, given: Node, place: str) -> int:
        """Require a contradiction in every case below a branch, and return the number of cases."""
        facts, disjunctions = branch
        if type(tree) is dict and "farkas" in tree:
            self._contradict(tree, facts, place)
            return 1
        object_with(["split", "cases"], tree, place)
        parts = self.parts(tree["split"], disjunctions, f"{place}.split")
        leaves = 0
        self.shape.spend(len(parts) * (1 + len(facts) // 10))  # each case has a copy of the facts
        cases = list_of(len(parts), tree["cases"], f"{place}.cases")
        for i, case in enumerate(cases):
            where = f"{place}.cases[{i}]"
            if type(case) is dict and "image_of" in case:
                self.require_image(case, cases[:i], parts, given, where, f"{place}.cases")
            else:
                leaves += self.close(case, self.extend([parts[i]], branch), (*given, parts[i]), where)
        return leaves

    def parts(self, split: Any, disjunctions: Sequence[Node], place: str) -> Node:
        """Return the formulas of a split. At least one of them is true."""
        self.disjunctions = disjunctions
        found: Node = built(SPLITS, [self, self.shape], split, place)
        return found

    def require_image(
        self, proof: dict[str, Any], before: Node, formulas: Sequence[Node], given: Sequence[Node], place: str, of: str
    ) -> None:
        """Require that a renaming maps the statement of an earlier proof to this one.

        The renaming leaves the given formulas as they are. The earlier proof is no image itself.
        """
        source, i = whole(0, len(before), proof["image_of"], f"{place}.image_of"), len(before)
        require("image_of" not in before[source], f"{place}.image_of", "the number of a tree", source)
        rename = renaming(proof, self.shape, place)
        image, *others = (canonical(formula, rename) for formula in [formulas[source], *given])
        self.shape.spend(2 * (len(image) + sum(map(len, others))))
        require(image == canonical(formulas[i]), place, f"a renaming of {of}[{source}] into {of}[{i}]", image)
        kept = set(others) == set(map(canonical, given))
        require(kept, place, "a renaming of the assumptions into themselves", "into others")

    def _contradict(self, tree: Any, facts: tuple[Fact, ...], place: str) -> None:
        """Require that the facts, times their multipliers, add up to a false statement about a constant: c > 0, say."""
        pairs, place = object_with(["farkas"], tree, place)["farkas"], f"{place}.farkas"
        read = [list_of(2, pair, place) for pair in list_of(None, pairs, place)]
        multipliers = [rational(written, place) for _, written in read]
        found = [self.fact(reference, facts, place) for reference, _ in read]
        used: dict[Any, tuple[Fraction, Form]] = {}
        strict, common = False, 1
        for (reference, written), multiplier, (relation, form) in zip(read, multipliers, found, strict=True):
            require(reference not in used, place, "without facts that are used twice", reference)
            allowed = multiplier > 0 or (multiplier < 0 and relation == "=")
            require(allowed, place, "with multipliers above 0, or not 0 for equations", (reference, written))
            used[reference] = multiplier, form
            strict = strict or relation == ">"
            common = bounded(math.lcm(common, multiplier.denominator))
        total = self.sum((int(multiplier * common), form) for multiplier, form in used.values())
        require(is_constant(total), place, "multipliers under which all unknowns cancel", pairs)
        constant = total.get(ONE, 0)
        left = f"{Fraction(constant) / common} {'>' if strict else '>='} 0"
        require(constant < 0 or (constant == 0 and strict), place, "a contradiction", left)

    def fact(self, reference: Any, facts: tuple[Fact, ...], place: str) -> Fact:
        """Return a fact of the branch by its number, a product of facts, or a fact about every distribution."""
        self.facts = facts
        if type(reference) is int and 0 <= reference < len(facts):  # as most are
            return facts[reference]
        match reference:
            case int():
                return facts[whole(0, len(facts), reference, place)]
            case ("times", bound, int(number)) if type(number) is int and isinstance(self.shape, EverySizeSpace):
                return self.shape.times(bound, facts[whole(0, len(facts), number, place)], place)
        found: Fact = built(FACTS, [self, self.shape], reference, place)
        return found

    def bound(self, k: int, parts: tuple[int, ...] | None) -> Fact | None:
        """Return the fact that a maximum is at most a sum: of its own arguments if none is below 0, or of other maxima.

        A sum of maxima is at least each maximum of sums; so their arguments must add up to its own, one by one. If they
        do not, return None.
        """
        if (k, parts) not in self._bounds:
            top, arguments = self.maxima[k]
            if parts is None:
                cells = range(self.shape.size)
                fits = all(u in cells and c > 0 for form in arguments for u, c in form.items())
                upper = self.sum((1, argument) for argument in arguments)
            else:
                others = [self.maxima[part] for part in parts]
                fits = {len(own) for _, own in others} == {len(arguments)}
                columns = zip(*(own for _, own in others), strict=True) if fits else ()
                fits = [self.sum((1, form) for form in column) for column in columns] == list(arguments)
                upper = self.sum((1, other) for other, _ in others)
            self._bounds[k, parts] = (">=", self.sum([(1, upper), (-1, top)])) if fits else None
        return self._bounds[k, parts]


_of_cases, _split_of_cases, _of_shape = entry(FACTS, Cases), entry(SPLITS, Cases), entry(FACTS, SampleSpace)
_of_forms = entry(FACTS, Forms)  # with the unknowns that are products


@_of_cases("F27", '["M", maximum k, argument j]', "maximum k >= its argument j", "j the place of an argument")
def _above(cases: Cases, k: int, j: int) -> Fact:
    top, arguments = cases.maxima[k]
    return ">=", cases.sum([(1, top), (-1, arguments[j])])


@_of_cases(
    "F28", '["whole", maximum k]', "maximum k <= the sum of its arguments", "arguments that are sums of probabilities"
)
def _whole(cases: Cases, k: int) -> Fact | None:
    return cases.bound(k, None)


@_of_cases(
    "F29",
    '["sum", maximum k, maxima m]',
    "maximum k <= the sum of the maxima m",
    "arguments j of the maxima m whose sum is argument j of maximum k",
)
def _sum(cases: Cases, k: int, parts: tuple[int, ...]) -> Fact | None:
    return cases.bound(k, parts)


@_of_shape("F30", '"total"', "the sum of the probabilities of all cells = 1")
def _total(space: SampleSpace) -> Fact:
    return "=", {ONE: -1} | dict.fromkeys(range(space.size), Fraction(1))


@_of_shape("F31", '["p", cell c]', "the probability of cell c >= 0")
def _cell(_: SampleSpace, cell: int) -> Fact:
    return ">=", {cell: 1}


@_of_cases(
    "F42",
    '["product", premises f]',
    "the product of the facts f: it is 0 if one of them is 0, it is above 0 if all are, and otherwise at least 0",
    "a proof for every number of states",
    cited="by products of facts",
)
def _product(cases: Cases, premises: tuple[Fact, ...]) -> Fact:
    relations = {relation for relation, _ in premises}
    return min(relations, key=RELATIONS.index), cases.product(*(form for _, form in premises))


@_of_cases(
    "F43",
    '["squared", term a]',
    "the square of the term a is at least 0",
    "a proof for every number of states",
)
def _squared(cases: Cases, form: Form) -> Fact:
    return ">=", cases.product(form, form)


@_of_forms("F46", '["corner", "square", subset S]', "2*A(S) + B(S)*B(S) <= 1 + 2*A({})", "k = 2", reason="as for F35")
def _corner_square(forms: Forms, s: int) -> Fact:
    """Return that A is at most 1 - B**2 / 2 if both classes occur. Otherwise A and B are 1."""
    area, loss, blind = (forms.form(criterion_of(kind, mask)) for kind, mask in (("A", s), ("B", s), ("A", 0)))
    return ">=", forms.sum([(1, {ONE: 1}), (2, blind), (-2, area), (-1, forms.product(loss, loss))])


@_of_forms(
    "F47",
    '["bits", subset S, flag g]',
    "H(Y | S)*H(Y | S) <= log(2)*log(2)*(2*G(S) if g else 4*R(S))",
    "k = 2",
    reason="as the square of a mean is at most the mean of the squares",
)
def _bits(forms: Forms, s: int, g: bool) -> Fact:
    """Return that the square of the bits is at most 2G, and so at most 4R."""
    assert isinstance(forms.shape, EverySizeSpace)
    bits, bit = forms.shape.class_entropy(s), forms.form(("log", ("q", Fraction(2))))
    above = forms.product(bit, bit, forms.form(criterion_of("G", s) if g else risk_of(s)))
    return ">=", forms.sum([(2 if g else 4, above), (-1, forms.product(bits, bits))])


@_split_of_cases("D12", '["or", disjunction j]', "the parts of disjunction j of the branch")
def _or(cases: Cases, number: int) -> Node:
    parts: Node = cases.disjunctions[number]
    return parts


@_split_of_cases("D13", '["max", maximum k]', "for each argument of maximum k: the argument = the maximum")
def _max(cases: Cases, k: int) -> Node:
    top = cases.tops[k]
    return tuple(("=", argument, top) for argument in top[1:])


def by_class(formula: Node, shape: SampleSpace) -> Node:
    """Rewrite a comparison of R(S) with R(T), where S lies in T, as a formula about the best classes of states.

    R(S) is at least R(T), because a maximum of sums is at most the sum of the maxima. They are equal if and only if
    in each state of S some class is a best one in all states of T within it.
    """
    kind, *parts = formula
    if kind not in COMPARISONS:
        return (kind, *(by_class(part, shape) for part in parts))
    if [part[0] for part in parts] != ["R", "R"]:
        return formula
    left, right = (frozenset(part[1]) for part in parts)
    small, large = (left, right) if left <= right else (right, left)
    if not small <= large:
        return formula
    if kind != "=" and small == right:
        return ("not", shape.tie(small, large)) if kind == "<" else ("and",)
    return ("or",) if kind == "<" else shape.tie(small, large)


def renaming(proof: dict[str, Any], shape: SampleSpace | EverySizeSpace, place: str) -> Callable[[Node], Node]:
    """Return how the renaming of a proof changes leaves. A proof for every size renames features alone."""
    object_with(["image_of", "features", *(["states", "classes"] if shape.axes else [])], proof, place)
    features = _permutation(shape.n, proof["features"], f"{place}.features")
    states: list[Node] = []
    classes: Node = ()
    if isinstance(shape, SampleSpace):
        sizes = shape.cardinalities
        require([sizes[i] for i in features] == [*sizes], f"{place}.features", "of equal cardinalities", features)
        listed = list_of(shape.n, proof["states"], f"{place}.states")
        states = [_permutation(size, moved, f"{place}.states") for size, moved in zip(sizes, listed, strict=True)]
        classes = _permutation(shape.axes[-1], proof["classes"], f"{place}.classes")
    return partial(renamed, features, states, classes)


def renamed(features: Node, states: Sequence[Node], classes: Node, leaf: Node) -> Node:
    """Return a leaf after a renaming: feature i becomes features[i], its state v states[i][v], class y classes[y]."""
    kind, *parts = leaf
    if kind in {"q", "t"}:
        return leaf
    if kind != "P":
        return (kind, tuple(sorted(features[i] for i in parts[0])), *parts[1:])
    moved: list[int | None] = [None] * len(features)
    for feature, state in enumerate(parts[0]):
        moved[features[feature]] = None if state is None else states[feature][state]
    return (kind, tuple(moved), None if parts[1] is None else classes[parts[1]])


def moved(node: Node, rename: Callable[[Node], Node] | None) -> Node:
    """Return a node after a renaming of its leaves."""
    if rename is None:
        return node
    return rename(node) if node[0] in LEAVES else (node[0], *[moved(part, rename) for part in node[1:]])


def _permutation(size: int, value: Any, place: str) -> Node:
    images = tuple(whole(0, size, image, place) for image in list_of(size, value, place))
    require(len(set(images)) == size, place, "a permutation", images)
    return images


def canonical(node: Node, rename: Callable[[Node], Node] = lambda leaf: leaf) -> str:
    """Return the JSON text of a node after a renaming. Arguments that may change places are sorted."""
    if node[0] in LEAVES:
        return json.dumps(rename(node), separators=(",", ":"), default=str)  # constants are Fractions
    texts = [canonical(part, rename) for part in node[1:]]
    return f"[{','.join([json.dumps(node[0]), *(sorted(texts) if node[0] in EXCHANGEABLE else texts)])}]"
