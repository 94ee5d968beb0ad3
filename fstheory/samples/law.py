"""The exact law of the subset that a method selects on m samples, and of its final risk, over all tables of samples."""

from __future__ import annotations

import itertools
import math
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field, fields
from fractions import Fraction
from functools import cached_property, partial
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Generic, Literal, TypeAlias, TypeVar, get_args

import numpy as np

from fstheory._support.code import function_text
from fstheory._support.exact import Exact, as_index, as_level, binomial_interval, integers_over, interval_text, to_text
from fstheory._support.journal import Resume, digest
from fstheory._support.memory import require_cells
from fstheory._support.progress import Progress
from fstheory._support.result import Result, listing, to_json
from fstheory._support.work import Run, Workers, running
from fstheory.distributions.gallery import DistributionLike, as_distribution
from fstheory.distributions.joint import JointDistribution
from fstheory.distributions.rows import Data, distinct_rows
from fstheory.errors import Message, Named, TooLargeError, import_optional, require, require_choice
from fstheory.lattice.columns import Integers, RationalColumn
from fstheory.lattice.subsets import Subset, format_subset, mask_of, names_of, size_order
from fstheory.lattice.table import SubsetTable
from fstheory.measures.risk import bayes_risk
from fstheory.numbers.limbs import IntegerArray
from fstheory.samples.inducers import Inducer
from fstheory.samples.methods import (
    Method,
    MethodLike,
    NoSelection,
    PlugIn,
    as_method,
    decide,
    decide_on_parts,
    denominator_of,
    learned_risks,
    require_question,
)
from fstheory.samples.tables import (
    Batch,
    Engine,
    Merging,
    PartTables,
    SampleTables,
    combine,
    count_tables,
    gains_of,
    half_size,
    label_type,
    labels_of,
    marginals,
    primes_for,
    risks_of,
)
from fstheory.selection.optimal import minimal_optimal

if TYPE_CHECKING:
    import pandas as pd

    from fstheory.lattice.figure import PlotFigure

WORK = 3 * 10**8
"""Cells of marginals and residues that an exact law may take: some 30 to 60 s of one core."""

Number = TypeVar("Number", Fraction, float)


# -- The law, exact or estimated.


@dataclass(frozen=True, repr=False)
class Law(Result, Generic[Number]):
    """The law, exact or estimated, of the subset that a method selects on m samples and of its final risk.

    `law[subset]` is the probability that the method returns the subset. If the law is exact, probabilities and risks
    are Fractions. If it is estimated from drawn samples, they are floats with intervals.

    Attributes
    ----------
    engine : {'counts', 'contrasts', 'simulation'}
        From all tables of counts, from all tables of differences of the counts of two classes, or by drawing.
    outcomes : mapping of (frozenset of str, Fraction) to Fraction
        The probability, or the share of the trials, of every subset with the risk, under the distribution, of the
        classifier that is learned over it. They sum to exactly 1.
    trials : int or None
        The number of times that m samples were drawn. For an exact law it is None.
    """

    distribution: JointDistribution
    m: int
    method: Method
    engine: Engine | Literal["simulation"]
    outcomes: Mapping[tuple[frozenset[str], Fraction], Fraction] = field(repr=False, hash=False)
    trials: int | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "outcomes", MappingProxyType(dict(self.outcomes)))

    def __getitem__(self, subset: Subset) -> Number:
        return self._number(self._share(subset))

    @property
    def is_exact(self) -> bool:
        """Whether the law is exact."""
        return self.trials is None

    @cached_property
    def probabilities(self) -> SubsetTable[Fraction]:
        """The probability, or the share of the trials, of every subset. The most probable subset is the best."""
        names = self.distribution.features
        values = [self._shares.get(mask, Fraction(0)) for mask in range(2 ** len(names))]
        numerators, denominator = integers_over(values)
        column = RationalColumn(IntegerArray.from_ints(numerators), denominator)
        return SubsetTable(names, column, name="probability of being selected", symbol="P", larger_is_better=True)

    def to_frame(self) -> pd.DataFrame:
        """Return a pandas DataFrame with a row for each subset: its size, the probability that it is selected, a level.

        Subsets with equal probabilities share a level.
        """
        return self.probabilities.to_frame()

    def to_latex(self, *, booktabs: bool = False) -> str:
        """Return the probabilities as LaTeX, the largest first. See `SubsetTable.to_latex`."""
        return self.probabilities.to_latex(booktabs=booktabs)

    def plot(self, **options: Any) -> PlotFigure:
        """Draw the Hasse diagram of the subsets with their probabilities; for the options see `SubsetTable.plot`."""
        return self.probabilities.plot(**options)

    @cached_property
    def risks(self) -> Mapping[Fraction, Fraction]:
        """The probability, or the share of the trials, of every final risk, in ascending order."""
        sums: dict[Fraction, Fraction] = defaultdict(Fraction)
        for (_, risk), probability in self.outcomes.items():
            sums[risk] += probability
        return MappingProxyType(dict(sorted(sums.items())))

    @property
    def expected_risk(self) -> Number:
        """The expected risk, under the distribution, of the final classifier."""
        return self._number(self._mean)

    @property
    def expected_regret(self) -> Number:
        """The expected risk minus the Bayes risk, which is the risk of S*."""
        return self._number(self._mean - bayes_risk(self.distribution, self.distribution.features))

    @property
    def expected_gain(self) -> Number:
        """The expected risk without selection (all features, all m samples) minus the expected risk of the method."""
        return self._number(risk_without_selection(self.distribution, self.m, self.method.inducer) - self._mean)

    @property
    def success(self) -> Number:
        """The probability that the method returns a minimal-optimal subset. If there is only one, it is S*."""
        return self._number(self._success)

    def tail(self, limit: Fraction) -> Number:
        """Return the probability that the risk is above a limit."""
        return self._number(sum((share for risk, share in self.risks.items() if risk > limit), Fraction(0)))

    def interval(self, subset: Subset, confidence: Exact = "19/20") -> tuple[float, float]:
        """Return the exact binomial (Clopper-Pearson) interval of the probability that a subset is selected.

        It is a pair of floats. If the law is exact, both are the probability.
        """
        return self._binomial(self._share(subset), confidence)

    def success_interval(self, confidence: Exact = "19/20") -> tuple[float, float]:
        """Return the exact binomial interval of the probability that a minimal-optimal subset is selected."""
        return self._binomial(self._success, confidence)

    def expected_risk_interval(self, confidence: Exact = "19/20") -> tuple[float, float]:
        """Return an interval of the expected risk, computed by Student's t.

        It is approximate, because the risks of the trials are not normally distributed. If the law is exact, both ends
        are the expected risk as a float.
        """
        mean, level = self._mean, as_level(confidence)
        variance = sum(((risk - mean) ** 2 * share for risk, share in self.risks.items()), Fraction(0))
        if self.trials is None or not variance:
            return float(mean), float(mean)
        stats = import_optional("scipy.stats", "stats", "an interval by Student's t")
        error = math.sqrt(variance / (self.trials - 1))
        low, high = stats.t.interval(float(level), self.trials - 1, float(mean), error)
        return float(low), float(high)

    def __str__(self) -> str:
        names = self.distribution.features
        how = f"exactly (all tables of {self.engine})"
        if self.trials is not None:
            how = f"estimated from {self.trials:,} trials (95% intervals)"
        rows = [
            ("expected risk", self._text(self._mean, self.expected_risk_interval())),
            ("Bayes risk", to_text(bayes_risk(self.distribution, names))),
            ("success", self._text(self._success, self.success_interval())),
        ]
        masks = np.array(list(self._shares))
        for mask in sorted(masks[size_order(masks, len(names))].tolist(), key=self._shares.__getitem__, reverse=True):
            share = self._shares[mask]
            rows.append((format_subset(mask, names), self._text(share, self._binomial(share))))
        return listing(f"{self.method.title} on {self.m} samples, {how}", rows, len(rows))

    def _content(self, _: Sequence[str]) -> dict[str, Any]:
        """Return what is exact as it is, and what is estimated as a decimal with its interval of confidence 19/20."""

        def number(value: Fraction, interval: tuple[float, float]) -> Any:
            estimated = {"estimate": float(value), "interval": interval}
            return to_json(value if self.trials is None else estimated)

        names = self.distribution.features
        by_size = sorted(self._shares.items(), key=lambda item: item[0].bit_count())
        shares = {names_of(mask, names): number(share, self._binomial(share)) for mask, share in by_size}
        return super()._content(names) | {
            "success": number(self._success, self.success_interval()),
            "expected_risk": number(self._mean, self.expected_risk_interval()),
            "bayes_risk": to_json(bayes_risk(self.distribution, names)),
            "probabilities": to_json(shares, names),
        }

    # How it is computed

    def _number(self, value: Fraction) -> Number:
        return value if self.trials is None else float(value)  # type: ignore[return-value]

    def _text(self, value: Fraction, interval: tuple[float, float]) -> str:
        return to_text(value) if self.trials is None else f"{float(value):.4f} ({interval_text(*interval)})"

    @cached_property
    def _shares(self) -> Mapping[int, Fraction]:
        """The probability of every mask that occurs."""
        sums: dict[int, Fraction] = defaultdict(Fraction)
        for (subset, _), probability in self.outcomes.items():
            sums[mask_of(subset, self.distribution.features)] += probability
        return dict(sums)

    def _share(self, subset: Subset) -> Fraction:
        return self._shares.get(mask_of(subset, self.distribution.features), Fraction(0))

    @cached_property
    def _mean(self) -> Fraction:
        return sum((risk * share for risk, share in self.risks.items()), Fraction(0))

    @cached_property
    def _success(self) -> Fraction:
        return sum(map(self._share, minimal_optimal(self.distribution, method="exhaustive").solutions), Fraction(0))

    def _binomial(self, share: Fraction, confidence: Exact = "19/20") -> tuple[float, float]:
        if self.trials is None:
            return float(share), float(share)
        return binomial_interval(int(share * self.trials), self.trials, confidence)


def selection_law(
    d: DistributionLike,
    m: int,
    method: MethodLike,
    *,
    engine: Engine | None = None,
    work: int = WORK,
    executor: Workers = None,
    resume: Resume = None,
    progress: Progress = None,
) -> Law[Fraction]:
    """Return the exact law of the subset that a method selects on m samples of a distribution, and of its final risk.

    Use it to learn how often a method finds S* on a small sample, and what it costs when it does not. If the call is
    refused because it takes too many steps, `simulate` estimates the same law.

    Parameters
    ----------
    d, m
        A distribution with two classes or more, and the number of independent samples, those held out included.
    method : FBS, FOS, StandardWrap, OrderedFS, NoSelection or PlugIn
        Or the name of one that works with its defaults: "FOS" is ``fs.FOS()``.
    engine : {'counts', 'contrasts'}, optional
        'counts' goes through all tables of counts. 'contrasts' goes through all tables of the differences
        n(x, 1) - n(x, 0), which takes two classes and a method that needs no more than these. Both give the same law.
        If not given, the engine with fewer steps is taken.
    work : int
        The largest number of steps. A step is a cell of a marginal of one table and takes some 5 to 10 ns. A law that
        takes more steps, or that holds out some 2**17 samples, is refused with `TooLargeError`.
    executor, resume, progress
        As in `fstheory.refute`. The journal is written about once a second. It identifies a `PlugIn` by the code of its
        `select`.

    Returns
    -------
    Law
        ``law[subset]`` is the probability that the method selects the subset, as a Fraction. `success`,
        `expected_risk` and `risks` are exact, too.

    Notes
    -----
    The learner is the `inducer` of the method. By default it is the majority table over a subset: each state predicts
    the class with the most training samples in it. If several classes have the most, it predicts the first of them. In
    a state without training samples it predicts the first of all classes. Estimates from one sample, such as
    `fstheory.samples.risk_estimates`, prefer no class: in such a state they take the majority of all training samples.

    Complexity: 'counts' visits binomial(m + K - 1, m) tables for K cells of positive probability. 'contrasts' visits
    integer vectors with one coordinate for each state of the features: those whose absolute values sum to at most m,
    with a sum of the same parity as m. Each table takes prod(c_i + 1) steps for cardinalities c_i and each class but
    one. If no samples are held out and errors may rise by a = floor(tau m), differences that lead to the same choice
    and to the same table are merged. For FBS on n features, these are the differences from n a + 1 on, so that there
    are at most (2 n a + 3)**s vectors for s states. For FOS on two binary features there are (12 (a + 1)**2 + 1)**2,
    after the m**2 pairs of each half of the states, with m numbers for each pair and each of some m primes. With tau =
    1/20, the laws of two binary features are in reach up to m = 100 and beyond. For three features, FBS needs 3**8
    vectors below m = 20, 9**8 below m = 40, and 15**8 at m = 40, which is out of reach.

    With other inducers, and with the folds of a cross-validation, 'counts' goes through the tables of each part of the
    samples: through all combinations of a table for each fold, or of one for training and one for the held-out samples.
    Each takes some 100 steps and more for each cell. A law with an estimator of scikit-learn is refused with
    `TooLargeError`.

    Source: Ng (1998), Sections 2 and 3; Peña and Nilsson (2010), Section 5.

    Examples
    --------
    >>> import fstheory as fs
    >>> d = fs.JointDistribution([[[7, 3], [7, 3]], [[3, 7], [3, 7]]])
    >>> print(fs.selection_law(d, 10, fs.OrderedFS(holdout="3/10", ties="first")))
    OrderedFS on 10 samples, exactly (all tables of contrasts)
      expected risk: 574820692473483/1310720000000000 ≈ 0.4386
      Bayes risk:    3/10 = 0.3
      success:       757528144524781/2621440000000000 ≈ 0.2890
      {}:            378560316423591/655360000000000 ≈ 0.5776
      X1:            757528144524781/2621440000000000 ≈ 0.2890
      X1X2:          5848954179411/65536000000000 ≈ 0.08925
      X2:            23142484520883/524288000000000 ≈ 0.04414
    """
    d, method = as_distribution(d), as_method(method)
    engine = engine_for(d, m, method, engine, work)
    with run_of(d, method, resume, progress, executor, kind="law", m=m, engine=engine) as run:
        return exact_law(d, m, method, engine, run, work)


def risk_without_selection(d: JointDistribution, m: int, inducer: Inducer = "majority", work: int = WORK) -> Fraction:
    """Return the expected risk of the classifier learned over all features from m samples.

    For the majority table it is a sum over the states.
    """
    if inducer != "majority":
        return selection_law(d, m, NoSelection(inducer=inducer), work=work).expected_risk
    rows = Counter(map(tuple, d.weights.reshape(-1, len(d.classes)).tolist()))
    expected = Fraction(0)
    for row, times in rows.items():
        if any(row):
            others = [d.total - sum(row), *[0] * (len(row) - 1)]
            law = selection_law(JointDistribution([row, others]), m, NoSelection(), work=work)
            expected += times * law.expected_risk
    return expected


# -- What is done of a computation on samples: weights added up over tables, in a file that it can go on from.


Key: TypeAlias = tuple[Any, ...]
Shares: TypeAlias = "Sequence[tuple[Sequence[Key], Integers, Integers]]"
"""Keys, for each residue the place of its key among them, and residues of shape (primes, number)."""


def run_of(
    d: Data,
    method: Method,
    resume: Resume,
    progress: Progress,
    executor: Workers = None,
    *,
    every: float = 1.0,
    **options: Any,
) -> AbstractContextManager[Run]:
    """Return what enters the run of a computation that these options tell from others."""
    settings = ((field.name, getattr(method, field.name)) for field in fields(method) if resume is not None)
    identity = {
        "distribution": "" if resume is None else digest_of(d),
        "method": type(method).__name__,
        **{name: digest(function_text(it, name)) if callable(it) else str(it) for name, it in settings},
        **options,
    }
    return running("run on samples", identity, executor, resume, progress, every)


def digest_of(d: Data) -> str:
    """Return the fingerprint of a distribution or a sample."""
    variables = [(name, [repr(state) for state in states]) for name, states in d.states.items()]
    arrays = (d.weights,) if isinstance(d, JointDistribution) else (*distinct_rows(d).columns, d.counts)
    return digest(repr((variables, [digest(repr(array.tolist())) for array in arrays])))


_TOGETHER = 16  # batches of a chunk, which takes some tenths of a second


def add_up(
    tables: SampleTables | PartTables, shares: Callable[[Batch], Shares], total: int, run: Run, step: str
) -> dict[Key, int]:
    """Return by key the sum of the weights of all tables of samples, which is `total` in all.

    The journal has the sums as a step; whatever stops it, they hold whole chunks of batches.
    """
    sums = _Sums(tables.primes, run.journal.get(step))
    before, number = sums.chunks, -(-len(tables) // _TOGETHER)
    try:
        for keys, residues in run.crew.map(partial(_sums_of_chunk, tables, shares), range(before, number)):
            sums.add(1, [(keys, np.arange(len(keys)), residues)])
            run.journal.offer((step, sums.to_json))
            run.clock.count(sums.chunks, number, "chunks of tables", f"{step}: ")
    finally:
        if sums.chunks > before:
            run.journal.offer((step, sums.to_json), last=True)
    found = sums.integers()
    if sum(found.values()) != total:
        if run.journal.is_earlier(step):
            raise run.journal.refusal(f"what it says of {step!r} is not what comes out")
        raise AssertionError(f"the law sums to {sum(found.values())} and not to {total}")
    return found


def _sums_of_chunk(
    tables: SampleTables | PartTables, shares: Callable[[Batch], Shares], chunk: int
) -> tuple[list[Key], Integers]:
    """Return the keys of the batches of a chunk, and for each the sums of residues, of shape (primes, keys)."""
    sums, first = _Sums(tables.primes), chunk * _TOGETHER
    for place in range(first, min(first + _TOGETHER, len(tables))):
        sums.add(0, shares(tables[place]))
    return sums.columns()


class _Sums:
    """Sums of residues modulo some primes, by key; wherever an interrupt comes, what is added is added as a whole."""

    def __init__(self, primes: Sequence[int], noted: Mapping[str, Any] | None = None) -> None:
        content = noted or {"chunks": 0, "keys": [], "sums": []}
        self.primes = np.array(primes, dtype=np.int64)
        self._places: dict[Key, int] = {_key(key): place for place, key in enumerate(content["keys"])}
        sums = np.array(content["sums"], dtype=np.int64).reshape(len(primes), len(self._places))
        self._state = content["chunks"], sums

    @property
    def chunks(self) -> int:
        """How many chunks are in the sums."""
        return int(self._state[0])

    def add(self, chunks: int, shares: Shares) -> None:
        """Add residues of shape (primes, number), each to the sum of the key at its place."""
        done, before = self._state
        added = []
        for keys, places, residues in shares:
            sums = np.array([np.bincount(places, row, len(keys)) for row in residues])  # below 2**53: exact
            added.append(([self._places.setdefault(key, len(self._places)) for key in keys], sums.astype(np.int64)))
        after = np.zeros((len(self.primes), len(self._places)), dtype=np.int64)
        after[:, : before.shape[1]] = before
        for columns, ours in added:
            after[:, columns] = (after[:, columns] + ours) % self.primes[:, None]
        self._state = done + chunks, after

    def to_json(self) -> dict[str, Any]:
        keys, sums = self.columns()
        return {"chunks": self.chunks, "keys": keys, "sums": sums.tolist()}

    def columns(self) -> tuple[list[Key], Integers]:
        """Return the keys, and the sums of each in a column."""
        sums = self._state[1]
        return [key for key, place in self._places.items() if place < sums.shape[1]], sums

    def integers(self) -> dict[Key, int]:
        """Return the positive sums, which are below the product of the primes."""
        primes, columns = self.primes.tolist(), self._state[1].T.tolist()
        sums = {key: combine(columns[place], primes) for key, place in self._places.items()}
        return {key: value for key, value in sums.items() if value}


def _key(noted: Sequence[Any]) -> Key:
    """Return a key that was read from JSON, where its tuples are lists."""
    return tuple(_key(part) if isinstance(part, list) else part for part in noted)


# -- How much an exact law takes, and by which engine.


_CELLS = 2**21  # of a batch, with all its marginals: 2**18 and 2**24 took 1.2 and 1.4 times as long at f = 2, m = 40
_LEARNING = 200  # steps for each cell that an inducer, with its estimate, takes
_CALL = 20_000  # steps that take as long as one selection on an empirical distribution, about 2 ms


def engine_for(d: JointDistribution, m: int, method: Method, engine: Engine | None = None, work: int = WORK) -> Engine:
    """Return the engine of an exact law, given the arguments of `selection_law`. Raise an error if it is not usable."""
    m, work = require_question(d, m, method), as_index(work, "work", at_least=1)
    counted, simulated = not hasattr(method.inducer, "fit"), "call fs.simulate(d, m, method, trials=2000, rng=0)"
    require(counted, "inducer", "a function of counts for an exact law", method.inducer, simulated, TooLargeError)
    if engine is not None:
        require_choice(engine, "engine", get_args(Engine))
    able: tuple[Engine, ...] = get_args(Engine) if len(d.classes) == 2 and method.reads == "contrasts" else ("counts",)
    why = "more than two classes" if len(d.classes) > 2 else "a method that reads more than contrasts"
    require(engine is None or engine in able, "engine", f"'counts' with {why}", engine, "leave it out")
    tables = {name: _tables(d, m, method, name) for name in (able if engine is None else (engine,))}
    chosen = min(tables, key=tables.__getitem__)
    _require_work(_work(d, m, method, tables[chosen]), work, m)
    trained = method.parts(m)[0]
    rows = (_number_of_primes(d, m), half_size(d, trained, chosen), trained + 1)
    require_cells(rows, "the weights of half of the states", "take fewer samples, or simulate")
    return chosen


def _require_work(needed: int, work: int, m: int) -> None:
    simulated = Named("call fs.simulate(d, m, method, trials=2000, rng=0)")
    repair = Message(f"it takes {needed:,}: raise ", Named("work"), ", or ", simulated)
    require(needed <= work, "m", f"small enough for an exact law in {work:,} steps", m, repair, TooLargeError)


def _work(d: JointDistribution, m: int, method: Method, tables: int) -> int:
    """Return the approximate number of steps of a law: contrasts and residues of all tables that it visits."""
    trained = method.parts(m)[0]
    products = _number_of_primes(d, m) * (1 + trained // 14)  # 14 terms of a product take as long as a step
    return tables * _steps(d, method, products)


def _tables(d: JointDistribution, m: int, method: Method, engine: Engine) -> int:
    """Return how many tables of training samples, or of all parts, an engine visits, or at most how many."""
    if method.reads == "parts":
        return math.prod(count_tables(d, part, engine) for part in method.parts(m))
    return count_tables(d, m - method.holdout_size(m), engine, _merging(d, m, method, engine))


def _merging(d: JointDistribution, m: int, method: Method, engine: Engine) -> Merging | None:
    """Return which tables are merged, or None if this does not save any."""
    if engine != "contrasts":
        return None
    shape, held = d.cardinalities, method.holdout_size(m)  # a merging is for samples of which none is held out
    found = None if held else method._merging(shape, m)
    if found is None:
        return None
    # No contrast of m samples, and no sum of contrasts, exceeds m.
    found = Merging(min(found.clip, m), None if found.total is None else min(found.total, m))
    return found if count_tables(d, m, engine, found) < count_tables(d, m, engine) else None


def _steps(d: JointDistribution, method: Method, primes: int) -> int:
    """Return the approximate number of steps of one table: the contrasts in all its marginals, and its residues."""
    contrasts = math.prod(c + 1 for c in d.cardinalities) * (len(d.classes) - 1)
    contrasts *= _LEARNING if method.reads == "parts" else 1
    return contrasts + primes + (_CALL if isinstance(method, PlugIn) else 0)


def _number_of_primes(d: JointDistribution, m: int) -> int:
    """Return the approximate number of primes that the weights of m samples need."""
    return m * d.total.bit_length() // 21 + 1


# -- How an exact law is computed: over all tables of m samples, the weights of what a method does on each are added up.


# The mask of a subset, and the risk of the classifier over it times the total weight.
_Outcome: TypeAlias = tuple[int, int | Fraction]


def exact_law(
    d: JointDistribution, m: int, method: Method, engine: Engine, run: Run, work: int = WORK
) -> Law[Fraction]:
    """Return the exact law by an engine, as far as a run has not got yet."""
    steps = _work(d, m, method, _tables(d, m, method, engine))
    run.clock.tell(f"m = {m}: takes about {steps:,} steps, some {max(steps / (3 * 10**7), 0.1):,.1f} s")
    if method.holdout_size(m) and method.reads != "parts":
        law = _with_holdout(d, m, method, engine, run, work)
    else:
        law = _on_all_samples(d, m, method, engine, run)
    outcomes = {
        (names_of(mask, d.features), Fraction(risk, d.total)): probability
        for (mask, risk), probability in sorted(law.items(), key=lambda item: (item[0][0].bit_count(), item[0]))
    }
    return Law(d, m, method, engine, outcomes)


def _on_all_samples(d: JointDistribution, m: int, method: Method, engine: Engine, run: Run) -> dict[Any, Fraction]:
    """Return the probability of every subset and risk, of a method that holds nothing out or reads parts of samples."""
    n = len(d.features)
    total = d.total**m * method.candidate_denominator(n) * denominator_of(method, n)
    primes = primes_for(total, m)
    by_parts = method.reads == "parts"

    def shares(batch: Batch) -> Shares:
        if by_parts and batch.counts is not None:
            samples, choice = batch.counts, decide_on_parts(method, d, batch.counts)
        else:
            samples, choice = batch.contrasts, decide(method, d, m, batch.contrasts, batch.counts)
        residues = _weigh(batch.residues[:, choice.rows], choice.shares, primes)
        found = []
        for mask, at, risks, places in learned_risks(method, d, samples, choice):
            found.append(([(mask, risk) for risk in risks], places, residues[:, at]))
        return found

    size = 1 + _CELLS // _steps(d, method, len(primes))
    merging = None if by_parts else _merging(d, m, method, engine)
    step = f"m = {m}, {'all samples' if merging is None else 'samples that act alike'}"
    if by_parts:
        sums = add_up(PartTables(d, method.parts(m), primes, size), shares, total, run, step)
    else:
        sums = add_up(SampleTables(d, m, engine, primes, size, merging), shares, total, run, step)
    return {(mask, Fraction(risk)): Fraction(weight, total) for (mask, risk), weight in sums.items()}


def _with_holdout(
    d: JointDistribution, m: int, method: Method, engine: Engine, run: Run, work: int
) -> dict[_Outcome, Fraction]:
    """Return the probability of every subset and risk, of a method that holds samples out."""
    held = method.holdout_size(m)
    weights, tables, total = _profiles(d, m, method, engine, run)
    outcomes = [(mask, int(risks_of(d, mask, labels[None])[0])) for mask, labels in tables]
    right = np.column_stack([_indicator(d, mask, labels) for mask, labels in tables])
    profiles = np.array(list(weights), dtype=np.int64)
    number, candidates = profiles.shape
    bound = d.total**held * method.denominator(candidates)
    primes = primes_for(bound, held)
    steps = number * (candidates + len(primes))  # for each table of samples held out
    _require_work(count_tables(d, held, engine) * steps, work, m)

    def shares(batch: Batch) -> Shares:
        flat = batch.contrasts.reshape(len(batch.contrasts), -1).astype(np.float64)
        scores = (flat @ right).astype(np.int32)  # of every table on every hold-out sample
        choice = method.decide(scores[:, profiles].reshape(-1, candidates), held)
        sample, profile = np.divmod(choice.rows, number)
        residues = _weigh(batch.residues[:, sample], choice.shares, primes)
        places, inverse = np.unique(profile * candidates + choice.chosen, return_inverse=True)
        return [([(place // candidates, int(profiles.flat[place])) for place in places.tolist()], inverse, residues)]

    step, size = f"m = {m}, samples held out", max(1, _CELLS // steps)
    law: dict[_Outcome, int] = defaultdict(int)
    ordered = list(weights.values())
    tables_held = SampleTables(d, held, engine, primes, size)
    for (profile, table), weight in add_up(tables_held, shares, bound * number, run, step).items():
        law[outcomes[table]] += ordered[profile] * weight
    return {key: Fraction(weight, total * bound) for key, weight in law.items()}


def _profiles(
    d: JointDistribution, m: int, method: Method, engine: Engine, run: Run
) -> tuple[dict[Key, int], list[tuple[int, Integers]], int]:
    """Return the integer weights of the candidates' tables that training gives, these tables, and the total weight.

    A table is a mask with the labels of its states; in the keys of the weights it is a number.
    """
    trained, kind = m - method.holdout_size(m), label_type(len(d.classes))
    total = d.total**trained * method.candidate_denominator(len(d.features))
    primes = primes_for(total, trained)

    def shares(batch: Batch) -> Shares:
        choice = method.candidates(gains_of(batch.contrasts))
        residues = _weigh(batch.residues[:, choice.rows], choice.shares, primes)
        numbers, tables = np.zeros(choice.chosen.shape, dtype=np.int64), list[tuple[int, str]]()
        for mask, marginal in marginals(batch.contrasts, np.unique(choice.chosen).tolist()):
            at = choice.chosen == mask
            some = np.unique(choice.rows[at.any(axis=1)])
            rows, places = _distinct(labels_of(marginal[some]))
            of_sample = np.zeros(len(marginal), dtype=np.int64)
            of_sample[some] = len(tables) + places
            tables += ((mask, row.tobytes().hex()) for row in rows)
            numbers = np.where(at, of_sample[choice.rows][:, None], numbers)
        distinct, places = np.unique(numbers, axis=0, return_inverse=True)
        return [([tuple(tables[number] for number in row) for row in distinct.tolist()], places.ravel(), residues)]

    step, size = f"m = {m}, training samples", 1 + _CELLS // _steps(d, method, len(primes))
    found = add_up(SampleTables(d, trained, engine, primes, size), shares, total, run, step)
    numbers = {table: number for number, table in enumerate(dict.fromkeys(itertools.chain.from_iterable(found)))}
    weights = {tuple(numbers[table] for table in key): weight for key, weight in found.items()}
    return weights, [(mask, np.frombuffer(bytes.fromhex(row), dtype=kind)) for mask, row in numbers], total


def _distinct(labels: Integers) -> tuple[Integers, Integers]:
    """Return the distinct rows of labels, and the place among them of each."""
    rows = np.ascontiguousarray(labels)
    states, base = rows.shape[1], int(rows.max()) + 1
    if base**states < 2**62:  # as integers: ten times as fast as comparing bytes
        single = rows @ np.array([base**s for s in range(states)], dtype=np.int64)
    else:
        single = rows.view(np.dtype((np.void, states * rows.itemsize))).ravel()
    _, first, places = np.unique(single, return_index=True, return_inverse=True)
    return rows[first], places


def _weigh(residues: Integers, shares: Integers, primes: Sequence[int]) -> Integers:
    """Multiply residues by shares, modulo each prime."""
    if (shares == 1).all():
        return residues
    moduli = np.array(primes)[:, None]
    weighed: Integers = residues * (shares[None] % moduli).astype(np.int64) % moduli
    return weighed


def _indicator(d: JointDistribution, mask: int, labels: Integers) -> Integers:
    """Return the linear form of contrasts that counts where a table is right, beyond class 0."""
    shape = [c if mask >> i & 1 else 1 for i, c in enumerate(d.cardinalities)]
    predicted = np.broadcast_to(labels.reshape(shape), d.cardinalities).reshape(-1)
    form: Integers = (predicted[:, None] == np.arange(1, len(d.classes))).astype(np.float64).ravel()
    return form
