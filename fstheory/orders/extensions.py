"""Count, list and draw the linear extensions of the subset lattice."""

from __future__ import annotations

import itertools
import random
from bisect import bisect_right, insort
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from typing import Literal, TypeAlias

import numpy as np
import numpy.typing as npt

from fstheory._exact import as_index
from fstheory.errors import InvalidTypeError, TooLargeError, explain, require_choice
from fstheory.orders.lattice import base_order, named, placed, resolve_features, subsets_below
from fstheory.subsets import covers

__all__ = ["Rng", "count_linear_extensions", "linear_extensions", "random_linear_extension"]

_COUNTABLE = 6  # the largest number of features whose linear extensions are counted

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
    Exact. Six features take a few seconds at the first call, fewer take milliseconds. Source: OEIS A046873 (the
    counts), A003182 (the classes of up-sets).

    Examples
    --------
    >>> [count_linear_extensions(n) for n in range(6)]
    [1, 1, 2, 48, 1680384, 14807804035657359360]
    """
    return _completions(len(resolve_features(features)))[0]


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


@lru_cache(maxsize=_COUNTABLE + 1)
def _completions(n: int) -> dict[int, int]:
    """Return, for every class of up-sets, in how many ways its complement can be ordered."""
    if n > _COUNTABLE:
        raise TooLargeError(
            f"features must be at most {_COUNTABLE} for exact counts of linear extensions, not {n}; "
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


@lru_cache(maxsize=_COUNTABLE + 1)
def _renamings(n: int) -> tuple[UpSets, ...]:
    """Return, for each byte of an up-set, a table (renaming, value of the byte) of what the byte becomes."""
    masks = np.arange(2**n)
    renamings = itertools.permutations(range(n))
    targets = np.array([sum((masks >> i & 1) << j for i, j in enumerate(r)) + 0 * masks for r in renamings])
    images = np.uint64(1) << targets.astype(np.uint64)
    values = np.arange(_BYTE + 1)
    tables = []
    for first in range(0, 2**n, 8):
        table = np.zeros((len(images), len(values)), dtype=np.uint64)
        for bit in range(min(8, 2**n - first)):
            table |= np.where(values >> bit & 1, images[:, first + bit, None], np.uint64(0))
        tables.append(table)
    return tuple(tables)


def linear_extensions(features: int | Iterable[str]) -> Iterator[tuple[frozenset[str], ...]]:
    """Iterate over all strict orders of the subsets that put every superset before its subsets.

    They come in lexicographic order, where a subset precedes another if it has more features, or as many and the
    features that are listed earlier. So the first goes by falling size. `count_linear_extensions` says how many there
    are. The iterator is lazy: it takes memory for one order only.

    Parameters
    ----------
    features : int or iterable of str
        The names, or how many X1, .., Xn there are.

    Raises
    ------
    InvalidTypeError, InvalidValueError, TooLargeError
        The names are not distinct strings, or one order would not fit in memory.

    Examples
    --------
    >>> for order in linear_extensions(2):
    ...     print([sorted(subset) for subset in order])
    [['X1', 'X2'], ['X1'], ['X2'], []]
    [['X1', 'X2'], ['X2'], ['X1'], []]
    >>> sum(1 for _ in linear_extensions(["age", "class", "sex"]))
    48
    """
    names = resolve_features(features)
    base = base_order(len(names)).tolist()
    sets = named(base, names)
    return (tuple(map(sets.__getitem__, places)) for places in _places(base, len(names)))


def _places(base: list[int], n: int) -> Iterator[list[int]]:
    """Iterate over the orders, subsets given by their places in `base`; the list is reused.

    1. The first order is `base` itself: it is a linear extension.
    2. Take subsets back from the end until a later one could have stood in the place of the last taken.
    3. Put the next such one there, and complete with the earliest available at every place.
    """
    below = subsets_below(base, n)
    order = list(range(len(base)))
    waiting = [0] * len(base)  # for how many of its covers, which must come first, a subset still waits
    available: list[int] = []
    while True:
        yield order
        i, choice = len(order), 0
        while i > 0 and choice == len(available):
            i -= 1
            for subset in below[order[i]]:
                if not waiting[subset]:
                    available.remove(subset)
                waiting[subset] += 1
            insort(available, order[i])
            choice = bisect_right(available, order[i])
        if choice == len(available):
            return
        for place in range(i, len(order)):
            order[place] = available.pop(choice)
            for subset in below[order[place]]:
                waiting[subset] -= 1
                if not waiting[subset]:
                    insort(available, subset)
            choice = 0


Rng: TypeAlias = "int | random.Random | np.random.Generator | None"
"""A source of randomness: a seed, a generator that is advanced, or None for fresh randomness."""


def random_linear_extension(
    features: int | Iterable[str], *, rng: Rng = None, method: Literal["uniform", "sequential"] = "uniform"
) -> tuple[frozenset[str], ...]:
    """Draw a strict order of the subsets that puts every superset before its subsets.

    Parameters
    ----------
    features : int or iterable of str
        The names, or how many X1, .., Xn there are.
    rng : int, random.Random, numpy.random.Generator or None
        A seed of at least 0 (the same seed gives the same order), a generator, or fresh randomness.
    method : {'uniform', 'sequential'}
        'uniform': every linear extension is equally likely, exactly; up to 6 features. 'sequential': every next subset
        is drawn with equal chances from those that may come next. This is fast for any number of features, but it is
        not uniform over the orders: from 3 features on it favors those that leave few choices.

    Returns
    -------
    tuple of frozenset of str

    Raises
    ------
    TooLargeError
        The uniform draw was asked for more than 6 features.

    Notes
    -----
    'uniform' draws one integer below the number of linear extensions and returns the order of that number; the first
    draw for 6 features takes some seconds, for the counting. 'sequential' takes O(n 2**n) steps. Integers are drawn
    exactly, never by scaling a float.

    Examples
    --------
    >>> order = random_linear_extension(3, rng=7)
    >>> sorted(order[0]), sorted(order[-1])
    (['X1', 'X2', 'X3'], [])
    >>> order == random_linear_extension(3, rng=7)
    True
    >>> len(random_linear_extension(10, rng=7, method="sequential"))
    1024
    """
    names = resolve_features(features)
    below = draw_below(rng)
    require_choice(method, "method", ("uniform", "sequential"))
    if method == "uniform":
        n = len(names)
        return named(extension_number(below(_completions(n)[0]), n), names)
    return named(_sequential(len(names), below), names)


def draw_below(rng: Rng) -> Callable[[int], int]:
    """Return a function that draws an integer uniformly from 0, .., bound - 1, for bounds of any size."""
    if rng is None:
        return random.Random().randrange
    if isinstance(rng, random.Random):
        return rng.randrange
    if isinstance(rng, np.random.Generator):
        return lambda bound: _draw_bits_below(rng, bound)
    try:
        return random.Random(as_index(rng, "rng")).randrange
    except InvalidTypeError:
        requirement, repair = "a seed, a random.Random or a numpy Generator", "pass an integer such as rng=0"
        raise InvalidTypeError(explain("rng", requirement, rng, repair)) from None


def _draw_bits_below(generator: np.random.Generator, bound: int) -> int:
    """Draw as many bits as bound - 1 has until the number is below it: NumPy itself stops at 64 bits."""
    bits = (bound - 1).bit_length()
    length = -(-bits // 8)
    while True:
        number = int.from_bytes(generator.bytes(length), "little") >> 8 * length - bits
        if number < bound:
            return number


def _sequential(n: int, draw: Callable[[int], int]) -> list[int]:
    def take(available: list[int]) -> int:
        choice = draw(len(available))
        available[choice], available[-1] = available[-1], available[choice]
        return available.pop()

    return placed(n, (), take, list.append)
