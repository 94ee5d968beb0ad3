"""Two tables of the same subsets, compared value by value and as orderings."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np

from fstheory._display import Shown
from fstheory.errors import InvalidTypeError, InvalidValueError, explain
from fstheory.subsets import format_subset, mask_of, names_of
from fstheory.table.columns import column_signs
from fstheory.table.subset_table import SubsetTable

__all__ = ["Comparison", "compare"]

_PAIRS = 8  # of those in the text
Pair: TypeAlias = tuple[frozenset[str], frozenset[str]]


@dataclass(frozen=True, slots=True, repr=False)
class Comparison(Shown):
    """How the values of one table compare with those of another.

    Attributes
    ----------
    first, second : SubsetTable
    lower, equal, higher : tuple of frozenset of str
        The subsets whose value in the first table is lower than, equal to, higher than in the second.
    discordant_pairs : tuple of pairs of frozenset of str
        Subsets that the tables order differently: strictly one way in one of them, the other way or tied in the other.
        Of all such pairs those that are neighbors in one of the orderings; none if the orderings are the same.

    Examples
    --------
    >>> from fstheory import bayes_risks, gallery
    >>> from fstheory.table import compare
    >>> titanic = gallery.titanic()
    >>> print(compare(bayes_risks(titanic), bayes_risks(titanic.condition({"age": "child"}))))
    8 subsets: 6 with a lower value in the first table, 0 with the same, 2 with a higher one
    ordered differently, among neighbors in one of the orderings:
      {class, sex, age} < {class, sex}, in the second table =
      {sex, age} < {class, age}, in the second table >
      {class, age} < {class}, in the second table =
      {age} < {}, in the second table =
      {sex} < {class}, in the second table >
    """

    first: SubsetTable[Any]
    second: SubsetTable[Any]
    lower: tuple[frozenset[str], ...]
    equal: tuple[frozenset[str], ...]
    higher: tuple[frozenset[str], ...]
    discordant_pairs: tuple[Pair, ...]

    @property
    def discordant(self) -> Pair | None:
        """The first discordant pair, or None."""
        return self.discordant_pairs[0] if self.discordant_pairs else None

    @property
    def same_ordering(self) -> bool:
        """Whether both tables order the subsets alike, ties included."""
        return not self.discordant_pairs

    def __str__(self) -> str:
        counts = f"{len(self.first)} subsets: {len(self.lower)} with a lower value in the first table"
        counts += f", {len(self.equal)} with the same, {len(self.higher)} with a higher one"
        if self.same_ordering:
            return f"{counts}\nboth order the subsets alike"
        pairs = [f"  {self._described(*pair)}" for pair in self.discordant_pairs[:_PAIRS]]
        hidden = len(self.discordant_pairs) - _PAIRS
        rest = [f"  ... {hidden} more"] if hidden > 0 else []
        return "\n".join([counts, "ordered differently, among neighbors in one of the orderings:", *pairs, *rest])

    def _described(self, one: frozenset[str], other: frozenset[str]) -> str:
        """Write a pair with the relation of its values in both tables."""
        names = [format_subset(mask_of(subset, self.first.features), self.first.features) for subset in (one, other)]
        here, there = (
            "<" if table[one] < table[other] else ">" if table[other] < table[one] else "="
            for table in (self.first, self.second)
        )
        return f"{names[0]} {here} {names[1]}, in the second table {there}"


def compare(first: SubsetTable[Any], second: SubsetTable[Any]) -> Comparison:
    """Compare two tables of the same subsets, value by value and as orderings.

    Parameters
    ----------
    first, second : SubsetTable

    Returns
    -------
    Comparison

    Notes
    -----
    Complexity: a sort of the values of both.

    Examples
    --------
    >>> from fstheory import bayes_risks, gallery
    >>> risks = bayes_risks(gallery.titanic())
    >>> compare(risks, risks).same_ordering
    True
    """
    for name, table in (("first", first), ("second", second)):
        if not isinstance(table, SubsetTable):
            raise InvalidTypeError(explain(name, "a SubsetTable", table, "pass a table such as bayes_risks(d)"))
    if first.features != second.features or not np.array_equal(first.masks, second.masks):
        wanted = "a table of the same subsets of the same features"
        raise InvalidValueError(explain("second", wanted, second, "restrict both alike"))
    signs = column_signs(first.column, second.column)
    groups = (first.masks[signs == sign].tolist() for sign in (-1, 0, 1))
    lower, equal, higher = (tuple(names_of(mask, first.features) for mask in masks) for masks in groups)
    return Comparison(first, second, lower, equal, higher, _discordant(first, second))


def _discordant(first: SubsetTable[Any], second: SubsetTable[Any]) -> tuple[Pair, ...]:
    """Return the pairs of neighbors in the joint sort that are ordered differently; there are some if any pair is."""
    found: dict[frozenset[int], tuple[int, int]] = {}
    for a, b in ((first.ranks, second.ranks), (second.ranks, first.ranks)):
        order = np.lexsort((b, a))  # a tie of a ends with its largest b, which the next must exceed
        for place in np.flatnonzero((np.diff(a[order]) > 0) & (np.diff(b[order]) <= 0)).tolist():
            low, high = order[place : place + 2].tolist()
            if first.ranks[high] < first.ranks[low]:
                low, high = high, low
            found.setdefault(frozenset((low, high)), (int(first.masks[low]), int(first.masks[high])))
    features = first.features
    return tuple((names_of(low, features), names_of(high, features)) for low, high in found.values())
