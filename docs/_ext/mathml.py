"""Render formulas as MathML, which browsers draw by themselves: no script and no network.

Sphinx's own renderer loads a JavaScript library from elsewhere; the pages of this project are read
offline too, and a copy of that library would outweigh the whole repository.
"""

from __future__ import annotations

import re

from docutils import nodes
from docutils.utils.math import MathError
from docutils.utils.math.latex2mathml import tex2mathml
from sphinx.application import Sphinx
from sphinx.util import logging
from sphinx.util.typing import ExtensionMetadata
from sphinx.writers.html5 import HTML5Translator

LOGGER = logging.getLogger(__name__)

# What authors write that the converter of docutils does not know, in words that it knows.
REWRITTEN = [
    (re.compile(r"\\dots(?![A-Za-z])"), r"\\ldots"),
    (re.compile(r"\\iff(?![A-Za-z])"), r"\\;\\Longleftrightarrow\\;"),
    (re.compile(r"\\([td]?frac)([0-9])([0-9])"), r"\\\1{\2}{\3}"),
    (re.compile(r"\\([bB]igg?)(?=\s*(?:[)\]|]|\\[}|]))"), r"\\\1r"),
    (re.compile(r"\\([bB]igg?)(?=\s*(?:[(\[]|\\\{))"), r"\\\1l"),
    (re.compile(r"\\begin\{array\}\{[^{}]*\}"), r"\\begin{matrix}"),
    (re.compile(r"\\end\{array\}"), r"\\end{matrix}"),
]
# What the converter writes, and what browsers draw as it is meant.
REPLACED = [
    ("\N{REVERSE SOLIDUS OPERATOR}", "\\"),  # in few fonts
    ('<mo stretchy="false">\N{MODIFIER LETTER MACRON}</mo>', '<mo stretchy="false">\N{OVERLINE}</mo>'),  # sinks in
    ("<mo>\N{DOUBLE VERTICAL LINE}</mo>", '<mo stretchy="false">\N{DOUBLE VERTICAL LINE}</mo>'),  # grows with the line
]
# An accent under an index: the converter sets the index below the letter. And a function has a thin space on each side,
# as in TeX, but none before a bracket.
RESHAPED = [
    (
        re.compile(r'<munderover>\s*(<mi>\w</mi>)\s*(.*?)\s*(<mo stretchy="false">\S</mo>)\s*</munderover>', re.DOTALL),
        r'<msub><mover accent="true">\1\3</mover>\2</msub>',
    ),
    (
        re.compile(r"(</m(?:i|n|sub|sup|subsup|frac|row)>|>\)</mo>)(?=\s*<mi>[a-z]{2,}</mi>\s*<mo>&ApplyFunction;)"),
        r'\1<mspace width="0.17em"></mspace>',
    ),
    (
        re.compile(r"(?<=<mo>&ApplyFunction;</mo>)(?!\s*<mo[^>]*>[(\[{|])"),
        '<mspace width="0.17em"></mspace>',
    ),
]
TAG = re.compile(r"\\tag\{([^{}]*)\}")


def mathml(node: nodes.math | nodes.math_block, *, block: bool) -> str:
    """Convert the LaTeX of one node; a command that is not understood is a warning, so CI stops at it."""
    text = TAG.sub("", node.astext())
    for pattern, replacement in REWRITTEN:
        text = pattern.sub(replacement, text)
    try:
        drawn = tex2mathml(text, as_block=block)
    except MathError as error:
        LOGGER.warning("formula cannot be drawn: %s", error, location=node)
        return ""
    for shape, meant in RESHAPED:
        drawn = shape.sub(meant, drawn)
    for written, meant in REPLACED:
        drawn = drawn.replace(written, meant)
    return drawn


def visit_inline(self: HTML5Translator, node: nodes.math) -> None:
    """Write a formula that stands in a sentence."""
    self.body.append(mathml(node, block=False))
    raise nodes.SkipNode


def visit_display(self: HTML5Translator, node: nodes.math_block) -> None:
    """Write a formula on a line of its own, with its number if it has one."""
    self.body.append(self.starttag(node, "div", CLASS="formula"))
    if tag := TAG.search(node.astext()):
        self.body.append(f'<span class="number">({tag[1]})</span>')
    elif node.get("number"):
        self.body.append(f'<span class="number">({node["number"]})')
        self.add_permalink_ref(node, "Link to this equation")
        self.body.append("</span>")
    self.body.append(f"{mathml(node, block=True)}</div>\n")
    raise nodes.SkipNode


def setup(app: Sphinx) -> ExtensionMetadata:
    """Register the renderer under the name that conf.py chooses."""
    app.add_html_math_renderer("mathml", (visit_inline, None), (visit_display, None))
    return {"parallel_read_safe": True, "parallel_write_safe": True}
