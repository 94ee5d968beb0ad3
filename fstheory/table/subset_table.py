"""`SubsetTable`: one exact value for each feature subset."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

from fstheory._rational import Exact, as_fraction, as_index, integers_over
from fstheory.errors import InvalidTypeError, InvalidValueError, TooLargeError, explain, unknown
from fstheory.limbs import IntegerArray
from fstheory.subsets import (
    Masks,
    Subset,
    feature_names,
    format_subset,
    mask_of,
    minimal_masks,
    names_of,
    size_order,
    sizes,
)
from fstheory.table import export
from fstheory.table.ordering import Level, Ordering

if TYPE_CHECKING:
    import networkx as nx
    import pandas as pd

    from fstheory.viz import LatticeFigure

__all__ = ["SubsetTable"]

_WORD = 63  # bits of a mask


class SubsetTable(Mapping[frozenset[str], Fraction]):
    """An immutable mapping from feature subsets to exact values, all over one denominator.

    Subsets are addressed by any iterable of names, ``table[{"sex", "age"}]``; iteration is by size
    and lexicographic within a size. Equality compares features, subsets and values. Inside there is
    one integer array, aligned with an array of bitmasks; a Fraction is made when it is asked for.

    Functions such as `bayes_risks` return one; `SubsetTable.from_mapping` makes one by hand.

    Examples
    --------
    >>> from fstheory import bayes_risks, gallery
    >>> risks = bayes_risks(gallery.titanic())
    >>> risks[{"sex"}], risks[{}]
    (Fraction(493, 2201), Fraction(711, 2201))
    >>> risks.minimum, [sorted(subset) for subset in risks.minimal_sets()]
    (Fraction(461, 2201), [['age', 'class', 'sex']])
    """

    __slots__ = ("_denominator", "_features", "_masks", "_name", "_numerators", "_ranks", "_symbol")

    def __init__(
        self,
        features: tuple[str, ...],
        numerators: IntegerArray,
        denominator: int,
        *,
        masks: Masks | None = None,
        name: str = "value",
        symbol: str = "V",
    ) -> None:
        if len(features) > _WORD:
            raise TooLargeError(explain("features", f"at most {_WORD}", len(features), "drop those that play no part"))
        held = np.arange(2 ** len(features), dtype=np.int64) if masks is None else masks.astype(np.int64)
        if len(held) != len(numerators) or not len(held):
            raise InvalidValueError(
                explain("numerators", f"{len(held)} values, one a subset, at least one", len(numerators), "align them")
            )
        if denominator < 1 or (np.diff(held) <= 0).any() or held[0] < 0 or int(held[-1]) >> len(features):
            raise InvalidValueError(
                explain("masks", "ascending, over the features, with a denominator above 0", held, "sort them")
            )
        held.flags.writeable = False
        common = _common_divisor(numerators, denominator)
        self._features = features
        self._masks = held
        self._numerators = numerators if common == 1 else IntegerArray.from_ints(v // common for v in numerators)
        self._denominator = denominator // common
        self._name = name
        self._symbol = symbol
        self._ranks: Masks | None = None

    @classmethod
    def from_mapping(
        cls, values: Mapping[Any, Exact], *, features: Iterable[str], name: str = "value", symbol: str = "V"
    ) -> SubsetTable:
        """Make a table from a mapping of subsets (hashable iterables of names) to exact values.

        Raises
        ------
        InvalidTypeError, UnknownNameError
            A subset is not made of names of `features`, or a value is not exact.
        InvalidValueError
            A subset occurs twice, or there is none.
        TooLargeError
            There are more than 63 features: a mask would not fit in a machine word.

        Examples
        --------
        >>> from fstheory import SubsetTable
        >>> table = SubsetTable.from_mapping({(): "1/2", ("a",): "1/3"}, features=["a"])
        >>> table[{"a"}]
        Fraction(1, 3)
        """
        named = feature_names(features)
        if not isinstance(values, Mapping):
            raise InvalidTypeError(explain("values", "a mapping from subsets to exact values", values, "pass a dict"))
        if not values:
            raise InvalidValueError(explain("values", "given for at least one subset", values, "name one"))
        found: dict[int, Fraction] = {}
        for subset, value in values.items():
            mask = mask_of(subset, named)
            if mask in found:
                raise InvalidValueError(explain("values", "given once for each subset", subset, "name it once"))
            found[mask] = as_fraction(value, f"values[{subset!r}]")
        masks = sorted(found)
        if len(named) > _WORD:
            raise TooLargeError(explain("features", f"at most {_WORD}", len(named), "drop those that play no part"))
        numerators, denominator = integers_over(found[mask] for mask in masks)
        return cls(
            named,
            IntegerArray.from_ints(numerators),
            denominator,
            masks=np.array(masks, dtype=np.int64),
            name=name,
            symbol=symbol,
        )

    # -- what it holds -------------------------------------------------------------------------

    @property
    def features(self) -> tuple[str, ...]:
        """The features whose subsets the table is about, in order; bit i of a mask stands for feature i."""
        return self._features

    @property
    def masks(self) -> Masks:
        """The bitmasks of the subsets it holds, ascending, read-only."""
        return self._masks

    @property
    def numerators(self) -> IntegerArray:
        """The values times `denominator`, aligned with `masks`."""
        return self._numerators

    @property
    def denominator(self) -> int:
        """The smallest common denominator of all values."""
        return self._denominator

    @property
    def name(self) -> str:
        """What the values are, in words."""
        return self._name

    @property
    def symbol(self) -> str:
        """What the values are, in one letter."""
        return self._symbol

    @property
    def ranks(self) -> Masks:
        """The dense rank of every value, aligned with `masks`: 0 for the smallest, ties share a rank."""
        if self._ranks is None:
            self._ranks = self._numerators.ranks()
            self._ranks.flags.writeable = False
        return self._ranks

    def __getitem__(self, subset: Subset) -> Fraction:
        return self.value_at(mask_of(subset, self._features))

    def value_at(self, mask: int, /) -> Fraction:
        """Return the exact value of the subset with this mask.

        Raises
        ------
        UnknownNameError
            The table, a restricted one, does not hold this subset.
        """
        return Fraction(self._numerators[self._position(mask)], self._denominator)

    def __contains__(self, subset: object) -> bool:
        try:
            self._position(mask_of(subset, self._features))  # type: ignore[arg-type]
        except (LookupError, ValueError):
            return False
        return True

    def __len__(self) -> int:
        return len(self._masks)

    def __iter__(self) -> Iterator[frozenset[str]]:
        for position in size_order(self._masks, len(self._features)):
            yield names_of(int(self._masks[position]), self._features)

    # -- questions -----------------------------------------------------------------------------

    def ordering(self) -> Ordering:
        """Return the weak ordering of the subsets: levels from the smallest value, ties together.

        Complexity: one sort of the 2**n values.

        Examples
        --------
        >>> from fstheory import bayes_risks, gallery
        >>> print(bayes_risks(gallery.titanic()).ordering())
        {class, sex, age} < {class, sex} < {sex} = {sex, age} < {class, age} < {class} < {age} < {}
        """
        return Ordering(self)

    @property
    def minimum(self) -> Fraction:
        """The smallest value."""
        return self._level(0).value

    @property
    def maximum(self) -> Fraction:
        """The largest value."""
        return self._level(int(self.ranks.max())).value

    def argmin(self) -> tuple[frozenset[str], ...]:
        """Return every subset that attains the minimum, by size."""
        return self._level(0).subsets

    def minimal_sets(self) -> tuple[frozenset[str], ...]:
        """Return the subsets that attain the minimum while none of their proper subsets does, by size.

        Of a table of Bayes risks these are all solutions of the minimal-optimal problem.
        """
        minimal = minimal_masks(self._masks[self.ranks == 0])
        return tuple(names_of(int(m), self._features) for m in minimal[size_order(minimal, len(self._features))])

    def best_of_size(self, k: int) -> Level:
        """Return the smallest value of a subset of k features, and every subset of that size that attains it.

        Raises
        ------
        InvalidValueError
            The table holds no subset of that size.
        """
        return self.restrict(sizes=[as_index(k, "k")])._level(0)

    def by_size(self) -> Iterator[tuple[int, SubsetTable]]:
        """Yield (size, the table of the subsets of that size), from the smallest size."""
        for size in np.unique(sizes(self._masks)):
            yield int(size), self.restrict(sizes=[int(size)])

    def restrict(
        self, *, containing: Subset = (), within: Subset | None = None, sizes: Iterable[int] | None = None
    ) -> SubsetTable:
        """Return the table of the subsets of an interval of the lattice, of some sizes.

        Parameters
        ----------
        containing, within : subsets, optional
            Keep the subsets between these two (inclusive); all if not given.
        sizes : iterable of int, optional
            Keep the subsets with so many features.

        Raises
        ------
        InvalidValueError
            Nothing would be left.

        Examples
        --------
        >>> from fstheory import bayes_risks, gallery
        >>> pairs = bayes_risks(gallery.titanic()).restrict(containing={"sex"}, sizes=[2])
        >>> print(pairs.ordering())
        {class, sex} < {sex, age}
        """
        low = mask_of(containing, self._features, "containing")
        high = 2 ** len(self._features) - 1 if within is None else mask_of(within, self._features, "within")
        keep = (self._masks & low == low) & (self._masks & ~high == 0)
        wanted = None
        if sizes is not None:
            if not isinstance(sizes, Iterable):
                raise InvalidTypeError(explain("sizes", "an iterable of integers", sizes, f"write [{sizes!r}]"))
            wanted = sorted({as_index(size, "sizes") for size in sizes})
            keep &= np.isin(_sizes(self._masks), [size for size in wanted if size <= len(self._features)])
        if not keep.any():
            asked = f"containing {format_subset(low, self._features)}, within {format_subset(high, self._features)}"
            asked += "" if wanted is None else f", of sizes {wanted}"
            raise InvalidValueError(explain("the restriction", "met by some subset of the table", asked, "widen it"))
        return SubsetTable(
            self._features,
            self._numerators.take(np.flatnonzero(keep)),
            self._denominator,
            masks=self._masks[keep],
            name=self._name,
            symbol=self._symbol,
        )

    # -- conversions ---------------------------------------------------------------------------

    def to_frame(self) -> pd.DataFrame:
        """Return a pandas DataFrame: subset, size, the exact value, its level; one row a subset, by size.

        Raises
        ------
        MissingDependencyError
            pandas is not installed.

        Examples
        --------
        >>> from fstheory import SubsetTable
        >>> SubsetTable.from_mapping({(): "1/2", ("X1",): "1/3"}, features=["X1"]).to_frame()
          subset  size value  level
        0     {}     0   1/2      1
        1     X1     1   1/3      0
        """
        return export.to_frame(self)

    def to_networkx(self) -> nx.DiGraph[frozenset[str]]:
        """Return the covers as a directed graph, from each subset to those with one feature more.

        Nodes are frozensets of names with attributes ``value`` (Fraction), ``size`` and ``level``
        (0 for the smallest value); edges have ``feature``, the one added, and ``change``, the value
        at the head minus that at the tail.

        Examples
        --------
        >>> from fstheory import SubsetTable
        >>> graph = SubsetTable.from_mapping({(): "1/2", ("a",): "1/3"}, features=["a"]).to_networkx()
        >>> graph.edges[frozenset(), frozenset({"a"})]
        {'feature': 'a', 'change': Fraction(-1, 6)}
        """
        return export.to_networkx(self)

    def plot(self, **options: Any) -> LatticeFigure:
        """Draw the Hasse diagram of the subsets; see `fstheory.viz.draw_lattice` for the options.

        Raises
        ------
        MissingDependencyError
            matplotlib is not installed.
        TooLargeError
            There are more subsets than can be drawn readably.
        """
        from fstheory.viz import draw_lattice

        return draw_lattice(self, **options)

    # -- a value among values ------------------------------------------------------------------

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, SubsetTable):
            return NotImplemented
        return (
            self._features == other._features
            and self._denominator == other._denominator
            and np.array_equal(self._masks, other._masks)
            and self._numerators == other._numerators
        )

    def __hash__(self) -> int:
        return hash((self._features, self._denominator, self._masks.tobytes(), self._numerators))

    def __reduce__(self) -> tuple[Any, ...]:
        return _restore, (self._features, self._numerators, self._denominator, self._masks, self._name, self._symbol)

    def __repr__(self) -> str:
        return f"<SubsetTable: {self._name} of {len(self)} subsets of {', '.join(self._features) or 'no features'}>"

    def __str__(self) -> str:
        return export.to_text(self)

    def _repr_html_(self) -> str:
        return export.to_html(self)

    def _repr_latex_(self) -> str | None:
        return export.to_latex(self)

    def _position(self, mask: int) -> int:
        if not 0 <= mask < 2 ** len(self._features):
            raise unknown("the subset with mask", mask, [f"0 to {2 ** len(self._features) - 1}"])
        position = int(np.searchsorted(self._masks, mask))
        if position == len(self._masks) or self._masks[position] != mask:
            held = (format_subset(int(m), self._features) for m in self._masks[:13])
            raise unknown("subset", format_subset(mask, self._features), held)
        return position

    def _level(self, rank: int) -> Level:
        masks = self._masks[self.ranks == rank]
        ordered = masks[size_order(masks, len(self._features))]
        return Level(self.value_at(int(masks[0])), tuple(names_of(int(m), self._features) for m in ordered))


_sizes = sizes  # `restrict` has an argument of this name


def _common_divisor(numerators: IntegerArray, denominator: int) -> int:
    common = denominator
    for value in numerators:
        common = math.gcd(common, value)
        if common == 1:
            break
    return common


def _restore(
    features: tuple[str, ...], numerators: IntegerArray, denominator: int, masks: Masks, name: str, symbol: str
) -> SubsetTable:
    return SubsetTable(features, numerators, denominator, masks=masks, name=name, symbol=symbol)
