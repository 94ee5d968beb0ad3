"""Bounds on the cost of removing features, by information and by correlations: each theorem evaluated exactly."""

from __future__ import annotations

from fstheory.bounds.chain import chain_rule, elimination_identity, information_identity
from fstheory.bounds.classical import fano_bound, hellman_raviv_bound, pinsker_bound
from fstheory.bounds.classification_error import (
    classification_bound,
    classification_bound_by_information,
    classification_bound_by_variation,
    classification_bound_sharp,
    least_information,
)
from fstheory.bounds.linear import (
    correlation_bound,
    correlation_bound_as_printed,
    correlation_identity,
    linear_bound,
    linear_bound_as_printed,
    linear_bound_sharp,
    linear_identity,
)
from fstheory.bounds.regression_error import regression_bound, regression_bound_as_printed, regression_bound_sharp
from fstheory.reals.shifted_root import ShiftedRoot

__all__ = [
    "ShiftedRoot",
    "chain_rule",
    "classification_bound",
    "classification_bound_by_information",
    "classification_bound_by_variation",
    "classification_bound_sharp",
    "correlation_bound",
    "correlation_bound_as_printed",
    "correlation_identity",
    "elimination_identity",
    "fano_bound",
    "hellman_raviv_bound",
    "information_identity",
    "least_information",
    "linear_bound",
    "linear_bound_as_printed",
    "linear_bound_sharp",
    "linear_identity",
    "pinsker_bound",
    "regression_bound",
    "regression_bound_as_printed",
    "regression_bound_sharp",
]
