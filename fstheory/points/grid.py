"""All small point sets: on a grid in the order of their size, and all orders that distances can have."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import combinations, combinations_with_replacement, product

from fstheory.points.point_set import PointSet, Squares

__all__ = ["distance_orders", "grid_point_sets", "smallest_point_set"]

_ORDERED = 4  # points have few enough orders of distances to look at all


def grid_point_sets(size: int, dimension: int, largest: int, *, distinct: bool = False) -> Iterator[PointSet]:
    """Yield the sets of so many points with integer coordinates from 0 to `largest`, which one of them must reach.

    Each set comes once, its points in order, the sets lexicographically. Points may coincide unless `distinct` is true.

    Examples
    --------
    >>> [tuple(int(x) for (x,) in points.points) for points in grid_point_sets(2, 1, 2)]
    [(0, 2), (1, 2), (2, 2)]
    """
    places = list(product(range(largest + 1), repeat=dimension))
    for chosen in (combinations if distinct else combinations_with_replacement)(places, size):
        if max(map(max, chosen)) == largest:
            yield PointSet(chosen)


def smallest_point_set(
    wanted: Callable[[Squares], bool], *, points: int, dimensions: int, largest: int, distinct: bool = False
) -> PointSet | None:
    """Return the smallest point set the order of whose distances is `wanted`; None if there is none in these bounds.

    Parameters
    ----------
    wanted : function of a matrix
        It is asked about squared distances, and about matrices of `distance_orders`: its answer must depend on nothing
        but the order of the distances. A size of up to four points none of whose orders is wanted is left out.
    points, dimensions, largest : int
        How many points, how many coordinates, and the largest coordinate.
    distinct : bool
        Whether points must not coincide.

    Notes
    -----
    Smallest means: fewest points, then fewest coordinates, then the least largest coordinate, then lexicographically
    first. Coordinates are integers from 0 on; every rational point set can be moved and scaled to be one of these.
    That the points are fewest is certain, where they are at most five; the rest as far as `largest` reaches.

    Examples
    --------
    >>> smallest_point_set(lambda s: len(s) == 3 and s[0][1] < s[1][2], points=3, dimensions=1, largest=2)
    PointSet([['0'], ['0'], ['1']])
    """
    for size in range(1, points + 1):
        if size <= _ORDERED and not any(map(wanted, distance_orders(size))):
            continue
        for dimension in range(1, dimensions + 1):
            for bound in range(largest + 1):
                for candidate in grid_point_sets(size, dimension, bound, distinct=distinct):
                    if wanted(candidate.squares):
                        return candidate
    return None


def distance_orders(size: int) -> Iterator[Squares]:
    """Yield every weak order of the pairs of so many points, as a matrix of ranks.

    These are all orders that the distances of so many points can have, in any metric space at all: distances between
    1 and 2 never break the triangle inequality. So what depends on the order of the distances only and holds for
    each of these matrices holds for all sets of so many points, under any metric.

    Notes
    -----
    1, 1, 13 and 4,683 matrices for 1 to 4 points (the Fubini numbers of n(n - 1)/2), 102,247,563 for 5.

    Examples
    --------
    >>> len(list(distance_orders(3)))
    13
    """
    pairs = list(combinations(range(size), 2))
    for ranks in _weak_orders(len(pairs)):
        matrix = [[0] * size for _ in range(size)]
        for (one, other), rank in zip(pairs, ranks, strict=True):
            matrix[one][other] = matrix[other][one] = rank
        yield matrix


def _weak_orders(items: int) -> Iterator[tuple[int, ...]]:
    """Yield the sequences of so many ranks in which every rank from 1 to the largest occurs."""
    for ranks in product(range(1, items + 1), repeat=items):
        if len(set(ranks)) == max(ranks, default=0):
            yield ranks
