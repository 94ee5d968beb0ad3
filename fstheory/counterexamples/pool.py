"""Work done one piece after the other, or by several processes at once; the answers come in order."""

from __future__ import annotations

import contextlib
import pickle
import queue
import signal
import subprocess
import sys
from collections import deque
from collections.abc import Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from types import TracebackType
from typing import BinaryIO, Self

from fstheory.counterexamples.target import Ground, Outcome, Piece, Target

__all__ = ["Pool", "main", "serve"]

_AHEAD = 3  # pieces that wait for each process, so that none is idle
_WORTH = 1.0  # seconds of work after which processes are worth starting: they take about as long to import fstheory
# Not `multiprocessing`: what it spawns imports the program that asks, which ends badly without a `__main__` guard.
_PROGRAM = """
import sys
if sys.argv[1] not in sys.path:
    sys.path.insert(0, sys.argv[1])
from fstheory.counterexamples.pool import main
main()
"""


def main() -> None:
    """Serve standard input until it ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # an interrupt is for the process that started this one
    serve(sys.stdin.buffer, sys.stdout.buffer)


def serve(source: BinaryIO, out: BinaryIO) -> None:
    """Answer every piece of work in a stream; statements, with their symmetries, stand before their pieces."""
    target: Ground | None = None
    with contextlib.suppress(EOFError):
        while True:
            message = pickle.load(source)
            if isinstance(message, Piece):
                assert target is not None
                pickle.dump(target.search(message), out)
                out.flush()
            else:
                target = Ground(*message)


class Pool:
    """The processes that search for counterexamples."""

    def __init__(self, workers: int = 1) -> None:
        self._workers = workers if sys.executable else 1
        self._processes: list[_Process] = []
        self._idle: queue.SimpleQueue[_Process] = queue.SimpleQueue()
        self._threads: ThreadPoolExecutor | None = None
        self._seconds = 0.0
        self._closing = False

    def run(self, target: Target, pieces: Iterable[Piece]) -> Iterator[tuple[Piece, Outcome]]:
        """Yield each piece with what was found in it, in order."""
        source = iter(pieces)
        together = self._workers > 1 and isinstance(target, Ground)
        while not (together and self._seconds >= _WORTH):
            piece = next(source, None)
            if piece is None:
                return
            outcome = target.search(piece)
            self._seconds += outcome.seconds
            yield piece, outcome
        assert isinstance(target, Ground)
        yield from self._together(target, source)

    def _together(self, target: Ground, source: Iterator[Piece]) -> Iterator[tuple[Piece, Outcome]]:
        if self._threads is None:
            self._threads = ThreadPoolExecutor(self._workers)
            self._processes = [_Process() for _ in range(self._workers)]
            for process in self._processes:
                self._idle.put(process)
        waiting: deque[tuple[Piece, Future[Outcome]]] = deque()
        for piece in source:
            waiting.append((piece, self._threads.submit(self._search, target, piece)))
            if len(waiting) > _AHEAD * self._workers:
                piece, future = waiting.popleft()
                yield piece, future.result()
        for piece, future in waiting:
            yield piece, future.result()

    def _search(self, target: Ground, piece: Piece) -> Outcome:
        process = self._idle.get()
        try:
            outcome = process.search(target, piece)
        finally:
            self._idle.put(process)
        if outcome is None and not self._closing:  # the process is gone: its piece is done here, or fails here
            outcome = target.search(piece)
        return outcome or Outcome(None, 0)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._closing = True
        for process in self._processes:
            process.kill()
        if self._threads is not None:
            self._threads.shutdown(cancel_futures=True)
        for process in self._processes:
            process.close()


class _Process:
    """One process, and the target that it was told last."""

    def __init__(self) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-c", _PROGRAM, str(Path(__file__).resolve().parents[2])],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        self._target: Ground | None = None
        self.kill = self._process.kill

    def search(self, target: Ground, piece: Piece) -> Outcome | None:
        """Return what is in a piece; None if the process is gone."""
        source, out = self._process.stdin, self._process.stdout
        assert source is not None
        assert out is not None
        try:
            if target is not self._target:
                pickle.dump((target.statement, target.moves), source)
                self._target = target
            pickle.dump(piece, source)
            source.flush()
            outcome: Outcome = pickle.load(out)
        except (OSError, EOFError, pickle.UnpicklingError):
            return None
        return outcome

    def close(self) -> None:
        """Let go of what belongs to it."""
        for stream in (self._process.stdin, self._process.stdout):
            assert stream is not None
            with contextlib.suppress(OSError):  # what was still to be written no longer matters
                stream.close()
        self._process.wait()
