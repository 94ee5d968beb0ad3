"""What the commands print and write is what the library answers."""

from __future__ import annotations

import io
import json
import re
import shlex
import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, timedelta
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import Any
from urllib.request import url2pathname

import numpy as np
import pytest

import fstheory
from fstheory import JointDistribution, adversarial, bayes_risks, selection
from fstheory._support.exact import Exact
from fstheory._support.result import to_json
from fstheory.cli import main
from fstheory.cli.options import Progress
from fstheory.distributions import gallery
from fstheory.distributions.build import Label
from fstheory.lattice.extensions import linear_extension_with, random_linear_extension
from fstheory.measures import bounds, criteria, criterion
from fstheory.measures.bounds import BOUNDS
from fstheory.measures.criterion import Criterion
from fstheory.papers import NgSettings, run_experiment
from fstheory.reports.of_distribution import report
from fstheory.selection import networks
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


TITANIC, COPIES = gallery.titanic(), gallery.copies()
CRITERIA: dict[str, Any] = {
    "zero-one": criteria.zero_one(),
    "cost --cost 1/3 --positive no": criteria.cost_sensitive("1/3", positive="no"),
    "balanced": criteria.balanced(),
    "log": criteria.logarithmic(),
    "log --base 2": criteria.logarithmic(2),
    "gini": criteria.gini(),
    "f": criteria.f_measure(),
    "f --beta 2 --positive no": criteria.f_measure(2, positive="no"),
    "auc": criteria.auc(),
}
RULES: dict[str, Any] = {
    "--delta 1/4": selection.ErrorRule("1/4"),
    "--rule er --delta 1/4 --sharp": selection.ErrorRule("1/4", sharp=True),
    "--delta 0.25 --as-printed": selection.ErrorRule("1/4", printed=True),
    "--rule fs --delta 1/30": selection.FeatureScoreRule("1/30"),
    "--rule delta-fs --delta 1/30": selection.ScoreDifferenceRule("1/30"),
    "-k 1": selection.FeatureCountRule(1),
    "--rule count --k 2": selection.FeatureCountRule(2),
}
METHODS: dict[str, Any] = {"greedy": "greedy-forward"} | {n: n for n in ("greedy-backward", "score", "exhaustive")}
SEARCHED: dict[str, Any] = {"zero-one": "zero_one", "log": "logarithmic", "auc": "auc"}
ANSWERS: dict[str, Callable[[], Any]] = {
    "risks titanic": lambda: bayes_risks(TITANIC),
    "risks titanic --k 2 --k 0": lambda: bayes_risks(TITANIC).restrict(sizes=[0, 2]),
    "risks titanic --features age,sex": lambda: bayes_risks(TITANIC.marginal(["sex", "age"])),
    **{
        f"minimal-optimal asia --method {method}": partial(minimal_optimal, gallery.load("asia"), method)
        for method in ("backward", "forward", "one-shot", "resampling", "exhaustive")
    },
    "minimal-optimal titanic --method forward --criterion f --beta 2 --search-order age,sex,class": lambda: (
        minimal_optimal(TITANIC, "forward", criterion=criteria.f_measure(2), order=["age", "sex", "class"])
    ),
    "minimal-optimal xor --method forward --look-ahead 2 --tau 1/9": lambda: minimal_optimal(
        "xor", "forward", look_ahead=2, tau="1/9"
    ),
    **{f"criterion titanic --criterion {typed}": partial(made.table, TITANIC) for typed, made in CRITERIA.items()},
    "minimal-optimal recoded --search-order X3,X1,X2": lambda: minimal_optimal("recoded", order=["X3", "X1", "X2"]),
    "criterion xor --criterion squared": lambda: criteria.squared_error().table("xor"),
    "criterion titanic --criterion gini --k 1": lambda: criteria.gini().table(TITANIC).restrict(sizes=[1]),
    **{
        f"select titanic -k 2 --method {method} --criterion {typed}": partial(selection.select, TITANIC, 2, name, by)
        for method, by in METHODS.items()
        for typed, name in SEARCHED.items()
    },
    "select titanic --method mrmr -k 3": lambda: selection.mrmr(TITANIC, 3),
    **{
        f"select titanic --method {direction} {typed}": partial(walk, TITANIC, rule)
        for direction, walk in (("backward", selection.cmi_elimination), ("forward", selection.cmi_selection))
        for typed, rule in RULES.items()
    },
    "select copies --method backward --delta 1/4 --regression": lambda: selection.cmi_elimination(
        COPIES, selection.ErrorRule("1/4"), problem="regression"
    ),
}


@pytest.mark.one_in(2)
@pytest.mark.parametrize("line", ANSWERS)
def test_the_answer_is_that_of_the_library(cli: Cli, line: str) -> None:
    cli.answers(ANSWERS[line](), line)


def test_a_network_is_read_where_a_distribution_is_expected(cli: Cli) -> None:
    networks.asia().save(cli.folder / "asia.bif.gz")
    assert cli.run(0, "report asia.bif.gz --target dysp").startswith("asia\n====\n7 features: ")
    cli.answers(bayes_risks(gallery.asia()), "risks asia.bif.gz --target dysp")
    cli.answers(bayes_risks(gallery.asia("tub").marginal(["lung"])), "risks asia.bif.gz --target tub --features lung")
    rows = {"n": {"n": "0.9", "y": "0.1"}, "y": {"n": "0.2", "y": "0.8"}}
    chain = networks.Network({f"v{i}": ([f"v{i - 1}"], rows) if i else ((), rows["n"]) for i in range(40)})
    chain.save(cli.folder / "chain.bif")
    _, _, command = cli.stopped(2, "risks chain.bif --target v20").rstrip().partition("this works: fstheory ")
    assert command == "risks chain.bif --target v20 --features v19,v21"
    cli.answers(bayes_risks(chain.joint(["v19", "v21"], "v20")), command)


def test_a_network_tells_of_its_boundary_and_is_drawn(cli: Cli) -> None:
    network = networks.asia()
    best = network.minimal_optimal("tub")
    network.save(cli.folder / "asia.bif")
    printed = cli.run(0, "network asia.bif --target tub --out asia.svg")
    assert printed == f"{network}\n\n{best.boundary}\n\n{best}\n\nWrote asia.svg\n"
    assert "<svg" in cli.read("asia.svg")
    assert cli.json(0, "network asia.bif --target tub") == best.to_dict()
    assert cli.run(0, "network asia.bif") == f"{network}\n"


@pytest.mark.quick
def test_some_values_of_criteria(cli: Cli) -> None:
    table = CRITERIA["gini"].table(TITANIC)
    row = {"subset": ["sex", "age"], "value": to_json(table[{"sex", "age"}]), "level": 0}
    one = cli.json(0, "criterion titanic --criterion gini --subset age,sex")
    assert one == table.to_dict() | {"count": 1, "rows": [row]}
    found = cli.run(0, "criterion titanic --criterion zero-one --subset sex")
    assert found == "0-1 loss of {sex}: 493/2201 ≈ 0.223989\n"
    assert cli.run(0, "criterion xor --criterion auc --subset", "") == "AUC of {}: 1/2 ≈ 0.5\n"
    assert cli.run(0, "criterion xor --criterion log --base 2 --subset", "") == "logarithmic loss of {}: 1\n"
    alike = JointDistribution([[1, 2], [3, 1]], states={"Y": [1, "1"]})
    cli.write("alike.json", alike.to_json())  # a class that is the text goes before one that is written like it
    document = cli.json(0, "criterion alike.json --criterion f --positive 1 --subset X1")
    assert document["rows"][0]["value"] == to_json(criteria.f_measure(positive="1").value(alike, ["X1"]))


def test_loss_matrix(cli: Cli) -> None:
    command = "criterion xor --criterion loss-matrix --loss-matrix loss.json"
    cli.write("loss.json", '{"0": {"a": 0, "b": 1}, "1": {"a": "1/2", "b": 0}}')
    named: Any = {0: {"a": 0, "b": 1}, 1: {"a": "1/2", "b": 0}}
    cli.answers(criteria.loss_matrix(named).table(gallery.xor()), command)
    cli.write("loss.json", "[[0, 1], [2, 0]]")
    cli.answers(criteria.loss_matrix([[0, 1], [2, 0]]).table(gallery.xor()), command)
    cli.write("loss.json", '[[0, 1, "1/5"], [1, 0, "1/5"]]')  # what may be predicted beside the classes needs a name
    assert "matrix has 3 columns and Y has 2 classes" in cli.stopped(2, command)


def abstain(price: Exact = "1/5", *, certain: Label | None = None, unreadable: object = None) -> Criterion[Any]:
    """Return the criterion of a loss for which abstaining has a price, except in one class, in which it is an error."""
    rows = {y: {"yes": int(y != "yes"), "no": int(y != "no"), "?": 1 if y == certain else price} for y in ("yes", "no")}
    return criteria.loss_matrix(rows, name=f"loss with {price} for abstaining")


def bought(price: Exact) -> Criterion[Any]:
    return abstain(price)


def unread(price: object) -> Criterion[Any]:
    return abstain(str(price))


@dataclass(frozen=True)
class WorstClass(Criterion[Fraction]):
    """The largest share of rows of one class that are the most frequent in their state, as an own kind of criterion."""

    name, symbol, larger_is_better = "share of a class", "W", True

    def of_cells(self, d: JointDistribution, cells: Any) -> Fraction:
        return max(Fraction(int(cells[:, y].max()), int(cells[:, y].sum())) for y in range(len(d.classes)))

    def predictor(self, d: JointDistribution, subset: Any) -> Any:
        raise NotImplementedError


def worst_class() -> Criterion[Any]:
    return WorstClass()


def test_a_new_criterion_is_a_command_with_an_option_for_each_parameter(
    cli: Cli, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A parameter that no text can give has no option, and a criterion that needs one is not a command."""
    for make in (abstain, bought, unread, worst_class):
        monkeypatch.setitem(criterion.CRITERIA, make.__name__, make)
    cli.answers(abstain().table(TITANIC), "criterion titanic --criterion abstain")
    cli.answers(abstain("1/10").table(TITANIC), "criterion titanic --criterion abstain --price 1/10")
    cli.answers(abstain(certain="no").table(TITANIC), "criterion titanic --criterion abstain --certain no")
    cli.answers(bought("1/10").table(TITANIC), "criterion titanic --criterion bought --price 1/10")
    found = fstheory.select(TITANIC, 1, abstain()).features
    assert cli.json(0, "select titanic -k 1 --criterion abstain")["features"] == [*found]
    cli.write("rows.csv", "a,b,y\n" + "0,0,no\n0,1,yes\n1,0,no\n1,1,yes\n1,0,yes\n" * 9)
    assert cli.json(0, "select rows.csv --target y -k 1 --criterion worst-class")["features"] == ["b"]
    assert "invalid choice: 'worst-class'" in cli.stopped(2, "report rows.csv --target y --criterion worst-class")
    assert "class 'maybe' does not exist" in cli.stopped(2, "criterion titanic --criterion abstain --certain maybe")
    assert "--price must be given with --criterion bought" in cli.stopped(2, "criterion titanic --criterion bought")
    assert "left out unless --criterion is abstain or bought" in cli.stopped(2, "importance titanic --price 1/2")
    assert "invalid choice: 'unread'" in cli.stopped(2, "criterion titanic --criterion unread")
    for name, shown in (("criterion", "for abstain, bought: its price"), ("report", "squared, gini, auc, abstain")):
        with pytest.raises(SystemExit):
            main([name, "--help"])
        assert shown in " ".join(cli.capsys.readouterr().out.split())


def test_select_by_scores_and_in_an_order(cli: Cli) -> None:
    name, score = next(iter(selection.fisher_scores(COPIES).items()))
    document = cli.json(0, "select copies --method fisher -k 1")
    assert (document["features"], document["scores"]) == ([name], {name: to_json(score.value)})
    assert "by Fisher score" in cli.run(0, "select copies --method fisher -k 2")
    for method in ("greedy", "score", "exhaustive", "mrmr"):
        document = cli.json(0, f"select copies --method {method} -k 1 --search-order X2,X1")
        assert (document["features"], document["has_ties"]) == (["X2"], True)


def test_regression_of_numbers_beyond_floats(cli: Cli) -> None:
    cli.write("t.csv", "a,b,y\n0,0,1e200\n0,1,3\n1,0,5\n1,1,7\n")
    options = "--target y --population --method forward -k 1 --regression"
    assert "error ≈1.25000E+399" in cli.run(0, f"select t.csv {options}")


def test_importance(cli: Cli) -> None:
    found = fstheory.importance("asia")
    assert cli.run(0, "importance asia -k 2") == f"{found}\n{found.price(2)}\n"
    document = cli.json(0, "importance titanic --kind loco --criterion auc -k 1")
    found = fstheory.importance("titanic", "loco", criterion="auc")
    assert document == found.to_dict() | {"price": to_json(found.price(1))}
    cli.run(0, "importance titanic --out bars.svg")
    assert "Shapley value" in cli.read("bars.svg")
    cli.write("xor.csv", "a,b,y\n" + "0,0,0\n0,1,1\n1,0,1\n1,1,0\n" * 10)
    assert "each of 40 rows predicted by the others" in cli.run(0, "importance xor.csv --target y")


def test_questions(cli: Cli) -> None:
    found = fstheory.best_questions("titanic", budget=2)
    assert cli.run(0, "questions titanic --budget 2") == f"{found}\n"
    assert f"{found.against_subsets()}\n" in cli.run(0, "questions titanic --budget 2 --against-subsets")
    document = cli.json(0, "questions titanic --criterion gini --costs age=1/50,sex=2 --budget 1 --against-subsets")
    found = fstheory.best_questions("titanic", "gini", budget=1, costs={"age": "1/50", "sex": 2})
    assert document == found.to_dict() | {"against_subsets": to_json(found.against_subsets().rows)}
    assert "Wrote tree.svg" in cli.run(0, "questions titanic --budget 0 --out tree.svg")
    assert "feature 'ages' does not exist; did you mean 'age'" in cli.stopped(2, "questions titanic --costs ages=1")
    cli.write("xor.csv", "a,b,c,y\n" + "0,0,0,0\n0,1,1,1\n1,0,1,1\n1,1,0,0\n" * 5 + "1,1,1,1\n")
    text = cli.run(0, "questions xor.csv --target y --costs 1/50")
    assert text.startswith("best policy with at most 3 questions: 0-1 loss, each row predicted by the others 0,")
    assert "\non new rows: about 0% (0% to 16.1%) wrong, and 50% (25.7% to 74.3%) by guessing\n" in text
    risk = cli.json(0, "questions xor.csv --target y --costs 1/50")["new_rows"]
    assert (risk["wrong"], risk["wrong_guesses"], risk["tested"], risk["chosen"]) == ("0", "21/2", 21, [["c"]] * 10)
    cli.write("few.csv", "a,y\n0,0\n1,1\n")
    assert "on new rows" not in cli.run(0, "questions few.csv --target y")
    assert "--criterion must be left out if SOURCE is" in cli.stopped(
        2, "questions xor.csv --target y --criterion gini"
    )
    assert "--costs must be at least 0" in cli.stopped(2, "questions titanic --costs -1")


def test_reasons(cli: Cli) -> None:
    found = fstheory.reasons("titanic", ("crew", "male", "adult"), tolerance="1/20")
    line = "reasons titanic --case class=crew,sex=male,age=adult"
    assert cli.run(0, f"{line} --tolerance 1/20") == f"{found}\n"
    assert cli.json(0, f"{line} --tolerance 1/20") == found.to_dict()
    assert cli.run(0, "reasons titanic") == f"{fstheory.reasons('titanic')}\n"
    assert "Wrote why.svg" in cli.run(0, f"{line} --out why.svg")
    assert "crew" in cli.read("why.svg")
    cli.write("xor.csv", "place,b,y\n" + '"Paris, TX",0,0\n"Paris, TX",1,1\nRome,0,1\nRome,1,0\n' * 10)
    text = cli.run(0, "reasons xor.csv --target y --case", "place=Paris, TX,b=1")
    assert text.startswith("1 sufficient reason of place=Paris, TX, b=1\n  place=Paris, TX, b=1: 1 (25% of the people)")
    assert text.endswith("the verdicts are the majorities of these 40 rows: new rows can have others\n")
    assert cli.json(0, "reasons xor.csv --target y")["samples"] == 40
    assert "--case: state of age 'old' does not exist" in cli.stopped(2, "reasons titanic --case age=old")
    assert "--case: feature 'ages' does not exist" in cli.stopped(2, "reasons titanic --case ages=old")
    assert "--case must be a state of each of the 3 features" in cli.stopped(2, "reasons titanic --case age=child")
    assert "--case: must be features with their states" in cli.stopped(2, "reasons titanic --case child")
    assert "--tolerance must be between 0 and 1" in cli.stopped(2, "reasons titanic --tolerance 2")


def test_solutions(cli: Cli) -> None:
    assert cli.run(0, "solutions titanic --within 1/100") == f"{fstheory.all_solutions('titanic', within='1/100')}\n"
    document = cli.json(0, "solutions copies --criterion gini --max-size 1 --limit 1")
    assert document == fstheory.all_solutions("copies", "gini", max_size=1, limit=1).to_dict()
    cli.write("xor.csv", "a,b,y\n" + "0,0,0\n0,1,1\n1,0,1\n1,1,0\n" * 10)
    assert "0 minimal subsets of at most 1 feature" in cli.run(0, "solutions xor.csv --target y --max-size 1")
    assert cli.json(0, "solutions xor.csv --target y")["samples"] == 40
    assert "--within must be at least 0" in cli.stopped(2, "solutions titanic --within -1")
    found = fstheory.all_solutions("asia", within="1/100").ranges()
    assert cli.run(0, "solutions asia --within 1/100 --ranges --resume asia.json").endswith(f"fail\n{found}\n")
    document = cli.json(0, "solutions asia --within 1/100 --ranges --resume asia.json")
    assert (document["least"], document["largest"]) == (to_json(found.least), to_json(found.largest))


@pytest.mark.thorough
def test_solutions_by_chance(cli: Cli) -> None:
    """Without a limit, a sample of many columns and few rows has too many solutions to list."""
    rng = np.random.default_rng(0)
    rows = [",".join(map(str, row)) for row in rng.integers(0, 2, (40, 31)).tolist()]
    cli.write("noise.csv", "\n".join([",".join([*(f"c{i}" for i in range(30)), "y"]), *rows]))
    text = cli.run(0, "solutions noise.csv --target y")
    assert text.split("\n")[3].startswith("1,000 minimal subsets with 0-1 loss at most 0,")
    assert "not complete" in text
    assert "many columns together predict few rows by chance: --max-size 3" in text
    assert "many columns together" in cli.run(0, "solutions noise.csv --target y --max-size 1")
    assert "many columns together" not in cli.run(0, "solutions noise.csv --target y --max-size 1 --within 1")


@pytest.mark.parametrize(
    ("command", "answer"),
    [
        ("questions people.csv --target ill --budget 1", "ask age (100%)"),
        ("solutions people.csv --target ill --within 1/10", "in all: age; in some: no feature; in none: smoker"),
        ("importance people.csv --target ill", "1     age"),
        ("importance people.csv --target ill --population", "1     age"),
        ("reasons people.csv --target ill", "in every reason of some case: age"),
    ],
)
def test_other_first_commands_on_rows_answer(command: str, answer: str, cli: Cli) -> None:
    rows = [f"P{i},{i % 40 + i / 100},{'yes' if i % 3 else ''},{i % 40 > 19}" for i in range(120)]
    cli.write("people.csv", "\n".join(["id,age,smoker,ill", *rows]))
    assert main(command.split()) == 0
    printed = cli.capsys.readouterr()
    assert answer in printed.out
    chosen = "--missing label" if command.endswith("--population") else "--missing label --bins 4 --leave-out id"
    assert f"note: chosen, because the rows need it: {chosen}; give these options" in printed.err


def test_numbers_as_the_target_of_other_first_commands(cli: Cli) -> None:
    rows = [f"{'abc'[i % 3]},{'de'[i % 2]},{10 * (i % 3) + i / 100}" for i in range(105)]
    cli.write("prices.csv", "\n".join(["make,door,price", *rows]))
    told = []
    for command in ("solutions", "importance", "questions"):
        assert main([command, "prices.csv", "--target", "price"]) == 0
        told.append(cli.capsys.readouterr())
    assert ["squared error" in printed.out for printed in told] == [True, True, False]
    assert ["predicted as a number" in printed.err for printed in told] == [True, True, False]
    assert "note: chosen, because the rows need it: --bins price=4;" in told[2].err


def test_every_bound_of_the_package_has_a_name() -> None:
    """But for what is no bound; one identity has a name for the command alone."""
    names = {getattr(function, "func", function).__name__ for function in BOUNDS.values()}
    assert names - set(bounds.__all__) == {"information_identity"}
    assert set(bounds.__all__) - names == {"least_information", "table"}


def test_all_bounds(cli: Cli) -> None:
    document = cli.json(0, "bound xor --remove X1")
    checks = {name: function(gallery.xor(), ["X1"]) for name, function in BOUNDS.items()}
    assert (document["bounds"], document["not_applicable"]) == (to_json(checks), {})
    lines = [line.split() for line in cli.run(0, "bound xor --remove X1").splitlines()]
    assert lines[3] == ["X1", "theorem-1", "1/4", "1.38629", "1.13629", "holds"]
    assert [line[1] for line in lines[3:]] == list(BOUNDS)
    cli.write("coin.json", JointDistribution([[0, 1], [1, 0]]).to_json())  # one that fails is told, and is no error
    lines = [line.split() for line in cli.run(0, "bound coin.json --remove X1").splitlines()]
    assert ["X1", "theorem-2-as-printed", "1/2", "-1/2", "-1", "fails"] in lines
    cli.write("long.json", JointDistribution([[10**9 + 7, 3], [5, 7 * 10**8 + 9]]).to_json())
    lines = [line.split() for line in cli.run(0, "bound long.json --remove X1").splitlines()]
    assert max(len(number) for line in lines[3:] for number in line[2:5]) <= 12  # exact only while it is short


def test_bounds_that_do_not_apply(cli: Cli) -> None:
    document = cli.json(0, "bound titanic --remove sex,age")
    assert document["removed"] == ["sex", "age"]
    missing = [name for name in BOUNDS if name.startswith(("theorem-1", "theorem-2", "correlations"))]
    assert list(document["not_applicable"]) == missing
    printed = " ".join(cli.run(0, "bound titanic --remove sex,age").split())
    assert "theorem-1-as-printed, theorem-1-sharp: the states of survived must be" in printed


def test_one_bound(cli: Cli) -> None:
    costly = cli.run(0, "bound titanic --remove sex --bound hellman-raviv --criterion cost --cost 1/10")
    wanted = bounds.hellman_raviv_bound(TITANIC, "sex", criterion=criteria.cost_sensitive("1/10"))
    assert " ".join(str(wanted).split()) in " ".join(costly.split())
    for name, function in BOUNDS.items():
        check = function(gallery.xor(), ("X1", "X2"))
        printed = cli.run(0, "bound xor --remove X1,X2 --bound", name)
        title = ["A", "=", "X1X2", "removed", "of", "X1X2"]
        assert printed.split() == [*title, *str(check).split(), *check.source.split()]


def test_a_csv(cli: Cli) -> None:
    cli.write("people.csv", PEOPLE)
    options = "--target out --count seen --features age,sex --population --name"
    document = cli.json(0, f"report people.csv {options}", "mine")
    assert (document["name"], document["total_weight"]) == ("mine", "7")
    assert [feature["name"] for feature in document["features"]] == ["age", "sex"]


def test_the_first_command_on_rows_answers(cli: Cli) -> None:
    """A key, numbers and missing values are dealt with and told; an option that is given stays as it is."""
    rows = [f"P{i},{i % 40 + i / 100},{'yes' if i % 3 else ''},{i % 40 > 19}" for i in range(120)]
    cli.write("people.csv", "\n".join(["id,age,smoker,ill", *rows]))
    printed = " ".join(cli.run(0, "report people.csv --target ill").split())
    assert "enough: {age}" in printed or "rows support {age}" in printed
    assert "Chosen, because the rows need it: --missing label --bins 4 --leave-out id;" in printed
    other = " ".join(cli.run(0, "report people.csv --target ill --bins 2 --missing drop").split())
    assert "Chosen, because the rows need it: --leave-out id;" in other


@pytest.mark.thorough(2)
def test_a_target_of_many_numbers_is_predicted_as_a_number(cli: Cli) -> None:
    rows = [f"{'abc'[i % 3]},{'de'[i % 2]},{10 * (i % 3) + (i * 7) % 10 / 4}" for i in range(105)]
    cli.write("prices.csv", "\n".join(["make,door,price", *rows]))
    printed = " ".join(cli.run(0, "report prices.csv --target price").split())
    assert "the target price is predicted as a number".lower() in printed.lower()
    assert re.search(r"target price \(\d+ different numbers\)", printed)
    assert re.search(r"It explains 9\d.\d% \(9\d to 9\d%\) of the variation of price", printed)
    assert "R² alone" in printed
    assert "wrong" not in printed
    details = " ".join(cli.run(0, "report prices.csv --target price --out page --details").split())
    assert "The numbers are shuffled until it is certain" in details
    assert details.endswith("Wrote report.html, report.json in page")
    assert "classes" not in details
    days = [f"{date(2024, 1, 1) + timedelta(days=9 * i)},{i % 7 * 10 + i / 100}" for i in range(90)]
    cli.write("days.csv", "\n".join(["day,price", *days]))
    printed = " ".join(cli.run(0, "report days.csv --target price").split())
    assert "need it: --keep-continuous --bins day=calendar;" in printed
    assert printed.endswith(" fstheory report days.csv --target price --leave-out day")
    assert "wrong alone" in cli.run(0, "report prices.csv --target price --criterion log --keep-continuous")


def test_a_csv_is_a_sample(cli: Cli) -> None:
    """The same commands, of what the library says of a sample, marked as such; with --population of all there is."""
    rows = gallery.titanic().support() * 20
    cli.write("some.csv", "\n".join(map(",".join, [("class", "sex", "age", "survived"), *rows])))  # type: ignore[arg-type]
    read = fstheory.distributions.read_csv("some.csv", target="survived")
    source = "some.csv --target survived"
    printed = cli.run(0, f"report {source} --out report")
    assert printed.startswith(report(read, name="some").summary())
    assert printed.endswith("Wrote report.html, report.json, risks.svg, columns.svg in report\n")
    assert json.loads(cli.read("report/report.json"))["schema"] == "fstheory/sample-report"
    assert cli.json(0, f"report {source} --population")["schema"] == "fstheory/report"
    for command in ("risks", "criterion --criterion gini", "select -k 1"):
        name, _, options = command.partition(" ")
        assert name == "select" or cli.run(0, f"{name} {source} {options}").startswith("Plug-in values")
        document = cli.json(0, f"{name} {source} {options}")
        assert (document["samples"], document["estimate"]) == (len(rows), "plug-in")
        if name == "select":  # what else is said of rows is tested with its command
            assert (document.pop("rows")["estimates"]["folds"], document.pop("seed")) == (10, 0)
            assert "all 3 candidates tie" in document["notes"].pop()
        of_all = cli.json(0, f"{name} {source} {options} --population")
        assert {**of_all, "samples": len(rows), "estimate": "plug-in", "notes": []} == document
    found = cli.json(0, f"risks {source} --k 2")["rows"]
    assert found == bayes_risks(read, max_size=2).restrict(sizes=[2]).to_dict()["rows"]


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


def test_draw_for_a_paper(cli: Cli) -> None:
    """A width as `plot` takes it, or a TikZ picture; what has no meaning there is refused."""
    risks = bayes_risks(gallery.titanic())
    for typed, width in (("column", "column"), ("4.5", 4.5)):
        cli.run(0, f"draw titanic --width {typed} --out l.svg")
        assert (cli.folder / "l.svg").read_text(encoding="utf-8") == risks.plot(width=width).to_svg()
        cli.run(0, f"draw titanic --width {typed} --view risk --mark-best --tikz --out l.tex")
        expected = risks.to_tikz(view="risk", minimal=risks.minimal_sets(), width=width)
        assert (cli.folder / "l.tex").read_text(encoding="utf-8") == expected + "\n"
    assert "--width must be 'column'" in cli.stopped(2, "draw titanic --width 12x --out l.svg")
    assert "pass --width column" in cli.stopped(2, "draw titanic --width 0.5 --out l.svg")
    assert "pass --width page" in cli.stopped(2, "draw titanic --width 1 --out l.svg")
    assert "--out must be a name that ends in .tex" in cli.stopped(2, "draw titanic --tikz --out l.svg")
    assert "--title must be left out with --tikz" in cli.stopped(2, "draw titanic --tikz --title x --out l.tex")


def test_explore(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    opened = list[str]()
    monkeypatch.setattr("webbrowser.open", opened.append)
    assert cli.run(0, "explore copies --name Copies --open --out page.html") == "Wrote page.html\n"
    assert "<h1>Copies</h1>" in cli.read("page.html")
    assert f'"story":"{gallery.story("copies")}"' in cli.read("page.html").replace("\\u003c", "<")
    assert '"claims":[{' in cli.read("page.html")
    assert opened == [(cli.folder / "page.html").as_uri()]
    assert cli.run(0, "explore copies --open --no-claims").startswith("Wrote ")
    assert "<h1>copies</h1>" in Path(url2pathname(opened[1].removeprefix("file:"))).read_text(encoding="utf-8")
    cli.write("other.json", gallery.copies().to_json())
    cli.run(0, "explore copies --to other.json --story Mine. --ask --no-claims --out page.html")
    assert '"samples":null' in cli.read("page.html")  # of a family
    assert all(part in cli.read("page.html") for part in ('"stops"', '"ask":true', '"story":"Mine."', '"claims":[]'))
    cli.run(0, "explore copies --samples 8,3 --no-claims --out page.html")
    assert [int(m) for m in re.findall(r'"m":(\d+),"allowed"', cli.read("page.html"))] == [3, 8]
    asked = (
        'title = "Age"\n[[questions]]\ntext = "Best?"\nanswer = ["X1"]\nhint = "Look."\n[[questions]]\ntext = "Why?"\n'
    )
    cli.write("q.toml", asked)
    sheets = "Wrote {}\nWrote {}\n".format(*(Path("sheets") / name for name in ("questions.html", "key.html")))
    assert cli.run(0, "explore copies --ask q.toml --handout sheets") == sheets
    wrote = cli.run(0, "explore copies --ask q.toml --handout sheets --no-claims --out page.html")
    assert wrote == f"{sheets}Wrote page.html\n"
    selection.networks.asia().save(cli.folder / "asia.bif")
    for source, offered in (
        ("asia.bif --target dysp", '{"layers"'),
        ("copies --evidence", "true"),
        ("copies", "false"),
    ):
        cli.run(0, f"explore {source} --no-claims --samples 5 --out page.html")
        assert f'"evidence":{offered}' in cli.read("page.html")
    cli.run(0, "explore copies --ask q.toml --no-claims --out page.html")
    first = '{"text":"Best?","answer":[1],"hint":"Look."}'
    assert f'"questions":[{first},{{"text":"Why?","answer":null}}],"lesson":"Age"' in cli.read("page.html")
    for old, new, needed in (
        (
            "hint",
            "hnit",
            "q.toml: question 1: each key must be one of text, hint, right, wrong, goal, answer, fewest, ",
        ),
        ('"X1"', '"X9"', "q.toml: question 1: answer must be made of features of the data, not 'X9'; write some of X1"),
        ('"Why?"', "3", "q.toml: question 2: text must be a text, not 3; write it in quotes"),
        ('["X1"]', "3", "q.toml: question 1: answer must be true, false or a list of features, not 3"),
        ('text = "Why?"', "hint = 'h'", "q.toml: question 2: text must be one of the keys, not ['hint']"),
        ("title", "titel", "q.toml must be a table with no keys but title and questions, not 'titel'"),
        (asked, "", "q.toml must be a table with questions, not []; begin each question with [[questions]]"),
        ('"Why?"', '"Why?"\nright = "So."', "q.toml: question 2: right must be left out without an answer or a goal"),
        ('["X1"]', "493", 'as in answer = ["X1"]'),
        ("title =", "title", "--ask must be a TOML file of questions, not 'q.toml'; "),
    ):
        cli.write("q.toml", asked.replace(old, new))
        assert needed in cli.stopped(2, "explore copies --ask q.toml --out page.html")
    assert "none.toml" in cli.stopped(2, "explore copies --ask none.toml --out page.html")
    assert "--samples must be at most 1,000" in cli.stopped(2, "explore copies --samples 8,1001 --out page.html")


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


@pytest.mark.one_in(3)
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


@pytest.mark.thorough
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
    assert "--figure must be some of" in cli.stopped(2, "experiment ng-1998 --quick --figure table-1")


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
