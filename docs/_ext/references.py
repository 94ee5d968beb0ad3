"""Show the numbered references of a docstring as a numbered list, and attributes whose names end with an underscore.

Read as reStructuredText, ``.. [1]`` is a target that exists once a page, and a page of the reference shows many
docstrings. The numbers are local to each docstring, so here they become plain numbers. The name of an attribute such as
``result_`` would be read as a link, and of attributes that are described together the first as the type of the second.
"""

from __future__ import annotations

import re

from sphinx.application import Sphinx
from sphinx.util.typing import ExtensionMetadata

ENTRY = re.compile(r"(\s*)\.\. \[(\d+)\]\s+(.*)")
MENTION = re.compile(r"\[(\d+)\]_")
ATTRIBUTE = re.compile(r"^(:(?:ivar|vartype) \w+)_:")
TOGETHER = re.compile(r"^:(?:ivar|vartype) \w+(?:, \w+)+:")


def number_references(_app: Sphinx, _what: str, _name: str, _obj: object, _options: object, lines: list[str]) -> None:
    """Rewrite the lines of one docstring in place, as Sphinx wants it."""
    written: list[str] = []
    indent: str | None = None  # that of the entry being read
    for line in lines:
        if entry := ENTRY.fullmatch(line):
            indent = entry[1]
            written.append(f"{indent}{entry[2]}. {entry[3]}")
        elif indent is not None and line.startswith(indent + " "):
            written[-1] += " " + line.strip()
        else:
            indent = None
            # of two names with a space between them, Sphinx takes the first for a type
            line = TOGETHER.sub(lambda names: names[0].replace(", ", ",\u200b"), line)
            written.append(ATTRIBUTE.sub(r"\1\_:", MENTION.sub(r"[\1]", line)))
    lines[:] = written


def setup(app: Sphinx) -> ExtensionMetadata:
    """Listen to every docstring that is put on a page."""
    app.setup_extension("sphinx.ext.autodoc")
    app.connect("autodoc-process-docstring", number_references, priority=600)  # after the sections are made
    return {"parallel_read_safe": True, "parallel_write_safe": True}
