"""The legend: only what appears in the picture, in lines that fit its width."""

from __future__ import annotations

import textwrap
from typing import Literal, NamedTuple, TypeAlias

from fstheory.subsets import default_features, format_subset
from fstheory.viz import style
from fstheory.viz._fonts import measure
from fstheory.viz.curves import Curve
from fstheory.viz.glyphs import draw_box, draw_edge, draw_step
from fstheory.viz.labels import NodeLabels
from fstheory.viz.marks import Marks
from fstheory.viz.pen import Pen
from fstheory.viz.protocol import LatticeTable
from fstheory.viz.scene import Scene
from fstheory.viz.values import format_value

__all__ = ["Entry", "draw_legend", "legend_entries", "legend_height", "legend_rows", "widest_entry"]

Kind: TypeAlias = Literal["tie", "rise", "fall", "best", "minimal", "path", "optimal", "shade", "note"]

_POINTS = 8.0
_SAMPLE = 0.42  # inches
_ROW = 0.29
_GUTTER = 0.30
_NOTE = 64  # characters in a line of a note
_TIGHT = "\N{NO-BREAK SPACE}"  # textwrap does not break a line there


class Entry(NamedTuple):
    """A sample and what it means; a note has no sample."""

    kind: Kind
    text: str


def legend_entries(table: LatticeTable, scene: Scene, marks: Marks) -> list[Entry]:
    """Return the entries of what appears in a scene."""
    symbol = table.symbol
    entries: list[Entry] = []
    steps = set(scene.edges.step.tolist())
    if 0 in steps:
        entries.append(Entry("tie", f"removing the feature leaves {symbol} the same"))
    if 1 in steps:
        entries.append(Entry("rise", f"removing the feature raises {symbol}"))
    if -1 in steps:
        entries.append(Entry("fall", f"removing the feature lowers {symbol}"))
    named = scene.labels.mode in {"values", "names"}

    def write(position: int) -> str:
        return format_subset(int(scene.masks[position]), table.features)

    if marks.best is not None:
        entries.append(Entry("best", f"S* (minimal-optimal){'' if named else ' = ' + write(marks.best)}"))
    if marks.minimal:
        listed = "" if named or len(marks.minimal) > 4 else ": " + ", ".join(map(write, marks.minimal))
        entries.append(Entry("minimal", f"minimal subset of least {symbol}{listed}"))
    if len(marks.path) > 1:
        entries.append(Entry("path", "path of the search"))
    if marks.optimal:
        entries.append(Entry("optimal", "optimal for its size"))
    if len(set(scene.ranks.tolist())) > 1:
        low, high = format_value(min(scene.values)), format_value(max(scene.values))
        entries.append(Entry("shade", f"{symbol} from {low} to {high}; equal values have the same shade"))
    return entries + [Entry("note", line) for note in _notes(table, scene.labels) for line in _wrap(note)]


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


def _wrap(note: str) -> list[str]:
    lines = textwrap.wrap(note, _NOTE, break_long_words=False, break_on_hyphens=False)
    return [line.replace(_TIGHT, " ") for line in lines]


def legend_rows(entries: list[Entry], width: float) -> list[list[Entry]]:
    """Distribute the entries over rows no wider than `width`, unless one entry alone is."""
    rows: list[list[Entry]] = []
    room = 0.0
    for entry in entries:
        need = _entry_width(entry)
        first_note = entry.kind == "note" and rows and rows[-1][-1].kind != "note"
        if rows and need <= room and not first_note:
            rows[-1].append(entry)
            room -= need + _GUTTER
        else:
            rows.append([entry])
            room = width - need - _GUTTER
    return rows


def legend_height(rows: list[list[Entry]]) -> float:
    """Return the height of these rows."""
    return len(rows) * _ROW


def widest_entry(entries: list[Entry]) -> float:
    """Return the width of the widest entry; 0 if there is none."""
    return max(map(_entry_width, entries), default=0.0)


def draw_legend(pen: Pen, rows: list[list[Entry]], center: float, top: float) -> None:
    """Draw the rows downwards from `top`, each centered."""
    for k, row in enumerate(rows):
        y = top - (k + 0.5) * _ROW
        x = center - (sum(map(_entry_width, row)) + _GUTTER * (len(row) - 1)) / 2
        for entry in row:
            if entry.kind != "note":
                _draw_sample(pen, entry.kind, x, y)
            start = x if entry.kind == "note" else x + _SAMPLE + 0.10
            pen.text(start, y, entry.text, _POINTS, align="left")
            x += _entry_width(entry) + _GUTTER


def _entry_width(entry: Entry) -> float:
    return measure(entry.text, _POINTS)[0] + (0.0 if entry.kind == "note" else _SAMPLE + 0.10)


def _draw_sample(pen: Pen, kind: Kind, x: float, y: float) -> None:
    line = Curve((x, y), (x + _SAMPLE / 2, y), (x + _SAMPLE, y))
    middle, size = (x + _SAMPLE / 2, y), (0.30, 0.16)
    if kind in {"tie", "rise", "fall"}:
        draw_edge(pen, line, {"tie": 0, "rise": 1, "fall": -1}[kind])
    elif kind == "path":
        draw_step(pen, line, 1.0)
    elif kind == "optimal":
        draw_box(pen, middle, size, "#ffffff", optimal=True)
    elif kind == "shade":
        for part in range(5):
            width = _SAMPLE / 5
            pen.box((x + (part + 0.5) * width, y), (width, 0.13), style.shade(part, 5), style.INK, 0.4, 2, square=True)
    else:
        draw_box(pen, middle, (0.27, 0.11), "#ffffff", ringed=True)
