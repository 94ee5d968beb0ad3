"""What can be wrong with a graph of nearest neighbors: each lemma of Section 5 as a search for its violation.

Every function takes the squared distances and, for each point, those of its nearest neighbors that count: all of
them, or one. It returns what contradicts the lemma, or None.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations

from fstheory._display import Shown
from fstheory.points.graphs import (
    Edges,
    Neighbors,
    chosen_neighbors,
    components,
    exchange,
    find_cycle,
    joined,
    missing_from_all,
    missing_from_some,
    neighbor_graph,
    within,
)
from fstheory.points.point_set import Squares

__all__ = [
    "Violation", "cycle", "mutual_pair", "no_single_circuit", "no_tree_inside", "no_tree_inside_union",
    "not_a_minimal_tree", "not_the_only_tree", "other_neighborhoods", "shorter_exchange", "tree_outside",
    "tree_outside_small", "tree_outside_spanned", "wrong_count_of_neighborhoods",
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class Violation(Shown):
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


def cycle(squares: Squares, neighbors: Neighbors) -> Violation | None:
    """Find a cycle; Lemma 1 says that G* has none."""
    found = find_cycle(len(squares), neighbor_graph(neighbors))
    return None if found is None else Violation("cycle", neighbors, found)


def mutual_pair(squares: Squares, neighbors: Neighbors) -> Violation | None:
    """Find a circuit of G although G* has no cycle; the proof of Lemma 1 says that there is none."""
    if find_cycle(len(squares), neighbor_graph(neighbors)) is None:
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
        if len(edges) == len(part) - 1 and (change := exchange(squares, edges)) is not None:
            return Violation("lighter", neighbors, part, change)
    return None


def not_the_only_tree(squares: Squares, neighbors: Neighbors) -> Violation | None:
    """Find an edge of G* that some minimum spanning tree lacks, or a component that has two: Lemma 2, sharpened."""
    every = list(combinations(range(len(squares)), 2))
    for one, other in sorted(neighbor_graph(neighbors)):
        rest = [pair for pair in every if pair != (one, other) and squares[pair[0]][pair[1]] <= squares[one][other]]
        if joined(len(squares), rest, one, other):
            return Violation("avoidable", neighbors, (one, other))
    return not_a_minimal_tree(squares, neighbors) or tree_outside(squares, neighbors)


def shorter_exchange(squares: Squares, neighbors: Neighbors) -> Violation | None:
    """Find why G* is no minimum spanning tree of all points; the heading of Section 5.1 calls them equivalent."""
    graph = neighbor_graph(neighbors)
    for one, other in combinations(range(len(squares)), 2):
        if not joined(len(squares), graph, one, other):
            return Violation("not connected", neighbors, (one, other))
    change = exchange(squares, graph)
    return None if change is None else Violation("lighter", neighbors, tuple(range(len(squares))), change)


def no_tree_inside(squares: Squares, neighbors: Neighbors) -> Violation | None:
    """Find a component without any minimum spanning tree of its points: Lemma 3, read as mildly as its words allow."""
    return _none_inside("none inside", squares, neighbors, _parts(squares, neighbors))


def no_tree_inside_union(squares: Squares, neighbors: Neighbors) -> Violation | None:
    """Find such a component in the paper's sense: conditions (i) to (iii) admit every union of connected components."""
    return _none_inside("none inside a union", squares, neighbors, _unions(squares, neighbors))


def tree_outside(squares: Squares, neighbors: Neighbors) -> Violation | None:
    """Find a component that misses an edge of some minimum spanning tree of its points: Lemma 3 for every such tree."""
    return _one_outside(squares, neighbors, _parts(squares, neighbors))


def tree_outside_spanned(squares: Squares, neighbors: Neighbors) -> Violation | None:
    """Find the same among the components that one neighbor for each point suffices to connect: Lemma 3, corrected."""
    spanned = {part for choice in chosen_neighbors(neighbors) for part, _ in _parts(squares, choice)}
    return _one_outside(squares, neighbors, (part for part in _parts(squares, neighbors) if part[0] in spanned))


def tree_outside_small(squares: Squares, neighbors: Neighbors) -> Violation | None:
    """Find the same among the components of at most four points or on a line: Lemma 3, corrected in another way."""
    parts = (part for part in _parts(squares, neighbors) if len(part[0]) <= 4 or _on_a_line(squares, part[0]))
    return _one_outside(squares, neighbors, parts)


def wrong_count_of_neighborhoods(squares: Squares, neighbors: Neighbors) -> Violation | None:
    """Find whether the neighborhoods in G* do not add up to n.. = 3n - 2, as Definition 9 has it for the tree."""
    size = len(squares)
    total = size + 2 * len(neighbor_graph(neighbors))
    return None if total == 3 * size - 2 else Violation("sum", neighbors, tuple(range(size)))


def other_neighborhoods(squares: Squares, neighbors: Neighbors) -> Violation | None:
    """Find whether the neighborhoods in G* do not add up to 3n - 2c for c components, with c at most n/2: corrected."""
    size, graph = len(squares), neighbor_graph(neighbors)
    parts = len(components(size, graph))
    right = size + 2 * len(graph) == 3 * size - 2 * parts and 2 * parts <= size
    return None if right else Violation("sum", neighbors, tuple(range(size)))


Part = tuple[tuple[int, ...], Edges]


def _parts(squares: Squares, neighbors: Neighbors) -> Iterator[Part]:
    graph = neighbor_graph(neighbors)
    for part in components(len(squares), graph):
        yield part, within(graph, part)


def _unions(squares: Squares, neighbors: Neighbors) -> Iterator[Part]:
    graph = neighbor_graph(neighbors)
    parts = components(len(squares), graph)
    for number in range(1, len(parts) + 1):
        for chosen in combinations(parts, number):
            union = tuple(sorted(sum(chosen, ())))
            yield union, within(graph, union)


def _on_a_line(squares: Squares, part: tuple[int, ...]) -> bool:
    """Tell whether the points lie on a line: no three of them have an area, by Heron's formula."""
    for i, j, k in combinations(part, 3):
        a, b, c = squares[i][j], squares[j][k], squares[k][i]
        if 2 * (a * b + b * c + c * a) != a * a + b * b + c * c:
            return False
    return True


def _none_inside(kind: str, squares: Squares, neighbors: Neighbors, parts: Iterator[Part]) -> Violation | None:
    for part, edges in parts:
        if (edge := missing_from_all(squares, edges, part)) is not None:
            return Violation(kind, neighbors, part, (edge,))
    return None


def _one_outside(squares: Squares, neighbors: Neighbors, parts: Iterator[Part]) -> Violation | None:
    for part, edges in parts:
        if (edge := missing_from_some(squares, edges, part)) is not None:
            return Violation("one outside", neighbors, part, (edge,))
    return None
