"""Theorems 3 to 7 and the remarks around them, with the assumptions and without.

What the paper proves under both assumptions is checked there; what remains without them is what the results
promise in words. Sets come from the literal definitions, except where a method is the subject.
"""

import itertools

import numpy as np
import pytest
from hypothesis import assume, given

from fstheory import JointDistribution
from fstheory.distributions import gallery
from fstheory.selection.optimal import backward_search, minimal_optimal, one_shot, resampling
from fstheory.selection.relevant import markov_boundary, strongly_relevant
from tests.literal import minimal
from tests.selection import literal
from tests.selection.distributions import GALLERY, distributions, regular


@given(regular())
def test_theorems_4_to_7(d: JointDistribution) -> None:
    """By the proof of Theorem 6, Xi is in S* if and only if g*(not Xi) is not g*(X)."""
    world = literal.Literal(d)
    assert world.assumptions() == (True, True)
    (best,) = literal.solutions(literal.risks(world))
    for order in itertools.permutations(d.features):
        assert backward_search(d, order=order).features == best
    assert one_shot(d).features == resampling(d).features == best
    result = minimal_optimal(d)
    assert all((result.guaranteed, result.is_unique, result.is_solution))
    for feature in d.features:
        others = frozenset(d.features) - {feature}
        parts = {x: world.part(x, others) for x in world.support()}
        same = all(world.classify(others, part) == world.classify(d.features, x) for x, part in parts.items())
        assert (feature in best) != same


@given(regular())
def test_the_orderings_theorem_3_rules_out(d: JointDistribution) -> None:
    """R(STU) = R(ST) = R(SU) < R(S) does not occur where p(Y | stu) has a single maximum: equal risks meet in one."""
    table = literal.risks(literal.Literal(d))
    for a, b in itertools.combinations(table, 2):
        if table[a | b] == table[a] == table[b] and all(literal.Literal(d.marginal(a | b)).assumptions()):
            assert table[a & b] == table[a | b]


def test_theorem_3_is_about_the_maxima_given_its_own_features() -> None:
    """A single maximum of p(Y|x) for all x does not make the maxima of p(Y|x1, x2) single; there the pattern occurs."""
    slices = [[[[3, 1], [2, 2]], [[2, 2], [1, 3]]]] * 2  # X1 and X2 tie where they differ
    shift = np.array([1, -1]) * np.array([1, -1])[:, None, None, None]  # X3 breaks the tie, one way or the other
    d = JointDistribution(np.moveaxis(9 * np.array(slices) + shift, 0, 2))
    world = literal.Literal(d)
    assert world.assumptions() == (True, True)
    table = literal.risks(world)
    one, two = frozenset({"X1"}), frozenset({"X2"})
    assert table[one | two] == table[one] == table[two] < table[frozenset()]


@given(distributions())
def test_without_assumptions(d: JointDistribution) -> None:
    """Backward search ends at a solution, and every solution is the end of some order; one-shot is what all share."""
    world = literal.Literal(d)
    found = literal.solutions(literal.risks(world))
    shared, (positive, single) = frozenset.intersection(*found), world.assumptions()
    assert {backward_search(d, order=order).features for order in itertools.permutations(d.features)} == found
    assert one_shot(d).features == shared
    assert (world.risk(shared) == world.risk(d.features)) == (len(found) == 1)
    again = resampling(d).features
    assert again >= shared
    if single:
        assert again == shared
    if positive:
        assert world.risk(again) == world.risk(d.features)
    # The remark after Example 1 needs p(x) > 0 only; without it, the shared features are strongly relevant
    strong, _ = literal.relevant(world)
    assert (frozenset.union(*found) if positive else shared) <= strong
    # A feature that could not be spared cannot be spared later: the return to i = 1 is never needed
    result = backward_search(d)
    removed = [d.features.index(step.chosen) for step in result.trace if step.made]
    assert removed == sorted(removed)
    assert result.iterations == len(d.features) + sum(i + 1 for i in removed)


@given(distributions(zeros=False))
def test_the_markov_boundary_is_the_strongly_relevant_features(d: JointDistribution) -> None:
    world = literal.Literal(d)
    assume(world.assumptions()[0])
    strong, _ = literal.relevant(world)
    assert minimal(literal.blankets(world)) == {strong}
    assert markov_boundary(d) == strong


def test_features_of_solutions_and_strongly_relevant_features_differ() -> None:
    """By Example 1, and by two copies of the class."""
    for p in ("1/2", "1/5", "99/100"):
        d = gallery.pena_nilsson_example_1(p)
        assert minimal_optimal(d).features == frozenset()
        assert strongly_relevant(d) == markov_boundary(d) == {"X"}
    assert strongly_relevant(gallery.copies()) == frozenset()
    assert minimal_optimal(gallery.copies()).features == {"X2"}


def test_neither_assumption_can_be_left_out() -> None:
    """With one of them alone the solution need not be unique, and one-shot need not return one."""
    for name, failing in (("copies", "positive"), ("ties", "unique_maximum")):
        result = one_shot(GALLERY[name]())
        assert [key for key in ("positive", "unique_maximum") if not getattr(result, key)] == [failing]
        assert not result.is_unique
        assert not result.is_solution
        assert result.features == frozenset()


def test_ties_and_zeros_together_leave_resampling_without_minimal_risk() -> None:
    d = gallery.with_copy(gallery.ties(), "X1")
    result, neither = resampling(d), resampling(gallery.with_copy(d, "X2"))
    assert [bool(result.positive), bool(result.unique_maximum)] == [False, False]
    assert result.features == {"X2"}
    assert result.risk == result.least_risk
    assert neither.features == frozenset()
    assert neither.risk > neither.least_risk


@pytest.mark.parametrize("n", range(6))
def test_the_number_of_iterations_of_table_1(n: int) -> None:
    """Which features are removed decides it: n, and for each removed one its place. Below n**2 only from n = 4 on."""
    counts = {}
    for kept in itertools.product((0, 1), repeat=n):
        shape = [1 + k for k in kept]
        weights = gallery.parity(sum(kept)).weights.reshape(*shape, 2)  # those with two states are indispensable
        result = backward_search(JointDistribution(weights))
        assert result.features == {f"X{i + 1}" for i in range(n) if kept[i]}
        assert result.iterations == n + sum(i + 1 for i in range(n) if not kept[i])
        counts[kept] = result.iterations
    assert max(counts.values()) == n * (n + 3) // 2
    many: dict[int, set[tuple[int, ...]]] = {0: {()}, 1: {(0,), (1,)}, 2: {(0, 0), (1, 0)}, 3: {(0, 0, 0)}}
    assert {kept for kept, count in counts.items() if count >= n**2} == many.get(n, set())
