"""The experiments of the papers, run again: in floating point, with standard errors, beside their exact analogs."""

from fstheory.papers.experiments.ahmed_exact import ExpectedErrors, expected_errors
from fstheory.papers.experiments.ahmed_figures import AhmedExperiment, ahmed_experiment, draw_ahmed_figure
from fstheory.papers.experiments.ahmed_trials import AhmedSettings
from fstheory.papers.experiments.beraha_figures import BerahaExperiment, beraha_experiment, draw_beraha_figure
from fstheory.papers.experiments.beraha_walks import BerahaSettings
from fstheory.papers.experiments.gaussian import sign_disagreement
from fstheory.papers.experiments.neighbor_information import estimated_information
from fstheory.papers.experiments.ng_figures import NgExperiment, draw_ng_figure, ng_experiment
from fstheory.papers.experiments.ng_trials import NgSettings
from fstheory.papers.experiments.sebban_nock_tables import (
    SebbanNockExperiment,
    SebbanNockSettings,
    draw_sebban_nock,
    sebban_nock_experiment,
)
from fstheory.papers.experiments.tail_problem import TailProblem, tail_of_bits

__all__ = [
    "AhmedExperiment",
    "AhmedSettings",
    "BerahaExperiment",
    "BerahaSettings",
    "ExpectedErrors",
    "NgExperiment",
    "NgSettings",
    "SebbanNockExperiment",
    "SebbanNockSettings",
    "TailProblem",
    "ahmed_experiment",
    "beraha_experiment",
    "draw_ahmed_figure",
    "draw_beraha_figure",
    "draw_ng_figure",
    "draw_sebban_nock",
    "estimated_information",
    "expected_errors",
    "ng_experiment",
    "sebban_nock_experiment",
    "sign_disagreement",
    "tail_of_bits",
]
