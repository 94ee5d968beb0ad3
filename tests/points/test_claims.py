"""The lemmas: true where the ledger says so, their counterexamples found, least, and accepted by the checker."""

from collections.abc import Iterable, Sequence
from functools import cache
from itertools import combinations, islice, permutations, product

import networkx as nx
import pytest
from hypothesis import given, settings

from fstheory.checker.certificates import check_certificate
from fstheory.logic.certificate import Certificate
from fstheory.papers.sebban_nock_2002 import LEMMAS, _common as chosen_by_orders, tied_point
from fstheory.points.point_set import PointSet
from tests.points.check_claims import FAMILIES, survey
from tests.points.counterexamples import FALSE, kept
from tests.points.literal import graph, minimal_trees, neighbors
from tests.points.test_points import small_points

TRUE = sorted(set(LEMMAS) - set(FALSE))
CERTIFICATES = kept()


@pytest.mark.parametrize("family", FAMILIES)
def test_true_statements_hold_at_the_beginning_of_each_family(family: str) -> None:
    counts = survey(islice(FAMILIES[family](), 60))
    assert {name: counts[name]["fails"] for name in TRUE} == dict.fromkeys(TRUE, 0)


def by_definition(rows: list[list[int]]) -> dict[str, bool]:
    """Return the statements that say something of these points, written again with networkx and all trees listed."""
    squares, nearest, everyone = PointSet(rows).squares, neighbors(rows), frozenset(range(len(rows)))
    trees = cache(lambda part: minimal_trees(squares, sorted(part)))

    def graphs(choices: Iterable[Sequence[int]]) -> "list[nx.Graph[int]]":
        return [graph(len(rows), edges) for edges in {frozenset(map(_sorted, enumerate(choice))) for choice in choices}]

    star = graph(len(rows), ((i, j) for i, few in enumerate(nearest) for j in few))
    some = graphs(product(*nearest))
    common = graphs([min(few, key=order.index) for few in nearest] for order in permutations(everyone))
    members = sum(star.degree(i) + 1 for i in star)
    says = {
        "SN-L1c": all(map(nx.is_forest, some)),
        "SN-L1d": all(map(nx.is_forest, common)),
        "SN-L2b": all(_edges(g, p) in trees(p) for g in some for p in _parts(g) if nx.is_tree(g.subgraph(p))),
        "SN-L3": all(any(tree <= _edges(star, p) for tree in trees(p)) for p in _unions(star)),
        "SN-L3a": all(any(tree <= _edges(star, p) for tree in trees(p)) for p in _parts(star)),
        "SN-L3b": all(tree <= _edges(g, p) for g in some for p in _parts(g) for tree in trees(p)),
        "SN-L3c": all(any(tree <= _edges(g, p) for tree in trees(p)) for g in some for p in _parts(g)),
        "SN-L3d": all(
            all(tree <= _edges(star, p) for tree in trees(p))
            for p in _parts(star)
            if any(nx.is_connected(g.subgraph(p)) for g in some)
        ),
        "SN-L1": nx.is_forest(star),
        "SN-L1a": not nx.is_forest(star) or not any(i in nearest[j] for i in everyone for j in nearest[i]),
        "SN-L2": all(_edges(star, p) in trees(p) for p in _parts(star) if nx.is_tree(star.subgraph(p))),
        "SN-L2a": all(_edges(star, everyone) <= tree for tree in trees(everyone))
        and all(trees(p) == {_edges(star, p)} for p in _parts(star)),
        "SN-L3e": all(tree <= _edges(star, p) for p in _parts(star) if len(p) < 5 for tree in trees(p)),
        "SN-5n": members == 3 * len(rows) - 2,
        "SN-5m": members == 3 * len(rows) - 2 * len(_parts(star)),
    }
    if all(len(few) == 1 for few in nearest):
        says["SN-5"] = _edges(star, everyone) in trees(everyone)
    return says


def _sorted(pair: tuple[int, int]) -> tuple[int, int]:
    return min(pair), max(pair)


def _edges(of: "nx.Graph[int]", part: frozenset[int]) -> frozenset[tuple[int, int]]:
    return frozenset(map(_sorted, of.subgraph(part).edges))


def _parts(of: "nx.Graph[int]") -> list[frozenset[int]]:
    return [frozenset(part) for part in nx.connected_components(of)]


def _unions(of: "nx.Graph[int]") -> list[frozenset[int]]:
    parts = _parts(of)
    return [frozenset().union(*few) for k in range(1, len(parts) + 1) for few in combinations(parts, k)]


def agrees(rows: list[list[int]]) -> None:
    squares, says = PointSet(rows).squares, by_definition(rows)
    orders, nearest = permutations(range(len(rows))), neighbors(rows)
    chosen = {tuple((min(few, key=order.index),) for few in nearest) for order in orders}
    assert set(chosen_by_orders(squares)) == chosen
    lemmas = {name: LEMMAS[name] for name in says}
    freed = {name: lemma.without_unique() if lemma.unique else lemma for name, lemma in lemmas.items()}
    assert {name: lemma.violation(squares) is None for name, lemma in freed.items()} == says
    assert (tied_point(squares) is None) == ("SN-5" in says)
    for name, lemma in lemmas.items():
        silent = lemma.unique and "SN-5" not in says
        assert lemma.applies(squares) != silent
        assert lemma.violation(squares) == (None if silent else freed[name].violation(squares))


@settings(max_examples=60)
@given(small_points())
@pytest.mark.thorough
def test_statements_by_definition(rows: list[list[int]]) -> None:
    agrees(rows)


def test_the_limit_of_four_points_is_sharp() -> None:
    """SN-L3e does not speak of the five points that refute SN-L3a, and it does of five points on a line."""
    assert LEMMAS["SN-L3e"].violation(PointSet(CERTIFICATES["SN-L3a.json"]["points"]).squares) is None
    assert not any(lemma.applies(PointSet([[0]]).squares) for lemma in LEMMAS.values())
    loose = [[1, 1], [2, 2], [3, 3], [4, 4], [5, 5]]
    assert LEMMAS["SN-L3e"].search(PointSet(loose).squares, ((1,), (0,), (1,), (3,), (3,))) is None
    assert LEMMAS["SN-L3e"].search(PointSet(loose).squares, ((1,), (2,), (4,), (1,), (2,))) is not None


@pytest.mark.parametrize("file", CERTIFICATES)
def test_counterexamples_by_definition_and_by_the_checker(file: str) -> None:
    rows = [list(map(int, row)) for row in CERTIFICATES[file]["points"]]
    agrees(rows)
    assert "without" in file or not by_definition(rows)[CERTIFICATES[file]["claim"]]
    checked = check_certificate(CERTIFICATES[file])
    claim = file.removesuffix(".json").split("-without")[0].removesuffix("-distinct")
    assert (checked.kind, checked.claim.split(" without ")[0]) == ("refuted", claim)
    assert Certificate.from_json(CERTIFICATES[file].to_json()) == CERTIFICATES[file]
