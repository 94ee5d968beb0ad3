"""CSV: what is read, compared with the rows written by hand, and what is refused, with line and column."""

from __future__ import annotations

import csv
import random
import re
from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fstheory import JointDistribution, Sample
from fstheory.distributions.files import load, read_csv
from fstheory.errors import InvalidFormatError, InvalidTypeError, InvalidValueError, TooLargeError, UnknownNameError
from fstheory.testing import names

Write = Callable[[str | bytes], Path]


@pytest.fixture
def write(tmp_path: Path) -> Write:
    def write(content: str | bytes) -> Path:
        path = tmp_path / "t.csv"
        path.write_bytes(content if isinstance(content, bytes) else content.encode("utf-8"))
        return path

    return write


def read(path: Path, **options: Any) -> JointDistribution:
    """Read a file as a sample and as all there is, and return the distribution, which is the same."""
    d: JointDistribution = read_csv(path, population=True, **options)
    s = read_csv(path, **options)
    assert type(s) is Sample
    assert s.empirical() == d
    return d


def test_rows_are_counted_and_labels_stay_strings(write: Write) -> None:
    d = read(write("a,b,y\n1,x,no\n1,x,yes\n01,x,no\n1,x,no\n"), target="y")
    assert d.features == ("a", "b")
    assert d.states == {"a": ("01", "1"), "b": ("x",), "y": ("no", "yes")}
    assert d.to_pmf() == {
        ("01", "x", "no"): Fraction(1, 4),
        ("01", "x", "yes"): 0,
        ("1", "x", "no"): Fraction(1, 2),
        ("1", "x", "yes"): Fraction(1, 4),
    }


@pytest.mark.parametrize(
    ("content", "options"),
    [
        ("y,a\nu,s\nv,t\n", {}),  # the target may stand anywhere
        ("\ufeffy,a\nu,s\nv,t\n", {}),  # a byte order mark
        ("y,a\r\nu,s\r\nv,t\r\n", {}),  # line ends of Windows
        ("y,a\nu,s\nv,t", {}),  # no line end at the end
        ("\ny,a\n\nu,s\n\nv,t\n\n\n", {}),  # lines with nothing on them
        ('"y","a"\n"u","s"\n"v","t"\n', {}),
        ("y;a\nu;s\nv;t\n", {"delimiter": ";"}),
        ("y,a,n\nu,s,2\nv,t,2\n", {"count": "n"}),
        ("y,a,n\nu,s,1\nv,t,2\nu,s, 1.0 \n", {"count": "n"}),
        ("y,a,n\nu,s,1\nv,t,1\n", {"features": ["a"]}),
        ("y,a,n\nu,s,\nv,t,?\n", {"features": ["a"], "missing": ["?"]}),  # columns not chosen are not looked at
        (",y,a\n0,u,s\n1,v,t\n", {"features": ["a"]}),  # the nameless index that pandas writes
    ],
)
def test_ways_to_write_the_same_table(write: Write, content: str, options: dict[str, Any]) -> None:
    d = read(write(content), target="y", **options)
    assert d.to_pmf() == {("s", "u"): Fraction(1, 2), ("s", "v"): 0, ("t", "u"): 0, ("t", "v"): Fraction(1, 2)}
    assert (d.features, d.target) == (("a",), "y")


def test_quoted_cells_may_hold_anything(write: Write) -> None:
    d = read(write('a,y\n"two\nlines, ""quoted""",1\n é ,0\n'), target="y")
    assert d.states["a"] == (" é ", 'two\nlines, "quoted"')


def test_features_are_taken_in_the_order_asked_for_and_may_be_none(write: Write) -> None:
    assert read(write("a,b,y\n1,2,3\n"), target="y", features=["b", "a"]).features == ("b", "a")
    d = read(write("y\nu\nv\nv\n"), target="y")
    assert (d.features, d.to_pmf()) == ((), {("u",): Fraction(1, 3), ("v",): Fraction(2, 3)})


@given(st.lists(st.tuples(names(), names(), names()), min_size=1, max_size=8))
def test_whatever_the_csv_module_writes_is_read(
    tmp_path_factory: pytest.TempPathFactory, rows: list[tuple[str, ...]]
) -> None:
    path = tmp_path_factory.mktemp("csv") / "t.csv"
    with path.open("w", encoding="utf-8", newline="") as stream:
        csv.writer(stream).writerows([("a", "b", "y"), *rows])
    found = {cell: p for cell, p in read(path, target="y").to_pmf().items() if p}
    assert found == {row: Fraction(n, len(rows)) for row, n in Counter(rows).items()}


BAD: list[tuple[str | bytes, dict[str, Any], type[Exception], str]] = [
    ("", {}, InvalidFormatError, "must be a table with a header, not 'empty'; begin it with the column names"),
    ("a,y\n", {}, InvalidValueError, "must be a table with samples, not 'its header alone'; add rows"),
    ("a,b\n1,2\n", {}, UnknownNameError, "column 'y' does not exist; use one of: 'a', 'b'"),
    ("a,b\n1,2\n", {"target": None}, InvalidValueError, "target must be the name of a column, not left out; name"),
    ("a,y\n1,2\n", {"features": ["c"]}, UnknownNameError, "column 'c' does not exist; use one of: 'a', 'y'"),
    ("a,y\n1,2\n", {"features": ["y"]}, InvalidValueError, "target must be a column that is not a feature, not 'y'"),
    ("a,y\n1,2\n", {"features": ["a", "a"]}, InvalidValueError, "features must be distinct names, not 'a'"),
    ("a,y\n1,2\n", {"features": "a"}, InvalidTypeError, "features must be an iterable of names, not 'a'"),
    ("a,y\n1,2\n", {"missing": "NA"}, InvalidTypeError, r"missing must be an iterable of texts, not 'NA'"),
    ("a,y\n1,2\n", {"count": "n"}, UnknownNameError, "column 'n' does not exist"),
    ("a,y\n1,2\n", {"count": "y"}, InvalidValueError, "count must be a column of its own, not 'y'"),
    ("a,y\n1,2\n", {"count": "a", "features": ["a"]}, InvalidValueError, "count must be a column of its own"),
    ("a,y\n1,2\n", {"delimiter": ",,"}, InvalidValueError, "delimiter must be one character, not ',,'"),
    ("a,y,a\n1,2,3\n", {}, InvalidFormatError, r"line 1 of .* must name every column once, not 'a' twice \(columns 1 "),
    (",y\n1,2\n", {}, InvalidFormatError, "the name of column 1 in line 1 of .* must be not blank, not ''"),
    ("a,y\n1,2\n1\n", {}, InvalidFormatError, "line 3 of .* must be of 2 cells like the header, not 1; the table is"),
    ("a,y\n1,2,3\n", {}, InvalidFormatError, "line 2 of .* must be of 2 cells like the header, not 3"),
    ("a,y\n1,2\n,2\n", {}, InvalidFormatError, "column 'a' in line 3 of .* must be a label, not ''; drop the row, or"),
    ("a,y\n1,2\n1,  \n", {}, InvalidFormatError, "column 'y' in line 3 of .* must be a label, not '  '"),
    ("a,y\n?,2\n", {"missing": ["?"]}, InvalidFormatError, r"column 'a' in line 2 of .* must be a label, not '\?'"),
    ('a,y\n"1\n1",2\n,2\n', {}, InvalidFormatError, "column 'a' in line 4 of .* must be a label"),  # the line counts
    ("y\nu\n\nv\n", {}, InvalidFormatError, "column 'y' in line 3 of .* must be a label, not ''"),
    ('a,y\n"1,2\n', {}, InvalidFormatError, "line 2 of .* must be well-formed CSV, not broken"),
    ('a,y\n"1"1,2\n', {}, InvalidFormatError, "line 2 of .* must be well-formed CSV, not broken"),
    (b"a,y\nx,2\n\xff,2\n", {}, InvalidFormatError, r"line 3 of .* must be UTF-8 text, not b'\\xff'; save the file"),
    ("a,y\n1,2\n".encode("utf-16"), {}, InvalidFormatError, "line 1 of .* must be UTF-8 text"),
    ("a,y,n\n1,2,-1\n", {"count": "n"}, InvalidFormatError, "column 'n' in line 2 of .* must be an integer of at leas"),
    ("a,y,n\n1,2,1/2\n", {"count": "n"}, InvalidFormatError, "column 'n' in line 2 .* an integer of at least 0, not '"),
    ("a,y,n\n1,2,many\n", {"count": "n"}, InvalidFormatError, "column 'n' in line 2 of .* must be an exact number"),
    ("a,y,n\n1,2,\n", {"count": "n"}, InvalidFormatError, "column 'n' in line 2 of .* must be a label, not ''"),
    ("a,y,n\n1,2,0\n", {"count": "n"}, InvalidValueError, "must be a table with samples, not 'counts of 0 alone'"),
    ("a,y\n1,2\n", {"population": 1}, InvalidTypeError, "population must be True or False, not 1; say True"),
]


@pytest.mark.parametrize(("content", "options", "error", "message"), BAD)
def test_bad_table(
    write: Write, content: str | bytes, options: dict[str, Any], error: type[Exception], message: str
) -> None:
    with pytest.raises(error) as caught:
        read_csv(write(content), **{"target": "y", **options})
    assert type(caught.value) is error
    assert re.search(message, str(caught.value)), str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_table_too_large_is_refused_before_it_is_made(write: Write) -> None:
    names = [f"x{i}" for i in range(20)]
    rows = [",".join([*names, "y"])] + [",".join([str(k)] * 20 + ["0"]) for k in range(10)]
    with pytest.raises(TooLargeError, match="half of this machine's memory"):
        read_csv(write("\n".join(rows)), target="y", population=True)
    s = read_csv(write("\n".join(rows)), target="y")
    assert (s.m, s.cells(names).tolist()) == (10, [[1]] * 10)


def test_a_wide_sample_is_read_row_by_row(write: Write) -> None:
    """A hundred columns of some states each, and a column of measurements, which is named."""
    rng = random.Random(0)
    rows = [[rng.choice("abc") for _ in range(100)] + [f"{i / 7:.3f}", rng.choice("uv")] for i in range(300)]
    content = "\n".join(map(",".join, [[*(f"x{i}" for i in range(100)), "size", "y"], *rows]))
    path = write(content)
    names = [f"x{i}" for i in range(100)]
    assert read_csv(path, target="y", features=names) == Sample(
        [(*row[:100], row[-1]) for row in rows], features=names, target="y"
    )
    with pytest.raises(InvalidValueError, match=r"as in size \(300 different\); bin them first \(pandas.cut, scikit"):
        read_csv(path, target="y")
    assert read_csv(path, target="y", keep_continuous=True).cardinalities[-1] == 300


def test_counts_beyond_machine_integers_are_a_population(write: Write) -> None:
    path = write(f"a,y,n\n1,2,{2**70}\n1,3,1\n")
    assert read_csv(path, target="y", count="n", population=True).total == 2**70 + 1
    with pytest.raises(InvalidValueError, match=r"the sum of the counts must be below 2\*\*62"):
        read_csv(path, target="y", count="n")


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        read_csv(tmp_path / "none.csv", target="y")
    with pytest.raises(IsADirectoryError):
        read_csv(tmp_path, target="y")


@pytest.mark.parametrize(("path", "error"), [(3, InvalidTypeError), (b"t.csv", InvalidTypeError), ("\0", ValueError)])
def test_what_is_no_path(path: Any, error: type[Exception]) -> None:
    with pytest.raises(error, match="path must be"):
        read_csv(path, target="y")


def test_load_goes_by_the_suffix(tmp_path: Path) -> None:
    (tmp_path / "t.TSV").write_text("a\ty\n1,5\tno\n", encoding="utf-8")
    assert load(tmp_path / "t.TSV", target="y").states["a"] == ("1,5",)
    with pytest.raises(InvalidFormatError, match=r"ends in .json, .csv, .tsv, not .*t.txt'"):
        load(tmp_path / "t.txt")
    assert load(tmp_path / "t.TSV", target="y", population=True).total == 1
    with pytest.raises(InvalidValueError, match="target must be left out for a JSON file, not 'y'"):
        load(tmp_path / "t.json", target="y")
    with pytest.raises(InvalidValueError, match="population must be left out for a JSON file, not True"):
        load(tmp_path / "t.json", population=True)
