"""What a claim can name and range over: features, subsets, states, classes and classifiers."""

from __future__ import annotations

import itertools
import numbers
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from fractions import Fraction
from types import MappingProxyType
from typing import Any, NoReturn, TypeAlias

from fstheory._display import Shown
from fstheory._exact import as_fraction
from fstheory.distribution import JointDistribution
from fstheory.errors import InvalidTypeError, NotLinearError, TooLargeError, explain, unknown
from fstheory.logic.nodes import Node
from fstheory.logic.statement import Shape
from fstheory.subsets import mask_of, masks_by_size, names_of

__all__ = ["Classifier", "FeatureSet", "Scope", "State"]

State: TypeAlias = "Mapping[str, Hashable]"
"""A state of some features: from their names to state labels."""


class Classifier(Shown):
    """A function from the states of a subset of features to the classes, given by its table.

    Called with a state of at least these features, it returns a class. ``m.classifiers(S)`` lists all of them
    over a subset, and ``m.risk(g)`` is the probability that one errs.

    Parameters
    ----------
    features : tuple of str
    table : mapping from tuples of state labels to class labels
        One entry for each state of the features, its labels in their order.

    Attributes
    ----------
    features : tuple of str
    table : read-only mapping

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

    __and__, __or__, __sub__, __xor__ = map(_kept, ("__and__", "__or__", "__sub__", "__xor__"))
    __rand__, __ror__, __rsub__, __rxor__ = map(_kept, ("__rand__", "__ror__", "__rsub__", "__rxor__"))
    intersection, union = map(_kept, ("intersection", "union"))
    difference, symmetric_difference = map(_kept, ("difference", "symmetric_difference"))
    copy = _kept("copy")


_MOST_CELLS = 10_000_000  # of a shape; a statement about more would not fit in memory either


class Scope(Shown):
    """The names of a sample space; the base of `Model`, which describes it."""

    __slots__ = ("_distribution", "_labels", "_steps", "classes", "features", "order", "shape")

    _distribution: JointDistribution | None
    _labels: tuple[tuple[Hashable, ...], ...]
    _steps: Iterator[int] | None
    classes: tuple[Hashable, ...]
    features: frozenset[str]
    order: tuple[str, ...]
    shape: Shape

    def __init__(self, subject: Shape | JointDistribution, *, steps: int | None = None) -> None:
        if isinstance(subject, JointDistribution):
            shape = Shape(subject.cardinalities, len(subject.classes))
            labels: tuple[tuple[Hashable, ...], ...] = tuple(subject.states[name] for name in subject.features)
            classes: tuple[Hashable, ...] = subject.classes
        elif isinstance(subject, Shape):
            shape = subject
            if shape.cells > _MOST_CELLS:
                raise TooLargeError(explain("the shape", f"of at most {_MOST_CELLS:,} cells", str(shape), "shrink it"))
            labels = tuple(tuple(range(size)) for size in shape.cardinalities)
            classes = tuple(range(shape.classes))
        else:
            raise InvalidTypeError(explain("subject", "a Shape or a JointDistribution", subject, "pass one of them"))
        known = {"shape": shape, "_labels": labels, "classes": classes, "order": subject.features}
        known["_steps"] = None if steps is None else iter(range(steps))
        for name, value in known.items():
            object.__setattr__(self, name, value)
        object.__setattr__(self, "features", FeatureSet(self.order, self.order))
        object.__setattr__(self, "_distribution", subject if isinstance(subject, JointDistribution) else None)

    def __repr__(self) -> str:
        return f"<{type(self).__name__} of {self.shape}>"

    def __setattr__(self, name: str, value: object) -> NoReturn:  # m.features -= {i} would be seen by every instance
        raise AttributeError(f"a Model is immutable; compute a new value instead of setting m.{name}")

    def __delattr__(self, name: str) -> NoReturn:
        raise AttributeError(f"a Model is immutable; m.{name} cannot be deleted")

    # What to quantify over

    def subsets(self, of: str | Iterable[str] | None = None) -> tuple[frozenset[str], ...]:
        """Return all subsets of some features, by size.

        Parameters
        ----------
        of : iterable of feature names, or one name, optional
            All features if not given.

        Examples
        --------
        >>> from fstheory.logic import Model
        >>> [sorted(S) for S in Model(Shape((2, 2))).subsets()]
        [[], ['X1'], ['X2'], ['X1', 'X2']]
        """
        kept = self.order if of is None else self._sorted(of)
        return tuple(FeatureSet(names_of(mask, kept), self.order) for mask in masks_by_size(len(kept)).tolist())

    def states(self, of: str | Iterable[str] | None = None) -> tuple[dict[str, Hashable], ...]:
        """Return all states of some features, in lexicographic order.

        Parameters
        ----------
        of : iterable of feature names, or one name, optional
            All features if not given.

        Examples
        --------
        >>> from fstheory.logic import Model
        >>> Model(Shape((2, 2))).states("X2")
        ({'X2': 0}, {'X2': 1})
        """
        kept = self.order if of is None else self._sorted(of)
        every = itertools.product(*(self._labels[self.order.index(name)] for name in kept))
        return tuple(dict(zip(kept, labels, strict=True)) for labels in every)

    def classifiers(self, of: str | Iterable[str]) -> Iterator[Classifier]:
        """Yield every classifier over some features: k**(number of their states) of them, for k classes.

        Parameters
        ----------
        of : iterable of feature names, or one name

        Examples
        --------
        >>> from fstheory.logic import Model
        >>> for g in Model(Shape((2,))).classifiers("X1"):
        ...     print(g({"X1": 0}), g({"X1": 1}))
        0 0
        0 1
        1 0
        1 1
        """
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

        Parameters
        ----------
        name : str
            Of the variable, for the message.
        label : int, Fraction or text such as "3/8"

        Raises
        ------
        InvalidTypeError
            The label is no exact number.

        Examples
        --------
        >>> from fstheory.logic import Model
        >>> m = Model(Shape((2,), 3))
        >>> m.sum(m.value("Y", y) * m.probability({}, y) for y in m.classes).node  # the mean of the class
        ('+', ('P', (None,), 1), ('*', ('q', Fraction(2, 1)), ('P', (None,), 2)))
        """
        if not isinstance(label, numbers.Rational | str):
            raise InvalidTypeError(explain(f"the label of {name}", "an exact number", label, "give numeric states"))
        return as_fraction(label, f"the label of {name}")

    # Names to indices

    def _step(self) -> None:
        """Count one step of a claim that is spelled out, if its steps are limited."""
        if self._steps is not None and next(self._steps, None) is None:
            raise TooLargeError(
                f"the claim must be short enough to be spelled out here for {self.shape}; use a smaller shape"
            )

    def _indices(self, subset: str | Iterable[str]) -> tuple[int, ...]:
        self._step()
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
