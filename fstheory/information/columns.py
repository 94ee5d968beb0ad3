"""Exact information of feature subsets by mask, and certificates that prove ties without logarithms."""

from __future__ import annotations

import itertools
import math
from collections import Counter
from collections.abc import Hashable, Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from fstheory._exact import Exact
from fstheory.distribution import JointDistribution
from fstheory.information.quantities import Cells, entropy_sum
from fstheory.reals import LogSum
from fstheory.subsets import Masks

__all__ = ["class_entropy", "class_information", "feature_entropy", "posteriors", "state_weights"]

_WORD = 63  # bits of a non-negative machine integer


def class_entropy(d: JointDistribution, base: Exact | None, mask: int) -> LogSum:
    """Return H(Y | X_S) = H(Y, X_S) - H(X_S)."""
    return entropy_sum(d, [(1, mask | 1 << len(d.features)), (-1, mask)], base)


def class_information(d: JointDistribution, base: Exact | None, mask: int) -> LogSum:
    """Return I(Y; X_S) = H(Y) + H(X_S) - H(Y, X_S)."""
    target = 1 << len(d.features)
    return entropy_sum(d, [(1, target), (1, mask), (-1, mask | target)], base)


def feature_entropy(d: JointDistribution, base: Exact | None, mask: int) -> LogSum:
    """Return H(X_S)."""
    return entropy_sum(d, [(1, mask)], base)


def posteriors(d: JointDistribution, masks: Masks) -> Iterator[Hashable]:
    """Yield what decides H(Y | X_S) and I(Y; X_S): how much mass has which posterior, whichever class is which.

    For each row of class weights, divided by their greatest common divisor and sorted, the sum of the divisors. Rows
    with a single class add no entropy and are left out. So irrelevant features, copies and symmetries are seen.
    """
    summary = _of_any if d.weights.dtype == object else _of_words
    for cells in _marginals(d.weights, masks, 1):
        yield summary(cells.reshape(-1, cells.shape[-1]))


def state_weights(d: JointDistribution, masks: Masks) -> Iterator[Hashable]:
    """Yield what decides H(X_S): the positive weights of the states, sorted."""
    weights = np.asarray(d.weights.sum(axis=-1), dtype=d.weights.dtype)
    for cells in _marginals(weights, masks, 0):
        if cells.dtype == object:
            yield frozenset(Counter(cell for cell in cells.ravel().tolist() if cell).items())
        else:
            yield np.sort(cells[cells > 0], axis=None).tobytes()


def _marginals(cells: Cells, masks: Masks, kept: int) -> Iterator[Cells]:
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


def _of_words(rows: npt.NDArray[Any]) -> Hashable:
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


def _of_any(rows: npt.NDArray[Any]) -> Hashable:
    """Return the masses of the primitive rows, for integers of any size."""
    masses: Counter[tuple[int, ...]] = Counter()
    for row in rows.tolist():
        positive = sorted(weight for weight in row if weight)
        if len(positive) > 1:
            common = math.gcd(*positive)
            masses[tuple(weight // common for weight in positive)] += common
    return frozenset(masses.items())
