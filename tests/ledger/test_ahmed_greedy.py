"""What the ledger says of greedy selection agrees with the library, on random distributions."""

from __future__ import annotations

import itertools
from typing import Any

import pytest

from fstheory import criteria
from fstheory.distribution import JointDistribution
from fstheory.ledger import claims
from fstheory.ledger.ahmed_2015_greedy import BENEFITS
from fstheory.logic import Holds, Refuted, Vacuous
from fstheory.selection import compare_greedy, conditionally_independent, is_submodular, is_supermodular
from tests.ledger.drawn import both_occur, drawn

PLAIN_BINARY = ((2, 2, 2), (2, 2, 2, 2))


OF_THE_LIBRARY: dict[str, Any] = {
    "01": criteria.zero_one(),
    "cost": criteria.cost_sensitive("1/4"),
    "bal": criteria.balanced(),
    "log": criteria.logarithmic(),
    "sq": criteria.squared_error(),
    "F": criteria.f_measure(),
    "auc": criteria.auc(),
}


@pytest.mark.thorough
@pytest.mark.parametrize("key", BENEFITS)
def test_second_differences_agree_with_the_library(key: str) -> None:
    outcomes = set()
    for seed in range(50):
        d = drawn(seed, PLAIN_BINARY, plain=True)
        if not both_occur(d):
            continue
        table = OF_THE_LIBRARY[key].table(d)
        for kind, check in (("s", is_submodular), ("p", is_supermodular)):
            holds = bool(check(table))
            assert isinstance(claims[f"A-G{kind}-{key}"].check(d), Holds) == holds
            outcomes.add((check.__name__, holds))
    assert len(outcomes) == 4


@pytest.mark.parametrize("key", BENEFITS)
def test_greedy_agrees_with_the_library(key: str) -> None:
    """Ties may fall in any way: as an order of the features breaks them."""
    four = JointDistribution.from_counts({(0, 0, 0, 0): 1, (0, 0, 1, 1): 1, (0, 1, 0, 1): 1, (1, 1, 1, 0): 1})
    outcomes = set()
    for d in (four, *(drawn(seed, ((2, 2, 2, 2),), plain=True) for seed in range(25))):
        if not both_occur(d):
            continue
        reached = any(
            compare_greedy(d, 2, OF_THE_LIBRARY[key], order=order).is_optimal
            for order in itertools.permutations(d.features)
        )
        assert isinstance(claims[f"A-Gg-{key}"].check(d), Holds) == reached
        outcomes.add(reached)
    assert outcomes == {True, False}


@pytest.mark.parametrize("seed", range(60))
def test_independence_given_the_class(seed: int) -> None:
    d = drawn(seed, ((2, 2, 2), (2, 3, 2), (2, 2, 3), (2, 2, 2, 2), (3, 2)))
    independent = all(conditionally_independent(d, [i], [j for j in d.features if j != i], ["Y"]) for i in d.features)
    found = claims["A-Gi-log"].check(d)
    assert isinstance(found, Holds if independent else Vacuous)


def test_independent_features_against_the_textbook() -> None:
    """Three witnesses: the entropy, the squared error and the AUC are submodular there, the others are not."""
    jury = JointDistribution.from_counts(
        {(*said_so, y): 3 ** sum(x == y for x in said_so) for *said_so, y in itertools.product((0, 1), repeat=4)}
    )
    for key, holds in {"01": False, "bal": False, "log": True, "sq": True, "F": False, "auc": True}.items():
        verdict = claims[f"A-Gi-{key}"].check(jury)
        assert isinstance(verdict, Holds if holds else Refuted), verdict
