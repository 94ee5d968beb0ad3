"""The value of a subset under a criterion if each row of a sample is predicted from the other rows."""

from __future__ import annotations

import abc
import functools
import math
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar, TypeAlias

import numpy as np

from fstheory._support.exact import integers_over
from fstheory.distributions.joint import JointDistribution
from fstheory.distributions.rows import Sample, cells_at, cells_of_all, merged
from fstheory.errors import InvalidValueError, TooLargeError, explain, require
from fstheory.lattice.columns import Column, Floats, Integers, RationalColumn
from fstheory.lattice.subsets import Subset
from fstheory.lattice.sweep import subset_sums
from fstheory.measures.criteria import as_criterion, auc, gini, logarithmic
from fstheory.measures.criterion import CountedLoss, Criterion, Predictor
from fstheory.measures.information import additions, enclosed_logarithms, histogram
from fstheory.measures.losses import ExpectedLoss
from fstheory.measures.risk import ZeroOneLoss
from fstheory.numbers.limbs import IntegerArray
from fstheory.numbers.logsum import LogSum
from fstheory.samples.tables import left_out_shares, left_out_shares_by_state

_BITS = 26  # of m, so that quotients of counts are in the order of their floats
_WORD = 2**62
_Sizes: TypeAlias = Iterable[tuple[Integers, Integers]]
_TENTHS = 0.4342944819  # of a decimal logarithm in a natural one, rounded down
_MOST_ZEROS = 300  # of a bound on a p-value
_SLACK = 2.0**-40  # a share of a positive number that is more than its rounding errors
_EXPONENTS = np.geomspace(1, 600, 16)  # of c B, at the gain that was found
_WIDEST = 36.0  # of a standard normal variable
_ENDS = np.concatenate([np.linspace(0.15, 6, 40), np.linspace(7, _WIDEST, 30)])
_PROBABILITIES = -np.diff([math.erfc(end / math.sqrt(2)) for end in (0.0, *_ENDS)]) * (1 + _SLACK)
_MANY = 2**20  # rows; for fewer, the logarithms of all counts are computed once


class LeftOut(abc.ABC):
    """A criterion on a sample, with each row predicted from the other rows.

    The methods take tables of class counts by state. All of them have the class totals of the sample.
    """

    weights: Floats | None = None
    """For each class, integers whose sums in a state replace its counts of the classes in `as_good`, if these are many.

    All sums are exact in floats.
    """

    def __init__(self, sample: Sample, criterion: Criterion[Any]) -> None:
        self.sample, self.criterion, self.m = sample, criterion, sample.m
        self.larger_is_better = criterion.larger_is_better
        self.prior = sample.marginal(())
        criterion.check(self.prior)

    def plug_in(self, cells: Integers) -> Any:
        """Return the value of a table if each row is predicted from all rows, itself included."""
        return self.criterion._of_states(merged(self.sample, cells))

    @abc.abstractmethod
    def value(self, cells: Integers) -> Any:
        """Return the exact value of a table, a Fraction or a LogSum."""

    @abc.abstractmethod
    def as_good(self, tables: Integers, cells: Integers) -> Integers:
        """Return, for each table of a batch (batch, states, classes), whether it is at least as good as `cells`."""

    def bound(self, before: Integers, additions: _Sizes, found: Integers, spans: Any = None) -> Fraction:  # noqa: ARG002
        """Return an upper bound on the share of permutations in which an addition is at least as good as `found`.

        Labels are permuted inside the states `before`, which has their table. Each of the `additions` has the number
        of rows of each of its states, and the state before of each. `spans` may have the span of the numbers in each
        state before, as a part of the whole span.
        """
        return Fraction(1)

    def column(self) -> Column[Any] | None:
        """Return the values of all subsets by one sweep of the cells of the sample.

        Return None if the criterion is not a sum of machine numbers over the states.
        """
        return None

    def is_better(self, value: Any, other: Any) -> bool:
        """Return whether one value is better than another."""
        return bool(value > other if self.larger_is_better else value < other)


class _Counted(LeftOut):
    """A criterion that compares tables by an integer score. The larger the score, the better the value."""

    def as_good(self, tables: Integers, cells: Integers) -> Integers:
        good: Integers = self.scores(tables) >= self.scores(cells[None])[0]
        return good

    @abc.abstractmethod
    def scores(self, tables: Integers) -> Integers:
        """Return the score of each table of a batch."""


class _Sums(_Counted):
    """A criterion whose score is a sum over the states. Its value is (`most` - score) / `whole`."""

    most: int
    whole: int

    @abc.abstractmethod
    def by_state(self, tables: Integers) -> Integers:
        """Return the score of each state."""

    def scores(self, tables: Integers) -> Integers:
        found: Integers = self.by_state(tables).sum(axis=-1)
        return found

    def value(self, cells: Integers) -> Fraction:
        return Fraction(self.most - int(self.scores(cells[None])[0]), self.whole)

    def column(self) -> Column[Any] | None:
        cells = cells_of_all(self.sample)
        if self.by_state(self.sample.cells(())[None]).dtype == object:
            return None
        scores = _swept(cells, self.by_state, np.int64)
        return RationalColumn(IntegerArray.from_array(scores).affine(-1, self.most), self.whole)


def _swept(cells: Integers, by_state: Callable[[Integers], Any], kind: type) -> Any:
    """Return, for each subset, the sum over its states of a function of tables of class counts."""

    def write(block: Integers, out: Any) -> None:
        out[0] = by_state(block.T[None])[0]

    return subset_sums(np.moveaxis(cells, -1, 0), write, dtype=kind)[0]


class _Losses(_Sums):
    """An expected loss. Each row gets the prediction with the least loss on the other rows of its state.

    If several predictions have the least loss, their mean loss counts. If its state has no other row, the row gets the
    best prediction for all other rows. The score of a table is what its predictions save against the largest losses.
    The losses are computed once from the whole sample, so the weights of the balanced loss are those of all rows.
    """

    def __init__(self, sample: Sample, criterion: ExpectedLoss) -> None:
        super().__init__(sample, criterion)
        rows = criterion.losses(self.prior)[1]
        integers, denominator = integers_over([loss for row in rows for loss in row])
        losses = np.array(integers, dtype=object).reshape(len(rows), -1)
        worst, predictions = losses.max(axis=1), losses.shape[1]
        self.common = math.lcm(*range(1, predictions + 1))  # so that `common` times a mean over predictions is whole
        seen = sample.cells(())[0]
        self.most, self.whole = int(seen.astype(object) @ worst) * self.common, denominator * self.common * self.m
        saved = worst[:, None] - losses
        is_small = int(saved.max()) * self.m * predictions * self.common < _WORD
        self.saved = saved.astype(np.int64) if is_small else saved
        in_all = seen.astype(self.saved.dtype) @ self.saved
        self.alone = [self.by_others(in_all, y) for y in range(len(rows))]

    def by_others(self, saved: Integers, y: int) -> Integers:
        """Return what a row of class y saves, times `common`, if the prediction is chosen without this row.

        `saved` has what each prediction saves on all rows, this one included.
        """
        others = saved - self.saved[y]
        best = (others == others.max(axis=-1, keepdims=True)).astype(others.dtype)  # a sum of objects stays whole
        found: Integers = best @ self.saved[y] * self.common // best.sum(axis=-1)
        return found

    def by_state(self, tables: Integers) -> Integers:
        counts, alone = tables.astype(self.saved.dtype), tables.sum(axis=-1) == 1
        saved, found = counts @ self.saved, np.zeros(alone.shape, dtype=self.saved.dtype)
        for y, by_all in enumerate(self.alone):
            found += counts[..., y] * np.where(alone, by_all, self.by_others(saved, y))
        return found


class _Wrong(_Sums):
    """The 0-1 loss. The score is in proportion to the rows that the majority of the other rows predicts correctly."""

    def __init__(self, sample: Sample, criterion: Criterion[Any]) -> None:
        super().__init__(sample, criterion)
        self.totals = sample.cells(())
        self.most = self.whole = left_out_shares(self.totals[None])[1] * self.m

    def by_state(self, tables: Integers) -> Integers:
        return left_out_shares_by_state(tables, self.totals)[0]


class _Pairs(_Counted):
    """The AUC. Each pair of a row of class 1 and a row of class 0 is ranked by the shares of class 1 in their states.

    The pair is left out when the shares are computed. If a state has no other row, its share is that of all other rows.
    Source: Airola et al. (2011), "An
    experimental comparison of cross-validation techniques for estimating the area under the ROC curve".
    """

    def __init__(self, sample: Sample, criterion: Criterion[Any]) -> None:
        super().__init__(sample, criterion)
        repair = "draw some of the rows"
        require(
            self.m < 2**_BITS, "sample", f"of fewer than 2**{_BITS} rows for the AUC", self.m, repair, TooLargeError
        )

    def scores(self, tables: Integers) -> Integers:
        """Return twice the number of pairs in the right order, plus the number of tied pairs.

        The shares are floats. Two quotients with denominators below 2**26 have the same float only if they are equal.
        """
        found = np.zeros(len(tables), dtype=np.int64)
        for at, table in enumerate(tables):
            positive, rows = table[:, 1], table.sum(axis=1)
            positive, others = positive[rows > 0], rows[rows > 0] - 1
            alone = (int(positive.sum()) - 1) / max(self.m - 2, 1)
            above = np.where(others, (positive - 1) / np.maximum(others, 1), alone)  # of a state with a positive less
            below = np.where(others, positive / np.maximum(others, 1), alone)
            negative = others + 1 - positive
            order = np.argsort(below)
            ranked = np.append(0, np.cumsum(negative[order]))
            under = [ranked[np.searchsorted(below[order], above, side)] for side in ("left", "right")]
            found[at] = (positive * (under[0] + under[1] + negative)).sum()  # in one state a pair is a tie
        return found

    def value(self, cells: Integers) -> Fraction:
        positive, negative = int(cells[:, 1].sum()), int(cells[:, 0].sum())
        return Fraction(int(self.scores(cells[None])[0]), 2 * positive * negative)


class _Enclosed(LeftOut):
    """A loss that is enclosed by floats with a proven radius. If two enclosures overlap, exact values decide."""

    @abc.abstractmethod
    def centers(self, tables: Integers) -> tuple[Any, float]:
        """Return a float for each table of a batch, the smaller the better, and the radius of their error."""

    def as_good(self, tables: Integers, cells: Integers) -> Integers:
        (found, off), (own, own_off) = self.centers(tables), self.centers(cells[None])
        good: Integers = found < own[0] - off - own_off
        known = {cells.astype(tables.dtype).tobytes(): True}  # equal tables, which are many, are compared once
        for at in np.flatnonzero(abs(found - own[0]) <= off + own_off):
            key = tables[at].tobytes()
            if key not in known:
                known[key] = self.value(tables[at]) <= self.value(cells)
            good[at] = known[key]
        return good


class _Squares(_Enclosed):
    """The squared distance between the point of a row's class and the mean point of the other rows of its state.

    If its state has no other row, the mean is that of all other rows. Leaving rows out multiplies the sum of squares of
    a state of N rows by (N / (N - 1))**2. For the Gini impurity the points are the corners of a simplex, and the value
    is the Brier score.
    """

    def __init__(self, sample: Sample, criterion: Criterion[Any]) -> None:
        super().__init__(sample, criterion)
        points = criterion._points(self.prior)  # type: ignore[attr-defined]
        integers, self.denominator = integers_over([v for point in points for v in point])
        known = np.array(integers, dtype=object).reshape(len(points), -1)
        known = known - known.min(axis=0)
        self.span, self.total = int(known.max()) or 1, sample.cells(())[0].astype(object) @ known
        self.moments = np.column_stack([known[:, 0] ** 0, known, (known**2).sum(axis=1)])
        powers = [1, *[self.span] * known.shape[1], self.span**2]
        unit = [[float(Fraction(int(v), of)) for v, of in zip(row, powers, strict=True)] for row in self.moments]
        self.unit, self.scale = np.array(unit), np.array([float(1 / Fraction(of)) for of in powers])
        if len(points) > len(powers) and self.m * int(self.moments.max()) < 2**53:
            self.weights = self.moments.T.astype(float)

    def as_good(self, tables: Integers, cells: Integers) -> Integers:
        same = self.weights is None or tables.shape[-1] == cells.shape[-1]
        return super().as_good(tables, cells if same else self.exact(cells).astype(tables.dtype))

    def exact(self, cells: Integers) -> Integers:
        """Return the number of rows, the sum of their points, and the sum of the squares of these, for each state.

        `cells` may also have these sums already.
        """
        found: Integers = cells.astype(np.int64).astype(object)
        return found @ self.moments if cells.shape[-1] == len(self.moments) else found

    def bound(self, before: Integers, additions: _Sizes, found: Integers, spans: Any = None) -> Fraction:
        """Return a bound by the mean of exp(c B) over all permutations; the notes of `supported_features` prove it."""
        inside, whole = self.exact(before), (self.denominator / Fraction(self.span)) ** 2
        rows = inside[:, 0].astype(np.int64)
        squares = (_spread(inside) / (np.maximum(inside[:, 0], 1) * self.span**2)).astype(float)
        gain = float(squares.sum()) * (1 - _SLACK) - float(self.value(found) * self.m * whole) * (1 + _SLACK)
        if len(self.total) > 1 or gain <= 0:
            return Fraction(1)
        least, spans = [], np.ones(len(rows)) if spans is None else spans
        for sizes, inside in additions:
            order = np.lexsort((sizes, inside))
            n, state = sizes[order].astype(float), inside[order]
            all_left = (n.sum() - n.cumsum() + n) - (rows.sum() - rows.cumsum())[state]  # in its state, and not before
            used = (n > 0) & (n < all_left)
            n, left, unit = n[used], all_left[used], spans[state[used]] ** 2  # so that numbers are from 0 to 1
            own = squares[state[used]] / unit * (1 + _SLACK)
            means = ((e, _log_means(e / gain * unit, n, left, own)) for e in _EXPONENTS)
            least.append(max(e - float(logarithms.sum()) for e, logarithms in means))
        return _power_of_ten(min(least) - math.log(len(least)))

    def value(self, cells: Integers) -> Fraction:
        sums = self.exact(cells)
        alone = int(((self.m * sums[sums[:, 0] == 1, 1:-1] - self.total) ** 2).sum())
        several = self.mean_square(sums, lambda n: Fraction(n, (n - 1) ** 2))
        return several + Fraction(alone, max(self.m - 1, 1) ** 2 * self.denominator**2 * self.m)

    def plug_in(self, cells: Integers) -> Any:
        if cells.shape[-1] == len(self.moments):
            return super().plug_in(cells)
        return self.mean_square(self.exact(cells), lambda n: Fraction(1, n))

    def mean_square(self, sums: Integers, share: Callable[[int], Fraction]) -> Fraction:
        """Return the sum of the spread of each state of n > 1 rows times its share, for each row."""
        rows, spread = sums[:, 0].astype(np.int64), _spread(sums)
        parts = (share(n) * int(spread[rows == n].sum()) for n in np.unique(rows[rows > 1]).tolist())
        return sum(parts, Fraction(0)) / (self.denominator**2 * self.m)

    def centers(self, tables: Integers) -> tuple[Any, float]:
        sums = tables @ self.unit if tables.shape[-1] == len(self.unit) else tables * self.scale
        rows, total = sums[..., 0], np.array([float(Fraction(int(v), self.span)) for v in self.total])
        alone = ((self.m * sums[..., 1:-1] - total) ** 2).sum(axis=-1) / max(self.m - 1, 1) ** 2
        several = rows * _spread(sums) / np.maximum(rows - 1, 1) ** 2
        radius = 64 * np.finfo(float).eps * self.m * len(total) * (tables[0].size + len(total) + 8)
        return np.where(rows == 1, alone, several).sum(axis=-1), radius


def _spread(sums: Any) -> Any:
    """Return the sum of squares about the mean point of each state, times its rows."""
    return sums[..., 0] * sums[..., -1] - (sums[..., 1:-1] ** 2).sum(axis=-1)


def _log_means(c: Any, n: Floats, left: Floats, own: Floats) -> Floats:
    """Return, for cells of n of the rows that are left in a state, bounds on the logarithm of the mean of exp(c Z**2).

    `own` is the sum of squares of the state, for numbers from 0 to 1. The notes of `supported_features` name the rest.
    """
    share, spread = left / (left - n), own / left
    widest = np.minimum(1.0, spread * share * left / n) * (1 + (1 + np.log(left - 1)) / (left - 1))
    with np.errstate(divide="ignore", over="ignore", invalid="ignore"):
        by_range = -np.log1p(-np.minimum(c / 2 * widest * (1 + _SLACK), 1)) / 2
        total = np.where(2 * c * n * share > _WIDEST**2, np.inf, 0.0)
        for end, probability in [*zip(_ENDS, _PROBABILITIES, strict=True), (_WIDEST, math.exp(-(_WIDEST**2) / 2))]:
            t = end * np.sqrt(2 * c * share / n)
            total += probability * ((np.exp(-t * spread) + spread * np.exp(t)) / (1 + spread)) ** n
    by_spread = np.log(total) + (n + 1) * _SLACK
    found: Floats = np.fmin(np.fmin(by_range, by_spread), c * own)  # if numbers are all equal, a bound is 0 times inf
    return found


def _power_of_ten(exponent: float) -> Fraction:
    """Return a power of ten that is at least exp(-exponent), and at most 1. Rounding errors below 2**-20 are paid."""
    return Fraction(1, 10 ** min(max(math.floor((exponent - 2.0**-20) * _TENTHS), 0), _MOST_ZEROS))


def _times_log(counts: Integers, more: int) -> Floats:
    """Return n log(n + more) for each count n."""
    found: Floats = counts * np.log(np.maximum(counts + float(more), 1))
    return found


class _Logarithms(_Enclosed):
    """The logarithmic loss. A class that n of the N other rows of a state have gets (n + 1) / (N + classes) there."""

    def __init__(self, sample: Sample, criterion: Criterion[Any]) -> None:
        super().__init__(sample, criterion)
        self.others = len(sample.classes) - 1

    @functools.cached_property
    def terms(self) -> tuple[Floats, Floats]:
        """The terms of a class and of a state by their counts, for samples that are so small that these are few."""
        counts = np.arange(self.m + 1)
        return _times_log(counts, 0), _times_log(counts, self.others)

    def column(self) -> Column[Any] | None:
        cells = cells_of_all(self.sample)
        centers, radius = _swept(cells, self.by_state, float), self.radius(additions(cells.shape[:-1], cells.shape[-1]))
        base, rounded = self.criterion.base, np.finfo(float).eps * abs(centers).max()  # type: ignore[attr-defined]
        return enclosed_logarithms(centers / self.m, (radius + rounded) / self.m, base, self.at)

    def at(self, mask: int) -> LogSum:
        """Return the exact loss of the subset with this mask."""
        return self.value(cells_at(self.sample, mask))

    def bound(self, before: Integers, additions: _Sizes, found: Integers, spans: Any = None) -> Fraction:  # noqa: ARG002
        """Return a bound by the mean of exp(m I) over all permutations; the notes of `supported_features` prove it."""
        rows, rivals = before.sum(axis=1), np.maximum((before > 0).sum(axis=1) - 1, 0)
        least = float((_times_log(rows, 0) - _times_log(before, 0).sum(axis=1)).sum()) - self.radius(before.size)
        logarithms = []
        for sizes, inside in additions:
            terms, largest = np.where(sizes > 0, np.log(2 + np.sqrt(np.pi / 2 * sizes)), 0.0), np.zeros(len(rows))
            np.maximum.at(largest, inside, terms)
            by_state = np.bincount(inside, terms, len(rows)) - largest + np.log(2.0 * np.maximum(rows, 1)) / 2
            logarithms.append(float(rivals @ by_state))
        (value,), radius = self.centers(found[None])
        return _power_of_ten(least - float(value) - radius - max(logarithms) - math.log(len(logarithms)))

    def value(self, cells: Integers) -> LogSum:
        terms: Counter[int] = Counter()
        for total, times in histogram(cells.sum(axis=1)):
            terms[total + self.others] += total * times
        for count, times in histogram(cells.ravel()):
            terms[count] -= count * times
        base = self.criterion.base  # type: ignore[attr-defined]
        return LogSum.of_counts(terms, self.m, base)

    def by_state(self, tables: Integers) -> Floats:
        """Return m times the loss in each state."""
        rows = tables.sum(axis=-1)
        if self.m < _MANY:
            own, every = (terms[counts] for terms, counts in zip(self.terms, (tables, rows), strict=True))
        else:
            own, every = _times_log(tables, 0), _times_log(rows, self.others)
        found: Floats = every - own.sum(axis=-1)
        return found

    def radius(self, additions: int) -> float:
        """Return the radius of m times a loss, if each number goes through so many additions after those of a state."""
        steps = additions + self.others + 9
        return float(4 * steps * np.finfo(float).eps * self.m * math.log(self.m + self.others + 1))

    def centers(self, tables: Integers) -> tuple[Any, float]:
        return self.by_state(tables).sum(axis=1), self.radius(tables.shape[1])


_KINDS: tuple[tuple[type[Criterion[Any]], Callable[[Sample, Any], LeftOut]], ...] = (
    (ZeroOneLoss, _Wrong),
    (ExpectedLoss, _Losses),
    (type(auc()), _Pairs),
    (type(gini()), _Squares),
    (type(logarithmic()), _Logarithms),
)
"""For each class of criteria, its values on rows that are left out."""


def has_rows_left_out(criterion: Criterion[Any]) -> bool:
    """Return whether `left_out` accepts this criterion."""
    return isinstance(criterion, tuple(known for known, _ in _KINDS))


def left_out(sample: Sample, criterion: Criterion[Any] | str) -> LeftOut:
    """Return a criterion on a sample with each row predicted from the other rows. Other criteria are refused."""
    chosen = as_criterion(criterion)
    for known, kind in _KINDS:
        if isinstance(chosen, known):
            return kind(sample, chosen)
    wanted = "one of which it is known what a row left out is worth, as of no criterion of all rows together such as F"
    raise InvalidValueError(explain("criterion", wanted, chosen.name, "take 'auc' or 'logarithmic', say"))


@dataclass(frozen=True)
class LeftOutLoss(CountedLoss):
    """The 0-1 loss on the rows of a sample, each predicted by the majority of the other rows of its state.

    It is a criterion of the distribution of the rows. If several classes are the most frequent, their share counts.
    """

    totals: tuple[int, ...]
    times: int  # the number of rows for each unit of weight of the distribution
    name: ClassVar[str] = "0-1 loss, each row predicted by the others"
    symbol: ClassVar[str] = "R"

    @classmethod
    def of(cls, sample: Sample) -> LeftOutLoss:
        """Return the loss for the distribution of the rows of a sample."""
        return cls(tuple(sample.cells(())[0].tolist()), sample.m // sample.empirical().total)

    @property
    def denominator(self) -> int:
        """The number by which the losses by state are multiplied."""
        return math.lcm(*range(1, len(self.totals) + 1)) * self.times

    def by_state(self, cells: Integers) -> Integers:
        """Return the loss of each state as an integer."""
        counts = cells * self.times
        right, common = left_out_shares_by_state(counts[None], np.array([self.totals]))
        wrong: Integers = common * counts.sum(axis=-1).astype(right.dtype) - right[0]  # objects if they are needed
        return wrong

    def predictor(self, d: JointDistribution, subset: Subset) -> Predictor[Any]:
        """Return the predictor of the most frequent class of all rows of a state."""
        return ZeroOneLoss().predictor(d, subset)
