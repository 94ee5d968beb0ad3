"""The definitions of informations, risks and errors in plain Python: Fractions, else mpmath, or exponents of primes.

``{2: Fraction(1), 3: Fraction(-1, 2)}`` stands for ``log 2 - (1/2) log 3``. Logarithms of primes are linearly
independent over the rationals, so equal mappings are equal numbers and different ones are not. Nothing here
imports fstheory. A distribution is ``{(x1, .., xn, y): Fraction}``, for errors with numbers as states.
"""

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any, TypeAlias

import mpmath  # type: ignore[import-untyped]
from sympy import factorint

from tests.literal import classes, project

State: TypeAlias = tuple[Any, ...]
Pmf: TypeAlias = dict[State, Fraction]
Logs: TypeAlias = dict[int, Fraction]

DIGITS = 200


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


def real(value: Fraction | int) -> Any:
    """Return a rational as an mpmath number of the working precision."""
    return mpmath.mpf(value.numerator) / value.denominator


def groups(pmf: Pmf, kept: Sequence[int]) -> dict[State, dict[Any, Fraction]]:
    """Return p(s, y) for each state s and class y."""
    found: dict[State, dict[Any, Fraction]] = {}
    for cell, p in pmf.items():
        row = found.setdefault(tuple(cell[i] for i in kept), {})
        row[cell[-1]] = row.get(cell[-1], Fraction(0)) + p
    return found


def risk(pmf: Pmf, kept: Sequence[int]) -> Fraction:
    return 1 - sum((max(row.values()) for row in groups(pmf, kept).values()), Fraction(0))


def squared_error(pmf: Pmf, kept: Sequence[int]) -> Fraction:
    """Return E (Y - E[Y | s])^2."""
    total = Fraction(0)
    for row in groups(pmf, kept).values():
        if mass := sum(row.values()):
            mean = sum(p * y for y, p in row.items()) / mass
            total += sum(p * (y - mean) ** 2 for y, p in row.items())
    return total


def entropy_left(pmf: Pmf, kept: Sequence[int]) -> Any:
    """Return H(Y | s), to many digits."""
    return precise(pmf, [-1], kept, DIGITS)


def nu(pmf: Pmf, kept: Sequence[int]) -> Any:
    """Return H(Y | s) - H(Y | x), the information of the features that are not kept."""
    with mpmath.workdps(DIGITS):
        return entropy_left(pmf, kept) - entropy_left(pmf, range(len(next(iter(pmf))) - 1))


def covariance(pmf: Pmf, i: int, j: int) -> Fraction:
    first, second = (sum((p * cell[at] for cell, p in pmf.items()), Fraction(0)) for at in (i, j))
    return sum((p * (cell[i] - first) * (cell[j] - second) for cell, p in pmf.items()), Fraction(0))


def linear_error(pmf: Pmf, kept: Sequence[int], target: int) -> Fraction:
    """Return the least mean squared error of a linear predictor: Gram-Schmidt on the centered variables.

    Each feature is replaced by what those before it leave of it; the target loses its projection on each of these.
    """
    basis: list[dict[State, Fraction]] = []
    for i in [*kept, target]:
        mean = sum((p * cell[i] for cell, p in pmf.items()), Fraction(0))
        vector = {cell: Fraction(cell[i]) - mean for cell in pmf}
        for other in basis:
            if norm := inner(pmf, other, other):
                factor = inner(pmf, vector, other) / norm
                vector = {cell: v - factor * other[cell] for cell, v in vector.items()}
        basis.append(vector)
    return inner(pmf, basis[-1], basis[-1])


def inner(pmf: Pmf, first: Mapping[State, Fraction], second: Mapping[State, Fraction]) -> Fraction:
    return sum((p * first[cell] * second[cell] for cell, p in pmf.items()), Fraction(0))


def near(exact: Any, value: Any) -> bool:
    """Say whether the enclosure of an exact number agrees with an mpmath number to about 50 digits."""
    with mpmath.workdps(DIGITS):
        lower, upper = exact.enclosure(50) if hasattr(exact, "enclosure") else (exact, exact)
        room = mpmath.mpf(10) ** -45
        return bool(real(lower) - room <= value <= real(upper) + room)
