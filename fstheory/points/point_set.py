"""A finite labeled set of points with exact coordinates, and the squared distances between them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from functools import cached_property
from itertools import chain
from typing import TypeAlias

from fstheory._display import Shown, listing
from fstheory._rational import Exact, as_fraction, format_fraction, integers_over
from fstheory.errors import InvalidTypeError, InvalidValueError, explain

__all__ = ["Label", "PointSet", "Squares"]

Label: TypeAlias = "int | str"
"""A class of a point."""

Squares: TypeAlias = "Sequence[Sequence[int]]"
"""A symmetric matrix that orders the pairs of points by distance; what stands on the diagonal is never read."""


class PointSet(Shown):
    """Points with exact rational coordinates and a class each; two points may coincide.

    Parameters
    ----------
    points : iterable of iterables of exact numbers
        At least one point, each with the same number of coordinates, at least one.
    labels : iterable of int or str, optional
        The class of each point; 0 for all, if not given.

    Attributes
    ----------
    points : tuple of tuple of Fraction
    labels : tuple of int or str

    Raises
    ------
    InvalidTypeError, InvalidValueError, InvalidFormatError
        There is no point, a point lacks a coordinate, a coordinate is not exact, or there are not as many labels
        as points.

    Notes
    -----
    Whether one distance is below another is decided by their squares, which are rational. Which graphs are minimum
    spanning trees depends on nothing but the order of the distances, so the squares decide that, too.

    Examples
    --------
    >>> triangle = PointSet([[0, 0], [0, "1/2"], [1, 0]], "aab")
    >>> triangle.squared_distance(1, 2)
    Fraction(5, 4)
    >>> triangle
    PointSet([['0', '0'], ['0', '1/2'], ['1', '0']], ['a', 'a', 'b'])
    """

    def __init__(self, points: Iterable[Iterable[Exact]], labels: Iterable[Label] | None = None) -> None:
        if isinstance(points, str) or not isinstance(points, Iterable):
            raise InvalidTypeError(explain("points", "a list of points", points, "pass [[0, 0], [1, 0]], say"))
        self.points = tuple(_point(row, f"points[{place}]") for place, row in enumerate(points))
        if not self.points:
            raise InvalidValueError(explain("points", "at least one point", [], "add one"))
        for place, row in enumerate(self.points):
            if len(row) != len(self.points[0]) or not row:
                needed = f"of {len(self.points[0]) or 1} coordinates, as many as the first has"
                raise InvalidValueError(explain(f"points[{place}]", needed, _written(row), "add or drop coordinates"))
        self.labels = (0,) * len(self.points) if labels is None else _labels(labels, len(self.points))

    @property
    def dimension(self) -> int:
        """The number of coordinates."""
        return len(self.points[0])

    def __len__(self) -> int:
        return len(self.points)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, PointSet):
            return NotImplemented
        return self.points == other.points and self.labels == other.labels

    def __hash__(self) -> int:
        return hash((self.points, self.labels))

    def __repr__(self) -> str:
        labels = "" if set(self.labels) == {0} else f", {list(self.labels)!r}"
        return f"PointSet({[_written(row) for row in self.points]!r}{labels})"

    def __str__(self) -> str:
        count = f"{len(self)} point{'s' * (len(self) != 1)} of dimension {self.dimension}"
        rows = ((", ".join(_written(x)), f"class {label}") for x, label in zip(self.points, self.labels, strict=True))
        return listing(count, rows, len(self))

    def squared_distance(self, one: int, other: int) -> Fraction:
        """Return the square of the Euclidean distance between two points, given by their places.

        Examples
        --------
        >>> PointSet([["1/3"], [1]]).squared_distance(0, 1)
        Fraction(4, 9)
        """
        return sum(((a - b) ** 2 for a, b in zip(self.points[one], self.points[other], strict=True)), Fraction(0))

    @cached_property
    def squares(self) -> tuple[tuple[int, ...], ...]:
        """All squared distances as integers: each times the square of the common denominator of the coordinates."""
        flat, _ = integers_over(chain.from_iterable(self.points))
        p = self.dimension
        rows = [flat[start : start + p] for start in range(0, len(flat), p)]
        return tuple(tuple(sum((a - b) ** 2 for a, b in zip(x, y, strict=True)) for y in rows) for x in rows)


def _point(row: object, argument: str) -> tuple[Fraction, ...]:
    if isinstance(row, str) or not isinstance(row, Iterable):
        raise InvalidTypeError(explain(argument, "a list of coordinates", row, "write [1] for a point on a line"))
    return tuple(as_fraction(value, argument) for value in row)


def _written(row: tuple[Fraction, ...]) -> list[str]:
    return [format_fraction(value) for value in row]


def _labels(labels: Iterable[Label], size: int) -> tuple[Label, ...]:
    listed = tuple(labels)
    for place, label in enumerate(listed):
        if isinstance(label, bool) or not isinstance(label, int | str):
            raise InvalidTypeError(explain(f"labels[{place}]", "an int or a str", label, "name the class"))
    if len(listed) != size:
        raise InvalidValueError(explain("labels", f"as many as there are points, {size}", listed, "give one per point"))
    return listed
