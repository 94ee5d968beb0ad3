"""Check what a sdist and two wheels hold: inspect_dist.py SDIST WHEEL_OF_THE_SDIST WHEEL_OF_THE_CHECKOUT."""

from __future__ import annotations

import sys
import tarfile
import zipfile
from pathlib import Path


def wheel_files(path: str) -> dict[str, int]:
    """Return the files of a wheel with their checksums."""
    with zipfile.ZipFile(path) as wheel:
        return {item.filename: item.CRC for item in wheel.infolist()}


def sdist_files(path: str) -> set[str]:
    """Return the files of a sdist, without the folder that they all stand in."""
    with tarfile.open(path) as sdist:
        return {member.name.partition("/")[2] for member in sdist.getmembers() if member.isfile()}


def main(sdist_path: str, wheel_path: str, direct_path: str) -> None:
    """Stop with a message at the first thing that is not as it should be."""
    wheel, sdist = wheel_files(wheel_path), sdist_files(sdist_path)
    package = {path.as_posix() for path in Path("fstheory").rglob("*") if path.is_file() and path.suffix != ".pyc"}
    shipped = {name for name in wheel if ".dist-info/" not in name}
    assert shipped == package, f"the wheel differs from the package: {sorted(shipped ^ package)}"
    assert "fstheory/py.typed" in shipped
    assert any(name.endswith("/licenses/LICENSE") for name in wheel), "the wheel lacks the license"
    direct = wheel_files(direct_path)
    assert wheel == direct, f"the sdist makes another wheel than the checkout: {sorted(wheel.items() ^ direct.items())}"
    needed = package | {"pyproject.toml", "README.md", "LICENSE", "tests/conftest.py", "docs/conf.py"}
    assert needed <= sdist, f"the sdist lacks {sorted(needed - sdist)}"
    strange = {name for name in sdist if Path(name).suffix in {".pyc", ".html"} or "_build" in name or ".venv" in name}
    assert not strange, f"the sdist should not hold {sorted(strange)}"
    print(f"wheel: {len(wheel)} files, {Path(wheel_path).stat().st_size // 1024} KiB; sdist: {len(sdist)} files")


if __name__ == "__main__":
    main(*sys.argv[1:])
