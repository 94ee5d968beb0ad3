"""Running commands in a folder, and a person's own conjectures."""

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


class Cli:
    """Commands that are run in a folder of their own; the words of a line stand before what is more."""

    def __init__(self, capsys: pytest.CaptureFixture[str], folder: Path) -> None:
        self.capsys, self.folder = capsys, folder

    def run(self, status: int, line: str, *more: str) -> str:
        """Run a command and require its exit status and silence on stderr."""
        assert main([*line.split(), *more]) == status
        printed = self.capsys.readouterr()
        assert printed.err == ""
        return printed.out

    def json(self, status: int, line: str, *more: str) -> dict[str, Any]:
        """Return the answer as JSON, in which no number is a float."""
        printed = self.run(status, line, *more, "--json")
        found: dict[str, Any] = json.loads(printed, parse_float=pytest.fail, parse_constant=pytest.fail)
        return found

    def answers(self, expected: Any, line: str, *more: str) -> None:
        """Require of a command the text of a result, whatever its blanks, and its JSON."""
        printed = self.run(0, line, *more)
        assert printed.split()[: len(str(expected).split())] == str(expected).split()
        assert max(map(len, printed.splitlines())) <= 100
        assert self.json(0, line, *more) == json.loads(json.dumps(expected.to_dict()))

    def stopped(self, status: int, line: str, *more: str) -> str:
        """Return what a command that has no answer says on stderr."""
        assert main([*line.split(), *more]) == status
        printed = self.capsys.readouterr()
        assert printed.out == ""
        return printed.err

    def write(self, name: str, content: str) -> str:
        (self.folder / name).write_text(content, encoding="utf-8")
        return name

    def read(self, name: str) -> str:
        return (self.folder / name).read_text(encoding="utf-8")

    def distribution(self, name: str) -> JointDistribution:
        """Return the distribution that a file holds."""
        return JointDistribution.from_json(self.read(name))


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
