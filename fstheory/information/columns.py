"""Exact information of feature subsets by mask, and enclosed columns whose ties are certified without logarithms."""

from __future__ import annotations

import itertools
import math
from collections import Counter
from collections.abc import Hashable, Iterator
from dataclasses import dataclass
from operator import itemgetter
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from fstheory._exact import Exact
from fstheory.distribution import JointDistribution
from fstheory.information.quantities import Cells, entropy_sum
from fstheory.reals import LogSum
from fstheory.subsets import Masks
from fstheory.table import EnclosedColumn

__all__ = ["ClassEntropy", "ClassInformation", "FeatureEntropy", "InformationColumn", "Source", "marginals_of"]

Floats = npt.NDArray[np.float64]


class Source(Protocol):
    """Where exact values come from."""

    @property
    def base(self) -> Exact | None:
        """The base of the logarithms; None for nats."""
        ...

    def __call__(self, mask: int, /) -> LogSum:
        """Return the exact value of a subset."""
        ...

    def certificates(self, masks: Masks, /) -> Iterator[Hashable]:
        """Yield for each subset a key; the values of subsets with equal keys are equal."""
        ...


class InformationColumn(EnclosedColumn[LogSum]):
    """Enclosures of entropies. Where they overlap, equal certificates prove ties, and exact values decide the rest."""

    __slots__ = ("_source",)

    def __init__(
        self, centers: Floats, radii: Floats, source: Source, keys: Masks, known: dict[int, LogSum] | None = None
    ) -> None:
        super().__init__(centers, radii, source, keys, known)
        self._source = source

    def take(self, positions: Masks, /) -> InformationColumn:
        """Return the values at these positions."""
        chosen = self.centers[positions], self.radii[positions]
        return InformationColumn(*chosen, self._source, self.keys[positions], self._known)

    def ranks(self) -> Masks:
        """Return dense ranks. Complexity: a sort, and a pass over the marginal where an enclosure overlaps another."""
        low = np.nextafter(self.centers - self.radii, -math.inf)
        high = np.nextafter(self.centers + self.radii, math.inf)
        order = np.argsort(low, kind="stable")
        reach = np.maximum.accumulate(high[order])
        apart = np.concatenate([[True], low[order][1:] > reach[:-1]])  # whatever comes later is certainly larger
        steps = apart.astype(np.int64)
        starts = np.flatnonzero(apart)
        ends = np.append(starts[1:], len(order))
        for start, end in zip(starts.tolist(), ends.tolist(), strict=True):
            if end - start > 1:
                self._settle(order[start:end], steps[start:end])
        ranks = np.empty(len(order), dtype=np.int64)
        ranks[order] = np.cumsum(steps) - 1
        return ranks

    def _settle(self, group: Masks, steps: Masks) -> None:
        """Order the members of a group, in place, and write 1 where a value is larger than the one before."""
        masks = self.keys[group]
        descending = np.argsort(-masks)
        alike: dict[Hashable, list[int]] = {}
        for position, key in zip(group[descending].tolist(), self._source.certificates(masks[descending]), strict=True):
            alike.setdefault(key, []).append(position)
        families = list(alike.values())
        at = 0
        for family, larger in self._ordered(families):
            group[at : at + len(family)] = family
            steps[at : at + len(family)] = 0
            steps[at] = larger
            at += len(family)

    def _ordered(self, families: list[list[int]]) -> Iterator[tuple[list[int], int]]:
        """Yield families of equal values by value, and whether the value is larger than that of the one before."""
        if len(families) == 1:
            yield families[0], 1
            return
        valued = sorted(((self[family[0]], family) for family in families), key=itemgetter(0))
        yield valued[0][1], 1
        for (before, _), (value, family) in itertools.pairwise(valued):
            yield family, int(before < value)


def marginals_of(cells: Cells, masks: Masks, kept: int) -> Iterator[Cells]:
    """Yield the marginal of each mask, the last `kept` axes always kept.

    What no mask has is summed out once for all. If the masks descend, so is what follows for those that share it: the
    marginals between the first and the last of them are kept, and each is half of the one before or less.
    """
    n = cells.ndim - kept
    union = int(np.bitwise_or.reduce(masks))
    never = tuple(i for i in range(n) if not union >> i & 1)
    # axes are kept with length 1, so that they keep their numbers
    chain = [(union, np.asarray(cells.sum(axis=never, keepdims=True), dtype=cells.dtype))]
    for mask in masks.tolist():
        missing = [i for i in reversed(range(n)) if union & ~mask & 1 << i]  # summed out from the highest on
        wanted = list(itertools.accumulate(missing, lambda held, i: held & ~(1 << i), initial=union))
        pairs = zip(wanted, chain, strict=False)
        shared = sum(1 for _ in itertools.takewhile(lambda pair: pair[0] == pair[1][0], pairs))
        del chain[shared:]
        for held, axis in zip(wanted[shared:], missing[shared - 1 :], strict=True):
            chain.append((held, np.asarray(chain[-1][1].sum(axis=axis, keepdims=True), dtype=cells.dtype)))
        yield chain[-1][1]


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
    for column in rows.T:  # a division that broadcasts takes buffers; where none is left, NumPy crashes
        column //= masses
    primitive = np.sort(rows, axis=1)
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
