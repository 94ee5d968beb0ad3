"""Searches and estimates on samples: 20 columns and 5,000 rows, 1,000 columns and 100,000 rows."""

from collections.abc import Callable
from functools import partial
from itertools import combinations
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from pytest_benchmark.fixture import BenchmarkFixture
from sklearn.ensemble import RandomForestClassifier
from sklearn.feature_selection import SequentialFeatureSelector, chi2, mutual_info_classif
from sklearn.tree import DecisionTreeClassifier

import fstheory as fs
from fstheory.distributions.counting import Shuffles
from fstheory.distributions.rows import cells_at, distinct_rows
from fstheory.samples.fitting import _as_good
from fstheory.samples.left_out import left_out
from fstheory.sklearn import BayesGreedySelector
from tests.benchmarks.rivals import record

RELEVANT = [1, 3, 4, 8, 9, 13, 17, 19]


@pytest.fixture(scope="module")
def frame() -> pd.DataFrame:
    """Draw 5,000 rows of 20 bits, of which eight decide the class, up to noise."""
    rng = np.random.default_rng(1)
    bits = rng.integers(0, 2, size=(5000, 20))
    votes = bits[:, RELEVANT].sum(axis=1) + rng.normal(size=5000) / 2 > 4
    return pd.DataFrame(bits, columns=[f"X{i}" for i in range(20)]).assign(
        Y=(votes ^ (rng.random(5000) < 0.1)).astype(int)
    )


@pytest.mark.parametrize("criterion", ["zero_one", "logarithmic"])
def test_which_eight_of_twenty_matter(frame: pd.DataFrame, criterion: str, benchmark: BenchmarkFixture) -> None:
    sample = fs.Sample.from_frame(frame, target="Y")
    found = benchmark(fs.select, sample, 8, criterion)
    assert set(found.features) == {f"X{i}" for i in RELEVANT}


def test_which_eight_of_twenty_matter_to_a_pipeline(frame: pd.DataFrame, benchmark: BenchmarkFixture) -> None:
    """From the DataFrame on; the rival finds two columns by cross-validated trees."""
    X, y = frame.drop(columns="Y"), frame["Y"]
    found = benchmark(BayesGreedySelector(n_features_to_select=8).fit, X, y)
    assert set(found.get_feature_names_out()) == {f"X{i}" for i in RELEVANT}
    trees = SequentialFeatureSelector(DecisionTreeClassifier(random_state=0), n_features_to_select=2, cv=2)
    record(benchmark, "over two columns by trees", lambda: trees.fit(X, y), rounds=1)


def test_all_subsets_of_three_of_twenty(frame: pd.DataFrame, benchmark: BenchmarkFixture) -> None:
    """1,351 subsets; of the rivals, groupby looks at a fifth, a dense distribution at eight columns."""
    sample = fs.Sample.from_frame(frame, target="Y")
    risks = benchmark(fs.bayes_risks, sample, max_size=3)
    some = list(combinations(sample.features, 3))[::5]

    def by_pandas() -> dict[tuple[str, ...], int]:
        return {s: int(frame.groupby([*s, "Y"]).size().groupby(level=list(range(3))).max().sum()) for s in some}

    assert all(
        1 - risks[s] == fs.JointDistribution([n, 5000 - n]).probability({"Y": 0}) for s, n in by_pandas().items()
    )
    record(benchmark, "over pandas groupby", by_pandas, scale=len(some) / len(risks))
    few = sample.features[:8]
    rows = list(frame[[*few, "Y"]].itertuples(index=False, name=None))
    subsets = sum(1 for size in range(4) for _ in combinations(few, size))
    record(
        benchmark,
        "over a dense distribution of eight columns",
        lambda: fs.bayes_risks(fs.JointDistribution.from_samples(rows), max_size=3),
        scale=subsets / len(risks),
    )


@pytest.mark.parametrize("criterion", ["zero_one", "gini", "logarithmic"])
def test_all_subsets_of_twelve(frame: pd.DataFrame, criterion: str, benchmark: BenchmarkFixture) -> None:
    """One sweep of 4,096 subsets; the rival groups the rows once for each subset, and its ratio falls with columns."""
    sample = fs.Sample.from_frame(frame[[*frame.columns[:12], "Y"]], target="Y")
    measure = fs.criteria.as_criterion(criterion)
    table = benchmark(measure.table, sample)
    assert table == measure._grouped(sample, None)
    record(benchmark, "over a grouping for each subset", lambda: measure._grouped(sample, None), rounds=1)


def test_three_of_a_thousand_columns(benchmark: BenchmarkFixture) -> None:
    """Of 100,000 rows of 1,000 bits, three and a coin decide the class; two rivals only rank.

    With benchmarks disabled the rows are a tenth, here and below.
    """
    rows = 10_000 if benchmark.disabled else 100_000
    bits = (np.random.default_rng(0).random((1001, rows), dtype=np.float32) < 0.3).astype(np.int8)
    bits[-1] += bits[:3].sum(axis=0) > 1
    wide = pd.DataFrame(bits.T > 0, columns=[*(f"X{i}" for i in range(1000)), "Y"])
    X, y = wide.drop(columns="Y"), wide["Y"]
    found = benchmark.pedantic(lambda: fs.selection.mrmr(fs.Sample.from_frame(wide, target="Y"), 3), rounds=2)
    assert set(found.features) == {"X0", "X1", "X2"}
    record(benchmark, "over chi2 of scikit-learn", lambda: chi2(X, y), rounds=1)
    record(benchmark, "over mutual_info_classif", lambda: mutual_info_classif(X, y, discrete_features=True), rounds=1)
    rival = partial(pytest.importorskip("mrmr").mrmr_classif, X, y, K=3, n_jobs=1, show_progress=False)
    record(benchmark, "over mrmr-selection", rival, rounds=1)


@pytest.mark.filterwarnings("ignore::fstheory.errors.ArbitraryChoiceWarning")  # three columns suffice, on purpose
def test_half_of_forty_columns_to_a_pipeline(benchmark: BenchmarkFixture) -> None:
    """Of 200,000 rows: twenty steps of a search, beside one ranking by mutual information."""
    rng = np.random.default_rng(0)
    X = rng.integers(0, 3, (20_000 if benchmark.disabled else 200_000, 40))
    y = ((X[:, :3].sum(axis=1) > 2) ^ (rng.random(len(X)) < 0.1)).astype(int)
    found = benchmark.pedantic(lambda: BayesGreedySelector().fit(X, y), rounds=2)
    assert len(found.get_feature_names_out()) == 20
    record(benchmark, "over mutual_info_classif", lambda: mutual_info_classif(X, y, discrete_features=True), rounds=1)


@pytest.fixture(scope="module")
def adult() -> fs.Sample:
    """Draw what has the size of Adult in Table 2 of Ahmed et al. (2015): 9,765 rows to train on, 123 bits."""
    rng = np.random.default_rng(2)
    bits = (rng.random((9765, 123)) < rng.beta(0.5, 2, 123)).astype(int)
    votes = bits @ rng.normal(size=123) + rng.normal(size=9765)
    rows = np.column_stack([bits, votes > np.quantile(votes, 0.761)]).astype(int)
    return fs.Sample(rows.tolist(), features=[f"X{i}" for i in range(123)], target="Y")


@pytest.mark.parametrize("k", [5, 10])
@pytest.mark.parametrize("method", ["BayesGreedy", "MIGreedy", "BayesScore", "MIScore", "mRMR", "F-score"])
def test_filters_of_table_2(adult: fs.Sample, method: str, k: int, benchmark: BenchmarkFixture) -> None:
    """The paper: 1.75, 1.95, 0.10, 0.17, 1.32, 0.06 s for k = 5; 12.78, 15.63, 0.10, 0.19, 5.27, 0.08 s for k = 10."""
    cost = fs.criteria.cost_sensitive("1/4")
    ways = {
        "BayesGreedy": lambda: fs.select(adult, k, cost),
        "MIGreedy": lambda: fs.select(adult, k, "logarithmic"),
        "BayesScore": lambda: fs.select(adult, k, cost, "score"),
        "MIScore": lambda: fs.select(adult, k, "logarithmic", "score"),
        "mRMR": lambda: fs.selection.mrmr(adult, k),
        "F-score": lambda: fs.selection.fisher_scores(adult),
    }
    assert benchmark.pedantic(ways[method], rounds=3)


@pytest.mark.thorough
def test_a_report_on_many_rows(benchmark: BenchmarkFixture) -> None:
    """The text of a report on 100,000 rows of ten columns; `docs/comparison.md` has these waits."""
    rng = np.random.default_rng(0)
    columns = rng.integers(0, 4, (100_000, 10))
    y = (columns[:, 0] + columns[:, 1] > 3) ^ (rng.random(100_000) < 0.2)
    sample = fs.Sample.from_frame(pd.DataFrame(columns, columns=[f"X{i}" for i in range(10)]).assign(Y=y), target="Y")
    assert "100,000 rows support X0X1" in benchmark.pedantic(lambda: str(fs.report(sample)), rounds=3)
    record(benchmark, "over scikit-learn", lambda: mutual_info_classif(columns, y, discrete_features=True))
    forest = RandomForestClassifier(10, random_state=0)
    record(benchmark, "over a forest of 100 trees", lambda: forest.fit(columns, y), scale=1 / 10, rounds=1)


@pytest.mark.parametrize("classes", [2, 3])
def test_a_test_of_forty_columns_by_permutations(classes: int, benchmark: BenchmarkFixture) -> None:
    """Ten permutations of 100,000 rows; the rival counts each table row by row, the labels already permuted."""
    rng = np.random.default_rng(0)
    columns, y = rng.integers(0, 3, (40, 100_000)), rng.integers(0, classes, 100_000)
    sample = fs.Sample.from_frame(pd.DataFrame(columns.T, columns=[f"X{i}" for i in range(40)]).assign(Y=y), target="Y")
    rows, judge = distinct_rows(sample), left_out(sample, "logarithmic")
    all_rows = np.zeros(len(rows), dtype=np.int64), 1
    additions = [[i] for i in range(40)]

    def ours() -> int:
        rngs = np.random.default_rng(1).spawn(10)
        return _as_good(judge, Shuffles(rows, all_rows, all_rows, additions), cells_at(sample, 1), rngs)

    assert benchmark.pedantic(ours, rounds=3) <= 10
    record(benchmark, "over a count of rows", lambda: [np.bincount(x * classes + y) for x in columns], scale=1 / 10)


@pytest.mark.parametrize("way", ["Parquet", "DuckDB", "polars"])
def test_rows_counted_by_their_library(way: str, benchmark: BenchmarkFixture, tmp_path: Path) -> None:
    """Two million rows of ten columns; the rival groups them in the same library, and knows no states."""
    duckdb, polars = pytest.importorskip("duckdb"), pytest.importorskip("polars")
    rows = np.random.default_rng(0).integers(0, 3, (10, 2_000_000)).astype(np.int8)
    path, names = tmp_path / "rows.parquet", [*(f"X{i}" for i in range(9)), "Y"]
    pd.DataFrame(rows.T, columns=names).to_parquet(path)
    sql = f"from '{path}'"
    ways: dict[str, Callable[[], fs.Sample]] = {
        "Parquet": lambda: fs.Sample.from_batches(path, target="Y"),
        "DuckDB": lambda: fs.Sample.from_frame(duckdb.sql(sql), target="Y"),
        "polars": lambda: fs.Sample.from_frame(polars.scan_parquet(path), target="Y"),
    }
    found = benchmark.pedantic(ways[way], rounds=3)

    def grouped() -> int:
        if way == "polars":
            return len(polars.scan_parquet(path).group_by(names).len().collect())
        return len(duckdb.sql(f"select {', '.join(names)}, count(*) {sql} group by all").to_arrow_table())

    assert grouped() == len(found.counts)
    record(benchmark, "over its GROUP BY", grouped)
