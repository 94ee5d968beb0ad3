"""Repairs of what Sphinx makes: links from source code to the reference, last lines of code, names for screen readers.

`sphinx.ext.viewcode` sends every object back to the module that was first shown from a file: ``fstheory.as_criterion``
where the reference has ``fstheory.measures.criteria.as_criterion``. And the blank line between the output of an
example and the end of its fence, which doctest needs, is no line of the example. What a screen reader reads out is what
stands there, and what scrolls sideways can be reached by the keyboard.
"""

from __future__ import annotations

import posixpath
import re
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.typing import ExtensionMetadata

BACK = re.compile(r'(class="viewcode-back" href=")([^"#]*)\.html#([^"]*)"')
SIGNATURE = re.compile(r"<dl>\n(?:<dd>.*?</dd>\n)+</dl>", re.DOTALL)  # long, a line for each parameter: no definitions
STOPS = """
for (const button of document.querySelectorAll(".search-button-field"))
  button.setAttribute("aria-label", button.textContent.trim().replace(/\\s+/g, " "));
const wide = "div.formula, div.admonition, .cell_output :is(.output, .text_html, .text_html > div)";
for (const part of document.querySelectorAll(wide))
  if (part.scrollWidth > part.clientWidth) part.tabIndex = 0;
"""


def mend_names(_app: Sphinx, _page: str, _template: str, context: dict[str, Any], _tree: object) -> None:
    """Let the lines of a signature be no list of definitions, and a fold be called what it says."""
    if "body" in context:
        body = context["body"].replace('<summary aria-label="Toggle hidden content">', "<summary>")
        plain = '<dl role="none">', '<dd role="none">'
        context["body"] = SIGNATURE.sub(lambda m: m[0].replace("<dl>", plain[0]).replace("<dd>", plain[1]), body)


def mend_back_links(app: Sphinx, pagename: str, _template: str, context: dict[str, Any], _tree: object) -> None:
    """Lead every link of a page of source code to the name that the reference has."""
    if not pagename.startswith("_modules/"):
        return
    objects = app.env.domains["py"].data["objects"]

    def mend(found: re.Match[str]) -> str:
        start, page, name = found.groups()
        shown = posixpath.normpath(posixpath.join(posixpath.dirname(pagename), page))
        there = [full for full, entry in objects.items() if entry.docname == shown]
        parts = name.split(".")  # the reference may name an object by the root, and its source by a package
        tails = [".".join(["", *parts[i:]]) for i in range(1, len(parts))]
        known = [name] * (name in there) + [full for tail in tails for full in there if full.endswith(tail)]
        return f'{start}{page}.html#{known[0] if known else name}"'

    context["body"] = BACK.sub(mend, context["body"])


def strip_code(_app: Sphinx, tree: nodes.document) -> None:
    """Take the blank lines from the end of every block of code."""
    for block in tree.findall(nodes.literal_block):
        text = block.astext()
        if text != text.rstrip() and len(block.children) == 1:
            block.children = []
            block += nodes.Text(text.rstrip())
            block.rawsource = text.rstrip()  # code with another raw source is not highlighted


def setup(app: Sphinx) -> ExtensionMetadata:
    """Listen to every page that is read, and to every one that is written."""
    app.add_js_file(None, body=STOPS, type="module")
    app.connect("html-page-context", mend_back_links)
    app.connect("html-page-context", mend_names)
    app.connect("doctree-read", strip_code)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
