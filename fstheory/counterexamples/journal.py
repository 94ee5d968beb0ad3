"""What a search has done, kept in a file, so that it can be interrupted and taken up again.

A journal maps the names of steps to what came out of them, in terms of JSON: exact, and readable. The search is written
as if it always began at the beginning; it asks the journal first.

A file is read only if it is whole: nothing else in it, nothing twice, its digest right. The counterexamples that it
tells of are decided again. That an earlier run found none cannot be seen without searching again, and who edits a file
can also correct its digest; so a search says what of its answer is the journal's.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import stat
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from types import CodeType
from typing import Any, Self

from fstheory._files import parse_json, write_atomically
from fstheory._memory import format_bytes
from fstheory.counterexamples.enumerate import count
from fstheory.counterexamples.target import BUDGET, Target, lowest
from fstheory.errors import InvalidFormatError, InvalidTypeError, InvalidValueError, explain, show
from fstheory.logic.claim import Claim
from fstheory.logic.function import code_of
from fstheory.logic.statement import Statement
from fstheory.logic.symmetry import canonical_text

__all__ = ["Journal", "fingerprint", "fingerprint_of_code"]

FORMAT = "fstheory search"
VERSION = 2
_KEYS = {"format", "version", "search", "done", "digest"}
_REPAIR = "pass a path where there is no file yet"
_MOST_BYTES = 2**26
_MOST_TOTAL = 1000  # as for `max_total`


class Journal:
    """The steps of one search that are done."""

    def __init__(
        self, path: str | os.PathLike[str] | None, search: Mapping[str, Any], seconds: float = BUDGET.saved
    ) -> None:
        if path is not None and not isinstance(path, str | os.PathLike):
            raise InvalidTypeError(explain("resume", "the path of a file", path, "write 'search.json', say"))
        self._path = None if path is None else Path(path)
        self._search = dict(search)
        self._saved = self._changes = 0
        self._seconds, self._time = seconds, time.monotonic()
        self._done = {} if self._path is None else _read(self._path, self._search)
        self._earlier = frozenset(self._done)

    def is_earlier(self, step: str) -> bool:
        """Say whether the file told of a step when it was read."""
        return step in self._earlier

    def get(self, step: str, default: Any = None) -> Any:
        """Return what came out of a step, or `default` if it is not done."""
        return self._done.get(step, default)

    def put(self, step: str, result: Any) -> None:
        """Note what came out of a step; the file follows once in so many seconds."""
        self._done[step] = result
        self._changes += 1
        if time.monotonic() - self._time >= self._seconds:
            self.save()

    def identify(self, step: str, fingerprint: Callable[[], str]) -> None:
        """Note the fingerprint of what a step is about, or compare it with the one that was noted."""
        if self._path is None:
            return
        known, here = self._done.get(step), fingerprint()
        if known is None:
            self.put(step, here)
        elif known != here:
            raise _another(self._path, "the claim was changed")

    def check(self, target: Target) -> None:
        """Compare the steps of a shape with what they can be, and decide its counterexamples again."""
        start = f"{target.shape}, "
        steps = {name.removeprefix(start): made for name, made in self._done.items() if name.startswith(start)}
        for step, made in steps.items():
            if not _is_possible(step, made, target):
                raise self.refusal(f"what it says of {start}{step[:40]!r} is not what a search finds")

    def shapes(self) -> set[str]:
        """Return the shapes that the file tells of, in words."""
        return {name.rpartition(", ")[0] for name in self._earlier}

    def refusal(self, reason: str) -> InvalidFormatError:
        """Return the error that refuses the file, which is not written again."""
        self._saved = self._changes
        return _no_journal(self._path, reason)

    def save(self) -> None:
        """Write the file, whole or not at all."""
        self._time = time.monotonic()
        if self._path is not None and self._changes > self._saved:
            content = {"format": FORMAT, "version": VERSION, "search": self._search, "done": self._done}
            content["digest"] = _digest(_canonical(content))
            write_atomically(self._path, json.dumps(content, indent=1) + "\n")
            self._saved = self._changes

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.save()


def fingerprint(statement: Statement) -> str:
    """Return what tells a ground statement from others."""
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


def _canonical(content: Any) -> str:
    return json.dumps(content, sort_keys=True)


def _read(path: Path, search: Mapping[str, Any]) -> dict[str, Any]:
    """Return the steps of a file; none if there is no file."""
    try:
        content = parse_json(_text(path), _MOST_BYTES)
    except FileNotFoundError:
        return {}
    except (OSError, ValueError) as error:  # ValueError: no UTF-8, no JSON, a number of many digits
        raise _no_journal(path, f"it cannot be read ({error})") from error
    if not isinstance(content, dict) or content.get("format") != FORMAT:
        raise _no_journal(path, "it has another format")
    if content.get("version") != VERSION:
        raise _no_journal(path, f"its version is {show(content.get('version'))}, and this program knows {VERSION}")
    if content.keys() != _KEYS or not all(isinstance(content[key], dict) for key in ("search", "done")):
        raise _no_journal(path, "it has another format")
    if content.pop("digest") != _digest(_canonical(content)):
        raise _no_journal(path, "it was changed after it was written")
    known = content["search"]
    if _canonical(known) != _canonical(search):
        differing = [key for key in search if _canonical(known.get(key)) != _canonical(search[key])]
        raise _another(path, f"it differs in {', '.join(differing) or 'its options'}")
    return dict(content["done"])


def _text(path: Path) -> str:
    """Return what is in a file; what is no file might never end."""
    kind = path.stat()
    if not stat.S_ISREG(kind.st_mode):
        raise ValueError("it is no regular file")
    if kind.st_size > _MOST_BYTES:
        raise ValueError(f"it is larger than {format_bytes(_MOST_BYTES)}")
    return path.read_bytes().decode("utf-8")


def _is_possible(step: str, made: Any, target: Target) -> bool:
    """Say whether this can have come out of a step of the search of a shape."""
    kind, _, number = step.rpartition(" ")
    total = int(number) if re.fullmatch("[1-9][0-9]{,3999}", number) else 0
    if step == "claim":
        return isinstance(made, str)
    if kind == "total" and total:
        return _is_level(total, made, target)
    if not isinstance(made, list) or len(made) != 1:
        return False
    (found,) = made
    if step == "solver":  # None without an answer, [] without a counterexample
        return found is None or found == [] or _refutes(found, target)
    if kind == "totals up to" and total:
        return found == [] or (_refutes(found, target) and sum(lowest(found)) <= total)
    if kind == "least of total" and total:
        return _refutes(found, target) and sum(found) == total
    if step == "random":
        pair = isinstance(found, list) and len(found) == 2 and _is_count(found[1])
        return pair and (found[0] is None or _refutes(found[0], target))
    return step == "descent" and _refutes(found, target)


def _is_level(total: int, made: Any, target: Target) -> bool:
    if total > _MOST_TOTAL or not isinstance(made, dict) or made.keys() != {"next", "best", "decided"}:
        return False
    after, best, decided = made["next"], made["best"], made["decided"]
    if not _is_count(after) or not _is_count(decided) or not decided <= after <= count(target.shape.cells, total):
        return False
    if best is None:
        return True
    if not isinstance(best, list) or len(best) != 2 or not all(map(_is_count, best)) or not best[1] < after:
        return False
    weights = target.at(total, best[1])
    return best[0] == sum(weight > 0 for weight in weights) and target.violated(weights)


def _refutes(found: Any, target: Target) -> bool:
    """Decide again whether weights are a counterexample."""
    listed = isinstance(found, list) and len(found) == target.shape.cells and all(map(_is_count, found))
    return listed and any(found) and target.violated(tuple(found))


def _is_count(value: Any) -> bool:
    return type(value) is int and value >= 0


def _no_journal(path: Path | None, reason: str) -> InvalidFormatError:
    return InvalidFormatError(explain("resume", "a file that a search wrote", str(path), f"{reason}: {_REPAIR}"))


def _another(path: Path | None, reason: str) -> InvalidValueError:
    return InvalidValueError(explain("resume", "the file of this search", str(path), f"{reason}: {_REPAIR}"))
