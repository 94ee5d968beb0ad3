"""Facts about curves, which bound entropies in terms of risks, with rounded logarithms that Coq checks."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from fstheory.checker.every_size import EverySizeSpace
from fstheory.checker.numbers import ceiling, logarithms

_UNIT = 10**6  # The checker rounds coefficients to multiples of 1 / _UNIT.


def curve(space: EverySizeSpace, reference: Any, moved: Callable[[int], int]) -> tuple[str, int] | None:
    """Return a fact about a curve for Coq and its denominator there. Return None for other facts.

    `moved` gives the image of a set of features.
    """
    k = space.classes
    match reference:
        case ("log k",):
            return f"LogClasses {k}", 1
        case ("TD log", s, j):
            return f"LowerLog {moved(s)} {j}", 1
        case ("fano log", s):
            return f"FanoLog {k} {moved(s)}", 1
        case ("TD", s, j):
            step = Fraction(j + 1, j)
            return f"Lower {moved(s)} {j} {_above(Fraction(1, j), step, 1 / step)}", _UNIT
        case ("fano", s, share) if k is not None:
            r = Fraction(share)
            return f"Fano {k} {moved(s)} {_parts(r)} {_above(1 / (1 - r), (k - 1) / r)}", _UNIT
        case ("told", s, t, strength, j):
            e = Fraction(strength)
            rise, start = (j + 1) * (e + j - 1) / (j * (e + j)), (e + j - 1) / (j * e)
            return f"Told {moved(s)} {moved(t)} {_parts(e)} {j} {_above(e, start, rise, 1 / rise)}", _UNIT
        case ("coin", s, right, share):
            a = Fraction(share)
            return f"Coin {moved(s)} {str(not right).lower()} {_parts(a)} {_above(1 / a)}", _UNIT * a.denominator
        case ("pinsker", s, t, share):
            a = Fraction(share)
            return f"Pinsker {moved(s)} {moved(t)} {_parts(a)}", a.denominator**2
    return None


def _parts(number: Fraction) -> str:
    return f"{number.numerator} {number.denominator}"


def _above(*numbers: Fraction) -> str:
    """Return the least whole numbers of units that are not below the logarithms of numbers."""
    return " ".join(f"({int(ceiling(logarithms([(Fraction(1), number)]), _UNIT) * _UNIT)})" for number in numbers)
