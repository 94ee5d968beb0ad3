"""Finite point sets with exact distances: nearest-neighbor graphs and minimum spanning trees, under ties."""

from fstheory.points.graphs import (
    chosen_neighbors,
    components,
    exchange,
    find_cycle,
    minimum_spanning_trees,
    missing_from_all,
    missing_from_some,
    nearest_neighbors,
    neighbor_graph,
)
from fstheory.points.label_permutations import LabelPermutations, PermutationSample
from fstheory.points.lemmas import Lemma, Violation, tied_point
from fstheory.points.point_set import PointSet, distance_orders, grid_point_sets, smallest_point_set

__all__ = [
    "LabelPermutations", "Lemma", "PermutationSample", "PointSet", "Violation", "chosen_neighbors", "components",
    "distance_orders", "exchange", "find_cycle", "grid_point_sets", "minimum_spanning_trees", "missing_from_all",
    "missing_from_some", "nearest_neighbors", "neighbor_graph", "smallest_point_set", "tied_point",
]  # fmt: skip
