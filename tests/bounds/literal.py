"""The definitions of the bounds in plain Python: Fractions where a number is rational, mpmath where it is not.

Nothing here imports fstheory. A distribution is ``{(x1, .., xn, y): Fraction}`` with numbers as states.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from fractions import Fraction
from typing import Any, TypeAlias

import mpmath  # type: ignore[import-untyped]

State: TypeAlias = tuple[Any, ...]
Pmf: TypeAlias = Mapping[State, Fraction]

DIGITS = 200


def sums(pmf: Pmf, kept: Sequence[int], *, target: bool) -> dict[State, Fraction]:
    """Return p(s) or p(s, y)."""
    found: dict[State, Fraction] = {}
    for cell, p in pmf.items():
        key = tuple(cell[i] for i in kept) + (cell[-1:] if target else ())
        found[key] = found.get(key, Fraction(0)) + p
    return found


def posteriors(pmf: Pmf, kept: Sequence[int]) -> dict[State, dict[Hashable, Fraction]]:
    """Return p(y | s) for the states s with p(s) > 0."""
    mass, joint = sums(pmf, kept, target=False), sums(pmf, kept, target=True)
    classes = sorted({cell[-1] for cell in pmf})
    return {s: {y: joint.get((*s, y), Fraction(0)) / p for y in classes} for s, p in mass.items() if p}


def risk(pmf: Pmf, kept: Sequence[int]) -> Fraction:
    mass = sums(pmf, kept, target=False)
    return sum((mass[s] * (1 - max(q.values())) for s, q in posteriors(pmf, kept).items()), Fraction(0))


def squared_error(pmf: Pmf, kept: Sequence[int]) -> Fraction:
    """Return E (Y - E[Y | s])^2."""
    mean = {s: sum((y * p for y, p in q.items()), Fraction(0)) for s, q in posteriors(pmf, kept).items()}  # type: ignore[operator]
    return sum((p * (cell[-1] - mean[tuple(cell[i] for i in kept)]) ** 2 for cell, p in pmf.items() if p), Fraction(0))


def variation(pmf: Pmf, kept: Sequence[int]) -> Fraction:
    """Return the mean over x of (1/2) sum |p(y|x) - p(y|s)|."""
    width = len(next(iter(pmf))) - 1
    mass = sums(pmf, range(width), target=False)
    full, part = posteriors(pmf, range(width)), posteriors(pmf, kept)
    total = Fraction(0)
    for x, q in full.items():
        other = part[tuple(x[i] for i in kept)]
        total += mass[x] * sum((abs(q[y] - other[y]) for y in q), Fraction(0)) / 2
    return total


def nu(pmf: Pmf, kept: Sequence[int]) -> Any:
    """Return E log(p(y|x) / p(y|s)), the information of the features that are not kept."""
    width = len(next(iter(pmf))) - 1
    full, part = posteriors(pmf, range(width)), posteriors(pmf, kept)
    with mpmath.workdps(DIGITS):
        total = mpmath.mpf(0)
        for cell, p in pmf.items():
            if p:
                ratio = full[cell[:-1]][cell[-1]] / part[tuple(cell[i] for i in kept)][cell[-1]]
                total += real(p) * mpmath.log(real(ratio))
        return total


def conditional_entropy(pmf: Pmf, kept: Sequence[int]) -> Any:
    """Return H(Y | s)."""
    part = posteriors(pmf, kept)
    with mpmath.workdps(DIGITS):
        return -mpmath.fsum(
            real(p) * mpmath.log(real(part[tuple(cell[i] for i in kept)][cell[-1]])) for cell, p in pmf.items() if p
        )


def covariance(pmf: Pmf, i: int, j: int) -> Fraction:
    first = sum((p * cell[i] for cell, p in pmf.items()), Fraction(0))
    second = sum((p * cell[j] for cell, p in pmf.items()), Fraction(0))
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
            norm = inner(pmf, other, other)
            if norm:
                factor = inner(pmf, vector, other) / norm
                vector = {cell: v - factor * other[cell] for cell, v in vector.items()}
        basis.append(vector)
    return inner(pmf, basis[-1], basis[-1])


def inner(pmf: Pmf, first: Mapping[State, Fraction], second: Mapping[State, Fraction]) -> Fraction:
    return sum((p * first[cell] * second[cell] for cell, p in pmf.items()), Fraction(0))


def real(value: Fraction) -> Any:
    """Return a rational as an mpmath number of the working precision."""
    return mpmath.mpf(value.numerator) / value.denominator


def near(exact: Any, value: Any) -> bool:
    """Say whether the enclosure of an exact number agrees with an mpmath number to about 50 digits."""
    with mpmath.workdps(DIGITS):
        lower, upper = exact.enclosure(50) if hasattr(exact, "enclosure") else (exact, exact)
        room = mpmath.mpf(10) ** -45
        return bool(real(lower) - room <= value <= real(upper) + room)
