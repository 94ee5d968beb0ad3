from . import bounds as bounds, criteria as criteria
from .divergence import (
    kl_divergence,
    total_variation_distance,
)
from .information import (
    conditional_entropy,
    conditional_entropy_table,
    conditional_mutual_information,
    entropy,
    estimated_information,
    info,
    information_lost,
    mutual_information,
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
    "estimated_information",
    "info",
    "information_lost",
    "kl_divergence",
    "linear_regression",
    "mutual_information",
    "total_variation_distance",
]
