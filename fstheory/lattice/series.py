"""Drawings of curves, bars, phase diagrams and graphs of labeled points, all in one style."""

from __future__ import annotations

import itertools
import operator
import textwrap
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

from fstheory._support.exact import drawable
from fstheory._support.result import Rows
from fstheory.errors import TooLargeError, import_optional, require
from fstheory.lattice import figure as ink
from fstheory.lattice.figure import FAINT, INK, SERIES_COLORS, SERIES_SHAPES, PlotFigure, Size, Width

if TYPE_CHECKING:
    import networkx as nx
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


# -- The common style: a figure with a title, no borders at the top and the right, and a legend beside the axes.


@contextmanager
def _figure(width: float, height: float, title: str, points: float = 9) -> Iterator[Figure]:
    """Enter a new figure with a title, of this width and height in inches, with the common settings."""
    import_optional("matplotlib", "viz", "drawing")
    import matplotlib as mpl
    from matplotlib.figure import Figure

    with mpl.rc_context({"font.family": ink.FONT, "font.size": points}):
        figure = Figure(figsize=(width, height), layout="constrained")
        yield figure
        figure.suptitle(title, fontsize=10.5)


def _open(axes: Any, along: str = "both") -> None:
    axes.grid(visible=True, axis=along, color=_GRID, linewidth=0.6)
    axes.set_axisbelow(True)
    axes.spines[["top", "right"]].set_visible(False)


# -- Curves: panels in rows, with one legend below them. Each name has one color and one shape in all panels.


class Point(NamedTuple):
    """A point of a curve: the value y at x, where x is a number or the key of a row of the panel.

    `interval` holds the ends of the error bar of an estimate. If `is_open`, the mark of the point is drawn hollow.
    """

    x: Any
    y: float
    interval: tuple[float, float] | None = None
    is_open: bool = False


class Series(NamedTuple):
    """A curve and its name, which the legend shows.

    `line` is a line style of matplotlib. If it is empty, every second curve is broken and the others are solid.
    """

    name: str
    points: Sequence[Point]
    line: str = ""


class Panel(NamedTuple):
    """Curves with common axes. `x` and `y` are the names of the axes.

    `rows` maps keys to labels: the point of a key lies in the row of its label, and its value runs along the horizontal
    axis. `note` says how to read marks and bars. With `bars`, each point is a bar from 0. With `from_zero`, the axis of
    y begins at 0.
    """

    x: str
    y: str
    series: Sequence[Series]
    title: str = ""
    note: str = ""
    rows: Mapping[str, str] = {}
    bars: bool = False
    from_zero: bool = False


_GRID = "#e4e4e4"
_COLORS = ("#0072B2", "#56B4E9", "#D55E00", "#E69F00", "#009E73", "#8a6d00", "#CC79A7", INK, FAINT)
"""The colors of Okabe and Ito in pairs of a dark and a light one. The lines of the light ones are broken."""
_SHAPES = "ovs^DPX*d"
_HATCHES = ("", "////", "....", "xxxx", r"\\\\")  # bars differ in these, too: a paper may be printed in gray
_SIZES = {1: (7.6, 3.0), 2: (5.2, 3.2)}  # inches of a panel, by the number of columns
_SMALL = (2.6, 2.3)
_MOST_MARKS = 12  # a longer line has no marks, unless they tell open points from full ones


def draw_curves(
    rows: Sequence[Sequence[Panel]], *, title: str, description: str = "", order: Sequence[str] = ()
) -> PlotFigure:
    """Return a drawing of panels, given row by row, with one legend below all of them.

    Curves of one name look alike in all panels. Colors are given in the order in which the names occur. If a curve has
    a name in `order`, all names in `order` take the first colors, so that drawings of the same methods look alike.
    """
    panels = [panel for row in rows for panel in row]
    names = list(dict.fromkeys(series.name for panel in panels for series in panel.series))
    ordered = dict.fromkeys([*(order if set(order) & set(names) else ()), *names])
    places = {name: place for place, name in enumerate(ordered) if name in names}
    notes = list(dict.fromkeys(panel.note for panel in panels))
    across = max(1, *map(len, rows))
    wide, high = _SIZES.get(across, _SMALL)
    heights = [max((0.42 * len(panel.rows) for panel in row), default=0.0) or high for row in rows]
    columns = max(1, int(wide * across / (0.8 + 0.075 * max(map(len, names), default=0))))  # of the legend
    size = (wide * across, sum(heights) + 0.22 * (len(names) // columns) + 1.0)
    with _figure(*size, title, 8 if across > 2 else 9) as figure:
        grid = figure.subplots(len(rows), across, squeeze=False)
        for row, line in zip(rows, grid, strict=True):
            for axes in line[len(row) :]:
                axes.set_axis_off()
            for panel, axes in zip(row, line, strict=False):
                _draw_panel(axes, panel, places)
                lines = [panel.title] * (len(panels) > 1) + [panel.note] * (len(notes) > 1)
                lines = [textwrap.fill(text, round(16 * wide)) for text in lines if text]
                axes.set_title("\n".join(lines), fontsize="medium")
        drawn = [pair for axes in grid.flat for pair in zip(*axes.get_legend_handles_labels(), strict=True)]
        found = {name: line for line, name in reversed(drawn)}  # the first of a name
        note = notes[0] if len(notes) == 1 else None
        look: Any = {"loc": "outside lower center", "ncols": columns, "frameon": False, "title": note}
        figure.legend([found[name] for name in places], places, **look)
    return PlotFigure(figure, title, description or f"{title}: {', '.join(places)}")


class Traced(Rows):
    """The base class of results with values along their rows, which are steps or sets of features."""

    __slots__ = ()
    _drawn: ClassVar[Mapping[str, str]]
    """The values to draw: from attributes of a row to the names of the curves."""
    _along: ClassVar[str] = ""
    """The attribute of a row that holds its features, whose number is x. If there is none, the rows are numbered."""

    def plot(self, *, title: str | None = None, figsize: Size | None = None, width: Width | None = None) -> PlotFigure:
        """Draw the values along the rows of `to_frame`, against the number of features or of the step."""
        rows = getattr(self, self._table)
        places = [len(getattr(row, self._along)) if self._along else i for i, row in enumerate(rows, 1)]
        series = []
        for attribute, name in self._drawn.items():
            values = map(operator.attrgetter(attribute), rows)
            points = [Point(x, drawable(y)) for x, y in zip(places, values, strict=True) if y is not None]
            series += [Series(name, points)] if points else []
        heading = textwrap.fill(str(self).partition("\n")[0], 90) if title is None else title
        y = series[0].name if len(series) == 1 else "value"
        panel = Panel("features" if self._along else "step", y, series)
        return draw_curves([[panel]], title=heading).sized(figsize, width)


def _draw_panel(axes: Axes, panel: Panel, places: Mapping[str, int]) -> None:
    names = list(dict.fromkeys(series.name for series in panel.series))
    points = [point for series in panel.series for point in series.points]
    for series in panel.series:
        lane = (names.index(series.name) - (len(names) - 1) / 2) / len(names)
        _draw_series(axes, panel, series, places[series.name], lane, 1 / len(names))
    if panel.rows:
        axes.set_yticks(range(len(panel.rows)), list(panel.rows.values()))
        axes.set_ylim(len(panel.rows) - 0.5, -0.5)
        for row in range(1, len(panel.rows)):
            axes.axhline(row - 0.5, color=_GRID, linewidth=0.6)
    else:
        axes.set_ylabel(panel.y)
    if min((point.y for point in points), default=0) < 0 < max((point.y for point in points), default=0):
        (axes.axvline if panel.rows else axes.axhline)(0, color=INK, linewidth=0.8)
    if panel.from_zero:
        axes.set_ylim(bottom=0)
    if all(isinstance(point.x, int) for point in points):
        axes.locator_params(axis="x", integer=True)
    axes.set_xlabel(panel.y if panel.rows else panel.x)
    _open(axes, "x" if panel.rows else "y" if panel.bars else "both")


def _draw_series(axes: Axes, panel: Panel, series: Series, place: int, lane: float, share: float) -> None:
    """Draw a series. Each series has a thinner line than the series before it, so that both are seen where they agree.

    `lane` says where the series stands among those of the panel, from -1/2 to 1/2. `share` is the width of its lane.
    """
    color, shape = _COLORS[place % len(_COLORS)], _SHAPES[(place + place // len(_COLORS)) % len(_SHAPES)]
    points, rows, fine = series.points, list(panel.rows), 0.5 - lane
    values = [point.y for point in points]
    look: dict[str, Any]
    if panel.bars:
        look = {"color": color, "hatch": _HATCHES[place % len(_HATCHES)], "edgecolor": "white", "linewidth": 0}
        axes.bar([p.x + 0.85 * lane for p in points], values, 0.75 * share, label=series.name, **look)
        return
    open_ones = [i for i, point in enumerate(points) if point.is_open]
    size = 4 if rows else 0 if len(points) > _MOST_MARKS and not open_ones else 3.2 + 2.8 * fine
    mark: Any = {"color": color, "marker": shape, "markersize": size}
    at = [rows.index(p.x) + 0.7 * lane if rows else p.x for p in points]
    x, y = (values, at) if rows else (at, values)
    ends = [point.interval or (point.y, point.y) for point in points]
    bars = [[max(0.0, y - low) for y, (low, _) in zip(values, ends, strict=True)]]
    bars += [[max(0.0, high - y) for y, (_, high) in zip(values, ends, strict=True)]]
    reach: Any = {"xerr" if rows else "yerr": bars} if any(map(any, bars)) else {}
    style = "none" if rows else series.line or ("--" if place % 2 else "-")
    look = {"linestyle": style, "linewidth": 1 + 1.1 * fine, "elinewidth": 0.8, "capsize": 1.8}
    axes.errorbar(x, y, **reach, **mark, **look, label=series.name)
    if open_ones:
        x, y = [x[i] for i in open_ones], [y[i] for i in open_ones]
        axes.plot(x, y, linestyle="none", markerfacecolor="white", zorder=3, **mark)


# -- Bars: one row for each name.


def draw_bars(
    names: Sequence[str],
    panels: Mapping[str, Sequence[float]],
    chosen: tuple[str, Collection[str]] = ("", ()),
    level: tuple[str, float] | None = None,
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
        areas[0].set_yticks(range(len(names)), map(_short, names), fontsize=8, parse_math=False)
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
    parameter: str = "t",
) -> PlotFigure:
    """Return a phase diagram: the values of subsets against a parameter, and below them their ranks in each interval.

    `values` maps ascending t to the values of all subsets. `marks` holds the two ends of the parameter and the critical
    values between them. `ranks` holds the ranks of the subsets in each interval, 0 for the smallest value.
    """
    below = max(2.4, 0.25 * (max(map(max, ranks)) + 1))  # inches
    with _figure(7.6, 3.8 + below, title) as figure:
        upper, lower = figure.subplots(2, 1, sharex=True, height_ratios=[3.6, below])
        lanes = [0.0] * len(names)  # where each subset ends in the lower part
        for i in range(len(names)):
            look = _look(i)
            upper.plot(list(values), [row[i] for row in values.values()], linewidth=1.5, **look)
            for (start, end), row in zip(itertools.pairwise(marks), ranks, strict=True):
                tied = [other for other, rank in enumerate(row) if rank == row[i]]
                y = row[i] + 0.6 * ((tied.index(i) + 1) / (len(tied) + 1) - 0.5)  # subsets that tie lie side by side
                lower.plot([start, end], [y, y], linewidth=2.4, solid_capstyle="butt", **look)
                lanes[i] = y
        for mark in marks[1:-1]:
            for axes in (upper, lower):
                axes.axvline(mark, color="#bdbdbd", linewidth=0.7, zorder=0)
        upper.set_ylabel("Bayes risk")
        lower.set_ylabel("place, from the least risk")
        lower.set_yticks(range(max(map(max, ranks)) + 1))
        lower.invert_yaxis()
        lower.set_xlabel(parameter)
        for axes in (upper, lower):
            axes.spines[["top", "right"]].set_visible(False)
            axes.tick_params(colors=INK)
            axes.set_xlim(marks[0], marks[-1])
        _label_ends(upper, names, list(values.values())[-1])
        _label_ends(lower, names, lanes)
    text = f"Bayes risks of {len(names)} subsets against {parameter}; the ordering changes at {len(marks) - 2} values."
    return PlotFigure(figure, title, text)


def draw_regions(
    curves: Sequence[Callable[[Any, Any], Any]],
    samples: Sequence[Sequence[tuple[float, float]]],
    ends: Sequence[tuple[float, float]],
    names: tuple[str, str],
    title: str,
) -> PlotFigure:
    """Return the curves at which an ordering changes, with the number of each ordering at its samples.

    `curves` are functions of arrays that are 0 on the curve. `ends` holds the ends of both parameters.
    """
    import numpy as np

    with _figure(5.4, 5.0, title) as figure:
        axes = figure.subplots()
        across, up = np.meshgrid(*(np.linspace(low, high, 400) for low, high in ends))
        for curve in curves:
            heights = np.broadcast_to(np.asarray(curve(across, up), dtype=float), across.shape)
            axes.contour(across, up, heights, levels=[0], colors=[INK], linewidths=1.2)
        for place, points in enumerate(samples, 1):
            for x, y in points:
                axes.text(x, y, str(place), ha="center", va="center", fontsize=9, color=SERIES_COLORS[0])
        axes.set_xlabel(names[0])
        axes.set_ylabel(names[1])
        axes.set_xlim(*ends[0])
        axes.set_ylim(*ends[1])
        axes.tick_params(colors=INK)
    text = f"{len(curves)} curves separate {len(samples)} orderings of the Bayes risks, for {names[0]} and {names[1]}."
    return PlotFigure(figure, title, text)


def _look(place: int) -> dict[str, Any]:
    """Return the color and the dashes of a line. The dashes also tell lines apart that are printed in gray."""
    return {
        "color": SERIES_COLORS[place % len(SERIES_COLORS)],
        "linestyle": _STYLES[(place + place // len(SERIES_COLORS)) % len(_STYLES)],
    }


def _label_ends(axes: Axes, names: Sequence[str], ends: Sequence[float]) -> None:
    """Write the name of each line beside its right end. A short line leads from the end to a name that must move."""
    low, high = axes.get_ylim()
    inches = axes.get_position().height * axes.figure.figure.get_figheight()
    order = sorted(range(len(names)), key=ends.__getitem__)
    places = spread([ends[i] for i in order], abs(high - low) * ink.line_height(_END_POINTS) / inches)
    beside: Any = {"transform": axes.get_yaxis_transform(), "clip_on": False}
    for i, y in zip(order, places, strict=True):
        axes.plot([1.0, 1.05], [ends[i], y], linewidth=1.2, scalex=False, scaley=False, **beside, **_look(i))
        axes.text(1.06, y, names[i], va="center", fontsize=_END_POINTS, parse_math=False, **beside)


_END_POINTS = 8


def spread(wished: Sequence[float], gap: float) -> list[float]:
    """Return ascending places that are at least `gap` apart and as close as possible to the ascending places `wished`.

    The sum of the squared distances from the wished places is the least possible.
    """
    groups: list[tuple[float, int]] = []  # numbers that touch: the mean of their wishes without the gaps, and how many
    for i, wish in enumerate(wished):
        mean, count = wish - gap * i, 1
        while groups and groups[-1][0] > mean:
            other, others = groups.pop()
            mean, count = (mean * count + other * others) / (count + others), count + others
        groups.append((mean, count))
    means = [mean for mean, count in groups for _ in range(count)]
    return [mean + gap * i for i, mean in enumerate(means)]


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
            look: Any = {"node_size": 2.6 * size, "node_color": "white", "edgecolors": INK, "linewidths": 0.7}
            nx.draw_networkx_nodes(graph, positions, mixed, ax=axes, **look)
        for place, label in enumerate(classes):
            nodes = [node for node in graph if labels[node] == label]
            color, shape = SERIES_COLORS[place % len(SERIES_COLORS)], SERIES_SHAPES[place % len(SERIES_SHAPES)]
            look = {"node_size": size, "node_color": color, "node_shape": shape, "label": f"class {label}"}
            nx.draw_networkx_nodes(graph, positions, nodes, ax=axes, **look).set_zorder(3)
        axes.set_axis_off()
        if places is not None:
            axes.set_aspect("equal", adjustable="datalim")
        axes.legend(loc="center left", bbox_to_anchor=(1.01, 0.5), frameon=False, fontsize=8.5)
    broken = sum(labels[one] != labels[other] for one, other in graph.edges)
    text = f"{len(graph)} points, {graph.number_of_edges()} edges, {broken} of them between classes."
    return PlotFigure(figure, title, text)


def arc_layers(graph: nx.DiGraph[str]) -> list[list[str]]:
    """Return the nodes of a directed acyclic graph in layers, the roots first, so that all arcs point down.

    In its layer, a node stands where the mean of its parents is, from left to right.
    """
    import networkx as nx

    layers = list[list[str]]()
    places: dict[str, float] = {}
    for names in nx.topological_generations(graph):
        above = {name: [places[parent] for parent in graph.predecessors(name)] for name in names}
        layers.append(sorted(names, key=lambda name: sum(above[name]) / max(len(above[name]), 1)))
        places |= {name: (i + 0.5) / len(names) for i, name in enumerate(layers[-1])}
    return layers


def draw_arcs(graph: nx.DiGraph[str], title: str, marks: Sequence[Collection[str]] = ((), (), ())) -> PlotFigure:
    """Return a drawing of a directed acyclic graph, with the roots at the top.

    `marks` holds the nodes that are filled, shaded and framed.
    """
    import networkx as nx

    (filled, shaded, framed), layers = marks, arc_layers(graph)
    places = {name: ((i + 0.5) / len(names), -k) for k, names in enumerate(layers, 1) for i, name in enumerate(names)}
    wide = max(sum(ink.measure(name, 9)[0] + 0.35 for name in names) for names in layers)
    with _figure(max(wide, ink.measure(title, 10.5)[0], 3.0) + 0.2, 0.75 * len(layers) + 0.4, title) as figure:
        axes = figure.subplots()
        texts = nx.draw_networkx_labels(graph, places, font_size=9, ax=axes, clip_on=False)
        for name, text in texts.items():
            text.set_fontfamily(ink.FONT)
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


def draw_tree(nodes: Sequence[tuple[int, str, str, bool]], title: str, description: str) -> PlotFigure:
    """Return a drawing of a tree from left to right. Each leaf has a row of its own.

    Each node has its depth, the label of the line that leads to it, its text, and whether it is filled. A node comes
    before the nodes below it.
    """
    parents, line = list[int](), list[int]()  # the line from the root to a node
    for i, (depth, *_) in enumerate(nodes):
        parents.append(line[depth - 1] if depth else -1)
        line[depth:] = [i]
    leaves = [i for i in range(len(nodes)) if i not in set(parents)]
    heights, below = {leaf: -float(row) for row, leaf in enumerate(leaves)}, dict[int, list[float]]()
    for i in reversed(range(len(nodes))):
        heights[i] = heights[i] if i in heights else (below[i][0] + below[i][-1]) / 2
        below.setdefault(parents[i], []).append(heights[i])
    deepest = max(depth for depth, *_ in nodes)
    wide = [max(ink.measure(node[2], 9)[0] for node in nodes if node[0] == depth) for depth in range(deepest + 1)]
    gaps = [max(ink.measure(node[1], 8)[0] for node in nodes if node[0] == depth) + 0.7 for depth in range(deepest + 1)]
    starts = [sum(wide[:depth]) + sum(gaps[1 : depth + 1]) for depth in range(deepest + 1)]
    across = max(starts[-1] + wide[-1] + 0.4, 4.0)
    heading = ink.wrap(title, 10.5, across - 0.3)
    with _figure(across, 0.52 * len(leaves) + ink.measure(heading, 10.5)[1] + 0.3, heading) as figure:
        axes = figure.subplots()
        for i, (depth, label, text, filled) in enumerate(nodes):
            own = ink.measure(text, 9)[0]
            drawn = axes.text(
                starts[depth] + own / 2,
                heights[i],
                text,
                ha="center",
                va="center",
                fontsize=9,
                linespacing=1.25,
                parse_math=False,
            )
            fill = ink.shade(int(filled), 2)
            drawn.set_bbox({"boxstyle": "round,pad=0.3", "facecolor": fill, "edgecolor": INK, "linewidth": 0.8})
            if depth:
                parent = parents[i]
                start, end = (
                    (starts[depth - 1] + ink.measure(nodes[parent][2], 9)[0], heights[parent]),
                    (starts[depth], heights[i]),
                )
                axes.plot(*zip(start, end, strict=True), color=FAINT, linewidth=0.9, zorder=1)
                x, y = (0.4 * a + 0.6 * b for a, b in zip(start, end, strict=True))
                named = axes.text(x, y, label, ha="center", va="center", fontsize=8, color=FAINT, parse_math=False)
                named.set_bbox({"boxstyle": "square,pad=0.1", "facecolor": "white", "edgecolor": "none"})
        axes.set(xlim=(-0.2, across - 0.2), ylim=(0.5 - len(leaves), 0.5))
        axes.set_axis_off()
    return PlotFigure(figure, title, description)


def draw_grid(
    columns: Sequence[str],
    rows: Sequence[tuple[str, Mapping[str, Any], str, Any]],
    title: str,
    description: str,
) -> PlotFigure:
    """Return a drawing of a grid with a box for each column that a row names.

    Each row has its label, the texts of its boxes by column, a text beside them, and a share, drawn as a bar. A row
    whose share is None has boxes of another color.
    """
    boxes = [{name: _short(str(text)) for name, text in row[1].items()} for row in rows]
    wide = [
        max(ink.measure(text, 9)[0] for text in (_short(name), *(row.get(name, "") for row in boxes))) + 0.35
        for name in columns
    ]
    left = max((ink.measure(row[0], 9)[0] for row in rows), default=0) + 0.25
    starts = [left + sum(wide[:i]) for i in range(len(wide) + 1)]
    centers = {name: start + size / 2 for name, start, size in zip(columns, starts, wide, strict=False)}
    beside = starts[-1] + max((ink.measure(_short(row[2]), 9)[0] for row in rows), default=0) + 0.3
    across = max(beside + 2.1, 4.0)
    heading = ink.wrap(title, 10.5, across - 0.3)
    with _figure(across, 0.34 * (len(rows) + 1) + ink.measure(heading, 10.5)[1] + 0.3, heading) as figure:
        axes = figure.subplots()

        def write(x: float, y: float, text: str, where: Any = "left", color: str = INK) -> Any:
            return axes.text(x, y, text, ha=where, va="center", fontsize=9, color=color, parse_math=False)

        for name, x in centers.items():
            write(x, 0, _short(name), "center", FAINT)
        write(beside, 0, "share of the people", color=FAINT)
        for i, (label, _, verdict, share) in enumerate(rows, 1):
            write(0, i, label, color=FAINT)
            write(starts[-1] + 0.1, i, _short(verdict))
            fill = ink.PATH_COLOR if share is None else ink.shade(1, 2)
            for name, state in boxes[i - 1].items():
                text = write(centers[name], i, state, "center")
                text.set_bbox({"boxstyle": "round,pad=0.3", "facecolor": fill, "edgecolor": INK, "linewidth": 0.8})
            dots = [x for name, x in centers.items() if name not in boxes[i - 1]]
            axes.plot(dots, [i] * len(dots), ".", markersize=1.5, color=FAINT)
            if share is not None:
                axes.barh(i, 1.2 * float(share), 0.45, left=beside, color=SERIES_COLORS[0])
                write(beside + 1.2 * float(share) + 0.08, i, f"{float(100 * share):.3g}%")
        axes.set(xlim=(-0.1, across - 0.1), ylim=(len(rows) + 0.5, -0.5))
        axes.set_axis_off()
    return PlotFigure(figure, title, description)


def _short(text: str) -> str:
    """Return a text for a picture. A long one is cut."""
    return text if len(text) <= _LETTERS else f"{text[: _LETTERS - 1]}…"


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
