"""Random distributions, where there are too many to look at each: a counterexample, if one happens to be met.

Totals, supports and the spread of the weights vary, since what refutes a claim may be rare among distributions of
one kind: few states, ties, one cell that outweighs the others, or the orderings of Theorem 1.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from fstheory.adversary import adversarial
from fstheory.logic.statement import Shape
from fstheory.orders import random_linear_extension
from fstheory.search.target import Target, Weights
from fstheory.search.values import Array

__all__ = ["COUNT", "sampled"]

ROUNDS = 60
_BATCH = 1 << 12
COUNT = ROUNDS * _BATCH
"""How many distributions are drawn for a shape, where they can be decided at once."""

_ONE_BY_ONE = 700  # distributions, where each has to be decided on its own
_ORDERINGS = 20
_FEATURES = 4  # up to which an ordering is drawn and realized in no time
_TOTALS = (7, 12, 20, 40, 100, 300, 1000)


def sampled(target: Target, seed: int, tick: Callable[[int], None]) -> tuple[Weights | None, int]:
    """Draw distributions until one is a counterexample.

    Parameters
    ----------
    target : Target
    seed : int
        The same seed draws the same distributions.
    tick : callable
        Called with the number of distributions drawn so far.

    Returns
    -------
    weights, count
        The counterexample, or None; and how many distributions were looked at.

    Examples
    --------
    >>> from fstheory.logic import claim
    >>> from fstheory.search.target import Ground
    >>> @claim
    ... def informed(m, i):
    ...     return m.risk(i) == 0
    >>> weights, _ = sampled(Ground(informed.statement(Shape((2,)))), 0, lambda count: None)
    >>> sum(weights)
    7
    """
    seen = 0
    left = _ONE_BY_ONE  # decisions that take a while
    for vectors, total in _draw(target.shape, seed, 1 << 5 if target.batch < _BATCH else _BATCH):
        tick(seen)
        violated, undecided = target.find(vectors, total)
        if len(violated):
            return tuple(vectors[:, violated[0]].tolist()), seen + int(violated[0]) + 1
        for place in undecided.tolist()[:left]:
            if target.violated(tuple(vectors[:, place].tolist())):
                return tuple(vectors[:, place].tolist()), seen + place + 1
        left -= min(left, len(undecided))
        seen += vectors.shape[1]
        if left == 0 and len(undecided):
            break
    for weights in _orderings(target.shape, seed):
        tick(seen)
        seen += 1
        if target.violated(weights):
            return weights, seen
    return None, seen


def _draw(shape: Shape, seed: int, size: int) -> Iterator[tuple[Array, int]]:
    """Yield vectors of one total each, as columns."""
    rng = np.random.default_rng([seed, *shape.cardinalities, shape.classes])
    kinds = (_spread, _on_few_cells, _graded, _tied)
    for number in range(ROUNDS):
        total = _TOTALS[number % len(_TOTALS)]
        vectors = kinds[number % len(kinds)](rng, shape.cells, total, size)
        yield vectors, int(vectors[:, 0].sum())


def _spread(rng: np.random.Generator, cells: int, total: int, size: int) -> Array:
    chances = rng.dirichlet(np.full(cells, rng.choice([0.3, 1.0, 5.0])), size)
    return rng.multinomial(total, chances).T.copy()


def _on_few_cells(rng: np.random.Generator, cells: int, total: int, size: int) -> Array:
    chances = rng.random((size, cells)) * (rng.random((size, cells)) < 0.5)
    chances[np.arange(size), rng.integers(cells, size=size)] += 0.1  # at least one
    return rng.multinomial(total, chances / chances.sum(axis=1, keepdims=True)).T.copy()


def _graded(rng: np.random.Generator, cells: int, total: int, size: int) -> Array:
    return _filled(rng, 1 << rng.integers(0, max(total.bit_length(), 2), size=(cells, size)))


def _tied(rng: np.random.Generator, cells: int, total: int, size: int) -> Array:
    levels = rng.integers(0, max(total // cells, 2) + 1, size=(3, size))
    return _filled(rng, np.take_along_axis(levels, rng.integers(0, 3, size=(cells, size)), axis=0))


def _filled(rng: np.random.Generator, vectors: Array) -> Array:
    """Bring all columns to the same total, by what is added to one cell of each."""
    sums = vectors.sum(axis=0)
    vectors[rng.integers(len(vectors), size=len(sums)), np.arange(len(sums))] += sums.max() + 1 - sums
    return vectors


def _orderings(shape: Shape, seed: int) -> Iterator[Weights]:
    """Yield distributions whose Bayes risks have a random strict order."""
    if len(shape.cardinalities) > _FEATURES or min(shape.cardinalities, default=1) < 2 or shape.classes < 2:
        return
    rng = np.random.default_rng([seed, len(shape.cardinalities)])
    drawn = (random_linear_extension(len(shape.cardinalities), rng=rng) for _ in range(_ORDERINGS))
    for order in dict.fromkeys(drawn):
        d = adversarial(order, cardinalities=shape.cardinalities, classes=shape.classes)
        yield tuple(d.weights.ravel().tolist())
