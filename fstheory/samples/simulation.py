"""Estimates of what a method selects, by drawing samples, where the exact law is out of reach."""

from __future__ import annotations

import itertools
import math
import os
from collections import Counter, deque
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from fractions import Fraction
from types import MappingProxyType
from typing import Any

import numpy as np

from fstheory._support.exact import as_index
from fstheory._support.progress import Progress
from fstheory.distributions.joint import JointDistribution
from fstheory.distributions.rows import draw, generator
from fstheory.errors import InvalidTypeError, TooLargeError, explain, require
from fstheory.lattice.extensions import draw_bits_below
from fstheory.lattice.subsets import names_of
from fstheory.samples.law import Law
from fstheory.samples.methods import Choice, Method, PlugIn, decide, require_question
from fstheory.samples.run import Run, run_of
from fstheory.samples.tables import Integers, gains_of, labels_of, marginals, risks_of

_CELLS = 2**22  # of all marginals of the trials drawn at once: 2**20 and 2**24 took 1.3 and 1.1 times as long
_CHUNK = 1000  # trials that an interrupt can cost
_LARGEST = 2**31  # of one trial


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
) -> Law[float]:
    """Estimate what a method selects on m samples, by drawing so many.

    Parameters
    ----------
    d, m
        With two classes or more and a total weight below 2**63; the samples in each trial, those held out included.
    trials, workers : int
        How often, at least 2, and threads; the result does not depend on their number.
    rng : int or numpy.random.Generator
        A seed, or a generator that is advanced.
    resume : path-like, optional
        A file that is written about once a second; a simulation that was interrupted goes on where it stopped, with the
        same result. It needs a seed as `rng`.

    Notes
    -----
    Cells are drawn as integers below the total weight, so that no probability is rounded, and the risk of the table
    that a trial ends with is exact: what is estimated is only the law. Complexity: prod(c_i + 1) additions a trial for
    cardinalities c_i and each class but one, at most 2**31.

    Examples
    --------
    >>> import fstheory as fs
    >>> d, method = fs.gallery.xor(), fs.FOS(tau="1/20", ties="first")
    >>> low, high = fs.simulate(d, 4, method, trials=400, rng=0).interval({"X1", "X2"})
    >>> low < fs.selection_law(d, 4, method)[{"X1", "X2"}] < high
    True
    """
    m = require_question(d, m, method)
    trials, threads = require_trials(d, trials, workers)
    method.holdout_size(m)
    source = generator(rng)
    if resume is not None and source is rng:
        raise InvalidTypeError(explain("rng", "a seed, where resume= is given", rng, "pass 0, say"))
    with run_of(d, method, resume, progress, kind="simulation", m=m, trials=trials, seed=str(rng)) as run:
        return estimated_law(d, m, method, trials, source, threads, run)


def require_trials(d: JointDistribution, trials: int, workers: int) -> tuple[int, int]:
    """Return numbers of trials and of threads, or refuse them; or a distribution that is too large."""
    trials, threads = as_index(trials, "trials", at_least=2), as_index(workers, "workers", at_least=1)
    cells, needed = _cells(d), f"a distribution with at most {_LARGEST:,} cells in all marginals"
    require(cells <= _LARGEST, "d", needed, cells, "take the marginal of fewer features", TooLargeError)
    return trials, threads


def estimated_law(
    d: JointDistribution, m: int, method: Method, trials: int, source: np.random.Generator, threads: int, run: Run
) -> Law[float]:
    """Return the law estimated by `simulate`, as far as a run has not got yet; the arguments are checked."""
    held, step = method.holdout_size(m), f"m = {m}, trials"
    size = 1 + min(_CELLS // _cells(d), _CHUNK // (100 if isinstance(method, PlugIn) else 1))
    run.clock.tell(f"{step}: takes {trials:,} trials, {_cells(d):,} cells in each")
    noted = run.journal.get(step, {"chunks": 0, "outcomes": []})
    first = noted["chunks"]
    done = first, Counter({(mask, risk): times for mask, risk, times in noted["outcomes"]})

    def to_json() -> dict[str, Any]:
        return {"chunks": done[0], "outcomes": [[*outcome, times] for outcome, times in sorted(done[1].items())]}

    with ThreadPoolExecutor(threads) as pool:
        streams = (source.spawn(1)[0] for _ in range(0, trials, size))
        chunks = ((min(size, trials - i * size), stream) for i, stream in enumerate(streams) if i >= first)
        calls = (pool.submit(_trials, d, m, held, method, *chunk) for chunk in chunks)
        try:
            for number, found in enumerate(_in_turn(calls, 2 * threads), first + 1):
                done = number, done[1] + found
                run.clock.tick(lambda: f"{step}: {min(done[0] * size, trials):,} of {trials:,} trials")  # noqa: B023
                run.journal.offer((step, to_json))
        finally:
            pool.shutdown(wait=False, cancel_futures=True)
            if done[0] > first:
                run.journal.offer((step, to_json), last=True)
    outcomes = {
        (names_of(mask, d.features), Fraction(risk, d.total)): Fraction(times, trials)
        for (mask, risk), times in sorted(done[1].items())
    }
    return Law(d, m, method, "simulation", MappingProxyType(outcomes), trials)


def _cells(d: JointDistribution) -> int:
    return math.prod(c + 1 for c in d.cardinalities) * len(d.classes)


def _in_turn(calls: Iterator[Future[Any]], ahead: int) -> Iterator[Any]:
    """Yield the results of calls in their order; so many are made before the first is waited for."""
    waiting = deque(itertools.islice(calls, ahead))
    while waiting:
        yield waiting.popleft().result()
        waiting.extend(itertools.islice(calls, 1))


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
    if denominator <= 2**63:
        below = rng.integers(0, denominator, size=number)
    else:
        below = np.array([draw_bits_below(rng, denominator) for _ in range(number)], dtype=object)
    wanted = np.arange(number).astype(kind) * denominator + below
    return order[np.searchsorted(ends, wanted, side="right")]
