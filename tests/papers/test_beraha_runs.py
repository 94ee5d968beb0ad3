"""The guarantees of Beraha et al. in the ledger agree with runs of their algorithms, on random distributions."""

import itertools
import math
from fractions import Fraction
from typing import Literal

from fstheory.distributions.joint import JointDistribution
from fstheory.logic.evaluate import Evaluation
from fstheory.logic.expressions import formula_node
from fstheory.logic.language import Model
from fstheory.logic.verdict import Holds, Refuted
from fstheory.measures import bounds
from fstheory.measures.information import information_lost, mutual_information
from fstheory.measures.regression import mean_squared_error
from fstheory.measures.risk import bayes_risk
from fstheory.papers.beraha_2019 import DELTAS, _removed_then, _selected_then
from fstheory.papers.ledger import claims
from fstheory.selection.stopping import ErrorRule, FeatureCountRule, cmi_elimination, cmi_selection
from tests.papers.drawn import TWO, drawn, each_drawn, is_true, largest_value, last_comparison, subsets

PROBLEMS: tuple[Literal["classification", "regression"], ...] = ("classification", "regression")


@each_drawn(30, ((2, 2, 2, 2), (2, 2, 3)))
def test_steps_of_a_run(d: JointDistribution) -> None:
    """Which features may have been moved when a feature comes next, however ties are broken."""
    everything = frozenset(d.features)
    for run, described in ((cmi_selection, _selected_then), (cmi_elimination, _removed_then)):
        backward = run is cmi_elimination
        last = FeatureCountRule(0 if backward else len(d.features))
        runs = (run(d, last, order=order).trace for order in itertools.permutations(d.features))
        steps = {
            (everything - step.subset if backward else step.subset, step.chosen) for trace in runs for step in trace
        }
        for moved, i in itertools.product(subsets(d), d.features):
            if i not in moved:
                found = Evaluation(d).truth(formula_node(described(Model(d), moved, i)))
                assert found == ((moved, i) in steps)


@each_drawn(60, TWO)
def test_backward_elimination(d: JointDistribution) -> None:
    """B-4 and B-4r: whatever delta, and however ties are broken, the run keeps its promise, as the claim says."""
    assert isinstance(claims["B-4"].check(d), Holds)
    assert isinstance(claims["B-4r"].check(d), Holds)
    for delta, order in itertools.product((*DELTAS, Fraction(1, 1000)), itertools.permutations(d.features)):
        for problem in PROBLEMS:
            run = cmi_elimination(d, ErrorRule(delta, printed=True), problem=problem, order=order)
            assert run.guarantee


@each_drawn(40, TWO)
def test_zero_threshold(d: JointDistribution) -> None:
    """The rule as printed removes nothing; the corrected one removes what has the score 0, at no cost."""
    worthless = any(bounds.information_identity(d, [i]).left == 0 for i in d.features)
    assert cmi_elimination(d, ErrorRule(0, printed=True)).next_features != set(d.features)
    assert set(cmi_elimination(d, ErrorRule(0, printed=True)).features) == set(d.features)
    assert isinstance(claims["B-4z"].check(d), Refuted) == worthless
    run = cmi_elimination(d, ErrorRule(0))
    assert (set(run.features) != set(d.features)) == worthless
    gone = frozenset(d.features) - set(run.features)
    assert is_true("B-4zc", d, gone)
    assert run.error == run.least_error


def test_forward_selection_for_classification() -> None:
    """A claim is true where all runs that reach the threshold keep its promise; all are false of seven people."""
    seven = JointDistribution([[[0, 0], [0, 1]], [[1, 2], [2, 1]]])
    outcomes = set()
    for d in (seven, *(drawn(seed, TWO) for seed in range(20)), *(drawn(seed, ((2, 2, 2, 2),)) for seed in range(2))):
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


@each_drawn(60, TWO)
def test_forward_selection_that_never_reaches_the_threshold(d: JointDistribution) -> None:
    information, scale = mutual_information(d, d.features, ["Y"]), 2 * largest_value(d) ** 2
    reached = {"B-5n": lambda delta: 2 * information >= delta**2, "B-5rn": lambda delta: scale * information >= delta}
    for key, problem in zip(reached, PROBLEMS, strict=True):
        missed = list(itertools.filterfalse(reached[key], DELTAS))
        assert isinstance(claims[key].check(d), Refuted) == bool(missed)
        for delta in missed:
            run = cmi_selection(d, ErrorRule(delta, printed=True), problem=problem)
            assert run.next_guarantee is not None
            assert not run.next_guarantee


def test_forward_selection_for_regression() -> None:
    """B-5r and B-5ri, which have no delta: the largest delta that a run reaches is approached from below."""
    failed = 0
    for seed in range(60):
        d = drawn(seed, TWO)
        assert isinstance(claims["B-5ri"].check(d), Holds)
        for order in itertools.permutations(d.features):
            run = cmi_selection(d, ErrorRule("1/1000000", printed=True), problem="regression", order=order)
            if not run.trace or run.trace[-1].made:
                continue
            chosen, before = run.trace[-1].chosen, run.trace[-1].subset
            reached = 2 * largest_value(d) ** 2 * mutual_information(d, sorted({*before, chosen}), ["Y"])
            if not reached:
                continue
            low, _ = reached.enclosure(12)
            delta = Fraction(math.floor(low * 10**9), 10**9)
            nearly = cmi_selection(d, ErrorRule(delta, printed=True), problem="regression", order=order)
            if nearly.trace[-1].subset != before:
                continue
            assert nearly.guarantee is not None
            assert nearly.next_guarantee
            claimed = is_true("B-5r", d, frozenset(before), chosen)
            assert claimed == bool(nearly.guarantee)
            failed += not claimed
    assert failed


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
