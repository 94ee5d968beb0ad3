"""The statements of Section 5 of Sebban and Nock about point sets, as printed and corrected, ready to be checked.

Each is a search: a function that takes the squared distances and, for each point, those of its nearest neighbors that
count (all of them, or one), and returns what contradicts the statement, or None.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations, permutations
from types import MappingProxyType
from typing import Any, TypeAlias

from fstheory._support.exact import exact_text
from fstheory._support.result import Result
from fstheory.errors import InvalidValueError, explain
from fstheory.points import graphs
from fstheory.points.graphs import Edges, Neighbors
from fstheory.points.point_set import PointSet, Squares

FORMAT = "fstheory certificate on points"
UNIQUE = "unique_neighbor"
"""The assumption of Lemmas 1 and 2: every point has exactly one nearest neighbor."""


def tied_point(squares: Squares) -> int | None:
    """Return the first point that has not exactly one nearest neighbor; None if the assumption `UNIQUE` holds.

    Examples
    --------
    >>> tied_point(PointSet([[0], [1], [2]]).squares), tied_point(PointSet([[0], [1]]).squares)
    (1, None)
    """
    return next((place for place, others in enumerate(graphs.nearest_neighbors(squares)) if len(others) != 1), None)


def _common(squares: Squares) -> Iterator[Neighbors]:
    """Yield the choices in which every point takes the first of its nearest neighbors in one order of all points."""
    nearest = graphs.nearest_neighbors(squares)
    orders = permutations(range(len(squares)))
    yield from sorted({tuple((min(few, key=order.index),) for few in nearest) for order in orders})


_TIES: Mapping[str, Callable[[Squares], Iterator[Neighbors]]] = {
    "all": lambda squares: iter([graphs.nearest_neighbors(squares)]),
    "any": lambda squares: graphs.chosen_neighbors(graphs.nearest_neighbors(squares)),
    "common": _common,
}


@dataclass(frozen=True, slots=True)
class Violation(Result):
    """What contradicts a statement about the graph of nearest neighbors.

    Attributes
    ----------
    kind : str
        What it is, in a word: "cycle", "circuit", "lighter", "not connected", "none inside", "one outside", ...
    neighbors : tuple of tuple of int
        The nearest neighbors that count for each point.
    points : tuple of int
        The points it is about: a cycle in order, a component, a pair.
    edges : tuple of pairs of int
        The edges it is about; which, the kind says.

    Examples
    --------
    >>> cycle([[0, 1, 1], [1, 0, 1], [1, 1, 0]], ((1,), (2,), (0,))).points
    (0, 1, 2)
    """

    kind: str
    neighbors: Neighbors
    points: tuple[int, ...]
    edges: tuple[tuple[int, int], ...] = ()


Search: TypeAlias = Callable[[Squares, Neighbors], Violation | None]


@dataclass(frozen=True, slots=True, repr=False)
class Lemma(Result):
    """A statement about the graph of nearest neighbors of every finite point set.

    Attributes
    ----------
    id : str
        Its id in the ledger.
    search : callable
        The search for a violation.
    ties : {'all', 'any', 'common'}
        Which nearest neighbors count where a point has several: all of them; any one of them, chosen for each point
        freely; the first in one order of all points, the same for every point (takes n! steps). The statement is
        about each such choice.
    unique : bool
        Whether it assumes that every point has exactly one nearest neighbor.

    Examples
    --------
    >>> LEMMAS["SN-L1"].violation(PointSet([[0], [1], [3]]).squares)
    >>> LEMMAS["SN-L1"].without_unique().violation(PointSet([[0], [0], [0]]).squares).points
    (0, 1, 2)
    """

    id: str
    search: Search
    ties: str = "all"
    unique: bool = False

    def applies(self, squares: Squares) -> bool:
        """Tell whether the point set satisfies what the statement assumes; a point alone has no nearest neighbor."""
        return len(squares) > 1 and not (self.unique and tied_point(squares) is not None)

    def violation(self, squares: Squares) -> Violation | None:
        """Return what contradicts the statement at a point set; None if it holds there or says nothing."""
        if not self.applies(squares):
            return None
        found = (self.search(squares, neighbors) for neighbors in _TIES[self.ties](squares))
        return next((violation for violation in found if violation is not None), None)

    def without_unique(self) -> Lemma:
        """Return the statement without its assumption.

        Raises
        ------
        InvalidValueError
            It assumes nothing.
        """
        if not self.unique:
            raise InvalidValueError(explain("lemma", f"one that assumes {UNIQUE}", self.id, "take it as it is"))
        return Lemma(self.id, self.search, self.ties)

    def certificate(self, points: PointSet) -> dict[str, Any]:
        """Return the content of the certificate that a point set refutes the statement, for `Certificate`.

        Raises
        ------
        InvalidValueError
            It does not.

        Examples
        --------
        >>> content = LEMMAS["SN-L1a"].certificate(PointSet([[0], [1]]))
        >>> content["violated"]
        {'kind': 'circuit', 'points': [0, 1], 'edges': []}
        """
        violation = self.violation(points.squares)
        if violation is None:
            raise InvalidValueError(explain("points", f"a counterexample to {self.id}", points, "search for one"))
        pairs = combinations(range(len(points)), 2)
        return {
            "format": FORMAT,
            "version": 1,
            "kind": "refuted",
            "claim": self.id,
            "assume": [UNIQUE] if self.unique else [],
            "points": [[exact_text(value) for value in point] for point in points.points],
            "labels": list(points.labels),
            "squared_distances": [[*pair, exact_text(points.squared_distance(*pair))] for pair in pairs],
            "neighbors": [list(few) for few in violation.neighbors],
            "violated": {
                "kind": violation.kind,
                "points": list(violation.points),
                "edges": [list(edge) for edge in violation.edges],
            },
        }


def cycle(squares: Squares, neighbors: Neighbors) -> Violation | None:
    """Find a cycle; Lemma 1 says that G* has none."""
    found = graphs.find_cycle(len(squares), graphs.neighbor_graph(neighbors))
    return None if found is None else Violation("cycle", neighbors, found)


def mutual_pair(squares: Squares, neighbors: Neighbors) -> Violation | None:
    """Find a circuit of G although G* has no cycle; the proof of Lemma 1 says that there is none."""
    if graphs.find_cycle(len(squares), graphs.neighbor_graph(neighbors)) is None:
        for one, other in combinations(range(len(squares)), 2):
            if other in neighbors[one] and one in neighbors[other]:
                return Violation("circuit", neighbors, (one, other))
    return None


def no_single_circuit(squares: Squares, neighbors: Neighbors) -> Violation | None:
    """Find a component whose only circuit is not its closest pair: Lemma 1, its proof mended.

    Where each point has one neighbor, a component has exactly one circuit: follow the neighbors until one comes again.
    So the component is right if and only if it has one circuit of two points, and no pair of it is closer.
    """
    for part, _ in _parts(squares, neighbors):
        pairs = list(combinations(part, 2))
        circuits = [(one, other) for one, other in pairs if other in neighbors[one] and one in neighbors[other]]
        if len(circuits) != 1 or any(
            squares[one][other] < squares[circuits[0][0]][circuits[0][1]] for one, other in pairs
        ):
            return Violation("circuits", neighbors, part)
    return None


def not_a_minimal_tree(squares: Squares, neighbors: Neighbors) -> Violation | None:
    """Find a component that is a tree, but no minimum spanning tree of its points; Lemma 2 says that there is none."""
    for part, edges in _parts(squares, neighbors):
        if len(edges) == len(part) - 1 and (change := graphs.exchange(squares, edges)) is not None:
            return Violation("lighter", neighbors, part, change)
    return None


def not_the_only_tree(squares: Squares, neighbors: Neighbors) -> Violation | None:
    """Find an edge of G* that some minimum spanning tree lacks, or a component that has two: Lemma 2, sharpened."""
    every = list(combinations(range(len(squares)), 2))
    for one, other in sorted(graphs.neighbor_graph(neighbors)):
        rest = [pair for pair in every if pair != (one, other) and squares[pair[0]][pair[1]] <= squares[one][other]]
        if graphs.joined(len(squares), rest, one, other):
            return Violation("avoidable", neighbors, (one, other))
    return not_a_minimal_tree(squares, neighbors) or tree_outside(squares, neighbors)


def shorter_exchange(squares: Squares, neighbors: Neighbors) -> Violation | None:
    """Find why G* is no minimum spanning tree of all points; the heading of Section 5.1 calls them equivalent."""
    graph = graphs.neighbor_graph(neighbors)
    for one, other in combinations(range(len(squares)), 2):
        if not graphs.joined(len(squares), graph, one, other):
            return Violation("not connected", neighbors, (one, other))
    change = graphs.exchange(squares, graph)
    return None if change is None else Violation("lighter", neighbors, tuple(range(len(squares))), change)


def no_tree_inside(squares: Squares, neighbors: Neighbors) -> Violation | None:
    """Find a component without any minimum spanning tree of its points: Lemma 3, read as mildly as its words allow."""
    return _misses("none inside", graphs.missing_from_all, squares, neighbors, _parts(squares, neighbors))


def no_tree_inside_union(squares: Squares, neighbors: Neighbors) -> Violation | None:
    """Find such a component in the paper's sense: conditions (i) to (iii) admit every union of connected components."""
    return _misses("none inside a union", graphs.missing_from_all, squares, neighbors, _unions(squares, neighbors))


def tree_outside(squares: Squares, neighbors: Neighbors) -> Violation | None:
    """Find a component that misses an edge of some minimum spanning tree of its points: Lemma 3 for every such tree."""
    return _misses("one outside", graphs.missing_from_some, squares, neighbors, _parts(squares, neighbors))


def tree_outside_spanned(squares: Squares, neighbors: Neighbors) -> Violation | None:
    """Find the same among the components that one neighbor for each point suffices to connect: Lemma 3, corrected."""
    spanned = {part for choice in graphs.chosen_neighbors(neighbors) for part, _ in _parts(squares, choice)}
    parts = (part for part in _parts(squares, neighbors) if part[0] in spanned)
    return _misses("one outside", graphs.missing_from_some, squares, neighbors, parts)


def tree_outside_small(squares: Squares, neighbors: Neighbors) -> Violation | None:
    """Find the same among the components of at most four points or on a line: Lemma 3, corrected in another way."""
    parts = (part for part in _parts(squares, neighbors) if len(part[0]) <= 4 or _on_a_line(squares, part[0]))
    return _misses("one outside", graphs.missing_from_some, squares, neighbors, parts)


def wrong_count_of_neighborhoods(squares: Squares, neighbors: Neighbors) -> Violation | None:
    """Find whether the neighborhoods in G* do not add up to n.. = 3n - 2, as Definition 9 has it for the tree."""
    size = len(squares)
    total = size + 2 * len(graphs.neighbor_graph(neighbors))
    return None if total == 3 * size - 2 else Violation("sum", neighbors, tuple(range(size)))


def other_neighborhoods(squares: Squares, neighbors: Neighbors) -> Violation | None:
    """Find whether the neighborhoods in G* do not add up to 3n - 2c for c components, with c at most n/2: corrected."""
    size, graph = len(squares), graphs.neighbor_graph(neighbors)
    parts = len(graphs.components(size, graph))
    right = size + 2 * len(graph) == 3 * size - 2 * parts and 2 * parts <= size
    return None if right else Violation("sum", neighbors, tuple(range(size)))


Part = tuple[tuple[int, ...], Edges]


def _parts(squares: Squares, neighbors: Neighbors) -> Iterator[Part]:
    graph = graphs.neighbor_graph(neighbors)
    for part in graphs.components(len(squares), graph):
        yield part, graphs.within(graph, part)


def _unions(squares: Squares, neighbors: Neighbors) -> Iterator[Part]:
    graph = graphs.neighbor_graph(neighbors)
    parts = graphs.components(len(squares), graph)
    for number in range(1, len(parts) + 1):
        for chosen in combinations(parts, number):
            union = tuple(sorted(sum(chosen, ())))
            yield union, graphs.within(graph, union)


def _on_a_line(squares: Squares, part: tuple[int, ...]) -> bool:
    """Tell whether the points lie on a line: no three of them have an area, by Heron's formula."""
    for i, j, k in combinations(part, 3):
        a, b, c = squares[i][j], squares[j][k], squares[k][i]
        if 2 * (a * b + b * c + c * a) != a * a + b * b + c * c:
            return False
    return True


def _misses(
    kind: str,
    missing: Callable[..., tuple[int, int] | None],
    squares: Squares,
    neighbors: Neighbors,
    parts: Iterator[Part],
) -> Violation | None:
    found = ((part, missing(squares, edges, part)) for part, edges in parts)
    return next((Violation(kind, neighbors, part, (edge,)) for part, edge in found if edge is not None), None)


_TABLE = (
    Lemma("SN-L1", cycle, unique=True),
    Lemma("SN-L1a", mutual_pair, unique=True),
    Lemma("SN-L1b", no_single_circuit, unique=True),
    Lemma("SN-L1c", cycle, ties="any"),
    Lemma("SN-L1d", cycle, ties="common"),
    Lemma("SN-L2", not_a_minimal_tree, unique=True),
    Lemma("SN-L2a", not_the_only_tree, unique=True),
    Lemma("SN-L2b", not_a_minimal_tree, ties="any"),
    Lemma("SN-L3", no_tree_inside_union),
    Lemma("SN-L3a", no_tree_inside),
    Lemma("SN-L3b", tree_outside, ties="any"),
    Lemma("SN-L3c", no_tree_inside, ties="any"),
    Lemma("SN-L3d", tree_outside_spanned),
    Lemma("SN-L3e", tree_outside_small),
    Lemma("SN-5", shorter_exchange, unique=True),
    Lemma("SN-5n", wrong_count_of_neighborhoods, unique=True),
    Lemma("SN-5m", other_neighborhoods, unique=True),
)

LEMMAS: Mapping[str, Lemma] = MappingProxyType({lemma.id: lemma for lemma in _TABLE})
"""The statements by their ids in the ledger, whose entries say in words what each one says."""
