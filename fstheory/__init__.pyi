from . import (
    distributions as distributions,
)
from . import (
    errors as errors,
)
from . import (
    lattice as lattice,
)
from . import (
    logic as logic,
)
from . import (
    measures as measures,
)
from . import (
    numbers as numbers,
)
from . import (
    papers as papers,
)
from . import (
    points as points,
)
from . import (
    proofs as proofs,
)
from . import (
    reports as reports,
)
from . import (
    samples as samples,
)
from . import (
    selection as selection,
)
from ._support.result import (
    Check as Check,
)
from .distributions import (
    gallery as gallery,
)
from .distributions.compose import (
    independent_features as independent_features,
)
from .distributions.joint import (
    JointDistribution as JointDistribution,
)
from .distributions.rows import (
    Sample as Sample,
)
from .distributions.rows import (
    sample as sample,
)
from .errors import (
    ClaimError as ClaimError,
)
from .errors import (
    FSTheoryError as FSTheoryError,
)
from .errors import (
    InvalidTypeError as InvalidTypeError,
)
from .errors import (
    InvalidValueError as InvalidValueError,
)
from .errors import (
    TooLargeError as TooLargeError,
)
from .errors import (
    UnknownNameError as UnknownNameError,
)
from .errors import (
    ZeroProbabilityError as ZeroProbabilityError,
)
from .lattice.extensions import (
    check_linear_extension as check_linear_extension,
)
from .lattice.extensions import (
    count_linear_extensions as count_linear_extensions,
)
from .lattice.extensions import (
    linear_extension_with as linear_extension_with,
)
from .lattice.extensions import (
    linear_extensions as linear_extensions,
)
from .lattice.extensions import (
    random_linear_extension as random_linear_extension,
)
from .lattice.ordering import (
    Ordering as Ordering,
)
from .lattice.table import (
    SubsetTable as SubsetTable,
)
from .logic.certificate import (
    Certificate as Certificate,
)
from .logic.checker import (
    check_certificate as check_certificate,
)
from .logic.claims import (
    Claim as Claim,
)
from .logic.claims import (
    claim as claim,
)
from .logic.claims import (
    positive as positive,
)
from .logic.claims import (
    unique_maximum as unique_maximum,
)
from .logic.language import (
    Model as Model,
)
from .logic.statement import (
    Shape as Shape,
)
from .measures import (
    bounds as bounds,
)
from .measures import (
    criteria as criteria,
)
from .measures.criterion import (
    criterion_value as criterion_value,
)
from .measures.criterion import (
    criterion_values as criterion_values,
)
from .measures.information import (
    conditional_entropy as conditional_entropy,
)
from .measures.information import (
    conditional_mutual_information as conditional_mutual_information,
)
from .measures.information import (
    entropy as entropy,
)
from .measures.information import (
    mutual_information as mutual_information,
)
from .measures.notation import (
    info as info,
)
from .measures.risk import (
    bayes_classifier as bayes_classifier,
)
from .measures.risk import (
    bayes_risk as bayes_risk,
)
from .measures.risk import (
    bayes_risks as bayes_risks,
)
from .papers.ledger import (
    audit as audit,
)
from .papers.ledger import (
    claims as claims,
)
from .papers.ledger import (
    verify_certificate as verify_certificate,
)
from .proofs.prover import (
    prove as prove,
)
from .proofs.realization import (
    realize as realize,
)
from .proofs.refutation import (
    needed_assumptions as needed_assumptions,
)
from .proofs.refutation import (
    refute as refute,
)
from .reports.of_distribution import (
    Report as Report,
)
from .reports.of_sample import (
    SampleReport as SampleReport,
)
from .reports.reporting import (
    report as report,
)
from .samples.fitting import (
    fit as fit,
)
from .samples.law import (
    selection_law as selection_law,
)
from .samples.limits import (
    admissible_tau as admissible_tau,
)
from .samples.limits import (
    error_exponent as error_exponent,
)
from .samples.methods import (
    FBS as FBS,
)
from .samples.methods import (
    FOS as FOS,
)
from .samples.methods import (
    NoSelection as NoSelection,
)
from .samples.methods import (
    OrderedFS as OrderedFS,
)
from .samples.methods import (
    PlugIn as PlugIn,
)
from .samples.methods import (
    StandardWrap as StandardWrap,
)
from .samples.sample_size import (
    risk_bound as risk_bound,
)
from .samples.simulation import (
    simulate as simulate,
)
from .selection.adversary import (
    adversarial as adversarial,
)
from .selection.adversary import (
    adversarial_favoring as adversarial_favoring,
)
from .selection.adversary import (
    adversarial_with_risks as adversarial_with_risks,
)
from .selection.family import (
    linear_family as linear_family,
)
from .selection.family import (
    polynomial_family as polynomial_family,
)
from .selection.greedy import (
    select as select,
)
from .selection.optimal import (
    k_optimal as k_optimal,
)
from .selection.optimal import (
    minimal_optimal as minimal_optimal,
)
from .selection.optimal import (
    resampling_probability as resampling_probability,
)
from .selection.phase_diagram import (
    phase_diagram as phase_diagram,
)
from .selection.relevant import (
    conditionally_independent as conditionally_independent,
)
from .selection.relevant import (
    markov_blankets as markov_blankets,
)
from .selection.relevant import (
    markov_boundary as markov_boundary,
)
from .selection.relevant import (
    relevance as relevance,
)
from .selection.stopping import (
    cmi_elimination as cmi_elimination,
)
from .selection.stopping import (
    cmi_selection as cmi_selection,
)

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
    "distributions",
    "entropy",
    "error_exponent",
    "errors",
    "fit",
    "gallery",
    "independent_features",
    "info",
    "k_optimal",
    "lattice",
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
    "refute",
    "relevance",
    "report",
    "reports",
    "resampling_probability",
    "risk_bound",
    "sample",
    "samples",
    "select",
    "selection",
    "selection_law",
    "simulate",
    "unique_maximum",
    "verify_certificate",
]
