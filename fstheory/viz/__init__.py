"""Draw the lattice of feature subsets with networkx: Hasse diagrams by size and by value.

`lattice_positions` lays the graph of a table out, for `networkx.draw` too; `draw_lattice` draws it in full.
"""

from __future__ import annotations

from fstheory.viz.curves import Panel, Point, Series, draw_curves
from fstheory.viz.draw import MOST_NODES, check_size, draw_lattice
from fstheory.viz.figure import LatticeFigure, PlotFigure, file_kind
from fstheory.viz.graph import mark_subsets
from fstheory.viz.layout import lattice_positions

__all__ = [
    "MOST_NODES", "LatticeFigure", "Panel", "PlotFigure", "Point", "Series", "check_size", "draw_curves",
    "draw_lattice", "file_kind", "lattice_positions", "mark_subsets",
]  # fmt: skip
