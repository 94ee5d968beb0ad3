"""The solver about weights, against looking at all of them."""

from __future__ import annotations

from random import Random

import pytest

from fstheory.counterexamples.minimize import size_of_weights
from fstheory.counterexamples.solver import WeightSolver, is_linear, solver_version
from fstheory.logic import Formula, Model, Shape, claim, positive
from fstheory.proofs.solvers import Clock, NoAnswer
from tests.counterexamples import statements
from tests.counterexamples.exhaustion import compositions


@claim(assume=[positive])
def no_fifth(m: Model, i: str) -> Formula:
    return m.risk(i) != "1/5"


@pytest.mark.parametrize("seed", range(40))
def test_least_weights_of_random_statements(seed: int) -> None:
    """Of each total: whether there is a counterexample, and the least one. Maxima, minima and fractions occur."""
    rng = Random(seed)
    shape = rng.choice((Shape((2,)), Shape((3,)), Shape((2,), 3), Shape((), 3)))
    statement = statements.statement(rng, shape, statements.LINEAR)
    assert is_linear(statement)
    for total in (1, 2, 5):
        every = [w for w in compositions(shape.cells, total) if statements.violated(statement, w)]
        solver = WeightSolver(statement, total)
        assert solver.check() is bool(every)
        if every:
            assert solver.least() == min(every, key=size_of_weights)
            assert WeightSolver(statement).check()
            some = WeightSolver(statement, 0)
            assert some.check(some.total <= total)
            assert sum(some.found()) <= total


@pytest.mark.parametrize("seed", range(20))
def test_a_total_that_the_probabilities_have(seed: int) -> None:
    rng = Random(seed)
    statement = statements.statement(rng, Shape((2,)), statements.LINEAR)
    solver = WeightSolver(statement)
    if solver.check():
        assert WeightSolver(statement, sum(solver.found())).check()
    else:
        assert not any(statements.violated(statement, w) for w in compositions(4, 6))


def test_least_of_all_totals() -> None:
    statement = no_fifth.statement(Shape((2,)))
    some = WeightSolver(statement, 0)
    assert not some.check(some.total <= 4)
    assert some.check(some.total <= 5)
    assert WeightSolver(statement, 5).least() == (0, 1, 1, 3)


@pytest.mark.parametrize("kinds", [statements.LINEAR, statements.ALL])
def test_what_is_linear(kinds: tuple[str, ...]) -> None:
    rng = Random(7)
    answers = {is_linear(statements.statement(rng, Shape((2, 2)), kinds)) for _ in range(20)}
    assert answers == ({True} if kinds == statements.LINEAR else {True, False})


def test_resources_and_time_run_out() -> None:
    statement = no_fifth.statement(Shape((2, 2, 2)))
    with pytest.raises(NoAnswer):
        WeightSolver(statement, None, Clock(None, None), 1).check()


def test_the_solver_has_a_name() -> None:
    assert str(solver_version()).startswith("Z3 ")
