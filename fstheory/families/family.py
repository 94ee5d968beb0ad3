"""Families of distributions whose weights are polynomials in one parameter."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

import numpy as np
import numpy.typing as npt

from fstheory._display import Shown, few, words
from fstheory._exact import Exact, as_fraction, integers_over, readable
from fstheory.distribution import JointDistribution, require_distribution
from fstheory.distribution.variables import Variables, make_variables
from fstheory.errors import InvalidTypeError, InvalidValueError, explain, require_choice
from fstheory.reals.algebraic import Root, polynomial_text, real_roots, value_at

if TYPE_CHECKING:
    import sympy


__all__ = ["Family", "Stretch", "Table", "between", "class_gaps", "evaluate", "linear_family", "marginals", "ordered"]
__all__ += ["polynomial", "polynomial_family", "roots_between", "samples_between", "short", "stretches", "value_of"]

Table: TypeAlias = "npt.NDArray[np.object_]"
"""Coefficients of polynomials, the power of t first: Python integers of shape (degree + 1, ...)."""


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
        """Return the distribution at a rational parameter."""
        value = as_fraction(t, "t")
        if not self.start <= value <= self.end:
            raise InvalidValueError(explain("t", f"from {self.start} to {self.end}", t, "stay in the family"))
        return JointDistribution._of_integers(evaluate(self.coefficients, value), self._variables)

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
        rows = table.sum(axis=2).T.tolist()  # where p(x) vanishes the second assumption holds of x, however classes tie
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

    def __str__(self) -> str:
        kind = "linear" if self.degree <= 1 else f"of degree {self.degree}"
        return f"family {kind} in t from {short(self.start)} to {short(self.end)}, features {few(str, self.features)}"


def linear_family(first: JointDistribution, second: JointDistribution) -> Family:
    """Return the mixtures (1 - t) first + t second, t from 0 to 1.

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
        raise InvalidValueError(explain("end", f"above start = {short(low)}", high, "exchange them"))
    table = np.array(weights, dtype=object)
    if table.ndim == 0 or not table.size:
        raise InvalidTypeError(explain("weights", "a table with the class as its last axis", weights, "pass a list"))
    found = [polynomial(leaf, [t], f"weights{list(place)}").all_coeffs() for place, leaf in np.ndenumerate(table)]
    rows = [[Fraction(int(c.p), int(c.q)) for c in reversed(row)] for row in found]
    degree = max(map(len, rows))
    flat, _ = integers_over([c for row in rows for c in row + [Fraction(0)] * (degree - len(row))])
    powers = np.array(flat, dtype=object).reshape(*table.shape, degree)
    family = Family(make_variables(table.shape, features, target, states), np.moveaxis(powers, -1, 0), low, high)
    for place in range(table.size):
        _require_nonnegative(family, place)
    _require_total(family)
    return family


def polynomial(leaf: Any, symbols: Sequence[sympy.Symbol], argument: str) -> sympy.Poly:
    """Return a number or an expression as a polynomial with rational coefficients, or refuse it."""
    import sympy

    expression = leaf if isinstance(leaf, sympy.Expr) else sympy.Rational(as_fraction(leaf, argument))
    if expression.has(sympy.Float):  # SymPy would turn it into the fraction it looks like
        repair = "write its floats as sympy.Rational('3/8')"
        raise InvalidTypeError(explain(argument, "of exact numbers", leaf, repair))
    try:
        return sympy.Poly(expression, *symbols, domain="QQ")
    except (sympy.PolynomialError, sympy.CoercionFailed) as error:
        repair = "multiply all weights by the denominators; other symbols need a value"
        needed = f"a polynomial in {' and '.join(map(str, symbols))} with rational coefficients"
        raise InvalidValueError(explain(argument, needed, leaf, repair)) from error


def _require_nonnegative(family: Family, place: int) -> None:
    """Refuse a weight that is negative somewhere."""
    row = family.coefficients.reshape(family.degree + 1, -1)[:, place].tolist()
    for t in _samples(family, [row]):
        if value_of(row, t) < 0:
            where = [int(i) for i in np.unravel_index(place, family.coefficients.shape[1:])]
            text = f"{polynomial_text(row)} at t = {short(t)}"
            raise InvalidValueError(explain(f"weights{where}", "nowhere negative", text, "shorten start to end"))


def _require_total(family: Family) -> None:
    """Refuse a family that is no distribution somewhere."""
    total = family.coefficients.reshape(len(family.coefficients), -1).sum(axis=1)
    if not any(total):
        raise InvalidValueError(explain("weights", "somewhere above 0", "all 0", "give some weight"))
    for root in roots_between(total, family.start, family.end, closed=True):
        needed, repair = "above 0 in sum everywhere", "shorten start to end, or divide all by their common factor"
        raise InvalidValueError(explain("weights", needed, f"all 0 at t = {short(root)}", repair))


def _samples(family: Family, rows: Sequence[Any]) -> list[Fraction]:
    """Return rationals: the ends, and one between any two neighbors of the roots of some polynomials."""
    knots = ordered(root for row in rows for root in roots_between(row, family.start, family.end))
    points: list[Any] = [family.start, *knots, family.end]
    return [family.start, *samples_between(points), family.end]


def value_of(row: Any, t: Fraction) -> Fraction:
    """Return a polynomial, the constant first, at a rational."""
    return sum((c * t**j for j, c in enumerate(row)), Fraction(0))


def evaluate(coefficients: Table, t: Fraction) -> Table:
    """Return polynomials at p / q, times q to the degree: integers again."""
    p, q, degree = t.numerator, t.denominator, len(coefficients) - 1
    powers = np.array([p**j * q ** (degree - j) for j in range(degree + 1)], dtype=object)
    total: Table = np.tensordot(powers, coefficients, axes=1)
    return total


def roots_between(row: Any, start: Fraction, end: Fraction, *, closed: bool = False) -> list[Root]:
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


def ordered(roots: Iterable[Root]) -> list[Root]:
    """Return different numbers, ascending."""
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
    """Return a rational between any two neighbors of some ascending numbers."""
    return [between(one, other) for one, other in itertools.pairwise(points)]


def class_gaps(table: Table) -> list[list[int]]:
    """Return the differences of any two classes in each cell, of shape (degree + 1, cells, classes), as polynomials."""
    pairs = itertools.combinations(range(table.shape[-1]), 2)
    return [row for one, other in pairs for row in (table[:, :, one] - table[:, :, other]).T.tolist()]


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
        text = words(self.answer) if isinstance(self.answer, bool) else ", ".join(map(words, self.answer))
        start, end = short(self.start), short(self.end)
        if self.start == self.end:
            return f"t = {start}: {text}"
        left, right = "<=" if self.holds_at_start else "<", "<=" if self.holds_at_end else "<"
        return f"{start} {left} t {right} {end}: {text}"


def short(t: Root) -> str:
    """Write a number, rounded if it is long."""
    if isinstance(t, Fraction):
        return readable(t, 60)
    return text if len(text := str(t)) <= 60 else f"≈{t.decimal()}"


def stretches(
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


def marginals(family: Family) -> Iterator[tuple[int, Table]]:
    """Yield each subset with the coefficients of the weights in its marginal, of shape (degree + 1, cells, classes)."""
    table, n = family.coefficients, len(family.features)
    for mask in range(2**n):
        summed = table.sum(axis=tuple(1 + i for i in range(n) if not mask >> i & 1))
        yield mask, summed.reshape(len(table), -1, table.shape[-1])
