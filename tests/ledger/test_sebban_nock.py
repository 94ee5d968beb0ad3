"""The entries of Sebban and Nock: what they call false is refuted, their counts and certificates are found again."""

from __future__ import annotations

from fstheory.ledger.sebban_nock_2002 import ENTRIES
from fstheory.points.lemmas import LEMMAS, UNIQUE
from tests.points.check_claims import FAMILIES, survey
from tests.points.counterexamples import FALSE, NEEDY, certificates

TRUE = sorted(set(LEMMAS) - set(FALSE))
CERTIFICATES = dict(certificates())


def test_the_orders_of_few_distances_give_the_counts_of_the_ledger() -> None:
    counts = survey(FAMILIES["orders of the distances of 2 to 4 points"]())
    assert {name: counts[name]["fails"] for name in TRUE} == dict.fromkeys(TRUE, 0)
    for entry in ENTRIES:
        if entry.status == "true":
            assert counts[entry.id]["applies"] == entry.evidence[0].count
    assert [counts[name]["fails"] for name in ("SN-L1c", "SN-L3", "SN-L3a", "SN-L3b")] == [105, 675, 0, 1128]
    assert counts["SN-L1a"]["fails"] == counts["SN-L1a"]["applies"] == 2362  # never true


def test_the_ledger_calls_false_what_is_refuted() -> None:
    assert {entry.id: entry.status for entry in ENTRIES} == {
        name: "false" if name in FALSE else "true" for name in LEMMAS
    }
    assert {entry.id for entry in ENTRIES if entry.needs} == set(NEEDY)
    assert {entry.corrects for entry in ENTRIES} - {None} <= LEMMAS.keys()


def test_counterexamples_are_those_of_the_ledger() -> None:
    """Each file of the ledger is what the search finds again, and no file is left over."""
    named = {e.certificate: e for entry in ENTRIES for e in (*entry.evidence, *entry.needs.values()) if e.certificate}
    extra = {f"SN-L1-without-{UNIQUE}-distinct.json"}
    assert named.keys() | extra == CERTIFICATES.keys()
    for file, evidence in named.items():
        assert evidence.load() == CERTIFICATES[file]
