"""Horizontal places for nodes whose heights are given: no overlaps, and edges that can be followed."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from fstheory.viz.edges import Edges
from fstheory.viz.layout import Points

__all__ = ["spread"]

_Reals = npt.NDArray[np.float64]
_PASSES = 4
_TRIALS = 24  # places tried for a node in one pass


def spread(heights: _Reals, wished: _Reals, boxes: Points, edges: Edges, gap: float) -> _Reals:
    """Choose x for nodes at given heights so that no two boxes come closer than `gap`."""
    x = wished.astype(np.float64)
    placed = np.zeros(len(x), dtype=bool)
    for i in np.argsort(np.abs(wished), kind="stable"):
        x[i] = _nearest(wished[i], _blocked(int(i), x, heights, boxes, gap, placed))
        placed[i] = True
    for _ in range(_PASSES):
        before = x.copy()
        for i in range(len(x)):
            _improve(i, x, heights, boxes, edges, gap)
        _swap(x, heights, boxes, edges, gap)
        if np.array_equal(before, x):
            break
    return x


def _blocked(
    i: int, x: _Reals, heights: _Reals, boxes: Points, gap: float, placed: npt.NDArray[np.bool_]
) -> list[tuple[float, float]]:
    """Return the open intervals of x that other boxes forbid for node i."""
    near = placed & (np.abs(heights - heights[i]) < (boxes[:, 1] + boxes[i, 1]) / 2 + gap)
    near[i] = False
    reach = (boxes[near, 0] + boxes[i, 0]) / 2 + gap
    return list(zip((x[near] - reach).tolist(), (x[near] + reach).tolist(), strict=True))


def _free(place: float, blocked: list[tuple[float, float]]) -> bool:
    slack = 1e-12  # inches: a box may touch the interval that its neighbor forbids
    return all(place <= low + slack or place >= high - slack for low, high in blocked)


def _nearest(wish: float, blocked: list[tuple[float, float]]) -> float:
    ends = [wish, *(end for interval in blocked for end in interval)]
    return min((end for end in ends if _free(end, blocked)), key=lambda end: (abs(end - wish), end))


def _improve(i: int, x: _Reals, heights: _Reals, boxes: Points, edges: Edges, gap: float) -> None:
    """Move node i to the best of the free places around."""
    blocked = _blocked(i, x, heights, boxes, gap, np.ones(len(x), dtype=bool))
    bound = max(float(np.abs(x).max()) + boxes[i, 0] / 4, 1.5 * boxes[i, 0] + gap)
    trials = [*np.linspace(-bound, bound, _TRIALS).tolist(), *(end for pair in blocked for end in pair)]
    here = float(x[i])
    best, least = here, _cost(i, here, x, heights, boxes, edges, gap)
    for trial in trials:
        if abs(trial) <= bound and _free(trial, blocked):
            cost = _cost(i, trial, x, heights, boxes, edges, gap)
            if cost < least * 0.999:  # a clear gain, so that the passes come to rest
                best, least = trial, cost
    x[i] = best


def _swap(x: _Reals, heights: _Reals, boxes: Points, edges: Edges, gap: float) -> None:
    """Exchange nodes of one value, and of one width, where that is better for both together."""
    for i in range(len(x)):
        for j in np.flatnonzero((heights == heights[i]) & (boxes == boxes[i]).all(axis=1)).tolist():
            if j > i:
                before = _pair_cost(i, j, x, heights, boxes, edges, gap)
                x[[i, j]] = x[[j, i]]
                if _pair_cost(i, j, x, heights, boxes, edges, gap) >= before * 0.999:
                    x[[i, j]] = x[[j, i]]


def _pair_cost(i: int, j: int, x: _Reals, heights: _Reals, boxes: Points, edges: Edges, gap: float) -> float:
    return sum(_cost(k, float(x[k]), x, heights, boxes, edges, gap) for k in (i, j))


def _cost(i: int, at: float, x: _Reals, heights: _Reals, boxes: Points, edges: Edges, gap: float) -> float:
    """Return what node i at x = `at` costs: hidden edges first, then length of its edges and distance from the axis."""
    moved = x.copy()
    moved[i] = at
    own = (edges.lower == i) | (edges.upper == i)
    hidden = _hidden(moved, heights, boxes, Edges(*(part[own] for part in edges)), np.arange(len(x)), gap / 2)
    hidden += _hidden(moved, heights, boxes, Edges(*(part[~own] for part in edges)), np.array([i]), gap / 2)
    lower, upper = edges.lower[own], edges.upper[own]
    level = heights[lower] == heights[upper]
    length = float((np.abs(moved[lower] - moved[upper]) * np.where(level, 1.0, 0.3)).sum())
    return 8.0 * hidden + length + 0.3 * abs(at)


def _hidden(
    x: _Reals, heights: _Reals, boxes: Points, edges: Edges, nodes: npt.NDArray[np.int64], margin: float
) -> int:
    """Count pairs of an edge and a node among `nodes` whose box the edge crosses without belonging to it."""
    ax, ay = x[edges.lower, None], heights[edges.lower, None]
    bx, by = x[edges.upper, None], heights[edges.upper, None]
    foreign = (edges.lower[:, None] != nodes) & (edges.upper[:, None] != nodes)
    half_width, half_height = boxes[nodes, 0] / 2 + margin, boxes[nodes, 1] / 2
    cx, cy = x[nodes], heights[nodes]
    low, high = np.minimum(ay, by), np.maximum(ay, by)
    bottom, top = np.maximum(low, cy - half_height), np.minimum(high, cy + half_height)
    slope = (bx - ax) / np.where(by == ay, 1.0, by - ay)
    left = ax + slope * (bottom - ay)
    right = ax + slope * (top - ay)
    crossing = (np.minimum(left, right) < cx + half_width) & (np.maximum(left, right) > cx - half_width)
    # a level edge is drawn as an arc and hides behind nothing of its own row
    return int((foreign & (by != ay) & (bottom <= top) & crossing).sum())
