"""Random ground statements with every kind of node, and their violations, decided one distribution at a time."""

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import partial
from random import Random
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt
import pytest

from fstheory.errors import FSTheoryError
from fstheory.logic.evaluate import Evaluation
from fstheory.logic.expressions import Node
from fstheory.logic.statement import Instance, Shape, Statement

LINEAR = ("+", "max", "min", "scaled")
CONDITIONAL = (*LINEAR, "given")  # comparisons of conditional probabilities, too, of one condition each
RATIONAL = (*LINEAR, "*", "/")
ENTROPIES = (*LINEAR, "*", "H")
ALL = (*RATIONAL, "H", "log", "sqrt")

Draw: TypeAlias = Callable[..., Node]


def seeds(daily: int, most: int) -> pytest.MarkDecorator:
    """Return the parameter ``seed``, of which only the first few are tried every day."""
    rest = (pytest.param(seed, marks=pytest.mark.thorough) for seed in range(daily, most))
    return pytest.mark.parametrize("seed", [*range(daily), *rest])


def shape(rng: Random) -> Shape:
    features = rng.choice((0, 1, 1, 2, 2))
    return Shape(tuple(rng.choice((1, 2, 2, 3)) for _ in range(features)), rng.choice((1, 2, 2, 3)))


def statement(rng: Random, where: Shape, kinds: Sequence[str]) -> Statement:
    assume = tuple(Instance("assumed", (), formula(rng, where, kinds, 1)) for _ in range(rng.randint(0, 1)))
    show = tuple(Instance("shown", (), formula(rng, where, kinds, 2)) for _ in range(rng.randint(1, 2)))
    return Statement("shown", where, assume, show)


def formula(rng: Random, where: Shape, kinds: Sequence[str], depth: int) -> Node:
    if depth == 0 or rng.random() < 0.3:
        inner = [kind for kind in kinds if kind != "given"]
        draw = partial(_given, _probability(rng, where)) if inner != [*kinds] and rng.random() < 0.7 else _atom
        return (rng.choice(("<", "<=", "=")), *(term(rng, where, inner, 2, draw) for _ in range(2)))
    kind = rng.choice(("and", "or", "not", "implies", "iff"))
    count = {"not": 1, "implies": 2, "iff": 2}.get(kind, rng.randint(0, 3))
    return (kind, *(formula(rng, where, kinds, depth - 1) for _ in range(count)))


def term(rng: Random, where: Shape, kinds: Sequence[str], depth: int, draw: Draw | None = None) -> Node:
    kind, draw = rng.choice(kinds), draw or _atom
    if depth == 0 or kind == "H" or rng.random() < 0.25:
        return draw(rng, where, with_entropies="H" in kinds)
    if kind in {"+", "max", "min"}:
        return (kind, *(term(rng, where, kinds, depth - 1, draw) for _ in range(rng.randint(1, 3))))
    plain = [other for other in kinds if other not in {"H", "log", "sqrt"}]
    if kind == "scaled":
        return ("*", _constant(rng), term(rng, where, kinds, depth - 1, draw))
    if kind in {"*", "/"}:
        return (kind, term(rng, where, kinds, depth - 1), term(rng, where, plain, depth - 1))
    return (kind, term(rng, where, plain, depth - 1))


def _constant(rng: Random) -> Node:
    return ("q", Fraction(rng.randint(-3, 3), rng.randint(1, 4)))


def _atom(rng: Random, where: Shape, *, with_entropies: bool) -> Node:
    kind = rng.choice(("q", "P", "P", "R", "R", *["H", "H"] * with_entropies))
    some = tuple(i for i in range(len(where.cardinalities)) if rng.random() < 0.5)
    if kind == "q":
        return _constant(rng)
    if kind == "P":
        return _probability(rng, where)
    return ("R", some) if kind == "R" else ("H", some, rng.random() < 0.5)


def _probability(rng: Random, where: Shape) -> Node:
    states = tuple(rng.choice([None, *range(size)]) for size in where.cardinalities)
    return ("P", states, rng.choice([None, *range(where.classes)]))


def _given(condition: Node, rng: Random, where: Shape, *, with_entropies: bool) -> Node:
    """Return a constant, or a conditional probability."""
    if with_entropies or rng.random() < 0.3:
        return _constant(rng)
    both = zip((*condition[1], condition[2]), (*where.cardinalities, where.classes), strict=True)
    *states, y = (rng.choice([None, *range(size)]) if fixed is None else fixed for fixed, size in both)
    return ("/", ("P", tuple(states), y), condition)


def violated(what: Statement, weights: Sequence[int]) -> bool | None:
    """Return whether the assumptions are true and something shown is false; None where that is not defined."""
    at = evaluation(what.shape, weights)
    try:
        assumed = [at.truth(named.formula) for named in what.assume]  # all, so that what is undefined is noticed
        shown = [at.truth(named.formula) for named in what.show]
    except FSTheoryError:
        return None
    return all(assumed) and not all(shown)


def evaluation(shape: Shape, weights: Sequence[int]) -> Evaluation:
    return Evaluation(shape.distribution(weights))


def columns(*vectors: Sequence[int]) -> npt.NDArray[Any]:
    """Return vectors as columns."""
    return np.array(vectors).T
