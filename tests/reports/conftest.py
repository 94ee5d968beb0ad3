"""A browser for the tests of the explorer, where there is one, and pages opened in it that must not complain."""

import json
import shutil
import subprocess
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any

import pytest

from fstheory.reports.explorer import explorer_page


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    """Start Debian's Chromium by Playwright; without either, say so and skip."""
    program = shutil.which("chromium") or shutil.which("google-chrome")
    if program is None:
        pytest.skip("no Chromium here: the page is not opened in a browser")
    playwright = pytest.importorskip("playwright.sync_api", reason="Playwright is not installed")
    with playwright.sync_playwright() as running:
        started = running.chromium.launch(executable_path=program, args=["--no-sandbox"])
        yield started
        started.close()


@pytest.fixture(scope="session")
def scripts(browser: Any) -> Any:
    """Return the page in which all scripts run, one after another."""
    return browser.new_page()


@pytest.fixture
def opened(browser: Any, tmp_path: Path) -> Iterator[Callable[..., Any]]:
    """Open pages, of what is explored or as they are written; whatever is wrong with them is a failure."""
    wrong: list[str] = []
    pages: list[Any] = []

    def show(source: Any, screen: Mapping[str, Any] = MappingProxyType({}), **options: Any) -> Any:
        page = browser.new_page(**{"reduced_motion": "reduce", **screen})
        page.on("pageerror", lambda error: wrong.append(str(error)))
        page.on("console", lambda message: wrong.append(message.text))
        page.on("request", lambda request: None if request.url[:5] in ("file:", "blob:") else wrong.append(request.url))
        told = {"claims": False, "samples": (), **options}
        written = source if isinstance(source, str) else explorer_page(source, **told)
        (tmp_path / "page.html").write_text(written, encoding="utf-8")
        page.goto((tmp_path / "page.html").as_uri())
        pages.append(page)
        return page

    yield show
    for page in pages:
        page.close()
    assert wrong == []


@pytest.fixture
def evaluated(request: pytest.FixtureRequest, tmp_path: Path) -> Callable[[str], Any]:
    """Return what a module of JavaScript that sets `answer` finds: by Node, or in the browser where there is none."""
    node = shutil.which("node")

    def run(script: str) -> Any:
        if node is None:
            page = request.getfixturevalue("scripts")
            (tmp_path / "run.html").write_text(
                f"<script type=module>{script}\nwindow.answer = answer;</script>", "utf-8"
            )
            page.goto((tmp_path / "run.html").as_uri())
            return page.wait_for_function("window.answer").json_value()
        (tmp_path / "run.mjs").write_text(f"{script}\nconsole.log(JSON.stringify(answer));", encoding="utf-8")
        done = subprocess.run([node, "run.mjs"], cwd=tmp_path, capture_output=True, text=True, check=True)
        return json.loads(done.stdout)

    return run
