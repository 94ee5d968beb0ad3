"""Exact real numbers with the standard library alone: a rational plus multiples of logarithms, or of square roots.

A number is a `Fraction` wherever it is rational, and an `Irrational` otherwise. Three facts decide every comparison:

- Logarithms of integers that are pairwise coprime and above 1 are linearly independent over the rationals, since
  factorization is unique. A rational combination of logarithms is zero or transcendental (Lindemann).
- Two square roots are rational multiples of each other if and only if the product of their radicands is a square.
  Square roots of which no two are such multiples are linearly independent over the rationals (Besicovitch).
- An irrational sum of logarithms is transcendental and a sum of square roots is algebraic, so that they differ.

So equality is decided by algebra. Unequal numbers are separated by enclosures in rationals of growing precision.

Products and quotients of logarithms are quotients of polynomials in logarithms of pairwise coprime integers. If all
coefficients of a polynomial are 0, it is 0. Otherwise its sign is read from an enclosure. If an enclosure of 4,096
binary places does not show the sign, the comparison is refused.
"""

from __future__ import annotations

import functools
import itertools
import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal, TypeAlias

from fstheory.errors import InvalidTypeError

_FIRST_BITS, _MOST_BITS = 64, 2**12


@dataclass(frozen=True, slots=True)
class Irrational:
    """An irrational number: a rational plus rational multiples of logarithms, or of square roots, of integers."""

    kind: Literal["log", "sqrt"]
    constant: Fraction
    terms: Mapping[int, Fraction]  # the coefficient of each argument; no coefficient is 0


Polynomial: TypeAlias = "Mapping[tuple[int, ...], Fraction]"
"""The coefficient of each product of logarithms of integers. The integers of a product are sorted."""


@dataclass(frozen=True, slots=True)
class Quotient:
    """A quotient of two polynomials in logarithms. The second one is not 0."""

    above: Polynomial
    below: Polynomial


Number: TypeAlias = "Fraction | Irrational | Quotient"


def logarithms(pairs: Iterable[tuple[Fraction, Fraction]]) -> Number:
    """Return the sum of c log(r) over pairs (c, r) with r > 0."""
    terms: dict[int, Fraction] = {}
    for coefficient, argument in pairs:
        terms[argument.numerator] = terms.get(argument.numerator, Fraction(0)) + coefficient
        terms[argument.denominator] = terms.get(argument.denominator, Fraction(0)) - coefficient
    return _of_logarithms(Fraction(0), terms)


def square_root(radicand: Fraction) -> Number:
    """Return the square root of a rational that is at least 0."""
    above, below = radicand.numerator, radicand.denominator
    return _of_roots([(above * below, Fraction(1, below))])


def add(left: Number, right: Number) -> Number:
    """Return a sum, or raise InvalidTypeError if logarithms would be added to square roots."""
    if isinstance(left, Fraction):
        if isinstance(right, Fraction):
            return left + right
        left, right = right, left
    if isinstance(left, Quotient) or isinstance(right, Quotient):
        one, other = _as_quotient(left), _as_quotient(right)
        above = _collected([*_products(one.above, other.below), *_products(other.above, one.below)])
        return Quotient(above, _collected(_products(one.below, other.below)))
    if isinstance(right, Fraction):
        return Irrational(left.kind, left.constant + right, left.terms)
    if left.kind != right.kind:
        raise InvalidTypeError("a sum of logarithms cannot be added to a sum of square roots")
    if left.kind == "sqrt":
        return _of_roots([*_with_constant(left), *_with_constant(right)])
    terms = dict(left.terms)
    for argument, coefficient in right.terms.items():
        terms[argument] = terms.get(argument, Fraction(0)) + coefficient
    return _of_logarithms(left.constant + right.constant, terms)


def multiply(left: Number, right: Number) -> Number:
    """Return a product, or raise InvalidTypeError if it multiplies a logarithm with a square root."""
    if isinstance(left, Fraction):
        if isinstance(right, Fraction):
            return left * right
        left, right = right, left
    if not right:
        return Fraction(0)
    if isinstance(left, Quotient) or isinstance(right, Quotient):
        first, second = _as_quotient(left), _as_quotient(right)
        above = _collected(_products(first.above, second.above))
        return Quotient(above, _collected(_products(first.below, second.below)))
    if isinstance(right, Fraction):
        scaled = {argument: coefficient * right for argument, coefficient in left.terms.items()}
        return Irrational(left.kind, left.constant * right, scaled)
    if (left.kind, right.kind) == ("log", "log"):
        return multiply(_as_quotient(left), right)
    if (left.kind, right.kind) != ("sqrt", "sqrt"):
        raise InvalidTypeError("a sum of logarithms cannot be multiplied by a sum of square roots")
    pairs = []
    for n, one in _with_constant(left):
        for m, other in _with_constant(right):
            shared = math.gcd(n, m)  # sqrt(s a) sqrt(s b) = s sqrt(a b)
            pairs.append((n // shared * (m // shared), one * other * shared))
    return _of_roots(pairs)


def inverse(number: Number) -> Number:
    """Return 1 divided by a number other than 0."""
    if isinstance(number, Fraction):
        return 1 / number
    quotient = _as_quotient(number)
    return Quotient(quotient.below, quotient.above)


def _as_quotient(number: Number) -> Quotient:
    if isinstance(number, Quotient):
        return number
    if isinstance(number, Fraction):
        return Quotient({(): number}, {(): Fraction(1)})
    if number.kind == "sqrt":
        raise InvalidTypeError("a quotient or product of logarithms cannot be combined with a square root")
    terms = ((argument,) for argument in number.terms)
    return Quotient(dict(zip(((), *terms), (number.constant, *number.terms.values()), strict=True)), {(): Fraction(1)})


def _products(left: Polynomial, right: Polynomial) -> Iterator[tuple[tuple[int, ...], Fraction]]:
    """Yield the terms of the product of two polynomials."""
    for (one, a), (other, b) in itertools.product(left.items(), right.items()):
        yield tuple(sorted(one + other)), a * b


def _collected(terms: Iterable[tuple[tuple[int, ...], Fraction]]) -> Polynomial:
    """Return the sum of terms as a polynomial. No coefficient in it is 0."""
    found: dict[tuple[int, ...], Fraction] = {}
    for product, coefficient in terms:
        found[product] = found.get(product, Fraction(0)) + coefficient
    return {product: coefficient for product, coefficient in found.items() if coefficient}


def _is_zero(polynomial: Polynomial) -> bool:
    """Return whether a polynomial is 0 when its logarithms are written over pairwise coprime integers."""
    factors = _coprime_factors({argument for product in polynomial for argument in product})
    total: list[tuple[tuple[int, ...], Fraction]] = []
    for product, coefficient in polynomial.items():
        term: Polynomial = {(): coefficient}
        for argument in product:
            term = _collected(_products(term, {(f,): Fraction(_times_in(f, argument)) for f in factors}))
        total += term.items()
    return not _collected(total)


def _times_in(factor: int, number: int) -> int:
    """Return how often a factor divides a number."""
    return next(times for times in itertools.count() if number % factor ** (times + 1))


def compare(left: Number, right: Number) -> int:
    """Return -1, 0 or 1, the sign of ``left - right``. Raise InvalidTypeError if it is not decided for a quotient."""
    if isinstance(left, Irrational) and isinstance(right, Irrational) and left.kind != right.kind:
        for bits in _precisions():
            (low, high), (least, most) = enclosure(left, bits), enclosure(right, bits)
            if high < least or most < low:
                return -1 if high < least else 1
    difference = add(left, multiply(right, Fraction(-1)))
    if isinstance(difference, Fraction):
        return (difference > 0) - (difference < 0)
    if isinstance(difference, Quotient):
        for bits in itertools.takewhile(lambda bits: bits <= _MOST_BITS, _precisions()):
            sign = _sign(difference, bits)
            if sign or (bits == _FIRST_BITS and _is_zero(difference.above)):
                return sign
        raise InvalidTypeError(f"two quotients of logarithms agree to {_MOST_BITS:,} binary places")
    return next(sign for bits in _precisions() if (sign := _sign(difference, bits)))


def enclosure(number: Number, bits: int) -> tuple[Fraction, Fraction]:
    """Return a rational below a number and a rational above it. `bits` is the number of binary places."""
    if isinstance(number, Fraction):
        return number, number
    if isinstance(number, Quotient):
        above, below = _enclosed(number.above, bits), _enclosed(number.below, bits)
        if below[0] <= 0 <= below[1]:
            return enclosure(number, 2 * bits)
        return _hull(above, (1 / below[1], 1 / below[0]))
    ends = _logarithm if number.kind == "log" else _root
    low, high = _scaled(number.constant, 1 << bits, 1 << bits)
    for argument, coefficient in number.terms.items():
        least, most = _scaled(coefficient, *ends(argument, bits))
        low, high = low + least, high + most
    return Fraction(low, 1 << bits), Fraction(high, 1 << bits)


def _enclosed(polynomial: Polynomial, bits: int) -> tuple[Fraction, Fraction]:
    """Enclose the value of a polynomial in logarithms."""
    low = high = Fraction(0)
    for product, coefficient in polynomial.items():
        ends = coefficient, coefficient
        for argument in product:
            least, most = _logarithm(argument, bits)
            ends = _hull(ends, (Fraction(least, 1 << bits), Fraction(most, 1 << bits)))
        low, high = low + ends[0], high + ends[1]
    return low, high


def _hull(one: tuple[Fraction, Fraction], other: tuple[Fraction, Fraction]) -> tuple[Fraction, Fraction]:
    """Return the smallest and the largest product of numbers from two intervals."""
    products = [a * b for a, b in itertools.product(one, other)]
    return min(products), max(products)


def ceiling(number: Number, denominator: int) -> Fraction:
    """Return the least multiple of 1/denominator that is not below a number."""
    for bits in _precisions():
        low, high = (math.ceil(end * denominator) for end in enclosure(number, bits))
        if low == high:  # an irrational number is no multiple, so that it is separated from all of them in the end
            return Fraction(low, denominator)
    raise AssertionError("the precisions never end")


def _precisions() -> Iterator[int]:
    """Return numbers of bits, each twice the one before, without end."""
    return (_FIRST_BITS << doublings for doublings in itertools.count())


def _sign(number: Number, bits: int) -> int:
    """Return the sign of a number, or 0 if enclosures with this many bits do not show it."""
    low, high = enclosure(number, bits)
    return (low > 0) - (high < 0)


def _with_constant(number: Irrational) -> list[tuple[int, Fraction]]:
    """Return the terms of a sum of square roots. The rational part is the term of the root of 1."""
    return [(1, number.constant), *number.terms.items()]


def _of_logarithms(constant: Fraction, terms: Mapping[int, Fraction]) -> Number:
    """Return a rational plus logarithms: a Fraction if the logarithms add up to zero."""
    listed = {argument: coefficient for argument, coefficient in terms.items() if argument > 1 and coefficient}
    logarithm = Irrational("log", Fraction(0), listed)
    if not listed or (not _sign(logarithm, _FIRST_BITS) and _cancel(listed)):
        return constant
    return Irrational("log", constant, listed)


def _cancel(terms: Mapping[int, Fraction]) -> bool:
    """Return whether multiples of logarithms add up to zero. The exponents of coprime factors decide."""
    for factor in _coprime_factors(terms):
        total = Fraction(0)
        for argument, coefficient in terms.items():
            while argument % factor == 0:
                argument, total = argument // factor, total + coefficient
        if total:
            return False
    return True


def _coprime_factors(numbers: Iterable[int]) -> list[int]:
    """Return pairwise coprime integers above 1. Every given number is a product of them."""
    waiting, found = list(numbers), list[int]()
    while waiting:
        number = waiting.pop()
        for place, factor in enumerate(found):
            shared = math.gcd(number, factor)
            if shared > 1:
                del found[place]
                waiting += [number // shared, factor // shared, shared]  # a smaller product, so that it ends
                break
        else:
            if number > 1:
                found.append(number)
    return found


def _of_roots(pairs: Iterable[tuple[int, Fraction]]) -> Number:
    """Return the sum of c sqrt(n) over pairs (n, c). Roots that are rational multiples of each other are joined."""
    terms = {1: Fraction(0)}
    for radicand, coefficient in pairs:
        for other in terms:
            root = math.isqrt(radicand * other)
            if root * root == radicand * other:
                terms[other] += coefficient * root / other  # sqrt(n) = root / other * sqrt(other)
                break
        else:
            terms[radicand] = coefficient
    constant = terms.pop(1)
    terms = {radicand: coefficient for radicand, coefficient in terms.items() if coefficient}
    return Irrational("sqrt", constant, terms) if terms else constant


def _scaled(factor: Fraction, low: int, high: int) -> tuple[int, int]:
    """Return an interval of integers around a rational multiple of an interval."""
    ends = sorted((factor.numerator * low, factor.numerator * high))
    return ends[0] // factor.denominator, -(-ends[1] // factor.denominator)


def _root(radicand: int, bits: int) -> tuple[int, int]:
    """Enclose ``sqrt(radicand) * 2**bits`` by integers."""
    low = math.isqrt(radicand << 2 * bits)
    return low, low + 1


@functools.lru_cache(maxsize=2**12)
def _logarithm(argument: int, bits: int) -> tuple[int, int]:
    """Enclose ``log(argument) * 2**bits`` by integers.

    With 2**k <= n < 2**(k + 1) and z = (n - 2**k) / (n + 2**k) < 1/3, log n = k log 2 + 2 (z + z**3/3 + z**5/5 + ..).
    """
    k = argument.bit_length() - 1
    low, high = _twice_artanh(argument - (1 << k), argument + (1 << k), bits)
    if k:
        least, most = _log_2(bits + k.bit_length())
        low, high = low + (k * least >> k.bit_length()), high + (k * most >> k.bit_length()) + 1
    return low, high


@functools.lru_cache(maxsize=64)
def _log_2(bits: int) -> tuple[int, int]:
    return _twice_artanh(1, 3, bits)


def _twice_artanh(above: int, below: int, bits: int) -> tuple[int, int]:
    """Enclose 2 artanh(z) * 2**bits for z = above / below from 0 to 1/3, with every step rounded down.

    A power is too small by less than 2: what it lost is at most a ninth of what the power before it lost, plus 4/3.
    So each quotient is too small by less than 3, and all powers after the last one add up to less than 3.
    """
    power, square = (above << bits) // below, (above * above << bits) // (below * below)
    total, steps = 0, 0
    while power:
        total += power // (2 * steps + 1)
        power = power * square >> bits
        steps += 1
    return 2 * total, 2 * (total + 3 * steps + 3)
