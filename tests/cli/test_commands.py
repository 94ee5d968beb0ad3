"""What the commands print and write is what the library answers."""

from __future__ import annotations

import io
import shlex
from pathlib import Path
from typing import Any

import pytest

import fstheory
from fstheory import JointDistribution, adversarial, bayes_risks
from fstheory._support.result import to_json
from fstheory.cli import main
from fstheory.distributions import gallery
from fstheory.lattice.extensions import linear_extension_with, random_linear_extension
from fstheory.papers import NgSettings, run_experiment
from fstheory.reports.of_distribution import report
from fstheory.selection.optimal import minimal_optimal
from tests.cli.own import answers, run, run_json


@pytest.fixture
def people(tmp_path: Path) -> str:
    path = tmp_path / "people.csv"
    path.write_text("sex,seen,age,out\nf,3,young,yes\nm,2,old,no\nf,1,old,?\nm,1,young,yes\n", encoding="utf-8")
    return str(path)


def test_report_prints_the_summary_and_writes_the_folder(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    out = tmp_path / "report"
    printed = run(capsys, 0, "report titanic --out", str(out))
    expected = report(gallery.titanic(), name="titanic")
    assert printed.startswith(expected.summary())
    assert (out / "report.json").read_text(encoding="utf-8") == expected.to_json() + "\n"
    assert (out / "report.html").read_text(encoding="utf-8") == expected.to_html()
    files = ["lattice-risk.svg", "lattice.svg", "report.html", "report.json"]
    assert sorted(path.name for path in out.iterdir()) == files
    assert all(name in printed for name in files)


def test_report_says_why_there_is_no_drawing(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    eight = tmp_path / "eight.json"
    eight.write_text(gallery.random((2,) * 8, rng=1).to_json(), encoding="utf-8")
    printed = run(capsys, 0, "report", str(eight), "--out", str(tmp_path / "report"))
    *_, written, reason = printed.splitlines()
    assert written == f"Wrote report.html, report.json in {tmp_path / 'report'}"
    assert reason.startswith("No drawing: of the 256 subsets at most 128 can be drawn")


def test_report_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert run_json(capsys, 0, "report xor --name mine")["name"] == "mine"


def test_risks(capsys: pytest.CaptureFixture[str]) -> None:
    risks = bayes_risks(gallery.titanic())
    answers(capsys, risks, "risks titanic")
    answers(capsys, risks.restrict(sizes=[0, 2]), "risks titanic --k 2 --k 0")
    answers(capsys, bayes_risks(gallery.titanic().marginal(["sex", "age"])), "risks titanic --features", "age, sex")


@pytest.mark.parametrize("method", ["backward", "one-shot", "resampling", "exhaustive"])
def test_minimal_optimal(capsys: pytest.CaptureFixture[str], method: Any) -> None:
    answers(capsys, minimal_optimal(gallery.load("asia"), method), "minimal-optimal asia --method", method)


def test_search_order(capsys: pytest.CaptureFixture[str]) -> None:
    found = [
        run_json(capsys, 0, "minimal-optimal recoded --search-order", order)["features"]
        for order in ("X1,X2,X3", "X3,X1,X2")
    ]
    assert found == [["X3"], ["X1", "X2"]]


def test_a_csv(capsys: pytest.CaptureFixture[str], people: str) -> None:
    options = ("--target", "out", "--count", "seen", "--features", "age,sex", "--population")
    document = run_json(capsys, 0, "report", people, *options)
    assert (document["name"], document["total_weight"]) == ("people", "7")
    assert [feature["name"] for feature in document["features"]] == ["age", "sex"]


def test_a_csv_is_a_sample(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """The same commands, of what the library says of a sample, marked as such; with --population of all there is."""
    s = fstheory.sample(gallery.titanic(), 200, rng=3)
    frame = [",".join((*s.features, s.target))]
    for row, times in zip(s.codes.tolist(), s.counts.tolist(), strict=True):
        frame += [",".join(str(s.states[name][i]) for name, i in zip(s.states, row, strict=True))] * times
    path = tmp_path / "some.csv"
    path.write_text("\n".join(frame), encoding="utf-8")
    source = (str(path), "--target", "survived")
    read = fstheory.distributions.read_csv(path, target="survived")
    printed = run(capsys, 0, "report", *source, "--out", str(tmp_path / "report"))
    assert printed.startswith(report(read, name="some").summary())
    assert printed.endswith(f"Wrote report.html, report.json in {tmp_path / 'report'}\n")
    assert run_json(capsys, 0, "report", *source)["schema"] == "fstheory/sample-report"
    assert run_json(capsys, 0, "report", *source, "--population")["schema"] == "fstheory/report"
    for command in ("risks", "criterion --criterion gini", "select -k 1"):
        name, *options = command.split()
        assert run(capsys, 0, name, *source, *options).startswith("Plug-in values")
        document = run_json(capsys, 0, name, *source, *options)
        assert (document["samples"], document["estimate"]) == (200, "plug-in")
        if name == "select":  # what else is said of rows is tested with its command
            assert (document.pop("rows")["estimates"]["folds"], document.pop("seed")) == (10, 0)
        of_all = run_json(capsys, 0, name, *source, *options, "--population")
        assert {**of_all, "samples": 200, "estimate": "plug-in"} == document
    rows = run_json(capsys, 0, "risks", *source, "--k", "2")["rows"]
    assert rows == bayes_risks(read, max_size=2).restrict(sizes=[2]).to_dict()["rows"]


@pytest.mark.parametrize(
    "command", ["minimal-optimal", "bound --remove a", "draw --out x.svg", "select --method fisher"]
)
def test_commands_about_distributions_refuse_a_sample(
    capsys: pytest.CaptureFixture[str], people: str, command: str
) -> None:
    name, *options = command.split()
    more = ("--target", "out", *options, *(("-k", "1") if name == "select" else ()))
    assert main([name, people, *more]) == 2
    assert "add --population if these counts are all there is" in capsys.readouterr().err


ORDER = "X1X2 < X2 < X1 < {}"


def test_adversarial_order(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    subsets = [{"X1", "X2"}, {"X2"}, {"X1"}, set[str]()]
    options = ("--cardinalities", "2,3", "--classes", "3", "--alpha", "3/4", "--target", "Z")
    printed = run(capsys, 0, "adversarial --order", ORDER, *options)
    expected = adversarial(subsets, cardinalities=(2, 3), classes=3, alpha="3/4", target="Z")
    assert JointDistribution.from_json(printed) == expected
    out = tmp_path / "d.json"
    assert run(capsys, 0, "adversarial --order", ORDER, *options, "--out", str(out)) == f"Wrote {out}\n"
    assert JointDistribution.from_json(out.read_text(encoding="utf-8")) == expected


@pytest.mark.parametrize(
    ("order", "features", "ordering"),
    [
        ("{sex, age} < {age} < sex < {}", None, ("sex", "age")),  # in the order of the first subset
        ("sex,age < age < sex < ∅", ("age", "sex"), ("age", "sex")),
        ("X2X1 < X2 < X1 < {}", None, ("X1", "X2")),  # standard names in the standard order
        ("X1X2<X1<X2<", "2", ("X1", "X2")),
    ],
)
def test_names_in_an_order(
    capsys: pytest.CaptureFixture[str], order: str, features: Any, ordering: tuple[str, ...]
) -> None:
    more = () if features is None else ("--features", ",".join(features))
    d = JointDistribution.from_json(run(capsys, 0, "adversarial --order", order, *more))
    assert d.features == ordering
    assert bayes_risks(d).ordering().is_strict


def test_adversarial_wishes(capsys: pytest.CaptureFixture[str]) -> None:
    wishes = ["X1X3 before X2X4", "X4 < X1X2"]
    printed = run(capsys, 0, "adversarial --wish", wishes[0], "--wish", wishes[1], "--features", "4")
    assert JointDistribution.from_json(printed) == adversarial(linear_extension_with(wishes, 4))


def test_adversarial_at_random(capsys: pytest.CaptureFixture[str]) -> None:
    printed = run(capsys, 0, "adversarial --random 7 --cardinalities 2,3,2")
    expected = adversarial(random_linear_extension(3, rng=7), cardinalities=(2, 3, 2))
    assert JointDistribution.from_json(printed) == expected
    many = ("adversarial", "--random", "7", "--features", "8", "--sampling", "sequential")
    assert len(JointDistribution.from_json(run(capsys, 0, *many)).features) == 8


def test_json_through_a_pipe(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    made = run(capsys, 0, "adversarial --order", ORDER)
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(made.encode()), encoding="utf-8"))
    rows = run_json(capsys, 0, "risks -")["rows"]
    assert [row["subset"] for row in rows] == [["X1", "X2"], ["X2"], ["X1"], []]


@pytest.mark.parametrize("suffix", ["svg", "PNG"])
def test_draw(capsys: pytest.CaptureFixture[str], tmp_path: Path, suffix: str) -> None:
    out = tmp_path / f"l.{suffix}"
    run(capsys, 0, "draw copies --out", str(out), "--view", "risk", "--mark-best", "--path", "--k", "1")
    risks, found = bayes_risks(gallery.copies()), minimal_optimal(gallery.copies())
    expected = risks.plot(
        view="risk", minimal=risks.minimal_sets(), path=found.path, optimal=risks.best_of_size(1).subsets
    )
    data = out.read_bytes()
    assert data == (expected.to_svg().encode() if suffix == "svg" else expected.to_png())


def test_explore(capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    out, other, opened = tmp_path / "page.html", tmp_path / "other.json", list[str]()
    monkeypatch.setattr("webbrowser.open", opened.append)
    assert run(capsys, 0, "explore copies --name Copies --open --out", str(out)) == f"Wrote {out}\n"
    assert "<h1>Copies</h1>" in out.read_text(encoding="utf-8")
    assert opened == [out.as_uri()]
    other.write_text(gallery.copies().to_json(), encoding="utf-8")
    run(capsys, 0, "explore copies --to", str(other), "--out", str(out))
    assert '"stops"' in out.read_text(encoding="utf-8")


def test_phase_diagram(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    first = JointDistribution([[[3, 0], [2, 1]], [[1, 2], [0, 3]]])
    diagram = fstheory.phase_diagram(first, JointDistribution([[[3, 0], [1, 2]], [[2, 1], [0, 3]]]))
    ends, out = [tmp_path / name for name in ("one.json", "other.json")], tmp_path / "picture.svg"
    for path, t in zip(ends, (0, 1), strict=True):
        path.write_text(diagram.family.at(t).to_json(), encoding="utf-8")
    command = f"phase-diagram {ends[0]} --to {ends[1]} --k 1"
    lines = run(capsys, 0, command, "--out", str(out)).splitlines()
    best = [f"  {stretch}" for stretch in diagram.best_of_size(1)]
    assert lines[:3] == str(diagram).splitlines()
    assert lines[-5:] == ["best of size 1", *best, f"Wrote {out}"]
    assert out.read_text(encoding="utf-8").startswith("<?xml")
    document = run_json(capsys, 0, command)
    assert document["critical_values"] == [{"t": "1/2", "ordering": str(diagram.ordering_at("1/2"))}]
    assert document["intervals"] == to_json(diagram.intervals)
    assert document["intervals"][1]["ordering"] == "X2 = X1X2 < X1 < {}"
    assert document["best"]["best of size 1"] == to_json(diagram.best_of_size(1))


def test_gallery(capsys: pytest.CaptureFixture[str]) -> None:
    lines = run(capsys, 0, "gallery").splitlines()
    assert [line.split()[0] for line in lines] == list(gallery.names())
    assert gallery.describe("titanic") in lines[0]
    entries = run_json(capsys, 0, "gallery")["entries"]
    assert [(e["name"], e["description"]) for e in entries] == [(n, gallery.describe(n)) for n in gallery.names()]
    assert str(gallery.titanic()) in run(capsys, 0, "gallery titanic")
    assert JointDistribution.from_json(run(capsys, 0, "gallery titanic --json")) == gallery.titanic()


QUICK = ("", "report", "risks", "minimal-optimal", "criterion", "select", "bound", "adversarial", "draw", "gallery")


@pytest.mark.parametrize("command", QUICK)
def test_help_has_an_example_that_runs(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: str
) -> None:
    with pytest.raises(SystemExit) as stop:
        main([*command.split(), "--help"])
    assert stop.value.code == 0
    text = capsys.readouterr().out
    assert max(map(len, text.splitlines())) <= 100
    example = shlex.split(text[text.index("example: fstheory ") :].removeprefix("example: fstheory "))
    monkeypatch.chdir(tmp_path)
    run(capsys, 0, *example)


def test_version(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stop:
        main(["--version"])
    assert (stop.value.code, capsys.readouterr().out) == (0, f"fstheory {fstheory.__version__}\n")


def test_an_experiment_is_written_and_resumed(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With settings that take a second."""
    tiny = NgSettings(trials=10, width=2, samples=(10,), all_features=3, bits_samples=(10,), bits_work=1, bits_trials=9)
    monkeypatch.setattr(NgSettings, "quick", lambda: tiny)
    out = tmp_path / "ng"
    command = "experiment ng-1998 --quick --figure 3 --workers 1 --out"
    printed = run(capsys, 0, command, str(out))
    found = run_experiment("ng-1998", [3], settings=tiny)
    assert printed.startswith(str(found))
    names = ["figure-3.png", "figure-3.svg", "ng-1998.json", "trials.json"]
    assert sorted(path.name for path in out.iterdir()) == names
    assert main([*command.split(), str(out)]) == 2
    assert "--out must be a folder without the trials of an earlier run" in capsys.readouterr().err
    assert run(capsys, 0, command, str(out), "--resume") == printed
    for wrong, message in {
        "--resume": "--resume must come with --out",
        "--figure 6": "figures must be some of",
        "--figure table-1": "figures must be some of",
    }.items():
        assert main(["experiment", "ng-1998", "--quick", *wrong.split()]) == 2
        assert message in capsys.readouterr().err
