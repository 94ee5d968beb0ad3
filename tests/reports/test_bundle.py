"""A bundle has what the ledger has on a statement, and the line in it verifies that."""

from __future__ import annotations

import json
import re
import shlex
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

import fstheory as fs
from fstheory._support.result import to_json
from fstheory.errors import CertificateError, InvalidTypeError, InvalidValueError, OutputError, UnknownNameError
from fstheory.logic.certificate import Certificate
from fstheory.logic.entry import Evidence
from fstheory.reports import save_bundle
from tests.refusals import refusals

OWN = ["README.md", "statement.tex", "verdict.json"]


@pytest.mark.parametrize("name", ["A-F3", "PN-4", "B-E1", "SN-5", "PN-8k"])
def test_its_line_verifies_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], name: str
) -> None:
    entry = fs.claims[name]
    evidence = {one.certificate: one for one in (*entry.evidence, *entry.needs.values()) if one.certificate}
    written = save_bundle(entry if name == "PN-4" else name, tmp_path / "new")
    assert [path.name for path in written] == [*OWN, *evidence, *["checker.pyz"] * bool(evidence)]
    assert set(written) == set((tmp_path / "new").iterdir())
    texts = {path.name: path.read_text(encoding="utf-8") for path in written if path.suffix != ".pyz"}
    assert all(Certificate.from_json(texts[file]) == one.load() for file, one in evidence.items())
    document = json.loads(texts["verdict.json"])
    assert (document["schema"], document["entry"]) == ("fstheory/bundle", json.loads(json.dumps(to_json(entry))))
    tex, lines = texts["statement.tex"], re.findall(r"^ {4}(.*)", texts["README.md"], re.MULTILINE)
    assert entry.latex in tex
    assert rf"\textbf{{{entry.status.capitalize()}.}}" in tex
    shown = re.sub(r"\\[{}\\]", "", tex)
    assert shown.count("{") == shown.count("}")
    assert Counter(re.findall(r"\\begin{(\w+)}", tex)) == Counter(re.findall(r"\\end{(\w+)}", tex))
    weights = [content["weights"] for one in evidence.values() if "weights" in (content := one.load())]
    assert all(fs.JointDistribution(table).to_latex() in tex for table in weights)
    assert (tex.count("no certificate"), texts["README.md"].count("no certificate")) == ((not evidence),) * 2
    monkeypatch.chdir(tmp_path / "new")
    assert len(lines) == (len(evidence) + 1 if evidence else 0)
    for line in lines[:1]:
        command = [sys.executable, "-I", "-S", *shlex.split(line)[2:]]
        assert subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines() == lines[1:]
    assert all(": accepted: " in line for line in lines[1:])


def test_a_wrong_certificate_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    other = fs.claims["PN-M"].evidence[1].load()
    monkeypatch.setattr(Evidence, "load", lambda self: other)
    with pytest.raises(CertificateError, match="A-F3"):
        save_bundle("A-F3", tmp_path / "new")
    assert not list(tmp_path.iterdir())


test_refuses = refusals(
    [
        ("save_bundle('PN-99', tmp / 'new')", UnknownNameError, "claim 'PN-99'", "does not exist"),
        ("save_bundle(3, tmp / 'new')", InvalidTypeError, "entry", "an entry of the ledger, or its id"),
        ("save_bundle('A-F3', tmp)", OutputError, "folder", "the name of a new folder"),
        ("save_bundle('A-F3', 3)", InvalidTypeError, "folder", "a string or a path"),
        ("save_bundle('A-F3', '\\0')", InvalidValueError, "folder", "without null characters"),
        ("save_bundle('A-F3', '')", OutputError, "folder", "the name of a new folder"),
        ("save_bundle('A-F3', tmp / 'none' / 'new')", OutputError, "folder", "that can be written"),
    ],
    {"save_bundle": save_bundle},
)
