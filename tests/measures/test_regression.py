"""Linear regression against Gram-Schmidt on the definition, and against what a least-squares solution must satisfy."""

from fractions import Fraction
from typing import Any

import pytest
import sympy
from hypothesis import given, strategies as st

from fstheory.distributions.joint import JointDistribution
from fstheory.measures.criteria import mean_squared_error
from fstheory.measures.regression import covariances, linear_regression, means, numeric_states
from fstheory.testing import feature_subsets, joint_distributions
from tests.measures import literal

VALUES = st.integers(-5, 5) | st.fractions(-3, 3, max_denominator=4)


@st.composite
def numeric(draw: st.DrawFn, *, max_features: int = 3, max_weight: int = 9, huge: bool = False) -> JointDistribution:
    """Draw a distribution whose states are distinct exact numbers."""
    d = draw(joint_distributions(max_features=max_features, max_weight=max_weight, huge=huge))
    states = {
        name: draw(st.lists(VALUES, min_size=len(labels), max_size=len(labels), unique=True))
        for name, labels in d.states.items()
    }
    return JointDistribution(d.weights, states=states)


def pmf_of(d: JointDistribution) -> dict[tuple[Any, ...], Fraction]:
    return {cell: p for cell, p in d.to_pmf().items() if p}


def places(d: JointDistribution, names: Any) -> list[int]:
    return [i for i, name in enumerate(d.features) if name in set(names)]


@given(numeric(), st.data())
def test_residual_variance_is_the_least_and_weights_reach_it(d: JointDistribution, data: st.DataObject) -> None:
    """The residual of the prediction has mean 0, is uncorrelated with every feature, and has that variance."""
    kept = data.draw(feature_subsets(d))
    fit = linear_regression(d, kept)
    pmf = pmf_of(d)
    assert fit.residual_variance == literal.linear_error(pmf, places(d, kept), -1)
    residual = {cell: cell[-1] - fit.predict(dict(zip(d.features, cell, strict=False))) for cell in pmf}
    assert sum(p * residual[cell] for cell, p in pmf.items()) == 0
    assert sum(p * residual[cell] ** 2 for cell, p in pmf.items()) == fit.residual_variance
    for i in places(d, kept):
        assert sum(p * residual[cell] * cell[i] for cell, p in pmf.items()) == 0


@given(numeric(max_features=3, max_weight=2))
def test_weights_are_those_of_least_norm(d: JointDistribution) -> None:
    """Against the pseudo-inverse of the covariance matrix, in sympy."""
    fit = linear_regression(d)
    matrix = covariances(d)
    size = len(d.features)
    if not size:
        assert fit.weights == {}
        assert fit.unique
        return
    square = sympy.Matrix(size, size, lambda i, j: sympy.Rational(str(matrix[i][j])))
    column = sympy.Matrix(size, 1, lambda i, _: sympy.Rational(str(matrix[i][size])))
    assert [sympy.Rational(str(w)) for w in fit.weights.values()] == list(square.pinv() * column)
    assert fit.unique == (square.rank() == size)


@given(numeric(), st.data())
def test_a_feature_from_others(d: JointDistribution, data: st.DataObject) -> None:
    if d.features:
        name = data.draw(st.sampled_from(d.features))
        kept = data.draw(feature_subsets(d)) - {name}
        fit = linear_regression(d, kept, target=name)
        place = d.features.index(name)
        assert fit.residual_variance == literal.linear_error(pmf_of(d), places(d, kept), place)
        rest = [other for other in d.features if other != name]
        assert linear_regression(d, target=name) == linear_regression(d, rest, target=name)


@given(numeric(huge=True))
def test_covariances_and_means(d: JointDistribution) -> None:
    pmf, names = pmf_of(d), (*d.features, d.target)
    matrix = covariances(d)
    for i in range(len(names)):
        assert means(d)[names[i]] == sum((p * cell[i] for cell, p in pmf.items()), Fraction(0))
        for j in range(len(names)):
            assert matrix[i][j] == literal.covariance(pmf, i, j)
    assert covariances(d, [d.target]) == ((matrix[-1][-1],),)


def test_how_values_may_be_written_and_how_a_fit_is() -> None:
    states: dict[str, list[Any]] = {"X1": ["-1/2", "0.25"], "Y": [Fraction(1, 3), 2]}
    d = JointDistribution([[1, 0], [0, 1]], states=states)
    assert numeric_states(d, "X1") == (Fraction(-1, 2), Fraction(1, 4))
    with pytest.raises(TypeError):
        linear_regression(d).weights["X1"] = Fraction(1)  # type: ignore[index]
    fits: list[tuple[Any, str]] = [
        (d, "Y ≈ 13/9 + 20/9 X1, mean squared error 0"),
        (JointDistribution([[[0, 0, 1], [0, 1, 0]], [[0, 1, 0], [1, 0, 0]]]), "Y ≈ 2 - X1 - X2, mean squared error 0"),
        (JointDistribution([[3**9000, 1], [1, 5**7000]]), "Y ≈ ≈"),
    ]
    assert all(str(linear_regression(given)).startswith(text) for given, text in fits)


@given(numeric(huge=True), st.data())
def test_mean_squared_error(d: JointDistribution, data: st.DataObject) -> None:
    kept = data.draw(feature_subsets(d))
    assert mean_squared_error(d, kept) == literal.squared_error(pmf_of(d), places(d, kept))
