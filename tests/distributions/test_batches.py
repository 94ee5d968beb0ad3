"""Samples of rows that come in batches are those of all rows in memory, whoever reads them."""

from __future__ import annotations

import json
import os
import pickle
import random
import subprocess
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import fstheory as fs
from fstheory import Sample
from fstheory.errors import FSTheoryError, InvalidValueError, TooLargeError

OPTIONS: list[dict[str, Any]] = [
    {"missing": "label"},
    {"missing": "drop"},
    {"missing": "label", "bins": 2},
    {"missing": "drop", "bins": {"size": [0.25], None: 3}},
    {"features": ["size", "word"], "missing": "label", "keep_continuous": True},
    {"leave_out": ["level", "mixed"], "missing": "drop", "states": {"word": ["c", "b", "a", "z"]}},
    {"leave_out": ["holes", "size", "mixed"]},
]


def table(seed: int) -> pd.DataFrame:
    """Return columns of every kind; labels that are no text are first seen anywhere."""
    rng = random.Random(seed)
    rows = rng.randint(1, 60)
    return pd.DataFrame(
        {
            "word": rng.choices(["b", "a", "c"], [9, 9, 1], k=rows),
            "level": pd.Categorical(rng.choices(["low", "high"], k=rows), categories=["low", "middle", "high"]),
            "size": rng.choices([0.5, 0.25, 1.0, 7.5, float("nan")], k=rows),
            "holes": pd.array(rng.choices([1, 2, 3, None], k=rows), dtype="Int64"),
            "mixed": rng.choices(["x", 2, (1, "y"), None], k=rows),
            "y": rng.choices([False, True, None], [9, 9, seed % 2], k=rows),
        }
    )


def made(make: Callable[[], Sample]) -> Any:
    """Return what a sample is, or what is said against it."""
    try:
        s = make()
    except FSTheoryError as error:
        return type(error), str(error), dict(error.options)
    return s, s.notes, str(s), s.states


@pytest.mark.parametrize("options", OPTIONS)
@pytest.mark.parametrize("seed", range(12))
@pytest.mark.one_in(8)
def test_the_sample_is_that_of_all_rows(options: dict[str, Any], seed: int) -> None:
    frame, rng = table(seed), random.Random(seed)
    if "missing" not in options:
        frame = frame[frame["y"].notna()]
    cuts = sorted(rng.choices(range(len(frame) + 1), k=rng.randint(0, 4)))  # so that some parts may be empty
    parts = [frame.iloc[start:end] for start, end in zip([0, *cuts], [*cuts, len(frame)], strict=True)]
    expected = made(lambda: Sample.from_frame(frame, target="y", **options))
    functions, threads = [partial(pd.DataFrame.copy, part) for part in parts], partial(ThreadPoolExecutor, 3)
    given = [(parts, None), (lambda: iter(parts), threads), (functions, threads), ([lambda: iter(parts)], None)]
    for batches, executor in given:
        assert made(partial(Sample.from_batches, batches, target="y", executor=executor, **options)) == expected


def test_categories_are_the_states_if_all_batches_declare_them_alike() -> None:
    parts = [pd.DataFrame({"a": pd.Categorical(["y"], list(categories)), "y": 0}) for categories in ("yx", "xy")]
    assert Sample.from_batches(parts[:1] * 2, target="y").states["a"] == ("y", "x")
    assert Sample.from_batches(parts, target="y").states["a"] == ("y",)


@pytest.mark.thorough
def test_every_kind_of_batches(tmp_path: Path) -> None:
    """They are compared with the table that their library makes of them all."""
    arrow, parquet = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    frame = table(4).drop(columns="mixed").sample(frac=1, random_state=0).rename_axis("row")  # whose index is stored
    whole = arrow.Table.from_pandas(frame)
    expected = Sample.from_frame(whole.drop_columns("row"), target="y", missing="drop")
    records = whole.to_batches(max_chunksize=7)
    make = partial(Sample.from_batches, target="y", missing="drop")
    assert make(records, leave_out=["row"]) == make(lambda: iter(records), leave_out=["row"], executor=2) == expected
    frame.to_parquet(tmp_path / "one.parquet", row_group_size=9, index=True)
    frame.reset_index(drop=True).to_feather(tmp_path / "one.feather")
    assert make(tmp_path / "one.feather") == expected
    assert make(tmp_path / "one.parquet") == make(str(tmp_path / "one.parquet"), executor=2) == expected
    parquet.write_to_dataset(whole, tmp_path / "by", partition_cols=["word"])
    found = make(tmp_path / "by", features=["word", "level", "holes"])
    assert found == Sample.from_frame(whole.drop_columns(["row", "size"]), target="y", missing="drop")
    frame.to_csv(tmp_path / "all.csv", index=False)
    text = fs.distributions.read_csv(tmp_path / "all.csv", target="y", missing="drop", bins={"size": 2})
    assert make(tmp_path / "all.csv", bins={"size": 2}, executor=2) == text
    assert make(tmp_path / "all.csv", bins={"size": 2}, keep="counts").keep(text.features) == text
    assert text.m > 9
    rows = "".join(f"{i % 5},5;{'café' if i % 3 else '--'};{i % 2}\n" for i in range(40))
    (tmp_path / "own.csv").write_text(f"Titles\nn;d;y\n{rows}", encoding="cp1252")
    how: dict[str, Any] = {"delimiter": ";", "encoding": "cp1252", "header": 2, "na": ["--"], "decimal": ",", "bins": 3}
    text = fs.distributions.read_csv(tmp_path / "own.csv", target="y", missing="label", **how)
    assert make(tmp_path / "own.csv", missing="label", **how) == text
    with pytest.raises(
        InvalidValueError, match=r"batches must be CSV, Feather, or a file or folder of Parquet, not '.*'; for"
    ):
        make(__file__)
    polars = pytest.importorskip("polars")
    assert make([polars.from_arrow(whole.drop_columns("row"))]) == expected
    dask = pytest.importorskip("dask.dataframe")
    own = Sample.from_frame(frame, target="y", missing="drop")
    parts = dask.from_pandas(frame, npartitions=4, sort=False)
    assert make(parts) == Sample.from_frame(parts, target="y", missing="drop") == own


def test_each_part_is_told(tmp_path: Path) -> None:
    frame, lines = pd.DataFrame({"a": [0, 1] * 6, "y": [0, 0, 1, 1] * 3}), list[str]()
    Sample.from_batches([frame[:5], frame[5:]], target="y", progress=lines.append)
    read, counted = [f"{rows} rows read, 4 different labels" for rows in (5, 12)], "of 12 rows counted"
    assert lines == [*read, f"5 {counted}", f"12 {counted}"]
    pytest.importorskip("pyarrow")
    frame.to_parquet(tmp_path / "one.parquet", row_group_size=6)
    Sample.from_batches(tmp_path / "one.parquet", target="y", progress=lines.append)
    assert lines[4:] == [f"{number} parts of the rows counted" for number in (1, 2)]


@pytest.mark.filterwarnings("ignore::fstheory.errors.ArbitraryChoiceWarning")
def test_questions_about_few_columns_are_answered_from_counts() -> None:
    """One pass answers each step of a walk, and the answers are those of the rows."""
    rng = random.Random(5)
    rows = [[rng.randrange(states) for states in (2, 3, 2, 5, 2, 300)] for _ in range(2000)]
    frame, passes = pd.DataFrame(rows, columns=list("abcdef")), list[int]()
    frame["y"] = (frame["a"] + frame["d"] + [rng.random() < 0.1 for _ in rows]) % 2

    def batches() -> Iterator[pd.DataFrame]:
        passes.append(1)
        for start in range(0, len(frame), 300):
            yield frame[start : start + 300]

    whole = Sample.from_frame(frame, target="y", keep_continuous=True)

    def both(ask: Callable[[Sample], Any], times: int) -> None:  # passes beside that for the states
        s = Sample.from_batches(batches, target="y", keep_continuous=True, keep="counts")
        passes.clear()
        assert ask(s) == ask(whole)
        assert len(passes) == times

    both(lambda s: fs.select(s, 3), 3)
    both(lambda s: fs.select(s, 2, "logarithmic", "score"), 2)  # the pair is looked at in the end
    both(lambda s: (fs.select(s, 2, method="exhaustive"), fs.select(s, 5, method="greedy-backward")), 3)
    both(lambda s: (fs.k_optimal(s, 2), fs.k_optimal(s, 1)), 2)
    both(lambda s: fs.selection.mrmr(s, 3), 3)
    both(lambda s: (fs.selection.fisher_scores(s), fs.bayes_risks(s, max_size=2).to_dict()), 2)
    both(lambda s: (s.keep(["d", "a"]), s.empirical({"d", "a"}), s.cells({"a", "d"}).tolist()), 1)
    both(lambda s: str(fs.selection.cmi_selection(s, fs.selection.FeatureCountRule(2))), 3)
    both(lambda s: str(fs.selection.cmi_elimination(s, fs.selection.FeatureCountRule(4))), 3)


ONE = pd.DataFrame({"a": [0, 1], "y": [0, 1]})


def test_batches_that_change_are_refused() -> None:
    left = [ONE, pd.concat([ONE, ONE])]
    with pytest.raises(
        InvalidValueError, match="batches must be of 2 rows as before, not 4; they are read several times"
    ):
        Sample.from_batches(lambda: iter([left.pop(0)]), target="y")


def test_what_needs_rows_is_refused_of_counts() -> None:
    s = Sample.from_batches([ONE], target="y", keep="counts")
    same, method = Sample([(0, 0), (1, 1)], target="y", features=["a"]), fs.StandardWrap(holdout="1/2", ties="first")
    asks: list[Callable[[Sample], object]] = [pickle.dumps, fs.report, lambda s: fs.fit(s, method, rng=0)]
    for ask in [*asks, lambda s: s.counts, lambda s: s.codes, lambda s: s == same]:
        with pytest.raises(TooLargeError, match=r"s must hold its rows for this \(as for == and pickles\), not count"):
            ask(s)
    assert s == s != Sample([(0, 0), (1, 1), (1, 1)], target="y", features=["a"])
    assert str(s) == "2 samples of y and 1 feature, counted in batches: a (2)"


def test_memory_is_asked_for_before_it_is_spent(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("fstheory._support.memory._SMALL", 0)
    monkeypatch.setattr("fstheory._support.memory.available_bytes", lambda: 16_000)
    frame = pd.DataFrame({"a": [0, 1] * 100, "b": [0, 1, 2, 3] * 50, "y": [0, 1] * 100})
    many = [frame.assign(b=frame["b"] + 4 * number) for number in range(12)]
    assert Sample.from_batches(many[:2], target="y").m == 400
    with pytest.raises(TooLargeError, match=r"the labels of batches must fit .*; pass leave_out=\['b'\], say"):
        Sample.from_batches(many, target="y")
    monkeypatch.setattr("fstheory._support.memory.available_bytes", lambda: 1000)
    monkeypatch.setattr("fstheory.distributions.prepare._LABEL_BYTES", 1)
    monkeypatch.setattr("fstheory.distributions.build._LABEL", 1)
    with pytest.raises(TooLargeError, match=r"the different rows of batches must fit .*; choose fewer columns, or "):
        Sample.from_batches(many, target="y")
    assert Sample.from_batches(many, target="y", keep="counts").cells({"a"}).tolist() == [[1200, 0], [0, 1200]]


CHILD = """
import json, resource, sys
import pandas, pyarrow.dataset, pyarrow.parquet
import fstheory as fs

fs.Sample.from_batches([pandas.DataFrame({"a": [0, 1], "y": [0, 1]})], target="y")
used = int(open("/proc/self/statm").read().split()[0]) * resource.getpagesize()
resource.setrlimit(resource.RLIMIT_AS, (used + int(sys.argv[2]),) * 2)
read = fs.Sample.from_batches
s, c = read(sys.argv[1], target="y", leave_out=["n0", "n1", "n2", "n3"]), read(sys.argv[1], target="y", keep="counts")
try:
    read(sys.argv[1], target="y")
except fs.errors.TooLargeError as error:
    print(json.dumps([s.codes.tolist(), s.counts.tolist(), fs.select(c, 2).features, str(error)]))
"""


@pytest.mark.thorough
@pytest.mark.skipif(sys.platform != "linux", reason="no limit of memory")
def test_parquet_five_times_as_large_as_the_memory(tmp_path: Path) -> None:
    """Four columns tell nearly all rows apart, so that with them the rows do not fit, and their counts do."""
    arrow, parquet = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    kinds = (rng := np.random.default_rng(0)).integers(0, [2, 3, 4, 5] * 4, size=(500, 16))
    kinds = np.column_stack([kinds, (kinds[:, 0] + kinds[:, 5]) % 2])
    codes, which = np.unique(kinds, axis=0, return_inverse=True)
    chosen = which[rng.integers(0, len(kinds), size=4_000_000)]
    drawn, noise = codes[chosen], {f"n{i}": rng.integers(0, 30, size=4_000_000) for i in range(4)}
    whole = arrow.table({**{f"x{i}": drawn[:, i] for i in range(16)}, **noise, "y": drawn[:, 16]})
    parquet.write_table(whole, tmp_path / "t.parquet", row_group_size=100_000)
    system = {**os.environ, "ARROW_DEFAULT_MEMORY_POOL": "system", "MALLOC_ARENA_MAX": "1"}
    command = [sys.executable, "-W", "ignore", "-c", CHILD, str(tmp_path / "t.parquet"), str(whole.nbytes // 5)]
    child = subprocess.run(command, env=system, check=True, capture_output=True, text=True)
    found = json.loads(child.stdout)
    assert found[:3] == [codes.tolist(), np.bincount(chosen).tolist(), ["x0", "x5"]]
    assert "the different rows of batches must fit in half of the memory that this process may use" in found[3]


@pytest.mark.thorough
def test_partitions_are_read_where_the_work_is_done() -> None:
    distributed, dask = pytest.importorskip("distributed"), pytest.importorskip("dask.dataframe")
    parts = [table(seed).drop(columns="mixed") for seed in range(0, 18, 2)]
    with (
        distributed.LocalCluster(n_workers=2, dashboard_address=None) as cluster,
        distributed.Client(cluster) as client,
    ):
        given = dask.from_map(lambda number: parts[distributed.get_worker().name * 0 + number], range(9))
        read = partial(Sample.from_batches, given, target="y", missing="label", executor=client.get_executor())
        assert read() == (expected := Sample.from_frame(pd.concat(parts), target="y", missing="label"))
        assert fs.select(read(keep="counts"), 2) == fs.select(expected, 2)
