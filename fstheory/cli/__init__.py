"""The command line: every command is one call of the library, and bad input is one line on stderr."""

from collections.abc import Sequence

__all__ = ["main"]


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command, as `fstheory.cli.entry.main` describes; Ctrl-C while the libraries load ends it quietly."""
    try:
        from fstheory.cli.entry import main as run
    except KeyboardInterrupt:
        return 130
    return run(argv)
