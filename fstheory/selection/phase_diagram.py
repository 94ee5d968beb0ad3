"""The parameters of a family at which the ordering of all Bayes risks changes, or two informations are equal."""

from __future__ import annotations

import bisect
import functools
import itertools
import math
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from fstheory._support.exact import Exact, as_fraction, decimal_text, to_text
from fstheory._support.progress import Clock, Progress
from fstheory._support.result import OnColumns, Result, Rows, in_order
from fstheory.distributions.gallery import DistributionLike, as_distribution
from fstheory.errors import InvalidTypeError, TooLargeError, explain, require, require_type
from fstheory.lattice.columns import ExactColumn
from fstheory.lattice.subsets import Subset, format_subset, mask_of, masks_by_size, names_of
from fstheory.lattice.table import Ordering, SubsetTable
from fstheory.measures.risk import bayes_risks
from fstheory.numbers.algebraic import AlgebraicNumber, Root, value_at
from fstheory.numbers.enclosure import rational_ball
from fstheory.numbers.logsum import LogSum
from fstheory.numbers.roots import RootSum
from fstheory.selection.family import (
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
    stretches,
    value_of,
)

if TYPE_CHECKING:
    from fstheory.lattice.figure import PlotFigure, Size, Width


_MOST_FEATURES = 8
_AT_ONCE = 2**7  # values of t at which all cells are held
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

    def __str__(self) -> str:
        ordering = str(self.ordering)
        if len(ordering) > _LONGEST:
            cut = max(ordering.rfind(sign, 0, _LONGEST) for sign in (" < ", " = "))
            ordering = f"{ordering[: max(cut, 0)]} ... ({len(self.ordering)} places)"
        return f"{to_text(self.start, 0, 60)} < t < {to_text(self.end, 0, 60)}: {ordering}"


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
            PhaseInterval(one, other, bayes_risks(self.family.at(sample)).ordering(), sample)
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
        ends = self.family.start, self.family.end
        columns = self.family.features
        return stretches(ends, self.critical_values, self._samples, lambda t: answer(self.risks_at(t)), columns)

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
        return draw_phases(names, dict(sorted(bends.items())), marks, ranks, str(family)).sized(figsize, width)

    def __str__(self) -> str:
        count = len(self.critical_values)
        head = f"{self.family}: {count} critical value{'s' * (count != 1)}"
        shown = [f"  {interval}" for interval in self.intervals[:12]]
        rest = [f"  ... {count + 1 - 12} more intervals"] if count + 1 > 12 else []
        return "\n".join([head, *shown, *rest])


def phase_diagram(
    first: DistributionLike | Family, second: DistributionLike | None = None, *, progress: Progress = None
) -> PhaseDiagram:
    """Find the exact parameters of a family at which the ordering of all Bayes risks changes.

    Use it to see how a ranking of subsets depends on a parameter, such as the noise. Complexity: O(K (N + 4**n)) steps
    for a linear family, where N is the number of cells of all marginals, and K is the number of parameters at which two
    classes have the same weight in some cell.

    Parameters
    ----------
    first : Family, or JointDistribution
        The family, of at most 8 features, or the distribution at t = 0.
    second : JointDistribution, optional
        The distribution at t = 1, if `first` is not a family. The family is then ``(1 - t) first + t second``.
    progress : bool or callable, optional
        True shows the progress. A function is called with each line of progress.

    Returns
    -------
    PhaseDiagram
        The critical values, and the ordering on each interval between them.

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
        require(second is None, "second", "left out with a family", second, "drop it")
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
        critical = _linear_changes(family, clock) if family.degree <= 1 else _polynomial_changes(family, clock)
    points: list[Root] = [family.start, *critical, family.end]
    return PhaseDiagram(family, tuple(critical), tuple(samples_between(points)))


def _linear_changes(family: Family, clock: Clock) -> list[Root]:
    """Return the critical values of a linear family. All of them are rational."""
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
    at, slope, right = at[:, :, None].astype(kind), slope[:, :, None].astype(kind), []
    for first in range(0, len(ascending), _AT_ONCE):
        clock.count(first, len(ascending), "values of t", "risks at ")
        some = slice(first, first + _AT_ONCE)
        line = at * scales[some] + slope * steps[some]
        right.append(np.add.reduceat(line.max(axis=1), starts, axis=0))  # a larger value means a smaller risk
    return _inversions(ascending, np.concatenate(right, axis=1))  # of shape (subsets, knots)


def _inversions(knots: Sequence[Fraction], values: Any) -> list[Root]:
    """Return the parameters at which the order of piecewise linear functions changes.

    `values` has the values of the functions at the knots, each times the denominator of the knot.
    """
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
        if i and both_ends > before.max() + 1:  # a tie at the knot that does not last after it
            found.add(knots[i])
        if i + 2 < len(knots) and both_ends > after.max() + 1:  # a tie at the next knot that does not hold before it
            found.add(knots[i + 1])
    return ordered(found)


def _polynomial_changes(family: Family, clock: Clock) -> list[Root]:
    """Return the critical values of a family of any degree."""
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
    above = np.array([int(start * common), int(end * common)], dtype=object)
    below = np.array([common, common], dtype=object)  # t = (start + end * u) / (1 + u) for u from 0 to infinity
    one = np.ones(1, dtype=object)
    powers = [functools.reduce(np.convolve, [above] * j + [below] * (degree - j), one) for j in range(degree + 1)]
    values = rows @ np.array(powers)
    pairs = np.stack(np.triu_indices(len(rows), 1), axis=1)
    gaps = values[pairs[:, 0]] - values[pairs[:, 1]]
    return pairs[(gaps.min(axis=1) <= 0) & (gaps.max(axis=1) >= 0)].tolist()


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


_MOST_INTERVALS = 20_000
_ORDER = 6  # of the Taylor polynomials


@dataclass(frozen=True, repr=False)
class InformationCrossings(OnColumns):
    """The parameters of a family at which two subsets have equal information about the class.

    Attributes
    ----------
    first, second : frozenset of str
        The two subsets.
    crossings : tuple of pairs of Fraction
        Disjoint intervals, ascending. Between the two numbers of a pair there is exactly one parameter with equal
        informations, and the sign of the difference changes there. If the two numbers are equal, they are this
        parameter.
    undecided : tuple of pairs of Fraction
        Short intervals in which equal informations were neither found nor excluded: the difference touches zero
        without changing its sign, or vanishes together with a weight. Outside these intervals, all crossings are found.
    touches : tuple of Fraction
        Parameters in undecided intervals, with a small denominator, at which the informations are exactly equal.
    always : bool
        Whether the informations are equal at every parameter. Then no crossing is listed.
    """

    first: frozenset[str]
    second: frozenset[str]
    crossings: tuple[tuple[Fraction, Fraction], ...]
    undecided: tuple[tuple[Fraction, Fraction], ...]
    touches: tuple[Fraction, ...] = ()
    always: bool = False

    def __str__(self) -> str:
        names = [", ".join(in_order(subset, self._columns)) or "nothing" for subset in (self.first, self.second)]
        head = f"I(Y; {names[0]}) = I(Y; {names[1]})"
        if self.always:
            return f"{head} at every t"
        at = ", ".join(f"t ≈ {decimal_text((low + high) / 2)}" for low, high in self.crossings)
        around = [(low, high, [t for t in self.touches if low <= t <= high]) for low, high in self.undecided]
        left = ", ".join(
            f"around {here[0]}, where they are equal" if here else f"in [{decimal_text(low)}, {decimal_text(high)}]"
            for low, high, here in around
        )
        return f"{head} at {at or 'no t'}" + (f"; undecided {left}" if left else "")


def information_crossings(
    family: Family, first: Subset, second: Subset, *, width: Exact = Fraction(1, 2**40)
) -> InformationCrossings:
    """Find where along a family the mutual informations of two subsets with the class are equal, with certificates.

    Each crossing is an interval of at most `width` that contains exactly one parameter with equal informations.
    Enclosures decide where the difference of the informations, or its derivative, is not zero. Exact signs decide the
    rest. After 20,000 intervals the search stops, and the parameters that are left are undecided.

    Examples
    --------
    >>> import fstheory as fs
    >>> first = fs.JointDistribution([[[3, 0], [2, 1]], [[1, 2], [0, 3]]])
    >>> second = fs.JointDistribution([[[3, 1], [1, 4]], [[3, 1], [0, 2]]])
    >>> print(fs.selection.information_crossings(fs.linear_family(first, second), "X1", "X2"))
    I(Y; X1) = I(Y; X2) at t ≈ 0.335444
    """
    require_type(family, Family, "family", "a Family", "fs.linear_family makes one")
    least = as_fraction(width, "width", above=0, repair="pass '1/1000', say")
    masks = [mask_of(subset, family.features) for subset in (first, second)]
    terms, names = _entropy_terms(family, *masks), [names_of(mask, family.features) for mask in masks]
    if _vanishes(terms):
        return InformationCrossings(names[0], names[1], (), (), always=True, _columns=family.features)
    precision = 128 + 4 * least.denominator.bit_length() + 2 * max(abs(c).bit_length() for _, row in terms for c in row)
    crossings: list[tuple[Fraction, Fraction]] = []
    undecided: list[tuple[Fraction, Fraction]] = []
    waiting = [(family.start, family.end)]
    for _ in range(_MOST_INTERVALS):
        if not waiting:
            break
        low, high = waiting.pop()
        value, slope = _difference(terms, low, high, precision)
        if not value.contains(0):
            continue
        if not slope.contains(0):
            _narrow(terms, low, high, least, crossings)
        elif high - low <= least:
            undecided.append((low, high))
        else:
            middle = (low + high) / 2
            waiting += [(middle, high), (low, middle)]
    left = _joined([*undecided, *waiting])
    near = {low: ((low + high) / 2).limit_denominator(10**5) for low, high in left}
    touches = tuple(near[low] for low, high in left if low <= near[low] <= high and not _sign_at(terms, near[low]))
    return InformationCrossings(names[0], names[1], tuple(crossings), left, touches, _columns=family.features)


def _entropy_terms(family: Family, first: int, second: int) -> list[tuple[int, tuple[int, ...]]]:
    """Return the difference of the informations, times the total, as a sum of terms c w log w.

    Each term is a pair of its coefficient c and its polynomial w.
    """
    found: Counter[tuple[int, ...]] = Counter()
    tables = dict(marginals(family))
    for mask, sign in ((first, 1), (second, -1)):
        for state in np.moveaxis(tables[mask], 1, 0):
            found[tuple(state.sum(axis=1).tolist())] -= sign
            for weight in state.T:
                found[tuple(weight.tolist())] += sign
    return [(times, row) for row, times in found.items() if times and any(row)]


def _vanishes(terms: Sequence[tuple[int, tuple[int, ...]]]) -> bool:
    """Return whether a sum of terms c w log w is zero for every t."""
    # Logarithms of different irreducible polynomials and of multiplicatively independent integers are linearly
    # independent over the polynomials with rational coefficients. So the sum is zero only if every coefficient is.
    from flint import fmpz_poly

    by_factor: dict[tuple[int, ...], Any] = {}
    constants: dict[int, list[tuple[int, int]]] = {}
    for times, row in terms:
        content, factors = fmpz_poly(list(row)).factor()
        for factor, exponent in factors:
            key = tuple(map(int, factor.coeffs()))
            by_factor[key] = by_factor.get(key, fmpz_poly([])) + times * exponent * fmpz_poly(list(row))
        for power, c in enumerate(row):
            constants.setdefault(power, []).append((times * c, abs(int(content))))
    return not any(by_factor.values()) and all(LogSum(listed).sign() == 0 for listed in constants.values())


def _difference(
    terms: Sequence[tuple[int, tuple[int, ...]]], low: Fraction, high: Fraction, precision: int
) -> tuple[Any, Any]:
    """Enclose the difference of the informations, and its derivative, on an interval."""
    # By Taylor's theorem about the middle, with the last derivative enclosed on the interval. If a weight may vanish,
    # interval arithmetic encloses the difference alone, and the derivative stays unknown: a ball that contains 0.
    from flint import arb, arb_poly, arb_series, ctx

    with ctx.workprec(precision):
        middle, half = (rational_ball(t, precision) for t in ((low + high) / 2, (high - low) / 2))
        around = half.union(-half)
        shifted = [_horner(row, arb_poly([middle, 1])).coeffs() for _, row in terms]
        weights = [_horner(row, around) for row in shifted]
        if not all(weight > 0 for weight in weights):
            total = sum((times * _times_log(w) for (times, _), w in zip(terms, weights, strict=True)), arb(0))
            return total, arb(0)
        taylor: list[Any] = []
        for at, length in ((arb(0), _ORDER), (around, _ORDER + 1)):
            line, expansion = arb_series([at, 1], prec=length), arb_series([0], prec=length)
            for (times, _), row in zip(terms, shifted, strict=True):
                weight = _horner(row, line)
                expansion += times * weight * weight.log()
            taylor += [*expansion.coeffs(), *[arb(0)] * length][len(taylor) : length]
        return _horner(taylor, around), _horner([j * c for j, c in enumerate(taylor)][1:], around)


def _horner(row: Sequence[Any], at: Any) -> Any:
    """Return the value of a polynomial, given with the constant first, at a ball or a power series."""
    return functools.reduce(lambda total, c: total * at + c, reversed(row), at * 0)


def _times_log(weight: Any) -> Any:
    """Enclose w log w for a weight that is not negative, also on a ball that holds 0."""
    from flint import arb

    if weight > 0:
        return weight * weight.log()
    top = weight.upper()
    if not top > 0:
        return arb(0)
    ends = arb(0).union(top * top.log())
    return ends if top * 3 < 1 else ends.union(-(arb(-1).exp()))  # w log w falls down to -1/e, and then rises


def _sign_at(terms: Sequence[tuple[int, tuple[int, ...]]], t: Fraction) -> int:
    """Return the sign of the difference of the informations at a rational, exactly."""
    weights = [(times, value_of(row, t)) for times, row in terms]
    return LogSum((times * weight, weight) for times, weight in weights if weight).sign()


def _narrow(terms: Any, low: Fraction, high: Fraction, least: Fraction, found: list[tuple[Fraction, Fraction]]) -> None:
    """If an interval has a crossing, halve it down to a width and add it. The difference is monotone in it."""
    signs = [_sign_at(terms, t) for t in (low, high)]
    if signs[0] * signs[1] > 0:
        return
    while signs[0] and signs[1] and high - low > least:
        middle = (low + high) / 2
        sign = _sign_at(terms, middle)
        if sign == signs[0]:
            low = middle
        elif sign == signs[1]:
            high = middle
        else:
            low = high = middle
            break
    if not signs[0]:
        high = low
    elif not signs[1]:
        low = high
    if not (found and found[-1] == (low, high)):  # an end that two intervals share
        found.append((low, high))


def _joined(intervals: Sequence[tuple[Fraction, Fraction]]) -> tuple[tuple[Fraction, Fraction], ...]:
    found: list[tuple[Fraction, Fraction]] = []
    for low, high in sorted(intervals):
        if found and found[-1][1] == low:
            low = found.pop()[0]
        found.append((low, high))
    return tuple(found)
