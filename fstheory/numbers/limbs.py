"""Arrays of exact integers of any size, made of int64 arrays instead of Python objects.

A number is written in digits of some radix. Each digit is one row of an int64 array, the lowest digit first. Digits may
be *redundant*: outside ``[0, radix)``, because they have not been carried yet. Redundant numbers are added like any
other arrays, and carried once at the end. `IntegerArray` holds carried numbers, always in the same radix. So equal
arrays have equal rows.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator
from typing import Any, SupportsIndex, TypeAlias

import numpy as np
import numpy.typing as npt

Int64: TypeAlias = "npt.NDArray[np.int64]"

_BITS = 62  # the bits of a canonical limb: two bits less than a word, so that a carry or a sign never overflows
_WORD = 32  # the bits of the digits in conversions between Python integers and NumPy
_LOWEST, _HIGHEST = -(2**63), 2**63 - 1
_CHUNK = 1 << 14  # at most this many numbers are Python integers at the same time
_ADDED = 1 << 16  # the sum of this many numbers below 2**32 fits in 64 bits


class IntegerArray:
    """An immutable one-dimensional array of exact signed integers: one NumPy array, or one for each limb."""

    __slots__ = ("_limbs",)

    _limbs: Int64

    def __init__(self, limbs: Int64) -> None:
        """Wrap canonical limbs of shape (L, m). Nobody else may write to them."""
        limbs.flags.writeable = False
        self._limbs = limbs

    @classmethod
    def from_ints(cls, values: Iterable[int]) -> IntegerArray:
        """Return the array of these Python integers."""
        numbers = [int(value) for value in values]
        if all(_LOWEST <= number <= _HIGHEST for number in numbers):
            return cls(np.array(numbers, dtype=np.int64).reshape(1, -1))
        return cls.from_digits(split(numbers, _WORD), _WORD)

    @classmethod
    def from_array(cls, values: npt.NDArray[Any]) -> IntegerArray:
        """Return a copy of a one-dimensional array of machine integers, or of objects that are Python integers."""
        if values.dtype == object:
            return cls.from_ints(values.flat)
        return cls(values.astype(np.int64, casting="safe").reshape(1, -1))

    @classmethod
    def from_digits(cls, digits: Int64, bits: int) -> IntegerArray:
        """Return the numbers ``sum(digits[i] * 2**(bits * i))`` for digits of shape (L, m), which may be redundant."""
        limbs = resplit(digits, bits, _BITS)
        top = len(limbs) - 1
        while top and ((limbs[top] >= -2) & (limbs[top] <= 1)).all():  # the two upper limbs fit into one
            limbs[top - 1] += limbs[top] << _BITS
            top -= 1
        return cls(np.ascontiguousarray(limbs[: top + 1]))

    def __len__(self) -> int:
        return int(self._limbs.shape[1])

    def __getitem__(self, index: SupportsIndex) -> int:
        return _number(self._limbs[:, index].tolist())

    def __iter__(self) -> Iterator[int]:
        for start in range(0, len(self), _CHUNK):
            columns = self._limbs[:, start : start + _CHUNK].T.tolist()
            yield from map(_number, columns)

    def tolist(self) -> list[int]:
        """Return the numbers as Python integers."""
        found: list[int] = self._limbs[0].tolist() if len(self._limbs) == 1 else list(self)
        return found

    @property
    def words(self) -> Int64 | None:
        """The numbers as one array that nobody may write to, if each fits in a machine word."""
        return self._limbs[0] if len(self._limbs) == 1 else None

    def take(self, indices: npt.ArrayLike) -> IntegerArray:
        """Return the numbers at these indices, in their order."""
        limbs = self._limbs[:, np.asarray(indices, dtype=np.int64)]
        return IntegerArray(limbs) if len(limbs) == 1 else self.from_digits(limbs, _BITS)

    def ranks(self) -> Int64:
        """Return the dense rank of every number: 0 for the smallest number; equal numbers share a rank."""
        limbs = self._limbs
        order = np.argsort(limbs[0], kind="stable") if len(limbs) == 1 else np.lexsort(limbs)
        ranks = np.zeros(len(self), dtype=np.int64)
        if len(self):
            rises = np.zeros(len(self) - 1, dtype=np.bool_)
            for limb in limbs:
                ordered = limb[order]
                rises |= ordered[1:] != ordered[:-1]
            ranks[order[1:]] = np.cumsum(rises)
        return ranks

    def affine(self, scale: int, shift: int) -> IntegerArray:
        """Return the array of ``scale * a + shift``, exactly."""
        if not len(self):
            return self
        limbs = self._limbs
        if len(limbs) == 1:
            extremes = [scale * int(limbs[0].min()) + shift, scale * int(limbs[0].max()) + shift]
            inside = all(_LOWEST <= x <= _HIGHEST for x in (*extremes, scale, shift))
            # The product alone may overflow although the sum does not. Then both wrap, and the result is right.
            if inside:
                return IntegerArray(limbs * np.int64(scale) + np.int64(shift))
        if scale in {1, -1}:
            digits = scale * resplit(limbs, _BITS, _WORD)  # narrow digits leave room for the sum
            shifted = split([shift], _WORD)
            rows = np.zeros((max(len(digits), len(shifted)), len(self)), dtype=np.int64)
            rows[: len(digits)] = digits
            rows[: len(shifted)] += shifted
            return self.from_digits(rows, _WORD)
        return self.from_ints(scale * value + shift for value in self)

    def floor_divide(self, divisor: int) -> IntegerArray:
        """Return the numbers divided by a positive divisor, rounded down."""
        if divisor == 1:
            return self
        if len(self._limbs) == 1 and divisor <= _HIGHEST:
            return IntegerArray(self._limbs // divisor)
        return self.from_ints(value // divisor for value in self)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, IntegerArray):
            return NotImplemented
        return np.array_equal(self._limbs, other._limbs)

    def __hash__(self) -> int:
        return hash((self._limbs.shape, self._limbs.tobytes()))

    def __reduce__(self) -> tuple[Any, ...]:
        return IntegerArray, (np.ascontiguousarray(self._limbs),)

    def __repr__(self) -> str:
        shown = ", ".join(map(str, itertools.islice(self, 8)))
        return f"IntegerArray.from_ints([{shown}{', ...' if len(self) > 8 else ''}])"


def carry(digits: Int64, bits: int) -> Int64:
    """Return the same numbers with every digit carried into ``[0, 2**bits)``. The top digit is the sign, 0 or -1."""
    low = np.int64(2**bits - 1)
    rows = []
    above = np.zeros(digits.shape[1], dtype=np.int64)
    for digit in digits:
        # Carry in two parts, because digit + above may overflow 64 bits.
        lower = (digit & low) + (above & low)
        rows.append(lower & low)
        above = (digit >> bits) + (above >> bits) + (lower >> bits)
    while ((above != 0) & (above != -1)).any():
        rows.append(above & low)
        above = above >> bits
    while rows and (rows[-1] == (above & low)).all():  # a top digit that only repeats the sign
        rows.pop()
    return np.stack([*rows, above])


def resplit(digits: Int64, bits: int, into: int) -> Int64:
    """Return the same numbers carried in radix ``2**into``. The input may be redundant. The top digit has the sign."""
    patterns = carry(digits, bits)  # the top row repeats the sign, so it stands for all higher digits
    length = (len(patterns) - 1) * bits // into + 1
    rows = np.zeros((length, digits.shape[1]), dtype=np.int64)
    for i, row in enumerate(rows):
        low = i * into
        for j in range(low // bits, min(-(-(low + into) // bits), len(patterns))):
            shift = j * bits - low
            row |= patterns[j] << shift if shift >= 0 else patterns[j] >> -shift
        if i < length - 1:
            row &= np.int64(2**into - 1)
    return rows


def split(values: Iterable[int], bits: int) -> Int64:
    """Return Python integers as carried digits of shape (L, m) in radix ``2**bits``. The top digit is the sign."""
    numbers = list(values)
    words = max((number.bit_length() for number in numbers), default=0) // _WORD + 1
    parts = []
    for start in range(0, len(numbers), _CHUNK):
        chunk = numbers[start : start + _CHUNK]
        raw = b"".join(number.to_bytes(4 * words, "little", signed=True) for number in chunk)
        digits = np.frombuffer(raw, dtype="<u4").reshape(len(chunk), words).T.astype(np.int64)
        sign = -(digits[-1] >> (_WORD - 1))
        parts.append(np.concatenate([digits, sign[None]]))
    carried = np.concatenate(parts, axis=1) if parts else np.zeros((words + 1, 0), dtype=np.int64)
    return carry(resplit(carried, _WORD, bits), bits)


def total_of(weights: npt.NDArray[Any]) -> int:
    """Return the sum of an array of non-negative integers as a Python integer, without overflow."""
    if weights.dtype == object:
        return int(sum(weights.flat))
    flat = weights.reshape(-1)
    if int(flat.max(initial=0)) * flat.size < 2**63:
        return int(flat.sum())
    chunks = (flat[start : start + _ADDED] for start in range(0, flat.size, _ADDED))
    return sum((int((chunk >> 32).sum()) << 32) + int((chunk & 0xFFFFFFFF).sum()) for chunk in chunks)


def _number(limbs: list[int]) -> int:
    value = 0
    for limb in reversed(limbs):
        value = (value << _BITS) + limb
    return value
