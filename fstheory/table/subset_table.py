"""`SubsetTable`: one exact value for each feature subset."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

from fstheory._exact import Exact, as_fraction, as_index
from fstheory._memory import enough_memory
from fstheory._optional import require
from fstheory.errors import InvalidTypeError, InvalidValueError, TooLargeError, explain, unknown
from fstheory.subsets import (
    Masks,
    Subset,
    feature_names,
    format_subset,
    mask_of,
    minimal_masks,
    names_of,
    order_by,
    size_order,
    sizes,
)
from fstheory.table.columns import Column, RationalColumn, V, column_signs
from fstheory.table.export import ROWS, Row, cover_graph, to_html, to_latex, to_text
from fstheory.table.ordering import Level, Ordering
from fstheory.viz import LatticeFigure, check_size, draw_lattice, mark_subsets

if TYPE_CHECKING:
    import networkx as nx
    import pandas as pd

    from fstheory.viz.graph import Path

__all__ = ["SubsetTable"]

_WORD = 63  # bits of a mask
_LATEX_SUBSETS = 16  # in a notebook


class SubsetTable(Mapping[frozenset[str], V]):
    """An immutable mapping from feature subsets to exact values.

    Subsets are addressed by any iterable of names, ``table[{"sex", "age"}]``; iteration is by size
    and lexicographic within a size. Equality compares features, subsets and values. Inside there is
    an array of bitmasks and, aligned with it, a column of values: integers over one denominator, or
    certified enclosures; a Fraction or LogSum is made when it is asked for.

    `best_of_size` and `minimal_sets` look for small values, of a loss; for large ones if the values
    are scores, ``larger_is_better``.

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

    __slots__ = ("_column", "_features", "_larger_is_better", "_masks", "_name", "_ranks", "_symbol")

    def __init__(
        self,
        features: tuple[str, ...],
        column: Column[V],
        *,
        masks: Masks | None = None,
        name: str = "value",
        symbol: str = "V",
        larger_is_better: bool = False,
    ) -> None:
        if len(features) > _WORD:
            raise TooLargeError(explain("features", f"at most {_WORD}", len(features), "drop those that play no part"))
        held = np.arange(2 ** len(features), dtype=np.int64) if masks is None else masks.astype(np.int64)
        if len(held) != len(column) or not len(held):
            raise InvalidValueError(
                explain("column", f"{len(held)} values, one per subset, at least one", len(column), "align them")
            )
        if (np.diff(held) <= 0).any() or held[0] < 0 or int(held[-1]) >> len(features):
            raise InvalidValueError(explain("masks", "ascending, over the features", held, "sort them"))
        held.flags.writeable = False
        self._features = features
        self._masks = held
        self._column = column
        self._name = name
        self._symbol = symbol
        self._larger_is_better = larger_is_better
        self._ranks: Masks | None = None

    @classmethod
    def from_mapping(
        cls,
        values: Mapping[Any, Exact],
        *,
        features: Iterable[str],
        name: str = "value",
        symbol: str = "V",
        larger_is_better: bool = False,
    ) -> SubsetTable[Fraction]:
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
        column = RationalColumn.of([found[mask] for mask in masks])
        held = np.array(masks, dtype=np.int64)
        return SubsetTable(named, column, masks=held, name=name, symbol=symbol, larger_is_better=larger_is_better)

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
    def column(self) -> Column[V]:
        """The values, aligned with `masks`."""
        return self._column

    @property
    def larger_is_better(self) -> bool:
        """Whether the values are scores; otherwise they are losses, such as risks."""
        return self._larger_is_better

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
            with enough_memory("the ranks of all subsets", "take the marginal of fewer features"):
                self._ranks = self._column.ranks()
            self._ranks.flags.writeable = False
        return self._ranks

    def __getitem__(self, subset: Subset) -> V:
        return self.value_at(mask_of(subset, self._features))

    def value_at(self, mask: int, /) -> V:
        """Return the exact value of the subset with this mask.

        Raises
        ------
        InvalidTypeError
            `mask` is no integer.
        UnknownNameError
            The table, a restricted one, does not hold this subset.
        """
        if not isinstance(mask, int | np.integer):
            raise InvalidTypeError(explain("mask", "an integer", mask, "name the features instead: table[{'X1'}]"))
        return self._column[self._position(mask)]

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

    def ordering(self) -> Ordering[V]:
        """Return the weak ordering of the subsets: levels from the smallest value, ties together.

        Complexity: one sort of the 2**n values.

        Examples
        --------
        >>> from fstheory import bayes_risks, gallery
        >>> print(bayes_risks(gallery.titanic()).ordering())
        {class, sex, age} < {class, sex} < {sex} = {sex, age} < {class, age} < {class} < {age} < {}
        """
        return Ordering(self._features, self._masks, self.ranks, self._column)

    @property
    def minimum(self) -> V:
        """The smallest value."""
        return self._level(0).value

    @property
    def maximum(self) -> V:
        """The largest value."""
        return self._level(int(self.ranks.max())).value

    def argmin(self) -> tuple[frozenset[str], ...]:
        """Return every subset that attains the minimum, by size."""
        return self._level(0).subsets

    def argmax(self) -> tuple[frozenset[str], ...]:
        """Return every subset that attains the maximum, by size."""
        return self._level(int(self.ranks.max())).subsets

    def minimal_sets(self) -> tuple[frozenset[str], ...]:
        """Return the subsets that attain the best value while none of their proper subsets does, by size.

        Of a table of Bayes risks these are all solutions of the minimal-optimal problem.
        """
        minimal = minimal_masks(self._masks[self.ranks == self._best_rank()])
        return tuple(names_of(int(m), self._features) for m in minimal[size_order(minimal, len(self._features))])

    def best_of_size(self, k: int) -> Level[V]:
        """Return the best value of a subset of k features, and every subset of that size that attains it.

        Raises
        ------
        InvalidValueError
            The table holds no subset of that size.
        """
        chosen = self.restrict(sizes=[as_index(k, "k")])
        return chosen._level(chosen._best_rank())

    def by_size(self) -> Iterator[tuple[int, SubsetTable[V]]]:
        """Yield (size, the table of the subsets of that size), from the smallest size."""
        for size in np.unique(sizes(self._masks)):
            yield int(size), self.restrict(sizes=[int(size)])

    def restrict(
        self, *, containing: Subset = (), within: Subset | None = None, sizes: Iterable[int] | None = None
    ) -> SubsetTable[V]:
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
            self._column.take(np.flatnonzero(keep)),
            masks=self._masks[keep],
            name=self._name,
            symbol=self._symbol,
            larger_is_better=self._larger_is_better,
        )

    # -- in other forms ------------------------------------------------------------------------

    def to_frame(self) -> pd.DataFrame:
        """Return a pandas DataFrame: subset, size, the exact value, its level; one row per subset, by size.

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
        pandas = require("pandas", "data", "to_frame()")
        positions = size_order(self._masks, len(self._features))
        rows = [
            (format_subset(mask, self._features), mask.bit_count(), self.value_at(mask), level)
            for mask, level in zip(self._masks[positions].tolist(), self.ranks[positions].tolist(), strict=True)
        ]
        frame = pandas.DataFrame(rows, columns=["subset", "size", "value", "level"])
        return frame.astype({"value": object})  # type: ignore[no-any-return]

    def to_networkx(
        self,
        *,
        best: Subset | None = None,
        minimal: Iterable[Subset] | None = None,
        path: Sequence[Subset] | Path | None = None,
        optimal: Iterable[Subset] | None = None,
    ) -> nx.DiGraph[frozenset[str]]:
        """Return the covers as a directed graph, from each subset to those with one feature more.

        Nodes are frozensets of names, by size, with attributes ``value`` (exact), ``size`` and ``rank``
        (0 for the smallest value); edges have ``feature``, the one in which they differ, and ``change``, the value
        at the head minus that at the tail. The graph has ``name``, ``symbol``, ``features`` and ``path``.

        Parameters
        ----------
        best : subset, optional
            The solution of the minimal-optimal problem; its node has ``best=True``.
        minimal, optimal : iterable of subsets, optional
            All minimal solutions, and subsets that are optimal for their size; these have ``minimal=True`` and
            ``optimal=True``.
        path : sequence of subsets, or a result that has a ``path``, optional
            The subsets that a search visited, each one feature from the one before.

        Raises
        ------
        InvalidTypeError, InvalidValueError, UnknownNameError
            A mark is not made of subsets that the table holds, or a step of the path changes several features.

        Examples
        --------
        >>> from fstheory import SubsetTable
        >>> table = SubsetTable.from_mapping({(): "1/2", ("a",): "1/3"}, features=["a"])
        >>> graph = table.to_networkx(best={"a"})
        >>> graph.edges[frozenset(), frozenset({"a"})]
        {'feature': 'a', 'change': Fraction(-1, 6)}
        >>> graph.nodes[frozenset({"a"})]
        {'value': Fraction(1, 3), 'size': 1, 'rank': 0, 'best': True}
        """
        graph = cover_graph(self._features, self._masks, self.ranks, self._column)
        graph.graph.update(name=self._name, symbol=self._symbol)
        mark_subsets(graph, best=best, minimal=minimal, path=path, optimal=optimal)
        return graph

    def to_latex(self) -> str:
        r"""Return the exact values as LaTeX for math mode, the best value first, one line for each subset.

        Examples
        --------
        >>> from fstheory import SubsetTable
        >>> table = SubsetTable.from_mapping({(): "1/2", ("50%",): "1/3"}, features=["50%"], symbol="R")
        >>> print(table.to_latex())
        \begin{aligned} R(\text{\{50\%\}}) &= \frac{1}{3} \\ R(\text{\{\}}) &= \frac{1}{2} \end{aligned}
        """
        return to_latex(self._symbol, self._rows(len(self)))

    def plot(
        self,
        *,
        best: Subset | None = None,
        minimal: Iterable[Subset] | None = None,
        path: Sequence[Subset] | Path | None = None,
        optimal: Iterable[Subset] | None = None,
        **options: Any,
    ) -> LatticeFigure:
        """Draw the Hasse diagram of the subsets.

        Parameters
        ----------
        best, minimal, path, optimal
            What to mark; see `to_networkx`.
        options
            ``view``, ``labels``, ``scale``, ``title`` and ``ax``; see `fstheory.viz.draw_lattice`.

        Raises
        ------
        MissingDependencyError
            matplotlib is not installed.
        TooLargeError
            There are more subsets than can be drawn readably.
        """
        check_size(len(self))
        return draw_lattice(self.to_networkx(best=best, minimal=minimal, path=path, optimal=optimal), **options)

    def __str__(self) -> str:
        return to_text(self._name, self._symbol, self._rows(ROWS), len(self))

    def _repr_html_(self) -> str:
        return to_html(self._name, self._symbol, self._rows(ROWS), len(self))

    def _repr_latex_(self) -> str | None:
        return f"${self.to_latex()}$" if len(self) <= _LATEX_SUBSETS else None

    # -- a value among values ------------------------------------------------------------------

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, SubsetTable):
            return NotImplemented
        return (
            self._features == other._features
            and np.array_equal(self._masks, other._masks)
            and not column_signs(self._column, other._column).any()
        )

    def __hash__(self) -> int:
        return hash((self._features, self._masks.tobytes(), self._column[0], self._column[len(self) - 1]))

    def __reduce__(self) -> tuple[Any, ...]:
        restore: Any = functools.partial(
            SubsetTable, masks=self._masks, name=self._name, symbol=self._symbol, larger_is_better=self.larger_is_better
        )
        return restore, (self._features, self._column)

    def __repr__(self) -> str:
        return f"<SubsetTable: {self._name} of {len(self)} subsets of {', '.join(self._features) or 'no features'}>"

    def _position(self, mask: int) -> int:
        if not 0 <= mask < 2 ** len(self._features):
            raise unknown("the subset with mask", mask, [f"0 to {2 ** len(self._features) - 1}"])
        position = int(np.searchsorted(self._masks, mask))
        if position == len(self._masks) or self._masks[position] != mask:
            held = (format_subset(int(m), self._features) for m in self._masks[:13])
            raise unknown("subset", format_subset(mask, self._features), held)
        return position

    def _best_rank(self) -> int:
        return int(self.ranks.max()) if self._larger_is_better else 0

    def _rows(self, most: int) -> list[Row]:
        """Return the first rows, the best value first."""
        levels = self.ranks.max() - self.ranks if self._larger_is_better else self.ranks
        return [
            Row(format_subset(int(self._masks[i]), self._features), self._column[i], int(levels[i]))
            for i in order_by(levels, self._masks, len(self._features))[:most].tolist()
        ]

    def _level(self, rank: int) -> Level[V]:
        masks = self._masks[self.ranks == rank]
        ordered = masks[size_order(masks, len(self._features))]
        return Level(self.value_at(int(masks[0])), tuple(names_of(int(m), self._features) for m in ordered))


_sizes = sizes  # `restrict` has an argument of this name
