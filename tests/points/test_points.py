"""Point sets, their nearest neighbors and their minimum spanning trees, against definitions and against networkx."""

import pickle
from fractions import Fraction
from itertools import chain, combinations, product

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, strategies as st
from scipy.sparse import csgraph

from fstheory.points import graphs
from fstheory.points.point_set import PointSet
from tests.points.grids import distance_orders, grid_point_sets, smallest_point_set
from tests.points.literal import graph, minimal_trees, neighbors


@st.composite
def small_points(draw: st.DrawFn, largest: int = 5) -> list[list[int]]:
    """Draw two to five points on a small grid, so that ties and coincident points are common."""
    dimension = draw(st.integers(1, 3))
    point = st.lists(st.integers(0, draw(st.integers(0, 3))), min_size=dimension, max_size=dimension)
    return draw(st.lists(point, min_size=2, max_size=largest))


@given(st.lists(st.lists(st.fractions(max_denominator=20), min_size=2, max_size=2), min_size=1, max_size=5))
def test_squares_are_the_squared_distances_times_one_number(rows: list[list[Fraction]]) -> None:
    points = PointSet(rows)
    pairs = list(product(range(len(points)), repeat=2))
    exact = {(i, j): (rows[i][0] - rows[j][0]) ** 2 + (rows[i][1] - rows[j][1]) ** 2 for i, j in pairs}
    assert all(points.squared_distance(i, j) == exact[i, j] for i, j in pairs)
    assert len({points.squares[i][j] / exact[i, j] for i, j in pairs if exact[i, j]}) <= 1
    assert all(points.squares[i][j] == 0 for i, j in pairs if not exact[i, j])


@given(small_points())
def test_a_point_set_is_a_value(rows: list[list[int]]) -> None:
    points = PointSet(rows, range(len(rows)))
    assert eval(repr(points), {"PointSet": PointSet}) == points == pickle.loads(pickle.dumps(points))
    assert hash(points) == hash(PointSet(rows, range(len(rows))))
    assert points != PointSet(rows, range(1, len(rows) + 1))


@pytest.mark.quick
@given(small_points())
def test_nearest_neighbors_by_definition(rows: list[list[int]]) -> None:
    found = graphs.nearest_neighbors(PointSet(rows).squares)
    assert [list(few) for few in found] == neighbors(rows)
    choices = list(graphs.chosen_neighbors(found))
    assert sorted(set(choices)) == choices
    assert {tuple(few[0] for few in choice) for choice in choices} == set(product(*found))


@pytest.mark.parametrize(
    ("size", "dimension", "values"), [(6, 1, 12), (9, 2, 4), (12, 3, 3), (30, 2, 9), (30, 5, 1000)]
)
def test_graphs_agree_with_scikit_learn_and_scipy(size: int, dimension: int, values: int) -> None:
    """The points are different, because SciPy takes a distance of 0 for no edge. Floats hold these squares exactly."""
    sklearn = pytest.importorskip("sklearn.neighbors")
    rows = np.unique(np.random.default_rng(size).integers(0, values, (size, dimension)), axis=0)
    squares = PointSet(rows.tolist()).squares
    found = graphs.nearest_neighbors(squares)
    peer = sklearn.NearestNeighbors(metric="sqeuclidean", algorithm="brute").fit(rows)
    distances, places = peer.kneighbors(n_neighbors=len(rows) - 1)
    assert found == tuple(tuple(sorted(at[apart == apart[0]])) for apart, at in zip(distances, places, strict=True))
    arcs = [[int(j in few) for j in range(len(rows))] for few in found]
    names = csgraph.connected_components(np.array(arcs), directed=False)[1].tolist()
    parts = graphs.components(len(squares), graphs.neighbor_graph(found))
    assert set(parts) == {tuple(i for i, name in enumerate(names) if name == one) for one in names}
    tree = next(graphs.minimum_spanning_trees(squares))
    theirs = csgraph.minimum_spanning_tree(peer.kneighbors_graph(n_neighbors=len(rows) - 1, mode="distance"))
    assert sorted(squares[i][j] for i, j in tree) == sorted(theirs.data)
    assert graphs.exchange(squares, tree) is None


@given(st.integers(1, 6), st.data())
def test_components_and_cycles_agree_with_networkx(size: int, data: st.DataObject) -> None:
    pairs = list(combinations(range(size), 2))
    edges = frozenset(data.draw(st.sets(st.sampled_from(pairs))) if pairs else ())
    peer = graph(size, edges)
    assert set(map(frozenset, graphs.components(size, edges))) == set(map(frozenset, nx.connected_components(peer)))
    cycle = graphs.find_cycle(size, edges)
    assert (cycle is None) == nx.is_forest(peer)
    if cycle is not None:
        assert len(cycle) == nx.girth(peer) == len(set(cycle))
        assert all(peer.has_edge(i, j) for i, j in zip(cycle, cycle[1:] + cycle[:1], strict=True))


@given(small_points())
def test_all_minimum_spanning_trees(rows: list[list[int]]) -> None:
    squares = PointSet(rows).squares
    listed = list(graphs.minimum_spanning_trees(squares))
    assert len(listed) == len(set(listed))
    assert set(listed) == minimal_trees(squares, range(len(rows)))


@given(small_points(), st.data())
def test_what_a_graph_holds_of_the_trees(rows: list[list[int]], data: st.DataObject) -> None:
    """Whatever the graph and the points: held to be missing exactly if the trees by definition say so."""
    squares = PointSet(rows).squares
    vertices = sorted(data.draw(st.sets(st.sampled_from(range(len(rows))), min_size=1)))
    pairs = list(combinations(vertices, 2))
    edges = frozenset(data.draw(st.sets(st.sampled_from(pairs))) if pairs else ())
    trees = minimal_trees(squares, vertices) if pairs else {frozenset()}
    assert (graphs.missing_from_all(squares, edges, vertices) is None) == any(tree <= edges for tree in trees)
    missing = graphs.missing_from_some(squares, edges, vertices)
    assert (missing is None) == all(tree <= edges for tree in trees)
    if missing is not None:
        assert missing not in edges
        assert any(missing in tree for tree in trees)
    if edges and nx.is_tree(graph(0, edges)):
        covered = sorted(set(chain.from_iterable(edges)))
        change = graphs.exchange(squares, edges)
        assert (change is None) == (edges in minimal_trees(squares, covered))
        if change is not None:
            assert nx.is_tree(graph(0, edges - {change[1]} | {change[0]}))


def test_the_grid_has_every_set_once_and_a_search_ends_without_an_answer() -> None:
    for distinct in (False, True):
        listed = [points for bound in range(3) for points in grid_point_sets(3, 2, bound, distinct=distinct)]
        assert len(set(listed)) == len(listed) == (84 if distinct else 165)  # of 9 places
    assert smallest_point_set(lambda squares: False, points=4, dimensions=2, largest=2) is None


def test_there_are_fubini_many_orders() -> None:
    """One for a single point; every order is symmetric, and no two are alike."""
    for size, count in ((1, 1), (2, 1), (3, 13), (4, 4683)):
        listed = [tuple(map(tuple, matrix)) for matrix in distance_orders(size)]
        assert all(matrix[i][j] == matrix[j][i] for matrix in listed for i, j in combinations(range(size), 2))
        assert len(set(listed)) == len(listed) == count
