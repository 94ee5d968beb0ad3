"""Entropy, mutual information and total variation: of any sets of variables, and over all feature subsets."""

from __future__ import annotations

from fstheory.information.divergence import expected_total_variation, kl_divergence, total_variation_distance
from fstheory.information.notation import info
from fstheory.information.quantities import (
    conditional_entropy,
    conditional_mutual_information,
    entropy,
    information_lost,
    mutual_information,
)
from fstheory.information.tables import conditional_entropy_table, entropy_table, mutual_information_table

__all__ = [
    "conditional_entropy",
    "conditional_entropy_table",
    "conditional_mutual_information",
    "entropy",
    "entropy_table",
    "expected_total_variation",
    "info",
    "information_lost",
    "kl_divergence",
    "mutual_information",
    "mutual_information_table",
    "total_variation_distance",
]
