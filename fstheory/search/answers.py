"""What a solver says, without surprises."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from fstheory._optional import require
from fstheory.search.clock import Clock

__all__ = ["NoAnswer", "z3_answer", "z3_number"]


class NoAnswer(Exception):
    """A solver does not know; the text says why."""


def z3_answer(solver: Any, clock: Clock) -> bool:
    """Return whether what a Z3 solver was told can be true.

    Raises
    ------
    NoAnswer
        The time limit is reached, or the solver fails.
    KeyboardInterrupt
        As anywhere; Z3 catches the signal in order to stop.
    """
    z3 = require("z3", "solve", "proving a claim")
    left = clock.milliseconds()
    try:
        if left is not None:
            solver.set("timeout", left)
        answer = solver.check()
        reason = solver.reason_unknown() if answer == z3.unknown else ""
    except z3.Z3Exception as error:
        raise NoAnswer(f"z3 failed ({error})") from error
    if "keyboard" in reason:
        raise KeyboardInterrupt
    if answer == z3.unknown:
        raise NoAnswer("the time limit was reached" if reason in {"timeout", "canceled"} else f"z3 said {reason!r}")
    return bool(answer == z3.sat)


def z3_number(value: Any) -> Fraction:
    """Return a number of a Z3 model; `NoAnswer` if it has more digits than Python reads."""
    try:
        if value.is_int():
            return Fraction(value.as_long())
        return Fraction(value.numerator_as_long(), value.denominator_as_long())
    except ValueError as error:
        raise NoAnswer("z3 answered with numbers of too many digits") from error
