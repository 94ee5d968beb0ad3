"""The experiments of the papers, run again: in floating point, with standard errors, beside their exact analogs."""

from fstheory.experiments.gaussian import sign_disagreement
from fstheory.experiments.ng_figures import NgExperiment, draw_ng_figure, ng_experiment
from fstheory.experiments.ng_trials import NgSettings

__all__ = ["NgExperiment", "NgSettings", "draw_ng_figure", "ng_experiment", "sign_disagreement"]
