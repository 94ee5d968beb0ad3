"""Families of distributions: where the ordering changes, and where informations cross."""

import bisect
import random
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
import sympy

import fstheory as fs
from fstheory.measures.information import mutual_information
from fstheory.numbers.roots import sqrt
from fstheory.selection.crossings import information_crossings
from fstheory.selection.family import Family, as_risks
from fstheory.selection.phase_diagram import PhaseDiagram

BESIDE = Fraction(1, 10**30)
T = sympy.Symbol("t")
ONE = fs.JointDistribution([[[3, 0], [2, 1]], [[1, 2], [0, 3]]])
OTHER = fs.JointDistribution([[[3, 1], [1, 4]], [[3, 1], [0, 2]]])


def drawn(source: random.Random, shape: Sequence[int], largest: int) -> fs.JointDistribution:
    """Draw weights, often equal or 0."""
    weights = np.array([source.randrange(largest) for _ in range(int(np.prod(shape)))]).reshape(shape)
    weights.flat[source.randrange(weights.size)] += 1
    return fs.JointDistribution(weights)


def sensors(noise: Any, odds: int, start: str = "0", end: str = "1") -> Family:
    """Return the class seen through a noise that depends on t, and through one with some odds."""
    weights = np.zeros((2, 2, 2), dtype=object)
    for x1, x2, y in np.ndindex(2, 2, 2):
        weights[x1, x2, y] = (1 - noise if x1 == y else noise) * (odds if x2 == y else 1)
    family: Family = fs.polynomial_family(weights.tolist(), T, start=start, end=end)
    return family


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


@pytest.mark.one_in(2)
@pytest.mark.parametrize("shape", SHAPES, ids=str)
@pytest.mark.parametrize("largest", [2, 5, 40])
def test_a_linear_diagram_is_right_everywhere(shape: Sequence[int], largest: int) -> None:
    source = random.Random(f"{shape} {largest}")
    diagram = fs.phase_diagram(drawn(source, shape, largest), drawn(source, shape, largest))
    check(diagram, source, 15)
    if len(shape) < 4:
        lines = diagram.family.coefficients
        steeper = np.array([lines[0], lines[0] + lines[1], lines[1]]) if len(lines) == 2 else lines  # times 1 + t
        again = fs.phase_diagram(replace(diagram.family, coefficients=steeper))
        assert again.critical_values == diagram.critical_values


@pytest.mark.parametrize("power", [54, 57, 60, 61])
def test_a_common_factor_up_to_a_machine_word_changes_nothing(power: int) -> None:
    for weights, critical in [
        ([[6, 7 * T], [0, 10 + 5 * T]], Fraction(6, 7)),
        ([[10 + 2 * T, 2 + T], [8 + 8 * T, 9 + 4 * T]], Fraction(1, 4)),
    ]:
        scaled = [[2**power * weight for weight in row] for row in weights]
        assert fs.phase_diagram(fs.polynomial_family(scaled, T)).critical_values == (critical,)


@pytest.mark.one_in(3)
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
        assert all(one.value < other.value for one, other in pairwise(at))


@pytest.mark.parametrize("criterion", ["balanced", "auc"])
@pytest.mark.parametrize("shape", [(2, 2, 2), (2, 2, 3), (3, 2, 2, 2)], ids=str)
def test_a_criterion_is_ordered_as_the_risks_of_another_family(criterion: str, shape: Sequence[int]) -> None:
    source = random.Random(f"{criterion} {shape}")
    family = fs.linear_family(*(fs.JointDistribution(drawn(source, shape, 9).weights + 1) for _ in range(2)))
    risky = as_risks(family, criterion)
    assert (risky is None) == (criterion == "auc" and shape[-1] == 3)
    for t in map(Fraction, ("0", "1/3", "22/25") if risky else ()):
        assert risky
        values, risks = fs.criterion_values(family.at(t), criterion), fs.bayes_risks(risky.at(t))
        for mask in range(len(values)):
            value, risk = values.value_at(mask), risks.value_at(mask)
            assert value == (1 - risk if criterion == "auc" else shape[-1] * risk)
    assert as_risks(fs.linear_family(*(fs.gallery.random((3, 11), rng=i) for i in range(2))), "auc") is None
    assert as_risks(fs.polynomial_family([[T**2, 1]], T, start="-1"), criterion) is None  # a class is lost at 0


@pytest.mark.thorough
def test_a_linear_family_may_run_far() -> None:
    """Weights times parameters leave machine words, though the weights do not, or weights do, or it starts below 0."""
    source, nudge = random.Random(3), np.zeros((2, 2, 2, 2), dtype=object)
    nudge.flat[0] = 1
    pair = (drawn(source, nudge.shape, 50).weights.astype(object) * 10**40 + nudge for _ in range(2))
    check(fs.phase_diagram(*map(fs.JointDistribution, pair)), source, 10)
    lines = [[[20 + source.randrange(20) + source.randint(-9, 9) * T for _ in "ab"] for _ in "ab"] for _ in "ab"]
    check(fs.phase_diagram(fs.polynomial_family(lines, T, start="-2", end="3/2")), source, 30)
    table = [[[10**6 + 300000 * T, 7 + 10**6 * T], [2 * 10**6 + T, 3 + 5 * T]]]
    table += [[[9 + 700000 * T, 1000 + 2 * T], [5, 400000 * T]]]
    near = fs.phase_diagram(fs.polynomial_family(table, T, end=10**6))
    check(near, source, 30)
    for end in (10**14, 10**30):
        diagram = fs.phase_diagram(fs.polynomial_family(table, T, end=end))
        assert diagram.critical_values == near.critical_values
        assert diagram.critical_values[-1] == 499501


def test_irrational_critical_values_are_named_exactly() -> None:
    """And irrational parameters are answered, as are the ends."""
    first, second = fs.gallery.xor(), fs.gallery.xor(noise="1/2")
    diagram = fs.phase_diagram(first, second)
    assert str(diagram.ordering_at(0)) == str(fs.bayes_risks(first).ordering())
    assert str(diagram.ordering_at(1)) == str(diagram.ordering_at(sqrt(1))) == "{} = X1 = X2 = X1X2"
    risks = diagram.risks_at(sqrt(2) / 2)
    assert [risks[{"X1", "X2"}], risks[{"X1"}]] == [sqrt(2) / 4, Fraction(1, 2)]
    channel = fs.polynomial_family([[[1 - T, T**2], [T**2, 1 - T]], [[T, 1], [1, T]]], T)
    assert (sqrt(5) - 1) / 2 in fs.phase_diagram(channel).critical_values
    cubic = fs.polynomial_family([[1 - T, T**3]], T)  # no feature decides
    assert fs.phase_diagram(cubic).critical_values == ()


def test_noise_on_a_pair_changes_the_best_pair_where_it_should() -> None:
    """The class with noise t and with noise 1/4: they change places at 1/4."""
    diagram = fs.phase_diagram(sensors(T, 3, end="1/2"))
    told = ["0 <= t < 1/4: {X1}", "t = 1/4: {X1}, {X2}", "1/4 < t <= 1/2: {X2}"]
    assert list(map(str, diagram.best_of_size(1))) == told
    for stretch in diagram.minimal_sets():
        assert isinstance(stretch.start, Fraction)
        assert isinstance(stretch.end, Fraction)
        middle = (stretch.start + stretch.end) / 2
        assert fs.bayes_risks(diagram.family.at(middle)).minimal_sets() == stretch.answer


@pytest.mark.parametrize(
    ("weights", "name", "told"),
    [
        ([[T, 0], [1 - T, (2 * T - 1) ** 2]], "positive", ["t = 0: no", "0 < t <= 1: yes"]),
        (
            [[T, 0], [1 - T, (2 * T - 1) ** 2]],
            "unique_maximum",
            ["t = 0: no", "0 < t < 3/4: yes", "t = 3/4: no", "3/4 < t <= 1: yes"],
        ),
        # both classes of a state tie, but not where it vanishes
        (
            [[(3 * T - 1) ** 2, (3 * T - 1) ** 2], [1, 2]],
            "unique_maximum",
            ["0 <= t < 1/3: no", "t = 1/3: yes", "1/3 < t <= 1: no"],
        ),
        (
            [[1 - T, T**3]],
            "unique_maximum",
            [
                "0 <= t < root 1 of t^3 + t - 1 ≈ 0.682328: yes",
                "t = root 1 of t^3 + t - 1 ≈ 0.682328: no",
                "root 1 of t^3 + t - 1 ≈ 0.682328 < t <= 1: yes",
            ],
        ),
    ],
)
def test_an_assumption_is_told_where_it_fails(weights: Any, name: Any, told: list[str]) -> None:
    assert list(map(str, fs.polynomial_family(weights, T).assumption(name))) == told


@pytest.mark.thorough
def test_the_pictures_say_what_they_show() -> None:
    source = random.Random(1)
    diagram = fs.phase_diagram(drawn(source, (2, 2, 2), 20), drawn(source, (2, 2, 2), 20))
    assert f"changes at {len(diagram.critical_values)} values" in diagram.plot().to_svg()


# Where informations cross: exact signs on both sides, and nothing missed on a fine grid


def difference(family: Family, t: Fraction) -> int:
    """Return the sign of the difference of the informations of X1 and X2, exactly."""
    d = family.at(t)
    gap = mutual_information(d, d.target, "X1") - mutual_information(d, d.target, "X2")
    return (gap > 0) - (gap < 0)


@pytest.mark.parametrize("seed", range(8))
def test_signs_differ_on_both_sides_of_a_crossing_and_nowhere_else(seed: int) -> None:
    source = random.Random(seed)
    shape = source.choice([(2, 2, 2), (3, 2, 2), (2, 2, 3)])
    pair = (fs.JointDistribution(drawn(source, shape, 8).weights + 1) for _ in range(2))
    family = fs.linear_family(*pair)
    found = information_crossings(family, "X1", "X2", width="1/1000000")
    for low, high in found.crossings:
        assert 0 <= high - low <= Fraction(1, 10**6)
        assert low == high or difference(family, low) * difference(family, high) == -1
    for left, right in pairwise(Fraction(i, 61) for i in range(62)):
        inside = sum(left <= low and high <= right for low, high in found.crossings)
        signs = difference(family, left), difference(family, right)
        if 0 not in signs and not any(low < right and left < high for low, high in found.undecided):
            assert (signs[0] != signs[1]) == (inside % 2 == 1)


def test_families_are_equal_if_they_have_the_same_parameter_and_weights() -> None:
    rows = [[1 - T, T], [T, 1 - T]]
    family, other = fs.polynomial_family(rows, T), sympy.Symbol("s")
    again = fs.polynomial_family([[cell.subs(T, other) for cell in row] for row in rows], other)
    assert again.at("1/3") == family.at("1/3")
    assert again != family
    assert again.risk({"X1"}) != family.risk({"X1"})
    mixed = fs.linear_family(family.at(0), family.at(1))
    assert mixed == family
    assert hash(mixed) == hash(family)


LATE = tuple(map(fs.JointDistribution, ([[[2, 1], [2, 1]], [[1, 0], [0, 0]]], [[[1, 2], [1, 1]], [[1, 1], [0, 0]]])))
LARGE = ([[[3, 0], [2, 1]], [[1, 2], [0, 3]]], [[[3, 1], [1, 4]], [[3, 1], [0, 2]]])


@pytest.mark.parametrize(
    ("family", "crossings"),
    [
        (sensors(T, 2, "1/100", "49/100"), ["0.3333"]),
        (sensors(T, 2), ["0.3333", "0.6667"]),  # weights vanish at the ends
        # the least value of w log w is -1/e, not the least where w is small; and at the other end they are equal
        (fs.linear_family(*LATE), ["0.8185", "1.0000"]),
        # around 0, the middle, nothing but the twelfth power changes: noise 1/3 is where (2t)^12 = 2/3
        (sensors(Fraction(1, 5) + (2 * T) ** 12 / 5, 2, "-1/2", "1/2"), ["-0.4834", "0.4834"]),
        (fs.linear_family(ONE, ONE), []),  # they differ by a constant
        (fs.linear_family(*(fs.JointDistribution(np.array(w, dtype=object) * 10**45 + 1) for w in LARGE)), ["0.3354"]),
    ],
)
def test_crossings_are_where_they_should_be(family: Family, crossings: list[str]) -> None:
    found = information_crossings(family, "X1", "X2", width="1/1000000")
    assert [f"{float(low):.4f}" for low, _ in found.crossings] == crossings
    assert (found.undecided, found.always) == ((), False)


@pytest.mark.parametrize(("start", "end"), [("1/8", "3/8"), ("1/4", "3/8"), ("1/8", "1/4"), ("15/64", "17/64")])
def test_a_crossing_at_a_middle_or_an_end_is_that_number(start: str, end: str) -> None:
    quarter = Fraction(1, 4)
    assert information_crossings(sensors(T, 3, start, end), "X1", "X2").crossings == ((quarter, quarter),)


def test_what_is_equal_everywhere_has_no_crossing() -> None:
    """Also where a third feature that says nothing splits every weight in two parts, 1/3 and 2/3."""
    weights = np.zeros((2, 2, 2), dtype=object)
    for x1, x2, y in np.ndindex(2, 2, 2):
        weights[x1, x2, y] = (1 - T if x1 == y else T) * (1 + x2)
    same = fs.linear_family(fs.gallery.xor(), fs.gallery.xor(noise="1/4"))
    for family, second in ((same, ["X2"]), (fs.polynomial_family(weights.tolist(), T), ["X1", "X2"])):
        found = information_crossings(family, "X1", second)
        assert (found.crossings, found.undecided, found.always) == ((), (), True)
        assert str(found) == f"I(Y; X1) = I(Y; {', '.join(second)}) at every t"


def test_what_vanishes_with_a_weight_without_a_change_of_sign_stays_undecided() -> None:
    n = (2 * T - 1) ** 2 / 4  # 0 at t = 1/2 only: there both tell everything
    family = fs.polynomial_family([[[1 - n, 0], [0, n]], [[n, 0], [0, 1 - n]]], T, start="1/4", end="3/4")
    found = information_crossings(family, "X1", "X2", width="1/4096")
    ((low, high),) = found.undecided
    assert (low <= Fraction(1, 2) <= high, found.crossings) == (True, ())


@pytest.mark.one_in(2)
@pytest.mark.parametrize("order", [2, 3])
def test_a_zero_of_higher_order_is_confined_to_a_short_interval(order: int) -> None:
    noise = Fraction(1, 4) + (3 * T - 1) ** order / 64
    for width in (Fraction(1, 2**40), Fraction(1, 10**25)):
        found = information_crossings(sensors(noise, 3), "X1", "X2", width=width)
        ((low, high),) = found.undecided
        assert low < Fraction(1, 3) < high < low + 16 * width
        assert found.touches == (Fraction(1, 3),)
        assert str(found) == "I(Y; X1) = I(Y; X2) at no t; undecided around 1/3, where they are equal"


def test_a_touch_at_an_irrational_number_is_not_said_to_be_at_a_rational_near_it() -> None:
    noise = Fraction(1, 4) + (2 * T**2 - 1) ** 2 / 16
    for width in ("1/50", Fraction(1, 2**40)):
        found = information_crossings(sensors(noise, 3), "X1", "X2", width=width)
        assert [low < sqrt("1/2") < high for low, high in found.undecided] == [True]
        assert found.touches == ()
        low, high = str(found).split("[")[1].removesuffix("]").split(", ")
        assert Fraction(low) < sqrt("1/2") < Fraction(high)
