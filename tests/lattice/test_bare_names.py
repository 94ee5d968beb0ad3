"""The name of one feature is accepted wherever a subset is, and means the subset of that feature."""

import inspect
from collections.abc import Callable
from functools import partial
from operator import attrgetter
from typing import Any

import pytest

import fstheory as fs
from fstheory import lattice as orders, measures as information, selection
from fstheory.distributions import gallery
from fstheory.errors import UnknownNameError
from fstheory.lattice.extensions import order_masks
from fstheory.lattice.subsets import Subset
from fstheory.measures import bounds, criteria
from fstheory.proofs.realization import realize
from fstheory.selection.greedy import set_function
from tests.house.test_public_names import functions_of, public_names

D = fs.JointDistribution([[[3, 1], [1, 3]], [[1, 3], [2, 2]]], states={"X1": [0, 2], "X2": [1, 5], "Y": [-1, 1]})
MODEL = fs.Model(D)
FAMILY = fs.linear_family(fs.gallery.xor(), fs.gallery.xor(noise="1/4"))
RISKS = fs.bayes_risks(D)
GINI = criteria.as_criterion("gini")
SCORES = GINI.table(D)
DRAWN = fs.sample(D, 30, rng=0)
FOS = fs.FOS(tau="1/20")
SIMULATED = fs.simulate(D, 5, FOS, trials=20, rng=0)
NETWORK = fs.networks.Network({"X1": ((), {0: "1/3", 1: "2/3"}), "Y": ("X1", {0: {0: 1}, 1: {0: 1}})})

INFORMATION = ("entropy", "conditional_entropy", "mutual_information")
WORDS = (
    "subsets", "states", "risk", "gini", "balanced", "auc", "explained", *INFORMATION, "minimal_optimal",
    "markov_blanket", "markov_boundary",
)  # fmt: skip


OF_A_DISTRIBUTION = (
    "bayes_classifier", "bayes_risk", "measures.entropy", "measures.information_lost", "measures.linear_regression",
)  # fmt: skip
OF_A_SAMPLE: dict[str, dict[str, Any]] = {
    "holdout_risk": {"holdout": "1/3"},
    "permutation_null": {"rng": 0, "permutations": 9},
    "risk_estimates": {},
}


GAINS = ("importance", "shapley", "banzhaf", "loco", "alone", "mci")


def gains(name: str, subset: Subset) -> str:
    return str(getattr(MODEL, name)("X1", of=subset))


CALLS: dict[str, Callable[[Subset], Any]] = {
    **{
        f"measures.bounds.{name}": partial(getattr(bounds, name), D)
        for name in bounds.__all__
        if {"subset", "removed"} & inspect.signature(getattr(bounds, name)).parameters.keys()
        and name != "elimination_identity"  # the order of the removed features matters there
    },
    **{f"Model.{name}": lambda subset, name=name: str(getattr(MODEL, name)(subset)) for name in WORDS},  # type: ignore[misc]
    "Model.cost_sensitive": lambda subset: str(MODEL.cost_sensitive(subset, cost="1/3")),
    "Model.function": lambda subset: str(MODEL.function("X2", of=subset)),
    "Model.classifiers": lambda subset: len(list(MODEL.classifiers(subset))),
    "Model.feature_information": lambda subset: str(MODEL.feature_information(subset, "X2")),
    "Model.independent": lambda subset: str(MODEL.independent(subset, "X2", given=subset)),
    "JointDistribution.marginal": D.marginal,
    "SubsetTable.restrict": lambda subset: str(RISKS.restrict(containing=subset)) + str(RISKS.restrict(within=subset)),
    "SubsetTable[]": lambda subset: (RISKS[subset], subset in RISKS),
    "SubsetTable.plot": lambda subset: RISKS.plot(best=subset).to_svg(),
    "SubsetTable.to_networkx": lambda subset: sorted(map(str, RISKS.to_networkx(best=subset).nodes(data=True))),
    "SubsetTable.to_tikz": lambda subset: RISKS.to_tikz(best=subset),
    "SubsetTable.from_mapping": lambda subset: fs.SubsetTable.from_mapping(
        {subset if isinstance(subset, str) else tuple(subset): 1}, features=["X1"]
    ).masks.tolist(),
    "adversarial_favoring": lambda subset: fs.adversarial_favoring(subset, factor=3, features=2),
    "adversarial_with_risks": lambda subset: fs.adversarial_with_risks([([], "1/2"), (subset, "1/4")]),
    **{name: partial(attrgetter(name)(fs), D) for name in OF_A_DISTRIBUTION},
    **{
        f"samples.{name}": partial(getattr(fs.samples, name), DRAWN, **options) for name, options in OF_A_SAMPLE.items()
    },
    "conditionally_independent": lambda subset: (
        fs.conditionally_independent(D, subset, "Y"),
        fs.conditionally_independent(D, "Y", "X2", subset),
    ),
    "criterion_value": lambda subset: fs.criterion_value(D, "gini", subset),
    "measures.criteria.Criterion.predictor": lambda subset: str(GINI.predictor(D, subset)),
    "measures.criteria.Criterion.value": lambda subset: GINI.value(D, subset),
    "measures.criteria.Criterion.seen": lambda subset: GINI.seen(D, subset),
    "order_masks": lambda subset: order_masks([["X1", "X2"], subset, ["X2"], []])[0].tolist(),
    "linear_extension_with": lambda subset: orders.linear_extension_with([(subset, "X2")], 2),
    "realize": lambda subset: str(realize([[["X1", "X2"]], [subset], ["X2"], [[]]])),
    "selection.information_crossings": lambda subset: str(fs.selection.information_crossings(FAMILY, subset, "X2")),
    "measures.conditional_entropy": lambda subset: information.conditional_entropy(D, "Y", subset),
    "samples.LawCurve.probability": fs.samples.law_curve(D, FOS, [2, 3]).probability,
    "samples.Law[]": fs.selection_law(D, 3, FOS).__getitem__,
    "samples.Law.interval": SIMULATED.interval,
    "selection.networks.Network.joint": lambda subset: NETWORK.joint(subset, "Y"),
    "distributions.Sample.cells": lambda subset: DRAWN.cells(subset).tolist(),
    "distributions.Sample.marginal": DRAWN.marginal,
    "distributions.Sample.empirical": DRAWN.empirical,
    "SetFunction.value": set_function(D, "gini").value,
    "Model.top": lambda subset: str(MODEL.top(subset, MODEL.shapley)),
    **{f"Model.{name}": partial(gains, name) for name in GAINS},
    "selection.submodularity_ratio": lambda subset: selection.submodularity_ratio(SCORES, within=subset),
}


@pytest.mark.one_in(4)
@pytest.mark.parametrize("name", CALLS)
def test_a_name_is_the_subset_of_that_feature(name: str) -> None:
    assert CALLS[name]("X1") == CALLS[name](["X1"])


def test_every_function_that_takes_a_subset_is_asked() -> None:
    taking = {
        function
        for name in public_names()
        for dotted, function in functions_of(name)
        if any("Subset" in str(p.annotation).split(" | ") for p in inspect.signature(function).parameters.values())
        and dotted not in CALLS
    }
    asked = {function for name in public_names() for dotted, function in functions_of(name) if dotted in CALLS}
    assert taking <= asked


def test_several_names_in_one_string_are_refused_with_both_readings() -> None:
    both = "features: feature 'X1X2' does not exist; use one of: 'X1', 'X2'; a string is the name of one feature, "
    with pytest.raises(UnknownNameError) as caught:
        gallery.xor().marginal("X1X2")
    assert str(caught.value) == both + "several are written as a set such as {'X1', 'X2'}"

    d = D.rename({"X1": "A", "X2": "AY"})  # a name made of names is one feature
    assert d.marginal("AY").features == ("AY",)
    assert fs.bayes_risks(d)["AY"] == fs.bayes_risk(d, {"AY"})
