"""The entry point, and the one place where errors of the user become a line on stderr and an exit status."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Sequence

from fstheory.cli.answer import Answer
from fstheory.cli.parser import make_parser
from fstheory.errors import FSTheoryError

__all__ = ["main"]

_BAD_INPUT, _INTERRUPTED, _PIPE_CLOSED = 2, 130, 141  # the last two as a shell reports the signals


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command.

    Parameters
    ----------
    argv : sequence of str, optional
        The arguments after the program's name; those of this process if not given.

    Returns
    -------
    int
        The exit status: 0; of a command that gives a verdict 1 if it is that something is false, 3 if it is neither
        true nor false; 2 for bad input, which is told in one line on stderr; 130 if interrupted; 141 if the reader of
        a pipe went away.

    Raises
    ------
    SystemExit
        For ``--help`` and ``--version``, with status 0.

    Examples
    --------
    >>> main(["risks", "xor"])
    subset  Bayes risk R  rounded
    X1X2               0        0
    {}               1/2      0.5
    X1               1/2      0.5
    X2               1/2      0.5
    0
    """
    try:
        arguments = make_parser().parse_args(argv)
        answer: str | Answer = arguments.run(arguments)
        text, status = answer if isinstance(answer, Answer) else (answer, 0)
        _write(text)
    except KeyboardInterrupt:
        return _INTERRUPTED
    except BrokenPipeError:
        _abandon_stdout()
        return _PIPE_CLOSED
    except (FSTheoryError, OSError) as error:
        print("fstheory: error:", _one_line(error), file=sys.stderr)
        return _BAD_INPUT
    return status


def _write(text: str) -> None:
    """Write to stdout, all of it now: a full disk should be told here, not while Python shuts down."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        # JSON is UTF-8 whatever the locale; and a label that came from odd bytes should not stop the answer
        sys.stdout.reconfigure(encoding="utf-8", errors="backslashreplace")
    try:
        print(text, flush=True)
    except BrokenPipeError:
        raise
    except OSError:
        _abandon_stdout()
        raise


def _abandon_stdout() -> None:
    """Send what is still in the buffer nowhere; Python would try to write it again when it shuts down."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())
    os.close(nowhere)


def _one_line(error: Exception) -> str:
    if isinstance(error, OSError) and not isinstance(error, FSTheoryError):
        where = "" if error.filename is None else f": {error.filename!r}"
        text = f"{(error.strerror or str(error) or type(error).__name__).lower()}{where}"
    else:
        text = str(error)
    return " ".join(text.split())
