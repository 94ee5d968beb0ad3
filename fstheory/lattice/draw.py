"""Draw the graph of a lattice through the drawing functions of networkx: a Hasse diagram by size or by value."""

from __future__ import annotations

import functools
import io
import itertools
import math
import operator
import os
import threading
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Context, Decimal
from fractions import Fraction
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple, TypeAlias, get_args

import numpy as np

from fstheory._support.exact import decimal_text, to_text
from fstheory._support.files import write_atomically
from fstheory.errors import InvalidTypeError, InvalidValueError, TooLargeError, explain, import_optional, require_choice
from fstheory.lattice.graph import (
    MOST_SPREAD,
    Lattice,
    Place,
    Scale,
    View,
    describe,
    drawn_values,
    entitle,
    heights_by_value,
    is_logarithmic,
    lattice_positions,
    marked,
    mask,
    merge_ties,
    step,
    written,
)
from fstheory.lattice.subsets import default_features, format_subset, indices_of, minimal_masks, require_text

if TYPE_CHECKING:
    import networkx as nx
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
__all__ = [
    "MOST_NODES",
    "Entry",
    "LabelMode",
    "Labels",
    "LatticeFigure",
    "Pen",
    "PlotFigure",
    "axis_ticks",
    "check_size",
    "draw_box",
    "draw_edges",
    "draw_labels",
    "draw_lattice",
    "draw_legend",
    "draw_step",
    "file_kind",
    "format_value",
    "label_nodes",
    "legend_entries",
    "legend_rows",
    "line_height",
    "measure",
    "row_height",
    "row_width",
    "shade",
    "shorten_names",
    "wrap",
]


# -- How a drawing looks: colors, widths, the size of a text, and the signs that lattice and legend share.


Places: TypeAlias = Mapping[Any, Place]
Edge: TypeAlias = tuple[Any, Any]
FONT: Final = "DejaVu Sans"  # comes with matplotlib, so that sizes are the same everywhere
INK: Final = "#1a1a1a"
FAINT: Final = "#5f5f5f"  # still legible text, 6 to 1 on white
SERIES_COLORS: Final = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#8a6d00", INK)
SERIES_SHAPES: Final = "osD^vPX*"  # each color has a shape of its own, too
PATH_COLOR: Final = "#E69F00"
OPTIMAL_COLOR: Final = "#0072B2"
# by the sign of the change in value where the feature is removed: width in points, color, dashes, order of drawing
_EDGES: Final[dict[int, tuple[float, str, tuple[float, float] | None, float]]] = {
    0: (2.2, INK, None, 2.0), 1: (0.8, "#8a8a8a", (4.0, 3.0), 1.5), -1: (0.8, "#8a8a8a", (1.2, 2.2), 1.5)
}  # fmt: skip
_PATH_WIDTH: Final = 7.0
_HEAD: Final = 0.13  # inches from the tip of an arrow to its base
_RING: Final = 0.055  # between the two borders of a ringed box
_FLAG: Final = 0.10  # side of the small square on a k-optimal box
_LIGHT, _DARK = (255, 255, 255), (136, 172, 208)  # black text on the dark one keeps a contrast above 7 to 1


class Pen(NamedTuple):
    """Axes whose unit is an inch of the drawing, its inches on paper, and how much finer lines and marks are."""

    axes: Axes
    scale: float = 1.0
    stroke: float = 1.0

    def width(self, points: float) -> float:
        """Return the width of a line on paper."""
        return points * self.scale * self.stroke

    def text(self, x: float, y: float, text: str, points: float, **style: Any) -> None:
        """Write lines of text around the height y."""
        defaults = {"ha": "center", "va": "center", "color": INK}
        _set_text(self, self.axes.text(x, y, text, **{**defaults, **style}), points)

    def line(self, x: Sequence[float], y: Sequence[float], width: float, z: float, color: str = INK) -> None:
        """Draw a plain line."""
        (drawn,) = self.axes.plot(x, y, color=color, linewidth=self.width(width), zorder=z, scalex=False, scaley=False)
        drawn.set(clip_on=False, snap=False, solid_capstyle="butt", marker="none")


def draw_edges(
    pen: Pen, graph: Any, positions: Places, edges: Collection[Edge], step: int, ids: Sequence[str] = ()
) -> None:
    """Draw edges: thick and solid if removing the feature loses nothing, else thin and broken."""
    width, color, dashes, z = _EDGES[step]
    style = (0, tuple(part / width for part in dashes)) if dashes else "solid"  # in units of the width of the line
    _arrows(pen, graph, positions, edges, ids, arrowstyle="-", linestyle=style, lw=width, color=color, zorder=z)


def draw_step(pen: Pen, graph: Any, positions: Places, edge: Edge, box: Place = (0.0, 0.0), gid: str = "") -> None:
    """Draw a step of a path: a broad band under the edge, and an arrow head that touches the box at its end."""
    _arrows(pen, graph, positions, [edge], arrowstyle="-", lw=_PATH_WIDTH, color=PATH_COLOR, zorder=1.0)
    (a, b), (x, y) = (positions[node] for node in edge)
    dx, dy = x - a, y - b
    length = (dx**2 + dy**2) ** 0.5 or 1.0
    inside = min([half / abs(d) for half, d in zip((box[0] / 2, box[1] / 2), (dx, dy), strict=True) if d], default=0.5)
    tip = (x - inside * dx, y - inside * dy)
    base = (tip[0] - _HEAD * pen.stroke * dx / length, tip[1] - _HEAD * pen.stroke * dy / length)
    size = _HEAD * pen.stroke * 72 * pen.scale
    head: Any = _arrows(
        pen, graph, {edge[0]: base, edge[1]: tip}, [edge], [gid], lw=0.6, color=INK, zorder=2.5,
        arrowstyle=f"-|>,head_length={size},head_width={0.6 * size}", mutation_scale=1.0, facecolor=PATH_COLOR,
    )  # fmt: skip
    head[0].set(joinstyle="miter")


def _arrows(
    pen: Pen, graph: Any, positions: Places, edges: Collection[Edge], ids: Sequence[str] = (), *,
    lw: float, arrowstyle: str, **style: Any,
) -> list[Any]:  # fmt: skip
    import networkx as nx

    drawn: Any = nx.draw_networkx_edges(
        graph, positions, edgelist=list(edges), ax=pen.axes, arrows=True, arrowstyle=arrowstyle, arrowsize=1,
        node_size=0, hide_ticks=False,
    )  # fmt: skip
    for k, patch in enumerate(drawn):
        patch.set(linewidth=pen.width(lw), capstyle="butt", clip_on=False, snap=False, gid=ids[k] if ids else None)
        patch.set(**style)
    return list(drawn)


def draw_box(
    pen: Pen, graph: Any, node: Any, center: Place, size: Place, fill: str, *,
    ringed: bool = False, optimal: bool = False, square: bool = False, gid: str = "",
) -> None:  # fmt: skip
    """Draw a node: ringed by a second border if it is minimal-optimal, square with a flag if it is k-optimal."""
    if ringed:
        _box(pen, graph, node, center, ring_size(pen, size), "#ffffff", INK, 1.8, 3.0, square=optimal)
    border, width = (OPTIMAL_COLOR, 2.2) if optimal else (INK, 1.2 if ringed else 0.8)
    _box(pen, graph, node, center, size, fill, border, width, 4.0, square=optimal or square, gid=gid)
    if optimal:
        corner, flag = (center[0] + size[0] / 2, center[1] + size[1] / 2), _FLAG * pen.stroke
        _box(pen, graph, node, corner, (flag, flag), OPTIMAL_COLOR, "#ffffff", 0.6, 5.0, square=True)


def ring_size(pen: Pen, size: Place) -> Place:
    """Return the size of the outer border of a ringed box."""
    return size[0] + 2 * _RING * pen.stroke, size[1] + 2 * _RING * pen.stroke


def _box(
    pen: Pen, graph: Any, node: Any, center: Place, size: Place, fill: str, border: str,
    width: float, z: float, *, square: bool, gid: str = "",
) -> None:  # fmt: skip
    import networkx as nx
    from matplotlib.patches import BoxStyle

    shape = BoxStyle.Square(pad=0) if square else BoxStyle.Round(pad=0, rounding_size=min(0.07, 0.45 * min(size)))
    outline: Any = shape(-size[0] / 2, -size[1] / 2, *size, 1)
    drawn = nx.draw_networkx_nodes(
        graph, {node: center}, nodelist=[node], node_shape=outline, node_size=(72 * pen.scale * max(size)) ** 2,
        node_color=fill, edgecolors=border, linewidths=pen.width(width), ax=pen.axes, hide_ticks=False,
    )  # fmt: skip
    drawn.set(zorder=z, clip_on=False, snap=False, gid=gid or None)


def draw_labels(pen: Pen, graph: Any, positions: Places, texts: Mapping[Any, str], points: float) -> None:
    """Write a text of one or more lines in the middle of each node."""
    import networkx as nx

    written = {node: text for node, text in texts.items() if text}
    drawn = nx.draw_networkx_labels(
        graph, positions, written, font_color=INK, ax=pen.axes, clip_on=False, hide_ticks=False
    )
    for text in drawn.values():
        _set_text(pen, text, points)


def _set_text(pen: Pen, text: Any, points: float) -> None:
    text.set(fontsize=points * pen.scale, family=FONT, linespacing=1.25, parse_math=False, usetex=False, zorder=9)


def shade(rank: int, ranks: int) -> str:
    """Return the fill of a node: white for the smallest value, darker for each larger one."""
    part = rank / (ranks - 1) if ranks > 1 else 0.0
    mixed = (round(light + part * (dark - light)) for light, dark in zip(_LIGHT, _DARK, strict=True))
    return "#" + "".join(f"{channel:02x}" for channel in mixed)


def line_height(points: float) -> float:
    """Return the distance of two lines of text in inches."""
    return 1.25 * points / 72


def measure(text: str, points: float, *, bold: bool = False) -> Place:
    """Return width and height in inches of a text of one or more lines; an empty text measures nothing."""
    lines = text.split("\n") if text else []
    return max((_width(line, bold) for line in lines), default=0.0) * points / 10, len(lines) * line_height(points)


def wrap(text: str, points: float, room: float, *, bold: bool = False) -> str:
    """Break a text at spaces into lines no wider than `room` inches, unless one word is; no-break spaces hold."""
    lines = [""]
    for word in text.split(" "):
        longer = f"{lines[-1]} {word}" if lines[-1] else word
        if lines[-1] and measure(longer, points, bold=bold)[0] > room:
            lines.append(word)
        else:
            lines[-1] = longer
    return "\n".join(lines)


@functools.lru_cache(maxsize=4096)
def _width(line: str, bold: bool) -> float:
    """Return the width of one line at ten points, from the metrics of the font."""
    from matplotlib.font_manager import FontProperties
    from matplotlib.textpath import text_to_path

    font = FontProperties(family=FONT, size=10, weight="bold" if bold else "normal")
    width, _, _ = text_to_path.get_text_width_height_descent(line, font, ismath=False)
    return float(width) / 72


# -- A finished drawing: it shows itself in Jupyter and saves itself as SVG, PNG or PDF.


_SETTINGS: Any = {
    "svg.fonttype": "none", "svg.hashsalt": "fstheory", "svg.id": None, "pdf.fonttype": 42,
    "text.hinting": "no_hinting",  # hinted letters are wider than measured where pixels are few
    "savefig.bbox": None, "savefig.facecolor": "auto", "savefig.transparent": False,
}  # fmt: skip
_settings_lock = threading.Lock()
_MOST_DPI = 2400
_UNDATED = {"svgz": {"Date": None}, "pdf": {"CreationDate": None}, "ps": {}, "eps": {}}
"""The metadata of the formats that take some, but for SVG and PNG."""


def file_kind(path: str | os.PathLike[str], argument: str = "path") -> str:
    """Return the format that the suffix of a path names: one that matplotlib writes alone, or the path is refused."""
    import_optional("matplotlib", "viz", "drawing")
    from matplotlib.backend_bases import FigureCanvasBase

    kinds = FigureCanvasBase.get_supported_filetypes().keys() - {"pgf"}  # which asks a TeX how wide letters are
    kind = Path(path).suffix.lower().removeprefix(".")
    if kind not in kinds:
        known = f"a name that ends in one of {', '.join(f'.{name}' for name in sorted(kinds))}"
        raise InvalidValueError(explain(argument, known, str(path), "change its suffix"))
    return kind


def _check_dpi(dpi: float) -> None:
    if isinstance(dpi, bool) or not isinstance(dpi, int | float) or not 1 <= dpi <= _MOST_DPI:
        raise InvalidValueError(explain("dpi", f"a number from 1 to {_MOST_DPI}", dpi, "pass 200"))


class PlotFigure:
    """A finished drawing.

    Attributes
    ----------
    figure : matplotlib.figure.Figure
        Independent of pyplot: it needs no closing and is drawn by no window.
    title, description : str
        What a screen reader says of the picture.

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> PlotFigure(Figure(), "An empty figure", "Nothing is drawn.").to_svg().count("<desc>Nothing is drawn.</desc>")
    1
    """

    def __init__(self, figure: Figure, title: str, description: str) -> None:
        self.figure, self.title, self.description = figure, title, description

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {self.title}>"

    def _repr_svg_(self) -> str:
        return self.to_svg()

    def to_svg(self) -> str:
        """Return the picture as SVG: text stays text, and the same drawing always gives the same bytes."""
        metadata = {"Date": None, "Creator": "fstheory", "Title": self.title}
        text = self._render("svg", metadata, None).decode("utf-8")
        title = f"<title>{escape(self.title, quote=False)}</title>"
        described = f"{title}\n <desc>{escape(self.description, quote=False)}</desc>"
        return text.replace("<svg ", '<svg role="img" ', 1).replace(title, described, 1)

    def to_png(self, dpi: float = 200) -> bytes:
        """Return the picture as PNG, with `dpi` pixels to the inch."""
        _check_dpi(dpi)
        return self._render("png", {"Software": None, "Title": self.title}, dpi)

    def save(self, path: str | os.PathLike[str], *, dpi: float = 200) -> None:
        """Write the picture to a file, whole or not at all.

        The suffix of `path` says the format: ``.svg``, ``.png``, ``.pdf`` or another that matplotlib writes; a PNG has
        `dpi` pixels to the inch.

        Raises
        ------
        InvalidValueError
            The suffix is none that matplotlib writes, or `dpi` is not between 1 and 2400.
        """
        kind = file_kind(path)
        _check_dpi(dpi)
        if kind in {"svg", "png"}:
            write_atomically(path, self.to_svg() if kind == "svg" else self.to_png(dpi))
        else:
            metadata = {**_UNDATED[kind], "Title": self.title} if kind in _UNDATED else None
            write_atomically(path, self._render(kind, metadata, dpi))

    def _render(self, kind: str, metadata: dict[str, Any] | None, dpi: float | None) -> bytes:
        import matplotlib as mpl

        stream = io.BytesIO()
        with _settings_lock, mpl.rc_context(_SETTINGS):  # these settings have no other door than the global ones
            self.figure.savefig(stream, format=kind, metadata=metadata, dpi=dpi or "figure")
        return stream.getvalue()


class LatticeFigure(PlotFigure):
    """A drawn lattice."""


# -- What is written: subsets in the nodes by name, by number or not at all, exact values as short text, axis ticks.


LabelMode: TypeAlias = Literal["values", "names", "marked", "codes", "none"]
"""Names with values; names; names with values of few subsets; features' numbers; or empty nodes."""

_LONGEST_NAME = 24
_MANY_COMMON = 4
_FEW = 2  # subsets up to which a node of several lists all
_MOST_MINIMAL = 4  # and else its minimal ones
_AND = "C \N{UNION} "
_LINE = 12  # characters a line of a label may have before it is broken
_POINTS: dict[LabelMode, float] = {"values": 9.0, "names": 7.0, "marked": 8.0, "codes": 6.0, "none": 6.0}
_SHORT = 9  # characters of a fraction that is written out: 1234/2201
_MOST_DIGITS = 9
_EXACT = Context(prec=10**6, Emax=10**15, Emin=-(10**15))
_MINUS, _TIMES = "\N{MINUS SIGN}", "\N{MULTIPLICATION SIGN}"
_SUPERSCRIPTS = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


class Labels(NamedTuple):
    """The texts of the nodes, in points, and what a legend must explain about them.

    `digits` counts the significant digits of rounded values (0 if none is), `key` says what numbers stand for, and
    `common` holds the features that all nodes have and the labels call C.
    """

    mode: LabelMode
    points: float
    texts: dict[frozenset[str], str]
    digits: int = 0
    key: tuple[str, ...] = ()
    common: str = ""


def label_nodes(
    graph: Lattice, mode: LabelMode, members: dict[frozenset[str], tuple[frozenset[str], ...]],
    labeled: Collection[frozenset[str]] = (),
) -> Labels:  # fmt: skip
    """Return the labels of nodes, each of one subset or several; in mode `marked` of the `labeled` subsets."""
    points = _POINTS[mode] - (1.0 if mode == "values" and len(members) > 16 else 0.0)
    if mode == "none":
        return Labels(mode, points, dict.fromkeys(members, ""))
    features = graph.graph["features"]
    groups = {node: [mask(graph, subset) for subset in subsets] for node, subsets in members.items()}
    held = [m for group in groups.values() for m in group]
    common, short = _common(held), shorten_names(features)
    called = format_subset(common, short) if common else ""
    named = [str(i + 1) for i in range(len(features))] if mode == "codes" else short
    names = {node: _listed(group, common, named) for node, group in groups.items()}
    if mode == "codes":
        for node, (first, *rest) in groups.items():
            if not rest:  # one subset: its numbers below one another
                names[node] = "\n".join(named[i] for i in indices_of(first & ~common)) or ("C" if common else "{}")
        used = indices_of(functools.reduce(operator.or_, held, 0) & ~common)
        return Labels(mode, points, names, key=tuple(f"{named[i]} = {features[i]}" for i in used), common=called)
    if mode == "names":
        return Labels(mode, points, names, common=called)
    values = drawn_values(graph)
    texts, digits = value_texts(values[node] for node in members)
    both = {node: f"{names[node]}\n{text}" for node, text in zip(members, texts, strict=True)}
    if mode == "marked":
        both = {node: text if set(members[node]) & set(labeled) else "" for node, text in both.items()}
    return Labels(mode, points, both, digits, common=called)


def shorten_names(features: Sequence[str], longest: int = _LONGEST_NAME) -> tuple[str, ...]:
    """Take the middle out of long names, unless two names would then look the same."""
    head, tail = longest // 2, longest - longest // 2 - 1
    one_line = [" ".join(name.split()) for name in features]
    short = tuple(name if len(name) <= longest else f"{name[:head]}…{name[-tail:]}" for name in one_line)
    return short if len(set(short)) == len(short) else tuple(features)


def _common(masks: Sequence[int]) -> int:
    """Return the features of all masks, if there are so many that repeating them in every node hides the rest."""
    common = functools.reduce(operator.and_, masks)
    return common if common.bit_count() >= _MANY_COMMON and len(masks) > 1 else 0


def _listed(group: Sequence[int], common: int, features: Sequence[str]) -> str:
    """Write the subsets of a node; of many the minimal ones, and how many there are besides."""
    if len(group) <= _FEW:
        return "\n".join(_name(m, common, features) for m in group)
    minimal = minimal_masks(np.array(group, dtype=np.int64)).tolist()
    shown = minimal if len(minimal) <= _MOST_MINIMAL else minimal[: _MOST_MINIMAL - 1]
    rest = f"and {len(group) - len(shown)} {'more' if len(shown) < len(minimal) else 'larger'}"
    return "\n".join([*(_name(m, common, features) for m in shown), rest])


def _name(subset: int, common: int, features: Sequence[str]) -> str:
    own = subset & ~common
    if not common:
        return _break(format_subset(subset, features))
    return _AND + _break(format_subset(own, features)) if own else "C"


def _break(text: str) -> str:
    """Break a written subset between names, as evenly as the longest name allows."""
    if not text.startswith("{"):
        return text
    parts = text.split(", ")
    limit = max(_LINE, *map(len, parts)) + 1
    lines = [""]
    for i, name in enumerate(parts):
        part = name + ("," if i < len(parts) - 1 else "")
        if lines[-1] and len(lines[-1]) + 1 + len(part) > limit:
            lines.append(part)
        else:
            lines[-1] = f"{lines[-1]} {part}".strip()
    return "\n".join(lines)


def format_value(value: Fraction, digits: int = 4) -> str:
    """Write a value: exactly as a short fraction, else rounded half to even and marked with ``≈``."""
    exact = to_text(value, 0, _SHORT)
    if not exact.startswith("≈"):
        return exact
    rounded = Decimal(decimal_text(value, digits))
    return ("" if Fraction(rounded) == value else "≈") + _decimal_text(rounded)  # 10**-12, say, is exact after all


def value_texts(values: Iterable[Fraction], digits: int = 4) -> tuple[list[str], int]:
    """Write values so that different ones read differently; return the digits of those that are rounded, too."""
    listed = list(values)
    texts = [format_value(value, digits) for value in listed]
    while len({text.removeprefix("≈") for text in texts}) < len(set(listed)) and digits < _MOST_DIGITS:
        digits += 1
        texts = [format_value(value, digits) for value in listed]
    # past nine significant digits two values may share a text; a picture still tells them apart by shade
    return texts, digits if any(text.startswith("≈") for text in texts) else 0


def round_ticks(low: Fraction, high: Fraction, most: int = 8) -> list[tuple[Fraction, str]]:
    """Return the multiples in [low, high] of 1, 2 or 5 times a power of ten, at most `most` + 1, with texts."""
    if low == high:
        return [(low, format_value(low))]
    least = (high - low) / most
    powers = {
        k * Fraction(10) ** power: (k, power) for power in (_decade(least), _decade(least) + 1) for k in (1, 2, 5)
    }
    step = min(step for step in powers if step >= least)
    width, power = powers[step]
    multiples = range(math.ceil(low / step), math.floor(high / step) + 1)
    decimals = [_EXACT.scaleb(Decimal(width * k), power) for k in multiples]  # with equally many places: 0.15, 0.20
    if any(map(_is_long, decimals)):
        decimals = [value.normalize(_EXACT) for value in decimals]
    texts = list(map(_decimal_text, decimals))
    if max(map(len, texts), default=0) > 10:  # a narrow range far from zero: its two ends say as much, in less room
        return [(low, format_value(low, 6)), (high, format_value(high, 6))]
    return [(step * k, text) for k, text in zip(multiples, texts, strict=True)]


def _power_text(exponent: int) -> str:
    return "10" + str(exponent).translate(_SUPERSCRIPTS)


def _is_long(value: Decimal) -> bool:
    """Say whether a decimal is written with a power of ten."""
    return value != 0 and not -4 <= value.adjusted() <= 5


def _decimal_text(value: Decimal) -> str:
    """Write a decimal plainly, or with a power of ten where plain writing is long."""
    if value == 0:
        return "0"
    text = f"{value:f}"
    if _is_long(value):
        digits = "".join(map(str, value.as_tuple().digits))
        point = "." if len(digits) > 1 else ""
        text = f"{'-' * (value < 0)}{digits[0]}{point}{digits[1:]}{_TIMES}{_power_text(value.adjusted())}"
    return text.replace("-", _MINUS)


def axis_ticks(values: Collection[Fraction], height: float, logarithmic: bool) -> list[tuple[float, str]]:
    """Return heights and texts of the ticks of an axis of values."""
    low, high = min(values), max(values)
    if not logarithmic:
        ticks = round_ticks(low, high)
        # the two ends take part in placing the ticks, and are not ticks themselves
        heights = heights_by_value([low, high, *(tick for tick, _ in ticks)])[2:] * height
        return [(y, text) for y, (_, text) in zip(heights.tolist(), ticks, strict=True)]
    least = min(value for value in values if value > 0)
    powers = range(_decade(least), _decade(high) + 1)
    kept = [k for k in powers if Fraction(10) ** k >= least]
    kept = kept[:: len(kept) // 9 + 1]
    heights = heights_by_value([low, least, high, *(Fraction(10) ** k for k in kept)], logarithmic=True)[3:] * height
    zero = [(0.0, "0")] if low == 0 else []
    return zero + list(zip(heights.tolist(), (_power_text(k) if k else "1" for k in kept), strict=True))


def _decade(value: Fraction) -> int:
    """Return the largest k with 10**k <= value."""
    k = Decimal(decimal_text(value, 2)).adjusted()
    return k if Fraction(10) ** k <= value else k - 1  # rounding may have reached the next power


# -- The legend: only what appears in the picture, in lines that fit its width.


Kind: TypeAlias = Literal["tie", "group", "rise", "fall", "ringed", "path", "optimal", "shade", "note"]

_POINTS_legend = 8.0
_SAMPLE = 0.42  # inches
_LEAD = 0.15  # of a row of the legend besides its lines
_GUTTER = 0.30
_TIGHT = "\N{NO-BREAK SPACE}"  # a line is not broken there


class Entry(NamedTuple):
    """A sample and what it means; a note has no sample."""

    kind: Kind
    text: str


def legend_entries(graph: Lattice, drawn: Lattice, labels: Labels, *, walks: bool) -> list[Entry]:
    """Return the entries of what appears; `drawn` has the nodes and edges of the picture."""
    symbol = graph.graph["symbol"]
    steps = {step(drawn, *edge) for edge in drawn.edges}
    merged = len(drawn) < len(graph)
    feature = "features" if merged else "the feature"
    named = labels.mode in {"values", "names", "marked"} and not merged
    best, minimal = marked(graph, "best"), marked(graph, "minimal")
    listed = "" if named or len(minimal) > 4 else ": " + ", ".join(written(graph, subset) for subset in minimal)
    called = "" if named else f" = {written(graph, best[0])}" if best else ""
    values = drawn_values(graph).values()
    low, high = format_value(min(values)), format_value(max(values))
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
        *((True, "note", note) for note in _notes(graph.graph["features"], labels)),
    ]
    return [Entry(kind, text) for appears, kind, text in entries if appears]


def _notes(features: tuple[str, ...], labels: Labels) -> list[str]:
    """Return what must be said of the labels."""
    notes = []
    if labels.digits:
        notes.append(f"≈ rounded to {labels.digits} significant digits")
    if labels.key:
        plain = features == default_features(len(features))
        notes.append("k stands for Xk" if plain else ", ".join(key.replace(" ", _TIGHT) for key in labels.key))
    if labels.common:
        notes.append(f"C = {labels.common}")
    return notes


def legend_rows(entries: list[Entry], width: float) -> list[list[Entry]]:
    """Distribute the entries over rows no wider than `width`, with their texts broken into lines where one is."""
    rows: list[list[Entry]] = []
    for whole in entries:
        entry = Entry(whole.kind, wrap(whole.text, _POINTS_legend, width - _sample_width(whole)).replace(_TIGHT, " "))
        first_note = entry.kind == "note" and rows and rows[-1][-1].kind != "note"
        if rows and row_width([*rows[-1], entry]) <= width and not first_note:
            rows[-1].append(entry)
        else:
            rows.append([entry])
    return rows


def row_height(row: list[Entry]) -> float:
    """Return the height of a row."""
    return max(measure(entry.text, _POINTS_legend)[1] for entry in row) + _LEAD


def row_width(row: list[Entry]) -> float:
    """Return the width of a row."""
    return sum(map(_entry_width, row)) + _GUTTER * (len(row) - 1)


def draw_legend(pen: Pen, rows: list[list[Entry]], center: float, top: float) -> None:
    """Draw the rows downwards from `top`, each centered."""
    import networkx as nx

    edge = nx.path_graph(2, create_using=nx.DiGraph)
    for row in rows:
        y = top - row_height(row) / 2
        top -= row_height(row)
        x = center - row_width(row) / 2
        for entry in row:
            _draw_sample(pen, edge, entry.kind, x, y)
            pen.text(x + _sample_width(entry), y, entry.text, _POINTS_legend, ha="left")
            x += _entry_width(entry) + _GUTTER


def _entry_width(entry: Entry) -> float:
    return measure(entry.text, _POINTS_legend)[0] + _sample_width(entry)


def _sample_width(entry: Entry) -> float:
    return 0.0 if entry.kind == "note" else _SAMPLE + 0.10


def _draw_sample(pen: Pen, edge: nx.DiGraph[int], kind: Kind, x: float, y: float) -> None:
    """Draw a sign at the left of its text; `edge` is the graph of one edge."""
    ends, middle = {0: (x, y), 1: (x + _SAMPLE, y)}, (x + _SAMPLE / 2, y)
    if kind in {"tie", "rise", "fall"}:
        draw_edges(pen, edge, ends, [(0, 1)], {"tie": 0, "rise": 1, "fall": -1}[kind])
    elif kind == "group":
        draw_box(pen, edge, 0, middle, (0.34, 0.2), "#ffffff")
        for shift in (0.045, -0.045):
            pen.line((x + 0.12, x + _SAMPLE - 0.12), (y + shift, y + shift), 0.8, 5.0, FAINT)
    elif kind == "path":
        draw_step(pen, edge, ends, (0, 1))
    elif kind == "optimal":
        draw_box(pen, edge, 0, middle, (0.30, 0.16), "#ffffff", optimal=True)
    elif kind == "shade":
        width = _SAMPLE / 5
        for part in range(5):
            draw_box(pen, edge, 0, (x + (part + 0.5) * width, y), (width, 0.13), shade(part, 5), square=True)
    elif kind == "ringed":
        draw_box(pen, edge, 0, middle, (0.27, 0.11), "#ffffff", ringed=True)


# -- Draw the graph of a lattice through the drawing functions of networkx: a Hasse diagram by size or by value.


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
) -> LatticeFigure:  # fmt: skip
    """Draw the Hasse diagram of the subsets in the graph of a table, or a subgraph of it, through networkx.

    An edge joins two subsets that differ by one feature. It is thick and solid if removing the feature loses nothing,
    thin and dashed if it costs. Subsets of equal value have the same shade.

    Parameters
    ----------
    graph : networkx.DiGraph
        What `SubsetTable.to_networkx` returns, with the marks given there.
    view : {'size', 'risk'}
        Whether the height of a subset is its size or its value; by value, subsets that ties join are one node.
    labels : {'auto', 'values', 'names', 'marked', 'codes', 'none'}
        Names with values; names; names with values of few subsets; features' numbers; nothing.
    scale : {'auto', 'linear', 'log'}
        Of the values.
    title : str, optional
        ``""`` for none.
    ax : matplotlib.axes.Axes, optional
        Where to draw; a new figure if not given.

    Examples
    --------
    >>> from fstheory import bayes_risks, gallery
    >>> draw_lattice(bayes_risks(gallery.xor()).to_networkx(best={"X1", "X2"}))
    <LatticeFigure: Bayes risk R(S) of the subsets S of {X1, X2}>
    """
    require_choice(view, "view", get_args(View))
    require_choice(labels, "labels", ("auto", *get_args(LabelMode)))
    require_choice(scale, "scale", get_args(Scale))
    check_size(len(graph))
    if title is not None and not isinstance(title, str):
        raise InvalidTypeError(explain("title", "a string", title, "pass a title, or '' for none"))
    require_text(title or "", "title")
    import_optional("matplotlib", "viz", "drawing a lattice")
    scene = _compose(graph, view, labels, scale)
    pen = _paint(scene, entitle(graph) if title is None else title, ax)
    short = {subset: format_value(value) for subset, value in drawn_values(graph).items()}
    # the outermost figure, where axes stand in a part of one
    return LatticeFigure(pen.axes.figure.figure, title or entitle(graph), describe(graph, short))


def check_size(nodes: int) -> None:
    """Refuse a number of subsets that cannot be drawn."""
    if nodes > MOST_NODES:
        most = f"of at most {MOST_NODES} subsets (all of 7 features) to be drawn"
        repair = "restrict it to an interval or to some sizes with table.restrict(...), or read table.ordering()"
        raise TooLargeError(explain("table", most, nodes, repair))
    if nodes == 0:
        raise InvalidValueError(explain("table", "of at least one subset to be drawn", nodes, "restrict it less"))


@dataclass(frozen=True)
class _Scene:
    """The drawn graph in inches, whose nodes are the subsets of a graph or groups of them."""

    graph: Lattice
    drawn: Lattice
    members: dict[Node, tuple[Node, ...]]
    view: View
    labels: Labels
    boxes: dict[Node, tuple[float, float]]
    positions: dict[Node, tuple[float, float]]
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


def _boxes(labels: Labels, *, merged: bool) -> dict[Node, tuple[float, float]]:
    """Return boxes that hold their texts, of one size for all of a size unless few are labeled or nodes are merged."""
    wide, high, *_ = _ROOM[labels.mode]
    measured = {node: measure(text, labels.points) for node, text in labels.texts.items()}
    boxes = {node: (width + wide, height + high) for node, (width, height) in measured.items()}
    if labels.mode == "marked" or merged:
        return boxes
    widest: dict[int, tuple[float, float]] = {}
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
