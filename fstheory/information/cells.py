"""The cells of a marginal, and the sums of logarithms that are made of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from fstheory._rational import Exact
from fstheory.distribution import JointDistribution
from fstheory.logsum import LogSum
from fstheory.subsets import mask_of

__all__ = ["Cells", "entropy_sum", "marginal_cells", "variables_mask"]

Cells: TypeAlias = "npt.NDArray[Any]"


def variables_mask(d: JointDistribution, names: Iterable[str], argument: str) -> int:
    """Return the bitmask of some variables: bit i for feature i, the bit after the features' for the target."""
    return mask_of(names, (*d.features, d.target), argument)


def marginal_cells(weights: Cells, mask: int) -> Cells:
    """Return the cells of the marginal of the axes in a mask, flat, the zeros included."""
    gone = tuple(axis for axis in range(weights.ndim) if not mask >> axis & 1)
    return np.asarray(weights.sum(axis=gone), dtype=weights.dtype).reshape(-1)


def entropy_sum(d: JointDistribution, masks: Iterable[tuple[int, int]], base: Exact | None) -> LogSum:
    """Return ``sum(c H(M))`` over pairs (coefficient c, mask M of variables).

    With the total T and the cells n of the marginal of M, T H(M) = T log T - sum n log n. Cells that are 0 add nothing.
    """
    terms: Counter[int] = Counter()
    for coefficient, mask in masks:
        terms[d.total] += coefficient * d.total
        for cell, times in _histogram(marginal_cells(d.weights, mask)):
            terms[cell] -= coefficient * cell * times
    return LogSum.from_integer_terms(terms, denominator=d.total, base=base)


def _histogram(cells: Cells) -> Iterable[tuple[int, int]]:
    """Return the distinct positive cells, each with the number of times it occurs."""
    if cells.dtype == object:
        return Counter(cell for cell in cells.tolist() if cell).items()
    values, times = np.unique(cells[cells > 0], return_counts=True)
    return zip(values.tolist(), times.tolist(), strict=True)
