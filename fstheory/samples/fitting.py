"""Which features a sample supports: greedy steps by leave-one-out risk, each against labels that are permuted."""

from __future__ import annotations

import itertools
import math
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, TypeAlias

import numpy as np
import numpy.typing as npt

from fstheory._support.exact import Exact, as_fraction, as_index, binomial_interval, to_text
from fstheory._support.memory import require_cells
from fstheory._support.progress import Clock, Progress
from fstheory._support.result import Result, first_of
from fstheory.distributions.rows import Sample, generator
from fstheory.errors import InvalidTypeError, InvalidValueError, TooLargeError, explain
from fstheory.lattice.subsets import Subset, format_subset, indices_of, mask_of, masks_by_size, names_of
from fstheory.measures.risk import BayesClassifier, bayes_classifier
from fstheory.samples.methods import (
    FBS,
    FOS,
    Method,
    NoSelection,
    OrderedFS,
    PlugIn,
    StandardWrap,
    _held,
    require_method,
)
from fstheory.samples.tables import left_out_gains

if TYPE_CHECKING:
    from flint import fmpz, fmpz_poly
__all__ = [
    "ROWS_PER_STATE",
    "EstimateStep",
    "Fitted",
    "PermutationNull",
    "RiskEstimates",
    "SupportStep",
    "SupportedFeatures",
    "cross_validated_risk",
    "fit",
    "holdout_risk",
    "permutation_null",
    "permuted_risk",
    "risk_estimates",
    "supported_features",
    "table_risks",
]


# -- The methods run on one sample, step by step.


_MOST = 2**16  # subsets of which a table is made: some 20 s for 5,000 rows


@dataclass(frozen=True, repr=False)
class EstimateStep(Result):
    """One risk estimate that a method looked at.

    Attributes
    ----------
    subset : frozenset of str
        The features that the majority table sees.
    dropped : str or None
        In FBS and FOS the feature that was left out for it.
    estimate : Fraction
        Of the risk of the table: on the samples held out, if there are, else by the estimate of the method.
    training : Fraction or None
        With samples held out, the share of errors on those it was trained on.
    accepted : bool
        Whether the feature was dropped, or the subset is the one that was selected.

    Examples
    --------
    >>> import fstheory as fs
    >>> s = fs.Sample([(0, 0, 0), (0, 1, 0), (1, 0, 1), (1, 1, 1)])
    >>> step = fs.fit(s, fs.FOS(tau="1/10", ties="first")).trace[0]
    >>> step.dropped, step.estimate, step.accepted
    ('X1', Fraction(1, 2), False)
    """

    subset: frozenset[str]
    dropped: str | None
    estimate: Fraction
    training: Fraction | None
    accepted: bool


@dataclass(frozen=True, repr=False)
class Fitted(Result):
    """What a method selected on one sample, and how it came to it.

    Attributes
    ----------
    sample : Sample
    method : Method
    features : frozenset of str
    estimate : Fraction
        The risk estimated for them; the method looked for small ones, so that it is too small on average.
    trace : tuple of EstimateStep
    tied : tuple of frozenset of str
        The subsets, or in FBS the features, among which the rule for ties decided at the last choice: one, or more.
    training : Sample
        The samples that the classifier was trained on: all, if none were held out.

    Examples
    --------
    >>> import fstheory as fs
    >>> s = fs.sample(fs.gallery.titanic(), 300, rng=0)
    >>> print(fs.fit(s, fs.FOS(tau="1/100", ties="first", estimate="leave-one-out")))
    FOS on 300 samples: {class, sex}, estimated risk 7/30 ≈ 0.2333
      without class ({sex, age}): 4/15, kept
      without sex ({class, age}): 11/30, kept
      without age ({class, sex}): 7/30, dropped
    """

    sample: Sample
    method: Method
    features: frozenset[str]
    estimate: Fraction
    trace: tuple[EstimateStep, ...]
    tied: tuple[frozenset[str], ...]
    training: Sample

    @property
    def classifier(self) -> BayesClassifier:
        """The majority table that the method ends with."""
        return bayes_classifier(self.training.empirical(self.features))

    def __str__(self) -> str:
        names = self.sample.features
        where = format_subset(mask_of(self.features, names), names)
        lines = [f"{self.method.title} on {self.sample.m:,} samples: {where}, estimated risk {to_text(self.estimate)}"]
        for step in self.trace[:16]:
            subset = format_subset(mask_of(step.subset, names), names)
            if step.dropped is not None:
                outcome = "dropped" if step.accepted else "kept"
                lines.append(f"  without {step.dropped} ({subset}): {to_text(step.estimate, 0)}, {outcome}")
            else:
                trained = "" if step.training is None else f" ({to_text(step.training, 0)} in training)"
                lines.append(f"  {subset}: {to_text(step.estimate, 0)}{trained}{', selected' if step.accepted else ''}")
        if len(self.trace) > 16:
            lines.append(f"  ... {len(self.trace) - 16} more")
        if len(self.tied) > 1:
            tied = ", ".join(format_subset(mask_of(subset, names), names) for subset in self.tied[:8])
            lines.append(f"  tied, decided by the rule '{self.method.ties}': {tied}")
        return "\n".join(lines)


def fit(
    sample: Sample,
    method: Method,
    *,
    rng: int | np.random.Generator | None = None,
    progress: Progress = None,
) -> Fitted:
    """Run a method on a sample.

    Parameters
    ----------
    sample : Sample
    method : FBS, FOS, StandardWrap, OrderedFS, NoSelection or PlugIn
    rng : int or numpy.random.Generator, optional
        A seed, or a generator that is advanced; needed where samples are held out or ties are drawn.
    progress : bool or callable, optional
        True shows how far it is, on a terminal or in a notebook; a function is called with each line of that.

    Returns
    -------
    Fitted

    Raises
    ------
    TooLargeError
        A method that looks at all subsets has over 2**16 of them.

    Notes
    -----
    The samples held out are drawn without replacement. Complexity: one grouping of the distinct rows for each subset
    that the method looks at: n + 1 in FOS, at most n(n + 1)/2 + 1 in FBS, 2**n in the others.

    References
    ----------
    Peña and Nilsson (2010), Section 5; Ng (1998), Sections 2 and 3.

    Examples
    --------
    >>> import fstheory as fs
    >>> s = fs.sample(fs.gallery.xor(), 60, rng=0)
    >>> sorted(fs.fit(s, fs.OrderedFS(holdout="1/3", ties="first"), rng=1).features)
    ['X1', 'X2']
    """
    if not isinstance(sample, Sample):
        repair = "fs.sample(d, m, rng=0) draws one"
        raise InvalidTypeError(explain("sample", "a Sample", sample, repair))
    require_method(method)
    held = method.holdout_size(sample.m)
    if rng is None and (held or method.ties == "uniform"):
        why = "samples are held out" if held else "ties are drawn"
        raise InvalidValueError(f"rng must be a seed or a generator where {why}, not None; pass rng=0, say")
    source = generator(0 if rng is None else rng)
    with Clock(None, progress) as clock:
        return _Run(sample, method, held, source, clock).result()


class _Run:
    """One run: the split of the sample, and the estimates that were looked at."""

    def __init__(self, sample: Sample, method: Method, held: int, rng: np.random.Generator, clock: Clock) -> None:
        self.sample, self.method, self.rng, self.clock = sample, method, rng, clock
        counts = sample.counts
        self.rest = rng.multivariate_hypergeometric(counts, held) if held else None
        self.train = counts if self.rest is None else counts - self.rest
        self.full = 2 ** len(sample.features) - 1
        self.estimates: dict[int, tuple[Fraction, Fraction | None]] = {}

    def estimate(self, mask: int) -> Fraction:
        """Return the estimated risk of the majority table over a subset."""
        if mask not in self.estimates:
            self.clock.tick(lambda: f"{self.method.title}: {len(self.estimates):,} subsets looked at")
            self.estimates[mask] = self._estimate(mask)
        return self.estimates[mask][0]

    def _estimate(self, mask: int) -> tuple[Fraction, Fraction | None]:
        sample = self.sample
        if self.rest is None:
            (table,) = sample._tables_at(mask, self.train)
            left_out = self.method.reads == "left out"
            right = int(left_out_gains(table[None])[0, -1] if left_out else table.max(axis=1).sum())
            return 1 - Fraction(right, sample.m), None
        table, rest = sample._tables_at(mask, self.train, self.rest)
        right = int(rest[np.arange(len(rest)), table.argmax(axis=1)].sum())
        inside = Fraction(int(table.max(axis=1).sum()), int(self.train.sum()))
        return 1 - Fraction(right, int(self.rest.sum())), 1 - inside

    def result(self) -> Fitted:
        """Run the method."""
        runs: dict[type[Method], Callable[[], tuple[int, list[EstimateStep], list[int]]]] = {
            FOS: self.one_shot,
            FBS: self.backward,
            StandardWrap: self.wrap,
            OrderedFS: self.ordered,
            NoSelection: lambda: (self.full, [], []),
            PlugIn: self.plug_in,
        }
        mask, trace, tied = runs[type(self.method)]()
        sample = self.sample
        held = np.flatnonzero(self.train)
        training = sample if self.rest is None else Sample._of(sample.codes[held], self.train[held], sample._variables)
        named = tuple(names_of(found, sample.features) for found in tied or [mask])
        return Fitted(
            sample, self.method, names_of(mask, sample.features), self.estimate(mask), tuple(trace), named, training
        )

    def step(self, mask: int, dropped: int | None, accepted: bool) -> EstimateStep:
        """Return what was estimated for a subset."""
        name = None if dropped is None else self.sample.features[dropped]
        return EstimateStep(
            names_of(mask, self.sample.features), name, self.estimate(mask), self.estimates[mask][1], accepted
        )

    def spared(self, mask: int) -> list[tuple[int, bool]]:
        """Return of each feature in a subset whether it can be dropped."""
        limit = self.estimate(mask) + as_fraction(self.method.tau)  # type: ignore[attr-defined]
        return [(i, self.estimate(mask & ~(1 << i)) <= limit) for i in indices_of(mask)]

    def one_shot(self) -> tuple[int, list[EstimateStep], list[int]]:
        """Leave each feature out of all."""
        found = self.spared(self.full)
        trace = [self.step(self.full & ~(1 << i), i, fine) for i, fine in found]
        return sum(1 << i for i, fine in found if not fine), trace, []

    def backward(self) -> tuple[int, list[EstimateStep], list[int]]:
        """Drop features until none can be spared; with ties drawn, all that can be are looked at."""
        mask, trace, tied = self.full, [], list[int]()
        while True:
            limit = self.estimate(mask) + as_fraction(self.method.tau)  # type: ignore[attr-defined]
            fine: list[int] = []
            for i in indices_of(mask):
                if self.estimate(mask & ~(1 << i)) > limit:
                    trace.append(self.step(mask & ~(1 << i), i, False))
                    continue
                fine.append(i)
                if self.method.ties == "first":
                    break
            if not fine:
                return mask, trace, tied
            taken = fine[0] if self.method.ties == "first" else int(self.rng.choice(fine))
            tied = [1 << i for i in fine]
            mask &= ~(1 << taken)
            trace.append(self.step(mask, taken, True))

    def wrap(self) -> tuple[int, list[EstimateStep], list[int]]:
        """Look at all subsets."""
        return self.least(self.all_masks())

    def ordered(self) -> tuple[int, list[EstimateStep], list[int]]:
        """Take the best of each size in training."""
        candidates, masks = [], self.all_masks()
        for size in range(len(self.sample.features) + 1):
            group = [mask for mask in masks if mask.bit_count() == size]
            for mask in group:
                self.estimate(mask)
            errors = [self.estimates[mask][1] for mask in group]
            best = [mask for mask, error in zip(group, errors, strict=True) if error == min(errors)]  # type: ignore[type-var]
            candidates.append(self.pick(best))
        return self.least(candidates)

    def plug_in(self) -> tuple[int, list[EstimateStep], list[int]]:
        """Select on the empirical distribution."""
        assert isinstance(self.method, PlugIn)
        d = self.sample.empirical()
        return self.method.subset(d, d.weights), [], []

    def all_masks(self) -> list[int]:
        """Return all subsets by size, if they are not too many."""
        n = len(self.sample.features)
        if 2**n > _MOST:
            repair = "sample.keep(...) fewer features, or use fs.FBS or fs.FOS"
            raise TooLargeError(explain("sample", f"of at most {_MOST.bit_length() - 1} features", n, repair))
        self.clock.tell(f"{self.method.title}: {2**n:,} subsets to look at")
        found: list[int] = masks_by_size(n).tolist()
        return found

    def least(self, masks: list[int]) -> tuple[int, list[EstimateStep], list[int]]:
        """Return the subset of least estimated risk."""
        least = min(map(self.estimate, masks))
        tied = [mask for mask in masks if self.estimate(mask) == least]
        taken = self.pick(tied)
        return taken, [self.step(mask, None, mask == taken) for mask in masks], tied

    def pick(self, masks: list[int]) -> int:
        """Return the first of several, or one drawn."""
        return masks[0] if self.method.ties == "first" else masks[int(self.rng.integers(len(masks)))]


# -- Estimates, from a sample, of the risk of the majority table over a subset; what they would be by chance.


_Cells: TypeAlias = "Counter[tuple[int, ...]]"  # how many states of a subset have these counts of the classes

WORK = 8 * 10**9
"""Steps of products of polynomials, for more than two classes: some 8 s. Two classes need no limit."""


def holdout_risk(s: Sample, subset: Subset, holdout: Exact) -> Fraction:
    """Return the expected error of the majority table on samples held out, over all ways to hold out so many.

    Parameters
    ----------
    s : Sample
    subset : iterable of feature names, or one name
    holdout : exact number
        How many samples are held out, or which fraction of all if below 1; 1 is leave-one-out.

    Returns
    -------
    Fraction
        No split is drawn: it is the mean over all of them.

    Raises
    ------
    TooLargeError
        More than two classes occur in states with so many samples that the sum takes too long.

    Notes
    -----
    The table predicts the class with the most training samples in a state, the first of several, and the first class
    in a state without any. A sample (x, y) is held out with others; of the m - 1 others a uniformly random set of a is
    trained on, so that the counts k of the classes in its state have a multivariate hypergeometric distribution:

        error = 1 - (1/m) sum over x, y of n(x, y) P(y wins in k),  k ~ Hypergeometric(n(x, .) - e_y, m - 1, a).

    Complexity: for two classes as many steps as there are samples, of integers with m bits. In the sum over k1 of the
    tails P(k2 > k1 | k1) one tail follows from another by

        A H(A, c) = (T - A + 1) H(A - 1, c) + (n - c) C(n, c) C(R, A - 1 - c),

    where H(A, c) counts the sets of A out of T = n + R with more than c of the n: both sides count such sets with one
    member marked.

    Examples
    --------
    >>> import fstheory as fs
    >>> s = fs.Sample([("a", 0), ("a", 0), ("a", 1), ("b", 1)])
    >>> fs.samples.holdout_risk(s, {"X1"}, 1), fs.samples.holdout_risk(s, {"X1"}, "1/2")
    (Fraction(1, 2), Fraction(2, 3))
    """
    cells = _cells(s, subset)
    return _expected_error(cells, s.m, s.m - _held(holdout, s.m))


def cross_validated_risk(s: Sample, subset: Subset, *, folds: int = 10) -> Fraction:
    """Return the error of the majority table in cross-validation, averaged over all ways to make the folds.

    Parameters
    ----------
    s : Sample
    subset : iterable of feature names, or one name
    folds : int
        From 2 to the number of samples, which is leave-one-out. Where they cannot be equal, their sizes differ by one.

    Raises
    ------
    InvalidTypeError, InvalidValueError, UnknownNameError, TooLargeError
        `folds` is not in its range, or as of `holdout_risk`.

    Notes
    -----
    A sample is in a fold of f samples and tested by the table of the m - f others, a uniformly random set of the m - 1:
    the error is that of `holdout_risk`. One cross-validation with folds drawn at random is scattered about it.

    Examples
    --------
    >>> import fstheory as fs
    >>> s = fs.sample(fs.gallery.titanic(), 300, rng=0)
    >>> print(f"{float(fs.samples.cross_validated_risk(s, s.features)):.4f}")
    0.2240
    """
    cells = _cells(s, subset)
    return _cross_validated(cells, s.m, _folds(folds, s.m))


@dataclass(frozen=True, repr=False)
class RiskEstimates(Result):
    """Estimates of the risk of the majority table over a subset, exact functions of one sample.

    Attributes
    ----------
    features : frozenset of str
    m, cells : int
        The samples, and how many states of the features occur among them.
    baseline : Fraction
        The share of errors if the most frequent class is always predicted.
    resubstitution : Fraction
        The share of errors on the samples that the table was made of: too small on average.
    leave_one_out : Fraction
        Each sample is predicted by the table of the others.
    cross_validated : Fraction or None
        With so many folds, the mean over all ways to make them. None where more than two classes share states with
        so many samples that the sum takes too long.
    folds : int

    Examples
    --------
    >>> import fstheory as fs
    >>> s = fs.sample(fs.gallery.titanic(), 300, rng=0)
    >>> found = fs.samples.risk_estimates(s, {"class", "sex"})
    >>> found.resubstitution, found.leave_one_out, found.optimism
    (Fraction(7, 30), Fraction(7, 30), Fraction(0, 1))
    """

    features: frozenset[str]
    m: int
    cells: int
    baseline: Fraction
    resubstitution: Fraction
    leave_one_out: Fraction
    cross_validated: Fraction | None
    folds: int

    @property
    def optimism(self) -> Fraction:
        """By how much leave-one-out exceeds resubstitution."""
        return self.leave_one_out - self.resubstitution

    @property
    def rows_per_cell(self) -> Fraction:
        """The number of samples for each state that occurs."""
        return Fraction(self.m, self.cells)

    def __str__(self) -> str:
        crossed = "too many rows to a state for this number of classes"
        crossed = crossed if self.cross_validated is None else to_text(self.cross_validated)
        states = "1 state occurs" if self.cells == 1 else f"{self.cells:,} states occur"
        lines = [
            f"{first_of(sorted(self.features)) or 'no features'} on {self.m:,} samples: "
            f"{states}, {float(self.rows_per_cell):.1f} samples each",
            f"  resubstitution:   {to_text(self.resubstitution)}",
            f"  leave-one-out:    {to_text(self.leave_one_out)}",
            f"  {f'{self.folds}-fold:':<17} {crossed}, the mean over all ways to make the folds",
            f"  optimism:         {to_text(self.optimism)}, of resubstitution against leave-one-out",
            f"  without features: {to_text(self.baseline)}",
        ]
        return "\n".join(lines)


def risk_estimates(s: Sample, subset: Subset, *, folds: int = 10) -> RiskEstimates:
    """Estimate the risk of the majority table over a subset by resubstitution, leave-one-out and cross-validation.

    Parameters
    ----------
    s : Sample
    subset : iterable of feature names, or one name
        Chosen without a look at these samples. Of a subset that was selected on them, every estimate is too small on
        average: the selection belongs inside what is cross-validated, or the estimate on samples that it did not see.
    folds : int
        As in `cross_validated_risk`.

    Notes
    -----
    Complexity: see `holdout_risk`; under a second for 10,000 samples of two classes.

    References
    ----------
    Efron, "Estimating the error rate of a prediction rule: improvement on cross-validation" (1983), for the optimism.

    Examples
    --------
    >>> import fstheory as fs
    >>> s = fs.sample(fs.gallery.titanic(), 100, rng=0)
    >>> print(fs.samples.risk_estimates(s, s.features))
    age, class, sex on 100 samples: 10 states occur, 10.0 samples each
      resubstitution:   9/50 = 0.18
      leave-one-out:    19/100 = 0.19
      10-fold:          8505079379759/43275773641100 ≈ 0.1965, the mean over all ways to make the folds
      optimism:         1/100 = 0.01, of resubstitution against leave-one-out
      without features: 1/4 = 0.25
    """
    cells, number = _cells(s, subset), _folds(folds, s.m)
    try:
        crossed = _cross_validated(cells, s.m, number)
    except TooLargeError:
        crossed = None
    return RiskEstimates(
        names_of(mask_of(subset, s.features), s.features),
        s.m,
        cells.total(),
        1 - Fraction(int(s.cells(()).max()), s.m),
        _resubstitution(cells, s.m),
        _expected_error(cells, s.m, s.m - 1),
        crossed,
        number,
    )


def _cells(s: Sample, subset: Subset) -> _Cells:
    """Return the counts of the classes in the states of a subset that occur, equal ones together."""
    if not isinstance(s, Sample):
        raise InvalidTypeError(explain("s", "a Sample", s, "fs.sample(d, m, rng=0) draws one"))
    if s.m < 2:
        raise InvalidValueError(explain("s", "of at least two samples", s.m, "nothing is left to train on"))
    return Counter(map(tuple, s.cells(subset).tolist()))


def _folds(folds: int, m: int) -> int:
    number = as_index(folds, "folds", at_least=2)
    if number > m:
        raise InvalidValueError(explain("folds", f"at most {m}, the number of samples", folds, "pass fewer"))
    return number


def _resubstitution(cells: _Cells, m: int) -> Fraction:
    return 1 - Fraction(sum(max(counts) * times for counts, times in cells.items()), m)


def _cross_validated(cells: _Cells, m: int, folds: int) -> Fraction:
    """Return the mean over the samples of the error with a fold of the size of theirs."""
    size, larger = divmod(m, folds)
    parts = {size + 1: larger * (size + 1), size: (folds - larger) * size}
    errors = (_expected_error(cells, m, m - held) * tested for held, tested in parts.items() if tested)
    return sum(errors, Fraction(0)) / m


def _expected_error(cells: _Cells, m: int, training: int) -> Fraction:
    """Return the expected error on a sample of which a uniformly random set of the others was trained on."""
    if training < m - 1:
        _require_work(sum(sum(counts) ** 3 * len({*counts, 0}) // 10 for counts in cells if sum(map(bool, counts)) > 2))
    right = 0
    for counts, times in cells.items():
        for y, own in enumerate(counts):
            if own:
                others = [n - (z == y) for z, n in enumerate(counts)]
                right += times * own * _ways_to_win(others, y, m - 1, training)
    return 1 - Fraction(right, m * math.comb(m - 1, training))


def _require_work(work: int) -> None:
    """Refuse sums over the counts of three classes or more that take too long."""
    if work > WORK:
        repair = "hold out 1 sample, take a subset with more states, or merge classes"
        raise TooLargeError(explain("s", f"of two classes, or small enough for {WORK:,} steps", work, repair))


def _ways_to_win(others: list[int], y: int, total: int, training: int) -> int:
    """Return for how many training sets a class wins in a state of which these of all the others are."""
    everything = math.comb(total, training)
    if training == total:
        return int(others.index(max(others)) == y)
    rest = total - sum(others)
    if not others[y]:
        return math.comb(rest, training) if y == 0 else 0  # where nothing is known the first class wins
    present = [z for z, n in enumerate(others) if n]
    # unless it is the first class of all, the first one present wins only if it was seen
    unseen = math.comb(rest, training) if present[0] else 0
    if len(present) == 1:
        return everything - unseen
    if len(present) == 2:
        above = _ways_above(others[present[0]], others[present[1]], rest, training)
        return above if y == present[1] else everything - above - unseen
    return _ways_among_several(others, y, rest, training)


class _Binomials:
    """The binomial coefficients of one n, each made from the one asked before where that is near."""

    def __init__(self, n: int) -> None:
        from flint import fmpz

        self.n, self.k, self.value, self.zero = n, -1, fmpz(0), fmpz(0)

    def at(self, k: int) -> fmpz:
        """Return n choose k."""
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
    """Return how many training sets hold more of the second class than of the first: see `holdout_risk`."""
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


def _ways_among_several(others: list[int], y: int, rest: int, training: int) -> int:
    """Return for how many training sets a class has more than those before it, and no less than those after it."""
    from flint import fmpz

    reach = sum(others)
    ways, own, before, after = fmpz(0), _row(others[y], 0, others[y]), others[:y], others[y + 1 :]
    tail = _row(rest, training - reach, training)  # tail[j]: rest choose training - reach + j
    for k in range(int(y > 0), min(others[y], training) + 1):
        rivals = _sets_with_at_most(k - 1, before, reach).mul_low(_sets_with_at_most(k, after, reach), reach + 1)
        ways += own[k] * sum((c * tail[reach - k - j] for j, c in enumerate(rivals.coeffs())), fmpz(0))
    return int(ways)


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


@dataclass(frozen=True, repr=False)
class PermutationNull(Result):
    """How small the resubstitution risk of a subset is if the classes say nothing: they are put to the rows at random.

    The mean is exact; the probability of so small a risk is estimated from permutations that were drawn.

    Attributes
    ----------
    features : frozenset of str
    observed : Fraction
        The resubstitution risk.
    mean : Fraction or None
        Its expectation over all permutations of the classes. None where more than two classes and states with many
        samples make the sum too long.
    permutations, at_most : int
        How many were drawn, and how many of them had a risk of at most the observed one.

    Examples
    --------
    >>> import fstheory as fs
    >>> s = fs.sample(fs.gallery.titanic(), 100, rng=0)
    >>> found = fs.samples.permutation_null(s, {"sex"}, rng=0)
    >>> float(found.observed), round(float(found.mean), 4), found.p_value
    (0.23, 0.25, 0.002)
    """

    features: frozenset[str]
    observed: Fraction
    mean: Fraction | None
    permutations: int
    at_most: int

    @property
    def p_value(self) -> float:
        """The share of the permutations, the sample itself counted as one, with a risk of at most the observed one."""
        return (self.at_most + 1) / (self.permutations + 1)

    def interval(self, confidence: Exact = "19/20") -> tuple[float, float]:
        """Return the exact binomial (Clopper-Pearson) interval of the share of all permutations that do as well."""
        return binomial_interval(self.at_most, self.permutations, confidence)

    def __str__(self) -> str:
        low, high = self.interval()
        mean = "not computed: too many rows to a state" if self.mean is None else to_text(self.mean)
        lines = [
            f"{first_of(sorted(self.features)) or 'no features'}: resubstitution risk {to_text(self.observed)}",
            f"  classes permuted: {mean} on average",
            f"  as small in {self.at_most:,} of {self.permutations:,} permutations drawn: "
            f"p estimated {self.p_value:.4f} (95%: {low:.4f} to {high:.4f})",
        ]
        return "\n".join(lines)


def permutation_null(
    s: Sample,
    subset: Subset,
    *,
    rng: int | np.random.Generator,
    permutations: int = 999,
    progress: Progress = None,
) -> PermutationNull:
    """Compare the resubstitution risk of a subset with what it is when the classes are permuted among the rows.

    Parameters
    ----------
    s : Sample
    subset : iterable of feature names, or one name
        Chosen without a look at these samples: of a subset that was selected on them the p-value is too small.
    rng : int or numpy.random.Generator
        A seed, or a generator that is advanced.
    permutations : int
        How many are drawn, at least 1.
    progress : bool or callable, optional
        True shows how far it is, on a terminal or in a notebook; a function is called with each line of that.

    Notes
    -----
    With class totals M and a state of N samples, the counts k in the state are multivariate hypergeometric, and the
    mean is 1 - (1/m) sum over the states of E max k. Complexity: m steps for each permutation, and for the mean, of
    more than two classes, a product of polynomials of degree N for each count that a class can have in a state of N.

    Examples
    --------
    >>> import fstheory as fs
    >>> s = fs.Sample([("a", 0), ("a", 0), ("b", 1), ("b", 1)])
    >>> found = fs.samples.permutation_null(s, {"X1"}, rng=0)
    >>> found.observed, found.mean
    (Fraction(0, 1), Fraction(1, 3))
    """
    cells, number = _cells(s, subset), as_index(permutations, "permutations", at_least=1)
    source, table = generator(rng), s.cells(subset)
    totals, rows = table.sum(axis=0), table.sum(axis=1)
    labels, states = np.repeat(np.arange(len(totals)), totals), np.repeat(np.arange(len(rows)), rows) * len(totals)
    most_right = int(table.max(axis=1).sum())
    at_most = 0
    with Clock(None, progress) as clock:
        clock.tell(f"takes {number:,} permutations of {s.m:,} rows")
        for done in range(number):
            clock.tick(lambda: f"{done:,} of {number:,} permutations")  # noqa: B023 (it is called at once)
            drawn = np.bincount(states + source.permutation(labels), minlength=table.size).reshape(table.shape)
            at_most += int(drawn.max(axis=1).sum()) >= most_right
        mean = _mean_by_chance(rows.tolist(), totals.tolist(), clock)
    named = names_of(mask_of(subset, s.features), s.features)
    return PermutationNull(named, _resubstitution(cells, s.m), mean, number, at_most)


def _mean_by_chance(sizes: list[int], totals: list[int], clock: Clock) -> Fraction | None:
    """Return the mean resubstitution risk over all permutations of the classes, for states of these sizes."""
    totals, m = [total for total in totals if total], sum(sizes)
    distinct = Counter(sizes)
    if len(totals) > 2:
        try:
            _require_work(sum(min(size, max(totals)) * size**2 * len({*totals}) for size in distinct if size < m))
        except TooLargeError:
            return None
    right = sum((times * _expected_maximum(size, totals, m, clock) for size, times in distinct.items()), Fraction(0))
    return 1 - right / m


def _expected_maximum(size: int, totals: list[int], m: int, clock: Clock) -> Fraction:
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
        clock.tick(lambda: f"the mean, states of {size:,} samples: {most:,} of {max(totals):,} counts")  # noqa: B023
        ways += everything - _sets_with_at_most(most, totals, size)[size]
    return Fraction(int(ways), int(everything))


# -- Which features a sample supports: greedy steps by leave-one-out risk, each against labels that are permuted.


ROWS_PER_STATE = 5  # with fewer samples in a state that occurs, the majority there is mostly luck
_LEVEL = Fraction(1, 20)
_FEWER = 19  # permutations, the fewest that can decide at that level
_VISITS = 2 * 10**8  # of rows, in one step: some three seconds
_BYTES = 32  # a cell: the rows in the order of the features, and what is made of them
_AT_ONCE = 2**20  # rows of permuted samples in memory

Integers = npt.NDArray[np.int64]


@dataclass(frozen=True, repr=False)
class SupportStep(Result):
    """The best addition to the features so far, and whether permuted labels do as well.

    Attributes
    ----------
    added : frozenset of str
        One feature, or two where no single one helps.
    tied : tuple of frozenset of str
        All additions of the same leave-one-out risk; the first was taken, that of the fewest states and then the first
        in the order of the features.
    features : frozenset of str
        With the addition.
    states : int
        How many states of these features occur in the sample.
    plug_in, left_out : Fraction
        The risk of the majority table over them on the sample itself, and with each sample left out of the table that
        predicts it.
    as_good : int
        In how many of the permutations the best addition has a leave-one-out risk at least as small.
    permutations : int
        How many were made: none where no addition lowers the risk.
    accepted : bool
        Whether the risk falls, and p is at most 1/20.

    Examples
    --------
    >>> import fstheory as fs
    >>> step = fs.samples.supported_features(fs.sample(fs.gallery.titanic(), 500, rng=0), rng=0).steps[0]
    >>> step.added, step.left_out, step.p
    (frozenset({'sex'}), Fraction(133, 500), Fraction(1, 100))
    """

    added: frozenset[str]
    tied: tuple[frozenset[str], ...]
    features: frozenset[str]
    states: int
    plug_in: Fraction
    left_out: Fraction
    as_good: int
    permutations: int
    accepted: bool
    _derived = ("p",)

    @property
    def p(self) -> Fraction:
        """The p-value of the permutation test: of the permutations and the sample itself, the share that is as good."""
        return Fraction(self.as_good + 1, self.permutations + 1)


@dataclass(frozen=True, repr=False)
class SupportedFeatures(Result):
    """The features that a sample supports, step by step.

    Attributes
    ----------
    sample : Sample
    features : frozenset of str
    steps : tuple of SupportStep
        The accepted ones, and the one that was not, if there was one.
    pairs_tried : bool
        Whether the last step looked at pairs of features as well: where no single one helps, if they are not too many.
    stopped : str
        Why there are no more steps.
    plug_in, left_out : Fraction
        Of `features`.

    Examples
    --------
    >>> import fstheory as fs
    >>> print(fs.samples.supported_features(fs.sample(fs.gallery.xor(), 80, rng=0), rng=0))
    80 samples support X1X2: leave-one-out risk 0, plug-in risk 0
      + X1, X2: leave-one-out risk 0, p = 1/100
    """

    sample: Sample
    features: frozenset[str]
    steps: tuple[SupportStep, ...]
    pairs_tried: bool
    stopped: str
    plug_in: Fraction
    left_out: Fraction

    def __str__(self) -> str:
        names = self.sample.features
        where = format_subset(mask_of(self.features, names), names)
        risks = f"leave-one-out risk {to_text(self.left_out)}, plug-in risk {to_text(self.plug_in)}"
        lines = [f"{self.sample.m:,} samples support {where}: {risks}"]
        for step in self.steps:
            added = ", ".join(name for name in names if name in step.added)
            refused = "" if step.accepted else ", not supported"
            lines.append(f"  + {added}: leave-one-out risk {to_text(step.left_out)}, p = {step.p}{refused}")
        return "\n".join(lines)


def table_risks(sample: Sample, mask: int) -> tuple[int, Fraction, Fraction]:
    """Return how many states of a subset occur, its plug-in risk and its leave-one-out risk.

    Complexity: one grouping of the distinct rows.
    """
    cells = sample._cells_at(mask)
    right = int(cells.max(axis=1).sum())
    return len(cells), 1 - Fraction(right, sample.m), 1 - Fraction(_left_out_right(cells[None])[0], sample.m)


def _left_out_right(tables: Integers) -> list[int]:
    """Return of tables (batch, states, classes) how many samples the table of the others gets right."""
    found: list[int] = left_out_gains(tables)[:, -1].tolist()
    return found


def permuted_risk(sample: Sample, mask: int, rng: np.random.Generator, permutations: int = _FEWER) -> Fraction:
    """Return the mean plug-in risk of a subset where the labels are permuted, so that it says nothing about them.

    Complexity: one grouping of the distinct rows for each permutation.
    """
    labels = np.repeat(sample.codes[:, -1], sample.counts)
    grouping = sample._ungrouped()
    for i in indices_of(mask):
        grouping = sample._refined(grouping, i)
    distinct, keys = np.unique(grouping[0], return_inverse=True)
    states = np.repeat(keys, sample.counts)
    classes, right = len(sample.classes), 0
    for _ in range(permutations):
        cells = np.bincount(states * classes + rng.permutation(labels), minlength=classes * len(distinct))
        right += int(cells.reshape(-1, classes).max(axis=1).sum())
    return 1 - Fraction(right, permutations * sample.m)


def supported_features(
    sample: Sample, *, rng: int | np.random.Generator, permutations: int = 99, progress: Progress = None
) -> SupportedFeatures:
    """Return the features that a sample supports: greedy, by leave-one-out risk, against permuted labels.

    Each step adds the feature of the least leave-one-out risk, or where none lowers it the pair. The labels are then
    permuted among the samples that agree on the features so far, so that no other feature says more about them; an
    addition counts if at most 1 in 20 of these samples and the given one have an addition that is as good. It stops
    also where every addition leaves fewer than 5 samples for each state that occurs.

    Parameters
    ----------
    sample : Sample
    rng : int or numpy.random.Generator
        A seed, or a generator that is advanced.
    permutations : int
        Of each step, at least 19; 19 where more would take long.
    progress : bool or callable, optional
        True shows how far it is, on a terminal or in a notebook; a function is called with each line of that.

    Returns
    -------
    SupportedFeatures

    Raises
    ------
    TooLargeError
        The rows, one by one, do not fit in memory.

    Notes
    -----
    The p-value of a step is exact, whatever the distribution: if the class is independent of the other features given
    those so far, all permutations are equally likely, and p is at most 1/20 with probability at most 1/20 (Phipson and
    Smyth, 2010). The path is greedy: another set may do as well, and what is not supported may matter to a larger
    sample.

    Complexity: for each step one grouping of the rows for each addition and permutation.

    References
    ----------
    Phipson and Smyth (2010), "Permutation p-values should never be zero".

    Examples
    --------
    >>> import fstheory as fs
    >>> s = fs.sample(fs.gallery.titanic(), 500, rng=0)
    >>> sorted(fs.samples.supported_features(s, rng=0).features)
    ['class', 'sex']
    """
    if not isinstance(sample, Sample):
        raise InvalidTypeError(explain("sample", "a Sample", sample, "fs.sample(d, m, rng=0) draws one"))
    most = as_index(permutations, "permutations", at_least=_FEWER)
    with Clock(None, progress) as clock:
        return _Walk(sample, generator(rng), most, clock).result()


class _Walk:
    """The rows one by one, and the state of the features so far in each."""

    def __init__(self, sample: Sample, rng: np.random.Generator, most: int, clock: Clock) -> None:
        self.sample, self.rng, self.most, self.clock = sample, rng, most, clock
        shape = (sample.m, len(sample.features) + 1)
        require_cells(
            shape, "the rows one by one", "sample.keep(...) fewer features, or draw a part of the rows", _BYTES
        )
        codes = np.repeat(sample.codes, sample.counts, axis=0)
        self.columns, self.labels = codes[:, :-1].T.copy(), codes[:, -1].copy()
        self.classes = len(sample.classes)
        self.states = np.zeros(sample.m, dtype=np.int64)  # of the features so far

    def result(self) -> SupportedFeatures:
        """Walk."""
        mask, steps, pairs = 0, list[SupportStep](), False
        n = len(self.sample.features)
        _, plug_in, left_out = table_risks(self.sample, 0)
        stopped = "all features are in"
        while mask != 2**n - 1:
            rest = [i for i in range(n) if not mask >> i & 1]
            step = self.best(mask, [1 << i for i in rest], left_out)
            if (step is None or not step.accepted) and len(rest) > 1:
                both_of = [1 << i | 1 << j for i, j in itertools.combinations(rest, 2)]
                pairs = len(both_of) * _FEWER * self.sample.m <= _VISITS
                second = self.best(mask, both_of, left_out) if pairs else None
                step = second if second is not None and (step is None or second.accepted) else step
            if step is None:
                stopped = f"every addition leaves fewer than {ROWS_PER_STATE} samples for each state that occurs"
                break
            steps.append(step)
            if not step.accepted:
                stopped = "permuted labels do as well" if step.left_out < left_out else "no addition lowers the risk"
                break
            mask, plug_in, left_out = mask_of(step.features, self.sample.features), step.plug_in, step.left_out
            self.states = self.key(mask_of(step.added, self.sample.features))
        features = names_of(mask, self.sample.features)
        return SupportedFeatures(self.sample, features, tuple(steps), pairs, stopped, plug_in, left_out)

    def key(self, added: int) -> Integers:
        """Return the states of the features so far and of those added, numbered as they occur."""
        keys = self.states
        for i in indices_of(added):
            keys = keys * self.sample.cardinalities[i] + self.columns[i]
            keys = np.unique(keys, return_inverse=True)[1]
        return keys

    def best(self, mask: int, additions: Sequence[int], before: Fraction) -> SupportStep | None:
        """Return the best addition that the sample can carry, with its test."""
        m = self.sample.m
        taken = mask.bit_count()
        found = list[tuple[int, int, Fraction, Fraction]]()
        for added in additions:
            self.clock.tick(lambda: f"{taken} features taken, {len(found):,} of {len(additions):,} additions looked at")
            found.append((added, *table_risks(self.sample, mask | added)))
        carried = [entry for entry in found if entry[1] * ROWS_PER_STATE <= m]
        if not carried:
            return None
        least = min(left_out for *_, left_out in carried)
        tied = sorted((states, added, plug_in) for added, states, plug_in, left_out in carried if left_out == least)
        states, added, plug_in = tied[0]
        number = 0 if least >= before else self.most if len(carried) * self.most * m <= _VISITS else _FEWER
        as_good = self.as_good([entry[0] for entry in carried], least, number)
        names = self.sample.features
        accepted = least < before and Fraction(as_good + 1, number + 1) <= _LEVEL
        return SupportStep(
            names_of(added, names), tuple(names_of(other, names) for _, other, _ in tied),
            names_of(mask | added, names), states, plug_in, least, as_good, number, accepted,
        )  # fmt: skip

    def as_good(self, additions: Sequence[int], least: Fraction, number: int) -> int:
        """Return for how many permutations within the states so far the best addition is at least as good."""
        m, wanted = self.sample.m, int((1 - least) * self.sample.m)
        by_state = np.argsort(self.states, kind="stable")
        done = 0
        for start in range(0, number, batch := max(1, _AT_ONCE // m)):
            self.clock.tick(lambda: f"{start:,} of {number:,} permutations")  # noqa: B023 (it is called at once)
            labels = np.empty((min(batch, number - start), m), dtype=np.int64)
            for row in labels:  # the order of random numbers within each state is a permutation
                row[by_state] = self.labels[np.lexsort((self.rng.random(m), self.states))]
            best = np.zeros(len(labels), dtype=np.int64)
            for added in additions:
                keys = self.key(added)
                states = int(keys.max()) + 1
                cells = (np.arange(len(labels))[:, None] * states + keys) * self.classes + labels
                tables = np.bincount(cells.ravel(), minlength=len(labels) * states * self.classes)
                tables = tables.reshape(len(labels), states, self.classes)
                np.maximum(best, _left_out_right(tables), out=best)
            done += int((best >= wanted).sum())
        return done
