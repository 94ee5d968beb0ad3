"""The subset lattice as orders see it, and the check that a sequence of subsets is a linear extension of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import TypeAlias

import numpy as np

from fstheory._exact import as_index
from fstheory._memory import require_axes, require_cells
from fstheory.errors import InvalidTypeError, InvalidValueError, NotMonotoneError, explain
from fstheory.subsets import (
    Masks,
    Subset,
    default_features,
    feature_names,
    format_subset,
    listed_names,
    mask_of,
    masks_by_size,
    names_of,
    sizes,
)

__all__ = ["Order", "check_linear_extension"]

Take: TypeAlias = Callable[[list[int]], int]
Put: TypeAlias = Callable[[list[int], int], None]

_BYTES = 512  # of one frozenset of names and the slots that point to it


def resolve_features(features: int | Iterable[str]) -> tuple[str, ...]:
    """Return the names of the features; a number n stands for X1, .., Xn."""
    names = feature_names(features) if isinstance(features, Iterable) else None
    n = as_index(features, "features") if names is None else len(names)
    what = f"one order of the subsets of {n} features" if n < 10**6 else "one order of the subsets"
    require_axes(n, what)  # first: so many axes may not even be listed
    require_cells((2,) * n, what, "use fewer features", _BYTES)
    return default_features(n) if names is None else names


def base_order(n: int) -> Masks:
    """Return all masks by falling size, lexicographically within a size: the order that other orders deviate from."""
    masks = masks_by_size(n)
    return masks[np.argsort(-sizes(masks), kind="stable")]


def subsets_below(base: Sequence[int], n: int) -> list[list[int]]:
    """Return, for every position of `base`, the ascending positions of the subsets with one feature fewer."""
    position = {mask: place for place, mask in enumerate(base)}
    return [sorted(position[mask ^ 1 << i] for i in range(n) if mask >> i & 1) for mask in base]


def placed(n: int, pairs: Iterable[tuple[int, int]], take: Take, put: Put) -> list[int]:
    """Return all masks in the order in which they are taken from those that wait for no cover, nor for a pair's first.

    What is taken and put are places in the base order.
    """
    base = base_order(n).tolist()
    after = subsets_below(base, n)
    position = {mask: place for place, mask in enumerate(base)}
    waiting = [n - mask.bit_count() for mask in base]
    for start, end in pairs:
        after[position[start]].append(position[end])
        waiting[position[end]] += 1
    available = [place for place, number in enumerate(waiting) if not number]
    order = []
    while available:
        place = take(available)
        order.append(base[place])
        for later in after[place]:
            waiting[later] -= 1
            if not waiting[later]:
                put(available, later)
    return order


def named(masks: Iterable[int], features: Sequence[str]) -> tuple[frozenset[str], ...]:
    """Return subsets given by masks as sets of names."""
    return tuple(names_of(mask, features) for mask in masks)


Order: TypeAlias = "Iterable[Subset]"
"""What may stand where an order of the subsets is asked for: subsets by names, smallest Bayes risk first."""


def check_linear_extension(order: Order, features: int | Iterable[str] | None = None) -> tuple[frozenset[str], ...]:
    """Return `order` as a tuple of frozensets, or refuse it if it is no linear extension of the subset lattice.

    A linear extension is the only strict order that Bayes risks can have: it lists each of the 2**n subsets once, from
    all features (the smallest risk) to none (the largest), every superset before its subsets.

    Parameters
    ----------
    order : iterable of subsets
        Each subset an iterable of feature names.
    features : int or iterable of str, optional
        The names, or how many X1, .., Xn there are. Not needed if the names in `order` are X1, .., Xn.

    Returns
    -------
    tuple of frozenset of str

    Raises
    ------
    NotMonotoneError
        A subset comes before one of its supersets; `subset` and `superset` hold the offending pair.

    Notes
    -----
    Takes O(n 2**n) steps. Source: Peña and Nilsson (2010), Theorem 1.

    Examples
    --------
    >>> [sorted(subset) for subset in check_linear_extension([["X1", "X2"], ["X2"], ["X1"], []])]
    [['X1', 'X2'], ['X2'], ['X1'], []]
    >>> check_linear_extension([["X2"], ["X1", "X2"], ["X1"], []])
    Traceback (most recent call last):
    fstheory.errors.NotMonotoneError: order must put every superset before its subsets, not X2 (S_1) before
    X1X2 (S_2); a superset cannot have the larger Bayes risk: move X1X2 up
    """
    masks, names = order_masks(order, features)
    return named(masks.tolist(), names)


def order_masks(order: Order, features: int | Iterable[str] | None = None) -> tuple[Masks, tuple[str, ...]]:
    """Return the masks of a linear extension in its order, and the names of the features."""
    if isinstance(order, str) or not isinstance(order, Iterable):
        repair = "pass a list of sets of names"
        raise InvalidTypeError(explain("order", "an iterable of feature subsets", order, repair))
    subsets = [listed_names(subset, f"order[{i}]") for i, subset in enumerate(order)]
    names = names_in(subsets, "order") if features is None else resolve_features(features)
    bits = {name: 1 << i for i, name in enumerate(names)}
    masks = [
        sum(map(bits.__getitem__, subset))
        if type(subset) is frozenset and subset <= bits.keys()
        # Lists may repeat a name, and unknown names have to be told
        else mask_of(subset, names, f"order[{i}]")
        for i, subset in enumerate(subsets)
    ]
    _require_each_once(masks, names)
    ordered = np.array(masks, dtype=np.int64)
    _require_monotone(ordered, names)
    return ordered, names


def names_in(subsets: Iterable[Iterable[str]], argument: str) -> tuple[str, ...]:
    """Return X1, .., Xn if these are the names that occur; names in another order or style have to be given."""
    found = {name for subset in subsets for name in subset}
    names = default_features(len(found))
    if found != set(names):
        shown = ", ".join(sorted(map(str, found))[:8])
        raise InvalidValueError(
            f"features must be given when the names in {argument} are not X1, .., Xn, not left out for {shown}; "
            "pass features=[...], the names in the order of the axes"
        )
    return resolve_features(names)


def _require_each_once(masks: Sequence[int], names: Sequence[str]) -> None:
    count = 2 ** len(names)
    faults = []
    twice = next((mask for mask, times in Counter(masks).items() if times > 1), None)
    if twice is not None:
        places = [f"S_{i + 1}" for i, mask in enumerate(masks) if mask == twice]
        faults.append(f"{format_subset(twice, names)} as {' and '.join(places[:3])}")
    present = set(masks)
    if len(present) < count:
        absent = next(mask for mask in base_order(len(names)).tolist() if mask not in present)
        faults.append(f"{format_subset(absent, names)} nowhere")
    if faults:
        raise InvalidValueError(
            f"order must list each of the {count} subsets of {{{', '.join(names)}}} once, not {' and '.join(faults)}; "
            "every subset belongs in it, from all features to none"
        )


def _require_monotone(masks: Masks, names: Sequence[str]) -> None:
    """Compare every subset with those that have one feature more; the rest follows."""
    place = np.empty_like(masks)
    place[masks] = np.arange(len(masks))
    first = (len(masks), 0, 0)
    for i in range(len(names)):
        halves = place.reshape(-1, 2, 2**i)  # axis 1 tells whether feature i belongs to the subset
        early = np.where(halves[:, 0] < halves[:, 1], halves[:, 0], len(masks))
        if early.min() < first[0]:
            mask = int(masks[early.min()])
            first = (int(early.min()), mask, mask | 1 << i)
    where, subset, superset = first
    if where < len(masks):
        inner, outer = format_subset(subset, names), format_subset(superset, names)
        raise NotMonotoneError(
            f"order must put every superset before its subsets, not {inner} (S_{where + 1}) before "
            f"{outer} (S_{place[superset] + 1}); a superset cannot have the larger Bayes risk: move {outer} up",
            names_of(subset, names),
            names_of(superset, names),
        )
