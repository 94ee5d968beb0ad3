"""Certificates verified on the command line, verdicts as text and JSON, and the lines of progress."""

from __future__ import annotations

import shlex
import time
from pathlib import Path

import pytest

from fstheory import JointDistribution
from fstheory._support.result import to_json
from fstheory.cli import main
from fstheory.cli.options import Progress
from fstheory.cli.parser import parse
from fstheory.logic.certificate import Certificate
from fstheory.papers.entry import Evidence
from fstheory.papers.ledger import Audit, audit, audit_markdown, claims
from tests.cli.own import OWN, run, run_json


def test_verify_certificates(capsys: pytest.CaptureFixture[str], place: Path) -> None:
    run(capsys, 1, "refute PN-4 --without positive --cardinalities 2,2 --certificate a.json")
    run(capsys, 0, "prove PN-M --cardinalities 2 --certificate b.json")
    printed = run(capsys, 0, "verify-certificate a.json b.json")
    assert [line.split(" ")[1] for line in printed.splitlines()] == ["accepted:", "accepted:"]
    text = (place / "a.json").read_text("utf-8")
    (place / "bad.json").write_text(text.replace('"total": 2', '"total": 3'), encoding="utf-8")
    printed = run(capsys, 1, "verify-certificate a.json bad.json")
    assert "bad.json: rejected: digest must be" in printed
    document = run_json(capsys, 1, "verify-certificate a.json bad.json")
    assert [row["status"] for row in document["certificates"]] == ["accepted", "rejected"]
    solvers = Certificate({**dict(Certificate.load("b.json")), "evidence": "solvers", "solvers": ["z3"]})
    content = {key: part for key, part in solvers.items() if key not in {"maxima", "proofs", "digest"}}
    Certificate(content).save("word.json")
    assert run(capsys, 3, "verify-certificate word.json a.json").startswith("word.json: unverifiable: ")
    assert "rejected" in run(capsys, 1, "verify-certificate word.json bad.json")


def test_verify_that_it_is_about_a_claim(capsys: pytest.CaptureFixture[str], place: Path) -> None:
    run(capsys, 1, "refute own.py:never_better --certificate c.json")
    printed = run(capsys, 3, "verify-certificate c.json")
    assert ": as it stands: " in printed
    assert "the ledger has no claim of this name, and none was given to compare it with" in printed
    assert ": accepted: " in run(capsys, 0, "verify-certificate c.json --claim own.py:never_better")
    assert ": rejected: claim must be " in run(capsys, 1, "verify-certificate c.json --claim PN-3")
    (place / "own.py").write_text(OWN.replace("[positive]", "[]"), encoding="utf-8")
    assert ": rejected: " in run(capsys, 1, "verify-certificate c.json --claim own.py:never_better")


def test_verify_without_an_assumption(capsys: pytest.CaptureFixture[str], place: Path) -> None:
    run(capsys, 1, "refute PN-4 --without positive --cardinalities 2,2 --certificate a.json")
    asked = ["verify-certificate", "a.json", "--claim", "PN-4"]
    assert "rejected: claim must be the one the certificate names" in run(capsys, 1, *asked)
    assert "accepted: 'PN-4 without positive' is refuted" in run(capsys, 0, *asked, "--without", "positive")
    assert main(["verify-certificate", "a.json", "--without", "positive"]) == 2
    assert "--without must be given with --claim" in capsys.readouterr().err


def test_one_file_that_cannot_be_read_does_not_hide_the_others(capsys: pytest.CaptureFixture[str], place: Path) -> None:
    run(capsys, 0, "prove PN-M --cardinalities 2 --certificate b.json")
    printed = run(capsys, 2, "verify-certificate none.json b.json .")
    rows = [line.split(": ")[:2] for line in printed.splitlines()]
    assert rows == [["none.json", "unread"], ["b.json", "accepted"], [".", "unread"]]
    (place / "bad.json").write_text("[]")
    assert "bad.json: rejected: " in run(capsys, 1, "verify-certificate none.json bad.json")
    document = run_json(capsys, 2, "verify-certificate none.json b.json")
    assert [row["status"] for row in document["certificates"]] == ["unread", "accepted"]


@pytest.fixture
def verified(monkeypatch: pytest.MonkeyPatch, audited: Audit) -> Audit:
    """Verify the whole ledger once for all tests; entries that are named are verified as ever."""
    monkeypatch.setattr("fstheory.papers.ledger.audit", lambda *ids, **_: audit(*ids) if ids else audited)
    return audited


def test_audit(capsys: pytest.CaptureFixture[str], verified: Audit) -> None:
    *rows, blank, last = run(capsys, 0, "audit").splitlines()
    assert [row.split()[0] for row in rows if not row.startswith(" ")] == list(claims)
    assert (blank, last) == ("", f"{len(claims)} entries, {verified.verified} certificates verified")
    assert max(map(len, rows)) <= 100
    assert run(capsys, 0, "audit PN-3 PN-M --markdown") == audit_markdown(audit("PN-3", "PN-M"))
    number = audit("PN-M").verified
    assert run(capsys, 0, "audit PN-M").endswith(f"\n\n1 entry, {number} certificate{'s' * (number != 1)} verified\n")


@pytest.mark.usefixtures("verified")
def test_audit_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    document = run_json(capsys, 0, "audit")
    assert (document["schema"], document["version"]) == ("fstheory/audit", 1)
    assert [entry["id"] for entry in document["entries"]] == list(claims)
    assert document["entries"] == to_json(list(claims.values()))


def test_audit_of_a_wrong_certificate(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Evidence, "load", lambda self: Certificate({"kind": "proved", "claim": "PN-M"}))
    assert main(["audit", "PN-M"]) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err.startswith("fstheory: error: PN-M, PN-M-proof-2x2-2.json: ")


def test_values_are_shown(capsys: pytest.CaptureFixture[str], place: Path) -> None:
    odd = "def odd(m, i):\n    return m.all(m.probability({}, y) + m.entropy(i) > 5 for y in m.classes)\n"
    many = "def many(m):\n    return m.all(m.risk(()) < q for q in range(-12, 0))\n"
    (place / "odd.py").write_text(odd + many, encoding="utf-8")
    states = {"sex": ["f", "m"], "out": ["n", "y"]}
    d = JointDistribution([[1, 2], [3, 0]], features=["sex"], target="out", states=states)
    (place / "d.json").write_text(d.to_json(), encoding="utf-8")
    assert run(capsys, 1, "check odd.py:odd d.json") == (
        "odd: refuted at i = sex\n"
        "  P(out=n) + H(sex) = ≈1.35981, P(out=y) + H(sex) = ≈1.02648\n"
        "  at the distribution given\n"
    )
    assert "R({}) = 1/3" in run(capsys, 1, "check odd.py:many d.json")


def test_progress_on_a_terminal(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    monkeypatch.setenv("COLUMNS", "10")
    with Progress() as progress:
        progress("a long line of it")
        progress("short")
    assert capsys.readouterr().err == "\ra long li\rshort    \r     \r"


@pytest.mark.parametrize("asked", ["", "1"])
def test_progress_in_a_file(asked: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """Only where it is asked for: to a script what is on stderr may be trouble."""
    monkeypatch.setenv("FSTHEORY_PROGRESS", asked)
    with Progress() as progress:
        progress("at once")
        now = time.monotonic()
        monkeypatch.setattr("time.monotonic", lambda: now + 11)
        progress("after eleven seconds")
        progress("right after")
    assert capsys.readouterr().err == "after eleven seconds\n" * bool(asked)


def test_the_ledger_names_commands_that_exist() -> None:
    """Each evidence says how it is produced again; a command among these has to be one."""
    evidence = [piece for entry in claims.values() for piece in (*entry.evidence, *entry.needs.values())]
    typed = [piece.reproduce for piece in evidence if piece.reproduce.startswith("fstheory ")]
    assert typed
    for line in typed:
        assert callable(parse(shlex.split(line, comments=True)[1:]).run), line
