from .estimates import holdout_risk, permutation_null, risk_estimates
from .fitting import fit, supported_features
from .importance import importance
from .law import selection_law
from .limits import admissible_tau, error_exponent
from .methods import FBS, FOS, NoSelection, OrderedFS, PlugIn, StandardWrap
from .relevance import relevant_features
from .sample_size import (
    find_probability,
    risk_bound,
    samples_per_bit,
    samples_to_bound,
    samples_to_find,
)
from .simulation import law_curve, simulate

__all__ = [
    "FBS",
    "FOS",
    "NoSelection",
    "OrderedFS",
    "PlugIn",
    "StandardWrap",
    "admissible_tau",
    "error_exponent",
    "find_probability",
    "fit",
    "holdout_risk",
    "importance",
    "law_curve",
    "permutation_null",
    "relevant_features",
    "risk_bound",
    "risk_estimates",
    "samples_per_bit",
    "samples_to_bound",
    "samples_to_find",
    "selection_law",
    "simulate",
    "supported_features",
]
