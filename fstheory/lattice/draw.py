"""Draw the graph of a lattice through the drawing functions of networkx: a Hasse diagram by size or by value."""

from __future__ import annotations

import itertools
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, get_args

import numpy as np

from fstheory.errors import TooLargeError, import_optional, require, require_choice, require_type
from fstheory.lattice.figure import (
    FAINT,
    Pen,
    PlotFigure,
    draw_box,
    draw_edges,
    draw_labels,
    draw_step,
    line_height,
    measure,
    ring_size,
    shade,
    wrap,
)  # fmt: skip
from fstheory.lattice.graph import (
    MOST_SPREAD,
    Lattice,
    Place,
    Scale,
    View,
    describe,
    drawn_values,
    entitle,
    is_logarithmic,
    lattice_positions,
    marked,
    mask,
    merge_ties,
    step,
)  # fmt: skip
from fstheory.lattice.labels import (
    LabelMode,
    Labels,
    axis_ticks,
    draw_legend,
    format_value,
    label_nodes,
    legend_entries,
    legend_rows,
    row_height,
    row_width,
)  # fmt: skip
from fstheory.lattice.subsets import require_text

if TYPE_CHECKING:
    from matplotlib.axes import Axes


MOST_NODES = 128
"""Subsets that a drawing may have: all of seven features."""

_WIDEST = 13.0  # inches; a wider picture is drawn again with shorter labels
_MOST_OPTIMAL = 2  # optimal subsets of a size that are worth a label each
_MOST_SINGLE = 8  # single features up to which each is worth one
# inches beside and above the text of a box, inches between boxes, and strokes: finer lines in crowded pictures
_ROOM: dict[LabelMode, tuple[float, float, float, float]] = {
    "values": (0.14, 0.09, 0.18, 1.0), "names": (0.10, 0.07, 0.14, 0.8), "marked": (0.12, 0.10, 0.09, 0.45),
    "codes": (0.07, 0.05, 0.17, 0.6), "none": (0.16, 0.16, 0.16, 0.6),
}  # fmt: skip
_MARGIN = 0.15  # inches
_TITLE_POINTS, _SIDE_POINTS = 10.0, 8.0
_NARROWEST = 3.2  # for a title and a legend below a lattice of few subsets

Node = frozenset[str]


def draw_lattice(
    graph: Lattice, *, view: View = "size", labels: LabelMode | Literal["auto"] = "auto", scale: Scale = "auto",
    title: str | None = None, ax: Axes | None = None,
) -> PlotFigure:  # fmt: skip
    """Draw the Hasse diagram of the subsets in the graph of a table, or a subgraph of it, through networkx.

    An edge joins two subsets that differ by one feature. It is thick and solid if removing the feature loses nothing,
    thin and dashed if it costs. Subsets of equal value have the same shade.

    Parameters
    ----------
    graph : networkx.DiGraph
        What `SubsetTable.to_networkx` returns, with the marks given there.
    view, scale
        Whether the height of a subset is its size or its value, and of values the scale; by value, subsets that ties
        join are one node.
    labels : {'auto', 'values', 'names', 'marked', 'codes', 'none'}
        Names with values; names; names with values of few subsets; features' numbers; nothing.
    title, ax : optional
        ``""`` for no title; the axes to draw on, else those of a new figure.

    Examples
    --------
    >>> from fstheory import bayes_risks, gallery
    >>> draw_lattice(bayes_risks(gallery.xor()).to_networkx(best={"X1", "X2"}))
    <PlotFigure: Bayes risk R(S) of the subsets S of {X1, X2}>
    """
    require_choice(view, "view", get_args(View))
    require_choice(labels, "labels", ("auto", *get_args(LabelMode)))
    require_choice(scale, "scale", get_args(Scale))
    check_size(len(graph))
    heading = entitle(graph) if title is None else title
    require_text(require_type(heading, str, "title", "a string", "pass a title, or '' for none"), "title")
    import_optional("matplotlib", "viz", "drawing a lattice")
    scene = _compose(graph, view, labels, scale)
    pen = _paint(scene, heading, ax)
    short = {subset: format_value(value) for subset, value in drawn_values(graph).items()}
    # the outermost figure, where axes stand in a part of one
    return PlotFigure(pen.axes.figure.figure, heading or entitle(graph), describe(graph, short))


def check_size(nodes: int) -> None:
    """Refuse a number of subsets that cannot be drawn."""
    most = f"of at most {MOST_NODES} subsets (all of 7 features) to be drawn"
    repair = "restrict it to an interval or to some sizes with table.restrict(...), or read table.ordering()"
    require(nodes <= MOST_NODES, "table", most, nodes, repair, TooLargeError)
    require(nodes, "table", "of at least one subset to be drawn", nodes, "restrict it less")


@dataclass(frozen=True)
class _Scene:
    """The drawn graph in inches, whose nodes are the subsets of a graph or groups of them."""

    graph: Lattice
    drawn: Lattice
    members: dict[Node, tuple[Node, ...]]
    view: View
    labels: Labels
    boxes: dict[Node, Place]
    positions: dict[Node, Place]
    logarithmic: bool

    @property
    def extent(self) -> tuple[float, float, float, float]:
        """Left, right, bottom and top of all nodes together."""
        centers, half = np.array(list(self.positions.values())), np.array(list(self.boxes.values())) / 2
        (left, bottom), (right, top) = (centers - half).min(axis=0).tolist(), (centers + half).max(axis=0).tolist()
        return left, right, bottom, top

    @property
    def path(self) -> list[Node]:
        """The nodes that the path visits."""
        node = {subset: node for node, subsets in self.members.items() for subset in subsets}
        return list(dict.fromkeys(node[subset] for subset in self.graph.graph.get("path", ())))

    def marked(self, *marks: str) -> set[Node]:
        """Return the nodes that hold a subset with one of these marks."""
        wanted = {subset for mark in marks for subset in marked(self.graph, mark)}
        return {node for node, subsets in self.members.items() if wanted & set(subsets)}


def _compose(graph: Lattice, view: View, mode: LabelMode | Literal["auto"], scale: Scale) -> _Scene:
    """Lay a graph out; with `mode` ``"auto"``, with the most telling labels that are not too wide."""
    drawn = merge_ties(graph) if view == "risk" else graph
    members = {node: found.get("members", (node,)) for node, found in drawn.nodes(data=True)}
    logarithmic = is_logarithmic(list(drawn_values(graph).values()), scale)

    def attempt(mode: LabelMode, single: int) -> _Scene:
        labels = label_nodes(drawn, mode, members, _labeled(graph, single))
        boxes = _boxes(labels, merged=len(drawn) < len(graph))
        fixed: Scale = "log" if logarithmic else "linear"
        positions = lattice_positions(drawn, view=view, scale=fixed, boxes=boxes, gap=_ROOM[mode][2])
        return _Scene(graph, drawn, members, view, labels, boxes, positions, logarithmic)

    tries: tuple[LabelMode, ...] = ("values", "names", "marked")  # the most telling first
    if mode != "auto":
        tries = (mode,)
    elif len(drawn) > MOST_SPREAD:
        tries = ("names", "marked") if view == "size" and len(drawn) <= 64 else ("marked",)
    for labels in tries:
        scene = attempt(labels, _MOST_SINGLE)
        left, right, _, _ = scene.extent
        if right - left <= _WIDEST:
            return scene
    return attempt(tries[-1], 1)


def _labeled(graph: Lattice, single: int) -> set[Node]:
    """Return the subsets worth a label where few have one: the marked, and of each size the optimal or, of 1, all."""
    found = {*marked(graph, "best"), *marked(graph, "minimal"), *graph.graph.get("path", ())}
    optimal = set(marked(graph, "optimal"))
    for k in {len(subset) for subset in graph}:
        level = {subset for subset in graph if len(subset) == k}
        for some in (level if k <= 1 or len(level) == 1 else set(), level & optimal):
            found |= some if len(some) <= (single if k == 1 else min(single, _MOST_OPTIMAL)) else set()
    return found


def _boxes(labels: Labels, *, merged: bool) -> dict[Node, Place]:
    """Return boxes that hold their texts, of one size for all of a size unless few are labeled or nodes are merged."""
    wide, high, *_ = _ROOM[labels.mode]
    measured = {node: measure(text, labels.points) for node, text in labels.texts.items()}
    boxes = {node: (width + wide, height + high) for node, (width, height) in measured.items()}
    if labels.mode == "marked" or merged:
        return boxes
    widest: dict[int, Place] = {}
    for node, (width, height) in boxes.items():
        before = widest.get(len(node), (0.0, 0.0))
        widest[len(node)] = max(width, before[0]), max(height, before[1])
    return {node: widest[len(node)] for node in boxes}


def _paint(scene: _Scene, title: str, ax: Axes | None) -> Pen:
    """Draw a scene with its title, axis and legend on `ax`, or on a new figure of its size."""
    left, right, bottom, top = scene.extent
    ticks = sorted({(y, f"|S| = {len(node)}") for node, (_, y) in scene.positions.items()})
    if scene.view == "risk":
        ticks = axis_ticks(drawn_values(scene.graph).values(), ticks[-1][0], scene.logarithmic)
    side = max(measure(text, _SIDE_POINTS)[0] for _, text in ticks)
    lattice = left - side - (0.55 if scene.view == "risk" else 0.25), right + 0.1
    bottom, top = bottom - 0.15, top + 0.15
    columns = _columns(scene)
    if columns:
        bottom -= line_height(_SIDE_POINTS) + 0.15
    width, center = max(lattice[1] - lattice[0], _NARROWEST), (lattice[0] + lattice[1]) / 2
    title = wrap(title, _TITLE_POINTS, width, bold=True)
    entries = legend_entries(scene.graph, scene.drawn, scene.labels, walks=len(scene.path) > 1)
    rows = legend_rows(entries, width)
    title_width, title_height = measure(title, _TITLE_POINTS, bold=True)
    width = max(width, title_width, *map(row_width, rows))  # of a long name
    head = title_height + line_height(_TITLE_POINTS) if title else 0.0
    foot = sum(map(row_height, rows))
    x_range = center - width / 2 - _MARGIN, center + width / 2 + _MARGIN
    y_range = bottom - foot - _MARGIN, top + head + _MARGIN
    pen = _open(ax, x_range, y_range, _ROOM[scene.labels.mode][3])
    if title:
        pen.text(center, top + head / 2 + 0.05, title, _TITLE_POINTS, weight="bold")
    for x, text in columns:
        pen.text(x, bottom + 0.5 * line_height(_SIDE_POINTS) + 0.1, text, _SIDE_POINTS, color=FAINT)
    if scene.view == "size":
        for y, text in ticks:
            pen.text(left - 0.17, y, text, _SIDE_POINTS, color=FAINT, ha="right")
    else:
        _draw_axis(pen, scene, ticks, left - 0.12, side)
    _draw_graph(pen, scene)
    draw_legend(pen, rows, center, bottom)
    return pen


def _columns(scene: _Scene) -> list[tuple[float, str]]:
    """Return place and text of what stands below the columns of many values."""
    if scene.view == "size" or len(scene.drawn) <= MOST_SPREAD:
        return []
    x: dict[int, list[float]] = {}
    for node, place in scene.positions.items():
        x.setdefault(len(node), []).append(place[0])
    return [((min(some) + max(some)) / 2, f"|S| = {k}") for k, some in sorted(x.items())]


def _open(ax: Axes | None, x_range: Place, y_range: Place, stroke: float) -> Pen:
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


def _draw_axis(pen: Pen, scene: _Scene, ticks: list[tuple[float, str]], x: float, side: float) -> None:
    """Draw the axis of values, with a gap above zero if it is logarithmic."""
    heights = [y for y, _ in ticks] + [y for _, y in scene.positions.values()]
    low, high = min(heights), max(heights)
    spine = low
    if scene.logarithmic and min(drawn_values(scene.graph).values()) == 0:
        spine = min(y for _, y in scene.positions.values() if y > 0) * 0.8
        for y in (spine, spine - 0.06):
            pen.line((x - 0.06, x + 0.06), (y - 0.03, y + 0.03), 0.8, 2)
        pen.line((x, x), (low, spine - 0.06), 0.8, 2)
    if high > spine:
        pen.line((x, x), (spine, high), 0.8, 2)
    for y, text in ticks:
        pen.line((x - 0.05, x), (y, y), 0.8, 2)
        pen.text(x - 0.09, y, text, _SIDE_POINTS, ha="right")
    words = "{name} {symbol}(S)".format(**scene.graph.graph) + (", logarithmic" if scene.logarithmic else "")
    if high > low:
        pen.text(x - 0.26 - side, (low + high) / 2, words, _SIDE_POINTS, rotation=90.0)


def _draw_graph(pen: Pen, scene: _Scene) -> None:
    """Draw edges, path and nodes."""
    drawn, positions = scene.drawn, scene.positions
    ringed, optimal = scene.marked("best", "minimal"), scene.marked("optimal")
    for kind, change in (("tie", 0), ("rise", 1), ("fall", -1)):
        edges = [edge for edge in drawn.edges if step(drawn, *edge) == change]
        ids = [_id(drawn, f"edge-{kind}", edge) for edge in edges]
        draw_edges(pen, drawn, positions, edges, change, ids)
    for edge in itertools.pairwise(scene.path):
        box = scene.boxes[edge[1]]
        box = ring_size(pen, box) if edge[1] in ringed else box
        draw_step(pen, drawn, positions, edge, (box[0] + 0.02, box[1] + 0.02), _id(drawn, "step", edge))
    ranks = max(node["rank"] for _, node in drawn.nodes(data=True)) + 1
    for node, place in positions.items():
        draw_box(
            pen, drawn, node, place, scene.boxes[node], shade(drawn.nodes[node]["rank"], ranks),
            ringed=node in ringed, optimal=node in optimal, gid=_id(drawn, "node", scene.members[node]),
        )  # fmt: skip
    draw_labels(pen, drawn, positions, scene.labels.texts, scene.labels.points)


def _id(graph: Lattice, kind: str, subsets: Iterable[Node]) -> str:
    """Return the name of a part of the picture, with the bitmasks of its subsets."""
    return "-".join([kind, *(str(mask(graph, subset)) for subset in subsets)])
