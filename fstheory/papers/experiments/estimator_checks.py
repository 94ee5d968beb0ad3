"""How far estimates of conditional information are from it: on finite distributions, and on the problems of Beraha."""

from __future__ import annotations

import random
import statistics
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from fstheory.distributions.gallery import random as random_distribution
from fstheory.distributions.rows import sample
from fstheory.errors import InvalidValueError
from fstheory.measures.information import conditional_mutual_information
from fstheory.papers.experiments.beraha_walks import BerahaSettings, is_estimate
from fstheory.papers.experiments.neighbor_information import estimated_information
from fstheory.papers.experiments.steps import Step
from fstheory.papers.experiments.tail_problem import Region, TailProblem

__all__ = ["check_panels", "check_steps"]

_CHUNK = 50  # distributions between two looks at the journal
_SIZES = (50, 200, 1000)
_KNOWN = (0, 1, 2, 4, 8, 13)
_USEFUL, _TRIALS = 14, 6


def check_steps(settings: BerahaSettings) -> Iterator[Step]:
    """Yield the steps: distributions by the fifty, and the problems with more and more features given."""
    for size in _SIZES:
        for first in range(0, settings.distributions, _CHUNK):
            finite = _Finite(settings.seed, size, first)
            yield Step(finite.name, finite, _CHUNK, 3, lambda text: not text or is_estimate(text))
    for region in settings.regions:
        for trial in range(_TRIALS):
            given = _Given(settings, region, trial)
            yield Step(given.name, given, len(_KNOWN), 2, is_estimate)


@dataclass(frozen=True)
class _Finite:
    """Fifty random distributions of two features, and a sample of each."""

    seed: int
    size: int
    first: int

    @property
    def name(self) -> str:
        return f"finite: {self.size} samples, distributions {self.first} to {self.first + _CHUNK - 1}"

    def __call__(self, stop: threading.Event) -> list[list[str]]:
        """Return rows of what is true, what the neighbors say, what the empirical distribution says.

        Where a class has a single sample the neighbors say nothing.
        """
        numbers = range(self.first, self.first + _CHUNK)
        return [self._row(number) for number in numbers if not stop.is_set()]

    def _row(self, number: int) -> list[str]:
        rng = random.Random(f"{self.seed} {number}")
        d = random_distribution((rng.randint(2, 3), rng.randint(2, 3)), rng.randint(2, 3), rng=rng)
        s = sample(d, self.size, rng=np.random.default_rng([self.seed, number, self.size]))
        codes = np.repeat(s.codes, s.counts, axis=0)
        plug_in, exact = (float(conditional_mutual_information(of, {"X1"}, given={"X2"})) for of in (s, d))
        try:
            guess = repr(estimated_information(codes[:, 0], codes[:, -1], codes[:, 1]))
        except InvalidValueError:
            guess = ""
        return [repr(exact), guess, repr(plug_in)]


@dataclass(frozen=True)
class _Given:
    """One sample of a problem of Beraha et al.: what a feature tells, given more and more others."""

    settings: BerahaSettings
    region: Region
    trial: int

    @property
    def name(self) -> str:
        return f"given: {self.region}, {self.settings.samples} samples, trial {self.trial}"

    def __call__(self, stop: threading.Event) -> list[list[str]]:
        """Return, for each number of useful features given, the estimates for another one and for a useless one."""
        del stop
        rng = np.random.default_rng([self.settings.seed, self.trial, len(self.region)])
        x, y = TailProblem(_USEFUL, _USEFUL + 1, self.region).sample(self.settings.samples, rng)
        k = self.settings.neighbors
        return [
            [repr(estimated_information(x[:, i], y, x[:, :known], neighbors=k)) for i in (_USEFUL - 1, _USEFUL)]
            for known in _KNOWN
        ]


def check_panels(
    settings: BerahaSettings, rows: Mapping[str, Sequence[Sequence[str]]], point: Callable[[float, list[float]], Any]
) -> Iterator[dict[str, Any]]:
    """Yield the panels of the figure from what came out of the steps."""
    errors: dict[str, list[tuple[int, list[float]]]] = {"nearest neighbors": [], "empirical distribution": []}
    for size in _SIZES:
        steps = (_Finite(settings.seed, size, first) for first in range(0, settings.distributions, _CHUNK))
        found = [row for step in steps for row in rows[step.name]]
        for column, name in enumerate(errors, start=1):
            errors[name].append((size, [float(row[column]) - float(row[0]) for row in found if row[column]]))
    title = f"{settings.distributions} finite distributions"
    bias = {name: [point(size, values) for size, values in series] for name, series in errors.items()}
    spread = {
        name: [{"x": size, "mean": round(statistics.stdev(values), 4)} for size, values in series]
        for name, series in errors.items()
    }
    yield {"title": title, "x": "samples m", "y": "mean of estimate - truth, nats", "series": bias}
    yield {"title": title, "x": "samples m", "y": "standard deviation of it", "series": spread}
    for region in settings.regions:
        problem = TailProblem(_USEFUL, _USEFUL + 1, region)
        series: dict[str, list[Any]] = {
            "truth, a useful feature": [],
            "estimate, a useful feature": [],
            "estimate, a useless feature": [],
        }
        for i, known in enumerate(_KNOWN):
            found = [rows[_Given(settings, region, trial).name][i] for trial in range(_TRIALS)]
            truth = problem.information(known + 1) - problem.information(known)
            series["truth, a useful feature"].append({"x": known, "mean": round(truth, 4), "known": True})
            for column, name in enumerate(list(series)[1:]):
                series[name].append(point(known, [float(row[column]) for row in found]))
        title = (
            f"{'sum of squares' if region == 'squares' else 'sum, as printed'}, k = {_USEFUL}, m = {settings.samples}"
        )
        yield {"title": title, "x": "useful features given", "y": "I(Y; X | given), nats", "series": series}
