"""Entropies by their definitions, as mappings from primes to rational coefficients: the oracle of these tests.

``{2: Fraction(1), 3: Fraction(-1, 2)}`` stands for ``log 2 - (1/2) log 3``. Logarithms of primes are linearly
independent over the rationals, so equal mappings are equal numbers and different ones are not. Nothing here
imports fstheory.
"""

from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import TypeAlias

import mpmath  # type: ignore[import-untyped]
from sympy import factorint

from tests.literal import Pmf, State, classes, project

Logs: TypeAlias = dict[int, Fraction]


def primes(number: int) -> dict[int, int]:
    """Return the exponent of each prime in a positive integer."""
    return {int(prime): int(exponent) for prime, exponent in factorint(number).items()}


def logs(terms: Iterable[tuple[Fraction, Fraction | int]]) -> Logs:
    """Return the sum of ``coefficient * log(value)``, without what is zero."""
    total: Logs = {}
    for coefficient, value in terms:
        for sign, part in ((1, value.numerator), (-1, value.denominator)):
            for prime, exponent in primes(part).items():
                total[prime] = total.get(prime, Fraction(0)) + sign * exponent * coefficient
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
    terms = []
    for cell, p in pmf.items():
        if p:
            s = project(cell, c)
            both = abc[project(cell, [*a, *b, *c])] / given[s]
            alone = ac[project(cell, [*a, *c])] / given[s] * (bc[project(cell, [*b, *c])] / given[s])
            terms.append((p, both / alone))
    return logs(terms)


def entropy_terms(pmf: Pmf, a: Sequence[int], c: Sequence[int]) -> list[tuple[Fraction, Fraction]]:
    """Return -p and p(a | c) of the cells: H(A | C) is the mean, over the cells, of -log p(a | c)."""
    ac, given = probabilities(pmf, [*a, *c]), probabilities(pmf, c)
    return [(-p, ac[project(cell, [*a, *c])] / given[project(cell, c)]) for cell, p in pmf.items() if p]


def conditional_entropy(pmf: Pmf, a: Sequence[int], c: Sequence[int]) -> Logs:
    """Return H(A | C)."""
    return logs(entropy_terms(pmf, a, c))


def precise(pmf: Pmf, a: Sequence[int], c: Sequence[int], digits: int) -> mpmath.mpf:
    """Return H(A | C) to so many digits, without factoring anything."""
    with mpmath.workdps(digits):
        numbers = [[mpmath.mpf(x.numerator) / x.denominator for x in term] for term in entropy_terms(pmf, a, c)]
        return mpmath.fsum(p * mpmath.log(value) for p, value in numbers)


def expected_total_variation(pmf: Pmf, kept: Sequence[int]) -> Fraction:
    """Return the mean over x of the distance between p(. | x) and p(. | x at the positions kept)."""
    n = len(next(iter(pmf))) - 1
    some, joint = probabilities(pmf, kept), probabilities(pmf, [*kept, n])
    total = Fraction(0)
    for x, p in probabilities(pmf, range(n)).items():
        if p:
            s = project(x, kept)
            coarse = {y: joint.get((*s, y), Fraction(0)) / some[s] for y in classes(pmf)}
            total += p * sum(abs(pmf.get((*x, y), Fraction(0)) / p - coarse[y]) for y in coarse) / 2
    return total
