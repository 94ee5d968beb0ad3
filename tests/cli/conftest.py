"""A folder to work in that holds a person's own conjectures and a distribution."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tests.cli.own import fill


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    fill(tmp_path)
    monkeypatch.chdir(tmp_path)
    monkeypatch.delitem(sys.modules, "beside", raising=False)  # of another test, from another folder
    return tmp_path
