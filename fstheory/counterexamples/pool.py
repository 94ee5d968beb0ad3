"""Work done one piece after the other, or by several processes at once; the answers come in order."""

from __future__ import annotations

import contextlib
import itertools
import pickle
import signal
import subprocess
import sys
from collections import deque
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import BinaryIO, Self

from fstheory.counterexamples.target import BUDGET, Ground, Outcome, Piece, Target

__all__ = ["Pool", "main", "serve"]

_AHEAD = 3  # pieces that wait for each process, so that none is idle; their answers fit a pipe
# Not `multiprocessing` or `concurrent.futures`: "spawn" and "forkserver" import the program that asks, which ends badly
# without a `__main__` guard, and "fork" copies a process in the middle of what the threads of NumPy and Z3 are doing.
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
            if isinstance(message, Ground):
                target = message
            else:
                assert target is not None
                pickle.dump(target.search(message), out)
                out.flush()


class Pool:
    """The processes that search for counterexamples; they start after `worth` seconds of work."""

    def __init__(self, workers: int = 1, worth: float = BUDGET.worth) -> None:
        self._workers = workers if sys.executable else 1
        self._left = worth
        self._processes: list[subprocess.Popen[bytes]] = []
        self._told: Target | None = None  # what they were told last

    def run(self, target: Target, pieces: Iterable[Piece]) -> Iterator[tuple[Piece, Outcome]]:
        """Yield each piece with what was found in it, in order."""
        source = iter(pieces)
        together = self._workers > 1 and isinstance(target, Ground)
        while not (together and self._left <= 0):
            piece = next(source, None)
            if piece is None:
                return
            outcome = target.search(piece)
            self._left -= outcome.seconds
            yield piece, outcome
        yield from self._together(target, source)

    def _together(self, target: Target, source: Iterator[Piece]) -> Iterator[tuple[Piece, Outcome]]:
        """Deal the pieces out in turn, and collect the outcomes in turn; if a process is gone, do its pieces here."""
        while len(self._processes) < self._workers:
            command = [sys.executable, "-P", "-c", _PROGRAM, str(Path(__file__).resolve().parents[2])]
            pipe = subprocess.PIPE
            self._processes.append(subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=subprocess.DEVNULL))
        if target is not self._told:
            for process in self._processes:
                _send(process, target)
            self._told = target
        waiting: deque[tuple[Piece, subprocess.Popen[bytes]]] = deque()
        for piece, process in zip(source, itertools.cycle(self._processes), strict=False):
            _send(process, piece)
            waiting.append((piece, process))
            if len(waiting) > _AHEAD * self._workers:
                piece, process = waiting.popleft()
                yield piece, _received(process) or target.search(piece)
        for piece, process in waiting:
            yield piece, _received(process) or target.search(piece)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        for process in self._processes:
            process.kill()
        for process in self._processes:
            with contextlib.suppress(OSError), process:  # what was still to be written no longer matters
                pass


def _send(process: subprocess.Popen[bytes], message: Target | Piece) -> None:
    assert process.stdin is not None
    with contextlib.suppress(OSError):
        pickle.dump(message, process.stdin)
        process.stdin.flush()


def _received(process: subprocess.Popen[bytes]) -> Outcome | None:
    assert process.stdout is not None
    with contextlib.suppress(OSError, EOFError, pickle.UnpicklingError):
        outcome: Outcome = pickle.load(process.stdout)
        return outcome
    return None
