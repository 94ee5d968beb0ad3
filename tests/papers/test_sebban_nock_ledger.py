"""The entries of Sebban and Nock: what they call false is refuted, their counts and certificates are found again."""

from fractions import Fraction as F
from itertools import combinations, permutations, product

import pytest
from flint import fmpz_mat

from fstheory.numbers.roots import sqrt
from fstheory.papers.ledger import claims
from fstheory.papers.sebban_nock_2002 import LEMMAS, UNIQUE, tied_point
from fstheory.points.graphs import joined, minimum_spanning_trees, nearest_neighbors, neighbor_graph
from fstheory.points.mixed import MixedPoints
from fstheory.points.point_set import PointSet
from tests.points.check_claims import FAMILIES, survey
from tests.points.counterexamples import FALSE, NEEDY, certificates

ENTRIES = [claims[key] for key in LEMMAS]
TRUE = sorted(set(LEMMAS) - set(FALSE))
CERTIFICATES = dict(certificates())


@pytest.mark.thorough
def test_the_orders_of_few_distances_give_the_counts_of_the_ledger() -> None:
    counts = survey(FAMILIES["orders of the distances of 2 to 4 points"]())
    assert {name: counts[name]["fails"] for name in TRUE} == dict.fromkeys(TRUE, 0)
    for entry in ENTRIES:
        if entry.status == "true":
            assert counts[entry.id]["applies"] == entry.evidence[0].count
    assert [counts[name]["fails"] for name in ("SN-L1c", "SN-L3", "SN-L3a", "SN-L3b")] == [105, 675, 0, 1128]
    assert counts["SN-L1a"]["fails"] == counts["SN-L1a"]["applies"] == 2362  # never true


def test_the_ledger_calls_false_what_is_refuted() -> None:
    assert {entry.id for entry in ENTRIES if entry.status == "false"} == set(FALSE)
    assert {entry.id for entry in ENTRIES if entry.needs} == set(NEEDY)


def test_counterexamples_are_those_of_the_ledger() -> None:
    """Each file of the ledger is what the search finds again, and no file is left over."""
    named = {e.certificate: e for entry in ENTRIES for e in (*entry.evidence, *entry.needs.values()) if e.certificate}
    extra = {f"SN-L1-without-{UNIQUE}-distinct.json"}
    assert named.keys() | extra == CERTIFICATES.keys()
    for file, evidence in named.items():
        assert evidence.load() == CERTIFICATES[file]


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
        if tied_point(squares) is None:
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
