"""The experiments of the papers, run again in floating point with standard errors, beside exact counterparts."""

from fstheory.papers.experiments import ahmed, beraha, ng, sebban_nock
from fstheory.papers.experiments.ahmed import AhmedSettings, expected_errors
from fstheory.papers.experiments.beraha import BerahaSettings
from fstheory.papers.experiments.ng import NgSettings, sign_disagreement
from fstheory.papers.experiments.runner import PLANS as _PLANS, Experiment, run_experiment
from fstheory.papers.experiments.sebban_nock import SebbanNockSettings
from fstheory.papers.experiments.tail_problem import TailProblem, tail_of_bits

__all__ = [
    "AhmedSettings",
    "BerahaSettings",
    "Experiment",
    "NgSettings",
    "SebbanNockSettings",
    "TailProblem",
    "expected_errors",
    "run_experiment",
    "sign_disagreement",
    "tail_of_bits",
]  # fmt: skip

_PLANS |= {
    "ahmed-2015": ahmed.PLAN,
    "beraha-2019": beraha.PLAN,
    "ng-1998": ng.PLAN,
    "sebban-nock-2002": sebban_nock.PLAN,
}
