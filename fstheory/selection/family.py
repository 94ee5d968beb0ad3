"""Distributions whose weights are polynomials in one parameter."""

from __future__ import annotations

import functools
import itertools
import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

import numpy as np
import numpy.typing as npt

from fstheory._support.exact import Exact, as_fraction, integers_over, to_text
from fstheory._support.result import ByParts, OnColumns, Result, first_of, one_line
from fstheory.distributions.build import Variables, make_variables
from fstheory.distributions.gallery import DistributionLike, as_distribution
from fstheory.distributions.joint import JointDistribution
from fstheory.errors import InvalidTypeError, InvalidValueError, explain, require, require_choice, require_type
from fstheory.numbers.algebraic import Root, polynomial_text, real_roots, value_at

if TYPE_CHECKING:
    import sympy


Table: TypeAlias = "npt.NDArray[np.object_]"
"""Coefficients of polynomials, the power of t first: Python integers of shape (degree + 1, ...)."""


@dataclass(frozen=True, eq=False, repr=False)
class Family(ByParts, Result):
    """Distributions whose weights are polynomials in a parameter t with rational coefficients.

    Attributes
    ----------
    coefficients : array of integers
        The first axis is the power of t. The others are those of the weights of a `JointDistribution`. The weights at
        t are proportional to ``sum(coefficients[j] * t**j)``.
    start, end : Fraction
        The smallest and the largest t.
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

    @property
    def total(self) -> Any:
        """The sum of all weights, as an array of the coefficients of a polynomial."""
        return self.coefficients.reshape(len(self.coefficients), -1).sum(axis=1)

    def at(self, t: Exact) -> JointDistribution:
        """Return the distribution at a rational parameter."""
        value = as_fraction(t, "t", at_least=self.start, at_most=self.end, repair="stay in the family")
        return JointDistribution._of_integers(evaluate(self.coefficients, value), self._variables)

    def assumption(self, name: Literal["positive", "unique_maximum"]) -> tuple[Stretch, ...]:
        """Return the stretches of the family on which an assumption holds and on which it does not.

        The assumptions are those of Peña and Nilsson (2010), Section 4. 'positive' says that p(x) > 0 for every state x
        of the features. 'unique_maximum' says that p(Y|x) has a single maximum wherever p(x) > 0.

        Examples
        --------
        >>> import fstheory as fs
        >>> noisier = fs.linear_family(fs.gallery.xor(), fs.gallery.xor(noise="1/2"))
        >>> [str(stretch) for stretch in noisier.assumption("unique_maximum")]
        ['0 <= t < 1: yes', 't = 1: no']
        """
        require_choice(name, "name", ["positive", "unique_maximum"])
        table = self.coefficients.reshape(self.degree + 1, -1, self.coefficients.shape[-1])
        rows = table.sum(axis=2).T.tolist()  # needed by both: if p(x) = 0, ties in x do not violate unique_maximum
        if name == "unique_maximum":
            rows += class_gaps(table)
        roots = ordered(root for row in rows for root in roots_between(row, self.start, self.end))
        samples = samples_between([self.start, *roots, self.end])

        def holds(t: Root) -> bool:
            if isinstance(t, Fraction):
                d = self.at(t)
                return bool(d.is_positive() if name == "positive" else d.has_unique_maximum())
            cells = [[value_at(cell.tolist(), [1], t) for cell in state.T] for state in np.moveaxis(table, 1, 0)]
            if name == "positive":
                return all(any(value != 0 for value in cell) for cell in cells)
            return all(cell.count(max(cell)) == 1 for cell in cells if any(value != 0 for value in cell))

        return stretches((self.start, self.end), roots, samples, holds)

    @property
    def _parts(self) -> Any:
        return self._variables, self.start, self.end, self.coefficients.shape, (*self.coefficients.flat,)

    def __str__(self) -> str:
        kind = "linear" if self.degree <= 1 else f"of degree {self.degree}"
        ends = f"from {to_text(self.start, 0, 60)} to {to_text(self.end, 0, 60)}"
        return f"family {kind} in t {ends}, features {first_of(self.features)}"


def linear_family(first: DistributionLike, second: DistributionLike) -> Family:
    """Return the family of the mixtures (1 - t) first + t second, for t from 0 to 1.

    Both distributions must have the same variables and states. `phase_diagram` shows where the ordering of the risks
    changes along the family.

    Examples
    --------
    >>> import fstheory as fs
    >>> family = fs.linear_family(fs.gallery.xor(), fs.gallery.xor(noise="1/2"))
    >>> family
    <Family: family linear in t from 0 to 1, features X1, X2>
    >>> family.at("1/2") == fs.gallery.xor(noise="1/4")
    True
    """
    first, second = as_distribution(first, "first"), as_distribution(second, "second")
    same = first._variables == second._variables
    require(same, "second", "over the variables and states of the first", second, "align them")
    ends = [d.weights.astype(object) * (math.lcm(first.total, second.total) // d.total) for d in (first, second)]
    return Family(first._variables, np.array([ends[0], ends[1] - ends[0]]), Fraction(0), Fraction(1))


MOST_JOINT_STATES = 32  # the most states of all features together, because products of weights have many roots


def as_risks(family: Family, criterion: str) -> Family | None:
    """Return a family whose Bayes risks are the values of a criterion of the given family.

    For 'balanced' they are the balanced loss divided by the number of classes, and for 'auc' 1 minus the area. Return
    None for other criteria, if there are more than `MOST_JOINT_STATES` states, and if a class has probability 0
    somewhere inside the family.
    """
    table, variables, ends = family.coefficients, family._variables, (family.start, family.end)
    *states, k = table.shape[1:]
    flat = table.reshape(len(table), -1, k)
    if flat.shape[1] > MOST_JOINT_STATES:
        return None
    if criterion == "balanced":  # multiply each class by the totals of the others, so that all have the same total
        totals = flat.sum(axis=1).T[:, :, None]
        others = [[totals[z] for z in range(k) if z != y] for y in range(k)]
        weights = [functools.reduce(_product, others[y], flat[:, :, y]) for y in range(k)]
    elif criterion == "auc" and k == 2:  # from the features of two rows, predict which of the two is positive
        pairs, n = _product(flat[:, :, None, 1], flat[:, None, :, 0]), len(states)
        order = [0, *(1 + i + n * second for i in range(n) for second in (0, 1))]
        split = (-1, *states, *states)
        weights = [each.reshape(split).transpose(order) for each in (pairs, pairs.transpose(0, 2, 1))]
        states = [size * size for size in states]
        variables = make_variables((*states, k), variables.features, None, None)
    else:
        return None
    found = Family(variables, np.stack([each.reshape(-1, *states) for each in weights], axis=-1), *ends)
    total = found.total.tolist()
    return found if any(total) and not roots_between(total, *ends) else None


def _product(one: Table, other: Table) -> Table:
    degrees = range(len(one) + len(other) - 1)
    pairs = ([(i, k - i) for i in range(len(one)) if 0 <= k - i < len(other)] for k in degrees)
    return np.array([sum(one[i] * other[j] for i, j in listed) for listed in pairs], dtype=object)


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
    """Return the family of distributions whose weights are polynomials in a SymPy symbol.

    Parameters
    ----------
    weights : nested sequences
        SymPy expressions and exact numbers, nested as for `JointDistribution`. Each must be a polynomial in `t` with
        rational coefficients. Between `start` and `end`, no weight may be negative, and not all weights may be 0 at
        once.
    t : sympy.Symbol
        The parameter.
    start, end : exact numbers
        The smallest and the largest value of `t`.
    features, target, states
        As for `JointDistribution`.

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

    require_type(t, sympy.Symbol, "t", "a sympy.Symbol", "pass sympy.Symbol('t')")
    low, high = as_fraction(start, "start"), as_fraction(end, "end")
    require(low < high, "end", f"above start = {to_text(low, 0, 60)}", high, "exchange them")
    table, found = _polynomials(weights, [t])
    rows = [[Fraction(int(c.p), int(c.q)) for c in reversed(row.all_coeffs())] for row in found]
    degree = max(map(len, rows))
    flat, _ = integers_over([c for row in rows for c in row + [Fraction(0)] * (degree - len(row))])
    powers = np.array(flat, dtype=object).reshape(*table.shape, degree)
    family = Family(make_variables(table.shape, features, target, states), np.moveaxis(powers, -1, 0), low, high)
    for place, row in enumerate(family.coefficients.reshape(degree, -1).T.tolist()):
        for t in (low, *samples_between([low, *ordered(roots_between(row, low, high)), high]), high):
            if value_of(row, t) < 0:
                where = [int(i) for i in np.unravel_index(place, table.shape)]
                text = f"{polynomial_text(row)} at t = {to_text(t, 0, 60)}"
                raise InvalidValueError(explain(f"weights{where}", "nowhere negative", text, "shorten start to end"))
    total = family.total
    require(any(total), "weights", "somewhere above 0", "all 0", "give some weight")
    for root in roots_between(total, low, high, closed=True):
        needed, repair = "above 0 in sum everywhere", "shorten start to end, or divide all by their common factor"
        raise InvalidValueError(explain("weights", needed, f"all 0 at t = {to_text(root, 0, 60)}", repair))
    return family


def _polynomials(weights: object, symbols: Sequence[sympy.Symbol]) -> tuple[Table, list[sympy.Poly]]:
    """Return a table of numbers and expressions, and each as a polynomial with rational coefficients."""
    table = np.array(weights, dtype=object)
    if table.ndim == 0 or not table.size:
        raise InvalidTypeError(explain("weights", "a table with the class as its last axis", weights, "pass a list"))
    return table, [_polynomial(leaf, symbols, f"weights{list(place)}") for place, leaf in np.ndenumerate(table)]


def _polynomial(leaf: Any, symbols: Sequence[sympy.Symbol], argument: str) -> sympy.Poly:
    import sympy

    expression = leaf if isinstance(leaf, sympy.Expr) else sympy.Rational(as_fraction(leaf, argument))
    if expression.has(sympy.Float):  # SymPy would silently turn it into a fraction
        repair = "write its floats as sympy.Rational('3/8')"
        raise InvalidTypeError(explain(argument, "of exact numbers", leaf, repair))
    try:
        return sympy.Poly(expression, *symbols, domain="QQ")
    except (sympy.PolynomialError, sympy.CoercionFailed) as error:
        repair = "multiply all weights by the denominators; other symbols need a value"
        needed = f"a polynomial in {' and '.join(map(str, symbols))} with rational coefficients"
        raise InvalidValueError(explain(argument, needed, leaf, repair)) from error


def value_of(row: Any, t: Fraction) -> Fraction:
    """Return the value of a polynomial, given with the constant first, at a rational."""
    return sum((c * t**j for j, c in enumerate(row)), Fraction(0))


def evaluate(coefficients: Table, t: Fraction) -> Table:
    """Return the values of polynomials at t = p / q, times q to the degree. These are integers."""
    p, q, degree = t.numerator, t.denominator, len(coefficients) - 1
    powers = np.array([p**j * q ** (degree - j) for j in range(degree + 1)], dtype=object)
    total: Table = np.tensordot(powers, coefficients, axes=1)
    return total


def roots_between(row: Any, start: Fraction, end: Fraction, *, closed: bool = False) -> list[Root]:
    """Return the roots of a polynomial between two numbers. For the zero polynomial, return no roots."""
    listed = list(row)
    while listed and not listed[-1]:
        listed.pop()
    if len(listed) < 2:
        return []
    found: list[Root] = [Fraction(-listed[0], listed[1])] if len(listed) == 2 else real_roots(listed)
    return [root for root in found if (start <= root <= end if closed else start < root < end)]


def ordered(roots: Iterable[Root]) -> list[Root]:
    """Return the distinct numbers, ascending."""
    listed: list[Any] = list(dict.fromkeys(roots))
    return sorted(listed)


def between(one: Root, other: Root) -> Fraction:
    """Return a rational strictly between two numbers."""
    if isinstance(one, Fraction) and isinstance(other, Fraction):
        return (one + other) / 2
    for digits in itertools.count(2):
        low = one if isinstance(one, Fraction) else one.enclosure(digits)[1]
        high = other if isinstance(other, Fraction) else other.enclosure(digits)[0]
        if low < high:
            return (low + high) / 2
    raise AssertionError("different numbers come apart")


def samples_between(points: Sequence[Root]) -> list[Fraction]:
    """Return, for each two neighbors of some ascending numbers, a rational between them."""
    return [between(one, other) for one, other in itertools.pairwise(points)]


def class_gaps(table: Table) -> list[list[int]]:
    """Return the differences of any two classes in each cell, as polynomials.

    `table` has the shape (degree + 1, cells, classes).
    """
    pairs = itertools.combinations(range(table.shape[-1]), 2)
    return [row for one, other in pairs for row in (table[:, :, one] - table[:, :, other]).T.tolist()]


@dataclass(frozen=True, repr=False)
class Stretch(OnColumns):
    """An interval of parameters, perhaps a single one, on which an answer stays the same.

    The `answer` is a tuple of subsets, or whether an assumption holds. `holds_at_start` and `holds_at_end` say whether
    the ends belong to the interval.
    """

    start: Root
    end: Root
    holds_at_start: bool
    holds_at_end: bool
    answer: tuple[frozenset[str], ...] | bool

    def __str__(self) -> str:
        answers = [self.answer] if isinstance(self.answer, bool) else self.answer
        text = ", ".join(one_line(answer, self._columns) for answer in answers)
        start, end = to_text(self.start, 0, 60), to_text(self.end, 0, 60)
        if self.start == self.end:
            return f"t = {start}: {text}"
        left, right = "<=" if self.holds_at_start else "<", "<=" if self.holds_at_end else "<"
        return f"{start} {left} t {right} {end}: {text}"


def stretches(
    ends: tuple[Fraction, Fraction],
    knots: Sequence[Root],
    samples: Sequence[Fraction],
    answer: Callable[[Root], Any],
    columns: tuple[str, ...] = (),
) -> tuple[Stretch, ...]:
    """Return the longest stretches on which an answer stays the same. It may change only at the knots."""
    points: list[Root] = list(dict.fromkeys([ends[0], *knots, ends[1]]))
    pieces: list[tuple[Root, Root, Root]] = [(points[0], points[0], points[0])]
    for one, other, sample in zip(points, points[1:], samples, strict=False):
        pieces += [(one, other, sample), (other, other, other)]
    found: list[Stretch] = []
    for start, end, where in pieces:
        here = answer(where)
        if found and found[-1].answer == here:
            last = found.pop()
            found.append(Stretch(last.start, end, last.holds_at_start, start is end, here, _columns=columns))
        else:
            found.append(Stretch(start, end, start is end, start is end, here, _columns=columns))
    return tuple(found)


def marginals(family: Family) -> Iterator[tuple[int, Table]]:
    """Yield each subset with the coefficients of the weights in its marginal, of shape (degree + 1, cells, classes)."""
    table, n = family.coefficients, len(family.features)
    for mask in range(2**n):
        summed = table.sum(axis=tuple(1 + i for i in range(n) if not mask >> i & 1))
        yield mask, summed.reshape(len(table), -1, table.shape[-1])
