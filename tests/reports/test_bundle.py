"""A bundle has what the ledger has on a statement, and the line in it verifies that."""

from __future__ import annotations

import json
import re
import shlex
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import fstheory as fs
from fstheory._support.result import to_json
from fstheory.checker.certificates import statement_lines
from fstheory.coq.sources import library
from fstheory.errors import CertificateError, InvalidTypeError, InvalidValueError, OutputError, UnknownNameError
from fstheory.logic.certificate import Certificate
from fstheory.logic.entry import Evidence
from fstheory.logic.verdict import Proved, Refuted
from fstheory.reports import save_bundle, save_coq
from tests.refusals import refusals

OWN = ["README.md", "statement.tex", "verdict.json"]


@pytest.mark.one_in(3)
@pytest.mark.parametrize("name", ["A-F3", "PN-4", "B-E1", "SN-5", "PN-8k"])
def test_its_line_verifies_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], name: str
) -> None:
    entry = fs.claims[name]
    evidence = {one.certificate: one for one in (*entry.evidence, *entry.needs.values()) if one.certificate}
    written = save_bundle(entry if name == "PN-4" else name, tmp_path / "new")
    drawn = [Path(file).stem for file, one in evidence.items() if "weights" in one.load()]
    figures = [f"{stem}-{what}" for stem in drawn for what in ("distribution.json", "lattice.svg")]
    top = [path for path in written if path.parent.name == "new"]
    assert [path.name for path in top] == [*OWN, *figures, *evidence, *["checker.pyz"] * bool(evidence)]
    assert {path.parent.name for path in written[len(top) :]} == (
        {"coq"} if name in {"PN-4", "A-F3", "B-E1"} else set()
    )
    assert set(written) == {path for path in (tmp_path / "new").rglob("*") if path.is_file()}
    texts = {path.name: path.read_text(encoding="utf-8") for path in top if path.suffix != ".pyz"}
    assert all(Certificate.from_json(texts[file]) == one.load() for file, one in evidence.items())
    document = json.loads(texts["verdict.json"])
    assert (document["schema"], document["subjects"]) == ("fstheory/bundle", [json.loads(json.dumps(to_json(entry)))])
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
    formulas = [f"  {line}" for one in evidence.values() for line in statement_lines(one.load())]
    assert [line for line in lines if line.startswith("  ")] == formulas
    assert len(lines) == (len(evidence) + len(formulas) + 1 if evidence else 0)
    assert len(re.findall(r"\\texttt{(?:assumed|statement): ", tex)) == len(formulas)
    for line in lines[:1]:
        command = [sys.executable, "-I", "-S", *shlex.split(line)[2:]]
        assert subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines() == lines[1:]
    assert all(": accepted: " in line or line.startswith("  ") for line in lines[1:])


def test_a_wrong_certificate_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    other = fs.claims["PN-M"].evidence[1].load()
    monkeypatch.setattr(Evidence, "load", lambda self: other)
    with pytest.raises(CertificateError, match="A-F3"):
        save_bundle("A-F3", tmp_path / "new")
    assert not list(tmp_path.iterdir())


CONJECTURES: list[tuple[Callable[..., Any], dict[str, Any]]] = [
    (lambda m: m.risk({"X1", "X2"}) <= m.risk("X1"), {"features": 2}),
    (lambda m: m.risk("X1") < m.risk(()), {"features": 1}),
    (lambda m: m.info("I(Y; X1 | X2)") >= 0, {"features": 2}),
    (lambda m: m.risk(()) <= "1/2", {"cardinalities": (2,), "classes": 2}),
    (lambda m, i: m.risk(i) <= m.risk(()), {"features": 3}),
    (lambda m, i, j: m.risk({i, j}) <= (m.risk(i) + m.risk(j)) / 2, {"features": 2}),
    (lambda m: m.risk({"X1", "X2"}) <= m.risk("X1") / 2 + m.risk("X2") / 2, {"cardinalities": (2, 2)}),
    (lambda m: 2 * m.risk("X1") <= m.risk(()), {"features": 1}),
    (lambda m: m.implies(m.risk("X1") == 0, m.risk({"X1", "X2"}) == 0), {"features": 2}),
    (lambda m: m.implies(m.risk({"X1", "X2"}) == 0, m.risk("X1") == 0), {"features": 2}),
    (lambda m: m.risk({"X1", "X2"}) + m.risk(()) >= m.risk("X1") + m.risk("X2"), {"features": 2}),
    (lambda m: m.risk({"X1", "X2"}) + m.risk(()) <= m.risk("X1") + m.risk("X2"), {"features": 2}),
    (lambda m: m.info("I(Y; X1)") <= m.info("I(Y; X1, X2)"), {"features": 2}),
    (lambda m: m.info("I(Y; X1, X2)") == m.info("I(Y; X1)") + m.info("I(Y; X2 | X1)"), {"features": 2}),
    (lambda m: m.info("I(Y; X1, X2)") <= m.info("I(Y; X1)") + m.info("I(Y; X2)"), {"features": 2}),
    (lambda m, i, j: m.implies(m.risk(i) == m.risk(j), m.risk({i, j}) <= m.risk(i)), {"features": 2}),
    (lambda m: m.risk("X1") <= "2/3", {"cardinalities": (2,), "classes": 3}),
    (lambda m: m.risk("X1") <= "3/5", {"cardinalities": (2,), "classes": 3}),
    (lambda m: m.implies(m.risk(()) <= "1/4", m.risk("X1") <= "1/4"), {"features": 1}),
    (lambda m: m.implies(m.risk("X1") <= "1/4", m.risk(()) <= "1/4"), {"features": 1}),
]


@pytest.mark.one_in(20)
@pytest.mark.parametrize(("formula", "size"), CONJECTURES, ids=range(len(CONJECTURES)))
def test_a_conjecture_is_verified_elsewhere(tmp_path: Path, formula: Callable[..., Any], size: dict[str, Any]) -> None:
    """From the statement to a folder that an isolated Python verifies in another place, and refuses when changed."""
    verdict = fs.prove(fs.logic.claim(formula, name="100% {mine}_"), **size)
    save_bundle(verdict, tmp_path / "new")
    shutil.move(tmp_path / "new", tmp_path / "elsewhere")
    there = tmp_path / "elsewhere"
    line, *printed = re.findall(r"^ {4}(.*)", (there / "README.md").read_text(encoding="utf-8"), re.MULTILINE)
    expected = "\n".join(printed)

    def verified() -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-I", "-S", *shlex.split(line)[2:]]
        return subprocess.run(command, cwd=there, env={}, capture_output=True, text=True, check=False)

    assert (verified().stdout.strip(), verified().returncode) == (expected, 0)
    assert ("accepted" in expected, f"is {verdict.status}" in expected) == (True, True)
    refused = "- 100___mine.json: " in (there / "README.md").read_text(encoding="utf-8")
    assert refused != (there / "coq" / "claim_100___mine.v").exists()
    assert not refused or verdict.status == "refuted"
    assert str(verdict) in (there / "README.md").read_text(encoding="utf-8")
    assert verdict.to_latex() in (there / "statement.tex").read_text(encoding="utf-8")
    if isinstance(verdict, Refuted):
        assert fs.distributions.load(there / "100___mine-distribution.json") == verdict.distribution
    changed = there / "100___mine.json"
    changed.write_text(changed.read_text(encoding="utf-8").replace("100%", "99%"), encoding="utf-8")
    assert ("rejected" in verified().stdout, verified().returncode) == (True, 1)


def test_several_subjects_have_files_of_their_own(tmp_path: Path) -> None:
    """Names that are alike, a claim named as a file of the library for Coq, and subjects without a certificate."""
    proof = fs.prove(fs.logic.claim(lambda m: m.risk("X1") <= m.risk(()), name="Cases"), features=1)
    law, selected = fs.gallery.titanic(), fs.minimal_optimal(fs.gallery.xor())
    assert isinstance(proof, Proved)
    subjects: list[Any] = [proof, proof.certificate, "PN-M", law, selected, fs.claims["PN-3"].check(law)]
    written = {str(path.relative_to(tmp_path / "new")): path for path in save_bundle(subjects, tmp_path / "new")}
    assert {
        "Cases.json",
        "Cases_2.json",
        "coq/claim_Cases.v",
        "coq/claim_Cases_2.v",
        "coq/claim_PN_M_proof_every_3.v",
    } <= written.keys()
    assert written["coq/Cases.v"].read_text(encoding="utf-8") == library(["From FS Require Cases."])["Cases.v"]
    assert fs.distributions.load(written["JointDistribution-distribution.json"]) == law
    assert fs.distributions.load(written["MinimalOptimal-distribution.json"]) == fs.gallery.xor()
    text = written["README.md"].read_text(encoding="utf-8")
    assert all(str(one) in text for one in (proof, selected, law, subjects[-1]))
    assert text.count("      statement: R({X1}) <= R({})\n") == 4  # two of them for PN-M
    assert text.count("The ledger of fstheory has no claim of this name.") == 2


def test_a_name_of_the_ledger_is_the_claim_of_the_ledger(tmp_path: Path) -> None:
    """No certificate of another claim, and no claim of one's own, bears it. The checker alone does not know."""
    proof = fs.prove(fs.logic.claim(lambda m: m.risk("X1") <= m.risk(()), name="mine"), features=1)
    assert isinstance(proof, Proved)
    for name in ("PN-3", "PN-3 without positive", "SN-L1"):
        parts = {key: part for key, part in proof.certificate.items() if key != "digest"}
        forged = Certificate({**parts, "claim": name, "show": [{**parts["show"][0], "name": name}]})
        assert fs.check_certificate(forged).status == "accepted"
        written: list[Callable[[], object]] = [
            lambda forged=forged: save_bundle(forged, tmp_path / "new"),  # type: ignore[misc]
            lambda forged=forged: save_coq(forged, tmp_path / "new"),  # type: ignore[misc]
            lambda forged=forged: fs.verify_certificate(forged),  # type: ignore[misc]
        ]
        for write in written:
            with pytest.raises(CertificateError, match=name.partition(" ")[0]):
                write()
    known = fs.claims["PN-M"].evidence[1].load()
    parts = {key: part for key, part in known.items() if key != "digest"}
    renamed = Certificate({**parts, "show": [{**one, "name": "PN-3"} for one in parts["show"]]})
    with pytest.raises(CertificateError, match="PN-M"):  # a formula of it bears another name
        save_bundle(renamed, tmp_path / "new")
    with pytest.raises(InvalidValueError, match="about the claim of its certificate, mine"):
        save_bundle(replace(proof, claim="PN-3"), tmp_path / "new")
    with pytest.raises(InvalidValueError, match="the entry of the ledger that it names"):
        save_bundle(replace(fs.claims["PN-3"], evidence=()), tmp_path / "new")
    assert not list(tmp_path.iterdir())


@pytest.mark.thorough
def test_the_formulas_of_a_long_claim_are_written_line_by_line(tmp_path: Path) -> None:
    long = fs.logic.claim(
        lambda m, S: m.all(m.risk(m.order) <= m.risk(S) + k * m.risk(T) for T in m.subsets() for k in range(9)),
        name="long",
    )
    proof = fs.prove(long, features=3)
    assert isinstance(proof, Proved)
    shown = proof.certificate.statement["show"]
    assert len(shown) > 1
    assert min(map(len, shown)) > 120
    save_bundle(proof, tmp_path / "new")
    for file in ("README.md", "statement.tex"):
        text = (tmp_path / "new" / file).read_text(encoding="utf-8")
        plain = text.replace(r"\textless{}", "<").replace("\\", "")
        assert all(line in plain for line in statement_lines(proof.certificate))


test_refuses = refusals(
    [
        ("save_bundle('PN-99', tmp / 'new')", UnknownNameError, "claim 'PN-99'", "does not exist"),
        ("save_bundle(3, tmp / 'new')", InvalidTypeError, "subject", "an entry, its id, a verdict"),
        ("save_bundle([], tmp / 'new')", InvalidValueError, "subject", "a list that is not empty"),
        ("save_bundle('A-F3', tmp)", OutputError, "folder", "the name of a new folder"),
        ("save_bundle('A-F3', 3)", InvalidTypeError, "folder", "a string or a path"),
        ("save_bundle('A-F3', '\\0')", InvalidValueError, "folder", "without null characters"),
        ("save_bundle('A-F3', '')", OutputError, "folder", "the name of a new folder"),
        ("save_bundle('A-F3', tmp / 'none' / 'new')", OutputError, "folder", "that can be written"),
    ],
    {"save_bundle": save_bundle},
)
