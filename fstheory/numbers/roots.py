"""Numbers q + sqrt(L) with a rational q and an exact sum of logarithms L: what the inequality of Pinsker leads to.

That of Hoeffding leads to sums of several such roots.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING, Any, Self

from fstheory._support.exact import Exact, as_fraction, exact_text, integers_over, latex_fraction, latex_shown
from fstheory._support.result import Result
from fstheory.errors import InvalidValueError, explain
from fstheory.numbers.enclosure import (
    LONG,
    MANY,
    WIDE,
    Enclosed,
    ExactReal,
    checked_pairs,
    compare,
    growing,
    operand,
    proven_order,
    rational_ball,
    total,
)
from fstheory.numbers.logsum import LogSum, factors_of, quotient, small_primes

if TYPE_CHECKING:
    from flint import arb
__all__ = [
    "RootSum",
    "ShiftedRoot",
    "ShiftedRoots",
    "sqrt",
]


# -- RootSum: sums of rational multiples of square roots of rationals, exactly.


_SMALL = 2**32  # integers below this are factored


class RootSum(ExactReal):
    """An exact real number ``q + sum(q_i * sqrt(r_i))`` with rational q, q_i and rational r_i >= 0.

    It is an algebraic number: sums and products of RootSums are RootSums, and every comparison is
    decided, also those with a `LogSum`.

    Parameters
    ----------
    terms : iterable of pairs (coefficient, radicand)
        Exact numbers; the radicands not negative.
    constant : exact number

    Raises
    ------
    InvalidValueError
        A radicand is negative.

    Examples
    --------
    >>> sqrt(8) == 2 * sqrt(2), sqrt("1/4") == Fraction(1, 2)
    (True, True)
    >>> (sqrt(2) + sqrt(3)) ** 2 == 5 + 2 * sqrt(6)
    True
    >>> print(RootSum([(Fraction(1, 2), 12)], constant=-1))
    -1 + sqrt(3) ≈ 0.732051
    """

    __slots__ = ("_denominator", "_terms")

    _symbol = "square root"
    _denominator: int
    _terms: dict[int, int]

    def __init__(self, terms: Iterable[tuple[Exact, Exact]] = (), constant: Exact = 0) -> None:
        pairs = [(as_fraction(constant, "constant"), 1)]
        for first, second in checked_pairs(terms, "pass pairs (coefficient, radicand)"):
            coefficient, radicand = as_fraction(first, "coefficient"), as_fraction(second, "radicand")
            if radicand < 0:
                raise InvalidValueError(explain("radicand", "at least 0", second, "a real number is needed"))
            outside, inside = _without_squares(radicand.numerator * radicand.denominator)
            pairs.append((coefficient * outside / radicand.denominator, inside))
        scaled, denominator = integers_over(coefficient for coefficient, _ in pairs)
        self._set(zip((radicand for _, radicand in pairs), scaled, strict=True), denominator)

    def _set(self, pairs: Iterable[tuple[int, int]], denominator: int) -> Self:
        """Store the terms (radicand, coefficient) in lowest form: independent radicands, no coefficient zero."""
        terms, scale = _independent(pairs)
        denominator *= scale
        common = math.gcd(denominator, *terms.values())
        self._terms = {radicand: c // common for radicand, c in sorted(terms.items()) if c}
        self._denominator = denominator // common
        self._first_ball = self._hash = None
        return self

    @classmethod
    def _of_integers(cls, pairs: Iterable[tuple[int, int]], denominator: int) -> Self:
        return cls.__new__(cls)._set(pairs, denominator)

    # What it is made of

    @property
    def constant(self) -> Fraction:
        """The rational part: two equal RootSums have the same."""
        return Fraction(self._terms.get(1, 0), self._denominator)

    @property
    def terms(self) -> tuple[tuple[Fraction, int], ...]:
        """The pairs (coefficient, integer radicand) beside the constant; no two radicands have a square as product."""
        return tuple((Fraction(c, self._denominator), radicand) for radicand, c in self._terms.items() if radicand > 1)

    # Decisions

    def _ball(self, precision: int) -> arb:
        from flint import arb, ctx

        with ctx.workprec(precision):
            total = arb(0)
            for radicand, coefficient in self._terms.items():
                total += arb(radicand).sqrt() * coefficient
            return total / self._denominator

    def _vanishes(self) -> bool:
        return not self._terms

    def _rational_value(self) -> Fraction | None:
        return self.constant if self._terms.keys() <= {1} else None

    # Arithmetic

    def _plus(self, other: RootSum | Fraction) -> Self:
        other = RootSum.of(other)
        denominator = math.lcm(self._denominator, other._denominator)
        mine, theirs = denominator // self._denominator, denominator // other._denominator
        pairs = [(radicand, c * mine) for radicand, c in self._terms.items()]
        pairs += [(radicand, c * theirs) for radicand, c in other._terms.items()]
        return self._of_integers(pairs, denominator)

    def _times(self, factor: Fraction) -> Self:
        pairs = [(radicand, c * factor.numerator) for radicand, c in self._terms.items()]
        return self._of_integers(pairs, self._denominator * factor.denominator)

    def __mul__(self, other: object) -> Self:
        """Multiply; the product with a RootSum of as many terms takes their square."""
        if not isinstance(other, RootSum):
            return super().__mul__(other)
        pairs = []
        for radicand, coefficient in self._terms.items():
            for theirs, by in other._terms.items():
                shared = math.gcd(radicand, theirs)  # sqrt(s a) sqrt(s b) = s sqrt(a b)
                outside, inside = _without_squares(radicand // shared * (theirs // shared))
                pairs.append((inside, coefficient * by * shared * outside))
        return self._of_integers(pairs, self._denominator * other._denominator)

    __rmul__ = __mul__

    def __pow__(self, exponent: int) -> Self:
        if not isinstance(exponent, int) or isinstance(exponent, bool) or exponent < 0:
            return NotImplemented
        power = self._of_integers([(1, 1)], 1)
        for _ in range(exponent):
            power *= self
        return power

    def __truediv__(self, other: object) -> Self:
        """Divide by a rational or a multiple of one root."""
        if isinstance(other, RootSum) and len(other._terms) == 1:
            ((radicand, coefficient),) = other._terms.items()
            inverse = Fraction(other._denominator, coefficient * radicand)  # 1 / (c sqrt(m)) = sqrt(m) / (c m)
            return (self * self._of_integers([(radicand, 1)], 1))._times(inverse)
        return super().__truediv__(other)

    def __rtruediv__(self, other: object) -> Self:
        one = self._of_integers([(1, 1)], 1)
        return one / self * other if len(self._terms) == 1 else super().__rtruediv__(other)

    # In and out

    def __reduce__(self) -> tuple[Any, tuple[Any, ...]]:
        return RootSum._of_integers, (tuple(self._terms.items()), self._denominator)

    def _formula(self, write: Callable[[Fraction], str], times: str) -> str | None:
        numbers = [self.constant, *(exact for term in self.terms[: MANY + 1] for exact in term)]
        lengths = [len(exact_text(exact)) for exact in numbers]
        if len(self.terms) > MANY or max(lengths) > LONG or sum(lengths) > WIDE:
            return None
        root = "sqrt({})" if write is exact_text else r"\sqrt{{{}}}"
        return total(self.constant, [(c, root.format(exact_text(m))) for c, m in self.terms], write, times)

    def to_sympy(self) -> Any:
        """Return the number as a sympy expression.

        Examples
        --------
        >>> sqrt("3/4").to_sympy()
        sqrt(3)/2
        """
        import sympy

        parts = [(self.constant, 1), *self.terms]
        return sympy.Add(*(sympy.Rational(c.numerator, c.denominator) * sympy.sqrt(m) for c, m in parts))


def sqrt(radicand: Exact) -> RootSum:
    """Return the square root of a rational that is not negative, exactly.

    Parameters
    ----------
    radicand : exact number at least 0
        An int, a Fraction or a string such as "3/8".

    Examples
    --------
    >>> sqrt(2) + sqrt(8) == sqrt(18), sqrt(2) < Fraction(3, 2)
    (True, True)
    """
    return RootSum([(1, radicand)])


def _without_squares(number: int) -> tuple[int, int]:
    """Return (s, m) with ``number == s * s * m``; below 2**32, m has no square factor."""
    if number == 0:
        return 0, 1
    factors, cofactor = ([], number) if number < _SMALL else _divide_out(number)
    root = math.isqrt(cofactor)
    if root * root == cofactor:
        outside, inside = root, 1
    elif cofactor < _SMALL:
        outside, inside = 1, 1
        factors += factors_of(cofactor)
    else:
        outside, inside = 1, cofactor
    for prime, exponent in factors:
        outside *= prime ** (exponent // 2)
        inside *= prime ** (exponent % 2)
    return outside, inside


def _divide_out(number: int) -> tuple[list[tuple[int, int]], int]:
    """Return the small primes of a number with their exponents, and the cofactor."""
    found = []
    for prime in small_primes():
        exponent = 0
        while number % prime == 0:
            number, exponent = number // prime, exponent + 1
        found.append((prime, exponent))
    return found, number


def _independent(pairs: Iterable[tuple[int, int]]) -> tuple[dict[int, int], int]:
    """Put together the terms (radicand, coefficient) whose radicands have a square as product.

    Returns the coefficient of each radicand that stays, and a number by which all were multiplied. Radicands below
    2**32 come without squares, and so differ if and only if they are independent.
    """
    terms: dict[int, int] = {}
    for radicand, coefficient in pairs:
        terms[radicand] = terms.get(radicand, 0) + coefficient
    terms = {radicand: coefficient for radicand, coefficient in terms.items() if coefficient}
    if all(radicand < _SMALL for radicand in terms):
        return terms, 1
    classes: dict[int, list[int]] = {}
    found: dict[int, Fraction] = {}
    for radicand, coefficient in sorted(terms.items()):  # the smallest of its class stands for it
        alike = classes.setdefault(_signature(radicand), [])
        for other in alike:
            root = math.isqrt(radicand * other)
            if root * root == radicand * other:
                found[other] += Fraction(coefficient * root, other)  # sqrt(r) = root / other * sqrt(other)
                break
        else:
            alike.append(radicand)
            found[radicand] = Fraction(coefficient)
    scaled, scale = integers_over(found.values())
    return dict(zip(found, scaled, strict=True)), scale


def _signature(number: int) -> int:
    """Return bits that agree for any two numbers whose product is a square.

    They tell the parity of the exponent of each small prime and, of the cofactor, whether it is a square modulo it.
    """
    factors, cofactor = _divide_out(number)
    bits = 0
    for prime, exponent in factors:
        residue = pow(cofactor, (prime - 1) // 2, prime) == 1
        bits = bits << 2 | (exponent & 1) << 1 | residue
    return bits


# -- Numbers q + sqrt(L) with a rational q and an exact sum of logarithms L: what the inequality of Pinsker leads to.


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
    >>> from fstheory.numbers import log
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
        >>> from fstheory.numbers import log
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
        return f"ShiftedRoot('{exact_text(self._shift)}', {self._radicand!r})"

    def __str__(self) -> str:
        value = self._rational_value()
        if value is not None:
            return exact_text(value)
        inside = str(self._radicand)
        if inside.startswith("≈"):
            return f"≈{self.decimal()}"
        shift = f"{exact_text(self._shift)} + " if self._shift else ""
        return f"{shift}sqrt({inside.partition(' ≈ ')[0]}) ≈ {self.decimal()}"

    def _repr_latex_(self) -> str:
        return latex_shown(self.to_latex(), self.decimal(), self._rational_value())

    def to_latex(self) -> str:
        r"""Write the number in LaTeX.

        Examples
        --------
        >>> from fstheory.numbers import log
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


class ShiftedRoots(Enclosed, Result):
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
    >>> from fstheory.numbers import log
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
        return f"ShiftedRoots('{exact_text(self.shift)}', [{', '.join(map(repr, self.radicands))}])"

    def __str__(self) -> str:
        if (value := self._rational_value()) is not None:
            return exact_text(value)
        exact = [str(root).rpartition(" ≈ ")[0] for root in self._roots]
        return f"{' + '.join(exact)} ≈ {self.decimal()}" if all(exact) else f"≈{self.decimal()}"

    def _repr_latex_(self) -> str:
        return latex_shown(self.to_latex(), self.decimal(), self._rational_value())

    def to_latex(self) -> str:
        r"""Write the number in LaTeX.

        Examples
        --------
        >>> from fstheory.numbers import log
        >>> print(ShiftedRoots("1/4", [log(2), log(3)]).to_latex())
        \frac{1}{4} + \sqrt{\log 2} + \sqrt{\log 3}
        """
        return " + ".join(root.to_latex() for root in self._roots)
