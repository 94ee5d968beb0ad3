"""Journals: files with the finished steps of a long computation, which can then be interrupted and resumed.

A journal maps the names of steps to their results, as JSON data. A resumed computation begins at the beginning and
looks each step up in the journal first. The first line of the file names the computation. Each step appends one line.
Every line carries a digest of itself and of all lines before it. A killed process may leave half a line at the end,
which is dropped; any other damage is refused. The file is locked while the journal is open, so that two processes
cannot mix their steps. The digests do not protect against a person who edits the file and corrects the digests. So a
computation that reads a journal checks each step that it takes from it.
"""

from __future__ import annotations

import hashlib
import json
import os
import time
import warnings
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, BinaryIO, Self, TypeAlias, final

from fstheory._support.files import as_path, close_locked, open_locked, parse_json, unwritten, write_atomically
from fstheory._support.memory import format_bytes
from fstheory.errors import InvalidFormatError, InvalidValueError, OutputError, explain, show

Resume: TypeAlias = "str | os.PathLike[str] | None"
"""The file that a call keeps, and goes on from if it exists; None is none."""

_VERSION = 4
_REPAIR = "pass a path where there is no file yet"
_MOST_BYTES = 2**28  # that are written, or read: those of 10**7 numbers or more
_SHARE = 50  # times what an offer took is waited until the next one: with the last one, they take a tenth at most
_OUTDATED = 4  # times as long as its steps may the file be, as these are written again when they change
_SMALL = 2**16  # bytes for which that does not matter


@final
class Journal:
    """The finished steps of one computation.

    `about` names the kind of computation, such as a search or a law. `options` distinguish it from others of its kind.
    """

    def __init__(
        self,
        path: Resume,
        about: str,
        options: Mapping[str, Any],
        *,
        seconds: float = 1.0,
        most_bytes: int = _MOST_BYTES,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        self._path = None if path is None else as_path(path, "resume", f"write '{about}.json', say")
        self._about, self._most_bytes, self._now, self._seconds = about, most_bytes, now, seconds
        self._head: dict[str, Any] = {
            "format": "fstheory journal",
            "version": _VERSION,
            "about": about,
            "options": dict(options),
        }
        self._time, self._wait = now(), seconds
        self.part = ""  # of the computation: what the names of its steps begin with, in the file
        self._lines: dict[str, str] = {}  # the text of each step, as it stands last
        self._done: dict[str, Any] = {}
        self._seal, self._length = "", 0  # the digest of the last line, and the bytes of all lines
        self._is_writable = self.is_kept
        self._file: BinaryIO | None = None
        self._is_new = self._path is not None and not os.path.exists(self._path)  # noqa: PTH110 (of any name)
        if self._path is not None:
            try:
                self._open(self._path)
            except BaseException:
                self.__exit__()
                raise
        self._earlier = frozenset(self._done)

    @property
    def is_kept(self) -> bool:
        """Whether there is a file."""
        return self._path is not None

    def is_earlier(self, step: str) -> bool:
        """Return whether the file already had a step when it was read."""
        return self.part + step in self._earlier

    def get(self, step: str, default: Any = None) -> Any:
        """Return the result of a step, or `default` if the step is not done."""
        return self._done.get(self.part + step, default)

    def put(self, step: str, result: Any) -> None:
        """Store the result of a step, in memory and in the file."""
        self._put({self.part + step: result})

    def _put(self, found: Mapping[str, Any]) -> None:
        """Store the results of some steps. The file gets all of them at once."""
        self._done |= found
        if not self._is_writable:
            return
        texts = {step: _canonical([step, result]) for step, result in found.items()}
        self._lines |= texts
        if self._length == 0 or self._length > _SMALL + _OUTDATED * sum(map(len, self._lines.values())):
            self._write_all()
        else:
            self._append(self._sealed(texts.values()))

    def offer(self, *steps: tuple[str, Callable[[], Any]], last: bool = False) -> None:
        """Store the progress of some steps, if it is time to do so, or for the last time.

        Only then are the functions called that return the progress.
        """
        start = self._now()
        if self._is_writable and (last or start - self._time >= self._wait):
            self._put({self.part + step: made() for step, made in steps})
            self._time = self._now()
            self._wait = max(self._seconds, _SHARE * (self._time - start))

    def refusal(self, reason: str) -> InvalidFormatError:
        """Return the error that refuses the file. The file is not written again."""
        self._is_writable = False
        needed = f"a file that {'an' if self._about[0] in 'aeiou' else 'a'} {self._about} wrote"
        return InvalidFormatError(explain("resume", needed, str(self._path), f"{reason}: {_REPAIR}"))

    def another(self, reason: str) -> InvalidValueError:
        """Return the error that says that the file belongs to another computation."""
        self._is_writable = False
        needed = f"the file of this {self._about}"
        return InvalidValueError(explain("resume", needed, str(self._path), f"{reason}: {_REPAIR}"))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._is_writable = False
        if self._file is not None and self._path is not None:
            if self._is_new and os.fstat(self._file.fileno()).st_size == 0:  # made to be locked, and no step is done
                with suppress(OSError):  # Windows keeps it, as it is open
                    os.unlink(os.path.realpath(self._path))  # noqa: PTH108 (the file, not a link to it)
            close_locked(self._file)
            self._file = None

    # The file

    def _open(self, path: Path) -> None:
        """Lock the file, and read the steps that it has."""
        if not self._is_new and not path.is_file():  # it might never end
            raise self.refusal("it cannot be read (it is no regular file)")
        self._lock(path)
        self._read(path)

    def _lock(self, path: Path) -> None:
        """Open and lock the file at a path, in place of the file that was locked before."""
        try:
            replaced, self._file = self._file, open_locked(path)
        except BlockingIOError as error:
            self._is_writable = False
            needed, repair = "a file that no other call is using", "wait until that one ends, or pass another path"
            raise OutputError(explain("resume", needed, str(path), repair)) from error
        except OSError as error:
            raise self._unwritten(error) from error
        if replaced is not None:
            close_locked(replaced)

    def _unwritten(self, error: OSError) -> OutputError:
        """Return the error that says why the file cannot be written. The file is not written again."""
        self._is_writable = False
        return unwritten(error, self._path, "resume")

    def _sealed(self, texts: Iterable[str]) -> bytes:
        """Return lines of the file, each with its digest after a tab."""
        lines = []
        for text in texts:
            self._seal = digest(f"{self._seal}{text}")
            lines.append(f"{text}\t{self._seal}\n")
        return "".join(lines).encode()

    def _write_all(self) -> None:
        """Write the file completely or not at all, with the last state of each step."""
        assert self._path is not None
        self._seal = ""
        content = self._sealed([_canonical(self._head), *self._lines.values()])
        if self._fits(len(content)):
            if os.name == "nt" and self._file is not None:  # which replaces no file that is open
                close_locked(self._file)
                self._file = None
            write_atomically(self._path, content, "resume")
            self._length = len(content)
            self._lock(self._path)

    def _append(self, lines: bytes) -> None:
        assert self._file is not None
        if self._fits(self._length + len(lines)):
            try:
                left = lines
                while left:  # a disk that is nearly full takes a part
                    left = left[self._file.write(left) :]
            except OSError as error:
                raise self._unwritten(error) from error
            self._length += len(lines)

    def _truncate(self, length: int) -> None:
        assert self._file is not None
        try:
            self._file.truncate(length)
        except OSError as error:
            raise self._unwritten(error) from error

    def _fits(self, length: int) -> bool:
        """Return whether a file of this size could be read again. Otherwise warn, and leave the file as it is."""
        if length <= self._most_bytes:
            return True
        self._is_writable = False
        repair = f"{self._path} stays as it is, and what is done from now on will be done again"
        needed = f"a file of at most {format_bytes(self._most_bytes)}"
        warnings.warn(explain("resume", needed, format_bytes(length), repair), stacklevel=2)
        return False

    def _read(self, path: Path) -> None:
        """Read the steps of the file."""
        try:
            if not path.is_file():
                raise self.refusal("it cannot be read (it is no file)")
            if path.stat().st_size > self._most_bytes:
                raise self.refusal(f"it cannot be read (it is larger than {format_bytes(self._most_bytes)})")
            content = path.read_bytes()
        except OSError as error:
            raise self.refusal(f"it cannot be read ({error})") from error
        *lines, half = content.split(b"\n")
        if not lines:
            if half.strip():
                raise self.refusal("it has another format")
            return
        for place, line in enumerate(lines, start=1):
            self._take(place, line)
        if half:
            self._truncate(len(content) - len(half))
        self._length = len(content) - len(half)

    def _take(self, place: int, line: bytes) -> None:
        """Read a line of the file. The first line names the computation; each other line has the result of a step."""
        try:
            text, _, seal = line.decode("utf-8").rpartition("\t")
            entry = parse_json(text, self._most_bytes)
        except ValueError as error:  # no UTF-8, no JSON, a number of many digits
            reason = "it has another format" if place == 1 else f"line {place} cannot be read ({error})"
            raise self.refusal(reason) from error
        self._seal = digest(f"{self._seal}{text}")
        if place == 1:
            self._compare(entry)
        if seal != self._seal:
            raise self.refusal(f"line {place} was changed after it was written")
        if place > 1:
            if not isinstance(entry, list) or len(entry) != 2 or not isinstance(entry[0], str):
                raise self.refusal(f"line {place} has another format")
            self._lines[entry[0]], self._done[entry[0]] = text, entry[1]

    def _compare(self, head: Any) -> None:
        """Refuse a file whose first line names another computation."""
        formats = (self._head["format"], self._about)
        if not isinstance(head, dict) or (head.get("format"), head.get("about")) != formats:
            raise self.refusal("it has another format")
        if head.get("version") != _VERSION:
            raise self.refusal(f"its version is {show(head.get('version'))}, and this program knows {_VERSION}")
        options, here = head.get("options"), self._head["options"]
        if not isinstance(options, dict) or head.keys() != self._head.keys():
            raise self.refusal("it has another format")
        if _canonical(options) != _canonical(here):
            differing = [key for key in here if _canonical(options.get(key)) != _canonical(here[key])]
            raise self.another(f"it differs in {', '.join(differing) or 'its options'}")


def digest(text: str) -> str:
    """Return the fingerprint of a text: the first 16 hexadecimal digits of its SHA-256."""
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def _canonical(content: Any) -> str:
    return json.dumps(content, sort_keys=True)
