"""Statements on questions that no claim expresses: the price of even questions, and reasons against questions."""

import itertools
import random
from fractions import Fraction

import pytest

import fstheory as fs
from fstheory.logic.ledger import claims


def even(objects: frozenset[int], tests: list[frozenset[int]]) -> int:
    """Return how many questions all objects together need, if each question is a most even one."""
    if len(objects) < 2:
        return 0
    yes = min((objects & test for test in tests), key=lambda part: abs(2 * len(part) - len(objects)))
    return len(objects) + even(yes, tests) + even(objects - yes, tests)


@pytest.mark.thorough
def test_the_price_of_even_questions() -> None:
    """AH-1, with the harmonic number in place of 1 + ln n, which is at least as large."""
    rng, count, lost = random.Random(44), 0, 0
    while count < (claims["AH-1"].evidence[0].count or 0):
        n, tests = rng.randint(2, 10), [frozenset(o for o in range(10) if rng.random() < 0.4) for _ in range(6)]
        cells = {(*(int(o in test) for test in tests), o): 1 for o in range(n)}
        if len({tuple(cell[:-1]) for cell in cells}) < n:
            continue
        best, price = fs.best_questions(fs.JointDistribution.from_counts(cells)), even(frozenset(range(n)), tests)
        assert best.risk == 0
        assert best.questions * n <= price <= best.questions * n * sum(Fraction(1, i) for i in range(1, n + 1))
        lost, count = lost + (price > best.questions * n), count + 1
    assert lost


@pytest.mark.thorough
def test_reasons_bound_the_questions() -> None:
    """BW-1 and BW-2 on all functions of three bits: the largest reason, the questions in the worst case, C_0 C_1."""
    states = list(itertools.product((0, 1), repeat=3))
    assert claims["BW-2"].evidence[1].count == 2 ** len(states)
    for values in itertools.product((0, 1), repeat=len(states)):
        d = fs.JointDistribution.from_counts({(*x, y): 1 for x, y in zip(states, values, strict=True)})
        needed = {0: 0, 1: 0}
        for x, y in zip(states, values, strict=True):
            shortest = min(len(reason.state) for reason in fs.reasons(d, x).reasons)
            needed[y] = max(needed[y], shortest)
        questions = next(k for k in range(4) if fs.best_questions(d, budget=k).risk == 0)
        assert max(needed.values()) <= questions
        assert len(set(values)) == 1 or questions <= needed[0] * needed[1]
