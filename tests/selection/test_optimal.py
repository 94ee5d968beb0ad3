"""The minimal-optimal problem by every method, and the k-optimal problem, against the literal definitions."""

from fractions import Fraction
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given, strategies as st

from fstheory import JointDistribution, SubsetTable
from fstheory.distributions import gallery
from fstheory.selection.optimal import by_branching, k_optimal, minimal_optimal, resampling
from tests.selection import literal
from tests.selection.distributions import GALLERY, REGULAR, distributions

METHODS = ("backward", "one-shot", "resampling", "exhaustive")


def check_methods(d: JointDistribution, order: list[str]) -> None:
    world = literal.Literal(d)
    table = literal.risks_of(d)
    best, found = min(table.values()), literal.solutions(table)
    everything = frozenset(d.features)
    chosen, tests, iterations = literal.table_1(table, order)
    back = minimal_optimal(d, "backward", order=order)
    assert (frozenset(back.features), back.iterations) == (chosen, iterations)
    assert [(step.subset, step.chosen, step.value, step.made) for step in back.trace] == tests
    assert all(back.least_risk == table[step.subset] for step in back.trace)
    assert back.path == tuple(dict.fromkeys([everything, *(step.subset for step in back.trace), chosen]))

    once = minimal_optimal(d, "one-shot")
    assert {*once.features} == {x for x in everything if table[everything - {x}] != best}
    assert once.iterations == len(once.trace) == len(d.features)

    again = minimal_optimal(d, "resampling")
    chances = {x: literal.changes(world, x) for x in d.features}
    assert {*again.features} == {x for x, chance in chances.items() if chance > 0}
    assert {step.chosen: step.value for step in again.trace} == chances

    every = minimal_optimal(d, "exhaustive")
    assert set(every.solutions) == found
    assert {*every.features} == every.solutions[0] == min(every.solutions, key=len)

    for result in (back, once, again, every):
        assert (result.positive.holds, result.unique_maximum.holds) == world.assumptions()
        assert (result.risk, result.least_risk) == (table[frozenset(result.features)], best)
        assert (result.is_solution, result.is_unique) == (frozenset(result.features) in found, len(found) == 1)
        assert result.common == frozenset.intersection(*found)
        assert result.guaranteed == (result.method == "exhaustive" or all(world.assumptions()))
        if result.method != "exhaustive":
            assert result.solutions == ((frozenset(result.features),) if frozenset(result.features) in found else ())
    if all(world.assumptions()):  # Theorems 4 to 7
        assert {frozenset(result.features) for result in (back, once, again, every)} == found


@pytest.mark.quick
@given(distributions() | REGULAR, st.data())
def test_every_method_as_defined(d: JointDistribution, data: st.DataObject) -> None:
    check_methods(d, data.draw(st.permutations(d.features)))


@given(distributions() | REGULAR, st.data(), st.sampled_from(("zero_one", "gini")), st.integers(1, 3))
def test_forward_search_as_defined(d: JointDistribution, data: st.DataObject, by: str, ahead: int) -> None:
    """Without tau no proper subset of the answer is as good, and with the risk of all features it is a solution."""
    order = data.draw(st.permutations(d.features))
    table, world = literal.risks_of(d), literal.Literal(d)
    path = literal.forward_and_back(literal.ginis_of(world) if by == "gini" else table, table, order, ahead)
    found = minimal_optimal(d, "forward", order=order, criterion=by, look_ahead=ahead)
    assert {*found.features} == path[-1]
    assert found.path == (*path,) or (ahead > 1 and {*found.path} > {*path})
    assert all(len(before ^ after) == 1 for before, after in pairwise(found.path))
    assert all(table[path[-1] - {x}] > found.risk for x in found.features)
    solutions = literal.solutions(table)
    assert found.is_solution == (path[-1] in solutions) == (found.risk == found.least_risk)
    assert found.is_solution or by == "gini" or ahead < min(map(len, solutions))
    assert (found.guaranteed, found.is_unique) == (False, len(solutions) == 1)
    tau = data.draw(st.sampled_from((Fraction(1, 20), Fraction(1, 5))))
    tolerant = minimal_optimal(d, "forward", order=order, criterion=by, look_ahead=ahead, tau=tau)
    wanted = literal.forward_and_back(literal.ginis_of(world) if by == "gini" else table, table, order, ahead, tau)[-1]
    assert (frozenset(tolerant.features), tolerant.is_solution) == (wanted, wanted in solutions)


@pytest.mark.parametrize(
    ("law", "by_risk", "by_gini"),
    [
        ([[0, 0], [0, 1]], (), ("X1", "X2")),
        ([[0, 1], [1, 0]], (), ()),
        ([[[0, 0], [0, 1]], [[0, 1], [1, 1]]], ("X1",), ("X1", "X2", "X3")),
    ],
    ids=["and", "exclusive or", "majority"],
)
def test_forward_search_stops_early_under_both_assumptions(
    law: list[Any], by_risk: tuple[str, ...], by_gini: tuple[str, ...]
) -> None:
    d = JointDistribution(np.stack([1 - np.array(law), law], axis=-1))
    assert (d.is_positive().holds, d.has_unique_maximum().holds) == (True, True)
    stopped = minimal_optimal(d, "forward")
    assert (stopped.features, stopped.is_solution) == (by_risk, False)
    assert "Here it is no solution: its risk is" in str(stopped)
    assert minimal_optimal(d, "forward", criterion="gini").features == by_gini
    assert minimal_optimal(d, "forward", look_ahead=2).features == d.features


@pytest.mark.parametrize("name", GALLERY)
def test_every_method_on_the_gallery(name: str) -> None:
    check_methods(d := GALLERY[name](), list(d.features)[::-1])


def test_ties_and_zeros_together_leave_resampling_without_minimal_risk() -> None:
    result = resampling(gallery.with_copy(gallery.with_copy(gallery.ties(), "X1"), "X2"))
    assert (result.features, result.risk > result.least_risk) == ((), True)


def test_backward_search_by_default_in_the_order_of_the_features_and_without_the_sweep() -> None:
    d, parity = gallery.recoded(), np.indices((2,) * 17).sum(axis=0) % 2
    assert minimal_optimal(d) == minimal_optimal(d, order=d.features)
    noisy = minimal_optimal(JointDistribution(np.stack([2 - parity, 1 + parity], axis=-1)))
    assert (len(noisy.features), noisy.risk) == (17, Fraction(1, 3))
    weights = gallery.parity(8, noise="1/3").weights.reshape(*[2] * 8, *[1] * 8, 2)
    result = minimal_optimal(JointDistribution(weights))  # eight features are tested again after each removal
    assert len(result.trace) == 8 + 8 * 9
    assert "... 16 more tests" in str(result)


def test_chances_of_many_digits_are_not_summed_to_be_shown() -> None:
    weights = np.ones((2,) * 13, dtype=np.int64)
    weights[0, ..., 1] = 2
    first, *others = resampling(JointDistribution(weights)).rows
    assert first == ("X1", "another class when measured again: P > 0", "kept")
    assert {row[1:] for row in others} == {("another class when measured again: P = 0", "removed")}


@pytest.mark.parametrize(
    ("name", "method", "sentences"),
    [
        ("copies", "backward", ["p(x) > 0 for every x: fails at x = (X1=0, X2=1)", "but not to be the only one"]),
        ("copies", "backward", ["guaranteed to be a solution, a minimal", "one of several solutions, which share no"]),
        ("copies", "one-shot", ["not guaranteed to be a solution", "its risk is 1/2, that of all features 1/10."]),
        ("copies", "resampling", ["it is the set of the features that all solutions share"]),
        ("ties", "resampling", ["fails at x = (X1=0, X2=1), where 0 and 1 tie", "a smaller set has the same"]),
        ("recoded", "exhaustive", ["X3, X1X2", "Here there are 2 solutions, which share no feature."]),
        ("titanic", "backward", ["Without p(x) > 0 for every x,", "a solution, and the only one"]),
        ("noisy xor", "one-shot", ["Both assumptions hold, so this is S*, the only solution (Theorem 6)."]),
    ],
)
def test_it_says_how_far_it_can_be_trusted(name: str, method: str, sentences: list[str]) -> None:
    text = str(minimal_optimal(GALLERY[name](), method))  # type: ignore[arg-type]
    assert [sentence for sentence in sentences if sentence not in text] == []


def test_plot_marks_what_was_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """S* only where it is unique; what is no solution is not marked."""
    x1x2, x2x3, x3 = frozenset({"X1", "X2"}), frozenset({"X2", "X3"}), frozenset({"X3"})
    drawn: list[dict[str, object]] = []
    monkeypatch.setattr(SubsetTable, "plot", lambda table, **options: drawn.append(options))
    for method in METHODS:
        minimal_optimal(gallery.recoded(), method).plot(title="")  # type: ignore[arg-type]
    minimal_optimal(gallery.xor()).plot()
    backward, exhaustive = {"minimal": (x3,), "path": (x1x2 | x3, x2x3, x3)}, {"minimal": (x3, x1x2)}
    assert drawn == [*(marks | {"title": ""} for marks in (backward, {}, {}, exhaustive)), {"best": x1x2}]


@given(distributions())
def test_k_optimal_as_defined(d: JointDistribution) -> None:
    """By the way that is taken, and by branching, which so few features would not pay for."""
    table = literal.risks_of(d)
    for k in range(len(d.features) + 1):
        of_k = {subset: value for subset, value in table.items() if len(subset) == k}
        best = k_optimal(d, k)
        assert best.value == min(of_k.values())
        assert best.subsets == tuple(subset for subset, value in of_k.items() if value == best.value)
        assert by_branching(d, k) == best


def test_both_ways_to_the_best_subsets_of_a_size_name_all_optima() -> None:
    """Of 14 features, 1 and 13 by branching, 7 by the sweep."""
    d = gallery.parity(14)
    assert [len(k_optimal(d, k).subsets) for k in (1, 7, 13)] == [14, 3432, 14]
    assert str(k_optimal(gallery.copies(3), 1)) == "1/10 = 0.1: {X1}, {X2}, {X3}"
    assert str(k_optimal(gallery.copies(3), 0)) == "1/2 = 0.5: {}"
