"""`Model`: what a claim's function is given in order to speak about a distribution."""

from __future__ import annotations

import itertools
from collections.abc import Hashable, Iterable

from fstheory._exact import Exact
from fstheory.logic.expressions import Formula, Term, formula_node, formula_nodes, term_node
from fstheory.logic.nodes import FALSE, TRUE, comparison, conjunction, disjunction, negation
from fstheory.logic.quantities import Quantities
from fstheory.logic.scope import Classifier, State

__all__ = ["Classifier", "Model"]


class Model(Quantities):
    """The vocabulary of claims: probabilities, risks, classifiers, entropies of *some* distribution of a shape.

    The function of a claim gets a model as its first argument and returns a `Formula`. Features are names,
    subsets are frozensets of names, states map names to labels; so ordinary Python goes through them, while the
    numbers are terms, whose values are known only at a distribution. A model is immutable.

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

    Raises
    ------
    InvalidTypeError
        `subject` is neither.
    TooLargeError
        A shape has more than ten million cells.

    Examples
    --------
    >>> from fstheory.logic import Shape
    >>> m = Model(Shape((2, 2)))
    >>> m.risk({"X1", "X2"}) <= m.risk({"X1"})
    Formula(('<=', ('R', (0, 1)), ('R', (0,))))
    """

    __slots__ = ()

    # Putting statements together

    def all(self, formulas: Iterable[Formula | bool]) -> Formula:
        """Return the statement that all of them are true; of none, it is true.

        Parameters
        ----------
        formulas : iterable of Formula or bool

        Examples
        --------
        >>> from fstheory.logic import Shape, truth
        >>> from fstheory.gallery import xor
        >>> m = Model(Shape((2, 2)))
        >>> truth(m.all(m.risk(i) == m.risk(()) for i in m.order), xor())
        True
        """
        return Formula(conjunction(*formula_nodes(formulas)))

    def any(self, formulas: Iterable[Formula | bool]) -> Formula:
        """Return the statement that at least one of them is true; of none, it is false.

        Parameters
        ----------
        formulas : iterable of Formula or bool

        Examples
        --------
        >>> from fstheory.logic import Shape, truth
        >>> from fstheory.gallery import xor
        >>> m = Model(Shape((2, 2)))
        >>> truth(m.any(m.risk(i) < m.risk(()) for i in m.order), xor())
        False
        """
        return Formula(disjunction(*formula_nodes(formulas)))

    def implies(self, condition: Formula | bool, conclusion: Formula | bool) -> Formula:
        """Return the statement that the second is true wherever the first is.

        Where the first is false, the second is not evaluated, so it may divide by 0 there.

        Parameters
        ----------
        condition, conclusion : Formula or bool

        Examples
        --------
        >>> from fstheory.logic import Shape, truth
        >>> from fstheory.gallery import xor
        >>> m = Model(Shape((2, 2)))
        >>> truth(m.implies(m.risk("X1") < m.risk(()), m.risk() == 0), xor())
        True
        """
        return Formula(disjunction(negation(formula_node(condition)), formula_node(conclusion)))

    def iff(self, first: Formula | bool, second: Formula | bool) -> Formula:
        """Return the statement that both are true or neither is.

        Parameters
        ----------
        first, second : Formula or bool

        Examples
        --------
        >>> from fstheory.logic import Shape, truth
        >>> from fstheory.gallery import xor
        >>> m = Model(Shape((2, 2)))
        >>> truth(m.iff(m.risk("X1") == m.risk(), m.risk("X2") == m.risk()), xor())
        True
        """
        a, b = formula_node(first), formula_node(second)
        if b in (TRUE, FALSE):
            a, b = b, a
        if a in (TRUE, FALSE):
            return Formula(b if a == TRUE else negation(b))
        return Formula(("iff", a, b))

    def equal(self, *terms: Term | Exact) -> Formula:
        """Return the statement that all terms have one value.

        Parameters
        ----------
        *terms : terms and exact numbers

        Examples
        --------
        >>> from fstheory.logic import Shape, truth
        >>> from fstheory.gallery import xor
        >>> m = Model(Shape((2, 2)))
        >>> truth(m.equal(m.risk("X1"), m.risk("X2"), m.risk(()), "1/2"), xor())
        True
        """
        nodes = [term_node(term) for term in terms]
        return Formula(conjunction(*(comparison("=", a, b) for a, b in itertools.pairwise(nodes))))

    # Bayes classifiers and the minimal-optimal problem

    def predicts(self, state: State, y: Hashable) -> Formula:
        """Return the statement g*(s) = y: the Bayes classifier over the features of a state s puts out the class y.

        Where classes tie, g* puts out the first of them, also where p(s) = 0.

        Parameters
        ----------
        state : mapping from feature names to state labels
        y : label of a class

        Raises
        ------
        UnknownNameError
            There is no such feature, state or class.

        Examples
        --------
        >>> from fstheory import JointDistribution
        >>> from fstheory.logic import truth
        >>> d = JointDistribution([[2, 2], [0, 3]])  # with X1 = 0, the classes tie
        >>> m = Model(d)
        >>> [truth(m.predicts({"X1": 0}, y), d) for y in m.classes]
        [True, False]
        """
        cells = [self._cell(state, z) for z in self.classes]
        place = self._class(y)
        before = (comparison("<", cell, cells[place]) for cell in cells[:place])
        after = (comparison("<=", cell, cells[place]) for cell in cells[place + 1 :])
        return Formula(conjunction(*before, *after))

    def maximizes(self, state: State, y: Hashable) -> Formula:
        """Return the statement that y is a most probable class at a state, perhaps one of several.

        Parameters
        ----------
        state : mapping from feature names to state labels
        y : label of a class

        Raises
        ------
        UnknownNameError
            There is no such feature, state or class.

        Examples
        --------
        >>> from fstheory import JointDistribution
        >>> from fstheory.logic import truth
        >>> d = JointDistribution([[2, 2], [0, 3]])  # with X1 = 0, the classes tie
        >>> m = Model(d)
        >>> [truth(m.maximizes({"X1": 0}, y), d) for y in m.classes]
        [True, True]
        """
        top = self._cell(state, y)
        return Formula(conjunction(*(comparison("<=", self._cell(state, z), top) for z in self.classes if z != y)))

    def same_prediction(self, first: State, second: State) -> Formula:
        """Return the statement that the Bayes classifiers over the features of two states agree there.

        Parameters
        ----------
        first, second : mappings from feature names to state labels
            They may be about different features.

        Examples
        --------
        >>> from fstheory.logic import Shape, truth
        >>> from fstheory.gallery import xor
        >>> m = Model(Shape((2, 2)))
        >>> truth(m.same_prediction({"X1": 0, "X2": 1}, {"X1": 0}), xor())
        False
        """
        return self.all(self.iff(self.predicts(first, y), self.predicts(second, y)) for y in self.classes)

    def minimal_optimal(self, subset: str | Iterable[str]) -> Formula:
        """Return the statement that a subset is minimal with respect to having the Bayes risk of all features.

        Parameters
        ----------
        subset : iterable of feature names, or one name

        Examples
        --------
        >>> from fstheory.logic import Shape, truth
        >>> from fstheory.gallery import xor
        >>> m = Model(Shape((2, 2)))
        >>> [truth(m.minimal_optimal(S), xor()) for S in m.subsets()]
        [False, False, False, True]
        """
        kept = frozenset(self._sorted(subset))
        smaller = (part for part in self.subsets(kept) if part != kept)
        return self.all([self.risk(kept) == self.risk(), *(self.risk(part) != self.risk() for part in smaller)])
