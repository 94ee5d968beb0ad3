"""Integers as products over pairwise coprime numbers, without factoring anything large."""

from __future__ import annotations

import functools
import math
from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from flint import fmpz

_SMALL = 2**32
Rational = TypeVar("Rational", int, Fraction)


def combine(terms: Iterable[tuple[int, Rational]], base: CoprimeBase) -> dict[int, Rational]:
    """Rewrite ``sum(c log n)`` over a coprime base; no coefficient that is left is zero."""
    found: dict[int, Any] = {}
    listed = list(terms)
    exponents = base.exponents(number for number, _ in listed)
    for (_, coefficient), factors in zip(listed, exponents, strict=True):
        for element, exponent in factors:
            found[element] = found.get(element, 0) + coefficient * exponent
    return {element: coefficient for element, coefficient in found.items() if coefficient}


def proportion(above: Mapping[int, int | Fraction], below: Mapping[int, int | Fraction]) -> Fraction | None:
    """Return the quotient of two sums over one coprime base if it is rational; the second sum is not zero."""
    element, coefficient = next(iter(below.items()))
    ratio = Fraction(above.get(element, 0)) / coefficient
    return ratio if above == {e: ratio * c for e, c in below.items() if ratio} else None


class CoprimeBase:
    """Pairwise coprime integers of which all the given ones are products: primes, as far as they are below 2**32."""

    __slots__ = ("_large", "_primes")

    def __init__(self, numbers: Iterable[int]) -> None:
        from flint import fmpz

        listed = set(numbers)
        large = [number for number in listed if number >= _SMALL]
        primes = set(small_primes()) if large else set()
        if large:
            primes.update(prime for number in listed if number < _SMALL for prime, _ in factors_of(number))
        self._primes = _Tree([fmpz(prime) for prime in sorted(primes)])
        _, cofactors = self._primes.divide_out([fmpz(number) for number in sorted(large)])
        self._large = _Tree(_refine([fmpz(number) for number in sorted({int(left) for left in cofactors} - {1})]))

    def exponents(self, numbers: Iterable[int]) -> Iterator[list[tuple[int, int]]]:
        """Yield, for each of some of the given integers, the elements that divide it with their exponents."""
        from flint import fmpz

        listed = list(numbers)
        large = [fmpz(number) for number in listed if number >= _SMALL]
        primes, cofactors = self._primes.divide_out(large)
        others, ones = self._large.divide_out(cofactors)
        assert all(one == 1 for one in ones), "a number is not among those the base was made for"
        written = (first + second for first, second in zip(primes, others, strict=True))
        for number in listed:
            yield next(written) if number >= _SMALL else factors_of(number)


class _Tree:
    """A tree of products over pairwise coprime leaves, to find those that share a factor with given numbers."""

    __slots__ = ("_levels",)

    def __init__(self, leaves: list[fmpz]) -> None:
        self._levels = _products(leaves)

    @property
    def leaves(self) -> list[fmpz]:
        return self._levels[0]

    def meetings(self, numbers: list[fmpz]) -> list[list[int]]:
        """Return for each number the indices of the leaves that are not coprime to it."""
        found: list[list[int]] = [[] for _ in numbers]
        waiting = [(len(self._levels) - 1, 0, list(range(len(numbers))), numbers)] if self.leaves else []
        while waiting:
            level, index, positions, parts = waiting.pop()
            shared = zip(positions, _common(self._levels[level][index], parts), strict=True)
            kept = [(position, part) for position, part in shared if part != 1]
            if level == 0:
                for position, _ in kept:
                    found[position].append(index)
            elif kept:
                positions, parts = [position for position, _ in kept], [part for _, part in kept]
                children = range(2 * index, min(2 * index + 2, len(self._levels[level - 1])))
                waiting += [(level - 1, child, positions, parts) for child in children]
        return found

    def divide_out(self, numbers: list[fmpz]) -> tuple[list[list[tuple[int, int]]], list[fmpz]]:
        """Return for each number the leaves that divide it with their exponents, and what is left of it."""
        found, left = [], []
        for number, indices in zip(numbers, self.meetings(numbers), strict=True):
            factors = []
            for leaf in sorted(self.leaves[index] for index in indices):
                exponent = 0
                while True:
                    quotient, rest = divmod(number, leaf)
                    if rest != 0:
                        break
                    number, exponent = quotient, exponent + 1
                if exponent:
                    factors.append((int(leaf), exponent))
            found.append(factors)
            left.append(number)
        return found, left


def factors_of(number: int) -> list[tuple[int, int]]:
    """Return the primes of a small number with their exponents."""
    from flint import fmpz

    return [(int(prime), int(exponent)) for prime, exponent in fmpz(number).factor()]


def _products(leaves: list[fmpz]) -> list[list[fmpz]]:
    """Return the leaves, the products of two neighbors, those of two such products, .., up to one product of all."""
    levels = [leaves]
    while len(levels[-1]) > 1:
        last = levels[-1]
        pairs = [last[i] * last[i + 1] for i in range(0, len(last) - 1, 2)]
        levels.append(pairs + last[2 * len(pairs) :])
    return levels


def _common(product: fmpz, numbers: list[fmpz]) -> list[fmpz]:
    """Return the greatest common divisors of one large product and each number, by a tree of remainders."""
    if not numbers:
        return []
    *below, (root,) = _products(numbers)
    rests = [product % root]
    for level in reversed(below):
        rests = [rests[i // 2] % number for i, number in enumerate(level)]
    return [rest.gcd(number) for rest, number in zip(rests, numbers, strict=True)]


def _refine(numbers: list[fmpz]) -> list[fmpz]:
    """Return pairwise coprime integers above 1 of which all the given ones are products, halves first."""
    if len(numbers) <= 1:
        return numbers
    middle = len(numbers) // 2
    tree = _Tree(_refine(numbers[middle:]))
    pieces = [[leaf] for leaf in tree.leaves]
    coprime = []
    others = _refine(numbers[:middle])
    for number, indices in zip(others, tree.meetings(others), strict=True):
        for index in indices:
            inside, number = _part_within(number, tree.leaves[index])
            pieces[index] = _coprime([*pieces[index], inside])
        if number > 1:
            coprime.append(number)
    return coprime + [piece for listed in pieces for piece in listed]


def _part_within(number: fmpz, piece: fmpz) -> tuple[fmpz, fmpz]:
    """Factor a number into a part made of primes of `piece` and a part coprime to it."""
    shared = number.gcd(piece)
    inside = shared
    while shared != 1:
        number //= shared
        shared = number.gcd(shared)
        inside *= shared
    return inside, number


def _coprime(waiting: list[fmpz]) -> list[fmpz]:
    """Return pairwise coprime integers above 1 of which a few are products."""
    base: list[fmpz] = []
    while waiting:
        number = waiting.pop()
        if number == 1:
            continue
        for index, element in enumerate(base):
            shared = number.gcd(element)
            if shared != 1:
                del base[index]
                waiting += [number // shared, element // shared, shared]  # a smaller product, so that it ends
                break
        else:
            base.append(number)
    return base


@functools.cache
def small_primes() -> tuple[int, ...]:
    """Return the primes below 256."""
    return tuple(n for n in range(2, 256) if all(n % i for i in range(2, math.isqrt(n) + 1)))
