"""What may be written where a LogSum is built."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction

from fstheory._rational import Exact, as_fraction, integers_over
from fstheory.errors import InvalidTypeError, InvalidValueError, explain

__all__ = ["checked_base", "checked_pairs", "integer_terms", "positive"]


def checked_pairs(terms: Iterable[tuple[Exact, Exact]], repair: str) -> list[tuple[Exact, Exact]]:
    """Return pairs as a list, or refuse what is not made of pairs."""
    if isinstance(terms, str | Mapping) or not isinstance(terms, Iterable):
        raise InvalidTypeError(explain("terms", "an iterable of pairs", terms, repair))
    listed = list(terms)
    for pair in listed:
        if not isinstance(pair, tuple | list) or len(pair) != 2:
            raise InvalidTypeError(explain("each of the terms", "a pair", pair, repair))
    return listed


def integer_terms(
    terms: Mapping[int, int | Fraction], constant: Fraction, denominator: int
) -> tuple[int, dict[int, int], int]:
    """Return integers (constant, terms, denominator) that mean ``constant + sum(terms[n] log(n)) / denominator``."""
    if not isinstance(terms, Mapping):
        raise InvalidTypeError(explain("terms", "a mapping from integers", terms, "pass {argument: coefficient}"))
    below = as_fraction(denominator, "denominator")
    if below <= 0 or below.denominator != 1:
        raise InvalidValueError(explain("denominator", "a positive integer", denominator, "pass 1 or more"))
    arguments = [_positive_integer(argument) for argument in terms]
    first = constant * below
    if first.denominator == 1 and all(type(coefficient) is int for coefficient in terms.values()):
        scaled, scale = [int(first), *map(int, terms.values())], 1  # the usual case, without a Fraction for each term
    else:
        coefficients = [as_fraction(coefficient, "coefficient") for coefficient in terms.values()]
        scaled, scale = integers_over([first, *coefficients])
    return scaled[0], dict(zip(arguments, scaled[1:], strict=True)), scale * int(below)


def positive(argument: Exact) -> Fraction:
    """Return the argument of a logarithm, or refuse it."""
    value = as_fraction(argument, "argument")
    if value <= 0:
        raise InvalidValueError(
            explain("argument", "above 0", argument, "only positive numbers have a logarithm (leave terms 0 log 0 out)")
        )
    return value


def _positive_integer(argument: int) -> int:
    if type(argument) is int and argument > 0:
        return argument
    value = positive(argument)
    if value.denominator != 1:
        raise InvalidTypeError(explain("argument", "an integer", argument, "use LogSum(terms) for fractions"))
    return int(value)


def checked_base(base: Exact | None) -> Fraction | None:
    """Return the base of logarithms, None for natural ones, or refuse it."""
    if base is None:
        return None
    value = as_fraction(base, "base")
    if value <= 1:
        raise InvalidValueError(explain("base", "above 1", base, "pass 2 for bits, or None for natural logarithms"))
    return value
