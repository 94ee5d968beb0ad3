"""Searches that are interrupted, or killed, go on where they stopped, and come to the same end.

A file that is no journal, or no longer the one that was written, is refused and left as it is.
"""

import hashlib
import json
import os
import subprocess
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from fstheory.errors import FSTheoryError, InvalidFormatError, InvalidValueError
from fstheory.logic.claims import Claim
from fstheory.logic.verdict import NotRefuted
from fstheory.proofs import enumeration
from fstheory.proofs.enumeration import Budget, Target
from fstheory.proofs.refutation import SearchJournal, refute
from tests.house import source
from tests.proofs.claims import named, no_three_tenths, search_three_tenths, total_below_five

IN_SMALL_STEPS = Budget(batch=128, piece=256, seconds=0.0, saved=60.0)
SHORT: dict[str, Any] = {"cardinalities": (2,), "classes": 2}
TEN = "2 x 2 states, 2 classes, total 10"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "search.json"


def edit(path: Path, change: Callable[[Any], object]) -> None:
    """Edit a file as somebody would who knows about the digest."""
    content = json.loads(path.read_text())
    change(content)
    content.pop("digest")
    content["digest"] = hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()[:16]
    path.write_text(json.dumps(content))


@pytest.mark.parametrize("error", [KeyboardInterrupt, ZeroDivisionError])
def test_an_interrupted_search_goes_on(error: type[BaseException], path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What was done until then is written, at the end if not before, and nothing is done twice."""
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
    assert 0 < json.loads(path.read_text())["done"][TEN]["next"] < 19448
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
    """The least of its total may be still to come, so the search has no answer yet."""
    expected = search_three_tenths(Budget(batch=64), resume=path)
    edit(path, lambda content: content["done"][TEN].update(next=1024))
    assert search_three_tenths(Budget(batch=64), resume=path) == expected


PROGRAM = """
import sys
from fstheory.proofs.enumeration import Budget
from tests.proofs.claims import search_three_tenths
budget = Budget(batch=16, piece=16, seconds=0.001, start_after=0.001, saved=0.1)
search_three_tenths(budget, resume=sys.argv[1], workers=2)
"""


@pytest.mark.skipif(os.name != "posix", reason="sends a signal")
def test_a_killed_search_goes_on(path: Path) -> None:
    process = subprocess.Popen([sys.executable, "-c", PROGRAM, path], cwd=source.ROOT, stderr=subprocess.PIPE)
    deadline = time.monotonic() + 60
    while not path.exists() and process.poll() is None and time.monotonic() < deadline:
        time.sleep(0.02)
    process.kill()
    process.communicate(timeout=60)
    assert json.loads(path.read_text())["done"]
    assert search_three_tenths(resume=path) == search_three_tenths()
    assert all(left == path or left.name.endswith(".tmp") for left in path.parent.iterdir())


# Which search a file belongs to

finish = partial(refute, no_three_tenths, **SHORT, max_total=3)


def test_the_file_is_readable(path: Path) -> None:
    finish(resume=path)
    content = json.loads(path.read_text())
    assert content["search"]["claim"] == "no_three_tenths"
    assert content["done"]["2 states, 2 classes, total 3"] == {"next": 20, "best": None, "decided": 0}


@pytest.mark.parametrize("changes", [{"cardinalities": (2, 2)}, {"max_total": 4}, {"seed": 1}], ids=str)
def test_the_file_of_another_search_is_refused(changes: dict[str, Any], path: Path) -> None:
    finish(resume=path)
    before = path.read_text()
    with pytest.raises(InvalidValueError, match=f"it differs in {next(iter(changes))}"):
        finish(resume=path, **changes)
    assert path.read_text() == before


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


# What is no file of a search


TEXTS: dict[str, tuple[Callable[[bytes], bytes], str]] = {
    "edited": (lambda text: text.replace(b'"next": 20', b'"next": 19'), "it was changed"),
    "cut": (lambda text: text[:-3], "cannot be read"),
    "a list": (lambda text: b"[]", "another format"),
    "null for a digest": (lambda text: b'{"format": "fstheory search", "version": 2, "digest": null}', "format"),
    "a lone surrogate": (lambda text: text.replace(b'"version"', b'"\\ud800": 1, "version"'), "another format"),
    "an earlier version": (lambda text: text.replace(b'"version": 2', b'"version": 1'), "its version is 1"),
}


@pytest.mark.parametrize("change", TEXTS)
def test_a_damaged_file_is_refused_and_left(change: str, path: Path) -> None:
    damage, match = TEXTS[change]
    finish(resume=path)
    path.write_bytes(damaged := damage(path.read_bytes()))
    with pytest.raises(InvalidFormatError, match=match) as caught:
        finish(resume=path)
    assert "\n" not in str(caught.value)
    assert path.read_bytes() == damaged
    assert list(path.parent.iterdir()) == [path]


def test_what_is_no_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InvalidFormatError, match="it is no regular file"):
        finish(resume=tmp_path)
    with pytest.raises(FSTheoryError, match="resume must be"):
        finish(resume=tmp_path / "nu\0ll")


def test_a_file_that_could_not_be_read_again_is_not_written(path: Path) -> None:
    """What is there stays, and can be read."""
    with SearchJournal(path, SHORT, 0, most_bytes=2**12, now=lambda: 0.0) as journal:
        journal.put("short", [1, 2, 3])
        before = path.read_bytes()
        with pytest.warns(UserWarning, match="resume must be a file of at most 4 KiB, not .* stays as it is"):
            journal.put("long", "9" * 2**12)
        journal.put("later", 1)  # warns no more
    assert path.read_bytes() == before
    assert SearchJournal(path, SHORT, most_bytes=2**12).get("short") == [1, 2, 3]
    with pytest.raises(InvalidFormatError, match="it is larger than 16 bytes"):
        SearchJournal(path, SHORT, most_bytes=2**4)


@pytest.mark.parametrize("cost", [0.5, 40.0])
def test_writing_takes_a_tenth_of_the_time_at_most(cost: float, path: Path) -> None:
    """The clock is one that runs while something is made to be written, and a second between two offers."""
    time = spent = 0.0

    def made() -> list[int]:
        nonlocal time, spent
        time, spent = time + cost, spent + cost
        return [0]

    with SearchJournal(path, SHORT, now=lambda: time) as journal:
        for seconds in range(1, 400):
            time += 1.0
            journal.offer(("step", made))
            assert seconds > 1 or spent == cost
        journal.offer(("step", made), last=True)
    assert spent <= cost * 2 + time / 50
