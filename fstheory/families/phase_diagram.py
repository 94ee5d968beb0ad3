"""The exact phase diagram of the ordering of all Bayes risks along a family."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from fstheory._clock import Clock, Progress
from fstheory._display import Shown
from fstheory._exact import Exact
from fstheory.bayes import bayes_risks
from fstheory.distribution import JointDistribution, require_distribution
from fstheory.errors import InvalidTypeError, InvalidValueError, TooLargeError, explain
from fstheory.families.family import (
    Family,
    Stretch,
    Table,
    between,
    class_gaps,
    evaluate,
    linear_family,
    marginals,
    ordered,
    roots_between,
    samples_between,
    short,
    stretches,
)
from fstheory.reals.algebraic import AlgebraicNumber, Root, value_at
from fstheory.reals.roots import RootSum
from fstheory.subsets import format_subset, masks_by_size
from fstheory.table import Ordering, SubsetTable
from fstheory.table.columns import ExactColumn

if TYPE_CHECKING:
    from fstheory.viz import PlotFigure

__all__ = ["PhaseDiagram", "PhaseInterval", "phase_diagram"]

_MOST_FEATURES = 8
_LONGEST = 200  # characters of an ordering


@dataclass(frozen=True, repr=False)
class PhaseInterval(Shown):
    """An open interval of the parameter on which the ordering of all Bayes risks is constant.

    Attributes
    ----------
    start, end : Fraction, RootSum or AlgebraicNumber
    ordering : Ordering
        From the smallest risk; its values are those at `sample`.
    sample : Fraction
        A parameter in the interval.

    Examples
    --------
    >>> import fstheory as fs
    >>> copy = fs.JointDistribution([[[2, 0], [1, 0]], [[0, 1], [0, 2]]])
    >>> first = fs.phase_diagram(copy, fs.gallery.xor(noise="1/4")).intervals[0]
    >>> print(first)
    0 < t < 4/7: X1 = X1X2 < X2 < {}
    """

    start: Root
    end: Root
    ordering: Ordering[Fraction]
    sample: Fraction

    def __str__(self) -> str:
        ordering = str(self.ordering)
        if len(ordering) > _LONGEST:
            cut = max(ordering.rfind(sign, 0, _LONGEST) for sign in (" < ", " = "))
            ordering = f"{ordering[: max(cut, 0)]} ... ({len(self.ordering)} places)"
        return f"{short(self.start)} < t < {short(self.end)}: {ordering}"


@dataclass(frozen=True, eq=False, repr=False)
class PhaseDiagram(Shown):
    """How the ordering of all Bayes risks changes along a family, exactly.

    Attributes
    ----------
    family : Family
    critical_values : tuple of Fraction, RootSum or AlgebraicNumber
        Strictly between the ends, ascending: the ordering there, or on one side, differs from that on the other.

    Examples
    --------
    >>> import fstheory as fs
    >>> copy = fs.JointDistribution([[[2, 0], [1, 0]], [[0, 1], [0, 2]]])
    >>> diagram = fs.phase_diagram(copy, fs.gallery.xor(noise="1/4"))
    >>> diagram.critical_values
    (Fraction(4, 7),)
    >>> print(diagram.ordering_at("4/7"))
    X1 = X1X2 < X2 < {}
    """

    family: Family
    critical_values: tuple[Root, ...]
    _samples: tuple[Fraction, ...]

    @cached_property
    def intervals(self) -> tuple[PhaseInterval, ...]:
        """The open intervals between the ends and the critical values, in order."""
        points: list[Root] = [self.family.start, *self.critical_values, self.family.end]
        return tuple(
            PhaseInterval(one, other, bayes_risks(self.family.at(sample)).ordering(), sample)
            for (one, other), sample in zip(itertools.pairwise(points), self._samples, strict=True)
        )

    def risks_at(self, t: Exact | Root) -> SubsetTable[Any]:
        """Return all Bayes risks at a parameter, exactly, also at an irrational one."""
        if isinstance(t, RootSum) and t.is_rational():
            t = t.as_fraction()
        if not isinstance(t, (RootSum, AlgebraicNumber)):
            return bayes_risks(self.family.at(t))
        if not self.family.start <= t <= self.family.end:
            ends = f"from {self.family.start} to {self.family.end}"
            raise InvalidValueError(explain("t", ends, t, "stay in the family"))
        return _risks_at_root(self.family, t)

    def ordering_at(self, t: Exact | Root) -> Ordering[Any]:
        """Return the ordering at a parameter, from the smallest risk."""
        return self.risks_at(t).ordering()

    def best_of_size(self, k: int) -> tuple[Stretch, ...]:
        """Return which subsets of size k have the least risk, and from where to where.

        Examples
        --------
        >>> import fstheory as fs
        >>> first = fs.JointDistribution([[[3, 0], [2, 1]], [[1, 2], [0, 3]]])
        >>> second = fs.JointDistribution([[[3, 0], [1, 2]], [[2, 1], [0, 3]]])
        >>> for stretch in fs.phase_diagram(first, second).best_of_size(1):
        ...     print(stretch)
        0 <= t < 1/2: {X1}
        t = 1/2: {X1}, {X2}
        1/2 < t <= 1: {X2}
        """
        return self._along(lambda risks: risks.best_of_size(k).subsets)

    def minimal_sets(self) -> tuple[Stretch, ...]:
        """Return which subsets have the risk of all features and none smaller within them has, from where to where.

        Where both assumptions of the theory hold there is one, the minimal-optimal set S*.
        """
        return self._along(lambda risks: risks.minimal_sets())

    def _along(self, answer: Callable[[SubsetTable[Any]], tuple[frozenset[str], ...]]) -> tuple[Stretch, ...]:
        ends = self.family.start, self.family.end
        return stretches(ends, self.critical_values, self._samples, lambda t: answer(self.risks_at(t)))

    def plot(self) -> PlotFigure:
        """Draw the risks against t, the critical values marked, and below them the ordering as a ribbon.

        Raises
        ------
        TooLargeError
            There are more than 4 features: more subsets than a picture can tell apart.
        """
        from fstheory.viz.phases import draw_phases

        family = self.family
        if len(family.features) > 4:
            repair = "take the marginal of fewer features, or read best_of_size"
            raise TooLargeError(explain("the features", "at most 4 to be drawn", len(family.features), repair))
        steps = 120
        grid = {family.start + (family.end - family.start) * Fraction(i, steps) for i in range(steps + 1)}
        tables = {t: self.risks_at(t) for t in sorted(grid | set(self._samples))}
        bends = {float(t): [float(v) for v in table.values()] for t, table in tables.items()}
        bends |= {float(t): [float(v) for v in self.risks_at(t).values()] for t in self.critical_values}
        marks = [float(t) for t in (family.start, *self.critical_values, family.end)]
        ranks = [[tables[t].ranks[tables[t].masks == mask][0] for mask in self._masks] for t in self._samples]
        names = [format_subset(mask, family.features) for mask in self._masks]
        return draw_phases(names, dict(sorted(bends.items())), marks, ranks, str(family))

    @property
    def _masks(self) -> list[int]:
        """All subsets in the order of a table."""
        found: list[int] = masks_by_size(len(self.family.features)).tolist()
        return found

    def __str__(self) -> str:
        count = len(self.critical_values)
        head = f"{self.family}: {count} critical value{'s' * (count != 1)}"
        shown = [f"  {interval}" for interval in self.intervals[:12]]
        rest = [f"  ... {count + 1 - 12} more intervals"] if count + 1 > 12 else []
        return "\n".join([head, *shown, *rest])


def phase_diagram(
    first: JointDistribution | Family, second: JointDistribution | None = None, *, progress: Progress = None
) -> PhaseDiagram:
    """Return where along a family the ordering of all Bayes risks changes, exactly.

    Parameters
    ----------
    first : JointDistribution or Family
        A distribution, which needs a `second`, or a family.
    second : JointDistribution, optional
        The other end of the mixtures ``(1 - t) first + t second``.
    progress : bool or callable, optional
        True shows how far it is, on a terminal or in a notebook; a function is called with each line of that.

    Returns
    -------
    PhaseDiagram
        `critical_values`, `intervals`, `ordering_at(t)`, `best_of_size(k)`, `minimal_sets()`.

    Raises
    ------
    TooLargeError
        There are more than 8 features.

    Notes
    -----
    Between the values where the class that wins in some cell of some marginal changes, every risk is one polynomial.
    In a linear family these values are rational, and between two of them risks are lines: the pairs of subsets that
    change places are the inversions between their orders at both ends. In other families the values and the
    crossings are roots of polynomials, isolated and compared exactly. Complexity: for a linear family with K such
    values and N cells in all marginals, order of K (N + 4**n) steps.

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
    if isinstance(first, Family):
        if second is not None:
            raise InvalidValueError(explain("second", "left out with a family", second, "drop it"))
        family = first
    elif second is None:
        require_distribution(first, "first")
        repair = "pass the distribution at the other end, or a family"
        raise InvalidTypeError(explain("second", "a JointDistribution", second, repair))
    else:
        family = linear_family(first, second)
    if len(family.features) > _MOST_FEATURES:
        repair = "take the marginal of fewer features"
        raise TooLargeError(explain("first", f"of at most {_MOST_FEATURES} features", len(family.features), repair))
    with Clock(None, progress) as clock:
        critical = _linear_changes(family) if family.degree <= 1 else _polynomial_changes(family, clock)
    points: list[Root] = [family.start, *critical, family.end]
    return PhaseDiagram(family, tuple(critical), tuple(samples_between(points)))


def _linear_changes(family: Family) -> list[Root]:
    """Return the critical values of a linear family: all of them rational."""
    tables = [table for _, table in marginals(family)]
    cells = np.concatenate(tables, axis=1)
    if len(cells) == 1:
        return []
    starts = np.cumsum([0, *(table.shape[1] for table in tables)])[:-1]
    at, slope = cells
    knots = {family.start, family.end}
    for one, other in itertools.combinations(range(at.shape[1]), 2):
        rises = (slope[:, one] - slope[:, other]).tolist()
        knots.update(
            Fraction(gap, rise)
            for gap, rise in zip((at[:, other] - at[:, one]).tolist(), rises, strict=True)
            if rise and family.start < Fraction(gap, rise) < family.end
        )
    ascending = sorted(knots)
    above = [knot.numerator for knot in ascending]
    below = [knot.denominator for knot in ascending]
    most = int(max(abs(at).sum(), abs(slope).sum())) * 2 * max(map(abs, below + above))
    kind: Any = np.int64 if most < 2**62 else object
    scales, steps = np.array(below, dtype=kind), np.array(above, dtype=kind)
    line = at[:, :, None].astype(kind) * scales + slope[:, :, None].astype(kind) * steps
    right = np.add.reduceat(line.max(axis=1), starts, axis=0)  # of shape (subsets, knots): the more, the less risk
    return _inversions(ascending, right)


def _inversions(knots: Sequence[Fraction], values: Any) -> list[Root]:
    """Return where the order of lines through values at some knots, given times the denominators, changes."""
    ranks = np.array([np.unique(column, return_inverse=True)[1] for column in values.T])
    found: set[Root] = set()
    for i in range(len(knots) - 1):
        before, after = ranks[i], ranks[i + 1]
        pairs = np.argwhere((before[:, None] < before) & (after[:, None] > after))
        for one, other in pairs.tolist():
            gap = (int(values[other, i]) - int(values[one, i])) * knots[i + 1].denominator
            turned = (int(values[one, i + 1]) - int(values[other, i + 1])) * knots[i].denominator
            found.add(knots[i] + (knots[i + 1] - knots[i]) * Fraction(gap, gap + turned))
        size = int(max(before.max(), after.max())) + 1
        both_ends = len(np.unique(before * size + after))
        if i and both_ends > before.max() + 1:  # a tie at the knot that is none after it
            found.add(knots[i])
        if i + 2 < len(knots) and both_ends > after.max() + 1:  # a tie at the next knot that was none before it
            found.add(knots[i + 1])
    return ordered(found)


def _polynomial_changes(family: Family, clock: Clock) -> list[Root]:
    """Return the critical values of a family of any degree."""
    tables = [table for _, table in marginals(family)]
    rows = {tuple(row) for table in tables for row in class_gaps(table)}
    roots: dict[tuple[int, ...], list[Root]] = {}

    clock.tell(f"takes the roots of {len(rows):,} polynomials or more")

    def roots_of(row: tuple[int, ...]) -> list[Root]:
        clock.tick(lambda: f"roots of {len(roots):,} polynomials")
        if row not in roots:
            roots[row] = roots_between(row, family.start, family.end)
        return roots[row]

    knots = [family.start, *ordered(root for row in rows for root in roots_of(row)), family.end]
    found: set[Root] = set()
    for start, end in itertools.pairwise(knots):
        sample = between(start, end)
        pieces = list(dict.fromkeys(tuple(_winners(table, sample).tolist()) for table in tables))
        for one, other in itertools.combinations(pieces, 2):
            difference = _primitive([a - b for a, b in zip(one, other, strict=True)])
            found.update(root for root in roots_of(difference) if start <= root <= end)
    return ordered(found)


def _primitive(row: Sequence[int]) -> tuple[int, ...]:
    """Return a polynomial without the common divisor of its coefficients, the last positive: equal roots, one key."""
    common = math.gcd(*row) * (-1 if next(c for c in reversed(row) if c) < 0 else 1)
    return tuple(c // common for c in row)


def _winners(table: Table, t: Fraction) -> Table:
    """Return the sum over the cells of the polynomials of the classes that win at a parameter."""
    best = evaluate(table, t).argmax(axis=1)
    chosen: Table = table[:, np.arange(len(best)), best].sum(axis=1)
    return chosen


def _risks_at_root(family: Family, t: Root) -> SubsetTable[Any]:
    """Return all Bayes risks at an irrational parameter, each from the polynomial that is its risk there.

    On either side of the parameter the classes that win are known, and risks are continuous: what wins at a rational
    between it and the next knot has the largest weight at the parameter, too.
    """
    total = family.coefficients.reshape(len(family.coefficients), -1).sum(axis=1)
    values: list[Any] = []
    for _, table in marginals(family):
        later = ordered(
            root for row in class_gaps(table) for root in roots_between(row, family.start, family.end) if root > t
        )
        sample = between(t, [*later, family.end][0])
        values.append(value_at((total - _winners(table, sample)).tolist(), total.tolist(), t))
    return SubsetTable(family.features, ExactColumn(values), name="Bayes risk", symbol="R")
