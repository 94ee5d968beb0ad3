"""Terms of a claim at a distribution with given weights, as text for Coq, which computes their values."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from fstheory.checker.cases import Cases
from fstheory.checker.statement import COMPARISONS, CRITERIA, LEAVES, Node, SampleSpace
from fstheory.checker.weights import Distribution
from fstheory.coq.terms import Terms, is_linear, is_negative, listed, refused

MOST_BITS = 100_000  # Coq decides about 70,000 in ten seconds
_OPERATIONS = {"*": "Product", "/": "Quotient", "log": "Log", "sqrt": "Root"}
_EXTREMES = {"max": "Largest", "min": "Smallest"}


class Values(Terms):
    """The terms that a claim compares, each by a number, in the order in which people read them."""

    def __init__(self, space: SampleSpace, at: Distribution) -> None:
        super().__init__(space, Cases(space, ()), (), False)
        self._at = at
        self._places: dict[Node, int] = {}

    def term(self, node: Node) -> str:
        """Return the variable that stands for a side of a comparison."""
        return f"V {self._places.setdefault(node, len(self._places) + 1)}"

    def formula(self, node: Node) -> str:
        """Return a formula for the verified checker. Refuse a comparison of logarithms that takes Coq very long."""
        if node[0] in COMPARISONS and self._bits(node) > MOST_BITS:
            raise refused("the term 'log', a logarithm that is compared with integers of very many bits")
        return super().formula(node)

    def _bits(self, comparison: Node) -> int:
        """Return the length of the integers whose quotient has the sum of logarithms as its logarithm."""
        difference = self._at.value(("+", comparison[1], ("*", ("q", "-1"), comparison[2])))
        if isinstance(difference, Fraction):
            return 0
        coefficients = difference.terms.values()
        common = math.lcm(difference.constant.denominator, *(number.denominator for number in coefficients))
        return sum(int(abs(z) * common) * n.bit_length() for n, z in difference.terms.items())

    def written(self) -> str:
        """Return the list of all sides."""
        return listed(map(self._written, self._places))

    def _written(self, node: Node) -> str:
        kind, *parts = node
        if kind in LEAVES:
            return _written_leaf(kind, parts)
        if kind == "+":
            text = self._written(parts[0]) if parts else "Whole 0"
            for part in parts[1:]:
                word, other = ("Difference", part[2]) if is_negative(part) else ("Sum", part)
                text = f"{word} ({text}) ({self._written(other)})"
            return text
        if is_linear(node):
            factor, rest = self.factor(node)
            return f"Product ({_number(factor)}) ({self._written(rest)})"
        if kind == "sqrt" and not isinstance(self._at.value(node), Fraction):
            raise refused("the term 'sqrt', a square root that is irrational")
        arguments = list(map(self._written, parts))
        if kind in _EXTREMES:
            return f"{_EXTREMES[kind]} {listed(arguments)}"
        return f"{_OPERATIONS[kind]} {' '.join(f'({argument})' for argument in arguments)}"


def _written_leaf(kind: str, parts: Sequence[Any]) -> str:
    if kind in CRITERIA:
        raise refused(f"the term {kind!r}, a criterion beside risks and entropies")
    match kind:
        case "q":
            return _number(Fraction(parts[0]))
        case "R":
            return f"Risk {listed(parts[0])}"
        case "H" if not parts[0] and not parts[1]:
            return "Whole 0"
        case "H":
            return f"{'Joint' if parts[1] else 'Entropy'} {listed(parts[0])}"
    states = listed("None" if i is None else f"Some {i}" for i in parts[0])
    return f"Chance {states} {'None' if parts[1] is None else f'(Some {parts[1]})'}"


def _number(number: Fraction) -> str:
    whole = number.denominator == 1
    return f"Whole ({number.numerator})" if whole else f"Ratio ({number.numerator}) {number.denominator}"
