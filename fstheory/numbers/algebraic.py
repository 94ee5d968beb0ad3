"""Exact real roots of polynomials with rational coefficients, and exact values of other polynomials at these roots."""

from __future__ import annotations

import functools
import itertools
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any, TypeAlias

from fstheory._support.exact import exact_text, integers_over
from fstheory._support.result import Result
from fstheory.errors import InvalidValueError, explain
from fstheory.numbers.enclosure import Enclosed, precisions, rational_ball, sum_text
from fstheory.numbers.roots import RootSum, sqrt

if TYPE_CHECKING:
    from flint import arb

Root: TypeAlias = "Fraction | RootSum | AlgebraicNumber"
"""A rational, a root of a quadratic, or a root of an irreducible polynomial of degree 3 or more."""


class AlgebraicNumber(Enclosed, Result):
    """A real root of an irreducible polynomial with integer coefficients, of degree 3 or more.

    `real_roots` returns such numbers. They can be compared with rationals, with `RootSum` and with each other. Every
    comparison is decided.

    Attributes
    ----------
    coefficients : tuple of int
        The coefficients of the polynomial, the constant first. They have no common divisor, and the last is positive.
    place : int
        The number of smaller real roots of the polynomial.

    Examples
    --------
    >>> from fstheory.numbers.algebraic import real_roots
    >>> root = real_roots([-2, 0, 0, 1])[0]
    >>> print(root)
    root 1 of t^3 - 2 ≈ 1.25992
    >>> root > Fraction(5, 4), root == real_roots([4, 0, 0, -2])[0]
    (True, True)
    """

    _parts = ("coefficients", "place")

    def __init__(self, coefficients: tuple[int, ...], place: int) -> None:
        self.coefficients, self.place = coefficients, place

    def _ball(self, precision: int) -> arb:
        ball: arb = _real_balls(self.coefficients, precision)[self.place]
        return ball

    def _equality(self, other: Enclosed) -> Callable[[], bool] | None:
        if isinstance(other, AlgebraicNumber):
            return lambda: (self.coefficients, self.place) == (other.coefficients, other.place)
        return functools.partial(self._is_root, other) if isinstance(other, RootSum) else None

    def _is_root(self, number: RootSum) -> bool:
        """Return whether a sum of square roots equals this number. Its first enclosure overlaps with this number's."""
        value = functools.reduce(lambda total, c: total * number + c, reversed(self.coefficients), RootSum())
        if value != 0:
            return False
        for precision in precisions():  # the number is one of the roots: find out which
            balls = _real_balls(self.coefficients, precision)
            near = [place for place, ball in enumerate(balls) if ball.overlaps(number._enclose(precision))]
            if len(near) == 1:
                return near == [self.place]
        raise AssertionError("the precisions never end")

    def to_sympy(self) -> Any:
        """Return the number as a SymPy expression, a `CRootOf` the polynomial."""
        import sympy

        return sympy.CRootOf(sympy.Poly(self.coefficients[::-1], sympy.Symbol("t")), self.place, radicals=False)

    def __str__(self) -> str:
        return f"root {self.place + 1} of {polynomial_text(self.coefficients)} ≈ {self.decimal()}"

    def to_latex(self) -> str:
        r"""Return the number as LaTeX, rounded, because it has no short closed form."""
        return rf"\approx {self.decimal()}"


def polynomial_text(coefficients: Sequence[int | Fraction], symbol: object = "t") -> str:
    """Return the text of a polynomial in a symbol, with the highest power first."""
    symbols = ["", str(symbol), *(f"{symbol}^{power}" for power in range(2, len(coefficients)))]
    terms = list(zip(map(Fraction, coefficients), symbols, strict=False))
    return sum_text(reversed(terms), exact_text, "*")


def real_roots(coefficients: Sequence[int | Fraction]) -> list[Root]:
    """Return the distinct real roots of a polynomial, ascending.

    Parameters
    ----------
    coefficients : sequence of int or Fraction
        The coefficients, the constant first. Not all of them may be zero.

    Examples
    --------
    >>> real_roots([0, -2, 0, 1])
    [RootSum([(-1, 2)]), Fraction(0, 1), RootSum([(1, 2)])]
    """
    from flint import fmpz_poly

    integers, _ = integers_over(map(Fraction, coefficients))
    if not any(integers):
        raise InvalidValueError(explain("coefficients", "not all zero", list(coefficients), "every number is a root"))
    _, factors = fmpz_poly(integers).factor()
    found: list[Any] = [root for factor, _ in factors for root in _roots_of(tuple(map(int, factor.coeffs())))]
    return sorted(found)


def _roots_of(irreducible: tuple[int, ...]) -> list[Root]:
    if irreducible[-1] < 0:
        irreducible = tuple(-value for value in irreducible)
    if len(irreducible) == 2:
        return [Fraction(-irreducible[0], irreducible[1])]
    if len(irreducible) == 3:
        c, b, a = irreducible
        square = Fraction(b * b - 4 * a * c, 4 * a * a)
        middle = Fraction(-b, 2 * a)
        return [] if square < 0 else [middle - sqrt(square), middle + sqrt(square)]
    return [AlgebraicNumber(irreducible, place) for place in range(len(_real_balls(irreducible, 64)))]


@functools.lru_cache(maxsize=4096)
def _real_balls(irreducible: tuple[int, ...], precision: int) -> list[Any]:
    """Return disjoint balls that enclose the real roots of an irreducible polynomial, ascending."""
    from flint import ctx, fmpz_poly

    with ctx.workprec(precision):
        roots: list[Any] = fmpz_poly(list(irreducible)).complex_roots()
    return sorted((root.real for root, _ in roots if root.imag.is_zero()), key=lambda ball: ball.mid())


class FieldElement(Enclosed, Result):
    """An irrational value of a rational polynomial at an algebraic number.

    The degree of the polynomial is below the degree of the algebraic number. So the coefficients are unique.

    Attributes
    ----------
    root : AlgebraicNumber
        The algebraic number.
    coefficients : tuple of Fraction
        The coefficients of the polynomial, the constant first. There are at least two, and the last is not zero.

    Examples
    --------
    >>> root = real_roots([-2, 0, 0, 1])[0]
    >>> print(value_at([0, 0, 3], [1, 1], root), value_at([0, 0, 0, 3], [1], root))
    t^2 + 2*t - 2 at root 1 of t^3 - 2 ≈ 1.25992, which is ≈ 2.10724 6
    """

    _parts = ("root", "coefficients")

    def __init__(self, root: AlgebraicNumber, coefficients: tuple[Fraction, ...]) -> None:
        self.root, self.coefficients = root, coefficients

    def _ball(self, precision: int) -> arb:
        from flint import ctx

        with ctx.workprec(precision):
            at = self.root._enclose(precision)
            total = at * 0
            for value in reversed(self.coefficients):
                total = total * at + rational_ball(value, precision)
            return total

    def _equality(self, other: Enclosed) -> Callable[[], bool] | None:
        if not isinstance(other, FieldElement) or other.root != self.root:
            return None
        return lambda: self.coefficients == other.coefficients

    def to_sympy(self) -> Any:
        """Return the number as a SymPy expression, a polynomial in a `CRootOf`."""
        import sympy

        root = self.root.to_sympy()
        return sympy.Add(*(sympy.Rational(c) * root**power for power, c in enumerate(self.coefficients)))

    def __str__(self) -> str:
        return f"{polynomial_text(self.coefficients)} at {self.root}, which is ≈ {self.decimal()}"


def value_at(above: Sequence[int], below: Sequence[int], at: Root) -> Fraction | RootSum | FieldElement:
    """Return the quotient of two polynomials at a number, exactly.

    The polynomials have integer coefficients, the constant first. The second must not be zero at the number.
    """
    from flint import fmpq_poly

    if isinstance(at, AlgebraicNumber):
        zero: Sequence[Any] = at.coefficients
    else:
        (share, radicand), *more = (at.terms if isinstance(at, RootSum) else ()) or ((0, 0),)
        if more:
            repair = "pass a rational, a root of a quadratic, or one of real_roots"
            raise InvalidValueError(explain("at", "of degree at most 2", at, repair))
        middle = at.constant if isinstance(at, RootSum) else at
        zero = [middle**2 - share**2 * radicand, -2 * middle, 1] if share else [-middle, 1]
    integers, _ = integers_over(map(Fraction, zero))
    field = fmpq_poly(integers)
    _, inverse, _ = (fmpq_poly(list(below)) % field).xgcd(field)
    reduced = [Fraction(int(c.p), int(c.q)) for c in (fmpq_poly(list(above)) * inverse % field).coeffs()]
    if len(reduced) < 2:
        return reduced[0] if reduced else Fraction(0)
    return FieldElement(at, tuple(reduced)) if isinstance(at, AlgebraicNumber) else reduced[0] + reduced[1] * at


def difference(one: Any, other: Any) -> Any:
    """Return the first number minus the second. Both may be polynomials in the same algebraic number.

    Examples
    --------
    >>> root = real_roots([-2, 0, 0, 1])[0]
    >>> difference(value_at([0, 1], [1], root), value_at([1, 1], [1], root)), difference(Fraction(1), Fraction(1, 3))
    (Fraction(-1, 1), Fraction(2, 3))
    """
    root = next((number.root for number in (one, other) if isinstance(number, FieldElement)), None)
    if root is None:
        return one - other
    rows = [number.coefficients if isinstance(number, FieldElement) else (number,) for number in (one, other)]
    row = [a - b for a, b in itertools.zip_longest(*rows, fillvalue=Fraction(0))]
    while len(row) > 1 and not row[-1]:
        row.pop()
    return FieldElement(root, tuple(row)) if len(row) > 1 else row[0]
