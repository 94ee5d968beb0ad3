"""Count the linear extensions, and find the one of a given number, by dynamic programming over up-sets.

What may follow depends only on the set of subsets already placed, which is an up-set (it holds every
superset of its members), and renaming the features does not change a count. So one count for each class
of up-sets suffices: 1, 2, 3, 5, 10, 30, 210 and 16,353 classes serve all n up to 6 (n = 7 has 490,013,148).
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from fstheory.errors import TooLargeError
from fstheory.orders.lattice import base_order, resolve_features
from fstheory.subsets import covers

__all__ = ["COUNTABLE", "count_extensions", "count_linear_extensions", "extension_number"]

COUNTABLE = 6
"""The largest number of features whose linear extensions are counted."""

UpSets: TypeAlias = "npt.NDArray[np.uint64]"
"""Bit m of an element says whether the subset with mask m belongs to the up-set."""

_CHUNK = 512  # up-sets renamed at a time; the 720 renamings of each then fit in a cache
_BYTE = 255


def count_linear_extensions(features: int | Iterable[str]) -> int:
    """Count the strict orders of the subsets that put every superset before its subsets.

    Parameters
    ----------
    features : int or iterable of str
        The names, or their number n.

    Returns
    -------
    int
        1, 1, 2, 48, 1680384, ... for n = 0, 1, 2, 3, 4, ....

    Raises
    ------
    TooLargeError
        There are more than 6 features.

    Notes
    -----
    Exact. Six features take a few seconds at the first call, fewer take milliseconds.

    References
    ----------
    OEIS A046873 (the counts), A003182 (the classes of up-sets).

    Examples
    --------
    >>> [count_linear_extensions(n) for n in range(6)]
    [1, 1, 2, 48, 1680384, 14807804035657359360]
    """
    return count_extensions(len(resolve_features(features)))


def count_extensions(n: int) -> int:
    """Return the number of linear extensions for n features."""
    return _completions(n)[0]


def extension_number(index: int, n: int) -> list[int]:
    """Return the masks of the linear extension with this number, counted from 0 in the order of `linear_extensions`."""
    completions, base, upset = _completions(n), base_order(n).tolist(), 0
    order: list[int] = []
    while len(order) < len(base):
        choices = [mask for mask in base if _may_follow(mask, upset, n)]
        classes = _representatives(np.array([upset | 1 << mask for mask in choices], dtype=np.uint64), n)
        for mask, upset_class in zip(choices, classes.tolist(), strict=True):
            count = completions[upset_class]
            if index < count:
                order.append(mask)
                upset |= 1 << mask
                break
            index -= count
    return order


def _may_follow(mask: int, upset: int, n: int) -> bool:
    return not upset >> mask & 1 and all(upset >> cover & 1 for cover in covers(mask, n))


@lru_cache(maxsize=COUNTABLE + 1)
def _completions(n: int) -> dict[int, int]:
    """Return, for every class of up-sets, in how many ways its complement can be ordered."""
    if n > COUNTABLE:
        raise TooLargeError(
            f"features must be at most {COUNTABLE} for exact counts of linear extensions, not {n}; "
            "iterate with linear_extensions, or draw with random_linear_extension(..., method='sequential')"
        )
    levels = list(_levels(n))
    counts: dict[int, int] = {2**2**n - 1: 1}
    for parents, children in reversed(levels):
        for parent, child in zip(parents.tolist(), children.tolist(), strict=True):
            counts[parent] = counts.get(parent, 0) + counts[child]
    return counts


def _levels(n: int) -> Iterator[tuple[UpSets, UpSets]]:
    """Yield, for growing size, the classes of up-sets with each way to add one subset and the class it leads to."""
    bits = [np.uint64(1 << mask) for mask in range(2**n)]
    above = [np.uint64(sum(1 << cover for cover in covers(mask, n))) for mask in range(2**n)]
    upsets = np.zeros(1, dtype=np.uint64)
    for _ in range(2**n):
        parents, grown = [], []
        for bit, needed in zip(bits, above, strict=True):
            able = upsets[(upsets & bit == 0) & (upsets & needed == needed)]
            parents.append(able)
            grown.append(able | bit)
        children = _representatives(np.concatenate(grown), n)
        yield np.concatenate(parents), children
        upsets = np.unique(children)


def _representatives(upsets: UpSets, n: int) -> UpSets:
    """Return the smallest number among the renamings of each up-set."""
    renamed_bytes = _renamings(n)
    smallest = np.empty_like(upsets)
    for start in range(0, len(upsets), _CHUNK):
        chunk = upsets[start : start + _CHUNK]
        images = np.zeros((renamed_bytes[0].shape[0], len(chunk)), dtype=np.uint64)
        for i, table in enumerate(renamed_bytes):
            images |= table[:, (chunk >> np.uint64(8 * i) & np.uint64(_BYTE)).astype(np.intp)]
        smallest[start : start + _CHUNK] = images.min(axis=0)
    return smallest


@lru_cache(maxsize=COUNTABLE + 1)
def _renamings(n: int) -> tuple[UpSets, ...]:
    """Return, for each byte of an up-set, a table (renaming, value of the byte) of what the byte becomes."""
    masks = np.arange(2**n)
    targets = np.array(
        [
            sum((masks >> i & 1) << j for i, j in enumerate(renaming)) + 0 * masks
            for renaming in itertools.permutations(range(n))
        ]
    )
    images = np.uint64(1) << targets.astype(np.uint64)
    values = np.arange(_BYTE + 1)
    tables = []
    for first in range(0, 2**n, 8):
        table = np.zeros((len(images), len(values)), dtype=np.uint64)
        for bit in range(min(8, 2**n - first)):
            table |= np.where(values >> bit & 1, images[:, first + bit, None], np.uint64(0))
        tables.append(table)
    return tuple(tables)
