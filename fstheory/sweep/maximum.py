"""For every feature subset, the sum over its states of the largest class weight; what is left is the Bayes risk."""

from __future__ import annotations

import math
from functools import partial

import numpy as np

from fstheory.limbs import Int64, IntegerArray, resplit, split, total_of
from fstheory.sweep.cells import BUDGET, Array, Budget
from fstheory.sweep.engine import subset_sums

__all__ = ["maximum_sums", "wide_maximum_sums"]

_ROOM = 62  # bits that a sum of one limb over all cells may take


def wide_maximum_sums(weights: Array, *, workers: int = 1, budget: Budget = BUDGET) -> IntegerArray:
    """Return what `fstheory.sweep.maximum_sums` returns; the weights may have any size.

    Complexity: that of the sweep times the number of limbs, about (bits of the largest weight) / (62 - log2 N).
    """
    cardinalities, classes = weights.shape[:-1], weights.shape[-1]
    cells = math.prod(cardinalities)
    flat = weights.reshape(cells, classes)
    width = max(1, int(flat.max()).bit_length())
    limbs = -(-width // (_ROOM - (cells - 1).bit_length()))
    bits = -(-width // limbs)  # evenly: a full top limb decides most cells
    reference = _cut(flat[:, -1], limbs, bits)
    base = reference.sum(axis=1, keepdims=True)
    if classes == 1:
        gains = np.zeros((limbs, 2 ** len(cardinalities)), dtype=np.int64)
    else:
        planes = np.empty((classes - 1, limbs, cells), dtype=np.int64)
        for y, plane in enumerate(planes):
            np.subtract(_cut(flat[:, y], limbs, bits), reference, out=plane)
        del reference
        choice, planes = _Choice(limbs, bits, cells), planes.reshape(-1, *cardinalities)
        sums = partial(subset_sums, planes, choice.gain, outputs=limbs, additive=choice.dominated)
        gains = sums(workers=workers, budget=budget)
    return IntegerArray.from_digits(gains + base, bits)


def _cut(values: Array, limbs: int, bits: int) -> Int64:
    """Return non-negative integers as exactly so many digits."""
    digits = split(values, bits) if values.dtype == object else resplit(values.astype(np.int64)[None], 62, bits)
    exact = np.zeros((limbs, len(values)), dtype=np.int64)
    exact[: len(digits)] = digits[:limbs]
    return exact


class _Choice:
    """The largest class of a cell, given the limbs of each class's difference to a reference class."""

    def __init__(self, limbs: int, bits: int, cells: int) -> None:
        self.limbs, self.bits, self.cells = limbs, bits, cells

    def gain(self, cells: Array, out: Array) -> None:
        """Write the limbs of the largest difference, or 0 if the reference is largest."""
        differences = cells.reshape(-1, self.limbs, cells.shape[-1])
        undecided = np.flatnonzero(self.gap(differences[:, -1]) < self.cells)
        exact = self.largest(differences[..., undecided]) if len(undecided) else None
        first, *others = differences
        top = first[-1].copy()
        np.bitwise_and(first, ~(top >> 63), out=out)  # the shift gives -1 where the difference is negative, else 0
        np.maximum(top, 0, out=top)
        for difference in others:
            wins = ~((difference[-1] - top) >> 63)
            np.maximum(top, difference[-1], out=top)
            difference ^= out
            difference &= wins
            out ^= difference
        if exact is not None:
            out[:, undecided] = exact

    @staticmethod
    def gap(tops: Array) -> Array:
        """Return by how much the largest of the top limbs, the reference's 0 among them, exceeds the second."""
        if len(tops) == 1:
            lone: Array = np.abs(tops[0])
            return lone
        best: Array = np.maximum(tops[0], 0)
        second: Array = np.minimum(tops[0], 0)
        for top in tops[1:]:
            np.maximum(second, np.minimum(best, top), out=second)
            np.maximum(best, top, out=best)
        best -= second
        return best

    def largest(self, differences: Array) -> Array:
        """Return the limbs of the largest difference, or 0, comparing exactly."""
        best: Array = np.zeros_like(differences[0])
        for difference in differences:
            best = np.where(self.is_negative(best - difference), difference, best)
        return best

    def is_negative(self, limbs: Array) -> Array:
        """Say of each number whether it is below 0: what is carried out of the top is its floor."""
        above = limbs[0] >> self.bits
        for limb in limbs[1:]:
            above += limb
            above >>= self.bits
        negative: Array = above < 0
        return negative

    def dominated(self, cells: Array) -> bool:
        """Say whether one class is largest in every cell; only one that is largest in total can be.

        The block may hold summed-out cells too, whose total would not fit: the limbs are added without their
        lowest bits. So the total proposes a class, and the cells decide.
        """
        differences = cells.reshape(-1, self.limbs, *cells.shape[1:])
        spare = cells[0].size.bit_length() + 1
        totals = (differences >> spare).sum(axis=tuple(range(2, differences.ndim)))
        best, winner = np.zeros_like(totals[0]), None
        for difference, total in zip(differences, totals, strict=True):
            if self.is_negative(best - total):
                best, winner = total, difference
        if winner is None:
            return not any(self.is_negative(-difference).any() for difference in differences)
        if self.is_negative(winner).any():
            return False
        return not any(self.is_negative(winner - difference).any() for difference in differences)


_WIDTHS = (np.int16, np.int32, np.int64)


def maximum_sums(weights: Array, *, workers: int = 1, budget: Budget = BUDGET) -> IntegerArray:
    """Return, for every mask S, the sum over the states s of S of the largest weight(s, y) over the classes y.

    With the table's total T, the Bayes risk of S is ``1 - V(S) / T``.
    """
    if weights.dtype.kind == "u":  # their differences would wrap
        weights = weights.astype(object)
    total = total_of(weights)
    if total >= 2**63:
        return wide_maximum_sums(weights, workers=workers, budget=budget)
    width = next(width for width in _WIDTHS if total <= np.iinfo(width).max)
    reference = int(weights[..., -1].sum())
    if weights.shape[-1] == 1:
        return IntegerArray.from_array(np.full(2 ** (weights.ndim - 1), reference))
    planes = np.empty((weights.shape[-1] - 1, *weights.shape[:-1]), dtype=width)
    for y in range(len(planes)):
        np.subtract(weights[..., y], weights[..., -1], out=planes[y, ...], casting="unsafe")
    if len(planes) == 1:
        sums = subset_sums(planes, _distance, additive=_same_sign, workers=workers, budget=budget)[0].astype(np.int64)
        return IntegerArray.from_array((total >> 1) + (sums >> 1) + (total & sums & 1))
    gains = subset_sums(planes, _gain, additive=_dominated, workers=workers, budget=budget)
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
