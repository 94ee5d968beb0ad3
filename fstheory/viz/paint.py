"""Paint a scene with its title, axis and legend on a figure that fits it."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

import numpy as np

from fstheory.viz import style
from fstheory.viz._fonts import line_height, measure, wrap
from fstheory.viz.glyphs import draw_box, draw_edge, draw_step
from fstheory.viz.legend import draw_legend, legend_entries, legend_rows, row_height, row_width
from fstheory.viz.marks import Marks
from fstheory.viz.pen import Line, Pen
from fstheory.viz.protocol import LatticeTable
from fstheory.viz.scene import Scene

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["paint"]

_MARGIN = 0.15  # inches
_TITLE_POINTS = 10.0
_SIDE_POINTS = 8.0
_NARROWEST = 3.2  # for a title and a legend below a lattice of few subsets


def paint(table: LatticeTable, scene: Scene, marks: Marks, title: str, ax: Axes | None) -> Figure:
    """Draw a scene on `ax`, or on a new figure of its size, and return the figure."""
    left, right, bottom, top = scene.extent
    side = max(measure(text, _SIDE_POINTS)[0] for _, text in scene.ticks) + (0.55 if scene.view == "risk" else 0.25)
    left, right, bottom, top = left - side, right + 0.1, bottom - 0.15, top + 0.15
    if scene.columns:
        bottom -= line_height(_SIDE_POINTS) + 0.15
    width, center = max(right - left, _NARROWEST), (left + right) / 2
    title = wrap(title, _TITLE_POINTS, width, bold=True)
    rows = legend_rows(legend_entries(table, scene, marks), width)
    width = max(width, measure(title, _TITLE_POINTS, bold=True)[0], *map(row_width, rows))  # of a long name
    head = measure(title, _TITLE_POINTS, bold=True)[1] + line_height(_TITLE_POINTS) if title else 0.0
    foot = sum(map(row_height, rows))
    x_range = (center - width / 2 - _MARGIN, center + width / 2 + _MARGIN)
    y_range = (bottom - foot - _MARGIN, top + head + _MARGIN)
    pen = _open(ax, x_range, y_range, style.STROKES[scene.labels.mode])
    if title:
        pen.text(center, top + head / 2 + 0.05, title, _TITLE_POINTS, bold=True)
    for x, text in scene.columns:
        pen.text(x, bottom + 0.5 * line_height(_SIDE_POINTS) + 0.1, text, _SIDE_POINTS, color=style.FAINT)
    _draw_side(pen, table, scene, left + side - 0.12)
    _draw_edges(pen, scene, marks)
    _draw_nodes(pen, scene, marks)
    draw_legend(pen, rows, center, bottom)
    figure: Figure = pen.axes.figure.figure  # the outermost, where axes stand in a part of a figure
    return figure


def _open(ax: Axes | None, x_range: tuple[float, float], y_range: tuple[float, float], stroke: float) -> Pen:
    """Return a pen for the axes given, or for those that fill a new figure."""
    width, height = x_range[1] - x_range[0], y_range[1] - y_range[0]
    scale = 1.0
    if ax is None:
        from matplotlib.figure import Figure

        ax = Figure(figsize=(width, height), facecolor="white").add_axes((0.0, 0.0, 1.0, 1.0))
    else:
        frame, dpi = ax.get_window_extent(), ax.figure.figure.dpi
        scale = min(frame.width / dpi / width, frame.height / dpi / height)
    ax.set_axis_off()
    ax.set_xlim(*x_range)
    ax.set_ylim(*y_range)
    ax.set_aspect("equal", adjustable="box")
    return Pen(ax, scale, stroke)


def _draw_side(pen: Pen, table: LatticeTable, scene: Scene, x: float) -> None:
    """Draw the axis of values, or the sizes of the levels."""
    if scene.view == "size":
        for y, text in scene.ticks:
            pen.text(x - 0.05, y, text, _SIDE_POINTS, color=style.FAINT, align="right")
        return
    heights = [y for y, _ in scene.ticks] + scene.centers[:, 1].tolist()
    low, high = min(heights), max(heights)
    spine = low
    if scene.broken:
        spine = min(scene.centers[scene.centers[:, 1] > 0, 1].tolist()) * 0.8
        for y in (spine, spine - 0.06):
            pen.line(Line((x - 0.06, y - 0.03), (x + 0.06, y + 0.03)), 0.8, style.INK, 2)
        pen.line(Line((x, low), (x, spine - 0.06)), 0.8, style.INK, 2)
    if high > spine:
        pen.line(Line((x, spine), (x, high)), 0.8, style.INK, 2)
    for y, text in scene.ticks:
        pen.line(Line((x - 0.05, y), (x, y)), 0.8, style.INK, 2)
        pen.text(x - 0.09, y, text, _SIDE_POINTS, align="right")
    widest = max(measure(text, _SIDE_POINTS)[0] for _, text in scene.ticks)
    words = f"{table.name} {table.symbol}(S)" + (", logarithmic" if scene.logarithmic else "")
    if high > low:
        pen.text(x - 0.26 - widest, (low + high) / 2, words, _SIDE_POINTS, rotation=90.0)


def _draw_edges(pen: Pen, scene: Scene, marks: Marks) -> None:
    centers = [(x, y) for x, y in scene.centers.tolist()]
    held = [int(scene.masks[node[0]]) for node in scene.nodes]
    for i, j, step in zip(*(part.tolist() for part in scene.edges), strict=True):
        kind = {0: "tie", 1: "rise", -1: "fall"}[step]
        draw_edge(pen, Line(centers[i], centers[j]), step, gid=f"edge-{kind}-{held[i]}-{held[j]}")
    ringed = _ringed(scene, marks)
    visited = list(dict.fromkeys(map(scene.node_of, marks.path)))
    for here, there in itertools.pairwise(visited):
        line = Line(centers[here], centers[there])
        room = style.RING * pen.stroke if there in ringed else 0.0
        draw_step(pen, line, _entry_point(line, scene, there, room), gid=f"step-{held[here]}-{held[there]}")


def _ringed(scene: Scene, marks: Marks) -> set[int]:
    """Return the nodes that hold S*, or one of the minimal subsets."""
    best = () if marks.best is None else (marks.best,)
    return set(map(scene.node_of, (*best, *marks.minimal)))


def _draw_nodes(pen: Pen, scene: Scene, marks: Marks) -> None:
    labels, levels = scene.labels, int(scene.ranks.max()) + 1
    line = line_height(labels.points)
    ringed, optimal = _ringed(scene, marks), set(map(scene.node_of, marks.optimal))
    for i, (x, y) in enumerate(scene.centers.tolist()):
        size = (float(scene.boxes[i, 0]), float(scene.boxes[i, 1]))
        fill = style.shade(int(scene.ranks[i]), levels)
        gid = "-".join(["node", *(str(int(scene.masks[k])) for k in scene.nodes[i])])
        draw_box(pen, (x, y), size, fill, ringed=i in ringed, optimal=i in optimal, gid=gid)
        name, value = labels.names[i], labels.values[i]
        lines = (name.count("\n") + 1 if name else 0) + (1 if value else 0)
        top = y + (lines - 1) / 2 * line
        if name:
            pen.text(x, top - name.count("\n") / 2 * line, name, labels.points)
        if value:
            pen.text(x, top - (lines - 1) * line, value, labels.points)


def _entry_point(line: Line, scene: Scene, node: int, room: float) -> float:
    """Return the parameter at which a line enters the box of a node."""
    half = scene.boxes[node] / 2 + room + 0.01
    reach = np.abs(np.array(line.end) - np.array(line.start))
    return 1.0 - min(float(h / r) for h, r in zip(half, reach, strict=True) if r > 0) if reach.any() else 0.5
