"""A sample stands wherever marginals are enough, and gives the numbers of its empirical distribution."""

from __future__ import annotations

import pickle
import random
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import fstheory as fs
from fstheory import selection
from fstheory.measures.criterion import CRITERIA
from fstheory.measures.information import information_lost
from fstheory.selection.greedy import SetFunction
from tests.literal import subsets

pytestmark = pytest.mark.filterwarnings("ignore::fstheory.errors.ArbitraryChoiceWarning")  # rows are few, on purpose
RULES = [
    selection.ErrorRule("1/20"),
    selection.ErrorRule("1/4", printed=True),
    selection.ErrorRule("1/20", sharp=True),
    selection.FeatureScoreRule("1/50"),
    selection.ScoreDifferenceRule("1/50"),
    selection.FeatureCountRule(2),
]


def twins(seed: int) -> tuple[fs.Sample, fs.JointDistribution]:
    """Draw rows of mixed cardinalities; return them as a sample and as a distribution."""
    rng = random.Random(seed)
    columns, classes = 2 + seed % 3, 2 + seed % 2
    states = [rng.randint(1, 4) for _ in range(columns)]
    rows = [tuple(rng.randrange(c) for c in states) for _ in range(rng.randint(4, 40))]
    labeled = [(*row, (sum(row[:2]) + (rng.random() < 0.2)) % classes) for row in rows]
    labeled = [*labeled, (*rows[0], 0), (*rows[0], classes - 1)]
    times = 1 + seed % 3  # counts with a common divisor, which the weights of a distribution lose
    names: dict[str, Any] = {"target": "X1", "features": [*"abcd"[:columns]]}
    return fs.Sample(labeled * times, **names), fs.JointDistribution.from_samples(labeled, **names)


@pytest.mark.parametrize("seed", range(6))
def test_risks_and_criteria_are_those_of_the_distribution(seed: int) -> None:
    s, d = twins(seed)
    assert fs.bayes_risks(s) == fs.bayes_risks(d)
    for k in range(len(d.features) + 2):
        assert fs.bayes_risks(s, max_size=k) == fs.bayes_risks(d, max_size=k)
        assert all(len(subset) <= k for subset in fs.bayes_risks(d, max_size=k))
    of_two = ("auc", "f_measure") if len(d.classes) != 2 else ()
    known = [make() for name, make in CRITERIA.items() if name not in ("cost_sensitive", "loss_matrix", *of_two)]
    matrix = fs.criteria.loss_matrix(np.eye(len(d.classes), dtype=int).tolist())
    for criterion in [*known, fs.criteria.squared_error(), matrix]:
        assert fs.criterion_values(s, criterion) == fs.criterion_values(d, criterion)
        small = fs.criterion_values(s, criterion, max_size=1)
        assert small == fs.criterion_values(d, criterion, max_size=1)
        assert small.larger_is_better == criterion.larger_is_better
    for subset in subsets(d.features):
        joint = s.marginal(subset)
        assert fs.bayes_risk(s, subset) == fs.bayes_risk(joint, joint.features) == fs.bayes_risk(d, subset)
        assert fs.criterion_value(s, "gini", subset) == fs.criterion_value(d, "gini", subset)


@pytest.mark.parametrize("seed", range(6))
def test_a_sample_is_a_value_with_an_empirical_distribution(seed: int) -> None:
    s, d = twins(seed)
    assert s.empirical() == d
    for subset in subsets(d.features):
        assert s.empirical(subset) == s.keep(subset).empirical() == d.marginal(subset)
    labels = [s.states[name] for name in (*s.features, s.target)]
    rows = [tuple(own[i] for own, i in zip(labels, row, strict=True)) for row in s.codes.repeat(s.counts, axis=0)]
    again = fs.Sample(rows[::-1], features=s.features, target=s.target)
    assert (again, hash(again), again.m) == (s, hash(s), len(rows))
    assert pickle.loads(pickle.dumps(s)) == s != fs.Sample(rows[1:], features=s.features, target=s.target)


@pytest.mark.parametrize("seed", range(4))
def test_information_is_that_of_the_distribution(seed: int) -> None:
    s, d = twins(seed)
    first, second, *_ = d.features
    for subset in subsets(d.features):
        assert fs.entropy(s, subset) == fs.entropy(d, subset)
        assert fs.entropy(s, [*subset, s.target], base=2) == fs.entropy(d, [*subset, d.target], base=2)
        assert fs.conditional_entropy(s, {s.target}, subset) == fs.conditional_entropy(d, {d.target}, subset)
        assert fs.mutual_information(s, subset) == fs.mutual_information(d, subset)
        assert fs.mutual_information(s, subset, {first}) == fs.mutual_information(d, subset, {first})
        assert information_lost(s, subset) == information_lost(d, subset)
        got = fs.conditional_mutual_information(s, subset, {s.target}, {second})
        assert got == fs.conditional_mutual_information(d, subset, {d.target}, {second})


@pytest.mark.one_in(3)
@pytest.mark.parametrize("seed", range(6))
def test_searches_find_what_they_find_on_the_distribution(seed: int) -> None:
    s, d = twins(seed)
    backwards = d.features[::-1]
    for k in range(len(d.features) + 1):
        assert fs.k_optimal(s, k) == fs.k_optimal(d, k)
        assert selection.fisher_scores(s) == selection.fisher_scores(d)
        assert selection.mrmr(s, k, order=backwards) == selection.mrmr(d, k, order=backwards)
        for method in ("greedy-forward", "greedy-backward", "score", "exhaustive"):
            for criterion in ("zero_one", "logarithmic", fs.criterion_values(d, "gini")):
                assert fs.select(s, k, criterion, method) == fs.select(d, k, criterion, method)


@pytest.mark.parametrize("rule", RULES, ids=str)
@pytest.mark.parametrize("walk", [selection.cmi_elimination, selection.cmi_selection])
def test_walks_by_information_are_those_on_the_distribution(walk: Callable[..., Any], rule: Any) -> None:
    for seed in range(3):
        s, d = twins(seed)
        for problem in ("classification", "regression"):
            found, expected = walk(s, rule, problem=problem), walk(d, rule, problem=problem)
            assert found.features == expected.features
            assert found.trace == expected.trace
            assert (found.bound, found.lost, found.least_error) == (expected.bound, expected.lost, expected.least_error)


@pytest.mark.parametrize("share", [0.1, 0.5])
@pytest.mark.parametrize("columns", [3, 20, 66])  # which are grouped by one word, or by two
@pytest.mark.one_in(3)
def test_backward_walks_are_those_that_group_each_subset(columns: int, share: float, monkeypatch: Any) -> None:
    rng = random.Random(columns)
    rows = [[int(rng.random() < share) * rng.randint(1, 3) for _ in range(columns)] for _ in range(30)]
    s = fs.Sample([(*row, row[0] > row[-1]) for row in rows + rows[:9]])

    def walks() -> list[Any]:
        order, k = s.features[::-2] + s.features[-2::-2], max(0, columns - 20)
        by_value = [fs.select(s, k, name, "greedy-backward", order=order) for name in ("gini", "auc")]
        return [selection.cmi_elimination(s, selection.FeatureCountRule(k), order=order), *by_value]

    at_once = walks()
    monkeypatch.setattr(SetFunction, "learn", lambda *_: None)
    assert [(run.features, run.trace) for run in walks()] == [(run.features, run.trace) for run in at_once]


def test_ties_are_told() -> None:
    rows = [(i % 2, i % 2, i % 3, i % 2) for i in range(12)]
    s = fs.Sample(rows)
    found = fs.select(s, 2)
    assert str(found).splitlines()[0] == "X1, X2 by greedy forward selection, 0-1 loss 0, on 12 samples"
    assert str(found).splitlines()[-1].endswith("order of the features decided: step 1 (X1, X2), step 2 (X2, X3)")
    assert "ties" not in str(fs.select(s.keep(["X1", "X3"]), 1))
    every = str(fs.select(s, 2, "zero_one", "exhaustive"))
    assert every.endswith("3 subsets tie; the order of the features decided among X1X2, X1X3, X2X3")
    walk = str(selection.cmi_elimination(s, selection.ErrorRule(0)))
    assert "on 12 samples" in walk
    assert walk.endswith("ties, where the order of the features decided: step 1 (X1, X2, X3)")


@pytest.mark.thorough
def test_a_hundred_columns() -> None:
    """Nothing is as large as the product of the cardinalities, 10**100 cells."""
    rng = np.random.default_rng(0)
    table = rng.integers(0, 10, size=(2000, 100))
    s = fs.Sample([(*map(int, row), int(row[90] + row[7] > 8)) for row in table])
    assert set(fs.select(s, 2).features) == {"X91", "X8"}
    assert set(selection.mrmr(s, 2).features) == {"X91", "X8"}
    assert fs.k_optimal(s, 2).subsets == (frozenset({"X8", "X91"}),)
    assert fs.bayes_risk(s, s.features) == 0
    assert s.cells(s.features).sum() == 2000
    empirical = s.empirical()
    assert fs.bayes_risk(empirical, {"X91", "X8"}) == 0
    with pytest.raises(fs.TooLargeError, match="at most 64 axes, not 101; use fewer features"):
        fs.bayes_classifier(empirical)
    two = fs.Sample([(0,) * 71, *((x, *[1] * 69, x) for x in (0, 1))])  # rows that differ in the first bit of 70
    assert sorted(two.cells(two.features).tolist()) == [[0, 1], [1, 0], [1, 0]]
    assert fs.mutual_information(s, {"X91", "X8"}) == fs.entropy(s, {"Y"})
    assert selection.cmi_selection(s, selection.FeatureCountRule(1)).features[0] in {"X91", "X8"}
