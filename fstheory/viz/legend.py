"""The legend: only what appears in the picture, in lines that fit its width."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple, TypeAlias

from fstheory.subsets import default_features
from fstheory.viz.graph import Lattice, drawn_values, marked, step, written
from fstheory.viz.labels import Labels, format_value
from fstheory.viz.style import FAINT, Pen, draw_box, draw_edges, draw_step, measure, shade, wrap

if TYPE_CHECKING:
    import networkx as nx

__all__ = ["Entry", "draw_legend", "legend_entries", "legend_rows", "row_height", "row_width"]

Kind: TypeAlias = Literal["tie", "group", "rise", "fall", "ringed", "path", "optimal", "shade", "note"]

_POINTS = 8.0
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
        entry = Entry(whole.kind, wrap(whole.text, _POINTS, width - _sample_width(whole)).replace(_TIGHT, " "))
        first_note = entry.kind == "note" and rows and rows[-1][-1].kind != "note"
        if rows and row_width([*rows[-1], entry]) <= width and not first_note:
            rows[-1].append(entry)
        else:
            rows.append([entry])
    return rows


def row_height(row: list[Entry]) -> float:
    """Return the height of a row."""
    return max(measure(entry.text, _POINTS)[1] for entry in row) + _LEAD


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
            pen.text(x + _sample_width(entry), y, entry.text, _POINTS, ha="left")
            x += _entry_width(entry) + _GUTTER


def _entry_width(entry: Entry) -> float:
    return measure(entry.text, _POINTS)[0] + _sample_width(entry)


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
