"""The workbench for the theory of feature selection on finite sample spaces."""

from fstheory.distribution import AssumptionCheck, JointDistribution, independent_features, mixture, product

__version__ = "0.1.0"

__all__ = [
    "AssumptionCheck",
    "JointDistribution",
    "independent_features",
    "mixture",
    "product",
]
