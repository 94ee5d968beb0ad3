"""The definitions of the bounds in plain Python: Fractions where a number is rational, mpmath where it is not.

Nothing here imports fstheory. A distribution is ``{(x1, .., xn, y): Fraction}`` with numbers as states.
"""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any, TypeAlias

import mpmath  # type: ignore[import-untyped]

from tests.measures.literal_information import expected_total_variation, precise

State: TypeAlias = tuple[Any, ...]
Pmf: TypeAlias = dict[State, Fraction]

DIGITS = 200
variation = expected_total_variation


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


def conditional_entropy(pmf: Pmf, kept: Sequence[int]) -> Any:
    """Return H(Y | s)."""
    return precise(pmf, [-1], kept, DIGITS)


def nu(pmf: Pmf, kept: Sequence[int]) -> Any:
    """Return H(Y | s) - H(Y | x), the information of the features that are not kept."""
    with mpmath.workdps(DIGITS):
        return conditional_entropy(pmf, kept) - conditional_entropy(pmf, range(len(next(iter(pmf))) - 1))


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
