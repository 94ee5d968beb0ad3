"""The size of a text, from the metrics of the font that comes with matplotlib."""

from __future__ import annotations

import functools

from fstheory.viz.style import FONT

__all__ = ["line_height", "measure", "wrap"]


def line_height(points: float) -> float:
    """Return the distance of two lines of text in inches."""
    return 1.25 * points / 72


def measure(text: str, points: float, *, bold: bool = False) -> tuple[float, float]:
    """Return width and height in inches of a text of one or more lines; an empty text measures nothing."""
    if not text:
        return 0.0, 0.0
    lines = text.split("\n")
    widest = max(_width(line, bold) for line in lines)
    return widest * points / 10, len(lines) * line_height(points)


def wrap(text: str, points: float, room: float, *, bold: bool = False) -> str:
    """Break a text at spaces into lines no wider than `room` inches, unless one word is; no-break spaces hold."""
    lines = [""]
    for word in text.split(" "):
        longer = f"{lines[-1]} {word}" if lines[-1] else word
        if lines[-1] and measure(longer, points, bold=bold)[0] > room:
            lines.append(word)
        else:
            lines[-1] = longer
    return "\n".join(lines)


@functools.lru_cache(maxsize=4096)
def _width(line: str, bold: bool) -> float:
    """Return the width of one line at ten points."""
    from matplotlib.font_manager import FontProperties
    from matplotlib.textpath import text_to_path

    font = FontProperties(family=FONT, size=10, weight="bold" if bold else "normal")
    width, _, _ = text_to_path.get_text_width_height_descent(line, font, ismath=False)
    return float(width) / 72
