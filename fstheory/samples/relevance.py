"""The relevant features of a sample: the columns that tell something about the class, alone or beside another one."""

from __future__ import annotations

import copy
import itertools
import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, partial
from operator import itemgetter
from typing import Any, ClassVar, Literal, NamedTuple, TypeAlias, Unpack, get_args

import numpy as np
import numpy.typing as npt

from fstheory._support.exact import Exact, as_fraction, as_index, decimal_text
from fstheory._support.result import Result, Rows, first_of
from fstheory.distributions.counting import ONE_BY_ONE, Grouping, Rows as DistinctRows, packed, shuffled
from fstheory.distributions.prepare import numbers_of
from fstheory.distributions.rows import Sample, distinct_rows, generator, has_numeric_target
from fstheory.distributions.tables import MISSING, edges_of
from fstheory.errors import InvalidValueError, require_choice
from fstheory.lattice.columns import Integers
from fstheory.lattice.figure import PlotFigure, Size, Width
from fstheory.lattice.series import draw_bars
from fstheory.measures.regression import numeric_states
from fstheory.samples.design import Design, Designed, DesignOptions, designed
from fstheory.samples.estimates import require_sample
from fstheory.samples.fitting import is_below, is_settled

_WORK = 4 * 10**10  # products of a label and a state in the permutations of one call: some seconds
_VISITS = 4 * 10**8  # of rows, for the tables of all pairs: some seconds
_FEW_ROWS = 5000  # the table of a pair takes as long as the visit of so many rows, even if there are fewer
_CELLS = 2**24  # of the tables of all columns beside one column
_AT_ONCE = 2**17  # permuted labels, or cells of permuted tables, in memory
_BY_BITS = 2**12  # with more rows of a stratum, classes and states are counted by the bits of 64 rows at once
_ONE_THREAD = 2**18  # products of two numbers, up to which OpenBLAS starts no threads
_SHORT = 13  # bits of rows times classes: up to these, 32 bits give the weights of the cells four digits
_FIRST = 40  # permutations that are drawn before the rule of `is_settled` is asked
_STEADY = 1000  # a variance below the squared mean over this is raised to it: of a constant only rounding is left
_MOST_EXPONENT = 600.0  # smaller bounds on a p-value than exp(-600) are told as this one

_BY_BOUND = Fraction(1, 1000)  # of a p-value that may come from a bound or from permutations: the part of the bound
_FOR_ONE = 10  # times the permutations without which no single column can be accepted by its p-value

_STRENGTH = "standard deviations above the mean under permuted classes"

_EXACT = 2**24  # the largest sum of the shares of all groups, which products of floats of 32 bits hold exactly
ROWS_ASSUMED = "The rows must be independent of each other."

_Floats: TypeAlias = npt.NDArray[np.float64]
_Trend: TypeAlias = tuple[_Floats, _Floats, float, float]
Control: TypeAlias = Literal["familywise", "fdr"]


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
        The p-value of the test alone, adjusted for all tests: compare it with the error rate. If no permutation is as
        good, it is a proved upper bound, where this is smaller. It is None if the column could not be judged.
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
        which its level is lowered. If not, another seed may give other verdicts. Under ``control="fdr"``, the level of
        a column alone is the one of the last column that is accepted.
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
    all tests together, and `control` says which one: the familywise or the false discovery rate. `pairs_tried` says
    whether the columns were tested beside each other, which needs two columns and not too many. `sample` has the
    features with joined columns in place of their parts. `design` says how its rows were gathered, and `assumed`
    says in a sentence what the tests assume of them.
    """

    _table: ClassVar = "columns"

    sample: Sample
    columns: tuple[ColumnRelevance, ...]
    familywise: Fraction
    pairs_tried: bool
    design: Design
    assumed: str
    control: Control = "familywise"

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
    control: Control = "familywise",
    **design: Unpack[DesignOptions],
) -> RelevantFeatures:
    """Return all columns that tell something about the class, alone or beside one other column.

    Use it to see every column that is worth a look. `supported_features` looks for a small set that is enough; a column
    that says the same as this set is left out there, and found here. A column that tells something only together with
    another one is found as well, as each of two bits whose exclusive or is the class.

    A column is tested alone, and inside the states of each other column, by two statistics. Pearson's sees every
    difference: it is the sum over the cells of (n - e)**2 / e, where e is the mean of the count n under permuted
    classes. The other one sees a trend: a class that becomes more or less frequent along the states, in the same
    direction inside all states of the other column. It needs states with an order: numbers, ranges, or two states. The
    larger one of the two is compared with the largest one of all columns under the same permutation (Westfall and
    Young, 1993). So one error rate covers both.

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
    control : 'familywise' or 'fdr'
        Which error rate `familywise` is. With 'fdr' it is the false discovery rate: on average, at most this share of
        the columns that are called relevant is called so falsely. See the notes.
    groups, always, together, time : optional
        The design of the sample, as in `fstheory.samples.design.Design`.

    Returns
    -------
    RelevantFeatures
        Its `columns` have the verdicts, and `features` the names of the relevant columns.

    Notes
    -----
    The trend: number the states of the column 0, 1, 2 and so on in their order. A missing value has the mean number of
    the others. Let L be the sum of the numbers in the rows of a class. The statistic is the sum over the classes of
    (L - e)**2 / v. Here e is the mean of L under permuted classes, and v is the number of rows of the class times the
    variance of the numbers, added over the states of the other column. For two classes this is the test of Mantel
    (1963), and for a column alone the one of Cochran and Armitage.

    The mean and the variance of both statistics over all permutations are known (Kazi-Aoual et al., 1995). From both,
    the cube root of Wilson and Hilferty (1931) makes nearly normal numbers, so that the two statistics, and columns
    with many and with few states, can be compared. Permutations give valid p-values of any statistic, so the error rate
    does not depend on how near to normal it is. A column whose statistic of Pearson is the same for all permutations
    cannot be judged: a constant, or a unique key.

    The bound does not see trends. Let a state of N rows have a share q of a class, and all rows the share p. Under
    permuted classes the count is hypergeometric, so a count at least this far off on its side has a probability of at
    most exp(-N D(q, p)), where D(q, p) = q log(q/p) + (1 - q) log((1 - q)/(1 - p)) (Hoeffding, 1963, Theorems 1 and 4).
    The p-value of the column is at most the smallest of these, times twice the number of the cells. Rounding is taken
    off D before. The moments would prove less: z standard deviations above the mean, a p-value is at most 1 / (1 +
    z**2) (Cantelli).

    The false discovery rate: half of it is for the tests alone, by the procedure of Benjamini and Yekutieli (2001,
    Theorem 1.3). It holds however the columns depend on each other. Of n columns the k with the least p-values are
    called relevant, for the largest k whose p-value is at most k / (1 + 1/2 + .. + 1/n) times this half, over n. The
    other half is for the tests beside another column, all of them together, as in the familywise control: a column that
    these find is a false discovery with at most this probability. So the two halves add up. For n columns, 2n / rate
    times 1 + 1/2 + .. + 1/n permutations are needed to accept a single column. Up to ten times as many are drawn. If
    `permutations` are fewer, the bound decides alone. Else a p-value is the less of 1000/999 times that of permutations
    and 1000 times the bound. In comparison with the familywise control, more is found if about 1 + 1/2 + .. + 1/n
    columns or more tell something alone, and less is found if there are fewer.

    A verdict on a column is valid if the class is independent of all irrelevant columns together, given the column
    beside which they are tested. The rows must be independent of each other, or the groups of rows that `groups` names.

    Complexity: n**2 tables for n columns, and for each permutation and column beside which the others are tested a
    product of labels with states. If n**2 tables take too long, columns are tested alone, and `pairs_tried` is False.

    Sources: Westfall and Young, "Resampling-Based Multiple Testing" (1993); Kazi-Aoual, Hitier, Sabatier and Lebreton,
    "Refined approximations to permutation tests for multivariate inference" (1995), DOI 10.1016/0167-9473(94)00064-2;
    Mantel, "Chi-square tests with one degree of freedom" (1963), DOI 10.1080/01621459.1963.10500879; Wilson and
    Hilferty, "The distribution of chi-square" (1931), DOI 10.1073/pnas.17.12.684;
    Benjamini and Yekutieli, "The control of the false discovery rate in multiple testing under dependency" (2001), DOI
    10.1214/aos/1013699998.

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
    require_choice(control, "control", get_args(Control))
    data, source = designed(sample, design), generator(rng)
    units = list(_units(data))
    families = [_Tests(part, source, rate, most, len(units), control) for part in units]
    columns = [found for tests in families for found in _columns(tests, data.sample.features)]
    kept = [_kept(data, axis) for axis in map(data.sample.features.index, data.design.always)]
    verdicts = tuple(column for _, column in sorted([*columns, *kept], key=itemgetter(0)))
    pairs = any(tests.pairs for tests in families)
    return RelevantFeatures(data.sample, verdicts, rate, pairs, data.design, _assumed(data, units), control)


def _assumed(data: Designed, units: Sequence[_Units]) -> str:
    """Return the sentences on what the tests assume of the rows, and on the null hypothesis."""
    groups = data.design.groups
    if groups is None:
        return ROWS_ASSUMED
    inside = any(part.blocks is not None for part in units)
    between = (
        f"The groups of rows with the same {groups} must be independent of each other. Rows of one group need not be. "
        "Whole groups are permuted, and each group counts once"
    )
    null = f"the hypothesis that is tested says that the rows of a group tell nothing about {data.sample.target}."
    if not inside:
        return f"{between}: {null}"
    return (
        f"{between} where a column is constant in each group: {null} For any other column, classes are permuted inside "
        f"the groups: the hypothesis says that, inside a group, the column tells nothing about {data.sample.target}. "
        "There the rows of a group must be exchangeable: their order tells nothing."
    )


def _kept(data: Designed, axis: int) -> tuple[int, ColumnRelevance]:
    """Return the entry of a column that is kept always."""
    states = len(data.sample.states[name := data.sample.features[axis]])
    why = "it is kept always, and the other columns are judged given it"
    return axis, ColumnRelevance(name, states, False, None, None, 0, (), (), True, why)


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


def _columns(tests: _Tests, names: Sequence[str]) -> Iterator[tuple[int, ColumnRelevance]]:
    """Yield the number of each column of the tests, and its verdict."""
    alone = tests.of(None)
    beside = {given: tests.of(given) for given in tests.judged} if tests.pairs else {}
    for i in tests.units.axes:
        states = tests.states[i]
        if i not in alone:
            yield i, ColumnRelevance(names[i], states, False, None, None, 0, (), (), True, tests.why_not(i))
            continue
        verdict, inside = alone[i], {given: found[i] for given, found in beside.items() if i in found}
        replacing = (given for given, other in inside.items() if other.replaced and alone[given].accepted)
        column = ColumnRelevance(
            names[i],
            states,
            verdict.accepted,
            tests.strength[i],
            verdict.p,
            verdict.permutations,
            tuple(names[given] for given, other in inside.items() if other.accepted),
            tuple(names[given] for given in replacing if verdict.accepted),
            all(each.settled for each in (verdict, *inside.values())),
        )
        yield i, column


class _Units(NamedTuple):
    """The units of the tests: rows, or groups of rows that count once each.

    A unit has a profile of each column, the class last. If units are groups, `shares` has for each column how much of
    each state a profile has. It is None if each group has one state only: then profiles are states. `kept` is the joint
    profile of the columns that are kept always. `scores` returns the numbers of the states of a column in their order.
    If `blocks` are given, classes are permuted inside these only.
    """

    rows: DistinctRows
    axes: Sequence[int]
    shares: Sequence[Integers | None]
    kept: Integers
    scores: Callable[[int], Integers]
    blocks: Integers | None = None

    def strata(self, given: int | None) -> Integers:
        """Return the number of the joint state of a column and of the kept ones in each distinct unit."""
        keys = self.kept if given is None else self.kept * self.rows.shape[given] + self.rows.columns[given]
        strata: Integers = np.unique(keys, return_inverse=True)[1]
        return strata

    def tests(self, strata: Integers, columns: Sequence[int]) -> Iterator[_Test]:
        """Yield the tests of columns inside some strata."""
        rows, number, classes = self.rows, int(strata.max()) + 1, self.rows.shape[-1]
        keys: Grouping = (strata * classes + rows.columns[-1]).astype(np.int64), number * classes
        for axis, table in zip(columns, rows.pairs(columns, keys), strict=True):
            cells = table.reshape(len(table), number, classes)
            yield _inside_blocks(self, axis, strata, cells) if self.blocks is not None else _between(self, axis, cells)


def _units(data: Designed) -> Iterator[_Units]:
    """Yield the units by which the columns are judged: the rows, or groups, or rows inside groups."""
    features, rows, classes = data.sample.features, distinct_rows(data.whole), _groups_of_classes(data.sample)
    always = [features.index(name) for name in data.design.always]
    axes = [axis for axis in range(len(features)) if axis not in always]
    columns = [*rows.columns[: len(features)], classes[rows.columns[-1]]]
    shape = [*rows.shape[: len(features)], int(classes.max()) + 1]
    single = DistinctRows(columns, rows.times, shape)
    kept = np.unique(single.states_of(always)[0], return_inverse=True)[1]
    scores = cache(partial(_scores, data.sample, single))
    if data.design.groups is None:
        yield _Units(single, axes, [None] * len(shape), kept, scores)
        return
    groups = data.groups()
    number = int(groups.max()) + 1
    counts = (single.pairs([axis], (groups, number)) for axis in range(len(shape)))
    spread = [_profiles(table.T) for (table,) in counts]
    inside = [axis for axis in axes if spread[axis][1] is not None] if spread[-1][1] is not None else []
    if between := [axis for axis in axes if axis not in inside]:
        always_in = np.zeros((number, int(kept.max()) + 1), dtype=np.int64)
        np.add.at(always_in, (groups, kept), single.counts)
        profiles, shares = zip(*spread, strict=True)
        units = DistinctRows(profiles, None, [int(found.max()) + 1 for found in profiles])
        yield _Units(units, between, shares, _profiles(always_in)[0], scores)
    if inside:
        yield _Units(single, inside, [None] * len(shape), kept, scores, groups)


def _scores(s: Sample, rows: DistinctRows, axis: int) -> Integers:
    """Return the scores 0, 1, .. of the states of a column in their order, times a number. Return 0 if it has no order.

    Numbers, ranges and two states have an order. A missing value has the mean score of the others.
    """
    labels = s.states[s.features[axis]]
    ordered = [label for label in labels if label != MISSING]
    try:
        numbers = numbers_of(ordered, s.features[axis])
    except InvalidValueError:
        numbers = dict(zip(ordered, map(Fraction, range(len(ordered))), strict=True))
        if len(ordered) > 2 and not edges_of(ordered):
            return np.zeros(len(labels), dtype=np.int64)
    place = {number: k for k, number in enumerate(sorted({*numbers.values()}))}
    scores = np.array([0 if label == MISSING else place[numbers[label]] for label in labels], dtype=np.int64)
    if len(ordered) < len(labels):
        known = np.array([label != MISSING for label in labels])[rows.columns[axis]] * rows.counts
        mean = Fraction(int(known @ scores[rows.columns[axis]]), max(1, int(known.sum())))
        scores *= mean.denominator
        scores[labels.index(MISSING)] = mean.numerator
    return scores


def _profiles(counts: Integers) -> tuple[Integers, Integers | None]:
    """Return the profile of each group from its counts of the states, and the shares of the states in each profile.

    The shares of a profile are integers with the same sum for all. They are exact if this sum stays small enough.
    """
    if ((counts > 0).sum(axis=1) == 1).all():
        return counts.argmax(axis=1), None
    sizes, most = counts.sum(axis=1, keepdims=True), max(1, _EXACT // len(counts))
    common = math.lcm(*np.unique(sizes).tolist())
    ends = counts.cumsum(axis=1) * min(common, most) // sizes
    shares, profiles = np.unique(np.diff(ends, axis=1, prepend=0), axis=0, return_inverse=True)
    return profiles.ravel(), shares


class _Test(NamedTuple):
    """A column to be tested inside the states of a given one.

    `table` has the axes state, given state, class. `expected` is its mean, and `mean` and `variance` are those of
    Pearson's statistic. Each entry of `tails`, for which a bound is proved, is a sum of numbers from 0 to 1. `trend`
    returns the moments of the statistic for a trend.
    """

    axis: int
    table: Integers
    expected: _Floats
    mean: float
    variance: float
    tails: Integers | _Floats | None
    trend: Callable[[], _Trend]

    def bound(self) -> Fraction:
        """Return an upper bound on the p-value of the column."""
        return Fraction(1) if self.tails is None else _bound(self.tails)

    def statistic(self) -> float:
        """Return Pearson's statistic, less its mean and over its standard deviation."""
        difference, where = self.table - self.expected, self.expected > 0
        parts = np.divide(difference**2, self.expected, out=np.zeros(self.expected.shape), where=where)
        return (float(parts.sum()) - self.mean) / math.sqrt(self.variance)


def _between(units: _Units, axis: int, cells: Integers) -> _Test:
    """Return the test of a column if classes are permuted among all units of a given state."""
    own, classes = units.shares[axis], units.shares[-1]
    table, scale, tails = cells, 1, cells
    if own is not None:
        table, scale = np.tensordot(own, cells, axes=(0, 0)), int(own[0].sum())
        tails = table.swapaxes(0, 2) / scale
    if classes is not None:
        table, scale = table @ classes, scale * int(classes[0].sum())
        tails = table / scale
    mean, variance = _moments(cells, own, classes)
    margins = cells.sum(axis=2), cells.sum(axis=0)
    total = np.maximum(table.sum(axis=(0, 2)), 1)[:, None]
    expected = table.sum(axis=2)[:, :, None] * (table.sum(axis=0) / total)
    return _Test(
        axis, table, expected, mean * scale, variance * scale**2, tails, partial(_trend, units, axis, *margins)
    )


def _inside_blocks(units: _Units, axis: int, strata: Integers, cells: Integers) -> _Test:
    """Return the test of a column if classes are permuted inside blocks, and counted over all blocks of a given state.

    The variance is that of the chi-squared distribution with this mean. It only makes columns comparable.
    """
    assert units.blocks is not None
    keys = strata * (int(units.blocks.max()) + 1) + units.blocks
    _, at, blocks = np.unique(keys, return_index=True, return_inverse=True)
    starts = np.searchsorted(strata[at], np.arange(cells.shape[1]))
    own, classes = (next(units.rows.pairs([column], (blocks, len(at)))) for column in (axis, -1))
    trend = partial(_trend, units, axis, own, classes.T)
    own, classes, size = own[:, None].astype(float), classes[None].astype(float), classes.sum(axis=0).astype(float)
    expected = np.add.reduceat(own * classes / size, starts, axis=2)
    spread = own * (size - own) * classes * (size - classes) / (size**2 * np.maximum(size - 1, 1))
    parts = np.add.reduceat(spread, starts, axis=2)
    mean = float(np.divide(parts, expected, out=np.zeros(parts.shape), where=expected > 0).sum())
    return _Test(axis, cells, expected.swapaxes(1, 2), mean, 2 * mean, None, trend)


class _Tests:
    """The tests on the same units, by the column inside whose states the classes are permuted."""

    def __init__(
        self, units: _Units, rng: np.random.Generator, rate: Fraction, most: int, families: int, control: Control
    ) -> None:
        self.units, self.rng, self.rate, self.most, self.families = units, rng.spawn(1)[0], rate, most, families
        self.control = control
        alone = list(units.tests(units.strata(None), units.axes))
        self.states = {test.axis: int(test.table.any(axis=(1, 2)).sum()) for test in alone}
        self.strength = {test.axis: test.statistic() for test in alone if test.variance > 0}
        self.judged = [*self.strength]
        n = len(self.judged)
        self.pairs = n > 1 and n * n * max(len(units.rows), _FEW_ROWS) <= _VISITS

    def why_not(self, axis: int) -> str:
        """Return why the statistic of a column is the same for all permutations."""
        if self.states[axis] == 1:
            return "it has one value only"
        if self.states[axis] == self.units.rows.total:
            return f"each of its {self.states[axis]:,} values stands in one row only: a key, or numbers to be cut"
        alike = self.units.shares[axis] is not None and len(np.unique(self.units.rows.columns[axis])) == 1
        return "each group has the same shares of its values" if alike else "the classes leave nothing to permute"

    def of(self, given: int | None) -> _Verdicts:
        """Test all columns inside the states of one column, or of none. Too large tables are not tested."""
        groups = 1 if given is None else len(self.judged)
        level = self.rate / (self.families * (2 * groups if self.pairs else 1))
        others = [axis for axis in self.judged if axis != given]
        strata, rows = self.units.strata(given), self.units.rows
        cells = sum(rows.shape[axis] for axis in others) * (int(strata.max()) + 1) * rows.shape[-1]
        if given is not None and cells > _CELLS:
            return {}
        tests = [test for test in self.units.tests(strata, others) if test.variance > 0]
        verdicts = dict.fromkeys(others, _SAME_FOR_ALL)
        if not tests:
            return verdicts
        labels = rows.total * rows.shape[-1]
        most = min(self.most, _WORK // (groups * labels * sum(len(test.table) for test in tests)))
        start = partial(_Statistics, self.units, strata, tests, copy.deepcopy(self.rng))
        if given is None and self.control == "fdr":
            return verdicts | self.discoveries(start, tests, level, most)
        if is_settled(0, most, level):
            return verdicts | self.by_permutations(start(), tests, level, most)
        bounds = {test.axis: min(Fraction(1), test.bound() * len(tests) * self.rate / level) for test in tests}
        return verdicts | {axis: _Verdict(bound <= self.rate, bound, True, 0) for axis, bound in bounds.items()}

    def discoveries(
        self, start: Callable[[], _Statistics], tests: Sequence[_Test], level: Fraction, most: int
    ) -> _Verdicts:
        """Judge columns at a false discovery rate, by the p-value of each (Benjamini and Yekutieli)."""
        n = len(tests)
        factor = n * sum(Fraction(1, k) for k in range(1, n + 1))  # the first of n p-values is compared with level / it
        needed = math.ceil(factor / level / (1 - _BY_BOUND))
        number = min(most, _FOR_ONE * needed) if most >= needed else 0
        bounds = [test.bound() / (_BY_BOUND if number else 1) for test in tests]
        as_good = np.zeros(n, dtype=np.int64)
        if number:
            statistics = start()
            for drawn in statistics.permuted(number):
                as_good += (drawn >= statistics.observed).sum(axis=0)
        counts = as_good.tolist()
        drawn_p = [Fraction(good + 1, number + 1) / (1 - _BY_BOUND) for good in counts] if number else bounds
        p = [min(pair) for pair in zip(drawn_p, bounds, strict=True)]
        adjusted, least = [Fraction(1)] * n, Fraction(1)
        for rank, at in zip(range(n, 0, -1), sorted(range(n), key=p.__getitem__, reverse=True), strict=True):
            adjusted[at] = least = min(least, p[at] * factor / rank)
        last = Fraction(1, math.ceil(factor / level / max(1, sum(value <= level for value in adjusted))))
        return {
            test.axis: _Verdict(
                value <= level,
                min(Fraction(1), value * self.rate / level),
                not number or bound <= last or is_settled(good, number, last),
                number,
            )
            for test, value, bound, good in zip(tests, adjusted, bounds, counts, strict=True)
        }

    def by_permutations(self, statistics: _Statistics, tests: Sequence[_Test], level: Fraction, most: int) -> _Verdicts:
        """Draw permutations until the verdict on each column is certain, or up to a number."""
        observed = dict(zip((test.axis for test in tests), statistics.observed, strict=True))
        as_good, drawn, undecided = dict.fromkeys(observed, 0), dict.fromkeys(observed, 0), {*observed}
        total = 0
        while total < most and undecided:
            number = min(max(_FIRST, total // 2), most - total)
            largest = np.concatenate([drawn.max(axis=1) for drawn in statistics.permuted(number)])
            total += number
            for axis in undecided:
                as_good[axis] += int((largest >= observed[axis]).sum())
                drawn[axis] = total
            undecided = {axis for axis in undecided if not is_settled(as_good[axis], total, level)}
        verdicts = {}
        for test in tests:
            good, number, settled = as_good[test.axis], drawn[test.axis], test.axis not in undecided
            p = min(Fraction(good + 1, number + 1), Fraction(1) if good else test.bound())
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


def _moments(table: Integers, shares: Integers | None = None, of_class: Integers | None = None) -> tuple[float, float]:
    """Return the mean and the variance of Pearson's statistic over all permutations of the classes in each state.

    `table` has the axes column, state, class. In a state with m units let A and B be W D^-1 W^T - 1/m, where W has for
    each unit its shares of the states of the column, or of the classes, and D has the sums of W. The statistic is
    m tr(A B), the sum over the states. Here a = tr A, q = tr A^2, and s is the sum of the squares of the diagonal of A;
    b, r and t are those of B.
    """
    mean = variance = 0.0
    for k in range(table.shape[1]):
        m = float(table[:, k].sum())
        sides = (table[:, k].sum(axis=1), shares), (table[:, k].sum(axis=0), of_class)
        (a, q, s), (b, r, t) = (_traces(counts, each, m) for counts, each in sides)
        if m > 1:
            mean += m * a * b / (m - 1)
            if not any(_is_same_for_all(counts, each, m) for counts, each in sides):
                variance += m * m * _variance(m, (a, q, s), (b, r, t))
    return mean, variance


def _variance(m: Any, *sides: tuple[Any, Any, Any]) -> Any:
    """Return the variance of tr(A B) if m units are permuted, from three numbers of A and of B as in `_moments`.

    Each numerator is 0 if its factor m - 2 or m - 3 is 0. It also takes arrays of strata.
    """
    spreads = [(m - 1) * q - a**2 for a, q, _ in sides]
    diagonals = [m * (m + 1) * s - (m - 1) * (a**2 + 2 * q) for a, q, s in sides]
    least = np.maximum(m - 2, 1)
    both = 2 * math.prod(spreads) / ((m - 1) ** 2 * (m + 1) * least)
    return both + math.prod(diagonals) / ((m + 1) * m * (m - 1) * least * np.maximum(m - 3, 1))


def _trend(units: _Units, axis: int, counts: Integers, classes: Integers) -> _Trend:
    """Return the moments of the statistic for a trend: e and 1 / v of each class, and the mean and the variance.

    The statistic is the sum over the classes of (L - e)**2 / v, where L is the sum of the scores of the rows of a
    class. The mean and the variance are exact ones, over all permutations of the classes in each stratum.
    `counts` has the units of each profile in each stratum, and `classes` those of each stratum in each profile of the
    class. A class has as v its count times the variance of the scores, added over the strata.
    """
    own, of_class, scores = units.shares[axis], units.shares[-1], units.scores(axis)
    scores = scores if own is None else own @ scores
    shares = np.eye(classes.shape[1]) if of_class is None else of_class
    m = counts.sum(axis=0)
    expected = scores @ counts / np.maximum(m, 1) @ (classes @ shares)
    counts, classes, m = counts[:, m > 1], classes[m > 1], m[m > 1].astype(float)
    far = scores[:, None] - scores @ counts / m
    a, s = ((counts * far**power).sum(axis=0) for power in (2, 4))
    off = shares - (classes @ shares / m[:, None])[:, None]
    products = np.einsum("kp,kpy,kpz->kyz", classes, off, off)
    sizes = a / (m - 1) @ (classes @ shares)
    weights = np.divide(1, sizes, out=np.zeros(len(sizes)), where=sizes > 0)
    b, t = products.diagonal(axis1=1, axis2=2) @ weights, (classes * (off**2 @ weights) ** 2).sum(axis=1)
    covariances = products * (a / (m - 1))[:, None, None]
    between = covariances.sum(axis=0) ** 2 - (covariances**2).sum(axis=0)
    inside = _variance(m, (a, a**2, s), (b, products**2 @ weights @ weights, t)).sum()
    return expected, weights, float(a / (m - 1) @ b), float(inside + 2 * weights @ between @ weights)


def _is_same_for_all(counts: Integers, shares: Integers | None, m: float) -> bool:
    """Return whether all permutations have the same statistic: A is a multiple of 1 - 1/m, or 0."""
    seen = counts[counts > 0]
    if shares is None or len(seen) in (1, 2):
        return len(seen) in (1, m)
    own = shares[counts > 0]
    own = own[:, own.any(axis=0)].astype(object)
    if len(seen) < m or len(seen) > own.shape[1]:  # two units alike, or a smaller rank than that of 1 - 1/m
        return False
    sums = own.sum(axis=0)
    products = own * (math.lcm(*sums) // sums) @ own.T
    return len({*products[~np.eye(len(own), dtype=bool)]}) == 1


def _traces(counts: Integers, shares: Integers | None, m: float) -> tuple[float, float, float]:
    """Return the trace of A, the trace of its square, and the sum of its squared diagonal, as `_moments` names them.

    `counts` has the number of units of each profile.
    """
    seen = counts[counts > 0]
    if shares is None or len(seen) < 2:  # A is a projection
        rank = len(seen) - 1
        return rank, rank, float((1 / seen).sum()) - (2 * len(seen) - 1) / max(m, 1.0)
    weights = shares[counts > 0] / shares[0].sum()
    weights = weights[:, weights.any(axis=0)]
    sums = seen @ weights
    diagonal = (weights**2 / sums).sum(axis=1)
    products = (weights * seen[:, None]).T @ weights / np.sqrt(np.outer(sums, sums))
    return float(seen @ diagonal) - 1, float((products**2).sum()) - 1, float(seen @ (diagonal - 1 / m) ** 2)


def _bound(table: Integers | _Floats) -> Fraction:
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


def _normal(statistics: _Floats, mean: _Floats, variance: _Floats) -> _Floats:
    """Return statistics as nearly normal ones, by the cube root of Wilson and Hilferty, so that tails are alike."""
    part = variance / (9 * mean**2)
    normal: _Floats = (np.cbrt(statistics / mean) - 1 + part) / np.sqrt(part)
    return normal


class _Statistics:
    """The statistics of the columns inside some strata, observed and permuted: the larger one of two for each column.

    Pearson's statistic is a sum of integers, squared counts times rounded weights. The one for a trend has sums of
    scores, which are integers, too. Both are rounded at the end, so that statistics that tie are equal.
    """

    def __init__(self, units: _Units, strata: Integers, tests: Sequence[_Test], rng: np.random.Generator) -> None:
        self.rng, rows = rng, units.rows
        totals = [int(test.table.sum()) for test in tests]
        self.totals = np.array(totals)  # the sum of n**2 / e is larger than Pearson's statistic by the total
        self.moments = np.array([(test.mean, test.variance) for test in tests]).T
        expected, weights, mean, variance = map(np.array, zip(*(test.trend() for test in tests), strict=True))
        self.lines = [*zip(expected.T, weights.T, strict=True)]  # by class
        self.trend_moments = mean, np.maximum(variance, mean**2 / _STEADY)
        self.scores = np.concatenate([units.scores(test.axis) for test in tests])
        self.starts = np.cumsum([0, *(len(test.table) for test in tests)])[:-1]
        joined = np.concatenate([test.table for test in tests]).swapaxes(0, 1)  # stratum, state, class
        self.m, self.classes, self.sizes = rows.total, joined.shape[2], joined.sum(axis=2)
        length = (max(totals) * self.classes).bit_length()  # the sum for a column is at most this times the scale
        self.kind: type[np.int32 | np.int64] = np.int32 if length <= _SHORT else np.int64
        self.scale = 2.0 ** ((30 if length <= _SHORT else 61) - length)
        expected = np.concatenate([test.expected for test in tests]).swapaxes(0, 1)
        inverse = np.divide(self.scale, expected, out=np.zeros(joined.shape), where=expected > 0)
        self.weights = inverse.astype(self.kind)
        self.observed = self.larger((joined**2 * self.weights).sum(axis=(0, 2))[None], joined.sum(axis=0).T[:, None])[0]

        order = np.argsort(strata, kind="stable") if units.blocks is None else np.lexsort((units.blocks, strata))
        one_by_one = np.repeat(order, rows.counts[order])
        self.labels = rows.columns[-1][one_by_one]
        self.bits = int(self.labels.max()).bit_length()
        self.free = 63 - self.bits - (0 if units.blocks is None else int(units.blocks.max()).bit_length())
        self.keys = None if units.blocks is None else (units.blocks[one_by_one] << self.free + self.bits) | self.labels
        ends = np.bincount(strata[one_by_one]).cumsum()
        self.blocks = list(itertools.pairwise([0, *ends.tolist()]))  # the units of each stratum
        shown = [
            _shown(rows.columns[test.axis][one_by_one], units.shares[test.axis], len(test.table)) for test in tests
        ]
        self.of_class, states = units.shares[-1], np.concatenate(shown, axis=1)
        by_bits = states.dtype == bool and self.of_class is None
        self.states = [_ready(states[start:stop], by_bits and stop - start > _BY_BITS) for start, stop in self.blocks]

    def larger(self, sums: Integers, counts: Integers) -> _Floats:
        """Return the larger statistic of each column, from sums by state and from counts by class and state."""
        pearson = np.add.reduceat(sums, self.starts, axis=1) / self.scale - self.totals
        trend = np.zeros(pearson.shape)
        for scores, (expected, weights) in zip(counts * self.scores, self.lines, strict=True):
            trend += (np.add.reduceat(scores, self.starts, axis=1) - expected) ** 2 * weights
        with np.errstate(divide="ignore", invalid="ignore"):
            by_trend = np.where(self.trend_moments[0] > 0, _normal(trend, *self.trend_moments), -np.inf)
        return np.maximum(_normal(pearson, *self.moments), by_trend).round(9)

    def permuted(self, number: int) -> Iterator[_Floats]:
        """Yield the statistics of all columns for so many permutations of the classes, in batches."""
        room = _AT_ONCE if self.m <= ONE_BY_ONE else 8 * _AT_ONCE
        batch = max(1, min(number, room // max(self.m, self.weights[0].size)))
        return (self.batch(min(batch, number - start)) for start in range(0, number, batch))

    def batch(self, number: int) -> _Floats:
        """Return the statistics for permutations that are drawn together."""
        sums = np.zeros((number, self.weights.shape[1]), dtype=self.kind)
        over_all = np.zeros((self.classes, *sums.shape), dtype=np.int64)  # counts over all strata
        parts = zip(self.sizes, self.weights, self.states, self.blocks, strict=True)
        for sizes, weights, shown, (start, stop) in parts:
            labels = self.shuffled(start, stop, number)
            rest = np.tile(sizes.astype(self.kind), (number, 1))  # the counts of the last class
            for y in range(self.classes):
                counts = rest
                if y < self.classes - 1:
                    own = labels == y if self.of_class is None else self.of_class[labels, y]
                    counts = _product(own, shown).astype(self.kind)
                    rest -= counts
                over_all[y] += counts
                counts *= counts
                counts *= weights[:, y]
                sums += counts
        return self.larger(sums, over_all)

    def shuffled(self, start: int, stop: int, number: int) -> Integers:
        """Return permutations of the labels of some units, inside the blocks if there are any."""
        labels = self.labels[start:stop]
        if self.keys is None and stop - start > ONE_BY_ONE:
            counts = np.bincount(labels, minlength=self.classes)[None]
            return shuffled(counts, number, self.rng)
        if self.keys is None:
            return self.rng.permuted(np.tile(labels, (number, 1)), axis=1)
        # A key has the bits of the block, of a random number and of the label. Sorting the keys permutes the labels.
        drawn = self.rng.integers(0, 1 << self.free, (number, stop - start)) << self.bits
        keys = np.sort(self.keys[start:stop] | drawn, axis=1)
        return keys & (1 << self.bits) - 1


def _shown(profiles: Integers, shares: Integers | None, states: int) -> npt.NDArray[Any]:
    """Return how much of each state each unit has."""
    return profiles[:, None] == np.arange(states) if shares is None else shares[profiles].astype(np.float32)


def _ready(states: npt.NDArray[Any], by_bits: bool) -> npt.NDArray[Any]:
    """Return the states of some units for products: the bits of each state, or a matrix, exact below 2**24."""
    return np.array([packed(column) for column in states.T]) if by_bits else states.astype(np.float32)


def _product(labels: Integers, states: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Return a matrix product. Small ones are taken in pieces: in two threads they would take many times as long."""
    if states.dtype == np.uint64:
        return np.stack([np.bitwise_count(states & packed(row)).sum(axis=1, dtype=np.int64) for row in labels])
    rows, left = _ONE_THREAD // max(1, states.size), labels.astype(np.float32)
    rows = rows if rows >= 8 else len(left)
    return np.concatenate([left[start : start + rows] @ states for start in range(0, len(left), rows)])
