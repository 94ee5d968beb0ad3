"""Criteria, information and searches from their definitions, over dictionaries; no code of the library is shared."""

import itertools
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

from fstheory import JointDistribution
from fstheory.numbers.logsum import LogSum
from tests.measures.literal import Pmf, risk, squared_error
from tests.measures.literal_information import probabilities as over

__all__ = ["Pmf", "backward", "forward", "information", "log_loss", "over", "pmf", "risk", "squared_error"]

Set = tuple[int, ...]


def pmf(d: JointDistribution) -> dict[tuple[Any, ...], Fraction]:
    """Return p over index tuples (x1, .., xn, y), only where it is positive."""
    cells = itertools.product(*map(range, d.weights.shape))
    return {cell: Fraction(int(d.weights[cell]), d.total) for cell in cells if d.weights[cell]}


def information(p: Pmf, a: Set, b: Set, given: Set) -> LogSum:
    """I(A; B | C), term by term: p log of p(a, b | c) / (p(a | c) p(b | c))."""
    together, first, second, third = (over(p, s) for s in ((*a, *b, *given), (*a, *given), (*b, *given), given))
    terms = []
    for cell, weight in together.items():
        x, y, z = cell[: len(a)], cell[len(a) : len(a) + len(b)], cell[len(a) + len(b) :]
        terms.append((weight, weight * third[z] / (first[x + z] * second[y + z])))
    return LogSum(terms)


def log_loss(p: Pmf, subset: Set) -> LogSum:
    seen = over(p, subset)
    return LogSum((w, seen[cell[:-1]] / w) for cell, w in over(p, (*subset, -1)).items())


def forward(value: Callable[[Set], Any], k: int, order: Sequence[int]) -> list[int]:
    """Add the feature with the least loss, the first in order of several."""
    chosen: list[int] = []
    for _ in range(k):
        chosen.append(min((i for i in order if i not in chosen), key=lambda i: value(tuple(sorted([*chosen, i])))))
    return chosen


def backward(value: Callable[[Set], Any], k: int, order: Sequence[int]) -> list[int]:
    left = list(order)
    while len(left) > k:
        left.remove(min(left, key=lambda i: value(tuple(sorted(j for j in left if j != i)))))
    return left
