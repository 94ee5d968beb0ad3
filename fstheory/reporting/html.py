"""Pieces of the page: subsets, tables and drawings as HTML."""

from __future__ import annotations

import html
import re
from collections.abc import Iterable, Sequence

from fstheory.reporting.words import few
from fstheory.subsets import Subset, format_subset, mask_of

__all__ = ["Cell", "escape", "inline_svg", "number", "set_of", "sets_of", "table"]

Cell = str
_SUBSCRIPT = re.compile(r"([A-Za-z]+)([0-9]+)")
_WIDTH = re.compile(r'<svg([^>]*?) width="([0-9.]+)pt" height="[0-9.]+pt"')
_ENLARGED = 1.35  # of a drawing, whose letters would else be smaller than those around it
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
    return '<span class="set">' + _SUBSCRIPT.sub(r"\1<sub>\2</sub>", text) + "</span>"


def sets_of(subsets: Sequence[frozenset[str]], features: Sequence[str], most: int = 8) -> str:
    """Write the first few of some subsets, and how many there are besides."""
    return few(lambda subset: set_of(subset, features), subsets, most)


def number(text: str) -> Cell:
    """Mark a cell as a number, to stand at the right."""
    return _NUMBER + escape(text)


def table(head: Sequence[Cell], rows: Iterable[Sequence[Cell]]) -> str:
    """Return a table, without a head if that is empty; the first cell of a row is its header."""
    names = "".join(_cell("th", name) for name in head)
    lines = [f"<thead><tr>{names}</tr></thead>" if head else "", "<tbody>"]
    for row in rows:
        cells = "".join(_cell("td" if i else "th", cell) for i, cell in enumerate(row))
        lines.append(f"<tr>{cells}</tr>")
    return "\n".join(['<div class="scroll"><table>', *lines, "</tbody></table></div>"])


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
