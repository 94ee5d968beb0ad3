"""Quotients of exact numbers, compared exactly."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from fstheory._display import Shown
from fstheory.errors import InvalidTypeError, InvalidValueError, explain
from fstheory.reals.coprime import CoprimeBase, combine, proportion
from fstheory.reals.logarithms import LogSum
from fstheory.reals.real import Enclosed, ExactReal, compare, growing, operand, proven_order

if TYPE_CHECKING:
    from flint import arb

__all__ = ["ExactRatio", "quotient"]

_ONE = 1  # stands for the number 1 among the elements of a coprime base, which are above 1


def quotient(numerator: Fraction | ExactReal, denominator: Fraction | ExactReal) -> Fraction | ExactRatio:
    """Return the quotient of two sums of logarithms or rationals: a Fraction if it is rational."""
    above, below = _natural(numerator), _natural(denominator)
    if not below:
        raise InvalidValueError(explain("the denominator", "other than 0", denominator, "leave this case out"))
    base = CoprimeBase(n for value in (above, below) for _, n in value.terms)

    def written(value: LogSum) -> dict[int, Fraction]:
        terms = combine([(n, c) for c, n in value.terms], base)
        return terms | ({_ONE: value.constant} if value.constant else {})

    ratio = proportion(written(above), written(below))
    return ExactRatio(above, below) if ratio is None else ratio


class ExactRatio(Enclosed, Shown):
    """An irrational quotient of two sums of logarithms.

    It compares with rationals and with other quotients. Against a rational the answer is always decided, by
    multiplying out. Two quotients are equal if multiplying out gives the same polynomial in
    logarithms of coprime integers; if it does not, enclosures of growing precision part them. Every answer
    is proven; that one always comes in the second case would follow from Schanuel's conjecture.

    Examples
    --------
    >>> from fstheory.reals import log
    >>> from fstheory.reals.ratio import quotient
    >>> ratio = quotient(log(3), log(2))
    >>> ratio == quotient(log(9), log(4)), ratio < quotient(log(5), log(3)), print(ratio)
    log(3) / log(2) ≈ 1.58496
    (True, False, None)
    """

    __slots__ = ("denominator", "numerator")

    def __init__(self, numerator: LogSum, denominator: LogSum) -> None:
        if denominator < 0:
            numerator, denominator = -numerator, -denominator
        self.numerator, self.denominator = numerator, denominator
        self._first_ball = None

    def _ball(self, precision: int) -> arb:
        from flint import ctx

        for finer in growing(precision):
            below = self.denominator._enclose(finer)
            if proven_order(below, 0):  # a quotient by a ball that holds 0 is no ball
                with ctx.workprec(finer):
                    return self.numerator._enclose(finer) / below
        raise AssertionError("the precisions never end")

    def _rational_value(self) -> None:
        """Return nothing: `quotient` returns the rational ones as fractions."""

    def _order(self, other: Enclosed | Fraction) -> int | None:
        if isinstance(other, Fraction):
            return (self.numerator - self.denominator * other).sign()
        if isinstance(other, ExactRatio):
            return compare(self._enclose, other._enclose, lambda: _is_same(self, other))
        return None

    def __neg__(self) -> ExactRatio:
        return ExactRatio(-self.numerator, self.denominator)

    def __add__(self, other: object) -> ExactRatio:
        number = operand(other)
        if not isinstance(number, Fraction):
            return NotImplemented
        return ExactRatio(self.numerator + self.denominator * number, self.denominator)

    __radd__ = __add__

    def __rsub__(self, other: object) -> ExactRatio:
        return (-self).__add__(other)

    def __repr__(self) -> str:
        return f"ExactRatio({self.numerator!r}, {self.denominator!r})"

    def __str__(self) -> str:
        exact = [str(part).partition(" ≈")[0] for part in (self.numerator, self.denominator)]
        above, below = (f"({part})" if " " in part else part for part in exact)
        return f"{above} / {below} ≈ {self.decimal()}"


def _natural(value: Fraction | ExactReal) -> LogSum:
    """Return a number in nats; of a quotient whose parts have one unit that changes nothing."""
    if isinstance(value, LogSum):
        return value if value.base is None else value.in_base(None)
    if isinstance(value, int | Fraction):
        return LogSum.of(value)
    raise InvalidTypeError(explain("the number", "rational or a LogSum", value, "take its enclosure"))


def _is_same(first: ExactRatio, second: ExactRatio) -> bool:
    """Say whether multiplying out gives the same polynomial in logarithms of coprime integers.

    Numerators and denominators are linear forms in these, and polynomials factor in one way only. Since
    neither ratio is rational, the products agree only if one ratio is the other, extended by a rational factor.
    """
    factor = quotient(first.numerator, second.numerator)
    return isinstance(factor, Fraction) and first.denominator == second.denominator * factor
