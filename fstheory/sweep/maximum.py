"""For every feature subset, the sum over its states of the largest class weight; what is left is the Bayes risk."""

from __future__ import annotations

from typing import Any

import numpy as np

from fstheory.limbs import IntegerArray
from fstheory.sweep.cells import Array
from fstheory.sweep.engine import subset_sums

__all__ = ["maximum_sums"]

_WIDTHS = (np.int16, np.int32, np.int64)
_CHUNK = 1 << 16  # weights that are added without being able to leave 64 bits


def maximum_sums(weights: Array, *, workers: int = 1) -> IntegerArray:
    """Return, for every mask S, the sum over the states s of S of the largest weight(s, y) over the classes y.

    With the table's total T, the Bayes risk of S is ``1 - V(S) / T``.

    Parameters
    ----------
    weights : array of shape (c1, .., cn, classes)
        Non-negative integers: an integer dtype, or objects that are Python integers of any size. It is not changed.
    workers : int
        Threads to use; the answer is the same for any number.

    Returns
    -------
    IntegerArray of length 2**n
        Indexed by mask.

    Notes
    -----
    One class r is the reference, and for each other class y the differences d_y = weight(., y) - weight(., r)
    are swept: V(S) is the reference's whole weight plus the sum over states of max(0, max_y d_y(s)). No sum of them
    exceeds T, so T decides in which integers they are held, and nothing overflows. Where one class is largest in
    every cell of a block, all subsets of the block agree and it is not opened.

    Complexity: prod(c_i + 1) * (classes - 1) additions, times the limbs a total of more than 63 bits needs.

    References
    ----------
    J. M. Pena and R. Nilsson, "On the Complexity of Discrete Feature Selection for Optimal Classification", section 2.

    Examples
    --------
    >>> maximum_sums(np.array([[[3, 0], [0, 1]], [[0, 2], [1, 1]]])).tolist()
    [4, 6, 5, 7]
    """
    total = _total(weights)
    if total >= 2**63:
        from fstheory.sweep.wide import wide_maximum_sums

        return wide_maximum_sums(weights, workers=workers)
    width = next(width for width in _WIDTHS if total <= np.iinfo(width).max)
    reference = int(weights[..., -1].sum())
    if weights.shape[-1] == 1:
        return IntegerArray.from_array(np.full(2 ** (weights.ndim - 1), reference))
    planes = np.empty((weights.shape[-1] - 1, *weights.shape[:-1]), dtype=width)
    for y in range(len(planes)):
        np.subtract(weights[..., y], weights[..., -1], out=planes[y, ...], casting="unsafe")
    if len(planes) == 1:
        sums = subset_sums(planes, _distance, additive=_same_sign, workers=workers)[0].astype(np.int64)
        return IntegerArray.from_array((total >> 1) + (sums >> 1) + (total & sums & 1))
    gains = subset_sums(planes, _gain, additive=_dominated, workers=workers)
    return IntegerArray.from_array(gains[0].astype(np.int64) + reference)


def _distance(cells: Array, out: Array) -> None:
    """Write by how much the larger class exceeds the other: the two together are the cell's weight."""
    np.abs(cells, out=out)


def _same_sign(cells: Array) -> bool:
    """Say whether the same class is largest in every cell."""
    return bool(cells.min() >= 0 or cells.max() <= 0)


def _gain(cells: Array, out: Array) -> None:
    """Write the largest difference to the reference class, or 0 if that class itself is largest."""
    best = out[0]
    np.maximum(cells[0], 0, out=best)
    for plane in cells[1:]:
        np.maximum(best, plane, out=best)


def _dominated(cells: Array) -> bool:
    """Say whether one class is largest in every cell; it can only be the one that is largest in total."""
    totals = cells.sum(axis=tuple(range(1, cells.ndim)), dtype=cells.dtype)
    y = int(totals.argmax())
    if totals[y] <= 0:
        return bool(cells.max() <= 0)
    best = cells[y]
    return bool(best.min() >= 0) and all(bool((best >= plane).all()) for j, plane in enumerate(cells) if j != y)


def _total(weights: Array) -> int:
    """Return the sum of all weights as a Python integer."""
    if weights.dtype == object:
        return int(sum(weights.flat))
    flat: np.ndarray[Any, np.dtype[np.int64]] = weights.reshape(-1)
    if int(flat.max(initial=0)) * flat.size < 2**63:
        return int(flat.sum())
    chunks = (flat[start : start + _CHUNK] for start in range(0, flat.size, _CHUNK))
    return sum((int((chunk >> 32).sum()) << 32) + int((chunk & 0xFFFFFFFF).sum()) for chunk in chunks)
