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
from fstheory.logic.statement import Shape
from fstheory.logic.verdict import NotRefuted, Refuted
from fstheory.proofs.refutation import SearchJournal, refute
from fstheory.proofs.search import Ground
from tests.house import source
from tests.proofs.claims import search_three_tenths
from tests.proofs.test_refute_resume import PROGRAM, edit, goes_on, wait

FIRST = "2 states, 2 classes"
OPTIONS: dict[str, Any] = {"cardinalities": (2,), "classes": 2}


@claim
def not_three_tenths(m: Model, i: str) -> Formula:
    """Linear, false at total 10 first."""
    return m.risk(i) != "3/10"


@claim
def at_most_three_tenths(m: Model, i: str) -> Formula:
    return m.risk(i) <= "3/10"


def search(path: Path) -> Refuted | NotRefuted:
    return refute(not_three_tenths, resume=path, **OPTIONS)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "search.json"
    verdict = search(path)
    assert isinstance(verdict, Refuted)
    assert verdict.distribution.total == 10
    assert verdict.minimality == f"proved: all smaller ones of {FIRST}"
    return path


def refused(path: Path, match: str) -> None:
    before = path.read_bytes()
    with pytest.raises(InvalidFormatError, match=match) as caught:
        search(path)
    assert "\n" not in str(caught.value)
    assert path.read_bytes() == before
    assert list(path.parent.iterdir()) == [path]


def of_level(**changes: Any) -> Callable[[Any], object]:
    return lambda content: content["done"][f"{FIRST}, total 10"].update(changes)


def of_steps(**steps: Any) -> Callable[[Any], object]:
    named = {f"{FIRST}, {name.replace('_', ' ')}": made for name, made in steps.items()}
    return lambda content: content["done"].update(named)


# Somebody edits the file and corrects its digest


def test_what_an_earlier_run_did_not_find_is_said_to_be_the_journals(tmp_path: Path) -> None:
    """The counterexample of total 2 is hidden, so that one of total 3 is the least that is left."""
    path = tmp_path / "search.json"
    assert smallest(path) == ([[0, 0], [1, 1]], f"proved: all smaller ones of {FIRST}")
    edit(path, lambda content: content["done"][f"{FIRST}, total 2"].update(best=None))
    evidence = f"all smaller ones of {FIRST} (of an earlier run, as the journal says: totals up to 2)"
    assert smallest(path) == ([[0, 0], [1, 2]], f"proved, if the journal is right: {evidence}")


def smallest(path: Path) -> tuple[Any, str]:
    verdict = refute(at_most_three_tenths, resume=path, **OPTIONS)
    assert isinstance(verdict, Refuted)
    return verdict.distribution.weights.tolist(), verdict.minimality


def test_what_was_not_found_at_all_is_said_to_be_the_journals(path: Path) -> None:
    edit(path, lambda content: [content["done"].pop(f"{FIRST}, total {total}") for total in range(1, 11)])
    edit(path, of_steps(solver=[[]], total_1={"next": 4, "best": None, "decided": 0}))
    verdict = refute(not_three_tenths, resume=path, **OPTIONS)
    assert isinstance(verdict, Refuted)  # found before the solver is asked
    assert "the journal says: totals up to 1)" in verdict.minimality


def test_a_journal_that_the_search_contradicts_is_refused(path: Path) -> None:
    """It hides total 10, and the same counterexample is met with weights doubled."""
    edit(path, of_level(best=None))
    refused(path, f"it knows no counterexample of {FIRST} and total 10, and there is one")


FORGED: dict[str, Callable[[Any], object]] = {
    "no counterexample": of_level(best=[2, 4]),
    "another number of cells": of_level(best=[3, 3]),
    "a rank not reached": of_level(next=2),
    "a negative rank": of_level(best=[2, -1]),
    "text for a rank": of_level(best=[2, "3"]),
    "true for a rank": of_level(best=[2, True]),
    "three numbers": of_level(best=[2, 3, 4]),
    "an object": of_level(best={"rank": 3}),
    "beyond the last": of_level(next=287),
    "text for a place": of_level(next="286"),
    "null for a place": of_level(next=None),
    "a list for a count": of_level(decided=[]),
    "more decided than looked at": of_level(decided=287),
    "an unknown key": of_level(more=1),
    "no key": lambda content: content["done"][f"{FIRST}, total 10"].pop("decided"),
    "a list for a level": of_steps(total_10=[]),
    "total 0": of_steps(total_0={"next": 1, "best": None, "decided": 0}),
    "total 1001": of_steps(total_1001={"next": 1, "best": None, "decided": 0}),
    "total 010": of_steps(total_010={"next": 286, "best": None, "decided": 0}),
    "a total of many digits": of_steps(**{"total_" + "1" * 5000: {"next": 1, "best": None, "decided": 0}}),
    "an unknown step": of_steps(maybe=[None]),
    "a number from the solver": of_steps(solver=[3]),
    "nothing from the solver": of_steps(solver=[]),
    "no counterexample from the solver": of_steps(solver=[[1, 1, 1, 1]]),
    "too few cells from the solver": of_steps(solver=[[3, 7]]),
    "zeros from the solver": of_steps(solver=[[0, 0, 0, 0]]),
    "text from the solver": of_steps(solver=[["0", "3", "0", "7"]]),
    "a larger total than asked for": of_steps(totals_up_to_9=[[0, 0, 3, 7]]),
    "another total than asked for": of_steps(least_of_total_9=[[0, 0, 3, 7]]),
    "none of a total": of_steps(least_of_total_10=[[]]),
    "random without a count": of_steps(random=[[[0, 0, 3, 7]]]),
    "random without a counterexample": of_steps(random=[[[1, 0, 0, 0], 3]]),
    "random with a decimal": of_steps(random=[[None, -1]]),
    "a descent to nothing": of_steps(descent=[[]]),
    "no claim": lambda content: content["done"].pop(f"{FIRST}, claim"),
    "null for the claim": of_steps(claim=None),
    "another shape": lambda content: content["done"].update({"3 states, 2 classes, claim": "1"}),
    "no shape": lambda content: content["done"].update({"claim": "1"}),
    "steps that are a list": lambda content: content.update(done=[]),
    "a search that is a list": lambda content: content.update(search=[]),
    "more": lambda content: content.update(more=1),
    "deep": of_steps(solver=[json.loads("[" * 200 + "]" * 200)]),
}


@pytest.mark.parametrize("change", FORGED)
def test_what_no_search_writes_is_refused(change: str, path: Path) -> None:
    edit(path, FORGED[change])
    refused(path, "resume must be a file that a search wrote")


def test_what_a_search_may_write_is_taken(path: Path) -> None:
    least = [[0, 0, 3, 7]]
    edit(path, of_steps(solver=least, totals_up_to_9=[[]], totals_up_to_10=[[0, 0, 6, 14]], random=[[None, 7]]))
    edit(path, of_steps(least_of_total_10=least, descent=least))
    content = json.loads(path.read_text())
    with SearchJournal(path, content["search"]) as journal:
        journal.check(Ground(not_three_tenths.statement(Shape((2,), 2))))


# Somebody edits the file, or it is damaged

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


@pytest.mark.parametrize("cost", [0.001, 0.5, 40.0])
def test_writing_takes_a_tenth_of_the_time_at_most(cost: float, tmp_path: Path) -> None:
    """The clock is one that runs while something is made to be written, and a second between two offers."""
    time = spent = 0.0

    def made() -> list[int]:
        nonlocal time, spent
        time, spent = time + cost, spent + cost
        return [0]

    with SearchJournal(tmp_path / "search.json", OPTIONS, now=lambda: time) as journal:
        for seconds in range(1, 3000):
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


# Anything

JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 300) | st.integers() | st.text(max_size=5) | st.floats(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)
KEYS = ["done", "done", "done", "done", "search", "format", "version"]
ANY = settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)


def taken_or_refused(path: Path) -> None:
    before = path.read_bytes()
    try:
        verdict = search(path)
    except FSTheoryError:
        assert path.read_bytes() == before
    else:
        assert verdict.status in {"refuted", "not refuted"}


@ANY
@given(data=st.data())
def test_values_are_changed(path: Path, data: st.DataObject) -> None:
    """One or two values anywhere, and the digest is right again."""
    text = path.read_text()

    def change(content: Any) -> None:
        for _ in range(data.draw(st.integers(1, 2))):
            at, key = content, data.draw(st.sampled_from(KEYS))
            while isinstance(at[key], dict | list) and at[key] and data.draw(st.integers(0, 5)):
                at = at[key]
                key = data.draw(st.sampled_from(sorted(at) if isinstance(at, dict) else range(len(at))))
            at[key] = data.draw(JSON)
            if isinstance(at, dict) and at is not content and data.draw(st.booleans()):
                at[data.draw(st.text(max_size=3) | st.just(f"{key} 1"))] = at.pop(key)

    try:
        edit(path, change)
        taken_or_refused(path)
    finally:
        path.write_text(text)


@ANY
@given(data=st.data())
def test_bytes_are_changed(path: Path, data: st.DataObject) -> None:
    content = path.read_bytes()
    start = data.draw(st.integers(0, len(content)))
    stop = data.draw(st.integers(start, min(len(content), start + 20)))
    try:
        path.write_bytes(content[:start] + data.draw(st.binary(max_size=8)) + content[stop:])
        taken_or_refused(path)
        path.write_bytes(data.draw(st.binary()))
        taken_or_refused(path)
    finally:
        path.write_bytes(content)


# Interrupted by the keyboard


@pytest.mark.usefixtures("interruptible")
@pytest.mark.skipif(os.name != "posix", reason="sends a signal")
@pytest.mark.parametrize("workers", [1, 2])
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
    goes_on(path, search_three_tenths())


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
