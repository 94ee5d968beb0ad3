"""A file that is no journal, or no longer the one that was written, is refused and left as it is."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from fstheory.errors import FSTheoryError, InvalidFormatError
from fstheory.logic.claims import claim
from fstheory.logic.expressions import Formula
from fstheory.logic.language import Model
from fstheory.logic.verdict import NotRefuted, Refuted
from fstheory.proofs.refutation import SearchJournal, refute
from tests.house import source
from tests.proofs.claims import search_three_tenths
from tests.proofs.test_refute_resume import PROGRAM, wait

FIRST = "2 states, 2 classes"
OPTIONS: dict[str, Any] = {"cardinalities": (2,), "classes": 2}


@claim
def not_three_tenths(m: Model, i: str) -> Formula:
    """Linear, false at total 10 first."""
    return m.risk(i) != "3/10"


def search(path: Path) -> Refuted | NotRefuted:
    return refute(not_three_tenths, resume=path, **OPTIONS)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "search.json"
    assert search(path).minimality == f"proved: all smaller ones of {FIRST}"  # type: ignore[union-attr]
    return path


def refused(path: Path, match: str) -> None:
    before = path.read_bytes()
    with pytest.raises(InvalidFormatError, match=match) as caught:
        search(path)
    assert "\n" not in str(caught.value)
    assert path.read_bytes() == before
    assert list(path.parent.iterdir()) == [path]


TEXTS: dict[str, tuple[Callable[[bytes], bytes], str]] = {
    "edited": (lambda text: text.replace(b'"next": 286', b'"next": 285'), "it was changed"),
    "another digest": (lambda text: text.replace(b'"digest": "', b'"digest": "0'), "it was changed"),
    "cut": (lambda text: text[:-3], "cannot be read"),
    "more": (lambda text: text + b"{}", "cannot be read"),
    "a key twice": (lambda text: text.replace(b'"next"', b'"next": 1, "next"', 1), "appears twice"),
    "a decimal": (lambda text: text.replace(b'"next": 286', b'"next": 286.0'), "286.0 is not a whole number"),
    "a NaN": (lambda text: text.replace(b'"next": 286', b'"next": NaN'), "NaN is not a whole number"),
    "many digits": (lambda text: text.replace(b'"next": 286', b'"next": ' + b"9" * 5000), "cannot be read"),
    "no UTF-8": (lambda text: text.replace(b"claim", b"\xff"), "cannot be read"),
    "a null": (lambda text: text + b"\0", "cannot be read"),
    "nested deeply": (lambda text: b"[" * 100_000, "cannot be read"),
    "nested deeply inside": (
        lambda text: text.replace(b"{", b'{"a": ' + b"[" * 5000 + b"]" * 5000 + b",", 1),
        "cannot",
    ),
    "nothing": (lambda text: b"", "cannot be read"),
    "a list": (lambda text: b"[]", "another format"),
    "only a format": (lambda text: b'{"format": "fstheory search"}', "its version is None"),
    "null for a digest": (lambda text: b'{"format": "fstheory search", "version": 2, "digest": null}', "format"),
    "a lone surrogate": (lambda text: text.replace(b'"version"', b'"\\ud800": 1, "version"'), "another format"),
    "an earlier version": (lambda text: text.replace(b'"version": 2', b'"version": 1'), "its version is 1"),
}


@pytest.mark.parametrize("change", TEXTS)
def test_a_damaged_file_is_refused(change: str, path: Path) -> None:
    damage, match = TEXTS[change]
    path.write_bytes(damage(path.read_bytes()))
    refused(path, match)


def test_a_file_that_is_too_large_is_refused(path: Path) -> None:
    with path.open("ab") as stream:
        stream.truncate(2**28 + 1)
    with pytest.raises(InvalidFormatError, match="it is larger than 256 MiB"):
        search(path)
    assert path.stat().st_size == 2**28 + 1


def test_a_file_that_could_not_be_read_again_is_not_written(tmp_path: Path) -> None:
    """What is there stays, and can be read."""
    path = tmp_path / "search.json"
    with SearchJournal(path, OPTIONS, 0, most_bytes=2**12, now=lambda: 0.0) as journal:
        journal.put("short", [1, 2, 3])
        before = path.read_bytes()
        with pytest.warns(UserWarning, match="resume must be a file of at most 4 KiB, not .* stays as it is"):
            journal.put("long", "9" * 2**12)
        journal.put("later", 1)  # warns no more
    assert path.read_bytes() == before
    assert SearchJournal(path, OPTIONS, most_bytes=2**12).get("short") == [1, 2, 3]


@pytest.mark.thorough
def test_a_file_of_more_than_64_mib_is_read_again(tmp_path: Path) -> None:
    path, numbers = tmp_path / "search.json", [10**6 + i for i in range(8 * 10**6)]
    with SearchJournal(path, OPTIONS) as journal:
        journal.put("step", numbers)
    assert path.stat().st_size > 2**26
    assert SearchJournal(path, OPTIONS).get("step") == numbers


@pytest.mark.parametrize("cost", [0.5, 40.0, pytest.param(0.001, marks=pytest.mark.thorough)])
def test_writing_takes_a_tenth_of_the_time_at_most(cost: float, tmp_path: Path) -> None:
    """The clock is one that runs while something is made to be written, and a second between two offers."""
    time = spent = 0.0

    def made() -> list[int]:
        nonlocal time, spent
        time, spent = time + cost, spent + cost
        return [0]

    with SearchJournal(tmp_path / "search.json", OPTIONS, now=lambda: time) as journal:
        for seconds in range(1, 400):
            time += 1.0
            journal.offer(("step", made))
            if seconds == 1:
                assert spent == cost
        journal.offer(("step", made), last=True)
    assert spent <= cost * 2 + time / 50


def test_what_is_no_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InvalidFormatError, match="it is no regular file"):
        search(tmp_path)
    with pytest.raises(FSTheoryError, match="resume must be"):
        search(tmp_path / "nu\0ll")


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(data=st.data())
def test_bytes_are_changed(path: Path, data: st.DataObject) -> None:
    content = path.read_bytes()
    start = data.draw(st.integers(0, len(content)))
    stop = data.draw(st.integers(start, min(len(content), start + 20)))
    changed = content[:start] + data.draw(st.binary(max_size=8)) + content[stop:]
    path.write_bytes(changed)
    try:
        verdict = search(path)
    except FSTheoryError:
        assert path.read_bytes() == changed
    else:
        assert verdict.status == "refuted"
    finally:
        path.write_bytes(content)


# Interrupted by the keyboard


@pytest.mark.usefixtures("interruptible")
@pytest.mark.skipif(os.name != "posix", reason="sends a signal")
@pytest.mark.parametrize("workers", [1, pytest.param(2, marks=pytest.mark.thorough)])
def test_an_interrupt_leaves_a_whole_file(workers: int, tmp_path: Path) -> None:
    """What was noted until then is there, whatever the workers were about."""
    path, noted = tmp_path / "search.json", tmp_path / "noted"
    noting = f"""
import json
from fstheory.proofs.refutation import SearchJournal
put = SearchJournal.put
def noting(self, step, made):
    put(self, step, made)
    if isinstance(made, dict):
        with open({str(noted)!r}, "a") as stream:
            print(json.dumps([step, made["next"]]), file=stream)
SearchJournal.put = noting
"""
    command = [sys.executable, "-c", noting + PROGRAM.format(path=str(path), workers=workers)]
    process = subprocess.Popen(command, cwd=source.ROOT, stderr=subprocess.PIPE)
    wait(process, lambda: noted.exists() and "total 10" in noted.read_text())
    process.send_signal(signal.SIGINT)
    assert b"KeyboardInterrupt" in process.communicate()[1]
    assert sorted(tmp_path.iterdir()) == [noted, path]
    done = json.loads(path.read_text())["done"]
    step, after = [json.loads(line) for line in noted.read_text().splitlines() if line.endswith("]")][-1]
    assert done[step]["next"] >= after
    assert search_three_tenths(resume=path) == search_three_tenths()


def test_an_interrupt_while_the_file_is_written_leaves_the_one_before(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = path.read_bytes()
    journal = SearchJournal(path, json.loads(before)["search"])
    journal.put(f"{FIRST}, solver", [None])

    def interrupted(number: int) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", interrupted)
        with pytest.raises(KeyboardInterrupt):
            journal.save()
    assert path.read_bytes() == before
    assert list(path.parent.iterdir()) == [path]
    journal.save()  # nothing is lost
    assert json.loads(path.read_text())["done"][f"{FIRST}, solver"] == [None]
