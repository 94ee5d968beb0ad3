"""The entries of Sebban and Nock: what they call false is refuted, their counts and certificates are found again."""

from itertools import product

import pytest

from fstheory.ledger import claims
from fstheory.ledger.sebban_nock_2002 import paper
from fstheory.points.lemmas import LEMMAS, UNIQUE
from tests.points.check_claims import FAMILIES, survey
from tests.points.counterexamples import FALSE, NEEDY, certificates

ENTRIES = [entry for entry in paper.entries if entry.id in LEMMAS]
TRUE = sorted(set(LEMMAS) - set(FALSE))
CERTIFICATES = dict(certificates())


@pytest.mark.thorough
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


def test_quadratic_entropy_leaves_the_interval_on_the_cube() -> None:
    """SN-Er: at the corners and midpoints of the cube; the first k where the value exceeds 1."""
    largest = [max(sum(g * (2 - g) for g in cube) for cube in product((0, 1, 2), repeat=k)) / 4 for k in range(1, 6)]
    assert largest == [k / 4 for k in range(1, 6)]
    assert [value > 1 for value in largest] == [False, False, False, False, True]


def test_statements_beside_the_lemmas() -> None:
    assert {entry.id: entry.status for entry in paper.entries if entry.id not in LEMMAS} == {
        "SN-Er": "false",
        "SN-E": "true",
        "SN-9": "true",
        "SN-Q": "false",
        "SN-Qc": "true",
    }
    assert claims["SN-E"].claim is not None
