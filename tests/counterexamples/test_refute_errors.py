"""What goes wrong in a person's claim, or in a call of `refute`, is said; and no file is left behind."""

from __future__ import annotations

from pathlib import Path

import pytest

from fstheory import errors
from fstheory.counterexamples.refute import refute
from fstheory.errors import InvalidTypeError, InvalidValueError
from fstheory.logic import Claim, Model, claim
from tests.counterexamples.claims import monotone, named
from tests.refusals import refusals


@claim
def fails_at_some_distribution(m: Model) -> bool:
    if m.distribution.total == 5:
        raise RuntimeError("a slip")
    return True


BUGS = [
    named("raises", lambda m, i: 1 // 0),
    named("returns_none", lambda m, i: None),
    named("uses_a_float", lambda m, i: m.risk(i) <= 0.5),
    named("names_an_unknown_feature", lambda m: m.risk("Z") <= m.risk()),
    named("fails_for_two_features", lambda m: m.risk("X1" if len(m.order) == 1 else "X7") <= m.risk(())),
    fails_at_some_distribution,
]


@pytest.mark.parametrize("workers", [1, 2])
@pytest.mark.parametrize("bug", BUGS, ids=lambda bug: bug.name)
def test_a_bug_in_a_claim_points_at_the_claim(bug: Claim, workers: int, tmp_path: Path) -> None:
    resume = tmp_path / "search.json"
    with pytest.raises(errors.ClaimError, match=bug.name) as caught:
        refute(bug, max_features=2, resume=resume, workers=workers)
    assert Path(__file__).name in str(caught.value)
    assert not [path for path in tmp_path.iterdir() if path != resume]
    if bug.name in {"fails_for_two_features", "fails_at_some_distribution"}:
        assert resume.read_text().endswith("}\n")  # what was done until then is kept
    else:
        assert not resume.exists()


def test_a_claim_without_a_value_somewhere() -> None:
    """A division by zero at a distribution that the search comes to."""
    divides = named("divides", lambda m, i: 1 / m.risk(i) >= 1)
    with pytest.raises(errors.FSTheoryError, match="divi"):
        refute(divides, cardinalities=(2,), classes=2)


test_bad_calls = refusals(
    [
        ("refute(7)", InvalidTypeError, "claim", "a claim"),
        ("refute('PN-99')", errors.UnknownNameError, "", "PN-99"),
        ("refute(monotone, without='positive')", errors.UnknownNameError, "", "positive"),
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
        (
            "refute(monotone, max_features=1, resume=tmp / 'none' / 'search.json')",
            errors.OutputError,
            "path",
            "written",
        ),
    ],
    {"refute": refute, "monotone": monotone},
)
