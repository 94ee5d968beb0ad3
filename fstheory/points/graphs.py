"""Graphs of nearest neighbors and minimum spanning trees, under ties."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations, product
from typing import TypeAlias

from fstheory.points.point_set import Squares

__all__ = [
    "Edges", "Neighbors", "chosen_neighbors", "components", "exchange", "find_cycle", "joined",
    "minimum_spanning_trees", "missing_from_all", "missing_from_some", "nearest_neighbors", "neighbor_graph",
    "within",
]  # fmt: skip

Neighbors: TypeAlias = "tuple[tuple[int, ...], ...]"
"""For each point the places of those of its nearest neighbors that count, ascending."""

Edges: TypeAlias = "frozenset[tuple[int, int]]"
"""Edges of a simple graph without directions, the smaller place first."""


def nearest_neighbors(squares: Squares) -> Neighbors:
    """Return for each point all its nearest neighbors among the others; a point alone has none.

    The matrix is `PointSet.squares`, or any symmetric one that orders the pairs by distance.

    Examples
    --------
    >>> from fstheory.points import PointSet
    >>> nearest_neighbors(PointSet([[0], [1], [2], [4]]).squares)
    ((1,), (0, 2), (1,), (2,))
    """
    found = []
    for place, row in enumerate(squares):
        least = min((square for other, square in enumerate(row) if other != place), default=0)
        found.append(tuple(other for other, square in enumerate(row) if other != place and square == least))
    return tuple(found)


def chosen_neighbors(neighbors: Neighbors) -> Iterator[Neighbors]:
    """Yield every way to break ties: one nearest neighbor for each point, in lexicographic order.

    Examples
    --------
    >>> [choice[1] for choice in chosen_neighbors(((1,), (0, 2), (1,)))]
    [(0,), (2,)]
    """
    yield from (tuple((other,) for other in choice) for choice in product(*neighbors))


def neighbor_graph(neighbors: Sequence[Sequence[int]]) -> Edges:
    """Return the graph G* of Sebban and Nock (2002), Section 5.1: an edge for each arc of G, opposite arcs merged.

    Examples
    --------
    >>> sorted(neighbor_graph([[1], [0], [1]]))
    [(0, 1), (1, 2)]
    """
    return frozenset(
        (min(place, other), max(place, other)) for place, others in enumerate(neighbors) for other in others
    )


def components(size: int, edges: Iterable[tuple[int, int]]) -> tuple[tuple[int, ...], ...]:
    """Return the connected components, each ascending, in the order of their first points.

    Examples
    --------
    >>> components(4, [(0, 2), (1, 3)])
    ((0, 2), (1, 3))
    """
    name = _names(size, edges)
    return tuple(
        tuple(place for place in range(size) if name[place] == root) for root in range(size) if name[root] == root
    )


def joined(size: int, edges: Iterable[tuple[int, int]], one: int, other: int) -> bool:
    """Tell whether a path of these edges joins two points."""
    name = _names(size, edges)
    return name[one] == name[other]


def within(edges: Edges, vertices: Iterable[int]) -> Edges:
    """Return the edges that run between these points."""
    inside = frozenset(vertices)
    return frozenset(edge for edge in edges if inside.issuperset(edge))


def find_cycle(size: int, edges: Iterable[tuple[int, int]]) -> tuple[int, ...] | None:
    """Return a shortest cycle, the first in lexicographic order that starts at its least point; None in a forest.

    Examples
    --------
    >>> find_cycle(4, [(0, 1), (1, 2), (2, 3), (0, 3)])
    (0, 1, 2, 3)
    >>> find_cycle(3, [(0, 1), (1, 2)])
    """
    beside: list[list[int]] = [[] for _ in range(size)]
    for one, other in sorted(edges):
        beside[one].append(other)
        beside[other].append(one)
    paths: list[tuple[int, ...]] = [(start,) for start in range(size)]
    while paths:  # all paths of one length, in lexicographic order, whose first point is their least
        closed = [path for path in paths if len(path) > 2 and path[0] in beside[path[-1]]]
        if closed:
            return closed[0]
        paths = [
            (*path, new) for path in paths for new in sorted(beside[path[-1]]) if new > path[0] and new not in path
        ]
    return None


def _names(size: int, edges: Iterable[tuple[int, int]]) -> list[int]:
    """Return for each point the least point of its component."""
    name = list(range(size))
    for one, other in edges:
        kept, dropped = sorted((name[one], name[other]))
        if kept != dropped:
            name = [kept if each == dropped else each for each in name]
    return name


def minimum_spanning_trees(squares: Squares, vertices: Iterable[int] | None = None) -> Iterator[Edges]:
    """Yield every minimum spanning tree of some of the points, or of all; there may be n**(n - 2).

    By Kruskal's algorithm, with a branch wherever it could take one of several edges of the same length.

    Examples
    --------
    >>> from fstheory.points import PointSet
    >>> square = PointSet([[0, 0], [0, 1], [1, 0], [1, 1]])
    >>> len(list(minimum_spanning_trees(square.squares)))
    4
    """
    chosen = _chosen(squares, vertices)
    lengths = sorted({squares[one][other] for one, other in combinations(chosen, 2)})
    groups = [[pair for pair in combinations(chosen, 2) if squares[pair[0]][pair[1]] == length] for length in lengths]
    yield from _grown(len(squares), groups, frozenset())


def _grown(size: int, groups: list[list[tuple[int, int]]], forest: Edges) -> Iterator[Edges]:
    """Yield the trees that extend a forest by a maximal forest of each group of equal edges in turn."""
    if not groups:
        yield forest
        return
    useful = [edge for edge in groups[0] if not joined(size, forest, *edge)]
    before = len(components(size, forest))
    rank = before - len(components(size, forest | set(useful)))
    for added in combinations(useful, rank):
        grown = forest.union(added)
        if len(components(size, grown)) == before - rank:
            yield from _grown(size, groups[1:], grown)


def exchange(squares: Squares, tree: Edges) -> tuple[tuple[int, int], tuple[int, int]] | None:
    """Return (edge in, edge out) of a change that makes a tree lighter; None if it is minimal for its points.

    A spanning tree is minimal if and only if no edge outside it is shorter than an edge of the cycle it closes.
    The first change is returned, edges in lexicographic order.

    Examples
    --------
    >>> from fstheory.points import PointSet
    >>> exchange(PointSet([[0], [1], [3]]).squares, frozenset({(0, 1), (0, 2)}))
    ((1, 2), (0, 2))
    """
    points = sorted({place for edge in tree for place in edge})
    for new in combinations(points, 2):
        for old in sorted(tree):
            if squares[new[0]][new[1]] < squares[old[0]][old[1]] and not joined(len(squares), tree - {old}, *new):
                return new, old
    return None


def missing_from_all(squares: Squares, edges: Edges, vertices: Iterable[int] | None = None) -> tuple[int, int] | None:
    """Return an edge that shows that a graph holds no minimum spanning tree of its points; None if it holds one.

    The points are all or those given; the graph has edges between these only. It holds a minimum spanning tree if
    and only if it joins every pair of the points by a path of edges no longer than the pair. The first pair not so
    joined is returned: whatever spanning tree the graph holds, this edge makes it lighter in exchange for a longer one.

    Examples
    --------
    >>> from fstheory.points import PointSet
    >>> missing_from_all(PointSet([[0], [1], [3]]).squares, frozenset({(0, 1), (0, 2)}))
    (1, 2)
    """
    for one, other in combinations(_chosen(squares, vertices), 2):
        short = [edge for edge in edges if squares[edge[0]][edge[1]] <= squares[one][other]]
        if not joined(len(squares), short, one, other):
            return one, other
    return None


def missing_from_some(squares: Squares, edges: Edges, vertices: Iterable[int] | None = None) -> tuple[int, int] | None:
    """Return an edge outside a graph that is in a minimum spanning tree of its points; None if the graph holds all.

    An edge is in one if and only if no path of shorter edges joins its ends.

    Examples
    --------
    >>> from fstheory.points import PointSet
    >>> missing_from_some(PointSet([[0], [0], [0]]).squares, frozenset({(0, 1), (0, 2)}))
    (1, 2)
    """
    pairs = list(combinations(_chosen(squares, vertices), 2))
    for one, other in pairs:
        shorter = [pair for pair in pairs if squares[pair[0]][pair[1]] < squares[one][other]]
        if (one, other) not in edges and not joined(len(squares), shorter, one, other):
            return one, other
    return None


def _chosen(squares: Squares, vertices: Iterable[int] | None) -> list[int]:
    return sorted(set(range(len(squares)) if vertices is None else vertices))
