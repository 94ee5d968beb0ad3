"""The entry point. It turns every error into one line on stderr and an exit status."""

from __future__ import annotations

import io
import os
import sys
import traceback
import warnings
from collections.abc import Callable, Sequence
from pathlib import Path

from fstheory.cli import answers, criteria, samples, statements  # noqa: F401 (importing them registers their commands)
from fstheory.cli.options import Answer, make_parser, parse, write_stderr
from fstheory.cli.repairs import in_options, suggestion
from fstheory.errors import ClaimError, FSTheoryError, InvalidValueError, OutputError, explain, show
from fstheory.lattice.subsets import escape

_BAD_INPUT, _FAULT = 2, 70  # 70 is the status of an internal error in sysexits.h
_LONGEST = 400  # characters of the name of a file in a message
_INTERRUPTED, _PIPE_CLOSED = 130, 141  # the statuses that a shell reports for the signals


def main(argv: Sequence[str] | None = None, interrupted: Callable[[], int] = lambda: 0) -> int:
    """Run one command and return its exit status.

    `interrupted` returns the exit status of an interrupt, or 0 if there was none. Errors after an interrupt are
    ignored.
    """
    try:
        with warnings.catch_warnings():
            warnings.showwarning = _write_warning  # type: ignore[assignment]
            return _run(sys.argv[1:] if argv is None else argv)
    except KeyboardInterrupt:
        return interrupted() or _INTERRUPTED
    except BrokenPipeError:
        _abandon_stdout()
        return _PIPE_CLOSED
    except Exception as error:  # noqa: BLE001 (no error may look like a verdict)
        return interrupted() or _failed(error)


def _failed(error: Exception) -> int:
    if isinstance(error, FSTheoryError | OSError):
        write_stderr(f"fstheory: error: {_one_line(error)}\n")
    elif isinstance(error, MemoryError):
        repair = "use fewer features or coarser states"
        write_stderr(f"fstheory: error: the answer must fit in memory, but does not; {repair}\n")
    else:
        _write_fault(error)
        return _FAULT
    return _BAD_INPUT


def _run(argv: Sequence[str]) -> int:
    for text in argv:
        if not _is_possible(text):
            raise InvalidValueError(explain("an argument", "text that the system can hold", text, "correct it"))
    if not argv:
        write_stderr(make_parser(()).format_help())
        return _BAD_INPUT
    try:
        arguments = parse(argv)
    except SystemExit:  # --help and --version end in this way
        if sys.stdout is not None:
            _flush()
        raise
    if sys.stdout is None:  # closed before the start
        raise OutputError("stdout must be open, not closed; send the answer to a file, or to /dev/null")
    try:
        answer: str | Answer = arguments.run(arguments)
    except FSTheoryError as error:
        raise FSTheoryError(in_options(error.message, arguments) + suggestion(error, arguments)) from error
    except BrokenPipeError:
        raise
    except OSError as error:
        raise FSTheoryError(in_options(_one_line(error), arguments)) from error
    except SystemExit as error:
        raise ClaimError("a claim must be stated by its function, which ended the process; drop the exit") from error
    text, status = answer if isinstance(answer, Answer) else (answer, 0)
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(encoding="utf-8")  # JSON is UTF-8 in every locale
    _flush(escape(text) + "\n")
    return status


def _write_warning(message: Warning | str, *_: object) -> None:
    """Write a warning of a library as one line, without the line of code that raised it."""
    write_stderr(f"fstheory: warning: {' '.join(str(message).split())}\n")


def _is_possible(argument: str) -> bool:
    """Return whether a shell can pass this argument. Bytes that are not UTF-8 arrive as surrogates."""
    try:
        return b"\0" not in os.fsencode(argument)
    except UnicodeEncodeError:
        return False


def _flush(text: str = "") -> None:
    """Write all text to stdout now, so that a full disk is reported here and not while Python shuts down."""
    try:
        print(text, end="", flush=True)
    except BrokenPipeError:
        raise
    except OSError:
        _abandon_stdout()
        raise


def _abandon_stdout() -> None:
    """Discard the buffer of stdout. Python would try to write it again when it shuts down."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())
    os.close(nowhere)


def _write_fault(error: Exception) -> None:
    if os.environ.get("FSTHEORY_TRACEBACK"):
        write_stderr("".join(traceback.format_exception(error)))
    *_, place = traceback.extract_tb(error.__traceback__)
    try:
        text = str(error)
    except Exception:  # noqa: BLE001 (even the text of the error raises one)
        text = "no message"
    where = f"{Path(place.filename).name}, line {place.lineno}"
    write_stderr(
        f"fstheory: internal error: {type(error).__name__}: {' '.join(text.split())[:200]} ({where}); "
        "this is a fault of fstheory: please report it with the command, as .github/ISSUE_TEMPLATE in the source says; "
        "FSTHEORY_TRACEBACK=1 shows more\n"
    )


def _shown(path: str) -> str:
    return repr(path) if len(path) <= _LONGEST else show(path)


def _one_line(error: Exception) -> str:
    if isinstance(error, OSError) and not isinstance(error, FSTheoryError):
        where = "" if error.filename is None else f": {_shown(str(error.filename))}"
        text = f"{(error.strerror or str(error) or type(error).__name__).lower()}{where}"
    else:
        text = str(error)
    return " ".join(text.split())
