"""Six ways to choose k features on m samples, and the expected error of what is learned with these: exact, or drawn."""

from __future__ import annotations

import itertools
import math
import threading
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from fstheory._support.exact import as_index, to_text
from fstheory._support.result import Result
from fstheory.distributions.joint import JointDistribution, require_distribution
from fstheory.distributions.rows import Data, draw, generator
from fstheory.errors import TooLargeError, ZeroProbabilityError, require, require_choice
from fstheory.lattice.subsets import mask_of
from fstheory.measures import criteria
from fstheory.measures.criterion import Criterion
from fstheory.numbers.logsum import LogSum
from fstheory.selection.greedy import select
from fstheory.selection.scores import fisher_scores, mrmr

Value: TypeAlias = "Fraction | LogSum"
_Table: TypeAlias = "np.ndarray[Any, Any]"
"""Counts or weights; those of a marginal in a row for each state, of two classes. Or an error: itself, or what stands
before log 0, log 1, log 2, .."""

METHODS = ("BayesGreedy", "BayesScore", "MIGreedy", "MIScore", "mRMR", "F-score")
"""In the order of the paper; the first two go by the loss of interest, or by the 0-1 loss under the logarithmic one."""

COSTS = {"cost 1/4": (3, 1), "cost 3/4": (1, 3)}
"""Of a miss and of a false alarm, in quarters."""
_MOST_TABLES = 10**6


class Measure(NamedTuple):
    """A performance measure of Section 4: the best value of a subset, what BayesGreedy goes by, what should do best."""

    criterion: Criterion[Any]
    by: Criterion[Any]
    favorite: str = "BayesGreedy"


_PLAIN: dict[str, Criterion[Any]] = {
    "0-1": criteria.zero_one(), "cost 1/4": criteria.cost_sensitive("1/4"), "cost 3/4": criteria.cost_sensitive("3/4"),
    "logarithmic": criteria.logarithmic(), "balanced": criteria.balanced(), "F1": criteria.f_measure(),
}  # fmt: skip
MEASURES = {name: Measure(criterion, criterion) for name, criterion in _PLAIN.items()}
MEASURES["logarithmic"] = Measure(_PLAIN["logarithmic"], _PLAIN["0-1"], "MIGreedy")
"""By name. Of F1 more is better, of all others less."""

Rankings: TypeAlias = Mapping[tuple[str, str], tuple[str, ...]]
"""From measure and method to the features in the order in which they are chosen: the first k are those for k."""


def rank_features(
    d: Data, k: int, measures: Iterable[str] = tuple(MEASURES), order: Sequence[str] | None = None
) -> Rankings:
    """Return k features by each measure and method, in the order in which they are chosen; ties by an order.

    Where a class is missing, so that a criterion is not defined, its methods have nothing to go by but that order.
    """
    sequence = tuple(d.features if order is None else order)
    by_score = sorted(fisher_scores(d).items(), key=lambda item: (item[1], -sequence.index(item[0])), reverse=True)
    same = {
        "MIGreedy": select(d, k, "logarithmic", order=order).features,
        "MIScore": select(d, k, "logarithmic", "score", order=order).features,
        "mRMR": mrmr(d, k, order=order).features,
        "F-score": tuple(name for name, _ in by_score[:k]),
    }
    found: dict[tuple[str, str], tuple[str, ...]] = {}
    for name in measures:
        by = MEASURES[name].by
        try:
            greedy, score = (select(d, k, by, method, order=order).features for method in ("greedy-forward", "score"))
        except ZeroProbabilityError:
            greedy = score = sequence[:k]
        for method, chosen in {"BayesGreedy": greedy, "BayesScore": score, **same}.items():
            found[name, method] = chosen
    return found


# -- what is learned from counts over a subset, and its error under the distribution


def _learned(name: str, counts: _Table) -> _Table:
    """Return in which states the plug-in classifier predicts positive: where it must, not where both are as good."""
    negatives, positives = counts.sum(axis=0).tolist()
    if name == "F1":
        return np.asarray(2 * counts[:, 1] > _best_f(counts.tolist(), positives) * counts.sum(axis=1), dtype=bool)
    miss, alarm = (negatives, positives) if name == "balanced" else COSTS.get(name, (1, 1))
    if not (miss and alarm):  # one class: it is all that can be predicted
        miss = alarm = 1
    return np.asarray(miss * counts[:, 1] > alarm * counts[:, 0])


def _best_f(counts: Sequence[Sequence[int]], positives: int) -> Fraction:
    """Return the largest F1 of a classifier on the counts: it predicts positive in the states with most of them."""
    best, hits, alarmed = Fraction(0), 0, 0
    for cell in sorted(counts, key=lambda cell: Fraction(cell[1], sum(cell) or 1), reverse=True):
        hits, alarmed = hits + cell[1], alarmed + sum(cell)
        best = max(best, Fraction(2 * hits, positives + alarmed)) if positives else best
    return best


def _error(name: str, weights: _Table, counts: _Table, m: int) -> _Table:
    """Return the error, under the distribution with these weights, of what is learned from counts."""
    negatives, positives = map(int, weights.sum(axis=0))
    if name == "logarithmic":  # (n_y + 1) / (n + 2) for the probability of class y
        parts = np.full(m + 3, Fraction(0))
        np.add.at(parts, counts.sum(axis=1) + 2, weights.sum(axis=1))
        np.subtract.at(parts, counts + 1, weights)
        return parts / (negatives + positives)
    predicted = _learned(name, counts)
    alarms, misses = int(weights[predicted, 0].sum()), int(weights[~predicted, 1].sum())
    if name == "F1":
        return np.array([Fraction(2 * (positives - misses), 2 * positives - misses + alarms)])
    if name == "balanced":
        return np.array([Fraction(alarms, negatives) + Fraction(misses, positives)])
    miss, alarm = COSTS.get(name, (4, 4))
    return np.array([Fraction(miss * misses + alarm * alarms, 4 * (negatives + positives))])


def _value(parts: _Table) -> Value:
    """Return an error as one exact number."""
    if len(parts) == 1:
        return Fraction(parts[0])
    return LogSum([(part, i) for i, part in enumerate(parts) if i > 1 and part])


_Judge: TypeAlias = "Callable[[_Table], dict[tuple[str, str], list[_Table]]]"


def _judge(d: JointDistribution, m: int, measures: Sequence[str], order: Sequence[str] | None) -> _Judge:
    """Return what finds, of some counts, the errors by measure and method for k = 1, .., n; each table is seen once."""
    known: dict[tuple[str, int, bytes], _Table] = {}
    weights = {mask: _marginal(d.weights, mask) for mask in range(2 ** len(d.features))}

    def error(measure: str, mask: int, counts: _Table) -> _Table:
        cells = _marginal(counts, mask)
        key = (measure, mask, cells.tobytes())
        if key not in known:
            known[key] = _error(measure, weights[mask], cells, m)
        return known[key]

    def judge(counts: _Table) -> dict[tuple[str, str], list[_Table]]:
        seen = JointDistribution(counts, features=d.features, target=d.target)
        found = {}
        for (measure, method), names in rank_features(seen, len(d.features), measures, order).items():
            masks = itertools.accumulate(mask_of([name], d.features) for name in names)
            found[measure, method] = [error(measure, mask, counts) for mask in masks]
        return found

    return judge


def _marginal(table: _Table, mask: int) -> _Table:
    dropped = tuple(i for i in range(table.ndim - 1) if not mask >> i & 1)
    return np.asarray(table.sum(axis=dropped)).reshape(-1, 2)


# -- over all samples, or over some that are drawn


class MeanError(NamedTuple):
    """A mean over trials: a float with its standard error, never exact."""

    mean: float
    standard_error: float


@dataclass(frozen=True, repr=False)
class ExpectedErrors(Result):
    """The expected errors of six methods by the number k of features: exact, or estimated with standard errors.

    Attributes
    ----------
    m : int or None
        The number of samples; None if the distribution is known.
    trials : int or None
        Of estimates; None if all is exact.
    errors : mapping from (measure, method) to tuples
        For k = 1, 2, ..: a Fraction, of the logarithmic measure a LogSum, or a MeanError.
    differences : mapping from (measure, method) to tuples
        The error of the paper's favorite less that of the method, on the same samples.

    Examples
    --------
    >>> import fstheory as fs
    >>> found = fs.papers.expected_errors(fs.gallery.ahmed_example_1(), 2, ["0-1"])
    >>> [str(error) for error in found.errors["0-1", "BayesGreedy"]]
    ['850089/2500000', '1561083/5000000']
    """

    m: int | None
    trials: int | None
    errors: Mapping[tuple[str, str], tuple[Any, ...]]
    differences: Mapping[tuple[str, str], tuple[Any, ...]]

    def __str__(self) -> str:
        how = "known distribution" if self.m is None else f"{self.m} samples"
        how += ", exactly" if self.trials is None else f", from {self.trials:,} trials (standard errors)"
        lines = [f"Expected errors for k = 1, 2, ..; {how}"]
        for (measure, method), errors in self.errors.items():
            lines.append(f"  {measure:11} {method:11} " + "  ".join(map(_shown, errors)))
        return "\n".join(lines)


def _shown(error: Value | MeanError) -> str:
    if isinstance(error, MeanError):
        return f"{error.mean:.4f}({error.standard_error:.4f})"
    return to_text(error) if isinstance(error, Fraction) else f"≈{error.decimal(4)}"


def expected_errors(
    d: JointDistribution,
    m: int | None,
    measures: Iterable[str] = tuple(MEASURES),
    *,
    order: Iterable[str] | None = None,
    trials: int | None = None,
    rng: int | np.random.Generator = 0,
    stop: threading.Event | None = None,
) -> ExpectedErrors:
    """Return the expected errors of the six methods of Ahmed et al. after m samples, for each number of features.

    Parameters
    ----------
    d : JointDistribution
        Of two classes, the last of which is positive.
    m : int or None
        The number of samples; None for what the methods choose, and reach, if they know the distribution.
    measures : iterable of str
        Some of '0-1', 'cost 1/4', 'cost 3/4', 'logarithmic', 'balanced', 'F1'.
    order : iterable of str, optional
        All features: of candidates that are as good the first is taken; the order of the distribution if not given.
    trials : int, optional
        Draw so many samples and estimate; all samples are gone through if not given.
    rng : int or numpy.random.Generator
        Of the trials.
    stop : threading.Event, optional
        Breaks off between two tables, by a KeyboardInterrupt, once it is set.

    Raises
    ------
    TooLargeError
        There are over a million tables of counts of m samples.

    Notes
    -----
    The features are chosen by `select`, `mrmr` and `fisher_scores` on the empirical distribution, by states numbered
    from 0. What is learned is the plug-in classifier: the class with the smaller cost in a state, the first where both
    are the same and where no sample is; for F1 the classifier that is best on the samples; for the logarithmic error
    the probabilities (n_y + 1) / (n + 2). For the 0-1 loss the expected error is that of `selection_law` with
    a `PlugIn`. Complexity: binomial(m + K - 1, m) tables for K cells of positive probability, some milliseconds each.

    References
    ----------
    Ahmed, Narasimhan and Agarwal (2015), Section 4.

    Examples
    --------
    >>> import fstheory as fs
    >>> d = fs.gallery.ahmed_example_1()
    >>> found = fs.papers.expected_errors(d, None, ["0-1"])
    >>> [str(found.errors["0-1", method][0]) for method in ("BayesGreedy", "MIGreedy")]
    ['1/4', '3/10']
    """
    require_distribution(d)
    names = list(measures)
    for name in names:
        require_choice(name, "measures", list(MEASURES))
    two = len(d.classes) == 2 and d.weights.reshape(-1, 2).any(axis=0).all()
    require(two, "d", "of two classes that both occur", d, "merge or drop classes")
    sequence = None if order is None else tuple(order)
    if m is None:
        coded = JointDistribution(d.weights, features=d.features, target=d.target)
        best = {
            (name, method): [MEASURES[name].criterion.value(coded, chosen[:k]) for k in range(1, len(chosen) + 1)]
            for (name, method), chosen in rank_features(coded, len(d.features), names, sequence).items()
        }
        return _compared(m, trials, best)
    judge, halt = _judge(d, as_index(m, "m", at_least=1), names, sequence), stop or threading.Event()
    if trials is not None:
        return _estimated(judge, d, m, as_index(trials, "trials", at_least=2), generator(rng), halt)
    cells = d.weights.ravel().tolist()
    tables = math.comb(m + sum(map(bool, cells)) - 1, m)
    repair = f"they are {tables:,}; pass trials="
    require(tables <= _MOST_TABLES, "m", "small enough for a million tables", m, repair, TooLargeError)
    sums: dict[tuple[str, str], list[_Table]] = {}
    for counts, weight in _tables(cells, m):
        _heed(halt)
        for key, errors in judge(np.array(counts).reshape(d.weights.shape)).items():
            before = sums.get(key, itertools.repeat(np.array(0)))
            sums[key] = [total + weight * parts for total, parts in zip(before, errors, strict=False)]
    return _compared(m, trials, {key: [_value(parts / d.total**m) for parts in some] for key, some in sums.items()})


def _heed(stop: threading.Event) -> None:
    if stop.is_set():
        raise KeyboardInterrupt


def _tables(weights: Sequence[int], m: int) -> Iterator[tuple[tuple[int, ...], int]]:
    """Yield all tables of m samples, each with W**m times its probability for the total weight W."""
    if len(weights) == 1:
        if weights[0] or not m:
            yield (m,), weights[0] ** m
        return
    for n in range(m + 1 if weights[0] else 1):
        factor = math.comb(m, n) * weights[0] ** n
        for rest, weight in _tables(weights[1:], m - n):
            yield (n, *rest), factor * weight


def _estimated(
    judge: _Judge, d: JointDistribution, m: int, trials: int, rng: np.random.Generator, stop: threading.Event
) -> ExpectedErrors:
    """Return means over drawn samples, the same ones for all methods."""
    rows: dict[tuple[str, str], list[list[float]]] = defaultdict(list)
    logs = np.log(np.maximum(1, np.arange(m + 3)))
    for _ in range(trials):
        _heed(stop)
        for key, errors in judge(draw(d, m, rng).reshape(d.weights.shape)).items():
            rows[key].append([float(e[0]) if len(e) == 1 else float(e.astype(float) @ logs) for e in errors])
    return _compared(m, trials, rows)


def _compared(m: int | None, trials: int | None, values: Mapping[tuple[str, str], Any]) -> ExpectedErrors:
    """Return the errors, and those of the favorite less them; of trials, of which each has a row, the means."""
    tables = {key: np.array(errors, dtype=float if trials else object) for key, errors in values.items()}
    less = {key: tables[key[0], MEASURES[key[0]].favorite] - table for key, table in tables.items()}
    write = _means if trials else tuple
    errors, differences = ({key: write(table) for key, table in found.items()} for found in (tables, less))
    return ExpectedErrors(m, trials, errors, differences)


def _means(table: _Table) -> tuple[MeanError, ...]:
    spread = table.std(axis=0, ddof=1) / math.sqrt(len(table))
    return tuple(map(MeanError, table.mean(axis=0).tolist(), spread.tolist()))
