"""A folder of files, each written whole or not at all."""

from __future__ import annotations

import errno
import io
from contextlib import redirect_stderr
from pathlib import Path

import pytest

from fstheory.cli import main
from fstheory.distributions import gallery
from fstheory.errors import OutputError
from fstheory.reports.bundle import save_bundle
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


def test_where_no_folder_or_file_can_be(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "file").write_text("old", encoding="utf-8")
    for target in ("", "file", Path("none/out"), Path("file/out"), "/dev/null", "\0"):
        with pytest.raises(OutputError, match="must be"):
            write_folder(target, NEW)
    assert content(tmp_path) == {"file": b"old"}
    fill(tmp_path / "out")
    (tmp_path / "out" / "b").mkdir()
    with pytest.raises(OutputError, match="must be"):
        write_folder("out", NEW)


@pytest.mark.thorough
def test_a_full_disk_leaves_no_half_of_a_new_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """And the command names its option."""
    write, written = Path.write_bytes, list[Path]()

    def until_full(path: Path, data: bytes) -> int:
        written.append(path)
        if len(written) % 3 == 0:
            raise OSError(errno.ENOSPC, "No space left on device")
        return write(path, data)

    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(Path, "write_bytes", until_full)
    with pytest.raises(OutputError, match="folder must be a folder that can be written, not 'out'; no space left"):
        save_bundle("PN-9", "out")
    for command in ("bundle PN-9", "report xor"):
        told = io.StringIO()
        with redirect_stderr(told):
            assert main([*command.split(), "--out", "out"]) == 2
        assert told.getvalue().startswith(
            "fstheory: error: --out must be a folder that can be written, not 'out'; no sp"
        )
    assert (len(written), content(tmp_path)) == (9, {})


@pytest.mark.thorough
def test_a_report_takes_away_the_pictures_of_another(tmp_path: Path) -> None:
    """And the same report is the same bytes."""
    out, again = tmp_path / "out", tmp_path / "again"
    for folder in (out, again):
        paths = report(gallery.xor(), name="xor").save(folder)
        assert sorted(path.name for path in paths) == sorted(path.name for path in folder.iterdir())
    assert content(out) == content(again)
    assert content(out)["lattice.svg"].lstrip().startswith(b"<?xml")
    report(gallery.random((2,) * 8, rng=1)).save(out)
    assert sorted(content(out)) == ["report.html", "report.json"]
