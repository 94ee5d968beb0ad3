from .curve import (
    LawCurve,
    law_curve,
)
from .fitting import (
    EstimateStep,
    Fitted,
    PermutationNull,
    RiskEstimates,
    SupportedFeatures,
    SupportStep,
    cross_validated_risk,
    fit,
    holdout_risk,
    permutation_null,
    risk_estimates,
    supported_features,
)
from .law import (
    Law,
    selection_law,
)
from .limits import (
    AdmissibleTau,
    ErrorExponent,
    admissible_tau,
    error_exponent,
)
from .methods import (
    FBS,
    FOS,
    Method,
    NoSelection,
    OrderedFS,
    PlugIn,
    StandardWrap,
)
from .sample_size import (
    RiskBound,
    SizeTerm,
    find_probability,
    find_probability_bounds,
    risk_bound,
    samples_per_bit,
    samples_to_bound,
    samples_to_find,
)
from .simulation import (
    simulate,
)

__all__ = [
    "FBS",
    "FOS",
    "AdmissibleTau",
    "ErrorExponent",
    "EstimateStep",
    "Fitted",
    "Law",
    "LawCurve",
    "Method",
    "NoSelection",
    "OrderedFS",
    "PermutationNull",
    "PlugIn",
    "RiskBound",
    "RiskEstimates",
    "SizeTerm",
    "StandardWrap",
    "SupportStep",
    "SupportedFeatures",
    "admissible_tau",
    "cross_validated_risk",
    "error_exponent",
    "find_probability",
    "find_probability_bounds",
    "fit",
    "holdout_risk",
    "law_curve",
    "permutation_null",
    "risk_bound",
    "risk_estimates",
    "samples_per_bit",
    "samples_to_bound",
    "samples_to_find",
    "selection_law",
    "simulate",
    "supported_features",
]
