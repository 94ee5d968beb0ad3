"""From a counterexample to a smaller one: fewer features, states, classes, less weight, fewer cells."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator

import numpy as np

from fstheory.counterexamples.order import size_of_shape, size_of_weights
from fstheory.counterexamples.solver import WeightSolver, is_linear
from fstheory.counterexamples.target import Target, Weights
from fstheory.counterexamples.values import Array
from fstheory.distribution import JointDistribution
from fstheory.errors import MissingDependencyError
from fstheory.logic.statement import Shape, Statement
from fstheory.proofs.solvers import Clock, NoAnswer, OutOfTime

__all__ = ["lowest", "smaller_shape", "smaller_weights", "whittled"]


def lowest(weights: Iterable[int]) -> Weights:
    """Return weights in lowest terms."""
    listed = tuple(weights)
    divisor = math.gcd(*listed)
    return tuple(weight // divisor for weight in listed)


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
    largest = max(weights)
    divisors = {2, 3, 5, *(1 << bits for bits in range(2, largest.bit_length()))}
    for divisor in sorted(divisors):
        yield tuple(weight // divisor for weight in weights)
        yield tuple(-(-weight // divisor) for weight in weights)
        yield tuple((2 * weight + divisor) // (2 * divisor) for weight in weights)
    for i, weight in enumerate(weights):
        for less in {0, weight // 2, weight - 1} - {weight}:
            if weight:
                yield _with(weights, {i: less})
        for j in range(len(weights)):
            if i != j and weight:
                yield _with(weights, {i: weight - 1, j: weights[j] + 1})
                yield _with(weights, {i: 0, j: weights[j] + weight})
                if j > i and weights[j]:
                    yield _with(weights, {i: weight - 1, j: weights[j] - 1})
                    yield _with(weights, {i: weights[j], j: weight})


def _with(weights: Weights, changes: dict[int, int]) -> Weights:
    return tuple(changes.get(place, weight) for place, weight in enumerate(weights))


def _coarser(shape: Shape, weights: Weights) -> Iterator[tuple[Shape, Weights]]:
    """Yield the distribution without a feature; with two states, or classes, made one, or one of them left out."""
    sizes = (*shape.cardinalities, shape.classes)
    table = np.array(weights, dtype=object).reshape(sizes)
    for axis, size in enumerate(sizes):
        if axis < len(sizes) - 1:
            yield from _shaped(table.sum(axis=axis))
        for state in range(size if size > 1 else 0):
            rest = np.delete(table, state, axis=axis)
            yield from _shaped(rest)
            for into in range(size - 1):
                merged = rest.copy()
                np.moveaxis(merged, axis, 0)[into] += table.take(state, axis=axis)
                yield from _shaped(merged)


def _shaped(table: Array) -> Iterator[tuple[Shape, Weights]]:
    if table.ndim and table.any():
        yield Shape(table.shape[:-1], table.shape[-1]), lowest(table.ravel().tolist())


_CELLS = 64
_RESOURCES = 10_000_000  # of the solver for each step: some tenths of a second
_FACTOR = (3, 4)


class _Whittler(WeightSolver):
    def weights(self) -> Weights:
        """Return the weights that were found last."""
        return tuple(self._weights())


def whittled(denial: Statement, d: JointDistribution, clock: Clock) -> JointDistribution:
    """Return a distribution with smaller weights at which a statement is false as well; `d` if none is found."""
    if denial.shape.cells > _CELLS or d.total <= denial.shape.states or not is_linear(denial):
        return d
    try:
        while (weights := _with_less(denial, d.total * _FACTOR[0] // _FACTOR[1], clock)) is not None:
            smaller = JointDistribution(np.array(weights, dtype=object).reshape(d.weights.shape), features=d.features)
            if not denial.violated_at(smaller):
                return d
            d = smaller
    except (MissingDependencyError, NoAnswer, OutOfTime):
        pass
    return d


def _with_less(denial: Statement, total: int, clock: Clock) -> Weights | None:
    """Return weights of at most this total at which the statement is false; None if there are none."""
    solver = _Whittler(denial, total=0, clock=clock, resources=_RESOURCES)
    solver.add(solver.total <= total)
    return solver.weights() if solver.check() else None
