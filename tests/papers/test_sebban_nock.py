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

from fstheory.errors import InvalidFormatError, InvalidTypeError, InvalidValueError
from fstheory.papers.experiments.sebban_nock_data import PRINTED, SOURCES, Drawn
from fstheory.papers.experiments.sebban_nock_tables import (
    SebbanNockSettings,
    draw_sebban_nock,
    sebban_nock_experiment,
)
from fstheory.papers.experiments.sebban_nock_walks import METHODS, Walk, draw_step, noise_step, predict_by_ten
from fstheory.papers.experiments.steps import ExperimentJournal
from fstheory.papers.sebban_nock_2002_tables import TABLE_1, TABLE_2, TABLE_3
from fstheory.points.certainty import relative_certainty_gain, select_by_certainty_gain
from fstheory.points.mixed import MixedPoints
from tests.refusals import refusals

SMALL = SebbanNockSettings(data=("LED", "Five"), most_points=24, draws=2, noise_draws=2)


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


def test_what_is_printed_is_what_the_ledger_has() -> None:
    for name, row in PRINTED.items():
        points, features = SOURCES[name].points, SOURCES[name].features
        first = [features, row.mst_all, row.mst_size, row.mst_selected]
        assert [float(value) for value in TABLE_1[name]] == first if name in TABLE_1 else first[1:] == [None] * 3
        second = [features, points, row.selected, row.all_features, row.accuracy]
        assert [float(value) for value in TABLE_2[name]] == second
        third = [row.selected, row.by_z]
        assert [float(value) for value in TABLE_3[name]] == third if name in TABLE_3 else row.by_z is None


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
        assert walk.score("1-NN printed", mask) == gain.statistic
        assert -walk.score("Z", mask) == pytest.approx(literal_z(gain.edges, labels), abs=1e-12)
        squares = [[points.squared_distance(i, j) for j in range(30)] for i in range(30)]
        nearest = [min((row[j], j) for j in range(30) if j != i)[1] for i, row in enumerate(squares)]
        assert walk.score("accuracy", mask) == sum(labels[i] == labels[j] for i, j in enumerate(nearest))


def test_a_walk_goes_on_while_it_gets_better() -> None:
    walk = Walk(drawn("Synt1", 50))
    for method in METHODS[1:]:
        scores = [score for _, score in walk.select(method)]
        assert scores, "the first is always taken"
        assert all(one < next_one for one, next_one in itertools.pairwise(scores)), method


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
    step = draw_step("LED", 25, 7, 1)
    rng = np.random.default_rng(np.random.SeedSequence(7, spawn_key=(list(SOURCES).index("LED"), 1)))
    data = SOURCES["LED"].draw(rng, 25)
    folds = np.array_split(rng.permutation(25), 5)
    rows = dict(zip(METHODS, step.find(threading.Event()), strict=True))
    for method in METHODS[1:]:
        before = sum(1 << i for i, _ in Walk(data).select(method))
        right, sizes = [0, 0], 0
        for fold in folds:
            train = np.array([i for i in range(25) if i not in fold])
            inside = sum(1 << i for i, _ in Walk(Drawn(data.x[train], data.y[train], True)).select(method))
            sizes += inside.bit_count()
            for place, mask in enumerate((inside, before)):
                right[place] += int((predict_by_ten(data, train, fold, mask) == data.y[fold]).sum())
        assert rows[method] == [str(value) for value in (*right, before, sizes)], method


# -- what is said about it


def test_five_classes_are_told_apart_and_the_printed_test_never_rejects() -> None:
    data = drawn("Five", 100)
    gain = relative_certainty_gain(data.x[:, :1], labels=data.y.tolist())
    assert gain.printed_z < -3
    assert gain.z > 20
    assert gain.members < 99 * 4, "not even the largest statistic there is reaches the printed mean"


def test_noise_is_always_taken_as_printed() -> None:
    for number in range(2):
        printed, moments = noise_step(0, number).find(threading.Event())
        for row in (printed, moments):
            assert int(row[0]) >= 1
            assert int(row[3]) <= int(row[2]) <= 1
    counts = [noise_step(0, number).find(threading.Event())[1][3] for number in range(3, 5)]
    assert counts.count("1") <= 1, "rejected at 1/200 for each feature"


# -- the experiment

FOUND = sebban_nock_experiment(settings=SMALL)


def test_an_experiment_is_broken_off_and_taken_up(tmp_path: Path) -> None:
    path, told = tmp_path / "trials.json", []

    def interrupt(text: str) -> None:
        told.append(text)
        if len(told) == 1 + 4:  # the first line says what it takes
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        sebban_nock_experiment(settings=SMALL, resume=path, progress=interrupt)
    done = json.loads(path.read_text(encoding="utf-8"))["done"]
    assert set(done) == {"noise 0", "noise 1", "LED, 24 points, drawing 0", "Five, 24 points, drawing 0"}
    again: list[str] = []
    found = sebban_nock_experiment(settings=SMALL, resume=path, progress=again.append, workers=2)
    assert again[0] == "takes 2 steps, 2 at a time"
    assert len(again) == 1 + 2
    assert found.document() == FOUND.document()
    text = path.read_text(encoding="utf-8")
    for rows in ([["1"] * 4] * 6, [["1.5"] * 4] * 7, [["1"] * 3] * 7, "1"):
        path.write_text(text, encoding="utf-8")
        with ExperimentJournal(path, {"seed": 2002}, seconds=0.0) as journal:
            journal.put("LED, 24 points, drawing 0", rows)
        with pytest.raises(InvalidFormatError, match="is not what an experiment finds"):
            sebban_nock_experiment(settings=SMALL, resume=path)


def test_the_numbers_are_means_of_percentages(tmp_path: Path) -> None:
    paths = FOUND.write(tmp_path / "new")
    pictures = ["table-1", "table-2", "table-3", "optimism", "noise"]
    names = ["sebban-nock-2002.json", *(f"{name}.{kind}" for name in pictures for kind in ("png", "svg"))]
    assert [path.name for path in paths] == names
    document = json.loads(paths[0].read_text(encoding="utf-8"))
    led, five = document["data"]
    assert led["printed"] == {"all_features": 88.0, "selected": 87.0, "accuracy": 77.9, "by_z": 87.0}
    assert five["printed"] == {}
    for method in METHODS:
        before, inside = (FOUND.accuracy("LED", method, inside=where) for where in (False, True))
        assert led["methods"][method]["before"] == [round(before.mean, 2), round(before.standard_error, 2)]
        assert FOUND.optimism("LED", method).mean == pytest.approx(before.mean - inside.mean)
        assert FOUND.gain("LED", method).mean == pytest.approx(inside.mean - FOUND.accuracy("LED", "all").mean)
        assert led["methods"][method]["sizes"] == [len(names) for names in FOUND.features("LED", method)]
    assert FOUND.gain("Five", "MST printed").mean > 0
    assert FOUND.features("Five", "Z") == (("X1",), ("X1",))
    assert FOUND.optimism("Five", "all").mean == 0
    for kind in ("MST printed", "MST moments"):
        counts = FOUND.noise()[kind]
        assert sum(counts["sizes"].values()) == sum(counts["sizes with stop"].values()) == 2
        assert 0 not in counts["sizes"]
    assert "LED" in str(FOUND)
    assert "LED, 24 by 7" in (tmp_path / "new" / "table-2.svg").read_text(encoding="utf-8")


def test_the_page_shows_a_run_of_this_experiment() -> None:
    """The numbers in the textbook: of the settings that they name, on the data that there are."""
    path = Path(__file__).parents[2] / "docs" / "textbook" / "sebban-nock-2002.json"
    document = json.loads(path.read_text(encoding="utf-8"))
    assert [entry["name"] for entry in document["data"]] == list(SOURCES)
    chosen = {**document["settings"], "data": tuple(document["settings"]["data"])}
    settings = SebbanNockSettings(**{**chosen, "data": ("Five",), "draws": 2, "noise_draws": 2})
    five = sebban_nock_experiment(settings=settings).document()["data"][0]
    (shown,) = (entry for entry in document["data"] if entry["name"] == "Five")
    assert [entry["sizes"][:2] for entry in shown["methods"].values()] == [
        entry["sizes"] for entry in five["methods"].values()
    ]
    for entry in document["data"]:
        printed = PRINTED[entry["name"]]._asdict() if entry["name"] in PRINTED else {}
        assert entry["printed"] == {key: value for key, value in printed.items() if value is not None}


def test_the_page_counts_data_sets_with_something_to_be_found() -> None:
    """Noise has nothing to be found, and is no row of these counts and means."""
    folder = Path(__file__).parents[2] / "docs" / "textbook"
    entries = json.loads((folder / "sebban-nock-2002.json").read_text(encoding="utf-8"))["data"]
    rows = [entry["methods"] for entry in entries if entry["name"] != "Noise"]
    words = {6: "six", 8: "eight"}

    def better(one: str, other: str, where: str = "before") -> int:
        return sum(row[one][where][0] > row[other][where][0] for row in rows)

    against, fewer = better("1-NN printed", "accuracy"), better("accuracy", "1-NN printed")
    texts = [f"better on {words[against]} and worse on {words[fewer]}"]
    methods = ("MST printed", "1-NN printed")
    tree, nearest = ([better(method, "all", where) for where in ("before", "inside")] for method in methods)
    texts.append(
        f"better on {tree[0]} of these {len(rows)} data sets if selected before, as printed, and on {tree[1]} if"
    )
    texts.append(f"on nearest neighbors on {nearest[0]} and on {nearest[1]}.")
    places = [(method, where) for method in methods for where in ("before", "inside")]
    means = [sum(Fraction(str(row[method][where][0])) for row in rows) / len(rows) for method, where in places]
    shown = [f"{float(mean):.1f}%" for mean in means]
    texts.append(f"tree shows {shown[0]} before and {shown[1]} inside, on nearest neighbors {shown[2]} and {shown[3]}.")
    page = (folder / "sebban-nock-tables.md").read_text(encoding="utf-8")
    assert [text for text in texts if text not in page] == []


test_bad_calls = refusals(
    [
        ("Settings(data='Hard')", InvalidTypeError, "data", "names of data sets"),
        ("Settings(data=('Hard', 'Pima'))", InvalidValueError, "data", "one of Hard"),
        ("Settings(most_points=10)", InvalidValueError, "most_points", "at least 20"),
        ("Settings(draws=1)", InvalidValueError, "draws", "at least 2"),
        ("Settings(noise_draws=1)", InvalidValueError, "noise_draws", "at least 2"),
        ("Settings(seed=1.5)", InvalidTypeError, "seed", "an integer"),
        ("experiment(settings='quick')", InvalidTypeError, "settings", "SebbanNockSettings"),
        ("experiment(workers=0)", InvalidValueError, "workers", "at least 1"),
        ("FOUND.accuracy('Iris', 'all')", InvalidValueError, "data", "one of LED, Five"),
        ("FOUND.sizes('LED', 'RCG')", InvalidValueError, "method", "one of all, MST printed"),
        ("FOUND.plot('table-4')", InvalidValueError, "picture", "one of table-1"),
        ("draw(FOUND.document(), 1)", InvalidValueError, "picture", "one of table-1"),
    ],
    {
        "Settings": SebbanNockSettings,
        "experiment": sebban_nock_experiment,
        "FOUND": FOUND,
        "draw": draw_sebban_nock,
    },
)
