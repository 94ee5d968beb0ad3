"""The entries of Sebban and Nock: what they call false is refuted, and what they count is counted again."""

import math
from collections import Counter
from collections.abc import Iterable, Iterator
from fractions import Fraction as F
from itertools import chain, combinations, pairwise, permutations, product
from statistics import NormalDist
from typing import Any

import networkx as nx
import numpy as np
import pytest
from flint import fmpz_mat
from scipy import stats

from fstheory.checker.points import UNIQUE
from fstheory.logic.ledger import claims
from fstheory.numbers.roots import sqrt
from fstheory.papers import sebban_nock_2002
from fstheory.papers.sebban_nock_2002 import TABLE_1, TABLE_2, TABLE_3, sign_tests
from fstheory.points.certainty import relative_certainty_gain, select_by_certainty_gain
from fstheory.points.graphs import (
    GraphKind,
    joined,
    minimum_spanning_trees,
    nearest_neighbors,
    neighbor_graph,
    statistic,
)
from fstheory.points.mixed import MixedPoints
from fstheory.points.permutations import LabelPermutations
from fstheory.points.point_set import PointSet
from fstheory.points.significance import printed_z, rejects, true_size
from tests.points.check_claims import FAMILIES, survey
from tests.points.counterexamples import FALSE, NEEDY, certificates, kept
from tests.points.literal import random_graph

# -- the total uncertainty and the test, by exact laws, or true in families


Edges = list[tuple[int, int]]
GRAPHS: tuple[GraphKind, GraphKind] = ("mst", "1nn")


def path(size: int) -> Edges:
    return list(pairwise(range(size)))


def star(size: int) -> Edges:
    return list(nx.star_graph(size - 1).edges)


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


def test_moments_over_all_labelings() -> None:
    """SN-0c: mean and variance, by the definition."""
    cases = [(n, edges, sizes) for n, edges in SMALL for sizes in partitions(n, n - 1)]
    for n, edges, sizes in cases:
        labels = [j for j, size in enumerate(sizes) for _ in range(size)]
        values = [statistic(edges, order) for order in set(permutations(labels))]
        law, mean = LabelPermutations(n, edges, sizes), sum(values) / F(len(values))
        assert law.mean == mean == F(n * n - n - 2 * len(edges), n - 1)
        assert law.variance == sum((value - mean) ** 2 for value in values) / F(len(values))
    assert len(cases) == claims["SN-0c"].evidence[1].count


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
    assert not rejects(three, 187)
    assert three.variance / (three.variance + gap**2) < F(1, 100)
    assert true_size(three.sample(10_000, rng=0)).size == 0


@pytest.mark.thorough
def test_sizes_on_random_points() -> None:
    rng, means = np.random.default_rng(0), []
    for graph, n in product(GRAPHS, (20, 40, 80)):
        drawn = [random_graph(graph, 2, n, rng) for _ in range(3)]
        laws = {
            k: [LabelPermutations(n, edges, [n // k + (j < n % k) for j in range(k)]) for edges in drawn]
            for k in (2, 3, 5)
        }
        means.append(round(float(sum(true_size(law).size for law in laws[2]) / 3), 3))
        assert not any(true_size(law.sample(10_000, rng=rng)).size for k in (3, 5) for law in laws[k])
    assert means == [0.046, 0.052, 0.052, 0.055, 0.053, 0.051]


def test_three_classes() -> None:
    """SN-0k: the bounds are reached."""
    assert "in a tree of 8 points or more" in claims["SN-0k"].latex
    for size in (3, 8):
        first = (0, size, 2 * size)  # the first points of three paths of one class each, joined
        spider = [(0, size), (0, 2 * size), *((i, i + 1) for i in range(3 * size - 1) if i + 1 not in first)]
        value = statistic(spider, [i // size for i in range(3 * size)])
        assert value == 3 * (3 * size) - F(39, 4)
        assert rejects(LabelPermutations(3 * size, spider, (size,) * 3), value) is (size == 8)
    assert statistic(path(7), (1, 1, 1, 0, 2, 2, 2)) == F(512, 45) > 3 * 7 - F(39, 4)
    trees = [(i, i + 1) for i in range(17) if i % 6 != 5]
    assert rejects(LabelPermutations(18, trees, (6, 6, 6)), statistic(trees, [i // 6 for i in range(18)]))


@pytest.mark.parametrize("n", [7, 8, 9, pytest.param(10, marks=pytest.mark.thorough)])
def test_three_classes_in_every_tree(n: int) -> None:
    """SN-0k: T / U_0 is at least 31/4 for all labels in all trees of more than seven points, reached at nine."""
    labels = np.array([each for each in product(range(3), repeat=n) if len(set(each)) == 3])
    classes = [(labels == k).astype(int) for k in range(3)]
    varied = n**2 - sum(ones.sum(axis=1) ** 2 for ones in classes)  # n**2 U_0
    excess = set()
    trees: Any = nx.nonisomorphic_trees(n)
    for tree in trees:
        near = nx.to_numpy_array(tree).astype(int) + np.eye(n, dtype=int)
        sizes = near.sum(axis=0)
        scale = math.lcm(*sizes.tolist())
        mixed = scale * (3 * n - 2) - sum((ones @ near) ** 2 @ (scale // sizes) for ones in classes)  # scale T
        excess |= set(np.sign(4 * n**2 * mixed - 31 * scale * varied).tolist())
    assert excess == {7: {-1, 1}, 9: {0, 1}}.get(n, {1})


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
        assert rejects(law, min(values))
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


# -- the lemmas, the criteria, the distances


ENTRIES = [claims[key] for key in sebban_nock_2002.LEMMAS]
TRUE = sorted(set(sebban_nock_2002.LEMMAS) - set(FALSE))


@pytest.mark.thorough
def test_the_orders_of_few_distances_give_the_counts_of_the_ledger() -> None:
    counts = survey(FAMILIES["orders of the distances of 2 to 4 points"]())
    assert {name: counts[name]["fails"] for name in TRUE} == dict.fromkeys(TRUE, 0)
    for entry in ENTRIES:
        if entry.status == "true":
            assert counts[entry.id]["applies"] == entry.evidence[0].count
    assert [counts[name]["fails"] for name in ("SN-L1c", "SN-L3", "SN-L3a", "SN-L3b")] == [105, 675, 0, 1128]
    assert counts["SN-L1a"]["fails"] == counts["SN-L1a"]["applies"] == 2362  # never true


@pytest.mark.thorough
def test_counterexamples_are_those_of_the_ledger() -> None:
    """Each file of the ledger is what the search finds again, and no file is left over."""
    assert {entry.id for entry in ENTRIES if entry.status == "false"} == set(FALSE)
    assert {entry.id for entry in ENTRIES if entry.needs} == set(NEEDY)
    named = {e.certificate: e for entry in ENTRIES for e in (*entry.evidence, *entry.needs.values()) if e.certificate}
    assert named.keys() | {f"SN-L1-without-{UNIQUE}-distinct.json"} == certificates().keys()
    assert kept() == certificates()


def test_differences_of_categories() -> None:
    """SN-V."""
    rows = [[name] for name in "aabbccdd"]
    points = MixedPoints(rows, "xxxyyyxy", categories="squared vdm", exact=True)
    assert [points.squared_distance(*pair) for pair in ((0, 4), (0, 2), (2, 4), (2, 6))] == [4, F(1, 4), F(1, 4), 0]
    unknown = MixedPoints([["5"], [None], [None]], "xyx", missing="one", numbers="none", exact=True)
    assert unknown.squared_distance(0, 1) == unknown.squared_distance(1, 2) == 1


def test_the_simplex_and_the_criterion_z() -> None:
    """SN-Es, SN-Z, SN-Zc: on all shares in sixths Z is largest in the middle, and 0 at the corners only."""
    for k in (2, 3):
        shares = [few for few in product(range(7), repeat=k) if sum(few) == 6]
        values = {few: sum((sqrt(F(part * (6 - part), 36)) for part in few), sqrt(0)) for few in shares}
        assert max(values.values()) == values[(6 // k,) * k] == sqrt(k - 1)
        assert sum(value == sqrt(k - 1) for value in values.values()) == 1
        assert {few for few, value in values.items() if value == 0} == {few for few in shares if 6 in few}
        assert (values[(6 // k,) * k] > 1, k * sqrt(F(1, 4)) > 1) == (k > 2, k > 2)
        assert fmpz_mat([[part - (i == 0) * 6 for i, part in enumerate(few)] for few in shares]).rank() == k - 1


def test_neighborhoods_and_voters() -> None:
    """SN-5f, SN-5g: on every small set of a line, and the eleven points of the ledger."""
    eleven = tuple(2**i for i in range(11))
    for places in (eleven, *(places for size in range(2, 6) for places in combinations(range(9), size))):
        squares = PointSet([[place] for place in places]).squares
        if sebban_nock_2002.tied_point(squares) is None:
            n, nearest = len(places), nearest_neighbors(squares)
            edges = neighbor_graph(nearest)
            beside = [{a + b - i for a, b in edges if i in (a, b)} for i in range(n)]
            assert (beside == list(map(set, nearest))) is (n + 2 * len(edges) == 2 * n)
            assert min(map(len, beside)) == 1
            assert places != (0, 1, 3) or (nearest[1], beside[1]) == ((0,), {0, 2})
            assert places != eleven or max(map(len, beside)) == 2


def test_distances_that_have_to_be_looked_at() -> None:
    """SN-Qa, SN-Qc: a pair at 1 or 4 among others at 2. SN-Qs, SN-Qt: pairs in order. SN-Qn, SN-Qm: lists."""
    for n, near in product((3, 4, 5), (1, 16)):
        squares = [[near if {i, j} == {0, 1} else 4 * (i != j) for j in range(n)] for i in range(n)]
        assert {(0, 1) in tree for tree in minimum_spanning_trees(squares)} == {near < 4}
        assert [1 in nearest_neighbors(squares)[0], nearest_neighbors(squares)[0] == (1,)] == [near < 4] * 2
    for n in (2, 3, 4):
        needed = {
            next(read for read in range(len(order) + 1) if all(joined(n, order[:read], 0, i) for i in range(n)))
            for order in permutations(list(combinations(range(n), 2)))
        }
        assert max(needed) == 1 + (n - 1) * (n - 2) // 2
    grid = nearest_neighbors(PointSet(list(product(range(3), repeat=2))).squares)
    assert (len(neighbor_graph(grid)), sum(map(len, grid))) == (12, 24)
    equal = nearest_neighbors([[int(i != j) for j in range(5)] for i in range(5)])
    assert sum(map(len, equal)) == 5 * 4


# -- what the text says of the tables, number by number


RCG, ALL, ACCURACY = ([row[j] for row in TABLE_2.values()] for j in (2, 3, 4))


def test_what_is_computed_again() -> None:
    numbers = sebban_nock_2002.recomputed()
    assert all((claims[number.entry].status == "true") is number.agrees for number in numbers)
    assert {number.entry: number.right for number in numbers} == {
        "SN-T1j": "8 of 10",
        "SN-T1": "5.469%, two-sided 10.94%",
        "SN-T2": "64.5%; 78.1% of all together",
        "SN-T3": "4, 3, 2",
        "SN-T4": "10, 8, 5",
        "SN-T4j": "10 of 23",
        "SN-T4m": "+1.49",
        "SN-T4p": "0.151; 0.202 if ties are halved",
        "SN-T5": "17 of 23",
        "SN-T5m": "+2.81; +4.36 where it is better",
        "SN-T5p": "0.0085; 0.0053 if the tie is a win",
        "SN-T6": "0.105",
        "SN-T7": "11 of 15",
        "SN-T8": "3 against 1, sign test 0.31",
    }


def test_the_tables_are_those_of_the_paper() -> None:
    """Sums of their columns, and what one row has to be."""
    assert [sum(column) for column in zip(*TABLE_1.values(), strict=True)] == [256, F("751.9"), 56, F("788.7")]
    points, *sums = [sum(column) for column in zip(*TABLE_2.values(), strict=True)][1:]
    assert (points, *sums) == (12_771, F("1771.6"), F("1707.0"), F("1737.4"))
    assert [sum(column) for column in zip(*TABLE_3.values(), strict=True)] == [F("1123.8"), F(1121)]
    assert TABLE_1["White House"][2] == 1
    assert all(row[0] == TABLE_2[name][2] for name, row in TABLE_3.items())
    # SN-T9, and of SN-T7 where Z is better
    common = sorted(TABLE_1.keys() & TABLE_2.keys())
    assert [name for name, (rcg, z) in TABLE_3.items() if z > rcg] == ["Audiology"]
    assert set(TABLE_1) - set(common) == {"Breast"}
    assert [name for name in common if TABLE_1[name][1] != TABLE_2[name][3]] == ["Iris", "White House"]


def test_the_text_counts_as_the_tables_do() -> None:
    """SN-T0; SN-T1e, SN-T1f: how many of the selected features are irrelevant, at least and at most."""
    made = {name for name in TABLE_1 if name.startswith("Synt")}
    assert (len(TABLE_1), len(TABLE_1.keys() - made), len(TABLE_2), len(TABLE_3)) == (10, 7, 23, 15)
    matter = {"Synt1": 7, "Synt2": 3, "Synt3": 7, "Hard": 5, "Xd6": 9, "LED24": 7}
    irrelevant = {"Synt1": 3, "Synt2": 7, "Synt3": 93, "Hard": 5, "Xd6": 1, "LED24": 17}
    assert {name: matter[name] + irrelevant[name] for name in matter} == {name: TABLE_2[name][0] for name in matter}
    assert all(TABLE_1[name][0] == TABLE_2[name][0] for name in made)
    kept = {name: (max(0, TABLE_1[name][2] - matter[name]), min(TABLE_1[name][2], irrelevant[name])) for name in made}
    assert kept == {"Synt1": (0, 3), "Synt2": (2, 5), "Synt3": (0, 2)}


def test_three_ways_to_select() -> None:
    """SN-T4 to SN-T6: where a p-value is not that of the text, it is that of no other sign test either."""
    assert sebban_nock_2002.compare(RCG, ACCURACY) == (10, 8, 5, F("34.2") / 23)
    assert sebban_nock_2002.compare(RCG, ALL) == (17, 1, 5, F("64.6") / 23)
    against = sign_tests(10, 8, 5)
    exact = [float(sides * p) for sides in (1, 2) for p in against.values()]
    ways = product((1, 2), (0, 1), (15, 23))
    normal = [sides * math.erfc((5 - correction) / math.sqrt(2 * n)) / 2 for sides, correction, n in ways]
    assert not [p for p in (*exact, *normal) if 0.045 <= p < 0.055]
    assert [round(p, 3) for p in exact[:6]] == [0.151, 0.105, 0.059, 0.202, 0.798, 0.005]
    seen = sign_tests(17, 1, 5)
    assert [round(float(p), 4) for p in seen.values()] == [0.0085, 0.0053, 0.0022, 0.0173, 0.0173, 0.0053]
    assert sign_tests(15, 0, 8)["dropped"] > F("0.105")


def is_share(percentage: F, size: int) -> bool:
    """Tell whether a percentage, rounded to tenths, is that of a whole number of so many points."""
    return any(abs(F(100 * hits, size) - percentage) <= F(1, 20) for hits in range(size + 1))


def test_shares_of_the_points() -> None:
    """SN-T9g: where five folds are of the same size the mean of their accuracies is a share of all points."""
    equal = {name: row for name, row in TABLE_2.items() if row[1] % 5 == 0}
    none = {name: [cell for cell in row[2:] if not is_share(cell, int(row[1]))] for name, row in equal.items()}
    assert (len(equal), sum(map(bool, none.values())), sum(map(len, none.values()))) == (12, 10, 21)
    assert none["Iris"] == list(TABLE_2["Iris"][2:])
    assert F("0.935") * 150 == F("140.25")


@pytest.mark.parametrize(("wins", "ties", "losses"), [(8, 0, 2), (3, 11, 1), (10, 8, 5), (2, 3, 2)])
def test_sign_tests_by_all_signs(wins: int, ties: int, losses: int) -> None:
    """Each p-value as the share of all sequences of signs with so many pluses."""

    def share(n: int, least: int) -> F:
        return F(sum(signs.bit_count() >= least for signs in range(2**n)), 2**n)

    exact, strict = share(wins + losses, wins), share(wins + losses, wins + 1)
    expected = {"dropped": exact, "dropped, more wins only": strict, "dropped, mid-p": (exact + strict) / 2}
    if (n := wins + ties + losses) < 15:
        counted = {"as wins": ties, "as losses": 0, "halved": ties // 2}
        expected |= {name: share(n, wins + more) for name, more in counted.items()}
    assert expected.items() <= sign_tests(wins, ties, losses).items()
