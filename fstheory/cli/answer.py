"""What a command answers where the exit status tells more than that it worked."""

from __future__ import annotations

from typing import NamedTuple

__all__ = ["BAD_INPUT", "FALSE", "NEITHER", "TRUE", "Answer", "status_of"]

TRUE, FALSE, BAD_INPUT, NEITHER = 0, 1, 2, 3

_STATUS = {"holds": TRUE, "proved": TRUE, "realized": TRUE, "refuted": FALSE, "impossible": FALSE}


class Answer(NamedTuple):
    """The text to print, and the exit status."""

    text: str
    status: int


def status_of(verdict: str) -> int:
    """Return the exit status that goes with the status of a verdict.

    Examples
    --------
    >>> status_of("proved"), status_of("refuted"), status_of("undecided")
    (0, 1, 3)
    """
    return _STATUS.get(verdict, NEITHER)
