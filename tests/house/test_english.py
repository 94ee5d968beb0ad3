"""The prose is plain: constructions that came back again and again, and that readers stumble over, are named here.

The list is short on purpose, and each entry says what to write instead. A sentence that has none of them may still be
hard to read; the rules of docs/contributing.md are for people.
"""

import io
import json
import re
import tokenize
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

from tests.house import source

INSTEAD = {
    r"\bwhat tells\b": "the name of the thing: the fingerprint of ..., the difference between ...",
    r"\bwho works\b": "executor, worker or process",
    r"\bfor ourselves\b": "the verb: lock the folder, copy the table",
    r", or so for\b": "the condition first: if there are ..., then ...",
    r"\basked for equality\b": "compared",
    r"\bNone where no\b": "if no ..., return None",
    r"\bsuch that is\b": "a relative clause or a second sentence",
    r"\bsave that\b|\bbut for that\b": "except that",
    r"\b(behaviour|colour|favour|neighbour|honour|centre|analyse|modelling|labelled)\w*\b": "American spelling",
}
FENCE = re.compile(r"^( *)(```|~~~)[^\n]*\n.*?^\1\2", re.MULTILINE | re.DOTALL)


def blank(match: re.Match[str]) -> str:
    """Keep the line breaks of what is cut out, so that lines keep their numbers."""
    return "\n" * match[0].count("\n")


def prose_of(path: Path) -> Iterator[tuple[int, str]]:
    """Yield the pieces of prose in a file with their first lines: strings and comments of code, text of pages."""
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".ipynb":
        for number, cell in enumerate(json.loads(text)["cells"], 1):
            if cell["cell_type"] == "markdown":
                yield number, "".join(cell["source"])
    elif path.suffix == ".py":
        for token in tokenize.generate_tokens(io.StringIO(text).readline):
            if token.type in (tokenize.STRING, tokenize.COMMENT):
                yield token.start[0], token.string
    else:
        yield 1, FENCE.sub(blank, text)


PAGES = (source.ROOT / "README.md", *sorted((source.ROOT / "docs").rglob("*.md")))
LESSONS = sorted((source.ROOT / "notebooks").glob("*.ipynb"))


@pytest.mark.parametrize("paths", [source.files().values(), PAGES, LESSONS], ids=["code", "pages", "lessons"])
def test_the_prose_is_plain(paths: Iterable[Path]) -> None:
    found = []
    for path in paths:
        for first, text in prose_of(path):
            for words, instead in INSTEAD.items():
                for match in re.finditer(words.replace(" ", r"[\s#]+"), text, re.IGNORECASE):
                    line = first + text.count("\n", 0, match.start())
                    where = f"{path.relative_to(source.ROOT)}:{line}"
                    found.append(f"{where}: {' '.join(match[0].split())!r}; write {instead}")
    assert not found, "\n".join(found)


@pytest.mark.parametrize("text", ["Return what tells a text\nfrom others.", "Ask who works.", "Two colours."])
def test_what_is_on_the_list_is_found(text: str) -> None:
    """And words that only look alike are not."""
    assert any(re.search(words, " ".join(text.split()), re.IGNORECASE) for words in INSTEAD)
    assert not any(re.search(words, "points are told apart, colors differ", re.IGNORECASE) for words in INSTEAD)
