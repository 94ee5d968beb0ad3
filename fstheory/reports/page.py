"""The parts of a report (sections, tables, drawings), written as text and as one HTML page that loads nothing."""

from __future__ import annotations

import html
import re
import textwrap
from collections.abc import Iterable, Mapping, Sequence
from importlib import resources
from itertools import zip_longest
from typing import NamedTuple, TypeAlias

from fstheory._support.result import (
    BREAK,
    TIED,
    Sets,
    Table,
    Text,
    plain,
    table_html,
    table_text,
    without_column,
    written,
)
from fstheory.lattice.subsets import escape, subset_text


class Paragraph(NamedTuple):
    """A paragraph. Its style is "answer", "faint" or none."""

    text: Text
    style: str = ""


class Drawing(NamedTuple):
    """A drawing, by the name of its file. If there is no such drawing, the words in `otherwise` take its place."""

    file: str
    caption: str
    wide: bool
    otherwise: str = ""


class Markup(NamedTuple):
    """A block that is given separately as HTML for the page and as text."""

    html: str
    text: str


Block: TypeAlias = Paragraph | Table | Drawing | Markup


class Section(NamedTuple):
    """A heading and the blocks below it. The heading is empty for a section above the table of contents.

    If the section is `folded`, the page shows its heading and opens it on demand.
    """

    heading: str
    blocks: Sequence[Block]
    folded: bool = False


def sets_of(subsets: Sequence[Iterable[str]], features: Sequence[str], most: int = 8) -> Sets:
    """Return the names of the first `most` subsets, and words for the others."""
    more = f" and {len(subsets) - most} more" if len(subsets) > most else ""
    return Sets(tuple(subset_text(subset, features) for subset in subsets[:most]), more)


def counted(count: int, noun: str) -> str:
    """Return a number with its noun, in the plural if needed: "1 feature", "2 classes"."""
    return f"{count:,} {noun}{'es' * noun.endswith('s') or 's'}" if count != 1 else f"1 {noun}"


_WIDTH = 100


def render_text(title: str, about: str, sections: Sequence[Section]) -> str:
    """Return the report as text, without the drawings."""
    parts = [f"{title}\n{'=' * len(title)}\n{fold(about)}"]
    for heading, blocks, _ in sections:
        lines = [line for block in blocks for line in _lines(block, "  " if heading else "")]
        if lines:
            parts.append("\n".join([heading, *lines] if heading else lines))
    return "\n\n".join(parts).replace(TIED, " ")


def _lines(block: Block, indent: str) -> list[str]:
    if isinstance(block, Paragraph):
        return _wrap(indent + plain(block.text), indent)
    if isinstance(block, Markup):
        return [f"{indent}  {block.text}"] if block.text else []
    return [] if isinstance(block, Drawing) else fold("\n".join(_fitted(block, indent))).split("\n")


def _fitted(table: Table, indent: str) -> list[str]:
    """Return the lines of a table. If they are longer than 100 characters, columns of bars are left out."""
    lines = table_text(table, indent)
    bars = [
        i for i, cells in enumerate(zip_longest(*table.rows, fillvalue="")) if {*"".join(map(plain, cells))} == {"█"}
    ]
    return table_text(without_column(table, bars[0]), indent) if bars and max(map(len, lines)) > _WIDTH else lines


def fold(text: str) -> str:
    """Break lines longer than 100 characters at blanks. Continued lines are indented by four more blanks."""
    folded = [part for line in text.split("\n") for part in _wrap(line, " " * (len(line) - len(line.lstrip()) + 4))]
    return "\n".join(folded).replace(TIED, " ")


def _wrap(line: str, indent: str) -> list[str]:
    wrapped = textwrap.wrap(line, _WIDTH, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False)
    return wrapped or [line]


Drawings: TypeAlias = Mapping[str, str]
_SVG_WIDTH = re.compile(r'<svg([^>]*?) width="([0-9.]+)pt" height="[0-9.]+pt"')
_ENLARGED = 1.35  # the scale of drawings, so that their letters are as large as the text around them
_OPEN = 12  # the most rows of a table that is not folded
_SHORT = 20  # the most lines of a table that is kept on one printed page


def render_page(
    title: str, about: str, sections: Sequence[Section], drawings: Drawings, *, subject: str, footer: str
) -> str:
    """Return the page as HTML. It contains the style and the drawings (SVG by the names of their files).

    Each text is written by `html.escape`. Characters that nobody would see are escaped here, once in the whole page.
    """
    style = resources.files("fstheory.reports").joinpath("page.css").read_text(encoding="utf-8")
    first, *rest = sections
    named = [(_anchor(section.heading), html.escape(section.heading)) for section in rest if section.heading]
    contents = "".join(f'<li><a href="#{anchor}">{heading}</a></li>' for anchor, heading in named)
    below = "\n".join(_section(section, drawings) for section in rest)
    page = f"""<!DOCTYPE html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>{html.escape(title)}: {subject}</title>
<style>
{style}</style></head>
<body>
<header><h1>{html.escape(title)}</h1>
<p class="about">{html.escape(about)}</p></header>
<main>
{_section(first, drawings)}
<nav aria-label="Contents"><ol>{contents}</ol></nav>
{below}
</main>
<footer>{html.escape(footer)}</footer>
</body>
</html>
"""
    return escape(page.replace("\x00", "\ufffd"))


def _anchor(heading: str) -> str:
    return re.sub(r"[^a-z]+", "-", heading.lower())


def _section(section: Section, drawings: Drawings) -> str:
    heading = f'<h2 id="{_anchor(section.heading)}">{html.escape(section.heading)}</h2>'
    blocks = [_block(block, drawings) for block in section.blocks]
    if section.folded:
        return "\n".join([f'<details class="section"><summary>{heading}</summary>', *blocks, "</details>"])
    return "\n".join([heading] * bool(section.heading) + blocks)


def _block(block: Block, drawings: Drawings) -> str:
    if isinstance(block, Paragraph):
        kind = f' class="{block.style}"' if block.style else ""
        return f"<p{kind}>{written(block.text)}</p>"
    if isinstance(block, Table):
        return _table(block)
    if isinstance(block, Markup):
        return block.html
    if block.file in drawings:
        return _figure(block, drawings[block.file])
    return f'<p class="faint">{html.escape(block.otherwise)}</p>' if block.otherwise else ""


def _table(table: Table) -> str:
    """Return a table as HTML that can be scrolled. A long table is folded, and printed if it is open."""
    printed = sum(1 + max(plain(cell).count(BREAK) for cell in row) for row in table.rows)
    whole = f'<div class="scroll" tabindex="0">{table_html(table, "short" * (printed <= _SHORT))}</div>'
    is_folded = table.folded and len(table.rows) > _OPEN
    if not is_folded:
        return whole
    return f'<details class="long"><summary>{html.escape(table.folded)}</summary>\n{whole}</details>'


def page_only(table: Table) -> Markup:
    """Return a table that the page shows and the text leaves out."""
    return Markup(_table(table), "")


def _figure(drawing: Drawing, svg: str) -> str:
    """Return a drawing without the prolog of its file. A prefix makes its ids distinct from those of other drawings."""
    prefix = drawing.file.removesuffix(".svg")
    body = svg[svg.index("<svg") :]
    body = _SVG_WIDTH.sub(lambda m: f'<svg{m[1]} style="width: {float(m[2]) * _ENLARGED:.0f}pt"', body, count=1)
    body = re.sub(r"\s*<metadata>.*?</metadata>", "", body, flags=re.DOTALL)
    body = re.sub(r'(\bid="|href="#|url\(#)', rf"\1{prefix}-", body)
    kind = ' class="wide" tabindex="0"' if drawing.wide else ' tabindex="0"'
    return f"<figure{kind}>\n{body}\n<figcaption>{html.escape(drawing.caption)}</figcaption></figure>"
