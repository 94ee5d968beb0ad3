"""`criterion`, `select` and `bound` print what the library answers."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from fstheory import JointDistribution, selection
from fstheory._support.result import to_json
from fstheory.cli import main
from fstheory.distributions import gallery
from fstheory.measures import bounds, criteria
from fstheory.measures.bounds import BOUNDS
from tests.cli.own import answers, run, run_json

CRITERIA = [
    (("zero-one",), criteria.zero_one()),
    (("cost", "--cost", "1/3", "--positive", "no"), criteria.cost_sensitive("1/3", positive="no")),
    (("balanced",), criteria.balanced()),
    (("log",), criteria.logarithmic()),
    (("log", "--base", "2"), criteria.logarithmic(2)),
    (("gini",), criteria.gini()),
    (("f",), criteria.f_measure()),
    (("f", "--beta", "2", "--positive", "no"), criteria.f_measure(2, positive="no")),
    (("f-as-printed", "--beta", "1/2"), criteria.f_measure_as_printed("1/2")),
    (("auc",), criteria.auc()),
]


@pytest.mark.parametrize(("options", "criterion"), CRITERIA, ids=[" ".join(options) for options, _ in CRITERIA])
def test_criterion(capsys: pytest.CaptureFixture[str], options: tuple[str, ...], criterion: Any) -> None:
    table = criterion.table(gallery.titanic())
    answers(capsys, table, "criterion titanic --criterion", *options)
    answers(capsys, table.restrict(sizes=[1]), "criterion titanic --criterion", *options, "--k", "1")
    one = run_json(capsys, 0, "criterion titanic --criterion", *options, "--subset", "age,sex")
    row = {"subset": ["sex", "age"], "value": to_json(table[{"sex", "age"}]), "level": 0}
    assert one == table.to_dict() | {"count": 1, "rows": [row]}


def test_the_value_of_one_subset(capsys: pytest.CaptureFixture[str]) -> None:
    found = run(capsys, 0, "criterion titanic --criterion zero-one --subset sex")
    assert found == "0-1 loss of {sex}: 493/2201 ≈ 0.223989\n"
    assert run(capsys, 0, "criterion xor --criterion auc --subset", "") == "AUC of {}: 1/2 ≈ 0.5\n"
    assert run(capsys, 0, "criterion xor --criterion log --base 2 --subset", "") == ("logarithmic loss of {}: 1\n")


def test_squared_error_of_classes_that_are_numbers(capsys: pytest.CaptureFixture[str]) -> None:
    document = run_json(capsys, 0, "criterion xor --criterion squared")
    assert [row["value"] for row in document["rows"]] == ["0", "1/4", "1/4", "1/4"]


@pytest.mark.parametrize(
    "text", ['[[0, 1, "1/5"], [1, 0, "1/5"]]', '{"0": {"a": 0, "b": 1}, "1": {"a": "1/2", "b": 0}}', "[[0, 1], [2, 0]]"]
)
def test_loss_matrix(capsys: pytest.CaptureFixture[str], tmp_path: Path, text: str) -> None:
    path = tmp_path / "loss.json"
    path.write_text(text, encoding="utf-8")
    options = ("criterion", "xor", "--criterion", "loss-matrix", "--loss-matrix", str(path))
    matrix = json.loads(text)
    if isinstance(matrix, dict):
        matrix = {int(label): row for label, row in matrix.items()}
    elif len(matrix[0]) > 2:  # what may be predicted beside the classes needs a name
        assert main(options) == 2
        assert "matrix has 3 columns and Y has 2 classes" in capsys.readouterr().err
        return
    answers(capsys, criteria.loss_matrix(matrix).table(gallery.xor()), *options)


METHODS = [
    ("greedy", "greedy-forward"), ("greedy-backward", "greedy-backward"), ("score", "score"),
    ("exhaustive", "exhaustive"),
]  # fmt: skip


@pytest.mark.parametrize("criterion", [("zero-one", "zero_one"), ("log", "logarithmic"), ("auc", "auc")])
@pytest.mark.parametrize(("name", "method"), METHODS)
def test_select_by_a_criterion(
    capsys: pytest.CaptureFixture[str], name: str, method: Any, criterion: tuple[str, str]
) -> None:
    expected = selection.select(gallery.titanic(), 2, criterion[1], method)
    answers(capsys, expected, "select titanic -k 2 --method", name, "--criterion", criterion[0])


def test_the_order_resolves_ties(capsys: pytest.CaptureFixture[str]) -> None:
    for method in ("greedy", "score", "exhaustive", "mrmr"):
        options = ("select", "copies", "--method", method, "-k", "1", "--search-order", "X2,X1")
        document = run_json(capsys, 0, *options)
        assert (document["features"], document["has_ties"]) == (["X2"], True)


def test_select_by_scores_of_their_own(capsys: pytest.CaptureFixture[str]) -> None:
    answers(capsys, selection.mrmr(gallery.titanic(), 3), "select titanic --method mrmr -k 3")
    name, score = next(iter(selection.fisher_scores(gallery.load("copies")).items()))
    document = run_json(capsys, 0, "select copies --method fisher -k 1")
    assert (document["features"], document["scores"]) == ([name], {name: to_json(score.value)})
    assert "by Fisher score" in run(capsys, 0, "select copies --method fisher -k 2")


RULES: list[tuple[tuple[str, ...], Any]] = [
    (("--delta", "1/4"), selection.ErrorRule("1/4")),
    (("--rule", "er", "--delta", "1/4", "--sharp"), selection.ErrorRule("1/4", sharp=True)),
    (("--delta", "0.25", "--as-printed"), selection.ErrorRule("1/4", printed=True)),
    (("--rule", "fs", "--delta", "1/30"), selection.FeatureScoreRule("1/30")),
    (("--rule", "delta-fs", "--delta", "1/30"), selection.ScoreDifferenceRule("1/30")),
    (("-k", "1"), selection.FeatureCountRule(1)),
    (("--rule", "count", "--k", "2"), selection.FeatureCountRule(2)),
]


@pytest.mark.parametrize(
    ("method", "function"), [("backward", selection.cmi_elimination), ("forward", selection.cmi_selection)]
)
@pytest.mark.parametrize(("options", "rule"), RULES, ids=[" ".join(options) for options, _ in RULES])
def test_stopping_rules(
    capsys: pytest.CaptureFixture[str], method: str, function: Any, options: tuple[str, ...], rule: Any
) -> None:
    answers(capsys, function(gallery.titanic(), rule), "select titanic --method", method, *options)


def test_regression(capsys: pytest.CaptureFixture[str]) -> None:
    expected = selection.cmi_elimination(gallery.copies(), selection.ErrorRule("1/4"), problem="regression")
    answers(capsys, expected, "select copies --method backward --delta 1/4 --regression")


def test_numbers_beyond_the_largest_float(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    table = tmp_path / "t.csv"
    table.write_text("a,b,y\n0,0,1e200\n0,1,3\n1,0,5\n1,1,7\n", encoding="utf-8")
    options = ("--target", "y", "--population", "--method", "forward", "-k", "1", "--regression")
    assert "error ≈1.25000E+399" in run(capsys, 0, "select", str(table), *options)


def test_every_bound_of_the_package_has_a_name() -> None:
    """But those about other things than removed features, and what is no bound."""
    others = {"chain_rule", "least_information", "pinsker_bound"}
    assert {function.__name__ for function in BOUNDS.values()} | others == set(bounds.__all__)


def test_all_bounds(capsys: pytest.CaptureFixture[str]) -> None:
    document = run_json(capsys, 0, "bound xor --remove X1")
    checks = {name: function(gallery.xor(), ["X1"]) for name, function in BOUNDS.items()}
    assert (document["bounds"], document["not_applicable"]) == (to_json(checks), {})
    lines = [line.split() for line in run(capsys, 0, "bound xor --remove X1").splitlines()]
    assert lines[3] == ["theorem-1", "1/4", "1.38629", "1.13629", "holds"]
    assert [line[0] for line in lines[3:]] == list(BOUNDS)


def test_bounds_that_do_not_apply(capsys: pytest.CaptureFixture[str]) -> None:
    document = run_json(capsys, 0, "bound titanic --remove sex,age")
    assert document["removed"] == ["sex", "age"]
    missing = [name for name in BOUNDS if name.startswith(("theorem-1", "theorem-2", "correlations"))]
    assert list(document["not_applicable"]) == missing
    printed = run(capsys, 0, "bound titanic --remove sex,age")
    assert max(map(len, printed.splitlines())) <= 100
    printed = " ".join(printed.split())
    assert "theorem-1, theorem-1-as-printed, theorem-1-sharp: the states of survived must be" in printed


@pytest.mark.parametrize("name", sorted(BOUNDS))
def test_one_bound(capsys: pytest.CaptureFixture[str], name: str) -> None:
    check = BOUNDS[name](gallery.xor(), ("X1", "X2"))
    printed = run(capsys, 0, "bound xor --remove X1,X2 --bound", name)
    assert printed.split() == ["A", "=", "X1X2", "removed", "of", "X1X2", *str(check).split(), *check.source.split()]


def test_a_bound_that_fails_is_told_and_is_no_error(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "coin.json"
    path.write_text(JointDistribution([[0, 1], [1, 0]]).to_json(), encoding="utf-8")
    printed = run(capsys, 0, "bound", str(path), "--remove", "X1")
    assert ["theorem-2-as-printed", "1/2", "-1/2", "-1", "fails"] in [line.split() for line in printed.splitlines()]
