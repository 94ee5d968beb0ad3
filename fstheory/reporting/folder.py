"""A folder of files, of which all are written or none."""

from __future__ import annotations

import os
import secrets
import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path

from fstheory.errors import OutputError, explain

__all__ = ["write_folder"]


def write_folder(folder: str | os.PathLike[str], files: Mapping[str, bytes | None]) -> None:
    """Write files into a folder, so that all of them change or none does.

    They are written to a temporary folder first. A folder that does not exist yet is made by renaming that one, in
    one step. In a folder that exists each file takes, in one step, the place of the one with its name; if one
    cannot, those before it go back. Other files there are not touched. Of several writers at once one waits for
    the other, so that the last one's files are left, all of them.
    """
    if not os.fspath(folder):
        raise OutputError(explain("folder", "the name of a folder", folder, "write '.' for the one you are in"))
    try:
        target = Path(os.path.realpath(folder))
        inside = target.is_dir()
        draft = (target if inside else target.parent) / f".{secrets.token_hex(8)}.tmp"
        try:
            draft.mkdir()
            for name, content in files.items():
                if content is not None:
                    _write_synced(draft / name, content)
            if target.exists() and not target.is_dir():
                raise OutputError(explain("folder", "a folder, or the name of a new one", str(folder), "pass another"))
            if not inside and _rename_new(draft, target):
                return
            with _locked(target):
                _exchange(draft, target, list(files))
        finally:
            shutil.rmtree(draft, ignore_errors=True)
    except OutputError:
        raise
    except (OSError, ValueError) as error:  # ValueError: a null character in the path
        reason = (getattr(error, "strerror", None) or str(error)).lower()
        repair = f"{reason}: correct it"
        raise OutputError(explain("folder", "a folder that can be written", str(folder), repair)) from error


def _write_synced(path: Path, content: bytes) -> None:
    with path.open("xb") as stream:
        stream.write(content)
        stream.flush()
        os.fsync(stream.fileno())


def _rename_new(draft: Path, target: Path) -> bool:
    """Make the draft the folder; say whether that was possible, or somebody else has made it meanwhile."""
    try:
        draft.rename(target)
    except OSError:
        if target.is_dir():
            return False
        raise
    return True


@contextmanager
def _locked(folder: Path) -> Iterator[None]:
    """Have a folder for ourselves among those who ask, too."""
    try:
        import fcntl
    except ImportError:  # Windows
        yield
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        with suppress(OSError):  # a file system without locks
            fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)


def _exchange(draft: Path, target: Path, names: list[str]) -> None:
    """Move every file of the draft into place, each in one step; on a failure put the old ones back."""
    begun: list[str] = []
    try:
        for name in names:
            new, old, kept = draft / name, target / name, draft / f"{name}.old"
            if old.is_dir():
                raise OutputError(explain(str(old), "the name of a file", "a folder", "move it away"))
            if os.path.lexists(old):
                shutil.copy2(old, kept, follow_symlinks=False)
            begun.append(name)  # from here on what was kept is whole, and may be put back
            if new.exists():
                new.replace(old)
            else:
                old.unlink(missing_ok=True)
    except BaseException:
        for name in begun:
            if os.path.lexists(draft / f"{name}.old"):
                (draft / f"{name}.old").replace(target / name)
            elif not (draft / name).exists():
                (target / name).unlink(missing_ok=True)
        raise
