"""Verify certificates about point sets from the definitions alone, with fractions; shares no code with fstheory.points.

A certificate has points, for each point the nearest neighbors that count, and what contradicts the claim. So:

1. the squared distances are recomputed from the coordinates;
2. the neighbors are nearest, and those that the claim speaks of: all of them, or one for each point; where the
   certificate assumes uniqueness, every point has just one;
3. the graph G* is made of them, and the contradiction is read off it.

A tree is minimal for the distances if and only if it is for their squares, so roots are never taken.
"""

from __future__ import annotations

import hashlib
import html
import json
import os
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from pathlib import Path
from typing import Any, ClassVar, NamedTuple

from fstheory.errors import CertificateError, show

POINTS_FORMAT = "fstheory certificate on points"

UNIQUE = "unique_neighbor"
_RATIONAL = re.compile(r"(0|-?[1-9][0-9]*)(?:/([1-9][0-9]*))?")
MAX_POINTS = 50  # beyond these a certificate is refused, whether it is true or not
PARTS = {
    "format", "version", "kind", "claim", "assume", "points", "labels", "squared_distances", "neighbors", "violated",
    "digest",
}  # fmt: skip

Pair = tuple[int, int]


class Graph(NamedTuple):
    """What the violations are about: squared distances by pair, nearest neighbors that count, edges of G*."""

    size: int
    squares: Mapping[Pair, Fraction]
    neighbors: list[list[int]]
    edges: set[Pair]


class Rule(NamedTuple):
    """What contradicts a claim and how that is seen, whether one neighbor counts for each point, what is assumed."""

    kind: str
    shows: Callable[[Graph, list[int], list[Pair]], bool]
    one: bool
    assumes: bool


@dataclass(frozen=True, slots=True)
class CheckedPoints:
    """What an accepted certificate establishes.

    Attributes
    ----------
    kind, claim : str
        "refuted", and the id of the claim.
    without : bool
        Whether the claim is refuted only without its assumption that nearest neighbors are unique.
    summary : str
    status : str
        "accepted".
    """

    status: ClassVar[str] = "accepted"
    kind: str
    claim: str
    without: bool
    summary: str

    def __str__(self) -> str:
        return f"{self.status}: {self.summary}"

    def _repr_html_(self) -> str:
        return f"<p>{html.escape(str(self))}</p>"


def check_points_certificate(certificate: Mapping[str, Any] | str | os.PathLike[str]) -> CheckedPoints:
    """Verify a certificate that a point set refutes a claim."""
    try:
        return _checked(_read(certificate))
    except RecursionError as error:
        raise CertificateError("certificate is nested too deeply for this Python") from error


def _checked(content: dict[str, Any]) -> CheckedPoints:
    _need(set(content) == PARTS, f"has the parts {sorted(content)}, not {sorted(PARTS)}")
    head = (content["format"], content["version"], content["kind"])
    _need(head == (POINTS_FORMAT, 1, "refuted") and type(head[1]) is int, f"begins with {show(head)}")
    _need(content["digest"] == _digest(content), "was changed: its digest is another")
    rule = CLAIMS.get(content["claim"]) if isinstance(content["claim"], str) else None
    if rule is None:
        raise CertificateError(f"certificate refutes {show(content['claim'])}, which is none of {', '.join(CLAIMS)}")
    _need(content["assume"] in ([[UNIQUE], []] if rule.assumes else [[]]), f"assumes {show(content['assume'])}")
    graph = _graph(content, one=rule.one, unique=content["assume"] == [UNIQUE])
    violated = content["violated"]
    _need(isinstance(violated, dict) and set(violated) == {"kind", "points", "edges"}, "does not say what is violated")
    kind = violated["kind"]
    _need(kind == rule.kind, f"gives {show(kind)}, which does not contradict {content['claim']}")
    points = _places(violated["points"], graph.size)
    edges = [_pair(edge, graph.size) for edge in _list(violated["edges"])]
    _need(rule.shows(graph, points, edges), f"claims {kind!r} at {points}, {edges}, which is not so")
    without = rule.assumes and content["assume"] == []
    title = content["claim"] + f" without {UNIQUE}" * without
    text = f"{title} is refuted by {graph.size} points: {kind} at {', '.join(map(str, points))}"
    return CheckedPoints("refuted", content["claim"], without, text)


def _graph(content: Mapping[str, Any], *, one: bool, unique: bool) -> Graph:
    size = len(_list(content["points"]))
    _need(1 < size <= MAX_POINTS, f"has {size} points, not 2 to {MAX_POINTS}")
    points = [[_fraction(value) for value in _list(row)] for row in content["points"]]
    _need(len({len(row) for row in points}) == 1 and len(points[0]) > 0, "has points of unequal length")
    labels = _list(content["labels"])
    _need(len(labels) == size and all(type(label) in (int, str) for label in labels), "lacks the label of a point")
    squares = {}
    for i, j in combinations(range(size), 2):
        square = sum(((a - b) ** 2 for a, b in zip(points[i], points[j], strict=True)), Fraction(0))
        squares[i, j] = squares[j, i] = square
    written = [[i, j, str(squares[i, j])] for i, j in combinations(range(size), 2)]
    same = json.dumps(content["squared_distances"]) == json.dumps(written)  # 1, 1.0 and true differ
    _need(same, "has a wrong squared distance")
    neighbors = [_places(few, size) for few in _list(content["neighbors"])]
    _need(len(neighbors) == size, "lacks the neighbors of a point")
    for i, few in enumerate(neighbors):
        least = min(squares[i, j] for j in range(size) if j != i)
        nearest = [j for j in range(size) if j != i and squares[i, j] == least]
        right = (len(few) == 1 and few[0] in nearest) if one else few == nearest
        _need(right and not (unique and len(nearest) > 1), f"has wrong neighbors of point {i}")
    edges = {(min(i, j), max(i, j)) for i, few in enumerate(neighbors) for j in few}
    return Graph(size, squares, neighbors, edges)


def _reached(start: int, edges: Iterable[Pair]) -> set[int]:
    """Return the points that paths of these edges lead to."""
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
    """Show that a component is a tree which one edge in place of another turns into a lighter tree."""
    tree = _inside(graph, points)
    if not _is_component(graph, points) or len(tree) != len(points) - 1 or len(edges) != 2:
        return False
    new, old = edges
    if old not in tree or not set(new) <= set(points) or graph.squares[new] >= graph.squares[old]:
        return False
    return _reached(points[0], tree - {old} | {new}) == set(points)


def _none_inside(graph: Graph, points: list[int], edges: list[Pair]) -> bool:
    """Show a pair in a component that no path of edges as short joins: no spanning tree in the component is minimal."""
    return _is_component(graph, points) and _none_inside_union(graph, points, edges)


def _none_inside_union(graph: Graph, points: list[int], edges: list[Pair]) -> bool:
    """Show the same for a union of components, which satisfies the paper's conditions (i) to (iii)."""
    leaving = any((i in points) != (j in points) for i, j in graph.edges)
    if leaving or points != sorted(points) or len(edges) != 1 or not set(edges[0]) <= set(points):
        return False
    short = {edge for edge in _inside(graph, points) if graph.squares[edge] <= graph.squares[edges[0]]}
    return edges[0][1] not in _reached(edges[0][0], short)


def _one_outside(graph: Graph, points: list[int], edges: list[Pair]) -> bool:
    """Show a pair in a component, not an edge of it, that no path of shorter pairs joins: a minimal tree needs it."""
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


def _read(certificate: Mapping[str, Any] | str | os.PathLike[str]) -> dict[str, Any]:
    if isinstance(certificate, Mapping):
        return dict(certificate)
    try:
        content = json.loads(Path(certificate).read_text(encoding="utf-8"))
    except (OSError, TypeError, ValueError, RecursionError) as error:
        raise CertificateError(f"certificate cannot be read: {error}") from error
    _need(isinstance(content, dict), "is no JSON object")
    return dict(content)


def _digest(content: Mapping[str, Any]) -> str:
    body = {key: part for key, part in content.items() if key != "digest"}
    try:
        text = json.dumps(body, sort_keys=True, separators=(",", ":"))
    except (TypeError, ValueError, RecursionError) as error:
        raise CertificateError(f"certificate is no JSON: {error}") from error
    return hashlib.sha256(text.encode("ascii")).hexdigest()


def _need(condition: bool, complaint: str) -> None:
    if not condition:
        raise CertificateError(f"certificate {complaint}")


def _list(value: object) -> list[Any]:
    _need(isinstance(value, list), f"has {show(value)} where a list belongs")
    return list(value) if isinstance(value, list) else []


def _fraction(value: object) -> Fraction:
    # the pattern comes before the conversion: Fraction("1e100000") is a number of 100,000 digits
    match = _RATIONAL.fullmatch(value) if isinstance(value, str) and len(value) < 1000 else None
    number = Fraction(int(match[1]), int(match[2] or 1)) if match else None
    if number is None or str(number) != value:
        raise CertificateError(f"certificate has {show(value)} where a fraction p/q in lowest terms belongs")
    return number


def _places(value: object, size: int) -> list[int]:
    places = _list(value)
    right = all(type(place) is int and 0 <= place < size for place in places) and len(set(places)) == len(places)
    _need(right, f"has {show(value)} where different points from 0 to {size - 1} belong")
    return places


def _pair(value: object, size: int) -> Pair:
    places = _places(value, size)
    _need(len(places) == 2 and places[0] < places[1], f"has {show(value)} where a pair belongs, the smaller first")
    return places[0], places[1]
