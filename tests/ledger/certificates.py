"""Make the certificates on Peña and Nilsson again: ``python -m tests.ledger.certificates [ID ..]``; see git diff.

Each certificate that the evidence of an entry names is the answer of `refute` or `prove`; the two that show that
something exists are made of the distribution of the paper. Nothing is
written that `verify_certificate` does not accept.
"""

from __future__ import annotations

import re
import sys
import time
from pathlib import Path

from fstheory import gallery
from fstheory.ledger import claims, pena_nilsson_claims
from fstheory.ledger.entry import Entry, Evidence
from fstheory.ledger.papers import PENA_NILSSON_2010
from fstheory.ledger.verify import verify_certificate
from fstheory.logic import Certificate, Claim, Proved, Refuted, Shape
from fstheory.logic.certificate import certificate_at
from fstheory.search.prove import prove
from fstheory.search.refute import refute

FOLDER = Path(__file__).parents[2] / "fstheory" / "ledger" / "certificates"
SHOWN = {"PN-E1": pena_nilsson_claims.strongly_relevant_outside, "PN-R3": pena_nilsson_claims.boundary_is_not_solution}
PROOF = re.compile(r".*-proof-([0-9x]+)-([0-9]+)\.json")


def wanted(*ids: str) -> list[tuple[Entry, Evidence, str | None]]:
    """Return the evidence with certificates about distributions, and which assumption it is without."""
    found = []
    for entry in (claims[key] for key in ids or claims if claims[key].paper == PENA_NILSSON_2010):
        pieces = [(piece, None) for piece in entry.evidence] + [(piece, name) for name, piece in entry.needs.items()]
        found += [(entry, piece, without) for piece, without in pieces if piece.certificate]
    return found


def made(entry: Entry, evidence: Evidence, without: str | None) -> Certificate:
    """Return the certificate of one piece of evidence, made anew."""
    if entry.id in SHOWN:
        return shown(SHOWN[entry.id])
    claim = entry.stated().without(without) if without else entry.stated()
    if evidence.kind == "R":
        refuted = refute(claim)
        assert isinstance(refuted, Refuted), refuted
        return refuted.certificate
    shape = PROOF.fullmatch(evidence.certificate or "")
    assert shape is not None, evidence
    proved = prove(claim, cardinalities=tuple(map(int, shape[1].split("x"))), classes=int(shape[2]))
    assert isinstance(proved, Proved), proved
    return proved.certificate


def shown(claim: Claim) -> Certificate:
    """Return the certificate that a claim is true of Example 1 of Peña and Nilsson."""
    statement = claim.statement(Shape((2,), 2))
    return certificate_at("realized", statement, statement.show[0], gallery.pena_nilsson_example_1())


def main(*ids: str) -> None:
    """Write the certificates, of all entries or of some."""
    for entry, evidence, without in wanted(*ids):
        assert evidence.certificate is not None
        start = time.perf_counter()
        certificate = made(entry, evidence, without)
        verify_certificate(certificate)
        certificate.save(FOLDER / evidence.certificate)
        print(
            f"{evidence.certificate}: {time.perf_counter() - start:.1f} s, {len(certificate.to_json())} bytes",
            flush=True,
        )


if __name__ == "__main__":
    main(*sys.argv[1:])
