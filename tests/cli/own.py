"""A folder with a person's own conjectures, and running a command in it."""

from __future__ import annotations

import importlib
import json
from pathlib import Path
from typing import Any

import pytest

from fstheory import JointDistribution
from fstheory.cli import main

OWN = '''"""A person's own conjectures."""

from beside import BOUND
from fstheory.logic import claim, positive


@claim(assume=[positive])
def never_better(m, i, j):
    return m.risk(i) <= m.risk(j)


@claim
def bounded(m, S):
    return m.risk(S) <= BOUND


@claim
def wrong(m, S):
    return m.risk(S) <= 0.5


def plain(m, S):
    return m.risk(S) >= 0


def computed(m):
    return m.distribution.total < 4


def squared(m, S):
    return m.risk(S) * m.risk(S) <= m.risk(S)


NUMBER = 3
'''


def fill(folder: Path) -> None:
    """Write the conjectures, what they import, and a distribution."""
    (folder / "own.py").write_text(OWN, encoding="utf-8")
    (folder / "beside.py").write_text('BOUND = "1/2"\n', encoding="utf-8")
    (folder / "d.json").write_text(JointDistribution([[1, 2], [3, 0]]).to_json(), encoding="utf-8")


def run(capsys: pytest.CaptureFixture[str], status: int, line: str, *more: str) -> str:
    """Run a command and require its exit status and silence on stderr; the words of `line` stand before `more`."""
    assert main([*line.split(), *more]) == status
    printed = capsys.readouterr()
    assert printed.err == ""
    return printed.out


def run_json(capsys: pytest.CaptureFixture[str], status: int, line: str, *more: str) -> dict[str, Any]:
    """Return the answer as JSON, in which no number is a float."""
    printed = run(capsys, status, line, *more, "--json")
    found: dict[str, Any] = json.loads(printed, parse_float=pytest.fail, parse_constant=pytest.fail)
    return found


def answers(capsys: pytest.CaptureFixture[str], expected: Any, line: str, *more: str, **also: Any) -> str:
    """Require of a command the text of a result, whatever its blanks, and its JSON with what is said also."""
    printed = run(capsys, 0, line, *more)
    assert printed.split()[: len(str(expected).split())] == str(expected).split()
    assert max(map(len, printed.splitlines())) <= 100
    assert run_json(capsys, 0, line, *more) == json.loads(json.dumps(expected.to_dict() | also))
    return printed


def record_call(monkeypatch: pytest.MonkeyPatch, function: str, answer: Any) -> dict[str, Any]:
    """Let a function, named by its module and itself, give an answer; return its arguments at the last call."""
    received: dict[str, Any] = {}

    def stand_in(*positional: Any, progress: Any, **options: Any) -> Any:
        received.clear()
        received.update(options, positional=positional)
        return answer

    module, _, name = function.rpartition(".")
    monkeypatch.setattr(importlib.import_module(module), name, stand_in)
    return received
