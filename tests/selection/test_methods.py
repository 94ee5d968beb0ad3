"""Every method against the literal definition, and what a result says of itself."""

import itertools
import pickle
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fstheory import JointDistribution, SubsetTable
from fstheory.distributions import gallery
from fstheory.errors import InvalidValueError
from fstheory.selection.optimal import (
    backward_search,
    exhaustive_search,
    minimal_optimal,
    one_shot,
    resampling,
    resampling_probability,
)
from tests.selection import literal
from tests.selection.distributions import GALLERY, distributions

METHODS = ("backward", "one-shot", "resampling", "exhaustive")


def check_methods(d: JointDistribution, order: list[str]) -> None:
    world = literal.Literal(d)
    table = literal.risks(world)
    best, found = min(table.values()), literal.solutions(table)
    everything = frozenset(d.features)
    chosen, tests, iterations = literal.table_1(table, order)
    back = backward_search(d, order=order)
    assert (back.features, back.iterations) == (chosen, iterations)
    assert [(step.subset, step.chosen, step.value, step.made) for step in back.trace] == tests
    assert all(back.least_risk == table[step.subset] for step in back.trace)
    assert back.path == tuple(dict.fromkeys([everything, *(step.subset for step in back.trace), chosen]))

    once = one_shot(d)
    assert once.features == {x for x in everything if table[everything - {x}] != best}
    assert once.iterations == len(once.trace) == len(d.features)

    again = resampling(d)
    chances = {x: literal.changes(world, x) for x in d.features}
    assert again.features == {x for x, chance in chances.items() if chance > 0}
    assert {step.chosen: step.value for step in again.trace} == chances
    assert {x: resampling_probability(d, x) for x in d.features} == chances

    every = exhaustive_search(d)
    assert set(every.solutions) == found
    assert every.features == every.solutions[0] == min(every.solutions, key=len)

    for result in (back, once, again, every):
        assert (result.positive.holds, result.unique_maximum.holds) == world.assumptions()
        assert (result.risk, result.least_risk) == (table[result.features], best)
        assert (result.is_solution, result.is_unique) == (result.features in found, len(found) == 1)
        assert result.common == frozenset.intersection(*found)
        assert result.guaranteed == (result.method == "exhaustive" or all(world.assumptions()))
        if result.method != "exhaustive":
            assert result.solutions == ((result.features,) if result.features in found else ())
        assert str(result)


@given(distributions(), st.data())
def test_every_method_as_defined(d: JointDistribution, data: st.DataObject) -> None:
    check_methods(d, data.draw(st.permutations(d.features)))


@pytest.mark.parametrize("name", GALLERY)
def test_every_method_on_the_gallery(name: str) -> None:
    d = GALLERY[name]()
    for order in itertools.permutations(d.features):
        check_methods(d, list(order))


@pytest.mark.parametrize("method", METHODS)
def test_the_facade_calls_the_method(method: str) -> None:
    d = gallery.recoded()
    free = {"backward": backward_search, "one-shot": one_shot, "resampling": resampling}.get(method, exhaustive_search)
    result = minimal_optimal(d, method)  # type: ignore[arg-type]
    assert result == free(d)
    assert result.method == method
    assert pickle.loads(pickle.dumps(result)) == result
    assert hash(result) == hash(free(d))


def test_the_default_order_is_that_of_the_features() -> None:
    d = gallery.recoded()
    assert minimal_optimal(d) == minimal_optimal(d, order=d.features)
    assert minimal_optimal(d, order=reversed(d.features)).features == {"X1", "X2"}


def test_backward_search_does_not_need_the_sweep() -> None:
    parity = np.indices((2,) * 17).sum(axis=0) % 2
    noisy = minimal_optimal(JointDistribution(np.stack([2 - parity, 1 + parity], axis=-1)))
    assert (len(noisy.features), noisy.risk) == (17, Fraction(1, 3))


@pytest.mark.parametrize(
    ("name", "method", "sentences"),
    [
        ("copies", "backward", ["p(x) > 0 for every x: fails at x = (X1=0, X2=1)", "but not to be the only one"]),
        ("copies", "backward", ["guaranteed to be a solution, a minimal", "one of several solutions, which share no"]),
        ("copies", "one-shot", ["not guaranteed to be a solution", "no solution: its risk is 1/2, that of all"]),
        ("copies", "resampling", ["it is the set of the features that all solutions share"]),
        ("ties", "resampling", ["fails at x = (X1=0, X2=1), where 0 and 1 tie", "a smaller set has the same"]),
        ("recoded", "exhaustive", ["X3, X1X2", "Here there are 2 solutions, which share no feature."]),
        ("titanic", "backward", ["Without p(x) > 0 for every x,", "a solution, and the only one"]),
        ("noisy xor", "one-shot", ["Both assumptions hold, so this is S*, the only solution (Theorem 6)."]),
    ],
)
def test_it_says_how_far_it_can_be_trusted(name: str, method: str, sentences: list[str]) -> None:
    result = minimal_optimal(GALLERY[name](), method)  # type: ignore[arg-type]
    text = str(result)
    for sentence in sentences:
        assert sentence in text, text


def test_a_long_trace_is_cut() -> None:
    weights = gallery.parity(8, noise="1/3").weights.reshape(*[2] * 8, *[1] * 8, 2)
    result = minimal_optimal(JointDistribution(weights))  # eight features are tested again after each removal
    assert len(result.trace) == 8 + 8 * 9
    assert "... 16 more tests" in str(result)


def test_plot_marks_what_was_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """S* only where it is unique; what is no solution is not marked."""
    x1x2, x2x3, x3 = frozenset({"X1", "X2"}), frozenset({"X2", "X3"}), frozenset({"X3"})
    everything = x1x2 | x3
    drawn: list[dict[str, object]] = []
    pytest.importorskip("matplotlib")
    assert "<svg" in minimal_optimal(gallery.recoded()).plot().to_svg()
    monkeypatch.setattr(SubsetTable, "plot", lambda table, **options: drawn.append(options))
    for method in METHODS:
        minimal_optimal(gallery.recoded(), method).plot(title="")  # type: ignore[arg-type]
    minimal_optimal(gallery.xor()).plot()
    backward, exhaustive = {"minimal": (x3,), "path": (everything, x2x3, x3)}, {"minimal": (x3, x1x2)}
    assert drawn == [*(marks | {"title": ""} for marks in (backward, {}, {}, exhaustive)), {"best": x1x2}]


def test_the_features_that_an_order_leaves_out_are_named() -> None:
    with pytest.raises(InvalidValueError, match=r"order must be of all features, .*; add X1, X3$"):
        minimal_optimal(JointDistribution(np.ones((2, 2, 2, 2), dtype=int)), order=["X2"])
