"""The base of exact real numbers: enclosures of any precision, comparison, hash and rounding, all exactly decided."""

from __future__ import annotations

import abc
import itertools
import numbers
import operator
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from decimal import Decimal
from fractions import Fraction
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any, ClassVar, Self, cast

from fstheory import errors
from fstheory._support import exact
from fstheory._support.exact import Exact, as_fraction, exact_text
from fstheory._support.result import to_json
from fstheory.errors import InvalidTypeError, explain

if TYPE_CHECKING:
    from flint import arb

FIRST_PRECISION = 64
_HASH_BITS = 64


def precisions(first: int = FIRST_PRECISION) -> Iterator[int]:
    """Return precisions in bits without end, each twice the precision before it."""
    return (first << doublings for doublings in itertools.count())


def endpoints(ball: arb) -> tuple[Fraction, Fraction]:
    """Return the exact lower and upper end of a ball."""
    middle, radius = _dyadic(ball.mid()), _dyadic(ball.rad())
    return middle - radius, middle + radius


def _dyadic(point: arb) -> Fraction:
    mantissa, exponent = map(int, point.man_exp())
    return Fraction(mantissa << exponent) if exponent >= 0 else Fraction(mantissa, 1 << -exponent)


def rational_ball(value: Fraction, precision: int) -> arb:
    """Return a ball that encloses a rational."""
    from flint import arb, ctx

    with ctx.workprec(precision):
        return arb(value.numerator) / value.denominator


def proven_order(left: arb, right: arb | int) -> int:
    """Return -1 or 1 if the balls prove an order, else 0."""
    return -1 if left < right else 1 if left > right else 0


def compare(left: Callable[[int], arb], right: Callable[[int], arb | int], is_equal: Callable[[], bool]) -> int:
    """Return the sign of ``left - right`` for two numbers given by their enclosures.

    If the first enclosures overlap, `is_equal` is called once. If the numbers are not equal, finer enclosures
    eventually separate them.
    """
    for precision in precisions():
        if order := proven_order(left(precision), right(precision)):
            return order
        if precision == FIRST_PRECISION and is_equal():
            return 0
    raise AssertionError("the precisions never end")


def _checked(digits: int) -> int:
    return exact.as_index(
        digits, "digits", at_least=1, at_most=10**7, repair="ask for fewer", error=errors.TooLargeError
    )


def apart_from_zero(number: Enclosed, precision: int) -> tuple[arb, int]:
    """Return an enclosure of a number other than 0 that does not contain 0, and its precision.

    The precision is at least the given one, and as much larger as it must be.
    """
    for finer in precisions(precision):
        ball = number._enclose(finer)
        if proven_order(ball, 0):
            return ball, finer
    raise AssertionError("the precisions never end")


class Enclosed(abc.ABC):
    """A real number that can be enclosed at any precision and that knows whether it is rational."""

    _first_ball: arb | None = None
    _parts: ClassVar[tuple[str, ...]] = ()  # the properties that define the number

    @abc.abstractmethod
    def _ball(self, precision: int) -> arb:
        """Return a ball that encloses the value, computed with `precision` bits."""

    @cached_property
    def _rational_value(self) -> Fraction | None:
        """The value if it is rational, else None. It is decided once."""
        return None

    def _equality(self, other: Enclosed) -> Callable[[], bool] | None:
        """Return a function that decides by algebra whether two numbers are equal.

        Return None if numbers of these kinds cannot be compared.
        """
        del other
        return None

    def _of_sympy(self, terms: Iterable[tuple[Any, Any]]) -> Enclosed | None:
        """Return a sum of SymPy terms (coefficient, symbol) as a number of this kind. Return None if it is not one."""
        del terms
        return None

    def _order(self, other: Enclosed | Fraction) -> int | None:
        """Return the sign of ``self - other``. Return None if numbers of these kinds cannot be compared."""
        if isinstance(other, Fraction):
            return compare(self._enclose, partial(rational_ball, other), lambda: self._rational_value == other)
        equality = self._equality(other)
        return None if equality is None else compare(self._enclose, other._enclose, equality)

    def _enclose(self, precision: int) -> arb:
        if precision != FIRST_PRECISION:
            return self._ball(precision)
        if self._first_ball is None:
            self._first_ball = self._ball(precision)
        return self._first_ball

    def enclosure(self, digits: int = 15) -> tuple[Fraction, Fraction]:
        """Return a proven lower and a proven upper bound that agree to `digits` significant digits.

        They differ by at most ``10**-digits`` times the absolute value. They are equal only if the value is rational.

        Examples
        --------
        >>> from fstheory.numbers import log
        >>> lower, upper = log(2).enclosure(30)
        >>> lower < log(2) < upper, upper - lower < Fraction(1, 10**30)
        (True, True)
        """
        digits = _checked(digits)
        value = self._rational_value
        return self._enclosed(digits) if value is None else (value, value)

    def _enclosed(self, digits: int) -> tuple[Fraction, Fraction]:
        """Return the `enclosure` of an irrational value."""
        for precision in precisions():
            lower, upper = endpoints(self._enclose(precision))
            if (upper - lower) * 10**digits <= min(abs(lower), abs(upper)) and (lower > 0) == (upper > 0):
                return lower, upper
        raise AssertionError("the precisions never end")

    def __float__(self) -> float:
        """Return the float nearest to the value."""
        for precision in precisions():
            lower, upper = endpoints(self._enclose(precision))
            if (nearest := float(lower)) == float(upper):
                return nearest
            if precision == FIRST_PRECISION and (value := self._rational_value) is not None:
                return float(value)
        raise AssertionError("the precisions never end")

    def decimal(self, digits: int = 6) -> str:
        """Return the value as text, rounded to `digits` significant digits.

        Examples
        --------
        >>> from fstheory.numbers import log
        >>> log(2).decimal(20)
        '0.69314718055994530942'
        """
        digits = _checked(digits)
        value = self._rational_value
        if value is not None:
            return exact.decimal_text(value, digits)
        for finer in precisions(digits + 2):
            lower, upper = (exact.decimal_text(end, digits) for end in self._enclosed(finer))
            if lower == upper:
                return lower
        raise AssertionError("the precisions never end")

    def is_rational(self) -> bool:
        """Return whether the value is a rational number."""
        return self._rational_value is not None

    def as_fraction(self) -> Fraction:
        """Return the value as a Fraction. An irrational value is refused."""
        value = self._rational_value
        if value is None:
            raise errors.InvalidValueError(explain("the number", "rational", self, "take enclosure(digits) or float()"))
        return value

    def to_sympy(self) -> Any:
        """Return the number as an exact SymPy expression. `sympy.sympify` returns the same.

        A number equals its expression. It also equals any other form of it that SymPy expands to a sum of rational
        multiples of logarithms or of roots. If the SymPy expression stands on the left of ``==``, SymPy compares only
        the forms. SymPy also hashes by form, so do not mix numbers and expressions in one set.

        Examples
        --------
        >>> from fstheory.numbers import log, sqrt
        >>> log(12).to_sympy(), (sqrt(8) - 1).to_sympy()
        (log(3) + 2*log(2), -1 + 2*sqrt(2))
        """
        raise InvalidTypeError(explain("the number", "of closed form", self, "take enclosure(digits) or float()"))

    def _sympy_(self) -> Any:
        return self.to_sympy()

    def to_dict(self) -> dict[str, Any]:
        """Return the parts of the number and a rounded decimal, as JSON data.

        Examples
        --------
        >>> from fstheory.numbers import log
        >>> log(2).to_dict()
        {'constant': '0', 'terms': [['1', 2]], 'base': None, 'decimal': '0.693147180560'}
        """
        parts: dict[str, Any] = to_json({name: getattr(self, name) for name in self._parts})
        return parts | {"decimal": self.decimal(12)}

    def sign(self) -> int:
        """Return the sign of the number: -1, 0 or 1."""
        return self._order(Fraction(0)) or 0

    def __bool__(self) -> bool:
        return self.sign() != 0

    def __eq__(self, other: object) -> bool:
        return True if self is other else self._compared(other, operator.eq)

    def __lt__(self, other: object) -> bool:
        return self._compared(other, operator.lt)

    def __le__(self, other: object) -> bool:
        return self._compared(other, operator.le)

    def __gt__(self, other: object) -> bool:
        return self._compared(other, operator.gt)

    def __ge__(self, other: object) -> bool:
        return self._compared(other, operator.ge)

    def _compared(self, other: object, relation: Callable[[int, int], bool]) -> bool:
        number: Any = comparable(other)
        if number is None and "sympy" in sys.modules and isinstance(other, sys.modules["sympy"].Expr):
            terms = sys.modules["sympy"].expand_mul(other).as_ordered_terms()
            number = self._of_sympy(term.as_coeff_Mul(rational=True) for term in terms)
        order = None if number is None else self._order(number)
        return NotImplemented if order is None else relation(order, 0)

    def __hash__(self) -> int:
        if (value := self._rational_value) is not None:
            return hash(value)
        # Equal numbers of two kinds have the same floor, and fine enclosures of an irrational number decide it.
        for precision in precisions():
            lower, upper = (end * 2**_HASH_BITS // 1 for end in endpoints(self._enclose(precision)))
            if lower == upper:
                return hash(lower)
        raise AssertionError("the precisions never end")

    def __reduce__(self) -> tuple[Any, tuple[Any, ...]]:
        return type(self), tuple(getattr(self, part) for part in self._parts)

    def __repr__(self) -> str:
        """Return the call that makes the number, or its text if that call is too long for a line."""
        text = f"{type(self).__name__}({self._arguments()})"
        return text if len(text) <= WIDE else f"<{type(self).__name__}: {exact.to_text(self, longest=WIDE)}>"

    def _arguments(self) -> str:
        """Return the arguments of the call that makes the number."""
        return ", ".join(repr(getattr(self, part)) for part in self._parts)

    def __format__(self, specification: str) -> str:
        return format(float(self), specification) if specification else str(self)


# A sum is shown exactly unless it is larger than one of these limits.
MANY = 12  # terms
LONG = 60  # characters of one number
WIDE = 100  # characters of all its numbers together


class ExactReal(Enclosed):
    """A real number that is known exactly: `LogSum` or `RootSum`.

    It can be compared with integers, fractions and other exact reals, and every comparison is decided. A number whose
    value is rational equals that Fraction and has the same hash. Floats are refused.
    """

    _parts: ClassVar[tuple[str, ...]] = ("constant", "terms")
    _symbol: ClassVar[str]  # the name of its terms in a text

    @abc.abstractmethod
    def __init__(self, terms: Iterable[tuple[Exact, Exact]] = (), constant: Exact = 0) -> None: ...

    @classmethod
    def of(cls, value: Self | Exact) -> Self:
        """Return a rational as a number of this kind. A number of this kind is returned as it is.

        A rational LogSum can be combined with any base.
        """
        return value if isinstance(value, cls) else cls((), cast(Exact, value))

    @property
    @abc.abstractmethod
    def constant(self) -> Fraction:
        """The rational term of the sum."""

    @property
    @abc.abstractmethod
    def terms(self) -> tuple[tuple[Fraction, int], ...]:
        """The pairs (coefficient, integer)."""

    @abc.abstractmethod
    def _formula(self, write: Callable[[Fraction], str], times: str) -> str | None:
        """Return the exact text of the irrational number, or None if it would be too long."""

    @abc.abstractmethod
    def _vanishes(self) -> bool:
        """Return whether the value is zero, decided by algebra alone."""

    @abc.abstractmethod
    def _plus(self, other: Self | Fraction) -> Self:
        """Return the sum with a number of the same kind or with a rational."""

    @abc.abstractmethod
    def _times(self, factor: Fraction) -> Self:
        """Return the product with a rational."""

    def _compatible(self, other: ExactReal) -> bool:
        """Return whether `_plus` accepts the other number."""
        return type(other) is type(self)

    # Decisions

    def sign(self) -> int:
        """Return the sign of the number: -1, 0 or 1."""
        return compare(self._enclose, lambda _: 0, self._vanishes)

    def is_zero(self) -> bool:
        """Return whether the value is exactly zero."""
        return self.sign() == 0

    def _order(self, other: Enclosed | Fraction) -> int | None:
        if isinstance(other, Fraction):
            apart = other and proven_order(self._enclose(FIRST_PRECISION), rational_ball(other, FIRST_PRECISION))
            return apart or (self._plus(-other) if other else self).sign()
        if not isinstance(other, ExactReal):
            return None
        if self._compatible(other):
            # Most pairs are separated at once. Otherwise enclose the difference, which has fewer terms.
            apart = proven_order(self._enclose(FIRST_PRECISION), other._enclose(FIRST_PRECISION))
            return apart or self._plus(-other).sign()
        mine, theirs = self._rational_value, other._rational_value
        if theirs is not None:
            return self._order(theirs)
        if mine is not None:
            return compare(partial(rational_ball, mine), other._enclose, lambda: False)
        if type(other) is type(self):
            raise self._refuse_mixing(other)
        # An irrational sum of logarithms is transcendental, and a sum of square roots is algebraic. So they differ.
        return compare(self._enclose, other._enclose, lambda: False)

    def _refuse_mixing(self, other: ExactReal) -> InvalidTypeError:
        requirement, repair = f"a {type(self).__name__} or a rational", "compare them, or combine their enclosures"
        return InvalidTypeError(explain("the other number", requirement, other, repair))

    # In text

    def _arguments(self) -> str:
        pairs = ", ".join(f"({written(coefficient)}, {written(n)})" for coefficient, n in self.terms)
        return f"[{pairs}]{', ' + written(self.constant) if self.constant else ''}"

    def __str__(self) -> str:
        if (value := self._rational_value) is not None:
            return exact.to_text(value, 0, LONG)
        if (formula := self._formula(exact_text, "*")) is not None:
            return f"{formula} ≈ {self.decimal()}"
        count = len(self.terms)
        return f"≈{self.decimal()} ({count} {self._symbol}{'s' * (count != 1)})"

    def _repr_latex_(self) -> str:
        return exact.latex_shown(self.to_latex(), self.decimal(), self._rational_value)

    def to_latex(self) -> str:
        r"""Return the number as LaTeX: exactly if that is short, else as a rounded decimal.

        Examples
        --------
        >>> from fstheory.numbers import log, sqrt
        >>> print(log("5/3", base=2).to_latex(), (1 + sqrt(12)).to_latex())
        \log_{2} \frac{5}{3} 1 + 2\,\sqrt{3}
        """
        if (value := self._rational_value) is not None:
            formula = sum_text([(value, "")], exact.latex_fraction, "") if len(exact_text(value)) <= LONG else None
        else:
            formula = self._formula(exact.latex_fraction, r"\,")
        return exact.latex_approximation(self.decimal()) if formula is None else formula

    def _shown_length(self) -> int | None:
        """Return the number of characters of all its numbers, or None if there are too many or one is too long."""
        numbers = [self.constant, *(number for term in self.terms[: MANY + 1] for number in term)]
        lengths = [len(exact_text(number)) for number in numbers]
        return None if len(self.terms) > MANY or max(lengths) > LONG else sum(lengths)

    # Arithmetic that all kinds share

    def __add__(self, other: object) -> Self:
        number = operand(other)
        return NotImplemented if number is None else self._sum(number)

    __radd__ = __add__

    def __sub__(self, other: object) -> Self:
        number = operand(other)
        return NotImplemented if number is None else self._sum(-number)

    def __rsub__(self, other: object) -> Self:
        return (-self).__add__(other)

    def _sum(self, number: ExactReal | Fraction) -> Self:
        if isinstance(number, Fraction) or (isinstance(number, type(self)) and self._compatible(number)):
            return self._plus(number)
        if (value := number._rational_value) is not None:
            return self._plus(value)
        if (value := self._rational_value) is not None:
            return cast(Self, number._plus(value))  # a rational can be added to any kind
        raise self._refuse_mixing(number)

    def __mul__(self, other: object) -> Self:
        number = operand(other)
        if number is None:
            return NotImplemented
        if (factor := rational(number)) is not None:
            return self._times(factor)
        if isinstance(number, Fraction) or (factor := self._rational_value) is None:
            raise _refuse_quotient("the factor", number)
        return cast(Self, number._times(factor))

    __rmul__ = __mul__

    def __truediv__(self, other: object) -> Self:
        number = operand(other)
        return NotImplemented if number is None else self._times(1 / _divisor(number))

    def __rtruediv__(self, other: object) -> Self:
        number = operand(other)
        return NotImplemented if number is None else self._times(_divisor(self) ** -2) * number

    def __neg__(self) -> Self:
        return self._times(Fraction(-1))

    def __pos__(self) -> Self:
        return self

    def __abs__(self) -> Self:
        return -self if self.sign() < 0 else self


def checked_pairs(terms: Iterable[tuple[Exact, Exact]], repair: str) -> list[tuple[Exact, Exact]]:
    """Return an iterable of pairs as a list. Refuse anything else."""
    listed = list(errors.require_listed(terms, "terms", "an iterable of pairs", repair, Mapping))
    for pair in listed:
        if not isinstance(pair, tuple | list) or len(pair) != 2:
            raise InvalidTypeError(explain("each of the terms", "a pair", pair, repair))
    return listed


def written(value: Fraction | int) -> str:
    """Return the text of a rational that Python and `as_fraction` can read back, whatever its length."""
    digits = exact_text(value)
    return digits if value.denominator == 1 and len(digits) < 1000 else f"'{digits}'"


def sum_text(terms: Iterable[tuple[Fraction, str]], write: Callable[[Fraction], str], by: str) -> str:
    """Return the text of a sum of multiples of symbols, where the symbol of a constant is empty.

    `write` writes a coefficient, and `by` stands between a coefficient and its symbol. Terms with the coefficient 0 are
    left out.
    """

    def multiple(size: Fraction, symbol: str) -> str:
        return symbol if symbol and size == 1 else write(size) + (by + symbol if symbol else "")

    signed = [(value < 0, multiple(abs(value), symbol)) for value, symbol in terms if value]
    (negative, first), *others = signed or [(False, write(Fraction(0)))]
    return ("-" if negative else "") + first + "".join((" - " if below else " + ") + part for below, part in others)


def rational(number: Enclosed | Fraction) -> Fraction | None:
    """Return the value of a number if it is rational, else None."""
    return number if isinstance(number, Fraction) else number._rational_value


def _divisor(number: ExactReal | Fraction) -> Fraction:
    """Return the value of a divisor. Raise an error if it is irrational or 0."""
    divisor = rational(number)
    if divisor is None:
        raise _refuse_quotient("the divisor", number)
    errors.require(divisor != 0, "the divisor", "other than 0", 0, "divide by another number", errors.ZeroDivisorError)
    return divisor


def _refuse_quotient(argument: str, number: object) -> InvalidTypeError:
    advice = "the result would not be a sum of the same kind; compare without it, or use enclosure() or float()"
    return InvalidTypeError(explain(argument, "rational", number, advice))


def comparable(value: object) -> Enclosed | Fraction | None:
    """Return the value in a form that can be compared, or None so that Python asks the other operand."""
    if isinstance(value, Enclosed):
        return value
    if isinstance(value, bool):
        return Fraction(value)
    return None if isinstance(value, Decimal) and not value.is_finite() else operand(value)


def operand(value: object) -> ExactReal | Fraction | None:
    """Return the value in a form for arithmetic, or None so that Python asks the other operand."""
    if isinstance(value, ExactReal):
        return value
    if isinstance(value, numbers.Rational | Decimal):
        return as_fraction(value, "the other number")
    if isinstance(value, numbers.Real):
        what = f"an exact number cannot be combined or compared with the {type(value).__name__} {errors.show(value)}"
        raise InvalidTypeError(f"{what}; write the float as a Fraction, or the exact number as float(..)")
    return None
