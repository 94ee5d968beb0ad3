"""What the ledger says of Beraha et al. agrees with the library and with the definitions, on random distributions."""

import itertools
import math
import re
from collections.abc import Callable, Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

import mpmath  # type: ignore[import-untyped]
import pytest

from fstheory import Check, PlugIn, bayes_risk, selection_law
from fstheory.distributions import gallery
from fstheory.distributions.joint import JointDistribution
from fstheory.errors import InvalidValueError
from fstheory.logic.language import Model
from fstheory.logic.verdict import Holds, Vacuous
from fstheory.measures import bounds
from fstheory.measures.information import conditional_mutual_information
from fstheory.measures.regression import covariances, linear_regression
from fstheory.numbers import LogSum, ShiftedRoot
from fstheory.papers import terms
from fstheory.papers.experiments.tail_problem import Region, TailProblem, tail_of_bits
from fstheory.papers.ledger import claims
from fstheory.selection.stopping import ErrorRule, cmi_elimination
from tests.measures import literal
from tests.papers.drawn import (
    TWO,
    both_occur,
    drawn,
    each_drawn,
    is_regular,
    is_true,
    last_comparison,
    numbers,
    places,
    pmf_of,
    subsets,
    value,
)


@pytest.fixture(autouse=True)
def precision() -> Iterator[None]:
    """Compute with the precision of the oracle."""
    with mpmath.workdps(literal.DIGITS):
        yield


@each_drawn(40)
def test_terms_of_the_best_predictors(d: JointDistribution) -> None:
    m, pmf = Model(d), pmf_of(d)
    possible = {cell[-1] for cell, p in pmf.items() if p}
    assert value(d, terms.largest(m)) == max(map(abs, possible))
    assert value(d, terms.width(m)) == max(possible) - min(possible)
    for kept, at in ((kept, places(d, kept)) for kept in subsets(d)):
        assert value(d, terms.squared_error(m, kept)) == literal.squared_error(pmf, at)
        assert literal.near(value(d, terms.score(m, m.features - kept)), literal.nu(pmf, at))
        distance = terms.expectation(m, m.features, lambda x, kept=kept: terms.variation(m, x, kept))  # type: ignore[misc]
        assert value(d, distance) == literal.variation(pmf, at)
        lost = terms.expectation(m, m.features, lambda x, kept=kept: terms.divergence(m, x, kept))  # type: ignore[misc]
        assert literal.near(value(d, lost), literal.nu(pmf, at))
        whole = terms.entropy_by_definition(m, kept | {None}) - terms.entropy_by_definition(m, kept)
        assert literal.near(value(d, whole), literal.conditional_entropy(pmf, at))


@pytest.mark.parametrize("seed", range(6))
def test_information_of_groups(seed: int) -> None:
    d = drawn(seed)
    m = Model(d)
    for groups in itertools.product(range(4), repeat=len(d.features) + 1):  # each variable in one group, or in none
        variables = list(zip((*m.order, None), groups, strict=True))
        a, b, c = (frozenset(name for name, group in variables if group == number) for number in range(3))
        names = [[d.target if name is None else name for name in part] for part in (a, b, c)]
        assert value(d, terms.information(m, a, b, c)) == conditional_mutual_information(d, *names)


BOUNDS: dict[str, Callable[..., Check]] = {
    "B-0n": bounds.information_identity,
    "B-1": bounds.regression_bound,
    "B-1y": bounds.regression_bound_as_printed,
    "B-1s": bounds.regression_bound_sharp,
    "B-3": bounds.classification_bound,
    "B-3s": bounds.classification_bound_sharp,
    "B-3v": bounds.classification_bound_by_variation,
    "B-3i": bounds.classification_bound_by_information,
    "B-2": bounds.linear_bound_as_printed,
    "B-2c": bounds.linear_bound,
    "B-2s": bounds.linear_bound_sharp,
    "B-2e": bounds.linear_identity,
    "B-2u": bounds.correlation_bound_as_printed,
    "B-2ua": lambda d, removed: bounds.correlation_bound_as_printed(d, removed, absolute=True),
    "B-2uc": bounds.correlation_bound,
    "B-2ue": bounds.correlation_identity,
}

CONJUNCTION = JointDistribution.from_counts(
    {(a * b, a, b, y): 1 + a * y for a, b, y in itertools.product((0, 1), repeat=3)}
)
"""X1 = X2 X3 is correlated with two features that are not correlated with each other."""


@pytest.mark.parametrize(
    "d",
    [CONJUNCTION, *map(drawn, range(6)), *(pytest.param(drawn(k), marks=pytest.mark.thorough) for k in range(6, 70))],
)
def test_sides_of_bounds(d: JointDistribution) -> None:
    """Not only the verdicts are the same: so is the slack, where a theorem would be true with another constant."""
    regular = is_regular(d)
    assert regular or d != CONJUNCTION
    for removed, (key, function) in itertools.product(subsets(d), BOUNDS.items()):
        if (claims[key].assumptions and not regular) or (key == "B-3i" and not (len(d.classes) == 2 and both_occur(d))):
            continue
        try:
            check = function(d, removed)
        except InvalidValueError:  # features that have to be uncorrelated are not: nothing is claimed
            assert is_true(key, d, removed)
            continue
        assert is_true(key, d, removed) == bool(check)
        sides = last_comparison(key, d, removed)
        if sides is None:  # nothing is removed, or both sides are the same term
            assert check.slack == 0 or not removed
        elif isinstance(check.right, ShiftedRoot):
            assert isinstance(check.left, Fraction)
            assert sides == ((check.left - check.right.shift) ** 2, sum(check.right.radicands, LogSum()))
        else:
            assert sides[1] - sides[0] == (0 if check.relation == "==" else check.slack)


@each_drawn(25, TWO)
def test_sides_of_pinsker(d: JointDistribution) -> None:
    m, pmf = Model(d), pmf_of(d)
    whole: dict[Any, Fraction] = literal.groups(pmf, ())[()]
    for state in (state for state in m.states() if d.probability(state)):
        found = d.posterior(state)
        mine = dict(zip(numbers(found), found.values(), strict=True))
        distance = sum((abs(mine[y] - q) for y, q in whole.items()), Fraction(0)) / 2
        sides = last_comparison("B-1k", d, frozenset(d.features), state)
        assert sides is not None
        assert sides[0] == 2 * distance**2
        pairs = [(mine[y], q) for y, q in whole.items() if mine[y]]
        assert literal.near(sides[1], mpmath.fsum(literal.real(p) * mpmath.log(literal.real(p / q)) for p, q in pairs))


@each_drawn(40)
def test_terms_of_linear_models(d: JointDistribution) -> None:
    m, pmf = Model(d), pmf_of(d)
    variables: list[str | None] = [*m.order, None]
    matrix = covariances(d, (*d.features, d.target))
    for (i, first), (j, second) in itertools.product(enumerate(variables), repeat=2):
        found = value(d, terms.covariance(m, first, second))
        assert found == literal.covariance(pmf, i, j) == matrix[i][j]
    assert linear_regression(d).unique == is_regular(d)
    if not is_regular(d):
        return
    for kept in subsets(d):
        for j, variable in enumerate(variables):
            assert value(d, terms.linear_error(m, kept, variable)) == literal.linear_error(pmf, places(d, kept), j)
        for state in m.states(kept):
            prediction = value(d, terms.linear_prediction(m, sorted(kept), state))
            assert prediction == linear_regression(d, sorted(kept)).predict(state)
    full = linear_regression(d)
    for name in m.order:
        assert value(d, terms.weight(m, name)) == full.weights[name]
        for other in m.order:
            row = (terms.inverse_entry(m, name, k) * terms.covariance(m, k, other) for k in m.order)
            assert value(d, m.sum(row)) == int(name == other)


def test_example_1() -> None:
    """The gallery's finite version, with other labels than those of the certificate, and one that is linear."""
    assert isinstance(claims["B-E1"].check(gallery.recoded()), Holds | Vacuous)
    d = JointDistribution.from_counts({(1, 2, 3): 1, (2, 4, 6): 1, (3, 1, 4): 2, (4, 3, 7): 5})
    assert claims["B-E1"].check(d) == Holds("B-E1", 2)
    line = JointDistribution.from_counts({(1, 2, 3): 1, (2, 4, 6): 1, (3, 6, 9): 1})
    assert isinstance(claims["B-E1"].check(line), Vacuous)


def test_the_error_of_a_region_is_half_its_probability() -> None:
    """B-Xe, where a region is one of bits, and where the second class is anything else."""
    for arguments in ((3, 3, 1), (4, 3, 1), (3, 2, 0)):
        assert claims["B-Xe"].check(tail_of_bits(*arguments)) == Holds("B-Xe", 1)
    for weights in ([[1, 3], [1, 0]], [[2, 3], [2, 1]], [[1, 0], [0, 1]]):  # priors, not conditioned, q = 0
        assert isinstance(claims["B-Xe"].check(JointDistribution(weights)), Vacuous)


def test_the_promise_of_er_fails_on_samples() -> None:
    """B-Xs: exactly, in the words of the evidence."""
    d, delta = tail_of_bits(2, 2, 1), Fraction(1, 10)
    law = selection_law(d, 4, PlugIn(select=lambda s: cmi_elimination(s, ErrorRule(delta)).features))
    least = bayes_risk(d, d.features)
    broken = sum(p for subset, p in law.probabilities.items() if bayes_risk(d, subset) > least + delta)
    assert broken == Fraction(113, 128)
    assert f"probability {broken}, exactly" in claims["B-Xs"].evidence[0].what


def test_the_numbers_on_the_synthetic_problems() -> None:
    """B-X, B-Xq, B-Xk: what the remarks say of probabilities and of the features needed."""
    needed, q = {}, {}
    regions: tuple[Region, ...] = ("sum", "squares")
    for region, k in itertools.product(regions, range(9, 25)):
        problem = TailProblem(k, 30, region)
        errors = [problem.bayes_error(j) for j in range(k + 1)]
        assert all(after < before for before, after in itertools.pairwise(errors))
        needed[k, region] = next(j for j, error in enumerate(errors) if error <= errors[-1] + 0.05)
        q[k, region] = problem.probability
    assert f"from {q[9, 'sum']:.1e} to {q[24, 'sum']:.1e}" in claims["B-X"].remark
    assert f"{q[24, 'squares']:.1e}" in claims["B-Xq"].remark
    assert {needed[k, "sum"] for k in range(9, 25)} == {2}
    assert (needed[9, "squares"], needed[24, "squares"]) == (9, 14)


TABLE_1 = {  # rows, digits, accuracies
    "ORL": (400, 4, "0.8 0.75 0.7 0.7375 0.7125"),
    "warpAR10P": (130, 2, "0.97 0.98 0.98 0.98 0.98"),
    "glass": (214, 2, "0.99 0.99 0.99 0.99 0.99"),
    "wine": (178, 2, "0.96 0.96 0.96 0.95 0.83"),
    "ALLAML": (72, 2, "1.0 1.0 1.0 0.92 0.78"),
}


def fits(name: str, size: int) -> bool:
    """Tell whether the accuracies of a row are, rounded, hits through a size; halves go all up or all down."""
    _, digits, cells = TABLE_1[name]
    wanted = {*map(Fraction, cells.split())}
    gaps = [[Fraction(math.floor(cell * size) + up, size) - cell for up in (0, 1)] for cell in wanted]
    half = Fraction(1, 2 * 10**digits)
    return any(all(any(-half <= sign * gap < half for gap in row) for row in gaps) for sign in (1, -1))


def test_table_1() -> None:
    """B-Xrc: the runs of possible sizes of tests, whose ends are on the page and in the ledger."""
    seen: set[str] = set()
    page = (Path(__file__).parents[2] / "docs" / "textbook" / "beraha-experiments.md").read_text(encoding="utf-8")
    for name, (rows, *_) in TABLE_1.items():
        sizes = {n for n in range(1, rows + 1) if fits(name, n)}
        ends = [str(n) for n in sorted(sizes) if not {n - 1, n + 1} <= sizes]
        assert f"{name} of {rows} rows: {' '.join(ends)}\n" in page
        seen |= {*ends}
    assert {*re.findall(r"\b[0-9]+", claims["B-Xrc"].remark)} <= seen
