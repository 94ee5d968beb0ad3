from .entry import (
    Entry,
    Evidence,
)
from .experiments import (
    AhmedSettings,
    BerahaSettings,
    ExpectedErrors,
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
    Audit,
    Ledger,
    audit,
    claims,
    verify_certificate,
)
from .lemmas import (
    Lemma,
    Violation,
    tied_point,
)

__all__ = [
    "AhmedSettings",
    "Audit",
    "BerahaSettings",
    "Entry",
    "Evidence",
    "ExpectedErrors",
    "Experiment",
    "Ledger",
    "Lemma",
    "NgSettings",
    "SebbanNockSettings",
    "TailProblem",
    "Violation",
    "audit",
    "claims",
    "estimated_information",
    "expected_errors",
    "run_experiment",
    "sign_disagreement",
    "tail_of_bits",
    "tied_point",
    "verify_certificate",
]
