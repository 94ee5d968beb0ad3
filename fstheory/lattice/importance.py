"""Importances of features in a table of all subsets: exact Shapley values and their relatives, and prices of rankings.

A table of all subsets is a cooperative game: the players are the features, and a coalition is worth what its features
gain over no feature. The gain is positive if the features help: for a loss it is the amount by which the loss falls.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, get_args

import numpy as np
import numpy.typing as npt

from fstheory._support.exact import (
    Exact,
    as_fraction,
    decimal_text,
    drawable,
    integers_over,
    latex_cells,
    latex_escaped,
    latex_table,
    latex_text,
    latex_value,
    nearest_float,
    to_text,
)
from fstheory._support.result import OnColumns, Result, columns, one_line, to_json
from fstheory.errors import InvalidTypeError, TooLargeError, explain, import_optional, require, require_type, unknown
from fstheory.lattice.columns import ExactColumn, RationalColumn, exact_column
from fstheory.lattice.figure import PlotFigure, Size, Width
from fstheory.lattice.series import draw_bars
from fstheory.lattice.subsets import checked_size, format_subset, mask_of, ordered_names
from fstheory.lattice.table import SubsetTable
from fstheory.numbers.logsum import LogSum, LogSums

if TYPE_CHECKING:
    import pandas as pd

Kind: TypeAlias = Literal["shapley", "banzhaf", "loco", "alone", "mci", "least"]
"""The importances that have a name."""

_Values: TypeAlias = "npt.NDArray[Any]"  # integers over a common denominator, or other exact numbers

_TITLES = {
    "shapley": "Shapley value",
    "banzhaf": "Banzhaf value",
    "loco": "loss without the feature (LOCO)",
    "alone": "gain alone",
    "mci": "largest gain (MCI)",
    "least": "least gain",
    "weights": "weighted mean gain",
}
_WAYS = 2**17  # the most ways to break a tie that are tried


# -- The gains of one feature, or of two together, over all subsets of the other features.


@dataclass(frozen=True)
class _Game:
    """The gains of all coalitions, by mask: numerators over one denominator, or exact numbers over 1."""

    values: _Values
    denominator: int
    n: int

    @classmethod
    def of(cls, table: SubsetTable[Any]) -> _Game:
        """Return the game of a table. For a loss, a gain is the amount by which the loss falls."""
        n, column = len(table.features), table.column
        complete = len(table) == 2**n
        require(complete, "subject", "a table of all subsets", table, "pass it before it is restricted")
        if isinstance(column, RationalColumn):
            words, denominator = column.numerators.words, column.denominator
            # A sum of 2**n differences of two of them has to fit a machine word.
            small = words is not None and max(int(words.max()), -int(words.min())) < 2 ** (61 - n)
            numbers = words if words is not None and small else np.array(column.numerators.tolist(), dtype=object)
        else:
            numbers, denominator = np.empty(len(table), dtype=object), 1
            numbers[:] = [column[i] for i in range(len(table))]
        return cls(numbers if table.larger_is_better else -numbers, denominator, n)

    def exact(self, value: Any) -> Any:
        """Return a number of the game over its denominator, as a Fraction or another exact number."""
        return Fraction(int(value), self.denominator) if isinstance(value, int | np.integer) else value

    def gains(self, i: int) -> _Values:
        """Return what feature i adds to each subset of the others, in the order of their masks."""
        halves = self.values.reshape(-1, 2, 1 << i)
        gains: _Values = (halves[:, 1] - halves[:, 0]).ravel()
        return gains

    def joint_gains(self, i: int, j: int) -> _Values:
        """Return how much more feature i adds to each subset of the others if feature j is there; i is below j."""
        quarters = self.values.reshape(-1, 2, 1 << (j - i - 1), 2, 1 << i)
        gains = quarters[:, 1, :, 1] - quarters[:, 1, :, 0] - quarters[:, 0, :, 1] + quarters[:, 0, :, 0]
        return np.asarray(gains).ravel()

    @cached_property
    def logarithms(self) -> LogSums | None:
        """The values, if all of them are sums of logarithms to one base."""
        values = self.values.tolist() if self.values.dtype == object else []
        logarithmic = bool(values) and all(isinstance(value, LogSum) for value in values)
        return LogSums(values) if logarithmic and len({value.base for value in values}) == 1 else None

    def weighted(self, features: tuple[int, ...], weights: Sequence[Fraction]) -> Any:
        """Return the sum of what one or two features add to the subsets of the others, times the weight of each size.

        Sums of logarithms are added in one pass: the value of a subset with all the features counts as often as the
        weight says, and each feature that it lacks changes the sign.
        """
        if self.logarithms is not None:
            integers, denominator = integers_over(weights)
            own = sum(1 << i for i in features)
            held = [((mask & own).bit_count(), (mask & ~own).bit_count()) for mask in range(2**self.n)]
            signed = [-integers[size] if (len(features) - inside) % 2 else integers[size] for inside, size in held]
            return self.logarithms.weighted(signed, denominator)
        gains = self.gains(*features) if len(features) == 1 else self.joint_gains(*features)
        sums = gains[None]  # by size, over the subsets of the features that are counted, for each subset of the others
        while sums.shape[1] > 1:
            without, beside = np.hsplit(sums, 2)
            sums = np.concatenate([without[:1], without[1:] + beside[:-1], beside[-1:]])
        sums = sums[:, 0]
        return sum((weight * self.exact(part) for weight, part in zip(weights, sums, strict=True)), Fraction(0))


def semivalue_weights(kind: str, n: int) -> tuple[Fraction, ...]:
    """Return the weight of a subset of each size from 0 to n - 1 in a semivalue of n features.

    The weights of all subsets of the other features sum to 1.

    Examples
    --------
    >>> semivalue_weights("shapley", 3)
    (Fraction(1, 3), Fraction(1, 6), Fraction(1, 3))
    """
    sizes = range(n)
    weights = {
        "shapley": [Fraction(1, n * math.comb(n - 1, size)) for size in sizes],
        "banzhaf": [Fraction(2, 2**n)] * n,
        "loco": [Fraction(size == n - 1) for size in sizes],
        "alone": [Fraction(size == 0) for size in sizes],
    }
    if kind not in weights:
        raise unknown("kind of importance", kind, get_args(Kind))
    return tuple(weights[kind])


# -- The result, and what keeping the features of highest importance costs.


@dataclass(frozen=True, repr=False)
class Price(OnColumns):
    """The loss from keeping the k features of highest importance instead of the best k features.

    Attributes
    ----------
    k : int
    kept : tuple of str
        The k features of highest importance. If features tie for the last places, the worst choice among them.
    ties : bool
        Whether features tie for the last places.
    best : tuple of frozenset of str
        All best subsets of k features.
    lost : exact number
        How much worse the kept features are than the best ones, in the unit of the table. It is 0 if they are as good.
    """

    k: int
    kept: tuple[str, ...]
    ties: bool
    best: tuple[frozenset[str], ...]
    lost: Any

    def __str__(self) -> str:
        subsets = (mask_of(subset, self._columns) for subset in (self.kept, self.best[0]))
        kept, best = (format_subset(mask, self._columns) for mask in subsets)
        several = "feature" if self.k == 1 else f"{self.k} features"
        tied = " (the worst choice among features that tie)" if self.ties else ""
        be, lose = ("is", "loses") if self.k == 1 else ("are", "lose")
        outcome = f"{lose} {one_line(self.lost)} against {best}" if self.lost else f"{be} a best choice of this size"
        return f"the {several} of highest importance, {kept}{tied}, {outcome}"


@dataclass(frozen=True, repr=False)
class Importance(Result, Mapping[str, Any]):
    """The exact importance of each feature: a mapping from names of features to exact numbers.

    `fstheory.importance` makes it. A positive importance means that the feature helps, for losses as for scores. The
    unit is that of the criterion.

    Attributes
    ----------
    table : SubsetTable
        The values of all subsets.
    kind : str
        The kind of importance: 'shapley', 'banzhaf', 'loco', 'alone', 'mci', 'least', or 'weights'.
    numbers : tuple of exact numbers
        The importance of each feature, in the order of `features`.

    Examples
    --------
    >>> from fstheory import importance
    >>> found = importance("xor", "loco")
    >>> found["X1"], dict(found) == {"X1": found["X1"], "X2": found["X2"]}
    (Fraction(1, 2), True)
    """

    table: SubsetTable[Any] = field(repr=False)
    kind: str
    numbers: tuple[Any, ...]

    def __hash__(self) -> int:
        return hash((self.table, self.kind, self.numbers))  # a mapping has no hash of its own

    @property
    def features(self) -> tuple[str, ...]:
        """The names of all features, in order."""
        return self.table.features

    def __getitem__(self, feature: str) -> Any:
        if feature not in self.features:
            raise unknown("feature", feature, self.features)
        return self.numbers[self.features.index(feature)]

    def __iter__(self) -> Iterator[str]:
        return iter(self.features)

    def __len__(self) -> int:
        return len(self.features)

    @property
    def total(self) -> Any:
        """What all features together gain over no feature."""
        return _gain(self.table, 2 ** len(self.features) - 1)

    def ranking(self) -> tuple[tuple[str, ...], ...]:
        """Return the features from the highest importance to the lowest. Features that tie stand together, in order.

        Examples
        --------
        >>> from fstheory import gallery, importance
        >>> importance(gallery.copies()).ranking()
        (('X1', 'X2'),)
        """
        ranks = ExactColumn(self.numbers).ranks().tolist()
        ties: dict[int, list[str]] = {}
        for rank, name in zip(ranks, self.features, strict=True):
            ties.setdefault(rank, []).append(name)
        return tuple(tuple(ties[rank]) for rank in sorted(ties, reverse=True))

    def price(self, k: int) -> Price:
        """Return the loss from keeping the k features of highest importance instead of the best k features.

        If features tie for the last places, the worst choice among them counts.

        Examples
        --------
        >>> from fstheory import gallery, importance
        >>> print(importance(gallery.titanic()).price(1))
        the feature of highest importance, {sex}, is a best choice of this size
        """
        size = checked_size(k, len(self.features))
        sure: list[str] = []
        tied: tuple[str, ...] = ()
        for tied in self.ranking():
            if len(sure) + len(tied) > size:
                break
            sure += tied
        left = size - len(sure)
        ways = math.comb(len(tied), left) if left else 1
        needed = f"such that at most {_WAYS:,} choices of features tie"
        require(ways <= _WAYS, "k", needed, f"{k}, with {ways:,}", "take another k", TooLargeError)
        masks = [mask_of([*sure, *chosen], self.features) for chosen in itertools.combinations(tied, left)]
        worst = min(masks, key=lambda mask: _gain(self.table, mask))
        best = self.table.best_of_size(size)
        lost = _gain(self.table, mask_of(best.subsets[0], self.features)) - _gain(self.table, worst)
        return Price(size, ordered_names(worst, self.features), ways > 1, best.subsets, lost, _columns=self.features)

    def interactions(self) -> dict[tuple[str, str], Any]:
        """Return the Shapley interaction index of each pair of features.

        It is the average, over all orders of the features, of how much more one feature adds if the other one comes
        before it. It is positive if the two help each other, and negative if they can replace each other. Source:
        Grabisch and Roubens (1999).

        Examples
        --------
        >>> from fstheory import gallery, importance
        >>> importance(gallery.xor()).interactions()
        {('X1', 'X2'): Fraction(1, 2)}
        """
        game, n = _Game.of(self.table), len(self.features)
        weights = semivalue_weights("shapley", n - 1) if n > 1 else ()
        pairs = itertools.combinations(range(n), 2)
        return {(self.features[i], self.features[j]): game.weighted((i, j), weights) for i, j in pairs}

    def dividends(self) -> SubsetTable[Any]:
        """Return the dividend of each subset: its gain minus the dividends of all its proper subsets.

        The gain of a subset is the sum of the dividends of all its subsets, and the Shapley value shares each dividend
        equally. Source: Harsanyi (1963).

        Examples
        --------
        >>> from fstheory import gallery, importance
        >>> print(importance(gallery.xor()).dividends())
        subset  dividend d  rounded
        X1X2           1/2      0.5
        {}               0        0
        X1               0        0
        X2               0        0
        """
        game = _Game.of(self.table)
        parts = (game.values - game.values[0]).astype(object)
        for i in range(game.n):
            halves = parts.reshape(-1, 2, 1 << i)
            halves[:, 1] -= halves[:, 0]
        column = exact_column([game.exact(part) for part in parts])
        return SubsetTable(self.features, column, name="dividend", symbol="d", larger_is_better=True)

    def to_frame(self) -> pd.DataFrame:
        """Return a pandas DataFrame with the columns feature, importance (exact), rounded and rank.

        It has one row for each feature, the highest importance first.
        """
        pandas = import_optional("pandas", "data", "to_frame()")
        rows = [(name, self[name], nearest_float(self[name]), rank) for rank, name in self._ranked()]
        frame = pandas.DataFrame(rows, columns=["feature", "importance", "rounded", "rank"])
        return frame.astype({"importance": object})  # type: ignore[no-any-return]

    def to_latex(self, *, booktabs: bool = False) -> str:
        """Return the importances as LaTeX for math mode: one line for each feature, the highest first.

        With `booktabs`, return a table for a paper instead. It needs the packages booktabs and amsmath.
        """
        if booktabs:
            rows = ((str(rank), latex_escaped(name), *latex_cells(self[name])) for rank, name in self._ranked())
            return latex_table("rlrr", ("rank", "feature", latex_escaped(self._title()), "rounded"), rows)
        lines = (rf"{latex_text(name)} &= {latex_value(self[name])}" for _, name in self._ranked())
        return r"\begin{aligned} " + r" \\ ".join(lines).replace(r"= \approx", r"\approx") + r" \end{aligned}"

    def plot(
        self, *, k: int | None = None, title: str = "", figsize: Size | None = None, width: Width | None = None
    ) -> PlotFigure:
        """Draw a bar for each feature, the highest first. With `k`, the bars of the best k features are hatched.

        If the hatched bars are not the longest bars, keeping the features of highest importance loses something.
        """
        names = [name for _, name in self._ranked()]
        best = self.table.best_of_size(checked_size(k, len(self.features))).subsets[0] if k is not None else frozenset()
        heading = title or self.table.name  # the axis names the kind
        panels = {self._title(): [drawable(self[name]) for name in names]}
        chosen = (f"the best {k} together" if k is not None else "", best)
        return draw_bars(names, panels, chosen, title=heading, description=str(self)).sized(figsize, width)

    def _ranked(self) -> Iterator[tuple[int, str]]:
        """Yield each feature with its rank, the highest first. Features that tie have one rank."""
        rank = 1
        for group in self.ranking():
            for name in group:
                yield rank, name
            rank += len(group)

    def _title(self) -> str:
        return _TITLES[self.kind]

    def _content(self, _: Sequence[str]) -> dict[str, Any]:
        rows = [{"feature": name, "value": to_json(self[name]), "rank": rank} for rank, name in self._ranked()]
        return {"kind": self.kind, "criterion": self.table.name, "total": to_json(self.total), "rows": rows}

    def __str__(self) -> str:
        rows = [("rank", "feature", "exact", "rounded")]
        rows += [(str(rank), name, to_text(self[name], 0), decimal_text(self[name])) for rank, name in self._ranked()]
        if any("≈" in exact for _, _, exact, _ in rows):  # an irrational number has no short exact text
            rows = [(rank, name, rounded) for rank, name, _, rounded in rows]  # type: ignore[misc]
        head = f"{self._title()} of each feature, {self.table.name}; all together gain {one_line(self.total)}"
        return "\n".join([head, *columns(rows, "  ", numbers=range(2, len(rows[0])))])


def _gain(table: SubsetTable[Any], mask: int) -> Any:
    """Return what the subset with a mask gains over no feature."""
    difference = table.value_at(mask) - table.value_at(0)
    return difference if table.larger_is_better else -difference


def table_importance(table: SubsetTable[Any], kind: Kind | Sequence[Exact] = "shapley") -> Importance:
    """Return the importance of each feature in a table of all subsets. See `fstheory.importance`.

    Examples
    --------
    >>> from fstheory import bayes_risks, gallery
    >>> table_importance(bayes_risks(gallery.xor()))["X1"]
    Fraction(1, 4)
    """
    table = require_type(table, SubsetTable, "subject", "a SubsetTable", "pass a table such as bayes_risks(d)")
    game, n = _Game.of(table), len(table.features)
    if isinstance(kind, str):
        if kind in ("mci", "least"):
            end = np.max if kind == "mci" else np.min
            return Importance(table, kind, tuple(game.exact(end(game.gains(i))) for i in range(n)))
        weights = semivalue_weights(kind, n)
    else:
        weights, kind = _own_weights(kind, n), "weights"
    numbers = tuple(game.weighted((i,), weights) for i in range(n))
    return Importance(table, kind, numbers)


def _own_weights(given: Sequence[Exact], n: int) -> tuple[Fraction, ...]:
    """Return the weights of the caller, one for each size of a subset of the other features, or raise an error."""
    if not isinstance(given, Sequence):
        repair = f"name one of {', '.join(get_args(Kind))}, or pass the weight of a subset of each size"
        raise InvalidTypeError(explain("kind", "the name of an importance or a sequence of weights", given, repair))
    weights = tuple(as_fraction(weight, f"kind[{size}]") for size, weight in enumerate(given))
    require(len(weights) == n, "kind", f"{n} weights, for subsets of 0 to {n - 1} features", given, "pass as many")
    total = sum((math.comb(n - 1, size) * weight for size, weight in enumerate(weights)), Fraction(0))
    repair = "divide the weights by their sum over all subsets of the other features"
    proper = not n or (total == 1 and min(weights) >= 0)
    require(
        proper, "kind", "weights of at least 0 that sum to 1 over all subsets", f"a sum of {to_text(total)}", repair
    )
    return weights
