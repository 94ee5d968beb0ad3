"""The command line: every command is one call of the library, and bad input is one line on stderr."""

import signal
from collections.abc import Sequence

__all__ = ["main"]


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command, as `fstheory.cli.entry.main` describes; Ctrl-C while the libraries load ends it quietly."""
    try:
        from fstheory.cli.entry import main as run
    except KeyboardInterrupt:
        return 130
    status = run(argv)
    if status == 130 and argv is None:  # a second Ctrl-C, while Python waits for threads, ends the process at once
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    return status
