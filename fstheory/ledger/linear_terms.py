"""Linear regression as terms: covariances, and by Cramer's rule the best weights and least squared errors.

Everything is a rational expression of probabilities, with a determinant of covariances below. It is meant for the few
features of a smallest counterexample; `fstheory.regression` is for distributions.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Hashable, Iterable, Mapping, Sequence
from fractions import Fraction

from fstheory.ledger.terms import CLASS, cells
from fstheory.logic import Formula, Model, Term, claim

__all__ = [
    "covariance",
    "determinant",
    "inverse_entry",
    "left_over",
    "linear_error",
    "linear_prediction",
    "regular",
    "uncorrelated",
    "variance",
    "weight",
]

_ONE = Term(("q", Fraction(1)))


def covariance(m: Model, first: str | None, second: str | None) -> Term:
    """Return the covariance of two variables, None for the class.

    Examples
    --------
    >>> from fstheory.logic import Shape
    >>> covariance(Model(Shape((2,))), "X1", None).node[1]  # of states 0 and 1: P(1, 1) less a product
    ('P', (1,), 1)
    """
    return _moment(m, first, second) - _moment(m, first) * _moment(m, second)


def variance(m: Model, variable: str | None) -> Term:
    """Return the variance of a variable."""
    return covariance(m, variable, variable)


def _moment(m: Model, *variables: str | None) -> Term:
    """Return the expectation of a product of variables."""
    parts = []
    for state, y in cells(m, frozenset(variables)):
        numbers = (m.value("the class", y) if name is CLASS else m.value(name, state[name]) for name in variables)
        parts.append(m.probability(state, y) * math.prod(numbers, start=Fraction(1)))
    return m.sum(parts)


def determinant(rows: Sequence[Sequence[Term]]) -> Term:
    """Return a determinant, expanded along the first row; 1 of no rows.

    Examples
    --------
    >>> a, b = (Term(("R", (i,))) for i in (0, 1))
    >>> determinant([[a, b], [b, a]]).node[1]
    ('*', ('R', (0,)), ('R', (0,)))
    """
    if not rows:
        return _ONE
    first, *rest = rows
    parts = []
    for place, entry in enumerate(first):
        minor = determinant([[*row[:place], *row[place + 1 :]] for row in rest])
        parts.append(entry * minor * _sign(place))
    return sum(parts[1:], parts[0])


def _sign(place: int) -> int:
    return -1 if place % 2 else 1


def _covariances(m: Model, rows: Sequence[str | None], columns: Sequence[str | None]) -> list[list[Term]]:
    return [[covariance(m, i, j) for j in columns] for i in rows]


def left_over(m: Model, kept: Iterable[str], first: str | None, second: str | None) -> Term:
    """Return the covariance of what the best linear predictions from some features leave of two variables.

    It is the determinant of the covariances with the two variables at the borders, over that without them.
    """
    known = [name for name in m.order if name in frozenset(kept)]
    bordered = determinant(_covariances(m, [*known, first], [*known, second]))
    return bordered / determinant(_covariances(m, known, known))


def linear_error(m: Model, kept: Iterable[str], variable: str | None) -> Term:
    """Return the least mean squared error of a linear prediction of a variable from some features."""
    return left_over(m, kept, variable, variable)


def weight(m: Model, i: str) -> Term:
    """Return the weight of feature i in the best linear prediction of Y from all features."""
    columns: list[str | None] = [CLASS if name == i else name for name in m.order]
    return determinant(_covariances(m, m.order, columns)) / determinant(_covariances(m, m.order, m.order))


def linear_prediction(m: Model, kept: Sequence[str], state: Mapping[str, Hashable]) -> Term:
    """Return what the best linear prediction of Y from some features is at a state of them."""
    below = determinant(_covariances(m, kept, kept))
    parts = [_moment(m, CLASS)]
    for i in kept:
        columns: list[str | None] = [CLASS if name == i else name for name in kept]
        slope = determinant(_covariances(m, kept, columns)) / below
        parts.append(slope * (m.value(i, state[i]) - _moment(m, i)))
    return m.sum(parts)


def inverse_entry(m: Model, i: str, j: str, of: Iterable[str] | None = None) -> Term:
    """Return the entry (i, j) of the inverse of the covariance matrix of some features, of all if none are named."""
    known = list(m.order) if of is None else [name for name in m.order if name in frozenset(of)]
    rows = [name for name in known if name != j]
    columns = [name for name in known if name != i]
    minor = determinant(_covariances(m, rows, columns))
    return minor * _sign(known.index(i) + known.index(j)) / determinant(_covariances(m, known, known))


def uncorrelated(m: Model, pairs: Iterable[tuple[str, str]]) -> Formula:
    """Return the statement that the covariance of each pair of features is 0."""
    return m.all(covariance(m, i, j) == 0 for i, j in pairs)


def pairs_within(*sets: Iterable[str]) -> list[tuple[str, str]]:
    """Return the pairs of features that are in one of some sets together.

    Examples
    --------
    >>> pairs_within({"X2", "X1"}, {"X3"})
    [('X1', 'X2')]
    """
    return [pair for features in sets for pair in itertools.combinations(sorted(features), 2)]


@claim
def regular(m: Model) -> Formula:
    """Say that the covariance matrix of the features is regular, so that the best weights are unique."""
    return determinant(_covariances(m, m.order, m.order)) > 0
