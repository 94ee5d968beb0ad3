"""What a long computation has done, kept in a file, so that it can be interrupted and taken up again.

A journal maps the names of steps to what came out of them, in terms of JSON. A computation always begins at the
beginning, and asks the journal first. A file is read only if it is whole, with its digest right; who edits it can also
correct that, so whoever uses a journal looks at what it says of each step.
"""

from __future__ import annotations

import hashlib
import json
import math
import os
import stat
import time
import warnings
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, ClassVar, Self

from fstheory._support.files import as_path, parse_json, write_atomically
from fstheory._support.memory import format_bytes
from fstheory.errors import InvalidFormatError, InvalidValueError, explain, show

_REPAIR = "pass a path where there is no file yet"
_MOST_BYTES = 2**28  # that are written, or read: those of 10**7 numbers or more
_SHARE = 50  # times what writing took is waited until it is done again: with the last time, it takes a tenth at most


class Journal:
    """The steps of one computation that are done.

    A subclass says what it is `about`, a search or a law; `options` tell one such computation from others.
    """

    about: ClassVar[str]
    version: ClassVar[int] = 1

    def __init__(
        self,
        path: str | os.PathLike[str] | None,
        options: Mapping[str, Any],
        seconds: float = 1.0,
        *,
        most_bytes: int = _MOST_BYTES,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        self._path = None if path is None else as_path(path, "resume", f"write '{self.about}.json', say")
        self._options = dict(options)
        self._saved = self._changes = 0
        self._most_bytes, self._now, self._seconds = most_bytes, now, seconds
        self._time, self._wait = now(), seconds
        self._done = {} if self._path is None else self._read(self._path)
        self._earlier = frozenset(self._done)
        self._texts: dict[str, str] = {}  # of the steps that were written, as most do not change again

    @property
    def is_kept(self) -> bool:
        """Whether there is a file."""
        return self._path is not None

    @property
    def is_due(self) -> bool:
        """Whether the file is to be written again: once in so many seconds, or seldomer if it takes long."""
        return self.is_kept and self._now() - self._time >= self._wait

    def is_earlier(self, step: str) -> bool:
        """Say whether the file told of a step when it was read."""
        return step in self._earlier

    def get(self, step: str, default: Any = None) -> Any:
        """Return what came out of a step, or `default` if it is not done."""
        return self._done.get(step, default)

    def put(self, step: str, result: Any) -> None:
        """Note what came out of a step; the file follows when it is due."""
        self._note(step, result)
        if self.is_due:
            self.save()

    def offer(self, *steps: tuple[str, Callable[[], Any]], last: bool = False) -> None:
        """Note how far some steps are, if the file is due or it is the last time; what they say is made only then."""
        start, due = self._now(), self.is_due
        if due or (last and self.is_kept):
            for step, made in steps:
                self._note(step, made())
        if due:
            self.save(start)

    def _note(self, step: str, result: Any) -> None:
        self._done[step] = result
        self._texts.pop(step, None)
        self._changes += 1

    def refusal(self, reason: str) -> InvalidFormatError:
        """Return the error that refuses the file, which is not written again."""
        self._saved = self._changes
        needed = f"a file that {'an' if self.about[0] in 'aeiou' else 'a'} {self.about} wrote"
        return InvalidFormatError(explain("resume", needed, str(self._path), f"{reason}: {_REPAIR}"))

    def another(self, reason: str) -> InvalidValueError:
        """Return the error that says that the file is of another computation."""
        needed = f"the file of this {self.about}"
        return InvalidValueError(explain("resume", needed, str(self._path), f"{reason}: {_REPAIR}"))

    def save(self, start: float | None = None) -> None:
        """Write the file, whole or not at all; what is too large to be read again is not written, with a warning."""
        start = self._now() if start is None else start
        if self._path is None or self._changes == self._saved or self._wait == math.inf:
            return
        self._texts |= {step: _canonical(made) for step, made in self._done.items() if step not in self._texts}
        done = _object(self._texts)
        head = {"format": f"fstheory {self.about}", "version": self.version, self.about: self._options}
        text = _object({**{key: _canonical(value) for key, value in head.items()}, "done": done})
        if len(text) > self._most_bytes:
            needed, self._wait = f"a file of at most {format_bytes(self._most_bytes)}", math.inf
            repair = f"{self._path} stays as it is, and what is done from now on will be done again"
            warnings.warn(explain("resume", needed, format_bytes(len(text)), repair), stacklevel=2)
            return
        write_atomically(self._path, f'{text[:-1]}, "digest": "{digest(text)}"}}\n')
        self._saved, self._time = self._changes, self._now()
        self._wait = max(self._seconds, _SHARE * (self._time - start))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.save()

    def _read(self, path: Path) -> dict[str, Any]:
        """Return the steps of a file; none if there is no file."""
        try:
            content = parse_json(_text(path, self._most_bytes), self._most_bytes)
        except FileNotFoundError:
            return {}
        except (OSError, ValueError) as error:  # ValueError: no UTF-8, no JSON, a number of many digits
            raise self.refusal(f"it cannot be read ({error})") from error
        if not isinstance(content, dict) or content.get("format") != f"fstheory {self.about}":
            raise self.refusal("it has another format")
        version = content.get("version")
        if version != self.version:
            raise self.refusal(f"its version is {show(version)}, and this program knows {self.version}")
        objects = isinstance(content.get(self.about), dict) and isinstance(content.get("done"), dict)
        if content.keys() != {"format", "version", self.about, "done", "digest"} or not objects:
            raise self.refusal("it has another format")
        if content.pop("digest") != digest(_canonical(content)):
            raise self.refusal("it was changed after it was written")
        options = content[self.about]
        if _canonical(options) != _canonical(self._options):
            differing = [key for key in self._options if _canonical(options.get(key)) != _canonical(self._options[key])]
            raise self.another(f"it differs in {', '.join(differing) or 'its options'}")
        return dict(content["done"])


def digest(text: str) -> str:
    """Return what tells a text from others."""
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def _canonical(content: Any) -> str:
    return json.dumps(content, sort_keys=True)


def _object(texts: Mapping[str, str]) -> str:
    """Return the canonical text of an object from those of its values."""
    return f"{{{', '.join(f'{json.dumps(key)}: {texts[key]}' for key in sorted(texts))}}}"


def _text(path: Path, most_bytes: int) -> str:
    """Return what is in a file; what is no file might never end."""
    kind = path.stat()
    if not stat.S_ISREG(kind.st_mode):
        raise ValueError("it is no regular file")
    if kind.st_size > most_bytes:
        raise ValueError(f"it is larger than {format_bytes(most_bytes)}")
    return path.read_bytes().decode("utf-8")
