"""The law of n.. RCG under permuted labels against the definitions, by all labelings one by one."""

import math
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import pairwise, product
from typing import cast

import networkx as nx
import numpy as np
import pytest
from networkx.generators.atlas import graph_atlas_g

import fstheory as fs
from fstheory.errors import TooLargeError
from fstheory.points.graphs import statistic
from fstheory.points.permutations import LabelPermutations, forest_mixtures, labelings_with_a_gain, signed_square
from tests.points.literal import gain

Graph = list[tuple[int, int]]
PATH = [(0, 1), (1, 2), (2, 3)]
NULL = LabelPermutations(4, PATH, (2, 2))


def literal(size: int, edges: Graph, labels: Sequence[object]) -> Fraction:
    """Return n.. RCG by its definition."""
    members, value = gain(size, edges, labels)
    return members * value


def check_laws(size: int, edges: Graph, classes: Sequence[int], engine: str = "") -> None:
    """Compare laws with all labelings, for ascending sizes of so many classes, none empty."""
    tallies: dict[tuple[int, ...], Counter[Fraction]] = defaultdict(Counter)
    for labels in product(range(max(classes)), repeat=size):
        counts = tuple(labels.count(label) for label in range(max(labels) + 1))
        if counts[0] and len(counts) in classes and list(counts) == sorted(counts):
            tallies[counts][literal(size, edges, labels)] += 1
    for counts, found in tallies.items():
        null = LabelPermutations(size, edges, counts)
        law = {value: Fraction(times, found.total()) for value, times in sorted(found.items())}
        assert engine in null.engine
        assert list(null.law.items()) == list(law.items())
        check_moments(null, law)


def check_moments(null: LabelPermutations[Fraction], law: dict[Fraction, Fraction]) -> None:
    mean = sum(value * probability for value, probability in law.items())
    assert null.mean == mean
    assert null.variance == sum(value**2 * probability for value, probability in law.items()) - mean**2


@pytest.mark.parametrize("size", [2, 3, 4, pytest.param(5, marks=pytest.mark.thorough)])
def test_laws_and_moments_on_all_small_graphs(size: int) -> None:
    graphs = [sorted(graph.edges) for graph in graph_atlas_g() if len(graph) == size]
    assert len(graphs) == {2: 2, 3: 4, 4: 11, 5: 34}[size]
    for edges in graphs:
        check_laws(size, edges, (2, 3))


@pytest.mark.parametrize("size", [6, 7, pytest.param(8, marks=pytest.mark.thorough)])
def test_laws_on_all_trees_and_a_forest_and_on_random_graphs(size: int) -> None:
    trees = [sorted(tree.edges) for tree in cast("Iterator[nx.Graph[int]]", nx.nonisomorphic_trees(size))]
    assert len(trees) == {6: 6, 7: 11, 8: 23}[size]
    for edges in (*trees, [(0, 1), (0, 2), (0, 3), (4, 5)]):
        check_laws(size, edges, (2,), "forest")
    if size == 6:
        for seed, share in enumerate((0.2, 0.5, 0.9)):
            check_laws(size, sorted(nx.gnp_random_graph(size, share, seed=seed).edges), (3,))


def test_long_trees_agree_with_their_moments() -> None:
    for tree in (nx.path_graph(50), nx.star_graph(30), nx.random_labeled_tree(30, seed=1)):
        null = LabelPermutations(len(tree), tree.edges, (len(tree) // 3, len(tree) - len(tree) // 3))
        assert sum(null.law.values()) == 1
        check_moments(null, dict(null.law))
        assert null.mean == len(tree) - 2  # of every spanning tree
    unit, counts = forest_mixtures(80, [(i, i + 1) for i in range(79)], 40)
    assert sum(counts) == math.comb(80, 40) > 2**63  # which one prime does not reach
    least = next(e for e, count in enumerate(counts) if count)
    assert (least * unit, counts[least]) == (Fraction(8, 3), 2)  # all ones at one end


def test_the_statistic() -> None:
    rng = np.random.default_rng(0)
    for size in (2, 5, 9):
        edges = sorted(nx.gnp_random_graph(size, 0.4, seed=size).edges)
        labels = [*"ab", *rng.choice(list("abc"), size - 2).tolist()]
        assert statistic(edges, labels) == literal(size, edges, labels)
        turned = [(b, a) for a, b in edges] + edges  # no directions, and nothing twice
        assert statistic(turned, np.array(labels)) == literal(size, edges, labels)


def test_tails() -> None:
    star = LabelPermutations(8, [(0, i) for i in range(1, 8)], (5, 3))
    root = fs.numbers.sqrt(2)
    for null in (NULL, star, LabelPermutations(6, [(0, 1), (1, 2), (0, 2)], (2, 2, 2))):
        law = dict(null.law)
        values = list(law)
        around = [values[0] - 1, *values, *((a + b) / 2 for a, b in pairwise(values))]
        for point in [*around, values[-1] + 1]:
            assert null.tail(point) == sum(p for value, p in law.items() if value >= point)
            assert null.tail(root + point) == sum(p for value, p in law.items() if value - point > root)
    assert (NULL.trials, NULL.drawn, NULL.p_value(4), NULL.at_least(4)) == (None, None, NULL.tail(4), 2)
    assert NULL.interval(4) == (1 / 3, 1 / 3)  # points: nothing is estimated


def test_z_sorts_exactly() -> None:
    large = LabelPermutations(300, nx.random_labeled_tree(300, seed=2).edges, (150, 150))
    assert large.z(large.mean) == 0
    assert large.z(large.mean + 200) ** 2 == 200**2 / large.variance
    assert large.z(10) < NULL.z("2/3") < 0 < NULL.z("14/3") < large.z(898)
    assert large.z(898) < large.z(898 + Fraction(1, 10**40))


def test_samples_cover_the_law() -> None:
    forest = LabelPermutations(24, nx.random_labeled_tree(24, seed=3).edges, (9, 15))
    cycle = LabelPermutations(9, nx.cycle_graph(9).edges, (3, 3, 3))
    for null in (forest, cycle):
        drawn = null.sample(4000, rng=1)
        assert (drawn.trials, drawn.engine) == (4000, "drawn")
        assert list(drawn.law) == sorted(drawn.law.keys() & null.law.keys())
        for value in list(null.law)[:: len(null.law) // 9]:
            low, high = drawn.interval(value, "999999/1000000")
            assert low <= null.tail(value) <= high
        assert drawn == null.sample(4000, rng=1) != null.sample(4000, rng=2)
    drawn = cycle.sample(4000, rng=1)
    hits = drawn.at_least(largest := max(drawn.law))
    assert (drawn.tail(largest), drawn.p_value(largest)) == (hits / 4000, (1 + hits) / 4001)
    assert (drawn.tail(largest + 1), drawn.p_value(largest + 1)) == (0, 1 / 4001)


@pytest.mark.parametrize(
    "degrees",
    [(12, 28, 30, 36, 40, 42, 46, 52, 58, 60), (16, 18, 22, 28, 30, 36, 40, 42, 46, 52, 58, 60)],
    ids=["64 bits", "more"],
)
def test_samples_stay_exact_where_64_bits_are_too_few(degrees: tuple[int, ...]) -> None:
    edges, start = [], 0
    for degree in degrees:  # neighborhoods of so many primes
        edges += [(start, start + i) for i in range(1, degree + 1)]
        start += degree + 1
    null = LabelPermutations(start, edges, (start - 200, 200))
    labels = np.random.default_rng(0).permutation(np.repeat([0, 1], null.counts))
    assert list(null._values(Counter(null._purities(labels[None])))) == [statistic(edges, labels)]
    assert null._kinds[3].dtype == object
    with pytest.raises(TooLargeError, match="sample"):
        _ = null.law


def test_the_largest_z_of_several_graphs_is_counted_as_by_its_definition() -> None:
    paths: list[Graph] = [[(0, 1), (1, 2), (2, 3), (3, 4), (4, 5)], [(0, 1), (0, 2), (0, 3), (0, 4), (0, 5)], [(1, 5)]]
    laws = [LabelPermutations(6, edges, (3, 3)) for edges in paths]
    drawn = np.random.default_rng(4).permuted(np.tile([0, 0, 0, 1, 1, 1], (200, 1)), axis=1).tolist()
    largest = [
        max(
            signed_square(statistic(edges, labels) - law.mean, law.variance)
            for edges, law in zip(paths, laws, strict=True)
        )
        for labels in drawn
    ]
    for evidence in (Fraction(-9), Fraction(0), *sorted(set(largest)), Fraction(99)):
        wanted = sum(found >= evidence for found in largest)
        assert labelings_with_a_gain(laws, evidence, 200, np.random.default_rng(4)) == wanted
