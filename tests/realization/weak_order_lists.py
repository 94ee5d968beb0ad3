"""All weak orders of the subsets that Bayes risks may have, up to renaming features, and one of them at random.

A weak order is a chain of up-sets, families that hold every superset of their members: the subsets of the smallest
risk, those of the two smallest, and so on.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache

from fstheory.errors import TooLargeError
from fstheory.orders.extensions import Rng, draw_below
from fstheory.orders.lattice import base_order, resolve_features
from fstheory.realization.weak_orders import WeakOrder
from fstheory.subsets import covers

__all__ = ["count_weak_orders", "random_weak_order", "renamings", "weak_order_classes", "weak_orders"]

_COUNTABLE = 4


def weak_orders(features: int | Iterable[str]) -> Iterator[WeakOrder]:
    """Yield every weak order of the subsets in which no superset comes after its subsets."""
    n, names = _countable(features), resolve_features(features)
    return (_of_chain(chain, names) for chain in _chains(n, 0))


def weak_order_classes(features: int | Iterable[str]) -> Iterator[tuple[WeakOrder, int]]:
    """Yield one weak order of those that differ only by the names of features, and how many these are."""
    orders = weak_orders(features)
    return ((order, len(renamings(order))) for order in orders if order.first_renaming() == order)


def renamings(order: WeakOrder) -> frozenset[WeakOrder]:
    """Return the orders that arise by renaming features, the order itself among them.

    Takes n! steps.
    """
    return frozenset(order.renamed(images) for images in itertools.permutations(range(len(order.features))))


def count_weak_orders(features: int | Iterable[str]) -> int:
    """Count the weak orders of the subsets in which no superset comes after its subsets."""
    return _completions(_countable(features))[0]


def random_weak_order(features: int | Iterable[str], *, rng: Rng = None) -> WeakOrder:
    """Draw a weak order in which no superset comes after its subsets; each of them is equally likely."""
    n = _countable(features)
    draw = draw_below(rng)
    completions = _completions(n)
    chain = [0]
    while chain[-1] != 2**2**n - 1:
        index = draw(completions[chain[-1]])
        for upset in _upsets(n):
            if _extends(upset, chain[-1]):
                if index < completions[upset]:
                    chain.append(upset)
                    break
                index -= completions[upset]
    return _of_chain(chain[1:], resolve_features(features))


def _countable(features: int | Iterable[str]) -> int:
    n = len(resolve_features(features))
    if n > _COUNTABLE:
        raise TooLargeError(f"features must be at most {_COUNTABLE} to list weak orders, not {n}; use fewer features")
    return n


@lru_cache(maxsize=_COUNTABLE + 1)
def _upsets(n: int) -> tuple[int, ...]:
    """Return all up-sets, as numbers whose bit m says whether the subset with mask m belongs; the largest first."""
    found = [0]
    for mask in base_order(n).tolist():
        above = sum(1 << cover for cover in covers(mask, n))
        found += [upset | 1 << mask for upset in found if upset & above == above]
    return tuple(sorted(found, key=lambda upset: (-upset.bit_count(), upset)))


@lru_cache(maxsize=_COUNTABLE + 1)
def _completions(n: int) -> dict[int, int]:
    """Return in how many ways a chain can go on from each up-set to that of all subsets."""
    counts: dict[int, int] = {}
    for upset in _upsets(n):
        counts[upset] = sum(count for larger, count in counts.items() if _extends(larger, upset)) or 1
    return counts


def _extends(larger: int, upset: int) -> bool:
    return larger != upset and larger & upset == upset


def _chains(n: int, upset: int) -> Iterator[list[int]]:
    if upset == 2**2**n - 1:
        yield []
        return
    for larger in _larger(n, upset):
        for rest in _chains(n, larger):
            yield [larger, *rest]


def _larger(n: int, upset: int) -> Iterator[int]:
    """Yield the up-sets that properly contain one, those with few more subsets not necessarily first."""
    missing = [mask for mask in base_order(n).tolist() if not upset >> mask & 1]

    def choose(place: int, current: int) -> Iterator[int]:
        if place == len(missing):
            if current != upset:
                yield current
            return
        mask = missing[place]
        above = sum(1 << cover for cover in covers(mask, n))
        if current & above == above:
            yield from choose(place + 1, current | 1 << mask)
        yield from choose(place + 1, current)

    yield from choose(0, upset)


def _of_chain(chain: Sequence[int], features: tuple[str, ...]) -> WeakOrder:
    ranks = tuple(
        next(rank for rank, upset in enumerate(chain) if upset >> mask & 1) for mask in range(2 ** len(features))
    )
    return WeakOrder(features, ranks)
