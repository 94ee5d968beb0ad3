"""Feature selection: the minimal-optimal and the k-optimal problem, relevance, Markov boundaries."""

from fstheory.selection.backward import backward_search
from fstheory.selection.exhaustive import exhaustive_search
from fstheory.selection.independence import conditionally_independent
from fstheory.selection.kohavi_john import Relevance, RelevanceWitness, relevance, strongly_relevant
from fstheory.selection.markov import markov_blankets, markov_boundary
from fstheory.selection.methods import minimal_optimal
from fstheory.selection.of_size import KOptimal, k_optimal
from fstheory.selection.oneshot import one_shot
from fstheory.selection.resample import ResamplingTest, resampling, resampling_probability
from fstheory.selection.result import Method, MinimalOptimal, Step
from fstheory.selection.steps import RiskTest

__all__ = [
    "KOptimal",
    "Method",
    "MinimalOptimal",
    "Relevance",
    "RelevanceWitness",
    "ResamplingTest",
    "RiskTest",
    "Step",
    "backward_search",
    "conditionally_independent",
    "exhaustive_search",
    "k_optimal",
    "markov_blankets",
    "markov_boundary",
    "minimal_optimal",
    "one_shot",
    "relevance",
    "resampling",
    "resampling_probability",
    "strongly_relevant",
]
