"""What a report says, as sections of plain values, and the text for a terminal that they make."""

from __future__ import annotations

import textwrap
from collections.abc import Collection, Iterable, Sequence
from typing import NamedTuple, TypeAlias

from fstheory._support.result import first_of
from fstheory.lattice.subsets import format_subset, mask_of


class Styled(NamedTuple):
    """Text in bold ("b"), italic ("i"), as code ("code") or pale ("faint")."""

    text: str
    style: str


class Sets(NamedTuple):
    """Subsets of the features, of which a form writes the first few."""

    subsets: Sequence[frozenset[str]]
    features: tuple[str, ...]
    most: int = 8


Piece: TypeAlias = str | Styled | Sets
Text: TypeAlias = Piece | tuple[Piece, ...]


class Paragraph(NamedTuple):
    """A paragraph, in the style "answer" or "faint" where it has one."""

    text: Text
    style: str = ""


class Table(NamedTuple):
    """A table, without a head if that is empty; a row of one cell spans all columns.

    The columns of `numbers` stand at the right. A line break parts a cell in two.
    """

    head: tuple[Text, ...]
    rows: Sequence[tuple[Text, ...]]
    numbers: tuple[int, ...] = ()


class Drawing(NamedTuple):
    """A drawing by the name of its file, and what is said where there is none."""

    file: str
    caption: str
    wide: bool
    otherwise: str = ""


class Markup(NamedTuple):
    """What the page and the text write each in its own way."""

    html: str
    text: str


Block: TypeAlias = Paragraph | Table | Drawing | Markup


class Section(NamedTuple):
    """A heading, empty above the contents, and what stands below it."""

    heading: str
    blocks: Sequence[Block]


def name_of(subset: Iterable[str], features: Sequence[str]) -> str:
    """Write a subset given by names."""
    return format_subset(mask_of(subset, features), features)


def counted(count: int, noun: str) -> str:
    """Write a number with its noun."""
    return f"{count} {noun}{'es' * noun.endswith('s') or 's'}" if count != 1 else f"1 {noun}"


_WIDTH = 100
_TIED = "\0"  # a blank at which no line is broken


def render_text(title: str, about: str, sections: Sequence[Section]) -> str:
    """Return the report as text, without the drawings."""
    parts = [f"{title}\n{'=' * len(title)}\n{fold(about)}"]
    for heading, blocks in sections:
        lines = [line for block in blocks for line in _lines(block, "  " if heading else "")]
        if lines:
            parts.append("\n".join([heading, *lines] if heading else lines))
    return "\n\n".join(parts).replace(_TIED, " ")


def _lines(block: Block, indent: str) -> list[str]:
    if isinstance(block, Paragraph):
        return _wrap(indent + _written(block.text), indent)
    if isinstance(block, Markup):
        return [f"{indent}  {block.text}"] if block.text else []
    return [] if isinstance(block, Drawing) else fold("\n".join(_rows(block, indent))).split("\n")


def _rows(table: Table, indent: str) -> list[str]:
    """Align a table; where cells have parts, each becomes a row with the head of its column."""
    head = tuple(map(_written, table.head))
    rows = [tuple(map(_written, row)) for row in table.rows]
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


def _written(text: Text) -> str:
    if isinstance(text, str):
        return text
    if isinstance(text, Styled):
        return text.text
    if isinstance(text, Sets):
        return first_of(text.subsets, lambda subset: name_of(subset, text.features).replace(" ", _TIED), text.most)
    return "".join(map(_written, text))


def columns(rows: Sequence[Sequence[str]], indent: str, numbers: Collection[int] = ()) -> list[str]:
    """Align the columns of a table at the left, those of numbers at the right."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = []
    for row in rows:
        cells = [
            cell.rjust(width) if i in numbers else cell.ljust(width)
            for i, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        lines.append((indent + "  ".join(cells)).rstrip())
    return lines


def fold(text: str) -> str:
    """Break lines longer than 100 characters at blanks; what goes on is indented by four more."""
    folded: list[str] = []
    for line in text.split("\n"):
        folded += _wrap(line, " " * (len(line) - len(line.lstrip()) + 4))
    return "\n".join(folded).replace(_TIED, " ")


def _wrap(line: str, indent: str) -> list[str]:
    wrapped = textwrap.wrap(line, _WIDTH, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False)
    return wrapped or [line]
