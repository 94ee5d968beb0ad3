from . import networks as networks
from .adversary import (
    adversarial,
    adversarial_favoring,
)
from .crossings import (
    information_crossings,
)
from .family import (
    linear_family,
    polynomial_family,
)
from .greedy import (
    fisher_scores,
    mrmr,
    select,
)
from .optimal import (
    k_optimal,
    minimal_optimal,
)
from .phase_diagram import (
    phase_diagram,
)
from .prescribed import (
    adversarial_with_risks,
)
from .questions import (
    best_questions,
)
from .relevant import (
    conditionally_independent,
    markov_blankets,
    markov_boundary,
    relevance,
)
from .solutions import (
    all_solutions,
    reasons,
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
    submodularity_ratio,
)

__all__ = [
    "ErrorRule",
    "FeatureCountRule",
    "FeatureScoreRule",
    "ScoreDifferenceRule",
    "adversarial",
    "adversarial_favoring",
    "adversarial_with_risks",
    "all_solutions",
    "best_questions",
    "cmi_elimination",
    "cmi_selection",
    "compare_greedy",
    "conditionally_independent",
    "curvature",
    "fisher_scores",
    "information_crossings",
    "is_monotone",
    "is_submodular",
    "k_optimal",
    "linear_family",
    "markov_blankets",
    "markov_boundary",
    "minimal_optimal",
    "mrmr",
    "networks",
    "phase_diagram",
    "polynomial_family",
    "reasons",
    "relevance",
    "select",
    "submodularity_ratio",
]
