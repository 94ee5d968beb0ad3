from .draw import draw_lattice
from .extensions import (
    count_linear_extensions,
    linear_extension_with,
    linear_extensions,
    random_linear_extension,
)
from .figure import PlotFigure
from .graph import lattice_positions
from .table import Ordering, SubsetTable, compare

__all__ = [
    "Ordering",
    "PlotFigure",
    "SubsetTable",
    "compare",
    "count_linear_extensions",
    "draw_lattice",
    "lattice_positions",
    "linear_extension_with",
    "linear_extensions",
    "random_linear_extension",
]
