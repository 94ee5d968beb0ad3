"""The command line: every command is one call of the library, and bad input is one line on stderr."""

import os
import signal
import sys
import threading
from collections.abc import Sequence
from typing import Any, Self

__all__ = ["main"]


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command, as `fstheory.cli.entry.main` describes; Ctrl-C ends it quietly, also while libraries load."""
    with _Interrupts() as interrupts:
        status = _status(argv, interrupts)
    if status == 130 and argv is None:  # a second Ctrl-C, while Python waits for threads, ends the process at once
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    return status


class _Interrupts:
    """While it is open, no interrupt is lost, and what it breaks off inside a library does not complain.

    Z3 is called by ctypes, which makes an error of its own of an interrupt, as NumPy does while it is loaded; and in a
    destructor Python only prints it.
    """

    def __init__(self) -> None:
        self.caught = False
        self._hook, self._handler = sys.unraisablehook, signal.getsignal(signal.SIGINT)

    def __enter__(self) -> Self:
        sys.unraisablehook = self._unraisable
        if self._handler is signal.default_int_handler and threading.current_thread() is threading.main_thread():
            signal.signal(signal.SIGINT, self._interrupt)
        return self

    def __exit__(self, *_: object) -> None:
        sys.unraisablehook = self._hook
        if signal.getsignal(signal.SIGINT) == self._interrupt:
            signal.signal(signal.SIGINT, self._handler)

    def _interrupt(self, *_: object) -> None:
        self.caught = True
        raise KeyboardInterrupt

    def _unraisable(self, what: Any) -> None:
        if isinstance(what.exc_value, KeyboardInterrupt):  # again, but not in here, where it would be lost once more
            again = threading.Timer(0.01, os.kill, [os.getpid(), signal.SIGINT])
            again.daemon = True
            again.start()
        elif not self.caught:
            self._hook(what)


def _status(argv: Sequence[str] | None, interrupts: _Interrupts) -> int:
    try:
        from fstheory.cli.entry import main as run
    except KeyboardInterrupt:
        return 130
    except ImportError:
        if interrupts.caught:
            return 130
        raise
    return run(argv, lambda: interrupts.caught)
