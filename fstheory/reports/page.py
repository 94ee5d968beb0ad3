"""A report as one HTML page that needs nothing else."""

from __future__ import annotations

import html
import re
from collections.abc import Mapping, Sequence
from importlib import resources
from typing import TypeAlias

from fstheory._support.result import first_of
from fstheory.reports.blocks import Block, Drawing, Markup, Paragraph, Section, Sets, Styled, Table, Text, name_of

Drawings: TypeAlias = Mapping[str, str]
_SUBSCRIPT = re.compile(r"([A-Za-z]+)([0-9]+)")
_SVG_WIDTH = re.compile(r'<svg([^>]*?) width="([0-9.]+)pt" height="[0-9.]+pt"')
_ENLARGED = 1.35  # of a drawing, whose letters would else be smaller than those around it
_SHORT = 20  # lines of a table that stays on one printed page


def render_page(
    title: str, about: str, sections: Sequence[Section], drawings: Drawings, *, subject: str, footer: str
) -> str:
    """Return the page; drawings (SVG by the names of their files) and style are part of it."""
    style = resources.files("fstheory.reports").joinpath("page.css").read_text(encoding="utf-8")
    first, *rest = sections
    named = [(_anchor(section.heading), _escaped(section.heading)) for section in rest if section.heading]
    contents = "".join(f'<li><a href="#{anchor}">{heading}</a></li>' for anchor, heading in named)
    below = "\n".join(_section(section, drawings) for section in rest)
    return f"""<!DOCTYPE html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>{_escaped(title)}: {subject}</title>
<style>
{style}</style></head>
<body>
<header><h1>{_escaped(title)}</h1>
<p class="about">{_escaped(about)}</p></header>
<main>
{_section(first, drawings)}
<nav aria-label="Contents"><ol>{contents}</ol></nav>
{below}
</main>
<footer>{_escaped(footer)}</footer>
</body>
</html>
"""


def _anchor(heading: str) -> str:
    return re.sub(r"[^a-z]+", "-", heading.lower())


def _section(section: Section, drawings: Drawings) -> str:
    heading = f'<h2 id="{_anchor(section.heading)}">{_escaped(section.heading)}</h2>'
    return "\n".join([heading] * bool(section.heading) + [_block(block, drawings) for block in section.blocks])


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
    return f'<p class="faint">{_escaped(block.otherwise)}</p>' if block.otherwise else ""


def _table(table: Table) -> str:
    """Return a table; the first cell of a row is its header, a lone cell spans all."""
    rows = [[_written(cell) for cell in row] for row in table.rows]
    head = "".join(_cell("th", _written(cell), i in table.numbers) for i, cell in enumerate(table.head))
    lines = [f"<thead><tr>{head}</tr></thead>" if head else "", "<tbody>"]
    for row in rows:
        if len(row) == 1:
            lines.append(f'<tr><td class="faint" colspan="{len(table.head)}">{row[0]}</td></tr>')
        else:
            cells = (_cell("td" if i else "th", cell, i in table.numbers) for i, cell in enumerate(row))
            lines.append(f"<tr>{''.join(cells)}</tr>")
    printed = sum(1 + max(cell.count("<br>") for cell in row) for row in rows)
    kind = ' class="short"' if printed <= _SHORT else ""
    return "\n".join([f'<div class="scroll"><table{kind}>', *lines, "</tbody></table></div>"])


def _cell(tag: str, content: str, is_number: bool) -> str:
    kind = ' class="number"' if is_number else ""
    return f"<{tag}{kind}>{content}</{tag}>"


def _figure(drawing: Drawing, svg: str) -> str:
    """Return a drawing without the prolog of its file, and with names that no other drawing has."""
    prefix = drawing.file.removesuffix(".svg")
    body = svg[svg.index("<svg") :]
    body = _SVG_WIDTH.sub(lambda m: f'<svg{m[1]} style="width: {float(m[2]) * _ENLARGED:.0f}pt"', body, count=1)
    body = re.sub(r"\s*<metadata>.*?</metadata>", "", body, flags=re.DOTALL)
    body = re.sub(r'(\bid="|href="#|url\(#)', rf"\1{prefix}-", body)
    kind = ' class="wide"' if drawing.wide else ""
    return f"<figure{kind}>\n{body}\n<figcaption>{_escaped(drawing.caption)}</figcaption></figure>"


def _written(text: Text) -> str:
    if isinstance(text, str):
        return _escaped(text).replace("\n", "<br>")
    if isinstance(text, Sets):
        return first_of(text.subsets, lambda subset: _set(subset, text.features), text.most)
    if isinstance(text, Styled):
        start, end = ('span class="faint"', "span") if text.style == "faint" else (text.style, text.style)
        return f"<{start}>{_escaped(text.text)}</{end}>"
    return "".join(map(_written, text))


def _set(subset: frozenset[str], features: Sequence[str]) -> str:
    """Write a subset as a formula: italic letters with subscripts, or names in braces."""
    text = name_of(subset, features)
    if text.startswith("{"):
        return f'<span class="set words">{"∅" if text == "{}" else _escaped(text)}</span>'
    return '<span class="set">' + _SUBSCRIPT.sub(r"\1<sub>\2</sub><wbr>", text) + "</span>"


def _escaped(text: str) -> str:
    """Write text so that it is shown as it is; characters that HTML does not know are replaced."""
    return html.escape(text).replace("\x00", "\ufffd")
