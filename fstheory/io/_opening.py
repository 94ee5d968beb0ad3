"""Open a text file for reading, and say in one line what is wrong with it."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO

from fstheory.errors import InvalidFormatError, InvalidTypeError, InvalidValueError, explain

__all__ = ["as_path", "open_text"]


@contextmanager
def open_text(path: str | os.PathLike[str]) -> Iterator[TextIO]:
    """Open a UTF-8 file, its line ends as they are; a byte order mark at its start is no part of the text."""
    file = as_path(path)
    with file.open(encoding="utf-8-sig", newline="") as stream:
        try:
            yield stream
        except UnicodeDecodeError as error:
            raise InvalidFormatError(_not_unicode(file)) from error


def as_path(path: object) -> Path:
    """Return `path` as a Path, or refuse it."""
    if not isinstance(path, str | os.PathLike):
        raise InvalidTypeError(explain("path", "a string or a path", path, "pass the name of a file"))
    if "\0" in str(path):
        raise InvalidValueError(explain("path", "without null characters", str(path), "correct it"))
    try:
        os.fsencode(path)
    except UnicodeEncodeError as error:
        raise InvalidValueError(
            explain("path", "a name that the file system can hold", str(path), "correct it")
        ) from error
    return Path(path)


def _not_unicode(path: Path) -> str:
    """Say where the file stops being UTF-8. A line end is never a part of another character, so lines stand alone."""
    with path.open("rb") as stream:
        for number, line in enumerate(stream, 1):
            try:
                line.decode("utf-8")
            except UnicodeDecodeError as error:
                found = line[error.start : error.end]
                return explain(f"line {number} of {path}", "UTF-8 text", found, "save the file with that encoding")
    return explain(str(path), "UTF-8 text", "what it was", "it changed while it was read: try again")
