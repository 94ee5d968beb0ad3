"""Numbers that the papers speak of, as terms: expectations, divergences, information, the values of Y.

A variable is a feature, by name, or the class, which is written None; so a set of variables is an event space. Where a
probability is 0, 0/0 counts as 0 and 0 log 0 as 0, as in every expectation.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping
from fractions import Fraction
from typing import TypeAlias

from fstheory.logic import Model, Term

__all__ = [
    "CLASS",
    "State",
    "Variables",
    "cells",
    "divergence",
    "entropy_by_definition",
    "error_within",
    "expectation",
    "indicator",
    "information",
    "largest",
    "log_or_zero",
    "others",
    "possible",
    "posterior",
    "score",
    "squared_error",
    "values",
    "variation",
    "width",
]

CLASS = None
"""The class among the variables."""

Variables: TypeAlias = "frozenset[str | None]"
State: TypeAlias = "Mapping[str, Hashable]"


def others(m: Model, A: frozenset[str]) -> frozenset[str]:
    """Return the features that are not in A.

    Examples
    --------
    >>> from fstheory.logic import Shape
    >>> sorted(others(Model(Shape((2, 2, 2))), frozenset({"X2"})))
    ['X1', 'X3']
    """
    return m.features - A


# Zeros


def possible(p: Term) -> Term:
    """Return 1 where p > 0, and 0 where p = 0.

    Examples
    --------
    >>> possible(Term(("P", (0,), None))).node[0]
    '/'
    """
    return p / p


def indicator(difference: Term) -> Term:
    """Return 1 where a number is above 0, and 0 elsewhere."""
    above = Term(("max", difference.node, ("q", Fraction(0))))
    return above / above


def log_or_zero(m: Model, p: Term) -> Term:
    """Return log p where p > 0, and 0 where p = 0: what it is multiplied with is 0 there."""
    return m.log(p + 1 - possible(p))


# Probabilities


def cells(m: Model, variables: Variables) -> Iterator[tuple[State, Hashable | None]]:
    """Yield every state of some features, with every class if the class is among the variables.

    Examples
    --------
    >>> from fstheory.logic import Shape
    >>> list(cells(Model(Shape((2,))), frozenset({CLASS})))
    [({}, 0), ({}, 1)]
    """
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

        def mass(variables: Variables, state: State = state, y: Hashable | None = y) -> Term:
            kept = {name: label for name, label in state.items() if name in variables}
            return m.probability(kept, y if CLASS in variables else None)

        joint = mass(first | second | given)
        ratio = joint * mass(given) / (mass(first | given) * mass(second | given))
        total.append(joint * log_or_zero(m, ratio))
    return m.sum(total)


def divergence(m: Model, state: State, kept: frozenset[str]) -> Term:
    """Return D(p(Y|x) || p(Y|x_S)) for a state x and a subset S."""
    part = {name: label for name, label in state.items() if name in kept}
    pairs = ((posterior(m, state, y), posterior(m, part, y)) for y in m.classes)
    return m.sum(p * log_or_zero(m, p / q) for p, q in pairs)


def variation(m: Model, state: State, kept: frozenset[str]) -> Term:
    """Return the total variation distance of p(Y|x) and p(Y|x_S)."""
    part = {name: label for name, label in state.items() if name in kept}
    return m.sum(abs(posterior(m, state, y) - posterior(m, part, y)) for y in m.classes) / 2


def score(m: Model, A: frozenset[str]) -> Term:
    """Return nu(A) = I(Y; X_A | the other features), of entropies."""
    return m.mutual_information(A, others(m, A))


# Regression: the classes are numbers


def values(m: Model) -> tuple[Fraction, ...]:
    """Return the numbers that the classes are.

    Examples
    --------
    >>> from fstheory.logic import Shape
    >>> values(Model(Shape((2,), 3)))
    (Fraction(0, 1), Fraction(1, 1), Fraction(2, 1))
    """
    return tuple(m.value("the class", y) for y in m.classes)


def squared_error(m: Model, of: frozenset[str]) -> Term:
    """Return E Var(Y | X_S), the least mean squared error of a prediction from S."""
    return m.sum(error_within(m, state) for state in m.states(of))


def error_within(m: Model, state: State) -> Term:
    """Return p(s) Var(Y | s)."""
    first = m.sum(m.probability(state, y) * value for y, value in zip(m.classes, values(m), strict=True))
    second = m.sum(m.probability(state, y) * value**2 for y, value in zip(m.classes, values(m), strict=True))
    return second - first * first / m.probability(state)


def largest(m: Model) -> Term:
    """Return B, the largest absolute value that Y takes with positive probability."""
    return m.maximum(possible(m.probability({}, y)) * abs(value) for y, value in zip(m.classes, values(m), strict=True))


def width(m: Model) -> Term:
    """Return W, the difference of the largest and the smallest value that Y takes with positive probability."""
    seen = [(possible(m.probability({}, y)), value) for y, value in zip(m.classes, values(m), strict=True)]
    return m.maximum(here * there * abs(a - b) for here, a in seen for there, b in seen)
