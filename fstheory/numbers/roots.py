"""Exact sums of square roots, of rationals or of sums of logarithms."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Any, Self

from fstheory._support.exact import Exact, as_fraction, exact_text, integers_over, latex_fraction, latex_shown
from fstheory._support.result import Result
from fstheory.errors import require
from fstheory.numbers import enclosure
from fstheory.numbers.logsum import LogSum, factors_of, quotient, small_primes

if TYPE_CHECKING:
    from flint import arb


# -- RootSum: sums of rational multiples of square roots of rationals, exactly.


_SMALL = 2**32  # integers below this are factored


class RootSum(enclosure.ExactReal):
    """An exact real number ``q + sum(q_i * sqrt(r_i))`` with rational q, q_i and rational r_i >= 0.

    Use it for bounds with square roots. Sums and products of RootSums are RootSums. Every comparison is decided,
    including a comparison with a `LogSum`.

    Parameters
    ----------
    terms : iterable of pairs (coefficient, radicand)
        The terms as exact numbers. The radicands must be at least 0.
    constant : exact number
        The rational term q.

    Examples
    --------
    >>> (sqrt(2) + sqrt(3)) ** 2 == 5 + 2 * sqrt(6)
    True
    >>> print(RootSum([(Fraction(1, 2), 12)], constant=-1))
    -1 + sqrt(3) ≈ 0.732051
    """

    _symbol = "square root"

    def __init__(self, terms: Iterable[tuple[Exact, Exact]] = (), constant: Exact = 0) -> None:
        pairs = [(as_fraction(constant, "constant"), 1)]
        for first, second in enclosure.checked_pairs(terms, "pass pairs (coefficient, radicand)"):
            coefficient, radicand = as_fraction(first, "coefficient"), as_fraction(second, "radicand")
            require(radicand >= 0, "radicand", "at least 0", second, "only then is its root a real number")
            outside, inside = _without_squares(radicand.numerator * radicand.denominator)
            pairs.append((coefficient * outside / radicand.denominator, inside))
        scaled, denominator = integers_over(coefficient for coefficient, _ in pairs)
        self._set(zip((radicand for _, radicand in pairs), scaled, strict=True), denominator)

    def _set(self, pairs: Iterable[tuple[int, int]], denominator: int) -> Self:
        """Store the terms (radicand, coefficient) in lowest form: independent radicands, no zero coefficient."""
        terms, scale = _independent(pairs)
        denominator *= scale
        common = math.gcd(denominator, *terms.values())
        self._terms = {radicand: c // common for radicand, c in sorted(terms.items()) if c}
        self._denominator = denominator // common
        return self

    @classmethod
    def _of_integers(cls, pairs: Iterable[tuple[int, int]], denominator: int) -> Self:
        return cls.__new__(cls)._set(pairs, denominator)

    # Parts

    @property
    def constant(self) -> Fraction:
        """The rational term. Equal RootSums have equal constants."""
        return Fraction(self._terms.get(1, 0), self._denominator)

    @property
    def terms(self) -> tuple[tuple[Fraction, int], ...]:
        """The pairs (coefficient, integer radicand) besides the constant. No two radicands have a square as product."""
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

    @cached_property
    def _rational_value(self) -> Fraction | None:
        return self.constant if self._terms.keys() <= {1} else None

    def _of_sympy(self, terms: Iterable[tuple[Any, Any]]) -> RootSum | None:
        pairs = [(coefficient, rest.as_base_exp()) for coefficient, rest in terms]
        roots = all(
            base.is_Rational and base > 0 and exponent == Fraction(1, 2) ** (base != 1) for _, (base, exponent) in pairs
        )
        return RootSum((c, base) for c, (base, _) in pairs) if roots else None

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
        """Return the product with a rational or a RootSum. Two sums of t terms take t**2 multiplications."""
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
        """Return the quotient by a rational or by a rational multiple of one square root."""
        if isinstance(other, RootSum) and len(other._terms) == 1:
            ((radicand, coefficient),) = other._terms.items()
            inverse = Fraction(other._denominator, coefficient * radicand)  # 1 / (c sqrt(m)) = sqrt(m) / (c m)
            return (self * self._of_integers([(radicand, 1)], 1))._times(inverse)
        return super().__truediv__(other)

    def __rtruediv__(self, other: object) -> Self:
        one = self._of_integers([(1, 1)], 1)
        return one / self * other if len(self._terms) == 1 else super().__rtruediv__(other)

    # Conversion and text

    def __reduce__(self) -> tuple[Any, tuple[Any, ...]]:
        return RootSum._of_integers, (tuple(self._terms.items()), self._denominator)

    def _formula(self, write: Callable[[Fraction], str], times: str) -> str | None:
        length = self._shown_length()
        if length is None or length > enclosure.WIDE:
            return None
        root = "sqrt({})" if write is exact_text else r"\sqrt{{{}}}"
        terms = [(coefficient, root.format(exact_text(radicand))) for coefficient, radicand in self.terms]
        return enclosure.sum_text([(self.constant, ""), *terms], write, times)

    def to_sympy(self) -> Any:
        """Return the number as a SymPy expression."""
        import sympy

        return sympy.Add(*(sympy.Rational(c) * sympy.sqrt(m) for c, m in ((self.constant, 1), *self.terms)))


def sqrt(radicand: Exact) -> RootSum:
    """Return the square root of an exact number that is not negative.

    Examples
    --------
    >>> sqrt(2) + sqrt(8) == sqrt(18), sqrt(2) < Fraction(3, 2)
    (True, True)
    """
    return RootSum([(1, radicand)])


def _without_squares(number: int) -> tuple[int, int]:
    """Return (s, m) with ``number == s * s * m``. If m is below 2**32, it has no square factor."""
    if number == 0:
        return 0, 1
    factors, cofactor = ([], number) if number < _SMALL else _divide_out(number)
    root = math.isqrt(cofactor)
    outside, inside = (root, 1) if root * root == cofactor else (1, cofactor)
    if 1 < inside < _SMALL:
        factors += factors_of(inside)
        inside = 1
    for prime, exponent in factors:
        outside *= prime ** (exponent // 2)
        inside *= prime ** (exponent % 2)
    return outside, inside


def _divide_out(number: int) -> tuple[list[tuple[int, int]], int]:
    """Return the primes below 256 with their exponents in a number, and the remaining cofactor."""
    found = []
    for prime in small_primes():
        exponent = 0
        while number % prime == 0:
            number, exponent = number // prime, exponent + 1
        found.append((prime, exponent))
    return found, number


def _independent(pairs: Iterable[tuple[int, int]]) -> tuple[dict[int, int], int]:
    """Merge terms whose radicands have a square as product.

    Return the terms, and the factor by which all are scaled.
    """
    terms: dict[int, int] = {}
    for radicand, coefficient in pairs:
        terms[radicand] = terms.get(radicand, 0) + coefficient
    terms = {radicand: coefficient for radicand, coefficient in terms.items() if coefficient}
    if len(terms.keys() - {1}) < 2 or all(radicand < _SMALL for radicand in terms):
        return terms, 1  # no radicand but 1 is a square, and different square-free radicands are independent
    classes: dict[int, list[int]] = {}
    found: dict[int, Fraction] = {}
    for radicand, coefficient in sorted(terms.items()):  # the smallest radicand represents its class
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
    """Return a number that is equal for any two numbers whose product is a square."""
    factors, cofactor = _divide_out(number)
    bits = 0
    for prime, exponent in factors:  # parity of the exponent; whether the cofactor is a square modulo the prime
        residue = pow(cofactor, (prime - 1) // 2, prime) == 1
        bits = bits << 2 | (exponent & 1) << 1 | residue
    return bits


# -- Numbers q + sqrt(L1) + ..: Pinsker's inequality leads to one such root, Hoeffding's inequality to several.


class ShiftedRoot(enclosure.Enclosed, Result):
    """An exact real number ``shift + sqrt(L1) + sqrt(L2) + ..``: a rational plus square roots of `LogSum` values.

    Bounds that use Pinsker's or Hoeffding's inequality are numbers of this kind. Every answer of a comparison is
    proven. A comparison always ends if there is one root. That it always ends with several roots would follow from
    Schanuel's conjecture. Rationals and other ShiftedRoots can be added.

    Parameters
    ----------
    shift : exact number
        The rational term.
    *radicands : LogSum or exact number
        The numbers L1, L2, .. under the roots. They must be at least 0.

    Attributes
    ----------
    shift : Fraction
        The rational term, including roots that are rational.
    radicands : tuple of LogSum
        The numbers under the irrational roots. Roots that are rational multiples of each other are merged into one.

    Examples
    --------
    >>> from fstheory.numbers import log
    >>> print(ShiftedRoot("1/4", log(2) / 2))
    1/4 + sqrt(1/2*log(2)) ≈ 0.838705
    """

    _parts = ("shift", "radicands")

    def __init__(self, shift: Exact, *radicands: LogSum | Exact) -> None:
        self.shift, merged = as_fraction(shift, "shift"), list[LogSum]()
        for radicand in map(LogSum.of, radicands):
            require(radicand >= 0, "radicand", "at least 0", str(radicand), "only then is its root a real number")
            if (value := _rational_root(radicand)) is not None:
                self.shift += value
                continue
            for place, other in enumerate(merged):
                if (ratio := _root_of_quotient(radicand, other)) is not None:
                    merged[place] = other * (1 + ratio) ** 2
                    break
            else:
                merged.append(radicand)
        self.radicands = tuple(merged)

    # Decisions

    def _ball(self, precision: int) -> arb:
        from flint import ctx

        ball = enclosure.rational_ball(self.shift, precision)
        with ctx.workprec(precision):
            return sum((_ball_of_root(radicand, precision) for radicand in self.radicands), ball)

    @cached_property
    def _rational_value(self) -> Fraction | None:
        """The value if it is rational, else None. An irrational sum of logarithms has no rational root."""
        return None if self.radicands else self.shift

    def _equality(self, other: enclosure.Enclosed) -> Callable[[], bool] | None:
        if not isinstance(other, ShiftedRoot):
            return None
        return lambda: self.shift == other.shift and set(self.radicands) == set(other.radicands)

    # Arithmetic: rationals and other ShiftedRoots can be added

    def __add__(self, other: object) -> ShiftedRoot:
        if isinstance(other, ShiftedRoot):
            return ShiftedRoot(self.shift + other.shift, *self.radicands, *other.radicands)
        number = enclosure.operand(other)
        return ShiftedRoot(self.shift + number, *self.radicands) if isinstance(number, Fraction) else NotImplemented

    __radd__ = __add__

    def __sub__(self, other: object) -> ShiftedRoot:
        number = enclosure.operand(other)
        return self + -number if isinstance(number, Fraction) else NotImplemented

    # Conversion and text

    def __reduce__(self) -> tuple[Any, tuple[Any, ...]]:
        return ShiftedRoot, (self.shift, *self.radicands)

    def to_sympy(self) -> Any:
        """Return the number as a SymPy expression."""
        import sympy

        return sympy.Add(sympy.Rational(self.shift), *(sympy.sqrt(radicand.to_sympy()) for radicand in self.radicands))

    def _arguments(self) -> str:
        return ", ".join([f"'{exact_text(self.shift)}'", *map(repr, self.radicands)])

    def __str__(self) -> str:
        if not self.radicands:
            return exact_text(self.shift)
        inside = [str(radicand) for radicand in self.radicands]
        if any(text.startswith("≈") for text in inside):
            return f"≈{self.decimal()}"
        shift = [exact_text(self.shift)] if self.shift else []
        roots = [f"sqrt({text.partition(' ≈ ')[0]})" for text in inside]
        return f"{' + '.join(shift + roots)} ≈ {self.decimal()}"

    def _repr_latex_(self) -> str:
        return latex_shown(self.to_latex(), self.decimal(), self._rational_value)

    def to_latex(self) -> str:
        """Return the number as LaTeX, exactly, or rounded if a radicand is too long to be shown."""
        inside = [radicand.to_latex() for radicand in self.radicands]
        if any(text.startswith(r"\approx") for text in inside):
            return rf"\approx {self.decimal()}"
        shift = [latex_fraction(self.shift)] if self.shift or not inside else []
        return " + ".join(shift + [rf"\sqrt{{{text}}}" for text in inside])


def _ball_of_root(radicand: LogSum, precision: int) -> arb:
    """Return a ball that encloses the root of a number above 0."""
    from flint import ctx

    inside, finer = enclosure.apart_from_zero(radicand, precision)  # a ball with negative numbers has no root
    with ctx.workprec(finer):
        return inside.sqrt()


def _rational_root(number: LogSum | Fraction) -> Fraction | None:
    """Return the square root of a non-negative number if it is rational, else None."""
    if (square := enclosure.rational(number)) is None:
        return None
    root = Fraction(math.isqrt(square.numerator), math.isqrt(square.denominator))
    return root if root * root == square else None


def _root_of_quotient(above: LogSum, below: LogSum) -> Fraction | None:
    """Return the square root of a quotient if it is rational, else None. Return None for logarithms to two bases."""
    ratio = quotient(above, below) if above.base == below.base else None
    return _rational_root(ratio) if isinstance(ratio, Fraction) else None
