"""`Model`: what a claim's function is given in order to speak about a distribution."""

from __future__ import annotations

import itertools
import numbers
from collections.abc import Hashable, Iterable, Iterator, Mapping
from fractions import Fraction
from typing import TypeAlias

from fstheory._rational import Exact, as_fraction
from fstheory.distribution import JointDistribution
from fstheory.errors import InvalidTypeError, InvalidValueError, NotLinearError, explain, unknown
from fstheory.logic.expressions import Formula, Term, formula_node, formula_nodes, term_node
from fstheory.logic.nodes import Node, comparison, conjunction, difference, disjunction, negation, total
from fstheory.logic.statement import Shape
from fstheory.subsets import mask_of, masks_by_size, names_of

__all__ = ["Classifier", "Model"]

State: TypeAlias = "Mapping[str, Hashable]"
"""A state of some features: from their names to state labels."""


class Classifier:
    """A function from the states of a subset of features to the classes, given by its table.

    Called with a state of at least these features, it returns a class.

    Examples
    --------
    >>> model = Model(Shape((2,)))
    >>> g = list(model.classifiers({"X1"}))[1]
    >>> g({"X1": 0}), g({"X1": 1})
    (0, 1)
    """

    __slots__ = ("features", "table")

    def __init__(self, features: tuple[str, ...], table: Mapping[tuple[Hashable, ...], Hashable]) -> None:
        self.features = features
        self.table = dict(table)

    def __call__(self, state: State) -> Hashable:
        """Return the class at a state."""
        return self.table[tuple(state[name] for name in self.features)]

    def __repr__(self) -> str:
        return f"Classifier({self.features!r}, {self.table!r})"


class Model:
    """The vocabulary of claims: probabilities, risks, classifiers, entropies of *some* distribution of a shape.

    The function of a claim gets a model as its first argument and returns a `Formula`. Features are names,
    subsets are frozensets of names, states map names to labels; so ordinary Python goes through them, while the
    numbers are terms, whose values are known only at a distribution.

    Parameters
    ----------
    subject : Shape or JointDistribution
        A shape names its features X1, .., Xn and its states and classes 0, 1, ...; a distribution brings its own names.

    Attributes
    ----------
    features : frozenset of str
    order : tuple of str
        The features in order.
    classes : tuple of labels
    shape : Shape

    Examples
    --------
    >>> m = Model(Shape((2, 2)))
    >>> m.risk({"X1", "X2"}) <= m.risk({"X1"})
    Formula(('<=', ('R', (0, 1)), ('R', (0,))))
    """

    __slots__ = ("_distribution", "_labels", "classes", "features", "order", "shape")

    def __init__(self, subject: Shape | JointDistribution) -> None:
        if isinstance(subject, JointDistribution):
            self.shape = Shape(subject.cardinalities, len(subject.classes))
            self._distribution: JointDistribution | None = subject
            self._labels = tuple(subject.states[name] for name in subject.features)
            self.classes: tuple[Hashable, ...] = subject.classes
            self.order = subject.features
        elif isinstance(subject, Shape):
            self.shape = subject
            self._distribution = None
            self._labels = tuple(tuple(range(size)) for size in subject.cardinalities)
            self.classes = tuple(range(subject.classes))
            self.order = subject.features
        else:
            raise InvalidTypeError(explain("subject", "a Shape or a JointDistribution", subject, "pass one of them"))
        self.features = frozenset(self.order)

    # What to quantify over

    def subsets(self, of: str | Iterable[str] | None = None) -> tuple[frozenset[str], ...]:
        """Return all subsets of some features (of all of them if not given), by size."""
        kept = self.order if of is None else self._sorted(of)
        return tuple(names_of(mask, kept) for mask in masks_by_size(len(kept)).tolist())

    def states(self, of: str | Iterable[str] | None = None) -> tuple[dict[str, Hashable], ...]:
        """Return all states of some features (of all of them if not given), in order."""
        kept = self.order if of is None else self._sorted(of)
        every = itertools.product(*(self._labels[self.order.index(name)] for name in kept))
        return tuple(dict(zip(kept, labels, strict=True)) for labels in every)

    def classifiers(self, of: str | Iterable[str]) -> Iterator[Classifier]:
        """Yield every classifier over some features: k**(number of their states) of them, for k classes."""
        kept = self._sorted(of)
        states = [tuple(state.values()) for state in self.states(kept)]
        for chosen in itertools.product(self.classes, repeat=len(states)):
            yield Classifier(kept, dict(zip(states, chosen, strict=True)))

    @property
    def distribution(self) -> JointDistribution:
        """The distribution itself, for claims that compute with it in ordinary Python.

        Raises
        ------
        NotLinearError
            The claim is stated for every distribution of a shape, so there is none.
        """
        if self._distribution is None:
            raise NotLinearError(
                "m.distribution exists only where a claim is checked on a distribution: a claim that uses it can be "
                "checked and searched, but not proved; write it with m.risk, m.probability and the like to prove it"
            )
        return self._distribution

    def value(self, name: str, label: Hashable) -> Fraction:
        """Return the number that a state label of a feature, or a label of the class, is.

        Raises
        ------
        InvalidTypeError
            The label is no exact number.
        """
        if not isinstance(label, numbers.Rational | str):
            raise InvalidTypeError(explain(f"the label of {name}", "an exact number", label, "give numeric states"))
        return as_fraction(label, f"the label of {name}")

    # Numbers

    def probability(self, state: State | None = None, y: Hashable | None = None) -> Term:
        """Return the probability of a state of any features, and of a class if `y` is given.

        Parameters
        ----------
        state : mapping from feature to label
        y : label of a class
        """
        return Term(self._cell(state or {}, y))

    def risk(self, of: str | Iterable[str] | Classifier | None = None) -> Term:
        """Return the Bayes risk of some features (of all of them if not given), or the risk of a classifier."""
        if not isinstance(of, Classifier):
            return Term(("R", self._indices(self.order if of is None else of)))
        right = [self._cell(dict(zip(of.features, state, strict=True)), chosen) for state, chosen in of.table.items()]
        return Term(difference(term_node(1), total(*right)))

    def entropy(self, of: str | Iterable[str], *, target: bool = False) -> Term:
        """Return the joint entropy, in nats, of some features, and of the class if `target`."""
        return self._entropy(frozenset(self._sorted(of)), target)

    def conditional_entropy(self, given: str | Iterable[str]) -> Term:
        """Return H(Y | features) in nats."""
        kept = frozenset(self._sorted(given))
        return self._entropy(kept, True) - self._entropy(kept, False)

    def mutual_information(self, of: str | Iterable[str], given: str | Iterable[str] = ()) -> Term:
        """Return I(Y; features | given) in nats."""
        before, more = frozenset(self._sorted(given)), frozenset(self._sorted(of))
        return self.conditional_entropy(before) - self.conditional_entropy(before | more)

    def feature_information(
        self, a: str | Iterable[str], b: str | Iterable[str], given: str | Iterable[str] = ()
    ) -> Term:
        """Return I(A; B | given) in nats, between features."""
        first, second, known = (frozenset(self._sorted(part)) for part in (a, b, given))
        return (
            self._entropy(first | known, False)
            + self._entropy(second | known, False)
            - self._entropy(first | second | known, False)
            - self._entropy(known, False)
        )

    def sum(self, terms: Iterable[Term | Exact]) -> Term:
        """Return a sum, 0 if there is nothing to add."""
        return Term(total(*map(term_node, terms)))

    def maximum(self, terms: Iterable[Term | Exact]) -> Term:
        """Return the largest of some terms, at least one."""
        return Term(("max", *self._some(terms)))

    def minimum(self, terms: Iterable[Term | Exact]) -> Term:
        """Return the smallest of some terms, at least one."""
        return Term(("min", *self._some(terms)))

    def log(self, term: Term | Exact) -> Term:
        """Return the natural logarithm."""
        return Term(("log", term_node(term)))

    def sqrt(self, term: Term | Exact) -> Term:
        """Return the square root."""
        return Term(("sqrt", term_node(term)))

    # Statements

    def all(self, formulas: Iterable[Formula | bool]) -> Formula:
        """Return the statement that all of them are true."""
        return Formula(conjunction(*formula_nodes(formulas)))

    def any(self, formulas: Iterable[Formula | bool]) -> Formula:
        """Return the statement that at least one of them is true."""
        return Formula(disjunction(*formula_nodes(formulas)))

    def implies(self, condition: Formula | bool, conclusion: Formula | bool) -> Formula:
        """Return the statement that the second is true wherever the first is."""
        return Formula(disjunction(negation(formula_node(condition)), formula_node(conclusion)))

    def iff(self, first: Formula | bool, second: Formula | bool) -> Formula:
        """Return the statement that both are true or neither is."""
        a, b = formula_node(first), formula_node(second)
        if b in (("and",), ("or",)):
            a, b = b, a
        if a in (("and",), ("or",)):
            return Formula(b if a == ("and",) else negation(b))
        return Formula(("iff", a, b))

    def equal(self, *terms: Term | Exact) -> Formula:
        """Return the statement that all terms have one value."""
        nodes = [term_node(term) for term in terms]
        return Formula(conjunction(*(comparison("=", a, b) for a, b in itertools.pairwise(nodes))))

    def predicts(self, state: State, y: Hashable) -> Formula:
        """Return the statement g*(s) = y: the Bayes classifier over the features of a state s puts out the class y.

        Where classes tie, g* puts out the first of them, also where p(s) = 0.
        """
        cells = [self._cell(state, z) for z in self.classes]
        place = self._class(y)
        return Formula(
            conjunction(
                *(("<" if z < place else "<=", cells[z], cells[place]) for z in range(len(cells)) if z != place)
            )
        )

    def maximizes(self, state: State, y: Hashable) -> Formula:
        """Return the statement that y is a most probable class at a state, perhaps one of several."""
        cells = [self._cell(state, z) for z in self.classes]
        place = self._class(y)
        return Formula(conjunction(*(("<=", cells[z], cells[place]) for z in range(len(cells)) if z != place)))

    def same_prediction(self, first: State, second: State) -> Formula:
        """Return the statement that the Bayes classifiers over the features of two states agree there."""
        return self.all(self.iff(self.predicts(first, y), self.predicts(second, y)) for y in self.classes)

    def minimal_optimal(self, subset: str | Iterable[str]) -> Formula:
        """Return the statement that a subset is minimal with respect to having the Bayes risk of all features."""
        kept = frozenset(self._sorted(subset))
        smaller = (part for part in self.subsets(kept) if part != kept)
        return self.all([self.risk(kept) == self.risk(), *(self.risk(part) != self.risk() for part in smaller)])

    # Names to indices

    def _entropy(self, of: frozenset[str], target: bool) -> Term:
        return Term(("H", self._indices(of), target) if of or target else term_node(0))

    def _some(self, terms: Iterable[Term | Exact]) -> tuple[Node, ...]:
        nodes = tuple(map(term_node, terms))
        if not nodes:
            raise InvalidValueError(explain("terms", "at least one term", nodes, "name what to compare"))
        return nodes

    def _indices(self, subset: str | Iterable[str]) -> tuple[int, ...]:
        mask = mask_of([subset] if isinstance(subset, str) else subset, self.order)
        return tuple(i for i in range(len(self.order)) if mask >> i & 1)

    def _sorted(self, subset: str | Iterable[str]) -> tuple[str, ...]:
        return tuple(self.order[i] for i in self._indices(subset))

    def _class(self, y: Hashable) -> int:
        if y not in self.classes:
            raise unknown("class", y, self.classes)
        return self.classes.index(y)

    def _cell(self, state: State, y: Hashable | None) -> Node:
        if not isinstance(state, Mapping):
            raise InvalidTypeError(explain("state", "a mapping from features to states", state, "write {'X1': 0}"))
        places: list[int | None] = [None] * len(self.order)
        for name, label in state.items():
            (i,) = self._indices([name])
            if label not in self._labels[i]:
                raise unknown(f"state of {name}", label, self._labels[i])
            places[i] = self._labels[i].index(label)
        return ("P", tuple(places), None if y is None else self._class(y))
