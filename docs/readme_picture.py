"""Draw the picture of the README: ``python docs/readme_picture.py`` in the checkout writes docs/readme.svg."""

from __future__ import annotations

import colorsys
import re
from pathlib import Path

import fstheory as fs

PICTURE = Path(__file__).with_name("readme.svg")
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


if __name__ == "__main__":
    PICTURE.write_text(picture(), encoding="utf-8")
