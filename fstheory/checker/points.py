"""Verify certificates about point sets from the definitions, with fractions. No code is shared with fstheory.points.

A certificate holds the points, the nearest neighbors of each point that count, and a contradiction to the claim:

1. the squared distances are recomputed from the coordinates;
2. the neighbors are nearest, and those that the claim speaks of: all of them, or one for each point; where the
   certificate assumes uniqueness, every point has just one;
3. the graph G* is made of them, and the contradiction is read off it.

A tree is minimal for the distances if and only if it is for their squares, so roots are never taken.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from itertools import combinations
from typing import Any, NamedTuple

from fstheory.checker.reading import certificate_digest, list_of, object_with, rational, require, whole
from fstheory.errors import show

POINTS_FORMAT = "fstheory certificate on points"

UNIQUE = "unique_neighbor"
MAX_POINTS = 50  # a certificate with more points is refused, whether it is true or not
PARTS = {
    "format", "version", "kind", "claim", "assume", "points", "labels", "squared_distances", "neighbors", "violated",
    "digest",
}  # fmt: skip

Pair = tuple[int, int]


class Graph(NamedTuple):
    """The data of a violation: squared distances by pair, the nearest neighbors that count, and the edges of G*."""

    size: int
    squares: Mapping[Pair, Fraction]
    neighbors: list[list[int]]
    edges: set[Pair]


class Rule(NamedTuple):
    """How a claim is contradicted, whether one neighbor counts for each point, and what is assumed."""

    kind: str
    shows: Callable[[Graph, list[int], list[Pair]], bool]
    one: bool
    assumes: bool


def refuted_by_points(content: dict[str, Any]) -> tuple[str, str]:
    """Verify that a point set refutes a claim. Return the name of the claim and a sentence."""
    object_with(PARTS, content, "the certificate")
    head = content["format"], content["version"], content["kind"]
    known = head == (POINTS_FORMAT, 1, "refuted") and type(head[1]) is int
    require(known, "the certificate", "one that points refute, of version 1", head)
    digest = content["digest"]
    require(digest == certificate_digest(content), "digest", "that of the rest, which was changed", digest)
    require(content["claim"] in [*CLAIMS], "claim", f"one of {', '.join(CLAIMS)}", content["claim"])
    rule = CLAIMS[content["claim"]]
    allowed = ((UNIQUE,), ()) if rule.assumes else ((),)
    require(content["assume"] in allowed, "assume", f"one of {allowed}", content["assume"])
    graph = _graph(content, one=rule.one, unique=content["assume"] == (UNIQUE,))
    violated = object_with({"kind", "points", "edges"}, content["violated"], "violated")
    require(violated["kind"] == rule.kind, "violated.kind", repr(rule.kind), violated["kind"])
    points = _places(violated["points"], graph.size)
    edges = [_pair(edge, graph.size) for edge in list_of(None, violated["edges"], "violated.edges")]
    require(rule.shows(graph, points, edges), "violated", f"{rule.kind} there", (points, edges))
    title = content["claim"] + f" without {UNIQUE}" * (rule.assumes and not content["assume"])
    return title, f"{title} is refuted by {graph.size} points: {rule.kind} at {', '.join(map(str, points))}"


def _graph(content: Mapping[str, Any], *, one: bool, unique: bool) -> Graph:
    points = [
        [rational(value, "points") for value in list_of(None, row, "points")]
        for row in list_of(None, content["points"], "points")
    ]
    size = len(points)
    require(1 < size <= MAX_POINTS, "points", f"2 to {MAX_POINTS}", size)
    require(len({len(row) for row in points}) == 1 and len(points[0]) > 0, "points", "of one dimension", points)
    labels = list_of(size, content["labels"], "labels")
    require(all(type(label) in (int, str) for label in labels), "labels", "integers or strings", labels)
    squares = {}
    for i, j in combinations(range(size), 2):
        square = sum(((a - b) ** 2 for a, b in zip(points[i], points[j], strict=True)), Fraction(0))
        squares[i, j] = squares[j, i] = square
    written = tuple((i, j, str(squares[i, j])) for i, j in combinations(range(size), 2))
    same = repr(content["squared_distances"]) == repr(written)  # 1 and True differ
    require(same, "squared_distances", "those of the points", content["squared_distances"])
    neighbors = [_places(few, size) for few in list_of(size, content["neighbors"], "neighbors")]
    for i, few in enumerate(neighbors):
        least = min(squares[i, j] for j in range(size) if j != i)
        nearest = [j for j in range(size) if j != i and squares[i, j] == least]
        right = (len(few) == 1 and few[0] in nearest) if one else few == nearest
        require(right and not (unique and len(nearest) > 1), f"neighbors[{i}]", show(nearest), few)
    edges = {(min(i, j), max(i, j)) for i, few in enumerate(neighbors) for j in few}
    return Graph(size, squares, neighbors, edges)


def _reached(start: int, edges: Iterable[Pair]) -> set[int]:
    """Return the points that can be reached from a point along these edges."""
    listed, reached, new = list(edges), {start}, {start}
    while new:
        new = {j for edge in listed for i, j in (edge, edge[::-1]) if i in new} - reached
        reached |= new
    return reached


def _inside(graph: Graph, points: list[int]) -> set[Pair]:
    return {edge for edge in graph.edges if set(edge) <= set(points)}


def _is_component(graph: Graph, points: list[int]) -> bool:
    return bool(points) and points == sorted(_reached(points[0], graph.edges))


def _cycle(graph: Graph, points: list[int], edges: list[Pair]) -> bool:
    steps = zip(points, points[1:] + points[:1], strict=True)
    return len(points) > 2 and not edges and all((min(step), max(step)) in graph.edges for step in steps)


def _circuit(graph: Graph, points: list[int], edges: list[Pair]) -> bool:
    if len(points) != 2 or edges or not all(points[1 - i] in graph.neighbors[points[i]] for i in range(2)):
        return False
    return all(edge[1] not in _reached(edge[0], graph.edges - {edge}) for edge in graph.edges)  # a forest


def _not_connected(graph: Graph, points: list[int], edges: list[Pair]) -> bool:
    return len(points) == 2 and not edges and points[1] not in _reached(points[0], graph.edges)


def _lighter(graph: Graph, points: list[int], edges: list[Pair]) -> bool:
    """Show that a component is a tree that becomes lighter if one edge is exchanged for another."""
    tree = _inside(graph, points)
    if not _is_component(graph, points) or len(tree) != len(points) - 1 or len(edges) != 2:
        return False
    new, old = edges
    if old not in tree or not set(new) <= set(points) or graph.squares[new] >= graph.squares[old]:
        return False
    return _reached(points[0], tree - {old} | {new}) == set(points)


def _none_inside(graph: Graph, points: list[int], edges: list[Pair]) -> bool:
    """Show a pair in a component that no path of edges as short joins.

    So no spanning tree in the component is minimal.
    """
    return _is_component(graph, points) and _none_inside_union(graph, points, edges)


def _none_inside_union(graph: Graph, points: list[int], edges: list[Pair]) -> bool:
    """Show the same for a union of components, which satisfies the paper's conditions (i) to (iii)."""
    leaving = any((i in points) != (j in points) for i, j in graph.edges)
    if leaving or points != sorted(points) or len(edges) != 1 or not set(edges[0]) <= set(points):
        return False
    short = {edge for edge in _inside(graph, points) if graph.squares[edge] <= graph.squares[edges[0]]}
    return edges[0][1] not in _reached(edges[0][0], short)


def _one_outside(graph: Graph, points: list[int], edges: list[Pair]) -> bool:
    """Show a pair in a component that is no edge, and that no path of shorter pairs joins.

    So a minimal tree needs it.
    """
    if not _is_component(graph, points) or len(edges) != 1 or not set(edges[0]) <= set(points):
        return False
    shorter = {pair for pair in combinations(points, 2) if graph.squares[pair] < graph.squares[edges[0]]}
    return edges[0] not in graph.edges and edges[0][1] not in _reached(edges[0][0], shorter)


def _sum(graph: Graph, points: list[int], edges: list[Pair]) -> bool:
    neighborhoods = [{i} | {j for edge in graph.edges if i in edge for j in edge} for i in range(graph.size)]
    return points == list(range(graph.size)) and not edges and sum(map(len, neighborhoods)) != 3 * graph.size - 2


CLAIMS = {
    "SN-L1": Rule("cycle", _cycle, one=False, assumes=True),
    "SN-L1a": Rule("circuit", _circuit, one=False, assumes=True),
    "SN-L1c": Rule("cycle", _cycle, one=True, assumes=False),
    "SN-L2": Rule("lighter", _lighter, one=False, assumes=True),
    "SN-L3": Rule("none inside a union", _none_inside_union, one=False, assumes=False),
    "SN-L3a": Rule("none inside", _none_inside, one=False, assumes=False),
    "SN-L3b": Rule("one outside", _one_outside, one=True, assumes=False),
    "SN-5": Rule("not connected", _not_connected, one=False, assumes=True),
    "SN-5n": Rule("sum", _sum, one=False, assumes=True),
}


def _places(value: Any, size: int) -> list[int]:
    places = [whole(0, size, place, "a point") for place in list_of(None, value, "points")]
    require(len(set(places)) == len(places), "points", "different", places)
    return places


def _pair(value: Any, size: int) -> Pair:
    first, second = _places(list_of(2, value, "a pair"), size)
    require(first < second, "a pair", "one with the smaller point first", value)
    return first, second
