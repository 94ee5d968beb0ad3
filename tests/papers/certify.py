"""Make the certificates about distributions again: ``python -m tests.papers.certify [ID ..]``; compare with git diff.

Counterexamples are the answers of `refute` to the line that the evidence names, on the shape that it names, if any;
proofs are those of `prove`, and what exists is shown by distributions that stand here.
"""

import re
import sys
import time
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, TypeAlias
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from fstheory.distributions import gallery
from fstheory.distributions.joint import JointDistribution
from fstheory.logic.certificate import Certificate, certificate_at
from fstheory.logic.entry import Entry, Evidence
from fstheory.logic.evaluate import Evaluation
from fstheory.logic.ledger import claims, verify_certificate
from fstheory.logic.verdict import Proved, Refuted
from fstheory.proofs.prover import prove
from fstheory.proofs.refutation import refute
from tests.papers import toussaint

ARCHIVE = Path(__file__).parents[2] / "fstheory" / "papers" / "certificates.zip"

EXAMPLE_1_OF_AHMED = [[[378, 18], [252, 162]], [[42, 12], [28, 108]]]
RECODED = {(0, 0): 0, (1, 2): 3, (2, 1): 3}
"""X1 = 0, 1, 2 and X2 = 0, 2, 1, with Y = X1 + X2."""


def recoded() -> JointDistribution:
    """Return the finite version of Example 1 of Beraha et al., each of its three people once."""
    return JointDistribution([[[int(RECODED.get((a, b)) == y) for y in range(4)] for b in range(3)] for a in range(3)])


SHOWN = {"B-E1": recoded()} | {key: JointDistribution(EXAMPLE_1_OF_AHMED) for key in ("A-1", "A-1u", "A-1n", "A-1m")}
SHOWN |= dict.fromkeys(("PN-E1", "PN-R3"), gallery.pena_nilsson_example_1())
SHOWN["TO-1"] = toussaint.SEVENTHS
SHOWN["PN-8r"] = JointDistribution([[[[1, 0], [1, 0]], [[1, 0], [3, 0]]], [[[1, 0], [0, 3]], [[0, 3], [0, 1]]]])
SHOWN["CO-6p"] = JointDistribution([[[[9, 0], [1, 0]], [[0, 1], [0, 9]]], [[[0, 1], [0, 9]], [[9, 0], [1, 0]]]])
SHOWN["GE-5"] = JointDistribution([[[0, 0], [0, 13]], [[0, 69], [1, 0]]])
"""The distributions that statements about examples are about."""

_SHAPE = re.compile(r"fstheory .* --(?:cardinalities ([0-9,]+) --classes|features) ([0-9]+)")
Record: TypeAlias = tuple[Entry, Evidence, str | None]
"""An entry, evidence on it, and the assumption that this is without."""


def records(ids: Iterable[str] = claims) -> Iterator[Record]:
    for entry in map(claims.__getitem__, ids):
        for without, evidence in (*((None, one) for one in entry.evidence), *entry.needs.items()):
            yield entry, evidence, without


def wanted(*ids: str) -> list[Record]:
    """Return the evidence with certificates about distributions."""
    keys = [key for key in ids or claims if not key.startswith("SN-")]
    return [record for record in records(keys) if record[1].certificate]


def shape_of(evidence: Evidence) -> dict[str, Any]:
    """Return the options for a shape, or for every size, in the line that reproduces a piece of evidence."""
    if (found := _SHAPE.fullmatch(evidence.reproduce)) is None or found[1] is None:
        classes = re.search("--classes ([0-9]+)", evidence.reproduce)
        return {"features": int(found[2]), "classes": int(classes[1]) if classes else None} if found else {}
    return {"cardinalities": tuple(map(int, found[1].split(","))), "classes": int(found[2])}


def made(entry: Entry, evidence: Evidence, without: str | None) -> Certificate:
    """Return the certificate of one piece of evidence, made anew."""
    claim = entry.stated().without(without) if without else entry.stated()
    if entry.id in SHOWN and evidence.kind != "P":
        d = SHOWN[entry.id]
        statement = claim.statement(d)
        kind, at = "refuted" if evidence.kind == "R" else "realized", Evaluation(d)
        false = ((named, named.false_at(at)) for named in statement.show)
        found = next(one or named for named, one in false if (one is None) is (kind == "realized"))
        return certificate_at(kind, statement, found, d)
    on = shape_of(evidence)
    if evidence.kind == "R":
        refuted = refute(claim, **on)
        assert isinstance(refuted, Refuted), refuted
        assert refuted.minimality.startswith("proved"), refuted
        return refuted.certificate
    proved = prove(claim, **on)
    assert isinstance(proved, Proved), proved
    return proved.certificate


def store(certificates: Mapping[str, Certificate]) -> None:
    """Put certificates into the archive of the ledger; its bytes depend on nothing but what it holds."""
    texts = {}
    if ARCHIVE.exists():
        with ZipFile(ARCHIVE) as archive:
            texts = {name: archive.read(name).decode("utf-8") for name in archive.namelist()}
    texts |= {name: certificate.to_json() for name, certificate in certificates.items()}
    with ZipFile(ARCHIVE, "w") as archive:
        for name in sorted(texts):
            archive.writestr(ZipInfo(name), texts[name], ZIP_DEFLATED, 9)


def certify(entry: Entry, evidence: Evidence, without: str | None) -> None:
    assert evidence.certificate is not None
    certificate = made(entry, evidence, without)
    assert verify_certificate(certificate)
    store({evidence.certificate: certificate})
    print(f"{evidence.certificate}: {time.process_time():.1f} s, {len(certificate.to_json())} bytes", flush=True)


if __name__ == "__main__":
    for found in wanted(*sys.argv[1:]):
        certify(*found)
