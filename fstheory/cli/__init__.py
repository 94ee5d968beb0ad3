"""The command line. Every command is one call of the library, and bad input gives one line on stderr."""

import os
import signal
import sys
import threading
from collections.abc import Sequence
from typing import Any, Self


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command and return its exit status, as `fstheory.cli.entry.main` does.

    Ctrl-C or SIGTERM ends the command quietly, even while libraries are loaded.
    """
    with _Interrupts() as interrupts:
        status = _status(argv, interrupts)
    if status in (130, 143) and argv is None:  # a second Ctrl-C ends Python at once while it waits for threads
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        exec("")  # after an interrupt inside exec(), `python -m` would end by SIGINT; this resets it
    return status


class _Interrupts:
    """A context in which no interrupt is lost, and an interrupted library prints no error of its own.

    SIGTERM interrupts like Ctrl-C, unless the calling program handles or ignores it. `status` is the exit status that
    a shell reports for the signal, and 0 before any signal.

    Without this context an interrupt can be lost. Z3 is called by ctypes, which turns an interrupt into an error of its
    own. So does NumPy while it is loaded. In a destructor, Python only prints an interrupt.
    """

    def __init__(self) -> None:
        self.status, self._is_lost = 0, False
        self._hook = sys.unraisablehook
        usual = {signal.SIGINT: signal.default_int_handler, signal.SIGTERM: signal.SIG_DFL}
        self._handlers = {number: handler for number, handler in usual.items() if signal.getsignal(number) is handler}

    def __enter__(self) -> Self:
        sys.unraisablehook = self._unraisable
        if threading.current_thread() is threading.main_thread():
            for number in self._handlers:
                signal.signal(number, self._interrupt)
        return self

    def __exit__(self, *_: object) -> None:
        sys.unraisablehook, self._is_lost = self._hook, False
        for number, handler in self._handlers.items():
            if signal.getsignal(number) == self._interrupt:
                signal.signal(number, handler)

    def _interrupt(self, number: int, _: object) -> None:
        # The command `timeout` sends SIGTERM twice: the second one must not break off the orderly end.
        if number != signal.SIGTERM or self._is_lost or not self.status:
            self.status, self._is_lost = 128 + number, False
            raise KeyboardInterrupt

    def _unraisable(self, what: Any) -> None:
        if isinstance(what.exc_value, KeyboardInterrupt):  # send it again, but later: in here it would be lost again
            self._is_lost = True
            again = threading.Timer(0.01, self._repeat)
            again.daemon = True
            try:
                again.start()
            except KeyboardInterrupt:  # on a busy machine it arrives before this thread has returned from `start`
                self._unraisable(what)
        elif not self.status:
            self._hook(what)

    def _repeat(self) -> None:
        """Send the signal again, unless another signal has arrived or the command has ended."""
        if self._is_lost:
            os.kill(os.getpid(), self.status - 128 if self.status else signal.SIGINT)


def _status(argv: Sequence[str] | None, interrupts: _Interrupts) -> int:
    try:
        from fstheory.cli.entry import main as run
    except KeyboardInterrupt:
        return interrupts.status or 130
    except ImportError:
        if interrupts.status:
            return interrupts.status
        raise
    return run(argv, lambda: interrupts.status)
