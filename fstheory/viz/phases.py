"""Phase diagrams: values of subsets against a parameter, below them their ordering; what is best on a grid of two."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Mapping, Sequence

from fstheory._optional import require
from fstheory.viz.figure import PlotFigure
from fstheory.viz.style import FONT, INK, SERIES_COLORS, SERIES_SHAPES

__all__ = ["draw_phases", "draw_regions"]

_STYLES = ("solid", (0, (5, 2)), (0, (1, 1.5)), (0, (5, 1.5, 1, 1.5)))


def draw_phases(
    names: Sequence[str],
    values: Mapping[float, Sequence[float]],
    marks: Sequence[float],
    ranks: Sequence[Sequence[int]],
    title: str,
) -> PlotFigure:
    """Draw risks against t, and the rank of each subset in each interval.

    Parameters
    ----------
    names : sequence of str
    values : mapping from t, ascending, to the values of all subsets
    marks : sequence of float
        The ends and between them the critical values.
    ranks : sequence of sequences of int
        For each interval the dense rank of every subset, 0 for the least value.
    title : str
    """
    require("matplotlib", "viz", "drawing a phase diagram")
    import matplotlib as mpl
    from matplotlib.figure import Figure

    with mpl.rc_context({"font.family": FONT, "font.size": 9}):
        below = max(2.4, 0.25 * (max(map(max, ranks)) + 1))  # inches
        figure = Figure(figsize=(7.6, 3.8 + below), layout="constrained")
        upper, lower = figure.subplots(2, 1, sharex=True, height_ratios=[3.6, below])
        for i, name in enumerate(names):
            look = {"color": SERIES_COLORS[i % len(SERIES_COLORS)], "linestyle": _STYLES[i // len(SERIES_COLORS) % 4]}
            upper.plot(list(values), [row[i] for row in values.values()], linewidth=1.5, label=name, **look)
            for (start, end), row in zip(itertools.pairwise(marks), ranks, strict=True):
                tied = [other for other, rank in enumerate(row) if rank == row[i]]
                y = row[i] + 0.6 * ((tied.index(i) + 1) / (len(tied) + 1) - 0.5)  # those that tie lie side by side
                lower.plot([start, end], [y, y], linewidth=2.4, solid_capstyle="butt", **look)
        for mark in marks[1:-1]:
            for axes in (upper, lower):
                axes.axvline(mark, color="#bdbdbd", linewidth=0.7, zorder=0)
        upper.set_ylabel("Bayes risk")
        lower.set_ylabel("place, from the least risk")
        lower.set_yticks(range(max(map(max, ranks)) + 1))
        lower.invert_yaxis()
        lower.set_xlabel("t")
        for axes in (upper, lower):
            axes.spines[["top", "right"]].set_visible(False)
            axes.tick_params(colors=INK)
        upper.legend(loc="center left", bbox_to_anchor=(1.01, 0.5), frameon=False, fontsize=8)
        figure.suptitle(title, fontsize=10.5)
    text = f"Bayes risks of {len(names)} subsets against t; the ordering changes at {len(marks) - 2} values."
    return PlotFigure(figure, title, text)


def draw_regions(points: Mapping[tuple[float, float], str], axes: tuple[str, str], title: str) -> PlotFigure:
    """Draw the points of a grid, each with the color and the shape of the answer there."""
    require("matplotlib", "viz", "drawing a grid")
    import matplotlib as mpl
    from matplotlib.figure import Figure

    with mpl.rc_context({"font.family": FONT, "font.size": 9}):
        figure = Figure(figsize=(7.6, 5.4), layout="constrained")
        area = figure.subplots()
        columns = len({x for x, _ in points})
        for i, (name, count) in enumerate(Counter(points.values()).most_common()):
            color = SERIES_COLORS[i % len(SERIES_COLORS)]
            here = [point for point, answer in points.items() if answer == name]
            area.plot(
                [x for x, _ in here], [y for _, y in here], linestyle="none", markersize=170 / columns, color=color,
                marker=SERIES_SHAPES[(i + i // len(SERIES_COLORS)) % len(SERIES_SHAPES)], label=f"{name} ({count})",
                fillstyle="full" if i < len(SERIES_COLORS) else "none",
            )  # fmt: skip
        area.set_xlabel(axes[0])
        area.set_ylabel(axes[1])
        area.set_box_aspect(1)
        area.spines[["top", "right"]].set_visible(False)
        area.tick_params(colors=INK)
        area.legend(loc="upper left", bbox_to_anchor=(1.01, 1.0), frameon=False, fontsize=8)
        figure.suptitle(title, fontsize=10.5)
    text = (
        f"A grid of {len(points)} exact evaluations against {axes[0]} and {axes[1]}; between them nothing is claimed."
    )
    return PlotFigure(figure, title, text)
