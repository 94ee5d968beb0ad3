"""Estimates, from a sample, of the risk of the majority table over a subset; what they would be by chance."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import islice
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from fstheory._support.exact import Exact, as_index, binomial_interval, integers_over, interval_text, to_text
from fstheory._support.result import Result, first_of, listing
from fstheory.distributions.counting import Rows
from fstheory.distributions.rows import Sample, distinct_rows, draw_some, generator, tables_at
from fstheory.errors import TooLargeError, require, require_type
from fstheory.lattice.columns import Integers
from fstheory.lattice.subsets import Subset, indices_of, mask_of, names_of, ordered_names
from fstheory.lattice.sweep import Array
from fstheory.samples.design import Designed
from fstheory.samples.methods import held_out
from fstheory.samples.tables import table_risks
from fstheory.selection.questions import QuestionPolicy

if TYPE_CHECKING:
    from flint import fmpz, fmpz_poly


_Cells: TypeAlias = "Counter[tuple[int, ...]]"  # how many states of a subset have these counts of the classes

WORK = 8 * 10**9
"""Steps of products of polynomials, for more than two classes: some 8 s. For two classes bits of sums: some 40 s."""


def holdout_risk(s: Sample, subset: Subset, holdout: Exact) -> Fraction:
    """Return the expected share of errors of the majority table on held-out samples, as a Fraction.

    The table is trained on the other samples. The expectation is the mean over all ways to hold out that many samples,
    so no seed is needed. Use it to judge a subset that was fixed before the sample was seen.

    `holdout` is the number of samples held out. A value below 1 is the fraction of all samples, which must be a whole
    number of them. ``holdout=1`` is leave-one-out. The sample needs at least two rows.

    A state that no training sample has is predicted by the majority of all training samples. If several classes are the
    most frequent, one of them is drawn: the error is the mean over them. So no result depends on the names of the
    classes or on their order.

    Fix one held-out sample. The training set is a uniformly random set of a of the other m - 1 samples. So the counts k
    of the classes in the state of the held-out sample have a multivariate hypergeometric distribution:

        error = 1 - (1/m) sum over x, y of n(x, y) P(y wins in k),  k ~ Hypergeometric(n(x, .) - e_y, m - 1, a).

    If k = 0, the counts of all training samples take the place of k: they are hypergeometric on the other states.

    Complexity: for two classes, one step for each sample, and for each state that may be unseen one step for each
    held-out sample. The steps are operations on integers with about as many bits as there are samples. More than some
    200,000 samples are refused with `TooLargeError`, unless few are held out. With three classes or more, the limit is
    lower, unless the most frequent class of a state is the most frequent one in each training set.

    Examples
    --------
    >>> import fstheory as fs
    >>> s = fs.Sample([("a", 0), ("a", 0), ("a", 1), ("b", 1)])
    >>> fs.samples.holdout_risk(s, {"X1"}, 1), fs.samples.holdout_risk(s, {"X1"}, "1/2")
    (Fraction(3, 4), Fraction(2, 3))
    """
    return _expected_error(_cells(s, subset), s.m, s.m - held_out(holdout, s.m))


@dataclass(frozen=True, repr=False)
class RiskEstimates(Result):
    """Estimates of the risk of the majority table over a subset, exact functions of one sample.

    Attributes
    ----------
    features : tuple of str
        The subset, in the order of the columns.
    m : int
        The number of samples.
    cells : int
        The number of states of the features that occur in the sample.
    baseline : Fraction
        The share of errors if the most frequent class is always predicted.
    resubstitution, leave_one_out : Fraction
        The share of errors on the samples from which the table was made, and the share if each sample is predicted by
        the table of the other samples.
    cross_validated : Fraction or None
        The error in cross-validation, averaged over all ways to make the folds. A single cross-validation with folds
        drawn at random is scattered about this mean. If the sum is too long, it is None.
    folds : int
        The number of folds.
    """

    features: tuple[str, ...]
    m: int
    cells: int
    baseline: Fraction
    resubstitution: Fraction
    leave_one_out: Fraction
    cross_validated: Fraction | None
    folds: int

    @property
    def optimism(self) -> Fraction:
        """The leave-one-out risk minus the resubstitution risk."""
        return self.leave_one_out - self.resubstitution

    @property
    def rows_per_cell(self) -> Fraction:
        """The number of samples for each state that occurs."""
        return Fraction(self.m, self.cells)

    def __str__(self) -> str:
        crossed = "too many samples"
        crossed = crossed if self.cross_validated is None else to_text(self.cross_validated)
        states = "1 state occurs" if self.cells == 1 else f"{self.cells:,} states occur"
        head = f"{first_of(self.features) or 'no features'} on {self.m:,} samples: "
        rows = [
            ("resubstitution", to_text(self.resubstitution)),
            ("leave-one-out", to_text(self.leave_one_out)),
            ("cross-validation", f"{crossed}, the mean over all ways to make {self.folds} folds"),
            ("optimism", f"{to_text(self.optimism)}, of resubstitution against leave-one-out"),
            ("without features", to_text(self.baseline)),
        ]
        return listing(f"{head}{states}, {float(self.rows_per_cell):.1f} samples each", rows)


def risk_estimates(s: Sample, subset: Subset, *, folds: int = 10) -> RiskEstimates:
    """Estimate the risk of the majority table over a subset by resubstitution, leave-one-out and cross-validation.

    The result has all three estimates, as Fractions, and the error of always predicting the most frequent class. Use it
    to see how much resubstitution flatters a subset. States that no training sample has, and classes that tie, are
    treated as in `holdout_risk`. If the subset was selected on the same samples, every estimate is too small on
    average.

    `folds` is at least 2 and at most the number of samples, which is leave-one-out. If the folds cannot have equal
    sizes, their sizes differ by one.

    Source: Efron (1983), "Estimating the error rate of a prediction rule", for the optimism.

    Examples
    --------
    >>> import fstheory as fs
    >>> s = fs.sample(fs.gallery.titanic(), 100, rng=0)
    >>> print(fs.samples.risk_estimates(s, s.features))
    class, sex, age on 100 samples: 10 states occur, 10.0 samples each
      resubstitution:   9/50 = 0.18
      leave-one-out:    1/5 = 0.2
      cross-validation: 1132133960649/5583970792400 ≈ 0.2027, the mean over all ways to make 10 folds
      optimism:         1/50 = 0.02, of resubstitution against leave-one-out
      without features: 1/4 = 0.25
    """
    cells = _cells(s, subset)
    try:
        crossed = _cross_validated(cells, s.m, folds)
    except TooLargeError:
        crossed = None
    named = ordered_names(mask_of(subset, s.features), s.features)
    states, plug_in, left_out = table_risks(s.cells(subset))
    return RiskEstimates(named, s.m, states, table_risks(s.cells(()))[1], plug_in, left_out, crossed, folds)


def _cells(s: Sample, subset: Subset) -> _Cells:
    """Return the counts of the classes in the states of a subset that occur, equal ones together."""
    _require_rows(s)
    table = s.cells(subset)
    return Counter(map(tuple, table[:, table.any(axis=0)].tolist()))


def _require_rows(s: Sample) -> None:
    require_sample(s, "s")
    require(s.m >= 2, "s", "of at least two samples", s.m, "nothing is left to train on")


def require_sample(value: object, argument: str) -> None:
    """Refuse what is no sample."""
    require_type(value, Sample, argument, "a Sample", "fs.sample(d, m, rng=0) draws one")


def _cross_validated(cells: _Cells, m: int, folds: int) -> Fraction:
    """Return the mean over the samples of the error with a fold of the size of theirs."""
    size, larger = divmod(m, as_index(folds, "folds", at_least=2, at_most=m, repair=f"there are {m} samples"))
    parts = {size + 1: larger * (size + 1), size: (folds - larger) * size}
    errors = (_expected_error(cells, m, m - held) * tested for held, tested in parts.items() if tested)
    return sum(errors, Fraction(0)) / m


def _expected_error(cells: _Cells, m: int, training: int) -> Fraction:
    """Return the expected error on a sample of which a uniformly random set of the others was trained on."""
    races, held = Counter[_Race](), m - 1 - training
    for times, race in _races(cells, held):
        races[race] += times
    unseen = [cell for cell in cells if sum(cell) <= held + 1] if len(next(iter(cells))) == 2 else []
    if held:
        longest = max(map(sum, unseen), default=0) * m.bit_length()
        _require_work(sum(map(_steps, races)) + held * (len(unseen) * (1000 + longest) // 3 + _length(m, held)))
    right = sum((times * _ways_to_win(*race) for race, times in races.items()), Fraction(0))
    right += _ways_unseen(cells, unseen, held + 1)
    return 1 - right / (m * math.comb(m - 1, training))


_Race: TypeAlias = "tuple[int, tuple[int, ...], int, int]"  # of a class, its rivals and the rest, and how many held out


def _steps(race: _Race) -> int:
    """Return about how long a race takes: one sum for one rival, products of polynomials for several."""
    own, rivals, rest, held = race
    length = _length(own + sum(rivals) + rest, held)
    if len(rivals) < 2:
        return min(own, *rivals, held) * length
    return 100 * (min(own, held) + 1) * (min(held, sum(rivals)) + 20) * len(rivals) * (1 + len(rivals) * length // 1000)


def _length(m: int, held: int) -> int:
    """Return about how long one operation takes on the numbers of ways to hold out some of m samples."""
    return 1000 + min(m, 4 * min(held, m - held))


def _totals(cells: _Cells) -> list[int]:
    """Return how often each class occurs."""
    return [sum(counts[y] * times for counts, times in cells.items()) for y in range(len(next(iter(cells))))]


def _races(cells: _Cells, held: int) -> Iterator[tuple[int, _Race]]:
    """Yield, for samples of the same state and class, their number and the race that their class has to win.

    A race has the number of other samples of this class, of each rival that may get as many, of all that cannot win,
    and how many of them all are held out. The first race is among the other samples of the state. If all of these may
    be held out, a second race is among the samples outside the state, whose majority then decides.
    """
    totals = _totals(cells)
    for counts, times in cells.items():
        outside = [total - n for total, n in zip(totals, counts, strict=True)]
        for y, number in enumerate(counts):
            others = [n - (z == y) for z, n in enumerate(counts)]
            unseen = (outside, 0, held - sum(others) if len(totals) != 2 else -1)  # of two classes: `_ways_unseen`
            for deciding, rest, left in ((others, sum(outside), held), unseen):
                own = deciding[y]
                if number and own and left >= 0 and max(deciding) <= own + left:
                    rivals = sorted(n for z, n in enumerate(deciding) if z != y and n >= max(own - left, 1))
                    rest += sum(deciding) - own - sum(rivals)
                    yield times * number, (own, tuple(rivals), rest, left)


def _require_work(work: int) -> None:
    """Refuse sums over the counts of the classes that take too long."""
    repair = "hold out fewer samples, 1 say, or merge classes"
    require(work <= WORK, "s", f"small enough for {WORK:,} steps", work, repair, TooLargeError)


def _ways_to_win(own: int, rivals: Sequence[int], rest: int, held: int) -> Fraction:
    """Count the sets to hold out after which a class is left and no rival has more, a tie of k classes as 1/k."""
    everything = own + sum(rivals) + rest
    if not rivals:
        return Fraction(math.comb(everything, held) - (math.comb(rest, held - own) if own <= held else 0))
    if len(rivals) > 1:
        return _ways_among_several(own, rivals, rest, held)
    (rival,), training = rivals, everything - held
    of_own, of_rival, of_rest = _Binomials(own), _Binomials(rival), _Binomials(rest)
    counts = range(max(1, -(-(training - rest) // 2)), min(own, rival, training // 2) + 1)
    tied = sum(int(of_own.at(k) * of_rival.at(k) * of_rest.at(training - 2 * k)) for k in counts)
    return _ways_above(rival, own, rest, training) + Fraction(tied, 2)


def _ways_unseen(cells: _Cells, unseen: Sequence[tuple[int, ...]], held: int) -> Fraction:
    """Count the sets to hold out, with the sample to predict and all others of its state, after which its class leads.

    For these states of two classes. Of the C(M, g) ways to hold out g of M samples of a class the share (g)_c / (M)_c,
    of falling factorials, holds out all c of a state: the ways are counted once for all states.
    """
    if not unseen:
        return Fraction(0)
    (first, second), perm, doubled = _totals(cells), math.perm, 0
    of_first, of_second = _Binomials(first), _Binomials(second)
    most = max(a for a, _ in unseen), max(b for _, b in unseen)  # for a common denominator
    weights = [cells[a, b] * perm(first - a, most[0] - a) * perm(second - b, most[1] - b) for a, b in unseen]
    for g in range(max(0, held - second), min(held, first) + 1):
        lead = first - g - (second - (held - g))
        shares = 1 + (lead > 0) - (lead < 0), 1 + (lead < 0) - (lead > 0)  # doubled: of a tie each class has a half
        held_out = (
            weight * (a * shares[0] + b * shares[1]) * perm(g, a) * perm(held - g, b)
            for weight, (a, b) in zip(weights, unseen, strict=True)
        )
        doubled += sum(held_out) * int(of_first.at(g) * of_second.at(held - g))
    return Fraction(doubled, 2 * perm(first, most[0]) * perm(second, most[1]))


class _Binomials:
    """The binomial coefficients of one n, each made from the one asked before where that is near."""

    def __init__(self, n: int) -> None:
        from flint import fmpz

        self.n, self.k, self.value, self.zero = n, -1, fmpz(0), fmpz(0)

    def at(self, k: int) -> fmpz:
        if not 0 <= k <= self.n:
            return self.zero
        if self.k < 0 or abs(self.k - k) > 2:
            self.k, self.value = k, self.zero.bin_uiui(self.n, k)
        while self.k < k:
            self.value = self.value * (self.n - self.k) // (self.k + 1)
            self.k += 1
        while self.k > k:
            self.value = self.value * self.k // (self.n - self.k + 1)
            self.k -= 1
        return self.value


def _ways_above(first: int, second: int, rest: int, training: int) -> int:
    """Return how many training sets hold more of the second class than of the first.

    In the sum over k1 of the tails P(k2 > k1 | k1) one tail follows from another by

        A H(A, c) = (T - A + 1) H(A - 1, c) + (n - c) C(n, c) C(R, A - 1 - c),

    where H(A, c) counts the sets of A out of T = n + R with more than c of the n: both sides count such sets with one
    member marked.
    """
    from flint import fmpz

    drawn_first, drawn_second, others = _Binomials(first), _Binomials(second), _Binomials(rest)
    total, start = second + rest, max(0, training - second - rest)
    size = training - start  # of what is not of the first class
    tail = fmpz.bin_uiui(total, size) - others.at(size)  # more than none of the second; if all are drawn, than start
    ways = fmpz(0)
    for k in range(start, min(first, second - 1, training) + 1):
        size = training - k
        ways += drawn_first.at(k) * tail
        if size:
            marked = (second - k) * drawn_second.at(k) * others.at(size - 1 - k)
            tail = (size * tail - marked) // (total - size + 1)
            tail -= drawn_second.at(k + 1) * others.at(size - 2 - k)
    return int(ways)


def _ways_among_several(own: int, rivals: Sequence[int], rest: int, held: int) -> Fraction:
    """Count the same sets for several rivals. A tie is a factor 2**bits, so that digits tell how many sets have it."""
    from flint import fmpz, fmpz_poly

    reach = sum(rivals)
    low, bits = held - own - reach, math.comb(own + reach + rest, held).bit_length()
    rows, of_own, of_rest = {n: _row(n, 0, min(n, held)) for n in {*rivals}}, _row(own, 0, own), _row(rest, low, held)

    def at_most(k: int, n: int, most: int) -> list[fmpz]:
        """Return in how many ways up to `most` of n are held out, so that at most k are left."""
        row, least = rows[n][: most + 1], n - k
        if least < 0:
            return row
        tied = [row[least] << bits] if least < len(row) else []
        return [*[fmpz(0)] * least, *tied, *row[least + 1 :]]

    ways = Fraction(0)
    for k in range(max(1, own - held), own + 1):
        left, several = held - (own - k), Counter(rivals)  # held out of the rivals and the rest
        if not rest:  # the last rival completes the sets of the others: one coefficient of the product, not all
            several[rivals[-1]] -= 1
            completing = at_most(k, rivals[-1], left)
            low, of_rest = 0, [*completing, *[fmpz(0)] * (left + 1 - len(completing))]
        product = fmpz_poly([1])
        for n, times in several.items():
            row = fmpz_poly(at_most(k, n, left)).pow_trunc(times, left + 1)
            product = product.mul_low(row, left + 1)
        found = int(sum((c * of_rest[left - j - low] for j, c in enumerate(product.coeffs())), fmpz(0)))
        for equal in range(1, len(rivals) + 2):
            ways += Fraction(int(of_own[k]) * (found % (1 << bits)), equal)
            found >>= bits
    return ways


def _sets_with_at_most(most: int, totals: Sequence[int], degree: int) -> fmpz_poly:
    """Count the sets with at most so many members of each class, by their size up to a degree."""
    from flint import fmpz_poly

    whole = sum(total for total in totals if total <= most)  # no set has more of these classes
    product = fmpz_poly(_row(whole, 0, min(whole, degree)))
    for total, times in Counter(total for total in totals if total > most).items():
        row = fmpz_poly(_row(total, 0, min(most, degree)))
        product = product.mul_low(row.pow_trunc(times, degree + 1), degree + 1)
    return product


def _row(n: int, low: int, high: int) -> list[fmpz]:
    """Return n choose k for k from low to high."""
    row = _Binomials(n)
    return [row.at(k) for k in range(low, high + 1)]


_FEWEST, _FEWEST_GROUPS = 100, 30  # rows or groups for an interval of R squared
_NORMAL = 1.96  # the 0.975 quantile of the normal distribution
_FOLDED = 10**7  # the most rows that are dealt to folds one by one


@dataclass(frozen=True, repr=False)
class ProcedureRisk(Result):
    """The errors of a whole procedure, choice of the features included, on rows that it has not seen.

    Attributes
    ----------
    tested : int
        The number of rows that were predicted.
    wrong, wrong_guesses : Fraction
        How many of them were predicted wrongly by the features that were chosen on the other folds, and how many by the
        most frequent class of the other folds. If classes tie, a row counts for the share of the tied classes that are
        wrong. If numbers are predicted, these are sums of squared errors, of the mean of the other folds.
    wrong_alone : tuple of (str, Fraction)
        Each feature, with how many of them were predicted wrongly by this feature alone. Empty for trees.
    chosen : tuple of frozenset of str
        The features that were chosen for each fold.
    independent : int
        The number of independent trials among the rows that were predicted: the rows, or the groups of rows.
    explained : tuple of (float, float) or None
        If numbers are predicted, the approximate 95% interval of R squared, which is 1 less the ratio of the mean
        squared errors on new rows, by the features and by the mean. It is the interval of Fieller (1954) for the ratio
        of two means, with the rows or the groups as independent trials. It is None for fewer than 100 rows or 30
        groups, for groups in the order of a time, and if the rows leave R squared without any bound.
    """

    tested: int
    wrong: Fraction
    wrong_guesses: Fraction
    wrong_alone: tuple[tuple[str, Fraction], ...]
    chosen: tuple[frozenset[str], ...]
    independent: int
    explained: tuple[float, float] | None = None

    def interval(self, wrong: Fraction) -> tuple[float, float]:
        """Return the 95% interval (Clopper-Pearson) of a share of errors, as if rows or groups were independent trials.

        `wrong` is the number of rows that are predicted wrongly. Groups count as if all rows of a group agreed.
        """
        wrong *= Fraction(self.independent, self.tested)
        low, _ = binomial_interval(math.floor(wrong), self.independent)
        _, high = binomial_interval(math.ceil(wrong), self.independent)
        return low, high


def procedure_risk(
    data: Designed,
    choose: Callable[[Sample], Subset],
    *,
    folds: int,
    tested_folds: int,
    rng: np.random.Generator,
    numbers: Sequence[Fraction] | None = None,
) -> ProcedureRisk | None:
    """Estimate the risk of choosing features on a sample and predicting by their majority table.

    The rows are dealt to folds at random, class by class, so that each fold has nearly the same share of each class.
    The rows of a group stay together. If the rows have an order in time, the folds are periods, and each is predicted
    from the earlier ones. For each tested fold, `choose` gets the sample of the other folds. A row is predicted by the
    most frequent class of its state there. If the state does not occur, it is predicted by the most frequent class of
    all. With `numbers`, the number of each class, a row is predicted by the mean number instead, and its error is
    squared. Return None if there are too many rows to deal out, or fewer than two for each fold.
    """
    s, names = data.whole, data.sample.features
    if s.m > _FOLDED or s.m < 2 * folds or not (splits := list(islice(_splits(data, folds, rng), tested_folds))):
        return None
    chosen = [mask_of(choose(part_of(s, training)), names) for training, _ in splits]
    tested = sum(int(fold.sum()) for _, fold in splits)
    groups = None if data.design.groups is None else data.groups()
    independent = tested if groups is None else sum(len(np.unique(groups[fold > 0])) for _, fold in splits)

    rows, integers, denominator = distinct_rows(s), [0], 1
    if numbers is not None:
        integers, denominator = integers_over(numbers)

    def wrong(masks: Iterable[int]) -> Fraction:
        """Return how many rows are predicted wrongly, or their squared errors, with a subset for each fold."""
        each = zip(masks, splits, strict=True)
        if numbers is None:
            return sum((_errors(*tables_at(s, mask, *split)) for mask, split in each), Fraction(0))
        return (
            sum((_squared_errors(rows, mask, *split, integers) for mask, split in each), Fraction(0)) / denominator**2
        )

    # Groups that are divided by time have no interval.
    enough = tested >= _FEWEST if groups is None else data.design.time is None and independent >= _FEWEST_GROUPS
    explained = None
    if numbers is not None and enough:
        explained = _explained(rows, zip(chosen, splits, strict=True), numbers, groups, independent)
    return ProcedureRisk(
        tested,
        wrong(chosen),
        wrong([0] * len(splits)),
        tuple((name, wrong([1 << i] * len(splits))) for i, name in enumerate(names)),
        tuple(names_of(mask, names) for mask in chosen),
        independent,
        explained,
    )


def _explained(
    rows: Rows,
    splits: Iterable[tuple[int, Sequence[Integers]]],
    numbers: Sequence[Fraction],
    groups: Integers | None,
    m: int,
) -> tuple[float, float] | None:
    """Return the interval of R squared of m rows or groups, from the training and the tested rows of each fold."""
    lowest, span = min(numbers), max(numbers) - min(numbers) or 1
    y, sums = np.array([float((number - lowest) / span) for number in numbers])[rows.columns[-1]], np.zeros(5)
    for mask, (seen, own) in splits:
        keys, states = rows.few(rows.states_of(indices_of(mask)))
        trained, whole = np.bincount(keys, seen, states), seen @ y / seen.sum()
        mean = np.where(trained > 0, np.bincount(keys, seen * y, states) / np.maximum(trained, 1), whole)
        error, guess = (y - mean[keys]) ** 2, (y - whole) ** 2
        if groups is not None:
            error, guess, own = np.bincount(groups, own * error), np.bincount(groups, own * guess), np.array(1)
        sums += [(own * each).sum() for each in (error, guess, error**2, error * guess, guess**2)]
    mean, other, square, product, other_square = sums / m
    share = _NORMAL**2 / (m - 1)  # all ratios r with (mean - r other)**2 <= share * variance of error - r guess
    a, b, c = (
        first * second - share * (both - first * second)
        for first, second, both in ((other, other, other_square), (mean, other, product), (mean, mean, square))
    )
    if a <= 0:
        return None
    root = math.sqrt(max(b * b - a * c, 0.0))
    return 1 - (b + root) / a, 1 - (b - root) / a


def _splits(data: Designed, folds: int, rng: np.random.Generator) -> Iterator[tuple[Integers, Integers]]:
    """Yield, for each fold, the counts of the distinct rows that train and of those that are tested."""
    rows, design = distinct_rows(data.whole), data.design
    groups = None if design.groups is None else data.groups()
    if design.time is not None:  # the last period first
        ranks = data.ranks()[data.codes(design.time)]
        times = np.bincount(ranks, weights=rows.counts).astype(np.int64)
        periods = ((times.cumsum() - times) * (folds + 1) // times.sum())[ranks]
        splits = [(periods < k, periods == k) for k in range(folds, 0, -1)]
    elif groups is not None:
        dealt = rng.permutation(int(groups.max()) + 1) % folds
        splits = [(dealt[groups] != k, dealt[groups] == k) for k in range(folds)]
    else:
        yield from _dealt(rows, folds, rng)
        return
    for training, tested in splits:
        alone = training if groups is None else training & ~np.isin(groups, groups[tested])
        if alone.any() and tested.any():
            yield np.where(alone, rows.counts, 0), np.where(tested, rows.counts, 0)


def _dealt(rows: Rows, folds: int, rng: np.random.Generator) -> Iterator[tuple[Integers, Integers]]:
    """Yield, for each fold, the training and the tested counts if rows are dealt to folds at random, class by class."""
    labels, counts = rows.columns[-1], np.zeros((folds, len(rows)), dtype=np.int64)
    first = 0
    for y in np.unique(labels):
        own = np.flatnonzero(labels == y)
        dealt = rng.permutation(np.repeat(own, rows.counts[own]))
        np.add.at(counts, ((np.arange(len(dealt)) + first) % folds, dealt), 1)
        first += len(dealt)
    yield from ((rows.counts - fold, fold) for fold in counts)


def tree_risk(
    s: Sample, grow: Callable[[Sample], QuestionPolicy], *, folds: int, rng: np.random.Generator
) -> ProcedureRisk:
    """Estimate the risk of growing a tree of questions on a sample.

    The rows are dealt to `folds` folds by `rng`, class by class. For each fold, `grow` gets the sample of the other
    folds. A row of the fold is predicted by the most frequent class at its leaf. If an answer of the row did not occur
    at a node in the other folds, the row is predicted by the most frequent class at this node. The result has the
    features that each tree asks for in `chosen`, and no errors of single features.
    """
    rows, chosen, wrong, guessed = distinct_rows(s), list[frozenset[str]](), Fraction(0), Fraction(0)
    labels = rows.columns[-1]

    def answers(name: str) -> Array:
        return np.array(s.states[name], dtype=object)[rows.columns[s.features.index(name)]]

    for training, tested in _dealt(rows, folds, rng):
        policy = grow(part_of(s, training))
        chosen.append(frozenset(node.asks for node in policy.nodes if node.asks is not None))
        reached = policy.reached(len(rows), answers)
        last = np.zeros(len(rows), dtype=np.int64)
        seen, own = (np.zeros((len(reached), rows.shape[-1]), dtype=np.int64) for _ in range(2))
        for node, positions in enumerate(reached):  # those below a node come after it
            last[positions] = node
            np.add.at(seen[node], labels[positions], training[positions])
        np.add.at(own, (last, labels), tested)
        wrong += _errors(seen, own)
        guessed += _errors(seen[:1], own.sum(axis=0, keepdims=True))
    return ProcedureRisk(s.m, wrong, guessed, (), tuple(chosen), s.m)


def part_of(s: Sample, counts: Integers) -> Sample:
    """Return the sample that has each distinct row of a sample so many times."""
    held = np.flatnonzero(counts)
    return Sample._of((column[held] for column in distinct_rows(s).columns), counts[held], s._variables)


def _errors(seen: Integers, own: Integers) -> Fraction:
    """Return how many rows are predicted wrongly by the classes seen in their states."""
    seen = np.where(seen.any(axis=1, keepdims=True), seen, seen.sum(axis=0))
    best = seen == seen.max(axis=1, keepdims=True)
    right, tied = (own * best).sum(axis=1), best.sum(axis=1)
    shares = (Fraction(int(right[tied == k].sum()), k) for k in np.unique(tied).tolist())
    return int(own.sum()) - sum(shares, Fraction(0))


def _squared_errors(rows: Rows, mask: int, seen: Integers, own: Integers, integers: Sequence[int]) -> Fraction:
    """Return the sum of the squared errors if a row is predicted by the mean of the integers seen in its state."""
    keys, states = rows.few(rows.states_of(indices_of(mask)))
    y = np.array(integers, dtype=object)[rows.columns[-1]]

    def summed(values: Any) -> Any:
        found = np.zeros(states, dtype=object)
        np.add.at(found, keys, values)
        return found

    n, total, tested, first, second = map(summed, (seen, seen * y, own, own * y, own * y * y))
    n, total = np.where(n > 0, n, n.sum()), np.where(n > 0, total, total.sum())
    squares = second * n**2 - 2 * first * total * n + tested * total**2
    parts = (Fraction(int(squares[n == k].sum()), k**2) for k in {*n.tolist()})
    return sum(parts, Fraction(0))


@dataclass(frozen=True, repr=False)
class PermutationNull(Result):
    """The resubstitution risk of a subset, compared with the same risk after the classes are permuted at random.

    Attributes
    ----------
    observed, mean : Fraction, Fraction or None
        The resubstitution risk, and its expectation over all permutations of the classes. If the sum is too long, the
        expectation is None.
    permutations, at_most : int
        The number of permutations drawn, and the number of them with a risk of at most the observed one.
    """

    features: tuple[str, ...]
    observed: Fraction
    mean: Fraction | None
    permutations: int
    at_most: int

    @property
    def p_value(self) -> float:
        """The share of permutations with a risk of at most the observed one.

        The sample itself counts as one of them.
        """
        return (self.at_most + 1) / (self.permutations + 1)

    def interval(self, confidence: Exact = "19/20") -> tuple[float, float]:
        """Return the exact binomial (Clopper-Pearson) interval of the share of all permutations that do as well.

        It is a pair of floats and needs SciPy. `confidence` is between 0 and 1.
        """
        return binomial_interval(self.at_most, self.permutations, confidence)

    def __str__(self) -> str:
        low, high = self.interval()
        mean = "the mean is not computed, because a state has too many rows"
        mean = mean if self.mean is None else f"{to_text(self.mean)} on average"
        named = first_of(self.features) or "no features"
        head = f"{named}: resubstitution risk {to_text(self.observed)}"
        share = f"p estimated {self.p_value:.4f} (95%: {interval_text(low, high)})"
        as_small = f"  as small in {self.at_most:,} of {self.permutations:,} permutations drawn: {share}"
        return f"{head}\n  classes permuted: {mean}\n{as_small}"


def permutation_null(
    s: Sample, subset: Subset, *, rng: int | np.random.Generator, permutations: int = 999
) -> PermutationNull:
    """Compare the resubstitution risk of a subset with what it is when the classes are permuted among the rows.

    Use it to see how small the resubstitution risk of a subset is by chance alone. The result has the observed risk,
    the exact mean over all permutations, and a p-value that is estimated from permutations drawn at random. If the
    subset was selected on the same samples, the p-value is too small.

    `rng` is a seed, or a generator that is advanced. `permutations` is the number of permutations to draw, at least 1.
    The sample needs at least two rows.

    With class totals M and a state of N samples, the counts k in the state are multivariate hypergeometric, and the
    mean is 1 - (1/m) sum over the states of E max k. Complexity: m steps for each permutation, or one step for each
    state and class if there are many rows for each state. For the mean with two classes, N steps. For the mean with
    more classes, each count that a class can have in a state of N samples takes a product of polynomials of degree N.

    Examples
    --------
    >>> import fstheory as fs
    >>> s = fs.Sample([("a", 0), ("a", 0), ("b", 1), ("b", 1)])
    >>> found = fs.samples.permutation_null(s, {"X1"}, rng=0)
    >>> found.observed, found.mean
    (Fraction(0, 1), Fraction(1, 3))
    """
    _require_rows(s)
    number, table = as_index(permutations, "permutations", at_least=1), s.cells(subset)
    right = int(table.max(axis=1).sum())
    at_most = sum(drawn >= right for drawn in _right_by_chance(table, number, generator(rng)))
    mean = _mean_by_chance(table.sum(axis=1).tolist(), table.sum(axis=0).tolist())
    named = ordered_names(mask_of(subset, s.features), s.features)
    return PermutationNull(named, 1 - Fraction(right, s.m), mean, number, at_most)


def permuted_risk(cells: Integers, rng: np.random.Generator, permutations: int = 19) -> Fraction:
    """Return the mean plug-in risk over permutations of the classes that are drawn, for the class counts in each state.

    The exact mean, which `permutation_null` has, takes too long for large samples.
    """
    right = sum(_right_by_chance(cells, permutations, rng))
    return 1 - Fraction(right, permutations * int(cells.sum()))


def _right_by_chance(table: Integers, number: int, rng: np.random.Generator) -> Iterator[int]:
    """For each of so many permutations of the classes, yield for how many rows the table then is right.

    If there are many rows for each state, the counts of the classes are drawn for one state after the other.
    """
    rows, totals = table.sum(axis=1), table.sum(axis=0)
    if int(totals.sum()) > max(_FEW_ROWS, 100 * len(rows)):
        for _ in range(number):
            right, left = 0, totals
            for size in rows.tolist():
                drawn = draw_some(left, size, rng)
                right, left = right + int(drawn.max()), left - drawn
            yield right
        return
    labels, states = np.repeat(np.arange(len(totals)), totals), np.repeat(np.arange(len(rows)), rows) * len(totals)
    for _ in range(number):
        cells = np.bincount(states + rng.permutation(labels), minlength=table.size)
        yield int(cells.reshape(table.shape).max(axis=1).sum())


_FEW_ROWS = 2**20  # are permuted one by one in some tens of milliseconds


def _mean_by_chance(sizes: list[int], totals: list[int]) -> Fraction | None:
    """Return the mean resubstitution risk over all permutations of the classes, for states of these sizes."""
    totals, m = [total for total in totals if total], sum(sizes)
    distinct = Counter(sizes)
    try:
        if len(totals) > 2:
            _require_work(sum(min(size, max(totals)) * size**2 * len({*totals}) for size in distinct if size < m))
        else:
            _require_work(sum(size * _length(m, size) for size in distinct if size < m))
    except TooLargeError:
        return None
    right = sum((times * _expected_maximum(size, totals, m) for size, times in distinct.items()), Fraction(0))
    return 1 - right / m


def _expected_maximum(size: int, totals: list[int], m: int) -> Fraction:
    """Return the expected count of the most frequent class among so many of m samples."""
    from flint import fmpz

    if size == m:
        return Fraction(max(totals))
    ways = fmpz(0)
    if len(totals) <= 2:
        first, second = _Binomials(totals[0]), _Binomials(m - totals[0])
        for k in range(size + 1):
            ways += max(k, size - k) * first.at(k) * second.at(size - k)
        return Fraction(int(ways), math.comb(m, size))
    everything = fmpz.bin_uiui(m, size)
    for most in range(min(size, max(totals))):  # the sum over what the maximum exceeds
        ways += everything - _sets_with_at_most(most, totals, size)[size]
    return Fraction(int(ways), int(everything))
