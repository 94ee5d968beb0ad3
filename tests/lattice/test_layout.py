"""Where nodes go: no overlaps, the promised order, heights that keep the order of the values."""

import itertools
from fractions import Fraction

import networkx as nx
import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from matplotlib.figure import Figure

from fstheory.lattice.graph import (
    Points,
    Spread,
    heights_by_value,
    is_logarithmic,
    lattice_positions,
    merge_ties,
    place_by_size,
    place_in_columns,
    step,
)
from fstheory.lattice.subsets import Masks, indices_of, sizes
from tests.lattice.examples import lattice, risks

some_masks = st.sets(st.integers(0, 127), min_size=1, max_size=40).map(lambda masks: np.array(sorted(masks)))


def overlapping(centers: Points, boxes: Points, gap: float) -> list[tuple[int, int]]:
    """List the pairs of boxes that come closer than `gap`, literally."""
    pairs = []
    for i, j in itertools.combinations(range(len(centers)), 2):
        across = abs(centers[i][0] - centers[j][0]) - (boxes[i][0] + boxes[j][0]) / 2
        along = abs(centers[i][1] - centers[j][1]) - (boxes[i][1] + boxes[j][1]) / 2
        if max(across, along) < gap - 1e-9:
            pairs.append((i, j))
    return pairs


def boxes_for(masks: Masks) -> Points:
    return np.column_stack([0.3 + 0.2 * sizes(masks), 0.2 + 0.05 * sizes(masks)])


def cover_pairs(masks: Masks) -> Masks:
    """Return the positions of the subsets that differ by one feature, literally."""
    listed = list(enumerate(masks.tolist()))
    pairs = [(i, j) for i, a in listed for j, b in listed if a & b == a and (a ^ b).bit_count() == 1]
    return np.array(pairs, dtype=np.int64).reshape(-1, 2)


@given(some_masks)
def test_size_view_has_no_overlaps_and_keeps_the_order(masks: Masks) -> None:
    boxes = boxes_for(masks)
    centers = place_by_size(masks, boxes, 0.15)
    assert overlapping(centers, boxes, 0.15) == []
    for size in range(8):
        placed = zip(masks.tolist(), centers.tolist(), strict=True)
        level = sorted((x, indices_of(m), y) for m, (x, y) in placed if m.bit_count() == size)
        assert [subset for _, subset, _ in level] == sorted(subset for _, subset, _ in level)
        assert len({y for _, _, y in level}) <= 1
        assert not level or abs(level[0][0] + level[-1][0]) < 1e-9  # centered
    heights = sorted((m.bit_count(), y) for m, (_, y) in zip(masks.tolist(), centers.tolist(), strict=True))
    assert [y for _, y in heights] == sorted(y for _, y in heights)


@given(some_masks, st.data())
def test_risk_view_has_no_overlaps_in_columns_or_out_of_them(masks: Masks, data: st.DataObject) -> None:
    boxes, k = boxes_for(masks), sizes(masks)
    levels = np.array(data.draw(st.lists(st.integers(0, 6), min_size=len(masks), max_size=len(masks))))
    heights = 0.25 * levels
    wished = place_by_size(masks, boxes, 0.15)[:, 0]
    x = Spread(heights, wished, boxes, cover_pairs(masks), 0.15).x
    assert overlapping(np.column_stack([x, heights]), boxes, 0.15) == []
    x = place_in_columns(k, heights, boxes, 0.04, 0.5)
    assert overlapping(np.column_stack([x, heights]), boxes, 0.04) == []
    left, right = x - boxes[:, 0] / 2, x + boxes[:, 0] / 2
    assert all(left[k == size].min() - right[k < size].max() >= 0.5 - 1e-9 for size in set(k.tolist()) - {k.min()})


def test_risk_view_does_not_hide_an_edge_that_can_be_seen() -> None:
    heights, boxes = np.array([3.0, 2.0, 1.0, 0.0]), np.full((4, 2), 0.4)
    chain, square = np.array([0, 1, 3, 7]), np.array([0, 1, 2, 3])
    assert Spread(heights, np.zeros(4), boxes, cover_pairs(chain), 0.1).x.tolist() == [0, 0, 0, 0]  # hides nothing
    x = Spread(heights, np.zeros(4), boxes, cover_pairs(square), 0.1).x
    assert abs(x[1] - x[2]) > 0.4  # the edges {}-X2 and X1-X1X2 would else run behind boxes


@given(st.lists(st.fractions(min_value=0), min_size=1, max_size=30))
def test_heights_are_exact_proportions_or_of_logarithms_that_keep_the_order(values: list[Fraction]) -> None:
    low, high = min(values), max(values)
    proportions = [float((value - low) / (high - low)) if high > low else 0 for value in values]
    assert heights_by_value(values).tolist() == proportions
    heights = heights_by_value(values, logarithmic=True)
    assert ((heights >= 0) & (heights <= 1 + 1e-9)).all()
    ordered = [height for _, height in sorted(zip(values, heights.tolist(), strict=True))]
    assert ordered == sorted(ordered)


def test_narrow_and_huge_values() -> None:
    close = [Fraction(1, 3), Fraction(1, 3) + Fraction(1, 10**20), Fraction(0)]
    assert heights_by_value(close, logarithmic=True).tolist() == [0.1, 1.0, 0.0]
    far = [Fraction(1, 10**2000), Fraction(1), Fraction(10**2000)]
    assert heights_by_value(far, logarithmic=True).round(9).tolist() == [0.0, 0.5, 1.0]
    assert heights_by_value([Fraction(0), Fraction(1, 2)], logarithmic=True).tolist() == [0.0, 1.0]
    assert is_logarithmic([Fraction(0), Fraction(1, 2000), Fraction(1)], "auto")
    for low, least in ((0, Fraction(1, 999)), (-1, Fraction(1, 2000)), (0, Fraction(0))):
        assert not is_logarithmic([Fraction(low), least, Fraction(least > 0)], "auto")


@given(some_masks, st.data())
def test_groups_are_what_ties_join_and_lost_edges_can_be_walked(masks: Masks, data: st.DataObject) -> None:
    ranks = data.draw(st.lists(st.integers(0, 3), min_size=len(masks), max_size=len(masks)))
    by_mask = dict(zip(masks.tolist(), map(Fraction, ranks), strict=True))
    features = [str(i) for i in range(7)]
    by_subset = lattice(by_mask, features)
    graph = by_subset.to_networkx()
    merged = merge_ties(graph)
    groups = {head: node["members"] for head, node in merged.nodes(data=True)}
    ties = nx.Graph((small, large) for small, large in graph.edges if by_subset[small] == by_subset[large])
    ties.add_nodes_from(graph)
    assert set(map(frozenset, groups.values())) == set(map(frozenset, nx.connected_components(ties)))
    node = {subset: head for head, group in groups.items() for subset in group}
    wanted = {(node[s], node[t]) for s, t in graph.edges if node[s] != node[t]}
    assert set(merged.edges) <= wanted
    rising = nx.DiGraph(edge for edge in merged.edges if step(merged, *edge) > 0)
    assert all(nx.has_path(rising, *edge) for edge in wanted - set(merged.edges))  # what is left out can be walked


def test_positions_serve_the_functions_of_networkx() -> None:
    graph = (table := risks(4, 1)).to_networkx()
    by_size, by_risk = lattice_positions(graph), lattice_positions(graph, view="risk")
    for places in (by_size, by_risk):
        nx.draw_networkx(graph, places, ax=Figure().add_subplot(), with_labels=False)
        assert overlapping(np.array([places[s] for s in table]), np.full((16, 2), (0.7, 0.35)), 0.1) == []
    assert [table[s] for s in sorted(by_risk, key=lambda subset: by_risk[subset][1])] == sorted(table.values())
