"""Taking features out of a table one at a time, and the Bayes risk of what is left.

Tables here have the class as their first axis, then the features that are left in order: the likeliest class
of every cell is then one long elementwise maximum.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import numpy as np

from fstheory.distribution import JointDistribution
from fstheory.distribution.weights import Weights
from fstheory.subsets import indices_of

__all__ = ["class_first", "indispensable", "is_minimal", "marginal_table", "right_weight", "risk_of", "without"]


def class_first(d: JointDistribution) -> Weights:
    """Return the weights with the class as the first axis."""
    return np.ascontiguousarray(np.moveaxis(d.weights, -1, 0))


def without(table: Weights, place: int) -> Weights:
    """Return the table with one feature summed out, the one that stands at `place` among those left."""
    shrunk: Weights = table.sum(axis=place + 1)
    return shrunk


def marginal_table(d: JointDistribution, mask: int) -> Weights:
    """Return the table of the features in a mask."""
    dropped = tuple(i + 1 for i in range(len(d.features)) if not mask >> i & 1)
    table: Weights = class_first(d).sum(axis=dropped)
    return table


def right_weight(table: Weights) -> int:
    """Return the weight that the Bayes classifier over the features of the table gets right."""
    return int(np.sum(table.max(axis=0)))  # a table without features has a plain int for its maximum


def risk_of(table: Weights, total: int) -> Fraction:
    """Return the Bayes risk of the features of the table."""
    return 1 - Fraction(right_weight(table), total)


def indispensable(d: JointDistribution) -> int:
    """Return the mask of the features without which the risk rises, each alone taken from all: Table 2.

    For every distribution this is the intersection of all solutions of the minimal-optimal problem. If
    R(not Xi) = R(X), some minimal set with minimal risk lies within not Xi; and if a solution lacks Xi, it lies
    within not Xi, whose risk is then minimal too. So the solution is unique if and only if this set has minimal risk.
    """
    table = class_first(d)
    best = right_weight(table)
    return sum(1 << i for i in range(len(d.features)) if right_weight(without(table, i)) < best)


def is_minimal(d: JointDistribution, mask: int) -> bool:
    """Say whether a subset solves the minimal-optimal problem: minimal risk, and no feature can be spared.

    By monotonicity it is enough to take out single features.
    """
    table = marginal_table(d, mask)
    best = right_weight(class_first(d))
    places: Sequence[int] = range(len(indices_of(mask)))
    return right_weight(table) == best and all(right_weight(without(table, place)) < best for place in places)
