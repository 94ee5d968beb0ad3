"""Criteria: the best value of a performance measure that a predictor can reach if it sees only a feature subset."""

from __future__ import annotations

from fstheory.criteria.criterion import Criterion, Predictor
from fstheory.criteria.losses import balanced, cost_sensitive, zero_one
from fstheory.criteria.matrix import loss_matrix
from fstheory.criteria.named import as_criterion, criterion_value, criterion_values
from fstheory.criteria.probabilities import gini, logarithmic, squared_error
from fstheory.criteria.ranking import auc, f_measure, f_measure_as_printed

__all__ = [
    "Criterion",
    "Predictor",
    "as_criterion",
    "auc",
    "balanced",
    "cost_sensitive",
    "criterion_value",
    "criterion_values",
    "f_measure",
    "f_measure_as_printed",
    "gini",
    "logarithmic",
    "loss_matrix",
    "squared_error",
    "zero_one",
]
