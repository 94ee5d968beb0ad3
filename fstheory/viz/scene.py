"""Everything of a picture that is decided before the first line is drawn: places, sizes, curves, texts."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Literal, TypeAlias

import numpy as np
import numpy.typing as npt

from fstheory.subsets import Masks, sizes
from fstheory.viz._fonts import measure
from fstheory.viz.curves import Curve, edge_curve
from fstheory.viz.edges import Edges, cover_edges
from fstheory.viz.labels import LabelMode, NodeLabels, label_nodes, modes_to_try
from fstheory.viz.layout import Points, heights_by_value, place_by_size
from fstheory.viz.protocol import LatticeTable
from fstheory.viz.spread import spread
from fstheory.viz.values import power_text, round_ticks

__all__ = ["Scene", "View", "set_scene"]

View: TypeAlias = Literal["size", "risk"]

_WIDEST = 17.0  # inches; a wider picture is drawn again with shorter labels
_PADDING: dict[LabelMode, tuple[float, float]] = {
    "values": (0.14, 0.09), "names": (0.10, 0.07), "codes": (0.07, 0.05), "none": (0.16, 0.16)
}  # fmt: skip
_GAPS: dict[LabelMode, float] = {"values": 0.18, "names": 0.14, "codes": 0.17, "none": 0.16}


@dataclass(frozen=True)
class Scene:
    """A picture in inches.

    Attributes
    ----------
    view : {'size', 'risk'}
    masks, ranks : ndarray of int64
    values : list of Fraction
    labels : NodeLabels
    centers, boxes : ndarray of float, shape (m, 2)
    edges : Edges
    curves : list of Curve
        Aligned with the edges, from the smaller subset to the larger.
    ticks : list of (float, str)
        Height and text of what stands at the left: sizes, or values on an axis.
    broken : bool
        Whether the axis has a gap between zero and the smallest positive value.
    """

    view: View
    masks: Masks
    ranks: npt.NDArray[np.int64]
    values: list[Fraction]
    labels: NodeLabels
    centers: Points
    boxes: Points
    edges: Edges
    curves: list[Curve]
    ticks: list[tuple[float, str]]
    logarithmic: bool
    broken: bool

    @property
    def extent(self) -> tuple[float, float, float, float]:
        """Left, right, bottom and top of nodes and edges together."""
        low, high = self.centers - self.boxes / 2, self.centers + self.boxes / 2
        middles = np.array([curve.point(0.5) for curve in self.curves]).reshape(-1, 2)
        corners = np.vstack([low, high, middles])
        (left, bottom), (right, top) = corners.min(axis=0), corners.max(axis=0)
        return float(left), float(right), float(bottom), float(top)


def set_scene(table: LatticeTable, view: View, mode: LabelMode | Literal["auto"], logarithmic: bool) -> Scene:
    """Return the picture of a table; with `mode` ``"auto"``, with the most telling labels that are not too wide."""
    if mode != "auto":
        return _compose(table, view, label_nodes(table, mode), logarithmic)
    *modes, last = modes_to_try(len(table.masks))
    for attempt in modes:
        scene = _compose(table, view, label_nodes(table, attempt), logarithmic)
        left, right, _, _ = scene.extent
        if right - left <= _WIDEST:
            return scene
    return _compose(table, view, label_nodes(table, last), logarithmic)


def _compose(table: LatticeTable, view: View, labels: NodeLabels, logarithmic: bool) -> Scene:
    masks, ranks = np.asarray(table.masks, dtype=np.int64), np.asarray(table.ranks, dtype=np.int64)
    values = [table.value_at(mask) for mask in masks.tolist()]
    edges = cover_edges(masks, ranks, len(table.features))
    boxes = _box_sizes(masks, labels)
    gap = _GAPS[labels.mode]
    centers = place_by_size(masks, boxes, gap)
    if view == "size":
        ticks = [
            (y, f"|S| = {k}") for k, y in sorted(set(zip(sizes(masks).tolist(), centers[:, 1].tolist(), strict=True)))
        ]
        broken = False
    else:
        height = _axis_length(len(np.unique(ranks)), boxes)
        heights = height * heights_by_value(values, logarithmic=logarithmic)
        centers = np.column_stack([spread(heights, centers[:, 0], boxes, edges, 1.5 * gap), heights])
        ticks, broken = _axis_ticks(values, height, logarithmic)
    curves = [edge_curve(i, j, centers, boxes, ranks) for i, j in zip(edges.lower, edges.upper, strict=True)]
    return Scene(view, masks, ranks, values, labels, centers, boxes, edges, curves, ticks, logarithmic, broken)


def _box_sizes(masks: Masks, labels: NodeLabels) -> Points:
    """Return boxes that hold their texts, of one size for all subsets of a size."""
    wide, high = _PADDING[labels.mode]
    boxes = np.zeros((len(masks), 2))
    for i, (name, value) in enumerate(zip(labels.names, labels.values, strict=True)):
        name_width, name_height = measure(name, labels.points)
        value_width, value_height = measure(value, labels.points)
        boxes[i] = max(name_width, value_width) + wide, name_height + value_height + high
    for k in np.unique(sizes(masks)):
        level = sizes(masks) == k
        boxes[level] = boxes[level].max(axis=0)
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
