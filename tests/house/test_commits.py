"""The hook for the messages of commits, and the forms by which a fault is reported."""

import re
import runpy
import subprocess
import sys
from pathlib import Path

import pytest

from tests.house import source

SCRIPT = source.ROOT / ".ci" / "check_commit_message.py"
FORMS = source.ROOT / ".github" / "ISSUE_TEMPLATE"
pytestmark = pytest.mark.skipif(not SCRIPT.is_file(), reason="only in a checkout")
GIT = "# Please enter the message\n# ------------------------ >8 ------------------------\ndiff of a file.\n"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Say why\n", []),
        ("A" * 72 + "\n\nBecause it is so.\n", []),
        ("\n# a comment\nSay why\n" + GIT, []),
        ("fixup! say why.\n", []),
        ("Merge branch 'work' of elsewhere, by a line that Git writes itself and that is long\n", []),
        ("A" * 73, ["at most 72 characters, not 73"]),
        ("say why", ["begin with a capital letter"]),
        ("Say why.", ["not end with a period"]),
        ("Say why\nbecause it is so\n", ["must be empty; the body"]),
        ("say why.\nbecause\n", ["capital", "period", "the body"]),
        (GIT, ["the message must not be empty"]),
    ],
)
def test_a_message_is_judged_by_its_form(text: str, words: list[str]) -> None:
    found = runpy.run_path(str(SCRIPT))["faults"](text)
    assert len(found) == len(words)
    assert all(word in fault for word, fault in zip(words, found, strict=True))


def test_the_hook_is_declared_and_ends_as_git_expects(tmp_path: Path) -> None:
    config = (source.ROOT / ".pre-commit-config.yaml").read_text(encoding="utf-8")
    assert re.search(r"entry: python \.ci/check_commit_message\.py\n.*\n +stages: \[commit-msg\]\n", config)
    for text, status in {"Say why": 0, "say why": 1}.items():
        (tmp_path / "message").write_text(text, encoding="utf-8")
        command = [sys.executable, str(SCRIPT), str(tmp_path / "message")]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        assert (done.returncode, done.stderr.count("\n")) == (status, status)


def test_there_is_a_form_for_each_kind_of_fault() -> None:
    """A form has a name, says what it is for, and asks for the version. No file there names a host."""
    forms = {path.stem: path.read_text(encoding="utf-8") for path in FORMS.glob("*.yml")}
    assert set(forms) == {"refusal", "undecided-claim", "wrong-number"}
    for text in forms.values():
        assert re.match(r"name: \S.*\ndescription: \S.*\nlabels: .*\nbody:\n", text)
        assert "fstheory --version" in text
    assert not [path for path in FORMS.parent.rglob("*.*") if "://" in path.read_text(encoding="utf-8")]
