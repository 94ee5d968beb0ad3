"""The entries of Ng: what they call false is refuted by exact laws, and what they call true holds of these."""

from __future__ import annotations

import itertools
import json
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

import fstheory as fs
from fstheory.samples.methods import Method
from fstheory.samples.sample_size import find_probability, samples_to_bound, samples_to_find
from tests.house.source import ROOT
from tests.papers.check_true import distributions

TIES = ("first", "uniform")
COPY = fs.JointDistribution([[1, 0], [0, 1]])
NOISY = fs.JointDistribution([[7, 3], [3, 7]])


def ways(ties: Any) -> tuple[Method, Method]:
    """Return the two methods with one sample held out."""
    return fs.StandardWrap(holdout=1, ties=ties), fs.OrderedFS(holdout=1, ties=ties)


def risks(d: fs.JointDistribution, m: int, *methods: Method) -> list[Fraction]:
    return [fs.selection_law(d, m, method).expected_risk for method in methods]


@pytest.mark.parametrize("f", [2, 3])
def test_no_method_learns_a_parity_it_has_not_seen(f: int) -> None:
    """N-1, N-2, N-3: the risk is at least 1/2 - m1/2**f with certainty, the least risk is 0. N-4x: so for a copy."""
    states = list(itertools.product((0, 1), repeat=f))
    labels = ([sum(x) % 2 for x in states], [x[0] for x in states])
    d, copy = (fs.JointDistribution(np.eye(2, dtype=int)[y].reshape((2,) * f + (2,))) for y in labels)
    assert fs.bayes_risk(d, d.features) == 0
    for m, ties in itertools.product((1, 2, 3), TIES):
        for method in (fs.NoSelection(), *(ways(ties) if m > 1 else ())):
            trained = m - method.holdout_size(m)
            assert min(fs.selection_law(d, m, method).risks) >= Fraction(1, 2) - Fraction(trained, 2**f)
        assert min(fs.selection_law(copy, m, fs.NoSelection()).risks) >= Fraction(1, 2) - Fraction(m, 2**f)


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


@pytest.mark.one_in(2)
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


@pytest.mark.thorough
def test_a_bit_is_found_with_few_samples() -> None:
    """N-5 by the sample sizes of the bound."""
    needed = {}
    for f in (2, 3, 4, 9):
        weights = np.ones((2,) * f + (2,), dtype=int)
        weights[0, ..., 0] = weights[1, ..., 1] = 9
        needed[f] = samples_to_bound(fs.JointDistribution(weights), fs.OrderedFS(holdout="1/2", ties="first"))
    assert needed[4] <= 2 * needed[2]
    assert needed[9] <= 2 * needed[3]


def test_how_many_samples_find_a_bit() -> None:
    """N-5: what is needed may more than double."""
    chances = [find_probability(100, m, "3/10") for m in range(0, 60, 3)]
    assert chances == sorted(chances)
    assert [samples_to_find(f, "3/5", "3/10") for f in (10**3, 10**6)] == [75, 159]


def test_what_came_out_of_the_figures() -> None:
    """N-F: in standard errors on Gaussians; exactly on two bits."""
    document = json.loads((ROOT / "docs" / "textbook" / "ng-1998.json").read_text(encoding="utf-8"))
    parts = ((figure["figure"], part) for figure in document["figures"] for part in figure["panels"])
    panels = {(number, part["title"].split(",")[0]): part["series"] for number, part in parts}
    less = {
        (number, name, point["x"]): point["mean"] / (point["standard_error"] or 1)
        for (number, title), series in panels.items()
        if title.startswith("differences")
        for name, points in series.items()
        for point in points
    }
    over = {key: less[key] for key in less if key[1].startswith("STANDARD") and "ORDERED" in key[1]}
    least = {1: 10, 3: 100, 5: 200}
    assert all(over[key] > (3.8 if key[0] == 5 else 4) for key in over if key[2] >= least.get(key[0], 999))
    assert all(abs(over[key]) < 1.3 for key in over if key[2] <= 40 and key[0] in {3, 5})
    assert all(abs(over[4, "STANDARD-WRAP 1/2 less ORDERED-FS 3/10", f]) < 1 for f in (10, 15, 20, 25, 30))
    halves = [ratio for (_, name, x), ratio in less.items() if name.endswith("WRAP 1/2") and x >= 10]
    assert min(halves) > 0.9
    assert sum(halves) / 5**0.5 > 3.5
    none, *others = ({p["x"]: p["mean"] for p in points} for points in panels[1, "Gaussians"].values())
    assert all(none[x] > max(other[x] for other in others) for x in none if x >= 15)
    wraps, ordered = (panels[3, "bits"][name][:5] for name in ("STANDARD-WRAP 3/10", "ORDERED-FS 3/10"))
    better = [Fraction(one["exact"]) < Fraction(two["exact"]) for one, two in zip(wraps, ordered, strict=True)]
    assert better == [point["x"] <= 40 for point in wraps]
