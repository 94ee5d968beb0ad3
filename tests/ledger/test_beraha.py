"""What the ledger says of Beraha et al. agrees with the library and with the definitions, on random distributions."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Any

import mpmath  # type: ignore[import-untyped]
import pytest

from fstheory import bounds, gallery
from fstheory.distribution import JointDistribution
from fstheory.errors import InvalidValueError
from fstheory.information import conditional_mutual_information, mutual_information
from fstheory.ledger import beraha_2019, linear_terms, terms
from fstheory.ledger import beraha_claims as said
from fstheory.ledger import beraha_linear_claims as said_of_lines
from fstheory.ledger import beraha_stopping_claims as said_of_runs
from fstheory.logic import Claim, Holds, Model, Vacuous
from fstheory.logic.expressions import formula_node
from fstheory.logic.nodes import walk
from fstheory.regression import covariances, linear_regression, mean_squared_error
from tests.bounds import literal
from tests.ledger.drawn import drawn, is_true, last_comparison, numbers, places, pmf_of, value

ENTRIES = {entry.id: entry for entry in beraha_2019.ENTRIES}
SEEDS = range(40)
TWO = ((2, 2, 2), (2, 2, 3), (2, 3, 2), (3, 2), (2, 3))


@pytest.fixture(autouse=True)
def precision() -> Iterator[None]:
    """Compute with the precision of the oracle."""
    with mpmath.workdps(literal.DIGITS):
        yield


def subsets(d: JointDistribution) -> tuple[frozenset[str], ...]:
    return Model(d).subsets()


# The entries


def test_every_statement_has_an_entry() -> None:
    """And only the corrections are named differently from what CLAIMS lists."""
    listed = {"B-0", "B-1", "B-2", "B-2u", "B-3", "B-4", "B-5", "B-E1"}
    assert listed <= ENTRIES.keys()
    claims = {
        c.name for part in (said, said_of_lines, said_of_runs) for c in vars(part).values() if isinstance(c, Claim)
    }
    assert {name for name in claims if name.startswith("B-")} == ENTRIES.keys()


STATUS = {
    "false": "B-0h B-0k B-1y B-1x B-1l B-2 B-2w B-2v B-2u B-2ua B-2z B-2dx B-3x B-3d"
    " B-4z B-5 B-5i B-5n B-5r B-5rn B-5t B-5d",
}


def test_verdicts() -> None:
    false = set(STATUS["false"].split())
    assert {key for key, entry in ENTRIES.items() if entry.status == "false"} == false
    assert {key for key, entry in ENTRIES.items() if entry.status == "true"} == ENTRIES.keys() - false


@pytest.mark.parametrize("key", [key for key in ENTRIES if key not in STATUS["false"].split()])
def test_true_statements_hold_on_random_distributions(key: str) -> None:
    for seed in range(8 if key == "B-0" else 25):
        verdict = ENTRIES[key].check(drawn(seed))
        assert isinstance(verdict, Holds | Vacuous), verdict


# Terms against the definitions


@pytest.mark.parametrize("seed", SEEDS)
def test_terms_of_the_best_predictors(seed: int) -> None:
    d = drawn(seed)
    m, pmf = Model(d), pmf_of(d)
    possible = {cell[-1] for cell, p in pmf.items() if p}
    assert value(d, terms.largest(m)) == max(map(abs, possible))
    assert value(d, terms.width(m)) == max(possible) - min(possible)
    for kept in subsets(d):
        at = places(d, kept)
        assert value(d, terms.squared_error(m, kept)) == literal.squared_error(pmf, at)
        assert literal.near(value(d, terms.score(m, m.features - kept)), literal.nu(pmf, at))
        distance = terms.expectation(m, m.features, lambda x, kept=kept: terms.variation(m, x, kept))  # type: ignore[misc]
        assert value(d, distance) == literal.variation(pmf, at)
        lost = terms.expectation(m, m.features, lambda x, kept=kept: terms.divergence(m, x, kept))  # type: ignore[misc]
        assert literal.near(value(d, lost), literal.nu(pmf, at))
        whole = terms.entropy_by_definition(m, kept | {None}) - terms.entropy_by_definition(m, kept)
        assert literal.near(value(d, whole), literal.conditional_entropy(pmf, at))


@pytest.mark.parametrize("seed", SEEDS)
def test_information_of_groups(seed: int) -> None:
    d = drawn(seed)
    m = Model(d)
    for groups in itertools.product(range(4), repeat=len(d.features) + 1):  # each variable in one group, or in none
        a, b, c = (
            frozenset(name for name, group in zip((*m.order, None), groups, strict=True) if group == number)
            for number in range(3)
        )
        names = [[d.target if name is None else name for name in part] for part in (a, b, c)]
        assert value(d, terms.information(m, a, b, c)) == conditional_mutual_information(d, *names)
        if seed > 5:
            break


@pytest.mark.parametrize("seed", SEEDS)
def test_terms_of_linear_models(seed: int) -> None:
    d = drawn(seed)
    m, pmf = Model(d), pmf_of(d)
    variables: list[str | None] = [*m.order, None]
    matrix = covariances(d, (*d.features, d.target))
    for (i, first), (j, second) in itertools.product(enumerate(variables), repeat=2):
        found = value(d, linear_terms.covariance(m, first, second))
        assert found == literal.covariance(pmf, i, j) == matrix[i][j]
    if not is_true(linear_terms.regular, d):
        assert not linear_regression(d).unique
        return
    assert linear_regression(d).unique
    for kept in subsets(d):
        for j, variable in enumerate(variables):
            assert value(d, linear_terms.linear_error(m, kept, variable)) == literal.linear_error(
                pmf, places(d, kept), j
            )
        fit = linear_regression(d, sorted(kept))
        for state in m.states(kept):
            prediction = linear_terms.linear_prediction(m, sorted(kept), state)
            assert value(d, prediction) == fit.predict(state)
    full = linear_regression(d)
    for name in m.order:
        assert value(d, linear_terms.weight(m, name)) == full.weights[name]
        for other in m.order:
            row = (linear_terms.inverse_entry(m, name, k) * linear_terms.covariance(m, k, other) for k in m.order)
            assert value(d, m.sum(row)) == int(name == other)


# Claims against the functions of the library


BOUNDS: dict[Claim, Callable[..., bounds.BoundCheck]] = {
    said.score_as_difference: bounds.information_identity,
    said.theorem_1: bounds.regression_bound,
    said.theorem_1_into_the_target_space: bounds.regression_bound_as_printed,
    said.theorem_1_sharper: bounds.regression_bound_sharp,
    said.theorem_3: bounds.classification_bound,
    said.theorem_3_sharper: bounds.classification_bound_sharp,
    said.theorem_3_by_variation: bounds.classification_bound_by_variation,
}
LINES: dict[Claim, Callable[..., bounds.BoundCheck]] = {
    said_of_lines.theorem_2: bounds.linear_bound_as_printed,
    said_of_lines.theorem_2_with_absolute_values: bounds.linear_bound,
    said_of_lines.theorem_2_sharper: bounds.linear_bound_sharp,
    said_of_lines.theorem_2_exact: bounds.linear_identity,
    said_of_lines.theorem_2_by_correlations: bounds.correlation_bound_as_printed,
    said_of_lines.theorem_2_by_absolute_correlations: lambda d, removed: bounds.correlation_bound_as_printed(
        d, removed, absolute=True
    ),
    said_of_lines.theorem_2_by_correlations_corrected: bounds.correlation_bound,
    said_of_lines.theorem_2_by_correlations_exact: bounds.correlation_identity,
}


@pytest.mark.parametrize("claim", BOUNDS, ids=lambda claim: claim.name)
def test_bounds_agree_with_the_library(claim: Claim) -> None:
    outcomes = set()
    for seed in range(60):
        d = drawn(seed)
        for removed in subsets(d):
            outcomes.add(holds := bool(BOUNDS[claim](d, removed)))
            assert is_true(claim, d, removed) == holds, (seed, removed)
    assert outcomes == ({True, False} if ENTRIES[claim.name].status == "false" else {True})


@pytest.mark.parametrize("claim", LINES, ids=lambda claim: claim.name)
def test_linear_bounds_agree_with_the_library(claim: Claim) -> None:
    outcomes = set()
    for seed in range(70):
        d = drawn(seed)
        if not is_true(linear_terms.regular, d):
            continue
        for removed in subsets(d)[1:]:
            try:
                holds = bool(LINES[claim](d, removed))
            except InvalidValueError:  # features that have to be uncorrelated are not: nothing is claimed
                assert is_true(claim, d, removed)
                continue
            outcomes.add(holds)
            assert is_true(claim, d, removed) == holds, (seed, removed)
    assert outcomes == ({True, False} if ENTRIES[claim.name].status == "false" else {True})


@pytest.mark.parametrize("seed", range(25))
def test_sides_of_bounds(seed: int) -> None:
    d = drawn(seed)
    functions = dict(BOUNDS)
    if is_true(linear_terms.regular, d):
        functions |= LINES
    for removed, (claim, function) in itertools.product(subsets(d)[1:], functions.items()):
        try:
            check = function(d, removed)
        except InvalidValueError:
            continue
        sides = last_comparison(d, claim, removed)
        if sides is None:  # both sides are the same term
            assert check.slack == 0
        elif isinstance(check.right, bounds.ShiftedRoot):
            assert isinstance(check.left, Fraction)
            assert sides == ((check.left - check.right.shift) ** 2, check.right.radicand)
        elif check.relation == "==":
            assert sides[0] == sides[1]
        else:
            assert sides[1] - sides[0] == check.slack


@pytest.mark.parametrize("seed", range(25))
def test_sides_of_the_sharper_thresholds_and_of_pinsker(seed: int) -> None:
    d = drawn(seed, TWO)
    m, pmf = Model(d), pmf_of(d)
    formula = formula_node(said_of_runs.any_removal_with_the_sharper_thresholds(m, frozenset(d.features)))
    constants = {node[1] for node in walk(formula) if node[0] == "q"}
    assert {2 * delta for delta in said_of_runs.DELTAS} | {2 * delta**2 for delta in said_of_runs.DELTAS} <= constants
    whole: dict[Any, Fraction] = literal.posteriors(pmf, ())[()]
    for state in m.states():
        if not d.probability(state):
            continue
        found = d.posterior(state)
        mine = dict(zip(numbers(found), found.values(), strict=True))
        distance = sum((abs(mine[y] - q) for y, q in whole.items()), Fraction(0)) / 2
        sides = last_comparison(d, said.pinsker, frozenset(d.features), state)
        assert sides is not None
        assert sides[0] == 2 * distance**2
        pairs = [(mine[y], q) for y, q in whole.items() if mine[y]]
        assert literal.near(sides[1], mpmath.fsum(literal.real(p) * mpmath.log(literal.real(p / q)) for p, q in pairs))


@pytest.mark.parametrize("seed", range(80))
def test_least_information(seed: int) -> None:
    """Of two classes, both possible: the library counts those that are."""
    d = drawn(seed)
    for removed in subsets(d):
        check = bounds.classification_bound_by_information(d, removed)
        if len(d.classes) == 2 and all(d.probability({"Y": y}) for y in d.classes):
            assert is_true(said.least_information, d, removed) == check.holds
            assert last_comparison(d, said.least_information, removed) == (check.left, check.right)


@pytest.mark.parametrize("seed", range(30))
def test_chain_rule_and_additivity(seed: int) -> None:
    d = drawn(seed, TWO)
    *_, last = d.features
    assert bounds.chain_rule(d, ["Y"], [last], [name for name in d.features if name != last])
    assert bounds.elimination_identity(d, d.features)
    assert isinstance(said.chain_rule.check(d), Holds)
    for gone in subsets(d):
        for i in d.features:
            assert is_true(said.score_is_additive, d, gone, i)


# False statements, literally


@pytest.mark.parametrize("seed", range(30))
def test_forms_without_a_logarithm(seed: int) -> None:
    d = drawn(seed)
    pmf = pmf_of(d)
    whole = literal.sums(pmf, range(len(d.features)), target=True).values()
    entropy = -mpmath.fsum(literal.real(p) * mpmath.log(literal.real(p)) for p in whole if p)
    same = abs(entropy - literal.real(sum((p * p for p in whole), Fraction(0)))) < mpmath.mpf(10) ** -50
    assert not same  # a rational is no sum of logarithms, unless both are 0, and a sum of squares is not
    assert not is_true(said.entropy_without_logarithm, d, frozenset(d.features))
    state = next(state for state in Model(d).states() if d.probability(state))
    assert not is_true(said.divergence_without_logarithm, d, frozenset(), state)  # 1, where the divergence from p is 0


@pytest.mark.parametrize("seed", range(40))
def test_square_root_and_linear_dependence(seed: int) -> None:
    """The two right-hand sides, in many digits."""
    d = drawn(seed)
    pmf = pmf_of(d)
    largest = max(abs(cell[-1]) for cell, p in pmf.items() if p)
    for removed in subsets(d):
        nu = literal.nu(pmf, places(d, frozenset(d.features) - removed))
        root, linear = mpmath.sqrt(2 * abs(nu)), 2 * literal.real(largest) ** 2 * nu
        if abs(nu) < mpmath.mpf(10) ** -50:
            assert is_true(said.root_is_the_better_dependence, d, removed)
        else:
            assert abs(root - linear) > mpmath.mpf(10) ** -40
            assert is_true(said.root_is_the_better_dependence, d, removed) == (root <= linear)


def test_weights_of_the_proof() -> None:
    """Against the weights of a regression on A alone, where its features are uncorrelated, and on all."""
    seen = set()
    for seed in range(200):
        d = drawn(seed)
        if not is_true(linear_terms.regular, d):
            continue
        full = linear_regression(d).weights
        for removed in subsets(d)[1:]:
            gone = sorted(removed)
            matrix = covariances(d, (*gone, d.target))
            if any(matrix[i][j] for i, j in itertools.combinations(range(len(gone)), 2)):
                continue
            for place, i in enumerate(gone):
                own = matrix[place][-1] / matrix[place][place] == full[i]
                assert is_true(said_of_lines.weights_of_uncorrelated_features, d, removed, i) == own
                seen.add(own)
        whole = covariances(d, d.features)
        for place, i in enumerate(d.features):
            if not any(whole[place][j] for j in range(len(d.features)) if j != place):
                own_weight = linear_regression(d, [i]).weights[i]
                assert own_weight == full[i]
                assert is_true(said_of_lines.weights_of_features_uncorrelated_with_all, d, i)
    assert seen == {True, False}


@pytest.mark.parametrize("seed", range(60))
def test_linear_models_and_information(seed: int) -> None:
    """B-1l, B-2z, B-2d and B-2dx by regressions and mutual informations."""
    d = drawn(seed)
    largest = max(abs(cell[-1]) for cell, p in pmf_of(d).items() if p)
    regular = is_true(linear_terms.regular, d)
    for i in d.features:
        dependent = mutual_information(d, [i], ["Y"]) > 0
        correlated = covariances(d, (i, "Y"))[0][1] != 0
        assert is_true(said_of_lines.correlation_is_dependence, d, i) == (dependent or not correlated)
        assert is_true(said_of_lines.dependence_is_correlation, d, i) == (correlated or not dependent)
        if regular:
            rest = [name for name in d.features if name != i]
            lost = linear_regression(d, rest).residual_variance - linear_regression(d).residual_variance
            assert is_true(said_of_lines.uncorrelated_is_irrelevant, d, i) == (correlated or lost == 0)
            told = conditional_mutual_information(d, ["Y"], [i], rest)
            holds = lost <= 2 * largest**2 * told
            assert is_true(said_of_lines.theorem_1_for_linear_predictors, d, frozenset({i})) == holds


def test_example_1() -> None:
    """The gallery's finite version, with other labels than those of the certificate, and one that is linear."""
    assert isinstance(ENTRIES["B-E1"].check(gallery.recoded()), Holds | Vacuous)
    people = {(1, 2, 3): 1, (2, 4, 6): 1, (3, 1, 4): 2, (4, 3, 7): 5}
    d = JointDistribution.from_counts(people)
    assert ENTRIES["B-E1"].check(d) == Holds("B-E1", 2)
    line = JointDistribution.from_counts({(1, 2, 3): 1, (2, 4, 6): 1, (3, 6, 9): 1})
    assert isinstance(ENTRIES["B-E1"].check(line), Vacuous)


@pytest.mark.parametrize("seed", range(30))
def test_least_squared_error_among_values(seed: int) -> None:
    """B-1y takes the best value of Y in each state: no predictor into the values of Y is better."""
    d = drawn(seed, ((2, 2), (2, 3), (3, 2)))
    pmf = pmf_of(d)
    labels = sorted({cell[-1] for cell in pmf})
    states = sorted({cell[:-1] for cell in pmf})
    best = min(
        sum((p * (cell[-1] - guess[cell[:-1]]) ** 2 for cell, p in pmf.items()), Fraction(0))
        for chosen in itertools.product(labels, repeat=len(states))
        for guess in [dict(zip(states, chosen, strict=True))]
    )
    check = bounds.regression_bound_as_printed(d, ())
    assert check.left == best >= mean_squared_error(d, d.features)
    assert is_true(said.theorem_1_into_the_target_space, d, frozenset()) == check.holds
