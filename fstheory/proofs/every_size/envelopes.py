"""Claims on several criteria of two classes, decided by lower convex envelopes of functions of the posterior.

A `Tree` of the checker has the amounts of each subset. Its least mean over all distributions is the least value of the
curve of the root plus the envelopes of the children. They are computed at the points of a grid, in floats. The result
is an aim: a proof is then made of exact tangents, and a counterexample is made of the atoms of the envelopes.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from fractions import Fraction
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from fstheory._support.exact import integers_over
from fstheory._support.progress import spend
from fstheory.checker.curves import HALF, Amount, Curve, Tree, curve_of, number, own, straight
from fstheory.checker.every_size import PRIMES, EverySizeSpace
from fstheory.checker.numbers import Number, enclosure
from fstheory.checker.statement import ONE, Coefficient, Form
from fstheory.distributions.joint import JointDistribution

_ENDS = [end for k in range(40, 5, -1) for end in (Fraction(1, 2**k), 1 - Fraction(1, 2**k))]
# The grids of posteriors. They have all small denominators, and points near 0 and 1, where an entropy is steep.
_POINTS = [sorted({*_ENDS, *(Fraction(i, parts) for i in range(parts + 1))}) for parts in (5040, 60)]
_FINE, _COARSE = ((points, np.array(points, dtype=float)) for points in _POINTS)
NEAR = 2.0**-30  # floats that differ by less are taken for equal, until the exact proof
_FINEST = Fraction(1, 2**13)  # interval of a cover that is not at an end
_SLACK = 2.0**-23  # between a curve and a line of a cover, at least
_UNIT = 10**7  # the denominator of a line that is rounded
_FEW = 9  # points at which a curve may touch a line
_Floats: TypeAlias = "NDArray[np.float64]"


def tree_of(space: EverySizeSpace, form: Form) -> tuple[Tree, Amount] | None:
    """Return a form as a tree of amounts of R, G, H(Y | .) and costs, with the constant. Return None for another form.

    A parameter is left out.
    """
    unit, rest = 1 << space.n, {unknown: c for unknown, c in form.items() if unknown >= ONE}

    def amount(unknown: int) -> Amount:
        numbers = ((q, space.log(q, unknown) if q > 1 else unknown) for q in (1, *PRIMES))
        return tuple((Fraction(rest.pop(of)), q) for q, of in numbers if of in rest)

    amounts, costs = {}, {}
    for mask in range(unit):
        h: Coefficient = rest.pop(2 * unit + mask, 0)
        if mask and rest.pop(unit + mask, 0) != -h:
            return None
        amounts[mask] = amount(mask), amount(space.unknown("G", mask)), ((Fraction(h), 1),) * (h != 0)
        some = ((Fraction(t), amount(space.cost(t, mask))) for t in space.costs)
        costs[mask] = tuple((t, of) for t, of in some if of)
    constant, every = amount(ONE), [mask for mask, of in amounts.items() if any(of) or costs[mask] or not mask]
    inside = {mask: [of for of in every if of & mask == of != mask] for mask in every}

    def grown(mask: int) -> Tree:
        above = (of for of, parts in inside.items() if parts and max(parts, key=int.bit_count) == mask)
        return Tree(mask, amounts[mask], tuple(map(grown, above)), costs[mask])

    return None if rest else (grown(0), constant)


def to_float(value: Number) -> float:
    """Return a number as a float."""
    return float(enclosure(value, 64)[0])


def _values(curve: Curve, grid: _Floats) -> _Floats:
    c, s, g, h = map(to_float, curve[:4])
    p, q = (np.maximum(share, np.finfo(float).tiny) for share in (grid, 1 - grid))
    smooth: _Floats = c + s * grid + 2 * g * grid * (1 - grid) - h * (p * np.log(p) + q * np.log(q))
    kinks = ((float(t), to_float(a)) for t, a in curve.kinks)
    return sum((a * np.minimum((1 - t) * grid, t * (1 - grid)) for t, a in kinks), start=smooth)


class _Envelope:
    """The values of a tree on a grid, and the points at which they are those of their lower convex envelope."""

    def __init__(self, tree: Tree, grid: tuple[Sequence[Fraction], _Floats]) -> None:
        spend()
        if tree.places and (more := tree.places.difference(grid[0])):  # the grid of a child has its costs already
            points = sorted({*grid[0], *more})
            grid = points, np.array(points, dtype=float)
        self.tree, (self.points, self.grid) = tree, grid
        self.children = [_Envelope(child, grid) for child in tree.children]
        self.lower: _Floats  # the envelope
        self.values: _Floats = sum((child.lower for child in self.children), start=_values(curve_of(tree), self.grid))
        x, y = self.grid.tolist(), self.values.tolist()
        hull, size = [0] * len(x), 0
        for i in range(len(x)):
            while size > 1:
                a, b = hull[size - 2], hull[size - 1]
                if (y[b] - y[a]) * (x[i] - x[a]) < (y[i] - y[a]) * (x[b] - x[a]):
                    break
                size -= 1
            hull[size] = i
            size += 1
        hull = hull[:size]
        self.hull, self.lower = np.array(hull), np.interp(self.grid, self.grid[hull], self.values[hull])

    def edge(self, p: Fraction) -> tuple[int, int]:
        """Return the points of the envelope on both sides of p."""
        j = max(int(np.searchsorted(self.grid[self.hull], float(p))), 1)
        return int(self.hull[j - 1]), int(self.hull[j])

    def slope(self, p: Fraction) -> float:
        """Return the slope of a line that touches the envelope at p."""
        x, y = self.grid[self.hull], self.values[self.hull]
        j = int(np.searchsorted(x, float(p)))
        slopes = (np.diff(y) / np.diff(x))[max(j - 1, 0) : j + (x[j] == float(p))]
        return float(slopes.mean())

    def between(self, values: _Floats, u: Fraction, v: Fraction) -> tuple[float, Fraction]:
        """Return the least value between two points, which is 1 if the grid has no point there, and where it is."""
        first, last = map(int, (np.searchsorted(self.grid, float(u)), np.searchsorted(self.grid, float(v), "right")))
        least = first + int(values[first:last].argmin()) if first < last else 0
        return (float(values[least]), self.points[least]) if first < last else (1.0, u)

    def line(self, p: Fraction, slack: float) -> tuple[Fraction, Fraction]:
        """Return a line that is just below the envelope at p. If it seems to have small denominators, it touches."""
        slope = self.slope(p)
        start = float(np.interp(float(p), self.grid, self.lower)) - slope * float(p)
        simple, rise = Fraction(start).limit_denominator(1000), Fraction(slope).limit_denominator(1000)
        if abs(float(simple) - start) > NEAR:
            return Fraction(math.floor((start - slack) * _UNIT), _UNIT), Fraction(round(slope * _UNIT), _UNIT)
        if abs(float(rise) - slope) > NEAR:
            rise = Fraction(math.floor((slope - slack) * _UNIT), _UNIT)
        return simple, rise

    def least(self) -> tuple[float, Fraction]:
        """Return the least value of the root, and where it is."""
        return self.between(self.values, Fraction(0), self.tree.end)

    def cover(self, line: tuple[Amount, Amount]) -> list[Any] | None:
        """Return a cover that shows that the tree is above a line, or None if none is found."""
        below, most = straight(line), self.tree.end
        gaps = self.values - _values(below, self.grid)
        inner = gaps[self.grid <= float(most)]
        if inner.min() < -NEAR:
            return None
        lowest = (inner[1:-1] < NEAR) & (inner[1:-1] <= inner[2:]) & (inner[1:-1] <= inner[:-2])
        touched = [self.points[i + 1] for i in np.flatnonzero(lowest)[:_FEW]]
        ends = sorted({Fraction(0), HALF, most, *touched, *self.tree.places})
        return _divided(ends, lambda u, v: self._bounds(below, u, v, gaps))

    def _bounds(self, below: Curve, u: Fraction, v: Fraction, gaps: _Floats) -> list[Any] | None:
        """Return a bound for each child, which together show that the tree is above a line between u and v."""
        spend()
        slack, lowest = self.between(gaps, u, v)
        for p in (lowest, (u + v) / 2, u, v)[: 4 * len(self.children) or 1]:
            curve, bounds = curve_of(self.tree).plus(below, -1), list[Any]()
            for child in self.children:
                least, bound = child.bound(p, u, v, max(_SLACK, slack / 4 / len(self.children)))
                curve = curve.plus(least)
                bounds.append(bound)
            if curve.is_above(u, v):
                bounds = [bound() if callable(bound) else bound for bound in bounds]
                if False not in bounds:
                    return bounds
        return None

    def _side(self, gap: Curve, start: Fraction, stop: Fraction) -> Any:
        """Return the right ends of intervals that show a curve to be at least 0 on one side, or False."""
        if self.between(_values(gap, self.grid), start, stop)[0] < -NEAR:
            return False
        found = divided_above(gap, start, stop)
        return found is not None and found

    def bound(self, p: Fraction, u: Fraction, v: Fraction, slack: float) -> tuple[Curve, Any]:
        """Return a curve that is below the mean of the tree if the posterior is between u and v, and a bound for it.

        The bound of a line is found by a call, which returns False if there is none.
        """
        if convex := own(self.tree):
            return convex, None
        curve = curve_of(self.tree)
        smooth = curve.without_kinks(v)
        tangents = (u, (Fraction(0), u)), (v, (v, Fraction(1)))
        if not self.children and not curve.has_kink(u, v) and smooth.bend(u, v)[0]:
            sides = [self._side(curve.plus(smooth.tangent(x), -1), *ends) for x, ends in tangents if ends[0] < ends[1]]
            if False not in sides:
                left, right = [[]] * (u == 0) + sides + [[]] * (v == 1)
                return curve, [left, right, "convex"]
        c, s = self.line(p, slack)
        line = ((c, 1),), ((s, 1),)
        return Curve(c, s), lambda: (cover := self.cover(line)) is not None and [list(map(written, line)), cover]


def divided_above(curve: Curve, *ends: Fraction | int) -> list[str] | None:
    """Return the right ends of intervals on which a curve is seen to be at least 0, or None if that is too many."""
    places = {*map(Fraction, ends), *(t for t, _ in curve.kinks if min(ends) < t < max(ends))}
    found = _divided(sorted(places), lambda u, v: curve.is_above(u, v) or None)
    return None if found is None else [end for end, _ in found]


def _divided(ends: list[Fraction], shown: Callable[[Fraction, Fraction], Any]) -> list[list[Any]] | None:
    """Return the right ends of small intervals between some ends, each with its bounds, or None if that is too many."""
    found, waiting = list[list[Any]](), list(itertools.pairwise(ends))[::-1]
    while waiting:
        u, v = waiting.pop()
        if (how := shown(u, v)) is not None:
            found.append([str(v), how])
        elif v - u < (_FINEST if u > 0 and v < 1 else _ENDS[0]):
            return None
        else:
            waiting += [((u + v) / 2, v), (u, (u + v) / 2)]
    return found


def written(amount: Amount) -> Any:
    """Return a coefficient as a certificate has it."""
    if all(q == 1 for _, q in amount):
        return str(sum((c for c, _ in amount), Fraction(0)))
    return [[str(c), q] for c, q in amount]


def _tree_written(tree: Tree) -> list[Any]:
    costs = [[str(t), written(amount)] for t, amount in tree.costs]
    return [
        tree.subset,
        list(map(written, tree.amounts)),
        list(map(_tree_written, tree.children)),
        *([costs] if costs else []),
    ]


def of_costs(n: int, costs: Iterable[str]) -> list[tuple[Any, ...]]:
    """Return the facts that bound cost-sensitive risks: by 0, by those of smaller subsets, and by each other."""
    found, sets, zero = list[tuple[Any, ...]](), range(1 << n), ("0", "0", "0")
    places = sorted(map(Fraction, {"1/2", *costs}))

    def fact(mask: int, amounts: dict[Fraction, Fraction], least: Fraction, *children: Any) -> None:
        """Add the fact that costs of a subset, times their amounts, are at least a constant."""
        risk, line = str(amounts.pop(HALF, Fraction(0)) / 2), (str(least), "0")
        listed = tuple((str(t), str(amount)) for t, amount in amounts.items())
        cover = tuple((str(end), (None,) * len(children)) for end in (*places, 1))
        found.append(("tree", (mask, (risk, "0", "0"), children, listed), line, cover))

    for t in (t for t in places if t != HALF):
        fact(sets[-1], {t: Fraction(1)}, Fraction(0))
        for mask, i in ((mask, i) for mask in sets for i in range(n) if not mask >> i & 1):
            fact(mask, {t: Fraction(1)}, Fraction(0), (mask | 1 << i, zero, (), ((str(t), "-1"),)))
    for mask, (a, b) in itertools.product(sets, itertools.combinations(places, 2)):
        fact(mask, {a: Fraction(-1), b: (1 - a) / (1 - b)}, Fraction(0))
        fact(mask, {a: b / a, b: Fraction(-1)}, Fraction(0))
        fact(mask, {a: b - 1, b: -a}, a * (b - 1))
    return found


def above(space: EverySizeSpace, form: Form) -> tuple[Any, ...] | None:
    """Return the fact that a form is at least a constant which is not below 0, if it is found.

    If the form has a parameter, the fact is that the rest of the form is at least a constant near its least value.
    """
    if (found := tree_of(space, form)) is None:
        return None
    (tree, constant), least, free = found, Fraction(0), min(form, default=ONE) < ONE
    rest = to_float(number(constant))
    if not free and _Envelope(tree, _COARSE).least()[0] + rest < -NEAR:
        return None
    envelope = _Envelope(tree, _FINE)
    value = envelope.least()[0] + rest
    if free:
        simple, below = (
            Fraction(value).limit_denominator(1000),
            Fraction(math.floor((value - 4 * _SLACK) * 10**6), 10**6),
        )
        least = simple if abs(float(simple) - value) < NEAR else below
    elif value > 100 * _SLACK:
        least = Fraction(f"{value / 2:.0e}")
    line = (*((-c, q) for c, q in constant), (least, 1)), ((Fraction(0), 1),)
    cover = envelope.cover(line) if free or value > -NEAR else None
    return None if cover is None else frozen(("tree", _tree_written(tree), list(map(written, line)), cover))


def frozen(value: Any) -> Any:
    """Return a list as a tuple, and so all lists in it."""
    return tuple(map(frozen, value)) if isinstance(value, list | tuple) else value


def counterexamples(space: EverySizeSpace, forms: Iterable[Form]) -> Iterator[JointDistribution]:
    """Yield distributions at which one of the forms is below 0, made of the atoms of envelopes."""
    found = filter(None, (tree_of(space, form) for form in forms if min(form, default=ONE) >= ONE))
    for (tree, constant), grid in itertools.product(found, (_COARSE, _FINE)):
        envelope = _Envelope(tree, grid)
        value, p = envelope.least()
        if value + to_float(number(constant)) < -NEAR:
            yield _distribution(space.n, envelope, p)


def nearly_equal(space: EverySizeSpace, forms: Iterable[Form]) -> Fraction | None:
    """Return the probability of the rarer class where the least value of one of the forms is nearly 0, or None."""
    for tree, constant in filter(None, (tree_of(space, form) for form in forms)):
        value, p = _Envelope(tree, _FINE).least()
        if abs(value + to_float(number(constant))) < 100 * _SLACK:
            return min(p, 1 - p)
    return None


def _distribution(n: int, root: _Envelope, prior: Fraction) -> JointDistribution:
    """Return the distribution in which each child has the two atoms of its envelope in every state of its parent."""
    sizes = [1] * n

    def cells(node: _Envelope, p: Fraction, y: int) -> dict[tuple[int, ...], Fraction]:
        """Return the law of the states in a class, given a state of the subset in which the posterior is p."""
        law = {(0,) * n: Fraction(1)}
        for child in node.children:
            others = {i for one in node.children if one is not child for i in range(n) if one.tree.subset >> i & 1}
            own_ = [i for i in range(n) if (child.tree.subset & ~node.tree.subset) >> i & 1]
            feature = min(own_, key=lambda i: i in others)
            ends = [child.points[i] for i in child.edge(p)]
            sizes[feature] = 2
            more = dict[tuple[int, ...], Fraction]()
            for state, end in enumerate(ends):
                weight = (p - ends[1 - state]) / (end - ends[1 - state]) * (end / p if y else (1 - end) / (1 - p))
                for (one, a), (two, b) in itertools.product(
                    law.items(), cells(child, end, y).items() if weight else ()
                ):
                    place = tuple(map(max, one, two, (state * (i == feature) for i in range(n))))
                    more[place] = more.get(place, Fraction(0)) + weight * a * b
            law = more
        return law

    both = [cells(root, prior, y) if chance else {} for y, chance in ((0, 1 - prior), (1, prior))]
    places = [(place, y) for y, law in enumerate(both) for place in law]
    weights, _ = integers_over([both[y][place] * (prior if y else 1 - prior) for place, y in places])
    table = np.zeros((*sizes, 2), dtype=object)
    for (place, y), weight in zip(places, weights, strict=True):
        table[(*place, y)] += weight
    return JointDistribution(table)
