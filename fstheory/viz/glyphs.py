"""The signs of a picture: edges, steps of a path, boxes and their marks. Legend and lattice share them."""

from __future__ import annotations

import math

from fstheory.viz import style
from fstheory.viz.pen import Line, Pen

__all__ = ["draw_box", "draw_edge", "draw_step"]

_HEAD = 0.13  # inches from the tip of an arrow to its base


def draw_edge(pen: Pen, line: Line, step: int, *, gid: str = "") -> None:
    """Draw an edge: thick and solid if removing the feature loses nothing, else thin and broken."""
    if step == 0:
        pen.line(line, style.TIE_WIDTH, style.TIE_COLOR, 2.0, gid=gid)
    else:
        dashes = style.COST_DASHES if step > 0 else style.FALL_DASHES
        pen.line(line, style.COST_WIDTH, style.COST_COLOR, 1.5, dashes=dashes, gid=gid)


def draw_step(pen: Pen, line: Line, tip: float, *, gid: str = "") -> None:
    """Draw a step of a path: a broad band under the edge, and an arrow head whose tip is at parameter `tip`."""
    pen.line(line, style.PATH_WIDTH, style.PATH_COLOR, 1.0)
    x, y = line.point(tip)
    before = line.point(tip - 0.02)
    head = _HEAD * pen.stroke
    length = math.hypot(x - before[0], y - before[1]) or 1.0
    dx, dy = (x - before[0]) / length * head, (y - before[1]) / length * head
    corners = [(x, y), (x - dx + 0.6 * dy, y - dy - 0.6 * dx), (x - dx - 0.6 * dy, y - dy + 0.6 * dx)]
    pen.polygon(corners, style.PATH_COLOR, 2.5, gid=gid)


def draw_box(
    pen: Pen, center: tuple[float, float], size: tuple[float, float], fill: str, *,
    ringed: bool = False, optimal: bool = False, gid: str = "",
) -> None:  # fmt: skip
    """Draw a node: ringed by a second border if it is minimal-optimal, square with a flag if it is k-optimal."""
    if ringed:
        ring = 2 * style.RING * pen.stroke
        outer = (size[0] + ring, size[1] + ring)
        pen.box(center, outer, "#ffffff", style.INK, 1.8, 3.0, square=optimal)
    border, width = (style.OPTIMAL_COLOR, 2.2) if optimal else (style.INK, 1.2 if ringed else style.BORDER)
    pen.box(center, size, fill, border, width, 4.0, square=optimal, gid=gid)
    if optimal:
        corner = (center[0] + size[0] / 2, center[1] + size[1] / 2)
        pen.box(
            corner,
            (style.FLAG * pen.stroke, style.FLAG * pen.stroke),
            style.OPTIMAL_COLOR,
            "#ffffff",
            0.6,
            5.0,
            square=True,
        )
