"""Exact numbers in JSON: rationals as "p/q", sums of logarithms and of roots by their parts."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from fstheory._rational import format_fraction
from fstheory.bounds import ShiftedRoot
from fstheory.errors import InvalidTypeError, explain
from fstheory.logsum import LogSum
from fstheory.rootsum import RootSum, sqrt

__all__ = ["exact_json"]

_DIGITS = 12


def exact_json(value: object) -> Any:
    """Return an exact number as JSON has it.

    Parameters
    ----------
    value : int, Fraction, LogSum, RootSum or ShiftedRoot

    Returns
    -------
    str or dict
        ``"p/q"`` for every rational. Else ``constant``, a rational, and what is added to it: ``logs``, pairs
        [coefficient, argument], with their ``base``, null for e; ``roots``, pairs [coefficient, radicand]; or
        ``root_of``, a number in this form. And ``decimal``, rounded, to look at.

    Examples
    --------
    >>> from fstheory.logsum import log
    >>> exact_json(Fraction(3, 8)), exact_json(log(8, base=2))
    ('3/8', '3')
    >>> exact_json(log(3) / 2)
    {'constant': '0', 'logs': [['1/2', '3']], 'base': None, 'decimal': '0.549306144334'}
    """
    if isinstance(value, int | Fraction):
        return format_fraction(value)
    if isinstance(value, ShiftedRoot):
        if value.radicand.is_rational():
            return exact_json(sqrt(value.radicand.as_fraction()) + value.shift)
        parts = {"constant": format_fraction(value.shift), "root_of": exact_json(value.radicand)}
        return {**parts, "decimal": value.decimal(_DIGITS)}
    if not isinstance(value, LogSum | RootSum):
        raise InvalidTypeError(explain("value", "an exact number", value, "pass a Fraction, a LogSum or a RootSum"))
    if value.is_rational():
        return format_fraction(value.as_fraction())
    terms = [[format_fraction(coefficient), format_fraction(argument)] for coefficient, argument in value.terms]
    document: dict[str, Any] = {"constant": format_fraction(value.constant)}
    if isinstance(value, LogSum):
        document |= {"logs": terms, "base": None if value.base is None else format_fraction(value.base)}
    else:
        document["roots"] = terms
    return {**document, "decimal": value.decimal(_DIGITS)}
