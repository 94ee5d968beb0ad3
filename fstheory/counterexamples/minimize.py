"""What "smaller" means for a counterexample, and from a counterexample to a smaller one.

Shapes come first: fewer features, states, classes; then the weights: a smaller total, fewer cells above 0.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import TypeAlias

import numpy as np

from fstheory._clock import Clock, OutOfTime
from fstheory._exact import as_index
from fstheory.counterexamples.solver import WeightSolver, is_linear
from fstheory.counterexamples.target import Target, Weights, lowest
from fstheory.counterexamples.values import Array
from fstheory.distribution import JointDistribution
from fstheory.errors import MissingDependencyError
from fstheory.logic.statement import Shape, Statement
from fstheory.logic.symmetry import Renaming, canonical_text, rename
from fstheory.proofs.solvers import NoAnswer

__all__ = ["Searched", "ShapeRange", "searched_before", "size_of_shape", "size_of_weights", "smaller_shape"]
__all__ += ["smaller_weights", "with_smaller_weights"]


@dataclass(frozen=True, slots=True)
class ShapeRange:
    """The shapes of a search: from 1 feature, 2 states of each and 2 classes on, where one choice is not asked for."""

    cardinalities: tuple[int, ...] | None = None
    classes: int | None = None
    max_features: int = 3
    max_cardinality: int = 3
    max_classes: int = 3

    def __post_init__(self) -> None:
        if self.cardinalities is not None:
            object.__setattr__(self, "cardinalities", Shape(self.cardinalities).cardinalities)
        if self.classes is not None:
            Shape((), self.classes)
        as_index(self.max_features, "max_features", at_least=1)
        as_index(self.max_cardinality, "max_cardinality", at_least=2)
        as_index(self.max_classes, "max_classes", at_least=2)

    def shapes(self) -> Iterator[Shape]:
        """Yield the shapes, from the smallest on."""
        classes = range(2, self.max_classes + 1) if self.classes is None else (self.classes,)
        if self.cardinalities is not None:
            yield from (Shape(self.cardinalities, number) for number in classes)
            return
        for features in range(1, self.max_features + 1):
            choices = itertools.product(range(2, self.max_cardinality + 1), repeat=features)
            for cardinalities in sorted(choices, key=lambda sizes: (math.prod(sizes), sizes)):
                yield from (Shape(cardinalities, number) for number in classes)


def size_of_shape(shape: Shape) -> tuple[int, int, tuple[int, ...], int]:
    """Return what shapes are ordered by."""
    return len(shape.cardinalities), shape.states, shape.cardinalities, shape.classes


def size_of_weights(weights: Weights) -> tuple[int, int, Weights]:
    """Return what weights of one shape, in lowest terms, are ordered by."""
    return sum(weights), sum(weight > 0 for weight in weights), weights


Searched: TypeAlias = dict[tuple[tuple[int, ...], int], list[tuple[Shape, list[set[str]]]]]
"""The shapes that were searched, with the texts of their statements, by sorted cardinalities and classes."""


def searched_before(statement: Statement, searched: Searched) -> Shape | None:
    """Return the shape of a statement that says the same with features in another order; else note this one."""
    shape = statement.shape
    if len(set(shape.cardinalities)) == 1:
        return None  # there is no other order
    families = (statement.assume, statement.show)

    def texts(renaming: Renaming) -> list[set[str]]:
        return [{canonical_text(rename(named.formula, renaming)) for named in family} for family in families]

    same = Renaming.identity(shape.cardinalities, shape.classes)
    earlier = searched.setdefault((tuple(sorted(shape.cardinalities)), shape.classes), [])
    for other, known in earlier:
        for order in itertools.permutations(range(len(shape.cardinalities))):
            fits = all(other.cardinalities[i] == size for i, size in zip(order, shape.cardinalities, strict=True))
            if fits and texts(replace(same, features=order)) == known:
                return other
    earlier.append((shape, texts(same)))
    return None


def smaller_weights(target: Target, weights: Weights, tick: Callable[[], None]) -> Weights:
    """Return a counterexample of the same shape, starting from one, that no step makes smaller."""
    here = lowest(weights)
    while True:
        tick()
        candidates = {lowest(candidate) for candidate in _steps(here) if any(candidate)}
        candidates.update(tuple(here[source] for source in move) for move in target.moves)
        better = sorted((c for c in candidates if size_of_weights(c) < size_of_weights(here)), key=size_of_weights)
        found = target.first(better)
        if found is None:
            return here
        here = found


def smaller_shape(
    shape: Shape, weights: Weights, target_of: Callable[[Shape], Target | None]
) -> tuple[Shape, Weights] | None:
    """Return a counterexample with a feature, a state or a class less, the smallest that one step leads to."""
    candidates = sorted(_coarser(shape, weights), key=lambda pair: (size_of_shape(pair[0]), size_of_weights(pair[1])))
    for smaller, candidate in dict.fromkeys(candidates):
        target = target_of(smaller)
        if target is not None and target.violated(candidate):
            return smaller, candidate
    return None


def _steps(weights: Weights) -> Iterator[Weights]:
    """Yield what one step makes of weights."""
    divisors = {2, 3, 5, *(1 << bits for bits in range(2, max(weights).bit_length()))}
    for divisor in sorted(divisors):
        yield tuple(weight // divisor for weight in weights)
        yield tuple(-(-weight // divisor) for weight in weights)
        yield tuple((2 * weight + divisor) // (2 * divisor) for weight in weights)
    for i, weight in enumerate(weights):
        changes: list[dict[int, int]] = [{i: less} for less in {0, weight // 2, weight - 1} if 0 <= less < weight]
        for j, other in enumerate(weights):
            if i != j and weight:
                changes += [{i: weight - 1, j: other + 1}, {i: 0, j: other + weight}]
                if j > i and other:
                    changes += [{i: weight - 1, j: other - 1}, {i: other, j: weight}]
        for change in changes:
            yield tuple(change.get(place, old) for place, old in enumerate(weights))


def _coarser(shape: Shape, weights: Weights) -> Iterator[tuple[Shape, Weights]]:
    """Yield the distribution without a feature; with two states, or classes, made one, or one of them left out."""
    table = np.array(weights, dtype=object).reshape(*shape.cardinalities, shape.classes)
    for smaller in _coarser_tables(table):
        if smaller.ndim and smaller.any():
            yield Shape(smaller.shape[:-1], smaller.shape[-1]), lowest(smaller.ravel().tolist())


def _coarser_tables(table: Array) -> Iterator[Array]:
    for axis, size in enumerate(table.shape):
        if axis < table.ndim - 1:
            yield table.sum(axis=axis)
        for state in range(size if size > 1 else 0):
            rest = np.delete(table, state, axis=axis)
            yield rest
            for into in range(size - 1):
                merged = rest.copy()
                np.moveaxis(merged, axis, 0)[into] += table.take(state, axis=axis)
                yield merged


_CELLS = 64
_RESOURCES = 10_000_000  # of the solver for each step: some tenths of a second
_FACTOR = (3, 4)


def with_smaller_weights(denial: Statement, d: JointDistribution, clock: Clock) -> JointDistribution:
    """Return a distribution with smaller weights at which a statement is false as well; `d` if none is found."""
    if denial.shape.cells > _CELLS or d.total <= denial.shape.states or not is_linear(denial):
        return d
    with suppress(MissingDependencyError, NoAnswer, OutOfTime):
        while True:
            solver = WeightSolver(denial, total=0, clock=clock, resources=_RESOURCES)
            solver.add(solver.total <= d.total * _FACTOR[0] // _FACTOR[1])
            if not solver.check():
                return d
            weights = np.array(solver.weights(), dtype=object).reshape(d.weights.shape)
            smaller = JointDistribution(weights, features=d.features)
            if not denial.violated_at(smaller):
                return d
            d = smaller
    return d
