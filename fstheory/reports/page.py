"""The parts of a report (sections, tables, drawings), written as text and as one HTML page that loads nothing."""

from __future__ import annotations

import html
import re
import textwrap
from collections.abc import Iterable, Mapping, Sequence
from importlib import resources
from typing import NamedTuple, TypeAlias

from fstheory._support.result import columns
from fstheory.lattice.subsets import escape, subset_text


class Styled(NamedTuple):
    """Text in bold ("b"), italic ("i"), as code ("code") or pale ("faint")."""

    text: str
    style: str


class Sets(NamedTuple):
    """The names of some subsets of the features, and words such as " and 3 more" for the others, or none."""

    names: tuple[str, ...]
    more: str


Piece: TypeAlias = str | Styled | Sets
Text: TypeAlias = Piece | tuple[Piece, ...]


class Paragraph(NamedTuple):
    """A paragraph. Its style is "answer", "faint" or none."""

    text: Text
    style: str = ""


class Table(NamedTuple):
    """A table. If `head` is empty, it has no head. A row of one cell spans all columns.

    The columns in `numbers` are aligned to the right. A line break splits a cell in two lines. If `folded` is not
    empty, a long table is folded on the page, below these words.
    """

    head: tuple[Text, ...]
    rows: Sequence[tuple[Text, ...]]
    numbers: tuple[int, ...] = ()
    folded: str = ""


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
_TIED = "\0"  # stands for a blank at which no line is broken


def render_text(title: str, about: str, sections: Sequence[Section]) -> str:
    """Return the report as text, without the drawings."""
    parts = [f"{title}\n{'=' * len(title)}\n{fold(about)}"]
    for heading, blocks, _ in sections:
        lines = [line for block in blocks for line in _lines(block, "  " if heading else "")]
        if lines:
            parts.append("\n".join([heading, *lines] if heading else lines))
    return "\n\n".join(parts).replace(_TIED, " ")


def _lines(block: Block, indent: str) -> list[str]:
    if isinstance(block, Paragraph):
        return _wrap(indent + _plain(block.text), indent)
    if isinstance(block, Markup):
        return [f"{indent}  {block.text}"] if block.text else []
    return [] if isinstance(block, Drawing) else fold("\n".join(_rows(block, indent))).split("\n")


def _rows(table: Table, indent: str) -> list[str]:
    """Return the lines of an aligned table. If cells have two lines, each becomes a row with the head of its column."""
    head = tuple(map(_plain, table.head))
    rows = [tuple(map(_plain, row)) for row in table.rows]
    if any("\n" in cell for row in rows for cell in row):
        rows = [
            (row[0] if i == 1 else "", head[i], *cell.split("\n")) for row in rows for i, cell in enumerate(row) if i
        ]
        head = ()
    aligned = [row for row in rows if len(row) > 1]
    lines = columns([head, *aligned] if head else aligned, indent, table.numbers)
    for place, row in enumerate(rows, start=bool(head)):
        if len(row) == 1:
            lines.insert(place, indent + row[0])
    return lines


def _plain(text: Text) -> str:
    if isinstance(text, str):
        return text
    if isinstance(text, Styled):
        return text.text
    if isinstance(text, Sets):
        return ", ".join(name.replace(" ", _TIED) for name in text.names) + text.more
    return "".join(map(_plain, text))


def fold(text: str) -> str:
    """Break lines longer than 100 characters at blanks. Continued lines are indented by four more blanks."""
    folded = [part for line in text.split("\n") for part in _wrap(line, " " * (len(line) - len(line.lstrip()) + 4))]
    return "\n".join(folded).replace(_TIED, " ")


def _wrap(line: str, indent: str) -> list[str]:
    wrapped = textwrap.wrap(line, _WIDTH, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False)
    return wrapped or [line]


Drawings: TypeAlias = Mapping[str, str]
_SUBSCRIPT = re.compile(r"([A-Za-z]+)([0-9]+)")
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
        return f"<p{kind}>{_written(block.text)}</p>"
    if isinstance(block, Table):
        return _table(block)
    if isinstance(block, Markup):
        return block.html
    if block.file in drawings:
        return _figure(block, drawings[block.file])
    return f'<p class="faint">{html.escape(block.otherwise)}</p>' if block.otherwise else ""


def _table(table: Table) -> str:
    """Return a table as HTML. The first cell of a row is its header, and a lone cell spans all columns."""
    rows = [[_written(cell) for cell in row] for row in table.rows]
    # A column without a name gets no header: a screen reader would announce an empty one.
    head = "".join(
        _cell("th" if cell else "td", _written(cell), i in table.numbers) for i, cell in enumerate(table.head)
    )
    lines = [f"<thead><tr>{head}</tr></thead>" if head else "", "<tbody>"]
    for row in rows:
        if len(row) == 1:
            lines.append(f'<tr><td class="faint" colspan="{len(table.head)}">{row[0]}</td></tr>')
        else:
            cells = (_cell("td" if i else "th", cell, i in table.numbers) for i, cell in enumerate(row))
            lines.append(f"<tr>{''.join(cells)}</tr>")
    printed = sum(1 + max(cell.count("<br>") for cell in row) for row in rows)
    kind = ' class="short"' if printed <= _SHORT else ""
    whole = "\n".join([f'<div class="scroll" tabindex="0"><table{kind}>', *lines, "</tbody></table></div>"])
    return (
        f"<details><summary>{html.escape(table.folded)}</summary>\n{whole}</details>"
        if table.folded and len(rows) > _OPEN
        else whole
    )


def page_only(table: Table) -> Markup:
    """Return a table that the page shows and the text leaves out."""
    return Markup(_table(table), "")


def _cell(tag: str, content: str, is_number: bool) -> str:
    kind = ' class="number"' if is_number else ""
    return f"<{tag}{kind}>{content}</{tag}>"


def _figure(drawing: Drawing, svg: str) -> str:
    """Return a drawing without the prolog of its file. A prefix makes its ids distinct from those of other drawings."""
    prefix = drawing.file.removesuffix(".svg")
    body = svg[svg.index("<svg") :]
    body = _SVG_WIDTH.sub(lambda m: f'<svg{m[1]} style="width: {float(m[2]) * _ENLARGED:.0f}pt"', body, count=1)
    body = re.sub(r"\s*<metadata>.*?</metadata>", "", body, flags=re.DOTALL)
    body = re.sub(r'(\bid="|href="#|url\(#)', rf"\1{prefix}-", body)
    kind = ' class="wide" tabindex="0"' if drawing.wide else ' tabindex="0"'
    return f"<figure{kind}>\n{body}\n<figcaption>{html.escape(drawing.caption)}</figcaption></figure>"


def _written(text: Text) -> str:
    if isinstance(text, str):
        return html.escape(text).replace("\n", "<br>")
    if isinstance(text, Sets):
        return ", ".join(map(_set, text.names)) + text.more
    if isinstance(text, Styled):
        start, end = ('span class="faint"', "span") if text.style == "faint" else (text.style, text.style)
        return f"<{start}>{html.escape(text.text)}</{end}>"
    return "".join(map(_written, text))


def _set(name: str) -> str:
    """Return the name of a subset as HTML: italic letters with subscripts, or names in braces."""
    if name.startswith("{"):
        words = html.escape(name).replace("_", "_<wbr>")  # where a long name may be broken
        return f'<span class="set words">{"∅" if name == "{}" else words}</span>'
    return '<span class="set">' + _SUBSCRIPT.sub(r"\1<sub>\2</sub><wbr>", name) + "</span>"
