"""Sums, products, quotients, maxima, entropies, logarithms and roots of the numbers of many distributions.

Each follows what `fstheory.logic.evaluate` does at one distribution; where it would refuse, or where the forms
of `fstheory.counterexamples.values` do not reach, the result is marked as unknown.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from fstheory.counterexamples.values import Approximate, Array, Exact, Number, compare, either, fitting, multiplied

__all__ = ["entropy", "extreme", "log", "probability", "product", "quotient", "risk", "sqrt", "total", "unknown"]

_UNIT = 2.0**-53
_SLACK = 1.01
_LARGEST = 2**400
_DISTINCT = 1000  # integers that are factored in one step
_FACTORED = 10**6  # the largest of them
_NONE = np.zeros(1, dtype=np.int64)
_NOWHERE = np.ones(1, dtype=bool)


def unknown() -> Exact:
    """Return numbers that are nowhere known."""
    return Exact({1: np.zeros(1, dtype=np.int16)}, 0, 1, 1, _NOWHERE)


def probability(parts: Sequence[Exact]) -> Exact:
    """Return the sum of probabilities of disjoint events, which is at most 1."""
    first, *others = parts
    weights = first.parts[1]
    for part in others:
        weights = weights + part.parts[1]
    return Exact({1: weights}, first.top, first.below, first.below_top)


def risk(cells: Sequence[Exact], classes: int) -> Exact:
    """Return 1 less the sum over states of the largest probability; the classes of one state follow each other."""
    states = (cells[start : start + classes] for start in range(0, len(cells), classes))
    right = functools.reduce(np.add, (functools.reduce(np.maximum, map(_weights, state)) for state in states))
    whole = cells[0].below_top
    return Exact({1: whole - right}, whole, whole, whole)


def _weights(cell: Exact) -> Array:
    return cell.parts[1]


def entropy(cells: Sequence[Exact], *, exact: bool) -> Number:
    """Return the sum of ``-p log p`` over cells.

    With weights w of total N this is log N less the sum of ``w log w`` over N: exactly, a combination of logarithms of
    primes; approximately, a table is looked up. Its entries err by 5 u, each of the additions of terms with the sum
    ``N log N`` by u, the division and log N by as much.
    """
    whole = cells[0].below_top
    if exact:
        parts: dict[int, Array] = {}
        for prime, table in _exponents(whole).items():
            parts[prime] = table[whole] - sum(table[cell.parts[1]] for cell in cells)
        return Exact(parts or {1: np.zeros(1, dtype=np.int64)}, whole * whole.bit_length(), whole, whole)
    table = _products(whole)
    added = functools.reduce(np.add, (table[cell.parts[1]] for cell in cells))
    size = math.log(whole) * _SLACK
    return Approximate((table[whole] - added) / whole, size * (2 * len(cells) + 20) * _UNIT * _SLACK, size)


def total(terms: Sequence[Number]) -> Number:
    """Return a sum; 0 if there is nothing to add."""
    if not terms:
        return Exact({1: np.zeros(1, dtype=np.int16)}, 0, 1, 1)
    return functools.reduce(_plus, terms)


def _plus(a: Number, b: Number) -> Number:
    if isinstance(a, Exact) and isinstance(b, Exact):
        a, b = a.beside(b)
        top = a.top + b.top
        parts = {key: fitting(part, top) for key, part in a.parts.items()}
        for key, part in b.parts.items():
            wide = fitting(part, top)
            parts[key] = parts[key] + wide if key in parts else wide
        return Exact(parts, top, a.below, a.below_top, either(a.unknown, b.unknown))
    a, b = a.approximate(), b.approximate()
    size = (a.size + b.size) * _SLACK
    radius = (a.radius + b.radius + size * _UNIT) * _SLACK
    return Approximate(a.center + b.center, radius, size, either(a.unknown, b.unknown))


def product(a: Number, b: Number) -> Number:
    """Return a product; that of two logarithms has no exact form and is unknown."""
    if isinstance(a, Exact) and isinstance(b, Exact):
        if not b.is_rational:
            a, b = b, a
        if not b.is_rational:
            return unknown()
        below_top = a.below_top * b.below_top
        found = a.over(b.parts[1], b.top, multiplied(a.below, b.below, below_top), below_top)
        return replace(found, unknown=either(a.unknown, b.unknown))
    a, b = a.approximate(), b.approximate()
    size = a.size * b.size * _SLACK
    radius = (a.radius * b.size + a.size * b.radius + size * 2 * _UNIT) * _SLACK
    return Approximate(a.center * b.center, radius, size, either(a.unknown, b.unknown))


def quotient(a: Number, b: Number) -> Number:
    """Return a quotient by a rational; 0/0 is 0, and x/0 unknown."""
    if not isinstance(b, Exact) or not b.is_rational:
        return unknown()
    divisor = b.parts[1]
    nothing = divisor == 0
    if isinstance(a, Exact):
        empty = functools.reduce(np.logical_and, (part == 0 for part in a.parts.values()))
        below_top = max(a.below_top * b.top, 1)
        size = np.where(nothing, 1, np.abs(fitting(divisor, below_top)))
        above = a.over(multiplied(b.below, np.sign(divisor), b.below_top), b.below_top, 1, 1)
        above = above.over(np.where(nothing, 0, 1), 1, 1, 1) if nothing.any() else above
        hidden = either(a.unknown, b.unknown, nothing & ~empty if nothing.any() else None)
        return Exact(above.parts, above.top, multiplied(a.below, size, below_top), below_top, hidden)
    near = b.approximate()
    largest = float(b.below_top) * _SLACK  # no divisor is smaller than 1 / below_top
    center = a.center / np.where(nothing, 1.0, near.center)
    most = a.size * largest * _SLACK
    radius = (a.radius * largest + most * (near.radius * largest + 4 * _UNIT)) * _SLACK
    return Approximate(center, radius, most, either(a.unknown, b.unknown, nothing))


def extreme(kind: str, numbers: Sequence[Number]) -> Number:
    """Return the largest (kind "max") or smallest ("min") of some numbers."""
    return functools.reduce(functools.partial(_better, kind), numbers)


def _better(kind: str, a: Number, b: Number) -> Number:
    if not (isinstance(a, Exact) and isinstance(b, Exact)):
        a, b = a.approximate(), b.approximate()
        center = (np.maximum if kind == "max" else np.minimum)(a.center, b.center)
        return Approximate(center, max(a.radius, b.radius), max(a.size, b.size), either(a.unknown, b.unknown))
    smaller = compare("<", a, b)
    a, b = a.beside(b)
    take = smaller.yes if kind == "max" else smaller.no
    top = max(a.top, b.top)
    parts = {}
    for key in dict.fromkeys([*a.parts, *b.parts]):
        first, second = (fitting(number.parts.get(key, np.zeros(1, dtype=np.int16)), top) for number in (a, b))
        parts[key] = np.where(take, second, first)
    hidden = None if smaller.decided else ~(smaller.yes | smaller.no)
    return Exact(parts, top, a.below, a.below_top, either(a.unknown, b.unknown, hidden))


def log(a: Number, *, exact: bool) -> Number:
    """Return the natural logarithm of positive rationals; exactly, if they are few and small."""
    if not isinstance(a, Exact) or not a.is_rational or max(a.top, a.below_top) > _LARGEST:
        return unknown()
    above = a.parts[1]
    wrong = above <= 0
    if exact:
        over, under = _factored(np.where(wrong, 1, above)), _factored(np.atleast_1d(a.below))
        if over is None or under is None:
            return unknown()
        parts = {prime: over.get(prime, _NONE) - under.get(prime, _NONE) for prime in {*over, *under}}
        top = max(a.top.bit_length(), a.below_top.bit_length())
        return Exact(parts or {1: _NONE}, top, 1, 1, either(a.unknown, wrong))
    numerator = np.where(wrong, 1, above).astype(np.float64)
    denominator = math.log(a.below) if isinstance(a.below, int) else np.log(a.below.astype(np.float64))
    size = (math.log(max(a.top, 2)) + math.log(max(a.below_top, 2))) * _SLACK
    return Approximate(np.log(numerator) - denominator, size * 10 * _UNIT, size, either(a.unknown, wrong))


def sqrt(a: Number) -> Number:
    """Return the square root of non-negative rationals, approximately: a relative error of 4 u at most."""
    if not isinstance(a, Exact) or not a.is_rational or max(a.top, a.below_top) > _LARGEST:
        return unknown()
    above = a.parts[1]
    wrong = above < 0
    numerator = np.where(wrong, 0, above).astype(np.float64)
    denominator = float(a.below) if isinstance(a.below, int) else a.below.astype(np.float64)
    size = math.sqrt(a.top) * _SLACK
    return Approximate(np.sqrt(numerator / denominator), size * 5 * _UNIT, size, either(a.unknown, wrong))


def _factored(numbers: Array) -> dict[int, Array] | None:
    """Return how often each prime divides each of some positive integers; None if these are many or large."""
    distinct, places = np.unique(numbers, return_inverse=True)
    if len(distinct) > _DISTINCT or distinct[-1] > _FACTORED:
        return None
    found: dict[int, Array] = {}
    left = distinct.astype(np.int64)
    divisor = 2
    while divisor * divisor <= left.max():
        divides = left % divisor == 0
        if divides.any():
            found[divisor] = found.get(divisor, 0) + divides
            left[divides] //= divisor
        else:
            divisor += 1
    for prime in set(left.tolist()) - {1}:
        found[prime] = found.get(prime, 0) + (left == prime)
    return {prime: times.astype(np.int64)[places] for prime, times in found.items()}


@functools.lru_cache(maxsize=32)
def _products(whole: int) -> Array:
    """Return w log w for w = 0, .., N, as floats."""
    return np.array([w * math.log(w) if w else 0.0 for w in range(whole + 1)])


@functools.lru_cache(maxsize=32)
def _exponents(whole: int) -> dict[int, Array]:
    """Return, for each prime p up to N, how often it divides w**w, for w = 0, .., N."""
    numbers = np.arange(whole + 1)
    found: dict[int, Array] = {}
    for prime in range(2, whole + 1):
        if any(prime % smaller == 0 for smaller in found):
            continue
        times = np.zeros(whole + 1, dtype=np.int64)
        power = prime
        while power <= whole:
            times[power::power] += 1
            power *= prime
        found[prime] = times * numbers
    return found
