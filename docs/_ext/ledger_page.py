"""The directive ``ledger``: the audit of the papers, made when the page is built, with links to its certificates.

The pages that list the sentences of the papers lead to it.

Written out the ledger is some hundred screens long. So every entry is folded; it shows its id, its place and its
verdict, and opens when it is clicked, found, or led to: its id in lower case is the anchor. Above them is a table of
all statements, which `_static/ledger.js` searches and filters; without scripts it is whole.
"""

from __future__ import annotations

import functools
import re
from importlib import resources
from pathlib import Path
from typing import Any
from zipfile import ZIP_DEFLATED, ZipFile

from docutils import nodes
from docutils.statemachine import StringList
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective
from sphinx.util.typing import ExtensionMetadata

from fstheory.coq.sources import coq_name, library
from fstheory.logic.entry import Entry
from fstheory.logic.ledger import claims
from fstheory.reports.audit import Audit, audit, audit_markdown, coq_version
from fstheory.reports.bundle import coq_files


class LedgerPage(SphinxDirective):
    """Show every statement of the ledger; each certificate has been verified when the page was built."""

    def run(self) -> list[nodes.Node]:
        """Audit, and read the Markdown as part of the page."""
        audited = audit()
        text = _folded(audit_markdown(audited, link=_download), audited)
        lines = StringList(text.splitlines(), source=self.env.docname)
        here = nodes.Element()
        here.document = self.state.document
        self.state.nested_parse(lines, self.content_offset, here, match_titles=True)
        return here.children  # none: MyST puts sections where they belong


def _folded(text: str, audited: Audit) -> str:
    """Put another table for that of the verdicts, and fold each entry below a line with its verdict."""
    verdicts = dict(re.findall(r"^\| ([A-Z]\S*) \|[^|]*\| ([^|]*) \|", text, flags=re.MULTILINE))
    head, *entries = re.split(r"^### ", text, flags=re.MULTILINE)
    title, _, papers = re.split(r"(?<=All verdicts)\n|\n(?=## )", head, maxsplit=2)
    lines = [title, "", _table(audited, verdicts), papers]
    for entry in entries:
        line, _, body = entry.partition("\n")
        body, *next_paper = re.split(r"^(?=## )", body, flags=re.MULTILINE)
        name = line.partition(":")[0]
        lines += [_dropdown(f"{line}, {verdicts[name]}", body, name.lower()), *next_paper]
    return "\n".join(lines)


def _table(audited: Audit, verdicts: dict[str, str]) -> str:
    """Return one row for each statement, with its certificates."""
    lines = [
        "``````{div} ledger-table",
        "| id | paper | place | what it says | verdict | certificates |",
        "| --- | --- | --- | --- | --- | --- |",
    ]
    for entry in (row.entry for row in audited):
        better = [f"[{other.id}](#{other.id.lower()})" for other in claims.values() if other.corrects == entry.id]
        verb = "corrected" if entry.status == "false" else "sharpened"
        verdict = verdicts[entry.id] + (f"; {verb} by {', '.join(better)}" if better else "")
        words = entry.words.replace("|", "\\|")
        name = f"[{entry.id}](#{entry.id.lower()})"
        lines.append(f"| {name} | {entry.paper.key} | {entry.place} | {words} | {verdict} | {_downloads(entry)} |")
    return "\n".join([*lines, "``````", ""])


def _downloads(entry: Entry) -> str:
    """Return links to the certificates of an entry, each once; their names begin with the id of the entry."""
    names = dict.fromkeys(evidence.certificate for evidence in (*entry.evidence, *entry.needs.values()))
    return ", ".join(_download(name, name.removesuffix(".json").removeprefix(f"{entry.id}-")) for name in names if name)


def _dropdown(title: str, body: str, name: str) -> str:
    return f"``````{{dropdown}} {title}\n:name: {name}\n\n{body.strip()}\n``````\n"


def _download(name: str, shown: str = "certificate") -> str:
    link = '<a class="download" href="{}" download>{}</a>'
    theorem = coq_name(name.removesuffix(".json"))
    coq = [link.format(f"coq/{theorem}.v", "for Coq")] * (theorem in _for_coq())
    return ", ".join([link.format(f"certificates/{name}", shown), *coq])


@functools.cache
def _for_coq() -> dict[str, str]:
    """Return the theorems for every size that Coq has accepted, by their names."""
    found = (one for entry in claims.values() for one in (*entry.evidence, *entry.needs.values()))
    proofs = {
        str(one.certificate): one.load() for one in found if coq_version(one) and "-every-" in str(one.certificate)
    }
    return {coq_name(name.removesuffix(".json")): proof.to_coq() for name, proof in proofs.items()}


def link_entries(_app: Sphinx, docname: str, source: list[str]) -> None:
    """Lead the ids in the last column of the tables of readings to the audit."""
    if docname.startswith("readings/"):
        source[0] = re.sub(r"(?m)[^|\n]+(?=\|$)", lambda cell: re.sub(r"\S+-[^\s,;]+", _linked, cell[0]), source[0])


def _linked(word: re.Match[str]) -> str:
    return f"{{ref}}`{word[0]} <{word[0].lower()}>`" if word[0] in claims else word[0]


def load_search(app: Sphinx, pagename: str, _template: str, _context: dict[str, Any], _tree: object) -> None:
    """Load the script on the page of the audit only."""
    if pagename == "audit":
        app.add_js_file("ledger.js", loading_method="defer")


def write_certificates(app: Sphinx, exception: Exception | None) -> None:
    """Write the certificates of the ledger, and the proofs for Coq, beside the page of the audit, to download."""
    if exception is None and app.builder.format == "html":
        with ZipFile(resources.files("fstheory.papers") / "certificates.zip") as archive:
            archive.extractall(Path(app.outdir) / "certificates")
        folder = Path(app.outdir) / "coq"
        folder.mkdir(exist_ok=True)
        with ZipFile(folder / "proofs.zip", "w", ZIP_DEFLATED) as archive:
            theorem_r = library(["From FS Require TheoremR."])["TheoremR.v"]
            for name, text in coq_files(_for_coq() | {"TheoremR": theorem_r}).items():
                (folder / name).write_text(text, encoding="utf-8")
                archive.writestr(f"proofs/{name}", text)


def setup(app: Sphinx) -> ExtensionMetadata:
    """Register the directive."""
    app.add_directive("ledger", LedgerPage)
    app.connect("html-page-context", load_search)
    app.connect("source-read", link_entries)
    app.connect("build-finished", write_certificates)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
