"""Sums of criteria of two classes as integrals of functions of the posterior, and proofs that they are above a line.

Let p be the posterior of the rarer class in a state of S. Then R(S), G(S) and H(Y | S) are the means of min(p, 1 - p),
of 2p(1 - p) and of the entropy of a coin, and the mean of p is R({}). Such a sum for one subset is the mean of a
`Curve`. In a tree of subsets, each state of S has states of a larger subset T within it, and the mean of p in them is
the p of the state. So a line that is below the curve of T, at this p, is below the mean of T there.

Beside a cost-sensitive risk, p is the posterior of the last class. With the cost t, this risk is the mean of
min((1 - t) p, t (1 - p)), which has a kink at p = t. The other criteria are the same means as before. But without
features, p can be above 1/2, and the mean of p is not R({}).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from fractions import Fraction
from typing import Any, NamedTuple, TypeAlias

from fstheory.checker.numbers import Irrational, Number, add, compare, logarithms, multiply
from fstheory.checker.reading import FINEST, cost, list_of, rational, require, whole

HALF, NONE = Fraction(1, 2), Fraction(0)

# A coefficient is a sum of numbers c log(q), or c itself if q is 1.
Amount: TypeAlias = "tuple[tuple[Fraction, int], ...]"
MOST_COSTS = 8  # that one certificate may have
MOST_ALIKE = 100  # the most classes that are equally likely in a cover
Spend: TypeAlias = Callable[[int], None]


class Tree(NamedTuple):
    """Amounts of R, G and H(Y | .) of a subset, the trees of larger subsets, and amounts of cost-sensitive risks."""

    subset: int
    amounts: tuple[Amount, Amount, Amount]
    children: tuple[Tree, ...]
    costs: tuple[tuple[Fraction, Amount], ...] = ()

    def nodes(self) -> Iterator[Tree]:
        """Yield the tree and all trees in it."""
        yield self
        for child in self.children:
            yield from child.nodes()

    @property
    def places(self) -> set[Fraction]:
        """The costs in the tree."""
        return {t for node in self.nodes() for t, _ in node.costs}

    @property
    def end(self) -> Fraction:
        """The largest p: 1/2 without features if p is the posterior of the rarer class, as there are no costs."""
        return Fraction(1) if self.subset or self.places else HALF


class Curve(NamedTuple):
    """The function c + s p + 2 g p (1 - p) + h H(p) + kinks of p, where H(p) is the entropy of a coin.

    A kink (t, a) is the function a min((1 - t) p, t (1 - p)) of p. So r min(p, 1 - p) is the kink (1/2, 2 r).
    """

    c: Number = NONE
    s: Number = NONE
    g: Number = NONE
    h: Number = NONE
    kinks: tuple[tuple[Fraction, Number], ...] = ()

    def plus(self, other: Curve, times: int = 1) -> Curve:
        """Return the sum of a curve and a multiple of another one."""
        some = dict(self.kinks)
        for t, a in other.kinks:
            some[t] = add(some.get(t, NONE), multiply(a, Fraction(times)))
        c, s, g, h = (add(a, multiply(b, Fraction(times))) for a, b in zip(self[:4], other[:4], strict=True))
        return Curve(c, s, g, h, tuple((t, a) for t, a in some.items() if a != 0))

    def steps(self) -> int:
        """Return the steps that the checker counts for one interval.

        To look for a reason on an interval takes 100 to 400 microseconds, and longer for each logarithm in the curve.
        """
        logarithms = sum(len(one.terms) for one in self[:3] if isinstance(one, Irrational))
        return 2_000 * (1 + len(self.kinks) + logarithms)

    def has_kink(self, u: Fraction, v: Fraction) -> bool:
        """Return whether there is a kink between u and v."""
        return any(u < t < v for t, _ in self.kinks)

    def without_kinks(self, v: Fraction) -> Curve:
        """Return the curve that equals this one between the last kink before v and v."""
        c, s = self.c, self.s
        for t, a in self.kinks:
            c = c if v <= t else add(c, multiply(a, t))
            s = add(s, multiply(a, 1 - t if v <= t else -t))
        return Curve(c, s, self.g, self.h)

    def bend(self, u: Fraction, v: Fraction) -> tuple[bool, bool]:
        """Return whether a curve without a kink is convex between u and v, and whether it is concave."""
        ends = [u * (1 - u), v * (1 - v), *[Fraction(1, 4)] * (u < HALF < v)]
        signs = {compare(add(multiply(self.g, -4 * q), multiply(self.h, Fraction(-1))), NONE) for q in ends}
        return -1 not in signs, 1 not in signs

    def bound(self, p: Fraction, x: Fraction, bent: tuple[bool, bool]) -> Number:
        """Return the value of a curve without a kink at p. A bent term has the value of its tangent at x instead."""
        gini = x * (1 - x) + (1 - 2 * x) * (p - x) if bent[0] else p * (1 - p)
        parts = [(p, x if bent[1] else p), (1 - p, 1 - x if bent[1] else 1 - p)]  # the tangent is a cross entropy
        coin = logarithms((-share, of) for share, of in parts if share)
        assert isinstance(self.h, Fraction)
        return add(add(self.c, multiply(self.s, p)), add(multiply(self.g, 2 * gini), multiply(coin, self.h)))

    def tangent(self, x: Fraction) -> Curve:
        """Return the tangent of a curve without a kink at x, which is above 0 and below 1."""
        first, last = (self.bound(Fraction(p), x, (True, True)) for p in (0, 1))
        return Curve(first, add(last, multiply(first, Fraction(-1))))

    def is_above(self, u: Fraction, v: Fraction) -> bool:
        """Return whether one of the known reasons shows that the curve is at least 0 between u and v."""
        return self.reason(u, v) is not None

    def reason(self, u: Fraction, v: Fraction) -> tuple[Fraction, tuple[bool, bool]] | None:
        """Return where tangents touch, and whether G and H have one, if this shows that the curve is at least 0.

        A concave curve is at least 0 between u and v if it is so at u and at v. A convex curve is above its tangent at
        u, at v or in the middle. In every curve, the convex terms are above their tangents, and concave terms above
        their chords.
        """
        if self.has_kink(u, v):
            return None
        smooth, signs = self.without_kinks(v), tuple(compare(of, NONE) < 0 for of in (self.g, self.h))
        convex, concave = smooth.bend(u, v)
        reasons = [(False, False)] * concave + [(True, True)] * convex + [(signs[0], signs[1])]
        tried = [(x, bent) for bent in reasons for x in (u, v, (u + v) / 2)[: 3 * any(bent) or 1]]
        tried = [(x, bent) for x, bent in tried if not bent[1] or 0 < x < 1]
        shown = (one for one in tried if all(compare(smooth.bound(p, *one), NONE) >= 0 for p in (u, v)))
        return next(shown, None)


def number(amount: Amount) -> Number:
    """Return a coefficient as a number."""
    total: Number = logarithms((c, Fraction(q)) for c, q in amount if q > 1)
    return add(total, sum((c for c, q in amount if q == 1), NONE))


def straight(line: tuple[Amount, Amount]) -> Curve:
    """Return a line as a curve."""
    return Curve(number(line[0]), number(line[1]))


def curve_of(tree: Tree) -> Curve:
    """Return the curve of the subset of a tree."""
    r, g, h = map(number, tree.amounts)
    kinks = (HALF, multiply(r, Fraction(2))), *((t, number(amount)) for t, amount in tree.costs)
    return Curve(g=g, h=h).plus(Curve(kinks=kinks))


def own(tree: Tree) -> Curve | None:
    """Return the sum of all curves of a tree if it is convex, and that of each tree in it. Otherwise return None."""
    found = curve_of(tree)
    for child in tree.children:
        if (more := own(child)) is None:
            return None
        found = found.plus(more)
    convex = all(compare(a, NONE) <= 0 for _, a in found.kinks) and found.bend(NONE, Fraction(1))[0]
    return found if convex else None


def shows(tree: Tree, line: tuple[Amount, Amount], cover: Any, spend: Spend) -> bool:
    """Return whether a cover shows that the sum of the criteria is at least c + s R({}). Beside costs, s must be 0."""
    return not (tree.places and any(c for c, _ in line[1])) and is_shown(tree, line, cover, spend)


def is_shown(tree: Tree, line: tuple[Amount, Amount], cover: Any, spend: Spend) -> bool:
    """Return whether a cover shows that the mean of a tree, in a state where p is known, is above a line at this p.

    The cover divides the values of p into intervals. On each of them, every child has a bound. The curve of the subset,
    with the bounds of its children, is above the line on the interval.
    """
    below, u, most = straight(line), NONE, tree.end
    for v, bounds in cover:
        if len(bounds) != len(tree.children):
            return False
        found = curve_of(tree).plus(below, -1)
        for child, bound in zip(tree.children, bounds, strict=True):
            if (least := _least(child, bound, u, v, spend)) is None:
                return False
            found = found.plus(least)
        spend(found.steps())
        if not u < v <= most or not found.is_above(u, v):
            return False
        u = v
    return u == most


def _least(tree: Tree, bound: Any, u: Fraction, v: Fraction, spend: Spend) -> Curve | None:
    """Return a curve that is below the mean of a tree in a state whose p is between u and v, if its bound shows this.

    If the bound is null, all curves of the tree are convex, so that the mean is at least their sum at p. If it is a
    line with a cover, the cover shows that the tree is above the line. Otherwise the tree has a single curve, which is
    convex between u and v. It is above its tangent at u on the left, and above its tangent at v on the right. These
    sides are divided into intervals by their right ends.
    """
    if bound is None:
        return own(tree)
    if len(bound) == 2:
        return straight(bound[0]) if is_shown(tree, bound[0], bound[1], spend) else None
    curve = curve_of(tree)
    smooth = curve.without_kinks(v)
    if tree.children or curve.has_kink(u, v) or not smooth.bend(u, v)[0]:
        return None
    sides = (u, bound[0], NONE, u), (v, bound[1], v, Fraction(1))
    shown = all(
        not ends if start == stop else _is_covered(curve.plus(smooth.tangent(x), -1), ends, start, stop, spend)
        for x, ends, start, stop in sides
    )
    return curve if shown else None


def _is_covered(curve: Curve, ends: Iterable[Fraction], start: Fraction, stop: Fraction, spend: Spend) -> bool:
    """Return whether a curve is seen to be at least 0 on intervals from one place to another, by their right ends."""
    for end in ends:
        spend(curve.steps())
        if not start < end <= stop or not curve.is_above(start, end):
            return False
        start = end
    return start == stop


# Any number of classes


def of_alike(r: Number, g: Number, h: Fraction, n: int) -> Curve:
    """Return r R + g G + h H(Y | .) where n classes share the probability p equally, and one more class has the rest.

    Then R = min(p, 1 - p/n), G = (1 - 1/n) p + (1 + 1/n) p (1 - p), and H = H(p) + p log(n).
    """
    more, less = 1 + Fraction(1, n), 1 - Fraction(1, n)
    slope = add(multiply(add(r, g), less), logarithms([(h, Fraction(n))]))
    return Curve(NONE, slope, multiply(g, more / 2), h, ((Fraction(n, n + 1), multiply(r, more)),))


def is_least(
    k: int | None, some: tuple[Amount, Amount, Fraction, Amount], covers: Sequence[Sequence[Fraction]], spend: Spend
) -> bool:
    """Return whether covers show that r R + g G + h H(Y | .) is at least c for all posteriors of k classes.

    In cover n, n classes are alike. Each n below k needs a cover, or each n below a number that is enough.
    """
    (r, g, c), h, n = (number(amount) for amount in (some[0], some[1], some[3])), some[2], len(covers) + 1
    return (
        n > 1
        and is_alike(r, g, h)
        and (n == k or is_enough(r, g, h, c, n))
        and all(
            _is_covered(of_alike(r, g, h, i).plus(Curve(c), -1), ends, NONE, Fraction(1), spend)
            for i, ends in enumerate(covers, 1)
        )
    )


def is_alike(r: Number, g: Number, h: Fraction) -> bool:
    """Return whether r R + g G + h H is known to be least where all classes but one that occur are equally likely."""
    return h >= 0 or compare(r, NONE) >= 0 or compare(add(g, h), NONE) <= 0


def is_enough(r: Number, g: Number, h: Fraction, c: Number, n: int) -> bool:
    """Return whether r R + g G + h H is at least c if no class is above 1/n, and n or more are never alike otherwise.

    If no class is above 1/n, H is at least log(n), and R and G are at most 1. If n are alike below another class, then
    2 g + n h is below 0.
    """
    g, r = (part if compare(part, NONE) < 0 else NONE for part in (g, r))
    least = add(add(r, g), logarithms([(h, Fraction(n))]))
    return h > 0 and compare(add(multiply(g, Fraction(2)), n * h), NONE) >= 0 and compare(least, c) >= 0


# Reading


def read_ends(value: Any, place: str) -> tuple[tuple[Fraction, ...], ...]:
    """Read the right ends of the intervals of at most `MOST_ALIKE` covers."""
    covers = [list_of(None, ends, place) for ends in list_of(None, value, place)]
    require(len(covers) <= MOST_ALIKE, place, f"with at most {MOST_ALIKE} lists of ends", len(covers))
    return tuple(tuple(_end(end, place) for end in ends) for ends in covers)


def read_amount(value: Any, place: str, bound: int) -> Amount:
    """Read a coefficient: a rational, or a list of rationals times logarithms of primes."""
    if type(value) is str:
        return ((rational(value, place), 1),)
    pairs = [list_of(2, pair, place) for pair in list_of(None, value, place)]
    found = tuple((rational(c, place), whole(1, bound, q, place)) for c, q in pairs)
    require(all(q % d for _, q in found for d in range(2, q)), place, "about logarithms of primes", value)
    return found


def read_line(value: Any, place: str) -> tuple[Amount, Amount]:
    """Read a line: its value at p = 0, and its slope."""
    c, s = (read_amount(part, place, 100) for part in list_of(2, value, place))
    return c, s


def read_tree(value: Any, n: int, place: str, within: int = -1) -> Tree:
    """Read a tree of subsets of n features. Each subset has all features of the subset that it stands under."""
    mask, amounts, children, *some = list_of(None if type(value) is tuple and len(value) == 4 else 3, value, place)
    subset = whole(0, 1 << n, mask, place)
    require(within < 0 or (subset & within == within and subset > within), place, "a tree of larger subsets", mask)
    r, g, h = (read_amount(part, place, 100 if i < 2 else 2) for i, part in enumerate(list_of(3, amounts, place)))
    pairs = [list_of(2, pair, place) for pair in (list_of(None, some[0], place) if some else ())]
    costs = tuple((Fraction(cost(t, place)), read_amount(amount, place, 100)) for t, amount in pairs)
    distinct = len({t for t, _ in costs}) == len(costs) <= MOST_COSTS
    require(distinct, place, f"a tree with at most {MOST_COSTS} different costs of a subset", len(costs))
    larger = tuple(read_tree(one, n, place, subset) for one in list_of(None, children, place))
    return Tree(subset, (r, g, h), larger, costs)


def read_cover(value: Any, place: str) -> tuple[Any, ...]:
    """Read a cover: the right end of each interval, and for each child a bound.

    A bound is null, or a line with a cover, or the ends of intervals on the left and on the right, before "convex".
    """

    def read_bound(value: Any) -> Any:
        if value is None:
            return None
        if type(value) is tuple and len(value) == 3:
            left, right, word = value
            require(word == "convex", place, "a bound", value)
            return (*(tuple(_end(end, place) for end in list_of(None, side, place)) for side in (left, right)), word)
        line, cover = list_of(2, value, place)
        return read_line(line, place), read_cover(cover, place)

    pieces = [list_of(2, piece, place) for piece in list_of(None, value, place)]
    return tuple((_end(end, place), tuple(map(read_bound, list_of(None, some, place)))) for end, some in pieces)


def _end(value: Any, place: str) -> Fraction:
    end = rational(value, place)
    require(0 < end <= 1 and end.denominator <= FINEST, place, f"an end in parts of at most 1/{FINEST}", value)
    return end
