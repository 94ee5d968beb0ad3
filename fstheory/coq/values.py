"""Terms of a claim at a distribution with given weights, as text for Coq, which computes their values."""

from __future__ import annotations

import math
from fractions import Fraction

from fstheory.checker.cases import Cases
from fstheory.checker.numbers import Quotient
from fstheory.checker.reading import SampleSpace
from fstheory.checker.statement import COMPARISONS, CRITERIA, LEAVES, Node
from fstheory.checker.weights import Distribution
from fstheory.coq.terms import Terms, added, is_linear, leaf, listed, refused

MOST_BITS = 100_000  # Coq decides about 70,000 in ten seconds
_WORDS = {"R": "Risk {}", "H": "Entropy {}", "joint": "Joint {}", "P": "Chance {} {}", "class": "(Some {})"}
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
        difference = self._at.value(("+", comparison[1], ("*", ("q", Fraction(-1)), comparison[2])))
        if isinstance(difference, Fraction):
            return 0
        if isinstance(difference, Quotient):
            raise refused("a product or quotient of logarithms")
        coefficients = difference.terms.values()
        common = math.lcm(difference.constant.denominator, *(number.denominator for number in coefficients))
        return sum(int(abs(z) * common) * n.bit_length() for n, z in difference.terms.items())

    def written(self) -> str:
        """Return the list of all sides."""
        return listed(map(self._written, self._places))

    def _written(self, node: Node) -> str:
        kind, *parts = node
        if kind in {"C", *CRITERIA}:
            raise refused(f"the term {kind!r}, a criterion beside risks and entropies")
        if kind in LEAVES:
            return leaf(_WORDS, _number, kind, parts)
        if kind == "+":
            return added(parts, self._written, "Sum ({}) ({})", "Difference ({}) ({})", "Whole (0)")
        if is_linear(node):
            factor, rest = self.factor(node)
            return f"Product ({_number(factor)}) ({self._written(rest)})"
        if kind == "sqrt" and not isinstance(self._at.value(node), Fraction):
            raise refused("the term 'sqrt', a square root that is irrational")
        arguments = list(map(self._written, parts))
        if kind in _EXTREMES:
            return f"{_EXTREMES[kind]} {listed(arguments)}"
        return f"{_OPERATIONS[kind]} {' '.join(f'({argument})' for argument in arguments)}"


def _number(number: Fraction) -> str:
    whole = number.denominator == 1
    return f"Whole ({number.numerator})" if whole else f"Ratio ({number.numerator}) {number.denominator}"
