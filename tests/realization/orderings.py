"""Bayes risks and assumptions from the definitions, for the tests of realizable orderings."""

from collections.abc import Collection

from fstheory import JointDistribution
from tests.adversary.literal import cells


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


def satisfies(d: JointDistribution, assumptions: Collection[str]) -> bool:
    rows = [sorted(weights) for weights in cells(d).values()]
    positive = all(map(any, rows))
    single = all(not any(row) or row[:-1] == [] or row[-2] < row[-1] for row in rows)
    return (positive or "positive" not in assumptions) and (single or "unique_maximum" not in assumptions)
