import signal
import sys

# The command line is starting: Ctrl-C ends it while the libraries load, without the traceback of an import.
if (
    (sys.argv[:1] == ["-m"] and sys.orig_argv[-len(sys.argv)] == "fstheory")
    or "".join(sys.argv[:1]).endswith("/bin/fstheory")
) and signal.getsignal(signal.SIGINT) is signal.default_int_handler:
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # `cli.main` undoes it

from . import bounds, criteria, gallery, information, io, logic, points, regression, selection
from .adversary import adversarial, adversarial_favoring, adversarial_with_risks
from .bayes import BayesClassifier, bayes_classifier, bayes_risk, bayes_risks
from .checker import Checked, check_certificate
from .counterexamples import needed_assumptions, refute
from .criteria import criterion_value, criterion_values
from .distribution import AssumptionCheck, JointDistribution, independent_features, mixture, product
from .information import (
    conditional_entropy,
    conditional_mutual_information,
    entropy,
    info,
    mutual_information,
)
from .ledger import Audit, Entry, Evidence, audit, claims, verify_certificate
from .logic import Certificate, Claim, Shape, claim, positive, unique_maximum
from .orders import (
    check_linear_extension,
    count_linear_extensions,
    linear_extension_with,
    linear_extensions,
    random_linear_extension,
)
from .proofs import prove
from .realization import realize
from .reals import LogSum, RootSum, log, sqrt
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
from .table import Comparison, Level, Ordering, SubsetTable, compare

__version__: str

__all__ = [
    "AssumptionCheck",
    "Audit",
    "BayesClassifier",
    "Certificate",
    "Checked",
    "Claim",
    "Comparison",
    "Entry",
    "Evidence",
    "JointDistribution",
    "KOptimal",
    "Level",
    "LogSum",
    "MinimalOptimal",
    "Ordering",
    "Relevance",
    "RelevanceWitness",
    "Report",
    "ResamplingTest",
    "RiskTest",
    "RootSum",
    "Shape",
    "SubsetTable",
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
    "compare",
    "conditional_entropy",
    "conditional_mutual_information",
    "conditionally_independent",
    "count_linear_extensions",
    "criteria",
    "criterion_value",
    "criterion_values",
    "entropy",
    "gallery",
    "independent_features",
    "info",
    "information",
    "io",
    "k_optimal",
    "linear_extension_with",
    "linear_extensions",
    "log",
    "logic",
    "markov_blankets",
    "markov_boundary",
    "minimal_optimal",
    "mixture",
    "mutual_information",
    "needed_assumptions",
    "points",
    "positive",
    "product",
    "prove",
    "random_linear_extension",
    "realize",
    "refute",
    "regression",
    "relevance",
    "report",
    "resampling_probability",
    "select",
    "selection",
    "sqrt",
    "unique_maximum",
    "verify_certificate",
]
