"""Monotone, submodular, supermodular, submodularity ratio and curvature, against the definitions over all sets."""

import itertools
import pickle
from collections.abc import Iterator
from fractions import Fraction
from math import exp
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fstheory import Check, JointDistribution, bayes_risks
from fstheory.distributions import gallery
from fstheory.errors import InvalidTypeError
from fstheory.measures import criteria
from fstheory.numbers.logsum import ExactRatio, LogSum, log, quotient
from fstheory.selection.greedy import SetFunction, set_function
from fstheory.selection.scores import s_variate
from fstheory.selection.submodularity import (
    compare_greedy,
    curvature,
    is_monotone,
    is_submodular,
    is_supermodular,
    submodularity_ratio,
)
from tests.selection.distributions import distributions

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
    supermodular = all(gain(f, i, a) <= gain(f, i, b) for a, b, i in pairs)
    checks = is_monotone(f), is_submodular(f), is_supermodular(f)
    assert tuple(map(bool, checks)) == (monotone, submodular, supermodular)
    assert all(check.holds or confirms(check, f) for check in checks)
    for check, sign in zip(checks, (-1, 1, -1), strict=True):
        assert check.holds or (check.right > check.left) - (check.right < check.left) == sign


@given(set_functions(monotone=True), st.data())
def test_submodularity_ratio_over_all_pairs(f: SetFunction, data: st.DataObject) -> None:
    n = len(f.features)
    k = data.draw(st.integers(1, max(n, 1)))
    universe = data.draw(st.integers(0, 2**n - 1))
    found = submodularity_ratio(f, k=k, within=[f.features[i] for i in range(n) if universe >> i & 1])
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
        assert (found.value == 1) == bool(is_submodular(f))


@given(set_functions(monotone=True))
def test_curvature_over_all_features(f: SetFunction) -> None:
    n = len(f.features)
    full = 2**n - 1
    found = curvature(f)
    moving = [1 << i for i in range(n) if gain(f, 1 << i, 0) != 0]
    losses = {i: 1 - quotient(gain(f, i, full & ~i), gain(f, i, 0)) for i in moving}
    assert all(loss <= found.value for loss in losses.values())
    assert (found.feature is None) == (not moving)
    attained = None if found.feature is None else 1 << f.features.index(found.feature)
    assert found.value == (0 if attained is None else losses[attained])
    if is_submodular(f):
        assert 0 <= found.value <= 1
        assert (found.value == 0) == bool(is_supermodular(f))


@given(distributions(), st.sampled_from(["zero_one", "logarithmic", "gini"]))
def test_criteria_are_monotone_and_greedy_is_as_good_as_promised(d: JointDistribution, name: str) -> None:
    """Das and Kempe, Theorem 3.1, with the ratio of the set that greedy chose."""
    f = set_function(d, name)
    assert is_monotone(f)
    assert is_monotone(criteria.criterion_values(d, name))
    for k in range(1, len(d.features) + 1):
        comparison = compare_greedy(d, k, name)
        ratio = submodularity_ratio(f, k=k, within=comparison.greedy.features).value
        assert float(comparison.ratio) >= (1 - exp(-float(ratio))) * (1 - 1e-12)


def test_submodular_examples() -> None:
    coverage = {0: 0, 1: 2, 2: 2, 3: 3}
    f = SetFunction(("a", "b"), lambda mask: Fraction(coverage[mask]))
    assert (bool(is_submodular(f)), bool(is_supermodular(f))) == (True, False)
    assert [curvature(f).value, submodularity_ratio(f).value] == [Fraction(1, 2), 1]
    assert is_supermodular(bayes_risks(gallery.xor()))
    assert submodularity_ratio(bayes_risks(gallery.xor())).value == 0
    assert str(is_submodular(f)) == "f(S + i) - f(S) >= f(S + i + j) - f(S + j): holds"
    assert str(is_supermodular(f)).endswith("fails, a adds 2 to {} and 1 once b is there")


def test_an_irrational_submodularity_ratio() -> None:
    table = criteria.logarithmic().table(gallery.xor(noise="1/10"))
    assert submodularity_ratio(table).value == 0
    ratio = submodularity_ratio(criteria.logarithmic().table(gallery.titanic())).value
    assert isinstance(ratio, ExactRatio)
    assert Fraction(1, 2) < ratio < Fraction(5, 6)


def test_quotients_of_logarithms() -> None:
    third = quotient(log(3), log(2))
    assert isinstance(third, ExactRatio)
    assert third == quotient(log(9), log(4)) == quotient(-log(3), -log(2)) == quotient(log(3, base=2), log(2, base=2))
    assert hash(third) == hash(quotient(log(9), log(4)))
    assert quotient(log(8), log(4)) == Fraction(3, 2)
    assert quotient(log(8) + 3, log(2) + 1) == 3
    assert Fraction(158, 100) < third < Fraction(159, 100)
    assert (third > quotient(log(5), log(3)), third <= quotient(log(5), log(3))) == (True, False)
    low, high = third.enclosure(40)
    assert low < third < high < low + Fraction(1, 10**39)
    assert float(third) == 1.584962500721156
    assert float(1 - third) == pytest.approx(1 - 1.584962500721156)
    assert str(quotient(log(3) + 1, log(2))) == "(1 + log(3)) / log(2) ≈ 3.02766"

    # log 4 log 27 = log 8 log 9: equal products, no factor of which is equal
    assert quotient(log(4), log(9)) == quotient(log(8), log(27))
    assert quotient(log(6) * 2, log(5)) == quotient(log(36), log(5))


def test_quotients_refuse_floats() -> None:
    with pytest.raises(InvalidTypeError):
        _ = quotient(log(3), log(2)) < 1.5
    with pytest.raises(ValueError, match="the denominator must be other than 0"):
        quotient(log(3), log(4) - 2 * log(2))


def test_set_functions_are_values() -> None:
    """Equal if they measure the same by the same criterion, and not only by name; and they can be sent elsewhere."""
    d, other = gallery.xor(), JointDistribution([[[1, 2], [3, 4]], [[1, 1], [1, 1]]])
    table = bayes_risks(d)
    made = [set_function(d, "zero_one"), set_function(d, table), s_variate(d, "zero_one", 1)]
    for f in made:
        again = pickle.loads(pickle.dumps(f))
        assert again == f
        assert hash(again) == hash(f)
        assert again.value({"X1"}) == f.value({"X1"})
    assert set_function(other, "zero_one") != made[0]
    assert set_function(other, bayes_risks(other)) != made[1]
    assert s_variate(other, "zero_one", 1) != made[2] != s_variate(d, "zero_one", 2)


def test_values_of_thousands_of_bits_are_written() -> None:
    big = 3**3000
    check = is_submodular(set_function(JointDistribution([[[big, 1], [1, big + 1]], [[2, 7], [big, 3]]]), "gini"))
    assert not check
    assert "adds ≈" in str(check)
