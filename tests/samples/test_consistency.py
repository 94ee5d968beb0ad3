"""eta of Theorem 8 and the error exponent, against literal runs, all tables of m samples, and exact laws."""

from __future__ import annotations

import math
import random
from fractions import Fraction

import numpy as np
import pytest

import fstheory as fs
from fstheory.measures.risk import bayes_risks
from fstheory.numbers.logsum import log
from tests.literal import compositions
from tests.samples import literal_samples as literal
from tests.samples.test_law import drawn

SHAPES = [(2, 2), (3,), (2, 3), (2, 2, 2)]
METHODS: dict[str, type[fs.FBS] | type[fs.FOS]] = {"FBS": fs.FBS, "FOS": fs.FOS}


def literal_run(name: str, d: fs.JointDistribution, tau: Fraction) -> frozenset[str]:
    """Return what the method ends with where the risks are those of a distribution."""
    risks = bayes_risks(d)

    def risk(s: tuple[int, ...]) -> Fraction:
        return risks[[d.features[i] for i in s]]

    n = len(d.features)
    ((_, subset),) = literal.fos(n, risk, tau) if name == "FOS" else literal.fbs(n, risk, tau, "first")
    return frozenset(d.features[i] for i in subset)


@pytest.mark.parametrize("name", METHODS)
@pytest.mark.parametrize("seed", range(8))
def test_eta_is_where_the_method_on_the_risks_begins_to_err(name: str, seed: int) -> None:
    rng = random.Random(seed)
    d = drawn(rng, SHAPES[seed % 4], 2 + seed % 2, ["zeros", "ties", "unequal"][seed % 3])
    found = fs.admissible_tau(d, name)
    assert literal_run(name, d, found.eta * Fraction(999, 1000)) == frozenset(found.features)
    solutions = fs.minimal_optimal(d, method="exhaustive").solutions
    if found.features and found.eta < 1:
        assert literal_run(name, d, found.eta) not in solutions
        assert literal_run(name, d, Fraction(1)) not in solutions
        assert found.limit(found.eta) is None
        assert found.limit(found.eta + 1) == 0
    assert found.limit(found.eta / 2) == (frozenset(found.features) in solutions)
    assert found.assumptions is bool(d.is_positive() and d.has_unique_maximum())


def test_eta_is_1_if_nothing_matters_and_then_every_tau_will_do() -> None:
    found = fs.admissible_tau(fs.JointDistribution([[3, 1], [3, 1]]), "FBS")
    assert found.eta == found.limit(5) == 1
    assert not found.features
    rate = fs.error_exponent(found.distribution, fs.FBS(tau="1/2", ties="first"))
    assert rate.lower is rate.upper is None
    assert rate.failure_bound(1) == rate.samples("9/10") == 0
    assert fs.selection_law(found.distribution, 9, fs.FBS(tau="1/2", ties="first")).success == 1


def test_with_copies_fos_has_no_admissible_tau_and_fbs_has() -> None:
    d = fs.JointDistribution([[[7, 3], [0, 0]], [[0, 0], [3, 7]]])
    assert fs.admissible_tau(d, "FOS").limit("1/10") == 0
    assert fs.admissible_tau(d, "FBS").limit("1/10") == 1
    rate = fs.error_exponent(d, fs.FOS(tau="1/10"))
    assert rate.upper == 0
    assert "or the method finds no solution" in str(rate)
    assert fs.error_exponent(d, fs.FBS(tau="1/10", ties="first")).lower > 0  # type: ignore[operator]


def divergence(q: list[int], p: list[int]) -> fs.numbers.LogSum:
    """Return KL(q || p) of integer weights, exactly."""
    n, w = sum(q), sum(p)
    return sum((Fraction(a, n) * log(Fraction(a * w, n * b)) for a, b in zip(q, p, strict=True) if a), log(1))


def no_nearer_table_errs(name: str, d: fs.JointDistribution, tau: Fraction, m: int) -> None:
    """Run the literal method on all tables of m samples that are nearer than the exponent, and on what is as near."""
    rate = fs.error_exponent(d, METHODS[name](tau=tau))
    solutions = fs.minimal_optimal(d, method="exhaustive").solutions
    flat, nearest = d.weights.ravel().tolist(), math.inf
    if rate.upper is not None:
        assert rate.lower is not None
        assert rate.empirical is not None
        assert 0 < rate.lower <= rate.upper < rate.lower * Fraction(1001, 1000)
        assert literal_run(name, rate.empirical, tau) not in solutions
        assert float(divergence(rate.empirical.weights.ravel().tolist(), flat)) == pytest.approx(float(rate.upper))
        nearest = float(rate.lower) * 0.999999
    for counts in compositions(m, len(flat)):
        if any(c and not w for c, w in zip(counts, flat, strict=True)):
            continue
        near = sum(c / m * math.log(c / m * sum(flat) / w) for c, w in zip(counts, flat, strict=True) if c)
        if near < nearest:
            q = fs.JointDistribution(np.array(counts).reshape(d.weights.shape))
            assert literal_run(name, q, tau) in solutions, counts


@pytest.mark.parametrize("name", METHODS)
@pytest.mark.parametrize(
    ("weights", "tau", "m"),
    [
        ([[7, 3], [3, 7]], "1/20", 20),
        ([[9, 1], [5, 6], [0, 4]], "1/30", 11),
        ([[[4, 5], [5, 2]], [[2, 8], [8, 2]]], "1/10", 7),  # FBS is the slower one
        ([[[9, 3], [9, 3]], [[1, 5], [1, 5]]], "1/8", 7),  # X2 is useless
        ([[[3, 1], [1, 5]], [[0, 4], [6, 0]]], "1/20", 7),
    ],
    ids=str,
)
def test_no_table_on_which_the_method_errs_is_nearer_than_the_exponent(
    name: str, weights: list[object], tau: str, m: int
) -> None:
    no_nearer_table_errs(name, fs.JointDistribution(weights), Fraction(tau), m)


@pytest.mark.parametrize("tau", ["1/100", "1/4", "2/5"])
def test_exponent_of_a_class_that_is_a_fair_feature_is_that_of_a_binomial(tau: str) -> None:
    """It errs if at most tau m samples are in one of the two states: log 2 + t log t + (1 - t) log(1 - t)."""
    d, method = fs.JointDistribution([[1, 0], [0, 1]]), fs.FOS(tau=tau)
    rate = fs.error_exponent(d, method)
    t = Fraction(tau)
    exact = log(2) + t * log(t) + (1 - t) * log(1 - t)
    assert rate.lower is not None
    assert rate.upper is not None
    assert rate.lower <= exact <= rate.upper
    assert rate.upper - rate.lower < Fraction(1, 10**6)
    low, high = (Fraction(str(rate).split(f"r at {end}:")[1].split()[0]) for end in ("least", "most"))
    assert low <= rate.lower
    assert rate.upper <= high
    assert all(1 - fs.selection_law(d, m, method).success <= rate.failure_bound(m) for m in (0, 1, 20, 80))
    m = rate.samples("9/10")
    assert rate.failure_bound(m) <= Fraction(1, 10) < rate.failure_bound(m - 1)


@pytest.mark.thorough
def test_either_of_the_two_can_be_the_faster_one() -> None:
    three = [[[[2, 1], [3, 4]], [[4, 2], [1, 4]]], [[[2, 0], [0, 1]], [[4, 2], [1, 4]]]]
    for weights, tau, fbs_is in ((three, "3/35", True), ([[[4, 5], [5, 2]], [[2, 8], [8, 2]]], "1/10", False)):
        d = fs.JointDistribution(weights)
        fbs, fos = (fs.error_exponent(d, method(tau=tau)) for method in (fs.FBS, fs.FOS))
        faster, slower = (fbs, fos) if fbs_is else (fos, fbs)
        assert faster.lower is not None
        assert slower.upper is not None
        assert faster.lower > slower.upper
    etas = [fs.admissible_tau(fs.JointDistribution(three), name).eta for name in ("FBS", "FOS")]
    assert etas == [Fraction(1, 5), Fraction(6, 35)]
