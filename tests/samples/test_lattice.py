"""How many tables there are, by a closed form, against those that are gone through."""

from __future__ import annotations

import numpy as np
import pytest

import fstheory as fs
from fstheory.samples.lattice import count_tables, primes_for, sample_tables

SHAPES = [[[3, 1], [2, 5]], [[3, 0], [0, 5]], [[[1, 2], [0, 0]], [[0, 1], [4, 4]]], [7, 2], [[[1, 1], [2, 3], [1, 9]]]]


@pytest.mark.parametrize("weights", SHAPES)
@pytest.mark.parametrize("engine", ["counts", "differences"])
def test_the_tables_are_counted_without_being_made(weights: object, engine: fs.samples.lattice.Engine) -> None:
    d = fs.JointDistribution(weights)
    for m in range(6):
        primes = primes_for(d.total**m, m)
        batches = list(sample_tables(d, m, engine, primes, 10))
        tables = np.concatenate([batch.contrasts.reshape(len(batch.contrasts), -1) for batch in batches])
        number = count_tables(d, m, engine)
        if engine == "counts" or (np.asarray(weights) > 0).all():
            assert len(tables) == number
        assert len(tables) <= number
        if engine == "differences":
            assert len(np.unique(tables, axis=0)) == len(tables)
        total = sum(batch.residues.sum(axis=1) for batch in batches)
        assert [int(t) % p for t, p in zip(total, primes, strict=True)] == [d.total**m % p for p in primes]


def test_a_large_law_is_refused_at_once() -> None:
    with pytest.raises(fs.TooLargeError, match="small enough for an exact law"):
        fs.selection_law(fs.gallery.titanic(), 10**6, fs.FOS(tau="1/20", ties="first"))
