"""Build a linear extension from a partial wish, or show that the wish contradicts itself or inclusion."""

from __future__ import annotations

import heapq
import re
from collections import deque
from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import TypeAlias

from fstheory.errors import InvalidFormatError, InvalidTypeError, InvalidValueError, NotMonotoneError, explain
from fstheory.orders.lattice import named, placed, resolve_features
from fstheory.subsets import Subset, format_subset, is_subset, mask_of, names_of, parse_subset

__all__ = ["Wish", "linear_extension_with"]

Wish: TypeAlias = "str | Sequence[Subset]"
"""Subsets in the desired order: ``"X1 before X2X3"``, ``"X1 < X2X3"``, or a sequence of subsets by names."""

_BEFORE = re.compile(r"\s+before\s+|<")


def linear_extension_with(wishes: str | Iterable[Wish], features: int | Iterable[str]) -> tuple[frozenset[str], ...]:
    """Return a strict order of the subsets that respects monotonicity and grants all wishes.

    Parameters
    ----------
    wishes : str or iterable of wishes
        Each a string such as ``"X1X3 before X2X4"`` or ``"{age} < {sex, class}"`` (the first has the
        smaller Bayes risk), or a sequence of subsets by names. Chains of any length are allowed.
    features : int or iterable of str
        The names, or how many X1, .., Xn there are.

    Returns
    -------
    tuple of frozenset of str
        Of all orders that fit, the first in the order of `linear_extensions`; so without wishes
        subsets go by falling size.

    Raises
    ------
    NotMonotoneError
        A wish puts a subset before one of its supersets; `subset` and `superset` hold the pair.
    InvalidValueError
        The wishes contradict one another or inclusion; the message names the cycle.

    Notes
    -----
    Takes O(n 2**n log 2**n) steps, and O(w**2) for w wishes.

    Examples
    --------
    >>> order = linear_extension_with("X3 before X1X2", 3)
    >>> ["".join(sorted(subset)) for subset in order]
    ['X1X2X3', 'X1X3', 'X2X3', 'X3', 'X1X2', 'X1', 'X2', '']
    >>> linear_extension_with(["X1 < X2X3", "X2 < X1X3"], 3)
    Traceback (most recent call last):
    fstheory.errors.InvalidValueError: wishes must be consistent, not X1 before X2X3 (wish), X2X3 before X2
    (superset), X2 before X1X3 (wish), X1X3 before X1 (superset); drop one of them
    """
    names = resolve_features(features)
    listed: Iterable[Wish] = [wishes] if isinstance(wishes, str) else wishes
    if not isinstance(listed, Iterable):
        raise InvalidTypeError(explain("wishes", "strings or sequences of subsets", wishes, "write ['X1 before X2']"))
    pairs = [pair for i, wish in enumerate(listed) for pair in pairwise(_read(wish, names, f"wishes[{i}]"))]
    _refuse_cycles(pairs, names)
    # again and again the first, in the base order, that waits for no other
    return named(placed(len(names), pairs, heapq.heappop, heapq.heappush), names)


def _read(wish: Wish, names: Sequence[str], argument: str) -> list[int]:
    if isinstance(wish, str):
        masks = [parse_subset(part.strip(), names, argument) for part in _BEFORE.split(wish)]
    elif isinstance(wish, Iterable):
        masks = [mask_of(subset, names, argument) for subset in wish]
    else:
        raise InvalidTypeError(explain(argument, "a string or a sequence of subsets", wish, "write 'X1 before X2'"))
    if len(masks) < 2:
        raise InvalidFormatError(explain(argument, "at least two subsets in order", wish, "write 'X1 before X2'"))
    return masks


def _refuse_cycles(pairs: Sequence[tuple[int, int]], names: Sequence[str]) -> None:
    """Look for the shortest cycle made of wishes, each followed directly or by inclusion by the next.

    A cycle through other subsets is shortened to one of these, because inclusion is transitive.
    """
    follows = [[j for j, (start, _) in enumerate(pairs) if is_subset(start, end)] for _, end in pairs]
    cycles = (_shortest_cycle(wish, follows) for wish in range(len(pairs)))
    best = min(filter(None, cycles), key=len, default=None)
    if best is None:
        return
    steps = []
    for wish, following in zip(best, [*best[1:], best[0]], strict=True):
        (start, end), (target, _) = pairs[wish], pairs[following]
        steps.append(f"{format_subset(start, names)} before {format_subset(end, names)} (wish)")
        if target != end:
            steps.append(f"{format_subset(end, names)} before {format_subset(target, names)} (superset)")
    message = f"wishes must be consistent, not {', '.join(steps)}; drop one of them"
    start, end = pairs[best[0]]
    if len(best) == 1 and start != end:
        raise NotMonotoneError(message, names_of(start, names), names_of(end, names))
    raise InvalidValueError(message)


def _shortest_cycle(start: int, follows: Sequence[Sequence[int]]) -> list[int] | None:
    """Return a shortest walk from a wish back to itself, by breadth-first search."""
    walks, seen = deque([[start]]), {start}
    while walks:
        walk = walks.popleft()
        for following in follows[walk[-1]]:
            if following == start:
                return walk
            if following not in seen:
                seen.add(following)
                walks.append([*walk, following])
    return None
