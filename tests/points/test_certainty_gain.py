"""The relative certainty gain against its definition, its graphs against all trees, its walk against the definition."""

import math
import tracemalloc
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction
from functools import partial
from itertools import combinations, permutations, product
from pathlib import Path
from statistics import pvariance
from typing import Any, get_args

import networkx as nx
import numpy as np
import pandas as pd
import pytest
from hypothesis import example, given, strategies as st

from fstheory.errors import ArbitraryChoiceWarning, InvalidValueError, TooLargeError
from fstheory.lattice.series import _layout
from fstheory.numbers.roots import RootSum, sqrt
from fstheory.points import graphs
from fstheory.points.certainty import (
    CertaintyGain,
    permutation_p_value,
    relative_certainty_gain,
    select_by_certainty_gain,
)
from fstheory.points.graphs import Distances, Edges, graph_of, minimum_spanning_trees, nearest_neighbors
from fstheory.points.mixed import Categories, MixedPoints
from fstheory.points.permutations import LabelPermutations
from fstheory.points.point_set import PointSet
from tests.points import literal

GRAPHS: tuple[Any, ...] = ("mst", "1nn")


@st.composite
def labeled_graphs(draw: st.DrawFn) -> tuple[int, set[tuple[int, int]], list[int]]:
    """Draw a graph of two to seven points and labels of at least two classes."""
    size = draw(st.integers(2, 7))
    pairs = list(combinations(range(size), 2))
    edges = set(draw(st.lists(st.sampled_from(pairs), max_size=10)))
    labels = draw(st.lists(st.integers(0, 3), min_size=size, max_size=size).filter(lambda x: len(set(x)) > 1))
    return size, edges, labels


@given(labeled_graphs())
def test_the_gain_is_the_definition_on_every_graph(case: tuple[int, set[tuple[int, int]], list[int]]) -> None:
    size, edges, labels = case
    graph = literal.graph(size, edges)
    gain = relative_certainty_gain(graph, labels=labels)
    members, value = literal.gain(size, edges, labels)
    if size < 7:
        values = [literal.gain(size, edges, other)[1] for other in permutations(labels)]
        assert gain.p_value == Fraction(sum(other >= value for other in values), math.factorial(size))
    assert [gain.members, gain.value, gain.statistic] == [members, value, members * value]
    weighted = sum(len(few) * local for few, local in zip(gain.neighborhoods, gain.local_uncertainties, strict=True))
    assert gain.value == (gain.initial_uncertainty - weighted / members) / gain.initial_uncertainty
    assert gain == relative_certainty_gain(graph, labels=dict(enumerate(labels)))
    if gain.null.variance:
        assert gain.z == gain.null.z(gain.statistic)
    freedom = (size - 1) * (len(set(labels)) - 1)
    assert gain.printed_z**2 == (gain.statistic - freedom) ** 2 / (2 * freedom)
    assert (gain.printed_z > 0) == (gain.statistic > freedom)


@st.composite
def grid_points(draw: st.DrawFn) -> PointSet:
    """Draw two to six points on a small grid, with ties and points that coincide."""
    dimension = draw(st.integers(1, 2))
    point = st.lists(st.integers(0, draw(st.integers(1, 6))), min_size=dimension, max_size=dimension)
    rows = draw(st.lists(point, min_size=2, max_size=6))
    return PointSet(rows, [0, *([1] * (len(rows) - 1))])


@given(grid_points())
@example(PointSet([[0, 0], [2, 0], [1, 3]], "abb"))  # both longer edges, to one point
def test_graphs_are_those_of_the_definition_and_refused_where_there_are_several(points: PointSet) -> None:
    """Also from floats, and from exact numbers in a table."""
    trees, nearest = set(minimum_spanning_trees(points.squares)), nearest_neighbors(points.squares)
    every, first = ({(min(i, j), max(i, j)) for i, few in enumerate(nearest) for j in few[:most]} for most in (None, 1))
    found = {graph: relative_certainty_gain(points, graph, ties="first").edges for graph in GRAPHS}
    assert found["mst"] in trees
    assert found["1nn"] == first
    assert relative_certainty_gain(points, "1nn", ties="all").edges == every
    rows = [[int(x) for x in row] for row in points.points]
    for exact, graph in product((False, True), GRAPHS):
        table = MixedPoints(rows, points.labels, numbers="none", exact=exact)
        assert relative_certainty_gain(table, graph, ties="first").edges == found[graph]
    coincide = len(set(points.points)) < len(points)
    for graph, several in zip(GRAPHS, (len(trees) > 1, any(len(few) > 1 for few in nearest)), strict=True):
        if several or coincide:
            with pytest.raises(InvalidValueError, match=r"one minimum span|one nearest neighbor|all different"):
                relative_certainty_gain(points, graph)
        else:
            assert relative_certainty_gain(points, graph).edges == found[graph]


def kruskal(squares: Any, sign: int = 1) -> set[tuple[int, int]]:
    """Return the tree of the shortest pairs; tied pairs are in lexicographic order, or in the reverse order."""
    name, tree = list(range(len(squares))), set()
    pairs = ((squares[i, j], sign * i, sign * j) for i, j in combinations(range(len(squares)), 2))
    for _, one, other in sorted(pairs):
        one, other = abs(one), abs(other)
        if name[one] != name[other]:
            name = [name[one] if each == name[other] else each for each in name]
            tree.add((one, other))
    return tree


@pytest.mark.parametrize("exact", ["int64", "integers", "table", "floats"])
def test_graphs_from_rows_are_those_of_the_whole_matrix(exact: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The matrix is made from the definition; rows are read one at a time, or a few. Memory grows with the points."""
    rng = np.random.default_rng(0)
    monkeypatch.setattr(graphs, "_WHOLE", 0)
    monkeypatch.setattr(graphs, "_BLOCK", 40)
    for trial in range(0, 40, 3):
        size, dimension, most = int(rng.integers(2, 30)), int(rng.integers(1, 4)), 2 + trial**2
        scale = 10**12 if exact == "integers" else 1
        rows = (rng.integers(0, most, (size, dimension)).astype(object) * scale).tolist()
        labels, whole = [0, *[1] * (size - 1)], np.array(PointSet(rows).squares, dtype=object)
        points: PointSet | MixedPoints = PointSet(rows, labels)
        if exact in ("table", "floats"):
            points = MixedPoints(rows, labels, numbers="none", exact=exact == "table")
        apart = np.where(np.eye(size, dtype=bool), whole.max() + 1, whole)
        near = apart == apart.min(axis=1, keepdims=True)
        tree, first, every = kruskal(whole), near.argmax(axis=1).tolist(), np.argwhere(near).tolist()
        gain: Any = relative_certainty_gain
        wanted = {
            ("mst", "first"): tree,
            ("1nn", "first"): {(min(pair), max(pair)) for pair in enumerate(first)},
            ("1nn", "all"): {(min(pair), max(pair)) for pair in every},
        }
        for (graph, ties), edges in wanted.items():
            assert gain(points, graph, ties=ties).edges == edges
        for graph, tied in (("mst", tree != kruskal(whole, -1)), ("1nn", bool((near.sum(axis=1) > 1).any()))):
            if zeros := np.argwhere(np.triu(whole == 0, 1)).tolist():
                with pytest.raises(InvalidValueError, match=f"coincident points {zeros[0][0]} and {zeros[0][1]}"):
                    gain(points, graph)
            elif tied:
                with pytest.raises(InvalidValueError, match=r"one minimum spanning tree|one nearest neighbor"):
                    gain(points, graph)
            else:
                assert gain(points, graph).edges == wanted[graph, "first"]


@pytest.mark.thorough
def test_memory_grows_with_the_points_and_too_many_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    points = PointSet(np.random.default_rng(0).integers(0, 10**6, (5000, 2)).tolist(), [0, 1] * 2500)
    assert points._lines.dtype == np.int64
    tracemalloc.start()
    relative_certainty_gain(points, "1nn", ties="first")
    assert tracemalloc.get_traced_memory()[1] < 2 * 10**7  # all pairs take ten times as much
    tracemalloc.stop()
    monkeypatch.setattr(graphs, "_MOST", 4999)
    with pytest.raises(TooLargeError, match=r"points must be at most 4,999, not 5000"):
        relative_certainty_gain(points)


def test_distances_that_sparse_matrices_lose_are_kept_and_squares_are_about_as_large_as_a_machine_word() -> None:
    """In four dimensions sums leave 64 bits where no square does."""
    tiny = np.array([[0.0], [1e-12], [1.0], [1.0 + 1e-9], [7.0]])
    gain = relative_certainty_gain(MixedPoints(tiny, "aabba", numbers="none"))
    assert gain.edges == {(0, 1), (1, 2), (2, 3), (3, 4)}
    wide = PointSet([[0], [Fraction(1, 10**40)], [10**40], [10**40 + 1]], "aabb")
    assert relative_certainty_gain(wide).edges == {(0, 1), (1, 2), (2, 3)}
    for large in (2**power + off for power in (29, 30, 31, 32) for off in (-1, 0)):
        rows = [[large] * 4, [-large] * 4, [large, -large, 0, 1]]
        squares = [[sum((a - b) ** 2 for a, b in zip(x, y, strict=True)) for y in rows] for x in rows]
        for points in (PointSet(rows), MixedPoints(rows, "aab", numbers="none", exact=True)):
            assert Distances(points, points.features)[:].tolist() == squares


# HVDM

ROWS = [(1, "red", "p"), (2, "red", "q"), (5, "blue", "p"), (4, "green", "q"), (4, "blue", "q")]
LABELS = ["a", "b", "a", "c", "b"]


def literal_hvdm(kind: str, i: int, j: int) -> Fraction | float:
    """Return the squared HVDM distance of two of the rows, with four standard deviations."""
    numbers = [Fraction(row[0]) for row in ROWS]
    square = (numbers[i] - numbers[j]) ** 2 / (16 * pvariance(numbers))
    for column in (1, 2):
        values = [row[column] for row in ROWS]
        shares = []
        for value in (values[i], values[j]):
            of = [label for other, label in zip(values, LABELS, strict=True) if other == value]
            shares.append({label: Fraction(of.count(label), len(of)) for label in "abc"})
        gaps = [abs(shares[0][label] - shares[1][label]) for label in "abc"]
        squares = sum((gap**2 for gap in gaps), Fraction(0))
        square += {
            "vdm1": sum(gaps, Fraction(0)) ** 2,
            "vdm2": squares,
            "vdm3": 3 * squares,
            "squared vdm": squares**2,
            "overlap": Fraction(values[i] != values[j]),
        }[kind]
    return square


@pytest.mark.parametrize("kind", get_args(Categories))
def test_hvdm_is_its_definition(kind: Any) -> None:
    exact = MixedPoints(ROWS, LABELS, categories=kind, exact=True)
    floats = MixedPoints(pd.DataFrame(ROWS), LABELS, categories=kind)
    assert exact.categorical == ("X2", "X3")
    assert floats.categorical == ("1", "2")
    assert exact.sees_labels == (kind != "overlap")
    for i, j in combinations(range(5), 2):
        expected = literal_hvdm(kind, i, j)
        assert exact.squared_distance(i, j) == expected
        assert floats.squared_distance(i, j) == pytest.approx(float(expected))


def literal_shares(kind: str, values: list[Fraction], labels: list[str], x: Fraction) -> list[Fraction]:
    """Return P(c|x) for all classes c by Wilson and Martinez, Sections 4 and 5, with intervals 1 to s."""
    classes = sorted(set(labels))
    s = max(5, len(classes))
    low, width = min(values), (max(values) - min(values)) / s

    def shares(inside: list[str]) -> list[Fraction]:
        return [Fraction(inside.count(c), len(inside)) if inside else Fraction(0) for c in classes]

    def discretize(v: Fraction) -> int:
        return s if v == max(values) else math.floor((v - low) / width) + 1

    if kind == "wvdm":
        near = [b for v, b in zip(values, labels, strict=True) if x - width / 2 <= v < x + width / 2]
        return shares(near)
    p = {u: shares([b for v, b in zip(values, labels, strict=True) if discretize(v) == u]) for u in range(s + 2)}
    mid = {u: low + width * (u - Fraction(1, 2)) for u in range(s + 2)}
    u = discretize(x)
    u -= x < mid[u]
    return [a + (x - mid[u]) / (mid[u + 1] - mid[u]) * (b - a) for a, b in zip(p[u], p[u + 1], strict=True)]


def test_names_that_are_left_out_are_marked() -> None:
    frames = (pd.DataFrame([["a"] * n, ["b"] * n], columns=[f"c{i}" for i in range(n)]) for n in (8, 9))
    eight, nine = (MixedPoints(frame, ["a", "b"]) for frame in frames)
    assert str(eight).count("...") == 0
    assert str(nine).count(", ...") == 2  # of the features, and of the categorical ones


@pytest.mark.parametrize("kind", ["ivdm", "wvdm"])
def test_ivdm_and_wvdm_are_their_definitions(kind: Any) -> None:
    """For six classes, too, and for numbers that are ends and midpoints of intervals. A constant adds nothing."""
    for classes, seed in (("ab", 0), ("abc", 1), ("abcdef", 2)):
        rng = np.random.default_rng(seed)
        numbers = [Fraction(int(n), 2) for n in [0, 20, *rng.integers(0, 21, 10)]]
        labels = [*classes, *rng.choice([*classes], 12 - len(classes)).tolist()]
        shares = [literal_shares(kind, numbers, labels, x) for x in numbers]
        gaps = [[[abs(a - b) for a, b in zip(p, q, strict=True)] for q in shares] for p in shares]
        for categories in get_args(Categories)[:-1]:
            powers = {"vdm1": lambda gap: sum(gap) ** 2, "squared vdm": lambda gap: sum(g**2 for g in gap) ** 2}
            square: Any = powers.get(categories, lambda gap: sum(g**2 for g in gap))
            times = len(classes) if categories == "vdm3" else 1
            wanted = [[square(gap) * times for gap in row] for row in gaps]
            for exact in (True, False):
                rows: Any = [[x if exact else float(x), 7] for x in numbers]
                options: Any = {"numbers": kind, "categories": categories, "exact": exact}
                points = MixedPoints(rows, labels, **options)
                found = [[points.squared_distance(i, j) for j in range(12)] for i in range(12)]
                assert found == (wanted if exact else [pytest.approx([*map(float, row)], abs=1e-15) for row in wanted])
                turned = MixedPoints(rows, labels[::-1], **options).with_labels(labels)
                assert (turned.squared_differences("X1") == points.squared_differences("X1")).all()
                assert points.sees_labels
                assert not points.categorical
    missing = MixedPoints([[1], [None], [2], [9]], "abab", numbers=kind, missing="one", exact=True)
    assert [missing.squared_distance(1, j) for j in range(4)] == [1, 1, 1, 1]
    assert missing.squared_distance(0, 2) != 1


def test_numbers_are_scaled_as_named() -> None:
    squares: dict[Any, str] = {"4 deviations": "3/32", "deviation": "3/2", "range": "1/4", "none": "16"}
    for numbers, square in squares.items():
        points = MixedPoints([[0, 7], [4, 7], [8, 7]], "abb", numbers=numbers, exact=True)
        assert points.squared_distance(0, 1) == Fraction(square)


def test_what_is_missing_differs_by_one_from_everything() -> None:
    frame = pd.DataFrame({"x": [0.0, 1.0, None], "c": pd.Categorical(["u", None, "v"]), "y": [0, 1, 1]})
    points = MixedPoints(frame, "y", numbers="none", categories="overlap", missing="one")
    assert points.features == ("x", "c")
    turned = MixedPoints(frame, "y", features=["c", "x"], numbers="none", categories="overlap", missing="one")
    assert (turned.features, turned.categorical) == (("c", "x"), ("c",))
    assert (turned.squared_differences("x") == points.squared_differences("x")).all()
    assert MixedPoints([[1, "u"], [2, "v"]], "ab", features=["n", "c"]).categorical == ("c",)
    assert points.squared_differences("x").tolist() == [[0, 1, 1], [1, 0, 1], [1, 1, 1]]
    assert points.squared_differences("c")[0].tolist() == [0, 1, 1]


def test_other_labels_give_the_points_that_have_them() -> None:
    """And a graph that looked at the labels has no null."""
    gain = relative_certainty_gain(MixedPoints(ROWS, LABELS), ties="first")
    assert "does not apply" in str(gain)
    with pytest.raises(InvalidValueError, match="does not look at labels"):
        _ = gain.p_value
    others = ["c", "c", "a", "b", "a"]
    for exact in (True, False):
        for kind in get_args(Categories):
            found = MixedPoints(ROWS, LABELS, categories=kind, exact=exact).with_labels(others)
            made = MixedPoints(ROWS, others, categories=kind, exact=exact)
            assert found.labels == made.labels
            pairs = list(combinations(range(5), 2))
            assert [found.squared_distance(*pair) for pair in pairs] == [made.squared_distance(*pair) for pair in pairs]


def test_graphs_made_anew_are_a_valid_test_where_one_graph_is_not() -> None:
    """Names for all points: of all 70 labelings each is among the best 1 in 35 of its own graph."""
    rows = [[name] for name in "ABCDEFGH"]
    labelings = [[int(i in ones) for i in range(8)] for ones in combinations(range(8), 4)]
    for labels in labelings:
        gain = relative_certainty_gain(MixedPoints(rows, labels), ties="first")
        assert LabelPermutations(8, gain.edges, gain.counts).tail(gain.statistic) == Fraction(1, 35)
    assert permutation_p_value(rows, labels=[0, 1] * 4, trials=20, rng=0, ties="first") == 1
    mixed = [*zip("AAABBBCC", [3, 1, 4, 15, 9, 2, 6, 53], strict=True)]
    points = MixedPoints(mixed, [0, 0, 0, 1, 1, 1, 1, 0])
    seen = relative_certainty_gain(points, ties="first").statistic
    every = [relative_certainty_gain(points.with_labels(labels), ties="first").statistic for labels in labelings]
    expected = sum(value >= seen for value in every) / 70
    assert 0 < expected < 1 / 2
    with ThreadPoolExecutor(3) as threads:
        found = permutation_p_value(points, trials=200, rng=1, ties="first", executor=threads)
        walk: Any = partial(select_by_certainty_gain, [[0, 3], [1, 0], [3, 8], [7, 1]], labels="aabb", trials=9, rng=0)
        assert walk(null="permutation", executor=threads) == walk(null="permutation")
    assert found == permutation_p_value(points, trials=200, rng=1, ties="first")
    assert abs(found - expected) < 0.12
    assert permutation_p_value(points, trials=1, rng=1, ties="first") in {1 / 2, 1.0}


# Forward selection


def literal_z(edges: Edges, labels: Sequence[object]) -> RootSum:
    """Return equation 14 in equation 6: the mean of Z in the neighborhoods, by their sizes."""
    near = [{i} | {a + b - i for a, b in edges if i in (a, b)} for i in range(len(labels))]
    members, total = sum(map(len, near)), RootSum()
    for few in near:
        shares = [Fraction(count, len(few)) for count in Counter(labels[i] for i in few).values()]
        total += sum((sqrt(share * (1 - share)) for share in shares), RootSum()) * Fraction(len(few), members)
    return total


def literal_walk(points: PointSet, null: str) -> list[tuple[str, Any, bool]]:
    """Return the steps of the algorithm of Section 4, every quantity from its definition."""

    def evidence(names: list[str]) -> Any:
        places = [points.features.index(name) for name in names]
        chosen = PointSet([[row[i] for i in places] for row in points.points], points.labels)
        (edges,) = minimum_spanning_trees(chosen.squares)
        if null == "Z":
            return -literal_z(edges, chosen.labels)
        value = math.prod(literal.gain(len(chosen), edges, chosen.labels))
        n, k = len(chosen), len(set(chosen.labels))
        mean: Any = (n - 1) * (k - 1)
        variance: Any = 2 * mean
        if null != "printed":
            others = [math.prod(literal.gain(n, edges, labels)) for labels in set(permutations(chosen.labels))]
            if null == "exact":
                return Fraction(-sum(other >= value for other in others), len(others))
            mean = sum(others) / Fraction(len(others))
            variance = sum((x - mean) ** 2 for x in others) / len(others)
        gap = value - mean
        return Fraction(gap * abs(gap) / variance)

    steps: list[tuple[str, Any, bool]] = []
    while len(steps) < points.dimension and all(accepted for *_, accepted in steps):
        taken = [name for name, *_ in steps]
        found = {name: evidence([*taken, name]) for name in points.features if name not in taken}
        best = max(found, key=found.__getitem__)
        steps.append((best, found[best], not steps or found[best] > steps[-1][1]))
    return steps


@pytest.mark.one_in(4)
@pytest.mark.filterwarnings("ignore::fstheory.errors.ArbitraryChoiceWarning")
@pytest.mark.parametrize("null", ["printed", "moments", "exact", "Z"])
@pytest.mark.parametrize("seed", range(4))
def test_the_walk_is_that_of_the_paper(null: Any, seed: int, tmp_path: Path) -> None:
    rng = np.random.default_rng(seed)
    rows = np.column_stack([rng.permutation(1000)[:6] for _ in range(4)]).tolist()
    points = PointSet(rows, [0, 0, 1, 1, 2, 2] if seed % 2 else [0, 0, 0, 1, 1, 1])
    found = select_by_certainty_gain(points, null=null)
    assert [(step.feature, step.evidence, step.accepted) for step in found.trace] == literal_walk(points, null)
    assert found.features == tuple(step.feature for step in found.trace if step.accepted)
    for step in found.trace:
        assert step.evidence == max(step.rivals.values())
        number = float(step.evidence)
        root = math.copysign(math.sqrt(abs(number)), number)
        assert null == "exact" or (f"Z ≈ {-number:.4g}" if null == "Z" else f"z ≈ {root:.4g}") in str(found)
        assert null != "Z" or -step.evidence == step.gain.schapire_singer
    for _ in range(2):  # the second time from the journal
        assert select_by_certainty_gain(points, null=null, resume=tmp_path / "steps.jsonl") == found


def test_where_every_labeling_has_the_same_gain_nothing_is_evidence() -> None:
    with pytest.warns(ArbitraryChoiceWarning, match="as of chance alone"):
        (step,) = select_by_certainty_gain(PointSet([[0], [1]], "ab")).trace
    assert step.gain.null.variance == 0
    assert (step.evidence, step.accepted) == (Fraction(0), True)


def test_a_sample_of_permutations_approaches_the_exact_p_value() -> None:
    points = PointSet(np.random.default_rng(1).integers(0, 10**6, size=(12, 3)).tolist(), [0, 1] * 6)
    exact = select_by_certainty_gain(points, null="exact", max_features=1).trace[0].rivals
    told: list[str] = []
    options: Any = {"null": "permutation", "max_features": 1, "trials": 2000, "rng": 3}
    found = select_by_certainty_gain(points, **options, progress=told.append)
    drawn = found.trace[0].rivals
    assert str(found).endswith(f", p-value estimated {float(-found.trace[0].evidence):.4g}")
    assert drawn == select_by_certainty_gain(points, **options).trace[0].rivals
    assert all(abs(drawn[name] - exact[name]) < Fraction(1, 20) for name in exact)
    assert len(told) == 1


def test_the_picture_shows_points_edges_and_classes_and_each_component_at_a_place_of_its_own() -> None:
    text = relative_certainty_gain(PointSet([[0, 0], [1, 0], [5, 3], [6, 1], [9, 9]], "aabbb")).plot().to_svg()
    assert all(part in text for part in ("class a", "5 points, 4 edges, 1 of them between classes."))
    forest = relative_certainty_gain(nx.Graph([(0, 1), (2, 3)]), labels=[0, 0, 1, 1])
    assert "0 of them between" in forest.plot().description
    assert forest.to_networkx().nodes[0] == {"label": 0, "uncertainty": 0}
    graph = nx.disjoint_union_all([nx.path_graph(4), nx.star_graph(3), *[nx.path_graph(2)] * 6])
    places, parts = _layout(graph), list(nx.connected_components(graph))
    boxes = [[(min(line), max(line)) for line in zip(*(places[node] for node in part), strict=True)] for part in parts]
    assert all(x[1] < u[0] or u[1] < x[0] or y[1] < v[0] or v[1] < y[0] for (x, y), (u, v) in combinations(boxes, 2))


def test_a_p_value_that_takes_long_is_not_found_to_be_shown() -> None:
    gain = relative_certainty_gain(nx.path_graph(400), labels=[0, 1] * 200)
    assert gain.null.engine == "forest"
    assert gain.null.seconds > 5 > 1 > LabelPermutations(40, nx.path_graph(40).edges, [20, 20]).seconds
    assert "not shown, as it takes" in str(gain)
    constant = relative_certainty_gain(nx.complete_graph(60), labels=[0, 1, 2] * 20)
    assert [constant.null.engine, constant.null.seconds] == ["constant", 0]
    assert [constant.p_value, constant.null.tail("1/9")] == [1, 0]
    assert "out of exact reach" in str(relative_certainty_gain(nx.path_graph(40), labels=[0, 1, 2, 3] * 10))


def test_scalars_of_numpy_and_large_coordinates() -> None:
    """Counts follow the classes, and the order of tied pairs decides only among them."""
    gain = CertaintyGain(frozenset({(0, 1)}), (2, "b", 10, 2))
    assert (gain.classes, tuple(gain.counts)) == ((2, 10, "b"), (2, 1, 1))
    squares = np.array([[0, 1, 1, 4], [1, 0, 1, 4], [1, 1, 0, 2], [4, 4, 2, 0]])
    assert graph_of(squares, "mst", "first").tolist() == [[0, 1], [0, 2], [2, 3]]
    numbers, classes = [0.0, 1.0, 3.0, 7.0], [0, 0, 1, 1]
    plain = relative_certainty_gain([[x] for x in numbers], labels=classes)
    assert relative_certainty_gain([[np.float32(x)] for x in numbers], labels=[*np.array(classes)]) == plain
    assert relative_certainty_gain(nx.path_graph(4), labels=np.array(classes)).statistic == plain.statistic
    assert relative_certainty_gain(PointSet([[0], [1], [3], [10**400]], classes)).edges == plain.edges


def test_the_printed_law_has_the_degrees_of_freedom_of_all_classes() -> None:
    gain = relative_certainty_gain(PointSet([[0], [1], [5], [6]], [0, 1, 2, 2]), ties="first")
    assert "mean 6, variance 12;" in str(gain)
