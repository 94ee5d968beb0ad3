"""The widget in JupyterLab with a kernel, where what is typed comes back computed, and in a lesson built as a page."""

import json
import os
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import fstheory as fs
from tests.house import source

pytestmark = pytest.mark.thorough

CELLS = [
    "import fstheory as fs\nwidget = fs.reports.lattice_widget(fs.gallery.titanic())\nwidget",
    "noisier = fs.linear_family(fs.gallery.xor(), fs.gallery.xor(noise='1/2'))\n"
    "slider = fs.reports.lattice_widget(noisier)\nslider",
    "print(widget.distribution.total, slider.distribution == fs.gallery.xor(noise='1/4'), slider.state)",
]


CELL: dict[str, Any] = {"cell_type": "code", "execution_count": None, "metadata": {}, "outputs": []}
KERNEL = {"name": "python3", "display_name": "Python 3", "language": "python"}
NOTEBOOK = {
    "cells": [CELL | {"id": f"cell{i}", "source": text} for i, text in enumerate(CELLS)],
    "metadata": {"kernelspec": KERNEL}, "nbformat": 4, "nbformat_minor": 5,
}  # fmt: skip


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Start JupyterLab in a folder of its own, which no setting of the person who runs this reaches."""
    pytest.importorskip("jupyterlab", reason="JupyterLab is not installed")
    pytest.importorskip("anywidget", reason="anywidget is not installed")
    folder = tmp_path_factory.mktemp("lab")
    (folder / "lesson.ipynb").write_text(json.dumps(NOTEBOOK), encoding="utf-8")
    places = ("JUPYTER_CONFIG_DIR", "JUPYTER_DATA_DIR", "JUPYTER_RUNTIME_DIR", "JUPYTERLAB_WORKSPACES_DIR")
    own = {name: str(folder / name.lower()) for name in (*places, "JUPYTERLAB_SETTINGS_DIR", "IPYTHONDIR")}
    command = [sys.executable, "-m", "jupyterlab", "--no-browser", "--allow-root", "--expose-app-in-browser"]
    command += ["--ServerApp.port=0", "--IdentityProvider.token=", f"--ServerApp.root_dir={folder}"]
    log = folder / "log"
    with log.open("w", encoding="utf-8") as file:
        lab = subprocess.Popen(command, env={**os.environ, **own}, cwd=folder, stdout=file, stderr=file)
    try:
        yield found_address(lab, log)
    finally:
        lab.terminate()
        lab.wait(20)


def found_address(lab: subprocess.Popen[bytes], log: Path) -> str:
    """Wait until the server says where it listens."""
    for _ in range(600):
        if match := re.search(r"http://(?:localhost|127\.0\.0\.1):\d+/lab", log.read_text(encoding="utf-8")):
            return match[0]
        assert lab.poll() is None, log.read_text(encoding="utf-8")
        time.sleep(0.1)
    raise AssertionError(log.read_text(encoding="utf-8"))


@pytest.fixture
def lesson(browser: Any, address: str) -> Iterator[Any]:
    """Open the notebook with its kernel."""
    wrong: list[str] = []
    page = browser.new_page(viewport={"width": 1400, "height": 1600})
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.goto(f"{address}/tree/lesson.ipynb?reset")
    page.wait_for_selector(".jp-Notebook .jp-Cell", timeout=60_000)
    page.evaluate("jupyterapp.shell.currentWidget.sessionContext.ready")
    page.evaluate("jupyterapp.shell.currentWidget.sessionContext.session.kernel.info")
    run(page, "notebook:run-all-cells")
    page.wait_for_function("document.querySelectorAll('.fst-stage').length == 2", timeout=30_000)
    yield page
    page.close()
    assert wrong == []


def run(page: Any, command: str, **arguments: str) -> None:
    """Execute a command of JupyterLab and wait until it is done."""
    page.evaluate(f"jupyterapp.commands.execute({command!r}, {json.dumps(arguments)}).then(() => null)")


def printed(page: Any, cell: int) -> str:
    """Run a cell once more and return what it prints."""
    page.evaluate(f"jupyterapp.shell.currentWidget.content.activeCellIndex = {cell}")
    run(page, "notebook:run-cell")
    text: str = page.locator(".jp-Cell").nth(cell).locator(".jp-OutputArea-output").inner_text()
    return text.strip()


def test_the_widget_answers_in_jupyterlab(lesson: Any) -> None:
    first, second = (lesson.locator(".fstheory-lattice").nth(i) for i in range(2))
    first.locator("[data-mask='2']").hover()
    assert first.locator(".fst-facts h3").inner_text() == "{sex}"
    first.locator("[data-mask='2']").click()
    lesson.keyboard.press("ArrowRight")  # JupyterLab has shortcuts of its own for arrows and for letters
    lesson.keyboard.press("b")
    assert first.locator("[data-mask='4']").get_attribute("aria-pressed") == "true"
    assert lesson.locator(".jp-Cell").count() == len(CELLS)

    first.get_by_label("Criterion").select_option(label="AUC")
    first.get_by_text("Weights: change them").click()
    first.get_by_label("class = crew, sex = female, age = adult, survived = no").fill("1003")
    first.get_by_role("button", name="Apply").click()
    typed = fs.gallery.titanic().weights.copy()
    typed[3, 1, 1, 0] = 1003
    changed = fs.JointDistribution(typed, features=["class", "sex", "age"], target="survived")
    value = fs.criterion_values(changed, "auc").value_at(1)
    first.locator(f"[data-mask='1'][aria-label*='AUC {value}']").wait_for()  # only the kernel knows
    assert first.get_by_label("Criterion").input_value() == "auc"

    knob = second.locator(".fst-track input")
    knob.focus()
    lesson.keyboard.press("ArrowRight")
    assert second.locator(".fst-stop").inner_text() == "0 < t < 1"
    lesson.wait_for_timeout(800)
    assert lesson.evaluate("document.activeElement.type") == "range"
    assert printed(lesson, 2) == "3201 True {'t': '1/2'}"


def test_a_cell_that_is_run_again_and_a_dark_theme(lesson: Any) -> None:
    lesson.evaluate("jupyterapp.shell.currentWidget.content.activeCellIndex = 0")
    run(lesson, "notebook:run-cell")
    lesson.wait_for_function("document.querySelectorAll('.fst-stage').length == 2")
    first = lesson.locator(".fstheory-lattice").nth(0)
    first.locator("[data-mask='1']").click()
    assert first.locator("[data-mask='1']").get_attribute("aria-pressed") == "true"
    paper = "getComputedStyle(document.querySelector('.fstheory-lattice')).backgroundColor"
    assert lesson.evaluate(paper) == "rgb(255, 255, 255)"
    run(lesson, "apputils:change-theme", theme="JupyterLab Dark")
    lesson.wait_for_selector("body[data-jp-theme-light=false]", state="attached", timeout=20_000)
    assert lesson.evaluate(paper) == "rgb(22, 24, 27)"


LESSON = "04-mutual-information-chooses-the-wrong-feature"
SETTINGS = f"""
import sys
sys.path[:0] = [{str(source.ROOT)!r}, {str(source.ROOT / "docs" / "_ext")!r}]
extensions, root_doc, html_theme, html_math_renderer = ["mathml", "myst_nb"], {LESSON!r}, "basic", "mathml"
html_static_path, nb_ipywidgets_js = [{str(source.ROOT / "docs" / "_static")!r}], {{"widgets.js": {{}}}}
nb_execution_raise_on_error, myst_enable_extensions = True, ["dollarmath"]
"""


def test_a_student_moves_the_lattices_of_a_lesson_without_a_kernel(browser: Any, tmp_path: Path) -> None:
    for name in ("sphinx", "myst_nb", "ipykernel", "matplotlib", "anywidget"):
        pytest.importorskip(name, reason=f"{name} is not installed")
    (tmp_path / "conf.py").write_text(SETTINGS, encoding="utf-8")
    (tmp_path / f"{LESSON}.ipynb").write_bytes((source.ROOT / "notebooks" / f"{LESSON}.ipynb").read_bytes())
    paths = os.pathsep.join(filter(None, [str(source.ROOT), os.environ.get("PYTHONPATH")]))  # for the kernel
    command = [sys.executable, "-m", "sphinx", "-q", str(tmp_path), str(tmp_path / "site")]
    subprocess.run(command, check=True, env={**os.environ, "PYTHONPATH": paths})
    page, wrong = browser.new_page(), list[str]()
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.on("request", lambda request: None if request.url[:5] in ("file:", "blob:") else wrong.append(request.url))
    page.goto((tmp_path / "site" / f"{LESSON}.html").as_uri())
    patients, share = (page.locator("div.fstheory-lattice").nth(i) for i in range(2))
    patients.get_by_label("Criterion").select_option("auc")
    d = fs.gallery.ahmed_example_1()
    box = "[data-mask='3'][aria-label*='{}']"
    patients.locator(box.format(f"AUC {fs.criterion_values(d, 'auc').value_at(3)}")).wait_for()
    share.locator(".fst-track input").press("ArrowRight")
    assert share.locator(".fst-stop").inner_text() == "0 < t < 1/10"
    share.locator(box.format("Bayes risk 1/20")).wait_for()
    share.get_by_role("button", name="Play").click()
    share.get_by_text("t = 1/10, critical", exact=True).wait_for()
    page.locator("summary", has_text="Answers").click()
    assert page.get_by_text("both cost 161/1200").is_visible()
    page.close()
    assert wrong == []
