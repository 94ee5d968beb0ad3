"""The commands about claims: what they print, write and return is what the library answers."""

from __future__ import annotations

import json
import re
import shlex
import sys
from fractions import Fraction
from typing import Any

import pytest

from fstheory import JointDistribution, bayes_risks
from fstheory._support.result import to_json
from fstheory.checker.certificates import check_certificate
from fstheory.cli.options import parse
from fstheory.distributions import gallery
from fstheory.logic.certificate import Certificate
from fstheory.logic.entry import Evidence
from fstheory.logic.every_size import SeveralNumbers
from fstheory.logic.ledger import claims
from fstheory.logic.statement import Shape
from fstheory.logic.verdict import NotRefuted, Refuted, Undecided
from fstheory.proofs.prover import prove
from fstheory.reports.audit import audit, audit_markdown
from fstheory.reports.bundle import save_bundle
from tests.cli.own import OWN, Cli, record_call


@pytest.mark.parametrize(("key", "source", "status"), [("PN-M", "titanic", 0), ("PN-3", "titanic", 3)])
def test_check(cli: Cli, key: str, source: str, status: int) -> None:
    verdict = claims[key].check(gallery.load(source))
    assert cli.run(status, "check", key, source) == f"{verdict}\n"
    assert cli.json(status, "check", key, source) == json.loads(json.dumps(verdict.to_dict()))


def test_check_a_claim_of_ones_own(cli: Cli) -> None:
    printed = cli.run(1, "check own.py:computed d.json --certificate c.json")
    assert printed == "computed: refuted\n  at the distribution given\n\nWrote c.json\n"
    assert check_certificate("c.json").claim == "computed"
    assert cli.run(0, "check", f"{cli.folder / 'own.py'}:plain", "d.json") == "plain: holds, 2 instances\n"
    printed = cli.run(0, "check own.py:plain xor --features X1 --certificate none.json")
    assert printed.endswith("\n\nThere is no certificate, so none.json was not written\n")
    assert not (cli.folder / "none.json").exists()
    assert not list(cli.folder.rglob("own.*.pyc"))
    assert list(cli.folder.rglob("beside.*.pyc")) or sys.dont_write_bytecode  # so it is there that one would be
    assert str(cli.folder) not in sys.path


def test_a_file_is_not_run_for_an_id(cli: Cli) -> None:
    cli.write("PN-3", "raise SystemExit(7)")
    assert cli.run(0, "check PN-3 xor") == "PN-3: holds, 8 instances\n"


def test_several_claims_are_checked_in_one_table(cli: Cli) -> None:
    assert cli.run(0, "check PN-3 PN-M xor") == "PN-3  holds, 8 instances\nPN-M  holds, 4 instances\n"
    verdicts = cli.json(0, "check PN-3 PN-M xor")["verdicts"]
    assert {name: verdict["status"] for name, verdict in verdicts.items()} == {"PN-3": "holds", "PN-M": "holds"}


def test_the_theorems_at_one_distribution(cli: Cli) -> None:
    printed = cli.run(0, "theorems titanic --only PN-4,PE-1")
    assert "1 holds anyway" in printed
    assert "1 refuted" in printed
    assert "conclusion:  fails at i = sex" in printed
    rows = cli.json(0, "theorems xor --all")["rows"]
    assert [row["id"] for row in rows] == [key for key, entry in claims.items() if entry.claim is not None]


def test_the_values_of_a_counterexample_are_shown(cli: Cli) -> None:
    odd = "def odd(m, i):\n    return m.all(m.probability({}, y) + m.entropy(i) > 5 for y in m.classes)\n"
    cli.write("odd.py", odd + "def many(m):\n    return m.all(m.risk(()) < q for q in range(-12, 0))\n")
    states = {"sex": ["f", "m"], "out": ["n", "y"]}
    d = JointDistribution([[1, 2], [3, 0]], features=["sex"], target="out", states=states)
    cli.write("sex.json", d.to_json())
    assert cli.run(1, "check odd.py:odd sex.json") == (
        "odd: refuted at i = sex\n"
        "  P(out=n) + H(sex) = ≈1.35981, P(out=y) + H(sex) = ≈1.02648\n"
        "  at the distribution given\n"
    )
    assert "R({}) = 1/3" in cli.run(1, "check odd.py:many sex.json")


def test_prove(cli: Cli) -> None:
    arguments = "prove PN-M --cardinalities 2,2 --certificate proof.json"
    assert cli.run(0, arguments, "--out", "none.json") == (
        "PN-M: proved for every distribution with 2 x 2 states, 2 classes (case split)\n\n"
        "Wrote proof.json\nThere is no distribution, so none.json was not written\n"
    )
    assert check_certificate("proof.json").kind == "proved"
    shape = {"cardinalities": [2, 2], "classes": 2}
    expected = {"status": "proved", "claim": "PN-M", "shape": shape, "evidence": "case split"}
    assert cli.json(0, arguments) == {"schema": "fstheory/proved", "version": 1, **expected}


def test_several_numbers_of_features_have_a_certificate_each(cli: Cli) -> None:
    printed = cli.run(0, "prove PN-M --features 1,2 --certificate p.json")
    assert printed.endswith("\n\nWrote p-1.json (features=1), p-2.json (features=2)\n")
    printed = cli.run(0, "verify-certificate p-1.json p-2.json --claim PN-M")
    assert [line.partition(" on ")[2][:9] for line in printed.splitlines()] == ["1 feature", "2 feature"]
    assert " claim_PN_M_1 claim_PN_M_2; do" in cli.run(0, "to-coq PN-M --features 1,2 --out coq")
    found = prove("PN-M", features=(1, 2))
    files = [file.name for folder in ("a", "b") for file in save_bundle([found], cli.folder / folder)]
    assert [name for name in files if name.startswith("PN")] == ["PN_M-1.json", "PN_M-2.json"] * 2


def test_proofs_before_a_refutation_have_certificates(cli: Cli) -> None:
    cli.write("few.py", "def alike(m, i, j):\n    return m.risk(i) == m.risk(j)\n")
    printed = cli.run(1, "prove few.py:alike --features 1,2 --certificate f.json")
    assert "; the claim is proved for features=1" in printed.replace("\n  ", " ")
    assert printed.endswith("Wrote f-1.json (features=1), f-2.json (features=2)\n")
    assert [check_certificate(f"f-{n}.json").kind for n in (1, 2)] == ["proved", "refuted"]


def test_prove_finds_a_counterexample(cli: Cli) -> None:
    arguments = "--cardinalities 2,2 --classes 3 --without positive,unique_maximum --out w.json"
    printed = cli.run(1, f"prove PN-4 {arguments}")
    assert printed.startswith("PN-4 without positive without unique_maximum: refuted at S = {X1}, T = {X2}\n")
    d = cli.distribution("w.json")
    assert (d.cardinalities, len(d.classes)) == ((2, 2), 3)
    assert isinstance(claims["PN-4"].stated().without("positive", "unique_maximum").check(d), Refuted)
    assert f"\n\n{d}\n\nWrote w.json\n" in printed


PASSED_ON: list[tuple[str, tuple[str, ...], object, str, dict[str, Any]]] = [
    (
        "fstheory.proofs.prover.prove",
        ("prove PN-3 --classes 3 --time-limit 1 --second-opinion --without positive --workers 3 --resume r "
            "--cardinalities=2,3",),
        Undecided("PN-3", Shape((2, 3), 3), "the time limit was reached"),
        "PN-3: undecided for 2 x 3 states, 3 classes, the time limit was reached\n",
        {"cardinalities": (2, 3), "features": None, "classes": 3, "without": ("positive",), "time_limit": 1,
            "second_opinion": True, "executor": 3, "resume": "r"},
    ),
    (
        "fstheory.proofs.refutation.refute",
        ("refute PN-3 --max-features 1 --max-cardinality 2 --max-classes 3 --max-total 4 --seed 5 --workers 6 "
            "--time-limit 7 --resume s --classes 2 --cardinalities 2 --without positive --without unique_maximum",),
        NotRefuted("PN-3", "nothing"),
        "PN-3: not refuted, searched nothing\n",
        {
            "cardinalities": (2,), "features": None, "classes": 2, "without": ("positive", "unique_maximum"),
            "resume": "s", "executor": 6, "max_features": 1, "max_cardinality": 2, "max_classes": 3, "max_total": 4,
            "seed": 5, "time_limit": 7,
        },
    ),
    *(
        (
            "fstheory.proofs.prover.prove",
            (f"prove PN-3 --features {typed} --workers 3",),
            Undecided("PN-3", SeveralNumbers("any number of", 3), "the time limit was reached"),
            "PN-3: undecided for any number of features of any numbers of states, any number of classes, "
            "the time\n    limit was reached\n",
            {"cardinalities": None, "features": features, "classes": None, "without": (), "time_limit": None,
                "second_opinion": False, "executor": 3, "resume": None},
        ) for typed, features in (("every", "every"), ("2,4", (2, 4)), ("3", 3))
    ),
    (
        "fstheory.proofs.realization.realize",
        ("realize --cardinalities 2,3 --classes 3 --time-limit 5 --features 2 --workers 4 --resume r "
            "--assume positive --assume own.py:bounded", "{} < X1"),
        Undecided("{} < X1", Shape((2, 3), 3), "the time limit was reached"),
        "{} < X1: undecided for 2 x 3 states, 3 classes, the time limit was reached\n",
        {"features": 2, "cardinalities": (2, 3), "classes": 3, "time_limit": 5, "assume": ["positive", "bounded"],
            "executor": 4, "resume": "r"},
    ),
]  # fmt: skip


@pytest.mark.parametrize(("function", "typed", "verdict", "printed", "expected"), PASSED_ON)
def test_everything_is_passed_on(
    cli: Cli, monkeypatch: pytest.MonkeyPatch, function: str, typed: Any, verdict: Any, printed: str, expected: Any
) -> None:
    received = record_call(monkeypatch, function, verdict)
    assert cli.run(3, *typed) == printed
    (about,) = received.pop("positional")
    assert getattr(about, "name", about) in {"PN-3", "{} < X1"}
    if "assume" in received:
        received["assume"] = [getattr(assumption, "name", assumption) for assumption in received["assume"]]
    assert received == expected


def test_refute(cli: Cli) -> None:
    arguments = "refute PN-4 --without positive --cardinalities 2,2 --classes 2"
    assert cli.run(1, arguments, "--certificate", "c.json", "--out", "smallest.json") == (
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
    d = cli.distribution("smallest.json")
    assert Certificate.load("c.json")["weights"] == d.weights.tolist()
    document = cli.json(1, arguments)
    assert document["where"] == {"S": ["X1"], "T": ["X2"]}
    assert document["distribution"] == json.loads(d.to_json())


def test_a_cluster_is_named_by_its_scheduler(cli: Cli) -> None:
    pytest.importorskip("distributed")
    told = cli.stopped(2, "refute PN-3 --dask nonsense")
    assert "argument --dask: must be the address of a scheduler, not 'nonsense'" in told


def test_refute_a_claim_of_ones_own_and_go_on_where_it_stopped(cli: Cli) -> None:
    assert cli.run(1, "refute own.py:never_better").startswith("never_better: refuted at i = X2, j = X1\n")
    printed = cli.run(3, "refute own.py:bounded --max-features 1 --max-classes 2 --workers 1")
    assert printed.startswith("bounded: not refuted, searched 2 and 3 states with 2 classes")
    arguments = "refute own.py:computed --cardinalities 2 --classes 2 --resume search.json"
    first = cli.run(1, arguments)
    assert first.startswith("computed: refuted\n")
    assert '"claim": "computed"' in cli.read("search.json")
    assert cli.run(1, arguments) == first
    assert "resume must be the file of this search" in cli.stopped(2, arguments, "--seed", "3")


def test_realize(cli: Cli) -> None:
    ordering = "X1X2 < X1 = X2 < {}"
    written = ("--certificate", "c.json", "--out", "r.json", "--assume")
    printed = cli.run(0, "realize", ordering, *written, "positive")
    d = cli.distribution("r.json")
    assert printed == f"X1X2 < X1 = X2 < {{}}: realized\n\n{d}\n\nWrote c.json\nWrote r.json\n"
    assert str(bayes_risks(d).ordering()) == ordering
    assert d.is_positive()
    assert check_certificate("c.json").kind == "realized"
    document = cli.json(0, "realize", "{b, a} < a < b < {}", "--features", "b,a", "--cardinalities", "2,3")
    assert JointDistribution.from_json(json.dumps(document["distribution"])).features == ("b", "a")
    (cli.folder / "r.json").unlink()
    assert cli.run(1, "realize", "X1X2 = X1 = X2 < {}", *written, "positive,unique_maximum").endswith(
        ": impossible for 2 x 2 states, 2 classes (case split)\n\nWrote c.json\n"
        "There is no distribution, so r.json was not written\n"
    )
    assert check_certificate("c.json").kind == "proved"


@pytest.mark.thorough
def test_supremum(cli: Cli) -> None:
    cli.write("worst.py", WORST)
    written = ("--certificate", "c.json", "--out", "s.json")
    line = "supremum worst.py:lost --subject-to worst.py:ranked_first --features 3"
    printed = cli.run(0, line, *written)
    assert printed.startswith("largest lost: 1/4, attained by JointDistribution(")
    assert printed.endswith("\n\nWrote c.json\nWrote s.json\n")
    assert check_certificate("c.json").kind == "proved"
    risks = bayes_risks(cli.distribution("s.json"))
    assert risks[{"X1"}] - risks[{"X2"}] == Fraction(1, 4)
    smallest = cli.json(0, line, "--smallest", "--classes", "3")
    assert (smallest["status"], smallest["value"]) == ("attained", "-2/3")
    (cli.folder / "s.json").unlink()
    line = "supremum worst.py:lost --subject-to worst.py:worse_than_nothing --cardinalities 2,2 --assume positive"
    assert cli.run(0, line, *written).endswith("Wrote c.json\nThere is no distribution, so s.json was not written\n")
    assert cli.run(3, "supremum worst.py:lost --features 2 --time-limit 0.000001").endswith("time limit was reached\n")
    assert "one of the arguments --cardinalities --features is required" in cli.stopped(2, "supremum worst.py:lost")
    assert "a number in a claim must be" in cli.stopped(2, "supremum PN-3 --features 2")


WORST = """
def lost(m):
    return m.risk("X1") - m.risk("X2")


def ranked_first(m):
    return m.top("X1", m.shapley)


def worse_than_nothing(m):
    return m.risk("X1") > m.risk(())
"""


@pytest.mark.thorough
def test_referee(cli: Cli) -> None:
    cli.write("worst.py", "def small(m):\n    return m.risk(()) - m.risk() <= '3/4'\n")
    printed = cli.run(0, "referee worst.py:small --features 1 --classes 2")
    assert "the claim is true with 1/2 in place of 3/4." in " ".join(printed.split())
    document = cli.json(1, "referee worst.py:small --features 1")
    assert (document["schema"], document["status"]) == ("fstheory/referee-report", "refuted")
    assert "Not decided." in cli.run(3, "referee worst.py:small --time-limit 0.000001")


@pytest.mark.thorough
def test_needed_assumptions(cli: Cli) -> None:
    printed = cli.run(0, "needed-assumptions PN-4")
    assert re.findall(r"^(\w+) is needed\.$", printed, re.MULTILINE) == ["positive", "unique_maximum"]
    assert cli.run(0, "needed-assumptions PN-4 --resume all.jsonl") == printed
    document = cli.json(0, "needed-assumptions PN-4 --cardinalities 2,2 --classes 3")
    assert [verdict["status"] for verdict in document["verdicts"].values()] == ["refuted", "refuted"]
    assert cli.run(0, "needed-assumptions PN-M") == "PN-M assumes nothing.\n"
    lazy = "@claim(assume=[positive])\ndef lazy(m, S, i):\n    return m.risk(S | {i}) <= m.risk(S)\n"
    cli.write("more.py", f"from fstheory.logic import claim, positive\n{lazy}")
    printed = cli.run(0, "needed-assumptions more.py:lazy")
    assert printed.startswith("positive is not needed.\nlazy without positive: proved for every distribution with 2 x")


# -- Certificates and the ledger.


def test_verify_certificates(cli: Cli) -> None:
    cli.run(1, "refute PN-4 --without positive --cardinalities 2,2 --certificate a.json")
    cli.run(0, "prove PN-M --cardinalities 2 --certificate b.json")
    printed = cli.run(0, "verify-certificate a.json b.json")
    assert [line.split(" ")[1] for line in printed.splitlines()] == ["accepted:", "accepted:"]
    cli.write("bad.json", cli.read("a.json").replace('"total": 2', '"total": 3'))
    assert "bad.json: rejected: digest must be" in cli.run(1, "verify-certificate a.json bad.json")
    document = cli.json(1, "verify-certificate a.json bad.json")
    assert [row["status"] for row in document["certificates"]] == ["accepted", "rejected"]
    solvers = Certificate({**dict(Certificate.load("b.json")), "evidence": "solvers", "solvers": ["z3"]})
    content = {key: part for key, part in solvers.items() if key not in {"maxima", "proofs", "digest"}}
    Certificate(content).save("word.json")
    assert cli.run(3, "verify-certificate word.json a.json").startswith("word.json: unverifiable: ")
    assert "rejected" in cli.run(1, "verify-certificate word.json bad.json")
    # one that cannot be read does not hide the others
    rows = [line.split(": ")[:2] for line in cli.run(2, "verify-certificate none.json b.json .").splitlines()]
    assert rows == [["none.json", "unread"], ["b.json", "accepted"], [".", "unread"]]
    assert "bad.json: rejected: " in cli.run(1, "verify-certificate none.json bad.json")


def test_verify_that_it_is_about_a_claim(cli: Cli) -> None:
    cli.run(1, "refute own.py:never_better --certificate c.json")
    printed = cli.run(3, "verify-certificate c.json")
    assert ": as it stands: " in printed
    assert "the ledger has no claim of this name, and none was given to compare it with" in printed
    assert ": accepted: " in cli.run(0, "verify-certificate c.json --claim own.py:never_better")
    assert ": rejected: claim must be " in cli.run(1, "verify-certificate c.json --claim PN-3")
    cli.write("own.py", OWN.replace("[positive]", "[]"))
    assert ": rejected: " in cli.run(1, "verify-certificate c.json --claim own.py:never_better")
    cli.run(1, "refute PN-4 --without positive --cardinalities 2,2 --certificate a.json")
    asked = "verify-certificate a.json --claim PN-4"
    assert "rejected: claim must be the one the certificate names" in cli.run(1, asked)
    assert "accepted: 'PN-4 without positive' is refuted" in cli.run(0, asked, "--without", "positive")
    assert "--without must be given with --claim" in cli.stopped(2, "verify-certificate a.json --without positive")


@pytest.mark.thorough(2)
def test_audit(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    """The whole ledger is verified once for all tests, and entries that are named as ever."""
    audited = audit()
    files = [evidence.certificate for entry in claims.values() for evidence in (*entry.evidence, *entry.needs.values())]
    assert audited.verified == sum(file is not None for file in files)
    assert audited.as_they_stand == ()
    assert [key for key in ("PN-3", "PN-4", "PN-6c") if key in audited.for_every_size] == ["PN-3", "PN-6c"]
    monkeypatch.setattr("fstheory.reports.audit.audit", lambda *ids, **_: audit(*ids) if ids else audited)
    *rows, blank, last = cli.run(0, "audit").splitlines()
    assert [row.split()[0] for row in rows if not row.startswith(" ")] == list(claims)
    assert (blank, last) == ("", f"{len(claims)} entries, {audited.verified} certificates verified")
    assert max(map(len, rows)) <= 100
    assert cli.run(0, "audit PN-3 PN-M --markdown") == audit_markdown(audit("PN-3", "PN-M"))
    document = cli.json(0, "audit")
    assert (document["schema"], document["version"]) == ("fstheory/audit", 1)
    assert document["entries"] == to_json(list(claims.values()))
    monkeypatch.setattr(Evidence, "load", lambda self: Certificate({"kind": "proved", "claim": "PN-M"}))
    assert cli.stopped(2, "audit PN-M").startswith("fstheory: error: PN-M, PN-M-proof-every-3.json: ")


def test_bundle(cli: Cli) -> None:
    printed = cli.run(0, "bundle PN-M --out new")
    assert printed.startswith("PN-M (")
    assert printed.endswith(
        "verdict.json, PN-M-proof-every-3.json, PN-M-proof-2x2-2.json,\n    checker.pyz, coq in new\n"
    )
    assert "Wrote README.md" in cli.run(0, "bundle new/PN-M-proof-2x2-2.json --out own")
    assert "claim 'PN-99' does not exist" in cli.stopped(2, "bundle PN-99 --out other")
    assert "--out must be the name of a new folder, not 'new'" in cli.stopped(2, "bundle PN-M --out new")
    assert not (cli.folder / "other").exists()


def test_the_ledger_names_commands_that_exist() -> None:
    """Each evidence says how it is produced again; of commands that differ in names and numbers, one is read."""
    evidence = [piece for entry in claims.values() for piece in (*entry.evidence, *entry.needs.values())]
    typed = [piece.reproduce for piece in evidence if piece.reproduce.startswith("fstheory ")]
    kinds = {re.sub(r"\b[A-Z][\w-]*|\d+", "", line): line for line in typed}
    assert kinds
    for line in kinds.values():
        assert callable(parse(shlex.split(line, comments=True)[1:]).run), line
