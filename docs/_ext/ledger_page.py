"""The directive ``ledger``: the audit of the papers, made when the page is built, with links to its certificates."""

from __future__ import annotations

from docutils import nodes
from docutils.statemachine import StringList
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective
from sphinx.util.typing import ExtensionMetadata

from fstheory.ledger import audit
from fstheory.ledger.markdown import audit_markdown


class LedgerPage(SphinxDirective):
    """Show every statement of the ledger; each certificate has been verified when the page was built."""

    def run(self) -> list[nodes.Node]:
        """Audit, and read the Markdown as part of the page."""
        text = audit_markdown(audit(), link=_download)
        lines = StringList(text.splitlines(), source=self.env.docname)
        here = nodes.Element()
        here.document = self.state.document
        self.state.nested_parse(lines, self.content_offset, here, match_titles=True)
        return here.children  # none: MyST puts sections where they belong


def _download(name: str) -> str:
    return f"{{download}}`certificate </../fstheory/ledger/certificates/{name}>`"


def setup(app: Sphinx) -> ExtensionMetadata:
    """Register the directive."""
    app.add_directive("ledger", LedgerPage)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
