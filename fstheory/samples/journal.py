"""What was gone through of all samples, in a file: a law or a simulation can be interrupted and taken up again."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import fields
from typing import Any, Self, TypeAlias

import numpy as np

from fstheory._clock import Clock, Progress
from fstheory._journal import Journal, digest
from fstheory.bayes import bayes_risk
from fstheory.distribution import JointDistribution
from fstheory.errors import InvalidFormatError
from fstheory.samples.lattice import Batch, NoSuchPlaceError, combine
from fstheory.samples.marginals import Integers
from fstheory.samples.methods import Method
from fstheory.subsets import names_of

__all__ = ["Course", "Parts", "Sums", "course_of", "is_count", "is_matrix", "is_outcome"]

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
