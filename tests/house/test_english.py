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
    r"\bbut for that\b": "except that",
    r'"""Say (whether|where)\b': "what comes back: Return whether ...",
    r"; None (if|where|when|without|unless)\b": "or a second sentence: ..., or None if ...; Return None if ...",
    r", or refuse (it|them|so|several)\b": "a second sentence: Raise an error if ...",
    r"\blog loss\b": "logarithmic loss, as everywhere",
    r"\bbalanced (error|risk)\b": "balanced loss, as everywhere",
    r"\b(behaviour|colour|favour|neighbour|honour|centre|analyse|modelling|labelled)\w*\b": "American spelling",
}
FENCE = re.compile(r"^( *)(```|~~~)[^\n]*\n.*?^\1\2", re.MULTILINE | re.DOTALL)


def blank(match: re.Match[str]) -> str:
    """Keep the line breaks of what is cut out, so that lines keep their numbers."""
    return "\n" * match[0].count("\n")


def prose_of(path: Path) -> Iterator[tuple[int, str]]:
    """Yield pieces of prose with their first lines: strings and comments of code that has hits, text of pages."""
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".ipynb":
        for number, cell in enumerate(json.loads(text)["cells"], 1):
            if cell["cell_type"] == "markdown":
                yield number, "".join(cell["source"])
    elif path.suffix == ".py":
        tokens = tokenize.generate_tokens(io.StringIO(text).readline) if next(hits(text), None) else ()  # it is slow
        for token in tokens:
            if token.type in (tokenize.STRING, tokenize.COMMENT):
                yield token.start[0], token.string
    else:
        yield 1, FENCE.sub(blank, text)


PAGES = (source.ROOT / "README.md", *sorted((source.ROOT / "docs").rglob("*.md")))
LESSONS = sorted((source.ROOT / "notebooks").glob("*.ipynb"))


def hits(text: str) -> Iterator[tuple[int, str, str]]:
    """Yield the place, the words and the advice for each construction that a text has, also across line breaks."""
    for words, instead in INSTEAD.items():
        for match in re.finditer(words.replace(" ", r"[\s#]+"), text, re.IGNORECASE):
            yield match.start(), " ".join(match[0].split()), instead


@pytest.mark.parametrize("paths", [source.files().values(), PAGES, LESSONS], ids=["code", "pages", "lessons"])
def test_the_prose_is_plain(paths: Iterable[Path]) -> None:
    found = []
    for path in paths:
        for first, text in prose_of(path):
            for start, words, instead in hits(text):
                line = first + text.count("\n", 0, start)
                found.append(f"{path.relative_to(source.ROOT)}:{line}: {words!r}; write {instead}")
    assert not found, "\n".join(found)


EXAMPLES = (
    "Return what tells\n    a text from others.", "Ask who works.", "Lock it for ourselves.", "One, or so for two.",
    "They are asked\n# for equality.", "None where no sum ends.", "A set such that is least.", "All but for that one.",
    "Two colours.", '"""Say whether it ends."""', "A point; None if there is none.",
    "Return it, or refuse it if it is long.", "The log loss is small.", "The balanced error is 1.",
)  # fmt: skip


def test_every_construction_on_the_list_is_found() -> None:
    """And words that only look alike are not."""
    found = [{instead for *_, instead in hits(text)} for text in EXAMPLES]
    assert all(len(advice) == 1 for advice in found)
    assert set.union(*found) == set(INSTEAD.values())
    assert not list(hits("Points are told apart by color. A day or so for each. Neighbors analyze this, and so on."))
    assert not list(hits('"""It does not say whether it ends, or says None, if none does; or refuses them."""'))
