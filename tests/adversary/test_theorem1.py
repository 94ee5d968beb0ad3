"""Theorem 1: every strict order is realized, judged by the literal definition of the Bayes risk."""

from __future__ import annotations

import random
from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fstheory.adversary import adversarial
from fstheory.orders import linear_extensions
from tests.adversary.literal import Order, cells, meets_assumptions, powerset, random_order, risk
from tests.literal import compositions

SHAPES = [((), 2), ((), 3), ((2,), 2), ((5,), 3), ((2, 2), 2), ((3, 2), 3), ((2, 4), 5), ((2, 2, 2), 2)]
SHAPES += [((2, 3, 2), 3), ((3, 2, 4), 2), ((6, 4, 2), 4)]


def assert_realizes(
    order: Order, cardinalities: tuple[int, ...], classes: int = 2, alpha: Fraction | None = None
) -> None:
    d = adversarial(order, cardinalities=cardinalities, classes=classes, alpha=alpha)
    assert d.weights.shape == (*cardinalities, classes)
    risks = [risk(d, subset) for subset in order]
    assert risks[0] == 0
    assert all(before < after for before, after in pairwise(risks))
    assert meets_assumptions(d)
    class_0 = int(d.weights[(0,) * d.weights.ndim])
    assert Fraction(class_0, d.total) == 1 - risks[-1]
    if alpha is None:
        assert class_0 == d.total - class_0 + 1, "the least that wins"
    else:
        assert Fraction(class_0, d.total) == alpha


@pytest.mark.parametrize(("cardinalities", "classes"), SHAPES)
def test_every_linear_extension_of_up_to_three_features(cardinalities: tuple[int, ...], classes: int) -> None:
    for order in linear_extensions(len(cardinalities)):
        assert_realizes(list(order), cardinalities, classes)


@pytest.mark.parametrize("alpha", ["3/4", "0.501", "99/100", Fraction(2, 3), "1000000007/2000000001"])
def test_alpha_is_met_exactly_for_every_order_of_three_features(alpha: str | Fraction) -> None:
    for order in linear_extensions(3):
        assert_realizes(list(order), (2, 3, 2), 3, Fraction(alpha))


@pytest.mark.parametrize("n", [4, 5, 6, 7, 8])
def test_random_orders(n: int) -> None:
    names = tuple(f"X{i + 1}" for i in range(n))
    for seed in range(8 - n // 2):
        assert_realizes(random_order(names, random.Random(seed)), (2,) * n)


@given(st.integers(0, 2**32), st.lists(st.integers(2, 4), min_size=1, max_size=5), st.integers(2, 4), st.data())
def test_random_orders_shapes_and_alphas(seed: int, sizes: list[int], classes: int, data: st.DataObject) -> None:
    names = tuple(f"X{i + 1}" for i in range(len(sizes)))
    alpha = data.draw(st.none() | st.fractions(Fraction(1, 2), 1).filter(lambda a: Fraction(1, 2) < a < 1))
    assert_realizes(random_order(names, random.Random(seed)), tuple(sizes), classes, alpha)


@pytest.mark.parametrize("n", [2, 3])
def test_form_of_the_construction(n: int) -> None:
    """Class 0 only at X = 0, nothing of class 1 there nor of classes above 1, and R(S) = P(S = 0, Y = 1)."""
    for order in linear_extensions(n):
        d = adversarial(order, cardinalities=(3, 2, 4)[:n], classes=3)
        for x, (first, second, third) in cells(d).items():
            assert (first > 0) == (second == 0) == (not any(x))
            assert third == 0
        for subset in order:
            mass = sum(w[1] for x, w in cells(d).items() if not any(x[d.features.index(name)] for name in subset))
            assert risk(d, subset) == Fraction(mass, d.total)


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
    subsets = powerset(("X1", "X2", "X3"))[1:]
    sums = {order: adversarial(order).total // 2 for order in linear_extensions(3)}
    first: dict[tuple[frozenset[str], ...], int] = {}
    contains = np.array([[subset <= other for other in subsets] for subset in subsets], dtype=np.int64)
    for total in range(7, max(sums.values()) + 1):
        masses = np.array(list(compositions(total - 7, 7)), dtype=np.int64) + 1
        for risks in np.unique(masses @ contains.T, axis=0):
            if len(set(risks.tolist())) == 7:
                order = (frozenset(("X1", "X2", "X3")), *(subsets[i] for i in np.argsort(risks)))
                first.setdefault(order, total)
    assert first == sums


def test_names_target_and_one_shot_iterables() -> None:
    order = [["wind", "rain"], ["rain"], ["wind"], []]
    d = adversarial(iter(map(iter, order)), features=iter(["rain", "wind"]), target="late", cardinalities=iter([2, 3]))
    assert (d.features, d.target, d.cardinalities) == (("rain", "wind"), "late", (2, 3))
    assert risk(d, frozenset({"rain"})) < risk(d, frozenset({"wind"}))
    assert d == adversarial(order, features=["rain", "wind"], target="late", cardinalities=[2, 3])


def test_twelve_features_outgrow_the_machine_word() -> None:
    names = tuple(f"X{i + 1}" for i in range(12))
    rng = random.Random(0)
    order = sorted(powerset(names), key=lambda s: (-len(s), rng.random()))
    small = adversarial(order)
    assert small.weights.dtype == np.int64
    large = adversarial(order, alpha="10000000000000000000000000001/20000000000000000000000000000")
    assert large.weights.dtype == object
    assert large.weights[(0,) * 13] * 20000000000000000000000000000 == 10000000000000000000000000001 * large.total


def test_no_features_have_risk_zero() -> None:
    assert adversarial([[]], classes=3).weights.tolist() == [1, 0, 0]
