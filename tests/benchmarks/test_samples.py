"""Laws and simulations of finite samples, each beside a rival in the same run; `target` is what was asked for.

The rival of a law is the same law by tables of counts, of fewer samples and scaled by the number of tables; that of the
simulation draws a sample and asks subset by subset, with one group-by each.
"""

import itertools
from typing import Any

import numpy as np
import pytest
from pytest_benchmark.fixture import BenchmarkFixture

import fstheory as fs
from fstheory.samples.tables import count_tables
from tests.benchmarks.rivals import record

TWO = fs.JointDistribution([[[12, 4], [3, 5]], [[2, 6], [1, 7]]])
THREE = fs.gallery.random((2,) * 3, rng=1)
TEN = fs.gallery.random((2,) * 10, rng=1)
FBS = fs.FBS(tau="1/20", ties="first")
WRAP = fs.StandardWrap(holdout="3/10", ties="first")
ORDERED = fs.OrderedFS(holdout="3/10", ties="first")


@pytest.mark.parametrize(
    ("d", "m", "method", "small", "target"),
    [
        (TWO, 100, FBS, 12, 5),
        (TWO, 100, fs.FOS(), 12, 10),
        (THREE, 10, FBS, 5, 30),
        (TWO, 60, ORDERED, 10, 10),
        (TWO, 60, WRAP, 10, 10),
    ],
    ids=["two features", "FOS", "three features", "ordered", "wrap"],
)
def test_an_exact_law(
    d: fs.JointDistribution, m: int, method: Any, small: int, target: int, benchmark: BenchmarkFixture
) -> None:
    m = m if benchmark.enabled else min(m, 30)
    law = benchmark.pedantic(fs.selection_law, (d, m, method), rounds=3)
    assert sum(law.outcomes.values()) == 1
    benchmark.extra_info["target in seconds"] = target
    trained, few = m - method.holdout_size(m), small - method.holdout_size(small)
    scale = count_tables(d, few, "counts") / count_tables(d, trained, "counts")
    record(benchmark, "over tables of counts", lambda: fs.selection_law(d, small, method, engine="counts"), scale=scale)


@pytest.mark.parametrize("method", [FBS, WRAP], ids=["fbs", "wrap"])
def test_a_simulation(method: Any, benchmark: BenchmarkFixture) -> None:
    """All 1,024 subsets of ten features in each trial."""
    trials = 600
    benchmark.pedantic(fs.simulate, (TEN, 100, method), {"trials": trials, "rng": 0}, rounds=3)
    if benchmark.stats is not None:
        benchmark.extra_info["trials a second"] = round(trials / benchmark.stats.stats.min)
        benchmark.extra_info["target a second"] = 300
    record(benchmark, "over a group-by for each subset", one_trial, scale=1 / trials)


def one_trial() -> list[int]:
    """Return the errors of the majority table over each subset on one sample."""
    weights = TEN.weights.reshape(-1)
    cells = np.random.default_rng(0).choice(len(weights), size=100, p=weights / weights.sum())
    *x, y = np.unravel_index(cells, TEN.weights.shape)
    errors = []
    for size in range(11):
        for subset in itertools.combinations(range(10), size):
            state = sum((x[i] << k for k, i in enumerate(subset)), np.zeros(100, dtype=np.int64))
            _, places = np.unique(state, return_inverse=True)
            table = np.zeros((places.max() + 1, 2), dtype=np.int64)
            np.add.at(table, (places, y), 1)
            errors.append(100 - int(table.max(axis=1).sum()))
    return errors


def test_the_closed_form(benchmark: BenchmarkFixture) -> None:
    """The least m that finds one relevant feature among 10**6, beside one exact probability among 50."""
    assert benchmark(fs.samples.samples_to_find, 10**6, "19/20", "1/10") > 40
    benchmark.extra_info["target in seconds"] = 1
    record(benchmark, "over an exact probability among 50", lambda: fs.samples.find_probability(50, 45, "1/10"))
