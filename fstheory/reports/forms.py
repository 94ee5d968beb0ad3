"""The forms of a report: text for a terminal, versioned JSON, one page, and a folder with all of them."""

from __future__ import annotations

import abc
import json
import os
import secrets
import shutil
from collections.abc import Iterator, Mapping, Sequence
from importlib import metadata
from pathlib import Path
from typing import Any, ClassVar

from fstheory._support.files import refusing, write_atomically
from fstheory._support.result import Result, to_json
from fstheory.distributions.rows import Data
from fstheory.errors import OutputError, explain
from fstheory.reports.page import Section, render_page, render_text

BY_SIZE, BY_RISK, TOUCHED = "lattice.svg", "lattice-risk.svg", "lattice.html"
ALONG, SINGLE = "risks.svg", "columns.svg"  # the drawings of a sample


def generator() -> str:
    """Return the name and version of this program."""
    try:
        return f"fstheory {metadata.version('fstheory')}"
    except metadata.PackageNotFoundError:  # a checkout that is run without being installed
        return "fstheory (not installed)"


class Forms(Result, abc.ABC):
    """The base class of reports: text with `summary`, one page with `to_html`, `to_json`, and a folder with `save`."""

    name: str
    _subject: ClassVar[str]
    _sources: ClassVar[str]

    @property
    def pictures(self) -> Mapping[str, str]:
        """The drawings as SVG, by the names of their files."""
        return {}

    @property
    def pages(self) -> Mapping[str, str]:
        """The HTML pages besides report.html, by the names of their files."""
        return {}

    @property
    @abc.abstractmethod
    def _data(self) -> Data:
        """The distribution or the sample that the report is about."""

    @property
    @abc.abstractmethod
    def _about(self) -> str:
        """One line that describes the distribution or the sample."""

    @property
    @abc.abstractmethod
    def _sections(self) -> tuple[Section, ...]:
        """The sections of the text and of the page."""

    def summary(self) -> str:
        """Return the report as text for a terminal. Lines have at most 100 characters if names and numbers allow.

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
        variables = to_json([{"name": name, "states": labels} for name, labels in self._data.states.items()])
        about = {"generator": generator(), "features": variables[:-1], "target": variables[-1]}
        return about | super()._content(features)

    def to_json(self) -> str:
        """Return the report as JSON text: `to_dict` in a readable form.

        If there are more than 4096 subsets, it has the first 4096 risks in their order, and the number of all. The
        distribution itself is included if it has at most 65,536 cells.

        Examples
        --------
        >>> import json
        >>> import fstheory as fs
        >>> json.loads(fs.report(fs.gallery.xor()).to_json())["solutions"]
        [['X1', 'X2']]
        """
        return json.dumps(self.to_dict(), ensure_ascii=False, indent=1)

    def to_html(self) -> str:
        """Return the report as one HTML page that contains its drawings and its style, and loads no other file."""
        return render_page(
            self.name,
            self._about,
            [*self._sections, *self._touchable()],
            self.pictures,
            subject=self._subject,
            footer=f"Made by {generator()}. {self._sources}",
        )

    def _touchable(self) -> Iterator[Section]:
        """Yield the sections that only the page has. By default there are none."""
        yield from ()

    def save(self, folder: str | os.PathLike[str]) -> tuple[Path, ...]:
        """Write report.html, report.json, the interactive lattice and the drawings into a folder.

        If the folder does not exist, it is made. Its parent must exist. The drawings of an earlier report are replaced
        or removed. Other files are not touched. The paths of the files that were written are returned.

        Examples
        --------
        >>> import tempfile
        >>> import fstheory as fs
        >>> with tempfile.TemporaryDirectory() as parent:
        ...     [path.name for path in fs.report(fs.gallery.xor()).save(Path(parent) / "xor")]
        ['report.html', 'report.json', 'lattice.html', 'lattice.svg', 'lattice-risk.svg']
        """
        texts = {"report.html": self.to_html(), "report.json": self.to_json() + "\n", **self.pages, **self.pictures}
        files: dict[str, bytes | None] = dict.fromkeys((BY_SIZE, BY_RISK, TOUCHED, ALONG, SINGLE))
        write_folder(folder, files | {name: text.encode("utf-8", "backslashreplace") for name, text in texts.items()})
        return tuple(Path(folder) / name for name in texts)


# -- A folder of files.


def write_folder(folder: str | os.PathLike[str], files: Mapping[str, bytes | None]) -> None:
    """Write files into a folder. A file with the content None is removed.

    A new folder is written beside its place and renamed, so that it appears complete or not at all. In a folder that
    exists, each file is written completely or not at all.
    """
    if not os.fspath(folder):
        raise OutputError(explain("folder", "the name of a folder", folder, "write '.' for the one you are in"))
    with refusing(folder, "folder", "folder"):
        target = Path(folder)
        if not os.path.lexists(target):
            _write_beside(target, files)
            return
        target.mkdir(exist_ok=True)
        for name, content in files.items():
            if content is None:
                (target / name).unlink(missing_ok=True)
            else:
                write_atomically(target / name, content)


def _write_beside(target: Path, files: Mapping[str, bytes | None]) -> None:
    """Write a new folder under another name, and rename it. The names of files may begin with the name of a folder."""
    draft = target.with_name(f".{secrets.token_hex(8)}.tmp")
    draft.mkdir()
    try:
        for name, content in files.items():
            if content is not None:
                (draft / name).parent.mkdir(exist_ok=True)
                (draft / name).write_bytes(content)
        draft.rename(target)
    except BaseException:
        shutil.rmtree(draft, ignore_errors=True)
        raise
