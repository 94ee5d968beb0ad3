"""Drawings of a lattice: a layout painted with a title, an axis and a legend, or written as a TikZ picture."""

from __future__ import annotations

import functools
import itertools
from collections.abc import Iterable
from typing import TYPE_CHECKING, Literal, NamedTuple, TypeAlias

from fstheory._support.exact import latex_escaped
from fstheory.errors import Message, Named, require, require_type
from fstheory.lattice import figure as ink
from fstheory.lattice.figure import FAINT, Pen, PlotFigure, Size, Width, measure, require_figsize
from fstheory.lattice.graph import (
    MOST_SPREAD,
    Lattice,
    Place,
    Scale,
    View,
    describe,
    drawn_values,
    entitle,
    in_order,
    marked,
    step,
    written,
)
from fstheory.lattice.layout import (
    MARGIN,
    ROOM,
    SIDE_POINTS,
    TIGHT,
    LabelMode,
    Labels,
    Node,
    Scene,
    format_value,
    lay_out,
)
from fstheory.lattice.subsets import default_features, mask_of, require_text

if TYPE_CHECKING:
    from matplotlib.axes import Axes


# -- The legend. It explains only signs that appear in the picture, in lines that fit its width.


KINDS: dict[int, ink.Edge] = {0: "tie", 1: "rise", -1: "fall"}  # of edges, by the sign of the change in value
Kind: TypeAlias = Literal["tie", "group", "rise", "fall", "ringed", "path", "optimal", "shade", "note"]

_LEGEND_POINTS = 8.0
_SAMPLE = 0.42  # inches
_LEAD = 0.15  # the height of a row of the legend beyond its lines of text
_GUTTER = 0.30


class Entry(NamedTuple):
    """An entry of the legend: a sign and its meaning. A note has no sign."""

    kind: Kind
    text: str


def legend_entries(graph: Lattice, drawn: Lattice, labels: Labels, *, walks: bool) -> list[Entry]:
    """Return the legend entries for the signs that appear. `drawn` holds the nodes and edges of the picture."""
    symbol = graph.graph["symbol"]
    steps = {step(drawn, *edge) for edge in drawn.edges}
    merged = len(drawn) < len(graph)
    feature = "features" if merged else "the feature"
    named = labels.mode in {"values", "names", "marked"} and not merged
    best, minimal = marked(graph, "best"), marked(graph, "minimal")
    listed = "" if named or len(minimal) > 4 else ": " + ", ".join(written(graph, subset) for subset in minimal)
    called = "" if named else f" = {written(graph, best[0])}" if best else ""
    values, features = drawn_values(graph).values(), graph.graph["features"]
    low, high = format_value(min(values)), format_value(max(values))
    plain = features == default_features(len(features))
    entries: list[tuple[object, Kind, str]] = [
        (0 in steps, "tie", f"removing the feature leaves {symbol} the same"),
        (merged, "group", f"subsets of equal {symbol}, joined by features that cost nothing"),
        (1 in steps, "rise", f"removing {feature} raises {symbol}"),
        (-1 in steps, "fall", f"removing {feature} lowers {symbol}"),
        (best, "ringed", f"S* (minimal-optimal){called}"),
        (minimal, "ringed", f"minimal subset of least {symbol}{listed}"),
        (walks, "path", "path of the search"),
        (marked(graph, "optimal"), "optimal", f"{'holds a subset ' * merged}optimal for its size"),
        (len(set(values)) > 1, "shade", f"{symbol} from {low} to {high}; equal values have the same shade"),
        (labels.digits, "note", f"≈ rounded to {labels.digits} significant digits"),
        (labels.key, "note", "k stands for Xk" if plain else ", ".join(labels.key)),
        (labels.common, "note", f"C = {labels.common}"),
        ("left_out" in graph.graph, "note", graph.graph.get("left_out", "")),
    ]
    return [Entry(kind, text) for appears, kind, text in entries if appears]


def legend_rows(entries: list[Entry], width: float) -> list[list[Entry]]:
    """Return the entries in rows no wider than `width`. The text of an entry wider than that is broken into lines."""
    rows: list[list[Entry]] = []
    for whole in entries:
        text = ink.wrap(whole.text, _LEGEND_POINTS, width - _sample_width(whole))
        entry = whole._replace(text=text.replace(TIGHT, " "))
        first_note = entry.kind == "note" and rows and rows[-1][-1].kind != "note"
        if rows and row_width([*rows[-1], entry]) <= width and not first_note:
            rows[-1].append(entry)
        else:
            rows.append([entry])
    return rows


def row_height(row: list[Entry]) -> float:
    """Return the height of a row of the legend."""
    return max(measure(entry.text, _LEGEND_POINTS)[1] for entry in row) + _LEAD


def row_width(row: list[Entry]) -> float:
    """Return the width of a row of the legend."""
    return sum(map(_entry_width, row)) + _GUTTER * (len(row) - 1)


def draw_legend(pen: Pen, rows: list[list[Entry]], center: float, top: float) -> None:
    """Draw the rows of the legend downwards from `top`. The widest row is centered, and the others begin below it."""
    left = center - max(map(row_width, rows), default=0.0) / 2
    for row in rows:
        height = row_height(row)
        x, y, top = left, top - height / 2, top - height
        for entry in row:
            _draw_sample(pen, entry.kind, x, y)
            pen.text(x + _sample_width(entry), y, entry.text, _LEGEND_POINTS, ha="left")
            x += _entry_width(entry) + _GUTTER


@functools.lru_cache(maxsize=64)  # of the same entries, rows are filled, centered and drawn
def _entry_width(entry: Entry) -> float:
    return measure(entry.text, _LEGEND_POINTS)[0] + _sample_width(entry)


def _sample_width(entry: Entry) -> float:
    return 0.0 if entry.kind == "note" else _SAMPLE + 0.10


def _draw_sample(pen: Pen, kind: Kind, x: float, y: float) -> None:
    """Draw the sign of a legend entry to the left of its text."""
    import networkx as nx

    ends, middle = ((x, y), (x + _SAMPLE, y)), (x + _SAMPLE / 2, y)
    sizes: dict[Kind, Place] = {"group": (0.34, 0.2), "optimal": (0.30, 0.16), "ringed": (0.27, 0.11)}
    if kind in ("tie", "rise", "fall", "path"):
        ink.draw_edges(pen, nx.path_graph(2), dict(enumerate(ends)), {(0, 1): ends}, kind)
        if kind == "path":
            ink.draw_head(pen, ends)
    elif kind in sizes:
        ink.draw_node(pen, nx.empty_graph(1), {0: middle}, 0, sizes[kind], "#ffffff", kind)
        for shift in (0.045, -0.045) if kind == "group" else ():
            pen.line((x + 0.12, x + _SAMPLE - 0.12), (y + shift, y + shift), 0.8, 5.0, FAINT)
    elif kind == "shade":
        width, graph = _SAMPLE / 5, nx.empty_graph(5)
        places = {part: (x + (part + 0.5) * width, y) for part in graph}
        for part in graph:
            ink.draw_node(pen, graph, places, part, (width, 0.13), ink.shade(part, 5), "square")


# -- The drawing: a layout, painted.


_LEAST_POINTS = 6.0  # smaller letters are not legible on paper
_TITLE_POINTS = 10.0
_NARROWEST = 3.2  # for a title and a legend below a lattice of few subsets


def draw_lattice(
    graph: Lattice,
    *,
    view: View = "size",
    labels: LabelMode | Literal["auto"] = "auto",
    scale: Scale = "auto",
    title: str | None = None,
    ax: Axes | None = None,
    figsize: Size | None = None,
    width: Width | None = None,
) -> PlotFigure:
    """Return a drawing of the Hasse diagram of a table: the graph of all its subsets, or a subgraph of it.

    An edge joins two subsets that differ by one feature. It is thick and solid if removing the feature leaves the value
    unchanged, and thin and broken if it changes the value. Subsets of equal value have the same shade.

    Parameters
    ----------
    graph : networkx.DiGraph
        The graph that `SubsetTable.to_networkx` returns, with the marks set there.
    view : {'size', 'risk'}
        Whether the height of a node is the size of the subset or its value. With ``'risk'``, subsets of equal value
        that are joined by edges become one node.
    scale : {'auto', 'linear', 'log'}
        The scale of the values with ``view='risk'``. With ``'auto'``, it is logarithmic if positive values differ by a
        factor above 1000.
    labels : {'auto', 'values', 'names', 'marked', 'codes', 'none'}
        The texts in the nodes: names with values, names alone, names with values for few subsets, numbers of features,
        or no text. With ``'auto'``, the choice depends on the room.
    title : str, optional
        The title. If not given, it names the values and the features. Use ``""`` for no title.
    ax : matplotlib axes, optional
        The axes to draw on. If not given, a new figure is made.
    figsize : (float, float), optional
        The width and height of the new figure in inches. The drawing fills it. If not given, the figure is as large as
        the drawing needs.
    width : {'column', 'page'} or float, optional
        The width for a paper: 3.5 inches, 7 inches, or a number of inches. Letters then have 8 to 10 points in print,
        and never less than 6. If the lattice does not fit with such letters, only its decisive part is drawn: the best
        subsets of each size and the marked subsets, with their neighbors if there is room. The legend says so.

    Examples
    --------
    >>> from fstheory import bayes_risks, gallery
    >>> draw_lattice(bayes_risks(gallery.xor()).to_networkx(best={"X1", "X2"}))
    <PlotFigure: Bayes risk R(S) of the subsets S of {X1, X2}>
    """
    inches = ink.inches_of(width, {"ax": ax, "figsize": figsize})
    scene = lay_out(graph, view, labels, scale, inches)
    heading = entitle(graph) if title is None else title
    require_text(require_type(heading, str, "title", "a string", "pass a title, or '' for no title"), "title")
    require(ax is None or figsize is None, "figsize", "left out if ax is given", figsize, "size the figure of ax")
    pen = _paint(scene, heading, require_figsize(figsize) if ax is None else ax, inches)
    least = pen.scale * min([scene.labels.points, SIDE_POINTS] if scene.labels.mode != "none" else [SIDE_POINTS])
    needed = f"at least {_LEAST_POINTS / least * (inches or 0):.1f} inches for letters of {_LEAST_POINTS:g} points"
    repair = Message("pass ", Named("width", "page"), ", or restrict the table to fewer subsets")
    require(inches is None or least >= _LEAST_POINTS, "width", needed, width, repair)
    short = {subset: format_value(value) for subset, value in drawn_values(graph).items()}
    # the outermost figure, because the axes may belong to a subfigure
    return PlotFigure(pen.axes.figure.figure, heading or entitle(graph), describe(in_order(graph), short))


def _paint(scene: Scene, title: str, ax: Axes | Size | None, inches: float | None = None) -> Pen:
    """Draw a scene with its title, axis and legend.

    `ax` holds the axes to draw on, or the size of a new figure. None stands for a new figure of the size that is
    needed, or of the given width in inches.
    """
    left, right, bottom, top = scene.extent
    ticks = scene.ticks
    lattice = left - scene.side, right + 0.1
    bottom, top = bottom - 0.15, top + 0.15
    columns = _columns(scene)
    if columns:
        bottom -= ink.line_height(SIDE_POINTS) + 0.15
    narrowest = _NARROWEST if inches is None else inches - 2 * MARGIN
    width, center = max(lattice[1] - lattice[0], narrowest), (lattice[0] + lattice[1]) / 2
    title = ink.wrap(title, _TITLE_POINTS, width, bold=True)
    entries = legend_entries(scene.graph, scene.drawn, scene.labels, walks=len(scene.path) > 1)
    rows = legend_rows(entries, width)
    title_width, title_height = measure(title, _TITLE_POINTS, bold=True)
    width = max(width, title_width, *map(row_width, rows))  # a long name may need more
    head = title_height + ink.line_height(_TITLE_POINTS) if title else 0.0
    foot = sum(map(row_height, rows))
    x_range = center - width / 2 - MARGIN, center + width / 2 + MARGIN
    y_range = bottom - foot - MARGIN, top + head + MARGIN
    if inches is not None:
        ax = inches, (y_range[1] - y_range[0]) * inches / (x_range[1] - x_range[0])
    pen = _open(ax, x_range, y_range, ROOM[scene.labels.mode][3])
    if title:
        pen.text(center, top + head / 2 + 0.05, title, _TITLE_POINTS, bold=True)
    for x, text in columns:
        pen.text(x, bottom + 0.5 * ink.line_height(SIDE_POINTS) + 0.1, text, SIDE_POINTS, color=FAINT)
    if scene.view == "size":
        for y, text in ticks:
            pen.text(left - 0.17, y, text, SIDE_POINTS, color=FAINT, ha="right")
    else:
        _draw_axis(pen, scene, ticks, left - 0.12, scene.side - 0.55)
    _draw_graph(pen, scene)
    draw_legend(pen, rows, center, bottom)
    return pen


def _columns(scene: Scene) -> list[tuple[float, str]]:
    """Return the place and the text of the label below each column in a drawing of many values."""
    if scene.view == "size" or len(scene.drawn) <= MOST_SPREAD:
        return []
    sizes = sorted({len(node) for node in scene.positions})
    columns = {k: [x for node, (x, _) in scene.positions.items() if len(node) == k] for k in sizes}
    return [((min(x) + max(x)) / 2, f"|S| = {k}") for k, x in columns.items()]


def _open(ax: Axes | Size | None, x_range: Place, y_range: Place, stroke: float) -> Pen:
    """Return a pen for the given axes, or for axes that fill a new figure of the given size or of the size needed."""
    width, height = x_range[1] - x_range[0], y_range[1] - y_range[0]
    if ax is None or isinstance(ax, tuple | list):
        from matplotlib.figure import Figure

        ax = Figure(figsize=ax or (width, height), facecolor="white").add_axes((0.0, 0.0, 1.0, 1.0))
    frame, dpi = ax.get_window_extent(), ax.figure.figure.dpi
    scale = min(frame.width / dpi / width, frame.height / dpi / height)
    ax.set_axis_off()
    ax.set_xlim(*x_range)
    ax.set_ylim(*y_range)
    ax.set_aspect("equal", adjustable="box")
    return Pen(ax, scale, stroke)


def _draw_axis(pen: Pen, scene: Scene, ticks: list[tuple[float, str]], x: float, side: float) -> None:
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
        pen.text(x - 0.09, y, text, SIDE_POINTS, ha="right")
    words = "{name} {symbol}(S)".format(**scene.graph.graph) + (", logarithmic" if scene.logarithmic else "")
    if high > low:
        pen.text(x - 0.26 - side, (low + high) / 2, words, SIDE_POINTS, rotation=90.0)


def _draw_graph(pen: Pen, scene: Scene) -> None:
    drawn, positions, features = scene.drawn, scene.positions, scene.graph.graph["features"]
    masks = {subset: str(mask_of(subset, features)) for members in scene.members.values() for subset in members}

    def name(kind: str, subsets: Iterable[Node]) -> str:  # with the bitmasks of the subsets
        return "-".join([kind, *map(masks.__getitem__, subsets)])

    marks = {"ringed": scene.marked("best", "minimal"), "optimal": scene.marked("optimal")}
    for sign, kind in KINDS.items():
        routes = {edge: scene.routes[edge] for edge in drawn.edges if step(drawn, *edge) == sign}
        for edge, line in ink.draw_edges(pen, drawn, positions, routes, kind).items():
            line.set_gid(name(f"edge-{kind}", edge))
    steps = {edge: scene.routes[edge] for edge in itertools.pairwise(scene.path)}
    ink.draw_edges(pen, drawn, positions, steps, "path")
    for edge, route in steps.items():
        box = scene.boxes[edge[1]]
        box = ink.ring_size(pen, box) if edge[1] in marks["ringed"] else box
        ink.draw_head(pen, route, (box[0] + 0.02, box[1] + 0.02), name("step", edge))
    ranks = max(node["rank"] for _, node in drawn.nodes(data=True)) + 1
    for node, size in scene.boxes.items():
        own = [mark for mark, nodes in marks.items() if node in nodes]
        fill, gid = ink.shade(drawn.nodes[node]["rank"], ranks), name("node", scene.members[node])
        ink.draw_node(pen, drawn, positions, node, size, fill, *own).set_gid(gid)
    ink.draw_labels(pen, drawn, positions, scene.labels.texts, scene.labels.points)


# -- The TikZ picture: a layout, written for papers in LaTeX.


_TIKZ_HEAD = r"""% Needs \usepackage{tikz}. One unit is an inch.
\begin{tikzpicture}[x=1in, y=1in, font=\footnotesize,
  subset/.style={draw, rounded corners=2pt, align=center, inner sep=1pt},
  ringed/.style={double, double distance=1.5pt, thick},
  optimal/.style={sharp corners, very thick},
  tie/.style={line width=1.6pt}, % removing the feature leaves the value the same
  rise/.style={dashed, gray}, % removing the feature raises the value
  fall/.style={dotted, gray}, % removing the feature lowers the value
  search/.style={-latex, line width=2.4pt, orange}] % the path of the search"""
_DARKEST = 35  # percent of black, so that letters on it are legible in gray
_SIGNS = {"≈": r"$\approx$", "…": r"\dots{}", "\N{UNION}": r"$\cup$", "\N{MULTIPLICATION SIGN}": r"$\times$"}
_SIGNS |= {"\N{MINUS SIGN}": "$-$", "\N{NO-BREAK SPACE}": "~", "⁻": r"\textsuperscript{$-$}"}
_SIGNS |= {power: rf"\textsuperscript{{{digit}}}" for digit, power in enumerate("⁰¹²³⁴⁵⁶⁷⁸⁹")}


def lattice_tikz(
    graph: Lattice,
    *,
    view: View = "size",
    labels: LabelMode | Literal["auto"] = "auto",
    scale: Scale = "auto",
    width: Width | None = None,
) -> str:
    r"""Return the Hasse diagram of a table as a TikZ picture, which LaTeX sets in the fonts of the paper.

    The picture needs no package but `tikz`, and has one line for each subset and each edge, so that it can be edited.
    It has no title and no legend: its caption says what its first lines say of the styles. A darker box has a larger
    value. Equal values have the same shade. The parameters are those of `draw_lattice`.

    Examples
    --------
    >>> from fstheory import bayes_risks, gallery
    >>> picture = lattice_tikz(bayes_risks(gallery.xor()).to_networkx(best={"X1", "X2"}))
    >>> print(*picture.splitlines()[-5:], sep="\n")
      \draw[tie] (s0) -- (s1);
      \draw[tie] (s0) -- (s2);
      \draw[rise] (s1) -- (s3);
      \draw[rise] (s2) -- (s3);
    \end{tikzpicture}
    """
    scene = lay_out(graph, view, labels, scale, ink.inches_of(width, {}))
    lines = [*_tikz_nodes(scene), *_tikz_axis(scene), *_tikz_edges(scene)]
    return "\n".join([_TIKZ_HEAD, *("  " + line for line in lines), r"\end{tikzpicture}"])


def _tikz_nodes(scene: Scene) -> list[str]:
    """Return a line for each node: a box with its text, darker for larger values."""
    ringed, optimal, features = scene.marked("best", "minimal"), scene.marked("optimal"), scene.graph.graph["features"]
    most = max(node["rank"] for _, node in scene.drawn.nodes(data=True)) or 1
    lines = []
    for node, place in scene.positions.items():
        shade = round(_DARKEST * scene.drawn.nodes[node]["rank"] / most)
        wide, high = scene.boxes[node]
        style = f"subset{', ringed' * (node in ringed)}{', optimal' * (node in optimal)}, fill=black!{shade}"
        size = f"minimum width={wide:.2f}in, minimum height={high:.2f}in"
        text = r"\\".join(map(_in_tex, scene.labels.texts[node].split("\n")))
        lines.append(rf"\node[{style}, {size}] (s{mask_of(node, features)}) at {_at(place)} {{{text}}};")
    return lines


def _tikz_axis(scene: Scene) -> list[str]:
    """Return the sizes beside their levels, or the axis of values."""
    x = scene.extent[0] - 0.15
    if scene.view == "size":
        return [rf"\node[left, gray] at {_at((x, y))} {{${text}$}};" for y, text in scene.ticks]
    heights = [y for _, y in scene.positions.values()]
    lines = [rf"\draw {_at((x, min(heights)))} -- {_at((x, max(heights)))};"]
    lines += [
        rf"\draw {_at((x, y))} -- {_at((x - 0.05, y))} node[left] {{{_in_tex(text)}}};" for y, text in scene.ticks
    ]
    words = "{name} ${symbol}(S)$".format(**{key: _in_tex(scene.graph.graph[key]) for key in ("name", "symbol")})
    words += ", logarithmic" if scene.logarithmic and len(drawn_values(scene.graph)) > 1 else ""
    return [
        *lines,
        rf"\node[rotate=90] at {_at((x - scene.side + 0.1, (min(heights) + max(heights)) / 2))} {{{words}}};",
    ]


def _tikz_edges(scene: Scene) -> list[str]:
    """Return the steps of the path and, over them, the edges."""
    drawn, routes, features = scene.drawn, scene.routes, scene.graph.graph["features"]
    pairs = [("search", pair) for pair in itertools.pairwise(scene.path)]
    pairs += [(KINDS[step(drawn, *pair)], pair) for pair in drawn.edges]
    lines = []
    for style, (one, other) in pairs:
        bends = "".join(f" -- {_at(place)}" for place in routes[one, other][1:-1])
        lines.append(rf"\draw[{style}] (s{mask_of(one, features)}){bends} -- (s{mask_of(other, features)});")
    return lines


def _at(place: Place) -> str:
    return f"({place[0] + 0.0:.2f}, {place[1] + 0.0:.2f})"


def _in_tex(text: str) -> str:
    return "".join(_SIGNS.get(sign, sign) for sign in latex_escaped(text))
