"""The experiments of Beraha et al. in pieces: settings, problems drawn, and the walks through their features."""

from __future__ import annotations

import math
import threading
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise, takewhile
from typing import Any, NamedTuple

import numpy as np

from fstheory._support.exact import as_index
from fstheory._support.result import Result
from fstheory.errors import InvalidTypeError, InvalidValueError, explain, import_optional, require_choice
from fstheory.papers.experiments.neighbor_information import neighbor_elimination, neighbor_selection
from fstheory.papers.experiments.steps import Step
from fstheory.papers.experiments.tail_problem import Floats, Integers, Region, TailProblem

__all__ = ["BerahaSettings", "Problem", "Rule", "Walk", "is_estimate", "problems", "read_walk", "step_of"]


class Rule(NamedTuple):
    """A stopping rule of Section VI, as it is used on estimates: ER, FS, delta-FS or #F, and its number."""

    symbol: str
    number: float

    def __str__(self) -> str:
        return f"{self.symbol} {self.number:g}"

    def removed(self, scores: Sequence[float]) -> int:
        """Return how many features are removed backwards, by the scores of a walk that removes all."""
        if self.symbol == "#F":
            return len(scores) - min(int(self.number), len(scores))
        if self.symbol == "ER":
            sums = accumulate(max(score, 0.0) for score in scores)
            return sum(1 for _ in takewhile(lambda total: total <= self.number**2 / 2, sums))
        if self.symbol == "FS":
            return sum(1 for _ in takewhile(lambda score: score <= self.number, scores))
        rises = (after - before for before, after in pairwise(scores))
        return min(1, len(scores)) + sum(1 for _ in takewhile(lambda rise: rise <= self.number, rises))


@dataclass(frozen=True, kw_only=True, repr=False)
class BerahaSettings(Result):
    """What the experiments of Beraha et al. are run with.

    Parameters
    ----------
    regions : tuple of {'squares', 'sum'}
        The readings of the generator; 'sum' is the printed one.
    useful : tuple of int
        The numbers of useful features in the first experiment; each at least 3.
    features : int
        All features in the first and the third, at least 11: the third has 10 useful ones.
    samples : int
        The sizes of the training sets in the first two; printed.
    trials : int
        Problems for each number of useful features in the first; 1 is printed.
    problems, few_features : int
        How many problems the second has, and how many features; printed are 50 and 15.
    deltas : tuple of float
        The thresholds of the second; of these only 0.05 is printed.
    sizes : tuple of int
        The sizes of the training sets in the third; not printed.
    fractions : tuple of float
        The numbers of neighbors in the third, as parts of the size; not printed.
    size_trials : int
        Problems for each size and fraction; 1 is printed.
    neighbors : int
        In the first two; not printed.
    distributions : int
        Random finite distributions on which the estimator is checked, a multiple of 50; not of the paper.
    test_points : int
        On which the accuracy of the support vector machine is measured; not printed.
    seed : int

    Examples
    --------
    >>> from fstheory.papers.experiments import BerahaSettings
    >>> BerahaSettings().problems, BerahaSettings.quick().problems
    (50, 12)
    """

    regions: tuple[Region, ...] = ("squares", "sum")
    useful: tuple[int, ...] = (9, 12, 15, 18, 21, 24)
    features: int = 30
    samples: int = 500
    trials: int = 10
    problems: int = 50
    few_features: int = 15
    deltas: tuple[float, ...] = (0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.75, 1.0)
    sizes: tuple[int, ...] = (50, 100, 200, 400, 800)
    fractions: tuple[float, ...] = (0.01, 0.03, 0.1)
    size_trials: int = 5
    neighbors: int = 5
    distributions: int = 1000
    test_points: int = 1000
    seed: int = 2019

    def __post_init__(self) -> None:
        for region in _some(self.regions, "regions"):
            require_choice(region, "region", ["squares", "sum"])
        for name, least in _LEAST.items():
            values = getattr(self, name)
            for value in _some(values, name) if name in ("useful", "sizes") else (values,):
                as_index(value, name, at_least=least)
        for name in ("deltas", "fractions"):
            for value in _some(getattr(self, name), name):
                if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 2:
                    raise InvalidValueError(explain(name, "numbers from 0 to 2", value, "pass (0.05, 0.5), say"))
        if self.distributions % 50:
            raise InvalidValueError(explain("distributions", "a multiple of 50", self.distributions, "round it"))
        if self.features < max(self.useful):
            needed = f"at least {max(self.useful)}, the largest number of useful ones"
            raise InvalidValueError(explain("features", needed, self.features, "raise it"))

    @classmethod
    def quick(cls) -> BerahaSettings:
        """Return settings for less than two minutes on one core: fewer problems."""
        return cls(
            useful=(9, 15, 21), trials=1, problems=12, deltas=(0.05, 0.1, 0.2, 0.5, 1.0),
            sizes=(50, 100, 200, 400), fractions=(0.01, 0.1), size_trials=1, distributions=200,
        )  # fmt: skip


_LEAST = {
    "useful": 3, "sizes": 20, "features": 11, "samples": 20, "trials": 1, "problems": 2, "few_features": 3,
    "size_trials": 1, "neighbors": 1, "distributions": 50, "test_points": 10, "seed": 0,
}  # fmt: skip


def _some(values: object, name: str) -> Sequence[Any]:
    if not isinstance(values, list | tuple) or not values:
        raise InvalidTypeError(explain(name, "a tuple of at least one", values, "pass (9, 12), say"))
    return values


class Problem(NamedTuple):
    """A problem drawn: of which experiment, with what sample, and what tells its draws from others."""

    experiment: str
    source: TailProblem
    samples: int
    neighbors: int
    trial: int

    @property
    def name(self) -> str:
        """What the journal calls it."""
        what = f"{self.source.region}, {self.source.useful} of {self.source.features} useful"
        return f"{self.experiment}: {what}, {self.samples} samples, {self.neighbors} neighbors, trial {self.trial}"

    def draw(self, settings: BerahaSettings) -> list[tuple[Floats, Integers]]:
        """Draw the sample and the test points; they do not depend on the neighbors."""
        key = (self.source.useful, self.source.features, len(self.source.region), self.samples, self.trial)
        rng = np.random.default_rng(np.random.SeedSequence(settings.seed, spawn_key=key))
        return [self.source.sample(size, rng) for size in (self.samples, settings.test_points)]


def problems(settings: BerahaSettings) -> Iterator[Problem]:
    """Yield what is to be drawn, trial by trial, so that a run that is broken off has a bit of everything."""
    some = np.random.default_rng(settings.seed).integers(3, settings.few_features + 1, settings.problems).tolist()
    for trial in range(max(settings.trials, settings.problems, settings.size_trials)):
        for region in settings.regions:
            if trial < settings.trials:
                for k in settings.useful:
                    source = TailProblem(k, settings.features, region)
                    yield Problem("stopping", source, settings.samples, settings.neighbors, trial)
            if trial < settings.problems:
                source = TailProblem(some[trial], settings.few_features, region)
                yield Problem("robustness", source, settings.samples, settings.neighbors, trial)
            if trial < settings.size_trials:
                source = TailProblem(10, settings.features, region)
                for size in settings.sizes:
                    for neighbors in dict.fromkeys(max(1, round(part * size)) for part in settings.fractions):
                        yield Problem("estimation", source, size, neighbors, trial)


class Walk(NamedTuple):
    """What came out of a problem.

    `removed` says of each feature removed whether it is useful, `scores` for what estimate it was, `accuracies` what
    the support vector machine reached with those left, before each removal and after the last; `added` and `gains` are
    the same of the selection, which is made in the first experiment alone.
    """

    problem: Problem
    removed: list[bool]
    scores: list[float]
    accuracies: list[float]
    added: list[bool]
    gains: list[float]

    def useful_left(self, removals: int) -> int:
        """Return how many useful features are left after so many removals."""
        return self.problem.source.useful - sum(self.removed[:removals])


def is_estimate(text: str) -> bool:
    """Say whether a text is a finite number; estimates of information have no other bound."""
    try:
        return math.isfinite(float(text))
    except ValueError:
        return False


def step_of(problem: Problem, settings: BerahaSettings) -> Step:
    """Return the work on a problem, for the journal: its rows are those of `read_walk`."""
    n = problem.source.features
    rows = 2 * n + 1 if problem.experiment == "stopping" else n + 1

    def find(stop: threading.Event) -> list[list[str]]:
        return [] if stop.is_set() else _rows(problem, settings)

    return Step(problem.name, find, rows, 3, is_estimate)


def _rows(problem: Problem, settings: BerahaSettings) -> list[list[str]]:
    """Return rows of: whether the feature is useful, the estimate, the accuracy before it is removed."""
    (x, y), test = problem.draw(settings)
    useful, left = problem.source.useful, list(range(x.shape[1]))
    rows = []
    for feature, score in neighbor_elimination(x, y, neighbors=problem.neighbors):
        rows.append(
            [str(int(feature < useful)), repr(score), repr(_accuracy(x[:, left], y, test[0][:, left], test[1]))]
        )
        left.remove(feature)
    rows.append(["0", "0", repr(float(np.mean(test[1] == np.bincount(y).argmax())))])
    if problem.experiment == "stopping":
        steps = neighbor_selection(x, y, neighbors=problem.neighbors)
        rows += [[str(int(feature < useful)), repr(score), "0"] for feature, score in steps]
    return rows


def _accuracy(x: Floats, y: Integers, points: Floats, classes: Integers) -> float:
    """Return the accuracy of scikit-learn's support vector machine with its defaults."""
    svm: Any = import_optional("sklearn.svm", "learn", "the experiments of Beraha et al.")
    return float(np.mean(svm.SVC().fit(x, y).predict(points) == classes))


def read_walk(problem: Problem, rows: Sequence[Sequence[str]]) -> Walk:
    """Return what the rows of a step say."""
    n = problem.source.features
    back, forward = rows[:n], rows[n + 1 :]
    return Walk(
        problem,
        [row[0] == "1" for row in back],
        [float(row[1]) for row in back],
        [float(row[2]) for row in rows[: n + 1]],
        [row[0] == "1" for row in forward],
        [float(row[1]) for row in forward],
    )
