"""Nearest-neighbor graphs and minimum spanning trees by definition, for a handful of points; nothing is shared.

`random_graph` alone is made by the library: it provides graphs for tests of something else.

Trees are compared by sums of powers of 10, one for each rank of a distance, so that on so few points a longer edge
outweighs all shorter ones. Which trees are minimal is the same for all weights that grow with the distance.
"""

from collections.abc import Iterable, Sequence
from fractions import Fraction
from itertools import combinations

import networkx as nx
import numpy as np

from fstheory.points.graphs import Edges, GraphKind, edges_of_rows, graph_of

Pairs = frozenset[tuple[int, int]]


def graph(size: int, edges: Iterable[tuple[int, int]]) -> "nx.Graph[int]":
    """Return the graph of networkx on 0, .., size - 1."""
    made: nx.Graph[int] = nx.empty_graph(size)
    made.add_edges_from(edges)
    return made


def neighbors(points: Sequence[Sequence[int]]) -> list[list[int]]:
    """Return all nearest neighbors of each point."""
    squares = [[sum((a - b) ** 2 for a, b in zip(one, other, strict=True)) for other in points] for one in points]
    others = [[j for j in range(len(points)) if j != i] for i in range(len(points))]
    return [[j for j in few if all(squares[i][j] <= squares[i][k] for k in few)] for i, few in enumerate(others)]


def minimal_trees(squares: Sequence[Sequence[int]], vertices: Sequence[int]) -> set[Pairs]:
    """Return all minimum spanning trees of some of the points: every set of n - 1 pairs is tried."""
    ranks = sorted({squares[i][j] for i, j in combinations(vertices, 2)})
    weight = {(i, j): 10 ** ranks.index(squares[i][j]) for i, j in combinations(vertices, 2)}
    trees = [
        frozenset(chosen)
        for chosen in combinations(weight, len(vertices) - 1)
        if nx.is_tree(graph(0, chosen)) and {i for pair in chosen for i in pair} == set(vertices)
    ]
    least = min((sum(weight[pair] for pair in tree) for tree in trees), default=0)
    return {tree for tree in trees if sum(weight[pair] for pair in tree) == least}


def gain(size: int, edges: Iterable[tuple[int, int]], labels: Sequence[object]) -> tuple[Fraction, Fraction]:
    """Return n.. and RCG, by Definitions 7 to 9 and equations 4 to 8 of the paper, the second line of equation 6."""
    listed = list(edges)
    near = [{i} | {a + b - i for a, b in listed if i in (a, b)} for i in range(size)]
    members = Fraction(sum(map(len, near)))

    def entropy(points: Iterable[int]) -> Fraction:
        found = [labels[i] for i in points]
        shares = [Fraction(found.count(label), len(found)) for label in set(found)]
        return sum((share * (1 - share) for share in shares), Fraction(0))

    total = sum((len(few) / members * entropy(few) for few in near), Fraction(0))
    whole = entropy(range(size))
    return members, (whole - total) / whole


def random_graph(kind: GraphKind, dimensions: int, size: int, rng: np.random.Generator) -> Edges:
    """Return the library's graph of random points in a cube; ties of distances are rare and go to the first pair."""
    places = rng.integers(0, 2**20, (size, dimensions))
    return edges_of_rows(graph_of(np.square(places[:, None] - places).sum(axis=-1), kind, "first"))
