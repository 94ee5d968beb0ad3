"""The graphs of a matrix of squared distances: one minimum spanning tree, one nearest neighbor for each point."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Literal, TypeAlias

import numpy as np
import numpy.typing as npt

from fstheory._memory import require_cells
from fstheory.errors import InvalidValueError, explain
from fstheory.points.graphs import Edges
from fstheory.points.mixed_points import Matrix, Points

__all__ = ["GraphKind", "GraphTies", "edges_of_rows", "graph_of", "sum_of_squares"]

GraphKind: TypeAlias = Literal["mst", "1nn"]
GraphTies: TypeAlias = Literal["refuse", "first", "all"]
_BYTES = 100  # a pair: squares, ranks, places and what orders them; measured with 2,000 exact points


def sum_of_squares(points: Points, features: Iterable[str]) -> Matrix:
    """Return the squared distances in some features, of shape (points, points)."""
    require_cells((len(points),) * 2, "the distances of all pairs of points", "take fewer points", _BYTES)
    first, *rest = features
    found = points.squared_differences(first)
    for name in rest:
        found = found + points.squared_differences(name)
    return found


def edges_of_rows(pairs: npt.NDArray[np.int64]) -> Edges:
    """Return edges that are the rows of an array, the smaller place first in each, as a set."""
    return frozenset((int(one), int(other)) for one, other in pairs)


def graph_of(squares: Matrix, graph: GraphKind, ties: GraphTies) -> npt.NDArray[np.int64]:
    """Return the edges of a graph of points, of shape (edges, 2), the smaller place first in each."""
    if ties == "refuse":
        _refuse_coincident(squares)
    if graph == "1nn":
        return _nearest(squares, ties)
    if ties == "all":
        raise InvalidValueError(explain("ties", "refuse or first for a spanning tree", ties, "or pass graph='1nn'"))
    tree, tied = _spanning_tree(squares)
    if ties == "refuse" and tied:
        _refuse_tied(tree, _spanning_tree(squares, reverse=True)[0], "minimum spanning tree")
    return tree


def _spanning_tree(squares: Matrix, *, reverse: bool = False) -> tuple[npt.NDArray[np.int64], bool]:
    """Return a minimum spanning tree by Prim's algorithm, and whether ties were decided by the order of the pairs.

    Pairs at equal distances count as ordered by their places, which leaves one tree. Where there is another, the
    reverse order gives another: of the tied pairs that a cycle leaves open, the last is in the one and not in the
    other. Where nothing was tied, each edge is the only shortest one out of what was joined, and there is one tree.
    """
    size, tied = len(squares), False
    places, sign = np.arange(size), -1 if reverse else 1
    outside, source = np.ones(size, dtype=bool), np.zeros(size, dtype=np.int64)
    outside[0] = False
    nearest, order = squares[0].copy(), sign * places
    pairs = []
    for _ in range(size - 1):
        free = np.flatnonzero(outside)
        free = free[nearest[free] == nearest[free].min()]
        new = int(free[order[free].argmin()])
        pairs.append(sorted((int(source[new]), new)))
        outside[new] = False
        same = outside & (squares[new] == nearest)
        tied = tied or len(free) > 1 or bool(same.any())
        rank = sign * (np.minimum(places, new) * size + np.maximum(places, new))
        closer = (outside & (squares[new] < nearest)) | (same & (rank < order))
        nearest[closer], order[closer], source[closer] = squares[new][closer], rank[closer], new
    return np.array(sorted(pairs), dtype=np.int64).reshape(-1, 2), tied


def _nearest(squares: Matrix, ties: GraphTies) -> npt.NDArray[np.int64]:
    """Return the edges from points to their nearest neighbors, opposite ones merged."""
    size = len(squares)
    if size < 2:
        return np.empty((0, 2), dtype=np.int64)
    apart = ~np.eye(size, dtype=bool)
    most = squares.max()
    least = np.where(apart, squares, most).min(axis=1)
    near = (squares == least[:, None]) & apart
    if ties == "refuse" and (several := np.flatnonzero(near.sum(axis=1) > 1)).size:
        place = int(several[0])
        tied = np.flatnonzero(near[place]).tolist()
        repair = "pass ties='first' or ties='all' to say which count"
        raise InvalidValueError(explain("points", f"such that point {place} has one nearest neighbor", tied, repair))
    if ties != "all":  # the first in one order of all points, which leaves no cycle (SN-L1d)
        first = near.argmax(axis=1)
        near = np.zeros_like(near)
        near[np.arange(size), first] = True
    return np.argwhere(np.triu(near | near.T)).astype(np.int64)


def _refuse_coincident(squares: Matrix) -> None:
    if np.count_nonzero(squares == 0) > len(squares):
        one, other = np.argwhere(np.triu(squares == 0, 1))[0].tolist()
        repair = "merge them, or pass ties='first'"
        raise InvalidValueError(explain("points", "all different", f"coincident points {one} and {other}", repair))


def _refuse_tied(tree: Any, other: Any, name: str) -> None:
    if not np.array_equal(tree, other):
        both_trees = [set(map(tuple, edges.tolist())) for edges in (tree, other)]
        pair = min(both_trees[0] - both_trees[1])
        needed = f"such that there is one {name}"
        repair = "pass ties='first' to order pairs at equal distances by the places of their points"
        raise InvalidValueError(explain("points", needed, f"one with and one without {pair}", repair))
