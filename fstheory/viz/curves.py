"""Curves by a whole number: exact points joined by lines, estimated ones with the bars of their intervals."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from fstheory._optional import require
from fstheory.viz.figure import PlotFigure
from fstheory.viz.style import FAINT, FONT, INK, SERIES_COLORS, SERIES_SHAPES

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["Panel", "Point", "Series", "draw_curves"]

_PANEL = (7.4, 2.9)  # inches


class Point(NamedTuple):
    """A value at x; where it is an estimate, with its interval."""

    x: int
    y: float
    interval: tuple[float, float] | None = None


class Series(NamedTuple):
    """Points under a name, in the order of x."""

    name: str
    points: Sequence[Point]
    is_bold: bool = False


class Panel(NamedTuple):
    """Curves with common axes, and a level that they are held against."""

    title: str
    series: Sequence[Series]
    level: tuple[str, float] | None = None


def draw_curves(panels: Sequence[Panel], *, x: str, title: str, description: str) -> PlotFigure:
    """Draw panels one below the other; what is estimated is hollow, dashed and has bars."""
    require("matplotlib", "viz", "drawing curves")
    import matplotlib as mpl
    from matplotlib.figure import Figure

    with mpl.rc_context({"font.family": FONT, "font.size": 9}):
        figure = Figure(figsize=(_PANEL[0], _PANEL[1] * len(panels)), layout="constrained")
        axes = figure.subplots(len(panels), 1, sharex=True, squeeze=False)[:, 0]
        for area, panel in zip(axes, panels, strict=True):
            _draw_panel(area, panel)
        axes[-1].set_xlabel(x)
        figure.suptitle(title, fontsize=10.5)
    return PlotFigure(figure, title, description)


def _draw_panel(axes: Axes, panel: Panel) -> None:
    """Draw the curves of a panel, its level and the border of what is exact."""
    from matplotlib.ticker import MaxNLocator

    for i, series in enumerate(panel.series):
        _draw_series(axes, series, SERIES_COLORS[i % len(SERIES_COLORS)], SERIES_SHAPES[i % len(SERIES_SHAPES)])
    if panel.level is not None:
        name, value = panel.level
        axes.axhline(value, color=INK, linewidth=1.0, linestyle=(0, (1, 2)), label=name)
    exact = [point.x for series in panel.series for point in series.points if point.interval is None]
    estimated = [point.x for series in panel.series for point in series.points if point.interval is not None]
    if estimated and (beyond := [m for m in exact if m < min(estimated)]):
        border = (max(beyond) + min(estimated)) / 2
        axes.axvline(border, color=FAINT, linewidth=0.8, linestyle=(0, (5, 3)))
        for text, side in (("exact", "right"), ("estimated", "left")):
            shift = 4 if side == "left" else -4
            axes.annotate(
                text, (border, 1.0), xycoords=("data", "axes fraction"), xytext=(shift, 3),
                textcoords="offset points", ha=side, va="bottom", color=FAINT, fontsize=8,
            )  # fmt: skip
    axes.set_ylabel(panel.title)
    axes.grid(visible=True, color="#e4e4e4", linewidth=0.6)
    axes.set_axisbelow(True)
    axes.spines[["top", "right"]].set_visible(False)
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    axes.legend(loc="center left", bbox_to_anchor=(1.01, 0.5), frameon=False, fontsize=8.5)


def _draw_series(axes: Axes, series: Series, color: str, shape: str) -> None:
    width, size = (2.2, 5.5) if series.is_bold else (1.2, 4.0)
    exact = [point for point in series.points if point.interval is None]
    estimated = [point for point in series.points if point.interval is not None]
    label: str | None = series.name
    if exact:
        xs, ys = [point.x for point in exact], [point.y for point in exact]
        axes.plot(xs, ys, color=color, linewidth=width, marker=shape, markersize=size, label=label)
        label = None
    if estimated:
        xs, ys = [point.x for point in estimated], [point.y for point in estimated]
        bars = [(point.y - point.interval[0], point.interval[1] - point.y) for point in estimated if point.interval]
        lows, highs = ([max(0.0, bar[i]) for bar in bars] for i in (0, 1))
        axes.errorbar(
            xs, ys, yerr=[lows, highs], color=color, linewidth=width * 0.7, linestyle=(0, (3, 2)), marker=shape,
            markersize=size, markerfacecolor="white", capsize=2.5, elinewidth=1.0, label=label,
        )  # fmt: skip
