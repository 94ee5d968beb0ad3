"""Estimates of what a method selects, by drawing samples, where the exact law is out of reach."""

from __future__ import annotations

import itertools
import math
import os
from collections import Counter, deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, fields
from fractions import Fraction
from types import MappingProxyType
from typing import Any, Literal, Self, TypeAlias

import numpy as np

from fstheory._support.exact import Exact, as_fraction, as_index
from fstheory._support.journal import Journal, digest
from fstheory._support.progress import Clock, Progress
from fstheory._support.result import Result, listing
from fstheory.distributions.joint import JointDistribution
from fstheory.distributions.rows import draw, generator
from fstheory.errors import InvalidFormatError, InvalidTypeError, InvalidValueError, TooLargeError, explain
from fstheory.lattice.subsets import Subset, format_subset, mask_of, names_of
from fstheory.measures.risk import bayes_risk
from fstheory.samples.methods import Choice, Method, PlugIn, decide, require_question
from fstheory.samples.tables import Batch, Integers, NoSuchPlaceError, combine, gains_of, labels_of, marginals, risks_of
from fstheory.selection.optimal import minimal_optimal

__all__ = [
    "Course",
    "Interval",
    "Parts",
    "Simulation",
    "Sums",
    "course_of",
    "is_count",
    "is_matrix",
    "is_outcome",
    "require_trials",
    "simulate",
    "simulated",
]


# -- What was gone through of all samples, in a file: a law or a simulation can be interrupted and taken up again.


Parts: TypeAlias = "Sequence[tuple[Sequence[tuple[int, ...]], Integers, Integers]]"  # keys, places among them, residues


class _RunJournal(Journal):
    about = "run on samples"


class Course:
    """What is done of a computation on samples: its journal, whom to tell, and where it is."""

    def __init__(self, journal: Journal, clock: Clock, place: str = "") -> None:
        self.journal, self.clock, self.place = journal, clock, place

    def at(self, place: str) -> Course:
        """Return the same course at a place within this one."""
        return Course(self.journal, self.clock, f"{self.place}{', ' * bool(self.place)}{place}")

    def __enter__(self) -> Self:
        self.journal.__enter__()
        return self

    def __exit__(self, *error: object) -> None:
        self.clock.__exit__(*error)
        self.journal.__exit__(*error)

    def tell(self, done: int, total: int, what: str) -> None:
        """Tell how far it is, if it is time to."""
        self.clock.tick(lambda: f"{self.place}: {done:,} of {total:,} {what}")

    def refusal(self) -> InvalidFormatError:
        """Return the error that says that the file tells of what cannot be."""
        return self.journal.refusal(f"what it says of {self.place!r} is not what comes out")


def course_of(
    d: JointDistribution,
    method: Method,
    resume: str | os.PathLike[str] | None,
    progress: Progress,
    *,
    every: float = 1.0,
    **options: Any,
) -> Course:
    """Return the course of a computation that these options tell from others."""
    clock = Clock(None, progress, every=every)
    variables = [(name, [repr(state) for state in states]) for name, states in d.states.items()]
    identity = {
        "distribution": digest(repr((variables, d.weights.tolist()))) if resume is not None else "",
        "method": type(method).__name__,
        **{field.name: _written(getattr(method, field.name)) for field in fields(method)},
        **options,
    }
    return Course(_RunJournal(resume, identity), clock)


def _written(value: object) -> str:
    return getattr(value, "__qualname__", type(value).__name__) if callable(value) else str(value)


class Sums:
    """Sums of residues modulo some primes, by key, over tables that are counted; a journal can hold them.

    A batch is added as a whole or not at all, wherever an interrupt comes.
    """

    def __init__(
        self,
        primes: Sequence[int],
        course: Course,
        *,
        is_key: Callable[[tuple[int, ...]], bool],
        also: tuple[str, Callable[[], Any]] | None = None,
    ) -> None:
        self.primes = np.array(primes, dtype=np.int64)
        self.course = course
        self._steps = (*([also] if also else []), (course.place, self._noted))  # in the journal
        self._places: dict[tuple[int, ...], int] = {}
        self._state = 0, np.zeros((len(primes), 0), dtype=np.int64)
        self._read(course.journal.get(course.place), is_key)

    @property
    def tables(self) -> int:
        """How many tables are in the sums."""
        return self._state[0]

    def add(self, batch: Batch, parts: Parts) -> None:
        """Add residues of a batch, of shape (primes, number), each to the sum of the key at its place."""
        tables, before = self._state
        added = []
        for keys, places, residues in parts:
            sums = np.array([np.bincount(places, row, len(keys)) for row in residues])  # below 2**53: exact
            added.append(([self._places.setdefault(key, len(self._places)) for key in keys], sums.astype(np.int64)))
        after = np.zeros((len(self.primes), len(self._places)), dtype=np.int64)
        after[:, : before.shape[1]] = before
        for columns, ours in added:
            after[:, columns] = (after[:, columns] + ours) % self.primes[:, None]
        self._state = tables + len(batch.contrasts), after
        self.course.journal.offer(*self._steps)

    def _noted(self) -> dict[str, Any]:
        """Return the sums in terms of JSON."""
        tables, sums = self._state
        keys = [list(key) for key, place in self._places.items() if place < sums.shape[1]]
        return {"tables": tables, "keys": keys, "sums": sums.tolist()}

    def take(self, batches: Iterator[Batch], number: int, parts: Callable[[Batch], Parts]) -> None:
        """Go through the rest of so many tables; what is done is noted whatever stops it."""
        before = self.tables
        if before > number:
            raise self.course.refusal()
        try:
            for batch in batches:
                self.add(batch, parts(batch))
                self.course.tell(self.tables, number, "tables")
        except NoSuchPlaceError as error:
            raise self.course.refusal() from error
        finally:
            if self.tables > before:
                self.course.journal.offer(*self._steps, last=True)

    def _read(self, noted: Any, is_key: Callable[[tuple[int, ...]], bool]) -> None:
        """Take up what the journal says, if it can be true."""
        if noted is None:
            return
        if not isinstance(noted, dict) or noted.keys() != {"tables", "keys", "sums"} or not is_count(noted["tables"]):
            raise self.course.refusal()
        keys, sums = noted["keys"], noted["sums"]
        if not is_matrix(keys) or not is_matrix(sums) or len(sums) != len(self.primes):
            raise self.course.refusal()
        if any(len(row) != len(keys) or max(row, default=0) >= p for row, p in zip(sums, self.primes, strict=True)):
            raise self.course.refusal()
        self._places = {tuple(key): place for place, key in enumerate(keys)}
        if len(self._places) < len(keys) or not all(map(is_key, self._places)):
            raise self.course.refusal()
        self._state = noted["tables"], np.array(sums, dtype=np.int64).reshape(len(sums), len(keys))

    def integers(self, total: int) -> dict[tuple[int, ...], int]:
        """Return the sums, which are integers between 0 and `total` and sum to it."""
        primes = self.primes.tolist()
        columns = self._state[1].T.tolist()
        sums = {key: combine(columns[place], primes) for key, place in self._places.items()}
        if sum(sums.values()) != total:
            if self.course.journal.is_earlier(self.course.place):
                raise self.course.refusal()
            raise AssertionError(f"the law sums to {sum(sums.values())} and not to {total}")
        return {key: value for key, value in sums.items() if value}


def is_count(value: object) -> bool:
    """Say whether this is a whole number of at least 0."""
    return type(value) is int and value >= 0


def is_outcome(d: JointDistribution, mask: int, risk: int) -> bool:
    """Say whether a table over a subset can have a risk, given times the total weight."""
    return mask < 2 ** len(d.features) and bayes_risk(d, names_of(mask, d.features)) * d.total <= risk <= d.total


def is_matrix(value: object) -> bool:
    """Say whether this is a list of lists of such numbers."""
    return isinstance(value, list) and all(isinstance(row, list) and all(map(is_count, row)) for row in value)


# -- Estimates of what a method selects, by drawing samples, where the exact law is out of reach.


Interval = tuple[float, float]

_CELLS = 2**22  # of all marginals of the trials drawn at once: 2**20 and 2**24 took 1.3 and 1.1 times as long
_CHUNK = 1000  # trials that an interrupt can cost
_LARGEST = 2**31  # of one trial


@dataclass(frozen=True, repr=False)
class Simulation(Result):
    """What a method selected on drawn samples: estimates, with intervals, never an exact number.

    Attributes
    ----------
    distribution : JointDistribution
    m, trials : int
        The number of samples in each trial, and of trials.
    method : Method
    outcomes : mapping of (frozenset of str, Fraction) to int
        How often each subset was selected with each risk of the majority table over it; the risk is that under the
        distribution, exact.

    Examples
    --------
    >>> import fstheory as fs
    >>> d = fs.JointDistribution([[[12, 4], [3, 5]], [[2, 6], [1, 7]]])
    >>> method = fs.FOS(tau="1/20", ties="first")
    >>> found = fs.simulate(d, 4, method, trials=2000, rng=0)
    >>> low, high = found.interval({"X1"})
    >>> low < fs.selection_law(d, 4, method)[{"X1"}] < high
    True
    """

    distribution: JointDistribution
    m: int
    method: Method
    trials: int
    outcomes: Mapping[tuple[frozenset[str], Fraction], int]

    @property
    def engine(self) -> Literal["simulation"]:
        """How it was found, as a law says it."""
        return "simulation"

    def count(self, subset: Subset) -> int:
        """Return how often a subset was selected."""
        names = self.distribution.features
        wanted = names_of(mask_of(subset, names), names)
        return sum(times for (found, _), times in self.outcomes.items() if found == wanted)

    def interval(self, subset: Subset, confidence: Exact = "19/20") -> Interval:
        """Return the exact binomial (Clopper-Pearson) interval of the probability that a subset is selected.

        It covers the probability with at least the confidence, whatever that is.
        """
        return self._binomial(self.count(subset), confidence)

    @property
    def success(self) -> float:
        """The share of trials that ended with a minimal set of least Bayes risk."""
        return self._successes() / self.trials

    def success_interval(self, confidence: Exact = "19/20") -> Interval:
        """Return the exact binomial interval of the probability of such a set."""
        return self._binomial(self._successes(), confidence)

    @property
    def expected_risk(self) -> float:
        """The mean risk of the classifiers that the trials ended with."""
        return float(sum(risk * times for (_, risk), times in self.outcomes.items()) / self.trials)

    def expected_risk_interval(self, confidence: Exact = "19/20") -> Interval:
        """Return the interval of the expected risk by Student's t, which is approximate: trials are many, risks few."""
        from scipy import stats

        mean = sum((risk * times for (_, risk), times in self.outcomes.items()), Fraction(0)) / self.trials
        squares = sum(((risk - mean) ** 2 * times for (_, risk), times in self.outcomes.items()), Fraction(0))
        if not squares:
            return float(mean), float(mean)
        error = math.sqrt(squares / (self.trials - 1) / self.trials)
        low, high = stats.t.interval(_level(confidence), self.trials - 1, float(mean), error)
        return float(low), float(high)

    @property
    def expected_regret(self) -> float:
        """The mean risk less the Bayes risk."""
        return self.expected_risk - float(bayes_risk(self.distribution, self.distribution.features))

    def _successes(self) -> int:
        solutions = minimal_optimal(self.distribution, method="exhaustive").solutions
        return sum(map(self.count, solutions))

    def _binomial(self, times: int, confidence: Exact) -> Interval:
        from scipy import stats

        found = stats.binomtest(times, self.trials).proportion_ci(_level(confidence), method="exact")
        return float(found.low), float(found.high)

    def __str__(self) -> str:
        names = self.distribution.features
        head = f"{self.method.title} on {self.m} samples, estimated from {self.trials:,} trials (95% intervals)"
        low, high = self.expected_risk_interval()
        rows = [("expected risk", f"{self.expected_risk:.4f} ({low:.4f} to {high:.4f})")]
        low, high = self.success_interval()
        rows.append(("success", f"{self.success:.4f} ({low:.4f} to {high:.4f})"))
        counts: Counter[frozenset[str]] = Counter()
        for (subset, _), times in self.outcomes.items():
            counts[subset] += times
        for subset, times in counts.most_common():
            low, high = self.interval(subset)
            share = f"{times / self.trials:.4f} ({low:.4f} to {high:.4f})"
            rows.append((format_subset(mask_of(subset, names), names), share))
        return listing(head, rows, len(rows))


def _level(confidence: Exact) -> float:
    """Return a confidence as a float, or refuse it."""
    level = as_fraction(confidence, "confidence")
    if not 0 < level < 1:
        raise InvalidValueError(explain("confidence", "strictly between 0 and 1", level, "pass '19/20', say"))
    return float(level)


def simulate(
    d: JointDistribution,
    m: int,
    method: Method,
    *,
    trials: int,
    rng: int | np.random.Generator,
    workers: int = 1,
    resume: str | os.PathLike[str] | None = None,
    progress: Progress = None,
) -> Simulation:
    """Estimate what a method selects on m samples, by drawing so many.

    Parameters
    ----------
    d : JointDistribution
        With two classes or more and a total weight below 2**63.
    m : int
        The number of samples in each trial, those held out included.
    method : FBS, FOS, StandardWrap, OrderedFS, NoSelection or PlugIn
    trials : int
        At least 2.
    rng : int or numpy.random.Generator
        A seed, or a generator that is advanced.
    workers : int
        Threads; the result does not depend on their number.
    resume : path-like, optional
        A file that is written about once a second, and read if it exists: a simulation that was interrupted goes on
        where it stopped, with the same result. It needs a seed as `rng`.
    progress : bool or callable, optional
        True shows how far it is, on a terminal or in a notebook; a function is called with each line of that.

    Returns
    -------
    Simulation

    Raises
    ------
    TooLargeError
        All marginals of one sample have over 2**31 cells.

    Notes
    -----
    Cells are drawn as integers below the total weight, so that no probability is rounded; of each trial all 2**n
    subsets are looked at in one pass, and the risk of the table that a trial ends with is exact. What is estimated
    is only the law. Complexity: prod(c_i + 1) additions a trial for cardinalities c_i and each class but one.

    Examples
    --------
    >>> import fstheory as fs
    >>> found = fs.simulate(fs.gallery.xor(), 30, fs.OrderedFS(holdout="3/10", ties="first"), trials=400, rng=0)
    >>> found.success > 0.95
    True
    """
    m = require_question(d, m, method)
    trials, threads = require_trials(d, trials, workers)
    method.holdout_size(m)
    source = generator(rng)
    if resume is not None and source is rng:
        raise InvalidTypeError(explain("rng", "a seed, where resume= is given", rng, "pass 0, say"))
    with course_of(d, method, resume, progress, kind="simulation", m=m, trials=trials, seed=str(rng)) as course:
        return simulated(d, m, method, trials, source, threads, course)


def require_trials(d: JointDistribution, trials: int, workers: int) -> tuple[int, int]:
    """Return numbers of trials and of threads, or refuse them; or a distribution that is too large."""
    trials, threads = as_index(trials, "trials", at_least=2), as_index(workers, "workers", at_least=1)
    cells = _cells(d)
    if cells > _LARGEST:
        repair = "take the marginal of fewer features"
        raise TooLargeError(
            explain("d", f"a distribution with at most {_LARGEST:,} cells in all marginals", cells, repair)
        )
    return trials, threads


def simulated(
    d: JointDistribution,
    m: int,
    method: Method,
    trials: int,
    source: np.random.Generator,
    threads: int,
    course: Course,
) -> Simulation:
    """Return the simulation, as far as a course has not got yet: the arguments are those of `simulate`, checked."""
    held, course = method.holdout_size(m), course.at(f"m = {m}, trials")
    size = 1 + min(_CELLS // _cells(d), _CHUNK // (100 if isinstance(method, PlugIn) else 1))
    course.clock.tell(f"{course.place}: takes {trials:,} trials, {_cells(d):,} cells in each")
    done = _noted(d, size, trials, course)
    first = done[0]

    def noted() -> dict[str, Any]:
        return {"chunks": done[0], "outcomes": [[*outcome, times] for outcome, times in sorted(done[1].items())]}

    with ThreadPoolExecutor(threads) as pool:
        streams = (source.spawn(1)[0] for _ in range(0, trials, size))
        chunks = ((min(size, trials - i * size), stream) for i, stream in enumerate(streams) if i >= first)
        calls = (pool.submit(_trials, d, m, held, method, *chunk) for chunk in chunks)
        try:
            for number, found in enumerate(_in_turn(calls, 2 * threads), first + 1):
                done = number, done[1] + found
                course.tell(min(number * size, trials), trials, "trials")
                course.journal.offer((course.place, noted))
        finally:
            pool.shutdown(wait=False, cancel_futures=True)
            if done[0] > first:
                course.journal.offer((course.place, noted), last=True)
    outcomes = done[1]
    named = {
        (names_of(mask, d.features), Fraction(risk, d.total)): outcomes[mask, risk] for mask, risk in sorted(outcomes)
    }
    return Simulation(d, m, method, trials, MappingProxyType(named))


def _cells(d: JointDistribution) -> int:
    return math.prod(c + 1 for c in d.cardinalities) * len(d.classes)


def _in_turn(calls: Iterator[Future[Any]], ahead: int) -> Iterator[Any]:
    """Yield the results of calls in their order; so many are made before the first is waited for."""
    waiting = deque(itertools.islice(calls, ahead))
    while waiting:
        yield waiting.popleft().result()
        waiting.extend(itertools.islice(calls, 1))


def _noted(d: JointDistribution, size: int, trials: int, course: Course) -> tuple[int, Counter[tuple[int, int]]]:
    """Return how many chunks of a size the journal says are done, and what came out of them, if it can be true."""
    noted = course.journal.get(course.place, {"chunks": 0, "outcomes": []})
    outcomes: Counter[tuple[int, int]] = Counter()
    if not isinstance(noted, dict) or noted.keys() != {"chunks", "outcomes"} or not is_matrix(noted["outcomes"]):
        raise course.refusal()
    for row in noted["outcomes"]:
        if len(row) != 3 or not is_outcome(d, *row[:2]) or not row[2] or tuple(row[:2]) in outcomes:
            raise course.refusal()
        outcomes[row[0], row[1]] = row[2]
    number = noted["chunks"]
    if not is_count(number) or number > -(-trials // size) or outcomes.total() != min(number * size, trials):
        raise course.refusal()
    return number, outcomes


def _trials(
    d: JointDistribution, m: int, held: int, method: Method, number: int, rng: np.random.Generator
) -> Counter[tuple[int, int]]:
    """Return how often each mask and risk came out of some trials."""
    counts = _tables(d, number, m - held, rng)
    contrasts = counts[..., 1:] - counts[..., :1]
    if not held:
        choice = decide(method, d, m, contrasts, counts)
        masks = choice.chosen[_drawn(choice, number, method.denominator(2 ** len(d.features)), rng)]
    else:
        rest = _tables(d, number, held, rng)
        candidates = method.draw_candidates(gains_of(contrasts), rng)
        scores = _scores(contrasts, rest[..., 1:] - rest[..., :1])
        choice = method.decide(np.take_along_axis(scores, candidates, axis=1), held)
        at = _drawn(choice, number, method.denominator(candidates.shape[1]), rng)
        masks = candidates[np.arange(number), choice.chosen[at]]
    outcomes: Counter[tuple[int, int]] = Counter()
    for mask in np.unique(masks).tolist():
        dropped = tuple(i + 1 for i in range(len(d.features)) if not mask >> i & 1)
        marginal = contrasts[masks == mask].sum(axis=dropped)
        labels = labels_of(marginal.reshape(len(marginal), -1, marginal.shape[-1]))
        outcomes.update((mask, int(risk)) for risk in risks_of(d, mask, labels))
    return outcomes


def _tables(d: JointDistribution, number: int, m: int, rng: np.random.Generator) -> Integers:
    """Draw so many tables of m samples."""
    kind = np.int16 if m < 2**15 else np.int64
    return np.array([draw(d, m, rng) for _ in range(number)], dtype=kind).reshape(number, *d.weights.shape)


def _scores(contrasts: Integers, rest: Integers) -> Integers:
    """Return on how many samples held out more than class 0 the trained table of each subset is right."""
    scores = np.zeros((2 ** (rest.ndim - 2), len(rest)), dtype=np.int64)
    for (mask, trained), (_, marginal) in zip(marginals(contrasts), marginals(rest), strict=True):
        labels = labels_of(trained)
        for y in range(marginal.shape[-1]):
            scores[mask] += (marginal[..., y] * (labels == y + 1)).sum(axis=-1)
    return scores.T


def _drawn(choice: Choice, number: int, denominator: int, rng: np.random.Generator) -> Integers:
    """Draw one row of a choice for each of `number` samples, by their shares."""
    if denominator == 1:
        return np.arange(number)
    order = np.argsort(choice.rows, kind="stable")
    kind = np.int64 if number * denominator < 2**63 else object  # of 64 subsets that tie the denominator has 90 bits
    ends = np.cumsum(choice.shares[order].astype(kind))  # sample i has those from i to i + 1 times the denominator
    wanted = np.arange(number).astype(kind) * denominator + _below(denominator, number, rng)
    return order[np.searchsorted(ends, wanted, side="right")]


def _below(bound: int, number: int, rng: np.random.Generator) -> Integers:
    """Draw uniform integers from 0 to `bound` - 1, which may be of any length."""
    if bound <= 2**63:
        return rng.integers(0, bound, size=number)
    size, drawn = (bound.bit_length() + 7) // 8, list[int]()
    while len(drawn) < number:  # by rejection: what is left is uniform
        value = int.from_bytes(rng.bytes(size), "little") % 2 ** bound.bit_length()
        drawn += [value] if value < bound else []
    return np.array(drawn, dtype=object)
