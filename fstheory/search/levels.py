"""All distributions of one total: the least counterexample among them, if there is one."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from fstheory.search.clock import Clock
from fstheory.search.crew import Crew
from fstheory.search.enumerate import count
from fstheory.search.journal import Journal
from fstheory.search.target import Outcome, Piece, Target, Weights

__all__ = ["Level", "search_level"]


_LEAST = 1 << 12  # distributions in a piece of work
_SECONDS = 0.2  # that one should take


@dataclass(frozen=True, slots=True)
class Level:
    """The result of a level.

    Attributes
    ----------
    least : tuple of int or None
        The weights of the least counterexample.
    decided : int
        How many distributions were decided one at a time; the same in every run that finds nothing.
    earlier : bool
        Whether an earlier run looked at some of them, as the journal says.
    """

    least: Weights | None
    decided: int
    earlier: bool


class _Pace:
    """How large a piece of work should be, so that it takes a fraction of a second. Nothing else depends on it."""

    def __init__(self, batch: int) -> None:
        self.size = self._least = min(batch, _LEAST)
        self._most = batch * 64

    def learn(self, piece: Piece, outcome: Outcome) -> None:
        """Take the time of a piece into account."""
        size = piece.stop - piece.start
        if outcome.seconds < _SECONDS / 2:
            self.size = min(max(self.size, 2 * size), self._most)
        elif outcome.seconds > _SECONDS * 2:
            self.size = max(min(self.size, size // 2), self._least)


def search_level(target: Target, total: int, crew: Crew, journal: Journal, clock: Clock) -> Level:
    """Search all distributions of a total, up to renaming; go on where the journal says that the search stopped.

    Raises
    ------
    OutOfTime
        The time limit was reached; the journal knows how far the search came.
    """
    name = f"{target.shape}, total {total}"
    state: dict[str, Any] = journal.get(name) or {"next": 0, "best": None, "decided": 0}
    size = count(target.shape.cells, total)

    def pieces() -> Iterator[Piece]:
        start = state["next"]
        while start < size:
            best = state["best"]
            stop = min(start + pace.size, size)
            yield Piece(total, start, stop, None if best is None else best[0])
            start = stop

    def told() -> str:
        found = ", counterexample found" if state["best"] else ""
        return f"{name}: {state['next']:,} of {size:,}{found}"

    if state["next"] < size:
        pace = _Pace(target.batch)
        for piece, outcome in crew.run(target, pieces()):
            pace.learn(piece, outcome)
            best = min((tuple(b) for b in (state["best"], outcome.best) if b is not None), default=None)
            state = {"next": piece.stop, "best": best, "decided": state["decided"] + outcome.decided}
            journal.put(name, state)
            clock.tick(told)
    best = state["best"]
    return Level(None if best is None else target.at(total, best[1]), state["decided"], journal.is_earlier(name))
