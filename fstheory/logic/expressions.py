"""What a claim is written with: terms and formulas with the operators of Python, sets of features, classifiers."""

from __future__ import annotations

import functools
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from types import MappingProxyType
from typing import Any, ClassVar, NoReturn, TypeAlias

from fstheory._display import Shown
from fstheory._exact import Exact, as_fraction
from fstheory.errors import InvalidTypeError, explain
from fstheory.logic.nodes import (
    FALSE,
    TRUE,
    Node,
    comparison,
    conjunction,
    constant,
    difference,
    disjunction,
    negation,
    product,
    quotient,
    total,
)

__all__ = ["Classifier", "FeatureSet", "Formula", "State", "Term", "formula_node", "term_node"]


_OnNodes: TypeAlias = "Callable[[Node, Node], Node]"


def _operators(make: _OnNodes) -> tuple[Callable[[Any, Term | Exact], Term], Callable[[Any, Exact], Term]]:
    """Return the operator of terms that a function of nodes is, and the same with the sides exchanged."""
    return lambda a, b: Term(make(a.node, term_node(b))), lambda a, b: Term(make(term_node(b), a.node))


def _comparisons(kind: str) -> tuple[Callable[[Any, Term | Exact], Formula], Callable[[Any, Term | Exact], Formula]]:
    def compared(a: object, b: object) -> Formula:
        return Formula(comparison(kind, term_node(a), term_node(b)))

    return compared, lambda a, b: compared(b, a)


def _connectives(make: _OnNodes) -> tuple[Callable[[Any, Formula | bool], Formula], Callable[[Any, bool], Formula]]:
    return lambda a, b: Formula(make(a.node, formula_node(b))), lambda a, b: Formula(make(formula_node(b), a.node))


class Term(Shown):
    """A number that depends on the distribution: a probability, a risk, and what is computed from them.

    ``+ - * /`` with terms, integers and Fractions give terms; ``< <= == != >= >`` give a `Formula`. So a term
    has no truth value and no hash, and ``a == b == c`` cannot be written.

    Attributes
    ----------
    node : tuple
        What it stands for, see `fstheory.logic.nodes`.

    Examples
    --------
    >>> risk = Term(("R", (0,)))
    >>> (1 - 2 * risk).node
    ('+', ('*', ('q', Fraction(-2, 1)), ('R', (0,))), ('q', Fraction(1, 1)))
    >>> (risk <= "1/2").node
    ('<=', ('R', (0,)), ('q', Fraction(1, 2)))
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

    def __repr__(self) -> str:
        return f"Term({self.node!r})"


class Formula(Shown):
    """A statement about a distribution that is true or false for each one.

    ``f & g``, ``f | g``, ``~f`` combine formulas (and Python's True and False). ``and``, ``or``, ``not`` and
    ``if`` ask for a truth value, which a formula has only at a distribution, and are refused.

    Attributes
    ----------
    node : tuple
        What it stands for, see `fstheory.logic.nodes`.

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


State: TypeAlias = "Mapping[str, Hashable]"
"""A state of some features: from their names to state labels."""


class Classifier(Shown):
    """A function from the states of a subset of features to the classes, given by its table.

    Called with a state of at least these features, it returns a class. ``m.classifiers(S)`` lists all of them
    over a subset, and ``m.risk(g)`` is the probability that one errs.

    Attributes
    ----------
    features : tuple of str
    table : read-only mapping from tuples of state labels to class labels
        One entry for each state of the features, its labels in their order.

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
        """Return the class at a state."""
        return self.table[tuple(state[name] for name in self.features)]

    def __repr__(self) -> str:
        return f"Classifier({self.features!r}, {dict(self.table)!r})"


def _kept(name: str) -> Callable[..., Any]:
    """Return an operation of frozenset that gives a FeatureSet."""
    operation = getattr(frozenset, name)

    def kept(self: FeatureSet, *others: Any) -> Any:
        found = operation(self, *others)
        if found is NotImplemented and isinstance(others[0], str):  # frequent: S - i
            repair = f"write {{{others[0]!r}}} for the set of one feature, as in S - {{i}}"
            raise InvalidTypeError(explain("what is combined with a set of features", "a set", others[0], repair))
        return found if found is NotImplemented else FeatureSet(found, self._order)

    kept.__name__, kept.__doc__ = name, operation.__doc__
    return kept


class FeatureSet(frozenset[str]):
    """A frozenset of feature names that is iterated in the order of the features.

    The order in which Python goes through a frozenset of strings changes from one run to the next. A claim that
    says ``m.all(.. for i in S)`` should nevertheless be the same formula in every run, and in every certificate.
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
