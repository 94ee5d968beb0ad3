"""What the commands print and write is what the library answers."""

from __future__ import annotations

import io
import shlex
import time
from typing import Any

import pytest

import fstheory
from fstheory import JointDistribution, adversarial, bayes_risks
from fstheory._support.result import to_json
from fstheory.cli import main
from fstheory.cli.options import Progress
from fstheory.distributions import gallery
from fstheory.lattice.extensions import linear_extension_with, random_linear_extension
from fstheory.papers import NgSettings, run_experiment
from fstheory.reports.of_distribution import report
from fstheory.selection.optimal import minimal_optimal
from tests.cli.own import Cli

PEOPLE = "sex,seen,age,out\nf,3,young,yes\nm,2,old,no\nf,1,old,?\nm,1,young,yes\n"


def test_report_prints_the_summary_and_writes_the_folder(cli: Cli) -> None:
    printed = cli.run(0, "report titanic --out report")
    expected = report(gallery.titanic(), name="titanic")
    assert printed.startswith(expected.summary())
    assert cli.read("report/report.json") == expected.to_json() + "\n"
    assert cli.read("report/report.html") == expected.to_html()
    files = ["lattice-risk.svg", "lattice.html", "lattice.svg", "report.html", "report.json"]
    assert sorted(path.name for path in (cli.folder / "report").iterdir()) == files
    assert all(name in printed for name in files)
    cli.write("eight.json", gallery.random((2,) * 8, rng=1).to_json())
    *_, written, reason = cli.run(0, "report eight.json --out report").splitlines()
    assert written == "Wrote report.html, report.json in report"
    assert reason.startswith("No drawing: of the 256 subsets at most 128 can be drawn")


def test_risks(cli: Cli) -> None:
    risks = bayes_risks(gallery.titanic())
    cli.answers(risks, "risks titanic")
    cli.answers(risks.restrict(sizes=[0, 2]), "risks titanic --k 2 --k 0")
    cli.answers(bayes_risks(gallery.titanic().marginal(["sex", "age"])), "risks titanic --features", "age, sex")


@pytest.mark.parametrize("method", ["backward", "one-shot", "resampling", "exhaustive"])
def test_minimal_optimal(cli: Cli, method: Any) -> None:
    cli.answers(minimal_optimal(gallery.load("asia"), method), "minimal-optimal asia --method", method)
    orders = {"X1,X2,X3": ["X3"], "X3,X1,X2": ["X1", "X2"]}
    for order, found in orders.items() if method == "backward" else ():
        assert cli.json(0, "minimal-optimal recoded --search-order", order)["features"] == found


def test_a_csv(cli: Cli) -> None:
    cli.write("people.csv", PEOPLE)
    options = "--target out --count seen --features age,sex --population --name"
    document = cli.json(0, f"report people.csv {options}", "mine")
    assert (document["name"], document["total_weight"]) == ("mine", "7")
    assert [feature["name"] for feature in document["features"]] == ["age", "sex"]


def test_a_csv_is_a_sample(cli: Cli) -> None:
    """The same commands, of what the library says of a sample, marked as such; with --population of all there is."""
    rows = gallery.titanic().support() * 20
    cli.write("some.csv", "\n".join(map(",".join, [("class", "sex", "age", "survived"), *rows])))  # type: ignore[arg-type]
    read = fstheory.distributions.read_csv("some.csv", target="survived")
    source = "some.csv --target survived"
    printed = cli.run(0, f"report {source} --out report")
    assert printed.startswith(report(read, name="some").summary())
    assert printed.endswith("Wrote report.html, report.json, risks.svg, columns.svg in report\n")
    assert cli.json(0, f"report {source}")["schema"] == "fstheory/sample-report"
    assert cli.json(0, f"report {source} --population")["schema"] == "fstheory/report"
    for command in ("risks", "criterion --criterion gini", "select -k 1"):
        name, _, options = command.partition(" ")
        assert cli.run(0, f"{name} {source} {options}").startswith("Plug-in values")
        document = cli.json(0, f"{name} {source} {options}")
        assert (document["samples"], document["estimate"]) == (len(rows), "plug-in")
        if name == "select":  # what else is said of rows is tested with its command
            assert (document.pop("rows")["estimates"]["folds"], document.pop("seed")) == (10, 0)
        of_all = cli.json(0, f"{name} {source} {options} --population")
        assert {**of_all, "samples": len(rows), "estimate": "plug-in", "notes": []} == document
    found = cli.json(0, f"risks {source} --k 2")["rows"]
    assert found == bayes_risks(read, max_size=2).restrict(sizes=[2]).to_dict()["rows"]


@pytest.mark.parametrize(
    "command", ["minimal-optimal", "bound --remove a", "draw --out x.svg", "select --method fisher -k 1"]
)
def test_commands_about_distributions_refuse_a_sample(cli: Cli, command: str) -> None:
    name, _, options = command.partition(" ")
    cli.write("people.csv", PEOPLE)
    told = cli.stopped(2, f"{name} people.csv --target out {options}")
    assert "add --population if these counts are all there is" in told


ORDER = "X1X2 < X2 < X1 < {}"


def test_adversarial_order(cli: Cli) -> None:
    subsets = [{"X1", "X2"}, {"X2"}, {"X1"}, set[str]()]
    options = ("--cardinalities", "2,3", "--classes", "3", "--alpha", "3/4", "--target", "Z")
    printed = cli.run(0, "adversarial --order", ORDER, *options)
    expected = adversarial(subsets, cardinalities=(2, 3), classes=3, alpha="3/4", target="Z")
    assert JointDistribution.from_json(printed) == expected
    assert cli.run(0, "adversarial --order", ORDER, *options, "--out", "a.json") == "Wrote a.json\n"
    assert cli.distribution("a.json") == expected


@pytest.mark.parametrize(
    ("order", "features", "ordering"),
    [
        ("{sex, age} < {age} < sex < {}", "", ("sex", "age")),  # in the order of the first subset
        ("sex,age < age < sex < ∅", "--features=age,sex", ("age", "sex")),
        ("X2X1 < X2 < X1 < {}", "", ("X1", "X2")),  # standard names in the standard order
        ("X1X2<X1<X2<", "--features=2", ("X1", "X2")),
    ],
)
def test_names_in_an_order(cli: Cli, order: str, features: str, ordering: tuple[str, ...]) -> None:
    d = JointDistribution.from_json(cli.run(0, f"adversarial {features} --order", order))
    assert d.features == ordering
    assert bayes_risks(d).ordering().is_strict


def test_adversarial_by_wishes_and_at_random(cli: Cli) -> None:
    wishes = ["X1X3 before X2X4", "X4 < X1X2"]
    printed = cli.run(0, "adversarial --features 4 --wish", wishes[0], "--wish", wishes[1])
    assert JointDistribution.from_json(printed) == adversarial(linear_extension_with(wishes, 4))
    printed = cli.run(0, "adversarial --random 7 --cardinalities 2,3,2")
    expected = adversarial(random_linear_extension(3, rng=7), cardinalities=(2, 3, 2))
    assert JointDistribution.from_json(printed) == expected
    many = cli.run(0, "adversarial --random 7 --features 8 --sampling sequential")
    assert len(JointDistribution.from_json(many).features) == 8


def test_json_through_a_pipe(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    made = cli.run(0, "adversarial --order", ORDER)
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(made.encode()), encoding="utf-8"))
    assert [row["subset"] for row in cli.json(0, "risks -")["rows"]] == [["X1", "X2"], ["X2"], ["X1"], []]


@pytest.mark.parametrize("suffix", ["svg", "PNG"])
def test_draw(cli: Cli, suffix: str) -> None:
    cli.run(0, f"draw copies --out l.{suffix} --view risk --mark-best --path --k 1")
    risks, found = bayes_risks(gallery.copies()), minimal_optimal(gallery.copies())
    expected = risks.plot(
        view="risk", minimal=risks.minimal_sets(), path=found.path, optimal=risks.best_of_size(1).subsets
    )
    data = (cli.folder / f"l.{suffix}").read_bytes()
    assert data == (expected.to_svg().encode() if suffix == "svg" else expected.to_png())


def test_explore(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    opened = list[str]()
    monkeypatch.setattr("webbrowser.open", opened.append)
    assert cli.run(0, "explore copies --name Copies --open --out page.html") == "Wrote page.html\n"
    assert "<h1>Copies</h1>" in cli.read("page.html")
    assert opened == [(cli.folder / "page.html").as_uri()]
    cli.write("other.json", gallery.copies().to_json())
    cli.run(0, "explore copies --to other.json --out page.html")
    assert '"stops"' in cli.read("page.html")


def test_phase_diagram(cli: Cli) -> None:
    first = JointDistribution([[[3, 0], [2, 1]], [[1, 2], [0, 3]]])
    diagram = fstheory.phase_diagram(first, JointDistribution([[[3, 0], [1, 2]], [[2, 1], [0, 3]]]))
    for name, t in (("one.json", 0), ("other.json", 1)):
        cli.write(name, diagram.family.at(t).to_json())
    command = "phase-diagram one.json --to other.json --k 1"
    lines = cli.run(0, command, "--out", "picture.svg").splitlines()
    best = [f"  {stretch}" for stretch in diagram.best_of_size(1)]
    assert lines[:3] == str(diagram).splitlines()
    assert lines[-5:] == ["best of size 1", *best, "Wrote picture.svg"]
    assert cli.read("picture.svg").startswith("<?xml")
    document = cli.json(0, command)
    assert document["critical_values"] == [{"t": "1/2", "ordering": str(diagram.ordering_at("1/2"))}]
    assert document["intervals"] == to_json(diagram.intervals)
    assert document["best"]["best of size 1"] == to_json(diagram.best_of_size(1))


def test_gallery(cli: Cli) -> None:
    lines = cli.run(0, "gallery").splitlines()
    assert [line.split()[0] for line in lines] == list(gallery.names())
    assert gallery.describe("titanic") in lines[0]
    entries = cli.json(0, "gallery")["entries"]
    assert [(e["name"], e["description"]) for e in entries] == [(n, gallery.describe(n)) for n in gallery.names()]
    assert str(gallery.titanic()) in cli.run(0, "gallery titanic")
    assert JointDistribution.from_json(cli.run(0, "gallery titanic --json")) == gallery.titanic()


QUICK = ("", "report", "risks", "minimal-optimal", "criterion", "select", "bound", "adversarial", "draw", "gallery")


@pytest.mark.parametrize("command", QUICK)
def test_help_has_an_example_that_runs(cli: Cli, command: str) -> None:
    with pytest.raises(SystemExit) as stop:
        main([*command.split(), "--help"])
    text = cli.capsys.readouterr().out
    assert stop.value.code == 0
    assert max(map(len, text.splitlines())) <= 100
    cli.run(0, "", *shlex.split(text[text.index("example: fstheory ") :].removeprefix("example: fstheory ")))


def test_version(cli: Cli) -> None:
    with pytest.raises(SystemExit) as stop:
        main(["--version"])
    assert (stop.value.code, cli.capsys.readouterr().out) == (0, f"fstheory {fstheory.__version__}\n")


def test_an_experiment_is_written_and_resumed(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    """With settings that take a second."""
    tiny = NgSettings(trials=10, width=2, samples=(10,), all_features=3, bits_samples=(10,), bits_work=1, bits_trials=9)
    monkeypatch.setattr(NgSettings, "quick", lambda: tiny)
    command = "experiment ng-1998 --quick --figure 3 --workers 1 --out ng"
    printed = cli.run(0, command)
    assert printed.startswith(str(run_experiment("ng-1998", [3], settings=tiny)))
    names = ["figure-3.png", "figure-3.svg", "ng-1998.json", "trials.json"]
    assert sorted(path.name for path in (cli.folder / "ng").iterdir()) == names
    assert "--out must be a folder without the trials of an earlier run" in cli.stopped(2, command)
    assert cli.run(0, command, "--resume") == printed
    assert "--resume must come with --out" in cli.stopped(2, "experiment ng-1998 --quick --resume")
    assert "figures must be some of" in cli.stopped(2, "experiment ng-1998 --quick --figure table-1")


def test_progress_on_a_terminal(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    monkeypatch.setenv("COLUMNS", "10")
    with Progress() as progress:
        progress("a long line of it")
        progress("short")
    assert cli.capsys.readouterr().err == "\ra long li\rshort    \r     \r"


@pytest.mark.parametrize("asked", ["", "1"])
def test_progress_in_a_file(asked: str, cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    """Only where it is asked for: to a script what is on stderr may be trouble."""
    monkeypatch.setenv("FSTHEORY_PROGRESS", asked)
    with Progress() as progress:
        progress("at once")
        now = time.monotonic()
        monkeypatch.setattr("time.monotonic", lambda: now + 11)
        progress("after eleven seconds")
        progress("right after")
    assert cli.capsys.readouterr().err == "after eleven seconds\n" * bool(asked)
