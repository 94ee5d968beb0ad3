"""`Scope`: what a claim can name and range over: features, subsets, states, classes and classifiers."""

from __future__ import annotations

import itertools
import numbers
from collections.abc import Hashable, Iterable, Iterator, Mapping
from fractions import Fraction
from typing import NoReturn

from fstheory._display import Shown
from fstheory._rational import as_fraction
from fstheory.distribution import JointDistribution
from fstheory.errors import InvalidTypeError, NotLinearError, TooLargeError, explain, unknown
from fstheory.logic.classifier import Classifier, State
from fstheory.logic.feature_set import FeatureSet
from fstheory.logic.nodes import Node
from fstheory.logic.statement import Shape
from fstheory.subsets import mask_of, masks_by_size, names_of

__all__ = ["Scope"]

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
