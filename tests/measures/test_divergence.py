"""Distances of distributions, against their definitions."""

from fractions import Fraction
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fstheory import JointDistribution
from fstheory.errors import ZeroProbabilityError
from fstheory.measures.divergence import expected_total_variation, kl_divergence, total_variation_distance
from fstheory.measures.information import entropy, information_lost, mutual_information
from fstheory.numbers.logsum import log
from fstheory.testing import joint_distributions
from tests.measures import literal_information as literal

TWO = st.lists(st.integers(0, 9), min_size=6, max_size=6).filter(any)


@given(TWO, TWO)
def test_total_variation_is_the_largest_difference(p: list[int], q: list[int]) -> None:
    first, second = JointDistribution([p[:3], p[3:]]), JointDistribution([q[:3], q[3:]])
    masses = first.to_pmf(), second.to_pmf()
    events = [event for size in range(7) for event in combinations(masses[0], size)]
    apart = (abs(sum((masses[0][c] - masses[1][c] for c in event), Fraction(0))) for event in events)
    assert total_variation_distance(first, second) == max(apart)


@given(TWO, TWO)
def test_divergence(p: list[int], q: list[int]) -> None:
    first, second = JointDistribution([p[:3], p[3:]]), JointDistribution([q[:3], q[3:]])
    if any(a and not b for a, b in zip(p, q, strict=True)):
        with pytest.raises(ZeroProbabilityError):
            kl_divergence(first, second)
        return
    expected = literal.logs((a, a / second.to_pmf()[cell]) for cell, a in first.to_pmf().items() if a)
    value = kl_divergence(first, second)
    assert {prime: c for c, prime in value.simplify().terms} == expected
    assert value >= 2 * total_variation_distance(first, second) ** 2  # Pinsker
    assert value.is_zero() == (first == second)


@given(joint_distributions(), st.data())
def test_expected_total_variation(d: JointDistribution, data: st.DataObject) -> None:
    """Also Pinsker's inequality, for any total."""
    removed = data.draw(st.frozensets(st.sampled_from(d.features))) if d.features else frozenset()
    kept = [i for i, name in enumerate(d.features) if name not in removed]
    moved = expected_total_variation(d, removed)
    assert moved == literal.expected_total_variation(d.to_pmf(), kept)
    assert 2 * moved**2 <= information_lost(d, removed)
    assert (moved == 0) == information_lost(d, removed).is_zero()


def test_known_values() -> None:
    sure, fair = JointDistribution([[4, 0]]), JointDistribution([[1, 1]])
    assert total_variation_distance(sure, fair) == Fraction(1, 2)
    assert kl_divergence(sure, fair) == log(2)
    assert kl_divergence(sure, fair, base=2) == 1


def test_mutual_information_is_a_divergence() -> None:
    d = JointDistribution([[1, 2], [3, 5]])
    apart = JointDistribution([[3 * 4, 3 * 7], [8 * 4, 8 * 7]])
    assert kl_divergence(d, apart) == mutual_information(d, {"X1"}, {"Y"}) < entropy(d, {"Y"})
