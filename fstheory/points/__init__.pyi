from .certainty import (
    CertaintyGain,
    CertaintyGainSelection,
    CertaintyGainStep,
    permutation_p_value,
    relative_certainty_gain,
    select_by_certainty_gain,
)
from .graphs import (
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
from .mixed import (
    MixedPoints,
)
from .permutations import (
    LabelPermutations,
)
from .point_set import (
    PointSet,
    distance_orders,
    grid_point_sets,
    smallest_point_set,
)
from .significance import (
    TrueSize,
    TrueSizes,
    printed_p_value,
    printed_z,
    rejection_threshold,
    true_size,
    true_sizes,
)

__all__ = [
    "CertaintyGain",
    "CertaintyGainSelection",
    "CertaintyGainStep",
    "LabelPermutations",
    "MixedPoints",
    "PointSet",
    "TrueSize",
    "TrueSizes",
    "chosen_neighbors",
    "components",
    "distance_orders",
    "exchange",
    "find_cycle",
    "grid_point_sets",
    "minimum_spanning_trees",
    "missing_from_all",
    "missing_from_some",
    "nearest_neighbors",
    "neighbor_graph",
    "permutation_p_value",
    "printed_p_value",
    "printed_z",
    "rejection_threshold",
    "relative_certainty_gain",
    "select_by_certainty_gain",
    "smallest_point_set",
    "true_size",
    "true_sizes",
]
