"""Trees of criteria of two classes and the covers that bound their sums, as text for Coq."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any, TypeAlias

from fstheory.checker.curves import NONE, Amount, Curve, Tree, curve_of, own, read_cover, read_line, read_tree, straight
from fstheory.coq.terms import listed, refused

AtMost = Callable[[Fraction], int]
Line: TypeAlias = "tuple[Amount, Amount]"


def read_fact(n: int, *given: Any) -> tuple[Tree, Line, Any]:
    """Return a tree of subsets of n features, a line and a cover. Refuse what the Coq library does not have."""
    tree, line, cover = read_tree(given[0], n, "a fact"), read_line(given[1], "a fact"), read_cover(given[2], "a fact")
    if any(q > 1 for amount in (*line, *(one for node in tree.nodes() for one in node.amounts)) for _, q in amount):
        raise refused("the fact F32 about criteria that are multiplied by logarithms")
    if tree.places:
        raise refused("the fact F32 with a cost-sensitive risk")
    return tree, line, cover


def tree_written(n: int, *given: Any, at_most: AtMost) -> tuple[str, int]:
    """Return a tree of subsets of n features, a line and a cover for Coq, and the denominator of its amounts.

    `at_most` gives the whole number of units that a logarithm is at most.
    """
    tree, line, cover = read_fact(n, *given)
    amounts = [*line, *(amount for node in tree.nodes() for amount in node.amounts)]
    writer = _Covers(math.lcm(*(_value(amount).denominator for amount in amounts)))
    text = writer.cover(tree, straight(line), cover)
    known = listed(f"log_at_most {z.numerator} {z.denominator} ({at_most(z)})" for z in writer.logarithms)
    ends = " ".join(f"({int(_value(amount) * writer.unit)})" for amount in line)
    return f"Tree {writer.tree(tree)} {ends} {text} {known}", writer.unit


def _value(amount: Amount) -> Fraction:
    return sum((c for c, _ in amount), NONE)


def _ratio(number: Fraction) -> str:
    return f"(q_ ({number.numerator}) {number.denominator})"


class _Covers:
    """Writes covers, and collects the numbers whose logarithms they need."""

    def __init__(self, unit: int) -> None:
        self.unit, self.logarithms = unit, dict[Fraction, None]()

    def tree(self, tree: Tree) -> str:
        """Return a tree for Coq, where all amounts are whole."""
        amounts = " ".join(f"({int(_value(amount) * self.unit)})" for amount in tree.amounts)
        children = "Leafless"
        for child in reversed(tree.children):
            children = f"(Grow {self.tree(child)} {children})"
        return f"(Node {tree.subset} {amounts} {children})"

    def cover(self, tree: Tree, below: Curve, cover: Any) -> str:
        """Return a cover of a tree above a line for Coq."""
        u, pieces = NONE, []
        for v, given in cover:
            curve, bounds = curve_of(tree).plus(below, -1), []
            for child, one in zip(tree.children, given, strict=True):
                least, text = self._bound(child, one)
                curve = curve.plus(least)
                bounds.append(text)
            pieces.append(f"Piece {_ratio(v)} {self._reason(curve, u, v)} {_nested('Bound', bounds, 'No_bound')}")
            u = v
        return _nested("", pieces, "Covered")

    def _bound(self, tree: Tree, bound: Any) -> tuple[Curve, str]:
        """Return a curve that is below the mean of a tree, and the bound that shows it."""
        if bound is None:
            found = own(tree)
            assert found is not None  # the checker has accepted the certificate
            return found, "All_convex"
        if len(bound) > 2:
            raise refused("the fact F32 if its cover has a curve that is convex on an interval only")
        line, cover = bound
        if any(q > 1 for amount in line for _, q in amount):
            raise refused("the fact F32 about criteria that are multiplied by logarithms")
        below = straight(line)
        ends = " ".join(_ratio(_value(amount) * self.unit) for amount in line)
        return below, f"(Line {ends} {self.cover(tree, below, cover)})"

    def _reason(self, curve: Curve, u: Fraction, v: Fraction) -> str:
        """Return how a curve is seen to be at least 0 from u to v. Note the logarithms that this needs."""
        found = curve.reason(u, v)
        assert found is not None
        x, (on_g, on_h) = found
        for p in (u, v) if curve.h else ():
            y = x if on_h else p
            needed = [q for share, q in ((p, y), (1 - p, 1 - y)) if share]
            assert isinstance(curve.h, Fraction)
            self.logarithms |= dict.fromkeys(q if curve.h > 0 else 1 / q for q in needed)
        return f"{str(on_g).lower()} {str(on_h).lower()} {_ratio(x)}"


def _nested(word: str, parts: list[str], last: str) -> str:
    """Return a list of Coq that is built by a constructor, from its last part."""
    text = last
    for part in reversed(parts):
        text = f"({word} {part} {text})".replace("( ", "(")
    return text
