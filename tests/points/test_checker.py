"""The checker of certificates about points: whatever is changed in one, it is refused, also with a digest made anew."""

import copy
import json
from collections.abc import Iterator
from itertools import combinations, product
from typing import Any

import pytest

from fstheory.checker.certificates import check_certificate
from fstheory.checker.points import CLAIMS
from fstheory.errors import CertificateError
from fstheory.papers.sebban_nock_2002 import LEMMAS
from fstheory.points.point_set import PointSet
from tests.logic.building import Content, signed
from tests.points.counterexamples import kept

CONTENTS: dict[str, Content] = {file: dict(certificate) for file, certificate in kept().items()}
JUNK: tuple[Any, ...] = (None, True, 0, 1, -1, 1.0, 7, "", "1", "-1/2", "2/4", "cycle", [], [0], [[0, 1]], {"a": 1})


def places(part: Any) -> Iterator[tuple[Any, Any]]:
    """Yield (container, key) of everything inside."""
    keys = list(part) if isinstance(part, dict) else range(len(part)) if isinstance(part, list) else ()
    for key in keys:
        yield part, key
        yield from places(part[key])


def test_every_kind_of_violation_has_a_certificate() -> None:
    assert {content["violated"]["kind"] for content in CONTENTS.values()} == {rule.kind for rule in CLAIMS.values()}
    assert {content["claim"] for content in CONTENTS.values()} == CLAIMS.keys()


@pytest.mark.parametrize(
    "file", [pytest.param(file, marks=pytest.mark.thorough if i % 4 else ()) for i, file in enumerate(CONTENTS)]
)
@pytest.mark.one_in(3)
def test_what_is_changed_is_refused_and_with_a_new_digest_refused_or_true(file: str) -> None:
    """Labels play no part, and may be any int or str; another point may do as well; what assumes less proves less."""
    for (place, _), junk in product(enumerate(places(CONTENTS[file])), JUNK):
        changed = copy.deepcopy(CONTENTS[file])
        free = [changed["labels"], changed["violated"]["points"], *changed["violated"]["edges"]]
        container, key = list(places(changed))[place]
        if json.dumps(container[key]) == json.dumps(junk):
            continue
        container[key] = junk
        with pytest.raises(CertificateError):
            check_certificate(changed)
        try:
            checked = check_certificate(signed(changed))
        except CertificateError:
            continue
        assert any(container is part for part in free) or key == "digest" or (key, junk) == ("assume", [])
        name, _, dropped = checked.claim.partition(" without ")
        refuted = LEMMAS[name].without_unique() if dropped else LEMMAS[name]
        assert refuted.violation(PointSet(changed["points"]).squares) is not None


def test_coordinates_are_fractions_in_lowest_terms() -> None:
    for odd in ("1e100000", " 1", "1_0", "0.5", "+1", "-0", "01", "1/1", "9" * 9999):
        points = [[odd, "0"], *CONTENTS["SN-L3a.json"]["points"][1:]]
        with pytest.raises(CertificateError, match="lowest terms") as error:
            check_certificate(signed(CONTENTS["SN-L3a.json"], points=points))
        assert len(str(error.value)) < 200


@pytest.mark.thorough
def test_certificates_nested_deeply_are_refused() -> None:
    for part, depth in product(["points", "violated", "version"], [300, 50_000]):
        nested: Any = []
        for _ in range(depth):
            nested = [nested]
        changed = {**CONTENTS["SN-L3a.json"], part: nested}
        with pytest.raises(CertificateError):
            check_certificate(signed(changed) if depth < 900 else changed)


LINE: Content = {"points": [["0"], ["1"], ["3"]], "labels": [0] * 3, "neighbors": [[1], [0], [1]]}
LINE["squared_distances"] = [[0, 1, "1"], [0, 2, "9"], [1, 2, "4"]]
LINE["violated"] = {"kind": "sum", "points": [0, 1, 2], "edges": []}
TO_AND_FRO = {"kind": "cycle", "points": [0, 1, 0, 1], "edges": []}
CIRCUIT = {"kind": "circuit", "points": [0, 1], "edges": []}
APART: Content = {"points": [["0"]] * 3 + [["1"]] * 2, "labels": [0] * 5}
APART["neighbors"] = [[1, 2], [0, 2], [0, 1], [4], [3]]
APART["squared_distances"] = [[i, j, str(int(i < 3 <= j))] for i, j in combinations(range(5), 2)]
WRONG = [
    ("SN-L1a", {"version": 2}, "the certificate must be"),
    ("SN-L1a", {"note": ""}, "with the keys"),
    ("SN-L1a", {"claim": "SN-L1b"}, "claim must be one of"),
    ("SN-L1a", {"points": [["0"], ["2"]]}, "squared_distances must be"),
    ("SN-L1a", {"points": [["0"]] * 51}, "not 51"),
    ("SN-L1a", {"neighbors": [[0], [1]]}, "neighbors\\[0\\] must be"),
    ("SN-L1a", {"labels": [0]}, "labels must be"),
    ("SN-L1a", {"labels": [0, None]}, "labels must be integers or strings"),
    ("SN-L1a", {"violated": {"kind": "cycle"}}, "violated.kind must be"),
    ("SN-L1a", {"violated": {"points": [0]}}, "violated must be"),
    ("SN-L1-without-unique_neighbor", {"assume": ["unique_neighbor"]}, "neighbors\\[0\\] must be"),
    ("SN-L1-without-unique_neighbor", {"violated": {"points": [0, 1]}}, "violated must be"),
    ("SN-L1c", {"neighbors": [[1, 2], [0], [0]]}, "neighbors\\[0\\] must be"),
    ("SN-L2-without-unique_neighbor", {"violated": {"edges": [[1, 2], [0, 1]]}}, "violated must be"),
    ("SN-L3", {"violated": {"points": [0, 1, 2]}}, "violated must be"),
    ("SN-L3", {"violated": {"edges": [[0, 1]]}}, "violated must be"),
    ("SN-L3", {"violated": {"edges": [[2, 0]]}}, "the smaller point first"),
    ("SN-L3a", {"violated": {"edges": [[0, 4]]}}, "violated must be"),
    ("SN-L3b", {"violated": {"edges": [[0, 1]]}}, "violated must be"),
    ("SN-5", {"violated": {"points": [0, 1]}}, "violated must be"),
    ("SN-5n", {"violated": {"points": [0, 1, 2]}}, "violated must be"),
    # neighborhoods that add up to 7, as for the tree; SN-L1a speaks of graphs without a cycle, but three coincident
    # points have one, also beside a pair; SN-L3a speaks of components, so what refutes SN-L3 does not refute it
    ("SN-5n-distinct", LINE, "violated must be sum"),
    # along the same edge to and fro is no cycle
    ("SN-5n-distinct", LINE | {"claim": "SN-L1", "violated": TO_AND_FRO}, "points must be different"),
    ("SN-L1-without-unique_neighbor", APART | {"claim": "SN-L1a", "violated": CIRCUIT}, "violated must be circuit"),
    ("SN-L3", {"claim": "SN-L3a", "violated": {"kind": "none inside"}}, "violated must be none inside"),
]


@pytest.mark.parametrize(("file", "changes", "message"), WRONG, ids=map(str, range(len(WRONG))))
def test_what_is_wrong_is_named(file: str, changes: Content, message: str) -> None:
    content = CONTENTS[f"{file}.json"]
    violated = {**content["violated"], **changes.get("violated", {})}
    with pytest.raises(CertificateError, match=message):
        check_certificate(signed({**content, **changes}, violated=violated))
