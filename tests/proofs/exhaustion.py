"""The smallest counterexample, by looking at every distribution in order: the oracle of the searches.

Nothing here imports fstheory. A world is a table of integer weights ``{(x1, .., xn, y): w}`` with the definitions
spelled out over integers; that they are those of `tests.literal` is tested.
"""

import itertools
import math
from collections.abc import Callable, Collection, Iterable, Mapping
from fractions import Fraction
from functools import cached_property
from typing import TypeAlias

from tests.literal import compositions

Weights: TypeAlias = tuple[int, ...]
Sizes: TypeAlias = tuple[int, ...]
Found: TypeAlias = tuple[Sizes, int, Weights]


class World:
    """One distribution; features are 0, .., n - 1."""

    def __init__(self, cardinalities: Sizes, classes: int, weights: Weights) -> None:
        self.cardinalities, self.classes, self.weights = cardinalities, classes, weights
        self.total = sum(weights)
        cells = itertools.product(*map(range, cardinalities), range(classes))
        self.table = dict(zip(cells, weights, strict=True))

        self.features = tuple(range(len(cardinalities)))

    @cached_property
    def subsets(self) -> list[frozenset[int]]:
        sizes = range(len(self.features) + 1)
        return [frozenset(kept) for size in sizes for kept in itertools.combinations(self.features, size)]

    def marginal(self, kept: Collection[int]) -> Mapping[tuple[int, ...], list[int]]:
        """Return, for each state of some features, the weight of each class."""
        found: dict[tuple[int, ...], list[int]] = {}
        for (*x, y), weight in self.table.items():
            found.setdefault(tuple(x[i] for i in sorted(kept)), [0] * self.classes)[y] += weight
        return found

    def errors(self, kept: Iterable[int]) -> int:
        """Return the Bayes risk times the total."""
        return self.total - sum(max(state) for state in self.marginal(frozenset(kept)).values())

    def multiplicity(self, kept: Iterable[int], *, with_class: bool) -> int:
        """Return exp of the sum of w log w over the cells, so that N H = N log N - log of this."""
        states = self.marginal(frozenset(kept)).values()
        cells = [w for state in states for w in state] if with_class else [sum(state) for state in states]
        return math.prod(w**w for w in cells)

    def information(self, kept: Iterable[int], given: Iterable[int] = ()) -> Fraction:
        """Return exp of N I(Y; kept | given): a number that orders as the information does, and 1 where there is none.

        I(Y; A | B) = H(B, Y) - H(B) - H(A, B, Y) + H(A, B).
        """
        a, b = frozenset(kept), frozenset(given)
        above = self.multiplicity(a | b, with_class=True) * self.multiplicity(b, with_class=False)
        below = self.multiplicity(b, with_class=True) * self.multiplicity(a | b, with_class=False)
        return Fraction(above, below)

    def ranks(self) -> tuple[int, ...]:
        """Return the number of the level of each subset, by mask, from the smallest risk."""
        errors = [self.errors(i for i in self.features if mask >> i & 1) for mask in range(2 ** len(self.features))]
        levels = sorted(set(errors))
        return tuple(map(levels.index, errors))

    def satisfies(self, assumptions: Collection[str]) -> bool:
        states = self.marginal(self.features).values()
        single = all(not any(state) or state.count(max(state)) == 1 for state in states)
        return (single or "unique_maximum" not in assumptions) and (
            all(map(any, states)) or "positive" not in assumptions
        )

    def minimal_optimal(self, kept: frozenset[int]) -> bool:
        """Say whether a subset has the risk of all features, and no proper part of it does."""
        best = self.errors(self.features)
        parts = [part for part in self.subsets if part < kept]
        return self.errors(kept) == best and all(self.errors(part) != best for part in parts)

    def depends(self, i: int, given: frozenset[int]) -> bool:
        """Say whether p(Y | given, i) differs from p(Y | given), in a state of positive probability."""
        return self.information({i}, given) != 1

    def strongly_relevant(self, i: int) -> bool:
        return self.depends(i, frozenset(self.features) - {i})

    def weakly_relevant(self, i: int) -> bool:
        others = [s for s in self.subsets if i not in s]
        return not self.strongly_relevant(i) and any(self.depends(i, s) for s in others)


def smallest(violated: Callable[[World], bool], shapes: Iterable[tuple[Sizes, int]], totals: int) -> Found | None:
    """Return the smallest counterexample within some shapes, which come in order, and totals up to one."""
    for cardinalities, classes in shapes:
        for total in range(1, totals + 1):
            every = compositions(total, math.prod(cardinalities) * classes)
            found = [weights for weights in every if violated(World(cardinalities, classes, weights))]
            if found:
                return cardinalities, classes, min(found, key=lambda weights: (sum(map(bool, weights)), weights))
    return None
