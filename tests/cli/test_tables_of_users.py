"""Tables as people have them: nine kinds of CSV through the command line, and data sets that packages carry."""

from __future__ import annotations

import random
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

import fstheory as fs
from fstheory.cli import main

ROWS = 120


def people() -> Iterator[tuple[int, float, str, int, str]]:
    """Yield an id, a size that says the class most of the time, a color, a number of few values, and the class."""
    rng = random.Random(1)
    for i in range(ROWS):
        size, color, number = rng.gauss(10, 2), rng.choice(["red", "grün", "blue"]), rng.randrange(3)
        yield i + 1, size, color, number, "yes" if (size > 10) != (rng.random() < 0.15) else "no"


def lines(header: str, *rows: str) -> str:
    return "".join(f"{line}\n" for line in (header, *rows))


TABLES: dict[str, tuple[str | bytes, str, str]] = {
    "floats": (
        lines("size,n,y", *(f"{x:.2f},{n},{y}" for _, x, _, n, y in people())),
        "--bins 4",
        "bins, with these upper edges: size 8.60 | 10.14 | 11.46",
    ),
    "blanks": (
        lines("color,n,y", *(f"{c if i % 11 else 'NA'},{n if i % 7 else ''},{y}" for i, _, c, n, y in people())),
        "--missing label",
        "'missing' is a state of color (10), n (17)",
    ),
    "index": (
        lines(",color,n,y", *(f"{i},{c},{n},{y}" for i, _, c, n, y in people())),
        "",
        "column 1 has no name and is left out",
    ),
    "semicolons": (
        lines("size;n;y", *(f"{x:.2f};{n};{y}".replace(".", ",") for _, x, _, n, y in people())),
        "--bins 4",
        "bins, with these upper edges: size (decimal commas) 8,60 | 10,14 | 11,46",
    ),
    "tabs": (
        lines("color\tn\ty", *(f"{c}\t{n}\t{y}" for _, _, c, n, y in people())),
        "",
        "cells are separated by tabs",
    ),
    "windows": (
        lines("color,n,y", *(f"{c},{n},{y}" for _, _, c, n, y in people())).encode("cp1252"),
        "--encoding cp1252",
        "",
    ),
    "ids": (lines("id,color,n,y", *(f"P{i},{c},{n},{y}" for i, _, c, n, y in people())), "--leave-out id", ""),
    "twice": (
        lines("color,n,color,y", *(f"{c},{n},{c},{y}" for _, _, c, n, y in people())),
        "--leave-out color",
        "",
    ),
    "mixed": (
        lines(
            "id,size,color,n,y",
            *(f"{i},{'?' if i % 10 == 3 else f'{x:.2f}'},{c if i % 13 else ''},{n},{y}" for i, x, c, n, y in people()),
        ),
        "--missing label --bins 4 --leave-out id",
        "'missing' is a state of size (12), color (9)",
    ),
}


@pytest.mark.parametrize("name", TABLES)
def test_a_table_is_answered_or_refused_with_the_command_that_answers(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    content, repair, note = TABLES[name]
    monkeypatch.chdir(tmp_path)
    Path(f"{name}'s.csv").write_bytes(content if isinstance(content, bytes) else content.encode())
    typed = ["report", f"{name}'s.csv", "--target", "y"]
    if repair:
        assert main(typed) == 2
        refusal = capsys.readouterr().err
        command = refusal.rpartition("; this reads it: ")[2].strip()
        typed = shlex.split(command)[1:]
        assert command == f"fstheory report '{name}'\"'\"'s.csv' --target y {repair}"
    assert main(typed) == 0
    found = capsys.readouterr()
    assert found.err == ""
    assert f"A sample of {ROWS}, not a distribution" in found.out
    assert note[1:] in " ".join(found.out.split())
    assert main(["select", *typed[1:], "-k", "1"]) == 0
    said = capsys.readouterr().err  # where a report has it on its page
    assert f"fstheory: note: {note}\n" in said if note else not said


def test_points_are_read_from_such_a_table(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    rows = [f"{x:.2f};{c if i % 9 else ''};{y}".replace(".", ",") for i, x, c, _, y in people()]
    Path("t.csv").write_text(lines("size;color;y", *rows), encoding="utf-16")
    assert main(shlex.split("select t.csv --target y --method rcg -k 1 --ties first")) == 2
    command = capsys.readouterr().err.rpartition("; this reads it: ")[2].strip()
    assert command.endswith(" --missing drop")
    assert main(shlex.split(command)[1:]) == 0
    found = capsys.readouterr()
    assert "fstheory: note: 13 of 120 rows dropped, which lack a value" in found.err
    assert "of them categories: color" in found.out  # and the sizes are numbers


@pytest.mark.parametrize(("most", "option"), [(6, ""), (7, ""), (6, " --floats")])
def test_many_exact_differences_are_announced_with_the_faster_option(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], most: int, option: str
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("fstheory.cli.samples._MANY_DIFFERENCES", most)
    Path("t.csv").write_text("a,b,y\n1,2,0\n3,5,1\n7,4,1\n")
    assert main(shlex.split(f"select t.csv --target y --method rcg -k 1{option}")) == 0
    said = (
        "fstheory: note: 3 rows of 2 columns have 6 exact differences, which can take minutes; --floats is many times"
    )
    assert capsys.readouterr().err.startswith(said) == (most == 6 and not option)


def test_a_refusal_without_a_repair_that_works_suggests_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("t.csv").write_text("a,y\n1,2\n1\n,2\n")
    for typed in (["report", "t.csv", "--target", "y"], ["report", "t.csv"]):
        assert main(typed) == 2
        assert "this reads it" not in capsys.readouterr().err


def carried() -> dict[str, tuple[pd.DataFrame, dict[str, Any]]]:
    """Return data sets of scikit-learn, a mixed one with holes made of one of them."""
    datasets = pytest.importorskip("sklearn.datasets")
    frames = {name: getattr(datasets, f"load_{name}")(as_frame=True).frame for name in NAMES}
    frames["digits"] = frames["digits"][["pixel_2_6", "pixel_3_4", "pixel_4_2", "pixel_5_5", "pixel_2_2", "target"]]
    frames["breast_cancer"] = frames["breast_cancer"][[*BREAST_CANCER, "target"]]
    mixed = frames["wine"][["alcohol", "flavanoids", "hue", "target"]].copy()
    mixed.loc[::9, "alcohol"] = None
    mixed["shade"] = ["dark" if i % 3 else None for i in range(len(mixed))]
    mixed["code"] = [f"W{i}" for i in range(len(mixed))]
    options: dict[str, dict[str, Any]] = {name: {"bins": 4} for name in frames}
    options["diabetes"] = {"bins": {None: 4, "target": 3}}
    options["mixed"] = {"bins": {None: 3}, "missing": "label", "leave_out": ["code"]}
    return {name: (frame, options[name]) for name, frame in (frames | {"mixed": mixed}).items()}


BREAST_CANCER = (
    "mean radius",
    "mean texture",
    "mean smoothness",
    "worst radius",
    "worst smoothness",
    "worst concavity",
)
NAMES = ("breast_cancer", "wine", "iris", "digits", "diabetes")


@pytest.mark.parametrize(
    ("name", "best"),
    [
        ("breast_cancer", "worst radius"),
        ("wine", "flavanoids"),
        ("iris", "petal width (cm)"),
        ("digits", "pixel_4_2"),
        ("diabetes", "bmi"),
        ("mixed", "flavanoids"),
    ],
)
def test_data_sets_that_packages_carry(name: str, best: str, tmp_path: Path) -> None:
    frame, options = carried()[name]
    s = fs.Sample.from_frame(frame, target="target", **options)
    assert best in fs.report(s).supported.features
    assert best in fs.select(s, 2).features
    labels = [list(s.states.values())[axis] for axis in range(len(s.states))]
    rows = [[known[code] for known, code in zip(labels, row, strict=True)] for row in s.codes.repeat(s.counts, axis=0)]
    table = pd.DataFrame([row[:-1] for row in rows], columns=list(s.features))
    selector = pytest.importorskip("fstheory.sklearn").BayesGreedySelector(n_features_to_select=2)
    assert best in selector.fit(table, [str(row[-1]) for row in rows]).get_feature_names_out()
    frame.to_csv(tmp_path / "t.csv", index=False)
    again = fs.distributions.read_csv(tmp_path / "t.csv", target="target", **options)
    assert (again.m, again.cardinalities) == (s.m, s.cardinalities)
    assert sorted(again.counts) == sorted(s.counts)  # of the same rows, in the order of texts
    assert [edges.partition("| ")[0] for edges in again.notes] == [edges.partition("| ")[0] for edges in s.notes]
