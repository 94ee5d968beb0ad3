"""The experiment of Ahmed et al.: expected errors by their definition, where orderings fail, and the runs on data."""

from __future__ import annotations

import functools
import itertools
import math
import threading
from collections import defaultdict
from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

import fstheory as fs
from fstheory.errors import InvalidValueError, TooLargeError
from fstheory.numbers import log
from fstheory.papers.experiments import AhmedSettings, expected_errors
from fstheory.papers.experiments.ahmed import DATA, Panel, _measured, _split, _threshold, load, three_bins, tuned_error
from fstheory.papers.experiments.ahmed_exact import MEASURES, METHODS, MeanError, rank_features
from tests.papers.experiments.runs import SMALL, small
from tests.refusals import refusals

ORDERS = (("X1", "X2"), ("X2", "X1"))
OR = fs.JointDistribution([[[2, 0], [0, 1]], [[0, 1], [0, 0]]])
SKEWED = fs.JointDistribution([[[3, 1], [1, 2]], [[0, 2], [1, 0]]])
CORNER: Any = SMALL["ahmed-2015"]


# -- expected errors


def samples(d: fs.JointDistribution, m: int) -> Iterator[tuple[Fraction, tuple[tuple[int, int, int], ...]]]:
    """Yield every sequence of m samples with its probability."""
    cells = [(Fraction(int(w), d.total), at) for at, w in np.ndenumerate(d.weights) if w]
    for drawn in itertools.product(cells, repeat=m):
        yield math.prod((p for p, _ in drawn), start=Fraction(1)), tuple(at for _, at in drawn)


def literal_error(d: fs.JointDistribution, rows: Sequence[Sequence[int]], subset: frozenset[str], measure: str) -> Any:
    """Return the error under d of what is learned from rows over a subset, by its definition."""
    at = [d.features.index(name) for name in sorted(subset)]
    seen = [(tuple(row[i] for i in at), row[-1]) for row in rows]
    states = sorted({tuple(x[i] for i in at) for x, _ in np.ndenumerate(d.weights)})
    ones = sum(y for _, y in seen)
    n = {(s, y): sum(pair == (s, y) for pair in seen) for s in states for y in (0, 1)}
    p = dict.fromkeys(n, Fraction(0))
    for x, w in np.ndenumerate(d.weights):
        p[tuple(x[i] for i in at), x[-1]] += Fraction(int(w), d.total)
    if measure == "logarithmic":
        return sum((-p[s, y] * log(Fraction(n[s, y] + 1, n[s, 0] + n[s, 1] + 2)) for s, y in p), 0 * log(2))
    classifiers = [dict(zip(states, said, strict=True)) for said in itertools.product((0, 1), repeat=len(states))]

    def loss(g: dict[Any, int], weight: dict[Any, Any]) -> Fraction:
        alarms = sum((Fraction(weight[s, 0]) for s in states if g[s]), Fraction(0))
        misses = sum((Fraction(weight[s, 1]) for s in states if not g[s]), Fraction(0))
        total = {y: sum((Fraction(weight[s, y]) for s in states), Fraction(0)) for y in (0, 1)}
        if measure == "F1":
            hits = total[1] - misses
            return -2 * hits / (2 * hits + alarms + misses) if hits else Fraction(0)
        if measure == "balanced" and total[0] and total[1]:
            return alarms / total[0] + misses / total[1]
        cost = {"cost 1/4": Fraction(1, 4), "cost 3/4": Fraction(3, 4)}.get(measure)
        return alarms + misses if cost is None else cost * alarms + (1 - cost) * misses

    least = min(loss(g, n) for g in classifiers)
    best = [g for g in classifiers if loss(g, n) == least]
    fewest = min(best, key=lambda g: sum(g.values()))  # 0 where both are as good, and where no sample is
    assert measure == "F1" or ones == 0 or all(fewest[s] <= g[s] for g in best for s in states)
    found = loss(fewest, p)
    return -found if measure == "F1" else found


def test_the_expected_errors_are_those_of_the_definition() -> None:
    """Over all sequences of samples, for every measure and method."""
    known = functools.cache(literal_error)
    for d, m in ((SKEWED, 2), (OR, 3)):
        found = expected_errors(d, m)
        sums: dict[tuple[str, str, int], Any] = {}
        chances: dict[tuple[tuple[int, int, int], ...], Fraction] = defaultdict(Fraction)
        for p, rows in samples(d, m):
            chances[tuple(sorted(rows))] += p
        for rows, p in chances.items():
            counts = np.zeros((2, 2, 2), dtype=int)
            for row in rows:
                counts[row] += 1
            chosen = rank_features(fs.JointDistribution(counts), 2)
            for (measure, method), names in chosen.items():
                for k in (1, 2):
                    error = p * known(d, rows, frozenset(names[:k]), measure)
                    key = (measure, method, k)
                    sums[key] = sums[key] + error if key in sums else error
        for (measure, method, k), value in sums.items():
            assert found.errors[measure, method][k - 1] == value, (measure, method, k)


@pytest.mark.parametrize("method", ["BayesGreedy", "MIScore", "mRMR"])
def test_of_the_zero_one_loss_they_are_those_of_the_law(method: str) -> None:
    ways: dict[str, Any] = {
        "BayesGreedy": fs.select,
        "MIScore": lambda e, k: fs.select(e, k, "logarithmic", "score"),
        "mRMR": fs.selection.mrmr,
    }
    d = fs.JointDistribution([[[5, 1], [2, 3]], [[1, 2], [0, 6]]])
    found = expected_errors(d, 3, ["0-1"])
    for k in (1, 2):
        law = fs.selection_law(d, 3, fs.PlugIn(select=functools.partial(_swapped, ways[method], k), name=method))
        assert found.errors["0-1", method][k - 1] == law.expected_risk


def _swapped(way: Any, k: int, d: fs.JointDistribution) -> Any:
    return way(d, k)


def test_what_is_drawn_is_near_what_is_exact() -> None:
    """Within five standard errors, the differences too."""
    exact = expected_errors(SKEWED, 3, ["logarithmic", "F1"])
    drawn = expected_errors(SKEWED, 3, ["logarithmic", "F1"], trials=200, rng=1)
    for one, other in ((exact.errors, drawn.errors), (exact.differences, drawn.differences)):
        for key, values in one.items():
            for value, estimate in zip(values, other[key], strict=True):
                assert isinstance(estimate, MeanError)
                assert abs(float(value) - estimate.mean) <= 5 * estimate.standard_error, key


def test_the_methods_rank_as_they_are_defined() -> None:
    d = fs.JointDistribution(fs.gallery.load("monks-2").weights)
    found = rank_features(d, 6)
    assert found["balanced", "BayesGreedy"] == fs.select(d, 6, "balanced").features
    assert found["F1", "BayesScore"] == fs.select(d, 6, "f_measure", "score").features
    assert found["logarithmic", "BayesGreedy"] == fs.select(d, 6, "zero_one").features
    assert found["0-1", "MIGreedy"] == found["F1", "MIGreedy"] == fs.select(d, 6, "logarithmic").features
    assert found["0-1", "F-score"][0] == next(iter(fs.selection.fisher_scores(d)))
    backwards = d.features[::-1]
    assert rank_features(d, 6, ["0-1"], backwards)["0-1", "mRMR"] == fs.selection.mrmr(d, 6, order=backwards).features
    copies = fs.gallery.copies()
    assert {names[0] for names in rank_features(copies, 1, order=("X2", "X1")).values()} == {"X2"}
    assert {names[0] for names in rank_features(copies, 1).values()} == {"X1"}


# -- where the orderings fail


def test_on_the_example_of_the_paper_three_samples_turn_the_order() -> None:
    """Whichever feature ties go to; with six samples it is as printed again."""
    d = fs.gallery.ahmed_example_1()
    for order in ORDERS:
        found = expected_errors(d, 3, ["0-1"], order=order)
        assert found.differences["0-1", "MIGreedy"][0] > 0
        assert found.errors["0-1", "MIGreedy"] == found.errors["0-1", "mRMR"] == found.errors["0-1", "F-score"]
    assert expected_errors(d, None, ["0-1"]).differences["0-1", "MIGreedy"][0] == Fraction(-1, 20)


def test_the_smallest_distribution_on_which_the_filter_of_the_loss_loses() -> None:
    """Four people, the or of two bits, four samples; five people and three samples; with two samples it never does."""
    for order in ORDERS:
        found = expected_errors(OR, 4, ["0-1"], order=order)
        assert found.differences["0-1", "MIGreedy"][0] == Fraction(3, 128)
        five = fs.JointDistribution([[[2, 1], [0, 1]], [[0, 1], [0, 0]]])
        assert expected_errors(five, 3, ["0-1"], order=order).differences["0-1", "MIGreedy"][0] == Fraction(12, 625)
    for counts in tables(2):
        for order in ORDERS:
            chosen = rank_features(fs.JointDistribution(counts), 1, ["0-1"], order)
            assert len({chosen["0-1", method] for method in ("BayesGreedy", "MIGreedy", "mRMR")}) == 1


def tables(m: int) -> list[np.ndarray]:
    """Return all tables of m samples of two bits and a class."""
    drawn = itertools.combinations_with_replacement(range(8), m)
    return [np.bincount(cells, minlength=8).reshape(2, 2, 2) for cells in drawn]


def test_scores_can_do_better_than_greedy_search_with_three_features() -> None:
    """A-Xt: nine people, whichever of the features that tie are taken; with two features it is never so (A-Xs)."""
    weights = np.zeros(32, dtype=int)
    weights[[1, 11, 17, 18, 21, 24]] = 2, 1, 1, 2, 1, 2
    d = fs.JointDistribution(weights.reshape(2, 2, 2, 2, 2))
    for order in (d.features, d.features[::-1]):
        found = expected_errors(d, None, ["0-1"], order=order)
        assert found.errors["0-1", "BayesGreedy"][2] == Fraction(1, 9)
        assert found.errors["0-1", "BayesScore"][2] == 0


@pytest.mark.parametrize("key", ["A-Xk", "A-Xl"])
def test_the_pairs_of_the_smallest_certificates(key: str) -> None:
    """The distribution of the certificate, with the searches of the library: the favorite loses for every tie."""
    (evidence,) = (e for e in fs.claims[key].evidence if e.certificate)
    d = fs.JointDistribution(np.array(evidence.load()["weights"]))
    measure, rival = ("0-1", "MIGreedy") if key == "A-Xk" else ("logarithmic", "BayesGreedy")
    for order in itertools.permutations(d.features):
        assert expected_errors(d, None, [measure], order=order).differences[measure, rival][1] > 0


@pytest.mark.thorough
@pytest.mark.parametrize(("m", "total"), [(3, 5), (4, 4)])
def test_none_is_smaller(m: int, total: int) -> None:
    """Of all distributions of two bits and a class with a smaller total, in none does it lose for both orders."""
    drawn = tables(m)
    ways = [math.factorial(m) // math.prod(map(math.factorial, t.ravel().tolist())) for t in drawn]
    chosen = [[rank_features(fs.JointDistribution(t), 1, ["0-1"], order) for t in drawn] for order in ORDERS]
    for smaller in range(1, total):
        for weights in tables(smaller):
            gaps = []
            for by_table in chosen:
                gap = 0
                for t, way, names in zip(drawn, ways, by_table, strict=True):
                    one, other = (names["0-1", method][0] for method in ("BayesGreedy", "MIGreedy"))
                    if one != other and (chance := way * int(np.prod(weights.astype(object) ** t))):
                        gap += chance * (wrong(weights, t, one) - wrong(weights, t, other))
                gaps.append(gap)
            assert min(gaps) <= 0, weights


def wrong(weights: np.ndarray, counts: np.ndarray, name: str) -> int:
    """Return the weight on which the majority table over one feature is wrong."""
    axis = 1 if name == "X1" else 0
    seen, true = counts.sum(axis=axis), weights.sum(axis=axis)
    return int(np.where(seen[:, 1] > seen[:, 0], true[:, 0], true[:, 1]).sum())


@pytest.mark.parametrize(
    ("name", "measure", "method", "k", "gap"),
    [
        ("cover", "0-1", "MIGreedy", 2, Fraction(7, 160)),
        ("cover", "balanced", "mRMR", 2, Fraction(7, 80)),
        ("asia-bronc", "F1", "MIGreedy", 3, None),
    ],
)
def test_with_a_known_distribution_the_favorite_loses(
    name: str, measure: str, method: str, k: int, gap: Fraction | None
) -> None:
    found = expected_errors(fs.gallery.load(name), None, [measure]).differences[measure, method][k - 1]
    assert found < 0 if gap is None else found == gap  # of F1 more is better


@pytest.mark.thorough
def test_under_imbalance_the_zero_one_criterion_says_nothing() -> None:
    """One class in ten: no pixel changes what to say, all 64 tie for four steps, and the first columns are taken."""
    pytest.importorskip("sklearn")
    x, y = load("digits", CORNER)
    train = np.arange(600)
    s = fs.Sample(np.column_stack([three_bins(x, train), y])[train].tolist())
    found = fs.select(s, 4)
    assert [len(step.tied) for step in found.trace] == [64, 63, 62, 61]
    assert found.features == ("X1", "X2", "X3", "X4")
    assert len(fs.select(s, 1, "balanced").trace[0].tied) == 1


# -- data and learners


def test_three_bins_are_half_open_and_of_the_training_rows() -> None:
    x = np.array([[-3.0, 0], [1.0, 5], [-1.0, 0], [1.0, 5], [-1.0, 5], [-1.1, 0]])
    train = np.array([1, 2, 3, 4])  # mean 0, standard deviation 1
    assert three_bins(x, train)[:, 0].tolist() == [0, 2, 1, 2, 1, 0]
    assert three_bins(x, train)[:, 1].tolist() == [0, 1, 0, 1, 1, 0], "two values stay two"


def test_the_data_are_of_the_sizes_that_are_told() -> None:
    pytest.importorskip("sklearn")
    shapes = [(569, 30, 0.373), (178, 13, 0.399), (150, 4, 0.333), (1797, 64, 0.097), (3000, 40, 1 / 3)]
    for data, (rows, columns, share) in zip(DATA, shapes, strict=True):
        x, y = load(data, AhmedSettings(waveform=3000))
        assert x.shape == (rows, columns)
        assert y.mean() == pytest.approx(share, abs=0.03 if data == "waveform" else 6e-4)


def test_errors_are_those_of_scikit_learn() -> None:
    metrics = pytest.importorskip("sklearn.metrics")
    rng = np.random.default_rng(3)
    y, p = rng.integers(0, 2, 40), rng.random(40).round(1).clip(0.1, 0.9)
    said = (p > 0.5).astype(float)
    assert _measured("0-1", y, said) == pytest.approx(metrics.zero_one_loss(y, said))
    assert _measured("F1", y, said) == pytest.approx(metrics.f1_score(y, said))
    assert _measured("logarithmic", y, p) == pytest.approx(metrics.log_loss(y, p))
    assert _measured("balanced", y, said) == pytest.approx(2 - 2 * metrics.balanced_accuracy_score(y, said))
    (_, alarms), (misses, _) = metrics.confusion_matrix(y, said)
    assert _measured("cost 1/4", y, said) == pytest.approx((0.25 * alarms + 0.75 * misses) / 40)
    assert _measured("cost 3/4", y, said) == pytest.approx((0.75 * alarms + 0.25 * misses) / 40)
    best = max(_measured("F1", y, (p >= t).astype(float)) for t in np.unique(p))
    assert _measured("F1", y, (p >= _threshold(y, p)).astype(float)) == best
    assert _threshold(np.array([1, 0, 1, 0]), np.array([0.9, 0.2, 0.6, 0.1])) == pytest.approx(0.4)


EASY = AhmedSettings(penalties=(1.0, 100.0), widths=(1.0,), landmarks=20)


@pytest.mark.parametrize("measure", MEASURES)
def test_what_is_easy_is_learned(measure: str) -> None:
    """Two clusters apart; and with one class in the rows to train on that class is said."""
    pytest.importorskip("sklearn")
    rng = np.random.default_rng(0)
    y = np.arange(80) % 2
    x = rng.standard_normal((80, 2)) * 0.1 + 2 * y[:, None]
    error = tuned_error(EASY, measure, x, y, np.arange(50), np.arange(50, 80))
    assert error == 1 if measure == "F1" else error < 0.05
    only = tuned_error(EASY, measure, x, y, np.arange(1, 50, 2), np.arange(51, 80, 2))
    assert only == pytest.approx(1 if measure == "F1" else 0)


# -- the experiment


def test_the_numbers_are_means_over_splits() -> None:
    pytest.importorskip("sklearn")
    found = small("ahmed-2015")
    rows = np.array([_find(CORNER, Panel("0-1", "wine"), i) for i in range(2)])
    estimate = found.point(1, "wine", "MIGreedy", 2)["mean"]
    assert estimate == pytest.approx(rows[:, METHODS.index("MIGreedy"), 1].mean(), abs=1e-6)
    gap = found.point(1, "BayesGreedy less the others, wine", "mRMR", 2)["mean"]
    assert gap == pytest.approx((rows[:, 0, 1] - rows[:, 4, 1]).mean(), abs=1e-6)
    ties = [found.point(1, "ties of BayesGreedy, wine", "as good as the best", k)["mean"] for k in (1, 2)]
    assert ties == pytest.approx(rows[:, -1].mean(axis=0).tolist(), abs=1e-6)
    law = [found.point(1, "ahmed-example-1", "mRMR", k)["exact"] for k in (1, 2)]
    assert law == ["850089/2500000", "1561083/5000000"]


def _find(settings: AhmedSettings, panel: Panel, number: int) -> Any:
    return _split(settings, panel, number).find(threading.Event())


@pytest.mark.thorough
def test_the_order_that_decides_ties_can_be_drawn() -> None:
    pytest.importorskip("sklearn")
    drawn = AhmedSettings(**{**vars(CORNER), "ties": "drawn", "features": 1})
    first = AhmedSettings(**{**vars(CORNER), "features": 1})
    panel = Panel("0-1", "digits")
    one, other = (_find(settings, panel, 0) for settings in (first, drawn))
    assert one[-1] == other[-1] == [1.0]
    _, y = load("digits", CORNER)
    assert float(one[0][0]) == pytest.approx(y.mean(), abs=0.03), "the first pixel is never black"


test_bad_calls = refusals(
    [
        ("expected_errors(D, 3, ['accuracy'])", InvalidValueError, "measures", "one of 0-1"),
        ("expected_errors(D, 0)", InvalidValueError, "m", "at least 1"),
        ("expected_errors(D, 90)", TooLargeError, "m", "small enough for a million tables"),
        ("expected_errors(D, 3, trials=1)", InvalidValueError, "trials", "at least 2"),
        ("expected_errors(THREE, 3)", InvalidValueError, "d", "of two classes that both occur"),
    ],
    {"D": SKEWED, "expected_errors": expected_errors, "THREE": fs.gallery.load("led")},
)
