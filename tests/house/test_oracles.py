"""Numbers from outside are readable JSON that says what it holds and how it was made."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.house import source

ORACLES = source.ROOT / "tests" / "oracles"


@pytest.mark.parametrize("path", sorted(ORACLES.glob("*.json")), ids=lambda path: path.name)
def test_oracle_says_where_it_comes_from(path: Path) -> None:
    """Either a script that stands in the repository made it, or somebody recorded it by hand and says from what."""
    content = json.loads(path.read_text(encoding="utf-8"))
    assert content["what"]
    if "generator" in content:
        assert (source.ROOT / content["generator"]).is_file()
    else:
        assert content["recorded"]


def test_oracles_are_nothing_but_text() -> None:
    """No pickles, no archives."""
    assert {path.suffix for path in ORACLES.iterdir() if path.is_file()} <= {".json", ".py"}
