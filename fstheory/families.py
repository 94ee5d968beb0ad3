"""One-parameter families of distributions, and the exact phase diagram of the ordering of their Bayes risks."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

import numpy as np
import numpy.typing as npt

from fstheory._display import Shown, few, words
from fstheory._exact import Exact, as_fraction, integers_over
from fstheory.bayes import bayes_risks
from fstheory.distribution import JointDistribution, require_distribution
from fstheory.distribution.variables import Variables, make_variables
from fstheory.errors import InvalidTypeError, InvalidValueError, TooLargeError, explain, require_choice
from fstheory.reals.algebraic import Root, polynomial_text, real_roots, value_at
from fstheory.reals.real import Enclosed
from fstheory.subsets import format_subset, masks_by_size
from fstheory.table import Ordering, SubsetTable
from fstheory.table.columns import ExactColumn

if TYPE_CHECKING:
    import sympy

    from fstheory.viz import PlotFigure


__all__ = ["Family", "PhaseDiagram", "PhaseInterval", "Stretch", "linear_family", "phase_diagram"]
__all__ += ["polynomial_family"]

Table: TypeAlias = "npt.NDArray[np.object_]"
"""Coefficients of polynomials, the power of t first: Python integers of shape (degree + 1, ...)."""
_MOST_FEATURES = 8


@dataclass(frozen=True, eq=False, repr=False)
class Family(Shown):
    """Distributions whose weights are polynomials in a parameter t with rational coefficients.

    Attributes
    ----------
    coefficients : array of int
        Of shape (degree + 1, states of the features, classes): the weights are proportional to
        ``sum(coefficients[j] * t**j)``.
    start, end : Fraction
        The parameter runs from the one to the other.

    Examples
    --------
    >>> import fstheory as fs
    >>> family = fs.linear_family(fs.gallery.xor(), fs.gallery.xor(noise="1/2"))
    >>> family.at("1/2") == fs.gallery.xor(noise="1/4")
    True
    """

    _variables: Variables
    coefficients: Table
    start: Fraction
    end: Fraction

    @property
    def features(self) -> tuple[str, ...]:
        """The names of the features."""
        return self._variables.features

    @property
    def degree(self) -> int:
        """The largest power of t."""
        return len(self.coefficients) - 1

    def at(self, t: Exact) -> JointDistribution:
        """Return the distribution at a rational parameter.

        Raises
        ------
        InvalidTypeError, InvalidFormatError, InvalidValueError
            `t` is not exact, or not between `start` and `end`.
        """
        value = as_fraction(t, "t")
        if not self.start <= value <= self.end:
            raise InvalidValueError(explain("t", f"from {self.start} to {self.end}", t, "stay in the family"))
        return JointDistribution._of_integers(_evaluate(self.coefficients, value), self._variables)

    def assumption(self, name: Literal["positive", "unique_maximum"]) -> tuple[Stretch, ...]:
        """Say where along the family an assumption of the theory holds, and where not.

        Parameters
        ----------
        name : {'positive', 'unique_maximum'}
            p(x) > 0 for every state x of the features; or p(Y|x) has a single maximum wherever p(x) > 0.

        References
        ----------
        Peña and Nilsson (2010), the assumptions of Section 4.
        """
        require_choice(name, "name", ["positive", "unique_maximum"])
        table = self.coefficients.reshape(self.degree + 1, -1, self.coefficients.shape[-1])
        columns = range(table.shape[-1])
        rows = [table.sum(axis=2).T] if name == "positive" else []
        if name == "unique_maximum":
            rows = [(table[:, :, one] - table[:, :, other]).T for one, other in itertools.combinations(columns, 2)]
        roots = _ordered(root for row in np.concatenate(rows) for root in _roots_between(row, self.start, self.end))
        samples = [_between(one, other) for one, other in itertools.pairwise([self.start, *roots, self.end])]

        def holds(t: Root) -> bool:
            if isinstance(t, Fraction):
                d = self.at(t)
                return bool(d.is_positive() if name == "positive" else d.has_unique_maximum())
            cells = [[value_at(cell.tolist(), [1], t) for cell in state.T] for state in np.moveaxis(table, 1, 0)]
            if name == "positive":
                return all(any(value != 0 for value in cell) for cell in cells)
            return all(cell.count(max(cell)) == 1 for cell in cells if any(value != 0 for value in cell))

        return _stretches((self.start, self.end), roots, samples, holds)

    def __str__(self) -> str:
        kind = "linear" if self.degree <= 1 else f"of degree {self.degree}"
        return f"family {kind} in t from {self.start} to {self.end}, features {few(str, self.features)}"


def linear_family(first: JointDistribution, second: JointDistribution) -> Family:
    """Return the mixtures (1 - t) first + t second, t from 0 to 1.

    Raises
    ------
    InvalidTypeError, InvalidValueError
        Not two distributions over the same variables and states.

    Examples
    --------
    >>> import fstheory as fs
    >>> fs.linear_family(fs.gallery.xor(), fs.gallery.xor(noise="1/2"))
    <Family: family linear in t from 0 to 1, features X1, X2>
    """
    for name, value in (("first", first), ("second", second)):
        require_distribution(value, name)
    if first._variables != second._variables:
        raise InvalidValueError(explain("second", "over the variables and states of the first", second, "align them"))
    ends = [d.weights.astype(object) * (math.lcm(first.total, second.total) // d.total) for d in (first, second)]
    return Family(first._variables, np.array([ends[0], ends[1] - ends[0]]), Fraction(0), Fraction(1))


def polynomial_family(
    weights: object,
    t: sympy.Symbol,
    *,
    start: Exact = 0,
    end: Exact = 1,
    features: Iterable[str] | None = None,
    target: str | None = None,
    states: Mapping[str, Iterable[Any]] | None = None,
) -> Family:
    """Return the distributions whose weights are polynomials in a SymPy symbol.

    Parameters
    ----------
    weights : nested sequences
        As for `JointDistribution`, of SymPy expressions and exact numbers: polynomials in `t` with rational
        coefficients, nowhere negative from `start` to `end`, and nowhere all 0. They need not sum to 1.
    t : sympy.Symbol
    start, end : exact numbers
    features, target, states
        As for `JointDistribution`.

    Raises
    ------
    InvalidTypeError, InvalidValueError
        A weight is no such polynomial, is negative somewhere between `start` and `end`, or all are 0 somewhere.

    Examples
    --------
    >>> import sympy
    >>> import fstheory as fs
    >>> e = sympy.Symbol("e")
    >>> channel = fs.polynomial_family([[(1 - e) ** 2, e * (1 - e)], [e * (1 - e), (1 - e) ** 2]], e, end="1/2")
    >>> channel.at("1/4").weights.tolist()
    [[3, 1], [1, 3]]
    """
    import sympy

    if not isinstance(t, sympy.Symbol):
        raise InvalidTypeError(explain("t", "a sympy.Symbol", t, "pass sympy.Symbol('t')"))
    low, high = as_fraction(start, "start"), as_fraction(end, "end")
    if not low < high:
        raise InvalidValueError(explain("end", f"above start = {low}", high, "exchange them"))
    table = np.array(weights, dtype=object)
    if table.ndim == 0 or not table.size:
        raise InvalidTypeError(explain("weights", "a table with the class as its last axis", weights, "pass a list"))
    rows = [_coefficients(leaf, t, f"weights{list(place)}") for place, leaf in np.ndenumerate(table)]
    degree = max(map(len, rows))
    flat, _ = integers_over([c for row in rows for c in row + [Fraction(0)] * (degree - len(row))])
    powers = np.array(flat, dtype=object).reshape(*table.shape, degree)
    family = Family(make_variables(table.shape, features, target, states), np.moveaxis(powers, -1, 0), low, high)
    for place in range(table.size):
        _require_nonnegative(family, place)
    _require_total(family)
    return family


def _coefficients(leaf: Any, t: sympy.Symbol, argument: str) -> list[Fraction]:
    """Return the coefficients of a polynomial in t, the constant first."""
    import sympy

    expression = leaf if isinstance(leaf, sympy.Expr) else sympy.Rational(str(as_fraction(leaf, argument)))
    try:
        found = sympy.Poly(expression, t, domain="QQ").all_coeffs()
    except (sympy.PolynomialError, sympy.CoercionFailed) as error:
        repair = "multiply all weights by the denominators; other symbols need a value"
        needed = f"a polynomial in {t} with rational coefficients"
        raise InvalidValueError(explain(argument, needed, str(leaf), repair)) from error
    return [Fraction(int(c.p), int(c.q)) for c in reversed(found)]


def _require_nonnegative(family: Family, place: int) -> None:
    """Refuse a weight that is negative somewhere."""
    row = family.coefficients.reshape(family.degree + 1, -1)[:, place].tolist()
    for t in _samples(family, [row]):
        if _at(row, t) < 0:
            where = [int(i) for i in np.unravel_index(place, family.coefficients.shape[1:])]
            text = f"{polynomial_text(row)} at t = {t}"
            raise InvalidValueError(explain(f"weights{where}", "nowhere negative", text, "shorten start to end"))


def _require_total(family: Family) -> None:
    """Refuse a family that is no distribution somewhere."""
    total = family.coefficients.reshape(len(family.coefficients), -1).sum(axis=1)
    if not any(total):
        raise InvalidValueError(explain("weights", "somewhere above 0", "all 0", "give some weight"))
    for root in _roots_between(total, family.start, family.end, closed=True):
        needed, repair = "above 0 in sum everywhere", "shorten start to end, or divide all by their common factor"
        raise InvalidValueError(explain("weights", needed, f"all 0 at t = {root}", repair))


def _samples(family: Family, rows: Sequence[Any]) -> list[Fraction]:
    """Return rationals: the ends, and one between any two neighbors of the roots of some polynomials."""
    knots = _ordered(root for row in rows for root in _roots_between(row, family.start, family.end))
    points: list[Any] = [family.start, *knots, family.end]
    return [family.start, *(_between(one, other) for one, other in itertools.pairwise(points)), family.end]


def _at(row: Any, t: Fraction) -> Fraction:
    return sum((c * t**j for j, c in enumerate(row)), Fraction(0))


def _evaluate(coefficients: Table, t: Fraction) -> Table:
    """Return polynomials at p / q, times q to the degree: integers again."""
    p, q, degree = t.numerator, t.denominator, len(coefficients) - 1
    powers = np.array([p**j * q ** (degree - j) for j in range(degree + 1)], dtype=object)
    total: Table = np.tensordot(powers, coefficients, axes=1)
    return total


def _roots_between(row: Any, start: Fraction, end: Fraction, *, closed: bool = False) -> list[Root]:
    """Return the roots of a polynomial between two numbers; none of the zero polynomial."""
    listed = list(row)
    while listed and not listed[-1]:
        listed.pop()
    if len(listed) < 2:
        return []
    if len(listed) == 2:
        found: list[Root] = [Fraction(-listed[0], listed[1])]
    else:
        found = real_roots(listed)
    return [root for root in found if (start <= root <= end if closed else start < root < end)]


def _ordered(roots: Iterable[Root]) -> list[Root]:
    """Return different numbers, ascending."""
    listed: list[Any] = list(dict.fromkeys(roots))
    return sorted(listed)


def _between(one: Root, other: Root) -> Fraction:
    """Return a rational strictly between two numbers."""
    if isinstance(one, Fraction) and isinstance(other, Fraction):
        return (one + other) / 2
    for digits in itertools.count(2):
        low = one if isinstance(one, Fraction) else one.enclosure(digits)[1]
        high = other if isinstance(other, Fraction) else other.enclosure(digits)[0]
        if low < high:
            return (low + high) / 2
    raise AssertionError("different numbers come apart")


# The diagram


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
        return f"{self.start} < t < {self.end}: {self.ordering}"


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
        """Return all Bayes risks at a parameter, exactly, also at an irrational one.

        Raises
        ------
        InvalidTypeError, InvalidFormatError, InvalidValueError
            `t` is not exact, or outside the family.
        """
        if not isinstance(t, Enclosed):
            return bayes_risks(self.family.at(t))
        if not self.family.start <= t <= self.family.end:
            ends = f"from {self.family.start} to {self.family.end}"
            raise InvalidValueError(explain("t", ends, t, "stay in the family"))
        return _risks_at_root(self.family, t)

    def ordering_at(self, t: Exact | Root) -> Ordering[Any]:
        """Return the ordering at a parameter, from the smallest risk.

        Raises
        ------
        InvalidTypeError, InvalidFormatError, InvalidValueError
            `t` is not exact, or outside the family.
        """
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
        return _stretches(ends, self.critical_values, self._samples, lambda t: answer(self.risks_at(t)))

    def plot(self) -> PlotFigure:
        """Draw the risks against t, the critical values marked, and below them the ordering as a ribbon.

        Raises
        ------
        MissingDependencyError
            matplotlib is not installed.
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


@dataclass(frozen=True, repr=False)
class Stretch(Shown):
    """Parameters from one to another for which the same subsets are best.

    Attributes
    ----------
    start, end : Fraction, RootSum or AlgebraicNumber
        Equal for a single parameter.
    holds_at_start, holds_at_end : bool
        Whether the ends belong to it.
    answer : tuple of frozensets of str, or bool
        The best subsets, by size; or whether an assumption holds.

    Examples
    --------
    >>> import fstheory as fs
    >>> noisier = fs.linear_family(fs.gallery.xor(), fs.gallery.xor(noise="1/2"))
    >>> for stretch in noisier.assumption("unique_maximum"):
    ...     print(stretch)
    0 <= t < 1: yes
    t = 1: no
    """

    start: Root
    end: Root
    holds_at_start: bool
    holds_at_end: bool
    answer: tuple[frozenset[str], ...] | bool

    def __str__(self) -> str:
        if isinstance(self.answer, bool):
            text = words(self.answer)
        else:
            text = ", ".join("{" + ", ".join(sorted(subset)) + "}" for subset in self.answer)
        if self.start == self.end:
            return f"t = {self.start}: {text}"
        left, right = "<=" if self.holds_at_start else "<", "<=" if self.holds_at_end else "<"
        return f"{self.start} {left} t {right} {self.end}: {text}"


def _stretches(
    ends: tuple[Fraction, Fraction], knots: Sequence[Root], samples: Sequence[Fraction], answer: Callable[[Root], Any]
) -> tuple[Stretch, ...]:
    """Return the longest stretches on which an answer stays the same, that changes at some numbers only."""
    points: list[Root] = list(dict.fromkeys([ends[0], *knots, ends[1]]))
    pieces: list[tuple[Root, Root, Root]] = [(points[0], points[0], points[0])]
    for one, other, sample in zip(points, points[1:], samples, strict=False):
        pieces += [(one, other, sample), (other, other, other)]
    found: list[Stretch] = []
    for start, end, where in pieces:
        here = answer(where)
        if found and found[-1].answer == here:
            last = found.pop()
            found.append(Stretch(last.start, end, last.holds_at_start, start is end, here))
        else:
            found.append(Stretch(start, end, start is end, start is end, here))
    return tuple(found)


def phase_diagram(first: JointDistribution | Family, second: JointDistribution | None = None) -> PhaseDiagram:
    """Return where along a family the ordering of all Bayes risks changes, exactly.

    Parameters
    ----------
    first : JointDistribution or Family
        A distribution, which needs a `second`, or a family.
    second : JointDistribution, optional
        The other end of the mixtures ``(1 - t) first + t second``.

    Returns
    -------
    PhaseDiagram
        `critical_values`, `intervals`, `ordering_at(t)`, `best_of_size(k)`, `minimal_sets()`.

    Raises
    ------
    InvalidTypeError, InvalidValueError
        No distributions over the same variables, no family.
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
    critical = _linear_changes(family) if family.degree <= 1 else _polynomial_changes(family)
    points: list[Root] = [family.start, *critical, family.end]
    samples = tuple(_between(one, other) for one, other in itertools.pairwise(points))
    return PhaseDiagram(family, tuple(critical), samples)


def _marginals(family: Family) -> Iterator[tuple[int, Table]]:
    """Yield each subset with the coefficients of the weights in its marginal, of shape (degree + 1, cells, classes)."""
    table, n = family.coefficients, len(family.features)
    for mask in range(2**n):
        summed = table.sum(axis=tuple(1 + i for i in range(n) if not mask >> i & 1))
        yield mask, summed.reshape(len(table), -1, table.shape[-1])


def _linear_changes(family: Family) -> list[Root]:
    """Return the critical values of a linear family: all of them rational."""
    tables = [table for _, table in _marginals(family)]
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
            if rise and 0 < Fraction(gap, rise) < 1
        )
    ordered = sorted(knots)
    above = [knot.numerator for knot in ordered]
    below = [knot.denominator for knot in ordered]
    most = int(max(abs(at).sum(), abs(slope).sum())) * 2 * max(below)
    kind: Any = np.int64 if most < 2**62 else object
    scales, steps = np.array(below, dtype=kind), np.array(above, dtype=kind)
    line = at[:, :, None].astype(kind) * scales + slope[:, :, None].astype(kind) * steps
    right = np.add.reduceat(line.max(axis=1), starts, axis=0)  # of shape (subsets, knots): the more, the less risk
    return _inversions(ordered, right)


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
    return _ordered(found)


def _polynomial_changes(family: Family) -> list[Root]:
    """Return the critical values of a family of any degree."""
    tables = [table for _, table in _marginals(family)]
    pairs = list(itertools.combinations(range(family.coefficients.shape[-1]), 2))
    rows = {
        tuple((table[:, cell, one] - table[:, cell, other]).tolist())
        for table in tables
        for cell in range(table.shape[1])
        for one, other in pairs
    }
    roots: dict[tuple[int, ...], list[Root]] = {}

    def roots_of(row: tuple[int, ...]) -> list[Root]:
        if row not in roots:
            roots[row] = _roots_between(row, family.start, family.end)
        return roots[row]

    knots = [family.start, *_ordered(root for row in rows for root in roots_of(row)), family.end]
    found: set[Root] = set()
    for start, end in itertools.pairwise(knots):
        sample = _between(start, end)
        pieces = list(dict.fromkeys(tuple(_winners(table, sample).tolist()) for table in tables))
        for one, other in itertools.combinations(pieces, 2):
            difference = _primitive([a - b for a, b in zip(one, other, strict=True)])
            found.update(root for root in roots_of(difference) if start <= root <= end)
    return _ordered(found)


def _primitive(row: Sequence[int]) -> tuple[int, ...]:
    """Return a polynomial without the common divisor of its coefficients, the last positive: equal roots, one key."""
    common = math.gcd(*row) * (-1 if next(c for c in reversed(row) if c) < 0 else 1)
    return tuple(c // common for c in row)


def _winners(table: Table, t: Fraction) -> Table:
    """Return the sum over the cells of the polynomials of the classes that win at a parameter."""
    best = _evaluate(table, t).argmax(axis=1)
    chosen: Table = table[:, np.arange(len(best)), best].sum(axis=1)
    return chosen


def _risks_at_root(family: Family, t: Root) -> SubsetTable[Any]:
    """Return all Bayes risks at an irrational parameter, each from the polynomial that is its risk there.

    On either side of the parameter the classes that win are known, and risks are continuous: what wins at a rational
    between it and the next knot has the largest weight at the parameter, too.
    """
    total = family.coefficients.reshape(len(family.coefficients), -1).sum(axis=1)
    pairs = list(itertools.combinations(range(family.coefficients.shape[-1]), 2))
    values: list[Any] = []
    for _, table in _marginals(family):
        rows = [table[:, c, one] - table[:, c, other] for c in range(table.shape[1]) for one, other in pairs]
        later = _ordered(root for row in rows for root in _roots_between(row, family.start, family.end) if root > t)
        sample = _between(t, [*later, family.end][0])
        values.append(value_at((total - _winners(table, sample)).tolist(), total.tolist(), t))
    return SubsetTable(family.features, ExactColumn(values), name="Bayes risk", symbol="R")
