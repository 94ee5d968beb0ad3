"""The legend: only what appears in the picture, in lines that fit its width."""

from __future__ import annotations

from typing import Literal, NamedTuple, TypeAlias

from fstheory.subsets import default_features, format_subset
from fstheory.viz import style
from fstheory.viz._fonts import measure, wrap
from fstheory.viz.glyphs import draw_box, draw_edge, draw_step
from fstheory.viz.labels import NodeLabels
from fstheory.viz.marks import Marks
from fstheory.viz.pen import Line, Pen
from fstheory.viz.protocol import LatticeTable
from fstheory.viz.scene import Scene
from fstheory.viz.values import format_value

__all__ = ["Entry", "draw_legend", "legend_entries", "legend_rows", "row_height", "row_width"]

Kind: TypeAlias = Literal["tie", "group", "rise", "fall", "best", "minimal", "path", "optimal", "shade", "note"]

_POINTS = 8.0
_SAMPLE = 0.42  # inches
_LEAD = 0.15  # of a row of the legend besides its lines
_GUTTER = 0.30
_TIGHT = "\N{NO-BREAK SPACE}"  # a line is not broken there


class Entry(NamedTuple):
    """A sample and what it means; a note has no sample."""

    kind: Kind
    text: str


def legend_entries(table: LatticeTable, scene: Scene, marks: Marks) -> list[Entry]:
    """Return the entries of what appears in a scene."""
    symbol = table.symbol
    entries: list[Entry] = []
    steps = set(scene.edges.step.tolist())
    merged = len(scene.nodes) < len(scene.masks)
    feature = "features" if merged else "the feature"
    if 0 in steps:
        entries.append(Entry("tie", f"removing the feature leaves {symbol} the same"))
    if merged:
        entries.append(Entry("group", f"subsets of equal {symbol}, joined by features that cost nothing"))
    if 1 in steps:
        entries.append(Entry("rise", f"removing {feature} raises {symbol}"))
    if -1 in steps:
        entries.append(Entry("fall", f"removing {feature} lowers {symbol}"))
    named = scene.labels.mode in {"values", "names", "marked"} and not merged

    def write(position: int) -> str:
        return format_subset(int(scene.masks[position]), table.features)

    if marks.best is not None:
        entries.append(Entry("best", f"S* (minimal-optimal){'' if named else ' = ' + write(marks.best)}"))
    if marks.minimal:
        listed = "" if named or len(marks.minimal) > 4 else ": " + ", ".join(map(write, marks.minimal))
        entries.append(Entry("minimal", f"minimal subset of least {symbol}{listed}"))
    if len(set(map(scene.node_of, marks.path))) > 1:
        entries.append(Entry("path", "path of the search"))
    if marks.optimal:
        entries.append(Entry("optimal", "holds a subset optimal for its size" if merged else "optimal for its size"))
    if len(set(scene.ranks.tolist())) > 1:
        low, high = format_value(min(scene.values)), format_value(max(scene.values))
        entries.append(Entry("shade", f"{symbol} from {low} to {high}; equal values have the same shade"))
    return entries + [Entry("note", note) for note in _notes(table, scene.labels)]


def _notes(table: LatticeTable, labels: NodeLabels) -> list[str]:
    """Return what must be said of the labels."""
    notes = []
    if labels.digits:
        notes.append(f"≈ rounded to {labels.digits} significant digits")
    if labels.key:
        plain = table.features == default_features(len(table.features))
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
    for row in rows:
        y = top - row_height(row) / 2
        top -= row_height(row)
        x = center - row_width(row) / 2
        for entry in row:
            if entry.kind != "note":
                _draw_sample(pen, entry.kind, x, y)
            pen.text(x + _sample_width(entry), y, entry.text, _POINTS, align="left")
            x += _entry_width(entry) + _GUTTER


def _entry_width(entry: Entry) -> float:
    return measure(entry.text, _POINTS)[0] + _sample_width(entry)


def _sample_width(entry: Entry) -> float:
    return 0.0 if entry.kind == "note" else _SAMPLE + 0.10


def _draw_sample(pen: Pen, kind: Kind, x: float, y: float) -> None:
    line, middle = Line((x, y), (x + _SAMPLE, y)), (x + _SAMPLE / 2, y)
    if kind in {"tie", "rise", "fall"}:
        draw_edge(pen, line, {"tie": 0, "rise": 1, "fall": -1}[kind])
    elif kind == "group":
        draw_box(pen, middle, (0.34, 0.2), "#ffffff")
        for shift in (0.045, -0.045):
            pen.line(Line((x + 0.12, y + shift), (x + _SAMPLE - 0.12, y + shift)), 0.8, style.FAINT, 5.0)
    elif kind == "path":
        draw_step(pen, line, 1.0)
    elif kind == "optimal":
        draw_box(pen, middle, (0.30, 0.16), "#ffffff", optimal=True)
    elif kind == "shade":
        for part in range(5):
            width = _SAMPLE / 5
            pen.box((x + (part + 0.5) * width, y), (width, 0.13), style.shade(part, 5), style.INK, 0.4, 2, square=True)
    else:
        draw_box(pen, middle, (0.27, 0.11), "#ffffff", ringed=True)
