"""Random distributions, and hill climbing by slack, where there are too many distributions to look at each."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from fstheory.adversary import adversarial
from fstheory.counterexamples.batch import Meter
from fstheory.counterexamples.target import Ground, Target, Weights
from fstheory.counterexamples.values import Array
from fstheory.logic.nodes import Node, constant, difference, product
from fstheory.logic.statement import Shape, Statement
from fstheory.orders import random_linear_extension

__all__ = ["COUNT", "climb_hills", "draw", "orderings", "sample", "slack", "violation"]

_ROUNDS = 60
_BATCH = 1 << 12
COUNT = _ROUNDS * _BATCH
"""How many distributions are drawn for a shape, where they can be decided at once."""

_ONE_BY_ONE = 700  # distributions, where each has to be decided on its own
_ORDERINGS = 20
_FEATURES = 4  # up to which an ordering is drawn and realized in no time
_TOTALS = (7, 12, 20, 40, 100, 300, 1000)


def sample(target: Target, seed: int, tick: Callable[[int], None]) -> tuple[Weights | None, int]:
    """Draw distributions until one is a counterexample."""
    seen = 0
    left = _ONE_BY_ONE  # decisions that take a while
    for vectors, total in draw(target.shape, seed, 1 << 5 if target.batch < _BATCH else _BATCH):
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
    for weights in orderings(target.shape, seed):
        tick(seen)
        seen += 1
        if target.violated(weights):
            return weights, seen
    return None, seen


def draw(shape: Shape, seed: int, size: int) -> Iterator[tuple[Array, int]]:
    """Yield vectors of one total each, as columns."""
    rng = np.random.default_rng([seed, *shape.cardinalities, shape.classes])
    for number in range(_ROUNDS):
        vectors = _vectors(number % 4, rng, shape.cells, _TOTALS[number % len(_TOTALS)], size)
        yield vectors, int(vectors[:, 0].sum())


def _vectors(kind: int, rng: np.random.Generator, cells: int, total: int, size: int) -> Array:
    """Spread weight over all cells, or a few; or take powers of 2, or three weights, one cell making up the total."""
    if kind == 0:
        return rng.multinomial(total, rng.dirichlet(np.full(cells, rng.choice([0.3, 1.0, 5.0])), size)).T.copy()
    if kind == 1:
        chances = rng.random((size, cells)) * (rng.random((size, cells)) < 0.5)
        chances[np.arange(size), rng.integers(cells, size=size)] += 0.1  # at least one
        return rng.multinomial(total, chances / chances.sum(axis=1, keepdims=True)).T.copy()
    vectors: Array
    if kind == 2:
        vectors = 1 << rng.integers(0, max(total.bit_length(), 2), size=(cells, size))
    else:
        weights = rng.integers(0, max(total // cells, 2) + 1, size=(3, size))
        vectors = np.take_along_axis(weights, rng.integers(0, 3, size=(cells, size)), axis=0)
    sums = vectors.sum(axis=0)
    vectors[rng.integers(cells, size=size), np.arange(size)] += sums.max() + 1 - sums
    return vectors


def orderings(shape: Shape, seed: int) -> Iterator[Weights]:
    """Yield distributions whose Bayes risks have a random strict order."""
    n = len(shape.cardinalities)
    if n > _FEATURES or min(shape.cardinalities, default=1) < 2 or shape.classes < 2:
        return
    rng = np.random.default_rng([seed, n])
    for order in dict.fromkeys(random_linear_extension(n, rng=rng) for _ in range(_ORDERINGS)):
        d = adversarial(order, cardinalities=shape.cardinalities, classes=shape.classes)
        yield tuple(d.weights.ravel().tolist())


_STARTS = 12
_STEPS = 40
_MOST = 60_000  # distributions that are looked at
_MINUS = constant(-1)


def slack(formula: Node) -> Node:
    """Return a term that is at least 0 where a formula is true, and at most 0 where it is false."""
    kind, *parts = formula
    if kind in {"<", "<="}:
        return difference(parts[1], parts[0])
    if kind == "=":
        return ("min", difference(*parts), difference(*reversed(parts)))
    if kind == "not":
        return product(_MINUS, slack(parts[0]))
    if kind == "implies":
        return ("max", product(_MINUS, slack(parts[0])), slack(parts[1]))
    if kind == "iff":
        return slack(("and", ("implies", *parts), ("implies", *reversed(parts))))
    if not parts:  # true or false: no change of the distribution matters
        return constant(1 if kind == "and" else -1)
    return ("min" if kind == "and" else "max", *map(slack, parts))


def violation(statement: Statement) -> Node:
    """Return a term that is at least 0 where the assumptions of a statement are true and what it shows is false."""
    assumed = (slack(named.formula) for named in statement.assume)
    return ("min", *assumed, product(_MINUS, slack(("and", *(named.formula for named in statement.show)))))


def climb_hills(target: Ground, seed: int, tick: Callable[[int], None]) -> tuple[Weights | None, int]:
    """Climb from random distributions, moving weight from cell to cell, until one is a counterexample."""
    meter = Meter(target.shape, violation(target.statement))
    cells = target.shape.cells
    rng = np.random.default_rng([seed, cells])
    seen = 0
    for start in range(_STARTS):
        total = (4 * cells, 16 * cells, 64 * cells)[start % 3]
        here = rng.multinomial(total, rng.dirichlet(np.ones(cells))).astype(np.int64)
        highest = None
        for _ in range(_STEPS):
            around = _neighbors(here)
            seen += around.shape[1]
            tick(seen)
            if seen > _MOST:
                return None, seen
            violated = target.find(around, total)[0]
            if len(violated):
                return tuple(around[:, violated[0]].tolist()), seen
            heights = meter.read(around, total)
            best = int(np.argmax(heights))
            if highest is not None and heights[best] <= highest:
                break
            highest, here = heights[best], around[:, best]
    return None, seen


def _neighbors(weights: Array) -> Array:
    """Return all vectors that differ by a weight moved from one cell to another, as columns."""
    moved = list(_moved(weights))
    return np.array(moved).T if moved else weights[:, None]


def _moved(weights: Array) -> Iterator[Array]:
    for source, weight in enumerate(weights.tolist()):
        for amount in sorted({1, max(1, weight // 4), weight}) if weight else []:
            for place in range(len(weights)):
                if place != source:
                    changed = weights.copy()
                    changed[source] -= amount
                    changed[place] += amount
                    yield changed
