"""How long the entropy left by every feature subset takes, beside the risk sweep of the same table and rivals.

No time is asserted: the ratios are recorded, each from the same run. That the answers agree is asserted.
"""

from typing import Any

import numpy as np
import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from fstheory import JointDistribution, SubsetTable, bayes_risks
from fstheory.lattice.columns import EnclosedColumn
from fstheory.measures.information import conditional_entropy_table
from fstheory.numbers.logsum import LogSum
from tests.benchmarks.rivals import record


def dense(n: int, classes: int = 2, below: int = 1000) -> JointDistribution:
    return JointDistribution(np.random.default_rng(0).integers(0, below, (*(2,) * n, classes)))


def enclosed(table: SubsetTable[LogSum]) -> EnclosedColumn[LogSum]:
    assert isinstance(table.column, EnclosedColumn)
    return table.column


def one_sum_a_subset(d: JointDistribution) -> np.ndarray:
    """Return H(Y | X_S) in floats, each marginal summed on its own."""
    p, n = d.weights / d.total, len(d.features)

    def entropy(cells: np.ndarray) -> float:
        positive = cells[cells > 0]
        return -float((positive * np.log(positive)).sum())

    gone = (tuple(i for i in range(n) if not mask >> i & 1) for mask in range(2**n))
    return np.array([entropy(both) - entropy(both.sum(axis=-1)) for both in (p.sum(axis=axes) for axes in gone)])


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("below", [1000, 2**40], ids=["total of 32 bits", "total of 64 bits"])
def test_sixteen_binary_features(benchmark: BenchmarkFixture, below: int, threads: int) -> None:
    """The risk sweep is twice as fast where 32 bits hold the total; entropies are floats either way."""
    d = dense(16, below=below)
    table = benchmark.pedantic(lambda: conditional_entropy_table(d, threads=threads), rounds=7, warmup_rounds=1)
    assert enclosed(table).radii.max() < 1e-12
    benchmark.extra_info["radius"] = float(enclosed(table).radii.max())
    record(benchmark, "ratio to the risk sweep", lambda: bayes_risks(d, threads=threads), rounds=15)


def test_ordering_with_sixty_thousand_ties(benchmark: BenchmarkFixture) -> None:
    """Eight features of sixteen are irrelevant: 65536 subsets have 256 values. With benchmarks disabled, two of ten."""
    relevant = np.random.default_rng(1).integers(1, 30, (*(2,) * 8, 1, 2))
    irrelevant = 2 if benchmark.disabled else 8
    weights = np.broadcast_to(relevant, (*(2,) * 8, 2**irrelevant, 2)).reshape((2,) * (9 + irrelevant))
    table = conditional_entropy_table(JointDistribution(weights))
    ranks = benchmark.pedantic(table.column.ranks, rounds=1)
    assert ranks.max() == 255


def test_twelve_features_beside_one_sum_a_subset(benchmark: BenchmarkFixture) -> None:
    """The fastest rival there is, in floats without any bound on their error."""
    d = dense(12)
    table = benchmark.pedantic(lambda: conditional_entropy_table(d), rounds=7)
    assert np.abs(one_sum_a_subset(d) - enclosed(table).centers).max() < 1e-9
    record(benchmark, "ratio to NumPy, a subset at a time", lambda: one_sum_a_subset(d), rounds=1)


def test_six_features_beside_dit(benchmark: BenchmarkFixture) -> None:
    dit: Any = pytest.importorskip("dit")
    d = dense(6)
    pmf = {cell: float(p) for cell, p in d.to_pmf().items() if p}
    rival = dit.Distribution([tuple(map(str, cell)) for cell in pmf], list(pmf.values()))

    def by_dit() -> list[float]:
        kept = [[i for i in range(6) if mask >> i & 1] for mask in range(2**6)]
        return [dit.shannon.conditional_entropy(rival, [6], names) for names in kept]

    table = benchmark.pedantic(lambda: conditional_entropy_table(d, base=2), rounds=7)
    assert np.abs(np.array(by_dit()) - enclosed(table).centers).max() < 1e-9
    record(benchmark, "ratio to dit", by_dit, rounds=1)
