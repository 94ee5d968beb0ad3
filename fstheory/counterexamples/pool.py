"""Work done one piece after the other, or by several processes at once; the answers come in order."""

from __future__ import annotations

import contextlib
import json
import queue
import signal
import subprocess
import sys
from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from types import TracebackType
from typing import Any, Self, TextIO

from fstheory.counterexamples.target import Ground, Outcome, Piece, Target
from fstheory.logic.nodes import from_json, to_json
from fstheory.logic.statement import Named, Shape, Statement

__all__ = ["Crew", "dump_piece", "dump_target", "load_outcome", "main"]


def main() -> None:
    """Serve standard input until it ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # an interrupt is for the process that started this one
    serve(sys.stdin, sys.stdout)


def serve(source: TextIO, out: TextIO) -> None:
    """Answer every line of a stream."""
    target: Ground | None = None
    for line in source:
        message = json.loads(line)
        if "show" in message:
            target = _load_target(message)
            continue
        if target is None:
            raise AssertionError("a statement comes first")
        outcome = target.search(Piece(*message["piece"]))
        out.write(json.dumps([outcome.best, outcome.decided, outcome.seconds]) + "\n")
        out.flush()


def dump_target(target: Ground) -> str:
    """Write a target as a line."""
    statement = target.statement
    message = {
        "shape": [list(statement.shape.cardinalities), statement.shape.classes],
        "assume": [to_json(named.formula) for named in statement.assume],
        "show": [to_json(named.formula) for named in statement.show],
        "moves": target.moves,
    }
    return json.dumps(message) + "\n"


def dump_piece(piece: Piece) -> str:
    """Write a piece of work as a line."""
    return json.dumps({"piece": [piece.total, piece.start, piece.stop, piece.bound]}) + "\n"


def load_outcome(line: str) -> Outcome:
    """Read what was found."""
    best, decided, seconds = json.loads(line)
    return Outcome(None if best is None else (best[0], best[1]), decided, seconds)


def _load_target(message: Mapping[str, Any]) -> Ground:
    cardinalities, classes = message["shape"]
    assume, show = (
        tuple(Named("", (), from_json(formula)) for formula in message[part]) for part in ("assume", "show")
    )
    statement = Statement("", Shape(tuple(cardinalities), classes), assume, show)
    return Ground(statement, tuple(map(tuple, message["moves"])))


if __name__ == "__main__":
    main()


_AHEAD = 3  # pieces that wait for each process, so that none is idle
_WORTH = 1.0  # seconds of work after which processes are worth starting
_PROGRAM = """
import sys
if sys.argv[1] not in sys.path:
    sys.path.insert(0, sys.argv[1])
from fstheory.counterexamples.pool import main
main()
"""


class Crew:
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
        if self._workers > 1 and isinstance(target, Ground):
            if self._threads is None:
                yield from self._until_it_is_worth(target, source)
            if self._threads is not None:
                yield from self._together(target, source, self._threads)
                return
        for piece in source:
            yield piece, target.search(piece)

    def _until_it_is_worth(self, target: Target, source: Iterator[Piece]) -> Iterator[tuple[Piece, Outcome]]:
        """Work in this process for a while."""
        while self._seconds < _WORTH:
            piece = next(source, None)
            if piece is None:
                return
            outcome = target.search(piece)
            self._seconds += outcome.seconds
            yield piece, outcome
        self._start()

    def _together(
        self, target: Ground, source: Iterator[Piece], threads: ThreadPoolExecutor
    ) -> Iterator[tuple[Piece, Outcome]]:
        waiting: deque[tuple[Piece, Future[Outcome]]] = deque()
        for piece in source:
            waiting.append((piece, threads.submit(self._ask, target, piece)))
            if len(waiting) > _AHEAD * self._workers:
                piece, future = waiting.popleft()
                yield piece, future.result()
        for piece, future in waiting:
            yield piece, future.result()

    def _ask(self, target: Ground, piece: Piece) -> Outcome:
        process = self._idle.get()
        try:
            outcome = process.ask(target, piece)
        finally:
            self._idle.put(process)
        if outcome is None and not self._closing:  # the process is gone: its piece is done here, or fails here
            outcome = target.search(piece)
        return outcome or Outcome(None, 0)

    def _start(self) -> None:
        self._threads = ThreadPoolExecutor(self._workers)
        self._processes = [_Process() for _ in range(self._workers)]
        for process in self._processes:
            self._idle.put(process)

    def close(self) -> None:
        """End the processes."""
        self._closing = True
        for process in self._processes:
            process.kill()
        if self._threads is not None:
            self._threads.shutdown(cancel_futures=True)
        for process in self._processes:
            process.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


class _Process:
    """One process, and what it was told last."""

    def __init__(self) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-c", _PROGRAM, str(Path(__file__).resolve().parents[2])],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        self._target: Ground | None = None

    def ask(self, target: Ground, piece: Piece) -> Outcome | None:
        """Return what is in a piece; None if the process is gone."""
        source, out = self._process.stdin, self._process.stdout
        assert source is not None
        assert out is not None
        try:
            if target is not self._target:
                source.write(dump_target(target))
                self._target = target
            source.write(dump_piece(piece))
            source.flush()
            line = out.readline()
        except OSError:
            return None
        return load_outcome(line) if line.endswith("\n") else None

    def kill(self) -> None:
        """End the process."""
        self._process.kill()

    def close(self) -> None:
        """Let go of what belongs to it."""
        for stream in (self._process.stdin, self._process.stdout):
            assert stream is not None
            with contextlib.suppress(OSError):  # what was still to be written no longer matters
                stream.close()
        self._process.wait()
