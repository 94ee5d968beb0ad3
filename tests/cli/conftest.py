"""A folder to run commands in, with a person's own conjectures and a distribution."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tests.cli.own import Cli, fill


@pytest.fixture
def cli(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Cli:
    fill(tmp_path)
    monkeypatch.chdir(tmp_path)
    monkeypatch.delitem(sys.modules, "beside", raising=False)  # of another test, from another folder
    return Cli(capsys, tmp_path)
