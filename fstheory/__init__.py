"""A workbench for the theory of feature selection on finite sample spaces.

A `JointDistribution` of features and a class is built from data or weights, taken from the `gallery` or asked
for (`adversarial`). `bayes_risks` gives the risks of all of its feature subsets at once; `minimal_optimal`,
`k_optimal`, `relevance` and `select` choose features; `info` measures information; `criteria` holds the other
performance measures, `bounds` what removing features can cost. A `claim` about distributions is checked,
proved for a whole shape (`prove`) or refuted by the smallest counterexample (`refute`); `claims` holds those
of the papers, and `audit` says which are true. Every number is exact.
"""

import signal
import sys

# The command line is starting: Ctrl-C ends it while the libraries load, without the traceback of an import.
if (
    (sys.argv[:1] == ["-m"] and sys.orig_argv[-len(sys.argv)] == "fstheory")
    or "".join(sys.argv[:1]).endswith("/bin/fstheory")
) and signal.getsignal(signal.SIGINT) is signal.default_int_handler:
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # `cli.main` undoes it

from fstheory import bounds, criteria, gallery, information, io, logic, points, regression, selection
from fstheory.adversary import adversarial, adversarial_favoring, adversarial_with_risks
from fstheory.bayes import BayesClassifier, bayes_classifier, bayes_risk, bayes_risks
from fstheory.checker import Checked, check_certificate
from fstheory.criteria import criterion_value, criterion_values
from fstheory.distribution import AssumptionCheck, JointDistribution, independent_features, mixture, product
from fstheory.information import (
    conditional_entropy,
    conditional_mutual_information,
    entropy,
    info,
    mutual_information,
)
from fstheory.ledger import Audit, Entry, Evidence, audit, claims, verify_certificate
from fstheory.logic import Certificate, Claim, Shape, claim, positive, unique_maximum
from fstheory.logsum import LogSum, log
from fstheory.orders import (
    check_linear_extension,
    count_linear_extensions,
    linear_extension_with,
    linear_extensions,
    random_linear_extension,
)
from fstheory.reporting import Report, report
from fstheory.rootsum import RootSum, sqrt
from fstheory.search import needed_assumptions, prove, realize, refute
from fstheory.selection import (
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
from fstheory.table import Comparison, Level, Ordering, SubsetTable, compare

__version__ = "0.1.0"

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
