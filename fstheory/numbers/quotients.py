"""Quotients of sums of products of logarithms: the numbers that arithmetic makes of entropies."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, TypeAlias

from fstheory._support.exact import latex_shown
from fstheory.errors import InvalidTypeError, InvalidValueError, explain, require
from fstheory.numbers import enclosure
from fstheory.numbers.logsum import CoprimeBase, LogSum, combine, log, proportion

if TYPE_CHECKING:
    from flint import arb

Products: TypeAlias = "tuple[tuple[LogSum, ...], ...]"
"""A sum of products of sums of natural logarithms."""

_MOST_BITS = 2**14  # the finest enclosure of a difference of which algebra does not show that it is 0


class LogQuotient(enclosure.Enclosed):
    """A quotient of two sums of products of sums of logarithms, such as I(X;Y) / H(X) times I(Z;Y) / H(Z).

    Multiplied out, the numerator is a polynomial in the logarithms of coprime integers. If all its coefficients are 0,
    the number is 0. Otherwise Schanuel's conjecture says that the number is not 0, and an enclosure shows its sign. If
    an enclosure of 4,900 digits does not show the sign, the comparison is refused as undecided.

    Examples
    --------
    >>> from fstheory.numbers import log
    >>> ratio = LogQuotient.of(log(3)) / log(2)
    >>> print(ratio, ratio * ratio, ratio * log(2) == log(3))
    1.58496 2.51211 True
    """

    _parts = ("numerator", "denominator")

    def __init__(self, numerator: Products, denominator: Products) -> None:
        self.numerator, self.denominator = numerator, denominator

    @classmethod
    def of(cls, value: object) -> LogQuotient:
        """Return a rational, a sum of logarithms to any base, or a quotient as a quotient."""
        if isinstance(value, LogQuotient):
            return value
        if isinstance(value, LogSum):
            unit = LogSum.of(1) if value.base is None else log(value.base)
            return cls(((value.in_base(None),),), ((unit,),))
        if not isinstance(value, int | Fraction):
            raise InvalidTypeError(explain("a number beside logarithms", "rational", value, "square the comparison"))
        return cls(((LogSum.of(value),),), ((LogSum.of(1),),))

    def _ball(self, precision: int) -> arb:
        from flint import ctx

        above, below = (_ball(part, precision) for part in (self.numerator, self.denominator))
        if below.contains(0):
            return self._ball(2 * precision)
        with ctx.workprec(precision):
            return above / below

    @cached_property
    def _rational_value(self) -> Fraction | None:
        factors = itertools.chain(*self.numerator, *self.denominator)
        base = CoprimeBase(n for factor in factors for _, n in factor.terms)
        return proportion(_expanded(self.numerator, base), _expanded(self.denominator, base))

    def _order(self, other: enclosure.Enclosed | Fraction) -> int | None:
        gap = self - other
        for precision in enclosure.precisions():
            if order := enclosure.proven_order(gap._enclose(precision), 0):
                return order
            if precision == enclosure.FIRST_PRECISION and gap._rational_value == 0:
                return 0
            if precision >= _MOST_BITS:
                said = f"two quotients of logarithms agree to {precision * 3 // 10:,} digits"
                raise InvalidValueError(f"{said}, and algebra does not show that they are equal: this is undecided")
        raise AssertionError("the precisions never end")

    def __add__(self, other: object) -> LogQuotient:
        number = LogQuotient.of(other)
        (a, b), (c, d) = ((one.numerator, one.denominator) for one in (self, number))
        return LogQuotient(a + c, b) if b == d else LogQuotient((*_times(a, d), *_times(c, b)), _times(b, d))

    def __mul__(self, other: object) -> LogQuotient:
        number = LogQuotient.of(other)
        return LogQuotient(_times(self.numerator, number.numerator), _times(self.denominator, number.denominator))

    def __truediv__(self, other: object) -> LogQuotient:
        number = LogQuotient.of(other)
        require(number, "the divisor", "other than 0", 0, "divide by another number")
        return self * LogQuotient(number.denominator, number.numerator)

    __radd__, __rmul__ = __add__, __mul__

    def __sub__(self, other: object) -> LogQuotient:
        return self + LogQuotient.of(other) * -1

    def __rsub__(self, other: object) -> LogQuotient:
        return LogQuotient.of(other) + self * -1

    def __str__(self) -> str:
        return self.decimal()

    def _repr_latex_(self) -> str:
        return latex_shown(self.to_latex(), self.decimal(), self._rational_value)

    def to_latex(self) -> str:
        r"""Return the number for LaTeX, without dollar signs.

        Examples
        --------
        >>> print((LogQuotient.of(log(3)) / log(2)).to_latex())
        \frac{(\log 3)}{(\log 2)}
        """
        above, below = (
            " + ".join("".join(f"({factor.to_latex()})" for factor in factors) for factors in part)
            for part in (self.numerator, self.denominator)
        )
        return rf"\frac{{{above}}}{{{below}}}"


def _ball(products: Products, precision: int) -> arb:
    """Return an enclosure of a sum of products."""
    from flint import arb, ctx

    with ctx.workprec(precision):
        balls = ([factor._enclose(precision) for factor in factors] for factors in products)
        return sum((math.prod(factors, start=arb(1)) for factors in balls), arb(0))


def _times(first: Products, second: Products) -> Products:
    """Return the product of two sums of products. Rational factors are multiplied out."""
    return tuple(_joined(a + b) for a, b in itertools.product(first, second))


def _joined(factors: Iterable[LogSum]) -> tuple[LogSum, ...]:
    rational, rest = Fraction(1), list[LogSum]()
    for factor in factors:
        if factor.terms:
            rest.append(factor)
        else:
            rational *= factor.constant
    return (rest[0] * rational, *rest[1:]) if rest else (LogSum.of(rational),)


def _expanded(products: Products, base: CoprimeBase) -> dict[tuple[int, ...], Fraction]:
    """Return the coefficient of each product of logarithms of coprime integers. No coefficient is 0."""
    found: dict[tuple[int, ...], Fraction] = {}
    for factors in products:
        product: dict[tuple[int, ...], Fraction] = {(): Fraction(1)}
        for factor in factors:
            terms = combine([(n, c) for c, n in factor.terms], base)
            parts = [((), factor.constant), *(((n,), c) for n, c in terms.items())]
            more = (
                (tuple(sorted(one + two)), a * b) for (one, a), (two, b) in itertools.product(product.items(), parts)
            )
            product = _summed(more)
        found = _summed([*found.items(), *product.items()])
    return found


def _summed(pairs: Iterable[tuple[tuple[int, ...], Fraction]]) -> dict[tuple[int, ...], Fraction]:
    """Return the sum of multiples of products. No coefficient in it is 0."""
    found: dict[tuple[int, ...], Fraction] = {}
    for product, coefficient in pairs:
        found[product] = found.get(product, Fraction(0)) + coefficient
    return {product: coefficient for product, coefficient in found.items() if coefficient}
