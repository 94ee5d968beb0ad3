"""LogSums in words: repr, short text, LaTeX and sympy."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any, Protocol, Self

from fstheory._exact import format_fraction, latex_approximation, latex_fraction, readable

__all__ = ["counted", "gather", "latex", "plain", "representation", "symbolic", "total", "written"]

_MANY = 12  # more logarithms than this are not shown one by one
_LONG = 60  # nor those where a number takes more characters than this
_WIDE = 100  # or all of them together

Terms = Sequence[tuple[Fraction, int]]


class Logarithms(Protocol):
    """What is asked of a LogSum here."""

    @property
    def base(self) -> Fraction | None: ...
    @property
    def constant(self) -> Fraction: ...
    @property
    def terms(self) -> tuple[tuple[Fraction, int], ...]: ...
    def simplify(self) -> Self: ...
    def is_rational(self) -> bool: ...
    def as_fraction(self) -> Fraction: ...


def written(value: Fraction | int) -> str:
    """Write a rational so that Python and `as_fraction` read it back, whatever its length."""
    digits = format_fraction(value)
    return digits if value.denominator == 1 and len(digits) < 1000 else f"'{digits}'"


def representation(terms: Terms, constant: Fraction, base: Fraction | None) -> str:
    """Return what builds the number again when evaluated."""
    pairs = ", ".join(f"({written(coefficient)}, {written(argument)})" for coefficient, argument in terms)
    parts = [f"[{pairs}]"]
    if constant:
        parts.append(written(constant))
    if base is not None:
        parts.append(f"base={written(base)}")
    return f"LogSum({', '.join(parts)})"


def gather(number: Logarithms) -> tuple[Fraction, list[tuple[Fraction, Fraction]]] | None:
    """Return the constant and few pairs (coefficient above 0 or below, argument above 1), or None if it takes many.

    Over primes first, so that equal numbers of small arguments read the same; then those of one coefficient together.
    """
    numbers = [number.constant, *(exact for term in number.terms[: _MANY + 1] for exact in term)]
    if len(number.terms) > _MANY or max(len(format_fraction(exact)) for exact in numbers) > _LONG:
        return None
    arguments: dict[Fraction, Fraction] = {}
    simple = number.simplify()
    for coefficient, prime in simple.terms:
        size = abs(coefficient)
        arguments[size] = arguments.get(size, Fraction(1)) * (prime if coefficient > 0 else Fraction(1, prime))
    pairs = [(size, value) if value > 1 else (-size, 1 / value) for size, value in arguments.items()]
    if sum(len(format_fraction(number)) for pair in pairs for number in pair) > _WIDE:
        return None
    return simple.constant, sorted(pairs, key=lambda pair: (pair[0] < 0, pair[1]))


def plain(number: Logarithms, decimal: str) -> str:
    """Write the number for people: exactly while it is short, and as a rounded decimal unless it is rational."""
    if number.is_rational():
        return readable(number.as_fraction(), _LONG)
    gathered = gather(number)
    if gathered is None:
        return f"≈{decimal} ({counted(len(number.terms), 'logarithm')})"
    constant, pairs = gathered
    base = "" if number.base is None else "_" + format_fraction(number.base)
    name = f"log_({base[1:]})" if "/" in base else f"log{base}"
    exact = total(constant, [(c, f"{name}({format_fraction(r)})") for c, r in pairs], format_fraction, "*")
    return f"{exact} ≈ {decimal}"


def latex(number: Logarithms, decimal: str) -> str:
    """Write the number in LaTeX."""
    if number.is_rational():
        value = number.as_fraction()
        short = len(format_fraction(value)) <= _LONG
        return total(value, [], latex_fraction, "") if short else latex_approximation(decimal)
    gathered = gather(number)
    if gathered is None:
        return latex_approximation(decimal)
    constant, pairs = gathered
    name = r"\log" if number.base is None else rf"\log_{{{format_fraction(number.base)}}}"
    return total(constant, [(c, f"{name} {latex_fraction(r)}") for c, r in pairs], latex_fraction, r"\,")


def counted(count: int, thing: str) -> str:
    """Return "1 root", "2 roots"."""
    return f"{count} {thing}" if count == 1 else f"{count} {thing}s"


def total(
    constant: Fraction, parts: Sequence[tuple[Fraction, str]], write: Callable[[Fraction], str], times: str
) -> str:
    """Write a rational plus multiples of symbols as one sum."""
    signed = [(value < 0, symbol if abs(value) == 1 else write(abs(value)) + times + symbol) for value, symbol in parts]
    if constant or not parts:
        signed.insert(0, (constant < 0, write(abs(constant))))
    (negative, first), *others = signed
    return ("-" if negative else "") + first + "".join((" - " if below else " + ") + part for below, part in others)


def symbolic(terms: Terms, constant: Fraction, base: Fraction | None) -> Any:
    """Return the number as a sympy expression."""
    import sympy

    def exact(value: Fraction | int) -> Any:
        return sympy.Rational(value.numerator, value.denominator)

    total = sympy.Add(*(exact(coefficient) * sympy.log(exact(argument)) for coefficient, argument in terms))
    return exact(constant) + (total if base is None else total / sympy.log(exact(base)))
