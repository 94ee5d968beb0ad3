"""The statements of Section 5 of Sebban and Nock about point sets, as printed and corrected, ready to be checked."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations, permutations
from types import MappingProxyType
from typing import Any, TypeAlias

from fstheory._display import Shown
from fstheory._exact import format_fraction
from fstheory.errors import InvalidValueError, explain
from fstheory.points import violations
from fstheory.points.graphs import Neighbors, chosen_neighbors, nearest_neighbors
from fstheory.points.point_set import PointSet, Squares
from fstheory.points.violations import Violation

__all__ = ["FORMAT", "LEMMAS", "UNIQUE", "Lemma", "tied_point"]

FORMAT = "fstheory certificate on points"
UNIQUE = "unique_neighbor"
"""The assumption of Lemmas 1 and 2: every point has exactly one nearest neighbor."""

Search: TypeAlias = Callable[[Squares, Neighbors], Violation | None]


def tied_point(squares: Squares) -> int | None:
    """Return the first point that has not exactly one nearest neighbor; None if the assumption `UNIQUE` holds.

    Examples
    --------
    >>> tied_point(PointSet([[0], [1], [2]]).squares), tied_point(PointSet([[0], [1]]).squares)
    (1, None)
    """
    return next((place for place, others in enumerate(nearest_neighbors(squares)) if len(others) != 1), None)


def _all(squares: Squares) -> Iterator[Neighbors]:
    yield nearest_neighbors(squares)


def _any(squares: Squares) -> Iterator[Neighbors]:
    yield from chosen_neighbors(nearest_neighbors(squares))


def _common(squares: Squares) -> Iterator[Neighbors]:
    """Yield the choices in which every point takes the first of its nearest neighbors in one order of all points."""
    nearest = nearest_neighbors(squares)
    orders = permutations(range(len(squares)))
    yield from sorted({tuple((min(few, key=order.index),) for few in nearest) for order in orders})


_TIES: Mapping[str, Callable[[Squares], Iterator[Neighbors]]] = {"all": _all, "any": _any, "common": _common}


@dataclass(frozen=True, slots=True, repr=False)
class Lemma(Shown):
    """A statement about the graph of nearest neighbors of every finite point set.

    Attributes
    ----------
    id : str
        Its id in the ledger.
    search : callable
        The search for a violation, of `fstheory.points.violations`.
    ties : {'all', 'any', 'common'}
        Which nearest neighbors count where a point has several: all of them; any one of them, chosen for each point
        freely; the first in one order of all points, the same for every point (takes n! steps). The statement is
        about each such choice.
    unique : bool
        Whether it assumes that every point has exactly one nearest neighbor.

    Examples
    --------
    >>> LEMMAS["SN-L1"].violation(PointSet([[0], [1], [3]]).squares)
    >>> LEMMAS["SN-L1"].without_unique().violation(PointSet([[0], [0], [0]]).squares).points
    (0, 1, 2)
    """

    id: str
    search: Search
    ties: str = "all"
    unique: bool = False

    def applies(self, squares: Squares) -> bool:
        """Tell whether the point set satisfies what the statement assumes; a point alone has no nearest neighbor."""
        return len(squares) > 1 and not (self.unique and tied_point(squares) is not None)

    def violation(self, squares: Squares) -> Violation | None:
        """Return what contradicts the statement at a point set; None if it holds there or says nothing."""
        if not self.applies(squares):
            return None
        found = (self.search(squares, neighbors) for neighbors in _TIES[self.ties](squares))
        return next((violation for violation in found if violation is not None), None)

    def without_unique(self) -> Lemma:
        """Return the statement without its assumption.

        Raises
        ------
        InvalidValueError
            It assumes nothing.
        """
        if not self.unique:
            raise InvalidValueError(explain("lemma", f"one that assumes {UNIQUE}", self.id, "take it as it is"))
        return Lemma(self.id, self.search, self.ties)

    def certificate(self, points: PointSet) -> dict[str, Any]:
        """Return the content of the certificate that a point set refutes the statement, for `Certificate`.

        Raises
        ------
        InvalidValueError
            It does not.

        Examples
        --------
        >>> content = LEMMAS["SN-L1a"].certificate(PointSet([[0], [1]]))
        >>> content["violated"]
        {'kind': 'circuit', 'points': [0, 1], 'edges': []}
        """
        violation = self.violation(points.squares)
        if violation is None:
            raise InvalidValueError(explain("points", f"a counterexample to {self.id}", points, "search for one"))
        pairs = combinations(range(len(points)), 2)
        return {
            "format": FORMAT,
            "version": 1,
            "kind": "refuted",
            "claim": self.id,
            "assume": [UNIQUE] if self.unique else [],
            "points": [[format_fraction(value) for value in point] for point in points.points],
            "labels": list(points.labels),
            "squared_distances": [[*pair, format_fraction(points.squared_distance(*pair))] for pair in pairs],
            "neighbors": [list(few) for few in violation.neighbors],
            "violated": {
                "kind": violation.kind,
                "points": list(violation.points),
                "edges": [list(edge) for edge in violation.edges],
            },
        }


_TABLE = (
    Lemma("SN-L1", violations.cycle, unique=True),
    Lemma("SN-L1a", violations.mutual_pair, unique=True),
    Lemma("SN-L1b", violations.no_single_circuit, unique=True),
    Lemma("SN-L1c", violations.cycle, ties="any"),
    Lemma("SN-L1d", violations.cycle, ties="common"),
    Lemma("SN-L2", violations.not_a_minimal_tree, unique=True),
    Lemma("SN-L2a", violations.not_the_only_tree, unique=True),
    Lemma("SN-L2b", violations.not_a_minimal_tree, ties="any"),
    Lemma("SN-L3", violations.no_tree_inside_union),
    Lemma("SN-L3a", violations.no_tree_inside),
    Lemma("SN-L3b", violations.tree_outside, ties="any"),
    Lemma("SN-L3c", violations.no_tree_inside, ties="any"),
    Lemma("SN-L3d", violations.tree_outside_spanned),
    Lemma("SN-L3e", violations.tree_outside_small),
    Lemma("SN-5", violations.shorter_exchange, unique=True),
    Lemma("SN-5n", violations.wrong_count_of_neighborhoods, unique=True),
    Lemma("SN-5m", violations.other_neighborhoods, unique=True),
)

LEMMAS: Mapping[str, Lemma] = MappingProxyType({lemma.id: lemma for lemma in _TABLE})
"""The statements by their ids in the ledger, whose entries say in words what each one says."""
