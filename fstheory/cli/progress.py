"""What a long run tells on stderr while it goes on; a short one tells nothing."""

from __future__ import annotations

import shutil
import sys
import time
from typing import Self

__all__ = ["Progress"]

_SECONDS = 10.0  # between two lines where they are not read as they come


class Progress:
    """A listener for lines of progress, which come about once a second.

    On a terminal each takes the place of the one before, and the last is wiped out. Elsewhere, in a file say, a line
    is written every ten seconds.

    Examples
    --------
    >>> with Progress() as progress:
    ...     progress("nearly there")  # within the first seconds: nothing, unless stderr is a terminal
    """

    def __init__(self) -> None:
        self._terminal = sys.stderr is not None and sys.stderr.isatty()
        self._width = 0
        self._told = time.monotonic()

    def __call__(self, text: str) -> None:
        """Tell it, or not."""
        if self._terminal:
            shown = text[: shutil.get_terminal_size().columns - 1]
            self._write("\r" + shown.ljust(self._width))
            self._width = len(shown)
        elif sys.stderr is not None and time.monotonic() - self._told >= _SECONDS:
            self._told = time.monotonic()
            self._write(text + "\n")

    def _write(self, text: str) -> None:
        print(text, end="", file=sys.stderr, flush=True)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._width:
            self._write("\r" + " " * self._width + "\r")
