"""The helpers of the tests of bad claims: a module written and imported, and the message it should lead to."""

from __future__ import annotations

import importlib.util
import re
import textwrap
from pathlib import Path
from types import ModuleType


def load(folder: Path, source: str) -> ModuleType:
    """Write a module and import it."""
    path = folder / "conjecture.py"
    path.write_text("from fstheory.logic import claim, positive\n" + textwrap.dedent(source), encoding="utf-8")
    spec = importlib.util.spec_from_file_location("conjecture", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def expected(folder: Path, source: str, name: str, values: str, complaint: str) -> str:
    lines = source.splitlines()
    marked = [number for number, line in enumerate(lines, start=2) if line.endswith("# <-")]
    line = marked[0] if marked else next(n for n, text in enumerate(lines, start=2) if text.startswith("@claim"))
    at = f", at {values}" if values else ""
    start = re.escape(f"claim {name} ({folder / 'conjecture.py'}, line {line}){at}: ")
    return start + (re.escape(complaint[:-2]) + ".*" if complaint.endswith(".*") else re.escape(complaint))
