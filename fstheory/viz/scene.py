"""Everything of a picture that is decided before the first line is drawn: nodes, places, sizes, texts."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Literal, TypeAlias

import numpy as np
import numpy.typing as npt

from fstheory.subsets import Masks, sizes
from fstheory.viz._fonts import measure
from fstheory.viz.edges import Edges, cover_edges, merge_nodes, tie_groups
from fstheory.viz.labels import LabelMode, NodeLabels, label_nodes, modes_to_try
from fstheory.viz.layout import Points, heights_by_value, place_by_size, place_in_columns
from fstheory.viz.marks import Marks
from fstheory.viz.protocol import LatticeTable
from fstheory.viz.spread import spread
from fstheory.viz.values import power_text, round_ticks

__all__ = ["Scene", "View", "set_scene"]

View: TypeAlias = Literal["size", "risk"]

_WIDEST = 13.0  # inches; a wider picture is drawn again with shorter labels
_MOST_SPREAD = 32  # nodes that are placed one by one; more stand in columns by size
_MOST_OPTIMAL = 2  # optimal subsets of a size that are worth a label each
_MOST_TELLING = 8  # single features up to which each is worth one
_PADDING: dict[LabelMode, tuple[float, float]] = {
    "values": (0.14, 0.09), "names": (0.10, 0.07), "marked": (0.12, 0.10),
    "codes": (0.07, 0.05), "none": (0.16, 0.16)
}  # fmt: skip
_GAPS: dict[LabelMode, float] = {"values": 0.18, "names": 0.14, "marked": 0.09, "codes": 0.17, "none": 0.16}


@dataclass(frozen=True)
class Scene:
    """A picture in inches.

    Attributes
    ----------
    view : {'size', 'risk'}
    masks : ndarray of int64
        The subsets.
    values : list of Fraction
        Aligned with `masks`.
    covers : Edges
        Between subsets.
    nodes : list of tuple of int
        The subsets of each node, as positions in `masks`: one by size; by risk all that ties join.
    ranks : ndarray of int64
        Of the values, aligned with `nodes`, as are the three below.
    labels : NodeLabels
    centers, boxes : ndarray of float, shape (m, 2)
    edges : Edges
        Between nodes.
    ticks : list of (float, str)
        Height and text of what stands at the left: sizes, or values on an axis.
    columns : list of (float, str)
        Place and text of what stands below columns, if there are any.
    logarithmic : bool
    broken : bool
        Whether the axis has a gap between zero and the smallest positive value.
    """

    view: View
    masks: Masks
    values: list[Fraction]
    covers: Edges
    nodes: list[tuple[int, ...]]
    ranks: npt.NDArray[np.int64]
    labels: NodeLabels
    centers: Points
    boxes: Points
    edges: Edges
    ticks: list[tuple[float, str]]
    columns: list[tuple[float, str]]
    logarithmic: bool
    broken: bool

    @property
    def extent(self) -> tuple[float, float, float, float]:
        """Left, right, bottom and top of all nodes together."""
        low, high = self.centers - self.boxes / 2, self.centers + self.boxes / 2
        (left, bottom), (right, top) = low.min(axis=0), high.max(axis=0)
        return float(left), float(right), float(bottom), float(top)

    def node_of(self, position: int) -> int:
        """Return the node that a subset belongs to."""
        return next(k for k, node in enumerate(self.nodes) if position in node)


def set_scene(
    table: LatticeTable, view: View, mode: LabelMode | Literal["auto"], logarithmic: bool, marks: Marks
) -> Scene:
    """Return the picture of a table; with `mode` ``"auto"``, with the most telling labels that are not too wide."""
    masks, ranks = np.asarray(table.masks, dtype=np.int64), np.asarray(table.ranks, dtype=np.int64)
    covers = cover_edges(masks, ranks, len(table.features))
    nodes: list[tuple[int, ...]] = [(i,) for i in range(len(masks))]
    if view == "risk":
        nodes = tie_groups(covers, len(masks))
    tries = modes_to_try(len(nodes)) if mode == "auto" else (mode,)
    if mode == "auto" and view == "risk" and len(nodes) > _MOST_SPREAD:
        tries = ("marked",)

    def attempt(labels: LabelMode, most: int) -> Scene:
        written = label_nodes(table, labels, nodes, _telling(masks, marks, most))
        return _compose(table, view, written, logarithmic, covers, nodes)

    for labels in tries:
        scene = attempt(labels, _MOST_TELLING)
        left, right, _, _ = scene.extent
        if right - left <= _WIDEST:
            return scene
    return attempt(tries[-1], 1)


def _telling(masks: Masks, marks: Marks, most: int) -> set[int]:
    """Return the subsets worth a label where few have one: the marked, and of each size the optimal or, of 1, all."""
    telling = {*marks.minimal, *marks.path} | ({marks.best} if marks.best is not None else set())
    for k in np.unique(sizes(masks)).tolist():
        level = set(np.flatnonzero(sizes(masks) == k).tolist())
        for chosen in (level if k <= 1 or len(level) == 1 else set(), level & set(marks.optimal)):
            telling |= chosen if len(chosen) <= (most if k == 1 else min(most, _MOST_OPTIMAL)) else set()
    return telling


def _compose(
    table: LatticeTable,
    view: View,
    labels: NodeLabels,
    logarithmic: bool,
    covers: Edges,
    nodes: list[tuple[int, ...]],
) -> Scene:
    masks, ranks = np.asarray(table.masks, dtype=np.int64), np.asarray(table.ranks, dtype=np.int64)
    values = [table.value_at(mask) for mask in masks.tolist()]
    heads = [node[0] for node in nodes]
    many = np.array([sizes(masks)[list(node)].min() for node in nodes])
    edges, boxes, gap = (
        merge_nodes(covers, nodes),
        _box_sizes(many, labels, len(nodes) < len(masks)),
        _GAPS[labels.mode],
    )
    columns: list[tuple[float, str]] = []
    broken = False
    if view == "size":
        centers = place_by_size(masks, boxes, gap)
        ticks = [(y, f"|S| = {k}") for k, y in sorted(set(zip(many.tolist(), centers[:, 1].tolist(), strict=True)))]
    else:
        height = _axis_length(len(np.unique(ranks)), boxes)
        heights = height * heights_by_value([values[i] for i in heads], logarithmic=logarithmic)
        if len(nodes) > _MOST_SPREAD:
            x = place_in_columns(many, heights, boxes, 0.04, 0.5)
            columns = [(float(x[many == k].min() + x[many == k].max()) / 2, f"|S| = {k}") for k in np.unique(many)]
        else:
            wished = place_by_size(masks[heads], boxes, gap)[:, 0]
            x = spread(heights, wished, boxes, edges, 1.5 * gap)
        centers = np.column_stack([x, heights])
        ticks, broken = _axis_ticks(values, height, logarithmic)
    return Scene(
        view, masks, values, covers, nodes, ranks[heads], labels, centers, boxes, edges, ticks, columns,
        logarithmic, broken,
    )  # fmt: skip


def _box_sizes(many: npt.NDArray[np.int64], labels: NodeLabels, merged: bool) -> Points:
    """Return boxes that hold their texts, of one size for all of a size unless few are labeled or nodes are merged."""
    wide, high = _PADDING[labels.mode]
    boxes = np.zeros((len(many), 2))
    for i, (name, value) in enumerate(zip(labels.names, labels.values, strict=True)):
        name_width, name_height = measure(name, labels.points)
        value_width, value_height = measure(value, labels.points)
        boxes[i] = max(name_width, value_width) + wide, name_height + value_height + high
    if labels.mode == "marked" or merged:
        return boxes
    for k in np.unique(many):
        boxes[many == k] = boxes[many == k].max(axis=0)
    return boxes


def _axis_length(levels: int, boxes: Points) -> float:
    return float(min(max(3.0, 1.3 * levels * np.median(boxes[:, 1])), 8.0)) if levels > 1 else 0.0


def _axis_ticks(values: list[Fraction], height: float, logarithmic: bool) -> tuple[list[tuple[float, str]], bool]:
    """Return the ticks of an axis of values, and whether it has a gap above zero."""
    low, high = min(values), max(values)
    if not logarithmic:
        ticks = round_ticks(low, high)
        # the two ends take part in placing the ticks, and are not ticks themselves
        heights = heights_by_value([low, high, *(tick for tick, _ in ticks)])[2:] * height
        return [(float(y), text) for y, (_, text) in zip(heights, ticks, strict=True)], False
    least = min(value for value in values if value > 0)
    decades = [Fraction(10) ** k for k in range(_decade(least), _decade(high) + 2)]
    decades = [decade for decade in decades if least <= decade <= high]
    kept = decades[:: len(decades) // 9 + 1]
    heights = heights_by_value([low, least, high, *kept], logarithmic=True)[3:] * height
    texts = [power_text(_decade(decade)) for decade in kept]
    zero = [(0.0, "0")] if low == 0 else []
    return zero + list(zip(heights.tolist(), texts, strict=True)), low == 0


def _decade(value: Fraction) -> int:
    """Return the largest k with 10**k <= value."""
    k = len(str(value.numerator)) - len(str(value.denominator))
    return k if Fraction(10) ** k <= value else k - 1
