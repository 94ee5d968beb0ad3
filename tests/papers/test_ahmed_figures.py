"""The experiment of Ahmed et al.: expected errors by their definition, where orderings fail, and the runs on data."""

from __future__ import annotations

import functools
import itertools
import json
import math
from collections import defaultdict
from collections.abc import Iterator, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import fstheory as fs
from fstheory.errors import InvalidFormatError, InvalidTypeError, InvalidValueError, TooLargeError, UnknownNameError
from fstheory.numbers.logsum import log
from fstheory.papers.experiments.ahmed_exact import (
    MEASURES,
    METHODS,
    expected_errors,
    is_value,
    rank_features,
    read_value,
    write_value,
)
from fstheory.papers.experiments.ahmed_figures import _cell, _mean, ahmed_experiment, draw_ahmed_figure
from fstheory.papers.experiments.ahmed_trials import (
    DATA,
    FIGURES,
    AhmedSettings,
    Panel,
    _measured,
    _threshold,
    load,
    split_step,
    test_error,
    three_bins,
)
from fstheory.papers.experiments.steps import ExperimentJournal, MeanError
from tests.refusals import refusals

test_error.__test__ = False  # type: ignore[attr-defined]
ORDERS = (("X1", "X2"), ("X2", "X1"))
OR = fs.JointDistribution([[[2, 0], [0, 1]], [[0, 1], [0, 0]]])
SKEWED = fs.JointDistribution([[[3, 1], [1, 2]], [[0, 2], [1, 0]]])
CORNER = AhmedSettings(
    splits=2, features=2, penalties=(1.0,), widths=(1.0,), landmarks=5, waveform=60, laws=(("ahmed-example-1", 2),)
)


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
    ("name", "measure", "method", "k", "difference"),
    [
        ("cover", "0-1", "MIGreedy", 2, "7/160"),
        ("cover", "0-1", "F-score", 2, "7/160"),
        ("cover", "balanced", "mRMR", 2, "7/80"),
        ("asia-bronc", "0-1", "BayesScore", 3, None),
        ("led-parity", "0-1", "MIGreedy", 4, None),
        ("monks-2", "logarithmic", "BayesGreedy", 5, None),
        ("asia-bronc", "F1", "MIGreedy", 3, None),
    ],
)
def test_with_a_known_distribution_the_favorite_loses(
    name: str, measure: str, method: str, k: int, difference: str | None
) -> None:
    found = expected_errors(fs.gallery.load(name), None, [measure])
    gap = found.differences[measure, method][k - 1]
    assert gap < 0 if measure == "F1" else gap > 0
    assert difference is None or gap == Fraction(difference)


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
    for data, told in DATA.items():
        x, y = load(data, AhmedSettings(waveform=3000))
        assert data == "waveform" or f"{len(x)} rows, {x.shape[1]} " in told
        share = 1 / 3 if data == "waveform" else float(told.split("p = ")[1][:5])
        assert y.mean() == pytest.approx(share, abs=0.03 if data == "waveform" else 6e-4)
    x, y = load("waveform", AhmedSettings(waveform=3000))
    rise, fall = (np.maximum(6 - abs(np.arange(1, 22) - c), 0) for c in (11, 15))
    assert x[y == 1].mean(axis=0)[:21] == pytest.approx((rise + fall) / 2, abs=0.25)
    assert x[:, 21:].mean() == pytest.approx(0, abs=0.03)
    assert x[:, 21:].std() == pytest.approx(1, abs=0.03)


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
    error = test_error(EASY, measure, x, y, np.arange(50), np.arange(50, 80))
    assert error == 1 if measure == "F1" else error < 0.05
    only = test_error(EASY, measure, x, y, np.arange(1, 50, 2), np.arange(51, 80, 2))
    assert only == pytest.approx(1 if measure == "F1" else 0)


# -- the experiment


@pytest.fixture(scope="module")
def found() -> fs.papers.AhmedExperiment:
    pytest.importorskip("sklearn")
    return ahmed_experiment([1], settings=CORNER, data=["iris", "wine"])


def test_the_numbers_are_means_over_splits(found: fs.papers.AhmedExperiment, tmp_path: Path) -> None:
    panel = Panel("0-1", "wine")
    rows = np.array([_find(CORNER, panel, i) for i in range(2)], dtype=float)
    mean = found.estimate("0-1", "wine", "MIGreedy", 2)
    assert mean.mean == pytest.approx(rows[:, METHODS.index("MIGreedy"), 1].mean())
    assert mean.trials == 2
    gap = found.difference("0-1", "wine", "BayesGreedy", "mRMR", 2)
    assert gap.mean == pytest.approx((rows[:, 0, 1] - rows[:, 4, 1]).mean())
    assert found.tied("0-1", "wine") == pytest.approx(rows[:, -1].mean(axis=0))
    assert "0-1 on wine" in str(found)
    names = [path.name for path in found.write(tmp_path / "new")]
    assert names == ["ahmed-2015.json", "figure-1.png", "figure-1.svg"]
    document = json.loads((tmp_path / "new" / "ahmed-2015.json").read_text(encoding="utf-8"))
    (first,) = document["figures"]
    assert [panel["data"] for panel in first["panels"]] == ["wine", "iris"]
    assert first["panels"][0]["curves"]["mRMR"][0][0] == round(found.estimate("0-1", "wine", "mRMR", 1).mean, 4)
    assert first["panels"][0]["less"].keys() == set(METHODS) - {"BayesGreedy"}
    (law,) = document["laws"]
    assert (law["m"], law["errors"]["0-1"]["mRMR"]) == (2, ["850089/2500000", "1561083/5000000"])
    assert law["errors"].keys() == {"0-1"}
    assert [_cell(Fraction(1, 7)), _cell(Fraction(1, 3**200)), _cell(log(2))] == ["1/7", [0.0], "0 + 1 log 2"]
    assert [_mean("1/7"), _mean("0 + 1 log 2"), _mean([0.25])] == [1 / 7, math.log(2), 0.25]
    assert "BayesGreedy" in (tmp_path / "new" / "figure-1.svg").read_text(encoding="utf-8")
    assert str(draw_ahmed_figure(document, 1).title).startswith("Figure 1 ")


def _find(settings: AhmedSettings, panel: Panel, number: int) -> list[list[str]]:
    import threading

    return split_step(settings, panel, number).find(threading.Event())


def test_what_was_done_is_not_lost(found: fs.papers.AhmedExperiment, tmp_path: Path) -> None:
    """Broken off, taken up with two workers: the same as in one go."""
    path, told = tmp_path / "trials.json", itertools.count()  # the first line says what it takes

    def listen(_: str) -> None:
        if next(told) == 4:
            raise KeyboardInterrupt

    options: dict[str, Any] = {"settings": CORNER, "data": ["wine", "iris"], "resume": path}
    with pytest.raises(KeyboardInterrupt):
        ahmed_experiment([1], progress=listen, **options)
    assert len(json.loads(path.read_text(encoding="utf-8"))["done"]) == 4
    again = ahmed_experiment([1], workers=2, **options)
    assert again.document() == found.document()
    with ExperimentJournal(path, json.loads(path.read_text(encoding="utf-8"))["experiment"]) as journal:
        journal.put("iris, 0-1, split 0", [["nan"] * 2] * 7)
    with pytest.raises(InvalidFormatError, match="is not what an experiment finds"):
        ahmed_experiment([1], **options)


@pytest.mark.thorough
def test_the_order_that_decides_ties_can_be_drawn() -> None:
    pytest.importorskip("sklearn")
    drawn = AhmedSettings(**{**vars(CORNER), "ties": "drawn", "features": 1})
    first = AhmedSettings(**{**vars(CORNER), "features": 1})
    panel = Panel("0-1", "digits")
    one, other = (_find(settings, panel, 0) for settings in (first, drawn))
    assert one[-1] == other[-1] == ["1.0"]
    _, y = load("digits", CORNER)
    assert float(one[0][0]) == pytest.approx(y.mean(), abs=0.03), "the first pixel is never black"


def test_values_are_read_as_they_were_written() -> None:
    for value in (
        Fraction(-7, 3),
        log(3) / 4 - log(2) * 7,
        0 * log(2),
        log(6) + Fraction(1, 2),
        MeanError(0.1, 2e-7, 9),
    ):
        assert read_value(write_value(value), 9) == value
        assert is_value(write_value(value))
    for text in ("", "x", "1 ± x", "nan ± 1", "1/0", "1 + 2 log", "1 + log 2", "0.5 ± -1"):
        assert not is_value(text), text


LAWS = ahmed_experiment([4], settings=CORNER, data=[])

test_bad_calls = refusals(
    [
        ("AhmedSettings(splits=1)", InvalidValueError, "splits", "at least 2"),
        ("AhmedSettings(features=0)", InvalidValueError, "features", "at least 1"),
        ("AhmedSettings(ties='last')", InvalidValueError, "ties", "one of first, drawn"),
        ("AhmedSettings(penalties=())", InvalidTypeError, "penalties", "a tuple of numbers"),
        ("AhmedSettings(widths=(0.0,))", InvalidValueError, "widths", "above 0"),
        ("AhmedSettings(widths=(float('nan'),))", InvalidValueError, "widths", "above 0"),
        ("AhmedSettings(laws=('titanic',))", InvalidTypeError, "laws", "pairs"),
        ("AhmedSettings(laws=(('titanic', 0),))", InvalidValueError, "laws", "at least 1"),
        ("AhmedSettings(seed=-1)", InvalidValueError, "seed", "at least 0"),
        ("ahmed_experiment([5])", InvalidValueError, "figures", "some of 1 to 4"),
        ("ahmed_experiment([])", InvalidTypeError, "figures", "some of 1 to 4"),
        ("ahmed_experiment(settings='quick')", InvalidTypeError, "settings", "AhmedSettings"),
        ("ahmed_experiment(data=['adult'])", InvalidValueError, "data", "one of breast cancer"),
        ("ahmed_experiment(workers=0)", InvalidValueError, "workers", "at least 1"),
        ("LAWS.plot(1)", UnknownNameError, "figure", "one of (4,)"),
        ("LAWS.estimate('0-1', 'wine', 'mRMR', 1)", UnknownNameError, "measure and data", "one of"),
        ("draw(LAWS.document(), 1)", UnknownNameError, "figure", "one of 4"),
        ("expected_errors(D, 3, ['accuracy'])", InvalidValueError, "measures", "one of 0-1"),
        ("expected_errors(D, 0)", InvalidValueError, "m", "at least 1"),
        ("expected_errors(D, 90)", TooLargeError, "m", "small enough for a million tables"),
        ("expected_errors(D, 3, trials=1)", InvalidValueError, "trials", "at least 2"),
        ("expected_errors(THREE, 3)", InvalidValueError, "d", "of two classes that both occur"),
    ],
    {
        "AhmedSettings": AhmedSettings, "ahmed_experiment": ahmed_experiment, "LAWS": LAWS, "D": SKEWED,
        "draw": draw_ahmed_figure, "expected_errors": expected_errors, "THREE": fs.gallery.load("led"),
    },
)  # fmt: skip


def test_a_figure_that_is_asked_for_has_panels() -> None:
    assert {panel.measure for panels in FIGURES.values() for panel in panels} == set(MEASURES)
    assert {panel.data for panels in FIGURES.values() for panel in panels} == set(DATA)
