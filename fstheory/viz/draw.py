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

    Parameters
    ----------
    table : LatticeTable
        Exact values of subsets, a SubsetTable say; at most 128 subsets.
    view : {'size', 'risk'}, default 'size'
        What the height of a subset says: its size (all features on top, lexicographic order within a level), or its
        value (the empty set, which has the largest Bayes risk, on top). By value, subsets of equal value that
        removals without cost join are one node, which lists both or the minimal ones; an edge is
        left out where a longer way says as much; and more than 32 nodes stand in columns by (least) size.
    best : iterable of str, optional
        The solution S* of the minimal-optimal problem, drawn with a double border.
    minimal : iterable of subsets, optional
        All minimal subsets of least value, drawn the same, for where S* is not unique.
    path : sequence of subsets, or a result that has one, optional
        The subsets that a search went through, one feature per step: what `select` or `minimal_optimal` returned, say.
        Drawn as a band with arrows.
    optimal : iterable of subsets, optional
        The k-optimal subsets, drawn with square corners and a flag; not the empty set and the set of all features,
        which are the only ones of their size.
    labels : {'auto', 'values', 'names', 'marked', 'codes', 'none'}, default 'auto'
        Names with values; names; names and values of the marked subsets, of single features, of none and of all;
        numbers of features; empty nodes. ``'auto'`` writes as much as stays readable, the first, second or third.
    scale : {'auto', 'linear', 'log'}, default 'auto'
        The axis of the view ``'risk'``. ``'auto'`` is logarithmic if positive values differ by a factor above 1000; a
        value of zero then stands apart.
    title : str, optional
        The default names the quantity; ``""`` for none.
    ax : matplotlib.axes.Axes, optional
        Where to draw, scaled to fit. Without it the drawing has a figure of its own, of the size it needs.

    Returns
    -------
    LatticeFigure
        It has ``figure``, ``save(path)``, ``to_svg()``, ``to_png()``, and shows itself in Jupyter.

    Raises
    ------
    MissingDependencyError
        matplotlib is not installed.
    TooLargeError
        The table holds more than 128 subsets.
    InvalidValueError
        An option is unknown, the table is empty, a subset to mark is not in the table, or the title has control
        characters.

    Notes
    -----
    Nothing is told by color alone. The view ``'size'`` takes time O(m n) for m subsets of n features; the view
    ``'risk'`` tries places for every node, O(m^2 e) in all for e edges.

    Examples
    --------
    >>> from fractions import Fraction
    >>> import numpy as np
    >>> class Table:
    ...     features, name, symbol = ("sex", "age"), "Bayes risk", "R"
    ...     masks, ranks = np.arange(4), np.array([1, 0, 1, 0])
    ...
    ...     def value_at(self, mask):
    ...         return Fraction(1, 3 + mask % 2)
    >>> draw_lattice(Table(), best={"sex"}, path=[{"sex", "age"}, {"sex"}])
    <LatticeFigure: Bayes risk R(S) of the subsets S of {sex, age}>
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
