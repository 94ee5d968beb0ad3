"""Terms that say nothing of the distribution: the factors and divisors that linear arithmetic allows."""

from __future__ import annotations

from fractions import Fraction

from fstheory.errors import NotLinearError
from fstheory.logic.nodes import Node

__all__ = ["REFUSED", "REPAIR", "closed_value", "is_closed"]

REFUSED = {"log": "a logarithm", "sqrt": "a square root", "H": "an entropy, which is a sum of logarithms"}
REPAIR = "check it on distributions or search for a counterexample instead"


def is_closed(term: Node) -> bool:
    """Return whether a term is the same at every distribution because it does not mention it.

    Examples
    --------
    >>> is_closed(("+", ("q", Fraction(1, 2)), ("q", Fraction(1)))), is_closed(("R", ()))
    (True, False)
    """
    return term[0] not in {"P", "R", "H"} and (term[0] == "q" or all(map(is_closed, term[1:])))


def closed_value(term: Node) -> Fraction:
    """Return the value of a closed term.

    Raises
    ------
    NotLinearError
        It is not rational, or divides by 0.

    Examples
    --------
    >>> closed_value(("max", ("q", Fraction(1, 2)), ("/", ("q", Fraction(0)), ("q", Fraction(0)))))
    Fraction(1, 2)
    """
    kind, *parts = term
    if kind == "q":
        return Fraction(parts[0])
    if kind in REFUSED:
        raise NotLinearError(f"a factor holds {REFUSED[kind]}; {REPAIR}")
    values = [closed_value(part) for part in parts]
    if kind == "+":
        return sum(values, Fraction(0))
    if kind in {"max", "min"}:
        return max(values) if kind == "max" else min(values)
    if kind == "*":
        return values[0] * values[1]
    if values[1] == 0:
        if values[0]:
            raise NotLinearError("a factor divides by 0; correct it")
        return Fraction(0)
    return values[0] / values[1]
