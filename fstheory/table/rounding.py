"""Values for people: text, decimals, and rationals close enough to be drawn."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any, TypeAlias

from fstheory._exact import approximate, latex_fraction, readable
from fstheory.reals import LogSum
from fstheory.reals.roots import RootSum
from fstheory.subsets import Masks
from fstheory.table.columns import HeldTable

Value: TypeAlias = Fraction | LogSum | RootSum

__all__ = ["decimal_text", "exact_text", "latex_value", "rounded"]

_LONGEST = 40
_DRAWN_DIGITS = 30


def exact_text(value: Value) -> str:
    """Return the exact value while that is short, else a decimal marked as rounded."""
    if isinstance(value, Fraction):
        return readable(value, _LONGEST)
    text = str(value)
    return text if len(text) <= _LONGEST else f"≈{value.decimal()}"


def decimal_text(value: Value) -> str:
    """Return the value rounded to six significant digits."""
    return approximate(value) if isinstance(value, Fraction) else value.decimal()


def latex_value(value: Value) -> str:
    """Return the exact value in LaTeX."""
    return latex_fraction(value) if isinstance(value, Fraction) else value.to_latex()


@dataclass(frozen=True)
class _Rounded:
    """A table for drawing: its order is exact, its values are rationals that agree to many digits."""

    features: tuple[str, ...]
    masks: Masks
    ranks: Masks
    name: str
    symbol: str
    values: dict[int, Fraction]

    def value_at(self, mask: int, /) -> Fraction:
        """Return the value to be written and placed."""
        return self.values[mask]


def rounded(table: HeldTable[Any]) -> _Rounded:
    """Return the table with values that can be drawn; equal values stay equal."""
    by_rank: dict[int, Fraction] = {}
    values = {}
    for mask, rank in zip(table.masks.tolist(), table.ranks.tolist(), strict=True):
        if rank not in by_rank:
            value = table.value_at(mask)
            by_rank[rank] = value if isinstance(value, Fraction) else value.enclosure(_DRAWN_DIGITS)[0]
        values[mask] = by_rank[rank]
    return _Rounded(table.features, table.masks, table.ranks, table.name, table.symbol, values)
