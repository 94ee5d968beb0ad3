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
from .ledger import (
    audit,
    claims,
    verify_certificate,
)

__all__ = [
    "AhmedSettings",
    "BerahaSettings",
    "Experiment",
    "NgSettings",
    "SebbanNockSettings",
    "TailProblem",
    "audit",
    "claims",
    "estimated_information",
    "expected_errors",
    "run_experiment",
    "sign_disagreement",
    "tail_of_bits",
    "verify_certificate",
]
