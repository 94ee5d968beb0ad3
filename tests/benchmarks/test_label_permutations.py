"""The exact law of n.. RCG on minimum spanning trees, beside a sample of it; the target for 80 points is 10 seconds."""

import networkx as nx
import numpy as np
import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from fstheory.points.graphs import Edges
from fstheory.points.permutations import LabelPermutations
from tests.benchmarks.rivals import record
from tests.points.literal import random_graph

GRAPHS: dict[str, tuple[int, Edges]] = {
    "80 in the plane": (80, random_graph("mst", 2, 80, np.random.default_rng(0))),
    "80 in five dimensions": (80, random_graph("mst", 5, 80, np.random.default_rng(0))),
    "150 in the plane": (150, random_graph("mst", 2, 150, np.random.default_rng(0))),
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
