"""What the ledger says of Beraha et al. agrees with the library and with the definitions, on random distributions."""

import itertools
import math
import re
from collections.abc import Callable
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from fstheory import Check, PlugIn, bayes_risk, selection_law
from fstheory.distributions import gallery
from fstheory.distributions.joint import JointDistribution
from fstheory.errors import InvalidValueError
from fstheory.logic.evaluate import Evaluation
from fstheory.logic.expressions import formula_node
from fstheory.logic.language import Model
from fstheory.logic.ledger import claims
from fstheory.logic.verdict import Holds, Refuted, Vacuous
from fstheory.measures import bounds
from fstheory.measures.criteria import mean_squared_error
from fstheory.measures.information import information_lost, mutual_information
from fstheory.measures.regression import linear_regression
from fstheory.numbers import LogSum, ShiftedRoot, log
from fstheory.papers import terms
from fstheory.papers.beraha_2019 import DELTAS, _gains, _removed_then, _selected_then
from fstheory.papers.experiments.tail_problem import Region, TailProblem, tail_of_bits
from fstheory.selection.stopping import ErrorRule, FeatureCountRule, cmi_elimination, cmi_selection
from tests.papers.drawn import (
    TWO,
    both_occur,
    drawn,
    each_drawn,
    is_regular,
    is_true,
    largest_value,
    last_comparison,
    subsets,
    value,
)  # fmt: skip

BOUNDS: dict[str, Callable[..., Check]] = {
    "B-0n": bounds.information_identity,
    "B-1": bounds.regression_bound,
    "B-1y": partial(bounds.regression_bound, form="printed"),
    "B-1s": partial(bounds.regression_bound, form="sharp"),
    "B-3": bounds.classification_bound,
    "B-3s": partial(bounds.classification_bound, form="sharp"),
    "B-3v": partial(bounds.classification_bound, form="variation"),
    "B-3i": partial(bounds.classification_bound, form="information"),
    "B-2": partial(bounds.linear_bound, form="printed"),
    "B-2c": bounds.linear_bound,
    "B-2s": partial(bounds.linear_bound, form="sharp"),
    "B-2e": partial(bounds.linear_bound, form="exact"),
    "B-2u": partial(bounds.correlation_bound, form="printed"),
    "B-2ua": lambda d, removed: bounds.correlation_bound(d, removed, absolute=True, form="printed"),
    "B-2uc": bounds.correlation_bound,
    "B-2ue": partial(bounds.correlation_bound, form="exact"),
}

CONJUNCTION = JointDistribution.from_counts(
    {(a * b, a, b, y): 1 + a * y for a, b, y in itertools.product((0, 1), repeat=3)}
)
"""X1 = X2 X3 is correlated with two features that are not correlated with each other."""


@pytest.mark.parametrize(
    "d",
    [
        drawn(0),
        CONJUNCTION,
        *map(drawn, range(1, 6)),
        *(pytest.param(drawn(k), marks=pytest.mark.thorough) for k in range(6, 30)),
    ],
)
@pytest.mark.one_in(3)
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
    prior = d.posterior({})
    possible = [y for y, q in prior.items() if q]
    assert value(d, terms.width(Model(d))) == max(possible) - min(possible)  # type: ignore[operator, type-var]
    for state in filter(d.probability, Model(d).states()):
        found = d.posterior(state)
        distance = sum((abs(found[y] - q) for y, q in prior.items()), Fraction(0)) / 2
        divergence = sum((p * log(p / prior[y]) for y, p in found.items() if p), LogSum())
        assert last_comparison("B-1k", d, frozenset(d.features), state) == (2 * distance**2, divergence)


@each_drawn(24)
def test_terms_of_linear_models(d: JointDistribution) -> None:
    m, regular = Model(d), is_regular(d)
    assert linear_regression(d).unique == regular
    for kept in subsets(d) if regular else ():
        for state in m.states(kept):
            prediction = value(d, terms.linear_prediction(m, sorted(kept), state))
            assert prediction == linear_regression(d, sorted(kept)).predict(state)
    for name, other in itertools.product(m.order, repeat=2) if regular else ():
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


@pytest.mark.thorough
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


@each_drawn(30, ((2, 2, 2, 2), (2, 2, 3)))
def test_steps_of_a_run(d: JointDistribution) -> None:
    """Which features may have been moved when a feature comes next, however ties are broken."""
    everything = frozenset(d.features)

    def holds(formula: Any) -> bool:
        return Evaluation(d).truth(formula_node(formula))

    for run, described in ((cmi_selection, _selected_then), (cmi_elimination, _removed_then)):
        backward = run is cmi_elimination
        last = FeatureCountRule(0 if backward else len(d.features))
        runs = (run(d, last, order=order).trace for order in itertools.permutations(d.features))
        steps = {
            (everything - step.subset if backward else step.subset, step.chosen) for trace in runs for step in trace
        }
        for moved, i in itertools.product(subsets(d), d.features):
            if i not in moved:
                assert holds(described(Model(d), moved, i)) == ((moved, i) in steps)
                if not backward:
                    grows = mutual_information(d, sorted(moved), ["Y"]) < mutual_information(d, {*moved, i}, ["Y"])
                    assert holds(_gains(Model(d), moved, i)) == ((moved, i) in steps and grows)


@each_drawn(30, TWO)
def test_zero_threshold(d: JointDistribution) -> None:
    """The rule as printed removes nothing; the corrected one removes what has the score 0, at no cost."""
    worthless = any(bounds.information_identity(d, [i]).left == 0 for i in d.features)
    assert isinstance(claims["B-4z"].check(d), Refuted) == worthless
    run = cmi_elimination(d, ErrorRule(0))
    gone = frozenset(d.features) - set(run.features)
    assert bool(gone) == worthless
    assert is_true("B-4zc", d, gone)
    assert run.error == run.least_error


@pytest.mark.thorough
def test_forward_selection_for_classification() -> None:
    """A claim is true where all runs that reach the threshold keep its promise; all are false of seven people."""
    seven = JointDistribution([[[0, 0], [0, 1]], [[1, 2], [2, 1]]])
    outcomes = set()
    for d in (seven, *(drawn(seed, TWO) for seed in range(14)), *(drawn(seed, ((2, 2, 2, 2),)) for seed in range(2))):
        kept: dict[str, list[bool]] = {"B-5": [], "B-5i": [], "B-5d": []}
        for delta, order in itertools.product(DELTAS, itertools.permutations(d.features)):
            run = cmi_selection(d, ErrorRule(delta, printed=True), order=order)
            if mutual_information(d, sorted(run.next_features), ["Y"]) >= delta**2 / 2:
                assert run.guarantee is not None
                kept["B-5"].append(bool(run.guarantee))
                kept["B-5i"].append(bool(run.next_guarantee))
                kept["B-5d"].append(bayes_risk(d, run.next_features) <= bayes_risk(d, d.features) + delta)
        for key, promises in kept.items():
            assert isinstance(claims[key].check(d), Holds) == all(promises)
            outcomes.add((key, all(promises)))
    assert {("B-5", True), ("B-5", False)} <= outcomes


@each_drawn(25, TWO)
def test_sides_of_guarantees(d: JointDistribution) -> None:
    """Where delta is gone, a guarantee is a theorem on the features that the run leaves out."""
    epsilon, sigma = bayes_risk(d, d.features), mean_squared_error(d, d.features)
    scale = 2 * largest_value(d) ** 2
    for moved, i in itertools.product(subsets(d), d.features):
        if i in moved:
            continue
        rest, whole = frozenset(d.features) - moved, moved | {i}
        lost, unknown = information_lost(d, moved), information_lost(d, frozenset(d.features) - whole)
        excess, loss = bayes_risk(d, rest) - epsilon, mean_squared_error(d, rest) - sigma
        assert last_comparison("B-4", d, moved, i) == (excess**2, 2 * lost)
        assert last_comparison("B-4r", d, moved, i) == (loss, scale * lost)
        excess, loss = bayes_risk(d, whole) - epsilon, mean_squared_error(d, whole) - sigma
        assert last_comparison("B-5c", d, moved, i) == (excess**2, 2 * unknown)
        assert last_comparison("B-5s", d, moved, i) == (excess**2, unknown / 2)
        assert last_comparison("B-5ri", d, moved, i) in (None, (loss, scale * unknown))
        assert last_comparison("B-5r", d, moved, i) == (mean_squared_error(d, moved) - sigma, scale * unknown)
