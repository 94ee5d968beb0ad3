"""Searches that are interrupted, or killed, go on where they stopped, and come to the same end."""

from __future__ import annotations

import hashlib
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from fstheory.counterexamples import journal, shape_search, target
from fstheory.counterexamples.refute import refute
from fstheory.errors import InvalidFormatError, InvalidValueError
from fstheory.logic import Claim, Formula, Model, NotRefuted, Refuted, claim
from tests.house import source


@claim
def no_three_tenths(m: Model, i: str) -> Formula:
    """False from total 10 on, beyond linear arithmetic, so that all totals are looked at."""
    return m.risk(i) * m.risk(i) != "9/100"


@claim
def total_below_five(m: Model) -> bool:
    return m.distribution.total < 5


OPTIONS: dict[str, Any] = {"cardinalities": (2, 2), "classes": 2, "max_total": 10}


@pytest.fixture
def in_small_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(target, "BATCH", 128)
    monkeypatch.setattr(shape_search, "_LEAST", 256)
    monkeypatch.setattr(shape_search, "_SECONDS", 0.0)
    monkeypatch.setattr(journal, "_SECONDS", 0.0)  # every piece of work is written down


def goes_on(path: Path, expected: object) -> None:
    """What the file tells of is named, and the rest of the answer is the same."""
    verdict = refute(no_three_tenths, resume=path, **OPTIONS)
    assert isinstance(verdict, Refuted)
    assert isinstance(expected, Refuted)
    assert verdict.minimality.startswith("proved, if the journal is right: all smaller ones of 2 x 2 states, 2 classes")
    assert "of an earlier run, as the journal says: totals up to" in verdict.minimality
    assert replace(verdict, minimality=expected.minimality) == expected


def edit(path: Path, change: Callable[[Any], object]) -> None:
    """Edit a file as somebody would who knows about the digest."""
    content = json.loads(path.read_text())
    change(content)
    content.pop("digest")
    content["digest"] = hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()[:16]
    path.write_text(json.dumps(content))


class Interrupt(Exception):
    """As if a person had pressed a key."""


def interrupted(path: Path, after: int, monkeypatch: pytest.MonkeyPatch, error: type[BaseException]) -> None:
    """Search until so many steps were noted."""
    original, noted = journal.Journal.put, []

    def put(self: journal.Journal, step: str, result: object) -> None:
        original(self, step, result)
        noted.append(step)
        if len(noted) == after:
            raise error

    with monkeypatch.context() as patch:
        patch.setattr(journal.Journal, "put", put)
        with pytest.raises(error):
            refute(no_three_tenths, resume=path, **OPTIONS)


@pytest.mark.usefixtures("in_small_steps")
@pytest.mark.parametrize("error", [KeyboardInterrupt, Interrupt])
def test_an_interrupted_search_goes_on(
    error: type[BaseException], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = refute(no_three_tenths, **OPTIONS)
    assert isinstance(expected, Refuted)
    path = tmp_path / "search.json"
    for _ in range(3):
        interrupted(path, 40, monkeypatch, error)
    done = json.loads(path.read_text())["done"]
    assert 0 < done["2 x 2 states, 2 classes, total 10"]["next"] < 19448
    looked_at: list[int] = []
    original = target.Target.search

    def search(self: target.Target, piece: target.Piece) -> target.Outcome:
        looked_at.append(piece.total)
        return original(self, piece)

    monkeypatch.setattr(target.Target, "search", search)
    goes_on(path, expected)
    assert set(looked_at) == {10}  # nothing is done twice
    looked_at.clear()
    goes_on(path, expected)
    assert looked_at == []


@pytest.mark.usefixtures("in_small_steps")
def test_searches_in_slices_of_time_come_to_the_same_end(tmp_path: Path) -> None:
    expected = refute(no_three_tenths, **OPTIONS)
    path = tmp_path / "search.json"
    for _ in range(1000):
        verdict = refute(no_three_tenths, resume=path, time_limit=0.05, **OPTIONS)
        if isinstance(verdict, Refuted):
            assert replace(verdict, minimality=expected.minimality) == expected  # type: ignore[union-attr]
            return
        assert verdict.searched.endswith("stopped at the time limit")
    pytest.fail("the search does not end")


def test_a_counterexample_is_kept_when_the_time_is_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The least of its total may be still to come, so the search has no answer yet."""
    monkeypatch.setattr(target, "BATCH", 64)
    path = tmp_path / "search.json"
    expected = refute(no_three_tenths, resume=path, **OPTIONS)
    assert expected.minimality.startswith("proved: ")  # type: ignore[union-attr]

    def part(content: Any) -> None:
        content["done"]["2 x 2 states, 2 classes, total 10"]["next"] = 1024

    edit(path, part)
    goes_on(path, expected)


PROGRAM = """
from fstheory.counterexamples.refute import refute
from tests.counterexamples.test_refute_resume import OPTIONS, no_three_tenths
from fstheory.counterexamples import pool, shape_search, target
target.BATCH = shape_search._LEAST = 16
shape_search._SECONDS = pool._WORTH = 0.001
refute(no_three_tenths, resume={path!r}, workers={workers}, **OPTIONS)
"""


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="needs a signal that cannot be caught")
@pytest.mark.parametrize("workers", [1, 2])
def test_a_killed_search_goes_on(workers: int, tmp_path: Path) -> None:
    expected = refute(no_three_tenths, **OPTIONS)
    path = tmp_path / "search.json"
    program = PROGRAM.format(path=str(path), workers=workers)
    process = subprocess.Popen([sys.executable, "-c", program], cwd=source.ROOT)
    deadline = time.monotonic() + 60
    while not path.exists() and process.poll() is None and time.monotonic() < deadline:
        time.sleep(0.02)
    process.send_signal(signal.SIGKILL)
    process.wait()
    assert path.exists()
    assert json.loads(path.read_text())["done"]
    goes_on(path, expected)
    assert sorted(tmp_path.iterdir()) == [path] or all(p.name.endswith(".tmp") for p in tmp_path.iterdir() if p != path)


INTERRUPTED = """
import os, signal, threading
from fstheory.ledger import claims
from fstheory.logic import Shape
from fstheory.proofs.solvers import Clock
from fstheory.counterexamples.solver import WeightSolver
solver = WeightSolver(claims["PN-7"].claim.statement(Shape((2, 2, 2), 4)), {total})
threading.Timer(1, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
try:
    solver.check({constraint})
except KeyboardInterrupt:
    print("interrupted")
"""


@pytest.mark.skipif(os.name != "posix", reason="sends a signal to itself")
@pytest.mark.parametrize(("total", "constraint"), [(None, ""), (60, "solver.cells[0] > 0")])
def test_an_interrupt_reaches_the_solver(total: int | None, constraint: str) -> None:
    """These questions take the solver minutes."""
    program = INTERRUPTED.format(total=total, constraint=constraint)
    answer = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True, cwd=source.ROOT
    )
    assert answer.stdout == "interrupted\n"


@pytest.mark.skipif(os.name != "posix", reason="counts the processes of /proc")
def test_the_processes_end_with_the_one_that_started_them(tmp_path: Path) -> None:
    if not Path("/proc/self/task").exists():
        pytest.skip("there is no /proc")
    path = tmp_path / "search.json"
    program = PROGRAM.format(path=str(path), workers=2)
    process = subprocess.Popen([sys.executable, "-c", program], cwd=source.ROOT)
    deadline = time.monotonic() + 60
    workers: list[int] = []
    while len(workers) < 2 and process.poll() is None and time.monotonic() < deadline:
        workers = children_of(process.pid)
    process.kill()
    process.wait()
    assert len(workers) == 2
    while any(Path(f"/proc/{pid}/cmdline").exists() and alive(pid) for pid in workers):
        assert time.monotonic() < deadline
        time.sleep(0.02)


def children_of(pid: int) -> list[int]:
    found = []
    for status in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = status.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if int(fields[1]) == pid:
            found.append(int(status.parent.name))
    return found


def alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


# Which search a file belongs to


def finished(path: Path) -> None:
    refute(no_three_tenths, resume=path, cardinalities=(2,), classes=2, max_total=3)


@pytest.mark.parametrize(
    "changes",
    [{"cardinalities": (2, 2)}, {"classes": 3}, {"max_total": 4}, {"seed": 1}, {"max_features": 2}],
    ids=lambda changes: next(iter(changes)),
)
def test_the_file_of_another_search_is_refused(changes: dict[str, Any], tmp_path: Path) -> None:
    path = tmp_path / "search.json"
    finished(path)
    before = path.read_text()
    options: dict[str, Any] = {"cardinalities": (2,), "classes": 2, "max_total": 3, **changes}
    with pytest.raises(InvalidValueError, match=f"it differs in {next(iter(changes))}"):
        refute(no_three_tenths, resume=path, **options)
    assert path.read_text() == before


def named(text: str, *, squared: bool) -> Claim:
    """Two claims of one name."""

    @claim(name="same name")
    def body(m: Model, i: str) -> Formula:
        return m.risk(i) * m.risk(i) != text if squared else m.risk(i) * m.risk(i) <= text

    return body


def test_the_file_of_another_claim_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "search.json"
    refute(named("9/100", squared=True), resume=path, max_total=3, max_features=1)
    for other in (named("1/100", squared=True), named("9/100", squared=False)):
        with pytest.raises(InvalidValueError, match="the claim was changed"):
            refute(other, resume=path, max_total=3, max_features=1)


def test_the_file_of_another_function_is_refused(tmp_path: Path) -> None:
    """A claim that cannot be spelled out is known by the code of its function."""
    path = tmp_path / "search.json"

    @claim(name="total_below_five")
    def another(m: Model) -> bool:
        return m.distribution.total < 6

    options: dict[str, Any] = {"cardinalities": (2,), "classes": 2, "max_total": 4}
    assert isinstance(refute(total_below_five, resume=path, **options), NotRefuted)
    assert isinstance(refute(total_below_five, resume=path, **options), NotRefuted)
    with pytest.raises(InvalidValueError, match="the claim was changed"):
        refute(another, resume=path, **options)


def test_a_file_of_a_later_version_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "search.json"
    finished(path)
    path.write_text(path.read_text().replace('"version": 2', '"version": 3'))
    with pytest.raises(InvalidFormatError, match="its version is 3"):
        finished(path)


def test_the_file_is_readable(tmp_path: Path) -> None:
    path = tmp_path / "search.json"
    finished(path)
    content = json.loads(path.read_text())
    assert content["search"]["claim"] == "no_three_tenths"
    assert content["done"]["2 states, 2 classes, total 3"] == {"next": 20, "best": None, "decided": 0}
