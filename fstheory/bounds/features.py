"""Removed features and kept ones."""

from __future__ import annotations

from fstheory.distribution import JointDistribution, require_distribution
from fstheory.subsets import Subset, indices_of, mask_of

__all__ = ["kept_features", "split"]


def split(d: JointDistribution, removed: Subset) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the names of the removed features and of the kept ones, each in order."""
    require_distribution(d)
    mask = mask_of(removed, d.features, "removed")
    every = (1 << len(d.features)) - 1
    gone, kept = (tuple(d.features[i] for i in indices_of(m)) for m in (mask, every & ~mask))
    return gone, kept


def kept_features(d: JointDistribution, removed: Subset) -> tuple[str, ...]:
    """Return the names of the features that are not removed."""
    return split(d, removed)[1]
