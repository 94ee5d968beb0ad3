"""The commands about claims: what they print, write and return is what the library answers."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path

import pytest

from fstheory import JointDistribution, bayes_risks
from fstheory.cli import main
from fstheory.distributions import gallery
from fstheory.errors import TooLargeError
from fstheory.logic.certificate import Certificate
from fstheory.logic.checker import check_certificate
from fstheory.logic.claims import Claim
from fstheory.logic.statement import Shape
from fstheory.logic.verdict import Holds, NotRefuted, Refuted, Undecided
from fstheory.papers.ledger import claims
from tests.cli.own import record_call, run, run_json

SOME = [("PN-M", "titanic", 0), ("PN-3", "titanic", 3), ("PN-3", "xor", 0), ("PN-4", "xor", 0)]


@pytest.mark.parametrize(("key", "source", "status"), SOME)
def test_check(capsys: pytest.CaptureFixture[str], key: str, source: str, status: int) -> None:
    verdict = claims[key].check(gallery.load(source))
    assert run(capsys, status, "check", key, source) == f"{verdict}\n"
    assert run_json(capsys, status, "check", key, source) == json.loads(json.dumps(verdict.to_dict()))


def test_check_a_claim_of_ones_own(capsys: pytest.CaptureFixture[str], place: Path) -> None:
    printed = run(capsys, 1, "check own.py:computed d.json --certificate c.json")
    assert printed == "computed: refuted\n  at the distribution given\n\nWrote c.json\n"
    assert check_certificate("c.json").claim == "computed"
    assert run(capsys, 0, "check", f"{place / 'own.py'}:plain", "d.json") == "plain: holds, 2 instances\n"
    printed = run(capsys, 0, "check own.py:plain xor --features X1 --certificate none.json")
    assert printed.endswith("\n\nThere is no certificate, so none.json was not written\n")
    assert not (place / "none.json").exists()
    assert not list(place.rglob("own.*.pyc"))
    assert list(place.rglob("beside.*.pyc")) or sys.dont_write_bytecode  # so it is there that one would be
    assert str(place) not in sys.path


def test_check_all(capsys: pytest.CaptureFixture[str]) -> None:
    rows = run(capsys, 0, "check --all xor").splitlines()
    decided = [key for key, entry in claims.items() if entry.claim is not None]
    assert [row.split()[0] for row in rows if not row.startswith(" ")] == decided
    by_key = {row.split()[0]: row for row in rows}
    assert by_key["PN-3"].endswith("  holds, 8 instances")
    document = run_json(capsys, 0, "check --all xor")
    assert list(document["verdicts"]) == decided
    assert document["verdicts"]["PN-M"]["status"] == "holds"
    for key, verdict in document["verdicts"].items():
        if verdict["status"] != "not decided":
            assert verdict["status"] == claims[key].check(gallery.xor()).status


def test_check_all_tells_what_cannot_be_decided(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(self: Claim, _: object) -> Holds:
        if self.name == "PN-3":
            raise TooLargeError("it has too many instances")
        return Holds(self.name, 1)

    monkeypatch.setattr(Claim, "check", refused)
    rows = run(capsys, 0, "check --all copies").splitlines()
    shown = [row.partition("  ")[2].strip() for row in rows if row.startswith(("PN-3 ", "PN-4 "))]
    assert shown == ["not decided: it has too many instances", "holds, 1 instance"]
    document = run_json(capsys, 0, "check --all copies")
    expected = {"status": "not decided", "claim": "PN-3", "reason": "it has too many instances"}
    assert document["verdicts"]["PN-3"] == expected


def test_check_all_refuses_what_would_take_too_long(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "--all", "titanic"]) == 2
    assert "at most 8 states of the features, not 16" in " ".join(capsys.readouterr().err.split())


def test_prove(capsys: pytest.CaptureFixture[str], place: Path) -> None:
    arguments = ("prove", "PN-M", "--cardinalities", "2,2", "--certificate", "proof.json")
    printed = run(capsys, 0, *arguments, "--out", "none.json")
    assert printed == (
        "PN-M: proved for every distribution with 2 x 2 states, 2 classes (case split)\n\n"
        "Wrote proof.json\nThere is no distribution, so none.json was not written\n"
    )
    assert check_certificate("proof.json").kind == "proved"
    shape = {"cardinalities": [2, 2], "classes": 2}
    expected = {"status": "proved", "claim": "PN-M", "shape": shape, "evidence": "case split"}
    assert run_json(capsys, 0, *arguments) == {"schema": "fstheory/proved", "version": 1, **expected}


def test_prove_finds_a_counterexample(capsys: pytest.CaptureFixture[str], place: Path) -> None:
    arguments = ("--cardinalities", "2,2", "--classes", "3", "--without", "positive,unique_maximum", "--out", "w.json")
    printed = run(capsys, 1, "prove PN-4", *arguments)
    assert printed.startswith("PN-4 without positive without unique_maximum: refuted at S = {X1}, T = {X2}\n")
    d = JointDistribution.from_json((place / "w.json").read_text("utf-8"))
    assert (d.cardinalities, len(d.classes)) == ((2, 2), 3)
    assert isinstance(claims["PN-4"].stated().without("positive", "unique_maximum").check(d), Refuted)
    assert f"\n\n{d}\n\nWrote w.json\n" in printed


def test_prove_passes_everything_on(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    verdict = Undecided("PN-3", Shape((2, 3), 3), "the time limit was reached")
    received = record_call(monkeypatch, "fstheory.proofs.prover.prove", verdict)
    options = (
        "--classes 3 --time-limit 1.5 --second-opinion --without positive --without unique_maximum --cardinalities"
    )
    printed = run(capsys, 3, f"prove PN-3 {options}", "2, 3")
    assert printed == "PN-3: undecided for 2 x 3 states, 3 classes, the time limit was reached\n"
    assert [stated.name for stated in received.pop("positional")] == ["PN-3"]
    expected = {"cardinalities": (2, 3), "classes": 3, "without": ("positive", "unique_maximum")}
    assert received == {**expected, "time_limit": 1.5, "second_opinion": True}


def test_refute(capsys: pytest.CaptureFixture[str], place: Path) -> None:
    arguments = ("refute", "PN-4", "--without", "positive", "--cardinalities", "2,2", "--classes", "2")
    printed = run(capsys, 1, *arguments, "--certificate", "c.json", "--out", "smallest.json")
    assert printed == (
        "PN-4 without positive: refuted at S = {X1}, T = {X2}\n"
        "  R({X1}) = 0, R({X1, X2}) = 0, R({}) = 1/2, R({X2}) = 0\n"
        "  proved: all smaller ones of 2 x 2 states, 2 classes\n\n"
        "X1  X2  Y=0  Y=1\n"
        " 0   0    0    0\n"
        " 0   1    0  1/2\n"
        " 1   0  1/2    0\n"
        " 1   1    0    0\n\n"
        "Wrote c.json\nWrote smallest.json\n"
    )
    d = JointDistribution.from_json((place / "smallest.json").read_text("utf-8"))
    assert Certificate.load("c.json")["weights"] == d.weights.tolist()
    document = run_json(capsys, 1, *arguments)
    assert document["where"] == {"S": ["X1"], "T": ["X2"]}
    assert document["distribution"] == json.loads(d.to_json())


def test_refute_a_claim_of_ones_own(capsys: pytest.CaptureFixture[str], place: Path) -> None:
    assert run(capsys, 1, "refute own.py:never_better").startswith("never_better: refuted at i = X2, j = X1\n")
    printed = run(capsys, 3, "refute own.py:bounded --max-features 1 --max-classes 2 --workers 1")
    assert printed.startswith("bounded: not refuted, searched 2 and 3 states with 2 classes")
    assert run(capsys, 1, "refute own.py:bounded --classes 3").startswith("bounded: refuted at S = {}")


def test_refute_goes_on_where_it_stopped(capsys: pytest.CaptureFixture[str], place: Path) -> None:
    arguments = ("refute", "own.py:computed", "--cardinalities", "2", "--classes", "2", "--resume", "search.json")
    first = run(capsys, 1, *arguments)
    assert first.startswith("computed: refuted\n")
    assert json.loads((place / "search.json").read_text("utf-8"))["search"]["claim"] == "computed"
    assert run(capsys, 1, *arguments) == first
    assert main([*arguments, "--seed", "3"]) == 2
    assert "resume must be the file of this search" in capsys.readouterr().err


def test_refute_passes_everything_on(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    received = record_call(monkeypatch, "fstheory.proofs.refutation.refute", NotRefuted("PN-3", "nothing"))
    run(capsys, 3, "refute PN-3 --workers 1")
    assert [stated.name for stated in received.pop("positional")] == ["PN-3"]
    expected = {"cardinalities": None, "classes": None, "without": (), "resume": None}
    assert received == {**expected, "workers": 1}
    limits = {"max_features": 1, "max_cardinality": 2, "max_classes": 3, "max_total": 4, "seed": 5, "workers": 6}
    typed = [word for name, value in limits.items() for word in (f"--{name.replace('_', '-')}", str(value))]
    run(capsys, 3, "refute PN-3 --time-limit 7 --resume s.json", *typed)
    received.pop("positional")
    assert received == {**expected, **limits, "time_limit": 7, "resume": "s.json"}


@pytest.mark.parametrize("resume", [True, False])
def test_an_interrupted_search(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, resume: bool
) -> None:
    def interrupted(*_: object, **__: object) -> NotRefuted:
        raise KeyboardInterrupt

    monkeypatch.setattr("fstheory.proofs.refutation.refute", interrupted)
    assert main(["refute", "PN-3", *(["--resume", "s.json"] if resume else [])]) == 130
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err == ("fstheory: interrupted; the same command goes on from s.json\n" if resume else "")


def test_realize(capsys: pytest.CaptureFixture[str], place: Path) -> None:
    ordering = "X1X2 < X1 = X2 < {}"
    printed = run(capsys, 0, "realize", ordering, "--certificate", "c.json", "--out", "r.json", "--assume", "positive")
    d = JointDistribution.from_json((place / "r.json").read_text("utf-8"))
    assert printed == f"X1X2 < X1 = X2 < {{}}: realized\n\n{d}\n\nWrote c.json\nWrote r.json\n"
    assert str(bayes_risks(d).ordering()) == ordering
    assert d.is_positive()
    assert check_certificate("c.json").kind == "realized"
    document = run_json(capsys, 0, "realize", "{b, a} < a < b < {}", "--features", "b,a", "--cardinalities", "2,3")
    assert JointDistribution.from_json(json.dumps(document["distribution"])).features == ("b", "a")
    document = run_json(capsys, 0, "realize", ordering, "--features", "2", "--classes", "3")
    assert len(JointDistribution.from_json(json.dumps(document["distribution"])).classes) == 3


def test_realize_what_is_impossible(capsys: pytest.CaptureFixture[str], place: Path) -> None:
    assumed = ("--assume", "positive,unique_maximum", "--certificate", "c.json", "--out", "none.json")
    printed = run(capsys, 1, "realize", "X1X2 = X1 = X2 < {}", *assumed)
    assert printed.endswith(
        ": impossible for 2 x 2 states, 2 classes (case split)\n\nWrote c.json\n"
        "There is no distribution, so none.json was not written\n"
    )
    assert check_certificate("c.json").kind == "proved"


def test_realize_passes_everything_on(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, place: Path
) -> None:
    verdict = Undecided("{} < X1", Shape((2, 3), 3), "the time limit was reached")
    received = record_call(monkeypatch, "fstheory.proofs.realization.realize", verdict)
    options = "--cardinalities 2,3 --classes 3 --time-limit 5 --features 2 --assume positive,unique_maximum"
    printed = run(capsys, 3, f"realize {options} --assume own.py:bounded", "{} < X1")
    assert printed == "{} < X1: undecided for 2 x 3 states, 3 classes, the time limit was reached\n"
    *named, own = received.pop("assume")
    assert (named, own.name) == (["positive", "unique_maximum"], "bounded")
    expected = {"features": 2, "cardinalities": (2, 3), "classes": 3, "time_limit": 5}
    assert received == {"positional": ("{} < X1",), **expected}


def test_needed_assumptions(capsys: pytest.CaptureFixture[str], place: Path) -> None:
    printed = run(capsys, 0, "needed-assumptions PN-4")
    assert re.findall(r"^(\w+) is needed\.$", printed, re.MULTILINE) == ["positive", "unique_maximum"]
    document = run_json(capsys, 0, "needed-assumptions PN-4 --cardinalities 2,2 --classes 3")
    assert [verdict["status"] for verdict in document["verdicts"].values()] == ["refuted", "refuted"]
    assert run(capsys, 0, "needed-assumptions PN-M") == "PN-M assumes nothing.\n"
    (place / "more.py").write_text(
        "from fstheory.logic import claim, positive\n"
        "@claim(assume=[positive])\ndef lazy(m, S, i):\n    return m.risk(S | {i}) <= m.risk(S)\n"
    )
    printed = run(capsys, 0, "needed-assumptions more.py:lazy")
    assert printed.startswith("positive is not needed.\nlazy without positive: proved for every distribution with 2 x")
