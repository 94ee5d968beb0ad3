from . import bounds as bounds, criteria as criteria
from .criteria import (
    mean_squared_error,
)
from .divergence import (
    expected_total_variation,
    kl_divergence,
    total_variation_distance,
)
from .information import (
    conditional_entropy,
    conditional_entropy_table,
    conditional_mutual_information,
    entropy,
    entropy_table,
    info,
    information_lost,
    mutual_information,
    mutual_information_table,
)
from .regression import (
    covariances,
    linear_regression,
)

__all__ = [
    "bounds",
    "conditional_entropy",
    "conditional_entropy_table",
    "conditional_mutual_information",
    "covariances",
    "criteria",
    "entropy",
    "entropy_table",
    "expected_total_variation",
    "info",
    "information_lost",
    "kl_divergence",
    "linear_regression",
    "mean_squared_error",
    "mutual_information",
    "mutual_information_table",
    "total_variation_distance",
]
