"""Bayes risks and classifiers against the definition."""

import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fstheory import JointDistribution, bayes_classifier, bayes_risk, bayes_risks
from fstheory.testing import feature_subsets, joint_distributions
from tests import literal

BINARY = joint_distributions(max_features=5, cardinalities=(2, 2), classes=(2, 4))


@given(joint_distributions(named=True) | BINARY, st.integers(1, 3))
def test_every_risk(d: JointDistribution, workers: int) -> None:
    expected = literal.risks(d.to_pmf(), d.features)
    risks = bayes_risks(d, workers=workers)
    assert dict(risks) == expected
    assert (risks.features, risks.name, risks.symbol) == (d.features, "Bayes risk", "R")
    assert {s: bayes_risk(d, s) for s in expected} == expected
    assert set(risks.minimal_sets()) == literal.minimal_optimal(expected)


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


def test_the_text_of_a_classifier_whose_labels_may_be_sets() -> None:
    d, one = JointDistribution([[2, 1], [1, 3]]), frozenset({1})
    assert str(bayes_classifier(d, ())) == "Bayes classifier of no features: risk 3/7 ≈ 0.4286\n  (): 1"
    assert bayes_classifier(d, "X1")({"X1": 1, "other": []}) == 1
    g = bayes_classifier(JointDistribution([[1, 1], [0, 0]], states={"X1": [one, frozenset()]}))
    assert (g.ties(), g({"X1": frozenset()})) == (((one,),), 0)


@pytest.mark.parametrize("unit", [1, 2**61, 2**62, 2**63, 2**64, 2**1000])
def test_at_the_edge_of_a_machine_word(unit: int) -> None:
    """Odd weights around a large unit: differences are in the last digit only."""
    d = JointDistribution([[[unit, unit - 1, 0], [0, unit + 1, unit]], [[unit, 0, unit], [unit, unit, unit]]])
    assert dict(bayes_risks(d)) == literal.risks(d.to_pmf(), d.features)
    assert all(bayes_risk(d, s) == bayes_risks(d)[s] for s in literal.subsets(d.features))


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
