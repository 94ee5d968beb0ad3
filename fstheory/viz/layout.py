"""Where the nodes of a lattice go: pure functions of masks, values and box sizes, in inches.

A box is a node with its label. Coordinates are those of its center; x grows to the right and y upwards.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from fractions import Fraction

import numpy as np
import numpy.typing as npt

from fstheory.errors import InvalidValueError, explain
from fstheory.subsets import Masks, indices_of, sizes

__all__ = ["Points", "heights_by_value", "order_in_level", "place_by_size", "place_in_columns", "suits_logarithm"]

Points = npt.NDArray[np.float64]
"""Coordinates or box sizes, shape (m, 2), aligned with the masks."""

_ZERO_SHARE = 0.1  # of a logarithmic axis, kept for the value zero
_MANY_DECADES = 1000


def order_in_level(masks: Masks) -> npt.NDArray[np.int64]:
    """Return the positions of the masks by size and, within a size, lexicographically by feature index."""
    keys = [(mask.bit_count(), indices_of(mask)) for mask in masks.tolist()]
    return np.array(sorted(range(len(keys)), key=keys.__getitem__), dtype=np.int64)


def place_by_size(masks: Masks, boxes: Points, gap: float) -> Points:
    """Place the subsets by rank: y grows with the size, a level is centered and in lexicographic order."""
    places = np.zeros((len(masks), 2))
    order = order_in_level(masks)
    levels = [order[sizes(masks)[order] == k] for k in np.unique(sizes(masks))]
    pitches = [float(boxes[level, 0].mean()) + gap for level in levels]
    spans = [pitch * len(level) for pitch, level in zip(pitches, levels, strict=True)]
    most = max(map(len, levels))  # short labels stand no closer than those of the levels with most subsets
    common = max(pitch for pitch, level in zip(pitches, levels, strict=True) if len(level) == most)
    rise = min(max(0.45, 0.08 * max(spans)), 1.2)  # wide pictures need room for flat edges
    y = top = 0.0
    for level, pitch in zip(levels, pitches, strict=True):
        half = float(boxes[level, 1].max()) / 2
        y = top + rise + half if level is not levels[0] else 0.0
        top = y + half
        loose = min(1.4 * common, max(spans) / (len(level) + 1))  # a short level spreads a little: steeper edges
        x = np.cumsum(boxes[level, 0] + max(pitch, common, loose) - pitch + gap) - boxes[level, 0] / 2
        places[level, 0] = x - (x[0] + x[-1]) / 2
        places[level, 1] = y
    return places


def place_in_columns(
    columns: npt.NDArray[np.int64], heights: npt.NDArray[np.float64], boxes: Points, gap: float, between: float
) -> npt.NDArray[np.float64]:
    """Return x for nodes of given heights, one column beside the other, without overlaps."""
    x: npt.NDArray[np.float64] = np.zeros(len(heights))
    right = -between
    for column in np.unique(columns):
        nodes = np.flatnonzero(columns == column)
        placed: list[int] = []
        for i in sorted(nodes.tolist(), key=lambda i: -boxes[i, 0]):
            near = [j for j in placed if abs(heights[i] - heights[j]) < (boxes[i, 1] + boxes[j, 1]) / 2 + gap]
            reach = {j: float(boxes[i, 0] + boxes[j, 0]) / 2 + gap for j in near}
            ends = [0.0, *(float(x[j]) + side * reach[j] for j in near for side in (1, -1))]
            free = [end for end in ends if all(abs(end - x[j]) >= reach[j] - 1e-12 for j in near)]  # touching is free
            x[i] = min(free, key=abs)
            placed.append(i)
        left = float((x[nodes] - boxes[nodes, 0] / 2).min())
        x[nodes] += right + between - left
        right = float((x[nodes] + boxes[nodes, 0] / 2).max())
    x -= boxes[columns == columns.min(), 0].max() / 2
    return x


def suits_logarithm(values: Collection[Fraction]) -> bool:
    """Say whether values spread so far that only a logarithmic axis tells the small ones apart."""
    positive = sorted(value for value in set(values) if value > 0)
    return min(values) >= 0 and len(positive) > 1 and positive[-1] > _MANY_DECADES * positive[0]


def heights_by_value(values: Sequence[Fraction], *, logarithmic: bool = False) -> npt.NDArray[np.float64]:
    """Return the heights of values between 0 (the smallest) and 1 (the largest).

    The proportion is taken exactly and rounded to a float last, so that a narrow range far from zero keeps its order.
    """
    low, high = min(values), max(values)
    if logarithmic and low < 0:
        raise InvalidValueError(explain("scale", "'linear' where a value is negative", "log", "pass scale='linear'"))
    if low == high:
        return np.zeros(len(values))
    if not logarithmic:
        return np.array([float((value - low) / (high - low)) for value in values])
    least = min(value for value in values if value > 0)
    if least == high:  # zero and one other value
        return np.array([1.0 if value > 0 else 0.0 for value in values])
    span = _logarithm(high / least)
    foot = _ZERO_SHARE if low == 0 else 0.0
    return np.array([foot + (1 - foot) * _logarithm(v / least) / span if v > 0 else 0.0 for v in values])


def _logarithm(value: Fraction) -> float:
    return math.log(value.numerator) - math.log(value.denominator)  # float(value) could overflow
