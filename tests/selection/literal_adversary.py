"""The definitions in plain Python numbers, sharing no code with the package; and random orders of their own."""

import random
from fractions import Fraction
from itertools import product

from fstheory.distributions.joint import JointDistribution
from tests.literal import subsets

Order = list[frozenset[str]]


def cells(d: JointDistribution) -> dict[tuple[int, ...], list[int]]:
    """Return the weights of the classes at each state x."""
    sizes = d.weights.shape
    return {x: [int(d.weights[(*x, y)]) for y in range(sizes[-1])] for x in product(*map(range, sizes[:-1]))}


def risk(d: JointDistribution, subset: frozenset[str]) -> Fraction:
    """Return the Bayes risk: 1 - sum over the states s of max over y of p(s, y)."""
    kept = [i for i, name in enumerate(d.features) if name in subset]
    sums: dict[tuple[int, ...], list[int]] = {}
    for x, weights in cells(d).items():
        state = tuple(x[i] for i in kept)
        sums[state] = [a + b for a, b in zip(sums.get(state, [0] * len(weights)), weights, strict=True)]
    return 1 - Fraction(sum(map(max, sums.values())), sum(map(sum, sums.values())))


def meets_assumptions(d: JointDistribution) -> bool:
    """Say whether p(x) > 0 and p(Y|x) has a unique maximum for all x."""
    return all(weights.count(max(weights)) == 1 and max(weights) > 0 for weights in cells(d).values())


def random_order(names: tuple[str, ...], rng: random.Random) -> Order:
    """Draw a linear extension by shuffling and then moving supersets up."""
    left, order = subsets(names), []
    rng.shuffle(left)
    while left:
        able = next(subset for subset in left if not any(subset < other for other in left))
        left.remove(able)
        order.append(able)
    return order
