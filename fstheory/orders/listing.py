"""Iterate over all linear extensions, one at a time."""

from __future__ import annotations

from bisect import bisect_right, insort
from collections.abc import Iterable, Iterator

from fstheory.orders.lattice import base_order, named, resolve_features, subsets_below

__all__ = ["extension_masks", "linear_extensions"]


def linear_extensions(features: int | Iterable[str]) -> Iterator[tuple[frozenset[str], ...]]:
    """Iterate over all strict orders of the subsets that put every superset before its subsets.

    They come in lexicographic order, where a subset precedes another if it has more features, or as
    many and the features that are listed earlier. So the first goes by falling size.

    Parameters
    ----------
    features : int or iterable of str
        The names, or how many X1, .., Xn there are.

    Returns
    -------
    iterator of tuples of frozensets
        Lazy: memory for one order only.

    Raises
    ------
    InvalidTypeError, InvalidValueError
        The names are not distinct strings.
    TooLargeError
        One order would not fit in memory.

    See Also
    --------
    count_linear_extensions : how many there are.

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


def extension_masks(n: int) -> Iterator[list[int]]:
    """Iterate over the same orders as lists of masks."""
    base = base_order(n).tolist()
    return ([base[place] for place in places] for places in _places(base, n))


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
