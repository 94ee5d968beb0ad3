"""Feature selection: the minimal-optimal and the k-optimal problem, relevance, Markov boundaries, any criterion."""

from fstheory.selection.backward import backward_search
from fstheory.selection.chosen import Selection, SelectionStep
from fstheory.selection.cmi_result import CMISelection, CMIStep, Guarantee
from fstheory.selection.elimination import cmi_elimination, cmi_selection
from fstheory.selection.error_bound import ErrorBound
from fstheory.selection.exhaustive import exhaustive_search
from fstheory.selection.fisher import FisherScore, fisher_scores
from fstheory.selection.greedy import select
from fstheory.selection.greedy_ratio import GreedyComparison, compare_greedy
from fstheory.selection.independence import conditionally_independent
from fstheory.selection.kohavi_john import Relevance, RelevanceWitness, relevance, strongly_relevant
from fstheory.selection.markov import markov_blankets, markov_boundary
from fstheory.selection.methods import minimal_optimal
from fstheory.selection.mrmr import mrmr
from fstheory.selection.of_size import KOptimal, k_optimal
from fstheory.selection.oneshot import one_shot
from fstheory.selection.properties import SetFunctionCheck, is_monotone, is_submodular, is_supermodular
from fstheory.selection.ratio import ExactRatio
from fstheory.selection.resample import ResamplingTest, resampling, resampling_probability
from fstheory.selection.result import MinimalOptimal, Step
from fstheory.selection.s_variate import s_variate
from fstheory.selection.set_function import SetFunction, set_function
from fstheory.selection.steps import RiskTest
from fstheory.selection.stopping import ErrorRule, FeatureCountRule, FeatureScoreRule, ScoreDifferenceRule, StoppingRule
from fstheory.selection.submodularity import Curvature, SubmodularityRatio, curvature, submodularity_ratio

__all__ = [
    "CMISelection",
    "CMIStep",
    "Curvature",
    "ErrorBound",
    "ErrorRule",
    "ExactRatio",
    "FeatureCountRule",
    "FeatureScoreRule",
    "FisherScore",
    "GreedyComparison",
    "Guarantee",
    "KOptimal",
    "MinimalOptimal",
    "Relevance",
    "RelevanceWitness",
    "ResamplingTest",
    "RiskTest",
    "ScoreDifferenceRule",
    "Selection",
    "SelectionStep",
    "SetFunction",
    "SetFunctionCheck",
    "Step",
    "StoppingRule",
    "SubmodularityRatio",
    "backward_search",
    "cmi_elimination",
    "cmi_selection",
    "compare_greedy",
    "conditionally_independent",
    "curvature",
    "exhaustive_search",
    "fisher_scores",
    "is_monotone",
    "is_submodular",
    "is_supermodular",
    "k_optimal",
    "markov_blankets",
    "markov_boundary",
    "minimal_optimal",
    "mrmr",
    "one_shot",
    "relevance",
    "resampling",
    "resampling_probability",
    "s_variate",
    "select",
    "set_function",
    "strongly_relevant",
    "submodularity_ratio",
]
