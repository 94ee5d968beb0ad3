"""How many tables there are, by a closed form, against those that are gone through."""

from __future__ import annotations

import math

import numpy as np
import pytest

import fstheory as fs
from fstheory.samples.tables import _half, count_tables, primes_for, sample_tables

SHAPES = [[[3, 1], [2, 5]], [[3, 0], [0, 5]], [[[1, 2], [0, 0]], [[0, 1], [4, 4]]], [7, 2], [[[1, 1], [2, 3], [1, 9]]]]


@pytest.mark.parametrize("weights", SHAPES)
@pytest.mark.parametrize("engine", ["counts", "contrasts"])
def test_the_tables_are_counted_without_being_made(weights: object, engine: fs.samples.tables.Engine) -> None:
    d = fs.JointDistribution(weights)
    for m in range(6):
        primes = primes_for(d.total**m, m)
        batches = list(sample_tables(d, m, engine, primes, 10))
        tables = np.concatenate([batch.contrasts.reshape(len(batch.contrasts), -1) for batch in batches])
        number = count_tables(d, m, engine)
        if engine == "counts" or (np.asarray(weights) > 0).all():
            assert len(tables) == number
        assert len(tables) <= number
        if engine == "contrasts":
            assert len(np.unique(tables, axis=0)) == len(tables)
        total = sum(batch.residues.sum(axis=1) for batch in batches)
        assert [int(t) % p for t, p in zip(total, primes, strict=True)] == [d.total**m % p for p in primes]


@pytest.mark.parametrize("m", [0, 1, 2, 3, 6, 7, 8, 62, 63, 64, 1022, 1023, 2**14, 2**17 - 2])
def test_primes_are_above_m_and_products_of_residues_are_exact(m: int) -> None:
    primes = primes_for(2**200, m)
    assert len(set(primes)) == len(primes)
    assert math.prod(primes) > 2**200
    assert min(primes) > m
    assert (m + 1) * (max(primes) - 1) ** 2 < 2**53


@pytest.mark.parametrize(("bits", "m"), [(0, 2**17 - 1), (0, 2**17), (0, 2**18), (0, 2**60), (200_000, 2**17 - 2)])
def test_no_prime_is_taken_that_divides_the_factorial(bits: int, m: int) -> None:
    with pytest.raises(fs.TooLargeError, match=rf"^m must be .* not {m};"):
        primes_for(2**bits, m)


@pytest.mark.parametrize("m", [2**14 - 1, 2**14, 2**15, 2**17 - 2])
def test_counts_of_so_many_samples_and_their_differences_fit(m: int) -> None:
    assert np.iinfo(_half([], m, (1, 2), np.array(primes_for(1, m)), "counts").values.dtype).max >= m
