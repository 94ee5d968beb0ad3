"""Bins of numbers and missing values: against the definition, in every kind of table, and what is refused."""

from __future__ import annotations

import gzip
import pickle
import sqlite3
import sys
from collections import Counter
from collections.abc import Mapping
from contextlib import closing
from datetime import datetime, timedelta
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, strategies as st

import fstheory as fs
from fstheory import Sample
from fstheory.distributions import files
from fstheory.distributions.files import load, read_csv
from fstheory.distributions.prepare import quantile_cuts
from fstheory.errors import (
    InvalidFormatError,
    InvalidTypeError,
    InvalidValueError,
    MissingDependencyError,
    UnknownNameError,
)


@given(st.dictionaries(st.fractions(), st.integers(1, 9), min_size=1, max_size=9), st.integers(2, 6))
def test_the_edges_are_the_values_nearest_to_the_shares(counted: dict[Fraction, int], number: int) -> None:
    rows = sum(counted.values())
    share = {cut: Fraction(sum(counted[v] for v in counted if v <= cut), rows) for cut in counted}
    possible = sorted(counted)[:-1]  # the last bin has a row
    wanted = {
        min(possible, key=lambda v: (abs(share[v] - Fraction(j, number)), v)) for j in range(1, number) if possible
    }
    assert quantile_cuts(counted, number) == sorted(wanted)


FRAME = pd.DataFrame(
    {
        "x": [0.1, 0.2, 0.3, 0.4, 0.5, None],
        "few": [1, 2, 1, 2, 1, 2],
        "word": ["a", "b", None, "a", "b", "c"],
        "y": [1.5, 2.5, 3.5, 4.5, 5.5, 6.5],
    }
)


def counts(s: Sample, name: str) -> Mapping[Any, int]:
    """Return how often each state of a feature was seen."""
    at = s.features.index(name)
    found: Counter[Any] = Counter()
    for row, times in zip(s.codes, s.counts, strict=True):
        found[s.states[name][row[at]]] += int(times)
    return found


def test_bins_and_missing_values_of_a_frame() -> None:
    s = Sample.from_frame(FRAME, target="y", bins={None: 2, "y": [3]}, missing="label")
    assert s.states["x"] == ("at most 0.2", "over 0.2", "missing")  # 2/5 and 3/5 are equally near: the smaller
    assert s.states["few"] == (1, 2)  # no more than two
    assert s.states["word"] == ("a", "b", "c", "missing")
    assert s.classes == ("at most 3", "over 3")
    assert counts(s, "x") == {"at most 0.2": 2, "over 0.2": 3, "missing": 1}
    assert s.notes == ("bins, with these upper edges: x 0.2; y 3", "'missing' is a state of x (1), word (1)")
    assert s.notes[0] in str(s)
    assert s.keep(["x"]).notes == s.notes
    by_word = Sample.from_frame(FRAME, target="word", bins=2, missing="label")
    assert (by_word.m, by_word.classes, by_word.states["x"]) == (5, ("a", "b", "c"), s.states["x"])
    assert by_word.notes[0] == "1 of 6 rows dropped, which have no value in word (1)"
    dropped = Sample.from_frame(FRAME, target="y", leave_out=["x"], missing="drop")
    assert (dropped.m, dropped.states["word"]) == (5, ("a", "b", "c"))
    assert dropped.notes == ("1 of 6 rows dropped, which have no value in word (1)",)
    assert Sample.from_frame(FRAME, target="y", missing="drop").states["word"] == ("a", "b")  # c is in no row left


def test_a_target_of_measurements_is_refused_but_not_one_of_many_codes() -> None:
    frame = pd.DataFrame({"x": [i % 3 for i in range(400)], "pay": [i * 7 % 333 for i in range(400)]})
    with pytest.raises(InvalidValueError, match=r"target must be a class, .* as 'pay' .* pass bins={'pay': 4}"):
        Sample.from_frame(frame, target="pay")
    assert len(Sample.from_frame(frame, target="pay", bins={"pay": 4}).classes) == 4
    assert len(Sample.from_frame(frame, target="pay", keep_continuous=True).classes) == frame["pay"].nunique()
    frame["pay"] %= 37  # ten rows for each whole number
    assert len(Sample.from_frame(frame, target="pay").classes) == frame["pay"].nunique() > 30
    frame["pay"] += 0.5
    with pytest.raises(InvalidValueError, match="target must be a class"):
        Sample.from_frame(frame, target="pay")
    assert Sample.from_frame(frame.astype({"pay": "category"}), target="pay").classes


def test_a_frame_that_is_all_there_is() -> None:
    options: dict[str, Any] = {"target": "few", "bins": 2, "missing": "label"}
    d = Sample.from_frame(FRAME, **options).empirical()
    assert pickle.loads(pickle.dumps(d)).notes == d.notes == Sample.from_frame(FRAME, **options).notes != ()


def test_a_float_is_the_fraction_that_it_is() -> None:
    frame = pd.DataFrame({"x": [0.1, 0.2, 0.3, 0.1 + 0.2], "y": [0, 1, 0, 1]})
    s = Sample.from_frame(frame, target="y", bins={"x": [0.3]})
    assert counts(s, "x") == {"at most 0.3": 3, "over 0.3": 1}


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "t.csv"


def test_numbers_of_a_csv_are_the_decimals_that_are_written(path: Path) -> None:
    path.write_text("x;n;y\n0,10;5;u\n 0,1 ;1e3;v\n0,30;7;u\nNA;8;v\n;9;w\n", encoding="utf-8")
    s = read_csv(path, target="y", bins={"x": ["0.1"], "n": 3}, missing="label")
    assert s.states == {
        "x": ("at most 0.1", "over 0.1", "missing"),
        "n": ("at most 7", "over 7 to 8", "over 8"),
        "y": ("u", "v", "w"),
    }
    assert counts(s, "x") == {"at most 0.1": 2, "over 0.1": 1, "missing": 2}
    assert s.notes[0] == "cells are separated by semicolons"
    assert read_csv(path, target="y", bins={"x": 2}, missing="drop", na=["w", "NA"]).m == 3  # the class w is missing


@pytest.mark.parametrize(
    ("cells", "known"),
    [
        (["1,234", "2,345", "10"], (None, "1.234", "10")),  # thousands, or decimals: nobody can tell
        (["1,234", "0,345", "10"], ("0,345", "0.345", "10")),
        (["1,234", "2,3", "10"], ("1,234", "1.234", None)),
        (["1.5", "2,345", "10"], (None, None, "1.5")),
        (["1.234,5", "2,345", "10"], (None, "2.345", None)),
    ],
)
def test_a_comma_is_a_decimal_one_only_where_a_number_tells(path: Path, cells: list[str], known: Any) -> None:
    """Or where it is said what it is, and the column has the shape of that."""
    path.write_text("x;y\n" + "".join(f"{cell};u\n" for cell in cells), encoding="utf-8")
    for decimal, edge in zip((None, ",", "."), known, strict=True):
        if edge is None:
            with pytest.raises(
                InvalidValueError, match=r"column 'x' must be of numbers|decimal must be ',' for column"
            ):
                read_csv(path, target="y", bins={"x": 2}, decimal=decimal)
        else:
            s = read_csv(path, target="y", bins={"x": 2}, decimal=decimal)
            assert f"at most {edge}" in s.states["x"]
            said = {",": "commas are decimal in x", ".": "commas are of thousands in x"}
            assert decimal is None or said[decimal] in s.notes


def test_what_the_text_tells(path: Path) -> None:
    table = Sample([("ä", "u"), ("b|", "v")], features=["x"], target="y")
    for text, notes in [
        ("x;y\nä;u\nb|;v\n", ("cells are separated by semicolons",)),
        ("x\ty\nä\tu\nb|\tv\n", ("cells are separated by tabs",)),
        ('x|y\nä|u\n"b|"|v\n', ("cells are separated by bars",)),
        (",x,y,\n0,ä,u,\n1,b|,v,\n", ("columns 1, 4 have no name and are left out",)),
    ]:
        for encoding in ("utf-8", "utf-8-sig", "utf-16", "cp1252"):
            path.write_text(text, encoding=encoding)
            for read in (read_csv, Sample.from_batches):
                s = read(path, target="y", encoding=encoding if encoding == "cp1252" else None)
                assert s == table
                assert s.notes == ("the text is UTF-16",) * (encoding == "utf-16") + notes


def test_frames_of_other_libraries() -> None:
    polars, pyarrow = pytest.importorskip("polars"), pytest.importorskip("pyarrow")
    plain = FRAME.astype({"few": "int64"})
    expected = Sample.from_frame(plain, target="few", bins=2, missing="label")
    columns = {name: [None if pd.isna(v) else v for v in plain[name].tolist()] for name in plain}
    for frame in (polars.DataFrame(columns), pyarrow.table(columns)):
        assert Sample.from_frame(frame, target="few", bins=2, missing="label") == expected
        for call in (fs.Sample, fs.bayes_risks, fs.report):
            with pytest.raises(InvalidTypeError, match=r"not a .*; pass Sample.from_frame\(frame, target=\.\.\.\)"):
                call(frame)
    levels = polars.DataFrame({"x": ["b", "a"], "y": [0, 1]}).with_columns(
        polars.col("x").cast(polars.Enum(["b", "a"]))
    )
    assert Sample.from_frame(levels, target="y").states["x"] == ("b", "a")
    assert Sample.from_frame(levels.lazy(), target="y") == Sample.from_frame(levels, target="y")
    batch = pyarrow.table(columns).to_batches()[0]
    assert Sample.from_frame(batch, target="few", bins=2, missing="label") == expected


def test_types_that_arrow_cannot_number() -> None:
    arrow = pytest.importorskip("pyarrow")
    halves, large = arrow.array([np.float16(0.5), np.float16(1), None]), arrow.array([2**64 - 1, 0, 0], arrow.uint64())
    found = Sample.from_frame(arrow.table({"x": halves, "z": large, "y": [0, 1, 0]}), target="y", missing="label")
    assert found.states == {"x": (0.5, 1.0, "missing"), "z": (0, 2**64 - 1), "y": (0, 1)}
    lists = arrow.array([[1], [2]])
    frame = pd.DataFrame({"x": pd.Series([[1], [2]], dtype=pd.ArrowDtype(lists.type)), "y": [0, 1]})
    table = arrow.table({"x": lists, "y": [0, 1]})
    for nested in (frame, table, table.to_reader()):
        with pytest.raises(InvalidTypeError, match="column 'x' must be made of hashable labels; use strings"):
            Sample.from_frame(nested, target="y")


def test_a_relation_of_duckdb() -> None:
    duckdb = pytest.importorskip("duckdb")
    rows = duckdb.sql("select * from (values ('u', 0), ('v', 1), ('u', 1)) as t(x, y)")
    expected = Sample([("u", 0), ("v", 1), ("u", 1)], features=["x"], target="y")
    assert Sample.from_frame(rows, target="y") == expected
    alike = duckdb.sql("select * from (values ('u' collate nocase, 0), ('U', 1), ('U', 1)) as t(x, y)")
    assert Sample.from_frame(alike, target="y").states["x"] == ("U", "u")
    with pytest.raises(InvalidTypeError, match="column 'x' must be made of hashable labels; use strings"):
        Sample.from_frame(duckdb.sql("select [1] as x, 2 as y"), target="y")


def test_parquet_without_pyarrow_names_the_extra(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for library in ("pyarrow", "fastparquet"):
        monkeypatch.setitem(sys.modules, library, None)
    (path := tmp_path / "t.parquet").touch()
    with pytest.raises(MissingDependencyError, match=r"t.parquet needs pyarrow; install it with: .* '\.\[arrow\]'"):
        load(path, target="few")


@pytest.mark.parametrize("name", ["t.csv.gz", "t.TSV.GZ", "t.feather", "t.arrow", "t.dta", "t.jsonl", "t.db"])
def test_each_kind_of_file_is_read(tmp_path: Path, name: str) -> None:
    """Texts stay texts, also those that look like numbers or days."""
    texts = ["007", "2020-01-01", "7.0", "007"]
    frame = pd.DataFrame({"x": texts, "modified": texts[::-1], "y": list("uvuv")})
    path, kind = tmp_path / name, name.lower()
    if kind.endswith(".gz"):
        text = frame.to_csv(index=False, sep="\t" if ".tsv" in kind else ",")
        path.write_bytes(gzip.compress(text.encode()))
        assert Sample.from_batches(path, target="y") == Sample.from_frame(frame, target="y")
        path.with_name(f"broken.{name}").write_bytes(path.read_bytes()[:-9])
        with pytest.raises(InvalidFormatError, match=r"must be a complete gzip file, .*; compress it again"):
            load(path.with_name(f"broken.{name}"), target="y")
    elif kind.endswith((".feather", ".arrow")):
        pytest.importorskip("pyarrow")
        frame.to_feather(path)
    elif kind.endswith(".dta"):
        frame.to_stata(path, write_index=False)
    elif kind.endswith(".db"):
        with closing(sqlite3.connect(path)) as database:
            frame.to_sql("t", database, index=False)
    else:
        frame.to_json(path, orient="records", lines=True)
    assert load(path, target="y") == Sample.from_frame(frame, target="y")


def test_numbers_in_lines_of_json_are_read_exactly(tmp_path: Path) -> None:
    rows = [(0.1, 2**53 + 1), (1 / 3, 2**53), (0.30000000000000004, 2**53)]
    (tmp_path / "t.jsonl").write_text("".join(f'{{"x": {x!r}, "y": {y}}}\n' for x, y in rows))
    assert load(tmp_path / "t.jsonl", target="y").states == {"x": tuple(x for x, _ in rows), "y": (2**53, 2**53 + 1)}


def test_values_of_a_database_are_read_as_they_are_stored(tmp_path: Path) -> None:
    """pandas would make floats of integers beside missing values."""
    with closing(sqlite3.connect(tmp_path / "a #.sqlite")) as database:
        database.executescript(
            'create table "t ""1""" (x integer, z, y); create view empty as select 1 as y where 0;'
            """insert into "t ""1\""" values (9007199254740993, 'a', 0), (null, null, 1), (-1, 'b', 1)"""
        )
    read = partial(load, tmp_path / "a #.sqlite", target="y", missing="label")
    s = read(table='t "1"')
    assert s.states == {"x": (-1, 2**53 + 1, "missing"), "z": ("a", "b", "missing"), "y": (0, 1)}
    with pytest.raises(InvalidValueError, match="frame must be of at least one row, not 0"):
        read(table="empty")
    for name, said in ((None, 'table must be one of empty, t "1", not left out'), ("Empty", "did you mean 'empty'")):
        with pytest.raises(UnknownNameError, match=said):
            read(table=name)
    (tmp_path / "t.db").write_bytes(b"no database" * 99)
    with pytest.raises(InvalidFormatError, match=r"not broken \(file is not a database\)"):
        load(tmp_path / "t.db", target="y")


def test_a_database_counts_equal_rows(tmp_path: Path) -> None:
    """Texts are compared letter by letter, and 1, 1.0 and '1' are three values, as in a frame."""
    values = [("a", 1, 0), ("A", 1, 0), ("a", 1, 0), ("b", 1.0, 1), ("b", 1, 1), ("b", "1", 1), (None, 2, 1)] * 50
    with closing(sqlite3.connect(tmp_path / "t.db")) as database:
        database.execute('create table t (id integer, "x ""y" text collate nocase, z, y)')
        database.executemany("insert into t values (?, ?, ?, ?)", [(i, *row) for i, row in enumerate(values)])
        database.commit()
    options = {"target": "y", "features": None, "leave_out": ["id"], "count": None}
    rows, names = files._of_database(tmp_path / "t.db", None, options, merge=True)
    assert (sorted(times for *_, times in rows), names) == ([50] * 5 + [100], ['x "y', "z", "y", "_" * 5])
    assert len(files._of_database(tmp_path / "t.db", None, options, merge=False)[0]) == 350
    frame = pd.DataFrame(values, columns=['x "y', "z", "y"], dtype=object)
    read = partial(load, tmp_path / "t.db", target="y", missing="drop")
    assert read(features=['x "y']) == Sample.from_frame(frame, target="y", features=['x "y'], missing="drop")
    times = read(features=['x "y'], count="id")
    assert isinstance(times, Sample)
    assert times.m == sum(i for i, row in enumerate(values) if row[0] is not None)
    with pytest.raises(InvalidValueError, match=r"not 50 or more|must have no missing values, not 50;"):
        load(tmp_path / "t.db", target="y", features=['x "y'])
    with pytest.raises(UnknownNameError, match="column 'w' does not exist"):
        read(features=["w"])


def test_files_that_pandas_reads(tmp_path: Path) -> None:
    expected = Sample.from_frame(FRAME, target="few", bins=2, missing="label")
    pytest.importorskip("pyarrow")
    FRAME.to_parquet(tmp_path / "t.parquet")
    assert load(tmp_path / "t.parquet", target="few", bins=2, missing="label") == expected
    with pytest.raises(InvalidValueError, match="delimiter must be left out unless the file is a CSV, not ';'"):
        load(tmp_path / "t.parquet", target="few", delimiter=";")
    (tmp_path / "t.parquet").write_text("x,y\n")
    with pytest.raises(InvalidFormatError, match="must be a file that pandas reads, not broken"):
        load(tmp_path / "t.parquet", target="few")
    pytest.importorskip("openpyxl")
    FRAME.to_excel(tmp_path / "t.xlsx")  # with its index
    s = load(tmp_path / "t.xlsx", target="few", bins=2, missing="label")
    assert isinstance(s, Sample)
    assert s == expected
    assert s.notes[0] == "columns without a name are left out: 1"
    FRAME.to_excel(tmp_path / "t.xlsx", startrow=2)
    with pytest.raises(
        InvalidFormatError, match=r"row 1 .* must name the columns, not 0 of .*; pass header=3"
    ) as caught:
        load(tmp_path / "t.xlsx", target="few")
    assert load(tmp_path / "t.xlsx", target="few", bins=2, missing="label", **caught.value.options) == expected


def test_a_label_among_numbers_is_refused_with_what_reads_it(path: Path) -> None:
    sizes = "".join(f"{i / 7:.3f},{'u' if i % 3 else 'v'}\n" for i in range(50))
    path.write_text(f"size,y\nbig,u\n{sizes}", encoding="utf-8")
    with pytest.raises(
        InvalidValueError, match=r"column 'size' must be of numbers alone .* not 'big'; .* na="
    ) as caught:
        read_csv(path, target="y", bins=4)
    assert caught.value.options == {"missing": "label", "na": ("big",)}
    assert len(read_csv(path, target="y", bins=4, **caught.value.options).states["size"]) == 5


# -- Dates.

FIRST = datetime(2025, 1, 6, 9, 30)  # a Monday
DAYS = [FIRST + timedelta(days=11 * i, minutes=i) for i in range(60)]  # of nearly two years
FORMS = {
    "iso": "%Y-%m-%d", "with time": "%Y-%m-%dT%H:%M:%S", "space": "%Y-%m-%d %H:%M", "zone": "%Y-%m-%d %H:%M+02:00",
    "German": "%d.%m.%Y", "American": "%m/%d/%Y", "British": "%d/%m/%Y %H:%M",
}  # fmt: skip


def of_days(days: list[Any], **options: Any) -> Sample:
    rows = {"day": days, "x": [i % 3 for i in range(len(days))], "y": [i % 2 for i in range(len(days))]}
    return Sample.from_frame(pd.DataFrame(rows), target="y", **options)


@pytest.mark.parametrize("form", FORMS)
def test_dates_are_cut_and_give_months_and_weekdays(form: str) -> None:
    found = of_days([day.strftime(FORMS[form]) for day in DAYS], bins={None: 2, "day": "calendar"})
    assert found.features == ("day", "day: month", "day: weekday", "x")
    assert found.states["day"][0] == f"at most {DAYS[29].strftime(FORMS[form])}"
    assert found.states["day: weekday"] == (
        "Monday",
        "Tuesday",
        "Wednesday",
        "Thursday",
        "Friday",
        "Saturday",
        "Sunday",
    )
    assert found.pair_counts()["day: month"].sum(axis=1).tolist() == [
        sum(day.month == month for day in DAYS) for month in range(1, 13)
    ]
    assert found.pair_counts()["day: weekday"].sum(axis=1).tolist() == [
        sum(day.weekday() == place for day in DAYS) for place in range(7)
    ]
    assert found.notes[0].startswith("the dates of day repeat, and also make 'day: month' and 'day: weekday'; to have")
    assert of_days([day.strftime(FORMS[form]) for day in DAYS], bins=2).features == ("day", "x")


def test_dates_of_frames_and_batches_are_those_of_texts() -> None:
    """A missing date is a missing month, and instants are compared where zones differ."""
    options: dict[str, Any] = {"bins": {None: 4, "day": "calendar"}, "missing": "label"}
    texts = of_days([None, *(day.isoformat() for day in DAYS)], **options)
    frame = pd.DataFrame({"day": [pd.NaT, *DAYS], "x": [i % 3 for i in range(61)], "y": [i % 2 for i in range(61)]})
    times = Sample.from_frame(frame, target="y", **options)
    assert times.states["day: month"][-2:] == texts.states["day: month"][-2:] == ("December", "missing")
    assert times.codes.tolist() == texts.codes.tolist()
    parts = [frame[:20], frame[20:]]
    assert Sample.from_batches(parts, target="y", **options) == times
    assert Sample.from_batches(parts, target="y", keep="counts", **options).keep(times.features) == times
    zones = ["2025-03-01T00:30+02:00", "2025-03-01T00:00+01:00", "2025-02-28T23:30Z"] * 2
    earliest = "2025-03-01T00:30+02:00"
    assert of_days(zones, bins=2).states["day"] == (f"at most {earliest}", f"over {earliest}")


def test_months_and_weekdays_that_do_not_repeat_are_no_columns() -> None:
    weeks = [FIRST + timedelta(days=i) for i in range(40)]
    assert of_days(weeks, bins={None: 4, "day": "calendar"}).features == ("day", "day: weekday", "x")
    hours = [FIRST + timedelta(hours=i) for i in range(40)]
    assert of_days(hours, bins={None: 4, "day": "calendar"}).features == ("day", "x")


@pytest.mark.parametrize(
    "days",
    [
        [f"0{1 + i % 9}/0{1 + i // 9}/2025" for i in range(40)],  # days or months
        [f"2025-13-{1 + i % 28:02d}" for i in range(40)],
        [f"{day:%m.%d.%Y}" for day in DAYS],
        [f"{day:%Y-%m-%d} {'+01:00' * (i % 2)}" for i, day in enumerate(DAYS)],
        [*(f"{day:%Y-%m-%d}" for day in DAYS[1:]), "soon"],
    ],
)
def test_what_is_no_date_is_refused_as_dates(days: list[str]) -> None:
    with pytest.raises(
        InvalidValueError, match=r"bins\['day'\] must be a number of ranges, unless it is a feature of da"
    ):
        of_days(days, bins={"day": "calendar"})


def test_many_dates_are_refused_with_the_bins_that_work() -> None:
    with pytest.raises(InvalidValueError, match="different dates, as in day; bin them first") as refused:
        of_days(DAYS)
    assert refused.value.options == {"bins": {"day": "calendar"}}
    assert of_days(DAYS, **refused.value.options).features == ("day", "day: month", "day: weekday", "x")


@pytest.mark.parametrize(("target", "column", "repair"), [("few", "x", "label"), ("word", "word", "drop")])
def test_missing_labels_are_dropped_and_other_missing_values_kept(target: str, column: str, repair: str) -> None:
    """The error for them names the option with which the call is repeated by a command."""
    with pytest.raises(InvalidValueError, match=f"column '{column}' must have no missing values") as caught:
        Sample.from_frame(FRAME[[column, "few"]], target=target)
    assert caught.value.options == {"missing": repair}
