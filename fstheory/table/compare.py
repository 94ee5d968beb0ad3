"""Two tables of the same subsets, compared value by value and as orderings."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from fstheory.errors import InvalidTypeError, InvalidValueError, explain
from fstheory.subsets import Masks, names_of
from fstheory.table.columns import column_signs
from fstheory.table.subset_table import SubsetTable

__all__ = ["Comparison", "compare"]


@dataclass(frozen=True, slots=True)
class Comparison:
    """How the values of one table stand to those of another.

    Attributes
    ----------
    lower, equal, higher : tuple of frozenset of str
        The subsets whose value in the first table is lower than, equal to, higher than in the second.
    discordant : pair of frozenset of str, or None
        Two subsets that the tables order differently: strictly one way in one of them, and the other
        way or tied in the other.

    Examples
    --------
    >>> from fstheory import bayes_risks, compare, gallery
    >>> risks = bayes_risks(gallery.titanic())
    >>> compare(risks, risks).same_ordering
    True
    """

    lower: tuple[frozenset[str], ...]
    equal: tuple[frozenset[str], ...]
    higher: tuple[frozenset[str], ...]
    discordant: tuple[frozenset[str], frozenset[str]] | None

    @property
    def same_ordering(self) -> bool:
        """Whether both tables order the subsets alike, ties included."""
        return self.discordant is None


def compare(first: SubsetTable[Any], second: SubsetTable[Any]) -> Comparison:
    """Compare two tables of the same subsets, value by value and as orderings.

    Parameters
    ----------
    first, second : SubsetTable

    Returns
    -------
    Comparison

    Raises
    ------
    InvalidTypeError, InvalidValueError
        They are not tables of the same subsets of the same features.

    Notes
    -----
    Complexity: a sort of the values of both.

    Examples
    --------
    >>> from fstheory import bayes_risks, compare, gallery
    >>> titanic = gallery.titanic()
    >>> children = titanic.condition({"age": "child"})
    >>> sorted(map(sorted, compare(bayes_risks(titanic), bayes_risks(children)).discordant))
    [['age', 'class', 'sex'], ['class', 'sex']]
    """
    for name, table in (("first", first), ("second", second)):
        if not isinstance(table, SubsetTable):
            raise InvalidTypeError(explain(name, "a SubsetTable", table, "pass a table such as bayes_risks(d)"))
    if first.features != second.features or not np.array_equal(first.masks, second.masks):
        raise InvalidValueError(
            explain("second", "a table of the same subsets of the same features", second, "restrict both alike")
        )
    signs = column_signs(first.column, second.column)
    groups = [_names(first, first.masks[signs == sign]) for sign in (-1, 0, 1)]
    return Comparison(groups[0], groups[1], groups[2], _discordant(first, second))


def _discordant(first: SubsetTable[Any], second: SubsetTable[Any]) -> tuple[frozenset[str], frozenset[str]] | None:
    """Return two subsets that are ordered differently; neighbors in the joint sort suffice."""
    if np.array_equal(first.ranks, second.ranks):
        return None
    for a, b in ((first.ranks, second.ranks), (second.ranks, first.ranks)):
        order = np.lexsort((b, a))  # a tie of a ends with its largest b, which the next must exceed
        wrong = np.flatnonzero((np.diff(a[order]) > 0) & (np.diff(b[order]) <= 0))
        if len(wrong):
            pair = first.masks[order[wrong[0] : wrong[0] + 2]]
            return names_of(int(pair[0]), first.features), names_of(int(pair[1]), first.features)
    raise AssertionError("orderings that differ have neighbors they order differently")


def _names(table: SubsetTable[Any], masks: Masks) -> tuple[frozenset[str], ...]:
    return tuple(names_of(int(mask), table.features) for mask in masks)
