"""How often two classes, put at random on a forest, are mixed so and so much: dynamic programming, modulo primes."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from flint import nmod_poly
__all__ = [
    "forest_mixtures",
    "forest_work",
]
_WORD = 2**63  # primes are below


class _Vertex(NamedTuple):
    """A point of a rooted forest that is no leaf, or the root of its tree."""

    place: int
    size: int  # of its neighborhood
    is_root: bool
    leaves: int  # how many of its children are leaves
    children: tuple[int, ...]  # the others


def forest_mixtures(size: int, edges: Sequence[tuple[int, int]], ones: int) -> tuple[Fraction, list[int]]:
    r"""Return how many ways to give `ones` of the points of a forest the label 1 have each value of their mixture.

    The mixture is T, the sum over the points of :math:`2 c (q - c) / q` for a neighborhood of q points, c of them with
    label 1. Returned are a unit and a list: entry e counts the labelings with T = e * unit.

    The polynomial P(z, x) that sums z**ones * x**(T / unit) over all labelings follows from the leaves to the root, by
    the label of a point and that of its parent. It is found at roots of unity z modulo primes, as a polynomial in x
    alone, and the wanted coefficient of z is put together from them. They are as many as keep other coefficients off
    it; half of them are enough, because labels can be exchanged: P(1/z, x) = z**-size P(z, x).
    """
    from flint import fmpz

    unit, values = _mixtures(size, edges)
    plan = list(_plan(size, edges))
    order = max(ones, size - ones) + 1
    labelings, modulus, found = math.comb(size, ones), 1, [0]
    for prime in _primes(order):
        counts = _modulo(plan, values, size, ones, order, prime)
        inverse = int(pow(fmpz(modulus), -1, fmpz(prime))) if modulus > 1 else 1
        found += [0] * (len(counts) - len(found))
        found = [old + modulus * ((new - old) * inverse % prime) for old, new in zip(found, counts, strict=True)]
        modulus *= prime
        if modulus > labelings:
            return unit, found
    raise AssertionError("there are more primes")


def forest_work(size: int, edges: Sequence[tuple[int, int]], ones: int) -> int:
    """Return about how many nanoseconds `forest_mixtures` takes."""
    _, values = _mixtures(size, edges)
    plan = list(_plan(size, edges))
    runs = (max(ones, size - ones) // 2 + 1) * (math.comb(size, ones).bit_length() // 62 + 1)
    below: dict[int, int] = {}
    work = 0
    for vertex in plan:
        degree = values[vertex.size][vertex.size // 2] + vertex.leaves * values[2][1]
        rows = vertex.leaves + 1
        for child in vertex.children:
            least, degree = min(degree, below[child]) + 1, degree + below[child]
            work += 4 * rows * (500 + 8 * degree * least.bit_length())
            rows += 1
        work += 4 * rows * (300 + 2 * degree)
        below[vertex.place] = degree
    return runs * work


def _mixtures(size: int, edges: Sequence[tuple[int, int]]) -> tuple[Fraction, dict[int, list[int]]]:
    """Return a unit, and for each size of a neighborhood its mixture in that unit for each number of ones."""
    sizes = [1] * size
    for one, other in edges:
        sizes[one] += 1
        sizes[other] += 1
    common = math.lcm(*sizes)
    values = {q: [2 * c * (q - c) * common // q for c in range(q + 1)] for q in {2, *sizes}}
    step = math.gcd(*(value for row in values.values() for value in row))
    return Fraction(step, common), {q: [value // step for value in row] for q, row in values.items()}


def _plan(size: int, edges: Sequence[tuple[int, int]]) -> Iterator[_Vertex]:
    """Yield the points, leaves with a parent left out, children before parents, each tree from near its middle."""
    beside: list[list[int]] = [[] for _ in range(size)]
    for one, other in edges:
        beside[one].append(other)
        beside[other].append(one)
    seen = [False] * size
    for start in range(size):
        if not seen[start]:
            order = _walk(beside, _middle(beside, start))
            for place, parent in reversed(order):
                seen[place] = True
                below = [child for child in beside[place] if child != parent]
                if below or parent < 0:
                    inner = tuple(child for child in below if len(beside[child]) > 1)
                    yield _Vertex(place, len(beside[place]) + 1, parent < 0, len(below) - len(inner), inner)


def _walk(beside: list[list[int]], root: int) -> list[tuple[int, int]]:
    """Return the points of a tree with their parents, from the root on."""
    order, waiting = list[tuple[int, int]](), [(root, -1)]
    while waiting:
        place, parent = waiting.pop()
        order.append((place, parent))
        waiting += [(child, place) for child in beside[place] if child != parent]
    return order


def _middle(beside: list[list[int]], start: int) -> int:
    """Return a point of a tree no branch of which has more than half of the points: the last products are the large."""
    order = _walk(beside, start)
    below = dict.fromkeys((place for place, _ in order), 1)
    for place, parent in reversed(order[1:]):
        if 2 * below[place] >= len(order):
            return place
        below[parent] += below[place]
    return start


def _primes(order: int) -> Iterator[int]:
    """Yield large primes modulo which there are roots of unity of this order."""
    from flint import fmpz

    for factor in range(_WORD // order - 1, 0, -1):
        if fmpz(factor * order + 1).is_prime():
            yield factor * order + 1


def _root_of_unity(order: int, prime: int) -> int:
    """Return a number whose powers modulo the prime first come back to 1 at this order."""
    parts = [part for part in range(2, order + 1) if order % part == 0]
    for base in range(2, prime):
        root = pow(base, (prime - 1) // order, prime)
        if all(pow(root, order // part, prime) != 1 for part in parts):
            return root
    raise AssertionError("the group is cyclic")


def _modulo(
    plan: list[_Vertex], values: dict[int, list[int]], size: int, ones: int, order: int, prime: int
) -> list[int]:
    """Return the counts modulo a prime."""
    from flint import nmod_poly

    root, total = _root_of_unity(order, prime), nmod_poly([0], prime)
    for power in range(order // 2 + 1):
        z = pow(root, power, prime)
        factor = pow(z, -ones, prime)
        if 2 * power % order:  # its inverse is another one
            factor += pow(z, ones - size, prime)
        total += _evaluated(plan, values, size, z, prime) * (factor % prime)
    total *= pow(order, -1, prime)
    return [int(count) for count in total.coeffs()]


def _evaluated(plan: list[_Vertex], values: dict[int, list[int]], size: int, z: int, prime: int) -> nmod_poly:
    """Return P(z, x) modulo a prime, for one z."""
    from flint import nmod_poly

    powers = [1]
    for _ in range(size):
        powers.append(powers[-1] * z % prime)
    product = nmod_poly([1], prime)
    below: dict[int, list[list[nmod_poly]]] = {}  # for each point, by the label of its parent and its own
    for vertex in plan:
        value = values[vertex.size]
        folded: list[list[nmod_poly]] = [[], []]
        for label in (0, 1):
            rows = [  # by the number of ones among the children
                nmod_poly([math.comb(vertex.leaves, c) % prime * powers[c + label]], prime).left_shift(
                    values[2][1] * (vertex.leaves - c if label else c)
                )
                for c in range(vertex.leaves + 1)
            ]
            for child in vertex.children:
                zero, one = below[child][label]
                middle = [rows[c] * zero + rows[c - 1] * one for c in range(1, len(rows))]
                rows = [rows[0] * zero, *middle, rows[-1] * one]
            for above in (0,) if vertex.is_root else (0, 1):
                shifted = (row.left_shift(value[c + label + above]) for c, row in enumerate(rows))
                folded[above].append(sum(shifted, nmod_poly([0], prime)))
        for child in vertex.children:
            del below[child]
        if vertex.is_root:
            product *= folded[0][0] + folded[0][1]
        else:
            below[vertex.place] = folded
    return product
