"""The lessons keep their form: a number in the title, exercises, something to move, and checks that stand apart."""

import ast
import json
import re
import tomllib
from pathlib import Path
from typing import Any

import pytest

from fstheory.reports.explorer import CRITERIA
from fstheory.reports.language import words_of
from tests.house import source

LESSONS = sorted((source.ROOT / "notebooks").glob("*.ipynb"))
every_lesson = pytest.mark.parametrize("path", LESSONS, ids=lambda path: path.stem)


def texts_of(path: Path, kind: str = "") -> list[str]:
    return ["".join(cell["source"]) for cell in cells_of(path) if cell["cell_type"].startswith(kind)]


def cells_of(path: Path) -> list[dict[str, Any]]:
    cells: list[dict[str, Any]] = json.loads(path.read_text(encoding="utf-8"))["cells"]
    return cells


def asserts_in(code: str) -> int:
    return sum(isinstance(node, ast.Assert) for node in ast.walk(ast.parse(code)))


def test_the_lessons_are_numbered_and_their_extra_brings_the_widget() -> None:
    assert len(LESSONS) >= 18
    assert [int(path.name[:2]) for path in LESSONS] == list(range(1, len(LESSONS) + 1))
    assert [path for i, path in enumerate(LESSONS, 1) if not texts_of(path)[0].startswith(f"# {i}. ")] == []
    declared = tomllib.loads((source.ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    assert "widget" in declared["project"]["optional-dependencies"]["lessons"][0]


@every_lesson
def test_checks_stand_folded_at_the_end(path: Path) -> None:
    """A student reads what came out; that it is what the text says is asserted where it does not stand in the way."""
    *codes, checks = texts_of(path, "code")
    assert [code for code in codes if asserts_in(code)] == []
    assert asserts_in(checks) > 0
    assert texts_of(path)[-1] == checks
    assert texts_of(path)[-2].startswith("## Checks\n")
    assert cells_of(path)[-1]["metadata"]["jupyter"] == {"source_hidden": True}
    assert "hide-input" in cells_of(path)[-1]["metadata"]["tags"]


@every_lesson
def test_something_moves(path: Path) -> None:
    """A lattice to touch, or, where there is no lattice, a sentence that says what can be changed instead."""
    widget = any("lattice_widget(" in code for code in texts_of(path, "code"))
    assert widget != any("Nothing to touch here: " in text for text in texts_of(path, "markdown"))
    assert widget or int(path.name[:2]) in (13, 14, 17)


@every_lesson
def test_the_criteria_of_the_menu_are_there(path: Path) -> None:
    for text in texts_of(path, "markdown"):
        for name in re.findall(r"(?:take|choose) the ([\w -]+) in the menu", text):
            assert name in [words_of("en")[key] for key in CRITERIA]


@every_lesson
def test_a_heading_stands_below_the_answer_to_the_question_above(path: Path) -> None:
    assert [text for text in texts_of(path, "markdown") if re.search(r"^#+ .*\n\n<details>", text, re.MULTILINE)] == []


@every_lesson
def test_there_are_exercises(path: Path) -> None:
    """At least two; where answers are given, they are folded."""
    (exercises,) = (text.split("## Exercises\n")[1] for text in texts_of(path, "markdown") if "## Exercises\n" in text)
    assert "\n1. " in exercises
    assert "\n2. " in exercises
    assert ("<details>" in exercises) == ("Answers" in exercises)
