"""Pictures in the formats that their names ask for."""

import re
from fractions import Fraction
from pathlib import Path

import pytest

from fstheory.errors import InvalidValueError
from tests.lattice.tables_viz import lattice

STARTS = [(".svg", b"<?xml"), (".PNG", b"\x89PNG"), (".pdf", b"%PDF"), (".eps", b"%!PS")]


@pytest.mark.parametrize(("suffix", "start"), STARTS)
def test_the_suffix_says_the_format(tmp_path: Path, suffix: str, start: bytes) -> None:
    target = tmp_path / f"lattice{suffix}"
    lattice({0: Fraction(1, 2), 1: Fraction(0)}).plot().save(target)
    assert target.read_bytes().startswith(start)
    assert list(tmp_path.iterdir()) == [target]


@pytest.mark.thorough
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
