"""How long all Shapley values of a table take, beside shapiq's exact computer in the same run.

No time is asserted: the ratios are recorded. That the values agree, and how much memory is taken, is asserted.
"""

import tracemalloc
from typing import Any

import numpy as np
import pytest
from pytest_benchmark.fixture import BenchmarkFixture

import fstheory as fs
from fstheory import SubsetTable, importance
from fstheory.distributions.rows import counts_by_subset
from fstheory.lattice.columns import RationalColumn
from fstheory.lattice.importance import semivalue_weights
from fstheory.numbers.limbs import IntegerArray
from fstheory.samples.left_out import left_out
from tests.benchmarks.rivals import record


def game(n: int) -> np.ndarray:
    """Return integers by mask that never fall: each subset has the sum of what all subsets inside it were dealt."""
    values: np.ndarray = np.random.default_rng(0).integers(0, 1000, 2**n)
    values[0] = 0
    for i in range(n):
        halves = values.reshape(-1, 2, 1 << i)
        halves[:, 1] += halves[:, 0]
    return values


def table_of(values: np.ndarray) -> SubsetTable[Any]:
    names = tuple(f"X{i}" for i in range(len(values).bit_length() - 1))
    return SubsetTable(names, RationalColumn(IntegerArray.from_array(values), 1), larger_is_better=True)


def by_shapiq(values: np.ndarray) -> np.ndarray:
    """Return the Shapley values that shapiq computes from all coalitions; its cache of them is not kept."""
    shapiq: Any = pytest.importorskip("shapiq", reason="shapiq is not installed: the time has no rival")
    n = len(values).bit_length() - 1
    computer = shapiq.ExactComputer(
        lambda rows: values[np.asarray(rows, dtype=bool) @ (1 << np.arange(n))], n_players=n
    )
    found = computer("SV", 1)
    return np.array([found[(i,)] for i in range(n)])


@pytest.mark.parametrize("n", [16, 20, 22])
def test_from_a_table(benchmark: BenchmarkFixture, n: int) -> None:
    """The rival takes 14 features: its time is scaled by the number of pairs of a subset and a feature."""
    table, few = table_of(game(n)), game(14)
    found = benchmark.pedantic(lambda: importance(table), rounds=3)
    assert sum(found.values()) == found.total
    tracemalloc.start()
    importance(table)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 2 * 8 * 2**n  # the values are read where they are, one feature at a time
    ours = np.array([float(value) for value in importance(table_of(few)).values()])
    assert np.allclose(by_shapiq(few), ours, rtol=1e-9)
    record(benchmark, "ratio to shapiq", lambda: by_shapiq(few), scale=14 * 2**14 / (n * 2**n), rounds=1)


def test_sums_of_logarithms(benchmark: BenchmarkFixture) -> None:
    """The rival adds the exact sums of ten features one by one. Its values are known, so that only sums are timed."""
    d = fs.JointDistribution(np.random.default_rng(0).integers(1, 9, (*[2] * 10, 2)))
    table = fs.criterion_values(d, "logarithmic")
    gains = [table.value_at(0) - table.value_at(mask) for mask in range(2**10)]
    weights = semivalue_weights("shapley", 10)

    def one_by_one() -> list[Any]:
        pairs = [(mask.bit_count(), mask, 1 << i) for i in range(10) for mask in range(2**10) if not mask >> i & 1]
        parts: dict[int, Any] = dict.fromkeys((1 << i for i in range(10)), 0)
        for size, mask, own in pairs:
            parts[own] = parts[own] + weights[size] * (gains[mask | own] - gains[mask])
        return list(parts.values())

    found = benchmark.pedantic(lambda: importance(table), rounds=3)
    assert list(found.values()) == one_by_one()
    record(benchmark, "over sums one by one", one_by_one, rounds=1)


@pytest.mark.parametrize("n", [16, 18])
def test_enclosed_sums_of_logarithms(benchmark: BenchmarkFixture, n: int) -> None:
    """A ranking with its text, beside the sweep of the table that it reads."""
    d = fs.JointDistribution(np.random.default_rng(0).integers(1, 9, (*[2] * n, 2)))
    table = fs.criterion_values(d, "logarithmic")
    text = benchmark.pedantic(lambda: str(importance(table)), rounds=3)
    assert text.count("\n") == n + 1
    record(benchmark, "over its table", lambda: fs.criterion_values(d, "logarithmic"), rounds=1)


@pytest.mark.parametrize("criterion", ["zero_one", "balanced", "logarithmic"])
def test_rows_predicted_by_the_others(benchmark: BenchmarkFixture, criterion: str) -> None:
    """One sweep of 4,096 subsets; the rival groups the rows once for each subset."""
    s = fs.sample(fs.gallery.random((2,) * 12, rng=0), 2000, rng=1)
    found = benchmark.pedantic(lambda: importance(s, criterion=criterion), rounds=3)

    def grouped() -> list[Any]:
        judge = left_out(s, criterion)
        return [judge.value(cells) for _, cells in sorted(counts_by_subset(s, None))]

    assert [found.table.column[mask] for mask in range(0, 2**12, 37)] == grouped()[::37]
    record(benchmark, "over a grouping for each subset", grouped, rounds=1)
