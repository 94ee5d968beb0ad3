"""The helpers of the tests of bad claims: a module written and imported, and the message it should lead to."""

import contextlib
import importlib.util
import textwrap
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest


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


@contextlib.contextmanager
def complains(folder: Path, source: str, error: type[Exception], complaint: str) -> Iterator[Any]:
    """Require an error about the claim ``wrong`` that names the marked line of the source, or that of the claim."""
    lines = list(enumerate(source.splitlines(), start=2))
    marked = [number for number, text in lines if text.endswith("# <-")]
    line = marked[0] if marked else next(number for number, text in lines if text.startswith("@claim"))
    with pytest.raises(error) as caught:
        yield caught
    assert type(caught.value) is error
    message = str(caught.value)
    assert message.startswith(f"claim wrong ({folder / 'conjecture.py'}, line {line}){complaint}"), message
    assert "\n" not in message
