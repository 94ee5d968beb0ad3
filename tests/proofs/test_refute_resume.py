"""Searches that are interrupted, or killed, go on where they stopped, and come to the same end."""

import hashlib
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from fstheory.errors import InvalidValueError
from fstheory.logic.claims import Claim, claim
from fstheory.logic.expressions import Formula
from fstheory.logic.language import Model
from fstheory.logic.verdict import NotRefuted, Refuted
from fstheory.proofs import enumeration, refutation
from fstheory.proofs.enumeration import Budget
from fstheory.proofs.refutation import refute
from tests.house import source
from tests.proofs.claims import no_three_tenths, search_three_tenths, total_below_five

IN_SMALL_STEPS = Budget(batch=128, piece=256, seconds=0.0, saved=0.0)  # every piece of work is written down


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


def interrupted(path: Path, after: int, monkeypatch: pytest.MonkeyPatch, error: type[BaseException]) -> None:
    """Search until so many steps were noted."""
    original, noted = refutation.SearchJournal.put, []

    def put(self: refutation.SearchJournal, step: str, result: object) -> None:
        original(self, step, result)
        noted.append(step)
        if len(noted) == after:
            raise error

    with monkeypatch.context() as patch:
        patch.setattr(refutation.SearchJournal, "put", put)
        with pytest.raises(error):
            search_three_tenths(IN_SMALL_STEPS, resume=path)


@pytest.mark.parametrize("error", [KeyboardInterrupt, ZeroDivisionError])
def test_an_interrupted_search_goes_on(error: type[BaseException], path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    expected = search_three_tenths()
    for _ in range(3):
        interrupted(path, 40, monkeypatch, error)
    done = json.loads(path.read_text())["done"]
    assert 0 < done["2 x 2 states, 2 classes, total 10"]["next"] < 19448
    looked_at: list[int] = []
    original = enumeration.Target.search

    def search(self: enumeration.Target, piece: enumeration.Piece) -> enumeration.Outcome:
        looked_at.append(piece.total)
        return original(self, piece)

    monkeypatch.setattr(enumeration.Target, "search", search)
    assert search_three_tenths(IN_SMALL_STEPS, resume=path) == expected
    assert set(looked_at) == {10}  # nothing is done twice
    looked_at.clear()
    assert search_three_tenths(IN_SMALL_STEPS, resume=path) == expected
    assert looked_at == []


def test_searches_in_slices_of_time_come_to_the_same_end(path: Path) -> None:
    expected = search_three_tenths()
    options: dict[str, Any] = {"cardinalities": (2, 2), "classes": 2, "max_total": 10}
    for _ in range(1000):
        verdict = refute(no_three_tenths, resume=path, time_limit=0.05, **options)
        if isinstance(verdict, Refuted):
            assert verdict == expected
            return
        assert verdict.searched.endswith("stopped at the time limit")
    pytest.fail("the search does not end")


def test_a_counterexample_is_kept_when_the_time_is_up(path: Path) -> None:
    """The least of its total may be still to come, so the search has no answer yet."""
    expected = search_three_tenths(Budget(batch=64), resume=path)
    edit(path, lambda content: content["done"]["2 x 2 states, 2 classes, total 10"].update(next=1024))
    assert search_three_tenths(Budget(batch=64), resume=path) == expected


PROGRAM = """
from fstheory.proofs.enumeration import Budget
from tests.proofs.claims import search_three_tenths
budget = Budget(batch=16, piece=16, seconds=0.001, start_after=0.001, saved=0.1)
search_three_tenths(budget, resume={path!r}, workers={workers})
"""


def started(path: Path, workers: int) -> subprocess.Popen[bytes]:
    program = PROGRAM.format(path=str(path), workers=workers)
    return subprocess.Popen([sys.executable, "-c", program], cwd=source.ROOT)


def wait(process: subprocess.Popen[bytes], done: Callable[[], object]) -> None:
    """Wait until something is done, or the process has ended, at most a minute."""
    deadline = time.monotonic() + 60
    while not done() and process.poll() is None and time.monotonic() < deadline:
        time.sleep(0.02)


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="needs a signal that cannot be caught")
@pytest.mark.parametrize("workers", [2, pytest.param(1, marks=pytest.mark.thorough)])
def test_a_killed_search_goes_on(workers: int, path: Path) -> None:
    process = started(path, workers)
    wait(process, path.exists)
    process.send_signal(signal.SIGKILL)
    process.wait()
    assert json.loads(path.read_text())["done"]
    assert search_three_tenths(resume=path) == search_three_tenths()
    assert all(left == path or left.name.endswith(".tmp") for left in path.parent.iterdir())


INTERRUPTED = """
import os, signal, threading
from fstheory.papers import claims
from fstheory.logic import Shape
from fstheory._support.progress import Clock
from fstheory.proofs.linear import Unknowns
from fstheory.proofs.solvers import Solver, WeightSolver
CLOCK = Clock(None, None)
statement = claims["PN-7"].claim.statement(Shape((2, 2, 2), 4))
threading.Timer(1, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
try:
    {question}
except KeyboardInterrupt:
    print("interrupted")
"""


@pytest.mark.usefixtures("interruptible")
@pytest.mark.skipif(os.name != "posix", reason="sends a signal to itself")
@pytest.mark.thorough
@pytest.mark.parametrize(
    "question",
    [
        "Solver(Unknowns(statement.shape)).counterexample(statement.assumed, ('and', *statement.shown), CLOCK)",
        "WeightSolver(statement, 60).found_up_to(60)",
    ],
)
def test_an_interrupt_reaches_the_solver(question: str) -> None:
    """These questions take the solver minutes."""
    command = [sys.executable, "-c", INTERRUPTED.format(question=question)]
    answer = subprocess.run(command, capture_output=True, text=True, check=True, cwd=source.ROOT)
    assert answer.stdout == "interrupted\n"


@pytest.mark.thorough
@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="counts the processes of /proc")
def test_the_processes_end_with_the_one_that_started_them(path: Path) -> None:
    process = started(path, workers=2)
    wait(process, lambda: list(running().values()).count(process.pid) == 2)
    workers = {number for number, parent in running().items() if parent == process.pid}
    process.kill()
    process.wait()
    assert len(workers) == 2
    deadline = time.monotonic() + 60
    while workers & set(running()):
        assert time.monotonic() < deadline
        time.sleep(0.02)


def running() -> dict[int, int]:
    """Return the processes that run, each with its parent."""
    found = {}
    for status in Path("/proc").glob("[0-9]*/stat"):
        try:
            state, parent = status.read_text().rpartition(")")[2].split()[:2]
        except OSError:
            continue
        if state != "Z":
            found[int(status.parent.name)] = int(parent)
    return found


# Which search a file belongs to

finish = partial(refute, no_three_tenths, cardinalities=(2,), classes=2, max_total=3)


@pytest.mark.parametrize(
    "changes",
    [{"cardinalities": (2, 2)}, {"max_total": 4}, {"seed": 1}],
    ids=lambda changes: next(iter(changes)),
)
def test_the_file_of_another_search_is_refused(changes: dict[str, Any], path: Path) -> None:
    finish(resume=path)
    before = path.read_text()
    with pytest.raises(InvalidValueError, match=f"it differs in {next(iter(changes))}"):
        finish(resume=path, **changes)
    assert path.read_text() == before


def named(text: str, *, squared: bool) -> Claim:
    """Return claims of one name; one that cannot be spelled out is known by the code of its function."""

    @claim(name="same name")
    def body(m: Model, i: str) -> Formula:
        return m.risk(i) * m.risk(i) != text if squared else m.risk(i) * m.risk(i) <= text

    return body


@claim(name="total_below_five")
def another_total(m: Model) -> bool:
    return m.distribution.total < 6


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (named("9/100", squared=True), named("1/100", squared=True)),
        (named("9/100", squared=True), named("9/100", squared=False)),
        (total_below_five, another_total),
    ],
)
def test_the_file_of_another_claim_is_refused(one: Claim, other: Claim, path: Path) -> None:
    options: dict[str, Any] = {"resume": path, "max_total": 3, "max_features": 1}
    assert isinstance(refute(one, **options), NotRefuted)
    assert isinstance(refute(one, **options), NotRefuted)
    with pytest.raises(InvalidValueError, match="the claim was changed"):
        refute(other, **options)


def test_the_file_is_readable(path: Path) -> None:
    finish(resume=path)
    content = json.loads(path.read_text())
    assert content["search"]["claim"] == "no_three_tenths"
    assert content["done"]["2 states, 2 classes, total 3"] == {"next": 20, "best": None, "decided": 0}
