"""Writing files completely or not at all, and reading JSON strictly."""

from __future__ import annotations

import json
import os
import secrets
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, BinaryIO, NoReturn, cast

from fstheory.errors import InvalidFormatError, InvalidValueError, OutputError, explain, require, require_type, show


def as_path(path: Any, argument: str = "path", repair: str = "pass the name of a file") -> Path:
    """Return `path` as a Path. Raise an error if the file system cannot hold it."""
    require_type(path, (str, os.PathLike), argument, "a string or a path", repair)
    require("\0" not in str(path), argument, "without null characters", str(path), "correct it")
    try:
        os.fsencode(path)
    except UnicodeEncodeError as error:
        requirement = "a name that the file system can hold"
        raise InvalidValueError(explain(argument, requirement, str(path), "correct it")) from error
    return Path(path)


def as_source(path: Any, argument: str = "path") -> Path:
    """Return the path of a file to read. Refuse a device or a pipe, which may have no end."""
    file = as_path(path, argument)
    if file.exists() and not (file.is_file() or file.is_dir()):
        repair = "a device or a pipe may have no end: copy it to a file"
        raise InvalidFormatError(explain(argument, "the name of a file", str(path), repair))
    return file


def unwritten(error: Exception, path: object, argument: str, what: str = "file") -> OutputError:
    """Return the error that says why a file or a folder cannot be written."""
    reason = (getattr(error, "strerror", None) or str(error)).lower()
    return OutputError(explain(argument, f"a {what} that can be written", str(path), f"{reason}: correct it"))


@contextmanager
def refusing(path: object, argument: str, what: str = "file") -> Iterator[None]:
    """Turn an error of the file system into an `OutputError` that names the argument and the path."""
    try:
        yield
    except OutputError:
        raise
    except (OSError, ValueError) as error:  # ValueError: a null character in the path
        raise unwritten(error, path, argument, what) from error


def write_atomically(path: str | os.PathLike[str], data: bytes | str, argument: str = "path") -> None:
    """Write `data` as UTF-8 to `path`, or to the target of a link, completely or not at all.

    A reader sees the old file or the new one, never a part of it.

    `argument` is the name that `path` has for the user.
    """
    require_type(path, (str, os.PathLike), "path", "a string or a path", "pass the name of a file")
    try:
        content = data.encode("utf-8") if isinstance(data, str) else data
    except UnicodeEncodeError as error:
        half, repair = data[error.start : error.end], f"nothing was written to {path}"
        raise OutputError(explain("the text", "one that UTF-8 can hold", half, repair)) from error
    with refusing(path, argument):
        target = Path(os.path.realpath(path))
        if target.is_symlink():  # replacing a link that leads back to itself would destroy it
            raise OutputError(
                explain(argument, "the name of a file", str(path), "it is a link to itself: pass another")
            )
        if target.exists() and not target.is_file():
            # replacing a device or a folder by a file would destroy it
            raise OutputError(explain(argument, "the name of a file", str(path), "pass another path"))
        draft = target.with_name(f".{secrets.token_hex(8)}.tmp")  # short: a long name may have no room for a suffix
        try:
            with draft.open("xb") as stream:
                stream.write(content)
                stream.flush()
                os.fsync(stream.fileno())
            if target.exists():
                draft.chmod(target.stat().st_mode & 0o7777)
            draft.replace(target)
        except BaseException:
            draft.unlink(missing_ok=True)
            raise


def open_locked(path: Path) -> BinaryIO:
    """Open a file for reading and appending, and lock it. Raise `BlockingIOError` if another process has the lock.

    If there is no file, it is made. A read-only file is opened for reading. The lock ends with `close_locked` or with
    the process. On a file system without locks, the file is not locked.
    """
    while True:
        is_writable = os.access(path, os.W_OK) or not os.access(path, os.F_OK)
        stream = cast(BinaryIO, path.open("a+b" if is_writable else "rb", buffering=0))
        try:
            _lock(stream)
            with suppress(FileNotFoundError):
                if os.path.samestat(os.fstat(stream.fileno()), path.stat()):
                    return stream
        except BaseException:
            stream.close()
            raise
        stream.close()  # the process that had the lock has replaced or removed the file meanwhile


def close_locked(stream: BinaryIO) -> None:
    """Unlock and close a file. Other processes can then lock it, even if a forked process still has it open."""
    if sys.platform != "win32":
        import fcntl

        with suppress(OSError):
            fcntl.flock(stream, fcntl.LOCK_UN)
    stream.close()


def _lock(stream: BinaryIO) -> None:
    if sys.platform == "win32":
        import msvcrt

        stream.seek(2**30)  # a byte behind the end, as nobody else could read one that is locked
        try:
            msvcrt.locking(stream.fileno(), msvcrt.LK_NBLCK, 1)
        except PermissionError as error:
            raise BlockingIOError from error
    else:
        import fcntl

        try:
            fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise
        except OSError:  # a file system without locks
            pass


_DEEPEST = 250  # lists and objects inside one another, as for the checker of certificates
LONGEST = 2**26  # characters of a JSON text, as for the checker; read one more, and a file without an end is refused


def parse_json(text: object, longest: int = LONGEST, *, decimals: bool = False) -> Any:
    """Return the data of a JSON text. Repeated keys and deep nesting raise a ValueError, and so do decimals by default.

    With `decimals`, each of them is read as a float.
    """
    if not isinstance(text, str | bytes):
        raise ValueError(f"it is no text but {type(text).__name__}")
    if len(text) > longest:
        raise ValueError(f"it is longer than {longest} characters")
    try:
        number = float if decimals else _no_decimal
        content = json.loads(text, object_pairs_hook=_once, parse_float=number, parse_constant=_no_decimal)
    except RecursionError as error:
        raise ValueError("it is nested too deeply") from error
    level = [content]
    for _ in range(_DEEPEST + 1):
        inside = (part.values() if isinstance(part, dict) else part for part in level if isinstance(part, dict | list))
        level = [part for parts in inside for part in parts if isinstance(part, dict | list)]
        if not level:
            return content
    raise ValueError("it is nested too deeply")


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for key, part in pairs:
        if key in found:
            raise ValueError(f"the key {show(key)} appears twice")
        found[key] = part
    return found


def _no_decimal(number: str) -> NoReturn:
    raise ValueError(f"{number[:20]} is not a whole number")
