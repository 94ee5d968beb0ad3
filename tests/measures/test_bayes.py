"""Bayes risks and classifiers against the definition, and against dit, scikit-learn's trees and pgmpy."""

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, strategies as st

from fstheory import JointDistribution, bayes_classifier, bayes_risk, bayes_risks
from fstheory.distributions import gallery
from fstheory.measures.information import conditional_entropy, conditional_mutual_information
from fstheory.testing import feature_subsets, joint_distributions
from tests import literal

BINARY = joint_distributions(max_features=5, cardinalities=(2, 2), classes=(2, 4))


@given(joint_distributions(named=True) | BINARY, st.integers(1, 3))
def test_every_risk(d: JointDistribution, threads: int) -> None:
    expected = literal.risks(d.to_pmf(), d.features)
    risks = bayes_risks(d, threads=threads)
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


# Software by others, whose answers are floats, in files made by the scripts beside them: `TOLERANCE` is far above the
# error of a float and far below 1/total of every table.

ORACLES = Path(__file__).parents[1] / "oracles"
PEERS: dict[str, Any] = json.loads((ORACLES / "peers.json").read_text(encoding="utf-8"))
INFORMATION: dict[str, Any] = json.loads((ORACLES / "information.json").read_text(encoding="utf-8"))
PUBLISHED: dict[str, Any] = json.loads((ORACLES / "gallery_published.json").read_text(encoding="utf-8"))
TOLERANCE = Fraction(1, 10**10)


def near(exact: Fraction, theirs: float) -> bool:
    return abs(exact - Fraction(theirs)) < TOLERANCE


def load(entry: dict[str, Any]) -> JointDistribution:
    rows = entry["rows"] if "rows" in entry else PUBLISHED["tables"][entry["name"]]["rows"]
    *features, target = entry["columns"]
    return JointDistribution.from_counts({tuple(x): weight for *x, weight in rows}, features=features, target=target)


@pytest.mark.parametrize("peer", ["dit", "trees"])
@pytest.mark.parametrize("entry", PEERS["tables"], ids=lambda entry: entry["name"])
def test_risks(entry: dict[str, Any], peer: str) -> None:
    theirs = entry[peer]["risks"] if peer == "dit" else entry[peer]
    risks = bayes_risks(load(entry))
    assert len(theirs) == len(risks)
    for subset, value in theirs.items():
        assert near(risks[filter(None, subset.split(","))], value)


def test_the_tables_of_counts_are_the_gallery() -> None:
    loaded = {entry["name"]: load(entry) for entry in PEERS["tables"]}
    for name, d in (("titanic", gallery.titanic()), ("berkeley", gallery.berkeley())):
        assert dict(bayes_risks(loaded[name])) == dict(bayes_risks(d))


@pytest.mark.one_in(6)
@pytest.mark.parametrize("answer", PEERS["asia"], ids=lambda a: f"{a['variable']} given {a['given']}")
def test_the_network(answer: dict[str, Any]) -> None:
    d = gallery.asia(answer["variable"])
    assert near(d.posterior(answer["given"])["yes"], answer["yes"])


@pytest.mark.parametrize("table", INFORMATION["tables"], ids=lambda table: f"seed {table['seed']}")
def test_dit_agrees(table: dict[str, Any]) -> None:
    d = JointDistribution.from_counts({tuple(row[:-1]): row[-1] for row in table["rows"]})
    names = [*d.features, d.target]
    for answer in table["answers"]:
        a, b, c = ([names[i] for i in answer[key]] for key in "abc")
        left = conditional_entropy(d, a, c, base=2)
        shared = conditional_mutual_information(d, a, b, c, base=2)
        assert abs(float(left) - answer["H(A | C)"]) < 1e-11
        assert abs(float(shared) - answer["I(A; B | C)"]) < 1e-11
