"""Importances of features in a table of all subsets: exact Shapley values and their relatives, and prices of rankings.

A table of all subsets is a cooperative game: the players are the features, and a coalition is worth what its features
gain over no feature. The gain is positive if the features help: for a loss it is the amount by which the loss falls.
"""

from __future__ import annotations

import html
import itertools
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, get_args

import numpy as np
import numpy.typing as npt

from fstheory._support.exact import (
    Exact,
    as_fraction,
    drawable,
    integers_over,
    latex_aligned,
    latex_text,
    nearest_float,
    to_text,
)
from fstheory._support.result import (
    OnColumns,
    Result,
    Rounded,
    Table,
    frame_of,
    one_line,
    plain,
    table_html,
    table_latex,
    table_text,
    to_json,
    without_column,
)
from fstheory.errors import InvalidTypeError, TooLargeError, explain, require, require_type, unknown
from fstheory.lattice.columns import EnclosedColumn, ExactColumn, RationalColumn
from fstheory.lattice.figure import PlotFigure, Size, Width
from fstheory.lattice.series import draw_bars
from fstheory.lattice.subsets import checked_size, format_subset, mask_of, ordered_names
from fstheory.lattice.table import SubsetTable
from fstheory.numbers.enclosure import rational
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
    """The gains of all coalitions, by mask: numerators over one denominator, or exact numbers over 1.

    A table of logarithms has enclosed values: each is at most `radius` from its numerator over the denominator. A mean
    of gains is then at most 2 `radius` from that of the numerators, and a mean of joint gains at most 4 `radius`: a
    gain is a difference of two values and a joint gain has four, and the weights of a mean are not negative and sum to
    1. No other error is made, because the numerators are integers that do not overflow.
    """

    table: SubsetTable[Any]
    values: _Values
    denominator: int | Fraction = 1
    radius: Fraction | None = None  # None: the values are exact

    @classmethod
    def of(cls, table: SubsetTable[Any]) -> _Game:
        """Return the game of a table. For a loss, a gain is the amount by which the loss falls."""
        n, column, sign = len(table.features), table.column, 1 if table.larger_is_better else -1
        complete = len(table) == 2**n
        require(complete, "subject", "a table of all subsets", table, "pass it before it is restricted")
        # A sum of 2**n differences of two numerators has to fit a machine word, so each has at most 61 - n bits.
        if isinstance(column, RationalColumn):
            words = column.numerators.words
            small = words is not None and max(int(words.max()), -int(words.min())) < 2 ** (61 - n)
            numbers = words if words is not None and small else np.array(column.numerators.tolist(), dtype=object)
            return cls(table, numbers if table.larger_is_better else -numbers, column.denominator)  # no copy of a score
        if isinstance(column, EnclosedColumn) and column.zero is not None and column.radii.max() < math.inf:
            bits = 60 - n - math.frexp(np.abs(column.centers).max())[1]
            numerators = np.rint(np.ldexp(column.centers, bits)).astype(np.int64)  # the nearest integers
            denominator = Fraction(2) ** bits
            return cls(table, sign * numerators, denominator, Fraction(column.radii.max()) + 1 / (2 * denominator))
        return cls(table, np.array([None, *(sign * column[i] for i in range(len(table)))])[1:])

    def exact(self, value: Any) -> Any:
        """Return a number of the game over its denominator, as a Fraction or another exact number."""
        return Fraction(int(value)) / self.denominator if isinstance(value, int | np.integer) else value

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

    def end(self, i: int, end: Callable[[Any], Any]) -> Any:
        """Return the largest or the smallest gain of feature i. If enclosures overlap, exact gains decide."""
        gains = self.gains(i)
        if self.radius is None:
            return self.exact(end(gains))
        near = np.flatnonzero(abs(gains - end(gains)) <= int(4 * self.radius * self.denominator))
        masks = ((near >> i << i + 1) | (near & (1 << i) - 1)).tolist()
        return end(np.array([None, *(_difference(self.table, mask, mask | 1 << i) for mask in masks)])[1:])

    @cached_property
    def logarithms(self) -> LogSums | None:
        """The values of the table, if all of them are sums of logarithms to one base."""
        if self.values.dtype != object and self.radius is None:
            return None
        values = [self.table.column[i] for i in range(len(self.table))]
        logarithmic = all(isinstance(value, LogSum) for value in values)
        return LogSums(values) if logarithmic and len({value.base for value in values}) == 1 else None

    def weighted(self, features: tuple[int, ...], weights: Sequence[Fraction]) -> Any:
        """Return the sum of what one or two features add to the subsets of the others, times the weight of each size.

        The weights are not negative and sum to 1 over these subsets. An enclosed sum is made exact when an answer needs
        it. Sums of logarithms are added in one pass: the value of a subset with all the features counts as often as the
        weight says, and each feature that it lacks changes the sign.
        """
        if self.radius is not None:
            radius, exact = 2 ** len(features) * self.radius, partial(self._of_logarithms, features, weights)
            return self.table.column.zero.enclosed(self._sum(features, weights), radius, exact)  # type: ignore[attr-defined]
        return self._sum(features, weights) if self.logarithms is None else self._of_logarithms(features, weights)

    def _of_logarithms(self, features: tuple[int, ...], weights: Sequence[Fraction]) -> LogSum:
        integers, denominator = integers_over(weights)
        own, sign = sum(1 << i for i in features), 1 if self.table.larger_is_better else -1
        held = [((mask & own).bit_count(), (mask & ~own).bit_count()) for mask in range(len(self.table))]
        signed = [sign * (-1) ** (len(features) - inside) * integers[size] for inside, size in held]
        if all(integers):
            assert self.logarithms is not None
            return self.logarithms.weighted(signed, denominator)
        few = LogSums([self.table.column[mask] for mask, times in enumerate(signed) if times])
        return few.weighted([times for times in signed if times], denominator)

    def _sum(self, features: tuple[int, ...], weights: Sequence[Fraction]) -> Any:
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
        return _difference(self.table, 0, 2 ** len(self.features) - 1)

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
        worst = min(masks, key=partial(_difference, self.table, 0))
        best = self.table.best_of_size(size)
        lost = _difference(self.table, worst, mask_of(best.subsets[0], self.features))
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

    def to_frame(self) -> pd.DataFrame:
        """Return a pandas DataFrame with the columns feature, importance (exact), rounded and rank.

        It has one row for each feature, the highest importance first.
        """
        rows = ((name, self[name], nearest_float(self[name]), rank) for rank, name in self._ranked())
        return frame_of(rows, ["feature", "importance", "rounded", "rank"]).astype({"importance": object})

    def to_latex(self, *, booktabs: bool = False) -> str:
        """Return the importances as LaTeX for math mode: one line for each feature, the highest first.

        With `booktabs`, return a table for a paper instead. It needs the packages booktabs and amsmath.
        """
        if booktabs:
            return table_latex(self._listed(self._title()))
        return latex_aligned((latex_text(name), self[name]) for _, name in self._ranked())

    def _listed(self, title: str) -> Table:
        """Return the table of the features, the highest importance first, with the title of the exact numbers."""
        exact = {name: number if (value := rational(number)) is None else value for name, number in self.items()}
        rows = [(str(rank), name, exact[name], Rounded(self[name])) for rank, name in self._ranked()]
        return Table(("rank", "feature", title, "rounded"), rows, (2, 3), names=(1,))

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

    def _shown(self) -> tuple[str, Table]:
        """Return the words above the table, and the table. An irrational number has no short exact text."""
        table = self._listed("exact")
        if any(not isinstance(exact, Fraction) or "≈" in plain(exact) for _, _, exact, _ in table.rows):
            table = without_column(table, 2)
        return f"{self._title()} of each feature, {self.table.name}; all together gain {one_line(self.total)}", table

    def __str__(self) -> str:
        head, table = self._shown()
        return "\n".join([head, *table_text(table, "  ")])

    def _repr_html_(self) -> str:
        head, table = self._shown()
        return f"<p>{html.escape(head)}</p>{table_html(table)}"


def _difference(table: SubsetTable[Any], mask: int, other: int) -> Any:
    """Return how much better the other one of two subsets is, by their masks."""
    difference = table.value_at(other) - table.value_at(mask)
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
            return Importance(table, kind, tuple(game.end(i, end) for i in range(n)))
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
