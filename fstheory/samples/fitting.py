"""Runs of the methods on one sample, step by step, and the features that a sample supports."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from typing import Any, ClassVar, TypeAlias, Unpack, cast

import numpy as np

from fstheory._support.code import function_text
from fstheory._support.exact import Exact, as_fraction, as_index, decimal_text, to_text
from fstheory._support.journal import Resume, digest
from fstheory._support.memory import require_cells
from fstheory._support.progress import Progress
from fstheory._support.result import Result
from fstheory._support.work import Run, Workers, running
from fstheory.distributions.build import Label
from fstheory.distributions.counting import Grouping, Shuffles
from fstheory.distributions.rows import (
    ROWS_PER_STATE,
    Sample,
    cells_of_all,
    distinct_rows,
    draw_some,
    generator,
    tables_at,
)
from fstheory.errors import InvalidValueError, Message, TooLargeError, first_of, require, warn_of
from fstheory.lattice.columns import Integers
from fstheory.lattice.series import Traced
from fstheory.lattice.subsets import indices_of, mask_of, masks_by_size, names_of, ordered_names, subset_text
from fstheory.measures.criterion import Criterion, Predictor, cells_by_state
from fstheory.measures.risk import bayes_classifier
from fstheory.samples.design import Designed, DesignOptions, designed
from fstheory.samples.estimates import part_of, require_sample
from fstheory.samples.inducers import learn, require_learnable, right_of
from fstheory.samples.law import digest_of, run_of
from fstheory.samples.left_out import LeftOut, left_out
from fstheory.samples.methods import (
    FBS,
    FOS,
    Method,
    MethodLike,
    NoSelection,
    OrderedFS,
    PlugIn,
    StandardWrap,
    as_method,
)
from fstheory.selection.greedy import few_rows, separating

_MOST = 2**16  # subsets of which a table is made: some 20 s for 5,000 rows
_WIDEST = 2**11  # features that are removed one by one: each step names all the features that are left
_FEWER = (
    "keep the best 12 of them, by select(sample, 12, method='score'), or in a pipeline by "
    "BayesGreedySelector(search='score', n_features_to_select=12)"
)


@dataclass(frozen=True, repr=False)
class EstimateStep(Result):
    """One risk estimate of a method: the risk of the classifier over a subset.

    In FBS and FOS, `dropped` is the feature that was left out; in other methods it is None. If samples are held out,
    `training` is the share of errors on the other samples; else it is None. `accepted` says whether the feature was
    dropped or, in other methods, whether the subset was selected.
    """

    subset: frozenset[str]
    dropped: str | None
    estimate: Fraction
    training: Fraction | None
    accepted: bool


class _Classifier(Predictor[Label]):
    """The classifier that an inducer learned."""

    def _head(self) -> str:
        return f"classifier that sees {', '.join(self.features) or 'no features'}"


@dataclass(frozen=True, repr=False)
class Fitted(Traced):
    """The features that a method selected on one sample, and the steps that led to them.

    Attributes
    ----------
    features : tuple of str
        The selected features, in the order of the columns.
    estimate : Fraction
        The estimated risk of these features. The method searched for small estimates, so it is too small on average.
    trace : tuple of EstimateStep
        The estimates that the method compared, in order. NoSelection and PlugIn compare none, so theirs is empty.
    tied : tuple of frozenset of str
        The subsets that tied at the last choice. In FBS with ``ties="uniform"`` these are the features that could be
        dropped in the last step in which one was dropped. If nothing tied, there is one.
    training : Sample
        The samples on which the classifier was trained: all samples, if none were held out.
    """

    _drawn: ClassVar = {"estimate": "estimated risk", "training": "risk on the training rows"}
    _derived = ("estimated_by",)

    sample: Sample
    method: Method
    features: tuple[str, ...]
    estimate: Fraction
    trace: tuple[EstimateStep, ...]
    tied: tuple[frozenset[str], ...]
    training: Sample

    @property
    def estimated_by(self) -> str:
        """The name of the estimate of the risks: "leave-one-out" is the one of `fstheory.samples.risk_estimates`."""
        return self.method.estimated_by

    @property
    def classifier(self) -> Predictor[Label]:
        """The classifier over the selected features, by default the majority table.

        Nearest neighbors draw among classes: in each state, the classifier has those that are drawn most often.
        """
        seen, inducer = self.training.empirical(self.features), self.method.inducer
        if inducer == "majority":
            return bayes_classifier(seen)
        shares, _ = learn(inducer, cells_of_all(self.training.keep(self.features))[None])
        likeliest = (tuple(y for y, p in zip(seen.classes, row, strict=True) if p == max(row)) for row in shares[0])
        states = (state for state, _ in cells_by_state(seen))
        return _Classifier(self.features, dict(zip(states, likeliest, strict=True)), frozenset())

    def __str__(self) -> str:
        names = self.sample.features
        where = subset_text(self.features, names)
        risk = f"estimated risk {to_text(self.estimate)} by {self.estimated_by}"
        lines = [f"{self.method.title} on {self.sample.m:,} samples: {where}, {risk}"]
        for step in self.trace[:16]:
            subset = subset_text(step.subset, names)
            if step.dropped is not None:
                outcome = "dropped" if step.accepted else "kept"
                lines.append(f"  without {step.dropped} ({subset}): {to_text(step.estimate, 0)}, {outcome}")
            else:
                trained = "" if step.training is None else f" ({to_text(step.training, 0)} in training)"
                lines.append(f"  {subset}: {to_text(step.estimate, 0)}{trained}{', selected' if step.accepted else ''}")
        if len(self.trace) > 16:
            lines.append(f"  ... {len(self.trace) - 16} more")
        if len(self.tied) > 1:
            tied = first_of([subset_text(subset, names) for subset in self.tied], 8)
            lines.append(f"  tied, decided by the rule '{self.method.ties}': {tied}")
        return "\n".join(lines)


def fit(
    sample: Sample,
    method: MethodLike,
    *,
    rng: int | np.random.Generator | None = None,
    executor: Workers = None,
    resume: Resume = None,
    progress: Progress = None,
) -> Fitted:
    """Run a method on a sample, and return the features that it selects with every risk estimate that it compared.

    Parameters
    ----------
    sample : Sample
    method : FBS, FOS, StandardWrap, OrderedFS, NoSelection or PlugIn
        Or the name of one that works with its defaults: "FOS" is ``fs.FOS()``.
    rng : int or numpy.random.Generator, optional
        A seed, or a generator that is advanced. It is needed if samples are held out or divided into folds, which are
        drawn without replacement, or if ties are drawn.
    executor, resume, progress
        As in `simulate`. FBS with ``ties="first"`` looks at one subset at a time, so more processes do not help it.

    Returns
    -------
    Fitted
        Its `features` are the selected ones, `classifier` is what the inducer learns over them.

    Notes
    -----
    The result says by which estimate the risks are estimated. Each of them is an estimate for the learner of
    `selection_law`, except that "leave-one-out" prefers no class. A warning says if chance decides, because there are
    few rows for each state, or if the 0-1 loss sees little of rare classes. An inducer other than the majority table
    takes up to 4,096 joint states of the features, and "linear" up to four features.

    Complexity: one grouping of the distinct rows for each subset that the method looks at. FOS looks at n + 1 subsets
    and FBS at no more than n(n + 1)/2 + 1; more than 2048 features are refused with `TooLargeError`. StandardWrap and
    OrderedFS look at all 2**n subsets; more than 16 features are refused. NoSelection and PlugIn look at one.

    Source: Peña and Nilsson (2010), Section 5; Ng (1998), Sections 2 and 3.

    Examples
    --------
    >>> import fstheory as fs
    >>> s = fs.sample(fs.gallery.titanic(), 300, rng=0)
    >>> print(fs.fit(s, fs.FOS(tau="1/100", estimate="leave-one-out")))
    FOS on 300 samples: {class, sex}, estimated risk 7/30 ≈ 0.2333 by leave-one-out
      without class ({sex, age}): 31/120, kept
      without sex ({class, age}): 197/600, kept
      without age ({class, sex}): 7/30, dropped
    """
    require_sample(sample, "sample")
    method = as_method(method)
    held, n = method.holdout_size(sample.m), len(sample.features)
    fits = n <= _WIDEST or not isinstance(method, FBS | FOS)
    require(fits, "sample", f"of at most {_WIDEST:,} features for {method.title}", n, _FEWER, TooLargeError)
    if method.reads == "parts":
        require_learnable(method.inducer, [len(sample.states[name]) for name in (*sample.features, sample.target)])
    folds = method.estimated_by.endswith("-fold")
    if rng is None and (held or folds or method.ties == "uniform"):
        why = "samples are held out" if held else "folds are drawn" if folds else "ties are drawn"
        raise InvalidValueError(f"rng must be a seed or a generator where {why}, not None; pass rng=0, say")
    source = generator(0 if rng is None else rng, resume=resume)
    with run_of(sample, method, resume, progress, executor, kind="fit", seed=str(rng)) as run:
        found = _Fit(sample, method, source, run).result()
    warn_of(_doubts_of_fit(found))
    return found


def _doubts_of_fit(found: Fitted) -> Iterator[str]:
    """Say that a search that begins with all features began where chance decides, or that it sees no rare class."""
    sample, method = found.sample, found.method
    if isinstance(method, FBS | FOS):
        honest = method.estimated_by != "resubstitution"
        yield from few_rows(sample, sample.features, least=2 if honest else ROWS_PER_STATE)
    if not found.features and (sample.m - int(sample.cells(()).max())) * 10 < sample.m:
        apart = separating(sample, [(), *({name} for name in sample.features)])
        yield Message("the 0-1 loss sees little of rare classes: in a greedy search ", apart)


_Found: TypeAlias = "tuple[int, list[EstimateStep], list[int]]"  # the mask, the trace, the masks that tie


class _Fit:
    """One run: the split of the sample, and the estimates that were looked at."""

    def __init__(self, sample: Sample, method: Method, rng: np.random.Generator, run: Run) -> None:
        self.sample, self.method, self.rng, self.run = sample, method, rng, run
        self.parts = [sample.counts]  # all rows, the folds, or the rows that train and those that are held out
        for size in method.parts(sample.m)[1:]:
            self.parts.append(draw_some(self.parts[0], size, rng))
            self.parts[0] = self.parts[0] - self.parts[-1]
        self.full = 2 ** len(sample.features) - 1
        noted = run.journal.get("subsets", [])
        self.estimates = {mask: (Fraction(risk), Fraction(rest[0]) if rest else None) for mask, risk, *rest in noted}
        self.total: int | None = None  # subsets to be looked at, where that is known

    def estimate(self, mask: int) -> Fraction:
        if mask not in self.estimates:
            self.look([mask])
        return self.estimates[mask][0]

    def look(self, masks: Iterable[int]) -> None:
        """Estimate the risks of the subsets that have no estimate yet."""
        new = [mask for mask in masks if mask not in self.estimates]
        size = 1 + _TOGETHER // len(self.parts[0])
        work = partial(_estimated, self.sample, self.parts, self.method)
        chunks = (new[start : start + size] for start in range(0, len(new), size))
        for found in self.run.crew.map(work, chunks) if len(new) > size else map(work, chunks):
            self.run.clock.count(len(self.estimates), self.total, "subsets looked at", f"{self.method.title}: ")
            self.estimates |= found
            self.run.journal.offer(("subsets", self.to_json), last=len(self.estimates) == self.total)

    def to_json(self) -> list[list[Any]]:
        return [[mask, *(str(risk) for risk in pair if risk is not None)] for mask, pair in self.estimates.items()]

    def result(self) -> Fitted:
        """Run the method."""
        runs: dict[type[Method], Callable[[], _Found]] = {
            FOS: self.one_shot,
            FBS: self.backward,
            StandardWrap: lambda: self.least(self.all_masks()),
            OrderedFS: self.ordered,
            NoSelection: lambda: (self.full, [], []),
            PlugIn: lambda: (cast("PlugIn", self.method).subset(d := self.sample.empirical(), d.weights), [], []),
        }
        mask, trace, tied = runs[type(self.method)]()
        sample = self.sample
        training = part_of(sample, self.parts[0]) if self.method.holdout_size(sample.m) else sample
        chosen = ordered_names(mask, sample.features)
        named = tuple(names_of(found, sample.features) for found in tied or [mask])
        return Fitted(sample, self.method, chosen, self.estimate(mask), tuple(trace), named, training)

    def step(self, mask: int, dropped: int | None, accepted: bool) -> EstimateStep:
        name, subset = None if dropped is None else self.sample.features[dropped], names_of(mask, self.sample.features)
        return EstimateStep(subset, name, self.estimate(mask), self.estimates[mask][1], accepted)

    def is_spared(self, mask: int, i: int) -> bool:
        tau: Fraction = self.method.tau  # type: ignore[attr-defined]
        return self.estimate(mask & ~(1 << i)) <= self.estimate(mask) + tau

    def one_shot(self) -> _Found:
        """Run FOS: leave each single feature out of the set of all features."""
        self.look([self.full, *(self.full & ~(1 << i) for i in indices_of(self.full))])
        spared = [(i, self.is_spared(self.full, i)) for i in indices_of(self.full)]
        trace = [self.step(self.full & ~(1 << i), i, fine) for i, fine in spared]
        return sum(1 << i for i, fine in spared if not fine), trace, []

    def backward(self) -> _Found:
        """Drop features until none can be spared; with ties drawn, all that can be are looked at."""
        mask, trace, tied = self.full, list[EstimateStep](), list[int]()
        while True:
            spared: list[int] = []
            if self.method.ties != "first":
                self.look(mask & ~(1 << i) for i in indices_of(mask))
            for i in indices_of(mask):
                if not self.is_spared(mask, i):
                    trace.append(self.step(mask & ~(1 << i), i, False))
                    continue
                spared.append(i)
                if self.method.ties == "first":
                    break
            if not spared:
                return mask, trace, tied
            taken = self.pick(spared)
            tied = [1 << i for i in spared]
            mask &= ~(1 << taken)
            trace.append(self.step(mask, taken, True))

    def ordered(self) -> _Found:
        """Take the best of each size in training."""
        candidates, masks = [], self.all_masks()
        for size in range(len(self.sample.features) + 1):
            group = [mask for mask in masks if mask.bit_count() == size]
            errors = [self.estimates[mask][1] for mask in group]
            best = [mask for mask, error in zip(group, errors, strict=True) if error == min(errors)]  # type: ignore[type-var]
            candidates.append(self.pick(best))
        return self.least(candidates)

    def all_masks(self) -> list[int]:
        """Return all subsets by size, if they are not too many."""
        n = len(self.sample.features)
        most = _MOST.bit_length() - 1
        require(n <= most, "sample", f"of at most {most} features", n, _FEWER, TooLargeError)
        self.total = 2**n
        self.run.clock.tell(f"{self.method.title}: {self.total:,} subsets to look at")
        found: list[int] = masks_by_size(n).tolist()
        self.look(found)
        return found

    def least(self, masks: list[int]) -> _Found:
        least = min(map(self.estimate, masks))
        tied = [mask for mask in masks if self.estimate(mask) == least]
        taken = self.pick(tied)
        return taken, [self.step(mask, None, mask == taken) for mask in masks], tied

    def pick(self, tied: list[int]) -> int:
        """Return the first of several, or one drawn."""
        return tied[0] if self.method.ties == "first" else tied[int(self.rng.integers(len(tied)))]


_TOGETHER = 2**24  # rows that are grouped in one chunk: some tenths of a second


def _estimated(
    sample: Sample, parts: Sequence[Integers], method: Method, masks: Sequence[int]
) -> dict[int, tuple[Fraction, Fraction | None]]:
    """Return the estimates of subsets on parts of the rows; if rows are held out, also those in training."""
    found: dict[int, tuple[Fraction, Fraction | None]] = {}
    for mask in masks:
        cells, held = _cells(sample, mask, method, parts), method.holdout_size(sample.m)
        (right,), common = right_of(method.inducer, method.estimated_by, cells)
        risk, training = 1 - Fraction(int(right), common * (held or sample.m)), None
        if held:
            (right,), common = right_of(method.inducer, "resubstitution", cells[:, :1])
            training = 1 - Fraction(int(right), common * (sample.m - held))
        found[mask] = risk, training
    return found


def _cells(sample: Sample, mask: int, method: Method, parts: Sequence[Integers]) -> Integers:
    """Return the counts of parts of the rows over a subset, of shape (1, parts, *cardinalities, classes).

    The majority table takes the states that occur as those of one feature.
    """
    if method.inducer == "majority":
        return np.stack(tables_at(sample, mask, *parts))[None]
    names = ordered_names(mask, sample.features)
    return np.stack([cells_of_all(part_of(sample, part).keep(names)) for part in parts])[None]


_VISITS = 2 * 10**8  # of rows, in one step: some three seconds
_AFFORDED = 10**10  # visits in one test: 250 permutations of 10**6 rows and 40 additions, a quarter of a minute
_CALL = 10**4  # an addition with its test takes at least as long as this many visits
_BYTES = 32  # a cell: the rows in the order of the features, and what is made of them
_AT_ONCE = 2**24  # rows of permuted samples in memory, mostly a byte each
_LEAST = 16  # permutations of a chunk, where there is place: the rows are grouped once for all of them


@dataclass(frozen=True, repr=False)
class SupportStep(Result):
    """The best addition to the features so far, and the test of whether permuted labels do as well.

    Attributes
    ----------
    added : frozenset of str
        One feature, or two if no single feature helps.
    features : tuple of str
        The features after the addition, in the order of the columns.
    tied : tuple of frozenset of str
        All additions with the same leave-one-out value of the criterion. The first of them, which has the fewest
        states, was taken.
    states : int
        How many states of the features occur in the sample. If states are merged, these are the states after the last
        merger, divided by the added features.
    plug_in, left_out : Fraction or LogSum
        The criterion of the features on the sample itself, and with each row predicted by the other rows.
    as_good, permutations : int
        The number of permutations whose best addition is at least as good, and the number of permutations drawn. If no
        addition is better than none, or a bound decides, no permutation is drawn. Permutations are drawn until the
        verdict is certain, or up to a number that was fixed before.
    level : Fraction
        The level of the test: half of the familywise error rate if pairs can be tried as well, else all of it.
    accepted : bool
        Whether the addition was made: the criterion gets better, and the test decides that p is below the level. If
        permutations are drawn until the verdict is certain, p must be below the level less 1/1000, or less a tenth of
        the level if that is less. The difference pays for wrong verdicts.
    settled : bool
        Whether it is certain on which side of this lower number the p-value of all permutations is, except for an error
        of probability 1/1000 at most. If not, another seed may give another verdict.
    bound : Fraction
        A proved upper bound on the p-value of all permutations, a power of ten. It is 1 if none is known. If it decides
        the test, no permutation is drawn.
    """

    added: frozenset[str]
    tied: tuple[frozenset[str], ...]
    features: tuple[str, ...]
    states: int
    plug_in: Any
    left_out: Any
    as_good: int
    permutations: int
    level: Fraction
    accepted: bool
    settled: bool = True
    bound: Fraction = Fraction(1)
    _derived = ("p", "is_bound")

    @property
    def p(self) -> Fraction:
        """The share of the permutations that are as good, or the proved bound if it is less.

        The sample itself counts as one of the permutations. Their share estimates the p-value of all permutations. If
        their number was fixed before the test, the share is itself a valid p-value, and so is the bound.
        """
        return min(self.bound, Fraction(self.as_good + 1, self.permutations + 1))

    @property
    def is_bound(self) -> bool:
        """Whether `p` is the proved bound."""
        return self.p * (self.permutations + 1) < self.as_good + 1


@dataclass(frozen=True, repr=False)
class SupportedFeatures(Traced):
    """The features that a sample supports, step by step.

    `features` are in the order in which they were added. `steps` has the accepted steps and, if there was one, the
    step that was refused. `stopped` says why there are no more steps. `pairs_tried` says whether the last step also
    looked at pairs, which it does if no single feature helps, there are not too many pairs, and some pair has enough
    rows for its states. `plug_in` and `left_out` are the values of the criterion for these features: on the sample
    itself, and with each row predicted by the other rows. If states are `merged` after each step, they are the values
    of the merged states. `criterion` is its name, and `familywise` the error rate of the tests.
    """

    _table: ClassVar = "steps"
    _drawn: ClassVar = {"left_out": "leave-one-out", "plug_in": "plug-in"}
    _along: ClassVar = "features"

    sample: Sample
    features: tuple[str, ...]
    steps: tuple[SupportStep, ...]
    pairs_tried: bool
    stopped: str
    plug_in: Any
    left_out: Any
    criterion: str = "0-1 loss"
    familywise: Fraction = Fraction(1, 20)
    merged: bool = False

    @property
    def unsettled(self) -> tuple[SupportStep, ...]:
        """The steps in which another seed may decide otherwise."""
        return tuple(step for step in self.steps if not step.settled)

    @property
    def doubts(self) -> tuple[str, ...]:
        """Reasons to doubt that the columns say nothing, if nothing was added: too few rows, or the criterion."""
        first, n = self.steps[0] if self.steps else None, len(self.sample.features)
        if first is None:
            return (self.stopped,) if len(self.features) < n else ()
        tied = len(first.tied)
        if first.permutations or first.is_bound or 2 * tied <= n or tied == 1:
            return ()
        many = "all" if tied == n else f"{tied} of {n}"
        return (Message(f"{many} columns tie under the {self.criterion}: ", separating(self.sample, first.tied)),)

    def __str__(self) -> str:
        names = self.sample.features
        where = subset_text(self.features, names)
        measure = "risk" if self.criterion == "0-1 loss" else self.criterion
        write = partial(to_text, formula=False)
        of = f"{measure} of the merged states" if self.merged else measure
        risks = f"leave-one-out {of} {write(self.left_out)}, plug-in {of} {write(self.plug_in)}"
        lines = [f"{self.sample.m:,} samples support {where}: {risks}"]
        for step in self.steps:
            added = ", ".join(name for name in names if name in step.added)
            refused = "" if step.accepted else ", not supported"
            refused += "" if step.settled else ", but another seed may decide otherwise"
            p = f"p ≤ {decimal_text(step.p, 1)}" if step.is_bound else f"p = {step.p}"
            lines.append(f"  + {added}: leave-one-out {measure} {write(step.left_out)}, {p}{refused}")
        return "\n".join(lines)


def supported_features(
    sample: Sample,
    *,
    rng: int | np.random.Generator,
    criterion: Criterion[Any] | str = "logarithmic",
    familywise: Exact = "1/20",
    permutations: int = 9999,
    merge: bool = False,
    executor: Workers = None,
    resume: Resume = None,
    progress: Progress = None,
    **design: Unpack[DesignOptions],
) -> SupportedFeatures:
    """Return the features that a sample supports, found step by step, each step tested against permuted labels.

    Use it before you trust columns of a table: it asks which of them improve the prediction of rows that were left out
    by more than chance does. The value of a set of features is the value of the criterion if each row is predicted from
    the other rows.

    Each step adds the feature with the best value, if it does better than permuted labels do. If no single feature
    does, the step tries pairs. From the best pair it adds only those features that are needed beside the other one. The
    labels are permuted among the rows that agree on the features added so far. An addition is accepted if few
    permutations have any addition that is as good. The search ends at the first step that is not accepted. It also ends
    if every addition leaves fewer than 5 rows for each state that occurs. The first feature needs 2 rows for a state.

    Parameters
    ----------
    sample : Sample
    rng : a seed, or a generator that is advanced
    criterion : Criterion or str
        'logarithmic', where each class counts once more in each state; an expected loss such as 'zero_one' or
        'balanced'; 'gini'; or 'auc', where pairs of rows are left out. The logarithmic loss is the default because in
        simulations it finds about as much as any other, whether classes are rare, common or more than two. The 0-1
        loss sees nothing of rare classes, because their rows are predicted wrongly with and without a feature.
    familywise : exact number, above 0 and below 1
        The probability, at most, that a step adds anything if the class is independent of all other features given the
        features added before. The best addition is compared with the best one of each permutation (Westfall and Young,
        1993), so the bound holds for all additions of a step together. If pairs can be tried, half of this rate is for
        single features and half for pairs. If there are too many pairs, or every pair leaves fewer than 5 rows for each
        state that occurs, all of it is for single features. The search ends at the first step without an addition, so
        no step has to pay for others.
    permutations : int
        The largest number of permutations in one test. They are drawn until it is certain, except for an error of
        probability 1/1000, on which side of the level less 1/1000 the p-value of all permutations is; see the notes. If
        this number cannot be enough for that, or would take too long, the number of permutations is fixed before the
        test. It is `permutations` or, if these would take long, the smallest number that can decide. Then p is valid
        (Phipson and Smyth, 2010), but another seed may decide otherwise if `SupportStep.settled` is False. If a proved
        bound on the p-value of all permutations is below the level less 1/1000, none are drawn; see the notes.
    merge : bool
        Whether states are merged after each step, which finds more features in few rows. All states in which the same
        class exceeds its share in all rows by the largest factor become one state. If two factors are equal, the first
        class counts. The next step starts from the merged states, at most one for each class.
    executor, resume, progress : as in `fstheory.refute`; the file holds the permutations, and needs a seed as `rng`
    groups, always, together, time : optional
        The design of the sample, as in `fstheory.samples.design.Design`. If the class is constant in each group, a
        group counts as one row: a column that varies in it has the value that is most frequent there compared with all
        groups. If the class varies in groups, classes are permuted inside the groups, and a column that is constant in
        each group is never added. The search begins with the columns in `always`.

    Returns
    -------
    SupportedFeatures
        Its `features` are the supported ones in the order in which they were added, `steps` the tests.

    Notes
    -----
    If a loss needs a prediction and a row is alone in its state, all other rows make the prediction. If several
    predictions are best, their mean loss counts. The path is greedy: another set may do as well. Complexity: for each
    step one grouping of the rows for each addition and permutation.

    With `merge`, labels are permuted within the merged states, and all values of the criterion are those of the table
    of merged states. The classes of the rows decide which states are merged. So `familywise` bounds the probability
    that a step adds anything if all other features together are independent of the class and the features added
    before: noise is kept as rarely as without `merge`. A feature that depends on the features added before can be added
    although it tells nothing beside them, because the merged states do not tell all that these features tell.

    The rule that ends a test: let s of n permutations be as good, and let l be the level less 1/1000. The test ends
    when (n + 1) C(n, s) l**s (1 - l)**(n - s), an exact number, is at most 1/1000. If a tenth of the level is less than
    1/1000, it takes the place of 1/1000 in this rule. The reciprocal of the number is the likelihood of a uniform p
    over that of p = l, a martingale where p = l. So the intervals of all p that are not excluded contain the p of all
    permutations, for all n at once, with probability 999/1000 (Robbins, 1970; Lai, 1976). The level is lower by what
    this error adds, so that `familywise` holds. A test that is undecided at the last permutation adds nothing.

    The bound is for the logarithmic loss, if there are no `groups`. Let I be the information, in natural units, that an
    addition and the class have about each other in the rows, given the features so far. If n of the N rows of a state
    have a class, it costs at least log(N / n) if the row is left out. So if an addition is as good as the one found, m
    I is at least G, m times the fall from the plug-in loss without an addition to the leave-one-out loss of the one
    found. By Markov's inequality the share of permutations with such an m I is at most exp(-G) times the mean of exp(m
    I). For M rows of a state so far with k classes, the mean is at most (2 M)**((k - 1) / 2) times the product of (2 +
    sqrt(pi N / 2))**(k - 1) over the states of the addition with N rows, the largest left out. It is a sum over all
    tables, of products of terms of multinomial distributions (Shtarkov, 1987), which binomial terms bound (MacWilliams
    and Sloane, 1977, Chapter 10, Lemma 7). The means of all states so far are multiplied, and those of all additions
    added.

    There is also a bound for the squared error of numbers, without `groups`. Let B be the sum of squares between the
    cells of an addition, inside the states so far. A cell is a state so far together with a state of the addition. If
    rows are left out, the sum of squares inside a cell grows. So if an addition is as good as the one found, B is at
    least G, the sum of squares inside the states so far less m times the squared error of the one found. The share of
    permutations with such a B is at most exp(-c G) times the mean of exp(c B), for each c > 0, and the best c of some
    is taken. In each state so far, divide the numbers by their range there, and multiply c by its square, which leaves
    c B as it is. Take the cells of the state from the smallest to the largest. If n of the L rows that are left are in
    a cell, let D be the sum of their numbers less n times the mean of the L numbers. Then B is the sum of Z**2 = D**2 L
    / (n (L - n)) over all cells but the largest of each state. Given the earlier cells, a cell is a random sample of
    the rows that are left. So the mean of exp(c B) is at most the product of the bounds on the mean of exp(c Z**2)
    given the earlier cells. There are three such bounds. Let Q be the sum of squares of all numbers in the state so
    far: that of the L numbers is not larger.

    First, Z**2 is at most Q. Second, let the mean of exp(t Z) be at most exp(t**2 s / 2) for all t. Then the mean of
    exp(c Z**2) is at most (1 - 2 c s)**(-1/2): it is the mean of exp(sqrt(2 c) g Z), too, for a standard normal g. Such
    an s is (1 + H / (L - 1)) / 4 times the less of 1 and Q L / (n (L - n)), with H = 1 + 1/2 + .. + 1/(L - 1), which
    is at most 1 + log(L - 1). For D is the sum of a_i b_p(i) over all i, less its mean, where p is a random
    permutation, and each a_i is 1 or 0. If the p(i) become known one after another, step i changes the expectation of D
    by w_i times the difference of b_p(i) from the mean of all b that are left. Here w_i is a_i less the mean of the
    later a. By Hoeffding's lemma (1963), the mean of exp(t D) is at most exp(t**2 R**2 W / 8), where R is the range of
    the b and W the sum of the w_i**2. In random order, the mean of W is 1 + H / (L - 1) times the sum of squares of the
    a about their mean, which is n (L - n) / L. So W is not larger in some order. The same is true with a and b
    exchanged. Third, the mean of exp(t D) is at most that for a sample with replacement (Hoeffding, 1963, Theorem 4).
    So it is at most ((exp(-t v) + v exp(t)) / (1 + v))**n for t > 0, with v = Q / L, which is at least the variance
    (Bennett, 1962). With t = abs(g) sqrt(2 c L / (n (L - n))), the mean over g is at most a sum over intervals of
    abs(g), each with the value at its end. Beyond 36, the logarithm of the value grows with abs(g) by a slope of at
    most sqrt(2 c n L / (L - n)).

    Examples
    --------
    >>> import fstheory as fs
    >>> print(fs.samples.supported_features(fs.sample(fs.gallery.xor(), 80, rng=0), rng=0))
    80 samples support X1X2: leave-one-out logarithmic loss ≈0.0487532, plug-in logarithmic loss 0
      + X1, X2: leave-one-out logarithmic loss ≈0.0487532, p ≤ 1E-18
    """
    require_sample(sample, "sample")
    data = designed(sample, design).by_groups()
    sample = data.sample
    rate = as_fraction(familywise, "familywise", above=0, below=1, repair="pass '1/20', say")
    repair = f"fewer cannot decide at half of the familywise {rate}"
    most = as_index(permutations, "permutations", at_least=_fewest(rate / 2), repair=repair)
    require_cells((sample.m,), "the rows one by one", "draw some of the rows", _BYTES)
    source, judge = generator(rng, resume=resume), left_out(sample, criterion)
    about = {"sample": "", "criterion": "", "familywise": str(rate), "permutations": most, "seed": str(rng)}
    if resume is not None:
        criterion_digest = digest(function_text(judge.criterion, "criterion"))
        about |= {"sample": digest_of(data.whole), "criterion": criterion_digest}
        about |= {"design": str(data.design)} if design else {}
        about |= {"merge": True} if merge else {}
    with running("search for supported features", about, executor, resume, progress) as run:
        found = _Greedy(data, source, judge, rate, most, merge, run).result()
    warn_of(found.doubts)
    return found


_ROWS_ALONE = 2  # for each state of a single feature: with fewer, nearly every row is alone in its state
_ERROR = Fraction(1, 1000)  # of a verdict, against that of all permutations; at most a tenth of the level
_FIRST = 40  # permutations that are drawn before the rule is asked


def _fewest(level: Fraction) -> int:
    return math.ceil(1 / level) - 1


def _lowered(level: Fraction) -> Fraction:
    return level - min(_ERROR, level / 10)


def is_settled(as_good: int, permutations: int, level: Fraction) -> bool:
    """Return whether the permutations drawn so far decide on which side of a level their probability is.

    If drawing always ends when this is so, the decision is wrong with probability at most 1/1000, or at most a tenth
    of the level if that is less, for any number of permutations. The comparison is exact.
    """
    share, whole = _lowered(level).as_integer_ratio()
    likelihood: int = math.comb(permutations, as_good) * share**as_good * (whole - share) ** (permutations - as_good)
    return bool((permutations + 1) * likelihood <= min(_ERROR, level / 10) * whole**permutations)


def is_below(as_good: int, permutations: int, level: Fraction) -> bool:
    """Return the verdict of a settled test: whether the probability is below the level."""
    return Fraction(as_good, permutations) < _lowered(level)


class _Greedy:
    """The search: the distinct rows, and the state of the features so far in each."""

    def __init__(
        self, data: Designed, rng: np.random.Generator, judge: LeftOut, rate: Fraction, most: int, merge: bool, run: Run
    ) -> None:
        self.sample, self.rng, self.judge, self.rate, self.most, self.run = data.sample, rng, judge, rate, most, run
        self.merge = merge
        self.names = names = self.sample.features
        self.tests = 0
        self.rows = distinct_rows(data.whole)
        self.always = mask_of(data.design.always, names)
        self.groups = () if data.design.groups is None else (data.whole.features.index(data.design.groups),)
        self.constant = data.constant()
        self.able = [i for i, name in enumerate(names) if name not in self.constant]
        self.states: Grouping = np.zeros(len(self.rows), dtype=np.int64), 1  # of the features so far, in each row

    def result(self) -> SupportedFeatures:
        """Add features as long as permuted labels do worse."""
        mask, steps, pairs = self.always, list[SupportStep](), False
        features = ordered_names(mask, self.names)
        plug_in, value = self.extend(mask)
        stopped = "each other column is constant in each group" if self.constant else "all features are in"
        while rest := [i for i in self.able if not mask >> i & 1]:
            work = max(_fewest(self.rate / 2) * self.sample.m, _CALL)
            few = 0 < math.comb(len(rest), 2) * work <= _VISITS
            both_of = [1 << i | 1 << j for i, j in itertools.combinations(rest, 2)] if few else []
            states = (self.rows.extended(self.states, indices_of(both))[1] for both in both_of)
            pairs = any(map(self.carries, states))  # counted without the classes, which may be very many
            level = self.rate / 2 if pairs else self.rate
            step = self.best(mask, [1 << i for i in rest], value, level)
            if pairs and (step is None or not step.accepted):
                second = self.best(mask, both_of, value, level)
                second = self.needed(mask, second, rest, value) if second is not None and second.accepted else second
                step = second if second is not None and (step is None or second.accepted) else step
            pairs = pairs and (step is None or not step.accepted or len(step.added) > 1)
            if step is None:
                stopped = f"every addition leaves fewer than {ROWS_PER_STATE} samples for each state that occurs"
                break
            steps.append(step)
            if not step.accepted:
                drawn = step.permutations or step.is_bound
                stopped = "permuted labels do as well" if drawn else "no addition makes it better"
                break
            added = mask_of(step.added, self.names)
            mask |= added
            features += ordered_names(added, self.names)
            plug_in, value = self.extend(added)
        name = self.judge.criterion.name
        found = self.sample, features, tuple(steps), pairs, stopped, plug_in, value, name, self.rate, self.merge
        return SupportedFeatures(*found)

    def cells(self, added: int) -> Integers:
        """Count each class in the states so far, each divided by the features that are added, or sum its weights."""
        states, weights = self.rows.states_of(indices_of(added), self.states), self.judge.weights
        return self.rows.cells(states) if weights is None else self.rows.sums(states, weights)

    def extend(self, added: int) -> tuple[Any, Any]:
        """Divide the states by the added features, merge them if asked, and return both values of the criterion."""
        self.states = self.rows.extended(self.states, indices_of(added))
        if self.merge:
            group = _most_above(self.rows.cells(self.states))[self.states[0]]
            self.states = self.rows.extended((group, self.rows.shape[-1]), ())
        cells = self.cells(0)
        return self.judge.plug_in(cells), self.judge.value(cells)

    def carries(self, states: int, rows: int = ROWS_PER_STATE) -> bool:
        """Return whether there are so many rows for each state that occurs. It does not depend on the classes."""
        return states * rows <= self.sample.m

    def best(self, mask: int, additions: Sequence[int], before: Any, level: Fraction) -> SupportStep | None:
        """Return the best addition that the sample can carry, with its test."""
        judge = self.judge
        taken = mask.bit_count()
        carried = list[tuple[int, int, Any]]()  # states, addition, value
        for k, added in enumerate(additions):
            self.run.clock.count(k, len(additions), "additions looked at", f"{taken} features taken, ")
            cells = self.cells(added)
            alone = not mask and added.bit_count() == 1 and len(cells) > 1
            if self.carries(len(cells), _ROWS_ALONE if alone else ROWS_PER_STATE):
                carried.append((len(cells), added, judge.value(cells)))
        if not carried:
            return None
        least = (max if judge.larger_is_better else min)(value for *_, value in carried)
        tied = sorted((states, added) for states, added, value in carried if value == least)
        states, added = tied[0]
        cells = self.cells(added)
        names = self.names
        step = SupportStep(
            names_of(added, names), tuple(names_of(other, names) for _, other in tied),
            ordered_names(mask | added, names), states, judge.plug_in(cells), least, 0, 0, level, accepted=False,
        )  # fmt: skip
        better = judge.is_better(least, before)
        return self.tested(step, [entry[1] for entry in carried], cells) if better else step

    def needed(self, mask: int, step: SupportStep, rest: Sequence[int], before: Any) -> SupportStep:
        """Return the step that adds a pair, or only the features of the pair that are needed.

        A feature is needed if, given the other one, it does better than permuted labels.
        """
        names, states, judge = self.names, self.states, self.judge
        kept = pair = mask_of(step.added, names)
        settled = step.settled
        found = self.cells(pair)
        for i in indices_of(pair):
            self.states = self.rows.extended(states, (i,))
            others = [1 << k for k in rest if k != i]
            tested = self.tested(step, others, found)
            settled &= tested.settled
            if not tested.accepted:
                kept &= 1 << i
            self.states = states
        if not kept:
            return replace(step, accepted=False, settled=settled)
        cells = self.cells(kept)
        value, added = judge.value(cells), names_of(kept, names)
        return replace(
            step,
            added=added,
            tied=step.tied if kept == pair else (added,),
            features=ordered_names(mask | kept, names),
            states=len(cells),
            plug_in=judge.plug_in(cells),
            left_out=value,
            accepted=judge.is_better(value, before),
            settled=settled,
        )

    def bound(self, additions: Sequence[Sequence[int]], found: Integers) -> Fraction:
        """Return an upper bound on the share of all permutations in which the best addition is at least as good."""
        if self.groups:
            return Fraction(1)
        states, rows = self.states[0], self.rows

        def sizes(axes: Sequence[int]) -> tuple[Integers, Integers]:
            keys, number = rows.extended(self.states, axes)
            inside = np.zeros(number, dtype=np.int64)
            inside[keys] = states
            return np.bincount(keys, rows.counts, number), inside

        spans = None
        if self.judge.weights is not None:
            numbers, low, high = self.judge.weights[1], np.full(self.states[1], np.inf), np.zeros(self.states[1])
            np.minimum.at(low, states, numbers[rows.columns[-1]])
            np.maximum.at(high, states, numbers[rows.columns[-1]])
            spans = np.maximum(high - low, 1) / numbers.max() * (1 + 2.0**-40)
        return self.judge.bound(self.cells(0), map(sizes, additions), found, spans)

    def tested(self, step: SupportStep, additions: Sequence[int], found: Integers) -> SupportStep:
        """Return a step with the test whether permuted labels have an addition as good as the cells `found`.

        If the bound decides, nothing is drawn. If the permutations that can be afforded may be enough to be certain,
        they are drawn until they are. If not, their number is fixed, and their p-value decides.
        """
        level, work = step.level, len(additions) * self.sample.m
        most, as_good, drawn, settled = min(self.most, _AFFORDED // work), 0, 0, False
        self.tests += 1
        axes = [indices_of(added) for added in additions]
        bound, enough = self.bound(axes, found), is_settled(0, most, level)
        if enough and bound <= _lowered(level):
            return replace(step, accepted=True, settled=True, bound=bound)
        inside = self.rows.extended(self.states, self.groups) if self.groups else self.states
        shuffles = Shuffles(self.rows, self.states, inside, axes, self.judge.weights)
        if not enough:
            drawn = self.most if work * self.most <= _VISITS else _fewest(level)
            as_good = self.as_good(shuffles, found, 0, drawn)
            accepted = Fraction(as_good + 1, drawn + 1) <= level
            settled = is_settled(as_good, drawn, level) or (accepted and bound <= _lowered(level))
        else:
            while drawn < most and not settled:
                number = min(max(_FIRST, drawn // 4), most - drawn)
                as_good += self.as_good(shuffles, found, drawn, number)
                drawn += number
                settled = is_settled(as_good, drawn, level)
            accepted = settled and is_below(as_good, drawn, level)
        return replace(step, as_good=as_good, permutations=drawn, accepted=accepted, settled=settled, bound=bound)

    def as_good(self, shuffles: Shuffles, found: Integers, before: int, number: int) -> int:
        """Return for how many permutations within the states so far the best addition is at least as good."""
        m = self.sample.m
        batch = max(1, min(_AT_ONCE // m, max(_LEAST, _TOGETHER // (m * len(shuffles.additions)))))
        drawn = (self.rng.spawn(min(batch, number - start)) for start in range(0, number, batch))
        work = partial(_as_good, self.judge, shuffles, found)
        tell = partial(self.run.clock.count, what=f"permutations after {before:,}", total=number)
        step = f"test {self.tests}, after {before}, {batch} at once"
        return self.run.total(step, work, drawn, lambda done: tell(min(done * batch, number)))


def _most_above(cells: Integers) -> Integers:
    """Return, for each state, the class whose share there is the largest multiple of its share in all rows."""
    totals = np.maximum(cells.sum(axis=0), 1)
    best = np.zeros(len(cells), dtype=np.int64)
    for y in range(1, len(totals)):
        mine = np.arange(len(cells)), best
        best[cells[:, y] * totals[best] > cells[mine] * totals[y]] = y
    return best


def _as_good(judge: LeftOut, shuffles: Shuffles, found: Integers, rngs: Sequence[np.random.Generator]) -> int:
    """Return the number of generators whose permutation of the labels gives an addition at least as good."""
    good = np.zeros(len(rngs), dtype=bool)
    for tables in shuffles.tables(rngs):
        good |= judge.as_good(tables, found)
    return int(good.sum())
