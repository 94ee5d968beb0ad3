"""What a method selects where no exact law is in reach, estimated by drawing samples; and the laws by sample size."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from fstheory._support.exact import Exact, as_index, interval_text, to_text
from fstheory._support.journal import Resume
from fstheory._support.progress import Progress
from fstheory._support.result import Result, first_of, frame_of, listing
from fstheory._support.work import Run, Workers
from fstheory.distributions.gallery import DistributionLike, as_distribution
from fstheory.distributions.joint import JointDistribution
from fstheory.distributions.rows import draw, generator
from fstheory.errors import InvalidValueError, Message, Named, TooLargeError, require, require_listed
from fstheory.lattice.columns import Integers
from fstheory.lattice.extensions import draw_bits_below
from fstheory.lattice.subsets import Subset, format_subset, mask_of, names_of
from fstheory.lattice.sweep import subset_sums
from fstheory.measures.risk import bayes_risk
from fstheory.samples.law import WORK, Law, engine_for, exact_law, risk_without_selection, run_of
from fstheory.samples.methods import (
    Choice,
    Method,
    MethodLike,
    PlugIn,
    as_method,
    certain,
    decide,
    decide_on_parts,
    denominator_of,
    learned_risks,
    require_question,
)
from fstheory.samples.tables import Engine, gains_of, labels_of
from fstheory.selection.optimal import minimal_optimal

if TYPE_CHECKING:
    import pandas as pd

    from fstheory.lattice.figure import PlotFigure, Size, Width

_CELLS = 2**22  # of all marginals of the trials drawn at once: 2**20 and 2**24 took 1.3 and 1.1 times as long
_CHUNK = 1000  # the most trials that one generator draws
_LARGEST = 2**31  # of one trial


def simulate(
    d: DistributionLike,
    m: int,
    method: MethodLike,
    *,
    trials: int,
    rng: int | np.random.Generator,
    executor: Workers = None,
    resume: Resume = None,
    progress: Progress = None,
) -> Law[float]:
    """Estimate the law of the subset that a method selects on m samples, and of its risk, by drawing samples.

    Use it if the exact `selection_law` is refused because it takes too many steps.

    Parameters
    ----------
    d : JointDistribution
        With two classes or more and a total weight below 2**63.
    m : int
        The number of samples in each trial, those held out included.
    method : FBS, FOS, StandardWrap, OrderedFS, NoSelection or PlugIn
        Or the name of one that works with its defaults: "FOS" is ``fs.FOS()``.
    trials : int
        How many times m samples are drawn, at least 2.
    rng : int or numpy.random.Generator
        A seed, or a generator that is advanced.
    executor, resume, progress
        As in `fstheory.refute`. The journal is written about once a second, and needs a seed as `rng`.

    Returns
    -------
    Law
        ``law[subset]`` is the share of the trials in which the method selected the subset, as a float.
        ``law.interval(subset)`` is the exact binomial interval of its probability.

    Notes
    -----
    Cells are drawn as integers below the total weight, so no probability is rounded. The risk of the classifier that a
    trial ends with is exact. Only the law is estimated. Complexity: for cardinalities c_i each trial takes
    prod(c_i + 1)
    additions for each class but one. With `FOS`, which reads n + 1 subsets, it takes n prod(c_i). With other inducers
    than the majority table, each trial takes a hundred times as long and more. Distributions with more than 2**31 cells
    in all marginals are refused.

    Examples
    --------
    >>> import fstheory as fs
    >>> d, method = fs.gallery.xor(), fs.FOS(tau="1/20")
    >>> low, high = fs.simulate(d, 4, method, trials=400, rng=0).interval({"X1", "X2"})
    >>> low < fs.selection_law(d, 4, method)[{"X1", "X2"}] < high
    True
    """
    d, method = as_distribution(d), as_method(method)
    m = require_question(d, m, method)
    trials = require_trials(d, trials)
    method.holdout_size(m)
    source = generator(rng, resume=resume)
    with run_of(d, method, resume, progress, executor, kind="simulation", m=m, trials=trials, seed=str(rng)) as run:
        law = estimated_law(d, m, method, trials, source, run)
    for _ in range(-(-trials // _chunk_size(d, method)) if source is rng else 0):
        source.spawn(1)  # so that the next call with this generator draws others
    return law


def require_trials(d: JointDistribution, trials: int) -> int:
    """Return the number of trials. Raise an error if it is below 2, or if the distribution is too large."""
    trials = as_index(trials, "trials", at_least=2)
    cells, needed = _cells(d), f"a distribution with at most {_LARGEST:,} cells in all marginals"
    require(cells <= _LARGEST, "d", needed, cells, "take the marginal of fewer features", TooLargeError)
    return trials


def estimated_law(
    d: JointDistribution, m: int, method: Method, trials: int, source: np.random.Generator, run: Run
) -> Law[float]:
    """Return the law estimated by `simulate`, as far as a run has not got yet; the arguments are checked."""
    held, step = method.holdout_size(m), f"m = {m}, trials"
    size = _chunk_size(d, method)
    run.clock.tell(f"{step}: takes {trials:,} trials, {_cells(d):,} cells in each")
    tell = partial(run.clock.count, total=trials, what="trials", before=f"{step}: ")
    work = partial(_trials, d, m, held, method, _Children(source))
    chunks = ((i, min(size, trials - i * size)) for i in range(-(-trials // size)))
    drawn = run.total(step, work, chunks, lambda done: tell(min(done * size, trials)))
    outcomes = {
        (names_of(mask, d.features), Fraction(risk) / d.total): Fraction(times, trials)
        for (mask, risk), times in sorted(drawn.items())
    }
    return Law(d, m, method, "simulation", outcomes, trials)


def _cells(d: JointDistribution) -> int:
    return math.prod(c + 1 for c in d.cardinalities) * len(d.classes)


def _chunk_size(d: JointDistribution, method: Method) -> int:
    """Return the number of trials that one generator draws."""
    return 1 + min(_CELLS // _cells(d), _CHUNK // (100 if isinstance(method, PlugIn) else 1))


class _Children:
    """The generators that a generator would spawn next. A worker makes the one that it needs, so that none travels."""

    def __init__(self, source: np.random.Generator) -> None:
        self._kind = type(source.bit_generator)
        self._seeds = cast(np.random.SeedSequence, source.bit_generator.seed_seq)
        self._first = self._seeds.n_children_spawned

    def __getitem__(self, place: int) -> np.random.Generator:
        key = (*self._seeds.spawn_key, self._first + place)
        child = np.random.SeedSequence(self._seeds.entropy, spawn_key=key, pool_size=self._seeds.pool_size)
        return np.random.Generator(self._kind(child))


def _trials(
    d: JointDistribution, m: int, held: int, method: Method, children: _Children, chunk: tuple[int, int]
) -> Counter[tuple[int, int]]:
    """Return how often each mask and risk came out of some trials. A chunk is its place, and the number of trials."""
    place, number = chunk
    rng = children[place]
    if method.reads == "parts":
        parts = np.stack([_tables(d, number, part, rng) for part in method.parts(m)], axis=1)
        choice = decide_on_parts(method, d, parts, rng)
        at = _drawn(choice, number, denominator_of(method, len(d.features)), rng)
        return _outcomes(method, d, parts, choice.chosen[at])
    counts = _tables(d, number, m - held, rng)
    contrasts = counts[..., 1:] - counts[..., :1]
    if not held:
        choice = decide(method, d, m, contrasts, counts)
        masks = choice.chosen[_drawn(choice, number, method.denominator(2 ** len(d.features)), rng)]
    else:
        rest = _tables(d, number, held, rng)
        candidates = method.draw_candidates(gains_of(contrasts), rng=rng)
        scores = _scores(contrasts, rest[..., 1:] - rest[..., :1])
        choice = method.decide(np.take_along_axis(scores, candidates, axis=1), held)
        at = _drawn(choice, number, method.denominator(candidates.shape[1]), rng)
        masks = candidates[np.arange(number), choice.chosen[at]]
    return _outcomes(method, d, contrasts, masks)


def _outcomes(method: Method, d: JointDistribution, samples: Integers, masks: Integers) -> Counter[tuple[int, Any]]:
    """Count how often each mask and risk came out; the risks are multiplied by the total weight of d."""
    outcomes: Counter[tuple[int, Any]] = Counter()
    for mask, _, risks, places in learned_risks(method, d, samples, certain(masks)):
        outcomes.update({(mask, risk): int(times) for risk, times in zip(risks, np.bincount(places), strict=True)})
    return outcomes


def _tables(d: JointDistribution, number: int, m: int, rng: np.random.Generator) -> Integers:
    kind = np.int16 if m < 2**15 else np.int64
    return np.array([draw(d, m, rng) for _ in range(number)], dtype=kind).reshape(number, *d.weights.shape)


def _scores(contrasts: Integers, rest: Integers) -> Integers:
    """Return on how many samples held out more than class 0 the trained table of each subset is right."""
    classes = rest.shape[-1]

    def score(cells: Integers, out: Integers) -> None:
        labels = labels_of(np.moveaxis(cells[:classes], 0, -1))
        out[0] = sum(marginal * (labels == y + 1) for y, marginal in enumerate(cells[classes:]))

    both = np.moveaxis(np.concatenate([contrasts, rest], axis=-1), (-1, 0), (0, -1))
    scores: Integers = subset_sums(both, score, batch=True)[0].T
    return scores.astype(np.int64)


def _drawn(choice: Choice, number: int, denominator: int, rng: np.random.Generator) -> Integers:
    """Draw one row of a choice for each of `number` samples, by their shares."""
    if denominator == 1:
        return np.arange(number)
    order = np.argsort(choice.rows, kind="stable")
    kind = np.int64 if number * denominator < 2**63 else object  # of 64 subsets that tie the denominator has 90 bits
    ends = np.cumsum(choice.shares[order].astype(kind))  # sample i has those from i to i + 1 times the denominator
    if denominator <= 2**63:
        below = rng.integers(0, denominator, size=number)
    else:
        below = np.array([draw_bits_below(rng, denominator) for _ in range(number)], dtype=object)
    wanted = np.arange(number).astype(kind) * denominator + below
    return order[np.searchsorted(ends, wanted, side="right")]


# -- The laws of a method by sample size.


@dataclass(frozen=True, repr=False)
class LawCurve(Result):
    """The laws of a method by sample size, exact or estimated: ``curve[m]`` is the law of m samples.

    `points` are the laws in ascending order of m. For each m, `without_selection` has the expected risk of what is
    learned over all features. It is always exact. If it takes too much work, it is None.
    """

    distribution: JointDistribution
    method: Method
    points: tuple[Law[Any], ...]
    without_selection: tuple[Fraction | None, ...]

    def __getitem__(self, m: int) -> Law[Any]:
        require(m in self.ms, "m", f"one of {first_of(self.ms)}", m, "ask for a curve that has it")
        return self.points[self.ms.index(m)]

    def __iter__(self) -> Iterator[Law[Any]]:
        return iter(self.points)

    def __len__(self) -> int:
        return len(self.points)

    @property
    def ms(self) -> tuple[int, ...]:
        """The numbers of samples, ascending."""
        return tuple(point.m for point in self.points)

    @property
    def is_exact(self) -> bool:
        """Whether every point is an exact law."""
        return all(point.is_exact for point in self.points)

    @property
    def success(self) -> tuple[Fraction | float, ...]:
        """The probability that a minimal-optimal subset is selected, for each m."""
        return tuple(point.success for point in self.points)

    @property
    def expected_risk(self) -> tuple[Fraction | float, ...]:
        """The expected risk of the classifier that the method ends with, for each m."""
        return tuple(point.expected_risk for point in self.points)

    def to_frame(self) -> pd.DataFrame:
        """Return a pandas DataFrame with a row for each m.

        Its columns are m, the probability of success, and the expected risks with and without selection.
        """
        rows = zip(self.ms, self.success, self.expected_risk, self.without_selection, strict=True)
        return frame_of(rows, ["m", "success", "expected_risk", "without_selection"])

    def probability(self, subset: Subset) -> tuple[Fraction | float, ...]:
        """Return the probability that a subset is selected, for each m."""
        return tuple(point[subset] for point in self.points)

    def __str__(self) -> str:
        head = f"{self.method.title} by sample size: success, expected risk (without selection), Bayes risk "
        head += to_text(bayes_risk(self.distribution, self.distribution.features))
        rows = []
        for point, without in zip(self.points, self.without_selection, strict=True):
            write: Any = interval_text
            how = f"from {point.trials or 0:,} trials"
            if point.is_exact:
                write, how = "{:.4f}".format, f"exact, by {point.engine}"
            success, risk = write(*point.success_interval()), write(*point.expected_risk_interval())
            plain = "" if without is None else f" ({float(without):.4f})"
            rows.append((f"m = {point.m}", f"{success}, {risk}{plain}; {how}"))
        return listing(head, rows, len(rows))

    def plot(
        self,
        *,
        subsets: Iterable[Subset] | None = None,
        confidence: Exact = "19/20",
        title: str | None = None,
        figsize: Size | None = None,
        width: Width | None = None,
    ) -> PlotFigure:
        """Draw the probability of each subset, and the expected risk with and without selection, against m.

        The marks of exact points are full. Those of estimates are open and have bars of the given confidence.
        If no `subsets` are given, the seven likeliest are drawn. A subset is judged by its largest probability over all
        m.
        """
        from fstheory.lattice.series import Panel, Point, Series, draw_curves

        names = self.distribution.features

        def drawn(law: Law[Any], value: Fraction | float, interval: tuple[float, float]) -> Point:
            return Point(law.m, float(value), None if law.is_exact else interval, not law.is_exact)

        solutions = {mask_of(s, names) for s in minimal_optimal(self.distribution, method="exhaustive").solutions}
        masks = self._likeliest() if subsets is None else [mask_of(subset, names) for subset in subsets]
        chosen = []
        for mask in masks:
            solved = " = S*" if solutions == {mask} else " (minimal-optimal)" * (mask in solutions)
            line = [
                drawn(law, law[names_of(mask, names)], law.interval(names_of(mask, names), confidence))
                for law in self.points
            ]
            chosen.append(Series(format_subset(mask, names) + solved, line))
        pairs = list(zip(self.points, self.without_selection, strict=True))
        least = float(bayes_risk(self.distribution, names))
        risks = [
            Series(
                "with selection", [drawn(p, p.expected_risk, p.expected_risk_interval(confidence)) for p in self.points]
            ),
            Series("without selection", [Point(law.m, float(risk)) for law, risk in pairs if risk is not None]),
            Series("Bayes risk", [Point(law.m, least) for law in self.points], ":"),
        ]
        note = "full: exact; open: estimated" * any(not law.is_exact for law in self.points)
        panels = [
            Panel("samples m", "probability of being selected", chosen, note=note),
            Panel("samples m", "expected risk", risks, note=note),
        ]
        heading = title or f"{self.method.title} on m samples"
        return draw_curves([[panel] for panel in panels], title=heading, description=str(self)).sized(figsize, width)

    def _likeliest(self) -> list[int]:
        """Return the seven masks that are likeliest, each where it is likeliest."""
        names = self.distribution.features
        found = {subset for point in self.points for subset, _ in point.outcomes}
        highest = {mask_of(subset, names): max(map(float, self.probability(subset))) for subset in found}
        return sorted(
            sorted(highest, key=lambda mask: (-highest[mask], mask))[:7], key=lambda mask: (mask.bit_count(), mask)
        )


def law_curve(
    d: DistributionLike,
    method: MethodLike,
    ms: Iterable[int],
    *,
    trials: int | None = None,
    rng: int | None = None,
    work: int = WORK,
    executor: Workers = None,
    skip: bool = False,
    resume: Resume = None,
    progress: Progress = None,
) -> LawCurve:
    """Return the laws of what a method selects, for several numbers of samples.

    Use it to see how fast a method finds S* as the sample grows. The laws are exact. If `trials` is given, laws that
    take too many steps are estimated.

    Parameters
    ----------
    d, method : as in `selection_law`
    ms : iterable of int
        The numbers of samples.
    trials, rng : int, optional
        If an exact law takes more than `work` steps, it is estimated from this number of trials with this seed. The
        simulation at m is that of ``fs.simulate`` with ``numpy.random.default_rng([rng, m])``. If `trials` is not
        given, such a law is refused with `TooLargeError`.
    work : int
        The largest number of steps of one exact law, as in `selection_law`.
    skip : bool
        Whether to leave out the numbers of samples of which the method cannot hold out its fraction. Otherwise they are
        refused.
    executor, resume, progress
        As in `simulate`.

    Returns
    -------
    LawCurve
        ``curve[m]`` is the law of m samples; `success` and `expected_risk` have a value for each m.

    Examples
    --------
    >>> import fstheory as fs
    >>> d = fs.JointDistribution([[[7, 3], [7, 3]], [[3, 7], [3, 7]]])
    >>> curve = fs.samples.law_curve(d, fs.OrderedFS(holdout="3/10", ties="first"), range(10, 50), skip=True)
    >>> curve.ms, float(curve.success[-1])
    ((10, 20, 30, 40), 0.6431604173068203)
    """
    d, method = as_distribution(d), as_method(method)
    sizes = _sizes(method, ms, skip=skip)
    engines: list[Engine | None] = []
    for m in sizes:
        try:
            engines.append(engine_for(d, m, method, work=work))
        except TooLargeError as error:
            if trials is None:
                raise TooLargeError(Message(error.message, Named("; for a curve, trials=2000, rng=0"))) from error
            engines.append(None)
    if trials is not None:
        trials = require_trials(d, trials)
        rng = as_index(rng, "rng")
    options: dict[str, Any] = {"m": sizes, "trials": trials, "seed": rng, "engines": engines}
    points: list[Law[Any]] = []
    with run_of(d, method, resume, progress, executor, kind="curve", **options) as run:
        for m, engine in zip(sizes, engines, strict=True):
            if engine is not None:
                try:
                    points.append(exact_law(d, m, method, engine, run, work))
                    continue
                except TooLargeError:  # seen when the samples to train on are gone through
                    if trials is None:
                        raise
            assert trials is not None
            assert rng is not None
            points.append(estimated_law(d, m, method, trials, np.random.default_rng([rng, m]), run))
    without: list[Fraction | None] = [None] * len(sizes)
    with suppress(TooLargeError):  # more samples take more work
        for place, m in enumerate(sizes):
            most = max(work, WORK) if method.inducer == "majority" else WORK // 30  # of others it is a law of its own
            without[place] = risk_without_selection(d, m, method.inducer, most)
    return LawCurve(d, method, tuple(points), tuple(without))


def _sizes(method: Method, ms: Iterable[int], *, skip: bool) -> list[int]:
    """Return the numbers of samples in order; those that a method cannot divide are refused, or left out."""
    listed = require_listed(ms, "ms", "numbers of samples", "pass range(10, 50, 10), say")
    sizes = sorted({as_index(m, "each of ms") for m in listed})
    unfit = []
    for m in sizes:
        try:
            method.parts(m)
        except InvalidValueError:
            unfit.append(m)
    fit = [m for m in sizes if m not in unfit]
    repair = f"of these, {first_of(fit) or 'none'} can: pass only such, or skip=True"
    needed = "numbers of samples that the method can divide into its parts"
    require(not unfit or (skip and fit), "ms", needed, first_of(unfit), repair)
    require(fit, "ms", "at least one number of samples", sizes, "pass [10, 20], say")
    return fit
