"""The statement of a certificate: a shape, and formulas about its distributions."""

from __future__ import annotations

import itertools
import math
import operator
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any, TypeAlias

from fstheory.checker.reading import list_of, name, object_with, rational, require, whole, wrong
from fstheory.errors import show

MAX_FEATURES = 10
MAX_CELLS = 1024
MAX_STEPS = 10**8  # each well below a microsecond
MAX_STATES = 10**18  # of a feature and of all features together, if only the cells with weight are written
WIDTH = Fraction(1, 10**12)  # of the interval around an irrational value, at most

ASSUMPTIONS = ("positive", "unique_maximum")  # that may be named instead of spelled out


Node: TypeAlias = "tuple[Any, ...]"
Coefficient: TypeAlias = "int | Fraction"  # nearly all are integers, which are faster
Form: TypeAlias = (
    "dict[int, Coefficient]"  # by unknown: cells or risks and entropies, then maxima; ONE has the constant
)
Fact: TypeAlias = "tuple[str, Form]"  # (">", form) says that the form is above 0; also ">=" and "="

ONE = -1

# Gini impurity, balanced loss, area under the curve, and share of the variance that is explained. This is no string,
# because a string contains texts that are no criteria, such as "" and "GB".
CRITERIA = ("G", "B", "A", "V")
# A constant, a probability, a risk, an entropy, a parameter, another criterion, and how many parts each has.
LEAVES = {"q": 1, "P": 2, "R": 1, "H": 2, "t": 1, **dict.fromkeys(CRITERIA, 1)}
COMPARISONS: dict[str, Callable[[Any, Any], Any]] = {"<": operator.lt, "<=": operator.le, "=": operator.eq}
_TERMS = {"+": (0, math.inf), "*": (2, 2), "/": (2, 2), "log": (1, 1), "sqrt": (1, 1)}
_TERMS |= {"max": (1, math.inf), "min": (1, math.inf), **{kind: (parts, parts) for kind, parts in LEAVES.items()}}
_FORMULAS = {"and": (0, math.inf), "or": (0, math.inf), "not": (1, 1), "implies": (2, 2), "iff": (2, 2)}
_FORMULAS |= dict.fromkeys(COMPARISONS, (2, 2))
_COMPOSED = (_TERMS.keys() | _FORMULAS.keys()) - LEAVES.keys()


class Space:
    """The space that formulas speak about: a number of features, and the variables of a cell if there are cells."""

    n: int
    axes: tuple[int, ...]
    left: int
    max_steps: int

    def spend(self, steps: int) -> None:
        """Count steps, so that no certificate keeps the checker busy for long."""
        self.left -= steps
        if self.left < 0:
            raise wrong("the check", f"of at most {self.max_steps} steps", "longer")


class SampleSpace(Space):
    """The cells of a table: the features are its first axes, in order, and the class is the last."""

    def __init__(self, value: Any, max_steps: int = MAX_STEPS, max_cells: int = MAX_CELLS) -> None:
        shape = object_with(["cardinalities", "classes"], value, "shape")
        sizes = list_of(None, shape["cardinalities"], "shape.cardinalities")
        require(len(sizes) <= MAX_FEATURES, "shape.cardinalities", f"at most {MAX_FEATURES} numbers", sizes)
        self.axes = tuple(whole(1, max_cells + 1, size, "a size in shape") for size in (*sizes, shape["classes"]))
        self.cardinalities, self.classes, self.n = self.axes[:-1], range(self.axes[-1]), len(sizes)
        self.size = math.prod(self.axes)
        require(self.size <= max_cells, "shape", f"of at most {max_cells} cells", self.axes)
        self.left, self.max_steps = max_steps, max_steps

    def __str__(self) -> str:
        return f"{' x '.join(map(str, self.cardinalities)) or 1} states and {len(self.classes)} classes"

    def cells(self, states: Node, y: int | None) -> list[int]:
        """Return the positions, in C order, of the cells of a partial state. None stands for any state of a feature."""
        found = [0]
        for index, size in zip((*states, y), self.axes, strict=True):
            found = [cell * size + i for cell in found for i in (range(size) if index is None else (index,))]
        self.spend(2 * len(found))
        return found

    def states(self, features: Collection[int], within: Node = ()) -> Iterator[Node]:
        """Yield the states of a subset in lexicographic order, None at the other features.

        Given the states of some features, yield only states that agree with them, and keep these.
        """
        fixed = enumerate(zip(self.cardinalities, within or (None,) * self.n, strict=True))
        return itertools.product(*(range(c) if i in features and v is None else (v,) for i, (c, v) in fixed))

    def tie(self, small: Collection[int], large: Collection[int]) -> Node:
        """Return the formula that in each state of `small` one class is best in all states of `large` within it."""
        states = []
        for s in self.states(small):
            cells = [[("P", t, y) for y in self.classes] for t in self.states(large, s)]
            self.spend(len(cells) * len(self.classes) ** 2)
            beaten = [[("<=", o, cell[y]) for cell in cells for o in cell if o != cell[y]] for y in self.classes]
            states.append(("or", *(("and", *least) for least in beaten)))
        return ("and", *states)

    def risk(self, features: Node) -> Node:
        """Return the definition of a Bayes risk: 1 - sum over s of max over y of P(s, y)."""
        tops = (("max", *(("P", s, y) for y in self.classes)) for s in self.states(features))
        return ("+", ("q", Fraction(1)), *(("*", ("q", Fraction(-1)), top) for top in tops))

    def leaf(self, term: Node) -> Form | Node:
        """Return a leaf by its definition: a probability as a sum of cells, a Bayes risk as 1 minus a sum of maxima."""
        require(term[0] in {"P", "R"}, "a term of a proof", "linear", term)
        return self.risk(term[1]) if term[0] == "R" else dict.fromkeys(self.cells(*term[1:]), 1)


def formulas(value: Any, shape: Space, place: str) -> dict[str, Node]:
    """Return the formulas of a list of instances, by their places in the certificate."""
    found = {}
    for i, entry in enumerate(list_of(None, value, place)):
        instance = object_with(["name", "where", "formula"], entry, f"{place}[{i}]")
        require(type(instance["where"]) is dict, f"{place}[{i}].where", "an object", instance["where"])
        formula = read_node(instance["formula"], "formula", shape, f"{place}[{i}].formula")
        found[f"{place}[{i}], {show(name(instance['name'], f'{place}[{i}].name'))},"] = formula
    return found


_NUMBERS = frozenset(["max", "min", "log", "sqrt"])
_EMPTY = {"and": "true", "or": "false", "+": "0"}


def statement_lines(content: Mapping[str, Any]) -> list[str]:
    """Return what a certificate assumes and what it states, one line for each formula, with the features X1, .., Xn."""
    if (shape := content.get("shape")) is None:  # about points, whose assumptions all have names
        return [f"assumed: {assumption}" for assumption in content["assume"]]
    n = shape["features"] if "features" in shape else len(shape["cardinalities"])
    names = [*(f"X{i + 1}" for i in range(n)), "Y"]
    lines = [f"assumed: {assumption}" for assumption in content.get("assumptions", ())]
    where = content["show"][0]["where"] if content["kind"] != "proved" else {}
    for part, word in (("assume", "assumed"), ("show", "statement")):
        for instance in content[part]:
            text = formula_text(instance["formula"], lambda leaf: leaf_text(leaf, names))
            free = sorted({node[1] for node in walk(instance["formula"]) if node[0] == "t"} & where.keys())
            values = ", ".join(f"{leaf_text(('t', one), names)} = {rational(where[one], one)}" for one in free)
            lines.append(f"{word}: {text}{' at ' * bool(values)}{values}")
    return lines


def formula_text(node: Node, leaf: Callable[[Node], str]) -> str:
    """Return a term or a formula as text. `leaf` returns the text of a leaf."""
    kind, *parts = node
    if kind in LEAVES:
        return leaf(node)
    if kind in _NUMBERS:
        return f"{kind}({', '.join(formula_text(part, leaf) for part in parts)})"
    if not parts:
        return _EMPTY[kind]
    texts = []
    for part in parts:  # in parentheses unless it binds more tightly
        binds = part[0] in {*LEAVES, *_NUMBERS, "not"} or kind in COMPARISONS or (kind == "+" and part[0] in {"*", "/"})
        binds = binds or (part[0] in COMPARISONS and kind != "not")
        texts.append(formula_text(part, leaf) if binds else f"({formula_text(part, leaf)})")
    return f"not {texts[0]}" if kind == "not" else f" {kind} ".join(texts)


def leaf_text(leaf: Node, names: Sequence[str]) -> str:
    """Return a leaf as text, with the names of the features and of the class."""
    kind, *parts = leaf
    if kind in {"q", "t"}:
        return str(parts[0]) if kind == "q" or parts[0].isidentifier() else repr(parts[0])  # it may look like a formula
    if kind == "P":
        states = zip(names, (*parts[0], parts[1]), strict=True)
        return f"P({', '.join(f'{name}={state}' for name, state in states if state is not None)})"
    features = [names[i] for i in parts[0]]
    return f"H({', '.join(features + [names[-1]] * parts[1])})" if kind == "H" else f"{kind}({{{', '.join(features)}}})"


def read_node(written: Any, what: str, shape: Space, place: str) -> Node:
    """Return a "term" or "formula", in which constants are Fractions. Require that it is well-formed."""
    named = type(written) is tuple and len(written) > 0 and type(written[0]) is str
    kind, *parts = written if named else ("",)
    fewest, most = (_TERMS if what == "term" else _FORMULAS).get(kind, (1, 0))
    if not fewest <= len(parts) <= most:
        raise wrong(place, f"a {what}", written)
    if kind == "q":
        return kind, rational(parts[0], f"a constant in {place}")
    if kind in LEAVES:
        _check_leaf(kind, parts, shape, place)
        return tuple(written)
    what = "term" if kind in COMPARISONS else what
    return kind, *[read_node(part, what, shape, place) for part in parts]


def _check_leaf(kind: str, parts: list[Any], shape: Space, place: str) -> None:
    if kind == "t":
        name(parts[0], f"a parameter in {place}")
    elif kind == "P":
        require(len(shape.axes) > 0, place, "about risks and entropies, whatever the states", kind)
        states = list_of(shape.n, parts[0], f"the states of P in {place}")
        for index, size in zip((*states, parts[1]), shape.axes, strict=True):
            whole(0, size, 0 if index is None else index, f"an index of P in {place}")
    else:
        features = [
            whole(0, shape.n, i, f"a feature in {place}") for i in list_of(None, parts[0], f"features in {place}")
        ]
        require(features == sorted(set(features)), f"the features in {place}", "ascending", parts[0])
        require(kind != "H" or type(parts[1]) is bool, f"the last part of H in {place}", "true or false", parts[-1])


def walk(node: Node) -> Iterator[Node]:
    """Yield a node and all nodes in it, each before its parts."""
    stack = [node]
    while stack:
        node = stack.pop()
        yield node
        if node[0] in _COMPOSED:
            stack.extend(reversed(node[1:]))


def compared(formula: Node) -> tuple[Node, ...]:
    """Return the two sides of every comparison in a formula, in order and without repetition."""
    return tuple(dict.fromkeys(side for node in walk(formula) if node[0] in COMPARISONS for side in node[1:]))


def of_itself(term: Node) -> tuple[Node, Node] | None:
    """Return p and p + 1 if a term is p log(p + 1 - p/p), which is p log p, or 0 if p is 0. Otherwise return None."""
    if term[0] == "*" and term[2][0] == "log" and term[2][1][0] == "+":
        p, ratio = term[1], ("/", term[1], term[1])
        parts = [part for part in term[2][1][1:] if part != ("*", ("q", -1), ratio)]
        return (p, ("+", *parts)) if len(parts) == len(term[2][1]) - 2 else None
    return None
