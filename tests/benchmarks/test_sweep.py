"""How long the value of every feature subset takes, beside a rival timed in the same run.

No time is asserted: the ratios are recorded, and mean the same on every machine. That both answers agree is asserted.
"""

import random
import tracemalloc

import numpy as np
import pytest
from pytest_benchmark.fixture import BenchmarkFixture

import fstheory as fs
from fstheory.lattice.sweep import maximum_sums
from fstheory.numbers.limbs import IntegerArray
from tests.benchmarks.rivals import record

Index = tuple[int | slice, ...]
ALL, STATES, FOLDED = slice(None), slice(1, None), slice(0, 2)


def simple_sweep(table: np.ndarray) -> np.ndarray:
    """Sweep binary features and two classes plainly: 3^n cells, twelve features at a time. Indexed by (k1, .., kn)."""

    def recurse(gap: np.ndarray) -> np.ndarray:
        if gap.ndim > 12:
            rest = [recurse(gap[0] + gap[1]), recurse(gap[0]), recurse(gap[1])]
            return np.stack([rest[0], rest[1] + rest[2]])
        cells[(STATES,) * gap.ndim] = gap
        for axis in reversed(range(gap.ndim)):
            head: Index = (STATES,) * axis
            cells[(*head, 0)] = cells[(*head, 1)] + cells[(*head, 2)]
        np.abs(cells, out=cells)
        for axis in range(gap.ndim):
            head = tuple([FOLDED] * axis)
            cells[(*head, 1)] += cells[(*head, 2)]
        return cells[(FOLDED,) * gap.ndim].copy()

    cells = np.empty((3,) * min(12, table.ndim - 1), dtype=np.int64)
    return (recurse(table[..., 0] - table[..., 1]) + int(table.sum())) // 2


def three_passes(cells: int, kind: np.dtype) -> None:
    """Add, take absolute values and add again, on as many cells of arrays in a cache: no sweep by NumPy does less."""
    size = 2**17 // kind.itemsize
    first, second, out = (np.ones(size, dtype=kind) for _ in range(3))
    for _ in range(cells // size):
        np.add(first, second, out=out)
        np.abs(out, out=out)
        np.add(first, second, out=out)


def dense(*shape: int, below: int = 1000) -> np.ndarray:
    return np.random.default_rng(0).integers(0, below, shape)


@pytest.mark.parametrize("bits", [10, 44], ids=["weights below 2**10", "weights below 2**44"])
def test_eighteen_binary_features(benchmark: BenchmarkFixture, bits: int) -> None:
    table = dense(*(2,) * 19, below=2**bits)
    values = benchmark.pedantic(lambda: maximum_sums(table), rounds=3)
    plain = simple_sweep(table).transpose().reshape(-1)
    assert values == IntegerArray.from_array(plain)
    record(benchmark, "ratio to a plain sweep in int64", lambda: simple_sweep(table))
    kind = np.dtype(np.int32 if bits == 10 else np.int64)
    record(benchmark, "ratio to three passes of NumPy", lambda: three_passes(3**18, kind))
    if benchmark.stats is not None:
        benchmark.extra_info["nanoseconds a cell"] = round(benchmark.stats.stats.min / 3**18 * 1e9, 3)


def test_twenty_binary_features(benchmark: BenchmarkFixture) -> None:
    table = dense(*(2,) * 21, below=2**40)
    values = benchmark.pedantic(lambda: maximum_sums(table, threads=2), rounds=1)
    assert values[0] == max(table.reshape(-1, 2).sum(axis=0).tolist())
    assert values[len(values) - 1] == table.max(axis=-1).sum()
    if benchmark.stats is not None:
        tracemalloc.start()
        maximum_sums(table)
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        benchmark.extra_info["peak memory over the table's"] = round(peak / table.nbytes, 2)


def test_all_values_as_fractions(benchmark: BenchmarkFixture) -> None:
    d = fs.gallery.random((2,) * 16, rng=1)
    table = fs.bayes_risks(d)
    values = benchmark(lambda: list(table.values()))
    assert values[:3] == [table[()], table[{"X1"}], table[{"X2"}]]
    record(benchmark, "ratio to the sweep", lambda: fs.bayes_risks(d))


LONG = np.array([random.Random(i).getrandbits(300) for i in range(2**16)], dtype=object).reshape((2,) * 16)


@pytest.mark.parametrize(
    ("table", "plain", "scale"),
    [
        (dense(*(2,) * 16, 3), dense(*(2,) * 16, 2), 1),
        (dense(*(2, 3, 4, 5) * 3, 2), dense(*(2,) * 16, 2), 3**16 / (3 * 4 * 5 * 6) ** 3),
        (LONG, dense(*(2,) * 16, below=2**45), 1),
    ],
    ids=["three classes", "mixed cardinalities, a cell", "weights of 300 bits"],
)
def test_beside_a_plain_table(benchmark: BenchmarkFixture, table: np.ndarray, plain: np.ndarray, scale: float) -> None:
    values = benchmark.pedantic(lambda: maximum_sums(table), rounds=3)
    assert values[len(values) - 1] == table.max(axis=-1).sum()
    record(benchmark, "ratio to binary features, two classes, 45 bits", lambda: maximum_sums(plain), scale=scale)
