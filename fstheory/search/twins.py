"""Shapes that differ only in the order of their features, where a claim says the same of both."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

from fstheory.logic.statement import Shape, Statement
from fstheory.logic.symmetry import Renaming, canonical_text, rename

__all__ = ["Twins"]

_Key = tuple[tuple[int, ...], int]


class Twins:
    """The statements of the shapes that were searched.

    Examples
    --------
    >>> from fstheory.logic import claim
    >>> @claim
    ... def monotone(m, S, i):
    ...     return m.risk(S | {i}) <= m.risk(S)
    >>> twins = Twins()
    >>> twins.find(monotone.statement(Shape((2, 3)))) is None
    True
    >>> print(twins.find(monotone.statement(Shape((3, 2)))))
    2 x 3 states, 2 classes
    """

    def __init__(self) -> None:
        self._known: dict[_Key, list[tuple[Shape, list[set[str]]]]] = {}

    def find(self, statement: Statement) -> Shape | None:
        """Return the shape of a statement that says the same with features in another order; else note this one."""
        shape = statement.shape
        if len(set(shape.cardinalities)) == 1:
            return None  # there is no other order
        earlier = self._known.setdefault((tuple(sorted(shape.cardinalities)), shape.classes), [])
        for other, texts in earlier:
            for renaming in _reordered(shape, other):
                if _texts(statement, renaming) == texts:
                    return other
        earlier.append((shape, _texts(statement, Renaming.identity(shape.cardinalities, shape.classes))))
        return None


def _texts(statement: Statement, renaming: Renaming) -> list[set[str]]:
    families = (statement.assume, statement.show)
    return [{canonical_text(rename(named.formula, renaming)) for named in family} for family in families]


def _reordered(shape: Shape, other: Shape) -> Iterator[Renaming]:
    """Yield the ways to order the features so that the cardinalities are those of another shape."""
    states = tuple(tuple(range(size)) for size in shape.cardinalities)
    for features in itertools.permutations(range(len(states))):
        if all(other.cardinalities[features[i]] == size for i, size in enumerate(shape.cardinalities)):
            yield Renaming(features, states, tuple(range(shape.classes)))
