"""Chunks worked on by anybody give what one process gives, in order, whatever happens to the workers."""

from __future__ import annotations

import operator
import os
import signal
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from fstheory._support import work
from fstheory._support.work import Crew, Workers, map_chunks
from fstheory.errors import InvalidTypeError, InvalidValueError, LostWorkerError
from tests.house import source
from tests.refusals import refusals


def square(number: int) -> int:
    return number * number


def spawned() -> Executor:
    return ProcessPoolExecutor(2, mp_context=get_context("spawn"))


MAKERS: dict[str, Callable[[], Workers]] = {
    "here": lambda: None,
    "one": lambda: 1,
    "threads": partial(ThreadPoolExecutor, 3),
    "a function": lambda: partial(ThreadPoolExecutor, 2),
    "loky": lambda: 2,
    "spawned": lambda: spawned,
}


@pytest.mark.one_in(3)
@pytest.mark.parametrize("maker", MAKERS)
def test_results_come_in_order(maker: str) -> None:
    """Also of a function of this test, and of one more function by the same workers."""
    with Crew(MAKERS[maker](), start_after=0) as crew:
        assert list(crew.map(lambda number: [number, os.getpid() * 0], range(50))) == [[n, 0] for n in range(50)]
        assert list(crew.map(square, iter([]))) == []
        assert list(crew.map(square, [3])) == [9]


class Backwards(Executor):
    """An executor that works once it has four chunks, the last first."""

    def __init__(self) -> None:
        self.waiting: list[tuple[Future[Any], Callable[[], Any]]] = []

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        future = _Heard(self)
        self.waiting.append((future, partial(fn, *args, **kwargs)))
        return future


class _Heard(Future[Any]):
    """A future that says when somebody waits for it."""

    def __init__(self, executor: Backwards) -> None:
        super().__init__()
        self.executor = executor

    def add_done_callback(self, fn: Callable[[Future[Any]], object]) -> None:
        super().add_done_callback(fn)
        if len(self.executor.waiting) == 4:
            while self.executor.waiting:
                future, work = self.executor.waiting.pop()
                future.set_result(work())


def test_what_is_done_first_is_noted_first_and_given_in_order() -> None:
    noted: list[tuple[int, int]] = []
    with Crew(Backwards()) as crew:
        found = list(crew.map(square, range(4), lambda *pair: noted.append(pair)))
    assert found == [0, 1, 4, 9]
    assert noted == [(3, 9), (2, 4), (1, 1), (0, 0)]
    with Crew(Backwards()) as crew, pytest.raises(ZeroDivisionError):  # of the first chunk that fails, not the last
        found.extend(crew.map(lambda n: 4 // (2 - n) if n < 3 else [4][n], range(4), lambda n, _: noted.append((n, n))))
    assert (noted[4:], found[4:]) == ([(1, 1), (0, 0)], [2, 4])


def test_a_worker_adds_up_chunks_for_about_a_second(monkeypatch: pytest.MonkeyPatch) -> None:
    """The groups grow until they take a second, and the sum grows in place, whatever was counted before."""
    passed, told, parts = 0.0, [0], list[Counter[tuple[int, ...]]]()

    def count(number: int) -> Counter[tuple[int, ...]]:
        nonlocal passed
        passed += 1 / 16
        parts.append(Counter([(number % 10,), (10,)]))
        return parts[-1]

    with work.running("test", {}, None, None, None) as run:
        monkeypatch.setattr(work, "time", SimpleNamespace(monotonic=lambda: passed))
        found = run.total("step", count, range(100), told.append)
    assert found is parts[0]
    assert found == {(10,): 100} | {(number,): 10 for number in range(10)}
    assert np.diff(told).tolist() == [1, 2, 4, 8, 16, 16, 16, 16, 16, 5]


def test_an_interrupt_while_a_count_grows_is_not_noted(tmp_path: Path) -> None:
    """The journal keeps the sum before, so that the next run counts nothing twice."""

    class Half(Counter[tuple[int, ...]]):
        def items(self) -> Any:
            yield (1,), 1
            raise KeyboardInterrupt

    def total(second: Counter[tuple[int, ...]]) -> Counter[tuple[int, ...]]:
        with work.running("test", {}, None, tmp_path / "journal", None) as run:
            return run.total("step", lambda number: second if number else Counter(whole), range(2), lambda _: None)

    whole = Counter[tuple[int, ...]]([(1,), (2,)])
    with pytest.raises(KeyboardInterrupt):
        total(Half(whole))
    assert total(whole) == {(1,): 2, (2,): 2}


def test_chunks_are_asked_for_as_there_is_room() -> None:
    """They may depend on what was found; what waits is canceled with the generator."""
    asked, executor = [], ThreadPoolExecutor(1)

    def chunks() -> Iterator[int]:
        for number in range(1000):
            asked.append(number)
            yield number

    results = map_chunks(square, chunks(), executor=executor)
    assert next(results) == 0
    assert len(asked) < 100
    results.close()  # type: ignore[attr-defined]
    assert executor.submit(square, 5).result(timeout=60) == 25


def dies_once(folder: str, number: int) -> int:
    """Kill the process that works on every seventh number, the first time."""
    mark = Path(folder, str(number))
    if number % 7 == 0 and not mark.exists():
        mark.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return square(number)


@pytest.mark.thorough
@pytest.mark.skipif(os.name != "posix", reason="kills its workers")
def test_what_is_lost_with_a_worker_is_given_again(tmp_path: Path) -> None:
    with Crew(2, start_after=0) as crew:
        found = list(crew.map(partial(dies_once, str(tmp_path)), range(1, 16)))
    assert found == list(map(square, range(1, 16)))
    assert {path.name for path in tmp_path.iterdir()} == {"7", "14"}


class Remembering(Executor):
    """As Dask: the same call again has the first answer. The first call for each chunk is lost."""

    def __init__(self) -> None:
        self.futures: dict[object, Future[Any]] = {}
        self.lost: set[bytes] = set()

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        if (fn, args) not in self.futures:
            future = self.futures[fn, args] = Future()
            if args[1] in self.lost:
                future.set_result(fn(*args))
            else:
                self.lost.add(args[1])
                future.set_exception(OSError("the worker is gone"))
        return self.futures[fn, args]


def test_what_is_lost_is_given_again_as_another_call() -> None:
    executor = Remembering()
    assert list(map_chunks(square, range(9), executor=executor)) == list(map(square, range(9)))
    assert (len(executor.lost), len(executor.futures)) == (9, 18)


@pytest.mark.thorough
@pytest.mark.skipif(os.name != "posix", reason="kills its workers")
def test_what_dask_gives_up_is_given_again(tmp_path: Path) -> None:
    """Where it does so at the first loss."""
    distributed, dask = pytest.importorskip("distributed"), pytest.importorskip("dask")
    options = {"threads_per_worker": 1, "dashboard_address": ":0", "silence_logs": 50}
    with (
        dask.config.set({"distributed.scheduler.allowed-failures": 0}),
        distributed.LocalCluster(n_workers=2, **options) as workers,
        distributed.Client(workers) as client,
    ):
        found = list(map_chunks(partial(dies_once, str(tmp_path)), range(1, 16), executor=client.get_executor()))
    assert found == list(map(square, range(1, 16)))


def test_an_interrupt_leaves_no_process_behind(monkeypatch: pytest.MonkeyPatch) -> None:
    """Although work is left that no process has begun; nor does a thread of the executor complain."""
    crew, parts, complaints = Crew(2, start_after=0), list[Any](), list[Any]()
    monkeypatch.setattr(threading, "excepthook", complaints.append)

    def interrupted() -> None:
        for number, _ in enumerate(crew.map(time.sleep, [0.0] * 6 + [3600.0] * 30)):
            if number == 5:
                executor: Any = crew.executor()
                parts.extend([executor._executor_manager_thread, *executor._processes.values()])
                raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt), crew:
        interrupted()
    for part in parts:  # the thread first, which waits for the processes
        part.join(60)
        assert not part.is_alive()
    assert not complaints


@pytest.mark.skipif(os.name != "posix", reason="kills a process")
def test_workers_end_with_the_process_that_asked() -> None:
    """Although it was killed, and tells them nothing: the pipe that all of them have is closed then."""
    program = (
        "from fstheory._support.work import Crew; import os, time\n"
        "for _ in Crew(2, start_after=0).map(time.sleep, [0.0] * 6):\n"
        "    print('at work', flush=True)\n"
        "time.sleep(3600)"
    )
    command = [sys.executable, "-c", program]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, cwd=source.ROOT) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"at work\n"
        process.kill()
        process.communicate(timeout=60)


class Losing(ThreadPoolExecutor):
    """An executor that loses whatever is given to it."""

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        future: Future[Any] = Future()
        future.set_exception(OSError("the worker is gone"))
        return future


def test_a_chunk_that_is_lost_five_times_is_named() -> None:
    with pytest.raises(LostWorkerError, match="41, which was lost 5 times, the last by OSError: the worker is gone"):
        list(map_chunks(square, [41], executor=Losing(1)))
    with ThreadPoolExecutor(1) as closed:
        pass
    with pytest.raises(LostWorkerError, match=r"executor must be open, not <.*>; pass another one, or a function that"):
        list(map_chunks(square, [41], executor=closed))


@pytest.mark.parametrize("maker", ["threads", "loky"])
def test_what_is_raised_says_where(maker: str) -> None:
    with Crew(MAKERS[maker](), start_after=0) as crew:
        with pytest.raises(ZeroDivisionError) as caught:
            list(crew.map(partial(operator.floordiv, 1), [1, 0, 1]))
        assert "in a worker:\nTraceback" in caught.value.__notes__[0]
        with pytest.raises(TypeError, match="result of a worker cannot be sent" if maker == "loky" else "not iterable"):
            list(map(list, crew.map(lambda _: threading.Lock(), [0])))  # type: ignore[arg-type]


def test_short_work_starts_no_process() -> None:
    def never() -> Executor:
        raise AssertionError

    crew = Crew(2)
    crew._make = never
    assert list(crew.map(square, range(9))) == list(map(square, range(9)))


test_bad_calls = refusals(
    [
        ("work(0)", InvalidValueError, "executor", "at least 1"),
        ("work(True)", InvalidTypeError, "executor", "a number of processes, an executor"),
        ("work('dask')", InvalidTypeError, "executor", "a number of processes, an executor"),
        ("work(lambda: 3)", InvalidTypeError, "executor", "a function that makes an executor"),
    ],
    {"work": lambda executor: list(map_chunks(square, range(3), executor=executor))},
)
