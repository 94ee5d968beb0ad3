"""The ledger of somebody else: an example package, registered by a call and announced by an entry point."""

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import fstheory as fs
from fstheory.errors import InvalidTypeError, InvalidValueError
from fstheory.logic import Statements, register
from fstheory.logic.ledger import Ledger
from tests.house.source import ROOT

OWN = Path(__file__).parent / "own_ledger"


@pytest.fixture
def installed(tmp_path: Path) -> Path:
    """Return a folder with the example package as pip would install it: its files, and what it announces."""
    shutil.copytree(OWN, tmp_path, dirs_exist_ok=True)
    described = tmp_path / "doe_2026-1.0.dist-info"
    described.mkdir()
    (described / "METADATA").write_text("Metadata-Version: 2.1\nName: doe-2026\nVersion: 1.0\n")
    (described / "entry_points.txt").write_text("[fstheory.ledgers]\ndoe = doe_2026:paper\n")
    return tmp_path


def run(folder: Path, code: str) -> subprocess.CompletedProcess[str]:
    """Run code where the package is installed."""
    code = f"import sys; sys.path[:0] = {[str(folder), str(ROOT)]}\n{code}"
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False, cwd=folder)


COMMANDS = """
import fstheory as fs
from fstheory.cli import main
print(*fs.claims)
for words in (
    "audit DOE-1 DOE-2",
    "check DOE-1 xor",
    "bundle DOE-1 --out supplement",
    "verify-certificate certificates/DOE-1.json",
):
    print("---", main(words.split()))
"""


@pytest.mark.thorough
def test_the_commands_know_an_installed_ledger_and_our_own_papers_come_first(installed: Path) -> None:
    found = run(installed, COMMANDS)
    assert found.stderr == ""
    (first, *audited, status), (checked, *_), _, (refuted, *_), _ = (
        part.splitlines() for part in re.split(r"(?<=--- \d)\n", found.stdout)
    )
    assert (first.split()[0], first.split()[-2:]) == ("PN-M", ["DOE-1", "DOE-2"])
    assert (audited[-1], status) == ("2 entries, 2 certificates verified", "--- 0")
    assert checked.startswith("DOE-1: refuted at i = X1, j = X2")
    assert json.loads((installed / "supplement" / "DOE-1.json").read_text())["claim"] == "DOE-1"
    assert refuted.startswith("certificates/DOE-1.json: accepted: 'DOE-1' is refuted")


def test_a_ledger_that_cannot_be_read_is_named(installed: Path) -> None:
    (installed / "doe_2026.py").write_text("1 / 0")
    complaint = run(installed, "import fstheory as fs; print(*fs.claims)").stderr
    assert "ZeroDivisionError" in complaint
    assert "while the ledger 'doe' was read, which doe_2026:paper announces" in complaint


def test_a_ledger_is_registered_once_or_not_at_all(monkeypatch: pytest.MonkeyPatch) -> None:
    ledger = Ledger()
    monkeypatch.setattr("fstheory.logic.ledger.claims", ledger)
    monkeypatch.syspath_prepend(str(OWN))
    import doe_2026  # type: ignore[import-not-found]

    before = len(ledger)
    register(doe_2026.paper)
    assert len(ledger) == before + 2
    assert ledger["DOE-2"].check(fs.gallery.xor())
    assert ledger["DOE-1"].evidence[0].load()["claim"] == "DOE-1"
    with pytest.raises(InvalidValueError, match="distinct ids, not 'DOE-1'"):
        register(doe_2026.paper)
    with pytest.raises(InvalidTypeError, match="statements must be the statements of a paper"):
        register(doe_2026)
    with pytest.raises(FileNotFoundError):
        register(Statements("nowhere.toml"))
    assert len(ledger) == before + 2
