"""What several commands share: the source, ``--json``, and how names and numbers are read."""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable, Sequence
from typing import Any

from fstheory.cli.answer import Answer

__all__ = ["add_json", "add_source", "cores", "names", "new_command", "seconds", "whole", "wholes"]

_SOURCE = "a name from 'fstheory gallery', a .json, .csv or .tsv file, or - for JSON on stdin"


def new_command(
    adder: Any, name: str, run: Callable[[argparse.Namespace], str | Answer], summary: str, example: str
) -> argparse.ArgumentParser:
    """Add a command; its help begins with the summary and ends with the example."""
    title = summary[0].upper() + summary[1:] + "."
    command: argparse.ArgumentParser = adder.add_parser(
        name, help=summary, description=title, epilog=f"example: fstheory {example}"
    )
    command.set_defaults(run=run)
    return command


def add_source(command: argparse.ArgumentParser) -> None:
    """Add the source, and how to read one that is a CSV."""
    command.add_argument("source", metavar="SOURCE", help=_SOURCE)
    command.add_argument(
        "--features", type=names, metavar="A,B,..", help="use only these features (all; of a CSV all columns)"
    )
    table = command.add_argument_group("for a CSV")
    table.add_argument("--target", metavar="COLUMN", help="the column of the class; required")
    table.add_argument("--count", metavar="COLUMN", help="a column that says how often a row was seen")
    table.add_argument(
        "--missing", action="append", metavar="TEXT", help="a text that means a missing value, such as '?'"
    )
    table.add_argument("--delimiter", metavar="C", help="what separates cells; a comma, in a .tsv a tab")


def add_json(command: argparse._ActionsContainer) -> None:
    """Add ``--json``."""
    command.add_argument("--json", action="store_true", help="print JSON, with exact numbers as 'p/q' strings")


def names(text: str) -> tuple[str, ...]:
    """Read ``A,B``; blanks around a name are no part of it."""
    return tuple(name.strip() for name in text.split(",")) if text.strip() else ()


def whole(text: str) -> int:
    """Read a whole number."""
    if not text.isascii() or not text.isdigit() or len(text) > 18:
        raise argparse.ArgumentTypeError(f"must be a whole number, not {text!r}")
    return int(text)


def wholes(text: str) -> Sequence[int]:
    """Read ``2,3``."""
    return tuple(whole(part.strip()) for part in text.split(","))


def seconds(text: str) -> float:
    """Read a number of seconds above 0."""
    try:
        number = float(text)
    except ValueError:
        number = 0
    if not 0 < number < float("inf"):
        raise argparse.ArgumentTypeError(f"must be a number of seconds above 0, not {text!r}")
    return number


def cores() -> int:
    """Return how many processes can run at once."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
