"""Summaries in the results of a search where the pages are opened as files, whose browser fetches no other file.

Sphinx fetches every page that it found, to show the lines around the words. A browser refuses that below ``file://``;
there the texts come from a script beside the page of the search.
"""

from __future__ import annotations

import json
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.typing import ExtensionMetadata

ANSWER = """
if (location.protocol === "file:") window.fetch = (url) => {
  const main = document.createElement("div");
  main.setAttribute("role", "main");
  const page = new URL(url, location).href.slice(new URL(".", location).href.length);
  main.textContent = texts[page.replace(/[.]html.*/, "")];
  return Promise.resolve(new Response(main.outerHTML));
};
"""


def write_texts(app: Sphinx, failure: Exception | None) -> None:
    """Write what every page says into one script."""
    if failure is None and app.builder.format == "html":
        texts = {}
        for page in sorted(app.env.found_docs):
            said = app.env.get_doctree(page).findall(nodes.Text)
            texts[page] = " ".join(part for part in said if not isinstance(part.parent, nodes.raw | nodes.title))
        script = f"const texts = {json.dumps(texts, ensure_ascii=False)};{ANSWER}"
        (app.outdir / "_static" / "texts.js").write_text(script, encoding="utf-8")


def load_texts(_app: Sphinx, page: str, _template: str, context: dict[str, Any], _tree: object) -> None:
    """Let the page of the search load them, and no other page."""
    if page == "search":
        context["metatags"] = context.get("metatags", "") + '<script src="_static/texts.js"></script>'


def setup(app: Sphinx) -> ExtensionMetadata:
    """Listen to the pages, and to the end of the build."""
    app.connect("html-page-context", load_texts)
    app.connect("build-finished", write_texts)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
