"""`Model`: the vocabulary in which the function of a claim speaks about a distribution."""

from __future__ import annotations

import difflib
import functools
import itertools
import math
import numbers
import warnings
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Literal, NoReturn, TypeAlias, get_args

from fstheory._support.exact import Exact, as_fraction, as_index, exact_text
from fstheory._support.progress import spend
from fstheory._support.result import ByParts, Result
from fstheory.checker.statement import walk
from fstheory.distributions.joint import JointDistribution
from fstheory.errors import (
    InvalidTypeError,
    NotLinearError,
    TooLargeError,
    explain,
    require,
    require_choice,
    require_known,
    require_listed,
    require_type,
    show,
    unknown,
)
from fstheory.lattice.importance import Kind, semivalue_weights
from fstheory.lattice.subsets import Subset, indices_of, mask_of, names_of
from fstheory.logic.every_size import EverySize, asks_about_states
from fstheory.logic.expressions import (
    FALSE,
    TRUE,
    Classifier,
    FeatureSet,
    Formula,
    Node,
    SetNode,
    State,
    Term,
    comparison,
    conjunction,
    difference,
    disjunction,
    equivalence,
    formula_node,
    negation,
    term_node,
    total,
    with_leaves,
)
from fstheory.logic.statement import Shape
from fstheory.measures.information import entropies_in

_MOST_CELLS = 10_000_000  # the largest shape; a statement about more cells would not fit in memory
_MOST_FEATURES = 63  # of a shape; a table has one axis for each of them and one for the class, 64 at most
_MOST_CHOICES = 100_000  # the most choices of formulas that `Model.count` writes down


Gains: TypeAlias = Literal["risk", "information"]
"""The measure by which importances in claims count the gain of a subset: the Bayes risk, or the information."""


class Model(ByParts, Result):
    """The vocabulary of claims: probabilities, risks, classifiers and entropies of *some* distribution of a shape.

    The function of a claim gets a Model as its first argument. Features, subsets and states are ordinary values of
    Python, so you can loop over them. Numbers are terms, whose values are known only at a distribution.

    The methods accept these arguments:

    - for a subset: an iterable of feature names, or one name; where no subset is given, all features;
    - for a state: a mapping from feature names to state labels;
    - for a term: a term or an exact number;
    - for a formula: a formula, True or False.

    A name, state or class that does not exist raises `UnknownNameError`.

    Parameters
    ----------
    subject : Shape, EverySize or JointDistribution
        The features of a shape are named X1, .., Xn, and its states and classes 0, 1, ... . A distribution has its own
        names.
    steps : int, optional
        The most steps of spelling a claim out. After them, `TooLargeError` is raised.
    possible : bool
        Whether a criterion is summed over the possible states of the distribution only. Its value is the same, and it
        is computed sooner. But the formulas of a claim are no longer those of the shape, which certificates have.

    Attributes
    ----------
    features : frozenset of str
        The names of all features.
    order : tuple of str
        The names of all features, in order.
    classes : tuple of labels
        The classes.
    target : str
        The name of the class. It is Y, unless a distribution gives it another name.
    shape : Shape
        The sizes of the sample space.

    Raises
    ------
    TooLargeError
        A shape has more than 63 features or more than ten million cells.

    Examples
    --------
    >>> from fstheory.logic import Shape
    >>> m = Model(Shape((2, 2)))
    >>> m.risk({"X1", "X2"}) <= m.risk({"X1"})
    Formula(('<=', ('R', (0, 1)), ('R', (0,))))
    """

    __slots__ = (
        "_distribution",
        "_labels",
        "_named",
        "_possible",
        "_shape",
        "_steps",
        "classes",
        "features",
        "order",
        "target",
    )

    _distribution: JointDistribution | None
    _labels: tuple[tuple[Hashable, ...], ...]
    _possible: bool
    _named: dict[str, Node]  # in the present instance: the terms that `let` named, the intervals of the parameters
    _shape: Shape
    _steps: Iterator[int] | None
    classes: tuple[Hashable, ...]
    features: frozenset[str]
    order: tuple[str, ...]
    target: str

    def __init__(self, subject: Shape | JointDistribution, *, steps: int | None = None, possible: bool = False) -> None:
        both = "a Shape or a JointDistribution"
        require_type(subject, (Shape, JointDistribution), "subject", both, "pass one of them")
        own = subject if isinstance(subject, JointDistribution) else None
        shape = subject if isinstance(subject, Shape) else Shape(subject.cardinalities, len(subject.classes))
        every = isinstance(shape, EverySize)
        if own is None and not every:
            few = len(shape.cardinalities) <= _MOST_FEATURES and shape.cells <= _MOST_CELLS
            limit = f"of at most {_MOST_FEATURES} features and {_MOST_CELLS:,} cells"
            require(few, "the shape", limit, str(shape), "shrink it", TooLargeError)
        attributes = {
            "_shape": shape,
            "order": subject.features,
            "features": FeatureSet(subject.features, subject.features),
            "target": own.target if own else "Y",
            "_distribution": own,
            "_possible": possible,
            "_steps": None if steps is None else iter(range(steps)),
            "_named": {},
        }
        if shape.classes is not None:  # None for every size, if the number of classes is not fixed
            attributes["classes"] = own.classes if own else tuple(range(shape.classes))
        if not every:
            states = own.states.values() if own else map(tuple, map(range, shape.cardinalities))
            attributes["_labels"] = tuple(states)
        for name, value in attributes.items():
            object.__setattr__(self, name, value)

    @property
    def _parts(self) -> Any:
        return self._distribution or self._shape

    @property
    def shape(self) -> Shape:
        """The numbers of states and of classes. A claim about every size has none, and asking raises an error."""
        if isinstance(self._shape, EverySize):
            raise asks_about_states("its shape")
        return self._shape

    def __reduce__(self) -> tuple[Any, ...]:
        return Model, (self._parts,)

    def __repr__(self) -> str:
        return f"<Model of {self._shape}>"

    def __setattr__(self, name: str, value: object) -> NoReturn:  # all instances would see m.features -= {i}
        raise AttributeError(f"a Model is immutable; compute a new value instead of setting m.{name}")

    def __delattr__(self, name: str) -> NoReturn:
        raise AttributeError(f"a Model is immutable; m.{name} cannot be deleted")

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> NoReturn:
            if name in {"classes", "_labels"}:
                raise asks_about_states("classes" if name == "classes" else "states")
            words = [word for word in dir(type(self)) if not word.startswith("_")]
            close = difflib.get_close_matches(name, words, n=1)
            repair = f"did you mean m.{close[0]}?" if close else f"use one of: {', '.join(words)}"
            raise AttributeError(f"m.{name} does not exist; {repair}")

    # The ranges of quantifiers: subsets, states, classifiers

    def subsets(self, of: Subset | None = None) -> tuple[frozenset[str], ...]:
        """Return all subsets of some features, by default of all, ordered by size and then lexicographically."""
        kept = self._sorted(of)
        limit = f"so few that they have at most {_MOST_CELLS:,} subsets"
        require(1 << len(kept) <= _MOST_CELLS, "features", limit, len(kept), "use a smaller shape", TooLargeError)
        found, step = [], spend if self._steps is None else self._step
        for size in range(len(kept) + 1):
            for names in itertools.combinations(kept, size):
                step()
                found.append(FeatureSet(names, self.order))
        return tuple(found)

    def states(self, of: Subset | None = None) -> tuple[dict[str, Hashable], ...]:
        """Return all joint states of some features, by default of all, in lexicographic order."""
        places = self._indices(of)
        kept = [self.order[i] for i in places]
        found, step = [], spend if self._steps is None else self._step
        for labels in itertools.product(*(self._labels[i] for i in places)):
            step()
            found.append(dict(zip(kept, labels, strict=True)))
        return tuple(found)

    def classifiers(self, of: Subset) -> Iterator[Classifier]:
        """Yield every classifier over some features. For k classes and s states there are k**s classifiers."""
        kept = self._sorted(of)
        states = [tuple(state.values()) for state in self.states(kept)]
        for classes in itertools.product(self.classes, repeat=len(states)):
            yield Classifier(kept, dict(zip(states, classes, strict=True)))

    @property
    def distribution(self) -> JointDistribution:
        """The distribution itself, for claims that compute with it in ordinary Python.

        Such a claim can be checked at a distribution and searched for a counterexample, but not proved.
        """
        if self._distribution is None:
            raise NotLinearError(
                "m.distribution exists only where a claim is checked on a distribution: a claim that uses it can be "
                "checked and searched, but not proved; write it with m.risk, m.probability and the like to prove it"
            )
        return self._distribution

    def value(self, name: str, label: Hashable) -> Fraction:
        """Return the label of a state or class as a number. The label is an int, a Fraction or a text such as "3/8"."""
        argument = f"the label of {name}"
        require_type(label, (numbers.Rational, str), argument, "an exact number", "give numeric states")
        return as_fraction(label, argument)

    # Numbers

    def let(self, name: str, term: Term | Exact) -> Term:
        """Return a term, and give it the name that a refutation uses when it shows values.

        Examples
        --------
        >>> from fstheory import claim, gallery
        >>> @claim
        ... def every_feature_helps(m, i):
        ...     gain = m.let("gain", m.risk(m.features - {i}) - m.risk())
        ...     return gain < m.risk(m.features - {i})
        >>> every_feature_helps.check(gallery.xor()).values
        {'gain': '1/2', 'R({X2})': '1/2'}
        """
        if not isinstance(name, str) or not name or not name.isprintable():
            raise InvalidTypeError(explain("name", "a text of printable characters", name, "write m.let('gain', ..)"))
        node = term_node(term)
        same = self._named.setdefault(name, node) == node
        require(same, "name", "that of one term only", name, f"write f'{name}({{i}})'")
        return Term(node)

    def parameter(self, name: str, *, above: Exact, below: Exact) -> Term:
        """Return a real parameter between two bounds. The claim is stated for all values of the parameter.

        A parameter can be compared, added, and multiplied by rational numbers such as risks, but not by a parameter.
        `prove` also takes a product with an information, for every number of states.

        Examples
        --------
        >>> from fstheory import claim, gallery
        >>> small = claim(lambda m: m.risk(()) < m.parameter("tau", above=0, below=1), name="small")
        >>> small.check(gallery.xor()).where
        (('tau', '1/4'),)
        """
        term, low = Term(("t", name)), as_fraction(above, "above")
        high = as_fraction(below, "below", above=low)
        self.let(name, Term(((term > low) & (term < high)).node))
        own = {*self.order, self.target}
        require(name.isidentifier() and name not in own, "name", "a word, of no variable", name, "write 'tau'")
        return term

    def probability(self, state: State | None = None, y: Hashable | None = None) -> Term:
        """Return the probability of a state of any features, or of this state together with the class `y`.

        The features that the state does not mention are summed out. For every number of states, only the probability of
        a class exists, and only for two classes.

        Examples
        --------
        >>> from fstheory import claim, prove
        >>> rare = claim(lambda m, S: m.implies(m.probability(y=1) <= "1/10", m.risk(S) <= "1/10"), name="rare")
        >>> prove(rare, features=2, classes=2).status
        'proved'
        """
        return Term(self._cell(state or {}, y))

    def risk(
        self,
        of: Subset | Classifier | None = None,
        *,
        target: str | None = None,
        merged: Collection[Hashable] | None = None,
        noise: Exact | Term | None = None,
        prior: Mapping[Any, Exact] | None = None,
    ) -> Term:
        """Return the Bayes risk of some features (by default of all features), or the risk of a `Classifier`.

        With ``target="X2"``, it is the Bayes risk of predicting the state of the feature X2. It is 1 - sum_s max_t
        P(s, X2 = t). Then `of` may contain the class, and by default it consists of all other features.

        One of these changes of the distribution may be named. If there is a target, its states take the place of the
        classes.

        - ``merged=[1, 2]``: these classes count as one class.
        - ``noise="1/10"``: with this probability, the class is replaced by another one, by each other class equally
          often. With k classes, the noise is at most (k - 1)/k. Then the risk is noise + (1 - noise k/(k - 1)) R. The
          noise may be a parameter with bounds from 0 to (k - 1)/k: the claim is stated for all values of the noise.
        - ``prior={0: "1/2", 1: "1/2"}``: the classes have these probabilities, and the features have the same
          distribution given each class. The risk is 1 - sum_s max_y prior(y) p(s | y), with 0/0 = 0.

        For every number of states, a claim has one target, and no classes are merged. If the target is a feature, the
        number of classes is open, and the certificate is about the claim in which this feature and the class have
        changed places. Noise and a uniform prior need a fixed number of classes. `prove` also takes products of two or
        three risks.

        Examples
        --------
        >>> from fstheory import gallery
        >>> from fstheory.logic import value
        >>> d = gallery.xor()
        >>> m = Model(d)
        >>> value(m.risk("X1", target="X2"), d), value(m.risk({"X1", m.target}, target="X2"), d)
        (Fraction(1, 2), Fraction(0, 1))
        >>> value(m.risk(noise="1/10"), d), value(m.risk("X1", prior={0: "1/4", 1: "3/4"}), d)
        (Fraction(1, 10), Fraction(1, 4))
        """
        named = {"target": target, "merged": merged, "noise": noise, "prior": prior}
        given = [name for name, change in named.items() if change is not None]
        if isinstance(of, Classifier):
            only = f"a set of features where {', '.join(given)} is given"
            require(not given, "of", only, of, "leave the rest out", InvalidTypeError)
            right = [self._cell(dict(zip(of.features, state, strict=True)), y) for state, y in of.table.items()]
            return Term(difference(term_node(1), total(*right)))
        changes, one = given[target is not None :], "the only change of the distribution"
        require(len(changes) < 2, (changes or [""])[0], one, changes, "name one of them")
        if merged is not None:
            return self._merged_risk(of, target, merged)
        if noise is not None:
            return self._noisy_risk(of, target, noise)
        if prior is not None:
            return self._risk_under(prior, of, target)
        if self._is_class(target):
            return Term(("R", self._indices(of)))
        return 1 - self.sum(self.maximum(law.values()) for _, law in self._laws(of, target))

    def _merged_risk(self, of: Subset | None, target: str | None, merged: Collection[Hashable]) -> Term:
        """Return the risk if some classes count as one class."""
        self._is_class(target)  # refuses what is no target here
        if isinstance(self._shape, EverySize):
            raise asks_about_states("merged classes")
        classes = self._states_of(self.target if target is None else target)
        for y in require_listed(merged, "merged", "a list of classes", "write [1, 2]"):
            require_known(y, "class", classes)
        alone = [y for y in classes if y not in merged]
        grouped = (
            [self.sum(p for y, p in law.items() if y not in alone), *(law[y] for y in alone if y in law)]
            for _, law in self._laws(of, target)
        )
        return 1 - self.sum(map(self.maximum, grouped))

    def _noisy_risk(self, of: Subset | None, target: str | None, noise: Exact | Term) -> Term:
        """Return the risk if the class is replaced by another one with some probability."""
        self._is_class(target)
        classes = self._states_of(self.target if target is None else target)
        most = Fraction(len(classes) - 1, len(classes))
        more = "with more noise another class becomes the most probable one"
        share = noise if isinstance(noise, Term) else as_fraction(noise, "noise", at_least=0, at_most=most, repair=more)
        if isinstance(share, Term):
            interval = self._named.get(share.node[1], TRUE) if share.node[0] == "t" else TRUE
            ends = [node[1] for node in walk(interval) if node[0] == "q"]
            inside, repair = len(ends) == 2 and min(ends) >= 0 and max(ends) <= most, f"above=0, below='{most}'"
            within = f"a number or a parameter, between 0 and {most}"
            require(inside, "noise", within, noise, f"write m.parameter('eta', {repair})")
        return self.risk(of, target=target) * (1 - share / (most or 1)) + share

    def _risk_under(self, prior: Mapping[Any, Exact], of: Subset | None, target: str | None) -> Term:
        """Return the risk under other probabilities of the classes."""
        self._is_class(target)
        name = self.target if target is None else target
        classes = self._states_of(name)
        require_type(prior, Mapping, "prior", "a mapping from classes to probabilities", "write {0: '1/2', 1: '1/2'}")
        known = {y: as_fraction(p, f"prior[{y!r}]", at_least=0) for y, p in prior.items()}
        full = set(known) == set(classes) and sum(known.values()) == 1
        require(full, "prior", f"one probability for each of {show(classes)}, of sum 1", prior, "correct it")
        if name == self.target and len({*known.values()}) == 1:
            return self.balanced(of) / len(classes)
        if isinstance(self._shape, EverySize):
            costs = f"suppose m.probability(y=1) == '1/2' and write 2 * m.cost_sensitive(S, cost='{known[classes[0]]}')"
            instead = f" ({costs})" * (len(classes) == 2 and name == self.target)
            raise asks_about_states(f"a prior that is not uniform{instead}")
        whole = {y: self._event({name: y}) for y in classes}
        changed = ([p / whole[y] * known[y] for y, p in law.items()] for _, law in self._laws(of, target))
        return 1 - self.sum(map(self.maximum, changed))

    def policy(self, k: int, known: State | None = None) -> Term:
        """Return the least risk of a policy that asks at most k questions, each chosen by the answers so far.

        `fstheory.best_questions` finds such a policy. If a state of some features is known already, the term is the
        probability of this state times the least risk in it.

        The term lists all partial states of k features. So it speaks of one shape. For every number of states, it is
        a risk if k is at most 1 or at least the number of features. For other k, risks do not determine it.

        Examples
        --------
        >>> from fstheory import claim, prove
        >>> pairs = claim(lambda m, i, j: m.policy(2) <= m.risk({i, j}), name="two questions are as good as any pair")
        >>> prove(pairs, cardinalities=(2, 2, 2)).status
        'proved'
        >>> one = claim(lambda m: m.policy(1) >= m.risk(), name="one question is not better than all features")
        >>> prove(one, features=3).status
        'proved'
        """
        k, n = as_index(k, "k"), len(self.order)
        if isinstance(self._shape, EverySize) and not known:
            least_or_all = f"0, 1 or at least {n} for every number of states"
            repair = "give cardinalities, or compare risks: the best k-subset is no better, all features are no worse"
            require(k < 2 or k >= n, "k", least_or_all, k, repair, NotLinearError)
            return self.minimum(map(self.risk, itertools.combinations(self.order, min(k, n))))

        @functools.cache
        def least(known: frozenset[tuple[str, Hashable]], left: int) -> Term:
            state = dict(known)
            stop = self.probability(state) - self.maximum(self.probability(state, y) for y in self.classes)
            others = [i for i in self.order if left and i not in state]
            asked = (
                self.sum(least(frozenset({*known, *x.items()}), left - 1) for x in self.states([i])) for i in others
            )
            return self.minimum([stop, *asked])

        return least(frozenset((known or {}).items()), k)

    # Criteria that divide by probabilities: `prove` decides them for every size alone. By default of all features.

    def gini(self, of: Subset | None = None, *, target: str | None = None) -> Term:
        """Return the Gini impurity of the class given some features, E[1 - sum_y p(y | s)**2].

        With ``target="X2"``, it is the Gini impurity of the feature X2. `risk` says what a target is.
        """
        if self._is_class(target) and isinstance(self._shape, EverySize):
            return Term(("G", self._indices(of)))
        return 1 - self.sum(self.sum(p * p for p in law.values()) / whole for whole, law in self._laws(of, target))

    def balanced(self, of: Subset | None = None) -> Term:
        """Return the smallest sum over the classes of the share of the class that a classifier gets wrong.

        For every size, the number of classes has to be given, because without features the sum is this number less 1.
        """
        if isinstance(self._shape, EverySize):
            return Term(("B", self._indices(of))) + 0 * len(self.classes)
        shares = ([self.probability(s, y) / self.probability(y=y) for y in self.classes] for s in self._summed(of))
        return len(self.classes) - self.sum(map(self.maximum, shares))

    def cost_sensitive(self, of: Subset | None = None, *, cost: Exact) -> Term:
        """Return the cost-sensitive risk: the least expected cost of predicting the last class, or not.

        A false positive costs c, and a false negative costs 1 - c, where c is `cost`, strictly between 0 and 1. The
        term is E min((1 - c) eta, c (1 - eta)) with eta = p(last class | s), as for `criteria.cost_sensitive`. For
        other costs a and b, multiply the term for c = a / (a + b) by a + b. For c = 1/2 it is half the Bayes risk. If
        the last class has the probability c, the term is c (1 - c) times the balanced loss. For every number of states
        there must be two classes.

        Examples
        --------
        >>> from fstheory import claim, prove
        >>> small = claim(lambda m, S: 3 * m.cost_sensitive(S, cost="1/3") <= 2 * m.risk(S), name="costs 1 and 2")
        >>> prove(small, features=1, classes=2).status
        'proved'
        """
        repair = "a false positive costs c, a false negative 1 - c"
        c = as_fraction(cost, "cost", above=0, below=1, repair=repair)
        if not isinstance(self._shape, EverySize):
            *others, y = self.classes
            cells = (
                (self.probability(s, y), self.sum(self.probability(s, z) for z in others)) for s in self._summed(of)
            )
            return self.sum(self.minimum([yes * (1 - c), no * c]) for yes, no in cells)
        if self._shape.classes != 2:
            wanted = "for every number of states, a cost-sensitive risk is one of two classes"
            raise NotLinearError(f"{wanted}: give classes=2")
        return self.risk(of) / 2 if 2 * c == 1 else Term(("C", self._indices(of), exact_text(c)))

    def auc(self, of: Subset | None = None) -> Term:
        """Return the largest area under the ROC curve for the last class against the other classes."""
        if isinstance(self._shape, EverySize):
            return Term(("A", self._indices(of)))
        *others, y = self.classes
        states = (*self._summed(of), {})
        *cells, (p, q) = [(self.probability(s, y), self.sum(self.probability(s, z) for z in others)) for s in states]
        pairs = itertools.product(cells, repeat=2)
        return 1 - self.sum(self.minimum([a * d, c * b]) for (a, b), (c, d) in pairs) / (p * q * 2)

    def explained(self, of: Subset | None = None) -> Term:
        """Return the share of the variance of the class that some features explain. The classes must be numbers.

        It is 1 - E[Var(Y | s)] / Var(Y), and 0 for a constant class.

        Examples
        --------
        >>> from fstheory import gallery
        >>> from fstheory.logic import value
        >>> m = Model(gallery.xor())
        >>> value(m.explained(), gallery.xor()), value(m.explained("X1"), gallery.xor())
        (Fraction(1, 1), Fraction(0, 1))
        """
        if isinstance(self._shape, EverySize):
            return Term(("V", self._indices(of)))
        numbers = {y: self.value(self.target, y) for y in self.classes}
        states = [{}, *self._summed(of)]
        means = [self.sum(self.probability(s, y) * number for y, number in numbers.items()) for s in states]
        mean, *told = [total * total / self.probability(s) for s, total in zip(states, means, strict=True)]
        squares = self.sum(self.probability(y=y) * number**2 for y, number in numbers.items())
        return (self.sum(told) - mean) / (squares - mean)

    # Information

    # Informations are in nats. With a base they are divided by its logarithm: in bits with base=2. A comparison that
    # has such a term is multiplied by the logarithm. So a certificate states it in nats, with log(2) beside the risks.

    def entropy(self, of: Subset | None = None, *, target: bool = False, base: Exact | None = None) -> Term:
        """Return the joint entropy of some features, in nats, or to a base above 1: in bits with ``base=2``.

        To include the class, put ``m.target`` among the features or pass ``target=True``. The entropy H(Y) of the class
        alone is ``m.entropy(m.target)``. With ``target=True`` and no features named, the entropy is H(X1, .., Xn, Y) of
        all features and the class. Because many readers expect H(Y) there, a warning says so.

        Examples
        --------
        >>> from fstheory import gallery
        >>> from fstheory.logic import value
        >>> m = Model(gallery.xor())
        >>> print(value(m.entropy(m.target), gallery.xor()), value(m.entropy(m.features, target=True), gallery.xor()))
        log(2) ≈ 0.693147 2*log(2) ≈ 1.38629
        """
        if target and of is None:
            repair = f"write m.entropy(m.target) for H({self.target}), or m.entropy(m.features, target=True)"
            warnings.warn(
                f"m.entropy(target=True) is the entropy of all features and the class; {repair}", stacklevel=2
            )
        return self._in_base(self._entropy({*self._variables(of), *([self.target] if target else [])}), base)

    def conditional_entropy(self, given: Subset | None = None, *, base: Exact | None = None) -> Term:
        """Return the conditional entropy H(Y | features) of the class, in nats or to a base.

        Examples
        --------
        >>> from fstheory import claim, prove
        >>> hellman_raviv = claim(lambda m, S: m.risk(S) <= m.conditional_entropy(S, base=2) / 2, name="in bits")
        >>> print(prove(hellman_raviv, features=1, classes=2).proof)
        in bits at S = {}: 1/2 H(Y) - log(2) R({}) >= 0, by Tebbe and Dwyer (F15).
        in bits at S = {X1}: 1/2 H(Y | X1) - log(2) R({X1}) >= 0, by Tebbe and Dwyer (F15).
        """
        kept = self._sorted(given)
        return self._in_base(self._entropy({*kept, self.target}) - self._entropy(kept), base)

    def mutual_information(self, of: Subset | None = None, given: Subset = (), *, base: Exact | None = None) -> Term:
        """Return I(Y; features | given) in nats or to a base. The two subsets may share features."""
        known = self._sorted(given)
        told = self.conditional_entropy(known) - self.conditional_entropy({*known, *self._sorted(of)})
        return self._in_base(told, base)

    def feature_information(self, a: Subset, b: Subset, given: Subset = (), *, base: Exact | None = None) -> Term:
        """Return I(A; B | given) in nats or to a base, for sets of features that may overlap.

        Each set may contain the class, which is called ``m.target``.

        Examples
        --------
        >>> from fstheory.logic import value
        >>> d = JointDistribution([[[1, 1], [0, 0]], [[0, 0], [1, 1]]])  # the features are copies
        >>> m = Model(d)
        >>> print(value(m.feature_information("X1", "X2"), d), value(m.feature_information("X1", "X2", m.target), d))
        log(2) ≈ 0.693147 log(2) ≈ 0.693147
        """
        first, second, known = map(self._variables, (a, b, given))
        joint = self._entropy(first | known) + self._entropy(second | known)
        return self._in_base(joint - self._entropy(first | second | known) - self._entropy(known), base)

    def independent(self, a: Subset, b: Subset, given: Subset = ()) -> Formula:
        """Return the formula that two sets of variables are independent given a third: I(A; B | given) = 0.

        The sets consist of features and may contain the class, which is called ``m.target``. They may overlap. At a
        distribution the formula is decided exactly. Like everything with entropies, `prove` accepts it for every number
        of states and refuses it for one shape.

        Examples
        --------
        >>> from fstheory import gallery
        >>> from fstheory.logic import truth
        >>> d = gallery.xor()
        >>> m = Model(d)
        >>> truth(m.independent("X1", "X2"), d), truth(m.independent("X1", "X2", given=m.target), d)
        (True, False)
        """
        return self.feature_information(a, b, given) == 0

    def function(self, i: str, of: Subset) -> Formula:
        """Return the formula that a variable is a function of others, wherever the probability is above 0.

        The variables are features. They may include the class, which is called ``m.target``. For every number of
        states, the formula says that a conditional entropy is 0, which `prove` decides. For one shape, it says that for
        each state of the others one state of the variable has all the probability, which needs no logarithms.

        Examples
        --------
        >>> from fstheory import claim, prove
        >>> @claim
        ... def sum_of_the_others(m):
        ...     return m.implies(m.function("X3", of={"X1", "X2"}), m.risk({"X1", "X2"}) == m.risk())
        >>> prove(sum_of_the_others, features=3).status, prove(sum_of_the_others, cardinalities=(2, 2, 2)).status
        ('proved', 'proved')
        """
        (name,), known = self._names([i]), self._variables(of)
        if isinstance(self._shape, EverySize):
            return self._entropy({*known, name}) == self._entropy(known)
        return self.all(self.any(p == whole for p in law.values()) for whole, law in self._laws(known, name))

    def xor(self, i: str, *others: str) -> Formula:
        """Return the formula that a variable is the exclusive or of others, wherever the probability is above 0.

        The variables are features of two states. They may include a class of two values, which is called ``m.target``.
        The first state of a variable counts as 0, and the second one as 1. The formula says that all other states
        together have probability 0.

        An exclusive or speaks of states, so `prove` refuses it for every number of states. There, say with `function`
        that each variable is a function of the others. An exclusive or implies this, so it implies all that follows.

        Examples
        --------
        >>> from fstheory import gallery
        >>> from fstheory.logic import truth
        >>> d = gallery.xor()
        >>> m = Model(d)
        >>> truth(m.xor(m.target, "X1", "X2"), d), truth(m.xor("X1", "X2"), d)
        (True, False)
        """
        names = self._names([i, *others])
        require(len({*names}) == len(names), "others", "different variables", names, "name each one once")
        if isinstance(self._shape, EverySize):
            raise asks_about_states("an exclusive or (m.function says for every size that one is a function of others)")
        for name in names:
            two, repair = len(self._states_of(name)) == 2, "write with m.function that it is a function of the others"
            require(two, name, "a variable of two states", self._states_of(name), repair)
        odd = (places for places in itertools.product((0, 1), repeat=len(names)) if sum(places) % 2)
        states = ({name: self._states_of(name)[v] for name, v in zip(names, places, strict=True)} for places in odd)
        return self.sum(map(self._event, states)) == 0

    def info(self, quantity: str, *, base: Exact | None = None) -> Term:
        """Return an entropy or an information in nats or to a base, in the usual notation. See `fstheory.info`.

        Examples
        --------
        >>> Model(Shape((2, 2))).info("H(Y | X1)")
        Term(('+', ('H', (0,), True), ('*', ('q', Fraction(-1, 1)), ('H', (0,), False))))
        """
        parts = entropies_in(quantity, self._variables).items()
        return self._in_base(self.sum(self._entropy(of) * times for of, times in parts), base)

    def _in_base(self, term: Term, base: Exact | None) -> Term:
        repair = "pass 2 for bits, or leave it out for nats"
        return term if base is None else term / self.log(as_fraction(base, "base", above=1, repair=repair))

    # What features are worth

    def importance(
        self, i: str, kind: Kind = "shapley", *, criterion: Gains = "risk", of: Subset | None = None
    ) -> Term:
        """Return the importance of a feature: its Shapley value or another one, as in `fstheory.importance`.

        The gain of a subset is the amount by which it lowers the Bayes risk. With ``criterion="information"``, it is
        the information of the subset about the class, in nats. `of` names the features that there are, by default all.
        `shapley`, `banzhaf`, `loco`, `alone` and `mci` are short forms.

        Examples
        --------
        >>> from fstheory import claim, prove
        >>> shares = claim(lambda m: m.sum(m.shapley(i) for i in m.order) == m.risk(()) - m.risk(), name="shares")
        >>> prove(shares, features=3).status
        'proved'
        """
        gains = self._gains(i, criterion, of)
        if kind in ("mci", "least"):
            return (self.maximum if kind == "mci" else self.minimum)(gains.values())
        weights = semivalue_weights(kind, 1 + max(map(len, gains)))
        return self.sum(gain * weights[len(subset)] for subset, gain in gains.items())

    def shapley(self, i: str, *, criterion: Gains = "risk", of: Subset | None = None) -> Term:
        """Return the Shapley value of a feature: the mean gain of adding it to those before it, over all orders.

        `importance` says what the gain is, and what `criterion` and `of` mean.
        """
        return self.importance(i, "shapley", criterion=criterion, of=of)

    def banzhaf(self, i: str, *, criterion: Gains = "risk", of: Subset | None = None) -> Term:
        """Return the Banzhaf value of a feature: the mean gain of adding it, over all subsets of the others.

        `importance` says what the gain is, and what `criterion` and `of` mean.
        """
        return self.importance(i, "banzhaf", criterion=criterion, of=of)

    def loco(self, i: str, *, criterion: Gains = "risk", of: Subset | None = None) -> Term:
        """Return the gain of adding a feature to all others. This is the loss if the feature is left out.

        `importance` says what the gain is, and what `criterion` and `of` mean.
        """
        return self.importance(i, "loco", criterion=criterion, of=of)

    def alone(self, i: str, *, criterion: Gains = "risk", of: Subset | None = None) -> Term:
        """Return the gain of a feature alone, without any other.

        `importance` says what the gain is, and what `criterion` and `of` mean.
        """
        return self.importance(i, "alone", criterion=criterion, of=of)

    def mci(self, i: str, *, criterion: Gains = "risk", of: Subset | None = None) -> Term:
        """Return the largest gain of adding a feature to a subset of the others (marginal contribution importance).

        `importance` says what the gain is, and what `criterion` and `of` mean.
        """
        return self.importance(i, "mci", criterion=criterion, of=of)

    def interaction(self, i: str, j: str, *, criterion: Gains = "risk") -> Term:
        """Return the Shapley interaction index of two features.

        It is the mean of how much more one feature gains if the other one is there. `importance` says what the gain is.

        Examples
        --------
        >>> from fstheory import gallery
        >>> from fstheory.logic import value
        >>> value(Model(gallery.xor()).interaction("X1", "X2"), gallery.xor())
        Fraction(1, 2)
        """
        gains = self._gains(i, criterion, None)
        without = [subset for subset in gains if j not in subset]
        require(len(without) < len(gains), "j", "another feature than i", j, "name two features")
        weights = semivalue_weights("shapley", 1 + max(map(len, without)))
        return self.sum((gains[subset | {j}] - gains[subset]) * weights[len(subset)] for subset in without)

    def top(self, subset: Subset, measure: Callable[[str], Term]) -> Formula:
        """Return the formula that each feature of a subset has at least the measure of each other feature.

        Examples
        --------
        >>> from fstheory import gallery
        >>> from fstheory.logic import truth
        >>> m = Model(gallery.titanic())
        >>> truth(m.top("sex", m.shapley), gallery.titanic()), truth(m.top("age", m.shapley), gallery.titanic())
        (True, False)
        """
        inside = self._sorted(subset)
        return self.all(measure(i) >= measure(j) for i in inside for j in self.order if j not in inside)

    def copies(self, i: str, j: str, *, criterion: Gains = "risk") -> Formula:
        """Return the formula that two features have the same gains, and that one has no gain beside the other.

        The gain is the amount by which a feature lowers the Bayes risk when it is added to a subset of the others. With
        ``criterion="information"``, it is the information that the feature adds about the class. A feature and its copy
        satisfy the formula. Other features can satisfy it, too, because it compares gains, and not states.

        Examples
        --------
        >>> from fstheory import gallery
        >>> from fstheory.logic import truth
        >>> d = gallery.copies()
        >>> truth(Model(d).copies("X1", "X2"), d)
        True
        """
        alone, beside = self._gains(i, criterion, None), self._gains(j, criterion, None)
        shared = [subset for subset in alone if j not in subset]
        pairs = ((alone[subset] == beside[subset], beside[subset | {i}] == 0) for subset in shared)
        return self.all(itertools.chain(*pairs))

    def submodular(self, *, criterion: Gains = "risk") -> Formula:
        """Return the formula that the gain of a feature never grows when other features are added before it.

        `importance` says what the gain is.

        `fstheory.selection.is_submodular` decides it for a table.

        Examples
        --------
        >>> from fstheory import gallery
        >>> from fstheory.logic import truth
        >>> truth(Model(gallery.xor()).submodular(), gallery.xor())
        False
        """
        gains = [self._gains(i, criterion, None) for i in self.order]
        steps = ((found, subset, j) for found in gains for subset in found for j in subset)
        return self.all(found[subset] <= found[subset - {j}] for found, subset, j in steps)

    def _gains(self, i: str, criterion: Gains, of: Subset | None) -> dict[frozenset[str], Term]:
        """Return what a feature adds to each subset of the others."""
        require_choice(criterion, "criterion", get_args(Gains))
        there = self._sorted(of)
        self._sorted([i])  # refuses a name that does not exist
        require(i in there, "i", f"among the features {', '.join(there)}", i, "name one of them")

        def worth(subset: frozenset[str]) -> Term:
            return -self.risk(subset) if criterion == "risk" else self.mutual_information(subset)

        others = self.subsets([name for name in there if name != i])
        return {subset: worth(subset | {i}) - worth(subset) for subset in others}

    # Computing with terms

    def sum(self, terms: Iterable[Term | Exact]) -> Term:
        """Return the sum of some terms. The sum of no terms is 0."""
        return Term(total(*map(term_node, terms)))

    def maximum(self, terms: Iterable[Term | Exact]) -> Term:
        """Return the largest of some terms. Python's ``max`` cannot be used, because it needs their values."""
        return Term(("max", *self._some(terms)))

    def minimum(self, terms: Iterable[Term | Exact]) -> Term:
        """Return the smallest of some terms. Python's ``min`` cannot be used, because it needs their values."""
        return Term(("min", *self._some(terms)))

    def log(self, term: Term | Exact) -> Term:
        """Return the natural logarithm of a term whose value is rational and above 0.

        The product p * m.log(p) is 0 if p is 0. For every number of states, `prove` takes logarithms of numbers, also
        times risks or impurities, and the products r * m.log(r) and (1 - r) * m.log(1 - r) of a risk r. It takes no
        other ones.
        """
        return Term(("log", term_node(term)))

    def sqrt(self, term: Term | Exact) -> Term:
        """Return the square root of a term whose value is rational and at least 0.

        A claim with a square root cannot be proved by `prove`. The root of a logarithm has no exact form here: instead
        of ``a <= b + m.sqrt(c)``, write ``(a <= b) | ((a - b)**2 <= c)``.
        """
        return Term(("sqrt", term_node(term)))

    # Putting statements together

    def all(self, formulas: Iterable[Formula | bool]) -> Formula:
        """Return the formula that all given formulas are true. For no formulas, it is true."""
        return Formula(conjunction(*map(formula_node, formulas)))

    def any(self, formulas: Iterable[Formula | bool]) -> Formula:
        """Return the formula that at least one of the given formulas is true. For no formulas, it is false."""
        return Formula(disjunction(*map(formula_node, formulas)))

    def count(self, formulas: Iterable[Formula | bool], at_least: int = 0, at_most: int | None = None) -> Formula:
        """Return the formula that at least `at_least` and at most `at_most` of some formulas are true.

        The formula lists all choices of that many formulas, so it is long if there are many.
        """
        parts = list(formulas)

        def reaches(count: int) -> Formula:
            few, what = math.comb(len(parts), count) <= _MOST_CHOICES, f"fewer than make {_MOST_CHOICES:,} choices"
            require(few, "formulas", what, len(parts), "count among fewer", TooLargeError)
            return self.any(map(self.all, itertools.combinations(parts, count)))

        enough = reaches(as_index(at_least, "at_least"))
        return enough if at_most is None else enough & ~reaches(as_index(at_most, "at_most") + 1)

    def implies(self, condition: Formula | bool, conclusion: Formula | bool) -> Formula:
        """Return the formula "if the condition is true, so is the conclusion".

        At a distribution where the condition is false, the conclusion is not evaluated, so it may divide by 0 there.
        """
        return Formula(disjunction(negation(formula_node(condition)), formula_node(conclusion)))

    def iff(self, first: Formula | bool, second: Formula | bool) -> Formula:
        """Return the formula that both formulas are true or both are false."""
        return Formula(equivalence(formula_node(first), formula_node(second)))

    def equal(self, *terms: Term | Exact) -> Formula:
        """Return the formula that all terms have the same value."""
        nodes = [term_node(term) for term in terms]
        return Formula(conjunction(*(comparison("=", a, b) for a, b in itertools.pairwise(nodes))))

    # Bayes classifiers and the minimal-optimal problem

    def predicts(self, state: State, y: Hashable) -> Formula:
        """Return the formula g*(s) = y: the Bayes classifier over the features of a state s predicts the class y.

        If classes tie, g* predicts the first of them. This includes states with p(s) = 0.
        """
        cells = [self._cell(state, z) for z in self.classes]
        place = self._class(y)
        before = (comparison("<", cell, cells[place]) for cell in cells[:place])
        after = (comparison("<=", cell, cells[place]) for cell in cells[place + 1 :])
        return Formula(conjunction(*before, *after))

    def maximizes(self, state: State, y: Hashable) -> Formula:
        """Return the formula that y is a most probable class at a state. There may be several such classes."""
        top = self._cell(state, y)
        return Formula(conjunction(*(comparison("<=", self._cell(state, z), top) for z in self.classes if z != y)))

    def same_prediction(self, first: State, second: State) -> Formula:
        """Return the formula that the same class is predicted at two states.

        At each state, the prediction is that of the Bayes classifier over the features of the state.
        """
        return self.all(self.iff(self.predicts(first, y), self.predicts(second, y)) for y in self.classes)

    def minimal_optimal(self, subset: Subset) -> Formula:
        """Return the formula that a subset has the Bayes risk of all features and no proper subset of it has."""
        kept = frozenset(self._sorted(subset))
        smaller = (part for part in self.subsets(kept) if part != kept)
        return self.all([self.risk(kept) == self.risk(), *(self.risk(part) != self.risk() for part in smaller)])

    def strongly_relevant(self, i: str) -> Formula:
        """Return the formula that the class depends on a feature given all other features.

        Examples
        --------
        >>> from fstheory import gallery
        >>> from fstheory.logic import truth
        >>> d = gallery.copies()
        >>> m = Model(d)
        >>> truth(m.strongly_relevant("X1"), d), truth(m.markov_boundary({"X1"}), d)
        (False, True)
        """
        rest = frozenset(self._sorted(self.features - {i}))
        if isinstance(self._shape, EverySize):
            return ~self.markov_blanket(rest)
        return self.any(joint != product for joint, product in self._posteriors(rest))

    def markov_blanket(self, subset: Subset) -> Formula:
        """Return the formula that the class is independent of all other features given a subset.

        For every number of states it says that an information is 0, which `prove` decides. For one shape it compares
        products of probabilities, which need no logarithms.
        """
        if isinstance(self._shape, EverySize):
            return self.mutual_information(given=subset) == 0
        return self.all(joint == product for joint, product in self._posteriors(self._sorted(subset)))

    def markov_boundary(self, subset: Subset) -> Formula:
        """Return the formula that a subset is a Markov blanket of the class, and that no proper subset is one."""
        kept = frozenset(self._sorted(subset))
        smaller = (part for part in self.subsets(kept) if part != kept)
        return self.markov_blanket(kept) & ~self.any(map(self.markov_blanket, smaller))

    def _posteriors(self, kept: Iterable[str]) -> Iterator[tuple[Term, Term]]:
        """Yield p(y | x) and p(y | kept features of x), both times p(x) and the probability of these features."""
        for x in self.states():
            part = {name: label for name, label in x.items() if name in kept}
            for y in self.classes:
                yield self.probability(x, y) * self.probability(part), self.probability(part, y) * self.probability(x)

    def _step(self) -> None:
        """Count one step of spelling out a claim, and raise an error if there are no steps left, or no time."""
        spend()
        if self._steps is not None and next(self._steps, None) is None:
            requirement = f"short enough to be spelled out here for {self._shape}"
            raise TooLargeError(f"the claim must be {requirement}; use a smaller shape")

    def _summed(self, of: Subset | None) -> tuple[dict[str, Hashable], ...]:
        """Return the joint states over which a criterion is summed. An impossible state adds 0."""
        if not self._possible:
            return self.states(of)
        places = self._indices(of)
        found = dict.fromkeys(tuple(state[i] for i in places) for state in self.distribution.support())
        return tuple(dict(zip([self.order[i] for i in places], labels, strict=True)) for labels in found)

    def _indices(self, subset: Subset | None) -> tuple[int, ...]:
        """Return the places of some features, by default of all, in order."""
        self._step()
        return indices_of(mask_of(self.order if subset is None else subset, self.order))

    def _sorted(self, subset: Subset | None) -> tuple[str, ...]:
        return tuple(self.order[i] for i in self._indices(subset))

    def _variables(self, names: Subset | None) -> frozenset[str]:
        """Return names of features, by default all of them, as a set, which may include the name of the class."""
        every = (*self.order, self.target)
        return names_of(mask_of(self.order if names is None else names, every, kind="variable"), every)

    def _names(self, names: Sequence[object]) -> tuple[str, ...]:
        """Return names of single variables, features or the class, and refuse everything else."""
        every = (*self.order, self.target)
        for name in names:
            require_known(name, "variable", every)
        return tuple(map(str, names))

    def _is_class(self, target: str | None) -> bool:
        """Return whether a target is the class. Refuse a target that does not exist, or cannot be predicted here."""
        if target is None:
            return True
        (name,) = self._names([target])
        if name != self.target and isinstance(self._shape, EverySize):
            only = f"{name} as a target beside other targets, a number of classes, or positive and unique_maximum"
            raise asks_about_states(f"{only} (m.info may ask for entropies of {name})")
        return name == self.target

    def _states_of(self, name: str) -> tuple[Hashable, ...]:
        """Return the states of a feature, or the classes."""
        return self.classes if name == self.target else self._labels[self.order.index(name)]

    def _event(self, state: State) -> Term:
        """Return the probability of a state of features and possibly of the class."""
        features = {name: label for name, label in state.items() if name != self.target}
        return self.probability(features, state.get(self.target))

    def _laws(self, of: Subset | None, target: str | None) -> Iterator[tuple[Term, dict[Hashable, Term]]]:
        """Yield the probability of each joint state of some variables, and how the states of a target share it."""
        name = self.target if target is None else target
        known = self._variables(self.features - {name} if of is None else of)
        if name == self.target:
            self._sorted(of)  # refuses the class among its own predictors
        given = [{self.target: y} for y in self.classes] if self.target in known else [{}]
        for s, y in itertools.product(self._summed(known - {self.target}), given):
            state = {**s, **y}
            law = {t: self._event({**state, name: t}) for t in self._states_of(name) if state.get(name, t) == t}
            yield self._event(state), law

    def _entropy(self, of: Iterable[str]) -> Term:
        names = frozenset(of)
        return Term(("H", self._indices(names - {self.target}), self.target in names) if names else term_node(0))

    def _class(self, y: Hashable) -> int:
        if y not in self.classes:
            raise unknown("class", y, self.classes)
        return self.classes.index(y)

    def _cell(self, state: State, y: Hashable | None) -> Node:
        require_type(state, Mapping, "state", "a mapping from features to states", "write {'X1': 0}")
        self._step()
        places: list[int | None] = [None] * len(self.order)
        for name, label in state.items():
            (i,) = self._indices([name])
            if label not in self._labels[i]:
                raise unknown(f"state of {name}", label, self._labels[i])
            places[i] = self._labels[i].index(label)
        return ("P", tuple(places), None if y is None else self._class(y))

    def _some(self, terms: Iterable[Term | Exact]) -> tuple[Node, ...]:
        nodes = tuple(map(term_node, terms))
        require(nodes, "terms", "at least one term", nodes, "name what to compare")
        return nodes


# -- Claims that are read once: called with symbols, the function gives one formula, from which all instances follow.


# The formula of a claim for all sets, the terms that it names, and the leaves of all these that depend on the sets.
Reading: TypeAlias = "tuple[Node, dict[str, Node], tuple[Node, ...]]"


def spelled_out(reading: Reading, model: Model, *values: str | frozenset[str]) -> Formula:
    """Return the formula of a claim that was read once, for given features and subsets of a model."""
    names, target = (*model.order, model.target), len(model.order)
    given = [{value} if isinstance(value, str) else value for value in values]
    known: dict[Node, frozenset[int]] = {("X",): frozenset(range(target)), ("Y",): frozenset([target])}
    known |= {("S", j): frozenset(i for i, name in enumerate(names) if name in of) for j, of in enumerate(given)}
    asked: dict[str, Callable[..., Any]] = {"R": model.risk, "H": model._entropy, "minimal": model.minimal_optimal}
    asked |= {"G": model.gini, "A": model.auc, "V": model.explained}

    def members(node: SetNode) -> frozenset[int]:
        """Return the places of the variables in a set. The last variable is the class."""
        if node in known:
            return known[node]
        kind, *parts = node
        if kind == "|":
            return frozenset[int]().union(*map(members, parts))
        first, second = map(members, parts)
        return first & second if kind == "&" else first - second

    def leaf(kind: str, *parts: SetNode) -> Node:
        first, *others = map(members, parts)
        if kind == "in":
            return TRUE if first <= others[0] else FALSE
        if kind == "R" and target not in first and type(model) is Model:
            model._step()
            return kind, tuple(sorted(first))
        node: Node = asked[kind](frozenset(names[i] for i in first)).node
        return node

    model._step()
    formula, named, about_sets = reading
    leaves = {node: leaf(*node) for node in about_sets}
    model._named.update((name, with_leaves(node, leaves)) for name, node in named.items())
    return Formula(with_leaves(formula, leaves))
