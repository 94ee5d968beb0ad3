"""The entries of Ng: what they call false is refuted by exact laws, and what they call true holds of these."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

import fstheory as fs
from fstheory.ledger import claims
from fstheory.ledger.ng_1998 import paper
from fstheory.reals import log
from fstheory.samples import Method, find_probability, samples_to_bound, samples_to_find
from tests.ledger.check_true import distributions
from tests.reals.definition import mpmath

FALSE = {"N-1", "N-2", "N-3", "N-4", "N-4a", "N-4b"}
TIES = ("first", "uniform")
COPY = fs.JointDistribution([[1, 0], [0, 1]])
NOISY = fs.JointDistribution([[7, 3], [3, 7]])


def ways(ties: Any) -> tuple[Method, Method]:
    """Return the two methods with one sample held out."""
    return fs.StandardWrap(holdout=1, ties=ties), fs.OrderedFS(holdout=1, ties=ties)


def risks(d: fs.JointDistribution, m: int, *methods: Method) -> list[Fraction]:
    return [fs.selection_law(d, m, method).expected_risk for method in methods]


def test_verdicts() -> None:
    """A false statement has counterexamples and nothing else; each correction is true, and argued."""
    for entry in paper.entries:
        expected = "false" if entry.id in FALSE else "open" if entry.id == "N-F" else "true"
        assert entry.status == expected, entry.id
        kinds = {evidence.kind for evidence in entry.evidence}
        assert kinds == {"false": {"R"}, "true": {"M"}, "open": set()}[expected]
        assert entry.corrects is None or (entry.status == "true" and entry.corrects in claims)
        assert entry.words.endswith(".")
        assert not entry.remark or entry.remark.endswith(".")


@pytest.mark.parametrize("f", [2, 3])
def test_no_method_learns_a_parity_it_has_not_seen(f: int) -> None:
    """N-1, N-2, N-3: the risk is at least 1/2 - m1/2**f with certainty, and the least risk is 0."""
    states = list(itertools.product((0, 1), repeat=f))
    d = fs.JointDistribution(np.eye(2, dtype=int)[[sum(x) % 2 for x in states]].reshape((2,) * f + (2,)))
    assert fs.bayes_risk(d, d.features) == 0
    for m, ties in itertools.product((1, 2, 3), TIES):
        for method in (fs.NoSelection(), *(ways(ties) if m > 1 else ())):
            trained = m - method.holdout_size(m)
            assert min(fs.selection_law(d, m, method).risks) >= Fraction(1, 2) - Fraction(trained, 2**f)


def test_just_above_the_fraction_of_the_dimension_the_printed_term_vanishes() -> None:
    """N-1, N-2, N-3 with the logarithm under the root: it is at most e/m, since log x <= x - 1."""
    for f in range(2, 25):
        m = math.ceil(2**f / math.e)
        assert 0 <= math.log(m / 2**f) + 1 <= math.e / 2**f
        assert math.log((m - 1) / 2**f) + 1 < 0


def test_one_feature_and_one_sample_held_out() -> None:
    """N-3: the bound tends to 0, and the empty set is kept with probability 1/4 + 2**-(m + 1)."""
    for m in range(2, 15):
        wrap, ordered = ways("uniform")
        law = fs.selection_law(COPY, m, ordered)
        assert law[()] == Fraction(1, 4) + Fraction(1, 2 ** (m + 1))
        assert law.tail(Fraction(0)) >= law[()]
        assert law.outcomes == fs.selection_law(COPY, m, wrap).outcomes
    for ties, limit in (("first", "13/20"), ("uniform", "2/5")):
        law = fs.selection_law(NOISY, 60, ways(ties)[1])
        assert Fraction(limit) < law[()] < Fraction(limit) + Fraction(1, 50)
        assert law.tail(Fraction(3, 10)) > Fraction(3, 20)


def test_some_parity_has_no_error_on_samples_held_out() -> None:
    """N-4: whatever the labels, of the parities of 1 to f bits none is right on m2 samples with probability below."""
    for f, m in ((2, 1), (4, 1), (8, 1), (3, 2), (5, 2)):
        rows = list(itertools.product((0, 1), repeat=f))
        for labels in itertools.product((0, 1), repeat=m):
            none = sum(
                not any(all(sum(x[:r]) % 2 == y for x, y in zip(held, labels, strict=True)) for r in range(1, f + 1))
                for held in itertools.product(rows, repeat=m)
            )
            assert Fraction(none, 2 ** (f * m)) <= Fraction(2**m, f)


@pytest.mark.parametrize("ties", TIES)
def test_the_smallest_case_where_ordering_costs(ties: str) -> None:
    """N-4a: with one feature the methods are one; with two and two samples the total of the weights is the smallest."""
    for d in distributions(((2,), 2, 3)):
        for m in (2, 3):
            one, two = (fs.selection_law(d, m, method) for method in ways(ties))
            assert one.outcomes == two.outcomes
    weights, least = {
        "first": ([[[0, 0], [0, 1]], [[1, 0], [0, 1]]], ["11/27", "4/9"]),
        "uniform": ([[[0, 0], [0, 1]], [[1, 0], [0, 0]]], ["9/32", "7/24"]),
    }[ties]
    d = fs.JointDistribution(weights)
    assert risks(d, 2, *ways(ties)) == [Fraction(value) for value in least]
    for smaller in distributions(((2, 2), 2, d.total - 1)):
        wrap, ordered = risks(smaller, 2, *ways(ties))
        assert ordered <= wrap


def test_selecting_may_cost() -> None:
    """N-4b, and no distribution with less than two people will do: nothing can be wrong there but all at once."""
    d = fs.JointDistribution([[0, 1], [1, 0]])
    assert risks(d, 2, ways("first")[0], fs.NoSelection()) == [Fraction(3, 8), Fraction(1, 8)]


def test_true_statements() -> None:
    """N-1m and N-3b by exact comparison, N-5 by the sample sizes of the bound."""
    for states, classes, delta in itertools.product((1, 2, 8, 100), (2, 3), (Fraction(1, 20), Fraction(1, 2))):
        assert states * log(classes) + log(1 / delta) <= states * (log(classes) + log(1 / delta))
        for rho in (Fraction(37, 100), Fraction(2, 5), Fraction(1), Fraction(3)):
            assert 0 < 1 + log(rho) <= 1 + log(Fraction(math.ceil(rho * states), states))
    assert all(math.comb(f, r) <= f**r for f in range(1, 12) for r in range(f + 1))
    needed = {}
    for f in (2, 3, 4, 9):
        weights = np.ones((2,) * f + (2,), dtype=int)
        weights[0, ..., 0] = weights[1, ..., 1] = 9
        needed[f] = samples_to_bound(fs.JointDistribution(weights), fs.OrderedFS(holdout="1/2", ties="first"))
    assert needed[4] <= 2 * needed[2]
    assert needed[9] <= 2 * needed[3]


def found(f: int, m: int, ties: str) -> Any:
    """Return the probability that no other rule has fewer errors than the right one, and that this wins the tie."""
    eta, total, more = mpmath.mpf(3) / 10, mpmath.mpf(0), mpmath.mpf(0)
    for e in range(m, -1, -1):
        tie = mpmath.mpf(math.comb(m, e)) / 2**m
        drawn = ((more + tie) ** f - more**f) / (f * tie)
        wins = {"won": (more + tie) ** (f - 1), "drawn": drawn, "lost": more ** (f - 1)}[ties]
        total += math.comb(m, e) * eta**e * (1 - eta) ** (m - e) * wins
        more += tie
    return total


def test_what_finds_a_bit_depends_on_the_rule_for_ties() -> None:
    """N-5s, in 60 digits, and no smaller m does; N-5: what is needed may more than double."""
    assert found(100, 0, "won") == 1
    for ties, needed in (("drawn", (127, 229, 426)), ("lost", (131, 234, 430))):
        for f, m in zip((10**3, 10**6, 10**12), needed, strict=True):
            with mpmath.workdps(60):
                assert found(f, m - 1, ties) < mpmath.mpf("0.9") < found(f, m, ties)
    chances = [find_probability(100, m, "3/10") for m in range(0, 60, 3)]
    assert chances == sorted(chances)
    assert [samples_to_find(f, "3/5", "3/10") for f in (10**3, 10**6)] == [75, 159]
