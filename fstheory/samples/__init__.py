"""Finite samples: what a method selects on m samples of a distribution, exactly."""

from fstheory.samples.law import SelectionLaw, selection_law
from fstheory.samples.methods import FBS, FOS, Method, NoSelection, OrderedFS, PlugIn, StandardWrap

__all__ = [
    "FBS",
    "FOS",
    "Method",
    "NoSelection",
    "OrderedFS",
    "PlugIn",
    "SelectionLaw",
    "StandardWrap",
    "selection_law",
]
