"""Numbers q + sqrt(L) with a rational q and an exact sum of logarithms L: what the inequality of Pinsker leads to.

That of Hoeffding leads to sums of several such roots.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING, Any

from fstheory._display import Shown
from fstheory._exact import Exact, as_fraction, format_fraction, latex_fraction, latex_shown
from fstheory.errors import InvalidValueError, explain
from fstheory.reals.logarithms import LogSum
from fstheory.reals.ratio import quotient
from fstheory.reals.real import Enclosed, compare, growing, operand, proven_order, rational_ball

if TYPE_CHECKING:
    from flint import arb

__all__ = ["ShiftedRoot", "ShiftedRoots"]


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


class ShiftedRoots(Enclosed, Shown):
    """An exact real number ``shift + sqrt(L1) + sqrt(L2) + ..``: a rational plus square roots of several `LogSum`.

    Every answer of a comparison is proven, by enclosures of growing precision; that one always comes would follow
    from Schanuel's conjecture, as for quotients of logarithms. Rationals may be added to it.

    Parameters
    ----------
    shift : exact number
    radicands : iterable of LogSum or exact number
        Not negative.

    Raises
    ------
    InvalidValueError
        A radicand is negative.

    Examples
    --------
    >>> from fstheory.reals import log
    >>> number = ShiftedRoots("1/4", [log(2), log(3)])
    >>> print(number)
    1/4 + sqrt(log(2)) + sqrt(log(3)) ≈ 2.13070
    >>> Fraction(2) < number < Fraction(5, 2)
    True
    """

    __slots__ = ("_roots",)

    _roots: tuple[ShiftedRoot, ...]  # the first carries the shift; no two of the radicands have a square as quotient

    def __init__(self, shift: Exact, radicands: Iterable[LogSum | Exact]) -> None:
        total, merged = as_fraction(shift, "shift"), list[LogSum]()
        for radicand in map(LogSum.of, radicands):
            if (value := ShiftedRoot(0, radicand)._rational_value()) is not None:
                total += value
                continue
            for place, other in enumerate(merged):
                ratio = quotient(radicand, other)
                root = ShiftedRoot(0, ratio)._rational_value() if isinstance(ratio, Fraction) else None
                if root is not None:
                    merged[place] = other * (1 + root) ** 2
                    break
            else:
                merged.append(radicand)
        first, *others = merged or [LogSum()]
        self._roots = (ShiftedRoot(total, first), *(ShiftedRoot(0, radicand) for radicand in others))
        self._first_ball = None

    @property
    def shift(self) -> Fraction:
        """The rational outside the roots."""
        return self._roots[0].shift

    @property
    def radicands(self) -> tuple[LogSum, ...]:
        """What stands under the roots: the rational ones are in the shift, multiples of each other are one root."""
        return tuple(root.radicand for root in self._roots if root.radicand)

    def _ball(self, precision: int) -> arb:
        from flint import arb, ctx

        with ctx.workprec(precision):
            return sum((root._enclose(precision) for root in self._roots), arb(0))

    def _rational_value(self) -> Fraction | None:
        return None if self.radicands else self.shift

    def _order(self, other: Enclosed | Fraction) -> int | None:
        if isinstance(other, ShiftedRoot):
            other = ShiftedRoots(other.shift, [other.radicand])
        if isinstance(other, ShiftedRoots):
            if (value := other._rational_value()) is not None:
                return self._order(value)
            same = self.shift == other.shift and set(self.radicands) == set(other.radicands)
            return compare(self._enclose, other._enclose, lambda: same)
        if not isinstance(other, Fraction):
            return None
        if len(self._roots) == 1:
            return self._roots[0]._order(other)
        return compare(self._enclose, partial(rational_ball, other), lambda: False)

    def __add__(self, other: object) -> ShiftedRoots:
        number = operand(other)
        return ShiftedRoots(self.shift + number, self.radicands) if isinstance(number, Fraction) else NotImplemented

    __radd__ = __add__

    def __sub__(self, other: object) -> ShiftedRoots:
        number = operand(other)
        return ShiftedRoots(self.shift - number, self.radicands) if isinstance(number, Fraction) else NotImplemented

    def __reduce__(self) -> tuple[Any, tuple[Any, ...]]:
        return ShiftedRoots, (self.shift, self.radicands)

    def __repr__(self) -> str:
        return f"ShiftedRoots('{format_fraction(self.shift)}', [{', '.join(map(repr, self.radicands))}])"

    def __str__(self) -> str:
        if (value := self._rational_value()) is not None:
            return format_fraction(value)
        exact = [str(root).rpartition(" ≈ ")[0] for root in self._roots]
        return f"{' + '.join(exact)} ≈ {self.decimal()}" if all(exact) else f"≈{self.decimal()}"

    def _repr_latex_(self) -> str:
        return latex_shown(self.to_latex(), self.decimal(), self._rational_value())

    def to_latex(self) -> str:
        r"""Write the number in LaTeX.

        Examples
        --------
        >>> from fstheory.reals import log
        >>> print(ShiftedRoots("1/4", [log(2), log(3)]).to_latex())
        \frac{1}{4} + \sqrt{\log 2} + \sqrt{\log 3}
        """
        return " + ".join(root.to_latex() for root in self._roots)
