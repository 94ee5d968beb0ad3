"""Time limits of computations, and reports of their progress."""

from __future__ import annotations

import math
import shutil
import sys
import time
import warnings
from collections.abc import Callable
from contextvars import ContextVar, Token
from typing import Any, Self, TypeAlias

from fstheory.errors import InvalidTypeError, explain, require, require_type

Progress: TypeAlias = bool | Callable[[str], object] | None
"""How a call reports its progress: True shows it, a function is called with each line of text, None reports nothing."""

_ELAPSED = len(" [00:00:00] ")


class OutOfTime(Exception):
    """The time limit is reached."""


class Listener:
    """The receiver of progress reports.

    With True, a tqdm line is opened by the first report and closed with the call.
    """

    def __init__(self, progress: Progress) -> None:
        if progress is not None and not isinstance(progress, bool) and not callable(progress):
            raise InvalidTypeError(explain("progress", "True, or a function of a text", progress, "pass True, say"))
        self._listener = progress if callable(progress) else None
        self._shows = progress is True
        self._bar: Any = None

    def __call__(self, text: str) -> None:
        """Report a line of text."""
        if self._listener is not None:
            self._listener(text)
        elif self._shows:
            if self._bar is None:
                self._bar = _open_bar()
            self._bar.set_description_str(_cut(text))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._bar is not None:
            self._bar.close()
            self._bar = None


def _open_bar() -> Any:
    """Return a tqdm line of text with the elapsed time. It disappears when it is closed."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # in a notebook without ipywidgets, tqdm writes text and warns
        from tqdm.auto import tqdm

    class Bar(tqdm):  # type: ignore[misc]
        monitor_interval = 0  # a monitor thread would keep the call from forking processes

    return Bar(bar_format="{desc} [{elapsed}]", leave=False)


def _cut(text: str) -> str:
    """Return the part of a text that fits on a line of the terminal."""
    terminal = sys.stderr is not None and sys.stderr.isatty()
    return text[: max(shutil.get_terminal_size().columns - _ELAPSED, 8)] if terminal else text


def _span(seconds: float) -> str:
    """Return the text of a duration in the largest unit of which it has at least two."""
    for unit, length in (("h", 3600), ("min", 60)):
        if seconds >= 2 * length:
            return f"{seconds / length:.0f} {unit}"
    return f"{seconds:.0f} s"


_running: ContextVar[Clock | None] = ContextVar("the clock of the call that runs in this thread", default=None)


def spend() -> None:
    """Raise OutOfTime after the time limit of the call that runs in this thread, if it has one.

    Functions that do one step of many call this, so that no time limit has to be passed down to them.
    """
    clock = _running.get()
    if clock is not None and clock._limit < math.inf and clock.left <= 0:
        raise OutOfTime


class Clock:
    """A time limit that starts now, with progress reports every `every` seconds.

    A public call enters its clock. Until it leaves the clock, `spend` obeys this time limit. To do a last step after
    the time limit, enter another clock that has none.
    """

    def __init__(self, time_limit: float | None, progress: Progress, *, every: float = 1.0) -> None:
        if time_limit is not None:
            require_type(time_limit, (int, float), "time_limit", "a number of seconds", "write 60, say")
            require(time_limit > 0, "time_limit", "above 0 seconds", time_limit, "leave it out for no limit")
        self._start = self._last = time.monotonic()
        self._limit = math.inf if time_limit is None else time_limit
        self.tell, self._every = Listener(progress), every
        # The total, the last count, the first count, and the time of the first count.
        self._counted: tuple[int | None, int, int, float] = (None, 0, 0, 0.0)

    def __enter__(self) -> Self:
        self._before: Token[Clock | None] = _running.set(self)
        return self

    def __exit__(self, *error: object) -> None:
        _running.reset(self._before)
        self.tell.__exit__(*error)

    @property
    def elapsed(self) -> float:
        """The seconds since the start."""
        return time.monotonic() - self._start

    @property
    def left(self) -> float:
        """The seconds that are left, or infinity if there is no limit."""
        return self._limit - self.elapsed

    def at_most(self, seconds: float) -> Clock:
        """Return a clock that ends after `seconds`, or with this clock if that is earlier."""
        left = max(min(seconds, self.left), 0.001)
        return Clock(None if left == math.inf else left, self.tell, every=self._every)

    def tick(self, text: Callable[[], str]) -> None:
        """Report progress if a report is due. Raise OutOfTime after the time limit."""
        now = time.monotonic()
        if now - self._last >= self._every:
            self._last = now
            self.tell(text())
        if self.left <= 0:
            raise OutOfTime

    def count(self, done: int, total: int | None, what: str, before: str = "") -> None:
        """Report how many of `total` things are done and how long the rest will take, if a report is due."""
        now = time.monotonic()
        same, last, first, start = self._counted
        if (total, done) != (same, max(done, last)):
            first, start = done, now
        self._counted = total, done, first, start
        number = f"{before}{done:,}" if total is None else f"{before}{done:,} of {total:,}"
        self.tick(lambda: f"{number} {what}{self.rest}")

    @property
    def rest(self) -> str:
        """The end of a report: the estimated time for the rest at the current pace. Empty if there is no estimate."""
        total, done, first, start = self._counted
        if total is None or done == first:
            return ""
        return f"; about {_span((total - done) * (time.monotonic() - start) / (done - first))} left"

    def steps_left(self, most: int) -> int:
        """Return how many steps of a microsecond fit into the time left.

        The number is at most `most`. It is at least a thousandth of `most`, so that a search can begin.
        """
        return most if self.left == math.inf else min(most, max(most // 1000, int(self.left * 1_000_000)))

    def milliseconds(self) -> int | None:
        """Return the milliseconds that are left, at least 1. Return None if there is no limit."""
        return None if self.left == math.inf else max(1, int(self.left * 1000))
