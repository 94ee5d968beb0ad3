"""The strategies draw what they promise, reach every odd case, and shrink to the smallest."""

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, find, given, settings, strategies as st

from fstheory import JointDistribution, bayes_risk, testing
from fstheory.errors import InvalidTypeError, InvalidValueError
from fstheory.testing import events, feature_subsets, joint_distributions, labels, names
from tests.refusals import refusals

SEARCH = settings(
    max_examples=5000, derandomize=True, database=None, deadline=None, suppress_health_check=list(HealthCheck)
)


ANY = settings(SEARCH, phases=[Phase.generate])  # found, and not made small


@pytest.mark.parametrize(
    ("smallest", "condition"),
    [
        ("JointDistribution([1])", lambda d: True),
        ("JointDistribution([[1]])", lambda d: d.features),
        ("JointDistribution([1, 0])", lambda d: len(d.classes) == 2),
        ("JointDistribution([1, 1])", lambda d: not d.has_unique_maximum()),
        ("JointDistribution([[1], [0]])", lambda d: not d.is_positive()),
        ("JointDistribution([[0, 1], [1, 0]])", lambda d: bayes_risk(d, d.features) < bayes_risk(d, [])),
        ("JointDistribution([[[1]]])", lambda d: d.cardinalities == (1, 1)),
    ],
)
@pytest.mark.one_in(7)
def test_what_is_looked_for_is_found_and_small(smallest: str, condition: Callable[[JointDistribution], Any]) -> None:
    found = find(joint_distributions(), lambda d: bool(condition(d)), settings=SEARCH)
    assert found == eval(smallest, {"JointDistribution": JointDistribution})


@pytest.mark.thorough
@pytest.mark.parametrize(
    "condition",
    [
        lambda d: d.total >= 2**63,
        lambda d: d.total.bit_length() > 3000,
        lambda d: 2**61 < d.total < 2**63,
        lambda d: d.total >= 2**63 and not d.has_unique_maximum(),
        lambda d: len(d.features) == 3 and set(d.cardinalities) == {1, 2, 3},
        lambda d: len(d.classes) == 3 and d.is_positive() and d.has_unique_maximum() and len(d.features) == 2,
    ],
    ids=["wide", "very wide", "just narrow", "wide tie", "mixed states", "assumptions"],
)
def test_odd_cases_are_reached(condition: Callable[[JointDistribution], Any]) -> None:
    find(joint_distributions(), lambda d: bool(condition(d)), settings=ANY)


@given(
    joint_distributions(
        min_features=1, max_features=2, cardinalities=(2, 4), classes=(2, 2), max_weight=5, huge=False, named=True
    )
)
def test_bounds_are_kept(d: JointDistribution) -> None:
    assert len(d.features) in (1, 2)
    assert set(d.cardinalities) <= {2, 3, 4}
    assert len(d.classes) == 2
    assert d.weights.max() <= 5


@pytest.mark.quick
@given(
    joint_distributions(zeros=False, unique_maximum=True, classes=(1, 4)),
    joint_distributions(positive=True),
    joint_distributions(unique_maximum=True),
)
def test_promises_are_kept(full: JointDistribution, positive: JointDistribution, unique: JointDistribution) -> None:
    assert full.weights.min() > 0
    assert full.has_unique_maximum()
    assert positive.is_positive()
    assert unique.has_unique_maximum()


@pytest.mark.thorough
def test_assumptions_do_not_exclude_zeros_or_any_class() -> None:
    both = joint_distributions(positive=True, unique_maximum=True, classes=(3, 3), min_features=1)
    never = [lambda d: not d.weights[..., 0].any(), lambda d: not d.weights[..., 2].any()]
    likeliest = [lambda d: 0 in d.weights.argmax(axis=-1), lambda d: 2 in d.weights.argmax(axis=-1)]
    for condition in (*never, *likeliest):
        find(both, condition, settings=ANY)


@given(st.data())
def test_subsets_and_events_fit(data: st.DataObject) -> None:
    d = data.draw(joint_distributions(named=True))
    assert data.draw(feature_subsets(d)) <= set(d.features)
    assert data.draw(feature_subsets(list(d.features))) <= set(d.features)
    assert d.target not in data.draw(events(d, target=False))
    assert 0 <= d.probability(data.draw(events(d))) <= 1


@pytest.mark.thorough
def test_subsets_and_events_reach_their_ends() -> None:
    d = JointDistribution([[[1, 2], [3, 4]], [[5, 6], [7, 8]]])
    assert find(feature_subsets(d), lambda s: True) == frozenset()
    assert find(feature_subsets(d), lambda s: len(s) == 2) == {"X1", "X2"}
    assert find(events(d), lambda e: True) == {}
    assert set(find(events(d), lambda e: len(e) == 3)) == {"X1", "X2", "Y"}
    assert frozenset() in find(events(d), lambda e: frozenset() in e.values()).values()


@given(names(), labels())
def test_names_and_labels_are_legal(name: str, label: object) -> None:
    d = JointDistribution([[1]], features=[name], target=name + "'", states={name: [label]})
    assert JointDistribution.from_json(d.to_json()) == d


UNSHRUNK = settings(max_examples=100, phases=[Phase.generate], database=None)

test_what_cannot_be_drawn = refusals(
    [
        ("first(joint_distributions(min_features=2, max_features=1))", InvalidValueError, "features", "smaller number"),
        ("first(joint_distributions(cardinalities=(0, 2)))", InvalidValueError, "cardinalities", "at least 1"),
        ("first(joint_distributions(max_weight=0))", InvalidValueError, "max_weight", "at least 1"),
        ("feature_subsets('ab')", InvalidTypeError, "features", "an iterable of names"),
        ("first(events(3))", InvalidTypeError, "d", "a JointDistribution"),
    ],
    {**vars(testing), "first": lambda strategy: find(strategy, lambda found: False, settings=UNSHRUNK)},
)
