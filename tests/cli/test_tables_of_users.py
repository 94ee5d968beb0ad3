"""Tables as people have them: kinds of CSV through the command line, and data sets that packages carry."""

from __future__ import annotations

import json
import random
import re
import shlex
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

import fstheory as fs
from fstheory.cli import main
from fstheory.cli.sources import _OF_TABLES
from fstheory.distributions.tables import CsvFile, Table, read_text
from tests.cli.own import Cli

ROWS = 120


def people() -> Iterator[dict[str, Any]]:
    """Yield an id, a size that says the class most of the time, a color, a number of few values, and the class."""
    rng = random.Random(1)
    for i in range(ROWS):
        size, color, n = rng.gauss(10, 2), rng.choice(["red", "grün", "blue"]), rng.randrange(3)
        y = "yes" if (size > 10) != (rng.random() < 0.15) else "no"
        day = date(2024, 1, 1) + timedelta(days=5 * i)
        yield {"": i + 1, "id": f"P{i + 1}", "size": f"{size:.2f}", "color": color, "n": n, "day": day, "y": y}


def table(header: str, separator: str = ",", /, **missing: tuple[int, str]) -> str:
    """Return a CSV of some columns of people, where every so many values are written as a missing one."""
    rows = [header]
    for i, row in enumerate(people()):
        row |= {name: text for name, (often, text) in missing.items() if i % often == 0}
        rows.append(separator.join(str(row[name]) for name in header.split(separator)))
    return "".join(f"{row}\n" for row in rows)


TABLES: dict[str, tuple[str | bytes, str, str]] = {
    "blanks": (
        table("color,n,y", color=(11, "NA"), n=(7, "")),
        "--missing label",
        "'missing' is a state of color (11), n (18)",
    ),
    "floats": (table("size,n,y"), "--bins 4", "bins, with these upper edges: size 8.60 | 10.14 | 11.46"),
    "whole": (table("size,n,y").replace(".", ""), "--bins 4", "bins, with these upper edges: size 860 | 1014 | 1146"),
    "index": (table(",color,n,y"), "", "column 1 has no name and is left out"),
    "semicolons": (
        table("size;n;y", ";").replace(".", ","),
        "--bins 4",
        "bins, with these upper edges: size (decimal commas) 8,60 | 10,14 | 11,46",
    ),
    "export": (
        "Stand: heute;;\n;;\n" + re.sub(r"(\d+)\.", lambda m: f"1.{int(m[1]):03},", table("size;n;y", ";")),
        "--header 3 --decimal , --bins 4",
        "bins, with these upper edges: size 1008.60 | 1010.14 | 1011.46",
    ),
    "tabs": (table("color\tn\ty", "\t"), "", "cells are separated by tabs"),
    "dates": (
        table("day,size,n,y"),
        "--bins 4,day=calendar",
        "bins, with these upper edges: day 2024-05-25 | 2024-10-22 | 2025-03-21; size 8.60 | 10.14 | 11.46",
    ),
    "windows": (table("color,n,y").encode("cp1252"), "--encoding cp1252", ""),
    "ids": (table("id,color,n,y"), "--leave-out id", ""),
    "twice": (table("color,n,color,y"), "--leave-out color", ""),
    "mixed": (
        table("id,size,color,n,y", size=(10, "?"), color=(13, "")),
        "--missing label --bins 4 --leave-out id",
        "'missing' is a state of size (12), color (10)",
    ),
}


@pytest.mark.rotated(16)
@pytest.mark.parametrize("name", TABLES)
@pytest.mark.one_in(11)
def test_a_table_is_answered_and_the_options_that_it_needs_are_named(name: str, cli: Cli) -> None:
    content, repair, note = TABLES[name]
    Path(f"{name}'s.csv").write_bytes(content if isinstance(content, bytes) else content.encode())
    few = [f"{name}'s.csv", "--target", "y"]
    typed = [*few, *shlex.split(repair)]
    printed = cli.run(0, "report", *typed)
    assert f"A sample of {ROWS}, not a distribution" in printed
    assert note[1:] in " ".join(printed.split())
    printed, _, following = printed.partition("\nWhat to do next\n")
    assert following.split("\n")[1].strip() == f"{shlex.join(['fstheory', 'report', *typed])} --details"
    own = " ".join(cli.run(0, "report", *few).partition("\nWhat to do next\n")[0].split())
    own, heading, told = own.partition(" What was done to the rows")
    chosen = f"hosen, because the rows need it: {repair}; give these options to choose otherwise"
    assert [own, told.removeprefix(f" C{chosen}.")] == [*" ".join(printed.split()).partition(heading or "\0")][::2]
    assert told.startswith(f" C{chosen}.") == bool(repair)
    for command in ("risks", "select"):
        answers, notes = [], []
        for words in (typed, few):
            assert main([command, *words, *["-k", "1"] * (command == "select")]) == 0
            out, err = cli.capsys.readouterr()
            answers.append(out)
            notes.append(err)  # where a report has it on its page
        assert answers[0] == answers[1]
        assert f"fstheory: note: {note}\n" in notes[0] if note else not notes[0]
        assert notes[1] == notes[0] + f"fstheory: note: c{chosen}\n" * bool(repair)


def test_the_next_command_works_for_names_with_parentheses(cli: Cli) -> None:
    cli.write(
        "t.csv", "".join(f"{row}\n" for row in ["size (cm),x,y", *(f"{i % 2},{i % 3},{i % 2}" for i in range(90))])
    )
    command = cli.run(0, "report t.csv --target y").rstrip().rpartition("\n")[2].strip()
    assert command == "fstheory report t.csv --target y --leave-out 'size (cm)'"
    assert ": 1 feature;" in cli.run(0, *shlex.split(command)[1:])
    rows = [f"{i // 9},{i % 2},{i % 7 % 2}\n" for i in range(90)]
    cli.write("t.csv", "".join(["user (--or not),x,y\n", *rows]))
    command = cli.run(0, "report t.csv --target y").rstrip().rpartition("\n")[2].strip()
    assert command == "fstheory report t.csv --target y --groups 'user (--or not)'"
    assert "A sample of 90," in cli.run(0, *shlex.split(command)[1:])
    cli.write("t.csv", "".join(["id,x,y\n", *(f"{i // 9},{i % 2},{i % 2}\n" for i in range(90))]))
    printed = cli.run(0, "report t.csv --target y")
    assert "If the answer to the first question above is yes, this command is right:" in printed
    assert printed.rstrip().endswith(" --groups id")


@pytest.mark.parametrize(
    ("separator", "largest", "mark"), [(";", "9,512", ","), ("\t", "9,512", "."), (";", "1,009,512", ".")]
)
def test_a_comma_among_semicolons_is_likely_to_be_decimal(separator: str, largest: str, mark: str, cli: Cli) -> None:
    rows = [f"{2 + i % 7},{100 + i % 9}{separator}{i % 2}\n" for i in range(90)]
    cli.write("t.csv", "".join([f"size{separator}y\n", *rows, f"{largest}{separator}1\n"]))
    assert main(shlex.split("risks t.csv --target y --bins 4")) == 0
    assert f"chosen, because the rows need it: --decimal {mark};" in cli.capsys.readouterr().err
    printed = cli.run(0, "report t.csv --target y --bins 4")
    assert f"Commas are {'decimal' if mark == ',' else 'of thousands'} in size." in printed


def test_only_months_that_were_made_of_dates_stand_for_these(cli: Cli) -> None:
    cli.write("t.csv", "".join(["day,day: month,y\n", *(f"{i % 3},{i % 2},{i % 2}\n" for i in range(90))]))
    assert cli.run(0, "report t.csv --target y").rstrip().endswith(" --leave-out 'day: month'")


def test_rows_that_lack_a_feature_are_kept_where_others_lack_the_class(cli: Cli) -> None:
    cli.write("t.csv", table("color,n,y", y=(9, "NA"), n=(7, "")))
    printed = " ".join(cli.run(0, "report t.csv --target y").split())
    assert "rows need it: --missing label;" in printed
    assert "14 of 120 rows dropped, which have no value in y (14). 'missing' is a state of n (16)." in printed


@pytest.mark.one_in(3)
@pytest.mark.parametrize(
    ("typed", "repaired"),
    [("", "--bins size=4"), (" --bins 2", "--bins 2,size=4"), (" --bins n=0,1", "--bins n=0,1,size=4")],
)
def test_a_measured_target_is_cut_where_classes_are_needed(cli: Cli, typed: str, repaired: str) -> None:
    cli.write("t.csv", table("color,y,n,size"))
    assert main(shlex.split(f"risks t.csv --target size{typed}")) == 0
    assert f"chosen, because the rows need it: {repaired};" in cli.capsys.readouterr().err
    assert "target size (4 classes)" in cli.run(0, f"report t.csv --target size {repaired}")


def test_a_measured_target_is_predicted_as_a_number_where_numbers_can_be(cli: Cli) -> None:
    cli.write("t.csv", table("color,y,n,size"))
    for typed, numeric in [
        ("select t.csv -k 1", True),
        ("select t.csv --method backward --delta 1/9 --regression", True),
        ("select t.csv --method mrmr -k 1", False),
        ("criterion t.csv --criterion squared", True),
        ("criterion t.csv --criterion gini", False),
    ]:
        assert main(shlex.split(f"{typed} --target size")) == 0
        out, err = cli.capsys.readouterr()
        assert ("need it: --keep-continuous --bins 4;" in err, "need it: --bins size=4;" in err) == (
            numeric,
            not numeric,
        )
        assert ("resubstitution" in out) == (typed == "select t.csv --method mrmr -k 1")


@pytest.mark.one_in(6)
@pytest.mark.parametrize(
    ("typed", "repaired"),
    [
        ("--target y -k 1 --features sizes,n --bins 4", "--target y -k 1 --bins 4 --features size,n"),
        ("--target y -k 1 --leave-out colors --bins 4", "--target y -k 1 --bins 4 --leave-out color"),
        ("--target y -k 1 --bins 4,sizes=3", "--target y -k 1 --bins 4,size=3"),
        ("--target y -k 1 --bins n=2", ""),
        ("--target y -k 1 --bins n=0,1", ""),
        ("--target y -k 1 --bins n=1,,size=8,10.5", ""),
    ],
)
def test_names_and_edges_are_corrected_in_the_command(cli: Cli, typed: str, repaired: str) -> None:
    cli.write("t.csv", table("size,n,color,y"))
    typed = f"select t.csv {typed}"
    if repaired:
        command = cli.stopped(2, typed).rpartition("; this works: ")[2].strip()
        assert command == f"fstheory select t.csv {repaired}"
        typed = command.removeprefix("fstheory ")
    assert main([*shlex.split(typed), "--json"]) == 0
    found = json.loads(cli.capsys.readouterr().out)
    assert found["features"] == ["size"]
    chosen = f"--bins 4,{typed.rpartition(' ')[2]};" if not repaired and "size=" not in typed else ""
    edges = "size 8 | 10.5; n 1" if "size=8" in typed else "n 0 | 1" if "0,1" in typed else ""
    assert chosen in found["notes"][0]
    assert edges in found["notes"][bool(chosen)]


@pytest.mark.parametrize(
    ("line", "options", "read"),
    [("risks t.csv", "", 7), ("bound t.csv --remove size", " --population", 10), ("report t.csv", "", 7)],
)
def test_a_command_is_suggested_by_a_single_complete_reading(
    cli: Cli, line: str, options: str, read: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A reading that is refused in its first lines, or at a missing value, is not complete."""
    begun, complete = [], []

    def counted(file: CsvFile, merge: bool) -> Table:
        begun.append(file)
        found = read_text(file, merge)
        complete.append(file)
        return found

    monkeypatch.setattr("fstheory.distributions.files.read_text", counted)
    content = table("id;size;color;n;y", ";", color=(13, "unknown"), n=(7, "")).replace(".", ",")
    Path("t.csv").write_bytes(f"Zürich;;;;\n{content}".encode("cp1252"))
    command = cli.stopped(2, line).rpartition("this works: fstheory ")[2].strip()
    assert command == f"{line}{options} --target y"
    assert (len(begun), len(complete)) == (read, 1)


def test_a_method_for_few_columns_names_the_best(cli: Cli) -> None:
    rows = ["".join(f"{(i * k) % 7 % 2}," for k in range(1, 18)) + str(i % 2) for i in range(20)]
    cli.write("t.csv", "\n".join([",".join([*(f"c{k}" for k in range(1, 18)), "y"]), *rows]))
    said = cli.stopped(2, "select t.csv --target y --method wrap")
    command = said.rpartition("; this works: ")[2].strip()
    assert len(command.rpartition("--features ")[2].split(",")) == 12
    assert "StandardWrap on 20" in cli.run(0, command.removeprefix("fstheory "))


def test_points_are_read_from_such_a_table(cli: Cli) -> None:
    content = "Some people;;\n" + table("size;color;y", ";", color=(9, ""), size=(7, "unknown")).replace(".", ",")
    Path("t.csv").write_text(content, encoding="utf-16")
    command = cli.stopped(2, "select t.csv --target y --method rcg -k 1").rpartition("; this works: ")[2].strip()
    assert command.endswith(" -k 1 --header 2 --missing drop --na unknown --ties first")
    assert main(shlex.split(command)[1:]) == 0
    found = cli.capsys.readouterr()
    assert "fstheory: note: 30 of 120 rows dropped, which have no value in size (18), color (14)" in found.err
    assert "of them categories: color" in found.out  # and the sizes are numbers


READING = {
    "count": "n", "leave_out": "color", "bins": "3", "decimal": ",", "missing": "label", "na": "x", "delimiter": ";",
    "encoding": "utf-8", "header": "1", "keep_continuous": "",
}  # fmt: skip


@pytest.mark.one_in(10)
@pytest.mark.parametrize("name", sorted({*_OF_TABLES} - {"target", "table", "population"}))
def test_a_table_is_read_alike_by_all_commands(cli: Cli, name: str) -> None:
    own = "id;" * (name == "keep_continuous")
    cli.write("t.csv", table(f"{own}size;color;n;y", ";").replace(".", ","))
    for command in ("report", "select -k 1", "select -k 1 --method rcg --ties first"):
        typed = f"{command} t.csv --target y --bins size=4 --{name.replace('_', '-')} {READING[name]}"
        assert main(shlex.split(typed)) == 0


def test_a_table_of_a_database_is_named(cli: Cli) -> None:
    with closing(sqlite3.connect("t.sqlite")) as database:
        database.executescript("create table days (a, y); insert into days values (1, 0), (1, 1), (2, 1)")
        database.commit()
        printed = cli.run(0, "risks t.sqlite --target y")
        database.executescript("create table weeks as select * from days")
    assert cli.run(0, "risks t.sqlite --target y --table days") == printed
    said = cli.stopped(2, "risks t.sqlite --target y")
    assert "--table must be one of days, weeks, not left out; this works: fstheory risks t.sqlite " in said
    cli.write("t.csv", "a,y\n1,0\n")
    assert "--table must be left out unless the file is a database" in cli.stopped(
        2, "risks t.csv --target y --table a"
    )


@pytest.mark.parametrize(("most", "option"), [(6, ""), (7, ""), (6, " --floats")])
def test_many_exact_differences_are_announced_with_the_faster_option(
    cli: Cli, monkeypatch: pytest.MonkeyPatch, most: int, option: str
) -> None:
    monkeypatch.setattr("fstheory.cli.samples._MANY_DIFFERENCES", most)
    cli.write("t.csv", "a,b,y\n1,2,0\n3,5,1\n7,4,1\n")
    assert main(shlex.split(f"select t.csv --target y --method rcg -k 1{option}")) == 0
    said = (
        "fstheory: note: 3 rows of 2 columns have 6 exact differences, which can take minutes; --floats is many times"
    )
    assert cli.capsys.readouterr().err.startswith(said) == (most == 6 and not option)


ON_A_SAMPLE = (
    "criterion t.csv --criterion gini", "report t.csv --out r", "select t.csv -k 1", "select t.csv --method fos",
    "importance t.csv", "risks t.csv",
)  # fmt: skip
OF_ALL_ROWS = (
    "finite-sample t.csv --method fbs --tau 1/10 --m 2,4", "select t.csv --features n --method fisher -k 1",
    "check PN-3 t.csv",
    "bound t.csv --remove n", "minimal-optimal t.csv", "draw t.csv --out t.svg", "phase-diagram t.csv --to t.csv",
    "explore t.csv --ask --out t.html", "explore t.csv --open",
)  # fmt: skip


@pytest.mark.one_in(4)
@pytest.mark.parametrize("line", ON_A_SAMPLE + OF_ALL_ROWS)
def test_a_suggested_command_is_the_command_asked_for_and_runs(
    cli: Cli, line: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[str] = []
    monkeypatch.setattr("webbrowser.open", opened.append)
    cli.write("t.csv", table("color,n,y").replace("grün", "red"))
    before, needs_all = set(Path().iterdir()), line in OF_ALL_ROWS
    said, _, command = cli.stopped(2, line).strip().rpartition("this works: fstheory ")
    assert command == line + " --population" * needs_all + " --target y"
    assert said.endswith("if these rows are all there is, ") == needs_all
    assert set(Path().iterdir()) == before
    assert not opened
    assert main(command.split()) != 2


def test_a_refusal_after_the_file_is_read_suggests_none(cli: Cli) -> None:
    names = [f"c{k}" for k in range(8)]
    cli.write("t.csv", "\n".join([",".join([*names, "y"]), *(",".join(["0"] * 8 + [str(i)]) for i in (0, 1) * 9)]))
    assert "this works" in cli.stopped(2, "minimal-optimal t.csv")
    assert "this works" not in cli.stopped(2, "explore t.csv --out t.html")  # which shows at most 7 features


def test_a_refusal_without_a_repair_that_works_suggests_none(cli: Cli) -> None:
    cli.write("t.csv", "a,y\n1,2\n1\n,2\n")
    for typed in ("report t.csv --target y", "report t.csv"):
        assert "this works" not in cli.stopped(2, typed)


CARRIED: dict[str, tuple[str, dict[str, Any]]] = {
    "wine": ("flavanoids", {"bins": 4}),
    "iris": ("petal width (cm)", {"bins": 4}),
    "diabetes": ("bmi", {"bins": {None: 4, "target": 3}}),
    "mixed": ("flavanoids", {"bins": {None: 3}, "missing": "label", "leave_out": ["code"]}),
}


def carried(name: str) -> pd.DataFrame:
    """Return a data set of scikit-learn, or a mixed one with holes made of one of them."""
    datasets = pytest.importorskip("sklearn.datasets")
    frame: pd.DataFrame = getattr(datasets, f"load_{name if name != 'mixed' else 'wine'}")(as_frame=True).frame
    if name == "mixed":
        frame = frame[["alcohol", "flavanoids", "hue", "target"]].copy()
        frame.loc[::9, "alcohol"] = None
        frame["shade"] = ["dark" if i % 3 else None for i in range(len(frame))]
        frame["code"] = [f"W{i}" for i in range(len(frame))]
    return frame


@pytest.mark.thorough(4)
@pytest.mark.parametrize("name", CARRIED)
@pytest.mark.one_in(4)
def test_data_sets_that_packages_carry(name: str, tmp_path: Path) -> None:
    frame, (best, options) = carried(name), CARRIED[name]
    s = fs.Sample.from_frame(frame, target="target", **options)
    assert best in fs.report(s, criterion="zero_one").supported.features
    assert best in fs.select(s, 2).features
    frame.to_csv(tmp_path / "t.csv", index=False)
    again = fs.distributions.read_csv(tmp_path / "t.csv", target="target", **options)
    assert (again.m, again.cardinalities) == (s.m, s.cardinalities)
    assert sorted(again.counts) == sorted(s.counts)  # of the same rows, in the order of texts
    assert [edges.partition("| ")[0] for edges in again.notes] == [edges.partition("| ")[0] for edges in s.notes]


def test_the_next_command_of_a_report_has_the_option_of_its_question_and_works(cli: Cli) -> None:
    rows = [f"{i // 5},{i % 3},{(i // 5 + i) % 2}" for i in range(60)]
    cli.write("t.csv", "\n".join(["person id,x,y", *rows]))
    following = cli.run(0, "report t.csv --target y --out page").partition("\nWhat to do next\n")[2].split("\n")
    assert following[1].strip() == "fstheory report t.csv --target y --out page --groups 'person id'"
    assert f"<code>{following[1].strip()}</code>".replace("'", "&#x27;") in Path("page/report.html").read_text("utf-8")
    answered = cli.run(0, *shlex.split(following[1])[1:]).partition("\nWhat to do next\n")[2]
    assert answered.split("\n")[1].endswith(" --groups 'person id' --details")
