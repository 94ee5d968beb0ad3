"""The experiment of Sebban and Nock: the data, the walks, ten neighbors, and a run that can be broken off."""

from __future__ import annotations

import itertools
import json
import threading
from collections import Counter
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from fstheory.papers.experiments import Experiment, SebbanNockSettings, run_experiment
from fstheory.papers.experiments.sebban_nock import (
    _PRINTED,
    METHODS,
    SOURCES,
    Drawn,
    Walk,
    _drawings,
    _noises,
    predict_by_ten,
)
from fstheory.papers.sebban_nock_2002 import TABLE_2
from fstheory.points import MixedPoints, relative_certainty_gain, select_by_certainty_gain
from tests.papers.experiments.runs import SMALL, small


def drawn(name: str, points: int, seed: int = 0) -> Drawn:
    return SOURCES[name].draw(np.random.default_rng(seed), points)


# -- the data


@pytest.mark.parametrize("name", SOURCES)
def test_the_data_have_their_shape(name: str) -> None:
    if name in {"Iris", "Wine", "Breast Cancer", "Digits"}:
        pytest.importorskip("sklearn")
    source = SOURCES[name]
    x, y, _ = drawn(name, source.points)
    assert (x.shape, y.shape) == ((source.points, source.features), (source.points,))
    assert set(y.tolist()) == set(range(int(y.max()) + 1))
    assert len(drawn(name, 30).x) == 30


def test_the_concepts_are_those_of_the_text() -> None:
    """As often as described, within five standard deviations where there is noise."""
    x, y, _ = drawn("Hard", 20_000)
    # the parity of five noisy bits is right with probability (1 + 0.8**5) / 2
    assert abs((x[:, :5].sum(axis=1) % 2 == y).mean() - (1 + 0.8**5) / 2) < 5 * 0.5 / 20_000**0.5
    x, y, _ = drawn("Xd6", 20_000)
    concept = [any(all(row[i : i + 3]) for i in (0, 3, 6)) for row in x.tolist()]
    assert abs((np.array(concept) == y).mean() - 0.9) < 5 * 0.3 / 20_000**0.5
    x, y, _ = drawn("Monks 1", 432)
    assert len(set(map(tuple, x.tolist()))) == 432
    assert all((row[0] == row[1] or row[4] == 0) == label for row, label in zip(x.tolist(), y.tolist(), strict=True))
    assert y.sum() == 216
    x, y, _ = drawn("LED24", 20_000)
    lower_left = x[:, 4]  # lit in 0, 2, 6, 8, all of them even
    assert abs((lower_left == 1 - y).mean() - 0.9 * 0.9 - 0.1 * 0.1) < 5 * 0.5 / 20_000**0.5
    x, y, _ = drawn("Waves", 20_000)
    for label, places in {0: (7, 15), 1: (7, 11), 2: (15, 11)}.items():
        means = sum(np.maximum(6 - np.abs(np.arange(1, 22) - place), 0) for place in places) / 2
        assert abs(x[y == label].mean(axis=0) - means).max() < 5 * 2.2 / 6000**0.5


def test_the_data_that_are_printed_have_their_points_and_features() -> None:
    for name in TABLE_2.keys() & SOURCES.keys() - {"Breast Cancer"}:
        assert list(TABLE_2[name][:2]) == [SOURCES[name].features, SOURCES[name].points], name


# -- the walks, against the functions of the package and literal definitions


@pytest.mark.parametrize("name", ["Hard", "LED", "Synt1", "Five"])
def test_the_walks_by_the_gain_are_those_of_the_package(name: str) -> None:
    data = drawn(name, 40)
    walk = Walk(data)
    names = [f"X{i + 1}" for i in range(data.x.shape[1])]
    rows = data.x.astype(int).tolist() if data.is_categorical else data.x.tolist()
    nominal = names if data.is_categorical else []
    points = MixedPoints(rows, data.y.tolist(), categorical=nominal, categories="overlap")
    for method in METHODS[1:5]:
        graph, null = method.replace("-", "").lower().split()
        found = select_by_certainty_gain(points, graph=graph, null=null, ties="first")  # type: ignore[arg-type]
        assert tuple(names[i] for i, _ in walk.select(method)) == found.features, method


def literal_z(edges: Any, labels: list[int]) -> float:
    """Return equation 14 in equation 6, one neighborhood after the other."""
    size = len(labels)
    beside = [[i, *(b if a == i else a for a, b in edges if i in (a, b))] for i in range(size)]
    members = sum(map(len, beside))
    total = 0.0
    for few in beside:
        shares = [Fraction(count, len(few)) for count in Counter(labels[i] for i in few).values()]
        total += len(few) / members * sum(float(share * (1 - share)) ** 0.5 for share in shares)
    return total


@pytest.mark.parametrize("name", ["Synt1", "Waves", "Monks 1"])
def test_the_scores_are_as_defined(name: str) -> None:
    data = drawn(name, 30, seed=3)
    walk, labels = Walk(data), data.y.tolist()
    for mask in (1, 0b110, 0b101101):
        features = [f"X{i + 1}" for i in range(6) if mask >> i & 1]
        part = data.x[:, [i for i in range(6) if mask >> i & 1]]
        rows: Any = part.astype(int).tolist() if data.is_categorical else part.tolist()
        nominal = [f"X{i + 1}" for i in range(len(features))] if data.is_categorical else []
        points = MixedPoints(rows, labels, categorical=nominal, categories="overlap")
        gain = relative_certainty_gain(points, "1nn", ties="first")
        z = gain.statistic - (len(set(labels)) - 1) * 29
        assert walk.score("1-NN printed", mask) == z * abs(z) / Fraction(2 * (len(set(labels)) - 1) * 29)
        assert -walk.score("Z", mask) == pytest.approx(literal_z(gain.edges, labels), abs=1e-12)
        squares = [[points.squared_distance(i, j) for j in range(30)] for i in range(30)]
        nearest = [min((row[j], j) for j in range(30) if j != i)[1] for i, row in enumerate(squares)]
        assert walk.score("accuracy", mask) == sum(labels[i] == labels[j] for i, j in enumerate(nearest))


def literal_vote(known: list[tuple[float, int]]) -> int:
    """Return the class of most of the ten nearest, and of tied ones that of the nearest."""
    near = [label for _, label in sorted(known, key=lambda pair: pair[0])[:10]]
    votes = Counter(near)
    return next(label for label in near if votes[label] == max(votes.values()))


@pytest.mark.parametrize("name", ["Waves", "LED", "Monks 1"])
def test_ten_neighbors_vote(name: str) -> None:
    data = drawn(name, 40, seed=5)
    if not data.is_categorical:
        data.x[:] *= 10.0 ** (np.arange(data.x.shape[1]) % 5 - 2)  # features of all sizes
    train, test = np.arange(30), np.arange(30, 40)
    for mask in (1, 0b111, 0b110100):
        columns = [i for i in range(6) if mask >> i & 1]
        scale = {i: 4 * float(data.x[train, i].std()) for i in columns}

        def square(a: int, b: int, columns: list[int] = columns, scale: dict[int, float] = scale) -> float:
            x = data.x
            if data.is_categorical:
                return float(sum(x[a, i] != x[b, i] for i in columns))
            return float(sum(((x[a, i] - x[b, i]) / scale[i]) ** 2 for i in columns))

        expected = [literal_vote([(square(a, b), int(data.y[b])) for b in train.tolist()]) for a in test.tolist()]
        assert predict_by_ten(data, train, test, mask).tolist() == expected


def test_features_are_selected_in_the_folds_without_what_is_left_out() -> None:
    """Folds drawn again; the counts of a step by their definition."""
    rng = SebbanNockSettings(seed=7).rng(list(SOURCES).index("LED"), 1)
    data = SOURCES["LED"].draw(rng, 25)
    folds = np.array_split(rng.permutation(25), 5)
    step = _drawings(SebbanNockSettings(most_points=25, seed=7), "LED")[1]
    rows = dict(zip(METHODS, step.find(threading.Event()), strict=True))
    for method in METHODS[1:]:
        before = sum(1 << i for i, _ in Walk(data).select(method))
        right = [0, 0]
        for fold in folds:
            train = np.array([i for i in range(25) if i not in fold])
            inside = sum(1 << i for i, _ in Walk(Drawn(data.x[train], data.y[train], True)).select(method))
            for place, mask in enumerate((inside, before)):
                right[place] += int((predict_by_ten(data, train, fold, mask) == data.y[fold]).sum())
        assert rows[method] == [*right, before], method


# -- what is said about it


def test_noise_is_always_taken_as_printed() -> None:
    found = [step.find(threading.Event()) for step in _noises(SebbanNockSettings(noise_draws=5, seed=0))]
    for row in itertools.chain.from_iterable(found):
        assert row[0] >= 1
        assert row[3] <= row[2] <= 1
    assert [moments[3] for _, moments in found].count(1) <= 1, "rejected at 1/200 for each feature"


# -- the experiment


def test_the_numbers_are_means_of_percentages() -> None:
    found: Any = small("sebban-nock-2002")
    settings: Any = SMALL["sebban-nock-2002"]
    rows = [step.find(threading.Event()) for step in _drawings(settings, "LED")]
    for place, method in enumerate(METHODS):
        inside, before = (np.array([row[place][i] / 0.24 for row in rows]) for i in (0, 1))
        expected = {"selected inside the folds": inside}
        if place:
            every = np.array([row[0][0] / 0.24 for row in rows])
            expected |= {"selected before": before - inside, "selected inside the folds less": inside - every}
        for panel, values in expected.items():
            point = found.point("optimism", panel, method, "LED")
            assert point["mean"] == pytest.approx(values.mean(), abs=1e-5)
            assert point["standard_error"] == pytest.approx(abs(values[0] - values[1]) / 2, abs=1e-5)
        sizes = found.point("optimism", "features", method, "LED")["each"]
        assert sizes == " ".join(str(row[place][2].bit_count()) for row in rows)
    assert found.point("optimism", "features", "Z", "Five")["each"] == "1 1"
    for method, printed in {"all": 88.0, "1-NN printed": 87.0, "accuracy": 77.9}.items():
        assert found.point("table-2", "selected before", method, "LED")["printed"] == printed
        assert "printed" not in found.point("table-2", "selected before", method, "Five")
    taken, rejected = found.panel("noise", "2 drawings"), found.panel("noise", "share")
    for points in taken["series"].values():
        assert sum(point["mean"] for point in points) == 2
    assert all(point["x"] > 0 for name in ("printed", "right moments") for point in taken["series"][name])
    assert set(rejected["series"]) == {"printed", "right moments"}
    assert "LED, 24 by 7" in found.plot("table-2").to_svg()


PAGE = Path(__file__).parents[3] / "docs" / "textbook"


def shown() -> Experiment:
    """Return what the textbook shows."""
    return Experiment(json.loads((PAGE / "sebban-nock-2002.json").read_text(encoding="utf-8")))


def test_the_page_shows_a_run_of_this_experiment() -> None:
    """The numbers in the textbook: of the settings that they name, on the data that there are."""
    page = shown()
    settings = page.document["settings"]
    assert settings["data"] == list(SOURCES)
    few = SebbanNockSettings(**{**settings, "data": ("Five",), "draws": 2})
    five = run_experiment("sebban-nock-2002", ["optimism"], settings=few)
    for method in METHODS:
        told, again = (found.point("optimism", "features", method, "Five")["each"] for found in (page, five))
        assert told.split()[:2] == again.split()
    for figure, columns in _PRINTED.items():
        for method, where in columns.items():
            for name in SOURCES:
                known = where and name in where[0] and name != "Breast Cancer"
                printed = page.point(figure, "selected before", method, name).get("printed")
                assert printed == (float(where[0][name][where[1]]) if known else None)


def test_the_page_counts_data_sets_with_something_to_be_found() -> None:
    """Noise has nothing to be found, and is no row of these counts and means."""
    page, names = shown(), [name for name in SOURCES if name != "Noise"]
    words = {6: "six", 8: "eight"}

    def right(method: str, name: str, where: str = "before") -> Fraction:
        inside = page.point("optimism", "selected inside the folds", method, name)["mean"]
        added = page.point("optimism", "selected before", method, name)["mean"] if method != "all" else 0
        return Fraction(str(inside)) + (Fraction(str(added)) if where == "before" else 0)

    def better(one: str, other: str, where: str = "before") -> int:
        return sum(right(one, name, where) > right(other, name, where) for name in names)

    against, fewer = better("1-NN printed", "accuracy"), better("accuracy", "1-NN printed")
    texts = [f"better on {words[against]} and worse on {words[fewer]}"]
    methods = ("MST printed", "1-NN printed")
    tree, nearest = ([better(method, "all", where) for where in ("before", "inside")] for method in methods)
    texts.append(
        f"better on {tree[0]} of these {len(names)} data sets if selected before, as printed, and on {tree[1]} if"
    )
    texts.append(f"on nearest neighbors on {nearest[0]} and on {nearest[1]}.")
    places = [(method, where) for method in methods for where in ("before", "inside")]
    means = [sum(right(method, name, where) for name in names) / len(names) for method, where in places]
    told = [f"{float(mean):.1f}%" for mean in means]
    texts.append(f"tree shows {told[0]} before and {told[1]} inside, on nearest neighbors {told[2]} and {told[3]}.")
    text = (PAGE / "sebban-nock-tables.md").read_text(encoding="utf-8")
    assert [part for part in texts if part not in text] == []
