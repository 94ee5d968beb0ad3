"""Phase diagrams against the exact ordering at thousands of parameters, at the critical values and beside them."""

import bisect
import random
from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
import sympy

import fstheory as fs
from fstheory._support.progress import Clock
from fstheory.numbers.roots import sqrt
from fstheory.selection.family import Family
from fstheory.selection.phase_diagram import PhaseDiagram, _polynomial_changes

BESIDE = Fraction(1, 10**30)
T = sympy.Symbol("t")


def drawn(source: random.Random, shape: Sequence[int], largest: int) -> fs.JointDistribution:
    """Draw weights, often equal or 0."""
    weights = np.array([source.randrange(largest) for _ in range(int(np.prod(shape)))]).reshape(shape)
    weights.flat[source.randrange(weights.size)] += 1
    return fs.JointDistribution(weights)


def ordering(family: Family, t: Fraction) -> Any:
    """Return the ordering by the risks of the distribution itself."""
    return fs.bayes_risks(family.at(t)).ordering()


def check(diagram: PhaseDiagram, source: random.Random, tries: int) -> None:
    """Compare a diagram with rational critical values with the ordering at many parameters."""
    family, critical = diagram.family, diagram.critical_values
    assert list(critical) == sorted(set(critical))
    orderings = [interval.ordering for interval in diagram.intervals]
    assert len(orderings) == len(critical) + 1
    for i, value in enumerate(critical):
        assert isinstance(value, Fraction)
        beside = ordering(family, value - BESIDE), ordering(family, value), ordering(family, value + BESIDE)
        assert (beside[0], beside[2]) == (orderings[i], orderings[i + 1])
        assert beside[1] == diagram.ordering_at(value)
        assert len(set(beside)) > 1
    for _ in range(tries):
        t = family.start + (family.end - family.start) * Fraction(source.randrange(1, 997), 997)
        if t not in critical:
            assert ordering(family, t) == orderings[bisect.bisect(critical, t)]


SHAPES = [(2,), (3,), (2, 2), (3, 2), (2, 3), (2, 2, 2), (2, 3, 2), (2, 2, 3), (2, 2, 2, 2), (3, 2, 2, 3)]


@pytest.mark.parametrize("shape", SHAPES, ids=str)
@pytest.mark.parametrize("largest", [2, 5, 40])
def test_a_linear_diagram_is_right_everywhere(shape: Sequence[int], largest: int) -> None:
    source = random.Random(f"{shape} {largest}")
    diagram = fs.phase_diagram(drawn(source, shape, largest), drawn(source, shape, largest))
    check(diagram, source, 15)
    if len(shape) < 4:
        assert _polynomial_changes(diagram.family, Clock(None, None)) == list(diagram.critical_values)


@pytest.mark.thorough
@pytest.mark.parametrize("seed", range(60))
def test_many_linear_diagrams_are_right_everywhere(seed: int) -> None:
    source = random.Random(seed)
    shape = source.choice([*SHAPES, (2, 2, 2, 2, 2), (2, 2, 2, 2, 3), (3, 3, 3, 2)])
    largest = source.choice([2, 3, 9, 100, 10**12])
    diagram = fs.phase_diagram(drawn(source, shape, largest), drawn(source, shape, largest))
    check(diagram, source, 60)


def test_weights_beyond_a_machine_word_make_the_same_diagram() -> None:
    source = random.Random(3)
    one, other = (drawn(source, (2, 2, 2, 2), 50).weights.astype(object) for _ in range(2))
    small = fs.phase_diagram(fs.JointDistribution(one), fs.JointDistribution(other))
    nudge = np.zeros(one.shape, dtype=object)
    nudge.flat[0] = 1
    first, second = (fs.JointDistribution(w * 10**40 + nudge) for w in (one, other))
    large = fs.phase_diagram(first, second)
    check(large, source, 10)
    assert len(small.critical_values) <= len(large.critical_values)


@pytest.mark.parametrize("power", range(54, 62))
@pytest.mark.parametrize(
    ("weights", "critical"),
    [([[6, 7 * T], [0, 10 + 5 * T]], "6/7"), ([[10 + 2 * T, 2 + T], [8 + 8 * T, 9 + 4 * T]], "1/4")],
)
def test_a_common_factor_up_to_a_machine_word_changes_nothing(weights: Any, critical: str, power: int) -> None:
    scaled = [[2**power * weight for weight in row] for row in weights]
    assert fs.phase_diagram(fs.polynomial_family(scaled, T)).critical_values == (Fraction(critical),)


@pytest.mark.parametrize("degree", [2, 3, 4])
def test_a_polynomial_diagram_is_right_beside_every_critical_value(degree: int) -> None:
    source = random.Random(degree)
    table = np.empty((2, 2, 2, 2) if degree < 4 else (2, 2, 3), dtype=object)
    for cell in np.ndindex(table.shape):
        table[cell] = sum(source.randrange(9) * T**j * (1 - T) ** (degree - j) for j in range(degree + 1))
    diagram = fs.phase_diagram(fs.polynomial_family(table.tolist(), T))
    assert len(diagram.critical_values) > 2
    for i, value in enumerate(diagram.critical_values):
        low, high = (value, value) if isinstance(value, Fraction) else value.enclosure(40)
        before, after = ordering(diagram.family, low - BESIDE), ordering(diagram.family, high + BESIDE)
        assert (before, after) == (diagram.intervals[i].ordering, diagram.intervals[i + 1].ordering)
        at = diagram.ordering_at(value)
        assert len({before, at, after}) > 1
        risks, near = diagram.risks_at(value), fs.bayes_risks(diagram.family.at(low))
        assert all(abs(float(risks[s]) - float(near[s])) < 1e-12 for s in near)
        for one, other in pairwise(at):
            assert one.value < other.value


def test_a_linear_family_may_run_from_anywhere_to_anywhere() -> None:
    source = random.Random(11)
    table = np.empty((2, 2, 2), dtype=object)
    for cell in np.ndindex(table.shape):
        table[cell] = source.randint(20, 40) + source.randint(-9, 9) * T
    diagram = fs.phase_diagram(fs.polynomial_family(table.tolist(), T, start="-2", end="3/2"))
    assert len(diagram.critical_values) > 1
    assert diagram.critical_values[0] < 0
    check(diagram, source, 30)


def test_irrational_critical_values_are_named_exactly() -> None:
    channel = fs.polynomial_family([[[1 - T, T**2], [T**2, 1 - T]], [[T, 1], [1, T]]], T)
    golden = (sqrt(5) - 1) / 2
    assert golden in fs.phase_diagram(channel).critical_values
    cubic = fs.polynomial_family([[1 - T, T**3]], T)  # no feature decides
    assert fs.phase_diagram(cubic).critical_values == ()
    assert [str(stretch) for stretch in cubic.assumption("unique_maximum")] == [
        "0 <= t < root 1 of t^3 + t - 1 ≈ 0.682328: yes",
        "t = root 1 of t^3 + t - 1 ≈ 0.682328: no",
        "root 1 of t^3 + t - 1 ≈ 0.682328 < t <= 1: yes",
    ]


def test_a_linear_family_may_run_far() -> None:
    """Weights times parameters leave machine words, though the weights do not."""
    table = [[[10**6 + 300000 * T, 7 + 10**6 * T], [2 * 10**6 + T, 3 + 5 * T]]]
    table += [[[9 + 700000 * T, 1000 + 2 * T], [5, 400000 * T]]]
    for end in (10**14, 10**30):
        diagram = fs.phase_diagram(fs.polynomial_family(table, T, end=end))
        assert _polynomial_changes(diagram.family, Clock(None, None)) == list(diagram.critical_values)
        assert diagram.critical_values[-1] == 499501


def test_noise_on_a_pair_changes_the_best_pair_where_it_should() -> None:
    """Two copies of the class, one with noise t, the other with noise 1/4: they change places at 1/4."""
    weights = np.zeros((2, 2, 2), dtype=object)
    for x1, x2, y in np.ndindex(2, 2, 2):
        weights[x1, x2, y] = (1 - T if x1 == y else T) * (3 if x2 == y else 1)
    family = fs.polynomial_family(weights.tolist(), T, end="1/2")
    diagram = fs.phase_diagram(family)
    assert [(s.start, s.end, s.answer) for s in diagram.best_of_size(1)] == [
        (0, Fraction(1, 4), (frozenset({"X1"}),)),
        (Fraction(1, 4), Fraction(1, 4), (frozenset({"X1"}), frozenset({"X2"}))),
        (Fraction(1, 4), Fraction(1, 2), (frozenset({"X2"}),)),
    ]
    assert [stretch.answer for stretch in family.assumption("positive")] == [True]
    whole = diagram.minimal_sets()
    for stretch in whole:
        ends = [end for end in (stretch.start, stretch.end) if isinstance(end, Fraction)]
        middle = sum(ends, Fraction(0)) / len(ends)
        assert len(ends) == 2
        assert fs.bayes_risks(family.at(middle)).minimal_sets() == stretch.answer


def test_an_assumption_is_told_where_it_fails() -> None:
    family = fs.polynomial_family([[T, 0], [1 - T, (2 * T - 1) ** 2]], T)
    told = {name: [str(s) for s in family.assumption(name)] for name in ("positive", "unique_maximum")}
    assert told["positive"] == ["t = 0: no", "0 < t <= 1: yes"]
    for stretch in family.assumption("unique_maximum"):
        ends = [end for end in (stretch.start, stretch.end) if isinstance(end, Fraction)]
        t = sum(ends, Fraction(0)) / len(ends)
        assert bool(family.at(t).has_unique_maximum()) == stretch.answer
    assert told["unique_maximum"] == ["t = 0: no", "0 < t < 3/4: yes", "t = 3/4: no", "3/4 < t <= 1: yes"]


def test_classes_that_tie_do_so_no_more_where_their_state_vanishes() -> None:
    """Both classes of a state have the weight (3t - 1)^2: the second assumption holds at 1/3 only."""
    family = fs.polynomial_family([[(3 * T - 1) ** 2, (3 * T - 1) ** 2], [1, 2]], T)
    assert [(str(s.start), s.answer) for s in family.assumption("unique_maximum")] == [
        ("0", False),
        ("1/3", True),
        ("1/3", False),
    ]


def test_a_single_class_is_always_the_largest() -> None:
    family = fs.polynomial_family([[T], [1]], T)
    assert [str(s) for s in family.assumption("unique_maximum")] == ["0 <= t <= 1: yes"]
    assert fs.phase_diagram(family).critical_values == ()


def test_the_ends_and_irrational_parameters_are_answered() -> None:
    first, second = fs.gallery.xor(), fs.gallery.xor(noise="1/2")
    diagram = fs.phase_diagram(first, second)
    assert str(diagram.ordering_at(0)) == str(fs.bayes_risks(first).ordering())
    assert str(diagram.ordering_at(1)) == str(diagram.ordering_at(sqrt(1))) == "{} = X1 = X2 = X1X2"
    risks = diagram.risks_at(sqrt(2) / 2)
    assert risks[{"X1", "X2"}] == sqrt(2) / 4
    assert risks[{"X1"}] == Fraction(1, 2)


def test_the_picture_says_how_often_the_ordering_changes() -> None:
    source = random.Random(1)
    diagram = fs.phase_diagram(drawn(source, (2, 2, 2), 20), drawn(source, (2, 2, 2), 20))
    assert f"changes at {len(diagram.critical_values)} values" in diagram.plot().to_svg()
