"""The workbench for the theory of feature selection on finite sample spaces."""

from fstheory import gallery
from fstheory.bayes import BayesClassifier, bayes_classifier, bayes_risk, bayes_risks
from fstheory.distribution import AssumptionCheck, JointDistribution, independent_features, mixture, product
from fstheory.table import Comparison, Level, Ordering, SubsetTable, compare

__version__ = "0.1.0"

__all__ = [
    "AssumptionCheck",
    "BayesClassifier",
    "Comparison",
    "JointDistribution",
    "Level",
    "Ordering",
    "SubsetTable",
    "bayes_classifier",
    "bayes_risk",
    "bayes_risks",
    "compare",
    "gallery",
    "independent_features",
    "mixture",
    "product",
]
