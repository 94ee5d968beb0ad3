"""Drawing in inches on matplotlib axes of any size."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from fstheory.viz import style
from fstheory.viz._fonts import line_height

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["Line", "Pen"]


class Line(NamedTuple):
    """A straight line."""

    start: tuple[float, float]
    end: tuple[float, float]

    def point(self, t: float) -> tuple[float, float]:
        """Return the point at parameter t in [0, 1]."""
        (a, b), (c, d) = self
        return a + t * (c - a), b + t * (d - b)


@dataclass(frozen=True)
class Pen:
    """Axes whose data unit is one inch of the scene, and what an inch of the scene is on paper.

    Attributes
    ----------
    axes : matplotlib.axes.Axes
    scale : float
        Inches on paper for an inch of the scene; widths of lines and sizes of letters follow it.
    stroke : float
        What widths of lines and sizes of marks are multiplied by besides: crowded pictures have finer lines.
    """

    axes: Axes
    scale: float = 1.0
    stroke: float = 1.0

    def line(
        self, line: Line, width: float, color: str, z: float,
        *, dashes: tuple[float, float] | None = None, gid: str = "",
    ) -> None:  # fmt: skip
        """Draw a line."""
        from matplotlib.patches import PathPatch
        from matplotlib.path import Path

        # the dash pattern is in units of the width of the line
        pattern: Any = (0, tuple(part / width for part in dashes)) if dashes else "solid"
        patch = PathPatch(
            Path([line.start, line.end]),
            fill=False,
            edgecolor=color,
            linewidth=width * self.scale * self.stroke,
            linestyle=pattern,
            capstyle="butt",
            zorder=z,
        )
        self._add(patch, gid)

    def box(
        self, center: tuple[float, float], size: tuple[float, float], fill: str, border: str, width: float, z: float,
        *, square: bool = False, gid: str = "",
    ) -> None:  # fmt: skip
        """Draw a box with round or square corners."""
        from matplotlib.patches import FancyBboxPatch

        corners = "square,pad=0" if square else f"round,pad=0,rounding_size={min(0.07, 0.45 * min(size))}"
        low = (center[0] - size[0] / 2, center[1] - size[1] / 2)
        patch = FancyBboxPatch(
            low,
            *size,
            boxstyle=corners,
            facecolor=fill,
            edgecolor=border,
            linewidth=width * self.scale * self.stroke,
            zorder=z,
        )
        self._add(patch, gid)

    def polygon(self, corners: list[tuple[float, float]], fill: str, z: float, *, gid: str = "") -> None:
        """Draw a filled polygon with a thin dark border."""
        from matplotlib.patches import Polygon

        patch = Polygon(
            corners, facecolor=fill, edgecolor=style.INK, linewidth=0.6 * self.scale * self.stroke, zorder=z
        )
        self._add(patch, gid)

    def text(
        self, x: float, y: float, text: str, points: float, *, color: str = style.INK, align: str = "center",
        rotation: float = 0.0, bold: bool = False,
    ) -> None:  # fmt: skip
        """Write lines of text around the height y, each as one piece of text."""
        lines = text.split("\n")
        top = y + (len(lines) - 1) / 2 * line_height(points) + 0.0015 * points  # letters without descenders look low
        for k, line in enumerate(lines):
            self.axes.text(
                x, top - k * line_height(points), line, fontsize=points * self.scale, family=style.FONT, color=color,
                ha=align, va="center_baseline" if not rotation else "center", rotation=rotation,
                weight="bold" if bold else "normal", zorder=9, parse_math=False, usetex=False,
            )  # fmt: skip

    def _add(self, patch: Any, gid: str) -> None:
        if gid:
            patch.set_gid(gid)
        patch.set_clip_on(False)
        patch.set_snap(False)
        self.axes.add_artist(patch)
