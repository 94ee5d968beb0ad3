"""Counterexamples among random distributions, by hill climbing on the slack of a claim, and steps to smaller ones."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache
from typing import Any, TypeAlias

import numpy as np

from fstheory._support.exact import as_index, integers_over
from fstheory.distributions import gallery
from fstheory.distributions.joint import JointDistribution
from fstheory.lattice.extensions import random_linear_extension
from fstheory.logic.expressions import Node, constant, difference, product
from fstheory.logic.statement import Renaming, Shape, Statement, canonical_text, rename
from fstheory.proofs.batch import Array, CompiledTerm
from fstheory.proofs.enumeration import FormulaTarget, Target, Weights, lowest
from fstheory.selection.adversary import adversarial

# -- Random distributions, and hill climbing by slack, where there are too many distributions to look at each.


_ROUNDS = 60
_NETWORKS = 8  # further rounds, of distributions along acyclic graphs
_GRAPHS = 60  # in each of these rounds
_BATCH = 1 << 12
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


_SMALL = (
    "titanic", "berkeley", "xor", "parity-3", "correlated-xor", "ahmed-example-1", "pena-nilsson-example-1",
    "toussaint", "cover", "copies", "recoded", "ties", "random",
)  # fmt: skip
"""The distributions of the gallery that have 64 cells at most."""


@cache
def from_gallery(shape: Shape) -> tuple[Weights, ...]:
    """Return the weights of the small distributions of the gallery that have a shape, with all orders of features."""
    tables = (gallery.load(name).weights for name in _SMALL)
    orders = ((t, order) for t in tables for order in itertools.permutations(range(t.ndim - 1)))
    ordered = (table.transpose(*order, -1) for table, order in orders)
    return tuple(tuple(t.ravel().tolist()) for t in ordered if t.shape == (*shape.cardinalities, shape.classes))


def draw(shape: Shape, seed: int, size: int) -> Iterator[tuple[Array, int]]:
    """Yield vectors of one total each, as columns."""
    rng = np.random.default_rng([seed, *shape.cardinalities, shape.classes])
    for number in range(_ROUNDS):
        vectors = _vectors(number % 4, rng, shape.cells, _TOTALS[number % len(_TOTALS)], size)
        yield vectors, int(vectors[:, 0].sum())
    for number in range(_NETWORKS):
        vectors = np.concatenate(
            [_network(number % 2, rng, shape, -(-size // _GRAPHS)) for _ in range(_GRAPHS)], axis=1
        )
        yield vectors[:, :size], int(vectors[:, 0].sum())


def _vectors(kind: int, rng: np.random.Generator, cells: int, total: int, size: int) -> Array:
    """Return random vectors of weights, as columns that have one sum.

    Kind 0 spreads the total over all cells, and kind 1 over some of them. Kind 2 takes powers of 2, and kind 3 three
    different weights; then one cell gets what is missing for a common sum.
    """
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


def _network(least: int, rng: np.random.Generator, shape: Shape, size: int) -> Array:
    """Return weights that factor along an acyclic graph, so that they have independences. None is below `least`."""
    sizes = (*shape.cardinalities, shape.classes)
    order, density = rng.permutation(len(sizes)).tolist(), rng.random()
    joint = np.ones((size, *[1] * len(sizes)), dtype=np.int64)
    for place, variable in enumerate(order):
        states, others = sizes[variable], [i for i in range(len(sizes)) if i != variable]
        parents = [other for other in order[:place] if rng.random() < density]
        chances = rng.dirichlet(np.ones(states), (size, *(sizes[i] if i in parents else 1 for i in others)))
        spread = rng.multinomial(4 * (states > 1) + states * (1 - least), chances) + least
        joint = joint * np.moveaxis(spread, -1, variable + 1)
    return joint.reshape(size, shape.cells).T.copy()


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
    """Return the slack of a formula: a term that is at least 0 if the formula is true, and at most 0 if it is false."""
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
    """Return a term that is at least 0 if the assumptions of a statement are true and its conclusion is false."""
    return ("min", *map(slack, statement.assumed), product(_MINUS, slack(("and", *statement.shown))))


def climb_hills(target: FormulaTarget, seed: int, tick: Callable[[int], None]) -> tuple[Weights | None, int]:
    """Climb from random distributions, moving weight from cell to cell, until one is a counterexample."""
    height = CompiledTerm(target.shape, violation(target.statement))
    cells = target.shape.cells
    rng = np.random.default_rng([seed, cells])
    seen = 0
    for start in range(_STARTS):
        total = (4 * cells, 16 * cells, 64 * cells)[start % 3]
        here = rng.multinomial(total, rng.dirichlet(np.ones(cells))).astype(np.int64)
        highest = None
        for _ in range(_STEPS):
            around = np.array(list(_neighbors(here)) or [here]).T
            seen += around.shape[1]
            tick(seen)
            if seen > _MOST:
                return None, seen
            violated = target.find(around, total)[0]
            if len(violated):
                return tuple(around[:, violated[0]].tolist()), seen
            heights = height.values(around, total)
            best = int(np.argmax(heights))
            if highest is not None and heights[best] <= highest:
                break
            highest, here = heights[best], around[:, best]
    return None, seen


def _neighbors(weights: Array) -> Iterator[Array]:
    """Yield all vectors that differ by a weight moved from one cell to another."""
    for source, weight in enumerate(weights.tolist()):
        for amount in sorted({1, max(1, weight // 4), weight}) if weight else []:
            for place in range(len(weights)):
                if place != source:
                    changed = weights.copy()
                    changed[source] -= amount
                    changed[place] += amount
                    yield changed


# -- Near a distribution, others in which every state is possible.


_NOISY = 60  # the most acyclic graphs along which a distribution is given noise
_VARIABLES, _CELLS = 4, 300  # the most of a distribution that is given noise
_HIDDEN_CELLS = 3000
_NOISES = (Fraction(1, 100), Fraction(1, 10**6))


def positive_versions(d: JointDistribution) -> Iterator[JointDistribution]:
    """Yield distributions near a given one that have p(x) > 0.

    The first ones keep independences of the given distribution, and the last ones keep informations of its features.
    """
    return itertools.chain(with_noise(d), with_hidden_posteriors(d))


def with_noise(d: JointDistribution) -> Iterator[JointDistribution]:
    """Yield distributions near one that have p(x) > 0, and independences that it has.

    Each is a product along an acyclic graph: its factor for a variable is the law given some of the variables before,
    as few as make it independent of the others. Noise mixes the law of a feature with its marginal one. The class has
    no noise, so that it is as certain as before.
    """
    axes = range(d.weights.ndim)
    used = [np.flatnonzero(d.weights.any(axis=tuple({*axes} - {v}))) for v in axes[:-1]]  # states that occur
    weights = d.weights.astype(object)[np.ix_(*used, np.arange(len(d.classes)))]

    @cache
    def of(*kept: int) -> Any:
        return weights.sum(axis=tuple({*axes} - {*kept}), keepdims=True)

    @cache
    def parents(v: int, before: frozenset[int]) -> list[frozenset[int]]:
        found = list[frozenset[int]]()
        for some in map(frozenset, (some for size in axes for some in itertools.combinations(sorted(before), size))):
            same = np.array_equal(of(v, *before) * of(*some), of(v, *some) * of(*before))
            found += [some] * (same and not any(fewer <= some for fewer in found))
        return found

    orders = itertools.permutations(axes) if d.weights.ndim <= _VARIABLES and d.weights.size <= _CELLS else ()
    choices = ([[(v, some) for some in parents(v, frozenset(o[:i]))] for i, v in enumerate(o)] for o in orders)
    graphs = dict.fromkeys(frozenset(graph) for choice in choices for graph in itertools.product(*choice))
    for graph, noise in itertools.product(itertools.islice(graphs, _NOISY), _NOISES):
        table: Any = Fraction(1)
        for v, some in graph:
            alone = of(v) * Fraction(1, d.total)
            never = of(*some) == 0
            law = np.where(never, alone, of(v, *some) / (of(*some) + never * Fraction(1)))
            table = table * (law if v == axes[-1] else law + (alone - law) * noise)
        yield JointDistribution(np.array(integers_over(table.ravel())[0], dtype=object).reshape(table.shape))


def with_hidden_posteriors(d: JointDistribution) -> Iterator[JointDistribution]:
    """Yield distributions near a given one that have p(x) > 0, and in which supersets of M tell as much as before.

    M is a smallest set of features that determines the posterior p(Y | x). Each feature of M gets a further digit, and
    the sum of the digits, modulo the number of posteriors, is the number of a posterior. So a state may have weight for
    every posterior that its digits name, and M still determines the posterior.
    """
    weights = d.weights.astype(object)
    n, sizes, known = weights.ndim - 1, weights.shape[:-1], dict[tuple[int, ...], tuple[Fraction, ...]]()
    for x in itertools.product(*map(range, sizes)):
        if total := sum(weights[x]):
            known[x] = tuple(Fraction(int(w), int(total)) for w in weights[x])
    posteriors = list(dict.fromkeys(known.values()))
    least = list[frozenset[int]]()
    for kept in map(frozenset, itertools.chain(*(itertools.combinations(range(n), size) for size in range(n + 1)))):
        told = {(*(v for i, v in enumerate(x) if i in kept), of) for x, of in known.items()}
        if len({parts[:-1] for parts in told}) == len(told) and not any(fewer <= kept for fewer in least):
            least.append(kept)
    for kept, noise in itertools.product(least, _NOISES):
        digits = tuple(len(posteriors) if i in kept else 1 for i in range(n))
        if weights.size * math.prod(digits) > _HIDDEN_CELLS:
            continue
        named = np.indices(digits).sum(axis=0) % len(posteriors)
        law = np.array([[*of] for of in posteriors], dtype=object)[named]
        table = np.tile(law, (*sizes, 1)) * (Fraction(int(weights.sum()), named.size * len(known)) * noise)
        for x, of in known.items():
            place = tuple(slice(v * size, (v + 1) * size) for v, size in zip(x, digits, strict=True))
            says = (named == posteriors.index(of))[..., None]
            table[place] += says * weights[x] * (1 - noise) * Fraction(1, int(says.sum()))
        yield JointDistribution(np.array(integers_over(table.ravel())[0], dtype=object).reshape(table.shape))


# -- What "smaller" means for a counterexample, and from a counterexample to a smaller one.


@dataclass(frozen=True, slots=True)
class ShapeRange:
    """The shapes of a search.

    If `cardinalities` is not given, the search begins with 1 feature of 2 states. If `classes` is not given, it begins
    with 2 classes. The other fields say where it ends.
    """

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
    """Return the key by which shapes are ordered, the smallest first."""
    return len(shape.cardinalities), shape.states, shape.cardinalities, shape.classes


def size_of_weights(weights: Weights) -> tuple[int, int, Weights]:
    """Return the key by which weights of one shape, in lowest terms, are ordered, the smallest first."""
    return sum(weights), sum(weight > 0 for weight in weights), weights


Searched: TypeAlias = dict[Shape, list[set[str]]]
"""The shapes that were searched, each with the texts of what its statement assumes and shows."""


def searched_before(statement: Statement, searched: Searched) -> Shape | None:
    """Return the shape in which the same statement was searched before, with its features in another order.

    If there is none, note this statement as searched, and return None.
    """
    shape, same = statement.shape, Renaming.identity(statement.shape)
    if len(set(shape.cardinalities)) == 1:
        return None  # there is no other order

    def texts(order: tuple[int, ...]) -> list[set[str]]:
        moved, families = replace(same, features=order), (statement.assumed, statement.shown)
        return [{canonical_text(rename(formula, moved)) for formula in family} for family in families]

    for order in itertools.permutations(same.features):
        sizes = dict(zip(order, shape.cardinalities, strict=True))
        other = Shape(tuple(sizes[i] for i in same.features), shape.classes)
        if other in searched and texts(order) == searched[other]:
            return other
    searched[shape] = texts(same.features)
    return None


def smaller_weights(target: Target, weights: Weights, tick: Callable[[], None]) -> Weights:
    """Make a counterexample smaller within its shape, until no step makes it smaller, and return the smallest one."""
    here = lowest(weights)
    while step := lighter_weights(target, here, tick):
        here = step
    return here


def lighter_weights(target: Target, here: Weights, tick: Callable[[], None]) -> Weights | None:
    """Return the smallest counterexample that one step reaches within the shape, or None if there is none."""
    tick()
    candidates = {lowest(candidate) for candidate in _steps(here) if any(candidate)}
    candidates.update(tuple(here[source] for source in move) for move in target.moves)
    better = sorted((c for c in candidates if size_of_weights(c) < size_of_weights(here)), key=size_of_weights)
    return target.first(better, tick)


def smaller_shape(
    shape: Shape, weights: Weights, target_of: Callable[[Shape], Target | None]
) -> tuple[Shape, Weights] | None:
    """Return the smallest counterexample that one step reaches: it has one feature, one state or one class less.

    Return None if no step leads to a counterexample.
    """
    tables = _coarser(np.array(weights, dtype=object).reshape(*shape.cardinalities, shape.classes))
    candidates = {(Shape(t.shape[:-1], t.shape[-1]), lowest(t.ravel().tolist())) for t in tables if t.any()}
    for smaller, candidate in sorted(candidates, key=lambda pair: (size_of_shape(pair[0]), size_of_weights(pair[1]))):
        target = target_of(smaller)
        if target is not None and target.violated(candidate):
            return smaller, candidate
    return None


def _steps(weights: Weights) -> Iterator[Weights]:
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


def _coarser(table: Array) -> Iterator[Array]:
    """Yield a table without a feature; with two states, or classes, made one, or one of them left out."""
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
