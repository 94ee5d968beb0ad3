"""The weak ordering of feature subsets by an exact value: levels, ties together."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Generic, overload

import numpy as np

from fstheory._support.exact import latex_text
from fstheory._support.result import Result, one_line
from fstheory.lattice.columns import Column, V_co
from fstheory.lattice.subsets import Masks, format_subset, names_of, order_by

_SHOWN = 256


@dataclass(frozen=True, slots=True, repr=False)
class Level(Result, Generic[V_co]):
    """Subsets of one value, all of them, by size and lexicographically within a size."""

    value: V_co
    subsets: tuple[frozenset[str], ...]

    def __str__(self) -> str:
        return f"{one_line(self.value)}: {one_line(self.subsets)}"


class Ordering(Result, Sequence[Level[V_co]]):
    """The levels of a table from the smallest value to the largest.

    A sequence of `Level`, each made when it is asked for. Its text names the subsets: ``X1X2 < X1 = X2 < {}``. Two
    orderings are equal when they order the same subsets alike, whatever the values.

    Examples
    --------
    >>> from fstheory import SubsetTable
    >>> table = SubsetTable.from_mapping({(): "1/2", ("X1",): "1/3", ("X2",): "1/2"}, features=["X1", "X2"])
    >>> print(table.ordering(), table.ordering()[0].value)
    X1 < {} = X2 1/3
    """

    __slots__ = ("_column", "_features", "_masks", "_positions", "_ranks", "_starts")

    def __init__(self, features: tuple[str, ...], masks: Masks, ranks: Masks, column: Column[V_co]) -> None:
        self._features, self._masks, self._ranks, self._column = features, masks, ranks, column
        self._positions = order_by(ranks, masks, len(features))
        self._starts: list[int] = np.searchsorted(ranks[self._positions], np.arange(int(ranks.max()) + 2)).tolist()

    @property
    def is_strict(self) -> bool:
        """Whether no two subsets tie."""
        return len(self) == len(self._masks)

    def masks(self) -> list[list[int]]:
        """Return the bitmasks of each level."""
        held = self._masks[self._positions].tolist()
        return [held[start:stop] for start, stop in itertools.pairwise(self._starts)]

    def __len__(self) -> int:
        return len(self._starts) - 1

    @overload
    def __getitem__(self, index: int) -> Level[V_co]: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Level[V_co]]: ...
    def __getitem__(self, index: int | slice) -> Level[V_co] | Sequence[Level[V_co]]:
        if isinstance(index, slice):
            return tuple(self[i] for i in range(*index.indices(len(self))))
        place = range(len(self))[index]
        positions = self._positions[self._starts[place] : self._starts[place + 1]].tolist()
        subsets = tuple(names_of(int(self._masks[position]), self._features) for position in positions)
        return Level(self._column[min(positions)], subsets)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Ordering):
            return NotImplemented
        same = np.array_equal(self._masks, other._masks) and np.array_equal(self._ranks, other._ranks)
        return same and self._features == other._features

    def __hash__(self) -> int:
        return hash((self._features, self._masks.tobytes(), self._ranks.tobytes()))

    def __str__(self) -> str:
        if len(self._masks) > _SHOWN:
            return repr(self)
        return " < ".join(" = ".join(format_subset(mask, self._features) for mask in level) for level in self.masks())

    def to_latex(self) -> str:
        """Return the ordering as LaTeX for math mode."""
        levels = ([latex_text(format_subset(mask, self._features)) for mask in level] for level in self.masks())
        return " < ".join(map(" = ".join, levels))

    def __repr__(self) -> str:
        return f"<Ordering: {len(self._masks)} subsets in {len(self)} levels>"
