"""The lessons keep their form: a number in the title, exercises, something to move, and checks that stand apart."""

import ast
import json
import tomllib
from pathlib import Path
from typing import Any

import pytest

from tests.house import source

LESSONS = sorted((source.ROOT / "notebooks").glob("*.ipynb"))


def cells_of(path: Path) -> list[dict[str, Any]]:
    cells: list[dict[str, Any]] = json.loads(path.read_text(encoding="utf-8"))["cells"]
    return cells


def text_of(cell: dict[str, Any]) -> str:
    return "".join(cell["source"])


def asserts_in(cell: dict[str, Any]) -> int:
    """Count the assertions of a cell, nested ones as well."""
    found = ast.walk(ast.parse(text_of(cell))) if cell["cell_type"] == "code" else ()
    return sum(isinstance(node, ast.Assert) for node in found)


def test_there_are_lessons() -> None:
    numbers = [int(path.name[:2]) for path in LESSONS]
    assert numbers == list(range(1, len(LESSONS) + 1))
    assert len(LESSONS) >= 18


@pytest.mark.parametrize("path", LESSONS, ids=lambda path: path.stem)
def test_the_title_has_the_number(path: Path) -> None:
    assert text_of(cells_of(path)[0]).startswith(f"# {int(path.name[:2])}. ")


@pytest.mark.parametrize("path", LESSONS, ids=lambda path: path.stem)
def test_checks_stand_folded_at_the_end(path: Path) -> None:
    """A student reads what came out; that it is what the text says is asserted where it does not stand in the way."""
    *cells, title, checks = cells_of(path)
    assert [cell["id"] for cell in cells if asserts_in(cell)] == []
    assert text_of(title).startswith("## Checks\n")
    assert asserts_in(checks) > 0
    assert checks["metadata"]["jupyter"] == {"source_hidden": True}
    assert "hide-input" in checks["metadata"]["tags"]


@pytest.mark.parametrize("path", LESSONS, ids=lambda path: path.stem)
def test_something_moves(path: Path) -> None:
    """A lattice to touch, or a sentence that says why there is none and what can be changed instead."""
    cells = cells_of(path)
    widget = any(cell["cell_type"] == "code" and "lattice_widget(" in text_of(cell) for cell in cells)
    reason = any(cell["cell_type"] == "markdown" and "Nothing to touch here: " in text_of(cell) for cell in cells)
    assert widget != reason
    assert widget or int(path.name[:2]) in (13, 14, 17)


def test_the_lessons_bring_what_they_need() -> None:
    """The extra `lessons` has the widget in it."""
    declared = tomllib.loads((source.ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    assert "widget" in declared["project"]["optional-dependencies"]["lessons"][0]


@pytest.mark.parametrize("path", LESSONS, ids=lambda path: path.stem)
def test_there_are_exercises(path: Path) -> None:
    """At least two, before the checks; where answers are given, they are folded."""
    *cells, _, _ = cells_of(path)
    (exercises,) = (text_of(cell).split("## Exercises\n")[1] for cell in cells if "## Exercises\n" in text_of(cell))
    assert "\n1. " in exercises
    assert "\n2. " in exercises
    assert ("<details>" in exercises) == ("Answers" in exercises)
