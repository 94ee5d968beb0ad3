"""Numbers q + sqrt(L) with a rational q and an exact sum of logarithms L: what Pinsker's inequality leads to."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from fstheory._exact import Exact, as_fraction, format_fraction, latex_fraction, latex_shown
from fstheory.errors import InvalidValueError, explain
from fstheory.reals.logarithms import LogSum
from fstheory.reals.real import Enclosed, growing, operand, proven_order, rational_ball

if TYPE_CHECKING:
    from flint import arb

__all__ = ["ShiftedRoot"]


class ShiftedRoot(Enclosed):
    """An exact real number ``shift + sqrt(radicand)``: a rational plus the square root of a `LogSum`.

    It is compared with rationals by squaring, so the answer is always decided; two of them are compared where they
    have the same shift. Rationals may be added to it.

    Parameters
    ----------
    shift : exact number
    radicand : LogSum or exact number
        Not negative.

    Raises
    ------
    InvalidValueError
        The radicand is negative.

    Examples
    --------
    >>> from fstheory.reals import log
    >>> number = ShiftedRoot("1/4", log(2) / 2)
    >>> print(number)
    1/4 + sqrt(1/2*log(2)) ≈ 0.838705
    >>> Fraction(4, 5) < number < Fraction(9, 10)
    True
    """

    __slots__ = ("_radicand", "_shift")

    _shift: Fraction
    _radicand: LogSum

    def __init__(self, shift: Exact, radicand: LogSum | Exact) -> None:
        self._shift = as_fraction(shift, "shift")
        self._radicand = LogSum.of(radicand)
        self._first_ball = None
        if self._radicand < 0:
            raise InvalidValueError(explain("radicand", "at least 0", str(radicand), "a real number is needed"))

    @property
    def shift(self) -> Fraction:
        """The rational outside the root."""
        return self._shift

    @property
    def radicand(self) -> LogSum:
        """What stands under the root."""
        return self._radicand

    # Decisions

    def _ball(self, precision: int) -> arb:
        from flint import ctx

        if self._radicand.is_zero():
            return rational_ball(self._shift, precision)
        for finer in growing(precision):
            inside = self._radicand._ball(finer)
            if proven_order(inside, 0) > 0:  # the root of a ball that holds negative numbers is no ball
                with ctx.workprec(finer):
                    return inside.sqrt() + rational_ball(self._shift, finer)
        raise AssertionError("the precisions never end")

    def _rational_value(self) -> Fraction | None:
        """Return the value if it is rational; a sum of logarithms that is not has no rational root."""
        if not self._radicand.is_rational():
            return None
        square = self._radicand.as_fraction()
        root = Fraction(math.isqrt(square.numerator), math.isqrt(square.denominator))
        return self._shift + root if root * root == square else None

    def _order(self, other: Enclosed | Fraction) -> int | None:
        if isinstance(other, ShiftedRoot):
            value = other._rational_value()
            if value is not None:
                return self._order(value)
            if self._shift == other._shift:
                return (self._radicand > other._radicand) - (self._radicand < other._radicand)
            if (value := self._rational_value()) is not None:
                order = other._order(value)
                return None if order is None else -order
            return None
        if not isinstance(other, Fraction):
            return None
        apart = other - self._shift
        if apart < 0:
            return 1
        return (self._radicand > apart * apart) - (self._radicand < apart * apart)

    def sign(self) -> int:
        """Return -1, 0 or 1.

        Examples
        --------
        >>> from fstheory.reals import log
        >>> ShiftedRoot(-1, log(2)).sign()
        -1
        """
        return self._order(Fraction(0)) or 0

    # Arithmetic: rationals may be added

    def __add__(self, other: object) -> ShiftedRoot:
        number = operand(other)
        return ShiftedRoot(self._shift + number, self._radicand) if isinstance(number, Fraction) else NotImplemented

    __radd__ = __add__

    def __sub__(self, other: object) -> ShiftedRoot:
        number = operand(other)
        return ShiftedRoot(self._shift - number, self._radicand) if isinstance(number, Fraction) else NotImplemented

    # In and out

    def __reduce__(self) -> tuple[Any, tuple[Any, ...]]:
        return ShiftedRoot, (self._shift, self._radicand)

    def __repr__(self) -> str:
        return f"ShiftedRoot('{format_fraction(self._shift)}', {self._radicand!r})"

    def __str__(self) -> str:
        value = self._rational_value()
        if value is not None:
            return format_fraction(value)
        inside = str(self._radicand)
        if inside.startswith("≈"):
            return f"≈{self.decimal()}"
        shift = f"{format_fraction(self._shift)} + " if self._shift else ""
        return f"{shift}sqrt({inside.partition(' ≈ ')[0]}) ≈ {self.decimal()}"

    def _repr_latex_(self) -> str:
        return latex_shown(self.to_latex(), self.decimal(), self._rational_value())

    def to_latex(self) -> str:
        r"""Write the number in LaTeX.

        Examples
        --------
        >>> from fstheory.reals import log
        >>> print(ShiftedRoot("1/4", log(2)).to_latex())
        \frac{1}{4} + \sqrt{\log 2}
        """
        value = self._rational_value()
        if value is not None:
            return latex_fraction(value)
        inside = self._radicand.to_latex()
        if inside.startswith(r"\approx"):
            return rf"\approx {self.decimal()}"
        return (f"{latex_fraction(self._shift)} + " if self._shift else "") + rf"\sqrt{{{inside}}}"
