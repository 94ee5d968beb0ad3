"""How long distributions take that hold only their possible cells: 300 features and 20,000 cells, beside rivals.

No time is asserted: the ratios are recorded, and mean the same on every machine. That both answers agree is asserted.
"""

from fractions import Fraction
from typing import Literal

import numpy as np
import pytest
from pytest_benchmark.fixture import BenchmarkFixture

import fstheory as fs
from tests.benchmarks.rivals import record

ROWS = 20_000


@pytest.fixture(scope="module")
def d() -> fs.JointDistribution:
    rng = np.random.default_rng(0)
    columns = rng.integers(0, 4, size=(300, ROWS))
    rows = map(tuple, np.vstack([columns, (columns[0] > 1) ^ (columns[1] > 2)]).T.tolist())
    return fs.JointDistribution.from_samples(rows)


def test_one_risk_costs_what_its_features_cost(benchmark: BenchmarkFixture, d: fs.JointDistribution) -> None:
    assert benchmark(lambda: fs.bayes_risk(d, {"X1", "X2"})) == 0
    record(benchmark, "ratio to the risk of all features", lambda: fs.bayes_risk(d, d.features))


@pytest.mark.parametrize(("method", "risk"), [("backward", 0), ("one-shot", Fraction(9989, 20_000))])
def test_a_search_shares_the_work_of_its_tests(
    benchmark: BenchmarkFixture, d: fs.JointDistribution, method: Literal["backward", "one-shot"], risk: Fraction
) -> None:
    """The rival is one risk of all features but one; a search that shared nothing would take 300 times as long."""
    assert benchmark.pedantic(lambda: fs.minimal_optimal(d, method), rounds=1).risk == risk
    record(benchmark, "ratio to one risk", lambda: fs.bayes_risk(d, frozenset(d.features) - {"X7"}))


def test_listed_cells_beside_a_table_of_many(benchmark: BenchmarkFixture, d: fs.JointDistribution) -> None:
    """Eleven features of four states have 8,388,608 cells, of which 20,000 are possible."""
    listed = d.marginal(d.features[:11])
    table = fs.JointDistribution(listed.weights)
    assert table == listed
    assert benchmark(lambda: fs.minimal_optimal(listed)) == fs.minimal_optimal(table)
    record(benchmark, "ratio to a table", lambda: fs.minimal_optimal(table))
