from . import networks as networks
from .adversary import (
    adversarial,
    adversarial_favoring,
)
from .family import (
    linear_family,
    polynomial_family,
)
from .greedy import (
    SetFunction,
    fisher_scores,
    mrmr,
    s_variate,
    select,
    set_function,
)
from .optimal import (
    k_optimal,
    minimal_optimal,
    resampling_probability,
)
from .phase_diagram import (
    information_crossings,
    phase_diagram,
)
from .prescribed import (
    adversarial_with_risks,
)
from .relevant import (
    conditionally_independent,
    markov_blankets,
    markov_boundary,
    relevance,
    strongly_relevant,
)
from .stopping import (
    ErrorRule,
    FeatureCountRule,
    FeatureScoreRule,
    ScoreDifferenceRule,
    cmi_elimination,
    cmi_selection,
)
from .submodularity import (
    compare_greedy,
    curvature,
    is_monotone,
    is_submodular,
    is_supermodular,
    submodularity_ratio,
)

__all__ = [
    "ErrorRule",
    "FeatureCountRule",
    "FeatureScoreRule",
    "ScoreDifferenceRule",
    "SetFunction",
    "adversarial",
    "adversarial_favoring",
    "adversarial_with_risks",
    "cmi_elimination",
    "cmi_selection",
    "compare_greedy",
    "conditionally_independent",
    "curvature",
    "fisher_scores",
    "information_crossings",
    "is_monotone",
    "is_submodular",
    "is_supermodular",
    "k_optimal",
    "linear_family",
    "markov_blankets",
    "markov_boundary",
    "minimal_optimal",
    "mrmr",
    "networks",
    "phase_diagram",
    "polynomial_family",
    "relevance",
    "resampling_probability",
    "s_variate",
    "select",
    "set_function",
    "strongly_relevant",
    "submodularity_ratio",
]
