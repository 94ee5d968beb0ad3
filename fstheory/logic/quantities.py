"""`Quantities`: the numbers a claim is about: probabilities, risks, entropies, and what is computed from them."""

from __future__ import annotations

from collections.abc import Hashable, Iterable

from fstheory._exact import Exact
from fstheory.errors import InvalidValueError, explain
from fstheory.logic.expressions import Term, term_node
from fstheory.logic.nodes import Node, difference, total
from fstheory.logic.scope import Classifier, Scope, State

__all__ = ["Quantities"]


class Quantities(Scope):
    """The terms of a claim; the base of `Model`, which describes it."""

    __slots__ = ()

    def probability(self, state: State | None = None, y: Hashable | None = None) -> Term:
        """Return the probability of a state of any features, and of a class if `y` is given.

        Parameters
        ----------
        state : mapping from feature names to state labels, optional
            Features that are not in it are summed out.
        y : label of a class, optional

        Raises
        ------
        UnknownNameError
            There is no such feature, state or class.

        Examples
        --------
        >>> from fstheory import JointDistribution
        >>> from fstheory.logic import Model, Shape, value
        >>> m = Model(Shape((2, 2)))
        >>> print(value(m.probability({"X2": 0}, 1), JointDistribution([[[1, 2], [3, 4]], [[5, 6], [7, 8]]])))
        2/9
        """
        return Term(self._cell(state or {}, y))

    def risk(self, of: str | Iterable[str] | Classifier | None = None) -> Term:
        """Return the Bayes risk of some features, or the risk of a classifier.

        Parameters
        ----------
        of : iterable of feature names, or one name, or Classifier, optional
            All features if not given.

        Examples
        --------
        >>> from fstheory.logic import Model, Shape
        >>> m = Model(Shape((2, 2)))
        >>> m.risk({"X2"}).node, m.risk().node
        (('R', (1,)), ('R', (0, 1)))
        """
        if not isinstance(of, Classifier):
            return Term(("R", self._indices(self.order if of is None else of)))
        right = [self._cell(dict(zip(of.features, state, strict=True)), chosen) for state, chosen in of.table.items()]
        return Term(difference(term_node(1), total(*right)))

    # Information

    def entropy(self, of: str | Iterable[str], *, target: bool = False) -> Term:
        """Return the joint entropy, in nats, of some features, and of the class if `target`.

        Parameters
        ----------
        of : iterable of feature names, or one name
        target : bool
            Whether the class belongs to the variables.

        Examples
        --------
        >>> from fstheory.logic import Model, Shape
        >>> m = Model(Shape((2, 2)))
        >>> m.entropy("X2").node, m.entropy((), target=True).node
        (('H', (1,), False), ('H', (), True))
        """
        return self._entropy(frozenset(self._sorted(of)), bool(target))

    def conditional_entropy(self, given: str | Iterable[str]) -> Term:
        """Return the conditional entropy H(Y | features) of the class, in nats.

        Parameters
        ----------
        given : iterable of feature names, or one name

        Examples
        --------
        >>> from fstheory import JointDistribution
        >>> from fstheory.logic import Model, value
        >>> d = JointDistribution([[1, 1], [2, 0]])
        >>> print(value(Model(d).conditional_entropy("X1"), d))
        1/2*log(2) ≈ 0.346574
        """
        kept = frozenset(self._sorted(given))
        return self._entropy(kept, True) - self._entropy(kept, False)

    def mutual_information(self, of: str | Iterable[str], given: str | Iterable[str] = ()) -> Term:
        """Return I(Y; features | given), in nats.

        Parameters
        ----------
        of, given : iterables of feature names, or one name
            They may share features.

        Examples
        --------
        >>> from fstheory import JointDistribution
        >>> from fstheory.logic import Model, value
        >>> d = JointDistribution([[[1, 0], [0, 1]], [[0, 1], [1, 0]]])
        >>> m = Model(d)
        >>> print(value(m.mutual_information("X1"), d), value(m.mutual_information("X1", "X2"), d))
        0 log(2) ≈ 0.693147
        """
        before, more = frozenset(self._sorted(given)), frozenset(self._sorted(of))
        return self.conditional_entropy(before) - self.conditional_entropy(before | more)

    def feature_information(
        self, a: str | Iterable[str], b: str | Iterable[str], given: str | Iterable[str] = ()
    ) -> Term:
        """Return I(A; B | given), in nats, between sets of features.

        Parameters
        ----------
        a, b, given : iterables of feature names, or one name
            They may share features.

        Examples
        --------
        >>> from fstheory import JointDistribution
        >>> from fstheory.logic import Model, value
        >>> d = JointDistribution([[[1, 1], [0, 0]], [[0, 0], [1, 1]]])  # the features are copies
        >>> print(value(Model(d).feature_information("X1", "X2"), d))
        log(2) ≈ 0.693147
        """
        first, second, known = (frozenset(self._sorted(part)) for part in (a, b, given))
        return (
            self._entropy(first | known, False)
            + self._entropy(second | known, False)
            - self._entropy(first | second | known, False)
            - self._entropy(known, False)
        )

    # Computing with terms

    def sum(self, terms: Iterable[Term | Exact]) -> Term:
        """Return a sum, 0 if there is nothing to add.

        Parameters
        ----------
        terms : iterable of terms and exact numbers

        Examples
        --------
        >>> from fstheory.logic import Model, Shape
        >>> m = Model(Shape((2, 2)))
        >>> m.sum(m.risk(i) for i in m.order).node
        ('+', ('R', (0,)), ('R', (1,)))
        """
        return Term(total(*map(term_node, terms)))

    def maximum(self, terms: Iterable[Term | Exact]) -> Term:
        """Return the largest of some terms; Python's ``max`` would have to know their values.

        Parameters
        ----------
        terms : iterable of terms and exact numbers
            At least one.

        Raises
        ------
        InvalidValueError
            There is none.

        Examples
        --------
        >>> from fstheory.logic import Model, Shape
        >>> m = Model(Shape((2, 2)))
        >>> (m.risk(()) <= m.maximum(m.probability({}, y) for y in m.classes)).node
        ('<=', ('R', ()), ('max', ('P', (None, None), 0), ('P', (None, None), 1)))
        """
        return Term(("max", *self._some(terms)))

    def minimum(self, terms: Iterable[Term | Exact]) -> Term:
        """Return the smallest of some terms; Python's ``min`` would have to know their values.

        Parameters
        ----------
        terms : iterable of terms and exact numbers
            At least one.

        Raises
        ------
        InvalidValueError
            There is none.

        Examples
        --------
        >>> from fstheory.logic import Model, Shape
        >>> m = Model(Shape((2, 2)))
        >>> (m.risk() <= m.minimum(m.risk(i) for i in m.order)).node
        ('<=', ('R', (0, 1)), ('min', ('R', (0,)), ('R', (1,))))
        """
        return Term(("min", *self._some(terms)))

    def log(self, term: Term | Exact) -> Term:
        """Return the natural logarithm; a claim with one is beyond `prove`.

        Parameters
        ----------
        term : term or exact number
            Above 0 and rational wherever the claim is checked.

        Examples
        --------
        >>> from fstheory import JointDistribution
        >>> from fstheory.logic import Model, value
        >>> d = JointDistribution([[1, 1], [2, 0]])
        >>> print(value(Model(d).log(len(d.classes)), d))
        log(2) ≈ 0.693147
        """
        return Term(("log", term_node(term)))

    def sqrt(self, term: Term | Exact) -> Term:
        """Return the square root; a claim with one is beyond `prove`.

        The root of a logarithm has no exact form: instead of ``a <= b + m.sqrt(c)``, write
        ``(a <= b) | ((a - b)**2 <= c)``.

        Parameters
        ----------
        term : term or exact number
            At least 0 and rational wherever the claim is checked.

        Examples
        --------
        >>> from fstheory import JointDistribution
        >>> from fstheory.logic import Model, value
        >>> d = JointDistribution([[1, 1], [2, 0]])
        >>> m = Model(d)
        >>> print(value(m.sqrt(m.probability({"X1": 0})), d))
        1/2*sqrt(2) ≈ 0.707107
        """
        return Term(("sqrt", term_node(term)))

    def _entropy(self, of: frozenset[str], target: bool) -> Term:
        return Term(("H", self._indices(of), target) if of or target else term_node(0))

    def _some(self, terms: Iterable[Term | Exact]) -> tuple[Node, ...]:
        nodes = tuple(map(term_node, terms))
        if not nodes:
            raise InvalidValueError(explain("terms", "at least one term", nodes, "name what to compare"))
        return nodes
