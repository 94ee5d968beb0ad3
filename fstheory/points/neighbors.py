"""Nearest neighbors under ties: all of them, every way to choose one, and the graph G* of the choice."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from typing import TypeAlias

from fstheory.points.point_set import Squares

__all__ = ["Edges", "Neighbors", "chosen_neighbors", "nearest_neighbors", "neighbor_graph"]

Neighbors: TypeAlias = "tuple[tuple[int, ...], ...]"
"""For each point the places of those of its nearest neighbors that count, ascending."""

Edges: TypeAlias = "frozenset[tuple[int, int]]"
"""Edges of a simple graph without directions, the smaller place first."""


def nearest_neighbors(squares: Squares) -> Neighbors:
    """Return for each point all its nearest neighbors among the others; a point alone has none.

    Parameters
    ----------
    squares : matrix of int
        As `PointSet.squares`; any symmetric matrix will do that orders the pairs by distance.

    Examples
    --------
    >>> from fstheory.points import PointSet
    >>> nearest_neighbors(PointSet([[0], [1], [2], [4]]).squares)
    ((1,), (0, 2), (1,), (2,))
    """
    found = []
    for place, row in enumerate(squares):
        others = [other for other in range(len(row)) if other != place]
        least = min((row[other] for other in others), default=0)
        found.append(tuple(other for other in others if row[other] == least))
    return tuple(found)


def chosen_neighbors(neighbors: Neighbors) -> Iterator[Neighbors]:
    """Yield every way to break ties: one nearest neighbor for each point, in lexicographic order.

    Examples
    --------
    >>> [choice[1] for choice in chosen_neighbors(((1,), (0, 2), (1,)))]
    [(0,), (2,)]
    """
    for choice in product(*neighbors):
        yield tuple((other,) for other in choice)


def neighbor_graph(neighbors: Sequence[Sequence[int]]) -> Edges:
    """Return the graph G* of Section 5.1: an edge for each arc of G, two opposite arcs merged into one edge.

    References
    ----------
    Sebban and Nock (2002), Section 5.1.

    Examples
    --------
    >>> sorted(neighbor_graph([[1], [0], [1]]))
    [(0, 1), (1, 2)]
    """
    return frozenset(
        (min(place, other), max(place, other)) for place, others in enumerate(neighbors) for other in others
    )
