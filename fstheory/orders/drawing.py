"""Draw a linear extension at random, with a stated distribution."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable
from typing import Literal, TypeAlias

import numpy as np

from fstheory._rational import as_index
from fstheory.errors import InvalidTypeError, InvalidValueError, explain
from fstheory.orders.counting import count_extensions, extension_number
from fstheory.orders.lattice import base_order, named, resolve_features, subsets_below

__all__ = ["Rng", "draw_below", "random_linear_extension"]

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
        'uniform': every linear extension is equally likely, exactly; up to 6 features.
        'sequential': every next subset is drawn with equal chances from those that may come next.
        This is fast for any number of features, but it is not uniform over the orders: from 3
        features on it favors those that leave few choices.

    Returns
    -------
    tuple of frozenset of str

    Raises
    ------
    TooLargeError
        The uniform draw was asked for more than 6 features.
    InvalidTypeError, InvalidValueError
        `rng` or `method` is none of those above, or the names are not distinct strings.

    Notes
    -----
    'uniform' draws one integer below the number of linear extensions and returns the order of that
    number; the first draw for 6 features takes some seconds, for the counting. 'sequential' takes
    O(n 2**n) steps. Integers are drawn exactly, never by scaling a float.

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
    if not isinstance(method, str) or method not in ("uniform", "sequential"):
        raise InvalidValueError(explain("method", "'uniform' or 'sequential'", method, "choose one of the two"))
    if method == "uniform":
        n = len(names)
        return named(extension_number(below(count_extensions(n)), n), names)
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
        raise InvalidTypeError(
            explain("rng", "a seed, a random.Random or a numpy Generator", rng, "pass an integer such as rng=0")
        ) from None


def _draw_bits_below(generator: np.random.Generator, bound: int) -> int:
    """Draw as many bits as bound - 1 has until the number is below it: NumPy itself stops at 64 bits."""
    bits = (bound - 1).bit_length()
    length = -(-bits // 8)
    while True:
        number = int.from_bytes(generator.bytes(length), "little") >> 8 * length - bits
        if number < bound:
            return number


def _sequential(n: int, draw: Callable[[int], int]) -> list[int]:
    base = base_order(n).tolist()
    below = subsets_below(base, n)
    waiting = [n - mask.bit_count() for mask in base]  # covers of the subset still to be placed
    available, order = [0], []
    while available:
        choice = draw(len(available))
        available[choice], available[-1] = available[-1], available[choice]
        place = available.pop()
        order.append(base[place])
        for subset in below[place]:
            waiting[subset] -= 1
            if not waiting[subset]:
                available.append(subset)
    return order
