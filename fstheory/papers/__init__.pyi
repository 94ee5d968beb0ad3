from .experiments import (
    AhmedSettings,
    BerahaSettings,
    Experiment,
    NgSettings,
    SebbanNockSettings,
    TailProblem,
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
    "expected_errors",
    "run_experiment",
    "sign_disagreement",
    "tail_of_bits",
]
