"""The exact law of n.. RCG on minimum spanning trees, beside a sample of it; the target for 80 points is 10 seconds."""

import networkx as nx
import numpy as np
import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from fstheory.points.graphs import Edges, statistic
from fstheory.points.permutations import LabelPermutations
from fstheory.points.significance import _random_graph
from tests.benchmarks.rivals import record

GRAPHS: dict[str, tuple[int, Edges]] = {
    "80 in the plane": (80, _random_graph("mst", 2, 80, np.random.default_rng(0))),
    "80 in five dimensions": (80, _random_graph("mst", 5, 80, np.random.default_rng(0))),
    "150 in the plane": (150, _random_graph("mst", 2, 150, np.random.default_rng(0))),
    "star of 100": (100, frozenset(nx.star_graph(99).edges)),
    "path of 200": (200, frozenset(nx.path_graph(200).edges)),
}


@pytest.mark.parametrize("name", GRAPHS)
def test_a_law_on_a_tree(name: str, benchmark: BenchmarkFixture) -> None:
    size, edges = GRAPHS[name]
    counts = (size // 2, size - size // 2)
    law = benchmark.pedantic(lambda: LabelPermutations(size, edges, counts).law, rounds=3)
    assert sum(law.values()) == 1
    benchmark.extra_info["target in seconds"] = 10
    null = LabelPermutations(size, edges, counts)
    record(benchmark, "over 10,000 labelings drawn", lambda: null.sample(10_000, rng=0))


def test_statistics_and_moments_for_a_walk(benchmark: BenchmarkFixture) -> None:
    """Of 300 points, as a forward selection asks for 10,000 times."""
    edges = _random_graph("mst", 5, 300, np.random.default_rng(0))
    labels = np.random.default_rng(1).integers(0, 3, 300).tolist()
    null = LabelPermutations(300, edges, (100, 100, 100))
    benchmark(statistic, edges, labels)
    record(benchmark, "over the variance", lambda: LabelPermutations(null.size, null.edges, null.counts).variance)
