"""The tests run wherever they can be read, and some stage of .ci/run executes each of them."""

import ast
import itertools
import os
import re
import runpy
import subprocess
import sys
import tomllib
from pathlib import Path
from types import SimpleNamespace
from typing import Any, NamedTuple

import pytest

from tests import conftest
from tests.house import source


@pytest.mark.thorough
def test_hypothesis_needs_no_folder_of_its_own(tmp_path: Path) -> None:
    """In a read-only checkout there is none; a file in the way keeps it away here, also from a superuser."""
    (tmp_path / "file").touch()
    (tmp_path / "test_it.py").write_text(
        "import hypothesis\n@hypothesis.given(hypothesis.strategies.booleans())\ndef test_it(it): assert it in (0, 1)\n"
    )
    command = [sys.executable, "-m", "pytest", "-q", "-p", "tests.conftest", "-c", "pyproject.toml"]
    environment = {**os.environ, "HYPOTHESIS_STORAGE_DIRECTORY": str(tmp_path / "file" / "folder")}
    environment.pop("PYTEST_ADDOPTS", None)  # it may name the file in which .ci/run counts the tests of a stage
    command += ["-p", "no:cacheprovider", "--rootdir", str(tmp_path), str(tmp_path / "test_it.py")]
    done = subprocess.run(command, cwd=source.ROOT, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


CI = source.ROOT / ".ci"


def test_some_stage_runs_each_combination_of_markers() -> None:
    """The conftest makes `one_in` another marker; `rotated` and `thorough(n)` leave cases to other runs of their stage.

    Tests of the browser need its stage, and stand in tests/reports.
    A quick test is a daily test that one can also run alone, so `quick` needs no stage.
    """
    options = tomllib.loads((source.ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["pytest"]
    markers = sorted({re.split(r"\W", text)[0] for text in options["markers"]} - {"one_in", "quick", "rotated"})
    usual = options["addopts"][options["addopts"].index("-m") + 1]  # the command of the README has no other
    text, runs = (CI / "run").read_text(encoding="utf-8"), {"the command of the README": usual}
    for name, body in re.findall(r"^(\w+)\(\) \{(.*?)(?:^\}|; \}$)", text, flags=re.DOTALL | re.MULTILINE):
        calls = re.findall(r"/pytest (.*)", body)
        assert len(calls) < 2, f"{name} runs pytest twice, and the tests of one run alone are counted"
        assert not calls or re.search(rf'^ *stage ".*" {name}$', text, re.MULTILINE), f"no stage is {name}"
        if calls and not re.search(r"-k |--nbmake|--doctest-modules|tests/benchmarks", calls[0]):
            found = re.search(r'-m (?:"([^"]*)"|(\w+))', calls[0])
            runs[name] = (found[1] or found[2]) if found else usual
            assert ("tests/reports" in calls[0]) == ("[browser]" in body) == (name == "browser")
    for chosen in itertools.product([False, True], repeat=len(markers)):
        marked = dict(zip(markers, chosen, strict=True))
        able = {"browser": runs["browser"]} if marked["browser"] else {**runs, "browser": "False"}
        assert any(eval(marker, {}, marked) for marker in able.values()), f"no stage runs tests with {marked}"


def test_each_room_has_a_quick_test_that_also_runs_daily() -> None:
    """The benchmarks are no room: a plain pytest leaves them out."""
    without = set()
    for folder in {path.parent for path in source.ROOT.glob("tests/*/test_*.py")} - {source.ROOT / "tests/benchmarks"}:
        files = [path for path in folder.rglob("test_*.py") if "mark.quick" in path.read_text(encoding="utf-8")]
        trees = map(source.tree_of, files)
        tests = [node for tree in trees for node in source.statements(tree) if isinstance(node, ast.FunctionDef)]
        marks = [" ".join(map(ast.unparse, node.decorator_list)) for node in tests]
        quick = [mark for mark in marks if "mark.quick" in mark]
        without |= {folder.name} - {folder.name for _ in quick}
        assert not [mark for mark in quick if re.search(r"mark\.(thorough|one_in|browser)|pytest\.param", mark)]
    assert without == set()


def test_cases_are_drawn_by_the_seed_and_each_is_drawn_at_some_time() -> None:
    def drawn(seed: int, whole: bool = False) -> set[str]:
        """Return the cases that a run would try: of one test with forty cases, one with three, and a daily one."""
        items = [Case(f"test_{name}[{i}]") for name, k in NUMBERS.items() for i in range(k)]
        options = SimpleNamespace(seed=seed, whole=whole)
        hook = SimpleNamespace(pytest_deselected=lambda items: None)
        conftest.pytest_collection_modifyitems(SimpleNamespace(option=options, hook=hook), items)  # type: ignore[arg-type]
        return {item.nodeid for item in items}

    runs = [drawn(seed) for seed in range(100)]
    assert {len(run - {"test_dear[0]"}) for run in runs} == {5 + 3 + 2}
    assert 20 < sum("test_dear[0]" in run for run in runs) < 45
    assert runs[0] == drawn(0) != drawn(1)
    assert len(drawn(0, whole=True)) == len(set().union(*runs)) == 46


NUMBERS = {"many": 40, "few": 3, "daily": 2, "dear": 1}


class Case(NamedTuple):
    """What the conftest asks of a test."""

    nodeid: str

    def iter_markers(self, name: str) -> list[Any]:
        is_marked = name == "thorough" and "daily" not in self.nodeid
        return [SimpleNamespace(args=[3] if "dear" in self.nodeid else [])] * is_marked

    def get_closest_marker(self, name: str) -> Any:
        return next(iter(self.iter_markers(name)), None)


def case(name: str, skipped: str = "") -> str:
    inside = f'<skipped type="pytest.skip" message="{skipped}"/>' if skipped else ""
    return f'<testcase classname="tests.room" name="{name}">{inside}</testcase>'


@pytest.mark.parametrize(
    ("reason", "here", "never"),
    [
        ("could not import 'polars'", ["coqc"], False),
        ("Playwright is not installed", ["chromium"], True),
        ("NO COQ HERE: coqc is not installed", ["coqc"], True),
        ("NO COQ HERE: coqc is not installed", [], False),
        ("no Chromium here", ["google-chrome"], True),
    ],
)
def test_a_test_that_no_stage_executes_is_named(
    reason: str, here: list[str], never: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> None:
    count = runpy.run_path(str(CI / "count_tests.py"))["main"]
    monkeypatch.setattr("shutil.which", lambda program: program if program in here else None)
    for stage, cases in {"one": [case("a"), case("b", reason)], "two": [case("a", reason)]}.items():
        text = f"<testsuites><testsuite>{''.join(cases)}</testsuite></testsuites>"
        (tmp_path / f"{stage}.xml").write_text(text, encoding="utf-8")
    found = count(tmp_path, tmp_path / "missing")
    assert (f"tests.room.b: {reason}" in str(found)) == never
    assert "tests.room.a" not in str(found)
    assert re.search(r"one +1 +1\n +1  ", capsys.readouterr().out)
    (tmp_path / "missing").touch()
    assert bool(count(tmp_path, tmp_path / "missing")) == (never and "Playwright" not in reason)


def test_no_test_fails_for_the_time_that_a_machine_took() -> None:
    """A ratio of two times is recorded by `rivals.record`: also a ratio depends on what else a machine does."""
    clocks = re.compile(r"\b(seconds|perf_counter|process_time|monotonic)\(")
    texts = {path: path.read_text(encoding="utf-8") for path in sorted((source.ROOT / "tests").rglob("test_*.py"))}
    asserted = [
        f"{path.relative_to(source.ROOT)}:{node.lineno}"
        for path, text in texts.items()
        if clocks.search(text)
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.Assert) and clocks.search(ast.unparse(node))
    ]
    assert not asserted
