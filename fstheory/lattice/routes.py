"""Routes of edges in a drawing: straight lines, or lines with bends around the boxes of other nodes.

Places and lengths are in inches, as in `fstheory.lattice.graph`.
"""

from __future__ import annotations

import functools
from collections.abc import Collection, Mapping
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from fstheory.lattice.graph import Place, Points, Reals
from fstheory.lattice.subsets import Masks

Route: TypeAlias = tuple[Place, ...]
"""The corners of the line of an edge, from the center of its first node to the center of its second node."""

_CLEAR = 0.06  # inches between a bend and the box that it goes around, where there is room
_SHARE = 0.45  # of the smallest distance of two boxes: two lines of different boxes do not touch
_BEND = 0.05  # inches that a route may be longer to have a bend less
_TOUCH = 1e-9  # a line may touch a box for this share of its length


def route_edges(
    edges: Collection[tuple[Any, Any]], positions: Mapping[Any, Place], boxes: Mapping[Any, Place]
) -> dict[tuple[Any, Any], Route]:
    """Return a route for each edge that crosses no box except the boxes of the two ends of the edge.

    An edge is straight if its straight line crosses no other box. Otherwise the route is a shortest one around the
    boxes. The boxes must not overlap. Complexity: O(m^3) for m boxes if an edge has to bend.

    Examples
    --------
    >>> places = {"a": (0, 0), "b": (0, 1), "c": (0, 2)}
    >>> boxes = dict.fromkeys(places, (0.4, 0.2))
    >>> routes = route_edges([("a", "b"), ("a", "c")], places, boxes)
    >>> len(routes["a", "b"]), len(routes["a", "c"])
    (2, 4)
    """
    order = {node: i for i, node in enumerate(positions)}
    centers = np.array([positions[node] for node in order], dtype=np.float64).reshape(-1, 2)
    half = np.array([boxes[node] for node in order], dtype=np.float64).reshape(-1, 2) / 2
    ends = np.array([(order[one], order[other]) for one, other in edges], dtype=np.int64).reshape(-1, 2)
    half = half + _clearance(centers, half)
    low, high = centers - half, centers + half
    hidden = crossed(centers[ends[:, 0]], centers[ends[:, 1]], low, high)
    hidden[np.arange(len(ends))[:, None], ends] = False
    bent = set(np.flatnonzero(hidden.any(axis=1)).tolist())
    routes: dict[tuple[Any, Any], Route] = {edge: (positions[edge[0]], positions[edge[1]]) for edge in edges}
    if not bent:
        return routes
    corners = np.concatenate(
        [np.column_stack([x, y]) for x in (low[:, 0], high[:, 0]) for y in (low[:, 1], high[:, 1])]
    )
    lengths, following = _shortest(corners, low, high)
    between = functools.cache(lambda node: _between(centers[node], corners, low, high))
    for place, (edge, (first, last)) in enumerate(zip(edges, ends.tolist(), strict=True)):
        if place in bent:
            foreign = np.ones(len(centers), dtype=bool)
            foreign[[first, last]] = False
            near, far = (_seen(centers[end], corners, between(end) @ foreign) for end in (first, last))
            total = near[:, None] + lengths + far
            at, goal = np.unravel_index(int(total.argmin()), total.shape)
            way = [int(at)]
            while way[-1] != goal:
                way.append(int(following[way[-1], goal]))
            bends = [(x, y) for x, y in corners[way].tolist()]
            routes[edge] = (positions[edge[0]], *bends, positions[edge[1]])
    return routes


def crossed(starts: Points, ends: Points, low: Points, high: Points) -> npt.NDArray[np.bool_]:
    """Return for each line and each rectangle whether the line crosses the inside of the rectangle."""
    enter, leave = np.zeros((len(starts), len(low))), np.ones((len(starts), len(low)))
    for axis in range(2):
        start, along, bottom, top = starts[:, axis, None], (ends - starts)[:, axis, None], low[:, axis], high[:, axis]
        with np.errstate(divide="ignore", invalid="ignore"):
            sides = (bottom - start) / along, (top - start) / along
        inside = (bottom < start) & (start < top)
        still = along == 0  # a line along an axis is inside all the time, or never
        enter = np.maximum(enter, np.where(still, np.where(inside, -np.inf, np.inf), np.minimum(*sides)))
        leave = np.minimum(leave, np.where(still, np.where(inside, np.inf, -np.inf), np.maximum(*sides)))
    found: npt.NDArray[np.bool_] = enter + _TOUCH < leave
    return found


def _clearance(centers: Points, half: Points) -> float:
    """Return the distance that bends keep from boxes: so small that the widened boxes do not overlap."""
    apart = np.abs(centers[:, None] - centers) - half[:, None] - half
    gaps = apart.max(axis=2)[np.triu_indices(len(centers), 1)]
    return min(_CLEAR, _SHARE * float(gaps.min(initial=1.0)))


def _between(place: Reals, corners: Points, low: Points, high: Points) -> npt.NDArray[np.bool_]:
    """Return for each corner and each rectangle whether the rectangle is between a place and the corner."""
    return crossed(np.broadcast_to(place, corners.shape), corners, low, high)


def _seen(place: Reals, corners: Points, hidden: npt.NDArray[np.bool_]) -> Reals:
    """Return the distance of a place from each corner, or infinity if the corner is hidden."""
    return np.where(hidden, np.inf, np.linalg.norm(corners - place, axis=1) + _BEND)


def _shortest(corners: Points, low: Points, high: Points) -> tuple[Reals, Masks]:
    """Return the length of a shortest route from each corner to each other one, and the corner that comes next."""
    hidden = np.array([_between(corner, corners, low, high).any(axis=1) for corner in corners])
    lengths: Reals = np.array([_seen(corner, corners, own) for corner, own in zip(corners, hidden, strict=True)])
    np.fill_diagonal(lengths, 0.0)
    following = np.broadcast_to(np.arange(len(corners)), lengths.shape).copy()
    for middle in range(len(corners)):  # Floyd and Warshall
        through = lengths[:, middle, None] + lengths[middle]
        shorter = through < lengths
        lengths = np.where(shorter, through, lengths)
        following = np.where(shorter, following[:, middle, None], following)
    return lengths, following
