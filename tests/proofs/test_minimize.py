"""Descent from a counterexample, and the ways to meet one."""

from random import Random

import numpy as np
import pytest

from fstheory._support.progress import OutOfTime
from fstheory.distributions.joint import JointDistribution
from fstheory.logic.claims import claim
from fstheory.logic.every_size import EverySize
from fstheory.logic.expressions import Formula
from fstheory.logic.language import Model
from fstheory.logic.statement import Shape
from fstheory.logic.verdict import Refuted
from fstheory.proofs import descent, enumeration, refutation
from fstheory.proofs.batch import Array
from fstheory.proofs.descent import climb_hills, size_of_weights, slack, smaller_shape, smaller_weights, violation
from fstheory.proofs.enumeration import FormulaTarget, Target, Weights, lowest
from fstheory.proofs.solvers import WeightSolver, is_linear
from tests.literal import compositions
from tests.proofs import statements
from tests.proofs.claims import monotone, named
from tests.proofs.test_discovery import useless_alone_is_useless
from tests.steps import Steps


def test_descent_reaches_the_least_often() -> None:
    """(0, 0, 0, 1 | 0, 1, 1, 0) from any counterexample of a total of 12."""
    target = FormulaTarget(useless_alone_is_useless.statement(Shape((2, 2))))
    rng = Random(3)
    drawn = (tuple(rng.choices(range(4), k=8)) for _ in range(400))
    starts = [w for w in drawn if any(w) and target.violated(w)][:40]
    found = [smaller_weights(target, start, lambda: None) for start in starts]
    assert sum(weights == (0, 0, 0, 1, 0, 1, 1, 0) for weights in found) > len(found) * 0.8


def test_shapes_get_smaller_by_one_feature_state_or_class() -> None:
    """A third feature that copies the second one is left out; states and classes that never occur, too."""
    targets: dict[Shape, Target] = {}

    def target_of(shape: Shape) -> Target | None:
        statement = useless_alone_is_useless.statement(shape)
        return targets.setdefault(shape, FormulaTarget(statement)) if len(shape.cardinalities) == 2 else None

    shape = Shape((3, 2), 3)
    weights: Weights = (0, 0, 0, 0, 5, 0, 0, 0, 0, 0, 0, 0, 0, 5, 0, 5, 0, 0)
    while (step := smaller_shape(shape, weights, target_of)) is not None:
        shape, weights = step
        assert targets[shape].violated(weights)
    assert shape == Shape((2, 2), 2)
    assert weights == lowest(weights)
    assert sum(weights) == 3


@pytest.mark.parametrize("shape", [Shape((2, 3)), Shape((2, 2), 3), Shape((), 3), Shape((3,), 1)])
def test_what_is_drawn_has_one_total_and_depends_on_the_seed_only(shape: Shape) -> None:
    drawn = [list(descent.draw(shape, seed, 50)) for seed in (5, 5, 6)]
    for vectors, total in drawn[0]:
        assert vectors.shape == (shape.cells, 50)
        assert set(vectors.sum(axis=0).tolist()) == {total}
        assert vectors.min() >= 0
    bytes_ = [[vectors.tobytes() for vectors, _ in listed] for listed in drawn]
    assert bytes_[0] == bytes_[1] != bytes_[2]


def test_orderings_are_adversarial() -> None:
    found = list(descent.orderings(Shape((2, 2, 2)), 0))
    assert 10 < len(found) == len(set(found)) <= 20
    assert len(list(descent.orderings(Shape((2, 3)), 0))) == 2  # two features have two orders
    assert not list(descent.orderings(Shape((1, 2)), 0))


def test_true_claims_are_not_refuted_by_chance() -> None:
    target = FormulaTarget(monotone.statement(Shape((2, 2))))
    counted: list[object] = []
    assert descent.sample(target, 0, counted.append) == (None, descent.COUNT + 2)
    assert climb_hills(target, 0, counted.append)[0] is None
    assert len(counted) > 60


@statements.seeds(12, 40)
def test_slack_has_the_sign_of_the_truth(seed: int) -> None:
    """At least 0 where a formula is true, at most 0 where it is false; exactly, at every distribution."""
    rng = Random(seed)
    shape = statements.shape(rng)
    formula = statements.formula(rng, shape, statements.LINEAR, 2)
    statement = statements.statement(rng, shape, statements.LINEAR)
    for weights in list(compositions(3, shape.cells))[:40]:
        at = statements.evaluation(shape, weights)
        value = at.value(slack(formula))
        assert value >= 0 if at.truth(formula) else value <= 0
        height = at.value(violation(statement))
        assert height >= 0 if statements.violated(statement, weights) else height <= 0


def test_climbing_finds_what_is_rare() -> None:
    rare = named("rare", lambda m, i: (m.risk(i) <= "99/200") | (m.risk(i) >= "1/2"))
    target = FormulaTarget(rare.statement(Shape((2,))))
    weights, seen = climb_hills(target, 0, lambda _: None)
    assert weights is not None
    assert target.violated(weights)
    assert (weights, seen) == climb_hills(target, 0, lambda _: None)


@statements.seeds(12, 40)
@pytest.mark.one_in(3)
def test_least_weights_of_random_statements(seed: int) -> None:
    """Of each total: whether there is a counterexample, and the least one. Maxima, minima and fractions occur."""
    rng = Random(seed)
    shape = rng.choice((Shape((2,)), Shape((3,)), Shape((2,), 3), Shape((), 3)))
    statement = statements.statement(rng, shape, statements.LINEAR)
    assert is_linear(statement)
    for total in (1, 2, 5):
        every = [w for w in compositions(total, shape.cells) if statements.violated(statement, w)]
        solver = WeightSolver(statement, total)
        assert solver.check() is bool(every)
        if every:
            assert tuple(solver.least()) == min(every, key=size_of_weights)
            assert 0 < sum(WeightSolver(statement, 0).found_up_to(total)) <= total


def test_fewer_cells_come_before_smaller_weights_for_the_solver_and_in_descent() -> None:
    """Of (0, 1, 1, 1) and (1, 0, 0, 2), the only counterexamples, the second has fewer cells."""

    def few(m: Model) -> Formula:
        a, b, c = (m.probability({"X1": x}, y) * 3 for x, y in ((0, 0), (0, 1), (1, 0)))
        return ~(((a == 0) & (b == 1) & (c == 1)) | ((a == 1) & (b == 0) & (c == 0)))

    assert WeightSolver(named("few", few).statement(Shape((2,))), 3).least() == [1, 0, 0, 2]
    assert size_of_weights((1, 0, 0, 2)) < size_of_weights((0, 1, 1, 1))


class _Counted(FormulaTarget):
    """Counts how many times it decides candidates."""

    decided = 0

    def violated(self, weights: Weights) -> bool:
        self.decided += 1
        return super().violated(weights)

    def find(self, vectors: Array, total: int) -> tuple[Array, Array]:
        self.decided += 1
        return super().find(vectors, total)


@pytest.mark.parametrize("steps", [1, 2, 4])
def test_the_clock_is_looked_at_before_each_decision(steps: int) -> None:
    target, start = _Counted(useless_alone_is_useless.statement(Shape((2, 2)))), (0, 0, 0, 70000, 0, 900, 900, 0)
    clock = Steps(steps)
    with pytest.raises(OutOfTime):
        smaller_weights(target, start, lambda: clock.tick(str))
    assert target.decided <= steps


def test_a_constructed_counterexample_is_made_smaller_in_few_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    """With a limit and without one: the clock and the number of looks are both looked at before each decision."""
    decided, target = list[Shape](), enumeration.FunctionTarget
    worse = claim(lambda m, S, i: m.mutual_information(S | {i}) <= m.mutual_information(S), name="worse")
    d = JointDistribution(np.eye(8, dtype=int).reshape(2, 2, 2, 8) * 3)

    def counted(self: enumeration.FunctionTarget, weights: Weights) -> bool:
        decided.append(self.shape)
        return violated(self, weights)

    violated = target.violated
    monkeypatch.setattr(target, "violated", counted)
    refuted, statement = worse.check(d), worse.statement(EverySize(3))
    assert isinstance(refuted, Refuted)
    for steps, looks in ((3, 200), (10**6, 3)):
        decided.clear()
        monkeypatch.setattr(refutation, "_LOOKS", looks)
        kept = refutation._made_smaller(worse, statement, refuted, Steps(steps))
        assert kept.distribution.weights.size <= d.weights.size
        assert len(decided) <= 3
    monkeypatch.setattr(refutation, "_LOOKS", 200)
    assert refutation._made_smaller(worse, statement, refuted, Steps(10**6)).distribution.weights.size == 4
