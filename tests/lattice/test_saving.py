"""Pictures are written whole or not at all."""

import os
import re
import stat
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from fstheory._support.files import write_atomically
from fstheory.errors import InvalidValueError, OutputError
from tests.lattice.tables_viz import lattice

STARTS = [(".svg", b"<?xml"), (".PNG", b"\x89PNG"), (".pdf", b"%PDF"), (".eps", b"%!PS")]


@pytest.mark.parametrize(("suffix", "start"), STARTS)
def test_the_suffix_says_the_format(tmp_path: Path, suffix: str, start: bytes) -> None:
    target = tmp_path / f"lattice{suffix}"
    lattice({0: Fraction(1, 2), 1: Fraction(0)}).plot().save(target)
    assert target.read_bytes().startswith(start)
    assert list(tmp_path.iterdir()) == [target]


def test_every_format_that_is_offered_is_written(tmp_path: Path) -> None:
    """Those that take no title, too; the one that needs TeX is not offered."""
    picture = lattice({0: Fraction(1, 2), 1: Fraction(0)}).plot()
    with pytest.raises(InvalidValueError, match="ends in one of") as refused:
        picture.save(tmp_path / "lattice.pgf")
    offered = re.findall(r"\.[a-z]+(?=,)", str(refused.value).partition(", not ")[0] + ",")
    assert {".jpg", ".gif", ".webp", ".tif", ".svgz"} <= set(offered)
    for suffix in offered:
        picture.save(tmp_path / f"lattice{suffix}")
        assert (tmp_path / f"lattice{suffix}").stat().st_size > 100


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
