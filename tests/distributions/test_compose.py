"""Products, mixtures and irrelevant features, by what defines them."""

from fractions import Fraction
from itertools import product as pairs
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fstheory import JointDistribution, bayes_risk, independent_features
from fstheory.distributions.joint import mixture, product
from fstheory.errors import InvalidTypeError, InvalidValueError
from fstheory.testing import joint_distributions
from tests.refusals import cases

small = joint_distributions(max_features=2)
masses = st.lists(st.integers(0, 9), min_size=1, max_size=3).filter(any)


def proportions(weights: list[int]) -> list[Fraction]:
    return [Fraction(w, sum(weights)) for w in weights]


@given(small, small)
def test_product(d: JointDistribution, e: JointDistribution) -> None:
    other = e.rename({name: f"Z{i}" for i, name in enumerate(e.features)})
    both = product(d, other)
    assert both.features == (*d.features, *other.features)
    assert both.target == "Y,Y"
    expected = {(*x, *z, (y, u)): p * q for ((*x, y), p), ((*z, u), q) in pairs(d.to_pmf().items(), e.to_pmf().items())}
    assert both.to_pmf() == expected
    for subset in (d.features, other.features, ()):
        right = [1 - bayes_risk(part, [name for name in subset if name in part.features]) for part in (d, other)]
        assert bayes_risk(both, subset) == 1 - right[0] * right[1]


def test_product_keeps_the_labels_of_a_feature_named_like_the_other_target() -> None:
    d = JointDistribution([[1, 2], [3, 4]], features=["Z"], states={"Z": ["a", "b"]})
    assert product(d, JointDistribution([1, 1], target="Z")).states["Z"] == ("a", "b")
    assert product(JointDistribution([1, 1], target="Z"), d).states["Z"] == ("a", "b")


def test_product_of_problems_with_common_features_is_refused() -> None:
    d = JointDistribution([[1, 2], [3, 4]])
    with pytest.raises(InvalidValueError, match="distinct names"):
        product(d, d)
    with pytest.raises(InvalidValueError, match="not among the features"):
        product(d, JointDistribution([1, 1]), target="X1")


@given(small, masses)
def test_an_irrelevant_feature(d: JointDistribution, weights: list[int]) -> None:
    noise = dict(enumerate(proportions(weights)))
    wider = independent_features(d, {"noise": noise})
    assert wider.features == (*d.features, "noise")
    assert wider.to_pmf() == {(*x, z, y): p * q for (*x, y), p in d.to_pmf().items() for z, q in noise.items()}
    assert wider.marginal(d.features) == d
    assert bayes_risk(wider, wider.features) == bayes_risk(d, d.features)
    assert bayes_risk(wider, ["noise"]) == bayes_risk(d, [])


def test_an_irrelevant_feature_may_be_called_y() -> None:
    d = independent_features(JointDistribution([1, 2], target="class"), {"Y": {"a": "1/3", "b": "2/3"}, "Z": {0: 1}})
    assert d.features == ("Y", "Z")
    assert d.posterior({"Y": "b"}) == {0: Fraction(1, 3), 1: Fraction(2, 3)}


NO_FEATURES: dict[type[Exception], list[object]] = {
    InvalidTypeError: [3, {"Z": 3}, {3: {0: 1}}],
    InvalidValueError: [{"X1": {0: 1}}, {"Y": {0: 1}}, {"Z": {0: "1/2"}}, {"Z": {}}],
}


@pytest.mark.parametrize(("features", "error"), cases(NO_FEATURES))
def test_irrelevant_features_that_are_none(features: Any, error: type[Exception]) -> None:
    with pytest.raises(error):
        independent_features(JointDistribution([[1, 2], [3, 4]]), features)


@given(st.data(), masses)
def test_mixture(data: st.DataObject, weights: list[int]) -> None:
    first = data.draw(small)
    cells = first.weights.size
    tables = st.lists(st.integers(0, 9), min_size=cells, max_size=cells).filter(any)
    others = [
        JointDistribution([Fraction(w) for w in data.draw(tables)]).weights.reshape(first.weights.shape)
        for _ in weights[1:]
    ]
    parts = [first, *map(JointDistribution, others)]
    mixed = mixture(parts, proportions(weights))
    pmfs = [part.to_pmf() for part in parts]
    assert mixed.to_pmf() == {
        cell: sum(q * pmf[cell] for q, pmf in zip(proportions(weights), pmfs, strict=True)) for cell in pmfs[0]
    }
    subset = first.features[:1]
    average = sum(q * bayes_risk(part, subset) for q, part in zip(proportions(weights), parts, strict=True))
    assert bayes_risk(mixed, subset) >= average  # the Bayes risk is concave


@given(joint_distributions(named=True), masses)
def test_a_mixture_of_equals_is_the_same(d: JointDistribution, weights: list[int]) -> None:
    assert mixture([d] * len(weights), proportions(weights)) == d


D = JointDistribution([[1, 2], [3, 4]])
HALVES = ["1/2", "1/2"]
NO_MIXTURE: dict[type[Exception], list[tuple[object, object]]] = {
    InvalidTypeError: [
        (D, [1]), ([D, 3], HALVES), ([D, D], [0.5, 0.5]), ([D], "1"), ([D], 1), ((d for d in [D]), [1]), ([D], {1}),
    ],
    InvalidValueError: [
        ([], []), ([D], ["1/2"]), ([D, D], [1]), ([D, D], [2, -1]), ([D, D.rename({"Y": "Z"})], HALVES),
        ([D, JointDistribution([1, 2])], HALVES),
    ],
}  # fmt: skip


@pytest.mark.parametrize(("arguments", "error"), cases(NO_MIXTURE))
def test_mixtures_that_are_none(arguments: tuple[Any, Any], error: type[Exception]) -> None:
    with pytest.raises(error):
        mixture(*arguments)
