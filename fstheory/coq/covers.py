"""Trees of criteria of two classes and the covers that bound their sums, as text for Coq."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from itertools import pairwise
from typing import Any, TypeAlias

from fstheory.checker.curves import NONE, Amount, Curve, Tree, curve_of, own, read_cover, read_line, read_tree, straight
from fstheory.checker.every_size import PRIMES
from fstheory.coq.terms import listed

AtMost = Callable[[Fraction], int]
Line: TypeAlias = "tuple[Amount, Amount]"


def read_fact(n: int, *given: Any) -> tuple[Tree, Line, Any]:
    """Return a tree of subsets of n features, a line and a cover."""
    return read_tree(given[0], n, "a fact"), read_line(given[1], "a fact"), read_cover(given[2], "a fact")


def needs_products_or_costs(n: int, *given: Any) -> bool:
    """Return whether a tree has a cost-sensitive risk, or a logarithm times an impurity, which is a product for Coq."""
    tree, _, _ = read_fact(n, *given)
    return tree.places != set() or any(q > 1 for node in tree.nodes() for _, q in node.amounts[1])


def tree_written(n: int, *given: Any, at_most: AtMost) -> tuple[str, int]:
    """Return a tree of subsets of n features, a line and a cover for Coq, and the denominator of its amounts.

    `at_most` gives the whole number of units that a logarithm is at most.
    """
    tree, line, cover = read_fact(n, *given)
    costs = sorted(tree.places)
    amounts = [*line, *(amount for node in tree.nodes() for amount in node.amounts)]
    amounts += [amount for node in tree.nodes() for _, amount in node.costs]
    writer = _Covers(math.lcm(*(c.denominator for amount in amounts for c, _ in amount)))
    text = writer.cover(tree, straight(line), cover)
    numbers = {*writer.logarithms, *(q for amount in amounts for _, q in amount if q > 1)}
    both = [z for q in sorted(numbers) for z in (Fraction(q), Fraction(1, q))]  # they bound a logarithm on both sides
    ends = [f"log_at_most {z.numerator} {z.denominator} ({at_most(z)})" for z in both]
    below = " ".join(map(writer.amount, line[:1] if costs else line))
    kind = "log_tree" if needs_products_or_costs(n, *given) else "Tree"
    if costs:
        kind = f"cost_tree {listed(f'At a {_ratio(cost)} @C:{cost}' for cost in costs)}"
    return f"{kind} {writer.tree(tree)} {below} {text} {listed(ends)}", writer.unit


def _ratio(number: Fraction) -> str:
    return f"(ratio_ ({number.numerator}) {number.denominator})"


class _Covers:
    """Writes covers, and collects the whole numbers whose logarithms they need: primes below 100, and others."""

    def __init__(self, unit: int) -> None:
        self.unit, self.logarithms = unit, set[int]()

    def amount(self, amount: Amount) -> str:
        """Return an amount for Coq, in units that make all amounts whole."""
        return listed(f"whole_ ({int(c * self.unit)}) {q}" for c, q in amount if c)

    def tree(self, tree: Tree) -> str:
        """Return a tree for Coq, where all amounts are whole."""
        r, g, h = tree.amounts
        children = "Leafless"
        for child in reversed(tree.children):
            children = f"(Grow {self.tree(child)} {children})"
        of_entropy = int(sum((c for c, _ in h), NONE) * self.unit)
        costs = listed(f"({_ratio(cost)}, {self.amount(amount)})" for cost, amount in tree.costs)
        return f"(Node {tree.subset} {self.amount(r)} {self.amount(g)} ({of_entropy}) {costs} {children})"

    def cover(self, tree: Tree, below: Curve, cover: Any) -> str:
        """Return a cover of a tree above a line for Coq."""
        u, pieces = NONE, []
        for v, given in cover:
            curve, bounds = curve_of(tree).plus(below, -1), []
            for child, one in zip(tree.children, given, strict=True):
                least, text = self._bound(child, one, u, v)
                curve = curve.plus(least)
                bounds.append(text)
            pieces.append(f"Piece {_ratio(v)} {self._reason(curve, u, v)} {_nested('Bound', bounds, 'No_bound')}")
            u = v
        return _nested("", pieces, "Covered")

    def _bound(self, tree: Tree, bound: Any, u: Fraction, v: Fraction) -> tuple[Curve, str]:
        """Return a curve that is below the mean of a tree where p is from u to v, and the bound that shows it."""
        if bound is None:
            found = own(tree)
            assert found is not None  # the checker has accepted the certificate
            return found, "All_convex"
        if len(bound) > 2:
            curve = curve_of(tree)
            smooth = curve.without_kinks(v)
            sides = (u, bound[0], NONE, u), (v, bound[1], v, Fraction(1))
            return curve, f"(Convex_here {' '.join(self._beside(curve, smooth, *side) for side in sides)})"
        line, cover = bound
        below = straight(line)
        scaled = [[(c * self.unit, q) for c, q in amount if c] for amount in line]
        ends = " ".join(listed(f"part_ ({c.numerator}) {c.denominator} {q}" for c, q in amount) for amount in scaled)
        self.logarithms |= {q for amount in line for _, q in amount if q > 1}
        return below, f"(Line {ends} {self.cover(tree, below, cover)})"

    def _beside(
        self, curve: Curve, smooth: Curve, x: Fraction, ends: Sequence[Fraction], start: Fraction, stop: Fraction
    ) -> str:
        """Return how a curve is seen to be above its tangent at x on intervals with the given ends."""
        if start == stop:
            return "[]"
        self._note(x, 1 - x)
        above = curve.plus(smooth.tangent(x), -1)
        return listed(f"seen_ {_ratio(end)} {self._reason(above, u, end)}" for u, end in pairwise([start, *ends]))

    def _note(self, *numbers: Fraction) -> None:
        """Note the whole numbers whose logarithms add up to those of some rationals above 0."""
        self.logarithms |= {z for q in numbers for part in q.as_integer_ratio() for z in _factors(part)}

    def _reason(self, curve: Curve, u: Fraction, v: Fraction) -> str:
        """Return how a curve is seen to be at least 0 from u to v. Note the logarithms that this needs."""
        found = curve.reason(u, v)
        assert found is not None
        x, (on_g, on_h) = found
        for p in (u, v) if curve.h else ():
            y = x if on_h else p
            self._note(*(q for share, q in ((p, y), (1 - p, 1 - y)) if share))
        return f"{str(on_g).lower()} {str(on_h).lower()} {_ratio(x)}"


def _factors(number: int) -> Iterator[int]:
    """Yield the primes below 100 that divide a number, and the rest of it."""
    for p in PRIMES:
        if number % p == 0:
            yield p
        while number % p == 0:
            number //= p
    if number > 1:
        yield number


def _nested(word: str, parts: list[str], last: str) -> str:
    """Return a list of Coq that is built by a constructor, from its last part."""
    text = last
    for part in reversed(parts):
        text = f"({word} {part} {text})".replace("( ", "(")
    return text
