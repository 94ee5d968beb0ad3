"""Bayes risks and assumptions from the definitions, for the tests of realizable orderings; nothing of it is clever."""

import itertools
from collections.abc import Collection

from fstheory import JointDistribution


def cells(d: JointDistribution) -> dict[tuple[int, ...], list[int]]:
    """Return the weights of the classes for each state, as plain integers."""
    states = itertools.product(*map(range, d.cardinalities))
    return {x: [int(weight) for weight in d.weights[x]] for x in states}


def ranks(d: JointDistribution) -> tuple[int, ...]:
    """Return the number of the level of each subset, by mask, from the smallest risk."""
    table = cells(d)
    n = len(d.cardinalities)
    correct = []
    for mask in range(2**n):
        marginal: dict[tuple[int, ...], list[int]] = {}
        for x, weights in table.items():
            s = tuple(v for i, v in enumerate(x) if mask >> i & 1)
            known = marginal.get(s, [0] * len(weights))
            marginal[s] = [a + b for a, b in zip(known, weights, strict=True)]
        correct.append(sum(map(max, marginal.values())))
    levels = sorted(set(correct), reverse=True)
    return tuple(levels.index(value) for value in correct)


def is_positive(d: JointDistribution) -> bool:
    return all(any(weights) for weights in cells(d).values())


def has_single_maxima(d: JointDistribution) -> bool:
    return all(not any(weights) or sorted(weights)[-2] < max(weights) for weights in cells(d).values())


def satisfies(d: JointDistribution, assumptions: Collection[str]) -> bool:
    single = "unique_maximum" not in assumptions or has_single_maxima(d)
    return single and ("positive" not in assumptions or is_positive(d))
