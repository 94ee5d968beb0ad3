"""What a long run tells on stderr while it goes on; a short one tells nothing."""

from __future__ import annotations

import contextlib
import os
import shutil
import sys
import time
from typing import Self

from fstheory.subsets import escape

__all__ = ["Progress", "tell"]

_SECONDS = 10.0  # between two lines where they are not read as they come


def tell(text: str, before: str = "") -> None:
    """Write to stderr, all of it now; where it is closed or its disk is full, there is nobody to tell."""
    if sys.stderr is None:
        return
    try:
        print(before + escape(text), end="", file=sys.stderr, flush=True)
    except (OSError, ValueError):  # ValueError: closed while we run
        with contextlib.suppress(OSError, ValueError):  # Python would try to write the rest when it shuts down
            nowhere = os.open(os.devnull, os.O_WRONLY)
            os.dup2(nowhere, sys.stderr.fileno())
            os.close(nowhere)


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
            tell(shown.ljust(self._width), "\r")
            self._width = len(shown)
        elif sys.stderr is not None and time.monotonic() - self._told >= _SECONDS:
            self._told = time.monotonic()
            tell(text + "\n")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._width:
            tell("", f"\r{' ' * self._width}\r")
