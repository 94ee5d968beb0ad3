"""What goes wrong in a person's claim, or in a call of `refute`, is said; and no file is left behind."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from fstheory.counterexamples.refute import refute
from fstheory.errors import (
    ClaimError,
    FSTheoryError,
    InvalidFormatError,
    InvalidTypeError,
    InvalidValueError,
    OutputError,
    UnknownNameError,
)
from fstheory.logic import Claim, Formula, Model, claim
from tests.counterexamples.claims import monotone
from tests.refusals import refusals

NOTHING: Any = None
HALF: Any = 0.5


@claim
def raises(m: Model, i: str) -> Formula:
    raise RuntimeError("a slip")


@claim
def returns_none(m: Model, i: str) -> Any:
    return NOTHING


@claim
def uses_a_float(m: Model, i: str) -> Any:
    return m.risk(i) <= HALF


@claim
def names_an_unknown_feature(m: Model) -> Formula:
    return m.risk("Z") <= m.risk()


@claim
def fails_for_two_features(m: Model) -> Formula | bool:
    return m.risk("X1") <= m.risk(()) if len(m.order) == 1 else m.risk("X7") <= m.risk()


@claim
def fails_at_some_distribution(m: Model) -> bool:
    if m.distribution.total == 5:
        raise RuntimeError("a slip")
    return True


BUGS = [
    raises,
    returns_none,
    uses_a_float,
    names_an_unknown_feature,
    fails_for_two_features,
    fails_at_some_distribution,
]


@pytest.mark.parametrize("workers", [1, 2])
@pytest.mark.parametrize("bug", BUGS, ids=lambda bug: bug.name)
def test_a_bug_in_a_claim_points_at_the_claim(bug: Claim, workers: int, tmp_path: Path) -> None:
    resume = tmp_path / "search.json"
    with pytest.raises(ClaimError, match=bug.name) as caught:
        refute(bug, max_features=2, resume=resume, workers=workers)
    assert Path(__file__).name in str(caught.value)
    assert not [path for path in tmp_path.iterdir() if path != resume]
    if bug.name in {"fails_for_two_features", "fails_at_some_distribution"}:
        assert resume.read_text().endswith("}\n")  # what was done until then is kept
    else:
        assert not resume.exists()


def test_a_claim_without_a_value_somewhere() -> None:
    """A division by zero at a distribution that the search comes to."""

    @claim
    def divides(m: Model, i: str) -> Formula:
        return 1 / m.risk(i) >= 1

    with pytest.raises(FSTheoryError, match="divi"):
        refute(divides, cardinalities=(2,), classes=2)


test_bad_calls = refusals(
    [
        ("refute(7)", InvalidTypeError, "claim", "a claim"),
        ("refute('PN-99')", UnknownNameError, "", "PN-99"),
        ("refute(monotone, without='positive')", UnknownNameError, "", "positive"),
        ("refute(monotone, cardinalities=(0,))", InvalidValueError, "cardinalities", "at least 1"),
        ("refute(monotone, cardinalities=(2.0,))", InvalidTypeError, "cardinalities", "integer"),
        ("refute(monotone, cardinalities=2)", InvalidTypeError, "cardinalities", "integers"),
        ("refute(monotone, classes=0)", InvalidValueError, "classes", "at least 1"),
        ("refute(monotone, max_features=0)", InvalidValueError, "max_features", "at least 1"),
        ("refute(monotone, max_cardinality=1)", InvalidValueError, "max_cardinality", "at least 2"),
        ("refute(monotone, max_classes=1)", InvalidValueError, "max_classes", "at least 2"),
        ("refute(monotone, max_total=0)", InvalidValueError, "max_total", "at least 1"),
        ("refute(monotone, max_total=10**6)", InvalidValueError, "max_total", "at most 1000"),
        ("refute(monotone, max_total='9')", InvalidTypeError, "max_total", "integer"),
        ("refute(monotone, seed=-1)", InvalidValueError, "seed", "at least 0"),
        ("refute(monotone, workers=0)", InvalidValueError, "workers", "at least 1"),
        ("refute(monotone, workers=1.5)", InvalidTypeError, "workers", "integer"),
        ("refute(monotone, time_limit=0)", InvalidValueError, "time_limit", "above 0"),
        ("refute(monotone, time_limit='1')", InvalidTypeError, "time_limit", "a number"),
        ("refute(monotone, time_limit=float('nan'))", InvalidValueError, "time_limit", "above 0"),
        ("refute(monotone, progress=True)", InvalidTypeError, "progress", "a function"),
        ("refute(monotone, resume=True)", InvalidTypeError, "resume", "the path"),
        ("refute(monotone, max_features=1, resume=tmp / 'none' / 'search.json')", OutputError, "path", "written"),
    ],
    {"refute": refute, "monotone": monotone},
)


@pytest.mark.parametrize("content", ["", "{", "[]", '{"format": "another"}', '{"format": "fstheory search"}'])
def test_a_file_that_is_no_search_is_refused_and_kept(content: str, tmp_path: Path) -> None:
    path = tmp_path / "mine.json"
    path.write_text(content)
    with pytest.raises(InvalidFormatError, match="resume must be"):
        refute(monotone, max_features=1, resume=path)
    assert path.read_text() == content
