"""The workbench for the theory of feature selection on finite sample spaces.

A `JointDistribution` of features and a class is brought, named (`gallery`) or asked for
(`adversarial`); `bayes_risks` answers for all of its feature subsets at once, `minimal_optimal`,
`k_optimal`, `relevance` and `markov_boundary` select. Every number is exact.
"""

from fstheory import gallery, io
from fstheory.adversarial import adversarial, adversarial_favoring, adversarial_with_risks
from fstheory.bayes import BayesClassifier, bayes_classifier, bayes_risk, bayes_risks
from fstheory.distribution import AssumptionCheck, JointDistribution, independent_features, mixture, product
from fstheory.orders import (
    check_linear_extension,
    count_linear_extensions,
    linear_extension_with,
    linear_extensions,
    random_linear_extension,
)
from fstheory.report import Report, report
from fstheory.selection import (
    KOptimal,
    MinimalOptimal,
    Relevance,
    RelevanceWitness,
    ResamplingTest,
    RiskTest,
    conditionally_independent,
    k_optimal,
    markov_blankets,
    markov_boundary,
    minimal_optimal,
    relevance,
    resampling_probability,
)
from fstheory.table import Comparison, Level, Ordering, SubsetTable, compare

__version__ = "0.1.0"

__all__ = [
    "AssumptionCheck",
    "BayesClassifier",
    "Comparison",
    "JointDistribution",
    "KOptimal",
    "Level",
    "MinimalOptimal",
    "Ordering",
    "Relevance",
    "RelevanceWitness",
    "Report",
    "ResamplingTest",
    "RiskTest",
    "SubsetTable",
    "__version__",
    "adversarial",
    "adversarial_favoring",
    "adversarial_with_risks",
    "bayes_classifier",
    "bayes_risk",
    "bayes_risks",
    "check_linear_extension",
    "compare",
    "conditionally_independent",
    "count_linear_extensions",
    "gallery",
    "independent_features",
    "io",
    "k_optimal",
    "linear_extension_with",
    "linear_extensions",
    "markov_blankets",
    "markov_boundary",
    "minimal_optimal",
    "mixture",
    "product",
    "random_linear_extension",
    "relevance",
    "report",
    "resampling_probability",
]
