"""Joint distributions: the value everything else is computed from."""

from fstheory.distribution.assumptions import AssumptionCheck
from fstheory.distribution.compose import independent_features, mixture, product
from fstheory.distribution.joint import JointDistribution, require_distribution
from fstheory.distribution.variables import Event, Label, States

__all__ = [
    "AssumptionCheck",
    "Event",
    "JointDistribution",
    "Label",
    "States",
    "independent_features",
    "mixture",
    "product",
    "require_distribution",
]
