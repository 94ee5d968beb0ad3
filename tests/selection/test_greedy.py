"""Choosing k features by a criterion, and scores, against the searches written out over dictionaries."""

import itertools
from collections.abc import Callable
from fractions import Fraction
from functools import partial
from typing import Any, get_args

import pytest
from hypothesis import given, strategies as st

from fstheory import JointDistribution, bayes_risks, cmi_elimination
from fstheory.distributions import gallery
from fstheory.measures import criteria
from fstheory.numbers.logsum import LogSum
from fstheory.selection.greedy import SelectionMethod, SetFunction, fisher_scores, mrmr, select, set_function
from fstheory.selection.stopping import FeatureCountRule
from fstheory.selection.submodularity import compare_greedy
from tests.selection import literal
from tests.selection.distributions import distributions

LITERAL: dict[str, Callable[[literal.Pmf, tuple[int, ...]], Any]] = {
    "zero_one": literal.risk,
    "logarithmic": literal.log_loss,
}
METHODS: tuple[SelectionMethod, ...] = get_args(SelectionMethod)
CRITERIA = st.sampled_from(sorted(LITERAL))


@given(distributions(), CRITERIA, st.data())
def test_the_methods_choose_what_they_say(d: JointDistribution, criterion: str, data: st.DataObject) -> None:
    n = len(d.features)
    k = data.draw(st.integers(0, n))
    order = data.draw(st.permutations(range(n)))
    value = partial(LITERAL[criterion], literal.pmf(d))
    best = min(value(s) for s in itertools.combinations(range(n), k))
    expected: dict[SelectionMethod, list[int]] = {
        "greedy-forward": literal.forward(value, k, order),
        "greedy-backward": literal.backward(value, k, order),
        "score": sorted(order, key=lambda i: value((i,)))[:k],
        "exhaustive": next(list(s) for s in itertools.combinations(order, k) if value(tuple(sorted(s))) == best),
    }
    for method, indices in expected.items():
        found = select(d, k, criterion, method, order=[d.features[i] for i in order])
        assert found.features == tuple(d.features[i] for i in indices), method
        assert found.value == value(tuple(sorted(indices)))
        if method == "greedy-forward":
            for at, step in enumerate(found.trace):
                assert step.subset == {d.features[i] for i in indices[:at]}
                left = [i for i in order if i not in indices[:at]]
                assert step.candidates == {d.features[i]: value(tuple(sorted([*indices[:at], i]))) for i in left}
                assert step.value == min(step.candidates.values())
                assert step.tied == tuple(d.features[i] for i in left if step.candidates[d.features[i]] == step.value)
                assert step.tied[0] == step.chosen
            assert found.has_ties == any(len(step.tied) > 1 for step in found.trace)
        if method == "exhaustive":
            every = [s for s in itertools.combinations(range(n), k) if value(s) == best]
            assert set(found.subsets) == {frozenset(d.features[i] for i in s) for s in every}
            assert found.has_ties == (len(every) > 1)


@pytest.mark.parametrize("method", METHODS)
def test_ahmed_example_1_and_scores_that_are_maximized(method: SelectionMethod) -> None:
    """BayesGreedy and BayesScore take feature 1, MIGreedy and MIScore feature 2."""
    d, passengers, loss = gallery.ahmed_example_1(), gallery.titanic(), criteria.logarithmic()
    assert select(d, 1, "zero_one", method).features == ("X1",)
    assert select(d, 1, "logarithmic", method).features == ("X2",)
    losses = loss.table(passengers)
    gained = SetFunction(passengers.features, lambda mask: losses.value_at(0) - losses.value_at(mask))
    assert select(passengers, 2, gained, method).features == select(passengers, 2, loss, method).features


def test_tables_and_set_functions_are_criteria() -> None:
    d = gallery.titanic()
    f = set_function(d, "zero_one")
    assert select(d, 2, bayes_risks(d)).features == select(d, 2).features
    assert select(d, 2, f).value == f.value({"sex", "class"}) == bayes_risks(d)[{"sex", "class"}]


@given(distributions(), st.data())
def test_mrmr_against_its_definition(d: JointDistribution, data: st.DataObject) -> None:
    p, n = literal.pmf(d), len(d.features)
    k = data.draw(st.integers(0, n))
    order = data.draw(st.permutations(range(n)))
    chosen: list[int] = []
    score = None
    for _ in range(k):
        scores = {}
        for j in (j for j in order if j not in chosen):
            redundant = sum((literal.information(p, (j,), (i,), ()) for i in chosen), LogSum.of(0))
            scores[j] = literal.information(p, (j,), (n,), ()) - redundant * Fraction(1, max(1, len(chosen)))
        chosen.append(max(scores, key=scores.__getitem__))
        score = scores[chosen[-1]]
    found = mrmr(d, k, order=[d.features[i] for i in order])
    assert found.features == tuple(d.features[i] for i in chosen)
    assert found.value == score


@given(distributions())
def test_fisher_scores_against_their_definition(d: JointDistribution) -> None:
    p = literal.pmf(d)
    classes = literal.over(p, (-1,))
    scores = fisher_scores(d)
    for i, name in enumerate(d.features):
        joint: dict[Any, Fraction] = literal.over(p, (i, -1))
        mean = sum((w * x for (x, _), w in joint.items()), Fraction(0))
        between = within = Fraction(0)
        for (y,), weight in classes.items():
            inside = sum((w * x for (x, c), w in joint.items() if c == y), Fraction(0)) / weight
            between += weight * (inside - mean) ** 2
            within += sum((w * (x - inside) ** 2 for (x, c), w in joint.items() if c == y), Fraction(0))
        assert (scores[name].between, scores[name].within) == (between, within)
        assert not within or scores[name].value == between / within
    assert all(a >= b for a, b in itertools.pairwise(scores.values()))


def test_fisher_scores_infinite_and_zero_and_of_exact_labels() -> None:
    scores = fisher_scores(JointDistribution([[[[1, 0]]], [[[0, 1]]]]))
    assert {name: str(score) for name, score in scores.items()} == {"X1": "infinite", "X2": "0", "X3": "0"}
    assert list(scores) == ["X1", "X2", "X3"]
    plain, named = (JointDistribution([[3, 1], [1, 3]], states={"X1": x}) for x in ([0, 2], ["0.5", Fraction(5, 2)]))
    assert fisher_scores(named)["X1"].value == fisher_scores(plain)["X1"].value


@given(distributions(), CRITERIA, st.data())
def test_the_ratio_is_that_of_the_gains(d: JointDistribution, criterion: str, data: st.DataObject) -> None:
    k = data.draw(st.integers(0, len(d.features)))
    value, n = partial(LITERAL[criterion], literal.pmf(d)), len(d.features)
    best = value(()) - min(value(s) for s in itertools.combinations(range(n), k))
    reached = value(()) - value(tuple(sorted(literal.forward(value, k, range(n)))))
    found = compare_greedy(d, k, criterion)
    assert found.is_optimal == (best == reached)
    if best == 0:
        assert found.ratio == 1
    elif isinstance(found.ratio, Fraction):
        assert found.ratio * best == reached
    else:
        low, high = found.ratio.enclosure(12)
        assert best * low < reached < best * high
    assert found.ratio <= 1


@pytest.mark.thorough
def test_every_way_is_drawn() -> None:
    """Also of rankings that give subsets no value, of set functions of one's own, and of eliminations."""
    d = gallery.titanic()
    selections = [select(d, 1, "logarithmic", method) for method in METHODS]
    ways = [[set(), {"sex"}], [{"class", "sex", "age"}, {"class", "sex"}, {"sex"}], [set(), {"sex"}], []]
    assert [[set(subset) for subset in found.path] for found in selections] == ways
    assert "logarithmic loss" in selections[-1].plot().to_svg()
    size = SetFunction(d.features, lambda mask: Fraction(mask.bit_count()))
    assert size.table()[{"sex", "age"}] == 2
    assert [len(level.subsets) for level in size.table().ordering()] == [1, 3, 3, 1]
    every: list[Any] = [*selections, mrmr(d, 2), select(d, 2, size), cmi_elimination(d, FeatureCountRule(1))]
    for found in every:
        assert "The way" in found.plot(title="The way").to_svg()
    assert "<svg" in bayes_risks(d).plot(path=every[0]).to_svg()


def test_set_functions_are_equal_if_they_measure_the_same_by_the_same_criterion() -> None:
    d, other = gallery.xor(), JointDistribution([[[1, 2], [3, 4]], [[1, 1], [1, 1]]])
    for make in (lambda of: set_function(of, "zero_one"), lambda of: set_function(of, bayes_risks(of))):
        assert make(d) == make(d) != make(other)
