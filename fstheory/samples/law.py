"""The exact law of what a method selects on m samples, and of the risk it ends with."""

from __future__ import annotations

import math
import os
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, TypeAlias, get_args

import numpy as np

from fstheory._support.exact import Exact, as_index, integers_over, to_text
from fstheory._support.memory import require_cells
from fstheory._support.progress import Progress
from fstheory._support.result import Result, first_of, listing
from fstheory.distributions.joint import JointDistribution
from fstheory.errors import InvalidTypeError, InvalidValueError, TooLargeError, explain, require_choice
from fstheory.lattice.columns import RationalColumn
from fstheory.lattice.subsets import Subset, format_subset, mask_of, masks_by_size, names_of
from fstheory.lattice.table import SubsetTable
from fstheory.measures.risk import bayes_risk
from fstheory.numbers.limbs import IntegerArray
from fstheory.samples.methods import Method, NoSelection, PlugIn, decide, require_method, require_question
from fstheory.samples.simulation import (
    Course,
    Parts,
    Simulation,
    Sums,
    course_of,
    is_count,
    is_outcome,
    require_trials,
    simulated,
)
from fstheory.samples.tables import (
    Batch,
    Engine,
    Integers,
    count_tables,
    gains_of,
    half_size,
    label_type,
    labels_of,
    marginals,
    primes_for,
    risks_of,
    sample_tables,
)
from fstheory.selection.optimal import minimal_optimal

if TYPE_CHECKING:
    from fstheory.lattice.draw import PlotFigure
    from fstheory.lattice.series import Point
__all__ = [
    "WORK",
    "LawCurve",
    "SelectionLaw",
    "engine_for",
    "exact_outcomes",
    "law_curve",
    "selection_law",
]


# -- How an exact law is computed: over all tables of m samples, the weights of what a method does on each are summed.


WORK = 3 * 10**8
"""Cells of marginals and residues that an exact law may take: some 30 to 60 s of one core."""

_CELLS = 2**21  # of a batch, with all its marginals: 2**18 and 2**24 took 1.2 and 1.4 times as long at f = 2, m = 40
_CALL = 20_000  # steps that take as long as one selection on an empirical distribution, about 2 ms

_Outcome = tuple[int, int]  # the mask of a subset, and the risk of the table over it times the total weight
_Law: TypeAlias = "dict[_Outcome, Fraction]"


def engine_for(d: JointDistribution, m: int, method: Method, engine: Engine | None = None, work: int = WORK) -> Engine:
    """Return the engine that an exact law takes, or refuse it: the arguments are those of `selection_law`."""
    m, work = require_question(d, m, method), as_index(work, "work", at_least=1)
    if engine is not None:
        require_choice(engine, "engine", get_args(Engine))
    able: tuple[Engine, ...] = get_args(Engine) if len(d.classes) == 2 and method.reads == "contrasts" else ("counts",)
    if engine is not None and engine not in able:
        why = "more than two classes" if len(d.classes) > 2 else "a method that reads more than differences"
        raise InvalidValueError(explain("engine", f"'counts' with {why}", engine, "leave it out"))
    held = method.holdout_size(m)
    estimates = {name: _work(d, m, method, name) for name in (able if engine is None else (engine,))}
    chosen = min(estimates, key=lambda name: estimates[name])
    _require_work(estimates[chosen], work, m)
    rows = (_primes(d, m), half_size(d, m - held, chosen), m - held + 1)
    require_cells(rows, "the weights of half of the states", "take fewer samples, or simulate")
    return chosen


def _require_work(needed: int, work: int, m: int) -> None:
    """Refuse what takes too many steps."""
    if needed > work:
        repair = f"it takes {needed:,}: pass work=, or fs.simulate(d, m, method, trials=2000, rng=0)"
        raise TooLargeError(explain("m", f"small enough for an exact law in {work:,} steps", m, repair))


def exact_outcomes(d: JointDistribution, m: int, method: Method, engine: Engine, course: Course, work: int) -> _Law:
    """Return the probability of every mask and risk times the total weight, as far as a course has not got yet.

    How many steps the samples held out take is known once the others are gone through: they can be too many then.
    """
    steps = _work(d, m, method, engine)
    course.clock.tell(f"m = {m}: takes about {steps:,} steps, some {max(steps / 10**8, 0.1):,.1f} s")
    if method.holdout_size(m):
        return _with_holdout(d, m, method, engine, course.at(f"m = {m}"), work)
    return _on_all_samples(d, m, method, engine, course.at(f"m = {m}"))


def _weigh(residues: Integers, shares: Integers, primes: Sequence[int]) -> Integers:
    """Multiply residues by shares, modulo each prime."""
    if (shares == 1).all():
        return residues
    moduli = np.array(primes)[:, None]
    weighed: Integers = residues * (shares[None] % moduli).astype(np.int64) % moduli
    return weighed


def _on_all_samples(d: JointDistribution, m: int, method: Method, engine: Engine, course: Course) -> _Law:
    """Return the probability of every subset and risk, of a method that holds nothing out."""
    total = d.total**m * method.denominator(2 ** len(d.features))
    primes = primes_for(total, m)

    def parts(batch: Batch) -> Parts:
        choice = decide(method, d, m, batch.contrasts, batch.counts)
        residues = _weigh(batch.residues[:, choice.rows], choice.shares, primes)
        found = []
        for mask, marginal in marginals(batch.contrasts):
            at = np.flatnonzero(choice.chosen == mask)
            if len(at):
                labels = labels_of(marginal[choice.rows[at]])
                risks, places = np.unique(risks_of(d, mask, labels), return_inverse=True)
                found.append(([(mask, int(risk)) for risk in risks], places, residues[:, at]))
        return found

    sums = Sums(primes, course.at("all samples"), is_key=lambda key: len(key) == 2 and is_outcome(d, *key))
    size = 1 + _CELLS // _steps(d, method, len(primes))
    sums.take(sample_tables(d, m, engine, primes, size, sums.tables), count_tables(d, m, engine), parts)
    return {(mask, risk): Fraction(value, total) for (mask, risk), value in sums.integers(total).items()}


class _Tables:
    """Numbers for the majority tables that occur; the same number for the same table over the same subset."""

    def __init__(self, d: JointDistribution, course: Course) -> None:
        self.numbers: dict[tuple[int, bytes], int] = {}
        self.distribution, self.course, self.kind = d, course, label_type(len(d.classes))
        self._read(course.journal.get(course.place, []))

    def number(self, mask: int, labels: Integers) -> Integers:
        """Return the numbers of some tables over a subset."""
        rows = np.ascontiguousarray(labels)
        states = rows.shape[1]
        base = int(rows.max()) + 1
        if base**states < 2**62:  # as integers: ten times as fast as comparing bytes
            single = rows @ np.array([base**s for s in range(states)], dtype=np.int64)
        else:
            single = rows.view(np.dtype((np.void, states * self.kind.itemsize))).ravel()
        _, first, places = np.unique(single, return_index=True, return_inverse=True)
        known = [self.numbers.setdefault((mask, rows[i].tobytes()), len(self.numbers)) for i in first.tolist()]
        return np.array(known, dtype=np.int64)[places]

    def __iter__(self) -> Iterator[tuple[int, Integers]]:
        """Yield of each table the mask and the labels."""
        return ((mask, np.frombuffer(row, dtype=self.kind)) for mask, row in self.numbers)

    def outcomes(self) -> list[_Outcome]:
        """Return of each table the mask and the risk."""
        return [(mask, int(risks_of(self.distribution, mask, labels[None])[0])) for mask, labels in self]

    def noted(self) -> list[Any]:
        """Return the tables in terms of JSON."""
        return [[mask, row.hex()] for mask, row in self.numbers]

    def _read(self, noted: Any) -> None:
        """Take up what the journal says, if it can be true."""
        d = self.distribution
        for entry in noted if isinstance(noted, list) else [None]:
            mask, text = entry if isinstance(entry, list) and len(entry) == 2 else (0, None)
            if not is_count(mask) or not isinstance(text, str) or not re.fullmatch("([0-9a-f]{2})+", text):
                raise self.course.refusal()
            kept = [c for i, c in enumerate(d.cardinalities) if mask >> i & 1]
            row, size = bytes.fromhex(text), math.prod(kept) * self.kind.itemsize
            if mask >> len(d.features) or len(row) != size or max(np.frombuffer(row, self.kind)) >= len(d.classes):
                raise self.course.refusal()
            self.numbers[mask, row] = len(self.numbers)
        if isinstance(noted, list) and len(self.numbers) < len(noted):
            raise self.course.refusal()


def _profiles(
    d: JointDistribution, m: int, method: Method, engine: Engine, course: Course
) -> tuple[dict[tuple[int, ...], int], _Tables, int]:
    """Return the integer weights of the candidates' tables that training on m samples gives, and their total."""
    total = d.total**m * method.candidate_denominator(len(d.features))
    primes = primes_for(total, m)
    tables = _Tables(d, course.at("trained tables"))
    candidates = method.candidates(np.arange(2 ** len(d.features))[None]).chosen.shape[1]  # where none tie

    def parts(batch: Batch) -> Parts:
        choice = method.candidates(gains_of(batch.contrasts))
        residues = _weigh(batch.residues[:, choice.rows], choice.shares, primes)
        numbers = np.zeros(choice.chosen.shape, dtype=np.int64)
        for mask, marginal in marginals(batch.contrasts):
            at = choice.chosen == mask
            some = np.unique(choice.rows[at.any(axis=1)])
            if len(some):
                of_sample = np.zeros(len(marginal), dtype=np.int64)
                of_sample[some] = tables.number(mask, labels_of(marginal[some]))
                numbers = np.where(at, of_sample[choice.rows][:, None], numbers)
        distinct, places = np.unique(numbers, axis=0, return_inverse=True)
        return [([tuple(row) for row in distinct.tolist()], places.ravel(), residues)]

    def is_key(key: tuple[int, ...]) -> bool:
        return len(key) == candidates and max(key) < len(tables.numbers)

    sums = Sums(primes, course.at("training samples"), is_key=is_key, also=(tables.course.place, tables.noted))
    size = 1 + _CELLS // _steps(d, method, len(primes))
    sums.take(sample_tables(d, m, engine, primes, size, sums.tables), count_tables(d, m, engine), parts)
    return sums.integers(total), tables, total


def _with_holdout(d: JointDistribution, m: int, method: Method, engine: Engine, course: Course, work: int) -> _Law:
    """Return the probability of every subset and risk, of a method that holds samples out."""
    held = method.holdout_size(m)
    weights, tables, total = _profiles(d, m - held, method, engine, course)
    outcomes = tables.outcomes()
    right = np.column_stack([_indicator(d, mask, labels) for mask, labels in tables])
    profiles = np.array(list(weights), dtype=np.int64)
    number, candidates = profiles.shape
    bound = d.total**held * method.denominator(candidates)
    primes = primes_for(bound, held)
    steps = number * (candidates + len(primes))  # for each table of samples held out
    _require_work(count_tables(d, held, engine) * steps, work, m)

    def parts(batch: Batch) -> Parts:
        flat = batch.contrasts.reshape(len(batch.contrasts), -1).astype(np.float64)
        scores = (flat @ right).astype(np.int32)  # of every table on every hold-out sample
        choice = method.decide(scores[:, profiles].reshape(-1, candidates), held)
        sample, profile = np.divmod(choice.rows, number)
        residues = _weigh(batch.residues[:, sample], choice.shares, primes)
        places, inverse = np.unique(profile * candidates + choice.chosen, return_inverse=True)
        return [([(place // candidates, int(profiles.flat[place])) for place in places.tolist()], inverse, residues)]

    def is_key(key: tuple[int, ...]) -> bool:
        return len(key) == 2 and key[0] < number and key[1] in profiles[key[0]]

    sums = Sums(primes, course.at("samples held out"), is_key=is_key)
    size = max(1, _CELLS // steps)
    sums.take(sample_tables(d, held, engine, primes, size, sums.tables), count_tables(d, held, engine), parts)
    law: dict[_Outcome, int] = defaultdict(int)
    ordered = list(weights.values())
    for (profile, table), value in sums.integers(bound * number).items():
        law[outcomes[table]] += ordered[profile] * value
    return {key: Fraction(value, total * bound) for key, value in law.items()}


def _indicator(d: JointDistribution, mask: int, labels: Integers) -> Integers:
    """Return the linear form of contrasts that counts where a table is right, beyond class 0."""
    shape = [c if mask >> i & 1 else 1 for i, c in enumerate(d.cardinalities)]
    predicted = np.broadcast_to(labels.reshape(shape), d.cardinalities).reshape(-1)
    form: Integers = (predicted[:, None] == np.arange(1, len(d.classes))).astype(np.float64).ravel()
    return form


def _cells(d: JointDistribution) -> int:
    """Return the number of contrasts in all marginals of one table."""
    return math.prod(c + 1 for c in d.cardinalities) * (len(d.classes) - 1)


def _work(d: JointDistribution, m: int, method: Method, engine: Engine) -> int:
    """Return about how many steps a law takes: contrasts and residues of all tables that are gone through."""
    trained = m - method.holdout_size(m)
    tables = count_tables(d, trained, engine)
    products = _primes(d, m) * (1 + trained // 14)  # 14 terms of a product take as long as a step
    return tables * _steps(d, method, products)


def _steps(d: JointDistribution, method: Method, primes: int) -> int:
    """Return about how many steps one table takes."""
    return _cells(d) + primes + (_CALL if isinstance(method, PlugIn) else 0)


def _primes(d: JointDistribution, m: int) -> int:
    """Return about how many primes the weights of m samples take."""
    return m * d.total.bit_length() // 21 + 1


# -- The exact law of what a method selects on m samples, and of the risk it ends with.


@dataclass(frozen=True, repr=False)
class SelectionLaw(Result):
    """The exact law of what a method selects on m samples of a distribution, and of the risk it ends with.

    Indexed by a subset it gives the probability that the method returns it.

    Attributes
    ----------
    distribution : JointDistribution
    m : int
        The number of samples, those held out included.
    method : Method
    engine : {'counts', 'differences'}
        How the samples were gone through: all tables of counts, or of differences of two classes.
    outcomes : mapping of (frozenset of str, Fraction) to Fraction
        The probability of every subset with the risk, under the distribution, of the majority table over it. They
        sum to exactly 1.

    Examples
    --------
    >>> import fstheory as fs
    >>> d = fs.JointDistribution([[[12, 4], [3, 5]], [[2, 6], [1, 7]]])
    >>> law = fs.selection_law(d, 4, fs.FOS(tau="1/20", ties="first"))
    >>> law[{"X1"}], law.success, law.engine
    (Fraction(144803, 640000), Fraction(4377, 40000), 'differences')
    """

    distribution: JointDistribution
    m: int
    method: Method
    engine: Engine
    outcomes: Mapping[tuple[frozenset[str], Fraction], Fraction]

    def __getitem__(self, subset: Subset) -> Fraction:
        return self.probabilities[subset]

    def __str__(self) -> str:
        names, table = self.distribution.features, self.probabilities
        rows = [
            ("expected risk", to_text(self.expected_risk)),
            ("Bayes risk", to_text(self.expected_risk - self.expected_regret)),
        ]
        rows += [("success", to_text(self.success))]
        likely = sorted(masks_by_size(len(names)).tolist(), key=table.value_at, reverse=True)
        rows += [(format_subset(mask, names), to_text(table.value_at(mask))) for mask in likely if table.value_at(mask)]
        head = f"{self.method.title} on {self.m} samples, exactly (all tables of {self.engine})"
        return listing(head, rows, len(rows))

    @cached_property
    def probabilities(self) -> SubsetTable[Fraction]:
        """The probability of every subset."""
        names = self.distribution.features
        values = [Fraction(0)] * 2 ** len(names)
        for (subset, _), probability in self.outcomes.items():
            values[mask_of(subset, names)] += probability
        numerators, denominator = integers_over(values)
        column = RationalColumn(IntegerArray.from_ints(numerators), denominator)
        return SubsetTable(names, column, name="probability of being selected", symbol="P")

    @cached_property
    def risks(self) -> Mapping[Fraction, Fraction]:
        """The probability of every risk that the method can end with, in ascending order."""
        sums: dict[Fraction, Fraction] = defaultdict(Fraction)
        for (_, risk), probability in self.outcomes.items():
            sums[risk] += probability
        return MappingProxyType(dict(sorted(sums.items())))

    @cached_property
    def expected_risk(self) -> Fraction:
        """The expected risk, under the distribution, of the classifier that the method ends with."""
        return sum((risk * probability for risk, probability in self.risks.items()), Fraction(0))

    @property
    def expected_regret(self) -> Fraction:
        """The expected risk less the Bayes risk, which is that of S*."""
        return self.expected_risk - bayes_risk(self.distribution, self.distribution.features)

    @cached_property
    def expected_gain(self) -> Fraction:
        """The expected risk of the majority table over all features and all m samples, less that of the method."""
        return _risk_without_selection(self.distribution, self.m) - self.expected_risk

    @cached_property
    def success(self) -> Fraction:
        """The probability of a minimal set of least Bayes risk: of S*, where it is the only one."""
        solutions = minimal_optimal(self.distribution, method="exhaustive").solutions
        return sum((self[subset] for subset in solutions), Fraction(0))

    def curve(
        self,
        ms: Iterable[int],
        *,
        trials: int | None = None,
        rng: int | None = None,
        work: int = WORK,
        workers: int = 1,
        skip: bool = False,
        resume: str | os.PathLike[str] | None = None,
        progress: Progress = None,
    ) -> LawCurve:
        """Return the laws of the same method by sample size, as `law_curve` does.

        Examples
        --------
        >>> import fstheory as fs
        >>> law = fs.selection_law(fs.gallery.xor(), 4, fs.FOS(tau="1/20", ties="first"))
        >>> law.curve(range(2, 5)).success
        (Fraction(0, 1), Fraction(3, 8), Fraction(21, 32))
        """
        return law_curve(
            self.distribution, self.method, ms, trials=trials, rng=rng, work=work, workers=workers, skip=skip,
            resume=resume, progress=progress,
        )  # fmt: skip

    def tail(self, limit: Fraction) -> Fraction:
        """Return the probability that the risk is above a limit."""
        return sum((probability for risk, probability in self.risks.items() if risk > limit), Fraction(0))


def selection_law(
    d: JointDistribution,
    m: int,
    method: Method,
    *,
    engine: Engine | None = None,
    work: int = WORK,
    resume: str | os.PathLike[str] | None = None,
    progress: Progress = None,
) -> SelectionLaw:
    """Return the exact law of what a method selects on m samples of a distribution, and of the risk it ends with.

    Parameters
    ----------
    d : JointDistribution
        With two classes or more; cells of probability 0 do not count.
    m : int
        The number of independent samples, those held out included.
    method : FBS, FOS, StandardWrap, OrderedFS, NoSelection or PlugIn
    engine : {'counts', 'differences'}, optional
        Go through all tables of counts, or through all differences n(x, 1) - n(x, 0) of two classes. The one with
        fewer steps if not given; both give the same law.
    work : int
        The most steps to take; a step is a cell of a marginal of one table, some 5 to 10 ns.
    resume : path-like, optional
        A file that is written about once a second, and read if it exists: a law that was interrupted, even killed,
        goes on where it stopped. What the file says of the tables gone through is taken as it stands, if it can be
        true and its total is right; of a `PlugIn` it knows only the name of the function.
    progress : bool or callable, optional
        True shows how far it is, on a terminal or in a notebook; a function is called with each line of that.

    Returns
    -------
    SelectionLaw

    Raises
    ------
    TooLargeError
        The law takes more steps than `work`, or some 2**17 samples are held out; `simulate` estimates it.

    Notes
    -----
    The learner is the majority table over a subset: each state predicts the class with the most training samples
    in it, the first of several, and the first of all where no sample is. Resubstitution and hold-out errors of
    majority tables depend on the differences of counts alone. Their weights are found modulo primes in products of
    float64 matrices, which are exact there, and put together by the Chinese remainder theorem; that they sum to W**m
    for a total weight W is checked each time. A method that holds samples out is gone through by the tables that the
    training part can give, each with its probability, and for each of these by all samples held out.

    Complexity: of `counts` binomial(m + K - 1, m) tables for K cells of positive probability; of `differences` the
    points of the integer lattice with at most m as the sum of their absolute values, of the parity of m, one
    coordinate for each state of the features. Each takes prod(c_i + 1) steps for cardinalities c_i.

    References
    ----------
    Ng (1998), Sections 2 and 3; Peña and Nilsson (2010), Section 5.

    Examples
    --------
    >>> import fstheory as fs
    >>> d = fs.JointDistribution([[[7, 3], [7, 3]], [[3, 7], [3, 7]]])
    >>> law = fs.selection_law(d, 10, fs.OrderedFS(holdout="3/10", ties="first"))
    >>> print(law)
    OrderedFS on 10 samples, exactly (all tables of differences)
      expected risk: 574820692473483/1310720000000000 ≈ 0.4386
      Bayes risk:    3/10 = 0.3
      success:       757528144524781/2621440000000000 ≈ 0.2890
      {}:            378560316423591/655360000000000 ≈ 0.5776
      X1:            757528144524781/2621440000000000 ≈ 0.2890
      X1X2:          5848954179411/65536000000000 ≈ 0.08925
      X2:            23142484520883/524288000000000 ≈ 0.04414
    """
    engine = engine_for(d, m, method, engine, work)
    with course_of(d, method, resume, progress, kind="law", m=m, engine=engine) as course:
        return law_by(d, m, method, engine, course, work)


def law_by(
    d: JointDistribution, m: int, method: Method, engine: Engine, course: Course, work: int = WORK
) -> SelectionLaw:
    """Return the exact law by an engine, as far as a course has not got yet."""
    law = exact_outcomes(d, m, method, engine, course, work)
    outcomes = {
        (names_of(mask, d.features), Fraction(risk, d.total)): probability
        for (mask, risk), probability in sorted(law.items(), key=lambda item: (item[0][0].bit_count(), item[0]))
    }
    return SelectionLaw(d, m, method, engine, MappingProxyType(outcomes))


@dataclass(frozen=True, repr=False)
class LawCurve(Result):
    """What a method selects by sample size: exact laws as far as the work allows, and simulations beyond.

    Indexed by a number of samples it gives the law or the simulation there. Exact values are Fractions and estimated
    ones floats, everywhere.

    Attributes
    ----------
    distribution : JointDistribution
    method : Method
    points : tuple of SelectionLaw or Simulation
        In the order of m; `engine` says of each how it was found, 'simulation' being an estimate.
    without_selection : tuple of Fraction or None
        The expected risk of the majority table over all features and all m samples, always exact; None where that
        takes too much work.

    Examples
    --------
    >>> import fstheory as fs
    >>> curve = fs.samples.law_curve(fs.gallery.xor(), fs.FOS(tau="1/20", ties="first"), [2, 4], trials=100, rng=0)
    >>> curve.ms, curve.is_exact, curve[4][{"X1", "X2"}]
    ((2, 4), True, Fraction(21, 32))
    """

    distribution: JointDistribution
    method: Method
    points: tuple[SelectionLaw | Simulation, ...]
    without_selection: tuple[Fraction | None, ...]

    def __getitem__(self, m: int) -> SelectionLaw | Simulation:
        if m not in self.ms:
            raise InvalidValueError(explain("m", f"one of {first_of(self.ms)}", m, "ask for a curve that has it"))
        return self.points[self.ms.index(m)]

    def __iter__(self) -> Iterator[SelectionLaw | Simulation]:
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
        return all(isinstance(point, SelectionLaw) for point in self.points)

    @property
    def success(self) -> tuple[Fraction | float, ...]:
        """The probability of a minimal set of least Bayes risk, by m."""
        return tuple(point.success for point in self.points)

    @property
    def expected_risk(self) -> tuple[Fraction | float, ...]:
        """The expected risk of the classifier that the method ends with, by m."""
        return tuple(point.expected_risk for point in self.points)

    def probability(self, subset: Subset) -> tuple[Fraction | float, ...]:
        """Return the probability that a subset is selected, by m."""
        return tuple(
            point[subset] if isinstance(point, SelectionLaw) else point.count(subset) / point.trials
            for point in self.points
        )

    def __str__(self) -> str:
        head = f"{self.method.title} by sample size: success, expected risk (without selection), Bayes risk "
        head += to_text(bayes_risk(self.distribution, self.distribution.features))
        rows = []
        for point, without in zip(self.points, self.without_selection, strict=True):
            plain = "" if without is None else f" ({float(without):.4f})"
            if isinstance(point, SelectionLaw):
                values = (
                    f"{float(point.success):.4f}, {float(point.expected_risk):.4f}{plain}; exact, by {point.engine}"
                )
            else:
                (low, high), (least, most) = point.success_interval(), point.expected_risk_interval()
                values = f"{low:.4f} to {high:.4f}, {least:.4f} to {most:.4f}{plain}; from {point.trials:,} trials"
            rows.append((f"m = {point.m}", values))
        return listing(head, rows, len(rows))

    def plot(
        self, *, subsets: Iterable[Subset] | None = None, confidence: Exact = "19/20", title: str | None = None
    ) -> PlotFigure:
        """Draw the probability of each subset, and the expected risk with and without selection, by m.

        Exact points are filled and joined by lines; estimated ones are hollow, with bars of the given confidence.

        Parameters
        ----------
        subsets : iterable of subsets, optional
            Which to draw; the seven likeliest, each at the m where it is likeliest, if not given.
        confidence : exact number
        title : str, optional

        Examples
        --------
        >>> import fstheory as fs
        >>> curve = fs.samples.law_curve(fs.gallery.xor(), fs.FOS(tau="1/20", ties="first"), range(1, 6))
        >>> curve.plot()
        <PlotFigure: FOS on m samples>
        """
        from fstheory.lattice.series import Panel, Point, Series, draw_curves

        names = self.distribution.features
        solutions = {mask_of(s, names) for s in minimal_optimal(self.distribution, method="exhaustive").solutions}
        masks = self._likeliest() if subsets is None else [mask_of(subset, names) for subset in subsets]
        chosen = [
            Series(
                format_subset(mask, names) + " = S*" * (solutions == {mask}),
                [_probability_at(point, names_of(mask, names), confidence) for point in self.points],
                mask in solutions,
            )
            for mask in masks
        ]
        pairs = zip(self.points, self.without_selection, strict=True)
        plain = [Point(point.m, float(risk)) for point, risk in pairs if risk is not None]
        ended = [_risk_at(point, confidence) for point in self.points]
        least = ("Bayes risk", float(bayes_risk(self.distribution, names)))
        panels = [
            Panel("probability of being selected", chosen),
            Panel("expected risk", [Series("with selection", ended, True), Series("without", plain)], least),
        ]
        return draw_curves(
            panels, x="samples m", title=title or f"{self.method.title} on m samples", description=str(self)
        )

    def _likeliest(self) -> list[int]:
        """Return the seven masks that are likeliest, each where it is likeliest."""
        names = self.distribution.features
        found = {subset for point in self.points for subset, _ in point.outcomes}
        highest = {mask_of(subset, names): max(map(float, self.probability(subset))) for subset in found}
        return sorted(
            sorted(highest, key=lambda mask: (-highest[mask], mask))[:7], key=lambda mask: (mask.bit_count(), mask)
        )


def _probability_at(point: SelectionLaw | Simulation, subset: frozenset[str], confidence: Exact) -> Point:
    from fstheory.lattice.series import Point

    if isinstance(point, SelectionLaw):
        return Point(point.m, float(point[subset]))
    return Point(point.m, point.count(subset) / point.trials, point.interval(subset, confidence))


def _risk_at(point: SelectionLaw | Simulation, confidence: Exact) -> Point:
    from fstheory.lattice.series import Point

    interval = None if isinstance(point, SelectionLaw) else point.expected_risk_interval(confidence)
    return Point(point.m, float(point.expected_risk), interval)


def law_curve(
    d: JointDistribution,
    method: Method,
    ms: Iterable[int],
    *,
    trials: int | None = None,
    rng: int | None = None,
    work: int = WORK,
    workers: int = 1,
    skip: bool = False,
    resume: str | os.PathLike[str] | None = None,
    progress: Progress = None,
) -> LawCurve:
    """Return what a method selects by sample size: exact laws, and simulations beyond if these are asked for.

    Parameters
    ----------
    d : JointDistribution
    method : FBS, FOS, StandardWrap, OrderedFS, NoSelection or PlugIn
    ms : iterable of int
        Numbers of samples.
    trials, rng : int, optional
        Where an exact law takes more than `work`, estimate it from so many trials with this seed; the simulation at
        m is that of ``fs.simulate`` with ``numpy.random.default_rng([rng, m])``.
    work : int
        The most steps of one law.
    workers : int
        Threads of a simulation.
    skip : bool
        Leave out those m of which the method cannot hold out its fraction.
    resume : path-like, optional
        A file that is written about once a second, and read if it exists, as in `selection_law`.
    progress : bool or callable, optional
        True shows how far it is, on a terminal or in a notebook; a function is called with each line of that.

    Returns
    -------
    LawCurve

    Raises
    ------
    TooLargeError
        A law takes more than `work`, and there are no `trials`.

    Examples
    --------
    >>> import fstheory as fs
    >>> d = fs.JointDistribution([[[7, 3], [7, 3]], [[3, 7], [3, 7]]])
    >>> method = fs.OrderedFS(holdout="3/10", ties="first")
    >>> curve = fs.samples.law_curve(d, method, range(10, 50), skip=True)
    >>> curve.ms, float(curve.success[-1])
    ((10, 20, 30, 40), 0.6431604173068203)
    >>> fs.samples.law_curve(d, method, [10, 400], trials=100, rng=0)[400].engine
    'simulation'
    """
    sizes = _sizes(method, ms, skip=skip)
    engines: list[Engine | None] = []
    for m in sizes:
        try:
            engines.append(engine_for(d, m, method, work=work))
        except TooLargeError as error:
            if trials is None:
                raise TooLargeError(f"{error}; for a curve, trials=2000, rng=0") from error
            engines.append(None)
    if trials is not None:
        trials, workers = require_trials(d, trials, workers)
        rng = as_index(rng, "rng")
    options: dict[str, Any] = {"m": sizes, "trials": trials, "seed": rng, "engines": engines}
    points: list[SelectionLaw | Simulation] = []
    with course_of(d, method, resume, progress, kind="curve", **options) as course:
        for m, engine in zip(sizes, engines, strict=True):
            if engine is not None:
                try:
                    points.append(law_by(d, m, method, engine, course, work))
                    continue
                except TooLargeError:  # seen when the samples to train on are gone through
                    if trials is None:
                        raise
            assert trials is not None
            assert rng is not None
            source = np.random.default_rng([rng, m])
            points.append(simulated(d, m, method, trials, source, workers, course))
    return LawCurve(d, method, tuple(points), tuple(_risk_if_cheap(d, m, max(work, WORK)) for m in sizes))


def _sizes(method: Method, ms: Iterable[int], *, skip: bool) -> list[int]:
    """Return the numbers of samples in order; those that a method cannot divide are refused, or left out."""
    require_method(method)
    if not isinstance(ms, Iterable) or isinstance(ms, str):
        raise InvalidTypeError(explain("ms", "numbers of samples", ms, "pass range(10, 50, 10), say"))
    sizes = sorted({as_index(m, "each of ms") for m in ms})
    unfit = []
    for m in sizes:
        try:
            method.holdout_size(m)
        except InvalidValueError:
            unfit.append(m)
    fit = [m for m in sizes if m not in unfit]
    if unfit and not (skip and fit):
        repair = f"of these, {first_of(fit) or 'none'} can: pass only such, or skip=True"
        needed = "numbers of samples of which the method can hold out its part"
        raise InvalidValueError(explain("ms", needed, first_of(unfit), repair))
    if not fit:
        raise InvalidValueError(explain("ms", "at least one number of samples", list(sizes), "pass [10, 20], say"))
    return fit


def _risk_without_selection(d: JointDistribution, m: int, work: int = WORK) -> Fraction:
    """Return the expected risk of the majority table over all features and m samples.

    It is a sum over the states: what the table predicts at one depends on how many samples fall there, by class, and
    not on where the others fall. So each is asked about in a distribution where all others are one state without risk.
    """
    rows = Counter(map(tuple, d.weights.reshape(-1, len(d.classes)).tolist()))
    expected = Fraction(0)
    for row, times in rows.items():
        if any(row):
            others = [d.total - sum(row), *[0] * (len(row) - 1)]
            one, method = JointDistribution([row, others]), NoSelection()
            with course_of(one, method, None, None) as course:
                law = law_by(one, m, method, engine_for(one, m, method, work=work), course)
            expected += times * law.expected_risk
    return expected


def _risk_if_cheap(d: JointDistribution, m: int, work: int) -> Fraction | None:
    try:
        return _risk_without_selection(d, m, work)
    except TooLargeError:
        return None
