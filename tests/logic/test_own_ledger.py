"""The ledger of somebody else: an example package, registered by a call and announced by an entry point."""

import json
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


def run(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", "import sys; sys.path[:0] = sys.argv[1:3]; del sys.argv[1:3]\n" + words[0]]
    return subprocess.run(
        [*command, str(folder), str(ROOT), *words[1:]], capture_output=True, text=True, check=False, cwd=folder
    )


COMMAND = "from fstheory.cli import main; sys.exit(main())"


def test_the_commands_know_an_installed_ledger(installed: Path) -> None:
    audited = run(installed, COMMAND, "audit", "DOE-1", "DOE-2")
    assert (audited.returncode, audited.stderr) == (0, "")
    assert audited.stdout.splitlines()[-1] == "2 entries, 2 certificates verified"
    checked = run(installed, COMMAND, "check", "DOE-1", "xor")
    assert checked.stdout.startswith("DOE-1: refuted at i = X1, j = X2"), checked.stderr
    bundled = run(installed, COMMAND, "bundle", "DOE-1", "--out", "supplement")
    assert (bundled.returncode, bundled.stderr) == (0, "")
    assert json.loads((installed / "supplement" / "DOE-1.json").read_text())["claim"] == "DOE-1"
    refuted = run(installed, COMMAND, "verify-certificate", "certificates/DOE-1.json")
    assert refuted.stdout.startswith("certificates/DOE-1.json: accepted: 'DOE-1' is refuted")


def test_our_own_papers_come_first(installed: Path) -> None:
    listed = run(installed, "import fstheory as fs; print(*fs.claims)").stdout.split()
    assert (listed[0], listed[-2:]) == ("PN-M", ["DOE-1", "DOE-2"])


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
