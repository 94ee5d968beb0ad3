"""The subsets a caller wants marked, as positions in the table."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from fstheory.errors import InvalidTypeError, InvalidValueError, explain
from fstheory.subsets import Subset, format_subset, mask_of
from fstheory.viz.protocol import LatticeTable, Walk

__all__ = ["Marks", "find_marks"]


class Marks(NamedTuple):
    """Positions, in the table's array of masks, of the subsets to mark."""

    best: int | None
    minimal: tuple[int, ...]
    path: tuple[int, ...]
    optimal: tuple[int, ...]


def find_marks(
    table: LatticeTable,
    best: Subset | None = None,
    minimal: Iterable[Subset] | None = None,
    path: Sequence[Subset] | Walk | None = None,
    optimal: Iterable[Subset] | None = None,
) -> Marks:
    """Return where the subsets to mark stand in the table; the optimal ones without those alone in their size."""
    place = {int(mask): i for i, mask in enumerate(table.masks)}
    walked: Any = path
    steps = _all(getattr(walked, "path", walked), "path", table, place)
    for here, there in itertools.pairwise(steps):
        before, after = int(table.masks[here]), int(table.masks[there])
        if (before ^ after).bit_count() != 1:
            shown = f"{format_subset(before, table.features)} to {format_subset(after, table.features)}"
            raise InvalidValueError(
                explain("path", "made of steps that change one feature", shown, "name every subset on the way")
            )
    alone = {0, 2 ** len(table.features) - 1}  # the only subsets of their size are its optima whatever the values
    return Marks(
        None if best is None else _one(best, "best", table, place),
        tuple(dict.fromkeys(_all(minimal, "minimal", table, place))),
        steps,
        tuple(i for i in dict.fromkeys(_all(optimal, "optimal", table, place)) if int(table.masks[i]) not in alone),
    )


def _one(subset: Subset, argument: str, table: LatticeTable, place: dict[int, int]) -> int:
    mask = mask_of(subset, table.features, argument)
    if mask not in place:
        shown = format_subset(mask, table.features)
        raise InvalidValueError(explain(argument, "held by the table", shown, "leave it out, or restrict less"))
    return place[mask]


def _all(
    subsets: Iterable[Subset] | None, argument: str, table: LatticeTable, place: dict[int, int]
) -> tuple[int, ...]:
    if subsets is None:
        return ()
    if isinstance(subsets, str) or not isinstance(subsets, Iterable):
        raise InvalidTypeError(explain(argument, "a collection of subsets", subsets, "pass a list such as [{'X1'}]"))
    listed = list(subsets)
    if any(isinstance(subset, str) for subset in listed):
        raise InvalidTypeError(explain(argument, "a collection of subsets", subsets, "write a list: [{'X1', 'X2'}]"))
    return tuple(_one(subset, argument, table, place) for subset in listed)
