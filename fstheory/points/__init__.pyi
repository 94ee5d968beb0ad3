from .certainty import (
    permutation_p_value,
    relative_certainty_gain,
    select_by_certainty_gain,
)
from .graphs import (
    minimum_spanning_trees,
    nearest_neighbors,
    neighbor_graph,
)
from .mixed import MixedPoints
from .permutations import LabelPermutations
from .point_set import PointSet
from .significance import (
    printed_p_value,
    printed_z,
    true_size,
)

__all__ = [
    "LabelPermutations",
    "MixedPoints",
    "PointSet",
    "minimum_spanning_trees",
    "nearest_neighbors",
    "neighbor_graph",
    "permutation_p_value",
    "printed_p_value",
    "printed_z",
    "relative_certainty_gain",
    "select_by_certainty_gain",
    "true_size",
]
