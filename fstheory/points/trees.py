"""Minimum spanning trees under ties: all of them, and what decides that a graph holds one or each of them.

Everything is decided by the order of the distances. So an answer is right for the weights that the paper takes, the
distances, and for their squares, which are rational.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import combinations

from fstheory.points.graphs import components, joined
from fstheory.points.neighbors import Edges
from fstheory.points.point_set import Squares

__all__ = ["exchange", "minimum_spanning_trees", "missing_from_all", "missing_from_some"]


def minimum_spanning_trees(squares: Squares, vertices: Iterable[int] | None = None) -> Iterator[Edges]:
    """Yield every minimum spanning tree of some of the points, or of all.

    Notes
    -----
    Kruskal's algorithm, with a branch wherever it could take one of several edges of the same length. There may be
    n**(n - 2) trees.

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
        if not joined(len(squares), _up_to(squares, edges, squares[one][other]), one, other):
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


def _up_to(squares: Squares, edges: Edges, longest: int) -> list[tuple[int, int]]:
    return [edge for edge in edges if squares[edge[0]][edge[1]] <= longest]
