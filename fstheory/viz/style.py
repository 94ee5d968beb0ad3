"""The look of a drawing: one place for colors, widths and sizes.

The colors are those of Okabe and Ito, chosen to be told apart by color-blind readers. None carries a meaning
alone: every difference is also one of width, dash, shape or lightness, so that a picture survives a grey printer.
"""

from __future__ import annotations

from typing import Final

__all__ = ["shade"]

FONT: Final = "DejaVu Sans"  # comes with matplotlib, so that sizes are the same everywhere
INK: Final = "#1a1a1a"
FAINT: Final = "#5f5f5f"  # still legible text, 6 to 1 on white
TIE_COLOR: Final = "#1a1a1a"
COST_COLOR: Final = "#8a8a8a"
PATH_COLOR: Final = "#E69F00"
OPTIMAL_COLOR: Final = "#0072B2"

TIE_WIDTH: Final = 2.2  # points
COST_WIDTH: Final = 0.8
COST_DASHES: Final = (4.0, 3.0)
FALL_DASHES: Final = (1.2, 2.2)
PATH_WIDTH: Final = 7.0
BORDER: Final = 0.8

# finer lines in crowded pictures
STROKES: Final = {"values": 1.0, "names": 0.8, "marked": 0.45, "codes": 0.6, "none": 0.6}

RING: Final = 0.055  # inches between the two borders of a marked box
FLAG: Final = 0.10  # side of the small square on a k-optimal box

_LIGHT = (255, 255, 255)
_DARK = (136, 172, 208)  # black text on it keeps a contrast above 7 to 1


def shade(rank: int, ranks: int) -> str:
    """Return the fill of a node: white for the smallest value, darker for each larger one."""
    part = rank / (ranks - 1) if ranks > 1 else 0.0
    mixed = (round(light + part * (dark - light)) for light, dark in zip(_LIGHT, _DARK, strict=True))
    return "#" + "".join(f"{channel:02x}" for channel in mixed)
