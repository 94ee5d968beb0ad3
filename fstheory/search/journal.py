"""What a search has done, kept in a file, so that it can be interrupted and taken up again.

A journal maps the names of steps to what came out of them, in terms of JSON: exact, and readable. The search is written
as if it always began at the beginning; it asks the journal first.
"""

from __future__ import annotations

import hashlib
import json
import os
import time
from collections.abc import Mapping
from pathlib import Path
from types import CodeType, TracebackType
from typing import Any, Self

from fstheory._files import write_atomically
from fstheory.errors import InvalidFormatError, InvalidTypeError, InvalidValueError, explain
from fstheory.logic.body import code_of
from fstheory.logic.claim import Claim
from fstheory.logic.statement import Statement
from fstheory.logic.symmetry import canonical_text

__all__ = ["Journal", "fingerprint", "fingerprint_of_code"]

FORMAT = "fstheory search"
VERSION = 1
_SECONDS = 1.0  # between two versions of the file


class Journal:
    """The steps of one search that are done.

    Parameters
    ----------
    path : str or path-like, optional
        The file; it is read if it exists, and written while the search goes on. Without one, nothing is kept.
    search : mapping
        What identifies the search: its claim and its limits.

    Raises
    ------
    InvalidFormatError
        The file is no journal, or of a later version.
    InvalidValueError
        It is the journal of another search.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder) / "search.json"
    ...     with Journal(path, {"claim": "PN-4"}) as journal:
    ...         journal.put("2 states, total 1", None)
    ...     Journal(path, {"claim": "PN-4"}).get("2 states, total 1", "not done")
    """

    def __init__(self, path: str | os.PathLike[str] | None, search: Mapping[str, Any]) -> None:
        if path is not None and not isinstance(path, str | os.PathLike):
            raise InvalidTypeError(explain("resume", "the path of a file", path, "write 'search.json', say"))
        self._path = None if path is None else Path(path)
        self._search = dict(search)
        self._done: dict[str, Any] = {}
        self._saved = 0
        self._changes = 0
        self._time = time.monotonic()
        if self._path is not None and self._path.exists():
            self._done = _read(self._path, self._search)

    def get(self, step: str, default: Any = None) -> Any:
        """Return what came out of a step, or `default` if it is not done."""
        return self._done.get(step, default)

    def put(self, step: str, result: Any) -> None:
        """Note what came out of a step; the file follows once a second."""
        self._done[step] = result
        self._changes += 1
        if time.monotonic() - self._time >= _SECONDS:
            self.save()

    def identify(self, step: str, print_: str) -> None:
        """Note the fingerprint of what a step is about, or compare it with the one that was noted.

        Raises
        ------
        InvalidValueError
            It is another one.
        """
        known = self._done.get(step)
        if known is None:
            self.put(step, print_)
        elif known != print_:
            raise _another(self._path, "the claim was changed")

    def save(self) -> None:
        """Write the file, whole or not at all.

        Raises
        ------
        OutputError
            It cannot be written.
        """
        self._time = time.monotonic()
        if self._path is not None and self._changes > self._saved:
            content = {"format": FORMAT, "version": VERSION, "search": self._search, "done": self._done}
            write_atomically(self._path, json.dumps(content, indent=1) + "\n")
            self._saved = self._changes

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.save()


def fingerprint(statement: Statement) -> str:
    """Return what tells a ground statement from others.

    Examples
    --------
    >>> from fstheory.logic import Shape, claim
    >>> @claim
    ... def monotone(m, S, i):
    ...     return m.risk(S | {i}) <= m.risk(S)
    >>> len(fingerprint(monotone.statement(Shape((2,)))))
    16
    """
    parts = (sorted(canonical_text(named.formula) for named in part) for part in (statement.assume, statement.show))
    return _digest("\n\n".join(map("\n".join, parts)))


def fingerprint_of_code(claim: Claim) -> str:
    """Return what tells the functions of a claim and of its assumptions from others."""
    bodies = (code_of(part.body) for part in (claim, *claim.assumptions))
    return _digest("|".join("" if code is None else _code(code) for code in bodies))


def _code(code: CodeType) -> str:
    return "\n".join([code.co_code.hex(), *map(_constant, code.co_consts), *code.co_names])


def _constant(value: object) -> str:
    if isinstance(value, CodeType):
        return _code(value)
    return str(sorted(map(repr, value))) if isinstance(value, frozenset) else repr(value)  # sets have no order


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def _read(path: Path, search: Mapping[str, Any]) -> dict[str, Any]:
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise _no_journal(path, f"it cannot be read ({error})") from error
    if not isinstance(content, dict) or content.get("format") != FORMAT or not isinstance(content.get("done"), dict):
        raise _no_journal(path, "it has another format")
    if content.get("version") != VERSION:
        raise _no_journal(path, f"its version is {content.get('version')!r}, and this program knows {VERSION}")
    if content.get("search") != json.loads(json.dumps(search)):
        known = content.get("search")
        differing = [key for key in search if not isinstance(known, dict) or known.get(key) != search[key]]
        raise _another(path, f"it differs in {', '.join(differing) or 'its options'}")
    done: dict[str, Any] = content["done"]
    return done


def _no_journal(path: Path, reason: str) -> InvalidFormatError:
    repair = f"{reason}: pass a path where there is no file yet"
    return InvalidFormatError(explain("resume", "a file that a search wrote", str(path), repair))


def _another(path: Path | None, reason: str) -> InvalidValueError:
    repair = f"{reason}: pass a path where there is no file yet"
    return InvalidValueError(explain("resume", "the file of this search", str(path), repair))
