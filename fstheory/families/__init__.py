"""Families of distributions with one parameter, and where along them orderings and informations change, exactly."""

from fstheory.families.family import Family, Stretch, linear_family, polynomial_family
from fstheory.families.grid import BestGrid, mixture_grid, parameter_grid
from fstheory.families.information import InformationCrossings, information_crossings
from fstheory.families.phase_diagram import PhaseDiagram, PhaseInterval, phase_diagram

__all__ = [
    "BestGrid", "Family", "InformationCrossings", "PhaseDiagram", "PhaseInterval", "Stretch", "information_crossings",
    "linear_family", "mixture_grid", "parameter_grid", "phase_diagram", "polynomial_family",
]  # fmt: skip
