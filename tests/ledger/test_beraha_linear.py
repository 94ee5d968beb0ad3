"""What the ledger says of linear models in Beraha et al. agrees with the library, on random distributions."""

from __future__ import annotations

import itertools
from collections.abc import Callable

import flint
import pytest

from fstheory import Check, bounds, gallery
from fstheory.distribution import JointDistribution
from fstheory.errors import InvalidValueError
from fstheory.information import conditional_mutual_information, mutual_information
from fstheory.ledger import beraha_2019_linear, claims, terms
from fstheory.logic import Claim, Holds, Model, Vacuous
from fstheory.regression import covariances, linear_regression
from tests.bounds import literal
from tests.ledger.drawn import drawn, is_true, last_comparison, places, pmf_of, subsets, value


@pytest.mark.parametrize("seed", range(40))
def test_terms_of_linear_models(seed: int) -> None:
    d = drawn(seed)
    m, pmf = Model(d), pmf_of(d)
    variables: list[str | None] = [*m.order, None]
    matrix = covariances(d, (*d.features, d.target))
    for (i, first), (j, second) in itertools.product(enumerate(variables), repeat=2):
        found = value(d, terms.covariance(m, first, second))
        assert found == literal.covariance(pmf, i, j) == matrix[i][j]
    if not is_true(terms.regular, d):
        assert not linear_regression(d).unique
        return
    assert linear_regression(d).unique
    for kept in subsets(d):
        for j, variable in enumerate(variables):
            assert value(d, terms.linear_error(m, kept, variable)) == literal.linear_error(pmf, places(d, kept), j)
        fit = linear_regression(d, sorted(kept))
        for state in m.states(kept):
            prediction = terms.linear_prediction(m, sorted(kept), state)
            assert value(d, prediction) == fit.predict(state)
    full = linear_regression(d)
    for name in m.order:
        assert value(d, terms.weight(m, name)) == full.weights[name]
        for other in m.order:
            row = (terms.inverse_entry(m, name, k) * terms.covariance(m, k, other) for k in m.order)
            assert value(d, m.sum(row)) == int(name == other)


LINES: dict[Claim, Callable[..., Check]] = {
    beraha_2019_linear.theorem_2: bounds.linear_bound_as_printed,
    beraha_2019_linear.theorem_2_with_absolute_values: bounds.linear_bound,
    beraha_2019_linear.theorem_2_sharper: bounds.linear_bound_sharp,
    beraha_2019_linear.theorem_2_exact: bounds.linear_identity,
    beraha_2019_linear.theorem_2_by_correlations: bounds.correlation_bound_as_printed,
    beraha_2019_linear.theorem_2_by_absolute_correlations: lambda d, removed: bounds.correlation_bound_as_printed(
        d, removed, absolute=True
    ),
    beraha_2019_linear.theorem_2_by_correlations_corrected: bounds.correlation_bound,
    beraha_2019_linear.theorem_2_by_correlations_exact: bounds.correlation_identity,
}


@pytest.mark.thorough
@pytest.mark.parametrize("claim", LINES, ids=lambda claim: claim.name)
def test_linear_bounds_agree_with_the_library(claim: Claim) -> None:
    outcomes = set()
    for seed in range(70):
        d = drawn(seed)
        if not is_true(terms.regular, d):
            continue
        for removed in subsets(d)[1:]:
            try:
                holds = bool(LINES[claim](d, removed))
            except InvalidValueError:  # features that have to be uncorrelated are not: nothing is claimed
                assert is_true(claim, d, removed)
                continue
            outcomes.add(holds)
            assert is_true(claim, d, removed) == holds, (seed, removed)
    assert outcomes == ({True, False} if claims[claim.name].status == "false" else {True})


CONJUNCTION = JointDistribution.from_counts(
    {(a * b, a, b, y): 1 + a * y for a, b, y in itertools.product((0, 1), repeat=3)}
)
"""X1 = X2 X3 is correlated with two features that are not correlated with each other."""


@pytest.mark.parametrize("d", [CONJUNCTION, *map(drawn, range(25))])
def test_sides_of_bounds(d: JointDistribution) -> None:
    """Not only the verdicts are the same: so is the slack, where a theorem would be true with another constant."""
    if not is_true(terms.regular, d):
        assert d != CONJUNCTION
        return
    for removed, (claim, function) in itertools.product(subsets(d)[1:], LINES.items()):
        try:
            check = function(d, removed)
        except InvalidValueError:
            continue
        sides = last_comparison(d, claim, removed)
        if sides is None:  # both sides are the same term
            assert check.slack == 0
        else:
            assert sides[1] - sides[0] == (0 if check.relation == "==" else check.slack)


def test_weights_of_the_proof() -> None:
    """Against the weights of a regression on A alone, where its features are uncorrelated, and on all."""
    seen = set()
    for seed in range(200):
        d = drawn(seed)
        if not is_true(terms.regular, d):
            continue
        full = linear_regression(d).weights
        for removed in subsets(d)[1:]:
            gone = sorted(removed)
            matrix = covariances(d, (*gone, d.target))
            if any(matrix[i][j] for i, j in itertools.combinations(range(len(gone)), 2)):
                continue
            for place, i in enumerate(gone):
                own = matrix[place][-1] / matrix[place][place] == full[i]
                assert is_true(beraha_2019_linear.weights_of_uncorrelated_features, d, removed, i) == own
                seen.add(own)
        whole = covariances(d, d.features)
        for place, i in enumerate(d.features):
            if not any(whole[place][j] for j in range(len(d.features)) if j != place):
                own_weight = linear_regression(d, [i]).weights[i]
                assert own_weight == full[i]
                assert is_true(beraha_2019_linear.weights_of_features_uncorrelated_with_all, d, i)
    assert seen == {True, False}


@pytest.mark.parametrize("seed", range(60))
def test_linear_models_and_information(seed: int) -> None:
    """B-1l, B-2z, B-2d and B-2dx by regressions and mutual informations."""
    d = drawn(seed)
    largest = max(abs(cell[-1]) for cell, p in pmf_of(d).items() if p)
    regular = is_true(terms.regular, d)
    for i in d.features:
        dependent = mutual_information(d, [i], ["Y"]) > 0
        correlated = covariances(d, (i, "Y"))[0][1] != 0
        assert is_true(beraha_2019_linear.correlation_is_dependence, d, i) == (dependent or not correlated)
        assert is_true(beraha_2019_linear.dependence_is_correlation, d, i) == (correlated or not dependent)
        if regular:
            rest = [name for name in d.features if name != i]
            lost = linear_regression(d, rest).residual_variance - linear_regression(d).residual_variance
            assert is_true(beraha_2019_linear.uncorrelated_is_irrelevant, d, i) == (correlated or lost == 0)
            told = conditional_mutual_information(d, ["Y"], [i], rest)
            holds = lost <= 2 * largest**2 * told
            assert is_true(beraha_2019_linear.theorem_1_for_linear_predictors, d, frozenset({i})) == holds


def test_correlations_of_the_printed_example() -> None:
    """B-E1n, where X1 is normal and X2 its exponential: the formulas of the textbook, enclosed in balls."""
    seen = []
    for noise in (1, 4, 9, 16, 25):
        v = flint.arb(noise)
        both = v * (v / 2).exp()
        wide = v.exp() * (v.exp() - 1)
        of_y = v + 2 * both + wide
        first, second = (v + both) ** 2 / (v * of_y), (both + wide) ** 2 / (wide * of_y)
        among = both**2 / (v * wide)
        assert first + second <= 1 + among.sqrt()
        seen.append(first)
    assert all(after < before / 2 for before, after in itertools.pairwise(seen))
    assert flint.arb("0.0011") < seen[2] < flint.arb("0.0012")


def test_example_1() -> None:
    """The gallery's finite version, with other labels than those of the certificate, and one that is linear."""
    assert isinstance(claims["B-E1"].check(gallery.recoded()), Holds | Vacuous)
    people = {(1, 2, 3): 1, (2, 4, 6): 1, (3, 1, 4): 2, (4, 3, 7): 5}
    d = JointDistribution.from_counts(people)
    assert claims["B-E1"].check(d) == Holds("B-E1", 2)
    line = JointDistribution.from_counts({(1, 2, 3): 1, (2, 4, 6): 1, (3, 6, 9): 1})
    assert isinstance(claims["B-E1"].check(line), Vacuous)
