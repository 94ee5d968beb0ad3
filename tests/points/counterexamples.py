"""Find the smallest point sets that refute statements of Sebban and Nock, and write their certificates.

``python -m tests.points.counterexamples`` puts them into fstheory/papers/certificates.zip, in seconds.
Smallest means: fewest points, then fewest coordinates, then the least largest coordinate, then lexicographically first.
"""

import functools
from zipfile import ZipFile

from fstheory.checker.points import UNIQUE
from fstheory.logic.certificate import Certificate
from fstheory.papers.sebban_nock_2002 import LEMMAS, Lemma
from fstheory.points.point_set import PointSet
from tests.papers.certify import ARCHIVE, store
from tests.points.grids import smallest_point_set

FALSE = ("SN-L1a", "SN-L1c", "SN-L3", "SN-L3a", "SN-L3b", "SN-5", "SN-5n")
NEEDY = ("SN-L1", "SN-L2")


def smallest(lemma: Lemma, *, distinct: bool) -> PointSet:
    """Return the smallest counterexample, among all point sets or among those without coincident points."""
    found = smallest_point_set(
        lambda squares: lemma.violation(squares) is not None, points=5, dimensions=3, largest=4, distinct=distinct
    )
    assert found is not None
    return found


@functools.cache
def certificates() -> dict[str, Certificate]:
    """Return the content of each file; one without coincident points only where it is another."""
    found = {}
    wanted = [(name, LEMMAS[name]) for name in FALSE]
    wanted += [(f"{name}-without-{UNIQUE}", LEMMAS[name].without_unique()) for name in NEEDY]
    for name, lemma in wanted:
        first, apart = (smallest(lemma, distinct=distinct) for distinct in (False, True))
        found[f"{name}.json"] = Certificate(lemma.certificate(first))
        if apart != first:
            found[f"{name}-distinct.json"] = Certificate(lemma.certificate(apart))
    return found


@functools.cache
def kept() -> dict[str, Certificate]:
    """Return the certificates on points that the archive has. A test of the ledger finds all of them again."""
    with ZipFile(ARCHIVE) as archive:
        names = [name for name in archive.namelist() if name.startswith("SN-")]
        return {name: Certificate.from_json(archive.read(name).decode("utf-8")) for name in names}


if __name__ == "__main__":
    store(certificates())
    for file, certificate in certificates().items():
        print(file, certificate["points"], certificate["violated"])
