"""What the ledger says of Beraha et al. agrees with the library and with the definitions, on random distributions."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Any

import mpmath  # type: ignore[import-untyped]
import pytest

from fstheory import Check, bounds
from fstheory.information import conditional_mutual_information
from fstheory.ledger import beraha_2019, beraha_2019_classification, beraha_2019_stopping, claims, terms
from fstheory.ledger.beraha_2019 import BERAHA_2019
from fstheory.logic import Claim, Holds, Model, Vacuous
from fstheory.logic.expressions import formula_node
from fstheory.logic.nodes import walk
from fstheory.regression import mean_squared_error
from tests.bounds import literal
from tests.ledger.drawn import TWO, drawn, is_true, last_comparison, numbers, places, pmf_of, subsets, value

ENTRIES = {key: entry for key, entry in claims.items() if entry.paper == BERAHA_2019}
SEEDS = range(40)


@pytest.fixture(autouse=True)
def precision() -> Iterator[None]:
    """Compute with the precision of the oracle."""
    with mpmath.workdps(literal.DIGITS):
        yield


# The entries


NAMED = (
    "B-E1n B-0h B-0k B-1y B-1x B-1l B-2 B-2w B-2v B-2u B-2ua B-2z B-2dx B-3x B-3d B-4z B-5 B-5i B-5n B-5r B-5rn B-5t"
    " B-5d"
)
FALSE = frozenset(NAMED.split())


def test_verdicts() -> None:
    assert {"B-0", "B-1", "B-2", "B-2u", "B-3", "B-4", "B-5", "B-E1"} <= ENTRIES.keys()
    assert {key: entry.status for key, entry in ENTRIES.items()} == {
        key: "false" if key in FALSE else "true" for key in ENTRIES
    }


@pytest.mark.parametrize("key", [key for key in ENTRIES if key not in FALSE])
def test_true_statements_hold_on_random_distributions(key: str) -> None:
    for seed in range(5 if key in ("B-0", "B-3e") else 15):
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


# Claims against the functions of the library


BOUNDS: dict[Claim, Callable[..., Check]] = {
    beraha_2019.score_as_difference: bounds.information_identity,
    beraha_2019.theorem_1: bounds.regression_bound,
    beraha_2019.theorem_1_into_the_target_space: bounds.regression_bound_as_printed,
    beraha_2019.theorem_1_sharper: bounds.regression_bound_sharp,
    beraha_2019_classification.theorem_3: bounds.classification_bound,
    beraha_2019_classification.theorem_3_sharper: bounds.classification_bound_sharp,
    beraha_2019_classification.theorem_3_by_variation: bounds.classification_bound_by_variation,
}


@pytest.mark.thorough
@pytest.mark.parametrize("claim", BOUNDS, ids=lambda claim: claim.name)
def test_bounds_agree_with_the_library(claim: Claim) -> None:
    outcomes = set()
    for seed in range(60):
        d = drawn(seed)
        for removed in subsets(d):
            outcomes.add(holds := bool(BOUNDS[claim](d, removed)))
            assert is_true(claim, d, removed) == holds, (seed, removed)
    assert outcomes == ({True, False} if ENTRIES[claim.name].status == "false" else {True})


@pytest.mark.parametrize("seed", range(25))
def test_loss_of_squared_error(seed: int) -> None:
    """B-1p is an equation, and its left side is the loss."""
    d = drawn(seed)
    for removed in subsets(d)[1:]:
        loss = mean_squared_error(d, frozenset(d.features) - removed) - mean_squared_error(d, d.features)
        assert last_comparison(d, beraha_2019.mean_square_of_the_means, removed) == (loss, loss)
        assert formula_node(beraha_2019.mean_square_of_the_means(Model(d), removed))[0] == "="


@pytest.mark.parametrize("seed", range(25))
def test_sides_of_bounds(seed: int) -> None:
    d = drawn(seed)
    for removed, (claim, function) in itertools.product(subsets(d)[1:], BOUNDS.items()):
        check = function(d, removed)
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
    formula = formula_node(beraha_2019_stopping.any_removal_with_the_sharper_thresholds(m, frozenset(d.features)))
    constants = {node[1] for node in walk(formula) if node[0] == "q"}
    assert {2 * delta for delta in beraha_2019_stopping.DELTAS} | {
        2 * delta**2 for delta in beraha_2019_stopping.DELTAS
    } <= constants
    whole: dict[Any, Fraction] = literal.groups(pmf, ())[()]
    for state in m.states():
        if not d.probability(state):
            continue
        found = d.posterior(state)
        mine = dict(zip(numbers(found), found.values(), strict=True))
        distance = sum((abs(mine[y] - q) for y, q in whole.items()), Fraction(0)) / 2
        sides = last_comparison(d, beraha_2019.pinsker, frozenset(d.features), state)
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
            assert is_true(beraha_2019_classification.least_information, d, removed) == check.holds
            assert last_comparison(d, beraha_2019_classification.least_information, removed) == (
                check.left,
                check.right,
            )


@pytest.mark.parametrize("seed", range(30))
def test_chain_rule_and_additivity(seed: int) -> None:
    d = drawn(seed, TWO)
    *_, last = d.features
    assert bounds.chain_rule(d, ["Y"], [last], [name for name in d.features if name != last])
    assert bounds.elimination_identity(d, d.features)
    assert isinstance(beraha_2019.chain_rule.check(d), Holds)
    for gone in subsets(d):
        for i in d.features:
            assert is_true(beraha_2019.score_is_additive, d, gone, i)


# False statements, literally


@pytest.mark.parametrize("seed", range(30))
def test_forms_without_a_logarithm(seed: int) -> None:
    d = drawn(seed)
    pmf = pmf_of(d)
    whole = pmf.values()
    entropy = -mpmath.fsum(literal.real(p) * mpmath.log(literal.real(p)) for p in whole if p)
    same = abs(entropy - literal.real(sum((p * p for p in whole), Fraction(0)))) < mpmath.mpf(10) ** -50
    assert not same  # a rational is no sum of logarithms, unless both are 0, and a sum of squares is not
    assert not is_true(beraha_2019.entropy_without_logarithm, d, frozenset(d.features))
    state = next(state for state in Model(d).states() if d.probability(state))
    assert not is_true(
        beraha_2019.divergence_without_logarithm, d, frozenset(), state
    )  # 1, where the divergence from p is 0


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
            assert is_true(beraha_2019_classification.root_is_the_better_dependence, d, removed)
        else:
            assert abs(root - linear) > mpmath.mpf(10) ** -40
            assert is_true(beraha_2019_classification.root_is_the_better_dependence, d, removed) == (root <= linear)


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
    assert is_true(beraha_2019.theorem_1_into_the_target_space, d, frozenset()) == check.holds
