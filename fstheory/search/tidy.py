"""Comparisons brought into one form, so that what cancels is not computed and what is the same is computed once."""

from __future__ import annotations

import math
from fractions import Fraction

from fstheory.logic.nodes import FALSE, TRUE, Node, walk

__all__ = ["tidied"]

_ONE: Node = ("q", Fraction(1))
_PARTIAL = {"/", "log", "sqrt"}  # without a value at some distributions


def tidied(comparison: Node) -> Node:
    """Return a comparison that is true at the same distributions, or a constant truth value.

    Both sides become sums with positive integer factors and without a common term. Terms that may have no value are
    kept even where they cancel.

    Examples
    --------
    >>> entropy, risk = ("H", (0,), True), ("R", (0,))
    >>> tidied(("<", ("+", entropy, ("*", ("q", Fraction(1, 2)), risk)), ("+", risk, entropy)))
    ('<', ('q', Fraction(0, 1)), ('R', (0,)))
    >>> tidied(("<", entropy, entropy))
    ('or',)
    """
    kind, left, right = comparison
    factors: dict[Node, Fraction] = {}
    _collect(right, Fraction(1), factors)
    _collect(left, Fraction(-1), factors)
    kept = {term: factor for term, factor in factors.items() if factor or _is_partial(term)}
    if kept.keys() <= {_ONE}:
        value = kept.get(_ONE, Fraction(0))
        return TRUE if (value == 0 if kind == "=" else value > 0 if kind == "<" else value >= 0) else FALSE
    scale = Fraction(
        math.lcm(*(factor.denominator for factor in kept.values())),
        math.gcd(*(factor.numerator for factor in kept.values())) or 1,
    )
    below = [_times(-factor * scale, term) for term, factor in kept.items() if factor < 0]
    above = [_times(factor * scale, term) for term, factor in kept.items() if factor >= 0]
    return (kind, _sum(below), _sum(above))


def _collect(term: Node, factor: Fraction, factors: dict[Node, Fraction]) -> None:
    """Add up the factors of the terms that a sum is made of."""
    kind = term[0]
    if kind == "+":
        for part in term[1:]:
            _collect(part, factor, factors)
    elif kind == "*" and term[1][0] == "q" and not _is_partial(term[2]):
        _collect(term[2], factor * term[1][1], factors)
    elif kind == "q":
        factors[_ONE] = factors.get(_ONE, Fraction(0)) + factor * term[1]
    else:
        factors[term] = factors.get(term, Fraction(0)) + factor


def _is_partial(term: Node) -> bool:
    return any(node[0] in _PARTIAL for node in walk(term))


def _times(factor: Fraction, term: Node) -> Node:
    if term == _ONE:
        return ("q", factor)
    return term if factor == 1 else ("*", ("q", factor), term)


def _sum(terms: list[Node]) -> Node:
    if not terms:
        return ("q", Fraction(0))
    return terms[0] if len(terms) == 1 else ("+", *terms)
