"""`criterion`, `select` and `bound` print what the library answers."""

from __future__ import annotations

from typing import Any

import pytest

from fstheory import JointDistribution, selection
from fstheory._support.result import to_json
from fstheory.distributions import gallery
from fstheory.measures import bounds, criteria
from fstheory.measures.bounds import BOUNDS
from tests.cli.own import Cli

CRITERIA: dict[str, Any] = {
    "zero-one": criteria.zero_one(),
    "cost --cost 1/3 --positive no": criteria.cost_sensitive("1/3", positive="no"),
    "balanced": criteria.balanced(),
    "log": criteria.logarithmic(),
    "log --base 2": criteria.logarithmic(2),
    "gini": criteria.gini(),
    "f": criteria.f_measure(),
    "f --beta 2 --positive no": criteria.f_measure(2, positive="no"),
    "f-as-printed --beta 1/2": criteria.f_measure_as_printed("1/2"),
    "auc": criteria.auc(),
}


@pytest.mark.parametrize("typed", CRITERIA)
def test_criterion(cli: Cli, typed: str) -> None:
    table = CRITERIA[typed].table(gallery.titanic())
    cli.answers(table, f"criterion titanic --criterion {typed}")
    one = cli.json(0, f"criterion titanic --criterion {typed} --subset age,sex")
    row = {"subset": ["sex", "age"], "value": to_json(table[{"sex", "age"}]), "level": 0}
    assert one == table.to_dict() | {"count": 1, "rows": [row]}


def test_some_values_of_criteria(cli: Cli) -> None:
    table = CRITERIA["gini"].table(gallery.titanic())
    cli.answers(table.restrict(sizes=[1]), "criterion titanic --criterion gini --k 1")
    found = cli.run(0, "criterion titanic --criterion zero-one --subset sex")
    assert found == "0-1 loss of {sex}: 493/2201 ≈ 0.223989\n"
    assert cli.run(0, "criterion xor --criterion auc --subset", "") == "AUC of {}: 1/2 ≈ 0.5\n"
    assert cli.run(0, "criterion xor --criterion log --base 2 --subset", "") == "logarithmic loss of {}: 1\n"
    alike = JointDistribution([[1, 2], [3, 1]], states={"Y": [1, "1"]})
    cli.write("alike.json", alike.to_json())  # a class that is the text goes before one that is written like it
    document = cli.json(0, "criterion alike.json --criterion f --positive 1 --subset X1")
    assert document["rows"][0]["value"] == to_json(criteria.f_measure(positive="1").value(alike, ["X1"]))
    document = cli.json(0, "criterion xor --criterion squared")
    assert [row["value"] for row in document["rows"]] == ["0", "1/4", "1/4", "1/4"]


def test_loss_matrix(cli: Cli) -> None:
    command = "criterion xor --criterion loss-matrix --loss-matrix loss.json"
    cli.write("loss.json", '{"0": {"a": 0, "b": 1}, "1": {"a": "1/2", "b": 0}}')
    named: Any = {0: {"a": 0, "b": 1}, 1: {"a": "1/2", "b": 0}}
    cli.answers(criteria.loss_matrix(named).table(gallery.xor()), command)
    cli.write("loss.json", "[[0, 1], [2, 0]]")
    cli.answers(criteria.loss_matrix([[0, 1], [2, 0]]).table(gallery.xor()), command)
    cli.write("loss.json", '[[0, 1, "1/5"], [1, 0, "1/5"]]')  # what may be predicted beside the classes needs a name
    assert "matrix has 3 columns and Y has 2 classes" in cli.stopped(2, command)


METHODS = {"greedy": "greedy-forward", "greedy-backward": "greedy-backward", "score": "score"}
METHODS |= {"exhaustive": "exhaustive"}


@pytest.mark.parametrize(("typed", "criterion"), [("zero-one", "zero_one"), ("log", "logarithmic"), ("auc", "auc")])
@pytest.mark.parametrize("name", METHODS)
def test_select_by_a_criterion(cli: Cli, name: str, typed: str, criterion: Any) -> None:
    method: Any = METHODS[name]
    expected = selection.select(gallery.titanic(), 2, criterion, method)
    cli.answers(expected, f"select titanic -k 2 --method {name} --criterion {typed}")


def test_select_by_scores_of_their_own_and_in_an_order(cli: Cli) -> None:
    cli.answers(selection.mrmr(gallery.titanic(), 3), "select titanic --method mrmr -k 3")
    name, score = next(iter(selection.fisher_scores(gallery.copies()).items()))
    document = cli.json(0, "select copies --method fisher -k 1")
    assert (document["features"], document["scores"]) == ([name], {name: to_json(score.value)})
    assert "by Fisher score" in cli.run(0, "select copies --method fisher -k 2")
    for method in ("greedy", "score", "exhaustive", "mrmr"):
        document = cli.json(0, f"select copies --method {method} -k 1 --search-order X2,X1")
        assert (document["features"], document["has_ties"]) == (["X2"], True)


RULES: dict[str, Any] = {
    "--delta 1/4": selection.ErrorRule("1/4"),
    "--rule er --delta 1/4 --sharp": selection.ErrorRule("1/4", sharp=True),
    "--delta 0.25 --as-printed": selection.ErrorRule("1/4", printed=True),
    "--rule fs --delta 1/30": selection.FeatureScoreRule("1/30"),
    "--rule delta-fs --delta 1/30": selection.ScoreDifferenceRule("1/30"),
    "-k 1": selection.FeatureCountRule(1),
    "--rule count --k 2": selection.FeatureCountRule(2),
}


@pytest.mark.parametrize("typed", RULES)
def test_stopping_rules(cli: Cli, typed: str) -> None:
    d, rule = gallery.titanic(), RULES[typed]
    cli.answers(selection.cmi_elimination(d, rule), f"select titanic --method backward {typed}")
    cli.answers(selection.cmi_selection(d, rule), f"select titanic --method forward {typed}")


def test_regression(cli: Cli) -> None:
    expected = selection.cmi_elimination(gallery.copies(), selection.ErrorRule("1/4"), problem="regression")
    cli.answers(expected, "select copies --method backward --delta 1/4 --regression")
    cli.write("t.csv", "a,b,y\n0,0,1e200\n0,1,3\n1,0,5\n1,1,7\n")  # beyond the largest float
    options = "--target y --population --method forward -k 1 --regression"
    assert "error ≈1.25000E+399" in cli.run(0, f"select t.csv {options}")


def test_every_bound_of_the_package_has_a_name() -> None:
    """But those about other things than removed features, and what is no bound."""
    others = {"chain_rule", "least_information", "pinsker_bound"}
    assert {function.__name__ for function in BOUNDS.values()} | others == set(bounds.__all__)


def test_all_bounds(cli: Cli) -> None:
    document = cli.json(0, "bound xor --remove X1")
    checks = {name: function(gallery.xor(), ["X1"]) for name, function in BOUNDS.items()}
    assert (document["bounds"], document["not_applicable"]) == (to_json(checks), {})
    lines = [line.split() for line in cli.run(0, "bound xor --remove X1").splitlines()]
    assert lines[3] == ["theorem-1", "1/4", "1.38629", "1.13629", "holds"]
    assert [line[0] for line in lines[3:]] == list(BOUNDS)
    cli.write("coin.json", JointDistribution([[0, 1], [1, 0]]).to_json())  # one that fails is told, and is no error
    lines = [line.split() for line in cli.run(0, "bound coin.json --remove X1").splitlines()]
    assert ["theorem-2-as-printed", "1/2", "-1/2", "-1", "fails"] in lines
    cli.write("long.json", JointDistribution([[10**9 + 7, 3], [5, 7 * 10**8 + 9]]).to_json())
    lines = [line.split() for line in cli.run(0, "bound long.json --remove X1").splitlines()]
    assert max(len(number) for line in lines[3:] for number in line[1:4]) <= 12  # exact only while it is short


def test_bounds_that_do_not_apply(cli: Cli) -> None:
    document = cli.json(0, "bound titanic --remove sex,age")
    assert document["removed"] == ["sex", "age"]
    missing = [name for name in BOUNDS if name.startswith(("theorem-1", "theorem-2", "correlations"))]
    assert list(document["not_applicable"]) == missing
    printed = " ".join(cli.run(0, "bound titanic --remove sex,age").split())
    assert "theorem-1, theorem-1-as-printed, theorem-1-sharp: the states of survived must be" in printed


def test_one_bound(cli: Cli) -> None:
    for name, function in BOUNDS.items():
        check = function(gallery.xor(), ("X1", "X2"))
        printed = cli.run(0, "bound xor --remove X1,X2 --bound", name)
        title = ["A", "=", "X1X2", "removed", "of", "X1X2"]
        assert printed.split() == [*title, *str(check).split(), *check.source.split()]
