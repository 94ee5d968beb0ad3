"""Check built pages: python .ci/inspect_pages.py FOLDER. Links lead somewhere, and nothing is loaded from outside."""

from __future__ import annotations

import re
import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote


class Page(HTMLParser):
    """The places a page offers, the links it has and the addresses it loads."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.names: set[str] = set()
        self.links: list[str] = []
        self.loaded: list[str] = []
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        """Note what one tag says."""
        given = {name: value or "" for name, value in attributes}
        self.names.update(given[name] for name in ("id", "name") if name in given)
        if tag == "a" and "href" in given:
            self.links.append(given["href"])
        if tag in {"script", "img", "link", "iframe"}:
            self.loaded += [given[name] for name in ("src", "href") if name in given]


def problems(folder: Path) -> list[str]:
    """Return one line for each link that leads nowhere and each thing loaded from elsewhere."""
    pages = {path.resolve(): Page(path) for path in sorted(folder.rglob("*.html"))}
    found = []
    for path, page in pages.items():
        here = path.relative_to(folder.resolve())
        found += [f"{here} loads {address}" for address in page.loaded if re.match(r"(https?:)?//", address)]
        for link in page.links:
            if re.match(r"[a-z]+:|//", link):
                continue
            address, _, name = link.partition("#")
            target = (path.parent / unquote(address)).resolve() if address else path
            if not target.exists():
                found.append(f"{here} links to {link}, which is no file")
            elif name and target in pages and unquote(name) not in pages[target].names:
                found.append(f"{here} links to {link}, where that page has no such place")
    return found


if __name__ == "__main__":
    lines = problems(Path(sys.argv[1]))
    sys.exit("\n".join(lines) if lines else 0)
