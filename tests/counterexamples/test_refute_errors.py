"""What goes wrong in a person's claim, or in a call of `refute`, is said; and no file is left behind."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from fstheory.counterexamples.refute import refute
from fstheory.errors import ClaimError, FSTheoryError, InvalidFormatError, OutputError
from fstheory.logic import Claim, Formula, Model, claim

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


@claim
def monotone(m: Model, S: frozenset[str], i: str) -> Formula:
    return m.risk(S | {i}) <= m.risk(S)


CALLS: dict[str, tuple[Callable[[], object], type[Exception], str]] = {
    "no claim": (lambda: refute(7), TypeError, "claim must be"),  # type: ignore[arg-type]
    "unknown id": (lambda: refute("PN-99"), KeyError, "PN-99"),
    "unknown assumption": (lambda: refute(monotone, without="positive"), KeyError, "positive"),
    "cardinality 0": (lambda: refute(monotone, cardinalities=(0,)), ValueError, "cardinalities must be"),
    "float cardinality": (lambda: refute(monotone, cardinalities=(2.0,)), TypeError, "cardinalities must be"),  # type: ignore[arg-type]
    "one number for cardinalities": (lambda: refute(monotone, cardinalities=2), TypeError, "cardinalities"),  # type: ignore[arg-type]
    "no classes": (lambda: refute(monotone, classes=0), ValueError, "classes must be"),
    "no features": (lambda: refute(monotone, max_features=0), ValueError, "max_features must be"),
    "one state": (lambda: refute(monotone, max_cardinality=1), ValueError, "max_cardinality must be"),
    "one class": (lambda: refute(monotone, max_classes=1), ValueError, "max_classes must be"),
    "total 0": (lambda: refute(monotone, max_total=0), ValueError, "max_total must be"),
    "total too large": (lambda: refute(monotone, max_total=10**6), ValueError, "max_total must be"),
    "text for a total": (lambda: refute(monotone, max_total="9"), TypeError, "max_total must be"),  # type: ignore[arg-type]
    "negative seed": (lambda: refute(monotone, seed=-1), ValueError, "seed must be"),
    "no workers": (lambda: refute(monotone, workers=0), ValueError, "workers must be"),
    "many workers": (lambda: refute(monotone, workers=1.5), TypeError, "workers must be"),  # type: ignore[arg-type]
    "no time": (lambda: refute(monotone, time_limit=0), ValueError, "time_limit must be"),
    "text for a time": (lambda: refute(monotone, time_limit="1"), TypeError, "time_limit must be"),  # type: ignore[arg-type]
    "no number for a time": (lambda: refute(monotone, time_limit=float("nan")), ValueError, "time_limit must be"),
    "progress true": (lambda: refute(monotone, progress=True), TypeError, "progress must be"),  # type: ignore[arg-type]
    "resume true": (lambda: refute(monotone, resume=True), TypeError, "resume must be"),  # type: ignore[arg-type]
}


@pytest.mark.parametrize("call", CALLS)
def test_bad_calls(call: str) -> None:
    function, error, text = CALLS[call]
    with pytest.raises(error) as caught:
        function()
    assert isinstance(caught.value, FSTheoryError)
    assert text in str(caught.value)


@pytest.mark.parametrize("content", ["", "{", "[]", '{"format": "another"}', '{"format": "fstheory search"}'])
def test_a_file_that_is_no_search_is_refused_and_kept(content: str, tmp_path: Path) -> None:
    path = tmp_path / "mine.json"
    path.write_text(content)
    with pytest.raises(InvalidFormatError, match="resume must be"):
        refute(monotone, max_features=1, resume=path)
    assert path.read_text() == content


def test_a_folder_that_does_not_exist(tmp_path: Path) -> None:
    with pytest.raises(OutputError, match="path must be"):
        refute(monotone, max_features=1, max_classes=2, resume=tmp_path / "none" / "search.json")
