"""Distributions that hold only their possible cells: 300 features and 20,000 cells, as ratios of times."""

import numpy as np
import pytest

import fstheory as fs
from tests.benchmarks.rivals import seconds

ROWS = 20_000


@pytest.fixture(scope="module")
def d() -> fs.JointDistribution:
    rng = np.random.default_rng(0)
    columns = rng.integers(0, 4, size=(300, ROWS))
    rows = map(tuple, np.vstack([columns, (columns[0] > 1) ^ (columns[1] > 2)]).T.tolist())
    return fs.JointDistribution.from_samples(rows)


def test_backward_search_shares_the_work_of_its_tests(d: fs.JointDistribution) -> None:
    """300 risks, one by one, of all features but one take more than ten times as long."""
    everything = frozenset(d.features)
    alone = seconds(lambda: fs.bayes_risk(d, everything - {"X7"}))
    assert seconds(lambda: fs.minimal_optimal(d), rounds=1) < len(d.features) * alone / 10
    assert seconds(lambda: fs.minimal_optimal(d, "one-shot"), rounds=1) < len(d.features) * alone / 10


def test_one_risk_costs_what_its_features_cost(d: fs.JointDistribution) -> None:
    assert 20 * seconds(lambda: fs.bayes_risk(d, {"X1", "X2"})) < seconds(lambda: fs.bayes_risk(d, d.features))


def test_listed_cells_are_faster_than_a_table_of_many(d: fs.JointDistribution) -> None:
    """Eleven features of four states have 8,388,608 cells, of which 20,000 are possible."""
    listed = d.marginal(d.features[:11])
    table = fs.JointDistribution(listed.weights)
    assert table == listed
    assert 3 * seconds(lambda: fs.minimal_optimal(listed)) < seconds(lambda: fs.minimal_optimal(table))
