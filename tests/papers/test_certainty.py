"""The entries of Sebban and Nock on the total uncertainty and the test: refuted by exact laws, or true in families."""

import math
from collections import Counter
from collections.abc import Iterable, Iterator
from fractions import Fraction as F
from itertools import chain, permutations, product
from statistics import NormalDist
from typing import Literal

import networkx as nx
import pytest
from scipy import stats

from fstheory.numbers.roots import sqrt
from fstheory.papers.ledger import claims
from fstheory.points.certainty import relative_certainty_gain, select_by_certainty_gain
from fstheory.points.graphs import statistic
from fstheory.points.mixed import MixedPoints
from fstheory.points.permutations import LabelPermutations
from fstheory.points.point_set import PointSet
from fstheory.points.significance import printed_z, rejection_threshold, true_size, true_sizes

Edges = list[tuple[int, int]]
GRAPHS: tuple[Literal["mst"], Literal["1nn"]] = ("mst", "1nn")


def path(size: int) -> Edges:
    return [(i, i + 1) for i in range(size - 1)]


def star(size: int) -> Edges:
    return [(0, i) for i in range(1, size)]


def local(size: int, edges: Iterable[tuple[int, int]], labels: Iterable[int]) -> list[tuple[int, F]]:
    """Return of each point the size of its neighborhood and the quadratic entropy there."""
    listed, pairs = list(labels), set(edges)
    near = [[listed[j] for j in range(size) if i == j or (i, j) in pairs or (j, i) in pairs] for i in range(size)]
    return [(len(few), 1 - sum((F(few.count(y), len(few)) ** 2 for y in set(few)), F(0))) for few in near]


SMALL = [(len(graph), list(graph.edges)) for graph in nx.graph_atlas_g() if 2 <= len(graph) <= 4]
"""Every graph of 2 to 4 points, up to isomorphism."""


def partitions(size: int, most: int) -> Iterator[tuple[int, ...]]:
    """Yield the ways to write a number as a sum, the largest part first."""
    if not size:
        yield ()
    for part in range(min(size, most), 0, -1):
        yield from ((part, *rest) for rest in partitions(size - part, part))


def test_the_two_lines_of_the_total_uncertainty() -> None:
    """SN-U, SN-Uc: by the definitions, on all labelings of small graphs."""
    both = local(2, [(0, 1)], [0, 1])
    assert (sum(u for _, u in both), sum(F(q, 4) * u for q, u in both)) == (1, F(1, 2))
    count = 0
    for n, edges in SMALL:
        for labels in product(range(n), repeat=n):
            if any(label > max(labels[:i], default=-1) + 1 for i, label in enumerate(labels)):
                continue  # the same up to the names of the classes
            found = local(n, edges, labels)
            total = sum(q for q, _ in found)
            same = sum(u for _, u in found) == sum(F(q, total) * u for q, u in found)
            assert same is all(labels[a] == labels[b] for a, b in edges)
            count += 1
    assert count == claims["SN-Uc"].evidence[1].count


def test_moments_against_all_labelings() -> None:
    """SN-0c: mean and variance, by the definition."""
    count = 0
    for n, edges in SMALL:
        for sizes in partitions(n, n - 1):
            labels = [j for j, size in enumerate(sizes) for _ in range(size)]
            values = [statistic(edges, order) for order in set(permutations(labels))]
            mean = sum(values) / F(len(values))
            law = LabelPermutations(n, edges, sizes)
            assert (law.mean, law.variance) == (mean, sum((v - mean) ** 2 for v in values) / F(len(values)))
            assert law.mean == F(n * n - n - 2 * len(edges), n - 1)
            count += 1
    assert count == claims["SN-0c"].evidence[1].count


def test_printed_moments() -> None:
    """SN-0, SN-0a: the numbers of the ledger."""
    for edges, sizes, mean, variance in (
        (path(2), (1, 1), 0, 0),
        (path(3), (2, 1), 1, F(9, 8)),
        (path(30), (10, 10, 10), 28, F(18295, 609)),
        ([(0, 1), (2, 3)], (2, 2), F(8, 3), F(128, 9)),
        (path(4), (2, 2), 2, F(32, 9)),
    ):
        law = LabelPermutations(sum(sizes), edges, sizes)
        assert (law.mean, law.variance) == (mean, variance)
    for points in (PointSet([[0], [1], [5], [7]], "aabb"), PointSet([[0], [2], [3], [5], [8], [14]], "aababb")):
        null = relative_certainty_gain(points, "1nn").null
        n, trees = null.size, null.size - len(null.edges)
        assert null.mean == F(n * n - 3 * n + 2 * trees, n - 1)


def test_laws_that_are_no_printed_law() -> None:
    """SN-0x, SN-0n."""
    assert dict(LabelPermutations(2, path(2), (1, 1)).law) == {0: 1}
    assert all(stats.chi2.sf(3 * n - 2, 4 * (n - 1)) > 0.5 for n in range(5, 200))
    assert set(LabelPermutations(32, star(32), (16, 16)).law) == {30}
    assert len(LabelPermutations(32, star(32), (10, 22)).law) == 2
    origin = PointSet([[0] * 5, *([int(i == j) for j in range(5)] for i in range(5))], "aaabbb")
    assert relative_certainty_gain(origin).edges == frozenset(star(6))


def test_sizes_of_the_printed_test() -> None:
    """SN-0s: exact where they are said to be, and not 0 by rounding where they are estimated."""
    assert [true_size(LabelPermutations(n, star(n), (1, n - 1))).size for n in (26, 27)] == [0, F(26, 27)]
    three = LabelPermutations(80, path(80), (27, 27, 26))
    gap = F(187) - three.mean
    assert rejection_threshold(three) > 187
    assert three.variance / (three.variance + gap**2) < F(1, 100)
    assert true_size(three.sample(10_000, rng=0)).size == 0


@pytest.mark.thorough
def test_sizes_on_random_points() -> None:
    found = true_sizes(dimensions=[2], tests=["printed"])
    means = [[round(found.mean(graph, 2, n, 2), 3) for n in (20, 40, 80)] for graph in GRAPHS]
    assert means == [[0.046, 0.052, 0.052], [0.055, 0.053, 0.051]]
    several = [size.size for key, drawn in found.sizes.items() if key[3] > 2 for sizes in drawn for size in sizes]
    assert len(several) == 36
    assert not any(several)


def test_three_classes() -> None:
    """SN-0k: the bounds are reached."""
    assert "in a tree of 8 points or more" in claims["SN-0k"].latex
    for size in (3, 8):
        first = (0, size, 2 * size)  # the first points of three paths of one class each, joined
        spider = [(0, size), (0, 2 * size), *((i, i + 1) for i in range(3 * size - 1) if i + 1 not in first)]
        value = statistic(spider, [i // size for i in range(3 * size)])
        assert value == 3 * (3 * size) - F(39, 4)
        assert (value > rejection_threshold(LabelPermutations(3 * size, spider, (size,) * 3))) is (size == 8)
    assert statistic(path(7), (1, 1, 1, 0, 2, 2, 2)) == F(512, 45) > 3 * 7 - F(39, 4)
    trees = [(i, i + 1) for i in range(17) if i % 6 != 5]
    assert statistic(trees, [i // 6 for i in range(18)]) > rejection_threshold(LabelPermutations(18, trees, (6, 6, 6)))


def test_four_classes() -> None:
    """SN-0k: every labeling of every forest of up to six points is below the printed mean."""
    for graph in (graph for graph in nx.graph_atlas_g() if 4 <= len(graph) <= 6 and nx.is_forest(graph)):
        for sizes in partitions(len(graph), len(graph)):
            if len(sizes) >= 4:
                law = LabelPermutations(len(graph), list(graph.edges), sizes)
                assert max(law.law) < 3 * len(graph) - 4


def test_a_strong_signal_with_a_negative_z() -> None:
    """SN-0k, remark."""
    labels = [i // 3 % 3 for i in range(80)]
    law = LabelPermutations(80, path(80), tuple(Counter(labels).values()))
    value = statistic(path(80), labels)
    assert law.z(value) > 6
    assert printed_z(value, 80, 3) < -1


def test_categories_of_one_point_each() -> None:
    """SN-0h: whatever the labels, and with two points there is one graph only."""
    for graph in GRAPHS:
        n = 7 if graph == "mst" else 4
        names, labelings = [[f"v{i}"] for i in range(n)], set(permutations("a" * (n // 2) + "b" * (n - n // 2)))
        points = [MixedPoints(names, labels, exact=True) for labels in labelings]
        gains = [relative_certainty_gain(few, graph, ties="first") for few in points]
        values = {gain.statistic for gain in gains}
        law = LabelPermutations(n, gains[0].edges, (n // 2, n - n // 2))
        assert min(values) > rejection_threshold(law)
        if n == 4:
            assert values == {8}
            assert law.tail(8) == F(1, 3)


def test_two_orders_of_subsets() -> None:
    """SN-0o: n.. RCG and RCG; on four points or fewer they agree in all forests without isolated points."""
    data = [(0, 0), (2, 3), (8, 5), (3, 2), (5, 6)]
    found = [relative_certainty_gain(PointSet([[row[j]] for row in data], "aaabc"), "1nn") for j in range(2)]
    assert [(gain.statistic, gain.members, gain.value) for gain in found] == [
        (F(71, 42), 13, F(71, 546)),
        (F(31, 21), 11, F(31, 231)),
    ]
    assert found[0].printed_z > found[1].printed_z
    for n in range(2, 5):
        rows = []
        for edges in (edges for size, edges in SMALL if size == n == len({*chain(*edges)})):
            if nx.is_forest(nx.Graph(edges)):
                for sizes in partitions(n, n - 1):
                    law = LabelPermutations(n, edges, sizes).law
                    rows += [(sizes, value, value / (n + 2 * len(edges))) for value in law]
        assert not any(a[0] == b[0] and a[1] > b[1] and a[2] < b[2] for a in rows for b in rows)


def test_noise_is_selected() -> None:
    """SN-0r, SN-0q."""
    points = PointSet([[0], [1]], "ab")
    assert select_by_certainty_gain(points, null="printed").features == ("X1",)
    assert round(NormalDist().cdf(1 / math.sqrt(2)), 2) == 0.76
    assert printed_z(0, 2, 2) == -sqrt("1/2")
