"""Labeled points: nearest-neighbor graphs and minimum spanning trees, under ties, and the relative certainty gain."""

from fstheory.points.certainty_gain import CertaintyGain, permutation_p_value, relative_certainty_gain
from fstheory.points.certainty_tests import (
    TrueSize,
    TrueSizes,
    printed_p_value,
    printed_z,
    rejection_threshold,
    true_size,
    true_sizes,
)
from fstheory.points.forward_selection import CertaintyGainSelection, CertaintyGainStep, select_by_certainty_gain
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
from fstheory.points.mixed_points import MixedPoints
from fstheory.points.point_set import PointSet, distance_orders, grid_point_sets, smallest_point_set

__all__ = [
    "CertaintyGain", "CertaintyGainSelection", "CertaintyGainStep", "LabelPermutations", "Lemma", "MixedPoints",
    "PermutationSample", "PointSet", "TrueSize", "TrueSizes", "Violation", "chosen_neighbors", "components",
    "distance_orders", "exchange", "find_cycle", "grid_point_sets", "minimum_spanning_trees", "missing_from_all",
    "missing_from_some", "nearest_neighbors", "neighbor_graph", "permutation_p_value", "printed_p_value", "printed_z",
    "rejection_threshold", "relative_certainty_gain", "select_by_certainty_gain", "smallest_point_set", "tied_point",
    "true_size", "true_sizes",
]  # fmt: skip
