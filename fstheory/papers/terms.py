"""Terms for the numbers that several papers use: information, regression, and measures of performance.

The last class is the positive one, as everywhere in fstheory. All other classes together are the negative class. A
classifier predicts positive at some states. Every term is written so that a state of probability 0 contributes 0.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import NamedTuple, TypeAlias

from fstheory.errors import TooLargeError, explain
from fstheory.logic.claims import claim
from fstheory.logic.expressions import Formula, State, Term
from fstheory.logic.language import Model

CLASS = None
"""The class among the variables."""

Variables: TypeAlias = "frozenset[str | None]"


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
    """Return log p where p > 0, and 0 where p = 0. Use it in products with a factor that is 0 where p = 0."""
    return m.log(p + 1 - possible(p))


# Probabilities


def restricted(state: State, kept: Variables) -> State:
    """Return a state restricted to some features."""
    return {name: label for name, label in state.items() if name in kept}


def cells(m: Model, variables: Variables) -> Iterator[tuple[State, Hashable | None]]:
    """Yield every state of some features. If the class is among the variables, yield it with every class."""
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
    """Return a determinant, expanded along the first row. It is 1 if there are no rows."""
    if not rows:
        return Term(("q", Fraction(1)))
    if len(rows) > 5:  # the expansion has n! terms
        repair = "look at fewer features, or evaluate the bounds of fstheory.bounds, which solve the equations"
        raise TooLargeError(explain("a determinant in a claim", "of at most 5 rows", len(rows), repair))
    first, *rest = rows
    minors = (determinant([[*row[:place], *row[place + 1 :]] for row in rest]) for place in range(len(first)))
    signs = itertools.cycle((1, -1))
    parts = [entry * minor * sign for entry, minor, sign in zip(first, minors, signs, strict=False)]
    return sum(parts[1:], parts[0])


def _covariances(m: Model, rows: Sequence[str | None], columns: Sequence[str | None]) -> list[list[Term]]:
    return [[covariance(m, i, j) for j in columns] for i in rows]


def left_over(m: Model, kept: Iterable[str], first: str | None, second: str | None) -> Term:
    """Return the covariance of the residuals of two variables after the best linear predictions from some features."""
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
    """Return the best linear prediction of Y from some features at one of their states."""
    below = determinant(_covariances(m, kept, kept))
    parts = [_moment(m, CLASS)]
    for i in kept:
        columns: list[str | None] = [CLASS if name == i else name for name in kept]
        slope = determinant(_covariances(m, kept, columns)) / below
        parts.append(slope * (m.value(i, state[i]) - _moment(m, i)))
    return m.sum(parts)


def inverse_entry(m: Model, i: str, j: str, of: Iterable[str] | None = None) -> Term:
    """Return the entry (i, j) of the inverse of the covariance matrix of the features `of`, by default of all."""
    known = list(m.order) if of is None else [name for name in m.order if name in frozenset(of)]
    rows = [name for name in known if name != j]
    columns = [name for name in known if name != i]
    minor = determinant(_covariances(m, rows, columns))
    sign = -1 if (known.index(i) + known.index(j)) % 2 else 1
    return minor * sign / determinant(_covariances(m, known, known))


def uncorrelated(m: Model, pairs: Iterable[tuple[str, str]]) -> Formula:
    """Return the statement that the covariance of each pair of features is 0."""
    return m.all(covariance(m, i, j) == 0 for i, j in pairs)


def pairs_within(*sets: Iterable[str]) -> list[tuple[str, str]]:
    """Return the pairs of features that lie in the same set, for each of some sets."""
    return [pair for features in sets for pair in itertools.combinations(sorted(features), 2)]


@claim
def regular(m: Model) -> Formula:
    """Say that the covariance matrix of the features is regular, so that the best weights are unique."""
    return determinant(_covariances(m, m.order, m.order)) > 0


# Performance: predictors of a binary class, from the states of a subset

Decider: TypeAlias = "tuple[bool, ...]"
Ranking: TypeAlias = "tuple[int, ...]"


class Cell(NamedTuple):
    """The probabilities of a state s of a subset: p(s, positive), p(s, negative) and p(s)."""

    yes: Term
    no: Term
    mass: Term

    @property
    def eta(self) -> Term:
        """The class probability p(positive | s), 0 where p(s) = 0."""
        return self.yes / self.mass


def cells_of(m: Model, of: frozenset[str]) -> list[Cell]:
    """Return the states of a subset, in order."""
    *others, positive = m.classes
    return [
        Cell(m.probability(state, positive), m.sum(m.probability(state, y) for y in others), m.probability(state))
        for state in m.states(of)
    ]


def positives(m: Model) -> Term:
    """Return p, the probability of the positive class."""
    return m.probability({}, m.classes[-1])


def negatives(m: Model) -> Term:
    """Return 1 - p."""
    return m.sum(m.probability({}, y) for y in m.classes[:-1])


@claim
def both_classes(m: Model) -> Formula:
    """Say that 0 < p < 1: both classes occur."""
    return (positives(m) > 0) & (negatives(m) > 0)


# Predictors


def choices(cells: Sequence[Cell]) -> Iterator[Decider]:
    """Yield every classifier, as whether it predicts positive at each state."""
    _require_few(cells, 12, "classifiers")  # 4,096
    return itertools.product((False, True), repeat=len(cells))


def rankings(cells: Sequence[Cell]) -> Iterator[Ranking]:
    """Yield every weak order of the states, as scores 0, 1, .. without a gap."""
    _require_few(cells, 6, "rankings")  # 4,683
    for scores in itertools.product(range(len(cells)), repeat=len(cells)):
        if set(scores) == set(range(max(scores) + 1)):
            yield scores


def _require_few(cells: Sequence[Cell], most: int, what: str) -> None:
    if len(cells) > most:
        requirement = f"of at most {most} states to list all {what} of them"
        raise TooLargeError(explain("a subset of features", requirement, len(cells), "look at fewer features"))


def divided(cells: Sequence[Cell], predictions: Decider) -> tuple[list[Cell], list[Cell]]:
    """Return the states where a classifier predicts positive, and the other states."""
    parts: tuple[list[Cell], list[Cell]] = [], []
    for cell, predicted in zip(cells, predictions, strict=True):
        parts[not predicted].append(cell)
    return parts


# Losses: what a classifier is charged, and the closed form of the least charge


def errors(m: Model, cells: Sequence[Cell], predictions: Decider) -> tuple[Term, Term]:
    """Return the probabilities of a false positive and of a false negative."""
    positive, negative = divided(cells, predictions)
    return m.sum(cell.no for cell in positive), m.sum(cell.yes for cell in negative)


def cost_loss(m: Model, cells: Sequence[Cell], predictions: Decider, cost: Fraction) -> Term:
    """Return the expected loss: a false positive costs c, a false negative 1 - c."""
    wrong, missed = errors(m, cells, predictions)
    return wrong * cost + missed * (1 - cost)


def cost_closed(m: Model, of: frozenset[str], cost: Fraction) -> Term:
    """Return E min((1 - c) eta, c (1 - eta))."""
    return m.sum(m.minimum([cell.yes * (1 - cost), cell.no * cost]) for cell in cells_of(m, of))


def balanced_loss(m: Model, cells: Sequence[Cell], predictions: Decider) -> Term:
    """Return the expected loss: a false positive costs 1/(1 - p), a false negative 1/p."""
    wrong, missed = errors(m, cells, predictions)
    return wrong / negatives(m) + missed / positives(m)


def balanced_closed(m: Model, of: frozenset[str]) -> Term:
    """Return E min(eta / p, (1 - eta) / (1 - p))."""
    p, q = positives(m), negatives(m)
    return m.sum(m.minimum([cell.yes / p, cell.no / q]) for cell in cells_of(m, of))


# The F-measure and the area under the ROC curve


def f_value(m: Model, cells: Sequence[Cell], predictions: Sequence[bool] | Sequence[Term], weight: Fraction) -> Term:
    """Return (1 + w) TP / (w P + M), the F-measure with beta^2 = w; 0 where TP = 0.

    P is the probability of the positive class, M that of predicting it, and TP that of predicting it correctly. For
    each state, `predictions` has a truth value or a term that is 1 or 0.
    """
    hits, called = [], []
    for cell, predicted in zip(cells, predictions, strict=True):
        if predicted is True:
            hits.append(cell.yes)
            called.append(cell.mass)
        elif isinstance(predicted, Term):
            hits.append(cell.yes * predicted)
            called.append(cell.mass * predicted)
    return m.sum(hits) * (1 + weight) / (positives(m) * weight + m.sum(called))


def f_best(m: Model, of: frozenset[str], weight: Fraction) -> Term:
    """Return the largest F-measure of all classifiers."""
    cells = cells_of(m, of)
    return m.maximum(f_value(m, cells, predictions, weight) for predictions in choices(cells))


def auc(m: Model, cells: Sequence[Cell], scores: Ranking) -> Term:
    """Return the probability that a positive scores higher than a negative, ties counting one half."""
    won = []
    for (one, mine), (two, theirs) in itertools.product(zip(cells, scores, strict=True), repeat=2):
        if mine >= theirs:
            won.append(one.yes * two.no * (Fraction(1, 2) if mine == theirs else 1))
    return m.sum(won) / (positives(m) * negatives(m))


def threshold(cells: Sequence[Cell], at: Term | int) -> list[Term]:
    """Return, for each state, 1 where eta > t and 0 elsewhere, the classifier sign(eta - t)."""
    return [indicator(cell.eta - at) for cell in cells]
