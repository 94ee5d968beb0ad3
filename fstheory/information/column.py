"""Enclosed information whose ties are certified without logarithms where they can be."""

from __future__ import annotations

import itertools
import math
from collections.abc import Hashable, Iterator
from operator import itemgetter
from typing import Protocol

import numpy as np
import numpy.typing as npt

from fstheory.information.cells import Cells
from fstheory.logsum import LogSum
from fstheory.subsets import Masks
from fstheory.table import EnclosedColumn

__all__ = ["InformationColumn", "Source", "marginals_of"]

Floats = npt.NDArray[np.float64]


class Source(Protocol):
    """Where exact values come from."""

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
