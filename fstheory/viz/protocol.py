"""What a drawing asks of a table: a protocol, so that drawing stands below the table it draws."""

from __future__ import annotations

from fractions import Fraction
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

__all__ = ["LatticeTable", "Walk"]


class LatticeTable(Protocol):
    """Exact values of some feature subsets; a SubsetTable is one."""

    @property
    def features(self) -> tuple[str, ...]:
        """All feature names; bit i of a mask stands for feature i."""
        ...

    @property
    def masks(self) -> npt.NDArray[np.int64]:
        """The subsets the table holds, each once."""
        ...

    @property
    def ranks(self) -> npt.NDArray[np.int64]:
        """Aligned with `masks`: 0 for the smallest value; equal values share a rank."""
        ...

    @property
    def name(self) -> str:
        """The quantity in words, such as ``"Bayes risk"``."""
        ...

    @property
    def symbol(self) -> str:
        """The quantity in one letter, such as ``"R"``."""
        ...

    def value_at(self, mask: int, /) -> Fraction:
        """Return the exact value of the subset with this mask."""
        ...


class Walk(Protocol):
    """What a search returns that went through subsets one feature a step."""

    @property
    def path(self) -> Any:
        """The subsets, in order."""
        ...
