"""Finite samples: what a method selects on m samples of a distribution, exactly."""

from fstheory.samples.consistency import AdmissibleTau, admissible_tau
from fstheory.samples.estimates import (
    PermutationNull,
    RiskEstimates,
    cross_validated_risk,
    holdout_risk,
    permutation_null,
    risk_estimates,
)
from fstheory.samples.exponent import ErrorExponent, error_exponent
from fstheory.samples.fitting import EstimateStep, Fitted, fit
from fstheory.samples.law import LawCurve, SelectionLaw, law_curve, selection_law
from fstheory.samples.methods import FBS, FOS, Method, NoSelection, OrderedFS, PlugIn, StandardWrap
from fstheory.samples.ng_bounds import RiskBound, SizeTerm, risk_bound, samples_to_bound
from fstheory.samples.one_relevant import find_probability, find_probability_bounds, samples_per_bit, samples_to_find
from fstheory.samples.simulation import Simulation, simulate
from fstheory.samples.supported import SupportedFeatures, SupportStep, supported_features

__all__ = [
    "FBS",
    "FOS",
    "AdmissibleTau",
    "ErrorExponent",
    "EstimateStep",
    "Fitted",
    "LawCurve",
    "Method",
    "NoSelection",
    "OrderedFS",
    "PermutationNull",
    "PlugIn",
    "RiskBound",
    "RiskEstimates",
    "SelectionLaw",
    "Simulation",
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
