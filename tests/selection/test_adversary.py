"""Theorem 1, prescribed risks and favored subsets, judged by the literal definition of the Bayes risk."""

import itertools
import random
from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given, strategies as st

from fstheory import JointDistribution
from fstheory.errors import InvalidValueError
from fstheory.lattice.extensions import linear_extensions
from fstheory.lattice.subsets import default_features
from fstheory.selection.adversary import adversarial, adversarial_favoring, cell_counts, descend, least_masses
from fstheory.selection.prescribed import adversarial_with_risks
from tests.literal import compositions, subsets
from tests.selection import literal
from tests.selection.literal import Subset, cells, random_order

Table = dict[Subset, Fraction]


def ascends(values: Sequence[Any]) -> bool:
    return all(before < after for before, after in pairwise(values))


def meets_assumptions(d: JointDistribution) -> bool:
    return all(weights.count(max(weights)) == 1 and max(weights) > 0 for weights in cells(d).values())


def assert_realizes(order: Sequence[Subset], cardinalities: Sequence[int], classes: int, alpha: Any) -> None:
    """The order, the assumptions, and the form: class 0 only at X = 0, class 1 elsewhere, R(S) = P(S = 0, Y = 1)."""
    d = adversarial(order, cardinalities=cardinalities, classes=classes, alpha=alpha)
    assert d.weights.shape == (*cardinalities, classes)
    table, weights = literal.risks_of(d), cells(d)
    risks = [table[subset] for subset in order]
    assert risks[0] == 0
    assert ascends(risks)
    assert meets_assumptions(d)
    for x, (first, second, *rest) in weights.items():
        assert (first > 0) == (second == 0) == (not any(x))
        assert not any(rest)
    for subset, value in zip(order, risks, strict=True):
        zero = [d.features.index(name) for name in subset]
        assert value * d.total == sum(w[1] for x, w in weights.items() if not any(x[i] for i in zero))
    class_0 = weights[(0,) * len(cardinalities)][0]
    assert Fraction(class_0, d.total) == 1 - risks[-1] == (1 - risks[-1] if alpha is None else Fraction(alpha))
    assert alpha is not None or class_0 == d.total - class_0 + 1, "the least that wins"


@pytest.mark.parametrize(
    ("cardinalities", "classes", "alpha"),
    [
        *(((), 2, None), ((5,), 3, None), ((3, 2), 3, None), ((2, 2, 2), 2, None)),
        pytest.param((6, 4, 2), 4, None, marks=pytest.mark.thorough),
        ((2, 3, 2), 3, "1000000007/2000000001"),
        *(pytest.param((2, 3, 2), 3, alpha, marks=pytest.mark.thorough) for alpha in ("3/4", "0.501")),
    ],
)
def test_every_linear_extension(cardinalities: tuple[int, ...], classes: int, alpha: str | None) -> None:
    for order in linear_extensions(len(cardinalities)):
        assert_realizes(order, cardinalities, classes, alpha)


@pytest.mark.parametrize("n", [6, 7, pytest.param(8, marks=pytest.mark.thorough)])
def test_random_orders(n: int) -> None:
    """On both sides of where smaller sums are looked for."""
    assert_realizes(random_order(default_features(n), n), (2,) * n, 2, None)


@given(st.integers(0, 2**32), st.lists(st.integers(2, 4), min_size=1, max_size=4), st.integers(2, 4), st.data())
def test_random_orders_shapes_and_alphas(seed: int, sizes: list[int], classes: int, data: st.DataObject) -> None:
    alpha = data.draw(st.none() | st.fractions(Fraction(1, 2), 1).filter(lambda a: Fraction(1, 2) < a < 1))
    assert_realizes(random_order(default_features(len(sizes)), seed), sizes, classes, alpha)


def test_masses_are_spread_evenly() -> None:
    """Cells with the same features at 0 differ by at most one unit (before the reduction to lowest terms)."""
    d = adversarial([["X1", "X2"], ["X2"], ["X1"], []], cardinalities=(4, 5), alpha="1000003/1500000")
    groups: dict[tuple[bool, ...], set[int]] = {}
    for x, weights in cells(d).items():
        groups.setdefault(tuple(state == 0 for state in x), set()).add(weights[1])
    assert all(max(group) - min(group) <= 1 for group in groups.values())
    assert len(groups[False, False]) == 2


def test_no_smaller_positive_masses_for_three_binary_features() -> None:
    """All ways to give 7 subsets positive integer masses of a smaller sum: none has the order."""
    proper = subsets(("X1", "X2", "X3"))[:-1]
    sums = {order: adversarial(order).total // 2 for order in linear_extensions(3)}
    first: dict[tuple[Subset, ...], int] = {}
    contains = np.array([[subset <= other for other in proper] for subset in proper], dtype=np.int64)
    for total in range(7, max(sums.values()) + 1):
        masses = np.array(list(compositions(total - 7, 7)), dtype=np.int64) + 1
        for risks in np.unique(masses @ contains.T, axis=0):
            if len(set(risks.tolist())) == 7:
                order = (frozenset(("X1", "X2", "X3")), *(proper[i] for i in np.argsort(risks)))
                first.setdefault(order, total)
    assert first == sums


def test_names_target_and_one_shot_iterables() -> None:
    order = [["wind", "rain"], ["rain"], ["wind"], []]
    d = adversarial(iter(map(iter, order)), features=iter(["rain", "wind"]), target="late", cardinalities=iter([2, 3]))
    assert (d.features, d.target, d.cardinalities) == (("rain", "wind"), "late", (2, 3))
    assert d == adversarial(order, features=["rain", "wind"], target="late", cardinalities=[2, 3])


def test_twelve_features_outgrow_the_machine_word() -> None:
    rng, alpha = random.Random(0), Fraction(10**28 + 1, 2 * 10**28)
    order = sorted(subsets(default_features(12)), key=lambda s: (-len(s), rng.random()))
    large = adversarial(order, alpha=alpha)
    assert [adversarial(order).weights.dtype, large.weights.dtype] == [np.int64, object]
    assert Fraction(large.weights[(0,) * 13], large.total) == alpha


# The integer masses, against the definition of the greedy choice and against an integer program


def masks_of(n: int, seed: int) -> list[int]:
    return [sum(1 << int(name) for name in subset) for subset in random_order(tuple(map(str, range(n))), seed)]


def sums_of(order: Sequence[int], masses: Sequence[int]) -> list[int]:
    return [sum(masses[other] for other in order if other | mask == other) for mask in order]


@given(st.integers(0, 6), st.integers(0, 2**32), st.data())
def test_each_mass_is_the_least_given_those_before(n: int, seed: int, data: st.DataObject) -> None:
    """And the descent keeps the order and the floors, and never costs."""
    order = masks_of(n, seed)
    floors = data.draw(st.lists(st.integers(1, 9), min_size=2**n, max_size=2**n))
    masses = least_masses(order, floors)
    sums = sums_of(order, masses)
    assert masses[-1] == 0
    for before, after, mask in zip(sums, sums[1:], order[1:], strict=False):
        assert after > before
        assert masses[mask] >= floors[mask]
        assert masses[mask] == floors[mask] or after == before + 1
    if n < 6:
        cheaper = descend(order, floors)
        assert ascends(sums_of(order, cheaper))
        assert all(cheaper[mask] >= floors[mask] for mask in order[1:])
        assert sum(cheaper) <= sum(masses)


@pytest.mark.parametrize("n", [7, pytest.param(9, marks=pytest.mark.thorough)])
def test_large_orders(n: int) -> None:
    """Beyond 64 bits nothing overflows, whatever the split into low and high features."""
    order = masks_of(n, 1)
    masses = least_masses(order, [10**30] * 2**n)
    assert ascends(sums_of(order, masses))
    assert min(masses[:-1]) >= 10**30


def test_against_the_integer_program() -> None:
    """The least sum is HiGHS's word; that its masses have the order is seen. Greed alone does not always reach it."""
    scipy: Any = pytest.importorskip("scipy.optimize")
    greedy = 0
    for seed, cardinalities in itertools.product(range(10), [(2, 3, 4), (2, 2, 2, 2), (3, 2, 4, 2)]):
        order, floors = masks_of(len(cardinalities), seed), cell_counts(cardinalities)
        contains = np.array([[other | mask == other for other in range(len(order))] for mask in order], dtype=int)
        rises = scipy.LinearConstraint(np.diff(contains, axis=0), lb=1)
        ones = np.ones(len(order))
        bounds = scipy.Bounds([*floors[:-1], 0], [*[np.inf] * (len(order) - 1), 0])
        best = [round(mass) for mass in scipy.milp(ones, constraints=rises, integrality=ones, bounds=bounds).x]
        assert ascends(sums_of(order, best))
        assert sum(descend(order, floors)) == sum(best)
        greedy += sum(least_masses(order, floors)) == sum(best)
    assert greedy < 30
    assert cell_counts((2, 5)) == [4, 4, 1, 1]


# Prescribed risks: had exactly, or refused for a reason that holds


@st.composite
def tables_of_the_construction(draw: st.DrawFn) -> tuple[Table, Table]:
    """Risks that are sums of masses over supersets, with the masses."""
    names = default_features(draw(st.integers(0, 4)))
    masses = {subset: draw(st.fractions(0, 3, max_denominator=12)) for subset in subsets(names)}
    total = sum(masses.values()) * draw(st.fractions(2, 9, max_denominator=5)) or 1
    q = {subset: mass / total for subset, mass in masses.items()}
    return {s: sum((q[t] for t in q if s <= t), Fraction(0)) for s in q}, q


@given(tables_of_the_construction(), st.data())
def test_prescribed_risks_are_had(tables: tuple[Table, Table], data: st.DataObject) -> None:
    risks, masses = tables
    names = max(risks, key=len)
    sizes = data.draw(st.lists(st.integers(2, 4), min_size=len(names), max_size=len(names)))
    d = adversarial_with_risks(risks, cardinalities=sizes, classes=data.draw(st.integers(2, 3)))
    assert literal.risks_of(d) == risks
    positive = all(mass > 0 for subset, mass in masses.items() if subset != names)
    assert all(sum(weights) > 0 for weights in cells(d).values()) == positive
    if risks[names] < Fraction(1, 2):
        assert all(w.count(max(w)) == 1 for w in cells(d).values() if sum(w))
        assert meets_assumptions(d) == positive


@st.composite
def monotone_tables(draw: st.DrawFn) -> Table:
    values: Table = {}
    for subset in reversed(subsets(default_features(draw(st.integers(1, 3))))):
        least = max((values[other] for other in values if other > subset), default=Fraction(0))
        values[subset] = least + draw(st.fractions(0, Fraction(1, 8), max_denominator=24))
    return values


@given(monotone_tables())
def test_refused_in_a_shape_exactly_where_a_mass_would_be_negative(risks: Table) -> None:
    """By inclusion and exclusion, written out."""
    masses = {s: sum(((-1) ** (len(t) - len(s)) * risks[t] for t in risks if s <= t), start=Fraction(0)) for s in risks}
    possible = risks[frozenset()] <= Fraction(1, 2)
    bits = [2] * len(max(risks, key=len))
    if min(masses.values()) >= 0 and possible:
        small = adversarial_with_risks(risks, cardinalities=bits)
        assert literal.risks_of(small) == risks
        assert adversarial_with_risks(risks) == small
        return
    with pytest.raises(InvalidValueError) as caught:
        adversarial_with_risks(risks, cardinalities=bits)
    if possible:
        named = str(caught.value).split("not q = ")[1].split(";")[0]
        value, _, label = named.partition(" for ")
        subset = frozenset(label[i : i + 2] for i in range(0, len(label), 2) if label != "{}")
        assert masses[subset] == Fraction(value) < 0


def test_the_axes_are_in_the_order_of_the_features() -> None:
    risks: Any = [([], "2/5"), (["a"], "1/10"), (["b"], "1/5"), (["b", "a"], 0)]
    d = adversarial_with_risks(risks, features=["b", "a"])
    assert d.weights.tolist() == [[[6, 0], [0, 2]], [[0, 1], [0, 1]]]


# One subset better than all others of its size by a factor


@pytest.mark.one_in(2)
@pytest.mark.parametrize("factor", ["1.01", Fraction(17, 3), 10**30])
@pytest.mark.parametrize(("sizes", "alpha"), [((2, 3, 2), "1000001/2000000"), ((2, 3, 2), None), ((3, 2, 2, 2), None)])
def test_every_subset_can_be_favored(factor: str | int | Fraction, sizes: tuple[int, ...], alpha: str | None) -> None:
    names = "abcd"[: len(sizes)]
    options: dict[str, Any] = {"features": list(names), "cardinalities": sizes, "classes": 3, "target": "t"}
    for favored in subsets(names)[1:-1]:
        d = adversarial_favoring(favored, factor=factor, alpha=alpha, **options)
        risks = literal.risks_of(d)
        assert risks[favored] > 0
        assert len(set(risks.values())) == len(risks)
        for subset in risks.keys() - {favored}:
            larger = risks[subset] >= Fraction(factor) * risks[favored]
            assert risks[subset] < risks[favored] if subset > favored else larger
        assert meets_assumptions(d)
        assert d.target == "t"
        assert alpha is None or Fraction(cells(d)[(0,) * len(sizes)][0], d.total) == Fraction(alpha)


def test_weights_grow_with_the_factor_and_not_faster() -> None:
    """The masses that the factor asks for are those of the |S| subsets without one feature of S."""
    small, large = (adversarial_favoring(["X1", "X2"], factor=f, features=4).total for f in (10**6, 10**9))
    assert large < 1001 * small
    assert large < 2 * 2 * 10**9 * 16
