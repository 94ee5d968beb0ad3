"""All small point sets on a grid, all orders of the distances of few points, and the smallest set with a property."""

from collections.abc import Callable, Iterator
from itertools import combinations, combinations_with_replacement, product

from fstheory.points.point_set import PointSet, Squares

_ORDERED = 4  # the most points for which all orders of distances are examined


def grid_point_sets(size: int, dimension: int, largest: int, *, distinct: bool = False) -> Iterator[PointSet]:
    """Yield all sets of `size` points with integer coordinates from 0 to `largest`, one of which equals `largest`.

    Each set is yielded once, with its points in order. The sets are in lexicographic order. Points may coincide unless
    `distinct` is true.
    """
    places = list(product(range(largest + 1), repeat=dimension))
    for chosen in (combinations if distinct else combinations_with_replacement)(places, size):
        if max(map(max, chosen)) == largest:
            yield PointSet(chosen)


def smallest_point_set(
    wanted: Callable[[Squares], bool], *, points: int, dimensions: int, largest: int, distinct: bool = False
) -> PointSet | None:
    """Return the smallest point set whose distances satisfy `wanted`, or None if there is none within the bounds.

    The smallest set has the fewest points. Among equals, the fewest coordinates decide, then the smallest largest
    coordinate, then the lexicographic order. Coordinates are integers from 0 on. If the set has at most five points, no
    set of fewer points exists at all. Everything else is certain only up to the coordinate `largest`.

    Parameters
    ----------
    wanted : function of a matrix
        The condition. It is called with squared distances and with matrices of `distance_orders`, so it must depend on
        the order of the distances only.
    points, dimensions, largest : int
        The largest number of points, the largest number of coordinates, and the largest coordinate.
    distinct : bool
        Whether points must not coincide.
    """
    for size in range(1, points + 1):
        if size <= _ORDERED and not any(map(wanted, distance_orders(size))):
            continue
        for dimension, bound in product(range(1, dimensions + 1), range(largest + 1)):
            for candidate in grid_point_sets(size, dimension, bound, distinct=distinct):
                if wanted(candidate.squares):
                    return candidate
    return None


def distance_orders(size: int) -> Iterator[Squares]:
    """Yield every weak order of the pairs of `size` points, as a matrix of ranks.

    These are all orders that the distances of so many points can have in any metric space, because distances between 1
    and 2 never violate the triangle inequality. There are 1, 1, 13 and 4,683 orders for 1 to 4 points, and 102,247,563
    for 5.
    """
    pairs = list(combinations(range(size), 2))
    for ranks in product(range(1, len(pairs) + 1), repeat=len(pairs)):
        if len(set(ranks)) != max(ranks, default=0):
            continue  # a rank from 1 to the largest does not occur
        matrix = [[0] * size for _ in range(size)]
        for (one, other), rank in zip(pairs, ranks, strict=True):
            matrix[one][other] = matrix[other][one] = rank
        yield matrix
