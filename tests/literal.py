"""The definitions, word for word, over ``{(x1, .., xn, y): Fraction}``: the oracle of the tests.

Nothing here imports fstheory, and nothing is clever. Features are addressed by position in the key.
"""

from collections.abc import Callable, Collection, Hashable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import combinations, pairwise
from math import gcd
from typing import TypeAlias

State: TypeAlias = tuple[Hashable, ...]
Pmf: TypeAlias = dict[State, Fraction]
Risks: TypeAlias = Mapping[frozenset[str], Fraction]


def project(x: State, kept: Sequence[int]) -> State:
    """Return the part of a state at some positions."""
    return tuple(x[i] for i in kept)


def marginal(pmf: Pmf, kept: Sequence[int]) -> Pmf:
    """Return p(s, y): the sum of p(x, y) over the states x that agree with s."""
    found: Pmf = {}
    for (*x, y), p in pmf.items():
        cell = (*project(tuple(x), kept), y)
        found[cell] = found.get(cell, Fraction(0)) + p
    return found


def probability(pmf: Pmf, holds: Callable[[State], bool]) -> Fraction:
    """Return the probability of the cells where an event holds."""
    return sum((p for cell, p in pmf.items() if holds(cell)), Fraction(0))


def condition(pmf: Pmf, holds: Callable[[State], bool]) -> Pmf:
    """Return p(x, y | event) on all cells."""
    mass = probability(pmf, holds)
    return {cell: p / mass if holds(cell) else Fraction(0) for cell, p in pmf.items()}


def posterior(pmf: Pmf, holds: Callable[[State], bool]) -> dict[Hashable, Fraction]:
    """Return p(y | event) for every class."""
    return {y: p for (y,), p in marginal(condition(pmf, holds), ()).items()}


def classes(pmf: Pmf) -> list[Hashable]:
    """Return the classes in order of first occurrence."""
    return list(dict.fromkeys(cell[-1] for cell in pmf))


def maximizers(pmf: Pmf, kept: Sequence[int]) -> dict[State, tuple[Hashable, ...]]:
    """Return the classes y that maximize p(s, y), for every state s."""
    p = marginal(pmf, kept)
    states = dict.fromkeys(cell[:-1] for cell in p)
    ys = classes(pmf)
    return {s: tuple(y for y in ys if all(p[(*s, y)] >= p[(*s, z)] for z in ys)) for s in states}


def bayes_risk(pmf: Pmf, kept: Sequence[int]) -> Fraction:
    """Return P(g(S) != Y) of the classifier that says, in every state, a class that maximizes p(s, y)."""
    says = {s: best[0] for s, best in maximizers(pmf, kept).items()}
    return probability(pmf, lambda cell: says[project(cell, kept)] != cell[-1])


def subsets(features: Sequence[str]) -> list[frozenset[str]]:
    """Return all subsets by size, and lexicographically by position within a size."""
    return [frozenset(c) for size in range(len(features) + 1) for c in combinations(features, size)]


def risks(pmf: Pmf, features: Sequence[str]) -> dict[frozenset[str], Fraction]:
    places = [[i for i, name in enumerate(features) if name in subset] for subset in subsets(features)]
    return {s: bayes_risk(pmf, kept) for s, kept in zip(subsets(features), places, strict=True)}


def compositions(total: int, parts: int) -> Iterator[tuple[int, ...]]:
    """Yield every way to write a total as a sum of so many integers of at least 0, in lexicographic order."""
    for bars in combinations(range(total + parts - 1), parts - 1):
        yield tuple(after - before - 1 for before, after in pairwise((-1, *bars, total + parts - 1)))


def lowest_terms(total: int, parts: int) -> Iterator[tuple[int, ...]]:
    """Yield the compositions that have no common divisor: each distribution of a total once."""
    return (weights for weights in compositions(total, parts) if gcd(*weights) == 1)


def levels(table: Risks) -> list[set[frozenset[str]]]:
    """Return the subsets of equal value together, from the smallest value."""
    return [{s for s, v in table.items() if v == value} for value in sorted(set(table.values()))]


def minimal(family: Collection[frozenset[str]]) -> set[frozenset[str]]:
    """Return the members of a family that have no proper subset in it."""
    return {s for s in family if not any(other < s for other in family)}


def minimal_optimal(table: Risks) -> set[frozenset[str]]:
    """Return every minimal subset with minimal risk."""
    return minimal([s for s, v in table.items() if v == min(table.values())])


def first_impossible(pmf: Pmf) -> State | None:
    """Return the first state x with p(x) = 0."""
    states = dict.fromkeys(cell[:-1] for cell in pmf)
    return next((x for x in states if sum(p for cell, p in pmf.items() if cell[:-1] == x) == 0), None)


def first_tie(pmf: Pmf) -> State | None:
    """Return the first state x with p(x) > 0 in which several classes maximize p(y | x)."""
    best = maximizers(pmf, range(len(next(iter(pmf))) - 1))
    return next((x for x, ys in best.items() if len(ys) > 1 and pmf[(*x, ys[0])] > 0), None)
