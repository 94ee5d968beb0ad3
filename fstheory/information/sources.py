"""Exact information of feature subsets by mask, and certificates of equality that need no logarithm."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Hashable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from fstheory._rational import Exact
from fstheory.distribution import JointDistribution
from fstheory.information.cells import entropy_sum
from fstheory.information.column import marginals_of
from fstheory.logsum import LogSum
from fstheory.subsets import Masks

__all__ = ["ClassEntropy", "ClassInformation", "FeatureEntropy"]

_WORD = 63  # bits of a non-negative machine integer


@dataclass(frozen=True)
class ClassEntropy:
    """H(Y | X_S).

    It depends on how much mass has which posterior, and not even on which class is which. The certificate is this
    distribution: for each row of class weights, divided by their greatest common divisor and sorted, the sum of the
    divisors. Rows with a single class add no entropy and are left out. So features that are irrelevant given
    others, copies and symmetries are seen.
    """

    d: JointDistribution
    base: Exact | None

    def __call__(self, mask: int, /) -> LogSum:
        """Return H(Y, X_S) - H(X_S)."""
        return entropy_sum(self.d, [(1, mask | 1 << len(self.d.features)), (-1, mask)], self.base)

    def certificates(self, masks: Masks, /) -> Iterator[Hashable]:
        """Yield the distribution of posteriors of each subset."""
        summary = _posteriors_of_any if self.d.weights.dtype == object else _posteriors
        for cells in marginals_of(self.d.weights, masks, 1):
            yield summary(cells.reshape(-1, cells.shape[-1]))


@dataclass(frozen=True)
class ClassInformation(ClassEntropy):
    """I(Y; X_S): the less, the more entropy is left, and equal where that is equal."""

    def __call__(self, mask: int, /) -> LogSum:
        """Return H(Y) + H(X_S) - H(Y, X_S)."""
        target = 1 << len(self.d.features)
        return entropy_sum(self.d, [(1, target), (1, mask), (-1, mask | target)], self.base)


@dataclass(frozen=True)
class FeatureEntropy:
    """H(X_S); the certificate is the positive weights of the states, sorted."""

    d: JointDistribution
    base: Exact | None

    def __call__(self, mask: int, /) -> LogSum:
        """Return H(X_S)."""
        return entropy_sum(self.d, [(1, mask)], self.base)

    def certificates(self, masks: Masks, /) -> Iterator[Hashable]:
        """Yield the sorted weights of each subset."""
        weights = np.asarray(self.d.weights.sum(axis=-1), dtype=self.d.weights.dtype)
        for cells in marginals_of(weights, masks, 0):
            if cells.dtype == object:
                yield frozenset(Counter(cell for cell in cells.ravel().tolist() if cell).items())
            else:
                yield np.sort(cells[cells > 0], axis=None).tobytes()


def _posteriors(rows: npt.NDArray[Any]) -> Hashable:
    """Return the masses of the primitive rows, for machine integers."""
    rows = rows[np.count_nonzero(rows, axis=1) > 1]
    if not len(rows):
        return b""
    masses = np.gcd.reduce(rows, axis=1)
    primitive = np.sort(rows // masses[:, None], axis=1)
    order = _grouping(primitive)
    ordered = primitive[order]
    first = np.concatenate([[True], (ordered[1:] != ordered[:-1]).any(axis=1)])
    starts = np.flatnonzero(first)
    return ordered[starts].tobytes(), np.add.reduceat(masses[order], starts).tobytes()


def _grouping(rows: npt.NDArray[Any]) -> npt.NDArray[np.int64]:
    """Return an order that sorts rows; fast where a row fits into one machine word."""
    bits = int(rows.max()).bit_length()
    if bits * rows.shape[1] > _WORD:
        return np.lexsort(rows.T).astype(np.int64)
    words = np.zeros(len(rows), dtype=np.int64)
    for column in rows.T:
        words = words << bits | column
    return np.argsort(words)


def _posteriors_of_any(rows: npt.NDArray[Any]) -> Hashable:
    """Return the masses of the primitive rows, for integers of any size."""
    masses: Counter[tuple[int, ...]] = Counter()
    for row in rows.tolist():
        positive = sorted(weight for weight in row if weight)
        if len(positive) > 1:
            common = math.gcd(*positive)
            masses[tuple(weight // common for weight in positive)] += common
    return frozenset(masses.items())
