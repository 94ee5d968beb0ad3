"""A bound on a concrete distribution: its two sides, exact, and whether it holds, decided."""

from __future__ import annotations

from fractions import Fraction
from typing import TypeAlias

from fstheory._check import Check, Relation
from fstheory.distribution import JointDistribution, require_distribution
from fstheory.reals import LogSum
from fstheory.reals.roots import RootSum
from fstheory.reals.shifted_root import ShiftedRoot
from fstheory.subsets import Subset, indices_of, mask_of

__all__ = ["Side", "compared", "kept_features", "split"]

Side: TypeAlias = Fraction | LogSum | RootSum | ShiftedRoot


def compared(name: str, statement: str, left: Side, right: Side, source: str, latex: str = "") -> Check:
    """Decide a statement of the form ``a <= b`` or ``a == b``, given the values of its two sides."""
    relation: Relation = "==" if " == " in statement else "<="
    holds = bool(left == right if relation == "==" else left <= right)
    return Check(statement, holds, left=left, right=right, name=name, source=source, relation=relation, latex=latex)


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
