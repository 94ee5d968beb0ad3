"""Write a distribution down from its definition: the named states and the weight of each cell."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from fstheory._exact import Exact, as_fraction, readable
from fstheory._memory import require_axes, require_cells
from fstheory.distribution import JointDistribution
from fstheory.errors import InvalidValueError, explain
from fstheory.subsets import default_features

__all__ = ["BITS", "as_probability", "binary_features", "flipped", "named", "require_table", "tabulate"]

BITS = (0, 1)

_BYTES_PER_CELL = 200  # a Fraction and its two integers, until the table is reduced to int64
_WHAT = "the table of all cells"


def named(weights: object, variables: Mapping[str, Sequence[Any]]) -> JointDistribution:
    """Return the distribution of these weights; the names of the variables and their states end with the target."""
    *features, target = variables
    return JointDistribution(weights, features=features, target=target, states=variables)


def tabulate(variables: Mapping[str, Sequence[Any]], weight: Callable[..., Fraction | int]) -> JointDistribution:
    """Return the distribution whose cell (x1, .., xn, y) has mass proportional to ``weight(x1, .., xn, y)``."""
    weights = np.empty(shape := require_table(variables), dtype=object)
    for cell, labels in zip(np.ndindex(shape), itertools.product(*variables.values()), strict=True):
        weights[cell] = weight(*labels)
    return named(weights, variables)


def require_table(variables: Mapping[str, Sequence[Any]]) -> tuple[int, ...]:
    """Return the shape of the table of all cells, or refuse one that does not fit."""
    shape = tuple(map(len, variables.values()))
    require_cells(shape, _WHAT, "ask for fewer features", _BYTES_PER_CELL)
    return shape


def binary_features(n: int) -> tuple[str, ...]:
    """Return the names X1, .., Xn, or refuse to list more than a table can have."""
    require_axes(n + 1, _WHAT)
    return default_features(n)


def as_probability(value: Exact, argument: str) -> Fraction:
    """Return `value` as a Fraction between 0 and 1, or refuse it."""
    probability = as_fraction(value, argument)
    if not 0 <= probability <= 1:
        raise InvalidValueError(explain(argument, "a probability", readable(probability), "pass one such as '1/10'"))
    return probability


def flipped(value: object, truth: object, noise: Fraction) -> Fraction:
    """Return the probability of reading `value` from a two-state `truth` that is inverted with probability `noise`."""
    return 1 - noise if value == truth else noise
