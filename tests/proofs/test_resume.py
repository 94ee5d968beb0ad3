"""Searches that are interrupted, or killed, go on where they stopped, and come to the same end."""

import functools
import itertools
import tempfile
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from fstheory.errors import InvalidFormatError, InvalidValueError
from fstheory.logic.claims import Claim
from fstheory.logic.verdict import NotRefuted
from fstheory.proofs import enumeration
from fstheory.proofs.enumeration import Budget, Target
from fstheory.proofs.prover import needed_assumptions
from fstheory.proofs.realization import realize
from fstheory.proofs.refutation import refute
from tests.journals import edit, steps
from tests.proofs.claims import named, no_three_tenths, prove_in_branches, search_three_tenths, total_below_five

IN_SMALL_STEPS = Budget(batch=128, piece=256, seconds=0.0)
SHORT: dict[str, Any] = {"cardinalities": (2,), "classes": 2}
TEN = "2 x 2 states, 2 classes, total 10"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "search.json"


@pytest.mark.parametrize("error", [KeyboardInterrupt, ZeroDivisionError])
def test_an_interrupted_search_goes_on(error: type[BaseException], path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The work that was done until then is written, at the latest at the end, and none of it is done again."""
    original, expected, limit = Target.search, search_three_tenths(), 40
    looked_at: list[enumeration.Piece] = []

    def search(self: Target, piece: enumeration.Piece) -> enumeration.Outcome:
        looked_at.append(piece)
        if len(looked_at) % limit == 0:
            raise error
        return original(self, piece)

    monkeypatch.setattr(Target, "search", search)
    for times in range(1, 4):
        with pytest.raises(error):
            search_three_tenths(IN_SMALL_STEPS, resume=path)
        assert len(looked_at) == 40 * times
    assert 0 < steps(path)[TEN]["next"] < 19448
    limit = 10**9
    looked_at.clear()
    assert search_three_tenths(IN_SMALL_STEPS, resume=path) == expected
    assert {piece.total for piece in looked_at} == {10}
    looked_at.clear()
    assert search_three_tenths(IN_SMALL_STEPS, resume=path) == expected
    assert looked_at == []


def test_searches_in_slices_of_time_come_to_the_same_end(path: Path) -> None:
    options: dict[str, Any] = {"cardinalities": (2, 2), "classes": 2, "max_total": 10, "resume": path}
    while isinstance(verdict := refute(no_three_tenths, time_limit=0.05, **options), NotRefuted):
        assert verdict.searched.endswith("stopped at the time limit")
    assert verdict == search_three_tenths()


def test_a_counterexample_is_kept_when_the_time_is_up(path: Path) -> None:
    """A smaller counterexample of its total may still come, so the search has no answer yet."""
    expected = search_three_tenths(Budget(batch=64), resume=path)
    edit(path, TEN, lambda done: done.update(next=1024))
    assert search_three_tenths(Budget(batch=64), resume=path) == expected


def test_what_is_no_counterexample_is_refused(path: Path) -> None:
    """If the digests were corrected, too, the search believes the file, and the claim itself is evaluated last."""
    search_three_tenths(Budget(batch=64), resume=path)
    edit(path, TEN, lambda done: done["best"].__setitem__(1, 0))
    before = path.read_bytes()
    with pytest.raises(InvalidFormatError, match="total 10' is no counterexample: pass a path"):
        search_three_tenths(Budget(batch=64), resume=path)
    assert path.read_bytes() == before


# Which search a file belongs to

finish = partial(refute, no_three_tenths, **SHORT, max_total=3)


def test_the_file_is_readable(path: Path) -> None:
    finish(resume=path)
    assert '"claim": "no_three_tenths"' in path.read_text()
    assert steps(path)["2 states, 2 classes, total 3"] == {"next": 20, "best": None, "decided": 0}


@pytest.mark.parametrize("changes", [{"cardinalities": (2, 2)}, {"max_total": 4}, {"seed": 1}], ids=str)
def test_the_file_of_another_search_is_refused(changes: dict[str, Any], path: Path) -> None:
    finish(resume=path)
    before = path.read_text()
    with pytest.raises(InvalidValueError, match=f"it differs in {next(iter(changes))}"):
        finish(resume=path, **changes)
    assert path.read_text() == before


# Proofs


@functools.cache
def proved_in_branches() -> bytes:
    """Return the content of the file at the end of the proof."""
    with tempfile.TemporaryDirectory() as folder:
        prove_in_branches(path := Path(folder) / "proof.jsonl")
        return path.read_bytes()


CHANGES: dict[str, Callable[[Any], object]] = {
    "another multiplier": lambda done: leaf_of(done)[0].__setitem__(1, 7),
    "a premise less": lambda done: leaf_of(done).pop(),
    "a premise that is none": lambda done: leaf_of(done)[0].__setitem__(0, ["p", 99]),
    "a split of nothing": lambda done: done["proof"].__setitem__(0, "or99"),
    "a copy of nothing": lambda done: done["proof"].__setitem__(0, {"image_of": 0}),
    "a copy of another": lambda done: done["proof"].__setitem__(-1, {"image_of": 1}),
    "a step less": lambda done: done["proof"].pop(),
    "a step more": lambda done: done["proof"].append(None),
    "splits without end": lambda done: done.update(proof=[0] * 10**4),
    "nothing": lambda done: done.clear(),
    "less than no cases": lambda done: done.update(cases=-1),
}


def leaf_of(done: Any) -> list[Any]:
    return next(step for step in done["proof"] if isinstance(step, list))


@pytest.mark.one_in(3)
@pytest.mark.parametrize("change", CHANGES)
def test_what_is_no_proof_is_refused(change: str, path: Path) -> None:
    """Also if its digests were corrected."""
    path.write_bytes(proved_in_branches())
    edit(path, "[0, []]", CHANGES[change])
    before = path.read_bytes()
    with pytest.raises(InvalidFormatError, match=r"what it says of '\[0, \[\]\]' is no proof of it: pass a path"):
        prove_in_branches(path)
    assert path.read_bytes() == before


def test_why_an_ordering_is_impossible_is_kept(path: Path) -> None:
    ordering: Any = {"ordering": "X1X2 = X1 = X2 < {}", "assume": ["positive", "unique_maximum"]}
    assert realize(**ordering, resume=path) == realize(**ordering) == realize(**ordering, resume=path)
    assert steps(path)


@pytest.mark.thorough
def test_searches_and_proofs_share_a_file(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Interrupted three times; what is no proof is refused."""
    needed, original = partial(needed_assumptions, "PN-5", cardinalities=(2, 2)), Target.search
    expected, pieces = needed(), itertools.count(1)
    monkeypatch.setattr(Target, "search", lambda *piece: original(*piece) if next(pieces) % 16 else 1 / 0)
    for _ in range(3):
        with pytest.raises(ZeroDivisionError):
            needed(resume=path)
    assert (needed(resume=path), next(pieces)) == (expected, 54 + 3 + 1)
    edit(path, "without unique_maximum, [0, []]", lambda done: done["proof"].pop())
    with pytest.raises(InvalidFormatError, match=r"what it says of '\[0, \[\]\]' is no proof of it"):
        needed(resume=path)


# Claims of one name


def risk_squared(text: str) -> Claim:
    """Return claims of one name; one that cannot be spelled out is known by the code of its function."""
    return named("same name", lambda m, i: m.risk(i) * m.risk(i) != text)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (risk_squared("9/100"), risk_squared("1/100")),
        (total_below_five, named("total_below_five", lambda m: m.distribution.total < 6)),
        (total_below_five, named("total_below_five", lambda m: m.distribution.total != 5)),
    ],
)
def test_the_file_of_another_claim_is_refused(one: Claim, other: Claim, path: Path) -> None:
    options: dict[str, Any] = {"resume": path, "max_total": 3, "max_features": 1}
    for _ in range(2):
        assert isinstance(refute(one, **options), NotRefuted)
    with pytest.raises(InvalidValueError, match="the claim was changed"):
        refute(other, **options)
