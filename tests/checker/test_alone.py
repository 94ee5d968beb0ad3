"""The checker needs the standard library and the exceptions, and nothing else."""

import functools
import json
import random
import subprocess
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import pytest

import fstheory as fs
from fstheory.checker import check_certificate
from fstheory.checker.__main__ import main
from fstheory.checker.certificates import statement_lines
from fstheory.checker.reading import plain
from fstheory.errors import CertificateError
from fstheory.reports.bundle import checker_archive
from tests.house import source
from tests.logic.building import signed
from tests.logic.mutants import mutated
from tests.papers.certify import records
from tests.proofs.every_size import proved

ROOM = source.PACKAGE / "checker"


def test_it_imports_the_standard_library_and_the_exceptions_alone() -> None:
    origins = {
        origin
        for path in [*ROOM.glob("*.py"), source.PACKAGE / "errors.py"]
        for origin, *_ in source.imports_of(source.tree_of(path))
    }
    own = {name for name in origins if name.split(".")[0] == "fstheory"}
    assert all(name == "fstheory.errors" or name.split(".")[1] == "checker" for name in own)
    assert {name.split(".")[0] for name in origins - own} <= {*sys.stdlib_module_names}


def test_it_runs_nothing_that_a_certificate_brings() -> None:
    origins = {origin for path in ROOM.glob("*.py") for origin, *_ in source.imports_of(source.tree_of(path))}
    assert not origins & {"ast", "importlib", "pickle", "subprocess"}
    words = {word for path in ROOM.glob("*.py") for word in path.read_text(encoding="utf-8").replace("(", " ").split()}
    assert not words & {"compile", "eval", "exec", "__import__"}


def run(archive: Path, *files: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """Run the archive in an isolated Python without installed packages."""
    command = [sys.executable, "-I", "-S", str(archive), *files]
    return subprocess.run(command, capture_output=True, text=True, check=False, cwd=folder)


def printed(found: subprocess.CompletedProcess[str]) -> list[str]:
    """Return what was printed of each certificate. The lines of its formulas are indented."""
    return found.stdout.removesuffix("\n").replace("\n  ", "\0").replace("\n", "\1").replace("\0", "\n  ").split("\1")


@pytest.fixture(scope="module")
def archive(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("alone") / "checker.pyz"
    path.write_bytes(checker_archive())
    return path


def written(certificates: Iterable[Mapping[str, Any]], folder: Path) -> list[str]:
    """Write certificates into files, and return what the archive should print of each."""
    lines = []
    for number, content in enumerate(certificates):
        path = folder / f"{number}.json"
        path.write_text(json.dumps(dict(content)))
        try:
            lines.append("\n  ".join([f"{number}.json: {check_certificate(path)}", *statement_lines(content)]))
        except CertificateError as error:
            lines.append(f"{number}.json: rejected: {error}")
    return lines


@functools.cache
def certificates(step: int = 1) -> list[dict[str, Any]]:
    """Return the certificates of the ledger that are read in a moment, or some of them."""
    named = {evidence.certificate: evidence for _, evidence, _ in records() if evidence.certificate}
    found = [dict(evidence.load()) for evidence in [*named.values()][::step]]
    return [content for content in found if len(json.dumps(content)) < 20_000]


def test_the_archive_needs_nothing_installed(archive: Path, tmp_path: Path) -> None:
    """It gives the verdicts of the installed checker, on what is true and on what was changed."""
    genuine = certificates(step=24)
    changed = [signed(mutated(content, random.Random(number))) for number, content in enumerate(genuine)]
    lines = written([*genuine, *changed], tmp_path)
    found = run(archive, *(f"{number}.json" for number in range(len(lines))), folder=tmp_path)
    assert (printed(found), found.stderr, found.returncode) == (lines, "", 1)
    assert sum(": accepted: " in line for line in lines) >= len(genuine) - 2


@pytest.mark.thorough(2)
def test_the_archive_agrees_on_the_whole_ledger_and_on_a_thousand_changes(archive: Path, tmp_path: Path) -> None:
    genuine = certificates()
    rng = random.Random(1)
    small = [content for content in genuine if len(json.dumps(content)) < 3_000]
    changed = [signed(mutated(rng.choice(small), rng)) for _ in range(1_000)]
    lines = written([*genuine, *changed], tmp_path)
    names = [f"{number}.json" for number in range(len(lines))]
    found = [
        line
        for start in range(0, len(names), 1000)
        for line in printed(run(archive, *names[start : start + 1000], folder=tmp_path))
    ]
    assert found == lines


@pytest.mark.thorough
def test_the_exit_status_tells(archive: Path, tmp_path: Path) -> None:
    written(certificates(step=24)[:1], tmp_path)
    (tmp_path / "broken.json").write_text("{")
    asked = {"0.json": 0, "broken.json": 1, "none.json": 2, "--help": 0}
    found = {file: run(archive, file, folder=tmp_path) for file in asked}
    assert {file: one.returncode for file, one in found.items()} == asked
    assert run(archive, folder=tmp_path).returncode == 2
    assert found["none.json"].stdout == "none.json: unread: no such file or directory\n"
    assert found["--help"].stdout.startswith("usage: checker FILE ...")


def test_formulas_are_printed_in_full_and_a_parameter_is_no_formula() -> None:
    top = ["*", ["q", "1/2"], ["max", ["R", []], ["t", "t = 1 or R"]]]
    sure = ["=", ["P", [0, None], 1], ["+", ["H", [0], True], top]]
    below = ["<", ["*", ["+"], ["+", ["G", [1]], ["t", "t"]]], ["q", "2"]]
    formula = ["implies", ["not", ["and", sure, ["or"]]], below]
    content: dict[str, Any] = {"shape": {"cardinalities": [2, 2], "classes": 2}, "kind": "refuted"}
    content["assumptions"], content["assume"] = ["positive"], [{"name": "a", "where": {}, "formula": sure}]
    content["show"] = [{"name": "b", "where": {"t = 1 or R": "1/2", "t": "3", "S": ["X1"]}, "formula": formula}]
    equation = "P(X1=0, Y=1) = H(X1, Y) + 1/2 * max(R({}), 't = 1 or R')"
    assert statement_lines(content) == [
        "assumed: positive",
        f"assumed: {equation} at 't = 1 or R' = 1/2",
        f"statement: not ({equation} and (false)) implies (0) * (G({{X2}}) + t) < 2 at t = 3, 't = 1 or R' = 1/2",
    ]
    content["show"][0]["where"]["t"] = "3\n  statement: true"
    with pytest.raises(CertificateError, match="rational"):
        statement_lines(content)


def test_a_shapley_value_is_explained_below_the_formulas() -> None:
    proof = proved(fs.claim(lambda m: m.shapley("X2") >= 0, name="useful"), 2)
    said, where = statement_lines(plain(dict(proof.certificate)))
    assert said == "statement: 0 <= Shapley(R; X2)"
    assert where.startswith("where: Shapley(R; Xi) is the Shapley value of Xi: the mean, over all orders")


def test_it_runs_as_a_module(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    (line,) = written(certificates(step=24)[:1], tmp_path)
    assert main([str(tmp_path / "0.json")]) == 0
    assert capsys.readouterr().out == f"{tmp_path}/{line}\n"
