"""The command line: every command is one call of the library, and bad input is one line on stderr."""

from fstheory.cli.entry import main

__all__ = ["main"]
