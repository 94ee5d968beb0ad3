"""The synthetic experiments of Beraha et al. (2019), with the true values beside the estimates.

All features of a `TailProblem` are removed one by one by `estimated_information`. Each stopping rule is then a place on
this walk. There, scikit-learn's support vector machine with its defaults is measured on new points, beside the Bayes
error of the features that are left. Scores below 0 count as 0 in the sums of ER.
"""

from __future__ import annotations

import math
import random
import statistics
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import accumulate, chain, pairwise, takewhile
from operator import itemgetter
from typing import Any, ClassVar, NamedTuple, TypeAlias

import numpy as np

from fstheory.distributions import gallery, sample
from fstheory.distributions.gallery import random as random_distribution
from fstheory.errors import InvalidValueError, require
from fstheory.lattice.columns import Floats, Integers
from fstheory.measures.information import conditional_mutual_information, estimated_information
from fstheory.papers.experiments import runner
from fstheory.papers.experiments.runner import Document, Found, Step, exact, known, mean, means, panel
from fstheory.papers.experiments.tail_problem import (
    Region,
    TailProblem,
    neighbor_elimination,
    neighbor_selection,
    tail_of_bits,
)
from fstheory.selection.stopping import CMISelection, FeatureCountRule, cmi_elimination, cmi_selection

_FIRST = 5
_REGIONS = {"squares": "sum of squares > 3(k - 2)", "sum": "sum > 3(k - 2), as printed"}


class Rule(NamedTuple):
    """A stopping rule of Section VI, as it is used on estimates: ER, FS, delta-FS or #F, and its number."""

    symbol: str
    number: float

    def __str__(self) -> str:
        return f"{self.symbol} {self.number:g}"

    def removed(self, scores: Sequence[float]) -> int:
        """Return the number of features that backward elimination removes, by the scores of a walk that removes all."""
        if self.symbol == "#F":
            return len(scores) - min(int(self.number), len(scores))
        if self.symbol == "ER":
            sums = accumulate(max(score, 0.0) for score in scores)
            return sum(1 for _ in takewhile(lambda total: total <= self.number**2 / 2, sums))
        if self.symbol == "FS":
            return sum(1 for _ in takewhile(lambda score: score <= self.number, scores))
        rises = (after - before for before, after in pairwise(scores))
        return min(1, len(scores)) + sum(1 for _ in takewhile(lambda rise: rise <= self.number, rises))


RULES = [Rule(symbol, number) for symbol, numbers in
         {"ER": (0.1, 0.5), "FS": (0.01, 0.05), "delta-FS": (0.01, 0.05), "#F": (10, 20)}.items()
         for number in numbers]  # fmt: skip


@dataclass(frozen=True, kw_only=True, repr=False)
class BerahaSettings(runner.Settings):
    """The settings of the experiments of Beraha et al. The paper prints 500 samples, 50 problems and 15 features.

    Parameters
    ----------
    regions : tuple of {'squares', 'sum'}
        The regions of class 1 in a `TailProblem`; 'sum' is the printed one.
    useful, features, samples, trials
        The first experiment: the numbers of useful features, of all features and of samples, and the problems for each
        number of useful features (the paper has 1).
    problems, few_features, deltas
        The second experiment: the number of problems, their largest number of features, and the thresholds.
    sizes, fractions, size_trials
        The third experiment: the sizes of training sets, the numbers of neighbors as fractions of them, and the
        problems for each pair of these.
    neighbors, test_points : int
        The number of neighbors in the first two experiments, and the number of points that measure the accuracy.
    distributions : int
        The number of random finite distributions on which the estimator is checked, a multiple of 50. The paper has no
        such check.

    Examples
    --------
    >>> from fstheory.papers.experiments import BerahaSettings
    >>> BerahaSettings().problems, BerahaSettings.quick().problems
    (50, 12)
    """

    regions: tuple[Region, ...] = runner.some(("squares", "sum"), runner.one_of("squares", *_REGIONS))
    useful: tuple[int, ...] = runner.some((9, 12, 15, 18, 21, 24), runner.whole(0, 3))
    features: int = runner.whole(30, 11)
    samples: int = runner.whole(500, 20)
    trials: int = runner.whole(10, 1)
    problems: int = runner.whole(50, 2)
    few_features: int = runner.whole(15, 3)
    deltas: tuple[float, ...] = runner.reals((0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.75, 1.0))
    sizes: tuple[int, ...] = runner.some((50, 100, 200, 400, 800), runner.whole(0, 20))
    fractions: tuple[float, ...] = runner.reals((0.01, 0.03, 0.1))
    size_trials: int = runner.whole(5, 1)
    neighbors: int = runner.whole(5, 1)
    distributions: int = runner.whole(1000, 50, step=50)
    test_points: int = runner.whole(1000, 10)
    seed: int = runner.whole(2019)
    _quick: ClassVar = {
        "useful": (9, 15, 21), "trials": 1, "problems": 12, "deltas": (0.05, 0.1, 0.2, 0.5, 1.0),
        "sizes": (50, 100, 200, 400), "fractions": (0.01, 0.1), "size_trials": 1, "distributions": 200,
    }  # fmt: skip

    def __post_init__(self) -> None:
        super().__post_init__()
        needed = f"at least {max(self.useful)}, the largest number of useful ones"
        require(self.features >= max(self.useful), "features", needed, self.features, "raise it")


# -- problems drawn, and the walks through their features


class Problem(NamedTuple):
    """One problem of an experiment: its source, its number of samples, its number of neighbors, and its trial."""

    experiment: str
    source: TailProblem
    samples: int
    neighbors: int
    trial: int

    def __str__(self) -> str:
        what = f"{self.source.region}, {self.source.useful} of {self.source.features} useful"
        return f"{self.experiment}: {what}, {self.samples} samples, {self.neighbors} neighbors, trial {self.trial}"


def _problems(settings: BerahaSettings, experiment: str, region: Region) -> dict[Any, list[Problem]]:
    """Return the problems of an experiment by the x of their points.

    This is the number of useful features in 'stopping', and a fraction with a size in 'estimation'. The problems of
    'robustness' are one list.
    """
    all_features, m, neighbors = settings.features, settings.samples, settings.neighbors
    if experiment == "stopping":
        sources = {k: TailProblem(k, all_features, region) for k in settings.useful}
        trials = range(settings.trials)
        return {k: [Problem(experiment, source, m, neighbors, i) for i in trials] for k, source in sources.items()}
    if experiment == "robustness":
        few = np.random.default_rng(settings.seed).integers(3, settings.few_features + 1, settings.problems).tolist()
        drawn = (TailProblem(k, settings.few_features, region) for k in few)
        return {"all": [Problem(experiment, source, m, neighbors, i) for i, source in enumerate(drawn)]}
    ten = TailProblem(10, all_features, region)
    return {
        (part, size): [
            Problem(experiment, ten, size, max(1, round(part * size)), i) for i in range(settings.size_trials)
        ]
        for part in settings.fractions
        for size in settings.sizes
    }


class Walk(NamedTuple):
    """The result of a problem. Only the first experiment makes a selection."""

    problem: Problem
    removed: list[bool]  # whether each removed feature is useful, in the order of removal
    scores: list[float]  # the estimates by which they were removed
    accuracies: list[float]  # of the support vector machine, before each removal and after the last
    added: list[bool]
    gains: list[float]

    def useful_left(self, removals: int) -> int:
        """Return the number of useful features that are left after some removals."""
        return self.problem.source.useful - sum(self.removed[:removals])


def _walk(problem: Problem, settings: BerahaSettings) -> Step:
    """Return the step that removes all features of a problem one by one. It returns the fields of a `Walk`."""

    def find() -> Any:
        source, useful = problem.source, problem.source.useful
        rng = settings.rng(useful, source.features, len(source.region), problem.samples, problem.trial)
        (x, y), (points, classes) = (source.sample(size, rng=rng) for size in (problem.samples, settings.test_points))
        left, removed, scores, accuracies = list(range(x.shape[1])), [], [], []
        for feature, score in neighbor_elimination(x, y, neighbors=problem.neighbors):
            accuracies.append(_accuracy(x[:, left], y, points[:, left], classes))
            removed.append(feature < useful)
            scores.append(score)
            left.remove(feature)
        accuracies.append(float(np.mean(classes == np.bincount(y).argmax())))
        forward = neighbor_selection(x, y, neighbors=problem.neighbors) if problem.experiment == "stopping" else []
        return [removed, scores, accuracies, [f < useful for f, _ in forward], [score for _, score in forward]]

    return Step(str(problem), find)


def _accuracy(x: Floats, y: Integers, points: Floats, classes: Integers) -> float:
    from sklearn.svm import SVC

    return float(np.mean(SVC().fit(x, y).predict(points) == classes))


# -- wine of Table I

_WINE = {0.05: 0.96, 0.1: 0.96, 0.25: 0.96, 0.5: 0.95, 1.0: 0.83}  # the accuracy that is printed, by threshold


def _wine(settings: BerahaSettings) -> list[Step]:
    """Return the steps that select in five folds. A step has the accuracy and the number of features by threshold."""

    def find(trial: int) -> Any:
        from sklearn.datasets import load_wine

        x, y = load_wine(return_X_y=True)
        found = np.zeros((len(_WINE), 2))
        for fold in np.array_split(settings.rng(7, trial).permutation(len(y)), 5):
            train = np.setdiff1d(np.arange(len(y)), fold)
            z = (x - x[train].mean(axis=0)) / x[train].std(axis=0)
            walk = neighbor_elimination(z[train], y[train], neighbors=settings.neighbors)
            for place, delta in enumerate(_WINE):
                left = [i for i, _ in walk[Rule("ER", delta).removed([score for _, score in walk]) :]]
                right = float(np.mean(y[fold] == np.bincount(y[train]).argmax()))
                if left:
                    right = _accuracy(z[train][:, left], y[train], z[fold][:, left], y[fold])
                found[place] += right * len(fold) / len(y), len(left) / 5
        return found.tolist()

    return [Step(f"wine, trial {trial}", partial(find, trial)) for trial in range(settings.trials)]


def _table_1(settings: BerahaSettings, found: Found) -> Iterator[Document]:
    """Yield the accuracies on wine, obtained and printed, and the numbers of features left."""
    trials = np.array([found(step) for step in _wine(settings)])
    hits, left = ([mean(x, trials[:, place, i].tolist()) for place, x in enumerate(_WINE)] for i in (0, 1))
    right = [point | {"printed": _WINE[point["x"]]} for point in hits]
    yield panel("wine, 178 rows, selected inside five folds", "threshold", "accuracy", {"SVM": right}, row=0)
    yield panel("features left of 13", "threshold", "features", {"ER": left}, row=0)


# -- how far the estimates are from the information

_CHUNK = 50  # distributions between two looks at the journal
_FINITE = (50, 200, 1000)  # samples
_GIVEN = (0, 1, 2, 4, 8, 13)
_USEFUL, _TRIALS = 14, 6


def _finite(settings: BerahaSettings, size: int) -> list[Step]:
    """Return the steps that draw fifty distributions of two features each.

    A step returns for each of them the true conditional information, and its estimates by neighbors and by the
    empirical distribution of a sample.
    """

    def row(number: int) -> list[float | None]:
        rng = random.Random(f"{settings.seed} {number}")
        d = random_distribution((rng.randint(2, 3), rng.randint(2, 3)), rng.randint(2, 3), rng=rng)
        s = sample(d, size, rng=np.random.default_rng([settings.seed, number, size]))
        codes = np.repeat(s.codes, s.counts, axis=0)
        plug_in, true = (float(conditional_mutual_information(of, {"X1"}, given={"X2"})) for of in (s, d))
        try:
            return [true, estimated_information(codes[:, 0], codes[:, -1], codes[:, 1]), plug_in]
        except InvalidValueError:  # a class has a single sample
            return [true, None, plug_in]

    def chunk(first: int) -> list[list[float | None]]:
        return [row(number) for number in range(first, first + _CHUNK)]

    firsts = range(0, settings.distributions, _CHUNK)
    return [Step(f"finite: {size} samples, distributions from {first}", partial(chunk, first)) for first in firsts]


def _given(settings: BerahaSettings, region: Region) -> list[Step]:
    """Return the steps that estimate the information of a useful and of a useless feature given 0 to 13 others."""

    def trial(number: int) -> list[list[float]]:
        rng = np.random.default_rng([settings.seed, number, len(region)])
        x, y = TailProblem(_USEFUL, _USEFUL + 1, region).sample(settings.samples, rng=rng)
        k = settings.neighbors
        return [
            [estimated_information(x[:, i], y, x[:, :n], neighbors=k) for i in (_USEFUL - 1, _USEFUL)] for n in _GIVEN
        ]

    name = f"given: {region}, {settings.samples} samples, trial"
    return [Step(f"{name} {number}", partial(trial, number)) for number in range(_TRIALS)]


def _estimates(settings: BerahaSettings, found: Found) -> Iterator[Document]:
    """Yield the panels about the estimator itself."""
    rows = {size: list(chain.from_iterable(map(found, _finite(settings, size)))) for size in _FINITE}
    errors = {
        name: {size: [row[i] - row[0] for row in some if row[i] is not None] for size, some in rows.items()}
        for i, name in enumerate(("nearest neighbors", "empirical distribution"), start=1)
    }
    title = f"{settings.distributions} finite distributions"
    bias = {name: means(by_size, float) for name, by_size in errors.items()}
    spread = {
        name: [mean(size, [statistics.stdev(values)]) for size, values in by_size.items()]
        for name, by_size in errors.items()
    }
    yield panel(f"{title}, bias", "samples m", "mean of estimate - truth, nats", bias, row=0)
    yield panel(f"{title}, spread", "samples m", "standard deviation of it", spread, row=0)
    for region in settings.regions:
        tail = TailProblem(_USEFUL, _USEFUL + 1, region)
        given = dict(zip(_GIVEN, zip(*map(found, _given(settings, region)), strict=True), strict=True))
        series = {
            "truth, a useful feature": [known(n, tail.information(n + 1) - tail.information(n)) for n in _GIVEN],
            "estimate, a useful feature": means(given, itemgetter(0)),
            "estimate, a useless feature": means(given, itemgetter(1)),
        }
        title = f"{_REGIONS[region]}, k = {_USEFUL}, m = {settings.samples}"
        yield panel(title, "useful features given", "I(Y; X | given), nats", series, row=1)


# -- figures

Walks: TypeAlias = Callable[[str, Region], dict[Any, list[Walk]]]


def _error(walk: Walk, removals: int) -> float:
    return walk.problem.source.bayes_error(walk.useful_left(removals))


def _share_of_others(walk: Walk, removals: int) -> float:
    others = walk.problem.source.features - walk.problem.source.useful
    return (len(walk.scores) - removals - walk.useful_left(removals)) / others


_MEASURES: dict[str, Callable[[Walk, int], float]] = {
    "accuracy of the SVM": lambda walk, removals: walk.accuracies[removals],
    "accuracy possible": lambda walk, removals: 1 - _error(walk, removals),
    "fraction of features selected": lambda walk, removals: 1 - removals / len(walk.scores),
    "fraction of the useful ones selected": lambda walk, t: walk.useful_left(t) / walk.problem.source.useful,
    "fraction of the others selected": _share_of_others,
}


def _ruled(name: str, rule: Rule | None, walk: Walk) -> float:
    """Return a measure at the place where a rule stops a walk. Without a rule, return it for all features."""
    return _MEASURES[name](walk, rule.removed(walk.scores) if rule else 0)


def _stopping(settings: BerahaSettings, walks: Walks) -> Iterator[Document]:
    """Yield the accuracies by rule, the best possible ones, and the share of useful features among the first moved."""
    drawn = {region: walks("stopping", region) for region in settings.regions}
    for name, y in {"accuracy of the SVM": "", "accuracy possible": " with what is left"}.items():
        for region, by_k in drawn.items():
            series = {str(rule): means(by_k, partial(_ruled, name, rule)) for rule in RULES}
            series["all features"] = means(by_k, partial(_ruled, name, None))
            yield panel(f"{_REGIONS[region]}: {name}{y}", "useful features k", f"{name}{y}", series, row=name)
    for region, by_k in drawn.items():
        series = {
            f"first {_FIRST} removed": means(by_k, lambda walk: statistics.fmean(walk.removed[:_FIRST])),
            f"first {_FIRST} added": means(by_k, lambda walk: statistics.fmean(walk.added[:_FIRST])),
            "in a random order": [known(k, k / settings.features) for k in by_k],
        }
        title = f"{_REGIONS[region]}: first moved"
        yield panel(title, "useful features k", "share of useful features", series, row="moved")


def _robustness(settings: BerahaSettings, walks: Walks) -> Iterator[Document]:
    for region in settings.regions:
        some = walks("robustness", region)["all"]
        rules = {x: Rule("ER", x) for x in settings.deltas}
        series = {
            name: [mean(x, [_ruled(name, rule, walk) for walk in some]) for x, rule in rules.items()]
            for name in list(_MEASURES)[:4]
        }
        series["fraction of problems with error <= epsilon + delta"] = [
            mean(x, [float(_error(walk, rule.removed(walk.scores)) <= _error(walk, 0) + x) for walk in some])
            for x, rule in rules.items()
        ]
        least = statistics.fmean(_error(walk, 0) for walk in some)
        series["1 - epsilon - delta, as promised"] = [known(x, 1 - least - x) for x in settings.deltas]
        yield panel(_REGIONS[region], "delta", "", series, row=0)


def _estimation(settings: BerahaSettings, walks: Walks) -> Iterator[Document]:
    for name in ("accuracy of the SVM", "fraction of the useful ones selected", "fraction of the others selected"):
        for region in settings.regions:
            drawn = walks("estimation", region)
            by_part = {part: {m: drawn[part, m] for m in settings.sizes} for part in settings.fractions}
            series = {
                f"{part:g} m neighbors": means(by_m, partial(_ruled, name, RULES[0])) for part, by_m in by_part.items()
            }
            if name == "accuracy of the SVM":
                series["all features"] = means(by_part[settings.fractions[0]], partial(_ruled, name, None))
            yield panel(f"{_REGIONS[region]}: {name}", "samples m", name, series, row=name)


def _bounds(settings: BerahaSettings, walks: Walks) -> Iterator[Document]:
    """Yield errors and their bounds along elimination and selection, for the median number of useful features."""
    k = sorted(settings.useful)[len(settings.useful) // 2]
    for direction in ("elimination", "selection"):
        for region in settings.regions:
            table = np.array([list(_bounds_along(w, direction)) for w in walks("stopping", region)[k]]).mean(axis=0)
            xs = range(len(table) - 1, -1, -1) if direction == "elimination" else range(len(table))
            names = ("error", "sharp bound", "bound", "bound as estimated")
            series = {
                name: [mean(x, [row[i]]) for x, row in zip(xs, table, strict=True)] for i, name in enumerate(names)
            }
            yield panel(f"{_REGIONS[region]}, k = {k}, {direction}", "features selected", "", series, row=direction)


def _bounds_along(walk: Walk, direction: str) -> Iterator[tuple[float, ...]]:
    """Yield the error and three bounds of it before the first step and after each step.

    The first two bounds use the true information, and the last one uses the estimates.
    """
    problem, backward = walk.problem.source, direction == "elimination"
    flags, scores = (walk.removed, walk.scores) if backward else (walk.added, walk.gains)
    least, everything = problem.bayes_error(problem.useful), problem.information(problem.useful)
    sums = list(accumulate((max(score, 0.0) for score in scores), initial=0.0))
    for moved, total in zip(accumulate(map(int, flags), initial=0), sums, strict=True):
        chosen = problem.useful - moved if backward else moved
        lost = max(everything - problem.information(chosen), 0.0)
        guessed = total if backward else sums[-1] - total
        yield problem.bayes_error(chosen), *(least + math.sqrt(nu) for nu in (lost / 2, 2 * lost, 2 * guessed))


def _exactly(*_: Any) -> Iterator[Document]:
    """Yield the exact risks and bounds along the walks on some finite distributions."""
    bits, every = tail_of_bits(8, 5, 3), FeatureCountRule(0)
    yield _exact_panel("8 bits, class 1: over 3 ones in 5 of them; elimination", cmi_elimination(bits, every), 0)
    yield _exact_panel("the same; selection", cmi_selection(bits, FeatureCountRule(8)), 0)
    for name in ("corral", "titanic"):
        yield _exact_panel(f"{name}; elimination", cmi_elimination(gallery.load(name), every), 1)


def _exact_panel(title: str, walk: CMISelection, row: int) -> Document:
    forward, model, n = walk.direction == "forward", walk.model, len(walk.trace)
    lost = walk.information if forward else walk.information - walk.information
    begun = model.error.at(0 if forward else 2**n - 1)
    sharp = [model.bound(lost, sharp=True), *(step.sharp_bound for step in walk.trace)]
    bounds = {"sharp bound": sharp, "bound": [model.bound(lost), *(step.bound for step in walk.trace)]}
    sizes = range(n + 1) if forward else range(n, -1, -1)
    series = {name: map(known, sizes, map(float, values)) for name, values in bounds.items()}
    series = {"error": map(exact, sizes, [begun, *(step.error for step in walk.trace)]), **series}
    return panel(title, "features selected", "", series, row=row)


_FIGURES: dict[int, tuple[str, str, Any]] = {
    1: ("Figure 1 of Beraha et al., obtained: stopping rules", "stopping", _stopping),
    2: ("Figure 2 of Beraha et al., obtained: the threshold", "robustness", _robustness),
    3: ("Figure 3 of Beraha et al., obtained: samples and neighbors", "estimation", _estimation),
    4: ("The bound and the error along the walks", "stopping", _bounds),
    5: ("The same on finite distributions, exactly", "", _exactly),
    6: ("The estimates of conditional information", "", None),
    7: ("Table I of Beraha et al., obtained and printed: wine", "", None),
}
"""For each figure: its title, the experiment whose walks it needs, or "", and the function that yields its panels."""


def _steps(settings: BerahaSettings, figures: Sequence[int]) -> Iterator[Step]:
    """Yield the walks trial by trial, so that an interrupted run has a part of every experiment."""
    if 6 in figures:
        yield from chain.from_iterable(_finite(settings, size) for size in _FINITE)
        yield from chain.from_iterable(_given(settings, region) for region in settings.regions)
    if 7 in figures:
        yield from _wine(settings)
    asked = dict.fromkeys(_FIGURES[number][1] for number in figures if _FIGURES[number][1])
    drawn = (_problems(settings, name, region).values() for name in asked for region in settings.regions)
    problems = chain.from_iterable(chain.from_iterable(drawn))
    yield from (_walk(problem, settings) for problem in sorted(problems, key=lambda problem: problem.trial))


def _panels(settings: BerahaSettings, figure: int, found: Found) -> Iterator[Document]:
    if figure in (6, 7):
        return (_estimates if figure == 6 else _table_1)(settings, found)

    def walks(experiment: str, region: Region) -> dict[Any, list[Walk]]:
        problems = _problems(settings, experiment, region)
        return {
            x: [Walk(problem, *found(_walk(problem, settings))) for problem in some] for x, some in problems.items()
        }

    panels: Iterator[Document] = _FIGURES[figure][2](settings, walks)
    return panels


PLAN = runner.Plan(
    "Beraha et al. (2019)",
    {number: title for number, (title, *_) in _FIGURES.items()},
    BerahaSettings,
    ("seed", "test_points"),
    _steps,
    _panels,
    lambda _: {"sklearn": "learn"},
)
