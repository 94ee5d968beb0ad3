"""The changes of docs/contributors-hour.md can be made in a copy of fstheory, and the commands print what is shown."""

import doctest
import os
import re
import shlex
import shutil
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from tests.house import source

PAGE = source.ROOT / "docs" / "contributors-hour.md"
BLOCKS = re.compile(r"^```(diff|text)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
FLAGS = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS


def change(folder: Path, diff: str) -> None:
    """Make the changes of a diff without line numbers: the lines that it keeps or removes occur once in the file."""
    for part in re.split(r"^--- ", diff, flags=re.MULTILINE)[1:]:
        name, _, hunks = part.partition("\n")
        for hunk in re.split(r"^@@\n", hunks, flags=re.MULTILINE):
            lines = hunk.splitlines(keepends=True)
            before = "".join(line[1:] for line in lines if line[0] != "+")
            after = "".join(line[1:] for line in lines if line[0] != "-")
            text = (folder / name).read_text(encoding="utf-8")
            assert text.count(before) == 1, f"{name} has these lines {text.count(before)} times:\n{before}"
            (folder / name).write_text(text.replace(before, after), encoding="utf-8")


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """Copy the package, its tests and its pages, with what was compiled of them."""
    for name in ("fstheory", "tests", "docs"):
        shutil.copytree(source.ROOT / name, tmp_path / name, ignore=shutil.ignore_patterns("_build"))
    for name in ("pyproject.toml", "README.md"):
        shutil.copy(source.ROOT / name, tmp_path)
    return tmp_path


def run(folder: Path, command: str) -> str:
    """Run a command with the changed package, and return what it prints."""
    # A run of pytest inside another one is none of its processes: these would share a folder for the Coq library.
    own = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_XDIST")}
    environment = {**own, "PYTHONPATH": str(folder), "COLUMNS": "100", "PYTEST_ADDOPTS": "-p no:cacheprovider"}
    words = [sys.executable, "-m", *shlex.split(command.removeprefix("python -m "))]
    done = subprocess.run(words, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.mark.thorough(3)
def test_each_change_can_be_made_and_does_what_is_shown(copy: Path) -> None:
    checker = doctest.OutputChecker()
    for kind, block in BLOCKS.findall(PAGE.read_text(encoding="utf-8")):
        if kind == "diff":
            change(copy, block)
        for shown in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:] if kind == "text" else ():
            command, _, output = shown.partition("\n")
            if not command.startswith("ruff") or find_spec("ruff"):
                printed = run(copy, command)
                assert not output or checker.check_output(output, printed, FLAGS), f"$ {command}\n{printed}"
    house = "tests/house/test_public_names.py tests/house/test_one_api.py"
    run(copy, f"pytest -q --doctest-modules fstheory/measures/losses.py {house}")


@pytest.mark.thorough
def test_the_changes_fit_the_files(tmp_path: Path) -> None:
    for kind, block in BLOCKS.findall(PAGE.read_text(encoding="utf-8")):
        for name in re.findall(r"^--- (.*)$", block, re.MULTILINE) if kind == "diff" else ():
            (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
            if not (tmp_path / name).exists():
                shutil.copy(source.ROOT / name, tmp_path / name)
        if kind == "diff":
            change(tmp_path, block)
