"""A row with a count stands for so many equal rows, wherever rows are read."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

import fstheory as fs
from fstheory.distributions.files import load

COUNTED = pd.DataFrame({"a": [1, 2, 1, 2], "b": ["x", "y", "y", "x"], "n": [3, 0, 2, 5], "y": [0, 1, 1, 0]})
ROWS = COUNTED.loc[COUNTED.index.repeat(COUNTED["n"])].drop(columns="n")


@pytest.mark.thorough
def test_a_count_stands_for_equal_rows(tmp_path: Path) -> None:
    """This holds of data frames, batches, and files of each kind."""
    whole = fs.Sample.from_frame(ROWS, target="y")
    assert fs.Sample.from_frame(COUNTED, target="y", count="n") == whole
    assert fs.Sample.from_frame(COUNTED.astype({"n": float}), target="y", count="n", features=["a", "b"]) == whole
    parts = [COUNTED[:2], COUNTED[2:]]
    for executor in (None, partial(ThreadPoolExecutor, 2)):
        assert fs.Sample.from_batches(parts, target="y", count="n", executor=executor) == whole
    kept = fs.Sample.from_batches(parts, target="y", count="n", keep="counts")
    assert kept.keep({"b"}) == whole.keep({"b"})
    COUNTED.to_csv(tmp_path / "rows.csv", index=False)
    COUNTED.to_json(tmp_path / "rows.jsonl", orient="records", lines=True)
    text = load(tmp_path / "rows.csv", target="y", count="n")
    assert fs.Sample.from_batches(tmp_path / "rows.csv", target="y", count="n") == text
    assert load(tmp_path / "rows.jsonl", target="y", count="n") == whole
    assert fs.report(COUNTED, target="y", count="n").sample == whole


@pytest.mark.parametrize("missing", [None, "drop", "label"])
def test_a_row_with_the_count_0_is_no_row(missing: Any, tmp_path: Path) -> None:
    """Its labels are no states, and no bins are made of them, whichever way the rows are read."""
    columns = {"x": [3, 1, 9, 2, 7, 5], "z": ["b", "q", "a", "b", "a", "c"], "y": ["v", "w", "u", "v", "u", "v"]}
    frame = pd.DataFrame(columns).assign(n=[1, 0, 2, 4, 0, 1])
    some = frame[frame.n > 0]
    expected = fs.Sample.from_frame(some, target="y", count="n", bins=2, missing=missing)
    assert (expected.classes, expected.states["z"]) == (("u", "v"), ("a", "b", "c"))
    frame.to_csv(tmp_path / "rows.csv", index=False)
    how: Any = {"target": "y", "count": "n", "bins": 2, "missing": missing}
    doors: list[tuple[Any, Any]] = [
        (fs.Sample.from_frame, frame),
        (fs.Sample.from_batches, [frame[:3], frame[3:]]),
        (load, tmp_path / "rows.csv"),
    ]
    if find_spec("pyarrow"):
        frame.to_parquet(tmp_path / "rows.parquet")
        doors += [(read, tmp_path / "rows.parquet") for read in (fs.Sample.from_batches, load)]
    for read, source in doors:
        found = read(source, **how)
        assert (found, found.states, found.notes) == (expected, expected.states, expected.notes)


def test_a_count_in_parquet_stands_for_equal_rows(tmp_path: Path) -> None:
    pytest.importorskip("pyarrow")
    whole = fs.Sample.from_frame(ROWS, target="y")
    path = tmp_path / "rows.parquet"
    COUNTED.to_parquet(path)
    assert fs.Sample.from_batches(path, target="y", count="n") == whole
    assert load(path, target="y", count="n") == whole
    assert load(path, target="y", count="n", population=True) == whole.empirical()


def test_named_columns_are_left_as_they_are(tmp_path: Path) -> None:
    """No bins are made of them, and many different numbers are no reason to refuse them."""
    frame = pd.DataFrame(
        {
            "id": [100 + i // 5 for i in range(200)],
            "x": [i * i % 97 for i in range(200)],
            "y": [i % 2 for i in range(200)],
        }
    )
    options: dict[str, Any] = {"target": "y", "bins": 4}
    found = fs.Sample.from_frame(frame, keep_continuous=["id"], **options)
    assert found.cardinalities == (40, 4)
    assert fs.Sample.from_batches([frame[:90], frame[90:]], keep_continuous=["id"], **options) == found
    frame.to_csv(tmp_path / "rows.csv", index=False)
    assert load(tmp_path / "rows.csv", keep_continuous=["id"], **options).cardinalities == (40, 4)
    assert fs.Sample.from_frame(frame, **options).cardinalities == (4, 4)
    with pytest.raises(fs.UnknownNameError, match="column 'ids' does not exist"):
        fs.Sample.from_frame(frame, keep_continuous=["ids"], **options)


def test_dropped_rows_are_counted() -> None:
    frame = COUNTED.assign(b=pd.Series(["x", "y", None, "x"]))
    options: dict[str, Any] = {"target": "y", "count": "n", "missing": "drop"}
    note = "2 of 10 rows dropped, which have no value in b (2)"
    assert fs.Sample.from_frame(frame, **options).notes == (note,)
    assert fs.Sample.from_batches([frame[:1], frame[1:]], **options).notes == (note,)


@pytest.mark.parametrize(
    ("counts", "fault"),
    [
        (
            [1, 2.5, 1, 1],
            "of whole numbers of at least 0, .*, not '2.5 in row 1'; no test of rows is valid with",
        ),
        ([1, -1, 1, 1], "not '-1 in row 1'"),
        ([1, float("nan"), 1, 1], "not 'nan in row 1'"),
        ([1, Fraction(1, 2), 1, 1], "not '1/2 in row 1'"),
        ([1, None, "x", 1], "row 1 must be an exact number, not None"),
        ([0, 0, 0, 0], "the sum of the counts must be above 0"),
    ],
)
def test_other_weights_are_refused(counts: list[Any], fault: str) -> None:
    frame = COUNTED.assign(n=pd.Series(counts, dtype=object if None in counts else None))
    with pytest.raises(fs.errors.FSTheoryError, match=fault):
        fs.Sample.from_frame(frame, target="y", count="n")


def test_batches_of_rows_that_nobody_saw_are_refused() -> None:
    with pytest.raises(fs.errors.InvalidValueError, match="the sum of the counts must be above 0"):
        fs.Sample.from_batches([COUNTED.assign(n=0)], target="y", count="n")


def test_the_column_of_counts_is_a_column_of_its_own() -> None:
    with pytest.raises(fs.UnknownNameError, match="column 'm' does not exist"):
        fs.Sample.from_frame(COUNTED, target="y", count="m")
    with pytest.raises(fs.errors.InvalidValueError, match="count must be a column that is neither a feature nor"):
        fs.Sample.from_frame(COUNTED, target="y", count="a", features=["a", "b"])
    with pytest.raises(fs.errors.InvalidValueError, match="count must be left out unless d is a data frame"):
        fs.report("titanic", count="n")  # type: ignore[call-overload]
