"""Monotone, submodular, ratio and curvature against the definitions over all sets, and the smallest counterexamples."""

import itertools
from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given, strategies as st

from fstheory import Check, JointDistribution, bayes_risks
from fstheory.distributions import gallery
from fstheory.measures import criteria
from fstheory.numbers.logsum import ExactRatio, LogSum, log, quotient
from fstheory.selection import submodularity
from fstheory.selection.greedy import SetFunction, set_function

NAMES = ("a", "b", "c")
VALUES = st.one_of(
    st.integers(-2, 2).map(Fraction), st.sampled_from([log(2), log(3), log(6), log(4), LogSum.of(1), log("3/2") - 1])
)


@st.composite
def set_functions(draw: st.DrawFn, *, monotone: bool = False) -> SetFunction:
    """Arbitrary functions of up to three features, with many equal values and equal differences."""
    n = draw(st.integers(0, 3))
    values: list[Any] = [draw(VALUES) for _ in range(2**n)]
    larger = draw(st.booleans())
    if monotone:
        sign = 1 if larger else -1
        steps = [draw(st.sampled_from([Fraction(0), Fraction(1), Fraction(2), log(2), log(4)])) for _ in values]
        for mask in range(1, 2**n):
            below = [sign * values[mask & ~(1 << i)] for i in range(n) if mask >> i & 1]
            values[mask] = sign * (max(below) + steps[mask])
    return SetFunction(NAMES[:n], values.__getitem__, larger)


def nested(n: int) -> Iterator[tuple[int, int]]:
    return ((a, b) for a in range(2**n) for b in range(2**n) if a & ~b == 0)


def benefit(f: SetFunction, mask: int) -> Any:
    return f.function(mask) if f.larger_is_better else -f.function(mask)


def gain(f: SetFunction, added: int, onto: int) -> Any:
    return benefit(f, onto | added) - benefit(f, onto)


def confirms(check: Check, f: SetFunction) -> bool:
    """Look the violation up in the function."""
    assert check.witness is not None
    subset, *added = check.witness.values()
    mask = sum(1 << f.features.index(name) for name in subset)
    i, *rest = (1 << f.features.index(name) for name in added)
    sides = (gain(f, i, mask), gain(f, i, mask | rest[0])) if rest else (benefit(f, mask), benefit(f, mask | i))
    return (check.left, check.right) == sides


@given(set_functions())
def test_properties_over_all_nested_pairs(f: SetFunction) -> None:
    n = len(f.features)
    monotone = all(benefit(f, a) <= benefit(f, b) for a, b in nested(n))
    pairs = [(a, b, 1 << i) for a, b in nested(n) for i in range(n) if not b >> i & 1]
    submodular = all(gain(f, i, a) >= gain(f, i, b) for a, b, i in pairs)
    checks = submodularity.is_monotone(f), submodularity.is_submodular(f)
    assert tuple(map(bool, checks)) == (monotone, submodular)
    assert all(check.holds or confirms(check, f) for check in checks)
    for check, sign in zip(checks, (-1, 1), strict=True):
        assert check.holds or (check.right > check.left) - (check.right < check.left) == sign


@given(set_functions(monotone=True), st.data())
def test_submodularity_ratio_over_all_pairs(f: SetFunction, data: st.DataObject) -> None:
    n = len(f.features)
    k = data.draw(st.integers(1, max(n, 1)))
    universe = data.draw(st.integers(0, 2**n - 1))
    found = submodularity.submodularity_ratio(f, k=k, within=[f.features[i] for i in range(n) if universe >> i & 1])
    assert found.value <= 1
    attained = False
    for onto, added in itertools.product(range(2**n), repeat=2):
        together = gain(f, added, onto)
        if onto & added or onto & ~universe or added.bit_count() > k or together == 0:
            continue
        ratio = quotient(sum((gain(f, 1 << i, onto) for i in range(n) if added >> i & 1), LogSum.of(0)), together)
        assert ratio >= found.value
        attained |= ratio == found.value
    assert attained or found.value == 1
    if k == n and universe == 2**n - 1 and n:
        assert (found.value == 1) == bool(submodularity.is_submodular(f))


@given(set_functions(monotone=True))
def test_curvature_over_all_features(f: SetFunction) -> None:
    n = len(f.features)
    full = 2**n - 1
    found = submodularity.curvature(f)
    moving = [1 << i for i in range(n) if gain(f, 1 << i, 0) != 0]
    losses = {i: 1 - quotient(gain(f, i, full & ~i), gain(f, i, 0)) for i in moving}
    assert all(loss <= found.value for loss in losses.values())
    attained = None if found.feature is None else 1 << f.features.index(found.feature)
    assert (attained is None) == (not moving)
    assert found.value == (0 if attained is None else losses[attained])
    if submodularity.is_submodular(f):
        assert 0 <= found.value <= 1


def test_examples_and_their_texts() -> None:
    f = SetFunction(("a", "b"), [Fraction(0), Fraction(2), Fraction(2), Fraction(3)].__getitem__)
    assert [submodularity.curvature(f).value, submodularity.submodularity_ratio(f).value] == [Fraction(1, 2), 1]
    assert str(submodularity.is_submodular(f)) == "f(S + i) - f(S) >= f(S + i + j) - f(S + j): holds"
    assert submodularity.submodularity_ratio(bayes_risks(gallery.xor())).value == 0
    ratio = submodularity.submodularity_ratio(criteria.logarithmic().table(gallery.titanic())).value
    assert isinstance(ratio, ExactRatio)
    assert Fraction(1, 2) < ratio < Fraction(5, 6)
    big = 3**3000  # values of thousands of bits are written, too
    check = submodularity.is_submodular(
        set_function(JointDistribution([[[big, 1], [1, big + 1]], [[2, 7], [big, 3]]]), "gini")
    )
    assert "adds ≈" in str(check)


# The smallest counterexamples: all distributions of binary features and two classes, the smallest total first

CRITERIA: dict[str, Any] = {
    "zero_one": criteria.zero_one(),
    "gini": criteria.gini(),
    "logarithmic": criteria.logarithmic(),
    "auc": criteria.auc(),
    "f_measure": criteria.f_measure(),
}


def smallest(n: int, is_one: Callable[[JointDistribution], bool]) -> tuple[int, JointDistribution]:
    """Return the first total that is enough: one draw has all features 0, as flipping states makes it so."""
    every = list(itertools.product((0, 1), repeat=n + 1))
    for total, y in itertools.product(range(1, 8), range(2)):
        for rest in itertools.combinations_with_replacement(every, total - 1):
            weights = np.zeros((2,) * (n + 1), dtype=int)
            for cell in ((*[0] * n, y), *rest):
                weights[cell] += 1
            both = weights.reshape(-1, 2).sum(axis=0).all()
            if both and is_one(d := JointDistribution(weights)):
                return total, d
    raise AssertionError("none of at most 7 people")


@pytest.mark.parametrize(
    ("name", "total"), [("zero_one", 3), ("gini", 3), ("logarithmic", 3), ("f_measure", 3), ("auc", 4)]
)
def test_smallest_not_submodular(name: str, total: int) -> None:
    assert smallest(2, lambda d: not submodularity.is_submodular(CRITERIA[name].table(d)))[0] == total


def greedy_fails(name: str, d: JointDistribution, *, however_tied: bool) -> bool:
    """Say whether greedy forward selection of 2 of 3 features misses the best pair."""
    f = set_function(d, CRITERIA[name].table(d))
    singles, pairs = [f.benefit(1 << i) for i in range(3)], {mask: f.benefit(mask) for mask in (3, 5, 6)}
    firsts = [i for i in range(3) if singles[i] == max(singles)]
    reached = [max(v for mask, v in pairs.items() if mask >> i & 1) for i in firsts]
    return all(value < max(pairs.values()) for value in (reached if however_tied else reached[:1]))


@pytest.mark.parametrize(("name", "total"), [("zero_one", 3), ("f_measure", 3), ("gini", 4), ("auc", 4)])
@pytest.mark.one_in(4)
def test_smallest_where_greedy_is_not_optimal(name: str, total: int) -> None:
    """In feature order, and however ties fall."""
    found, d = smallest(3, lambda d: greedy_fails(name, d, however_tied=False))
    assert (found, submodularity.compare_greedy(d, 2, CRITERIA[name]).is_optimal) == (total, False)
    found, d = smallest(3, lambda d: greedy_fails(name, d, however_tied=True))
    assert found == 4
    orders = itertools.permutations(d.features)
    assert not any(submodularity.compare_greedy(d, 2, CRITERIA[name], order=order).is_optimal for order in orders)


def test_one_distribution_defeats_greedy_by_every_criterion() -> None:
    """Y = X1 xor X2, uniform, and X3 = X1 and X2: alone X3 is best, with it no pair is perfect."""
    d = JointDistribution.from_counts({(0, 0, 0, 0): 1, (1, 0, 0, 1): 1, (0, 1, 0, 1): 1, (1, 1, 1, 0): 1})
    shares = {"zero_one": "1/2", "gini": "1/2", "logarithmic": "1/2", "auc": "3/4", "f_measure": "2/5"}
    for name, share in shares.items():
        found = submodularity.compare_greedy(d, 2, CRITERIA[name])
        assert (found.greedy.features, found.best.features) == (("X3", "X1"), ("X1", "X2"))
        assert found.ratio == Fraction(share)
