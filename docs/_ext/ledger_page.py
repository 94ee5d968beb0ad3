"""The directive ``ledger``: the audit of the papers, made when the page is built, with links to its certificates.

Written out the ledger is some hundred screens long. So its table and every entry are folded; an entry shows its id,
its place and its verdict, and opens when it is clicked, found, or led to: its id in lower case is the anchor.
"""

from __future__ import annotations

import re

from docutils import nodes
from docutils.statemachine import StringList
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective
from sphinx.util.typing import ExtensionMetadata

from fstheory.ledger import audit
from fstheory.ledger.audit import audit_markdown


class LedgerPage(SphinxDirective):
    """Show every statement of the ledger; each certificate has been verified when the page was built."""

    def run(self) -> list[nodes.Node]:
        """Audit, and read the Markdown as part of the page."""
        text = _folded(audit_markdown(audit(), link=_download))
        lines = StringList(text.splitlines(), source=self.env.docname)
        here = nodes.Element()
        here.document = self.state.document
        self.state.nested_parse(lines, self.content_offset, here, match_titles=True)
        return here.children  # none: MyST puts sections where they belong


def _folded(text: str) -> str:
    """Fold the table, and each entry below a line with its verdict."""
    verdicts = dict(re.findall(r"^\| ([A-Z]\S*) \|[^|]*\| ([^|]*) \|", text, flags=re.MULTILINE))
    head, *entries = re.split(r"^### ", text, flags=re.MULTILINE)
    title, table, papers = re.split(r"(?<=All verdicts)\n|\n(?=## )", head, maxsplit=2)
    lines = [title, "", _dropdown("The table", table), papers]
    for entry in entries:
        line, _, body = entry.partition("\n")
        body, *next_paper = re.split(r"^(?=## )", body, flags=re.MULTILINE)
        name = line.partition(":")[0]
        lines += [_dropdown(f"{line}, {verdicts[name]}", body, name.lower()), *next_paper]
    return "\n".join(lines)


def _dropdown(title: str, body: str, name: str = "all-verdicts") -> str:
    return f"``````{{dropdown}} {title}\n:name: {name}\n\n{body.strip()}\n``````\n"


def _download(name: str) -> str:
    return f"{{download}}`certificate </../fstheory/ledger/certificates/{name}>`"


def setup(app: Sphinx) -> ExtensionMetadata:
    """Register the directive."""
    app.add_directive("ledger", LedgerPage)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
