"""Draw the lattice of feature subsets: Hasse diagrams by size and by value.

`draw_lattice` is the whole interface; layout and texts are pure functions that need no matplotlib.
"""

from __future__ import annotations

from fstheory.viz.draw import MOST_NODES, draw_lattice
from fstheory.viz.drawing import LatticeFigure, file_kind
from fstheory.viz.protocol import LatticeTable

__all__ = ["MOST_NODES", "LatticeFigure", "LatticeTable", "draw_lattice", "file_kind"]
