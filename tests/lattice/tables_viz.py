"""Tables to be drawn, and a literal Bayes risk to fill them."""

import itertools
import random
from collections.abc import Mapping, Sequence
from fractions import Fraction

from fstheory import SubsetTable
from fstheory.lattice.subsets import default_features, names_of


def lattice(values: Mapping[int, Fraction], features: Sequence[str] | None = None) -> SubsetTable[Fraction]:
    """Return the table of the risks of the subsets with these masks."""
    named = tuple(features) if features is not None else default_features(max(values).bit_length())
    by_subset = {names_of(mask, named): value for mask, value in values.items()}
    return SubsetTable.from_mapping(by_subset, features=named, name="Bayes risk", symbol="R")


def risks(n: int, seed: int, relevant: Sequence[int] | None = None) -> dict[int, Fraction]:
    """Return the Bayes risks of a random distribution in which only the features `relevant` matter."""
    rng = random.Random(seed)
    relevant = range(n) if relevant is None else relevant
    chances = {part: rng.randint(1, 9) for part in itertools.product((0, 1), repeat=len(relevant))}
    weights = {}
    for x in itertools.product((0, 1), repeat=n):
        chance, weight = chances[tuple(x[i] for i in relevant)], rng.randint(1, 4)
        weights[x] = (weight * chance, weight * (10 - chance))
    total = sum(map(sum, weights.values()))
    values = {}
    for mask in range(2**n):
        cells: dict[tuple[int, ...], tuple[int, int]] = {}
        for x, pair in weights.items():
            state = tuple(x[i] for i in range(n) if mask >> i & 1)
            before = cells.get(state, (0, 0))
            cells[state] = (before[0] + pair[0], before[1] + pair[1])
        values[mask] = Fraction(sum(map(min, cells.values())), total)
    return values


def adversary(n: int, seed: int) -> dict[int, Fraction]:
    """Return values of a random linear extension that double at every step, as a Theorem 1 distribution may have."""
    rng = random.Random(seed)
    rest: set[int] = set(range(2**n))
    order: list[int] = []
    while rest:
        free = sorted(mask for mask in rest if not any(mask != other and mask & ~other == 0 for other in rest))
        order.append(rng.choice(free))
        rest.remove(order[-1])
    return {mask: Fraction(2**i, 2 ** (2**n)) if i else Fraction(0) for i, mask in enumerate(order)}
