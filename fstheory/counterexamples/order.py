"""What "smaller" means for a counterexample, and the shapes from the smallest on, up to symmetry."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from fstheory._exact import as_index
from fstheory.distribution import JointDistribution
from fstheory.errors import InvalidValueError, explain
from fstheory.logic.statement import Shape, Statement
from fstheory.logic.symmetry import Renaming, canonical_text, rename

__all__ = ["Limits", "Twins", "shapes_within", "size_of", "size_of_shape", "size_of_weights"]

SizeOfShape = tuple[int, int, tuple[int, ...], int]
SizeOfWeights = tuple[int, int, tuple[int, ...]]


@dataclass(frozen=True, slots=True)
class Limits:
    """The range of a search.

    Attributes
    ----------
    cardinalities : tuple of int or None
        The one choice of cardinalities that is asked for.
    classes : int or None
        The one number of classes that is asked for.
    max_features, max_cardinality, max_classes : int
        The range where they are not; from 1 feature, 2 states of each and 2 classes on.
    max_total : int or None
        The largest total of the weights.
    """

    cardinalities: tuple[int, ...] | None
    classes: int | None
    max_features: int
    max_cardinality: int
    max_classes: int
    max_total: int | None

    def __post_init__(self) -> None:
        if self.classes is not None:
            Shape((), self.classes)
        as_index(self.max_features, "max_features", at_least=1)
        as_index(self.max_cardinality, "max_cardinality", at_least=2)
        as_index(self.max_classes, "max_classes", at_least=2)
        if self.max_total is not None:
            as_index(self.max_total, "max_total", at_least=1)
            if self.max_total > 1000:
                repair = "leave it out to search as far as is practical"
                raise InvalidValueError(explain("max_total", "at most 1000", self.max_total, repair))

    def as_json(self) -> dict[str, Any]:
        """Return the limits for a file."""
        return {
            "cardinalities": None if self.cardinalities is None else list(self.cardinalities),
            **{name: getattr(self, name) for name in ("classes", "max_features", "max_cardinality", "max_classes")},
            "max_total": self.max_total,
        }


def shapes_within(limits: Limits) -> Iterator[Shape]:
    """Yield the shapes of a range, from the smallest on."""
    classes = range(2, limits.max_classes + 1) if limits.classes is None else (limits.classes,)
    if limits.cardinalities is not None:
        yield from (Shape(limits.cardinalities, number) for number in classes)
        return
    for features in range(1, limits.max_features + 1):
        choices = itertools.product(range(2, limits.max_cardinality + 1), repeat=features)
        for cardinalities in sorted(choices, key=lambda sizes: (math.prod(sizes), sizes)):
            yield from (Shape(cardinalities, number) for number in classes)


def size_of_shape(shape: Shape) -> SizeOfShape:
    """Return what shapes are ordered by."""
    return len(shape.cardinalities), shape.states, shape.cardinalities, shape.classes


def size_of_weights(weights: tuple[int, ...]) -> SizeOfWeights:
    """Return what weights of one shape, in lowest terms, are ordered by."""
    return sum(weights), sum(weight > 0 for weight in weights), weights


def size_of(d: JointDistribution) -> tuple[SizeOfShape, SizeOfWeights]:
    """Return what distributions are ordered by: equal only for those with the same weights."""
    shape = Shape(d.cardinalities, len(d.classes))
    return size_of_shape(shape), size_of_weights(tuple(d.weights.ravel().tolist()))


_Key = tuple[tuple[int, ...], int]


class Twins:
    """The statements of the shapes that were searched."""

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
