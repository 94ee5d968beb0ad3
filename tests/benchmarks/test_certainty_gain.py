"""Forward selection by the relative certainty gain, and one graph, beside the minimum spanning trees of networkx.

What matters is decided by three features of many; with benchmarks disabled the points are few.
"""

import networkx as nx
import numpy as np
import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from fstheory.points.certainty import relative_certainty_gain, select_by_certainty_gain
from fstheory.points.graphs import Distances
from fstheory.points.mixed import MixedPoints
from tests.benchmarks.rivals import record


def drawn(size: int, features: int, *, exact: bool = False) -> MixedPoints:
    """Draw points of normal features with one decimal, of which the first three decide the class."""
    x = np.random.default_rng(0).normal(size=(size, features)).round(1)
    labels = [int(label) for label in x[:, :3].sum(axis=1) > 0]
    rows = [[f"{value:.1f}" for value in row] for row in x.tolist()] if exact else x
    return MixedPoints(rows, labels, exact=exact)


def tree_of_networkx(points: MixedPoints) -> float:
    """Return the length of the tree that networkx finds, its graph made from the matrix of distances."""
    squares = Distances(points, points.features)[:]
    tree = nx.minimum_spanning_tree(nx.from_numpy_array(np.asarray(squares, dtype=float)))
    return float(tree.size(weight="weight"))


@pytest.mark.parametrize(("features", "exact"), [(100, False), (20, True)], ids=["floats", "exact"])
def test_forward_selection(features: int, exact: bool, benchmark: BenchmarkFixture) -> None:
    """300 points; networkx makes one tree, scaled to as many as were looked at."""
    size = 300 if benchmark.enabled else 60
    points = drawn(size, features if benchmark.enabled else 8, exact=exact)
    found = benchmark.pedantic(select_by_certainty_gain, (points,), {"ties": "first"}, rounds=1)
    assert set(found.features) & {"X1", "X2", "X3"}
    benchmark.extra_info["target in seconds"] = 30
    looked_at = sum(len(step.rivals) for step in found.trace)
    one = MixedPoints(drawn(size, 1).squared_differences("X1")[:, :1], points.labels)
    record(benchmark, "over networkx's trees alone", lambda: tree_of_networkx(one), scale=1 / looked_at, rounds=1)


def test_one_graph(benchmark: BenchmarkFixture) -> None:
    """1,000 points of 10 features, from the distances to the value and its z."""
    points = drawn(1000 if benchmark.enabled else 60, 10)
    gain = benchmark.pedantic(relative_certainty_gain, (points,), {"ties": "first"}, rounds=3)
    assert gain.z > 0
    squares = Distances(points, points.features)[:]
    length = sum((float(squares[pair]) for pair in gain.edges), 0.0)
    assert length == pytest.approx(tree_of_networkx(points))
    record(benchmark, "over networkx's tree alone", lambda: tree_of_networkx(points), rounds=1)
