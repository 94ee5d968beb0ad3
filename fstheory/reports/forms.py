"""The forms of a report: text for a terminal, versioned JSON, one page, and a folder with all of them."""

from __future__ import annotations

import abc
import json
import os
import secrets
import shutil
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from importlib import metadata
from pathlib import Path
from typing import Any, ClassVar

from fstheory._support.files import written_to
from fstheory._support.result import Result, to_json
from fstheory.distributions.rows import Data
from fstheory.errors import OutputError, explain
from fstheory.reports.page import Section, render_page, render_text

BY_SIZE, BY_RISK, TOUCHED = "lattice.svg", "lattice-risk.svg", "lattice.html"
ALONG, SINGLE = "risks.svg", "columns.svg"  # of a sample


def generator() -> str:
    """Return the name and version of this program."""
    try:
        return f"fstheory {metadata.version('fstheory')}"
    except metadata.PackageNotFoundError:  # a checkout that is run without being installed
        return "fstheory (not installed)"


class Forms(Result, abc.ABC):
    """What every report can be had as."""

    name: str
    _subject: ClassVar[str]
    _sources: ClassVar[str]

    @property
    def pictures(self) -> Mapping[str, str]:
        """The drawings as SVG, by the names of their files."""
        return {}

    @property
    def pages(self) -> Mapping[str, str]:
        """The pages beside that of the report, by the names of their files."""
        return {}

    @property
    @abc.abstractmethod
    def _data(self) -> Data:
        """What it is about."""

    @property
    @abc.abstractmethod
    def _about(self) -> str:
        """What that is, in a line."""

    @property
    @abc.abstractmethod
    def _sections(self) -> tuple[Section, ...]:
        """What the text and the page say."""

    def summary(self) -> str:
        """Return the report as text for a terminal, no line longer than 100 characters if names and numbers allow.

        Examples
        --------
        >>> import fstheory as fs
        >>> print(fs.report(fs.gallery.xor(), name="xor").summary().partition(" with")[0])
        xor
        ===
        2 features: X1 (2), X2 (2); target Y (2 classes); total weight 4
        <BLANKLINE>
        The minimal-optimal subset is S* = X1X2,
        """
        return render_text(self.name, self._about, self._sections)

    def __str__(self) -> str:
        return self.summary()

    def _content(self, features: Sequence[str]) -> dict[str, Any]:
        states = self._data.states.items()
        variables = [{"name": name, "states": to_json(labels)} for name, labels in states]
        about = {"generator": generator(), "features": variables[:-1], "target": variables[-1]}
        return about | super()._content(features)

    def to_json(self, path: str | os.PathLike[str] | None = None) -> str:
        """Return `to_dict` as text, and write it to the file of this name, whole or not at all.

        Beyond 4096 subsets the risks are the first in their order, beside how many there are; and a distribution is
        part of its report up to 65536 cells.

        Examples
        --------
        >>> import json
        >>> import fstheory as fs
        >>> json.loads(fs.report(fs.gallery.xor()).to_json())["solutions"]
        [['X1', 'X2']]
        """
        return written_to(path, json.dumps(self.to_dict(), ensure_ascii=False, indent=1))

    def to_html(self) -> str:
        """Return the report as one page that needs nothing else: drawings, style and all."""
        return render_page(
            self.name,
            self._about,
            [*self._sections, *self._touchable()],
            self.pictures,
            subject=self._subject,
            footer=f"Made by {generator()}. {self._sources}",
        )

    def _touchable(self) -> Iterator[Section]:
        """Yield the sections that only a page has."""
        yield from ()

    def write(self, folder: str | os.PathLike[str]) -> tuple[Path, ...]:
        """Write report.html, report.json, the lattice to touch and the drawings into a folder, all of them or none.

        The folder is made if it does not exist; its parent must. What an earlier report drew is replaced or taken
        away; other files are not touched. Returned are the files written.

        Examples
        --------
        >>> import tempfile
        >>> import fstheory as fs
        >>> with tempfile.TemporaryDirectory() as parent:
        ...     [path.name for path in fs.report(fs.gallery.xor()).write(Path(parent) / "xor")]
        ['report.html', 'report.json', 'lattice.html', 'lattice.svg', 'lattice-risk.svg']
        """
        texts = {"report.html": self.to_html(), "report.json": self.to_json() + "\n", **self.pages, **self.pictures}
        files: dict[str, bytes | None] = dict.fromkeys((BY_SIZE, BY_RISK, TOUCHED, ALONG, SINGLE))
        write_folder(folder, files | {name: text.encode("utf-8", "backslashreplace") for name, text in texts.items()})
        return tuple(Path(folder) / name for name in texts)


# -- A folder of files, of which all are written or none.


def write_folder(folder: str | os.PathLike[str], files: Mapping[str, bytes | None]) -> None:
    """Write files into a folder, so that all of them change or none does; None takes a file away.

    They are written to a temporary folder first, which becomes a new folder in one step. In a folder that exists each
    file takes the place of the one with its name; if one cannot, those before it go back. Writers wait for each other.
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
                    with (draft / name).open("xb") as stream:
                        stream.write(content)
                        stream.flush()
                        os.fsync(stream.fileno())
            if target.exists() and not target.is_dir():
                raise OutputError(explain("folder", "a folder, or the name of a new one", str(folder), "pass another"))
            if not inside:
                try:
                    draft.rename(target)
                    return
                except OSError:
                    if not target.is_dir():  # nobody has made it meanwhile
                        raise
            with _locked(target):
                _exchange(draft, target, list(files))
        finally:
            shutil.rmtree(draft, ignore_errors=True)
    except OutputError:
        raise
    except (OSError, ValueError) as error:  # ValueError: a null character in the path
        reason = (getattr(error, "strerror", None) or str(error)).lower()
        needed = "a folder that can be written"
        raise OutputError(explain("folder", needed, str(folder), f"{reason}: correct it")) from error


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
