"""Reasons and smallest changes against enumeration, and the theorem on reasons and S*."""

from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations
from typing import Any

import pytest
from hypothesis import given, settings, strategies as st

import fstheory as fs
from fstheory import JointDistribution
from fstheory.testing import joint_distributions
from tests.selection.distributions import REGULAR, distributions

Found = dict[frozenset[tuple[str, Any]], Any]


def subsets(d: JointDistribution) -> Iterator[frozenset[str]]:
    return (frozenset(s) for k in range(len(d.features) + 1) for s in combinations(d.features, k))


def minimal(family: set[Any]) -> set[Any]:
    return {a for a in family if not any(b < a for b in family)}


def enumerated(d: JointDistribution, tolerance: Fraction) -> Iterator[tuple[dict[str, Any], Found, set[Any]]]:
    """Yield each possible case with its reasons, with their shares, and its smallest changes, by definition."""
    states = [dict(zip(d.features, cell, strict=False)) for cell in d.support()]
    cases = {tuple(state.items()): state for state in states}.values()
    best = {}
    for x in cases:
        posterior = d.posterior(x)
        best[*x.items()] = {y for y, p in posterior.items() if p == max(posterior.values())}
    for x in cases:
        verdict = best[*x.items()]
        sufficient = dict[frozenset[str], Any]()
        for subset in subsets(d):
            covered = [z for z in cases if all(z[name] == x[name] for name in subset)]
            share = sum(map(d.probability, covered))
            kept = sum(d.probability(z) for z in covered if best[*z.items()] == verdict)
            if kept >= (1 - tolerance) * share:
                sufficient[subset] = share, kept / share
        others = [z for z in cases if best[*z.items()] != verdict]
        changed = minimal({frozenset(name for name in d.features if z[name] != x[name]) for z in others})
        found: Found = {frozenset((name, x[name]) for name in s): sufficient[s] for s in minimal({*sufficient})}
        ends = [(frozenset(n for n in d.features if z[n] != x[n]), z) for z in others]
        yield (
            x,
            found,
            {
                (frozenset((name, z[name]) for name in subset), frozenset(best[*z.items()]))
                for subset, z in ends
                if subset in changed
            },
        )


def check(d: JointDistribution, tolerance: Fraction) -> None:
    every, union, needed = fs.reasons(d, tolerance=tolerance), set[str](), set[str]()
    for x, expected, changes in enumerated(d, tolerance):
        found = fs.reasons(d, x, tolerance=tolerance)
        assert {frozenset(r.state.items()): (r.share, r.kept) for r in found.reasons} == expected
        assert {(frozenset(c.state.items()), frozenset(c.verdicts)) for c in found.changes} == changes
        assert {*found.reasons} <= {*every.reasons}
        assert {*found.changes} <= {*every.changes}
        union |= {name for reason in expected for name, _ in reason}
        needed |= {name for name in d.features if all(any(name == n for n, _ in reason) for reason in expected)}
    assert ({*every.features}, {*every.needed}) == (union, needed)


TOLERANCES = st.sampled_from([Fraction(0), Fraction(1, 10), Fraction(1, 3), Fraction(1)])


@given(distributions(), TOLERANCES)
@settings(max_examples=10)
def test_reasons_are_those_of_the_definition(d: JointDistribution, tolerance: Fraction) -> None:
    check(d, tolerance)


@given(REGULAR)
@settings(max_examples=10)
def test_reasons_make_up_s_star(d: JointDistribution) -> None:
    found = fs.reasons(d)
    assert {*found.features} == {*found.needed} == {*fs.minimal_optimal(d).features}


@given(joint_distributions(max_weight=2, huge=False, unique_maximum=True))
@settings(max_examples=10)
def test_without_ties_reasons_lie_between_the_solutions(d: JointDistribution) -> None:
    found, solutions = fs.reasons(d), fs.all_solutions(d).solutions
    assert {*found.needed} == frozenset(d.features).intersection(*solutions)
    assert {*found.features} >= frozenset[str]().union(*solutions)


def test_large_weights_and_many_features() -> None:
    huge = JointDistribution.from_counts({(0, 0): 2**80, (0, 1): 2**80 - 1, (1, 1): 1})
    assert fs.reasons(huge, (0,), tolerance=Fraction(1, 2**81)).features == ()
    assert fs.reasons(huge, (0,), tolerance=Fraction(1, 2**81 + 1)).features == ("X1",)
    copies = JointDistribution.from_counts({(y,) * 81: 1 for y in "ab"})
    assert len(fs.reasons(copies, ["a"] * 80).reasons) == 80
    assert [len(change.state) for change in fs.reasons(copies, ["a"] * 80).changes] == [80]
    with pytest.raises(fs.TooLargeError, match="take tolerance 0"):
        fs.reasons(copies, ["a"] * 80, tolerance="1/9")


def test_a_reason_outside_the_only_solution() -> None:
    gap = JointDistribution.from_counts({(0, 0, 0): 1, (1, 0, 1): 1, (1, 1, 1): 1})
    found = fs.reasons(gap)
    assert (found.features, found.needed, fs.minimal_optimal(gap).features) == (("X1", "X2"), ("X1",), ("X1",))
    assert "everybody: no" in str(fs.reasons("titanic", ("crew", "male", "adult"), tolerance="1/5"))
