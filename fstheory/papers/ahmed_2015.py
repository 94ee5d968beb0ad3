"""Ahmed et al. (2015): information and losses as criteria for feature subsets; the F-measure, the AUC; greedy search.

If there are finitely many predictors (classifiers, rankings), an infimum over predictors is taken over all of them. If
predictions are numbers, the identity behind the infimum is stated.
"""

from __future__ import annotations

import itertools
import operator
from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import partial
from pathlib import Path
from types import MappingProxyType
from typing import TypeAlias

from fstheory.logic.claims import Claim, claim
from fstheory.logic.entry import Statements
from fstheory.logic.expressions import Formula, Term
from fstheory.logic.language import Model
from fstheory.logic.statement import Shape
from fstheory.papers import terms
from fstheory.papers.terms import CLASS, Cell, Decider, both_classes, cells_of, choices, linear_error, regular

__all__ = ["paper"]
paper = Statements(Path(__file__).with_suffix(".toml"))

COSTS = (Fraction(1, 4), Fraction(2, 7), Fraction(3, 5))
"""Some costs of a false positive; the first is one of the paper's experiments."""

FEE = Fraction(1, 4)
"""What a third prediction, to abstain, costs."""

_GUESSES = (Fraction(1, 10), Fraction(1, 4), Fraction(1, 2), Fraction(9, 10))
_NUMBERS = (Fraction(-1), Fraction(0), Fraction(5, 3))
_HALF_CENT = Fraction(1, 200)
_SQUARE = Shape((2, 2), 2)


@claim
def two_classes(m: Model) -> bool:
    """Say that the class is binary."""
    return len(m.classes) == 2


@claim
def is_example_1(m: Model) -> Formula | bool:
    """Say that the distribution is that of Example 1: P(Y=1) = 0.3, and X1 and X2 are independent given Y."""
    if m.shape != _SQUARE:
        return False
    tenths = {"Y": ((7,), (3,)), "X1": ((9, 1), (6, 4)), "X2": ((6, 4), (1, 9))}
    first, second = (m.states(name) for name in m.order)
    cells = itertools.product(enumerate(first), enumerate(second), enumerate(m.classes))
    return m.all(
        m.probability({**u, **v}, y) == Fraction(tenths["Y"][c][0] * tenths["X1"][c][a] * tenths["X2"][c][b], 1000)
        for (a, u), (b, v), (c, y) in cells
    )


# Example 1


@paper.claim("A-0", assume=[two_classes])
def bayes_error_by_eta(m: Model) -> Formula:
    return m.risk() == m.sum(m.minimum([cell.yes, cell.no]) for cell in cells_of(m, m.features))


@paper.claim("A-0i", assume=[two_classes])
def information_bounds_the_risk(m: Model, S: frozenset[str]) -> Formula:
    left, risk = m.conditional_entropy(S), m.risk(S)
    coin = m.sum(-p * terms.log_or_zero(m, p) for p in (risk, 1 - risk))
    return (risk * 2 * m.log(2) <= left) & (left <= coin)


@paper.claim("A-1", assume=[is_example_1])
def example_1(m: Model) -> Formula | bool:
    if m.shape != _SQUARE:
        return True
    first, second = (cells_of(m, frozenset({name})) for name in m.order)
    percents = [*zip((*first, *second), (22, 63, 7, 49), strict=True)]
    return m.all(
        [
            first[1].mass == Fraction(19, 100),
            second[1].mass == Fraction(55, 100),
            m.risk(m.order[0]) == Fraction(25, 100),
            m.risk(m.order[1]) == Fraction(30, 100),
            *(abs(cell.yes - cell.mass * percent / 100) <= cell.mass * _HALF_CENT for cell, percent in percents),
        ]
    )


@paper.variants("bits", {"A-1u": True, "A-1n": False}, assume=[is_example_1])
def example_1_in_bits_or_nats(m: Model, *, bits: bool) -> Formula | bool:
    if m.shape != _SQUARE:
        return True
    unit, found = m.log(2) if bits else m.sum([1]), []
    for name, percent in zip(m.order, (8, 17), strict=True):
        information = m.mutual_information(name)
        low, high = (Fraction(percent, 100) + sign * _HALF_CENT for sign in (-1, 1))
        found.append((low * unit <= information) & (information < high * unit))
    return m.all(found)


@paper.claim("A-1m", assume=[is_example_1])
def example_1_choices(m: Model) -> Formula | bool:
    if m.shape != _SQUARE:
        return True
    first, second = m.order
    return (m.mutual_information(first) < m.mutual_information(second)) & (m.risk(first) < m.risk(second))


@paper.claim("A-1g")
def information_selects_the_best(m: Model, i: str) -> Formula:
    return _winner_is_best(m, i, lambda j: m.mutual_information(j) < m.mutual_information(i))


def _winner_is_best(m: Model, i: str, beats: Callable[[str], Formula]) -> Formula:
    """Say that a feature that beats each other one has the smallest Bayes error."""
    rivals = sorted(m.features - {i})
    return m.implies(m.all(map(beats, rivals)), m.all(m.risk(i) <= m.risk(j) for j in rivals))


# Losses


@paper.claim("A-2", assume=[two_classes])
def zero_one_criterion(m: Model, S: frozenset[str]) -> Formula:
    cells = cells_of(m, S)
    every = ([*zip(cells, predictions, strict=True)] for predictions in choices(cells))
    wrong = (m.sum(cell.no if predicted else cell.yes for cell, predicted in h) for h in every)
    closed = m.sum(m.minimum([cell.yes, cell.no]) for cell in cells)
    return m.equal(m.minimum(wrong), closed, m.risk(S))


@paper.variants("labels", {"A-YHe": (0, 1), "A-YHl": (-1, 1)})
def yang_hu_forms(m: Model, S: frozenset[str], *, labels: tuple[int, int]) -> Formula:
    cells = cells_of(m, S)
    pairs = [(cell, mass, y) for cell in cells for mass, y in zip((cell.no, cell.yes), labels, strict=True)]
    usual = m.sum(cell.yes * cell.no * 2 / cell.mass for cell in cells)
    return m.sum(mass * ((1 - y) * cell.eta + y * (1 - cell.eta)) for cell, mass, y in pairs) == usual


@paper.claim("A-YH")
def yang_hu_selects_the_best(m: Model, i: str) -> Formula:
    return _winner_is_best(m, i, lambda j: m.gini({i}) < m.gini({j}))


@paper.claim("A-3")
def cost_criterion(m: Model, S: frozenset[str]) -> Formula:
    cells = cells_of(m, S)
    return m.all(
        m.minimum(terms.cost_loss(m, cells, predictions, cost) for predictions in choices(cells))
        == terms.cost_closed(m, S, cost)
        for cost in COSTS
    )


@paper.claim("A-4", assume=[both_classes])
def balanced_criterion(m: Model, S: frozenset[str]) -> Formula:
    cells = cells_of(m, S)
    least = m.minimum(terms.balanced_loss(m, cells, predictions) for predictions in choices(cells))
    p, q = terms.positives(m), terms.negatives(m)
    closed = m.sum(cell.mass * m.minimum([cell.eta / p, (1 - cell.eta) / q]) for cell in cells)
    return m.equal(least, closed, terms.balanced_closed(m, S))


@paper.claim("A-4r", assume=[both_classes])
def balanced_is_a_sum_of_rates(m: Model, S: frozenset[str]) -> Formula:
    cells = cells_of(m, S)
    p, q, same = terms.positives(m), terms.negatives(m), []
    for predictions in choices(cells):
        positive, negative = terms.divided(cells, predictions)
        rates = m.sum(cell.yes / p for cell in negative) + m.sum(cell.no / q for cell in positive)
        same.append(terms.balanced_loss(m, cells, predictions) == rates)
    return m.all(same) & (terms.balanced_closed(m, frozenset()) == 1)


@paper.claim("A-L")
def losses_state_by_state(m: Model, S: frozenset[str]) -> Formula:
    cells = cells_of(m, S)
    charged = [(cell.yes, cell.no, cell.mass * FEE) for cell in cells]
    every = (m.sum(chosen) for chosen in itertools.product(*charged))
    return m.minimum(every) == m.sum(m.minimum(options) for options in charged)


@paper.claim("A-5", assume=[two_classes])
def logarithmic_criterion(m: Model, S: frozenset[str]) -> Formula:
    cells = cells_of(m, S)
    inner = (m.sum(p * terms.log_or_zero(m, p) for p in (cell.eta, cell.no / cell.mass)) for cell in cells)
    closed = m.sum(cell.mass * part for cell, part in zip(cells, inner, strict=True))
    information = terms.information(m, S, frozenset({CLASS}))
    return m.equal(closed, -m.conditional_entropy(S), information - m.entropy((), target=True))


@paper.claim("A-5q")
def best_probability(m: Model, S: frozenset[str]) -> Formula:
    def at_least(cell: Cell, q: Fraction) -> Formula:
        best = -m.sum(p * terms.log_or_zero(m, p / cell.mass) for p in (cell.yes, cell.no))
        return best <= -(cell.yes * m.log(q) + cell.no * m.log(1 - q))

    return m.all(at_least(cell, q) for cell in cells_of(m, S) for q in _GUESSES)


@paper.claim("A-6")
def squared_criterion(m: Model, S: frozenset[str]) -> Formula:
    found = []
    for state, q in itertools.product(m.states(S), _NUMBERS):
        squared = m.sum(m.probability(state, y) * (value - q) ** 2 for y, value in terms.values(m))
        mean = m.sum(m.probability(state, y) * value for y, value in terms.values(m)) / m.probability(state)
        found.append(squared == terms.error_within(m, state) + m.probability(state) * (mean - q) ** 2)
    return m.all(found)


@paper.claim("A-6l", assume=[regular])
def linear_given_all_is_linear_given_some(m: Model, S: frozenset[str]) -> Formula:
    linear = terms.squared_error(m, m.features) == linear_error(m, m.features)
    return m.implies(linear, terms.squared_error(m, S) == linear_error(m, S))


@paper.claim("A-6c", assume=[regular])
def linear_given_some(m: Model, S: frozenset[str]) -> Formula:
    known = [name for name in m.order if name in S]
    off = ((state, terms.mean(m, state) - terms.linear_prediction(m, known, state)) for state in m.states(S))
    linear = m.all((m.probability(state) == 0) | (difference == 0) for state, difference in off)
    return m.iff(linear, terms.squared_error(m, S) == linear_error(m, S))


# The F-measure and the AUC

BETAS = (Fraction(1, 2), Fraction(1), Fraction(2))


@paper.claim("A-7")
def best_f_by_thresholds(m: Model, S: frozenset[str]) -> Formula:
    cells = cells_of(m, S)
    cuts = [terms.threshold(cells, at) for at in [m.sum([]), *(cell.eta for cell in cells)]]
    return m.all(
        terms.f_best(m, S, weight) == m.maximum(terms.f_value(m, cells, cut, weight) for cut in cuts)
        for weight in (1 / beta**2 for beta in BETAS)
    )


@paper.claim("A-7t", assume=[both_classes])
def best_f_only_by_thresholds(m: Model, S: frozenset[str]) -> Formula:
    cells = cells_of(m, S)
    best = terms.f_best(m, S, Fraction(1))

    def thresholds(predictions: Decider) -> Formula:
        return m.all(
            (one.mass == 0) | (two.mass == 0) | (two.yes * one.mass < one.yes * two.mass)
            for one, two in itertools.product(*terms.divided(cells, predictions))
        )

    return m.all(
        m.implies(terms.f_value(m, cells, predictions, Fraction(1)) == best, thresholds(predictions))
        for predictions in choices(cells)
    )


@paper.claim("A-7s", assume=[both_classes])
def best_threshold(m: Model, S: frozenset[str]) -> Formula:
    cells = cells_of(m, S)
    found = []
    for weight in (1 / beta**2 for beta in BETAS):
        best = terms.f_best(m, S, weight)
        cut = terms.threshold(cells, best / (1 + weight))
        found.append(terms.f_value(m, cells, cut, weight) == best)
    return m.all(found)


@paper.variants("power", {"A-7b": 1, "A-7c": -1})
def f_as_usual(m: Model, S: frozenset[str], *, power: int) -> Formula:
    cells, found = cells_of(m, S), []
    for beta, predictions in itertools.product(BETAS, choices(cells)):
        positive, _ = terms.divided(cells, predictions)
        hits, called = m.sum(cell.yes for cell in positive), m.sum(cell.mass for cell in positive)
        gamma = beta**power
        printed = hits * (1 + beta**2) / (called * beta**2 + terms.positives(m))
        usual = hits * (1 + gamma**2) / (called + terms.positives(m) * gamma**2)
        found.append(printed == usual)
    return m.all(found)


@paper.claim("A-8", assume=[both_classes])
def best_auc(m: Model, S: frozenset[str]) -> Formula:
    cells = cells_of(m, S)
    return m.maximum(terms.auc(m, cells, scores) for scores in terms.rankings(cells)) == m.auc(S)


# The search, and which criteria are submodular

Value: TypeAlias = "Callable[[Model, frozenset[str]], Term]"

BENEFITS: Mapping[str, tuple[Value, tuple[Claim, ...]]] = MappingProxyType(
    {
        "01": (lambda m, of: -m.risk(of), ()),
        "cost": (lambda m, of: -terms.cost_closed(m, of, COSTS[0]), ()),
        "bal": (lambda m, of: -terms.balanced_closed(m, of), (both_classes,)),
        "log": (lambda m, of: m.mutual_information(of), ()),
        "sq": (lambda m, of: -terms.squared_error(m, of), ()),
        "F": (lambda m, of: terms.f_best(m, of, Fraction(1)), (both_classes,)),
        "auc": (Model.auc, (both_classes,)),
    }
)
"""The criteria of Examples 2 to 8: the value of a subset, and what it assumes."""


@claim
def independent_given_class(m: Model) -> Formula:
    """Say that the features are independent given the class."""
    return m.all(m.independent(m.order[:i], name, given=m.target) for i, name in enumerate(m.order) if i)


def _adds_less(
    m: Model, S: frozenset[str], i: str, j: str, *, value: Value, compare: Callable[[Term, Term], Formula] = operator.ge
) -> Formula | bool:
    """Say how the gain of a feature compares with its gain beside another feature."""
    if not i < j or S & {i, j}:
        return True
    return compare(value(m, S | {i}) - value(m, S), value(m, S | {i, j}) - value(m, S | {j}))


def _covers(m: Model, T: frozenset[str], *, value: Value) -> Formula | bool:
    """Say that the weight of T is at least 0.

    The value of S is the value of no feature plus all weights that S meets.
    """
    left = ((size, m.features - set(U)) for size in range(len(T) + 1) for U in itertools.combinations(sorted(T), size))
    return m.sum((-1) ** (len(T) - size + 1) * value(m, S) for size, S in left) >= 0 if T else True


def _greedy_reaches_the_best(m: Model, *, value: Value) -> Formula:
    def reached_by(order: tuple[str, ...]) -> Formula:
        rest = (set(other) for other in itertools.combinations(m.order, len(order)) if set(other) != set(order))
        best = (value(m, frozenset(other)) <= value(m, frozenset(order)) for other in rest)
        return m.all([*_greedy_steps(m, value, order), *best])

    return m.all(m.any(map(reached_by, itertools.permutations(m.order, k))) for k in range(2, len(m.order)))


def _greedy_steps(m: Model, value: Value, order: tuple[str, ...]) -> list[Formula]:
    """Say, step by step, that forward selection may choose these features in this order."""
    return [
        value(m, frozenset(order[:place]) | {other}) <= value(m, frozenset(order[: place + 1]))
        for place in range(len(order))
        for other in m.order
        if other not in order[: place + 1]
    ]


for _key, (_value, _assume) in {**BENEFITS, "balm": (lambda m, of: -m.balanced(of), ())}.items():
    _given = (*_assume, *((two_classes,) if _key == "auc" else ()), independent_given_class)
    paper.claim(f"A-Gi-{_key}", assume=_given)(partial(_adds_less, value=_value))
    if _key in {"auc", "log"}:
        paper.claim(f"A-Gc-{_key}", assume=_given)(partial(_covers, value=_value))
    if _key in BENEFITS:
        paper.claim(f"A-Gg-{_key}", assume=_assume)(partial(_greedy_reaches_the_best, value=_value))
        paper.claim(f"A-Gs-{_key}", assume=_assume)(partial(_adds_less, value=_value))
        paper.claim(f"A-Gp-{_key}", assume=_assume)(partial(_adds_less, value=_value, compare=operator.le))


@paper.claim("A-F3")
def nothing_alone_is_nothing_together(m: Model) -> Formula:
    return m.implies(m.all(m.risk(i) == m.risk(()) for i in m.order), m.risk(m.features) == m.risk(()))


# Figures

_risk, _information = BENEFITS["01"][0], BENEFITS["log"][0]


@paper.variants("values", {"A-Xk": (_risk, _information), "A-Xl": (_information, _risk)})
def greedy_beats_greedy(m: Model, *, values: tuple[Value, Value]) -> Formula | bool:
    value, other = values
    found = []
    for own, rival in itertools.product(itertools.permutations(m.order, 2), repeat=2):
        steps = (*_greedy_steps(m, value, own), *_greedy_steps(m, other, rival))
        found.append(m.all([*steps, value(m, frozenset(rival)) <= value(m, frozenset(own))]))
    return len(m.order) < 3 or m.any(found)


@paper.claim("A-Xs")
def greedy_beats_scores(m: Model) -> Formula | bool:
    pairs = list(itertools.permutations(m.order, 2))

    def by_scores(pair: tuple[str, ...]) -> Formula:
        """Say that two features may be chosen by their scores, in this order."""
        first, second = (_risk(m, frozenset({i})) for i in pair)
        least = [_risk(m, frozenset({other})) <= second for other in m.order if other not in pair]
        return m.all([*least, second <= first])

    found = []
    for own in pairs:
        others = (other for other in pairs if set(other) != set(own))
        beaten = (m.implies(by_scores(other), m.risk(own) <= m.risk(other)) for other in others)
        found.append(m.all([*_greedy_steps(m, _risk, own), *beaten]))
    return len(m.order) < 3 or m.any(found)


@claim
def changes_nothing(m: Model) -> Formula:
    """Say that the first class is a most probable one in each state of each single feature."""
    alone = (x for name in m.order for x in m.states({name}))
    return m.all(m.probability(x, y) <= m.probability(x, m.classes[0]) for x in alone for y in m.classes)


@paper.claim("A-Xi", assume=[changes_nothing])
def all_tie(m: Model) -> Formula:
    return m.all(m.risk({name}) == m.risk(()) for name in m.order)
