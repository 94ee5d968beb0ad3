"""The parameters of a family at which the ordering of all Bayes risks changes: values of one, curves of two."""

from __future__ import annotations

import bisect
import functools
import itertools
import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from operator import itemgetter
from typing import TYPE_CHECKING, Any, ClassVar, overload

import numpy as np

from fstheory._support.exact import Exact, to_text
from fstheory._support.progress import Clock, Progress
from fstheory._support.result import Result, Rows
from fstheory.distributions.gallery import DistributionLike, as_distribution
from fstheory.errors import InvalidTypeError, TooLargeError, explain, require
from fstheory.lattice.columns import ExactColumn
from fstheory.lattice.subsets import format_subset, masks_by_size
from fstheory.lattice.table import Ordering, SubsetTable
from fstheory.measures.risk import bayes_risks
from fstheory.numbers.algebraic import AlgebraicNumber, Root, value_at
from fstheory.numbers.roots import RootSum
from fstheory.selection.family import (
    Family,
    ParametricFamily,
    Stretch,
    Table,
    as_rational,
    between,
    class_gaps,
    coefficients_of,
    evaluate,
    linear_family,
    marginals,
    ordered,
    poly_value,
    roots_between,
    samples_between,
    stretches,
)

if TYPE_CHECKING:
    import sympy

    from fstheory.lattice.figure import PlotFigure, Size, Width


_MOST_FEATURES = 8
_MOST_OF_TWO = 3  # the most features of a family with two parameters
_LONGEST = 200  # characters of an ordering


@dataclass(frozen=True, repr=False)
class PhaseInterval(Result):
    """An open interval of parameters on which the ordering of all Bayes risks is constant.

    `ordering` has the values of the risks at `sample`, a parameter in the interval.
    """

    start: Root
    end: Root
    ordering: Ordering[Fraction]
    sample: Fraction
    _symbol: Any = field(default="t", repr=False, kw_only=True)

    def __str__(self) -> str:
        ordering = str(self.ordering)
        if len(ordering) > _LONGEST:
            cut = max(ordering.rfind(sign, 0, _LONGEST) for sign in (" < ", " = "))
            ordering = f"{ordering[: max(cut, 0)]} ... ({len(self.ordering)} places)"
        return f"{to_text(self.start, 0, 60)} < {self._symbol} < {to_text(self.end, 0, 60)}: {ordering}"


@dataclass(frozen=True, repr=False)
class PhaseDiagram(Rows):
    """The orderings of all Bayes risks along a family.

    The ordering changes exactly at the `critical_values`, which are ascending. Between them it is constant.
    """

    _table: ClassVar = "intervals"

    family: Family
    critical_values: tuple[Root, ...]
    _samples: tuple[Fraction, ...]

    @cached_property
    def intervals(self) -> tuple[PhaseInterval, ...]:
        """The open intervals between the ends and the critical values, in order."""
        points: list[Root] = [self.family.start, *self.critical_values, self.family.end]
        return tuple(
            PhaseInterval(
                one, other, bayes_risks(self.family.at(sample)).ordering(), sample, _symbol=self.family.symbol
            )
            for (one, other), sample in zip(itertools.pairwise(points), self._samples, strict=True)
        )

    def risks_at(self, t: Exact | Root) -> SubsetTable[Any]:
        """Return the table of all Bayes risks at a parameter. They are exact even if the parameter is irrational."""
        if isinstance(t, RootSum) and t.is_rational():
            t = t.as_fraction()
        if not isinstance(t, (RootSum, AlgebraicNumber)):
            return bayes_risks(self.family.at(t))
        ends = f"between {to_text(self.family.start, 0, 60)} and {to_text(self.family.end, 0, 60)}"
        require(self.family.start <= t <= self.family.end, "t", ends, t, "stay in the family")
        return _risks_at_root(self.family, t, between(t, self._knots[bisect.bisect_right(self._knots, t)]))

    @cached_property
    def _knots(self) -> list[Any]:
        """The parameters at which the likeliest class of some cell may change, ascending, and the end of the family."""
        family = self.family
        rows = {tuple(row) for _, table in marginals(family) for row in class_gaps(table)}
        return [*ordered(root for row in rows for root in roots_between(row, family.start, family.end)), family.end]

    def ordering_at(self, t: Exact | Root) -> Ordering[Any]:
        """Return the ordering at a parameter, from the smallest risk."""
        return self.risks_at(t).ordering()

    def best_of_size(self, k: int) -> tuple[Stretch, ...]:
        """Return the stretches of the parameter, each with the subsets of size k that have the least risk there."""
        return self._along(lambda risks: risks.best_of_size(k).subsets)

    def minimal_sets(self) -> tuple[Stretch, ...]:
        """Return the stretches of the parameter, each with the minimal-optimal subsets there."""
        return self._along(lambda risks: risks.minimal_sets())

    def _along(self, answer: Callable[[SubsetTable[Any]], tuple[frozenset[str], ...]]) -> tuple[Stretch, ...]:
        columns = self.family.features
        return stretches(self.family, self.critical_values, self._samples, lambda t: answer(self.risks_at(t)), columns)

    def plot(self, *, figsize: Size | None = None, width: Width | None = None) -> PlotFigure:
        """Draw the risks of all subsets of at most 4 features against t, the critical values, and the ordering."""
        from fstheory.lattice.series import draw_phases

        family = self.family
        repair, count = "take the marginal of fewer features, or read best_of_size", len(family.features)
        require(count <= 4, "the features", "at most 4 to be drawn", count, repair, TooLargeError)
        steps = 120
        grid = {family.start + (family.end - family.start) * Fraction(i, steps) for i in range(steps + 1)}
        tables = {t: self.risks_at(t) for t in sorted(grid | set(self._samples))}
        bends = {float(t): [float(v) for v in table.values()] for t, table in tables.items()}
        bends |= {float(t): [float(v) for v in self.risks_at(t).values()] for t in self.critical_values}
        marks = [float(t) for t in (family.start, *self.critical_values, family.end)]
        masks: list[int] = masks_by_size(count).tolist()
        ranks = [[tables[t].ranks[tables[t].masks == mask][0] for mask in masks] for t in self._samples]
        names = [format_subset(mask, family.features) for mask in masks]
        return draw_phases(names, dict(sorted(bends.items())), marks, ranks, str(family), str(family.symbol)).sized(
            figsize, width
        )

    def __str__(self) -> str:
        count = len(self.critical_values)
        head = f"{self.family}: {count} critical value{'s' * (count != 1)}"
        shown = [f"  {interval}" for interval in self.intervals[:12]]
        rest = [f"  ... {count + 1 - 12} more intervals"] if count + 1 > 12 else []
        return "\n".join([head, *shown, *rest])


@overload
def phase_diagram(
    first: DistributionLike | Family, second: DistributionLike | None = None, *, progress: Progress = None
) -> PhaseDiagram: ...
@overload
def phase_diagram(first: ParametricFamily, *, progress: Progress = None) -> PhaseRegions: ...
def phase_diagram(
    first: DistributionLike | Family | ParametricFamily,
    second: DistributionLike | None = None,
    *,
    progress: Progress = None,
) -> PhaseDiagram | PhaseRegions:
    """Find the exact parameters of a family at which the ordering of all Bayes risks changes.

    Use it to see how a ranking of subsets depends on a parameter, such as the noise, or on two parameters. Complexity:
    O(K (N + 4**n)) steps for a linear family, where N is the number of cells of all marginals, and K is the number of
    parameters at which two classes have the same weight in some cell. With two parameters the lines on which this is
    done lie between the roots of about C**2 / 2 polynomials, where C is the number of curves at which two classes have
    the same weight in some cell, or two subsets the same risk.

    Parameters
    ----------
    first : Family, ParametricFamily, or JointDistribution
        The family, of at most 8 features, or of at most 3 with two parameters, or the distribution at t = 0.
    second : JointDistribution, optional
        The distribution at t = 1, if `first` is not a family. The family is then ``(1 - t) first + t second``.
    progress : bool or callable, optional
        True shows the progress. A function is called with each line of progress.

    Returns
    -------
    PhaseDiagram or PhaseRegions
        The critical values, and the ordering on each interval between them. For two parameters, the critical curves,
        and the orderings that hold in the regions between them.

    Examples
    --------
    >>> import fstheory as fs
    >>> first = fs.JointDistribution([[[3, 0], [2, 1]], [[1, 2], [0, 3]]])
    >>> second = fs.JointDistribution([[[3, 0], [1, 2]], [[2, 1], [0, 3]]])
    >>> print(fs.phase_diagram(first, second))
    family linear in t from 0 to 1, features X1, X2: 1 critical value
      0 < t < 1/2: X1 = X1X2 < X2 < {}
      1/2 < t < 1: X2 = X1X2 < X1 < {}
    """
    if isinstance(first, (Family, ParametricFamily)):
        require(second is None, "second", "left out with a family", second, "drop it")
    if isinstance(first, ParametricFamily):
        return _regions(first, progress)
    if isinstance(first, Family):
        family = first
    elif second is None:
        first = as_distribution(first, "first")
        repair = "pass the distribution at the other end, or a family"
        raise InvalidTypeError(explain("second", "a JointDistribution", second, repair))
    else:
        family = linear_family(first, second)
    wanted, repair = f"of at most {_MOST_FEATURES} features", "take the marginal of fewer features"
    require(len(family.features) <= _MOST_FEATURES, "first", wanted, len(family.features), repair, TooLargeError)
    with Clock(None, progress) as clock:
        critical = _changes_of_ordering(family, clock)
    points: list[Root] = [family.start, *critical, family.end]
    return PhaseDiagram(family, tuple(critical), tuple(samples_between(points)))


def _changes_of_ordering(family: Family, clock: Clock) -> list[Root]:
    """Return the parameters at which the ordering of the risks changes."""
    tables = [table for _, table in marginals(family)]
    rows = {tuple(row) for table in tables for row in class_gaps(table)}
    roots: dict[tuple[int, ...], list[Root]] = {}
    clock.tell(f"takes the roots of {len(rows):,} polynomials or more")

    def roots_of(row: tuple[int, ...]) -> list[Root]:
        clock.count(len(roots), len(rows) if len(roots) < len(rows) else None, "polynomials", "roots of ")
        if row not in roots:
            roots[row] = roots_between(row, family.start, family.end)
        return roots[row]

    changing: dict[Root, set[int]] = {}  # by knot, the subsets with a cell whose likeliest class may change there
    for mask, table in enumerate(tables):
        for root in itertools.chain.from_iterable(map(roots_of, map(tuple, class_gaps(table)))):
            changing.setdefault(root, set()).add(mask)
    knots = [family.start, *ordered(changing), family.end]
    samples = [family.start, *samples_between(knots), family.end]
    found: set[Root] = set()
    pieces: list[Any] = [None] * len(tables)
    for i, (start, end) in enumerate(itertools.pairwise(knots)):
        for mask in changing.get(start, ()) if i else range(len(tables)):
            pieces[mask] = tuple(_winners(tables[mask], samples[i + 1]).tolist())
        distinct = np.array(list(dict.fromkeys(pieces)), dtype=object)
        for one, other in _perhaps_equal(distinct, samples[i], samples[i + 2]):
            difference = _primitive((distinct[one] - distinct[other]).tolist())
            found.update(root for root in roots_of(difference) if start <= root <= end)
    return ordered(found)


def _perhaps_equal(rows: Table, start: Fraction, end: Fraction) -> Any:
    """Return the pairs of polynomials that may be equal between two parameters.

    Pairs whose difference has no root there, as the signs of its coefficients show, are left out.
    """
    common, degree = math.lcm(start.denominator, end.denominator), rows.shape[1] - 1
    high = np.array([int(start * common), int(end * common)], dtype=object)
    low = np.array([common, common], dtype=object)  # t = (start + end * u) / (1 + u) for u from 0 to infinity
    one = np.ones(1, dtype=object)
    powers = [functools.reduce(np.convolve, [high] * j + [low] * (degree - j), one) for j in range(degree + 1)]
    ranks = [np.unique(values, return_inverse=True)[1] for values in np.array(powers).T @ rows.T]
    above = np.logical_and.reduce([rank[:, None] > rank for rank in ranks])
    return np.argwhere(np.triu(~(above | above.T), 1)).tolist()


def _primitive(row: Sequence[int]) -> tuple[int, ...]:
    """Divide a polynomial by the common divisor of its coefficients, so that the last one is positive.

    Multiples of one polynomial then give the same key.
    """
    common = math.gcd(*row) * (-1 if next(c for c in reversed(row) if c) < 0 else 1)
    return tuple(c // common for c in row)


def _winners(table: Table, t: Fraction) -> Table:
    """Return the sum, over the cells, of the polynomial of the class that has the largest weight at a parameter."""
    best = evaluate(table, t).argmax(axis=1)
    chosen: Table = table[:, np.arange(len(best)), best].sum(axis=1)
    return chosen


def _risks_at_root(family: Family, t: Root, sample: Fraction) -> SubsetTable[Any]:
    """Return all Bayes risks at an irrational parameter, each from the polynomial that is its risk there."""
    # Weights are continuous. A class that has the largest weight at a rational between t and the next knot also has the
    # largest weight at t.
    risks = [family.total - _winners(table, sample) for _, table in marginals(family)]
    values: list[Any] = [value_at(risk.tolist(), family.total.tolist(), t) for risk in risks]
    return SubsetTable(family.features, ExactColumn(values), name="Bayes risk", symbol="R")


# -- Two parameters. Along the lines q = c the picture changes only at finitely many c: where two curves meet, or one of
# them turns or leaves the rectangle. Between any two of these c one line shows all.


@dataclass(frozen=True, repr=False)
class PhaseRegion(Result):
    """An ordering of all Bayes risks, and points of the open sets of parameters in which it holds.

    Any two of its `samples` lie on different sides of some critical curve.
    """

    ordering: Ordering[Fraction]
    samples: tuple[tuple[Fraction, Fraction], ...]


@dataclass(frozen=True, repr=False)
class PhaseRegions(Rows):
    """The orderings of all Bayes risks in a family with two parameters. See `phase_diagram`.

    Attributes
    ----------
    family : ParametricFamily
    curves : tuple of sympy.Expr
        Irreducible polynomials. The ordering changes only where one of them is 0, and at some points of each of them.
    regions : tuple of PhaseRegion
        The orderings that hold in an open set, each with points at which it holds.
    """

    _table: ClassVar = "regions"

    family: ParametricFamily
    curves: tuple[sympy.Expr, ...]
    regions: tuple[PhaseRegion, ...]

    def __str__(self) -> str:
        count = len(self.regions)
        lines = [f"{self.family}: {count} ordering{'s' * (count != 1)}{', separated by' * bool(self.curves)}"]
        lines += [f"  {curve} = 0" for curve in self.curves]
        names = self.family.symbols
        for place, region in enumerate(self.regions, 1):
            at = ", ".join(f"{name} = {to_text(x, 0, 20)}" for name, x in zip(names, region.samples[0], strict=True))
            lines.append(f"  {place}. {region.ordering}, as at {at}")
        return "\n".join(lines)

    def plot(self, *, figsize: Size | None = None, width: Width | None = None) -> PlotFigure:
        """Draw the curves in the rectangle of the parameters. The numbers of the regions are those of the text."""
        import sympy

        from fstheory.lattice.series import draw_regions

        (across, up), (x, y) = self.family.ranges, self.family.symbols
        curves = [sympy.lambdify((x, y), curve, "numpy") for curve in self.curves]
        samples = [[(float(a), float(b)) for a, b in region.samples] for region in self.regions]
        ends = [(float(low), float(high)) for low, high in (across, up)]
        return draw_regions(curves, samples, ends, (str(x), str(y)), str(self.family)).sized(figsize, width)


def _regions(family: ParametricFamily, progress: Progress = None) -> PhaseRegions:
    """Return the curves and the orderings of a family with two parameters."""
    require(len(family.symbols) == 2, "first", "of one or two parameters", family, "fix the others by along()")
    few = len(family.features) <= _MOST_OF_TWO
    require(few, "first", f"of at most {_MOST_OF_TWO} features", family, "take fewer features", TooLargeError)
    with Clock(None, progress) as clock:
        candidates = _candidates(family, clock)
        critical: set[sympy.Poly] = set()
        crossed: list[tuple[float, PhaseRegion]] = []
        for fixed in (1, 0):  # the lines across, and for curves that no such line crosses, the lines up
            for at in _lines(family, candidates, fixed, clock):
                diagram = phase_diagram(family.along({family.symbols[fixed]: as_rational(at)}))
                owner = _roots_along(family, candidates, fixed, at)
                critical.update(owner[root] for root in diagram.critical_values)
                crossed += _samples(diagram, owner, at) if fixed else ()
    curves = [curve for curve in candidates if curve in critical]
    by_side: dict[str, dict[tuple[bool, ...], PhaseRegion]] = {}  # the samples of each ordering by side of the curves
    for _, here in sorted(crossed, key=itemgetter(0), reverse=True):  # the farthest curves first
        sides = tuple(poly_value(curve, here.samples[0]) > 0 for curve in curves)
        by_side.setdefault(str(here.ordering), {}).setdefault(sides, here)
    regions = (
        PhaseRegion(next(iter(same.values())).ordering, tuple(here.samples[0] for here in same.values()))
        for same in by_side.values()
    )
    return PhaseRegions(family, tuple(curve.as_expr() for curve in curves), tuple(regions))


def _candidates(family: ParametricFamily, clock: Clock) -> list[sympy.Poly]:
    """Return irreducible polynomials such that all likeliest classes and the ordering are constant between their zeros.

    They are the factors of the weights, of the differences of two classes in a cell, and of the differences of two
    risks, with the classes that are likeliest somewhere.
    """
    tables = list(_marginals(family))
    cells = [cell for table in tables for cell in table]
    gaps = [one - other for cell in cells for one, other in itertools.combinations(cell, 2)]
    weights: list[Any] = family.weights.ravel().tolist()
    curves = _factors([*weights, sum(weights[1:], weights[0]), *gaps])
    differences: dict[sympy.Poly, None] = {}
    start, end = family.ranges[0]
    for at in _lines(family, curves, 1, clock):
        for sample in samples_between([start, *_roots_along(family, curves, 1, at), end]):
            right = dict.fromkeys(_right(table, (sample, at)) for table in tables)
            differences |= {one - other: None for one, other in itertools.combinations(right, 2)}
    return _factors([*curves, *differences])


def _samples(diagram: PhaseDiagram, met: Iterable[Root], at: Fraction) -> Iterator[tuple[float, PhaseRegion]]:
    """Yield the ordering at a point between any two neighboring curves that a line meets, and their distance."""
    ends = [diagram.family.start, *met, diagram.family.end]
    for (start, end), x in zip(itertools.pairwise(ends), samples_between(ends), strict=True):
        interval = diagram.intervals[bisect.bisect(diagram.critical_values, x)]
        yield float(end) - float(start), PhaseRegion(interval.ordering, ((x, at),))


def _marginals(family: ParametricFamily) -> Iterator[list[list[sympy.Poly]]]:
    """Yield the weights of the marginal of each subset: a list of cells, each with the weights of its classes."""
    table, n = family.weights, len(family.features)
    for mask in range(2**n):
        summed = table.sum(axis=tuple(axis for axis in range(n) if not mask >> axis & 1))
        yield summed.reshape(-1, table.shape[-1]).tolist()


def _factors(polynomials: Iterable[sympy.Poly]) -> list[sympy.Poly]:
    """Return the different irreducible factors of some polynomials."""
    found = (factor for polynomial in dict.fromkeys(polynomials) for factor, _ in polynomial.factor_list()[1])
    return list(dict.fromkeys(factor.primitive()[1] * (1 if factor.LC() > 0 else -1) for factor in found))


def _right(table: list[list[sympy.Poly]], point: tuple[Fraction, Fraction]) -> sympy.Poly:
    """Return the total weight of the classes that are likeliest in their cells at a point."""
    first, *others = (max(cell, key=lambda weight: poly_value(weight, point)) for cell in table)
    return sum(others, first)


def _lines(family: ParametricFamily, curves: Sequence[sympy.Poly], fixed: int, clock: Clock) -> list[Fraction]:
    """Return a value of one parameter between any two at which the picture along the other parameter changes."""
    low, high = family.ranges[fixed]
    listed = dict.fromkeys(map(tuple, _changes(family, curves, fixed)))
    clock.tell(f"takes the roots of {len(listed):,} polynomials in {family.symbols[fixed]}")
    return samples_between([low, *ordered(root for row in listed for root in roots_between(row, low, high)), high])


def _changes(family: ParametricFamily, curves: Sequence[sympy.Poly], fixed: int) -> Iterator[list[Fraction]]:
    """Yield the polynomials in one parameter at whose roots the picture along the other parameter may change.

    There, two curves meet, a curve has a vertical tangent or leaves to infinity, or it enters the rectangle. This is
    the projection of a cylindrical algebraic decomposition into open cells (Collins 1975; McCallum 1998).
    """
    import sympy

    symbol, moved = family.symbols[fixed], family.symbols[1 - fixed]
    bent = [curve.as_expr() for curve in curves if curve.degree(moved)]
    found = [curve.as_expr() for curve in curves if not curve.degree(moved)]
    for curve in bent:
        found += [sympy.LC(curve, moved), sympy.discriminant(curve, moved)]
        found += [curve.subs(moved, as_rational(end)) for end in family.ranges[1 - fixed]]
    found += [sympy.resultant(one, other, moved) for one, other in itertools.combinations(bent, 2)]
    for expression in dict.fromkeys(found):
        yield coefficients_of(sympy.Poly(expression, symbol))


def _roots_along(
    family: ParametricFamily, curves: Sequence[sympy.Poly], fixed: int, at: Fraction
) -> dict[Root, sympy.Poly]:
    """Return where a line meets the curves, ascending, with the curve."""
    import sympy

    moved, ends = family.symbols[1 - fixed], family.ranges[1 - fixed]
    found: dict[Root, sympy.Poly] = {}
    for curve in curves:
        here = sympy.Poly(curve.as_expr().subs(family.symbols[fixed], as_rational(at)), moved)
        found |= dict.fromkeys(roots_between(coefficients_of(here), *ends), curve)
    return {root: found[root] for root in ordered(found)}
