"""Numbers that the papers speak of, as terms: expectations, divergences, information, linear regression."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import TypeAlias

from fstheory.logic.claims import claim
from fstheory.logic.expressions import Formula, Term
from fstheory.logic.language import Model

CLASS = None
"""The class among the variables."""

Variables: TypeAlias = "frozenset[str | None]"
State: TypeAlias = "Mapping[str, Hashable]"


def others(m: Model, A: frozenset[str]) -> frozenset[str]:
    """Return the features that are not in A."""
    return m.features - A


def at_most_root(number: Term, square: Term) -> Formula:
    """Say that a number is at most the square root of another one, which is not negative."""
    return (number <= 0) | (number * number <= square)


# Zeros


def possible(p: Term) -> Term:
    """Return 1 where p > 0, and 0 where p = 0."""
    return p / p


def indicator(difference: Term) -> Term:
    """Return 1 where a number is above 0, and 0 elsewhere."""
    above = Term(("max", difference.node, ("q", Fraction(0))))
    return above / above


def log_or_zero(m: Model, p: Term) -> Term:
    """Return log p where p > 0, and 0 where p = 0: what it is multiplied with is 0 there."""
    return m.log(p + 1 - possible(p))


# Probabilities


def restricted(state: State, kept: Variables) -> State:
    """Return the part of a state that is about some features."""
    return {name: label for name, label in state.items() if name in kept}


def cells(m: Model, variables: Variables) -> Iterator[tuple[State, Hashable | None]]:
    """Yield every state of some features, with every class if the class is among the variables."""
    for state in m.states(name for name in m.order if name in variables):
        yield from ((state, y) for y in (m.classes if CLASS in variables else [None]))


def posterior(m: Model, state: State, y: Hashable) -> Term:
    """Return p(y | state), 0 for a state that does not occur."""
    return m.probability(state, y) / m.probability(state)


def expectation(m: Model, of: frozenset[str], value: Callable[[State], Term | int | Fraction]) -> Term:
    """Return E f(X_S), for a function of the states of S."""
    return m.sum(m.probability(state) * value(state) for state in m.states(of))


# Information, by its definitions


def entropy_by_definition(m: Model, variables: Variables) -> Term:
    """Return the sum of -p log p, cell by cell."""
    terms = (m.probability(state, y) for state, y in cells(m, variables))
    return m.sum(-p * log_or_zero(m, p) for p in terms)


def information(m: Model, first: Variables, second: Variables, given: Variables = frozenset()) -> Term:
    """Return I(first; second | given), cell by cell: the sum of p(a, b, c) log p(a, b | c) / (p(a | c) p(b | c))."""
    total = []
    for state, y in cells(m, first | second | given):
        joint, ours, theirs, condition = (
            m.probability(restricted(state, kept), y if CLASS in kept else None)
            for kept in (first | second | given, first | given, second | given, given)
        )
        total.append(joint * log_or_zero(m, joint * condition / (ours * theirs)))
    return m.sum(total)


def divergence(m: Model, state: State, kept: frozenset[str]) -> Term:
    """Return D(p(Y|x) || p(Y|x_S)) for a state x and a subset S."""
    part = restricted(state, kept)
    pairs = ((posterior(m, state, y), posterior(m, part, y)) for y in m.classes)
    return m.sum(p * log_or_zero(m, p / q) for p, q in pairs)


def variation(m: Model, state: State, kept: frozenset[str]) -> Term:
    """Return the total variation distance of p(Y|x) and p(Y|x_S)."""
    part = restricted(state, kept)
    return m.sum(abs(posterior(m, state, y) - posterior(m, part, y)) for y in m.classes) / 2


def score(m: Model, A: frozenset[str]) -> Term:
    """Return nu(A) = I(Y; X_A | the other features), of entropies."""
    return m.mutual_information(A, others(m, A))


# Regression: the classes are numbers


def values(m: Model) -> tuple[tuple[Hashable, Fraction], ...]:
    """Return the classes, each with the number that it is."""
    return tuple((y, m.value("the class", y)) for y in m.classes)


def mean(m: Model, state: State) -> Term:
    """Return E(Y | state)."""
    return m.sum(posterior(m, state, y) * value for y, value in values(m))


def squared_error(m: Model, of: frozenset[str]) -> Term:
    """Return E Var(Y | X_S), the least mean squared error of a prediction from S."""
    return m.sum(error_within(m, state) for state in m.states(of))


def error_within(m: Model, state: State) -> Term:
    """Return p(s) Var(Y | s)."""
    first, second = (m.sum(m.probability(state, y) * value**power for y, value in values(m)) for power in (1, 2))
    return second - first * first / m.probability(state)


def largest(m: Model) -> Term:
    """Return B, the largest absolute value that Y takes with positive probability."""
    return m.maximum(possible(m.probability({}, y)) * abs(value) for y, value in values(m))


def width(m: Model) -> Term:
    """Return W, the difference of the largest and the smallest value that Y takes with positive probability."""
    seen = [(possible(m.probability({}, y)), value) for y, value in values(m)]
    return m.maximum(here * there * abs(a - b) for here, a in seen for there, b in seen)


_ONE = Term(("q", Fraction(1)))


def covariance(m: Model, first: str | None, second: str | None) -> Term:
    """Return the covariance of two variables, None for the class."""
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
    """Return a determinant, expanded along the first row; 1 of no rows."""
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


def linear_error(m: Model, kept: Iterable[str], variable: str | None = CLASS) -> Term:
    """Return the least mean squared error of a linear prediction of a variable, the class, from some features."""
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
    """Return the pairs of features that are in one of some sets together."""
    return [pair for features in sets for pair in itertools.combinations(sorted(features), 2)]


@claim
def regular(m: Model) -> Formula:
    """Say that the covariance matrix of the features is regular, so that the best weights are unique."""
    return determinant(_covariances(m, m.order, m.order)) > 0
