"""The relevant features of a sample: the columns that tell something about the class, alone or beside another one."""

from __future__ import annotations

import copy
import itertools
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from fstheory._support.exact import Exact, as_fraction, as_index, decimal_text
from fstheory._support.result import Result, Rows, first_of
from fstheory.distributions.counting import Rows as DistinctRows
from fstheory.distributions.rows import Sample, distinct_rows, generator, has_numeric_target
from fstheory.lattice.columns import Integers
from fstheory.lattice.figure import PlotFigure, Size, Width
from fstheory.lattice.series import draw_bars
from fstheory.measures.regression import numeric_states
from fstheory.samples.estimates import require_sample
from fstheory.samples.fitting import is_below, is_settled

_WORK = 4 * 10**10  # products of a label and a state in the permutations of one call: some seconds
_VISITS = 4 * 10**8  # of rows, for the tables of all pairs: some seconds
_FEW_ROWS = 5000  # the table of a pair takes as long as the visit of so many rows, even if there are fewer
_CELLS = 2**24  # of the tables of all columns beside one column
_AT_ONCE = 2**17  # permuted labels, or cells of permuted tables, in memory
_ONE_THREAD = 2**18  # products of two numbers, up to which OpenBLAS starts no threads
_SHORT = 13  # bits of rows times classes: up to these, 32 bits give the weights of the cells four digits
_FIRST = 40  # permutations that are drawn before the rule of `is_settled` is asked
_MOST_EXPONENT = 600.0  # smaller bounds on a p-value than exp(-600) are told as this one

_STRENGTH = "standard deviations above the mean under permuted classes"

_Floats: TypeAlias = npt.NDArray[np.float64]


@dataclass(frozen=True, repr=False)
class ColumnRelevance(Result):
    """The tests of one column: whether it tells something about the class alone, and beside each other column.

    Attributes
    ----------
    feature : str
    states : int
        The number of values of the column that occur.
    alone : bool
        Whether the column tells something about the class alone.
    strength : float or None
        Pearson's statistic of the column alone: how many standard deviations it lies above its mean under permuted
        classes. It is None if the column could not be judged.
    p : Fraction or None
        The p-value of the test alone, adjusted for all tests: compare it with the familywise error rate. If no
        permutation is as good, it is a proved upper bound, where this is smaller. It is None if the column could not
        be judged.
    permutations : int
        The number of permutations behind the verdict. If it is 0, a bound decides that is proved without any.
    beside : tuple of str
        The columns beside which this column tells something.
    replaced_by : tuple of str
        Columns that tell something alone, and beside which this column shows nothing more: all permutations inside
        their states leave it as it is, or permutations refused it. Where a bound decided, nothing is listed: a bound
        that is not passed says little.
    settled : bool
        Whether the permutations decide each verdict, except for an error of probability at most 1/1000 in each test, by
        which its level is lowered. If not, another seed may give other verdicts.
    not_judged : str
        Why the column could not be judged. Empty if it was judged.
    """

    feature: str
    states: int
    alone: bool
    strength: float | None
    p: Fraction | None
    permutations: int
    beside: tuple[str, ...]
    replaced_by: tuple[str, ...]
    settled: bool
    not_judged: str = ""
    _derived = ("relevant",)

    @property
    def relevant(self) -> bool:
        """Whether the column tells something about the class, alone or beside another column."""
        return self.alone or bool(self.beside)

    def __str__(self) -> str:
        if self.not_judged:
            return f"{self.feature}: not judged, {self.not_judged}"
        assert self.p is not None
        p = f"p {decimal_text(self.p, 2)}"
        if self.alone:
            replaced = f", replaced by {first_of(self.replaced_by)}" if self.replaced_by else ""
            return f"{self.feature}: tells something alone, {p}{replaced}"
        if self.beside:
            return f"{self.feature}: tells something only together with {first_of(self.beside)}"
        return f"{self.feature}: no evidence, {p}"


@dataclass(frozen=True, repr=False)
class RelevantFeatures(Rows):
    """All columns of a sample with the verdict whether they tell something about the class.

    `columns` has a `ColumnRelevance` for each feature, in the order of the sample. `familywise` is the error rate of
    all tests together. `pairs_tried` says whether the columns were tested beside each other, which needs two columns
    and not too many.
    """

    _table: ClassVar = "columns"

    sample: Sample
    columns: tuple[ColumnRelevance, ...]
    familywise: Fraction
    pairs_tried: bool

    @property
    def features(self) -> tuple[str, ...]:
        """The relevant features, in the order of the sample."""
        return tuple(column.feature for column in self.columns if column.relevant)

    @property
    def unsettled(self) -> tuple[str, ...]:
        """The columns on which another seed may decide otherwise."""
        return tuple(column.feature for column in self.columns if not column.settled)

    def plot(self, *, title: str | None = None, figsize: Size | None = None, width: Width | None = None) -> PlotFigure:
        """Draw the strength of each column alone as a bar. The bars of the relevant features are hatched."""
        judged = [column for column in self.columns if column.strength is not None]
        names = [column.feature for column in judged]
        panels = {_STRENGTH: [column.strength or 0.0 for column in judged]}
        heading = str(self).partition("\n")[0] if title is None else title
        chosen = "relevant", self.features
        return draw_bars(names, panels, chosen, title=heading, description=str(self)).sized(figsize, width)

    def __str__(self) -> str:
        head = f"{len(self.features)} of {len(self.columns)} columns tell something about {self.sample.target}"
        return "\n".join([f"{head} in {self.sample.m:,} samples", *(f"  {column}" for column in self.columns)])


def relevant_features(
    sample: Sample,
    *,
    rng: int | np.random.Generator,
    familywise: Exact = "1/20",
    permutations: int = 19_999,
) -> RelevantFeatures:
    """Return all columns that tell something about the class, alone or beside one other column.

    Use it to see every column that is worth a look. `supported_features` looks for a small set that is enough; a column
    that says the same as this set is left out there, and found here. A column that tells something only together with
    another one is found as well, as each of two bits whose exclusive or is the class.

    A column is tested alone, and inside the states of each other column. The statistic is Pearson's: the sum over the
    cells of (n - e)**2 / e, where e is the mean of the count n under permuted classes. Each statistic is compared with
    the largest one of all columns under the same permutation (Westfall and Young, 1993).

    Parameters
    ----------
    sample : Sample
        If the classes are more than ten numbers, they are cut in four groups at their quartiles.
    rng : a seed, or a generator that is advanced
    familywise : exact number, above 0 and below 1
        The probability, at most, that some column is called relevant though it is not. Half of it is for the tests
        alone and half for those beside another column, an equal part for each of these other columns.
    permutations : int
        The largest number of permutations in one test. They are drawn until every verdict is certain, except for an
        error of probability 1/1000, as in `supported_features`. If the number that is needed would take too long, no
        permutation is drawn: a bound decides, which is proved for any number of rows; see the notes.

    Returns
    -------
    RelevantFeatures
        Its `columns` have the verdicts, and `features` the names of the relevant columns.

    Notes
    -----
    The mean and the variance of the statistic over all permutations are known (Kazi-Aoual et al., 1995). It is
    standardized by both, so that columns with many and with few states can be compared. A column whose statistic is
    the same for all permutations cannot be judged: a constant, or a unique key.

    The bound: let a state of N rows have a share q of a class, and all rows the share p. Under permuted classes the
    count is hypergeometric, so a count at least this far off on its side has a probability of at most exp(-N D(q, p)),
    where D(q, p) = q log(q/p) + (1 - q) log((1 - q)/(1 - p)) (Hoeffding, 1963, Theorems 1 and 4). The p-value of the
    column is at most the smallest of these, times twice the number of the cells. Rounding is taken off D before.

    A verdict on a column is valid if the class is independent of all irrelevant columns together, given the column
    beside which they are tested. The rows must be independent of each other.

    Complexity: n**2 tables for n columns, and for each permutation and column beside which the others are tested a
    product of labels with states. If n**2 tables take too long, columns are tested alone, and `pairs_tried` is False.

    Sources: Westfall and Young, "Resampling-Based Multiple Testing" (1993); Kazi-Aoual, Hitier, Sabatier and Lebreton,
    "Refined approximations to permutation tests for multivariate inference" (1995), DOI 10.1016/0167-9473(94)00064-2.

    Examples
    --------
    >>> import fstheory as fs
    >>> s = fs.sample(fs.gallery.xor(), 80, rng=0)
    >>> print(fs.samples.relevant_features(s, rng=0))
    2 of 2 columns tell something about Y in 80 samples
      X1: tells something only together with X2
      X2: tells something only together with X1
    """
    require_sample(sample, "sample")
    rate = as_fraction(familywise, "familywise", above=0, below=1, repair="pass '1/20', say")
    most = as_index(permutations, "permutations", at_least=1)
    tests = _Tests(sample, generator(rng), rate, most)
    beside = {given: tests.of(given) for given in tests.judged} if tests.pairs else {}
    return RelevantFeatures(sample, tuple(_columns(tests, tests.of(None), beside)), rate, tests.pairs)


class _Verdict(NamedTuple):
    """The verdict on a column inside the states of one column, or of none, with its adjusted p-value.

    `p` is None if the statistic is the same for all permutations inside these states.
    """

    accepted: bool
    p: Fraction | None
    settled: bool
    permutations: int  # 0 if none was drawn: nothing to permute, or a bound decides

    @property
    def replaced(self) -> bool:
        """Whether the column shows nothing inside these states. A bound that is not passed does not say so."""
        return not self.accepted and self.settled and (self.p is None or self.permutations > 0)


_Verdicts: TypeAlias = dict[int, _Verdict]  # by the number of the column
_SAME_FOR_ALL = _Verdict(False, None, True, 0)


def _columns(tests: _Tests, alone: _Verdicts, beside: dict[int, _Verdicts]) -> Iterator[ColumnRelevance]:
    """Yield the verdict on each column, in order."""
    names = tests.sample.features
    for i, name in enumerate(names):
        states = int(tests.states[i])
        if i not in alone:
            yield ColumnRelevance(name, states, False, None, None, 0, (), (), True, tests.why_not(i))
            continue
        verdict, inside = alone[i], {given: found[i] for given, found in beside.items() if i in found}
        replacing = (given for given, other in inside.items() if other.replaced and alone[given].accepted)
        yield ColumnRelevance(
            name,
            states,
            verdict.accepted,
            tests.strength[i],
            verdict.p,
            verdict.permutations,
            tuple(names[given] for given, other in inside.items() if other.accepted),
            tuple(names[given] for given in replacing if verdict.accepted),
            all(each.settled for each in (verdict, *inside.values())),
        )


class _Test(NamedTuple):
    """A column to be tested inside the states of a given one.

    `table` has the axes state, given state, class. `mean` and `variance` are those of Pearson's statistic.
    """

    axis: int
    table: Integers
    mean: float
    variance: float


class _Tests:
    """The tests on one sample, by the column inside whose states the classes are permuted."""

    def __init__(self, sample: Sample, rng: np.random.Generator, rate: Fraction, most: int) -> None:
        self.sample, self.rng, self.rate, self.most = sample, rng.spawn(1)[0], rate, most
        rows, everything = distinct_rows(sample), range(len(sample.features))
        groups = _groups_of_classes(sample)
        columns, shape = [*rows.columns[:-1], groups[rows.columns[-1]]], [*rows.shape[:-1], int(groups.max()) + 1]
        self.rows = DistinctRows(columns, rows.times, shape)
        alone = list(self.beside(None, everything))
        self.states = [int(test.table.any(axis=(1, 2)).sum()) for test in alone]
        self.strength = {test.axis: _standardized(test) for test in alone if test.variance > 0}
        self.judged = [*self.strength]
        n = len(self.judged)
        self.pairs = n > 1 and n * n * max(len(rows), _FEW_ROWS) <= _VISITS

    def why_not(self, axis: int) -> str:
        """Return why the statistic of a column is the same for all permutations."""
        if self.states[axis] == 1:
            return "it has one value only"
        keys = f"each of its {self.states[axis]:,} values stands in one row only: a key, or numbers to be cut"
        return keys if self.states[axis] == self.sample.m else "the classes leave nothing to permute"

    def beside(self, given: int | None, columns: Sequence[int]) -> Iterator[_Test]:
        """Yield the table of each column inside the states of the given one, with the moments of its statistic."""
        keys = self.rows.states_of([-1] if given is None else [given, -1])
        for axis, table in zip(columns, self.rows.pairs(columns, keys), strict=True):
            cells = table.reshape(len(table), -1, self.rows.shape[-1])
            yield _Test(axis, cells, *_moments(cells))

    def of(self, given: int | None) -> _Verdicts:
        """Test all columns inside the states of one column, or of none. Too large tables are not tested."""
        groups = 1 if given is None else len(self.judged)
        level = self.rate / (2 * groups if self.pairs else 1)
        others = [axis for axis in self.judged if axis != given]
        shape = 1 if given is None else self.rows.shape[given], self.rows.shape[-1]
        if given is not None and sum(self.rows.shape[axis] for axis in others) * math.prod(shape) > _CELLS:
            return {}
        tests = [test for test in self.beside(given, others) if test.variance > 0]
        verdicts = dict.fromkeys(others, _SAME_FOR_ALL)
        if not tests:
            return verdicts
        labels = self.sample.m * self.rows.shape[-1]
        most = min(self.most, _WORK // (groups * labels * sum(len(test.table) for test in tests)))
        if is_settled(0, most, level):
            statistics = _Statistics(self.rows, given, tests, copy.deepcopy(self.rng))
            return verdicts | self.by_permutations(statistics, tests, level, most)
        bounds = {test.axis: min(Fraction(1), _bound(test.table) * len(tests) * self.rate / level) for test in tests}
        return verdicts | {axis: _Verdict(bound <= self.rate, bound, True, 0) for axis, bound in bounds.items()}

    def by_permutations(self, statistics: _Statistics, tests: Sequence[_Test], level: Fraction, most: int) -> _Verdicts:
        """Draw permutations until the verdict on each column is certain, or up to a number."""
        observed = dict(zip((test.axis for test in tests), statistics.observed, strict=True))
        as_good, drawn, undecided = dict.fromkeys(observed, 0), dict.fromkeys(observed, 0), {*observed}
        total = 0
        while total < most and undecided:
            number = min(max(_FIRST, total // 2), most - total)
            largest, total = statistics.permuted(number), total + number
            for axis in undecided:
                as_good[axis] += int((largest >= observed[axis]).sum())
                drawn[axis] = total
            undecided = {axis for axis in undecided if not is_settled(as_good[axis], total, level)}
        verdicts = {}
        for test in tests:
            good, number, settled = as_good[test.axis], drawn[test.axis], test.axis not in undecided
            p = min(Fraction(good + 1, number + 1), Fraction(1) if good else _bound(test.table))
            adjusted = min(Fraction(1), p * self.rate / level)
            verdicts[test.axis] = _Verdict(settled and is_below(good, number, level), adjusted, settled, number)
        return verdicts


def _groups_of_classes(s: Sample) -> npt.NDArray[np.int64]:
    """Return the group of each class: the class itself, or the quarter of the rows of a number among many."""
    groups = np.arange(len(s.classes))
    if has_numeric_target(s):
        counts, before = s.cells(()).sum(axis=0), 0
        numbers = numeric_states(s, s.target)
        for k in sorted(range(len(numbers)), key=numbers.__getitem__):
            groups[k] = min(3, 4 * before // s.m)
            before += int(counts[k])
    return np.unique(groups, return_inverse=True)[1]


def _moments(table: Integers) -> tuple[float, float]:
    """Return the mean and the variance of Pearson's statistic over all permutations of the classes in each state.

    `table` has the axes column, state, class. In a state with m rows let A and B be the projections of the indicators
    of the column and of the class, without the mean. The statistic is m tr(A B), the sum over the states. Here
    a = tr A, and s is the sum of the squares of the diagonal of A; b and t are those of B.
    """
    mean = variance = 0.0
    for k in range(table.shape[1]):
        m = float(table[:, k].sum())
        (a, s), (b, t) = (_projection(table[:, k].sum(axis=axis), m) for axis in (1, 0))
        if m > 1:
            mean += m * a * b / (m - 1)
        if 0 < a < m - 1 and 0 < b < m - 1:  # else all permutations of this state have the same statistic
            both = 2 * a * (m - 1 - a) * b * (m - 1 - b) / ((m - 1) ** 2 * (m + 1) * (m - 2))
            if m > 3:
                spread = (m * (m + 1) * diagonal - (m - 1) * rank * (rank + 2) for rank, diagonal in ((a, s), (b, t)))
                both += math.prod(spread) / ((m + 1) * m * (m - 1) * (m - 2) * (m - 3))
            variance += m * m * both
    return mean, variance


def _standardized(test: _Test) -> float:
    """Return Pearson's statistic of a column alone, less its mean and over its standard deviation."""
    table = test.table[:, 0].astype(float)
    expected = table.sum(axis=1, keepdims=True) * table.sum(axis=0) / table.sum()
    parts = np.divide((table - expected) ** 2, expected, out=np.zeros(table.shape), where=expected > 0)
    return (float(parts.sum()) - test.mean) / math.sqrt(test.variance)


def _projection(counts: Integers, m: float) -> tuple[int, float]:
    """Return the rank of a projection on indicators without the mean, and the sum of its squared diagonal."""
    seen = counts[counts > 0]
    return len(seen) - 1, float((1 / seen).sum()) - (2 * len(seen) - 1) / max(m, 1.0)


def _bound(table: Integers) -> Fraction:
    """Return an upper bound on the p-value of a column inside the given states, from the tails of its counts."""
    sizes, classes = table.sum(axis=2, keepdims=True), table.sum(axis=0, keepdims=True)
    totals = classes.sum(axis=2, keepdims=True)
    used = (sizes > 0) & (classes > 0) & (classes < totals)
    if not used.any():
        return Fraction(1)
    count, size, of_class, total = (
        np.broadcast_to(part, used.shape)[used].astype(float) for part in (table, sizes, classes, totals)
    )
    with np.errstate(divide="ignore", invalid="ignore"):
        seen = np.where(count > 0, count * np.log(count * total / (size * of_class)), 0.0)
        rest = size - count
        unseen = np.where(rest > 0, rest * np.log(rest * total / (size * (total - of_class))), 0.0)
    # Each logarithm is below 90, each product has an error of a few units in the last place of 53 bits.
    exponent = float((seen + unseen - size * 2.0**-42).max()) - 2.0**-20
    return Fraction(math.exp(-min(max(exponent, 0.0), _MOST_EXPONENT))) * 2 * int(used.sum())


class _Statistics:
    """The standardized statistics of the columns inside the states of one column, observed and permuted.

    A statistic is a sum of integers, squared counts times rounded weights, so that equal tables have equal statistics.
    """

    def __init__(self, rows: DistinctRows, given: int | None, tests: Sequence[_Test], rng: np.random.Generator) -> None:
        self.rng, self.m, self.classes = rng, rows.total, rows.shape[-1]
        self.mean = np.array([test.mean for test in tests]) + self.m  # of the sum of n**2 / e, which is larger by m
        self.deviation = np.sqrt([test.variance for test in tests])
        self.starts = np.cumsum([0, *(len(test.table) for test in tests)])[:-1]
        joined = np.concatenate([test.table for test in tests]).swapaxes(0, 1)  # given state, state, class
        self.sizes, of_class = joined.sum(axis=2), tests[0].table.sum(axis=0)
        length = (self.m * self.classes).bit_length()  # the sum for a column is at most this times the scale
        self.kind: type[np.int32 | np.int64] = np.int32 if length <= _SHORT else np.int64
        self.scale = 2.0 ** ((30 if length <= _SHORT else 61) - length)
        expected = self.sizes[:, :, None] * (of_class / np.maximum(of_class.sum(axis=1, keepdims=True), 1))[:, None, :]
        inverse = np.divide(self.scale, expected, out=np.zeros(joined.shape), where=expected > 0)
        self.weights = inverse.astype(self.kind)
        self.observed = self.standardized((joined**2 * self.weights).sum(axis=(0, 2))[None])[0]

        order = np.argsort(np.zeros(len(rows)) if given is None else rows.columns[given], kind="stable")
        one_by_one = np.repeat(order, rows.counts[order])
        self.labels = rows.columns[-1][one_by_one]
        self.blocks = list(itertools.pairwise(np.cumsum([0, *of_class.sum(axis=1)])))  # the rows of each given state
        shown = [rows.columns[test.axis][one_by_one][:, None] == np.arange(len(test.table)) for test in tests]
        self.states = np.concatenate(shown, axis=1).astype(np.float32)  # products of 0 and 1 are exact below 2**24

    def standardized(self, sums: Integers) -> _Floats:
        """Return the statistics less their means, over their standard deviations, from the sums for single states."""
        statistics = np.add.reduceat(sums, self.starts, axis=1) / self.scale
        standardized: _Floats = (statistics - self.mean) / self.deviation
        return standardized

    def permuted(self, number: int) -> _Floats:
        """Return the largest statistic of all columns for each of so many permutations of the classes."""
        batch = max(1, min(number, _AT_ONCE // max(self.m, self.weights[0].size)))
        return np.concatenate([self.batch(min(batch, number - start)) for start in range(0, number, batch)])

    def batch(self, number: int) -> _Floats:
        """Return the largest statistics for permutations that are drawn together."""
        sums = np.zeros((number, self.weights.shape[1]), dtype=self.kind)
        for sizes, weights, (start, stop) in zip(self.sizes, self.weights, self.blocks, strict=True):
            labels = self.rng.permuted(np.tile(self.labels[start:stop], (number, 1)), axis=1)
            rest = np.tile(sizes.astype(self.kind), (number, 1))  # the counts of the last class
            for y in range(self.classes):
                counts = rest
                if y < self.classes - 1:
                    counts = _product((labels == y).astype(np.float32), self.states[start:stop]).astype(self.kind)
                    rest -= counts
                counts *= counts
                counts *= weights[:, y]
                sums += counts
        largest: _Floats = self.standardized(sums).max(axis=1)
        return largest


def _product(labels: npt.NDArray[np.float32], states: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
    """Return a matrix product. Small ones are taken in pieces: in two threads they would take many times as long."""
    rows = _ONE_THREAD // max(1, states.size)
    if rows < 8:
        return labels @ states
    return np.concatenate([labels[start : start + rows] @ states for start in range(0, len(labels), rows)])
