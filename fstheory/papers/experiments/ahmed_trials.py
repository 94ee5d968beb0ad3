"""The experiment of Ahmed et al. in pieces: its data, its settings, and the splits and laws that it consists of."""

from __future__ import annotations

import math
import threading
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

import numpy as np

from fstheory._support.exact import as_index
from fstheory._support.result import Result
from fstheory.distributions import gallery
from fstheory.distributions.joint import JointDistribution
from fstheory.distributions.rows import Sample
from fstheory.errors import InvalidTypeError, InvalidValueError, explain, require_choice
from fstheory.papers.experiments.ahmed_exact import (
    MEASURES,
    METHODS,
    ExpectedErrors,
    expected_errors,
    is_value,
    rank_features,
    read_value,
    write_value,
)
from fstheory.papers.experiments.gaussian import Floats, Integers
from fstheory.papers.experiments.steps import MeanError, Step
from fstheory.selection.greedy import select

__all__ = ["DATA", "FIGURES", "AhmedSettings", "Panel", "law_step", "read_law", "split_step", "splits_of", "three_bins"]


class Panel(NamedTuple):
    """What is shown together: a measure and a data set."""

    measure: str
    data: str


DATA = {
    "breast cancer": "malignant or not: 569 rows, 30 real features, p = 0.373 (Wolberg, Street and Mangasarian 1995)",
    "wine": "the second cultivar or not: 178 rows, 13 real features, p = 0.399 (Forina)",
    "iris": "versicolor or not: 150 rows, 4 real features, p = 0.333 (Fisher 1936)",
    "digits": "an eight or not: 1797 rows, 64 pixels above one half of black or not, p = 0.097 (Alpaydin and Kaynak)",
    "waveform": "the first wave or not, drawn from its definition: 21 real features and 19 of noise, p = 1/3 (CART)",
}
_ALL = list(DATA)
FIGURES = {
    1: [Panel("0-1", data) for data in _ALL],
    2: [Panel(cost, data) for data in ("breast cancer", "waveform") for cost in ("cost 1/4", "cost 3/4")],
    3: [Panel("logarithmic", data) for data in _ALL],
    4: [Panel("balanced", "digits"), Panel("F1", "digits"), Panel("balanced", "waveform")],
}
"""Figure 5, with up to 75 of 5000 features, is not run again."""


@dataclass(frozen=True, kw_only=True, repr=False)
class AhmedSettings(Result):
    """What the experiment of Ahmed et al. is run with; the paper prints the splits, the 30% and the 20%.

    Parameters
    ----------
    splits : int
        Into 70% to train on, of which 20% are held out to tune, and 30% to test; at least 2.
    features : int
        The largest number of features chosen.
    penalties : tuple of float
        The C of the learners, to choose from.
    widths : tuple of float
        The gamma of the kernel ``exp(-gamma |x - z|**2)`` times the number of features, to choose from.
    landmarks : int
        Points that the logistic regression takes kernel values with.
    waveform : int
        Rows that are drawn.
    ties : {'first', 'drawn'}
        Which of several features that are as good is chosen: the first column, or by an order drawn for each split.
    laws : tuple of pairs (name in the gallery, number of samples)
        Where the expected errors are asked for.
    tables : int
        Up to so many tables of counts a law is exact; beyond it is estimated.
    trials : int
        Of an estimate; at least 2.
    seed : int

    Examples
    --------
    >>> from fstheory.papers.experiments import AhmedSettings
    >>> AhmedSettings().splits, AhmedSettings.quick().splits
    (5, 2)
    """

    splits: int = 5
    features: int = 10
    penalties: tuple[float, ...] = (0.1, 1.0, 10.0, 100.0)
    widths: tuple[float, ...] = (0.1, 1.0, 10.0)
    landmarks: int = 100
    waveform: int = 1000
    ties: Literal["first", "drawn"] = "first"
    laws: tuple[tuple[str, int], ...] = (
        ("ahmed-example-1", 5), ("correlated-xor", 5), ("cover", 3), ("led-parity", 50), ("asia", 50),
    )  # fmt: skip
    tables: int = 10_000
    trials: int = 400
    seed: int = 2015

    def __post_init__(self) -> None:
        require_choice(self.ties, "ties", ["first", "drawn"])
        as_index(self.seed, "seed")
        least = {"splits": 2, "features": 1, "landmarks": 1, "waveform": 50, "tables": 1, "trials": 2}
        for name, number in least.items():
            as_index(getattr(self, name), name, at_least=number)
        for name in ("penalties", "widths"):
            values = getattr(self, name)
            if not isinstance(values, tuple) or not values or not all(isinstance(v, int | float) for v in values):
                raise InvalidTypeError(explain(name, "a tuple of numbers", values, "pass (1.0, 10.0), say"))
            if not all(0 < value < math.inf for value in values):
                raise InvalidValueError(explain(name, "above 0", values, "drop the others"))
        if not isinstance(self.laws, tuple) or not all(isinstance(law, tuple) and len(law) == 2 for law in self.laws):
            raise InvalidTypeError(explain("laws", "pairs", self.laws, "pass (('titanic', 3),), say"))
        for name, m in self.laws:
            gallery.describe(name)
            as_index(m, "laws", at_least=1)

    @classmethod
    def quick(cls) -> AhmedSettings:
        """Return settings for less than two minutes on one core."""
        laws = (("ahmed-example-1", 3), ("correlated-xor", 3), ("asia", 30))
        return cls(
            splits=2, features=5, penalties=(1.0, 10.0), widths=(0.1, 1.0), landmarks=40, waveform=300, laws=laws,
            trials=40,
        )  # fmt: skip

    def sizes(self, data: str) -> range:
        """Return the numbers of features that are chosen on some data."""
        return range(1, min(self.features, {"iris": 4, "wine": 13}.get(data, 30)) + 1)


# -- data


def load(data: str, settings: AhmedSettings) -> tuple[Floats, Integers]:
    """Return the features and which rows are positive."""
    if data == "waveform":
        return _waveform(settings)
    from sklearn import datasets

    x, y = getattr(datasets, f"load_{data.replace(' ', '_')}")(return_X_y=True)
    if data == "digits":
        return (x >= 8).astype(float), (y == 8).astype(np.int64)
    return x, (y == (0 if data == "breast cancer" else 1)).astype(np.int64)


def _waveform(settings: AhmedSettings) -> tuple[Floats, Integers]:
    """Draw the waveforms of Breiman et al.: u h + (1 - u) h' with noise, of two of three triangles, and 19 of noise."""
    rng = np.random.default_rng(np.random.SeedSequence(settings.seed, spawn_key=(0,)))
    m, i = settings.waveform, np.arange(1, 22)
    waves = [np.maximum(6 - abs(i - center), 0) for center in (11, 15, 7)]
    kind, u = rng.integers(0, 3, m), rng.random((m, 1))
    first, second = (np.stack([waves[j] for j in pair])[kind] for pair in ((0, 0, 1), (1, 2, 2)))
    x = np.hstack([u * first + (1 - u) * second, np.zeros((m, 19))]) + rng.standard_normal((m, 40))
    return x, (kind == 0).astype(np.int64)


def three_bins(x: Floats, train: Integers) -> Integers:
    """Return 0, 1, 2 for below mu - sigma, below mu + sigma and the rest, with mu and sigma of the rows to train on.

    What has two values is left as it is. sigma is that of the rows themselves, with m in the denominator.
    """
    bins = np.empty(x.shape, dtype=np.int64)
    for j, column in enumerate(x.T):
        values = np.unique(column)
        mu, sigma = column[train].mean(), column[train].std()
        cuts = values[1:] if len(values) == 2 else np.array([mu - sigma, mu + sigma])
        bins[:, j] = np.searchsorted(cuts, column, side="right")
    return bins


# -- one split of some data


def splits_of(settings: AhmedSettings, panel: Panel) -> Iterator[Step]:
    """Yield a step for each split."""
    for number in range(settings.splits):
        yield split_step(settings, panel, number)


def split_step(settings: AhmedSettings, panel: Panel, number: int) -> Step:
    """Return the step that selects, learns and tests on one split.

    It finds a row of test errors for each method, and one with the share of the candidates that tied for the best in
    each step of BayesGreedy.
    """
    name = f"{panel.data}, {panel.measure}, split {number}"
    columns = len(settings.sizes(panel.data))
    return Step(name, _Split(settings, panel, number), len(METHODS) + 1, columns, _is_error)


def _is_error(text: str) -> bool:
    try:
        return 0 <= float(text) <= 100
    except ValueError:
        return False


@dataclass(frozen=True)
class _Split:
    settings: AhmedSettings
    panel: Panel
    number: int

    def __call__(self, stop: threading.Event) -> list[list[str]]:
        """Select by all methods, then learn over each subset once."""
        settings, (measure, data) = self.settings, self.panel
        x, y = load(data, settings)
        key = (1, list(DATA).index(data), self.number)
        rng = np.random.default_rng(np.random.SeedSequence(settings.seed, spawn_key=key))
        rows = rng.permutation(len(y))
        train, test = np.split(rows, [round(0.7 * len(y))])
        names = [f"X{j}" for j in range(1, x.shape[1] + 1)]
        order = names if settings.ties == "first" else rng.permutation(names).tolist()
        table = np.column_stack([three_bins(x, train), y])[train]
        s = Sample(table.tolist(), features=names, target="Y")
        sizes = settings.sizes(data)
        chosen = rank_features(s, sizes[-1], [measure], order)
        spread = x[train].std(axis=0)
        scaled = (x - x[train].mean(axis=0)) / np.where(spread > 0, spread, 1.0)
        known: dict[frozenset[int], float] = {}
        errors = []
        for method in METHODS:
            columns = [names.index(name) for name in chosen[measure, method]]
            for k in sizes:
                if stop.is_set():
                    return []
                subset = frozenset(columns[:k])
                if subset not in known:
                    known[subset] = test_error(settings, measure, scaled[:, sorted(subset)], y, train, test)
            errors.append([repr(known[frozenset(columns[:k])]) for k in sizes])
        steps = select(s, sizes[-1], MEASURES[measure].by, order=order).trace
        return [*errors, [repr(len(step.tied) / len(step.values)) for step in steps]]


def test_error(settings: AhmedSettings, measure: str, x: Floats, y: Integers, train: Integers, test: Integers) -> float:
    """Return the error on the test rows of what was tuned on a fifth of the rows to train on, then trained on all."""
    fit, held = np.split(train, [round(0.8 * len(train))])
    options = [(c, width / x.shape[1]) for c in settings.penalties for width in settings.widths]

    def tuned(option: tuple[float, float]) -> float:
        error = _measured(measure, y[held], _says(settings, measure, option, x[fit], y[fit], x[held]))
        return -error if measure == "F1" else error

    best = min(options, key=tuned)
    return _measured(measure, y[test], _says(settings, measure, best, x[train], y[train], x[test]))


def _says(
    settings: AhmedSettings, measure: str, option: tuple[float, float], x: Floats, y: Integers, new: Floats
) -> Floats:
    """Train, and return what is said of new rows: a class, or for the logarithmic error a probability."""
    penalty, gamma = option
    if y.min() == y.max():
        return np.full(len(new), float(y[0]))
    if measure in {"logarithmic", "F1"}:
        p, own = _probabilities(settings, penalty, gamma, x, y, new)
        return p if measure == "logarithmic" else (p >= _threshold(y, own)).astype(float)
    from sklearn.svm import SVC

    rate = y.mean()
    weights = {"cost 1/4": (0.25, 0.75), "cost 3/4": (0.75, 0.25), "balanced": (0.5 / (1 - rate), 0.5 / rate)}
    model = SVC(C=penalty, gamma=gamma, class_weight=dict(enumerate(weights.get(measure, (1.0, 1.0)))))
    said: Floats = model.fit(x, y).predict(new).astype(float)
    return said


def _probabilities(
    settings: AhmedSettings, penalty: float, gamma: float, x: Floats, y: Integers, new: Floats
) -> tuple[Floats, Floats]:
    """Return what kernel logistic regression gives the positive class, in new rows and in those it was trained on."""
    from sklearn.kernel_approximation import Nystroem
    from sklearn.linear_model import LogisticRegression
    from sklearn.pipeline import make_pipeline

    kernel = Nystroem(gamma=gamma, n_components=min(settings.landmarks, len(x)), random_state=settings.seed)
    model = make_pipeline(kernel, LogisticRegression(C=penalty, max_iter=2000)).fit(x, y)
    return model.predict_proba(new)[:, 1], model.predict_proba(x)[:, 1]


def _threshold(y: Integers, p: Floats) -> float:
    """Return the probability from which on to say positive: midway below those that make the largest F1."""
    order = np.argsort(-p, kind="stable")
    below = np.append(p[order][1:], 0.0)
    scores = 2 * y[order].cumsum() / (y.sum() + np.arange(1, len(y) + 1))
    best = int(np.where(below < p[order], scores, -1).argmax())
    return float(p[order][best] + below[best]) / 2


def _measured(measure: str, y: Integers, said: Floats) -> float:
    """Return the error of what was said, of F1 the score."""
    if measure == "logarithmic":
        right = np.where(y == 1, said, 1 - said)
        return float(-np.log(right.clip(np.finfo(float).eps)).mean())
    alarms, misses = float(said[y == 0].sum()), float((1 - said[y == 1]).sum())
    positives, m = float(y.sum()), float(len(y))
    if measure == "F1":
        return 2 * (positives - misses) / max(2 * positives - misses + alarms, 1.0)
    if measure == "balanced":
        return alarms / max(m - positives, 1.0) + misses / max(positives, 1.0)
    miss, alarm = {"cost 1/4": (0.75, 0.25), "cost 3/4": (0.25, 0.75)}.get(measure, (1.0, 1.0))
    return (miss * misses + alarm * alarms) / m


# -- one law


def law_step(settings: AhmedSettings, name: str, m: int | None) -> Step:
    """Return the step that finds the expected errors on a distribution of the gallery after m samples."""
    d = gallery.load(name)
    rows = 2 * len(MEASURES) * len(METHODS)
    where = "known" if m is None else f"{m} samples"
    return Step(f"{name}, {where}", _Law(settings, d, m), rows, len(d.features), is_value)


@dataclass(frozen=True)
class _Law:
    settings: AhmedSettings
    d: JointDistribution
    m: int | None

    def __call__(self, stop: threading.Event) -> list[list[str]]:
        """Return the errors and then the differences, by measure and method."""
        trials = None
        if self.m is not None:
            cells = int(np.count_nonzero(self.d.weights))
            exact = math.comb(self.m + cells - 1, self.m) <= self.settings.tables
            trials = None if exact else self.settings.trials
        rng = np.random.default_rng(np.random.SeedSequence(self.settings.seed, spawn_key=(2, self.m or 0)))
        try:
            found = expected_errors(self.d, self.m, trials=trials, rng=rng, stop=stop)
        except KeyboardInterrupt:  # it was asked to stop, and whoever asks raises
            return []
        rows = (part[key] for part in (found.errors, found.differences) for key in _KEYS)
        return [[write_value(value) for value in row] for row in rows]


_KEYS = [(measure, method) for measure in MEASURES for method in METHODS]


def read_law(m: int | None, rows: list[list[str]], trials: int) -> ExpectedErrors:
    """Return what a step found."""
    values = [tuple(read_value(text, trials) for text in row) for row in rows]
    drawn = any(isinstance(value, MeanError) for row in values for value in row)
    parts: list[Mapping[tuple[str, str], Any]] = [
        dict(zip(_KEYS, part, strict=True)) for part in (values[: len(_KEYS)], values[len(_KEYS) :])
    ]
    return ExpectedErrors(m, trials if drawn else None, *parts)
