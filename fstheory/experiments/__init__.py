"""The experiments of the papers, run again: in floating point, with standard errors, beside their exact analogs."""

from fstheory.experiments.ahmed_exact import ExpectedErrors, expected_errors
from fstheory.experiments.ahmed_figures import AhmedExperiment, ahmed_experiment, draw_ahmed_figure
from fstheory.experiments.ahmed_trials import AhmedSettings
from fstheory.experiments.gaussian import sign_disagreement
from fstheory.experiments.ng_figures import NgExperiment, draw_ng_figure, ng_experiment
from fstheory.experiments.ng_trials import NgSettings

__all__ = [
    "AhmedExperiment",
    "AhmedSettings",
    "ExpectedErrors",
    "NgExperiment",
    "NgSettings",
    "ahmed_experiment",
    "draw_ahmed_figure",
    "draw_ng_figure",
    "expected_errors",
    "ng_experiment",
    "sign_disagreement",
]
