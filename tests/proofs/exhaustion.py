"""The smallest counterexample, by looking at every distribution in order: the oracle of the searches.

Nothing here imports fstheory. A world is a table of integer weights ``{(x1, .., xn, y): w}`` with the definitions
spelled out over integers; that its risks are those of `tests.literal` is tested.
"""

import itertools
import math
from collections.abc import Callable, Collection, Iterable
from fractions import Fraction
from typing import TypeAlias

from tests.literal import compositions

Weights: TypeAlias = tuple[int, ...]
Sizes: TypeAlias = tuple[int, ...]
Found: TypeAlias = tuple[Sizes, int, Weights]


class World:
    """One distribution; features are 0, .., n - 1."""

    def __init__(self, cardinalities: Sizes, classes: int, weights: Weights) -> None:
        self.classes, self.weights, self.total = classes, weights, sum(weights)
        cells = itertools.product(*map(range, cardinalities), range(classes))
        self.table = dict(zip(cells, weights, strict=True))
        self.features = tuple(range(len(cardinalities)))
        masks = range(2 ** len(self.features))
        self.subsets = [frozenset(i for i in self.features if mask >> i & 1) for mask in masks]

    def marginal(self, kept: Collection[int]) -> list[list[int]]:
        """Return, for each state of some features, the weight of each class."""
        found: dict[tuple[int, ...], list[int]] = {}
        for (*x, y), weight in self.table.items():
            found.setdefault(tuple(x[i] for i in sorted(kept)), [0] * self.classes)[y] += weight
        return list(found.values())

    def errors(self, kept: Collection[int]) -> int:
        """Return the Bayes risk times the total."""
        return self.total - sum(map(max, self.marginal(kept)))

    def information(self, kept: Collection[int]) -> Fraction:
        """Return exp of N (I(Y; kept) - H(Y)), as N H(A) is N log N less the sum of w log w over the cells of A."""
        states = self.marginal(kept)
        joint = math.prod(w**w for state in states for w in state)
        return Fraction(joint, math.prod(sum(state) ** sum(state) for state in states))

    def ranks(self) -> tuple[int, ...]:
        """Return the number of the level of each subset, by mask, from the smallest risk."""
        errors = list(map(self.errors, self.subsets))
        levels = sorted(set(errors))
        return tuple(map(levels.index, errors))

    def satisfies(self, assumptions: Collection[str]) -> bool:
        states = self.marginal(self.features)
        single = all(not any(state) or state.count(max(state)) == 1 for state in states)
        return (single or "unique_maximum" not in assumptions) and (
            all(map(any, states)) or "positive" not in assumptions
        )


def smallest(violated: Callable[[World], bool], shapes: Iterable[tuple[Sizes, int]], totals: int) -> Found | None:
    """Return the smallest counterexample within some shapes, which come in order, and totals up to one."""
    for cardinalities, classes in shapes:
        for total in range(1, totals + 1):
            every = compositions(total, math.prod(cardinalities) * classes)
            found = [weights for weights in every if violated(World(cardinalities, classes, weights))]
            if found:
                return cardinalities, classes, min(found, key=lambda weights: (sum(map(bool, weights)), weights))
    return None
