"""Calls of one function on many chunks, by any workers. The results come in order, even if workers are lost."""

from __future__ import annotations

import functools
import itertools
import multiprocessing
import os
import pickle
import queue
import signal
import threading
import time
import traceback
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from concurrent.futures import CancelledError, Executor, Future, ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial
from types import TracebackType
from typing import Any, NamedTuple, Self, TypeAlias, TypeVar, cast

from fstheory._support.exact import as_index
from fstheory._support.journal import Journal, Resume
from fstheory._support.progress import Clock, Progress
from fstheory.errors import InvalidTypeError, LostWorkerError, explain, require_type, show

Workers: TypeAlias = "int | Executor | Callable[[], Executor] | None"
"""The workers: this process (None or 1), a number of local processes, an executor, or a function that makes one."""

C = TypeVar("C")
R = TypeVar("R")

_ATTEMPTS = 5  # how often a chunk may be lost with its worker
_AHEAD = 3.0, 0.1  # more chunks are submitted while one returns within this many durations plus seconds
_FIRST = 4  # the number of chunks that are submitted at first
_GROUP = 1.0  # seconds of work in a group of chunks whose results are added up
_START_AFTER = 1.0  # seconds of work in this process before others start: importing fstheory takes as long
_LOOK_EVERY = 0.5  # seconds between the checks of a worker whether its parent has ended
_REPAIR = "pass 4, say, or Client.get_executor() of Dask"


def map_chunks(function: Callable[[C], R], chunks: Iterable[C], *, executor: Workers = None) -> Iterator[R]:
    """Yield ``function(chunk)`` for each chunk, in the order of the chunks. See `Crew`."""
    with Crew(executor) as crew:
        yield from crew.map(function, chunks)


class Run(NamedTuple):
    """The journal of a call, the clock that reports its progress, and its workers."""

    journal: Journal
    clock: Clock
    crew: Crew

    def total(self, step: str, function: Callable[[C], R], chunks: Iterable[C], tell: Callable[[int], object]) -> R:
        """Return the sum of the results of a function on chunks. Results are numbers, or counts of tuples.

        Chunks whose sum is in the journal are skipped. A worker adds up a group of chunks, of about a second, so that
        the calling process does little for each worker. `tell` is called with the number of chunks that are done. An
        interrupt loses only the groups that are not added yet.
        """
        first, noted = self.journal.get(step, (0, None))
        found: Any = int(noted, 16) if isinstance(noted, str) else noted and Counter({(*k,): n for *k, n in noted})
        done, together, is_whole, left = first, 1, True, itertools.islice(chunks, first, None)
        groups = iter(lambda: tuple(itertools.islice(left, together)), ())
        try:
            for number, seconds, part in self.crew.map(partial(_sum_of, function), groups):
                if done > first:
                    self.journal.offer((step, partial(_written, done, found)))
                together = max(1, min(2 * number, int(number * _GROUP / seconds))) if seconds else 2 * number
                is_whole = False
                found, done = part if found is None else _added(found, part), done + number
                is_whole = True
                tell(done)
        finally:
            if done > first and is_whole:  # else an interrupt left it half added
                self.journal.offer((step, partial(_written, done, found)), last=True)
        return cast(R, found)


def _sum_of(function: Callable[[C], R], group: Iterable[C]) -> tuple[int, float, R]:
    """Return the number of chunks of a group, the seconds that they took, and the sum of their results."""
    start, (first, *others) = time.monotonic(), group
    found = functools.reduce(_added, map(function, others), function(first))
    return 1 + len(others), time.monotonic() - start, found


def _added(found: Any, part: Any) -> Any:
    """Return the sum of two results. A count grows in place: a copy would take as long as all that was counted."""
    if isinstance(found, Counter):
        found.update(part)
        return found
    return found + part


def _written(done: int, found: Any) -> tuple[int, Any]:
    """Return a sum in a form for the journal. Numbers are hexadecimal, because decimal digits could be too many."""
    return done, hex(found) if isinstance(found, int) else [[*key, times] for key, times in sorted(found.items())]


@contextmanager
def running(
    about: str, options: Mapping[str, Any], executor: Workers, resume: Resume, progress: Progress, every: float = 1.0
) -> Iterator[Run]:
    """Enter the journal, the clock and the workers of a call. The options are part of its fingerprint."""
    with (
        Crew(executor) as crew,
        Clock(None, progress, every=every) as clock,
        Journal(resume, about, options) as journal,
    ):
        yield Run(journal, clock, crew)


class Crew:
    """The workers of a call: this process alone, local processes, threads or a cluster.

    The results come in the order of the chunks. So a caller that merges them from left to right gets the same answer,
    byte for byte, with any workers. A chunk that is lost with its worker is submitted again. Chunks are generated only
    when there is room for them, so a chunk may depend on earlier results. Chunks that wait are canceled if the results
    are no longer needed.

    Threads share functions and chunks. For all other workers, both are pickled by cloudpickle. If a number of processes
    is given, they start only after some work was done in this process.
    """

    def __init__(self, executor: Workers = None, start_after: float = _START_AFTER) -> None:
        self._left, self._is_local, self._leaves_work = 0.0, False, False
        self._made: Executor | None = None  # made here, so closed here, and made again if it breaks
        self._given: Executor | None = None
        self._make: Callable[[], Executor] | None = None
        if isinstance(executor, Executor):
            self._given = executor
        elif callable(executor):
            self._make = executor
        elif executor is not None:
            needed = "a number of processes, an executor, or a function that makes one"
            if isinstance(executor, bool) or not hasattr(executor, "__index__"):
                raise InvalidTypeError(explain("executor", needed, executor, _REPAIR))
            count = as_index(executor, "executor", at_least=1)
            if count > 1:
                self._make, self._left, self._is_local = partial(_processes, count), start_after, True

    def map(
        self, function: Callable[[C], R], chunks: Iterable[C], note: Callable[[C, R], object] = lambda *_: None
    ) -> Iterator[R]:
        """Yield ``function(chunk)`` for each chunk in order, or raise its error.

        `note` is called with each chunk and result as soon as the chunk is done.
        """
        source, is_alone = iter(chunks), self._make is None and self._given is None
        while is_alone or self._left > 0:
            for chunk in itertools.islice(source, 1):
                start = time.monotonic()
                result = function(chunk)
                self._left -= time.monotonic() - start
                note(chunk, result)
                yield result
                break
            else:
                return
        with _Batch(self, function) as batch:
            ready: dict[int, tuple[BaseException | None, R]] = {}
            asked = given = 0
            while True:
                for chunk in itertools.islice(source, max(0, batch.window - (asked - given))):
                    batch.submit(asked, chunk)
                    asked += 1
                if given == asked:
                    return
                while given not in ready:
                    number, chunk, raised, found = batch.next()
                    if raised is None:
                        note(chunk, found)
                    ready[number] = raised, found
                raised, found = ready.pop(given)
                if raised is not None:
                    raise raised
                yield found
                given += 1

    def executor(self, *, anew: bool = False) -> Executor:
        """Return the executor. It is made if necessary, or made again if it broke."""
        if self._given is not None:
            return self._given
        assert self._make is not None
        if anew:
            self._close()
        if self._made is None:
            self._made = require_type(self._make(), Executor, "executor", "a function that makes an executor", _REPAIR)
        return self._made

    def leave(self, futures: Collection[Future[Any]]) -> None:
        """Cancel the chunks that wait.

        Local processes are killed at the end instead, because loky fails at doing both.
        """
        self._leaves_work = self._leaves_work or bool(futures)
        for future in () if self._is_local else futures:
            future.cancel()

    def _close(self, *, kill: bool = False) -> None:
        made, self._made = self._made, None
        if made is not None:
            how: dict[str, Any] = {"kill_workers": kill} if self._is_local else {"cancel_futures": True}
            made.shutdown(wait=False, **how)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: object, trace: TracebackType | None) -> None:
        self._close(kill=kind is not None or self._leaves_work)


class _Batch:
    """The chunks of one function that are submitted and not yet done."""

    def __init__(self, crew: Crew, function: Callable[[Any], Any]) -> None:
        self._crew, self.window = crew, _FIRST
        self._here = isinstance(crew.executor(), ThreadPoolExecutor)
        self._function = function
        self._payload = b"" if self._here else _pickled(function)
        self._chunks: dict[int, tuple[Any, int]] = {}  # by number: the chunk, and how often it was lost
        self._begun: dict[Future[Any], tuple[int, float]] = {}
        self._done: queue.SimpleQueue[Future[Any]] = queue.SimpleQueue()

    def submit(self, number: int, chunk: Any, lost: int = 0) -> None:
        self._chunks[number] = chunk, lost
        call: Any = (_timed, self._function, chunk) if self._here else (_run, self._payload, _pickled(chunk), lost)
        try:
            future = self._crew.executor().submit(*call)
        except RuntimeError as error:  # the executor broke, or somebody else shut it down
            if self._crew._make is None:
                repair = f"pass another one, or a function that makes it ({error})"
                raise LostWorkerError(explain("executor", "open", self._crew.executor(), repair)) from error
            future = self._crew.executor(anew=True).submit(*call)
        self._begun[future] = number, time.monotonic()
        future.add_done_callback(self._done.put)

    def next(self) -> tuple[int, Any, BaseException | None, Any]:
        """Return the number of a chunk that is done, the chunk, the error that it raised, and its result."""
        while True:
            future = self._done.get()
            number, start = self._begun.pop(future)
            chunk, lost = self._chunks.pop(number)
            # An error of the function is part of the result. An error of the future means that its worker was lost.
            error = CancelledError() if future.cancelled() else future.exception()
            if error is None:
                seconds, raised, result = future.result() if self._here else pickle.loads(future.result())
                if time.monotonic() - start < _AHEAD[0] * seconds + _AHEAD[1]:  # it hardly waited: workers may be idle
                    self.window += 1
                return number, chunk, raised, result
            if lost + 1 >= _ATTEMPTS:
                last = f"{type(error).__name__}: {error}".partition("\n")[0].rstrip(" .:")
                needed = f"able to finish {show(chunk)}, which was lost {_ATTEMPTS} times, the last by {last}"
                repair = "start workers if none are left, else find out what ends them, such as a lack of memory"
                raise LostWorkerError(explain("executor", needed, self._crew.executor(), repair)) from error
            self.window = _FIRST  # waiting chunks may be lost too
            self.submit(number, chunk, lost + 1)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._crew.leave(self._begun)


def _timed(function: Callable[[Any], Any], chunk: Any) -> tuple[float, BaseException | None, Any]:
    """Return the seconds that a chunk took, the error that it raised, and its result."""
    start = time.monotonic()
    result, raised = None, None
    try:
        result = function(chunk)
    except Exception as error:  # noqa: BLE001 (it is raised again in the process of the call)
        error.add_note(f"in a worker:\n{traceback.format_exc()}")
        raised = error
    return time.monotonic() - start, raised, result


def _run(payload: bytes, chunk: bytes, _lost: int) -> bytes:
    """Call `_timed` in another process and return its result as bytes.

    `_lost` makes each attempt a different task, because Dask does not repeat an equal one.
    """
    seconds, raised, result = _timed(lambda part: _function(payload)(pickle.loads(part)), chunk)
    try:
        return _pickled((seconds, raised, result))
    except Exception as error:  # noqa: BLE001 (a result that cannot be pickled is an error of the function)
        return _pickled((seconds, TypeError(f"the result of a worker cannot be sent: {error}"), None))


@functools.lru_cache(maxsize=4)
def _function(payload: bytes) -> Callable[[Any], Any]:
    """Return the function of a payload. It is unpickled once in a process, so its compiled code and tables are kept."""
    return cast("Callable[[Any], Any]", pickle.loads(payload))


def _pickled(value: object) -> bytes:
    from cloudpickle import dumps  # it also pickles functions of a notebook

    return cast(bytes, dumps(value))


def _processes(count: int) -> Executor:
    """Return an executor with `count` local processes. They need no ``__main__`` guard."""
    from loky import ProcessPoolExecutor

    return cast(Executor, ProcessPoolExecutor(count, initializer=_begin_worker))


def _begin_worker() -> None:
    """Set a worker up: it ignores interrupts, which its parent handles, and ends when its parent has ended."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    """Wait until the parent process has ended or was killed, and then end this process at once.

    A worker that waits for work would not notice the end of its parent. It would keep open the pipes that it shares
    with its parent.
    """
    parent = cast(Any, multiprocessing.parent_process())
    if os.name == "nt":  # on Windows getppid() never changes; elsewhere loky has no sentinel to wait for
        parent.join()
    while os.name != "nt" and os.getppid() == parent.pid:
        time.sleep(_LOOK_EVERY)
    os._exit(1)
