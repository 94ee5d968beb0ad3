"""Pictures are written whole or not at all."""

import os
import stat
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from fstheory._files import write_atomically
from fstheory.errors import InvalidValueError, OutputError
from fstheory.viz import LatticeFigure
from tests.viz.tables import lattice


@pytest.fixture(scope="module")
def drawing() -> LatticeFigure:
    return lattice({0: Fraction(1, 2), 1: Fraction(0)}).plot()


@pytest.mark.parametrize(
    ("suffix", "start"), [(".svg", b"<?xml"), (".PNG", b"\x89PNG"), (".pdf", b"%PDF"), (".eps", b"%!PS")]
)
def test_the_suffix_says_the_format(tmp_path: Path, drawing: LatticeFigure, suffix: str, start: bytes) -> None:
    target = tmp_path / f"lattice{suffix}"
    drawing.save(target)
    assert target.read_bytes().startswith(start)
    assert list(tmp_path.iterdir()) == [target]


@pytest.mark.parametrize("name", ["lattice.doc", "lattice", ".svg"])
def test_other_suffixes_are_refused(tmp_path: Path, drawing: LatticeFigure, name: str) -> None:
    with pytest.raises(
        InvalidValueError, match=r"path must be a name that ends in one of .*\.pdf, .*\.svg.*, not '.*'; change"
    ):
        drawing.save(tmp_path / name)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("dpi", [0, -5, float("nan"), float("inf"), 10**5, "96", True])
def test_impossible_resolutions_are_refused(tmp_path: Path, drawing: LatticeFigure, dpi: Any) -> None:
    with pytest.raises(InvalidValueError, match=r"dpi must be a number from 1 to 2400, not .*; pass 200"):
        drawing.save(tmp_path / "lattice.png", dpi=dpi)
    assert list(tmp_path.iterdir()) == []


def test_a_missing_folder_is_reported_in_one_line(tmp_path: Path, drawing: LatticeFigure) -> None:
    with pytest.raises(OutputError, match=r"path must be a file that can be written, not .*; no such file") as caught:
        drawing.save(tmp_path / "nowhere" / "lattice.svg")
    assert "\n" not in str(caught.value)
    assert isinstance(caught.value, OSError)


@pytest.mark.parametrize("broken", ["fsync", "replace"])
def test_a_failure_leaves_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, broken: str) -> None:
    target = tmp_path / "answer.json"
    target.write_text("old")

    def fail(*arguments: Any) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os if broken == "fsync" else Path, broken, fail)
    with pytest.raises(OutputError, match="no space left on device"):
        write_atomically(target, "new")
    assert target.read_text() == "old"
    assert list(tmp_path.iterdir()) == [target]


def test_an_interrupt_leaves_no_draft(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(*arguments: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "fsync", interrupt)
    with pytest.raises(KeyboardInterrupt):
        write_atomically(tmp_path / "answer", b"new")
    assert list(tmp_path.iterdir()) == []


def test_text_is_written_as_it_is(tmp_path: Path) -> None:
    write_atomically(str(tmp_path / "text"), "≤\r\n\n")
    assert (tmp_path / "text").read_bytes() == "≤\r\n\n".encode()


def test_mode_and_links_survive(tmp_path: Path) -> None:
    target, link = tmp_path / "target", tmp_path / "link"
    target.write_text("old")
    target.chmod(0o640)
    link.symlink_to(target)
    write_atomically(link, "new")
    assert link.is_symlink()
    assert target.read_text() == "new"
    assert stat.S_IMODE(target.stat().st_mode) == 0o640


@pytest.mark.parametrize("kind", ["folder", "device"])
def test_only_files_are_replaced(tmp_path: Path, kind: str) -> None:
    path = tmp_path if kind == "folder" else Path(os.devnull)
    with pytest.raises(OutputError, match=r"path must be the name of a file, not '.*'; pass another path"):
        write_atomically(path, "new")
    assert path.exists()
    assert not path.is_file()


@pytest.mark.parametrize("path", ["a\0b", "x" * 300])
def test_impossible_names(tmp_path: Path, path: str) -> None:
    with pytest.raises(OutputError, match="path must be a file that can be written"):
        write_atomically(tmp_path / path, "new")
    assert list(tmp_path.iterdir()) == []
