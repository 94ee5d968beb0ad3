"""The tests run wherever they can be read."""

import os
import subprocess
import sys
from pathlib import Path

from tests.house import source


def test_hypothesis_needs_no_folder_of_its_own(tmp_path: Path) -> None:
    """In a read-only checkout there is none; a file in the way keeps it away here, also from a superuser."""
    (tmp_path / "file").touch()
    (tmp_path / "test_it.py").write_text(
        "import hypothesis\n@hypothesis.given(hypothesis.strategies.booleans())\ndef test_it(it): assert it in (0, 1)\n"
    )
    command = [sys.executable, "-m", "pytest", "-q", "-p", "tests.conftest", "-c", "pyproject.toml"]
    environment = {**os.environ, "HYPOTHESIS_STORAGE_DIRECTORY": str(tmp_path / "file" / "folder")}
    command += ["-p", "no:cacheprovider", "--rootdir", str(tmp_path), str(tmp_path / "test_it.py")]
    done = subprocess.run(command, cwd=source.ROOT, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
