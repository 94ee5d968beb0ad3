"""Majority tables over all subsets of features, and on how many samples they are right, for many samples at once."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from fstheory.distribution import JointDistribution

__all__ = ["Integers", "gains_of", "label_type", "labels_of", "left_out_gains", "marginals", "risks_of"]

Integers: TypeAlias = "npt.NDArray[Any]"


def marginals(tables: Integers) -> Iterator[tuple[int, Integers]]:
    """Yield every mask with the sums over the features outside it, of shape (batch, states, classes), states in order.

    Complexity: prod(c_i + 1) additions for each table of the batch and each class.
    """

    def visit(block: Integers, mask: int, i: int) -> Iterator[tuple[int, Integers]]:
        if i == tables.ndim - 2:
            yield mask, block
            return
        total = block[:, :, 0]
        for state in range(1, block.shape[2]):  # on short axes a fourth of the time of a reduction
            total = total + block[:, :, state]
        yield from visit(total, mask, i + 1)
        kept = block.reshape(block.shape[0], -1, *block.shape[3:])
        yield from visit(kept, mask | 1 << i, i + 1)

    return visit(tables[:, None], 0, 0)


def gains_of(contrasts: Integers) -> Integers:
    """Return on how many samples more than class 0 the majority table of each subset is right; shape (batch, 2**n)."""
    gains = np.empty((2 ** (contrasts.ndim - 2), len(contrasts)), dtype=np.int64)
    for mask, marginal in marginals(contrasts):
        best = marginal[..., 0].clip(0) if marginal.shape[-1] == 1 else marginal.max(axis=-1).clip(0)
        best.sum(axis=-1, out=gains[mask])
    return gains.T


def left_out_gains(counts: Integers) -> Integers:
    """Return on how many samples the majority table of the others is right, for each subset; shape (batch, 2**n)."""
    gains = np.zeros((2 ** (counts.ndim - 2), len(counts)), dtype=np.int64)
    for mask, marginal in marginals(counts):
        for y in range(marginal.shape[-1]):
            own = marginal[..., y : y + 1]
            right = (own - 1 > marginal[..., :y]).all(axis=-1) & (own - 1 >= marginal[..., y + 1 :]).all(axis=-1)
            gains[mask] += np.where(right, own[..., 0], 0).sum(axis=-1)
    return gains.T


def label_type(classes: int) -> np.dtype[Any]:
    """Return the narrowest type that holds the position of each of so many classes."""
    return np.min_scalar_type(classes - 1)


def labels_of(contrasts: Integers) -> Integers:
    """Return the position of the class with the most samples in every state, the first of several."""
    kind = label_type(contrasts.shape[-1] + 1)
    if contrasts.shape[-1] == 1:
        return (contrasts[..., 0] > 0).astype(kind)
    best = contrasts.argmax(axis=-1)
    highest = np.take_along_axis(contrasts, best[..., None], -1)[..., 0]
    return np.where(highest > 0, best + 1, 0).astype(kind)


def risks_of(d: JointDistribution, mask: int, labels: Integers) -> Integers:
    """Return the total weight times the risks under d of tables over a subset; labels of shape (tables, states)."""
    dropped = tuple(i for i in range(len(d.features)) if not mask >> i & 1)
    weights = d.weights.sum(axis=dropped).reshape(-1, len(d.classes))
    risks: Integers = d.total - weights[np.arange(len(weights)), labels].sum(axis=-1)
    return risks
