"""Draw the subset lattice of a table of exact values."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Literal, get_args

from fstheory._optional import require
from fstheory.errors import InvalidTypeError, InvalidValueError, TooLargeError, explain
from fstheory.subsets import Subset, require_text
from fstheory.viz.drawing import LatticeFigure
from fstheory.viz.labels import LabelMode
from fstheory.viz.layout import suits_logarithm
from fstheory.viz.marks import find_marks
from fstheory.viz.paint import paint
from fstheory.viz.protocol import LatticeTable, Walk
from fstheory.viz.scene import View, set_scene
from fstheory.viz.words import describe, entitle

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["MOST_NODES", "draw_lattice"]

MOST_NODES = 128
"""Subsets that a drawing may have: all of seven features."""

_SCALES = ("auto", "linear", "log")


def draw_lattice(
    table: LatticeTable, *,
    view: View = "size",
    best: Subset | None = None,
    minimal: Iterable[Subset] | None = None,
    path: Sequence[Subset] | Walk | None = None,
    optimal: Iterable[Subset] | None = None,
    labels: LabelMode | Literal["auto"] = "auto",
    scale: Literal["auto", "linear", "log"] = "auto",
    title: str | None = None,
    ax: Axes | None = None,
) -> LatticeFigure:  # fmt: skip
    """Draw the Hasse diagram of the subsets that a table holds.

    An edge joins two subsets that differ by one feature. It is thick and solid if removing the feature loses nothing,
    thin and dashed if it costs. Subsets of equal value have the same shade.
    """
    _check(table, view, labels, scale)
    if title is not None and not isinstance(title, str):
        raise InvalidTypeError(explain("title", "a string", title, "pass a title, or '' for none"))
    require_text(title or "", "title")
    marks = find_marks(table, best, minimal, path, optimal)
    require("matplotlib", "viz", "drawing a lattice")
    values = {table.value_at(mask) for mask in table.masks.tolist()}
    logarithmic = len(values) > 1 and (scale == "log" or (scale == "auto" and suits_logarithm(values)))
    scene = set_scene(table, view, labels, logarithmic, marks)
    heading = entitle(table) if title is None else title
    figure = paint(table, scene, marks, heading, ax)
    return LatticeFigure(figure, heading or entitle(table), describe(table, scene, marks))


def _check(table: LatticeTable, view: str, labels: str, scale: str) -> None:
    options = {
        "view": (view, get_args(View)),
        "labels": (labels, ("auto", *get_args(LabelMode))),
        "scale": (scale, _SCALES),
    }
    for argument, (value, allowed) in options.items():
        if value not in allowed:
            raise InvalidValueError(explain(argument, f"one of {', '.join(allowed)}", value, "correct it"))
    nodes = len(table.masks)
    if nodes > MOST_NODES:
        raise TooLargeError(
            explain(
                "table", f"of at most {MOST_NODES} subsets (all of 7 features) to be drawn", nodes,
                "restrict it to an interval or to some sizes with table.restrict(...), or read table.ordering()",
            )
        )  # fmt: skip
    if nodes == 0:
        raise InvalidValueError(explain("table", "of at least one subset to be drawn", nodes, "restrict it less"))
