"""The course of an edge: a straight line, or an arc past the nodes that stand between its ends."""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from fstheory.viz.layout import Points

__all__ = ["Curve", "edge_curve"]

_Point: TypeAlias = "tuple[float, float]"

_DEPTHS = (1.0, 0.7, 1.4, 0.5, 1.9)  # of an arc, as multiples of the usual one, the most wanted first


class Curve(NamedTuple):
    """A quadratic Bezier curve; a straight line if its control point is the middle."""

    start: _Point
    control: _Point
    end: _Point

    def point(self, t: float) -> _Point:
        """Return the point at parameter t in [0, 1].

        Examples
        --------
        >>> Curve((0.0, 0.0), (1.0, 2.0), (2.0, 0.0)).point(0.5)
        (1.0, 1.0)
        """
        a, b, c = (1 - t) ** 2, 2 * t * (1 - t), t**2
        x, y = (a * s + b * m + c * e for s, m, e in zip(self.start, self.control, self.end, strict=True))
        return x, y

    def reversed(self) -> Curve:
        """Return the same curve, run through from its end."""
        return Curve(self.end, self.control, self.start)


def edge_curve(i: int, j: int, centers: Points, boxes: Points, ranks: npt.NDArray[np.int64]) -> Curve:
    """Return the curve from node i to node j, at whose centers it starts and ends.

    Nodes of one value stand in a row when the height is the value. The edge between two of them is an arc if others
    stand between: it takes the course that runs behind the fewest of them, where there is a choice below the lowest row
    and above the others.
    """
    start, end = (float(centers[i, 0]), float(centers[i, 1])), (float(centers[j, 0]), float(centers[j, 1]))
    middle = ((start[0] + end[0]) / 2, (start[1] + end[1]) / 2)
    if start[1] != end[1] or not _between(start, end, centers, boxes, (i, j)):
        return Curve(start, middle, end)
    side = -1.0 if ranks[i] == 0 else 1.0
    depth = float(boxes[[i, j], 1].max()) / 2 + 0.05 + 0.27 * abs(end[0] - start[0]) ** 0.5
    depths = [side * share * depth for share in _DEPTHS] + [-side * share * depth for share in _DEPTHS]
    arcs = [Curve(start, (middle[0], middle[1] + 2 * deep), end) for deep in depths]
    return min(arcs, key=lambda arc: _boxes_met(arc, centers, boxes, (i, j)))  # the first of the best


def _boxes_met(curve: Curve, centers: Points, boxes: Points, ends: tuple[int, int]) -> int:
    """Count the boxes a curve runs behind, other than those at its ends."""
    points = np.array([curve.point(t) for t in np.linspace(0, 1, 61).tolist()])
    inside = np.abs(points[:, None, :] - centers) < boxes / 2 + 0.03
    inside[:, list(ends)] = False
    return int(np.count_nonzero(np.any(np.all(inside, axis=2), axis=0)))


def _between(start: _Point, end: _Point, centers: Points, boxes: Points, ends: tuple[int, int]) -> bool:
    """Say whether some other box stands on the level line between two points."""
    left, right = min(start[0], end[0]), max(start[0], end[0])
    on_line = np.abs(centers[:, 1] - start[1]) < boxes[:, 1] / 2
    on_line[list(ends)] = False
    return bool((on_line & (centers[:, 0] > left) & (centers[:, 0] < right)).any())
