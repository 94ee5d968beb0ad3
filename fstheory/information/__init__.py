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
from fstheory.information.tables import conditional_entropies, entropies, mutual_informations

__all__ = [
    "conditional_entropies",
    "conditional_entropy",
    "conditional_mutual_information",
    "entropies",
    "entropy",
    "expected_total_variation",
    "info",
    "information_lost",
    "kl_divergence",
    "mutual_information",
    "mutual_informations",
    "total_variation_distance",
]
