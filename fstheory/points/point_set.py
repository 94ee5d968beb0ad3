"""Finite labeled sets of points with exact coordinates and squared distances."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence, Set
from fractions import Fraction
from functools import cached_property
from itertools import chain
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from fstheory._support.exact import Exact, as_fraction, as_index, exact_text, integers_over
from fstheory._support.result import ByParts, Result, listing
from fstheory.errors import InvalidTypeError, explain, require, require_listed, require_type

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
