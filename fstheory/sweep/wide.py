"""The sweep of class maxima for totals that do not fit into 64 bits.

Every weight is cut into L limbs of b bits, one plane per limb. Sums of cells are linear, so limbs are swept like any
other planes and never carried: b is so small that no sum over all N cells of a limb exceeds N * 2**b <= 2**62.

Only the choice of a cell's largest class looks at several limbs at once. The difference of two classes is
t * 2**(b * (L - 1)) + r, with t that of their top limbs, and

    |r| <= N * (2**b - 1) * (1 + 2**b + .. + 2**(b * (L - 2))) < N * 2**(b * (L - 1)),

since each limb of the difference is a sum over at most N cells of numbers below 2**b in size. So |t| >= N decides its
sign. The cells where the top limbs do not decide are gathered and decided by carrying.
"""

from __future__ import annotations

import math

import numpy as np

from fstheory.limbs import Int64, IntegerArray, resplit, split
from fstheory.sweep.cells import Array
from fstheory.sweep.engine import subset_sums

__all__ = ["wide_maximum_sums"]

_ROOM = 62  # bits that a sum of one limb over all cells may take


def wide_maximum_sums(weights: Array, *, workers: int = 1) -> IntegerArray:
    """Return what `fstheory.sweep.maximum_sums` returns; the weights may have any size.

    Complexity: that of the sweep times the number of limbs, about (bits of the largest weight) / (62 - log2 N).

    Examples
    --------
    >>> wide_maximum_sums(np.array([[2**99, 1], [0, 2**99]], dtype=object)).tolist() == [2**99 + 1, 2**100]
    True
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
        choice = _Choice(limbs, bits, cells)
        gains = subset_sums(
            planes.reshape(-1, *cardinalities),
            choice.gain,
            outputs=limbs,
            additive=choice.dominated,
            workers=workers,
        )
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
