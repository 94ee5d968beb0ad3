"""The look of drawings (colors, widths, sizes of texts, signs of a lattice), and saving them to files."""

from __future__ import annotations

import functools
import io
import os
import pickle
import threading
import unicodedata
import warnings
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple, TypeAlias, cast

from fstheory._support.files import write_atomically
from fstheory.errors import Message, Named, import_optional, require
from fstheory.lattice.graph import Place
from fstheory.lattice.routes import Route
from fstheory.lattice.subsets import escape as unseen_escaped

if TYPE_CHECKING:
    import networkx as nx
    from matplotlib.axes import Axes
    from matplotlib.collections import PathCollection
    from matplotlib.figure import Figure
    from matplotlib.patches import FancyArrowPatch
    from matplotlib.path import Path as Line


Size: TypeAlias = tuple[float, float]  # width and height in inches
Width: TypeAlias = Literal["column", "page"] | float
"""The width of a figure in a paper: that of a column, that of the page, or a number of inches."""

WIDTHS: Final = {"column": 3.5, "page": 7.0}  # inches; of most journals, within a tenth
FONT: Final = "DejaVu Sans"  # it comes with matplotlib, so texts have the same size everywhere
_FALLBACKS: Final = (  # tried first for letters that it lacks, as those of Chinese; then any other font
    *(f"{name} CJK {script}" for name in ("Noto Sans", "Noto Serif") for script in ("SC", "TC", "JP", "KR", "HK")),
    *("Source Han Sans SC", "Source Han Sans CN", "WenQuanYi Micro Hei", "WenQuanYi Zen Hei", "Droid Sans Fallback"),
    *("PingFang SC", "Hiragino Sans", "Hiragino Sans GB", "Apple SD Gothic Neo", "Heiti SC", "Heiti TC", "STHeiti"),
    *("Microsoft YaHei", "SimHei", "Microsoft JhengHei", "Yu Gothic", "Meiryo", "MS Gothic", "Malgun Gothic"),
    *("Arial Unicode MS", "Noto Sans", "Noto Sans Devanagari", "Noto Sans Thai", "Noto Emoji", "Symbola", "Unifont"),
)
_SELECTORS: Final = frozenset(map(chr, range(0xFE00, 0xFE10)))  # they choose a form of the letter before them
INK: Final = "#1a1a1a"
FAINT: Final = "#5f5f5f"  # text in it is legible: its contrast on white is 6 to 1
SERIES_COLORS: Final = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#8a6d00", INK)
SERIES_SHAPES: Final = "osD^vPX*"  # each color also has a shape of its own
PATH_COLOR: Final = "#E69F00"
OPTIMAL_COLOR: Final = "#0072B2"
Edge: TypeAlias = Literal["tie", "rise", "fall", "path"]
# Of each kind of edge: width in points, color, dashes, order of drawing.
_EDGES: Final[dict[Edge, tuple[float, str, tuple[float, float] | None, float]]] = {
    "tie": (2.2, INK, None, 2.0),
    "rise": (0.8, "#8a8a8a", (4.0, 3.0), 1.5),
    "fall": (0.8, "#8a8a8a", (1.2, 2.2), 1.5),
    "path": (7.0, PATH_COLOR, None, 1.0),
}
_HEAD: Final = 0.13  # inches from the tip of an arrow to its base
_RING: Final = 0.055  # inches between the two borders of a ringed box
_FLAG: Final = 0.10  # inches of the side of the small square on a k-optimal box
_LIGHT, _DARK = (255, 255, 255), (136, 172, 208)  # black text on the darkest fill has a contrast above 7 to 1


class Pen(NamedTuple):
    """The axes to draw on, whose coordinates are inches, and two factors.

    `scale` leads from these inches to inches on paper: it is below 1 if the axes are smaller than the drawing. `stroke`
    makes lines and marks finer in crowded drawings.
    """

    axes: Axes
    scale: float = 1.0
    stroke: float = 1.0

    def width(self, points: float) -> float:
        """Return the width on paper of a line of this many points."""
        return points * self.scale * self.stroke

    def text(self, x: float, y: float, text: str, points: float, *, bold: bool = False, **style: Any) -> None:
        """Write one or more lines of text, centered at the height y."""
        look = {"ha": "center", "va": "center", "color": INK, **_look(text, bold), **style}
        self.axes.text(x, y, text, fontsize=points * self.scale, **look)

    def line(self, x: Sequence[float], y: Sequence[float], width: float, z: float, color: str = INK) -> None:
        """Draw a plain line."""
        (drawn,) = self.axes.plot(x, y, color=color, linewidth=self.width(width), zorder=z, scalex=False, scaley=False)
        drawn.set(clip_on=False, snap=False, solid_capstyle="butt", marker="none")


# The signs of a lattice are drawn by networkx. A sign in the legend is an edge or a node of a graph of its own.


def draw_edges(
    pen: Pen, graph: nx.Graph[Any], places: Mapping[Any, Place], routes: Mapping[Any, Route], kind: Edge
) -> dict[Any, FancyArrowPatch]:
    """Draw edges of one kind along their routes, and return the line of each edge.

    An edge is thick and solid if removing the feature leaves the value unchanged, else thin and broken. A step of a
    search path is a broad band under the edge.
    """
    import networkx as nx

    width, color, dashes, z = _EDGES[kind]
    style = (0, tuple(part / width for part in dashes)) if dashes else "solid"  # in units of the line's width
    look: Any = {"arrows": True, "arrowstyle": "-", "node_size": 0, "edge_color": color, "width": pen.width(width)}
    lines: Any = nx.draw_networkx_edges(graph, places, list(routes), ax=pen.axes, **look)
    for line, route in zip(lines, routes.values(), strict=True):
        line.set_connectionstyle(functools.partial(_along, pen.axes, route))
        line.set(zorder=z, linestyle=style, capstyle="butt", joinstyle="round", clip_on=False, snap=False)
    return dict(zip(routes, lines, strict=True))


def _along(axes: Axes, route: Route, *_: object, **__: object) -> Line:
    """Return the line of a route in pixels."""
    from matplotlib.path import Path as Line

    return Line(axes.transData.transform(route))


def draw_head(pen: Pen, route: Route, box: Place = (0.0, 0.0), gid: str = "") -> None:
    """Draw the arrow head of a step of a search path. It touches the target box."""
    from matplotlib.patches import Polygon

    (a, b), (x, y) = route[-2:]
    dx, dy = x - a, y - b
    length = (dx**2 + dy**2) ** 0.5 or 1.0
    inside = min([half / abs(d) for half, d in zip((box[0] / 2, box[1] / 2), (dx, dy), strict=True) if d], default=0.5)
    tip = (x - inside * dx, y - inside * dy)
    across, along = (-dy / length, dx / length), (dx / length, dy / length)
    head = _HEAD * pen.stroke
    sides = [[tip[i] - head * along[i] + 0.6 * head * side * across[i] for i in (0, 1)] for side in (-1, 1)]
    look: Any = {"edgecolor": INK, "facecolor": PATH_COLOR, "joinstyle": "miter", "gid": gid or None}
    arrow = Polygon([tip, *sides], linewidth=pen.width(0.6), zorder=2.5, **look)
    pen.axes.add_patch(arrow).set(clip_on=False, snap=False)


def draw_node(
    pen: Pen, graph: nx.Graph[Any], places: Mapping[Any, Place], node: object, size: Place, fill: str, *marks: str
) -> PathCollection:
    """Draw a node as a box, and return the box.

    The marks are ``ringed`` (a second border), ``optimal`` (square corners and a flag) and ``square``.
    """
    import networkx as nx
    from matplotlib.patches import FancyBboxPatch
    from matplotlib.transforms import Affine2D, AffineDeltaTransform

    data: Any = pen.axes.transData
    ringed, optimal, (x, y) = "ringed" in marks, "optimal" in marks, places[node]

    def box(place: Place, size: Place, fill: str, border: str, width: float, z: float, square: bool) -> PathCollection:
        style = "square,pad=0" if square else f"round,pad=0,rounding_size={min(0.07, 0.45 * min(size))}"
        outline = FancyBboxPatch((-size[0] / 2, -size[1] / 2), *size, boxstyle=style).get_path()
        look: Any = {"node_shape": outline, "node_color": fill, "edgecolors": border, "linewidths": pen.width(width)}
        drawn: PathCollection = nx.draw_networkx_nodes(graph, {node: place}, [node], ax=pen.axes, **look)
        scale = Affine2D().scale(max(size)) + AffineDeltaTransform(data)  # the longer side of a shape has length 1
        drawn.set(sizes=[], transform=scale, zorder=z, joinstyle="miter", clip_on=False, snap=False)
        return drawn

    if ringed:
        box((x, y), ring_size(pen, size), "#ffffff", INK, 1.8, 3.0, optimal)
    if optimal:
        flag = _FLAG * pen.stroke
        box((x + size[0] / 2, y + size[1] / 2), (flag, flag), OPTIMAL_COLOR, "#ffffff", 0.6, 5.0, True)
    border, width = (OPTIMAL_COLOR, 2.2) if optimal else (INK, 1.2 if ringed else 0.8)
    return box((x, y), size, fill, border, width, 4.0, bool({"optimal", "square"} & {*marks}))


def ring_size(pen: Pen, size: Place) -> Place:
    """Return the size of the outer border of a ringed box."""
    return size[0] + 2 * _RING * pen.stroke, size[1] + 2 * _RING * pen.stroke


def draw_labels(
    pen: Pen, graph: nx.Graph[Any], places: Mapping[Any, Place], texts: Mapping[Any, str], points: float
) -> None:
    """Write the texts of nodes into their boxes."""
    import networkx as nx

    look: Any = {"font_size": points * pen.scale, "font_color": INK, "clip_on": False}
    shown = {node: text for node, text in texts.items() if text}
    for text in nx.draw_networkx_labels(graph, places, shown, ax=pen.axes, **look).values():
        text.set(**_look(text.get_text()))


def shade(rank: int, ranks: int) -> str:
    """Return the fill of a node: white for the smallest value, darker for each larger one."""
    part = rank / (ranks - 1) if ranks > 1 else 0.0
    mixed = (round(light + part * (dark - light)) for light, dark in zip(_LIGHT, _DARK, strict=True))
    return "#" + "".join(f"{channel:02x}" for channel in mixed)


def line_height(points: float) -> float:
    """Return the distance between two lines of text in inches."""
    return 1.25 * points / 72


def measure(text: str, points: float, *, bold: bool = False) -> Place:
    """Return the width and the height in inches of a text of one or more lines. Both are 0 for an empty text."""
    lines = text.split("\n") if text else []
    return max((_width(line, bold) for line in lines), default=0.0) * points / 10, len(lines) * line_height(points)


def wrap(text: str, points: float, room: float, *, bold: bool = False) -> str:
    """Break a text at spaces into lines no wider than `room` inches. A word wider than that stands on its own line."""
    lines = [""]
    for word in text.split(" "):
        longer = f"{lines[-1]} {word}" if lines[-1] else word
        if lines[-1] and measure(longer, points, bold=bold)[0] > room:
            lines.append(word)
        else:
            lines[-1] = longer
    return "\n".join(lines)


@functools.lru_cache(maxsize=4096)
def fonts_of(text: str) -> tuple[list[str], frozenset[str]]:
    """Return the fonts that have the letters of a text, `FONT` first, and the letters that no font here has."""
    from matplotlib.font_manager import findfont

    chosen, left = [FONT], {letter for letter in text if unicodedata.category(letter) not in {"Cc", "Cf"}}
    left -= _letters(findfont(FONT)) | _SELECTORS
    for name, file in _installed().items() if left else ():
        if left & _letters(file):
            chosen.append(name)
            left -= _letters(file)
    return chosen, frozenset(left)


@functools.cache
def _installed() -> dict[str, str]:
    """Return the file of each font by its name, the preferred fonts first.

    The list that matplotlib keeps from an earlier run lacks fonts that were installed since. They are added.
    """
    from matplotlib.font_manager import findSystemFonts, fontManager

    known = {entry.fname for entry in fontManager.ttflist}
    for path in sorted({*findSystemFonts()} - known):
        with suppress(OSError, RuntimeError, ValueError, KeyError):  # it is no font that matplotlib can read
            fontManager.addfont(path)
    entries = [entry for entry in fontManager.ttflist if entry.size == "scalable" and "Last Resort" not in entry.name]
    files = {entry.name: entry.fname for entry in sorted(entries, key=lambda one: one.style == "normal")}
    return {name: files[name] for name in (*_FALLBACKS, *sorted(files)) if name in files}


@functools.cache
def _letters(file: str) -> frozenset[str]:
    """Return the letters of a font."""
    from matplotlib.font_manager import get_font

    return frozenset(map(chr, get_font(file).get_charmap()))


def _look(text: str, bold: bool = False) -> dict[str, Any]:
    """Return the look of a text. It is never read as markup."""
    return {"linespacing": 1.25, "zorder": 9, "parse_math": False, "usetex": False, **_font(text, bold)}


def _font(text: str, bold: bool) -> dict[str, Any]:
    """Return the font of a text. It is bold only if the first font has all letters, as the others may have no bold."""
    family, missing = fonts_of(text)
    is_plain = family == [FONT] and not missing
    return {"family": family, "weight": "bold" if bold and is_plain else "normal"}


@contextmanager
def _no_placeholder_warnings() -> Iterator[None]:
    """Silence the warnings of matplotlib about single letters. `_render` says once which letters are missing."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Glyph .* missing from")
        yield


@functools.lru_cache(maxsize=4096)
def _width(line: str, bold: bool) -> float:
    """Return the width of one line at ten points, from the metrics of the font."""
    from matplotlib.font_manager import FontProperties
    from matplotlib.textpath import text_to_path

    font = FontProperties(size=10, **_font(line, bold))
    with _no_placeholder_warnings():
        width, _, _ = text_to_path.get_text_width_height_descent(line, font, ismath=False)
    return float(width) / 72


# -- A finished drawing. Jupyter displays it, and it can be saved as SVG, PNG or PDF.


_SETTINGS: Any = {
    "svg.fonttype": "none",
    "svg.hashsalt": "fstheory",
    "svg.id": None,
    "pdf.fonttype": 42,
    "text.hinting": "no_hinting",  # at low resolutions, hinted letters are wider than measured
    "savefig.bbox": None,
    "savefig.facecolor": "auto",
    "savefig.transparent": False,
}
_settings_lock = threading.Lock()
_MOST_DPI, _MOST_INCHES = 2400, 100
_UNDATED = {"svgz": {"Date": None}, "pdf": {"CreationDate": None}, "ps": {}, "eps": {}}
"""The metadata of the formats that accept some, except SVG and PNG."""


def file_kind(path: str | os.PathLike[str], argument: str = "path") -> str:
    """Return the format that the suffix of a path names. Refuse suffixes that matplotlib cannot write on its own."""
    import_optional("matplotlib", "viz", "drawing")
    from matplotlib.backend_bases import FigureCanvasBase

    kinds = FigureCanvasBase.get_supported_filetypes().keys() - {"pgf"}  # pgf needs an installation of TeX
    kind = Path(path).suffix.lower().removeprefix(".")
    known = f"a name that ends in one of {', '.join(f'.{name}' for name in sorted(kinds))}"
    require(kind in kinds, argument, known, str(path), "change its suffix")
    return kind


def _is_between(value: object, low: float, high: float) -> bool:
    """Return whether a value is a number from `low` to `high`. A bool is not a number."""
    return isinstance(value, int | float) and not isinstance(value, bool) and low <= value <= high


def _check_dpi(dpi: float) -> None:
    require(_is_between(dpi, 1, _MOST_DPI), "dpi", f"a number from 1 to {_MOST_DPI}", dpi, "pass 200")


def require_figsize(figsize: Size | None) -> Size | None:
    """Return `figsize` if it is None or a valid width and height in inches, else refuse it."""
    pair = isinstance(figsize, tuple | list) and len(figsize) == 2
    fit = pair and all(_is_between(side, 0.5, _MOST_INCHES) for side in figsize or ())
    needed = f"a width and a height from 0.5 to {_MOST_INCHES} inches"
    require(figsize is None or fit, "figsize", needed, figsize, "pass (8, 6)")
    return figsize


def inches_of(width: Width | None, others: Mapping[str, object]) -> float | None:
    """Return a width in inches, or None if `width` is None. It excludes the other arguments that set the size."""
    if width is None:
        return None
    names = " or ".join(name for name, given in others.items() if given is not None)
    require(not names, "width", f"left out if {names} is given", width, "pass only one of them")
    known = isinstance(width, str) and width in WIDTHS
    needed = f"'column' ({WIDTHS['column']} inches), 'page' ({WIDTHS['page']:g} inches) or 1 to {_MOST_INCHES} inches"
    require(
        known or _is_between(width, 1, _MOST_INCHES), "width", needed, width, Message("pass ", Named("width", "column"))
    )
    return WIDTHS[width] if isinstance(width, str) else float(width)


_PAPER_POINTS: Final = 8.0  # letters of a figure in a paper, as large as those of its caption
_SHORTEST: Final = 0.75  # a figure made narrower keeps this share of its height, so that its texts have room


def _fit(figure: Any, inches: float) -> None:
    """Set the width of a figure for a paper.

    Titles and the names of axes are broken into lines that fit. All legends are joined into one below the axes.
    """
    wide, high = figure.get_size_inches()
    figure.set_size_inches(inches, high * max(inches / wide, _SHORTEST))
    figure.suptitle(wrap(" ".join(figure.get_suptitle().split()), _PAPER_POINTS + 1, inches - 0.2), fontsize=9)
    entries: dict[str, Any] = {}
    titles: list[str] = []
    for axes in figure.axes:
        spec = axes.get_subplotspec()
        room = inches / (spec.get_gridspec().ncols if spec else 1) - 0.5
        for write, text in ((axes.set_title, axes.get_title()), (axes.set_xlabel, axes.get_xlabel())):
            write(wrap(" ".join(text.split()), _PAPER_POINTS, room), fontsize=_PAPER_POINTS)
        axes.tick_params(labelsize=_PAPER_POINTS)
    for legend in [*figure.legends, *(axes.get_legend() for axes in figure.axes if axes.get_legend())]:
        texts = [text.get_text() for text in legend.get_texts()]
        entries |= dict(zip(texts, legend.legend_handles, strict=True))
        titles += [legend.get_title().get_text()]
        legend.remove()
    if entries:
        widest = max(measure(text, _PAPER_POINTS)[0] for text in entries) + 0.5
        look = {"ncols": max(1, int((inches - 0.2) / widest)), "frameon": False, "fontsize": _PAPER_POINTS}
        title = wrap(" ".join(filter(None, titles)), _PAPER_POINTS, inches - 0.2) or None
        where = "outside lower center"
        below = figure.legend(entries.values(), entries, loc=where, title=title, title_fontsize=_PAPER_POINTS, **look)
        below.set_in_layout(True)


class PlotFigure:
    """A finished drawing. Jupyter displays it, and `save` writes it to a file.

    It is independent of pyplot: no window opens, and it need not be closed. Screen readers read its `title` and its
    `description`.

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> PlotFigure(Figure(), "An empty figure", "Nothing is drawn.").to_svg().count("<desc>Nothing is drawn.</desc>")
    1
    """

    def __init__(self, figure: Figure, title: str, description: str) -> None:
        self.figure, self.title, self.description = figure, title, description

    def sized(self, figsize: Size | None, width: Width | None = None) -> PlotFigure:
        """Return the drawing in the given size: a width and a height in inches, or the `width` of a column or page.

        With `width`, the letters are as large as they are printed: 8 or 9 points. If neither is given, the drawing is
        unchanged. The returned drawing is this object: the size of its figure is set in place.
        """
        inches = inches_of(width, {"figsize": figsize})
        if inches is not None:
            _fit(self.figure, inches)
        if require_figsize(figsize):
            self.figure.set_size_inches(cast("Size", figsize))
        return self

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {self.title}>"

    def _repr_svg_(self) -> str:
        return self.to_svg()

    def to_svg(self) -> str:
        """Return the drawing as SVG. Text stays text, and the same drawing always gives the same bytes."""
        metadata = {"Date": None, "Creator": "fstheory", "Title": self.title}
        text = self._render("svg", metadata, None).decode("utf-8")
        title = f"<title>{escape(self.title, quote=False)}</title>"
        described = f"{title}\n <desc>{escape(self.description, quote=False)}</desc>"
        return unseen_escaped(text.replace("<svg ", '<svg role="img" ', 1).replace(title, described, 1))

    def to_png(self, dpi: float = 200) -> bytes:
        """Return the drawing as PNG with `dpi` pixels to the inch."""
        _check_dpi(dpi)
        return self._render("png", {"Software": None, "Title": self.title}, dpi)

    def save(self, path: str | os.PathLike[str], *, dpi: float = 200) -> None:
        """Write the drawing to a file. If writing fails, no partial file is left.

        The suffix of `path` decides the format: ``.svg``, ``.png``, ``.pdf`` or another that matplotlib writes. A PNG
        has `dpi` pixels to the inch, from 1 to 2400.
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
        with _settings_lock, mpl.rc_context(_SETTINGS):  # matplotlib has these settings only globally
            drawn = pickle.loads(pickle.dumps(self.figure))  # drawing changes the layout of a figure
            missing = _give_fonts(drawn)
            with _no_placeholder_warnings():
                drawn.savefig(stream, format=kind, metadata=metadata, dpi=dpi or "figure")
        if missing and kind not in {"svg", "svgz"}:  # in an SVG file, the viewer chooses the fonts
            letters = ", ".join(letter if letter.isprintable() else ascii(letter)[1:-1] for letter in missing[:20])
            told = f"the drawing shows boxes for {letters}{', ...' * (len(missing) > 20)}, which no font here has"
            warnings.warn(f"{told}; install a font that has these letters, such as one of Noto", stacklevel=3)
        return stream.getvalue()


def _give_fonts(drawn: Figure) -> list[str]:
    """Give each text of a figure the fonts that have its letters, and return the letters that no font has."""
    from matplotlib.text import Text

    missing: set[str] = set()
    for text in cast(list[Text], drawn.findobj(Text)):
        family, lacking = fonts_of(text.get_text())
        missing |= lacking
        if family != [FONT]:
            text.set_fontfamily(family)
    return sorted(missing)
