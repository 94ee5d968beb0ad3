"""Terms and formulas of a certificate as text for Coq, once for the verified checker and once for people."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any

from fstheory.checker.cases import Cases
from fstheory.checker.every_size import PRIMES, EverySizeSpace
from fstheory.checker.forms import combined
from fstheory.checker.reading import SampleSpace
from fstheory.checker.statement import (
    COMPARISONS,
    CRITERIA,
    LEAVES,
    MINIMAL,
    ONE,
    SHAPLEY,
    Form,
    Node,
    Sets,
    in_order,
    linear_text,
    minimal_set,
    of_itself,
)
from fstheory.coq.logarithms import chance, is_constant, multiplies, variable
from fstheory.errors import InvalidValueError, explain

SIGNS = {"<": "Lt", "<=": "Le", "=": "Eq"}
WORDS = {"and": "And", "or": "Or", "not": "Not", "implies": "Imp", "iff": "Iff"}
_FUNCTIONS = {"log": "ln", "sqrt": "sqrt"}
_WORDS = {
    "R": "bayes_risk d {}%nat",
    "G": "gini d {}%nat",
    "V": "explained d {}%nat",
    "A": "auc d {}%nat",
    "B": "balanced_loss d {}%nat",
    "C": "cost_sensitive_risk d {1} {0}%nat",
    "H": "entropy d {}%nat",
    "joint": "joint_entropy d {}%nat",
    "P": "probability d {}%nat {}",
    "class": "(Some {}%nat)",
}
# The files of the library that define criteria beside risks, entropies and impurities, and their facts and splits.
CRITERION_FILES = {"V": "Explained", "B": "Balanced", "A": "Ranking Areas", "C": "Costs CostTrees"}
_LOGIC = {"and": r" /\ ", "or": r" \/ ", "implies": " -> ", "iff": " <-> "}


def refused(what: str) -> InvalidValueError:
    """Return the error for a part of a certificate that cannot be exported."""
    repair = "verify it by check_certificate"
    return InvalidValueError(explain("certificate", "what the Coq library of fstheory can state", what, repair))


def listed(parts: Iterable[object]) -> str:
    """Return a list for Coq."""
    return f"[{'; '.join(map(str, parts))}]"


def mask_of(features: Iterable[int]) -> int:
    """Return a set of features as a number. Bit i stands for feature i."""
    return sum(1 << i for i in features)


class Terms:
    """The variables of one certificate: first those that the distribution gives, then parameters, then maxima.

    `tops` holds the arguments of each maximum. They speak of variables before it alone, as the library requires.
    """

    def __init__(self, space: SampleSpace | EverySizeSpace, cases: Cases, parameters: Sequence[str], entropies: bool):
        self.space, self.cases, self.parameters = space, cases, list(parameters)
        self.entropies = entropies
        self.count = space.size if isinstance(space, SampleSpace) else 1 << space.n
        if entropies:  # and coins of risks, logarithms of primes with their products with risks, impurities
            self.count += (5 << space.n) + len(PRIMES) * (1 + (1 << space.n))
        self.tops: list[tuple[Node, ...]] = []
        self.criteria: dict[Node, int] = {}  # beside risks and impurities, with their costs, by their places
        self.products: dict[str, int] = {}  # lists of variables, by their number
        self.names = True  # whether statements name notions
        self.named: dict[str, str] = {}  # sides of comparisons in named notions, with the same in entropies
        self.sets: set[str] = set()  # the notions of sets that are named
        self._numbers: dict[object, int] = {}

    @property
    def size(self) -> int:
        """The number of variables that are no maxima."""
        return self.first_product + len(self.products)

    @property
    def first_product(self) -> int:
        """The number of the first variable that is a product, after those of the criteria."""
        return self.count + len(self.parameters) + (len(self.criteria) << self.space.n)

    def placed(self, text: str) -> str:
        """Return a fact or split with the places of the criteria that it names, and with what it is about."""
        text = re.sub(r"@([\w:/]+)", lambda one: f"{self._place(*one[1].split(':'))} eq_refl", text)
        return re.sub(r"^\w+", r"\g<0> a", text)

    def _place(self, kind: str, *cost: str) -> int:
        """Return the place of a criterion, which may have a cost, among those that the certificate needs."""
        return self.criteria.setdefault((kind, *cost), len(self.criteria))

    def places(self) -> Iterator[str]:
        """Yield the criteria in the order of their places."""
        return (self.statement((kind, (), *cost)).removesuffix(" []%nat") for kind, *cost in self.criteria)

    def top(self, arguments: Sequence[Node]) -> int:
        """Return the number of a maximum. Maxima of the same terms, in any order, have the same number."""
        for argument in arguments:
            self.visit(argument)
        key = frozenset(self.frozen(argument) for argument in arguments)
        if key not in self._numbers:
            self._numbers[key] = len(self.tops)
            self.tops.append(tuple(arguments))
        return self._numbers[key]

    def frozen(self, term: Node) -> frozenset[tuple[int, Fraction | int]]:
        """Return the linear form of a term, so that equal terms can be found. A maximum has no order."""
        form, met, size = self.cases.form(term), self.cases.maxima_met, self.cases.shape.size
        own = {unknown: size + self.top(met[unknown - size][0][1:]) for unknown in form if unknown >= size}
        return frozenset(combined((c, {own.get(unknown, unknown): 1}) for unknown, c in form.items()).items())

    def visit(self, node: Node) -> None:
        """Give each maximum in a term or formula a number, those inside of others first."""
        kind, *parts = node
        if self._is_sum(node):
            self.summands(self.cases.form(node))
            return
        if kind in {"C", *CRITERIA} and (kind not in _WORDS or isinstance(self.space, SampleSpace)):
            raise refused(f"the term {kind!r}, a criterion beside risks and entropies")
        if kind in {"max", "min"}:
            self.top(self._signed(kind, parts))
        elif kind == "R" and isinstance(self.space, SampleSpace):
            self._tops_of_risk(parts[0])
        elif kind not in LEAVES:
            if kind in {"*", "/", "log", "sqrt"}:
                self.factor(node)
            for part in parts:
                self.visit(part)

    @staticmethod
    def _signed(kind: str, parts: Sequence[Node]) -> list[Node]:
        """Return the arguments of the maximum that a maximum is, or that a minimum is the negative of."""
        return [part if kind == "max" else ("*", ("q", Fraction(-1)), part) for part in parts]

    def _tops_of_risk(self, features: Node) -> list[int]:
        assert isinstance(self.space, SampleSpace)
        return [self.top([("P", s, y) for y in self.space.classes]) for s in self.space.states(features)]

    def _is_sum(self, node: Node) -> bool:
        """Return whether a node is a term that is written as a sum of variables: it has a logarithm or a product."""
        return isinstance(self.space, EverySizeSpace) and node[0] not in {*COMPARISONS, *WORDS} and multiplies(node)

    def summands(self, form: Form) -> list[tuple[Fraction, str, str]]:
        """Return a form as a sum: factors, variables of the verified checker, and what these are for people."""
        return [(Fraction(factor), *self.variable(unknown)) for unknown, factor in sorted(form.items())]

    def variable(self, unknown: int) -> tuple[str, str]:
        """Return an unknown as a variable of the verified checker, and as what it is for people."""
        found = variable(self.space, unknown) if isinstance(self.space, EverySizeSpace) else None
        if found is not None:
            return found
        criterion = self._criterion(unknown)
        if criterion[0] in CRITERION_FILES:
            return self.term(criterion), self.statement(criterion)
        parameters = {self.cases.parameters.get(name): name for name in self.parameters}
        if unknown in parameters:
            return self._leaf("t", [parameters[unknown]]), parameter(parameters[unknown])
        factors = self.cases.factors(unknown)
        if len(factors) < 2:
            raise refused("a product or logarithm beside something else than risks, entropies and impurities")
        texts, words = zip(*map(self.variable, factors), strict=True)
        number = self.products.setdefault(listed(texts), len(self.products))
        return f"product_ {number}", " * (".join([*words, "1"]) + ")" * len(words)

    def _criterion(self, unknown: int) -> Node:
        """Return an unknown as a criterion of a subset, if it is one beside risks and entropies."""
        if not isinstance(self.space, EverySizeSpace) or not 0 <= unknown < self.space.coins:
            return ("",)
        name, mask = self.space.named(unknown)
        kind, *cost = re.findall(r"^\w|[\d/]+", name)
        return kind, tuple(i for i in range(self.space.n) if mask >> i & 1), *cost

    def sum_of(self, form: Form) -> str:
        """Return a form for the verified checker."""
        found = self.summands(form)
        return "".join(f"Plus ({_scaled(factor, text)}) (" for factor, text, _ in found) + f"C 0{')' * len(found)}"

    def term(self, node: Node) -> str:
        """Return a term for the verified checker."""
        kind, *parts = node
        if self._is_sum(node):
            return self.sum_of(self.cases.form(node))
        if kind in LEAVES:
            return self._leaf(kind, parts)
        if kind == "max":
            return f"M_ {self.top(parts)}"
        if kind == "min":
            return f"Scale (-1) (M_ {self.top(self._signed(kind, parts))})"
        if kind == "+":
            return added(parts, self.term, "Plus ({}) ({})", "Minus ({}) ({})", "C 0")
        factor, rest = self.factor(node)
        return _scaled(factor, self.term(rest))

    def equation(self, node: Node) -> str:
        """Return that a term with logarithms or products is its sum of variables, for the proof."""
        found = self.summands(self.cases.form(node))
        parts = [f"{_number(factor)}{f' * ({text})' * (text != '')} + (" for factor, _, text in found]
        return f"{self.statement(node)} = {''.join(parts)}0{')' * len(parts)}"

    def _leaf(self, kind: str, parts: Sequence[Any]) -> str:
        """Return a leaf for the verified checker. In one shape, a risk is 1 minus a sum of maxima."""
        match kind:
            case "q":
                return _scaled(parts[0], "")
            case "t":
                return f"var {self.count + self.parameters.index(parts[0])}"
            case "R" if isinstance(self.space, SampleSpace):
                return f"Minus (C 1) (plus {listed(f'M_ {k}' for k in self._tops_of_risk(parts[0]))})"
            case "R":
                return f"var {mask_of(parts[0])}"
            case "H":
                return f"h_ {self.space.n} {mask_of(parts[0]) + (parts[1] << self.space.n)}"
            case "G":
                return f"g_ {self.space.n} {mask_of(parts[0])}"
            case "P":
                return self._probability(*parts)
        place = self._place(kind, *parts[1:]) << self.space.n
        return f"var {self.count + len(self.parameters) + place + mask_of(parts[0])}"

    def _probability(self, states: Node, y: int | None) -> str:
        assert isinstance(self.space, SampleSpace)
        cells = [f"var {cell}" for cell in self.space.cells(states, y)]
        if y is None:
            k = len(self.space.classes)
            cells = [f"plus {listed(cells[i : i + k])}" for i in range(0, len(cells), k)]
        return f"plus {listed(cells)}"

    def factor(self, node: Node) -> tuple[Fraction, Node]:
        """Return a product or quotient as a constant and the other factor."""
        kind, a, b = node if node[0] in {"*", "/"} else (node[0], node, node)
        if kind == "*" and is_constant(a):
            a, b = b, a
        if kind not in {"*", "/"} or not is_constant(b):
            raise refused(f"the term {kind!r} of what is not constant")
        constant = Fraction(self.cases.form(b).get(ONE, 0))
        return (constant if kind == "*" else 1 / constant), a

    def formula(self, node: Node) -> str:
        """Return a formula for the verified checker."""
        kind, *parts = node
        if kind in COMPARISONS:
            return f"{SIGNS[kind]} ({self.term(parts[0])}) ({self.term(parts[1])})"
        if kind in {"and", "or"}:
            return f"{WORDS[kind]} {listed(map(self.formula, parts))}"
        return f"{WORDS[kind]} {' '.join(f'({self.formula(part)})' for part in parts)}"

    def denominator(self, node: Node) -> int:
        """Return the denominator over which the verified checker writes a term, or the sides of a comparison."""
        kind, *parts = node
        if self._is_sum(node):
            return _joined([*(factor.denominator for factor, *_ in self.summands(self.cases.form(node))), 1])
        match kind:
            case "q":
                return int(parts[0].denominator)
            case "+" | "<" | "<=" | "=":
                return _joined(map(self.denominator, parts))
            case "*" | "/":
                factor, rest = self.factor(node)
                return factor.denominator * self.denominator(rest)
        return 1

    def statement(self, node: Node) -> str:
        """Return a formula or term for people, about the distribution `d`."""
        kind, *parts = node
        if kind in LEAVES:
            return leaf(_WORDS, _number, kind, parts)
        if kind in {"max", "min"}:
            return f"{kind}imum {listed(map(self.statement, parts))}"
        if kind == "+":
            text = added(parts, self.statement, "{} + {}", "{} - {}", "0")
            return f"({text})" if len(parts) > 1 else text
        if isinstance(self.space, EverySizeSpace) and (found := of_itself(node)):
            p = chance(self.space, self.cases.form(found[0]))
            return f"({p}) * ln ({p})"
        if is_linear(node):
            factor, rest = self.factor(node)
            return f"{_number(factor)} * ({self.statement(rest)})"
        if kind in {"*", "/"}:
            return f" {kind} ".join(f"({(self._side if kind == '/' else self.statement)(part)})" for part in parts)
        if kind in _FUNCTIONS:
            return f"{_FUNCTIONS[kind]} ({self.statement(parts[0])})"
        if kind == "not":
            return f"~ ({self.statement(parts[0])})"
        if kind in COMPARISONS:
            first, second = map(self._side, parts)
            if kind == "=" and second == "0" and first.startswith(_INFORMATION) and not {*"+-"} & {*first}:
                return first.replace(_INFORMATION, "conditionally_independent")
            return f"{first} {kind} {second}"
        return self._connected(node) if parts else "True" if kind == "and" else "False"

    def _connected(self, node: Node) -> str:
        """Return formulas with a connective between them, or the name of the notion that a conjunction defines."""
        text = f"({_LOGIC[node[0]].join(map(self.statement, node[1:]))})"
        notion, features = (self.names and minimal_set(node, self.space.n)) or ("", ())
        # The name of an information may already stand for another sum of entropies. Then its equation is written in
        # entropies here, and the definition of the notion does not unfold to it.
        independent = text.count("conditionally_independent")
        if notion not in _NOTIONS or (notion == MINIMAL["I"] and independent < 1 << len(features)):
            return text
        self.sets.add(notion)
        return f"{notion} d {self.space.n} {listed(features)}%nat"

    def _side(self, node: Node) -> str:
        """Return a side of a comparison for people, with informations and Shapley values, as other pages print it.

        The side is noted in `named`, with the same in entropies and risks.
        """
        text = self.statement(node)
        if node[0] in LEAVES or not self.names:
            return text
        names = (*map(str, range(self.space.n)), _CLASS)
        told = linear_text(node, names, self._leaf_or_value, _number, _notion, " * ")
        # A proof replaces a named side wherever it stands. So it has a name that no other side has.
        named = _has_information(told) or SHAPLEY in told
        return told if named and self.named.setdefault(told, text) == text else text

    def _leaf_or_value(self, node: Node) -> str:
        """Return a leaf, or a Shapley value in the place of a leaf, for people."""
        kind, *parts = node
        return f"shapley {_LOWERED[parts[0]]} {self.space.n} {parts[1]}" if kind == SHAPLEY else self.statement(node)

    def renamed(self, known: str) -> list[str]:
        """Return the steps that write named notions in entropies and risks.

        Some sides of comparisons are parts of others. So the longest side is rewritten first.
        `known` is a proof of the number of features.
        """
        n, steps = self.space.n, list[str]()
        for i, text in enumerate(sorted(self.named, key=len, reverse=True)):
            steps.append(f"  pose (s{i} := ({self.named[text]})%R).")
            proof = "shapley_values; " * (SHAPLEY in text) + (f"notions d {n} Y" if _has_information(text) else "field")
            steps.append(f"  assert (E : ({text})%R = s{i}) by (unfold s{i}; {proof}). rewrite ?E; clear E.")
        if any(map(_has_information, self.named)):
            steps.insert(0, f"  assert (Y : features d = {n}) by {known}. unfold conditionally_independent.")
        return [f"  {_NOTIONS[notion][1]}." for notion in sorted(self.sets)] + steps

    @property
    def notions(self) -> str:
        """The files of the library that define criteria, Shapley values and sets that are named, each after a space."""
        files = [*dict.fromkeys(CRITERION_FILES[kind] for kind, *_ in self.criteria)]
        files += ["Shapley"] * any(SHAPLEY in text for text in self.named)
        return "".join(f" {file}" for file in [*files, *(_NOTIONS[notion][0] for notion in sorted(self.sets))])


# The file and the tactic of each notion of a set.
_NOTIONS = {MINIMAL["R"]: ("Minimal", "minimal_sets"), MINIMAL["I"]: ("Boundary", "boundaries")}
_INFORMATION, _CONDITIONAL, _CLASS = "mutual_information", "conditional_entropy", "class d"


def _has_information(text: str) -> bool:
    """Return whether a text for people names an information or a conditional entropy."""
    return _INFORMATION in text or _CONDITIONAL in text


_LOWERED = {"R": "(bayes_risk d)", "I": f"(conditional_entropy d [{_CLASS}])"}


def _notion(sets: Sets, variables: Sequence[str]) -> str:
    """Return an information or an entropy for people."""
    *first, given = in_order(sets, variables)
    if len(first) == 1 and not given:
        return f"{'joint_' * (_CLASS in first[0])}entropy d {listed(v for v in first[0] if v != _CLASS)}%nat"
    word = _INFORMATION if len(first) == 2 else _CONDITIONAL
    return f"{word} d {' '.join(f'{listed(one)}%nat' for one in (*first, given))}"


def _scaled(factor: Fraction, text: str) -> str:
    """Return a multiple of a term for the verified checker. An empty text is 1."""
    if not text:
        return f"C ({factor})" if factor.denominator == 1 else f"Quot ({factor.numerator}) {factor.denominator}"
    scale = f"Scale ({factor})" if factor.denominator == 1 else f"Part ({factor.numerator}) {factor.denominator}"
    return f"{scale} ({text})"


def _joined(denominators: Iterable[int]) -> int:
    """Return the denominator of a sum as the checker joins it: a second denominator that is the same costs nothing."""
    common, *others = [*denominators] or [1]
    for other in others:
        common *= 1 if common == other else other
    return common


def added(parts: Sequence[Node], write: Callable[[Node], str], plus: str, minus: str, nothing: str) -> str:
    """Return a sum from the left, with formats for two parts, and for a part from which another one is taken."""
    text = write(parts[0]) if parts else nothing
    for part in parts[1:]:
        text = minus.format(text, write(part[2])) if is_negative(part) else plus.format(text, write(part))
    return text


def leaf(words: Mapping[str, str], number: Callable[[Fraction], str], kind: str, parts: Sequence[Any]) -> str:
    """Return a leaf in the words of a language that the library has for the quantities of a distribution."""
    match kind:
        case "q":
            return number(parts[0])
        case "t":
            return parameter(parts[0])
        case "H" if not parts[0] and not parts[1]:
            return number(Fraction(0))
        case "H":
            return words["joint" if parts[1] else kind].format(listed(parts[0]))
        case "P":
            states = listed("None" if i is None else f"Some {i}" for i in parts[0])
            return words[kind].format(states, "None" if parts[1] is None else words["class"].format(parts[1]))
    return words[kind].format(listed(parts[0]), *(number(Fraction(cost)) for cost in parts[1:]))


def _number(number: Fraction) -> str:
    text = str(number.numerator) if number >= 0 else f"(-{-number.numerator})"
    return text if number.denominator == 1 else f"({text} / {number.denominator})"


def parameter(name: str) -> str:
    """Return the name of a parameter as a variable of Coq, which begins with t_."""
    return "t_" + "".join(c if c.isascii() and c.isalnum() else "_" for c in name)


def is_linear(term: Node) -> bool:
    """Return whether a term is a constant times another term, or divided by a constant."""
    return (term[0] in {"*", "/"} and is_constant(term[2])) or (term[0] == "*" and is_constant(term[1]))


def is_negative(term: Node) -> bool:
    """Return whether a term is -1 times another one."""
    return term[:2] == ("*", ("q", -1))
