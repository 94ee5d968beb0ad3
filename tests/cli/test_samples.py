"""What `fstheory finite-sample`, and `fstheory select` of a sample or of points, print, draw and refuse."""

import json
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from scipy import stats

import fstheory as fs
from fstheory._support.progress import Clock
from fstheory._support.result import to_json
from fstheory.errors import ArbitraryChoiceWarning
from fstheory.points.certainty import select_by_certainty_gain
from fstheory.points.mixed import MixedPoints
from fstheory.samples.methods import Method
from tests.cli.own import Cli

XOR = fs.gallery.xor()


def test_laws_by_sample_size(cli: Cli) -> None:
    printed = cli.run(0, "finite-sample xor --method fbs --tau 1/10 --m 5,3 --out curve.svg")
    method = fs.FBS(tau="1/10", ties="first")
    head, three, five, wrote = printed.rstrip("\n").split("\n\n")
    assert head == "FBS with tau 1/10, ties first, estimate resubstitution"
    assert three == str(fs.selection_law(XOR, 3, method))
    assert five == str(fs.selection_law(XOR, 5, method))
    assert wrote == "Wrote curve.svg"
    assert "FBS on m samples" in cli.read("curve.svg")


@pytest.mark.parametrize(
    ("typed", "method", "head"),
    [
        ("fos --estimate leave-one-out", fs.FOS(tau="1/20", estimate="leave-one-out"), "tau 1/20, estimate"),
        ("fbs --holdout 2 --ties uniform", fs.FBS(tau="1/20", ties="uniform", holdout=2), "ties uniform, estimate"),
        ("wrap --holdout 1/4", fs.StandardWrap(holdout="1/4", ties="first"), "StandardWrap with holdout 1/4, ties"),
        ("ordered --holdout 1 --ties uniform", fs.OrderedFS(holdout=1, ties="uniform"), "holdout 1, ties uniform"),
        ("none", fs.NoSelection(), "NoSelection"),
        ("fbs --inducer 1-nn --estimate 2-fold", fs.FBS(inducer="1-nn", estimate="2-fold"), "FBS (1-nn) with tau 1/20"),
    ],
)
def test_the_method_that_is_typed(typed: str, method: Method, head: str, cli: Cli) -> None:
    printed = cli.run(0, f"finite-sample xor --m 4 --method {typed}")
    assert head in printed.splitlines()[0]
    assert printed.endswith(f"\n\n{fs.selection_law(XOR, 4, method)}\n")


def test_json_tells_exact_from_estimated(cli: Cli) -> None:
    typed = "finite-sample xor --method fos --m 2,12 --work 500 --trials 60 --seed 3"
    document = cli.json(0, typed)
    method = fs.FOS(tau="1/20")
    curve = fs.samples.law_curve(XOR, method, [2, 12], work=500, trials=60, rng=3)
    assert document == json.loads(json.dumps(curve.to_dict()))
    exact, estimated = document["points"]
    law = fs.selection_law(XOR, 2, method)
    assert (exact["engine"], Fraction(exact["success"]), exact["bayes_risk"]) == (law.engine, law.success, "0")
    assert {frozenset(subset): Fraction(p) for subset, p in exact["probabilities"]} == {
        subset: p for subset, p in law.probabilities.items() if p
    }
    assert (estimated["engine"], estimated["trials"]) == ("simulation", 60)
    ends = [f"{end:.6g}" for end in curve[12].success_interval()]
    assert estimated["success"] == {"estimate": f"{curve[12].success:.6g}", "interval": ends}
    plain = [fs.selection_law(XOR, m, fs.NoSelection()).expected_risk for m in (2, 12)]
    assert list(map(Fraction, document["without_selection"])) == plain
    assert "; seed 3\n" in cli.run(0, typed)


def test_a_run_goes_on_from_its_file(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    typed = "finite-sample xor --method fbs --m 3 --resume run.json"
    expected = cli.run(0, typed)
    assert json.loads(cli.read("run.json").partition("\t")[0])["about"] == "run on samples"
    assert cli.run(0, typed) == expected
    assert "resume must be the file of this run on samples" in cli.stopped(2, typed.replace("--m 3", "--m 4"))
    with monkeypatch.context() as patch:
        patch.setattr(Clock, "tick", interrupt)
        assert "the same command goes on from other.json" in cli.stopped(130, f"{typed} --resume other.json")
    assert cli.run(0, f"{typed} --resume other.json") == expected


def test_a_selection_from_rows_goes_on_from_its_file(cli: Cli) -> None:
    """Whoever works."""
    cli.write("rows.csv", "\n".join(["a,b,c,y", *(f"{i % 7},{i % 5},{i % 6},{i % 6 + i % 11 > 7}" for i in range(90))]))
    typed = "select rows.csv --target y --method"
    calls = [f"{typed} wrap", f"{typed} greedy -k 2", f"{typed} rcg --ties first", "report rows.csv --target y"]
    for call, about in zip(calls, ("run on samples", "supported features", "selection", "supported"), strict=True):
        answer = cli.run(0, call).partition("\nWhat to do next\n")[0]
        for workers in ("--workers 1", "--workers 2"):
            assert cli.run(0, f"{call} --resume run.json {workers}").partition("\nWhat to do next\n")[0] == answer
        assert about in json.loads(cli.read("run.json").partition("\t")[0])["about"]
        (cli.folder / "run.json").unlink()
    for kept, told in {
        "xor": "unless SOURCE is a sample",
        "rows.csv --target y --batches counts": "with --batches",
    }.items():
        assert f"--resume must be left out {told}" in cli.stopped(2, f"select {kept} -k 1 --resume f")


def test_rows_are_read_in_batches(cli: Cli) -> None:
    """The answers are those for all rows; where counts alone are kept, what asks for rows is refused or left out."""
    rows = pd.DataFrame({"a": [i % 7 for i in range(90)], "b": [i % 2 for i in range(90)]}).astype(str)
    cli.write("rows.csv", rows.assign(y=[f"no{i % 3 > 0}" for i in range(90)]).to_csv(index=False))
    pytest.importorskip("pyarrow")
    Path("data").mkdir()
    pd.read_csv("rows.csv", dtype=str).to_parquet("data/1.parquet", row_group_size=20)
    select, whole = "--target y -k 1", cli.run(0, "select rows.csv --target y -k 1")
    rows.assign(y=[f"no{i % 3 > 0}" for i in range(90)]).to_csv("own.csv", sep=":", index=False, encoding="utf-16-le")
    Path("caf.csv").write_bytes(b"a,b,y\n1,caf\xe9,x\n2,b,z\n")
    for typed in (
        "own.csv --batches rows --delimiter : --encoding utf-16-le",
        "data/",
        "data/1.parquet --batches rows",
        "rows.csv --batches rows --workers 2",
    ):
        assert cli.run(0, f"select {typed} {select}") == whole
    assert whole.startswith(cli.run(0, f"select rows.csv {select} --batches counts").rstrip())
    assert "read them with --batches rows" in cli.stopped(2, "report data/ --target y --batches counts")
    cli.write("counted.csv", rows.assign(n=2, y="no").to_csv(index=False))
    counted = cli.run(0, "select counted.csv --target y -k 1 --count n --batches rows")
    assert counted == cli.run(0, "select counted.csv --target y -k 1 --count n")
    assert "--population must be left out if rows are" in cli.stopped(2, f"select data/ {select} --population")
    cli.run(0, f"select caf.csv {select} --batches rows --encoding cp1252")
    assert "--batches rows --encoding latin-1" in cli.stopped(
        2, f"select caf.csv {select} --batches rows --encoding ascii"
    )
    assert "SOURCE must be CSV, Feather, or a file or folder of Parquet" in cli.stopped(2, f"select xor/ {select}")
    assert "this works: fstheory select data/ -k 1 --target y" in cli.stopped(2, "select data/ -k 1")


def test_the_design_of_rows(cli: Cli) -> None:
    """Columns of groups and of time are read as they are, also beside --features, and in batches."""
    rows = [(100 + i // 4, i % 4, i % 3, i // 4 % 2, 1 + i % 2) for i in range(120)]
    cli.write("visits.csv", "\n".join(["id,day,dose,sick,n", *(",".join(map(str, row)) for row in rows)]))
    typed = "report visits.csv --target sick --groups id --time day --count n"
    whole = cli.run(0, typed).partition("\nWhat to do next\n")[0]
    assert "Each group of rows with the same id counts as one row: 30 groups." in whole
    for same in ("--features dose", "--batches rows"):
        assert cli.run(0, f"{typed} {same}").partition("\nWhat to do next\n")[0] == whole
    assert "dose    kept" in cli.run(0, f"{typed} --always dose")
    assert "day & dose" in cli.run(0, "report visits.csv --target sick --together day,dose --leave-out id,n")
    assert "(--groups id)" in cli.run(0, "report visits.csv --target sick --leave-out n")
    assert "at most 1 in 20 is called so" in cli.run(0, f"{typed} --control fdr --details").replace("\n", " ")
    for fault, command in {
        "--groups must be left out unless SOURCE is a sample": "report xor --groups X1",
        "--control must be left out unless SOURCE is a sample": "report xor --control fdr",
        "column 'person' does not exist": "report visits.csv --target sick --groups person",
        "--always must be made of distinct names": "report visits.csv --target sick --groups id --always dose,dose",
    }.items():
        assert fault in cli.stopped(2, command)


def test_what_chance_decided_is_noted(cli: Cli) -> None:
    """In the words of the warning of the library, the options of the command, the text and the JSON."""
    rows = [f"{i % 7},{i % 5},{i % 2},{'no' if i % 31 else 'yes'}" for i in range(124)]
    cli.write("rare.csv", "\n".join(["a,b,c,y", *rows]))
    s = fs.distributions.read_csv("rare.csv", target="y")
    tie = "all 3 candidates tie under the 0-1 loss, and their order decides: "
    few = "the table of {} columns has 1.8 rows for each state that occurs, and chance decides: "
    searches: list[tuple[str, str, Callable[[], object]]] = [
        ("-k 1", f"in step 1 {tie}", lambda: fs.select(s, 1)),
        ("-k 3 --criterion log", "in step 2 the table of 2 columns", lambda: fs.select(s, 3, "logarithmic")),
        ("-k 3 --method exhaustive", few.format(3), lambda: fs.select(s, 3, method="exhaustive")),
        ("-k 1 --method greedy-backward", few.format(3), lambda: fs.select(s, 1, method="greedy-backward")),
        ("--delta 1/10 --method backward", few.format(3), lambda: fs.cmi_elimination(s, fs.selection.ErrorRule("0.1"))),
        ("--method fbs", few.format(3), lambda: fs.fit(s, fs.FBS(tau="1/20", ties="first"))),
        ("--method fbs", "the 0-1 loss sees little", lambda: fs.fit(s, fs.FBS(tau="1/20", ties="first"))),
    ]
    for typed, words, search in searches:
        with pytest.warns(ArbitraryChoiceWarning, match=words) as caught:
            search()
        assert caught[0].filename == __file__
        command = f"select rare.csv --target y {typed}"
        assert words in " ".join(cli.run(0, command).split())
        notes = "; ".join(cli.json(0, command)["notes"])
        assert words in notes
        assert "criterion=" not in notes
        assert "SupportedFeaturesSelector" not in notes


@pytest.mark.one_in(4)
@pytest.mark.parametrize(
    ("typed", "method"),
    [
        ("fbs", fs.FBS(tau="1/20", ties="first")),
        ("fos --tau 1/100 --estimate leave-one-out", fs.FOS(tau="1/100", estimate="leave-one-out")),
        ("wrap --holdout 1/4 --ties uniform --seed 5", fs.StandardWrap(holdout="1/4", ties="uniform")),
        ("ordered", fs.OrderedFS(holdout="3/10", ties="first")),
    ],
)
def test_select_runs_a_method_on_rows(typed: str, method: Method, cli: Cli) -> None:
    """With what the rows say of the features, and which they support."""
    drawn = fs.sample(fs.gallery.titanic(), 300, rng=3).empirical().to_pmf()
    counts = [",".join((*cell, str(300 * p))) for cell, p in drawn.items()]  # type: ignore[arg-type]
    cli.write("some.csv", "\n".join(["class,sex,age,survived,seen", *counts]))
    s = fs.distributions.read_csv("some.csv", target="survived", count="seen")
    seed = 5 if "--seed" in typed else 0
    found = fs.fit(s, method, rng=seed)
    command = f"select some.csv --target survived --count seen --method {typed}"
    printed = cli.run(0, command)
    estimates = fs.samples.risk_estimates(s, found.features)
    for part in (found, estimates, fs.samples.supported_features(s, rng=seed)):
        assert str(part) in printed
    assert "too small on average as estimates for others" in printed
    document = cli.json(0, command)
    about = document.pop("rows")
    assert document == found.to_dict() | {
        "notes": [],
        "samples": s.m,
        "training_samples": found.training.m,
        "seed": seed,
    }
    assert about["estimates"] == to_json(estimates, s.features)
    assert seed or about["supported"] == fs.report(s).to_dict()["supported"]


MIXED = [
    ("0.1", "red", "a"), ("0.30", "red", "a"), ("0.2", "blue", "a"), ("0.7", "red", "a"), ("1.5", "red", "b"),
    ("1.35", "blue", "b"), ("1.61", "red", "b"), ("2.2", "blue", "b"), ("0.9", "blue", "b"),
]  # fmt: skip


MIXED_CSV = "\n".join(["dose,color,class", *map(",".join, MIXED)])
BY_GAIN = "select mixed.csv --target class --method rcg"


@pytest.mark.filterwarnings("ignore::fstheory.errors.ArbitraryChoiceWarning")
@pytest.mark.parametrize(
    ("typed", "points", "options"),
    [
        ("--ties first", {}, {}),
        ("--ties first --graph 1nn --null exact -k 1", {}, {"graph": "1nn", "null": "exact", "max_features": 1}),
        ("--ties first --null permutation --trials 99 --seed 4", {}, {"null": "permutation", "trials": 99, "rng": 4}),
        ("--ties first --null printed --categories vdm2", {"categories": "vdm2"}, {"null": "printed"}),
        ("--ties all --graph 1nn --numbers range --floats", {"numbers": "range", "exact": False}, {"graph": "1nn"}),
        (
            "--ties first --null Z --numbers wvdm --categories vdm2",
            {"numbers": "wvdm", "categories": "vdm2"},
            {"null": "Z"},
        ),
        ("--ties first --categorical dose", {"categorical": ["dose"]}, {}),
    ],
)
def test_select_by_the_certainty_gain(typed: str, points: dict[str, Any], options: dict[str, Any], cli: Cli) -> None:
    table = [row[:2] for row in MIXED]
    settings: dict[str, Any] = {"categories": "overlap", "exact": True, **points}
    given = MixedPoints(table, [row[2] for row in MIXED], features=["dose", "color"], **settings)
    ties: Any = "all" if "all" in typed else "first"
    found = select_by_certainty_gain(given, ties=ties, **options)
    cli.write("mixed.csv", MIXED_CSV)
    printed = cli.run(0, f"{BY_GAIN} {typed}")
    assert str(found) in printed
    assert max(map(len, printed.splitlines())) <= 100
    assert ("looks at the classes" in printed) == given.sees_labels
    document = cli.json(0, f"{BY_GAIN} {typed}")
    assert (document["features"], document["samples"]) == (list(found.features), len(MIXED))
    assert document["settings"]["distances"] == ("exact" if settings["exact"] else "floats")
    null, hidden = options.get("null", "moments"), {"evidence", "rivals"}
    for step, row in zip(found.trace, document["trace"], strict=True):
        if null != "permutation":
            assert row == to_json(step)
            continue
        assert "estimates from 99 permutations" in printed  # an estimate is no exact number, and has an interval
        hits = int(-step.evidence * 100) - 1
        ends = [f"{end:.6g}" for end in stats.binomtest(hits, 99).proportion_ci(0.95, method="exact")]
        estimate = {"p_value": {"estimate": f"{(hits + 1) / 100:.6g}", "interval": ends}}
        assert row == {key: part for key, part in to_json(step).items() if key not in hidden} | estimate


@pytest.mark.thorough
def test_a_picture_of_the_selection(cli: Cli) -> None:
    cli.write("mixed.csv", MIXED_CSV)
    assert cli.run(0, f"{BY_GAIN} --ties first --out graph.svg").endswith("\n\nWrote graph.svg\n")
    *_, last = [row for row in cli.json(0, f"{BY_GAIN} --ties first")["trace"] if row["accepted"]]
    assert f"relative certainty gain {last['gain']['value']} in" in cli.read("graph.svg")
    cli.run(0, "select titanic -k 2 --out path.svg")
    assert cli.read("path.svg") == fs.select(fs.gallery.titanic(), 2).plot().to_svg()
