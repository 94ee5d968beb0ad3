"""Random distributions with numbers as labels, for the tests of what the ledger says: ties and zeros are frequent."""

import itertools
import math
import os
import random
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
from hypothesis import given, settings, strategies as st

from fstheory.checker.statement import COMPARISONS, walk
from fstheory.distributions.joint import JointDistribution
from fstheory.logic.evaluate import Evaluation
from fstheory.logic.expressions import Term, formula_node
from fstheory.logic.language import Model
from fstheory.logic.ledger import claims
from fstheory.papers.terms import regular

SHAPES = ((2, 2), (3, 2), (2, 2, 2), (2, 3), (2, 2, 3), (2, 2, 2, 2), (2, 3, 2), (3, 3, 2), (2, 2, 2, 3), (4, 2))
"""Cardinalities, the class last."""
TWO = ((2, 2, 2), (2, 2, 3), (2, 3, 2), (3, 2), (2, 3))
"""Up to two features."""
SMALL = ((2, 2), (3, 2), (4, 2), (2, 2, 2))
"""Two classes and few states."""
NUMBERS = (-3, -1, 0, 1, 2, 5, Fraction(1, 2), Fraction(-7, 3))


def drawn(seed: int, shapes: tuple[tuple[int, ...], ...] = SHAPES, *, plain: bool = False) -> JointDistribution:
    """Draw a shape, weights and labels, which are in no order; labels 0, 1, .. if plain."""
    rng = random.Random(seed)
    shape = rng.choice(shapes)
    kind = rng.randrange(4)
    if kind == 3 and len(shape) > 2:  # independent features
        sides = [[rng.randint(1, 3) for _ in range(size)] for size in shape[:-1]]
        weights = []
        for mass in map(math.prod, itertools.product(*sides)):
            yes = rng.randint(0, 6)
            row = [0] * (shape[-1] - 2) + [yes, 6 - yes]
            weights += [mass * w for w in rng.sample(row, len(row))]
    else:
        high = (3, 9, 2)[kind % 3]
        weights = [rng.randint(0, high) if rng.random() < 0.7 else 0 for _ in range(math.prod(shape))]
    if not any(weights):
        weights[rng.randrange(len(weights))] = 1
    names = [*(f"X{i + 1}" for i in range(len(shape) - 1)), "Y"]
    labels = {name: range(k) if plain else rng.sample(NUMBERS, k) for name, k in zip(names, shape, strict=True)}
    return JointDistribution(np.array(weights).reshape(shape), states=labels)


def each_drawn(
    many: int, shapes: tuple[tuple[int, ...], ...] = SHAPES
) -> Callable[[Callable[[JointDistribution], None]], Callable[[], None]]:
    """Let a test go through so many of them, a third unless the profile is thorough."""
    few = os.environ.get("HYPOTHESIS_PROFILE") != "thorough"
    some = st.integers(0, many - 1).map(lambda seed: drawn(seed, shapes))
    return lambda test: settings(max_examples=many // 3 if few else many)(given(some)(test))


def subsets(d: JointDistribution) -> tuple[frozenset[str], ...]:
    return Model(d).subsets()


def both_occur(d: JointDistribution) -> bool:
    """Tell whether every class has a positive probability."""
    return all(d.probability({"Y": y}) for y in d.classes)


def largest_value(d: JointDistribution) -> Any:
    """Return the largest absolute value that Y takes."""
    return max(abs(Fraction(y)) for y, p in d.posterior({}).items() if p)  # type: ignore[call-overload]


def formula_of(key: str, d: JointDistribution, *values: object) -> Any:
    """Return one instance of a claim of the ledger at a distribution, whatever the claim assumes."""
    return formula_node(claims[key].stated()(Model(d), *values))


def is_true(key: str, d: JointDistribution, *values: object) -> bool:
    return Evaluation(d).truth(formula_of(key, d, *values))


def is_regular(d: JointDistribution) -> bool:
    """Tell whether the covariance matrix of the features is regular, as linear models assume."""
    return bool(regular.check(d))


def value(d: JointDistribution, term: Term) -> Any:
    return Evaluation(d).value(term.node)


def last_comparison(key: str, d: JointDistribution, *values: object) -> tuple[Any, Any] | None:
    """Return both sides of the last comparison of an instance, None if nothing is compared; squares, for a root."""
    compared = [node for node in walk(formula_of(key, d, *values)) if node[0] in COMPARISONS]
    return (value(d, Term(compared[-1][1])), value(d, Term(compared[-1][2]))) if compared else None
