"""A finished drawing: it shows itself in Jupyter and saves itself as SVG, PNG or PDF."""

from __future__ import annotations

import io
import os
import threading
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fstheory._files import write_atomically
from fstheory._optional import require
from fstheory.errors import InvalidValueError, explain

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["LatticeFigure", "PlotFigure", "file_kind"]

_SETTINGS: Any = {
    "svg.fonttype": "none", "svg.hashsalt": "fstheory", "svg.id": None, "pdf.fonttype": 42,
    "text.hinting": "no_hinting",  # hinted letters are wider than measured where pixels are few
    "savefig.bbox": None, "savefig.facecolor": "auto", "savefig.transparent": False,
}  # fmt: skip
_settings_lock = threading.Lock()
_MOST_DPI = 2400
_UNDATED = {"svgz": {"Date": None}, "pdf": {"CreationDate": None}, "ps": {}, "eps": {}}
"""The metadata of the formats that take some, but for SVG and PNG."""


def file_kind(path: str | os.PathLike[str], argument: str = "path") -> str:
    """Return the format that the suffix of a path names: one that matplotlib writes alone, or the path is refused."""
    require("matplotlib", "viz", "drawing")
    from matplotlib.backend_bases import FigureCanvasBase

    kinds = FigureCanvasBase.get_supported_filetypes().keys() - {"pgf"}  # which asks a TeX how wide letters are
    kind = Path(path).suffix.lower().removeprefix(".")
    if kind not in kinds:
        known = f"a name that ends in one of {', '.join(f'.{name}' for name in sorted(kinds))}"
        raise InvalidValueError(explain(argument, known, str(path), "change its suffix"))
    return kind


def _check_dpi(dpi: float) -> None:
    if isinstance(dpi, bool) or not isinstance(dpi, int | float) or not 1 <= dpi <= _MOST_DPI:
        raise InvalidValueError(explain("dpi", f"a number from 1 to {_MOST_DPI}", dpi, "pass 200"))


class PlotFigure:
    """A finished drawing.

    Attributes
    ----------
    figure : matplotlib.figure.Figure
        Independent of pyplot: it needs no closing and is drawn by no window.
    title, description : str
        What a screen reader says of the picture.
    """

    def __init__(self, figure: Figure, title: str, description: str) -> None:
        self.figure, self.title, self.description = figure, title, description

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {self.title}>"

    def _repr_svg_(self) -> str:
        return self.to_svg()

    def to_svg(self) -> str:
        """Return the picture as SVG: text stays text, and the same drawing always gives the same bytes."""
        metadata = {"Date": None, "Creator": "fstheory", "Title": self.title}
        text = self._render("svg", metadata, None).decode("utf-8")
        title = f"<title>{escape(self.title, quote=False)}</title>"
        described = f"{title}\n <desc>{escape(self.description, quote=False)}</desc>"
        return text.replace("<svg ", '<svg role="img" ', 1).replace(title, described, 1)

    def to_png(self, dpi: float = 200) -> bytes:
        """Return the picture as PNG, with `dpi` pixels to the inch."""
        _check_dpi(dpi)
        return self._render("png", {"Software": None, "Title": self.title}, dpi)

    def save(self, path: str | os.PathLike[str], *, dpi: float = 200) -> None:
        """Write the picture to a file, whole or not at all.

        The suffix of `path` says the format: ``.svg``, ``.png``, ``.pdf`` or another that matplotlib writes; a PNG has
        `dpi` pixels to the inch.

        Raises
        ------
        InvalidValueError
            The suffix is none that matplotlib writes, or `dpi` is not between 1 and 2400.
        """
        kind = file_kind(path)
        _check_dpi(dpi)
        if kind in {"svg", "png"}:
            write_atomically(path, self.to_svg() if kind == "svg" else self.to_png(dpi))
        else:
            metadata = {**_UNDATED[kind], "Title": self.title} if kind in _UNDATED else None
            write_atomically(path, self._render(kind, metadata, dpi))

    def _render(self, kind: str, metadata: dict[str, Any] | None, dpi: float | None) -> bytes:
        import matplotlib as mpl

        stream = io.BytesIO()
        with _settings_lock, mpl.rc_context(_SETTINGS):  # these settings have no other door than the global ones
            self.figure.savefig(stream, format=kind, metadata=metadata, dpi=dpi or "figure")
        return stream.getvalue()


class LatticeFigure(PlotFigure):
    """A drawn lattice."""
