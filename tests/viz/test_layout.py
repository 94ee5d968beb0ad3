"""Where nodes go: no overlaps, the promised order, heights that keep the order of the values."""

import itertools
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fstheory.errors import InvalidValueError
from fstheory.subsets import Masks, indices_of, sizes
from fstheory.viz.edges import cover_edges, merge_nodes, tie_groups
from fstheory.viz.layout import (
    Points,
    heights_by_value,
    order_in_level,
    place_by_size,
    place_in_columns,
    suits_logarithm,
)
from fstheory.viz.spread import spread

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
    return np.array([[0.3 + 0.2 * mask.bit_count(), 0.2 + 0.05 * mask.bit_count()] for mask in masks.tolist()])


@given(some_masks)
def test_size_view_has_no_overlaps_and_keeps_the_order(masks: Masks) -> None:
    boxes = boxes_for(masks)
    centers = place_by_size(masks, boxes, 0.15)
    assert overlapping(centers, boxes, 0.15) == []
    for size in range(8):
        level = [
            (indices_of(m), x, y)
            for m, (x, y) in zip(masks.tolist(), centers.tolist(), strict=True)
            if m.bit_count() == size
        ]
        level.sort(key=lambda node: node[1])
        assert [node[0] for node in level] == sorted(node[0] for node in level)
        assert len({node[2] for node in level}) <= 1
        assert not level or abs(level[0][1] + level[-1][1]) < 1e-9  # centered
    heights = sorted((m.bit_count(), y) for m, (_, y) in zip(masks.tolist(), centers.tolist(), strict=True))
    assert [y for _, y in heights] == sorted(y for _, y in heights)


@given(some_masks, st.data())
def test_risk_view_has_no_overlaps(masks: Masks, data: st.DataObject) -> None:
    boxes = boxes_for(masks)
    levels = np.array(data.draw(st.lists(st.integers(0, 6), min_size=len(masks), max_size=len(masks))))
    heights = 0.25 * levels
    wished = place_by_size(masks, boxes, 0.15)[:, 0]
    x = spread(heights, wished, boxes, cover_edges(masks, levels, 7), 0.15)
    assert overlapping(np.column_stack([x, heights]), boxes, 0.15) == []


def test_risk_view_does_not_hide_an_edge_that_can_be_seen() -> None:
    masks = np.array([0, 1, 3, 7])
    x = spread(np.array([3.0, 2.0, 1.0, 0.0]), np.zeros(4), np.full((4, 2), 0.4), cover_edges(masks, masks, 3), 0.1)
    assert x.tolist() == [0, 0, 0, 0]  # a chain hides nothing
    masks = np.array([0, 1, 2, 3])
    heights = np.array([3.0, 2.0, 1.0, 0.0])
    x = spread(heights, np.zeros(4), np.full((4, 2), 0.4), cover_edges(masks, -masks, 2), 0.1)
    assert abs(x[1] - x[2]) > 0.4  # the edges {}-X2 and X1-X1X2 would else run behind boxes


@given(st.lists(st.fractions(), min_size=1, max_size=30))
def test_linear_heights_are_exact_proportions(values: list[Fraction]) -> None:
    heights = heights_by_value(values)
    low, high = min(values), max(values)
    for value, height in zip(values, heights, strict=True):
        assert height == (float((value - low) / (high - low)) if high > low else 0)


@given(st.lists(st.fractions(min_value=0), min_size=1, max_size=30))
def test_logarithmic_heights_keep_the_order(values: list[Fraction]) -> None:
    heights = heights_by_value(values, logarithmic=True)
    assert ((heights >= 0) & (heights <= 1 + 1e-9)).all()
    ordered = [height for _, height in sorted(zip(values, heights.tolist(), strict=True))]
    assert ordered == sorted(ordered)


def test_narrow_and_huge_values() -> None:
    near = [Fraction(1, 2), Fraction(1, 2) + Fraction(1, 10**400), Fraction(1, 2) + Fraction(2, 10**400)]
    assert heights_by_value(near).tolist() == [0.0, 0.5, 1.0]
    far = [Fraction(1, 10**2000), Fraction(1), Fraction(10**2000)]
    assert heights_by_value(far, logarithmic=True).round(9).tolist() == [0.0, 0.5, 1.0]
    assert heights_by_value([Fraction(0), Fraction(1, 2)], logarithmic=True).tolist() == [0.0, 1.0]


def test_when_a_logarithm_suits() -> None:
    assert suits_logarithm([Fraction(0), Fraction(1, 2000), Fraction(1)])
    assert not suits_logarithm([Fraction(0), Fraction(1, 999), Fraction(1)])
    assert not suits_logarithm([Fraction(-1), Fraction(1, 2000), Fraction(1)])
    assert not suits_logarithm([Fraction(0)])


def test_logarithm_of_a_negative_value_is_refused() -> None:
    with pytest.raises(InvalidValueError, match="scale must be 'linear' where a value is negative, not 'log'"):
        heights_by_value([Fraction(-1), Fraction(1)], logarithmic=True)


@given(some_masks, st.data())
def test_columns_grow_with_the_size_and_do_not_overlap(masks: Masks, data: st.DataObject) -> None:
    boxes = np.array(data.draw(st.lists(st.tuples(st.floats(0.1, 2), st.floats(0.1, 2)), min_size=1, max_size=40)))
    masks = masks[: len(boxes)]
    boxes = boxes[: len(masks)]
    heights = 0.25 * np.array(data.draw(st.lists(st.integers(0, 6), min_size=len(masks), max_size=len(masks))))
    x = place_in_columns(sizes(masks), heights, boxes, 0.04, 0.5)
    assert overlapping(np.column_stack([x, heights]), boxes, 0.04) == []
    ends = list(zip(sizes(masks), x - boxes[:, 0] / 2, x + boxes[:, 0] / 2, strict=True))
    assert all(left - right >= 0.5 - 1e-9 for k, _, right in ends for m, left, _ in ends if m > k)


def literal_groups(masks: list[int], ranks: list[int]) -> set[frozenset[int]]:
    """Return the subsets of equal rank that are joined by single features, literally."""
    groups = {frozenset({mask}) for mask in masks}
    for a, b in itertools.combinations(range(len(masks)), 2):
        if (masks[a] ^ masks[b]).bit_count() == 1 and ranks[a] == ranks[b]:
            both = {group for group in groups if group & {masks[a], masks[b]}}
            groups = groups - both | {frozenset().union(*both)}
    return groups


@given(some_masks, st.data())
def test_groups_are_what_ties_join_and_lost_edges_can_be_walked(masks: Masks, data: st.DataObject) -> None:
    ranks = np.array(data.draw(st.lists(st.integers(0, 3), min_size=len(masks), max_size=len(masks))))
    edges = cover_edges(masks, ranks, 7)
    groups = tie_groups(edges, len(masks))
    assert {frozenset(masks[list(group)].tolist()) for group in groups} == literal_groups(
        masks.tolist(), ranks.tolist()
    )
    node = {i: k for k, group in enumerate(groups) for i in group}
    merged = merge_nodes(edges, groups)
    kept = set(zip(*(part.tolist() for part in merged), strict=True))
    all_edges = zip(*(part.tolist() for part in edges), strict=True)
    wanted = {(node[i], node[j], step) for i, j, step in all_edges if node[i] != node[j]}
    assert kept <= wanted
    above = {(i, j) for i, j, step in kept if step > 0}
    while longer := {(i, k) for i, j in above for m, k in above if j == m} - above:
        above |= longer
    assert all((i, j) in above for i, j, _ in wanted - kept)  # what is left out can be walked


@given(some_masks)
def test_order_is_by_size_then_lexicographic(masks: Masks) -> None:
    listed = masks[order_in_level(masks)].tolist()
    assert listed == sorted(masks.tolist(), key=lambda mask: (mask.bit_count(), indices_of(mask)))
