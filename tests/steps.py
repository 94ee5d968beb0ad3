"""A clock of steps instead of seconds: a test of what a time limit does takes as many steps on every machine."""

from collections.abc import Callable

from fstheory._support.progress import Clock, OutOfTime


class Steps(Clock):
    """A clock on which each tick takes one of so many steps, and nothing else takes time."""

    def __init__(self, steps: float) -> None:
        super().__init__(None, None)
        self.steps = steps

    @property
    def left(self) -> float:
        return self.steps

    def at_most(self, seconds: float) -> "Steps":
        return Steps(min(seconds, self.steps))

    def tick(self, text: Callable[[], str]) -> None:
        self.steps -= 1
        if self.steps < 0:
            raise OutOfTime

    def milliseconds(self) -> None:
        return None
