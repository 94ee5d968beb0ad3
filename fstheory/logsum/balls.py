"""Ball arithmetic on loan from flint: proven enclosures of any precision.

A ball is a midpoint and a radius; a comparison of balls is True only where it is proven, so a False
says nothing. The precision is set for the length of one computation and put back afterwards.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from flint import arb

__all__ = ["FIRST_PRECISION", "ends", "growing", "log_sum_ball", "proven_order", "rational_ball", "root_sum_ball"]

FIRST_PRECISION = 64


def growing(first: int = FIRST_PRECISION) -> Iterator[int]:
    """Yield precisions in bits, each twice the one before, without end."""
    while True:
        yield first
        first *= 2


def ends(ball: arb) -> tuple[Fraction, Fraction]:
    """Return the two ends of a ball, exactly."""
    middle, radius = _dyadic(ball.mid()), _dyadic(ball.rad())
    return middle - radius, middle + radius


def _dyadic(point: arb) -> Fraction:
    mantissa, exponent = map(int, point.man_exp())
    return Fraction(mantissa << exponent) if exponent >= 0 else Fraction(mantissa, 1 << -exponent)


def rational_ball(value: Fraction, precision: int) -> arb:
    """Enclose a rational."""
    from flint import arb, ctx

    with ctx.workprec(precision):
        return arb(value.numerator) / value.denominator


def proven_order(left: arb, right: arb | int) -> int:
    """Return -1 or 1 where the balls prove an order, else 0."""
    return -1 if left < right else 1 if left > right else 0


def log_sum_ball(
    terms: Iterable[tuple[int, int]], constant: int, denominator: int, base: Fraction | None, precision: int
) -> arb:
    """Enclose ``(constant + sum(c log n)) / denominator``, logarithms to the given base."""
    from flint import arb, ctx

    with ctx.workprec(precision):
        total = arb(0)
        for argument, coefficient in terms:
            total += arb(argument).log() * coefficient
        if base is not None:
            total /= arb(base.numerator).log() - arb(base.denominator).log()
        return (total + constant) / denominator


def root_sum_ball(terms: Iterable[tuple[int, int]], denominator: int, precision: int) -> arb:
    """Enclose ``sum(c sqrt(n)) / denominator``."""
    from flint import arb, ctx

    with ctx.workprec(precision):
        total = arb(0)
        for radicand, coefficient in terms:
            total += arb(radicand).sqrt() * coefficient
        return total / denominator
