"""The statements of Sebban and Nock about nearest-neighbor graphs, on every small point set.

``python -m tests.points.check_claims`` runs all of them and prints the counts that the ledger quotes; that takes about
a minute. ``python -m tests.points.check_claims FAMILY ..`` runs some families. The tests run the beginning.

A family is a sequence of matrices that order the pairs of points by distance. The orders of distances cover all sets of
up to four points, in any metric space; the grids and the random points have the exact squares of Euclidean distances.
"""

import random
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import chain, product

from fstheory.papers.sebban_nock_2002 import LEMMAS
from fstheory.points.point_set import PointSet, Squares
from tests.points.grids import distance_orders, grid_point_sets

DEARER = {"SN-L1d"}  # goes through all orders of the points: left out where there are more than five


def grid(dimension: int, largest: int, most: int, *, distinct: bool = False) -> Iterator[Squares]:
    """Every set of two to so many points with integer coordinates from 0 to the largest."""
    for size, bound in product(range(2, most + 1), range(largest + 1)):
        yield from (points.squares for points in grid_point_sets(size, dimension, bound, distinct=distinct))


def randomly(seed: int, count: int) -> Iterator[Squares]:
    """Two to twelve points in up to four dimensions; coordinates of few values, so that there are ties, or of many."""
    rng = random.Random(seed)
    for number in range(count):
        many = number % 2
        size, dimension = rng.randint(2, 12 if many else 6), rng.randint(1, 4)
        values = 1000 if many else rng.randint(2, 6)
        yield PointSet([[rng.randrange(values) for _ in range(dimension)] for _ in range(size)]).squares


FAMILIES: Mapping[str, Callable[[], Iterator[Squares]]] = {
    "orders of the distances of 2 to 4 points": lambda: chain.from_iterable(map(distance_orders, (2, 3, 4))),
    "points of {0..7}, 2 to 5": lambda: grid(1, 7, 5),
    "points of {0..2}^2, 2 to 5": lambda: grid(2, 2, 5),
    "distinct points of {0..3}^2, 2 to 5": lambda: grid(2, 3, 5, distinct=True),
    "points of {0,1}^3, 2 to 5": lambda: grid(3, 1, 5),
    "distinct points of {0,1}^4, 2 to 5": lambda: grid(4, 1, 5, distinct=True),
    "random points, 2 to 12, seed 1": lambda: randomly(1, 2000),
}


def survey(matrices: Iterable[Squares]) -> dict[str, Counter[str]]:
    """Count for each statement the point sets it is about and those that contradict it, and with uniqueness dropped."""
    lemmas = dict(LEMMAS)
    lemmas |= {f"{name} without uniqueness": LEMMAS[name].without_unique() for name in ("SN-L1", "SN-L2")}
    counts = {name: Counter({"sets": 0, "applies": 0, "fails": 0}) for name in lemmas}
    for squares in matrices:
        for name, lemma in lemmas.items():
            if name in DEARER and len(squares) > 5:
                continue
            counts[name]["sets"] += 1
            counts[name]["applies"] += lemma.applies(squares)
            counts[name]["fails"] += lemma.violation(squares) is not None
    return counts


if __name__ == "__main__":
    for family in sys.argv[1:] or FAMILIES:
        print(family)
        for statement, count in survey(FAMILIES[family]()).items():
            print(f"{count['sets']:8,} sets, about {count['applies']:7,}, false for {count['fails']:7,}  {statement}")
