"""The pages that list the sentences of the papers name entries that exist, and every statement that is printed."""

import re

import pytest

from fstheory.papers.ledger import claims
from tests.house import source

PAGES = {path.stem: path for path in (source.ROOT / "docs" / "readings").glob("*.md") if path.stem != "index"}
ROW = re.compile(r"^\|([^|]+)\|([^|]+)\|([^|]+)\|$", re.MULTILINE)


def rows(page: str) -> list[tuple[str, ...]]:
    """Return place, words and entries of every row of a page that is no head of a table."""
    found = [tuple(cell.strip() for cell in row) for row in ROW.findall(PAGES[page].read_text(encoding="utf-8"))]
    return [row for row in found if row[0] != "place" and set(row[0]) != {"-"}]


def test_every_paper_has_a_page() -> None:
    assert set(PAGES) == {entry.paper.file.removesuffix(".json").replace("_", "-") for entry in claims.values()}


@pytest.mark.parametrize("page", PAGES)
def test_every_sentence_has_an_entry_or_a_reason(page: str) -> None:
    """Each id is one of this paper, and each statement that the paper makes is in a row."""
    paper = {key: entry for key, entry in claims.items() if entry.paper.file == f"{page.replace('-', '_')}.json"}
    named = set()
    for place, words, entries in rows(page):
        assert place
        assert words
        reason = entries.removeprefix("no entry: ")
        if reason == entries:
            listed = set(re.split(r", ", entries))
            assert listed <= set(claims), (place, listed - set(claims))
            named |= listed
        else:
            assert reason
    printed = {key for key, entry in paper.items() if entry.printed}
    assert printed <= named, printed - named


def test_no_row_is_lost() -> None:
    """What looks like a row is one: no cell holds a bar."""
    for page, path in PAGES.items():
        lines = [line for line in path.read_text(encoding="utf-8").splitlines() if line.startswith("|")]
        heads = sum(set(line) <= set("|- ") for line in lines)
        assert len(lines) - 2 * heads == len(rows(page)) > 90
