"""Entropies by their definitions, as mappings from primes to rational coefficients: the oracle of these tests.

``{2: Fraction(1), 3: Fraction(-1, 2)}`` stands for ``log 2 - (1/2) log 3``. Logarithms of primes are linearly
independent over the rationals, so equal mappings are equal numbers and different ones are not. Nothing here
imports fstheory.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import TypeAlias

import mpmath  # type: ignore[import-untyped]

from tests.literal import Pmf, State, project

Logs: TypeAlias = dict[int, Fraction]


def factors(number: int) -> dict[int, int]:
    """Return the exponent of every prime, by trial division."""
    found: dict[int, int] = {}
    prime = 2
    while number > 1:
        while number % prime == 0:
            found[prime] = found.get(prime, 0) + 1
            number //= prime
        prime += 1
        if prime * prime > number > 1:
            prime = number
    return found


def add(total: Logs, coefficient: Fraction, value: Fraction) -> None:
    """Add ``coefficient * log(value)``."""
    for sign, part in ((1, value.numerator), (-1, value.denominator)):
        for prime, exponent in factors(part).items():
            total[prime] = total.get(prime, Fraction(0)) + sign * exponent * coefficient


def lean(total: Logs) -> Logs:
    """Drop what is zero."""
    return {prime: c for prime, c in total.items() if c}


def probabilities(pmf: Pmf, kept: Sequence[int]) -> dict[State, Fraction]:
    """Return the probability of every state of the variables at some positions, the last being the class."""
    found: dict[State, Fraction] = {}
    for cell, p in pmf.items():
        state = project(cell, kept)
        found[state] = found.get(state, Fraction(0)) + p
    return found


def conditional_mutual_information(pmf: Pmf, a: Sequence[int], b: Sequence[int], c: Sequence[int]) -> Logs:
    """Return the mean, over the cells, of log(p(a, b | c) / (p(a | c) p(b | c)))."""
    abc = probabilities(pmf, [*a, *b, *c])
    ac, bc, given = (probabilities(pmf, kept) for kept in ([*a, *c], [*b, *c], c))
    total: Logs = {}
    for cell, p in pmf.items():
        if p:
            s = project(cell, c)
            both = abc[project(cell, [*a, *b, *c])] / given[s]
            alone = ac[project(cell, [*a, *c])] / given[s] * (bc[project(cell, [*b, *c])] / given[s])
            add(total, p, both / alone)
    return lean(total)


def conditional_entropy(pmf: Pmf, a: Sequence[int], c: Sequence[int]) -> Logs:
    """Return the mean, over the cells, of -log p(a | c)."""
    ac, given = probabilities(pmf, [*a, *c]), probabilities(pmf, c)
    total: Logs = {}
    for cell, p in pmf.items():
        if p:
            add(total, -p, ac[project(cell, [*a, *c])] / given[project(cell, c)])
    return lean(total)


def precise(pmf: Pmf, a: Sequence[int], c: Sequence[int], digits: int) -> mpmath.mpf:
    """Return H(A | C) to so many digits, without factoring anything."""
    with mpmath.workdps(digits):
        return mpmath.fsum(_precise_terms(pmf, a, c))


def _precise_terms(pmf: Pmf, a: Sequence[int], c: Sequence[int]) -> list[mpmath.mpf]:
    ac, given = probabilities(pmf, [*a, *c]), probabilities(pmf, c)
    return [
        -as_mpf(p) * mpmath.log(as_mpf(ac[project(cell, [*a, *c])] / given[project(cell, c)]))
        for cell, p in pmf.items()
        if p
    ]


def as_mpf(value: Fraction) -> mpmath.mpf:
    """Return a rational at the working precision."""
    return mpmath.mpf(value.numerator) / value.denominator


def posterior(pmf: Pmf, kept: Sequence[int], x: State) -> dict[object, Fraction]:
    """Return p(y | x at some positions) for a possible x."""
    agreeing = {cell: p for cell, p in pmf.items() if project(cell, kept) == project(x, kept)}
    mass = sum(agreeing.values(), Fraction(0))
    found: dict[object, Fraction] = {}
    for cell, p in agreeing.items():
        found[cell[-1]] = found.get(cell[-1], Fraction(0)) + p / mass
    return found


def expected_total_variation(pmf: Pmf, kept: Sequence[int]) -> Fraction:
    """Return the mean over x of the distance between p(. | x) and p(. | x at the positions kept)."""
    n = len(next(iter(pmf))) - 1
    total = Fraction(0)
    for x, p in probabilities(pmf, range(n)).items():
        if p:
            fine, coarse = posterior(pmf, range(n), x), posterior(pmf, kept, x)
            total += p * sum(abs(fine.get(y, Fraction(0)) - coarse[y]) for y in coarse) / 2
    return total


def largest_difference(p: Pmf, q: Pmf, events: Callable[[list[State]], list[list[State]]]) -> Fraction:
    """Return the largest difference of the probabilities of an event."""
    return max(abs(sum((p[c] - q[c] for c in event), Fraction(0))) for event in events(list(p)))
