"""Samples: sparse rows, the exact numbers of dense distributions."""

import pickle
import random
from fractions import Fraction
from itertools import combinations
from typing import Any

import numpy as np
import pytest

import fstheory as fs
from fstheory.errors import InvalidValueError


def drawn(rng: random.Random, columns: int, rows: int) -> list[tuple[Any, ...]]:
    """Draw rows of letters, numbers and a class, many of them equal."""
    return [(*(rng.choice("abc" if i % 2 else "xy") for i in range(columns)), rng.randint(0, 2)) for _ in range(rows)]


@pytest.mark.parametrize("seed", range(8))
def test_a_sample_says_what_its_empirical_distribution_says(seed: int) -> None:
    rng = random.Random(seed)
    rows = drawn(rng, rng.randint(0, 5), rng.randint(1, 60))
    s, d = fs.Sample(rows), fs.JointDistribution.from_samples(rows)
    assert s.m == len(rows)
    assert s.empirical() == d
    for size in range(len(d.features) + 1):
        for subset in combinations(d.features, size):
            assert s.empirical(subset) == d.marginal(subset)
            assert fs.bayes_risk(s.marginal(subset), s.marginal(subset).features) == fs.bayes_risk(d, subset)
            assert s.keep(subset).empirical() == d.marginal(subset)
    assert pickle.loads(pickle.dumps(s)) == s
    assert hash(fs.Sample(reversed(rows))) == hash(s)
    assert fs.Sample(rows[:-1] or [(*rows[0][:-1], 7)]) != s


def test_a_wide_sample_builds_no_product() -> None:
    """A hundred columns of ten states have 10**100 cells; 63 bits would not number them either."""
    rng = np.random.default_rng(0)
    table = rng.integers(0, 10, size=(5000, 100))
    rows = [(*map(int, row), int(row[3] > 4)) for row in table]
    s = fs.Sample(rows)
    assert len(s.features) == 100
    assert fs.bayes_risk(s.marginal(s.features), ["X1"]) == 0
    assert s.cells(s.features).sum() == 5000
    assert fs.bayes_risk(s.marginal({"X4"}), ["X1"]) == 0
    with pytest.raises(InvalidValueError, match="use fewer features"):
        s.empirical()
    s = fs.Sample([(0,) * 71, *((x, *[1] * 69, x) for x in (0, 1))])  # two rows that differ in the first bit of 70
    assert sorted(s.cells(s.features).tolist()) == [[0, 1], [1, 0], [1, 0]]


def test_continuous_columns_are_named() -> None:
    rows = [(i + 0.25, "a", f"{i}.5", i % 2) for i in range(40)]
    with pytest.raises(InvalidValueError, match=r"X1 \(40 different\), X3 \(40 different\); bin them first"):
        fs.Sample(rows)
    assert fs.Sample(rows, keep_continuous=True).cardinalities == (40, 1, 40)
    fs.Sample([(i, i % 2) for i in range(40)])  # integers are categories as they stand


def test_draws_are_reproducible_and_of_the_right_law() -> None:
    d = fs.JointDistribution([[6, 1], [0, 3]])
    assert fs.sample(d, 50, rng=7) == fs.sample(d, 50, rng=np.random.default_rng(7))
    s = fs.sample(d, 20_000, rng=1)
    assert ("X1", 1, 0) not in s.empirical().support()
    share = s.empirical().probability({"X1": 1, "Y": 1})
    assert abs(share - Fraction(3, 10)) < Fraction(1, 50)  # six standard deviations
