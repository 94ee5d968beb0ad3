"""Tables with one exact value for each feature subset, the weak ordering by these values, and comparisons of tables."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Mapping, Sequence, ValuesView
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Generic, TypeAlias, overload

import numpy as np
import numpy.typing as npt

from fstheory._support.exact import (
    Exact,
    as_fraction,
    as_index,
    latex_aligned,
    latex_name,
)
from fstheory._support.memory import enough_memory
from fstheory._support.result import (
    ByParts,
    Formula,
    OnColumns,
    Result,
    Rounded,
    Table,
    frame_of,
    one_line,
    table_html,
    table_latex,
    table_text,
    to_json,
    without_column,
)
from fstheory.errors import TooLargeError, require, require_type, unknown
from fstheory.lattice.columns import Column, RationalColumn, V, V_co, column_signs
from fstheory.lattice.draw import draw_lattice, lattice_tikz
from fstheory.lattice.figure import PlotFigure
from fstheory.lattice.graph import mark_subsets
from fstheory.lattice.layout import check_size
from fstheory.lattice.subsets import (
    Masks,
    Subset,
    covers,
    feature_names,
    format_subset,
    indices_of,
    mask_of,
    minimal_masks,
    names_of,
    ordered_names,
    size_order,
    sizes as sizes_of,
    subset_text,
)

if TYPE_CHECKING:
    import networkx as nx
    import pandas as pd

    from fstheory.lattice.graph import Lattice


# -- The weak ordering of subsets by an exact value. Subsets that tie form a level.


_SHOWN = 256


@dataclass(frozen=True, repr=False)
class Level(OnColumns, Generic[V_co]):
    """All subsets with one value, ordered by size and lexicographically within a size."""

    value: V_co
    subsets: tuple[frozenset[str], ...]

    def __str__(self) -> str:
        return f"{one_line(self.value)}: {one_line(self.subsets, self._columns)}"


class Ordering(ByParts, Result, Sequence[Level[V_co]]):
    """The weak ordering of the subsets of a table: its levels, from the best value to the worst.

    It is a sequence of `Level` objects, each made when it is accessed. Its text names the subsets, the best first:
    ``X1X2 < X1 = X2 < {}`` for a loss, where smaller is better, and ``X1X2 > X1 = X2 > {}`` for a score. Two orderings
    are equal if they order the same subsets in the same way, whatever the values. So a loss and a score may have equal
    orderings.

    Examples
    --------
    >>> from fstheory import SubsetTable
    >>> table = SubsetTable.from_mapping({(): "1/2", ("X1",): "1/3", ("X2",): "1/2"}, features=["X1", "X2"])
    >>> print(table.ordering(), table.ordering()[0].value)
    X1 < {} = X2 1/3
    """

    def __init__(
        self, features: tuple[str, ...], masks: Masks, ranks: Masks, column: Column[V_co], larger_is_better: bool
    ) -> None:
        self._features, self._masks, self._ranks, self._column = features, masks, ranks, column
        self._sign = " > " if larger_is_better else " < "
        self._positions = size_order(masks, len(features), ranks)
        self._starts: list[int] = np.searchsorted(ranks[self._positions], np.arange(int(ranks.max()) + 2)).tolist()

    @property
    def is_strict(self) -> bool:
        """Whether the ordering is strict: no two subsets tie."""
        return len(self) == len(self._masks)

    def masks(self) -> list[list[int]]:
        """Return the bitmasks of each level."""
        held = self._masks[self._positions].tolist()
        return [held[start:stop] for start, stop in itertools.pairwise(self._starts)]

    def __len__(self) -> int:
        return len(self._starts) - 1

    @overload
    def __getitem__(self, index: int) -> Level[V_co]: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Level[V_co]]: ...
    def __getitem__(self, index: int | slice) -> Level[V_co] | Sequence[Level[V_co]]:
        if isinstance(index, slice):
            return tuple(self[i] for i in range(*index.indices(len(self))))
        place = range(len(self))[index]
        positions = self._positions[self._starts[place] : self._starts[place + 1]].tolist()
        subsets = tuple(names_of(int(self._masks[position]), self._features) for position in positions)
        return Level(self._column[min(positions)], subsets, _columns=self._features)

    @property
    def _parts(self) -> Any:
        return self._features, self._masks.tobytes(), self._ranks.tobytes()

    def __str__(self) -> str:
        if len(self._masks) > _SHOWN:
            return repr(self)
        levels = (" = ".join(format_subset(mask, self._features) for mask in level) for level in self.masks())
        return self._sign.join(levels)

    def to_latex(self, *, booktabs: bool = False) -> str:
        r"""Return the ordering as LaTeX for math mode, or with `booktabs` as a table with a row for each level.

        The table needs the packages booktabs and amsmath.

        Examples
        --------
        >>> from fstheory import bayes_risks, gallery
        >>> print(bayes_risks(gallery.xor()).ordering().to_latex())
        \{X_1, X_2\} < \emptyset = \{X_1\} = \{X_2\}
        """
        levels = [[_latex_set(mask, self._features) for mask in level] for level in self.masks()]
        if booktabs:
            listed: Any = [(Formula("", ", ".join(level)), self[i].value) for i, level in enumerate(levels)]
            rows = [(str(i), subsets, value, Rounded(value)) for i, (subsets, value) in enumerate(listed)]
            return table_latex(Table(("level", "subsets", "value", "rounded"), rows, (0, 2, 3)))
        return self._sign.join(map(" = ".join, levels))

    def __repr__(self) -> str:
        return f"<Ordering: {len(self._masks)} subsets in {len(self)} levels>"


def _latex_names(mask: int, features: Sequence[str]) -> str:
    return ", ".join(latex_name(features[i]) for i in indices_of(mask)) or r"\emptyset"


def _latex_set(mask: int, features: Sequence[str]) -> str:
    names = _latex_names(mask, features)
    return rf"\{{{names}\}}" if mask else names


# -- `SubsetTable`: one exact value for each feature subset.


_ROWS = 64  # the largest number of rows in a text
_LATEX_SUBSETS = 16  # larger tables are not shown as LaTeX in a notebook


@dataclass(frozen=True, eq=False, repr=False)
class SubsetTable(Result, Mapping[frozenset[str], V]):
    """An immutable mapping from feature subsets to exact values.

    Functions such as `bayes_risks` return a table. To make one by hand, use `SubsetTable.from_mapping`. A key is any
    iterable of feature names: ``table[{"sex", "age"}]``. Iteration is by size, and lexicographic within a size. Two
    tables are equal if their features, subsets and values are equal. The table stores integers or enclosures; the
    Fraction or LogSum of a subset is made when it is accessed.

    Attributes
    ----------
    features : tuple of str
        The names of the features. Bit i of a mask stands for feature i.
    masks : array
        The bitmasks of the subsets, ascending.
    column : sequence
        The values of the subsets in the order of `masks`, as integers over one denominator or as certified enclosures.
    name, symbol : str
        The quantity that the values are, in words and as one letter.
    larger_is_better : bool
        Whether the values are scores rather than losses. `ordering`, `best_of_size` and `minimal_sets` take the largest
        score or the smallest loss as the best value.

    Examples
    --------
    >>> from fstheory import bayes_risks, gallery
    >>> risks = bayes_risks(gallery.titanic())
    >>> risks[{"sex"}], risks[{}]
    (Fraction(493, 2201), Fraction(711, 2201))
    >>> risks.minimum, [sorted(subset) for subset in risks.minimal_sets()]
    (Fraction(461, 2201), [['age', 'class', 'sex']])
    """

    _instead = MappingProxyType(
        {
            "idxmax": "table.argmax()",
            "idxmin": "table.argmin()",
            "loc": "table[{'X1'}]",
            "max": "table.maximum",
            "min": "table.minimum",
            "nsmallest": "table.best_of_size(k), or table.ordering()",
        }
    )

    features: tuple[str, ...]
    column: Column[V]
    masks: Masks = None  # type: ignore[assignment] # if None, all subsets
    name: str = "value"
    symbol: str = "V"
    larger_is_better: bool = False

    def __post_init__(self) -> None:
        n, column = len(self.features), self.column
        _require_short(self.features)
        held = np.arange(2**n, dtype=np.int64) if self.masks is None else self.masks.astype(np.int64)
        wanted = f"{len(held)} values, one per subset, at least one"
        require(0 < len(held) == len(column), "column", wanted, len(column), "give one value for each mask")
        ascending = (np.diff(held) > 0).all() and held[0] >= 0 and not int(held[-1]) >> n
        require(ascending, "masks", "ascending, over the features", held, "sort them")
        held.flags.writeable = False
        object.__setattr__(self, "masks", held)

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
        """Return the table of a mapping from subsets (hashable iterables of names) to exact values.

        Examples
        --------
        >>> from fstheory import SubsetTable
        >>> SubsetTable.from_mapping({(): "1/2", ("a",): "1/3"}, features=["a"])[{"a"}]
        Fraction(1, 3)
        """
        named = feature_names(features)
        require_type(values, Mapping, "values", "a mapping from subsets to exact values", "pass a dict")
        require(values, "values", "a mapping with at least one subset", values, "name one")
        found: dict[int, Fraction] = {}
        for subset, value in values.items():
            mask = mask_of(subset, named)
            require(mask not in found, "values", "given once for each subset", subset, "name it once")
            found[mask] = as_fraction(value, f"values[{subset!r}]")
        _require_short(named)
        column = RationalColumn.of([found[mask] for mask in sorted(found)])
        return SubsetTable(named, column, np.array(sorted(found), dtype=np.int64), name, symbol, larger_is_better)

    @cached_property
    def ranks(self) -> Masks:
        """The dense ranks of the values, in the order of `masks`: 0 for the smallest value; ties share a rank."""
        with enough_memory("the ranks of all subsets", "take the marginal of fewer features"):
            ranks = self.column.ranks()
        ranks.flags.writeable = False
        return ranks

    @cached_property
    def _levels(self) -> Masks:
        """The levels of the values, in the order of `masks`: 0 for the best value; ties share a level."""
        return self.ranks.max() - self.ranks if self.larger_is_better else self.ranks

    def __getitem__(self, subset: Subset) -> V:
        return self.column[self._position(mask_of(subset, self.features))]

    def value_at(self, mask: int, /) -> V:
        """Return the exact value of the subset with this mask."""
        require_type(mask, (int, np.integer), "mask", "an integer", "name the features instead: table[{'X1'}]")
        return self.column[self._position(mask)]

    def __contains__(self, subset: object) -> bool:
        try:
            self._position(mask_of(subset, self.features))  # type: ignore[arg-type]
        except (LookupError, ValueError):
            return False
        return True

    def __len__(self) -> int:
        return len(self.masks)

    def __iter__(self) -> Iterator[frozenset[str]]:
        for position in size_order(self.masks, len(self.features)):
            yield names_of(int(self.masks[position]), self.features)

    def values(self) -> ValuesView[V]:
        """Return the values in the order of the subsets, without a look-up of each subset."""
        return _Values(self)

    def ordering(self) -> Ordering[V]:
        """Return the weak ordering of the subsets by their values, the best value first.

        Subsets that tie share a level. The best value is the smallest, as for risks, or the largest if
        `larger_is_better`, as for information. Complexity: one sort of the values.

        Examples
        --------
        >>> from fstheory import bayes_risks, gallery
        >>> print(bayes_risks(gallery.titanic()).ordering())
        {class, sex, age} < {class, sex} < {sex} = {sex, age} < {class, age} < {class} < {age} < {}
        """
        return Ordering(self.features, self.masks, self._levels, self.column, self.larger_is_better)

    @property
    def minimum(self) -> V:
        """The smallest value of any subset."""
        return self._level(0).value

    @property
    def maximum(self) -> V:
        """The largest value of any subset."""
        return self._level(int(self.ranks.max())).value

    def argmin(self) -> tuple[frozenset[str], ...]:
        """Return all subsets with the smallest value, ordered by size."""
        return self._level(0).subsets

    def argmax(self) -> tuple[frozenset[str], ...]:
        """Return all subsets with the largest value, ordered by size."""
        return self._level(int(self.ranks.max())).subsets

    def minimal_sets(self) -> tuple[frozenset[str], ...]:
        """Return the minimal subsets with the best value, ordered by size.

        No proper subset of them has the best value.
        """
        return self._names(minimal_masks(self.masks[self.ranks == self._best_rank()]))

    def best_of_size(self, k: int) -> Level[V]:
        """Return the best value among the subsets of k features, with all subsets of that size that have it."""
        sizes = sizes_of(self.masks)
        keep = sizes == as_index(k, "k")
        require(keep.any(), "k", f"one of the sizes in the table, {np.unique(sizes).tolist()}", k, "take another one")
        sized = self._part(keep)
        return sized._level(sized._best_rank())

    def by_size(self) -> Iterator[tuple[int, SubsetTable[V]]]:
        """Yield pairs of a size and the table of the subsets of that size, from the smallest size to the largest."""
        sizes = sizes_of(self.masks)
        for size in np.unique(sizes):
            yield int(size), self._part(sizes == size)

    def restrict(
        self, *, containing: Subset = (), within: Subset | None = None, sizes: Iterable[int] | None = None
    ) -> SubsetTable[V]:
        """Return the table of some of the subsets: those in an interval of the lattice, or those of some sizes.

        The interval consists of the subsets that contain `containing` and lie within `within`, both included. If
        `sizes` is given, only subsets of these sizes are kept.

        Examples
        --------
        >>> from fstheory import bayes_risks, gallery
        >>> print(bayes_risks(gallery.titanic()).restrict(containing={"sex"}, sizes=[2]).ordering())
        {class, sex} < {sex, age}
        """
        low = mask_of(containing, self.features, "containing")
        high = mask_of(self.features if within is None else within, self.features, "within")
        keep = (self.masks & low == low) & (self.masks & ~high == 0)
        wanted = None
        if sizes is not None:
            require_type(sizes, Iterable, "sizes", "an iterable of integers", f"write [{sizes!r}]")
            wanted = sorted({as_index(size, "sizes") for size in sizes})
            keep &= np.isin(sizes_of(self.masks), [size for size in wanted if size <= len(self.features)])
        found = f"containing {format_subset(low, self.features)}, within {format_subset(high, self.features)}"
        found += "" if wanted is None else f", of sizes {wanted}"
        require(keep.any(), "the restriction", "met by at least one subset of the table", found, "make it weaker")
        return self._part(keep)

    def to_frame(self) -> pd.DataFrame:
        """Return a pandas DataFrame with the columns subset, size, value (exact) and level.

        It has one row for each subset, ordered by size. Level 0 has the best value.
        """
        positions = size_order(self.masks, len(self.features))
        held = zip(self.masks[positions].tolist(), self._levels[positions].tolist(), strict=True)
        rows = [(format_subset(m, self.features), m.bit_count(), self.value_at(m), level) for m, level in held]
        return frame_of(rows, ["subset", "size", "value", "level"]).astype({"value": object})

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Any:
        """Return the values in the order of the subsets for NumPy: Fractions, or floats where these are asked for."""
        del copy
        found = np.empty(len(self), dtype=object)
        found[:] = list(self.values())
        return found if dtype is None else found.astype(dtype)

    def to_networkx(
        self,
        *,
        best: Subset | None = None,
        minimal: Iterable[Subset] | None = None,
        path: Any = None,
        optimal: Iterable[Subset] | None = None,
    ) -> nx.DiGraph[frozenset[str]]:
        """Return the Hasse diagram of the subsets as a directed graph.

        Each edge goes from a subset to a subset with one feature more. Nodes are frozensets of names, ordered by size.
        They have the attributes ``value`` (exact), ``size`` and ``rank`` (0 for the smallest value). Edges have the
        attributes ``feature``, the feature that is added, and ``change``, the value at the head minus the value at the
        tail. The graph has the attributes ``name``, ``symbol``, ``features`` and ``path``.

        Parameters
        ----------
        best : subset, optional
            The solution of the minimal-optimal problem. Its node gets ``best=True``.
        minimal : subsets, optional
            All minimal solutions. Their nodes get ``minimal=True``.
        optimal : subsets, optional
            Subsets that are optimal for their size. Their nodes get ``optimal=True``.
        path : sequence of subsets, or a result that has a ``path``, optional
            The subsets that a search visited. Each differs from the subset before it by one feature.

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
        import networkx as nx

        features = self.features
        about: dict[str, Any] = {"name": self.name, "symbol": self.symbol, "larger_is_better": self.larger_is_better}
        graph: Lattice = nx.DiGraph(features=features, **about)
        positions = size_order(self.masks, len(features)).tolist()
        names = {mask: names_of(mask, features) for mask in self.masks[positions].tolist()}
        for position, (mask, subset) in zip(positions, names.items(), strict=True):
            rank = int(self.ranks[position])
            graph.add_node(subset, value=self.column[position], size=mask.bit_count(), rank=rank)
        for mask, subset in names.items():
            for above in covers(mask, len(features)):
                if above in names:
                    (feature,) = indices_of(above ^ mask)
                    change = graph.nodes[names[above]]["value"] - graph.nodes[subset]["value"]
                    graph.add_edge(subset, names[above], feature=features[feature], change=change)
        mark_subsets(graph, best=best, minimal=minimal, path=path, optimal=optimal)
        return graph

    def to_latex(self, *, booktabs: bool = False) -> str:
        r"""Return the exact values as LaTeX for math mode: one line for each subset, the best value first.

        With `booktabs`, return a table for a paper instead. It needs the packages booktabs and amsmath.

        Examples
        --------
        >>> from fstheory import bayes_risks, gallery
        >>> print(bayes_risks(gallery.xor()).restrict(sizes=[0, 2]).to_latex(booktabs=True))
        \begin{tabular}{lrr}
        \toprule
        subset & $R$ & rounded \\
        \midrule
        $\{X_1, X_2\}$ & $0$ & $0$ \\
        $\emptyset$ & $\frac{1}{2}$ & $0.5$ \\
        \bottomrule
        \end{tabular}
        """
        if booktabs:
            return table_latex(without_column(self._listed(None), 0))
        rows = ((_latex_names(mask, self.features), value) for mask, value, _ in self._best_first(None))
        return latex_aligned((f"{self.symbol}({subset})", value) for subset, value in rows)

    def plot(
        self,
        *,
        best: Subset | None = None,
        minimal: Iterable[Subset] | None = None,
        path: Any = None,
        optimal: Iterable[Subset] | None = None,
        **options: Any,
    ) -> PlotFigure:
        """Return a drawing of the Hasse diagram of the subsets. Tables too large for a readable drawing are refused.

        The parameters `best`, `minimal`, `path` and `optimal` mark subsets and are those of `to_networkx`. The options
        are `view`, `labels`, `scale`, `title`, `ax`, `figsize` and `width` of `draw_lattice`.
        """
        check_size(len(self))
        return draw_lattice(self.to_networkx(best=best, minimal=minimal, path=path, optimal=optimal), **options)

    def to_tikz(
        self,
        *,
        best: Subset | None = None,
        minimal: Iterable[Subset] | None = None,
        path: Any = None,
        optimal: Iterable[Subset] | None = None,
        **options: Any,
    ) -> str:
        """Return the Hasse diagram of the subsets as a TikZ picture for LaTeX, with the marks of `plot`.

        The options are `view`, `labels`, `scale` and `width` of `draw_lattice`. The picture needs the package tikz.

        Examples
        --------
        >>> from fstheory import bayes_risks, gallery
        >>> bayes_risks(gallery.xor()).to_tikz(best={"X1", "X2"}).count("draw[rise]")
        2
        """
        check_size(len(self))
        return lattice_tikz(self.to_networkx(best=best, minimal=minimal, path=path, optimal=optimal), **options)

    def __str__(self) -> str:
        return "\n".join([*table_text(without_column(self._listed(_ROWS), 0)), *self._rest()])

    def _repr_html_(self) -> str:
        return table_html(self._listed(_ROWS)) + "".join(f"<p>{line}</p>" for line in self._rest())

    def _repr_latex_(self) -> str | None:
        return f"${self.to_latex()}$" if len(self) <= _LATEX_SUBSETS else None

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, SubsetTable):
            return NotImplemented
        alike = self.features == other.features and np.array_equal(self.masks, other.masks)
        return alike and not column_signs(self.column, other.column).any()

    def __hash__(self) -> int:
        return hash((self.features, self.masks.tobytes(), self.column[0], self.column[len(self) - 1]))

    def __reduce__(self) -> tuple[Any, ...]:
        about = self.name, self.symbol, self.larger_is_better
        return SubsetTable, (self.features, self.column, self.masks, *about)

    def __repr__(self) -> str:
        return f"<SubsetTable: {self.name} of {len(self)} subsets of {', '.join(self.features) or 'no features'}>"

    def _content(self, _: Sequence[str], most: int | None = None) -> dict[str, Any]:
        """Return the table as JSON data: its rows, the best value first and ties by size, and what the values are."""
        rows = [
            {"subset": list(ordered_names(mask, self.features)), "value": to_json(value), "level": level}
            for mask, value, level in self._best_first(most)
        ]
        about: dict[str, Any] = {"name": self.name, "symbol": self.symbol, "larger_is_better": self.larger_is_better}
        return {**about, "features": list(self.features), "count": len(self), "rows": rows}

    def _position(self, mask: int) -> int:
        if not 0 <= mask < 2 ** len(self.features):
            raise unknown("the subset with mask", mask, [f"0 to {2 ** len(self.features) - 1}"])
        position = int(np.searchsorted(self.masks, mask))
        if position == len(self.masks) or self.masks[position] != mask:
            held = (format_subset(int(m), self.features) for m in self.masks[:13])
            raise unknown("subset", format_subset(mask, self.features), held)
        return position

    def _best_rank(self) -> int:
        return int(self.ranks.max()) if self.larger_is_better else 0

    def _best_first(self, most: int | None) -> Iterator[tuple[int, Any, int]]:
        """Yield the mask, the value and the level of the first `most` subsets, the best value first."""
        for i in size_order(self.masks, len(self.features), self._levels)[:most].tolist():
            yield int(self.masks[i]), self.column[i], int(self._levels[i])

    def _listed(self, most: int | None) -> Table:
        """Return the table of the first `most` subsets, the best value first. Subsets that tie share a level."""
        rows = [
            (str(level + 1), self._subset(mask), value, Rounded(value)) for mask, value, level in self._best_first(most)
        ]
        value = Formula(f"{self.name} {self.symbol}", self.symbol)
        return Table(("level", "subset", value, "rounded"), rows, (2, 3), names=(1,))

    def _subset(self, mask: int) -> Formula:
        return Formula(format_subset(mask, self.features), _latex_set(mask, self.features))

    def _rest(self) -> list[str]:
        return [f"... {len(self) - _ROWS} more subsets"] if len(self) > _ROWS else []

    def _part(self, keep: npt.NDArray[np.bool_]) -> SubsetTable[V]:
        """Return the table of some of the subsets."""
        return replace(self, column=self.column.take(np.flatnonzero(keep)), masks=self.masks[keep])

    def _level(self, rank: int) -> Level[V]:
        places = np.flatnonzero(self.ranks == rank)
        return Level(self.column[int(places[0])], self._names(self.masks[places]), _columns=self.features)

    def _names(self, masks: Masks) -> tuple[frozenset[str], ...]:
        return tuple(names_of(mask, self.features) for mask in masks[size_order(masks, len(self.features))].tolist())


class _Values(ValuesView[V]):
    """The values of a table in the order of its subsets."""

    _mapping: SubsetTable[V]

    def __iter__(self) -> Iterator[V]:
        table = self._mapping
        return iter(table.column.take(size_order(table.masks, len(table.features))))


def _require_short(features: tuple[str, ...]) -> None:
    """Refuse more features than a mask has bits."""
    repair = "drop features that play no part"
    require(len(features) <= 63, "features", "at most 63", len(features), repair, TooLargeError)


# -- Two tables of the same subsets, compared value by value and as orderings.


_PAIRS = 8  # the largest number of discordant pairs in the text
Pair: TypeAlias = tuple[frozenset[str], frozenset[str]]


@dataclass(frozen=True, repr=False)
class Comparison(Result):
    """The comparison of two tables of the same subsets: value by value, and as orderings.

    The fields `lower`, `equal` and `higher` hold the subsets whose value in the first table is lower than, equal to, or
    higher than their value in the second table.

    Orderings go from the best value to the worst, so a loss and a score can order the subsets alike. Two subsets are
    discordant if the tables order them differently: one table orders them strictly, and the other table orders them the
    other way or has a tie. `discordant_pairs` holds the discordant pairs that are neighbors in
    one of the two orderings. It is empty only if the two orderings are the same.
    """

    first: SubsetTable[Any]
    second: SubsetTable[Any]
    lower: tuple[frozenset[str], ...]
    equal: tuple[frozenset[str], ...]
    higher: tuple[frozenset[str], ...]
    discordant_pairs: tuple[Pair, ...]

    @property
    def same_ordering(self) -> bool:
        """Whether both tables order the subsets in the same way, ties included."""
        return not self.discordant_pairs

    def __str__(self) -> str:
        counts = f"{len(self.first)} subsets: {len(self.lower)} with a lower value in the first table"
        counts += f", {len(self.equal)} with the same, {len(self.higher)} with a higher one"
        if self.same_ordering:
            return f"{counts}\nboth order the subsets alike"
        pairs = [f"  {self._described(*pair)}" for pair in self.discordant_pairs[:_PAIRS]]
        if self.first.larger_is_better is not self.second.larger_is_better:
            better = ("larger", "smaller") if self.first.larger_is_better else ("smaller", "larger")
            counts += "; {} is better in the first table, {} in the second".format(*better)
        hidden = len(self.discordant_pairs) - _PAIRS
        rest = [f"  ... {hidden} more"] if hidden > 0 else []
        return "\n".join([counts, "ordered differently, among neighbors in one of the orderings:", *pairs, *rest])

    def _described(self, one: frozenset[str], other: frozenset[str]) -> str:
        """Return the text of a discordant pair: how each of the two tables orders it."""
        names = [subset_text(subset, self.first.features) for subset in (one, other)]
        here, there = (
            "<" if table[one] < table[other] else ">" if table[other] < table[one] else "="
            for table in (self.first, self.second)
        )
        return f"{names[0]} {here} {names[1]}, in the second table {there}"


def compare(first: SubsetTable[Any], second: SubsetTable[Any]) -> Comparison:
    """Return the comparison of two tables of the same subsets: value by value, and as orderings.

    Use it to see what a condition, a criterion or a sample changes. Complexity: one sort of the values of both tables.

    Examples
    --------
    >>> from fstheory import bayes_risks, gallery
    >>> from fstheory.lattice import compare
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
    for name, table in (("first", first), ("second", second)):
        require_type(table, SubsetTable, name, "a SubsetTable", "pass a table such as bayes_risks(d)")
    alike = first.features == second.features and np.array_equal(first.masks, second.masks)
    require(alike, "second", "a table of the same subsets of the same features", second, "restrict both alike")
    signs = column_signs(first.column, second.column)
    groups = (first.masks[signs == sign].tolist() for sign in (-1, 0, 1))
    lower, equal, higher = (tuple(names_of(mask, first.features) for mask in masks) for masks in groups)
    return Comparison(first, second, lower, equal, higher, _discordant(first, second))


def _discordant(first: SubsetTable[Any], second: SubsetTable[Any]) -> tuple[Pair, ...]:
    """Return the discordant pairs among neighbors in the joint sorts.

    If any pair of subsets is discordant, then so is a pair of neighbors.
    """
    found: dict[frozenset[int], tuple[int, int]] = {}
    here, there = first._levels, second._levels
    for a, b in ((here, there), (there, here)):
        # Within a tie of a, b ascends. So the pair at the end of a tie compares its largest b with the next b.
        order = np.lexsort((b, a))
        for place in np.flatnonzero((np.diff(a[order]) > 0) & (np.diff(b[order]) <= 0)).tolist():
            low, high = order[place : place + 2].tolist()
            if here[high] < here[low]:
                low, high = high, low
            found.setdefault(frozenset((low, high)), (int(first.masks[low]), int(first.masks[high])))
    features = first.features
    return tuple((names_of(low, features), names_of(high, features)) for low, high in found.values())
