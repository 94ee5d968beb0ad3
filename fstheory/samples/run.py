"""What is done of a computation on samples: weights added up over tables, in a file that it can go on from."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import fields
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from fstheory._support.journal import Journal, digest
from fstheory._support.progress import Clock, Progress
from fstheory.distributions.joint import JointDistribution
from fstheory.samples.methods import Method
from fstheory.samples.tables import Batch, Engine, Integers, combine, count_tables, sample_tables

Key: TypeAlias = tuple[int, ...]
Shares: TypeAlias = "Sequence[tuple[Sequence[Key], Integers, Integers]]"
"""Keys, for each residue the place of its key among them, and residues of shape (primes, number)."""


class _RunJournal(Journal):
    about = "run on samples"


class Run(NamedTuple):
    """The journal of a computation on samples, and the clock that tells how far it is."""

    journal: Journal
    clock: Clock


@contextmanager
def run_of(
    d: JointDistribution, method: Method, resume: str | os.PathLike[str] | None, progress: Progress, *,
    every: float = 1.0, **options: Any,
) -> Iterator[Run]:  # fmt: skip
    """Enter the run of a computation that these options tell from others."""
    variables = [(name, [repr(state) for state in states]) for name, states in d.states.items()]
    identity = {
        "distribution": digest(repr((variables, d.weights.tolist()))) if resume is not None else "",
        "method": type(method).__name__,
        **{field.name: _written(getattr(method, field.name)) for field in fields(method)},
        **options,
    }
    with Clock(None, progress, every=every) as clock, _RunJournal(resume, identity) as journal:
        yield Run(journal, clock)


def _written(value: object) -> str:
    return getattr(value, "__qualname__", type(value).__name__) if callable(value) else str(value)


def add_up(
    d: JointDistribution,
    m: int,
    engine: Engine,
    primes: Sequence[int],
    size: int,
    shares: Callable[[Batch], Shares],
    total: int,
    run: Run,
    step: str,
    *also: tuple[str, Callable[[], Any]],
) -> dict[Key, int]:
    """Return by key the sum of the weights of all tables of m samples, which is `total` in all.

    The journal has the sums as a step, and what `also` makes as others; whatever stops it, each holds whole batches.
    """
    sums, number = _Sums(primes, run.journal.get(step)), count_tables(d, m, engine)
    before, steps = sums.tables, (*also, (step, sums.to_json))
    try:
        for batch in sample_tables(d, m, engine, primes, size, before):
            sums.add(len(batch.contrasts), shares(batch))
            run.journal.offer(*steps)
            run.clock.tick(lambda: f"{step}: {sums.tables:,} of {number:,} tables")
    finally:
        if sums.tables > before:
            run.journal.offer(*steps, last=True)
    found = sums.integers()
    if sum(found.values()) != total:
        if run.journal.is_earlier(step):
            raise run.journal.refusal(f"what it says of {step!r} is not what comes out")
        raise AssertionError(f"the law sums to {sum(found.values())} and not to {total}")
    return found


class _Sums:
    """Sums of residues modulo some primes, by key; wherever an interrupt comes, a batch is added as a whole or not."""

    def __init__(self, primes: Sequence[int], noted: Mapping[str, Any] | None) -> None:
        content = noted or {"tables": 0, "keys": [], "sums": []}
        self.primes = np.array(primes, dtype=np.int64)
        self._places: dict[Key, int] = {tuple(key): place for place, key in enumerate(content["keys"])}
        sums = np.array(content["sums"], dtype=np.int64).reshape(len(primes), len(self._places))
        self._state = content["tables"], sums

    @property
    def tables(self) -> int:
        """How many tables are in the sums."""
        return int(self._state[0])

    def add(self, number: int, shares: Shares) -> None:
        """Add residues of a batch, of shape (primes, number), each to the sum of the key at its place."""
        tables, before = self._state
        added = []
        for keys, places, residues in shares:
            sums = np.array([np.bincount(places, row, len(keys)) for row in residues])  # below 2**53: exact
            added.append(([self._places.setdefault(key, len(self._places)) for key in keys], sums.astype(np.int64)))
        after = np.zeros((len(self.primes), len(self._places)), dtype=np.int64)
        after[:, : before.shape[1]] = before
        for columns, ours in added:
            after[:, columns] = (after[:, columns] + ours) % self.primes[:, None]
        self._state = tables + number, after

    def to_json(self) -> dict[str, Any]:
        """Return the sums for a journal."""
        tables, sums = self._state
        keys = [list(key) for key, place in self._places.items() if place < sums.shape[1]]
        return {"tables": tables, "keys": keys, "sums": sums.tolist()}

    def integers(self) -> dict[Key, int]:
        """Return the positive sums, which are below the product of the primes."""
        primes, columns = self.primes.tolist(), self._state[1].T.tolist()
        sums = {key: combine(columns[place], primes) for key, place in self._places.items()}
        return {key: value for key, value in sums.items() if value}
