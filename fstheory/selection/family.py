"""Distributions whose weights are polynomials in one parameter or in several."""

from __future__ import annotations

import functools
import itertools
import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, TypedDict, Unpack, overload

import numpy as np
import numpy.typing as npt

from fstheory._support.exact import Exact, as_fraction, integers_over, to_text
from fstheory._support.result import ByParts, OnColumns, Result, first_of, one_line
from fstheory.distributions.build import Variables, make_variables
from fstheory.distributions.gallery import DistributionLike, as_distribution
from fstheory.distributions.joint import JointDistribution
from fstheory.errors import (
    InvalidTypeError,
    InvalidValueError,
    explain,
    require,
    require_choice,
    require_type,
    unknown,
)
from fstheory.lattice.subsets import Subset, mask_of
from fstheory.numbers.algebraic import Root, polynomial_text, real_roots, value_at

if TYPE_CHECKING:
    import sympy


Table: TypeAlias = "npt.NDArray[np.object_]"
"""Coefficients of polynomials, the power of t first: Python integers of shape (degree + 1, ...)."""
_End: TypeAlias = "Exact | Mapping[Any, Exact]"


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
    symbol : sympy.Symbol or str
        The parameter, which texts call by its own name.
    """

    _variables: Variables
    coefficients: Table
    start: Fraction
    end: Fraction
    symbol: Any = "t"

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

        return stretches(self, roots, samples, holds)

    def risk(self, features: Subset) -> sympy.Expr:
        """Return the Bayes risk of a subset as an expression of SymPy in the parameter.

        Examples
        --------
        >>> import fstheory as fs
        >>> fs.linear_family(fs.gallery.xor(), fs.gallery.xor(noise="1/2")).risk({"X1", "X2"})
        1 - Max(t, 2 - t)/2
        """
        import sympy

        symbol = sympy.sympify(self.symbol)
        rows = np.moveaxis(self.coefficients, 0, -1).reshape(-1, self.degree + 1).tolist()
        weights = [sympy.Poly(row[::-1], symbol).as_expr() for row in rows]
        return symbolic_risk(weights, self.coefficients.shape[1:], mask_of(features, self.features, "features"))

    @property
    def _parts(self) -> Any:
        import sympy

        symbol = sympy.sympify(self.symbol)
        return self._variables, symbol, self.start, self.end, self.coefficients.shape, (*self.coefficients.flat,)

    def __str__(self) -> str:
        kind = "linear" if self.degree <= 1 else f"of degree {self.degree}"
        ends = f"from {to_text(self.start, 0, 60)} to {to_text(self.end, 0, 60)}"
        return f"family {kind} in {self.symbol} {ends}, features {first_of(self.features)}"


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


class _Names(TypedDict, total=False):
    features: Iterable[str] | None
    target: str | None
    states: Mapping[str, Iterable[Any]] | None


@overload
def polynomial_family(
    weights: object, t: list[Any] | tuple[Any, ...], *, start: _End = 0, end: _End = 1, **names: Unpack[_Names]
) -> ParametricFamily: ...
@overload
def polynomial_family(
    weights: object, t: sympy.Symbol, *, start: Exact = 0, end: Exact = 1, **names: Unpack[_Names]
) -> Family: ...
def polynomial_family(
    weights: object,
    t: Any,
    *,
    start: _End = 0,
    end: _End = 1,
    features: Iterable[str] | None = None,
    target: str | None = None,
    states: Mapping[str, Iterable[Any]] | None = None,
) -> Family | ParametricFamily:
    """Return the family of distributions whose weights are polynomials in one SymPy symbol, or in several.

    `phase_diagram` finds where the ordering of the risks changes, and the method `risk` returns a risk as an expression
    of SymPy. Weights may also be quotients of polynomials: all of them are multiplied by one common factor.

    Parameters
    ----------
    weights : nested sequences
        SymPy expressions and exact numbers, nested as for `JointDistribution`. Each must be a polynomial in `t` with
        rational coefficients. Between `start` and `end`, no weight may be negative, and not all weights may be 0 at
        once. With several symbols, this is checked by `phase_diagram` for two symbols, and else where a distribution is
        made.
    t : sympy.Symbol, or a list of them
        The parameter, or the parameters.
    start, end : exact numbers, or mappings
        The smallest and the largest value of `t`. With several symbols, a number is meant for each of them, and a
        mapping gives the ends of some: the others go from 0 to 1.
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
    >>> p, q = sympy.symbols("p q")
    >>> fs.polynomial_family([[1 - p, p], [q, 1 - q]], [p, q], end={q: "1/2"}).risk({"X1"})
    -Max(p, 1 - p)/2 - Max(q, 1 - q)/2 + 1
    """
    several = isinstance(t, list | tuple)
    symbols = (*t,) if several else (t,)
    ranges = tuple(_range_of(symbol, start, end) for symbol in symbols)
    require(symbols, "t", "at least one symbol", t, "pass sympy.Symbol('t')")
    require(len(set(symbols)) == len(symbols), "t", "of different symbols", t, "name each once")
    table, found = _polynomials(weights, symbols)
    variables = make_variables(table.shape, features, target, states)
    if several:
        polynomials: Table = np.empty(len(found), dtype=object)
        polynomials[:] = found
        return ParametricFamily(variables, symbols, polynomials.reshape(table.shape), ranges)
    return _one_parameter(variables, symbols[0], found, *ranges[0])


def _range_of(symbol: Any, start: Any, end: Any) -> tuple[Fraction, Fraction]:
    """Return the smallest and the largest value of a parameter."""
    import sympy

    require_type(symbol, sympy.Symbol, "t", "a sympy.Symbol", "pass sympy.Symbol('t')")
    ends = (
        given.get(symbol, whole) if isinstance(given, Mapping) else given for given, whole in ((start, 0), (end, 1))
    )
    low, high = (as_fraction(value, name) for value, name in zip(ends, ("start", "end"), strict=True))
    require(low < high, "end", f"above start = {to_text(low, 0, 60)}", high, "exchange them")
    return low, high


def _one_parameter(
    variables: Variables, symbol: sympy.Symbol, found: Sequence[sympy.Poly], low: Fraction, high: Fraction
) -> Family:
    """Return the family of polynomials in one symbol. Refuse weights that are negative, or all 0 at once."""
    rows = [*map(coefficients_of, found)]
    degree = max(map(len, rows))
    flat, _ = integers_over([c for row in rows for c in row + [Fraction(0)] * (degree - len(row))])
    powers = np.array(flat, dtype=object).reshape(*variables.shape, degree)
    family = Family(variables, np.moveaxis(powers, -1, 0), low, high, symbol)
    for place, row in enumerate(family.coefficients.reshape(degree, -1).T.tolist()):
        for t in (low, *samples_between([low, *ordered(roots_between(row, low, high)), high]), high):
            if value_of(row, t) < 0:
                where = [int(i) for i in np.unravel_index(place, variables.shape)]
                text = f"{polynomial_text(row, symbol)} at {symbol} = {to_text(t, 0, 60)}"
                raise InvalidValueError(explain(f"weights{where}", "nowhere negative", text, "shorten start to end"))
    total = family.total
    require(any(total), "weights", "somewhere above 0", "all 0", "give some weight")
    for root in roots_between(total, low, high, closed=True):
        needed, repair = "above 0 in sum everywhere", "shorten start to end, or divide all by their common factor"
        raise InvalidValueError(explain("weights", needed, f"all 0 at {symbol} = {to_text(root, 0, 60)}", repair))
    return family


def _polynomials(weights: object, symbols: Sequence[sympy.Symbol]) -> tuple[Table, list[sympy.Poly]]:
    """Return a table of numbers and expressions, and each as a polynomial with rational coefficients.

    Quotients of polynomials are multiplied by the square of their common denominator, which is never negative.
    """
    import sympy

    table = np.array(weights, dtype=object)
    if table.ndim == 0 or not table.size:
        raise InvalidTypeError(explain("weights", "a table with the class as its last axis", weights, "pass a list"))
    listed = {f"weights{list(place)}": leaf for place, leaf in np.ndenumerate(table)}
    expressions = {argument: _expression(leaf, argument) for argument, leaf in listed.items()}
    quotients = [leaf for leaf in expressions.values() if not leaf.is_polynomial(*symbols)]
    if quotients and all(leaf.is_rational_function(*symbols) for leaf in quotients):
        below = sympy.lcm([sympy.denom(sympy.together(leaf)) for leaf in quotients])
        expressions = {argument: sympy.cancel(leaf * below**2) for argument, leaf in expressions.items()}
    found = []
    for argument, expression in expressions.items():
        try:
            found.append(sympy.Poly(expression, *symbols, domain="QQ"))
        except (sympy.PolynomialError, sympy.CoercionFailed) as error:
            repair = "other symbols need a value"
            needed = (
                f"a polynomial in {' and '.join(map(str, symbols))} with rational coefficients, or a quotient of two"
            )
            raise InvalidValueError(explain(argument, needed, listed[argument], repair)) from error
    return table, found


def _expression(leaf: Any, argument: str) -> sympy.Expr:
    """Return a weight as an expression of SymPy. Refuse floats, of which SymPy would silently make fractions."""
    import sympy

    expression = leaf if isinstance(leaf, sympy.Expr) else as_rational(leaf, argument)
    if expression.has(sympy.Float):
        repair = "write its floats as sympy.Rational('3/8')"
        raise InvalidTypeError(explain(argument, "of exact numbers", leaf, repair))
    return expression


@dataclass(frozen=True, eq=False, repr=False)
class ParametricFamily(ByParts, Result):
    """Distributions whose weights are polynomials in several parameters, as `polynomial_family` makes them.

    Attributes
    ----------
    symbols : tuple of sympy.Symbol
        The parameters.
    weights : array of sympy.Poly
        The weights, with the axes of the weights of a `JointDistribution`.
    ranges : tuple of pairs of Fraction
        The smallest and the largest value of each parameter.
    """

    _variables: Variables = field(repr=False)
    symbols: tuple[sympy.Symbol, ...]
    weights: Table = field(repr=False)
    ranges: tuple[tuple[Fraction, Fraction], ...]

    @property
    def features(self) -> tuple[str, ...]:
        """The names of the features."""
        return self._variables.features

    def at(self, values: Mapping[Any, Exact]) -> JointDistribution:
        """Return the distribution at rational values of all parameters.

        Examples
        --------
        >>> import sympy
        >>> import fstheory as fs
        >>> p, q = sympy.symbols("p q")
        >>> channel = fs.polynomial_family([[(1 - p) * (1 - q), (1 - p) * q], [p * q, p * (1 - q)]], [p, q])
        >>> channel.at({p: "1/2", q: "1/4"})
        JointDistribution([[3, 1], [1, 3]])
        """
        given = self._named(values)
        left = [symbol for symbol in self.symbols if symbol not in given]
        require(not left, "values", f"given for {first_of(map(str, left))} as well", values, "or call along()")
        point = [
            as_fraction(given[s], f"values[{s}]", at_least=low, at_most=high, repair="stay in the family")
            for s, (low, high) in zip(self.symbols, self.ranges, strict=True)
        ]
        numbers = [poly_value(weight, point) for weight in self.weights.flat]
        array = np.array(integers_over(numbers)[0], dtype=object).reshape(self.weights.shape)
        return JointDistribution(array, **self._variables.named())

    def along(self, values: Mapping[Any, Any]) -> Family:
        """Return the family of one parameter on a line or a curve. `phase_diagram` and the explorer take it.

        `values` gives all parameters but one: exact numbers, or expressions of SymPy in the parameter that is left.

        Examples
        --------
        >>> import sympy
        >>> import fstheory as fs
        >>> p, q = sympy.symbols("p q")
        >>> channel = fs.polynomial_family([[(1 - p) * (1 - q), (1 - p) * q], [p * q, p * (1 - q)]], [p, q])
        >>> channel.along({q: p / 2})
        <Family: family of degree 2 in p from 0 to 1, features X1>
        """
        given = {s: v if hasattr(v, "free_symbols") else as_rational(v, str(s)) for s, v in self._named(values).items()}
        left = [(s, ends) for s, ends in zip(self.symbols, self.ranges, strict=True) if s not in given]
        require(len(left) == 1, "values", "given for all parameters but one", values, "add some, or leave one out")
        ((symbol, (start, end)),) = left
        table: Table = np.array([weight.subs(given) for weight in self._expressions], dtype=object)
        family: Family = polynomial_family(
            table.reshape(self.weights.shape).tolist(), symbol, start=start, end=end, **self._variables.named()
        )
        return family

    def risk(self, features: Subset) -> sympy.Expr:
        """Return the Bayes risk of a subset as an expression of SymPy in the parameters.

        Examples
        --------
        >>> import sympy
        >>> import fstheory as fs
        >>> p, q = sympy.symbols("p q")
        >>> fs.polynomial_family([[1 - p, p], [q, 1 - q]], [p, q]).risk({"X1"})
        -Max(p, 1 - p)/2 - Max(q, 1 - q)/2 + 1
        """
        mask = mask_of(features, self.features, "features")
        return symbolic_risk(self._expressions, self.weights.shape, mask)

    @property
    def _parts(self) -> Any:
        # SymPy takes a polynomial and its pickled copy for different, but not their expressions.
        return self._variables, self.symbols, self.ranges, (*self._expressions,)

    @property
    def _expressions(self) -> list[sympy.Expr]:
        weights: list[Any] = self.weights.ravel().tolist()
        return [weight.as_expr() for weight in weights]

    def _named(self, values: Mapping[Any, Any]) -> dict[Any, Any]:
        """Return values by symbol. They are given by symbol or by name."""
        if not isinstance(values, Mapping):
            raise InvalidTypeError(explain("values", "a mapping from parameters to values", values, "write {p: '1/2'}"))
        named = {str(symbol): symbol for symbol in self.symbols}
        for given in values:
            if str(given) not in named:
                raise unknown("parameter", str(given), list(named))
        return {named[str(given)]: value for given, value in values.items()}

    def __str__(self) -> str:
        ranges = zip(self.symbols, self.ranges, strict=True)
        shown = ", ".join(f"{s} from {to_text(low, 0, 60)} to {to_text(high, 0, 60)}" for s, (low, high) in ranges)
        return f"family in {shown}, features {first_of(self.features)}"


def symbolic_risk(weights: Sequence[sympy.Expr], shape: Sequence[int], mask: int) -> sympy.Expr:
    """Return 1 minus the sum of the largest weights of all states of a subset, divided by the total."""
    import sympy

    table = np.array(weights, dtype=object).reshape(shape)
    unused = tuple(axis for axis in range(len(shape) - 1) if not mask >> axis & 1)
    cells = table.sum(axis=unused).reshape(-1, shape[-1])
    right = sum(sympy.Max(*map(sympy.expand, cell)) for cell in cells)
    return 1 - right / sympy.expand(table.sum())


def coefficients_of(polynomial: sympy.Poly) -> list[Fraction]:
    """Return the coefficients of a polynomial in one symbol, the constant first."""
    return [Fraction(int(c.p), int(c.q)) for c in reversed(polynomial.all_coeffs())]


def poly_value(polynomial: sympy.Poly, point: Sequence[Fraction]) -> Fraction:
    """Return the value of a polynomial at a rational point."""
    value = polynomial.eval(tuple(as_rational(x) for x in point))
    return Fraction(int(value.p), int(value.q))


def as_rational(value: Exact, argument: str = "value") -> sympy.Rational:
    """Return an exact number as a Rational of SymPy."""
    import sympy

    exact = as_fraction(value, argument)
    return sympy.Rational(exact.numerator, exact.denominator)


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
    _symbol: Any = field(default="t", repr=False, kw_only=True)

    def __str__(self) -> str:
        answers = [self.answer] if isinstance(self.answer, bool) else self.answer
        text = ", ".join(one_line(answer, self._columns) for answer in answers)
        start, end = to_text(self.start, 0, 60), to_text(self.end, 0, 60)
        if self.start == self.end:
            return f"{self._symbol} = {start}: {text}"
        left, right = "<=" if self.holds_at_start else "<", "<=" if self.holds_at_end else "<"
        return f"{start} {left} {self._symbol} {right} {end}: {text}"


def stretches(
    family: Family,
    knots: Sequence[Root],
    samples: Sequence[Fraction],
    answer: Callable[[Root], Any],
    columns: tuple[str, ...] = (),
) -> tuple[Stretch, ...]:
    """Return the longest stretches of a family on which an answer stays the same. It may change only at the knots."""
    points: list[Root] = list(dict.fromkeys([family.start, *knots, family.end]))
    pieces: list[tuple[Root, Root, Root]] = [(points[0], points[0], points[0])]
    for one, other, sample in zip(points, points[1:], samples, strict=False):
        pieces += [(one, other, sample), (other, other, other)]
    found: list[tuple[Root, Root, bool, bool, Any]] = []
    for start, end, where in pieces:
        here = answer(where)
        first, holds = start, start is end
        if found and found[-1][-1] == here:
            first, _, holds, *_ = found.pop()
        found.append((first, end, holds, start is end, here))
    return tuple(Stretch(*stretch, _symbol=family.symbol, _columns=columns) for stretch in found)


def marginals(family: Family) -> Iterator[tuple[int, Table]]:
    """Yield each subset with the coefficients of the weights in its marginal, of shape (degree + 1, cells, classes)."""
    table, n = family.coefficients, len(family.features)
    for mask in range(2**n):
        summed = table.sum(axis=tuple(1 + i for i in range(n) if not mask >> i & 1))
        yield mask, summed.reshape(len(table), -1, table.shape[-1])
