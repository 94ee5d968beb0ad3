"""Bayes risks and classifiers against the definition."""

from hypothesis import given
from hypothesis import strategies as st

from fstheory import JointDistribution, bayes_classifier, bayes_risk, bayes_risks
from fstheory.testing import feature_subsets, joint_distributions
from tests import literal

BINARY = joint_distributions(max_features=5, cardinalities=(2, 2), classes=(2, 4))


@given(joint_distributions(named=True) | BINARY, st.integers(1, 3))
def test_every_risk(d: JointDistribution, threads: int) -> None:
    expected = literal.risks(d.to_pmf(), d.features)
    risks = bayes_risks(d, executor=threads)
    assert dict(risks) == expected
    assert (risks.features, risks.name, risks.symbol) == (d.features, "Bayes risk", "R")
    assert {s: bayes_risk(d, s) for s in expected} == expected
    assert set(risks.minimal_sets()) == literal.minimal_optimal(expected)


def test_the_text_of_a_classifier_whose_labels_may_be_sets() -> None:
    d, one = JointDistribution([[2, 1], [1, 3]]), frozenset({1})
    assert repr(bayes_classifier(d, ())).startswith("<BayesClassifier: Bayes classifier of no features")
    assert str(bayes_classifier(d, ())) == "Bayes classifier of no features: risk 3/7 ≈ 0.4286\n  (): 1"
    assert bayes_classifier(d, "X1")({"X1": 1, "other": []}) == 1
    g = bayes_classifier(JointDistribution([[1, 1], [0, 0]], states={"X1": [one, frozenset()]}))
    assert (g.ties(), g({"X1": frozenset()})) == (((one,),), 0)
    assert bayes_classifier(JointDistribution([[10**9, 10**9], [1, 0]])).table() == {(0,): (0, 1), (1,): (0,)}


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
