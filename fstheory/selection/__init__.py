"""Feature selection: the minimal-optimal and the k-optimal problem, relevance, Markov boundaries, any criterion."""

from fstheory.reals.ratio import ExactRatio
from fstheory.selection.cmi import CMISelection, CMIStep, cmi_elimination, cmi_selection
from fstheory.selection.greedy import Selection, SelectionStep, select
from fstheory.selection.greedy_ratio import GreedyComparison, compare_greedy
from fstheory.selection.kohavi_john import Relevance, RelevanceWitness, relevance, strongly_relevant
from fstheory.selection.markov import conditionally_independent, markov_blankets, markov_boundary
from fstheory.selection.methods import backward_search, exhaustive_search, minimal_optimal, one_shot
from fstheory.selection.resampling import ResamplingTest, resampling, resampling_probability
from fstheory.selection.result import MinimalOptimal, RiskTest, Step
from fstheory.selection.scores import FisherScore, fisher_scores, mrmr, s_variate
from fstheory.selection.set_functions import SetFunction, set_function
from fstheory.selection.stopping import (
    ErrorBound,
    ErrorRule,
    FeatureCountRule,
    FeatureScoreRule,
    ScoreDifferenceRule,
    StoppingRule,
)
from fstheory.selection.submodularity import (
    Curvature,
    SubmodularityRatio,
    curvature,
    is_monotone,
    is_submodular,
    is_supermodular,
    submodularity_ratio,
)
from fstheory.selection.subsets_of_size import KOptimal, k_optimal

__all__ = [
    "CMISelection", "CMIStep", "Curvature", "ErrorBound", "ErrorRule", "ExactRatio", "FeatureCountRule",
    "FeatureScoreRule", "FisherScore", "GreedyComparison", "KOptimal", "MinimalOptimal", "Relevance",
    "RelevanceWitness", "ResamplingTest", "RiskTest", "ScoreDifferenceRule", "Selection", "SelectionStep",
    "SetFunction", "Step", "StoppingRule", "SubmodularityRatio", "backward_search", "cmi_elimination", "cmi_selection",
    "compare_greedy", "conditionally_independent", "curvature", "exhaustive_search", "fisher_scores", "is_monotone",
    "is_submodular", "is_supermodular", "k_optimal", "markov_blankets", "markov_boundary", "minimal_optimal", "mrmr",
    "one_shot", "relevance", "resampling", "resampling_probability", "s_variate", "select", "set_function",
    "strongly_relevant", "submodularity_ratio",
]  # fmt: skip
