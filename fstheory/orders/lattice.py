"""The subset lattice as orders see it: feature names, the default order, and who covers whom."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from fstheory._memory import require_axes, require_cells
from fstheory._rational import as_index
from fstheory.subsets import Masks, default_features, feature_names, masks_by_size, names_of, sizes

__all__ = ["base_order", "named", "resolve_features", "subsets_below"]

_BYTES = 512  # of one frozenset of names and the slots that point to it


def resolve_features(features: int | Iterable[str]) -> tuple[str, ...]:
    """Return the names of the features; a number n stands for X1, .., Xn.

    Raises
    ------
    InvalidTypeError, InvalidValueError
        The names are not distinct strings in order, or the number is negative.
    TooLargeError
        One order of all subsets would not fit in memory.

    Examples
    --------
    >>> resolve_features(2), resolve_features(["age", "sex"])
    (('X1', 'X2'), ('age', 'sex'))
    """
    if isinstance(features, Iterable):
        names = feature_names(features)
        _require_subsets(len(names))
        return names
    n = as_index(features, "features")
    _require_subsets(n)
    return default_features(n)


def base_order(n: int) -> Masks:
    """Return all masks by falling size, lexicographically within a size: the order that other orders deviate from.

    Examples
    --------
    >>> base_order(2).tolist()
    [3, 1, 2, 0]
    """
    masks = masks_by_size(n)
    return masks[np.argsort(-sizes(masks), kind="stable")]


def subsets_below(base: Sequence[int], n: int) -> list[list[int]]:
    """Return, for every position of `base`, the ascending positions of the subsets with one feature fewer."""
    position = {mask: place for place, mask in enumerate(base)}
    return [sorted(position[mask ^ 1 << i] for i in range(n) if mask >> i & 1) for mask in base]


def named(masks: Iterable[int], features: Sequence[str]) -> tuple[frozenset[str], ...]:
    """Return subsets given by masks as sets of names."""
    return tuple(names_of(mask, features) for mask in masks)


def _require_subsets(n: int) -> None:
    what = f"one order of the subsets of {n} features" if n < 10**6 else "one order of the subsets"
    require_axes(n, what)  # first: so many axes may not even be listed
    require_cells((2,) * n, what, "use fewer features", _BYTES)
