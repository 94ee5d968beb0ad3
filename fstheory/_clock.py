"""How long a computation may take, and who is told what it is doing."""

from __future__ import annotations

import math
import time
from collections.abc import Callable

from fstheory.errors import InvalidTypeError, InvalidValueError, explain

__all__ = ["Clock", "OutOfTime"]


class OutOfTime(Exception):
    """The time limit was reached."""


class Clock:
    """A time limit that starts now, and a listener who is told something `every` so many seconds."""

    def __init__(
        self, time_limit: float | None, progress: Callable[[str], object] | None, *, every: float = 1.0
    ) -> None:
        if time_limit is not None and (isinstance(time_limit, bool) or not isinstance(time_limit, int | float)):
            raise InvalidTypeError(explain("time_limit", "a number of seconds", time_limit, "write 60, say"))
        if time_limit is not None and not time_limit > 0:
            raise InvalidValueError(explain("time_limit", "above 0 seconds", time_limit, "leave it out for no limit"))
        if progress is not None and not callable(progress):
            raise InvalidTypeError(explain("progress", "a function of a text", progress, "pass print, say"))
        self._start = self._told = time.monotonic()
        self._limit = math.inf if time_limit is None else time_limit
        self._progress, self._every = progress, every

    @property
    def elapsed(self) -> float:
        """The seconds since the start."""
        return time.monotonic() - self._start

    @property
    def left(self) -> float:
        """The seconds that are left: infinitely many if there is no limit."""
        return self._limit - self.elapsed

    def at_most(self, seconds: float) -> Clock:
        """Return a clock that ends after some seconds, or with this one."""
        left = max(min(seconds, self.left), 0.001)
        return Clock(None if left == math.inf else left, self._progress, every=self._every)

    def tick(self, text: Callable[[], str]) -> None:
        """Tell what is going on, if it is time to."""
        now = time.monotonic()
        if self._progress is not None and now - self._told >= self._every:
            self._told = now
            self._progress(text())
        if self.left <= 0:
            raise OutOfTime

    def milliseconds(self) -> int | None:
        """Return what is left, at least 1; None if there is no limit."""
        return None if self.left == math.inf else max(1, int(self.left * 1000))
