"""All weak orders of the subsets that Bayes risks may have, up to renaming features, and one of them at random.

A weak order is a chain of up-sets, families that hold every superset of their members: the subsets of the smallest
risk, those of the two smallest, and so on. Up to four features.
"""

import itertools
from collections.abc import Iterator, Sequence
from functools import lru_cache

from fstheory.lattice.extensions import Rng, base_order, draw_below
from fstheory.lattice.subsets import covers, default_features
from fstheory.proofs.construction import WeakOrder


def weak_orders(n: int, levels: int | None = None) -> Iterator[WeakOrder]:
    """Yield every weak order in which no superset comes after its subsets, or those with so many levels."""
    return (_of_chain(chain, n) for chain in _chains(n, 0, levels))


def weak_order_classes(n: int) -> Iterator[tuple[WeakOrder, int]]:
    """Yield one weak order of those that differ only by the names of features, and how many these are."""
    return ((order, len(renamings(order))) for order in weak_orders(n) if order.first_renaming() == order)


def renamings(order: WeakOrder) -> frozenset[WeakOrder]:
    """Return the orders that arise by renaming features, the order itself among them."""
    return frozenset(order.renamed(images) for images in itertools.permutations(range(len(order.features))))


def random_weak_order(n: int, *, rng: Rng = None) -> WeakOrder:
    """Draw a weak order in which no superset comes after its subsets; each of them is equally likely."""
    draw = draw_below(rng)
    ways = completions(n)
    chain = [0]
    while chain[-1] != 2**2**n - 1:
        index = draw(ways[chain[-1]])
        larger = [upset for upset in upsets(n) if _extends(upset, chain[-1])]
        ends = itertools.accumulate(ways[upset] for upset in larger)
        chain.append(next(upset for upset, end in zip(larger, ends, strict=True) if index < end))
    return _of_chain(chain[1:], n)


@lru_cache
def upsets(n: int) -> tuple[int, ...]:
    """Return all up-sets, as numbers whose bit m says whether the subset with mask m belongs; the largest first."""
    found = [0]
    for mask in base_order(n).tolist():
        above = sum(1 << cover for cover in covers(mask, n))
        found += [upset | 1 << mask for upset in found if upset & above == above]
    return tuple(sorted(found, key=lambda upset: (-upset.bit_count(), upset)))


@lru_cache
def completions(n: int) -> dict[int, int]:
    """Return in how many ways a chain can go on from each up-set to that of all subsets."""
    counts: dict[int, int] = {}
    for upset in upsets(n):
        counts[upset] = sum(count for larger, count in counts.items() if _extends(larger, upset)) or 1
    return counts


def _extends(larger: int, upset: int) -> bool:
    return larger != upset and larger & upset == upset


@lru_cache
def _in_table_order(n: int) -> tuple[int, ...]:
    """Return all up-sets in the order of the table: those with the first subset before those without, and so on."""
    order = base_order(n).tolist()
    return tuple(sorted(upsets(n), key=lambda upset: [upset >> mask & 1 for mask in order], reverse=True))


def _chains(n: int, upset: int, length: int | None) -> Iterator[list[int]]:
    if upset == 2**2**n - 1 and not length:
        yield []
    for larger in _in_table_order(n) if length != 0 else ():
        if _extends(larger, upset):
            rest = _chains(n, larger, None if length is None else length - 1)
            yield from ([larger, *chain] for chain in rest)


def _of_chain(chain: Sequence[int], n: int) -> WeakOrder:
    ranks = (next(rank for rank, upset in enumerate(chain) if upset >> mask & 1) for mask in range(2**n))
    return WeakOrder(default_features(n), tuple(ranks))
