"""How an exact law is computed: over all tables of m samples, the weights of what a method does on each are summed."""

from __future__ import annotations

import math
import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any, TypeAlias, get_args

import numpy as np

from fstheory._exact import as_index
from fstheory._memory import require_cells
from fstheory.distribution import JointDistribution
from fstheory.errors import InvalidValueError, TooLargeError, explain, require_choice
from fstheory.samples.journal import Course, Parts, Sums, is_count, is_outcome
from fstheory.samples.lattice import Batch, Engine, count_tables, half_size, primes_for, sample_tables
from fstheory.samples.marginals import Integers, gains_of, label_type, labels_of, marginals, risks_of
from fstheory.samples.methods import Method, PlugIn, decide, require_question

__all__ = ["WORK", "engine_for", "exact_outcomes"]

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
