"""Draw the two pictures of the README: ``python docs/readme_picture.py`` in the checkout writes them into docs/.

The second one is a photograph of a page, which needs Chromium, and Playwright: ``pip install -e '.[browser]'``.
"""

from __future__ import annotations

import colorsys
import re
import shutil
from pathlib import Path
from typing import Any

import fstheory as fs

PICTURE = Path(__file__).with_name("readme.svg")
LESSON = Path(__file__).with_name("readme-lesson.png")
SCREEN = {"viewport": {"width": 800, "height": 1100}, "device_scale_factor": 1.5, "reduced_motion": "reduce"}
COLOR = re.compile(r"#([0-9a-f]{6})\b")


def dark(color: str) -> str:
    """Return a color of the same hue that is as dark as the given one is light: ink gets light, and paper dark."""
    hue, lightness, saturation = colorsys.rgb_to_hls(*(int(color[i : i + 2], 16) / 255 for i in (0, 2, 4)))
    channels = colorsys.hls_to_rgb(hue, 0.95 - 0.87 * lightness, saturation)
    return "#" + "".join(f"{round(255 * channel):02x}" for channel in channels)


def picture() -> str:
    """Return the lattice of the Titanic on a transparent ground, in the colors that the reader's scheme asks for."""
    d = fs.gallery.titanic()
    drawn = fs.bayes_risks(d).plot(best=fs.minimal_optimal(d).features, title="")
    drawn.figure.patch.set_visible(False)
    text = drawn.to_svg()
    colors = sorted(set(COLOR.findall(text)))
    light = " ".join(f"--c{color}: #{color};" for color in colors)
    night = " ".join(f"--c{color}: {dark(color)};" for color in colors)
    style = f":root {{ {light} }}\n@media (prefers-color-scheme: dark) {{ :root {{ {night} }} }}"
    return COLOR.sub(r"var(--c\1)", text).replace("</style>", f"\n{style}</style>", 1)


def lesson(browser: Any) -> Any:
    """Return the page of the Titanic in a browser, at the second question of lesson mode."""
    page = browser.new_page(**SCREEN)
    page.set_content(fs.reports.explorer_page("titanic", ask=True, claims=False))
    page.get_by_role("button", name="Show the answer").click()
    page.get_by_role("button", name="Next question").click()
    return page


def said(page: Any) -> str:
    """Return the text of the question and of the boxes, as it can be read on the picture."""
    shown = page.locator(".fst-lesson strong, .fst-question, .fst-lesson button, svg [data-mask] text")
    return " / ".join(shown.all_text_contents())


def photograph(page: Any) -> None:
    """Write the part of the page from the question to the bottom of the lattice, with its text beside the pixels."""
    from PIL import Image
    from PIL.PngImagePlugin import PngInfo

    above, below = page.locator(".fst-lesson").bounding_box(), page.locator("svg:has([data-mask])").bounding_box()
    clip = {"x": 8, "y": above["y"] - 2, "width": 784, "height": below["y"] + below["height"] - above["y"] + 10}
    page.screenshot(path=LESSON, clip=clip, full_page=True)
    about = PngInfo()
    about.add_text("said", said(page))
    with Image.open(LESSON) as image:
        image.convert("RGB").quantize(64).save(LESSON, pnginfo=about, optimize=True)


if __name__ == "__main__":
    from playwright.sync_api import sync_playwright

    PICTURE.write_text(picture(), encoding="utf-8")
    with sync_playwright() as running:
        program = shutil.which("chromium") or shutil.which("google-chrome")
        photograph(lesson(running.chromium.launch(executable_path=program, args=["--no-sandbox"])))
