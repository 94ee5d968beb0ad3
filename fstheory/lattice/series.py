"""Drawings of curves, bars, phase diagrams and graphs of labeled points, all in one style."""

from __future__ import annotations

import itertools
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, NamedTuple

from fstheory.errors import TooLargeError, import_optional, require
from fstheory.lattice import figure as ink
from fstheory.lattice.figure import FAINT, FONT, INK, SERIES_COLORS, SERIES_SHAPES, PlotFigure

if TYPE_CHECKING:
    import networkx as nx
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


# -- The common style: a figure with a title, no borders at the top and the right, and a legend beside the axes.


@contextmanager
def _figure(width: float, height: float, title: str) -> Iterator[Figure]:
    """Enter a new figure with a title, of this width and height in inches, with the common settings."""
    import_optional("matplotlib", "viz", "drawing")
    import matplotlib as mpl
    from matplotlib.figure import Figure

    with mpl.rc_context({"font.family": FONT, "font.size": 9}):
        figure = Figure(figsize=(width, height), layout="constrained")
        yield figure
        figure.suptitle(title, fontsize=10.5)


def _explain(axes: Any, size: float = 8.5, at: tuple[str, float] = ("center left", 0.5)) -> None:
    axes.legend(loc=at[0], bbox_to_anchor=(1.01, at[1]), frameon=False, fontsize=size)


def _open(axes: Any, along: str = "both") -> None:
    axes.grid(visible=True, axis=along, color="#e4e4e4", linewidth=0.6)
    axes.set_axisbelow(True)
    axes.spines[["top", "right"]].set_visible(False)


# -- Curves over whole numbers: exact points are joined by lines, and estimated points have bars for their intervals.


class Point(NamedTuple):
    """A value y at x. If the value is an estimate, it has an interval."""

    x: int
    y: float
    interval: tuple[float, float] | None = None


class Series(NamedTuple):
    """A named curve: its points in the order of x."""

    name: str
    points: Sequence[Point]
    is_bold: bool = False


class Panel(NamedTuple):
    """Curves with common axes, and a level for comparison."""

    title: str
    series: Sequence[Series]
    level: tuple[str, float] | None = None


def draw_curves(panels: Sequence[Panel], *, x: str, title: str, description: str) -> PlotFigure:
    """Return a drawing of panels below one another. Estimated points are hollow and dashed, with bars."""
    with _figure(7.4, 2.9 * len(panels), title) as figure:
        axes = figure.subplots(len(panels), 1, sharex=True, squeeze=False)[:, 0]
        for area, panel in zip(axes, panels, strict=True):
            _draw_panel(area, panel)
        axes[-1].set_xlabel(x)
    return PlotFigure(figure, title, description)


def _draw_panel(axes: Axes, panel: Panel) -> None:
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
        look: Any = {
            "xycoords": ("data", "axes fraction"),
            "textcoords": "offset points",
            "color": FAINT,
            "fontsize": 8,
        }
        axes.annotate("exact", (border, 1.0), xytext=(-4, 3), ha="right", va="bottom", **look)
        axes.annotate("estimated", (border, 1.0), xytext=(4, 3), ha="left", va="bottom", **look)
    axes.set_ylabel(panel.title)
    _open(axes)
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    _explain(axes)


def _draw_series(axes: Axes, series: Series, color: str, shape: str) -> None:
    width, size = (2.2, 5.5) if series.is_bold else (1.2, 4.0)
    exact = [point for point in series.points if point.interval is None]
    estimated = [point for point in series.points if point.interval is not None]
    label: str | None = series.name
    if exact:
        places = [point.x for point in exact], [point.y for point in exact]
        axes.plot(*places, color=color, linewidth=width, marker=shape, markersize=size, label=label)
        label = None
    if estimated:
        bars = [(point.y - point.interval[0], point.interval[1] - point.y) for point in estimated if point.interval]
        xs, ys = [point.x for point in estimated], [point.y for point in estimated]
        ends = [[max(0.0, low) for low, _ in bars], [max(0.0, high) for _, high in bars]]
        axes.errorbar(
            xs,
            ys,
            yerr=ends,
            color=color,
            linewidth=width * 0.7,
            linestyle=(0, (3, 2)),
            marker=shape,
            markersize=size,
            markerfacecolor="white",
            capsize=2.5,
            elinewidth=1.0,
            label=label,
        )


# -- Bars: one row for each name.


def draw_bars(
    names: Sequence[str],
    panels: Mapping[str, Sequence[float]],
    chosen: tuple[str, Collection[str]],
    level: tuple[str, float] | None,
    *,
    title: str,
    description: str,
) -> PlotFigure:
    """Return a drawing of panels side by side, with a bar for each name.

    `chosen` holds a word for the legend and the names whose bars are hatched. `level` holds a name and a value, drawn
    as a line in the first panel, or is None.
    """
    are_chosen = [name in chosen[1] for name in names]
    with _figure(5.2, 1.3 + 0.2 * len(names), title) as figure:
        areas = figure.subplots(1, len(panels), sharey=True, squeeze=False)[0]
        legend: dict[str, Any] = {}
        for area, (label, values) in zip(areas, panels.items(), strict=True):
            look = {"color": [SERIES_COLORS[which] for which in are_chosen], "edgecolor": "white", "linewidth": 0}
            bars = area.barh(range(len(names)), values, hatch=["////" * which for which in are_chosen], **look)
            if any(are_chosen):
                legend[chosen[0]] = bars[are_chosen.index(True)]
            area.set(xlabel=label, xlim=(min(0.0, *values), None))
            _open(area, "x")
            area.tick_params(axis="y", length=0)
        if level is not None:
            legend[level[0]] = areas[0].axvline(level[1], color=INK, linewidth=1.0, linestyle=(0, (1, 2)))
        shown = [name if len(name) <= _LETTERS else f"{name[: _LETTERS - 1]}…" for name in names]
        areas[0].set_yticks(range(len(names)), shown, fontsize=8, parse_math=False)
        areas[0].set_ylim(len(names) - 0.4, -0.6)
        figure.legend(legend.values(), legend, loc="outside lower center", ncols=2, frameon=False, fontsize=8.5)
    return PlotFigure(figure, title, description)


_LETTERS = 28  # longer names are cut


# -- Phase diagrams: the values of subsets against a parameter, and below them the ordering of the subsets.


_STYLES = ("solid", (0, (5, 2)), (0, (1, 1.5)), (0, (5, 1.5, 1, 1.5)))


def draw_phases(
    names: Sequence[str],
    values: Mapping[float, Sequence[float]],
    marks: Sequence[float],
    ranks: Sequence[Sequence[int]],
    title: str,
) -> PlotFigure:
    """Return a phase diagram: the values of subsets against t, and below them their ranks in each interval.

    `values` maps ascending t to the values of all subsets. `marks` holds the two ends of the parameter and the critical
    values between them. `ranks` holds the ranks of the subsets in each interval, 0 for the smallest value.
    """
    below = max(2.4, 0.25 * (max(map(max, ranks)) + 1))  # inches
    with _figure(7.6, 3.8 + below, title) as figure:
        upper, lower = figure.subplots(2, 1, sharex=True, height_ratios=[3.6, below])
        for i, name in enumerate(names):
            look = {"color": SERIES_COLORS[i % len(SERIES_COLORS)], "linestyle": _STYLES[i // len(SERIES_COLORS) % 4]}
            upper.plot(list(values), [row[i] for row in values.values()], linewidth=1.5, label=name, **look)
            for (start, end), row in zip(itertools.pairwise(marks), ranks, strict=True):
                tied = [other for other, rank in enumerate(row) if rank == row[i]]
                y = row[i] + 0.6 * ((tied.index(i) + 1) / (len(tied) + 1) - 0.5)  # subsets that tie lie side by side
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
        _explain(upper, 8)
    text = f"Bayes risks of {len(names)} subsets against t; the ordering changes at {len(marks) - 2} values."
    return PlotFigure(figure, title, text)


# -- A graph of labeled points, drawn.


_MOST = 2000  # a picture of more points takes minutes and is not readable

_APART = 0.7  # the gap between components, in units of the distance between neighbors


def draw_points(
    graph: nx.Graph[int], classes: Sequence[Any], places: Sequence[tuple[float, float]] | None, title: str
) -> PlotFigure:
    """Return a drawing of a graph of points, whose nodes have a `label` and an `uncertainty`.

    Each class has a color and a shape. Edges between different classes are broken. A ring marks a point with another
    class in its neighborhood. If `places` is None, the layout is computed from the edges.
    """
    import networkx as nx

    drawable = len(graph) <= _MOST
    require(drawable, "points", f"at most {_MOST:,} to be drawn", len(graph), "draw fewer of them", TooLargeError)
    positions = dict(enumerate(places)) if places is not None else _layout(graph)
    size = max(14.0, min(70.0, 5000 / len(graph)))
    labels = nx.get_node_attributes(graph, "label")
    with _figure(6.4, 4.6, title) as figure:
        axes = figure.subplots()
        for same, color, style in ((True, INK, "solid"), (False, "#8a8a8a", "dashed")):
            pairs = [(one, other) for one, other in graph.edges if (labels[one] == labels[other]) == same]
            nx.draw_networkx_edges(graph, positions, pairs, ax=axes, edge_color=color, style=style, width=1.1)
        mixed = [node for node, value in graph.nodes(data="uncertainty") if value]
        if mixed:
            nx.draw_networkx_nodes(
                graph,
                positions,
                mixed,
                ax=axes,
                node_size=2.6 * size,
                node_color="white",
                edgecolors=INK,
                linewidths=0.7,
            )
        for place, label in enumerate(classes):
            nodes = [node for node in graph if labels[node] == label]
            drawn = nx.draw_networkx_nodes(
                graph,
                positions,
                nodes,
                ax=axes,
                node_size=size,
                node_color=SERIES_COLORS[place % len(SERIES_COLORS)],
                node_shape=SERIES_SHAPES[place % len(SERIES_SHAPES)],
                label=f"class {label}",
            )
            drawn.set_zorder(3)
        axes.set_axis_off()
        if places is not None:
            axes.set_aspect("equal", adjustable="datalim")
        _explain(axes)
    broken = sum(labels[one] != labels[other] for one, other in graph.edges)
    text = f"{len(graph)} points, {graph.number_of_edges()} edges, {broken} of them between classes."
    return PlotFigure(figure, title, text)


def draw_arcs(graph: nx.DiGraph[str], title: str, marks: Sequence[Collection[str]] = ((), (), ())) -> PlotFigure:
    """Return a drawing of a directed acyclic graph, with the roots at the top.

    `marks` holds the nodes that are filled, shaded and framed.
    """
    import networkx as nx

    (filled, shaded, framed), layers = marks, list[list[str]]()
    places: dict[str, tuple[float, float]] = {}
    for names in nx.topological_generations(graph):
        above = {name: [places[parent][0] for parent in graph.predecessors(name)] for name in names}
        layers.append(sorted(names, key=lambda name: sum(above[name]) / max(len(above[name]), 1)))
        places |= {name: ((i + 0.5) / len(names), -float(len(layers))) for i, name in enumerate(layers[-1])}
    wide = max(sum(ink.measure(name, 9)[0] + 0.35 for name in names) for names in layers)
    with _figure(max(wide, ink.measure(title, 10.5)[0], 3.0) + 0.2, 0.75 * len(layers) + 0.4, title) as figure:
        axes = figure.subplots()
        texts = nx.draw_networkx_labels(graph, places, font_size=9, font_family=FONT, ax=axes, clip_on=False)
        for name, text in texts.items():
            fill = ink.PATH_COLOR if name in filled else ink.shade(int(name in shaded), 2)
            edge, width = (ink.OPTIMAL_COLOR, 2.4) if name in framed else (INK, 0.8)
            text.set_bbox({"boxstyle": "round,pad=0.35", "facecolor": fill, "edgecolor": edge, "linewidth": width})
        for one, other in graph.edges:
            bent = 0.1 if places[one][1] - places[other][1] > 1 else 0.0  # the arrow passes the nodes between
            ends = {"patchA": texts[one].get_bbox_patch(), "patchB": texts[other].get_bbox_patch(), "shrinkB": 0}
            look = {"arrowstyle": "-|>", "connectionstyle": f"arc3,rad={bent}", "color": FAINT, "linewidth": 0.9}
            axes.annotate("", places[other], places[one], arrowprops={**look, **ends}, zorder=1)
        axes.set(xlim=(0, 1), ylim=(-0.5 - len(layers), -0.5))
        axes.set_axis_off()
    arcs = ", ".join(f"{one} -> {other}" for one, other in graph.edges)
    return PlotFigure(figure, title, f"Arcs: {arcs or 'none'}.")


def _layout(graph: nx.Graph[int]) -> dict[int, tuple[float, float]]:
    """Return a reproducible layout: each component is laid out by itself, and the components are packed in rows."""
    import networkx as nx

    parts = sorted(map(sorted, nx.connected_components(graph)), key=lambda part: (-len(part), part))
    wide = [float(len(part) - 1) ** 0.5 for part in parts]  # the same area for each point
    across = 1.2 * sum((side + _APART) ** 2 for side in wide) ** 0.5
    found: dict[int, tuple[float, float]] = {}
    left = top = height = 0.0
    for part, side in zip(parts, wide, strict=True):
        if left and left + side > across:
            left, top, height = 0.0, top - height - _APART, 0.0
        height = max(height, side)
        joined = graph.subgraph(part)
        alone = nx.kamada_kawai_layout(joined) if len(part) <= 300 else nx.spring_layout(joined, seed=0)
        for node, (x, y) in alone.items():  # between -1 and 1
            found[node] = (float(left + side * (1 + x) / 2), float(top - side * (1 - y) / 2))
        left += side + _APART
    return found
