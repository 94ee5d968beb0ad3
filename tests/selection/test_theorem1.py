"""Theorem 1: every strict order is realized, judged by the literal definition of the Bayes risk."""

import random
from fractions import Fraction
from itertools import pairwise
from typing import TypeAlias

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fstheory.lattice.extensions import linear_extensions
from fstheory.lattice.subsets import default_features
from fstheory.selection.adversary import adversarial
from tests.literal import compositions, subsets
from tests.selection.literal_adversary import Order, cells, meets_assumptions, random_order, risk

Sizes: TypeAlias = tuple[int, ...]


def assert_realizes(order: Order, cardinalities: Sizes, classes: int = 2, alpha: Fraction | None = None) -> None:
    """The order, the assumptions, and the form: class 0 only at X = 0, class 1 elsewhere, R(S) = P(S = 0, Y = 1)."""
    d = adversarial(order, cardinalities=cardinalities, classes=classes, alpha=alpha)
    assert d.weights.shape == (*cardinalities, classes)
    risks = [risk(d, subset) for subset in order]
    assert risks[0] == 0
    assert all(before < after for before, after in pairwise(risks))
    assert meets_assumptions(d)
    weights = cells(d)
    for x, (first, second, *rest) in weights.items():
        assert (first > 0) == (second == 0) == (not any(x))
        assert not any(rest)
    for subset, value in zip(order, risks, strict=True):
        zero = [d.features.index(name) for name in subset]
        assert value * d.total == sum(w[1] for x, w in weights.items() if not any(x[i] for i in zero))
    class_0 = weights[(0,) * len(cardinalities)][0]
    assert Fraction(class_0, d.total) == 1 - risks[-1] == (1 - risks[-1] if alpha is None else alpha)
    assert alpha is not None or class_0 == d.total - class_0 + 1, "the least that wins"


@pytest.mark.parametrize(
    ("cardinalities", "classes", "alpha"),
    [
        *(((), 2, None), ((), 3, None), ((2,), 2, None), ((5,), 3, None), ((2, 2), 2, None), ((3, 2), 3, None)),
        *(((2, 4), 5, None), ((2, 2, 2), 2, None), ((2, 3, 2), 3, None), ((3, 2, 4), 2, None), ((6, 4, 2), 4, None)),
        *(((2, 3, 2), 3, alpha) for alpha in ("3/4", "0.501", "99/100", "2/3", "1000000007/2000000001")),
    ],
)
def test_every_linear_extension(cardinalities: Sizes, classes: int, alpha: str | None) -> None:
    for order in linear_extensions(len(cardinalities)):
        assert_realizes(list(order), cardinalities, classes, None if alpha is None else Fraction(alpha))


@pytest.mark.parametrize("n", [4, 5, 6, 7, pytest.param(8, marks=pytest.mark.thorough)])
def test_random_orders(n: int) -> None:
    for seed in range(8 - n // 2):
        assert_realizes(random_order(default_features(n), random.Random(seed)), (2,) * n)


@given(st.integers(0, 2**32), st.lists(st.integers(2, 4), min_size=1, max_size=5), st.integers(2, 4), st.data())
def test_random_orders_shapes_and_alphas(seed: int, sizes: list[int], classes: int, data: st.DataObject) -> None:
    names = default_features(len(sizes))
    alpha = data.draw(st.none() | st.fractions(Fraction(1, 2), 1).filter(lambda a: Fraction(1, 2) < a < 1))
    assert_realizes(random_order(names, random.Random(seed)), tuple(sizes), classes, alpha)


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
    first: dict[tuple[frozenset[str], ...], int] = {}
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
    assert risk(d, frozenset({"rain"})) < risk(d, frozenset({"wind"}))
    assert d == adversarial(order, features=["rain", "wind"], target="late", cardinalities=[2, 3])


def test_twelve_features_outgrow_the_machine_word() -> None:
    rng, alpha = random.Random(0), Fraction(10**28 + 1, 2 * 10**28)
    order = sorted(subsets(default_features(12)), key=lambda s: (-len(s), rng.random()))
    large = adversarial(order, alpha=alpha)
    assert [adversarial(order).weights.dtype, large.weights.dtype] == [np.int64, object]
    assert Fraction(large.weights[(0,) * 13], large.total) == alpha


def test_no_features_have_risk_zero() -> None:
    assert adversarial([[]], classes=3).weights.tolist() == [1, 0, 0]
