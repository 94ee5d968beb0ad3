"""What orderings and exports ask of a table, so that they stand below it."""

from __future__ import annotations

from typing import Any, Protocol, TypeVar

from fstheory.subsets import Masks

__all__ = ["Comparable", "HeldTable", "V", "V_co"]


class Comparable(Protocol):
    """An exact value whose comparison with another of its kind is decided."""

    def __lt__(self, other: Any, /) -> bool: ...

    def __float__(self) -> float: ...


V = TypeVar("V", bound=Comparable)
V_co = TypeVar("V_co", bound=Comparable, covariant=True)


class HeldTable(Protocol[V_co]):
    """Exact values of some feature subsets."""

    @property
    def features(self) -> tuple[str, ...]:
        """All feature names; bit i of a mask stands for feature i."""
        ...

    @property
    def masks(self) -> Masks:
        """The subsets the table holds, ascending."""
        ...

    @property
    def ranks(self) -> Masks:
        """Aligned with `masks`: 0 for the smallest value; equal values share a rank."""
        ...

    @property
    def name(self) -> str:
        """The quantity in words."""
        ...

    @property
    def symbol(self) -> str:
        """The quantity in one letter or so."""
        ...

    @property
    def larger_is_better(self) -> bool:
        """Whether the values are scores; otherwise they are losses."""
        ...

    def value_at(self, mask: int, /) -> V_co:
        """Return the exact value of the subset with this mask."""
        ...
