"""Numbers of many distributions at once: exact integers in NumPy arrays, and centers with a proven radius.

`Exact` is the array of rationals, and rational combinations of logarithms of primes, that a term has at many
distributions; `Approximate` an array of floats, none of which errs by more than a radius. Both come with a bound on
their magnitude, from which the width of the integers is chosen, so that nothing overflows: 16 bits where they do, and
Python's integers where 64 do not. A value that cannot be told in this form is marked as unknown.
"""

from __future__ import annotations

import functools
import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

__all__ = ["Approximate", "Array", "Exact", "Mask", "Number", "Truth", "compare", "either", "fitting", "multiplied"]

Array: TypeAlias = "npt.NDArray[Any]"
Mask: TypeAlias = "npt.NDArray[np.bool_]"
Number: TypeAlias = "Exact | Approximate"

_UNIT = 2.0**-53
_WIDTHS: list[tuple[int, np.dtype[Any]]] = [
    (2**15 - 1, np.dtype(np.int16)),
    (2**31 - 1, np.dtype(np.int32)),
    (2**63 - 1, np.dtype(np.int64)),
]
_LARGEST = 2**400  # what is converted to floats: far from overflow, also as a product of two
_SLACK = 1.01  # for everything of second order in the unit roundoff


def fitting(array: Array, top: int) -> Array:
    """Return an array of integers, widened if need be so that magnitudes up to `top` fit."""
    for largest, dtype in _WIDTHS:
        if top <= largest:
            return array if array.dtype == object or array.dtype.itemsize >= dtype.itemsize else array.astype(dtype)
    return array if array.dtype == object else array.astype(object)


@dataclass(frozen=True, slots=True)
class Exact:
    """The numbers ``(parts[1] + sum of parts[p] * log(p)) / below``, p prime."""

    parts: dict[int, Array]  # of integers
    top: int  # none of them is larger in magnitude
    below: int | Array  # positive
    below_top: int  # none of them is larger
    unknown: Mask | None = None  # where the number is not what the arrays say

    @classmethod
    def constant(cls, value: Fraction) -> Exact:
        """Return one rational for all distributions."""
        top = abs(value.numerator)
        numerator = np.array([value.numerator], dtype=object if top >= 2**63 else np.int64)
        if top < 2**15:
            numerator = numerator.astype(np.int16)
        return cls({1: numerator}, top, value.denominator, value.denominator)

    @property
    def is_rational(self) -> bool:
        """Say whether there is no logarithm in it."""
        return self.parts.keys() <= {1}

    def over(self, factor: int | Array, factor_top: int, below: int | Array, below_top: int) -> Exact:
        """Return the same numbers with the numerators multiplied by a factor, over another denominator."""
        if isinstance(factor, int) and factor == 1:
            return Exact(self.parts, self.top, below, below_top, self.unknown)
        top = self.top * factor_top
        parts = {}
        for key, part in self.parts.items():
            wide = fitting(part, max(top, factor_top))
            parts[key] = wide * (factor if isinstance(factor, int) else fitting(factor, top))
        return Exact(parts, top, below, below_top, self.unknown)

    def beside(self, other: Exact) -> tuple[Exact, Exact]:
        """Return both over one denominator."""
        if isinstance(self.below, int) and isinstance(other.below, int):
            if self.below == other.below:
                return self, other
            common = math.lcm(self.below, other.below)
            first, second = common // self.below, common // other.below
            return self.over(first, first, common, common), other.over(second, second, common, common)
        if self.below is other.below:
            return self, other
        top = self.below_top * other.below_top
        below = multiplied(self.below, other.below, top)
        return (self.over(other.below, other.below_top, below, top), other.over(self.below, self.below_top, below, top))

    def approximate(self) -> Approximate:
        """Return centers and a radius.

        A conversion errs by u, and so do a logarithm (taken as 4 u), a product and each addition, relative to the sum
        of the magnitudes; the division adds one u more.
        """
        if max(self.top, self.below_top) > _LARGEST:
            return Approximate(np.zeros(1), 0.0, 0.0, np.ones(1, dtype=bool))
        total: Array = np.zeros(1)
        size = 0.0
        for key, part in self.parts.items():
            scale = 1.0 if key == 1 else math.log(key)
            total = total + _floats(part) * scale
            size += _upper(self.top) * scale
        steps = len(self.parts) + 8
        if isinstance(self.below, int):
            total, size = total / float(self.below), size / _lower(self.below)
        else:
            total = total / _floats(self.below)
        return Approximate(total, size * steps * _UNIT * _SLACK, size * _SLACK, self.unknown)


@dataclass(frozen=True, slots=True)
class Approximate:
    """Floats none of which errs by more than `radius`, and none of which is larger in magnitude than `size`."""

    center: Array
    radius: float
    size: float
    unknown: Mask | None = None

    def approximate(self) -> Approximate:
        """Return the numbers as they are."""
        return self


class Truth:
    """Which of many distributions a formula is known to be true at, and known to be false at."""

    __slots__ = ("_no", "decided", "yes")

    def __init__(self, yes: Mask, no: Mask | None = None) -> None:
        self.yes, self._no, self.decided = yes, no, no is None

    @property
    def no(self) -> Mask:
        """Where it is known to be false."""
        if self._no is None:
            self._no = ~self.yes
        return self._no

    def __invert__(self) -> Truth:
        return Truth(self.no) if self.decided else Truth(self.no, self.yes)

    def __and__(self, other: Truth) -> Truth:
        if self.decided and other.decided:
            return Truth(self.yes & other.yes)
        return Truth(self.yes & other.yes, self.no | other.no)

    def __or__(self, other: Truth) -> Truth:
        if self.decided and other.decided:
            return Truth(self.yes | other.yes)
        return Truth(self.yes | other.yes, self.no & other.no)

    def same_as(self, other: Truth) -> Truth:
        """Return where both are true or both false."""
        if self.decided and other.decided:
            return Truth(self.yes == other.yes)
        return (self & other) | (~self & ~other)


def compare(kind: str, a: Number, b: Number) -> Truth:
    """Decide ``a < b``, ``a <= b`` or ``a = b`` wherever it can be decided."""
    if isinstance(a, Exact) and isinstance(b, Exact):
        a, b = a.beside(b)
        if a.is_rational and b.is_rational:
            left, right = a.parts[1], b.parts[1]
            yes = left == right if kind == "=" else left < right if kind == "<" else left <= right
            return _where_known(yes, None, a.unknown, b.unknown)
        below, zero, above = _signs(_difference(b, a))
    else:
        below, zero, above = _apart(a.approximate(), b.approximate())
    yes, no = {"<": (below, zero | above), "<=": (below | zero, above), "=": (zero, below | above)}[kind]
    return _where_known(yes, no, a.unknown, b.unknown)


def _apart(a: Approximate, b: Approximate) -> tuple[Mask, Mask, Mask]:
    """Return where a < b, a = b (never), a > b is proved."""
    radius = (a.radius + b.radius + (a.size + b.size) * 2 * _UNIT) * _SLACK
    gap = b.center - a.center
    return gap > radius, np.zeros(1, dtype=bool), gap < -radius


def _signs(number: Exact) -> tuple[Mask, Mask, Mask]:
    """Return where a number is proved positive, zero, negative.

    A combination of logarithms of primes with integer coefficients is 0 only if all of them are, and is otherwise no
    rational number; so it is 0 exactly where every part is.
    """
    zero = functools.reduce(np.logical_and, (part == 0 for part in number.parts.values()))
    near = Exact(number.parts, number.top, 1, 1).approximate()
    return near.center > near.radius, zero, near.center < -near.radius


def _difference(a: Exact, b: Exact) -> Exact:
    """Return a - b, which have one denominator."""
    top = a.top + b.top
    parts = {key: fitting(part, top) for key, part in a.parts.items()}
    for key, part in b.parts.items():
        wide = fitting(part, top)
        parts[key] = parts[key] - wide if key in parts else -wide
    return Exact(parts, top, a.below, a.below_top)


def multiplied(a: int | Array, b: int | Array, top: int) -> int | Array:
    """Return the product of integers or arrays of them, none larger than `top`."""
    if isinstance(a, int) and isinstance(b, int):
        return a * b
    if isinstance(a, int):
        a, b = b, a
    return fitting(a, top) * (b if isinstance(b, int) else fitting(b, top))  # type: ignore[arg-type]


def either(*masks: Mask | None) -> Mask | None:
    """Return where any of some masks is set; None for nowhere."""
    found = [mask for mask in masks if mask is not None]
    return functools.reduce(np.logical_or, found) if found else None


def _where_known(yes: Mask, no: Mask | None, *unknown: Mask | None) -> Truth:
    mask = either(*unknown)
    if mask is None:
        return Truth(yes, no)
    return Truth(yes & ~mask, (~yes if no is None else no) & ~mask)


def _floats(array: Array) -> npt.NDArray[np.float64]:
    """Convert integers; NumPy and Python both round correctly."""
    return array.astype(np.float64)


def _upper(value: int) -> float:
    return float(value) * (1 + 2 * _UNIT)


def _lower(value: int) -> float:
    return float(value) * (1 - 2 * _UNIT)
