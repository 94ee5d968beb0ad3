"""Columns of exact values: rationals over one denominator, or enclosures that are made exact only where needed."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any, Generic, Protocol, Self, TypeAlias, TypeVar

import numpy as np
import numpy.typing as npt

from fstheory._support.exact import integers_over
from fstheory.errors import require
from fstheory.lattice.subsets import Masks
from fstheory.numbers.limbs import IntegerArray
from fstheory.numbers.logsum import LogSum


class Comparable(Protocol):
    """An exact value: comparisons with other values of its kind are always decided."""

    def __lt__(self, other: Any, /) -> bool: ...
    def __float__(self) -> float: ...


V = TypeVar("V", bound=Comparable)
V_co = TypeVar("V_co", bound=Comparable, covariant=True)
Floats: TypeAlias = npt.NDArray[np.float64]
Integers: TypeAlias = npt.NDArray[Any]  # of int64, or of Python's integers where these may be longer


class Column(Protocol[V_co]):
    """A sequence of exact values that can be ranked."""

    def __len__(self) -> int: ...
    def __iter__(self) -> Iterator[V_co]: ...
    def __getitem__(self, position: int, /) -> V_co: ...

    def take(self, positions: Masks, /) -> Self:
        """Return the column of the values at these positions."""

    def ranks(self) -> Masks:
        """Return the dense rank of every value: 0 for the smallest value; equal values share a rank."""


class RationalColumn:
    """A column of rationals, held as integers over their smallest common denominator.

    So equal columns hold equal integers.
    """

    def __init__(self, numerators: IntegerArray, denominator: int) -> None:
        require(denominator > 0, "denominator", "above 0", denominator, "pass a positive integer")
        common = denominator
        for value in numerators:
            if common == 1:
                break
            common = math.gcd(common, value)
        self.numerators = numerators.floor_divide(common)
        self.denominator = denominator // common

    @classmethod
    def of(cls, values: Iterable[Fraction]) -> RationalColumn:
        """Return the column of these fractions."""
        integers, denominator = integers_over(values)
        return cls(IntegerArray.from_ints(integers), denominator)

    def __len__(self) -> int:
        return len(self.numerators)

    def __iter__(self) -> Iterator[Fraction]:
        return (Fraction(numerator, self.denominator) for numerator in self.numerators)

    def __getitem__(self, position: int, /) -> Fraction:
        return Fraction(self.numerators[position], self.denominator)

    def take(self, positions: Masks, /) -> RationalColumn:
        """Return the column of the values at these positions."""
        return RationalColumn(self.numerators.take(positions), self.denominator)

    def ranks(self) -> Masks:
        """Return dense ranks. Complexity: one sort of integers."""
        return self.numerators.ranks()


@dataclass(eq=False)
class EnclosedColumn(Generic[V]):
    """A column of exact values held as certified enclosures. A value is computed exactly only if an answer needs it.

    If enclosures overlap, equal certificates prove equal values. Exact values decide all other cases. `zero` is the sum
    of no logarithms to the base of the values, if all of them are sums of logarithms without a rational term.
    """

    centers: Floats
    radii: Floats
    exact: Callable[[int], V]
    keys: Masks
    known: dict[int, V] = field(default_factory=dict)
    certificates: Callable[[Masks], Iterable[Hashable]] = np.ndarray.tolist
    zero: LogSum | None = None

    def __len__(self) -> int:
        return len(self.centers)

    def __iter__(self) -> Iterator[V]:
        return (self[position] for position in range(len(self)))

    def __getitem__(self, position: int, /) -> V:
        key = int(self.keys[position])
        if key not in self.known:
            self.known[key] = self.exact(key)
        return self.known[key]

    def take(self, positions: Masks, /) -> EnclosedColumn[V]:
        """Return the column of the values at these positions."""
        centers, radii, keys = self.centers[positions], self.radii[positions], self.keys[positions]
        return replace(self, centers=centers, radii=radii, keys=keys)

    def ranks(self) -> Masks:
        """Return dense ranks. Disjoint enclosures decide alone; others are decided by certificates or exact values."""
        low = np.nextafter(self.centers - self.radii, -math.inf)
        high = np.nextafter(self.centers + self.radii, math.inf)
        order = np.argsort(low, kind="stable")
        reach = np.maximum.accumulate(high[order])
        apart = np.concatenate([[True], low[order][1:] > reach[:-1]])  # larger than all values before it
        steps = apart.astype(np.int64)
        starts = [*np.flatnonzero(apart).tolist(), len(order)]
        for start, end in itertools.pairwise(starts):
            if end - start > 1:
                self._settle(order[start:end], steps[start:end])
        ranks = np.empty(len(order), dtype=np.int64)
        ranks[order] = np.cumsum(steps) - 1
        return ranks

    def _settle(self, group: Masks, steps: Masks) -> None:
        """Sort a group of overlapping values in place.

        Set `steps` to 1 where a value exceeds the value before it, else 0.
        """
        descending = group[np.argsort(-self.keys[group])]
        alike: dict[Hashable, list[int]] = {}
        for position, key in zip(descending.tolist(), self.certificates(self.keys[descending]), strict=True):
            alike.setdefault(key, []).append(position)
        families = list(alike.values())
        if len(families) > 1:
            families.sort(key=lambda family: self[family[0]])
        at = 0
        for before, family in zip([None, *families], families, strict=False):
            group[at : at + len(family)] = family
            steps[at : at + len(family)] = 0
            steps[at] = before is None or self[before[0]] < self[family[0]]
            at += len(family)


class ExactColumn(Generic[V]):
    """A column of exact values of any kinds that can be compared with one another."""

    def __init__(self, values: Iterable[V]) -> None:
        self.values = list(values)

    def __len__(self) -> int:
        return len(self.values)

    def __iter__(self) -> Iterator[V]:
        return iter(self.values)

    def __getitem__(self, position: int, /) -> V:
        return self.values[position]

    def take(self, positions: Masks, /) -> ExactColumn[V]:
        """Return the column of the values at these positions."""
        return ExactColumn(self.values[position] for position in positions.tolist())

    def ranks(self) -> Masks:
        """Return dense ranks. Complexity: one sort."""
        ranks = np.zeros(len(self), dtype=np.int64)
        order = sorted(range(len(self)), key=self.values.__getitem__)
        for before, position in itertools.pairwise(order):
            ranks[position] = ranks[before] + int(self.values[before] < self.values[position])
        return ranks


def exact_column(values: Sequence[Any]) -> Column[Any]:
    """Return the column of these exact values: of rationals if all are Fractions."""
    rational = all(isinstance(value, Fraction) for value in values)
    return RationalColumn.of(values) if rational else ExactColumn(values)


def column_signs(first: Column[Any], second: Column[Any]) -> Masks:
    """Return the sign of first minus second at every position, decided exactly."""
    if isinstance(first, RationalColumn) and isinstance(second, RationalColumn):
        mine = first.numerators.affine(second.denominator, 0)
        theirs = second.numerators.affine(first.denominator, 0)
        ranks = IntegerArray.from_ints([*mine, *theirs]).ranks()
        signs: Masks = np.sign(ranks[: len(first)] - ranks[len(first) :])
        return signs
    pairs = ((first[i], second[i]) for i in range(len(first)))
    return np.array([int(a > b) - int(a < b) for a, b in pairs], dtype=np.int64)
