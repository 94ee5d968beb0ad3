"""Finite labeled sets of points with exact coordinates, squared distances, and all small ones on a grid."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from fractions import Fraction
from functools import cached_property
from itertools import chain, combinations, combinations_with_replacement, product
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from fstheory._support.exact import Exact, as_fraction, as_index, exact_text, integers_over
from fstheory._support.result import ByParts, Result, listing
from fstheory.errors import InvalidTypeError, explain, require, require_listed, require_type, unknown

Label: TypeAlias = "int | str"
"""A class of a point."""

Squares: TypeAlias = "Sequence[Sequence[int]]"
"""A symmetric matrix that orders the pairs of points by distance. Its diagonal is never read."""


class PointSet(ByParts, Result):
    """Points with exact rational coordinates and a class each. Two points may coincide.

    Parameters
    ----------
    points : iterable of iterables of exact numbers
        The coordinates of each point. There must be at least one point and one coordinate, and all points must have
        equally many.
    labels : iterable of int or str, optional
        The class of each point. The default is 0 for all points.

    Examples
    --------
    >>> triangle = PointSet([[0, 0], [0, "1/2"], [1, 0]], "aab")
    >>> triangle.squared_distance(1, 2)
    Fraction(5, 4)
    >>> triangle
    PointSet([['0', '0'], ['0', '1/2'], ['1', '0']], ['a', 'a', 'b'])
    """

    def __init__(self, points: Iterable[Iterable[Exact]], labels: Iterable[Label] | None = None) -> None:
        listed = require_listed(points, "points", "a list of points", "pass [[0, 0], [1, 0]], say")
        self.points = tuple(_point(row, f"points[{place}]") for place, row in enumerate(listed))
        require(self.points, "points", "at least one point", [], "add one")
        for place, row in enumerate(self.points):
            needed = f"of {len(self.points[0]) or 1} coordinates, as many as the first has"
            fits = row and len(row) == len(self.points[0])
            require(fits, f"points[{place}]", needed, row, "add or drop coordinates")
        self.labels = (0,) * len(self.points) if labels is None else require_labels(labels, len(self.points))

    @property
    def dimension(self) -> int:
        """The number of coordinates."""
        return len(self.points[0])

    @property
    def features(self) -> tuple[str, ...]:
        """The names of the coordinates: X1, X2, ..."""
        return tuple(f"X{place + 1}" for place in range(self.dimension))

    @property
    def sees_labels(self) -> bool:
        """Whether the distance depends on the labels. It does not."""
        return False

    def __len__(self) -> int:
        return len(self.points)

    @property
    def _parts(self) -> Any:
        return self.points, self.labels

    def __repr__(self) -> str:
        labels = "" if set(self.labels) == {0} else f", {list(self.labels)!r}"
        return f"PointSet({[_written(row) for row in self.points]!r}{labels})"

    def __str__(self) -> str:
        count = f"{len(self)} point{'s' * (len(self) != 1)} of dimension {self.dimension}"
        rows = ((", ".join(_written(x)), f"class {label}") for x, label in zip(self.points, self.labels, strict=True))
        return listing(count, rows, len(self))

    def with_labels(self, labels: Iterable[Label]) -> PointSet:
        """Return the same points with other labels."""
        return PointSet(self.points, labels)

    def squared_distance(self, one: int, other: int) -> Fraction:
        """Return the square of the Euclidean distance between two points, given by their places."""
        x, y = (self.points[require_place(place, len(self))] for place in (one, other))
        return sum(((a - b) ** 2 for a, b in zip(x, y, strict=True)), Fraction(0))

    def squared_differences(self, feature: str) -> npt.NDArray[Any]:
        """Return the squared differences in one coordinate, in the unit of `squares`, of shape (points, points)."""
        if feature not in self.features:
            raise unknown("feature", feature, self.features)
        return self._differences(feature, slice(None))

    def _differences(self, feature: str, rows: int | slice, out: npt.NDArray[Any] | None = None) -> npt.NDArray[Any]:
        """Return the squared differences of some points from all points in one coordinate, in `out` if it is given."""
        line = self._lines[self.features.index(feature)]
        found: npt.NDArray[Any] = np.subtract(line, line[rows, np.newaxis], out=out)
        found *= found
        return found

    @cached_property
    def _lines(self) -> npt.NDArray[Any]:
        """The integers of each coordinate, as int64 if every sum of squared differences fits."""
        widest = self.dimension * (2 * max(map(abs, self._integers))) ** 2
        kind = np.int64 if widest.bit_length() < 63 else object
        return np.array(self._integers, dtype=kind).reshape(len(self), self.dimension).T.copy()

    @cached_property
    def _integers(self) -> list[int]:
        """All coordinates over their common denominator."""
        return integers_over(chain.from_iterable(self.points))[0]

    @cached_property
    def squares(self) -> tuple[tuple[int, ...], ...]:
        """All squared distances, each times the square of the common denominator of the coordinates: integers."""
        flat, p = self._integers, self.dimension
        rows = [flat[start : start + p] for start in range(0, len(flat), p)]
        return tuple(tuple(sum((a - b) ** 2 for a, b in zip(x, y, strict=True)) for y in rows) for x in rows)


def _point(row: object, argument: str) -> tuple[Fraction, ...]:
    listed = require_listed(row, argument, "a list of coordinates", "write [1] for a point on a line")
    return tuple(as_fraction(value, argument) for value in listed)


def _written(row: tuple[Fraction, ...]) -> list[str]:
    return [exact_text(value) for value in row]


def require_labels(labels: Iterable[Label], size: int) -> tuple[Label, ...]:
    """Return the labels as a tuple. Raise an error unless there is one class, an int or a str, for each point."""
    given = labels.tolist() if hasattr(labels, "tolist") else labels
    if isinstance(given, Mapping | Set) or not isinstance(given, Iterable):
        repair = "list the class of each point"
        raise InvalidTypeError(explain("labels", "a list, in the order of the points", labels, repair))
    listed = tuple(label.item() if isinstance(label, np.generic) else label for label in given)
    for place, label in enumerate(listed):
        require_type(label, (int, str), f"labels[{place}]", "an int or a str", "name the class")
    require(len(listed) == size, "labels", f"as many as there are points, {size}", listed, "give one per point")
    return listed


def require_place(place: int, size: int) -> int:
    """Return the place of a point. Raise an error unless it is an integer from 0 to `size` - 1."""
    return as_index(place, "place", at_most=size - 1, repair=f"of {size} points, counted from 0")


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
