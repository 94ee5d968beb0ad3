"""`Classifier`: a function from the states of some features to the classes, given by its table."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from types import MappingProxyType
from typing import TypeAlias

from fstheory._display import Shown

__all__ = ["Classifier", "State"]

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
