from . import (
    distributions,
    errors,
    lattice,
    lessons,
    logic,
    measures,
    numbers,
    papers,
    points,
    proofs,
    reports,
    samples,
    selection,
)
from ._support.result import Check
from .checker.certificates import check_certificate
from .distributions import gallery
from .distributions.joint import JointDistribution, independent_features
from .distributions.rows import Sample, sample
from .errors import (
    ClaimError,
    FSTheoryError,
    InvalidTypeError,
    InvalidValueError,
    TooLargeError,
    UnknownNameError,
    ZeroProbabilityError,
)
from .lattice.extensions import (
    count_linear_extensions,
    linear_extension_with,
    linear_extensions,
    random_linear_extension,
)
from .lattice.table import Ordering, SubsetTable
from .logic.certificate import Certificate
from .logic.claims import Claim, claim, positive, unique_maximum
from .logic.language import Model
from .logic.ledger import claims, verify_certificate
from .logic.sheet import theorems
from .logic.statement import Shape
from .measures import bounds, criteria
from .measures.criteria import criterion_value, criterion_values
from .measures.information import conditional_entropy, conditional_mutual_information, entropy, info, mutual_information
from .measures.risk import bayes_classifier, bayes_risk, bayes_risks
from .proofs.extremum import infimum, supremum
from .proofs.prover import needed_assumptions, prove
from .proofs.realization import realize, two_orderings
from .proofs.referee import referee
from .proofs.refutation import refute
from .reports.audit import audit
from .reports.of_distribution import Report, report
from .reports.of_sample import SampleReport
from .samples.fitting import fit
from .samples.importance import importance
from .samples.law import selection_law
from .samples.limits import admissible_tau, error_exponent
from .samples.methods import FBS, FOS, NoSelection, OrderedFS, PlugIn, StandardWrap
from .samples.sample_size import risk_bound
from .samples.simulation import simulate
from .selection import networks
from .selection.adversary import adversarial, adversarial_favoring
from .selection.family import linear_family, polynomial_family
from .selection.greedy import select
from .selection.optimal import k_optimal, minimal_optimal
from .selection.phase_diagram import phase_diagram
from .selection.prescribed import adversarial_with_risks
from .selection.questions import best_questions
from .selection.relevant import conditionally_independent, markov_blankets, markov_boundary, relevance
from .selection.solutions import all_solutions, reasons
from .selection.stopping import cmi_elimination, cmi_selection

__version__: str
__all__ = [
    "FBS",
    "FOS",
    "Certificate",
    "Check",
    "Claim",
    "ClaimError",
    "FSTheoryError",
    "InvalidTypeError",
    "InvalidValueError",
    "JointDistribution",
    "Model",
    "NoSelection",
    "OrderedFS",
    "Ordering",
    "PlugIn",
    "Report",
    "Sample",
    "SampleReport",
    "Shape",
    "StandardWrap",
    "SubsetTable",
    "TooLargeError",
    "UnknownNameError",
    "ZeroProbabilityError",
    "__version__",
    "admissible_tau",
    "adversarial",
    "adversarial_favoring",
    "adversarial_with_risks",
    "all_solutions",
    "audit",
    "bayes_classifier",
    "bayes_risk",
    "bayes_risks",
    "best_questions",
    "bounds",
    "check_certificate",
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
    "distributions",
    "entropy",
    "error_exponent",
    "errors",
    "fit",
    "gallery",
    "importance",
    "independent_features",
    "infimum",
    "info",
    "k_optimal",
    "lattice",
    "lessons",
    "linear_extension_with",
    "linear_extensions",
    "linear_family",
    "logic",
    "markov_blankets",
    "markov_boundary",
    "measures",
    "minimal_optimal",
    "mutual_information",
    "needed_assumptions",
    "networks",
    "numbers",
    "papers",
    "phase_diagram",
    "points",
    "polynomial_family",
    "positive",
    "proofs",
    "prove",
    "random_linear_extension",
    "realize",
    "reasons",
    "referee",
    "refute",
    "relevance",
    "report",
    "reports",
    "risk_bound",
    "sample",
    "samples",
    "select",
    "selection",
    "selection_law",
    "simulate",
    "supremum",
    "theorems",
    "two_orderings",
    "unique_maximum",
    "verify_certificate",
]
