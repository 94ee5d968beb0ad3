"""Which maxima are to blame: a relaxation takes them for larger than they are, and facts are true only for that."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator
from fractions import Fraction

from fstheory.search.linear import Fact, Linear, Point, Unknowns

__all__ = ["culprits"]


def culprits(
    unknowns: Unknowns, facts: Iterable[Fact], point: Point, real: Point, split: Container[int]
) -> Iterator[int]:
    """Yield the numbers of maxima that help facts to be true at a point and false at the real one.

    Parameters
    ----------
    unknowns : Unknowns
    facts : iterable of Fact
        True at `point` and not at `real`.
    point, real : mapping
        The same distribution over the same denominator. In `real`, every maximum has its value; in `point`, one that is
        at least as large as what the arguments are there.
    split : container of int
        Maxima that are already known to be one of their arguments. What is to blame for those is inside of them.

    Examples
    --------
    >>> from fstheory.logic import Shape
    >>> from fstheory.search.linear import ONE
    >>> unknowns = Unknowns(Shape((2,)))
    >>> fact = unknowns.fact(("<", ("R", ()), ("R", (0,))))  # R(0) = 1 - M0 - M1 and R() = 1 - M2
    >>> real = unknowns.complete({ONE: 4, 0: 1, 1: 1, 2: 1, 3: 1}, range(3))
    >>> list(culprits(unknowns, [fact], {**real, 6: 3}, real, ()))
    [2]
    """
    waiting = [fact.linear for fact in facts]
    seen: set[int] = set()
    for form in waiting:  # grows while it is walked
        side = _change(form, point, real)
        for unknown, coefficient in form.coefficients.items():
            number = unknown - unknowns.cells
            change = point[unknown] - real[unknown]
            if number < 0 or unknown in seen or change * coefficient * side <= 0:
                continue
            seen.add(unknown)
            if change > 0 and number not in split:
                yield number
            else:
                waiting.extend(
                    argument for argument in unknowns.arguments(number) if _change(argument, point, real) * change > 0
                )


def _change(form: Linear, point: Point, real: Point) -> int | Fraction:
    """Return by how much a form is larger at a point than it really is."""
    return form.at(point) - form.at(real)
