"""Bayes risks and classifiers against the definition."""

import itertools
import pickle
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fstheory import JointDistribution, bayes_classifier, bayes_risk, bayes_risks
from fstheory.errors import InvalidTypeError, InvalidValueError, UnknownNameError
from fstheory.measures.risk import BayesClassifier
from fstheory.testing import feature_subsets, joint_distributions
from tests import literal
from tests.refusals import cases


@given(joint_distributions(named=True), st.integers(1, 3))
def test_every_risk(d: JointDistribution, workers: int) -> None:
    expected = literal.risks(d.to_pmf(), d.features)
    risks = bayes_risks(d, workers=workers)
    assert dict(risks) == expected
    assert (risks.features, risks.name, risks.symbol) == (d.features, "Bayes risk", "R")
    assert {s: bayes_risk(d, s) for s in expected} == expected
    assert set(risks.minimal_sets()) == literal.minimal_optimal(expected)


@given(joint_distributions(max_features=5, cardinalities=(2, 2), classes=(2, 4)))
def test_more_features(d: JointDistribution) -> None:
    assert dict(bayes_risks(d)) == literal.risks(d.to_pmf(), d.features)


@pytest.mark.parametrize("unit", [1, 2**70], ids=["narrow", "wide"])
@pytest.mark.parametrize("classes", [2, 3])
@pytest.mark.parametrize(
    "shape",
    [pytest.param((2,) * 11, marks=pytest.mark.thorough), (3, 2, 4, 2, 5, 2, 3), (1, 6, 6, 6, 6), (2,) * 9],
    ids=str,
)
def test_large_tables_against_one_subset_at_a_time(shape: tuple[int, ...], classes: int, unit: int) -> None:
    """Large enough for the sweep to split, to share and to skip blocks; half of this table has a likeliest class."""
    rng = np.random.default_rng(1)
    weights = rng.integers(0, 1000, (*shape, classes)).astype(object)
    half = weights.reshape(-1, classes)[: weights.size // classes // 2]
    half[:, 0] += 1000
    half[7, :] = [1000, 1001, 3][:classes]  # but for one cell
    weights = weights * unit + rng.integers(0, 2, weights.shape)
    d = JointDistribution(weights)
    for workers in (1, 2):
        risks = bayes_risks(d, workers=workers)
        assert all(value == bayes_risk(d, subset) for subset, value in risks.items())


@given(joint_distributions())
def test_risks_respect_the_lattice(d: JointDistribution) -> None:
    risks = bayes_risks(d)
    for s, t in itertools.product(risks, repeat=2):
        assert not s <= t or risks[s] >= risks[t]
    assert risks.maximum == risks[()] <= 1 - Fraction(1, len(d.classes))
    assert risks.minimum == risks[d.features] >= 0


@given(st.data())
def test_the_risks_of_a_marginal_are_those_of_its_subsets(data: st.DataObject) -> None:
    d = data.draw(joint_distributions(named=True))
    kept = data.draw(feature_subsets(d))
    part = bayes_risks(d).restrict(within=kept)
    assert dict(bayes_risks(d.marginal(kept))) == dict(part)


@given(st.data())
def test_the_order_of_features_states_and_classes_does_not_matter(data: st.DataObject) -> None:
    d = data.draw(joint_distributions())
    axes = data.draw(st.permutations(range(len(d.features))))
    weights = d.weights.transpose(*axes, len(axes))
    for axis, size in enumerate(weights.shape):
        weights = weights.take(data.draw(st.permutations(range(size))), axis=axis)
    moved = JointDistribution(weights, features=[d.features[i] for i in axes])
    assert dict(bayes_risks(moved)) == dict(bayes_risks(d))


@given(joint_distributions(), st.integers(2, 3))
def test_a_copy_of_a_feature_tells_nothing_new(d: JointDistribution, k: int) -> None:
    if not d.features:
        return
    doubled = JointDistribution.from_pmf({(x[0], *x): p for x, p in d.to_pmf().items()})
    risks = bayes_risks(doubled)
    assert all(risks[s | {"X1"}] == risks[s | {"X2"}] == risks[s | {"X1", "X2"}] for s in risks)


@pytest.mark.parametrize("unit", [1, 2**61, 2**62, 2**63, 2**64, 2**1000])
def test_at_the_edge_of_a_machine_word(unit: int) -> None:
    """Odd weights around a large unit: differences are in the last digit only."""
    d = JointDistribution([[[unit, unit - 1, 0], [0, unit + 1, unit]], [[unit, 0, unit], [unit, unit, unit]]])
    assert dict(bayes_risks(d)) == literal.risks(d.to_pmf(), d.features)
    assert all(bayes_risk(d, s) == bayes_risks(d)[s] for s in literal.subsets(d.features))


@pytest.mark.parametrize("weights", [[1], [2**90], [3, 5, 5], [2**90, 2**90 + 1], [[[[7]]]], np.ones((1, 1, 4), int)])
def test_degenerate_shapes(weights: Any) -> None:
    d = JointDistribution(weights)
    assert dict(bayes_risks(d)) == literal.risks(d.to_pmf(), d.features)
    assert len(set(bayes_risks(d).values())) == 1


@given(st.data())
def test_classifier(data: st.DataObject) -> None:
    d = data.draw(joint_distributions(named=True))
    subset = data.draw(st.none() | feature_subsets(d))
    kept = [i for i, name in enumerate(d.features) if subset is None or name in subset]
    g = bayes_classifier(d, subset)
    pmf = d.to_pmf()
    best = literal.maximizers(pmf, kept)
    assert g.features == tuple(d.features[i] for i in kept)
    assert g.table() == best
    errs = literal.probability(pmf, lambda cell: g(dict(zip(d.features, cell, strict=False))) != cell[-1])
    assert g.risk == literal.bayes_risk(pmf, kept) == errs
    marginal = literal.marginal(pmf, kept)
    assert g.ties() == tuple(s for s, ys in best.items() if len(ys) > 1 and marginal[(*s, ys[0])] > 0)
    for s, ys in best.items():
        state = dict(zip(g.features, s, strict=True))
        assert g.maximizers(state) == ys
        assert g(state) == ys[0]
        if not any(marginal[(*s, y)] for y in d.classes):
            assert ys == d.classes
    assert pickle.loads(pickle.dumps(g)) == g
    assert hash(bayes_classifier(d, subset)) == hash(g)


@given(joint_distributions(max_features=2, cardinalities=(1, 2), classes=(2, 3)))
def test_no_classifier_errs_less(d: JointDistribution) -> None:
    """Devroye, Gyorfi and Lugosi (1996), Theorem 2.1, over all functions from states to classes."""
    pmf = d.to_pmf()
    states = list(itertools.product(*(d.states[name] for name in d.features)))
    errors = []
    for answers in itertools.product(d.classes, repeat=len(states)):
        says = dict(zip(states, answers, strict=True))
        errors.append(literal.probability(pmf, lambda cell, says=says: says[cell[:-1]] != cell[-1]))  # type: ignore[misc]
    assert bayes_risk(d, d.features) == min(errors)


def test_labels_that_are_sets_have_ties_too() -> None:
    one, two = frozenset({1}), frozenset({2})
    g = bayes_classifier(JointDistribution([[1, 1], [0, 0]], states={"X1": [one, two]}))
    assert g.ties() == ((one,),)
    assert g({"X1": two}) == 0


D = JointDistribution([[1, 2], [3, 4]])
G = bayes_classifier(D)


REFUSED: dict[type[Exception], list[str]] = {
    InvalidTypeError: [
        "bayes_risk(3, [])", "bayes_risks([[1, 2]])", "bayes_classifier(None)", "bayes_risks(D, workers=1.0)",
        "bayes_risks(D, workers=True)", "G(0)", "G([0])",
    ],
    InvalidValueError: ["bayes_risk(D, ['X1', 'X1'])", "bayes_risks(D, workers=0)", "G({})", "G({'X2': 0})"],
    UnknownNameError: [
        "bayes_risk(D, 'X1X2')", "bayes_risk(D, ['Y'])", "bayes_classifier(D, 'Y')", "bayes_classifier(D, [0])",
        "G({'X1': 2})", "G({'X1': [0]})",
    ],
}  # fmt: skip


@pytest.mark.parametrize(("call", "error"), cases(REFUSED))
def test_calls_that_are_refused(call: str, error: type[Exception]) -> None:
    with pytest.raises(error) as caught:
        eval(call)
    assert type(caught.value) is error


def test_the_text_of_a_classifier() -> None:
    d = JointDistribution([[2, 1], [1, 3]])
    assert str(bayes_classifier(d, ())) == "Bayes classifier of no features: risk 3/7 ≈ 0.4286\n  (): 1"
    assert str(bayes_classifier(d, "X1")).splitlines()[0] == "Bayes classifier of X1: risk 2/7 ≈ 0.2857"


def test_a_classifier_looks_at_its_own_features_only() -> None:
    d = JointDistribution([[[5, 1], [1, 1]], [[1, 2], [2, 3]]])
    g = bayes_classifier(d, ["X2"])
    assert isinstance(g, BayesClassifier)
    assert g({"X2": 0, "X1": "anything", "other": []}) == 0
