"""Performance measures of Ahmed et al. as terms: of a predictor, and the closed forms of the best value of a subset.

The positive class is the last one, and all others together are the negative class, as everywhere in fstheory. Where
a predictor is a set of states, it says positive there and negative elsewhere. All values are written so that a state
of probability 0 adds 0.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import NamedTuple, TypeAlias

from fstheory.errors import TooLargeError, explain
from fstheory.logic.claims import claim
from fstheory.logic.expressions import Formula, Term
from fstheory.logic.language import Model
from fstheory.papers import terms

Decider: TypeAlias = "tuple[bool, ...]"
Ranking: TypeAlias = "tuple[int, ...]"

_MOST_CHOSEN = 12  # states, with 4,096 classifiers
_MOST_RANKED = 6  # states, with 4,683 weak orders


class Cell(NamedTuple):
    """What a state s of a subset is to a binary class: p(s, positive), p(s, negative) and p(s)."""

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
    """Yield every classifier: for each state, whether it says positive."""
    _require_few(cells, _MOST_CHOSEN, "classifiers")
    return itertools.product((False, True), repeat=len(cells))


def rankings(cells: Sequence[Cell]) -> Iterator[Ranking]:
    """Yield every weak order of the states, as scores 0, 1, .. without a gap."""
    _require_few(cells, _MOST_RANKED, "rankings")
    for scores in itertools.product(range(len(cells)), repeat=len(cells)):
        if set(scores) == set(range(max(scores) + 1)):
            yield scores


def _require_few(cells: Sequence[Cell], most: int, what: str) -> None:
    if len(cells) > most:
        requirement = f"of at most {most} states to list all {what} of them"
        raise TooLargeError(explain("a subset of features", requirement, len(cells), "look at fewer features"))


def divided(cells: Sequence[Cell], predictions: Decider) -> tuple[list[Cell], list[Cell]]:
    """Return the states where a classifier says positive, and the others."""
    positive = [cell for cell, predicted in zip(cells, predictions, strict=True) if predicted]
    negative = [cell for cell, predicted in zip(cells, predictions, strict=True) if not predicted]
    return positive, negative


# Losses: what a classifier is charged, and the closed form of the least charge


def _errors(m: Model, cells: Sequence[Cell], predictions: Decider) -> tuple[Term, Term]:
    """Return the probabilities of a false positive and of a false negative."""
    positive, negative = divided(cells, predictions)
    return m.sum(cell.no for cell in positive), m.sum(cell.yes for cell in negative)


def cost_loss(m: Model, cells: Sequence[Cell], predictions: Decider, cost: Fraction) -> Term:
    """Return the expected loss: a false positive costs c, a false negative 1 - c."""
    wrong, missed = _errors(m, cells, predictions)
    return wrong * cost + missed * (1 - cost)


def cost_closed(m: Model, of: frozenset[str], cost: Fraction) -> Term:
    """Return E min((1 - c) eta, c (1 - eta))."""
    return m.sum(m.minimum([cell.yes * (1 - cost), cell.no * cost]) for cell in cells_of(m, of))


def balanced_loss(m: Model, cells: Sequence[Cell], predictions: Decider) -> Term:
    """Return the expected loss: a false positive costs 1/(1 - p), a false negative 1/p."""
    wrong, missed = _errors(m, cells, predictions)
    return wrong / negatives(m) + missed / positives(m)


def balanced_closed(m: Model, of: frozenset[str]) -> Term:
    """Return E min(eta / p, (1 - eta) / (1 - p))."""
    p, q = positives(m), negatives(m)
    return m.sum(m.minimum([cell.yes / p, cell.no / q]) for cell in cells_of(m, of))


def mean_recall(m: Model, of: frozenset[str]) -> Term:
    """Return the mean over all classes of the share of right answers: 1 less the balanced loss of m classes by m."""
    right = (m.maximum(m.probability(s, y) / m.probability({}, y) for y in m.classes) for s in m.states(of))
    return m.sum(right) / len(m.classes)


def gini(m: Model, of: frozenset[str]) -> Term:
    """Return E 2 eta (1 - eta)."""
    return m.sum(cell.yes * cell.no * 2 / cell.mass for cell in cells_of(m, of))


# The F-measure and the area under the ROC curve


def f_value(m: Model, cells: Sequence[Cell], predictions: Sequence[bool] | Sequence[Term], weight: Fraction) -> Term:
    """Return (1 + w) TP / (w P + M), the F-measure with beta^2 = w; 0 where TP = 0.

    P is the probability of the positive class, M that of saying positive, TP that of being right about it. `says`
    has a truth value, or an indicator, for each state.
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


def auc_closed(m: Model, of: frozenset[str]) -> Term:
    """Return 1 - E min(alpha(X, X'), alpha(X', X)) / (2 p (1 - p)), with alpha(z, z') = eta(z) (1 - eta(z'))."""
    pairs = itertools.product(cells_of(m, of), repeat=2)
    lost = m.sum(m.minimum([one.yes * two.no, two.yes * one.no]) for one, two in pairs)
    return 1 - lost / (positives(m) * negatives(m) * 2)


def threshold(cells: Sequence[Cell], at: Term | int) -> list[Term]:
    """Return, for each state, 1 where eta > t and 0 elsewhere, the classifier sign(eta - t)."""
    return [terms.indicator(cell.eta - at) for cell in cells]
