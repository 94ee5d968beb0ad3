"""Tables, CSV files and DataFrames: what is read, compared with rows written by hand, and what is refused."""

from __future__ import annotations

import csv
import json
import random
import tempfile
from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
import sympy
from hypothesis import given, strategies as st

from fstheory import JointDistribution, Sample
from fstheory.distributions import tables
from fstheory.distributions.files import load, read_csv, read_table
from fstheory.errors import FSTheoryError, InvalidFormatError, InvalidTypeError, InvalidValueError, TooLargeError
from fstheory.testing import joint_distributions, names

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


SAME: list[tuple[str, dict[str, Any]]] = [
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
    ("y,a,n\nu,s,\nv,t,?\n", {"features": ["a"], "na": ["?"]}),  # columns not chosen are not looked at
    (",y,a\n0,u,s\n1,v,t\n", {"features": ["a"]}),  # the nameless index that pandas writes
]


@pytest.mark.parametrize(("content", "options"), SAME)
def test_ways_to_write_the_same_table(write: Write, content: str, options: dict[str, Any]) -> None:
    d = read(write(content), target="y", **options)
    assert d.to_pmf() == {("s", "u"): Fraction(1, 2), ("s", "v"): 0, ("t", "u"): 0, ("t", "v"): Fraction(1, 2)}
    assert (d.features, d.target) == (("a",), "y")


def test_labels_stay_strings_and_quoted_cells_may_hold_anything(write: Write) -> None:
    d = read(write('a,b,y\n"two\nlines, ""quoted""",1,0\n é ,01,0\n'), target="y", features=["b", "a"])
    assert d.states == {"b": ("01", "1"), "a": (" é ", 'two\nlines, "quoted"'), "y": ("0",)}
    assert d.features == ("b", "a")
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


def test_a_row_that_was_never_seen_has_no_states(write: Write) -> None:
    path = write("a,y,n\ns,u,0\nt,v,2\n")
    for d in (read_csv(path, target="y", count="n", population=p) for p in (False, True)):
        assert d.states == {"a": ("t",), "y": ("v",)}
    assert read_csv(path, target="y", count="n").codes.tolist() == [[0, 0]]


def test_a_wide_sample_is_read_row_by_row(write: Write) -> None:
    """A hundred columns of some states each, and a column of measurements, which is named."""
    rng = random.Random(0)
    rows = [[rng.choice("abc") for _ in range(100)] + [f"{i / 7:.3f}", rng.choice("uv")] for i in range(300)]
    names = [f"x{i}" for i in range(100)]
    path = write("\n".join(map(",".join, [[*names, "size", "y"], *rows])))
    assert read_csv(path, target="y", features=names) == Sample(
        [(*row[:100], row[-1]) for row in rows], features=names, target="y"
    )
    with pytest.raises(InvalidValueError, match=r"as in size \(300 different\); bin them first: pass bins=4 to Sample"):
        read_csv(path, target="y")
    assert read_csv(path, target="y", keep_continuous=True).cardinalities[-1] == 300
    with pytest.raises(TooLargeError, match="half of this machine's memory"):
        _ = read_csv(path, target="y", features=names[:40], population=True).weights


def test_counts_beyond_machine_integers_are_a_population(write: Write) -> None:
    path = write(f"a,y,n\n1,2,{2**70}\n1,3,1\n")
    assert read_csv(path, target="y", count="n", population=True).total == 2**70 + 1
    with pytest.raises(InvalidValueError, match=r"the sum of the counts must be below 2\*\*62"):
        read_csv(path, target="y", count="n")


@pytest.mark.parametrize(
    ("path", "error", "message"),
    [
        ("none.csv", FileNotFoundError, "none"), (".", IsADirectoryError, "directory"),
        (b"t.csv", InvalidTypeError, "path must be"), ("\0", InvalidValueError, "path must be"),
    ],
)  # fmt: skip
def test_what_is_no_file(path: Any, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        read_csv(path, target="y")


def test_load_goes_by_the_suffix(tmp_path: Path) -> None:
    (tmp_path / "t.TSV").write_text("a\ty\n1,5\tno\n", encoding="utf-8")
    assert load(tmp_path / "t.TSV", target="y").states["a"] == ("1,5",)
    assert load(tmp_path / "t.TSV", target="y", population=True).total == 1
    with pytest.raises(InvalidFormatError, match=r"ends in .json, .csv, .*, not .*t.txt'"):
        load(tmp_path / "t.txt")
    with pytest.raises(InvalidValueError, match="target must be left out for a JSON file, not 'y'"):
        load(tmp_path / "t.json", target="y")


# -- pandas and SymPy: exact in both directions.


@given(joint_distributions())
def test_to_frame_and_to_sympy(d: JointDistribution) -> None:
    frame = d.to_frame()
    assert list(frame.columns) == [*d.features, d.target, "probability"]
    assert {tuple(row[:-1]): row[-1] for row in frame.itertuples(index=False)} == d.to_pmf()
    assert {type(p) for p in frame["probability"]} == {Fraction}
    found = d.to_sympy()
    assert all(isinstance(p, sympy.Rational) for p in found.values())
    assert {cell: Fraction(int(p.p), int(p.q)) for cell, p in found.items()} == d.to_pmf()


@given(joint_distributions(huge=False, max_weight=3))
def test_a_frame_of_samples(d: JointDistribution) -> None:
    """With categories the states are kept, in their order, whether they occur or not; also columns in any order."""
    rows = [cell for cell, p in d.to_pmf().items() for _ in range(int(p * d.total))]
    names = [*d.features, d.target]
    frame = pd.DataFrame(rows, columns=names, dtype=object)
    for name in names:
        frame[name] = pd.Categorical(frame[name], categories=list(d.states[name])[::-1])
    found = Sample.from_frame(frame[names[::-1]], target="Y", features=d.features).empirical()
    assert found.features == d.features
    assert {name: labels[::-1] for name, labels in found.states.items()} == dict(d.states)
    assert found.to_pmf() == {cell: d.to_pmf()[cell] for cell in found.to_pmf()}


class Somebodys(pd.DataFrame):
    """Somebody's own kind of DataFrame."""


def test_states_of_a_frame_of_ones_own_kind() -> None:
    """A day is a state; categories are states in their order; states that are given go before them."""
    days, kinds = pd.to_datetime(["2020-01-02", "2020-01-01", "2020-01-02"]), ["no", "never", "yes"]
    frame = Somebodys({"day": days, "y": pd.Categorical(["no", "yes", "no"], categories=kinds)})
    d = Sample.from_frame(frame, target="y").empirical()
    assert d.probability({"day": pd.Timestamp("2020-01-02"), "y": "no"}) == Fraction(2, 3)
    assert d.classes == tuple(kinds)
    assert Sample.from_frame(frame, target="y", states={"y": ["yes", "no"]}).classes == ("yes", "no")


def test_columns_to_leave_out_are_any_iterable_of_names(write: Write) -> None:
    path = write("a,b,y\n0,1,0\n1,0,1\n")
    assert read_csv(path, target="y", leave_out=(name for name in ["a"])).features == ("b",)
    for wrong in (5, "a"):
        with pytest.raises(InvalidTypeError, match="leave_out must be"):
            read_csv(path, target="y", leave_out=wrong)  # type: ignore[arg-type]


@pytest.mark.parametrize("suffix", ["csv", "jsonl"])
@pytest.mark.parametrize(
    "options",
    [
        {}, {"leave_out": ["a"]}, {"leave_out": ("b", "a")}, {"leave_out": ["a"], "bins": {"b": 2}},
        {"features": ["b"]},
        {"features": ["b"], "leave_out": ["a"]}, {"features": ["a"], "leave_out": ["a"]}, {"count": "b"},
        {"leave_out": ["z"]}, {"leave_out": ["y"]}, {"missing": "label"}, {"target": "b"},
    ],
)  # fmt: skip
def test_a_file_that_was_read_before_is_read_alike(tmp_path: Path, suffix: str, options: dict[str, Any]) -> None:
    """The table is made of what was read for other options; what is refused is refused then, too."""
    rows = [{"a": i % 3, "b": i % 5, "y": i % 2} for i in range(40)]
    lines = map(json.dumps, rows) if suffix == "jsonl" else ["a,b,y", *(f"{i % 3},{i % 5},{i % 2}" for i in range(40))]
    (path := tmp_path / f"t.{suffix}").write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")

    def counted(reads: dict[str, Any]) -> object:
        try:
            table = read_table(path, reads=reads, **{"target": "y"} | options)
        except FSTheoryError as error:
            return str(error)
        seen, rows = Counter[tuple[Any, ...]](), [[labels[code] for code in codes] for codes, labels in table.columns]
        for *row, times in zip(*rows, table.counts, strict=True):
            seen[tuple(row)] += times
        return table.names, seen, table.notes

    for before in ({}, {"leave_out": ["b"]}, {"features": ["a"]}, {"missing": "drop"}):
        reads: dict[str, Any] = {}
        read_table(path, reads=reads, **{"target": "y"} | before)
        assert counted(reads) == counted({})


@given(st.data())
def test_a_text_is_read_some_rows_at_a_time(data: st.DataObject) -> None:
    """Whatever is read together, the sample is that of the rows; the first row that is refused is named."""
    width = data.draw(st.integers(1, 3))
    cells = st.sampled_from(["a", "b", "c d", "0", *map(str, range(10, 20))])
    rows = data.draw(st.lists(st.tuples(*[cells] * width), min_size=1, max_size=20))
    names = [f"c{i}" for i in range(width - 1)] + ["y"]
    text = "\n".join(",".join(row) for row in [names, *rows])
    with pytest.MonkeyPatch.context() as patch, tempfile.TemporaryDirectory() as folder:
        patch.setattr(tables, "_AT_ONCE", data.draw(st.integers(1, 6)))
        path = Path(folder) / "t.csv"
        path.write_text(text, encoding="utf-8")
        assert read_csv(path, target="y") == Sample(rows, features=names[:-1], target="y")
        population = read_csv(path, target="y", population=True)
        assert population == JointDistribution.from_samples(rows, features=names[:-1], target="y")
        broken = [list(row) for row in rows]
        first, second = sorted(data.draw(st.lists(st.integers(0, len(rows) - 1), min_size=2, max_size=2)))
        broken[second].append("too many")
        broken[first][data.draw(st.integers(0, width - 1))] = " "
        path.write_text("\n".join(",".join(row) for row in [names, *broken]), encoding="utf-8")
        with pytest.raises(InvalidFormatError, match=f"line {first + 2} of "):
            read_csv(path, target="y")


def test_edges_are_read_only_from_the_names_of_ranges() -> None:
    names_of_ranges = tables.range_names(["1", "2"])
    assert tables.edges_of(names_of_ranges) == ["1", "2"]
    assert tables.edges_of([*names_of_ranges[:-1], "other"]) == []
