import signal
import sys

# The command line is starting: Ctrl-C ends it while the libraries load, without the traceback of an import.
if (
    (sys.argv[:1] == ["-m"] and sys.orig_argv[-len(sys.argv)] == "fstheory")
    or "".join(sys.argv[:1]).endswith("/bin/fstheory")
) and signal.getsignal(signal.SIGINT) is signal.default_int_handler:
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # `cli.main` undoes it

from . import (
    bounds,
    criteria,
    distribution,
    errors,
    gallery,
    information,
    io,
    logic,
    points,
    reals,
    regression,
    selection,
    table,
)
from ._check import Check
from .adversary import adversarial, adversarial_favoring, adversarial_with_risks
from .bayes import BayesClassifier, bayes_classifier, bayes_risk, bayes_risks
from .checker import Checked, check_certificate
from .counterexamples import needed_assumptions, refute
from .criteria import criterion_value, criterion_values
from .distribution import JointDistribution, independent_features
from .errors import (
    ClaimError,
    FSTheoryError,
    InvalidTypeError,
    InvalidValueError,
    TooLargeError,
    UnknownNameError,
    ZeroProbabilityError,
)
from .information import (
    conditional_entropy,
    conditional_mutual_information,
    entropy,
    info,
    mutual_information,
)
from .ledger import Audit, Entry, Evidence, audit, claims, verify_certificate
from .logic import (
    Certificate,
    Claim,
    Holds,
    Impossible,
    Model,
    NotRefuted,
    Proved,
    Realized,
    Refuted,
    Shape,
    Undecided,
    Vacuous,
    claim,
    positive,
    unique_maximum,
)
from .orders import (
    check_linear_extension,
    count_linear_extensions,
    linear_extension_with,
    linear_extensions,
    random_linear_extension,
)
from .proofs import prove
from .realization import realize
from .reporting import Report, report
from .selection import (
    KOptimal,
    MinimalOptimal,
    Relevance,
    RelevanceWitness,
    ResamplingTest,
    RiskTest,
    cmi_elimination,
    cmi_selection,
    conditionally_independent,
    k_optimal,
    markov_blankets,
    markov_boundary,
    minimal_optimal,
    relevance,
    resampling_probability,
    select,
)
from .table import Ordering, SubsetTable

__version__: str

__all__ = [
    "Audit",
    "BayesClassifier",
    "Certificate",
    "Check",
    "Checked",
    "Claim",
    "ClaimError",
    "Entry",
    "Evidence",
    "FSTheoryError",
    "Holds",
    "Impossible",
    "InvalidTypeError",
    "InvalidValueError",
    "JointDistribution",
    "KOptimal",
    "MinimalOptimal",
    "Model",
    "NotRefuted",
    "Ordering",
    "Proved",
    "Realized",
    "Refuted",
    "Relevance",
    "RelevanceWitness",
    "Report",
    "ResamplingTest",
    "RiskTest",
    "Shape",
    "SubsetTable",
    "TooLargeError",
    "Undecided",
    "UnknownNameError",
    "Vacuous",
    "ZeroProbabilityError",
    "__version__",
    "adversarial",
    "adversarial_favoring",
    "adversarial_with_risks",
    "audit",
    "bayes_classifier",
    "bayes_risk",
    "bayes_risks",
    "bounds",
    "check_certificate",
    "check_linear_extension",
    "claim",
    "claims",
    "cmi_elimination",
    "cmi_selection",
    "conditional_entropy",
    "conditional_mutual_information",
    "conditionally_independent",
    "count_linear_extensions",
    "criteria",
    "criterion_value",
    "criterion_values",
    "distribution",
    "entropy",
    "errors",
    "gallery",
    "independent_features",
    "info",
    "information",
    "io",
    "k_optimal",
    "linear_extension_with",
    "linear_extensions",
    "logic",
    "markov_blankets",
    "markov_boundary",
    "minimal_optimal",
    "mutual_information",
    "needed_assumptions",
    "points",
    "positive",
    "prove",
    "random_linear_extension",
    "realize",
    "reals",
    "refute",
    "regression",
    "relevance",
    "report",
    "resampling_probability",
    "select",
    "selection",
    "table",
    "unique_maximum",
    "verify_certificate",
]
