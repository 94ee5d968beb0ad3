"""Pieces of the page: subsets, tables and drawings as HTML."""

from __future__ import annotations

import html
import re
from collections.abc import Iterable, Sequence

from fstheory.reporting.words import few
from fstheory.subsets import Subset, format_subset, mask_of

__all__ = ["Cell", "escape", "inline_svg", "number", "set_of", "sets_of", "table", "with_contents"]

Cell = str
_SUBSCRIPT = re.compile(r"([A-Za-z]+)([0-9]+)")
_WIDTH = re.compile(r'<svg([^>]*?) width="([0-9.]+)pt" height="[0-9.]+pt"')
_ENLARGED = 1.35  # of a drawing, whose letters would else be smaller than those around it
_SHORT = 20  # lines of a table that stays on one printed page
_NUMBER = "\x00"  # marks a cell as a number; it cannot come from text, which is escaped first


def escape(text: object) -> str:
    """Write text so that it is shown as it is; characters that HTML does not know are replaced."""
    return html.escape(str(text)).replace("\x00", "\ufffd")


def set_of(subset: Subset, features: Sequence[str]) -> str:
    """Write a subset as a formula: italic letters with subscripts, or names in braces."""
    text = format_subset(mask_of(subset, features), features)
    if text == "{}":
        return '<span class="set words">∅</span>'
    if text.startswith("{"):
        return f'<span class="set words">{escape(text)}</span>'
    return '<span class="set">' + _SUBSCRIPT.sub(r"\1<sub>\2</sub><wbr>", text) + "</span>"


def sets_of(subsets: Sequence[frozenset[str]], features: Sequence[str], most: int = 8) -> str:
    """Write the first few of some subsets, and how many there are besides."""
    return few(lambda subset: set_of(subset, features), subsets, most)


def number(text: str) -> Cell:
    """Mark a cell as a number, to stand at the right."""
    return _NUMBER + escape(text)


def table(head: Sequence[Cell], rows: Iterable[Sequence[Cell] | Cell]) -> str:
    """Return a table, without a head if that is empty; the first cell of a row is its header, a lone cell spans all."""
    names = "".join(_cell("th", name) for name in head)
    lines = [f"<thead><tr>{names}</tr></thead>" if head else "", "<tbody>"]
    listed = list(rows)
    for row in listed:
        if isinstance(row, str):
            lines.append(f'<tr><td class="faint" colspan="{len(head)}">{row}</td></tr>')
            continue
        cells = "".join(_cell("td" if i else "th", cell) for i, cell in enumerate(row))
        lines.append(f"<tr>{cells}</tr>")
    lines_of_text = sum(1 + max(cell.count("<br>") for cell in row) for row in listed)
    kind = ' class="short"' if lines_of_text <= _SHORT else ""
    return "\n".join([f'<div class="scroll"><table{kind}>', *lines, "</tbody></table></div>"])


def with_contents(body: str) -> tuple[str, str]:
    """Give every heading of a body an id, and return a list of links to them with the body."""
    titles = re.findall(r"<h2>(.*?)</h2>", body)
    names = {title: re.sub(r"[^a-z]+", "-", title.lower()) for title in titles}
    body = re.sub(r"<h2>(.*?)</h2>", lambda found: f'<h2 id="{names[found[1]]}">{found[1]}</h2>', body)
    items = "".join(f'<li><a href="#{names[title]}">{title}</a></li>' for title in titles)
    return f'<nav aria-label="Contents"><ol>{items}</ol></nav>', body


def _cell(tag: str, cell: Cell) -> str:
    if cell.startswith(_NUMBER):
        return f'<{tag} class="number">{cell[1:]}</{tag}>'
    return f"<{tag}>{cell}</{tag}>"


def inline_svg(svg: str, prefix: str) -> str:
    """Return an SVG file as a part of a page: without its prolog, and with names that no other drawing has."""
    body = svg[svg.index("<svg") :]
    body = _WIDTH.sub(lambda found: f'<svg{found[1]} style="width: {float(found[2]) * _ENLARGED:.0f}pt"', body, count=1)
    body = re.sub(r"\s*<metadata>.*?</metadata>", "", body, flags=re.DOTALL)
    body = re.sub(r'\bid="', f'id="{prefix}-', body)
    body = re.sub(r'href="#', f'href="#{prefix}-', body)
    return re.sub(r"url\(#", f"url(#{prefix}-", body)
