"""The lattice of feature subsets to be touched: one page that needs nothing else, and a widget for Jupyter."""

from fstheory.explorer.page import explorer_data, explorer_page
from fstheory.explorer.widget import lattice_widget

__all__ = ["explorer_data", "explorer_page", "lattice_widget"]
