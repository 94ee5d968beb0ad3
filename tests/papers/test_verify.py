"""A certificate is evidence for what it was compared with, and for nothing else, whatever name it bears."""

import itertools
from dataclasses import replace
from typing import Any

import pytest

import fstheory as fs
from fstheory.errors import CertificateError, InvalidTypeError, UnknownNameError
from fstheory.logic.certificate import Certificate
from fstheory.logic.claims import Claim, claim, positive
from fstheory.logic.ledger import claims, verify_certificate
from fstheory.logic.verdict import Proved, Refuted
from fstheory.reports.audit import Audit, audit_entry
from tests.logic.building import Content, R, at_weights, instance, q, signed, statement
from tests.points.counterexamples import certificates as of_points

HALF = instance("it", ["<=", R(), q("1/2")])


def trivial() -> list[Content]:
    """Return certificates of R({}) <= 1/2: proved, by the word of a solver, true somewhere; one of nothing at all."""
    verdict = fs.prove(claim(lambda m: m.risk(()) <= "1/2", name="it"), cardinalities=(2,))
    assert isinstance(verdict, Proved)
    bare = {**statement("proved", (2,), 2, [], []), "version": 1}
    word = {**bare, "show": [HALF], "evidence": "solvers", "solvers": ["z3"]}
    values = [[R(), "1/2"], [q("1/2"), "1/2"]]
    realized = at_weights("realized", [[1, 0], [0, 1]], HALF, values)
    refuted = {**realized, "kind": "refuted", "show": [{**HALF, "formula": ["not", HALF["formula"]]}]}
    return [dict(verdict.certificate), word, realized, refuted, {**bare, "maxima": [], "proofs": []}]


TRIVIAL = trivial()
STATUS = ["as it stands", "unverifiable", "as it stands", "as it stands", "vacuous"]
assert [verify_certificate(signed(content)).status for content in TRIVIAL] == STATUS
KNOWN = [evidence for evidence in claims["PN-3"].evidence if evidence.certificate]
XOR = fs.gallery.xor()


def refuted(statement: Claim) -> Certificate:
    verdict = statement.check(XOR)
    assert isinstance(verdict, Refuted)
    return verdict.certificate


@pytest.mark.parametrize("name", claims)
@pytest.mark.one_in(16)
def test_no_trivial_statement_is_evidence_for_an_entry(name: str) -> None:
    titles = [name, *(f"{name} without {assumption}" for assumption in claims[name].assumptions)]
    for content, title in itertools.product(TRIVIAL, titles):
        forged = signed(content, claim=title)
        for expected in (None, name, claims[name], claims[name].claim):
            try:
                checked = verify_certificate(forged, expected)
            except CertificateError:
                continue
            assert not checked
            assert checked.status in {"as it stands", "vacuous", "unverifiable"}
            if checked.status == "as it stands":
                assert f"says nothing about the ledger's {name}," in checked.summary or claims[name].claim is not None


def test_contradictory_assumptions_are_said_aloud() -> None:
    impossible = claim(lambda m: m.risk(()) > "1/2", name="impossible")
    anything = claim(lambda m: m.risk() == "1/3", name="anything", assume=[impossible])
    proved = fs.prove(anything, cardinalities=(2,))
    assert isinstance(proved, Proved)
    assert "vacuous: the premise never holds" in str(proved)
    with pytest.raises(CertificateError, match="its statement is another one"):
        verify_certificate(proved.certificate, claim(lambda m: m.risk() == "1/3", name="anything"))
    summary = verify_certificate(proved.certificate, anything).summary
    assert "no distribution was met that satisfies what it assumes" in summary
    assert "no distribution" not in verify_certificate(KNOWN[0].load()).summary


def test_what_it_is_compared_with() -> None:
    better = claim(lambda m, i: m.risk(i) < m.risk(()), name="better", assume=[positive])
    certificate = refuted(better.without("positive"))
    assert verify_certificate(certificate, better.without("positive")).status == "accepted"
    assert verify_certificate(certificate).status == "as it stands"
    with pytest.raises(CertificateError, match="must be the one the certificate names, 'better without positive'"):
        verify_certificate(certificate, better)
    mine = refuted(claim(lambda m: m.risk(()) < "1/4", name="PN-3"))
    with pytest.raises(CertificateError):
        verify_certificate(mine)
    known = KNOWN[0].load()
    for expected in (None, "PN-3", claims["PN-3"], claims["PN-3"].claim):
        assert verify_certificate(known, expected).status == "accepted"
    with pytest.raises(CertificateError):
        verify_certificate(known, "PN-4")
    with pytest.raises(InvalidTypeError, match="claim must be a claim, or its id in the ledger"):
        verify_certificate(known, ["PN-3"])  # type: ignore[arg-type]
    with pytest.raises(UnknownNameError):
        verify_certificate(known, "PN-0")
    with pytest.raises(InvalidTypeError, match="certificate must be a mapping or the path of a file"):
        verify_certificate(None)  # type: ignore[arg-type]


@pytest.mark.thorough(3)
def test_points() -> None:
    without = " without "
    for file, content in of_points().items():
        checked = verify_certificate(content)
        assert checked.status == "accepted", file
        if without not in checked.claim:
            assert verify_certificate(content, checked.claim) == checked
        own = (checked.claim.partition(without)[0],) if without in checked.claim else ()
        for expected in ("PN-3", "SN-L3c", claims["PN-3"].stated(), *own):
            with pytest.raises(CertificateError, match="the certificate must be about "):
                verify_certificate(content, expected)


def test_a_claim_that_cannot_be_spelled_out_for_a_shape() -> None:
    light = claim(lambda m: m.distribution.total < 3, name="light")
    checked = verify_certificate(refuted(light), light)
    assert checked.status == "as it stands"
    assert "m.distribution exists only where" in checked.summary


def short(name: str, features: int) -> Content:
    """Return a short certificate of a claim with a long statement."""
    return signed(TRIVIAL[1], shape={"cardinalities": [2] * features, "classes": 2}, claim=name)


def test_statements_are_spelled_out_no_further_than_they_are_the_same_and_formulas_than_the_limit(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    made = [0]

    def counted(value: Any) -> Any:
        made[0] += 1
        return value

    endless = claim(lambda m, S, T: counted(m.risk(S)) <= m.risk(T), name="endless")
    with pytest.raises(CertificateError, match="its statement is another one"):
        verify_certificate(short("endless", 8), endless)
    assert made[0] == 2  # of 65,536; the first one, with S = T, is no formula

    @claim
    def huge(m: Any) -> Any:
        sets = m.subsets()
        return m.all(m.risk(S) <= m.risk(T | {i}) for S in sets for T in map(counted, sets) for i in m.order)

    monkeypatch.setattr("fstheory.logic.ledger._STEPS", 20_000)
    checked = verify_certificate(short("huge", 9), huge)
    assert checked.status == "unverifiable"
    assert "huge (" in checked.summary
    assert "must be short enough to be spelled out here for 2 x 2" in checked.summary
    assert made[0] < 10_000


@pytest.mark.thorough
def test_an_audit_names_what_is_verified_only_as_it_stands() -> None:
    row = audit_entry(replace(claims["PN-3"], claim=None, evidence=tuple(KNOWN), needs={}))
    assert (row.verified, row.as_they_stand) == (0, tuple(evidence.certificate for evidence in KNOWN))
    assert str(row).endswith(f"verified only as they stand: {', '.join(row.as_they_stand)}")
    assert Audit([row]).as_they_stand == row.as_they_stand
    with pytest.raises(CertificateError, match="PN-4, PN-3-proof"):  # accepted, but as evidence on PN-3
        audit_entry(replace(claims["PN-4"], evidence=tuple(KNOWN), needs={}))
