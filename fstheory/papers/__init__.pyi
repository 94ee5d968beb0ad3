from .experiments import (
    AhmedSettings,
    BerahaSettings,
    Experiment,
    NgSettings,
    SebbanNockSettings,
    TailProblem,
    estimated_information,
    expected_errors,
    run_experiment,
    sign_disagreement,
    tail_of_bits,
)

__all__ = [
    "AhmedSettings",
    "BerahaSettings",
    "Experiment",
    "NgSettings",
    "SebbanNockSettings",
    "TailProblem",
    "estimated_information",
    "expected_errors",
    "run_experiment",
    "sign_disagreement",
    "tail_of_bits",
]
