"""The criteria side by side, and exact numbers in JSON."""

from __future__ import annotations

import itertools
import json
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings

from fstheory import JointDistribution, bayes_risk
from fstheory._support.result import to_json
from fstheory.distributions import gallery
from fstheory.measures.criteria import auc, balanced, gini, logarithmic, zero_one
from fstheory.reports.of_distribution import Disagreement, report
from fstheory.testing import joint_distributions

BY_TITLE: dict[str, Any] = {
    "0-1 loss": zero_one(), "log loss": logarithmic(), "Gini impurity": gini(), "AUC": auc(),
    "balanced loss": balanced(),
}  # fmt: skip


def best(d: JointDistribution, title: str, k: int) -> tuple[Any, set[frozenset[str]]]:
    """Return the best value of k features and the subsets that have it, one value at a time."""
    values = {frozenset(s): BY_TITLE[title].value(d, s) for s in itertools.combinations(d.features, k)}
    value = (max if title == "AUC" else min)(values.values())
    return value, {subset for subset, found in values.items() if found == value}


@pytest.mark.parametrize("name", ["titanic", "xor", "led-parity"])
def test_the_best_of_each_size_by_each_criterion(name: str) -> None:
    d = gallery.load(name)
    found = report(d)
    expected = list(BY_TITLE) if len(d.classes) == 2 else list(BY_TITLE)[:3]
    assert [criterion.title for criterion in found.criteria] == expected
    for criterion in found.criteria:
        assert criterion.larger_is_better is (criterion.title == "AUC")
        for k, level in enumerate(criterion.optima):
            assert (level.value, set(level.subsets)) == best(d, criterion.title, k)


@pytest.mark.parametrize(
    ("d", "titles", "risks", "always", "sentence"),
    [
        (
            gallery.ahmed_example_1(), list(BY_TITLE)[1:], ("3/10", "1/4"), True,
            "Of 1 feature, the log loss, Gini impurity, AUC and balanced loss choose X2",
        ),
        (
            JointDistribution([[[0, 0], [0, 1]], [[2, 0], [2, 1]]]), ["AUC", "balanced loss"], ("1/3", "1/6"), False,
            "Of 1 feature, the AUC and balanced loss may choose X2",
        ),
    ],
)  # fmt: skip
def test_where_they_disagree_with_the_bayes_risk(
    d: JointDistribution, titles: list[str], risks: tuple[str, str], always: bool, sentence: str
) -> None:
    found, second = report(d), frozenset({"X2"})
    risk, least = map(Fraction, risks)
    assert found.disagreements == tuple(Disagreement(1, title, second, risk, least, always) for title in titles)
    assert f"{sentence}, of Bayes risk {risks[0]} where {risks[1]} is possible." in " ".join(found.summary().split())
    assert found.to_html().count("†") == len(titles) + 1  # each choice, and what it means


def test_where_they_agree() -> None:
    found = report(gallery.xor())
    assert found.disagreements == ()
    assert "also have the least Bayes risk" in found.summary()
    assert "†" not in found.to_html()


@settings(max_examples=20)
@given(joint_distributions(max_features=2, cardinalities=(1, 2), huge=False))
def test_disagreements_are_those_of_the_definition(d: JointDistribution) -> None:
    found = report(d)
    expected = []
    for k in range(len(d.features) + 1):
        least, _ = best(d, "0-1 loss", k)
        for criterion in found.criteria[1:]:
            risks = [bayes_risk(d, subset) for subset in best(d, criterion.title, k)[1]]
            if max(risks) > least:
                expected.append((k, criterion.title, max(risks), least, min(risks) > least))
    assert [(x.size, x.title, x.risk, x.least, x.always) for x in found.disagreements] == expected
    assert max(map(len, found.summary().splitlines())) <= 100


def test_json_has_them_with_exact_values() -> None:
    found = report(gallery.titanic())
    document = json.loads(found.to_json())
    assert document["criteria"] == json.loads(json.dumps(to_json(found.criteria, found.distribution.features)))
    (choice,) = document["disagreements"]
    expected = {"size": 2, "title": "balanced loss", "subset": ["sex", "age"], "always": True}
    assert choice == {**expected, "risk": "493/2201", "least": "477/2201"}


@pytest.mark.parametrize("weights", [[3], [0, 2], [[0, 0], [0, 1]], [[[1, 0], [0, 0]], [[2, 0], [3, 0]]]])
def test_a_class_that_never_occurs_has_no_auc(weights: list[object]) -> None:
    found = report(JointDistribution(weights))
    assert [criterion.title for criterion in found.criteria] == list(BY_TITLE)[:3]
    assert found.disagreements == ()


def test_large_distributions_are_not_compared() -> None:
    found = report(gallery.random((65, 65, 65), rng=1))
    assert (found.criteria, found.disagreements) == ((), ())
    for text in (found.summary(), found.to_html()):
        assert "up to 1024 subsets and 262144 cells" in " ".join(text.split())
