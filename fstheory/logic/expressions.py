"""The expressions of claims: terms and formulas with the operators of Python, and sets of features."""

from __future__ import annotations

import functools
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from types import MappingProxyType
from typing import Any, ClassVar, NoReturn, TypeAlias, TypeVar

from fstheory._support.exact import Exact, as_fraction, exact_text, parse_fraction
from fstheory._support.result import ByParts, Result
from fstheory.checker.statement import COMPARISONS, LEAVES
from fstheory.errors import InvalidTypeError, explain, require_type

# Nodes: terms and formulas as plain nested tuples, which begin with their kind

Node: TypeAlias = "tuple[Any, ...]"
T = TypeVar("T")

TRUE: Node = ("and",)
FALSE: Node = ("or",)
ZERO: Node = ("q", Fraction(0))
ONE: Node = ("q", Fraction(1))


def constant(value: Fraction | int) -> Node:
    """Return a constant."""
    return ("q", Fraction(value))


def total(*terms: Node) -> Node:
    """Return a sum without nested sums and with at most one constant, which comes last. The order is kept."""
    parts: list[Node] = []
    number = Fraction(0)
    for term in terms:
        for part in term[1:] if term[0] == "+" else (term,):
            if part[0] == "q":
                number += part[1]
            else:
                parts.append(part)
    if number or not parts:
        parts.append(constant(number))
    return parts[0] if len(parts) == 1 else ("+", *parts)


def product(a: Node, b: Node) -> Node:
    """Return a product. Constant factors are multiplied out and come first. A product p log p is 0 if p is 0."""
    if a[0] == "q" and b[0] == "q":
        return constant(a[1] * b[1])
    if b[0] == "q":
        a, b = b, a
    if a[0] != "q":
        (first, p), (second, other) = map(_scaled, (a, b))
        if p[0] == "log":
            p, other = other, p
        same = other == ("log", p)
        return product(constant(first * second), ("*", p, log_or_zero(p))) if same else ("*", a, b)
    if b[0] == "*" and b[1][0] == "q":
        return product(constant(a[1] * b[1][1]), b[2])
    return ZERO if a[1] == 0 else b if a[1] == 1 else ("*", a, b)


def _scaled(term: Node) -> tuple[Fraction, Node]:
    """Return the constant factor of a term, and the rest of the term."""
    return (term[1][1], term[2]) if term[0] == "*" and term[1][0] == "q" else (Fraction(1), term)


def log_or_zero(p: Node) -> Node:
    """Return the logarithm of a probability, but 0 if it is 0. It is a factor of p log p, which is then 0, too."""
    return ("log", total(p, ONE, product(constant(-1), quotient(p, p))))


def difference(a: Node, b: Node) -> Node:
    """Return a - b."""
    return total(a, product(constant(-1), b))


def quotient(a: Node, b: Node) -> Node:
    """Return a / b, as a product if b is a constant other than 0.

    If a part of b is divided by the logarithm of a constant above 1, as a number of bits is, then a and b are first
    multiplied by this logarithm.
    """
    if unit := log_divisor(b):
        return quotient(_times_log(a, unit), _times_log(b, unit))
    return product(constant(1 / b[1]), a) if b[0] == "q" and b[1] else ("/", a, b)


def comparison(kind: str, a: Node, b: Node) -> Node:
    """Return ``a < b``, ``a <= b`` or ``a = b``. It is decided at once if both sides are constants or the same.

    If a term is divided by the logarithm of a constant above 1, as an information in bits is, both sides are multiplied
    by this logarithm.
    """
    if unit := log_divisor(a) or log_divisor(b):
        return comparison(kind, _times_log(a, unit), _times_log(b, unit))
    if a == b:
        return FALSE if kind == "<" else TRUE
    if a[0] == b[0] == "q":
        return TRUE if (a[1] < b[1] if kind == "<" else kind == "<=" and a[1] <= b[1]) else FALSE
    return (kind, a, b)


def log_divisor(term: Node) -> Node | None:
    """Return a logarithm above 0 by which a part of a term is divided, or None."""
    kind, *parts = term
    if kind == "/":
        is_unit = parts[1][0] == "log" and parts[1][1][0] == "q" and parts[1][1][1] > 1
        return parts[1] if is_unit else log_divisor(parts[0])
    found = map(log_divisor, parts if kind in {"+", "*", "max", "min"} else ())
    return next(filter(None, found), None)


def _times_log(term: Node, unit: Node) -> Node:
    """Return a term multiplied by a logarithm above 0, without the divisions by it."""
    kind, *parts = term
    if kind == "/":
        return parts[0] if parts[1] == unit else quotient(_times_log(parts[0], unit), parts[1])
    if kind == "*" and (parts[0][0] == "q" or log_divisor(parts[1])):
        return product(parts[0], _times_log(parts[1], unit))
    if kind == "*" and log_divisor(parts[0]):
        return product(_times_log(parts[0], unit), parts[1])
    if kind in {"+", "max", "min"}:
        return _MAKERS[kind](*(_times_log(part, unit) for part in parts))
    return product(unit, term)


def conjunction(*formulas: Node) -> Node:
    """Return the conjunction without nested conjunctions. True parts are dropped, and a false part makes it false."""
    return _junction("and", TRUE, FALSE, formulas)


def disjunction(*formulas: Node) -> Node:
    """Return the disjunction without nested disjunctions. False parts are dropped, and a true part makes it true."""
    return _junction("or", FALSE, TRUE, formulas)


def negation(formula: Node) -> Node:
    """Return the negation. The negation of a constant is a constant, and a double negation is removed."""
    if formula in (TRUE, FALSE):
        return FALSE if formula == TRUE else TRUE
    return formula[1] if formula[0] == "not" else ("not", formula)


def equivalence(a: Node, b: Node) -> Node:
    """Return the formula that both are true or both are false. If one is a constant, the other decides."""
    if b in (TRUE, FALSE):
        a, b = b, a
    if a in (TRUE, FALSE):
        return b if a == TRUE else negation(b)
    return ("iff", a, b)


def _junction(kind: str, neutral: Node, decisive: Node, formulas: tuple[Node, ...]) -> Node:
    """Return a conjunction or disjunction, without repeated parts."""
    parts: dict[Node, None] = {}
    for formula in formulas:
        for part in formula[1:] if formula[0] == kind else (formula,):
            if part == decisive:
                return decisive
            parts[part] = None
    if not parts:
        return neutral
    return next(iter(parts)) if len(parts) == 1 else (kind, *parts)


def with_leaves(node: Node, leaves: Mapping[Node, Node]) -> Node:
    """Return a node with some of its leaves replaced. The result is simplified as if it had been written that way."""
    kind, *parts = node
    if kind not in _MAKERS:
        return leaves.get(node, node)
    return _MAKERS[kind](*(with_leaves(part, leaves) for part in parts))


_MAKERS: dict[str, Callable[..., Node]] = {"+": total, "*": product, "/": quotient, "iff": equivalence}
_MAKERS |= {"and": conjunction, "or": disjunction, "not": negation}
_MAKERS |= {kind: functools.partial(comparison, kind) for kind in COMPARISONS}
_MAKERS |= {kind: lambda *parts, kind=kind: (kind, *parts) for kind in ("max", "min", "log", "sqrt", "implies")}


def to_json(node: Node) -> list[Any]:
    """Return a node as nested lists for JSON. Rational numbers become texts "p/q"."""
    kind = node[0]
    if kind == "q":
        return ["q", exact_text(node[1])]
    if kind in LEAVES:
        return [kind, node[1] if kind == "t" else list(node[1]), *node[2:]]
    return [kind, *map(to_json, node[1:])]


def from_json(data: Sequence[Any]) -> Node:
    """Return the node that `to_json` wrote. The checker of certificates decides whether the node fits a shape."""
    kind, *parts = data
    if kind == "q":
        return ("q", parse_fraction(parts[0], "a constant"))
    if kind in LEAVES:
        return (kind, parts[0] if kind == "t" else tuple(parts[0]), *parts[1:])
    return (kind, *map(from_json, parts))


# Terms and formulas with the operators of Python, sets of features

_OnNodes: TypeAlias = "Callable[[Node, Node], Node]"


def _operators(make: _OnNodes) -> tuple[Callable[[Any, Term | Exact], Term], Callable[[Any, Exact], Term]]:
    """Turn a function of two nodes into an operator of terms. Return the operator and its reflected form."""
    return lambda a, b: Term(make(a.node, term_node(b))), lambda a, b: Term(make(term_node(b), a.node))


def _comparisons(kind: str) -> tuple[Callable[[Any, Term | Exact], Formula], Callable[[Any, Term | Exact], Formula]]:
    """Return a comparison of terms, and the same comparison with its sides exchanged."""

    def compared(a: object, b: object) -> Formula:
        return Formula(comparison(kind, term_node(a), term_node(b)))

    return compared, lambda a, b: compared(b, a)


def _connectives(make: _OnNodes) -> tuple[Callable[[Any, Formula | bool], Formula], Callable[[Any, bool], Formula]]:
    """Turn a function of two nodes into an operator of formulas. Return the operator and its reflected form."""
    return lambda a, b: Formula(make(a.node, formula_node(b))), lambda a, b: Formula(make(formula_node(b), a.node))


class Term(Result):
    """A number that depends on the distribution: a probability, a risk, an entropy, or a number computed from them.

    The operators ``+ - * /`` combine terms, integers and Fractions to terms. The comparisons ``< <= == != >= >`` give a
    `Formula`. So a term has no truth value and no hash, and a chain ``a == b == c`` cannot be written. The ``node`` of
    a term is the expression as nested tuples.

    Examples
    --------
    >>> (1 - 2 * Term(("R", (0,))) <= "1/2").node
    ('<=', ('+', ('*', ('q', Fraction(-2, 1)), ('R', (0,))), ('q', Fraction(1, 1))), ('q', Fraction(1, 2)))
    """

    __slots__ = ("node",)
    __hash__: ClassVar[None]  # type: ignore[assignment]

    def __init__(self, node: Node) -> None:
        self.node = node

    __add__, __radd__ = _operators(total)
    __sub__, __rsub__ = _operators(difference)
    __mul__, __rmul__ = _operators(product)
    __truediv__, __rtruediv__ = _operators(quotient)
    __lt__, __gt__ = _comparisons("<")
    __le__, __ge__ = _comparisons("<=")

    def __pow__(self, exponent: int) -> Term:
        if type(exponent) is not int or not 0 <= exponent <= 16:
            repair = "multiply it out, or use m.sqrt"
            raise InvalidTypeError(explain("exponent", "an integer from 0 to 16", exponent, repair))
        return Term(functools.reduce(product, [self.node] * exponent, constant(1)))

    def __neg__(self) -> Term:
        return self * -1

    def __pos__(self) -> Term:
        return self

    def __abs__(self) -> Term:
        return Term(("max", self.node, (-self).node))

    def __eq__(self, other: object) -> Formula:  # type: ignore[override]
        return Formula(comparison("=", self.node, term_node(other)))

    def __ne__(self, other: object) -> Formula:  # type: ignore[override]
        return Formula(negation(comparison("=", self.node, term_node(other))))

    def __bool__(self) -> NoReturn:
        raise InvalidTypeError(
            "a term is a number for each distribution and has no truth value; compare it: m.risk(S) > 0"
        )

    def __float__(self) -> NoReturn:
        raise InvalidTypeError("a term is a number for each distribution, not a float; leave float() out")

    def __len__(self) -> NoReturn:
        raise InvalidTypeError("a term is a number for each distribution and has no length; len(S) counts features")

    def __repr__(self) -> str:
        return f"Term({self.node!r})"


class Formula(Result):
    """A statement about a distribution, which is true or false at each distribution.

    Combine formulas (and Python's True and False) by ``f & g``, ``f | g`` and ``~f``. Python's ``and``, ``or``, ``not``
    and ``if`` are refused: they need a truth value, and a formula has one only at a distribution.

    Examples
    --------
    >>> risk = Term(("R", (0,)))
    >>> (~(risk < 0) | (risk == 1)).node[0]
    'or'
    """

    __slots__ = ("node",)
    __hash__: ClassVar[None]  # type: ignore[assignment]

    def __init__(self, node: Node) -> None:
        self.node = node

    __and__, __rand__ = _connectives(conjunction)
    __or__, __ror__ = _connectives(disjunction)

    def __invert__(self) -> Formula:
        return Formula(negation(self.node))

    def __eq__(self, other: object) -> Formula:  # type: ignore[override]
        return Formula(("iff", self.node, formula_node(other)))

    def __ne__(self, other: object) -> Formula:  # type: ignore[override]
        return Formula(("not", ("iff", self.node, formula_node(other))))

    def __bool__(self) -> NoReturn:
        raise InvalidTypeError(
            "a formula is true or false only at a distribution, so Python cannot branch on it; write & | ~ for and, or,"
            " not, m.implies(f, g) for if, m.equal(a, b, c) or (a <= b) & (b <= c) for a chain of comparisons, and"
            " m.all, m.any, m.maximum, m.minimum for all, any, max, min"
        )

    def __repr__(self) -> str:
        return f"Formula({self.node!r})"


def term_node(value: object) -> Node:
    """Return the node of a term or of an exact number."""
    return value.node if isinstance(value, Term) else constant(as_fraction(value, "a number in a claim"))


def formula_node(value: object) -> Node:
    """Return the node of a formula, of True or of False."""
    if isinstance(value, Formula):
        return value.node
    if isinstance(value, bool):
        return TRUE if value else FALSE
    raise InvalidTypeError(explain("a part of a claim", "a formula, True or False", value, "compare two terms"))


def _kept(name: str) -> Callable[..., Any]:
    """Return an operation of frozenset, changed so that its result is a FeatureSet."""
    operation = getattr(frozenset, name)

    def kept(self: FeatureSet, *others: Any) -> Any:
        found = operation(self, *others)
        if found is NotImplemented and isinstance(others[0], str):  # a frequent mistake: S - i
            repair = f"write {{{others[0]!r}}} for the set of one feature, as in S - {{i}}"
            raise InvalidTypeError(explain("what is combined with a set of features", "a set", others[0], repair))
        return found if found is NotImplemented else FeatureSet(found, self._order)

    kept.__name__, kept.__doc__ = name, operation.__doc__
    return kept


class FeatureSet(frozenset[str]):
    """A frozenset of feature names that is iterated in the order of the features.

    A plain frozenset of texts is iterated in another order in each run of Python.
    """

    __slots__ = ("_order",)
    _order: tuple[str, ...]

    def __new__(cls, names: Iterable[str], order: tuple[str, ...]) -> FeatureSet:
        """Make the set."""
        made = super().__new__(cls, names)
        made._order = order
        return made

    def __iter__(self) -> Iterator[str]:
        known = [name for name in self._order if name in self]
        return iter(known if len(known) == len(self) else known + sorted(set(super().__iter__()) - set(known), key=str))

    def __reduce__(self) -> tuple[type[FeatureSet], tuple[tuple[str, ...], tuple[str, ...]]]:
        return type(self), (tuple(self), self._order)

    def __repr__(self) -> str:
        return f"frozenset({{{', '.join(map(repr, self))}}})" if self else "frozenset()"

    def __add__(self, other: object) -> NoReturn:
        raise InvalidTypeError("sets of features cannot be added; write S | T for the union, S | {i} for one more")

    __radd__ = __add__
    __and__, __or__, __sub__, __xor__ = map(_kept, ("__and__", "__or__", "__sub__", "__xor__"))
    __rand__, __ror__, __rsub__, __rxor__ = map(_kept, ("__rand__", "__ror__", "__rsub__", "__rxor__"))
    intersection, union = map(_kept, ("intersection", "union"))
    difference, symmetric_difference = map(_kept, ("difference", "symmetric_difference"))
    copy = _kept("copy")


# A state of some features: a mapping from their names to the labels of their states.
State: TypeAlias = "Mapping[str, Hashable]"


class Classifier(ByParts, Result):
    """A classifier over some features: a function from their states to the classes.

    Call it with a state to get the class that it predicts. The state may have more features than the classifier uses.

    Attributes
    ----------
    features : tuple of str
        The features that the classifier uses.
    table : read-only mapping from tuples of state labels to class labels
        The class that is predicted at each state. The labels are in the order of the features.

    Examples
    --------
    >>> g = Classifier(("X1",), {(0,): 1, (1,): 0})
    >>> g({"X1": 0}), g({"X1": 1, "X2": 0})
    (1, 0)
    """

    __slots__ = ("features", "table")

    def __init__(self, features: tuple[str, ...], table: Mapping[tuple[Hashable, ...], Hashable]) -> None:
        self.features = tuple(features)
        self.table: Mapping[tuple[Hashable, ...], Hashable] = MappingProxyType(dict(table))

    def __call__(self, state: State) -> Hashable:
        """Return the class that is predicted at a state."""
        return self.table[tuple(state[name] for name in self.features)]

    @property
    def _parts(self) -> Any:
        return self.features, frozenset(self.table.items())

    def __repr__(self) -> str:
        return f"Classifier({self.features!r}, {dict(self.table)!r})"


# Symbols for sets and features: called with them once, a claim gives a formula for every number of features


class SetNode(tuple[Any, ...]):
    """A set in the formula of a claim that is read once.

    It is ("S", j) for variable j, ("X",) for all features, ("Y",) for the class, or a combination ("|", ..),
    ("&", a, b) or ("-", a, b) of sets. It has no text, because a claim must not decide anything by the text of a term.
    """

    __slots__ = ()

    def __repr__(self) -> NoReturn:
        raise InvalidTypeError("what stands for every set has no text and no truth value; compare it with another set")


def _of_sets(make: Callable[[SetNode, SetNode], T]) -> tuple[Callable[[Any, Any], T], Callable[[Any, Any], T]]:
    """Turn a function of two nodes into an operator of symbolic sets. Return the operator and its reflected form."""
    return lambda a, b: make(set_node(a), set_node(b)), lambda a, b: make(set_node(b), set_node(a))


class _Symbol:
    """Base of the symbols: they have a node, but no text and no truth value."""

    __slots__ = ("node",)
    __repr__ = __bool__ = SetNode.__repr__

    def __init__(self, node: SetNode) -> None:
        self.node = node

    def __ne__(self, other: object) -> Formula:  # type: ignore[override]
        return Formula(negation(formula_node(self == other)))


class SymbolicFeature(_Symbol):
    """A symbol for any feature, or for the class.

    All such symbols have the same hash. So a set or dictionary compares two different ones by ``==``, and this is
    refused, because the comparison has no truth value.
    """

    __slots__ = ()

    def __eq__(self, other: object) -> Formula:  # type: ignore[override]
        return SymbolicSet(self.node) == {other}

    def __hash__(self) -> int:
        return 0


class SymbolicSet(_Symbol):
    """A symbol for any set of features.

    The operators ``| & -`` give symbolic sets, and ``<= == != >=`` give formulas. Everything else is refused.
    """

    __slots__ = ()
    __hash__: ClassVar[None]  # type: ignore[assignment]

    __or__, __ror__ = _of_sets(lambda a, b: SymbolicSet(SetNode(("|", a, b))))
    __and__, __rand__ = _of_sets(lambda a, b: SymbolicSet(SetNode(("&", a, b))))
    __sub__, __rsub__ = _of_sets(lambda a, b: SymbolicSet(SetNode(("-", a, b))))
    __le__, __ge__ = _of_sets(lambda a, b: Formula(("in", a, b)))

    def __eq__(self, other: object) -> Formula:  # type: ignore[override]
        return (self <= other) & (self >= other)


def set_node(value: Any) -> SetNode:
    """Return the node of a symbolic set, or of a set of symbolic features.

    A node inside such a set stands for a set of features, whose members belong to it.
    """
    of, made = "a set", "made of the variables of a claim"
    if isinstance(value, SymbolicSet):
        return value.node
    for part in require_type(value, (frozenset, set), of, made, "write S | {i}"):
        require_type(part, (SymbolicFeature, SetNode), of, made, "leave names out")
    return SetNode(("|", *(part.node if isinstance(part, SymbolicFeature) else part for part in value)))
