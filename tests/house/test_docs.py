"""The pages of the documentation: every example runs, every public name is in the reference, once."""

from __future__ import annotations

import doctest
import io
import re
from pathlib import Path

import pytest

import fstheory
from tests.house import source

DOCS = source.ROOT / "docs"
PAGES = sorted(
    path for path in [source.ROOT / "README.md", *DOCS.rglob("*.md")] if "_build" not in path.parts and path.is_file()
)
FENCE = re.compile(r"^\s*```.*$", re.MULTILINE)
PYTHON = re.compile(r"^```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def label(path: Path) -> str:
    return path.relative_to(source.ROOT).as_posix()


@pytest.mark.parametrize("path", PAGES, ids=label)
def test_examples_run(path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Run the page from top to bottom in an empty folder; a fence ends an example as a blank line does."""
    text = FENCE.sub("", path.read_text(encoding="utf-8"))
    examples = doctest.DocTestParser().get_doctest(text, {}, label(path), str(path), 0)
    said = io.StringIO()
    monkeypatch.chdir(tmp_path)
    result = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE).run(examples, out=said.write)
    assert not result.failed, said.getvalue()


@pytest.mark.parametrize("path", PAGES, ids=label)
def test_python_blocks_are_examples(path: Path) -> None:
    """A block of Python without ``>>>`` would be shown and never run."""
    for block in PYTHON.findall(path.read_text(encoding="utf-8")):
        assert block.lstrip().startswith(">>>"), block


def test_reference_lists_every_public_name_once() -> None:
    pages = "\n".join(path.read_text(encoding="utf-8") for path in (DOCS / "reference").glob("*.md"))
    listed = re.findall(
        r"^\.\. auto(?:function|class|exception|data|module):: (?:fstheory\.)?(\w+)$", pages, re.MULTILINE
    )
    public = [name for name in getattr(fstheory, "__all__", []) if name != "__version__"]
    assert sorted(listed) == sorted(public)


def test_release_notes_name_this_version() -> None:
    text = (DOCS / "release-notes.md").read_text(encoding="utf-8")
    assert re.search(rf"^## {re.escape(fstheory.__version__)}\b", text, re.MULTILINE)
