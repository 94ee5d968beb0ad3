"""A folder is written whole or not at all."""

from __future__ import annotations

import os
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from fstheory.distributions import gallery
from fstheory.errors import OutputError
from fstheory.reports.forms import write_folder
from fstheory.reports.of_distribution import report

NEW: dict[str, bytes | None] = {"a": b"new a", "b": b"new b", "c": None}


def content(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def fill(folder: Path) -> dict[str, bytes]:
    folder.mkdir()
    for name in ("a", "c", "other"):
        (folder / name).write_bytes(b"old " + name.encode())
    return content(folder)


def test_a_folder_is_made_or_keeps_its_other_files(tmp_path: Path) -> None:
    fill(tmp_path / "old")
    for name, others in (("new", {}), ("old", {"other": b"old other"})):
        write_folder(tmp_path / name, NEW)
        assert content(tmp_path / name) == {"a": b"new a", "b": b"new b", **others}
    assert sorted(path.name for path in tmp_path.iterdir()) == ["new", "old"]


@pytest.mark.parametrize("existing", [False, True])
@pytest.mark.parametrize("error", [OSError("disk full"), KeyboardInterrupt()])
@pytest.mark.parametrize("call", [1, 2])
def test_an_interrupted_draft_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, existing: bool, error: BaseException, call: int
) -> None:
    before = fill(tmp_path / "out") if existing else {}
    calls = []

    def fail(descriptor: int) -> None:
        calls.append(descriptor)
        if len(calls) == call:
            raise error

    monkeypatch.setattr(os, "fsync", fail)
    with pytest.raises(OutputError if isinstance(error, OSError) else KeyboardInterrupt):
        write_folder(tmp_path / "out", NEW)
    assert len(calls) == call
    assert (content(tmp_path / "out") if existing else {}) == (before or {})
    assert len(list(tmp_path.iterdir())) == existing


@pytest.mark.parametrize("error", [PermissionError("no"), KeyboardInterrupt()])
@pytest.mark.parametrize("after", [False, True])
@pytest.mark.parametrize("name", ["a", "b"])
def test_an_interrupted_exchange_goes_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, error: BaseException, after: bool, name: str
) -> None:
    """The replacement of one file fails, before or after it took place."""
    before = fill(tmp_path / "out")
    replace = Path.replace

    def fail(self: Path, target: Path) -> Path:
        if self.name == name:
            if after:
                replace(self, target)
            raise error
        return replace(self, target)

    monkeypatch.setattr(Path, "replace", fail)
    with pytest.raises(OutputError if isinstance(error, OSError) else KeyboardInterrupt):
        write_folder(tmp_path / "out", NEW)
    assert content(tmp_path / "out") == before


def test_where_no_folder_or_file_can_be(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "file").write_text("old", encoding="utf-8")
    for target in ("", "file", Path("none/out"), Path("file/out"), "/dev/null", "\0"):
        with pytest.raises(OutputError, match="folder must be"):
            write_folder(target, NEW)
    assert content(tmp_path) == {"file": b"old"}
    before = fill(tmp_path / "out")
    (tmp_path / "out" / "b").mkdir()
    with pytest.raises(OutputError, match="must be the name of a file, not 'a folder'"):
        write_folder("out", NEW)
    (tmp_path / "out" / "b").rmdir()
    assert content(tmp_path / "out") == before


@pytest.mark.skipif(os.name != "posix", reason="locks of POSIX")
@pytest.mark.parametrize("existing", [False, True])
def test_writers_at_once_leave_the_files_of_one(tmp_path: Path, existing: bool) -> None:
    """Each writes its number into all files; a mixture of two is seen by two numbers."""
    names = [f"{i}.txt" for i in range(8)]
    start = threading.Barrier(4)
    for turn in range(4):
        target = tmp_path / f"out{turn}"
        if existing:
            target.mkdir()

        def write(number: int, target: Path = target) -> None:
            start.wait()
            write_folder(target, dict.fromkeys(names, b"%d" % number))

        with ThreadPoolExecutor(4) as pool:
            list(pool.map(write, range(4)))
        assert sorted(content(target)) == names
        assert len(set(content(target).values())) == 1
    assert all(path.name.startswith("out") for path in tmp_path.iterdir())


def test_a_report_takes_away_the_pictures_of_another(tmp_path: Path) -> None:
    """And the same report is the same bytes."""
    out, again = tmp_path / "out", tmp_path / "again"
    for folder in (out, again):
        paths = report(gallery.xor(), name="xor").write(folder)
        assert sorted(path.name for path in paths) == sorted(path.name for path in folder.iterdir())
    assert content(out) == content(again)
    assert content(out)["lattice.svg"].lstrip().startswith(b"<?xml")
    report(gallery.random((2,) * 8, rng=1)).write(out)
    assert sorted(content(out)) == ["report.html", "report.json"]
