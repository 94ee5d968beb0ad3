"""An experiment in steps: each with a name, what finds it and what can have come out of it, and a journal of all."""

from __future__ import annotations

import math
import os
import threading
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import ClassVar, Self

import numpy as np
import numpy.typing as npt

from fstheory._support.files import write_atomically
from fstheory._support.journal import Journal
from fstheory._support.progress import Listener, Progress
from fstheory._support.result import Result
from fstheory.lattice.draw import PlotFigure

__all__ = ["ExperimentJournal", "MeanError", "Step", "is_number", "run_steps", "write_experiment"]


@dataclass(frozen=True, repr=False)
class MeanError(Result):
    """A mean over trials: a float with its standard error, never exact."""

    mean: float
    standard_error: float
    trials: int

    @classmethod
    def of(cls, values: npt.NDArray[np.float64]) -> Self:
        """Return the mean of at least two numbers."""
        return cls(float(values.mean()), float(values.std(ddof=1)) / math.sqrt(len(values)), len(values))


def is_number(text: str) -> bool:
    """Say whether a text is '' or a number that an error, or what stands for it, can be."""
    try:
        return not text or -1 <= float(Fraction(text)) <= 2
    except (ValueError, ZeroDivisionError):
        return False


@dataclass(frozen=True)
class Step:
    """A piece of the work: what the journal calls it, what finds it, how many texts there are in how many rows."""

    name: str
    find: Callable[[threading.Event], list[list[str]]]
    rows: int
    columns: int
    is_text: Callable[[str], bool] = is_number

    def is_possible(self, rows: object) -> bool:
        """Say whether this can have come out of the step."""
        if not isinstance(rows, list) or len(rows) != self.rows:
            return False
        if not all(isinstance(row, list) and len(row) == self.columns for row in rows):
            return False
        return all(isinstance(text, str) and self.is_text(text) for row in rows for text in row)


class ExperimentJournal(Journal):
    """The steps of an experiment that are done."""

    about: ClassVar[str] = "experiment"


def write_experiment(
    folder: str | os.PathLike[str], name: str, text: str, drawn: Iterable[tuple[str, PlotFigure]]
) -> list[Path]:
    """Write the numbers of an experiment as NAME.json, and each picture as PNG and SVG; return the paths."""
    where = Path(folder)
    where.mkdir(parents=True, exist_ok=True)
    paths = [where / f"{name}.json"]
    write_atomically(paths[0], text + "\n")
    for stem, picture in drawn:
        for suffix in ("png", "svg"):
            paths.append(where / f"{stem}.{suffix}")
            picture.save(paths[-1])
    return paths


def run_steps(steps: Sequence[Step], journal: ExperimentJournal, threads: int, progress: Progress) -> None:
    """Do what the journal does not know yet; what it says of the others must be possible."""
    for step in steps:
        if journal.is_earlier(step.name) and not step.is_possible(journal.get(step.name)):
            raise journal.refusal(f"what it says of {step.name!r} is not what an experiment finds")
    left = [step for step in steps if not journal.is_earlier(step.name)]
    stop, pool = threading.Event(), ThreadPoolExecutor(threads)
    with Listener(progress) as tell:
        tell(f"takes {len(left):,} steps, {threads:,} at a time")
        try:
            found = pool.map(lambda step: step.find(stop), left)
            for done, (step, rows) in enumerate(zip(left, found, strict=True), start=len(steps) - len(left) + 1):
                journal.put(step.name, rows)
                tell(f"{done:,} of {len(steps):,} steps; {step.name}")
        finally:
            stop.set()
            pool.shutdown(cancel_futures=True)
