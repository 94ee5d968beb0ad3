"""Components and cycles of a simple graph on the points 0, .., n - 1."""

from __future__ import annotations

from collections.abc import Iterable

from fstheory.points.neighbors import Edges

__all__ = ["components", "find_cycle", "joined", "within"]


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
    """Tell whether a path of these edges joins two points.

    Examples
    --------
    >>> joined(4, [(0, 2), (2, 3)], 0, 3), joined(4, [(0, 2), (2, 3)], 0, 1)
    (True, False)
    """
    name = _names(size, edges)
    return name[one] == name[other]


def within(edges: Edges, vertices: Iterable[int]) -> Edges:
    """Return the edges that run between these points.

    Examples
    --------
    >>> sorted(within(frozenset({(0, 1), (1, 2)}), [0, 1]))
    [(0, 1)]
    """
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
