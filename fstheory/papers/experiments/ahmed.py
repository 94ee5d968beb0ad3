"""Figures 1 to 4 of Ahmed et al. (2015) on data at hand, and the same curves where the distribution is known.

On data, features are chosen by `select`, `mrmr` and `fisher_scores` on a `Sample` of three bins, with mu and sigma of
the rows to train on; the learners see the numbers themselves, standardized: an SVM with an RBF kernel, weighted for
costs and for the balanced error; logistic regression on kernel values for the logarithmic error, and with a threshold
for F1; C and gamma by a fifth of the rows to train on. On distributions: `expected_errors`. Figure 5, with up to 75 of
5000 features, is not run again.
"""

from __future__ import annotations

import itertools
import math
import statistics
import threading
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Literal, NamedTuple

import numpy as np

from fstheory._support.exact import as_index
from fstheory.distributions import Sample, gallery
from fstheory.errors import InvalidTypeError, explain
from fstheory.papers.experiments import runner
from fstheory.papers.experiments.ahmed_exact import COSTS, MEASURES, METHODS, MeanError, expected_errors, rank_features
from fstheory.papers.experiments.runner import Document, Floats, Found, Integers, Step, exact, mean, panel
from fstheory.papers.experiments.sebban_nock import waveforms
from fstheory.selection.greedy import select


class Panel(NamedTuple):
    """What is shown together: a measure and a data set."""

    measure: str
    data: str


DATA = ("breast cancer", "wine", "iris", "digits", "waveform")
_SETUPS = {
    1: [Panel("0-1", data) for data in DATA],
    2: [Panel(cost, data) for data in ("breast cancer", "waveform") for cost in ("cost 1/4", "cost 3/4")],
    3: [Panel("logarithmic", data) for data in DATA],
    4: [Panel("balanced", "digits"), Panel("F1", "digits"), Panel("balanced", "waveform")],
}
_AXES = {
    "0-1": "0-1 error", "cost 1/4": "cost, c = 1/4", "cost 3/4": "cost, c = 3/4", "logarithmic": "log error (nats)",
    "balanced": "balanced error", "F1": "F1 (more is better)",
}  # fmt: skip


def _is_law(law: Any, name: str) -> None:
    if not isinstance(law, tuple) or len(law) != 2:
        raise InvalidTypeError(explain(name, "pairs", law, "pass (('titanic', 3),), say"))
    gallery.describe(law[0])
    as_index(law[1], name, at_least=1)


@dataclass(frozen=True, kw_only=True, repr=False)
class AhmedSettings(runner.Settings):
    """What the experiment of Ahmed et al. is run with; the paper prints the splits, the 30% and the 20%.

    Parameters
    ----------
    data : tuple of str
        Which of 'breast cancer', 'wine', 'iris', 'digits', 'waveform'; none for the laws alone.
    splits : int
        Into 70% to train on, of which 20% are held out to tune, and 30% to test.
    features : int
        The largest number of features chosen.
    penalties, widths : tuples of float
        The C of the learners, and the gamma of the kernel times the number of features, to choose from.
    landmarks, waveform : int
        Points that the logistic regression takes kernel values with; rows that are drawn.
    ties : {'first', 'drawn'}
        Which of several features that are as good is chosen: the first column, or by an order drawn for each split.
    laws : tuple of pairs (name in the gallery, number of samples)
        Where the expected errors are asked for.
    tables, trials : int
        Up to so many tables of counts a law is exact; beyond it is estimated.

    Examples
    --------
    >>> from fstheory.papers.experiments import AhmedSettings
    >>> AhmedSettings().splits, AhmedSettings.quick().splits
    (5, 2)
    """

    data: tuple[str, ...] = runner.some(DATA, runner.one_of("", *DATA), least=0)
    splits: int = runner.whole(5, 2)
    features: int = runner.whole(10, 1)
    penalties: tuple[float, ...] = runner.reals((0.1, 1.0, 10.0, 100.0))
    widths: tuple[float, ...] = runner.reals((0.1, 1.0, 10.0))
    landmarks: int = runner.whole(100, 1)
    waveform: int = runner.whole(1000, 50)
    ties: Literal["first", "drawn"] = runner.one_of("first", "first", "drawn")
    laws: tuple[tuple[str, int], ...] = runner.some(
        (("ahmed-example-1", 5), ("correlated-xor", 5), ("cover", 3), ("led-parity", 50), ("asia", 50)),
        runner.checked(None, _is_law),
    )
    tables: int = runner.whole(10_000, 1)
    trials: int = runner.whole(400, 2)
    seed: int = runner.whole(2015)
    _quick: ClassVar = {
        "splits": 2, "features": 5, "penalties": (1.0, 10.0), "widths": (0.1, 1.0), "landmarks": 40, "waveform": 300,
        "laws": (("ahmed-example-1", 3), ("correlated-xor", 3), ("asia", 30)), "trials": 40,
    }  # fmt: skip

    def sizes(self, data: str) -> range:
        """Return the numbers of features that are chosen on some data."""
        return range(1, min(self.features, {"iris": 4, "wine": 13}.get(data, 30)) + 1)


# -- data


def load(data: str, settings: AhmedSettings) -> tuple[Floats, Integers]:
    """Return the features and which rows are positive."""
    if data == "waveform":
        rng = settings.rng(
            0,
        )
        x, kind = waveforms(rng, settings.waveform, (11, 15, 7), 19)
        return x, (kind == 0).astype(np.int64)
    from sklearn import datasets

    x, y = getattr(datasets, f"load_{data.replace(' ', '_')}")(return_X_y=True)
    if data == "digits":
        return (x >= 8).astype(float), (y == 8).astype(np.int64)
    return x, (y == (0 if data == "breast cancer" else 1)).astype(np.int64)


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


# -- learning


def tuned_error(
    settings: AhmedSettings, measure: str, x: Floats, y: Integers, train: Integers, test: Integers
) -> float:
    """Return the error on the test rows of what was tuned on a fifth of the rows to train on, then trained on all."""
    fit, held = np.split(train, [round(0.8 * len(train))])
    options = [(c, width / x.shape[1]) for c in settings.penalties for width in settings.widths]

    def tuned(option: tuple[float, float]) -> float:
        error = _measured(measure, y[held], _predicted(settings, measure, option, x[fit], y[fit], x[held]))
        return -error if measure == "F1" else error

    best = min(options, key=tuned)
    return _measured(measure, y[test], _predicted(settings, measure, best, x[train], y[train], x[test]))


def _predicted(
    settings: AhmedSettings, measure: str, option: tuple[float, float], x: Floats, y: Integers, new: Floats
) -> Floats:
    """Train, and predict new rows: a class, or for the logarithmic error a probability."""
    penalty, gamma = option
    if y.min() == y.max():
        return np.full(len(new), float(y[0]))
    if measure in {"logarithmic", "F1"}:
        p, own = _probabilities(settings, penalty, gamma, x, y, new)
        return p if measure == "logarithmic" else (p >= _threshold(y, own)).astype(float)
    from sklearn.svm import SVC

    rate, (miss, alarm) = y.mean(), COSTS.get(measure, (4, 4))
    weights = (0.5 / (1 - rate), 0.5 / rate) if measure == "balanced" else (alarm / 4, miss / 4)
    model = SVC(C=penalty, gamma=gamma, class_weight=dict(enumerate(weights)))
    predicted: Floats = model.fit(x, y).predict(new).astype(float)
    return predicted


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


def _measured(measure: str, y: Integers, predicted: Floats) -> float:
    """Return the error of predictions, of F1 the score."""
    if measure == "logarithmic":
        right = np.where(y == 1, predicted, 1 - predicted)
        return float(-np.log(right.clip(np.finfo(float).eps)).mean())
    alarms, misses = float(predicted[y == 0].sum()), float((1 - predicted[y == 1]).sum())
    positives, m = float(y.sum()), float(len(y))
    if measure == "F1":
        return 2 * (positives - misses) / max(2 * positives - misses + alarms, 1.0)
    if measure == "balanced":
        return alarms / max(m - positives, 1.0) + misses / max(positives, 1.0)
    miss, alarm = COSTS.get(measure, (4, 4))
    return (miss * misses + alarm * alarms) / 4 / m


# -- steps


def _split(settings: AhmedSettings, shown: Panel, number: int) -> Step:
    """Return the step that selects by all methods, then learns over each subset once.

    It finds a row of test errors for each method, and one with the share of the candidates that tied for the best in
    each step of BayesGreedy.
    """
    measure, data = shown

    def find(stop: threading.Event) -> list[list[float]]:
        x, y = load(data, settings)
        rng = settings.rng(1, DATA.index(data), number)
        rows = rng.permutation(len(y))
        train, test = np.split(rows, [round(0.7 * len(y))])
        names = [f"X{j}" for j in range(1, x.shape[1] + 1)]
        order = names if settings.ties == "first" else rng.permutation(names).tolist()
        table = np.column_stack([three_bins(x, train), y])[train]
        s, sizes = Sample(table.tolist(), features=names, target="Y"), settings.sizes(data)
        chosen = rank_features(s, sizes[-1], [measure], order)
        spread = x[train].std(axis=0)
        scaled = (x - x[train].mean(axis=0)) / np.where(spread > 0, spread, 1.0)
        errors: dict[frozenset[int], float] = {}
        found = []
        for method in METHODS:
            columns = [names.index(name) for name in chosen[measure, method]]
            subsets = [frozenset(columns[:k]) for k in sizes]
            for subset in subsets:
                if stop.is_set():
                    return []
                if subset not in errors:
                    errors[subset] = tuned_error(settings, measure, scaled[:, sorted(subset)], y, train, test)
            found.append([errors[subset] for subset in subsets])
        trace = select(s, sizes[-1], MEASURES[measure].by, order=order).trace
        return [*found, [len(step.tied) / len(step.values) for step in trace]]

    return Step(f"{data}, {measure}, split {number}", find)


def _law(settings: AhmedSettings, name: str, m: int) -> Step:
    """Return the step that finds the points of the expected errors on a distribution, by measure and method."""

    def find(stop: threading.Event) -> Any:
        d = gallery.load(name)
        few = math.comb(m + int(np.count_nonzero(d.weights)) - 1, m) <= settings.tables
        rng = settings.rng(2, m)
        errors = expected_errors(d, m, trials=None if few else settings.trials, rng=rng, stop=stop).errors
        return {", ".join(key): list(map(_point, itertools.count(1), found)) for key, found in errors.items()}

    return Step(f"{name}, {m} samples", find)


def _point(k: int, error: Any) -> Document:
    if isinstance(error, MeanError):
        return {"x": k, "mean": round(error.mean, 6), "standard_error": round(error.standard_error, 6)}
    return exact(k, error)


def _steps(settings: AhmedSettings, figures: Sequence[int]) -> Iterator[Step]:
    yield from (_law(settings, *law) for law in settings.laws)
    for shown in itertools.chain.from_iterable(_SETUPS[number] for number in figures):
        if shown.data in settings.data:
            yield from (_split(settings, shown, number) for number in range(settings.splits))


def _panels(settings: AhmedSettings, figure: int, found: Found) -> Iterator[Document]:
    """Yield errors and, less the favorite's, on data; then those on distributions, a row for each measure."""
    for measure, data in _SETUPS[figure]:
        if data not in settings.data:
            continue
        splits = [found(_split(settings, Panel(measure, data), number)) for number in range(settings.splits)]
        columns = np.array(splits).transpose(1, 2, 0).tolist()  # of each method, and for each k, the splits
        favorite = METHODS.index(MEASURES[measure].favorite)
        less = (np.array(columns[favorite]) - np.array(columns)).tolist()
        title, y, sizes = f"{data}, {measure}, {settings.splits} splits", _AXES[measure], settings.sizes(data)
        curves = {method: map(mean, sizes, columns[i]) for i, method in enumerate(METHODS)}
        gaps = {method: map(mean, sizes, less[i]) for i, method in enumerate(METHODS) if i != favorite}
        tied = {
            "as good as the best": [
                mean(k, [statistics.fmean(shares)]) for k, shares in zip(sizes, columns[-1], strict=True)
            ]
        }
        yield panel(title, "features", y, curves, row="data")
        yield panel(f"{METHODS[favorite]} less the others, {title}", "features", y, gaps)
        yield panel(f"ties of BayesGreedy, {title}", "features", "share of the candidates", tied)
    for measure in dict.fromkeys(shown.measure for shown in _SETUPS[figure]):
        for name, m in settings.laws:
            points = found(_law(settings, name, m))
            lines = {method: points[f"{measure}, {method}"] for method in METHODS}
            drawn = "standard_error" in lines[METHODS[0]][0]
            title = f"{name}, {measure}, m = {m}" + (f", {settings.trials} trials" if drawn else "")
            yield panel(title, "features", _AXES[measure], lines, row=measure)


PLAN = runner.Plan(
    "Ahmed et al. (2015)",
    {number: f"Figure {number} of Ahmed et al. (2015), obtained" for number in _SETUPS},
    AhmedSettings,
    ("penalties", "widths", "features", "landmarks", "waveform", "ties", "tables", "trials", "seed"),
    _steps,
    _panels,
    lambda settings: bool(settings.data),
    METHODS,
)
