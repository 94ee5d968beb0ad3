"""Refuse a table that does not fit in memory, before anything is allocated."""

from __future__ import annotations

import math
import os
from collections.abc import Sequence

from fstheory.errors import TooLargeError

__all__ = ["available_bytes", "format_bytes", "require_axes", "require_cells"]

_AXES = 64  # NumPy's limit for an array
_UNITS = ("bytes", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB")


def available_bytes() -> int:
    """Return the physical memory of this machine, in bytes (4 GiB where the system does not tell)."""
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, OSError, ValueError):
        return 4 * 2**30


def format_bytes(count: int) -> str:
    """Write a number of bytes with a binary unit, rounded down.

    Examples
    --------
    >>> format_bytes(3 * 2**20)
    '3 MiB'
    """
    unit = min(max(count.bit_length() - 1, 0) // 10, len(_UNITS) - 1)
    return f"{_short(count >> 10 * unit)} {_UNITS[unit]}"


def _short(count: int) -> str:
    """Write a count that may have more digits than a line, or CPython, will take."""
    return str(count) if count.bit_length() <= 128 else f"more than 2**{count.bit_length() - 1}"


def require_axes(axes: int, what: str) -> None:
    """Refuse a table with more axes than an array can have, even if most of them have a single state.

    Raises
    ------
    TooLargeError
        There are more than 64 variables.

    Examples
    --------
    >>> require_axes(65, "the table")
    Traceback (most recent call last):
    fstheory.errors.TooLargeError: the table must have at most 64 axes, not 65; use fewer features
    """
    if axes > _AXES:
        raise TooLargeError(f"{what} must have at most {_AXES} axes, not {_short(axes)}; use fewer features")


def require_cells(shape: Sequence[int], what: str, repair: str, bytes_per_cell: int = 8) -> int:
    """Return the number of cells of a table of this shape, or refuse it with its size.

    Raises
    ------
    TooLargeError
        The cells need more bytes than half of this machine's memory, or there are more than 64 axes.

    Examples
    --------
    >>> require_cells((2, 2, 3), "the table", "use fewer features")
    12
    """
    require_axes(len(shape), what)
    cells = math.prod(shape)
    needed, limit = cells * bytes_per_cell, available_bytes() // 2
    if needed > limit:
        raise TooLargeError(
            f"{what} must fit in half of this machine's memory ({format_bytes(limit)}), "
            f"not need {format_bytes(needed)} for {_short(cells)} cells; {repair}"
        )
    return cells
