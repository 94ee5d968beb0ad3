"""One relevant feature among many: against all samples, against ball arithmetic, against a law of this package."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction

import pytest

from fstheory.samples.sample_size import find_probability, find_probability_bounds, samples_per_bit, samples_to_find


def literal(f: int, m: int, noise: Fraction) -> Fraction:
    """Go through all samples: m rows of f bits and a flip."""
    total = Fraction(0)
    for rows in itertools.product(itertools.product((0, 1), repeat=f), repeat=m):
        for flips in itertools.product((0, 1), repeat=m):
            probability = math.prod((noise if flip else 1 - noise for flip in flips), start=Fraction(1))
            wrong = [sum(row[i] != row[0] ^ flip for row, flip in zip(rows, flips, strict=True)) for i in range(f)]
            if wrong[0] == min(wrong):
                total += probability / wrong.count(wrong[0])
    return Fraction(total, 2 ** (f * m))


@pytest.mark.parametrize(("f", "m"), [(1, 3), (2, 0), (2, 1), (2, 3), (3, 2), (3, 3), (4, 2)])
@pytest.mark.parametrize("noise", [Fraction(0), Fraction(1, 10), Fraction(3, 10), Fraction(49, 100)])
def test_the_closed_form_is_the_definition(f: int, m: int, noise: Fraction) -> None:
    assert find_probability(f, m, noise) == literal(f, m, noise)


@pytest.mark.parametrize(("f", "m"), [(2, 0), (9, 1), (1, 4), (2, 5), (7, 11), (50, 20), (3, 60), (2, 700)])
@pytest.mark.parametrize("noise", ["0", "1/100", "3/10", "49/100"])
def test_bounds_enclose_the_exact_probability(f: int, m: int, noise: str) -> None:
    """Of few samples, where all numbers of errors are summed, and of many, where those far from the mean are not."""
    exact = find_probability(f, m, noise)
    low, high = find_probability_bounds(f, m, noise, bits=100)
    assert low <= exact <= high
    assert high - low <= Fraction(1, 2**100)


def test_many_samples() -> None:
    """What took all binomials of m, in each step of a bisection."""
    low, high = find_probability_bounds(10, 50_000, "3/10")
    assert 1 - Fraction(1, 2**64) < low <= high == 1
    assert samples_to_find(10, "9/10", "49/100") == 22242
    low, high = find_probability_bounds(10, 10**6, "499/1000")
    assert low < Fraction(67364574, 10**8) < high + Fraction(1, 10**8)
    assert (
        find_probability_bounds(10, 22242, "49/100")[0]
        >= Fraction(9, 10)
        > find_probability_bounds(10, 22241, "49/100")[1]
    )


def test_the_smallest_sample_is_the_smallest() -> None:
    for f, wanted in ((1, "99/100"), (2, "5/8"), (5, "9/10"), (40, "1/3"), (3, "0")):
        m = samples_to_find(f, wanted, "1/4")
        assert find_probability(f, m, "1/4") >= Fraction(wanted)
        assert all(find_probability(f, fewer, "1/4") < Fraction(wanted) for fewer in range(m))
    assert samples_to_find(2, "5/8", "1/4") == 1  # equal, which no enclosure decides


def test_the_growth_with_the_logarithm() -> None:
    """Of f to the power 2 twice the samples, in the limit: the capacity of the binary symmetric channel."""
    limit = samples_per_bit("3/10")
    ratios = [samples_to_find(10**k, "9/10", "3/10") / math.log2(10**k) for k in (3, 6, 12)]
    assert ratios == sorted(ratios, reverse=True)
    assert ratios[-1] > float(limit)
    gained = samples_to_find(10**12, "1/2", "3/10") - samples_to_find(10**9, "1/2", "3/10")
    assert abs(gained / math.log2(10**3) - float(limit)) < 1
