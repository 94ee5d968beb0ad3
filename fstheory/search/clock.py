"""The time a search may take, and what it tells while it takes it."""

from __future__ import annotations

import math
import time
from collections.abc import Callable

from fstheory.errors import InvalidTypeError, InvalidValueError, explain

__all__ = ["Clock", "OutOfTime"]

_SECONDS = 1.0  # between two messages


class OutOfTime(Exception):
    """The time limit was reached."""


class Clock:
    """A time limit and a listener.

    Parameters
    ----------
    time_limit : number or None
        Seconds.
    progress : callable or None
        Called with a line of text, about once a second.

    Raises
    ------
    InvalidTypeError, InvalidValueError
        The limit is no number, or not above 0; the listener cannot be called.

    Examples
    --------
    >>> Clock(None, None).milliseconds() is None
    True
    >>> Clock(0.5, None).milliseconds() <= 500
    True
    """

    def __init__(self, time_limit: float | None, progress: Callable[[str], object] | None) -> None:
        if time_limit is not None and (isinstance(time_limit, bool) or not isinstance(time_limit, int | float)):
            raise InvalidTypeError(explain("time_limit", "a number of seconds", time_limit, "write 60, say"))
        if time_limit is not None and not time_limit > 0:
            raise InvalidValueError(explain("time_limit", "above 0 seconds", time_limit, "leave it out for no limit"))
        if progress is not None and not callable(progress):
            raise InvalidTypeError(explain("progress", "a function of a text", progress, "pass print, say"))
        self._end = math.inf if time_limit is None else time.monotonic() + time_limit
        self._progress = progress
        self._told = time.monotonic()

    def tick(self, text: Callable[[], str]) -> None:
        """Tell what is going on, if it is time to.

        Raises
        ------
        OutOfTime
            The limit is reached.
        """
        now = time.monotonic()
        if self._progress is not None and now - self._told >= _SECONDS:
            self._told = now
            self._progress(text())
        if now >= self._end:
            raise OutOfTime

    def milliseconds(self) -> int | None:
        """Return what is left, at least 1; None if there is no limit."""
        return None if self._end == math.inf else max(1, int((self._end - time.monotonic()) * 1000))
