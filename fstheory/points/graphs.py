"""Neighbor graphs of labeled points, and n.. RCG, the statistic of the test of relative certainty gain, on a graph."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Sequence
from fractions import Fraction
from itertools import combinations, product
from typing import Any, Literal, TypeAlias

import numpy as np
import numpy.typing as npt

from fstheory._support.exact import as_index
from fstheory._support.memory import require_cells
from fstheory.errors import (
    InvalidTypeError,
    InvalidValueError,
    Message,
    Named,
    TooLargeError,
    explain,
    require,
    require_type,
)
from fstheory.numbers.roots import RootSum
from fstheory.points.mixed import Matrix, Points
from fstheory.points.point_set import Squares

Neighbors: TypeAlias = "tuple[tuple[int, ...], ...]"
"""For each point, the places of its nearest neighbors, ascending."""

Edges: TypeAlias = "frozenset[tuple[int, int]]"
"""Edges of a simple graph without directions, the smaller place first."""


def nearest_neighbors(squares: Squares) -> Neighbors:
    """Return all nearest neighbors of each point among the other points, as places. A single point has none.

    `squares` is `PointSet.squares`, or any symmetric matrix that orders the pairs by distance.

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
    """Yield every choice of one nearest neighbor for each point, in lexicographic order."""
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


def adjacent(size: int, edges: Iterable[tuple[int, int]]) -> list[list[int]]:
    """Return, for each point, the points that an edge joins to it, ascending. Each edge has its smaller place first."""
    found: list[list[int]] = [[] for _ in range(size)]
    for one, other in sorted(edges):
        found[one].append(other)
        found[other].append(one)
    return found


def components(size: int, edges: Iterable[tuple[int, int]]) -> tuple[tuple[int, ...], ...]:
    """Return the connected components, each ascending, in the order of their first points."""
    name = _names(size, edges)
    return tuple(
        tuple(place for place in range(size) if name[place] == root) for root in range(size) if name[root] == root
    )


def joined(size: int, edges: Iterable[tuple[int, int]], one: int, other: int) -> bool:
    """Return whether a path of these edges joins two points."""
    name = _names(size, edges)
    return name[one] == name[other]


def within(edges: Edges, vertices: Iterable[int]) -> Edges:
    """Return the edges that run between these points."""
    inside = frozenset(vertices)
    return frozenset(edge for edge in edges if inside.issuperset(edge))


def find_cycle(size: int, edges: Iterable[tuple[int, int]]) -> tuple[int, ...] | None:
    """Return a shortest cycle, or None in a forest.

    A cycle begins at its least point. Of several shortest ones, the lexicographically first is returned.
    """
    beside = adjacent(size, edges)
    paths: list[tuple[int, ...]] = [(start,) for start in range(size)]
    while paths:  # all paths of one length that begin at their least point, in lexicographic order
        closed = [path for path in paths if len(path) > 2 and path[0] in beside[path[-1]]]
        if closed:
            return closed[0]
        paths = [(*path, new) for path in paths for new in beside[path[-1]] if new > path[0] and new not in path]
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
    """Yield every minimum spanning tree of the points, or of the points in `vertices`. There may be n**(n - 2).

    Complexity: Kruskal's algorithm, with a branch wherever it can take one of several edges of the same length.

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
    """Return a pair of edges (in, out) whose exchange makes a tree shorter, or None if the tree is minimal.

    Of several pairs, the lexicographically first one is returned.
    """
    points = sorted({place for edge in tree for place in edge})
    for new in combinations(points, 2):
        for old in sorted(tree):
            if squares[new[0]][new[1]] < squares[old[0]][old[1]] and not joined(len(squares), tree - {old}, *new):
                return new, old
    return None


def missing_from_all(squares: Squares, edges: Edges, vertices: Iterable[int] | None = None) -> tuple[int, int] | None:
    """Return a pair of points that proves that a graph contains no minimum spanning tree, or None if it contains one.

    The points are all points, or those in `vertices`, and the graph must have no other points. It contains a minimum
    spanning tree if and only if it joins every pair of points by a path whose edges are no longer than the pair.
    """
    for one, other in combinations(_chosen(squares, vertices), 2):
        short = [edge for edge in edges if squares[edge[0]][edge[1]] <= squares[one][other]]
        if not joined(len(squares), short, one, other):
            return one, other
    return None


def missing_from_some(squares: Squares, edges: Edges, vertices: Iterable[int] | None = None) -> tuple[int, int] | None:
    """Return an edge of a minimum spanning tree that a graph does not contain, or None if it contains all such edges.

    An edge is in some minimum spanning tree if and only if no path of shorter edges joins its ends.
    """
    pairs = list(combinations(_chosen(squares, vertices), 2))
    for one, other in pairs:
        shorter = [pair for pair in pairs if squares[pair[0]][pair[1]] < squares[one][other]]
        if (one, other) not in edges and not joined(len(squares), shorter, one, other):
            return one, other
    return None


def _chosen(squares: Squares, vertices: Iterable[int] | None) -> list[int]:
    return sorted(set(range(len(squares)) if vertices is None else vertices))


GraphKind: TypeAlias = Literal["mst", "1nn"]
GraphTies: TypeAlias = Literal["refuse", "first", "all"]
_BYTES, _BYTES_OF_INTEGERS = 24, 100  # for each pair, in machine words and in Python integers
_MOST = 2 * 10**5  # points of a graph: all pairs of as many take minutes
_BLOCK = 2**15  # cells of the rows that are computed together
_WHOLE = 2**24  # cells of a matrix that is computed as a whole


class Distances:
    """The squared distances of points in some features, to be read like a matrix. Only rows that are read are computed.

    `before` is a matrix that is added: the squared distances in other features.
    """

    def __init__(self, points: Points, features: Sequence[str], before: Matrix | None = None) -> None:
        self._points, self._features, self._before = points, features, before
        self._row: list[Matrix | None] = [None, None]  # the memory of the last row is used again

    def __len__(self) -> int:
        return len(self._points)

    def __getitem__(self, rows: int | slice) -> Matrix:
        """Return some rows, or a row that is valid until the next one is read."""
        found, more = [None, None] if isinstance(rows, slice) else self._row
        for place, name in enumerate(self._features):
            if place == 0:
                found = self._points._differences(name, rows, found)
            else:
                more = self._points._differences(name, rows, more)
                found += more
        if self._before is not None:
            found += self._before[rows]
        if not isinstance(rows, slice):
            self._row = [found, more]
        assert found is not None
        return found

    def require_memory(self) -> None:
        """Refuse points whose distances do not fit in memory: the matrix, another one, and rows of it."""
        each = _BYTES if self[0].dtype != object else _BYTES_OF_INTEGERS
        require_cells((len(self),) * 2, "the distances of all pairs of points", "take fewer points", each)


def edges_of_rows(pairs: npt.NDArray[np.int64]) -> Edges:
    """Return edges that are the rows of an array, the smaller place first in each, as a set."""
    return frozenset((int(one), int(other)) for one, other in pairs)


def graph_of(squares: Matrix | Distances, graph: GraphKind, ties: GraphTies) -> npt.NDArray[np.int64]:
    """Return the edges of a graph of points, of shape (edges, 2), the smaller place first in each."""
    require(len(squares) <= _MOST, "points", f"at most {_MOST:,}", len(squares), "take fewer points", TooLargeError)
    if len(squares) ** 2 <= _WHOLE:
        squares = squares[:]
    if ties == "refuse":
        _refuse_coincident(squares)
    if graph == "1nn":
        return _nearest(squares, ties)
    require(ties != "all", "ties", "refuse or first for a spanning tree", ties, "or pass graph='1nn'")
    tree, tied = _spanning_tree(squares)
    if ties == "refuse" and tied:
        other, _ = _spanning_tree(squares, reverse=True)
        if not np.array_equal(tree, other):
            one_has, other_has = (set(map(tuple, edges.tolist())) for edges in (tree, other))
            found = f"one with and one without {min(one_has - other_has)}"
            places = " to order pairs at equal distances by the places of their points"
            repair = Message("pass ", Named("ties", "first"), places)
            raise InvalidValueError(explain("points", "such that there is one minimum spanning tree", found, repair))
    return tree


def _blocks(squares: Matrix | Distances) -> Iterator[tuple[int, Matrix]]:
    """Yield blocks of rows, each with the place of its first point."""
    size = len(squares)
    step = 1 + _BLOCK // size
    yield from ((start, squares[start : start + step]) for start in range(0, size, step))


def _refuse_coincident(squares: Matrix | Distances) -> None:
    for start, block in _blocks(squares):
        if np.count_nonzero(block == 0) > len(block):
            one, other = np.argwhere(np.triu(block == 0, start + 1))[0].tolist()
            repair, found = Message("merge them, or pass ", Named("ties", "first")), f"{start + one} and {other}"
            raise InvalidValueError(explain("points", "all different", f"coincident points {found}", repair))


def _spanning_tree(squares: Matrix | Distances, *, reverse: bool = False) -> tuple[npt.NDArray[np.int64], bool]:
    """Return a minimum spanning tree by Prim's algorithm, and whether ties were decided by the order of the pairs."""
    # Pairs at equal distances are ordered by their places, so that there is one tree. If there is another minimum
    # spanning tree, the reverse order gives another one, too: of tied pairs in a cycle, the two orders drop different
    # pairs. The first `left` entries of the arrays are the points outside the tree: each with the nearest point in it.
    size, tied, sign, pairs = len(squares), False, -1 if reverse else 1, []
    outside = np.arange(1, size)
    nearest, order, source = squares[0][1:].copy(), sign * outside, np.zeros(size - 1, dtype=np.int64)
    for left in range(size - 2, -1, -1):
        free = np.flatnonzero(nearest == nearest.min())
        at = free[order[free].argmin()]
        new = int(outside[at])
        pairs.append(sorted((int(source[at]), new)))
        for array in (outside, nearest, order, source):
            array[at] = array[left]  # the last point takes its place
        outside, nearest, order, source = outside[:left], nearest[:left], order[:left], source[:left]
        row = squares[new][outside]
        same = np.flatnonzero(row == nearest)
        tied = tied or len(free) > 1 or len(same) > 0
        for some in (np.flatnonzero(row < nearest), same):
            rank = sign * (np.minimum(outside[some], new) * size + np.maximum(outside[some], new))
            closer = (row[some] < nearest[some]) | (rank < order[some])
            some = some[closer]
            nearest[some], order[some], source[some] = row[some], rank[closer], new
    return np.array(sorted(pairs), dtype=np.int64).reshape(-1, 2), tied


def _nearest(squares: Matrix | Distances, ties: GraphTies) -> npt.NDArray[np.int64]:
    """Return the edges from points to their nearest neighbors, opposite ones merged."""
    size, pairs = len(squares), [np.empty((0, 2), dtype=np.int64)]
    if size < 2:
        return pairs[0]
    for start, block in _blocks(squares):
        rows = np.arange(len(block))
        own = rows, start + rows
        apart = block.copy()
        apart[own] = apart[rows, (start + rows + 1) % size]  # so that it is the least of no row
        near = apart == apart.min(axis=1, keepdims=True)
        near[own] = False
        if ties == "refuse" and (several := np.flatnonzero(near.sum(axis=1) > 1)).size:
            needed = f"such that point {start + int(several[0])} has one nearest neighbor"
            repair = Message("pass ", Named("ties", "first"), " or ", Named("ties", "all"), " to say which count")
            tied = np.flatnonzero(near[several[0]]).tolist()
            raise InvalidValueError(explain("points", needed, tied, repair))
        # Of several, the first in one order of all points, which leaves no cycle (SN-L1d)
        found = np.argwhere(near) if ties == "all" else np.column_stack([rows, near.argmax(axis=1)])
        pairs.append(np.sort(found + np.array([start, 0]), axis=1))
    return np.unique(np.concatenate(pairs), axis=0)


def statistic(edges: Iterable[tuple[int, int]], labels: Sequence[Hashable] | npt.NDArray[Any]) -> Fraction:
    """Return n.. RCG, the statistic of the test of relative certainty gain, of labeled points on a graph.

    It is at most n.., the sum of the sizes of all neighborhoods. It equals n.. if and only if no edge joins two
    classes. Source: Sebban and Nock (2002), equations (5) to (8), with the total uncertainty of the second line of (6).
    """
    table, counts = _class_table(edges, labels)
    squares, sizes = np.square(table).sum(axis=1), table.sum(axis=1)
    sums = np.zeros(int(sizes.max()) + 1, dtype=np.int64)
    np.add.at(sums, sizes, squares)
    purity = sum((Fraction(int(sums[q]), int(q)) for q in np.flatnonzero(sums)), Fraction(0))
    return certainty(int(sizes.sum()), purity, uncertainty(counts))


def schapire_singer(edges: Iterable[tuple[int, int]], labels: Sequence[Hashable]) -> RootSum:
    """Return Z of labeled points on a graph: equation (14) in the place of the quadratic entropy in equation (6)."""
    table, _ = _class_table(edges, labels)
    sizes = table.sum(axis=1, keepdims=True)
    radicands = Counter((table * (sizes - table)).ravel().tolist())
    return RootSum((Fraction(times, int(sizes.sum())), radicand) for radicand, times in radicands.items())


def _class_table(
    edges: Iterable[tuple[int, int]], labels: Sequence[Hashable] | npt.NDArray[Any]
) -> tuple[npt.NDArray[np.int64], tuple[int, ...]]:
    """Return the number of points of each class in each neighborhood, a row for each, and among all points."""
    listed = labels.tolist() if isinstance(labels, np.ndarray) else list(labels)
    known = all(label == label for label in listed)  # a number, not NaN
    require(known, "labels", "classes", math.nan, "leave these points out")
    codes = {label: code for code, label in enumerate(dict.fromkeys(listed))}
    size, classes = len(listed), len(codes)
    counts = class_counts(size, Counter(listed).values())
    pairs = distinct_edges(size, edges)
    place = np.array([codes[label] for label in listed], dtype=np.int64)
    cells = np.concatenate([np.arange(size), *pairs.T]) * classes + np.concatenate([place, *place[pairs[:, ::-1]].T])
    return np.bincount(cells, minlength=size * classes).reshape(size, classes), counts


def certainty(total: int, purity: Fraction, uncertain: Fraction) -> Fraction:
    """Return n.. RCG from n.., the sum of all n_ij**2 / n_i and U_0."""
    return total - (total - purity) / uncertain


def uncertainty(counts: Sequence[int]) -> Fraction:
    """Return U_0, the quadratic entropy of classes of these sizes."""
    return 1 - Fraction(sum(count * count for count in counts), sum(counts) ** 2)


def distinct_edges(size: int, edges: Iterable[tuple[int, int]]) -> npt.NDArray[np.int64]:
    """Return the distinct edges as rows, the smaller place first. Raise an error if an edge is not a pair of points."""
    try:
        listed = list(edges)
        rows = np.array(listed or np.empty((0, 2), dtype=np.int64))
    except (TypeError, ValueError):
        rows = np.empty(0)
    if rows.ndim != 2 or rows.shape[1] != 2 or rows.dtype.kind not in "iu":
        raise InvalidTypeError(explain("edges", "pairs of places", edges, "pass [(0, 1), (1, 2)], say"))
    rows = np.sort(rows.astype(np.int64), axis=1)
    wrong = (rows[:, 0] < 0) | (rows[:, 1] >= size) | (rows[:, 0] == rows[:, 1])
    if wrong.any():
        edge = tuple(rows[wrong][0].tolist())
        raise InvalidValueError(explain("edges", f"pairs of different places below {size}", edge, "leave it out"))
    keys = np.unique(rows[:, 0] * size + rows[:, 1])
    return np.stack(np.divmod(keys, size), axis=1) if len(keys) else rows


def neighborhood_sizes(size: int, pairs: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """Return the size of the neighborhood of each point: the point itself and all points that an edge joins to it."""
    return 1 + np.bincount(pairs.ravel(), minlength=size)


def class_counts(size: int, counts: Iterable[int]) -> tuple[int, ...]:
    """Return the sizes of the classes as a tuple. Raise an error unless there are two classes with the right sum."""
    require_type(counts, Iterable, "counts", "the numbers of points of the classes", "pass (10, 20), say")
    checked = tuple(as_index(count, "counts", at_least=1) for count in counts)
    repair = "the gain is undefined where all points are of one class: leave this data out"
    require(len(checked) > 1, "labels", "of at least two classes", checked, repair)
    require(sum(checked) == size, "counts", f"of sum {size}, the number of points", checked, "count again")
    return checked


def all_labelings(counts: Sequence[int]) -> npt.NDArray[np.int16]:
    """Return every labeling with these numbers of the labels 0, 1, .... Each labeling is a row of the array."""
    labels = np.empty((1, 0), dtype=np.int16)
    left = np.array([counts])
    for _ in range(sum(counts)):
        rows, codes = np.nonzero(left)
        labels = np.column_stack([labels[rows], codes.astype(np.int16)])
        left = left[rows]
        left[np.arange(len(rows)), codes] -= 1
    return labels
